/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffer organisations. A buffer is four choices, and its name is a preset of them: scope (a buffer
 * per input port, or one central pool), queues (one, or one per output), admission (slots reserved
 * for a queue, the most slots that it may take, a dynamic threshold on the shared part) and read
 * ports (one packet per cycle, or one per queue).
 */
#ifndef SWITCHQ_BUFFER_H
#define SWITCHQ_BUFFER_H

#include "switchq/context.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_SLOTS =
        2047 /* packet slots per input port; a pool of 32 times as many still fits a word */
};

typedef enum swq_scope { SWQ_PER_INPUT, SWQ_POOL } swq_scope;
typedef enum swq_queues { SWQ_ONE_QUEUE, SWQ_QUEUE_PER_OUTPUT } swq_queues;
typedef enum swq_read { SWQ_READ_ONE, SWQ_READ_EACH_QUEUE } swq_read;

/* What a pool does with simultaneous arrivals when it has fewer free slots than there are input
 * ports. ROOM: accept while there is room, the arrivals in random order. PORTS: f free slots open
 * just f randomly chosen input ports, and a packet at a closed port is refused even if it came
 * alone; Frazier (1995), section 4.2: "0.5 sum_J P(j)" taken literally. OLDEST: as ROOM, but the
 * packet that has spent most cycles in the previous switch (at the source) comes first, ties in
 * random order (chapter 5); a chain has no ages, so this is for simulation only. */
typedef enum swq_pool_rule { SWQ_POOL_ROOM, SWQ_POOL_PORTS, SWQ_POOL_OLDEST } swq_pool_rule;

/* One row of the table of pool rules. */
typedef struct swq_pool_rule_row {
    const char *name;
    const char *beyond_chains; /* what it depends on that the states of a chain lack ("ages");
                                  NULL: chains have all that it needs */
    swq_pool_rule in_chains;   /* the nearest rule that chains have; the rule itself if they have
                                  it */
} swq_pool_rule_row;

enum { SWQ_POOL_RULES = SWQ_POOL_OLDEST + 1 };

/* By their enumeration. */
extern const swq_pool_rule_row swq_pool_rules[SWQ_POOL_RULES];

typedef struct swq_buffer {
    swq_scope scope;
    swq_queues queues;
    swq_read read;
    int capacity;  /* packet slots of one buffer (of the whole pool) */
    int queue_min; /* slots reserved for each queue, >= 0; queues * queue_min <= capacity */
    int queue_max; /* slots that one queue may take, max(1, queue_min) .. capacity */
    double alpha;  /* dynamic threshold: a queue may take fewer than alpha * (free shared slots) of
                      the shared part (Choudhury and Hahne, 1998); 0: no threshold */
    swq_pool_rule pool_rule;
} swq_buffer;

/* One row of the table of presets. */
typedef struct swq_buffer_kind {
    const char *name;
    const char *summary;
    const char *source;
    swq_scope scope;
    swq_queues queues;
    swq_read read;
    bool
        partitioned; /* slots split evenly and for good among the queues; else, as in swq_buffer: */
    int queue_min;   /* slots reserved for each queue */
    int queue_max;   /* slots that one queue may take; 0: all */
    double alpha;    /* dynamic threshold; 0: none */
} swq_buffer_kind;

/* All presets, ended by NULL. */
extern const swq_buffer_kind *const swq_buffer_kinds[];

/* The row of that name, or of a word of the field that means one row: input-queued (fifo),
 * crosspoint (safc), shared-memory (cbda). Errors: SWQ_EINVAL for an unknown name (suggesting the
 * nearest), and for a word that may mean several (voq), naming them. */
swq_status swq_buffer_kind_find(swq_context *ctx, const char *name, const swq_buffer_kind **kind);

/* The fewest slots per input port that a preset needs in a switch of `ports` ports. */
int swq_buffer_least(const swq_buffer_kind *kind, int ports);

/* Fill *buffer with the preset for a switch of `ports` inputs and outputs and `slots` packet slots
 * per input port (a pool has ports * slots). Errors: SWQ_EINVAL when slots is not positive, does
 * not divide by ports for a partitioned buffer, is less than what the row reserves for all queues,
 * or is absurdly large. */
swq_status swq_buffer_preset(swq_context *ctx, const swq_buffer_kind *kind, int ports, int slots,
                             swq_buffer *buffer);

/* Check that the four choices go together. Errors: SWQ_EINVAL naming the one that is wrong. */
swq_status swq_buffer_check(swq_context *ctx, const swq_buffer *buffer, int ports);

/* Are the slots permanently divided, so that no queue can take the slots of another one? This is so
 * if a row says `partitioned`, or if queues may take only the slots that are reserved for them. */
static inline bool swq_buffer_partitioned(const swq_buffer *b)
{
    return b->queue_min == b->queue_max;
}

/* Number of queues of one buffer. */
static inline int swq_buffer_queues(const swq_buffer *b, int ports)
{
    return b->queues == SWQ_ONE_QUEUE ? 1 : ports;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
