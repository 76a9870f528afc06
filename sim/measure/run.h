/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A simulation by any engine: replications on threads, until length or precision is reached.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_RUN_H
#define SWQ_SIM_MEASURE_RUN_H

#include "sim/measure/replication.h"

/* What an engine gives to have a spec run. */
typedef struct swq_engine {
    void *arg;    /* of the functions */
    double bytes; /* that one replication's system will take */
    /* Make the system of a replication, numbered from 0: empty, at cycle 0. */
    swq_status (*make)(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system);
    /* Read what else the systems have to tell, or find fault with them. All replications are there,
     * ended, in order; `result` is complete but for times and what is beside it. NULL: nothing. */
    swq_status (*read)(swq_context *ctx, void *arg, const swq_replication *replication,
                       int replications, const swq_sim_result *result);
} swq_engine;

/* Check the options for a network of that many nodes. Errors: SWQ_EINVAL naming the parameter. */
swq_status swq_run_check(swq_context *ctx, const swq_sim_options *options, uint32_t nodes);

/* May so many networks, which take so many bytes together, be made? Errors: SWQ_ELIMIT. */
swq_status swq_run_check_memory(swq_context *ctx, double bytes, int replications);

/* Make all systems, warm up, measure, collect. Spec and options have been checked. Errors: as
 * swq_sim_run; those of make and read. *result is left alone then. */
swq_status swq_run(swq_context *ctx, const swq_engine *engine, const swq_sim_options *options,
                   swq_sim_result *result);

#endif
