/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds: a queue of a shared memory takes a packet while it holds less than alpha
 * times the slots that are free.
 * Source: Choudhury and Hahne, IEEE/ACM Trans. Networking 6(2), 1998.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"
#include "models/formulas/queue_chain.h"

#include <math.h>

double swq_threshold_fluid(double slots, double alpha, double overloaded, double others,
                           double *unused)
{
    /* S queues at T = alpha * (what is left by them and the others) */
    double left = (slots - others) / (1 + alpha * overloaded);

    if (unused)
        *unused = left;
    return alpha * left;
}

typedef struct {
    int queues, slots;
    double alpha, load;
} model;

static bool takes(const model *m, int length, int total)
{
    return length < m->alpha * (m->slots - total);
}

static void moves(swq_queue_chain *chain, const void *arg, const int *state)
{
    const model *m = arg;
    int length[SWQ_CHAIN_QUEUES], total = 0;

    for (int i = 0; i < m->queues; i++)
        total += length[i] = state[i];
    for (int i = 0; i < m->queues; i++) {
        if (takes(m, state[i], total)) {
            length[i]++;
            swq_queue_chain_move(chain, length, m->load);
            length[i]--;
        }
        if (state[i] > 0) {
            length[i]--;
            swq_queue_chain_move(chain, length, 1);
            length[i]++;
        }
    }
}

swq_status swq_threshold_chain(swq_context *ctx, int queues, int slots, double alpha, double load,
                               swq_sharing_flow *each, double *longest)
{
    const model m = {queues, slots, alpha, load};
    const int empty[SWQ_CHAIN_QUEUES] = {0};
    int length[SWQ_CHAIN_QUEUES];
    swq_queue_chain chain;
    double *pi = NULL, lost = 0, busy = 0, mean = 0, most = 0;

    if (queues < 1 || queues > SWQ_CHAIN_QUEUES || slots < 1 || slots > SWQ_CHAIN_LENGTH ||
        !(alpha > 0) || !(load >= 0 && load <= 1e6))
        return swq_fail(ctx, SWQ_EINVAL,
                        "1 .. %d queues, 1 .. %d slots, alpha above 0 and a load, not %d, %d, %g "
                        "and %g",
                        SWQ_CHAIN_QUEUES, SWQ_CHAIN_LENGTH, queues, slots, alpha, load);
    swq_status status = swq_queue_chain_solve(ctx, &chain, queues, empty, moves, &m, &pi);
    for (int64_t s = 0; !status && s < chain.states.count; s++) {
        int total = swq_queue_chain_lengths(&chain, s, length);
        mean += pi[s] * total;
        most += pi[s] * length[0];
        for (int i = 0; i < queues; i++) {
            lost += takes(&m, length[i], total) ? 0 : pi[s];
            busy += length[i] > 0 ? pi[s] : 0;
        }
    }
    swq_queue_chain_clear(&chain);
    swq_free(ctx, pi);
    if (status)
        return status;
    each->loss = lost / queues;
    each->throughput = busy / queues;
    each->mean = mean / queues;
    each->delay = load > 0 ? mean / busy : NAN;
    *longest = most;
    return SWQ_OK;
}

static swq_status fluid(swq_context *ctx, const swq_argument *a, double *result)
{
    const double slots = a[0].value, others = a[3].value;

    if (others > slots)
        return swq_fail(ctx, SWQ_EINVAL, "others hold %g slots, more than %g", others, slots);
    result[0] = swq_threshold_fluid(slots, a[1].value, a[2].value, others, &result[1]);
    result[2] = slots > 0 ? result[1] / slots : 0;
    return SWQ_OK;
}

static swq_status exact(swq_context *ctx, const swq_argument *a, double *result)
{
    swq_sharing_flow each = {0, 0, 0, 0};
    double longest = 0;
    swq_status status = swq_threshold_chain(ctx, (int)a[0].value, (int)a[1].value, a[2].value,
                                            a[3].value, &each, &longest);

    if (status)
        return status;
    result[0] = each.loss;
    result[1] = each.throughput * a[0].value;
    result[2] = each.mean * a[0].value;
    result[3] = each.delay;
    result[4] = longest;
    return SWQ_OK;
}

#define ALPHA                                                                                      \
    {                                                                                              \
        .name = "alpha", .summary = "a queue may hold so many times the free slots",               \
        .least = 1e-6, .most = 1e6, .usual = 1                                                     \
    }

const swq_formula swq_formula_threshold_fluid = {
    .name = "dynamic-threshold",
    .summary = "what overloaded queues get of a memory with dynamic thresholds",
    .assumptions = "fluid; queues that have reached the threshold and stay there",
    .source = "Choudhury and Hahne (1998)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "two queues of ten times their service, 40 slots: the exact chain's means are 0.1 to "
             "0.2 packets above it for alpha 1/2, 1 and 2",
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "slots",
             .summary = "packets, or bytes, in the memory",
             .least = 0,
             .most = 1e12,
             .usual = NAN},
            ALPHA,
            {.name = "overloaded",
             .summary = "queues at the threshold",
             .least = 0,
             .most = 1e6,
             .usual = NAN,
             .whole = true},
            {.name = "others",
             .summary = "slots that queues below the threshold hold",
             .least = 0,
             .most = 1e12,
             .usual = 0},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"threshold", "slots that each overloaded queue has"},
            {"unused", "slots left free"},
            {"unused_fraction", "of the memory"},
        },
    .results = 3,
    .evaluate = fluid,
};

const swq_formula swq_formula_threshold_chain = {
    .name = "dynamic-threshold-chain",
    .summary = "loss and delay with dynamic thresholds, packet by packet",
    .assumptions = "equal queues, Poisson arrivals, exponential services; at most 2000 states "
                   "when queues may change names",
    .source = "Choudhury and Hahne's rule (1998), its chain solved",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "queues",
             .summary = "alike",
             .least = 1,
             .most = SWQ_CHAIN_QUEUES,
             .usual = NAN,
             .whole = true},
            {.name = "slots",
             .summary = "packets in the memory",
             .least = 1,
             .most = SWQ_CHAIN_LENGTH,
             .usual = NAN,
             .whole = true},
            ALPHA,
            {.name = "load",
             .summary = "arrivals per service time for each queue",
             .least = 0,
             .most = 1e6,
             .usual = NAN},
        },
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"loss", "fraction of the packets"},
            {"throughput", "packets per service time, all queues"},
            {"mean", "packets in the memory"},
            {"delay", "service times, waiting and service, of packets that are not lost"},
            {"longest", "packets in the longest queue, on average"},
        },
    .results = 5,
    .evaluate = exact,
};
