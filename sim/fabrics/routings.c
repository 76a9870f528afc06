/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of routings. The files of the fabrics define what a row means for the outputs that a
 * packet may take, and sim/switches/input_queued/choice.h chooses one of several.
 */
#include "base/names.h"
#include "sim/fabrics/state.h"
#include "sim/stream.h"

const swq_routing swq_routing_deterministic = {
    .name = "deterministic",
    .summary =
        "one path for each pair of nodes: in dimension order, or up a tree by the destination",
    .source = "Dally and Seitz (1987); Frazier (1995), 4.1 and 6.3",
};

const swq_routing swq_routing_adaptive = {
    .name = "adaptive",
    .summary = "any shortest path: any link up a tree; in meshes and tori, with escape queues; in "
               "hyperx, slim-fly, polarfly, megafly and graphs, with lanes for each link",
    .source = "Duato (1993); Petrini and Vanneschi (1997)",
    .adaptive = true,
};

const swq_routing swq_routing_unguarded = {
    .name = "unguarded",
    .summary = "any shortest path in meshes and tori, without escape queues; may deadlock",
    .source = "Duato (1993)",
    .adaptive = true,
    .unguarded = true,
};

const swq_routing swq_routing_escape = {
    .name = "escape",
    .summary = "any shortest path in hyperx, slim-fly, polarfly, megafly and graphs, in any lane "
               "but the first, which is an escape lane for the deterministic path",
    .source = "Duato (1993)",
    .adaptive = true,
    .escapes = true,
};

const swq_routing swq_routing_valiant = {
    .name = "valiant",
    .summary =
        "by way of a random node for each packet, in dimension order to that node and from "
        "it; in a dragonfly by way of a random group, in a hyperx, slim-fly or polarfly of a "
        "random router, in a megafly of a random leaf",
    .source = "Valiant and Brebner (1981)",
    .by_another = true,
};

/* ---- routing that looks at queues ---- */

/* What is known of a way from an input port to a node. */
typedef struct {
    uint32_t links; /* between switches */
    uint32_t first; /* its first output, over which the packet takes one of these lanes */
    uint32_t lanes;
    uint32_t global; /* its first output of the fabric's global level; SWQ_NO_WHERE: none */
    uint64_t all;    /* bytes behind all of its links, where they are the queue */
} way_ahead;

static uint64_t bytes_behind(const swq_switch_view *view, uint32_t output, uint32_t lanes)
{
    uint64_t sum = 0;

    for (; lanes; lanes &= lanes - 1)
        sum += view->taken(view->engine, output, __builtin_ctz(lanes));
    return sum;
}

static way_ahead look_ahead(const swq_fabric *f, uint32_t port, swq_packet_state p,
                            const swq_switch_view *view)
{
    const uint32_t ports = (uint32_t)f->ports;
    const int level = f->shape.kind->global_level;
    const swq_way_queue queue = f->shape.ugal_queue;
    way_ahead way = {.global = SWQ_NO_WHERE};
    uint32_t out = port / ports * ports + (uint32_t)swq_state_output(f, port, &p);

    way.first = out;
    if ((queue == SWQ_QUEUE_LANE || queue == SWQ_QUEUE_HYBRID) && !(f->link[out] & SWQ_TO_NODE))
        way.lanes = view->lanes(view->engine, f->link[out], &p);
    for (; !(f->link[out] & SWQ_TO_NODE); way.links++) {
        if (way.global == SWQ_NO_WHERE && f->out_level[out] == level)
            way.global = out;
        if (queue == SWQ_QUEUE_PATH)
            way.all += view->taken(view->engine, out, -1);
        port = f->link[out];
        out = port / ports * ports + (uint32_t)swq_state_output(f, port, &p);
    }
    return way;
}

/* What multiplies the queue of a way: its links, or a factor that is given. */
static uint64_t factor_of(const swq_shape *shape, uint32_t links, bool straight)
{
    const int given = straight ? shape->straight_factor : shape->detour_factor;

    return given ? (uint64_t)given : links;
}

/* Links of a way times its queue, or the sum that stands for this product. */
static uint64_t weight_of(const swq_fabric *f, const way_ahead *way, bool straight, bool same_first,
                          const swq_switch_view *view)
{
    const uint64_t factor = factor_of(&f->shape, way->links, straight);

    switch (f->shape.ugal_queue) {
    case SWQ_QUEUE_PATH:
        return way->all;
    case SWQ_QUEUE_GLOBAL:
        return way->global == SWQ_NO_WHERE ? 0
                                           : factor * view->taken(view->engine, way->global, -1);
    case SWQ_QUEUE_LANE:
        return factor * bytes_behind(view, way->first, way->lanes);
    case SWQ_QUEUE_HYBRID:
        if (same_first)
            return factor * bytes_behind(view, way->first, way->lanes);
        break;
    case SWQ_QUEUE_LOCAL:
        break;
    }
    return factor * view->taken(view->engine, way->first, -1);
}

/* UGAL: the way with the smaller product of links and queue; the straight way up to a threshold. */
static bool detours(const swq_fabric *f, uint32_t port, const swq_packet_state *p,
                    const swq_switch_view *view)
{
    const bool progressive = f->shape.routing && f->shape.routing->progressive;
    const swq_packet_state straight = {.from = p->from,
                                       .to = p->then,
                                       .then = SWQ_NO_WHERE,
                                       .hops = p->hops,
                                       .draw = p->draw,
                                       .open = progressive};
    const way_ahead here = look_ahead(f, port, straight, view);
    const way_ahead other = look_ahead(f, port, *p, view);
    const bool same = here.first == other.first;

    return weight_of(f, &here, true, same, view) >
           weight_of(f, &other, false, same, view) + (uint64_t)f->shape.ugal_threshold;
}

const swq_routing swq_routing_ugal = {
    .name = "ugal",
    .summary = "as valiant or straight, whichever way has the smaller product of links and of "
               "bytes that take room behind its "
               "first link",
    .source = "Kim, Dally, Scott and Abts (2008), UGAL-L; Singh (2005)",
    .by_another = true,
    .detours = detours,
};

const swq_routing swq_routing_par = {
    .name = "par",
    .summary = "dragonfly: as ugal, and a packet that goes straight decides again, with another "
               "place drawn, in each further router of its sender's group",
    .source = "Jiang, Kim and Dally (2009), progressive adaptive routing",
    .by_another = true,
    .detours = detours,
    .progressive = true,
};

/* DAL: of all links that it may take, a packet takes the one with the smallest product of links
 * ahead and queue; one that leads nearer up to a threshold. */
static int least_product(const swq_fabric *f, uint32_t port, const swq_packet_state *p,
                         const swq_next_link *next, int count, const swq_switch_view *view,
                         uint32_t word)
{
    const uint32_t base = port / (uint32_t)f->ports * (uint32_t)f->ports;
    uint64_t weight[SWQ_MAX_NEXT_LINKS], least = UINT64_MAX;
    int equal = 0;

    for (int k = 0; k < count; k++) {
        const uint32_t out = base + next[k].output;
        swq_packet_state then = *p;
        then.hops = (uint8_t)(p->hops + (p->hops < UINT8_MAX));
        then.derouted = next[k].derouted;
        const uint64_t q =
            f->shape.ugal_queue == SWQ_QUEUE_LANE
                ? bytes_behind(view, out, view->lanes(view->engine, f->link[out], &then))
                : view->taken(view->engine, out, -1);
        /* twice, and one more for a link that leads no nearer: of equal ones it comes last */
        weight[k] = 2 * factor_of(&f->shape, next[k].links, next[k].straight) * q +
                    (next[k].straight ? 0 : 2 * (uint64_t)f->shape.ugal_threshold + 1);
        equal = weight[k] < least ? 1 : equal + (weight[k] == least);
        least = weight[k] < least ? weight[k] : least;
    }
    int left = (int)swq_word_below(word, (uint32_t)equal), k = 0;
    while (k + 1 < count && (weight[k] != least || left-- > 0))
        k++;
    return k;
}

const swq_routing swq_routing_dal = {
    .name = "dal",
    .summary = "hyperx: in each switch a link nearer in any dimension, or, once in each dimension, "
               "to another router of the row: the one with the smallest product of links and of "
               "bytes that take room behind it",
    .source = "Ahn, Binkert, Davis, McLaren and Schreiber (2009), DAL",
    .choose = least_product,
};

const swq_routing *const swq_routings[] = {
    &swq_routing_deterministic, &swq_routing_adaptive, &swq_routing_unguarded,
    &swq_routing_escape,        &swq_routing_valiant,  &swq_routing_ugal,
    &swq_routing_par,           &swq_routing_dal,      NULL};

swq_status swq_routing_find(swq_context *ctx, const char *name, const swq_routing **row)
{
    const void *found = swq_name_lookup(ctx, "routing", name, (const void *const *)swq_routings);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
