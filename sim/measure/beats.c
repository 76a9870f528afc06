/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time series of a replication.
 */
#include "sim/measure/beats.h"

void swq_beats_list(swq_beats *b, swq_arrays *list)
{
    SWQ_ARRAY(list, b->beat, SWQ_MOST_BEATS * SWQ_BEAT_SUMS);
}

/* The sums since the tally was reset. */
static void look_at(const swq_system *s, uint64_t *sum)
{
    sum[SWQ_BEAT_PACKETS] = s->tally[SWQ_NET_POPULATION];
    sum[SWQ_BEAT_INSIDE] = s->tally[SWQ_NET_POPULATION] - s->tally[SWQ_NET_WAITING];
    for (int cell = 0; cell < s->cells; cell++) {
        const uint64_t *of = s->tally + swq_tally_cell(s->levels, cell);
        sum[SWQ_BEAT_DELIVERED] += of[SWQ_CELL_DELIVERED];
        sum[SWQ_BEAT_LATENCY] += of[SWQ_CELL_LATENCY];
        sum[SWQ_BEAT_AMOUNT] += of[s->amount];
    }
}

static void merge(swq_beats *b)
{
    for (size_t k = 0; k < SWQ_MOST_BEATS / 2 * SWQ_BEAT_SUMS; k++) {
        const size_t pair = k / SWQ_BEAT_SUMS * 2, sum = k % SWQ_BEAT_SUMS;
        b->beat[k] =
            b->beat[pair * SWQ_BEAT_SUMS + sum] + b->beat[(pair + 1) * SWQ_BEAT_SUMS + sum];
    }
    b->count = SWQ_MOST_BEATS / 2;
    b->span *= 2;
}

void swq_beats_pass(swq_beats *b, const swq_system *s, uint64_t cycles)
{
    uint64_t sum[SWQ_BEAT_SUMS] = {0};

    b->cycles += cycles;
    if (b->cycles < b->span)
        return;
    look_at(s, sum);
    double *beat = b->beat + b->count++ * SWQ_BEAT_SUMS;
    for (int k = 0; k < SWQ_BEAT_SUMS; k++) {
        beat[k] = (double)(sum[k] - b->before[k]);
        b->before[k] = sum[k];
    }
    beat[SWQ_BEAT_CYCLES] = (double)b->cycles;
    b->cycles = 0;
    if (b->count == SWQ_MOST_BEATS)
        merge(b);
}
