/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A central pool (CBDA) in a network with a hot spot. On the tree, the chain's state is the number
 * of packets for the hot output and for all others; off the tree, it is the number of all packets.
 * The number of other queues that hold packets is estimated as if queues were independent given
 * their total (Kamoun and Kleinrock, 1980).
 */
#include "approx/hotspot/class.h"

#include <math.h>
#include <string.h>

enum {
    MOST_SLOTS = 256,
    MOST_AT_ONCE = 12 /* arrivals at one queue in a cycle; at a Poisson rate of one there are more
                         once in 10^10 cycles */
};

/* Packets in the other queues are counted up to a number that is exceeded with a smaller
 * probability than this. */
#define RARE 1e-11

typedef struct pool {
    hot_class *c;
    hot_chain *chain;
    int queues;                       /* number of queues that are counted together */
    double share;                     /* fraction of arriving packets that are for the hot output */
    double some[SWQ_CHAIN_PORTS + 1]; /* P([n] packets are offered) */
    double others[SWQ_CHAIN_PORTS];   /* P([n] packets are offered besides a given one) */
    double leave[MOST_SLOTS + 1]
                [SWQ_CHAIN_PORTS + 1]; /* [n][d]: P(d leave the queues | n in them) */
    double busy[MOST_SLOTS + 1];       /* mean number of queues with packets */
    int most;                          /* most packets in these queues, almost never exceeded */
} pool;

static void size(const hot_class *c, double *states, double *reach)
{
    double m = c->slots;

    *states = c->slots > MOST_SLOTS ? INFINITY : (m + 1) * (m + 1);
    *reach = (m + 1) * (c->ports + 1);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void binomial(int n, double p, double *chance)
{
    memset(chance, 0, (size_t)(n + 1) * sizeof *chance);
    chance[0] = 1;
    for (int i = 1; i <= n; i++)
        for (int j = i; j >= 0; j--)
            chance[j] = chance[j] * (1 - p) + (j > 0 ? chance[j - 1] * p : 0);
}

static double offered(const hot_class *c)
{
    return c->offer[HOT] + c->offer[COLD];
}

/* Distribution of one queue by itself, with all of the pool's slots. Arrivals are Poisson: given
 * the number of packets for all queues, each of them is for any queue with equal probability. */
static void alone(const pool *p, double *weight)
{
    const hot_class *c = p->c;
    const int reach = least(c->slots, MOST_AT_ONCE);
    double rate = c->ports * c->offer[COLD] * c->admit[COLD] / p->queues;
    double open = c->open[COLD][COLD];

    hot_chain_start(p->chain, c->slots + 1, reach);
    for (int n = 0; n <= c->slots; n++)
        for (int sends = 0; sends < 2; sends++) {
            double chance = (n == 0 ? !sends : sends ? open : 1 - open) * exp(-rate);
            int left = n - (n > 0 && sends);

            for (int j = 0; j <= reach - (n > left); j++, chance *= rate / j)
                hot_chain_add(p->chain, n, least(left + j, c->slots), chance);
        }
    hot_chain_solve(p->chain);
    memcpy(weight, p->chain->pi, (size_t)(c->slots + 1) * sizeof *weight);
}

/* Distribution of the number of queues that have packets, and so send, given their total. */
static void describe(pool *p)
{
    const hot_class *c = p->c;
    double weight[MOST_SLOTS + 1], come[SWQ_CHAIN_PORTS + 1];

    alone(p, weight);
    memset(p->leave, 0, sizeof p->leave);
    p->leave[0][0] = 1; /* until the end, `leave` holds weights by number of queues with packets */
    for (int q = 1; q <= p->queues; q++)
        for (int n = c->slots; n >= 0; n--)
            for (int j = q < n ? q : n; j >= 0; j--) {
                double sum = weight[0] * p->leave[n][j];

                for (int i = 1; j > 0 && i <= n; i++)
                    sum += weight[i] * p->leave[n - i][j - 1];
                p->leave[n][j] = sum;
            }
    p->most = 0;
    for (int n = 0; n <= c->slots; n++) {
        double total = 0, out[SWQ_CHAIN_PORTS + 1] = {0};

        p->busy[n] = 0;
        for (int j = 0; j <= p->queues; j++) {
            total += p->leave[n][j];
            p->busy[n] += j * p->leave[n][j];
        }
        if (total > RARE)
            p->most = n;
        if (!(total > 0)) { /* too rare for a double: assume that all queues have packets */
            total = p->leave[n][p->queues] = 1;
            p->busy[n] = p->queues;
        }
        p->busy[n] /= total;
        for (int j = 0; j <= p->queues; j++) {
            binomial(j, c->open[COLD][COLD], come);
            for (int d = 0; d <= j; d++)
                out[d] += p->leave[n][j] / total * come[d];
        }
        memcpy(p->leave[n], out, sizeof out);
    }
}

/* P(`packets` of those offered are accepted | `room` free slots). */
static double taken(const pool *p, int room, int packets)
{
    double sum = p->some[packets];

    if (packets > room)
        return 0;
    for (int j = packets + 1; packets == room && j <= p->c->ports; j++)
        sum += p->some[j];
    return sum;
}

/* P(an offered packet is accepted | `room` free slots). */
static double chance_of(const pool *p, int room)
{
    double sum = 0;

    if (room >= p->c->ports)
        return 1;
    for (int j = 0; j < p->c->ports; j++)
        sum += p->others[j] * fmin(1, (double)room / (j + 1));
    return sum;
}

static int at(const pool *p, int hot, int others)
{
    return hot * (p->most + 1) + others;
}

/* Departures, and then arrivals, as far as there is room. */
static void leave_and_arrive(const pool *p, int hot, int n, int sends, int d, double chance,
                             double (*types)[SWQ_CHAIN_PORTS + 1])
{
    const hot_class *c = p->c;
    int from = at(p, hot, n), room = c->slots - hot - n + (c->same ? d + sends : 0);

    room = least(room, c->ports);
    for (int a = 0; chance > 0 && a <= room; a++)
        for (int h = 0; h <= a; h++)
            hot_chain_add(p->chain, from, at(p, hot - sends + h, least(n - d + a - h, p->most)),
                          chance * taken(p, room, a) * types[a][h]);
}

static void build(const pool *p)
{
    const hot_class *c = p->c;
    double types[SWQ_CHAIN_PORTS + 1][SWQ_CHAIN_PORTS + 1] = {{0}}, open = c->open[HOT][HOT];

    for (int a = 0; a <= c->ports; a++)
        binomial(a, p->share, types[a]);
    hot_chain_start(p->chain, (c->slots + 1) * (p->most + 1), (c->ports + 1) * (p->most + 1));
    for (int hot = 0; hot <= c->slots; hot++)
        for (int n = 0; n <= p->most; n++) {
            if (hot + n > c->slots) { /* there is no such state */
                hot_chain_add(p->chain, at(p, hot, n), at(p, hot - 1, n), 1);
                continue;
            }
            for (int d = 0; d <= least(n, p->queues); d++) {
                double sends = hot > 0 ? open : 0;

                leave_and_arrive(p, hot, n, 0, d, p->leave[n][d] * (1 - sends), types);
                if (hot > 0)
                    leave_and_arrive(p, hot, n, 1, d, p->leave[n][d] * sends, types);
            }
        }
}

static void solve_on_tree(pool *p)
{
    hot_class *c = p->c;
    const double open = c->open[HOT][HOT];
    double some_hot = 0, busy = 0, sent = 0, admit = 0;

    build(p);
    hot_chain_solve(p->chain);
    c->held[HOT] = c->held[COLD] = 0;
    for (int hot = 0; hot <= c->slots; hot++)
        for (int n = 0; n <= least(p->most, c->slots - hot); n++) {
            double q = p->chain->pi[at(p, hot, n)], sends = hot > 0 ? open : 0;
            int room = c->slots - hot - n;

            some_hot += hot > 0 ? q : 0;
            busy += q * p->busy[n];
            c->held[HOT] += q * hot / c->ports;
            c->held[COLD] += q * n / c->ports;
            for (int d = 0; d <= least(n, p->queues); d++) {
                double all = q * p->leave[n][d];

                sent += all * d;
                admit += c->same ? all * (sends * chance_of(p, room + d + 1) +
                                          (1 - sends) * chance_of(p, room + d))
                                 : all * chance_of(p, room);
            }
        }
    c->admit[HOT] = c->admit[COLD] = admit;
    c->sent[HOT][HOT] = some_hot * open * c->next_hot;
    c->sent[HOT][COLD] = some_hot * open * (1 - c->next_hot);
    c->sent[COLD][COLD] = sent / p->queues;
    c->blocked = some_hot + busy > 0 ? 1 - (some_hot * open + sent) / (some_hot + busy) : 0;
}

static void solve_off_tree(pool *p)
{
    hot_class *c = p->c;
    double busy = 0, sent = 0, admit = 0, held = 0;

    hot_chain_start(p->chain, c->slots + 1, c->ports);
    for (int n = 0; n <= c->slots; n++)
        for (int d = 0; d <= least(n, p->queues); d++) {
            int room = least(c->slots - n + (c->same ? d : 0), c->ports);

            for (int a = 0; a <= room; a++)
                hot_chain_add(p->chain, n, n - d + a, p->leave[n][d] * taken(p, room, a));
        }
    hot_chain_solve(p->chain);
    for (int n = 0; n <= c->slots; n++)
        for (int d = 0; d <= least(n, p->queues); d++) {
            double q = p->chain->pi[n] * p->leave[n][d];

            sent += q * d;
            held += q * n;
            busy += q * p->busy[n];
            admit += q * chance_of(p, c->slots - n + (c->same ? d : 0));
        }
    c->admit[HOT] = c->admit[COLD] = admit;
    c->held[COLD] = held / c->ports;
    c->sent[COLD][COLD] = sent / p->queues;
    c->blocked = busy > 0 ? 1 - sent / busy : 0;
}

static void solve(hot_class *c, hot_chain *chain)
{
    pool p = {.c = c, .chain = chain, .queues = hot_outputs(c, COLD)};

    p.share = offered(c) > 0 ? c->offer[HOT] / offered(c) : 0;
    binomial(c->ports, offered(c), p.some);
    binomial(c->ports - 1, offered(c), p.others);
    c->admit[COLD] = c->rivals[COLD].take;
    describe(&p);
    if (c->hot)
        solve_on_tree(&p);
    else
        solve_off_tree(&p);
    c->rivals[COLD].take = c->admit[COLD];
}

const hot_family hot_pool = {.size = size, .solve = solve};
