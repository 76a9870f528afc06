/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Senders with windows in packets, as TCP has them, and `open`. docs/datacentre.md has each rule in
 * words.
 */
#include "sim/datacentre/scoreboard.h"
#include "sim/datacentre/senders.h"

#include <math.h>

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

static void begin_small(dc_net *net, dc_flow *f)
{
    f->window = net->spec->network.window;
    f->threshold = 1e9;
}

static void begin_open(dc_net *net, dc_flow *f)
{
    (void)net;
    f->window = INFINITY;
}

/* ---- Reno ---- */

/* Slow start up to the threshold, then one packet more in each round trip. */
static void grow(dc_flow *f, const dc_news *news)
{
    if (!news->limited)
        return;
    if (f->window < f->threshold)
        f->window += news->packets;
    else
        f->window += news->packets / f->window;
}

static void reno_acked(dc_net *net, dc_flow *f, const dc_news *news)
{
    (void)net;
    grow(f, news);
}

static void halve(dc_net *net, dc_flow *f, bool timeout)
{
    (void)net, (void)timeout;
    f->threshold = at_least(dc_on_way(f) / 2, 2);
}

/* ---- DCTCP ---- */

/* M. Alizadeh et al., "Data center TCP (DCTCP)" (SIGCOMM 2010), section 3.1: the share of marked
 * packets in a round trip, smoothed by 1/16; a round trip with marks takes half of that share of
 * the window. */
static void dctcp_acked(dc_net *net, dc_flow *f, const dc_news *news)
{
    const double weight = 1.0 / 16;

    (void)net;
    f->round_acks += news->packets;
    f->round_marks += news->marked ? news->packets : 0;
    if (f->acked < f->round_end) {
        grow(f, news);
        return;
    }
    f->marks += weight * ((double)f->round_marks / f->round_acks - f->marks);
    if (f->round_marks > 0) {
        f->window = at_least(f->window * (1 - f->marks / 2), 1);
        f->threshold = f->window;
    } else {
        grow(f, news);
    }
    f->round_end = f->next;
    f->round_acks = f->round_marks = 0;
}

static void dctcp_begins(dc_net *net, dc_flow *f)
{
    begin_small(net, f);
    f->marks = 1;
}

/* ---- delay ---- */

/* G. Kumar et al., "Swift: delay is simple and effective for congestion control in the datacenter"
 * (SIGCOMM 2020), the additive increase and multiplicative decrease of its section 3.1 with one
 * target: ai = 1, beta = 0.8, a decrease of at most half of the window, and once a round trip. */
static void delay_acked(dc_net *net, dc_flow *f, const dc_news *news)
{
    const double target = (double)net->spec->network.target + (double)f->round_alone;
    const double beta = .8, most = .5;

    if (news->round < target) {
        if (news->limited)
            f->window += news->packets / at_least(f->window, 1);
    } else if ((double)(net->now - f->decreased) >= f->round) {
        const double less = beta * (news->round - target) / news->round;
        f->window = at_least(f->window * (1 - (less < most ? less : most)), 1);
        f->decreased = net->now;
    }
}

static void delay_lost(dc_net *net, dc_flow *f, bool timeout)
{
    (void)timeout;
    f->threshold = at_least(dc_on_way(f) / 2, 1);
    f->decreased = net->now;
}

/* ---- CUBIC ---- */

/* L. Xu et al., RFC 9438: C = 0.4 packets per cubic second, beta = 0.7, with fast convergence, and
 * at least the window of a sender like Reno (section 4.3). */
#define CUBIC_C    .4
#define CUBIC_BETA .7

static void cubic_acked(dc_net *net, dc_flow *f, const dc_news *news)
{
    if (f->window < f->threshold || !news->limited) {
        grow(f, news);
        return;
    }
    if (f->epoch == 0) {
        f->epoch = net->now;
        f->most = at_least(f->most, f->window);
        f->turning = cbrt((f->most - f->window) / CUBIC_C);
        f->friendly = f->window;
    }
    const double since = ((double)(net->now - f->epoch) + f->round) / 1e12 - f->turning;
    const double target = CUBIC_C * since * since * since + f->most;
    const double most = 1.5 * f->window;
    const double alpha = 3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA);

    f->friendly += alpha * news->packets / f->window;
    if (target > f->window)
        f->window += ((target < most ? target : most) - f->window) * news->packets / f->window;
    f->window = at_least(f->window, f->friendly);
}

static void cubic_lost(dc_net *net, dc_flow *f, bool timeout)
{
    (void)net, (void)timeout;
    f->most = f->window < f->most ? f->window * (1 + CUBIC_BETA) / 2 : f->window;
    f->threshold = at_least(f->window * CUBIC_BETA, 2);
    f->epoch = 0;
}

/* ---- rows ---- */

const dc_sender_rule
    dc_open = {.row = {.name = "open",
                       .summary = "each flow at the rate of its host's line; nothing is sent "
                                  "again"},
               .open = true,
               .begins = begin_open},
    dc_window = {.row = {.name = "window",
                         .summary =
                             "a fixed window of --window packets; what is lost is sent again",
                         .windowed = true},
                 .begins = begin_small},
    dc_reno = {.row = {.name = "reno",
                       .summary =
                           "slow start, one packet more a round trip, half the window after a "
                           "loss",
                       .source = "RFC 5681 and RFC 6582 (NewReno)",
                       .windowed = true},
               .begins = begin_small,
               .acked = reno_acked,
               .lost = halve},
    dc_dctcp = {.row = {.name = "dctcp",
                        .summary =
                            "as reno, and less window by the smoothed share of marked packets",
                        .source = "Alizadeh et al. (2010)",
                        .windowed = true,
                        .marked = true},
                .begins = dctcp_begins,
                .acked = dctcp_acked,
                .lost = halve},
    dc_cubic = {.row = {.name = "cubic",
                        .summary =
                            "slow start, then a cubic of the time since the last loss, which "
                            "leaves 0.7 of the window",
                        .source = "RFC 9438 (CUBIC)",
                        .windowed = true},
                .begins = begin_small,
                .acked = cubic_acked,
                .lost = cubic_lost},
    dc_delay = {.row = {.name = "delay",
                        .summary = "a window that grows below a target of the round trip, and "
                                   "shrinks above",
                        .source = "Kumar et al. (2020), Swift, with one target",
                        .windowed = true},
                .begins = begin_small,
                .acked = delay_acked,
                .lost = delay_lost};
