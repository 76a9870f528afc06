/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families that are lists of statements: how a row is judged, at the edges; names; and some rows of
 * each family run.
 */
#include "tests/support/support.h"
#include "validate/checks/families.h"
#include "validate/checks/stated.h"

#include <math.h>
#include <string.h>

TestSuite(stated, .timeout = 240);

static const swq_family *const families[] = {&swq_family_formulas, &swq_family_approximations,
                                             &swq_family_orderings, &swq_family_direct};
enum { FAMILIES = 4 };

/* The outcome for a result that is off by `percent`, with an interval of half a percent. */
static swq_outcome off_by(double least, double most, double percent)
{
    const swq_stated row = {.least = least, .most = most};
    swq_finding f = {.off = NAN};

    swq_stated_off(&f, &row, 2 * (1 + percent / 100), (swq_estimate){2, 0.01});
    cr_assert(isnan(percent) || fabs(f.off - percent / 100) < 1e-12);
    return f.outcome;
}

Test(stated, off_at_its_edges)
{
    /* stated 1 to 2%: the interval is 0.5%, digits 0.05% */
    cr_assert_eq(off_by(0.01, 0.02, 1.5), SWQ_OUTCOME_PASS);
    cr_assert_eq(off_by(0.01, 0.02, 2.54), SWQ_OUTCOME_PASS);
    cr_assert_eq(off_by(0.01, 0.02, 2.56), SWQ_OUTCOME_FAIL);
    cr_assert_eq(off_by(0.01, 0.02, 0.46), SWQ_OUTCOME_PASS);
    cr_assert_eq(off_by(0.01, 0.02, 0.44), SWQ_OUTCOME_FAIL);
    cr_assert_eq(off_by(0.01, 0.02, -1.5), SWQ_OUTCOME_FAIL); /* the sign counts */
    cr_assert_eq(off_by(-0.03, 0.03, -3.54), SWQ_OUTCOME_PASS);
    cr_assert_eq(off_by(-0.03, 0.03, -3.56), SWQ_OUTCOME_FAIL);
    cr_assert_eq(off_by(-0.03, 0.03, NAN), SWQ_OUTCOME_FAIL);
}

/* Lower by more than both intervals; of several comparisons the worst one is kept. */
Test(stated, less_keeps_the_worst)
{
    swq_finding f = {.off = NAN};

    swq_stated_less(&f, (swq_estimate){1, 0.1}, (swq_estimate){1.3, 0.1});
    cr_assert_eq(f.outcome, SWQ_OUTCOME_PASS);
    swq_stated_less(&f, (swq_estimate){1, 0.1}, (swq_estimate){1.19, 0.1});
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    swq_stated_less(&f, (swq_estimate){1, 0.1}, (swq_estimate){2, 0.1});
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
    cr_assert_eq(f.right, 1.19);
}

Test(stated, p_of_a_measurement)
{
    swq_finding f = {.off = NAN, .p = NAN};

    swq_stated_p(&f, 1, (swq_estimate){1.1, 0.1}); /* at the edge of a 99.9% interval */
    cr_assert_float_eq(f.p, 0.001, 1e-12);
    swq_stated_p(&f, 1, (swq_estimate){1, 0.1});
    cr_assert_float_eq(f.p, 1, 1e-12);
    swq_stated_p(&f, 1, (swq_estimate){NAN, 0.1});
    cr_assert_eq(f.outcome, SWQ_OUTCOME_FAIL);
}

/* Names are the family's, fit, and occur once; the quick run is a part of the full one. */
Test(stated, names)
{
    for (int f = 0; f < FAMILIES; f++) {
        const swq_family *family = families[f];
        const int quick = family->count(SWQ_EFFORT_QUICK), full = family->count(SWQ_EFFORT_FULL);
        int found = 0;
        cr_assert(4 <= quick && quick < full);
        for (int a = 0; a < full; a++) {
            swq_check one, other;
            family->describe(SWQ_EFFORT_FULL, a, &one);
            cr_assert_eq(strncmp(one.name, family->name, strlen(family->name)), 0);
            cr_assert_lt(strlen(one.name), sizeof one.name - 1, "%s is cut off", one.name);
            cr_assert_lt(strlen(one.claim), sizeof one.claim - 1, "%s is cut off", one.claim);
            for (int b = 0; b < a; b++) {
                family->describe(SWQ_EFFORT_FULL, b, &other);
                cr_assert_str_neq(one.name, other.name);
            }
            for (int b = 0; b < quick; b++) {
                family->describe(SWQ_EFFORT_QUICK, b, &other);
                found += strcmp(one.name, other.name) == 0;
            }
        }
        cr_assert_eq(found, quick, "%s", family->name);
    }
}

static swq_finding run(const swq_family *family, const char *name, size_t fail_at,
                       swq_status *status)
{
    swq_context *ctx = test_papers();
    swq_finding finding = {.off = NAN, .p = NAN};
    const int all = family->count(SWQ_EFFORT_QUICK);
    int k = 0;

    for (; k < all; k++) {
        swq_check check;
        family->describe(SWQ_EFFORT_QUICK, k, &check);
        if (strcmp(check.name + strlen(family->name) + 1, name) == 0)
            break;
    }
    cr_assert_lt(k, all, "no %s", name);
    if (fail_at != SIZE_MAX)
        swq_context_fail_allocations(ctx, fail_at, false);
    *status = family->run(ctx, SWQ_EFFORT_QUICK, k, 1, &finding);
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", name);
    swq_context_free(ctx);
    return finding;
}

Test(stated, some_of_each)
{
    static const struct {
        int family;
        const char *name;
        swq_outcome outcome;
    } cases[] = {
        {0, "hol-saturation/ports=3", SWQ_OUTCOME_PASS},
        {0, "output-queue-finite/ports=2,slots=12,load=0.3", SWQ_OUTCOME_PASS},
        {0, "shared-output-chain/ports=3,slots=3,load=0.9", SWQ_OUTCOME_PASS},
        {0, "output-queue-slots/ports=16", SWQ_OUTCOME_PASS},
        {0, "kruskal-snir/ports=4,stages=32", SWQ_OUTCOME_PASS},
        {0, "dynamic-threshold/alpha=2.0", SWQ_OUTCOME_PASS},
        {1, "links/one-stage,ports=4", SWQ_OUTCOME_PASS},
        {1, "exact-chains/one-stage,buffer=samq-4", SWQ_OUTCOME_PASS},
        {1, "links/buffer=fifo-4,flow=discard,load=0.8", SWQ_OUTCOME_PASS},
        {1, "small-cycle/slots=4,load=1", SWQ_OUTCOME_PASS},
        {2, "4.2/loss,damq-4<fifo-4", SWQ_OUTCOME_PASS},
        {2, "4.2/loss,damq-4<safc-4", SWQ_OUTCOME_KNOWN},
        {2, "4.2/loss,damq-3<fifo-6", SWQ_OUTCOME_KNOWN},
        {2, "4.2/slots,cbda", SWQ_OUTCOME_PASS},
        {2, "4.5/saturation,damq-4>fifo-4", SWQ_OUTCOME_PASS},
        {3, "grid-waits/torus=8x8,sources=open,up-to=valid", SWQ_OUTCOME_PASS},
        {3, "grid-waits/torus=11x11,sources=hold,knee=0.8", SWQ_OUTCOME_PASS},
        {3, "agarwal/one-way,torus=8x8,length=16,utilisation=0.4", SWQ_OUTCOME_PASS},
        {3, "dally/cut-through,torus=8x8,length=16,utilisation=0.1", SWQ_OUTCOME_PASS},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_status status;
        swq_finding finding = run(families[cases[c].family], cases[c].name, SIZE_MAX, &status);
        cr_assert_eq(status, SWQ_OK);
        cr_assert_eq(finding.outcome, cases[c].outcome, "%s: %s", cases[c].name, finding.text);
        cr_assert(isnan(finding.p), "%s", cases[c].name);
    }
}

/* A check that is judged by its p-value leaves the verdict to the run. */
Test(stated, waits_by_their_p_value)
{
    swq_status status;
    swq_finding finding =
        run(&swq_family_formulas, "output-queue/simulated,ports=4,load=0.8", SIZE_MAX, &status);

    cr_assert_eq(status, SWQ_OK);
    cr_assert_float_eq(finding.left, 2.5, 1e-9);
    cr_assert_gt(finding.p, 1e-6);
}

Test(stated, failing_allocations)
{
    static const struct {
        int family;
        const char *name;
    } cases[] = {{0, "hol-saturation/ports=2"},
                 {1, "exact-chains/one-stage,buffer=fifo-4"},
                 {2, "4.5/saturation,damq-4>fifo-4"},
                 {3, "dally/cut-through,torus=8x8,length=16,utilisation=0.1"}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t at = 0; status; at += 1 + at / 3) {
            run(families[cases[c].family], cases[c].name, at, &status);
            cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%s", cases[c].name);
            cr_assert_lt(at, 100000);
        }
    }
}
