/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which an improvement visits the states of the rule. What arrivals lead to comes
 * first, so that one round sees all arrivals of a phase: fuller memories before emptier ones. The
 * states of a level hold the same number of packets.
 */
#include "worst/search.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t packets, state;
    uint16_t held[SWQ_WORST_QUEUES];
} place;

static int compare(const void *left, const void *right)
{
    const place *a = left, *b = right;

    if (a->packets != b->packets)
        return a->packets > b->packets ? -1 : 1;
    /* a packet that is pushed out of a long queue makes the next content more even */
    for (int q = 0; q < SWQ_WORST_QUEUES; q++) {
        if (a->held[q] != b->held[q])
            return a->held[q] < b->held[q] ? -1 : 1;
    }
    return (a->state > b->state) - (a->state < b->state);
}

static void list_states(const swq_worst_rule *rule, bool valued, place *list)
{
    for (uint32_t s = 0; s < rule->states; s++) {
        list[s].state = s;
        memcpy(list[s].held, swq_intern_state(&rule->set, s),
               sizeof(uint16_t) * (size_t)rule->queues);
        for (int q = 0; q < rule->queues; q++)
            list[s].packets += (uint32_t)swq_queue_length(valued, list[s].held[q]);
    }
    qsort(list, rule->states, sizeof *list, compare);
}

/* Does an arrival, or the end of a phase, lead from the state to another one with as many packets?
 */
static bool leads_aside(const swq_worst_rule *rule, uint32_t state, uint32_t packets,
                        const uint32_t *packets_of)
{
    const uint32_t kinds = (uint32_t)rule->kinds;

    for (uint32_t m = rule->first[state * kinds]; m < rule->first[(state + 1) * kinds]; m++) {
        if (rule->move[m].to != state && packets_of[rule->move[m].to] == packets)
            return true;
    }
    return rule->send[state].to != state && packets_of[rule->send[state].to] == packets;
}

swq_status swq_worst_order(swq_worst_search *s)
{
    const swq_worst_rule *rule = &s->rule;
    place *list = swq_calloc(s->ctx, rule->states, sizeof *list);
    uint32_t *packets_of = swq_calloc(s->ctx, rule->states, sizeof *packets_of);

    s->order = swq_calloc(s->ctx, rule->states, sizeof *s->order);
    s->level = swq_calloc(s->ctx, (size_t)rule->states + 1, sizeof *s->level);
    if (list && packets_of && s->order && s->level) {
        list_states(rule, swq_worst_valued(s->spec), list);
        for (uint32_t k = 0; k < rule->states; k++)
            packets_of[list[k].state] = list[k].packets;
        for (uint32_t k = 0; k < rule->states; k++) {
            s->order[k] = list[k].state;
            if (k == 0 || list[k].packets != list[k - 1].packets)
                s->level[s->levels++] = (swq_worst_level){.first = k, .apart = true};
            swq_worst_level *level = &s->level[s->levels - 1];
            level->count++;
            if (leads_aside(rule, list[k].state, list[k].packets, packets_of))
                level->apart = false;
        }
    }
    swq_free(s->ctx, list);
    swq_free(s->ctx, packets_of);
    return s->levels ? SWQ_OK : swq_memory_status(s->ctx);
}
