/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value of the game against all rules, by improving the adversary's strategy (A. J. Hoffman and
 * R. M. Karp, Management Science 12(5), 1966). The value of a node is the least weight of a way
 * back to empty memories that the rule can choose against the strategy. A strategy that gains on
 * the way from empty memories forces a larger ratio; the search begins again with that ratio. If no
 * strategy does, the values are a potential of the rule.
 */
#include "worst/game.h"

#include "base/context.h"

#include <string.h>

static const int64_t ENDLESS = INT64_MAX; /* the rule cannot come back to empty memories */

/* What the rule reaches by its best answer to a move. */
static int64_t answer_value(const swq_game *g, int64_t node, int move)
{
    const int64_t weight = move == g->queues ? swq_game_weight(g, node) : 0;
    int64_t least = ENDLESS;

    for (int64_t k = g->first[node * g->moves + move]; k < g->first[node * g->moves + move + 1];
         k++)
        if (g->value[g->to[k]] != ENDLESS && g->value[g->to[k]] + weight < least)
            least = g->value[g->to[k]] + weight;
    return least;
}

/* The values of the strategy. It has no cycle of weight 0 or less that avoids empty memories: the
 * first strategy, the end of the phase everywhere, has no such cycle at all, and all moves of such
 * a cycle would be moves of the strategy before, since no improvement is part of it. */
static void evaluate(swq_game *g)
{
    bool again = true;

    for (int64_t node = 1; node < g->nodes; node++)
        g->value[node] = ENDLESS;
    g->value[0] = 0;
    while (again) {
        again = false;
        for (int64_t node = g->nodes - 1; node > 0; node--) {
            const int64_t value = answer_value(g, node, g->move[node]);
            again |= value < g->value[node];
            g->value[node] = value;
        }
    }
}

/* Returns whether a move changed. */
static bool improve(swq_game *g)
{
    bool improved = false;

    for (int64_t node = 0; node < g->nodes; node++) {
        int64_t best = g->value[node];
        for (int move = 0; move < g->moves; move++) {
            const int64_t value = answer_value(g, node, move);
            if (value > best) {
                best = value;
                g->move[node] = (uint8_t)move;
                improved = true;
            }
        }
    }
    return improved;
}

swq_status swq_game_solve(swq_game *g)
{
    swq_status status = SWQ_OK;

    memset(g->move, g->queues, (size_t)g->nodes);
    while (!status) {
        if (swq_context_cancelled(g->ctx))
            return swq_fail(g->ctx, SWQ_ECANCELLED, "cancelled");
        swq_progress(g->ctx, "rounds", (double)g->rounds, 0);
        evaluate(g);
        g->rounds++;
        if (!improve(g))
            return SWQ_OK;
        if (g->move[0] < g->queues) { /* it gains on the way from empty memories */
            status = swq_game_force(g);
            memset(g->move, g->queues, (size_t)g->nodes);
        }
    }
    return status;
}
