/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a replication counts in each window of its cycles: of all if the warm-up is found
 * automatically, since all replications then have the same windows, or else of the measured ones.
 */
#ifndef SWQ_SIM_MEASURE_WINDOWS_H
#define SWQ_SIM_MEASURE_WINDOWS_H

#include "base/arrays.h"
#include "sim/measure/system.h"

/* The vector of a window: what the tally counted in it, followed by the packets in flight at its
 * end, of the system and of each cell. */
typedef struct swq_windows {
    uint64_t every; /* cycles of a window; 0: none are kept */
    bool whole;     /* they begin at cycle 0 */
    bool counting;  /* they have begun */
    size_t count, room;
    /* entries of a vector; counters of the tally; cells of the system */
    int stride, counters, cells;
    uint64_t *vector; /* [room * stride] */
    uint64_t *length; /* [room] cycles */
    uint64_t *before; /* [counters] the tally at the start of the window */
    uint64_t *base;   /* [cells] packets in flight when the tally was last reset */
    uint64_t cycles;  /* cycles of the window in progress */
} swq_windows;

/* The most cycles that windows are kept of. */
uint64_t swq_windows_cycles(const swq_sim_options *options);

/* The windows that the options ask for, without their arrays; then these. */
swq_windows swq_windows_of(const swq_sim_options *options, int levels, int cells);
void swq_windows_list(swq_windows *windows, swq_arrays *list);

/* The warm-up is over, and its tally is about to be reset. */
void swq_windows_begin(swq_windows *windows, const swq_system *system);

/* The number of the next `most` cycles that belong to the window in progress. */
static inline uint64_t swq_windows_left(const swq_windows *w, uint64_t most)
{
    return !w->counting || most < w->every - w->cycles ? most : w->every - w->cycles;
}

/* `cycles` cycles, at most swq_windows_left, have been run. */
void swq_windows_pass(swq_windows *windows, const swq_system *system, uint64_t cycles);

/* The run is over: the window in progress is closed early. */
void swq_windows_end(swq_windows *windows, const swq_system *system);

#endif
