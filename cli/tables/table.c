/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table: a printed table, regenerated beside the printed values. Choosing one, and the
 * options.
 */
#include "cli/tables/table.h"
#include "base/context.h"
#include "base/names.h"
#include "base/plot.h"
#include "cli/options/parameter.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/record/format.h"
#include "cli/spec/solver.h"
#include "cli/spec/switch.h"

#include <string.h>

static struct poptOption own_options[] = {
    CLI_TEXT_ROW(
        "arbiter", "NAME", &cli_table_given.arbiter,
        "arbiter in place of the published table's own (4.1: random; other tables: rotating)"),
    CLI_TEXT_ROW("pool-rule", "room|ports|oldest", &cli_table_given.pool_rule,
                 "admission rule for cbda in place of the one that reproduces the published table "
                 "(4.1: ports; else oldest)"),
    CLI_TEXT_ROW("plot", "FILE.svg|.png|.pdf|.csv", &cli_table_given.plot,
                 "also draw discards over load, or latency over throughput"),
    CLI_TABLE(cli_format_options, NULL),
    POPT_TABLEEND,
};

/* --ports comes first: if it is missing, or 2, the other options have no effect. */
static struct poptOption ports_options[] = {
    CLI_TEXT_ROW(
        "ports", "N", &cli_table_given.ports,
        "switches of N ports in place of the published 2x2: exact values beside a simulation"),
    CLI_TEXT_ROW("slots", "B", &cli_table_given.slots,
                 "rows up to B slots per input (default twice the ports)"),
    CLI_TEXT_ROW("loads", "L,L,...", &cli_table_given.loads,
                 "up to 8 columns in place of the published loads"),
    CLI_TEXT_ROW("most-states", "S", &cli_table_given.most_states,
                 "solve no chain that is expected to have more than S states (default 100000)"),
    POPT_TABLEEND,
};

static struct poptOption run_options[] = {
    CLI_QUICK_OPTION(&cli_table_given.quick,
                     "2500 cycles a simulation (5.1: 20000; 4.1: 50000, and fewer cells; "
                     "benchmarks, small-packets: 10000): seconds, and wider intervals"),
    CLI_TEXT_ROW("cycles", "N", &cli_table_given.cycles,
                 "cycles of each simulation after its warm-up (default 20000; 5.1, benchmarks, "
                 "small-packets: 100000; 4.1: 1000000)"),
    CLI_TEXT_ROW(
        "seed", "S", &cli_table_given.seed,
        "seed of every simulation (default 1); 4.1: cell c uses 1000 times the seed, plus c"),
    CLI_THREADS_OPTION(&cli_table_given.threads, "simulations", CLI_ALL_CORES),
    CLI_TEXT_ROW(
        "stale", "T", &cli_table_given.stale,
        "queues whose head has waited T cycles go before longer queues (default 0: never)"),
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    CLI_TABLE(own_options, "The table:"),
    CLI_TABLE(run_options, "The simulations (4.2, 4.3, 4.4, 5.1; 4.1 with --ports):"),
    CLI_TABLE(ports_options, "Other switches (4.1):"),
    CLI_TABLE(cli_solver_options, "The solver (4.1):"),
    POPT_TABLEEND,
};

/* Refuses options of `switchq table` that have no effect for this table. taken: names of the
 * options that have an effect, ended by NULL; NULL: no option has. */
static swq_status refuse(swq_context *ctx, const struct poptOption *table, const char *name,
                         const char *use, const char *const *taken)
{
    cli_options_walk w = cli_walk_options(table);

    for (const struct poptOption *o; (o = cli_next_option(&w));) {
        const bool takes = (w.depth > 0 && !cli_parameter_of(o)) || /* options of every command */
                           (taken && swq_name_is_among(o->longName, taken));
        if (!takes && cli_is_given(o))
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for %s, not for table %s", o->longName, use,
                            name);
    }
    return SWQ_OK;
}

const cli_table_own cli_tables_own[] = {
    {"8.2",
     "parameters of two-counter flow control",
     "Frazier (1995), Table 8.2",
     {NULL},
     cli_table_8_2},
    {"8.4",
     "groups of senders of the congestion benchmarks",
     "Frazier (1995), Table 8.4",
     {NULL},
     cli_table_8_4},
    {"benchmarks",
     "all flow controls on all congestion benchmarks at equal memory",
     "the benchmarks of Frazier (1995), 8.5",
     {"quick", "cycles", "seed", "threads", "mem", NULL},
     NULL},
    {"small-packets",
     "the switches of the HIPIQS report under messages of many lengths, at equal memory",
     "beyond Sivaram, Stunkel and Panda (1997), 5",
     {"quick", "cycles", "seed", "threads", "mem", NULL},
     NULL},
    {NULL, NULL, NULL, {NULL}, NULL},
};

/* A table of one's own takes the options of the tables whose cells are runs. */
static const cli_table_own file_table = {
    "of a file", NULL, NULL, {"quick", "cycles", "seed", "threads", "mem", NULL}, NULL};

static const cli_table_own *own_table(const char *name)
{
    const size_t length = name ? strlen(name) : 0;

    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        return &file_table;
    for (const cli_table_own *row = cli_tables_own; name && row->name; row++) {
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

static int print_own(swq_context *ctx, const cli_table_own *own, const char *name)
{
    const struct poptOption *const all[] = {own_options, ports_options, run_options,
                                            cli_solver_options, NULL};
    swq_status status = SWQ_OK;

    for (int k = 0; all[k] && !status; k++)
        status = refuse(ctx, all[k], own->name, "other tables", own->options);
    if (!status)
        status = cli_format_read(ctx, &cli_table_given.format);
    if (status)
        return cli_fail(ctx, status);
    return own->print ? own->print(ctx) : cli_table_cells(ctx, name);
}

static swq_status known_names(swq_context *ctx, const char *name)
{
    char known[160] = "4.1";

    for (int k = 0; swq_paper_tables[k]; k++)
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s",
                 swq_paper_tables[k]->name);
    for (const cli_table_own *row = cli_tables_own; row->name; row++)
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", row->name);
    if (!name)
        return swq_fail(ctx, SWQ_EINVAL, "which table? known: %s", known);
    if (strcmp(name, "7.1") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "table 7.1 is printed by 'switchq chip'; known here: %s",
                        known);
    return swq_fail(ctx, SWQ_EINVAL, "table '%.40s' is not known; known: %s", name, known);
}

/* Refuses options that do not fit table 4.1 with `ports` ports. */
static swq_status refuse_solved(swq_context *ctx, int ports)
{
    static const struct poptOption stale[] = {
        {"stale", '\0', POPT_ARG_STRING, &cli_table_given.stale, 0, NULL, NULL}, POPT_TABLEEND};

    if (ports != 2)
        return refuse(ctx, stale, "4.1", "the tables of networks", NULL);
    swq_status status = refuse(ctx, run_options, "4.1 of 2x2 switches",
                               "what is simulated, as with other --ports", NULL);
    return status ? status
                  : refuse(ctx, ports_options + 1, "4.1 of 2x2 switches", "other --ports", NULL);
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const char *name = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    if (own_table(name))
        return print_own(ctx, own_table(name), name);
    bool solved = name && strcmp(name, "4.1") == 0;
    const swq_paper_table *table = name && !solved ? swq_paper_table_find(name) : NULL;
    static const char *const also[] = {"mem", NULL};
    int ports = 2;
    swq_status status = solved || table ? SWQ_OK : known_names(ctx, name);
    if (!status && solved && cli_table_given.ports)
        status = cli_integer(ctx, "ports", cli_table_given.ports, 2, SWQ_CHAIN_PORTS, &ports);
    if (!status)
        status = solved ? refuse_solved(ctx, ports)
                        : refuse(ctx, cli_solver_options, name, "table 4.1, which is solved", also);
    if (!status && !solved)
        status = refuse(ctx, ports_options, name, "table 4.1, which is of one switch", NULL);
    if (!status && cli_table_given.plot)
        status = cli_plot_check(ctx, cli_table_given.plot);
    if (!status)
        status = cli_format_read(ctx, &cli_table_given.format);
    if (status)
        return cli_fail(ctx, status);
    if (!solved)
        return cli_table_simulated(ctx, table);
    return ports == 2 ? cli_table_4_1(ctx) : cli_table_4_1_ports(ctx, ports);
}

const cli_command cli_table = {
    .name = "table",
    .usage = "4.1|4.2|4.3|4.4|5.1|8.2|8.4|benchmarks|small-packets|FILE.yaml [OPTION...]",
    .common = "quick arbiter cycles seed threads plot json csv",
    .summary = "regenerate a published table, and compare every cell",
    .examples = "  switchq table 4.1\n"
                "  switchq table 4.1 --plot table-4.1.svg\n"
                "  switchq table 4.1 --arbiter maximum-longest\n"
                "  switchq table 4.1 --ports 3 --quick\n"
                "  switchq table 4.4 --quick\n"
                "  switchq table 5.1 --quick --stale 1\n"
                "  switchq table 8.2\n"
                "  switchq table 8.4\n"
                "  switchq table benchmarks --quick\n"
                "  switchq table small-packets --quick\n",
    .run = run,
};
