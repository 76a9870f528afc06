/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of one buffer with a single read port (SAMQ): the lengths of its k queues. It sends
 * from its longest queue whose output is still free when its turn comes.
 */
#ifndef SWQ_APPROX_PARTITIONED_BUFFERS_H
#define SWQ_APPROX_PARTITIONED_BUFFERS_H

#include "approx/links/partitioned/outputs.h"
#include "approx/links/partitioned/totals.h"

typedef struct buffers_chain {
    int ports, room, lengths;
    int memory;       /* of the link: 2 when it remembers whether it carried a packet */
    size_t lists;     /* multisets of k lengths */
    size_t states;    /* times memory */
    int16_t *count;   /* [lists][lengths] */
    int16_t *packets; /* [lists]: in all queues */
    /* [lists][lengths]: the list after a queue of this length got a packet, or -1 */
    int32_t *moved;
    int32_t *served;   /* [lists][lengths]: the list after a queue of this length sent, or -1 */
    double carries[2]; /* P(the link carries a packet), by whether it did in the cycle before */
} buffers_chain;

typedef struct buffers_reading {
    double sent, packets, accepted;
    double blocked; /* fraction of the cycles with packets in which the buffer sends none */
} buffers_reading;

swq_status buffers_init(swq_context *ctx, int ports, int room, outputs_link link,
                        buffers_chain *chain);
void buffers_clear(swq_context *ctx, buffers_chain *chain);

/* Do one cycle, and then balance the totals: next = p P, scaled. taken[q * lengths + n]: the odds
 * that the output of a queue of length n has been taken by one of the q buffers visited before,
 * relative to the output of an empty queue. Measures gives (see outputs_step) and free[q * lengths
 * + n]: P(the output of a queue of length n is free at place q). `after` is scratch for
 * [states]. */
void buffers_step(const buffers_chain *chain, const double *p, const double *taken, double *next,
                  double *gives, double *free, double *after, totals_flow *totals,
                  buffers_reading *reading);

#endif
