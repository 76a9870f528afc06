/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The decision process of one switch: the chain of one cycle, with a choice of actions where a rule
 * of the switch is left to the policy. A cycle has two or three stages,
 *
 *     reception | admission, if it is open | transmission
 *
 * and each stage has nodes, a node has actions, and an action has a cost (mean number of packets
 * lost) and outcomes: nodes of the next stage with their probabilities. The nodes of the first
 * stage are the states of the chain (models/state.h); those of the admission also have the packets
 * that arrive, in the words of packets held by sources. With bursts, these words stay until the
 * next reception: a source that sent a packet goes on with its burst, or ends the burst, which the
 * policy cannot know. Nodes that the symmetry of the switch exchanges are merged.
 *
 * If all decisions about the packets of a cycle together would be too many, the admission is taken
 * in steps, a stage for each: a step decides about one packet. The policy still knows all packets
 * of the cycle, since a node has all that are not decided yet, and the least loss is the same.
 * Without push-out, any set of packets for which there is room in the end can be admitted in any
 * order. With it, let the policy want to keep f(q) packets of each queue q, all slots full: the
 * packets that it wants to keep come in any order, and those beyond the free slots are as many as
 * the packets that it wants to lose from longer queues.
 */
#ifndef SWQ_MODELS_DECISIONS_H
#define SWQ_MODELS_DECISIONS_H

#include "models/intern.h"
#include "models/symmetry.h"

enum {
    SWQ_DECISION_PORTS = SWQ_SYMMETRY_PORTS, /* most ports of a decision process ... */
    SWQ_DECISION_POOL_PORTS = 8              /* ... and of one of a pool */
};

/* The decisions that are left to the policy. */
typedef struct swq_powers {
    bool send;   /* which packets are sent together; not for a pool, which sends from each queue */
    bool refuse; /* a packet may be refused although there is room; the decision sees all packets of
                    the cycle, except the destinations of those that join a FIFO */
    bool push_out; /* a packet that finds no room may push out a stored one */
} swq_powers;

typedef enum swq_stage {
    SWQ_STAGE_RECEPTION,
    SWQ_STAGE_ADMISSION,
    SWQ_STAGE_TRANSMISSION
} swq_stage;

typedef struct swq_choices {
    swq_stage stage;
    swq_intern node;
    int64_t expanded, actions, outcomes;
    int64_t *first;      /* [expanded + 1] a node's first action */
    int64_t *outcome;    /* [actions + 1] an action's first outcome */
    int32_t *what;       /* [actions] the action as digits of a number: see below */
    long double *cost;   /* [actions] */
    int32_t *into;       /* [outcomes] node of the next stage */
    long double *chance; /* [outcomes] probability; all outcomes of an action sum to one */
    int64_t first_room, action_room, outcome_room;
    int64_t most; /* most outcomes of one action */
} swq_choices;

enum { SWQ_STAGES = 2 + SWQ_DECISION_POOL_PORTS };

typedef struct swq_decisions {
    swq_switch sw;
    swq_powers powers;
    bool bursts;
    bool steps;        /* the admission decides packet by packet, a stage each */
    swq_layout layout; /* with words for arriving packets */
    swq_symmetry symmetry;
    int stages; /* the last leads back to the first */
    swq_choices stage[SWQ_STAGES];
} swq_decisions;

/* In an action of a transmission, the digit of output j is the input that sends to it, or
 * SWQ_NO_INPUT. In an action of an admission, the digit of input i gives the fate of the input's
 * packet: SWQ_PACKET_REFUSED (also if there is none), SWQ_PACKET_ADMITTED, or SWQ_PACKET_PUSHES +
 * the queue out of which the packet pushes another. */
enum { SWQ_PACKET_REFUSED, SWQ_PACKET_ADMITTED, SWQ_PACKET_PUSHES };
int swq_action_input(const swq_decisions *d, int32_t what, int output);
int swq_action_packet(const swq_decisions *d, int32_t what, int input);

/* Generate all nodes that any policy can reach from the empty switch, which is state 0. The caller
 * has checked that the switch has flow discard, credit same and at most SWQ_DECISION_PORTS ports,
 * and that `powers` go with its buffer. The caller clears the result. Errors: SWQ_ELIMIT if the
 * foreseen size exceeds the memory limit, or the limit is reached; SWQ_ENOMEM; SWQ_ECANCELLED.
 * Cost: about a microsecond per outcome. */
swq_status swq_decisions_generate(swq_context *ctx, const swq_switch *sw, const swq_powers *powers,
                                  bool reduce, swq_decisions *d);
void swq_decisions_clear(swq_context *ctx, swq_decisions *d);

/* ---- shared by the files of the generator ---- */

/* An outcome of an action that is being worked out: the node it leads to, its probability, and the
 * packets lost. */
typedef struct swq_decided_outcome {
    int64_t into;
    long double chance, lost;
} swq_decided_outcome;

typedef struct swq_deciding {
    swq_context *ctx;
    swq_decisions *d;
    /* the switch, with sources that create nothing, and hold the arriving packets */
    swq_switch rules;
    int level;       /* of the node that is expanded */
    swq_word *work;  /* [3 * words] the state that an outcome leads to, and working space */
    swq_word *given; /* [words] the node that is expanded */
    swq_dice dice;
    swq_decided_outcome *list; /* of the action under construction */
    int64_t listed, list_room;
} swq_deciding;

/* Make room for another action with this number of outcomes. False: no memory. */
bool swq_more_actions(swq_context *ctx, swq_choices *c, int64_t outcomes);

/* Add the state in `work`, brought to canonical form, as an outcome of the action under
 * construction. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_deciding_outcome(swq_deciding *x, long double chance, long double lost);

/* Finish the action; it is dropped if the node already has one with the same cost and outcomes.
 * Errors: as above. */
swq_status swq_deciding_action(swq_deciding *x, int32_t what);

/* List the actions of the node in `given`. */
swq_status swq_choose_admission(swq_deciding *x);
swq_status swq_choose_step(swq_deciding *x);
swq_status swq_choose_transmission(swq_deciding *x);

#endif
