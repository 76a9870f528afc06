/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The worst sequence: the shortest way from empty memories to the best cycle, and the cycle. Nodes
 * have no names of queues, so both are followed once more with queues that keep their names, until
 * what both memories hold comes again.
 */
#include "worst/search.h"

#include "base/context.h"

#include <string.h>

/* Notes how a node was met first; true if it is on the cycle. */
typedef struct {
    swq_worst_search *s;
    uint32_t *met; /* nodes in the order in which they are met */
    uint64_t count;
} breadth;

enum { SEEN = SWQ_WORST_ON_WALK, ON_CYCLE = SWQ_WORST_KNOWN };

static bool meet(breadth *b, uint64_t node, uint32_t from)
{
    swq_worst_search *s = b->s;

    if (s->step[node] & SEEN)
        return false;
    s->step[node] |= SEEN;
    s->next[node] = from;
    b->met[b->count++] = (uint32_t)node;
    return s->step[node] & ON_CYCLE;
}

/* The first node of the cycle that is met from empty memories; then `next` leads back from it. */
static uint32_t find_entry(breadth *b)
{
    const swq_worst_search *s = b->s;
    swq_worst_block k;

    if (meet(b, 0, SWQ_WORST_NONE))
        return 0;
    for (uint64_t at = 0; at < b->count; at++) {
        const uint32_t node = b->met[at], f = swq_worst_locate(s, node, &k);
        bool there = false;
        for (int a = 0; a < k.arrivals && !there; a++) {
            const swq_worst_arrival *to = &k.arrival[a];
            there = (to->taken[f] != SWQ_WORST_NONE &&
                     meet(b, to->base + to->place[to->taken[f]], node)) ||
                    meet(b, to->base + to->place[f], node);
        }
        if (there || meet(b, k.send_base + k.send_place[s->pairs.send[f]], node))
            return b->met[b->count - 1];
    }
    return SWQ_WORST_NONE; /* not reached: the cycle was found from there */
}

/* ---- with names of queues ---- */

/* What both memories hold, and the arrivals of the phase so far. */
typedef struct {
    uint16_t rule[SWQ_WORST_WORDS], optimum[SWQ_WORST_QUEUES];
    int layer;
} named;

static bool is_node(const swq_worst_search *s, const named *n, uint32_t node)
{
    const int64_t pair = swq_worst_node(&s->pairs, n->rule, n->optimum);

    return pair >= 0 && (uint64_t)pair + (uint64_t)n->layer * s->pair_count == node;
}

/* Counts the packets of all queues, `times` times, and those of the higher class. */
static void count_packets(const swq_worst_search *s, const uint16_t *held, int times, int *packets,
                          int *high)
{
    const bool valued = swq_worst_valued(s->spec);

    for (int q = 0; q < s->rule.queues; q++) {
        const int length = swq_queue_length(valued, held[q]);
        *packets += times * length;
        *high += times * swq_queue_high(valued, held[q], length);
    }
}

static void end_phase(const swq_worst_search *s, named *n, swq_worst_step *step)
{
    const bool valued = swq_worst_valued(s->spec);

    *step = (swq_worst_step){.queue = -1, .fate = SWQ_REFUSE};
    count_packets(s, n->rule, 1, &step->rule_sent, &step->rule_high);
    swq_worst_send(s->spec, n->rule);
    count_packets(s, n->rule, -1, &step->rule_sent, &step->rule_high);
    count_packets(s, n->optimum, 1, &step->optimum_sent, &step->optimum_high);
    for (int q = 0; q < s->rule.queues; q++) {
        if (n->optimum[q] > 0)
            n->optimum[q] = swq_queue_without(valued, n->optimum[q], 0);
    }
    count_packets(s, n->optimum, -1, &step->optimum_sent, &step->optimum_high);
    n->layer = 0;
}

/* Takes a packet of kind a, if that leads to the node. */
static bool arrive(const swq_worst_search *s, named *n, int a, uint32_t node, swq_worst_step *step)
{
    swq_worst_outcome outcome[SWQ_WORST_OUTCOMES];
    const int outcomes = swq_worst_outcomes(s->spec, n->rule, a, outcome);
    const int q = a % s->rule.queues, class = a / s->rule.queues;
    const int free_slots = swq_worst_free_slots(&s->pairs, n->optimum);

    for (int k = 0; k < outcomes; k++) {
        for (int taken = free_slots > 0; taken >= 0; taken--) {
            named after = *n;
            memcpy(after.rule, outcome[k].held, sizeof *after.rule * (size_t)s->rule.words);
            if (taken)
                after.optimum[q] =
                    swq_queue_append(swq_worst_valued(s->spec), after.optimum[q], class);
            after.layer += s->layers > 1;
            if (!is_node(s, &after, node))
                continue;
            *n = after;
            *step = (swq_worst_step){
                .queue = q, .high = class, .fate = outcome[k].fate, .taken = taken};
            return true;
        }
    }
    return false;
}

static void note_queue(const swq_worst_search *s, uint16_t queue, int *length, uint32_t *classes)
{
    const bool valued = swq_worst_valued(s->spec);

    *length = swq_queue_length(valued, queue);
    for (int k = 0; valued && k < *length; k++)
        *classes |= (uint32_t)swq_queue_class(valued, queue, k) << k;
}

/* The step that leads to the node. */
static void follow(const swq_worst_search *s, named *n, uint32_t node, swq_worst_step *step)
{
    bool done = false;

    for (int a = 0; a < s->rule.kinds && !done && n->layer + 1 < s->layers + (s->layers == 1); a++)
        done = arrive(s, n, a, node, step);
    if (!done)
        end_phase(s, n, step);
    for (int q = 0; q < s->rule.queues; q++) {
        note_queue(s, n->rule[q], &step->rule[q], &step->rule_classes[q]);
        note_queue(s, n->optimum[q], &step->optimum[q], &step->optimum_classes[q]);
    }
}

/* Is queue q of `a` as queue k of `b`? */
static bool same_queue(const swq_worst_rule *rule, const named *a, int q, const named *b, int k)
{
    bool same = a->optimum[q] == b->optimum[k];

    for (int at = 0; at < rule->words; at += rule->queues)
        same = same && a->rule[at + q] == b->rule[at + k];
    return same;
}

/* The renaming that makes the queues of `a` those of `b`, which hold the same but for names: queue
 * q of `a` becomes queue to[q]. Names stay where they can. */
static void find_names(const swq_worst_rule *rule, const named *a, const named *b, int *to)
{
    bool used[SWQ_WORST_QUEUES] = {false};

    for (int q = 0; q < rule->queues; q++) {
        to[q] = same_queue(rule, a, q, b, q) ? q : -1;
        used[q] = to[q] == q;
    }
    for (int q = 0; q < rule->queues; q++) {
        for (int k = 0; k < rule->queues && to[q] < 0; k++) {
            if (used[k] || !same_queue(rule, a, q, b, k))
                continue;
            to[q] = k;
            used[k] = true;
        }
    }
}

/* The step with other names of queues. */
static swq_worst_step rename_step(const swq_worst_step *step, int queues, const int *to)
{
    swq_worst_step other = *step;

    other.queue = step->queue < 0 ? step->queue : to[step->queue];
    other.fate = step->fate < 0 ? step->fate : to[step->fate];
    for (int q = 0; q < queues; q++) {
        other.rule[to[q]] = step->rule[q];
        other.optimum[to[q]] = step->optimum[q];
        other.rule_classes[to[q]] = step->rule_classes[q];
        other.optimum_classes[to[q]] = step->optimum_classes[q];
    }
    return other;
}

/* Is what both memories hold the same after a renaming? */
static bool is_unchanged(const swq_worst_rule *rule, const named *n, const int *to)
{
    for (int q = 0; q < rule->queues; q++) {
        if (!same_queue(rule, n, q, n, to[q]))
            return false;
    }
    return true;
}

/* Follows the lead, and the cycle until it closes with the same names: each time around, names
 * change as they did the first time. */
static swq_status follow_all(swq_worst_search *s, const uint32_t *lead, int64_t lead_steps,
                             int64_t entry, swq_worst *w)
{
    const int queues = s->rule.queues;
    const int64_t length = s->cycle_length;
    named n = {.layer = 0}, begin;
    int64_t steps = lead_steps + length;
    int to[SWQ_WORST_QUEUES], all[SWQ_WORST_QUEUES]; /* of a turn, of all turns */

    if (!swq_resize_array(s->ctx, &w->step, steps, sizeof *w->step))
        return swq_memory_status(s->ctx);
    for (int64_t k = 0; k < lead_steps; k++)
        follow(s, &n, lead[k], &w->step[k]);
    begin = n;
    for (int64_t k = 1; k <= length; k++)
        follow(s, &n, s->cycle[(entry + k) % length], &w->step[lead_steps + k - 1]);
    find_names(&s->rule, &begin, &n, to);
    memcpy(all, to, sizeof all);
    while (!is_unchanged(&s->rule, &begin, all)) {
        if (!swq_resize_array(s->ctx, &w->step, steps + length, sizeof *w->step))
            return swq_memory_status(s->ctx);
        for (int64_t k = 0; k < length; k++, steps++)
            w->step[steps] = rename_step(&w->step[steps - length], queues, to);
        for (int q = 0; q < queues; q++)
            all[q] = to[all[q]];
    }
    w->lead = lead_steps;
    w->period = steps - lead_steps;
    return SWQ_OK;
}

swq_status swq_worst_sequence(swq_worst_search *s, swq_worst *w)
{
    breadth b = {.s = s};
    int64_t lead_steps = 0, entry = 0;

    if (s->cycle_length == 0)
        return SWQ_OK;
    b.met = swq_calloc(s->ctx, (size_t)s->reached, sizeof *b.met);
    if (!b.met)
        return swq_memory_status(s->ctx);
    for (uint64_t node = 0; node < s->nodes; node++)
        s->step[node] &= (uint16_t) ~(SEEN | ON_CYCLE);
    for (int64_t k = 0; k < s->cycle_length; k++)
        s->step[s->cycle[k]] |= ON_CYCLE;
    const uint32_t first = find_entry(&b);
    while (s->cycle[entry] != first)
        entry++;
    for (uint32_t node = first; s->next[node] != SWQ_WORST_NONE; node = s->next[node])
        lead_steps++;
    int64_t k = lead_steps;
    for (uint32_t node = first; k > 0; node = s->next[node])
        b.met[--k] = node;
    swq_status status = follow_all(s, b.met, lead_steps, entry, w);
    swq_free(s->ctx, b.met);
    return status;
}
