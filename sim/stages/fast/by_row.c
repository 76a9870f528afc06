/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine with arbiters that it calls through their rows. Most of the time goes into the
 * arbiters, so all numbers of ports but four share one form of the engine.
 */
#include "sim/stages/fast/drawn.h"

#define ARBITRATE ask_block
#include "sim/stages/fast/instances.h"

const swq_fast_arbiter swq_by_row = {
    {ROW(n_short, n), ROW(4_short, packed), ROW(n_short, n), ROW(n_short, n)},
    {ROW(n_word, n), ROW(n_word, n), ROW(n_word, n), ROW(n_word, n)},
    {ROW(n_list, n), ROW(n_list, n), ROW(n_list, n), ROW(n_list, n)},
};
