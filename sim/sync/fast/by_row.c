/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine with arbiters that it asks by their rows. Most of the time is theirs: there is
 * one form for all numbers of ports, but for four.
 * Room: sim.
 */
#define WAY BY_ROW
#include "sim/sync/fast/instances.h"

INSTANCES_OF(4_short, 4, 16, 2, PACKED)
INSTANCES(n_short, net->ports, 16, 6)
INSTANCES(n_word, net->ports, 64, 6)
INSTANCES(n_list, net->ports, 0, 6)

const swq_fast_table swq_by_row = {
    .transmit = {{ROW(n_short), ROW(4_short), ROW(n_short), ROW(n_short)},
                 {ROW(n_word), ROW(n_word), ROW(n_word), ROW(n_word)},
                 {ROW(n_list), ROW(n_list), ROW(n_list), ROW(n_list)}},
};
