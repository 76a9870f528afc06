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
    char *ports, *slots, *most_states, *loads;
    int quick, json, csv;
} cli_table_options;
extern cli_table_options cli_table_given;

/* --arbiter and --pool-rule, if given. */
swq_status cli_table_rules(swq_context *ctx, const swq_arbiter **arbiter, int *pool_rule);

/* --seed, if given, up to `most` (at most 15 digits), and --threads, or the machine's cores. */
swq_status cli_table_seed(swq_context *ctx, uint64_t most, uint64_t *seed);
swq_status cli_table_threads(swq_context *ctx, int *threads);

/* Words, broken at a terminal's width; later lines are indented. */
void cli_print_wrapped(const char *text, int indent);

/* A buffer's name as the papers print it: in capitals. */
void cli_capitals(const char *word, char *out, size_t size);

/* The table that is solved, the same for other switches than the print's, and those that are
 * simulated; they return the exit status. */
int cli_table_4_1(swq_context *ctx);
int cli_table_4_1_ports(swq_context *ctx, int ports);
int cli_table_simulated(swq_context *ctx, const swq_paper_table *table);

#endif
