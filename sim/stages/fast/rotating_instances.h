/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions for the rotating arbiter of one instruction set: included by the files that define
 * TABLE, the name of their table. With FEW_FORMS most numbers of ports share a form, which is
 * compiled in half the time.
 */
#ifndef SWQ_SIM_STAGES_FAST_ROTATING_INSTANCES_H
#define SWQ_SIM_STAGES_FAST_ROTATING_INSTANCES_H

#include "sim/stages/fast/rotating.h"

#define ARBITRATE rotate_block
#include "sim/stages/fast/instances.h"

#ifdef FEW_FORMS
const swq_fast_arbiter TABLE = {
    {ROW(n_short, n), ROW(4_short, packed), ROW(n_short, n), ROW(n_short, n)},
    {ROW(n_word, n), ROW(n_word, n), ROW(n_word, n), ROW(n_word, n)},
    {ROW(n_list, n), ROW(n_list, n), ROW(n_list, n), ROW(n_list, n)},
};
#else
HEADS(2_short, 2, 16, true)
HEADS(8_short, 8, 16, true)
HEADS(2_word, 2, 64, true)
HEADS(4_word, 4, 64, true)
HEADS(8_word, 8, 64, true)
HEADS(4_list, 4, 0, true)
WHOLE(2, 2, 0, true)
WHOLE(4, 4, 0, true)
WHOLE(8, 8, 0, true)

const swq_fast_arbiter TABLE = {
    {ROW(2_short, 2), ROW(4_short, packed), ROW(8_short, 8), ROW(n_short, n)},
    {ROW(2_word, 2), ROW(4_word, 4), ROW(8_word, 8), ROW(n_word, n)},
    {ROW(n_list, 2), ROW(4_list, 4), ROW(n_list, 8), ROW(n_list, n)},
};
#endif

#endif
