/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stepping the chain of a link, and measuring it.
 */
#include "approx/links/partitioned/link.h"

#include <math.h>
#include <string.h>

enum { IDLE, HOLDS_MINE, HOLDS_OTHER };

link_chain link_chain_of(int ports, queue_shape queue, bool source)
{
    return (link_chain){ports, queue, source, source ? 3 : ports + 1};
}

size_t link_states(const link_chain *l)
{
    return (size_t)l->heads * (size_t)l->queue.classes;
}

static size_t at(const link_chain *l, int u, int a)
{
    return (size_t)u * (size_t)l->queue.classes + (size_t)a;
}

static bool full(const link_chain *l, int a)
{
    return queue_length(&l->queue, a) == l->queue.room;
}

double link_full(const link_chain *l, const double *p)
{
    double sum = 0;

    for (int u = 0; u < l->heads; u++)
        for (int a = 0; a < l->queue.classes; a++)
            sum += full(l, a) ? p[at(l, u, a)] : 0;
    return sum;
}

double link_heads(const link_chain *l, const double *p)
{
    double sum = 0;

    for (int u = 1; u < l->heads; u++)
        for (int a = 0; a < l->queue.classes; a++)
            sum += p[at(l, u, a)] * (l->source ? 1 : u);
    return sum;
}

static double binomial(int n, int i, double p)
{
    double b = 1;

    for (int j = 0; j < i; j++)
        b *= (double)(n - j) / (j + 1);
    return i > n ? 0 : b * pow(p, i) * pow(1 - p, n - i);
}

/* The service, given u heads for this queue: all other open heads of the output are equally likely
 * for each queue behind with room, and its blocked heads for each full queue. */
void link_serve(const link_chain *l, const column_reading *before, double closed,
                link_service *service)
{
    int k = l->ports;
    double q_open = 1 / (1 + (k - 1) * (1 - closed)), q_full = 1 / (1 + (k - 1) * closed);

    *service = (link_service){0};
    for (int u = 0; u <= k; u++) {
        double weight = 0, weight_closed = 0;
        for (int o = 0; o <= k; o++)
            for (int b = 0; o + b <= k; b++) {
                double p = before->heads[o][b];
                if (p <= 0)
                    continue;
                if (u <= o) {
                    double f = p * binomial(o, u, q_open);
                    weight += f;
                    service->mine[u] += o ? f * before->busy[o] * u / o : 0;
                    service->other[u] += o ? f * before->busy[o] * (o - u) / o : 0;
                }
                if (u <= b) {
                    double f = p * binomial(b, u, q_full);
                    weight_closed += f;
                    service->other_closed[u] += f * before->busy[o];
                }
            }
        if (weight > 1e-13) {
            service->mine[u] /= weight;
            service->other[u] /= weight;
        } else {
            service->mine[u] = u ? 1 : 0;
            service->other[u] = 0;
        }
        service->other_closed[u] =
            weight_closed > 1e-13 ? service->other_closed[u] / weight_closed : 0;
    }
}

/* P(a packet comes) while the queue has room. */
static double comes(const link_chain *l, const link_service *service, double load, int u)
{
    if (!l->source)
        return service->mine[u];
    return u == IDLE ? load / l->ports : u == HOLDS_MINE;
}

double link_flow(const link_chain *l, const double *p, const link_service *service, double load)
{
    double sum = 0;

    for (int u = 0; u < l->heads; u++)
        for (int a = 0; a < l->queue.classes; a++)
            sum += full(l, a) ? 0 : p[at(l, u, a)] * comes(l, service, load, u);
    return sum;
}

void link_comes(const link_chain *l, const double *p, const link_service *service, double load,
                queue_rates *rates)
{
    double room = 1 - link_full(l, p),
           mean = link_flow(l, p, service, load) / (room > 0 ? room : 1);

    double empty = 0, starts = 0;
    for (int a = 0; a < l->queue.classes; a++) {
        double sum = 0, came = 0;
        for (int u = 0; u < l->heads; u++) {
            sum += p[at(l, u, a)];
            came += p[at(l, u, a)] * comes(l, service, load, u);
        }
        rates->comes[a] = sum > 1e-14 ? came / sum : mean;
        empty += a < l->queue.memory ? sum : 0;
        starts += a < l->queue.memory ? came : 0;
    }
    rates->comes_empty = empty > 1e-14 ? starts / empty : mean;
}

/* The next classes of the queue, by whether it sends, which its column decides; `came`: 0 or 1
 * packets. */
typedef struct queue_future {
    int count, class[4];
    double p[4], full;
} queue_future;

static queue_future future(const link_chain *l, const column_reading *here,
                           const queue_rates *rates, int a, bool came)
{
    queue_future f = {0};
    double sends = queue_open(&l->queue, a) ? here->serves[a] : 0;

    for (int went = 0; went < (sends > 0 ? 2 : 1); went++) {
        queue_outcome x = queue_moves(&l->queue, rates, a, went, came);
        for (int z = 0; z < x.count; z++) {
            f.class[f.count] = x.class[z];
            f.p[f.count] = x.p[z] * (went ? sends : 1 - sends);
            f.full += full(l, x.class[z]) ? f.p[f.count] : 0;
            f.count++;
        }
    }
    return f;
}

/* Does a packet wait for the queue? */
static bool pending(const link_chain *l, int u)
{
    return l->source ? u == HOLDS_MINE : u > 0;
}

static void put(const link_chain *l, const queue_future *f, int u, double w, double *next)
{
    for (int z = 0; w > 0 && z < f->count; z++)
        next[at(l, u, f->class[z] + (l->queue.memory > 1 && pending(l, u)))] += w * f->p[z];
}

/* Sums over the conditions that heads meet. */
typedef struct meeting {
    double pends[QUEUE_CLASSES][2], all[QUEUE_CLASSES][2]; /* for the queue itself */
    double after_win,
        wins; /* a head for this queue came after a packet went to it: was the queue full? */
    /* the same for a head that came after a packet went to another queue */
    double after_other, others;
    double after_empty, empties;
    double closes, stays; /* heads of an open queue that were not sent: those whose queue
                                     becomes full, and all */
    double opens, waits;
} meeting;

static void share_pending(const link_chain *l, const meeting *m, queue_rates *rates)
{
    for (int a = 0; a < l->queue.classes; a++)
        for (int came = 0; came < 2; came++)
            rates->pends[a][came] =
                m->all[a][came] > 1e-14 ? m->pends[a][came] / m->all[a][came] : 0;
}

void source_step(const link_chain *l, const double *p, double load, const column_reading *here,
                 queue_rates *rates, double *next)
{
    double holds = 0, leaves = 0, tries = 0, stays = 0;
    meeting m = {0};

    memset(next, 0, link_states(l) * sizeof *next);
    for (int a = 0; a < l->queue.classes; a++) {
        holds += p[at(l, HOLDS_MINE, a)];
        leaves += full(l, a) ? 0 : p[at(l, HOLDS_MINE, a)];
        tries += p[at(l, IDLE, a)];
        stays += full(l, a) ? p[at(l, IDLE, a)] : 0;
    }
    /* other queues are like this one: a held packet for another queue leaves, and a new one waits,
     * with the chances measured here */
    double goes = holds > 1e-300 ? leaves / holds : 1, waits = tries > 0 ? stays / tries : 0;
    double mine = load / l->ports, other = load - mine;
    for (int a = 0; a < l->queue.classes; a++) {
        bool open = !full(l, a);
        double idle = p[at(l, IDLE, a)], holding = p[at(l, HOLDS_OTHER, a)];
        queue_future none = future(l, here, rates, a, false);
        queue_future one = open ? future(l, here, rates, a, true) : none;
        int after = open ? IDLE : HOLDS_MINE;
        double here_now = p[at(l, HOLDS_MINE, a)] + idle * mine;
        m.all[a][open] += here_now;
        m.pends[a][open] += open ? 0 : here_now;
        m.all[a][0] += holding + idle * (1 - mine);
        put(l, &one, after, here_now, next);
        put(l, &none, IDLE, holding * goes + idle * (1 - load + other * (1 - waits)), next);
        put(l, &none, HOLDS_OTHER, holding * (1 - goes) + idle * other * waits, next);
    }
    share_pending(l, &m, rates);
}

typedef struct link_odds {
    double returns, joins, starts; /* P(the sender's next head is for this queue again); P(the next
                                      head of a sender to another queue is for this queue); P(an
                                      empty input brings a head for this queue) */
} link_odds;

/* Add all events that can happen in one state, of probability p, to the next cycle's distribution
 * and to the measurements. */
static void step_state(const link_chain *l, int u, int a, double p, const link_service *service,
                       const link_odds *odds, const column_reading *here, const queue_rates *rates,
                       meeting *m, double *next)
{
    bool open = !full(l, a);
    double mine = open ? service->mine[u] : 0;
    double other = open ? service->other[u] : service->other_closed[u];
    queue_future none = future(l, here, rates, a, false);
    queue_future one = open ? future(l, here, rates, a, true) : none;
    int free = l->ports - u;

    m->after_win += p * mine * one.full;
    m->wins += p * mine;
    m->after_other += p * other * none.full;
    m->others += p * other;
    m->after_empty += p * free * (mine * one.full + (1 - mine) * none.full);
    m->empties += p * free;
    if (open) {
        m->closes += p * mine * (u - 1) * one.full;
        m->stays += p * (u - mine);
    } else {
        m->opens += p * u * (1 - none.full);
        m->waits += p * u;
    }
    for (int event = 0; event < 3;
         event++) { /* a packet crosses to no queue, to this queue, to another queue */
        int idle = free - (event == 2); /* the input that sent has a packet, so it is not among
                                           the empty ones */
        for (int j = 0; j <= idle; j++) {
            double w = p * binomial(idle, j, odds->starts) *
                       (event == 0   ? 1 - mine - other
                        : event == 1 ? mine
                                     : other);
            double again = event == 1 ? odds->returns : event == 2 ? odds->joins : 0;
            int stay = u + j - (event == 1);
            if (w <= 0)
                continue;
            m->all[a][event == 1] += w;
            m->pends[a][event == 1] += w * (stay > 0 ? 1 : again);
            put(l, event == 1 ? &one : &none, stay, w * (1 - again), next);
            if (again > 0)
                put(l, event == 1 ? &one : &none, stay + 1, w * again, next);
        }
    }
}

static double ratio(double a, double b)
{
    return b > 1e-14 ? a / b : 0;
}

void link_step(const link_chain *l, const double *p, const link_service *service,
               const column_reading *before, queue_rates *from, const column_reading *here,
               queue_rates *rates, double *next)
{
    int k = l->ports;
    double empty = (1 - before->occupied) / (1 - before->occupied / k);
    link_odds odds = {before->returns / k, before->returns / k, empty * from->comes_empty / k};
    double fresh = 0;
    meeting m = {0};

    /* as many heads must come as leave, which are the packets that the column before sends */
    for (int u = 0; u <= k; u++)
        for (int a = 0; a < l->queue.classes; a++) {
            double other = full(l, a) ? service->other_closed[u] : service->other[u];
            fresh += p[at(l, u, a)] * (other * odds.joins + (k - u - other) * odds.starts);
        }
    double wanted = before->sent / k * (1 - odds.returns);
    double scale = fresh > 1e-300 ? wanted / fresh : 0;
    odds.joins = fmin(1, odds.joins * scale);
    odds.starts = fmin(1, odds.starts * scale);
    memset(next, 0, link_states(l) * sizeof *next);
    for (int u = 0; u <= k; u++)
        for (int a = 0; a < l->queue.classes; a++)
            if (p[at(l, u, a)] > 0)
                step_state(l, u, a, p[at(l, u, a)], service, &odds, here, rates, &m, next);
    share_pending(l, &m, rates);
    from->fills = ratio(m.after_win, m.wins);
    from->after_other = ratio(m.after_other, m.others);
    from->after_win = from->fills / k + from->after_other * (k - 1) / k;
    from->full = link_full(l, p);
    from->after_empty = ratio(m.after_empty, m.empties);
    from->closes = ratio(m.closes, m.stays);
    from->opens = m.waits > 1e-14 ? m.opens / m.waits : 1;
}
