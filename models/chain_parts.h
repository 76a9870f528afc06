/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a chain, for its generators: nodes in levels and the factors between them. The nodes
 * of level 0 are the states; the last factor leads back to it. There are three generators:
 * expand_whole.c runs the rules on whole switches and is the definition; expand_rows.c divides
 * switches into rows, and expand_steps.c lets the inputs of whole switches take turns. The latter
 * two give the same chain sooner.
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

/* Outcomes that can be enumerated in about a quarter of an hour. */
#define SWQ_MOST_OUTCOMES 1e10

/* Expectations of a reception, by class. */
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
    bool by_rows;  /* a node is a tuple of rows, one per port; else the words of a switch */
    bool by_steps; /* inputs take turns in a reception; a node is still the words of a switch */
    bool lean;     /* see swq_chain_generate_lean */
    swq_rows rows; /* by_rows */
    int levels, receptions; /* number of factors, and of those that are part of a reception */
    swq_intern node[SWQ_CHAIN_LEVELS];
    swq_csr factor[SWQ_CHAIN_LEVELS];
    swq_csr refusals[SWQ_CHAIN_LEVELS], pairs[SWQ_CHAIN_LEVELS];
    double roundings;                 /* of the product of all factors */
    double *accepted, *refused;       /* [states * ports]; NULL if lean and by_rows */
    double *accepted_to, *refused_to; /* [states * ports] by destination; NULL if destinations are
                                         deferred, or by_rows, where they come from the rows */
    swq_class_rewards *of_class;      /* [states]; NULL for one class */
    int64_t rewards_room;             /* states allocated in these five arrays */
};

/* swq_chain_foresee that also returns the symmetry that it found. */
swq_status swq_chain_foresee_symmetry(swq_context *ctx, const swq_switch *sw, bool reduce,
                                      swq_chain_size *size, swq_symmetry *symmetry);

/* swq_chain_generate for callers that only solve the chain and weight its states: transitions have
 * no refusals, the expectations of a reception come only from swq_chain_reception, and
 * swq_chain_find finds nothing. The caller has compared the foreseen size with the memory limit. */
swq_status swq_chain_generate_lean(swq_context *ctx, const swq_switch *sw, bool reduce,
                                   swq_chain **chain);

/* Free the nodes of a lean chain that are not states, once it has been grouped. */
void swq_chain_forget_nodes(swq_context *ctx, swq_chain *chain);

/* The expectations of a reception from a state by input, as in swq_chain_accepted, for any chain:
 * accepted[ports] and refused[ports]. */
void swq_chain_reception(const swq_chain *chain, int64_t state, double *accepted, double *refused);

/* The same from the rows of a node; accepted and refused must be zero before. */
void swq_rows_reception(const swq_chain *chain, const swq_word *node, double *accepted,
                        double *refused);

/* Fill in levels, nodes, factors and expectations. On failure the caller frees what there is. */
swq_status swq_expand_whole(swq_context *ctx, swq_chain *chain);
swq_status swq_expand_steps(swq_context *ctx, swq_chain *chain);
swq_status swq_expand_rows(swq_context *ctx, swq_chain *chain);

/* Fill in all of *slopes (see swq_chain_slopes). On failure the caller frees what was allocated. */
swq_status swq_slopes_whole(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);
swq_status swq_slopes_by_steps(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);
swq_status swq_slopes_by_rows(swq_context *ctx, swq_chain *chain, swq_slopes *slopes);

/* The transitions from one node after another, by rows, with nodes that the caller adds to the
 * chain's sets: see models/share.h. The function is called for each transition with its probability
 * and the canonical words of the node that it leads to, which are valid only during the call. */
typedef swq_status swq_way_fn(void *arg, const swq_word *node, long double chance);
typedef struct swq_rows_walk swq_rows_walk;

/* Fill in the levels and the whole table of rows of a chain that has only its switch, layout and
 * symmetry. */
swq_status swq_rows_walk_new(swq_context *ctx, swq_chain *chain, swq_rows_walk **walk);
void swq_rows_walk_free(swq_context *ctx, swq_rows_walk *walk);
swq_status swq_rows_walk_first(swq_rows_walk *walk, swq_word *node);
swq_status swq_rows_walk_expand(swq_rows_walk *walk, int level, int64_t number, swq_way_fn *each,
                                void *arg);
double swq_rows_walk_roundings(const swq_rows_walk *walk, int level, int64_t most_met,
                               bool inexact);

/* Can the chain be generated by rows? */
bool swq_by_rows(const swq_switch *sw, const swq_symmetry *symmetry);

/* If not, can it be generated input by input? Else, and for two ports, where turns would gain
 * nothing, whole switches are expanded. */
bool swq_by_steps(const swq_switch *sw);

/* The number of levels by rows, which may be more than SWQ_CHAIN_LEVELS. */
int swq_rows_levels(const swq_switch *sw);

/* Make room for the expectations of this number of states. */
swq_status swq_chain_reward_room(swq_context *ctx, swq_chain *chain, int64_t states);

/* Replace the values of the inputs of a class by their mean: over an orbit, each input has each
 * value equally often. */
void swq_chain_share(const swq_chain *chain, double *by_input);

/* The key that the nodes of a group share, before groups are merged by halving: key[words]. */
int swq_chain_key_words(const swq_chain *chain);
void swq_chain_key(const swq_chain *chain, int level, int64_t node, swq_word *key);

/* The same buffer organisation with `slots` slots per input port. */
swq_switch swq_chain_resized(const swq_switch *sw, int slots);

/* Check that the memory needed for generation is within the limit. Errors: SWQ_ELIMIT, and those of
 * swq_chain_foresee. */
swq_status swq_chain_check_room(swq_context *ctx, const swq_switch *sw, bool reduce);

/* The most slots per input port, fewer than `sw` has, with which the chain of a switch of the same
 * organisation fits; 0: none. Slots stay shared or divided as they are. Chains grow with the slots,
 * so bisection finds it; each step costs as much as swq_chain_foresee. */
typedef bool swq_chain_fits_fn(const swq_chain_size *size, const void *arg);
int swq_chain_most_slots(swq_context *ctx, const swq_switch *sw, bool reduce,
                         swq_chain_fits_fn *fits, const void *arg);

#endif
