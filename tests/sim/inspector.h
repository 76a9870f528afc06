/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An inspector of asynchronous networks: told of every transmission that begins, it keeps books of
 * its own and asserts that the rules of docs/asynchronous.md allow it, and, going through every
 * cycle, that nothing that could have been sent was left. Who of several is to send it does not
 * know. Beside it, short ways to specs, and a log of transmissions.
 */
#ifndef SWQ_TESTS_SIM_INSPECTOR_H
#define SWQ_TESTS_SIM_INSPECTOR_H

#include "switchq/async.h"
#include "tests/sim/samples.h"

typedef struct inspector inspector;

/* Inspects one run of that spec. `what` is printed in failures. Free with inspector_free. */
inspector *inspector_new(const swq_async *network, uint32_t warmup, const char *what);

/* A swq_async_watch's `started`, `arg` being the inspector. */
void inspector_started(void *arg, const swq_start *start);

/* The run ended before that cycle: inspects the cycles up to it, and compares the result with what
 * was seen. */
void inspector_finish(inspector *inspector, uint32_t end, const swq_async_result *result);

/* Removes all packets that might ever be sent: those whose next buffer is a node, or has room once
 * the packets removed before are gone. Since nothing better can happen to those that are left, they
 * wait for ever. Returns their number. Afterwards the inspector can only be used for
 * inspector_holds. */
uint64_t inspector_drain(inspector *inspector);

/* Does that queue of an input port hold packets? */
bool inspector_holds(const inspector *inspector, uint32_t port, int class);

void inspector_free(inspector *inspector);

/* ---- logs ---- */

typedef struct start_log {
    swq_start *at;
    size_t count, space;
} start_log;

/* A callback for `started`, which appends; free(log->at) afterwards. */
void log_start(void *arg, const swq_start *start);

/* ---- specs ---- */

/* Rows by name. */
swq_shape shape_in_stages(const char *wiring, int ports, int stages);
swq_shape shape_of_grid(const char *kind, int dims, int extent); /* all extents equal */

/* The dissertation's switches with that many bytes in that buffer. */
swq_async async_network(swq_shape shape, const char *buffer, int bytes);

uint32_t nodes_of(const swq_async *network);

/* Runs it, asserting success and the invariants that hold in every run. */
swq_async_result run_async(const swq_async *network, const swq_sim_options *options,
                           swq_async_watch *watch);

/* Runs one replication without a warm-up, checked by an inspector. */
swq_async_result run_inspected(const swq_async *network, uint64_t cycles, const char *what);

/* Runs a trace to its end and keeps all transmissions. */
start_log run_logged(const swq_async *network, uint64_t cycles, swq_async_result *result);

static inline swq_spread constantly(double value)
{
    return (swq_spread){SWQ_CONSTANT, value, 0};
}

#endif
