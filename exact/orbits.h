/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers for states, the same number for all states that the symmetry of a rational spec
 * exchanges. Deliberately independent of models/, and simple: every permutation is tried on every
 * new state.
 */
#ifndef SWQ_EXACT_ORBITS_H
#define SWQ_EXACT_ORBITS_H

#include "exact/rational_chain.h"
#include "models/state.h"

enum { SWQ_ORBITS_PORTS = 4 /* with more, there are too many permutations to try them all */ };

typedef struct swq_renaming {
    uint8_t input[SWQ_ORBITS_PORTS], output[SWQ_ORBITS_PORTS]; /* input i becomes input[i] */
} swq_renaming;

typedef struct swq_renamings {
    int count; /* 0: no reduction */
    swq_renaming *one;
} swq_renamings;

/* Find all renamings that preserve loads and destinations; none without `reduce`, beyond
 * SWQ_ORBITS_PORTS, or if the arbiter distinguishes or remembers ports. input_class[i] is the
 * smallest input to which they move input i. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_renamings_find(swq_context *ctx, const swq_rational_spec *spec,
                              const swq_layout *layout, bool reduce, swq_renamings *renamings,
                              int *input_class);

/* A set of states, numbered in the order in which they are added. */
typedef struct swq_state_set {
    int words;
    int64_t count, room, slots;
    swq_word *state; /* [room * words] */
    int32_t *orbit;  /* [room]: the state's number in the set of representatives */
    int32_t *slot;   /* open addressing: number + 1, or 0 */
} swq_state_set;

/* Two sets: every state seen, and one of each orbit. */
typedef struct swq_orbits {
    const swq_renamings *renamings;
    const swq_layout *layout;
    swq_state_set met, kept;
    swq_word *work; /* [2 * words] */
} swq_orbits;

swq_status swq_orbits_init(swq_context *ctx, swq_orbits *orbits, const swq_layout *layout,
                           const swq_renamings *renamings);
void swq_orbits_clear(swq_context *ctx, swq_orbits *orbits);

/* The number of a state's orbit. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_orbits_number(swq_context *ctx, swq_orbits *orbits, const swq_word *state,
                             int32_t *number);

static inline const swq_word *swq_orbits_state(const swq_orbits *o, int64_t number)
{
    return o->kept.state + number * o->kept.words;
}

#endif
