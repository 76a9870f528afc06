/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the table of architectures. Room: models.
 */
#ifndef SWQ_MODELS_ARCHITECTURES_H
#define SWQ_MODELS_ARCHITECTURES_H

#include "switchq/architecture.h"

extern const swq_stage_architecture swq_stage_input_queued, swq_stage_output_queued,
    swq_stage_crosspoint, swq_stage_input_crosspoint, swq_stage_cioq;

#endif
