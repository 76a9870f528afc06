/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of a run: see switchq/frames.h.
 */
#include "sim/measure/frames.h"

#include "base/arrays.h"
#include "base/context.h"

#include <string.h>

/* Counters of a frame: indices into `before`. */
enum { DELIVERED, AMOUNT, LATENCY, DISCARDED };

swq_frames swq_frames_of(uint32_t most, uint32_t marked)
{
    return (swq_frames){.most = most, .marked = marked};
}

swq_status swq_frames_check(swq_context *ctx, const swq_frames *f, uint32_t nodes)
{
    if (f->most < 2 || f->most > SWQ_MOST_FRAMES || f->most % 2)
        return swq_fail(ctx, SWQ_EINVAL, "most frames must be an even number from 2 to %d, not %u",
                        SWQ_MOST_FRAMES, f->most);
    if (f->marked != UINT32_MAX && f->marked >= nodes)
        return swq_fail(ctx, SWQ_EINVAL, "marked must be a node, 0 to %u, not %u", nodes - 1,
                        f->marked);
    return SWQ_OK;
}

static void list_arrays(swq_frames *f, swq_arrays *list)
{
    const double most = f->most, cells = most * (double)f->stores;

    *list = (swq_arrays){0};
    SWQ_ARRAY(list, f->held, cells);
    SWQ_ARRAY(list, f->held_marked, f->marked == UINT32_MAX ? 0 : cells);
    SWQ_ARRAY(list, f->aside, f->has_aside ? cells : 0);
    SWQ_ARRAY(list, f->waiting, most);
    SWQ_ARRAY(list, f->delivered, most);
    SWQ_ARRAY(list, f->amount, most);
    SWQ_ARRAY(list, f->latency, most);
    SWQ_ARRAY(list, f->discarded, most);
}

void swq_frames_clear(swq_context *ctx, swq_frames *f)
{
    swq_arrays list;

    list_arrays(f, &list);
    swq_arrays_free(ctx, &list);
    *f = swq_frames_of(f->most, f->marked);
}

swq_status swq_frames_begin(swq_context *ctx, swq_frames *f, const swq_system *system)
{
    swq_arrays list;

    swq_frames_clear(ctx, f);
    f->stores = system->stores;
    f->inputs = system->input_stores;
    f->room = system->store_room[0];
    f->output_room = system->store_room[1];
    f->every = 1;
    f->has_aside = system->aside != NULL;
    list_arrays(f, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        swq_frames_clear(ctx, f);
    return status;
}

/* Counters up to now; latencies and amounts since the tally was last reset. */
static void read_counters(const swq_system *system, uint64_t counter[4])
{
    counter[DELIVERED] = system->delivered;
    counter[DISCARDED] = system->discarded;
    counter[AMOUNT] = counter[LATENCY] = 0;
    for (int c = 0; c < system->cells; c++) {
        const uint64_t *cell = system->tally + swq_tally_cell(system->levels, c);
        counter[AMOUNT] += cell[system->amount];
        counter[LATENCY] += cell[SWQ_CELL_LATENCY];
    }
}

/* Adds the counts since the last call to the frame in progress. */
static void count(swq_frames *f, const swq_system *system)
{
    uint64_t now[4];

    read_counters(system, now);
    f->delivered[f->frames] += now[DELIVERED] - f->before[DELIVERED];
    f->amount[f->frames] += now[AMOUNT] - f->before[AMOUNT];
    f->latency[f->frames] += now[LATENCY] - f->before[LATENCY];
    f->discarded[f->frames] += now[DISCARDED] - f->before[DISCARDED];
    memcpy(f->before, now, sizeof now);
}

/* Merges frames in pairs; a merged frame has the occupancies of the second frame. */
static void thin_out(swq_frames *f)
{
    uint64_t *const sum[] = {f->delivered, f->amount, f->latency, f->discarded};
    const size_t stores = f->stores;

    for (uint32_t k = 0; k < f->most / 2; k++) {
        memcpy(f->held + k * stores, f->held + (2 * k + 1) * stores, stores * sizeof *f->held);
        if (f->held_marked)
            memcpy(f->held_marked + k * stores, f->held_marked + (2 * k + 1) * stores,
                   stores * sizeof *f->held_marked);
        if (f->aside)
            memcpy(f->aside + k * stores, f->aside + (2 * k + 1) * stores, stores);
        f->waiting[k] = f->waiting[2 * k + 1];
        for (size_t s = 0; s < sizeof sum / sizeof *sum; s++)
            sum[s][k] = sum[s][2 * k] + sum[s][2 * k + 1];
    }
    f->frames = f->most / 2;
    for (size_t s = 0; s < sizeof sum / sizeof *sum; s++)
        memset(sum[s] + f->frames, 0, sizeof *sum[s] * (f->most - f->frames));
    f->every *= 2;
}

static void close_frame(swq_frames *f, const swq_system *system)
{
    const size_t at = f->frames * f->stores;

    count(f, system);
    system->hold(system, f->marked, f->held + at, f->held_marked ? f->held_marked + at : NULL);
    if (f->aside)
        system->aside(system, f->aside + at);
    f->waiting[f->frames++] = (uint32_t)system->waiting;
    f->since = 0;
    if (f->frames == f->most)
        thin_out(f);
}

uint64_t swq_frames_advance(swq_frames *f, swq_system *system, uint64_t cycles)
{
    uint64_t done = 0;

    while (done < cycles) {
        const uint64_t left = f->every - f->since, all = cycles - done;
        const uint64_t asked = left < all ? left : all, got = system->advance(system, asked);
        done += got;
        f->since += got;
        if (f->since == f->every)
            close_frame(f, system);
        if (got < asked || system->drained || system->stuck)
            break;
    }
    return done;
}

void swq_frames_measure(swq_frames *f, const swq_system *system, uint64_t warmup)
{
    count(f, system);
    f->before[AMOUNT] = f->before[LATENCY] = 0;
    f->warmup = warmup;
}
