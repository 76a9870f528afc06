/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of specs that architectures share, and what no architecture with stores of its own takes.
 */
#ifndef SWQ_SIM_SWITCHES_CHECK_H
#define SWQ_SIM_SWITCHES_CHECK_H

#include "switchq/async.h"

/* Refuses options that no architecture with stores of its own supports. Errors: SWQ_EINVAL naming
 * the option. */
swq_status swq_stores_check(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

/* Is the number `what` of a spec in its range? Errors: SWQ_EINVAL naming the option. */
swq_status swq_check_whole(swq_context *ctx, const char *what, int value, int least, int most);

/* Fails, since the row `name` that the option `what` chooses is not for the spec's architecture,
 * and says why. */
swq_status swq_architecture_refuse(swq_context *ctx, const swq_async *spec, const char *what,
                                   const char *name, const char *why);

#endif
