/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a replication counts in each window of its measured cycles.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_WINDOWS_H
#define SWQ_SIM_MEASURE_WINDOWS_H

#include "base/arrays.h"
#include "sim/measure/system.h"

/* A window's vector: what the tally counted in it, and behind that the packets in flight at its
 * end: of the system, and of each cell. */
typedef struct swq_windows {
    uint64_t every; /* cycles of a window; 0: none are kept */
    size_t count, room;
    int stride, counters, cells; /* of a vector; of these, the tally's; of the system */
    uint64_t *vector;            /* [room * stride] */
    uint64_t *length;            /* [room] cycles */
    uint64_t *before;            /* [counters] the tally when the window began */
    uint64_t *base;              /* [cells] packets in flight when measuring began */
    uint64_t cycles;             /* of the window that is being counted */
} swq_windows;

/* The windows that the options ask for, without their arrays; and these. */
swq_windows swq_windows_of(const swq_sim_options *options, int levels, int cells);
void swq_windows_list(swq_windows *windows, swq_arrays *list);

/* The warm-up is over, and its tally about to be forgotten. */
void swq_windows_begin(swq_windows *windows, const swq_system *system);

/* Of `most` cycles, as many as belong to the window that is being counted. */
static inline uint64_t swq_windows_left(const swq_windows *w, uint64_t most)
{
    return w->every == 0 || most < w->every - w->cycles ? most : w->every - w->cycles;
}

/* So many of them have been run. */
void swq_windows_pass(swq_windows *windows, const swq_system *system, uint64_t cycles);

/* The run is over: what was counted of a window is one, if a shorter one. */
void swq_windows_end(swq_windows *windows, const swq_system *system);

#endif
