/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of switches of more ports.
 */
#include "base/port_set.h"
enum { WORDS = SWQ_PORT_SET_WIDE };
#include "sim/switches/recn/turn.h"

const swq_recn_form swq_recn_wide = {.words = WORDS, .turn = turn_all};
