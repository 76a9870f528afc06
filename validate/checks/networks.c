/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks drawn at random.
 */
#include "validate/checks/networks.h"

#include "base/context.h"
#include "validate/checks/scores.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 100, CYCLES = 320 };

swq_draws swq_draws_of(uint64_t seed, const char *family, int k)
{
    return (swq_draws){swq_check_seed(seed, family, k)};
}

/* splitmix64 */
int swq_draw(swq_draws *d, int n)
{
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return n > 1 ? (int)((z ^ z >> 31) >> 33) % n : 0;
}

static int rows(const void *const *table)
{
    int n = 0;

    while (table[n])
        n++;
    return n;
}

#define ROW(d, table) ((table)[swq_draw(d, rows((const void *const *)(table)))])

static swq_status draw_switch(swq_context *ctx, swq_draws *d, swq_network *n)
{
    static const int ports[] = {2, 3, 4, 8}, most_stages[] = {6, 4, 3, 2};
    const int p = swq_draw(d, 4);
    const swq_buffer_kind *kind = ROW(d, swq_buffer_kinds);

    n->shape.kind = &swq_fabric_multistage;
    n->shape.wiring = ROW(d, swq_topologies);
    n->shape.stages =
        n->shape.wiring->stages ? n->shape.wiring->stages : 1 + swq_draw(d, most_stages[p]);
    n->sw.ports = ports[p];
    const int slots = kind->partitioned ? ports[p] * (1 + swq_draw(d, 2)) : 1 + swq_draw(d, 5);
    swq_status status = swq_buffer_preset(ctx, kind, ports[p], slots, &n->sw.buffer);
    if (status)
        return status;
    if (kind->scope == SWQ_POOL)
        n->sw.buffer.pool_rule = swq_pool_rules[swq_draw(d, 3)];
    if (!kind->partitioned && swq_draw(d, 4) == 0)
        n->sw.buffer.alpha = 1 + swq_draw(d, 3) / 2.0;
    n->sw.arbiter = ROW(d, swq_arbiters);
    n->sw.iterations = swq_draw(d, 3);
    n->sw.flow = (swq_flow)swq_draw(d, 2);
    n->sw.credit = (swq_credit)swq_draw(d, 2);
    n->resend = n->sw.flow == SWQ_DISCARD && swq_draw(d, 2);
    n->stale = swq_draw(d, 3) ? 0 : 1 + swq_draw(d, 20);
    n->sw.priority.support = (swq_support)swq_draw(d, SWQ_SUPPORT_BUFFER + 1);
    n->sw.priority.slots = n->sw.priority.support == SWQ_SUPPORT_QUEUES
                               ? ports[p] * (1 + swq_draw(d, 2))
                               : 1 + swq_draw(d, 3);
    n->sw.priority.queues = (swq_queues)swq_draw(d, 2);
    /* the same network, since pools are drawn again */
    if (n->sw.buffer.scope == SWQ_PER_INPUT && swq_stale_objection(n))
        n->stale = 0;
    return SWQ_OK;
}

static void draw_traffic(swq_draws *d, swq_drawn_network *s)
{
    swq_traffic *t = &s->network.traffic;
    const swq_places places = swq_places_in_a_row(s->nodes);

    *t = swq_traffic_defaults();
    do
        t->pattern = ROW(d, swq_patterns);
    while (t->pattern->matrix || swq_pattern_objection(t->pattern, &places));
    t->hot_spots = swq_draw(d, 3);
    for (int h = 0; h < t->hot_spots; h++)
        t->hot[h] =
            (swq_hot_spot){(uint32_t)swq_draw(d, (int)s->nodes), 0.05 + 0.1 * swq_draw(d, 3)};
    if (t->hot_spots == 2 && t->hot[0].node == t->hot[1].node)
        t->hot_spots = 1;
    t->kind = swq_draw(d, 2) ? SWQ_SOURCE_HOLD : SWQ_SOURCE_OPEN;
    t->load = 0.1 * (1 + swq_draw(d, 10));
    t->burst = swq_draw(d, 3) ? 1 : 1 + swq_draw(d, 12) / 2.0;
    t->queue_limit =
        t->kind == SWQ_SOURCE_OPEN && swq_draw(d, 2) ? 1 + (uint32_t)swq_draw(d, 6) : 0;
    s->network.sw.priority.fraction = swq_draw(d, 2) ? 0 : 0.25 * (1 + swq_draw(d, 4));
    for (uint32_t i = 0; i < s->nodes; i++)
        s->node_load[i] = 0.125 * swq_draw(d, 9);
    t->node_load = swq_draw(d, 4) ? NULL : s->node_load;
}

static void draw_run(swq_draws *d, swq_drawn_network *s)
{
    s->options = swq_sim_defaults();
    s->options.seed = (uint64_t)swq_draw(d, 1 << 20);
    s->options.replications = 1 + swq_draw(d, 3);
    s->options.warmup = (uint64_t)swq_draw(d, 200);
    s->options.cycles = CYCLES;
    s->options.per_node = swq_draw(d, 2);
}

static void draw_groups(swq_draws *d, swq_drawn_network *s)
{
    s->options.groups = 1 + swq_draw(d, 4);
    s->options.group = s->group;
    s->options.group_by_source = swq_draw(d, 2);
    for (uint32_t i = 0; i < s->nodes; i++)
        s->group[i] =
            (uint8_t)(i < (uint32_t)s->options.groups ? (int)i : swq_draw(d, s->options.groups));
}

swq_status swq_draw_network(swq_context *ctx, swq_draws *d, swq_drawn_network *s)
{
    swq_status status = SWQ_EINVAL;

    for (int tries = 0; tries < TRIES && status == SWQ_EINVAL; tries++) {
        memset(s, 0, sizeof *s);
        status = draw_switch(ctx, d, &s->network);
        if (!status)
            status = swq_topology_nodes(ctx, s->network.shape.wiring, s->network.sw.ports,
                                        s->network.shape.stages, &s->nodes);
        if (status)
            continue;
        draw_traffic(d, s);
        status = swq_network_check(ctx, &s->network, &s->nodes);
    }
    draw_run(d, s);
    if (!status && swq_draw(d, 2))
        draw_groups(d, s);
    return status;
}

swq_status swq_draw_fast_network(swq_context *ctx, swq_draws *d, swq_drawn_network *s)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};
    static const int ports[] = {2, 4, 8, 3, 5, 16}, most_stages[] = {6, 4, 2, 4, 3, 2};
    const int p = swq_draw(d, 6), b = swq_draw(d, 5), n = ports[p];
    const swq_buffer_kind *kind;

    memset(s, 0, sizeof *s);
    swq_status status = swq_buffer_kind_find(ctx, buffers[b], &kind);
    const int slots =
        b == 1 || b == 2 ? n * (1 + swq_draw(d, 3)) : 1 + swq_draw(d, swq_draw(d, 3) ? 6 : 40);
    s->network.sw.ports = n;
    if (!status)
        status = swq_buffer_preset(ctx, kind, n, slots, &s->network.sw.buffer);
    if (!status)
        status = swq_arbiter_find(ctx, "rotating", &s->network.sw.arbiter);
    s->network.sw.flow = (swq_flow)swq_draw(d, 2);
    s->network.sw.credit = (swq_credit)swq_draw(d, 2);
    s->network.shape.kind = &swq_fabric_multistage;
    s->network.shape.wiring = swq_topologies[swq_draw(d, 4)];
    s->network.shape.stages = s->network.shape.wiring->stages ? s->network.shape.wiring->stages
                                                              : 1 + swq_draw(d, most_stages[p]);
    s->network.traffic = swq_traffic_defaults();
    if (!status)
        status = swq_network_check(ctx, &s->network, &s->nodes);
    if (status)
        return status;
    swq_traffic *t = &s->network.traffic;
    t->load = 0.1 * (2 + swq_draw(d, 9));
    t->hot_spots = swq_draw(d, 4) == 0;
    t->hot[0] = (swq_hot_spot){(uint32_t)swq_draw(d, (int)s->nodes), 0.2};
    t->burst = swq_draw(d, 4) ? 1 : 3;
    if (swq_draw(d, 4) == 0)
        t->pattern = &swq_pattern_random_permutation;
    for (uint32_t i = 0; i < s->nodes; i++)
        s->node_load[i] = 0.125 * swq_draw(d, 9);
    t->node_load = swq_draw(d, 4) ? NULL : s->node_load;
    draw_run(d, s);
    return SWQ_OK;
}

static const char *buffer_name(const swq_buffer *b)
{
    for (int k = 0; swq_buffer_kinds[k]; k++) {
        const swq_buffer_kind *kind = swq_buffer_kinds[k];
        if (kind->scope == b->scope && kind->queues == b->queues && kind->read == b->read &&
            kind->partitioned == (b->queue_min > 0))
            return kind->name;
    }
    return "buffer";
}

char *swq_drawn_words(const swq_drawn_network *s, char *text, size_t size)
{
    const swq_network *n = &s->network;

    snprintf(text, size, "%s of %d stages of %dx%d, %s-%d, %s, %s, credit %s%s",
             n->shape.wiring->name, n->shape.stages, n->sw.ports, n->sw.ports,
             buffer_name(&n->sw.buffer), n->sw.buffer.capacity, n->sw.arbiter->name,
             n->sw.flow == SWQ_BLOCK ? "block" : "discard",
             n->sw.credit == SWQ_CREDIT_NEXT ? "next" : "same",
             n->sw.priority.support ? ", priorities" : "");
    return text;
}
