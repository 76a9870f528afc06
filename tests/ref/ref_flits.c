/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The network of ref_flits.h: sources, links, ways. Section 5.1 of the report: a bidirectional
 * multistage network, which is a tree of switches with as many ports up as down (k-ary n-tree). A
 * packet goes up to the first switch that has its destination below it, and then down.
 */
#include "ref_flits_part.h"

#include <stdlib.h>

static unsigned long long draw(unsigned long long *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random >> 11;
}

/* The links of the tree as the flits have them: an output's or a node's input. */
static void wire_up(ref_net *t)
{
    const ref_wiring *w = &t->tree->wiring;
    const int outputs = t->switches * t->ports;

    for (int output = 0; output < outputs; output++)
        t->next[output] = w->link[output] == REF_NOWHERE ? REF_DEAD_END
                          : w->link[output] & REF_NODE   ? -1 - (int)(w->link[output] & ~REF_NODE)
                                                         : (int)w->link[output];
    for (int node = 0; node < t->nodes; node++)
        t->next[outputs + node] = (int)w->entry[node];
}

void *ref_net_switch(ref_net *t, int place)
{
    return t->self + (size_t)place * t->machine->bytes;
}

int ref_net_flits(const ref_net *t, int packet)
{
    return t->n->packet[packet].flits;
}

ref_flit_hop *ref_net_hop(ref_net *t, ref_flit f)
{
    return &t->trip[f.packet].hop[f.hop];
}

void ref_net_expect(ref_net *t, int holds)
{
    t->o->broken += !holds;
}

int ref_net_ways(const ref_net *t, int place, int packet, int *x)
{
    return ref_tree_ways(t->tree, place, t->n->packet[packet].to, t->n->straight, x);
}

static int queued(const ref_net *t, int input, int x)
{
    const int first = input / t->ports * t->ports;
    const int *count = t->n->count == REF_COUNT_PRESENT ? t->present : t->whole;
    int sum = 0;

    if (t->n->count == REF_COUNT_OWN)
        return count[input * t->ports + x];
    for (int i = first; i < first + t->ports; i++)
        sum += count[i * t->ports + x];
    return sum;
}

/* The one with the fewest queued flits. */
static int choose(ref_net *t, int input, const int *x, int ways)
{
    int best[REF_FLIT_PORTS] = {x[0]}, bests = 1;

    for (int w = 1; w < ways; w++) {
        const int more = queued(t, input, x[w]) - queued(t, input, best[0]);

        if (more < 0)
            bests = 0;
        if (more <= 0)
            best[bests++] = x[w];
    }
    return bests == 1 || t->n->lowest ? best[0] : best[draw(&t->random) % (unsigned)bests];
}

void ref_net_bind(ref_net *t, int input, int packet, int hop, int x)
{
    t->trip[packet].hop[hop].output = x;
    t->whole[input * t->ports + x] += ref_net_flits(t, packet);
}

/* Those outputs of the switch of this input for which it has room. */
static int open_ways(ref_net *t, int input, int packet, int *x)
{
    int way[REF_FLIT_PORTS] = {0}, open = 0;
    const int ways = ref_net_ways(t, input / t->ports, packet, way);

    for (int w = 0; w < ways; w++)
        if (t->machine->room(t, input, packet, way[w]))
            x[open++] = way[w];
    return open;
}

int ref_net_may_begin(ref_net *t, int output, int packet)
{
    const int input = t->next[output];
    int x[REF_FLIT_PORTS] = {0};

    if (input < 0)
        return 1;
    if (t->look_ahead)
        return open_ways(t, input, packet, x) > 0;
    return t->machine->room(t, input, packet, -1);
}

void ref_net_begin(ref_net *t, int output, int packet, int hop)
{
    const int input = t->next[output];
    int x[REF_FLIT_PORTS] = {0}, chosen = -1;

    if (input < 0)
        return;
    if (t->look_ahead) {
        chosen = choose(t, input, x, open_ways(t, input, packet, x));
        ref_net_bind(t, input, packet, hop + 1, chosen);
    }
    t->machine->promise(t, input, packet, chosen);
}

void ref_net_send(ref_net *t, int output, ref_flit f)
{
    ref_flit_hop *h = ref_net_hop(t, f);

    ref_net_expect(t, t->wire[output * 8 + (t->now + 1 + 8) % 8].packet < 0);
    t->wire[output * 8 + (t->now + 1 + 8) % 8] = f;
    if (f.index == 0)
        h->start = t->now + 1;
    else
        ref_net_expect(t, h->start >= 0 && h->tail < 0);
    if (f.index == ref_net_flits(t, f.packet) - 1)
        h->tail = t->now + 1;
    if (h->place < 0) {
        t->o->flits_inside++;
        return;
    }
    const int input = h->place * t->ports + h->input;
    t->whole[input * t->ports + output % t->ports]--;
    t->present[input * t->ports + output % t->ports]--;
}

/* A flit that entered a link `link` cycles ago is in the input register, or at the node. */
static void arrive(ref_net *t)
{
    for (int i = 0; i < t->switches * t->ports; i++)
        t->ir[i] = REF_NO_FLIT;
    for (int output = 0; output < t->switches * t->ports + t->nodes; output++) {
        ref_flit *slot = &t->wire[output * 8 + (t->now - t->n->link + 8) % 8];
        ref_flit f = *slot;

        *slot = REF_NO_FLIT;
        if (f.packet < 0)
            continue;
        if (t->next[output] < 0) {
            ref_net_expect(t, -1 - t->next[output] == t->n->packet[f.packet].to);
            t->o->flits_inside--;
            t->o->flits_delivered++;
            t->o->delivered += f.index == ref_net_flits(t, f.packet) - 1;
            continue;
        }
        f.hop++;
        t->ir[t->next[output]] = f;
        if (f.index == 0) {
            ref_net_expect(t, f.hop < REF_FLIT_HOPS);
            t->trip[f.packet].hops = f.hop + 1;
            ref_net_hop(t, f)->came = t->now;
            ref_net_hop(t, f)->place = t->next[output] / t->ports;
            ref_net_hop(t, f)->input = t->next[output] % t->ports;
        }
    }
}

/* Headers in the input registers are routed. */
static void route(ref_net *t)
{
    for (int input = 0; input < t->switches * t->ports; input++) {
        const ref_flit f = t->ir[input];
        int x[REF_FLIT_PORTS] = {0};

        if (f.packet < 0)
            continue;
        if (f.index == 0 && ref_net_hop(t, f)->output < 0) {
            const int ways = ref_net_ways(t, input / t->ports, f.packet, x);

            if (ways == 1 || !t->n->late || t->n->kind != REF_ONE_FIFO)
                ref_net_bind(t, input, f.packet, f.hop, choose(t, input, x, ways));
        }
        if (ref_net_hop(t, f)->output >= 0)
            t->present[input * t->ports + ref_net_hop(t, f)->output]++;
    }
}

typedef struct source {
    long *packet; /* its own, in order */
    long packets, next;
    int index; /* of the flit to be sent */
    int send;  /* in this cycle */
} source;

static void decide_source(ref_net *t, int node, source *s)
{
    const int output = t->switches * t->ports + node;

    s->send = 0;
    if (s->next == s->packets)
        return;
    const int packet = (int)s->packet[s->next];
    if (t->n->packet[packet].time > t->now + 1)
        return;
    s->send = 1;
    if (s->index > 0 && !t->machine->by_flit)
        return;
    s->send = ref_net_may_begin(t, output, packet);
    if (s->send)
        ref_net_begin(t, output, packet, 0);
}

static void move_source(ref_net *t, int node, source *s)
{
    if (!s->send)
        return;
    const int packet = (int)s->packet[s->next];
    ref_net_send(t, t->switches * t->ports + node, (ref_flit){packet, s->index, 0});
    if (++s->index < ref_net_flits(t, packet))
        return;
    s->index = 0;
    s->next++;
}

static source *sources(const ref_flits *n, int nodes)
{
    source *s = calloc((size_t)nodes, sizeof *s);

    for (long p = 0; p < n->packets; p++)
        s[n->packet[p].from].packets++;
    for (int node = 0; node < nodes; node++) {
        s[node].packet = calloc((size_t)s[node].packets + 1, sizeof *s[node].packet);
        s[node].packets = 0;
    }
    for (long p = 0; p < n->packets; p++) {
        source *own = &s[n->packet[p].from];

        own->packet[own->packets++] = p;
    }
    return s;
}

static void set_up(ref_net *t)
{
    const ref_flits *n = t->n;
    const ref_flit_hop none = {-1, -1, -1, 0, -1, -1, -1};

    t->machine = n->kind == REF_CENTRAL                               ? &ref_machine_central
                 : n->kind == REF_HIPIQS || n->kind == REF_CROSSPOINT ? &ref_machine_pipeline
                                                                      : &ref_machine_queues;
    t->look_ahead = n->kind == REF_CROSSPOINT || n->kind == REF_PAIRS ||
                    (n->kind == REF_HIPIQS && n->queue_min > 0);
    t->tree = ref_tree(n->down, n->levels);
    t->nodes = t->tree->wiring.nodes;
    t->ports = t->tree->wiring.ports;
    t->switches = t->tree->wiring.switches;
    t->random = 0x9e3779b97f4a7c15u ^ n->seed;
    const size_t inputs = (size_t)t->switches * (size_t)t->ports;
    const size_t links = inputs + (size_t)t->nodes;
    t->self = calloc((size_t)t->switches, t->machine->bytes);
    t->next = calloc(links, sizeof *t->next);
    t->wire = calloc(links * 8, sizeof *t->wire);
    t->ir = calloc(inputs, sizeof *t->ir);
    t->whole = calloc(inputs * (size_t)t->ports, sizeof *t->whole);
    t->present = calloc(inputs * (size_t)t->ports, sizeof *t->present);
    for (size_t i = 0; i < links * 8; i++)
        t->wire[i] = REF_NO_FLIT;
    wire_up(t);
    for (int place = 0; place < t->switches; place++)
        t->machine->set_up(t, ref_net_switch(t, place));
    for (long p = 0; p < n->packets; p++) {
        t->trip[p].hops = 1;
        for (int h = 0; h < REF_FLIT_HOPS; h++)
            t->trip[p].hop[h] = none;
        t->trip[p].hop[0].came = n->packet[p].time;
    }
}

static void clear(ref_net *t)
{
    for (int place = 0; place < t->switches; place++)
        t->machine->clear(t, ref_net_switch(t, place));
    free(t->self);
    ref_plan_free(t->tree);
    free(t->next);
    free(t->wire);
    free(t->ir);
    free(t->whole);
    free(t->present);
}

void ref_flits_run(const ref_flits *n, ref_flit_trip *trip, ref_flits_outcome *o)
{
    ref_net t = {.n = n, .trip = trip, .o = o};
    ref_flit_sample left = {0, 0};

    *o = (ref_flits_outcome){0};
    set_up(&t);
    source *s = sources(n, t.nodes);
    for (t.now = -1; t.now < n->cycles && o->delivered < n->packets; t.now++) {
        ref_flit_sample sum = {0, 0};

        arrive(&t);
        route(&t);
        for (int place = 0; place < t.switches && !n->unchecked; place++)
            t.machine->sample(&t, place, &sum);
        if (n->sample && t.now >= 0)
            n->sample[t.now] = sum;
        for (int k = 0; k < t.nodes; k++) {
            const int node = (int)((t.now + 1 + k) % t.nodes);

            decide_source(&t, node, &s[node]);
        }
        for (int place = 0; place < t.switches; place++)
            t.machine->decide(&t, place);
        for (int node = 0; node < t.nodes; node++)
            move_source(&t, node, &s[node]);
        for (int place = 0; place < t.switches; place++)
            t.machine->move(&t, place);
    }
    o->cycles = t.now;
    for (int place = 0; place < t.switches; place++)
        t.machine->sample(&t, place, &left);
    o->chunks_left = left.chunks;
    for (int node = 0; node < t.nodes; node++)
        free(s[node].packet);
    free(s);
    clear(&t);
}

/* The number with its `bits` bits reversed, or with its halves exchanged. */
static int permuted(int pattern, int node, int nodes)
{
    int bits = 0, to = 0;

    while (1 << bits < nodes)
        bits++;
    for (int b = 0; b < bits; b++)
        if (node >> b & 1)
            to |= 1 << (pattern == REF_BIT_REVERSE ? bits - 1 - b : (b + bits / 2) % bits);
    return to;
}

ref_flit_packet *ref_flits_draw(unsigned seed, int nodes, int pattern, double load, int flits,
                                long cycles, long *packets)
{
    unsigned long long random = 0x2545f4914f6cdd1dull * (seed + 1ull);
    ref_flit_packet *packet = NULL;
    long room = 0;

    *packets = 0;
    for (long c = 0; c < cycles && nodes > 1; c++)
        for (int node = 0; node < nodes; node++) {
            if ((double)draw(&random) / 9007199254740992.0 >= load / flits)
                continue;
            int to = permuted(pattern, node, nodes);
            if (pattern == REF_UNIFORM) {
                to = (int)(draw(&random) % (unsigned)(nodes - 1));
                to += to >= node;
            }
            if (*packets == room) {
                room = 2 * room + 64;
                packet = realloc(packet, (size_t)room * sizeof *packet);
            }
            packet[(*packets)++] = (ref_flit_packet){c, node, to, flits};
        }
    return packet;
}
