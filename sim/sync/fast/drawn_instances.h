/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions for random arbitration of one instruction set: included by the files that define
 * TRANSMIT, the name of their table. With FEW_FORMS most numbers of ports share a form, which is
 * compiled in less time.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_DRAWN_INSTANCES_H
#define SWQ_SIM_SYNC_FAST_DRAWN_INSTANCES_H

#define WAY DRAWN
#include "sim/sync/fast/instances.h"

INSTANCES(4_short, 4, 16, 2)
INSTANCES(n_short, net->ports, 16, 6)
INSTANCES(n_word, net->ports, 64, 6)
INSTANCES(n_list, net->ports, 0, 6)

#ifdef FEW_FORMS
const swq_fast_table TRANSMIT = {
    .transmit = {{ROW(n_short), ROW(4_short), ROW(n_short), ROW(n_short)},
                 {ROW(n_word), ROW(n_word), ROW(n_word), ROW(n_word)},
                 {ROW(n_list), ROW(n_list), ROW(n_list), ROW(n_list)}},
};
#else
INSTANCES(2_short, 2, 16, 1)
INSTANCES(4_word, 4, 64, 2)

const swq_fast_table TRANSMIT = {
    .transmit = {{ROW(2_short), ROW(4_short), ROW(n_short), ROW(n_short)},
                 {ROW(n_word), ROW(4_word), ROW(n_word), ROW(n_word)},
                 {ROW(n_list), ROW(n_list), ROW(n_list), ROW(n_list)}},
};
#endif

#endif
