/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The instances of the kernel: a function for each kind of buffer, number of ports and form of
 * queues. Included by the files that compile them for one instruction set each, which define
 * SWQ_FAST_TABLE, the name of the table. Room: sim.
 */
#include "sim/sync/fast/fast.h"
#include "sim/sync/fast/kernel.h"

/* One function for each kind of buffer, number of ports and form of queues. */
#define INSTANCE(kind, name, n, q, w, p, e)                                                        \
    static void kind##_##name(swq_net *net, int stage)                                             \
    {                                                                                              \
        transmit(net, stage,                                                                       \
                 (shape){.ports = (n), .queues = (q), .word = (w), .pieces = (p), .each = (e)});   \
    }
#define INSTANCES(name, n, w)                                                                      \
    INSTANCE(fifo, name, n, 1, w, false, false)                                                    \
    INSTANCE(damq, name, n, n, w, false, false)                                                    \
    INSTANCE(dafc, name, n, n, w, false, true)                                                     \
    INSTANCE(samq, name, n, n, w, true, false)                                                     \
    INSTANCE(safc, name, n, n, w, true, true)
#define ROW(name)                                                                                  \
    {                                                                                              \
        fifo_##name, damq_##name, dafc_##name, samq_##name, safc_##name                            \
    }

INSTANCES(2_word, 2, true)
INSTANCES(4_word, 4, true)
INSTANCES(8_word, 8, true)
INSTANCES(n_word, net->ports, true)
INSTANCES(4_list, 4, false)
INSTANCES(n_list, net->ports, false)

#define CREATE(name, n, q, w, p)                                                                   \
    static void create_##name(swq_net *net)                                                        \
    {                                                                                              \
        create(net, (shape){.ports = (n), .queues = (q), .word = (w), .pieces = (p)}, false);      \
    }                                                                                              \
    static void create_alike_##name(swq_net *net)                                                  \
    {                                                                                              \
        create(net, (shape){.ports = (n), .queues = (q), .word = (w), .pieces = (p)}, true);       \
    }
#define CREATES(name, n, w)                                                                        \
    CREATE(one_##name, n, 1, w, false)                                                             \
    CREATE(whole_##name, n, n, w, false)                                                           \
    CREATE(pieces_##name, n, n, w, true)
#define CREATE_ROW(name)                                                                           \
    {                                                                                              \
        {create_one_##name, create_alike_one_##name},                                              \
            {create_whole_##name, create_alike_whole_##name},                                      \
        {                                                                                          \
            create_pieces_##name, create_alike_pieces_##name                                       \
        }                                                                                          \
    }

CREATES(4_word, 4, true)
CREATES(n_word, net->ports, true)
CREATES(n_list, net->ports, false)

const swq_fast_table SWQ_FAST_TABLE = {
    /* words: 2, 4, 8, other ports; lists: 4, others */
    .transmit = {ROW(2_word), ROW(4_word), ROW(8_word), ROW(n_word), ROW(4_list), ROW(n_list)},
    /* words: 4, other ports; lists */
    .create = {CREATE_ROW(4_word), CREATE_ROW(n_word), CREATE_ROW(n_list)},
};
