/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of all plans.
 */
#define SWQ_WORM_WORDS 1
#define SWQ_WORM_PACED 0
#define SWQ_WORM_LEAN  0
#include "sim/switches/wormhole/turn.h"

void swq_worms_turn_general(swq_worms *w)
{
    turn(w);
}
