/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one search for saturation: where a network of any engine delivers most, and up to which load
 * its open sources are served in full.
 */
#ifndef SWQ_SIM_MEASURE_SATURATION_H
#define SWQ_SIM_MEASURE_SATURATION_H

#include "sim/measure/bracket.h"

/* A network of some engine, whose load can be changed. */
typedef struct swq_loaded {
    void *arg;
    bool falls; /* the throughput may fall beyond saturation, so that its highest is sought, too */
    /* Runs the network at full load, keeps the result, and gives access to its part that all
     * engines have. */
    swq_status (*full)(swq_context *ctx, void *arg, const swq_sim_options *options,
                       swq_sim_result **result);
    /* Runs it with the load of all senders, on any thread; only if the throughput may fall. */
    swq_status (*run)(swq_context *ctx, void *arg, double load, const swq_sim_options *options,
                      swq_sim_result *result);
    /* Finds the bracket with open sources (swq_bracket_find). */
    swq_status (*bracket)(swq_context *ctx, void *arg, const swq_sim_options *options,
                          double resolution, swq_bracket *bracket);
} swq_loaded;

/* The options of runs in which backlogs are judged: of the same length, without details. */
swq_sim_options swq_judging_options(const swq_sim_options *options);

/* Errors: SWQ_EINVAL for a resolution that is not above 0 and at most 0.5. */
swq_status swq_saturation_check(swq_context *ctx, double resolution);

/* Searches; the number of threads changes no answer. Cancelled, returns what was found by then,
 * with `interrupted` and the result at full load stopped by SWQ_STOP_INTERRUPTED. Errors: those of
 * the functions of the network. */
swq_status swq_saturation_find(swq_context *ctx, const swq_loaded *network,
                               const swq_sim_options *options, const swq_search *search,
                               swq_saturation *saturation);

#endif
