/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "approximations": every method of `switchq approx` has the error that its row states,
 * against the simulator, and no larger one; for one switch against exact answers. Rows are in
 * approximations.yaml.
 */
#include "approx/links/errors.h"
#include "base/context.h"
#include "switchq/approx.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"
#include "validate/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUICK = 6000, FULL = 60000, LONGER = 10 };

swq_stated_fn swq_stated_as_stated;

/* The errors that `approx` states for a network; NULL: this network was not measured. */
static const links_errors *stated_of(const swq_figure_setting *s)
{
    for (int k = 0; k < links_measured_count; k++) {
        const links_errors *e = &links_measured[k];
        if (strcmp(e->buffer, s->buffer) == 0 && e->ports == s->network.sw.ports &&
            e->stages == s->network.shape.stages && e->slots == s->memory &&
            e->discard == (s->network.sw.flow == SWQ_DISCARD))
            return e;
    }
    return NULL;
}

/* Large networks have as many packets in fewer cycles. */
static uint64_t cycles_of(swq_effort effort, const swq_network *n)
{
    const double most = 4e6 / pow(n->sw.ports, n->shape.stages);

    return (uint64_t)fmin(effort == SWQ_EFFORT_QUICK ? QUICK : FULL, most);
}

/* Checks that the throughput at full load is within the stated errors, widened by the interval of
 * the simulation that they were measured with. */
swq_status swq_stated_as_stated(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                uint64_t seed, swq_finding *finding)
{
    swq_figure_setting setting;
    const swq_approx_method *method = NULL;
    swq_approx_result a = {0};
    swq_sim_result s;
    swq_status status = figure_network(ctx, &setting, "%s", row->network);

    if (status)
        return status;
    const swq_network *network = &setting.network;
    const links_errors *e = stated_of(&setting);
    swq_stated with = *row;
    if (!e)
        return swq_fail(ctx, SWQ_EINTERNAL, "%s: not measured", row->name);
    with.least = (e->throughput[0] - e->half_width) / 100;
    with.most = (e->throughput[1] + e->half_width) / 100;
    status = swq_approx_find(ctx, "links", &method);
    if (!status)
        status = swq_approx_run(ctx, network, method, &a);
    if (!status)
        status = swq_stated_simulate(ctx, network, cycles_of(effort, network), seed, &s);
    if (!status)
        swq_stated_off(finding, &with, a.throughput, s.all.throughput);
    return status;
}

SWQ_STATED_FUNCTIONS(swq_rows_approximations, "approximations", LONGER)

const swq_family swq_family_approximations = {
    .name = "approximations",
    .title = "Approximations of networks: is their error the stated one?",
    .legs = "approximation; synchronous simulator, exact chain",
    .criterion = "value / simulated - 1 lies within what `switchq approx --methods` states for "
                 "the method (links/measured: an answer for its network), including the sign, to "
                 "the digits stated, within the half-width "
                 "of the simulation's 99.9% interval plus 0.05%; one stage: 1e-7 from "
                 "head-of-line saturation, 1e-9 from the exact chain",
    .count = count,
    .describe = describe,
    .run = run,
};
