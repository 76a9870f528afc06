/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --benchmark: groups of senders with a name.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

cli_parameter cli_benchmark_parameters[] = {
    {CLI_OPTION("benchmark", "I|II|III|IV|V|VI", SWQ_ENGINE_ASYNC), .axis = CLI_AXIS_WORDS,
     .list = "benchmarks", .costless = true,
     .about = "senders of a congestion benchmark: group G_NUT overloads a link of a multistage "
              "network, and --load is the load of all others, which send messages of 32 bytes "
              "uniformly and are measured in groups",
     .key = "benchmark"},
    CLI_PARAMETERS_END,
};

/* Refuses options that a benchmark determines. */
static swq_status refuse(swq_context *ctx)
{
    static const char *const own[] = {"group",   "interval", "interval-from", "length",   "traffic",
                                      "sources", "burst",    "hot-spots",     "normalise"};

    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if (cli_given(cli_network_options, own[k]) || cli_given(cli_async_options, own[k]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "--%s does not go with --benchmark, which defines who sends what",
                            own[k]);
    }
    return SWQ_OK;
}

swq_status cli_benchmark_read(swq_context *ctx, cli_async *n, cli_load load)
{
    const char *text = cli_network_text("load");
    const char *benchmark = cli_parameter_text(cli_benchmark_parameters);
    swq_benchmark_groups groups;
    double share = 1;

    if (!benchmark)
        return SWQ_OK;
    swq_status status = swq_benchmark_find(ctx, benchmark, &n->benchmark);
    if (!status)
        status = refuse(ctx);
    if (!status && load != CLI_LOAD_GIVEN)
        status = swq_fail(ctx, SWQ_EINVAL,
                          load == CLI_LOAD_OPEN
                              ? "--find-saturation changes the load of all senders: it does not "
                                "go with --benchmark"
                              : "--benchmark is for 'switchq sim'");
    if (!status && !text)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--benchmark needs --load, the load of all senders except G_NUT");
    if (!status)
        status = cli_number(ctx, "load", text, 0, 1, &share);
    if (!status)
        status = swq_benchmark_make(ctx, n->benchmark, &n->network, share, &groups);
    if (status) {
        char message[400];
        snprintf(message, sizeof message, "%s", swq_context_message(ctx));
        if (status == SWQ_EINVAL && strncmp(message, "benchmark ", 10) == 0)
            status = swq_fail(ctx, status, "--%s", message);
        return status;
    }
    memcpy(n->group, groups.group, sizeof n->group);
    memcpy(n->group_name, groups.name, sizeof n->group_name);
    for (int k = 0; k < groups.groups; k++)
        n->load[k] = groups.nut && k == 0 ? 1 : share;
    n->share = share;
    n->hot_link = groups.hot_link;
    n->grouped = groups.groups > 1;
    n->network.traffic.group = n->group;
    n->network.traffic.groups = groups.groups;
    return SWQ_OK;
}
