/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table 4.1 --ports N: solved for switches that it was not printed for, beside a
 * simulation. Room: cli.
 */
#include "base/context.h"
#include "base/plot.h"
#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUICK_CYCLES = 50000, LEAST_CYCLES = 1000 };

static const double quick_loads[] = {0.50, 0.75, 0.90, 0.99};
static const char verdict_marks[SWQ_PORTS_VERDICTS] = {' ', '*', 'r', '?', ' ', ' '};

/* A table that has been run. */
typedef struct {
    swq_ports_options options;
    swq_ports_cell *cell;
    int cells;
    swq_ports_summary summary;
    bool interrupted;
} outcome;

static bool solved(const swq_ports_cell *c)
{
    return !isnan(c->exact.value);
}

static bool simulated(const swq_ports_cell *c)
{
    return !isnan(c->simulated.mean);
}

/* ---- JSON, CSV ---- */

static cJSON *json_of_cell(const swq_ports_cell *c)
{
    cJSON *row = cJSON_CreateObject();
    bool run = simulated(c);

    cJSON_AddStringToObject(row, "buffer", c->buffer);
    cJSON_AddNumberToObject(row, "slots", c->slots);
    cli_json_number(row, "load", c->load);
    cli_json_number(row, "states_foreseen", c->foreseen);
    cli_json_number(row, "states", solved(c) ? (double)c->states : NAN);
    cli_json_number(row, "computed", c->exact.value);
    cli_json_number(row, "lower", c->exact.lower);
    cli_json_number(row, "upper", c->exact.upper);
    cJSON_AddNumberToObject(row, "seed", (double)c->seed);
    cli_json_number(row, "simulated", c->simulated.mean);
    cli_json_number(row, "half_width", c->simulated.half_width);
    cli_json_number(row, "batches", run ? (double)c->batches : NAN);
    cli_json_number(row, "offered", run ? (double)c->offered : NAN);
    cli_json_number(row, "lost", run ? (double)c->lost : NAN);
    cli_json_number(row, "expected_lost", c->expected_lost);
    cli_json_number(row, "off", c->off);
    cJSON_AddStringToObject(row, "verdict", swq_ports_verdict_text(c->verdict));
    cJSON_AddBoolToObject(row, "agrees", c->verdict == SWQ_PORTS_AGREES);
    cJSON_AddBoolToObject(row, "beyond_chance", c->beyond_chance);
    cJSON_AddStringToObject(row, "note", c->reason ? c->reason : "");
    return row;
}

static cJSON *json_of(const outcome *o)
{
    static const char *const keys[SWQ_PORTS_VERDICTS] = {"agree",      "outside",      "too_rare",
                                                         "not_judged", "does_not_fit", "not_run"};
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/table/1");
    cJSON_AddStringToObject(tree, "table", "4.1");
    cJSON_AddNumberToObject(tree, "ports", o->options.ports);
    cJSON_AddStringToObject(
        tree, "source",
        "rows and loads after G. L. Frazier, dissertation, UCLA 1995, Table 4.1, "
        "which is printed for 2 ports");
    cJSON_AddStringToObject(tree, "rule", swq_ports_rule);
    cJSON_AddStringToObject(tree, "arbiter", o->options.arbiter->name);
    cJSON_AddStringToObject(tree, "pool_rule", cli_pool_rule_words[o->options.pool_rule]);
    cJSON_AddNumberToObject(tree, "most_states", o->options.most_states);
    cJSON_AddNumberToObject(tree, "seed", (double)o->options.seed);
    cJSON_AddNumberToObject(tree, "cycles", (double)o->options.cycles);
    cJSON *rows = cJSON_AddArrayToObject(tree, "rows");
    for (int c = 0; c < o->cells; c++)
        cJSON_AddItemToArray(rows, json_of_cell(&o->cell[c]));
    for (int v = 0; v < SWQ_PORTS_VERDICTS; v++)
        cJSON_AddNumberToObject(tree, keys[v], o->summary.count[v]);
    cli_json_number(tree, "expected_outside", o->summary.expected_outside);
    cJSON_AddNumberToObject(tree, "allowed_outside", o->summary.allowed_outside);
    cJSON_AddNumberToObject(tree, "beyond_chance", o->summary.beyond_chance);
    cJSON_AddBoolToObject(tree, "agrees", o->summary.agrees);
    cJSON_AddBoolToObject(tree, "interrupted", o->interrupted);
    return tree;
}

static void print_csv(const outcome *o)
{
    puts("buffer,slots,load,states_foreseen,states,computed,lower,upper,seed,offered,lost,"
         "expected_lost,simulated,half_width,batches,off,verdict,note");
    for (int k = 0; k < o->cells; k++) {
        const swq_ports_cell *c = &o->cell[k];
        printf("%s,%d,%.9g,%.6g,%lld,%.17g,%.17g,%.17g,%llu,%llu,%llu,%.9g,%.9g,%.3g,%zu,%.4g,%s,"
               "\"%s\"\n",
               c->buffer, c->slots, c->load, c->foreseen, (long long)c->states, c->exact.value,
               c->exact.lower, c->exact.upper, (unsigned long long)c->seed,
               (unsigned long long)c->offered, (unsigned long long)c->lost, c->expected_lost,
               c->simulated.mean, c->simulated.half_width, c->batches, c->off,
               swq_ports_verdict_text(c->verdict), c->reason ? c->reason : "");
    }
}

/* ---- text ---- */

/* Said before anything is solved. */
static void print_head(const outcome *o)
{
    const swq_ports_options *p = &o->options;
    char text[1600];

    snprintf(text, sizeof text,
             "Table 4.1 (Frazier 1995) for %dx%d switches, which it was not printed for: packets "
             "discarded by one switch, in percent of those created",
             p->ports, p->ports);
    cli_print_wrapped(text, 2);
    printf("arbiter %s; pool rule %s\n", p->arbiter->name, cli_pool_rule_words[p->pool_rule]);
    snprintf(text, sizeof text,
             "Exact: from the switch's Markov chain, where that is foreseen to have at most %.0f "
             "states. Simulated: %llu cycles a cell, with 95%% half-widths (+-); off: simulated "
             "minus exact, in standard errors",
             p->most_states, (unsigned long long)p->cycles);
    cli_print_wrapped(text, 2);
    snprintf(text, sizeof text, "Rule: %s.", swq_ports_rule);
    cli_print_wrapped(text, 2);
    putchar('\n');
    fflush(stdout);
}

static void print_percent(double fraction, const char *before, char mark)
{
    double percent = 100 * fraction;
    char text[32];

    snprintf(text, sizeof text, percent == 0 || percent >= 0.01 ? "%s%.3f" : "%s%.1e", before,
             percent);
    printf("%9s%c", text, mark);
}

static void print_blank(void)
{
    printf("%10s", "");
}

static void print_exact(const outcome *o, const swq_ports_cell *row)
{
    if (row->too_large) {
        char text[40];
        snprintf(text, sizeof text, row->foreseen < 1e7 ? "%.0f" : "%.1e", row->foreseen);
        printf("  does not fit: %s states foreseen", text);
        if (row->foreseen <= o->options.most_states)
            fputs(", more than the memory limit", stdout);
        return;
    }
    for (int l = 0; l < o->options.loads; l++) {
        if (solved(&row[l]))
            print_percent(row[l].exact.value, "", ' ');
        else
            print_blank();
    }
}

static void print_simulated(const outcome *o, const swq_ports_cell *row)
{
    for (int l = 0; l < o->options.loads; l++) {
        const swq_ports_cell *c = &row[l];
        bool none = c->lost == 0 && c->offered > 0;
        if (!simulated(c))
            print_blank();
        else
            print_percent(none ? 3 / (double)c->offered : c->simulated.mean, none ? "<" : "",
                          verdict_marks[c->verdict]);
    }
}

static void print_half_widths(const outcome *o, const swq_ports_cell *row)
{
    for (int l = 0; l < o->options.loads; l++) {
        if (row[l].lost > 0 && isfinite(row[l].simulated.half_width))
            print_percent(row[l].simulated.half_width, "", ' ');
        else
            print_blank();
    }
}

static void print_off(const outcome *o, const swq_ports_cell *row)
{
    for (int l = 0; l < o->options.loads; l++) {
        if (isnan(row[l].off))
            print_blank();
        else
            printf("%+9.2f ", row[l].off);
    }
}

static void print_row(const outcome *o, const swq_ports_cell *row)
{
    char name[16], states[40] = "";

    cli_capitals(row->buffer, name, sizeof name);
    bool begun = row->too_large || solved(row) || simulated(row);
    if (!begun) {
        printf("%-5s%2d %9s  not run\n", name, row->slots, "");
        return;
    }
    if (row->states > 0)
        snprintf(states, sizeof states, "%lld states", (long long)row->states);
    printf("%-5s%2d %9s", name, row->slots, "exact");
    print_exact(o, row);
    printf("\n%17s", "simulated");
    print_simulated(o, row);
    printf("\n%-12s%5s", states, "+-");
    print_half_widths(o, row);
    if (!row->too_large) {
        printf("\n%17s", "off");
        print_off(o, row);
    }
    putchar('\n');
}

static void print_summary(const outcome *o)
{
    const swq_ports_summary *s = &o->summary;
    char text[900], name[16];
    int length = snprintf(text, sizeof text, "%d of %d cells agree; %d outside (*)",
                          s->count[SWQ_PORTS_AGREES], o->cells, s->count[SWQ_PORTS_OUTSIDE]);
    static const struct {
        swq_ports_verdict verdict;
        const char *words;
    } rest[] = {
        {SWQ_PORTS_RARE, "too rare to be seen (r)"},
        {SWQ_PORTS_NOT_JUDGED, "too short or too uncertain to judge (?)"},
        {SWQ_PORTS_TOO_LARGE, "without an exact value"},
        {SWQ_PORTS_NOT_RUN, "not run"},
    };

    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        if (s->count[rest[k].verdict])
            length += snprintf(text + length, sizeof text - (size_t)length, "; %d %s",
                               s->count[rest[k].verdict], rest[k].words);
    }
    snprintf(text + length, sizeof text - (size_t)length, ".");
    cli_print_wrapped(text, 2);
    length = snprintf(text, sizeof text,
                      "Of %d compared, %.2g at most may be expected outside by chance, and up to "
                      "%d are allowed; beyond chance: %d",
                      s->compared, s->expected_outside, s->allowed_outside, s->beyond_chance);
    if (s->furthest >= 0) {
        const swq_ports_cell *c = &o->cell[s->furthest];
        cli_capitals(c->buffer, name, sizeof name);
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "; the furthest off is %s %d at %g, by %+.2f standard errors", name,
                           c->slots, c->load, c->off);
    }
    snprintf(text + length, sizeof text - (size_t)length, ".");
    cli_print_wrapped(text, 2);
    puts(s->compared == 0 ? "Nothing could be compared."
         : s->agrees      ? "Exact values and simulator agree."
                          : "EXACT VALUES AND SIMULATOR DIFFER.");
    if (o->interrupted)
        puts("CUT SHORT: interrupted before all was solved and simulated.");
}

static void print_text(const outcome *o)
{
    printf("%-17s", "buffer, slots");
    for (int l = 0; l < o->options.loads; l++)
        printf("%9.4g ", o->options.load[l]);
    putchar('\n');
    for (int c = 0; c < o->cells; c += o->options.loads)
        print_row(o, &o->cell[c]);
    putchar('\n');
    print_summary(o);
}

/* ---- plot ---- */

/* Curves: exact, or dashed through what was simulated where there is no exact value. Marks: all
 * that was simulated. */
static swq_status draw(swq_context *ctx, const outcome *o)
{
    size_t rows = (size_t)(o->cells / o->options.loads), curves = 0, marks = 0;
    swq_curve *curve = calloc(rows + 1, sizeof *curve);
    double *load = calloc((size_t)o->cells * 4, sizeof *load);
    char title[160], name[16];
    int colour = 0, mark = 0;

    if (!curve || !load) {
        free(curve);
        free(load);
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the plot");
    }
    double *percent = load + o->cells, *mark_load = percent + o->cells;
    double *mark_percent = mark_load + o->cells;
    for (int first = 0; first < o->cells; first += o->options.loads) {
        const swq_ports_cell *row = &o->cell[first];
        size_t points = 0;
        bool next = first > 0 && strcmp(row->buffer, row[-1].buffer) != 0;
        colour += next;
        mark = next ? 0 : mark + 1;
        for (int l = 0; l < o->options.loads; l++) {
            double value = row->too_large ? row[l].simulated.mean : row[l].exact.value;
            if (row[l].lost > 0) {
                mark_load[marks] = row[l].load;
                mark_percent[marks++] = 100 * row[l].simulated.mean;
            }
            if (!(value > 0))
                continue;
            load[(size_t)first + points] = row[l].load;
            percent[(size_t)first + points++] = 100 * value;
        }
        if (points == 0)
            continue;
        cli_capitals(row->buffer, name, sizeof name);
        curve[curves] = (swq_curve){.x = load + first,
                                    .y = percent + first,
                                    .points = points,
                                    .colour = colour,
                                    .mark = mark,
                                    .dashed = row->too_large};
        snprintf(curve[curves].name, sizeof curve->name, "%s %d%s", name, row->slots,
                 row->too_large ? " simulated" : "");
        curves++;
    }
    if (marks > 0) {
        curve[curves] =
            (swq_curve){.x = mark_load, .y = mark_percent, .points = marks, .printed = true};
        snprintf(curve[curves++].name, sizeof curve->name, "simulated");
    }
    snprintf(title, sizeof title,
             "Packets discarded by one %dx%d switch (after Table 4.1; arbiter %s)",
             o->options.ports, o->options.ports, o->options.arbiter->name);
    swq_plot plot = {.title = title,
                     .x_label = "load (packets per cycle and input)",
                     .y_label = "discarded (percent)",
                     .log_y = true,
                     .y_least = 1e-4,
                     .y_most = 60,
                     .curve = curve,
                     .curves = curves};
    swq_status status = swq_plot_write(ctx, &plot, cli_table_given.plot);
    free(curve);
    free(load);
    return status;
}

/* ---- the command ---- */

/* Numbers between commas. */
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

static swq_status read_numbers(swq_context *ctx, swq_ports_options *o)
{
    const cli_table_options *given = &cli_table_given;
    int cycles = 0, states = 0;
    swq_status status = SWQ_OK;

    if (given->quick && given->cycles)
        return swq_fail(ctx, SWQ_EINVAL, "--quick and --cycles cannot both be given");
    if (given->cycles)
        status = cli_integer(ctx, "cycles", given->cycles, LEAST_CYCLES, 1000000000, &cycles);
    if (cycles)
        o->cycles = (uint64_t)cycles;
    if (!status && given->slots)
        status = cli_integer(ctx, "slots", given->slots, 1, SWQ_MAX_SLOTS, &o->most_slots);
    if (!status && given->most_states)
        status = cli_integer(ctx, "most-states", given->most_states, 1, 1000000000, &states);
    if (states)
        o->most_states = states;
    if (!status && given->loads)
        status = read_loads(ctx, given->loads, o);
    if (!status && given->seed)
        status = cli_table_seed(ctx, 999999999999, &o->seed);
    return status ? status : cli_table_threads(ctx, &o->threads);
}

static swq_status read_options(swq_context *ctx, int ports, swq_ports_options *o)
{
    int pool_rule;

    *o = swq_ports_defaults(ports);
    if (cli_table_given.quick) {
        o->cycles = QUICK_CYCLES;
        o->most_slots = ports;
        o->loads = sizeof quick_loads / sizeof *quick_loads;
        memcpy(o->load, quick_loads, sizeof quick_loads);
    }
    pool_rule = o->pool_rule;
    swq_status status = cli_solver_read(ctx, &o->exact);
    if (!status)
        status = cli_table_rules(ctx, &o->arbiter, &pool_rule);
    o->pool_rule = (swq_pool_rule)pool_rule;
    return status ? status : read_numbers(ctx, o);
}

/* What solver and simulator tell, behind where in the table they are. */
static void tell(void *arg, const char *stage, double done, double total)
{
    static double row, rows;
    const outcome *o = arg;
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

static swq_status print(swq_context *ctx, const outcome *o)
{
    cli_clear_progress();
    if (cli_table_given.json)
        return cli_json_print(ctx, json_of(o));
    if (cli_table_given.csv)
        print_csv(o);
    else
        print_text(o);
    return cli_flush(ctx);
}

int cli_table_4_1_ports(swq_context *ctx, int ports)
{
    outcome o = {0};
    swq_status status = read_options(ctx, ports, &o.options);
    if (status)
        return cli_fail(ctx, status);
    o.cells = swq_ports_cells(&o.options);
    o.cell = calloc((size_t)o.cells, sizeof *o.cell);
    if (!o.cell)
        return cli_fail(ctx, swq_fail(ctx, SWQ_ENOMEM, "no memory for the table's cells"));
    status = swq_ports_plan(ctx, &o.options, o.cell);
    if (!status && !cli_table_given.json && !cli_table_given.csv)
        print_head(&o);
    if (!status && isatty(STDERR_FILENO))
        swq_context_watch(ctx, tell, &o);
    if (!status)
        status = swq_ports_run(ctx, &o.options, o.cell, &o.summary);
    o.interrupted = status == SWQ_ECANCELLED;
    if (!status || o.interrupted)
        status = print(ctx, &o);
    if (!status && cli_table_given.plot && !o.interrupted)
        status = draw(ctx, &o);
    swq_context_watch(ctx, NULL, NULL);
    bool failed = o.interrupted || !o.summary.agrees;
    free(o.cell);
    if (status)
        return cli_fail(ctx, status);
    return failed ? CLI_FAILED : CLI_OK;
}
