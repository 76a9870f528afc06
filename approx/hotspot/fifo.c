/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FIFO buffers in a network with a hot spot: packets, the output that the head wants (hot or cold),
 * and its rivals there.
 */
#include "approx/hotspot/class.h"

#include <math.h>
#include <string.h>

typedef struct fifo {
    hot_class *c;
    hot_chain *chain;
    double offer, share[TYPES];
    hot_steps steps[TYPES];
} fifo;

static int first_type(const hot_class *c)
{
    return c->hot ? HOT : COLD;
}

static int at(const hot_class *c, int packets, int type, int rivals)
{
    int types = c->hot ? 2 : 1;

    return packets == 0 ? 0
                        : 1 + ((packets - 1) * types + type - first_type(c)) * c->ports + rivals;
}

static void size(const hot_class *c, double *states, double *reach)
{
    int types = c->hot ? 2 : 1;

    *states = 1 + (double)c->slots * types * c->ports;
    *reach = 2 * types * c->ports;
}

/* Add a new head, which wants another output than the last head, of type `old` (TYPES: there was
 * none). */
static void fresh_head(const fifo *f, int from, int packets, int old, double p)
{
    for (int t = first_type(f->c); t < TYPES; t++) {
        double share = f->share[t] * (t == old ? 1 - 1.0 / hot_outputs(f->c, t) : 1);

        for (int h = 0; h < f->c->ports; h++)
            hot_chain_add(f->chain, from, at(f->c, packets, t, h),
                          p * share * f->c->rivals[t].see[h]);
    }
}

static void step_from(const fifo *f, int n, int t, int h)
{
    const hot_class *c = f->c;
    const int from = at(c, n, t, h);
    double open = c->open[t][HOT], mine = open / (h + 1) * hot_fair(&c->rivals[t]),
           theirs = open * h / (h + 1);

    for (int arrives = 0; arrives < 2; arrives++) {
        double p = arrives ? f->offer : 1 - f->offer, again = f->share[t] / hot_outputs(c, t);
        int kept = n + (arrives && n < c->slots);
        int left = n - 1 + (arrives && (n < c->slots || c->same));

        for (int to = 0; to < c->ports; to++) {
            hot_chain_add(f->chain, from, at(c, kept, t, to),
                          p * (theirs * f->steps[t].gone[h][to] +
                               (1 - mine - theirs) * f->steps[t].still[h][to]));
            if (left > 0)
                hot_chain_add(f->chain, from, at(c, left, t, to),
                              p * mine * again * f->steps[t].still[h][to]);
        }
        if (left > 0)
            fresh_head(f, from, left, t, p * mine);
        else
            hot_chain_add(f->chain, from, 0, p * mine);
    }
}

/* Measure the class from the distribution. */
static void measure(const fifo *f)
{
    hot_class *c = f->c;
    const double *pi = f->chain->pi;
    double wanting[TYPES][SWQ_CHAIN_PORTS] = {{0}}, want[TYPES] = {0}, sends[TYPES] = {0};
    double goes_on[TYPES] = {0}, sends_at[TYPES][SWQ_CHAIN_PORTS] = {{0}},
           goes_on_at[TYPES][SWQ_CHAIN_PORTS] = {{0}}, behind = 0, room = pi[0],
           new_heads = pi[0] * f->offer;
    double new_after[TYPES] = {0};

    for (int n = 1; n <= c->slots; n++)
        for (int t = first_type(c); t < TYPES; t++)
            for (int h = 0; h < c->ports; h++) {
                double p = pi[at(c, n, t, h)];
                double mine = p * c->open[t][HOT] / (h + 1) * hot_fair(&c->rivals[t]);
                double more = n > 1 ? 1 : n < c->slots || c->same ? f->offer : 0;

                wanting[t][h] += p / hot_outputs(c, t);
                want[t] += p;
                sends[t] += mine;
                goes_on[t] += mine * more;
                sends_at[t][h] += mine;
                goes_on_at[t][h] += mine * more;
                behind += p * (n - 1);
                room += n < c->slots ? p : c->same ? mine : 0;
            }
    c->admit[HOT] = c->admit[COLD] = room;
    for (int t = first_type(c); t < TYPES; t++) {
        new_after[t] = goes_on[t];
        new_heads += goes_on[t];
    }
    for (int t = first_type(c); t < TYPES; t++) {
        int outputs = hot_outputs(c, t);
        double share = f->share[t] / outputs, served[SWQ_CHAIN_PORTS];

        c->held[t] = want[t] + f->share[t] * behind;
        c->sent[t][HOT] = c->ports * sends[t] / outputs * (t == HOT ? c->next_hot : 0);
        c->sent[t][COLD] = c->ports * sends[t] / outputs - c->sent[t][HOT];
        hot_rivals_stay(c->ports, goes_on_at[t], sends_at[t], c->rivals[t].stay);
        for (int h = 0; h < c->ports; h++)
            c->rivals[t].stay[h] *= share; /* the next head also wants this output */
        c->rivals[t].join =
            fmin(1, share * (new_heads - new_after[t] / outputs) / (1 - want[t] / outputs));
        for (int u = 0; u < c->ports; u++)
            served[u] = u > 0 ? c->open[t][HOT] : 0;
        double claimed = 0;
        for (int h = 0; h < c->ports; h++)
            claimed += c->ports * wanting[t][h] / (h + 1);
        c->rivals[t].claim = claimed;
        hot_rivals_see(c->ports, wanting[t], served, &f->steps[t], c->rivals[t].see);
    }
    double busy = 1 - pi[0], sent = sends[HOT] + sends[COLD];
    c->blocked = busy > 0 ? 1 - sent / busy : 0;
}

static void solve(hot_class *c, hot_chain *chain)
{
    fifo f = {.c = c, .chain = chain, .offer = c->offer[HOT] + c->offer[COLD]};
    double states, reach;

    size(c, &states, &reach);
    hot_chain_start(chain, (int)states, (int)reach);
    for (int t = 0; t < TYPES; t++) {
        f.share[t] = f.offer > 0 ? c->offer[t] / f.offer : 0;
        hot_rivals_steps(c->ports, &c->rivals[t], &f.steps[t]);
    }
    hot_chain_add(chain, 0, 0, 1 - f.offer);
    fresh_head(&f, 0, 1, TYPES, f.offer);
    for (int n = 1; n <= c->slots; n++)
        for (int t = first_type(c); t < TYPES; t++)
            for (int h = 0; h < c->ports; h++)
                step_from(&f, n, t, h);
    hot_chain_solve(chain);
    measure(&f);
}

const hot_family hot_fifo = {.size = size, .solve = solve};
