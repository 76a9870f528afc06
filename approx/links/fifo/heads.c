/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain of a switch's heads: groups of heads that want the same output.
 */
#include "approx/links/fifo/heads.h"

#include "approx/links/groups.h"
#include "approx/links/link.h"
#include "base/context.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* States that are rarer than this do not matter for averages. */
#define RARE 1e-9

static int find(const fifo_heads *h, const int *count)
{
    return groups_find(h->count, h->states, h->classes, count);
}

/* The classes that an output of a class can have before fresh heads come: outcomes 0, 1, ... give
 * its new class, or -1 after the last outcome. With one level, the output sends or does not.
 * Otherwise an open output sends, which takes a slot of the buffer behind, and this buffer may
 * send, which frees a slot. */
static int becomes(const fifo_heads *h, int class, int outcome)
{
    int size = class / h->levels, room = class % h->levels, sent = size > 0 && room > 0;

    if (h->levels == 1)
        return outcome > (size > 0) ? -1 : size - outcome;
    if (outcome > (room - sent + 1 < h->levels))
        return -1;
    return (size - sent) * h->levels + room - sent + outcome;
}

/* Distribute `n` outputs of a class (and all outputs of higher classes) over the outcomes from this
 * one on. Returns the number of ways; lists them in `left` if not NULL. */
static int ways(const fifo_heads *h, const int *before, int class, int outcome, int n, int *count,
                int *left, int found)
{
    if (n == 0 && (outcome > 0 || before[class] == 0)) {
        if (class + 1 < h->classes)
            return ways(h, before, class + 1, 0, before[class + 1], count, left, found);
        if (left)
            left[found] = find(h, count);
        return found + 1;
    }
    int to = becomes(h, class, outcome), last = becomes(h, class, outcome + 1) < 0;
    for (int some = last ? n : 0; some <= n; some++) {
        count[to] += some;
        found = ways(h, before, class, outcome + 1, n - some, count, left, found);
        count[to] -= some;
    }
    return found;
}

static void link_states(fifo_heads *h)
{
    int count[FIFO_MOST_CLASSES] = {0}, at = 0;

    for (int i = 0; i < h->states; i++) {
        const int *before = h->count + (ptrdiff_t)i * h->classes;
        memcpy(count, before, sizeof *count * (size_t)h->classes);
        for (int c = 0; c < h->classes; c++) {
            h->joined[i * h->classes + c] = -1;
            if (c + h->levels >= h->classes || count[c] == 0)
                continue;
            count[c]--, count[c + h->levels]++;
            h->joined[i * h->classes + c] = find(h, count);
            count[c]++, count[c + h->levels]--;
        }
        memset(count, 0, sizeof count);
        h->start[i] = at;
        at = ways(h, before, 0, 0, before[0], count, h->left, at);
    }
    memset(count, 0, sizeof count);
    count[h->levels - 1] = h->ports;
    h->empty = find(h, count);
}

swq_status fifo_heads_init(swq_context *ctx, int ports, int levels, fifo_heads *h)
{
    int count[FIFO_MOST_CLASSES] = {0}, all = 0;

    *h = (fifo_heads){.ports = ports, .levels = levels, .classes = (ports + 1) * levels};
    h->states = groups_list(h->classes, levels, ports, ports, INT_MAX - 1, NULL);
    size_t size = (size_t)h->states * (size_t)h->classes;
    h->count = swq_calloc(ctx, size, sizeof *h->count);
    h->joined = swq_calloc(ctx, size, sizeof *h->joined);
    h->start = swq_calloc(ctx, (size_t)h->states, sizeof *h->start);
    if (!h->count || !h->joined || !h->start) {
        fifo_heads_clear(ctx, h);
        return swq_memory_status(ctx);
    }
    groups_list(h->classes, levels, ports, ports, h->states, h->count);
    for (int i = 0; i < h->states; i++) {
        const int *before = h->count + (ptrdiff_t)i * h->classes;
        all = ways(h, before, 0, 0, before[0], count, NULL, all);
    }
    h->left = swq_calloc(ctx, (size_t)all, sizeof *h->left);
    if (!h->left) {
        fifo_heads_clear(ctx, h);
        return swq_memory_status(ctx);
    }
    link_states(h);
    return SWQ_OK;
}

void fifo_heads_clear(swq_context *ctx, fifo_heads *h)
{
    swq_free(ctx, h->count);
    swq_free(ctx, h->joined);
    swq_free(ctx, h->left);
    swq_free(ctx, h->start);
    *h = (fifo_heads){0};
}

/* Probabilities that j of n inputs bring a head, by the size of their group; size 0: inputs that
 * were empty. */
typedef struct bringing {
    /* [size][n][j], if a head of the group was sent */
    double sure[FIFO_WIDTH][FIFO_WIDTH][FIFO_WIDTH];
    double open[FIFO_WIDTH][FIFO_WIDTH]
               [FIFO_WIDTH]; /* if one was sent whenever the output was open */
} bringing;

static void bring(const fifo_heads *h, const fifo_moves *moves, bringing *b)
{
    for (int size = 0; size <= h->ports; size++) {
        double p = size > 0 ? moves->follows[size] : moves->arrives;
        for (int n = 1; n <= h->ports; n++) {
            for (int j = 0; j <= n; j++) {
                b->sure[size][n][j] = link_binomial(n, j, p);
                b->open[size][n][j] = link_binomial(n, j, p * moves->open[size]);
            }
        }
    }
}

/* Update the distribution of fresh heads for n more inputs. */
static void add_heads(int ports, double *fresh, int n, const double *some)
{
    double sum[FIFO_WIDTH] = {0};

    for (int i = 0; i <= ports; i++) {
        for (int j = 0; j <= n && fresh[i] > 0 && i + j <= ports; j++)
            sum[i + j] += fresh[i] * some[j];
    }
    memcpy(fresh, sum, sizeof *sum * (size_t)(ports + 1));
}

static int empty_inputs(const fifo_heads *h, const int *count)
{
    int n = h->ports;

    for (int c = h->levels; c < h->classes; c++)
        n -= c / h->levels * count[c];
    return n;
}

typedef struct fifo_sending {
    const fifo_heads *heads;
    const fifo_moves *moves;
    const bringing *bring;
    const int *before, *left;
    double *work;
} fifo_sending;

static double chance_of(const fifo_sending *s, int class, int outcome)
{
    int levels = s->heads->levels, size = class / levels, room = class % levels;

    if (levels == 1)
        return size == 0 ? 1 : outcome == 1 ? s->moves->open[size] : 1 - s->moves->open[size];
    return s->moves->room[size > 0][room][becomes(s->heads, class, outcome) % levels];
}

/* As ways(), with probabilities: `fresh` is the distribution of the heads that follow so far, times
 * `chance`. */
static void send(fifo_sending *s, int class, int outcome, int n, double chance, const double *fresh)
{
    const fifo_heads *h = s->heads;

    while (n == 0 && (outcome > 0 || s->before[class] == 0)) {
        if (++class == h->classes) {
            double *to = s->work + (ptrdiff_t)*s->left++ * (h->ports + 1);
            for (int i = 0; i <= h->ports; i++)
                to[i] += chance * fresh[i];
            return;
        }
        outcome = 0, n = s->before[class];
    }
    double each = chance_of(s, class, outcome), some_ways = 1;
    int last = becomes(h, class, outcome + 1) < 0;
    for (int some = 0; some <= n; some++) {
        double follow[FIFO_WIDTH];
        const double *next = fresh;
        if (some > 0)
            some_ways *= each * (n - some + 1) / some;
        if (last && some < n)
            continue;
        if (h->levels == 1 && outcome == 1 && some > 0) {
            memcpy(follow, fresh, sizeof *fresh * (size_t)(h->ports + 1));
            add_heads(h->ports, follow, some, s->bring->sure[class][some]);
            next = follow;
        }
        send(s, class, outcome + 1, n - some, chance * some_ways, next);
    }
}

/* Add to `fresh` the distribution of new heads: heads that follow the certainly sent ones, and
 * heads that come to empty buffers. One output of class `without` is left out, unless `without` is
 * -1. */
static void followers(const fifo_heads *h, const bringing *b, const int *count, int without,
                      double *fresh)
{
    int empty = empty_inputs(h, count);

    assert(h->levels > 0);
    if (empty > 0)
        add_heads(h->ports, fresh, empty, b->sure[0][empty]);
    for (int c = h->levels; c < h->classes; c++) {
        int n = count[c] - (c == without), size = c / h->levels;
        if (n == 0)
            continue;
        if (h->levels > 1 && c % h->levels > 0)
            add_heads(h->ports, fresh, n, b->sure[size][n]);
        else if (h->levels == 1 && without >= 0)
            add_heads(h->ports, fresh, n, b->open[size][n]);
    }
}

void fifo_heads_step(const fifo_heads *h, const fifo_moves *moves, const double *p, double *next,
                     double *work)
{
    int width = h->ports + 1;
    bringing b;

    bring(h, moves, &b);
    memset(work, 0, sizeof *work * (size_t)h->states * (size_t)width);
    for (int i = 0; i < h->states; i++) {
        const int *count = h->count + (ptrdiff_t)i * h->classes;
        double fresh[FIFO_WIDTH] = {p[i]};
        fifo_sending s = {h, moves, &b, count, h->left + h->start[i], work};
        followers(h, &b, count, -1, fresh);
        if (p[i] > 0)
            send(&s, 0, 0, count[0], 1, fresh);
    }
    /* the fresh heads choose their outputs one after another */
    for (int j = h->ports; j > 0; j--) {
        for (int i = 0; i < h->states; i++) {
            double mass = work[i * width + j] / h->ports;
            const int *count = h->count + (ptrdiff_t)i * h->classes;
            const int *joined = h->joined + (ptrdiff_t)i * h->classes;
            for (int c = 0; mass > 0 && c + h->levels < h->classes; c++) {
                if (count[c] > 0)
                    work[joined[c] * width + j - 1] += mass * count[c];
            }
        }
    }
    for (int i = 0; i < h->states; i++)
        next[i] = work[i * width];
    link_normalise(next, (size_t)h->states);
}

void fifo_heads_others(const fifo_heads *h, const fifo_moves *moves, const double *p,
                       fifo_others fresh)
{
    double weight[FIFO_MOST_CLASSES] = {0};
    bringing b;

    bring(h, moves, &b);
    memset(fresh, 0, sizeof(fifo_others));
    for (int i = 0; i < h->states; i++) {
        const int *count = h->count + (ptrdiff_t)i * h->classes;
        for (int c = 0; c < h->classes && p[i] > RARE; c++) {
            double one[FIFO_WIDTH] = {p[i] * count[c]};
            if (count[c] == 0)
                continue;
            weight[c] += one[0];
            followers(h, &b, count, c, one);
            for (int j = 0; j <= h->ports; j++)
                fresh[c % h->levels][c / h->levels][j] += one[j];
        }
    }
    for (int c = 0; c < h->classes; c++) {
        double *row = fresh[c % h->levels][c / h->levels];
        int others = h->ports - c / h->levels;
        /* never observed: assume that all other inputs were empty */
        for (int j = 0; j <= others; j++)
            row[j] = weight[c] > 0 ? row[j] / weight[c] : link_binomial(others, j, moves->arrives);
    }
    for (int c = h->levels; c < FIFO_MOST_LEVELS; c++)
        memcpy(fresh[c], fresh[0], sizeof fresh[c]);
}
