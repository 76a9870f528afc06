/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 4.1 of Frazier (1995): a single 2x2 discarding switch, exactly.
 */
#include "validate/table_sim.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

swq_table_4_1_options swq_table_4_1_defaults(void)
{
    return (swq_table_4_1_options){
        .arbiter = swq_arbiters[0],
        .pool_rule = &swq_pool_ports,
        .exact = swq_exact_options_defaults(),
    };
}

const char *swq_agreement_text(swq_agreement agreement)
{
    static const char *const text[] = {"differs", "truncated", "rounded", "both"};
    return text[agreement];
}

swq_agreement swq_printed_percent_agrees(const char *printed, double fraction)
{
    double percent = 100 * fraction;

    if (strcmp(printed, "0+") == 0)
        return percent > 0 && percent < 0.1 ? SWQ_TRUNCATED : SWQ_DIFFERS;
    long tenths = lround(10 * strtod(printed, NULL));
    bool truncated = tenths == (long)floor(10 * percent), rounded = tenths == lround(10 * percent);
    if (truncated && rounded)
        return SWQ_TRUNCATED_OR_ROUNDED;
    return truncated ? SWQ_TRUNCATED : rounded ? SWQ_ROUNDED : SWQ_DIFFERS;
}

swq_status swq_table_4_1_solve(swq_context *ctx, const swq_table_4_1_options *options,
                               const char *buffer, int slots, double load, swq_answers *answers)
{
    const swq_buffer_kind *kind;
    swq_switch sw = {.ports = 2, .arbiter = options->arbiter, .load = {load, load}};
    swq_status status = swq_buffer_kind_find(ctx, buffer, &kind);

    if (!status)
        status = swq_buffer_preset(ctx, kind, sw.ports, slots, &sw.buffer);
    if (status)
        return status;
    if (sw.buffer.scope == SWQ_POOL)
        sw.buffer.pool_rule = options->pool_rule;
    swq_traffic_uniform(&sw);
    return swq_exact_solve(ctx, &sw, &options->exact, answers);
}

static swq_status compute(swq_context *ctx, const swq_table_4_1_options *options,
                          swq_table_4_1_cell *cell)
{
    swq_answers answers = {0};
    const swq_status status =
        swq_table_4_1_solve(ctx, options, cell->buffer, cell->slots, cell->load, &answers);

    if (status && status != SWQ_ECONVERGE)
        return status;
    cell->computed = answers.discard;
    cell->agreement = swq_printed_percent_agrees(cell->printed, answers.discard.value);
    swq_answers_clear(ctx, &answers);
    return status;
}

swq_status swq_table_4_1(swq_context *ctx, const swq_table_4_1_options *options,
                         swq_table_4_1_cell *cell, int *agree)
{
    *agree = 0;
    for (int row = 0; row < SWQ_TABLE_4_1_ROWS; row++) {
        for (int l = 0; l < SWQ_TABLE_4_1_LOADS; l++) {
            swq_table_4_1_cell *c = &cell[row * SWQ_TABLE_4_1_LOADS + l];
            *c = (swq_table_4_1_cell){.buffer = swq_table_4_1_print[row].buffer,
                                      .slots = swq_table_4_1_print[row].slots,
                                      .load = swq_table_4_1_load[l],
                                      .printed = swq_table_4_1_print[row].percent[l]};
            swq_status status = compute(ctx, options, c);
            if (status)
                return status;
            *agree += c->agreement != SWQ_DIFFERS;
        }
    }
    return SWQ_OK;
}
