/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of checks, their run over threads, and the outcome.
 * Includes sim (threads), base.
 */
#include "validate/checks/run.h"

#include "base/clock.h"
#include "base/context.h"
#include "sim/measure/pile.h"

#include <fnmatch.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double swq_validate_alpha = 1e-3;

const char *swq_level_text(swq_level level)
{
    static const char *const text[SWQ_LEVELS] = {"EXACT",  "STAT",  "TABLE", "SIM-TABLE",
                                                 "APPROX", "ORDER", "SKIP"};
    return text[level];
}

const char *swq_outcome_text(swq_outcome outcome)
{
    static const char *const text[SWQ_OUTCOMES] = {"not run", "pass", "known", "skipped", "fail"};
    return text[outcome];
}

swq_validate_options swq_validate_defaults(void)
{
    return (swq_validate_options){.effort = SWQ_EFFORT_QUICK, .seed = 1, .threads = 1};
}

/* ---- the plan ---- */

/* Compiles `only`, which is searched for anywhere in a name; *pattern is NULL for all names. */
static swq_status make_pattern(swq_context *ctx, const char *only, char **pattern)
{
    *pattern = NULL;
    if (!only)
        return SWQ_OK;
    size_t size = strlen(only) + 3;
    *pattern = swq_calloc(ctx, size, 1);
    if (!*pattern)
        return swq_memory_status(ctx);
    snprintf(*pattern, size, "*%s*", only);
    return SWQ_OK;
}

static bool matches(const char *pattern, const swq_check *check)
{
    return !pattern || fnmatch(pattern, check->name, 0) == 0;
}

static int count_all(const swq_family *const *families, swq_effort effort)
{
    int all = 0;

    for (int f = 0; families[f]; f++)
        all += families[f]->count(effort);
    return all;
}

static void describe(const swq_family *family, swq_effort effort, int k, swq_check *check)
{
    *check = (swq_check){.weight = 1};
    family->describe(effort, k, check);
}

static void list_checks(const swq_family *const *families, swq_effort effort, const char *pattern,
                        swq_validation *v)
{
    swq_check check;

    for (int f = 0; families[f]; f++) {
        for (int k = 0, all = families[f]->count(effort); k < all; k++) {
            describe(families[f], effort, k, &check);
            if (!matches(pattern, &check)) {
                v->unmatched++;
                continue;
            }
            v->check[v->checks] = check;
            v->family[v->checks] = families[f];
            v->number[v->checks++] = k;
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const swq_check *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

/* Counts the checks of effort `effort`, the one that is not run, whose names are not among the
 * planned checks. */
static swq_status count_elsewhere(swq_context *ctx, const swq_family *const *families,
                                  swq_effort effort, const char *pattern, swq_validation *v)
{
    const size_t size = sizeof(const swq_check *);
    const swq_check **sorted = swq_calloc(ctx, (size_t)v->checks + 1, size);
    swq_check check, *key = &check;

    if (!sorted)
        return swq_memory_status(ctx);
    for (int c = 0; c < v->checks; c++)
        sorted[c] = &v->check[c];
    qsort(sorted, (size_t)v->checks, size, by_name);
    for (int f = 0; families[f]; f++) {
        for (int k = 0, all = families[f]->count(effort); k < all; k++) {
            describe(families[f], effort, k, &check);
            v->elsewhere += matches(pattern, &check) &&
                            !bsearch(&key, sorted, (size_t)v->checks, size, by_name);
        }
    }
    swq_free(ctx, sorted);
    return SWQ_OK;
}

static void forget_findings(swq_validation *v)
{
    memset(v->count, 0, sizeof v->count);
    v->judged = 0;
    v->p_least = swq_validate_alpha;
    v->passed = false;
    for (int c = 0; c < v->checks; c++) {
        v->finding[c] = (swq_finding){
            .left = NAN, .right = NAN, .off = NAN, .allowed = NAN, .p = NAN, .seconds = 0};
        v->count[v->check[c].level][SWQ_OUTCOME_NOT_RUN]++;
    }
}

static swq_status nothing_matches(swq_context *ctx, const swq_family *const *families,
                                  const char *only, bool elsewhere)
{
    char names[480] = "";
    size_t used = 0;

    for (int f = 0; families[f] && used < sizeof names; f++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", f ? ", " : "",
                                 families[f]->name);
    return swq_fail(ctx, SWQ_EINVAL, "no check's name matches '%.60s'%s; families are %s",
                    only ? only : "", elsewhere ? " (some of the other effort do)" : "", names);
}

swq_status swq_checks_plan(swq_context *ctx, const swq_family *const *families,
                           const swq_validate_options *options, swq_validation *validation)
{
    const bool full = options->effort == SWQ_EFFORT_FULL;
    const size_t all = (size_t)count_all(families, options->effort) + 1;
    swq_validation v = {.check = swq_calloc(ctx, all, sizeof *v.check)};
    char *pattern = NULL;

    v.family = swq_calloc(ctx, all, sizeof(const swq_family *));
    v.number = swq_calloc(ctx, all, sizeof *v.number);
    v.finding = swq_calloc(ctx, all, sizeof *v.finding);
    swq_status status = v.check && v.family && v.number && v.finding
                            ? make_pattern(ctx, options->only, &pattern)
                            : swq_memory_status(ctx);
    if (!status) {
        list_checks(families, options->effort, pattern, &v);
        status =
            count_elsewhere(ctx, families, full ? SWQ_EFFORT_QUICK : SWQ_EFFORT_FULL, pattern, &v);
    }
    if (!status && v.checks == 0)
        status = nothing_matches(ctx, families, options->only, v.elsewhere > 0);
    swq_free(ctx, pattern);
    if (status) {
        swq_validation_clear(ctx, &v);
        return status;
    }
    forget_findings(&v);
    *validation = v;
    return SWQ_OK;
}

void swq_validation_clear(swq_context *ctx, swq_validation *v)
{
    swq_free(ctx, v->check);
    swq_free(ctx, (void *)v->family);
    swq_free(ctx, v->number);
    swq_free(ctx, v->finding);
    *v = (swq_validation){0};
}

/* ---- the run ---- */

/* Heavy tasks come first, so that no thread is left with one at the end. A task consists of the
 * requested checks that one computation decides. */
typedef struct {
    double weight;
    int check, checks; /* of the validation's list */
    int first, cases;  /* of the family: all that are computed */
} task;

typedef struct {
    const swq_validate_options *options;
    swq_validation *v;
    task *order; /* [tasks] */
    int tasks;
    swq_status *status;
} checks_job;

static swq_status run_task(swq_context *ctx, void *arg, int number)
{
    checks_job *j = arg;
    const task *t = &j->order[number];
    const swq_family *family = j->v->family[t->check];
    const double begun = swq_seconds(CLOCK_THREAD_CPUTIME_ID);
    swq_finding *found = swq_calloc(ctx, (size_t)t->cases, sizeof *found);

    if (!found)
        return swq_memory_status(ctx);
    for (int k = 0; k < t->cases; k++)
        found[k] = (swq_finding){SWQ_OUTCOME_PASS, .left = NAN,    .right = NAN,
                                 .off = NAN,       .allowed = NAN, .p = NAN};
    swq_status status = family->run(ctx, j->options->effort, t->first, j->options->seed, found);
    const double seconds = (swq_seconds(CLOCK_THREAD_CPUTIME_ID) - begun) / t->cases;
    for (int c = t->check; c < t->check + t->checks && status != SWQ_ECANCELLED; c++) {
        swq_finding *f = &j->v->finding[c];
        *f = found[j->v->number[c] - t->first];
        f->seconds = seconds;
        if (!status)
            continue;
        f->outcome = SWQ_OUTCOME_FAIL;
        f->p = NAN;
        snprintf(f->text, sizeof f->text, "could not be run: %s", swq_context_message(ctx));
    }
    swq_free(ctx, found);
    return status == SWQ_ECANCELLED ? status : SWQ_OK;
}

/* The cases that one computation decides, from case k on. */
static int cases_from(const swq_family *family, swq_effort effort, int k)
{
    return family->parts ? family->parts : family->together(effort, k);
}

/* Groups the requested checks by the computation that decides them. */
static void list_tasks(checks_job *j)
{
    const swq_validation *v = j->v;

    for (int c = 0; c < v->checks; c++) {
        task *t = j->tasks ? &j->order[j->tasks - 1] : NULL;
        const int k = v->number[c];
        const bool same = t && v->family[c] == v->family[t->check];
        if (same && k < t->first + t->cases) {
            t->checks++;
            t->weight += v->check[c].weight;
            continue;
        }
        int first = k, cases = 1;
        if (v->family[c]->parts || v->family[c]->together) {
            first = same ? t->first + t->cases : 0;
            while (first + (cases = cases_from(v->family[c], j->options->effort, first)) <= k)
                first += cases;
        }
        j->order[j->tasks++] = (task){v->check[c].weight, c, 1, first, cases};
    }
}

static swq_status *status_of(void *arg, int number)
{
    return &((checks_job *)arg)->status[number];
}

static double weight_of(void *arg, int number)
{
    const checks_job *j = arg;

    return j->order[number].weight;
}

static int heavier_first(const void *a, const void *b)
{
    const task *x = a, *y = b;

    return x->weight == y->weight ? (x->check > y->check) - (x->check < y->check)
                                  : (x->weight < y->weight) - (x->weight > y->weight);
}

/* ---- the verdict ---- */

static bool judged_together(const swq_validation *v, int c)
{
    const swq_finding *f = &v->finding[c];

    return v->check[c].level == SWQ_LEVEL_STAT && isfinite(f->p) &&
           (f->outcome == SWQ_OUTCOME_PASS || f->outcome == SWQ_OUTCOME_KNOWN);
}

static void judge(swq_validation *v, double *p)
{
    v->judged = 0;
    for (int c = 0; c < v->checks; c++) {
        if (judged_together(v, c))
            p[v->judged++] = v->finding[c].p;
    }
    v->p_least = swq_holm(p, (size_t)v->judged, swq_validate_alpha);
    const double score = gsl_cdf_ugaussian_Qinv(v->p_least / 2);
    for (int c = 0; c < v->checks; c++) {
        swq_finding *f = &v->finding[c];
        if (!judged_together(v, c))
            continue;
        if (isnan(f->allowed))
            f->allowed = score;
        if (f->p > v->p_least)
            f->outcome = SWQ_OUTCOME_PASS;
        else if (f->outcome != SWQ_OUTCOME_KNOWN)
            f->outcome = SWQ_OUTCOME_FAIL;
    }
}

static void count(swq_validation *v)
{
    int run = 0, failed = 0;

    memset(v->count, 0, sizeof v->count);
    for (int c = 0; c < v->checks; c++) {
        v->count[v->check[c].level][v->finding[c].outcome]++;
        run += v->finding[c].outcome != SWQ_OUTCOME_NOT_RUN;
        failed += v->finding[c].outcome == SWQ_OUTCOME_FAIL;
    }
    v->passed = run > 0 && failed == 0;
}

swq_status swq_validate_run(swq_context *ctx, const swq_validate_options *options,
                            swq_validation *v)
{
    const size_t checks = (size_t)v->checks + 1;
    checks_job j = {.options = options,
                    .v = v,
                    .order = swq_calloc(ctx, checks, sizeof *j.order),
                    .status = swq_calloc(ctx, checks, sizeof *j.status)};
    double *p = swq_calloc(ctx, checks, sizeof *p);
    swq_status status = SWQ_OK;

    if (!j.order || !j.status || !p)
        status = swq_memory_status(ctx);
    if (!status) {
        forget_findings(v);
        list_tasks(&j);
        qsort(j.order, (size_t)j.tasks, sizeof *j.order, heavier_first);
        swq_pile pile = {.arg = &j,
                         .tasks = j.tasks,
                         .run = run_task,
                         .status = status_of,
                         .stage = "checking",
                         .weight = weight_of};
        status = swq_pile_run(ctx, &pile, options->threads);
        judge(v, p);
        count(v);
    }
    swq_free(ctx, j.order);
    swq_free(ctx, j.status);
    swq_free(ctx, p);
    return status;
}

swq_status swq_validate_plan(swq_context *ctx, const swq_validate_options *options,
                             swq_validation *validation)
{
    return swq_checks_plan(ctx, swq_families, options, validation);
}
