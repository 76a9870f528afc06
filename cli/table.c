/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table: a printed table, regenerated beside the print. Which one, and the options.
 * Room: cli.
 */
#include "cli/table.h"
#include "base/context.h"
#include "base/plot.h"

#include <ctype.h>
#include <string.h>

cli_table_options cli_table_given;

static struct poptOption own_options[] = {
    {"arbiter", '\0', POPT_ARG_STRING, &cli_table_given.arbiter, 0,
     "another arbiter than the one that reproduces the print (4.1: random; else rotating)", "NAME"},
    {"pool-rule", '\0', POPT_ARG_STRING, &cli_table_given.pool_rule, 0,
     "another admission rule for cbda than the one that does (4.1: ports; else oldest)",
     "room|ports|oldest"},
    {"plot", '\0', POPT_ARG_STRING, &cli_table_given.plot, 0,
     "also draw discards over load, or latency over throughput", "FILE.svg|FILE.png"},
    {"json", '\0', POPT_ARG_NONE, &cli_table_given.json, 0,
     "print JSON (discards as fractions, the print as it is)", NULL},
    {"csv", '\0', POPT_ARG_NONE, &cli_table_given.csv, 0, "print CSV, a line per cell", NULL},
    POPT_TABLEEND,
};

static struct poptOption run_options[] = {
    {"quick", '\0', POPT_ARG_NONE, &cli_table_given.quick, 0,
     "2500 cycles a simulation (5.1: 20000): seconds, and wider intervals", NULL},
    {"cycles", '\0', POPT_ARG_STRING, &cli_table_given.cycles, 0,
     "cycles a simulation, behind its warm-up (default 20000; 5.1: 100000)", "N"},
    {"seed", '\0', POPT_ARG_STRING, &cli_table_given.seed, 0, "of every simulation (default 1)",
     "S"},
    {"threads", '\0', POPT_ARG_STRING, &cli_table_given.threads, 0,
     "simulations at a time (default: the machine's cores); the numbers do not depend on it", "T"},
    {"stale", '\0', POPT_ARG_STRING, &cli_table_given.stale, 0,
     "queues whose head has waited so many cycles go before longer ones (default 0: never)", "T"},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, own_options, 0, "The table:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, run_options, 0,
     "The simulations (4.2, 4.3, 4.4, 5.1):", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, cli_solver_options, 0, "The solver (4.1):", NULL},
    POPT_TABLEEND,
};

void cli_capitals(const char *word, char *out, size_t size)
{
    size_t k = 0;

    for (; word[k] && k + 1 < size; k++)
        out[k] = (char)toupper((unsigned char)word[k]);
    out[k] = '\0';
}

swq_status cli_table_rules(swq_context *ctx, const swq_arbiter **arbiter, int *pool_rule)
{
    swq_status status = SWQ_OK;

    if (cli_table_given.arbiter)
        status = swq_arbiter_find(ctx, cli_table_given.arbiter, arbiter);
    if (!status && cli_table_given.pool_rule)
        status =
            cli_word(ctx, "pool-rule", cli_table_given.pool_rule, cli_pool_rule_words, pool_rule);
    return status;
}

/* Options of the table that are of no use to this one would mislead if they were taken silently. */
static swq_status refuse(swq_context *ctx, const struct poptOption *table, const char *name,
                         const char *use)
{
    for (const struct poptOption *o = table; o->longName; o++) {
        bool flag = (o->argInfo & POPT_ARG_MASK) == POPT_ARG_NONE;
        if (flag ? *(const int *)o->arg != 0 : *(char *const *)o->arg != NULL)
            return swq_fail(ctx, SWQ_EINVAL, "--%s is for %s, not for table %s", o->longName, use,
                            name);
    }
    return SWQ_OK;
}

static swq_status known_names(swq_context *ctx, const char *name)
{
    char known[80] = "4.1";

    for (int k = 0; swq_paper_tables[k]; k++)
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s",
                 swq_paper_tables[k]->name);
    if (!name)
        return swq_fail(ctx, SWQ_EINVAL, "which table? known: %s", known);
    return swq_fail(ctx, SWQ_EINVAL, "table '%.40s' is not known; known: %s", name, known);
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const char *name = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    bool solved = name && strcmp(name, "4.1") == 0;
    const swq_paper_table *table = name && !solved ? swq_paper_table_find(name) : NULL;
    swq_status status = solved || table ? SWQ_OK : known_names(ctx, name);
    if (!status)
        status = solved ? refuse(ctx, run_options, name, "the tables that are simulated")
                        : refuse(ctx, cli_solver_options, name, "table 4.1, which is solved");
    if (!status && cli_table_given.plot)
        status = swq_plot_check(ctx, cli_table_given.plot);
    if (!status && cli_table_given.json && cli_table_given.csv)
        status = swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    if (status)
        return cli_fail(ctx, status);
    return solved ? cli_table_4_1(ctx) : cli_table_simulated(ctx, table);
}

const cli_command cli_table = {
    .name = "table",
    .usage = "4.1|4.2|4.3|4.4|5.1 [OPTION...]",
    .summary = "regenerate a printed table beside the print",
    .examples = "  switchq table 4.1\n"
                "  switchq table 4.1 --plot table-4.1.svg\n"
                "  switchq table 4.1 --arbiter maximum-longest\n"
                "  switchq table 4.4 --quick\n"
                "  switchq table 5.1 --quick --stale 1\n",
    .run = run,
};
