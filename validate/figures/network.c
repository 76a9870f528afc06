/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network in the words of options: read, and run once.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

swq_status figure_network(swq_context *ctx, swq_figure_setting *setting, const char *format, ...)
{
    const swq_figure_source *source = swq_context_lent(ctx);
    char words[1200];
    va_list values;

    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    return source && source->network
               ? source->network(ctx, words, setting)
               : swq_fail(ctx, SWQ_EINVAL, "no networks: swq_figures_from says where they are");
}

/* At a throughput, if it is positive, which only networks in stage cycles can be held at. */
static swq_status run_at(swq_context *ctx, const swq_figure_setting *s, double throughput,
                         const swq_sim_options *options, swq_async_result *r)
{
    swq_sim_point point = {.network = s->network, .throughput = throughput, .options = *options};

    if (s->asynchronous)
        return throughput > 0 ? swq_fail(ctx, SWQ_EINVAL,
                                         "asynchronous networks are run at a load, not at a "
                                         "throughput of %g",
                                         throughput)
                              : swq_async_run(ctx, &s->async, options, NULL, r);
    swq_status status = swq_sim_points(ctx, &point, 1, 1);
    if (!status && throughput > 0 && point.saturated)
        status = swq_fail(ctx, SWQ_EINVAL, "the network does not deliver a throughput of %g",
                          throughput);
    r->sim = point.result;
    return status;
}

swq_status figure_measure(swq_context *ctx, const char *network, double throughput,
                          const swq_sim_options *options, const char *quantity, swq_estimate *value)
{
    swq_sim_options own = *options;
    swq_figure_setting s;
    swq_async_result r = {0};
    swq_status status = figure_network(ctx, &s, "%s", network);

    own.per_node = strcmp(quantity, "p99") == 0;
    if (!status)
        status = run_at(ctx, &s, throughput, &own, &r);
    if (!status && (swq_context_cancelled(ctx) || r.sim.stopped_by == SWQ_STOP_INTERRUPTED))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (status)
        return status;
    const struct {
        const char *name;
        swq_estimate value;
    } of[] = {
        {"throughput", r.sim.all.throughput},          {"latency", r.sim.all.latency},
        {"discards", r.sim.all.discard_fraction},      {"p99", r.sim.all.node_percentile[2]},
        {"latency.normal", r.sim.by_class[0].latency}, {"latency.high", r.sim.by_class[1].latency}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        if (strcmp(of[k].name, quantity) == 0) {
            *value = of[k].value;
            return SWQ_OK;
        }
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "a run has throughput, latency (.normal, .high), p99 and discards, not '%.40s'",
                    quantity);
}
