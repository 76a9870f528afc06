/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a network past saturation? Its sources hold packets back, or more packets come than leave.
 */
#include "sim/measure/beyond.h"
#include "base/statistics.h"
#include "sim/measure/streams.h"
#include "sim/measure/sums.h"

#include <string.h>

/* Two-sided: the one-sided test below then takes one run in a thousand for saturated by mistake. */
static const double beyond_confidence = 0.998;

/* Is the sum of all parts, batch by batch in c->above, significantly above zero? */
static bool exceeds(const swq_collector *c, const swq_sum *part, size_t parts)
{
    double mean, half;

    memset(c->above, 0, c->batches * sizeof *c->above);
    for (size_t k = 0; k < parts; k++) {
        swq_sum_fill(c, &part[k], c->below);
        for (size_t b = 0; b < c->batches; b++)
            c->above[b] += c->below[b];
    }
    swq_ratio_interval(c->above, NULL, c->batches, beyond_confidence, &mean, &half);
    return mean > half;
}

/* Do sources hold packets back for more than SWQ_HELD_MOST of the time (the fraction by which
 * throughput falls behind the load), or for longer than they pause, so that an open source would
 * never catch up? A packet is held back until it is sent, and while its transmission stalls. A
 * pause is the time in which a source neither sends nor holds a packet back. */
static bool held(const swq_collector *c)
{
    const swq_system *s = c->replication->system;
    const swq_sum fifth[] = {
        swq_sum_counter(SWQ_NET_WAITING),
        swq_sum_counter(SWQ_NET_STALLED),
        swq_sum_cycles(-SWQ_HELD_MOST * s->sources),
    };
    /* of packets that are copied on their way, more are delivered than sent */
    const int packets = s->copied ? SWQ_CELL_OFFERED : SWQ_CELL_DELIVERED;
    const int amount = s->copied ? SWQ_CELL_OFFERED : s->amount;
    /* of links of several speeds, as long as all senders have one load */
    const double longer = s->nodes / swq_lines(s);
    const swq_sum pause[] = {
        swq_sum_times(2, swq_sum_counter(SWQ_NET_WAITING)),
        swq_sum_times(2, swq_sum_counter(SWQ_NET_STALLED)),
        swq_sum_times(longer * (s->copied ? s->copied : 1),
                      swq_sum_cells(s, amount, 0, 1, s->cells)),
        swq_sum_times(s->rest, swq_sum_cells(s, packets, 0, 1, s->cells)),
        swq_sum_cycles(-s->sources),
    };

    return exceeds(c, fifth, sizeof fifth / sizeof *fifth) ||
           exceeds(c, pause, sizeof pause / sizeof *pause);
}

/* Do more packets arrive than leave? In a stable network the differences of successive batches
 * cancel, but each of them scatters, so that the interval is far too wide, and there are no false
 * alarms. */
static bool grows(const swq_collector *c)
{
    const swq_system *s = c->replication->system;
    swq_sum back = {.first = swq_tally_stage(0) + SWQ_STAGE_DROPPED,
                    .step = SWQ_STAGE_COUNTERS,
                    .count = s->levels,
                    .factor = s->resends};
    const swq_sum parts[] = {
        swq_sum_cells(s, SWQ_CELL_CREATED, 0, 1, s->cells),
        swq_sum_times(-1, swq_sum_cells(s, SWQ_CELL_DELIVERED, 0, 1, s->cells)),
        swq_sum_times(-1, swq_sum_cells(s, SWQ_CELL_DISCARDED, 0, 1, s->cells)),
        back,
    };

    return exceeds(c, parts, sizeof parts / sizeof *parts);
}

swq_beyond swq_beyond_saturation(const swq_collector *c)
{
    const swq_system *s = c->replication->system;

    if (s->sources == 0)
        return SWQ_BEYOND_NOT;
    return s->holds && held(c) ? SWQ_BEYOND_HELD : grows(c) ? SWQ_BEYOND_GROWING : SWQ_BEYOND_NOT;
}
