/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of lanes with a buffer each in which a packet has one output, for links of several
 * speeds and switches of more than 64 ports: swq_worms_are_lean.
 */
#define SWQ_WORM_WORDS SWQ_WORM_WIDE
#define SWQ_WORM_PACED 1
#define SWQ_WORM_LEAN  1
#include "sim/switches/wormhole/turn.h"

void swq_worms_turn_lean_paced_wide(swq_worms *w)
{
    turn(w);
}
