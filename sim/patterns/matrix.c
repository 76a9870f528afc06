/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Destination probabilities given pair by pair (swq_traffic.matrix, swq_destinations).
 */
#include "base/context.h"
#include "sim/patterns/patterns.h"

#include <math.h>

const swq_pattern swq_pattern_matrix = {
    .name = "matrix",
    .summary = "a probability for each source and destination, as given",
    .matrix = true,
    .source = "Dally and Towles (2004), 3.2: the traffic matrix",
};

static swq_status check_row(swq_context *ctx, const swq_destinations *m, uint32_t node)
{
    double sum = 0;

    for (uint64_t k = m->first[node]; k < m->first[node + 1]; k++) {
        if (m->to[k] >= m->nodes || (k > m->first[node] && m->to[k] <= m->to[k - 1]))
            return swq_fail(ctx, SWQ_EINVAL,
                            "destinations of node %u must be 0 to %u, in ascending order, not %u",
                            node, m->nodes - 1, m->to[k]);
        if (!(m->share[k] > 0 && m->share[k] <= 1 + SWQ_MATRIX_SLACK))
            return swq_fail(ctx, SWQ_EINVAL,
                            "destination probability of node %u, destination %u must be above 0, "
                            "and at most 1, not %g",
                            node, m->to[k], m->share[k]);
        sum += m->share[k];
    }
    if (m->first[node + 1] > m->first[node] && !(fabs(sum - 1) <= SWQ_MATRIX_SLACK))
        return swq_fail(ctx, SWQ_EINVAL,
                        "destination probabilities of node %u must sum to 1, not %.12g", node, sum);
    return SWQ_OK;
}

swq_status swq_destinations_check(swq_context *ctx, const swq_destinations *m, uint32_t nodes)
{
    swq_status status = SWQ_OK;

    if (m->nodes != nodes)
        return swq_fail(ctx, SWQ_EINVAL, "matrix must be of %u nodes, not %u", nodes, m->nodes);
    for (uint32_t i = 0; i < nodes && !status; i++) {
        if (m->first[i] > m->first[i + 1])
            status = swq_fail(ctx, SWQ_EINVAL,
                              "matrix: rows must follow one another, and row %u "
                              "does not",
                              i);
        else
            status = check_row(ctx, m, i);
    }
    return status;
}

bool swq_destinations_have(const swq_destinations *m, uint32_t from, uint32_t to)
{
    uint64_t low = m->first[from], high = m->first[from + 1];

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (m->to[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->first[from + 1] && m->to[low] == to;
}
