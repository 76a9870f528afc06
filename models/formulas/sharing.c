/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queues that share a finite memory, in continuous time: five policies, one sum.
 *
 * Poisson arrivals and exponential services make the joint distribution a product of rho_i^n_i on
 * the states that the policy allows, whenever with n it allows all below n. All five are: queue i
 * has a_i slots to itself, may hold b_i, and what queues hold beyond their own is at most what is
 * left, E = B - sum a_i. So queue i costs max(n_i - a_i, 0) of E, and sums over all states are
 * convolutions over the cost. Complete partitioning: b = a, E = 0; complete sharing: a = 0, b = B.
 * Source: Kamoun and Kleinrock, IEEE Trans. Commun. COM-28(7), 1980; the square-root rule: Irland,
 * IEEE Trans. Commun. COM-26(3), 1978.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

enum { MOST_SLOTS = 2000 };

/* One queue: sums over the lengths that it may have, by cost, all scaled by the same factor. */
typedef struct {
    double *weight; /* [excess + 1] sum of the weights of the lengths with this cost */
    double *number; /* [excess + 1] sum of n_i times weight over the lengths with this cost */
    double idle;    /* weight of n_i = 0 */
    double last;    /* weight of n_i = a_i, the greatest length that costs nothing */
    int highest;    /* the greatest cost that the queue's own limit allows */
} limited_queue;

/* Weights of cost e are divided by theta^e, with theta >= every rho, so that none overflows;
 * combined weights of total cost e count theta^(e - E). */
static void weigh(limited_queue *q, double rho, double theta, int reserved, int most, int excess)
{
    /* rho^k for k <= reserved, from the largest, which is scaled to 1, to the smallest */
    double term = 1;

    q->weight[0] = 1;
    q->number[0] = rho > 1 ? reserved : 0;
    for (int k = 1; k <= reserved; k++) {
        term = rho > 1 ? term / rho : term * rho;
        q->weight[0] += term;
        q->number[0] += (rho > 1 ? reserved - k : k) * term;
    }
    q->idle = rho > 1 ? term : 1;
    q->last = rho > 1 ? 1 : term;
    term = q->last;
    q->highest = most - reserved < excess ? most - reserved : excess;
    for (int e = 1; e <= excess; e++) {
        term *= rho / theta;
        q->weight[e] = e <= q->highest ? term : 0;
        q->number[e] = (reserved + e) * q->weight[e];
    }
}

/* into[e] = sum a[x] b[e - x], e = 0 .. excess */
static void convolve(const double *a, const double *b, double *into, int excess)
{
    for (int e = 0; e <= excess; e++) {
        double sum = 0;
        for (int x = 0; x <= e; x++)
            sum += a[x] * b[e - x];
        into[e] = sum;
    }
}

static swq_status check(swq_context *ctx, const swq_sharing *s, int *excess)
{
    *excess = s->slots;
    if (s->queues < 1 || s->queues > SWQ_FORMULA_LIST)
        return swq_fail(ctx, SWQ_EINVAL, "queues must be 1 .. %d, not %d", SWQ_FORMULA_LIST,
                        s->queues);
    if (s->slots < 1 || s->slots > MOST_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL, "slots must be 1 .. %d, not %d", MOST_SLOTS, s->slots);
    for (int i = 0; i < s->queues; i++) {
        int least = s->reserved ? s->reserved[i] : 0, most = s->most ? s->most[i] : s->slots;
        if (!(s->load[i] >= 0 && s->load[i] <= 1e6) ||
            (s->service && !(s->service[i] > 0 && s->service[i] <= 1e6)))
            return swq_fail(ctx, SWQ_EINVAL, "load and service of queue %d are out of range", i);
        if (least < 0 || most < 1 || least > most)
            return swq_fail(ctx, SWQ_EINVAL,
                            "queue %d has %d slots to itself and may hold %d at most", i, least,
                            most);
        *excess -= least;
    }
    if (*excess < 0)
        return swq_fail(ctx, SWQ_EINVAL, "queues have %d slots to themselves, more than %d",
                        s->slots - *excess, s->slots);
    return SWQ_OK;
}

swq_status swq_sharing_solve(swq_context *ctx, const swq_sharing *sharing, swq_sharing_flow *each,
                             swq_sharing_flow *all)
{
    const swq_sharing *s = sharing;
    const int n = s->queues;
    int excess;
    swq_status status = check(ctx, s, &excess);
    limited_queue q[SWQ_FORMULA_LIST];
    swq_sharing_flow flow[SWQ_FORMULA_LIST], sum = {0, 0, 0, 0};
    double theta = 1, offered = 0;

    if (status)
        return status;
    /* weights and numbers of each queue; convolutions of the first i and of the last i queues; the
     * convolution of all other queues; theta^(e - E) */
    const size_t row = (size_t)excess + 1;
    double *block = swq_calloc(ctx, row * (4 * (size_t)n + 4), sizeof *block);
    if (!block)
        return swq_memory_status(ctx);
    double *first = block + 2 * (size_t)n * row, *last = first + ((size_t)n + 1) * row,
           *others = last + ((size_t)n + 1) * row, *worth = others + row;

    for (int i = 0; i < n; i++)
        theta = fmax(theta, s->load[i] / (s->service ? s->service[i] : 1));
    for (int i = 0; i < n; i++) {
        q[i].weight = block + 2 * (size_t)i * row;
        q[i].number = q[i].weight + row;
        weigh(&q[i], s->load[i] / (s->service ? s->service[i] : 1), theta,
              s->reserved ? s->reserved[i] : 0, s->most ? s->most[i] : s->slots, excess);
    }
    for (int e = 0; e <= excess; e++)
        worth[e] = pow(theta, e - excess);
    first[0] = 1;
    for (int i = 0; i < n; i++)
        convolve(first + (size_t)i * row, q[i].weight, first + (size_t)(i + 1) * row, excess);
    last[0] = 1;
    for (int i = 0; i < n; i++)
        convolve(last + (size_t)i * row, q[n - 1 - i].weight, last + (size_t)(i + 1) * row, excess);

    for (int i = 0; i < n; i++) {
        double total = 0, lost = 0, number = 0, idle = 0;
        convolve(first + (size_t)i * row, last + (size_t)(n - 1 - i) * row, others, excess);
        for (int e = 0; e <= excess; e++) {
            /* the weight of the states of all other queues that go with cost e of this queue;
             * `last`: of the states that leave no room */
            double with = 0;
            for (int x = 0; x < excess - e; x++)
                with += others[x] * worth[x + e];
            double full = others[excess - e];
            total += q[i].weight[e] * (with + full);
            number += q[i].number[e] * (with + full);
            if (e == 0)
                idle = q[i].idle * (with + full);
            /* a queue shorter than a_i loses nothing */
            double at = e == 0 ? q[i].last : q[i].weight[e];
            lost += at * (e == q[i].highest ? with + full : full);
        }
        double busy = (total - idle) / total, load = s->load[i];
        flow[i] = (swq_sharing_flow){.loss = lost / total, .mean = number / total};
        flow[i].throughput = load * (1 - flow[i].loss);
        /* the same value from the busy time, since 1 - loss would be a small difference */
        if (flow[i].loss > 0.5)
            flow[i].throughput = (s->service ? s->service[i] : 1) * busy;
        flow[i].delay = load > 0 ? flow[i].mean / flow[i].throughput : NAN;
        offered += load;
        sum.loss += load * flow[i].loss;
        sum.throughput += flow[i].throughput;
        sum.mean += flow[i].mean;
    }
    swq_free(ctx, block);
    sum.loss = offered > 0 ? sum.loss / offered : 0;
    sum.delay = offered > 0 ? sum.mean / sum.throughput : NAN;
    for (int i = 0; each && i < n; i++)
        each[i] = flow[i];
    if (all)
        *all = sum;
    return SWQ_OK;
}

swq_status swq_sharing_best(swq_context *ctx, int queues, int slots, double load, int *most,
                            double *loss)
{
    double each[SWQ_FORMULA_LIST], least = INFINITY;
    int limit[SWQ_FORMULA_LIST], best = slots;

    if (queues < 1 || queues > SWQ_FORMULA_LIST)
        return swq_fail(ctx, SWQ_EINVAL, "queues must be 1 .. %d, not %d", SWQ_FORMULA_LIST,
                        queues);
    for (int i = 0; i < queues; i++)
        each[i] = load;
    for (int m = slots; m >= 1 && m * queues >= slots; m--) {
        swq_sharing_flow all;
        for (int i = 0; i < queues; i++)
            limit[i] = m;
        swq_sharing s = {.queues = queues, .slots = slots, .load = each, .most = limit};
        swq_status status = swq_sharing_solve(ctx, &s, NULL, &all);
        if (status)
            return status;
        if (all.loss < least) {
            least = all.loss;
            best = m;
        }
    }
    *most = best;
    *loss = least;
    return SWQ_OK;
}

/* ---- rows ---- */

swq_status swq_spread_argument(swq_context *ctx, const char *name, const swq_argument *a,
                               int queues, double *into)
{
    if (a->count != 1 && a->count != queues)
        return swq_fail(ctx, SWQ_EINVAL, "%s has %d numbers for %d queues", name, a->count, queues);
    for (int i = 0; i < queues; i++)
        into[i] = a->list[a->count == 1 ? 0 : i];
    return SWQ_OK;
}

/* Arguments: slots, load, service, queues; then the arguments of the policy. */
static swq_status solve(swq_context *ctx, const swq_argument *a, const swq_argument *most,
                        const swq_argument *reserved, double *result)
{
    double load[SWQ_FORMULA_LIST], service[SWQ_FORMULA_LIST], number[SWQ_FORMULA_LIST] = {0};
    int upper[SWQ_FORMULA_LIST], lower[SWQ_FORMULA_LIST];
    int queues = (int)a[2].value, slots = (int)a[3].value;
    swq_sharing s = {.slots = slots, .load = load, .service = service};
    swq_sharing_flow each[SWQ_FORMULA_LIST], all = {0, 0, 0, 0};

    for (int k = 0; k < 2 && a[2].value == 0; k++)
        queues = a[k].count > queues ? a[k].count : queues;
    s.queues = queues;
    swq_status status = swq_spread_argument(ctx, "load", &a[0], queues, load);
    if (!status)
        status = swq_spread_argument(ctx, "service", &a[1], queues, service);
    if (!status && most)
        status = swq_spread_argument(ctx, "queue-max", most, queues, number);
    for (int i = 0; most && !status && i < queues; i++)
        upper[i] = (int)number[i] < slots ? (int)number[i] : slots;
    if (most)
        s.most = upper;
    if (!status && reserved)
        status = swq_spread_argument(ctx, "queue-min", reserved, queues, number);
    for (int i = 0; reserved && !status && i < queues; i++)
        lower[i] = (int)number[i];
    if (reserved)
        s.reserved = lower;
    if (!status)
        status = swq_sharing_solve(ctx, &s, each, &all);
    if (status)
        return status;
    result[0] = all.loss;
    result[1] = all.throughput;
    result[2] = all.mean;
    result[3] = all.delay;
    for (int i = 0; i < SWQ_FORMULA_CLASSES; i++) {
        result[4 + i] = i < queues ? each[i].loss : NAN;
        result[4 + SWQ_FORMULA_CLASSES + i] = i < queues ? each[i].throughput : NAN;
        result[4 + 2 * SWQ_FORMULA_CLASSES + i] = i < queues ? each[i].delay : NAN;
    }
    return SWQ_OK;
}

/* All queues have the same number of slots, each to itself. */
static swq_status partitioning(swq_context *ctx, const swq_argument *a, double *result)
{
    swq_argument own = a[4];
    double share;

    if (own.list[0] == 0 && own.count == 1) {
        int queues = (int)a[2].value;
        for (int k = 0; k < 2 && a[2].value == 0; k++)
            queues = a[k].count > queues ? a[k].count : queues;
        share = floor(a[3].value / queues);
        if (share * queues != a[3].value)
            return swq_fail(ctx, SWQ_EINVAL, "%g slots cannot be divided evenly among %d queues",
                            a[3].value, queues);
        own = (swq_argument){share, &share, 1};
    }
    return solve(ctx, a, &own, &own, result);
}

static swq_status complete(swq_context *ctx, const swq_argument *a, double *result)
{
    return solve(ctx, a, NULL, NULL, result);
}

static swq_status maximum(swq_context *ctx, const swq_argument *a, double *result)
{
    return solve(ctx, a, &a[4], NULL, result);
}

static swq_status minimum(swq_context *ctx, const swq_argument *a, double *result)
{
    return solve(ctx, a, NULL, &a[4], result);
}

static swq_status both(swq_context *ctx, const swq_argument *a, double *result)
{
    return solve(ctx, a, &a[5], &a[4], result);
}

static swq_status square_root(swq_context *ctx, const swq_argument *a, double *result)
{
    const int queues = (int)a[0].value, slots = (int)a[1].value;
    double load[SWQ_FORMULA_LIST], fluid = slots / sqrt(queues);
    int limit[SWQ_FORMULA_LIST], best = 0;
    swq_sharing s = {.queues = queues, .slots = slots, .load = load};
    swq_sharing_flow all = {0, 0, 0, 0};
    swq_status status = swq_sharing_best(ctx, queues, slots, a[2].value, &best, &result[3]);

    for (int i = 0; i < queues; i++) {
        load[i] = a[2].value;
        limit[i] = (int)fmax(1, round(fluid));
    }
    if (!status)
        status = swq_sharing_solve(ctx, &s, NULL, &all);
    if (status)
        return status;
    result[4] = all.loss;
    s.most = limit;
    status = swq_sharing_solve(ctx, &s, NULL, &all);
    result[0] = fluid;
    result[1] = all.loss;
    result[2] = best;
    return status;
}

#define SLOTS                                                                                      \
    {                                                                                              \
        .name = "slots", .summary = "packets in the memory", .least = 1, .most = MOST_SLOTS,       \
        .usual = NAN, .whole = true                                                                \
    }
#define COMMON                                                                                     \
    {.name = "load",                                                                               \
     .summary = "arrivals per time unit for each queue; one number: for all",                      \
     .least = 0,                                                                                   \
     .most = 1e6,                                                                                  \
     .usual = NAN,                                                                                 \
     .list = true},                                                                                \
        {.name = "service",                                                                        \
         .summary = "departures per time unit of a queue that is not empty",                       \
         .least = 1e-6,                                                                            \
         .most = 1e6,                                                                              \
         .usual = 1,                                                                               \
         .list = true},                                                                            \
        {.name = "queues",                                                                         \
         .summary = "0: as many as there are loads or services",                                   \
         .least = 0,                                                                               \
         .most = SWQ_FORMULA_LIST,                                                                 \
         .usual = 0,                                                                               \
         .whole = true},                                                                           \
        SLOTS
#define LIMIT(text, from, otherwise)                                                               \
    {                                                                                              \
        .name = "queue-max", .summary = (text), .least = (from), .most = MOST_SLOTS,               \
        .usual = (otherwise), .whole = true, .list = true                                          \
    }
#define OWN                                                                                        \
    {                                                                                              \
        .name = "queue-min", .summary = "slots that each queue has to itself", .least = 0,         \
        .most = MOST_SLOTS, .usual = NAN, .whole = true, .list = true                              \
    }
#define RESULTS                                                                                    \
    (const swq_formula_result[])                                                                   \
    {                                                                                              \
        {"loss", "fraction of all packets", NULL, "discard_probability"},                          \
            {"throughput", "packets per time unit, all queues", "packets per time unit",           \
             "total_throughput"},                                                                  \
            {"mean", "packets in the memory", "packets", "mean_packets"},                          \
            {"delay", "time units, waiting and service, of packets that are not lost",             \
             "time units", "mean_delay_time"},                                                     \
            SWQ_RESULTS_BY_CLASS("loss", "fraction of this queue's packets", NULL),                \
            SWQ_RESULTS_BY_CLASS("throughput", "packets per time unit of this queue",              \
                                 "packets per time unit"),                                         \
            SWQ_RESULTS_BY_CLASS("delay", "time units, of this queue's packets", "time units"),    \
    }
#define COUNT (4 + 3 * SWQ_FORMULA_CLASSES)

const swq_formula swq_formula_complete_partitioning = {
    .name = "complete-partitioning",
    .summary = "loss and delay of queues that only have slots of their own",
    .assumptions = "Poisson arrivals, exponential services",
    .source = "Kamoun and Kleinrock (1980), IEEE Trans. Commun. COM-28(7)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){COMMON,
                                        LIMIT("slots of each queue; 0: all the same", 0, 0)},
    .parameters = 5,
    .result = RESULTS,
    .results = COUNT,
    .evaluate = partitioning,
};

const swq_formula swq_formula_complete_sharing = {
    .name = "complete-sharing",
    .summary = "loss and delay of queues that take any free slot",
    .assumptions = "Poisson arrivals, exponential services",
    .source = "Kamoun and Kleinrock (1980), IEEE Trans. Commun. COM-28(7)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = (const swq_formula_parameter[]){COMMON},
    .parameters = 4,
    .result = RESULTS,
    .results = COUNT,
    .evaluate = complete,
};

const swq_formula swq_formula_sharing_maximum = {
    .name = "sharing-maximum",
    .summary = "loss and delay of queues that take any free slot up to a maximum each (SMXQ)",
    .assumptions = "Poisson arrivals, exponential services",
    .source = "Kamoun and Kleinrock (1980), IEEE Trans. Commun. COM-28(7); Irland (1978), IEEE "
              "Trans. Commun. COM-26(3)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){COMMON, LIMIT("slots that a queue may take", 1, NAN)},
    .parameters = 5,
    .result = RESULTS,
    .results = COUNT,
    .evaluate = maximum,
};

const swq_formula swq_formula_sharing_minimum = {
    .name = "sharing-minimum",
    .summary =
        "loss and delay of queues that have some slots of their own and share the rest (SMA)",
    .assumptions = "Poisson arrivals, exponential services",
    .source = "Kamoun and Kleinrock (1980), IEEE Trans. Commun. COM-28(7)",
    .standing = SWQ_STANDS_EXACT,
    .parameter = (const swq_formula_parameter[]){COMMON, OWN},
    .parameters = 5,
    .result = RESULTS,
    .results = COUNT,
    .evaluate = minimum,
};

const swq_formula swq_formula_sharing_both = {
    .name = "sharing-minimum-maximum",
    .summary = "loss and delay of queues that have some slots of their own, and others up to a "
               "maximum (SMQMA)",
    .assumptions = "Poisson arrivals, exponential services",
    .source = "Kamoun and Kleinrock (1980), IEEE Trans. Commun. COM-28(7)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){COMMON, OWN, LIMIT("slots that a queue may take", 1, NAN)},
    .parameters = 6,
    .result = RESULTS,
    .results = COUNT,
    .evaluate = both,
};

const swq_formula swq_formula_square_root = {
    .name = "square-root-rule",
    .summary = "the maximum per queue that loses least, and the rule for it, B / sqrt(N)",
    .assumptions = "equal queues, Poisson arrivals, exponential services; the rule: two queues, "
                   "load 1, many slots",
    .source = "Irland (1978), IEEE Trans. Commun. COM-26(3)",
    .standing = SWQ_STANDS_APPROXIMATION,
    .error = "losses are exact; the rule's: least for two queues of load 1 and 10, 20 or 30 slots; "
             "2 to 7% over the least for three and four queues; for less load the best is more",
    .parameter =
        (const swq_formula_parameter[]){
            {.name = "queues",
             .summary = "alike",
             .least = 1,
             .most = 16,
             .usual = NAN,
             .whole = true},
            {.name = "slots",
             .summary = "packets in the memory",
             .least = 1,
             .most = 200,
             .usual = NAN,
             .whole = true},
            {.name = "load",
             .summary = "arrivals per service time for each queue",
             .least = 0,
             .most = 1000,
             .usual = 1},
        },
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"rule", "slots that a queue may take, by the rule", "slots", "slots_by_rule"},
            {"loss_rule", "with that, rounded", NULL, NULL},
            {"best", "slots that a queue may take, with the least loss (the most of several)",
             "slots", NULL},
            {"loss_best", "with that", NULL, NULL},
            {"loss_sharing", "without a maximum", NULL, NULL},
        },
    .results = 5,
    .evaluate = square_root,
};
