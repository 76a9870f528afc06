/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tables share on the command line.
 */
#ifndef SWQ_CLI_TABLE_H
#define SWQ_CLI_TABLE_H

#include "cli/print/drawing.h"
#include "cli/record/record.h"
#include "switchq/papers.h"

/* The options of `switchq table`, as given; NULL or 0: not given. */
typedef struct cli_table_options {
    char *arbiter, *pool_rule, *plot;
    char *cycles, *seed, *threads, *stale;
    char *ports, *slots, *most_states, *loads;
    int quick;
    cli_format format;
} cli_table_options;
extern cli_table_options cli_table_given;

/* --arbiter and --pool-rule, if given. */
swq_status cli_table_rules(swq_context *ctx, const swq_arbiter **arbiter,
                           const swq_pool_rule **pool_rule);

/* Reads --cycles (not with --quick), --seed, --threads and --mem, if given; by default, threads are
 * the machine's cores. */
swq_status cli_table_runs(swq_context *ctx, double least_cycles, double most_seed, uint64_t *cycles,
                          uint64_t *seed, int *threads);

/* ---- records and plots ---- */

/* The record of a table, with a sentence on it; then the rules by which it was computed. */
cli_record *cli_table_record(const char *name, const char *source, const char *rule);
void cli_table_mark(cli_record *root, const swq_arbiter *arbiter, const swq_pool_rule *rule);

/* The number of cells with a verdict, and the verdict in words: {3, "not run (?)"}. */
typedef struct cli_table_count {
    int count;
    const char *words;
} cli_table_count;

/* "160 of 162 cells agree; 1 differ (*); 1 not run (?)." Counts of 0 are omitted, except the first
 * of `rest`. */
void cli_say_counts(cli_record *root, int agree, int cells, const cli_table_count *rest, int rests);

/* The next cell of `rows`, a grid; `column`: the heading of its column. */
cli_record *cli_table_cell(cli_record *rows, const char *column, const char *buffer, int slots);

/* Begins the curve of a row: "DAMQ 4". */
swq_curve *cli_table_curve(cli_drawing *to, const char *buffer, int slots, const char *more);

/* ---- a cell by itself ---- */

enum { CLI_COMMAND = 400 };

/* A cell that is solved. */
typedef struct cli_solved_cell {
    const char *buffer;
    int ports, slots;
    double load;
    const swq_arbiter *arbiter;
    const swq_pool_rule *pool_rule;
} cli_solved_cell;

/* The command that computes a solved, or a simulated, cell: every rule of the table that is not a
 * default is written out. */
void cli_solve_command(const cli_solved_cell *cell, char text[CLI_COMMAND]);
void cli_sim_command(const swq_paper_table *table, const swq_paper_options *options,
                     const swq_paper_cell *cell, char text[CLI_COMMAND]);

/* The group `model` of a cell that is solved. */
void cli_put_solved(cli_record *row, const cli_solved_cell *cell);

/* Adds a command to the record, broken into lines as a shell accepts them; `what` names the
 * cell. */
void cli_say_command(cli_record *root, const char *what, const char *command);

/* Does that buffer have a rule of admission, and no arbiter? */
bool cli_table_pool(const char *buffer);

/* The solved table, the same for other switches than the print's, and the simulated tables; they
 * return the exit status. */
int cli_table_4_1(swq_context *ctx);
int cli_table_4_1_ports(swq_context *ctx, int ports);
int cli_table_simulated(swq_context *ctx, const swq_paper_table *table);

/* Tables of chapter 8 and of document 003: a summary, the source, the options that a table takes
 * besides the options of the format (names, ended by NULL), and the function that prints the table;
 * NULL: a file of papers/ says what its cells show. */
typedef struct cli_table_own {
    const char *name, *summary, *source;
    const char *options[6];
    int (*print)(swq_context *ctx);
} cli_table_own;
extern const cli_table_own cli_tables_own[]; /* ended by a row without a name */
int cli_table_8_2(swq_context *ctx);
int cli_table_8_4(swq_context *ctx);

/* A table of which each cell is a run: its name, or that of its file. */
int cli_table_cells(swq_context *ctx, const char *name);

#endif
