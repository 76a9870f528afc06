/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The instances of the kernel: a function for each kind of buffer, number of ports and form of
 * queues. Included by the files that compile those of one arbiter for one instruction set each.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_INSTANCES_H
#define SWQ_SIM_SYNC_FAST_INSTANCES_H

#include "sim/sync/fast/fast.h"
#include "sim/sync/fast/kernel.h"

/* A function for each kind of buffer, number of ports and form of queues; the file that includes
 * this defines WAY. */
#define INSTANCE(kind, name, n, q, w, b, p, e)                                                     \
    static void kind##_##name(swq_net *net, int stage)                                             \
    {                                                                                              \
        transmit(net, stage,                                                                       \
                 (shape){.by = WAY,                                                                \
                         .ports = (n),                                                             \
                         .queues = (q),                                                            \
                         .word = (w),                                                              \
                         .bits = (b),                                                              \
                         .pieces = (p),                                                            \
                         .each = (e)});                                                            \
    }
#define INSTANCES(name, n, w, b) INSTANCES_OF(name, n, w, b, w)
/* The same with another form of those whose queues share slots. */
#define INSTANCES_OF(name, n, w, b, shared)                                                        \
    INSTANCE(fifo, name, n, 1, w, b, false, false)                                                 \
    INSTANCE(damq, name, n, n, shared, b, false, false)                                            \
    INSTANCE(dafc, name, n, n, shared, b, false, true)                                             \
    INSTANCE(samq, name, n, n, w, b, true, false)                                                  \
    INSTANCE(safc, name, n, n, w, b, true, true)
#define ROW(name)                                                                                  \
    {                                                                                              \
        fifo_##name, damq_##name, dafc_##name, samq_##name, safc_##name                            \
    }

#endif
