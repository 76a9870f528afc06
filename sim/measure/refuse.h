/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which intervals a run is too short for, and taking them out of a result.
 * Room: sim.
 */
#ifndef SWQ_SIM_MEASURE_REFUSE_H
#define SWQ_SIM_MEASURE_REFUSE_H

#include "sim/measure/memory.h"

/* What a run that measured for memory->cycles cannot say. Of a trace, and of traffic that changes
 * with time, nothing is refused here: there batches are no sample anyway. */
swq_unknown swq_what_is_unknown(const swq_memory *memory, const swq_system *system);

/* Sets all half-widths, and bounds of rare events, to NAN, in the result and in its details (NULL:
 * there are none). A trace is run once and nothing in it is random, so its batches are no sample.
 */
void swq_result_drop_intervals(swq_sim_result *result, swq_detail *detail);

#endif
