/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulation by any engine: replications on threads, until length or precision is reached.
 */
#ifndef SWQ_SIM_MEASURE_RUN_H
#define SWQ_SIM_MEASURE_RUN_H

#include "sim/measure/replication.h"

/* The functions of an engine with which a spec is run. */
typedef struct swq_engine {
    void *arg;    /* of the functions below */
    double bytes; /* bytes of memory of one replication's system */
    /* Makes the system of a replication, numbered from 0: empty, at cycle 0. */
    swq_status (*make)(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system);
    /* Reads further results from the systems, or reports an error found in them. All replications
     * are given, ended, in order; `result` is complete except for times. NULL: nothing to read. */
    swq_status (*read)(swq_context *ctx, void *arg, const swq_replication *replication,
                       int replications, const swq_sim_result *result);
} swq_engine;

/* Checks the options for a network of that many nodes. Errors: SWQ_EINVAL naming the parameter. */
swq_status swq_run_check(swq_context *ctx, const swq_sim_options *options, uint32_t nodes);

/* May the networks of all replications be made, which take `bytes` bytes together? Errors:
 * SWQ_ELIMIT. */
swq_status swq_run_check_memory(swq_context *ctx, double bytes, int replications);

/* Makes all systems, runs warm-up and measurement, and collects the results. Spec and options have
 * been checked. Errors: as swq_sim_run; those of make and read. On failure *result is unchanged. */
swq_status swq_run(swq_context *ctx, const swq_engine *engine, const swq_sim_options *options,
                   swq_sim_result *result);

#endif
