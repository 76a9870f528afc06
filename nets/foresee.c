/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The size of a network's chain, without generating it.
 */
#include "base/context.h"
#include "nets/chain.h"

#include <math.h>

enum { MOST_CAPACITY = 4096 /* larger buffers are not counted: their chains never fit */ };

/* The number of contents of one buffer: the number of ways to fill its queues, where each queue
 * that is not empty has `choices` possible heads. The dynamic threshold is ignored. work[capacity +
 * 1]. */
static double count_contents(const swq_buffer *b, int queues, double choices, double *work)
{
    const int shared = b->capacity - queues * b->queue_min;
    double all = 0;

    if (b->queues == SWQ_ONE_QUEUE)
        return 1 + b->capacity * choices;
    for (int used = 0; used <= shared; used++)
        work[used] = used == 0;
    for (int q = 0; q < queues; q++) {
        /* from the fullest down, so that only the counts before this queue are added */
        for (int used = shared; used >= 0; used--) {
            double ways = work[used] * (1 + b->queue_min * choices);
            for (int over = 1; over <= used && b->queue_min + over <= b->queue_max; over++)
                ways += work[used - over] * choices;
            work[used] = ways;
        }
    }
    for (int used = 0; used <= shared; used++)
        all += work[used];
    return all;
}

/* The contents of all buffers of `switches` switches of a stage, and their arbiters' memories. */
static double count_stage(const swq_netplan *p, int stage, int switches, double *work)
{
    const swq_netswitch *s = &p->at[stage * p->per_stage];
    const swq_buffer *b = &s->sw.buffer;
    const bool ahead = p->by_queue && !p->discards && stage < p->stages - 1;
    const double choices = b->queues == SWQ_ONE_QUEUE || ahead ? p->ports : 1;

    return pow(pow(count_contents(b, s->layout.queues, choices, work), s->layout.buffers) *
                   pow(p->ports, s->layout.memory_words),
               switches);
}

void swq_netplan_size(const swq_netplan *p, const swq_netrenamings *renamings,
                      swq_netchain_size *size)
{
    double work[MOST_CAPACITY + 1];
    const bool counted = p->network->sw.buffer.capacity <= MOST_CAPACITY;

    *size = (swq_netchain_size){
        .cone = p->cone, .unreduced = 1, .states = 1, .symmetry = renamings->count};
    for (int stage = 0; stage < p->stages; stage++) {
        const int present = swq_netplan_present(p, stage);
        size->switches += present;
        if (counted) {
            size->unreduced *= count_stage(p, stage, p->per_stage, work);
            size->states *= count_stage(p, stage, present, work);
        } else {
            size->unreduced = size->states = INFINITY;
        }
    }
    /* sources hold packets only if their buffers are full: few of all combinations are reached */
    if (!p->discards)
        size->states *= pow(p->at[0].layout.deferred ? 2 : 1 + p->ports, p->nodes / 2.0);
    size->states = fmax(1, size->states / size->symmetry);
    /* nodes of all levels with their slots in the hash tables and their counts, and some entries of
     * the factors */
    size->bytes = size->states * p->events * (2.0 * p->words + 24 + 16.0 * SWQ_NETCOUNTS + 12 * 6);
}

swq_status swq_netchain_check_size(swq_context *ctx, const swq_netchain_size *size)
{
    const double limit = (double)swq_context_memory_limit(ctx);
    char needed[40], allowed[40];

    if (limit == 0 || size->bytes <= limit)
        return SWQ_OK;
    swq_bytes_text(limit, allowed, sizeof allowed);
    if (!isfinite(size->bytes))
        return swq_fail(ctx, SWQ_ELIMIT,
                        "the chain of this network would have more states than can be counted; the "
                        "memory limit is %s",
                        allowed);
    return swq_fail(ctx, SWQ_ELIMIT,
                    "the chain of this network may have %.3g states (%d switches, a symmetry of "
                    "%.4g) and takes about %s; the memory limit is %s. Fewer slots, ports or "
                    "stages are needed",
                    size->states, size->switches, size->symmetry,
                    swq_bytes_text(size->bytes, needed, sizeof needed), allowed);
}

swq_status swq_netchain_foresee(swq_context *ctx, const swq_network *network, bool reduce,
                                swq_netchain_size *size)
{
    swq_netplan plan;
    swq_netrenamings renamings;
    swq_status status = swq_netchain_check(ctx, network);

    if (!status)
        status = swq_netplan_make(ctx, network, reduce, &plan);
    if (status)
        return status;
    status = swq_netrenamings_find(ctx, &plan, reduce, &renamings);
    if (!status) {
        swq_netplan_size(&plan, &renamings, size);
        swq_netrenamings_clear(ctx, &renamings);
    }
    swq_netplan_clear(ctx, &plan);
    return status;
}
