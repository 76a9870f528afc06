/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets in chosen stores over time, by the beginnings of all transmissions: a packet is in a
 * store from the beginning of the transmission to it until the beginning of that from it.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/congestion.h"
#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/pile.h"

#include <math.h>
#include <string.h>

swq_status congestion_fabric(swq_context *ctx, const congestion_case *row, swq_fabric *fabric)
{
    swq_shape shape = {.ports = row->ports, .stages = row->stages};
    swq_status status = swq_fabric_find(ctx, row->stages > 1 ? "omega" : "switch", &shape);

    return status ? status : swq_fabric_make(ctx, &shape, fabric);
}

int congestion_way(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t store[CONGESTION_WAY])
{
    const uint32_t ports = (uint32_t)f->ports, inputs = f->switches * ports;
    uint32_t port = f->entry[from];
    int stores = 0;

    for (;;) {
        const int class = f->shape.kind->route(f, port, from, to);
        const uint32_t output =
            port / ports * ports + f->output[(size_t)port * (size_t)f->classes + (size_t) class];
        store[stores++] = port;
        store[stores++] = inputs + output;
        port = f->link[output];
        if (port & SWQ_TO_NODE)
            return stores;
    }
}

/* ---- one run ---- */

typedef struct {
    const swq_fabric *fabric;
    uint32_t inputs;
    uint64_t *inside; /* [stores] packets now ... */
    uint32_t *since;  /* ... and the cycle since when */
    double *area;     /* [windows][stores] packet-cycles */
} congestion_books;

/* From now on a store holds `more` more packets; 0: just count, at the end of the run. */
static void enter(congestion_books *b, uint32_t store, int more, uint32_t cycle)
{
    uint32_t from = b->since[store];

    while (from < cycle) {
        const uint32_t window = from / CONGESTION_WINDOW, end = (window + 1) * CONGESTION_WINDOW;
        const uint32_t until = cycle < end ? cycle : end;
        if (window < CONGESTION_WINDOWS)
            b->area[(size_t)window * 2 * b->inputs + store] +=
                (double)b->inside[store] * (until - from);
        from = until;
    }
    b->since[store] = cycle;
    b->inside[store] += (uint64_t)(int64_t)more;
}

static void started(void *arg, const swq_start *start)
{
    congestion_books *b = arg;
    const swq_fabric *f = b->fabric;

    if (start->switch_ == SWQ_NO_WHERE) {
        enter(b, f->entry[start->from], 1, start->cycle);
        return;
    }
    const uint32_t base = start->switch_ * (uint32_t)f->ports, output = base + start->output;
    if (!start->output_store) {
        enter(b, base + start->input, -1, start->cycle);
        enter(b, b->inputs + output, 1, start->cycle);
        return;
    }
    enter(b, b->inputs + output, -1, start->cycle);
    if (!(f->link[output] & SWQ_TO_NODE))
        enter(b, f->link[output], 1, start->cycle);
}

static swq_status open_books(swq_context *ctx, const swq_fabric *f, congestion_books *b)
{
    const size_t inputs = (size_t)f->switches * (size_t)f->ports;

    *b = (congestion_books){.fabric = f,
                            .inputs = (uint32_t)inputs,
                            .inside = swq_calloc(ctx, 2 * inputs, sizeof *b->inside),
                            .since = swq_calloc(ctx, 2 * inputs, sizeof *b->since),
                            .area =
                                swq_calloc(ctx, 2 * inputs * CONGESTION_WINDOWS, sizeof *b->area)};
    return b->inside && b->since && b->area ? SWQ_OK : swq_memory_status(ctx);
}

static void close_books(swq_context *ctx, congestion_books *b)
{
    swq_free(ctx, b->inside);
    swq_free(ctx, b->since);
    swq_free(ctx, b->area);
}

static swq_sender_group group_of(const congestion_flow *flow)
{
    return (swq_sender_group){.mask = UINT32_MAX,
                              .value = flow->source,
                              .from = flow->from,
                              .until = flow->until,
                              .kind = SWQ_SOURCE_HOLD,
                              .interval = {SWQ_CONSTANT, 0, 0},
                              .type = {{.probability = 1,
                                        .aim = SWQ_AIM_NODE,
                                        .value = flow->destination,
                                        .length = {SWQ_CONSTANT, CONGESTION_PACKET, 0}}},
                              .types = 1};
}

static swq_status network_of(swq_context *ctx, const congestion_case *row, const swq_fabric *f,
                             swq_sender_group *group, swq_async *n)
{
    const swq_buffer_kind *fifo;
    swq_status status = swq_buffer_kind_find(ctx, "fifo", &fifo);

    *n = swq_async_defaults();
    n->shape = f->shape;
    n->packet.block = n->packet.max = CONGESTION_PACKET;
    n->link.rest = 0;
    n->architecture.row = &swq_cioq;
    n->architecture.output.speedup_bytes = row->speedup;
    n->architecture.output.store_and_forward = !row->cut_through;
    n->architecture.output.blocks = CONGESTION_STORE;
    n->traffic.group = group;
    n->traffic.groups = row->flows;
    for (int k = 0; k < row->flows; k++)
        group[k] = group_of(&row->flow[k]);
    return status ? status : swq_async_buffer(ctx, n, fifo, CONGESTION_STORE * CONGESTION_PACKET);
}

static double *packets_at(const congestion *c, int row, int place, int window, int run)
{
    const size_t at = ((size_t)row * CONGESTION_PLACES + (size_t)place) * CONGESTION_WINDOWS;

    return &c->packets[(at + (size_t)window) * (size_t)c->runs + (size_t)run];
}

static bool is_of(const congestion_place *place, int flow)
{
    return (flow >= place->first && flow <= place->last) ||
           (flow >= place->first2 && flow <= place->last2);
}

/* The mean over a place's stores. A store shared by several flows counts once for each of them. */
static void read_off(const congestion *c, const congestion_books *b, int row, int run)
{
    const congestion_case *of = &c->row[row];
    uint32_t way[CONGESTION_WAY];

    for (int p = 0; p < of->places; p++) {
        const congestion_place *place = &of->place[p];
        int stores = 0;
        for (int k = 0; k < of->flows; k++)
            stores += is_of(place, k);
        for (int k = 0; k < of->flows; k++) {
            if (!is_of(place, k))
                continue;
            congestion_way(b->fabric, of->flow[k].source, of->flow[k].destination, way);
            for (int w = 0; w < CONGESTION_WINDOWS; w++)
                *packets_at(c, row, p, w, run) +=
                    b->area[(size_t)w * 2 * b->inputs + way[place->step]] / CONGESTION_WINDOW /
                    stores;
        }
    }
}

static void keep_setting(congestion *c, int row, const swq_async *network)
{
    swq_figure_setting *s = &c->f->out->setting[row];

    figure_set_async(s, network, "fifo", CONGESTION_STORE * CONGESTION_PACKET, 1);
    s->replications = c->runs;
}

static swq_status run_one(swq_context *ctx, void *arg, int task)
{
    congestion *c = arg;
    const int row = task / c->runs, run = task % c->runs;
    swq_sender_group group[CONGESTION_FLOWS];
    swq_sim_options options = swq_sim_defaults();
    swq_async network;
    swq_async_result result;
    swq_fabric fabric;
    congestion_books b = {0};

    swq_status status = congestion_fabric(ctx, &c->row[row], &fabric);
    if (status)
        return status;
    status = open_books(ctx, &fabric, &b);
    swq_async_watch watch = {.started = started, .arg = &b};
    options.seed = c->f->out->options.seed + (uint64_t)run;
    options.cycles = CONGESTION_END;
    options.warmup = 0; /* congestion is to be seen as it grows */
    if (!status)
        status = network_of(ctx, &c->row[row], &fabric, group, &network);
    if (!status)
        status = swq_async_run(ctx, &network, &options, &watch, &result);
    if (!status && result.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "interrupted");
    for (uint32_t store = 0; store < 2 * b.inputs && !status; store++)
        enter(&b, store, 0, CONGESTION_END);
    if (!status)
        read_off(c, &b, row, run);
    if (!status && run == 0)
        keep_setting(c, row, &network);
    close_books(ctx, &b);
    swq_fabric_clear(ctx, &fabric);
    return status;
}

static swq_status *status_of(void *arg, int task)
{
    return &((congestion *)arg)->status[task];
}

/* ---- drawing ---- */

static void draw(congestion *c, int row)
{
    const congestion_case *of = &c->row[row];

    for (int p = 0; p < of->places && of->panel >= 0; p++) {
        figure_add_curve(c->f, of->place[p].name, "packets in a store, mean of all runs", of->panel,
                         p, p, false);
        for (int w = 0; w < CONGESTION_WINDOWS; w += 2) {
            swq_figure_point point = {.origin = SWQ_AT_TIME,
                                      .x = (w + 0.5) * CONGESTION_WINDOW,
                                      .asked = NAN,
                                      .load = 1,
                                      .throughput = {NAN, NAN},
                                      .a_node = NAN,
                                      .cycles = CONGESTION_END,
                                      .setting = &c->f->out->setting[row]};
            swq_ratio_interval(packets_at(c, row, p, w, 0), NULL, (size_t)c->runs, 0.95, &point.y,
                               &point.half_width);
            figure_add_point(c->f, point);
        }
    }
}

swq_status congestion_make(figure_work *f, const congestion_case *row, int cases,
                           void (*claim)(const congestion *c))
{
    const uint64_t wanted = f->out->options.cycles / 2000;
    congestion c = {.f = f,
                    .cases = cases,
                    .runs = wanted < 2    ? 2
                            : wanted > 50 ? 50
                                          : (int)wanted};
    const int tasks = cases * c.runs;
    const swq_pile pile = {.arg = &c, .tasks = tasks, .run = run_one, .status = status_of};
    const size_t series = (size_t)cases * CONGESTION_PLACES;
    swq_status status = SWQ_OK;

    memcpy(c.row, row, sizeof *row * (size_t)cases);
    c.packets = swq_calloc(f->ctx, series * CONGESTION_WINDOWS * (size_t)c.runs, sizeof *c.packets);
    c.status = swq_calloc(f->ctx, (size_t)tasks, sizeof *c.status);
    if (!c.packets || !c.status)
        status = swq_memory_status(f->ctx);
    if (!status)
        status = figure_settings(f, cases);
    if (!status) /* these runs take a second: either all or none */
        status = swq_pile_run(f->ctx, &pile, f->out->options.threads);
    if (!status)
        status = figure_room(f, (int)series, (int)series * CONGESTION_WINDOWS / 2);
    if (!status) {
        f->out->runs = tasks;
        /* the requested cycles determine the number of runs instead */
        f->out->options.cycles = CONGESTION_END;
        for (int k = 0; k < cases; k++)
            draw(&c, k);
        claim(&c);
    }
    swq_free(f->ctx, c.packets);
    swq_free(f->ctx, c.status);
    return status;
}

/* ---- reading off ---- */

double congestion_packets(const congestion *c, int row, int place, int window, int run)
{
    return *packets_at(c, row, place, window, run);
}

/* The first window in which a place holds `packets` packets, or WINDOWS. */
static int first_window(const congestion *c, int row, int place, double packets, int run)
{
    int w = 0;

    while (w < CONGESTION_WINDOWS && congestion_packets(c, row, place, w, run) < packets)
        w++;
    return w;
}

swq_estimate congestion_since(const congestion *c, int row, int place, double packets, int run)
{
    const int w = first_window(c, row, place, packets, run);

    return (swq_estimate){w * (double)CONGESTION_WINDOW, CONGESTION_WINDOW};
}

swq_estimate congestion_then(const congestion *c, int row, int place, double packets, int other,
                             int run)
{
    const int w = first_window(c, row, place, packets, run);

    if (w == CONGESTION_WINDOWS)
        return (swq_estimate){NAN, NAN};
    return (swq_estimate){congestion_packets(c, row, other, w, run), 0};
}
