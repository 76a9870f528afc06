/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst case of a rule of admission: how much more the best schedule with foresight can send
 * from a shared memory than the rule does, over all sequences of arrivals, exactly and proven.
 */
#ifndef SWITCHQ_WORST_H
#define SWITCHQ_WORST_H

#include "switchq/buffer.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_WORST_QUEUES = 8,       /* most queues of the memory */
    SWQ_WORST_SLOTS = 1000,     /* most slots of the memory */
    SWQ_WORST_SPEEDUP = 8,      /* most packets of a queue that the rule sends in a phase */
    SWQ_WORST_ARRIVALS = 1000,  /* largest limit on the arrivals of a phase */
    SWQ_WORST_VALUE = 1000,     /* largest number in the value of a packet, a fraction */
    SWQ_WORST_VALUED_SLOTS = 15 /* most slots of a memory whose packets have values */
};

/* What an adversary makes as large as possible. */
typedef enum swq_worst_objective {
    SWQ_WORST_THROUGHPUT, /* packets sent by the optimum, divided by packets sent by the rule */
    SWQ_WORST_EXCESS      /* packets a phase that the optimum sends and the rule does not; with
                             classes, their value, a packet of the lower class being worth 1 */
} swq_worst_objective;

/* Whose worst case. */
typedef enum swq_worst_rule_of {
    SWQ_WORST_GIVEN,           /* of the buffer's rule of admission */
    SWQ_WORST_BEST,            /* of the best deterministic rule that does not know the future */
    SWQ_WORST_BEST_NO_PUSH_OUT /* of the best such rule that takes or refuses packets */
} swq_worst_rule_of;

/* The question. Time is divided into phases: packets arrive one after another, each for a queue;
 * then both schedules send packets of each queue that is not empty. */
typedef struct swq_worst_spec {
    const swq_buffer *buffer; /* a pool: its slots, numbers and rule of admission; borrowed */
    swq_worst_rule_of rule;   /* if it is not SWQ_WORST_GIVEN, the buffer says only its slots; the
                                 objective is throughput, the speedup 1, arrivals are unlimited, and
                                 there is no certificate */
    int queues;               /* 1 .. SWQ_WORST_QUEUES */
    swq_worst_objective objective;
    int speedup;  /* packets that the rule sends of a queue in a phase; the optimum: 1 */
    int arrivals; /* most arrivals of a phase; 0: unlimited */
    /* What a packet of the lower and of the higher class is worth, 1 .. SWQ_WORST_VALUE, the former
     * no more than the latter; packets of a queue are sent in their order, and worth takes the
     * place of packets in the objective. {0, 0}: there are no classes. */
    int value[2];
    const char *certificate; /* where to write the certificate; NULL: nowhere */
} swq_worst_spec;

/* A step of the worst sequence, and what both schedules hold after it. */
typedef struct swq_worst_step {
    int queue;                   /* of the packet that arrives; -1: the phase ends, and both send */
    int high;                    /* 1: the packet is of the higher class */
    swq_fate fate;               /* what the rule does with the packet */
    bool taken;                  /* whether the optimum takes the packet */
    int rule_sent, optimum_sent; /* packets, where the phase ends ... */
    int rule_high, optimum_high; /* ... and those of the higher class among them */
    int rule[SWQ_WORST_QUEUES], optimum[SWQ_WORST_QUEUES];
    /* bit k: packet k of the queue, the first one being 0, is of the higher class */
    uint32_t rule_classes[SWQ_WORST_QUEUES], optimum_classes[SWQ_WORST_QUEUES];
} swq_worst_step;

typedef struct swq_worst {
    bool unbounded; /* the rule stops sending while the optimum goes on: there is no number */
    bool proven;    /* a potential was checked against every edge; false after a cancellation */
    /* The worst case is at least numerator / denominator, and, if it is proven, no more. */
    int64_t numerator, denominator;
    double upper;         /* after a cancellation, an upper bound: the smaller one of queues and
                             slots, for the excess, the best rule, and rules that take every packet
                             for which there is room; else INFINITY, none is known */
    bool renamed;         /* nodes are counted up to a renaming of queues */
    int64_t nodes;        /* reachable pairs of contents */
    int64_t edges;        /* that were checked */
    int64_t improvements; /* rounds of policy iteration */
    double seconds;       /* of real time */
    /* The worst sequence: `lead` steps from empty queues, and then `period` steps, which may be
     * repeated without end. */
    int64_t lead, period;
    swq_worst_step *step; /* [lead + period] */
} swq_worst;

/* Throughput, speedup 1, unlimited arrivals; buffer and queues are for the caller. */
swq_worst_spec swq_worst_spec_defaults(void);

/* Can this question be answered? Errors: SWQ_EINVAL naming what is wrong: numbers out of range, a
 * buffer that is no pool, a rule that needs more than lengths of queues and push-out. */
swq_status swq_worst_check(swq_context *ctx, const swq_worst_spec *spec);

/* The bytes that swq_worst_run takes at most; 0: unknown, for the best rule. Errors: those of
 * swq_worst_check. */
swq_status swq_worst_foresee(swq_context *ctx, const swq_worst_spec *spec, double *bytes);

/* Computes the worst case. It is the largest ratio cycle of a finite graph, whose nodes are pairs
 * of what the rule and the optimum hold, found by policy iteration (Howard) in integers. What the
 * rule draws at random is left to the adversary. The caller clears *worst with swq_worst_clear.
 * With SWQ_WORST_BEST the least ratio of all rules is the value of a game, found by improving the
 * adversary's strategy (Hoffman and Karp), and proven by a potential of each side; there is no
 * sequence, and `edges` counts moves.
 * Errors: those of swq_worst_check; SWQ_ELIMIT (memory foreseen, or more than 2^32 nodes),
 * SWQ_ENOMEM, SWQ_EIO (certificate); SWQ_ECANCELLED comes with the bounds found so far. Cost: 15
 * bytes a node; time, some tens of rounds over all edges. */
swq_status swq_worst_run(swq_context *ctx, const swq_worst_spec *spec, swq_worst *worst);
void swq_worst_clear(swq_context *ctx, swq_worst *worst);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
