/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the check of a switch's spec that networks need, whose traffic is not the switch's.
 */
#ifndef SWQ_MODELS_CHECKS_H
#define SWQ_MODELS_CHECKS_H

#include "models/buffers/large.h"
#include "switchq/switch.h"

/* Check a switch of up to most_ports ports, all of *sw but its loads and destinations, as
 * swq_switch_check does. Errors: SWQ_EINVAL naming the parameter, its value and what is allowed. */
swq_status swq_switch_check_rules(swq_context *ctx, const swq_switch *sw, int most_ports);

#endif
