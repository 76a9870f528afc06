/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PowerTCP and theta-PowerTCP: V. Addanki, O. Michel, S. Schmid, "PowerTCP: pushing the performance
 * limits of datacenter networks" (NSDI 2022), algorithms 1 and 2. Power is what comes to a link and
 * its growing queue (current) times what is on its way and queued (voltage).
 */
#include "sim/datacentre/senders/telemetry.h"

#include <math.h>

#define MBPS 1e6

enum { GAMMA, INCREASE, ROUND, CURRENT };

typedef struct {
    double power;        /* normalized, smoothed over a round trip; 1: a link just full */
    double reference;    /* bytes: the window when the present round trip began */
    dc_telemetry before; /* powertcp: of the last acknowledgement; hops 0: there was none */
} powertcp_state;

typedef struct {
    double power, reference;
    double round;  /* ps: the last round trip; 0: there was none */
    uint64_t time; /* ps: when it ended */
} theta_state;

/* Bytes: beta. */
static double step(const dc_net *net, const dc_flow *f)
{
    return dc_value(net, f, INCREASE) / 8e12 * dc_value(net, f, ROUND);
}

/* UpdateWindow; at most what a flow alone would have in equilibrium. */
static void update(const dc_net *net, dc_flow *f, double reference, double power)
{
    const double gamma = dc_value(net, f, GAMMA),
                 most = dc_line_window(net, f, dc_value(net, f, ROUND));
    const double old = f->window * net->spec->size_bytes[0];
    const double scaled = power > 0 ? reference / power : INFINITY; /* nothing comes to the link */
    const double window = gamma * (scaled + step(net, f)) + (1 - gamma) * old;

    dc_set_window(net, f, fmin(window, most + step(net, f)));
    f->threshold = f->window;
}

static double begin_window(const dc_net *net, dc_flow *f)
{
    const double bytes = dc_line_window(net, f, dc_value(net, f, ROUND));

    dc_set_window(net, f, bytes);
    f->threshold = f->window;
    return bytes;
}

static double gap(const dc_net *net, const dc_flow *f, uint32_t bytes)
{
    return dc_window_gap(net, f, bytes, dc_value(net, f, ROUND));
}

/* ---- powertcp ---- */

static void begins(dc_net *net, dc_flow *f)
{
    powertcp_state *s = dc_state(net, f);

    s->reference = begin_window(net, f);
    s->power = 1;
}

/* NormPower: that of the link with the most. */
static void measure(const dc_net *net, const dc_flow *f, powertcp_state *s, const dc_telemetry *now)
{
    const double round = dc_value(net, f, ROUND);
    double most = 0, time = 0;

    for (uint32_t k = 0; k < now->hops; k++) {
        const dc_hop *a = &s->before.hop[k], *b = &now->hop[k];
        if (b->time <= a->time)
            continue;
        const double lasted = (double)(b->time - a->time);
        const double growth = ((double)b->queued - (double)a->queued) / lasted;
        const double current = growth + dc_sent_rate(a, b);
        const double voltage = (double)b->queued + b->rate * round;
        const double power = current * voltage / (b->rate * b->rate * round);
        if (power > most) {
            most = power;
            time = lasted;
        }
    }
    s->power = dc_smooth(s->power, most, time, round);
}

static void heard(dc_net *net, dc_flow *f, const dc_news *news)
{
    powertcp_state *s = dc_state(net, f);

    if (s->before.hops > 0) {
        measure(net, f, s, &net->own.heard);
        update(net, f, s->reference, s->power);
    }
    if (news->place >= f->round_end) {
        s->reference = f->window * net->spec->size_bytes[0];
        f->round_end = f->next;
    }
    s->before = net->own.heard;
}

/* ---- theta-powertcp ---- */

static void theta_begins(dc_net *net, dc_flow *f)
{
    theta_state *s = dc_state(net, f);

    s->reference = begin_window(net, f);
    s->power = 1;
}

static void theta_heard(dc_net *net, dc_flow *f, const dc_news *news)
{
    theta_state *s = dc_state(net, f);
    const double base = dc_value(net, f, ROUND), lasted = (double)(net->now - s->time);

    if (s->round > 0 && lasted > 0) {
        const double current = (news->round - s->round) / lasted + 1;
        const double power = fmax(current, dc_value(net, f, CURRENT)) * news->round / base;
        s->power = dc_smooth(s->power, power, lasted, base);
    }
    s->round = news->round;
    s->time = net->now;
    if (news->place < f->round_end)
        return;
    update(net, f, s->reference, s->power);
    s->reference = f->window * net->spec->size_bytes[0];
    f->round_end = f->next;
}

#define PARAMETERS                                                                                 \
    {"gamma", "weight of a new window", SWQ_DC_NUMBER, 1e-3, 1, .9},                               \
        {"increase",  "rate whose bytes of a round trip are added to the window",                  \
         SWQ_DC_RATE, 1,                                                                           \
         1e13,        150 * MBPS},                                                                 \
    {                                                                                              \
        "round", "round trip of the network (the longest alone)", SWQ_DC_TIME, 1, 1e15, NAN        \
    }

const dc_sender_rule dc_powertcp = {
    .row = {.name = "powertcp",
            .summary = "a window by the power of the busiest link of the way, as its switches "
                       "write into packets",
            .source = "Addanki et al. (2022), algorithm 1; increase of its authors' program",
            .one_path = true,
            .parameter = {PARAMETERS}},
    .told = true,
    .state = sizeof(powertcp_state),
    .begins = begins,
    .heard = heard,
    .gap = gap};

const dc_sender_rule dc_theta_powertcp = {
    .row = {.name = "theta-powertcp",
            .summary = "as powertcp, from round trips and their gradient alone",
            .source = "Addanki et al. (2022), algorithm 2; increase and least current of its "
                      "authors' program",
            .parameter = {PARAMETERS,
                          {"current", "least of 1 + the gradient of the round trip", SWQ_DC_NUMBER,
                           0, 1, .5}}},
    .state = sizeof(theta_state),
    .begins = theta_begins,
    .heard = theta_heard,
    .gap = gap};
