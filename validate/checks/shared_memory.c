/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with one memory for all ports against cycles that follow from their rules by hand
 * (docs/asynchronous.md, "One memory for all"): a trace, and the sum of its packets' latencies. H
 * is the hop delay, k the ports of a switch and the flits of a chunk, B the flits of a FIFO, L the
 * flits of a packet.
 */
#include "base/context.h"
#include "validate/checks/compare.h"
#include "validate/checks/families.h"
#include "validate/figures/figures.h"

#include <stdio.h>

enum { H = 3, K = 8, B = 32, MOST_LINES = 400, EACH = 40 };

typedef enum shared_kind { ALONE, STALLED, ADMITTED, WRITTEN, HOT } shared_kind;

typedef struct shared_case {
    shared_kind kind;
    bool modules;
    int flits;
    const char *claim;
} shared_case;

static const shared_case cases[] = {
    {ALONE, false, 1, "a packet alone takes 2 cycles for each switch and 1 for each link"},
    {ALONE, false, 100, "a packet alone takes 2 cycles for each switch and 1 for each link"},
    {ALONE, true, 100, "a packet alone takes 2 cycles for each switch and 1 for each link"},
    {STALLED, false, 64, "a packet stalls in the FIFO; its sender's next follows its tail"},
    {STALLED, false, 100, "a packet stalls in the FIFO; its sender's next follows its tail"},
    {ADMITTED, false, 64, "a packet is admitted when all of its chunks are free"},
    {ADMITTED, false, 104, "a packet is admitted when all of its chunks are free"},
    {WRITTEN, false, 1, "an input writes one packet after another while others write nothing"},
    {WRITTEN, false, 5, "an input writes one packet after another while others write nothing"},
    {WRITTEN, true, 1, "an input writes one packet after another while others write nothing"},
    {HOT, false, 1, "an output reads one packet after another while others read nothing"},
    {HOT, false, 3, "an output reads one packet after another while others read nothing"},
    {HOT, false, 8, "an output reads one packet after another while others read nothing"},
    {HOT, false, 9, "an output reads one packet after another while others read nothing"},
    {HOT, false, 16, "an output reads one packet after another while others read nothing"},
    {HOT, true, 3, "an output reads one packet after another while others read nothing"},
    {HOT, true, 16, "an output reads one packet after another while others read nothing"},
};

static int count(swq_effort effort)
{
    (void)effort;
    return (int)(sizeof cases / sizeof *cases);
}

static void describe(swq_effort effort, int k, swq_check *check)
{
    static const char *const kinds[] = {"alone", "stalled", "admitted", "written", "hot"};
    const shared_case *c = &cases[k];

    (void)effort;
    snprintf(check->name, sizeof check->name, "shared-memory/%s,architecture=%s,flits=%d",
             kinds[c->kind], c->modules ? "prizma" : "central", c->flits);
    snprintf(check->claim, sizeof check->claim, "%s of %d flits: %s",
             c->modules ? "prizma, packets" : "central, packets", c->flits, c->claim);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 0.01;
}

/* ---- workloads ---- */

/* A trace, and the sum of its latencies. */
typedef struct shared_work {
    swq_async_message line[MOST_LINES];
    uint64_t lines;
    double sum;
    swq_async_result result;
} shared_work;

static void message(shared_work *w, uint64_t cycle, uint32_t from, uint32_t to, int flits,
                    double latency)
{
    w->line[w->lines++] = (swq_async_message){cycle, from, to, (uint32_t)flits};
    w->sum += latency;
}

/* Single packets, which meet no other packet, through 1, 3 and 5 switches. */
static void alone(shared_work *w, int flits)
{
    message(w, 7, 5, 6, flits, H);
    message(w, 1000, 5, 9, flits, 3 * H);
    message(w, 2000, 5, 60, flits, 5 * H);
}

/* The pool has room for one packet. The packet of input 0 bypasses the pool, the packet of input 1
 * is stored, and the packet of input 3 bypasses the pool when the output is idle again. The next
 * packet of the sender at input 3 follows the tail of its first packet. */
static void stalled(shared_work *w, int flits)
{
    message(w, 0, 0, 2, flits, H);
    message(w, 0, 1, 2, flits, H + flits);
    message(w, 0, 3, 2, flits, H + 2 * flits);
    message(w, 0, 3, 1, flits, H + 3 * flits);
}

/* Packets of one flit that never wait, so that the switch is looked at in every cycle. */
static void others(shared_work *w)
{
    for (uint64_t i = 0; i < 130; i++)
        message(w, 3 * i, 4, 6, 1, H);
}

/* As in stalled(), but input 0 has a second packet for output 2. When the output is idle again it
 * is input 3's turn. So the second packet of input 0 is stored then, as the last chunk that it
 * needs has just become free, and lets the third packet of input 0 pass. */
static void admitted(shared_work *w, int flits)
{
    stalled(w, flits);
    w->lines--;
    w->sum -= H + 3 * flits;
    message(w, 0, 0, 2, flits, H + 3 * flits);
    message(w, 0, 0, 1, flits, H + 3 * flits);
}

/* While a packet of 64 flits goes to output 2, ten packets of input 0 for output 2 are stored as
 * they come; the packet behind them, for output 3, finds its output idle. */
static void written(shared_work *w, int flits, bool modules)
{
    enum { LONG = 64, AFTER = 20, STORED = 10 };
    const int first = H + LONG;

    message(w, 0, 1, 2, LONG, H);
    for (int i = 0; i < STORED; i++) {
        const int ready = AFTER + H + flits * i + (modules ? 0 : flits + 1);
        const int idle = first + flits * i;
        message(w, AFTER, 0, 2, flits, (ready > idle ? ready : idle) - AFTER);
    }
    message(w, AFTER, 0, 3, flits, H + flits * STORED);
}

/* All inputs have packets for one output. The first packet bypasses the pool; next comes a packet
 * that has been gathered, written and read; the other packets follow. */
static void hot(shared_work *w, int flits, bool modules)
{
    const int gathered = flits < K ? flits : K;
    const int first = H + (modules ? flits : flits > gathered + 1 ? flits : gathered + 1);

    for (int i = 0; i < EACH * K; i++)
        message(w, 0, (uint32_t)(i % K), 5, flits, i == 0 ? H : first + (i - 1) * flits);
}

static void make(const shared_case *c, shared_work *w)
{
    switch (c->kind) {
    case ALONE:
        alone(w, c->flits);
        break;
    case STALLED:
        stalled(w, c->flits);
        others(w);
        break;
    case ADMITTED:
        admitted(w, c->flits);
        others(w);
        break;
    case WRITTEN:
        written(w, c->flits, c->modules);
        break;
    case HOT:
        hot(w, c->flits, c->modules);
        break;
    }
}

/* ---- a case ---- */

static swq_status simulate(swq_context *ctx, const shared_case *c, shared_work *w)
{
    swq_sim_options options = swq_sim_defaults();
    const bool one = c->kind == STALLED || c->kind == ADMITTED;
    const char *fabric = c->kind == ALONE ? "tree --arity 4 --levels 3" : "switch --ports 8";
    swq_figure_setting s;
    swq_status status = figure_network(
        ctx, &s,
        "--engine async --topology %s --architecture %s --max-packet %d --bytes %d --hop-delay %d "
        "--link-rest 0 --load 1",
        fabric, c->modules ? "prizma" : "central", c->kind == WRITTEN ? 64 : c->flits,
        B + (one ? (c->flits + K - 1) / K : 640), H);

    s.async.traffic.trace = w->line;
    s.async.traffic.trace_messages = w->lines;
    options.warmup = 0;
    options.cycles = 100000;
    return status ? status : swq_async_run(ctx, &s.async, &options, NULL, &w->result);
}

/* Compares the turns that a packet leaves unused, and the parts of its chunks that it leaves
 * empty. */
static void compare_chunks(const shared_case *c, const swq_chunk_use *use, swq_finding *f)
{
    const int chunks = (c->flits + K - 1) / K, left = chunks * K - c->flits;

    if (c->modules) {
        swq_compare(f, "unfilled", use->unfilled, 0); /* modules of exactly that length */
        return;
    }
    swq_compare(f, "bandwidth lost", use->lost, (double)left / (chunks * K));
    swq_compare(f, "unfilled", use->unfilled, left * use->partly);
}

static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    const shared_case *c = &cases[k];
    shared_work *w = swq_calloc(ctx, 1, sizeof *w);
    swq_status status = w ? SWQ_OK : swq_memory_status(ctx);

    (void)effort;
    (void)seed;
    if (!status) {
        make(c, w);
        status = simulate(ctx, c, w);
    }
    if (!status) {
        const swq_sim_result *r = &w->result.sim;
        swq_compare(f, "delivered", (double)r->all.delivered, (double)w->lines);
        swq_compare(f, "sum of latencies", r->all.latency.mean * (double)r->all.delivered, w->sum);
        swq_compare(f, "conserved", r->conserved && r->little_exact, 1);
        if (c->kind == HOT)
            compare_chunks(c, &w->result.chunks, f);
        swq_judge(f, 1e-9);
    }
    swq_free(ctx, w);
    return status;
}

const swq_family swq_family_shared_memory = {
    .name = "shared-memory",
    .title = "One memory for all ports against cycles derived by hand",
    .legs = "asynchronous networks of architectures central and prizma; their rules",
    .criterion = "every packet arrives, the latencies add up, and bandwidth and space are lost "
                 "exactly to chunks that are not full, to 1e-9",
    .count = count,
    .describe = describe,
    .run = run,
};
