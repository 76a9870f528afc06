/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits in a switch of a torus, mesh or hypercube whose buffers do not fill.
 *
 * At an output: packets that come over one link are spaced, and meet only packets of other links.
 * With shares f of the inputs, W = rho E w (1 - sum f^2) / (1 - rho), times 1 + 4/5 rho sum f q for
 * the bunching by earlier queues (q: the share of an input's packets that go to the output). This
 * generalises the limit of Kruskal, Snir and Weiss (1988) for late stages, where all f and q are
 * 1/k, to links of unequal shares. Senders that hold their messages send more evenly than at
 * random. With e = 1 - c^2, c^2 the index of dispersion over a long time, as a fraction of random
 * packets' of the same lengths, an output has e = sum f q e of its inputs, since queues change
 * nothing in the long run and thinning is random (Whitt 1983); W is multiplied by 1 - e, as in
 * heavy load. W is divided among the inputs by the work that their packets meet: packets of other
 * inputs in transmission, rho (1 - f) E w, and all packets that wait, rho W.
 *
 * At an input with one reader: a packet that waits w for its output delays the packet behind it,
 * for another output, until it is sent itself. Links are like outputs of M/D/1 queues: with
 * probability rho the next packet follows at once, and is late by w; otherwise it follows at a
 * distance of density rho / E S, and is late by the part of w that exceeds the distance. The time
 * for which the next packet would have waited for its own output is not lost. A next packet for the
 * same output would have waited behind the first one anyway, but not for the reader; so delays of
 * the reader are handed on to all packets behind.
 *
 * Packets of one message follow one another, so E w at an output is the E w of messages.
 */
#include "approx/torus/torus.h"

#include <math.h>

/* Kruskal, Snir and Weiss (1988), from late stages at light and heavy load; not fitted to any
 * torus. */
static const double bunching = 0.8;

/* Fraction of the time for which output `out` is busy. */
static double taken(const torus_demand *d, int out)
{
    return d->rate * d->flows->out[out] * d->lengths->time / (1 - d->closed[out]);
}

double torus_evenness(const torus_flows *f, int ports, const double *even, int out)
{
    double sum = 0;

    for (int in = 0; in < ports; in++) {
        const double flow = f->flow[in][out];
        sum += flow > 0 ? flow / f->out[out] * (flow / f->in[in]) * even[in] : 0;
    }
    return sum;
}

/* Waits for the output itself, of packets of every input. */
static void at_output(const torus_demand *d, int out, double wait[TORUS_PORTS][TORUS_PORTS])
{
    const torus_flows *f = d->flows;
    const double rho = taken(d, out), all = f->out[out];
    double same = 0, kept = 0;

    for (int in = 0; in < d->ports; in++) {
        const double flow = f->flow[in][out];
        if (flow > 0) {
            same += flow / all * (flow / all);
            kept += flow / all * (flow / f->in[in]);
        }
    }
    const double residual = rho * d->lengths->trains / (1 - d->closed[out]);
    const double arrivals =
        (1 + bunching * rho * kept) * (1 - torus_evenness(f, d->ports, d->even, out));
    const double level = rho < 1 ? residual * arrivals / (1 - rho) : INFINITY;
    for (int in = 0; in < d->ports; in++) {
        const double share = all > 0 ? f->flow[in][out] / all : 0;
        if (share > 0 && rho < 1)
            wait[in][out] = level * ((1 - rho) * (1 - share) + rho * (1 - same));
        else
            wait[in][out] = share > 0 ? INFINITY : 0;
    }
}

/* Mean delay that a packet hands on to the packet behind it, for every cycle of its own delay.
 * `mean` is the mean wait at the outputs. */
static double handed_on(const torus_demand *d, int in, double mean)
{
    const torus_lengths *l = d->lengths;
    const bool fifo = d->reading == TORUS_ONE_QUEUE;
    const double rho = fmin(d->rate * d->flows->in[in] * l->time, 1);
    const double next = fifo ? 1 : l->overlap;
    /* nothing passes the head of a single queue, so the square of the whole wait counts, as in an
     * M/G/1 queue */
    const double later = (fifo ? l->late + mean : l->gap) / l->time;

    if (d->steady && in == d->ports - 1) /* after a gap, the next packet comes at a constant rate */
        return rho < 1 ? next * (1 - exp(-rho / (1 - rho) * later / next)) : next;
    return rho * next + (1 - rho) * rho * later;
}

/* Add the waits of an input's packets for its reader. With r(o) the wait of packets for output o:
 *     r(o) = b (a(o) sum over x not o of q(x) (W(x) + r(x)) + q(o) r(o)),
 * where b is the part handed on, and a(o) the part of b that is left after the packet's own wait.
 * Linear in r; T is the sum over all x. */
static void at_reader(const torus_demand *d, int in, double wait[TORUS_PORTS][TORUS_PORTS])
{
    const torus_flows *f = d->flows;
    double mean = 0, constant = 0, factor = 0, share[TORUS_PORTS], per[TORUS_PORTS];

    for (int out = 0; out < d->ports; out++) {
        share[out] = f->flow[in][out] / f->in[in];
        mean += share[out] > 0 ? share[out] * wait[in][out] : 0;
    }
    if (isinf(mean))
        return;
    const double b = handed_on(d, in, mean);
    for (int out = 0; out < d->ports; out++) {
        const double q = share[out];
        per[out] = 0;
        if (q <= 0)
            continue;
        const double others = taken(d, out) * (1 - f->flow[in][out] / f->out[out]);
        const double left = d->reading == TORUS_ONE_QUEUE ? 1 : 1 - d->lengths->both * others;
        per[out] = b * left / (1 - b * q * (1 - left));
        constant += q * wait[in][out] * (1 - q * per[out]);
        factor += q * per[out];
    }
    const double sum = factor < 1 ? constant / (1 - factor) : INFINITY;
    for (int out = 0; out < d->ports; out++) {
        if (share[out] > 0)
            wait[in][out] += isinf(sum) ? sum : per[out] * (sum - share[out] * wait[in][out]);
    }
}

void torus_waits_of(const torus_demand *demand, double wait[TORUS_PORTS][TORUS_PORTS])
{
    for (int out = 0; out < demand->ports; out++)
        at_output(demand, out, wait);
    for (int in = 0; in < demand->ports && demand->reading != TORUS_EACH_QUEUE; in++) {
        if (demand->flows->in[in] > 0)
            at_reader(demand, in, wait);
    }
}
