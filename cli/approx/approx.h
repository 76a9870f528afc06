/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: what reading and running (approx.c), showing (show.c) and printed tables
 * (table.c) share.
 */
#ifndef SWQ_CLI_APPROX_H
#define SWQ_CLI_APPROX_H

#include "cli/options/options.h"
#include "cli/runner/runner.h"
#include "cli/spec/network.h"
#include "switchq/approx.h"

/* The simulations that --compare and --table use. */
typedef struct cli_approx_runs {
    uint64_t cycles, seed;
    int threads;
} cli_approx_runs;

/* A network, and what is known of it. */
typedef struct cli_approximation {
    cli_network n;
    const swq_approx_method *method; /* the one used */
    swq_approx_result result;
    bool compared;
    swq_sim_point simulated; /* if it was to be compared */
    bool saturation;         /* at full load, because saturation was asked for */
    double target;           /* the loss for which the slots or the load were found; 0: none */
    int memory;              /* the slots of a whole pool that meet it; 0: not sought */
    double loss_before;      /* with one size less; NAN: there is none, or the load was found */
} cli_approximation;

cli_record *cli_approx_record(const cli_approximation *a);

/* Adds the simulated value to an approximated figure: its interval or, for events that are too
 * rare, an upper bound (else NAN); and the relative error of the figure (NAN: not shown). */
void cli_remark_simulated(cli_record *field, const swq_estimate *e, double below, double off);

/* A method, as the fields of a group. */
void cli_put_method(cli_record *to, const swq_approx_method *method);

/* Prints the rows of methods: names, networks and errors. */
swq_status cli_approx_methods(swq_context *ctx, cli_format format);

/* ---- cli/approx/asked.c ---- */

extern struct poptOption cli_approx_own_options[], cli_approx_compare_options[],
    cli_approx_output_options[];

/* Reads --cycles, --seed, --threads and --mem; many: one of several questions at a time. cycles:
 * the default. */
swq_status cli_approx_read_runs(swq_context *ctx, uint64_t cycles, bool many,
                                cli_approx_runs *runs);

/* The row of --method; NULL: none was asked for. Errors: SWQ_EINVAL. */
swq_status cli_approx_method_asked(swq_context *ctx, const swq_approx_method **method);

/* What --target asks for: the loss, 0 without --target, and whether the slots or the load are to be
 * found, which must be the one that is missing. Errors: SWQ_EINVAL. */
typedef struct cli_approx_target {
    double loss;
    bool slots, load;
} cli_approx_target;
swq_status cli_approx_target_asked(swq_context *ctx, cli_approx_target *target);

/* Threads for the points of a range: of --threads, where these are simulated. */
swq_status cli_approx_threads(swq_context *ctx, int *threads);

/* A torus, a mesh or a hypercube (torus.c). */
extern const cli_question_kind cli_approx_tori;

/* --table NAME; returns the exit status. */
typedef struct cli_approx_table {
    const char *name;
    const swq_approx_method *method;
    cli_approx_runs runs;
    cli_format format;
    const char *plot; /* NULL: none */
} cli_approx_table;
int cli_approx_as_printed(swq_context *ctx, const cli_approx_table *table);

#endif
