/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimates from the replications of a data-centre network.
 */
#include "base/statistics.h"
#include "sim/datacentre/outcome.h"

#include <math.h>
#include <string.h>

const double swq_dc_percentiles[SWQ_DC_PERCENTILES] = {.5, .95, .99, .999};

typedef double value_fn(const dc_outcome *o, const dc_numbers *n, int which);

/* The ratio of two sums over replications, with its interval. Replications without a value are left
 * out. */
static swq_estimate over(const dc_job *j, int class, value_fn *above, value_fn *below, int which)
{
    double x[SWQ_MAX_REPLICATIONS], y[SWQ_MAX_REPLICATIONS];
    size_t count = 0;
    swq_estimate e = {NAN, NAN};

    for (int k = 0; k < j->options->replications; k++) {
        const dc_outcome *o = &j->outcome[k];
        const double value = o->done ? above(o, &o->of[class], which) : NAN;
        if (isnan(value))
            continue;
        x[count] = value;
        y[count++] = below(o, &o->of[class], which);
    }
    if (count > 0)
        swq_ratio_interval(x, y, count, j->options->confidence, &e.mean, &e.half_width);
    return e;
}

/* A histogram of all replications. */
typedef struct {
    const uint64_t *bin;
    int bins;
    double (*value)(int bin);
    bool events; /* counts are events, not times */
} pooled;

/* A percentile of all replications together. Its interval is that of sectioning (Asmussen and
 * Glynn, Stochastic Simulation, 2007, III.5): by the scatter of the replications' own percentiles
 * around it. */
static swq_estimate at_level(const dc_job *j, const pooled *of, int p, int class, value_fn *own,
                             int which)
{
    const double level = swq_dc_percentiles[p];
    swq_estimate e = {dc_percentile(of->bin, of->bins, level, of->value), INFINITY};
    double squares = 0, n = 0;
    uint64_t events = 0;

    for (int k = 0; k < j->options->replications; k++) {
        const dc_outcome *o = &j->outcome[k];
        const double value = o->done ? own(o, &o->of[class], which) : NAN;
        if (isnan(value))
            continue;
        squares += (value - e.mean) * (value - e.mean);
        n++;
    }
    for (int b = 0; of->events && n > 1 && b < of->bins; b++)
        events += of->bin[b];
    if (isnan(e.mean))
        e.half_width = NAN;
    else if (n > 1 && (!of->events || (1 - level) * (double)events >= SWQ_RARE_EVENTS))
        e.half_width = swq_student_t(j->options->confidence, n - 1) * sqrt(squares / (n * (n - 1)));
    return e;
}

#define VALUE(name, expression)                                                                    \
    static double name(const dc_outcome *o, const dc_numbers *n, int which)                        \
    {                                                                                              \
        (void)o, (void)n, (void)which;                                                             \
        return (double)(expression);                                                               \
    }
VALUE(one, 1)
VALUE(offered, n->offered)
VALUE(offered_bytes, n->offered_bytes)
VALUE(lost, n->lost)
VALUE(lost_bytes, n->lost_bytes)
VALUE(sent_packets, n->sent)
VALUE(line_bytes, (double)n->sent_bytes + n->parts)
VALUE(marked, n->marked)
VALUE(cut, n->cut)
VALUE(delay, n->delay)
VALUE(byte_ps, n->byte_ps)
VALUE(span, o->ps)
VALUE(used_ps, o->used_ps)
VALUE(delay_at, n->delay_at[which])
VALUE(occupancy_at, o->occupancy_at[which])
VALUE(payload, o->payload)
VALUE(paused, o->paused)
VALUE(collective_took, o->collective_left == 0 ? (double)o->collective_took : NAN)
VALUE(link_bytes, (double)o->link[which].bytes + o->link[which].parts)
VALUE(link_paused, o->link[which].paused)
#define WINDOW(value) (o->span[which].ps > 0 ? (double)(value) : NAN)
VALUE(memory_used, o->memory[which].used_ps)
VALUE(memory_lost, o->memory[which].lost)
VALUE(memory_offered, o->memory[which].offered)
VALUE(window_ps, o->span[which].ps)
VALUE(window_sent, WINDOW(o->span[which].line_bytes))
VALUE(window_used, WINDOW(o->span[which].used_ps))
VALUE(window_payload, WINDOW(o->span[which].payload))
VALUE(window_lost, WINDOW(o->span[which].lost))
VALUE(window_offered, o->span[which].offered)
VALUE(host_jain, o->jain)
VALUE(flow_jain, o->flows[which].jain)
VALUE(flow_time, o->flows[which].time)
VALUE(flow_slowdown, o->flows[which].slowdown)
VALUE(flows_completed, o->flows[which].completed)
VALUE(flow_time_at, o->flows[which / SWQ_DC_PERCENTILES].time_at[which % SWQ_DC_PERCENTILES])
VALUE(flow_slowdown_at,
      o->flows[which / SWQ_DC_PERCENTILES].slowdown_at[which % SWQ_DC_PERCENTILES])

static swq_estimate scaled(swq_estimate e, double by)
{
    return (swq_estimate){e.mean * by, e.half_width * by};
}

static swq_dc_completion completion_of(const dc_job *j, int k)
{
    swq_dc_completion c = {.time = over(j, 0, flow_time, flows_completed, k),
                           .slowdown = over(j, 0, flow_slowdown, flows_completed, k),
                           .jain = over(j, 0, flow_jain, one, k)};
    const pooled times = {j->pool.times[k], DC_DELAY_BINS, dc_delay_of, true};
    const pooled slowdowns = {j->pool.slowdowns[k], DC_DELAY_BINS, dc_slowdown_of, true};

    for (int p = 0; p < SWQ_DC_PERCENTILES; p++) {
        const int which = k * SWQ_DC_PERCENTILES + p;
        c.time_at[p] = at_level(j, &times, p, 0, flow_time_at, which);
        c.slowdown_at[p] = at_level(j, &slowdowns, p, 0, flow_slowdown_at, which);
    }
    for (int r = 0; r < j->options->replications; r++) {
        c.begun += j->outcome[r].flows[k].begun;
        c.completed += j->outcome[r].flows[k].completed;
    }
    return c;
}

/* An upper bound of the fraction lost, if none of the packets offered was; NAN: none was offered.
 */
static double loss_below(const dc_job *j, uint64_t packets)
{
    return packets > 0 ? fmin(swq_poisson_above(0, j->options->confidence) / (double)packets, 1)
                       : NAN;
}

static swq_dc_flow flow_of(const dc_job *j, int class)
{
    const swq_dc *s = j->spec;
    const double queues = (double)j->graph->ports * (class == s->classes ? s->classes : 1);
    swq_dc_flow f = {.loss = over(j, class, lost, offered, 0),
                     .byte_loss = over(j, class, lost_bytes, offered_bytes, 0),
                     .marks = over(j, class, marked, sent_packets, 0),
                     .cut = over(j, class, cut, sent_packets, 0),
                     .delay = over(j, class, delay, sent_packets, 0),
                     .throughput = scaled(over(j, class, line_bytes, span, 0),
                                          8e12 / dc_graph_capacity(j->graph)),
                     .queue = scaled(over(j, class, byte_ps, span, 0), 1.0 / queues),
                     .loss_below = NAN};
    const pooled delays = {j->pool.delays[s->classes == 1 ? 0 : class], DC_DELAY_BINS, dc_delay_of,
                           true};

    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        f.delay_at[p] = at_level(j, &delays, p, class, delay_at, p);
    for (int k = 0; k < j->options->replications; k++) {
        const dc_numbers *n = &j->outcome[k].of[class];
        if (!j->outcome[k].done)
            continue;
        f.offered += n->offered;
        f.offered_bytes += n->offered_bytes;
        f.lost += n->lost;
        f.lost_bytes += n->lost_bytes;
        f.sent += n->sent;
        f.marked += n->marked;
        f.refused += n->by_end[SWQ_DC_REFUSED];
        f.pushed_out += n->by_end[SWQ_DC_PUSHED_OUT];
        f.expelled += n->by_end[SWQ_DC_EXPELLED];
        f.in_storm += n->by_end[SWQ_DC_IN_STORM];
        f.storms += n->storms;
    }
    if (f.lost < SWQ_RARE_EVENTS)
        f.loss.half_width = f.byte_loss.half_width = INFINITY;
    if (f.lost == 0)
        f.loss_below = loss_below(j, f.offered);
    return f;
}

/* ---- links ---- */

static void add_link(swq_dc_link *link, const dc_link_counts *c)
{
    link->packets += c->packets;
    link->bytes += c->bytes;
    link->marked += c->marked;
    link->lost += c->lost;
    link->lost_bytes += c->lost_bytes;
    link->pauses += c->pauses;
    link->storms += c->storms;
    link->in_storm += c->in_storm;
}

/* The ends of the line that begins at a port. */
static void put_ends(const swq_dc_graph *g, uint32_t from, swq_dc_link *link)
{
    const uint32_t to = from < g->ports ? g->to[from] : g->at[from - g->ports];

    link->from_host = from >= g->ports;
    link->from = link->from_host ? from - g->ports : g->of[from];
    link->from_port = link->from_host ? 0 : from - g->first[g->of[from]];
    link->to_outside = to == DC_NONE;
    if (link->to_outside)
        return;
    link->to_host = to >= g->ports;
    link->to = link->to_host ? to - g->ports : g->of[to];
    link->to_port = link->to_host ? 0 : to - g->first[g->of[to]];
}

static swq_dc_link link_of(const dc_job *j, uint32_t row)
{
    const swq_dc_graph *g = j->graph;
    const uint32_t port = row / (uint32_t)j->spec->classes;
    const uint64_t rate = g->rate[port < g->ports ? port : g->at[port - g->ports]];
    swq_dc_link link = {.traffic_class = (int)(row % (uint32_t)j->spec->classes),
                        .rate = rate,
                        .use = scaled(over(j, 0, link_bytes, span, (int)row), 8e12 / (double)rate),
                        .paused = over(j, 0, link_paused, span, (int)row)};

    put_ends(g, port, &link);
    for (int k = 0; k < j->options->replications; k++) {
        if (j->outcome[k].done)
            add_link(&link, &j->outcome[k].link[row]);
    }
    return link;
}

static void summarize_links(const dc_job *j, swq_dc_result *r)
{
    const swq_dc_graph *g = j->graph;

    for (uint32_t row = 0; row < j->rows; row++) {
        const uint32_t port = row / (uint32_t)j->spec->classes;
        if (port >= g->ports || g->rate[port] > 0)
            r->link[r->links++] = link_of(j, row);
    }
}

/* Losses of a window; *below as in swq_dc_window. */
static swq_estimate window_loss_of(const dc_job *j, int window, double *below)
{
    swq_estimate loss = over(j, 0, window_lost, window_offered, window);
    uint64_t offered_in_all = 0, lost_in_all = 0;

    for (int k = 0; k < j->options->replications; k++) {
        offered_in_all += j->outcome[k].done ? j->outcome[k].span[window].offered : 0;
        lost_in_all += j->outcome[k].done ? j->outcome[k].span[window].lost : 0;
    }
    if (lost_in_all < SWQ_RARE_EVENTS)
        loss.half_width = INFINITY;
    *below = lost_in_all == 0 ? loss_below(j, offered_in_all) : NAN;
    return loss;
}

static void summarize_windows(const dc_job *j, swq_dc_result *r)
{
    const swq_dc_graph *g = j->graph;
    const uint64_t each = j->options->series;

    for (uint32_t k = 0; k < j->spans; k++) {
        const int w = (int)k;
        const uint64_t begin = k * each, left = j->options->duration - begin;
        swq_dc_window *window = &r->window[r->windows++];
        *window = (swq_dc_window){
            .begin = begin,
            .length = left < each ? left : each,
            .use = scaled(over(j, 0, window_sent, window_ps, w), 8e12 / dc_graph_capacity(g)),
            .used = scaled(over(j, 0, window_used, window_ps, w),
                           1.0 / g->switches / j->spec->memory.parts),
            .goodput = g->hosts > 0 ? scaled(over(j, 0, window_payload, window_ps, w),
                                             8e12 / dc_graph_host_capacity(g))
                                    : (swq_estimate){NAN, NAN}};
        window->loss = window_loss_of(j, w, &window->loss_below);
    }
}

/* ---- several memories in a switch ---- */

static void summarize_memories(const dc_job *j, swq_dc_result *r)
{
    const swq_dc_graph *g = j->graph;
    const uint32_t parts = j->spec->memory.parts, cell = j->spec->memory.cell;

    for (uint32_t k = 0; k < j->memories; k++) {
        const int m = (int)k;
        const uint32_t w = k / parts;
        swq_dc_memory *of = &r->memory[r->memories++];
        of->at = w;
        of->ports = (g->first[w + 1] - g->first[w]) / parts;
        of->first_port = k % parts * of->ports;
        of->bytes = g->bytes[w] / parts / cell * cell;
        of->used = over(j, 0, memory_used, span, m);
        of->loss = over(j, 0, memory_lost, memory_offered, m);
        for (int i = 0; i < j->options->replications; i++) {
            const dc_memory_counts *c = &j->outcome[i].memory[k];
            if (!j->outcome[i].done)
                continue;
            of->offered += c->offered;
            of->sent += c->sent;
            of->lost += c->lost;
            of->lost_bytes += c->lost_bytes;
            of->most = c->most > of->most ? c->most : of->most;
        }
        if (of->lost < SWQ_RARE_EVENTS)
            of->loss.half_width = INFINITY;
        of->loss_below = of->lost == 0 ? loss_below(j, of->offered) : NAN;
    }
}

/* ---- all ---- */

void dc_summarize(const dc_job *j, swq_dc_result *r)
{
    summarize_links(j, r);
    summarize_windows(j, r);
    summarize_memories(j, r);
    r->all = flow_of(j, j->spec->classes);
    for (int k = 0; k < j->spec->classes; k++)
        r->by_class[k] = flow_of(j, k);
    const swq_dc_graph *g = j->graph;

    r->occupancy = scaled(over(j, 0, used_ps, span, 0), 1.0 / g->switches / j->spec->memory.parts);
    if (j->spec->pfc.classes)
        r->paused = scaled(over(j, 0, paused, span, 0),
                           1.0 / g->ports / __builtin_popcount(j->spec->pfc.classes));
    if (g->hosts > 0) {
        const int classes = j->spec->classes, all = dc_all_classes(classes);
        for (int k = 0; k < SWQ_DC_SIZE_CLASSES; k++)
            r->by_size[k] = completion_of(j, dc_flows_of(all, k));
        for (int k = 0; k < classes * SWQ_DC_SIZE_CLASSES && all > 0; k++)
            r->by_class_and_size[k / SWQ_DC_SIZE_CLASSES][k % SWQ_DC_SIZE_CLASSES] =
                completion_of(j, k);
        r->queries = completion_of(j, DC_QUERIES);
        if (j->spec->flows.collective != SWQ_DC_NO_COLLECTIVE)
            r->collective = over(j, 0, collective_took, one, 0);
        r->jain = over(j, 0, host_jain, one, 0);
        r->goodput = scaled(over(j, 0, payload, span, 0), 8e12 / dc_graph_host_capacity(g));
    }
    const pooled used = {j->pool.occupancy, DC_OCCUPANCY_BINS + 1, dc_occupancy_of, false};
    for (int p = 0; p < SWQ_DC_PERCENTILES; p++)
        r->occupancy_at[p] = at_level(j, &used, p, 0, occupancy_at, p);
    r->line_rates = dc_graph_capacity(g);
    r->host_rates = dc_graph_host_capacity(g);
    r->conserved = true;
    for (int k = 0; k < j->options->replications; k++) {
        const dc_outcome *o = &j->outcome[k];
        if (!o->done)
            continue;
        if (r->replications++ == 0) {
            r->listed_before = o->listed_before;
            r->listed_late = o->listed_late > 0;
        }
        r->partial += o->partial;
        r->occupancy_most = o->most > r->occupancy_most ? o->most : r->occupancy_most;
        r->inside += o->inside;
        r->packets += o->packets;
        r->timeouts += o->timeouts;
        r->collectives += o->collective_left == 0;
        r->pauses += o->pauses;
        if (o->circle.outputs > 0 && r->deadlocks++ == 0)
            r->circle = o->circle;
        r->headroom_most =
            o->headroom_most > r->headroom_most ? o->headroom_most : r->headroom_most;
        r->retransmitted += o->retransmitted;
        memcpy(r->sender_value, o->sender_value, sizeof r->sender_value); /* alike in all */
        r->packet_hops += o->hops;
        r->cpu_seconds += o->cpu;
        r->measured += o->ps;
        r->ended = o->now;
        r->conserved &= o->conserved;
    }
}
