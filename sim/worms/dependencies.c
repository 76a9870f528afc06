/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of channel dependencies, by enumeration of all ways of all pairs: an edge leads from a
 * lane of a link to each lane that a packet which holds the first may ask for next. Without a cycle
 * there is no deadlock (Dally and Seitz, 1987). Where packets have a choice and escape lanes, those
 * alone are looked at, with an edge also to the escape lanes that a packet may ask for after some
 * hops by others (Duato, 1993); lanes that are given away only when they are empty are then needed,
 * too, which is the plan's business.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "sim/worms/worms.h"

typedef struct {
    const swq_worm_plan *plan;
    const swq_fabric *f;
    uint32_t ports, inputs, lanes;
    size_t channels, words;
    uint64_t *edge; /* [channels * words] for each channel, the set of channels that depend on it */
    uint64_t *reached; /* [words of inputs] */
    uint32_t *list;    /* [inputs] the inputs reached, in order */
    uint32_t *needed;  /* [channels] edges leading to a channel */
} lane_graph;

static void add_edges(lane_graph *g, uint32_t from, uint32_t from_lanes, uint32_t to,
                      uint32_t to_lanes)
{
    for (uint32_t a = from_lanes; a; a &= a - 1) {
        const size_t row = ((size_t)from * g->lanes + (uint32_t)__builtin_ctz(a)) * g->words;
        for (uint32_t b = to_lanes; b; b &= b - 1) {
            const size_t k = (size_t)to * g->lanes + (uint32_t)__builtin_ctz(b);
            g->edge[row + k / 64] |= UINT64_C(1) << k % 64;
        }
    }
}

/* The outputs that a packet may take from an input. */
static uint32_t outputs_at(const lane_graph *g, uint32_t port, const swq_worm *p)
{
    const swq_fabric *f = g->f;
    const size_t at =
        (size_t)port * (size_t)f->classes + (size_t)f->shape.kind->route(f, port, p->from, p->to);

    return f->outputs ? f->outputs[at] : UINT32_C(1) << f->output[at];
}

/* The inputs that a packet may come to from a given one, which is the first of them. */
static uint32_t reach(lane_graph *g, uint32_t from, const swq_worm *p)
{
    uint32_t count = 1;

    for (size_t k = 0; k < (g->inputs + 63) / 64; k++)
        g->reached[k] = 0;
    g->list[0] = from;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t base = g->list[k] - g->list[k] % g->ports;
        for (uint32_t set = outputs_at(g, g->list[k], p); set; set &= set - 1) {
            const uint32_t to = g->f->link[base + (uint32_t)__builtin_ctz(set)];
            if (to & SWQ_TO_NODE || g->reached[to / 64] >> to % 64 & 1)
                continue;
            g->reached[to / 64] |= UINT64_C(1) << to % 64;
            g->list[count++] = to;
        }
    }
    return count;
}

static void depend_directly(lane_graph *g, uint32_t count, const swq_worm *p)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t from = g->list[k], base = from - from % g->ports;
        for (uint32_t set = outputs_at(g, from, p); set; set &= set - 1) {
            const uint32_t to = g->f->link[base + (uint32_t)__builtin_ctz(set)];
            if (!(to & SWQ_TO_NODE))
                add_edges(g, from, swq_worm_lanes(g->plan, from, p), to,
                          swq_worm_lanes(g->plan, to, p));
        }
    }
}

/* The input to which the deterministic route leads from another one, or the node. */
static uint32_t escape_from(const lane_graph *g, uint32_t port, const swq_worm *p)
{
    const uint32_t first = (uint32_t)g->f->shape.kind->first(g->f, port, p->from, p->to);
    return g->f->link[port - port % g->ports + first];
}

static uint32_t escape_lane(const lane_graph *g, uint32_t port, const swq_worm *p)
{
    return UINT32_C(1) << g->f->shape.kind->escape(g->f, port, p->from, p->to);
}

/* Adds the edges from each escape lane that a packet may be given to the ones it may be given
 * next. */
static void depend_by_escapes(lane_graph *g, uint32_t entry, const swq_worm *p, uint32_t *places)
{
    const uint32_t count = reach(g, entry, p);

    for (uint32_t k = 0; k < count; k++)
        places[k] = g->list[k];
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t held = escape_from(g, places[k], p);
        if (held & SWQ_TO_NODE)
            continue;
        const uint32_t later = reach(g, held, p);
        for (uint32_t j = 0; j < later; j++) {
            const uint32_t asked = escape_from(g, g->list[j], p);
            if (!(asked & SWQ_TO_NODE))
                add_edges(g, held, escape_lane(g, held, p), asked, escape_lane(g, asked, p));
        }
    }
}

static bool has_cycle(lane_graph *g)
{
    size_t left = g->channels;
    bool more = true;

    for (size_t k = 0; k < g->channels; k++) {
        for (size_t j = 0; j < g->channels; j++)
            g->needed[j] += g->edge[k * g->words + j / 64] >> j % 64 & 1;
    }
    while (more) {
        more = false;
        for (size_t k = 0; k < g->channels; k++) {
            if (g->needed[k] > 0)
                continue;
            g->needed[k] = UINT32_MAX; /* removed */
            more = true;
            left--;
            for (size_t j = 0; j < g->channels; j++)
                g->needed[j] -= g->edge[k * g->words + j / 64] >> j % 64 & 1;
        }
    }
    return left > 0;
}

swq_status swq_worms_dependencies(swq_context *ctx, const swq_worm_plan *plan, bool *cycle)
{
    const swq_fabric *f = plan->fabric;
    lane_graph g = {
        .plan = plan, .f = f, .ports = (uint32_t)f->ports, .lanes = (uint32_t)plan->lanes};
    uint32_t *places = NULL;
    const uint32_t words = (f->switches * g.ports + 63) / 64;
    swq_arrays list = {0};

    g.inputs = f->switches * g.ports;
    g.channels = (size_t)g.inputs * g.lanes;
    g.words = (g.channels + 63) / 64;
    SWQ_ARRAY(&list, g.edge, (double)g.channels * (double)g.words);
    SWQ_ARRAY(&list, g.reached, words);
    SWQ_ARRAY(&list, g.list, g.inputs + 1.0);
    SWQ_ARRAY(&list, g.needed, g.channels);
    SWQ_ARRAY(&list, places, g.inputs + 1.0);
    swq_status status = swq_arrays_take(ctx, &list);
    for (uint32_t from = 0; !status && from < f->nodes; from++) {
        for (uint32_t to = 0; to < f->nodes; to++) {
            swq_worm p = {.from = from, .to = to};
            if (from == to && f->shape.kind->point_to_point)
                continue;
            if (f->escapes)
                depend_by_escapes(&g, f->entry[from], &p, places);
            else
                depend_directly(&g, reach(&g, f->entry[from], &p), &p);
            /* on from another node; from there nothing leads back to the lanes of the way to it */
            p.goes_on = true;
            if (plan->by_another)
                depend_directly(&g, reach(&g, f->entry[from], &p), &p);
        }
    }
    if (!status)
        *cycle = has_cycle(&g);
    swq_arrays_free(ctx, &list);
    return status;
}
