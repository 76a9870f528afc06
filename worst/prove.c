/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proof: the values are a potential. For each node the rule is asked again, and each pair of
 * contents that follows is looked up by its contents, not by the tables of moves of the search.
 * The weights of a cycle's edges then sum to zero at most, so no ratio is larger.
 * Room: worst. Includes models, base.
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
    int rule_sent = 0, optimum_sent = 0;

    memcpy(behind, rule, sizeof behind);
    swq_worst_send(s->spec, behind);
    for (int q = 0; q < s->rule.queues; q++) {
        rule_sent += rule[q] - behind[q];
        optimum_sent += optimum[q] > 0;
        other[q] = (uint16_t)(optimum[q] - (optimum[q] > 0));
    }
    check_edge(c, 0, behind, other, swq_worst_weight(s, rule_sent, optimum_sent));
}

static void check_arrivals(checked *c, const uint16_t *optimum, int queue,
                           const swq_worst_outcome *outcome, int outcomes)
{
    const swq_worst_search *s = c->s;
    const int64_t layer = s->layers == 1 ? 0 : c->layer + 1;
    uint16_t other[SWQ_WORST_QUEUES];
    int free_slots = s->pairs.slots;

    memcpy(other, optimum, sizeof other);
    for (int q = 0; q < s->rule.queues; q++)
        free_slots -= optimum[q];
    for (int k = 0; k < outcomes; k++) {
        check_edge(c, layer, outcome[k].held, optimum, 0);
        if (free_slots == 0)
            continue;
        other[queue]++;
        check_edge(c, layer, outcome[k].held, other, 0);
        other[queue]--;
    }
}

/* Checks all edges of a block's nodes; the number of wrong ones goes into s->changed. */
static void check_block(void *arg, int64_t block)
{
    swq_worst_search *s = arg;
    const int queues = s->rule.queues;
    const size_t size = sizeof(uint16_t) * (size_t)queues;
    uint16_t rule[SWQ_WORST_WORDS] = {0}, optimum[SWQ_WORST_QUEUES] = {0};
    swq_worst_outcome outcome[SWQ_WORST_QUEUES][SWQ_WORST_OUTCOMES];
    int outcomes[SWQ_WORST_QUEUES] = {0};
    swq_worst_block b;
    checked c = {.s = s, .layer = block / s->rule.states};

    swq_worst_block_of(s, block, &b);
    memcpy(rule, swq_intern_state(&s->rule.set, block % s->rule.states),
           sizeof(uint16_t) * (size_t)s->rule.words);
    for (int q = 0; q < queues && (s->layers == 1 || c.layer + 1 < s->layers); q++)
        outcomes[q] = swq_worst_outcomes(s->spec, rule, q, outcome[q]);
    for (uint32_t i = 0; i < b.members; i++) {
        c.node = (int64_t)b.first + i;
        if (!(s->step[c.node] & SWQ_WORST_REACHED))
            continue;
        memcpy(optimum, &s->pairs.held[b.member[i] * (uint32_t)queues], size);
        check_end_of_phase(&c, rule, optimum);
        for (int q = 0; q < queues; q++)
            check_arrivals(&c, optimum, q, outcome[q], outcomes[q]);
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
