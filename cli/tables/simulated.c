/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.2, 4.3, 4.4, 5.1: simulated, beside the printed values.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/append.h"
#include "cli/print/words.h"
#include "cli/spec/network.h"
#include "cli/tables/joint.h"
#include "cli/tables/table.h"
#include "validate/table_sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUICK_CYCLES = 2500,
    /* intervals of nodes' percentiles come from the spread over nodes, which lacks what all nodes
     * have in common in a short run */
    QUICK_PERCENTILES = 20000,
    PERCENTILES = 100000,
    LEAST_CYCLES = 100,
    NODES = 64
};

/* The run of a table. */
typedef struct {
    const swq_paper_table *table;
    swq_paper_options options;
    swq_paper_cell *cell;
    int cells, count[SWQ_VERDICTS];
    swq_joint joint;
    bool interrupted;
} sim_table_run;

static const struct {
    const char *key, *label; /* in JSON and CSV; in text */
    int decimals;
    double scale; /* of text and print */
    const char *unit;
} quantities[] = {
    [SWQ_QUANTITY_DISCARDED] = {"discarded", "", 2, 100, "percent"},
    [SWQ_QUANTITY_THROUGHPUT] = {"throughput", "", 4, 1, "packets per node and cycle"},
    [SWQ_QUANTITY_LATENCY] = {"latency", "mean", 3, 1, "cycles"},
    [SWQ_QUANTITY_P99] = {"p99", "99%", 3, 1, "cycles"},
    [SWQ_QUANTITY_MAXIMUM] = {"max", "max", 2, 1, "cycles"},
};

static const char *const held_words[] = {"load", "throughput", "full load"};
static const char verdict_marks[SWQ_VERDICTS] = {' ', '*', 'k', 'm', '-', '?'};

/* A cell that was cancelled before its turn does not even have a column. */
static bool was_run(const swq_paper_cell *c)
{
    return c->column && !isnan(c->load);
}

/* ---- the cells ---- */

static const char *value_text(const swq_paper_cell *c, double value, char text[40])
{
    if (isfinite(value))
        snprintf(text, 40, "%.*f", quantities[c->quantity].decimals,
                 quantities[c->quantity].scale * value);
    else
        snprintf(text, 40, "%s", isnan(value) ? "" : "inf");
    return text;
}

/* Marks have columns of their own, after the numbers. */
static void show_cell(cli_record *row, const swq_paper_table *table, const swq_paper_cell *c)
{
    const bool none = c->saturated && strcmp(c->printed, "Sat.") == 0;
    const char *name = table->resent ? "lost" : "simulated";
    char marks[3] = {verdict_marks[c->verdict], ' ', '\0'}, text[40];

    if (!none && (c->saturated || c->correlated))
        marks[marks[0] == ' ' ? 0 : 1] = c->saturated ? 's' : 'c';
    cli_show(row, "printed", "%s  ", c->printed);
    if (none)
        cli_show(row, name, "Sat.%s", marks);
    else
        cli_show(row, name, "%s%s", value_text(c, c->computed.mean, text), marks);
    cli_show(row, "+-", "%s  ", value_text(c, none ? NAN : c->computed.half_width, text));
    if (table->resent)
        cli_show(row, "resent", "%s  ", value_text(c, c->resent.mean, text));
}

static void put_model(cli_record *row, const sim_table_run *o, const swq_paper_cell *c)
{
    swq_network network;

    if (swq_paper_network(NULL, o->table, &o->options, c->row, &network))
        return;
    /* the table's rule, even if unused because there is no pool */
    network.sw.buffer.pool_rule = o->options.pool_rule;
    network.stale = o->options.stale; /* the same for this */
    network.traffic.load = c->load;
    cli_put_network_of(row, &network, c->row->buffer, c->row->slots);
}

static void put_cell(cli_record *rows, const sim_table_run *o, const swq_paper_cell *c)
{
    char command[CLI_COMMAND], heading[24], name[16];

    snprintf(heading, sizeof heading, "%s  ", c->column->heading);
    cli_record *row = cli_table_cell(rows, heading, c->row->buffer, c->row->slots);
    cli_capitals(c->row->buffer, name, sizeof name);
    cli_titled(row, "%-4s %2d  %s", name, c->row->slots,
               o->table->per_node ? quantities[c->quantity].label : "");
    cli_put_word(row, "quantity", quantities[c->quantity].key);
    cli_put_word(row, "at", held_words[c->column->held]);
    cli_put_number(row, "at_value", c->column->at);
    cli_put_word(row, "paper", c->printed);
    cli_put_word(row, "paper_unit", quantities[c->quantity].unit);
    cli_put_number(row, "computed", c->computed.mean);
    cli_put_number(row, "half_width", c->computed.half_width);
    if (o->table->resent) {
        cli_put_number(row, "resent", c->resent.mean);
        cli_put_number(row, "resent_half_width", c->resent.half_width);
    }
    cli_put_number(row, "allowed", c->allowed);
    cli_put_truth(row, "near_saturation", c->knee);
    cli_put_number(row, "load", c->load);
    cli_put_truth(row, "saturated", c->saturated);
    cli_put_truth(row, "correlated", c->correlated);
    cli_put_word(row, "verdict", swq_verdict_text(c->verdict));
    cli_put_truth(row, "agrees", c->verdict == SWQ_VERDICT_AGREES);
    cli_put_word(row, "note", c->reason ? c->reason : "");
    cli_sim_command(o->table, &o->options, c, command);
    cli_put_word(row, "command", was_run(c) ? command : NULL);
    put_model(row, o, c);
    show_cell(row, o->table, c);
}

/* ---- the record ---- */

/* The highest saturation throughput of a table with a hot spot, for which there is a bound. */
static const swq_paper_cell *highest(const sim_table_run *o)
{
    const swq_paper_cell *best = NULL;

    for (int c = 0; c < o->cells; c++) {
        const swq_paper_cell *cell = &o->cell[c];
        if (cell->quantity == SWQ_QUANTITY_THROUGHPUT && isfinite(cell->computed.half_width) &&
            (!best || cell->computed.mean > best->computed.mean))
            best = cell;
    }
    return o->table->hot_fraction > 0 ? best : NULL;
}

/* Two half-widths are four standard deviations, since a bound that is reached must not fail by
 * chance. */
static bool bound_holds(const sim_table_run *o)
{
    const swq_paper_cell *c = highest(o);

    return !c || c->computed.mean - 2 * c->computed.half_width <=
                     swq_hot_spot_bound(o->table->hot_fraction, NODES);
}

/* Printed before anything is simulated. */
static void say_head(cli_record *root, const swq_paper_table *table, const swq_paper_options *o)
{
    char stale[40] = "";

    cli_tell(root, 2, "Table %s (Frazier 1995): %s", table->name, table->title);
    if (o->stale)
        snprintf(stale, sizeof stale, ", stale after %d", o->stale);
    cli_tell(root, 2, "Model: %s; arbiter %s%s; pool rule %s (cbda)", table->model,
             o->arbiter->name, stale, o->pool_rule->name);
    cli_tell(root, 2, "Runs: %llu cycles behind an automatic warm-up, seed %llu",
             (unsigned long long)o->cycles, (unsigned long long)o->seed);
    cli_tell(root, 2, "Rule: %s.", swq_paper_rule);
    cli_tell(root, 2, "Jointly: %s.", swq_joint_rule);
    if (table->resent)
        cli_tell(root, 2,
                 "Rows 'resent': a discarded packet returns to its source and is sent again, as "
                 "the text says; the load is that of new packets, and percentages are of all that "
                 "is sent. Not judged");
}

/* Cells with a reason, grouped by reason. */
static void say_reasons(cli_record *root, const sim_table_run *o)
{
    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        char text[1200] = "", name[16];
        bool listed = c->verdict == SWQ_VERDICT_KNOWN || c->verdict == SWQ_VERDICT_MISPRINT;
        for (int before = 0; before < k && listed; before++)
            listed = o->cell[before].reason != c->reason;
        for (int also = k, row = -1; also < o->cells && listed && strlen(text) < 500; also++) {
            const swq_paper_cell *a = &o->cell[also];
            if (!a->column || a->reason != c->reason)
                continue;
            cli_capitals(a->row->buffer, name, sizeof name);
            if (also / o->table->columns != row)
                cli_append(text, sizeof text, "%s %s %d %s", row >= 0 ? ";" : "", name,
                           a->row->slots, quantities[a->quantity].key);
            cli_append(text, sizeof text, ", %s", a->column->heading);
            row = also / o->table->columns;
        }
        if (listed)
            cli_tell(root, 2, "%c%s: %s.", verdict_marks[c->verdict], text, c->reason);
    }
}

static void say_legend(cli_record *root, const sim_table_run *o)
{
    bool saturated = false, correlated = false;

    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        bool shown = !c->saturated || strcmp(c->printed, "Sat.") != 0;
        saturated = saturated || (shown && c->saturated);
        correlated = correlated || (shown && !c->saturated && c->correlated);
    }
    if (saturated)
        cli_say(root, "s: full load does not deliver that throughput; measured at full load.");
    if (correlated)
        cli_say(root, "c: too few cycles for independent batches, so the interval is too narrow.");
}

static void say_counts(cli_record *root, const sim_table_run *o)
{
    const cli_table_count rest[] = {
        {o->count[SWQ_VERDICT_DIFFERS], "differ (*)"},
        {o->count[SWQ_VERDICT_KNOWN], "differ as known (k)"},
        {o->count[SWQ_VERDICT_MISPRINT], "misprinted (m)"},
        {o->count[SWQ_VERDICT_NOT_COMPARABLE], "not comparable (-)"},
        {o->count[SWQ_VERDICT_NOT_RUN], "not run or too short (?)"},
    };

    cli_say_counts(root, o->count[SWQ_VERDICT_AGREES], o->cells, rest, sizeof rest / sizeof *rest);
}

static void put_bound(cli_record *root, const sim_table_run *o, const swq_paper_cell *most)
{
    const double value = swq_hot_spot_bound(o->table->hot_fraction, NODES);
    cli_record *bound = cli_quietly(cli_put_group(root, "hot_spot_bound", NULL));

    cli_put_number(bound, "bound", value);
    cli_put_number(bound, "highest", most->computed.mean);
    cli_put_number(bound, "half_width", most->computed.half_width);
    cli_put_truth(bound, "holds", bound_holds(o));
    cli_tell(root, 2, "Hot-spot bound on throughput: %.6f; highest simulated %.4f +- %.4f: %s",
             value, most->computed.mean, most->computed.half_width,
             bound_holds(o) ? "not above, by two half-widths" : "ABOVE");
}

/* Says by which command `switchq sim` runs a cell again. The cell is the last one that was run,
 * preferably of a pool, since the table's rule for pools is not the default of `sim`. */
static void say_command(cli_record *root, const sim_table_run *o)
{
    const swq_paper_cell *shown = NULL;
    char what[120], name[16], command[CLI_COMMAND];

    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        if (was_run(c) &&
            (!shown || cli_table_pool(c->row->buffer) || !cli_table_pool(shown->row->buffer)))
            shown = c;
    }
    if (!shown)
        return;
    cli_capitals(shown->row->buffer, name, sizeof name);
    snprintf(what, sizeof what, "%s %d, %s, %s", name, shown->row->slots,
             quantities[shown->quantity].key, shown->column->heading);
    cli_sim_command(o->table, &o->options, shown, command);
    cli_say_command(root, what, command);
}

static cli_record *record_of(const sim_table_run *o)
{
    const swq_paper_options *p = &o->options;
    const swq_paper_cell *most = highest(o);
    cli_record *root =
        cli_table_record(o->table->name, "G. L. Frazier, dissertation, UCLA 1995", swq_paper_rule);

    cli_not_in_csv(cli_put_word(root, "title", o->table->title));
    cli_not_in_csv(cli_put_word(root, "assumptions", o->table->model));
    cli_table_mark(root, p->arbiter, p->pool_rule);
    cli_put_count(root, "stale", (uint64_t)p->stale);
    cli_put_count(root, "seed", p->seed);
    cli_put_count(root, "cycles", p->cycles);
    cli_say(root, "%s", "");
    cli_record *rows =
        cli_as_grid(cli_put_points(root, "rows"), "buffer, slots", o->table->columns);
    for (int c = 0; c < o->cells; c++) {
        if (o->cell[c].column) /* not cancelled before its turn */
            put_cell(rows, o, &o->cell[c]);
    }
    say_counts(root, o);
    cli_say_joint(root, &o->joint);
    say_legend(root, o);
    say_reasons(root, o);
    if (most)
        put_bound(root, o, most);
    say_command(root, o);
    if (o->interrupted)
        cli_say(root, "CUT SHORT: interrupted before all was simulated.");
    cli_put_count(root, "agree", (uint64_t)o->count[SWQ_VERDICT_AGREES]);
    cli_put_count(root, "differ", (uint64_t)o->count[SWQ_VERDICT_DIFFERS]);
    cli_put_count(root, "known", (uint64_t)o->count[SWQ_VERDICT_KNOWN]);
    cli_put_count(root, "misprints", (uint64_t)o->count[SWQ_VERDICT_MISPRINT]);
    cli_put_count(root, "not_comparable", (uint64_t)o->count[SWQ_VERDICT_NOT_COMPARABLE]);
    cli_put_count(root, "not_run", (uint64_t)o->count[SWQ_VERDICT_NOT_RUN]);
    cli_put_joint(root, &o->joint);
    cli_put_truth(root, "interrupted", o->interrupted);
    return root;
}

/* ---- plot ---- */

static bool on_curve(const swq_paper_table *table, const swq_paper_cell *c)
{
    bool right =
        table->per_node ? c->quantity == SWQ_QUANTITY_P99 : c->quantity != SWQ_QUANTITY_THROUGHPUT;

    return right && !c->saturated && c->computed.mean > 0;
}

static swq_status draw(swq_context *ctx, const sim_table_run *o)
{
    const swq_paper_table *t = o->table;
    const bool discards = t->flow == SWQ_DISCARD;
    const swq_plot like = {.x_label = discards ? "load (packets per cycle and source)"
                                               : "throughput (packets per cycle and node)",
                           .y_label = discards ? "discarded (percent)" : "latency (cycles)",
                           .log_y = true,
                           .y_least = discards ? 1e-3 : 3,
                           .y_most = 50};
    cli_drawing curves = {0};

    cli_draw_panel(&curves, &like, "%s, 64x64 omega network (Table %s, simulated)",
                   discards      ? "Packets discarded"
                   : t->per_node ? "99th percentile of latency"
                                 : "Latency",
                   t->name);
    for (int k = 0; k < o->cells; k++) {
        const swq_paper_cell *c = &o->cell[k];
        /* latency at full load is drawn over the throughput there, which is the next column */
        const bool full = c->column->held == SWQ_HELD_FULL_LOAD;
        if (k % t->columns == 0)
            cli_table_curve(&curves, c->row->buffer, c->row->slots, "");
        if (on_curve(t, c))
            cli_draw_point(&curves, full ? c[1].computed.mean : c->column->at,
                           quantities[c->quantity].scale * c->computed.mean, 0);
    }
    return cli_draw(ctx, &curves, cli_table_given.plot);
}

/* ---- the command ---- */

static swq_status read_options(swq_context *ctx, const swq_paper_table *table, swq_paper_options *o)
{
    const cli_table_options *given = &cli_table_given;

    *o = swq_paper_defaults();
    if (table->per_node)
        o->cycles = given->quick ? QUICK_PERCENTILES : PERCENTILES;
    else if (given->quick)
        o->cycles = QUICK_CYCLES;
    swq_status status = cli_table_rules(ctx, &o->arbiter, &o->pool_rule);
    if (!status)
        status =
            cli_table_runs(ctx, LEAST_CYCLES, 999999999999999, &o->cycles, &o->seed, &o->threads);
    if (!status && given->stale)
        status = cli_integer(ctx, "stale", given->stale, 0, 1000000, &o->stale);
    if (!status)
        status = swq_paper_check(ctx, table, o);
    return status ? status : cli_memory_read(ctx);
}

/* In text, before minutes are spent. */
static swq_status print_head(swq_context *ctx, const sim_table_run *o)
{
    if (cli_table_given.format != CLI_TEXT)
        return SWQ_OK;
    cli_record *root = cli_record_new("");
    say_head(root, o->table, &o->options);
    return cli_record_print(ctx, root, CLI_TEXT);
}

int cli_table_simulated(swq_context *ctx, const swq_paper_table *table)
{
    sim_table_run o = {.table = table, .cells = swq_paper_cells(table)};
    swq_status status = read_options(ctx, table, &o.options);
    if (status)
        return cli_fail(ctx, status);
    o.cell = calloc((size_t)o.cells, sizeof *o.cell);
    if (!o.cell)
        return cli_fail(ctx, swq_fail(ctx, SWQ_ENOMEM, "no memory for the table's cells"));
    status = print_head(ctx, &o);
    if (!status)
        status = swq_paper_run(ctx, table, &o.options, o.cell, o.count);
    o.interrupted = status == SWQ_ECANCELLED;
    if (!status)
        o.joint = swq_paper_joint(table, &o.options, o.cell);
    else
        o.joint.verdict = SWQ_JOINT_NONE;
    if (!status || o.interrupted)
        status = cli_record_print(ctx, record_of(&o), cli_table_given.format);
    if (!status && cli_table_given.plot && !o.interrupted)
        status = draw(ctx, &o);
    /* under other rules than the print's, differences are expected */
    bool differs = o.count[SWQ_VERDICT_DIFFERS] > 0 || o.joint.verdict == SWQ_JOINT_DIFFERS;
    differs = differs && swq_paper_as_printed(&o.options);
    bool failed = !status && (o.interrupted || differs || !bound_holds(&o));
    free(o.cell);
    if (status)
        return cli_fail(ctx, status);
    return failed ? CLI_FAILED : CLI_OK;
}
