/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting sort of a trace's lines by source.
 */
#include "sim/traffic/trace.h"

void swq_trace_sort(uint64_t lines, uint32_t nodes,
                    uint32_t (*source_of)(const void *trace, uint64_t line), const void *trace,
                    uint64_t *start, uint64_t *order)
{
    for (uint64_t k = 0; k < lines; k++)
        start[source_of(trace, k) + 1]++;
    for (uint32_t i = 0; i < nodes; i++)
        start[i + 1] += start[i];
    for (uint64_t k = 0; k < lines; k++)
        order[start[source_of(trace, k)]++] = k;
    for (uint32_t i = nodes; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}
