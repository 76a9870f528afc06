/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Departures and arrivals as one flow between totals.
 */
#include "approx/links/partitioned/totals.h"

#include "base/context.h"

#include <string.h>

swq_status totals_init(swq_context *ctx, int most, int growth, totals_flow *t)
{
    const size_t n = (size_t)most + 1;

    *t = (totals_flow){.most = most, .growth = growth};
    t->stays = swq_calloc(ctx, n, sizeof *t->stays);
    t->sends = swq_calloc(ctx, n, sizeof *t->sends);
    t->grew = swq_calloc(ctx, n * ((size_t)growth + 1), sizeof *t->grew);
    if (t->stays && t->sends && t->grew)
        return approx_lumps_init(ctx, most + 1, 1, growth, &t->lumps);
    totals_clear(ctx, t);
    return swq_memory_status(ctx);
}

void totals_clear(swq_context *ctx, totals_flow *t)
{
    swq_free(ctx, t->stays);
    swq_free(ctx, t->sends);
    swq_free(ctx, t->grew);
    approx_lumps_clear(ctx, &t->lumps);
    *t = (totals_flow){0};
}

void totals_start(totals_flow *t)
{
    const size_t n = (size_t)t->most + 1;

    memset(t->stays, 0, n * sizeof *t->stays);
    memset(t->sends, 0, n * sizeof *t->sends);
    memset(t->grew, 0, n * ((size_t)t->growth + 1) * sizeof *t->grew);
    approx_lumps_start(&t->lumps);
}

/* Mass that comes from `from` and has `left` packets before arrivals. */
static void spread(totals_flow *t, int from, int left, double mass)
{
    const double *grew = t->grew + (size_t)left * ((size_t)t->growth + 1);
    double sum = 0;

    for (int j = 0; j <= t->growth; j++)
        sum += grew[j];
    for (int j = 0; mass > 0 && j <= t->growth; j++) {
        if (grew[j] > 0)
            approx_lumps_add(&t->lumps, from, left + j, mass * (grew[j] / sum));
    }
}

const double *totals_solve(totals_flow *t)
{
    for (int n = 0; n <= t->most; n++) {
        spread(t, n, n, t->stays[n]);
        if (n > 0)
            spread(t, n, n - 1, t->sends[n]);
    }
    approx_lumps_solve(&t->lumps);
    return t->lumps.factor;
}
