/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A switch as the command line describes it.
 * Room: cli.
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

/* The spec that they say, checked, with the words that describe it again in output. */
typedef struct cli_spec {
    swq_switch sw;
    cli_stage_words stages; /* of the architecture; none: input-queued */
    const char *buffer;     /* its name; NULL: the architecture brings its own memory */
    swq_buffer_kind kind;   /* the preset, with what --scope, --queues and --read override */
    int slots;
    bool slots_open, load_open; /* to be found by the command */
    cli_open_size open;         /* which size slots_open is about */
    bool same_load;
    bool classes;        /* --high is given: packets of high priority are measured separately */
    const char *traffic; /* "uniform", "hotspot", "matrix" */
    double hot_fraction;
    int hot_output;
    const char *burst_word; /* as it was written; NULL: not given */
} cli_spec;

/* The row of --buffer with what --scope, --queues and --read override. */
swq_status cli_buffer_choices(swq_context *ctx, swq_buffer_kind *kind);

/* spec->kind and spec->sw.ports alone, which other options depend on. */
swq_status cli_buffer_kind_read(swq_context *ctx, cli_spec *spec);

/* Checks that --slots splits evenly among the ports when `extra` of them are not theirs. */
swq_status cli_slots_besides(swq_context *ctx, int ports, int extra);

/* The ports and the arbiter of a switch for which none are given: of a lone one, which has a chain,
 * or of those in a network. */
swq_switch cli_switch_defaults(bool lone);

/* Refuses the options of a buffer that could have any value and change nothing in this one, which
 * they made: they would mislead if they were taken silently. */
swq_status cli_buffer_idle(swq_context *ctx, const swq_buffer *buffer, int ports);

/* --iterations, unless text is NULL: for an arbiter that goes in rounds. */
swq_status cli_iterations_read(swq_context *ctx, const char *text, const swq_arbiter *arbiter,
                               int *iterations);

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

/* --pool-rule, unless text is NULL: a row of swq_pool_rules. */
swq_status cli_pool_rule_read(swq_context *ctx, const char *text, swq_pool_rule *rule);

/* The words of --flow, --credit, --scope, --queues and --read, by enum value. */
extern const char *const cli_flow_words[],
    *const cli_credit_words[], *const cli_scope_words[], *const cli_queues_words[],
                                                             *const cli_read_words[];

/* --mem, and setting the context's limit by it (it is part of cli_solver_options). */
extern struct poptOption cli_memory_options[];
swq_status cli_memory_read(swq_context *ctx);

#endif
