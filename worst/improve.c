/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The improvement of a policy: each node takes the edge with the largest weight and value behind
 * it, and its new value at once, so that a round sees all arrivals of a phase. States behind which
 * nothing changed are left out.
 */
#include "worst/search.h"

#include "base/team.h"

enum { FEW_NODES = 50000 }; /* not worth waking threads for */

/* Has a value to which an edge of the block leads changed since the block was last visited? */
static bool is_stale(const swq_worst_search *s, int64_t block)
{
    const swq_worst_rule *rule = &s->rule;
    const uint32_t state = (uint32_t)(block % rule->states), kinds = (uint32_t)rule->kinds;
    const int64_t layer = block / rule->states;
    const int64_t after = s->layers == 1 ? 0 : (layer + 1) * rule->states;
    const uint32_t since = s->visited[block];

    if (s->moved[block] >= since || s->moved[rule->send[state].to] >= since)
        return true;
    if (s->layers > 1 && layer + 1 == s->layers) /* nothing arrives any more */
        return false;
    for (uint32_t m = rule->first[state * kinds]; m < rule->first[(state + 1) * kinds]; m++) {
        if (s->moved[after + rule->move[m].to] >= since)
            return true;
    }
    return false;
}

static void improve_block(swq_worst_search *s, int64_t block)
{
    int64_t *value = s->value;
    const uint32_t *send = s->pairs.send;
    const uint8_t *sent = s->pairs.sent;
    uint32_t changed = 0;
    swq_worst_block b;

    swq_worst_block_of(s, block, &b);
    const int64_t *weight = &s->weight[b.phase];
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
        s->step[node] =
            (uint16_t)(SWQ_WORST_REACHED | (sends ? SWQ_WORST_SENDS | (b.phase + sent[f]) : 0));
        changed++;
    }
    s->changed[block] = changed;
    if (changed)
        s->moved[block] = s->now;
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
    swq_worst_search *s = v->s;
    const int64_t block = v->layer * s->rule.states + s->order[v->first + task];

    s->changed[block] = 0;
    if (!is_stale(s, block))
        return;
    s->visited[block] = s->now;
    improve_block(s, block);
}

static void visit_states(swq_worst_search *s, int64_t layer, uint32_t first, uint32_t count,
                         bool apart)
{
    level_visit v = {s, layer, first};

    s->now++;
    if (apart && s->nodes > FEW_NODES)
        swq_team_run(s->ctx, count, visit_state, &v);
    else
        for (uint32_t k = 0; k < count; k++)
            visit_state(&v, k);
}

void swq_worst_all_moved(swq_worst_search *s)
{
    for (int64_t block = 0; block < (int64_t)s->layers * s->rule.states; block++)
        s->moved[block] = s->now;
}

int64_t swq_worst_improve(swq_worst_search *s)
{
    int64_t changed = 0;

    /* arrivals lead to the next layer, and the end of a phase to the first one */
    for (int64_t layer = s->layers - 1; layer > 0; layer--)
        visit_states(s, layer, 0, s->rule.states, true);
    for (uint32_t k = 0; k < s->levels; k++) {
        const swq_worst_level *level = &s->level[s->downwards ? s->levels - 1 - k : k];
        visit_states(s, 0, level->first, level->count, level->apart);
    }
    s->downwards = s->settled && !s->downwards;
    for (int64_t k = 0; k < (int64_t)s->layers * s->rule.states; k++)
        changed += s->changed[k];
    return changed;
}
