/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed tables of simulations: the simulations that a table needs, and the rule by which its
 * cells are judged. Its tolerances were fixed before any cell was
 * compared.
 */
#include "validate/table_sim.h"

#include "base/context.h"
#include "models/arbiters/arbiters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = 4, STAGES = 3 };

/* Tolerances beyond half-width and resolution, in proportion to the printed number, except that a
 * percentile moves in whole cycles; swq_paper_rule gives the same in words. */
#define RELATIVE      0.03
#define KNEE_RELATIVE 0.10
#define KNEE_BEGINS   0.90
#define P99_OFF       0.3

enum {
    LEAST_FOR_P99 = 100, /* packets per node */
    /* of a printed number, by the maxima of Table 5.1: 20,000 packets a node take no fewer */
    PRINTED_CYCLES = 20000
};

const char swq_paper_rule[] =
    "a cell agrees when |simulated - printed| is at most the half-width of the 95% "
    "interval, plus one unit of the last printed digit, plus a tolerance: 3% of the printed "
    "number, but 0.3 cycles of 99th percentiles; on the knee 10%, but 3% of throughputs. The "
    "knee is where load or throughput is above 90% of the row's printed saturation "
    "(maximum) throughput. \"0\" and \"0+\" are read as 0.0. \"Sat.\" agrees when "
    "full load delivers no more than the column's throughput by the rule for "
    "throughputs; a latency at a throughput that full load just misses, by the "
    "same rule, is compared at full load. Maxima grow with the run, whose length "
    "is not printed: they are not compared";

const swq_paper_table *swq_paper_table_find(const char *name)
{
    for (int k = 0; swq_paper_tables[k]; k++) {
        if (strcmp(swq_paper_tables[k]->name, name) == 0)
            return swq_paper_tables[k];
    }
    return NULL;
}

const char *swq_verdict_text(swq_verdict verdict)
{
    static const char *const text[SWQ_VERDICTS] = {"agrees",   "differs",        "known",
                                                   "misprint", "not comparable", "not run"};
    return text[verdict];
}

double swq_hot_spot_bound(double fraction, uint32_t nodes)
{
    return 1 / (1 + fraction * (nodes - 1.0));
}

swq_paper_options swq_paper_defaults(void)
{
    return (swq_paper_options){.seed = 1,
                               .cycles = 20000,
                               .threads = 1,
                               .arbiter = &swq_arbiter_rotating,
                               .pool_rule = &swq_pool_oldest};
}

bool swq_paper_as_printed(const swq_paper_options *options)
{
    swq_paper_options own = swq_paper_defaults();

    return options->arbiter == own.arbiter && options->pool_rule == own.pool_rule &&
           options->stale == own.stale;
}

/* ---- the rule ---- */

static double printed_of(const swq_paper_cell *cell)
{
    return strtod(cell->printed, NULL) / (cell->quantity == SWQ_QUANTITY_DISCARDED ? 100 : 1);
}

/* One unit of the last printed digit, which is a tenth of a percent of all discards. */
static double resolution_of(const swq_paper_cell *cell)
{
    const char *point = strchr(cell->printed, '.');

    if (cell->quantity == SWQ_QUANTITY_DISCARDED)
        return 0.001;
    return point ? pow(10, -(double)strspn(point + 1, "0123456789")) : 1;
}

static double tolerance_of(swq_quantity quantity, bool knee, double printed)
{
    if (quantity == SWQ_QUANTITY_THROUGHPUT)
        return RELATIVE * printed;
    if (knee)
        return KNEE_RELATIVE * printed;
    return quantity == SWQ_QUANTITY_P99 ? P99_OFF : RELATIVE * printed;
}

/* The difference that the rule for throughputs allows between a row's full load and a column's
 * load, which is printed with two digits. */
static double full_load_allowed(double at, swq_estimate full)
{
    return full.half_width + 0.01 + RELATIVE * at;
}

bool swq_paper_cell_agrees(const swq_paper_cell *cell, swq_estimate full, double *allowed)
{
    const double at = cell->column->at;

    *allowed = NAN;
    if (strcmp(cell->printed, "Sat.") == 0)
        return cell->saturated || full.mean - at <= full_load_allowed(at, full);
    if (cell->saturated && at - full.mean > full_load_allowed(at, full))
        return false;
    double printed = printed_of(cell);
    *allowed = cell->computed.half_width + resolution_of(cell) +
               tolerance_of(cell->quantity, cell->knee || cell->saturated, printed);
    /* decimals are not exact in binary, and a difference that is just allowed should pass */
    return fabs(cell->computed.mean - printed) <= *allowed + 1e-9;
}

/* ---- simulations ---- */

/* The simulation that each cell comes from: `of` numbers the distinct ones in the order of the
 * print. */
typedef struct {
    swq_sim_point *point;
    int *of; /* [cells] */
    int points;
} table_plan;

static bool same_run(const swq_paper_cell *a, const swq_paper_cell *b)
{
    return strcmp(a->row->buffer, b->row->buffer) == 0 && a->row->slots == b->row->slots &&
           a->column->held == b->column->held && a->column->at == b->column->at;
}

static void lay_out(const swq_paper_table *table, swq_paper_cell *cell, int *of, int *points)
{
    *points = 0;
    for (int c = 0; c < swq_paper_cells(table); c++) {
        const swq_paper_row *row = &table->row[c / table->columns];
        const swq_paper_column *column = &table->column[c % table->columns];
        bool own = column->quantity != SWQ_QUANTITY_NONE;
        cell[c] = (swq_paper_cell){
            .row = row,
            .column = column,
            .printed = row->printed[c % table->columns],
            .quantity = own ? column->quantity : row->quantity,
            .computed = {NAN, NAN},
            .resent = {NAN, NAN},
            .load = NAN,
            .knee = column->at > KNEE_BEGINS * row->saturation,
            .allowed = NAN,
            .verdict = SWQ_VERDICT_NOT_RUN,
        };
        of[c] = -1;
        for (int k = 0; k < c && of[c] < 0; k++)
            of[c] = same_run(&cell[k], &cell[c]) ? of[k] : -1;
        if (of[c] < 0)
            of[c] = (*points)++;
    }
}

swq_status swq_paper_network(swq_context *ctx, const swq_paper_table *table,
                             const swq_paper_options *options, const swq_paper_row *row,
                             swq_network *n)
{
    const swq_buffer_kind *kind;
    swq_status status = swq_buffer_kind_find(ctx, row->buffer, &kind);

    *n = (swq_network){.shape.stages = STAGES, .stale = options->stale};
    if (!status)
        status = swq_fabric_find(ctx, "omega", &n->shape);
    n->traffic = swq_traffic_defaults();
    n->sw = (swq_switch){
        .ports = PORTS, .arbiter = options->arbiter, .flow = table->flow, .credit = table->credit};
    if (!status)
        status = swq_buffer_preset(ctx, kind, PORTS, row->slots, &n->sw.buffer);
    if (status)
        return status;
    if (n->sw.buffer.scope == SWQ_POOL)
        n->sw.buffer.pool_rule = options->pool_rule;
    if (swq_stale_objection(n))
        n->stale = 0;
    if (table->hot_fraction > 0)
        n->traffic.hot[n->traffic.hot_spots++] = (swq_hot_spot){0, table->hot_fraction};
    return SWQ_OK;
}

static swq_status set_point(swq_context *ctx, const swq_paper_table *table,
                            const swq_paper_options *options, const swq_paper_cell *cell,
                            swq_sim_point *point)
{
    swq_status status = swq_paper_network(ctx, table, options, cell->row, &point->network);

    if (cell->column->held == SWQ_HELD_THROUGHPUT)
        point->throughput = cell->column->at;
    else
        point->network.traffic.load = cell->column->at;
    point->options = swq_sim_defaults();
    point->options.seed = options->seed;
    point->options.cycles = options->cycles;
    point->options.per_node = table->per_node;
    return status;
}

/* Plans the runs of all cells: p->points runs that are judged and, if the table asks for resending,
 * as many runs with resending after them, in the same order. */
static swq_status plan_runs(swq_context *ctx, const swq_paper_table *table,
                            const swq_paper_options *options, const swq_paper_cell *cell,
                            table_plan *p)
{
    int points = table->resent ? 2 * p->points : p->points;

    p->point = swq_calloc(ctx, (size_t)points, sizeof *p->point);
    if (!p->point)
        return swq_memory_status(ctx);
    for (int c = 0; c < swq_paper_cells(table); c++) {
        swq_sim_point *point = &p->point[p->of[c]];
        swq_status status = set_point(ctx, table, options, &cell[c], point);
        if (status)
            return status;
        if (table->resent) {
            point[p->points] = *point;
            point[p->points].network.resend = true;
        }
    }
    return SWQ_OK;
}

/* ---- verdicts ---- */

static bool finished(const swq_sim_point *point)
{
    return point->runs > 0 && !point->status && point->result.stopped_by != SWQ_STOP_INTERRUPTED;
}

static swq_estimate quantity_of(swq_quantity quantity, const swq_flow_result *all)
{
    switch (quantity) {
    case SWQ_QUANTITY_DISCARDED:
        return all->discard_fraction;
    case SWQ_QUANTITY_THROUGHPUT:
        return all->throughput;
    case SWQ_QUANTITY_P99:
        return all->node_percentile[2];
    case SWQ_QUANTITY_MAXIMUM:
        return all->node_max;
    default:
        return all->latency;
    }
}

static int place_of(const swq_paper_table *table, const char *heading)
{
    int c = 0;

    while (strcmp(table->column[c].heading, heading) != 0)
        c++;
    return c;
}

/* The known cause of a cell that differs, or NULL. */
static const swq_paper_exception *exception_of(const swq_paper_table *table,
                                               const swq_paper_cell *cell)
{
    int column = (int)(cell->column - table->column);

    for (const swq_paper_exception *e = table->exception; e->buffer; e++) {
        if (strcmp(e->buffer, cell->row->buffer) == 0 && e->slots == cell->row->slots &&
            e->quantity == cell->quantity && place_of(table, e->first) <= column &&
            column <= place_of(table, e->last))
            return e;
    }
    return NULL;
}

static void judge(const swq_paper_table *table, const swq_sim_result *result, swq_paper_cell *cell,
                  swq_estimate full)
{
    bool by_full_load = strcmp(cell->printed, "Sat.") == 0 && !cell->saturated;
    double a_node = (double)result->all.delivered / result->nodes;

    cell->verdict = SWQ_VERDICT_NOT_RUN;
    if (!isfinite(by_full_load ? full.half_width : cell->computed.half_width)) {
        cell->reason = "too few cycles for an interval";
        return;
    }
    if (cell->quantity == SWQ_QUANTITY_P99 && a_node < LEAST_FOR_P99) {
        cell->reason =
            "fewer than 100 packets per node, of which one percent is less than a packet";
        return;
    }
    if (cell->quantity == SWQ_QUANTITY_MAXIMUM) {
        cell->verdict = SWQ_VERDICT_NOT_COMPARABLE;
        cell->reason = "a maximum grows with the run, whose length is not printed";
        return;
    }
    bool agrees = swq_paper_cell_agrees(cell, full, &cell->allowed);
    cell->verdict = agrees ? SWQ_VERDICT_AGREES : SWQ_VERDICT_DIFFERS;
    const swq_paper_exception *known = agrees ? NULL : exception_of(table, cell);
    if (known) {
        cell->verdict = known->verdict;
        cell->reason = known->reason;
    }
}

/* The throughput at full load of a cell's row: from the row's full-load column, or from the cell
 * itself, which ran at full load if it is saturated. */
static swq_estimate full_throughput(const swq_paper_table *table, const table_plan *p, int c)
{
    int first = c / table->columns * table->columns;

    for (int k = first; k < first + table->columns; k++) {
        const swq_sim_point *point = &p->point[p->of[k]];
        if (table->column[k - first].held == SWQ_HELD_FULL_LOAD && finished(point))
            return point->result.all.throughput;
    }
    const swq_sim_point *own = &p->point[p->of[c]];
    return own->saturated ? own->result.all.throughput : (swq_estimate){NAN, NAN};
}

static void collect(const swq_paper_table *table, const table_plan *p, swq_paper_cell *cell,
                    int *count)
{
    for (int c = 0; c < swq_paper_cells(table); c++) {
        const swq_sim_point *point = &p->point[p->of[c]];
        cell[c].reason = "interrupted";
        if (finished(point)) {
            cell[c].reason = NULL;
            cell[c].computed = quantity_of(cell[c].quantity, &point->result.all);
            cell[c].load = point->load;
            cell[c].saturated = point->saturated;
            cell[c].correlated = point->result.correlated;
            judge(table, &point->result, &cell[c], full_throughput(table, p, c));
        }
        if (table->resent && finished(point + p->points))
            cell[c].resent = quantity_of(cell[c].quantity, &point[p->points].result.all);
        count[cell[c].verdict]++;
    }
}

static const char *joint_part(const swq_paper_cell *cell)
{
    const bool full = cell->column->held == SWQ_HELD_FULL_LOAD;

    switch (cell->quantity) {
    case SWQ_QUANTITY_DISCARDED:
        return "discards";
    case SWQ_QUANTITY_THROUGHPUT:
        return "throughputs at full load";
    case SWQ_QUANTITY_P99:
        return "99th percentiles";
    default:
        return full ? "latencies at full load" : "latencies";
    }
}

swq_joint swq_paper_joint(const swq_paper_table *table, const swq_paper_options *options,
                          const swq_paper_cell *cell)
{
    swq_joint_number number[SWQ_PAPER_CELLS];
    int numbers = 0;

    for (int c = 0; c < swq_paper_cells(table) && c < SWQ_PAPER_CELLS; c++) {
        const bool same_throughput = !cell[c].saturated || cell[c].column->at == 1;
        if (cell[c].verdict > SWQ_VERDICT_KNOWN || !same_throughput ||
            strcmp(cell[c].printed, "Sat.") == 0)
            continue;
        number[numbers++] = (swq_joint_number){
            .part = joint_part(&cell[c]),
            .printed = printed_of(&cell[c]),
            .unit = resolution_of(&cell[c]),
            .found = cell[c].computed.mean,
            .error = swq_joint_error(cell[c].computed.half_width, (double)options->cycles,
                                     PRINTED_CYCLES),
        };
    }
    return swq_joint_judge(number, numbers, table->jointly);
}

swq_status swq_paper_check(swq_context *ctx, const swq_paper_table *table,
                           const swq_paper_options *options)
{
    for (int r = 0; r < table->rows && options->stale; r++) {
        swq_network n;
        swq_status status = swq_paper_network(ctx, table, options, &table->row[r], &n);
        if (status || n.stale)
            return status;
    }
    if (options->stale)
        return swq_fail(ctx, SWQ_EINVAL,
                        "stale must be 0, not %d, with arbiter %s, which does not compare lengths "
                        "of queues",
                        options->stale, options->arbiter->name);
    return SWQ_OK;
}

swq_status swq_paper_run(swq_context *ctx, const swq_paper_table *table,
                         const swq_paper_options *options, swq_paper_cell *cell,
                         int count[SWQ_VERDICTS])
{
    table_plan p = {.of = swq_calloc(ctx, (size_t)swq_paper_cells(table), sizeof *p.of)};
    if (!p.of)
        return swq_memory_status(ctx);
    lay_out(table, cell, p.of, &p.points);
    swq_status status = swq_paper_check(ctx, table, options);
    if (!status)
        status = plan_runs(ctx, table, options, cell, &p);
    if (!status) {
        status =
            swq_sim_points(ctx, p.point, table->resent ? 2 * p.points : p.points, options->threads);
        /* a run cut short is no error for swq_sim_points */
        if (!status && swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
    }
    if (p.point && (!status || status == SWQ_ECANCELLED)) {
        memset(count, 0, SWQ_VERDICTS * sizeof *count);
        collect(table, &p, cell, count);
    }
    swq_free(ctx, p.point);
    swq_free(ctx, p.of);
    return status;
}
