/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The evaluation of a policy. The walk from each node ends at a node whose value is known, and is
 * then repeated to give its nodes their values; or it meets itself, in a cycle. Each cycle has a
 * positive weight, for it was made by improvements of values, so its ratio is better than that of
 * the best cycle so far.
 */
#include "worst/search.h"

#include "base/context.h"

#include <stdlib.h>

enum { BETWEEN_LOOKS = 1 << 16 };

static int64_t weight_of(const swq_worst_search *s, uint64_t node)
{
    return s->step[node] & SWQ_WORST_SENDS ? s->weight[s->step[node] & SWQ_WORST_PHASE] : 0;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Keeps the cycle through a node, if it is better than the best one so far. */
static swq_status look_at_cycle(swq_worst_search *s, uint64_t from, bool *better)
{
    int64_t length = 0, weight = 0, gain = 0, cost = 0;
    uint64_t node = from;

    do {
        weight += weight_of(s, node);
        gain += s->step[node] & SWQ_WORST_SENDS ? s->gain[s->step[node] & SWQ_WORST_PHASE] : 0;
        cost += s->step[node] & SWQ_WORST_SENDS ? s->cost[s->step[node] & SWQ_WORST_PHASE] : 0;
        length++;
        node = s->next[node];
    } while (node != from);
    if (weight <= 0)
        return SWQ_OK;
    if (!swq_resize_array(s->ctx, &s->cycle, length, sizeof *s->cycle))
        return swq_memory_status(s->ctx);
    for (int64_t k = 0; k < length; k++, node = s->next[node])
        s->cycle[k] = (uint32_t)node;
    s->cycle_length = length;
    if (cost == 0) {
        s->unbounded = true;
        return SWQ_OK;
    }
    const int64_t common = divisor(gain, cost);
    swq_worst_set_ratio(s, gain / common, cost / common);
    *better = true;
    /* a value is the weight of a way without repetition */
    if ((double)(s->numerator + s->denominator) * SWQ_WORST_QUEUES * SWQ_WORST_SPEEDUP *
            swq_worst_worth(s->spec, 1) * (double)s->nodes >
        9e18)
        return swq_fail(s->ctx, SWQ_ELIMIT,
                        "the ratio %lld/%lld has too many digits for %lld nodes",
                        (long long)s->numerator, (long long)s->denominator, (long long)s->nodes);
    return SWQ_OK;
}

/* The policy ends at a node of empty memories. */
static void stop_at(swq_worst_search *s, uint64_t node)
{
    s->next[node] = SWQ_WORST_NONE;
    s->step[node] = SWQ_WORST_REACHED | SWQ_WORST_KNOWN;
    s->value[node] = 0;
}

/* Breaks the cycle through a node: one of its nodes sends, or the policy ends at one. Sending alone
 * empties both memories. If all nodes of a cycle send, nobody sends anything there, and only words
 * that the rule keeps can change: the policy ends. */
static void break_cycle(swq_worst_search *s, uint64_t from)
{
    uint64_t node = from;

    while (node > 0 && s->step[node] & SWQ_WORST_SENDS && s->next[node] != from)
        node = s->next[node];
    if (node == 0 || s->step[node] & SWQ_WORST_SENDS) {
        stop_at(s, node);
        return;
    }
    swq_worst_block b;
    const uint32_t f = swq_worst_locate(s, node, &b);
    s->next[node] = (uint32_t)(b.send_base + b.send_place[s->pairs.send[f]]);
    s->step[node] = (uint16_t)(SWQ_WORST_REACHED | SWQ_WORST_SENDS | (b.phase + s->pairs.sent[f]));
}

/* Walks from a node, and gives the nodes of the walk their values. False: there is a cycle, through
 * *meeting, and no value is given. */
static bool walk(swq_worst_search *s, uint64_t from, uint64_t *meeting)
{
    int64_t weight = 0;
    uint64_t node = from;

    for (; !(s->step[node] & (SWQ_WORST_ON_WALK | SWQ_WORST_KNOWN)); node = s->next[node]) {
        s->step[node] |= SWQ_WORST_ON_WALK;
        weight += weight_of(s, node);
    }
    const bool ends = s->step[node] & SWQ_WORST_KNOWN;
    if (ends)
        weight += s->value[node];
    *meeting = node;
    for (node = from; s->step[node] & SWQ_WORST_ON_WALK; node = s->next[node]) {
        s->step[node] &= (uint16_t)~SWQ_WORST_ON_WALK;
        if (!ends)
            continue;
        s->step[node] |= SWQ_WORST_KNOWN;
        s->value[node] = weight;
        weight -= weight_of(s, node);
    }
    return ends;
}

static void forget(swq_worst_search *s)
{
    for (uint64_t node = 0; node < s->nodes; node++) {
        s->step[node] &= (uint16_t)~SWQ_WORST_KNOWN;
        if (s->next[node] == SWQ_WORST_NONE)
            stop_at(s, node);
    }
}

swq_status swq_worst_evaluate(swq_worst_search *s)
{
    bool better;
    swq_status status = SWQ_OK;

    swq_worst_all_moved(s);
    do {
        better = false;
        forget(s);
        for (uint64_t node = 0; node < s->nodes; node++) {
            uint64_t meeting;
            if (node % BETWEEN_LOOKS == 0 && swq_context_cancelled(s->ctx))
                return swq_fail(s->ctx, SWQ_ECANCELLED, "cancelled");
            if (!(s->step[node] & SWQ_WORST_REACHED))
                continue;
            while (!walk(s, node, &meeting)) {
                status = look_at_cycle(s, meeting, &better);
                if (status || s->unbounded)
                    return status;
                break_cycle(s, meeting);
            }
        }
    } while (better); /* edges weigh something else now */
    return status;
}
