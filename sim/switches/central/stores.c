/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with one memory for all packets: which options of a spec they take, and their arrays.
 * Their cycle is in turn.h.
 */
#include "sim/frame/stores.h"
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/switches/central/central.h"
#include "sim/switches/check.h"

#include <math.h>

/* How far an event may lie ahead, beyond the times of a packet and a hop: for turns to write and
 * read, and because gaps grow in each switch whose pool a packet bypasses. */
enum { FURTHER_AHEAD = SWQ_MAX_FABRIC_PORTS + 96 };

/* ---- options of a spec ---- */

static uint32_t chunk_of(const swq_async *n)
{
    if (!n->architecture.row->async.modules)
        return (uint32_t)n->packet.block;
    return (uint32_t)(n->architecture.stores.module ? n->architecture.stores.module
                                                    : n->packet.max);
}

/* Chunks, or modules, of a switch; below 1 if the FIFOs take everything. */
static int64_t chunks_of(const swq_async *n, int ports)
{
    return (int64_t)ports * (n->memory.bytes - n->architecture.stores.fifo) / (int64_t)chunk_of(n);
}

static swq_status check_sizes(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const int least_fifo = n->link.hop_delay + 1;
    const bool modules = n->architecture.row->async.modules;
    const int packet = modules ? 1 : (n->packet.max + n->packet.block - 1) / n->packet.block;
    const int64_t chunks = chunks_of(n, f->ports);

    if (n->architecture.stores.fifo < least_fifo || n->architecture.stores.fifo > SWQ_MAX_PACKET)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "fifo-bytes must be %d to %d flits, so that a sender hears of room before the "
            "FIFO is empty (hop-delay + 1), not %d",
            least_fifo, SWQ_MAX_PACKET, n->architecture.stores.fifo);
    if (!modules && n->packet.block < f->ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "chunk must be at least %d flits, the ports of a switch, which write and "
                        "read one each in as many cycles, not %d",
                        f->ports, n->packet.block);
    if (modules && n->architecture.stores.module && n->architecture.stores.module < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "module must be at least %d flits, as each holds a packet whole, not %d",
                        n->packet.max, n->architecture.stores.module);
    if (chunks < packet)
        return swq_fail(ctx, SWQ_EINVAL,
                        "bytes must be at least %lld flits, %d for the FIFO of an input and a part "
                        "of the memory that has room for a packet of %d, not %d",
                        (long long)n->architecture.stores.fifo +
                            ((int64_t)packet * chunk_of(n) + f->ports - 1) / f->ports,
                        n->architecture.stores.fifo, n->packet.max, n->memory.bytes);
    if (chunks > SWQ_NO_SLOT - 1)
        return swq_fail(ctx, SWQ_EINVAL, "bytes must leave at most %d %s in a switch, not %lld",
                        SWQ_NO_SLOT - 1, modules ? "modules" : "chunks", (long long)chunks);
    return SWQ_OK;
}

static swq_status check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const char *name = n->architecture.row->name;
    swq_status status = swq_stores_check(ctx, n, f);

    if (status)
        return status;
    if (n->arbiter.row != &swq_arbiter_rotating)
        return swq_fail(ctx, SWQ_EINVAL,
                        "arbiter %s is not for architecture %s, whose inputs take turns: rotating",
                        n->arbiter.row->name, name);
    if (f->levels == SWQ_MAX_LEVELS)
        return swq_fail(ctx, SWQ_EINVAL, "architecture %s: the network has too many levels, %d",
                        name, f->levels);
    return check_sizes(ctx, n, f);
}

/* ---- arrays ---- */

static void lay_out(swq_async_net *net)
{
    const swq_async *n = net->spec;
    const swq_fabric *f = net->fabric;
    const bool modules = n->architecture.row->async.modules;
    swq_central *c = swq_central_of(net);
    swq_system *s = &net->system;
    uint32_t ring = 64;

    const int wide = f->ports > SWQ_MAX_FABRIC_PORTS ? f->ports : 0;
    while (ring <=
           (uint32_t)(n->packet.max + n->link.hop_delay + n->link.rest + wide) + FURTHER_AHEAD)
        ring *= 2;
    *c = (swq_central){
        .chunk = chunk_of(n),
        .chunks = (uint32_t)chunks_of(n, f->ports),
        .fifo = (uint32_t)n->architecture.stores.fifo,
        .turns = modules ? 0 : f->ports,
        .bypass = !modules,
        .ring_mask = ring - 1,
    };
    net->queues = net->output_queues = 1;
    net->output_stores = true;
    net->elements = 2 * net->inputs;
    net->units = net->crossbars;
    net->slots = n->architecture.stores.fifo / swq_async_shortest(n) + 1;
    net->output_slots = (int)c->chunks;
    net->block = c->chunk;
    s->levels = f->levels + 1; /* the last level counts the outputs' queues */
    s->stores = net->elements;
    s->store_room[0] = n->architecture.stores.fifo;
    s->store_room[1] = (int)c->chunks;
}

static void list(swq_async_net *net, swq_arrays *arrays)
{
    swq_central *c = swq_central_of(net);

    SWQ_ARRAY(arrays, c->stream, net->inputs);
    SWQ_ARRAY(arrays, c->outlet, net->inputs);
    SWQ_ARRAY(arrays, c->pool, net->crossbars);
    SWQ_ARRAY(arrays, c->wide_pool, net->ports > SWQ_MAX_FABRIC_PORTS ? net->crossbars : 0);
    SWQ_ARRAY(arrays, c->ring, (double)net->crossbars * (c->ring_mask + 1.0));
}

static void empty(swq_async_net *net)
{
    swq_central *c = swq_central_of(net);

    for (uint32_t k = 0; k < net->inputs; k++) {
        const uint32_t link = net->fabric->link[k];
        c->stream[k] = (swq_stream){.end = c->fifo, .sure = c->fifo, .left = c->fifo};
        c->outlet[k] = (swq_outlet){.from = SWQ_FROM_POOL};
        if (!(link & SWQ_TO_NODE))
            net->port[link].feeder = k; /* woken as an output of its switch */
    }
    for (uint32_t w = 0; w < net->crossbars; w++)
        c->pool[w] = (swq_pool){.free = c->chunks, .writes = c->turns, .reads = c->turns};
}

static void begin(swq_async_net *net)
{
    swq_central_of(net)->counts = (swq_pool_counts){.since = net->cycle};
}

/* ---- contents ---- */

/* Chunks of the packets in the queues of a switch's outputs, and of packets being read. */
static uint32_t chunks_held(const swq_async_net *net, uint32_t sw)
{
    const swq_central *c = swq_central_of(net);
    const uint32_t base = sw * (uint32_t)net->ports;
    uint32_t chunks = c->pool[sw].coming;

    for (uint32_t k = base; k < base + (uint32_t)net->ports; k++) {
        const swq_outlet *o = &c->outlet[k];
        chunks += net->port[net->inputs + k].blocks;
        if (o->from == SWQ_FROM_POOL && o->gone < o->length && o->chunk_end != UINT32_MAX)
            chunks += (o->length - 1) / c->chunk + 1 - (o->chunk_end - 1) / c->chunk;
    }
    return chunks;
}

static bool conserved(const swq_async_net *net)
{
    const swq_central *c = swq_central_of(net);

    for (uint32_t w = 0; w < net->crossbars; w++) {
        if (c->pool[w].free + chunks_held(net, w) != c->chunks)
            return false;
    }
    for (uint32_t k = 0; k < net->inputs; k++) { /* every flit that has come is there or has left */
        const swq_stream *s = &c->stream[k];
        const swq_port *e = &net->port[k];
        uint32_t flits = 0;
        const swq_parcel *store = swq_parcels_of(net, k);
        if (e->full) {
            for (uint16_t slot = swq_queues_of(net, k)->head; slot != SWQ_NO_SLOT;
                 slot = store[slot].next)
                flits += store[slot].bytes;
        }
        if (s->head_from != SWQ_NEVER && s->end - s->left != flits)
            return false;
        if (s->sure > s->end || s->sure > s->left + c->fifo)
            return false;
    }
    return true;
}

/* Flits that are in a FIFO or on their way to it, or chunks of the packets in an output's queue. */
static uint32_t held(const swq_async_net *net, uint32_t store)
{
    const swq_central *c = swq_central_of(net);

    if (store >= net->inputs)
        return net->port[store].blocks;
    const swq_stream *s = &c->stream[store];
    const uint32_t flits = s->sure - s->left;
    return s->sure < s->left ? 0 : flits;
}

/* Means over cycles and switches, of all chunks freed; one sample for each replication. */
static void tell(const swq_async_net *net, swq_chunk_use *sum, uint64_t *samples)
{
    const swq_pool_counts *n = &swq_central_of(net)->counts;
    const double cycles = (double)(net->cycle - n->since) * net->crossbars;

    if (cycles == 0)
        return;
    sum->taken += (double)n->taken / cycles;
    sum->partly += (double)n->partly / cycles;
    sum->unfilled += (double)n->unfilled / cycles;
    sum->most_partly = n->most_partly > sum->most_partly ? n->most_partly : sum->most_partly;
    sum->lost += n->moved ? (double)n->lost / (double)n->moved : NAN;
    ++*samples;
}

static const swq_store_hooks central = {
    .kernel = &swq_kernel_central,
    .wide_kernel = &swq_kernel_central_wide,
    .state = sizeof(swq_central),
    .check = check,
    .lay_out = lay_out,
    .list = list,
    .empty = empty,
    .begin = begin,
    .conserved = conserved,
    .held = held,
    .tell = tell,
    .ahead = FURTHER_AHEAD,
};

const swq_architecture swq_central_queue = {
    .name = "central",
    .summary = "all ports share a memory in chunks with a queue for each output; packets wait for "
               "it in small FIFOs",
    .source = "Stunkel et al. (1995), SP2; Sivaram, Stunkel and Panda (1997), 2.2",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "output queues, a shared buffer: one module, as a wide memory or in banks",
              .crosspoints_cost = "3 k^2 f",
              .arbitration = "turns at the memory, a chunk at a time",
              .stores = &central,
              .chunks = true,
              .input_fifos = true},
};

const swq_architecture swq_prizma = {
    .name = "prizma",
    .summary = "as central, but in modules that each hold one packet, whatever its length",
    .source = "Denzel, Engbersen and Iliadis (1995); Sivaram, Stunkel and Panda (1997), 2.2",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "output queues, a shared buffer: modules",
              .crosspoints_cost = "2 k f times the modules",
              .arbitration = "none for the memory: modules are read and written at once",
              .stores = &central,
              .input_fifos = true,
              .modules = true},
};
