/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See rows.h.
 */
#include "tests/models/formulas/rows.h"

swq_status row_evaluate(swq_context *ctx, const char *name, const char *arguments, double *result)
{
    const swq_formula *formula;
    swq_argument argument[SWQ_FORMULA_PARAMETERS] = {{0, NULL, 0}};
    double list[SWQ_FORMULA_PARAMETERS][SWQ_FORMULA_LIST + 1];
    const char *at = arguments;

    cr_assert_eq(swq_formula_find(ctx, name, &formula), SWQ_OK, "%s", swq_context_message(ctx));
    for (int k = 0; *at; k++) {
        cr_assert(k < formula->parameters, "%s: too many arguments: %s", name, arguments);
        while (*at && *at != ' ') {
            char *end = NULL;
            if (*at == '-' && (at[1] == ' ' || !at[1])) {
                at++;
                break;
            }
            list[k][argument[k].count++] = strtod(at, &end);
            cr_assert(end > at && argument[k].count <= SWQ_FORMULA_LIST + 1);
            at = end + (*end == ',');
        }
        argument[k].list = list[k];
        while (*at == ' ')
            at++;
    }
    return swq_formula_evaluate(ctx, formula, argument, result);
}

double row_value(const char *name, const char *arguments, const char *result)
{
    swq_context *ctx = swq_context_new();
    const swq_formula *formula;
    double value[SWQ_FORMULA_RESULTS];
    int at = 0;

    cr_assert_eq(row_evaluate(ctx, name, arguments, value), SWQ_OK, "%s %s: %s", name, arguments,
                 swq_context_message(ctx));
    cr_assert_eq(swq_formula_find(ctx, name, &formula), SWQ_OK);
    while (at < formula->results && strcmp(formula->result[at].name, result) != 0)
        at++;
    cr_assert(at < formula->results, "%s has no result %s", name, result);
    cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s leaks", name);
    swq_context_free(ctx);
    return value[at];
}

void row_fails(const char *name, const char *arguments, swq_status status, const char *words)
{
    swq_context *ctx = swq_context_new();
    double value[SWQ_FORMULA_RESULTS] = {-77};
    swq_status got = row_evaluate(ctx, name, arguments, value);

    cr_assert_eq(got, status, "%s %s: %s", name, arguments, swq_status_text(got));
    cr_assert(strstr(swq_context_message(ctx), words), "%s %s: %s", name, arguments,
              swq_context_message(ctx));
    cr_assert_eq(value[0], -77);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

size_t row_without_memory(const char *name, const char *arguments)
{
    size_t most = 0;

    for (int for_good = 0; for_good < 2; for_good++) {
        for (size_t after = 0;; after++) {
            swq_context *ctx = swq_context_new();
            double value[SWQ_FORMULA_RESULTS] = {-77};
            cr_assert(after < 1000);
            swq_context_fail_allocations(ctx, after, for_good);
            swq_status status = row_evaluate(ctx, name, arguments, value);
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s leaks after %zu", name, after);
            swq_context_free(ctx);
            if (!status) {
                most = after;
                break;
            }
            cr_assert_eq(status, SWQ_ENOMEM, "%s: %s", name, swq_status_text(status));
            cr_assert_eq(value[0], -77);
        }
    }
    return most;
}
