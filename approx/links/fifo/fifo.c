/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of FIFO buffers: one chain of a buffer and one of a switch's heads for each stage. Each
 * chain takes measurements from the other, until they agree.
 */
#include "approx/fixed_point.h"
#include "approx/links/fifo/chain.h"
#include "approx/links/link.h"
#include "base/context.h"

#include <math.h>
#include <string.h>

/* The heads' chain is to remember which outputs are closed where slots are single: there a link is
 * closed in every cycle after it has carried a packet. For more slots this would gain 0.5% with
 * thirty times the states; with more ports there are too many states. */
enum { REMEMBER_PORTS = 6 };

typedef struct fifo_stage {
    fifo_shape shape;
    fifo_tally tally;
    fifo_feed feed;
    fifo_link link; /* the link to the next stage */
    const fifo_heads *heads;
    /* positions in the vector: of the stage's chain, and of the chain of its heads */
    size_t at, heads_at;
} fifo_stage;

typedef struct fifo_model {
    const links_spec *spec;
    fifo_heads plain, remember; /* chains of heads without and with room (if needed) */
    /* [stages + 1]: [stages + 1]; the last one is the sinks, of which only u is known */
    fifo_stage *stage;
    double *work;
    approx_lumps lengths;
    size_t n;
} fifo_model;

static double mass_at(const fifo_shape *s, const double *at, int u, int n)
{
    const double *both = at + 2 * (u * (s->slots + 1) + n);

    return both[0] + both[1];
}

/* Measure the transitions of the heads before a link, most of which the chain of the buffer behind
 * the link contains. */
static void measure_moves(fifo_stage *s, const fifo_shape *to, const double *at)
{
    fifo_moves *moves = &s->link.moves;

    for (int u = 0; u <= to->ports; u++) {
        double all = 0, open = 0;
        for (int n = 0; n <= to->slots; n++) {
            all += mass_at(to, at, u, n);
            open += to->discard || n < to->slots ? mass_at(to, at, u, n) : 0;
        }
        moves->open[u] = all > 0 ? open / all : 1;
        moves->follows[u] = s->tally.won[u] > 0 ? s->tally.next[u] / s->tally.won[u] : 1;
    }
    moves->arrives = s->tally.arrives;
}

/* Turn counts into probabilities; if nothing was counted, the outcome `otherwise` is certain. */
static void share_out(double *row, int n, int otherwise)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += row[i];
    if (sum > 0)
        link_normalise(row, (size_t)n);
    else
        row[otherwise] = 1;
}

/* How the room behind a link changes, with and without contenders. */
static void measure_room(fifo_link *l, const fifo_shape *to, const double *at)
{
    for (int u = 0; u <= to->ports && l->levels > 1; u++) {
        for (int n = 0; n <= to->slots; n++) {
            int after = n + (u > 0 && n < to->slots);
            for (int sends = 0; sends < 2; sends++, at++)
                l->moves.room[u > 0][fifo_chain_room(to, n)][fifo_chain_room(to, after - sends)] +=
                    *at;
        }
    }
    for (int c = 0; c < FIFO_MOST_LEVELS; c++) {
        share_out(l->moves.room[0][c], FIFO_MOST_LEVELS, c);
        share_out(l->moves.room[1][c], FIFO_MOST_LEVELS, c);
    }
}

/* Fresh heads choose this link with probability 1/k, times a factor for the disagreement of the two
 * chains: as many heads must come as packets are sent over the link. */
static void measure_fresh(fifo_stage *s, const fifo_shape *to, const double *at,
                          const double *heads)
{
    fifo_link *l = &s->link;
    int k = to->ports;
    double again = 0, others = 0;
    fifo_others bring;

    fifo_heads_others(s->heads, &l->moves, heads, bring);
    for (int u = 0; u <= k; u++) {
        for (int n = 0; n <= to->slots; n++) {
            double mass = mass_at(to, at, u, n);
            if (u > 0 && (to->discard || n < to->slots))
                again += mass * l->moves.follows[u] / k;
            for (int j = 1; j <= k - u; j++)
                others += mass * bring[fifo_chain_room(to, n)][u][j] * j / k;
        }
    }
    l->scale = others > 0 ? fmin(fmax(s->tally.sent - again, 0) / others, k) : 1;
    for (int c = 0; c < FIFO_MOST_LEVELS; c++) {
        for (int u = 0; u <= k; u++) {
            for (int i = 0; i <= k - u; i++) {
                for (int j = 0; j <= i; j++)
                    l->fresh[c][u][j] += bring[c][u][i] * link_binomial(i, j, l->scale / k);
            }
        }
    }
}

/* Measure the rivals and the room that a fresh head meets at the link in the next cycle. */
static void measure_met(fifo_link *l, const fifo_shape *to, const double *at)
{
    int k = to->ports;

    for (int u = 0; u <= k; u++) {
        for (int n = 0; n <= to->slots; n++) {
            int served = u > 0 && (to->discard || n < to->slots), room = fifo_chain_room(to, n);
            double again = served ? l->moves.follows[u] / k : 0;
            for (int sends = 0; sends < 2; sends++, at++) {
                int after = l->levels == 1 ? 0 : fifo_chain_room(to, n + served - sends);
                /* j of the other heads are new: each of these meets the rest */
                for (int j = 1; j <= k - u; j++) {
                    double chance = *at * l->fresh[room][u][j] * j;
                    l->met[u - served + j - 1][after] += chance * (1 - again);
                    if (served)
                        l->met[u - served + j][after] += chance * again;
                }
            }
        }
    }
    share_out(l->met[0], FIFO_WIDTH * FIFO_MOST_LEVELS, l->levels - 1);
}

/* Compute everything that a step needs, from the distributions alone. */
static void measure(fifo_model *m, const double *x)
{
    int stages = m->spec->stages, k = m->spec->ports;
    fifo_stage *sinks = &m->stage[stages];

    for (int i = 0; i < stages; i++)
        fifo_chain_tally(&m->stage[i].shape, x + m->stage[i].at, &m->stage[i].tally);
    for (int u = 0; u <= k; u++)
        sinks->tally.at[2 * u] = x[sinks->at + (size_t)u], sinks->tally.at[2 * u + 1] = 0;
    for (int i = 0; i < stages; i++) {
        fifo_stage *s = &m->stage[i], *next = s + 1;
        s->link = (fifo_link){.levels = s->shape.levels};
        measure_moves(s, &next->shape, next->tally.at);
        measure_room(&s->link, &next->shape, next->tally.at);
        measure_fresh(s, &next->shape, next->tally.at, x + s->heads_at);
        measure_met(&s->link, &next->shape, next->tally.at);
        fifo_feed_link(&next->shape, &s->link, next->feed);
    }
}

static void step(void *of, const double *x, double *next, approx_reading *reading)
{
    fifo_model *m = of;
    int stages = m->spec->stages, k = m->spec->ports;
    fifo_stage *sinks = &m->stage[stages];

    measure(m, x);
    for (int i = 0; i < stages; i++) {
        fifo_stage *s = &m->stage[i];
        fifo_chain_step(&s->shape, s->feed, &s->link, x + s->at, next + s->at, m->work,
                        &m->lengths);
        fifo_heads_step(s->heads, &s->link.moves, x + s->heads_at, next + s->heads_at, m->work);
    }
    memset(next + sinks->at, 0, sizeof *next * (size_t)(k + 1));
    for (int u = 0; u <= k; u++) {
        for (int v = 0; v <= k; v++)
            next[sinks->at + (size_t)v] += x[sinks->at + (size_t)u] * sinks->feed[1][u][u > 0][v];
    }
    link_normalise(next + sinks->at, (size_t)k + 1);
    if (m->spec->slots == 1) { /* otherwise all buffers would be full and empty in turns, in step */
        for (size_t i = 0; i < m->n; i++)
            next[i] = 0.5 * (x[i] + next[i]);
    }
    double packets = m->stage[0].tally.waiting;
    for (int i = 0; i < stages; i++)
        packets += m->stage[i].tally.packets;
    *reading =
        (approx_reading){m->stage[0].tally.accepted, m->stage[stages - 1].tally.sent, packets};
    for (int i = 1; i < stages; i++)
        reading->in -= m->stage[i].tally.offered - m->stage[i].tally.accepted;
}

static void fill(const fifo_model *m, swq_approx_result *r)
{
    int stages = m->spec->stages, k = m->spec->ports;
    const fifo_tally *first = &m->stage[0].tally;
    double through = 0;

    for (int i = 0; i < stages; i++) {
        const fifo_tally *t = &m->stage[i].tally;
        double held = i == 0 ? t->packets - t->sent : t->packets; /* after transmission */
        r->stage[i].occupancy = k * held;
        r->stage[i].sent = t->sent;
        r->stage[i].blocked = t->busy > 0 ? 1 - t->sent / t->busy : 0;
        r->stage[i].discarded = t->offered > 0 ? 1 - t->accepted / t->offered : 0;
        through += held / t->sent;
    }
    r->throughput = m->stage[stages - 1].tally.sent;
    r->latency = r->throughput > 0 ? 1 + through + first->waiting / first->sent : NAN;
    r->discard_fraction =
        m->spec->discard && m->spec->load > 0 ? 1 - r->throughput / m->spec->load : 0;
    r->source_queue = first->waiting;
    r->refusal = m->spec->discard || !(first->tried > 0) ? 0 : 1 - first->accepted / first->tried;
}

static fifo_shape shape_of(const links_spec *spec, int i)
{
    bool last = i == spec->stages - 1, sinks = i == spec->stages;

    return (fifo_shape){.ports = spec->ports,
                        .slots = sinks ? 0 : spec->slots,
                        .contenders = i == 0 ? !spec->discard : spec->ports,
                        .levels = last || sinks || spec->discard ? 1
                                  : spec->slots < 2              ? 2
                                                                 : FIFO_MOST_LEVELS,
                        .discard = spec->discard || sinks,
                        .first = i == 0,
                        .load = spec->load};
}

static bool remembers(const links_spec *spec)
{
    return !spec->discard && spec->slots == 1 && spec->stages > 1 && spec->ports <= REMEMBER_PORTS;
}

/* Places in the vector, and all memory. */
static swq_status build(swq_context *ctx, fifo_model *m)
{
    const links_spec *spec = m->spec;
    size_t at = 0, most = 0;
    fifo_shape first = shape_of(spec, 0);
    swq_status status = fifo_heads_init(ctx, spec->ports, 1, &m->plain);

    if (!status && remembers(spec))
        status = fifo_heads_init(ctx, spec->ports, first.levels, &m->remember);
    if (status)
        return status;
    m->stage = swq_calloc(ctx, (size_t)spec->stages + 1, sizeof *m->stage);
    if (!m->stage)
        return swq_memory_status(ctx);
    for (int i = 0; i <= spec->stages; i++) {
        fifo_stage *s = &m->stage[i];
        s->shape = shape_of(spec, i);
        s->heads = s->shape.levels > 1 && m->remember.states > 0 ? &m->remember : &m->plain;
        size_t rows = (size_t)(s->shape.contenders + 1) * (size_t)(s->shape.slots + 1);
        s->tally.at = swq_calloc(ctx, rows, 2 * sizeof *s->tally.at);
        if (!s->tally.at)
            return swq_memory_status(ctx);
        size_t states = fifo_chain_states(&s->shape), need = 2 * states + (size_t)spec->slots + 1;
        size_t heads = (size_t)s->heads->states;
        s->at = at;
        s->heads_at = at + states;
        at += i < spec->stages ? states + heads : (size_t)spec->ports + 1;
        need = need < heads * FIFO_WIDTH ? heads * FIFO_WIDTH : need;
        most = most < need ? need : most;
    }
    fifo_feed_source(&m->stage[0].shape, m->stage[0].feed);
    m->n = at;
    m->work = swq_calloc(ctx, most, sizeof *m->work);
    return m->work ? approx_lumps_init(ctx, spec->slots + 1, 1, 1, &m->lengths)
                   : swq_memory_status(ctx);
}

static void clear(swq_context *ctx, fifo_model *m)
{
    for (int i = 0; m->stage && i <= m->spec->stages; i++)
        swq_free(ctx, m->stage[i].tally.at);
    swq_free(ctx, m->stage);
    swq_free(ctx, m->work);
    approx_lumps_clear(ctx, &m->lengths);
    fifo_heads_clear(ctx, &m->plain);
    fifo_heads_clear(ctx, &m->remember);
}

/* Buffers of all lengths and no contention: an empty network is farther from saturation, and single
 * slots at full load would all fill and empty in step. */
static void start(const fifo_model *m, double *x)
{
    for (int i = 0; i <= m->spec->stages; i++) {
        const fifo_stage *s = &m->stage[i];
        for (int n = 0; n <= s->shape.slots; n++)
            x[s->at + fifo_chain_at(&s->shape, 0, n, 0, n > 0 ? s->shape.levels - 1 : 0)] =
                1.0 / (s->shape.slots + 1);
        if (i < m->spec->stages)
            x[s->heads_at + (size_t)s->heads->empty] = 1;
    }
}

swq_status links_fifo(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    fifo_model m = {.spec = spec};

    if (spec->ports > FIFO_MOST_PORTS)
        return swq_fail(ctx, SWQ_ELIMIT, "the heads of %d ports have too many states: at most %d",
                        spec->ports, (int)FIFO_MOST_PORTS);
    swq_status status = build(ctx, &m);
    double *x = status ? NULL : swq_calloc(ctx, m.n, sizeof *x);
    if (!status && !x)
        status = swq_memory_status(ctx);
    if (!status) {
        approx_fixed_point f = {.n = m.n, .x = x, .step = step, .model = &m};
        start(&m, x);
        status = approx_fixed_point_find(ctx, &f);
        if (!status || status == SWQ_ECONVERGE) {
            measure(&m, x);
            fill(&m, result);
            result->steps = f.steps, result->change = f.change, result->converged = f.converged;
        }
    }
    swq_free(ctx, x);
    clear(ctx, &m);
    return status;
}
