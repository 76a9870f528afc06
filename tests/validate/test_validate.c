/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The run of checks, with families made up for it: what is planned, how p-values are judged, what a
 * failure, a skip, an interruption and a lack of memory come to. And what must hold of the real
 * ones before they are run.
 */
#include "base/context.h"
#include "tests/support/support.h"
#include "validate/checks/run.h"

#include <fnmatch.h>
#include <pthread.h>

TestSuite(validate, .timeout = 240);

/* ---- made up ---- */

/* Exact checks k = 0 .. 5, of which number 3 finds an error; the full effort has two more. */
static int exact_count(swq_effort effort)
{
    return effort == SWQ_EFFORT_FULL ? 8 : 6;
}

static void exact_describe(swq_effort effort, int k, swq_check *check)
{
    (void)effort;
    snprintf(check->name, sizeof check->name, "exact/case=%d", k);
    snprintf(check->claim, sizeof check->claim, "%d is as it should be", k);
    check->level = SWQ_LEVEL_EXACT;
    check->weight = 1 + k % 3;
}

static swq_status exact_run(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                            swq_finding *f)
{
    (void)ctx;
    (void)effort;
    (void)seed;
    f->left = 1;
    f->right = k == 3 ? 1 + 2e-9 : 1;
    f->off = f->right - f->left;
    f->allowed = 1e-9;
    f->outcome = f->off <= f->allowed ? SWQ_OUTCOME_PASS : SWQ_OUTCOME_FAIL;
    return SWQ_OK;
}

static const swq_family exact_family = {.name = "exact",
                                        .title = "t",
                                        .legs = "l",
                                        .criterion = "c",
                                        .count = exact_count,
                                        .describe = exact_describe,
                                        .run = exact_run};

/* p-values 1e-4, 2e-4, 3e-4, 0.01, 0.5, and 1e-5 for a known one, in groups of two. */
static const double given_p[] = {1e-4, 2e-4, 3e-4, 0.01, 0.5, 1e-5};
enum { GIVEN = sizeof given_p / sizeof *given_p };

static int stat_count(swq_effort effort)
{
    (void)effort;
    return GIVEN;
}

static int by_twos(swq_effort effort, int k)
{
    (void)effort;
    cr_assert_eq(k % 2, 0);
    return 2;
}

static void stat_describe(swq_effort effort, int k, swq_check *check)
{
    (void)effort;
    snprintf(check->name, sizeof check->name, "stat/case=%d", k);
    snprintf(check->claim, sizeof check->claim, "%d agrees", k);
    check->level = SWQ_LEVEL_STAT;
}

static swq_status stat_run(swq_context *ctx, swq_effort effort, int k, uint64_t seed,
                           swq_finding *f)
{
    (void)ctx;
    (void)effort;
    (void)seed;
    for (int t = 0; t < 2; t++)
        f[t].p = given_p[k + t];
    if (k == 4)
        f[1].outcome = SWQ_OUTCOME_KNOWN;
    return SWQ_OK;
}

static const swq_family stat_family = {.name = "stat",
                                       .title = "t",
                                       .legs = "l",
                                       .criterion = "c",
                                       .count = stat_count,
                                       .describe = stat_describe,
                                       .together = by_twos,
                                       .run = stat_run};

/* One that is skipped, one that cannot be run, and one that cancels its context. */
static int odd_count(swq_effort effort)
{
    (void)effort;
    return 3;
}

static void odd_describe(swq_effort effort, int k, swq_check *check)
{
    static const char *const names[] = {"odd/skipped", "odd/impossible", "odd/cancelled"};

    (void)effort;
    snprintf(check->name, sizeof check->name, "%s", names[k]);
    check->level = k ? SWQ_LEVEL_ORDER : SWQ_LEVEL_SKIP;
}

static swq_status odd_run(swq_context *ctx, swq_effort effort, int k, uint64_t seed, swq_finding *f)
{
    (void)effort;
    (void)seed;
    if (k == 0)
        f->outcome = SWQ_OUTCOME_SKIPPED;
    return k == 1   ? swq_fail(ctx, SWQ_EINVAL, "no such thing")
           : k == 2 ? swq_fail(ctx, SWQ_ECANCELLED, "cancelled")
                    : SWQ_OK;
}

static const swq_family odd_family = {.name = "odd",
                                      .title = "t",
                                      .legs = "l",
                                      .criterion = "c",
                                      .count = odd_count,
                                      .describe = odd_describe,
                                      .run = odd_run};

static const swq_family *const made_up[] = {&exact_family, &stat_family, &odd_family, NULL};

static swq_status go(swq_context *ctx, const char *only, int threads, swq_validation *v)
{
    swq_validate_options options = swq_validate_defaults();

    options.only = only;
    options.threads = threads;
    swq_status status = swq_checks_plan(ctx, made_up, &options, v);
    return status ? status : swq_validate_run(ctx, &options, v);
}

static const swq_finding *find(const swq_validation *v, const char *name)
{
    for (int c = 0; c < v->checks; c++) {
        if (strcmp(v->check[c].name, name) == 0)
            return &v->finding[c];
    }
    cr_assert_fail("%s is not there", name);
    return NULL;
}

/* ---- plans ---- */

Test(validate, a_plan_has_what_matches_and_counts_the_rest)
{
    swq_context *ctx = test_papers();
    swq_validate_options options = swq_validate_defaults();
    swq_validation v;

    cr_assert_eq(swq_checks_plan(ctx, made_up, &options, &v), SWQ_OK);
    cr_assert_eq(v.checks, 6 + GIVEN + 3);
    cr_assert_eq(v.unmatched, 0);
    cr_assert_eq(v.elsewhere, 2);
    cr_assert_eq(v.count[SWQ_LEVEL_EXACT][SWQ_OUTCOME_NOT_RUN], 6);
    cr_assert_not(v.passed);
    swq_validation_clear(ctx, &v);

    options.only = "ct/case=[23]";
    options.effort = SWQ_EFFORT_FULL;
    cr_assert_eq(swq_checks_plan(ctx, made_up, &options, &v), SWQ_OK);
    cr_assert_eq(v.checks, 2);
    cr_assert_str_eq(v.check[1].name, "exact/case=3");
    cr_assert_eq(v.number[1], 3);
    cr_assert_eq(v.family[1], &exact_family);
    cr_assert_eq(v.unmatched, 8 + GIVEN + 3 - 2);
    cr_assert_eq(v.elsewhere, 0);
    swq_validation_clear(ctx, &v);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(validate, nothing_that_matches_is_an_error_that_names_the_families)
{
    swq_context *ctx = test_papers();
    swq_validate_options options = swq_validate_defaults();
    swq_validation v;

    options.only = "case=7";
    cr_assert_eq(swq_checks_plan(ctx, made_up, &options, &v), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "'case=7'"));
    cr_assert(strstr(swq_context_message(ctx), "other effort"));
    cr_assert(strstr(swq_context_message(ctx), "exact, stat, odd"));
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- runs ---- */

Test(validate, one_wrong_value_fails_the_run)
{
    swq_context *ctx = test_papers();
    swq_validation v;

    cr_assert_eq(go(ctx, "exact/case=[0-2]", 1, &v), SWQ_OK);
    cr_assert(v.passed);
    swq_validation_clear(ctx, &v);
    cr_assert_eq(go(ctx, "exact/", 2, &v), SWQ_OK);
    cr_assert_not(v.passed);
    cr_assert_eq(v.count[SWQ_LEVEL_EXACT][SWQ_OUTCOME_PASS], 5);
    cr_assert_eq(v.count[SWQ_LEVEL_EXACT][SWQ_OUTCOME_FAIL], 1);
    cr_assert_eq(find(&v, "exact/case=3")->outcome, SWQ_OUTCOME_FAIL);
    cr_assert(find(&v, "exact/case=3")->seconds >= 0);
    swq_validation_clear(ctx, &v);
    swq_context_free(ctx);
}

/* By hand, at 1e-3 for six: 1e-5 <= 1e-3/6, 1e-4 <= 1e-3/5, 2e-4 <= 1e-3/4, 3e-4 <= 1e-3/3, and
 * 0.01 > 1e-3/2, which is the limit in the end. */
Test(validate, p_values_are_judged_together)
{
    swq_context *ctx = test_papers();
    swq_validation v;

    cr_assert_eq(go(ctx, "stat", 2, &v), SWQ_OK);
    cr_assert_eq(v.judged, GIVEN);
    assert_relative(v.p_least, 5e-4, 1e-12, "%g", v.p_least);
    for (int k = 0; k < GIVEN; k++)
        cr_assert_eq(v.finding[k].outcome, k < 3    ? SWQ_OUTCOME_FAIL
                                           : k == 5 ? SWQ_OUTCOME_KNOWN
                                                    : SWQ_OUTCOME_PASS);
    cr_assert_float_eq(v.finding[0].allowed, 3.4808, 1e-4, "%g", v.finding[0].allowed);
    cr_assert_not(v.passed);
    swq_validation_clear(ctx, &v);
    /* a known one that agrees nevertheless has passed */
    cr_assert_eq(go(ctx, "stat/case=[345]", 1, &v), SWQ_OK);
    cr_assert_eq(v.judged, 3);
    cr_assert(v.passed);
    cr_assert_eq(find(&v, "stat/case=5")->outcome, SWQ_OUTCOME_KNOWN);
    swq_validation_clear(ctx, &v);
    swq_context_free(ctx);
}

/* By the textbook: rejects the smallest while it is at most alpha divided by the number of those
 * left. */
static double by_the_book(const double *p, size_t n, double alpha)
{
    bool rejected[64] = {false};
    double limit = alpha;

    for (size_t left = n; left > 0; left--) {
        size_t least = n;
        for (size_t k = 0; k < n; k++) {
            if (!rejected[k] && (least == n || p[k] < p[least]))
                least = k;
        }
        limit = alpha / (double)left;
        if (p[least] > limit)
            return limit;
        rejected[least] = true;
    }
    return alpha;
}

Test(validate, holms_method)
{
    uint64_t state = 1;
    double p[64], sorted[64];

    for (int round = 0; round < 2000; round++) {
        size_t n = 1 + (size_t)round % 64;
        for (size_t k = 0; k < n; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            double u = (double)(state >> 11) * 0x1p-53;
            p[k] = sorted[k] = round % 3 ? u : u * u * u * u;
        }
        double limit = swq_holm(sorted, n, 0.05), expected = by_the_book(p, n, 0.05);
        assert_relative(limit, expected, 1e-12, "%zu values", n);
    }
    cr_assert_eq(swq_holm(p, 0, 0.05), 0.05);
}

Test(validate, what_cannot_be_run_has_failed_and_says_why)
{
    swq_context *ctx = test_papers();
    swq_validation v;

    cr_assert_eq(go(ctx, "odd/[si]*", 1, &v), SWQ_OK);
    cr_assert_not(v.passed);
    cr_assert_eq(find(&v, "odd/skipped")->outcome, SWQ_OUTCOME_SKIPPED);
    cr_assert_eq(find(&v, "odd/impossible")->outcome, SWQ_OUTCOME_FAIL);
    cr_assert(strstr(find(&v, "odd/impossible")->text, "no such thing"));
    swq_validation_clear(ctx, &v);
    cr_assert_eq(go(ctx, "odd/skipped", 1, &v), SWQ_OK);
    cr_assert(v.passed, "a skip is no failure");
    swq_validation_clear(ctx, &v);
    swq_context_free(ctx);
}

Test(validate, an_interrupted_run_keeps_what_was_finished)
{
    swq_context *ctx = test_papers();
    swq_validation v;

    cr_assert_eq(go(ctx, "odd/[sc]*", 1, &v), SWQ_ECANCELLED);
    cr_assert_eq(find(&v, "odd/cancelled")->outcome, SWQ_OUTCOME_NOT_RUN);
    cr_assert_eq(v.count[SWQ_LEVEL_SKIP][SWQ_OUTCOME_SKIPPED], 1);
    cr_assert_eq(v.count[SWQ_LEVEL_ORDER][SWQ_OUTCOME_NOT_RUN], 1);
    swq_validation_clear(ctx, &v);
    swq_context_free(ctx);

    ctx = test_papers();
    swq_context_cancel(ctx);
    cr_assert_eq(go(ctx, "exact", 2, &v), SWQ_ECANCELLED);
    cr_assert_eq(v.count[SWQ_LEVEL_EXACT][SWQ_OUTCOME_NOT_RUN], 6);
    cr_assert_not(v.passed);
    swq_validation_clear(ctx, &v);
    swq_context_free(ctx);
}

Test(validate, threads_change_nothing)
{
    swq_context *ctx = test_papers();
    swq_validate_options options = swq_validate_defaults();
    swq_validation one, four;

    options.only = "reduced-unreduced/buffer=fifo-1,ports=2";
    cr_assert_eq(swq_validate_plan(ctx, &options, &one), SWQ_OK);
    cr_assert_eq(swq_validate_run(ctx, &options, &one), SWQ_OK);
    options.threads = 4;
    cr_assert_eq(swq_validate_plan(ctx, &options, &four), SWQ_OK);
    cr_assert_eq(swq_validate_run(ctx, &options, &four), SWQ_OK);
    cr_assert(one.passed && one.checks > 5);
    cr_assert_eq(one.checks, four.checks);
    for (int c = 0; c < one.checks; c++)
        cr_assert(one.finding[c].left == four.finding[c].left &&
                  one.finding[c].off == four.finding[c].off);
    swq_validation_clear(ctx, &one);
    swq_validation_clear(ctx, &four);
    swq_context_free(ctx);
}

Test(validate, every_allocation_fails)
{
    swq_context *ctx = test_papers();
    bool done = false;

    for (size_t after = 0; !done; after++) {
        swq_validation v = {0};
        cr_assert(after < 100);
        swq_context_fail_allocations(ctx, after, after % 2);
        swq_status status = go(ctx, "exact/case=[01]", 1, &v);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        done = status == SWQ_OK;
        cr_assert(done || status == SWQ_ENOMEM, "%d", status);
        swq_validation_clear(ctx, &v);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    swq_context_free(ctx);
}

Test(validate, threads_out_of_range)
{
    swq_context *ctx = test_papers();
    swq_validation v;

    cr_assert_eq(go(ctx, "exact", 0, &v), SWQ_EINVAL);
    swq_validation_clear(ctx, &v);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* ---- the real ones ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name begins with its family's, no two are equal, and none was truncated. */
static void check_names(swq_effort effort)
{
    swq_context *ctx = test_papers();
    swq_validate_options options = swq_validate_defaults();
    swq_validation v;

    options.effort = effort;
    cr_assert_eq(swq_validate_plan(ctx, &options, &v), SWQ_OK);
    const char **name = calloc((size_t)v.checks, sizeof *name);
    for (int c = 0; c < v.checks; c++) {
        const swq_check *check = &v.check[c];
        const size_t family = strlen(v.family[c]->name);
        name[c] = check->name;
        cr_assert(strncmp(check->name, v.family[c]->name, family) == 0 &&
                      check->name[family] == '/',
                  "%s of family %s", check->name, v.family[c]->name);
        cr_assert(strlen(check->name) + 1 < sizeof check->name, "%s", check->name);
        cr_assert(check->claim[0] && strlen(check->claim) + 1 < sizeof check->claim, "%s",
                  check->claim);
        cr_assert(check->weight >= 0, "%s", check->name);
    }
    qsort(name, (size_t)v.checks, sizeof *name, by_text);
    for (int c = 1; c < v.checks; c++)
        cr_assert_str_neq(name[c - 1], name[c]);
    free(name);
    for (int f = 0; swq_families[f]; f++)
        cr_assert(swq_families[f]->title[0] && swq_families[f]->legs[0] &&
                  swq_families[f]->criterion[0]);
    swq_validation_clear(ctx, &v);
    swq_context_free(ctx);
}

Test(validate, names_of_quick)
{
    check_names(SWQ_EFFORT_QUICK);
}

Test(validate, names_of_full)
{
    check_names(SWQ_EFFORT_FULL);
}

Test(validate, texts)
{
    for (int l = 0; l < SWQ_LEVELS; l++)
        cr_assert(swq_level_text((swq_level)l)[0]);
    cr_assert_str_eq(swq_level_text(SWQ_LEVEL_SIM_TABLE), "SIM-TABLE");
    cr_assert_str_eq(swq_outcome_text(SWQ_OUTCOME_NOT_RUN), "not run");
    cr_assert_str_eq(swq_outcome_text(SWQ_OUTCOME_FAIL), "fail");
}

/* Checks that only the full run has are made by no other test: with a context that has been
 * cancelled they read their cases, and stop where the work would begin. None may be refused. */
Test(validate, no_check_of_the_full_run_asks_for_what_cannot_be)
{
    static swq_finding found[20000];

    for (int f = 0; swq_families[f]; f++) {
        const swq_family *family = swq_families[f];
        int step = 1;
        for (int k = 0; k < family->count(SWQ_EFFORT_FULL); k += step) {
            swq_context *ctx = test_papers();
            step = family->together ? family->together(SWQ_EFFORT_FULL, k) : 1;
            cr_assert_leq(step, 20000);
            swq_context_cancel(ctx);
            const swq_status status = family->run(ctx, SWQ_EFFORT_FULL, k, 1, found);
            cr_expect_neq(status, SWQ_EINVAL, "%s %d: %s", family->name, k,
                          swq_context_message(ctx));
            swq_context_free(ctx);
        }
    }
}
