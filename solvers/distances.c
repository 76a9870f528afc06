/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of nodes by their distance from the root.
 */
#include "base/context.h"
#include "base/packed.h"
#include "solvers/grid.h"

#include <string.h>

/* For chains of which no groups are known: nodes at the same distance from the root are a group. */
static swq_status group_rows_by_distance(swq_context *ctx, const swq_product *p, int64_t root,
                                         swq_grouping *g)
{
    int64_t widest = swq_product_widest(p), left = 1;
    int32_t *list = swq_calloc(ctx, (size_t)widest, sizeof *list);
    int32_t *next = swq_calloc(ctx, (size_t)widest, sizeof *next);

    *g = (swq_grouping){.depth = 1, .levels = p->factors};
    g->of = swq_calloc(ctx, (size_t)p->factors, sizeof *g->of);
    g->groups = swq_calloc(ctx, (size_t)p->factors, sizeof *g->groups);
    bool room = list && next && g->of && g->groups;
    for (int k = 0; k < p->factors && room; k++) {
        g->of[k] = swq_calloc(ctx, (size_t)p->factor[k].rows, sizeof *g->of[k]);
        room = g->of[k] != NULL;
        for (int64_t i = 0; room && i < p->factor[k].rows; i++)
            g->of[k][i] = -1;
    }
    if (room) {
        list[0] = (int32_t)root;
        g->of[0][root] = 0;
        g->groups[0] = 1;
    }
    for (int k = 0; room && left > 0; k = (k + 1) % p->factors) {
        int into = (k + 1) % p->factors;
        int64_t found = 0;
        const swq_csr *m = &p->factor[k];
        for (int64_t a = 0; a < left; a++) {
            for (int64_t e = m->start[list[a]]; e < m->start[list[a] + 1]; e++) {
                if (g->of[into][m->col[e]] >= 0)
                    continue;
                g->of[into][m->col[e]] = (int32_t)g->groups[into];
                next[found++] = m->col[e];
            }
        }
        g->groups[into] += found > 0;
        int32_t *turn = list;
        list = next;
        next = turn;
        left = found;
    }
    /* give a group to the nodes to which the root does not lead */
    for (int k = 0; k < p->factors && room; k++) {
        int32_t rest = (int32_t)g->groups[k];
        for (int64_t i = 0; i < p->factor[k].rows; i++) {
            if (g->of[k][i] < 0) {
                g->of[k][i] = rest;
                g->groups[k] = rest + 1;
            }
        }
    }
    swq_free(ctx, list);
    swq_free(ctx, next);
    if (!room) {
        swq_grouping_clear(ctx, g);
        return swq_memory_status(ctx);
    }
    return SWQ_OK;
}

swq_status swq_group_by_distance(swq_context *ctx, const swq_product *p, int64_t root,
                                 swq_grouping *g)
{
    swq_csr plain[SWQ_MOST_FACTORS] = {{0}};

    if (!swq_product_packed(p))
        return group_rows_by_distance(ctx, p, root, g);
    swq_status status = swq_product_unpack(ctx, p, plain);
    if (!status)
        status = group_rows_by_distance(ctx, &(swq_product){p->factors, plain, p->roundings, false},
                                        root, g);
    for (int k = 0; k < p->factors; k++)
        swq_csr_clear(ctx, &plain[k]);
    return status;
}
