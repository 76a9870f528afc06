/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The flits of ref_graph.h. Rules: docs/wormhole.md, "The rules" and "Nodes that send several
 * packets at once", and "Which lanes a packet may take"; docs/graphs.md, "Routes";
 * docs/lowdiameter.md, "The queue that UGAL compares", and docs/asynchronous.md, "Dragonflies" and
 * "Megafly".
 */
#include "ref_graph.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1, PORTS = REF_GRAPH_PORTS, LANES = REF_GRAPH_LANES, HELD = 64 };

/* A flit that is in a buffer, or on its way there. */
typedef struct {
    int packet, index;
    long comes;
} graph_flit;

/* One lane at an input of a switch: the flits, and what the packet in front has got. */
typedef struct {
    graph_flit held[HELD];
    int count;
    long next;    /* the earliest cycle in which the next packet may be in front */
    int routed;   /* the packet in front has been given an output */
    long ready;   /* from then on it asks for a lane */
    int out, got; /* its output, and the lane there, or NONE */
    int may;      /* the set of the outputs that it may take, and ... */
    int wants;    /* ... of those of which it asks for lanes in this cycle */
    int escape;   /* the output of its route, where there is a lane 0 for it; or NONE */
    int escapes;  /* it asks for that lane in this cycle */
    long asks;    /* from then on it asks for the crossbar */
    int accepted; /* output * LANES + lane that it got last */
} in_lane;

/* One lane of a link, at its sender: a switch's output or a host. */
typedef struct {
    int packet; /* that has it, or NONE */
    int credits;
    long back[HELD]; /* cycles in which credits count, in order */
    int backs;
    int served;      /* input * LANES + lane to which it was given last */
    long sent[HELD]; /* when the flits without a credit were granted the crossbar, in order */
    int out;
} out_lane;

/* Credits of a link that are held back, with the cycles until which. */
typedef struct {
    long when[LANES * HELD];
    int lane[LANES * HELD], count;
} late_credits;

/* Flits that a link has begun one right after the other: how many, and when the first one. */
typedef struct {
    long first, flits;
} busy_spell;

typedef struct {
    in_lane in[PORTS][LANES];
    out_lane out[PORTS][LANES];
    int granted[PORTS];        /* output: the input that was served last */
    int accepted[PORTS];       /* input: the output that it was served by last */
    int turn[PORTS][PORTS];    /* input, output: the lane that sent last */
    int up_switch[PORTS];      /* what sends to an input: a switch ... */
    int up_port[PORTS];        /* ... by this output; ... */
    int up_host[PORTS];        /* ... or this host */
    long excess[PORTS];        /* output: how late its latest credit was */
    late_credits late[PORTS];  /* input */
    busy_spell spell[PORTS];   /* of an output's link */
    int request[PORTS][LANES]; /* the output for whose crossbar a lane asks in this cycle */
} node_switch;

typedef struct {
    out_lane out[LANES];
    int next;        /* of its packets, in the order of the run: the first that has not started */
    int sent[LANES]; /* flits of the packet of a lane */
    int under_way;
    int given, turn; /* the lane given last, the lane that sent last */
    busy_spell spell;
} node_host;

typedef struct {
    const ref_graph_run *run;
    const ref_graph *g;
    node_switch at[REF_GRAPH_SWITCHES];
    node_host host[REF_GRAPH_HOSTS];
    int *links;      /* [packets] links between switches that the header has been granted */
    int *onward;     /* [packets] it has been routed in the switch of the drawn node */
    int *drawn;      /* [packets] the node by way of which it may go, or NONE */
    int *left;       /* [packets] dal: set of the dimensions in which it has left its way */
    long now, moved; /* the last cycle in which anything moved */
    long room_of_starts;
    ref_graph_outcome *o;
} machine;

static void expect(machine *m, int holds)
{
    m->o->broken += !holds;
}

static void note_start(machine *m, ref_graph_start s)
{
    ref_graph_outcome *o = m->o;

    if (o->starts == m->room_of_starts) {
        m->room_of_starts = 2 * m->room_of_starts + 1024;
        o->start = realloc(o->start, (size_t)m->room_of_starts * sizeof *o->start);
    }
    o->start[o->starts++] = s;
}

/* The first of 0 .. count-1 that holds, in a circle that begins behind `last`; or NONE. */
static int next_in_circle(int count, int last, const char *holds)
{
    for (int k = 1; k <= count; k++) {
        const int i = (last + k) % count;

        if (holds[i])
            return i;
    }
    return NONE;
}

/* ---- links of several speeds ---- */

/* Cycles after the beginning of a spell in which flit number k begins, at the earliest. */
static long begins_after(const machine *m, long k, long speed)
{
    return m->g->fastest ? (k * m->g->fastest + speed - 1) / speed : k;
}

static int can_begin(const machine *m, const busy_spell *s, long speed)
{
    return s->flits == 0 || m->now >= s->first + begins_after(m, s->flits, speed);
}

/* A flit begins in this cycle. Returns the cycles until all of it is at the end of the link. */
static long begin_flit(const machine *m, busy_spell *s, long speed, int delay)
{
    if (s->flits == 0 || m->now > s->first + begins_after(m, s->flits, speed))
        *s = (busy_spell){m->now, 0};
    s->flits++;
    return s->first + begins_after(m, s->flits, speed) - 1 - m->now + delay;
}

/* ---- ways ---- */

/* The parts of a way: straight, to the drawn node, and on from it. */
enum { STRAIGHT, THERE, ONWARD };

static int may_take(const machine *m, int at, int output, int packet, int part, int lane);

/* Flits that take room behind an output, as far as the switch's credits tell. */
static int taken(const machine *m, int at, int output)
{
    int sum = 0;

    for (int l = 0; l < m->run->lanes; l++)
        sum += m->run->room - m->at[at].out[output][l].credits;
    return sum;
}

/* ... in the lanes that a packet may take there. */
static int taken_in_its_lanes(const machine *m, int at, int output, int packet, int part)
{
    int sum = 0;

    for (int l = 0; l < m->run->lanes; l++)
        if (may_take(m, at, output, packet, part, l))
            sum += m->run->room - m->at[at].out[output][l].credits;
    return sum;
}

/* Has a packet at a switch come to the place of the node that was drawn? */
static int has_come(const machine *m, int at, int drawn)
{
    const int end = m->g->host[drawn].at;

    return m->run->by_group ? m->g->group[at] == m->g->group[end] : at == end;
}

/* The links between switches of a way from a switch, straight if `drawn` is NONE. */
typedef struct {
    int links, at[4 * REF_GRAPH_SWITCHES], output[4 * REF_GRAPH_SWITCHES];
} graph_way;

static graph_way way_of(const machine *m, int at, int to, int drawn)
{
    const ref_graph *g = m->g;
    graph_way w;

    w.links = 0;
    for (int there = drawn != NONE;;) {
        there = there && !has_come(m, at, drawn);
        if (!there && at == g->host[to].at)
            return w;
        w.at[w.links] = at;
        w.output[w.links] = g->route[at][there ? drawn : to];
        at = g->link[at][w.output[w.links++]].to;
    }
}

static int is_global(const ref_graph *g, int at, int output)
{
    const ref_graph_link *link = &g->link[at][output];

    return link->host < 0 && g->group[link->to] != g->group[at];
}

/* The queue of a way; `same`: both ways begin with the same link. */
static long queue_of(const machine *m, const graph_way *w, int packet, int part, int same)
{
    const int queue = m->run->queue;
    long sum = 0;

    if (queue == REF_QUEUE_GLOBAL) {
        for (int k = 0; k < w->links; k++)
            if (is_global(m->g, w->at[k], w->output[k]))
                return taken(m, w->at[k], w->output[k]);
        return 0;
    }
    if (queue == REF_QUEUE_PATH) {
        for (int k = 0; k < w->links; k++)
            sum += taken(m, w->at[k], w->output[k]);
        return sum;
    }
    if (w->links == 0)
        return 0;
    if (queue == REF_QUEUE_LANE || (queue == REF_QUEUE_HYBRID && same))
        return taken_in_its_lanes(m, w->at[0], w->output[0], packet, part);
    return taken(m, w->at[0], w->output[0]);
}

/* UGAL: is H q more than H' q' + T? */
static int goes_over(const machine *m, int packet, int at, int drawn)
{
    const ref_graph_run *r = m->run;
    const int to = r->packet[packet].to;

    if (drawn < 0)
        return 0;
    if (!r->ugal)
        return 1;
    const graph_way straight = way_of(m, at, to, NONE), other = way_of(m, at, to, drawn);
    const int same = straight.links > 0 && other.links > 0 && straight.output[0] == other.output[0];
    const int part = has_come(m, at, drawn) ? ONWARD : THERE;
    const long q = queue_of(m, &straight, packet, STRAIGHT, same);
    const long other_q = queue_of(m, &other, packet, part, same);

    if (r->queue == REF_QUEUE_PATH)
        return q > other_q + r->threshold;
    return (r->factor ? r->factor : straight.links) * q >
           (r->other_factor ? r->other_factor : other.links) * other_q + r->threshold;
}

/* ---- DAL ---- */

static int coordinate(const ref_graph_run *r, int at, int dim)
{
    for (int k = r->dims - 1; k > dim; k--)
        at /= r->extent[k];
    return at % r->extent[dim];
}

/* The dimension of a link between two switches of a hyperx. */
static int dimension_of(const ref_graph_run *r, int at, int to)
{
    int k = 0;

    while (coordinate(r, at, k) == coordinate(r, to, k))
        k++;
    return k;
}

/* The product that a packet compares for an output, doubled, and one more where the link leads no
 * nearer; NONE if it may not take the link. */
static long product(const machine *m, int packet, int at, int output)
{
    const ref_graph_run *r = m->run;
    const ref_graph_link *link = &m->g->link[at][output];
    const int end = m->g->host[r->packet[packet].to].at;
    int ahead = 0;
    long q = 0;

    if (!link->used || link->host >= 0)
        return NONE;
    const int dim = dimension_of(r, at, link->to), aim = coordinate(r, end, dim);
    const int nearer = coordinate(r, link->to, dim) == aim;
    if (coordinate(r, at, dim) == aim || (!nearer && m->left[packet] >> dim & 1))
        return NONE;
    for (int k = 0; k < r->dims; k++)
        ahead += coordinate(r, at, k) != coordinate(r, end, k);
    for (int l = 0; l < r->lanes; l++)
        if (!r->q_of_lanes || may_take(m, at, output, packet, STRAIGHT, l))
            q += r->room - m->at[at].out[output][l].credits;
    if (nearer)
        return 2 * q * (r->factor ? r->factor : ahead);
    return 2 * (q * (r->other_factor ? r->other_factor : ahead + 1) + r->threshold) + 1;
}

/* The output that was drawn must be one of the best. */
static int choose(machine *m, int packet, int at)
{
    const int end = m->g->host[m->run->packet[packet].to].at;
    const int output = m->run->taken(m->run->arg, packet, at);
    long least = NONE;

    if (at == end)
        return m->g->host[m->run->packet[packet].to].port;
    for (int o = 0; o < PORTS; o++) {
        const long p = product(m, packet, at, o);
        least = p != NONE && (least == NONE || p < least) ? p : least;
    }
    expect(m, product(m, packet, at, output) == least);
    const int dim = dimension_of(m->run, at, m->g->link[at][output].to);
    if (coordinate(m->run, m->g->link[at][output].to, dim) != coordinate(m->run, end, dim)) {
        m->left[packet] |= 1 << dim;
        m->o->over[packet] = 1;
    }
    return output;
}

/* ---- where a packet goes ---- */

/* UGAL decides in a packet's first switch; PAR again in others of the sender's group while the
 * packet goes straight, by a node that is drawn anew. */
static void decide(machine *m, int packet, int at, int input, int lane)
{
    const in_lane *in = &m->at[at].in[input][lane];
    const int waited = in->next == m->now && in->held[0].comes < m->now;
    const ref_graph_packet *p = &m->run->packet[packet];
    int *over = &m->o->over[packet];

    if (*over < 0) {
        m->drawn[packet] = p->drawn;
        *over = goes_over(m, packet, at, p->drawn);
        return;
    }
    if (!m->run->par || *over || p->drawn < 0 ||
        m->g->group[at] != m->g->group[m->g->host[p->from].at])
        return;
    m->drawn[packet] = m->run->drawn_anew(m->run->arg, packet, at, input, lane, m->now - waited);
    *over = goes_over(m, packet, at, m->drawn[packet]);
    m->o->asked++;
    m->o->turned += *over;
}

static void route(machine *m, int at, int input, int lane)
{
    in_lane *in = &m->at[at].in[input][lane];
    const graph_flit *f = &in->held[0];
    const ref_graph_packet *p = &m->run->packet[f->packet];

    in->routed = 1;
    in->ready = m->now + m->run->routed;
    if (m->run->dims) {
        in->out = choose(m, f->packet, at);
        in->may = 1 << in->out;
        in->escape = NONE;
        return;
    }
    decide(m, f->packet, at, input, lane);
    const int over = m->o->over[f->packet], drawn = m->drawn[f->packet];
    if (over && has_come(m, at, drawn))
        m->onward[f->packet] = 1;
    const int aim = over && !m->onward[f->packet] ? drawn : p->to;
    in->out = at == m->g->host[aim].at ? m->g->host[aim].port : m->g->route[at][aim];
    in->may = 1 << in->out;
    in->escape = m->run->escape && at != m->g->host[aim].at ? in->out : NONE;
    if (m->run->pick && at != m->g->host[aim].at)
        in->may = m->g->nearer[at][aim];
    if (m->run->kept && lane == 0 && m->at[at].up_host[input] == NONE && in->escape != NONE)
        in->may = 0;
    if (m->run->pick == REF_PICK_RANDOM && at != m->g->host[aim].at) {
        const int output = m->run->taken(m->run->arg, f->packet, at);

        expect(m, output >= 0 && in->may >> output & 1);
        in->may = 1 << output;
    }
}

static int part_of(const machine *m, int packet)
{
    return m->o->over[packet] <= 0 ? STRAIGHT : m->onward[packet] ? ONWARD : THERE;
}

/* ---- lanes that a packet may take ---- */

/* The phase of a link of a dragonfly: the phases of UGAL count the global links ahead, behind this
 * one, and those to a drawn router and on from it apart; PAR has one more before them. */
static int phase_of(const machine *m, int at, int output, int packet, int part)
{
    const ref_graph *g = m->g;
    const ref_graph_packet *p = &m->run->packet[packet];
    const int first = g->host[p->from].at, to = g->link[at][output].to;
    const int local = !is_global(g, at, output), by_router = !m->run->by_group;
    const int ends = g->group[to] == g->group[g->host[p->to].at],
              begins = g->group[to] == g->group[first];
    const int plus = m->run->par;

    if (plus && local && begins && part == STRAIGHT && !ends)
        return 0;
    if (part == THERE)
        return plus + (begins ? 0 : 1);
    return plus + by_router + (ends ? 2 : 1);
}

/* May a packet in that part of its way take this lane of a link from a switch? */
static int may_take(const machine *m, int at, int output, int packet, int part, int lane)
{
    const ref_graph_run *r = m->run;
    const int parts = r->phases ? r->phases : m->g->longest * (r->by_another ? 2 : 1);
    int k = m->links[packet];

    if (m->g->link[at][output].host >= 0)
        return 1;
    if (r->escape)
        return lane > 0;
    if (r->by_hop)
        return lane == (k < r->lanes ? k : r->lanes - 1);
    if (r->by_globals)
        k = phase_of(m, at, output, packet, part);
    if (r->by_part)
        k = r->by_another && part != THERE;
    if (r->by_phase || r->by_part || r->by_globals)
        return lane >= k * r->lanes / parts && lane < (k + 1) * r->lanes / parts;
    if (r->by_another)
        return part == ONWARD ? lane >= r->lanes / 2 : lane < r->lanes / 2;
    return 1;
}

/* ---- lanes of links ---- */

static int is_free(const machine *m, const out_lane *lane, int to_host)
{
    if (lane->packet != NONE)
        return 0;
    return !m->run->empty || to_host || lane->credits == m->run->room;
}

static void count_credits(machine *m, out_lane *lane)
{
    int due = 0;

    if (lane->backs == 0)
        return;
    while (due < lane->backs && lane->back[due] <= m->now)
        due++;
    lane->credits += due;
    lane->backs -= due;
    memmove(lane->back, lane->back + due, (size_t)lane->backs * sizeof *lane->back);
    expect(m, lane->credits <= m->run->room);
}

static void take_credit(machine *m, out_lane *lane)
{
    lane->credits--;
    expect(m, lane->credits >= 0);
}

static void put_flit(machine *m, int to, int port, int lane, graph_flit f)
{
    in_lane *in = &m->at[to].in[port][lane];

    expect(m, in->count < m->run->room && in->count < HELD);
    in->held[in->count++] = f;
}

/* ---- credits by their round trip ---- */

static int is_late_link(const machine *m, int at, int input)
{
    const node_switch *s = &m->at[at];

    return m->run->late && s->up_host[input] == NONE &&
           m->g->group[s->up_switch[input]] == m->g->group[at];
}

/* Credits of an output that count from now on: how late is the latest of them? */
static void time_credits(machine *m, int at, int output, int lane, int before)
{
    const ref_graph_run *r = m->run;
    const ref_graph_link *link = &m->g->link[at][output];
    out_lane *out = &m->at[at].out[output][lane];
    const long least = r->granted + r->crossed + r->routed + r->given + r->credit + 2 * link->delay;

    for (int k = out->credits - before; k > 0; k--) {
        const long trip = m->now - out->sent[0];

        m->at[at].excess[output] = trip > least ? trip - least : 0;
        out->out--;
        memmove(out->sent, out->sent + 1, (size_t)out->out * sizeof *out->sent);
    }
}

/* A credit of a flit that has left by an output waits until it is as late as this output's credits
 * are later than those of the least late output to a switch. */
static void hold_credit(machine *m, int at, int input, int lane, int output)
{
    const node_switch *s = &m->at[at];
    late_credits *late = &m->at[at].late[input];
    long when = m->now, least = NONE;
    int k;

    for (int o = 0; o < PORTS; o++)
        if (m->g->link[at][o].used && m->g->link[at][o].host < 0 &&
            (least == NONE || s->excess[o] < least))
            least = s->excess[o];
    if (m->g->link[at][output].host < 0) {
        const long most = m->run->most_held, rule = s->excess[output] - least;
        const long cycles = most && rule > most ? most : rule;

        when += cycles;
        m->o->held = cycles > m->o->held ? cycles : m->o->held;
    }
    for (k = late->count++; k > 0 && late->when[k - 1] > when; k--) {
        late->when[k] = late->when[k - 1];
        late->lane[k] = late->lane[k - 1];
    }
    late->when[k] = when;
    late->lane[k] = lane;
}

static int any_held(const machine *m)
{
    for (int w = 0; w < m->g->switches; w++)
        for (int i = 0; i < PORTS; i++)
            if (m->at[w].late[i].count)
                return 1;
    return 0;
}

/* One credit of each link that has waited long enough goes back. */
static void send_held_credits(machine *m, int at)
{
    for (int i = 0; i < PORTS; i++) {
        node_switch *s = &m->at[at];
        late_credits *late = &s->late[i];

        if (!late->count || late->when[0] > m->now)
            continue;
        out_lane *up = &m->at[s->up_switch[i]].out[s->up_port[i]][late->lane[0]];
        up->back[up->backs++] =
            m->now + m->g->link[s->up_switch[i]][s->up_port[i]].delay + m->run->credit;
        late->count--;
        m->moved = m->now;
        memmove(late->when, late->when + 1, (size_t)late->count * sizeof *late->when);
        memmove(late->lane, late->lane + 1, (size_t)late->count * sizeof *late->lane);
    }
}

/* ---- a cycle of a switch ---- */

static void look_at_front(machine *m, int at)
{
    for (int i = 0; i < PORTS; i++)
        for (int l = 0; l < m->run->lanes; l++) {
            in_lane *in = &m->at[at].in[i][l];

            if (in->count && !in->routed && in->held[0].comes <= m->now && in->next <= m->now) {
                expect(m, in->held[0].index == 0);
                route(m, at, i, l);
            }
        }
}

/* May the packet in front of a lane take this lane of an output, if it need not be the last one to
 * ask for? */
static int takes(const machine *m, int at, int o, int l, const in_lane *in)
{
    const int packet = in->held[0].packet;

    return (in->may >> o & 1 && may_take(m, at, o, packet, part_of(m, packet), l)) ||
           (m->run->alike && in->escape == o && l == 0);
}

/* Has an output a free lane that the packet in front of a lane may take? */
static int has_free_lane(const machine *m, int at, int o, const in_lane *in)
{
    for (int l = 0; l < m->run->lanes; l++)
        if (is_free(m, &m->at[at].out[o][l], m->g->link[at][o].host >= 0) && takes(m, at, o, l, in))
            return 1;
    return 0;
}

/* The outputs of which the packet in front of a lane asks for lanes: all that it may take; or one
 * of those with a free lane, the first from its route on, or the one with the most room behind it.
 * Of equal ones, the first behind the output of which its lane was given a lane last. */
static int wanted(const machine *m, int at, const in_lane *in)
{
    const int pick = m->run->pick;
    const int last = pick == REF_PICK_FIRST ? in->out - 1 + PORTS
                     : in->accepted == NONE ? PORTS - 1
                                            : in->accepted / LANES;
    const int outputs = in->may | (m->run->alike && in->escape != NONE ? 1 << in->escape : 0);
    int best = NONE, most = 0;

    if (pick != REF_PICK_ROOM && pick != REF_PICK_FIRST)
        return outputs;
    for (int k = 1; k <= PORTS; k++) {
        const int o = (last + k) % PORTS;
        const int room = m->run->lanes * m->run->room - taken(m, at, o);

        if (!(outputs >> o & 1) || !has_free_lane(m, at, o, in))
            continue;
        if (best == NONE || (pick == REF_PICK_ROOM && room > most)) {
            best = o;
            most = room;
        }
    }
    return best == NONE ? 0 : 1 << best;
}

/* A packet that finds no other lane free asks for that of its route. */
static int asks_for_escape(const machine *m, int at, const in_lane *in)
{
    if (in->escape == NONE || m->run->alike)
        return 0;
    for (int o = 0; o < PORTS; o++)
        if (in->wants >> o & 1 && has_free_lane(m, at, o, in))
            return 0;
    return 1;
}

/* The input's lane, input * LANES + lane, whose packet a free lane is granted to; or NONE. */
static int grant(const machine *m, int at, int o, int l)
{
    const node_switch *s = &m->at[at];
    const ref_graph_link *link = &m->g->link[at][o];
    char asks[PORTS * LANES] = {0};
    int any = 0;

    if (!link->used || !is_free(m, &s->out[o][l], link->host >= 0))
        return NONE;
    for (int i = 0; i < PORTS; i++)
        for (int k = 0; k < m->run->lanes; k++) {
            const in_lane *in = &s->in[i][k];

            if (in->routed && in->got == NONE && in->ready <= m->now &&
                ((in->wants >> o & 1 && takes(m, at, o, l, in)) ||
                 (in->escapes && in->escape == o && l == 0)))
                any = asks[i * LANES + k] = 1;
        }
    return any ? next_in_circle(PORTS * LANES, s->out[o][l].served, asks) : NONE;
}

static void accept(machine *m, int at, int i, int l, const int *granted)
{
    in_lane *in = &m->at[at].in[i][l];
    char grants[PORTS * LANES] = {0};

    for (int k = 0; k < PORTS * LANES; k++)
        grants[k] = granted[k] == i * LANES + l;
    const int got = next_in_circle(PORTS * LANES, in->accepted, grants);
    if (got == NONE)
        return;
    in->accepted = got;
    in->out = got / LANES;
    in->got = got % LANES;
    in->asks = m->now + m->run->given;
    m->at[at].out[got / LANES][got % LANES].packet = in->held[0].packet;
    m->at[at].out[got / LANES][got % LANES].served = i * LANES + l;
}

static void give_lanes(machine *m, int at)
{
    int granted[PORTS * LANES], waits[PORTS] = {0}, any = 0;

    for (int i = 0; i < PORTS; i++)
        for (int l = 0; l < m->run->lanes; l++) {
            in_lane *in = &m->at[at].in[i][l];

            if (!in->routed || in->got != NONE || in->ready > m->now)
                continue;
            in->wants = wanted(m, at, in);
            in->escapes = asks_for_escape(m, at, in);
            if (in->escapes)
                any = waits[in->escape] = 1;
            for (int o = 0; o < PORTS; o++)
                any |= waits[o] |= in->wants >> o & 1;
        }
    if (!any)
        return;
    for (int k = 0; k < PORTS * LANES; k++)
        granted[k] = waits[k / LANES] && k % LANES < m->run->lanes
                         ? grant(m, at, k / LANES, k % LANES)
                         : NONE;
    for (int i = 0; i < PORTS; i++)
        for (int l = 0; l < m->run->lanes; l++)
            if (m->at[at].in[i][l].routed && m->at[at].in[i][l].got == NONE)
                accept(m, at, i, l, granted);
}

/* The output for which a lane has a flit that can be sent, or NONE. */
static int crossbar_request(const machine *m, int at, const in_lane *in)
{
    if (!in->count || !in->routed || in->got == NONE || in->asks > m->now)
        return NONE;
    if (in->held[0].comes > m->now)
        return NONE;
    if (m->g->link[at][in->out].host < 0 && m->at[at].out[in->out][in->got].credits == 0)
        return NONE;
    return in->out;
}

static void send_flit(machine *m, int at, int i, int l)
{
    node_switch *s = &m->at[at];
    in_lane *in = &s->in[i][l];
    const graph_flit f = in->held[0];
    const ref_graph_link *link = &m->g->link[at][in->out];
    const ref_graph_packet *p = &m->run->packet[f.packet];
    out_lane *out = &s->out[in->out][in->got];
    out_lane *up = s->up_host[i] != NONE ? &m->host[s->up_host[i]].out[l]
                                         : &m->at[s->up_switch[i]].out[s->up_port[i]][l];
    const int back = s->up_host[i] != NONE ? m->g->host[s->up_host[i]].delay
                                           : m->g->link[s->up_switch[i]][s->up_port[i]].delay;
    const long comes = m->now + m->run->granted + m->run->crossed +
                       begin_flit(m, &s->spell[in->out], link->speed, link->delay);

    m->moved = m->now;
    m->o->flits++;
    in->count--;
    memmove(in->held, in->held + 1, (size_t)in->count * sizeof *in->held);
    if (is_late_link(m, at, i))
        hold_credit(m, at, i, l, in->out);
    else
        up->back[up->backs++] = m->now + back + m->run->credit;
    expect(m, out->packet == f.packet);
    if (f.index == 0)
        note_start(m, (ref_graph_start){m->now, f.packet, at, i, in->out, in->got,
                                        m->o->over[f.packet] > 0 ? m->drawn[f.packet] : NONE});
    if (link->host >= 0) {
        expect(m, link->host == p->to);
        if (f.index == p->flits - 1) {
            m->o->last[f.packet] = comes;
            m->o->delivered++;
        }
    } else {
        take_credit(m, out);
        out->sent[out->out++] = m->now;
        m->links[f.packet] += f.index == 0;
        put_flit(m, link->to, link->port, in->got, (graph_flit){f.packet, f.index, comes});
    }
    if (f.index == p->flits - 1) {
        out->packet = NONE;
        in->routed = 0;
        in->got = NONE;
        in->next = m->now + 1;
    }
}

static void cross(machine *m, int at)
{
    node_switch *s = &m->at[at];
    char holds[PORTS], grants[PORTS][PORTS] = {{0}};
    int any = 0;

    for (int i = 0; i < PORTS; i++)
        for (int l = 0; l < m->run->lanes; l++) {
            s->request[i][l] = crossbar_request(m, at, &s->in[i][l]);
            any |= s->request[i][l] != NONE;
        }
    if (!any)
        return;
    for (int o = 0; o < PORTS; o++) {
        memset(holds, 0, sizeof holds);
        for (int i = 0; i < PORTS; i++)
            for (int l = 0; l < m->run->lanes; l++)
                holds[i] |= s->request[i][l] == o;
        if (!can_begin(m, &s->spell[o], m->g->link[at][o].speed))
            continue;
        const int i = next_in_circle(PORTS, s->granted[o], holds);
        if (i != NONE)
            grants[i][o] = 1;
    }
    for (int i = 0; i < PORTS; i++) {
        const int o = next_in_circle(PORTS, s->accepted[i], grants[i]);
        char lanes[LANES] = {0};

        if (o == NONE)
            continue;
        for (int l = 0; l < m->run->lanes; l++)
            lanes[l] = s->request[i][l] == o;
        const int l = next_in_circle(LANES, s->turn[i][o], lanes);
        s->granted[o] = i;
        s->accepted[i] = o;
        s->turn[i][o] = l;
        send_flit(m, at, i, l);
    }
}

/* ---- a cycle of a host ---- */

static int next_packet(const machine *m, int host)
{
    const ref_graph_run *r = m->run;
    int k = m->host[host].next;

    while (k < r->packets && r->packet[k].from != host)
        k++;
    return k < r->packets && r->packet[k].cycle <= m->now ? k : NONE;
}

static void leave(machine *m, int host, int lane)
{
    node_host *h = &m->host[host];
    const ref_graph_host *port = &m->g->host[host];
    const int packet = h->out[lane].packet;

    m->moved = m->now;
    take_credit(m, &h->out[lane]);
    put_flit(m, port->at, port->port, lane,
             (graph_flit){packet, h->sent[lane],
                          m->now + begin_flit(m, &h->spell, port->speed, port->delay)});
    h->turn = lane;
    if (++h->sent[lane] == m->run->packet[packet].flits) {
        h->out[lane].packet = NONE;
        h->under_way--;
    }
}

static void host_sends(machine *m, int host)
{
    node_host *h = &m->host[host];
    const int packet = next_packet(m, host);
    char lanes[LANES] = {0};

    if (!can_begin(m, &h->spell, m->g->host[host].speed))
        return;
    for (int l = m->run->escape && !m->run->alike; l < m->run->lanes; l++)
        lanes[l] = is_free(m, &h->out[l], 0) && h->out[l].credits > 0;
    const int given = packet != NONE && h->under_way < m->run->at_once
                          ? next_in_circle(m->run->lanes, h->given, lanes)
                          : NONE;
    if (given != NONE) {
        h->given = given;
        h->out[given].packet = packet;
        h->sent[given] = 0;
        h->under_way++;
        h->next = packet + 1;
        note_start(
            m, (ref_graph_start){m->now, packet, NONE, 0, 0, given, m->run->packet[packet].drawn});
        leave(m, host, given);
        return;
    }
    for (int l = 0; l < m->run->lanes; l++)
        lanes[l] = h->out[l].packet != NONE && h->out[l].credits > 0;
    const int sends = next_in_circle(m->run->lanes, h->turn, lanes);
    if (sends != NONE)
        leave(m, host, sends);
}

/* ---- the run ---- */

static void begin_lane(const machine *m, out_lane *lane)
{
    *lane = (out_lane){.packet = NONE, .credits = m->run->room, .served = NONE};
}

static void begin(machine *m)
{
    for (int w = 0; w < m->g->switches; w++)
        for (int p = 0; p < PORTS; p++) {
            node_switch *s = &m->at[w];
            const ref_graph_link *link = &m->g->link[w][p];

            s->granted[p] = s->accepted[p] = NONE;
            for (int o = 0; o < PORTS; o++)
                s->turn[p][o] = NONE;
            for (int l = 0; l < LANES; l++) {
                s->in[p][l] = (in_lane){.got = NONE, .accepted = NONE};
                begin_lane(m, &s->out[p][l]);
            }
            if (link->used && link->host < 0) {
                m->at[link->to].up_switch[link->port] = w;
                m->at[link->to].up_port[link->port] = p;
                m->at[link->to].up_host[link->port] = NONE;
            }
        }
    for (int n = 0; n < m->g->hosts; n++) {
        m->at[m->g->host[n].at].up_host[m->g->host[n].port] = n;
        m->host[n].given = m->host[n].turn = NONE;
        for (int l = 0; l < LANES; l++)
            begin_lane(m, &m->host[n].out[l]);
    }
}

static void cycle(machine *m)
{
    for (int w = 0; w < m->g->switches; w++) /* credits are those as the cycle before ended */
        look_at_front(m, w);
    for (int w = 0; w < m->g->switches; w++)
        for (int p = 0; p < PORTS; p++)
            for (int l = 0; l < m->run->lanes; l++) {
                const int before = m->at[w].out[p][l].credits;

                count_credits(m, &m->at[w].out[p][l]);
                time_credits(m, w, p, l, before);
            }
    for (int n = 0; n < m->g->hosts; n++)
        for (int l = 0; l < m->run->lanes; l++)
            count_credits(m, &m->host[n].out[l]);
    for (int n = 0; n < m->g->hosts; n++)
        host_sends(m, n);
    for (int w = 0; w < m->g->switches; w++)
        give_lanes(m, w);
    for (int w = 0; w < m->g->switches; w++)
        cross(m, w);
    for (int w = 0; w < m->g->switches; w++)
        send_held_credits(m, w);
}

void ref_graph_simulate(const ref_graph_run *run, ref_graph_outcome *o)
{
    machine *m = calloc(1, sizeof *m);
    const size_t packets = (size_t)run->packets + 1;

    m->run = run;
    m->g = run->graph;
    m->o = o;
    m->links = calloc(packets, sizeof *m->links);
    m->onward = calloc(packets, sizeof *m->onward);
    m->drawn = calloc(packets, sizeof *m->drawn);
    m->left = calloc(packets, sizeof *m->left);
    *o = (ref_graph_outcome){.last = calloc(packets, sizeof *o->last),
                             .over = calloc(packets, sizeof *o->over)};
    for (int k = 0; k < run->packets; k++) {
        o->last[k] = m->drawn[k] = NONE;
        o->over[k] = run->by_another ? NONE : 0;
    }
    begin(m);
    for (; m->now < run->cycles && o->delivered < run->packets; m->now++) {
        const long created = run->packet[run->packets - 1].cycle;

        if (m->now > created + REF_GRAPH_QUIET && m->now > m->moved + REF_GRAPH_QUIET &&
            !any_held(m))
            break;
        cycle(m);
    }
    o->unfinished = m->now == run->cycles && o->delivered < run->packets;
    free(m->links);
    free(m->onward);
    free(m->drawn);
    free(m->left);
    free(m);
}

void ref_graph_clear(ref_graph_outcome *o)
{
    free(o->start);
    free(o->last);
    free(o->over);
}
