/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proof: the values are a potential. For each node the rule is asked again, and each pair of
 * contents that follows is looked up by its contents, not by the tables of moves of the search.
 * The weights of a cycle's edges then sum to zero at most, so no ratio is larger.
 */
#include "worst/search.h"

#include "base/context.h"
#include "base/team.h"

#include <string.h>

typedef struct {
    const swq_worst_search *s;
    int64_t node, layer; /* the node and its layer */
    uint32_t wrong, edges;
} checked;

/* Checks an edge to a pair of contents in layer `layer`. */
static void check_edge(checked *c, int64_t layer, const uint16_t *rule, const uint16_t *optimum,
                       int64_t weight)
{
    const swq_worst_search *s = c->s;
    const int64_t pair = swq_worst_node(&s->pairs, rule, optimum);
    const int64_t to = pair + layer * (int64_t)s->pair_count;

    c->edges++;
    if (pair < 0 || !(s->step[to] & SWQ_WORST_REACHED) || weight + s->value[to] > s->value[c->node])
        c->wrong++;
}

static void check_end_of_phase(checked *c, const uint16_t *rule, const uint16_t *optimum)
{
    const swq_worst_search *s = c->s;
    uint16_t behind[SWQ_WORST_WORDS], other[SWQ_WORST_QUEUES];
    const bool valued = swq_worst_valued(s->spec);
    int rule_sent = 0, optimum_sent = 0; /* what it is worth */

    memcpy(behind, rule, sizeof behind);
    swq_worst_send(s->spec, behind);
    for (int q = 0; q < s->rule.queues; q++) {
        rule_sent += swq_queue_worth(s->spec, rule[q]) - swq_queue_worth(s->spec, behind[q]);
        other[q] = optimum[q] > 0 ? swq_queue_without(valued, optimum[q], 0) : optimum[q];
        optimum_sent += swq_queue_worth(s->spec, optimum[q]) - swq_queue_worth(s->spec, other[q]);
    }
    check_edge(c, 0, behind, other,
               s->denominator * swq_worst_gain(s->spec, rule_sent, optimum_sent) -
                   s->numerator * swq_worst_cost(s->spec, rule_sent));
}

static void check_arrivals(checked *c, const uint16_t *optimum, int kind,
                           const swq_worst_outcome *outcome, int outcomes)
{
    const swq_worst_search *s = c->s;
    const int64_t layer = s->layers == 1 ? 0 : c->layer + 1;
    const int queue = kind % s->rule.queues;
    const bool room = swq_worst_free_slots(&s->pairs, optimum) > 0;
    uint16_t other[SWQ_WORST_QUEUES];

    memcpy(other, optimum, sizeof other);
    if (room)
        other[queue] =
            swq_queue_append(swq_worst_valued(s->spec), optimum[queue], kind / s->rule.queues);
    for (int k = 0; k < outcomes; k++) {
        check_edge(c, layer, outcome[k].held, optimum, 0);
        if (room)
            check_edge(c, layer, outcome[k].held, other, 0);
    }
}

/* Checks all edges of a block's nodes; the number of wrong ones goes into s->changed. */
static void check_block(void *arg, int64_t block)
{
    swq_worst_search *s = arg;
    const int queues = s->rule.queues;
    const size_t size = sizeof(uint16_t) * (size_t)queues;
    uint16_t rule[SWQ_WORST_WORDS] = {0}, optimum[SWQ_WORST_QUEUES] = {0};
    swq_worst_outcome outcome[2 * SWQ_WORST_QUEUES][SWQ_WORST_OUTCOMES];
    int outcomes[2 * SWQ_WORST_QUEUES] = {0};
    swq_worst_block b;
    checked c = {.s = s, .layer = block / s->rule.states};

    swq_worst_block_of(s, block, &b);
    memcpy(rule, swq_intern_state(&s->rule.set, block % s->rule.states),
           sizeof(uint16_t) * (size_t)s->rule.words);
    for (int a = 0; a < s->rule.kinds && (s->layers == 1 || c.layer + 1 < s->layers); a++)
        outcomes[a] = swq_worst_outcomes(s->spec, rule, a, outcome[a]);
    for (uint32_t i = 0; i < b.members; i++) {
        c.node = (int64_t)b.first + i;
        if (!(s->step[c.node] & SWQ_WORST_REACHED))
            continue;
        memcpy(optimum, &s->pairs.held[b.member[i] * (uint32_t)queues], size);
        check_end_of_phase(&c, rule, optimum);
        for (int a = 0; a < s->rule.kinds; a++)
            check_arrivals(&c, optimum, a, outcome[a], outcomes[a]);
    }
    s->changed[block] = c.wrong;
}

swq_status swq_worst_prove(swq_worst_search *s)
{
    const int64_t blocks = (int64_t)s->layers * s->rule.states;
    int64_t wrong = 0;

    swq_progress(s->ctx, "proof", 0, 0);
    swq_team_run(s->ctx, blocks, check_block, s);
    for (int64_t k = 0; k < blocks; k++)
        wrong += s->changed[k];
    if (wrong)
        return swq_fail(s->ctx, SWQ_EINTERNAL, "%lld edges exceed the potential of %lld/%lld",
                        (long long)wrong, (long long)s->numerator, (long long)s->denominator);
    return SWQ_OK;
}
