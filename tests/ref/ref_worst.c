/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dynamic programming over all sequences up to a length: best[k][pair] is the most that k steps
 * from the pair can gain. A ratio is exceeded if the gain grows beyond what one way without
 * repetition can give.
 */
#include "tests/ref/ref_worst.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUES = 3, MOST = 12 };

typedef struct {
    int queues, slots, side, count;
    long p, q;
    long *now, *next;
} game;

static void unpack(const game *g, int number, int *held)
{
    for (int k = 0; k < g->queues; k++, number /= g->side)
        held[k] = number % g->side;
}

static int pack(const game *g, const int *held)
{
    int number = 0;

    for (int k = g->queues - 1; k >= 0; k--)
        number = number * g->side + held[k];
    return number;
}

static int sum(const game *g, const int *held)
{
    int all = 0;

    for (int k = 0; k < g->queues; k++)
        all += held[k];
    return all;
}

static void take_larger(long *a, long b)
{
    *a = b > *a ? b : *a;
}

/* The optimum takes the packet for queue q, if it can, or refuses it; the rule now holds `rule`. */
static long best_answer(const game *g, const int *rule, const int *optimum, int q)
{
    int other[QUEUES];
    long best = g->now[pack(g, rule) * g->count + pack(g, optimum)];

    memcpy(other, optimum, sizeof other);
    other[q]++;
    if (sum(g, other) <= g->slots)
        take_larger(&best, g->now[pack(g, rule) * g->count + pack(g, other)]);
    return best;
}

/* All that the rule may do with a packet for queue q: with the packet there are too many, so a
 * longest queue loses one. */
static long best_arrival(const game *g, const int *rule, const int *optimum, int q)
{
    int after[QUEUES], longest = 0;
    long best = -1;

    memcpy(after, rule, sizeof after);
    after[q]++;
    if (sum(g, after) <= g->slots)
        return best_answer(g, after, optimum, q);
    for (int k = 0; k < g->queues; k++)
        longest = after[k] > longest ? after[k] : longest;
    for (int k = 0; k < g->queues; k++) {
        if (after[k] != longest || (after[q] == longest && k != q))
            continue; /* its own queue, if that is a longest one */
        after[k]--;
        const long here = best_answer(g, after, optimum, q);
        best = best < 0 || here > best ? here : best;
        after[k]++;
    }
    return best;
}

static long best_step(const game *g, int number)
{
    int rule[QUEUES] = {0}, optimum[QUEUES] = {0};
    long weight = 0;

    unpack(g, number / g->count, rule);
    unpack(g, number % g->count, optimum);
    if (sum(g, rule) > g->slots || sum(g, optimum) > g->slots)
        return 0;
    long best = g->now[number];
    for (int q = 0; q < g->queues; q++)
        take_larger(&best, best_arrival(g, rule, optimum, q));
    for (int k = 0; k < g->queues; k++) {
        weight += g->q * (optimum[k] > 0) - g->p * (rule[k] > 0);
        rule[k] -= rule[k] > 0;
        optimum[k] -= optimum[k] > 0;
    }
    take_larger(&best, weight + g->now[pack(g, rule) * g->count + pack(g, optimum)]);
    return best;
}

/* The gain from empty memories in each number of steps; stops once it exceeds `enough`, or does not
 * change at all any more. */
static long play(int queues, int slots, int numerator, int denominator, int steps, long enough)
{
    game g = {.queues = queues,
              .slots = slots,
              .side = slots + 2,
              .count = 1,
              .p = numerator,
              .q = denominator};

    assert(queues <= QUEUES && slots <= MOST);
    for (int k = 0; k < queues; k++)
        g.count *= g.side;
    const int pairs = g.count * g.count;
    g.now = calloc((size_t)pairs, sizeof *g.now);
    g.next = calloc((size_t)pairs, sizeof *g.next);
    bool changed = true;
    for (int k = 0; k < steps && changed && g.now[0] <= enough; k++) {
        changed = false;
        for (int number = 0; number < pairs; number++) {
            g.next[number] = best_step(&g, number);
            changed = changed || g.next[number] != g.now[number];
        }
        long *kept = g.now;
        g.now = g.next;
        g.next = kept;
    }
    const long gain = g.now[0];
    free(g.now);
    free(g.next);
    return gain;
}

long ref_worst_gain(int queues, int slots, int numerator, int denominator, int steps)
{
    return play(queues, slots, numerator, denominator, steps, 1L << 60);
}

bool ref_worst_exceeds(int queues, int slots, int numerator, int denominator)
{
    /* a gain that stays bounded settles long before */
    const long enough = (long)denominator * queues * slots * 50;

    return play(queues, slots, numerator, denominator, INT_MAX, enough) > enough;
}
