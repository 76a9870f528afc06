/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Architectures whose outputs share nothing: with independent arrivals (no bursts) and losses, the
 * memory of one output is a chain of its own: the chain of the switch in which only packets for
 * this output are created. One chain for each kind of output is solved, instead of the product of
 * all. Questions about several outputs together (such as the number of all losses in a cycle)
 * cannot be answered in this way.
 */
#include "exact/columns.h"

#include "base/context.h"
#include "models/state.h"
#include "solvers/width.h"

#include <math.h>
#include <string.h>

/* A number of roundings with which nothing can be proven (enclosure.c), and which an integer count
 * can hold. */
#define UNKNOWN 0x1p40

bool swq_columns_apart(const swq_switch *sw, const swq_exact_options *options)
{
    return swq_switch_architecture(sw)->stage.apart && sw->flow == SWQ_DISCARD && sw->burst <= 1 &&
           options->reduce && !options->variance && sw->ports > 1;
}

bool swq_column_alike(const swq_switch *sw, int a, int b)
{
    bool alike = true;

    for (int i = 0; i < sw->ports; i++)
        alike = alike && sw->dest[i][a] == sw->dest[i][b];
    return alike;
}

/* The relative error of load x dest, and of 1 - load x dest, in roundings: near 1 the difference is
 * small, and its relative error is larger than the product's. */
static double product_roundings(const swq_switch *sw, int i, int j)
{
    const double load = sw->load[i] * sw->dest[i][j];
    const double roundings = sw->load_roundings + swq_dest_roundings(sw, i) +
                             (fma(sw->load[i], sw->dest[i][j], -load) != 0);

    if (load == 0 || roundings == 0)
        return 0;
    return fmin(UNKNOWN, roundings * fmax(1, load / (1 - load)));
}

void swq_column_switch(const swq_switch *sw, int j, swq_switch *column)
{
    *column = *sw;
    column->load_roundings = 0;
    for (int i = 0; i < sw->ports; i++) {
        column->load[i] = sw->load[i] * sw->dest[i][j];
        column->load_roundings = fmax(column->load_roundings, product_roundings(sw, i, j));
        memset(column->dest[i], 0, sizeof column->dest[i]);
        column->dest[i][0] = 1;
    }
}

/* Sums over the outputs. */
typedef struct {
    long double created, refused, lower, upper, packets, states, entries, slope, slope_error;
    long double lost[SWQ_CHAIN_PORTS]; /* by input */
} column_sums;

static double sum_of(const double *value, int count)
{
    double sum = 0;

    for (int k = 0; k < count; k++)
        sum += value[k];
    return sum;
}

/* Add the answers for output j, which are the answers `c` of the column that represents this
 * output. */
static void add_column(const swq_switch *sw, const swq_switch *column, int j, const swq_answers *c,
                       swq_answers *a, column_sums *s)
{
    const double created = sum_of(column->load, sw->ports);
    const int size = a->capacity + 1;

    s->created += created;
    s->refused += (long double)c->discard.value * created;
    s->lower += (long double)c->discard.lower * created;
    s->upper += (long double)c->discard.upper * created;
    s->packets += c->mean_packets;
    if (created > 0) {
        s->slope += (long double)c->slope.value * created;
        s->slope_error += (long double)c->slope.error * created;
    }
    for (int i = 0; i < sw->ports; i++)
        s->lost[i] += (long double)c->discard_input[i] * column->load[i];
    a->throughput_output[j] = c->throughput_output[0];
    a->discard_output[j] = a->refusal_output[j] = c->discard_output[0];
    a->waiting_output[j] = c->waiting_output[0];
    for (int k = 0; k < size; k++)
        a->occupancy[j * size + k] = c->occupancy[k]; /* the column is output 0 of its switch */
    a->full[j] = c->full[0];
}

/* Add the figures of a chain; there is one chain for each kind of output. */
static void add_chain(const swq_answers *c, swq_answers *a)
{
    a->states += c->states;
    a->intermediates += c->intermediates;
    a->transitions += c->transitions;
    a->entries += c->entries;
    a->unreduced += c->unreduced;
    a->transient += c->transient;
    a->iterations += c->iterations;
    a->factors = c->factors;
    a->period = c->period > a->period ? c->period : a->period;
    a->residual = fmax(a->residual, c->residual);
    a->relative_error = fmax(a->relative_error, c->relative_error);
    a->converged = a->converged && c->converged;
    a->solver = c->solver;
    a->why = c->why;
}

static void finish(const swq_switch *sw, const column_sums *s, swq_answers *a)
{
    const double created = sum_of(sw->load, sw->ports), n = sw->ports;
    const double slack = (2 * n * n + 8) * 0x1p-52; /* roundings of products, sums and quotients */
    const double accepted = fmax(0, created - (double)s->refused);
    bool same = true, full = false;

    for (int i = 0; i < sw->ports; i++) {
        same = same && sw->load[i] == sw->load[0];
        full = full || sw->load[i] == 1;
        a->discard_input[i] = sw->load[i] > 0 ? (double)(s->lost[i] / sw->load[i]) : 0;
        a->refusal_input[i] = a->discard_input[i];
        if (s->lost[i] > 0 && a->discard_input[i] < SWQ_LEAST)
            a->relative_error = INFINITY;
    }
    a->relative_error += slack;
    a->mean_packets = (double)s->packets;
    a->mean_delay = created > 0 ? 1 + a->mean_packets / accepted : NAN;
    a->mean_source_wait = created > 0 ? 0 : NAN;
    a->throughput =
        (swq_mean){accepted / n, fmax(0, created - (double)s->upper) / n - slack * created / n,
                   fmax(0, created - (double)s->lower) / n + slack * created / n};
    if (created > 0) {
        a->discard =
            (swq_mean){(double)s->refused / created, (double)s->lower / created * (1 - slack),
                       fmin(1, (double)s->upper / created * (1 + slack))};
        if (s->upper > 0)
            swq_mean_widen(4, &a->discard);
        a->refusal = a->discard.value;
    }
    if (created == 0 || full || isnan((double)s->slope))
        return;
    a->slope = (swq_known){(double)s->slope / created,
                           ((double)s->slope_error + fabs((double)s->slope) * slack) / created};
    if (same)
        a->slope_by_load = (swq_known){a->slope.value / sw->load[0], a->slope.error / sw->load[0]};
}

swq_status swq_columns_solve(swq_context *ctx, const swq_switch *sw,
                             const swq_exact_options *options, swq_column_solve_fn *solve,
                             swq_answers *answers)
{
    swq_answers a = {.converged = true,
                     .saturation = {NAN, NAN, NAN},
                     .refusals = NAN,
                     .variance = {NAN, NAN},
                     .slope = {NAN, NAN},
                     .slope_by_load = {NAN, NAN}};
    column_sums sums = {0};
    swq_status status = SWQ_OK, unsettled = SWQ_OK;
    bool done[SWQ_CHAIN_PORTS] = {false};

    a.buffers = sw->ports;
    a.capacity = sw->buffer.capacity / (sw->buffer.scope == SWQ_POOL ? sw->ports : 1);
    a.occupancy =
        swq_calloc(ctx, (size_t)a.buffers * ((size_t)a.capacity + 1), sizeof *a.occupancy);
    if (!a.occupancy)
        return swq_memory_status(ctx);
    for (int j = 0; j < sw->ports && !status; j++) {
        swq_switch column;
        swq_answers one = {0};
        if (done[j])
            continue;
        swq_column_switch(sw, j, &column);
        status = solve(ctx, &column, options, &one);
        if (status == SWQ_ECONVERGE && one.solver) {
            unsettled = status;
            status = SWQ_OK;
        }
        if (status)
            break;
        add_chain(&one, &a);
        for (int k = j; k < sw->ports; k++) {
            if (done[k] || !swq_column_alike(sw, j, k))
                continue;
            done[k] = true;
            add_column(sw, &column, k, &one, &a, &sums);
        }
        swq_answers_clear(ctx, &one);
    }
    if (status) {
        swq_answers_clear(ctx, &a);
        return status;
    }
    finish(sw, &sums, &a);
    *answers = a;
    return unsettled;
}
