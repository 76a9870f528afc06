/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turn of all plans, for links of several speeds and switches of more than 64 ports.
 */
#define SWQ_WORM_WORDS SWQ_WORM_WIDE
#define SWQ_WORM_PACED 1
#define SWQ_WORM_LEAN  0
#include "sim/switches/wormhole/turn.h"

void swq_worms_turn_paced_wide(swq_worms *w)
{
    turn(w);
}
