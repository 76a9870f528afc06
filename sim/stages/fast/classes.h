/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast form of switches that serve packets of high priority first.
 */
#ifndef SWQ_SIM_STAGES_FAST_CLASSES_H
#define SWQ_SIM_STAGES_FAST_CLASSES_H

#include "sim/stages/net.h"

/* For the rotating arbiter, where room depends on a part of the buffer alone. */
swq_stage_fn swq_transmit_high_first;

#endif
