/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions for the rotating arbiter, and for sources, of one instruction set: included by the
 * files that define TRANSMIT and SOURCE_TABLE, the names of their tables. With FEW_FORMS most
 * numbers of ports share a form, which is compiled in half the time. Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_ROTATING_INSTANCES_H
#define SWQ_SIM_SYNC_FAST_ROTATING_INSTANCES_H

#define WAY ROTATING
#include "sim/sync/fast/instances.h"

INSTANCES_OF(4_short, 4, 16, 2, PACKED)
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
INSTANCES(8_short, 8, 16, 3)
INSTANCES(2_word, 2, 64, 1)
INSTANCES(4_word, 4, 64, 2)
INSTANCES(8_word, 8, 64, 3)
INSTANCES(4_list, 4, 0, 2)

const swq_fast_table TRANSMIT = {
    .transmit = {{ROW(2_short), ROW(4_short), ROW(8_short), ROW(n_short)},
                 {ROW(2_word), ROW(4_word), ROW(8_word), ROW(n_word)},
                 {ROW(n_list), ROW(4_list), ROW(n_list), ROW(n_list)}},
};
#endif

#define CREATE(name, n, q, w, p)                                                                   \
    static void create_##name(swq_net *net)                                                        \
    {                                                                                              \
        create(net, (shape){.ports = (n), .queues = (q), .word = (w), .pieces = (p)}, false);      \
    }                                                                                              \
    static void create_alike_##name(swq_net *net)                                                  \
    {                                                                                              \
        create(net, (shape){.ports = (n), .queues = (q), .word = (w), .pieces = (p)}, true);       \
    }
#define CREATES(name, n, w, shared_w)                                                              \
    CREATE(one_##name, n, 1, w, false)                                                             \
    CREATE(whole_##name, n, n, shared_w, false)                                                    \
    CREATE(pieces_##name, n, n, w, true)
#define CREATE_ROW(name)                                                                           \
    {                                                                                              \
        {create_one_##name, create_alike_one_##name},                                              \
            {create_whole_##name, create_alike_whole_##name},                                      \
        {                                                                                          \
            create_pieces_##name, create_alike_pieces_##name                                       \
        }                                                                                          \
    }

CREATES(4_short, 4, 16, PACKED)
CREATES(n_short, net->ports, 16, 16)
CREATES(4_word, 4, 64, 64)
CREATES(n_word, net->ports, 64, 64)
CREATES(n_list, net->ports, 0, 0)

const swq_fast_sources SOURCE_TABLE = {
    .create = {{CREATE_ROW(n_short), CREATE_ROW(4_short)},
               {CREATE_ROW(n_word), CREATE_ROW(4_word)},
               {CREATE_ROW(n_list), CREATE_ROW(n_list)}},
    .redraw = redraw_alike,
    .show = show_room,
};

#endif
