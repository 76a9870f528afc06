/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the fast engine, which are compiled for many forms of networks: an arbiter lists the
 * packets of a block of switches that may leave, then a mover moves them. An arbiter works with any
 * mover, and a mover with any arbiter, so that each is compiled once. transmit.c calls them;
 * choose.c finds the arbiter and the mover for a network.
 */
#ifndef SWQ_SIM_SYNC_FAST_H
#define SWQ_SIM_SYNC_FAST_H

#include "sim/stages/net.h"

enum {
    SWQ_BLOCK_SWITCHES = 64 /* number of switches that are arbitrated before their packets
                               move */
};
enum { SWQ_SLACK = 8 /* elements that may be written beyond the last one of a list */ };

/* A packet about to leave a stage: its buffer, counted within the stage, and in the lowest bits
 * its output. With 2, 4 or 8 ports and a queue for each this equals the number of its queue. */
typedef uint32_t swq_leaving;

/* How many bits the output takes. */
static inline int swq_output_bits(int ports)
{
    return ports == 2 ? 1 : ports == 4 ? 2 : ports == 8 ? 3 : 6;
}

/* Counts of inputs, to which arbiters add. */
struct swq_input_count {
    uint64_t busy, sending; /* inputs that hold packets, and inputs that send */
};

/* The functions that move the packets of a list, [n], out of their buffers. */
typedef struct swq_mover {
    /* to the sinks, counted in the first cell */
    void (*deliver)(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list, int n);
    /* to an array of packets, [n] */
    void (*take)(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list, int n,
                 swq_packet *taken);
    /* to the next stage, which has room for all of them */
    void (*move)(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list, int n);
    /* to the next stage, which discards packets for which it has no room; returns the number of
     * discarded packets */
    int (*offer)(swq_net *net, const swq_stage_wiring *at, const swq_leaving *list, int n);
} swq_mover;

/* The form of a queue: a word of 16 bits, one of 64 bits, or a list. */
enum { SWQ_SHORT_FORM, SWQ_WORD_FORM, SWQ_LIST_FORM, SWQ_FORMS };

/* By form and ports, 2, 4, 8 or others: an arbiter's functions for fifo, damq, dafc, samq, safc.
 * For the rotating arbiter, for the random one, and for any other. */
typedef swq_block_fn *const swq_fast_arbiter[SWQ_FORMS][4][5];
extern const swq_fast_arbiter swq_rotating_portable, swq_rotating_avx2, swq_drawn_portable,
    swq_drawn_avx2, swq_by_row;

typedef struct swq_fast_moves {
    /* by form and ports, as above: buffers with one queue, with queues that share slots, and with
     * queues that have slots of their own */
    swq_mover mover[SWQ_FORMS][4][3];
    /* by form, ports (others, 4) and kinds as in `mover`: the sources' turn, where destinations
     * are drawn in any way, and where they are all alike */
    swq_sources_fn *create[SWQ_FORMS][2][3][2];
    swq_sources_fn *redraw; /* all alike: draws the next packets again */
    swq_stage_fn *show;     /* packed buffers: sets seen_room of a stage */
} swq_fast_moves;

extern const swq_fast_moves swq_moves_portable, swq_moves_avx2;

#endif
