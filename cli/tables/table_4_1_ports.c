/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.1 --ports N: solved for switches that it was not printed for, beside a
 * simulation.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/print/words.h"
#include "cli/spec/solver.h"
#include "cli/spec/switch.h"
#include "cli/tables/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUICK_CYCLES = 50000, LEAST_CYCLES = 1000 };

static const double quick_loads[] = {0.50, 0.75, 0.90, 0.99};
static const char verdict_marks[SWQ_PORTS_VERDICTS] = {' ', '*', 'r', '?', ' ', ' '};

/* The run of a table. */
typedef struct {
    swq_ports_options options;
    swq_ports_cell *cell;
    int cells;
    swq_ports_summary summary;
    bool interrupted;
} ports_table_run;

static bool solved(const swq_ports_cell *c)
{
    return !isnan(c->exact.value);
}

static bool simulated(const swq_ports_cell *c)
{
    return !isnan(c->simulated.mean);
}

/* ---- the cells ---- */

/* The text of a percentage that is too small for decimals, or that is not known. */
static const char *percent_text(double fraction, const char *before, char text[32])
{
    const double percent = 100 * fraction;

    snprintf(text, 32, percent == 0 || percent >= 0.01 ? "%s%.3f" : "%s%.1e", before, percent);
    return text;
}

static void show_cell(cli_record *row, const swq_ports_cell *c)
{
    const bool none = c->lost == 0 && c->offered > 0;
    const double value = none ? 3 / (double)c->offered : c->simulated.mean;
    char text[32];

    if (solved(c))
        cli_show(row, "exact", "%s ", percent_text(c->exact.value, "", text));
    else
        cli_show(row, "exact", "%s", c->too_large ? "- " : "");
    if (simulated(c))
        cli_show(row, "simulated", "%s%c", percent_text(value, none ? "<" : "", text),
                 verdict_marks[c->verdict]);
    else
        cli_show(row, "simulated", "%s", solved(c) || c->too_large ? "" : "not run ");
    if (c->lost > 0 && isfinite(c->simulated.half_width))
        cli_show(row, "+-", "%s ", percent_text(c->simulated.half_width, "", text));
    else
        cli_show(row, "+-", "%s", "");
    if (isnan(c->off))
        cli_show(row, "off", "%s", "");
    else
        cli_show(row, "off", "%+.2f ", c->off);
}

/* The title of a row: the buffer's name, and below it the size of its chain. */
static void title_row(cli_record *row, const ports_table_run *o, const swq_ports_cell *c)
{
    char name[16], states[80] = "";

    cli_capitals(c->buffer, name, sizeof name);
    if (c->too_large)
        snprintf(states, sizeof states,
                 c->foreseen < 1e7 ? "\n%.0f states\nforeseen: %s" : "\n%.1e states\nforeseen: %s",
                 c->foreseen, c->foreseen > o->options.most_states ? "too many" : "no memory");
    else if (c->states > 0)
        snprintf(states, sizeof states, "\n%lld states", (long long)c->states);
    cli_titled(row, "%-4s %2d%s", name, c->slots, states);
}

static void put_cell(cli_record *rows, const ports_table_run *o, const swq_ports_cell *c)
{
    const swq_ports_options *p = &o->options;
    const cli_solved_cell cell = {c->buffer, p->ports, c->slots, c->load, p->arbiter, p->pool_rule};
    const bool run = simulated(c);
    char command[CLI_COMMAND], load[16];

    snprintf(load, sizeof load, "%.4g ", c->load);
    cli_record *row = cli_table_cell(rows, load, c->buffer, c->slots);
    title_row(row, o, c);
    cli_put_number(row, "load", c->load);
    cli_put_number(row, "states_foreseen", c->foreseen);
    cli_put_number(row, "states", solved(c) ? (double)c->states : NAN);
    cli_put_number(row, "computed", c->exact.value);
    cli_put_number(row, "lower", c->exact.lower);
    cli_put_number(row, "upper", c->exact.upper);
    cli_put_count(row, "seed", c->seed);
    cli_put_number(row, "simulated", c->simulated.mean);
    cli_put_number(row, "half_width", c->simulated.half_width);
    cli_put_number(row, "batches", run ? (double)c->batches : NAN);
    cli_put_number(row, "offered_packets", run ? (double)c->offered : NAN);
    cli_put_number(row, "lost", run ? (double)c->lost : NAN);
    cli_put_number(row, "expected_lost", c->expected_lost);
    cli_put_number(row, "off", c->off);
    cli_put_word(row, "verdict", swq_ports_verdict_text(c->verdict));
    cli_put_truth(row, "agrees", c->verdict == SWQ_PORTS_AGREES);
    cli_put_truth(row, "beyond_chance", c->beyond_chance);
    cli_put_word(row, "note", c->reason ? c->reason : "");
    cli_solve_command(&cell, command);
    cli_put_word(row, "command", command);
    cli_put_solved(row, &cell);
    show_cell(row, c);
}

/* ---- the record ---- */

/* Printed before anything is solved. */
static void say_head(cli_record *root, const swq_ports_options *p)
{
    cli_tell(root, 2,
             "Table 4.1 (Frazier 1995) for %dx%d switches, which it was not printed for: packets "
             "discarded by one switch, in percent of those created",
             p->ports, p->ports);
    cli_say(root, "arbiter %s; pool rule %s", p->arbiter->name, p->pool_rule->name);
    cli_tell(root, 2,
             "Exact: from the switch's Markov chain, where that is foreseen to have at most %.0f "
             "states. Simulated: %llu cycles a cell, with 95%% half-widths (+-); off: simulated "
             "minus exact, in standard errors",
             p->most_states, (unsigned long long)p->cycles);
    cli_tell(root, 2, "Rule: %s.", swq_ports_rule);
}

static void say_counts(cli_record *root, const ports_table_run *o)
{
    const int *count = o->summary.count;
    const cli_table_count rest[] = {
        {count[SWQ_PORTS_OUTSIDE], "outside (*)"},
        {count[SWQ_PORTS_RARE], "too rare to be seen (r)"},
        {count[SWQ_PORTS_NOT_JUDGED], "too short or too uncertain to judge (?)"},
        {count[SWQ_PORTS_TOO_LARGE], "without an exact value"},
        {count[SWQ_PORTS_NOT_RUN], "not run"},
    };

    cli_say_counts(root, count[SWQ_PORTS_AGREES], o->cells, rest, sizeof rest / sizeof *rest);
}

static void say_summary(cli_record *root, const ports_table_run *o)
{
    const swq_ports_summary *s = &o->summary;
    char furthest[120] = "", name[16];

    say_counts(root, o);
    if (s->furthest >= 0) {
        const swq_ports_cell *c = &o->cell[s->furthest];
        cli_capitals(c->buffer, name, sizeof name);
        snprintf(furthest, sizeof furthest,
                 "; the furthest off is %s %d at %g, by %+.2f standard errors", name, c->slots,
                 c->load, c->off);
    }
    cli_tell(root, 2,
             "Of %d compared, %.2g at most may be expected outside by chance, and up to %d are "
             "allowed; beyond chance: %d%s.",
             s->compared, s->expected_outside, s->allowed_outside, s->beyond_chance, furthest);
    cli_say(root, s->compared == 0 ? "Nothing could be compared."
                  : s->agrees      ? "Exact values and simulator agree."
                                   : "EXACT VALUES AND SIMULATOR DIFFER.");
    if (o->interrupted)
        cli_say(root, "CUT SHORT: interrupted before all was solved and simulated.");
}

static cli_record *record_of(const ports_table_run *o)
{
    static const char *const keys[SWQ_PORTS_VERDICTS] = {"agree",      "outside",      "too_rare",
                                                         "not_judged", "does_not_fit", "not_run"};
    const swq_ports_options *p = &o->options;
    cli_record *root =
        cli_table_record("4.1",
                         "rows and loads after G. L. Frazier, dissertation, UCLA 1995, Table 4.1, "
                         "which is printed for 2 ports",
                         swq_ports_rule);

    cli_put_count(root, "ports", (uint64_t)p->ports);
    cli_table_mark(root, p->arbiter, p->pool_rule);
    cli_put_number(root, "most_states", p->most_states);
    cli_put_count(root, "seed", p->seed);
    cli_put_count(root, "cycles", p->cycles);
    cli_say(root, "%s", "");
    cli_record *rows = cli_as_grid(cli_put_points(root, "rows"), "buffer, slots", p->loads);
    for (int c = 0; c < o->cells; c++)
        put_cell(rows, o, &o->cell[c]);
    for (int v = 0; v < SWQ_PORTS_VERDICTS; v++)
        cli_put_count(root, keys[v], (uint64_t)o->summary.count[v]);
    cli_put_number(root, "expected_outside", o->summary.expected_outside);
    cli_put_count(root, "allowed_outside", (uint64_t)o->summary.allowed_outside);
    cli_put_count(root, "cells_beyond_chance", (uint64_t)o->summary.beyond_chance);
    cli_put_truth(root, "agrees", o->summary.agrees);
    cli_put_truth(root, "interrupted", o->interrupted);
    say_summary(root, o);
    return root;
}

/* ---- plot ---- */

/* Curves are exact values, or dashed through simulated ones where there is no exact value. Marks
 * are all simulated values. */
static swq_status draw(swq_context *ctx, const ports_table_run *o)
{
    static const swq_plot like = {.x_label = "load (packets per cycle and input)",
                                  .y_label = "discarded (percent)",
                                  .log_y = true,
                                  .y_least = 1e-4,
                                  .y_most = 60};
    const int loads = o->options.loads;
    cli_drawing curves = {0};

    cli_draw_panel(&curves, &like,
                   "Packets discarded by one %dx%d switch (after Table 4.1; arbiter %s)",
                   o->options.ports, o->options.ports, o->options.arbiter->name);
    for (int k = 0; k < o->cells; k++) {
        const swq_ports_cell *c = &o->cell[k];
        const double value = c->too_large ? c->simulated.mean : c->exact.value;
        if (k % loads == 0)
            cli_table_curve(&curves, c->buffer, c->slots, c->too_large ? " simulated" : "")->aside =
                c->too_large;
        if (value > 0)
            cli_draw_point(&curves, c->load, 100 * value, 0);
    }
    cli_draw_curve(&curves, "simulated")->printed = true;
    for (int k = 0; k < o->cells; k++) {
        if (o->cell[k].lost > 0)
            cli_draw_point(&curves, o->cell[k].load, 100 * o->cell[k].simulated.mean, 0);
    }
    return cli_draw(ctx, &curves, cli_table_given.plot);
}

/* ---- the command ---- */

/* Numbers separated by commas. */
static swq_status read_loads(swq_context *ctx, const char *text, swq_ports_options *o)
{
    char one[64];

    o->loads = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (o->loads == SWQ_PORTS_LOADS)
            return swq_fail(ctx, SWQ_EINVAL, "--loads takes 1 to %d numbers, not '%.60s'",
                            SWQ_PORTS_LOADS, text);
        snprintf(one, sizeof one, "%.*s", length < sizeof one ? (int)length : (int)sizeof one, at);
        swq_status status = cli_number(ctx, "loads", one, 0.001, 1, &o->load[o->loads]);
        if (status)
            return status;
        if (o->loads > 0 && o->load[o->loads] <= o->load[o->loads - 1])
            return swq_fail(ctx, SWQ_EINVAL,
                            "--loads must increase from one to the next, not '%.60s'", text);
        o->loads++;
        at += length;
        if (*at == '\0')
            return SWQ_OK;
    }
}

static swq_status read_options(swq_context *ctx, int ports, swq_ports_options *o)
{
    const cli_table_options *given = &cli_table_given;
    uint64_t states = 0;

    *o = swq_ports_defaults(ports);
    if (given->quick) {
        o->cycles = QUICK_CYCLES;
        o->most_slots = ports;
        o->loads = sizeof quick_loads / sizeof *quick_loads;
        memcpy(o->load, quick_loads, sizeof quick_loads);
    }
    swq_status status = cli_solver_read(ctx, &o->exact);
    if (!status)
        status = cli_table_rules(ctx, &o->arbiter, &o->pool_rule);
    if (!status)
        status = cli_table_runs(ctx, LEAST_CYCLES, 999999999999, &o->cycles, &o->seed, &o->threads);
    if (!status && given->slots)
        status = cli_integer(ctx, "slots", given->slots, 1, SWQ_MAX_SLOTS, &o->most_slots);
    if (!status && given->most_states)
        status = cli_big(ctx, "most-states", given->most_states, 1, 1e9, &states);
    if (states)
        o->most_states = (double)states;
    return status || !given->loads ? status : read_loads(ctx, given->loads, o);
}

/* Progress of solver and simulator, after the place in the table. */
static void tell(void *arg, const char *stage, double done, double total)
{
    static double row, rows;
    const ports_table_run *o = arg;
    char text[120];

    if (stage == swq_ports_stage) {
        row = floor(done / o->options.loads) + 1;
        rows = total / o->options.loads;
        cli_show_progress(&cli_progress_shown, stage, done, total);
        return;
    }
    snprintf(text, sizeof text, "row %.0f of %.0f, %s", row, rows, stage);
    cli_show_progress(&cli_progress_shown, text, done, total);
}

/* In text, before minutes are spent. */
static swq_status print_head(swq_context *ctx, const swq_ports_options *p)
{
    if (cli_table_given.format != CLI_TEXT)
        return SWQ_OK;
    cli_record *root = cli_record_new("");
    say_head(root, p);
    return cli_record_print(ctx, root, CLI_TEXT);
}

int cli_table_4_1_ports(swq_context *ctx, int ports)
{
    ports_table_run o = {0};
    swq_status status = read_options(ctx, ports, &o.options);
    if (status)
        return cli_fail(ctx, status);
    o.cells = swq_ports_cells(&o.options);
    o.cell = calloc((size_t)o.cells, sizeof *o.cell);
    if (!o.cell)
        return cli_fail(ctx, swq_fail(ctx, SWQ_ENOMEM, "no memory for the table's cells"));
    status = swq_ports_plan(ctx, &o.options, o.cell);
    if (!status)
        status = print_head(ctx, &o.options);
    if (!status && isatty(STDERR_FILENO))
        swq_context_watch(ctx, tell, &o);
    if (!status)
        status = swq_ports_run(ctx, &o.options, o.cell, &o.summary);
    o.interrupted = status == SWQ_ECANCELLED;
    if (!status || o.interrupted)
        status = cli_record_print(ctx, record_of(&o), cli_table_given.format);
    if (!status && cli_table_given.plot && !o.interrupted)
        status = draw(ctx, &o);
    swq_context_watch(ctx, NULL, NULL);
    bool failed = o.interrupted || !o.summary.agrees;
    free(o.cell);
    if (status)
        return cli_fail(ctx, status);
    return failed ? CLI_FAILED : CLI_OK;
}
