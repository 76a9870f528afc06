/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many simulations on threads; and the load that gives a throughput.
 */
#include "base/context.h"
#include "sim/measure/pile.h"
#include "sim/stages/net.h"
#include "switchq/sim.h"

#include <math.h>

enum { MOST_RUNS = 10 };

/* The load to try next in the search for a throughput `wanted`, strictly between low and high. A
 * source that holds one packet has a mean cycle of 1/load + w, where w is the mean wait in the
 * source. The wait changes slowly with the load, so the next 1/load is nearly 1/wanted - w. */
static double next_load(double load, double got, double wanted, double low, double high)
{
    double wait = 1 / got - 1 / load, next = 1 / wanted - wait;

    next = next > 1 ? 1 / next : 1;
    return next > low && next < high ? next : (low + high) / 2;
}

static swq_status run_point(swq_context *ctx, swq_sim_point *p)
{
    const double wanted = p->throughput;
    double low = 0, high = 1;
    swq_traffic *t = &p->network.traffic;

    p->options.threads = 1;
    if (!(wanted >= 0 && wanted < 1))
        return swq_fail(ctx, SWQ_EINVAL, "throughput must be 0 to below 1, not %g", wanted);
    if (wanted > 0)
        t->load = wanted;
    for (;;) {
        swq_status status = swq_sim_run(ctx, &p->network, &p->options, &p->result);
        if (status)
            return status;
        p->runs++;
        p->load = t->load;
        swq_estimate got = p->result.all.throughput;
        bool close = fabs(got.mean - wanted) <= fmin(got.half_width, 0.001 * wanted);
        if (wanted == 0 || close || p->runs == MOST_RUNS ||
            p->result.stopped_by == SWQ_STOP_INTERRUPTED)
            return SWQ_OK;
        if (got.mean < wanted)
            low = t->load;
        else
            high = t->load;
        if (low >= 1) {
            p->saturated = got.mean + got.half_width < wanted;
            return SWQ_OK;
        }
        t->load =
            got.mean > 0 ? next_load(t->load, got.mean, wanted, low, high == 1 ? 1.01 : high) : 1;
        t->load = t->load > 1 ? 1 : t->load;
    }
}

/* ---- all of them ---- */

static swq_status run_task(swq_context *ctx, void *point, int k)
{
    return run_point(ctx, (swq_sim_point *)point + k);
}

static swq_status *status_of(void *point, int k)
{
    return &((swq_sim_point *)point)[k].status;
}

static double bytes_of(swq_context *ctx, void *point, int k)
{
    const swq_sim_point *p = (swq_sim_point *)point + k;
    uint32_t nodes;

    return swq_network_check(ctx, &p->network, &nodes)
               ? 0
               : p->options.replications * swq_net_bytes(&p->network, &p->options, nodes);
}

swq_status swq_sim_points(swq_context *ctx, swq_sim_point *point, int points, int threads)
{
    swq_pile pile = {
        .arg = point, .tasks = points, .run = run_task, .status = status_of, .bytes = bytes_of};

    for (int k = 0; k < points; k++) {
        point[k].runs = 0;
        point[k].saturated = false;
    }
    return swq_pile_run(ctx, &pile, threads);
}
