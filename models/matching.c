/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Enumerating an arbiter's decisions, by steps that merge partial decisions with the same result.
 */
#include "models/matching.h"

#include "base/context.h"

#include <string.h>

enum { PARTIAL_WORDS = 4 + SWQ_ROW_PORTS };

void swq_matchings_init(const swq_switch *sw, swq_matchings *m)
{
    int n = sw->ports;

    *m = (swq_matchings){.sw = sw};
    swq_intern_init(&m->pattern, 1 + (swq_arbiter_blind(sw->arbiter) ? n : n * n));
    swq_intern_init(&m->partial, PARTIAL_WORDS);
}

void swq_matchings_clear(swq_context *ctx, swq_matchings *m)
{
    swq_intern_clear(ctx, &m->pattern);
    swq_intern_clear(ctx, &m->partial);
    swq_free(ctx, m->first);
    swq_free(ctx, m->count);
    swq_free(ctx, m->list);
    swq_free(ctx, m->weight);
    *m = (swq_matchings){0};
}

/* The inputs and outputs that are connected with input i by requests, as masks. */
static void grow_part(int n, int length[][SWQ_ROW_PORTS], int i, uint32_t *inputs,
                      uint32_t *outputs)
{
    *inputs |= 1u << i;
    for (int j = 0; j < n; j++) {
        if (!length[i][j] || *outputs >> j & 1)
            continue;
        *outputs |= 1u << j;
        for (int other = 0; other < n; other++) {
            if (length[other][j] && !(*inputs >> other & 1))
                grow_part(n, length, other, inputs, outputs);
        }
    }
}

/* Sum of the requests for an output, and their number. */
static long demand(int n, int length[][SWQ_ROW_PORTS], int j)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum += length[i][j] + 1000L * SWQ_MAX_SLOTS * (length[i][j] > 0);
    return sum;
}

/* Sort the ports of a part by their requests, so that parts that differ only by a renaming usually
 * have the same pattern. */
static void order_ports(int n, int length[][SWQ_ROW_PORTS], swq_switch_part *p)
{
    for (int b = 1; b < p->outputs; b++) {
        uint8_t moving = p->output[b];
        int at = b;
        for (; at > 0 && demand(n, length, p->output[at - 1]) < demand(n, length, moving); at--)
            p->output[at] = p->output[at - 1];
        p->output[at] = moving;
    }
    for (int a = 1; a < p->inputs; a++) {
        uint8_t moving = p->input[a];
        int at = a;
        for (; at > 0; at--) {
            int order = 0;
            for (int b = 0; b < p->outputs && order == 0; b++)
                order = length[p->input[at - 1]][p->output[b]] - length[moving][p->output[b]];
            if (order >= 0)
                break;
            p->input[at] = p->input[at - 1];
        }
        p->input[at] = moving;
    }
}

int swq_matchings_parts(const swq_matchings *m, int length[][SWQ_ROW_PORTS], swq_switch_part *part)
{
    int n = m->sw->ports, parts = 0;
    bool alike = m->sw->arbiter->alike == SWQ_ALIKE_ALL;
    uint32_t seen = 0;

    for (int i = 0; i < n; i++) {
        uint32_t inputs = alike ? 0 : (1u << n) - 1, outputs = inputs;
        swq_switch_part *p = &part[parts];
        if (seen >> i & 1)
            continue;
        if (alike)
            grow_part(n, length, i, &inputs, &outputs);
        seen |= inputs;
        if (!outputs)
            continue;
        p->inputs = p->outputs = 0;
        for (int k = 0; k < n; k++) {
            if (inputs >> k & 1)
                p->input[p->inputs++] = (uint8_t)k;
            if (outputs >> k & 1)
                p->output[p->outputs++] = (uint8_t)k;
        }
        if (alike && p->inputs > 2)
            order_ports(n, length, p);
        for (int a = 0; a < p->inputs; a++) {
            for (int b = 0; b < p->outputs; b++) {
                int packets = length[p->input[a]][p->output[b]];
                p->length[a][b] = swq_arbiter_blind(m->sw->arbiter) ? packets > 0 : packets;
            }
        }
        parts++;
    }
    return parts;
}

/* Fills in *requests, whose `length` has SWQ_ROW_PORTS rows. */
static void make_requests(const swq_matchings *m, const swq_switch_part *part,
                          swq_requests *requests)
{
    requests->ports = part->inputs > part->outputs ? part->inputs : part->outputs;
    requests->read_each_queue = m->sw->buffer.read == SWQ_READ_EACH_QUEUE;
    requests->iterations = m->sw->iterations > 0 ? m->sw->iterations : 1;
    requests->memory = NULL;
    for (int i = 0; i < requests->ports; i++) {
        requests->waiting[i] = 0;
        memset(requests->length[i], 0, sizeof *requests->length[i] * (size_t)requests->ports);
    }
    for (int a = 0; a < part->inputs; a++) {
        for (int b = 0; b < part->outputs; b++) {
            requests->length[a][b] = part->length[a][b];
            requests->waiting[a] += part->length[a][b];
        }
    }
}

static swq_status add_decision(swq_context *ctx, swq_matchings *m, int64_t pattern,
                               const int *grant, int outputs, long double chance)
{
    swq_matching fresh = {.chance = chance};

    for (int b = 0; b < SWQ_ROW_PORTS; b++)
        fresh.grant[b] = (int8_t)(b < outputs ? grant[b] : SWQ_NO_INPUT);
    for (int64_t k = m->first[pattern]; k < m->listed; k++) {
        if (memcmp(m->list[k].grant, fresh.grant, sizeof fresh.grant) == 0) {
            m->list[k].chance += chance;
            return SWQ_OK;
        }
    }
    if (m->listed == m->list_room) {
        int64_t room = 2 * m->list_room + 64;
        swq_matching *list = swq_resize(ctx, m->list, (size_t)room, sizeof *list);
        if (!list)
            return swq_memory_status(ctx);
        m->list = list;
        m->list_room = room;
    }
    m->list[m->listed++] = fresh;
    m->count[pattern]++;
    return SWQ_OK;
}

static swq_status enumerate_whole(swq_context *ctx, swq_matchings *m, int64_t pattern,
                                  const swq_switch_part *part, const swq_requests *requests)
{
    int grant[SWQ_CHAIN_PORTS];
    swq_status status;
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        m->sw->arbiter->arbitrate(requests, &dice, grant);
        status = add_decision(ctx, m, pattern, grant, part->outputs, dice.probability);
    } while (!status && swq_dice_next(&dice));
    return status;
}

/* Add weight to a partial decision. */
static swq_status add_partial(swq_context *ctx, swq_matchings *m, uint64_t done, const int *grant,
                              int ports, long double chance)
{
    swq_word key[PARTIAL_WORDS] = {(swq_word)done, (swq_word)(done >> 16), (swq_word)(done >> 32),
                                   (swq_word)(done >> 48)};
    for (int b = 0; b < ports; b++)
        key[4 + b] = (swq_word)(grant[b] + 1);
    int64_t at = swq_intern_number(ctx, &m->partial, key);
    if (at < 0)
        return swq_memory_status(ctx);
    if (m->partial.count > m->weight_room) {
        int64_t room = 2 * m->partial.count + 64;
        long double *weight = swq_resize(ctx, m->weight, (size_t)room, sizeof *weight);
        if (!weight)
            return swq_memory_status(ctx);
        m->weight = weight;
        m->weight_room = room;
    }
    m->weight[at] += chance;
    return SWQ_OK;
}

static swq_status take_step(swq_context *ctx, swq_matchings *m, int64_t pattern, int64_t at,
                            const swq_switch_part *part, const swq_requests *requests)
{
    long double weight = m->weight[at];
    swq_status status;
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        const swq_word *key = swq_intern_state(&m->partial, at); /* it may have moved */
        uint64_t done =
            key[0] | (uint64_t)key[1] << 16 | (uint64_t)key[2] << 32 | (uint64_t)key[3] << 48;
        int grant[SWQ_CHAIN_PORTS];
        for (int b = 0; b < requests->ports; b++)
            grant[b] = key[4 + b] - 1;
        if (m->sw->arbiter->step(requests, &done, &dice, grant))
            status = add_partial(ctx, m, done, grant, requests->ports, weight * dice.probability);
        else
            status = add_decision(ctx, m, pattern, grant, part->outputs, weight * dice.probability);
    } while (!status && swq_dice_next(&dice));
    return status;
}

/* Add all decisions of an arbiter with steps. Each step handles one more port, so that all ways to
 * a partial decision are merged, and their weights added up, before the decision is carried on. */
static swq_status enumerate_steps(swq_context *ctx, swq_matchings *m, int64_t pattern,
                                  const swq_switch_part *part, const swq_requests *requests)
{
    int grant[SWQ_CHAIN_PORTS];

    swq_intern_clear(ctx, &m->partial);
    swq_intern_init(&m->partial, PARTIAL_WORDS);
    if (m->weight)
        memset(m->weight, 0, sizeof *m->weight * (size_t)m->weight_room);
    for (int b = 0; b < requests->ports; b++)
        grant[b] = SWQ_NO_INPUT;
    swq_status status = add_partial(ctx, m, 0, grant, requests->ports, 1);
    for (int64_t at = 0; at < m->partial.count && !status; at++)
        status = take_step(ctx, m, pattern, at, part, requests);
    return status;
}

static swq_status make_room(swq_context *ctx, swq_matchings *m)
{
    if (m->pattern.count <= m->room)
        return SWQ_OK;
    int64_t room = 2 * m->pattern.count + 64;
    int32_t *first = swq_resize(ctx, m->first, (size_t)room, sizeof *first);
    if (!first)
        return swq_memory_status(ctx);
    m->first = first;
    int32_t *count = swq_resize(ctx, m->count, (size_t)room, sizeof *count);
    if (!count)
        return swq_memory_status(ctx);
    m->count = count;
    m->room = room;
    return SWQ_OK;
}

/* The pattern of requests as a key: a mask for each input, or all lengths. */
static void write_pattern(const swq_matchings *m, const swq_switch_part *part, swq_word *key)
{
    int n = m->sw->ports;

    memset(key, 0, sizeof *key * (size_t)m->pattern.words);
    key[0] = (swq_word)(part->inputs << 8 | part->outputs);
    for (int a = 0; a < part->inputs; a++) {
        for (int b = 0; b < part->outputs; b++) {
            if (swq_arbiter_blind(m->sw->arbiter))
                key[1 + a] = (swq_word)(key[1 + a] | part->length[a][b] << b);
            else
                key[1 + a * n + b] = (swq_word)part->length[a][b];
        }
    }
}

swq_status swq_matchings_of(swq_context *ctx, swq_matchings *m, const swq_switch_part *part,
                            int32_t *first, int32_t *count)
{
    swq_word key[1 + SWQ_ROW_PORTS * SWQ_ROW_PORTS];
    int length[SWQ_ROW_PORTS][SWQ_MAX_PORTS];
    swq_requests requests = {.length = length};
    int64_t known = m->pattern.count;

    write_pattern(m, part, key);
    int64_t pattern =
        ctx ? swq_intern_number(ctx, &m->pattern, key) : swq_intern_find(&m->pattern, key);
    if (pattern < 0)
        return ctx ? swq_memory_status(ctx) : SWQ_ELIMIT;
    if (pattern == known) {
        swq_status status = make_room(ctx, m);
        if (status)
            return status;
        m->first[pattern] = (int32_t)m->listed;
        m->count[pattern] = 0;
        make_requests(m, part, &requests);
        status = m->sw->arbiter->step ? enumerate_steps(ctx, m, pattern, part, &requests)
                                      : enumerate_whole(ctx, m, pattern, part, &requests);
        if (status)
            return status;
    }
    *first = m->first[pattern];
    *count = m->count[pattern];
    return SWQ_OK;
}
