/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running one system: warm-up, then batches. Nothing is allocated after the beginning.
 */
#include "sim/measure/replication.h"

#include "base/arrays.h"
#include "base/context.h"
#include "base/statistics.h"

#include <string.h>

enum {
    STEP = 64,            /* cycles between checks whether to stop */
    LOOKS = 4096,         /* cycles between checks for a deadlock in the warm-up */
    FIRST_LOOK = 256,     /* cycles before the first such check in a large network */
    LARGE_NETWORK = 4096, /* nodes from which on a network is large */
};

static void list_arrays(swq_replication *r, swq_arrays *list)
{
    *list = (swq_arrays){0};
    SWQ_ARRAY(list, r->batch, SWQ_MOST_BATCHES * r->counters);
    SWQ_ARRAY(list, r->length, SWQ_MOST_BATCHES);
    SWQ_ARRAY(list, r->before, r->counters);
    SWQ_ARRAY(list, r->series, SWQ_SERIES);
    swq_beats_list(&r->beats, list);
    swq_windows_list(&r->windows, list);
    swq_by_sender_list(&r->by_sender, list);
}

swq_status swq_replication_new(swq_context *ctx, swq_system *system, swq_replication *r)
{
    swq_arrays list;

    *r = (swq_replication){.system = system, .stationary = true};
    r->counters = swq_system_counters(system);
    r->windows = swq_windows_of(system->options, system->levels, system->cells);
    r->by_sender = swq_by_sender_of(system);
    list_arrays(r, &list);
    swq_status status = swq_arrays_take(ctx, &list);
    if (status)
        swq_replication_free(ctx, r);
    return status;
}

void swq_replication_free(swq_context *ctx, swq_replication *r)
{
    swq_arrays list;

    if (r->system)
        r->system->release(ctx, r->system);
    r->system = NULL;
    list_arrays(r, &list);
    swq_arrays_free(ctx, &list);
}

static void look(swq_replication *r)
{
    if (r->system->look)
        r->system->look(r->system);
    r->stuck = r->system->stuck;
}

/* Runs some cycles, at most `most` and STEP, unless asked to stop. Returns how many. */
static uint64_t step(swq_replication *r, const swq_context *ctx, uint64_t most)
{
    if (swq_context_cancelled(ctx)) {
        r->interrupted = true;
        return 0;
    }
    const uint64_t asked = swq_windows_left(&r->windows, most < STEP ? most : STEP);
    uint64_t cycles = r->frames ? swq_frames_advance(r->frames, r->system, asked)
                                : r->system->advance(r->system, asked);
    swq_windows_pass(&r->windows, r->system, cycles);
    r->stuck = r->system->stuck;
    atomic_fetch_add_explicit(&r->done, cycles, memory_order_relaxed);
    return cycles;
}

/* A step of the warm-up; false: the run cannot go on. A trace may end in the warm-up. */
static bool warm_step(swq_replication *r, const swq_context *ctx, uint64_t most, uint64_t *done)
{
    uint64_t looks = r->warmup / LOOKS;

    *done = step(r, ctx, most);
    r->warmup += *done;
    if (!r->interrupted && r->warmup / LOOKS != looks)
        look(r);
    return *done > 0 && !r->stuck;
}

/* The cycle in which MSER-5 is first asked: it cannot see a slow process of which the series has
 * not seen several rounds. */
static uint64_t first_look(const swq_replication *r, uint64_t longest)
{
    const uint64_t usual = r->system->nodes > LARGE_NETWORK ? FIRST_LOOK : SWQ_SERIES;
    const double settled = SWQ_SOURCE_WARM_UP * r->system->source_cycles;

    if (settled <= (double)usual)
        return usual;
    return settled < (double)longest ? (uint64_t)settled : longest;
}

/* Observes the packets in the system, `span` cycles for each observation; when the series is full,
 * halves it by merging pairs. */
static void find_warm_up(swq_replication *r, const swq_context *ctx)
{
    const uint64_t *population = &r->system->tally[SWQ_NET_POPULATION];
    const uint64_t longest = swq_warm_up_most(r->system->options);
    uint64_t span = 1, look = first_look(r, longest);
    size_t count = 0;

    while (r->warmup < longest) {
        uint64_t before = *population;
        for (uint64_t k = 0, done; k < span; k += done) {
            if (!warm_step(r, ctx, span - k, &done))
                return;
        }
        r->series[count++] = (double)(*population - before) / (double)span;
        if (r->warmup >= look) {
            if (swq_mser5(r->series, count) < count / 2)
                return;
            look *= 2;
        }
        if (count == SWQ_SERIES) {
            count /= 2;
            span *= 2;
            for (size_t k = 0; k < count; k++)
                r->series[k] = (r->series[2 * k] + r->series[2 * k + 1]) / 2;
        }
    }
    r->stationary = false;
}

void swq_replication_warm_up(swq_replication *r, const swq_context *ctx)
{
    uint64_t warmup = r->system->options->warmup, ignore = r->system->options->ignore, done = 0;

    if (ignore > 0)
        while (r->system->delivered < ignore && r->warmup < r->system->options->cycles &&
               !r->system->drained && warm_step(r, ctx, STEP, &done))
            continue;
    else if (warmup == SWQ_WARMUP_AUTO)
        find_warm_up(r, ctx);
    else
        while (r->warmup < warmup && warm_step(r, ctx, warmup - r->warmup, &done))
            continue;
    swq_windows_begin(&r->windows, r->system);
    if (r->frames)
        swq_frames_measure(r->frames, r->system, r->warmup);
    swq_system_reset(r->system);
    if (r->system->begin)
        r->system->begin(r->system);
    memset(r->before, 0, sizeof *r->before * r->counters);
    swq_by_sender_begin(&r->by_sender, r->system);
    r->hops_before = r->system->hops;
    r->delivered_before = r->system->delivered;
    r->warm = !r->interrupted && !r->stuck;
}

static bool goes_on(const swq_replication *r)
{
    return r->warm && !r->interrupted && !r->drained && !r->stuck && !r->full;
}

static void end_batch(swq_replication *r, uint64_t cycles)
{
    uint64_t *batch = r->batch + r->batches * r->counters;
    const uint64_t *tally = r->system->tally;

    swq_system_settle(r->system);
    for (size_t c = 0; c < r->counters; c++) {
        batch[c] = tally[c] - r->before[c];
        r->before[c] = tally[c];
    }
    swq_by_sender_end_batch(&r->by_sender, r->system, r->batches);
    r->length[r->batches++] = cycles;
    r->cycles += cycles;
}

void swq_replication_run(swq_replication *r, const swq_context *ctx, size_t batches, uint64_t most)
{
    const uint64_t packets = r->system->options->packets;

    while (goes_on(r) && r->batches < batches && r->cycles < most) {
        uint64_t cycles = r->batch_cycles < most - r->cycles ? r->batch_cycles : most - r->cycles;
        uint64_t k = 0, done = 1;
        for (; goes_on(r) && done > 0 && k < cycles; k += done) {
            /* whether it is full is seen after steps, which beats do not change */
            const uint64_t beat = packets > 0 ? STEP : swq_beats_left(&r->beats),
                           left = cycles - k < beat ? cycles - k : beat;
            done = step(r, ctx, left);
            swq_beats_pass(&r->beats, r->system, done);
            r->drained = r->system->drained;
            r->full = packets > 0 && r->system->delivered - r->delivered_before >= packets;
        }
        if (r->interrupted)
            return; /* cycles since the last batch are part of no interval */
        if (k > 0)
            end_batch(r, k);
        look(r);
    }
}

void swq_replication_merge(swq_replication *r)
{
    if (r->batches < 2) /* the replication ended in its first batch, or its batches have been merged
                           into one */
        return;
    for (size_t b = 0; b < r->batches / 2; b++) {
        uint64_t *to = r->batch + b * r->counters;
        const uint64_t *from = r->batch + 2 * b * r->counters;
        for (size_t c = 0; c < r->counters; c++)
            to[c] = from[c] + from[c + r->counters];
        r->length[b] = r->length[2 * b] + r->length[2 * b + 1];
    }
    if (r->batches % 2) { /* the odd one out joins the last pair */
        size_t last = r->batches / 2 - 1;
        for (size_t c = 0; c < r->counters; c++)
            r->batch[last * r->counters + c] += r->batch[(r->batches - 1) * r->counters + c];
        r->length[last] += r->length[r->batches - 1];
    }
    swq_by_sender_merge(&r->by_sender, r->batches);
    r->batches /= 2;
    r->batch_cycles *= 2;
}
