/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HPCC: Y. Li et al., "HPCC: high precision congestion control" (SIGCOMM 2019), algorithm 1.
 */
#include "sim/datacentre/senders/telemetry.h"

#include <math.h>

enum { ETA, STAGES, INCREASE, ROUND };

typedef struct {
    dc_telemetry before; /* of the last acknowledgement; hops 0: there was none */
    double use;          /* U: smoothed bytes on the way, as a fraction of a link's */
    double reference;    /* bytes: W_c */
    uint32_t stage;      /* additive increases since the last other one */
} hpcc_state;

static void begins(dc_net *net, dc_flow *f)
{
    hpcc_state *s = dc_state(net, f);

    s->use = 1;
    s->reference = dc_line_window(net, f, dc_value(net, f, ROUND));
    dc_set_window(net, f, s->reference);
    f->threshold = f->window;
}

/* MeasureInflight: the link of the way that has the most. */
static void measure(const dc_net *net, const dc_flow *f, hpcc_state *s, const dc_telemetry *now)
{
    const double round = dc_value(net, f, ROUND);
    double most = 0, time = 0;

    for (uint32_t k = 0; k < now->hops; k++) {
        const dc_hop *a = &s->before.hop[k], *b = &now->hop[k];
        const double queued = (double)(a->queued < b->queued ? a->queued : b->queued);
        const double use = queued / (b->rate * round) + dc_sent_rate(a, b) / b->rate;
        if (b->time > a->time && use > most) {
            most = use;
            time = (double)(b->time - a->time);
        }
    }
    s->use = dc_smooth(s->use, most, time, round);
}

/* ComputeWind; `whole`: a round trip is over. Returns bytes. */
static double window_of(const dc_net *net, const dc_flow *f, hpcc_state *s, bool whole)
{
    const double eta = dc_value(net, f, ETA),
                 most = dc_line_window(net, f, dc_value(net, f, ROUND));
    const bool scale = s->use >= eta || s->stage >= dc_value(net, f, STAGES);
    const double from = scale ? s->reference / (s->use / eta) : s->reference;
    const double window = fmin(from + dc_value(net, f, INCREASE), most);

    if (whole) {
        s->stage = scale ? 0 : s->stage + 1;
        s->reference = window;
    }
    return window;
}

static void heard(dc_net *net, dc_flow *f, const dc_news *news)
{
    hpcc_state *s = dc_state(net, f);
    const bool whole = news->place >= f->round_end;

    if (s->before.hops > 0) {
        measure(net, f, s, &net->own.heard);
        dc_set_window(net, f, window_of(net, f, s, whole));
        f->threshold = f->window;
    }
    if (whole)
        f->round_end = f->next;
    s->before = net->own.heard;
}

static double gap(const dc_net *net, const dc_flow *f, uint32_t bytes)
{
    return dc_window_gap(net, f, bytes, dc_value(net, f, ROUND));
}

const dc_sender_rule dc_hpcc = {
    .row = {.name = "hpcc",
            .summary = "a window by what the busiest link of the way carries and holds, as its "
                       "switches write into packets",
            .source = "Li et al. (2019), algorithm 1",
            .one_path = true,
            .parameter = {{"eta", "use of the busiest link that is aimed at", SWQ_DC_NUMBER, 1e-3,
                           1, .95},
                          {"stages", "additive increases before one in proportion", SWQ_DC_COUNT, 0,
                           1000, 5},
                          {"increase", "bytes added to the window", SWQ_DC_BYTES, 1, 1e9, 80},
                          {"round", "round trip that windows are for (the longest alone)",
                           SWQ_DC_TIME, 1, 1e15, NAN}}},
    .told = true,
    .state = sizeof(hpcc_state),
    .begins = begins,
    .heard = heard,
    .gap = gap};
