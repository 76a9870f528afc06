/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq compare: what its files share.
 */
#ifndef SWQ_CLI_COMPARE_H
#define SWQ_CLI_COMPARE_H

#include "cli/answer.h"
#include "cli/cost/cost.h"
#include "cli/record/record.h"
#include "cli/sweep/words.h"
#include "compare/judge.h"
#include "study/store.h"
#include "study/tree.h"

/* A quantity by which contestants are judged. */
typedef struct cli_measure {
    const char *name, *summary;
    const char *path[3]; /* in the answer of a simulation, a chain, an approximation; NULL: none */
    bool more_is_better;
    bool waits; /* a latency, which past saturation grows with the length of the run */
    double (*of)(const cJSON *answer); /* of a simulation, in place of a path */
} cli_measure;
extern const cli_measure *const cli_measures[]; /* ended by NULL */

/* How a contestant is computed. */
typedef struct cli_by {
    const char *name, *summary, *command;
    swq_known_by known;
} cli_by;
extern const cli_by *const cli_bys[]; /* ended by NULL */

/* A quantity that must be the same for all contestants. */
typedef struct cli_equal {
    const char *name, *summary, *unit;
    size_t offset; /* in swq_cost, a double; SIZE_MAX: nothing has to be equal */
} cli_equal;
extern const cli_equal *const cli_equals[]; /* ended by NULL */

enum { CLI_SCENARIOS = 40, CLI_SIZES = 8, CLI_REASON = 240, CLI_QUESTION = 400 };

/* Commands that say more about the rule of a shared memory in bytes. */
typedef enum cli_beside {
    CLI_BESIDE_WORST,
    CLI_BESIDE_SOLVE,
    CLI_BESIDE_COST,
    CLI_BESIDE
} cli_beside;
extern const char *const cli_beside_commands[CLI_BESIDE + 1]; /* ended by NULL */

/* One of the file's named option sets. */
typedef struct cli_option_set {
    const char *name;
    const swq_node *options;
    const cli_by *by;           /* of a contestant */
    const cli_measure *measure; /* of a scenario */
    bool no_gain;               /* of a scenario: it does not count for gains */
} cli_option_set;

/* The worst case of a contestant's rule of admission to a shared memory. */
typedef struct cli_worst_case {
    char ratio[40];       /* a fraction, or "unbounded"; "": not known, or no shared memory */
    char why[CLI_REASON]; /* why it is not known; "": it is, or there is no shared memory */
    char question[CLI_QUESTION]; /* the command line of the file's choice; "": there is none */
} cli_worst_case;

/* What a contestant's rule of admission loses in a small switch, exactly. */
typedef struct cli_exact_loss {
    double fraction;      /* if there is a question and no `why` */
    char why[CLI_REASON]; /* why it is not known; "": it is, or was not asked */
    char question[CLI_QUESTION];
} cli_exact_loss;

/* A field is a scenario at a size of memory, number size * scenarios + scenario; a cell is a
 * contestant in a field, number field * contestants + contestant. */
typedef struct cli_comparison {
    swq_context *ctx;
    const char *path;
    const char *bytes, *area_given; /* --bytes and --area, as given; or NULL */
    const char *chosen[2];          /* --contestants and --scenarios, as given; or NULL */
    char *text;
    swq_arena arena;
    const swq_node *common;             /* NULL: none */
    const swq_node *beside[CLI_BESIDE]; /* options of these commands; NULL: not asked */
    cli_option_set contestant[SWQ_CONTESTANTS], scenario[CLI_SCENARIOS];
    int scenarios, sizes;
    /* bytes of memory an input, or cells of area, in size[sizes], if the file says so; else sizes 1
     */
    bool sized, by_area;
    long size[CLI_SIZES];
    long memory[CLI_SIZES][SWQ_CONTESTANTS]; /* bytes an input: the size, or the most that fit */
    const cli_equal *equal;
    uint64_t seed;
    int file_repeats; /* as the file has it */
    int repeats;      /* of each cell to begin with */
    double precision; /* of paired differences, for which there are more; 0: not asked */

    swq_comparison contest;
    bool *more_better, *no_gain; /* [fields] */
    swq_known_by by[SWQ_CONTESTANTS];
    char *reason;   /* [cells][CLI_REASON]: why a cell is blank; "": it is not */
    int *asked;     /* [cells]: repeats that are wanted; 0: the cell cannot be built */
    int *count;     /* [cells]: how many of them are answered */
    size_t *first;  /* [cells]: its first point */
    int *unsettled; /* [cells]: repeats whose mean would be another if they were longer */

    /* the plan: a study, and its points in the order of cells */
    swq_arena plan;
    swq_study *study;
    char **words;         /* [points]: command lines */
    int *cell;            /* [points] */
    const char **version; /* [points]: of the program that answered; NULL: not answered */
    size_t points;
    bool fitting;          /* sizes are still being searched for, so a plan may have no cells */
    double *value, *width; /* as contest has them */

    swq_cost cost[CLI_SIZES][SWQ_CONTESTANTS]; /* ports 0: it could not be costed */
    double *area; /* [cells] of the cost in that scenario; NAN: not known */
    cli_worst_case worst[CLI_SIZES][SWQ_CONTESTANTS];
    cli_exact_loss loss[CLI_SIZES][SWQ_CONTESTANTS];
    double gain[CLI_SIZES][SWQ_CONTESTANTS], gain_half[CLI_SIZES][SWQ_CONTESTANTS];
    cli_common_words *shared; /* [sizes]: the words of the questions that its cells share */
    bool on_front[CLI_SIZES][SWQ_CONTESTANTS];
    int base[CLI_SIZES]; /* the contestant that gains are relative to; -1: none */

    long better[CLI_SIZES];    /* if less than half can be built: a size that would do; else 0 */
    int built_then[CLI_SIZES]; /* how many can be built with it */

    bool *first_marks; /* of the first seed, where there is a second one */
    uint64_t second_seed;
    const char *data_path; /* of --data, for the page; NULL: not given */
    int marks, marks_in_both, marks_reversed;
    swq_store_counts counts;
    bool interrupted, quick, benchmarks;
    bool lent; /* this MPI rank lent its workers to another rank, and has nothing to print */
} cli_comparison;

/* A cell's reason; its number. */
char *cli_compare_reason(const cli_comparison *c, int field, int contestant);
size_t cli_compare_cell(const cli_comparison *c, int field, int contestant);
int cli_compare_fields(const cli_comparison *c);

/* " at 256 bytes an input", " at 9000 cells of area", or nothing. Returns text. */
const char *cli_compare_size(const cli_comparison *c, int field, char text[40]);

/* ---- cli/compare/read.c ---- */

/* Settings of the command line that replace settings of the file. */
typedef struct cli_compare_given {
    const char *bytes;                   /* sizes of memory; NULL: the file's */
    const char *area;                    /* areas in their place; NULL: the file's */
    int seed;                            /* -1: the file's */
    int second_seed;                     /* 0: none */
    double precision;                    /* 0: the file's */
    const char *contestants, *scenarios; /* names; NULL: all */
} cli_compare_given;

/* Read the file. c: zeroed, but for ctx, path, quick and benchmarks. Errors: SWQ_EIO; SWQ_EINVAL
 * naming file and line; SWQ_ENOMEM. */
swq_status cli_compare_read(cli_comparison *c, const cli_compare_given *given);
void cli_compare_clear(cli_comparison *c);

/* ---- cli/compare/sets.c ---- */

/* Refuse a line of the file: SWQ_EINVAL. */
swq_status cli_compare_fail(const cli_comparison *c, int line, const char *what);

/* New nodes of a study, in an arena: a list or a map with room for so many items, and a text. NULL:
 * no memory. */
swq_node *cli_compare_node(const cli_comparison *c, swq_arena *arena, swq_node_kind kind, int line,
                           int room);
swq_node *cli_compare_text(const cli_comparison *c, swq_arena *arena, int line, const char *text);

/* Is `key` "sync" or "async"? The map under such a key has options for this engine alone. */
bool cli_compare_is_engine(const char *key);

/* The engine of a contestant in a scenario; "sync" by default. */
const char *cli_compare_engine(const cli_comparison *c, int scenario, int contestant);

/* Contestants or scenarios: a map of names to maps of options. Errors: SWQ_EINVAL naming file and
 * line. */
swq_status cli_compare_read_sets(cli_comparison *c, const swq_node *root, const char *key,
                                 int least, int most, cli_option_set *set, int *count);

/* Keep the contestants or scenarios that a comma-separated list names, in the order of the file.
 * Errors: SWQ_EINVAL for an unknown name (suggesting the nearest), or fewer than `least`. */
swq_status cli_compare_choose(cli_comparison *c, const char *option, const char *list, int least,
                              cli_option_set *set, int *count);

/* Refuse options that are given twice. Errors: SWQ_EINVAL naming file and line. */
swq_status cli_compare_check_sets(cli_comparison *c);

/* The congestion benchmarks, judged by `measure`, in place of the file's scenarios. Errors:
 * SWQ_ENOMEM. */
swq_status cli_compare_take_benchmarks(cli_comparison *c, const cli_measure *measure);

/* ---- cli/compare/plan.c ---- */

/* Make the study of all cells, with as many repeats of each as are wanted. Cells that cannot be
 * built get a reason, and want no more repeats. Errors: SWQ_EINVAL naming file and line. */
swq_status cli_compare_plan(cli_comparison *c);

/* Does this option describe only the run, and not the switch? */
bool cli_compare_of_runs(const char *option);

/* ---- cli/compare/run.c ---- */

/* Compute all points that the database lacks, and take the answers. With a precision, add repeats
 * where they are needed until it is reached. With a second seed, do all of this twice. Other ranks
 * of an MPI job lend their workers. Sets `interrupted` if a signal ended the run. Must be called
 * before anything else has made threads. */
swq_status cli_compare_run(cli_comparison *c, const char *database, int workers, size_t memory,
                           bool retry);

/* ---- cli/compare/answers.c ---- */

/* Take the answers of the plan's points. */
swq_status cli_compare_take(cli_comparison *c, swq_store *store);

/* ---- cli/compare/costs.c ---- */

/* Compute the cost of each contestant, as it is built in its first possible scenario, and check
 * that costs are as equal as the file asks. If the file gives the memory, a contestant that has
 * more is blank. terms: the path of a file, or NULL. Errors: SWQ_EINVAL naming two contestants
 * whose costs differ. */
swq_status cli_compare_cost(cli_comparison *c, const char *terms);

/* The first half of cli_compare_cost: computes the costs at one size. */
swq_status cli_compare_cost_size(cli_comparison *c, int size, const char *terms);

/* With areas: find the most memory, in steps of 32 bytes, with which each contestant fits.
 * Contestants that never fit are blank, with the reason. Errors: as cli_compare_cost. */
swq_status cli_compare_fit(cli_comparison *c, const char *terms);

/* Compute gains and fronts, after the judgement. */
void cli_compare_gains(cli_comparison *c);

/* ---- cli/compare/worst.c ---- */

/* Find the worst cases of contestants that are shared memories, each by the first scenario in which
 * it can be built. Cases that would take more than 30 MB are left out, with the reason. Cost:
 * seconds for each. */
swq_status cli_compare_worst(cli_comparison *c);

/* Takes the answer of switchq worst. */
void cli_compare_take_worst(const cli_answer *answer, cli_worst_case *worst);

/* ---- cli/compare/beside.c ---- */

/* Is the switch of a command line a shared memory in bytes? */
bool cli_compare_shares_bytes(const char *words);

/* Adds the options of a command to a question, which has room for 15 more. */
swq_status cli_compare_add_beside(cli_comparison *c, cli_beside command, const char **word,
                                  int *count);

/* Asks for the worst cases and the exact losses of rules of shared memories in bytes, each as the
 * first scenario that can be built has it. */
swq_status cli_compare_ask_beside(cli_comparison *c);

/* ---- cli/compare/blanks.c ---- */

/* Refuse a comparison in which no two contestants meet, saying why. If less than half of them can
 * be built at a size, find a size that would do. The plan must be made again. Errors: SWQ_EINVAL.
 */
swq_status cli_compare_check_blanks(cli_comparison *c, const char *terms);

/* Count the contestants that are left out of all scenarios at a size, with the reasons. Returns
 * whether there are any. */
bool cli_compare_tell_blanks(const cli_comparison *c, int size, char *text, size_t room);

/* If no run gave a number: the first reason; else NULL. */
const char *cli_compare_why_nothing(const cli_comparison *c);

/* ---- cli/compare/show.c ---- */

cli_record *cli_compare_record(const cli_comparison *c);

/* Of which switches a column beside the runs is (cli_beside). Returns whether it was asked for. */
bool cli_compare_says_beside(const cli_comparison *c, int command, char text[CLI_QUESTION]);

/* Draw gain over cost, joining the contestants on the front; a panel for each size. */
swq_status cli_compare_draw(const cli_comparison *c, const char *path);

/* ---- cli/compare/page.c, cli/compare/markdown.c ---- */

swq_status cli_compare_page(const cli_comparison *c, const char *path);
swq_status cli_compare_markdown(const cli_comparison *c, const char *path);

/* ---- cli/compare/data.c ---- */

/* Writes a line for each run, as comma-separated values with a heading: what was asked, with seed
 * and version, what came of it, and what is known of the contestant besides. */
swq_status cli_compare_data(const cli_comparison *c, const char *path);

#endif
