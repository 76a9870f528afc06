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
    SWQ_SYMMETRY_PORTS = 5 /* more ports have too many permutations to try them all */
};

typedef struct swq_permutation {
    uint8_t input[SWQ_MAX_PORTS];  /* input i becomes input[i] */
    uint8_t output[SWQ_MAX_PORTS]; /* output j becomes output[j] */
} swq_permutation;

typedef struct swq_symmetry {
    int order;                /* 1: no symmetry but the identity */
    swq_permutation *element; /* [order], the identity first */
    int tried;                /* so many of them are tried for a canonical form ... */
    bool sorted;              /* ... and each image's inputs sorted within their classes */
    uint8_t input_class[SWQ_MAX_PORTS]; /* smallest input that the group carries input i to */
} swq_symmetry;

/* Find the group of *sw; just the identity when `wanted` is false, when the arbiter tells ports
 * apart, or beyond SWQ_SYMMETRY_PORTS. Errors: SWQ_ENOMEM, SWQ_ELIMIT. O((n!)^2 n^2). */
swq_status swq_symmetry_find(swq_context *ctx, const swq_switch *sw, bool wanted,
                             swq_symmetry *symmetry);
void swq_symmetry_clear(swq_context *ctx, swq_symmetry *symmetry);

/* Replace a state by one of its orbit that is the same for all of the orbit; work[2 * words].
 * O(tried * words). */
void swq_symmetry_canonical(const swq_symmetry *symmetry, const swq_layout *layout, swq_word *state,
                            swq_word *work);

#endif
