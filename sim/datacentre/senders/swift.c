/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Swift: G. Kumar et al., "Swift: delay is simple and effective for congestion control in the
 * datacenter" (SIGCOMM 2020), algorithm 1 and sections 3.1 to 3.5. Hosts take no time here, so that
 * there is the window of the fabric alone.
 */
#include "sim/datacentre/senders.h"

#include <math.h>

/* us and ms in ps */
#define US 1e6

enum { BASE, HOP, RANGE, SMALL, LARGE, INCREASE, DECREASE, DEEPEST, LEAST, MOST, RETRIES };

typedef struct {
    uint32_t hops;     /* switches on the way */
    uint32_t timeouts; /* in a row */
} swift_state;

/* ps: the target grows with the switches on the way, and as the window shrinks. */
static double target_of(const dc_net *net, const dc_flow *f)
{
    const double large = 1 / sqrt(dc_value(net, f, LARGE)),
                 small = 1 / sqrt(dc_value(net, f, SMALL));
    const double range = dc_value(net, f, RANGE);
    const swift_state *s = dc_state(net, f);
    const double scaled = range * (1 / sqrt(f->window) - large) / (small - large);

    return dc_value(net, f, BASE) + s->hops * dc_value(net, f, HOP) + fmax(0, fmin(scaled, range));
}

static void clamp(const dc_net *net, dc_flow *f)
{
    f->window = fmax(dc_value(net, f, LEAST), fmin(f->window, dc_value(net, f, MOST)));
}

static bool may_decrease(const dc_net *net, const dc_flow *f)
{
    return (double)(net->now - f->decreased) >= f->round;
}

static void begins(dc_net *net, dc_flow *f)
{
    swift_state *s = dc_state(net, f);

    s->hops = dc_hops(net->graph, f->from, f->to);
    f->window = net->spec->network.window;
    f->threshold = f->window;
    clamp(net, f);
}

static void heard(dc_net *net, dc_flow *f, const dc_news *news)
{
    swift_state *s = dc_state(net, f);
    const double target = target_of(net, f);

    s->timeouts = 0;
    if (news->round < target) {
        f->window += dc_value(net, f, INCREASE) / fmax(f->window, 1);
    } else if (may_decrease(net, f)) {
        const double less = dc_value(net, f, DECREASE) * (news->round - target) / news->round;
        f->window *= 1 - fmin(less, dc_value(net, f, DEEPEST));
        f->decreased = net->now;
    }
    clamp(net, f);
}

static void lost(dc_net *net, dc_flow *f, bool timeout)
{
    swift_state *s = dc_state(net, f);

    s->timeouts = timeout ? s->timeouts + 1 : 0;
    if (timeout && s->timeouts >= dc_value(net, f, RETRIES)) {
        f->window = dc_value(net, f, LEAST);
        f->decreased = net->now;
    } else if (may_decrease(net, f)) {
        f->window *= 1 - dc_value(net, f, DEEPEST);
        f->decreased = net->now;
    }
    clamp(net, f);
    f->threshold = f->window;
}

/* A window below one packet is one packet in as many round trips. */
static double gap(const dc_net *net, const dc_flow *f, uint32_t bytes)
{
    (void)net, (void)bytes;
    return f->window < 1 ? f->round / f->window : 0;
}

const dc_sender_rule dc_swift = {
    .row = {.name = "swift",
            .summary = "a target of the round trip that grows with the way and as the window "
                       "shrinks; below one packet, packets are paced",
            .source = "Kumar et al. (2020), algorithm 1; values of htsim",
            .windowed = true,
            .parameter = {{"base", "target of a way without switches", SWQ_DC_TIME, 1, 1e15,
                           20 * US},
                          {"hop", "target added for each switch", SWQ_DC_TIME, 0, 1e15, 3053435},
                          {"range", "target added at most for a small window", SWQ_DC_TIME, 0, 1e15,
                           100 * US},
                          {"small", "window, in packets, that has the whole range", SWQ_DC_NUMBER,
                           1e-6, 1, .1},
                          {"large", "window, in packets, that has none of it", SWQ_DC_NUMBER, 2,
                           1e6, 100},
                          {"increase", "packets that the window grows in a round trip",
                           SWQ_DC_NUMBER, 1e-6, 1e6, 1},
                          {"decrease",
                           "share of the window lost for each share of the round trip "
                           "above its target",
                           SWQ_DC_NUMBER, 0, 1, .8},
                          {"deepest", "share of the window lost at most", SWQ_DC_NUMBER, 0, 1, .5},
                          {"least", "least window, in packets", SWQ_DC_NUMBER, 1e-6, 1, .001},
                          {"most", "greatest window, in packets", SWQ_DC_NUMBER, 1, 1e6, 1000},
                          {"retries", "timeouts in a row after which the window is the least",
                           SWQ_DC_COUNT, 1, 1000, 5}}},
    .keeps_window = true,
    .state = sizeof(swift_state),
    .begins = begins,
    .heard = heard,
    .lost = lost,
    .gap = gap};
