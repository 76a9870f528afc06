/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What no architecture with stores of its own takes.
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_SWITCHES_CHECK_H
#define SWQ_SIM_SWITCHES_CHECK_H

#include "switchq/async.h"

/* Refuses options that no architecture with stores of its own supports. Errors: SWQ_EINVAL naming
 * the option. */
swq_status swq_stores_check(swq_context *ctx, const swq_async *spec, const swq_fabric *fabric);

#endif
