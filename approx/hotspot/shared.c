/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DAMQ buffers in a network with a hot spot: packets for one output (the hot one; off the tree, any
 * one), the inputs that compete for it, and packets for the others.
 */
#include "approx/hotspot/class.h"

#include <math.h>
#include <string.h>

/* With more slots, chains have too many states for elimination anyway. */
enum { MOST_SLOTS = 64 };

/* The queues of one input. Packets for the other outputs are spread over these outputs
 * independently. */
typedef struct shared {
    hot_class *c;
    hot_chain *chain;
    int one;                  /* type of the output that is followed */
    double offer, offer_rest; /* packets offered per cycle for the followed output, and for all
                                 others */
    double idle[MOST_SLOTS +
                1]; /* [n]: P(no queue for another output can send | n packets in these queues) */
    double longer[MOST_SLOTS + 1][MOST_SLOTS + 1]; /* [a][n]: P(the followed queue is the longest |
                                                      a packets in it, n in all others) */
    hot_steps steps;
} shared;

static int at(const hot_class *c, int one, int rest, int rivals)
{
    int n = one + rest;

    return n + c->ports * n * (n - 1) / 2 + (one > 0 ? 1 + (one - 1) * c->ports + rivals : 0);
}

static void size(const hot_class *c, double *states, double *reach)
{
    double n = c->slots, k = c->ports;

    *states = n + 1 + k * (n + 1) * n / 2;
    *reach = 2 + (2 * n - 1) * k;
    if (c->slots > MOST_SLOTS)
        *states = INFINITY;
}

/* chance[n] = P(none of `queues` queues has more than `most` of n packets), n = 0 .. slots. */
static void none_longer(int queues, int most, int slots, double *chance)
{
    for (int n = 0; n <= slots; n++)
        chance[n] = n <= most;
    for (int q = 2; q <= queues; q++)
        for (int n = slots; n >= 0; n--) {
            double sum = 0, term = pow(1 - 1.0 / q, n); /* i of n packets are in the new queue */

            for (int i = 0; i <= n && i <= most; i++) {
                sum += term * chance[n - i];
                term *= (double)(n - i) / (i + 1) / (q - 1);
            }
            chance[n] = sum;
        }
}

/* The other queues: the distribution of the number that can send, each with probability `can`, and
 * P(none of n packets is in a queue that can send). */
static void describe(shared *s)
{
    const hot_class *c = s->c;
    const int others = c->ports - 1;
    double can = c->rivals[COLD].pick, chance[MOST_SLOTS + 1], last[MOST_SLOTS + 1] = {0};

    for (int n = 0; n <= c->slots; n++) {
        double term = pow(1 - can, others), left;

        s->idle[n] = 0;
        for (int r = 0; r <= others; r++) {
            left = 1 - (double)r / others;
            s->idle[n] += term * (n > 0 ? pow(left, n) : 1);
            term *= can < 1 ? (double)(others - r) / (r + 1) * can / (1 - can) : 0;
        }
        if (can >= 1)
            s->idle[n] = n == 0;
    }
    for (int a = 0; a <= c->slots; a++) {
        none_longer(others, a, c->slots, chance);
        for (int n = 0; n <= c->slots; n++) {
            s->longer[a][n] = a > 0 ? (chance[n] + last[n]) / 2 : 0; /* half of the ties count */
            last[n] = chance[n];
        }
    }
}

/* The events of an input's cycle: the input sends to the followed output, it sends to another
 * output, a rival sends to the followed output. */
typedef struct turn {
    double one, rest, rival;
} turn;

static turn turn_of(const shared *s, int a, int n, int h)
{
    const hot_class *c = s->c;
    double take = c->rivals[s->one].take, open = c->open[s->one][s->one];
    double idle = s->idle[n], pick = idle + (1 - idle) * s->longer[a][n];
    double can = a > 0 ? open * hot_turn(h, take) : 0, none = 1;

    for (int i = 0; i < h; i++)
        none *= 1 - take;
    double one = can * pick;
    double rival = a > 0 ? fmax(open * (1 - (1 - pick) * none) - one, 0) : 0;

    one *= hot_fair(&c->rivals[s->one]);
    return (turn){one, (1 - can) * (1 - idle) + can * (1 - pick), rival};
}

/* Add the transitions from a state in which, with probability p, a packet arrives for the followed
 * output (in_one 1), for another one (in_rest 1) or not at all, together with the departures of the
 * cycle. */
static void move(const shared *s, int a, int n, int h, int in_one, int in_rest, double p)
{
    const hot_class *c = s->c;
    const int from = at(c, a, n, h);
    const turn t = turn_of(s, a, n, h);
    const double sends[3] = {1 - t.one - t.rest, t.one, t.rest};

    for (int what = 0; what < 3; what++) {
        int taken = a + n < c->slots || (c->same && what > 0);
        int to_one = a - (what == 1) + in_one * taken, to_rest = n - (what == 2) + in_rest * taken;
        double q = p * sends[what], gone = what == 1 || t.one >= 1 ? 0 : t.rival / (1 - t.one);

        if (q <= 0)
            continue;
        if (to_one == 0) {
            hot_chain_add(s->chain, from, at(c, 0, to_rest, 0), q);
            continue;
        }
        for (int v = 0; v < c->ports; v++)
            hot_chain_add(
                s->chain, from, at(c, to_one, to_rest, v),
                q * (a == 0 ? c->rivals[s->one].see[v]
                            : gone * s->steps.gone[h][v] + (1 - gone) * s->steps.still[h][v]));
    }
}

/* The probability that a queue for another output can send, from the mean number of such queues. */
static double others_can(const hot_class *c, double queues, double sent)
{
    double wants = queues / (c->ports - 1), chance[SWQ_CHAIN_PORTS] = {1}, sum = 0;
    double take = queues * c->rivals[COLD].pick > 0 ? sent / (queues * c->rivals[COLD].pick) : 1;

    for (int i = 1; i < c->ports; i++)
        for (int j = i; j >= 0; j--)
            chance[j] = chance[j] * (1 - wants) + (j > 0 ? chance[j - 1] * wants : 0);
    for (int j = 0; j < c->ports; j++)
        sum += chance[j] * hot_turn(j, fmin(take, 1));
    return c->open[COLD][COLD] * sum;
}

static void measure(const shared *s)
{
    hot_class *c = s->c;
    hot_rivals *r = &c->rivals[s->one];
    const double *pi = s->chain->pi;
    double wanting[SWQ_CHAIN_PORTS] = {0}, sends_at[SWQ_CHAIN_PORTS] = {0};
    double goes_on_at[SWQ_CHAIN_PORTS] = {0}, served[SWQ_CHAIN_PORTS];
    double sent_one = 0, sent_rest = 0, admit = 0, held_one = 0, held_rest = 0, queues = 0,
           busy = 0;
    double picks = 0, turns = 0, wants = 0, open = c->open[s->one][s->one];

    for (int a = 0; a <= c->slots; a++)
        for (int n = 0; a + n <= c->slots; n++)
            for (int h = 0; h < (a > 0 ? c->ports : 1); h++) {
                double p = pi[at(c, a, n, h)], idle = s->idle[n];
                turn t = turn_of(s, a, n, h);
                int room = a + n < c->slots;

                sent_one += p * t.one;
                sent_rest += p * t.rest;
                held_one += p * a;
                held_rest += p * n;
                admit += room ? p : c->same ? p * (t.one + t.rest) : 0;
                queues += p * (c->ports - 1) * (1 - pow(1 - 1.0 / (c->ports - 1), n));
                busy += a + n > 0 ? p : 0;
                if (a == 0)
                    continue;
                wanting[h] += p;
                wants += p;
                sends_at[h] += p * t.one;
                goes_on_at[h] += p * t.one * (a > 1 ? 1 : room || c->same ? s->offer : 0);
                picks += p * hot_turn(h, r->take) * (idle + (1 - idle) * s->longer[a][n]);
                turns += p * hot_turn(h, r->take);
            }
    c->admit[HOT] = c->admit[COLD] = admit;
    c->blocked = busy > 0 ? 1 - (sent_one + sent_rest) / busy : 0;
    for (int u = 0; u < c->ports; u++) {
        double none = 1;

        for (int i = 0; i < u; i++)
            none *= 1 - r->take;
        served[u] = open * (1 - none);
    }
    hot_rivals_stay(c->ports, goes_on_at, sends_at, r->stay);
    r->claim = open > 0 ? c->ports * sent_one / hot_fair(r) / open : 1;
    r->join = s->offer * admit; /* accepted if there is room */
    hot_rivals_see(c->ports, wanting, served, &s->steps, r->see);
    memset(c->sent, 0, sizeof c->sent);
    if (c->hot) {
        c->rivals[COLD].pick = others_can(c, queues, sent_rest);
        c->held[HOT] = held_one;
        c->held[COLD] = held_rest;
        c->sent[HOT][HOT] = c->ports * sent_one * c->next_hot;
        c->sent[HOT][COLD] = c->ports * sent_one * (1 - c->next_hot);
        c->sent[COLD][COLD] = c->ports * sent_rest / (c->ports - 1);
        r->take = turns > 0 ? picks / turns : 1;
    } else {
        double take = turns > 0 ? picks / turns : 1;

        c->held[COLD] = held_one + held_rest;
        c->sent[COLD][COLD] = c->ports * sent_one;
        r->pick = wants > 0 ? open * turns / wants : open;
        r->take = take;
    }
}

static void solve(hot_class *c, hot_chain *chain)
{
    shared s = {.c = c, .chain = chain, .one = c->hot ? HOT : COLD};
    double states, reach;

    s.offer = c->hot ? c->offer[HOT] : c->offer[COLD] / c->ports;
    s.offer_rest = c->hot ? c->offer[COLD] : c->offer[COLD] - s.offer;
    hot_rivals_steps(c->ports, &c->rivals[s.one], &s.steps);
    describe(&s);
    size(c, &states, &reach);
    hot_chain_start(chain, (int)states, (int)reach);
    for (int a = 0; a <= c->slots; a++)
        for (int n = 0; a + n <= c->slots; n++)
            for (int h = 0; h < (a > 0 ? c->ports : 1); h++) {
                move(&s, a, n, h, 1, 0, s.offer);
                move(&s, a, n, h, 0, 1, s.offer_rest);
                move(&s, a, n, h, 0, 0, 1 - s.offer - s.offer_rest);
            }
    hot_chain_solve(chain);
    measure(&s);
}

const hot_family hot_shared = {.size = size, .solve = solve};
