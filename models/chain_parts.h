/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a chain, for its generators: nodes in levels and the factors between them. Level 0
 * are the states; the last factor leads back to it. Three generators fill it in: expand_whole.c
 * runs the rules on whole switches and is the definition; expand_rows.c takes switches apart into
 * rows, and expand_steps.c lets the inputs of whole switches take turns: they give the same chain
 * sooner.
 * Room: models.
 */
#ifndef SWQ_MODELS_CHAIN_PARTS_H
#define SWQ_MODELS_CHAIN_PARTS_H

#include "models/growing.h"
#include "models/intern.h"
#include "models/row.h"
#include "models/symmetry.h"
#include "switchq/chain.h"

enum { SWQ_CHAIN_LEVELS = SWQ_MOST_FACTORS };

/* Outcomes that can be gone through in a quarter of an hour or so. */
#define SWQ_MOST_OUTCOMES 1e10

/* What a reception is expected to bring, by class. */
typedef struct swq_class_rewards {
    double accepted[SWQ_CLASSES], refused[SWQ_CLASSES];
    double places[SWQ_CLASSES]; /* sum of the accepted packets' places in their queues; by_rows: 0
                                 */
} swq_class_rewards;

struct swq_chain {
    swq_switch sw;
    swq_layout layout;
    swq_symmetry symmetry;
    swq_chain_size foreseen;
    bool by_rows;           /* a node is a tuple of rows, one a port; else the words of a switch */
    bool by_steps;          /* inputs take turns in a reception; nodes are words all the same */
    bool lean;              /* see swq_chain_generate_lean */
    swq_rows rows;          /* by_rows */
    int levels, receptions; /* factors in all, and those that are part of a reception */
    swq_intern node[SWQ_CHAIN_LEVELS];
    swq_csr factor[SWQ_CHAIN_LEVELS];
    swq_csr refusals[SWQ_CHAIN_LEVELS], pairs[SWQ_CHAIN_LEVELS];
    double roundings;                 /* of the product of all factors */
    double *accepted, *refused;       /* [states * ports]; NULL if lean and by_rows */
    double *accepted_to, *refused_to; /* [states * ports] by destination; NULL if that is deferred,
                                         or by_rows, where the rows know */
    swq_class_rewards *of_class;      /* [states]; NULL for one class */
    int64_t rewards_room;             /* states allocated in the five */
};

/* swq_chain_foresee, which also hands over the symmetry that it found. */
swq_status swq_chain_foresee_symmetry(swq_context *ctx, const swq_switch *sw, bool reduce,
                                      swq_chain_size *size, swq_symmetry *symmetry);

/* swq_chain_generate for those who solve the chain and weigh its states, and no more: there are no
 * refusals of transitions, what a reception may expect is told by swq_chain_reception alone, and
 * swq_chain_find finds nothing. The caller has held the foreseen size against the limit of memory.
 */
swq_status swq_chain_generate_lean(swq_context *ctx, const swq_switch *sw, bool reduce,
                                   swq_chain **chain);

/* Of a lean chain, when it has been grouped: give back the nodes that are no states. */
void swq_chain_forget_nodes(swq_context *ctx, swq_chain *chain);

/* What a reception from a state is expected to bring by input, as in swq_chain_accepted:
 * accepted[ports] and refused[ports], of any chain. */
void swq_chain_reception(const swq_chain *chain, int64_t state, double *accepted, double *refused);

/* The same by the rows of a node; accepted and refused are zero before. */
void swq_rows_reception(const swq_chain *chain, const swq_word *node, double *accepted,
                        double *refused);

/* Fill in levels, nodes, factors and expectations. On failure the caller frees what is there. */
swq_status swq_expand_whole(swq_context *ctx, swq_chain *chain);
swq_status swq_expand_steps(swq_context *ctx, swq_chain *chain);
swq_status swq_expand_rows(swq_context *ctx, swq_chain *chain);

/* Fill in all of *slopes (see swq_chain_slopes). On failure the caller frees what is there. */
swq_status swq_slopes_whole(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);
swq_status swq_slopes_by_steps(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);
swq_status swq_slopes_by_rows(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);

/* The ways on from one node after another, by rows, with nodes that the caller adds to the chain's
 * sets: see models/share.h. Each is called with the canonical words of the node that a way leads
 * to, which are gone afterwards, and its chance. */
typedef swq_status swq_way_fn(void *arg, const swq_word *node, long double chance);
typedef struct swq_rows_walk swq_rows_walk;

/* Fill in levels and the whole table of rows of a chain that has but its switch, layout and
 * symmetry.
 */
swq_status swq_rows_walk_new(swq_context *ctx, swq_chain *chain, swq_rows_walk **walk);
void swq_rows_walk_free(swq_context *ctx, swq_rows_walk *walk);
swq_status swq_rows_walk_first(swq_rows_walk *walk, swq_word *node);
swq_status swq_rows_walk_expand(swq_rows_walk *walk, int level, int64_t number, swq_way_fn *each,
                                void *arg);
double swq_rows_walk_roundings(const swq_rows_walk *walk, int level, int64_t most_met,
                               bool inexact);

/* Can it be done by rows? */
bool swq_by_rows(const swq_switch *sw, const swq_symmetry *symmetry);

/* If not: input by input? Else, and for two ports, where turns would gain nothing, whole. */
bool swq_by_steps(const swq_switch *sw);

/* The levels that this takes, which may be more than there can be. */
int swq_rows_levels(const swq_switch *sw);

/* Make room for the expectations of this number of states. */
swq_status swq_chain_reward_room(swq_context *ctx, swq_chain *chain, int64_t states);

/* Replace what the inputs of a class get by its mean: in an orbit each of them has each share in
 * turn. */
void swq_chain_share(const swq_chain *chain, double *by_input);

/* What nodes of a group have in common, as groups are made before they are halved: key[words]. */
int swq_chain_key_words(const swq_chain *chain);
void swq_chain_key(const swq_chain *chain, int level, int64_t node, swq_word *key);

/* The same organisation with other slots per input port. */
swq_switch swq_chain_resized(const swq_switch *sw, int slots);

/* Does what generation takes keep the limit of memory? Errors: SWQ_ELIMIT, and those of
 * swq_chain_foresee. */
swq_status swq_chain_check_room(swq_context *ctx, const swq_switch *sw, bool reduce);

/* The most slots per input port, fewer than `sw` has, with which a switch of its organisation has a
 * chain that fits; 0: none. Whether slots are shared or split is kept. Chains grow with the slots:
 * it is found in so many steps as the slots have bits, each of which costs as much as
 * swq_chain_foresee. */
typedef bool swq_chain_fits_fn(const swq_chain_size *size, const void *arg);
int swq_chain_most_slots(swq_context *ctx, const swq_switch *sw, bool reduce,
                         swq_chain_fits_fn *fits, const void *arg);

#endif
