/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input buffers whose slots are shared by queues per output: DAMQ, DAFC. The network's state is one
 * vector: for each stage the distributions of a buffer and of a column, and the weights with which
 * each is measured in the other.
 */
#include "approx/fixed_point.h"
#include "approx/links/shared/stage.h"
#include "base/context.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Most numbers in the state, and most products in a step; larger networks are refused. */
#define MOST_STATE 1e6

/* The number of a link's marks, and of marks that are one packet apart. More marks change results
 * by less than 0.1%. */
enum { MARKS = 12, FINE_MARKS = 8 };
#define WIDENING 1.5

typedef struct shared_model {
    const links_spec *spec;
    shared_shape shape;
    int from, until;               /* the stages whose fixed point is being sought */
    size_t at[SWQ_MAX_STAGES + 1]; /* offsets at which the numbers of each stage begin and end */
    shared_rates *rates;           /* [stages] */
    double *scratch;
    shared_link source;
} shared_model;

static int marks_of(const shared_model *m, int stage)
{
    if (stage == 0)
        return m->spec->discard ? 1 : 2;
    return m->shape.mark_of[m->shape.slots * m->shape.ports] + 1;
}

/* The parts of stage number `stage` among the stages sought now, whose numbers begin at x. */
static shared_part part_of(const shared_model *m, double *x, int stage)
{
    const shared_shape *s = &m->shape;
    double *at = x + (m->at[m->from + stage] - m->at[m->from]);
    size_t lengths = (size_t)s->slots + 1;
    shared_part part = {.column = at};

    at += lengths * (size_t)(s->rest + 1) * (size_t)s->levels;
    part.weight = at;
    at += lengths;
    part.free = at;
    at += lengths * (size_t)s->ports;
    part.chosen = at;
    at += lengths * (size_t)s->ports;
    part.scale = at++;
    part.buffer = at;
    return part;
}

static void step(void *model, const double *x, double *next, approx_reading *reading)
{
    shared_model *m = model;
    int stages = m->until - m->from;
    shared_rates *rates = m->rates + m->from;
    shared_part now[SWQ_MAX_STAGES], then[SWQ_MAX_STAGES];

    memset(next, 0, sizeof *next * (m->at[m->until] - m->at[m->from]));
    for (int s = 0; s < stages; s++) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): what is only read, read through the same
        now[s] = part_of(m, (double *)(uintptr_t)x, s);
        then[s] = part_of(m, next, s);
        shared_rivals(&m->shape, &now[s], &rates[s]);
        shared_visits(&m->shape, &now[s], &rates[s], &then[s]);
    }
    reading->packets = 0;
    for (int s = 0; s < stages; s++) {
        const shared_room *room = s + 1 < stages ? &rates[s + 1].room : NULL;
        const shared_link *link = m->from + s > 0 ? &m->rates[m->from + s - 1].link : &m->source;
        shared_arrivals(&m->shape, link, &rates[s], &then[s]);
        shared_column(&m->shape, &now[s], room, &rates[s], &then[s]);
        reading->packets += rates[s].packets;
    }
    reading->in = rates[0].offered - rates[0].refused;
    reading->out = rates[stages - 1].throughput;
}

/* Describe a source: it holds a packet until the packet is taken (mark 1), or each packet is taken
 * or lost at once. */
static void describe_source(shared_model *m)
{
    double load = m->spec->load;
    shared_link *link = &m->source;

    link->marks = m->spec->discard ? 1 : 2;
    link->last[0] = link->last[1] = link->marks - 1;
    for (int c = 0; c < m->shape.levels; c++) {
        bool open = c > 0 || m->spec->discard;
        link->idle[c][0][0] = 1 - load;
        if (open)
            link->sends[c][0][0] = load;
        else
            link->idle[c][0][1] = load;
        if (!m->spec->discard && open)
            link->sends[c][1][0] = 1;
        else if (!m->spec->discard)
            link->idle[c][1][1] = 1;
    }
}

static void empty_stage(const shared_model *m, int stage, double *x)
{
    const shared_shape *s = &m->shape;
    shared_part p = part_of(m, x, stage);

    p.column[s->levels - 1] = 1;
    for (int l = 0; l <= s->slots; l++)
        p.weight[l] = pow(0.5, l + 1);
    for (int q = 0; q < s->ports; q++) {
        p.buffer[q * marks_of(m, m->from + stage)] = 1.0 / s->ports;
        for (int l = 1; l <= s->slots; l++)
            p.free[q * (s->slots + 1) + l] = p.chosen[q * (s->slots + 1) + l] = pow(0.1, l);
    }
    p.scale[0] = 1;
}

/* Marks are one packet apart for short columns, and further and further apart for longer ones. */
static void mark_columns(shared_shape *s)
{
    double width = 1;

    for (int n = 0, mark = 0, from = 0; n <= s->ports * s->slots; n++) {
        if (n >= from + (int)(width + 0.5) && mark + 1 < MARKS) {
            mark++;
            from = n;
            width *= mark >= FINE_MARKS ? WIDENING : 1;
        }
        s->mark_of[n] = mark;
    }
}

static swq_status prepare_rates(swq_context *ctx, shared_model *m)
{
    const shared_shape *s = &m->shape;
    size_t lengths = (size_t)s->slots + 1, stride = (size_t)(s->rest + s->slots) + 1;
    size_t marked = lengths * (size_t)s->levels * SHARED_MARKS, ports = (size_t)s->ports;
    size_t after = (size_t)s->levels * (size_t)s->contents.count * ports * SHARED_MARKS;
    size_t size = after + lengths * (2 * ports + 5) + 2 * marked + stride * (2 + 2 * ports) +
                  2 * stride * (ports + 2);

    m->scratch = swq_calloc(ctx, size * (size_t)m->spec->stages, sizeof *m->scratch);
    m->rates = swq_calloc(ctx, (size_t)m->spec->stages, sizeof *m->rates);
    if (!m->scratch || !m->rates)
        return swq_memory_status(ctx);
    for (int i = 0; i < m->spec->stages; i++) {
        shared_rates *r = &m->rates[i];
        double *at = m->scratch + size * (size_t)i;
        r->marks = marks_of(m, i);
        r->after = at, at += after;
        r->pick = at, at += lengths * ports;
        r->taken = at, at += lengths * ports;
        r->length = at, at += lengths;
        r->own = at, at += lengths;
        r->all = at, at += lengths;
        r->joins_own = at, at += lengths;
        r->joins_other = at, at += lengths;
        r->own_room = at, at += marked;
        r->all_room = at, at += marked;
        r->spread = at, at += stride;
        r->work = at, at += stride;
        r->free = at, at += stride * ports;
        r->unsent = at, at += stride * ports;
        r->arrivals = at, at += stride * (ports + 2);
        r->work2 = at;
    }
    return SWQ_OK;
}

static bool limited(const swq_buffer *b)
{
    return b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0;
}

/* The size of a stage's part of the state. */
static size_t size_of(const shared_model *m, int stage)
{
    const shared_shape *s = &m->shape;
    size_t lengths = (size_t)s->slots + 1, ports = (size_t)s->ports;

    return lengths * (size_t)(s->rest + 1) * (size_t)s->levels + lengths * (2 * ports + 1) + 1 +
           (size_t)shared_contents_count(s->ports, s->slots) * ports * (size_t)marks_of(m, stage);
}

static swq_status prepare(swq_context *ctx, const links_spec *spec, shared_model *m)
{
    shared_shape *s = &m->shape;
    double states = shared_contents_count(spec->ports, spec->slots) * spec->ports * SHARED_MARKS +
                    (double)(spec->slots + 1) * spec->slots * spec->ports * SHARED_LEVELS;

    if (spec->ports > SHARED_PORTS || spec->slots >= 512 || states * spec->stages > MOST_STATE)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "%d ports with %d slots each: a buffer has too many contents to go through",
                        spec->ports, spec->slots);
    if (!spec->discard && limited(&spec->buffer))
        return swq_fail(ctx, SWQ_EINVAL,
                        "limits of queues (queue-max, alpha) and flow block: a full queue would "
                        "close its buffer's "
                        "link for some packets only");
    *m = (shared_model){.spec = spec};
    s->ports = spec->ports;
    s->slots = spec->slots;
    s->rest = (spec->ports - 1) * spec->slots;
    s->discard = spec->discard;
    s->each = spec->buffer.read == SWQ_READ_EACH_QUEUE;
    s->levels = spec->discard ? 1 : spec->slots > 1 ? 3 : 2;
    s->mark_of = swq_calloc(ctx, (size_t)(spec->ports * spec->slots) + 1, sizeof *s->mark_of);
    if (!s->mark_of)
        return swq_memory_status(ctx);
    mark_columns(s);
    describe_source(m);
    for (int i = 0; i < spec->stages; i++)
        m->at[i + 1] = m->at[i] + size_of(m, i);
    swq_status status =
        shared_contents_init(ctx, spec->ports, spec->slots, &spec->buffer, &s->contents);
    return status ? status : prepare_rates(ctx, m);
}

static void clear(swq_context *ctx, shared_model *m)
{
    shared_contents_clear(ctx, &m->shape.contents);
    swq_free(ctx, m->shape.mark_of);
    swq_free(ctx, m->rates);
    swq_free(ctx, m->scratch);
}

/* Little's law stage by stage: packets that are lost later have waited here too. */
static void report(const shared_model *m, double *x, const approx_fixed_point *f,
                   swq_approx_result *result)
{
    int ports = m->shape.ports, stages = m->spec->stages;
    shared_part first = part_of(m, x, 0);
    double source = 0, latency = 0;

    for (int i = 0; !m->spec->discard && i < m->shape.contents.count * ports; i++)
        source += first.buffer[i * 2 + 1];
    for (int s = 0; s < stages; s++) {
        const shared_rates *r = &m->rates[s];
        double joined = s > 0 ? r->offered - r->refused : 0;
        latency += 1 + r->packets / r->throughput;
        result->stage[s] = (swq_approx_stage){
            .occupancy = ports * (r->packets + joined),
            .sent = r->throughput,
            .blocked = r->busy > 0 ? r->stuck / r->busy : 0,
            .discarded = r->offered > 0 && m->spec->discard ? r->refused / r->offered : 0};
    }
    result->throughput = m->rates[stages - 1].throughput;
    result->latency = result->throughput > 0 ? latency + source / result->throughput : NAN;
    if (m->spec->discard) {
        result->discard_fraction = m->spec->load > 0 ? 1 - result->throughput / m->spec->load : 0;
    } else {
        double offers = m->rates[0].offered + source;
        result->source_queue = source;
        result->refusal = offers > 0 ? source / offers : 0;
    }
    result->steps = f->steps;
    result->change = f->change;
    result->converged = f->converged;
}

/* Find the fixed point: of all stages together where full buffers hold up the stages before; where
 * packets are lost, no stage affects an earlier one, and stages are found one after the other,
 * beginning with the result for the stage before.
 */
static swq_status find(swq_context *ctx, shared_model *m, double *x, approx_fixed_point *f)
{
    assert(m->spec);
    int stages = m->spec->stages, count = m->spec->discard ? 1 : stages, steps = 0;
    swq_status status = SWQ_OK;

    for (m->from = 0; !status && m->from < stages; m->from = m->until) {
        double *begin = x + m->at[m->from];
        m->until = m->from + count;
        size_t n = m->at[m->until] - m->at[m->from];
        if (m->from >= 2)
            memcpy(begin, begin - n, sizeof *x * n);
        for (int s = 0; m->from < 2 && s < count; s++)
            empty_stage(m, s, begin);
        *f = (approx_fixed_point){.n = n, .x = begin, .step = step, .model = m};
        status = approx_fixed_point_find(ctx, f);
        steps += f->steps;
    }
    f->steps = steps;
    return status;
}

swq_status links_shared(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    shared_model m = {0};
    approx_fixed_point f = {0};
    double *x = NULL;
    swq_status status = prepare(ctx, spec, &m);

    if (!status) {
        x = swq_calloc(ctx, m.at[spec->stages], sizeof *x);
        status = x ? find(ctx, &m, x, &f) : swq_memory_status(ctx);
    }
    if (x && (!status || (status == SWQ_ECONVERGE && m.from >= spec->stages)))
        report(&m, x, &f, result);
    swq_free(ctx, x);
    clear(ctx, &m);
    return status;
}
