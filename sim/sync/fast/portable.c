/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine for any machine.
 * Room: sim.
 */
#define TRANSMIT     swq_rotating_portable
#define SOURCE_TABLE swq_sources_portable
#include "sim/sync/fast/rotating_instances.h"
