/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq table: a printed table, regenerated beside the print. Which one, and the options.
 * Room: cli.
 */
#include "cli/table.h"
#include "base/context.h"
#include "base/plot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 100 /* of a terminal */ };

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

/* --ports first: without it, or with 2, the others are of no use. */
static struct poptOption ports_options[] = {
    {"ports", '\0', POPT_ARG_STRING, &cli_table_given.ports, 0,
     "another switch than the print's 2x2: exact values beside a simulation", "N"},
    {"slots", '\0', POPT_ARG_STRING, &cli_table_given.slots, 0,
     "rows up to so many slots an input (default twice the ports)", "B"},
    {"loads", '\0', POPT_ARG_STRING, &cli_table_given.loads, 0,
     "columns in place of the print's loads, up to 8", "L,L,..."},
    {"most-states", '\0', POPT_ARG_STRING, &cli_table_given.most_states, 0,
     "solve no chain that is foreseen to be larger (default 100000)", "S"},
    POPT_TABLEEND,
};

static struct poptOption run_options[] = {
    {"quick", '\0', POPT_ARG_NONE, &cli_table_given.quick, 0,
     "2500 cycles a simulation (5.1: 20000; 4.1: 50000, and fewer cells): seconds, and wider "
     "intervals",
     NULL},
    {"cycles", '\0', POPT_ARG_STRING, &cli_table_given.cycles, 0,
     "cycles a simulation, behind its warm-up (default 20000; 5.1: 100000; 4.1: 1000000)", "N"},
    {"seed", '\0', POPT_ARG_STRING, &cli_table_given.seed, 0,
     "of every simulation (default 1); 4.1: cell c has 1000 times it, plus c", "S"},
    {"threads", '\0', POPT_ARG_STRING, &cli_table_given.threads, 0,
     "simulations at a time (default: the machine's cores); the numbers do not depend on it", "T"},
    {"stale", '\0', POPT_ARG_STRING, &cli_table_given.stale, 0,
     "queues whose head has waited so many cycles go before longer ones (default 0: never)", "T"},
    POPT_TABLEEND,
};

static struct poptOption options[] = {
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, own_options, 0, "The table:", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, run_options, 0,
     "The simulations (4.2, 4.3, 4.4, 5.1; 4.1 with --ports):", NULL},
    {NULL, '\0', POPT_ARG_INCLUDE_TABLE, ports_options, 0, "Other switches (4.1):", NULL},
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

void cli_print_wrapped(const char *text, int indent)
{
    int at = 0;

    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " ");
        if (at > 0 && at + 1 + length > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (at > 0) {
            putchar(' ');
            at++;
        }
        printf("%.*s", length, word);
        at += length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

swq_status cli_table_seed(swq_context *ctx, uint64_t most, uint64_t *seed)
{
    const char *text = cli_table_given.seed;
    if (!text)
        return SWQ_OK;
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > 15 || text[digits] || strtoull(text, NULL, 10) > most)
        return swq_fail(ctx, SWQ_EINVAL,
                        "--seed must be a whole number from 0 to %llu, not '%.60s'",
                        (unsigned long long)most, text);
    *seed = strtoull(text, NULL, 10);
    return SWQ_OK;
}

swq_status cli_table_threads(swq_context *ctx, int *threads)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    *threads = cores < 1 ? 1 : cores > SWQ_MAX_THREADS ? SWQ_MAX_THREADS : (int)cores;
    if (!cli_table_given.threads)
        return SWQ_OK;
    return cli_integer(ctx, "threads", cli_table_given.threads, 1, SWQ_MAX_THREADS, threads);
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

/* The options that fit table 4.1 with so many ports, of which --ports is read already. */
static swq_status refuse_solved(swq_context *ctx, int ports)
{
    static const struct poptOption stale[] = {
        {"stale", '\0', POPT_ARG_STRING, &cli_table_given.stale, 0, NULL, NULL}, POPT_TABLEEND};

    if (ports != 2)
        return refuse(ctx, stale, "4.1", "the tables of networks");
    swq_status status =
        refuse(ctx, run_options, "4.1 of 2x2 switches", "what is simulated, as with other --ports");
    return status ? status : refuse(ctx, ports_options + 1, "4.1 of 2x2 switches", "other --ports");
}

static int run(swq_context *ctx, const cli_command *self, int argc, const char **argv)
{
    const char *name = NULL;
    int end = cli_read_options(ctx, self, options, argc, argv, &name, 1);
    if (end >= 0)
        return end;
    bool solved = name && strcmp(name, "4.1") == 0;
    const swq_paper_table *table = name && !solved ? swq_paper_table_find(name) : NULL;
    int ports = 2;
    swq_status status = solved || table ? SWQ_OK : known_names(ctx, name);
    if (!status && solved && cli_table_given.ports)
        status = cli_integer(ctx, "ports", cli_table_given.ports, 2, SWQ_MAX_PORTS, &ports);
    if (!status)
        status = solved ? refuse_solved(ctx, ports)
                        : refuse(ctx, cli_solver_options, name, "table 4.1, which is solved");
    if (!status && !solved)
        status = refuse(ctx, ports_options, name, "table 4.1, which is of one switch");
    if (!status && cli_table_given.plot)
        status = swq_plot_check(ctx, cli_table_given.plot);
    if (!status && cli_table_given.json && cli_table_given.csv)
        status = swq_fail(ctx, SWQ_EINVAL, "--json and --csv cannot both be given");
    if (status)
        return cli_fail(ctx, status);
    if (!solved)
        return cli_table_simulated(ctx, table);
    return ports == 2 ? cli_table_4_1(ctx) : cli_table_4_1_ports(ctx, ports);
}

const cli_command cli_table = {
    .name = "table",
    .usage = "4.1|4.2|4.3|4.4|5.1 [OPTION...]",
    .summary = "regenerate a printed table beside the print",
    .examples = "  switchq table 4.1\n"
                "  switchq table 4.1 --plot table-4.1.svg\n"
                "  switchq table 4.1 --arbiter maximum-longest\n"
                "  switchq table 4.1 --ports 3 --quick\n"
                "  switchq table 4.4 --quick\n"
                "  switchq table 5.1 --quick --stale 1\n",
    .run = run,
};
