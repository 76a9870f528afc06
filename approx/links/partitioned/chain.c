/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stepping one queue, and measuring it.
 */
#include "approx/links/partitioned/chain.h"

#include "approx/links/link.h"

#include <stdbool.h>
#include <string.h>

enum { IDLE, HOLDS_MINE, HOLDS_OTHER };

static int heads_of(const chain_shape *s)
{
    return s->ports * s->ahead;
}

static size_t width(const chain_shape *s)
{
    return 1 + (size_t)s->room * (size_t)heads_of(s);
}

size_t chain_states(const chain_shape *s)
{
    return (size_t)(s->before + 1) * width(s);
}

static size_t at(const chain_shape *s, int u, int n, int head)
{
    return (size_t)u * width(s) +
           (n ? 1 + (size_t)(n - 1) * (size_t)heads_of(s) + (size_t)head : 0);
}

static int level(const chain_shape *s, int n)
{
    int room = s->room - n;
    return room < s->levels ? room : s->levels - 1;
}

/* P(a packet comes). */
static double comes(const chain_shape *s, const heads_reading *before, int u, int n)
{
    if (n == s->room)
        return 0;
    if (before)
        return before->served[u][level(s, n)];
    return u == IDLE ? s->load / s->ports : u == HOLDS_MINE;
}

/* P(the head of a queue of length n is sent), in the class head = h * ahead + c, in proportion to
 * shares[n]. */
static double wins(const chain_shape *s, const chain_tally *t, const double *shares, int n,
                   int head)
{
    double w = t->scale[head / s->ahead + 1][head % s->ahead] * shares[n];

    return w < 1 ? w : 1;
}

void chain_share(const chain_shape *s, const double *p, const double *shares, chain_tally *t)
{
    *t = (chain_tally){0};
    for (int head = 0; head < heads_of(s); head++) {
        double all = 0, sum = 0;
        for (int u = 0; u <= s->before; u++)
            for (int n = 1; n <= s->room; n++) {
                all += p[at(s, u, n, head)];
                sum += p[at(s, u, n, head)] * shares[n];
            }
        t->share[head / s->ahead + 1][head % s->ahead] = all > 1e-300 ? sum / all : 1;
    }
}

/* The factor by which shares[n] must be multiplied so that the mean of the products, each at most
 * 1, is `wanted`. */
static double scale_of(const double *p, const double *shares, int room, double wanted)
{
    double scale = 1;

    for (int pass = 0; pass <= room; pass++) {
        double sure = 0, all = 0, sum = 0;
        for (int n = 1; n <= room; n++) {
            bool full = pass > 0 && scale * shares[n] >= 1;
            all += p[n];
            sure += full ? p[n] : 0;
            sum += full ? 0 : p[n] * shares[n];
        }
        double rest = wanted * all - sure;
        if (sum <= 1e-300 || rest <= 0)
            return pass ? scale : wanted;
        double before = scale;
        scale = rest / sum;
        if (pass > 0 && scale <= before)
            break;
    }
    return scale;
}

void chain_scale(const chain_shape *s, const double *p, const double *shares,
                 const heads_reading *ahead, chain_tally *t)
{
    for (int head = 0; head < heads_of(s); head++) {
        int v = head / s->ahead + 1, c = head % s->ahead;
        double length[CHAIN_MOST_ROOM + 1] = {0};
        for (int u = 0; u <= s->before; u++)
            for (int n = 1; n <= s->room; n++)
                length[n] += p[at(s, u, n, head)];
        t->scale[v][c] = scale_of(length, shares, s->room, ahead->served[v][c] / v);
    }
}

static double ratio(double a, double b, double otherwise)
{
    return b > 1e-300 ? a / b : otherwise;
}

static void read_source(const chain_shape *s, const double *p, chain_tally *t)
{
    double held = 0, stuck = 0, made = 0, waits = 0;

    for (int n = 0; n <= s->room; n++)
        for (int head = 0; head < (n ? heads_of(s) : 1); head++) {
            double mine = p[at(s, HOLDS_MINE, n, head)], idle = p[at(s, IDLE, n, head)];
            held += mine, made += idle;
            stuck += n == s->room ? mine : 0, waits += n == s->room ? idle : 0;
        }
    t->goes = ratio(held - stuck, held, 1);
    t->waits = ratio(waits, made, 0);
}

void chain_read(const chain_shape *s, const double *p, const double *shares,
                const heads_reading *before, chain_tally *t)
{
    double won[HEADS_WIDTH][HEADS_MOST_LEVELS] = {{0}}, empty = 0, starts = 0;
    double there[CHAIN_MOST_ROOM + 1][2] = {{0}};
    double moved[HEADS_WIDTH][HEADS_MOST_LEVELS][2][2] = {{{{0}}}};

    for (int u = 0; u <= s->before; u++)
        for (int n = 0; n <= s->room; n++)
            for (int head = 0; head < (n ? heads_of(s) : 1); head++) {
                double q = p[at(s, u, n, head)], in = comes(s, before, u, n);
                double w = n ? wins(s, t, shares, n, head) : 0;
                int v = head / s->ahead + 1, c = head % s->ahead;
                t->packets += q * n;
                t->accepted += q * in;
                t->sent += q * w;
                bool blocked = n && s->ahead > 1 && c == 0;
                there[n][blocked] += q, t->comes[n][blocked] += q * in;
                t->waiting += before ? q * u : u > 0 ? q : 0;
                t->occupied += n ? q : 0;
                t->blocked += blocked ? q : 0;
                if (n) {
                    won[v][c] += q * w;
                    t->follows[v][c] += q * w * (n > 1 ? 1 : in);
                } else
                    empty += q, starts += q * in;
                for (int came = 0; before && came < 2; came++) {
                    double x = q * (came ? in : 1 - in);
                    for (int went = 0; went < 2; went++) {
                        int frees = level(s, n + came - went) > level(s, n) - came;
                        moved[u][level(s, n)][came][frees] += x * (went ? w : 1 - w);
                    }
                }
            }
    for (int n = 0; n <= s->room; n++)
        for (int b = 0; b < 2; b++)
            t->comes[n][b] = ratio(t->comes[n][b], there[n][b], 0);
    t->arrives = ratio(starts, empty, 0);
    for (int v = 1; v <= s->ports; v++)
        for (int c = 0; c < s->ahead; c++)
            t->follows[v][c] = ratio(t->follows[v][c], won[v][c], 1);
    for (int u = 0; before && u <= s->before; u++)
        for (int c = 0; c < s->levels; c++)
            for (int came = 0; came < 2; came++) {
                const double *m = moved[u][c][came];
                t->frees[u][c][came] = ratio(m[1], m[0] + m[1], 1);
            }
    if (!before)
        read_source(s, p, t);
}

/* The events before the queue. */
typedef struct feed {
    int count, u[4 * HEADS_WIDTH], came[4 * HEADS_WIDTH];
    double p[4 * HEADS_WIDTH];
} feed;

static void add(feed *f, int u, int came, double p)
{
    if (p <= 0)
        return;
    f->u[f->count] = u, f->came[f->count] = came;
    f->p[f->count++] = p;
}

static feed feed_source(const chain_shape *s, const chain_tally *t, int u, bool full)
{
    feed f = {0};
    double mine = s->load / s->ports, other = s->load - mine;

    if (u == HOLDS_MINE)
        add(&f, full ? HOLDS_MINE : IDLE, !full, 1);
    if (u == HOLDS_OTHER) {
        add(&f, IDLE, 0, t->goes);
        add(&f, HOLDS_OTHER, 0, 1 - t->goes);
    }
    if (u == IDLE) {
        add(&f, full ? HOLDS_MINE : IDLE, !full, mine);
        add(&f, HOLDS_OTHER, 0, other * t->waits);
        add(&f, IDLE, 0, 1 - s->load + other * (1 - t->waits));
    }
    return f;
}

static feed feed_heads(const chain_shape *s, const heads_reading *before, int u, int n)
{
    feed f = {0};
    int c = level(s, n);

    for (int came = 0; came < 2; came++) {
        double in = comes(s, before, u, n), w = came ? in : 1 - in;
        double again = came ? before->follows[u][c] * before->same : 0;
        for (int j = 0; w > 0 && u - came + j <= s->before; j++) {
            double q = w * before->fresh[u][c][came][j];
            add(&f, u - came + j, came, q * (1 - again));
            if (again > 0)
                add(&f, u - came + j + 1, came, q * again);
        }
    }
    return f;
}

/* The fate of a head, by class: the head stays, with new rivals and room; or it is sent, and the
 * next head wants the same queue, with these rivals. */
typedef struct fate {
    double stays[HEADS_MOST_CLASSES], same[HEADS_MOST_CLASSES], sent;
} fate;

static void meet(const chain_shape *s, const heads_reading *ahead, const chain_tally *behind, int v,
                 int c, int sent, int others, double p, double *to)
{
    double frees = s->ahead == 1 ? 0 : behind->frees[v][c][sent];

    for (int f = 0; p > 0 && f < 2; f++) {
        int room = s->ahead == 1 ? 0 : c - sent + f;
        double q = p * (f ? frees : 1 - frees);
        if (q <= 0 || room >= s->ahead)
            continue;
        for (int j = 0; others + j < s->ports; j++)
            to[(others + j) * s->ahead + room] += q * ahead->fresh[v][c][sent][j];
    }
}

static fate fate_of(const chain_shape *s, const heads_reading *ahead, const chain_tally *behind,
                    double w, int head)
{
    fate f = {.sent = w};
    int v = head / s->ahead + 1, c = head % s->ahead;
    double mean = ahead->served[v][c] / v, again = ahead->follows[v][c] * ahead->same;
    /* if the head is not sent, a rival may be sent, whatever the head's own probability was */
    double rival = mean < 1 ? (1 - w) * mean * (v - 1) / (1 - mean) : 0;

    meet(s, ahead, behind, v, c, 1, v - 1, w, f.same);
    meet(s, ahead, behind, v, c, 1, v - 2, rival * (1 - again), f.stays);
    meet(s, ahead, behind, v, c, 1, v - 1, rival * again, f.stays);
    meet(s, ahead, behind, v, c, 0, v - 1, 1 - w - rival, f.stays);
    return f;
}

void chain_step(const chain_shape *s, const double *p, const double *shares,
                const heads_reading *before, const heads_reading *ahead, const chain_tally *t,
                const chain_tally *behind, double *next, chain_heads *fates)
{
    double sum[3][2] = {{0}}, met = 0; /* after a win, stays open, stays blocked */
    double fresh[HEADS_WIDTH][CHAIN_MOST_ROOM + 1] = {{0}};
    int heads = heads_of(s);

    memset(next, 0, chain_states(s) * sizeof *next);
    for (int u = 0; u <= s->before; u++)
        for (int n = 0; n <= s->room; n++) {
            feed in = before ? feed_heads(s, before, u, n) : feed_source(s, t, u, n == s->room);
            for (int head = 0; head < (n ? heads : 1); head++) {
                double q = p[at(s, u, n, head)];
                if (q <= 0)
                    continue;
                fate f = {0};
                if (n)
                    f = fate_of(s, ahead, behind, wins(s, t, shares, n, head), head);
                bool open = s->ahead == 1 || head % s->ahead > 0;
                for (int z = 0; n && z < heads; z++) {
                    bool blocked = s->ahead > 1 && z % s->ahead == 0;
                    sum[open ? 1 : 2][blocked] += q * f.stays[z];
                    sum[0][blocked] +=
                        q * (ahead->same * f.same[z] +
                             (1 - ahead->same) * f.sent * ahead->met[z / s->ahead][z % s->ahead]);
                }
                for (int i = 0; i < in.count; i++) {
                    double x = q * in.p[i];
                    int to = n + in.came[i], v = in.u[i];
                    for (int z = 0; n && z < heads; z++)
                        next[at(s, v, to, z)] += x * f.stays[z];
                    if (n == 0 && to > 0)
                        fresh[v][to] += x;
                    else if (to - 1 <= 0)
                        next[at(s, v, 0, 0)] += x * (n ? f.sent : 1);
                    else {
                        fresh[v][to - 1] += x * f.sent * (1 - ahead->same);
                        for (int z = 0; z < heads; z++)
                            next[at(s, v, to - 1, z)] += x * ahead->same * f.same[z];
                    }
                }
            }
        }
    for (int u = 0; u <= s->before; u++)
        for (int n = 1; n <= s->room; n++)
            for (int z = 0; fresh[u][n] > 0 && z < heads; z++)
                next[at(s, u, n, z)] += fresh[u][n] * ahead->met[z / s->ahead][z % s->ahead];
    link_normalise(next, chain_states(s));
    for (int h = 0; s->ahead > 1 && h < s->ports; h++)
        met += ahead->met[h][0];
    *fates = (chain_heads){ratio(sum[0][1], sum[0][0] + sum[0][1], met), met,
                           ratio(sum[1][1], sum[1][0] + sum[1][1], 0),
                           ratio(sum[2][0], sum[2][0] + sum[2][1], 1)};
}
