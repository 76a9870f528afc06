/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The classical recursions as methods: the formulas of models/formulas, applied to the simulator's
 * spec.
 */
#include "approx/methods.h"

#include "base/context.h"
#include "models/buffers/buffers.h"
#include "switchq/formula.h"

#include <math.h>
#include <stdio.h>

/* ---- blocking: Jenq; Yoon, Lee and Liu; the small cycle ---- */

/* Throughput and delay of the network if its inputs offer packets at a rate. */
typedef swq_status recursion(swq_context *ctx, const swq_network *n, double rate,
                             double *throughput, double *delay);

/* The recursions offer a new packet at `rate` in every cycle and forget refused packets. A source
 * that holds its packet offers it again: with acceptance a, entries are 1 / load + 1 / a - 1 cycles
 * apart (the next packet is drawn after the last one entered, and offered in the cycle of its
 * creation), so that it offers at the rate 1 / (a / load + 1 - a). Offers fall as the acceptance
 * rises, so a bisection finds the rate. */
static swq_status with_holding_sources(swq_context *ctx, const swq_network *n, recursion *recurse,
                                       swq_approx_result *r)
{
    const double load = n->traffic.load;
    double least = load, most = 1, throughput = 0, delay = 0, accepted = 1;

    for (r->steps = 1; r->steps <= 60; r->steps++) {
        double rate = load >= 1 ? 1 : (least + most) / 2;
        swq_status status = recurse(ctx, n, rate, &throughput, &delay);
        if (status)
            return status;
        accepted = fmin(throughput / rate, 1);
        r->change = fabs(1 / (accepted / load + 1 - accepted) - rate);
        if (r->change < 1e-9 * rate)
            break;
        if (1 / (accepted / load + 1 - accepted) > rate)
            least = rate;
        else
            most = rate;
    }
    r->throughput = throughput;
    r->latency = delay + 1 / accepted - 1;
    r->refusal = 1 - accepted;
    r->source_queue = throughput * (1 / accepted - 1);
    for (int s = 0; s < n->shape.stages; s++)
        r->stage[s].sent = throughput;
    return SWQ_OK;
}

/* FIFOs that block, with the given credit. */
#define BLOCKING_FIFOS(credit)                                                                     \
    {                                                                                              \
        .fabrics = approx_multistage, .buffers = approx_fifo_buffers, .patterns = approx_uniform,  \
        .flows = (credit)                                                                          \
    }
static const swq_approx_takes fifos_same = BLOCKING_FIFOS(SWQ_TAKES_BLOCK_SAME),
                              fifos_next = BLOCKING_FIFOS(SWQ_TAKES_BLOCK_NEXT);

static swq_status jenq_rate(swq_context *ctx, const swq_network *n, double rate, double *throughput,
                            double *delay)
{
    return swq_jenq(ctx, n->shape.stages, rate, throughput, delay);
}

static const char *jenq_objection(const swq_network *n, char *text, size_t size)
{
    (void)text, (void)size;
    if (n->sw.ports != 2 || n->sw.buffer.capacity != 1)
        return "switches must be 2 x 2 with one slot at each input";
    return NULL;
}

static swq_status run_jenq(swq_context *ctx, const swq_network *n, swq_approx_result *r)
{
    return with_holding_sources(ctx, n, jenq_rate, r);
}

static swq_status delta_rate(swq_context *ctx, const swq_network *n, double rate,
                             double *throughput, double *delay)
{
    return swq_blocking_delta(ctx, n->sw.ports, n->shape.stages, n->sw.buffer.capacity,
                              n->sw.credit == SWQ_CREDIT_SAME, rate, throughput, delay);
}

static const char *slots_objection(const swq_network *n, char *text, size_t size)
{
    if (n->sw.buffer.capacity <= 64)
        return NULL;
    snprintf(text, size, "at most 64 slots, not %d", n->sw.buffer.capacity);
    return text;
}

static swq_status run_delta(swq_context *ctx, const swq_network *n, swq_approx_result *r)
{
    return with_holding_sources(ctx, n, delta_rate, r);
}

/* ---- errors of the methods ---- */

static bool three_stages_of_four(const swq_network *n)
{
    return n->shape.stages == 3 && n->sw.ports == 4;
}

static const char three_of_four[] = "3 stages of 4 x 4 switches";

static const char *jenq_off(const swq_network *n, char *text, size_t size)
{
    return approx_off_where(n->shape.stages == 6, "6 stages",
                            "throughput was 1% too high at load 0.3 and 23% at 0.9, latency 5 to "
                            "12% too low",
                            text, size);
}

static const char *yoon_off(const swq_network *n, char *text, size_t size)
{
    return approx_off_where(three_stages_of_four(n), three_of_four,
                            "throughput at full load was 12 to 23% too high, latency 9 to 13% too "
                            "low at load 0.4",
                            text, size);
}

static const char *small_cycle_off(const swq_network *n, char *text, size_t size)
{
    return approx_off_where(three_stages_of_four(n), three_of_four,
                            "throughput at full load was 13 to 22% too high, latency 9 to 14% too "
                            "low at load 0.4",
                            text, size);
}

static const char *waits_off(const swq_network *n, char *text, size_t size)
{
    if (n->sw.flow == SWQ_DISCARD)
        return "what is lost is left out";
    return approx_off_where(three_stages_of_four(n), three_of_four,
                            "latency of large buffers was within 0.2% of simulated ones up to load "
                            "0.5; what blocking costs is left out",
                            text, size);
}

static const char *unbuffered_off(const swq_network *n, char *text, size_t size)
{
    (void)n, (void)text, (void)size;
    return "what buffers bring is left out";
}

const swq_approx_method approx_jenq = {
    .name = "jenq",
    .summary =
        "blocking buffers of one slot, each a chain of two states, full and empty; credit same",
    .assumptions = "2 x 2 switches, one slot at each input, which can be taken in the cycle in "
                   "which it is freed; buffers independent of one another; a blocked packet draws "
                   "its output anew",
    .source = "Jenq (1983)",
    .error = "6 stages, against the simulator: throughput +1% at load 0.3, +23% at 0.9; latency -5 "
             "to -12%",
    .off = jenq_off,
    .takes = &fifos_same,
    .objection = jenq_objection,
    .run = run_jenq,
};

const swq_approx_method approx_yoon = {
    .name = "yoon-lee-liu",
    .summary = "blocking FIFOs, each buffer a chain of its number of packets; credit same",
    .assumptions =
        "FIFO buffers, credit same; buffers independent of one another; a blocked packet "
        "draws its output anew",
    .source = "Yoon, Lee and Liu (1990)",
    .error =
        "4 x 4, 3 stages, 1 to 12 slots, against the simulator: throughput at full load +12 to "
        "+23%; latency -9 to -13% at load 0.4",
    .off = yoon_off,
    .takes = &fifos_same,
    .objection = slots_objection,
    .run = run_delta,
};

const swq_approx_method approx_small_cycle = {
    .name = "small-cycle",
    .summary = "blocking FIFOs, each buffer a chain of its number of packets; credit next",
    .assumptions =
        "FIFO buffers, credit next; buffers independent of one another; a blocked packet "
        "draws its output anew",
    .source = "after Ding and Bhuyan (1994)",
    .error =
        "4 x 4, 3 stages, 1 to 12 slots, against the simulator: throughput at full load +13 to "
        "+22%; latency -9 to -14% at load 0.4, -12 to -52% at 0.6",
    .off = small_cycle_off,
    .takes = &fifos_next,
    .objection = slots_objection,
    .run = run_delta,
};

/* ---- buffers that never fill ---- */

static const char *waits_objection(const swq_network *n, char *text, size_t size)
{
    (void)text, (void)size;
    if (n->traffic.load >= 1)
        return "load must be below 1: queues without limit have no mean there";
    return NULL;
}

/* A read port for every queue. */
static const swq_buffer_kind *const read_each[] = {&swq_buffer_safc, &swq_buffer_dafc,
                                                   &swq_buffer_cbda, NULL};
static const swq_approx_takes queues_that_all_send = {
    .fabrics = approx_multistage,
    .buffers = read_each,
    .patterns = approx_uniform,
    .flows = SWQ_TAKES_ANY_FLOW,
    .limits = SWQ_TAKES_ANY_LIMITS,
    .needs = SWQ_NEEDS(SWQ_NEED_AGES) | SWQ_NEEDS(SWQ_NEED_OPEN_PORTS),
};

static swq_status run_waits(swq_context *ctx, const swq_network *n, swq_approx_result *r)
{
    const double load = n->traffic.load;

    (void)ctx;
    r->throughput = load;
    r->latency = n->shape.stages;
    for (int s = 0; s < n->shape.stages; s++) {
        double wait = swq_stage_wait(n->sw.ports, load, s + 1);
        r->latency += wait;
        r->stage[s] = (swq_approx_stage){n->sw.ports * load * wait, load, NAN, 0};
    }
    return SWQ_OK;
}

const swq_approx_method approx_waits = {
    .name = "kruskal-snir-weiss",
    .summary = "output queues that never fill: waits stage by stage",
    .assumptions = "queues without limit, served in order of arrival",
    .source = "Kruskal, Snir and Weiss (1988)",
    .error = "CBDA of 4 slots and more and SAFC of 12, 4 x 4, 3 stages, against the simulator: "
             "latency within 0.2% up to load 0.5; what blocking costs is left out: CBDA-4 at load "
             "0.9 throughput +12%",
    .off = waits_off,
    .takes = &queues_that_all_send,
    .objection = waits_objection,
    .run = run_waits,
};

/* ---- no buffers ---- */

/* Slots and arbiters make no difference. */
static const swq_approx_takes any_that_discards = {
    .fabrics = approx_multistage,
    .patterns = approx_uniform,
    .flows = SWQ_TAKES_DISCARD_SAME | SWQ_TAKES_DISCARD_NEXT,
    .limits = SWQ_TAKES_ANY_LIMITS,
    .needs = SWQ_NEEDS(SWQ_NEED_AGES) | SWQ_NEEDS(SWQ_NEED_OPEN_PORTS),
};

static swq_status run_unbuffered(swq_context *ctx, const swq_network *n, swq_approx_result *r)
{
    double rate[SWQ_MAX_STAGES], before = n->traffic.load;

    (void)ctx;
    r->throughput = swq_unbuffered_rate(n->sw.ports, n->sw.ports, n->shape.stages, before, rate);
    r->latency = n->shape.stages;
    r->discard_fraction = 1 - r->throughput / n->traffic.load;
    for (int s = 0; s < n->shape.stages; s++) {
        r->stage[s] = (swq_approx_stage){0, rate[s], NAN, 1 - rate[s] / before};
        before = rate[s];
    }
    return SWQ_OK;
}

const swq_approx_method approx_unbuffered = {
    .name = "patel",
    .summary = "no buffers: of the packets for one output, one goes on and the others are lost",
    .assumptions = "the slots are left out; exact for a network that has none",
    .source = "Patel (1981)",
    .error = "what buffers bring is left out: FIFO-1 with a slot delivers more",
    .off = unbuffered_off,
    .takes = &any_that_discards,
    .run = run_unbuffered,
};
