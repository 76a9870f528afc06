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

swq_status figure_measure(swq_context *ctx, const char *network, const swq_sim_options *options,
                          const char *quantity, swq_estimate *value)
{
    swq_figure_setting s;
    swq_async_result r;
    swq_status status = figure_network(ctx, &s, "%s", network);

    if (!status)
        status = s.asynchronous ? swq_async_run(ctx, &s.async, options, NULL, &r)
                                : swq_sim_run(ctx, &s.network, options, &r.sim);
    if (!status && r.sim.stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    if (status)
        return status;
    const struct {
        const char *name;
        swq_estimate value;
    } of[] = {{"throughput", r.sim.all.throughput},
              {"latency", r.sim.all.latency},
              {"discards", r.sim.all.discard_fraction},
              {"latency.normal", r.sim.by_class[0].latency},
              {"latency.high", r.sim.by_class[1].latency}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        if (strcmp(of[k].name, quantity) == 0) {
            *value = of[k].value;
            return SWQ_OK;
        }
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "a run has throughput, latency (.normal, .high) and discards, not '%.40s'",
                    quantity);
}
