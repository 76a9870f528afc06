/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 4.1 of Frazier (1995): a single 2x2 discarding switch, exactly. The printed cells are data
 * to be held against; nothing is computed from them. Room: validate. Includes exact.
 */
#include "switchq/papers.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double loads[SWQ_TABLE_4_1_LOADS] = {0.25, 0.50, 0.75, 0.80, 0.85, 0.90, 0.95, 0.99};

static const struct {
    const char *buffer;
    int slots;
    const char *percent[SWQ_TABLE_4_1_LOADS];
} print[SWQ_TABLE_4_1_ROWS] = {
    {"fifo", 1, {"1.7", "7.1", "15.5", "17.4", "19.3", "21.2", "23.1", "24.6"}},
    {"fifo", 2, {"0+", "1.2", "8.7", "11.4", "14.5", "17.8", "21.3", "24.2"}},
    {"fifo", 3, {"0+", "0.2", "6.1", "9.2", "13.0", "17.0", "21.0", "24.2"}},
    {"fifo", 4, {"0+", "0+", "4.7", "8.1", "12.3", "16.7", "21.0", "24.2"}},
    {"fifo", 5, {"0+", "0+", "3.8", "7.5", "12.0", "16.7", "21.0", "24.2"}},
    {"fifo", 6, {"0+", "0+", "3.2", "7.1", "11.9", "16.6", "21.0", "24.2"}},
    {"samq", 2, {"0.9", "4.7", "11.3", "12.9", "14.5", "16.1", "17.8", "19.1"}},
    {"samq", 4, {"0+", "0.3", "3.0", "4.2", "5.5", "7.1", "8.9", "10.5"}},
    {"samq", 6, {"0+", "0+", "0.9", "1.5", "2.4", "3.7", "5.4", "7.1"}},
    {"safc", 2, {"0.8", "3.8", "9.1", "10.5", "11.9", "13.4", "15.0", "16.3"}},
    {"safc", 4, {"0+", "0.2", "2.0", "2.8", "3.8", "5.1", "6.6", "8.1"}},
    {"safc", 6, {"0+", "0+", "0.5", "0.9", "1.5", "2.4", "3.8", "5.2"}},
    {"damq", 2, {"0+", "0.6", "4.8", "6.4", "8.3", "10.5", "12.9", "15.0"}},
    {"damq", 3, {"0+", "0+", "1.4", "2.4", "3.9", "5.8", "8.3", "10.6"}},
    {"damq", 4, {"0+", "0+", "0.4", "0.9", "1.8", "3.3", "5.6", "8.1"}},
    {"damq", 5, {"0+", "0+", "0.1", "0.4", "0.9", "2.0", "3.9", "6.5"}},
    {"damq", 6, {"0+", "0+", "0+", "0.1", "0.4", "1.2", "2.8", "5.4"}},
    {"cbda", 2, {"0+", "0+", "1.8", "3.0", "4.6", "6.7", "9.3", "11.8"}},
    {"cbda", 3, {"0+", "0+", "0.2", "0.5", "1.2", "2.6", "4.9", "7.5"}},
    {"cbda", 4, {"0+", "0+", "0+", "0.1", "0.3", "1.1", "2.9", "5.4"}},
    {"cbda", 5, {"0+", "0+", "0+", "0+", "0.1", "0.4", "1.8", "4.1"}},
    {"cbda", 6, {"0+", "0+", "0+", "0+", "0+", "0.2", "1.1", "3.3"}},
};

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

static swq_status compute(swq_context *ctx, const swq_table_4_1_options *options,
                          swq_table_4_1_cell *cell)
{
    const swq_buffer_kind *kind;
    swq_answers answers;
    swq_switch sw = {.ports = 2, .arbiter = options->arbiter, .load = {cell->load, cell->load}};
    swq_status status = swq_buffer_kind_find(ctx, cell->buffer, &kind);
    if (!status)
        status = swq_buffer_preset(ctx, kind, sw.ports, cell->slots, &sw.buffer);
    if (status)
        return status;
    if (sw.buffer.scope == SWQ_POOL)
        sw.buffer.pool_rule = options->pool_rule;
    swq_traffic_uniform(&sw);
    status = swq_exact_solve(ctx, &sw, &options->exact, &answers);
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
            *c = (swq_table_4_1_cell){.buffer = print[row].buffer,
                                      .slots = print[row].slots,
                                      .load = loads[l],
                                      .printed = print[row].percent[l]};
            swq_status status = compute(ctx, options, c);
            if (status)
                return status;
            *agree += c->agreement != SWQ_DIFFERS;
        }
    }
    return SWQ_OK;
}
