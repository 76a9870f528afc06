/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAMQ and SAFC buffers in a network with a hot spot: one queue, the queue of the next switch that
 * its head will join (the queue for the hot output or another one), and the other inputs that want
 * the same output. A single read port (SAMQ) is shared with the other queues of the buffer.
 */
#include "approx/hotspot/class.h"

#include <string.h>

typedef struct hot_queue {
    hot_class *c;
    hot_chain *chain;
    int type, slots, nexts; /* nexts: kinds of queues behind */
    double offer;
    hot_steps steps;
} hot_queue;

static int slots_of(const hot_class *c)
{
    return c->buffer->queue_max;
}

static int at(const hot_queue *q, int packets, int next, int rivals)
{
    return packets == 0 ? 0 : 1 + ((packets - 1) * q->nexts + next) * q->c->ports + rivals;
}

static void size(const hot_class *c, double *states, double *reach)
{
    *states = 1 + (double)slots_of(c) * TYPES * c->ports;
    *reach = 2 * TYPES * c->ports;
}

static double share(const hot_queue *q, int next)
{
    if (q->nexts == 1)
        return 1;
    return next == HOT ? q->c->next_hot : 1 - q->c->next_hot;
}

/* P(the queue behind, for which a head waits, has room); behind cold outputs all queues are
 * alike. */
static double open(const hot_queue *q, int next)
{
    return q->c->open[q->type][q->nexts == 1 ? COLD : next];
}

/* One queue behind is considered explicitly: the queue for the hot output, or, for a cold output,
 * the queue that the head in question will join. Whether it has room is the same for all heads that
 * wait for it; other queues behind have room independently. take[room]: P(a rival takes the output
 * in its turn). */
static double watch(const hot_queue *q, double *take)
{
    const hot_rivals *r = &q->c->rivals[q->type];
    double same = q->nexts == 1 ? 1.0 / q->c->ports : r->take;
    double other = (1 - same) * open(q, COLD);

    take[0] = other * r->pick;
    take[1] = (same + other) * r->pick;
    return open(q, HOT);
}

static double none_of(int rivals, double take)
{
    double none = 1;

    while (rivals-- > 0)
        none *= 1 - take;
    return none;
}

/* P(a head whose next type is `next` is sent), and P(a rival's head is sent). */
static void turns(const hot_queue *q, int next, int h, double *mine, double *theirs)
{
    double take[2], room = watch(q, take), anyone = 0;

    *mine = 0;
    for (int has_room = 0; has_room < 2; has_room++) {
        double p = has_room ? room : 1 - room;
        double me = q->c->rivals[q->type].pick * (next == HOT ? has_room : open(q, COLD));

        *mine += p * me * hot_turn(h, take[has_room]);
        anyone += p * (1 - (1 - me) * none_of(h, take[has_room]));
    }
    *theirs = anyone - *mine;
    *mine *= hot_fair(&q->c->rivals[q->type]);
}

static void new_head(const hot_queue *q, int from, int packets, const double *rivals, double p)
{
    for (int next = 0; next < q->nexts; next++)
        for (int h = 0; h < q->c->ports; h++)
            hot_chain_add(q->chain, from, at(q, packets, next, h), p * share(q, next) * rivals[h]);
}

static void step_from(const hot_queue *q, int n, int next, int h)
{
    const int from = at(q, n, next, h);
    double mine, theirs;

    turns(q, next, h, &mine, &theirs);
    for (int arrives = 0; arrives < 2; arrives++) {
        double p = arrives ? q->offer : 1 - q->offer;
        int kept = n + (arrives && n < q->slots);
        int left = n - 1 + (arrives && (n < q->slots || q->c->same));

        for (int to = 0; to < q->c->ports; to++)
            hot_chain_add(
                q->chain, from, at(q, kept, next, to),
                p * (theirs * q->steps.gone[h][to] + (1 - mine - theirs) * q->steps.still[h][to]));
        if (left > 0)
            new_head(q, from, left, q->steps.still[h], p * mine);
        else
            hot_chain_add(q->chain, from, 0, p * mine);
    }
}

/* Measure the queue from its distribution; *wants: P(it has a packet that could be sent). */
static void measure(const hot_queue *q, double *wants, double *free, double *fresh)
{
    hot_class *c = q->c;
    hot_rivals *r = &c->rivals[q->type];
    const double *pi = q->chain->pi;
    double take[2], room = watch(q, take), hot_heads = 0, fair = hot_fair(r), sent = 0;
    double wanting[SWQ_CHAIN_PORTS] = {0}, sends_at[SWQ_CHAIN_PORTS] = {0};
    double goes_on_at[SWQ_CHAIN_PORTS] = {0}, served[SWQ_CHAIN_PORTS], busy = 0, admit = pi[0],
           held = 0;

    double heads[TYPES] = {0}, head_sent[TYPES] = {0};

    *wants = *free = 0;
    memset(c->sent[q->type], 0, sizeof c->sent[q->type]);
    for (int n = 1; n <= q->slots; n++)
        for (int next = 0; next < q->nexts; next++)
            for (int h = 0; h < c->ports; h++) {
                double p = pi[at(q, n, next, h)], mine, theirs;
                double more = n > 1 ? 1 : n < q->slots || c->same ? q->offer : 0;

                turns(q, next, h, &mine, &theirs);
                busy += p;
                *wants += p * open(q, next);
                *free += p * open(q, next) * hot_turn(h, take[1]);
                wanting[h] += p;
                hot_heads += next == HOT ? p : 0;
                heads[next] += p;
                head_sent[next] += p * mine;
                sends_at[h] += p * mine;
                goes_on_at[h] += p * mine * more;
                c->sent[q->type][q->nexts == 1 ? COLD : next] += c->ports * p * mine;
                sent += p * mine;
                held += p * n;
                admit += n < q->slots ? p : c->same ? p * mine : 0;
            }
    for (int next = 0; next < TYPES; next++)
        if (q->type == HOT)
            c->lag[next] = q->nexts == 2 && head_sent[next] > 0
                               ? heads[next] / head_sent[next] - busy / sent
                               : 0;
    *free = *wants > 0 ? *free / *wants : 1;
    c->admit[q->type] = admit;
    c->held[q->type] = held * hot_outputs(c, q->type);
    r->take = busy > 0 ? hot_heads / busy : share(q, HOT);
    r->claim = c->ports * sent / fair;
    r->join = q->offer; /* an empty queue accepts every offered packet */
    hot_rivals_stay(c->ports, goes_on_at, sends_at, r->stay);
    for (int u = 0; u < c->ports; u++)
        served[u] = room * (1 - none_of(u, take[1])) + (1 - room) * (1 - none_of(u, take[0]));
    hot_rivals_see(c->ports, wanting, served, &q->steps, r->see);
    *fresh = busy > 0 ? pi[0] * q->offer / busy : 1;
}

static void solve_queue(hot_queue *q, double *wants, double *free, double *fresh)
{
    const hot_class *c = q->c;
    int n = 1 + q->slots * q->nexts * c->ports;

    hot_rivals_steps(c->ports, &c->rivals[q->type], &q->steps);
    hot_chain_start(q->chain, n, 2 * q->nexts * c->ports);
    hot_chain_add(q->chain, 0, 0, 1 - q->offer);
    new_head(q, 0, 1, c->rivals[q->type].see, q->offer);
    for (int packets = 1; packets <= q->slots; packets++)
        for (int next = 0; next < q->nexts; next++)
            for (int h = 0; h < c->ports; h++)
                step_from(q, packets, next, h);
    hot_chain_solve(q->chain);
    measure(q, wants, free, fresh);
}

/* E 1 / (1 + X), where X is the number of other queues that want the read port: each queue of a
 * type with the probability rival[type]. */
static double port_share(const hot_class *c, int type, const double *rival)
{
    double chance[SWQ_CHAIN_PORTS + 1] = {1}, mean = 0;
    int n = 0;

    for (int t = 0; t < TYPES; t++)
        for (int i = hot_outputs(c, t) - (t == type); i > 0; i--, n++)
            for (int j = n + 1; j >= 0; j--)
                chance[j] = chance[j] * (1 - rival[t]) + (j > 0 ? chance[j - 1] * rival[t] : 0);
    for (int j = 0; j <= n; j++)
        mean += chance[j] / (j + 1);
    return mean;
}

/* The share of the read port for each type of queue. Another queue wants it if its output is still
 * free in the input's turn. A head that has just arrived came alone, so that the other queues hold
 * as many packets as before. */
static void share_port(hot_class *c, const double *wants, const double *free, const double *fresh)
{
    double rival[TYPES] = {0}, rival_before[TYPES] = {0};

    for (int t = 0; t < TYPES; t++) {
        rival[t] = wants[t] * free[t];
        rival_before[t] = rival[t] * (1 - fresh[t]);
    }
    for (int t = 0; t < TYPES; t++)
        c->rivals[t].pick =
            (1 - fresh[t]) * port_share(c, t, rival) + fresh[t] * port_share(c, t, rival_before);
}

static void solve(hot_class *c, hot_chain *chain)
{
    double wants[TYPES] = {0}, free[TYPES] = {0}, fresh[TYPES] = {0};

    for (int t = c->hot ? HOT : COLD; t < TYPES; t++) {
        hot_queue q = {.c = c,
                       .chain = chain,
                       .type = t,
                       .slots = slots_of(c),
                       .nexts = t == HOT && !c->last ? 2 : 1,
                       .offer = c->offer[t] / hot_outputs(c, t)};

        solve_queue(&q, &wants[t], &free[t], &fresh[t]);
        if (t == HOT && c->last)
            c->sent[HOT][HOT] = c->sent[HOT][COLD], c->sent[HOT][COLD] = 0;
    }
    if (c->buffer->read == SWQ_READ_ONE)
        share_port(c, wants, free, fresh);
}

const hot_family hot_partitioned = {.apart = true, .size = size, .solve = solve};
