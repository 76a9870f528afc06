/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a network saturates: its throughput at full load, and by bisection the load up to which
 * open sources are served in full.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "switchq/sim.h"

/* Is less delivered than was created, by more than the interval says it is known? */
static bool falls_behind(const swq_sim_result *r)
{
    double cycles = (double)r->cycles * r->replications;
    double created = (double)r->all.created / r->nodes / cycles;
    return r->all.throughput.mean + r->all.throughput.half_width < created;
}

swq_status swq_sim_saturation(swq_context *ctx, const swq_network *network,
                              const swq_sim_options *options, double resolution, swq_saturation *s)
{
    swq_network n = *network;
    swq_sim_options look = *options;
    swq_sim_result r;

    if (n.traffic.kind == SWQ_SOURCE_TRACE || n.traffic.node_load)
        return swq_fail(ctx, SWQ_EINVAL,
                        "saturation is found by changing the load, which must be one number for "
                        "all nodes, not one a node or a trace in place of traffic");
    if (!(resolution > 0 && resolution <= 0.5))
        return swq_fail(ctx, SWQ_EINVAL, "resolution must be above 0, at most 0.5, not %g",
                        resolution);
    n.traffic.load = 1;
    swq_status status = swq_sim_run(ctx, &n, options, &s->at_full_load);
    if (status)
        return status;
    s->throughput = s->at_full_load.all.throughput;
    s->least = 0;
    s->most = 1;
    s->runs = 1;
    if (n.sw.flow == SWQ_DISCARD) { /* nothing waits: it loses at any load */
        s->least = 1;
        return SWQ_OK;
    }
    n.traffic.kind = SWQ_SOURCE_OPEN;
    n.traffic.queue_limit = 0;
    /* beyond saturation latencies grow without end, so no precision would ever be reached */
    look.precision = 0;
    look.detail = NULL; /* which is that of full load */
    look.cycles = s->at_full_load.cycles;
    while (s->most - s->least > resolution && s->at_full_load.stopped_by != SWQ_STOP_INTERRUPTED) {
        n.traffic.load = (s->least + s->most) / 2;
        status = swq_sim_run(ctx, &n, &look, &r);
        if (status == SWQ_ECANCELLED || (!status && r.stopped_by == SWQ_STOP_INTERRUPTED)) {
            s->at_full_load.stopped_by = SWQ_STOP_INTERRUPTED;
            return SWQ_OK;
        }
        if (status)
            return status;
        if (falls_behind(&r))
            s->most = n.traffic.load;
        else
            s->least = n.traffic.load;
        s->runs++;
    }
    return SWQ_OK;
}
