/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocking networks of statically partitioned buffers, by the heads that meet. A stage is two
 * chains: one queue, with the heads before it and the heads that its own head meets; and all heads
 * that meet at an output. The chains overlap in (heads, room) at both ends of a link, and each
 * takes from the other the measurements that it cannot make itself.
 */
#include "approx/fixed_point.h"
#include "approx/links/link.h"
#include "approx/links/partitioned/partitioned.h"
#include "approx/links/partitioned/reads.h"
#include "base/context.h"

#include <math.h>
#include <string.h>

enum { MOST_STATES = 1500 };

typedef struct heads_stage {
    chain_shape shape;
    const heads_chain *heads;
    chain_tally tally;
    heads_moves moves;
    heads_reading ahead;
    double shares[CHAIN_MOST_ROOM + 1];
    reads reads; /* with one read port for all queues of a buffer */
    size_t at, heads_at, row, taken;
} heads_stage;

typedef struct heads_model {
    const links_spec *spec;
    int stages;
    heads_chain inner, last;
    heads_stage *stage;
    bool one_read;
    column_chain inner_row, last_row;
    double *work, *scratch, *numbers;
    size_t n;
} heads_model;

static void measure(heads_model *m, const double *x)
{
    for (int i = 0; i < m->stages; i++) {
        heads_stage *s = &m->stage[i];
        if (m->one_read)
            reads_serve(&s->reads, x + s->row, x + s->taken, &s->shape, x + s->at, s->heads,
                        x + s->heads_at, &s->moves, s->shares);
        chain_share(&s->shape, x + s->at, s->shares, &s->tally);
        memcpy(s->moves.share, s->tally.share, sizeof s->moves.share);
        heads_serve(s->heads, &s->moves, x + s->heads_at, &s->ahead);
        chain_scale(&s->shape, x + s->at, s->shares, &s->ahead, &s->tally);
    }
    for (int i = 0; i < m->stages; i++) {
        heads_stage *s = &m->stage[i];
        chain_read(&s->shape, x + s->at, s->shares, i ? &s[-1].ahead : NULL, &s->tally);
    }
    for (int i = 0; i < m->stages; i++) {
        heads_stage *s = &m->stage[i];
        s->moves.arrives = s->tally.arrives;
        memcpy(s->moves.follows, s->tally.follows, sizeof s->moves.follows);
        if (i + 1 < m->stages)
            memcpy(s->moves.frees, s[1].tally.frees, sizeof s->moves.frees);
        heads_read(s->heads, &s->moves, x + s->heads_at, &s->ahead);
    }
}

/* The rates of the events that the row's queues meet. */
static queue_rates rates_of(const heads_stage *s, const chain_heads *fates)
{
    queue_rates r = {.after_win = fates->after_win,
                     .after_empty = fates->after_empty,
                     .closes = fates->closes,
                     .opens = fates->opens};
    const queue_shape *q = &s->reads.row->shape;

    for (int a = 0; a < q->classes; a++)
        r.comes[a] = s->tally.comes[queue_length(q, a)][a > 0 && !queue_open(q, a)];
    return r;
}

static void step(void *data, const double *x, double *next, approx_reading *reading)
{
    heads_model *m = data;
    int k = m->spec->ports;

    measure(m, x);
    *reading = (approx_reading){.in = k * m->stage[0].tally.accepted,
                                .out = k * m->stage[m->stages - 1].tally.sent,
                                .packets = m->stage[0].tally.waiting};
    for (int i = 0; i < m->stages; i++) {
        heads_stage *s = &m->stage[i];
        chain_heads fates;
        reading->packets += k * s->tally.packets;
        heads_step(s->heads, &s->moves, x + s->heads_at, next + s->heads_at, m->work, &s->ahead);
        chain_step(&s->shape, x + s->at, s->shares, i ? &s[-1].ahead : NULL, &s->ahead, &s->tally,
                   i + 1 < m->stages ? &s[1].tally : NULL, next + s->at, &fates);
        if (!m->one_read)
            continue;
        queue_rates rates = rates_of(s, &fates);
        reads_step(&s->reads, x + s->row, x + s->taken, &s->shape, x + s->at, s->heads,
                   x + s->heads_at, &rates, next + s->row, next + s->taken, m->scratch);
    }
}

static void clear(swq_context *ctx, heads_model *m)
{
    heads_clear(ctx, &m->inner);
    heads_clear(ctx, &m->last);
    column_clear(ctx, &m->inner_row);
    column_clear(ctx, &m->last_row);
    swq_free(ctx, m->scratch);
    swq_free(ctx, m->numbers);
    swq_free(ctx, m->stage);
    swq_free(ctx, m->work);
}

/* Only if the levels distinguish every room. In longer queues, the lengths matter more than the
 * rivals and room of heads, and the chain of an output's queues has all lengths. */
bool partitioned_heads_fit(const links_spec *spec)
{
    int room = spec->slots / spec->ports;

    return spec->ports <= HEADS_MOST_PORTS && room < HEADS_MOST_LEVELS &&
           heads_states(spec->ports, spec->ports, room + 1, MOST_STATES) <= MOST_STATES;
}

static swq_status init_rows(swq_context *ctx, heads_model *m)
{
    int k = m->spec->ports, room = m->spec->slots / k;
    size_t numbers = 0;
    swq_status status = column_init(ctx, k, queue_shape_of(room, true, 1), &m->last_row);

    if (!status && m->stages > 1)
        status = column_init(ctx, k, queue_shape_of(room, false, 1), &m->inner_row);
    if (status)
        return status;
    for (int i = 0; i < m->stages; i++)
        numbers += reads_numbers(i + 1 < m->stages ? &m->inner_row : &m->last_row);
    m->numbers = swq_calloc(ctx, numbers, sizeof *m->numbers);
    m->scratch = swq_calloc(ctx, column_scratch(m->stages > 1 ? &m->inner_row : &m->last_row),
                            sizeof *m->scratch);
    if (!m->numbers || !m->scratch)
        return swq_memory_status(ctx);
    numbers = 0;
    for (int i = 0; i < m->stages; i++) {
        heads_stage *s = &m->stage[i];
        reads_place(&s->reads, i + 1 < m->stages ? &m->inner_row : &m->last_row,
                    m->numbers + numbers);
        numbers += reads_numbers(s->reads.row);
        s->row = m->n;
        s->taken = s->row + column_states(s->reads.row);
        m->n = s->taken + (size_t)k * (size_t)s->reads.row->shape.classes;
    }
    return SWQ_OK;
}

static swq_status init(swq_context *ctx, const links_spec *spec, heads_model *m)
{
    int k = spec->ports, levels = spec->slots / k + 1;

    *m = (heads_model){
        .spec = spec, .stages = spec->stages, .one_read = spec->buffer.read == SWQ_READ_ONE};
    swq_status status = heads_init(ctx, k, 1, 1, &m->last);
    if (!status && m->stages > 1)
        status = heads_init(ctx, k, k, levels, &m->inner);
    if (status)
        return status;
    m->stage = swq_calloc(ctx, (size_t)m->stages, sizeof *m->stage);
    m->work = swq_calloc(ctx, heads_work(&m->last) + heads_work(&m->inner), sizeof *m->work);
    if (!m->stage || !m->work)
        return swq_memory_status(ctx);
    for (int i = 0; i < m->stages; i++) {
        heads_stage *s = &m->stage[i];
        bool last = i + 1 == m->stages;
        s->heads = last ? &m->last : &m->inner;
        s->shape = (chain_shape){.ports = k,
                                 .room = spec->slots / k,
                                 .before = i ? k : 2,
                                 .levels = levels,
                                 .ahead = last ? 1 : levels,
                                 .load = spec->load};
        s->at = m->n;
        s->heads_at = s->at + chain_states(&s->shape);
        m->n = s->heads_at + (size_t)s->heads->states;
        for (int n = 0; n <= CHAIN_MOST_ROOM; n++)
            s->shares[n] = 1;
        s->moves.mean_share = 1;
        for (int o = 0; o <= k; o++)
            s->moves.sends[o] = o > 0;
    }
    return m->one_read ? init_rows(ctx, m) : SWQ_OK;
}

static void start_empty(const heads_model *m, double *x)
{
    for (int i = 0; i < m->stages; i++) {
        const heads_stage *s = &m->stage[i];
        x[s->at] = 1;
        x[s->heads_at + (size_t)s->heads->empty] = 1;
        if (!m->one_read)
            continue;
        const column_chain *row = s->reads.row;
        x[s->row + column_states(row) - 1] = 1; /* the last state: all empty */
        for (int w = 0; w < row->ports * row->shape.classes; w++)
            x[s->taken + (size_t)w] = 1;
    }
}

static void read_result(const heads_model *m, const approx_fixed_point *f, swq_approx_result *r)
{
    int k = m->spec->ports;

    r->throughput = f->reading.out;
    r->source_queue = m->stage[0].tally.waiting;
    r->refusal = r->source_queue / (r->source_queue + r->throughput);
    r->latency = 1 + (f->reading.packets - k * m->stage[0].tally.sent) / r->throughput;
    for (int i = 0; i < m->stages; i++) {
        const chain_tally *t = &m->stage[i].tally;
        double silent = 1 - t->sent, empty = pow(1 - t->occupied, k);
        r->stage[i].sent = k * t->sent;
        r->stage[i].occupancy = k * k * (t->packets - (i == 0 ? t->sent : 0));
        /* as if the queues of a buffer were independent */
        r->stage[i].blocked = empty < 1 ? fmax(0, (pow(silent, k) - empty) / (1 - empty)) : 0;
        r->stage[i].discarded = 0;
    }
    r->steps = f->steps;
    r->change = f->change;
    r->converged = f->converged;
}

swq_status partitioned_heads_block(swq_context *ctx, const links_spec *spec,
                                   swq_approx_result *result)
{
    heads_model m;
    swq_status status = init(ctx, spec, &m);
    approx_fixed_point f = {.n = m.n, .step = step, .model = &m};

    if (!status && !(f.x = swq_calloc(ctx, f.n, sizeof *f.x)))
        status = swq_memory_status(ctx);
    if (!status) {
        start_empty(&m, f.x);
        status = approx_fixed_point_find(ctx, &f);
        if (!status || status == SWQ_ECONVERGE)
            read_result(&m, &f, result);
    }
    swq_free(ctx, f.x);
    clear(ctx, &m);
    return status;
}
