/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of a network of lanes: read by spec.c, and searched for circles by dependencies.c.
 */
#ifndef SWQ_SIM_WORMHOLE_SPEC_H
#define SWQ_SIM_WORMHOLE_SPEC_H

#include "sim/switches/wormhole/worms.h"
#include "switchq/async.h"

/* The plan of the worms of a spec, on its fabric. */
swq_worm_plan swq_worm_plan_of(const swq_async *spec, const swq_fabric *fabric);

/* Errors: SWQ_EINVAL naming the option, its value and what is allowed; SWQ_ELIMIT for too many
 * buffers. */
swq_status swq_worms_check(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

/* Is there a circle of lanes that wait for one another, or is the network too large to tell? Has a
 * circle been found, and which is it, in words? */
bool swq_worms_may_deadlock(const swq_async *spec);
bool swq_worms_circle(const swq_async *spec, char *text, size_t size);

#endif
