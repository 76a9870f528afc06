/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a network that is stepped, running it, and reading its counters, whatever its engine.
 */
#include "sim/live/live.h"

#include "base/context.h"

enum { SLICE = 64 /* cycles between looks at the context, and for deadlocks */ };

swq_live_options swq_live_defaults(void)
{
    return (swq_live_options){.seed = 1};
}

/* ---- beginning and end ---- */

swq_status swq_live_begin(swq_context *ctx, const swq_live_options *options, swq_live **made)
{
    swq_live *live = swq_calloc(ctx, 1, sizeof *live);

    if (!live)
        return swq_memory_status(ctx);
    live->ctx = ctx;
    live->options = *options;
    live->run = swq_sim_defaults();
    live->run.seed = options->seed;
    live->run.plain = options->plain;
    *made = live;
    return SWQ_OK;
}

swq_status swq_live_finish(swq_live *live)
{
    swq_arrays list;

    swq_live_list(live, &list);
    const swq_status status = swq_arrays_take(live->ctx, &list);
    if (status)
        return status;
    swq_tokens_begin(&live->tokens, live->token_room);
    swq_live_lay_out_state(live);
    return SWQ_OK;
}

void swq_live_close(swq_live *live)
{
    swq_arrays list;

    if (!live)
        return;
    if (live->system) {
        swq_live_list(live, &list);
        swq_arrays_free(live->ctx, &list);
    }
    if (live->engine)
        live->engine->free(live);
    swq_free(live->ctx, live->end);
    swq_free(live->ctx, live);
}

swq_context *swq_live_context(const swq_live *live)
{
    return live->ctx;
}

/* ---- running ---- */

/* Runs at most `cycles` cycles, no further than to a multiple of SLICE: one if packets are
 * followed, so that there is room for their ends. */
static swq_status step(swq_live *live, uint64_t cycles, uint64_t *done)
{
    const uint32_t cycle = live->engine->cycle(live);
    swq_status status = SWQ_OK;

    *done = 0;
    if (swq_context_cancelled(live->ctx))
        return swq_fail(live->ctx, SWQ_ECANCELLED, "cancelled in cycle %u", cycle);
    if (cycles > SLICE - cycle % SLICE)
        cycles = SLICE - cycle % SLICE;
    if (cycle + cycles > SWQ_LIVE_MOST_CYCLES)
        return swq_fail(live->ctx, SWQ_ELIMIT, "a network runs for at most %llu cycles",
                        (unsigned long long)SWQ_LIVE_MOST_CYCLES);
    if (live->options.follow) {
        status = swq_live_reserve(live, live->engine->most_ends(live));
        cycles = 1;
    }
    if (status)
        return status;
    *done = live->system->advance(live->system, cycles);
    if (live->system->look && (cycle + *done) % SLICE == 0)
        live->system->look(live->system);
    return live->engine->after ? live->engine->after(live) : SWQ_OK;
}

swq_status swq_live_advance(swq_live *live, uint64_t cycles, uint64_t *done)
{
    swq_status status = SWQ_OK;
    uint64_t all = 0, now = 1;

    while (!status && all < cycles && !live->system->drained) {
        status = step(live, cycles - all, &now);
        all += now;
    }
    if (done)
        *done = all;
    return status;
}

swq_status swq_live_set_load(swq_live *live, double load)
{
    if (!(load >= 0 && load <= 1))
        return swq_fail(live->ctx, SWQ_EINVAL, "load must be from 0 to 1, not %g", load);
    return live->engine->set_load(live, load);
}

/* ---- offers ---- */

swq_status swq_live_check_nodes(const swq_live *live, const swq_live_packet *p)
{
    const uint32_t nodes = live->system->nodes;

    if (p->from >= nodes)
        return swq_fail(live->ctx, SWQ_EINVAL, "source must be 0 to %u, not %u", nodes - 1,
                        p->from);
    if (p->to >= nodes)
        return swq_fail(live->ctx, SWQ_EINVAL, "destination must be 0 to %u, not %u", nodes - 1,
                        p->to);
    if (p->token && !live->options.follow)
        return swq_fail(live->ctx, SWQ_EINVAL, "a token needs a network that follows packets");
    return SWQ_OK;
}

static bool offer(swq_live *live, const swq_live_packet *p)
{
    const uint32_t cycle = live->engine->cycle(live);

    if (live->offered_in[p->from] == cycle + 1 || live->engine->is_full(live, p->from))
        return false;
    live->engine->take(live, p);
    live->offered_in[p->from] = cycle + 1;
    live->offered++;
    if (live->token_room)
        swq_tokens_put(&live->tokens, p->from, cycle, p->token);
    return true;
}

swq_status swq_live_offer(swq_live *live, const swq_live_packet *packet, size_t packets,
                          bool *taken)
{
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < packets && !status; k++)
        status = live->engine->check_offer(live, &packet[k]);
    for (size_t k = 0; k < packets && !status; k++)
        taken[k] = offer(live, &packet[k]);
    return status;
}

/* ---- reading ---- */

void swq_live_read(const swq_live *live, swq_live_counts *counts)
{
    const swq_system *s = live->system;

    *counts = (swq_live_counts){.cycles = live->engine->cycle(live),
                                .created = s->created,
                                .offered = live->offered,
                                .sent = s->created - s->waiting,
                                .delivered = s->delivered,
                                .lost = s->discarded,
                                .waiting = s->waiting,
                                .packet_hops = s->hops,
                                .deadlock = s->stuck};
    for (int k = 0; k < s->levels; k++)
        counts->inside += s->inside[k];
    for (int cell = 0; cell < s->cells; cell++) {
        const uint64_t *count = s->tally + swq_tally_cell(s->levels, cell);
        counts->latency_cycles += count[SWQ_CELL_LATENCY];
        counts->refused += count[SWQ_CELL_DISCARDED];
    }
}

swq_live_shape swq_live_shape_of(const swq_live *live)
{
    return live->engine->shape(live);
}

void swq_live_occupancy(const swq_live *live, uint32_t *held)
{
    live->engine->occupancy(live, held);
}

void swq_live_waiting(const swq_live *live, uint64_t *packets)
{
    for (uint32_t i = 0; i < live->system->nodes; i++)
        packets[i] = live->engine->waiting(live, i);
}
