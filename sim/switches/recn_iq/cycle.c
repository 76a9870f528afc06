/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of RECN-IQ in switches of up to 64 ports.
 */
enum { WORDS = 1 };
#include "sim/switches/recn_iq/turn.h"

const swq_iq_form swq_iq_narrow = {
    .unit_words = sizeof(iq_unit) / sizeof(uint64_t), .empty = empty_units, .turn = turn_all};
