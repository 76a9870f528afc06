/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets in chosen stores over time, by the beginnings of all transmissions: a packet is in a
 * store from the beginning of the transmission to the store until the beginning of the transmission
 * from it.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

enum { MOST_STORES = 2 * SWQ_MAX_STAGES /* on a packet's way */ };

/* The stores on a packet's way: an input store by its port, an output store by its port plus
 * `inputs`. */
static void way_of(const swq_fabric *f, uint32_t from, uint32_t to, uint32_t store[MOST_STORES])
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
            return;
    }
}

typedef struct {
    const swq_fabric *fabric;
    uint32_t inputs;
    uint64_t *inside; /* [stores] packets now ... */
    uint32_t *since;  /* ... and the cycle since when */
    uint32_t window, windows;
    double *area; /* [windows][stores] packet-cycles */
} store_books;

/* From now on a store holds `more` more packets; 0: just count, at the end of the run. */
static void enter(store_books *b, uint32_t store, int more, uint32_t cycle)
{
    uint32_t from = b->since[store];

    while (from < cycle) {
        const uint32_t window = from / b->window, end = (window + 1) * b->window;
        const uint32_t until = cycle < end ? cycle : end;
        if (window < b->windows)
            b->area[(size_t)window * 2 * b->inputs + store] +=
                (double)b->inside[store] * (until - from);
        from = until;
    }
    b->since[store] = cycle;
    b->inside[store] += (uint64_t)(int64_t)more;
}

static void started(void *arg, const swq_start *start)
{
    store_books *b = arg;
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

static swq_status open_books(swq_context *ctx, const swq_fabric *f, uint32_t window,
                             uint32_t windows, store_books *b)
{
    const size_t inputs = (size_t)f->switches * (size_t)f->ports;

    *b = (store_books){.fabric = f,
                       .inputs = (uint32_t)inputs,
                       .inside = swq_calloc(ctx, 2 * inputs, sizeof *b->inside),
                       .since = swq_calloc(ctx, 2 * inputs, sizeof *b->since),
                       .window = window,
                       .windows = windows,
                       .area = swq_calloc(ctx, 2 * inputs * windows, sizeof *b->area)};
    return b->inside && b->since && b->area ? SWQ_OK : swq_memory_status(ctx);
}

static void close_books(swq_context *ctx, store_books *b)
{
    swq_free(ctx, b->inside);
    swq_free(ctx, b->since);
    swq_free(ctx, b->area);
}

/* The mean over the stores of a place. A store shared by several flows counts once for each of
 * them. */
static void read_place(const store_books *b, const swq_async *n, const figure_store *place,
                       double *mean, size_t apart)
{
    uint32_t way[MOST_STORES];
    const int stores = place->last - place->first + 1;

    for (uint32_t w = 0; w < b->windows; w++)
        mean[w * apart] = 0;
    for (int k = place->first; k <= place->last; k++) {
        way_of(b->fabric, n->traffic.group[k].value, n->traffic.group[k].type[0].value, way);
        for (uint32_t w = 0; w < b->windows; w++)
            mean[w * apart] +=
                b->area[(size_t)w * 2 * b->inputs + way[place->step]] / b->window / stores;
    }
}

swq_status figure_run_stores(swq_context *ctx, const swq_async *network,
                             const swq_sim_options *options, uint32_t window, uint32_t windows,
                             const figure_store *place, int places, double *const *mean,
                             size_t apart, swq_async_result *result)
{
    swq_fabric fabric;
    store_books b = {0};
    swq_status status = swq_fabric_make(ctx, &network->shape, &fabric);

    if (status)
        return status;
    status = open_books(ctx, &fabric, window, windows, &b);
    swq_async_watch watch = {.started = started, .arg = &b};
    if (!status)
        status = swq_async_run(ctx, network, options, &watch, result);
    for (uint32_t store = 0; store < 2 * b.inputs && !status; store++)
        enter(&b, store, 0, (uint32_t)options->cycles);
    for (int p = 0; p < places && !status; p++)
        read_place(&b, network, &place[p], mean[p], apart);
    close_books(ctx, &b);
    swq_fabric_clear(ctx, &fabric);
    return status;
}
