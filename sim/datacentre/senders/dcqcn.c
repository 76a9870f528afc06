/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DCQCN: Y. Zhu et al., "Congestion control for large-scale RDMA deployments" (SIGCOMM 2015),
 * section 3.1; the receiver's notices (CNPs) are bits of acknowledgements. Timers
 * run from the first notice on, and are caught up with when a packet is sent or a notice comes.
 */
#include "sim/datacentre/senders.h"

#include <math.h>

#define US   1e6
#define MBPS 1e6

enum { GAIN, NOTICE, ALPHA_TIMER, TIMER, BYTES, STAGES, INCREASE, HYPER, LEAST, START };

typedef struct {
    bool reacts;       /* a notice has come */
    double rate;       /* bit/s: R_C */
    double target;     /* bit/s: R_T */
    double alpha;      /* 0 to 1 */
    double alpha_due;  /* ps: alpha shrinks */
    double timer_due;  /* ps: the rate grows */
    double bytes;      /* sent since the byte counter ran out last */
    uint32_t by_timer; /* increases since the last notice */
    uint32_t by_bytes;
    bool noticed;          /* the receiver has sent a notice, ... */
    uint64_t last_noticed; /* ... at this time, ps, the last one */
} dcqcn_state;

static void begins(dc_net *net, dc_flow *f)
{
    dcqcn_state *s = dc_state(net, f);

    f->window = f->threshold = 1e9;
    s->rate = s->target = fmin(dc_value(net, f, START), dc_host_rate(net, f));
    s->alpha = 1;
}

/* Fast recovery, additive increase, hyper increase. */
static void increase(const dc_net *net, const dc_flow *f, dcqcn_state *s)
{
    const double stages = dc_value(net, f, STAGES), line = dc_host_rate(net, f);
    const double most = fmax(s->by_timer, s->by_bytes), least = fmin(s->by_timer, s->by_bytes);

    if (least > stages)
        s->target += (least - stages) * dc_value(net, f, HYPER);
    else if (most >= stages)
        s->target += dc_value(net, f, INCREASE);
    s->target = fmin(s->target, line);
    s->rate = (s->rate + s->target) / 2;
}

/* What the timers have done until now. */
static void catch_up(const dc_net *net, const dc_flow *f, dcqcn_state *s)
{
    const double now = (double)net->now;

    while (s->reacts && (s->alpha_due <= now || s->timer_due <= now)) {
        if (s->alpha_due <= s->timer_due) {
            s->alpha *= 1 - dc_value(net, f, GAIN);
            s->alpha_due += dc_value(net, f, ALPHA_TIMER);
        } else {
            s->by_timer++;
            increase(net, f, s);
            s->timer_due += dc_value(net, f, TIMER);
        }
    }
}

static void heard(dc_net *net, dc_flow *f, const dc_news *news)
{
    dcqcn_state *s = dc_state(net, f);

    if (!news->marked)
        return;
    catch_up(net, f, s);
    s->reacts = true;
    s->target = s->rate;
    s->rate = fmax(s->rate * (1 - s->alpha / 2), dc_value(net, f, LEAST));
    s->alpha += dc_value(net, f, GAIN) * (1 - s->alpha);
    s->alpha_due = (double)net->now + dc_value(net, f, ALPHA_TIMER);
    s->timer_due = (double)net->now + dc_value(net, f, TIMER);
    s->bytes = s->by_timer = s->by_bytes = 0;
}

static void sends(dc_net *net, dc_flow *f, uint32_t bytes)
{
    dcqcn_state *s = dc_state(net, f);

    if (!s->reacts)
        return;
    catch_up(net, f, s);
    s->bytes += bytes;
    if (s->bytes < dc_value(net, f, BYTES))
        return;
    s->bytes = 0;
    s->by_bytes++;
    increase(net, f, s);
}

static bool echoes(dc_net *net, dc_flow *f)
{
    dcqcn_state *s = dc_state(net, f);

    if (s->noticed && (double)(net->now - s->last_noticed) < dc_value(net, f, NOTICE))
        return false;
    s->noticed = true;
    s->last_noticed = net->now;
    return true;
}

static double gap(const dc_net *net, const dc_flow *f, uint32_t bytes)
{
    const dcqcn_state *s = dc_state(net, f);

    return 8e12 * bytes / s->rate;
}

const dc_sender_rule dc_dcqcn = {
    .row = {.name = "dcqcn",
            .summary = "a rate that a notice of marks cuts, and that a timer and a byte counter "
                       "raise again",
            .source = "Zhu et al. (2015), section 3.1; hyper increase of QCN",
            .marked = true,
            .parameter = {{"gain", "weight of a notice in alpha", SWQ_DC_NUMBER, 1e-9, 1, 1. / 256},
                          {"notice", "a flow's receiver sends at most one notice in this time",
                           SWQ_DC_TIME, 0, 1e15, 50 * US},
                          {"alpha-timer", "time without a notice after which alpha shrinks",
                           SWQ_DC_TIME, SWQ_DC_LEAST_TIMER, 1e15, 55 * US},
                          {"timer", "time after which the rate grows", SWQ_DC_TIME,
                           SWQ_DC_LEAST_TIMER, 1e15, 55 * US},
                          {"bytes", "bytes sent after which the rate grows", SWQ_DC_BYTES, 1, 1e12,
                           1e7},
                          {"stages", "increases of fast recovery", SWQ_DC_COUNT, 1, 1000, 5},
                          {"increase", "rate added to the target", SWQ_DC_RATE, 0, 1e13, 40 * MBPS},
                          {"hyper", "rate added in hyper increase, times its step", SWQ_DC_RATE, 0,
                           1e13, 400 * MBPS},
                          {"least", "least rate", SWQ_DC_RATE, 1e3, 1e13, 100 * MBPS},
                          {"start", "first rate, at most that of the host's line", SWQ_DC_RATE, 1e3,
                           1e13, 1e13}}},
    .order = {{LEAST, START}},
    .state = sizeof(dcqcn_state),
    .begins = begins,
    .heard = heard,
    .sends = sends,
    .echoes = echoes,
    .gap = gap};
