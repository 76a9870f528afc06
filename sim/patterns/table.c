/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of patterns, and the checks on network traffic.
 */
#include "base/context.h"
#include "base/names.h"
#include "sim/patterns/patterns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const swq_pattern *const swq_patterns[] = {
    &swq_pattern_uniform,        &swq_pattern_bit_reversal,
    &swq_pattern_bit_complement, &swq_pattern_transpose,
    &swq_pattern_shuffle,        &swq_pattern_tornado,
    &swq_pattern_neighbour,      &swq_pattern_random_permutation,
    &swq_pattern_matrix,         NULL,
};

const char *swq_pattern_objection(const swq_pattern *pattern, const swq_places *places)
{
    return pattern->objection ? pattern->objection(places) : NULL;
}

const char *swq_pattern_name(const char *name)
{
    for (int k = 0; swq_patterns[k]; k++) {
        if (swq_patterns[k]->alias && strcmp(swq_patterns[k]->alias, name) == 0)
            return swq_patterns[k]->name;
    }
    return name;
}

swq_status swq_pattern_find(swq_context *ctx, const char *name, const swq_pattern **pattern)
{
    const void *row =
        swq_name_lookup(ctx, "pattern", swq_pattern_name(name), (const void *const *)swq_patterns);
    if (!row)
        return SWQ_EINVAL;
    *pattern = row;
    return SWQ_OK;
}

swq_traffic swq_traffic_defaults(void)
{
    return (swq_traffic){
        .pattern = &swq_pattern_uniform, .kind = SWQ_SOURCE_HOLD, .load = 1, .burst = 1};
}

/* Is x a fraction, from 0 to 1? The comparisons here and below are written so that a NaN fails
 * them. */
static bool is_fraction(double x)
{
    return x >= 0 && x <= 1;
}

static swq_status check_pattern(swq_context *ctx, const swq_traffic *t, uint32_t nodes)
{
    if (!t->pattern)
        return swq_fail(ctx, SWQ_EINVAL, "pattern must be given");
    const swq_places places = swq_places_in_a_row(nodes);
    const char *objection = swq_pattern_objection(t->pattern, &places);
    if (objection)
        return swq_fail(ctx, SWQ_EINVAL, "pattern %s does not fit %" PRIu32 " nodes: %s",
                        t->pattern->name, nodes, objection);
    if (t->pattern->matrix && !t->matrix)
        return swq_fail(ctx, SWQ_EINVAL, "matrix must be given for pattern matrix");
    if (!t->pattern->matrix && t->matrix)
        return swq_fail(ctx, SWQ_EINVAL, "matrix is for pattern matrix only, not for %s",
                        t->pattern->name);
    return SWQ_OK;
}

static swq_status check_matrix(swq_context *ctx, const swq_traffic *t, uint32_t nodes)
{
    const double slack = SWQ_MATRIX_SLACK;

    for (uint32_t i = 0; i < nodes; i++) {
        const double *row = t->matrix + (size_t)i * nodes;
        double sum = 0;
        for (uint32_t j = 0; j < nodes; j++) {
            if (!(row[j] >= 0 && row[j] <= 1 + slack))
                return swq_fail(ctx, SWQ_EINVAL,
                                "destination probability of node %" PRIu32 ", destination %" PRIu32
                                " must be 0 to 1, not %g",
                                i, j, row[j]);
            sum += row[j];
        }
        const bool silent = sum == 0 && t->node_load && t->node_load[i] == 0;
        if (fabs(sum - 1) > slack && !silent)
            return swq_fail(
                ctx, SWQ_EINVAL,
                "destination probabilities of node %" PRIu32 " must sum to 1, not %.12g", i, sum);
    }
    return SWQ_OK;
}

static swq_status check_hot_spots(swq_context *ctx, const swq_traffic *t, uint32_t nodes)
{
    double sum = 0;

    if (t->hot_spots < 0 || t->hot_spots > SWQ_MAX_HOT_SPOTS)
        return swq_fail(ctx, SWQ_EINVAL, "number of hot spots must be 0 to %d, not %d",
                        SWQ_MAX_HOT_SPOTS, t->hot_spots);
    for (int h = 0; h < t->hot_spots; h++) {
        const swq_hot_spot *hot = &t->hot[h];
        if (hot->node >= nodes)
            return swq_fail(ctx, SWQ_EINVAL, "hot-spot node must be 0 to %" PRIu32 ", not %" PRIu32,
                            nodes - 1, hot->node);
        if (!is_fraction(hot->fraction))
            return swq_fail(ctx, SWQ_EINVAL,
                            "hot-spot fraction of node %" PRIu32 " must be 0 to 1, not %g",
                            hot->node, hot->fraction);
        for (int g = 0; g < h; g++) {
            if (t->hot[g].node == hot->node)
                return swq_fail(ctx, SWQ_EINVAL,
                                "hot-spot nodes must be distinct, and %" PRIu32 " is given twice",
                                hot->node);
        }
        sum += hot->fraction;
    }
    if (sum > 1 + 1e-12) /* 0.2 + 0.4 + 0.3 + 0.1 rounds to more than 1 */
        return swq_fail(ctx, SWQ_EINVAL, "hot-spot fractions must sum to at most 1, not %.15g",
                        sum);
    return SWQ_OK;
}

static swq_status check_source(swq_context *ctx, const swq_traffic *t, uint32_t nodes)
{
    if (t->kind != SWQ_SOURCE_HOLD && t->kind != SWQ_SOURCE_OPEN && t->kind != SWQ_SOURCE_TRACE)
        return swq_fail(ctx, SWQ_EINVAL, "source kind must be a value of its enumeration, not %d",
                        (int)t->kind);
    if (!is_fraction(t->load))
        return swq_fail(ctx, SWQ_EINVAL, "load must be 0 to 1, not %g", t->load);
    for (uint32_t i = 0; t->node_load && i < nodes; i++) {
        if (!is_fraction(t->node_load[i]))
            return swq_fail(ctx, SWQ_EINVAL, "load of node %" PRIu32 " must be 0 to 1, not %g", i,
                            t->node_load[i]);
    }
    if (!(t->burst >= 1 && isfinite(t->burst)))
        return swq_fail(ctx, SWQ_EINVAL, "burst must be 1 or more packets, and finite, not %g",
                        t->burst);
    if (t->queue_limit && t->kind != SWQ_SOURCE_OPEN)
        return swq_fail(ctx, SWQ_EINVAL,
                        "queue-limit is for open sources only: it must be 0, not %" PRIu32,
                        t->queue_limit);
    return SWQ_OK;
}

static swq_status check_trace(swq_context *ctx, const swq_traffic *t, uint32_t nodes)
{
    uint64_t last = 0;

    if (t->kind != SWQ_SOURCE_TRACE) {
        if (t->trace || t->trace_packets)
            return swq_fail(ctx, SWQ_EINVAL, "trace is for trace sources only");
        return SWQ_OK;
    }
    if (!t->trace)
        return swq_fail(ctx, SWQ_EINVAL, "trace must be given for trace sources");
    for (uint64_t p = 0; p < t->trace_packets; p++) {
        const swq_trace_packet *packet = &t->trace[p];
        uint64_t number = p + 1; /* the number of the packet's line in the trace */
        if (packet->cycle < last)
            return swq_fail(ctx, SWQ_EINVAL,
                            "cycle of trace packet %" PRIu64 " must be at least %" PRIu64
                            ", the one before it, not %" PRIu64,
                            number, last, packet->cycle);
        last = packet->cycle;
        if (packet->source >= nodes)
            return swq_fail(ctx, SWQ_EINVAL,
                            "source of trace packet %" PRIu64 " must be 0 to %" PRIu32
                            ", not %" PRIu32,
                            number, nodes - 1, packet->source);
        if (packet->destination >= nodes)
            return swq_fail(ctx, SWQ_EINVAL,
                            "destination of trace packet %" PRIu64 " must be 0 to %" PRIu32
                            ", not %" PRIu32,
                            number, nodes - 1, packet->destination);
        if (packet->high > 1)
            return swq_fail(ctx, SWQ_EINVAL,
                            "high of trace packet %" PRIu64 " must be 0 or 1, not %" PRIu32, number,
                            packet->high);
    }
    return SWQ_OK;
}

swq_status swq_traffic_check(swq_context *ctx, const swq_traffic *traffic, uint32_t nodes)
{
    if (nodes < 1)
        return swq_fail(ctx, SWQ_EINVAL, "nodes must be at least 1, not 0");
    swq_status status = check_pattern(ctx, traffic, nodes);
    if (status == SWQ_OK)
        status = check_hot_spots(ctx, traffic, nodes);
    if (status == SWQ_OK)
        status = check_source(ctx, traffic, nodes);
    if (status == SWQ_OK)
        status = check_trace(ctx, traffic, nodes);
    if (status == SWQ_OK && traffic->matrix)
        status = check_matrix(ctx, traffic, nodes);
    return status;
}
