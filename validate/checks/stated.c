/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of statements as families.
 */
#include "validate/checks/stated.h"

#include "base/context.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool wanted(const swq_stated *row, swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL || !row->full;
}

int swq_stated_count(const swq_stated *rows, swq_effort effort)
{
    int count = 0;

    for (const swq_stated *row = rows; row->name; row++)
        count += wanted(row, effort);
    return count;
}

static const swq_stated *row_of(const swq_stated *rows, swq_effort effort, int k)
{
    const swq_stated *row = rows;

    while (!wanted(row, effort) || k-- > 0)
        row++;
    return row;
}

void swq_stated_describe(const swq_stated *rows, const char *family, double longer,
                         swq_effort effort, int k, swq_check *check)
{
    const swq_stated *row = row_of(rows, effort, k);

    *check = (swq_check){.level = row->level,
                         .weight = row->weight * (effort == SWQ_EFFORT_FULL ? longer : 1)};
    snprintf(check->name, sizeof check->name, "%s/%s", family, row->name);
    snprintf(check->claim, sizeof check->claim, "%s", row->claim);
}

swq_status swq_stated_run(swq_context *ctx, const swq_stated *rows, swq_effort effort, int k,
                          uint64_t seed, swq_finding *finding)
{
    const swq_stated *row = row_of(rows, effort, k);
    swq_status status = row->find(ctx, row, effort, seed, finding);

    if (!status && finding->outcome == SWQ_OUTCOME_FAIL && row->known) {
        finding->outcome = SWQ_OUTCOME_KNOWN;
        snprintf(finding->text, sizeof finding->text, "%s", row->known);
    }
    return status;
}

swq_status swq_stated_simulate(swq_context *ctx, const swq_network *network, uint64_t cycles,
                               uint64_t seed, swq_sim_result *result)
{
    swq_sim_options options = swq_sim_defaults();

    options.seed = seed;
    options.cycles = cycles;
    options.confidence = SWQ_STATED_CONFIDENCE;
    swq_status status = swq_sim_run(ctx, network, &options, result);
    if (!status && result->stopped_by == SWQ_STOP_INTERRUPTED)
        status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    return status;
}

void swq_stated_p(swq_finding *finding, double exact, swq_estimate measured)
{
    double score = (measured.mean - exact) / measured.half_width *
                   gsl_cdf_ugaussian_Qinv((1 - SWQ_STATED_CONFIDENCE) / 2);

    finding->left = exact;
    finding->right = measured.mean;
    finding->off = fabs(score);
    finding->p = 2 * gsl_cdf_ugaussian_Q(fabs(score));
    finding->outcome = isnan(finding->p) ? SWQ_OUTCOME_FAIL : SWQ_OUTCOME_PASS;
}

void swq_stated_off(swq_finding *finding, const swq_stated *row, double value,
                    swq_estimate measured)
{
    double off = value / measured.mean - 1;
    double slack = measured.half_width / measured.mean + 0.0005;
    double beyond = fmax(row->least - off, off - row->most);

    finding->left = value;
    finding->right = measured.mean;
    finding->off = off;
    finding->allowed = off < 0 ? row->least - slack : row->most + slack;
    finding->outcome = beyond <= slack ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
    snprintf(finding->text, sizeof finding->text,
             "%+.2f%%, stated %+.3g to %+.3g%%; interval %.2f%%", 100 * off, 100 * row->least,
             100 * row->most, 100 * measured.half_width / measured.mean);
}

void swq_stated_less(swq_finding *finding, swq_estimate low, swq_estimate high)
{
    double apart = low.mean + low.half_width - (high.mean - high.half_width);

    if (!isnan(finding->off) && apart <= finding->off)
        return;
    finding->left = low.mean;
    finding->right = high.mean;
    finding->off = apart;
    finding->allowed = 0;
    finding->outcome = apart < 0 ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
}
