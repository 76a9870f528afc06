/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Buffer organisations. A buffer is four choices, and its name is a preset of them: scope (a buffer
 * per input port, or one central pool), queues (one, or one per output), admission (slots reserved
 * for a queue, the most slots that it may take, a dynamic threshold on the shared part) and read
 * ports (one packet per cycle, or one per queue). Rules that these numbers cannot express are rows
 * of two tables: pool rules and rules of admission.
 */
#ifndef SWITCHQ_BUFFER_H
#define SWITCHQ_BUFFER_H

#include "switchq/dice.h"
#include "switchq/needs.h"

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

/* One row of the table of pool rules: what a pool does with packets that come in the same cycle
 * when it has fewer free slots than there are input ports. They are accepted one after the other
 * while there is room. */
typedef struct swq_pool_rule {
    const char *name;
    const char *summary;
    const char *source;
    swq_needs needs;
    bool opens_ports;  /* f free slots open just f randomly chosen input ports, and a packet at a
                          closed port is refused even if no other packet arrives; else all ports are
                          open */
    bool oldest_first; /* the packet that has spent most cycles in the previous switch (at the
                          source) comes first, ties in random order; else all in random order */
    /* the nearest rule that chains can express; NULL: this rule */
    const struct swq_pool_rule *in_chains;
} swq_pool_rule;

/* All pool rules, ended by NULL; the first one, room, is the default. */
extern const swq_pool_rule *const swq_pool_rules[];
extern const swq_pool_rule swq_pool_room, swq_pool_ports, swq_pool_oldest;

/* What a rule of admission answers for a packet that comes to a buffer: to take it, to refuse it,
 * or, 0 or more, to take it and push out the last packet of this queue, which is lost. */
typedef int swq_fate;
enum { SWQ_TAKE = -1, SWQ_REFUSE = -2 };

struct swq_buffer;
typedef swq_fate swq_fate_fn(const struct swq_buffer *buffer, int queues, const uint16_t *length,
                             int join, swq_dice *dice);

/* One row of the table of rules of admission: whether a packet that comes to a buffer is stored. */
typedef struct swq_admission_rule {
    const char *name;
    const char *summary;
    const char *source;
    swq_needs needs;
    /* The answer for a packet that comes to queue `join` of a buffer whose queues hold
     * length[0 .. queues - 1] packets. All randomness comes from the dice. NULL: the packet is
     * taken if there is room for it by the buffer's own numbers, and else refused. */
    swq_fate_fn *fate;
} swq_admission_rule;

/* All rules of admission, ended by NULL; the first one, room, is the default. */
extern const swq_admission_rule *const swq_admission_rules[];
extern const swq_admission_rule swq_admission_room, swq_admission_longest_queue_drop;

typedef struct swq_buffer {
    swq_scope scope;
    swq_queues queues;
    swq_read read;
    int capacity;  /* packet slots of one buffer (of the whole pool) */
    int queue_min; /* slots reserved for each queue, >= 0; queues * queue_min <= capacity */
    int queue_max; /* slots that one queue may take, max(1, queue_min) .. capacity */
    double alpha;  /* dynamic threshold: a queue may take fewer than alpha * (free shared slots) of
                      the shared part (Choudhury and Hahne, 1998); 0: no threshold */
    const swq_pool_rule *pool_rule;      /* NULL: room */
    const swq_admission_rule *admission; /* NULL: room */
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

/* The row called `name`, or the row that a word of the field means: input-queued (fifo), crosspoint
 * (safc), shared-memory (cbda). Errors: SWQ_EINVAL for an unknown name (suggesting the nearest),
 * and for a word that may mean several rows (voq), naming them. */
swq_status swq_buffer_kind_find(swq_context *ctx, const char *name, const swq_buffer_kind **kind);

/* The fewest slots per input port that a preset needs in a switch of `ports` ports. */
int swq_buffer_least(const swq_buffer_kind *kind, int ports);

/* Fill *buffer with the preset for a switch of `ports` inputs and outputs and `slots` packet slots
 * per input port (a pool has ports * slots). Errors: SWQ_EINVAL when slots is not positive, does
 * not divide by ports for a partitioned buffer, is less than what the row reserves for all queues,
 * or is absurdly large. */
swq_status swq_buffer_preset(swq_context *ctx, const swq_buffer_kind *kind, int ports, int slots,
                             swq_buffer *buffer);

/* Check that the buffer's four choices go together. Errors: SWQ_EINVAL naming the wrong choice. */
swq_status swq_buffer_check(swq_context *ctx, const swq_buffer *buffer, int ports);

/* Are the slots permanently divided, so that no queue can take the slots of another one? This is so
 * if a row says `partitioned`, or if queues may take only the slots that are reserved for them. */
static inline bool swq_buffer_partitioned(const swq_buffer *b)
{
    return b->queue_min == b->queue_max;
}

/* The rows of a buffer's pool rule and rule of admission. */
static inline const swq_pool_rule *swq_buffer_pool_rule(const swq_buffer *b)
{
    return b->pool_rule ? b->pool_rule : &swq_pool_room;
}
static inline const swq_admission_rule *swq_buffer_admission(const swq_buffer *b)
{
    return b->admission ? b->admission : &swq_admission_room;
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
