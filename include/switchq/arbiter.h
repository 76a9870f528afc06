/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Crossbar arbiters: they decide which inputs send to which outputs in a cycle.
 */
#ifndef SWITCHQ_ARBITER_H
#define SWITCHQ_ARBITER_H

#include "switchq/context.h"
#include "switchq/dice.h"
#include "switchq/needs.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_PORTS = 256, /* of a switch that is simulated */
    SWQ_CHAIN_PORTS =
        32 /* ... of a chain, and of a switch with loads and destinations of its own */
};

/* What an arbiter sees. */
typedef struct swq_requests {
    int ports;
    bool read_each_queue; /* an input may send one packet from each of its queues */
    /* length[i][j]: packets in input i's queue for output j, 0 if input i has nothing to send
     * there. A single FIFO queue asks only for its head's output, with the length of the whole
     * queue. [ports] rows, of which the first `ports` elements count; owned by the caller */
    int (*length)[SWQ_MAX_PORTS];
    /* packets in input i's buffer, among them those that may not be sent now because the next
     * switch has no room */
    int waiting[SWQ_MAX_PORTS];
    int iterations;   /* rounds of an iterative arbiter, >= 1 */
    uint16_t *memory; /* [the arbiter's memory words], each below `ports`; NULL if it has none */
} swq_requests;

enum { SWQ_NO_INPUT = -1 };

/* Set grant[j] to the input that sends to output j, or SWQ_NO_INPUT. A grant answers a request, an
 * output gets one packet at most, and so does an input unless read_each_queue. All randomness comes
 * from the dice. */
typedef void swq_arbitrate_fn(const swq_requests *requests, swq_dice *dice, int *grant);

/* One step of an arbitration that is a sequence of small steps: decide something, record it in
 * *done (0 at the start), and return true; false when everything is decided. Runs that reach the
 * same *done and grants are then merged, which keeps an enumeration of many ports short. Only
 * chains take steps, so that there are SWQ_CHAIN_PORTS ports at most. */
typedef bool swq_arbiter_step_fn(const swq_requests *requests, uint64_t *done, swq_dice *dice,
                                 int *grant);

/* The renamings of ports that leave an arbiter's probabilities unchanged, if its memory is renamed
 * in the same way. */
typedef enum swq_alike {
    SWQ_ALIKE_NONE,             /* always safe */
    SWQ_ALIKE_SHIFTED_TOGETHER, /* inputs and outputs shifted cyclically by the same number */
    SWQ_ALIKE_SHIFTED_APART, /* inputs shifted cyclically by one number, outputs by another one */
    SWQ_ALIKE_ALL            /* any permutation of inputs and of outputs */
} swq_alike;

/* How an arbiter chooses one of several queues if there is nothing to match: in an architecture
 * whose outputs choose independently. */
typedef enum swq_serves {
    SWQ_SERVES_NONE,    /* the arbiter cannot serve such an architecture */
    SWQ_SERVES_ANY,     /* each queue that holds a packet is equally likely */
    SWQ_SERVES_LONGEST, /* each queue that holds most packets is equally likely */
    SWQ_SERVES_FIRST,   /* the first queue that holds a packet */
    SWQ_SERVES_IN_TURNS /* the first queue that holds a packet, beginning after the queue that was
                           served last */
} swq_serves;

/* The queues whose lengths an arbiter compares. */
typedef enum swq_compares {
    SWQ_COMPARES_ALL,   /* always safe */
    SWQ_COMPARES_INPUT, /* the queues of one input; if each queue has a read port, the queues for
                           one output where `serves` is SWQ_SERVES_LONGEST, and else none */
    SWQ_COMPARES_NONE /* none: the arbiter's probabilities depend on where packets wait, not on how
                         many */
} swq_compares;

/* One row of the table of arbiters. */
typedef struct swq_arbiter {
    const char *name;
    const char *summary;
    const char *source;
    swq_arbitrate_fn *arbitrate;
    swq_alike alike;           /* by these renamings, chains can be reduced */
    swq_arbiter_step_fn *step; /* `arbitrate` as a sequence of steps; NULL: none. An arbiter with
                                  steps decides parts of the switch that share no request
                                  independently of each other, and has no memory */
    swq_compares compares; /* with SWQ_COMPARES_NONE and SWQ_ALIKE_ALL, chains store its decisions
                            by the queues that hold packets */
    int (*memory)(int ports); /* words that the arbiter keeps from cycle to cycle, all 0 at first;
                                 NULL: none */
    /* Rename the ports in the arbiter's memory: input i becomes input[i], output j output[j]; NULL:
     * no memory, or SWQ_ALIKE_NONE. */
    void (*rename)(int ports, const uint8_t *input, const uint8_t *output, const uint16_t *memory,
                   uint16_t *renamed);
    /* Called once a cycle after all grants of the cycle are known (arbitrate may be called twice,
     * for two priority classes), to move pointers; NULL: nothing to do. */
    void (*settle)(const swq_requests *requests, const int *grant);
    bool unrolled; /* the rule is: from a pointer on, each input sends from its longest queue, and
                      the pointer stays at an input that could not send. The fast forms of the
                      engines have this rule written out */
    bool advances; /* as unrolled, but the pointer moves on whenever something was sent */
    swq_serves serves;   /* how it chooses in columns of crosspoints */
    bool iterative;      /* the arbiter works in rounds, swq_requests.iterations of them */
    const char *favours; /* which inputs the arbiter serves more often than others, if all inputs
                            always have packets; NULL: none in the long run */
    int most_ports;      /* with more ports the arbiter would take too long; 0: SWQ_MAX_PORTS */
    swq_needs needs;     /* what the arbiter needs beyond the lengths and the memory above */
    /* an arbiter whose chains are smaller and whose throughput is nearly the same, for
     * approximations; NULL: none */
    const struct swq_arbiter *without_memory;
} swq_arbiter;

/* Words of memory of an arbiter. */
static inline int swq_arbiter_memory(const swq_arbiter *arbiter, int ports)
{
    return arbiter->memory ? arbiter->memory(ports) : 0;
}

/* Do the arbiter's decisions follow from the set of queues that hold packets alone, whatever the
   ports are called?
 */
static inline bool swq_arbiter_blind(const swq_arbiter *arbiter)
{
    return arbiter->compares == SWQ_COMPARES_NONE && arbiter->alike == SWQ_ALIKE_ALL;
}

/* All arbiters, ended by NULL; the first one is the default. */
extern const swq_arbiter *const swq_arbiters[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_arbiter_find(swq_context *ctx, const char *name, const swq_arbiter **arbiter);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
