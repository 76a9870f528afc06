/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of the text that a figure's regeneration checks (`switchq figure`): a figure is made once
 * for all of them.
 */
#include "validate/checks/printed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Most characters of a cause, and of a measurement, in a finding's text. */
enum { MOST_CAUSE = 200, MOST_MEASURED = 95 };

/* Measured CPU seconds; quick: 0 if it is only in the full run. */
static const struct {
    const char *figure;
    double quick, full;
} costs[] = {
    {"4.1", 0, 40},    {"4.2", 2, 20},     {"5.1", 0, 10},   {"5.2", 0, 80},   {"5.3", 0, 200},
    {"5.4", 0, 60},    {"5.5", 0, 120},    {"5.6", 0, 110},  {"5.7", 0, 60},   {"5.8", 0, 90},
    {"5.9", 0, 140},   {"6.1", 0, 30},     {"6.2", 0.4, 2},  {"6.3", 0, 26},   {"6.4", 0, 56},
    {"6.8", 0, 120},   {"6.9", 0, 136},    {"6.12", 0, 4},   {"8.7", 0, 6},    {"8.8", 2, 12},
    {"8.9", 0, 30},    {"8.10", 0, 36},    {"8.11", 0, 28},  {"8.13", 0, 10},  {"8.14", 0, 20},
    {"8.16", 0, 20},   {"8.18", 0, 14},    {"8.19", 0, 36},  {"8.21", 0, 30},  {"8.23", 0, 8},
    {"8.24", 0, 36},   {"8.26", 0, 26},    {"8.27", 0, 14},  {"8.28", 0, 34},  {"8.30", 6, 26},
    {"8.31", 0, 60},   {"8.32", 3, 24},    {"8.38", 0, 110}, {"8.39", 0, 40},  {"8.40", 0, 60},
    {"8.43", 0, 40},   {"003.7", 0, 60},   {"003.8", 0, 20}, {"003.9", 0, 15}, {"003.10", 0, 60},
    {"003.11", 0, 30}, {"003.12", 0, 150}, {"001.9", 0, 26}, {"001.10", 1, 4}, {"000.6", 0, 24},
    {"000.7", 0, 60},  {"001.11", 0, 6},   {"001.12", 0, 5}, {"002.3", 1, 3},  {"002.7", 0, 12},
    {"002.8", 0, 12},  {"text", 1, 8},
};

bool printed_figure_wanted(const char *figure, swq_effort effort, double *weight)
{
    for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
        if (strcmp(costs[k].figure, figure) == 0) {
            *weight = effort == SWQ_EFFORT_QUICK ? costs[k].quick : costs[k].full;
            return *weight > 0;
        }
    }
    return false;
}

swq_figure_options printed_figure_options(swq_effort effort, uint64_t seed)
{
    swq_figure_options options = swq_figure_defaults(effort == SWQ_EFFORT_QUICK);

    options.seed = seed;
    return options;
}

/* Does the claim `text` begin with one of the beginnings that `claims` lists? */
static bool stands_for(const char *claims, const char *text)
{
    for (const char *one = claims; *one;) {
        size_t length = strcspn(one, "|");
        if (strncmp(text, one, length) == 0)
            return true;
        one += length + (one[length] == '|');
    }
    return false;
}

/* If some comparisons of a claim fail, adds everything that the figure says about it. */
static void add_claim(const swq_claim *claim, const printed_row *row, swq_finding *finding,
                      const char **worst)
{
    swq_outcome outcome = SWQ_OUTCOME_PASS;

    if (claim->fails > 0)
        outcome = row->reason || claim->known ? SWQ_OUTCOME_KNOWN : SWQ_OUTCOME_FAIL;
    else if (claim->holds == 0)
        outcome = SWQ_OUTCOME_SKIPPED;
    finding->left += claim->holds;
    finding->right += claim->holds + claim->fails + claim->open;
    finding->off += claim->fails;
    if (outcome > finding->outcome || (outcome == SWQ_OUTCOME_KNOWN && !*worst))
        *worst = claim->known;
    if (outcome > finding->outcome) {
        finding->outcome = outcome;
        if (outcome == SWQ_OUTCOME_SKIPPED)
            snprintf(finding->text, sizeof finding->text,
                     "an interval contains both: this run cannot decide");
        else
            snprintf(finding->text, sizeof finding->text, "%.*s", (int)sizeof finding->text - 1,
                     claim->measured);
    }
}

static void add_rule(swq_finding *finding, const char *rule)
{
    int k = 0;

    while (k < SWQ_FINDING_RULES && finding->rule[k] && strcmp(finding->rule[k], rule) != 0)
        k++;
    if (k < SWQ_FINDING_RULES)
        finding->rule[k] = rule;
}

/* Judges the comparisons of all claims together: as many may fail as the row excuses; if it excuses
 * none and the figure knows the reason, any number may. */
static void judge_claims(const swq_figure *figure, const printed_row *row, swq_finding *finding)
{
    const char *known = NULL;
    int found = 0;

    finding->outcome = SWQ_OUTCOME_NOT_RUN;
    for (int k = 0; k < figure->claims; k++) {
        if (stands_for(row->claims, figure->claim[k].text)) {
            found++;
            add_claim(&figure->claim[k], row, finding, &known);
            add_rule(finding, figure->claim[k].criterion);
        }
    }
    if (found == 0) {
        finding->outcome = SWQ_OUTCOME_FAIL;
        snprintf(finding->text, sizeof finding->text, "Figure %s has no such claim", row->figure);
    } else if (finding->outcome == SWQ_OUTCOME_KNOWN && (row->reason || row->excused) &&
               finding->off > row->excused) {
        finding->outcome = SWQ_OUTCOME_FAIL; /* more fail than are known to */
    } else if (finding->outcome == SWQ_OUTCOME_KNOWN) {
        char measured[sizeof finding->text];
        snprintf(measured, sizeof measured, "%s", finding->text);
        snprintf(finding->text, sizeof finding->text, "%.*s; %.*s", MOST_CAUSE,
                 known ? known : row->reason, MOST_MEASURED, measured);
    }
}

swq_status printed_figure_run(swq_context *ctx, swq_effort effort, const printed_row *rows,
                              int count, uint64_t seed, swq_finding *finding)
{
    swq_figure_options options = printed_figure_options(effort, seed);
    swq_figure_kind *kind;
    swq_figure figure = {0};
    swq_status status = swq_figure_open(ctx, rows[0].figure, false, &kind);

    if (!status)
        status = swq_figure_run(ctx, kind, &options, &figure);
    for (int r = 0; r < count && !status; r++) {
        judge_claims(&figure, &rows[r], &finding[r]);
    }
    if (!status)
        printed_joint(&finding[count], &figure.joint);
    swq_figure_clear(ctx, &figure);
    swq_figure_close(ctx, kind);
    return status;
}
