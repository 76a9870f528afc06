/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formulas: to find a row, and to evaluate one with arguments checked.
 */
#include "base/context.h"
#include "base/names.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <string.h>

const swq_formula *const swq_formulas[] = {
    /* input queues */
    &swq_formula_hol_saturation,
    &swq_formula_window_saturation,
    &swq_formula_window_saturation_many,
    &swq_formula_input_queue_fifo_heads,
    &swq_formula_input_queue_random_heads,
    &swq_formula_input_queue_hui_arthurs,
    /* output queues */
    &swq_formula_output_queue,
    &swq_formula_output_queue_finite,
    &swq_formula_output_queue_slots,
    &swq_formula_input_smoothing,
    &swq_formula_input_smoothing_frame,
    /* arbiters */
    &swq_formula_pim_saturation,
    &swq_formula_islip_saturation,
    /* networks without buffers */
    &swq_formula_patel,
    &swq_formula_kruskal_snir,
    /* buffered networks */
    &swq_formula_kruskal_snir_weiss,
    &swq_formula_jenq,
    &swq_formula_yoon,
    &swq_formula_small_cycle,
    /* hot spots */
    &swq_formula_hotspot_bound,
    &swq_formula_hotspot_groups,
    /* shared memory */
    &swq_formula_shared_independent,
    &swq_formula_shared_chain,
    &swq_formula_complete_partitioning,
    &swq_formula_complete_sharing,
    &swq_formula_sharing_maximum,
    &swq_formula_sharing_minimum,
    &swq_formula_sharing_both,
    &swq_formula_square_root,
    &swq_formula_threshold_fluid,
    &swq_formula_threshold_chain,
    &swq_formula_recn_memory,
    &swq_formula_credit_buffer,
    &swq_formula_flow_control_cost,
    &swq_formula_crossbar_cost,
    /* data centres */
    &swq_formula_pfc_headroom,
    &swq_formula_dctcp_mark,
    &swq_formula_threshold_classes,
    &swq_formula_threshold_in_turn,
    &swq_formula_threshold_marks,
    /* lines */
    &swq_formula_m_d_1,
    &swq_formula_m_g_1,
    &swq_formula_m_g_1_priority,
    &swq_formula_erlang_b,
    /* tori and meshes, latencies */
    &swq_formula_torus,
    &swq_formula_mesh,
    &swq_formula_alone,
    &swq_formula_agarwal,
    &swq_formula_dally,
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
