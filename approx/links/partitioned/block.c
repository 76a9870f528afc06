/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocking networks of statically partitioned buffers. A stage is three small chains that get
 * measurements from each other: one output with its k queues, whose heads are open or blocked; one
 * buffer with a single read port (only SAMQ), likewise; and the link before one queue.
 */
#include "approx/fixed_point.h"
#include "approx/links/link.h"
#include "approx/links/partitioned/link.h"
#include "approx/links/partitioned/multisets.h"
#include "approx/links/partitioned/partitioned.h"
#include "approx/links/partitioned/weights.h"
#include "base/context.h"

#include <math.h>
#include <string.h>

enum { MOST_STATES = 1500, MOST_WITH_MEMORY = 750 };

typedef struct block_stage {
    const column_chain *column;
    link_chain link;
    link_service service;
    queue_rates rates;
    column_reading reading;
    size_t x, row, taken, link_x; /* positions of the stage's parts in the vector */
    double *send, *row_send, *gives, *free, *open;
} block_stage;

typedef struct block_model {
    const links_spec *spec;
    int stages;
    bool one_read;
    column_chain inner, last;
    block_stage stage[SWQ_MAX_STAGES];
    double *scratch, *numbers;
    size_t n;
} block_model;

static size_t places(const column_chain *c)
{
    return (size_t)c->ports * (size_t)c->shape.classes;
}

/* Measure the stages in order: links, buffers, outputs. */
static void measure(block_model *m, const double *x)
{
    for (int i = 0; i < m->stages; i++) {
        block_stage *s = &m->stage[i];
        const double *link = x + s->link_x;
        if (i > 0)
            link_serve(&s->link, &m->stage[i - 1].reading, link_full(&s->link, link), &s->service);
        link_comes(&s->link, link, &s->service, m->spec->load, &s->rates);
        if (m->one_read)
            row_serve(s->column, x + s->row, x + s->taken, s->row_send, s->gives, s->free);
        column_serve(s->column, x + s->x, m->one_read ? s->gives : NULL, s->send,
                     m->one_read ? s->open : NULL, m->scratch);
        column_read(s->column, x + s->x, s->send, &s->rates, &s->reading);
    }
}

static void read_packets(const block_model *m, const double *x, approx_reading *reading)
{
    const block_stage *first = &m->stage[0], *last = &m->stage[m->stages - 1];
    double source = link_heads(&first->link, x + first->link_x);
    double comes = link_flow(&first->link, x + first->link_x, NULL, m->spec->load);

    *reading = (approx_reading){.in = comes * m->spec->ports, .out = last->reading.sent};
    reading->packets = source;
    for (int i = 0; i < m->stages; i++)
        reading->packets += m->stage[i].reading.packets;
}

static void step(void *model, const double *x, double *next, approx_reading *reading)
{
    block_model *m = model;

    measure(m, x);
    /* the last link first, since the rivals and room that heads meet at a link determine the queues
     * before it */
    for (int i = m->stages - 1; i >= 0; i--) {
        block_stage *s = &m->stage[i];
        if (i == 0)
            source_step(&s->link, x + s->link_x, m->spec->load, &s->reading, &s->rates,
                        next + s->link_x);
        else
            link_step(&s->link, x + s->link_x, &s->service, &s[-1].reading, &s[-1].rates,
                      &s->reading, &s->rates, next + s->link_x);
        link_normalise(next + s->link_x, link_states(&s->link));
    }
    for (int i = 0; i < m->stages; i++) {
        block_stage *s = &m->stage[i];
        size_t states = column_states(s->column);
        column_step(s->column, x + s->x, s->send, &s->rates, &s->reading, next + s->x, m->scratch);
        link_normalise(next + s->x, states);
        if (!m->one_read)
            continue;
        row_step(s->column, x + s->row, s->row_send, &s->rates, next + s->row, m->scratch);
        link_normalise(next + s->row, states);
        weights_step(s->column->ports, s->column->shape.classes, s->open, s->free, x + s->taken,
                     next + s->taken);
    }
    read_packets(m, x, reading);
}

static void clear(swq_context *ctx, block_model *m)
{
    column_clear(ctx, &m->inner);
    column_clear(ctx, &m->last);
    swq_free(ctx, m->scratch);
    swq_free(ctx, m->numbers);
}

/* Queues remember whether a packet waits before their link, if the chains stay small; not with a
 * single read port, where very rare classes keep the weights from converging. */
static int memory_of(const links_spec *spec)
{
    queue_shape fine = queue_shape_of(spec->slots / spec->ports, spec->stages == 1, 2);

    if (spec->buffer.read == SWQ_READ_ONE || fine.classes > LATTICE_CLASSES)
        return 1;
    return multiset_count(spec->ports, fine.classes) <= MOST_WITH_MEMORY ? 2 : 1;
}

static swq_status init(swq_context *ctx, const links_spec *spec, block_model *m)
{
    int room = spec->slots / spec->ports;
    int memory = memory_of(spec);
    size_t numbers = 0;

    *m = (block_model){
        .spec = spec, .stages = spec->stages, .one_read = spec->buffer.read == SWQ_READ_ONE};
    swq_status status = column_init(ctx, spec->ports, queue_shape_of(room, true, memory), &m->last);
    if (!status && spec->stages > 1)
        status = column_init(ctx, spec->ports, queue_shape_of(room, false, memory), &m->inner);
    if (status)
        return status;
    for (int i = 0; i < m->stages; i++) {
        block_stage *s = &m->stage[i];
        s->column = i + 1 < m->stages ? &m->inner : &m->last;
        s->link = link_chain_of(spec->ports, s->column->shape, i == 0);
        size_t states = column_states(s->column), turns = places(s->column);
        s->x = m->n;
        s->row = s->x + states;
        s->taken = s->row + (m->one_read ? states : 0);
        s->link_x = s->taken + (m->one_read ? turns : 0);
        m->n = s->link_x + link_states(&s->link);
        numbers += 2 * states * (size_t)s->column->shape.classes + 3 * turns;
    }
    m->numbers = swq_calloc(ctx, numbers, sizeof *m->numbers);
    m->scratch =
        swq_calloc(ctx, column_scratch(m->stages > 1 ? &m->inner : &m->last), sizeof *m->scratch);
    if (!m->numbers || !m->scratch)
        return swq_memory_status(ctx);
    double *free = m->numbers;
    for (int i = 0; i < m->stages; i++) {
        block_stage *s = &m->stage[i];
        size_t turns = places(s->column),
               sends = column_states(s->column) * (size_t)s->column->shape.classes;
        s->send = free;
        s->row_send = s->send + sends;
        s->gives = s->row_send + sends;
        s->free = s->gives + turns;
        s->open = s->free + turns;
        free = s->open + turns;
    }
    return SWQ_OK;
}

static void start_empty(const block_model *m, double *x)
{
    for (int i = 0; i < m->stages; i++) {
        const block_stage *s = &m->stage[i];
        size_t empty = column_states(s->column) - 1; /* the last state: all in the first class */
        x[s->x + empty] = 1;
        x[s->link_x] = 1;
        if (!m->one_read)
            continue;
        x[s->row + empty] = 1;
        for (size_t w = 0; w < places(s->column); w++)
            x[s->taken + w] = 1;
    }
}

/* P(a buffer with packets sends none), as if queues with their own read ports were independent. */
static double blocked(const block_model *m, const block_stage *s, const double *x)
{
    const column_chain *c = s->column;
    double k = m->spec->ports, idle = 1 - s->reading.occupied;

    if (!m->one_read) {
        double silent = 1 - s->reading.sent / k, empty = pow(idle, k);
        return empty < 1 ? (pow(silent, k) - empty) / (1 - empty) : 0;
    }
    double holds = 1 - x[s->row + column_states(c) - 1];
    return holds > 0 ? 1 - s->reading.sent / holds : 0;
}

static void read_result(const block_model *m, const approx_fixed_point *f, swq_approx_result *r)
{
    int k = m->spec->ports;

    r->throughput = f->reading.out;
    r->source_queue = link_heads(&m->stage[0].link, f->x + m->stage[0].link_x);
    r->refusal = r->source_queue / (r->source_queue + r->throughput);
    r->latency = 1 + (f->reading.packets - m->stage[0].reading.sent) / r->throughput;
    for (int i = 0; i < m->stages; i++) {
        const block_stage *s = &m->stage[i];
        r->stage[i].sent = s->reading.sent;
        r->stage[i].occupancy = k * (s->reading.packets - (i == 0 ? s->reading.sent : 0));
        r->stage[i].blocked = fmax(0, blocked(m, s, f->x));
        r->stage[i].discarded = 0;
    }
    r->steps = f->steps;
    r->change = f->change;
    r->converged = f->converged;
}

swq_status partitioned_block(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    int room = spec->slots / spec->ports;
    queue_shape shape = queue_shape_of(room, spec->stages == 1, 1);

    if (room > QUEUE_ROOM || spec->ports >= LATTICE_SIZE ||
        multiset_count(spec->ports, shape.classes) > MOST_STATES)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "%d queues of %d slots for an output are too many for an approximation: "
                        "their chain has more than %d states",
                        spec->ports, room, MOST_STATES);
    block_model m;
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
