/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches of more than 64 ports.
 */
#include "base/port_set.h"
enum { WORDS = SWQ_PORT_SET_WIDE };
#include "sim/switches/atlas/turn.h"

void swq_cells_turn_wide(swq_cells *c)
{
    cycle(c);
}
