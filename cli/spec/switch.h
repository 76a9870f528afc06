/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch as the command line describes it.
 */
#ifndef SWQ_CLI_SPEC_SWITCH_H
#define SWQ_CLI_SPEC_SWITCH_H

#include "switchq/exact.h"

#include "cli/options/options.h"
#include "cli/print/output.h"
#include "cli/spec/stages.h"

/* The options that describe a switch, to be included in a command's option table; and the same with
 * its traffic. */
extern struct poptOption cli_switch_options[], cli_spec_options[];

/* --queue-min, --queue-max and --alpha, of a swq_buffer. */
extern cli_parameter cli_limit_parameters[];

/* The spec that the options describe, checked, with the words for its output. */
typedef struct cli_spec {
    swq_switch sw;
    const char *buffer;   /* the buffer's name; NULL: the architecture brings its own memory */
    swq_buffer_kind kind; /* the preset, with the overrides of --scope, --queues and --read */
    int slots;
    bool slots_open, load_open; /* to be found by the command */
    cli_open_size open;         /* the size that slots_open refers to */
    bool same_load;
    bool classes;        /* --high is given: packets of high priority are measured separately */
    const char *traffic; /* "uniform", "hotspot", "matrix" */
    double hot_fraction;
    int hot_output;
    const char *burst_word; /* as it was written; NULL: not given */
} cli_spec;

/* The row of --buffer, with the overrides of --scope, --queues and --read. */
swq_status cli_buffer_choices(swq_context *ctx, swq_buffer_kind *kind);

/* Reads only spec->kind and spec->sw.ports, on which other options depend. */
swq_status cli_buffer_kind_read(swq_context *ctx, cli_spec *spec);

/* Checks that --slots without `extra` of them can be divided evenly among the ports. */
swq_status cli_slots_besides(swq_context *ctx, int ports, int extra);

/* The default ports and arbiter: of a lone switch, which has a chain, or of the switches of a
 * network. */
swq_switch cli_switch_defaults(bool lone);

/* Refuses buffer options that would change nothing in this buffer, whatever their value. */
swq_status cli_buffer_idle(swq_context *ctx, const swq_buffer *buffer, int ports);

/* Reads --iterations, unless text is NULL: only for an arbiter that works in iterations. */
swq_status cli_iterations_read(swq_context *ctx, const char *text, const swq_arbiter *arbiter,
                               int *iterations);

/* Reads a probability of --exact, which may be a fraction such as 9/10, as the nearest double. */
swq_status cli_fraction(swq_context *ctx, const char *option, const char *word, double *value);

/* Reads only the switch, unchecked, into a spec that holds the defaults. extra_slots: the part of
 * --slots that does not belong to the buffer. */
swq_status cli_switch_read(swq_context *ctx, cli_spec *spec, int extra_slots);

/* With `open`, --slots or --load (not both) may be missing, for the command to find: then
 * slots_open or load_open is set, and the value is one slot per queue, or load 1. */
swq_status cli_spec_read(swq_context *ctx, cli_spec *spec, bool open);

/* Numbers as they were written: the numbers of --load, followed by the numbers of --traffic. */
typedef struct cli_words {
    char **word;
    int count, room;
    int loads; /* how many of them are loads */
} cli_words;

/* While a list is set (NULL ends it), cli_spec_read adds its probabilities to it, and accepts
 * fractions such as 9/10. */
void cli_keep_words(cli_words *words);
void cli_words_clear(cli_words *words);

/* The words of --flow, --credit, --scope, --queues and --read, by enum value. */
extern const char *const cli_flow_words[],
    *const cli_credit_words[], *const cli_scope_words[], *const cli_queues_words[],
                                                             *const cli_read_words[];

/* --mem; and sets the context's limit to it (part of cli_solver_options). */
extern struct poptOption cli_memory_options[];
swq_status cli_memory_read(swq_context *ctx);

#endif
