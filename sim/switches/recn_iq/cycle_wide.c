/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of RECN-IQ in switches of more than 64 ports.
 */
#include "base/port_set.h"
enum { WORDS = SWQ_PORT_SET_WIDE };
#include "sim/switches/recn_iq/turn.h"

const swq_iq_form swq_iq_wide = {
    .unit_words = sizeof(iq_unit) / sizeof(uint64_t), .empty = empty_units, .turn = turn_all};
