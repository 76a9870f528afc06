/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line with one queue and without a limit of memory: fixed lengths, lengths from a list, and
 * classes of which the first is served first; and lines without a queue.
 * Sources: Pollaczek (1930) and Khinchin (1932); Cobham, Operations Research 2, 1954; Erlang
 * (1917); as in Kleinrock, Queueing Systems, vol. 1 (5.70), 1975, and vol. 2 (3.30), 1976.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>

/* Moments of a length. */
typedef struct {
    double mean, square, cube;
} size_moments;

/* The wait is that of Poisson arrivals: W = lambda E[S^2] / (2 (1 - rho)) with lambda = rho / E[S],
 * and E[W^2] = 2 W^2 + lambda E[S^3] / (3 (1 - rho)). */
static double wait_of(double load, const size_moments *m, double *variance)
{
    if (load >= 1) {
        *variance = INFINITY;
        return INFINITY;
    }
    const double rate = load / m->mean, wait = rate * m->square / (2 * (1 - load));

    *variance = wait * wait + rate * m->cube / (3 * (1 - load));
    return wait;
}

/* Sizes and their shares. Errors: SWQ_EINVAL naming the share. */
static swq_status moments_of(swq_context *ctx, const swq_argument *size, const swq_argument *share,
                             size_moments *m)
{
    double sum = 0;

    *m = (size_moments){0, 0, 0};
    if (share->count != size->count)
        return swq_fail(ctx, SWQ_EINVAL, "share must have as many numbers as size, %d, not %d",
                        size->count, share->count);
    for (int k = 0; k < size->count; k++) {
        const double s = size->list[k], p = share->list[k];
        sum += p;
        m->mean += p * s;
        m->square += p * s * s;
        m->cube += p * s * s * s;
    }
    if (fabs(sum - 1) > 1e-9)
        return swq_fail(ctx, SWQ_EINVAL, "share must sum to 1, not to %.10g", sum);
    return SWQ_OK;
}

static swq_status fixed(swq_context *ctx, const swq_argument *a, double *result)
{
    const double load = a[0].value;
    const size_moments one = {1, 1, 1};

    (void)ctx;
    result[0] = wait_of(load, &one, &result[1]);
    result[2] = result[0] + 1;
    result[3] = load * result[0];
    result[4] = load + result[3];
    return SWQ_OK;
}

static swq_status listed(swq_context *ctx, const swq_argument *a, double *result)
{
    const double load = a[0].value;
    size_moments m;
    swq_status status = moments_of(ctx, &a[1], &a[2], &m);

    if (status)
        return status;
    result[0] = wait_of(load, &m, &result[1]);
    result[2] = result[0] + m.mean;
    result[3] = load / m.mean * result[0];
    result[4] = load * result[0];
    result[5] = m.mean;
    result[6] = m.square / (m.mean * m.mean) - 1;
    result[7] = result[4] + load * m.square / m.mean;
    return SWQ_OK;
}

/* The classes that are served at all: a class with which the load reaches 1 takes what is left, and
 * waits for ever, as do all later ones. */
static void priority_waits(int classes, const double *load, const size_moments *m, double *wait)
{
    double residual = 0, before = 0;

    for (int k = 0; k < classes && before < 1; k++) {
        residual += fmin(load[k], 1 - before) * m[k].square / (2 * m[k].mean);
        before += load[k];
    }
    before = 0;
    for (int k = 0; k < classes; k++) {
        const double with = before + load[k];
        wait[k] = with < 1 ? residual / ((1 - before) * (1 - with)) : INFINITY;
        before = with;
    }
}

/* load, size, share, length */
static swq_status by_priority(swq_context *ctx, const swq_argument *a, double *result)
{
    size_moments all, m[SWQ_FORMULA_CLASSES];
    double wait[SWQ_FORMULA_CLASSES];
    const int classes = a[0].count;
    swq_status status = moments_of(ctx, &a[1], &a[2], &all);

    if (!status && classes > SWQ_FORMULA_CLASSES)
        status = swq_fail(ctx, SWQ_EINVAL, "load may have at most %d classes, not %d",
                          SWQ_FORMULA_CLASSES, classes);
    if (!status && a[3].value > 0 && a[3].count != classes)
        status =
            swq_fail(ctx, SWQ_EINVAL, "length must have a number for each of %d classes, not %d",
                     classes, a[3].count);
    for (int k = 0; k < classes && !status; k++) {
        const double s = a[3].value > 0 ? a[3].list[k] : 0;
        if (a[3].value > 0 && s <= 0)
            return swq_fail(ctx, SWQ_EINVAL, "length must be above 0 for each class, not %g", s);
        m[k] = s > 0 ? (size_moments){s, s * s, s * s * s} : all;
    }
    if (status)
        return status;
    priority_waits(classes, a[0].list, m, wait);
    double total = 0, waiting = 0;
    for (int k = 0; k < SWQ_FORMULA_CLASSES; k++) {
        result[2 + k] = k < classes ? wait[k] : NAN;
        result[2 + SWQ_FORMULA_CLASSES + k] = k < classes ? wait[k] + m[k].mean : NAN;
        if (k < classes && a[0].list[k] > 0) {
            total += a[0].list[k];
            waiting += a[0].list[k] * wait[k];
        }
    }
    result[0] = total;
    result[1] = waiting;
    return SWQ_OK;
}

/* B(0) = 1, B(n) = a B(n - 1) / (n + a B(n - 1)). */
static swq_status erlang(swq_context *ctx, const swq_argument *a, double *result)
{
    const double servers = a[0].value, offered = a[1].value;
    double blocked = 1;

    (void)ctx;
    for (int n = 1; n <= servers; n++)
        blocked = offered * blocked / (n + offered * blocked);
    result[0] = blocked;
    result[1] = offered * (1 - blocked);
    return SWQ_OK;
}

/* ---- the rows ---- */

#define LOAD(takes_list, words)                                                                    \
    {                                                                                              \
        .name = "load", .summary = (words), .least = 0, .most = 1, .usual = NAN,                   \
        .list = (takes_list)                                                                       \
    }
#define SIZES                                                                                      \
    {.name = "size",                                                                               \
     .summary = "bytes of packets; a list: each with a share",                                     \
     .least = 1e-9,                                                                                \
     .most = 1e12,                                                                                 \
     .usual = 1500,                                                                                \
     .list = true},                                                                                \
    {                                                                                              \
        .name = "share", .summary = "of packets that have each size; sum 1", .least = 0,           \
        .most = 1, .usual = 1, .list = true                                                        \
    }

const swq_formula swq_formula_m_d_1 = {
    .name = "m-d-1",
    .family = "a line without a limit of memory",
    .summary = "wait for a line: Poisson arrivals, packets of one length",
    .assumptions =
        "any number of packets may wait, in any order that ignores lengths; the variance "
        "is of first come, first served",
    .source = "Pollaczek (1930), Khinchin (1932), as in Kleinrock, Queueing Systems 1, 5.6 (1975)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){LOAD(false, "fraction of time in which the line is busy")},
    .parameters = 1,
    .result =
        (const swq_formula_result[]){
            {"wait", "times that a packet takes on the line, before it", "packet times", NULL},
            {"wait_variance", "of this time", "packet times squared", NULL},
            {"sojourn", "the wait and the packet's own time", "packet times", NULL},
            {"waiting", "packets that wait, on average", "packets", NULL},
            {"inside", "these and the one that is being sent", "packets", NULL},
        },
    .results = 5,
    .evaluate = fixed,
};

const swq_formula swq_formula_m_g_1 = {
    .name = "m-g-1",
    .summary = "wait for a line: Poisson arrivals, packets of several lengths",
    .assumptions = "as m-d-1; lengths are independent of one another",
    .source = "Pollaczek (1930), Khinchin (1932), as in Kleinrock, Queueing Systems 1, 5.6 (1975)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){LOAD(false, "fraction of time in which the line is busy"),
                                        SIZES},
    .parameters = 3,
    .result =
        (const swq_formula_result[]){
            {"wait", "times that a byte takes on the line, before a packet is sent", "byte times",
             NULL},
            {"wait_variance", "of this time", "byte times squared", NULL},
            {"sojourn", "the wait and a packet's own time, on average", "byte times", NULL},
            {"waiting", "packets that wait, on average", "packets", NULL},
            {"waiting_bytes", "bytes of these", "bytes", NULL},
            {"mean_size", "of a packet", "bytes", NULL},
            {"variation", "squared coefficient of variation of sizes", NULL, NULL},
            {"inside_bytes", "that wait, and all of the packet that is being sent", "bytes", NULL},
        },
    .results = 8,
    .evaluate = listed,
};

const swq_formula swq_formula_m_g_1_priority = {
    .name = "m-g-1-priority",
    .summary = "waits of classes for a line that sends the first class first",
    .assumptions = "as m-g-1; a packet that is being sent is not interrupted; with a load of 1 or "
                   "more, later classes wait for ever",
    .source =
        "Cobham (1954), Operations Research 2, as in Kleinrock, Queueing Systems 2, 3.6 (1976)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){
            LOAD(true, "fraction of time for each class, the first one first"),
            SIZES,
            {.name = "length",
             .summary = "bytes of packets, the same for all of a class, one number for each class; "
                        "0: by size and share",
             .least = 0,
             .most = 1e12,
             .usual = 0,
             .list = true}},
    .parameters = 4,
    .result =
        (const swq_formula_result[]){
            {"total_load", "of all classes", NULL, NULL},
            {"waiting_bytes", "that wait, on average, of all classes", "bytes", NULL},
            SWQ_RESULTS_BY_CLASS("wait", "byte times until a packet of this class is sent",
                                 "byte times"),
            SWQ_RESULTS_BY_CLASS("delay", "byte times until it has been sent", "byte times"),
        },
    .results = 2 + 2 * SWQ_FORMULA_CLASSES,
    .evaluate = by_priority,
};

const swq_formula swq_formula_erlang_b = {
    .name = "erlang-b",
    .summary = "loss of lines without a queue: Poisson arrivals, any lengths",
    .assumptions = "a packet that finds all lines busy is lost; lengths of any distribution",
    .source = "Erlang (1917), as in Kleinrock, Queueing Systems 1, 3.6 (1975)",
    .standing = SWQ_STANDS_EXACT,
    .parameter =
        (const swq_formula_parameter[]){{.name = "servers",
                                         .summary = "lines",
                                         .least = 0,
                                         .most = 1000000,
                                         .usual = NAN,
                                         .whole = true},
                                        {.name = "offered",
                                         .summary = "packets that arrive in the mean time of one",
                                         .least = 0,
                                         .most = 1e9,
                                         .usual = NAN}},
    .parameters = 2,
    .result =
        (const swq_formula_result[]){
            {"loss", "fraction of packets", NULL, "discard_probability"},
            {"busy", "lines that are busy, on average", "lines", NULL},
        },
    .results = 2,
    .evaluate = erlang,
};
