/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dice: where a switch rule makes its random choices. A rule is written once, as a procedure that
 * throws dice; the state-graph generator runs it over *every* outcome with its probability, and a
 * simulator runs it over *one* random outcome. The two cannot drift apart.
 *
 *     swq_dice_begin_enumeration(&dice);
 *     do {
 *         outcome = rule(state, &dice);          throws dice as often as it likes
 *         record(outcome, dice.probability);     the probabilities of all outcomes sum to one
 *     } while (swq_dice_next(&dice));
 */
#ifndef SWITCHQ_DICE_H
#define SWITCHQ_DICE_H

#include <gsl/gsl_rng.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_DICE_DEPTH = 512 /* most throws in one pass of a rule that is enumerated */
};

/* Read `probability` after a pass: the product of the weights thrown, 1 when sampling. It is a long
 * double so that the rounding of fair throws is negligible where long double has more digits than
 * double. `loaded` is the number of loaded throws in it. The rest is private. */
typedef struct swq_dice {
    long double probability;
    gsl_rng *rng; /* not NULL: sampling; owned by the caller */
    int loaded;   /* loaded throws in this pass */
    int throws;   /* throws in this pass */
    int depth;    /* throws recorded from the previous pass */
    int deepest;  /* most throws in any pass since the beginning */
    struct {
        int face, faces;
        const double *weight; /* NULL: fair */
    } stack[SWQ_DICE_DEPTH];
} swq_dice;

/* Start to enumerate all outcomes. */
void swq_dice_begin_enumeration(swq_dice *dice);

/* After a pass: prepare the next outcome; false when all have been enumerated. A loaded throw must
 * get the same array, with the same content, whenever the throws before it had the same faces. */
bool swq_dice_next(swq_dice *dice);

/* From now on, draw single outcomes from rng (owned by the caller). */
void swq_dice_begin_sampling(swq_dice *dice, gsl_rng *rng);

/* A fair throw: 0 .. faces-1, faces >= 1. A die with one face is not recorded and costs nothing. */
int swq_dice_fair(swq_dice *dice, int faces);

/* A loaded throw: face f with probability weight[f] >= 0; the weights sum to one. A face of weight
 * zero never comes up. `weight` must stay valid until the enumeration ends. */
int swq_dice_loaded(swq_dice *dice, const double *weight, int faces);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
