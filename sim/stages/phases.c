/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic that changes with time, as a trace. A source's packet in a cycle is a function of the
 * seed, the source and the cycle, so that a phase can be changed without changing the packets of
 * earlier phases.
 */
#include "base/context.h"
#include "sim/stream.h"
#include "switchq/record.h"

#include <math.h>

enum { MOST_CYCLES = 10000000 };

static swq_status check(swq_context *ctx, const swq_phase *phase, int phases, uint32_t nodes,
                        uint64_t cycles)
{
    if (nodes < 1 || nodes > SWQ_MAX_NODES)
        return swq_fail(ctx, SWQ_EINVAL, "nodes must be 1 to %d, not %u", SWQ_MAX_NODES, nodes);
    if (cycles < 1 || cycles > MOST_CYCLES)
        return swq_fail(ctx, SWQ_EINVAL, "cycles must be 1 to %d, not %llu", MOST_CYCLES,
                        (unsigned long long)cycles);
    if (phases < 1)
        return swq_fail(ctx, SWQ_EINVAL, "phases must be at least 1, not %d", phases);
    for (int p = 0; p < phases; p++) {
        if (p == 0 ? phase[p].from != 0 : phase[p].from <= phase[p - 1].from)
            return swq_fail(ctx, SWQ_EINVAL, "from of phase %d must be %s, not %llu", p,
                            p == 0 ? "0" : "after that of the phase before",
                            (unsigned long long)phase[p].from);
        if (!(phase[p].load >= 0 && phase[p].load <= 1))
            return swq_fail(ctx, SWQ_EINVAL, "load of phase %d must be 0 to 1, not %g", p,
                            phase[p].load);
        if (!(phase[p].fraction >= 0 && phase[p].fraction <= 1))
            return swq_fail(ctx, SWQ_EINVAL, "fraction of phase %d must be 0 to 1, not %g", p,
                            phase[p].fraction);
        if (phase[p].hot >= nodes)
            return swq_fail(ctx, SWQ_EINVAL, "hot of phase %d must be a node, 0 to %u, not %u", p,
                            nodes - 1, phase[p].hot);
    }
    return SWQ_OK;
}

/* A probability as a threshold for 32-bit words. */
static uint64_t threshold(double probability)
{
    return (uint64_t)llround(probability * 0x1p32);
}

/* The packets of all sources, written to `out` unless it is NULL; returns their number. */
static uint64_t draw(const swq_phase *phase, int phases, uint32_t nodes, uint64_t cycles,
                     const swq_streams *streams, swq_trace_packet *out)
{
    uint64_t packets = 0;
    int p = 0;

    for (uint64_t t = 0; t < cycles; t++) {
        while (p + 1 < phases && phase[p + 1].from <= t)
            p++;
        const uint64_t create = threshold(phase[p].load), hot = threshold(phase[p].fraction);
        for (uint32_t i = 0; i < nodes; i++) {
            swq_words w = swq_stream_words(streams, SWQ_STREAM_PACKET, i, t);
            if (w.v[0] >= create)
                continue;
            if (out)
                out[packets] = (swq_trace_packet){
                    .cycle = t,
                    .source = i,
                    .destination = w.v[1] < hot ? phase[p].hot : swq_word_below(w.v[2], nodes),
                };
            packets++;
        }
    }
    return packets;
}

swq_status swq_trace_of_phases(swq_context *ctx, const swq_phase *phase, int phases, uint32_t nodes,
                               uint64_t cycles, uint64_t seed, swq_trace_packet **trace,
                               uint64_t *packets)
{
    swq_streams streams = swq_streams_of(seed, 0);
    swq_status status = check(ctx, phase, phases, nodes, cycles);
    if (status)
        return status;
    uint64_t count = draw(phase, phases, nodes, cycles, &streams, NULL);
    swq_trace_packet *made = swq_calloc(ctx, count ? count : 1, sizeof *made);
    if (!made)
        return swq_memory_status(ctx);
    draw(phase, phases, nodes, cycles, &streams, made);
    *trace = made;
    *packets = count;
    return SWQ_OK;
}

void swq_trace_free(swq_context *ctx, swq_trace_packet *trace)
{
    swq_free(ctx, trace);
}
