/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a strategy of the adversary forces: the least ratio of a cycle that the rule can choose
 * against the strategy, found by cancelling cycles of negative weight (E. L. Lawler, Combinatorial
 * Optimization, 1976), which ends with a potential of the adversary. And the proof of both sides.
 */
#include "worst/game.h"

#include "base/context.h"

#include <string.h>

enum { UNSEEN = 255 };

/* The nodes that the rule can reach against the strategy; the others are UNSEEN in `forcing`. */
static void reach(swq_game *g)
{
    int64_t seen = 1;
    int32_t *queue = g->rank;

    memset(g->forcing, UNSEEN, (size_t)g->nodes);
    g->forcing[0] = g->move[0];
    queue[0] = 0;
    for (int64_t k = 0; k < seen; k++) {
        const int64_t edge = (int64_t)queue[k] * g->moves + g->move[queue[k]];
        for (int64_t e = g->first[edge]; e < g->first[edge + 1]; e++)
            if (g->forcing[g->to[e]] == UNSEEN) {
                g->forcing[g->to[e]] = g->move[g->to[e]];
                queue[seen++] = g->to[e];
            }
    }
}

static int64_t weight_of(const swq_game *g, int64_t node)
{
    return g->forcing[node] == g->queues ? swq_game_weight(g, node) : 0;
}

/* A step of shortest ways: lowers the potentials, and notes the rule's answers in `next`. */
static bool lower(swq_game *g)
{
    bool lowered = false;

    for (int64_t node = g->nodes - 1; node >= 0; node--) {
        if (g->forcing[node] == UNSEEN)
            continue;
        const int64_t edge = node * g->moves + g->forcing[node], weight = weight_of(g, node);
        for (int64_t e = g->first[edge]; e < g->first[edge + 1]; e++)
            if (weight + g->forced[g->to[e]] < g->forced[node]) {
                g->forced[node] = weight + g->forced[g->to[e]];
                g->next[node] = g->to[e];
                lowered = true;
            }
    }
    return lowered;
}

/* A node of a cycle of the rule's answers, which has a negative weight; -1: there is none. */
static int64_t find_cycle(swq_game *g)
{
    int32_t *met = g->rank; /* the walk that met the node */

    memset(met, 0, sizeof *met * (size_t)g->nodes);
    for (int64_t from = 0; from < g->nodes; from++) {
        int64_t node = from;
        while (g->next[node] >= 0 && !met[node]) {
            met[node] = (int32_t)from + 1;
            node = g->next[node];
        }
        if (g->next[node] >= 0 && met[node] == from + 1)
            return node;
    }
    return -1;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Sets the ratio to that of a cycle, and the potentials to zero. */
static void set_ratio(swq_game *g, int64_t optimum, int64_t rule)
{
    const int64_t divisor = common_divisor(optimum, rule);

    g->numerator = optimum / divisor;
    g->denominator = rule / divisor;
    memset(g->forced, 0, sizeof *g->forced * (size_t)g->nodes);
    for (int64_t node = 0; node < g->nodes; node++)
        g->next[node] = -1;
}

static void take_cycle(swq_game *g, int64_t from)
{
    int64_t node = from, optimum = 0, rule = 0;

    do {
        optimum += g->forcing[node] == g->queues ? g->optimum_sent[node] : 0;
        rule += g->forcing[node] == g->queues ? g->rule_sent[node] : 0;
        node = g->next[node];
    } while (node != from);
    set_ratio(g, optimum, rule);
}

/* Does anybody send along the strategy's move? */
static bool sends(const swq_game *g, int64_t node)
{
    return g->forcing[node] == g->queues && (g->rule_sent[node] || g->optimum_sent[node]);
}

/* The most steps from each node until somebody sends. */
static swq_status rank_nodes(swq_game *g)
{
    bool again = true;

    memset(g->rank, 0, sizeof *g->rank * (size_t)g->nodes);
    for (int64_t round = 0; again; round++) {
        if (round > g->nodes)
            return swq_fail(g->ctx, SWQ_EINTERNAL, "an adversary that waits for ever");
        again = false;
        for (int64_t node = 0; node < g->nodes; node++) {
            const int64_t edge = node * g->moves + g->forcing[node];
            if (g->forcing[node] == UNSEEN || sends(g, node))
                continue;
            for (int64_t e = g->first[edge]; e < g->first[edge + 1]; e++)
                if (g->rank[node] <= g->rank[g->to[e]]) {
                    g->rank[node] = g->rank[g->to[e]] + 1;
                    again = true;
                }
        }
    }
    return SWQ_OK;
}

swq_status swq_game_force(swq_game *g)
{
    const int64_t before[2] = {g->numerator, g->denominator};

    reach(g);
    set_ratio(g, g->queues + 1, 1); /* complete sharing does better: queues */
    while (lower(g)) {
        if (swq_context_cancelled(g->ctx))
            return swq_fail(g->ctx, SWQ_ECANCELLED, "cancelled");
        const int64_t cycle = find_cycle(g);
        if (cycle >= 0)
            take_cycle(g, cycle);
    }
    if (g->numerator * before[1] <= before[0] * g->denominator)
        return swq_fail(g->ctx, SWQ_EINTERNAL, "a strategy that forces no more than before");
    return rank_nodes(g);
}

/* ---- the proof ---- */

/* A node that follows, looked up by its words. */
static int64_t find(const swq_game *g, const swq_word *node)
{
    return swq_intern_find(&g->set, node);
}

/* At a node that the rule can come to, it has an answer to every move that keeps its potential.
 * Notes the nodes that the answers lead to. Returns the number of moves without such an answer. */
static int64_t check_rule(swq_game *g, int64_t node)
{
    swq_word answer[SWQ_GAME_ANSWERS][SWQ_GAME_WORDS];
    int rule, optimum;
    int64_t wrong = 0;

    for (int move = 0; move < g->moves; move++) {
        const int answers =
            swq_game_answers(g, swq_intern_state(&g->set, node), move, answer, &rule, &optimum);
        const int64_t weight = g->denominator * optimum - g->numerator * rule;
        int64_t kept = -1;
        for (int k = 0; k < answers && kept < 0; k++) {
            const int64_t to = find(g, answer[k]);
            if (to >= 0 && g->value[to] != INT64_MAX && weight + g->value[to] <= g->value[node])
                kept = to;
        }
        g->edges++;
        if (kept < 0)
            wrong++;
        else if (g->next[kept] == 0)
            g->next[kept] = 1;
    }
    return wrong;
}

/* The strategy's move keeps the adversary's potential, whatever the rule answers, and if nobody
 * sends, the rank falls. */
static int64_t check_adversary(swq_game *g, int64_t node)
{
    swq_word answer[SWQ_GAME_ANSWERS][SWQ_GAME_WORDS];
    int rule, optimum;
    int64_t wrong = 0;

    const int answers = swq_game_answers(g, swq_intern_state(&g->set, node), g->forcing[node],
                                         answer, &rule, &optimum);
    const int64_t weight = g->denominator * optimum - g->numerator * rule;
    for (int k = 0; k < answers; k++) {
        const int64_t to = find(g, answer[k]);
        const bool right = to >= 0 && g->forcing[to] != UNSEEN &&
                           weight + g->forced[to] >= g->forced[node] &&
                           (rule + optimum > 0 || g->rank[to] < g->rank[node]);
        wrong += !right;
        g->edges++;
    }
    return wrong;
}

swq_status swq_game_prove(swq_game *g)
{
    int64_t wrong = 0, met;

    memset(g->next, 0, sizeof *g->next * (size_t)g->nodes);
    g->next[0] = 1; /* 1: to check; 2: checked */
    do {
        met = 0;
        for (int64_t node = 0; node < g->nodes; node++)
            if (g->next[node] == 1) {
                g->next[node] = 2;
                wrong += check_rule(g, node);
                met++;
            }
    } while (met > 0);
    for (int64_t node = 0; node < g->nodes; node++)
        if (g->forcing[node] != UNSEEN)
            wrong += check_adversary(g, node);
    if (wrong || g->forcing[0] == UNSEEN)
        return swq_fail(g->ctx, SWQ_EINTERNAL, "%lld moves exceed the potentials of %lld/%lld",
                        (long long)wrong, (long long)g->numerator, (long long)g->denominator);
    return SWQ_OK;
}
