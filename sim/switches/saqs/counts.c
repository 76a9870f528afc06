/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summing up the counts of set-aside queues.
 */
#include "sim/switches/saqs/counts.h"

/* The mean use per port of ports from .. until-1, of which `used` exist. */
static double mean_use(const swq_saq_counts *c, uint32_t from, uint32_t until, uint32_t used,
                       uint32_t now)
{
    double area = 0;

    for (uint32_t k = from; k < until; k++)
        area +=
            (double)c->port[k].area + (double)c->port[k].in_use * (double)(now - c->port[k].since);
    const double cycles = (double)(now - c->begun) * (double)used;
    return cycles > 0 ? area / cycles : 0;
}

swq_saq_use swq_saq_use_of(const swq_saq_counts *c, uint32_t inputs, uint32_t used, uint32_t now)
{
    swq_saq_use use = {
        .ports = used,
        .in_use = mean_use(c, 0, inputs, used, now),
        .interface_in_use = mean_use(c, inputs, c->ports, c->ports - inputs, now),
        .most_in_network = c->most,
        .replications = 1,
        .allocated = c->allocated,
        .detections = c->detections,
        .false_detections = c->false_detections,
        .xoffs = c->xoffs,
        .xons = c->xons,
        .tokens = c->tokens,
        .stops = c->stops,
        .lost_notices = c->lost_notices,
        .unserved_detections = c->unserved_detections,
        .unserved_stops = c->unserved_stops,
        .inspections = c->inspections,
        .moves = c->moves,
    };

    for (uint32_t k = 0; k < inputs; k++) {
        use.most = c->port[k].most > use.most ? c->port[k].most : use.most;
        use.mean_most += (double)c->port[k].most / used;
    }
    return use;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Adds a value to the mean of `before` values. */
static void into_mean(double *mean, double value, int before)
{
    *mean += (value - *mean) / (before + 1);
}

void swq_saq_use_add(swq_saq_use *sum, const swq_saq_use *use)
{
    into_mean(&sum->in_use, use->in_use, sum->replications);
    into_mean(&sum->mean_most, use->mean_most, sum->replications);
    into_mean(&sum->interface_in_use, use->interface_in_use, sum->replications);
    into_mean(&sum->output_in_use, use->output_in_use, sum->replications);
    sum->replications++;
    sum->ports = use->ports;
    sum->most = greater(sum->most, use->most);
    sum->most_in_network = greater(sum->most_in_network, use->most_in_network);
    sum->most_slots = use->most_slots > sum->most_slots ? use->most_slots : sum->most_slots;
    sum->allocated += use->allocated;
    sum->detections += use->detections;
    sum->false_detections += use->false_detections;
    sum->xoffs += use->xoffs;
    sum->xons += use->xons;
    sum->tokens += use->tokens;
    sum->stops += use->stops;
    sum->lost_notices += use->lost_notices;
    sum->unserved_detections += use->unserved_detections;
    sum->unserved_stops += use->unserved_stops;
    sum->inspections += use->inspections;
    sum->moves += use->moves;
    sum->hops += use->hops;
    sum->notices += use->notices;
    sum->refused_specific += use->refused_specific;
    sum->refused_full += use->refused_full;
    sum->at_outputs = use->at_outputs;
    sum->most_at_output = greater(sum->most_at_output, use->most_at_output);
    if (use->most_output_slots > sum->most_output_slots)
        sum->most_output_slots = use->most_output_slots;
    sum->dropped += use->dropped;
}
