/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of lanes with a buffer each in which a packet has one output: swq_worms_are_lean.
 */
#define SWQ_WORM_WORDS 1
#define SWQ_WORM_PACED 0
#define SWQ_WORM_LEAN  1
#include "sim/switches/wormhole/turn.h"

void swq_worms_turn_lean(swq_worms *w)
{
    turn(w);
}
