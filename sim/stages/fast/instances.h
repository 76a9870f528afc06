/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of one arbiter, for each kind of buffer, number of ports and form of queues that it
 * distinguishes; the file that includes this defines ARBITRATE, which arbitrates a block. Where
 * queues share their slots, an arbiter has one form for all forms of queues except packed ones.
 */
#ifndef SWQ_SIM_STAGES_FAST_INSTANCES_H
#define SWQ_SIM_STAGES_FAST_INSTANCES_H

#include "sim/stages/fast/shape.h"

SWQ_INLINE int arbitrate_form(swq_net *net, const swq_stage_wiring *wiring, shape s, uint32_t first,
                              uint32_t end, swq_input_count *count, swq_leaving *list)
{
    const swq_stage_wiring at = *wiring; /* a local one, as `view` is */
    const view v = view_from(view_of(net), s, at.here);

    s.asks = net->blocks && at.stage < net->system.levels - 1;
    swq_input_count inputs = {0};
    const int n = s.asks ? ARBITRATE(net, v, (s.asks = true, s), &at, first, end, &inputs, list)
                         : ARBITRATE(net, v, (s.asks = false, s), &at, first, end, &inputs, list);
    count->busy += inputs.busy;
    count->sending += inputs.sending;
    return n;
}

#define INSTANCE(name, n, q, w, p, e, k)                                                           \
    static int name(swq_net *net, const swq_stage_wiring *at, uint32_t first, uint32_t end,        \
                    swq_input_count *count, swq_leaving *list)                                     \
    {                                                                                              \
        return arbitrate_form(net, at,                                                             \
                              (shape){.ports = (n),                                                \
                                      .queues = (q),                                               \
                                      .bits = swq_output_bits(n),                                  \
                                      .known = (k),                                                \
                                      .word = (w),                                                 \
                                      .pieces = (p),                                               \
                                      .each = (e)},                                                \
                              first, end, count, list);                                            \
    }
/* Functions for buffers whose heads' slots are looked up, and for buffers whose queues share
 * slots. */
#define HEADS(name, n, w, k)                                                                       \
    INSTANCE(fifo_##name, n, 1, w, false, false, k)                                                \
    INSTANCE(samq_##name, n, n, w, true, false, k)                                                 \
    INSTANCE(safc_##name, n, n, w, true, true, k)
#define WHOLE(name, n, w, k)                                                                       \
    INSTANCE(damq_##name, n, n, w, false, false, k)                                                \
    INSTANCE(dafc_##name, n, n, w, false, true, k)
#define ROW(heads, whole)                                                                          \
    {                                                                                              \
        fifo_##heads, damq_##whole, dafc_##whole, samq_##heads, safc_##heads                       \
    }

HEADS(4_short, 4, 16, true)
HEADS(n_short, net->ports, 16, false)
HEADS(n_word, net->ports, 64, false)
HEADS(n_list, net->ports, 0, false)
WHOLE(packed, 4, PACKED, true)
WHOLE(n, net->ports, 0, false)

#endif
