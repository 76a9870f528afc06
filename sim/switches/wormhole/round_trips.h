/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Credits by their round trip (Kim, Dally, Scott and Abts, 2008, 4.3.2, UGAL-L_CR; Jiang, Kim and
 * Dally, 2009): a switch measures for each output how much longer the latest credit was on its way
 * than that of a header that waits nowhere, and holds back the credits of flits that leave by an
 * output whose credits are later than others', so that switches behind see sooner which outputs are
 * congested. Credits for global links and for nodes are never held back. A part of the text of
 * turn.h, with its words.
 */
#include "sim/switches/wormhole/allocating.h"

#include <string.h>

#if SWQ_WORM_LEAN

static inline bool times_credits(const swq_worms *w)
{
    (void)w;
    return false;
}

#else

static inline bool times_credits(const swq_worms *w)
{
    return w->trips.sent != NULL;
}

#endif

/* Cycles from the grant of the crossbar to the credit, of a header that waits nowhere. */
static inline uint32_t least_trip(const swq_worms *w, const swq_worm_place *place)
{
    const swq_worm_times *t = &w->plan.times;

    return (uint32_t)(t->crossbar + t->crossing + t->routing + t->lane + t->credit) +
           2u * place->delay;
}

/* A flit is granted the crossbar, for lane l of output o. */
static inline void note_sent(const swq_worm_here *h, uint32_t o, uint32_t l)
{
    swq_worms *w = h->w;
    const size_t lane = (((size_t)h->base + o) << w->shift) + l;
    uint16_t *next = &w->trips.next[lane];

    w->trips.sent[lane * w->depth + *next] = h->cycle;
    *next = (uint16_t)(*next + 1u < w->depth ? *next + 1u : 0);
}

/* A credit is back, and taken for that of the first flit of its lane that has none. */
static inline void note_back(const swq_worm_here *h, uint32_t o, uint32_t l)
{
    swq_worms *w = h->w;
    const size_t lane = (((size_t)h->base + o) << w->shift) + l;
    const uint32_t out = w->depth - w->exit[lane].credit;
    const uint32_t first = (w->trips.next[lane] + w->depth - out) % w->depth;
    const uint32_t trip = h->cycle - w->trips.sent[lane * w->depth + first];
    const uint32_t least = least_trip(w, &h->place[o]);

    w->trips.excess[h->base + o] = trip > least ? trip - least : 0;
}

/* Cycles for which the credit of a flit that leaves by output o is held back: by how much its
 * credits are later than those of the output with the least excess. */
static inline uint32_t cycles_held(const swq_worm_here *h, uint32_t o)
{
    const uint32_t *excess = h->w->trips.excess + h->base, ports = h->w->ports;
    const uint32_t first = o / ports * ports; /* of the output's switch */
    uint32_t least = UINT32_MAX;

    if (h->place[o].to & SWQ_TO_NODE)
        return 0;
    for (uint32_t k = first; k < first + ports; k++) {
        if (!(h->place[k].to & SWQ_TO_NODE) && excess[k] < least)
            least = excess[k];
    }
    return excess[o] - least;
}

/* Holds back the credit of a flit that has left lane l of input i by output o, behind those that
 * are to go before or in the same cycle. False: its link is not one within a group. */
static inline bool holds_back(const swq_worm_here *h, uint32_t i, uint32_t l, uint32_t o)
{
    swq_worms *w = h->w;
    const swq_fabric *f = w->plan.fabric;
    const uint32_t port = h->base + i;
    swq_worm_late *late = &w->trips.late[(size_t)port * w->lanes * w->depth];
    uint32_t at = w->trips.held[port];

    if (h->in[i].sender & SWQ_TO_NODE || f->in_level[port] == f->shape.kind->global_level)
        return false;
    const uint32_t when = h->cycle + cycles_held(h, o);
    for (; at > 0 && late[at - 1].when > when; at--)
        late[at] = late[at - 1];
    late[at] = (swq_worm_late){when, l};
    w->trips.held[port]++;
    return true;
}

/* Of each link, sends the first of the credits that have been held back until now. */
static inline void release_credits(swq_worms *w)
{
    for (uint32_t port = 0; port < w->inputs; port++) {
        swq_worm_late *late = &w->trips.late[(size_t)port * w->lanes * w->depth];
        if (w->trips.held[port] == 0 || late->when > w->cycle)
            continue;
        give_back(w, &w->input[port], late->lane);
        memmove(late, late + 1, --w->trips.held[port] * sizeof *late);
    }
}
