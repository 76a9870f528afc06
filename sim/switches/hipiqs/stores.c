/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stores of hipiqs, crosspoint and multi-buffer: the options that they take, their arrays,
 * and the counts of their flits.
 */
#include "sim/frame/stores.h"
#include "base/context.h"
#include "models/arbiters/arbiters.h"
#include "sim/dependencies/waits.h"
#include "sim/switches/check.h"
#include "sim/switches/hipiqs/choosing.h"

#include <math.h>

enum {
    MOST_CHUNK = 1024,
    LEAST_HOP = 3, /* a cycle on the link, and two registers of the switch */
    MOST_PACKETS = 65534,
    DETOUR = 8 /* cycles, more than any detour behind other packets */
};

/* Flits in the registers of an input (Sivaram et al. 1997, Fig. 3): IR and R1; R2 and R4 for each
 * output; and, with a RAM, R3'' for each output. */
static int registers_of(const swq_async *n, int ports)
{
    return 2 + 2 * ports + (n->architecture.stores.crosspoint == SWQ_CROSSPOINT_RAM ? ports : 0);
}

/* Flits that the FIFO of a crosspoint can hold. */
static int fifo_of(const swq_async *n)
{
    return n->architecture.stores.crosspoint_chunks * n->packet.block;
}

/* Chunks of an input buffer. */
static int capacity_of(const swq_async *n, int ports)
{
    const int counted =
        n->architecture.stores.count_all ? ports * fifo_of(n) + registers_of(n, ports) : 0;

    return (n->memory.bytes - counted) / n->packet.block;
}

static int fifos_of(const swq_async *n, int ports)
{
    return n->architecture.stores.fifos ? n->architecture.stores.fifos : ports;
}

/* ---- checks of a spec ---- */

static swq_status check_all(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    swq_status status = swq_stores_check(ctx, n, f);

    if (status)
        return status;
    if (n->arbiter.row != &swq_arbiter_rotating && n->arbiter.row != &swq_arbiter_random_outputs)
        return swq_architecture_refuse(
            ctx, n, "arbiter", n->arbiter.row->name,
            "whose outputs choose by themselves: rotating, in turns from each output's "
            "own pointer on, or random-outputs");
    if (n->memory.bytes < 1 || n->memory.bytes > SWQ_MAX_BUFFER_BLOCKS * MOST_CHUNK)
        return swq_fail(ctx, SWQ_EINVAL, "bytes must be 1 to %d flits, not %d",
                        SWQ_MAX_BUFFER_BLOCKS * MOST_CHUNK, n->memory.bytes);
    return SWQ_OK;
}

/* Slots for all packets that can be there at a time. */
static double slots_of(const swq_async *n, double flits)
{
    return (flits + n->packet.max) / swq_async_shortest(n) + 2;
}

static swq_status check_slots(swq_context *ctx, const swq_async *n, double flits)
{
    if (slots_of(n, flits) <= MOST_PACKETS)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "bytes must be less: an input would hold up to %.0f packets of %d flits, more "
                    "than %d",
                    slots_of(n, flits), swq_async_shortest(n), MOST_PACKETS);
}

static swq_status check_chunks(swq_context *ctx, const swq_async *n, int ports)
{
    const int capacity = capacity_of(n, ports),
              packet = (n->packet.max + n->packet.block - 1) / n->packet.block;
    const int reserved = n->architecture.stores.queue_min / n->packet.block;
    const int others = (ports - 1) * reserved;
    const int least = packet > reserved ? packet + others : reserved + others;

    if (n->memory.bytes % n->packet.block)
        return swq_fail(ctx, SWQ_EINVAL,
                        "bytes must be whole chunks of %d flits, not %d flits (%d chunks and %d "
                        "flits)",
                        n->packet.block, n->memory.bytes, n->memory.bytes / n->packet.block,
                        n->memory.bytes % n->packet.block);
    if (n->architecture.stores.queue_min < 0 || n->architecture.stores.queue_min % n->packet.block)
        return swq_fail(ctx, SWQ_EINVAL, "queue-min must be whole chunks of %d flits, not %d flits",
                        n->packet.block, n->architecture.stores.queue_min);
    if (capacity < least)
        return swq_fail(ctx, SWQ_EINVAL,
                        "bytes must be at least %d flits, so that an input buffer has the %d "
                        "chunks of %d that a packet of %d needs%s%s, not %d",
                        (least * n->packet.block + n->memory.bytes - capacity * n->packet.block +
                         n->packet.block - 1) /
                            n->packet.block * n->packet.block,
                        least, n->packet.block, n->packet.max,
                        reserved ? " beside those reserved for other queues" : "",
                        n->architecture.stores.count_all
                            ? " and the crosspoints' FIFOs and registers fit, too"
                            : "",
                        n->memory.bytes);
    return check_slots(ctx, n, (double)capacity * n->packet.block + (double)ports * fifo_of(n));
}

static swq_status check_hipiqs(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    swq_status status = check_all(ctx, n, f);

    if (status)
        return status;
    if (n->packet.block < f->ports || n->packet.block > MOST_CHUNK)
        return swq_fail(ctx, SWQ_EINVAL,
                        "chunk must be %d to %d flits, at least the ports of a switch, as each "
                        "output reads one chunk of an input in as many cycles, not %d",
                        f->ports, MOST_CHUNK, n->packet.block);
    if (n->architecture.stores.crosspoint_chunks < 2 ||
        n->architecture.stores.crosspoint_chunks > MOST_CHUNK)
        return swq_fail(ctx, SWQ_EINVAL,
                        "crosspoint-chunks must be 2 to %d, as an output waits up to a chunk's "
                        "time for its turn at the memory, not %d",
                        MOST_CHUNK, n->architecture.stores.crosspoint_chunks);
    if (n->link.hop_delay < LEAST_HOP)
        return swq_fail(ctx, SWQ_EINVAL,
                        "hop-delay must be %d to 4096 with architecture %s, a cycle on the link "
                        "and two in the switch, not %d",
                        LEAST_HOP, n->architecture.row->name, n->link.hop_delay);
    if (n->architecture.stores.bank_turns &&
        (n->architecture.stores.crosspoint != SWQ_CROSSPOINT_REGISTERS ||
         n->link.hop_delay != LEAST_HOP))
        return swq_fail(
            ctx, SWQ_EINVAL,
            "banks turns needs crosspoint registers and a hop-delay of %d, not %s and %d",
            LEAST_HOP,
            n->architecture.stores.crosspoint == SWQ_CROSSPOINT_REGISTERS ? "registers" : "ram",
            n->link.hop_delay);
    return check_chunks(ctx, n, f->ports);
}

/* Memory in equal parts. */
static swq_status check_parts(swq_context *ctx, const swq_async *n, int parts, const char *what)
{
    if (n->packet.block != 1)
        return swq_fail(ctx, SWQ_EINVAL,
                        "chunk is not for architecture %s, whose memory goes by "
                        "flits",
                        n->architecture.row->name);
    if (n->memory.bytes % parts)
        return swq_fail(ctx, SWQ_EINVAL,
                        "bytes must be a multiple of the %d %s of an input, not "
                        "%d flits",
                        parts, what, n->memory.bytes);
    if (n->memory.bytes / parts < n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "bytes must be at least %d flits, so that each of %d %s of an input takes "
                        "a packet of %d, not %d",
                        n->packet.max * parts, parts, what, n->packet.max, n->memory.bytes);
    return check_slots(ctx, n, n->memory.bytes);
}

static swq_status check_crosspoint(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_status status = check_all(ctx, n, f);

    return status ? status : check_parts(ctx, n, f->ports, "crosspoints");
}

static swq_status check_several(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    const swq_status status = check_all(ctx, n, f);

    if (status)
        return status;
    const int most = f->ports > SWQ_MAX_FABRIC_PORTS ? SWQ_MAX_PORTS : SWQ_MAX_FABRIC_PORTS;
    if (n->architecture.stores.fifos < 0 || n->architecture.stores.fifos > most)
        return swq_fail(ctx, SWQ_EINVAL, "fifos must be 1 to %d in switches of %d ports, not %d",
                        most, f->ports, n->architecture.stores.fifos);
    return check_parts(ctx, n, fifos_of(n, f->ports), "fifos");
}

/* ---- laid out ---- */

static void lay_out(swq_async_net *net)
{
    const swq_async *n = net->spec;
    const bool hipiqs = n->architecture.row->async.crosspoints,
               several = n->architecture.row->async.several;
    const bool ram = n->architecture.stores.crosspoint == SWQ_CROSSPOINT_RAM;
    swq_choosing *c = swq_choosing_of(net);

    *c = (swq_choosing){
        .by_output = !several,
        .shared = hipiqs,
        .drawn = n->arbiter.row != &swq_arbiter_rotating,
        .chunk = hipiqs ? (uint32_t)n->packet.block : 1,
    };
    net->queues = several ? fifos_of(n, net->ports) : net->ports;
    net->managed.words = net->ports > SWQ_MAX_FABRIC_PORTS ? SWQ_PORT_SET_WIDE : 0;
    double flits = n->memory.bytes;
    if (hipiqs) {
        c->fifo = (uint32_t)fifo_of(n);
        c->capacity = (uint32_t)capacity_of(n, net->ports);
        c->reserved = (uint32_t)(n->architecture.stores.queue_min / n->packet.block);
        c->behind_fifo = ram ? 2 : 1; /* 4 or 3 cycles instead of 2 */
        c->behind_queue = ram ? 5 : 4;
        flits = (double)c->capacity * c->chunk + (double)net->ports * c->fifo;
    } else {
        c->capacity = (uint32_t)(n->memory.bytes / net->queues);
    }
    net->slots = (int)slots_of(n, flits);
    net->system.store_room[0] = n->memory.bytes;
}

static void list(swq_async_net *net, swq_arrays *list)
{
    swq_choosing *c = swq_choosing_of(net);

    SWQ_ARRAY(list, c->queue, (double)net->inputs * net->queues);
    SWQ_ARRAY(list, c->held, net->managed.words ? 0 : net->inputs);
    SWQ_ARRAY(list, c->wide_held, net->managed.words ? net->inputs : 0);
    SWQ_ARRAY(list, c->need, net->inputs);
    SWQ_ARRAY(list, c->routed, net->inputs);
    SWQ_ARRAY(list, c->pointer, net->inputs);
    SWQ_ARRAY(list, c->output, (double)net->inputs * net->slots);
    if (net->spec->architecture.stores.bank_turns) {
        SWQ_ARRAY(list, c->banked, (double)net->inputs * net->queues);
        SWQ_ARRAY(list, c->passed, net->inputs);
        SWQ_ARRAY(list, c->next_reader, net->inputs);
    }
}

/* ---- counted ---- */

static void begin(swq_async_net *net)
{
    swq_choosing *c = swq_choosing_of(net);

    c->samples = c->taken = c->partly = c->unfilled = 0;
    c->turns = c->waits = c->left = c->gaps = 0;
    c->most_partly = 0;
}

/* Do the flits of a queue's packets match the queue's counts? */
static bool queue_conserved(const swq_async_net *net, uint32_t port, int k, uint32_t *routed)
{
    const swq_flit_queue *q =
        &swq_choosing_of(net)->queue[(size_t)port * (uint32_t)net->queues + (uint32_t)k];
    const swq_parcel *store = swq_parcels_of(net, port);
    uint32_t flits = 0;

    const swq_managed *m = &net->managed;
    const bool holds = m->words ? swq_in_set(m, m->full, port, k) : net->port[port].full >> k & 1;
    uint16_t slot = holds ? swq_queues_of(net, port)[k].head : SWQ_NO_SLOT;
    for (; slot != SWQ_NO_SLOT; slot = store[slot].next) {
        flits += store[slot].bytes;
        routed[swq_choosing_of(net)->output[&store[slot] - net->parcel]] += store[slot].bytes;
    }
    return flits == q->came - q->went;
}

static bool conserved(const swq_async_net *net)
{
    const swq_choosing *c = swq_choosing_of(net);
    bool fine = true;

    for (uint32_t base = 0; base < net->inputs; base += (uint32_t)net->ports) {
        uint32_t routed[SWQ_MAX_PORTS] = {0};
        for (uint32_t port = base; port < base + (uint32_t)net->ports; port++) {
            uint32_t chunks = 0;
            for (int k = 0; k < net->queues; k++) {
                swq_flit_queue q = c->queue[(size_t)port * (uint32_t)net->queues + (uint32_t)k];
                fine = fine && queue_conserved(net, port, k, routed);
                swq_flits_settle(&q, c->fifo, net->cycle);
                const uint32_t taken = swq_flits_chunks(&q, c->fifo, c->chunk, net->cycle);
                fine = fine && taken <= c->capacity;
                chunks += taken;
            }
            fine = fine && (!c->shared || chunks <= c->capacity);
        }
        for (int o = 0; o < net->ports; o++)
            fine = fine && routed[o] == c->routed[base + (uint32_t)o];
    }
    return fine;
}

static uint32_t held(const swq_async_net *net, uint32_t store)
{
    const uint32_t queues = (uint32_t)net->queues;
    uint32_t flits = 0;

    for (uint32_t k = 0; k < queues; k++)
        flits +=
            swq_flits_waiting(&swq_choosing_of(net)->queue[(size_t)store * queues + k], net->cycle);
    return flits;
}

static void tell(const swq_async_net *net, swq_chunk_use *sum, uint64_t *samples)
{
    const swq_choosing *c = swq_choosing_of(net);

    sum->taken += (double)c->taken;
    sum->partly += (double)c->partly;
    sum->unfilled += (double)c->unfilled;
    sum->most_partly = fmax(sum->most_partly, c->most_partly);
    sum->lost = NAN;
    sum->turns += (double)c->turns;
    sum->waited += (double)c->waits;
    sum->flits += (double)c->left;
    sum->gaps += (double)c->gaps;
    *samples += c->samples;
}

#define CHOOSING                                                                                   \
    .kernel = &swq_kernel_choosing, .wide_kernel = &swq_kernel_choosing_wide,                      \
    .state = sizeof(swq_choosing), .lay_out = lay_out, .list = list, .conserved = conserved,       \
    .held = held, .ahead = DETOUR

static const swq_store_hooks hipiqs = {
    CHOOSING,
    .check = check_hipiqs,
    .begin = begin,
    .tell = tell,
};

static const swq_store_hooks crosspoint = {CHOOSING, .check = check_crosspoint};

static const swq_store_hooks several = {CHOOSING, .check = check_several};

const swq_architecture swq_hipiqs = {
    .name = "hipiqs",
    .summary = "an input buffer in chunks with a queue for each output, all read at once, and a "
               "small FIFO at each crosspoint",
    .source = "Sivaram, Stunkel and Panda (1997), 3",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "input queues, one buffer an input: several queues, read at once",
              .crosspoints_cost = "(k+2) k^2 f",
              .arbitration = "an arbiter an output, in turns from behind the last one on",
              .stores = &hipiqs,
              .chunks = true,
              .crosspoints = true},
};

const swq_architecture swq_crosspoint_queued = {
    .name = "crosspoint",
    .summary = "a buffer for each pair of an input and an output: --crosspoint-slots",
    .source = "SAFC of Frazier (1995); Sivaram, Stunkel and Panda (1997), 2.1; Kanizo, Hay and "
              "Keslassy (2009)",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .stage = {.crosspoints = true,
              .arbitrates = true,
              .columns = true,
              .apart = true,
              .move = SWQ_STEP_SEND},
    .async = {.place = "input queues, several buffers an input: one for each output",
              .crosspoints_cost = "k^2 f",
              .arbitration = "an arbiter an output, in turns from behind the last one on",
              .stores = &crosspoint},
};

const swq_architecture swq_multi_buffer = {
    .name = "multi-buffer",
    .summary = "several FIFOs per input, all read at once; a packet joins the FIFO with the fewest "
               "packets",
    .source = "PaRC, Arctic (Boughton 1994), PRC (Mu et al. 1996)",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "input queues, several buffers an input: for any output",
              .crosspoints_cost = "k^3 f",
              .arbitration = "an arbiter an output, over all buffers, in turns",
              .stores = &several,
              .several = true},
};
