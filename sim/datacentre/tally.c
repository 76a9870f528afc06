/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of counters, when counting begins, and percentiles of what was counted.
 */
#include "sim/datacentre/tally.h"

#include <math.h>

swq_status dc_tally_make(swq_context *ctx, dc_tally *t, uint32_t memories)
{
    t->memories = memories;
    t->used = swq_calloc(ctx, memories, sizeof *t->used);
    t->changed = swq_calloc(ctx, memories, sizeof *t->changed);
    t->capacity = swq_calloc(ctx, memories, sizeof *t->capacity);
    t->per_byte = swq_calloc(ctx, memories, sizeof *t->per_byte);
    t->occupancy = swq_calloc(ctx, DC_OCCUPANCY_BINS + 1, sizeof *t->occupancy);
    if (!t->used || !t->changed || !t->capacity || !t->per_byte || !t->occupancy)
        return swq_memory_status(ctx);
    for (int k = 0; k < SWQ_DC_CLASSES; k++) {
        t->by_class[k].delays = swq_calloc(ctx, DC_DELAY_BINS, sizeof *t->by_class[k].delays);
        if (!t->by_class[k].delays)
            return swq_memory_status(ctx);
    }
    return SWQ_OK;
}

void dc_tally_free(swq_context *ctx, dc_tally *t)
{
    swq_free(ctx, t->used);
    swq_free(ctx, t->changed);
    swq_free(ctx, t->capacity);
    swq_free(ctx, t->per_byte);
    swq_free(ctx, t->occupancy);
    swq_free(ctx, t->link);
    swq_free(ctx, t->by_memory);
    for (int k = 0; k < SWQ_DC_CLASSES; k++)
        swq_free(ctx, t->by_class[k].delays);
}

void dc_tally_begin(dc_tally *t, uint64_t now)
{
    t->on = true;
    t->begun = now;
    for (uint32_t m = 0; m < t->memories; m++) {
        t->changed[m] = now;
        t->most = t->used[m] > t->most ? t->used[m] : t->most;
    }
    for (int k = 0; k < SWQ_DC_CLASSES; k++)
        t->class_changed[k] = now;
}

void dc_tally_end(dc_tally *t, uint64_t now)
{
    for (uint32_t m = 0; m < t->memories; m++) {
        for (int k = 0; k < SWQ_DC_CLASSES; k++)
            dc_note_used(t, m, k, 0, now);
    }
    t->on = false;
    t->ended = now;
}

double dc_percentile(const uint64_t *bin, int bins, double level, double (*value)(int bin))
{
    uint64_t all = 0, up = 0;

    for (int k = 0; k < bins; k++)
        all += bin[k];
    if (all == 0)
        return NAN;
    for (int k = 0; k < bins; k++) {
        up += bin[k];
        if ((double)up >= level * (double)all)
            return value(k);
    }
    return value(bins - 1);
}
