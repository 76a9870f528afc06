/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes of the graph, numbered without a table of nodes: pairs of a state of the rule and a
 * content of the optimum's memory, up to a renaming of queues in both halves. The renamings that
 * leave the rule's state as it is exchange queues of equal length; among these, the optimum's
 * queues are sorted. So
 *
 *     node = offset[state] + place[kind of state][content]
 *
 * where the kind of a state says which of its queues may be exchanged, and `place` numbers the
 * sorted contents and gives all others the number of their sorted form.
 */
#ifndef SWQ_WORST_PAIRS_H
#define SWQ_WORST_PAIRS_H

#include "worst/rule.h"

enum { SWQ_WORST_NONE = UINT32_MAX };

/* The states of one kind, and the contents that the optimum can have beside them. */
typedef struct swq_worst_kind {
    uint32_t alike;     /* as in the rule */
    uint32_t members;   /* sorted contents */
    uint32_t *member;   /* [members]: their numbers among all contents */
    uint32_t *place;    /* [contents] */
    uint32_t **renamed; /* [renamings][contents]: the place of the content after a renaming; NULL
                           for renamings that are not needed */
} swq_worst_kind;

typedef struct swq_worst_pairs {
    const swq_worst_rule *rule;
    int queues, slots, classes;
    uint32_t contents; /* of the optimum's memory: all that queues can hold with `slots` */
    uint16_t *held;    /* [contents * queues] */
    uint32_t *taken;   /* [kinds * contents]: the content with a packet of the kind more;
                          SWQ_WORST_NONE: the memory is full */
    uint32_t *send;    /* [contents] */
    uint8_t *sent;     /* [contents]: the shipment of the optimum */
    uint64_t *below;   /* [(queues + 1) * (slots + 1)]: contents of the last queues, for ranking */
    uint32_t kinds;
    swq_worst_kind *kind;
    uint32_t *kind_of; /* [states] */
    uint64_t *offset;  /* [states + 1] */
} swq_worst_pairs;

/* Number of ways to hold at most `slots` packets of so many classes in `queues` queues. */
double swq_worst_contents(int queues, int slots, int classes);

/* Errors: SWQ_ENOMEM, SWQ_ELIMIT. Free with swq_worst_pairs_clear, also after an error. The rule
 * stays the caller's, and must stay. */
swq_status swq_worst_pairs_make(swq_context *ctx, const swq_worst_rule *rule,
                                const swq_worst_spec *spec, swq_worst_pairs *pairs);
void swq_worst_pairs_clear(swq_context *ctx, swq_worst_pairs *pairs);

/* The number of a content of the optimum's memory. */
uint32_t swq_worst_content(const swq_worst_pairs *pairs, const uint16_t *held);

/* The node of any pair of contents, which need not be sorted; -1: the rule never holds that. */
int64_t swq_worst_node(const swq_worst_pairs *pairs, const uint16_t *rule, const uint16_t *optimum);

/* Slots that a content leaves free. */
int swq_worst_free_slots(const swq_worst_pairs *pairs, const uint16_t *held);

/* The rule's state in a node. */
uint32_t swq_worst_state(const swq_worst_pairs *pairs, uint64_t node);

#endif
