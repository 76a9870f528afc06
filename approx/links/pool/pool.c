/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Networks of switches with one central pool: a chain of each stage (stage.h), and the fixed point
 * of all these chains.
 */
#include "approx/fixed_point.h"
#include "approx/links/links.h"
#include "approx/links/pool/stage.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

/* Most states per stage with three classes of senders; beyond, they gain little, since larger pools
 * are seldom full, and cost too much. */
#define WORTH_CLASSES 1e4

/* The first guess for a pool comes from a pool with half its slots, if these are at least this
 * number: a large pool is seldom full, and a step of half the slots takes a quarter of the time. */
#define WORTH_HALVING 64

/* Most steps of a smaller pool; if it has not settled by then, it is of no use. */
#define MOST_SMALLER 200

/* Totals up to this fraction of the smaller pool's slots are taken over as they are, unless higher
 * totals are more likely than this: then the smaller pool is too different. */
#define ALIKE       0.95
#define MOST_UNLIKE 1e-6

/* Most multiplications in a step, and most states, over all stages. */
#define MOST_WORK   2e8
#define MOST_STATES 2e7

/* What a chain takes, measured for pools of 8, 16 and 32 ports with 1 to 12 slots a port, loads .5
 * to 1: 22 to 37 ns a multiplication, and 7 to 17 steps for each slot. Larger pools settle in some
 * 70 to 100 steps, except near saturation. */
#define SECONDS_A_PRODUCT 3e-8
#define STEPS_A_SLOT      10
#define USUAL_STEPS       100

enum { MEASURED = sizeof(pool_measured) / sizeof(double) };

typedef struct pool_model {
    const links_spec *spec;
    pool_work work;
    pool_measured sources;
    pool_flow flow[SWQ_MAX_STAGES];
    pool_state state[SWQ_MAX_STAGES], next[SWQ_MAX_STAGES];
} pool_model;

static size_t stage_length(const pool_model *m, int stage)
{
    const pool_work *w = &m->work;
    int counts = stage == 0 ? w->sources.counts : w->queues.counts;

    return MEASURED + (size_t)w->capacity + 1 + POOL_LEVELS * (size_t)w->cells * (size_t)counts;
}

/* The stages' parts of a vector. */
static void take_apart(const pool_model *m, const double *x, pool_state *state)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): what is only read is read through the same struct
    double *here = (double *)(uintptr_t)x;

    for (int s = 0; s < m->spec->stages; s++) {
        size_t states = (size_t)m->work.cells *
                        (size_t)(s == 0 ? m->work.sources.counts : m->work.queues.counts);
        state[s].measured = (pool_measured *)(void *)here;
        state[s].weight = here + MEASURED;
        state[s].level[POOL_FREE] = state[s].weight + m->work.capacity + 1;
        state[s].level[POOL_SHORT] = state[s].level[POOL_FREE] + states;
        here += stage_length(m, s);
    }
}

static void step(void *model, const double *x, double *next, approx_reading *reading)
{
    pool_model *m = model;
    int last = m->spec->stages - 1, k = m->spec->ports;

    take_apart(m, x, m->state);
    take_apart(m, next, m->next);
    *reading = (approx_reading){0};
    for (int s = 0; s <= last; s++) {
        pool_place place = {.senders = s == 0 ? &m->work.sources : &m->work.queues,
                            .before = s == 0 ? &m->sources : m->next[s - 1].measured,
                            .ahead =
                                s == last || m->spec->discard ? NULL : m->state[s + 1].measured,
                            .classes = m->work.queues.classes};
        pool_stage_step(&m->work, &place, &m->state[s], &m->next[s], &m->flow[s]);
        reading->packets += m->flow[s].packets / k;
        /* packets lost at a later stage do not count as entered */
        reading->in += m->flow[s].accepted / k - (s < last ? m->flow[s].sent : 0);
    }
    reading->out = m->flow[last].sent;
}

/* First guess: empty switches, without measurements. */
static void begin(const pool_model *m, pool_state *state)
{
    for (int s = 0; s < m->spec->stages; s++) {
        *state[s].measured = pool_measured_guess(m->spec->load);
        for (int q = 0; q <= m->work.capacity; q++)
            state[s].weight[q] = 1;
        int counts = s == 0 ? m->work.sources.counts : m->work.queues.counts;
        for (size_t i = 0; i < (size_t)m->work.cells * (size_t)counts; i++)
            state[s].level[POOL_FREE][i] = 1.0 / m->work.cells / counts;
    }
}

static void answer(const pool_model *m, swq_approx_result *result)
{
    int last = m->spec->stages - 1, k = m->spec->ports;
    double cycles = 1;

    for (int s = 0; s <= last; s++) {
        const pool_flow *f = &m->flow[s];
        swq_approx_stage *stage = &result->stage[s];
        /* sources enter before the first stage's turn, other stages send after theirs */
        stage->occupancy = fmax(0, f->packets - (s == 0 ? k * f->sent : 0));
        stage->sent = f->sent;
        stage->blocked = f->held > 0 ? f->held / (f->sent + f->held) : 0;
        stage->discarded = m->spec->discard && f->offered > 0 ? f->refused / f->offered : 0;
        cycles += stage->occupancy / (k * f->sent);
    }
    const pool_flow *first = &m->flow[0];
    result->refusal = first->offered > 0 ? first->refused / first->offered : 0;
    result->source_queue = m->spec->discard ? 0 : first->refused / k;
    /* sources that hold no packet create one with probability load; the stages know what is lost on
     * the way */
    result->throughput =
        m->spec->discard ? m->flow[last].sent : m->spec->load * (1 - result->source_queue);
    /* Little's law at each stage, for the packets that it sends: packets that are discarded later
     * wait like all others */
    cycles += result->source_queue / m->flow[0].sent;
    result->latency = result->throughput > 0 ? cycles : NAN;
}

/* The chain of one stage. */
typedef struct pool_chain {
    int classes; /* of senders */
    double states;
    double products; /* multiplications in a step */
} pool_chain;

/* Three classes of senders if they are not too expensive, else two. */
static pool_chain chain_of(const links_spec *spec)
{
    const double capacity = spec->buffer.capacity;
    const double cells = (capacity + 1) * (capacity + 2) / 2;
    double counts = pool_senders_counts(spec->ports, 3);
    const int classes = cells * counts > WORTH_CLASSES ? 2 : 3;

    if (classes == 2)
        counts = (double)spec->ports + 1;
    return (pool_chain){classes, cells * counts, cells * counts * counts};
}

static bool too_large(const links_spec *spec, const pool_chain *chain)
{
    return chain->products * spec->stages > MOST_WORK || chain->states * spec->stages > MOST_STATES;
}

static swq_status check_size(swq_context *ctx, const links_spec *spec, const pool_chain *chain)
{
    if (too_large(spec, chain))
        return swq_fail(ctx, SWQ_ELIMIT,
                        "a pool of %d slots is too large: its chain has %.0f states in each of "
                        "the %d stages",
                        spec->buffer.capacity, chain->states, spec->stages);
    return SWQ_OK;
}

double links_pool_seconds(const links_spec *spec)
{
    const double steps = fmin(STEPS_A_SLOT * spec->slots, USUAL_STEPS);
    const pool_chain chain = chain_of(spec);

    return too_large(spec, &chain) ? 0 : chain.products * spec->stages * steps * SECONDS_A_PRODUCT;
}

static swq_status check(swq_context *ctx, const links_spec *spec)
{
    const swq_buffer *b = &spec->buffer;

    if (swq_buffer_pool_rule(b)->opens_ports)
        return swq_fail(ctx, SWQ_EINVAL,
                        "pool rule ports is not supported here: use room or oldest");
    if (b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "a pool with limits for its queues (queue-max, alpha): only shared ones "
                        "are approximated");
    if (b->capacity < spec->ports)
        return swq_fail(ctx, SWQ_EINVAL, "a pool of %d slots for %d ports: one for each is needed",
                        b->capacity, spec->ports);
    return SWQ_OK;
}

static size_t length_of(const pool_model *m)
{
    size_t n = 0;

    for (int s = 0; s < m->spec->stages; s++)
        n += stage_length(m, s);
    return n;
}

/* States are in order of their total. */
static size_t states_below(int total, int counts)
{
    return (size_t)total * (size_t)(total + 1) / 2 * (size_t)counts;
}

static double sum_of_total(const double *states, int total, int counts)
{
    double sum = 0;

    for (size_t i = states_below(total, counts); i < states_below(total + 1, counts); i++)
        sum += states[i];
    return sum;
}

/* Totals from `known` on decay as the last known ones do. */
static void extend_states(double *states, int known, int capacity, int counts)
{
    const double last = sum_of_total(states, known - 1, counts);
    const double before = sum_of_total(states, known - 2, counts);
    const double ratio = before > 0 ? fmin(last / before, 1) : 0;

    for (int total = known; total <= capacity; total++) {
        for (int v = 0; v < counts; v++) {
            double *to = states + states_below(total, counts) + v * (total + 1);
            const double *from = states + states_below(total - 1, counts) + v * total;
            for (int q = 0; q <= total; q++)
                to[q] = ratio * from[q < total ? q : total - 1];
        }
    }
}

/* Is a pool with this number of slots seldom full? `state`: the state of its last stage. */
static bool seldom_full(const pool_model *m, int slots, const pool_state *state)
{
    double high = 0;

    for (int s = 0; s < m->spec->stages; s++) {
        const int counts = s == 0 ? m->work.sources.counts : m->work.queues.counts;
        for (int level = 0; level < POOL_LEVELS; level++)
            for (int total = (int)(slots * ALIKE); total <= slots; total++)
                high += sum_of_total(state[s].level[level], total, counts);
    }
    return high < MOST_UNLIKE;
}

/* A first guess from a smaller pool: all its measurements and states. */
static void enlarge(pool_model *m, double *x, int smaller, const pool_state *from)
{
    const int known = (int)(smaller * ALIKE), capacity = m->work.capacity;

    take_apart(m, x, m->state);
    for (int s = 0; s < m->spec->stages; s++) {
        const int counts = s == 0 ? m->work.sources.counts : m->work.queues.counts;
        pool_state *to = &m->state[s];
        *to->measured = *from[s].measured;
        memcpy(to->weight, from[s].weight, (size_t)known * sizeof *to->weight);
        for (int q = known; q <= capacity; q++)
            to->weight[q] =
                to->weight[q - 1] * fmin(to->weight[known - 1] / to->weight[known - 2], 1);
        for (int level = 0; level < POOL_LEVELS; level++) {
            memcpy(to->level[level], from[s].level[level],
                   states_below(known, counts) * sizeof(double));
            extend_states(to->level[level], known, capacity, counts);
        }
    }
}

/* Find the fixed point of a pool with `capacity` slots. *x is the fixed point of a pool with
 * `smaller` slots (0: there is none), and is replaced. */
static swq_status settle(swq_context *ctx, pool_model *m, int capacity, int classes, int smaller,
                         double **x, approx_fixed_point *f)
{
    pool_state from[SWQ_MAX_STAGES];
    swq_status status = pool_work_init(ctx, m->spec->ports, capacity, classes, m->spec->discard,
                                       m->spec->load, &m->work);

    if (status)
        return status;
    memcpy(from, m->state, sizeof from);
    *f = (approx_fixed_point){.n = length_of(m), .step = step, .model = m};
    if (capacity < m->spec->buffer.capacity)
        f->most_steps = MOST_SMALLER;
    f->x = swq_calloc(ctx, f->n, sizeof *f->x);
    if (!f->x)
        return swq_memory_status(ctx);
    take_apart(m, f->x, m->state);
    if (smaller && seldom_full(m, smaller, from))
        enlarge(m, f->x, smaller, from);
    else
        begin(m, m->state);
    swq_free(ctx, *x);
    *x = f->x;
    status = approx_fixed_point_find(ctx, f);
    take_apart(m, *x, m->state);
    return status;
}

static swq_status find(swq_context *ctx, pool_model *m, int classes, swq_approx_result *result)
{
    const int capacity = m->spec->buffer.capacity;
    approx_fixed_point f = {0};
    double *x = NULL;
    int halvings = 0, smaller = 0, steps = 0;
    swq_status status = SWQ_OK;

    while (capacity >> (halvings + 1) >= WORTH_HALVING)
        halvings++;
    for (int h = halvings; h >= 0 && (!status || status == SWQ_ECONVERGE); h--) {
        pool_work_clear(ctx, &m->work);
        status = settle(ctx, m, capacity >> h, classes, smaller, &x, &f);
        smaller = status ? 0 : capacity >> h;
        steps += f.steps;
    }
    if (!status || status == SWQ_ECONVERGE)
        answer(m, result);
    result->steps = steps;
    result->change = f.change;
    result->converged = f.converged;
    swq_free(ctx, x);
    return status;
}

swq_status links_pool(swq_context *ctx, const links_spec *spec, swq_approx_result *result)
{
    pool_model m = {.spec = spec};
    const pool_chain chain = chain_of(spec);

    swq_status status = check(ctx, spec);
    status = status ? status : check_size(ctx, spec, &chain);
    if (status)
        return status;
    for (int level = 0; level < POOL_LEVELS; level++)
        for (int fate = 0; fate < POOL_FATES; fate++) {
            bool left = fate == POOL_LEFT_ONE || fate == POOL_LEFT_MORE;
            m.sources.class_after[level][fate][1] = left ? 1 : spec->load;
            m.sources.class_after[level][fate][0] = left ? 0 : 1 - spec->load;
        }
    status = find(ctx, &m, chain.classes, result);
    pool_work_clear(ctx, &m.work);
    return status;
}
