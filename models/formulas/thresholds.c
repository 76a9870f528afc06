/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic thresholds: a queue of a shared memory takes a packet while it holds less than alpha
 * times the slots that are free.
 * Source: Choudhury and Hahne, IEEE/ACM Trans. Networking 6(2), 1998.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"
#include "models/formulas/queue_chain.h"

#include <math.h>

double swq_threshold_fluid(double slots, double alpha, double overloaded, double others,
                           double *unused)
{
    /* S queues of length T = alpha * (the slots that these and the other queues leave free) */
    double left = (slots - others) / (1 + alpha * overloaded);

    if (unused)
        *unused = left;
    return alpha * left;
}

/* Queues in an order in which queues that are alike are consecutive. */
typedef struct {
    int queues, slots;
    double alpha;
    int queue[SWQ_CHAIN_QUEUES]; /* by place */
    int kind[SWQ_CHAIN_QUEUES];
    double load[SWQ_CHAIN_QUEUES], service[SWQ_CHAIN_QUEUES];
} threshold_model;

/* m must be zero before. */
static swq_status fill(swq_context *ctx, const swq_sharing *s, double alpha, threshold_model *m)
{
    if (s->queues < 1 || s->queues > SWQ_CHAIN_QUEUES || s->slots < 1 ||
        s->slots > SWQ_CHAIN_LENGTH || !(alpha > 0))
        return swq_fail(ctx, SWQ_EINVAL,
                        "1 .. %d queues, 1 .. %d slots and alpha above 0, not %d, %d and %g",
                        SWQ_CHAIN_QUEUES, SWQ_CHAIN_LENGTH, s->queues, s->slots, alpha);
    if (s->most || s->reserved)
        return swq_fail(ctx, SWQ_EINVAL, "dynamic thresholds have no fixed limits for queues");
    m->slots = s->slots;
    m->alpha = alpha;
    for (int i = 0; i < s->queues; i++) {
        double load = s->load[i], service = s->service ? s->service[i] : 1;
        int at = m->queues, kind = i;
        if (!(load >= 0 && load <= 1e6) || !(service > 0 && service <= 1e6))
            return swq_fail(ctx, SWQ_EINVAL, "load and service of queue %d are out of range", i);
        for (int j = 0; j < m->queues; j++)
            if (m->load[j] == load && m->service[j] == service) {
                kind = m->kind[j];
                at = j + 1;
            }
        for (int j = m->queues++; j > at; j--) {
            m->queue[j] = m->queue[j - 1];
            m->kind[j] = m->kind[j - 1];
            m->load[j] = m->load[j - 1];
            m->service[j] = m->service[j - 1];
        }
        m->queue[at] = i;
        m->kind[at] = kind;
        m->load[at] = load;
        m->service[at] = service;
    }
    return SWQ_OK;
}

static bool takes(const threshold_model *m, int length, int total)
{
    return length < m->alpha * (m->slots - total);
}

static void moves(swq_queue_chain *chain, const void *arg, const int *state)
{
    const threshold_model *m = arg;
    int length[SWQ_CHAIN_QUEUES], total = 0;

    for (int i = 0; i < m->queues; i++)
        total += length[i] = state[i];
    for (int i = 0; i < m->queues; i++) {
        if (takes(m, state[i], total)) {
            length[i]++;
            swq_queue_chain_move(chain, length, m->load[i]);
            length[i]--;
        }
        if (state[i] > 0) {
            length[i]--;
            swq_queue_chain_move(chain, length, m->service[i]);
            length[i]++;
        }
    }
}

/* Sums over the states, by place: `lost` is a probability over arrivals, `busy` one over time. */
typedef struct {
    double lost[SWQ_CHAIN_QUEUES], busy[SWQ_CHAIN_QUEUES], mean[SWQ_CHAIN_QUEUES], longest;
} threshold_sums;

static void add_up(const threshold_model *m, const swq_queue_chain *chain, const double *pi,
                   threshold_sums *sum)
{
    int length[SWQ_CHAIN_QUEUES];

    for (int64_t s = 0; s < chain->states.count; s++) {
        int total = swq_queue_chain_lengths(chain, s, length), longest = 0;
        for (int i = 0; i < m->queues; i++) {
            longest = length[i] > longest ? length[i] : longest;
            sum->lost[i] += takes(m, length[i], total) ? 0 : pi[s];
            sum->busy[i] += length[i] > 0 ? pi[s] : 0;
            sum->mean[i] += pi[s] * length[i];
        }
        sum->longest += pi[s] * longest;
    }
}

/* Give each queue of a kind the mean over the kind. */
static void share_out(const threshold_model *m, double *value)
{
    for (int i = 0, next; i < m->queues; i = next) {
        double sum = 0;
        for (next = i; next < m->queues && m->kind[next] == m->kind[i]; next++)
            sum += value[next];
        for (int j = i; j < next; j++)
            value[j] = sum / (next - i);
    }
}

static void tell(const threshold_model *m, threshold_sums *sum, swq_sharing_flow *each,
                 swq_sharing_flow *all)
{
    double offered = 0;

    share_out(m, sum->lost);
    share_out(m, sum->busy);
    share_out(m, sum->mean);
    *all = (swq_sharing_flow){0, 0, 0, 0};
    for (int i = 0; i < m->queues; i++) {
        swq_sharing_flow f = {.loss = sum->lost[i], .mean = sum->mean[i]};
        f.throughput = m->service[i] * sum->busy[i];
        f.delay = m->load[i] > 0 ? f.mean / f.throughput : NAN;
        offered += m->load[i];
        all->loss += m->load[i] * f.loss;
        all->throughput += f.throughput;
        all->mean += f.mean;
        if (each)
            each[m->queue[i]] = f;
    }
    all->loss = offered > 0 ? all->loss / offered : 0;
    all->delay = offered > 0 ? all->mean / all->throughput : NAN;
}

swq_status swq_threshold_chain(swq_context *ctx, const swq_sharing *sharing, double alpha,
                               swq_sharing_flow *each, swq_sharing_flow *all, double *longest)
{
    const int empty[SWQ_CHAIN_QUEUES] = {0};
    threshold_model m = {.queues = 0};
    swq_queue_chain chain;
    swq_sharing_flow total;
    threshold_sums sum = {.longest = 0};
    double *pi = NULL;
    swq_status status = fill(ctx, sharing, alpha, &m);

    if (status)
        return status;
    status = swq_queue_chain_solve(ctx, &chain, m.queues, m.kind, empty, moves, &m, &pi);
    if (!status) {
        add_up(&m, &chain, pi, &sum);
        tell(&m, &sum, each, &total);
        if (all)
            *all = total;
        if (longest)
            *longest = sum.longest;
    }
    swq_queue_chain_clear(&chain);
    swq_free(ctx, pi);
    return status;
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

/* Arguments: queues, slots, alpha, load, service. */
static swq_status exact(swq_context *ctx, const swq_argument *a, double *result)
{
    double load[SWQ_CHAIN_QUEUES], service[SWQ_CHAIN_QUEUES], longest = 0;
    swq_sharing_flow each[SWQ_CHAIN_QUEUES] = {{0}}, all = {0, 0, 0, 0};
    swq_sharing s = {.slots = (int)a[1].value, .load = load, .service = service};

    s.queues = (int)a[0].value;
    for (int k = 3; k < 5 && a[0].value == 0; k++)
        s.queues = a[k].count > s.queues ? a[k].count : s.queues;
    if (s.queues > SWQ_CHAIN_QUEUES)
        return swq_fail(ctx, SWQ_EINVAL, "%d queues are more than %d", s.queues, SWQ_CHAIN_QUEUES);
    swq_status status = swq_spread_argument(ctx, "load", &a[3], s.queues, load);
    if (!status)
        status = swq_spread_argument(ctx, "service", &a[4], s.queues, service);
    if (!status)
        status = swq_threshold_chain(ctx, &s, a[2].value, each, &all, &longest);
    if (status)
        return status;
    result[0] = all.loss;
    result[1] = all.throughput;
    result[2] = all.mean;
    result[3] = all.delay;
    result[4] = longest;
    for (int i = 0; i < SWQ_FORMULA_CLASSES; i++) {
        result[5 + i] = i < s.queues ? each[i].loss : NAN;
        result[5 + SWQ_FORMULA_CLASSES + i] = i < s.queues ? each[i].mean : NAN;
        result[5 + 2 * SWQ_FORMULA_CLASSES + i] = i < s.queues ? each[i].delay : NAN;
    }
    return SWQ_OK;
}

#define ALPHA                                                                                      \
    {                                                                                              \
        .name = "alpha", .summary = "a queue may hold alpha times the free slots", .least = 1e-6,  \
        .most = 1e6, .usual = 1                                                                    \
    }

const swq_formula swq_formula_threshold_fluid = {
    .name = "dynamic-threshold",
    .summary = "share of overloaded queues in a memory with dynamic thresholds",
    .assumptions = "fluid; queues that have reached the threshold and stay there",
    .source = "Choudhury and Hahne (1998), IEEE/ACM Trans. Networking 6(2)",
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
            {"threshold", "slots that each overloaded queue has", "slots", "threshold_slots"},
            {"unused", "slots left free", "slots", NULL},
            {"unused_fraction", "of the memory", NULL, NULL},
        },
    .results = 3,
    .evaluate = fluid,
};

const swq_formula swq_formula_threshold_chain = {
    .name = "dynamic-threshold-chain",
    .summary = "loss and delay with dynamic thresholds, packet by packet",
    .assumptions = "Poisson arrivals, exponential services; at most 2000 states when queues of the "
                   "same load and service may change names",
    .source =
        "Choudhury and Hahne's rule (1998), IEEE/ACM Trans. Networking 6(2), its chain solved",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "queues",
             .summary = "0: as many as there are loads or services",
             .least = 0,
             .most = SWQ_CHAIN_QUEUES,
             .usual = 0,
             .whole = true},
            {.name = "slots",
             .summary = "packets in the memory",
             .least = 1,
             .most = SWQ_CHAIN_LENGTH,
             .usual = NAN,
             .whole = true},
            ALPHA,
            {.name = "load",
             .summary = "arrivals per time unit for each queue; one number: for all",
             .least = 0,
             .most = 1e6,
             .usual = NAN,
             .list = true},
            {.name = "service",
             .summary = "departures per time unit of a queue that is not empty",
             .least = 1e-6,
             .most = 1e6,
             .usual = 1,
             .list = true},
        },
    .parameters = 5,
    .result =
        (const swq_formula_result[]){
            {"loss", "fraction of all packets", NULL, "discard_probability"},
            {"throughput", "packets per time unit, all queues", "packets per time unit",
             "total_throughput"},
            {"mean", "packets in the memory", "packets", "mean_packets"},
            {"delay", "time units, waiting and service, of packets that are not lost", "time units",
             "mean_delay_time"},
            {"longest", "packets in the longest queue, on average", "packets", NULL},
            SWQ_RESULTS_BY_CLASS("loss", "fraction of this queue's packets", NULL),
            SWQ_RESULTS_BY_CLASS("mean", "packets of this queue in the memory", "packets"),
            SWQ_RESULTS_BY_CLASS("delay", "time units, of this queue's packets", "time units"),
        },
    .results = 5 + 3 * SWQ_FORMULA_CLASSES,
    .evaluate = exact,
};
