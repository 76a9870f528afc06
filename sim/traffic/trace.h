/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the sources of both engines: walking their lines of a trace, and counting cycles
 * ahead.
 */
#ifndef SWQ_SIM_TRAFFIC_TRACE_H
#define SWQ_SIM_TRAFFIC_TRACE_H

#include <stdint.h>

#define SWQ_NEVER UINT32_MAX /* a cycle that is never reached */

/* The cycle `gap` cycles after `cycle`; SWQ_NEVER if that does not fit. */
static inline uint32_t swq_later(uint32_t cycle, uint32_t gap)
{
    return cycle == SWQ_NEVER || gap >= SWQ_NEVER - 1 - cycle ? SWQ_NEVER : cycle + gap;
}

/* Sorts the lines of a trace by source, keeping the order of each source's lines: those of source i
 * are order[start[i] .. start[i + 1]). `source_of` returns the source of a line. start: [nodes +
 * 1], zeroed; order: [lines]. O(lines + nodes). */
void swq_trace_sort(uint64_t lines, uint32_t nodes,
                    uint32_t (*source_of)(const void *trace, uint64_t line), const void *trace,
                    uint64_t *start, uint64_t *order);

#endif
