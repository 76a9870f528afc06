/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a matrix become probabilities: each is divided by its sum. Rates become the chain of
 * their jumps and the mean times between them.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <math.h>

/* Below this share of its row, a rate is too small for the bounds of the solvers. */
#define LEAST_SHARE 1e-290

static swq_status scale_probabilities(swq_context *ctx, const char *path, double slack,
                                      swq_imported *chain)
{
    swq_csr *p = &chain->p;
    int64_t longest = 0;

    for (int64_t i = 0; i < p->rows; i++) {
        int64_t entries = p->start[i + 1] - p->start[i];
        double sum = 0;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            sum += p->value[e];
        if (!(fabs(sum - 1) <= slack) || entries == 0)
            return swq_fail(ctx, SWQ_EINVAL,
                            "'%.120s': the probabilities out of state %lld sum to %.12g, not to 1 "
                            "within %g; --normalise DISTANCE divides rows by their sums, and "
                            "--rates is for rates",
                            path, (long long)i + chain->first, sum, slack);
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            p->value[e] /= sum;
        chain->worst_sum = fmax(chain->worst_sum, fabs(sum - 1));
        longest = entries > longest ? entries : longest;
    }
    /* roundings of the numerator, of the denominator with its additions, and of the quotient */
    chain->roundings = 2 * chain->roundings + longest;
    return SWQ_OK;
}

/* Row i of the rates, written from entry *out on, which is not beyond the row's first entry plus
 * the number of states before it that stay. */
static swq_status scale_row(swq_context *ctx, const char *path, double slack, int64_t i,
                            const swq_csr *rate, swq_csr *p, swq_imported *chain)
{
    const long long state = (long long)i + chain->first;
    double sum = 0, diagonal = 0;
    int64_t out = p->start[i];

    for (int64_t e = rate->start[i]; e < rate->start[i + 1]; e++) {
        if (rate->col[e] == i)
            diagonal = rate->value[e];
        else
            sum += rate->value[e];
    }
    if (diagonal < 0 && !(fabs(diagonal + sum) <= slack * sum))
        return swq_fail(ctx, SWQ_EINVAL,
                        "'%.120s': the rates out of state %lld sum to %.12g, and its diagonal "
                        "entry is %.12g, not minus that within %g of it",
                        path, state, sum, diagonal, slack);
    if (diagonal < 0)
        chain->worst_sum = fmax(chain->worst_sum, fabs(diagonal + sum) / sum);
    chain->stays[i] = sum == 0;
    chain->hold[i] = sum == 0 ? 1 : 1 / sum;
    for (int64_t e = rate->start[i]; e < rate->start[i + 1]; e++) {
        if (rate->col[e] == i)
            continue;
        p->col[out] = rate->col[e];
        p->value[out] = rate->value[e] / sum;
        if (!(p->value[out++] >= LEAST_SHARE))
            return swq_fail(ctx, SWQ_ERANGE,
                            "'%.120s': a rate out of state %lld is %g, too small beside the sum "
                            "%g of all its rates",
                            path, state, rate->value[e], sum);
    }
    if (sum == 0) {
        p->col[out] = (int32_t)i;
        p->value[out++] = 1;
    }
    p->start[i + 1] = out;
    return SWQ_OK;
}

static swq_status scale_rates(swq_context *ctx, const char *path, double slack, swq_imported *chain)
{
    const size_t states = (size_t)chain->p.rows, room = (size_t)swq_csr_nnz(&chain->p) + states;
    swq_csr rate = chain->p, p = {.rows = rate.rows, .cols = rate.cols};
    swq_status status = SWQ_OK;
    int64_t longest = 0;

    chain->hold = swq_calloc(ctx, states, sizeof *chain->hold);
    chain->stays = swq_calloc(ctx, states, sizeof *chain->stays);
    p.start = swq_calloc(ctx, states + 1, sizeof *p.start);
    p.col = swq_calloc(ctx, room, sizeof *p.col);
    p.value = swq_calloc(ctx, room, sizeof *p.value);
    if (!chain->hold || !chain->stays || !p.start || !p.col || !p.value)
        status = swq_memory_status(ctx);
    for (int64_t i = 0; i < rate.rows && !status; i++) {
        status = scale_row(ctx, path, slack, i, &rate, &p, chain);
        if (p.start[i + 1] - p.start[i] > longest)
            longest = p.start[i + 1] - p.start[i];
    }
    swq_csr_clear(ctx, &rate);
    chain->p = p;
    /* As above; three more cover the quotient and the product of a mean time and a reward, whose
     * decimals were rounded three times at most. */
    chain->roundings = 2 * chain->roundings + longest + 3;
    return status;
}

swq_status import_scale(swq_context *ctx, const char *path, const swq_import_options *options,
                        swq_imported *chain)
{
    const double slack = fmax(options->normalise, IMPORT_SUM_TOLERANCE);

    return options->rates ? scale_rates(ctx, path, slack, chain)
                          : scale_probabilities(ctx, path, slack, chain);
}
