/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lengths of packets, and their effect on waits in a torus.
 *
 * With P(S > x) = G(x), the residual w that a packet finds on a busy link has P(w > x) = the
 * integral of G beyond x over E S. G is constant and P(w > x) linear between whole numbers, so all
 * integrals are finite sums.
 */
#include "approx/torus/torus.h"

#include "base/context.h"

#include <math.h>

enum { MOST_GEOMETRIC = 1 << 16 };

/* Sums over the messages so far. */
typedef struct {
    double *of; /* [max_packet + 1] packets per message, by bytes */
    int most, rest;
    torus_lengths sum;
} counter;

static void count_message(counter *c, double bytes, double probability)
{
    const double full = ceil(bytes / c->most) - 1, last = bytes - full * c->most;
    const double time = bytes + (full + 1) * c->rest;

    c->of[c->most] += probability * full;
    c->of[(int)last] += probability;
    c->sum.packets += probability * (full + 1);
    c->sum.message_bytes += probability * bytes;
    c->sum.message_time += probability * time;
    c->sum.message_square += probability * time * time;
}

static swq_status count_spread(swq_context *ctx, counter *c, const swq_spread *s, double share)
{
    const double beyond = s->first - s->second, q = beyond / (1 + beyond);
    double chance;

    switch (s->kind) {
    case SWQ_CONSTANT:
        count_message(c, s->first, share);
        break;
    case SWQ_UNIFORM:
        for (int x = (int)s->first; x <= (int)s->second; x++)
            count_message(c, x, share / (s->second - s->first + 1));
        break;
    case SWQ_GEOMETRIC:
        if (s->first > MOST_GEOMETRIC)
            return swq_fail(ctx, SWQ_ELIMIT, "the mean of geometric lengths must be at most %d",
                            MOST_GEOMETRIC);
        chance = share / (1 + beyond);
        for (int x = (int)s->second; chance > share * 1e-14; x++) {
            count_message(c, x, chance);
            chance *= q;
        }
        break;
    case SWQ_PARETO:
        return swq_fail(ctx, SWQ_EINVAL,
                        "this method needs lengths of bounded variance, and not Pareto's");
    }
    return SWQ_OK;
}

/* Compute the quantities on which waits depend, from the numbers of packets of every length. */
static void integrate(const counter *c, int block, torus_lengths *l)
{
    double longer = 1, above = 0, linear = 0, square = 0, cut = 0, third = 0;
    double before; /* P(w > x) at the lower end of an interval */

    for (int b = 1; b <= c->most; b++) {
        const double share = c->of[b] / l->packets;
        l->bytes += share * b;
        const int taken = (b + block - 1) / block;
        l->blocks += share * taken;
        third += share * pow(b + c->rest, 3);
    }
    l->time = l->bytes + c->rest;
    before = 1;
    for (int x = 0; x < c->most + c->rest; x++) {
        /* on (x, x + 1): P(S > x) is `longer` */
        const int ended = x - c->rest;
        if (ended >= 1)
            longer -= c->of[ended] / l->packets;
        above = fmax(before - longer / l->time, 0);
        linear += (before + above) / 2;
        square += (before * before + before * above + above * above) / 3;
        cut += longer * (before + above) / 2;
        before = above;
    }
    l->residual = linear;
    l->trains = l->message_square / (2 * l->message_time);
    l->late = third / (6 * l->time * linear);
    l->overlap = cut / linear;
    l->gap = l->time * (linear - square) / linear;
    l->both = square / linear;
}

swq_status torus_lengths_of(swq_context *ctx, const swq_async *network, torus_lengths *lengths)
{
    const swq_sender_group *g = &network->traffic.group[0];
    counter c = {.most = network->packet.max, .rest = network->link.rest};
    swq_status status = SWQ_OK;

    c.of = swq_calloc(ctx, (size_t)c.most + 1, sizeof *c.of);
    if (!c.of)
        return swq_memory_status(ctx);
    for (int t = 0; t < g->types && !status; t++)
        status = count_spread(ctx, &c, &g->type[t].length, g->type[t].probability);
    if (!status) {
        *lengths = c.sum;
        integrate(&c, network->packet.block, lengths);
    }
    swq_free(ctx, c.of);
    return status;
}
