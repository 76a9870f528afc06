/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much wider intervals are than the scatter of batches says, since the network's memory is
 * hardly known, and which intervals a run is too short for.
 */
#ifndef SWQ_SIM_MEASURE_REFUSE_H
#define SWQ_SIM_MEASURE_REFUSE_H

#include "sim/measure/memory.h"

/* How much of a run counts. Of a trace, and of traffic that changes with time, all does: there
 * batches are no sample anyway. */
swq_counting swq_counting_of(const swq_memory *memory, const swq_system *system);

/* The results that must be refused as unknown, given how much of the run counts. */
swq_unknown swq_what_is_unknown(const swq_counting *counts, const swq_system *system);

/* How many times wider than the scatter of batches an interval is of which that share of the run
 * counts; NAN: there is none. */
double swq_widening_of(double share);

/* Sets all half-widths, and bounds of rare events, to NAN, in the result and in its details (NULL:
 * there are none). A trace is run once and nothing in it is random, so its batches are no sample.
 */
void swq_result_drop_intervals(swq_sim_result *result, swq_detail *detail);

#endif
