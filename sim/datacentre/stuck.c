/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deadlocks of pauses: outputs that are paused for ever, since all packets for which the pause
 * waits are at outputs that are paused for ever, too. Found as the largest such set: outputs whose
 * pause can end are taken out until none is left that can. A watchdog breaks such a set when its
 * detection time is over: one that is found has not lasted for so long.
 */
#include "sim/datacentre/net.h"

typedef struct {
    const dc_net *net;
    bool *stuck;  /* [queues] of the class at the output */
    bool *moves;  /* [queues] numbered as inputs: a packet that the input holds may leave */
    bool *holds;  /* [queues] ... or there is one */
    uint32_t *at; /* [queues] ... and the queue that one of its packets is in */
} stuck_outputs;

/* The input, as a queue number, at the other end of an output's line. */
static uint32_t input_behind(const dc_net *net, uint32_t queue)
{
    const uint32_t classes = (uint32_t)net->classes;

    return net->line[queue / classes].to * classes + queue % classes;
}

static void look_at(stuck_outputs *s, uint32_t packet, uint32_t queue, bool leaves)
{
    const dc_packet *p = &s->net->packets.packet[packet];
    const uint32_t input = p->came * (uint32_t)s->net->classes + p->class;

    s->holds[input] = true;
    s->moves[input] |= leaves;
    s->at[input] = queue;
}

static void look_at_packets(stuck_outputs *s)
{
    const dc_net *net = s->net;

    for (uint32_t q = 0; q < net->queues; q++)
        s->moves[q] = s->holds[q] = false;
    for (uint32_t q = 0; q < net->queues; q++) {
        for (uint32_t k = net->queue[q].waiting.head; k != DC_NONE; k = net->packets.packet[k].next)
            look_at(s, k, q, !s->stuck[q]);
    }
    for (uint32_t port = 0; port < net->host_ports; port++) {
        if (net->port[port].sending != DC_NONE)
            look_at(s, net->port[port].sending, net->port[port].queue, true);
    }
}

/* Takes out outputs whose pause can end. Returns whether there were any. */
static bool take_out(stuck_outputs *s)
{
    const dc_net *net = s->net;
    bool any = false;

    look_at_packets(s);
    for (uint32_t q = 0; q < net->queues; q++) {
        if (!s->stuck[q])
            continue;
        const uint32_t input = input_behind(net, q);
        s->stuck[q] = dc_ingress_asked(net, input) && s->holds[input] && !s->moves[input];
        any |= !s->stuck[q];
    }
    return any;
}

static void begin(stuck_outputs *s)
{
    const dc_net *net = s->net;
    const uint32_t classes = (uint32_t)net->classes;

    for (uint32_t q = 0; q < net->queues; q++)
        s->stuck[q] = (net->port[q / classes].paused >> q % classes & 1) &&
                      net->line[q / classes].to < net->host_ports;
}

/* From a stuck output to one for which it waits, until one comes again. */
static void walk(const stuck_outputs *s, uint32_t queue, swq_dc_circle *circle)
{
    const dc_net *net = s->net;
    const uint32_t classes = (uint32_t)net->classes;
    uint32_t first;

    /* as many steps as there are queues lead into the circle */
    for (uint32_t step = 0; step < net->queues; step++)
        queue = s->at[input_behind(net, queue)];
    first = queue;
    do {
        const uint32_t port = queue / classes, memory = net->memory_of[port];
        const uint32_t to = net->line[port].to, next = net->memory_of[to];
        if (circle->outputs < SWQ_DC_CIRCLE)
            circle->output[circle->outputs] =
                (swq_dc_paused){.at = memory,
                                .port = port - net->memory[memory].first_port,
                                .to = next,
                                .to_port = to - net->memory[next].first_port,
                                .traffic_class = (int)(queue % classes)};
        circle->outputs++;
        queue = s->at[input_behind(net, queue)];
    } while (queue != first);
}

swq_status dc_find_stuck(swq_context *ctx, const dc_net *net, swq_dc_circle *circle)
{
    stuck_outputs s = {.net = net};
    swq_status status = SWQ_OK;

    *circle = (swq_dc_circle){.outputs = 0};
    if (!net->ingress)
        return SWQ_OK;
    s.stuck = swq_calloc(ctx, net->queues, sizeof *s.stuck);
    s.moves = swq_calloc(ctx, net->queues, sizeof *s.moves);
    s.holds = swq_calloc(ctx, net->queues, sizeof *s.holds);
    s.at = swq_calloc(ctx, net->queues, sizeof *s.at);
    if (!s.stuck || !s.moves || !s.holds || !s.at)
        status = swq_memory_status(ctx);
    if (!status) {
        begin(&s);
        while (take_out(&s))
            ;
        uint32_t q = 0;
        while (q < net->queues && !s.stuck[q])
            q++;
        if (q < net->queues)
            walk(&s, q, circle);
    }
    swq_free(ctx, s.at);
    swq_free(ctx, s.holds);
    swq_free(ctx, s.moves);
    swq_free(ctx, s.stuck);
    return status;
}
