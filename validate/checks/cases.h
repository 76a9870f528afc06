/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases of one switch: the subject of most families of checks. A grid is a list of blocks. A block
 * stands for all combinations of the values that it lists, or for one in a fixed number of them: a
 * stride without a common factor with the lengths of the lists visits all values, and all pairs of
 * values, in turn.
 */
#ifndef SWQ_VALIDATE_CHECKS_CASES_H
#define SWQ_VALIDATE_CHECKS_CASES_H

#include "switchq/switch.h"
#include "switchq/validate.h"

/* Destinations of packets, and the load of each input. */
typedef enum swq_case_traffic {
    SWQ_CASE_UNIFORM,
    SWQ_CASE_HOT,      /* a fifth of all packets to output 1, in addition to its share */
    SWQ_CASE_UNEQUAL,  /* uniform; input i has the load times 1 - i/4 */
    SWQ_CASE_LOPSIDED, /* both */
    SWQ_CASE_BURSTS,   /* the same four, in bursts of SWQ_CASE_BURST packets on average */
    SWQ_CASE_BURSTS_HOT,
    SWQ_CASE_BURSTS_UNEQUAL,
    SWQ_CASE_BURSTS_LOPSIDED,
} swq_case_traffic;

enum { SWQ_CASE_BURST = 3 };

typedef enum swq_case_mode {
    SWQ_DISCARD_SAME = 1,
    SWQ_DISCARD_NEXT = 2,
    SWQ_BLOCK_SAME = 4,
    SWQ_BLOCK_NEXT = 8,
    SWQ_ALL_MODES = 15
} swq_case_mode;

typedef struct swq_case {
    const char *buffer, *arbiter;
    int ports, slots; /* per input port */
    double load;
    swq_case_mode mode; /* one of the flags */
    swq_case_traffic traffic;
    int iterations;
    int least, most; /* of a queue; most 0: as in the preset */
    double alpha;
    const swq_pool_rule *rule;
    const char *architecture; /* NULL: input-queued */
    int behind; /* slots of a queue before an output, or at a crosspoint; 0: `slots`, as the inputs
                   have no buffers */
    int speedup;
    bool first; /* the order of departures */
} swq_case;

typedef struct swq_case_block {
    const char *const *buffer, *const *arbiter; /* lists that end with NULL or 0 */
    const int *ports, *slots;                   /* of partitioned buffers: slots per queue */
    const double *load;
    unsigned modes; /* a union of swq_case_mode */
    swq_case_traffic traffic;
    int iterations, least, most;
    double alpha;
    const swq_pool_rule *rule;
    const char *architecture;
    int behind, speedup;
    bool first;
    int quick, full; /* one in `quick` (or `full`) combinations is taken; 0: none */
} swq_case_block;

/* Such lists, in place. */
#define SWQ_WORDS(...)                                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define SWQ_NUMBERS(...)                                                                           \
    (const int[])                                                                                  \
    {                                                                                              \
        __VA_ARGS__, 0                                                                             \
    }
#define SWQ_LOADS(...)                                                                             \
    (const double[])                                                                               \
    {                                                                                              \
        __VA_ARGS__, 0                                                                             \
    }

/* The five kinds of buffers of an input, and arbiters. */
#define SWQ_FIVE_BUFFERS SWQ_WORDS("fifo", "samq", "safc", "damq", "dafc")
#define SWQ_ALL_ARBITERS                                                                           \
    SWQ_WORDS("random", "random-outputs", "maximum", "longest", "maximum-longest", "max-weight",   \
              "fixed", "rotating", "advancing", "islip", "pim")
#define SWQ_ALL_BUT_ISLIP                                                                          \
    SWQ_WORDS("random", "random-outputs", "maximum", "longest", "maximum-longest", "max-weight",   \
              "fixed", "rotating", "advancing", "pim")

/* A block: buffers, arbiters, ports, slots, loads, modes; one in `quick` combinations is taken
 * (0: none), and then the other members, among them `full`. */
#define SWQ_BLOCK(buffers_, arbiters_, ports_, slots_, loads_, modes_, quick_, ...)                \
    {                                                                                              \
        .buffer = (buffers_), .arbiter = (arbiters_), .ports = (ports_), .slots = (slots_),        \
        .load = (loads_), .modes = (modes_), .quick = (quick_), __VA_ARGS__                        \
    }

static inline bool swq_case_hot(const swq_case *c)
{
    return c->traffic & SWQ_CASE_HOT;
}

static inline bool swq_case_unequal(const swq_case *c)
{
    return c->traffic & SWQ_CASE_UNEQUAL;
}

/* The number of cases of a grid, and case k. A grid is a list of blocks that ends with a block
 * without buffers. */
int swq_grid_count(const swq_case_block *grid, swq_effort effort);
void swq_grid_case(const swq_case_block *grid, swq_effort effort, int k, swq_case *c);

/* "buffer=damq-4,ports=2,load=0.9,arbiter=random,flow=discard-same", for names; and "2x2 damq-4,
 * load 0.9, arbiter random, discard, credit same", for people. Both return text. */
char *swq_case_name(const swq_case *c, char *text, size_t size);
char *swq_case_words(const swq_case *c, char *text, size_t size);

/* The switch of a case. Errors: the errors of an invalid switch. */
swq_status swq_case_switch(swq_context *ctx, const swq_case *c, swq_switch *sw);

#endif
