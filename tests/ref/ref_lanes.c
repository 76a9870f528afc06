/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_lanes.h"

#include <stdlib.h>
#include <string.h>

/* A flit, of a packet of which it is number 0, 1, ... */
typedef struct {
    int packet, number;
} flit;

/* The buffer of a lane at an input, and what is known of the packet at its front. */
typedef struct {
    flit *flit; /* [held], the front one first */
    int held;
    long front;       /* the cycle in which the flit in front came there */
    int output, lane; /* given to the packet; -1: none */
    long ready;       /* the cycle from which that holds */
} lane_buffer;

/* What is on its way over a crossbar and a link, or back. */
typedef struct {
    flit flit;
    int lane;
    long begins, due;
} travelling;

/* A link, as seen by its sender: one for each output of a switch, and one for each node. */
typedef struct {
    unsigned end;              /* the input port, or REF_NODE and the node */
    int owner[REF_LANES_MOST]; /* the packet that holds a lane, or -1 */
    int spent[REF_LANES_MOST]; /* credits that are not back */
    int last_lane; /* of a node: the lane given away last; of an output with a pool: the one that
                      granted last; -1: none yet */
    travelling *flits, *credits; /* under way */
    int flits_count, credits_count, room_flits, room_credits;
} link_of;

/* A packet of which some flits have left its node, and some have not. */
typedef struct {
    int packet, lane;
    int number; /* of its next flit */
} lane_sending;

typedef struct {
    int *waiting; /* [count] packets that have not started, in order */
    int count;
    lane_sending under_way[REF_LANES_MOST];
    int sending;    /* of those */
    int after_lane; /* the lane that sent last; -1: none yet */
} lane_source;

typedef struct {
    const ref_lanes *n;
    ref_lanes_outcome *o;
    long now;
    lane_buffer *buffer; /* [switches * ports * lanes] */
    link_of *link;       /* [switches * ports + nodes] */
    lane_source *source; /* [nodes] */
    int *after_input;    /* [switches * ports] of an output: the input that it granted last */
    int *after_output;   /* [switches * ports] of an input: the output that it accepted last */
    int *after_lane; /* [switches * ports * ports] of an input and an output: the lane that crossed
                        last */
    int *given_to; /* [switches * ports * lanes] of a lane of an output: the input * lanes + lane of
                      the packet that it was given to last; -1: none yet */
    int *took;     /* [switches * ports * lanes] of a lane of an input: the output * lanes + lane
                      that a packet of it was given last; -1: none yet */
    char *turned;  /* [packets] is on its way from its intermediate node */
    int next_packet;
    long moved; /* the last cycle in which a flit left a node or a buffer */
    long room_starts;
} lane_world;

static void *need(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);

    if (!p)
        abort();
    return p;
}

static void *more(void *p, int count, int *room, size_t size)
{
    if (count < *room)
        return p;
    *room = 2 * *room + 8;
    p = realloc(p, (size_t)*room * size);
    if (!p)
        abort();
    return p;
}

static void hold(lane_world *w, int what)
{
    w->o->broken += !what;
}

static link_of *link_from(const lane_world *w, int switch_, int output)
{
    return &w->link[switch_ * w->n->wiring.ports + output];
}

static link_of *link_of_node(lane_world *w, int node)
{
    return &w->link[w->n->wiring.switches * w->n->wiring.ports + node];
}

static lane_buffer *buffer_at(lane_world *w, int port, int lane)
{
    return &w->buffer[port * w->n->lanes + lane];
}

static int is_last(const lane_world *w, flit f)
{
    return f.number == w->n->packet[f.packet].bytes - 1;
}

/* ---- the lanes that a packet may take ---- */

static unsigned all_lanes(const lane_world *w)
{
    return w->n->lanes == 32 ? 0xffffffffu : (1u << w->n->lanes) - 1;
}

/* Of a torus: the coordinate of a node. */
static int coordinate(const ref_plan *g, int node, int dim)
{
    for (int d = g->dims - 1; d > dim; d--)
        node /= g->extent[d];
    return node % g->extent[dim];
}

/* The lanes are in one, two or four parts: 2 for the second half of a route over another node, and
 * 1 for the upper half of a ring. */
static int has_rings(const lane_world *w)
{
    return w->n->grid && (w->n->choice == REF_LANE_DATELINE || w->n->choice == REF_LANE_CROSSING);
}

/* The start of a part; if parts cannot be equal the upper ones are larger; part 4: the end of
 * all. */
static int first_of_part(const lane_world *w, int part)
{
    const int lanes = w->n->lanes, ways = w->n->over ? lanes / 2 : 0;
    const int first = part < 2 ? 0 : ways, count = !w->n->over || part >= 2 ? lanes - first : ways;

    if (part == 4)
        return lanes;
    return first + (part % 2 && has_rings(w) ? count / 2 : 0);
}

static unsigned lanes_of_part(const lane_world *w, int way, int upper)
{
    const int part = (w->n->over ? 2 * way : 0) + upper;
    const int next = has_rings(w) && !upper ? part + 1 : w->n->over && !way ? 2 : 4;
    unsigned set = 0;

    for (int lane = first_of_part(w, part); lane < first_of_part(w, next); lane++)
        set |= 1u << lane;
    return set;
}

/* The ends of that half of its route that a packet is on. */
static int begins_at(const lane_world *w, int packet)
{
    return w->n->over && w->turned[packet] ? w->n->over[packet] : w->n->packet[packet].from;
}

static int ends_at(const lane_world *w, int packet)
{
    return w->n->over && !w->turned[packet] ? w->n->over[packet] : w->n->packet[packet].to;
}

/* The lanes of an output's link; switch_ REF_SENDER: of the source's. */
static unsigned lanes_for(const lane_world *w, int packet, int switch_, int output)
{
    const ref_lanes *n = w->n;
    const ref_plan *g = n->grid;

    if (switch_ != REF_SENDER && link_from(w, switch_, output)->end & REF_NODE)
        return all_lanes(w);
    if (n->choice == REF_LANE_DESTINATION)
        return 1u << n->packet[packet].to % n->lanes;
    if (switch_ == REF_SENDER)
        return all_lanes(w);
    if (!has_rings(w))
        return lanes_of_part(w, w->turned[packet], 0);
    const int from = begins_at(w, packet), to = ends_at(w, packet);
    const int dim = g->one_way ? output : output / 2, down = !g->one_way && output % 2;
    const int began = coordinate(g, from, dim), here = coordinate(g, switch_, dim);
    const int ends = coordinate(g, to, dim), size = g->extent[dim];
    const int next = (here + (down ? size - 1 : 1)) % size; /* where the link leads */
    const int at = n->choice == REF_LANE_CROSSING ? ends : next;
    return lanes_of_part(w, w->turned[packet], down ? at > began : at < began);
}

/* ---- a pool that the lanes of a link share ---- */

/* Has a lane its reserve even when no packet holds it? With --lane-reserve-for used, this holds for
 * one lane of each set from which a packet may have to choose, its first. */
static int keeps_its_reserve(const lane_world *w, int lane)
{
    const ref_lanes *n = w->n;

    if (!n->used_only || n->choice == REF_LANE_DESTINATION)
        return 1;
    for (int part = 0; part < 4; part++)
        if (lane == first_of_part(w, part))
            return 1;
    return 0;
}

/* The flits of the pool that a lane has to itself while a packet holds it, or if one did. */
static int holds(const lane_world *w, const link_of *l, int lane, int given)
{
    const int own = given || keeps_its_reserve(w, lane) ? w->n->reserve : 0;

    return l->spent[lane] > own ? l->spent[lane] : own;
}

/* The flits of the pool that all lanes together have to themselves, if this one (-1: none) were
 * given away. */
static int held_of_pool(const lane_world *w, const link_of *l, int as_given)
{
    int sum = 0;

    for (int lane = 0; lane < w->n->lanes; lane++)
        sum += holds(w, l, lane, l->owner[lane] >= 0 || lane == as_given);
    return sum;
}

/* May a flit be sent over that lane, which a packet holds, or would then? */
static int has_credit(const lane_world *w, const link_of *l, int lane)
{
    const ref_lanes *n = w->n;

    if (l->end & REF_NODE)
        return 1;
    if (l->spent[lane] >= n->room)
        return 0;
    return !n->pool || l->spent[lane] < n->reserve || held_of_pool(w, l, lane) < n->pool;
}

/* May a lane be given to a packet? */
static int is_free(const lane_world *w, const link_of *l, int lane)
{
    const ref_lanes *n = w->n;

    if (l->owner[lane] >= 0 || (n->empty && l->spent[lane] > 0))
        return 0;
    return !n->pool || l->end & REF_NODE || held_of_pool(w, l, lane) <= n->pool;
}

/* The next lane of a node's link, in a circle, in which a packet may start; -1: none. */
static int lane_to_start(const lane_world *w, const link_of *l, unsigned set)
{
    for (int k = 1; k <= w->n->lanes; k++) {
        const int lane = (l->last_lane + k) % w->n->lanes;

        if (set >> lane & 1 && is_free(w, l, lane) && has_credit(w, l, lane))
            return lane;
    }
    return -1;
}

/* A flit enters the link in that cycle. */
static void send(lane_world *w, link_of *l, flit f, int lane, long begins)
{
    w->moved = w->now;
    for (int i = 0; i < l->flits_count; i++)
        hold(w, l->flits[i].begins != begins);
    l->flits = more(l->flits, l->flits_count, &l->room_flits, sizeof *l->flits);
    l->flits[l->flits_count++] = (travelling){f, lane, begins, begins + w->n->link};
    if (!(l->end & REF_NODE))
        l->spent[lane]++;
    if (is_last(w, f))
        l->owner[lane] = -1;
}

static void started(lane_world *w, ref_lanes_start s)
{
    ref_lanes_outcome *o = w->o;

    if (o->starts == w->room_starts) {
        w->room_starts = 2 * w->room_starts + 1024;
        o->start = realloc(o->start, (size_t)w->room_starts * sizeof *o->start);
        if (!o->start)
            abort();
    }
    o->start[o->starts++] = s;
}

static void into_buffer(lane_world *w, lane_buffer *b, flit f)
{
    hold(w, b->held < w->n->room);
    if (b->held > 0) { /* the flit before it in the lane */
        const flit before = b->flit[b->held - 1];

        hold(w, f.number > 0 ? before.packet == f.packet && before.number == f.number - 1
                             : is_last(w, before));
    } else {
        b->front = w->now;
    }
    b->flit[b->held++] = f;
}

/* Everything due in this cycle. */
static void arrivals(lane_world *w, link_of *l)
{
    int kept = 0;

    for (int i = 0; i < l->flits_count; i++) {
        const travelling x = l->flits[i];

        if (x.due > w->now) {
            l->flits[kept++] = x;
        } else if (!(l->end & REF_NODE)) {
            into_buffer(w, buffer_at(w, (int)l->end, x.lane), x.flit);
        } else {
            hold(w, (int)(l->end & ~REF_NODE) == w->n->packet[x.flit.packet].to);
            w->o->inside--;
            if (is_last(w, x.flit)) {
                w->o->last[x.flit.packet] = x.begins;
                w->o->delivered++;
            }
        }
    }
    l->flits_count = kept;
    kept = 0;
    for (int i = 0; i < l->credits_count; i++) {
        if (l->credits[i].due > w->now)
            l->credits[kept++] = l->credits[i];
        else
            hold(w, l->spent[l->credits[i].lane]-- > 0);
    }
    l->credits_count = kept;
}

/* The link that ends at an input port. */
static link_of *link_to(lane_world *w, int port)
{
    const int links = w->n->wiring.switches * w->n->wiring.ports + w->n->wiring.nodes;

    for (int i = 0; i < links; i++)
        if (w->link[i].end == (unsigned)port)
            return &w->link[i];
    abort();
}

/* The front flit leaves its buffer. */
static flit out_of_buffer(lane_world *w, int port, int lane)
{
    lane_buffer *b = buffer_at(w, port, lane);
    link_of *l = link_to(w, port);
    const flit f = b->flit[0];

    b->held--;
    memmove(b->flit, b->flit + 1, (size_t)b->held * sizeof *b->flit);
    b->front = w->now + 1;
    if (is_last(w, f))
        b->output = b->lane = -1;
    l->credits = more(l->credits, l->credits_count, &l->room_credits, sizeof *l->credits);
    l->credits[l->credits_count++] =
        (travelling){f, lane, w->now, w->now + w->n->link + w->n->credit};
    return f;
}

/* ---- a switch ---- */

/* At the switch of its intermediate node a packet begins anew, as if it came from there. */
static int output_of(lane_world *w, int port, flit f)
{
    const ref_wiring *wiring = &w->n->wiring;

    if (w->n->over) {
        const int entry = (int)wiring->entry[w->n->over[f.packet]];

        if (port / wiring->ports == entry / wiring->ports) {
            w->turned[f.packet] = 1;
            port = entry;
        }
    }
    const int class_ = wiring->class_of(wiring->self, (unsigned)port, begins_at(w, f.packet),
                                        ends_at(w, f.packet));

    return wiring->output_of(wiring->self, (unsigned)port, class_);
}

/* The lanes of an output that the packet at the front of an input's lane requests; output -1: it
 * requests none. */
typedef struct {
    int output;
    unsigned lanes;
} lane_request;

static lane_request request_of(lane_world *w, int switch_, int input, int lane)
{
    const int port = switch_ * w->n->wiring.ports + input;
    const lane_buffer *b = buffer_at(w, port, lane);
    lane_request r = {-1, 0};

    if (b->held == 0 || b->flit[0].number != 0 || b->lane >= 0 || w->now < b->front + w->n->routed)
        return r;
    r.output = output_of(w, port, b->flit[0]);
    const unsigned may = lanes_for(w, b->flit[0].packet, switch_, r.output);
    for (int next = 0; next < w->n->lanes; next++)
        if (may >> next & 1 && is_free(w, link_from(w, switch_, r.output), next))
            r.lanes |= 1u << next;
    return r;
}

/* The request that a lane of an output would grant, as the input's number times lanes and the lane;
 * -1: there is none. */
static int to_grant(lane_world *w, int switch_, int output, int lane, const lane_request request[])
{
    const int all = w->n->wiring.ports * w->n->lanes;
    const int after = w->given_to[switch_ * all + output * w->n->lanes + lane];

    for (int k = 1; k <= all; k++) {
        const lane_request *r = &request[(after + k) % all];

        if (r->output == output && r->lanes >> lane & 1)
            return (after + k) % all;
    }
    return -1;
}

/* The grants of an output's lanes. If they share a pool, what each would hold of it in addition
 * must be there, together with that of those that come before it in a circle. */
static void grants(lane_world *w, int switch_, int output, const lane_request request[],
                   int granted[])
{
    const ref_lanes *n = w->n;
    link_of *l = link_from(w, switch_, output);
    const int first = l->last_lane + 1, shared = n->pool && n->used_only && !(l->end & REF_NODE);
    int held = shared ? held_of_pool(w, l, -1) : 0;

    for (int k = 0; k < n->lanes; k++) {
        const int lane = (first + k) % n->lanes, to = output * n->lanes + lane;

        granted[to] = to_grant(w, switch_, output, lane, request);
        if (granted[to] < 0 || !shared)
            continue;
        const int more = holds(w, l, lane, 1) - holds(w, l, lane, 0);
        if (held + more > n->pool) {
            granted[to] = -1;
            continue;
        }
        held += more;
        l->last_lane = lane;
    }
}

static void give_lane(lane_world *w, int switch_, int from, int to)
{
    const ref_lanes *n = w->n;
    const int all = n->wiring.ports * n->lanes;
    lane_buffer *b = buffer_at(w, switch_ * n->wiring.ports + from / n->lanes, from % n->lanes);

    b->output = to / n->lanes;
    b->lane = to % n->lanes;
    b->ready = w->now + n->given;
    link_from(w, switch_, b->output)->owner[b->lane] = b->flit[0].packet;
    w->given_to[switch_ * all + to] = from;
    w->took[switch_ * all + from] = to;
}

/* Headers that have been routed are given lanes: first all lanes grant, then all packets accept. */
static void give_lanes(lane_world *w, int switch_)
{
    const int ports = w->n->wiring.ports, all = ports * w->n->lanes;
    lane_request request[64 * REF_LANES_MOST];
    int granted[64 * REF_LANES_MOST], any = 0;

    for (int from = 0; from < all; from++) {
        request[from] = request_of(w, switch_, from / w->n->lanes, from % w->n->lanes);
        any += request[from].lanes != 0;
    }
    if (!any)
        return;
    for (int output = 0; output < ports; output++)
        grants(w, switch_, output, request, granted);
    for (int from = 0; from < all; from++) {
        const int after = w->took[switch_ * all + from];

        for (int k = 1; k <= all; k++) {
            const int to = (after + k) % all;

            if (granted[to] == from) {
                give_lane(w, switch_, from, to);
                break;
            }
        }
    }
}

/* Does the front flit of that lane request that output? */
static int asks(lane_world *w, int switch_, int input, int lane, int output)
{
    const lane_buffer *b = buffer_at(w, switch_ * w->n->wiring.ports + input, lane);

    return b->held > 0 && b->front <= w->now && b->lane >= 0 && b->output == output &&
           b->ready <= w->now && has_credit(w, link_from(w, switch_, output), b->lane);
}

/* The lane of an input that is to be sent to an output; -1: none. */
static int asking_lane(lane_world *w, int switch_, int input, int output)
{
    const int ports = w->n->wiring.ports;
    const int after = w->after_lane[(switch_ * ports + input) * ports + output];

    for (int k = 1; k <= w->n->lanes; k++) {
        const int lane = (after + k) % w->n->lanes;

        if (asks(w, switch_, input, lane, output))
            return lane;
    }
    return -1;
}

/* A flit crosses. */
static void cross(lane_world *w, int switch_, int input, int output)
{
    const ref_lanes *n = w->n;
    const int ports = n->wiring.ports, port = switch_ * ports + input;
    const int lane = asking_lane(w, switch_, input, output);
    const int next = buffer_at(w, port, lane)->lane;
    const long begins = w->now + n->granted + n->crossed;
    const flit f = out_of_buffer(w, port, lane);

    send(w, link_from(w, switch_, output), f, next, begins);
    w->o->sent++;
    if (f.number == 0)
        started(w, (ref_lanes_start){begins, f.packet, switch_, output, input, next});
    w->after_input[switch_ * ports + output] = input;
    w->after_output[port] = output;
    w->after_lane[port * ports + output] = lane;
}

/* One iteration of iSLIP. */
static void match(lane_world *w, int switch_)
{
    const int ports = w->n->wiring.ports;
    int granted[64], accepted[64];

    for (int output = 0; output < ports; output++) {
        granted[output] = -1;
        for (int k = 1; k <= ports && granted[output] < 0; k++) {
            const int input = (w->after_input[switch_ * ports + output] + k) % ports;

            if (asking_lane(w, switch_, input, output) >= 0)
                granted[output] = input;
        }
    }
    for (int input = 0; input < ports; input++) {
        accepted[input] = -1;
        for (int k = 1; k <= ports && accepted[input] < 0; k++) {
            const int output = (w->after_output[switch_ * ports + input] + k) % ports;

            if (granted[output] == input)
                accepted[input] = output;
        }
    }
    for (int input = 0; input < ports; input++)
        if (accepted[input] >= 0)
            cross(w, switch_, input, accepted[input]);
}

/* ---- a node ---- */

static void new_packets(lane_world *w)
{
    const ref_lanes *n = w->n;

    for (; w->next_packet < n->packets && n->packet[w->next_packet].cycle <= w->now;
         w->next_packet++) {
        lane_source *s = &w->source[n->packet[w->next_packet].from];

        s->waiting[s->count++] = w->next_packet;
    }
}

/* The first packet that waits starts, if it may: it is given a lane, in which its first flit will
 * go in this cycle. Returns that lane, or -1. */
static int start_from(lane_world *w, int node)
{
    lane_source *s = &w->source[node];
    link_of *l = link_of_node(w, node);

    if (s->count == 0 || s->sending >= w->n->at_once)
        return -1;
    const int packet = s->waiting[0];
    const int lane = lane_to_start(w, l, lanes_for(w, packet, REF_SENDER, 0));
    if (lane < 0)
        return -1;
    l->owner[lane] = packet;
    l->last_lane = lane;
    started(w, (ref_lanes_start){w->now, packet, REF_SENDER, 0, 0, lane});
    s->under_way[s->sending++] = (lane_sending){packet, lane, 0};
    s->count--;
    memmove(s->waiting, s->waiting + 1, (size_t)s->count * sizeof *s->waiting);
    return lane;
}

static lane_sending *sending_in(lane_source *s, int lane)
{
    for (int i = 0; i < s->sending; i++)
        if (s->under_way[i].lane == lane)
            return &s->under_way[i];
    return NULL;
}

/* The next lane in a circle with a packet under way and a credit; -1: none. */
static int next_sending(lane_world *w, int node)
{
    lane_source *s = &w->source[node];

    for (int k = 1; k <= w->n->lanes; k++) {
        const int lane = (s->after_lane + k) % w->n->lanes;

        if (sending_in(s, lane) && has_credit(w, link_of_node(w, node), lane))
            return lane;
    }
    return -1;
}

static void send_from(lane_world *w, int node)
{
    lane_source *s = &w->source[node];
    int lane = start_from(w, node);

    if (lane < 0)
        lane = next_sending(w, node);
    if (lane < 0)
        return;
    lane_sending *x = sending_in(s, lane);
    const flit f = {x->packet, x->number++};
    send(w, link_of_node(w, node), f, lane, w->now);
    w->o->inside++;
    s->after_lane = lane;
    if (is_last(w, f))
        *x = s->under_way[--s->sending];
}

/* ---- a run ---- */

static void make(lane_world *w)
{
    const ref_lanes *n = w->n;
    const int outputs = n->wiring.switches * n->wiring.ports, links = outputs + n->wiring.nodes;

    w->buffer = need((size_t)(outputs * n->lanes), sizeof *w->buffer);
    for (int i = 0; i < outputs * n->lanes; i++) {
        w->buffer[i].flit = need((size_t)n->room, sizeof(flit));
        w->buffer[i].output = w->buffer[i].lane = -1;
    }
    w->link = need((size_t)links, sizeof *w->link);
    for (int i = 0; i < links; i++) {
        link_of *l = &w->link[i];

        l->end = i < outputs ? n->wiring.link[i] : n->wiring.entry[i - outputs];
        l->last_lane = -1;
        for (int lane = 0; lane < n->lanes; lane++)
            l->owner[lane] = -1;
    }
    w->source = need((size_t)n->wiring.nodes, sizeof *w->source);
    for (int i = 0; i < n->wiring.nodes; i++) {
        w->source[i].waiting = need((size_t)n->packets, sizeof(int));
        w->source[i].after_lane = -1;
    }
    w->after_input = need((size_t)outputs, sizeof(int));
    w->after_output = need((size_t)outputs, sizeof(int));
    w->after_lane = need((size_t)(outputs * n->wiring.ports), sizeof(int));
    w->given_to = need((size_t)(outputs * n->lanes), sizeof(int));
    w->took = need((size_t)(outputs * n->lanes), sizeof(int));
    for (int i = 0; i < outputs; i++)
        w->after_input[i] = w->after_output[i] = -1;
    for (int i = 0; i < outputs * n->wiring.ports; i++)
        w->after_lane[i] = -1;
    for (int i = 0; i < outputs * n->lanes; i++)
        w->given_to[i] = w->took[i] = -1;
    w->turned = need((size_t)n->packets, 1);
    w->o->held = need((size_t)outputs, sizeof(int));
    w->o->last = need((size_t)n->packets, sizeof(long));
    for (int i = 0; i < n->packets; i++)
        w->o->last[i] = -1;
}

static void unmake(lane_world *w)
{
    const ref_lanes *n = w->n;
    const int outputs = n->wiring.switches * n->wiring.ports, links = outputs + n->wiring.nodes;

    for (int i = 0; i < outputs * n->lanes; i++)
        free(w->buffer[i].flit);
    for (int i = 0; i < links; i++) {
        free(w->link[i].flits);
        free(w->link[i].credits);
    }
    for (int i = 0; i < n->wiring.nodes; i++)
        free(w->source[i].waiting);
    free(w->buffer);
    free(w->link);
    free(w->source);
    free(w->after_input);
    free(w->after_output);
    free(w->after_lane);
    free(w->given_to);
    free(w->took);
    free(w->turned);
}

/* Every credit is at the sender, or belongs to a flit on its way to the buffer or in it, or is on
 * its way back. */
static void check_credits(lane_world *w)
{
    const ref_lanes *n = w->n;
    const int links = n->wiring.switches * n->wiring.ports + n->wiring.nodes;

    for (int i = 0; i < links; i++) {
        const link_of *l = &w->link[i];

        if (l->end & REF_NODE || l->end == REF_NOWHERE)
            continue;
        for (int lane = 0; lane < n->lanes; lane++) {
            int known = buffer_at(w, (int)l->end, lane)->held;

            for (int k = 0; k < l->flits_count; k++)
                known += l->flits[k].lane == lane;
            for (int k = 0; k < l->credits_count; k++)
                known += l->credits[k].lane == lane;
            hold(w, known == l->spent[lane] && known <= n->room);
        }
        hold(w, !n->pool || held_of_pool(w, l, -1) <= n->pool);
    }
}

static int by_cycle(const void *a, const void *b)
{
    const ref_lanes_start *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->switch_ != y->switch_)
        return x->switch_ < y->switch_ ? -1 : 1;
    if (x->output != y->output)
        return x->output < y->output ? -1 : 1;
    return (x->packet > y->packet) - (x->packet < y->packet);
}

void ref_lanes_run(const ref_lanes *n, ref_lanes_outcome *o)
{
    lane_world w = {.n = n, .o = o};
    const int links = n->wiring.switches * n->wiring.ports + n->wiring.nodes;

    *o = (ref_lanes_outcome){0};
    make(&w);
    for (; w.now < n->cycles && o->delivered < n->packets; w.now++) {
        if (w.next_packet == n->packets && w.now > w.moved + REF_LANES_STUCK)
            break;
        for (int i = 0; i < links; i++)
            arrivals(&w, &w.link[i]);
        new_packets(&w);
        for (int node = 0; node < n->wiring.nodes; node++)
            send_from(&w, node);
        for (int s = 0; s < n->wiring.switches; s++) {
            give_lanes(&w, s);
            match(&w, s);
        }
        check_credits(&w);
    }
    o->cycles = w.now;
    for (int i = 0; i < n->wiring.switches * n->wiring.ports; i++)
        for (int lane = 0; lane < n->lanes; lane++)
            o->held[i] += buffer_at(&w, i, lane)->held;
    if (o->starts)
        qsort(o->start, (size_t)o->starts, sizeof *o->start, by_cycle);
    unmake(&w);
}

void ref_lanes_clear(ref_lanes_outcome *o)
{
    free(o->start);
    free(o->last);
    free(o->held);
}
