/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches of up to 64 ports.
 */
enum { WORDS = 1 };
#include "sim/switches/atlas/turn.h"

void swq_cells_turn(swq_cells *c)
{
    cycle(c);
}
