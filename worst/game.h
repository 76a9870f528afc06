/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The game of an adversary against all rules at once. A rule sees the arrivals only. So a node says
 * what the rule holds, and what an offline schedule can hold that has sent the most so far.
 *
 * Of the work function, the most that an offline schedule can have sent for each content that it
 * holds, this set of best contents is enough. A schedule that leaves out the last packet of a queue
 * has sent the same, so the work function never grows with the content. And who holds a packet less
 * can take all later packets that the other one takes, and ends up at most one packet behind. So a
 * content that is behind a content with a packet less is never needed.
 */
#ifndef SWQ_WORST_GAME_H
#define SWQ_WORST_GAME_H

#include "models/intern.h"
#include "switchq/worst.h"

enum {
    SWQ_GAME_CONTENTS = 128,
    SWQ_GAME_WORDS = SWQ_WORST_QUEUES + SWQ_GAME_CONTENTS / 16,
    SWQ_GAME_ANSWERS = SWQ_WORST_QUEUES + 1 /* most that a rule can do with a packet */
};

/* What the adversary's moves at a node lead to: a packet for queue 0, 1, ..., the end of the
 * phase. */
typedef struct swq_game {
    swq_context *ctx;
    const swq_worst_spec *spec;
    int queues, moves;                  /* moves: queues + 1 */
    int contents;                       /* of a memory */
    uint8_t (*held)[SWQ_WORST_QUEUES];  /* [contents] */
    int16_t (*taken)[SWQ_WORST_QUEUES]; /* [contents]: with a packet more; -1: full */
    uint8_t *after;                     /* [contents]: after the end of a phase */
    int orders;                         /* of queues */
    uint8_t (*order)[SWQ_WORST_QUEUES]; /* [orders] */
    uint8_t *renamed;                   /* [orders * contents] */
    swq_intern set;                     /* the nodes: lengths of the rule's queues, bits of
                                           the best contents; the empty memories are 0 */
    int64_t *first;                     /* [nodes * moves + 1]: of the rule's answers */
    int32_t *to;                        /* [answers] */
    int64_t answers;
    uint8_t *rule_sent, *optimum_sent; /* [nodes]: at the end of the phase */
    int64_t nodes, rounds, edges;
    int64_t numerator, denominator; /* of the ratio that the adversary forces */
    int64_t *value;                 /* [nodes]: the rule's potential */
    uint8_t *move;                  /* [nodes]: the adversary's strategy */
    int64_t *forced;                /* [nodes]: the adversary's potential */
    int32_t *rank;                  /* [nodes]: steps until somebody sends, at most */
    uint8_t *forcing;               /* [nodes]: the strategy that forces the ratio */
    int32_t *next;                  /* [nodes]: work space */
} swq_game;

/* What the move `move` at a node leads to: the nodes of all answers of the rule, renamed, and what
 * is sent. Returns the number of answers. */
int swq_game_answers(const swq_game *game, const swq_word *node, int move,
                     swq_word answer[][SWQ_GAME_WORDS], int *rule_sent, int *optimum_sent);

/* All nodes that can be reached. Errors: SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. Free with
 * swq_game_clear, also after an error. */
swq_status swq_game_make(swq_context *ctx, const swq_worst_spec *spec, swq_game *game);
void swq_game_clear(swq_game *game);

/* Contents of `queues` queues with at most `slots` packets. */
double swq_game_contents(int queues, int slots);

/* The weight of the end of the phase at a node. */
static inline int64_t swq_game_weight(const swq_game *g, int64_t node)
{
    return g->denominator * g->optimum_sent[node] - g->numerator * g->rule_sent[node];
}

/* Keeps the strategy `move` as `forcing`, and sets the ratio to the least that the rule can reach
 * against it, with the potential `forced`. */
swq_status swq_game_force(swq_game *game);

/* Finds the value of the game. */
swq_status swq_game_solve(swq_game *game);

/* Checks both potentials against the moves, which are made again. Errors: SWQ_EINTERNAL. */
swq_status swq_game_prove(swq_game *game);

#endif
