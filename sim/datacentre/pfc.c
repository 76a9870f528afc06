/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Priority flow control: a switch counts what each input holds of each lossless class, pauses the
 * sender at the other end of the line when that is above a dynamic threshold, and takes what still
 * comes into a headroom that belongs to the input alone. Source: the model of shared memory in
 * HPCC's and SONiC's code that docs/datacentre.md describes.
 */
#include "sim/datacentre/net.h"

/* The states of all (port, class), by queue number. */
struct dc_ingress {
    uint64_t held;     /* bytes in the shared part */
    uint64_t headroom; /* bytes in the headroom */
    uint64_t pauses;   /* that have begun, in the measured time */
    uint64_t since;    /* ps: of the present pause, as the sender feels it */
    uint64_t paused;   /* ps in pause, in the measured time */
    uint64_t begins;   /* ps: when the last frame begins to be sent */
    uint64_t
        frames; /* those on their way, a bit each, the first in bit 0: does it ask for a pause? */
    int count;
    bool asked; /* the switch has asked for a pause */
};

bool dc_ingress_asked(const dc_net *net, uint32_t input)
{
    return net->ingress[input].asked;
}

bool dc_lossless(const dc_net *net, int class)
{
    return net->spec->pfc.classes >> class & 1;
}

static uint32_t input_of(const dc_net *net, const dc_packet *p)
{
    return p->came * (uint32_t)net->classes + p->class;
}

static dc_ingress *ingress_of(const dc_net *net, const dc_packet *p)
{
    return &net->ingress[input_of(net, p)];
}

/* What an input and class may hold of the shared part. */
static double threshold(dc_net *net, uint32_t memory, uint32_t input)
{
    const double all = net->spec->pfc.alpha * (double)net->memory[memory].free;

    return net->averages ? all / dc_congested(net, memory, DC_INPUTS, input) : all;
}

/* What is compared with the threshold. */
static double length_of(const dc_net *net, uint32_t input)
{
    return net->averages ? dc_average(net, DC_INPUTS, input) : (double)net->ingress[input].held;
}

/* ---- frames ---- */

enum { MOST_FRAMES = 64 };

/* A frame for the sender at the other end of the line that leads to `port` waits for the packet
 * that is being sent the other way; then it is sent, travels, and is obeyed. A frame says what
 * holds as it begins to be sent, so that one that waits still is changed instead of followed by
 * another. */
static void send_frame(dc_net *net, uint32_t port, int class, bool pause)
{
    const dc_line *back = &net->line[port];
    const uint64_t busy = net->port[port].sending == DC_NONE ? 0 : net->port[port].ends - net->now;
    const uint64_t frame = swq_dc_time(SWQ_DC_PAUSE_BYTES, back->rate);
    dc_ingress *in = &net->ingress[port * (uint32_t)net->classes + (uint32_t) class];

    if (in->count > 0 && (net->now <= in->begins || in->count == MOST_FRAMES)) {
        const uint64_t last = UINT64_C(1) << (in->count - 1);
        in->frames = pause ? in->frames | last : in->frames & ~last;
        return;
    }
    const uint64_t after = in->count > 0 ? in->begins + frame : 0;
    in->begins = net->now + busy > after ? net->now + busy : after;
    in->frames |= (uint64_t)pause << in->count++;
    dc_events_push(net->ctx, net->events,
                   in->begins + frame + back->delay + net->spec->pfc.response, DC_PAUSE,
                   back->to * (uint32_t)net->classes + (uint32_t) class);
}

/* The part of a pause from `since` to `until` that is in the measured time, in ps. */
static uint64_t measured_part(const dc_tally *t, uint64_t since, uint64_t until)
{
    const uint64_t from = since > t->begun ? since : t->begun;
    const uint64_t to = t->on || until < t->ended ? until : t->ended;

    return from < to ? to - from : 0;
}

/* A frame is obeyed by a port that sends to a switch. */
void dc_frame(dc_net *net, uint32_t queue)
{
    const uint32_t port = queue / (uint32_t)net->classes;
    const unsigned class = queue % (uint32_t)net->classes, bit = 1u << class;
    dc_port *p = &net->port[port];
    dc_ingress *in = &net->ingress[net->line[port].to * (uint32_t)net->classes + class];

    const bool pause = in->frames & 1;
    in->frames >>= 1;
    in->count--;
    if (pause) {
        if (!(p->paused & bit)) {
            in->since = net->now;
            in->pauses += net->tally.on;
        }
        p->paused |= (uint8_t)bit;
        return;
    }
    if (p->paused & bit)
        in->paused += measured_part(&net->tally, in->since, net->now);
    p->paused &= (uint8_t)~bit;
    dc_look_at_port(net, port);
}

/* ---- memory ---- */

swq_fate dc_lossless_fate(dc_net *net, uint32_t memory, dc_packet *p)
{
    const uint32_t input = input_of(net, p);
    dc_ingress *in = &net->ingress[input];
    const bool below = length_of(net, input) <= threshold(net, memory, input);
    const bool fits = in->headroom + p->size <= net->spec->pfc.headroom;

    if (in->headroom == 0 && below && p->size <= net->memory[memory].free)
        return SWQ_TAKE;
    /* A pause ends as packets of the input leave: without any it would last for ever. */
    if (!in->asked && (fits || in->held + in->headroom > 0)) {
        in->asked = true;
        send_frame(net, p->came, p->class, true);
    }
    if (!fits)
        return SWQ_REFUSE;
    p->in_headroom = true;
    return SWQ_TAKE;
}

/* A packet is stored: returns the bytes of the shared part that it takes. */
uint64_t dc_ingress_take(dc_net *net, const dc_packet *p)
{
    dc_ingress *in = ingress_of(net, p);

    if (!p->in_headroom) {
        in->held += p->size;
        return p->size;
    }
    in->headroom += p->size;
    if (net->tally.on && in->headroom > net->headroom_most)
        net->headroom_most = in->headroom;
    return 0;
}

/* A packet has left the memory: what it frees is the headroom's first. Returns the bytes of the
 * shared part that are free again. */
uint64_t dc_ingress_give(dc_net *net, const dc_packet *p)
{
    dc_ingress *in = ingress_of(net, p);
    const uint64_t from_headroom = in->headroom < p->size ? in->headroom : p->size;
    const uint64_t shared = p->size - from_headroom;

    in->headroom -= from_headroom;
    in->held -= shared;
    if (net->averages)
        dc_average_falls(net, DC_INPUTS, input_of(net, p), in->held + in->headroom);
    return shared;
}

/* May the sender go on, after a packet has left? */
void dc_ingress_look(dc_net *net, uint32_t memory, uint32_t port, int class)
{
    const swq_dc_pfc *pfc = &net->spec->pfc;
    const uint32_t input = port * (uint32_t)net->classes + (uint32_t) class;
    dc_ingress *in = &net->ingress[input];

    if (!in->asked || in->headroom > 0)
        return;
    const double length = length_of(net, input);
    if (length >= (double)pfc->resume_below &&
        length + (double)pfc->resume_offset > threshold(net, memory, input))
        return;
    in->asked = false;
    send_frame(net, port, class, false);
}

/* ---- its arrays, and what was counted ---- */

swq_status dc_ingress_make(swq_context *ctx, dc_net *net)
{
    net->ingress = swq_calloc(ctx, (size_t)net->ports * (size_t)net->classes, sizeof *net->ingress);
    return net->ingress ? SWQ_OK : swq_memory_status(ctx);
}

void dc_ingress_pauses(const dc_net *net, uint32_t port, int class, uint64_t *pauses,
                       uint64_t *paused)
{
    const uint32_t to = net->line[port].to;

    *pauses = *paused = 0;
    if (to >= net->host_ports)
        return;
    const dc_ingress *in = &net->ingress[to * (uint32_t)net->classes + (uint32_t) class];
    *pauses = in->pauses;
    *paused = in->paused;
    if (net->port[port].paused >> class & 1)
        *paused += measured_part(&net->tally, in->since, net->now);
}
