/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By which port a packet goes on, where several lead nearer to its host; and the time of a flow
 * that is alone.
 */
#include "sim/datacentre/net.h"

const char *const swq_dc_spread_words[] = {"ecmp", "spray", "adaptive", "flowlet", NULL};

static uint64_t held_at(const dc_net *net, uint32_t port)
{
    uint64_t held = 0;

    for (int k = 0; k < net->classes; k++)
        held += net->queue[port * (uint32_t)net->classes + (uint32_t)k].held;
    return held;
}

/* Mixes the hash of a flow with the switch, so that switches choose independently (the finalizer of
 * MurmurHash3). */
static uint32_t hash_at(uint32_t number, const dc_packet *p)
{
    uint32_t h = p->hash ^ number * 0x9e3779b9u;

    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static uint32_t draw(dc_net *net, uint32_t count)
{
    const uint32_t k = (uint32_t)((dc_uniform(net) - 0x1p-54) * count);

    return k < count ? k : count - 1;
}

/* Vanini et al., NSDI 2017: a table of flowlets, by a hash of the flow; a packet that comes later
 * than the gap after the last one of its entry begins another flowlet, whose port is drawn. */
static uint32_t flowlet(dc_net *net, uint32_t number, const dc_packet *p, uint32_t count)
{
    const uint32_t entry = swq_word_below(hash_at(number, p), DC_FLOWLETS);
    dc_flowlet *f = &net->flowlet[(size_t)number * DC_FLOWLETS + entry];

    if (f->last == 0 || net->now - f->last > net->spec->network.flowlet_gap || f->choice >= count)
        f->choice = draw(net, count);
    f->last = net->now;
    return f->choice;
}

static uint32_t least_held(const dc_net *net, uint32_t first, const uint8_t *way, uint32_t count,
                           uint32_t begin)
{
    uint32_t best = begin;

    for (uint32_t k = 1; k < count; k++) {
        const uint32_t other = (begin + k) % count;
        best = held_at(net, first + way[other]) < held_at(net, first + way[best]) ? other : best;
    }
    return best;
}

/* One of `count` ways. */
static uint32_t choose(dc_net *net, uint32_t number, const dc_packet *p, const uint8_t *way,
                       uint32_t count)
{
    const uint32_t hashed = swq_word_below(hash_at(number, p), count);

    switch (net->spec->network.spread) {
    case SWQ_DC_SPRAY:
        return draw(net, count);
    case SWQ_DC_ADAPTIVE:
        return least_held(net, net->graph->first[number], way, count, hashed);
    case SWQ_DC_FLOWLET:
        return flowlet(net, number, p, count);
    case SWQ_DC_ECMP:
        break;
    }
    return hashed;
}

uint32_t dc_route(dc_net *net, uint32_t number, const dc_packet *p)
{
    const swq_dc_graph *g = net->graph;
    const uint32_t at = g->at[p->to];

    if (g->of[at] == number)
        return at;
    const uint8_t *way = dc_ways(g, number, p->to);
    const uint32_t count = way[0] + 1u;
    return g->first[number] + way[1 + (count > 1 ? choose(net, number, p, way + 1, count) : 0)];
}

/* ---- alone ---- */

/* Packet i leaves line k at D(i, k) = max(D(i - 1, k), D(i, k - 1) + delay) + its time there. For
 * equal packets that is the sum of the times on all lines, and for each further packet the longest
 * of them; the last packet is followed from the one before. With cut through the delay is less by
 * what of the packet is still to come. */
typedef struct {
    double full, last;   /* bytes */
    double more;         /* packets but the first and the last */
    double sum, slowest; /* ps, up to this line */
    double at;           /* ps: the last packet has left this line */
    double delay;        /* ps, of this line */
    double byte_time;    /* ps, on this line */
    double header;       /* bytes after which a packet may go on; 0: when all of it is there */
    bool begun;
} journey;

/* ps by which a packet comes before its last bit. */
static double ahead(const journey *j, double bytes, double byte_time)
{
    const bool cuts = j->header > 0 && bytes > j->header && byte_time >= j->byte_time;

    return cuts ? (bytes - j->header) * j->byte_time : 0;
}

static void pass(journey *j, uint64_t rate, uint64_t delay)
{
    const double byte_time = 8e12 / (double)rate, time = j->full * byte_time;
    const double come = j->begun ? j->at + j->delay - ahead(j, j->last, byte_time) : 0;

    j->sum += time + (j->begun ? j->delay - ahead(j, j->full, byte_time) : 0);
    j->slowest = time > j->slowest ? time : j->slowest;
    const double before = j->more >= 0 ? j->sum + j->more * j->slowest : 0;
    j->at = (come > before ? come : before) + j->last * byte_time;
    j->delay = (double)delay;
    j->byte_time = byte_time;
    j->begun = true;
}

uint32_t dc_hops(const swq_dc_graph *g, uint32_t from, uint32_t to)
{
    uint32_t w = dc_switch_of(g, from), hops = 1;

    for (; w != dc_switch_of(g, to); hops++)
        w = g->of[g->to[g->first[w] + dc_ways(g, w, to)[1]]];
    return hops;
}

/* The first of its shortest ways, where lines are unlike. */
uint64_t dc_time_alone(const dc_net *net, uint32_t from, uint32_t to, uint64_t packets,
                       uint32_t last)
{
    const swq_dc_graph *g = net->graph;
    journey j = {.full = net->spec->size_bytes[0],
                 .last = last,
                 .more = (double)packets - 2,
                 .header = net->spec->cut_through ? net->spec->cut_after : 0};
    uint32_t port = g->at[from];

    pass(&j, g->rate[port], g->delay[port]); /* from the host */
    for (uint32_t w = g->of[port]; w != g->of[g->at[to]]; w = g->of[g->to[port]]) {
        port = g->first[w] + dc_ways(g, w, to)[1];
        pass(&j, g->rate[port], g->delay[port]);
    }
    pass(&j, g->rate[g->at[to]], g->delay[g->at[to]]);
    return (uint64_t)(j.at + j.delay + .5);
}
