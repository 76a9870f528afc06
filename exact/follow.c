/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a spec to weights on marked switches.
 */
#include "exact/follow.h"

#include "base/context.h"

#include <float.h>
#include <math.h>
#include <string.h>

const double swq_delay_percentiles[SWQ_DELAY_PERCENTILES] = {0.5, 0.9, 0.99, 0.999};

swq_packets_options swq_packets_options_defaults(void)
{
    return (swq_packets_options){.tail = 1e-15, .most = 1000000};
}

static swq_status check(swq_context *ctx, const swq_packets_options *packets)
{
    if (!(packets->tail > 0 && packets->tail < 1))
        return swq_fail(ctx, SWQ_EINVAL, "tail must be above 0 and below 1, not %g", packets->tail);
    if (packets->most < 1)
        return swq_fail(ctx, SWQ_EINVAL, "most must be at least 1, not %lld",
                        (long long)packets->most);
    return SWQ_OK;
}

/* A chain that can be marked, and its stationary vector. */
static swq_status solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *options,
                        swq_mark mark, swq_follow *f)
{
    swq_grouping grouping = {0};
    swq_status status = swq_chain_generate(ctx, sw, options->reduce, &f->chain);

    if (!status && !swq_can_mark(f->chain, mark)) {
        swq_chain_free(ctx, f->chain);
        f->chain = NULL;
        status = swq_chain_generate_whole(ctx, sw, false, &f->chain);
    }
    if (!status)
        status = swq_chain_group(ctx, f->chain, &grouping);
    if (!status) {
        swq_product product = swq_chain_product(f->chain);
        status = swq_solve_product(ctx, &product, &grouping, options->solver, &options->solving,
                                   NULL, 0, &f->solution);
    }
    swq_grouping_clear(ctx, &grouping);
    return status;
}

/* The most terms in an entry of a product x m: the most entries in a column of m. */
static swq_status most_terms(swq_context *ctx, const swq_csr *m, int64_t *most)
{
    int32_t *terms = swq_calloc(ctx, (size_t)m->cols + 1, sizeof *terms);

    if (!terms)
        return swq_memory_status(ctx);
    *most = 0;
    for (int64_t e = 0; e < swq_csr_nnz(m); e++) {
        terms[m->col[e]]++;
        *most = terms[m->col[e]] > *most ? terms[m->col[e]] : *most;
    }
    swq_free(ctx, terms);
    return SWQ_OK;
}

static swq_status bound_errors(swq_context *ctx, swq_follow *f)
{
    const swq_marked *m = &f->marked;
    double terms = 0;
    int64_t most = 0;
    swq_status status = most_terms(ctx, &m->enter, &most);

    f->begun =
        f->solution.pi_error + m->roundings * 0x1p-53 + ((double)most + 2) * (double)LDBL_EPSILON;
    for (int k = 0; k < m->levels && !status; k++) {
        status = most_terms(ctx, &m->factor[k], &most);
        terms += (double)most + 2;
        f->transitions += swq_csr_nnz(&m->factor[k]);
    }
    if (!status)
        status = most_terms(ctx, &m->lose, &most);
    terms += (double)most + 2;
    /* 1.01: second-order terms are less than a hundredth of the first-order error */
    f->cycle = 1.01 * (m->roundings * 0x1p-53 + terms * (double)LDBL_EPSILON);
    return status;
}

swq_status swq_follow_begin(swq_context *ctx, const swq_switch *sw,
                            const swq_exact_options *options, const swq_packets_options *packets,
                            swq_mark mark, swq_follow *f)
{
    long double *pi = NULL;
    swq_status solved = SWQ_OK;

    *f = (swq_follow){0};
    swq_status status = check(ctx, packets);
    if (!status)
        status = solve(ctx, sw, options, mark, f);
    if (status == SWQ_ECONVERGE && f->solution.pi) {
        solved = status;
        status = SWQ_OK;
    }
    if (!status)
        status = swq_mark_chain(ctx, f->chain, mark, &f->marked);
    for (int k = 0; k < f->marked.levels && !status; k++) {
        f->weight[k] = swq_calloc(ctx, (size_t)f->marked.nodes[k] + 1, sizeof *f->weight[k]);
        status = f->weight[k] ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status) {
        pi = swq_calloc(ctx, (size_t)f->solution.states, sizeof *pi);
        status = pi ? SWQ_OK : swq_memory_status(ctx);
    }
    if (!status)
        status = bound_errors(ctx, f);
    for (int64_t s = 0; s < f->solution.states && !status; s++)
        pi[s] = f->solution.pi[s];
    if (!status)
        swq_follow_times(&f->marked.enter, pi, f->weight[1], false);
    swq_free(ctx, pi);
    if (status)
        swq_follow_clear(ctx, f);
    return status ? status : solved;
}

void swq_follow_clear(swq_context *ctx, swq_follow *f)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++)
        swq_free(ctx, f->weight[k]);
    swq_marked_clear(ctx, &f->marked);
    swq_solution_clear(ctx, &f->solution);
    swq_chain_free(ctx, f->chain);
    *f = (swq_follow){0};
}

void swq_follow_times(const swq_csr *m, const long double *x, long double *y, bool add)
{
    if (!add)
        memset(y, 0, sizeof *y * (size_t)m->cols);
    for (int64_t i = 0; i < m->rows; i++) {
        if (x[i] == 0)
            continue;
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
            y[m->col[e]] += x[i] * m->value[e];
    }
}

void swq_follow_move(swq_follow *f, int from, int to)
{
    int levels = f->marked.levels;

    for (int k = from; k < (to > from ? to : levels); k++)
        swq_follow_times(&f->marked.factor[k], f->weight[k], f->weight[(k + 1) % levels], false);
}

void swq_follow_ratios(const long double *before, const long double *now, int64_t count,
                       double *least, double *greatest)
{
    long double low = INFINITY, high = 0;

    for (int64_t k = 0; k < count; k++) {
        if (before[k] == 0 && now[k] == 0)
            continue;
        long double ratio = before[k] > 0 ? now[k] / before[k] : INFINITY;
        low = ratio < low ? ratio : low;
        high = ratio > high ? ratio : high;
    }
    *least = high > 0 ? (double)low : 0;
    *greatest = (double)high;
}
