/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers and claims that answers of commands decide: comparisons of validate/asked.yaml,
 * in the language of claims.
 */
#include "base/context.h"
#include "validate/checks/printed.h"
#include "validate/figures/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = 8,      /* pairs in a text, at most */
    MOST_QUICK = 30 /* CPU seconds of a row in a quick run, at most */
};

void printed_less(swq_finding *finding, double left, double right)
{
    finding->left = left;
    finding->right = right;
    finding->off = left - right;
    finding->allowed = 0;
    finding->outcome = left < right ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
}

void printed_none(swq_finding *finding, int failed, int of)
{
    finding->left = of - failed;
    finding->right = of;
    finding->off = failed;
    finding->allowed = 0;
    finding->outcome = failed == 0 ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
}

/* Copies the first of the comparisons, with the seed for $seed and, for <QUICK FULL>, the value of
 * this effort; returns where the next comparison begins. */
static const char *fill(const char *from, swq_effort effort, uint64_t seed, char to[JUDGE_TEXT])
{
    size_t used = 0;
    char pair[2][24];

    while (*from && *from != '|' && used + 24 < JUDGE_TEXT) {
        int length = 0;
        if (strncmp(from, "$seed", 5) == 0) {
            used += (size_t)snprintf(to + used, JUDGE_TEXT - used, "%" PRIu64, seed);
            from += 5;
        } else if (sscanf(from, "<%23[-.0-9] %23[-.0-9]>%n", pair[0], pair[1], &length) == 2 &&
                   length) {
            used += (size_t)snprintf(to + used, JUDGE_TEXT - used, "%s",
                                     pair[effort == SWQ_EFFORT_FULL]);
            from += length;
        } else {
            to[used++] = *from++;
        }
    }
    to[used] = '\0';
    return from + (*from == '|');
}

/* The left sides, and the right sides that are measured too. */
static void show(const figure_judge *j, char *text, size_t size)
{
    size_t used = 0;

    for (int k = 0; k < j->pairs && j->pairs <= SHOWN && used < size; k++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%.4g", k ? ", " : "", j->pair[k].a.mean);
        if (j->pair[k].b.half_width > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, " against %.4g", j->pair[k].b.mean);
    }
}

static void settle(const figure_judge *j, swq_finding *f)
{
    const judge_pair *p = &j->pair[0];
    const figure_tally *t = &j->tally;

    if (j->pairs == 1 && p->how == JUDGE_SAME) {
        swq_finding_near(f, p->a.mean, p->b.mean, isnan(p->allowed) ? 0 : p->allowed);
    } else if (j->pairs == 1 && p->how == JUDGE_LESS) {
        printed_less(f, p->a.mean, p->b.mean);
    } else {
        printed_none(f, j->pairs - t->holds, j->pairs);
        show(j, f->text, sizeof f->text);
    }
    if (f->outcome == SWQ_OUTCOME_FAIL && *t->where_fails)
        snprintf(f->text, sizeof f->text, "not: %s", t->where_fails);
}

swq_status printed_asked_judge(swq_context *ctx, swq_effort effort, const char *name,
                               const char *that, uint64_t seed, double confidence,
                               figure_judge **judge)
{
    const swq_figure_plan plan = {0};
    const swq_figure_kind kind = {.name = name};
    const figure_claim_row claim = {.text = name};
    swq_figure out = {.options = {.seed = seed}};
    figure_work work = {.ctx = ctx, .kind = &kind, .plan = &plan, .out = &out};
    figure_judge *j = *judge = swq_calloc(ctx, 1, sizeof *j);

    if (!j)
        return swq_memory_status(ctx);
    *j = (figure_judge){.f = &work, .row = &claim, .x = NAN, .run = -1, .confidence = confidence};
    while (*that && !work.status) {
        char text[JUDGE_TEXT];
        that = fill(that, effort, seed, text);
        figure_judge_comparison(j, text);
    }
    j->f = NULL;
    return work.status;
}

swq_status printed_asked_run(swq_context *ctx, swq_effort effort, const printed_row *row,
                             uint64_t seed, swq_finding *finding)
{
    figure_judge *j;

    if (effort == SWQ_EFFORT_QUICK && row->weight > MOST_QUICK) {
        finding->outcome = SWQ_OUTCOME_SKIPPED;
        snprintf(finding->text, sizeof finding->text, "%.0f seconds: --full", row->weight);
        return SWQ_OK;
    }
    const swq_status status = printed_asked_judge(ctx, effort, row->id, row->that, seed, 0, &j);
    if (!status)
        settle(j, finding);
    swq_free(ctx, j);
    return status;
}
