/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams of packets and stages, from batches: for whole runs and for windows alike.
 */
#include "sim/measure/streams.h"

#include "sim/measure/sums.h"

#include <math.h>

/* Of messages of several packets. */
static void collect_messages(const swq_collector *c, int first, int step, int count,
                             swq_flow_result *f)
{
    const swq_system *system = c->replication->system;
    const swq_sum messages = swq_sum_cells(system, SWQ_CELL_MESSAGES, first, step, count);

    if (!system->follows)
        return;
    f->messages = (double)swq_sum_total(c, messages);
    f->message_head = swq_sum_ratio(
        c, swq_sum_cells(system, SWQ_CELL_MESSAGE_HEADS, first, step, count), messages);
    f->message_tail = swq_sum_ratio(
        c, swq_sum_cells(system, SWQ_CELL_MESSAGE_TAILS, first, step, count), messages);
}

void swq_collect_rates(const swq_collector *c, int first, int step, int count, double lines,
                       swq_flow_result *f)
{
    const swq_system *system = c->replication->system;
    swq_sum delivered = swq_sum_cells(system, SWQ_CELL_DELIVERED, first, step, count);
    swq_sum discarded = swq_sum_cells(system, SWQ_CELL_DISCARDED, first, step, count);

    f->created = swq_sum_total(c, swq_sum_cells(system, SWQ_CELL_CREATED, first, step, count));
    f->delivered = swq_sum_total(c, delivered);
    f->discarded = swq_sum_total(c, discarded);
    f->throughput = swq_sum_ratio(c, swq_sum_cells(system, system->amount, first, step, count),
                                  swq_sum_cycles(lines));
    f->latency =
        swq_sum_ratio(c, swq_sum_cells(system, SWQ_CELL_LATENCY, first, step, count), delivered);
    f->bytes = NAN;
    f->out_of_order = 0;
    f->hops = f->tail_latency = f->out_of_order_fraction = (swq_estimate){NAN, NAN};
    f->messages = NAN;
    f->message_head = f->message_tail = (swq_estimate){NAN, NAN};
    if (system->amount == SWQ_CELL_BYTES) {
        /* a link carries one byte per cycle, so the last byte of a packet follows that many cycles
         * later, plus the cycles for which its transmission paused */
        swq_sum tail = swq_sum_cells(system, SWQ_CELL_LATENCY, first, step, count);
        tail.beside = SWQ_CELL_BYTES - SWQ_CELL_LATENCY;
        tail.also = SWQ_CELL_HELD_UP - SWQ_CELL_LATENCY;
        f->tail_latency = swq_sum_ratio(c, tail, delivered);
        f->bytes =
            (double)swq_sum_total(c, swq_sum_cells(system, SWQ_CELL_BYTES, first, step, count));
        f->hops =
            swq_sum_ratio(c, swq_sum_cells(system, SWQ_CELL_HOPS, first, step, count), delivered);
        collect_messages(c, first, step, count, f);
    }
    if (system->ordered) {
        const swq_sum late = swq_sum_cells(system, SWQ_CELL_OUT_OF_ORDER, first, step, count);
        f->out_of_order = swq_sum_total(c, late);
        f->out_of_order_fraction = swq_sum_ratio(c, late, delivered);
    }
    f->discard_fraction = swq_events_fraction(
        c,
        &(swq_events){discarded, swq_sum_cells(system, SWQ_CELL_OFFERED, first, step, count),
                      swq_sum_cells(system, SWQ_CELL_CREATED, first, step, count), 1, false},
        &f->discard_below);
    f->variance = f->max = NAN;
    f->in_flight = (swq_estimate){NAN, NAN};
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->percentile[p] = NAN;
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->node_percentile[p] = (swq_estimate){NAN, NAN};
    f->node_max = (swq_estimate){NAN, NAN};
}

void swq_collect_stages(const swq_collector *c, swq_stage_result *result)
{
    const swq_system *system = c->replication->system;

    for (int s = 0; s < system->levels; s++) {
        int at = swq_tally_stage(s);
        swq_stage_result *stage = &result[s];
        stage->occupancy = swq_sum_ratio(c, swq_sum_counter(at + SWQ_STAGE_OCCUPANCY),
                                         swq_sum_cycles(system->level_switches[s]));
        stage->sent = swq_sum_ratio(c, swq_sum_counter(at + SWQ_STAGE_SENT),
                                    swq_sum_cycles(system->level_outputs[s]));
        const swq_sum busy = swq_sum_counter(at + SWQ_STAGE_BUSY),
                      came = swq_sum_counter(at + SWQ_STAGE_ARRIVED);
        stage->blocked = swq_events_fraction(
            c, &(swq_events){swq_sum_counter(at + SWQ_STAGE_BLOCKED), busy, busy, 2, false},
            &stage->blocked_below);
        stage->discarded = swq_events_fraction(
            c, &(swq_events){swq_sum_counter(at + SWQ_STAGE_DROPPED), came, came, 1, false},
            &stage->discarded_below);
    }
}

/* The cycles that a link needs for a packet, on average. */
static double packet_cycles(const swq_collector *c)
{
    const swq_system *s = c->replication->system;
    const double amount = (double)swq_sum_total(c, swq_sum_cells(s, s->amount, 0, 1, s->cells)),
                 packets =
                     (double)swq_sum_total(c, swq_sum_cells(s, SWQ_CELL_DELIVERED, 0, 1, s->cells));

    return packets > 0 ? amount / packets : 1;
}

swq_estimate swq_collect_source_queue(const swq_collector *c, double *below)
{
    const swq_sum time = swq_sum_cycles(c->replication->system->nodes);

    *below = NAN;
    if (!c->replication->system->waits)
        return swq_sum_ratio(c, swq_sum_counter(SWQ_NET_WAITING), time);
    /* one packet waits for another to get through, and then perhaps for one more */
    return swq_events_fraction(c,
                               &(swq_events){.events = swq_sum_counter(SWQ_NET_WAITING),
                                             .trials = time,
                                             .counted = time,
                                             .together = 2 * packet_cycles(c),
                                             .packets = true},
                               below);
}

swq_estimate swq_collect_saqs(const swq_collector *c)
{
    if (!c->replication->system->set_aside)
        return (swq_estimate){NAN, NAN};
    return swq_sum_ratio(c, swq_sum_counter(SWQ_NET_SAQS), swq_sum_cycles(1));
}

double swq_speed_of_link(const swq_system *system, size_t link)
{
    return system->link_speed ? system->link_speed[link] : 1;
}

double swq_lines(const swq_system *system)
{
    double lines = system->link_speed ? 0 : system->nodes;

    for (uint32_t i = 0; i < system->nodes && system->link_speed; i++)
        lines += system->link_speed[i];
    return lines;
}

double swq_lines_in_group(const swq_system *system, int group)
{
    double lines = system->group_nodes[group];

    for (uint32_t i = 0; i < system->nodes && !system->changing; i++)
        lines += system->group[i] == group ? swq_speed_of_link(system, i) : 0;
    return lines;
}

void swq_widen_flow(swq_flow_result *f, swq_widening widening)
{
    swq_estimate *const most[] = {&f->throughput, &f->hops, &f->discard_fraction, &f->in_flight,
                                  &f->out_of_order_fraction};
    swq_estimate *const waits[] = {&f->latency, &f->tail_latency, &f->message_head,
                                   &f->message_tail};

    for (size_t k = 0; k < sizeof most / sizeof most[0]; k++)
        swq_widen_interval(most[k], widening.most);
    for (size_t k = 0; k < sizeof waits / sizeof waits[0]; k++)
        swq_widen_interval(waits[k], widening.waits);
    if (isnan(widening.most))
        f->discard_below = NAN;
}

void swq_widen_intervals(int groups, int levels, swq_widening widening, swq_flow_result *all,
                         swq_flow_result *classes, swq_flow_result *group, swq_stage_result *stage)
{
    swq_widen_flow(all, widening);
    for (int k = 0; k < SWQ_CLASSES; k++)
        swq_widen_flow(&classes[k], widening);
    for (int g = 0; g < groups; g++)
        swq_widen_flow(&group[g], widening);
    for (int s = 0; s < levels; s++) {
        swq_widen_interval(&stage[s].occupancy, widening.most);
        swq_widen_interval(&stage[s].sent, widening.most);
        swq_widen_interval(&stage[s].blocked, widening.most);
        swq_widen_interval(&stage[s].discarded, widening.most);
        if (isnan(widening.most))
            stage[s].blocked_below = stage[s].discarded_below = NAN;
    }
}
