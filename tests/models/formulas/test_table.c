/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formulas, row by row: what it says of itself, its ranges, and that every row answers
 * at the ends of them.
 */
#include "switchq/formula.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(formula_table, .init = setup, .fini = teardown, .timeout = 240);

static bool said(const char *text)
{
    return text && *text;
}

Test(formula_table, rows_say_what_they_are)
{
    for (int f = 0; swq_formulas[f]; f++) {
        const swq_formula *row = swq_formulas[f], *found = NULL;
        cr_assert(f > 0 || said(row->family));
        cr_assert(said(row->name) && said(row->summary) && said(row->assumptions), "%d", f);
        cr_assert(said(row->source) && row->evaluate, "%s", row->name);
        cr_assert(row->parameters >= 1 && row->parameters <= SWQ_FORMULA_PARAMETERS, "%s",
                  row->name);
        cr_assert(row->results >= 1 && row->results <= SWQ_FORMULA_RESULTS, "%s", row->name);
        cr_assert(row->standing != SWQ_STANDS_APPROXIMATION || said(row->error), "%s", row->name);
        cr_assert_eq(swq_formula_find(ctx, row->name, &found), SWQ_OK);
        cr_assert_eq(found, row, "%s is there twice", row->name);
        for (int k = 0; k < row->parameters; k++) {
            const swq_formula_parameter *p = &row->parameter[k];
            cr_assert(said(p->name) && said(p->summary) && p->least <= p->most, "%s", row->name);
            cr_assert(isnan(p->usual) || (p->usual >= p->least && p->usual <= p->most), "%s --%s",
                      row->name, p->name);
        }
        for (int r = 0; r < row->results; r++)
            cr_assert(said(row->result[r].name) && said(row->result[r].summary), "%s", row->name);
    }
}

/* Valid arguments: the usual ones, or from the lower part of the range. */
static void fill(const swq_formula *f, double *value, swq_argument *argument)
{
    for (int k = 0; k < f->parameters; k++) {
        const swq_formula_parameter *p = &f->parameter[k];
        value[k] = isnan(p->usual) ? p->least + fmin(0.3 * (p->most - p->least), 2) : p->usual;
        value[k] = p->whole ? ceil(value[k]) : value[k];
        argument[k] = (swq_argument){value[k], &value[k], 1};
    }
}

/* Each in turn below, above, not a number, not whole, twice, missing. */
Test(formula_table, arguments_are_checked)
{
    for (int f = 0; swq_formulas[f]; f++) {
        const swq_formula *row = swq_formulas[f];
        for (int k = 0; k < row->parameters; k++) {
            const swq_formula_parameter *p = &row->parameter[k];
            double value[SWQ_FORMULA_PARAMETERS], result[SWQ_FORMULA_RESULTS] = {7};
            double wrong[][2] = {{nextafter(p->least, -INFINITY), 0},
                                 {nextafter(p->most, INFINITY), 0},
                                 {NAN, 0},
                                 {p->least, p->most}};
            swq_argument argument[SWQ_FORMULA_PARAMETERS];
            for (int w = 0; w < 6; w++) {
                double half = p->least + 0.5;
                fill(row, value, argument);
                if (w < 4)
                    argument[k] = (swq_argument){wrong[w][0], wrong[w], w == 3 ? 2 : 1};
                else if (w == 4)
                    argument[k] = (swq_argument){half, &half, 1};
                else
                    argument[k].count = 0;
                if ((w == 1 && isinf(p->most)) || (w == 3 && p->list) || (w == 4 && !p->whole) ||
                    (w == 5 && !isnan(p->usual)))
                    continue;
                cr_assert_eq(swq_formula_evaluate(ctx, row, argument, result), SWQ_EINVAL,
                             "%s %s, %d", row->name, p->name, w);
                cr_assert(strstr(swq_context_message(ctx), p->name), "%s",
                          swq_context_message(ctx));
                cr_assert_eq(result[0], 7);
            }
        }
    }
}

/* Every row gives an answer; then its allocations fail one by one, and nothing leaks. */
Test(formula_table, rows_answer_or_say_that_there_is_no_memory)
{
    for (int f = 0; swq_formulas[f]; f++) {
        const swq_formula *row = swq_formulas[f];
        double value[SWQ_FORMULA_PARAMETERS], result[SWQ_FORMULA_RESULTS];
        swq_argument argument[SWQ_FORMULA_PARAMETERS];
        fill(row, value, argument);
        for (size_t k = 0;; k++) {
            swq_context_fail_allocations(ctx, k, true);
            swq_status status = swq_formula_evaluate(ctx, row, argument, result);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s", row->name);
            if (status != SWQ_ENOMEM) {
                cr_assert(status == SWQ_OK || status == SWQ_EINVAL, "%s: %s", row->name,
                          swq_context_message(ctx));
                break;
            }
            cr_assert(k < 1000, "%s", row->name);
        }
    }
}

Test(formula_table, an_unknown_name_is_told_the_nearest)
{
    const swq_formula *found = NULL;

    cr_assert_eq(swq_formula_find(ctx, "hol-saturaton", &found), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "'hol-saturation'"), "%s", swq_context_message(ctx));
    cr_assert_null(found);
}

/* Do two answers differ in any result? */
static bool differs(const swq_formula *f, const double *a, const double *b)
{
    for (int r = 0; r < f->results; r++) {
        if (isnan(a[r]) != isnan(b[r]) || (!isnan(a[r]) && a[r] != b[r]))
            return true;
    }
    return false;
}

/* Does another value of parameter k change the answer to these arguments, or is it refused with
 * them? */
static bool matters(const swq_formula *row, int k, double *value, swq_argument *argument)
{
    const swq_formula_parameter *p = &row->parameter[k];
    const double span = fmin(p->most - p->least, 8);
    double usual[SWQ_FORMULA_RESULTS], other[SWQ_FORMULA_RESULTS];
    const bool answered = swq_formula_evaluate(ctx, row, argument, usual) == SWQ_OK;

    for (int eighth = 0; eighth <= 8; eighth++) {
        value[k] = p->least + span * eighth / 8;
        value[k] = p->whole ? floor(value[k]) : value[k];
        argument[k].value = value[k];
        bool fine = swq_formula_evaluate(ctx, row, argument, other) == SWQ_OK;
        if (fine != answered || (fine && differs(row, usual, other)))
            return true;
    }
    return false;
}

/* No parameter may be accepted and ignored. Tested with the usual arguments and with small ones, at
 * loads at which there is an answer. */
Test(formula_table, every_parameter_matters)
{
    for (int f = 0; swq_formulas[f]; f++) {
        const swq_formula *row = swq_formulas[f];
        for (int k = 0; k < row->parameters; k++) {
            double value[SWQ_FORMULA_PARAMETERS];
            swq_argument argument[SWQ_FORMULA_PARAMETERS];
            bool found = false;
            for (int small = 0; small < 2 && !found; small++) {
                fill(row, value, argument);
                for (int j = 0; j < row->parameters && small; j++) {
                    const swq_formula_parameter *p = &row->parameter[j];
                    if (isnan(p->usual) && !p->whole)
                        value[j] = argument[j].value =
                            p->least + 0.01 * fmin(p->most - p->least, 1);
                }
                found = matters(row, k, value, argument);
            }
            cr_expect(found, "%s --%s changes nothing", row->name, row->parameter[k].name);
        }
    }
}
