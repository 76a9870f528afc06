/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows of cycles. The tally is read at the end of each, so nothing is counted twice,
 * and windows cost nothing if there are none.
 */
#include "sim/measure/windows.h"

#include <string.h>

uint64_t swq_windows_cycles(const swq_sim_options *o)
{
    return o->cycles + (o->warmup == SWQ_WARMUP_AUTO ? swq_warm_up_most(o) : 0);
}

swq_windows swq_windows_of(const swq_sim_options *o, int levels, int cells)
{
    const int counters = swq_tally_size(levels, cells);
    const bool whole = o->series && o->warmup == SWQ_WARMUP_AUTO;

    return (swq_windows){.every = o->series,
                         .whole = whole,
                         .counting = whole,
                         .room =
                             o->series ? (size_t)((swq_windows_cycles(o) - 1) / o->series) + 1 : 0,
                         .stride = counters + 1 + cells,
                         .counters = counters,
                         .cells = cells};
}

void swq_windows_list(swq_windows *w, swq_arrays *list)
{
    SWQ_ARRAY(list, w->vector, (double)w->room * w->stride);
    SWQ_ARRAY(list, w->length, w->room);
    SWQ_ARRAY(list, w->before, w->every ? w->counters : 0);
    SWQ_ARRAY(list, w->base, w->every ? w->cells : 0);
}

/* Packets of a cell in flight that were created since the tally was last reset, minus older packets
 * that have left since: modulo 2^64, since the difference may be negative. A packet that is sent
 * again is not lost. */
static uint64_t in_flight(const swq_system *s, int cell)
{
    const uint64_t *count = s->tally + swq_tally_cell(s->levels, cell);

    return count[SWQ_CELL_CREATED] - count[SWQ_CELL_DELIVERED] -
           (s->resends ? 0 : count[SWQ_CELL_DISCARDED]);
}

void swq_windows_begin(swq_windows *w, const swq_system *s)
{
    for (int cell = 0; cell < s->cells && w->every; cell++)
        w->base[cell] += in_flight(s, cell);
    for (int c = 0; c < w->counters && w->whole; c++)
        w->before[c] -= s->tally[c]; /* modulo 2^64 */
    w->counting = w->every > 0;
}

void swq_windows_end(swq_windows *w, const swq_system *s)
{
    uint64_t *vector = w->vector + w->count * (size_t)w->stride;

    if (w->cycles == 0)
        return;
    for (int c = 0; c < w->counters; c++)
        vector[c] = s->tally[c] - w->before[c];
    vector[w->counters] = s->created - s->delivered - s->discarded;
    for (int cell = 0; cell < s->cells; cell++)
        vector[w->counters + 1 + cell] = w->base[cell] + in_flight(s, cell);
    memcpy(w->before, s->tally, sizeof *w->before * (size_t)w->counters);
    w->length[w->count++] = w->cycles;
    w->cycles = 0;
}

void swq_windows_pass(swq_windows *w, const swq_system *s, uint64_t cycles)
{
    if (!w->counting)
        return;
    w->cycles += cycles;
    if (w->cycles == w->every)
        swq_windows_end(w, s);
}
