/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs that all outputs can read at once, so that each output chooses by itself: hipiqs,
 * crosspoint and multi-buffer. Their state; their cycle is in turn.h.
 */
#ifndef SWQ_SIM_SWITCHES_HIPIQS_CHOOSING_H
#define SWQ_SIM_SWITCHES_HIPIQS_CHOOSING_H

#include "sim/frame/net.h"
#include "sim/switches/hipiqs/banks.h"
#include "sim/switches/hipiqs/flits.h"

typedef struct swq_choosing {
    bool by_output;    /* each queue is for one output; else the queues are FIFOs */
    bool shared;       /* the queues of an input share its memory; else each has its own part */
    bool drawn;        /* an output chooses among the inputs at random; else they take turns */
    uint32_t chunk;    /* flits of a chunk */
    uint32_t fifo;     /* flits at a crosspoint, in addition to the memory */
    uint32_t capacity; /* chunks of an input's memory, or of a queue's part */
    uint32_t reserved; /* chunks reserved for each queue */
    uint32_t behind_fifo, behind_queue; /* extra cycles of a packet behind flits in the FIFO at its
                                           crosspoint, and in the memory */
    swq_flit_queue *queue;              /* [inputs * queues] */
    /* [inputs] set of the queues that may hold flits; in switches of more than 32 ports wide_held
     */
    uint32_t *held;
    swq_wide_set *wide_held;
    uint32_t *need;    /* [inputs] flits of the shortest packet that found no room; 0: none */
    uint32_t *routed;  /* [inputs], by output: flits of packets bound for the output that have not
                          begun to leave */
    uint16_t *pointer; /* [inputs], as outputs: the input or FIFO that comes first */
    uint8_t *output;   /* [parcels] the output for which the packet is bound */
    /* if outputs take turns at the banks, else NULL: */
    swq_bank_queue *banked; /* [inputs * queues] */
    uint32_t *passed;       /* [inputs] the cycle up to which their banks have been followed */
    uint8_t *next_reader;   /* [inputs] the output that comes first */
    /* of the measured cycles: chunks begun, cycles that outputs waited for them, flits that left,
       and gaps inside packets */
    uint64_t turns, waits, left, gaps;
    /* samples of the measured cycles */
    uint64_t samples, taken, partly, unfilled;
    uint32_t most_partly;
} swq_choosing;

static inline swq_choosing *swq_choosing_of(const swq_async_net *net)
{
    return swq_own_state(net);
}

extern const swq_kernel swq_kernel_choosing, swq_kernel_choosing_wide;

#endif
