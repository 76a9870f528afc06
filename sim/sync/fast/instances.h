/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The instances of the kernel: a function for each kind of buffer, number of ports and form of
 * queues. Included by the files that compile them for one instruction set each, which define
 * SWQ_FAST_TABLE, the name of the table. Room: sim.
 */
#include "sim/sync/fast/fast.h"
#include "sim/sync/fast/kernel.h"

/* One function for each kind of buffer, number of ports and form of queues. */
#define INSTANCE(kind, name, n, q, w, b, p, e)                                                     \
    static void kind##_##name(swq_net *net, int stage)                                             \
    {                                                                                              \
        transmit(net, stage,                                                                       \
                 (shape){.ports = (n),                                                             \
                         .queues = (q),                                                            \
                         .word = (w),                                                              \
                         .bits = (b),                                                              \
                         .pieces = (p),                                                            \
                         .each = (e)});                                                            \
    }
#define INSTANCES(name, n, w, b)                                                                   \
    INSTANCE(fifo, name, n, 1, w, b, false, false)                                                 \
    INSTANCE(damq, name, n, n, w, b, false, false)                                                 \
    INSTANCE(dafc, name, n, n, w, b, false, true)                                                  \
    INSTANCE(samq, name, n, n, w, b, true, false)                                                  \
    INSTANCE(safc, name, n, n, w, b, true, true)
#define ROW(name)                                                                                  \
    {                                                                                              \
        fifo_##name, damq_##name, dafc_##name, samq_##name, safc_##name                            \
    }

INSTANCES(2_short, 2, 16, 1)
INSTANCES(4_short, 4, 16, 2)
INSTANCES(8_short, 8, 16, 3)
INSTANCES(n_short, net->ports, 16, 6)
INSTANCES(2_word, 2, 64, 1)
INSTANCES(4_word, 4, 64, 2)
INSTANCES(8_word, 8, 64, 3)
INSTANCES(n_word, net->ports, 64, 6)
INSTANCES(4_list, 4, 0, 2)
INSTANCES(n_list, net->ports, 0, 6)

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

CREATES(4_short, 4, 16)
CREATES(n_short, net->ports, 16)
CREATES(4_word, 4, 64)
CREATES(n_word, net->ports, 64)
CREATES(n_list, net->ports, 0)

const swq_fast_table SWQ_FAST_TABLE = {
    .transmit = {{ROW(2_short), ROW(4_short), ROW(8_short), ROW(n_short)},
                 {ROW(2_word), ROW(4_word), ROW(8_word), ROW(n_word)},
                 {ROW(n_list), ROW(4_list), ROW(n_list), ROW(n_list)}},
    .create = {{CREATE_ROW(n_short), CREATE_ROW(4_short)},
               {CREATE_ROW(n_word), CREATE_ROW(4_word)},
               {CREATE_ROW(n_list), CREATE_ROW(n_list)}},
};
