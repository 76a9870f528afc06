/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * TIMELY: R. Mittal et al., "TIMELY: RTT-based congestion control for the datacenter" (SIGCOMM
 * 2015), algorithm 1 with hyperactive increase. The rate changes once for each segment that is
 * acknowledged; packets are paced one by one.
 */
#include "sim/datacentre/senders.h"

#include <math.h>

#define US   1e6
#define MBPS 1e6

enum { LOW, HIGH, INCREASE, DECREASE, WEIGHT, ROUND, SEGMENT, STREAK, LEAST, START };

typedef struct {
    double rate;       /* bit/s */
    double before;     /* ps: the round trip of the last segment; 0: there was none */
    double difference; /* ps: smoothed, between those of two segments */
    uint32_t falling;  /* segments in a row whose round trip did not grow */
    uint32_t packets;  /* acknowledged of the present segment */
} timely_state;

static void begins(dc_net *net, dc_flow *f)
{
    timely_state *s = dc_state(net, f);

    f->window = f->threshold = 1e9;
    s->rate = fmin(dc_value(net, f, START), dc_host_rate(net, f));
}

static void note_segment(const dc_net *net, const dc_flow *f, timely_state *s, double round)
{
    const double step = dc_value(net, f, INCREASE), decrease = dc_value(net, f, DECREASE);
    const double weight = dc_value(net, f, WEIGHT), high = dc_value(net, f, HIGH);

    if (s->before > 0)
        s->difference += weight * (round - s->before - s->difference);
    s->before = round;
    const double gradient = s->difference / dc_value(net, f, ROUND);
    s->falling = gradient <= 0 ? s->falling + 1 : 0;
    if (round < dc_value(net, f, LOW))
        s->rate += step;
    else if (round > high)
        s->rate *= 1 - decrease * (1 - high / round);
    else if (gradient <= 0)
        s->rate += s->falling >= dc_value(net, f, STREAK) ? 5 * step : step;
    else
        s->rate *= 1 - decrease * gradient;
    s->rate = fmax(dc_value(net, f, LEAST), fmin(s->rate, dc_host_rate(net, f)));
}

static void heard(dc_net *net, dc_flow *f, const dc_news *news)
{
    timely_state *s = dc_state(net, f);

    if (++s->packets * (double)net->spec->size_bytes[0] < dc_value(net, f, SEGMENT))
        return;
    s->packets = 0;
    note_segment(net, f, s, news->round);
}

static double gap(const dc_net *net, const dc_flow *f, uint32_t bytes)
{
    const timely_state *s = dc_state(net, f);

    return 8e12 * bytes / s->rate;
}

const dc_sender_rule dc_timely = {
    .row = {.name = "timely",
            .summary = "a rate by the gradient of the round trip between two thresholds",
            .source = "Mittal et al. (2015), algorithm 1",
            .parameter = {{"low", "round trip below which the rate always grows", SWQ_DC_TIME, 0,
                           1e15, 50 * US},
                          {"high", "round trip above which the rate always shrinks", SWQ_DC_TIME, 1,
                           1e15, 500 * US},
                          {"increase", "rate added, five times as much after a streak", SWQ_DC_RATE,
                           1, 1e13, 10 * MBPS},
                          {"decrease", "share of the rate lost for a gradient of 1", SWQ_DC_NUMBER,
                           0, 1, .8},
                          {"weight", "weight of a new difference of round trips", SWQ_DC_NUMBER,
                           1e-6, 1, .875},
                          {"round", "round trip that gradients are relative to (the longest alone)",
                           SWQ_DC_TIME, 1, 1e15, NAN},
                          {"segment", "bytes that are acknowledged between two changes",
                           SWQ_DC_BYTES, 1, 1e9, 16000},
                          {"streak", "segments without a growing round trip that are a streak",
                           SWQ_DC_COUNT, 1, 1000, 5},
                          {"least", "least rate", SWQ_DC_RATE, 1e3, 1e13, 100 * MBPS},
                          {"start", "first rate, at most that of the host's line", SWQ_DC_RATE, 1e3,
                           1e13, 1e13}}},
    .order = {{LOW, HIGH}, {LEAST, START}},
    .state = sizeof(timely_state),
    .begins = begins,
    .heard = heard,
    .gap = gap};
