/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discarding networks of statically partitioned buffers: no stage affects an earlier one, so the
 * stages are approximated one after the other. A stage is the chain of one output (exact for SAFC),
 * for SAMQ together with the chain of one buffer: each tells the other which events its queues
 * meet. A stage passes on its rate, and how often a link that carries a packet carries another in
 * the next cycle.
 */
#include "approx/fixed_point.h"
#include "approx/links/link.h"
#include "approx/links/partitioned/buffers.h"
#include "approx/links/partitioned/outputs.h"
#include "approx/links/partitioned/partitioned.h"
#include "approx/links/partitioned/weights.h"
#include "base/context.h"

#include <math.h>
#include <string.h>

/* Most states of a chain of one output; fewer with the memory of links, which is only a
 * correction. */
enum { MOST_STATES = 6000, MOST_WITH_MEMORY = 1500 };

typedef struct stage_chain {
    bool one_read; /* SAMQ */
    outputs_chain outputs;
    buffers_chain buffers;
    double *gives, *free, *open, *scratch, *after;
    totals_flow output_totals, buffer_totals;
    outputs_reading output;
    buffers_reading buffer;
} stage_chain;

static size_t places(const stage_chain *s)
{
    return (size_t)s->outputs.ports * (size_t)s->outputs.lengths;
}

/* The size of x: the distribution of the outputs; for SAMQ also that of the buffers, and the
 * weights of taken outputs. */
static size_t size_of(const stage_chain *s)
{
    return s->outputs.states + (s->one_read ? s->buffers.states + places(s) : 0);
}

static void step(void *model, const double *x, double *next, approx_reading *reading)
{
    stage_chain *s = model;
    size_t outputs = s->outputs.states, buffers = s->buffers.states;

    if (s->one_read) {
        const double *taken = x + outputs + buffers;
        buffers_step(&s->buffers, x + outputs, taken, next + outputs, s->gives, s->free, s->after,
                     &s->buffer_totals, &s->buffer);
        outputs_step(&s->outputs, x, s->gives, next, s->open, s->scratch, &s->output_totals,
                     &s->output);
        weights_step(s->outputs.ports, s->outputs.lengths, s->open, s->free, taken,
                     next + outputs + buffers);
    } else {
        outputs_step(&s->outputs, x, NULL, next, NULL, s->scratch, &s->output_totals, &s->output);
    }
    double sum = 0;
    for (size_t i = 0; i < outputs; i++)
        sum += x[i];
    s->output.sent /= sum, s->output.sent_twice /= sum, s->output.accepted /= sum;
    s->output.packets /= sum, s->output.idle_queue /= sum, s->output.kept_queue /= sum;
    link_normalise(next, outputs);
    if (s->one_read)
        link_normalise(next + outputs, buffers);
    *reading = (approx_reading){s->output.accepted, s->output.sent, s->output.packets};
}

static void clear(swq_context *ctx, stage_chain *s)
{
    outputs_clear(ctx, &s->outputs);
    buffers_clear(ctx, &s->buffers);
    totals_clear(ctx, &s->output_totals);
    totals_clear(ctx, &s->buffer_totals);
    swq_free(ctx, s->gives);
    swq_free(ctx, s->scratch);
    swq_free(ctx, s->after);
}

static swq_status init(swq_context *ctx, const links_spec *spec, outputs_link link, stage_chain *s)
{
    int room = spec->slots / spec->ports;

    if (outputs_states(spec->ports, room, 2) > MOST_WITH_MEMORY || link.rate >= 1)
        link.again = link.rate;
    swq_status status = outputs_init(ctx, spec->ports, room, link, &s->outputs);
    if (!status && s->one_read)
        status = buffers_init(ctx, spec->ports, room, link, &s->buffers);
    const int most = spec->ports * room;
    status = status ? status : totals_init(ctx, most, spec->ports, &s->output_totals);
    status = status ? status : totals_init(ctx, most, 1, &s->buffer_totals);
    if (status)
        return status;
    s->gives = swq_calloc(ctx, 3 * places(s), sizeof *s->gives);
    s->scratch = swq_calloc(ctx, outputs_scratch(&s->outputs), sizeof *s->scratch);
    s->after = swq_calloc(ctx, s->buffers.states + 1, sizeof *s->after);
    if (!s->gives || !s->scratch || !s->after)
        return swq_memory_status(ctx);
    s->free = s->gives + places(s);
    s->open = s->free + places(s);
    return SWQ_OK;
}

/* Find the fixed point of one stage alone. */
static swq_status settle(swq_context *ctx, stage_chain *s, swq_approx_result *result)
{
    approx_fixed_point f = {.n = size_of(s), .step = step, .model = s};

    f.x = swq_calloc(ctx, f.n, sizeof *f.x);
    if (!f.x)
        return swq_memory_status(ctx);
    /* all empty: the last state, with all queues in the first class */
    f.x[s->outputs.states - 1] = 1;
    if (s->one_read) {
        f.x[s->outputs.states + s->buffers.states - 1] = 1;
        for (size_t i = 0; i < places(s); i++)
            f.x[s->outputs.states + s->buffers.states + i] = 1;
    }
    swq_status status = approx_fixed_point_find(ctx, &f);
    result->steps += f.steps;
    result->change = fmax(result->change, f.change);
    swq_free(ctx, f.x);
    return status;
}

/* P(a buffer with packets sends none); its queues are taken to be independent where each has a read
 * port. */
static double blocked(const stage_chain *s)
{
    if (s->one_read)
        return s->buffer.blocked;
    double idle = s->output.idle_queue, k = s->outputs.ports;
    double empty = pow(idle, k), silent = pow(idle + s->output.kept_queue, k);
    return empty < 1 ? (silent - empty) / (1 - empty) : 0;
}

static void read_stage(const stage_chain *s, double offered, bool first, swq_approx_stage *stage)
{
    const outputs_reading *o = &s->output;

    stage->sent = o->sent;
    stage->occupancy = s->outputs.ports * (o->packets - (first ? o->sent : 0));
    stage->discarded = offered > 0 ? fmax(0, 1 - o->accepted / offered) : 0;
    stage->blocked = blocked(s);
}

swq_status partitioned_discard(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    int room = spec->slots / spec->ports;
    size_t states = outputs_states(spec->ports, room, 1);
    outputs_link link = {spec->load, spec->load};
    swq_status status = SWQ_OK;

    if (states > MOST_STATES)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "%d queues of %d slots for an output are too many for an approximation: "
                        "their chain has more than %d states",
                        spec->ports, room, MOST_STATES);
    result->converged = true;
    result->latency = 1;
    for (int i = 0; i < spec->stages && !status; i++) {
        stage_chain s = {.one_read = spec->buffer.read == SWQ_READ_ONE};
        status = init(ctx, spec, link, &s);
        if (!status)
            status = settle(ctx, &s, result);
        if (!status || status == SWQ_ECONVERGE) {
            read_stage(&s, link.rate, i == 0, &result->stage[i]);
            result->latency += result->stage[i].occupancy / (spec->ports * s.output.sent);
            link.rate = s.output.sent;
            link.again = s.output.sent > 0 ? s.output.sent_twice / s.output.sent : 0;
        }
        clear(ctx, &s);
    }
    if (status && status != SWQ_ECONVERGE)
        return status;
    result->converged = !status;
    result->throughput = link.rate;
    result->discard_fraction = spec->load > 0 ? 1 - link.rate / spec->load : 0;
    return status;
}
