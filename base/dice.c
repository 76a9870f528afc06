/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Enumeration by replay: the record of a pass is a stack of throws; the next pass repeats all but
 * the last throw that still has a face to show. Depth-first, without recursion or memory.
 */
#include "switchq/dice.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

void swq_dice_begin_enumeration(swq_dice *dice)
{
    dice->probability = 1;
    dice->rng = NULL;
    dice->loaded = dice->throws = dice->depth = dice->deepest = 0;
}

void swq_dice_begin_sampling(swq_dice *dice, gsl_rng *rng)
{
    swq_dice_begin_enumeration(dice);
    dice->rng = rng;
}

/* The first face from `face` on whose weight is not zero; `faces` if there is none. */
static int possible_face(const double *weight, int face, int faces)
{
    while (weight && face < faces && weight[face] <= 0)
        face++;
    return face;
}

bool swq_dice_next(swq_dice *dice)
{
    dice->probability = 1;
    dice->depth = dice->throws;
    dice->throws = dice->loaded = 0;
    while (dice->depth > 0) {
        int top = dice->depth - 1;
        int face = possible_face(dice->stack[top].weight, dice->stack[top].face + 1,
                                 dice->stack[top].faces);
        if (face < dice->stack[top].faces) {
            dice->stack[top].face = face;
            return true;
        }
        dice->depth--;
    }
    return false;
}

static int enumerate(swq_dice *dice, const double *weight, int faces)
{
    int at = dice->throws++;
    assert(at < SWQ_DICE_DEPTH);
    if (at == dice->depth) {
        dice->stack[at].face = possible_face(weight, 0, faces);
        dice->stack[at].faces = faces;
        dice->stack[at].weight = weight;
        dice->depth++;
        if (dice->depth > dice->deepest)
            dice->deepest = dice->depth;
    }
    int face = dice->stack[at].face;
    dice->probability *= weight ? (long double)weight[face] : 1.0L / faces;
    dice->loaded += weight != NULL;
    return face;
}

/* The face that gsl_rng_uniform_int draws: a random word divided by (2^32 - 1) / faces, and another
 * word if the quotient is `faces` or more. For a word of 32 bits the product of word and faces
 * gives the same face without a division, unless the product is within faces^2 below a multiple of
 * 2^32. */
static int draw_fair(gsl_rng *rng, uint32_t faces)
{
    enum { FEW = 1 << 15 };

    const gsl_rng_type *type = rng->type;
    if (type->min != 0 || type->max != UINT32_MAX || faces > FEW)
        return (int)gsl_rng_uniform_int(rng, faces);
    for (;;) {
        const uint32_t word = (uint32_t)type->get(rng->state);
        const uint64_t product = (uint64_t)word * faces;
        if ((uint32_t)product < (uint32_t) - (faces * faces))
            return (int)(product >> 32);
        const uint32_t face = word / (UINT32_MAX / faces);
        if (face < faces)
            return (int)face;
    }
}

int swq_dice_fair(swq_dice *dice, int faces)
{
    if (faces <= 1) {
        assert(faces == 1);
        return 0;
    }
    if (dice->rng)
        return draw_fair(dice->rng, (uint32_t)faces);
    return enumerate(dice, NULL, faces);
}

int swq_dice_loaded(swq_dice *dice, const double *weight, int faces)
{
    if (!dice->rng)
        return enumerate(dice, weight, faces);
    double u = gsl_rng_uniform(dice->rng);
    int last = 0;
    for (int face = 0; face < faces; face++) {
        if (weight[face] <= 0)
            continue;
        last = face;
        if (u < weight[face])
            break;
        u -= weight[face];
    }
    return last; /* rounding may leave u just above the last weight */
}
