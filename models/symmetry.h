/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symmetry of a spec: the permutations of inputs and of outputs that preserve loads,
 * destinations and rules. States that differ by such a permutation are equally likely, so one state
 * of each orbit is enough (strong lumpability; Kemeny and Snell, 1960).
 */
#ifndef SWQ_MODELS_SYMMETRY_H
#define SWQ_MODELS_SYMMETRY_H

#include "models/state.h"

enum {
    SWQ_SYMMETRY_PORTS = 5 /* up to here every pair of permutations is tried */
};

typedef struct swq_permutation {
    uint8_t input[SWQ_CHAIN_PORTS];  /* input i becomes input[i] */
    uint8_t output[SWQ_CHAIN_PORTS]; /* output j becomes output[j] */
} swq_permutation;

/* A group is either a product - all permutations of inputs within their classes, times all
 * permutations of outputs within theirs - or a list. */
typedef struct swq_symmetry {
    bool product;
    uint8_t input_class[SWQ_CHAIN_PORTS];  /* smallest input to which the group moves input i */
    uint8_t output_class[SWQ_CHAIN_PORTS]; /* smallest output to which the group moves output
                                            j */
    double order;                          /* number of elements; 1: only the identity */
    int listed; /* number of elements listed: all, or those of a product that move only outputs, or
                   none of a large product */
    swq_permutation *element; /* [listed], the identity first */
    void (*rename)(int ports, const uint8_t *input, const uint8_t *output, const uint16_t *memory,
                   uint16_t *renamed); /* the arbiter's memory; NULL: none */
} swq_symmetry;

/* Find the group of *sw; only the identity if `wanted` is false. Beyond SWQ_SYMMETRY_PORTS ports,
 * only exchanges of two ports that move no other port are found. Errors: SWQ_ENOMEM, SWQ_ELIMIT.
 * O((n!)^2 n^2) up to SWQ_SYMMETRY_PORTS, else O(n^3). */
swq_status swq_symmetry_find(swq_context *ctx, const swq_switch *sw, bool wanted,
                             swq_symmetry *symmetry);
void swq_symmetry_clear(swq_context *ctx, swq_symmetry *symmetry);

/* For a product: the number of its permutations of n outputs, and the permutation of a given
 * number, where 0 is the identity. */
double swq_symmetry_outputs(const swq_symmetry *symmetry, int n);
void swq_symmetry_output_permutation(const swq_symmetry *symmetry, int n, int number, uint8_t *to);

/* Replace a state by the representative of its orbit; work[2 * words]. O(listed * words). For a
 * large product this works only for a pool's states; for a switch with a buffer per input see
 * models/canon.h. */
void swq_symmetry_canonical(const swq_symmetry *symmetry, const swq_layout *layout, swq_word *state,
                            swq_word *work);

#endif
