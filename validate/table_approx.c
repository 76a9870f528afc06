/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed tables of simulations, approximated: the same cells, and the rule by which they are held
 * against the simulated ones. Its tolerances were fixed before any cell was compared.
 */
#include "validate/table_sim.h"

#include "base/context.h"
#include "switchq/approx.h"

#include <math.h>

#define DISCARDING_OFF 0.01
#define BLOCKING_OFF   0.05
#define KNEE_BEGINS    0.80

const char swq_paper_approximation_rule[] =
    "an approximated cell is within when its error is at most the half-width of "
    "the simulated cell's 95% interval plus a fraction of the simulated value: 1% "
    "of throughput for discarding networks (discards are judged by the throughput "
    "that they leave); 5% of throughput at full load and of mean latency for "
    "blocking ones. Latencies above 80% of the simulated saturation throughput are "
    "shown, but not judged";

enum { MOST_TRIES = 20 };

/* The load at which the network delivers `throughput`: a source that holds its packet is refused
 * for w cycles on average, so that its packets leave 1 / load + w cycles apart; w hardly changes
 * between iterations. The network must not be saturated. */
static swq_status at_throughput(swq_context *ctx, swq_network *network,
                                const swq_approx_method *method, double throughput,
                                swq_approx_result *result)
{
    double load = throughput;
    swq_status status = SWQ_OK;

    for (int tries = 0; !status && tries < MOST_TRIES; tries++) {
        network->traffic.load = load;
        status = swq_approx_run(ctx, network, method, result);
        if (status || fabs(result->throughput - throughput) < 1e-5 * throughput)
            break;
        double wait = 1 / result->throughput - 1 / load;
        load = fmin(1, 1 / fmax(1, 1 / throughput - wait));
    }
    return status;
}

static double quantity_of(swq_quantity quantity, const swq_approx_result *r)
{
    switch (quantity) {
    case SWQ_QUANTITY_DISCARDED:
        return r->discard_fraction;
    case SWQ_QUANTITY_THROUGHPUT:
        return r->throughput;
    default:
        return r->latency;
    }
}

/* Approximates a cell of a table: at the column's load or, where the column is a throughput, at the
 * load that gives it. `full`: the answer for the row's network at full load. */
static swq_status approximate(swq_context *ctx, swq_network *network,
                              const swq_approx_method *method, const swq_paper_cell *cell,
                              const swq_approx_result *full, swq_paper_approximation *a)
{
    swq_approx_result result = *full;
    swq_status status = SWQ_OK;
    double at = cell->column->at;

    *a = (swq_paper_approximation){.value = NAN, .load = 1, .off = NAN};
    if (cell->column->held == SWQ_HELD_THROUGHPUT) {
        a->saturated = full->throughput < at;
        if (!a->saturated)
            status = at_throughput(ctx, network, method, at, &result);
    } else if (cell->column->held == SWQ_HELD_LOAD) {
        network->traffic.load = at;
        status = swq_approx_run(ctx, network, method, &result);
    }
    if (status)
        return status;
    a->load = result.load;
    a->cpu_seconds = result.cpu_seconds;
    if (!a->saturated)
        a->value = quantity_of(cell->quantity, &result);
    return SWQ_OK;
}

/* `saturation`: the row's simulated throughput at full load; NAN: the table has none. */
static void judge(const swq_paper_table *table, const swq_paper_cell *cell, double saturation,
                  swq_paper_approximation *a)
{
    double simulated = cell->computed.mean, half_width = cell->computed.half_width;
    double value = a->value, allowed = BLOCKING_OFF;

    if (!isfinite(simulated) || !isfinite(half_width) || !isfinite(value) || cell->saturated)
        return;
    if (cell->quantity == SWQ_QUANTITY_DISCARDED) {
        value = 1 - value;
        simulated = 1 - simulated;
    }
    if (table->flow == SWQ_DISCARD)
        allowed = DISCARDING_OFF;
    a->off = value / simulated - 1;
    a->judged =
        cell->quantity != SWQ_QUANTITY_LATENCY ||
        (cell->column->held == SWQ_HELD_THROUGHPUT && cell->column->at < KNEE_BEGINS * saturation);
    a->within = a->judged && fabs(value - simulated) <= allowed * simulated + half_width;
}

/* The row's simulated throughput at full load. */
static double saturation_of(const swq_paper_table *table, const swq_paper_cell *row)
{
    for (int k = 0; k < table->columns; k++) {
        if (row[k].column->held == SWQ_HELD_FULL_LOAD && row[k].quantity == SWQ_QUANTITY_THROUGHPUT)
            return row[k].computed.mean;
    }
    return NAN;
}

swq_status swq_paper_approximate(swq_context *ctx, const swq_paper_table *table,
                                 const swq_paper_options *options, const swq_approx_method *method,
                                 const swq_paper_cell *cell, swq_paper_approximation *approximation,
                                 int *judged, int *within)
{
    swq_network network;
    swq_approx_result full;
    swq_status at_full = SWQ_OK;
    int refused = 0;

    *judged = *within = 0;
    if (table->per_node)
        return swq_fail(ctx, SWQ_EINVAL, "table %s has percentiles, which are not approximated",
                        table->name);
    for (int c = 0; c < swq_paper_cells(table); c++) {
        const swq_paper_cell *row = cell + c / table->columns * table->columns;
        swq_paper_approximation *a = &approximation[c];
        if (&cell[c] == row) {
            at_full = swq_paper_network(ctx, table, options, row->row, &network);
            if (!at_full)
                at_full = swq_approx_run(ctx, &network, method, &full);
        }
        swq_status status =
            at_full ? at_full : approximate(ctx, &network, method, &cell[c], &full, a);
        if (status && status != SWQ_ECONVERGE && status != SWQ_EINVAL)
            return status;
        refused += status == SWQ_EINVAL;
        if (status)
            *a = (swq_paper_approximation){.value = NAN, .load = NAN, .off = NAN};
        judge(table, &cell[c], saturation_of(table, row), a);
        *judged += a->judged;
        *within += a->within;
        swq_progress(ctx, "cells", c + 1, swq_paper_cells(table));
    }
    return refused == swq_paper_cells(table) ? SWQ_EINVAL : SWQ_OK;
}
