/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands share: options, numbers, messages, exit statuses.
 * Room: cli.
 */
#ifndef SWQ_CLI_H
#define SWQ_CLI_H

#include "switchq/exact.h"
#include "switchq/sim.h"

#include <cjson/cJSON.h>
#include <popt.h>
#include <stdio.h>

/* Exit statuses that other programs may rely on. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,    /* a check failed, or an iteration did not converge */
    CLI_BAD_INPUT = 2, /* the message names the option, the value and what is allowed */
    CLI_LIMIT = 3      /* memory or size */
};

enum { CLI_MOST_ARGUMENTS = 4096 }; /* the files of a job array, say */

/* One command: run gets the arguments behind the command's name, and its own row. */
typedef struct cli_command {
    const char *name;
    const char *usage; /* arguments, as shown in --help */
    const char *summary;
    const char *examples; /* lines for --help */
    const char *notes;    /* lines before them; NULL: none */
    int (*run)(swq_context *ctx, const struct cli_command *self, int argc, const char **argv);
} cli_command;

extern const cli_command cli_solve, cli_sim, cli_approx, cli_formula, cli_table, cli_figure,
    cli_list, cli_export, cli_sweep, cli_validate, cli_report, cli_help, cli_completion;

/* All commands, ended by NULL. */
extern const cli_command *const cli_commands[];

/* ---- options ---- */

/* Read the options of `self`; the strings in the option table are set. At most `most` other
 * arguments are left in other[]. Returns -1 to go on, or the exit status to end with (after --help,
 * or a message about an unknown option or a surplus argument). */
int cli_read_options(swq_context *ctx, const cli_command *self, struct poptOption *options,
                     int argc, const char **argv, const char **other, int most);

/* Show the option table of a command, with --help and all tables that it includes, to `see`: the
 * command is run as far as cli_read_options, which is where it says what its options are, so no
 * second list of them is kept. */
typedef void (*cli_see_fn)(void *arg, const struct poptOption *table);
void cli_see_options(swq_context *ctx, const cli_command *command, cli_see_fn see, void *arg);

/* The first option of a table, included tables too, that was given; NULL: none was. With a name,
 * that option or none. */
const char *cli_given(const struct poptOption *table, const char *name);

/* The first one given but for those of a list, which NULL ends. */
const char *cli_given_but(const struct poptOption *table, const char *const *names);

/* What an option that takes a text was given; NULL: nothing. */
const char *cli_text(const struct poptOption *table, const char *name);

/* Print `switchq: ` and the context's message to stderr; returns the exit status that fits. */
int cli_fail(swq_context *ctx, swq_status status);

/* Numbers, all of the text and nothing but: no junk behind, no NaN. Errors name the option. */
swq_status cli_integer(swq_context *ctx, const char *option, const char *text, int least, int most,
                       int *value);
swq_status cli_number(swq_context *ctx, const char *option, const char *text, double least,
                      double most, double *value);

/* A number that may have to be whole. */
swq_status cli_number_or_whole(swq_context *ctx, const char *option, const char *text, double least,
                               double most, bool whole, double *value);

/* FROM:TO:STEP; TO is in it if steps lead there. *value, [*points], is the caller's to free(). */
enum { CLI_MOST_POINTS = 100000 };
bool cli_is_range(const char *text); /* rather than a number, a file, or nothing */
swq_status cli_range(swq_context *ctx, const char *option, const char *text, double least,
                     double most, bool whole, double **value, int *points);

/* A whole number that may need more than 31 bits. */
swq_status cli_big(swq_context *ctx, const char *option, const char *text, double least,
                   double most, uint64_t *value);

/* Memory sizes: 512M, 2G, 1.5G, or bytes. */
swq_status cli_bytes(swq_context *ctx, const char *option, const char *text, size_t *value);

/* One of several words; *value is its place in `words`, which ends with NULL. */
swq_status cli_word(swq_context *ctx, const char *option, const char *text,
                    const char *const *words, int *value);

/* A whole file of less than so many megabytes as text; the caller frees it with free(). Errors:
 * SWQ_EIO naming the path, SWQ_ENOMEM. */
swq_status cli_read_file(swq_context *ctx, const char *path, int megabytes, char **text);

/* ---- the spec of a switch ---- */

/* The options that describe a switch, to be included in a command's option table; and the same with
 * its traffic. */
extern struct poptOption cli_switch_options[], cli_spec_options[];

/* The spec that they say, checked, with the words that describe it again in output. */
typedef struct cli_spec {
    swq_switch sw;
    const char *buffer;
    swq_buffer_kind kind; /* the preset, with what --scope, --queues and --read override */
    int slots;
    bool slots_open, load_open; /* to be found by the command */
    bool same_load;
    const char *traffic; /* "uniform", "hotspot", "matrix" */
    double hot_fraction;
    int hot_output;
} cli_spec;

/* spec->kind and spec->sw.ports alone, which other options depend on. */
swq_status cli_buffer_kind_read(swq_context *ctx, cli_spec *spec);

/* Checks that --slots splits evenly among the ports when `extra` of them are not theirs. */
swq_status cli_slots_besides(swq_context *ctx, int ports, int extra);

/* The switch alone, into a spec that holds the defaults, unchecked. extra_slots: how many of
 * --slots are not the buffer's. */
swq_status cli_switch_read(swq_context *ctx, cli_spec *spec, int extra_slots);

/* With `open`, --slots or --load (not both) may be missing, for the command to find: then
 * slots_open or load_open is set, and one slot per queue or load 1 stands in. */
swq_status cli_spec_read(swq_context *ctx, cli_spec *spec, bool open);

/* Numbers as they were written: those of --load, then those of --traffic. */
typedef struct cli_words {
    char **word;
    int count, room;
    int loads; /* so many of them are loads */
} cli_words;

/* While a list is given (NULL ends it), cli_spec_read adds its probabilities to it, and takes
 * fractions such as 9/10 too. */
void cli_keep_words(cli_words *words);
void cli_words_clear(cli_words *words);

/* A heading that says the spec again, for people. */
void cli_spec_print(const cli_spec *spec);

/* The words of --flow, --credit, --scope, --queues, --read and --pool-rule, by enum value. */
extern const char *const cli_flow_words[],
    *const cli_credit_words[], *const cli_scope_words[], *const cli_queues_words[],
                                                             *const cli_read_words[],
                                                                 *const cli_pool_rule_words[];

/* --mem, and setting the context's limit by it (it is part of cli_solver_options). */
extern struct poptOption cli_memory_options[];
swq_status cli_memory_read(swq_context *ctx);

/* ---- the spec of a network ---- */

/* --topology, --stages, --load, --traffic, sources and priorities, with cli_switch_options. */
extern struct poptOption cli_network_options[];

/* What they say, checked. The arrays are the caller's to free by cli_network_clear. */
typedef struct cli_network {
    cli_spec spec;
    swq_network network;
    uint32_t nodes;
    const char *traffic; /* as given */
    double *matrix, *node_load;
    swq_trace_packet *trace;
} cli_network;

/* --load must be given, need not be given, or may be a range (which cli_network_loads reads); 1
 * stands in where there is no single load. */
typedef enum cli_load { CLI_LOAD_GIVEN, CLI_LOAD_OPEN, CLI_LOAD_RANGE } cli_load;
swq_status cli_network_read(swq_context *ctx, cli_network *network, cli_load load);

/* The loads of --load's range, or `single`. *load, [*points], is the caller's to free(). */
swq_status cli_network_loads(swq_context *ctx, double single, double **load, int *points);

/* The network in two lines of words; `load` false: without it. */
void cli_network_print(const cli_network *network, bool load);
void cli_network_clear(cli_network *network);

/* {"topology":..,"buffer":..,...} */
cJSON *cli_json_network(const cli_network *network);

/* The words of --priority and --sources, by enum value. */
extern const char *const cli_support_words[], *const cli_source_words[];

/* The words of --priority-queues. */
extern const char *const cli_high_queues_words[];

/* The words of --reduce. */
extern const char *const cli_reduce_words[];

/* The options that say how to solve. */
extern struct poptOption cli_solver_options[];

/* Is any of them given that says more than whether to reduce, and the memory? */
bool cli_solver_given(void);

/* Reads them, and sets the context's memory limit. */
swq_status cli_solver_read(swq_context *ctx, swq_exact_options *options);

/* switchq solve --exact, in cli/rational.c; `target`: --target is given. Returns the exit status.
 */
int cli_solve_exact(swq_context *ctx, bool target, bool as_json, bool as_csv);

/* ---- a chain from files, in place of a switch ---- */

/* --chain and what goes with it; was --chain given; read, solve and print. Errors of input: a
 * message, and the exit status. */
extern struct poptOption cli_chain_options[];
bool cli_chain_given(void);
swq_status cli_chain_options_alone(swq_context *ctx); /* without it, an error */
int cli_solve_chain(swq_context *ctx, bool json, bool csv);

/* ---- single packets: --delay, --losses, --tail ---- */

/* Was one of them given; answer them (SWQ_ECONVERGE comes with answers); add them to a JSON tree,
 * or print them as text; free them. */
extern struct poptOption cli_packets_options[];
bool cli_packets_asked(void);
swq_status cli_packets_solve(swq_context *ctx, const swq_switch *sw, const swq_exact_options *how);
void cli_packets_json(cJSON *tree, int ports);
void cli_packets_print(int ports);
void cli_packets_clear(swq_context *ctx);

/* ---- output ---- */

/* A progress line is on the terminal; cli_clear_progress wipes it before anything else is printed.
 */
extern bool cli_progress_shown;
void cli_clear_progress(void);

/* What watches the context when there is a terminal; arg is &cli_progress_shown. */
void cli_show_progress(void *arg, const char *stage, double done, double total);

/* The shortest decimal, from 15 digits on, that reads back as exactly this number. Returns text. */
const char *cli_number_text(double value, char text[40]);

/* Add a number to a JSON object, exactly; null if it is not finite. */
void cli_json_number(cJSON *object, const char *key, double value);

/* A comma, and the number in CSV behind others; nothing for what is not finite. */
void cli_csv_number(double value);

/* An array of such numbers. */
cJSON *cli_json_numbers(const double *value, int count);

/* {"buffer":..,"ports":..,...}: the model as all commands show it. */
cJSON *cli_json_model(const cli_spec *spec);

/* Print a figure with as many digits as are proven, at most 15, and how far it may be off. */
void cli_print_mean(const char *name, const swq_mean *mean, const char *unit);

/* Print a JSON tree (NULL: it could not be built) to stdout and free it. */
swq_status cli_json_print(swq_context *ctx, cJSON *tree);

/* Flush standard output. Errors: SWQ_EIO. */
swq_status cli_flush(swq_context *ctx);

#endif
