/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with stores of their own, on traces that were worked out by hand: cycles from each
 * packet's creation until it leaves the one 4 x 4 switch, summed. The hop delay is 3, lengths are
 * in flits. In most cases input 0's packet holds output 3, for which input 1 has others.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 8 };

typedef struct {
    const char *name, *claim;
    const char *architecture, *options; /* of it, and of the network */
    int packets;
    swq_async_message packet[MOST]; /* cycle, from, to, flits */
    double cycles;                  /* computed by hand */
} stores_case;

/* clang-format off */
static const stores_case cases[] = {
    {.name = "alone", .claim = "a packet that waits for nothing takes two cycles for each switch",
     .architecture = "hipiqs", .options = "--bytes 64 --chunk 8",
     .packets = 1, .packet = {{7, 0, 3, 8}},
     .cycles = 3},
    /* the second packet of input 1 arrives while one flit before it is in the register, and one in
     * the FIFO */
    {.name = "registers", .claim = "behind a flit in the FIFO a packet takes three cycles",
     .architecture = "hipiqs", .options = "--bytes 64 --chunk 8",
     .packets = 3, .packet = {{0, 0, 3, 8}, {0, 1, 3, 8}, {15, 1, 3, 1}},
     .cycles = 3 + 11 + 4},
    {.name = "ram", .claim = "... and four through a RAM",
     .architecture = "hipiqs", .options = "--bytes 64 --chunk 8 --crosspoint ram",
     .packets = 3, .packet = {{0, 0, 3, 8}, {0, 1, 3, 8}, {15, 1, 3, 1}},
     .cycles = 3 + 11 + 5},
    /* with two ports and chunks of two flits the FIFO takes four; the third packet finds it full
     * in cycle 13, and could start in 19 if it had not to go through the memory */
    {.name = "memory", .claim = "behind a full FIFO, which is a RAM, it takes seven cycles",
     .architecture = "hipiqs", .options = "--bytes 64 --chunk 2 --ports 2 --crosspoint ram",
     .packets = 3, .packet = {{0, 0, 1, 8}, {0, 1, 1, 8}, {12, 1, 1, 1}},
     .cycles = 3 + 11 + 8},
    /* of 40 flits, 16 are in the FIFO and 24 in three chunks, the last of which is free when 24
     * flits have left, from cycle 43 on */
    {.name = "room", .claim = "a packet is sent when chunks are free for all of it",
     .architecture = "hipiqs", .options = "--bytes 40 --chunk 8",
     .packets = 3, .packet = {{0, 0, 3, 40}, {1, 1, 3, 40}, {2, 1, 2, 40}},
     .cycles = 3 + 42 + 68},
    /* 8 of 24 flits are in a chunk; three of them have been read in cycle 30, and all in cycle
     * 35 */
    {.name = "reading", .claim = "a chunk is free when it has been read to its end",
     .architecture = "hipiqs", .options = "--bytes 24 --chunk 8",
     .packets = 3, .packet = {{0, 0, 3, 24}, {0, 1, 3, 24}, {30, 1, 2, 24}},
     .cycles = 3 + 27 + 8},
    /* four packets fill the FIFO, two share a chunk, and five of six chunks remain */
    {.name = "sharing", .claim = "packets of a queue share a chunk",
     .architecture = "hipiqs", .options = "--bytes 48 --chunk 8",
     .packets = 8, .packet = {{0, 0, 3, 40}, {1, 1, 3, 4}, {5, 1, 3, 4}, {9, 1, 3, 4},
                              {13, 1, 3, 4}, {17, 1, 3, 4}, {21, 1, 3, 4}, {25, 1, 2, 40}},
     .cycles = 3 + 6 * 42 + 3},
    {.name = "turns", .claim = "an output takes its inputs in turns",
     .architecture = "hipiqs", .options = "--bytes 64 --chunk 8",
     .packets = 4, .packet = {{0, 0, 3, 8}, {0, 1, 3, 1}, {1, 1, 3, 1}, {8, 0, 3, 8}},
     .cycles = 3 + 11 + 19 + 4},
    /* the second packet of input 1 may come when the first has left its chunk, in cycle 35, and so
     * delays the third */
    {.name = "reserve", .claim = "chunks are kept for queues that hold fewer than their reserve",
     .architecture = "hipiqs", .options = "--bytes 48 --chunk 8 --queue-min 8",
     .packets = 4, .packet = {{0, 0, 3, 24}, {0, 1, 3, 24}, {1, 1, 3, 24}, {2, 1, 2, 24}},
     .cycles = 3 + 27 + 50 + 60},
    {.name = "crosspoint", .claim = "a crosspoint's buffer serves only its pair",
     .architecture = "crosspoint", .options = "--bytes 64",
     .packets = 4, .packet = {{0, 0, 3, 16}, {0, 1, 3, 16}, {1, 1, 3, 16}, {2, 1, 2, 16}},
     .cycles = 3 + 19 + 37 + 52},
    {.name = "multi-buffer", .claim = "a packet joins the FIFO with the fewest packets, and room",
     .architecture = "multi-buffer", .options = "--bytes 32 --fifos 2",
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
    snprintf(check->name, sizeof check->name, "stores/%s,case=%s", cases[k].architecture,
             cases[k].name);
    snprintf(check->claim, sizeof check->claim, "%s", cases[k].claim);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.01;
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const stores_case *c = &cases[k];
    swq_sim_options options = swq_sim_defaults();
    swq_figure_setting s;
    swq_async_result r;
    uint32_t longest = 1;

    (void)effort;
    (void)seed;
    for (int p = 0; p < c->packets; p++)
        longest = c->packet[p].bytes > longest ? c->packet[p].bytes : longest;
    swq_status status = figure_network(
        ctx, &s,
        "--engine async --stages 1 --architecture %s --max-packet %u --hop-delay 3 --link-rest 0 "
        "--load 1 %s",
        c->architecture, longest, c->options);
    s.async.traffic.trace = c->packet;
    s.async.traffic.trace_messages = (uint64_t)c->packets;
    options.cycles = 1000;
    options.warmup = 0;
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, NULL, &r);
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
