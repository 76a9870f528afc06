/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets that come to one switch from outside: at random times, in slots, or of a trace.
 */
#include "sim/datacentre/net.h"

#include <math.h>

const char *const swq_dc_arrivals_words[] = {"poisson", "slots", "trace", NULL};

/* Random words of draw number net->draws, of which each packet or input has its own. */
static swq_words draw(dc_net *net)
{
    return swq_stream_words(&net->streams, SWQ_STREAM_PACKET, 0, net->draws++);
}

/* The first entry of cumulated shares above a number in [0, 1). */
static int pick(const double *cumulated, int count, double at)
{
    int low = 0, high = count - 1;

    while (low < high) {
        const int middle = (low + high) / 2;
        if (cumulated[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void come(dc_net *net, uint32_t from, uint32_t port, uint8_t class, uint8_t flags,
                 uint32_t bytes)
{
    const uint32_t k = dc_packet_take(net->ctx, &net->packets);
    const uint32_t cell = net->spec->memory.cell;

    if (k == DC_NONE) {
        net->events->failed = dc_no_packet(net->ctx, &net->packets);
        return;
    }
    net->packets.packet[k] =
        (dc_packet){.time = net->now + (net->spec->cut_through ? dc_cut_rest(net, bytes) : 0),
                    .number = net->come++,
                    .next = DC_NONE,
                    .bytes = bytes,
                    .size = cell == 1 ? bytes : (bytes + cell - 1) / cell * cell,
                    .class = class,
                    .flags = flags,
                    .came = from};
    dc_arrive(net, port, k);
}

/* ---- at random times ---- */

static void next_at_random(dc_net *net)
{
    const swq_words w = draw(net);
    const uint64_t word = (uint64_t)w.v[2] << 32 | w.v[3];

    net->come_at -= net->gap * log(swq_word_uniform(word));
    dc_events_push(net->ctx, net->events, (uint64_t)llround(net->come_at), DC_COME, 0);
}

static void come_at_random(dc_net *net)
{
    const swq_words w = draw(net);
    const int queue = pick(net->cumulated, (int)net->queues, swq_first_digits(w.v[0]));
    const int size = pick(net->size_cumulated, net->spec->sizes, swq_first_digits(w.v[1]));

    next_at_random(net);
    come(net, DC_NONE, (uint32_t)(queue / net->classes), (uint8_t)(queue % net->classes), 0,
         net->spec->size_bytes[size]);
}

/* ---- in slots ---- */

/* Inputs are gone through in a random order, which decides who comes first to the memory. */
static void come_in_slot(dc_net *net)
{
    const swq_dc *s = net->spec;
    uint8_t order[SWQ_DC_PORTS] = {0};

    for (int i = 0; i < s->ports; i++) {
        const uint32_t j = swq_word_below(draw(net).v[0], (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = (uint8_t)i;
    }
    net->coming = true;
    for (int i = 0; i < s->ports; i++) {
        const swq_words w = draw(net);
        if (swq_first_digits(w.v[0]) >= s->load[order[i]])
            continue;
        const double at = swq_first_digits(w.v[2]);
        double up = 0;
        int class = 0;
        while (class < s->classes - 1 && (up += s->class_share[class]) <= at)
            class ++;
        come(net, order[i], swq_word_below(w.v[1], (uint32_t)s->ports), (uint8_t) class, 0,
             s->size_bytes[0]);
    }
    net->coming = false;
    dc_events_push(net->ctx, net->events, net->now + net->slot, DC_COME, 0);
}

/* ---- of a trace ---- */

static void expect_of_trace(dc_net *net, uint64_t packet)
{
    if (packet < net->spec->packets)
        dc_events_push(net->ctx, net->events, net->spec->trace[packet].time, DC_COME, 0);
}

static void come_by_trace(dc_net *net)
{
    const swq_dc_arrival *a = &net->spec->trace[net->come];

    expect_of_trace(net, net->come + 1);
    come(net, a->input, a->output, a->traffic_class, a->flags, a->bytes);
}

void dc_outside_begin(dc_net *net)
{
    switch (net->spec->arrivals) {
    case SWQ_DC_POISSON:
        if (isfinite(net->gap))
            next_at_random(net);
        break;
    case SWQ_DC_SLOTS:
        dc_events_push(net->ctx, net->events, 0, DC_COME, 0);
        break;
    case SWQ_DC_TRACE:
        expect_of_trace(net, 0);
        break;
    }
}

void dc_outside(dc_net *net)
{
    switch (net->spec->arrivals) {
    case SWQ_DC_POISSON:
        come_at_random(net);
        break;
    case SWQ_DC_SLOTS:
        come_in_slot(net);
        break;
    case SWQ_DC_TRACE:
        come_by_trace(net);
        break;
    }
}
