/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq approx: what reading and running (approx.c), showing (show.c) and printed tables
 * (table.c) share.
 * Room: cli.
 */
#ifndef SWQ_CLI_APPROX_H
#define SWQ_CLI_APPROX_H

#include "cli/record/record.h"
#include "cli/spec/network.h"
#include "switchq/approx.h"

/* The simulations that --compare and --table use. */
typedef struct cli_approx_runs {
    uint64_t cycles, seed;
    int threads;
} cli_approx_runs;

/* A network at all its loads. */
typedef struct cli_approximation {
    cli_network n;
    const swq_approx_method *method; /* the one used */
    int points;
    double *load;              /* [points] */
    swq_approx_result *result; /* [points] */
    swq_sim_point *simulated;  /* [points], or NULL: not asked for */
    bool saturation;           /* one point, at full load, because saturation was asked for */
    bool interrupted;          /* the method was not applied to the points that are missing */
} cli_approximation;

cli_record *cli_approx_record(const cli_approximation *a);
swq_status cli_approx_draw(swq_context *ctx, const cli_approximation *a, const char *path);

/* Adds the simulated value to an approximated figure: its interval or, for events that are too
 * rare, an upper bound (else NAN); and the relative error of the figure (NAN: not shown). */
void cli_remark_simulated(cli_record *field, const swq_estimate *e, double below, double off);

/* A method, as the fields of a group. */
void cli_put_method(cli_record *to, const swq_approx_method *method);

/* Prints the rows of methods: names, networks and errors. */
swq_status cli_approx_methods(swq_context *ctx, cli_format format);

enum { CLI_APPROX_LOADS = 1000 /* the most */ };

/* A torus, a mesh or a hypercube (approx_torus.c); returns the exit status. */
typedef struct cli_approx_torus {
    const swq_approx_method *method; /* NULL: the best */
    cli_approx_runs runs;
    bool compare;
    cli_format format;
    const char *plot; /* NULL: none */
} cli_approx_torus;
int cli_approx_grid(swq_context *ctx, const cli_approx_torus *given);

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
