/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How equally a network treats senders that send alike: the least and the greatest throughput of a
 * sender, what chance alone would make of them, and the index of Jain, Chiu and Hawe (1984).
 */
#include "sim/measure/fairness.h"

#include "base/context.h"
#include "base/statistics.h"
#include "sim/measure/streams.h"
#include "sim/measure/sums.h"

#include <math.h>
#include <stdlib.h>

/* A sender that has created packets: its kind, and its packets (or bytes) sent per measured cycle,
 * as a part of what its link carries. */
typedef struct {
    double kind, rate;
    uint32_t node;
} member;

/* ---- counts ---- */

static double measured_cycles(const swq_collector *c)
{
    return (double)swq_sum_total(c, swq_sum_cycles(1));
}

/* Fills in how much a sender sent in each merged batch. */
static void fill_sent(const swq_collector *c, uint32_t node, double *array)
{
    size_t at = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        const size_t groups = c->taken[k];
        for (size_t g = 0, b = 0; g < groups; g++, at++) {
            uint64_t sum = 0;
            for (; b < swq_taken_end(c, r, g, groups); b++)
                sum += swq_sender_in_batch(&r->by_sender, b, node).sent;
            array[at] = (double)sum / swq_speed_of_link(c->replication->system, node);
        }
    }
}

static double rate_of(const swq_collector *c, uint32_t node, double cycles)
{
    uint64_t sent = 0;

    for (int k = 0; k < c->options->replications; k++)
        sent += swq_sender_total(&c->replication[k].by_sender, node).sent;
    return (double)sent / cycles / swq_speed_of_link(c->replication->system, node);
}

static bool has_created(const swq_collector *c, uint32_t node)
{
    for (int k = 0; k < c->options->replications; k++) {
        if (c->replication[k].by_sender.now[node].created > 0)
            return true;
    }
    return false;
}

static bool has_starved(const swq_collector *c, uint32_t node)
{
    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        if (r->batches > 0 && !swq_sender_starved(&r->by_sender, node))
            return false;
    }
    return true;
}

swq_estimate swq_collect_sender(const swq_collector *c, uint32_t node)
{
    const double cycles = measured_cycles(c);
    const swq_sum time = swq_sum_cycles(1);

    if (!c->replication->by_sender.nodes || cycles == 0)
        return (swq_estimate){NAN, NAN};
    if (!c->replication->by_sender.batch)
        return (swq_estimate){rate_of(c, node, cycles), NAN};
    fill_sent(c, node, c->above);
    swq_sum_fill(c, &time, c->below);
    return swq_filled_ratio(c, c->below);
}

/* ---- a set of senders that send alike ---- */

static int compare(const void *a, const void *b)
{
    const member *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static double jain(const member *m, uint32_t n)
{
    double sum = 0, squares = 0;

    for (uint32_t k = 0; k < n; k++) {
        sum += m[k].rate;
        squares += m[k].rate * m[k].rate;
    }
    return squares > 0 ? sum * sum / (n * squares) : NAN;
}

/* The standard deviation of the rate of a sender over the run, by chance: from the residuals of the
 * batches' rates once the mean of each sender and the mean of each batch have been subtracted, as
 * in a two-way analysis of variance. all: the mean rate of the senders; mean: [c->batches] zeros.
 * Uses c->above and c->below. */
static double deviation_by_chance(const swq_collector *c, const member *m, uint32_t n, double all,
                                  double *mean)
{
    const swq_sum time = swq_sum_cycles(1);
    const double batches = (double)c->batches;
    double squares = 0, of_all = 0;

    swq_sum_fill(c, &time, c->below);
    for (uint32_t k = 0; k < n; k++) {
        double own = 0;
        fill_sent(c, m[k].node, c->above);
        for (size_t b = 0; b < c->batches; b++) {
            const double off = c->above[b] / c->below[b] - all;
            squares += off * off;
            own += off;
            mean[b] += off / n;
        }
        squares -= own * own / batches;
        of_all += own / (n * batches);
    }
    for (size_t b = 0; b < c->batches; b++)
        squares -= n * (mean[b] - of_all) * (mean[b] - of_all);
    return sqrt(fmax(0, squares) / ((n - 1.0) * (batches - 1)) / batches);
}

/* The mean of the greatest of n standard normal numbers (Blom 1958). */
static double greatest_normal(uint32_t n)
{
    const double p = (n - 0.375) / (n + 0.25);

    return swq_student_t(2 * p - 1, 1e9);
}

static swq_status judge_chance(swq_context *ctx, const swq_collector *c, const member *m,
                               swq_fairness *f)
{
    double all = 0;

    if (!c->replication->by_sender.batch || c->batches < 2)
        return SWQ_OK;
    double *mean = swq_calloc(ctx, c->batches, sizeof *mean);
    if (!mean)
        return swq_memory_status(ctx);
    for (uint32_t k = 0; k < f->senders; k++)
        all += m[k].rate / f->senders;
    const double off =
        greatest_normal(f->senders) * deviation_by_chance(c, m, f->senders, all, mean);
    f->chance_least = fmax(0, all - off);
    f->chance_greatest = all + off;
    swq_free(ctx, mean);
    return SWQ_OK;
}

static swq_status judge(swq_context *ctx, const swq_collector *c, const member *m, swq_fairness *f)
{
    uint32_t least = 0, greatest = 0;

    for (uint32_t k = 1; k < f->senders; k++) {
        least = m[k].rate < m[least].rate ? k : least;
        greatest = m[k].rate > m[greatest].rate ? k : greatest;
    }
    f->least = swq_collect_sender(c, m[least].node);
    f->greatest = swq_collect_sender(c, m[greatest].node);
    return judge_chance(ctx, c, m, f);
}

/* ---- all senders ---- */

/* Lists the senders that have created packets, grouped by kind. */
static uint32_t list_members(const swq_collector *c, double cycles, member *m)
{
    const swq_system *s = c->replication->system;
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->nodes; i++) {
        if (has_created(c, i))
            m[n++] = (member){s->kind_of_sender(s, i), rate_of(c, i, cycles), i};
    }
    if (n > 0 && !isnan(m->kind))
        qsort(m, n, sizeof *m, compare);
    return n;
}

/* Finds the set of at least two senders that send alike with the lowest index. */
static const member *least_equal(const member *m, uint32_t n, swq_fairness *f)
{
    const member *worst = NULL;

    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && m[end].kind == m[first].kind; end++)
            continue;
        const double index = jain(m + first, end - first);
        if (end - first < 2 || (worst && index >= f->jain))
            continue;
        worst = m + first;
        f->senders = end - first;
        f->jain = index;
    }
    return worst;
}

swq_status swq_collect_fairness(swq_context *ctx, const swq_collector *c, swq_fairness *f)
{
    const swq_by_sender *s = &c->replication->by_sender;
    const double cycles = measured_cycles(c);
    swq_status status = SWQ_OK;

    *f = (swq_fairness){.least = {NAN, NAN},
                        .greatest = {NAN, NAN},
                        .chance_least = NAN,
                        .chance_greatest = NAN,
                        .jain = NAN};
    if (s->nodes == 0 || cycles == 0)
        return SWQ_OK;
    member *m = swq_calloc(ctx, s->nodes, sizeof *m);
    if (!m)
        return swq_memory_status(ctx);
    f->offering = list_members(c, cycles, m);
    for (uint32_t k = 0; k < f->offering; k++)
        f->starved += has_starved(c, m[k].node);
    const member *worst = least_equal(m, f->offering, f);
    if (worst)
        status = judge(ctx, c, worst, f);
    swq_free(ctx, m);
    return status;
}
