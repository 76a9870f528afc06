/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formulas: to find a row, and to evaluate one with arguments checked.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "base/names.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <string.h>

const swq_formula *const swq_formulas[] = {
    &swq_formula_hol_saturation,
    NULL,
};

swq_status swq_formula_find(swq_context *ctx, const char *name, const swq_formula **formula)
{
    const void *row = swq_name_lookup(ctx, "formula", name, (const void *const *)swq_formulas);
    if (!row)
        return SWQ_EINVAL;
    *formula = row;
    return SWQ_OK;
}

static swq_status check(swq_context *ctx, const swq_formula *f, const swq_formula_parameter *p,
                        const swq_argument *a)
{
    if (a->count == 0)
        return swq_fail(ctx, SWQ_EINVAL, "%s is required by formula %s", p->name, f->name);
    if (a->count > 1 && !p->list)
        return swq_fail(ctx, SWQ_EINVAL, "%s of formula %s is one number, not a list", p->name,
                        f->name);
    if (a->count > SWQ_FORMULA_LIST)
        return swq_fail(ctx, SWQ_EINVAL, "%s may have %d numbers, not %d", p->name,
                        SWQ_FORMULA_LIST, a->count);
    for (int k = 0; k < a->count; k++) {
        double value = a->list[k];
        if (value >= p->least && value <= p->most && (!p->whole || value == floor(value)))
            continue;
        return swq_fail(ctx, SWQ_EINVAL, "%s must be %s from %g to %g for formula %s, not %g",
                        p->name, p->whole ? "a whole number" : "a number", p->least, p->most,
                        f->name, value);
    }
    return SWQ_OK;
}

swq_status swq_formula_evaluate(swq_context *ctx, const swq_formula *formula,
                                const swq_argument *argument, double *result)
{
    const swq_formula *f = formula;
    swq_argument given[SWQ_FORMULA_PARAMETERS];
    double value[SWQ_FORMULA_RESULTS];
    swq_status status = SWQ_OK;

    for (int k = 0; k < f->parameters && !status; k++) {
        given[k] = argument[k];
        if (given[k].count == 0 && !isnan(f->parameter[k].usual))
            given[k] = (swq_argument){f->parameter[k].usual, &f->parameter[k].usual, 1};
        status = check(ctx, f, &f->parameter[k], &given[k]);
        if (!status)
            given[k].value = given[k].list[0];
    }
    if (!status)
        status = f->evaluate(ctx, given, value);
    if (!status)
        memcpy(result, value, sizeof *value * (size_t)f->results);
    return status;
}
