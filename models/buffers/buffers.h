/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The presets, and the one admission rule that they all share.
 * Room: models.
 */
#ifndef SWQ_MODELS_BUFFERS_H
#define SWQ_MODELS_BUFFERS_H

#include "switchq/buffer.h"

#include <stdint.h>

extern const swq_buffer_kind swq_buffer_fifo, swq_buffer_samq, swq_buffer_safc, swq_buffer_damq,
    swq_buffer_dafc, swq_buffer_cbda;

/* May a packet join queue `join` of a buffer whose queues hold length[0 .. queues-1] packets?
 * The reserved slots of a queue are its own; what lies above them comes out of the shared part. */
bool swq_buffer_admits(const swq_buffer *buffer, int queues, const uint16_t *length, int join);

#endif
