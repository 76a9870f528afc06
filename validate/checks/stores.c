/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with stores of their own, on traces that were worked out by hand: cycles from each
 * packet's creation until it leaves the one 4 x 4 switch, summed. The hop delay is 3, lengths are
 * in flits. In most cases input 0's packet holds output 3, for which input 1 has others.
 */
#include "base/context.h"
#include "switchq/async.h"
#include "validate/checks/families.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 8 };

typedef struct {
    const char *name, *claim;
    const swq_architecture *row;
    int ports; /* 0: 4 */
    int memory, chunk, queue_min, buffers;
    bool ram;
    int packets;
    swq_async_message packet[MOST]; /* cycle, from, to, flits */
    double cycles;                  /* computed by hand */
} stores_case;

/* clang-format off */
static const stores_case cases[] = {
    {.name = "alone", .claim = "a packet that waits for nothing takes two cycles for each switch",
     .row = &swq_hipiqs, .memory = 64, .chunk = 8,
     .packets = 1, .packet = {{7, 0, 3, 8}},
     .cycles = 3},
    /* the second packet of input 1 arrives while one flit before it is in the register, and one in
     * the FIFO */
    {.name = "registers", .claim = "behind a flit in the FIFO a packet takes three cycles",
     .row = &swq_hipiqs, .memory = 64, .chunk = 8,
     .packets = 3, .packet = {{0, 0, 3, 8}, {0, 1, 3, 8}, {15, 1, 3, 1}},
     .cycles = 3 + 11 + 4},
    {.name = "ram", .claim = "... and four through a RAM",
     .row = &swq_hipiqs, .memory = 64, .chunk = 8, .ram = true,
     .packets = 3, .packet = {{0, 0, 3, 8}, {0, 1, 3, 8}, {15, 1, 3, 1}},
     .cycles = 3 + 11 + 5},
    /* with two ports and chunks of two flits the FIFO takes four; the third packet finds it full
     * in cycle 13, and could start in 19 if it had not to go through the memory */
    {.name = "memory", .claim = "behind a full FIFO, which is a RAM, it takes seven cycles",
     .row = &swq_hipiqs, .memory = 64, .chunk = 2, .ports = 2, .ram = true,
     .packets = 3, .packet = {{0, 0, 1, 8}, {0, 1, 1, 8}, {12, 1, 1, 1}},
     .cycles = 3 + 11 + 8},
    /* of 40 flits, 16 are in the FIFO and 24 in three chunks, the last of which is free when 24
     * flits have left, from cycle 43 on */
    {.name = "room", .claim = "a packet is sent when chunks are free for all of it",
     .row = &swq_hipiqs, .memory = 40, .chunk = 8,
     .packets = 3, .packet = {{0, 0, 3, 40}, {1, 1, 3, 40}, {2, 1, 2, 40}},
     .cycles = 3 + 42 + 68},
    /* 8 of 24 flits are in a chunk; three of them have been read in cycle 30, and all in cycle
     * 35 */
    {.name = "reading", .claim = "a chunk is free when it has been read to its end",
     .row = &swq_hipiqs, .memory = 24, .chunk = 8,
     .packets = 3, .packet = {{0, 0, 3, 24}, {0, 1, 3, 24}, {30, 1, 2, 24}},
     .cycles = 3 + 27 + 8},
    /* four packets fill the FIFO, two share a chunk, and five of six chunks remain */
    {.name = "sharing", .claim = "packets of a queue share a chunk",
     .row = &swq_hipiqs, .memory = 48, .chunk = 8,
     .packets = 8, .packet = {{0, 0, 3, 40}, {1, 1, 3, 4}, {5, 1, 3, 4}, {9, 1, 3, 4},
                              {13, 1, 3, 4}, {17, 1, 3, 4}, {21, 1, 3, 4}, {25, 1, 2, 40}},
     .cycles = 3 + 6 * 42 + 3},
    {.name = "turns", .claim = "an output takes its inputs in turns",
     .row = &swq_hipiqs, .memory = 64, .chunk = 8,
     .packets = 4, .packet = {{0, 0, 3, 8}, {0, 1, 3, 1}, {1, 1, 3, 1}, {8, 0, 3, 8}},
     .cycles = 3 + 11 + 19 + 4},
    /* the second packet of input 1 may come when the first has left its chunk, in cycle 35, and so
     * delays the third */
    {.name = "reserve", .claim = "chunks are kept for queues that hold fewer than their reserve",
     .row = &swq_hipiqs, .memory = 48, .chunk = 8, .queue_min = 8,
     .packets = 4, .packet = {{0, 0, 3, 24}, {0, 1, 3, 24}, {1, 1, 3, 24}, {2, 1, 2, 24}},
     .cycles = 3 + 27 + 50 + 60},
    {.name = "crosspoint", .claim = "a crosspoint's buffer serves only its pair",
     .row = &swq_crosspoint_queued, .memory = 64, .chunk = 1,
     .packets = 4, .packet = {{0, 0, 3, 16}, {0, 1, 3, 16}, {1, 1, 3, 16}, {2, 1, 2, 16}},
     .cycles = 3 + 19 + 37 + 52},
    {.name = "multi-buffer", .claim = "a packet joins the FIFO with the fewest packets, and room",
     .row = &swq_multi_buffer, .memory = 32, .chunk = 1, .buffers = 2,
     .packets = 4, .packet = {{0, 0, 3, 16}, {0, 1, 3, 16}, {1, 1, 3, 16}, {2, 1, 2, 16}},
     .cycles = 3 + 19 + 34 + 36},
};
/* clang-format on */
enum { CASES = sizeof cases / sizeof *cases };

static int count(swq_effort effort)
{
    (void)effort;
    return CASES;
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    (void)effort;
    snprintf(check->name, sizeof check->name, "stores/%s,case=%s", cases[k].row->name,
             cases[k].name);
    snprintf(check->claim, sizeof check->claim, "%s", cases[k].claim);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.01;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const stores_case *c = &cases[k];
    swq_async n = swq_async_defaults();
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;
    swq_status status = swq_fabric_find(ctx, "omega", &n.shape);

    (void)effort;
    (void)seed;
    n.shape.stages = 1;
    n.shape.ports = c->ports ? c->ports : 4;
    n.architecture.row = c->row;
    n.memory.bytes = c->memory;
    n.packet.block = c->chunk;
    n.architecture.stores.queue_min = c->queue_min;
    n.architecture.stores.fifos = c->buffers;
    n.architecture.stores.crosspoint = c->ram ? SWQ_CROSSPOINT_RAM : SWQ_CROSSPOINT_REGISTERS;
    n.packet.max = 1;
    for (int p = 0; p < c->packets; p++)
        n.packet.max =
            (int)c->packet[p].bytes > n.packet.max ? (int)c->packet[p].bytes : n.packet.max;
    n.link.hop_delay = 3;
    n.link.rest = 0;
    n.traffic.trace = c->packet;
    n.traffic.trace_messages = (uint64_t)c->packets;
    options.cycles = 1000;
    options.warmup = 0;
    if (!status)
        status = swq_async_run(ctx, &n, &options, NULL, &r);
    if (status)
        return status;
    f->left = c->cycles;
    f->right = r.sim.all.latency.mean * c->packets;
    f->off = fabs(f->left - f->right);
    f->allowed = 1e-9;
    if (r.sim.total_delivered != (uint64_t)c->packets || !r.sim.conserved || f->off > f->allowed)
        f->outcome = SWQ_OUTCOME_FAIL;
    snprintf(f->text, sizeof f->text, "cycles of %d packets, derived by hand and simulated",
             c->packets);
    return SWQ_OK;
}

const swq_family swq_family_stores = {
    .name = "stores",
    .title = "Switches with other stores, by hand",
    .legs = "cycles derived by hand; asynchronous simulator",
    .criterion = "the same sum of latencies",
    .count = count,
    .describe = describe,
    .run = run,
};
