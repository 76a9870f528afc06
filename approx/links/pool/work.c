/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Working space for a step of a pool's chain.
 */
#include "approx/links/pool/stage.h"

#include "base/context.h"

#include <math.h>

/* Relative to the rate at which two packets meet, which is the rarest event that the answers depend
 * on: at light loads nearly everything is rare. The product stays above LEAST at any load. */
#define RARE  1e-13
#define LEAST 1e-290

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

static void fill_tables(pool_work *w)
{
    int k = w->ports;
    const double *choose = w->queues.choose;

    for (int n = 0; n <= k; n++)
        for (int j = 0; j <= n; j++)
            w->binomial[n * (k + 1) + j] =
                choose[n * (k + 1) + j] * pow(1.0 / k, j) * pow(1 - 1.0 / k, n - j);
}

swq_status pool_work_init(swq_context *ctx, int ports, int capacity, int classes, bool discard,
                          double load, pool_work *w)
{
    size_t side = (size_t)ports + 1, totals = (size_t)capacity + 1;

    *w = (pool_work){.ports = ports,
                     .capacity = capacity,
                     .discard = discard,
                     .rare = fmax(RARE * load * load, LEAST)};
    w->cells = (int)(totals * (totals + 1) / 2);
    swq_status status = pool_senders_init(ctx, ports, 2, &w->sources);
    status = status ? status : pool_senders_init(ctx, ports, classes, &w->queues);
    status = status ? status : pool_rest_init(ctx, ports, capacity, &w->rest);
    status = status ? status : pool_coarse_init(ctx, ports, capacity, &w->coarse);
    size_t counts = (size_t)w->queues.counts, states = (size_t)w->cells * counts;
    bool ok = !status && TAKE(w->binomial, side * side) && TAKE(w->open, totals) &&
              TAKE(w->total, totals) && TAKE(w->length, totals) &&
              TAKE(w->departs, (size_t)ports * (size_t)w->cells) &&
              TAKE(w->group, 2 * side * (totals + 1)) && TAKE(w->kernel, counts * counts) &&
              TAKE(w->free, counts * side);
    for (int i = 0; ok && i < POOL_LINES; i++)
        ok = TAKE(w->line[i], totals + 1);
    for (int i = 0; ok && i < POOL_TURNS; i++)
        ok = TAKE(w->turn[i], states);
    for (int i = 0; ok && i < POOL_LEVELS; i++)
        ok = TAKE(w->after[i], states) && TAKE(w->now[i], states);
    if (!ok) {
        status = status ? status : swq_memory_status(ctx);
        pool_work_clear(ctx, w);
        return status;
    }
    fill_tables(w);
    return SWQ_OK;
}

void pool_work_clear(swq_context *ctx, pool_work *w)
{
    pool_senders_clear(ctx, &w->sources);
    pool_senders_clear(ctx, &w->queues);
    pool_rest_clear(ctx, &w->rest);
    pool_coarse_clear(ctx, &w->coarse);
    swq_free(ctx, w->binomial);
    swq_free(ctx, w->open);
    swq_free(ctx, w->total);
    swq_free(ctx, w->length);
    swq_free(ctx, w->departs);
    swq_free(ctx, w->group);
    swq_free(ctx, w->kernel);
    swq_free(ctx, w->free);
    for (int i = 0; i < POOL_LINES; i++)
        swq_free(ctx, w->line[i]);
    for (int i = 0; i < POOL_TURNS; i++)
        swq_free(ctx, w->turn[i]);
    for (int i = 0; i < POOL_LEVELS; i++) {
        swq_free(ctx, w->after[i]);
        swq_free(ctx, w->now[i]);
    }
    *w = (pool_work){0};
}
