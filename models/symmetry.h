/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symmetry that a spec really has: permutations of inputs and of outputs that leave loads,
 * destinations and rules as they are. States that one of them carries into each other are equally
 * likely, so one of each orbit is enough (strong lumpability; Kemeny and Snell, 1960).
 * Room: models.
 */
#ifndef SWQ_MODELS_SYMMETRY_H
#define SWQ_MODELS_SYMMETRY_H

#include "models/state.h"

enum {
    SWQ_SYMMETRY_PORTS = 5 /* up to here every pair of permutations is looked at */
};

typedef struct swq_permutation {
    uint8_t input[SWQ_MAX_PORTS];  /* input i becomes input[i] */
    uint8_t output[SWQ_MAX_PORTS]; /* output j becomes output[j] */
} swq_permutation;

/* A group is either a product - all permutations of inputs within their classes, times all
 * permutations of outputs within theirs - or a list. */
typedef struct swq_symmetry {
    bool product;
    uint8_t input_class[SWQ_MAX_PORTS];  /* smallest input that the group carries input i to */
    uint8_t output_class[SWQ_MAX_PORTS]; /* likewise */
    double order;                        /* 1: no symmetry but the identity */
    int listed;                          /* elements listed: all, or those of a product that
                                            move outputs only, or none of a large product */
    swq_permutation *element;            /* [listed], the identity first */
    void (*rename)(int ports, const uint8_t *input, const uint8_t *output, const uint16_t *memory,
                   uint16_t *renamed); /* the arbiter's memory; NULL: none */
} swq_symmetry;

/* Find the group of *sw; just the identity when `wanted` is false. Beyond SWQ_SYMMETRY_PORTS ports
 * only ports that are exchanged for each other without moving any other are found. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. O((n!)^2 n^2) up to SWQ_SYMMETRY_PORTS, else O(n^3). */
swq_status swq_symmetry_find(swq_context *ctx, const swq_switch *sw, bool wanted,
                             swq_symmetry *symmetry);
void swq_symmetry_clear(swq_context *ctx, swq_symmetry *symmetry);

/* Of a product: the number of its permutations of n outputs, and the one of a given number, 0 being
 * the identity. */
double swq_symmetry_outputs(const swq_symmetry *symmetry, int n);
void swq_symmetry_output_permutation(const swq_symmetry *symmetry, int n, int number, uint8_t *to);

/* Replace a state by one of its orbit that is the same for all of the orbit; work[2 * words].
 * O(listed * words). For a large product only a pool's states can be had this way; a switch with a
 * buffer per input is better seen as rows (models/canon.h). */
void swq_symmetry_canonical(const swq_symmetry *symmetry, const swq_layout *layout, swq_word *state,
                            swq_word *work);

#endif
