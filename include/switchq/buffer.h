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
    bool in_order;     /* in the order of input ports, the lowest first */
    /* the nearest rule that chains can express; NULL: this rule */
    const struct swq_pool_rule *in_chains;
} swq_pool_rule;

/* All pool rules, ended by NULL; the first one, room, is the default. */
extern const swq_pool_rule *const swq_pool_rules[];
extern const swq_pool_rule swq_pool_room, swq_pool_ports, swq_pool_oldest, swq_pool_in_order;

/* What a rule of admission answers for a packet that comes to a buffer: to take it, to refuse it,
 * or, 0 or more, to take it and push out a packet of this queue, which is lost: the last one, or
 * the first (`drop_head`); SWQ_ASK: to take it unless an oracle says that longest-queue drop loses
 * it, for rules that declare SWQ_NEED_FUTURE. */
typedef int swq_fate;
enum { SWQ_TAKE = -1, SWQ_REFUSE = -2, SWQ_ASK = -3 };

/* Which of several longest queues loses a packet, if the packet that comes is counted with its own
 * queue: its own, if that is one of them; another one; the first or last by number; any one. Among
 * those that are left all are equally likely. */
typedef enum swq_ties {
    SWQ_TIES_OWN,
    SWQ_TIES_OTHER,
    SWQ_TIES_LOW,
    SWQ_TIES_HIGH,
    SWQ_TIES_RANDOM
} swq_ties;
extern const char *const swq_ties_words[]; /* by value, ended by NULL */

/* The parameters of rules of admission, members of swq_buffer: a bit each. */
typedef enum swq_admission_parameter {
    SWQ_ADMISSION_QUEUE_MIN = 1,
    SWQ_ADMISSION_QUEUE_MAX = 2,
    SWQ_ADMISSION_ALPHA = 4,
    SWQ_ADMISSION_TIES = 8,
    SWQ_ADMISSION_DROP = 16,      /* drop_head */
    SWQ_ADMISSION_EXPEL = 32,     /* expel */
    SWQ_ADMISSION_CONGESTED = 64, /* congested */
    SWQ_ADMISSION_ORACLE = 128    /* oracle */
} swq_admission_parameter;

/* What is asked whether longest-queue drop, with the buffer's `ties`, would lose a packet that
 * comes, at once or later. */
typedef struct swq_oracle {
    double flip;           /* chance that a right answer is turned round, 0 to 1 */
    const uint8_t *answer; /* [answers] in place of right answers: for each packet of a trace, 1 if
                              it is said to be lost, else 0; NULL: none */
    uint64_t answers;
    const char *file; /* where the answers are from, for messages; NULL if there are none */
} swq_oracle;

struct swq_buffer;
/* The answer of a rule for a packet that comes to queue `join` of a buffer whose queues hold
 * length[0 .. queues - 1] packets. kept[w * queues + q]: word w of those that the rule keeps for
 * queue q, which it may change; NULL for a rule that keeps none. All randomness comes from the
 * dice. */
typedef swq_fate swq_fate_fn(const struct swq_buffer *buffer, int queues, const uint16_t *length,
                             uint16_t *kept, int join, swq_dice *dice);

/* One row of the table of rules of admission: whether a packet that comes to a buffer is stored. A
 * rule without `fate` sets the numbers queue_min, queue_max and alpha of the buffer; a packet is
 * then taken if there is room for it by these numbers, and else refused. */
typedef struct swq_admission_rule {
    const char *name;
    const char *summary;
    const char *source;
    swq_needs needs;
    unsigned takes;   /* its parameters, bits of swq_admission_parameter ... */
    unsigned demands; /* ... and those that have no default */
    /* Set what the rule determines and, for parameters that are not among the bits `given`, their
     * defaults. NULL: the preset's numbers stand. */
    void (*set)(unsigned given, int queues, struct swq_buffer *buffer);
    bool divides; /* the slots among the queues, of which each has an equal whole number */
    swq_fate_fn *fate;
    bool takes_while_room; /* with `fate`: no packet is refused or pushed out while there is room,
                              whatever came before */
    int keeps;             /* words for each queue, initially 0 */
    /* Rules that keep words: how many values the words of one queue take together, at most. NULL:
     * one word, and the words of all queues are lengths in such a buffer. */
    double (*kept_values)(const struct swq_buffer *buffer, int queues);
    /* Rules that keep words: a cycle has ended. length: what the queues hold now; sent[q]: 1 if
     * queue q has sent a packet, else 0. */
    void (*end_cycle)(const struct swq_buffer *buffer, int queues, const uint16_t *length,
                      const uint8_t *sent, uint16_t *kept);
    /* Before the packets of a cycle come: the queue whose first packet is expelled, which is lost,
     * or SWQ_REFUSE for none. Called with turn 0, 1, ... until it answers SWQ_REFUSE, with the
     * lengths that are left. NULL: the rule expels no packets. */
    swq_fate (*expel)(const struct swq_buffer *buffer, int queues, const uint16_t *length, int turn,
                      swq_dice *dice);
} swq_admission_rule;

/* All rules of admission, ended by NULL; the first one, room, is the default. */
extern const swq_admission_rule *const swq_admission_rules[];
extern const swq_admission_rule swq_admission_room, swq_admission_sharing,
    swq_admission_partitioning, swq_admission_maximum, swq_admission_minimum,
    swq_admission_minimum_maximum, swq_admission_square_root, swq_admission_threshold,
    swq_admission_longest_queue_drop, swq_admission_harmonic, swq_admission_abm,
    swq_admission_occamy, swq_admission_follow_lqd, swq_admission_credence, swq_admission_edt,
    swq_admission_tdt, swq_admission_fab, swq_admission_ib, swq_admission_reverie;

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
    /* parameters of rules of admission */
    swq_ties ties;
    bool drop_head; /* pushing out loses the first packet of a queue, not the last */
    double
        expel; /* most packets expelled a cycle, >= 0; a fraction is the chance of one more ... */
    double expel_chance[2]; /* ... and the chances of none more and of one more */
    int congested; /* packets from which a queue counts as congested, >= 1; a shorter queue counts
                      in proportion */
    swq_oracle oracle;
} swq_buffer;

/* Give a buffer this rule of admission. `given`: which parameters, bits of swq_admission_parameter,
 * *buffer already has; the others become the rule's defaults. Errors: SWQ_EINVAL naming a parameter
 * that the rule does not take, or one that it demands and that is not given. */
swq_status swq_buffer_set_admission(swq_context *ctx, const swq_admission_rule *rule,
                                    unsigned given, int ports, swq_buffer *buffer);

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

/* The fewest slots per input port that a preset needs in a switch of `ports` ports under a rule of
 * admission; NULL: room. */
int swq_buffer_least(const swq_buffer_kind *kind, const swq_admission_rule *admission, int ports);

/* Sizes of a preset are multiples of this number of slots: `ports`, where the slots of an input
 * port are permanently divided among its queues, else 1. */
int swq_buffer_step(const swq_buffer_kind *kind, const swq_admission_rule *admission, int ports);

/* Fill *buffer with the preset for a switch of `ports` inputs and outputs and `slots` packet slots
 * per input port (a pool has ports * slots). Errors: SWQ_EINVAL when slots is not positive, does
 * not divide by ports for a partitioned buffer, is less than what the row reserves for all queues,
 * or is absurdly large. */
swq_status swq_buffer_preset(swq_context *ctx, const swq_buffer_kind *kind, int ports, int slots,
                             swq_buffer *buffer);

/* As swq_buffer_preset, with the rules and the parameters of `like`, whose rule of admission sets
 * its numbers for the new size. Reserved slots and maxima that were given as numbers are not kept.
 */
swq_status swq_buffer_preset_like(swq_context *ctx, const swq_buffer_kind *kind, int ports,
                                  int slots, const swq_buffer *like, swq_buffer *buffer);

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

/* May the rule lose packets that are stored, pushed out or expelled? */
static inline bool swq_admission_loses_stored(const swq_admission_rule *rule)
{
    return rule->needs & (SWQ_NEEDS(SWQ_NEED_PUSH_OUT) | SWQ_NEEDS(SWQ_NEED_EXPULSION));
}

/* Does the rule of admission distinguish queues by their numbers? */
static inline bool swq_buffer_numbers_queues(const swq_buffer *b)
{
    return (swq_buffer_admission(b)->takes & SWQ_ADMISSION_TIES) &&
           (b->ties == SWQ_TIES_LOW || b->ties == SWQ_TIES_HIGH);
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
