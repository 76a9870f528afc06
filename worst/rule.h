/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rule of admission as a finite machine: what the memory can hold under the rule, and what it
 * holds after each arrival and each end of a phase. Contents that differ only by a renaming of
 * queues are one state, if the rule treats all queues alike, which is established by asking it.
 */
#ifndef SWQ_WORST_RULE_H
#define SWQ_WORST_RULE_H

#include "worst/packets.h"

enum {
    SWQ_WORST_KEPT = 6, /* most words that a rule keeps for a queue */
    SWQ_WORST_WORDS = (1 + SWQ_WORST_KEPT) * SWQ_WORST_QUEUES,
    SWQ_WORST_OUTCOMES = 2 * SWQ_WORST_QUEUES + 2 /* most that a packet may lead to */
};

/* Where a step leads: a state, and the renaming that makes its queues those of the state:
 * queue k of the state is queue renaming[k] of the state before. */
typedef struct swq_worst_move {
    uint32_t to, renaming;
} swq_worst_move;

/* What a packet may lead to. */
typedef struct swq_worst_outcome {
    swq_fate fate;
    swq_word held[SWQ_WORST_WORDS];
} swq_worst_outcome;

typedef struct swq_worst_rule {
    int queues;
    int kinds; /* of packets: kind c * queues + q is a packet of class c for queue q */
    int words; /* of a state: what the queues hold, then what the rule keeps for each queue, if it
                  does */
    bool renamed;
    uint32_t states;      /* state 0 is the empty memory */
    swq_intern set;       /* the states: what the queues hold, longest first if they are renamed */
    uint32_t *alike;      /* [states]: bit k: queue k holds the same as queue k - 1, and they may be
                             exchanged */
    uint16_t *sent;       /* [states]: the shipment of the rule */
    swq_worst_move *send; /* [states] */
    /* [states * kinds + 1]: moves first[s * kinds + a] .. first[s * kinds + a + 1] - 1 are those
     * that a packet of kind a may cause, several if the rule throws dice */
    uint32_t *first;
    swq_worst_move *move;
    uint32_t renamings;
    uint8_t (*renaming)[SWQ_WORST_QUEUES]; /* the first one changes nothing */
} swq_worst_rule;

/* The machine of a rule. Free with swq_worst_rule_clear, also after an error. Cost: the contents
 * that the rule reaches, before renaming, times queues squared. */
swq_status swq_worst_rule_make(swq_context *ctx, const swq_worst_spec *spec, swq_worst_rule *rule);
void swq_worst_rule_clear(swq_context *ctx, swq_worst_rule *rule);

/* All that a packet of a kind may lead to, without repetition, if the memory holds `held`. Returns
 * their number. */
int swq_worst_outcomes(const swq_worst_spec *spec, const swq_word *held, int kind,
                       swq_worst_outcome *outcome);

/* What the memory holds after the rule has sent. */
void swq_worst_send(const swq_worst_spec *spec, swq_word *held);

/* Words of what the memory holds. */
static inline int swq_worst_words(const swq_worst_spec *spec)
{
    return spec->queues * (1 + swq_buffer_admission(spec->buffer)->keeps);
}

/* The order of queues that makes `held`, of `words` words, a state of the rule: longest first, then
 * those for which the rule keeps larger words, equal queues in their order; if states are not
 * renamed, the order that they have. */
void swq_worst_sort(bool renamed, const swq_word *held, int queues, int words, uint8_t *order);

#endif
