/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The edges of the graph, and the nodes that can be reached.
 */
#include "worst/search.h"

#include "base/context.h"

enum { BETWEEN_LOOKS = 1 << 16 }; /* nodes between two looks at a cancellation */

void swq_worst_block_of(const swq_worst_search *s, int64_t block, swq_worst_block *b)
{
    const swq_worst_rule *rule = &s->rule;
    const swq_worst_pairs *p = &s->pairs;
    const uint32_t state = (uint32_t)(block % rule->states);
    const int layer = (int)(block / rule->states);
    const uint64_t after = s->layers == 1 ? 0 : (uint64_t)(layer + 1) * s->pair_count;
    const swq_worst_kind *kind = &p->kind[p->kind_of[state]];
    const swq_worst_move *send = &rule->send[state];

    b->first = (uint64_t)layer * s->pair_count + p->offset[state];
    b->members = kind->members;
    b->member = kind->member;
    b->phase = rule->sent[state] * s->shipments;
    b->send_base = p->offset[send->to];
    b->send_place = p->kind[p->kind_of[send->to]].renamed[send->renaming];
    b->arrivals = 0;
    if (s->layers > 1 && layer + 1 == s->layers)
        return;
    for (int a = 0; a < rule->kinds; a++) {
        const uint32_t *first = &rule->first[state * (uint32_t)rule->kinds + (uint32_t)a];
        for (uint32_t m = first[0]; m < first[1]; m++) {
            const swq_worst_move *move = &rule->move[m];
            b->arrival[b->arrivals++] = (swq_worst_arrival){
                after + p->offset[move->to],
                p->kind[p->kind_of[move->to]].renamed[move->renaming],
                &p->taken[(uint32_t)a * p->contents],
            };
        }
    }
}

uint32_t swq_worst_locate(const swq_worst_search *s, uint64_t node, swq_worst_block *b)
{
    const uint64_t layer = node / s->pair_count;
    const uint32_t state = swq_worst_state(&s->pairs, node % s->pair_count);

    swq_worst_block_of(s, (int64_t)layer * s->rule.states + state, b);
    return b->member[node - b->first];
}

/* Adds a node to the queue of those whose edges are to be followed, if it is new. */
static void meet(swq_worst_search *s, uint64_t node)
{
    if (s->step[node] & SWQ_WORST_REACHED)
        return;
    s->step[node] |= SWQ_WORST_REACHED;
    s->next[s->reached++] = (uint32_t)node;
}

/* The policy that only sends. */
static void send_only(void *arg, int64_t block)
{
    swq_worst_search *s = arg;
    swq_worst_block b;

    swq_worst_block_of(s, block, &b);
    for (uint32_t i = 0; i < b.members; i++) {
        const uint64_t node = b.first + i;
        const uint32_t f = b.member[i];
        s->next[node] = (uint32_t)(b.send_base + b.send_place[s->pairs.send[f]]);
        s->step[node] = (uint16_t)((s->step[node] & SWQ_WORST_REACHED) | SWQ_WORST_SENDS |
                                   (b.phase + s->pairs.sent[f]));
    }
}

swq_status swq_worst_reach(swq_worst_search *s)
{
    swq_worst_block b;

    meet(s, 0);
    for (int64_t k = 0; k < s->reached; k++) {
        const uint32_t f = swq_worst_locate(s, s->next[k], &b);
        meet(s, b.send_base + b.send_place[s->pairs.send[f]]);
        s->edges++;
        for (int a = 0; a < b.arrivals; a++) {
            const swq_worst_arrival *to = &b.arrival[a];
            meet(s, to->base + to->place[f]);
            s->edges++;
            if (to->taken[f] == SWQ_WORST_NONE)
                continue;
            meet(s, to->base + to->place[to->taken[f]]);
            s->edges++;
        }
        if (k % BETWEEN_LOOKS)
            continue;
        swq_progress(s->ctx, "nodes", (double)k, 0);
        if (swq_context_cancelled(s->ctx))
            return swq_fail(s->ctx, SWQ_ECANCELLED, "cancelled");
    }
    for (int64_t block = 0; block < (int64_t)s->layers * s->rule.states; block++)
        send_only(s, block);
    s->next[0] = SWQ_WORST_NONE;
    return SWQ_OK;
}
