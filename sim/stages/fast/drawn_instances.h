/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions for random arbitration of one instruction set: included by the files that define
 * TABLE, the name of their table. With FEW_FORMS most numbers of ports share a form, which is
 * compiled in less time.
 */
#ifndef SWQ_SIM_STAGES_FAST_DRAWN_INSTANCES_H
#define SWQ_SIM_STAGES_FAST_DRAWN_INSTANCES_H

#include "sim/stages/fast/drawn.h"

#define ARBITRATE draw_block
#include "sim/stages/fast/instances.h"

#ifdef FEW_FORMS
const swq_fast_arbiter TABLE = {
    {ROW(n_short, n), ROW(4_short, packed), ROW(n_short, n), ROW(n_short, n)},
    {ROW(n_word, n), ROW(n_word, n), ROW(n_word, n), ROW(n_word, n)},
    {ROW(n_list, n), ROW(n_list, n), ROW(n_list, n), ROW(n_list, n)},
};
#else
HEADS(2_short, 2, 16, true)
HEADS(4_word, 4, 64, true)
WHOLE(2, 2, 0, true)
WHOLE(4, 4, 0, true)

const swq_fast_arbiter TABLE = {
    {ROW(2_short, 2), ROW(4_short, packed), ROW(n_short, n), ROW(n_short, n)},
    {ROW(n_word, 2), ROW(4_word, 4), ROW(n_word, n), ROW(n_word, n)},
    {ROW(n_list, 2), ROW(n_list, 4), ROW(n_list, n), ROW(n_list, n)},
};
#endif

#endif
