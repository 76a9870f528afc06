/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches of up to 64 ports, and up to 64 queues at an input.
 */
enum { WORDS = 1 };
#include "sim/switches/recn/turn.h"

const swq_recn_form swq_recn_narrow = {.words = WORDS, .turn = turn_all};
