/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine for any machine.
 * Room: sim.
 */
#define SWQ_FAST_TABLE swq_fast_portable
#include "sim/sync/fast/instances.h"
