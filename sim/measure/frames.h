/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recording frames while a system is run.
 */
#ifndef SWQ_SIM_MEASURE_FRAMES_H
#define SWQ_SIM_MEASURE_FRAMES_H

#include "sim/measure/system.h"
#include "switchq/frames.h"

/* Errors: SWQ_EINVAL naming the parameter. */
swq_status swq_frames_check(swq_context *ctx, const swq_frames *frames, uint32_t nodes);

/* Takes the arrays for a system at cycle 0, and frees the arrays of an earlier run. Errors:
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_frames_begin(swq_context *ctx, swq_frames *frames, const swq_system *system);

/* Stands in for the system's own `advance`, and records a frame where one ends. */
uint64_t swq_frames_advance(swq_frames *frames, swq_system *system, uint64_t cycles);

/* To be called at the end of a warm-up of `warmup` cycles, before the tally is reset. */
void swq_frames_measure(swq_frames *frames, const swq_system *system, uint64_t warmup);

#endif
