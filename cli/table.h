/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tables share on the command line.
 * Room: cli.
 */
#ifndef SWQ_CLI_TABLE_H
#define SWQ_CLI_TABLE_H

#include "cli/cli.h"
#include "switchq/papers.h"

/* The options of `switchq table`, as given; NULL or 0: not given. */
typedef struct cli_table_options {
    char *arbiter, *pool_rule, *plot;
    char *cycles, *seed, *threads, *stale;
    int quick, json, csv;
} cli_table_options;
extern cli_table_options cli_table_given;

/* --arbiter and --pool-rule, if given. */
swq_status cli_table_rules(swq_context *ctx, const swq_arbiter **arbiter, int *pool_rule);

/* A buffer's name as the papers print it: in capitals. */
void cli_capitals(const char *word, char *out, size_t size);

/* The table that is solved, and those that are simulated; they return the exit status. */
int cli_table_4_1(swq_context *ctx);
int cli_table_simulated(swq_context *ctx, const swq_paper_table *table);

#endif
