/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elimination without subtraction within a band.
 */
#include "approx/hotspot/chain.h"

#include "base/context.h"

#include <string.h>

/* Visits to a state per visit to the first one: scaled before they overflow. */
#define HUGE_VISITS 1e150

swq_status hot_chain_init(swq_context *ctx, size_t states, size_t reach, hot_chain *chain)
{
    *chain = (hot_chain){.most = states, .most_reach = reach};
    chain->p = swq_calloc(ctx, states * (2 * reach + 1), sizeof *chain->p);
    chain->pi = chain->p ? swq_calloc(ctx, states, sizeof *chain->pi) : NULL;
    if (chain->pi)
        return SWQ_OK;
    swq_status status = swq_memory_status(ctx);
    hot_chain_clear(ctx, chain);
    return status;
}

void hot_chain_clear(swq_context *ctx, hot_chain *chain)
{
    swq_free(ctx, chain->p);
    swq_free(ctx, chain->pi);
    *chain = (hot_chain){0};
}

void hot_chain_start(hot_chain *chain, int n, int reach)
{
    chain->n = n;
    chain->reach = reach < n ? reach : n - 1;
    memset(chain->p, 0, (size_t)n * (size_t)(2 * chain->reach + 1) * sizeof *chain->p);
}

void hot_chain_solve(hot_chain *chain)
{
    const int n = chain->n, reach = chain->reach, width = 2 * reach + 1;
    double total = 1;

    /* row(i)[j] is the transition from i to j */
#define ROW(i) (chain->p + (ptrdiff_t)(i)*width - (i) + reach)
    for (int last = n - 1; last > 0; last--) {
        int first = last > reach ? last - reach : 0;
        const double *out = ROW(last);
        double leaves = 0;

        for (int j = first; j < last; j++)
            leaves += out[j];
        for (int i = first; i < last; i++) {
            double *row = ROW(i), in = leaves > 0 ? row[last] / leaves : 0;

            row[last] = in; /* visits to `last` per visit to i */
            if (in > 0)
                for (int j = first; j < last; j++)
                    row[j] += in * out[j];
        }
    }
    chain->pi[0] = 1;
    for (int j = 1; j < n; j++) {
        double visits = 0;

        for (int i = j > reach ? j - reach : 0; i < j; i++)
            visits += chain->pi[i] * ROW(i)[j];
        total += chain->pi[j] = visits;
        if (visits > HUGE_VISITS) {
            for (int i = 0; i <= j; i++)
                chain->pi[i] /= visits;
            total /= visits;
        }
    }
#undef ROW
    for (int i = 0; i < n; i++)
        chain->pi[i] /= total;
}
