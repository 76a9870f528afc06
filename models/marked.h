/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chain in which a mark is followed: of a packet from its acceptance to its departure, or of an
 * input from a loss to the next packet that it accepts. A node is a switch with its mark; the
 * symmetry of the switch also moves marks, and of all marked switches that it exchanges one is
 * kept. Rows do not sum to one: the rest is the probability that the mark has left.
 */
#ifndef SWQ_MODELS_MARKED_H
#define SWQ_MODELS_MARKED_H

#include "models/chain_parts.h"

typedef enum swq_mark {
    SWQ_MARK_PACKET, /* a packet: the mark begins when it is accepted and ends when it is sent */
    SWQ_MARK_INPUT   /* an input: the mark begins when it loses a packet and ends when it accepts
                        one */
} swq_mark;

/* Levels as in swq_chain: level 0 after transmission, level 1 after the reception of the marked
 * input (of all inputs, for a chain that is not by rows). */
typedef struct swq_marked {
    int levels;
    int64_t nodes[SWQ_CHAIN_LEVELS];
    swq_csr factor[SWQ_CHAIN_LEVELS]; /* level k to k + 1; the last leads back to level 0. For a
                                         marked input, factor[0] is the event that the input creates
                                         no packet */
    swq_csr
        enter;    /* [states of the chain * nodes of level 1] expected number of marks that begin */
    swq_csr lose; /* marked input: level 0 to 1, the cycles in which the input loses a packet */
    int leaving;  /* the level that marks leave from */
    swq_csr leave;  /* [nodes of that level * (ports * ports)]: column input * ports + output. Input
                       and output stand for their classes; output is 0 for a marked input, and input
                       is 0 for a packet in a pool, where the input is not known */
    uint8_t *input; /* [nodes of level 0] class of the marked input */
    double roundings; /* relative error of a cycle's entries, as in swq_product */
} swq_marked;

/* Can this chain be marked? If not, the chain of the same switch without reduction can. */
bool swq_can_mark(const swq_chain *chain, swq_mark mark);

/* Mark a chain for which swq_can_mark is true. The caller frees with swq_marked_clear. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ERANGE, SWQ_ECANCELLED as for the chain. Cost: that of generating the
 * chain, times the places where a packet may wait (as far as the symmetry does not exchange them),
 * or ports. */
swq_status swq_mark_chain(swq_context *ctx, const swq_chain *chain, swq_mark mark,
                          swq_marked *marked);
void swq_marked_clear(swq_context *ctx, swq_marked *marked);

/* The two generators. */
swq_status swq_mark_rows(swq_context *ctx, const swq_chain *chain, swq_mark mark, swq_marked *m);
swq_status swq_mark_whole(swq_context *ctx, const swq_chain *chain, swq_mark mark, swq_marked *m);

#endif
