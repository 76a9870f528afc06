/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of chapter 8's networks.
 * Room: validate. Includes base, sim.
 */
#include "validate/figures/contest.h"
#include "base/context.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <string.h>

swq_status contest_point_make(swq_context *ctx, const contestant *row, const char *benchmark,
                              double load, const swq_sim_options *options, contest_point *p)
{
    const swq_benchmark *named;
    swq_async *n = &p->run.network;
    swq_fabric f;

    swq_status status = swq_benchmark_find(ctx, benchmark, &named);
    if (!status)
        status = contestant_make(ctx, row, n);
    if (!status)
        status = swq_benchmark_make(ctx, named, n, load, &p->groups);
    if (status)
        return status;
    n->group = p->groups.group;
    n->groups = p->groups.groups;
    p->run.options = *options;
    if (p->groups.hot_link == SWQ_NO_WHERE)
        return SWQ_OK;
    status = swq_fabric_count(ctx, &n->shape, &f);
    if (!status)
        status = swq_detail_new(ctx, f.nodes, (size_t)f.switches * (size_t)f.ports,
                                SWQ_DETAIL_LINKS, &p->detail);
    p->run.options.detail = &p->detail;
    return status;
}

void contest_point_read(const contest_point *p, contest_cell *c)
{
    const swq_sim_result *r = &p->run.result.sim;
    const swq_estimate none = {NAN, NAN};
    const bool grouped = p->groups.groups > 1;

    *c = (contest_cell){.there = true,
                        .total = r->all.throughput,
                        .total_latency = r->all.latency,
                        .hot = none,
                        .cycles = r->cycles * (uint64_t)r->replications,
                        .a_node = (double)r->all.delivered / r->nodes};
    for (int g = 0; g < CONTEST_GROUPS; g++) {
        const bool has = g < p->groups.groups;
        c->throughput[g] = !has ? none : grouped ? r->by_group[g].throughput : r->all.throughput;
        c->latency[g] = !has ? none : grouped ? r->by_group[g].latency : r->all.latency;
    }
    if (p->groups.hot_link != SWQ_NO_WHERE)
        c->hot = p->detail.link[p->groups.hot_link].utilisation;
}

swq_status contest_points_run(swq_context *ctx, contest_point *point, int points, int threads)
{
    swq_async_point *run = swq_calloc(ctx, (size_t)points + 1, sizeof *run);

    if (!run)
        return swq_memory_status(ctx);
    for (int k = 0; k < points; k++)
        run[k] = point[k].run;
    swq_status status = points ? swq_async_points(ctx, run, points, threads) : SWQ_OK;
    for (int k = 0; k < points; k++)
        point[k].run = run[k];
    swq_free(ctx, run);
    return status == SWQ_ECANCELLED ? SWQ_OK : status;
}
