/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Table 4.1 for switches that it was not printed for: solved, and as there is no print to hold the
 * values against, simulated, with a rule of agreement that was fixed before any cell was compared.
 */
#include "switchq/papers.h"

#include "base/context.h"
#include "base/statistics.h"
#include "models/buffers/buffers.h"

#include <math.h>
#include <string.h>

/* The rule's numbers; swq_ports_rule says the same in words. */
#define CELL_CHANCE  0.001 /* probability that a right cell is outside, at most */
#define TABLE_CHANCE 0.001 /* probability that a right table fails either criterion, at most */
#define WIDEST       1e-3  /* relative width of proven bounds that still allow a comparison */
#define INTERVALS    0.95  /* confidence of the half-widths shown */

enum { LEAST_LOST = 100, LEAST_WARM_UP = 1000, MOST_WARM_UP = 1000000 };

const char swq_ports_rule[] =
    "a cell agrees when the simulated fraction is within the two-sided 99.9% "
    "interval about the exact value (Student's t over the run's batches; the "
    "standard error is scaled up by the square root of exact / simulated where "
    "that is above one, since few losses scatter little). Of K cells, up to K / "
    "1000 may be expected outside by chance. The table agrees when no cell is "
    "outside at a level of 0.1% / K, and no more are outside at 0.1% than chance "
    "exceeds once in a thousand tables; every cell has a seed of its own, so that "
    "cells are independent. Where the losses expected and those seen are both "
    "fewer than 100, a cell is too rare (r) for that: it is outside only with a "
    "thousand times as many losses as expected, by Markov's inequality. No loss in "
    "n packets is shown as < 3 / n, the 95% limit if losses are independent";

const char swq_ports_stage[] = "cells";

/* The kinds of buffers in the print, in its order. */
static const struct {
    const swq_buffer_kind *kind;
    int least; /* slots; a DAMQ with one equals a FIFO with one; pools with few are not printed */
} kinds[] = {
    {&swq_buffer_fifo, 1}, {&swq_buffer_samq, 1}, {&swq_buffer_safc, 1},
    {&swq_buffer_damq, 2}, {&swq_buffer_cbda, 2},
};

swq_ports_options swq_ports_defaults(int ports)
{
    static const double print[] = {0.25, 0.50, 0.75, 0.80, 0.85, 0.90, 0.95, 0.99};
    swq_table_4_1_options as_printed = swq_table_4_1_defaults();
    swq_ports_options o = {
        .ports = ports,
        .arbiter = as_printed.arbiter,
        .pool_rule = as_printed.pool_rule,
        .exact = as_printed.exact,
        .loads = sizeof print / sizeof *print,
        .most_slots = 2 * ports,
        .most_states = 100000,
        .cycles = 1000000,
        .seed = 1,
        .threads = 1,
    };

    memcpy(o.load, print, sizeof print);
    return o;
}

/* The next larger number of slots: 1 to 6 as in the printed table, then 8, 12, 16, 24, 32, ... */
static int next_size(int size)
{
    if (size < 6)
        return size + 1;
    bool power = (size & (size - 1)) == 0;
    return size == 6 ? 8 : power ? size + size / 2 : size / 3 * 4;
}

/* Returns the number of rows; cell may be NULL to only count them. */
static int lay_out(const swq_ports_options *o, swq_ports_cell *cell)
{
    int rows = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int unit = kinds[k].kind->partitioned ? o->ports : 1;
        for (int size = kinds[k].least; size <= o->most_slots / unit; size = next_size(size)) {
            for (int l = 0; cell && l < o->loads; l++) {
                int c = rows * o->loads + l;
                cell[c] = (swq_ports_cell){
                    .buffer = kinds[k].kind->name,
                    .slots = size * unit,
                    .load = o->load[l],
                    .seed = SWQ_PORTS_SEEDS * o->seed + (uint64_t)c,
                    .exact = {NAN, NAN, NAN},
                    .simulated = {NAN, NAN},
                };
            }
            rows++;
        }
    }
    return rows;
}

int swq_ports_cells(const swq_ports_options *options)
{
    return lay_out(options, NULL) * options->loads;
}

static swq_status spec_of(swq_context *ctx, const swq_ports_options *o, const swq_ports_cell *cell,
                          swq_switch *sw)
{
    const swq_buffer_kind *kind;
    swq_status status = swq_buffer_kind_find(ctx, cell->buffer, &kind);

    *sw = (swq_switch){.ports = o->ports, .arbiter = o->arbiter};
    if (!status)
        status = swq_buffer_preset(ctx, kind, o->ports, cell->slots, &sw->buffer);
    if (status)
        return status;
    if (sw->buffer.scope == SWQ_POOL)
        sw->buffer.pool_rule = o->pool_rule;
    for (int i = 0; i < o->ports; i++)
        sw->load[i] = cell->load;
    swq_traffic_uniform(sw);
    return SWQ_OK;
}

static swq_status check(swq_context *ctx, const swq_ports_options *o)
{
    if (o->ports < 2 || o->ports > SWQ_CHAIN_PORTS)
        return swq_fail(ctx, SWQ_EINVAL, "ports must be 2 to %d, not %d", SWQ_CHAIN_PORTS,
                        o->ports);
    if (o->most_slots < 1 || o->most_slots > SWQ_MAX_SLOTS)
        return swq_fail(ctx, SWQ_EINVAL, "slots must be 1 to %d, not %d", SWQ_MAX_SLOTS,
                        o->most_slots);
    if (o->loads < 1 || o->loads > SWQ_PORTS_LOADS)
        return swq_fail(ctx, SWQ_EINVAL, "there must be 1 to %d loads, not %d", SWQ_PORTS_LOADS,
                        o->loads);
    for (int l = 0; l < o->loads; l++) {
        if (!(o->load[l] > 0 && o->load[l] <= 1))
            return swq_fail(ctx, SWQ_EINVAL, "load must be above 0 and at most 1, not %g",
                            o->load[l]);
    }
    /* before any cell: only pools have rules that a chain cannot have */
    const swq_ports_cell pool = {.buffer = "cbda", .slots = 1, .load = o->load[0]};
    swq_switch sw;
    swq_status status = spec_of(ctx, o, &pool, &sw);
    return status ? status : swq_chain_check(ctx, &sw);
}

swq_status swq_ports_plan(swq_context *ctx, const swq_ports_options *options, swq_ports_cell *cell)
{
    swq_status status = check(ctx, options);
    if (status)
        return status;
    int cells = lay_out(options, cell) * options->loads;
    for (int c = 0; c < cells && !status; c++) {
        swq_switch sw;
        swq_chain_size size = {0};
        if (c % options->loads > 0) { /* all loads of a row have the same states */
            cell[c].foreseen = cell[c - 1].foreseen;
            cell[c].too_large = cell[c - 1].too_large;
            continue;
        }
        status = spec_of(ctx, options, &cell[c], &sw);
        if (!status)
            status = swq_chain_foresee(ctx, &sw, options->exact.reduce, &size);
        cell[c].foreseen = size.states;
        cell[c].too_large = size.states > options->most_states;
    }
    return status;
}

/* ---- one row ---- */

static swq_status solve(swq_context *ctx, const swq_ports_options *o, swq_ports_cell *cell)
{
    swq_switch sw;
    swq_answers answers;
    swq_status status = spec_of(ctx, o, cell, &sw);
    if (status)
        return status;
    status = swq_exact_solve(ctx, &sw, &o->exact, &answers);
    if (status == SWQ_ELIMIT) { /* not enough memory for this chain; others may fit */
        cell->too_large = true;
        return SWQ_OK;
    }
    if (status && status != SWQ_ECONVERGE)
        return status;
    cell->exact = answers.discard; /* the bounds of an unfinished iteration are wide but valid */
    cell->states = answers.states;
    swq_answers_clear(ctx, &answers);
    return SWQ_OK;
}

static swq_status set_point(swq_context *ctx, const swq_ports_options *o,
                            const swq_ports_cell *cell, swq_sim_point *point)
{
    swq_network *n = &point->network;
    swq_status status = swq_fabric_find(ctx, "switch", &n->shape);

    n->shape.stages = 1;
    n->traffic = swq_traffic_defaults();
    n->traffic.load = cell->load;
    if (!status)
        status = spec_of(ctx, o, cell, &n->sw);
    point->options = swq_sim_defaults();
    point->options.seed = cell->seed;
    point->options.cycles = o->cycles;
    /* a switch forgets its start soon, while a length found from the run's own output would favour
     * runs that look settled */
    uint64_t warmup = o->cycles / 10 > LEAST_WARM_UP ? o->cycles / 10 : LEAST_WARM_UP;
    point->options.warmup = warmup < MOST_WARM_UP ? warmup : MOST_WARM_UP;
    point->options.confidence = INTERVALS;
    return status;
}

static void collect(const swq_sim_point *point, swq_ports_cell *cell)
{
    const swq_sim_result *r = &point->result;

    /* a run cut short would be judged by other rules than those announced */
    if (point->runs == 0 || point->status || r->stopped_by == SWQ_STOP_INTERRUPTED)
        return;
    cell->simulated = r->all.discard_fraction;
    cell->offered = r->all.created;
    cell->lost = r->all.discarded;
    cell->batches = r->batches;
    cell->correlated = r->correlated;
}

static swq_status simulate(swq_context *ctx, const swq_ports_options *o, swq_ports_cell *row)
{
    swq_status status = SWQ_OK;
    swq_sim_point *point = swq_calloc(ctx, (size_t)o->loads, sizeof *point);
    if (!point)
        return swq_memory_status(ctx);
    for (int l = 0; l < o->loads && !status; l++)
        status = set_point(ctx, o, &row[l], &point[l]);
    if (!status)
        status = swq_sim_points(ctx, point, o->loads, o->threads);
    for (int l = 0; l < o->loads && (!status || status == SWQ_ECANCELLED); l++)
        collect(&point[l], &row[l]);
    swq_free(ctx, point);
    return status;
}

swq_status swq_ports_run(swq_context *ctx, const swq_ports_options *options, swq_ports_cell *cell,
                         swq_ports_summary *summary)
{
    int cells = swq_ports_cells(options);
    swq_status status = check(ctx, options);
    if (status)
        return status;

    /* row by row, so that a run cut short leaves complete rows */
    for (int row = 0; row < cells && !status; row += options->loads) {
        for (int c = row; c < row + options->loads && !status; c++) {
            swq_progress(ctx, swq_ports_stage, c, cells);
            /* for lack of memory, on which the load has hardly any influence */
            if (c > row && cell[c - 1].too_large)
                cell[c].too_large = true;
            if (swq_context_cancelled(ctx))
                status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
            else if (!cell[c].too_large)
                status = solve(ctx, options, &cell[c]);
        }
        if (!status)
            status = simulate(ctx, options, &cell[row]);
        /* a run cut short is no error for swq_sim_points */
        if (!status && swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    }
    if (!status || status == SWQ_ECANCELLED)
        swq_ports_judge(cell, cells, summary);
    return status;
}

/* ---- the rule ---- */

/* Simulated minus exact, in standard errors; 0 within the proven bounds. The variance of a count is
 * roughly proportional to its mean, so a run with too few losses also estimates too small an error;
 * the exact value corrects that. */
static double off_by(const swq_ports_cell *cell)
{
    double seen = cell->simulated.mean;
    double near = fmin(fmax(seen, cell->exact.lower), cell->exact.upper);
    double error = cell->simulated.half_width / swq_student_t(INTERVALS, (double)cell->batches - 1);

    if (near > seen) /* none seen: the error is unknown, and the deviation infinite */
        error *= sqrt(near / seen);
    if (near == seen)
        return 0;
    return error > 0 && isfinite(error) ? (seen - near) / error : copysign(INFINITY, seen - near);
}

static bool is_rare(const swq_ports_cell *cell)
{
    return fmax((double)cell->lost, cell->expected_lost) < LEAST_LOST;
}

/* Is a compared cell further from the exact value than the confidence level allows? */
static bool outside(const swq_ports_cell *cell, double chance)
{
    if (is_rare(cell)) /* P(lost >= a) <= expected / a, however losses cluster */
        return cell->lost > 0 && cell->expected_lost <= chance * (double)cell->lost;
    return fabs(cell->off) > swq_student_t(1 - chance, (double)cell->batches - 1);
}

static const char *why_not(const swq_ports_cell *cell)
{
    const swq_mean *e = &cell->exact;

    if (cell->batches < 2 || !isfinite(cell->simulated.half_width))
        return "too few cycles for an interval";
    if (cell->correlated)
        return "too few cycles for independent batches";
    if (!isfinite(e->upper) || !(e->upper - e->lower <= WIDEST * e->upper))
        return "the exact value is not known accurately enough";
    return NULL;
}

static swq_ports_verdict judge(swq_ports_cell *cell)
{
    cell->off = cell->expected_lost = NAN;
    cell->reason = NULL;
    if (cell->too_large) {
        cell->reason = "more states or memory than allowed";
        return SWQ_PORTS_TOO_LARGE;
    }
    if (isnan(cell->exact.value) || isnan(cell->simulated.mean)) {
        cell->reason = "interrupted";
        return SWQ_PORTS_NOT_RUN;
    }
    cell->expected_lost = cell->exact.value * (double)cell->offered;
    cell->reason = why_not(cell);
    if (cell->reason)
        return SWQ_PORTS_NOT_JUDGED;
    if (!is_rare(cell))
        cell->off = off_by(cell);
    if (outside(cell, CELL_CHANCE))
        return SWQ_PORTS_OUTSIDE;
    if (!is_rare(cell))
        return SWQ_PORTS_AGREES;
    cell->reason = "fewer than 100 losses expected and seen";
    return SWQ_PORTS_RARE;
}

/* The smallest m with P(more than m of `cells` are outside) < TABLE_CHANCE. */
static int most_by_chance(int cells)
{
    double exactly = pow(1 - CELL_CHANCE, cells), more = 1 - exactly;
    int m = 0;

    while (more >= TABLE_CHANCE) {
        exactly *= (cells - m) / (m + 1.0) * CELL_CHANCE / (1 - CELL_CHANCE);
        more -= exactly;
        m++;
    }
    return m;
}

void swq_ports_judge(swq_ports_cell *cell, int cells, swq_ports_summary *summary)
{
    swq_ports_summary s = {.furthest = -1};

    for (int c = 0; c < cells; c++) {
        cell[c].verdict = judge(&cell[c]);
        s.count[cell[c].verdict]++;
        if (isfinite(cell[c].off) || isinf(cell[c].off))
            s.furthest =
                s.furthest < 0 || fabs(cell[c].off) > fabs(cell[s.furthest].off) ? c : s.furthest;
    }
    s.compared = s.count[SWQ_PORTS_AGREES] + s.count[SWQ_PORTS_OUTSIDE] + s.count[SWQ_PORTS_RARE];
    s.expected_outside = CELL_CHANCE * s.compared;
    s.allowed_outside = most_by_chance(s.compared);
    for (int c = 0; c < cells; c++) {
        cell[c].beyond_chance =
            cell[c].verdict == SWQ_PORTS_OUTSIDE && outside(&cell[c], TABLE_CHANCE / s.compared);
        s.beyond_chance += cell[c].beyond_chance;
    }
    s.agrees = s.beyond_chance == 0 && s.count[SWQ_PORTS_OUTSIDE] <= s.allowed_outside;
    *summary = s;
}

const char *swq_ports_verdict_text(swq_ports_verdict verdict)
{
    static const char *const text[SWQ_PORTS_VERDICTS] = {"agrees",     "outside",      "too rare",
                                                         "not judged", "does not fit", "not run"};
    return text[verdict];
}
