/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "orderings": claims of G. L. Frazier's dissertation (UCLA, 1995) that one design is
 * better than another, and orderings that must be true, unless figures and printed numbers (family
 * "targets") already cover them. The rows are in orderings.yaml.
 */
#include "base/context.h"
#include "validate/checks/families.h"
#include "validate/checks/printed.h"
#include "validate/checks/stated.h"
#include "validate/figures/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { QUICK = 4000, FULL = 40000, LONGER = 10 };

swq_stated_fn swq_stated_ordering, swq_stated_support_helps, swq_stated_serves_better;

/* The comparisons of a finding: their number, and the one furthest from holding. */
static void less(swq_finding *finding, swq_estimate low, swq_estimate high, int *of, int *wrong,
                 const char *where)
{
    swq_finding one = {.off = NAN};

    swq_stated_less(&one, low, high);
    (*of)++;
    *wrong += one.outcome == SWQ_OUTCOME_FAIL;
    /* intervals differ in size by orders of magnitude, so relative to the larger value */
    double apart = one.off / fmax(fabs(low.mean), fabs(high.mean));
    if (!isnan(finding->off) && apart <= finding->off)
        return;
    finding->left = low.mean;
    finding->right = high.mean;
    finding->off = apart;
    finding->allowed = 0;
    snprintf(finding->text, sizeof finding->text, "closest: %s", where);
}

static void settle(swq_finding *finding, int of, int wrong)
{
    char closest[120];

    snprintf(closest, sizeof closest, "%.110s", finding->text);
    finding->outcome = wrong ? SWQ_OUTCOME_FAIL : SWQ_OUTCOME_PASS;
    snprintf(finding->text, sizeof finding->text, "holds at %d of %d; %s", of - wrong, of, closest);
}

/* ---- 4 and 6: answers of commands ---- */

/* A single comparison leaves its two sides, several leave the closest. */
swq_status swq_stated_ordering(swq_context *ctx, const swq_stated *row, swq_effort effort,
                               uint64_t seed, swq_finding *finding)
{
    figure_judge *j;
    int of = 0, wrong = 0;
    const swq_status status =
        printed_asked_judge(ctx, effort, row->name, row->that, seed, SWQ_STATED_CONFIDENCE, &j);

    if (!status && j->pairs == 1)
        swq_stated_less(finding, j->pair[0].a, j->pair[0].b);
    for (int k = 0; !status && j->pairs > 1 && k < j->pairs; k++)
        less(finding, j->pair[k].a, j->pair[k].b, &of, &wrong, j->pair[k].where.text);
    if (!status && j->pairs > 1)
        settle(finding, of, wrong);
    swq_free(ctx, j);
    return status;
}

/* ---- 5: priority, at equal throughput ---- */

/* The 99th percentile of high priority in a network, at the row's throughput. */
static swq_status percentile(swq_context *ctx, const swq_stated *row, const char *network,
                             swq_effort effort, uint64_t seed, swq_estimate *p99)
{
    swq_sim_point point = {.throughput = row->load, .options = swq_sim_defaults()};
    swq_figure_setting s;
    swq_status status = figure_network(
        ctx, &s,
        "--topology omega --stages 3 --flow block --credit next --load 1 --high 0.05 --buffer %.*s",
        (int)strcspn(network, "|"), network);

    if (status)
        return status;
    point.network = s.network;
    point.options.per_node = true;
    point.options.seed = seed;
    point.options.cycles = 4 * (uint64_t)(effort == SWQ_EFFORT_QUICK ? QUICK : FULL);
    status = swq_sim_points(ctx, &point, 1, 1);
    if (!status && swq_context_cancelled(ctx))
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    *p99 = point.result.by_class[1].node_percentile[2];
    return status;
}

/* Each step of support, a network of the row, lowers the 99th percentile of high priority. */
swq_status swq_stated_support_helps(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                    uint64_t seed, swq_finding *finding)
{
    swq_estimate before = {0}, now = {0};
    int of = 0, wrong = 0;
    swq_status status = percentile(ctx, row, row->network, effort, seed, &before);

    for (const char *step = row->network; !status && (step = strchr(step, '|'));) {
        status = percentile(ctx, row, ++step, effort, seed, &now);
        if (!status)
            less(finding, now, before, &of, &wrong, of == 0 ? "arbiter" : "queue");
        before = now;
    }
    if (!status)
        settle(finding, of, wrong);
    return status;
}

/* The first network of the row serves packets of high priority better than the second. */
swq_status swq_stated_serves_better(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                    uint64_t seed, swq_finding *finding)
{
    swq_estimate a = {0}, b = {0};
    swq_status status = percentile(ctx, row, row->network, effort, seed, &a);

    if (!status)
        status = percentile(ctx, row, strchr(row->network, '|') + 1, effort, seed, &b);
    if (!status)
        swq_stated_less(finding, a, b);
    return status;
}

SWQ_STATED_FUNCTIONS(swq_rows_orderings, "orderings", LONGER)

const swq_family swq_family_orderings = {
    .name = "orderings",
    .title = "Claims that one design is better than another",
    .legs = "dissertation; exact chain, simulators",
    .criterion = "the two values differ, in the claimed order, by more than both proven bounds "
                 "(chains) or both 99.9% intervals (simulations; 95% for percentiles), at every "
                 "single comparison",
    .count = count,
    .describe = describe,
    .run = run,
};
