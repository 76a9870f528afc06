/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The improvement of a policy: each node takes the edge with the largest weight and value behind
 * it, and its new value at once, so that a round sees all arrivals of a phase.
 * Room: worst. Includes models, base.
 */
#include "worst/search.h"

#include "base/team.h"

enum { FEW_NODES = 50000 }; /* not worth waking threads for */

static void improve_block(swq_worst_search *s, int64_t block)
{
    int64_t *value = s->value;
    const uint32_t *send = s->pairs.send;
    const uint8_t *sent = s->pairs.sent;
    int64_t weight[SWQ_WORST_QUEUES + 1];
    uint32_t changed = 0;
    swq_worst_block b;

    swq_worst_block_of(s, block, &b);
    for (int k = 0; k <= s->rule.queues; k++)
        weight[k] = swq_worst_weight(s, b.rule_sent, k);
    for (uint32_t i = b.members; i-- > 0;) { /* fuller memories of the optimum first */
        const uint64_t node = b.first + i;
        const uint32_t f = b.member[i];
        const int64_t now = value[node];
        int64_t best = now;
        uint64_t to = 0;
        bool sends = false;

        if (!(s->step[node] & SWQ_WORST_REACHED))
            continue;
        for (int a = 0; a < b.arrivals; a++) {
            const swq_worst_arrival *arrival = &b.arrival[a];
            const uint64_t refused = arrival->base + arrival->place[f];
            if (value[refused] > best) {
                best = value[refused];
                to = refused;
            }
            if (arrival->taken[f] == SWQ_WORST_NONE)
                continue;
            const uint64_t taken = arrival->base + arrival->place[arrival->taken[f]];
            if (value[taken] > best) {
                best = value[taken];
                to = taken;
            }
        }
        const uint64_t after = b.send_base + b.send_place[send[f]];
        if (value[after] + weight[sent[f]] > best) {
            best = value[after] + weight[sent[f]];
            to = after;
            sends = true;
        }
        if (best == now)
            continue;
        value[node] = best;
        s->next[node] = (uint32_t)to;
        s->step[node] = (uint8_t)(SWQ_WORST_REACHED | (sends ? SWQ_WORST_SENDS | sent[f] : 0));
        s->rule_sent[node] = (uint8_t)(sends ? b.rule_sent : 0);
        changed++;
    }
    s->changed[block] = changed;
}

/* States of a level, or all states. */
typedef struct {
    swq_worst_search *s;
    int64_t layer;
    uint32_t first;
} level_visit;

static void visit_state(void *arg, int64_t task)
{
    const level_visit *v = arg;

    improve_block(v->s, v->layer * v->s->rule.states + v->s->order[v->first + task]);
}

static void visit_states(swq_worst_search *s, int64_t layer, uint32_t first, uint32_t count,
                         bool apart)
{
    level_visit v = {s, layer, first};

    if (apart && s->nodes > FEW_NODES)
        swq_team_run(s->ctx, count, visit_state, &v);
    else
        for (uint32_t k = 0; k < count; k++)
            visit_state(&v, k);
}

int64_t swq_worst_improve(swq_worst_search *s)
{
    int64_t changed = 0;

    /* arrivals lead to the next layer, and the end of a phase to the first one */
    for (int64_t layer = s->layers - 1; layer > 0; layer--)
        visit_states(s, layer, 0, s->rule.states, true);
    for (uint32_t k = 0; k < s->levels; k++)
        visit_states(s, 0, s->level[k].first, s->level[k].count, s->level[k].apart);
    for (int64_t k = 0; k < (int64_t)s->layers * s->rule.states; k++)
        changed += s->changed[k];
    return changed;
}
