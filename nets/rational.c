/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network's chain in rational numbers: the events of nets/step.h again, with the rational
 * probability of each throw of the dice.
 */
#include "base/context.h"
#include "exact/closed_class.h"
#include "exact/dixon.h"
#include "exact/gathering.h"
#include "exact/numbers.h"
#include "nets/chain.h"

#include <string.h>
#include <time.h>

/* Expected counts of a cycle, in the whole network. */
enum { ACCEPTED, REFUSED, LOST, DELIVERED, SUMS };

typedef struct {
    swq_intern node;
    swq_integer_rows rows; /* of the event that leads to the next level */
    swq_integers sum;      /* [rows * SUMS] over the rows' denominators */
} rational_level;

typedef struct {
    swq_context *ctx;
    swq_netplan plan;
    swq_netrenamings renamings;
    rational_level level[SWQ_MOST_FACTORS];
    swq_integer_rows p;
    swq_integers sum; /* [states * SUMS] over p's denominators */
    swq_gathering row[2];
    mpq_t load, idle, chance, part, total[SUMS];
    mpz_t factor, whole;
    swq_word *work; /* room for two nodes */
    swq_dice dice;
} net_walk;

/* ---- the rows of single events ---- */

/* Does a loaded throw decide whether a packet is created? Else the throw draws a digit of the
 * packet's destination (*digit). */
static bool creates(const swq_netplan *p, const double *weight, bool *digit)
{
    bool found = false;

    for (int k = 0; k < p->switches; k++) {
        for (int i = 0; i < p->ports; i++) {
            found = found || weight == p->at[k].layout.create[i];
            *digit = *digit || weight == p->at[k].sw.dest[i];
        }
    }
    return found;
}

/* The probability of the current outcome. Digits are uniform. */
static swq_status weigh(net_walk *w)
{
    mpz_set_ui(mpq_numref(w->chance), 1);
    mpz_set_ui(mpq_denref(w->chance), 1);
    for (int t = 0; t < w->dice.throws; t++) {
        const double *weight = w->dice.stack[t].weight;
        bool digit = false;
        if (weight && creates(&w->plan, weight, &digit)) {
            mpq_mul(w->chance, w->chance, w->dice.stack[t].face ? w->load : w->idle);
            continue;
        }
        if (weight && !digit)
            return swq_fail(w->ctx, SWQ_EINVAL,
                            "arbiter %s throws loaded dice of its own, whose weights are not known "
                            "as rationals",
                            w->plan.network->sw.arbiter->name);
        mpz_mul_ui(mpq_denref(w->chance), mpq_denref(w->chance),
                   (unsigned long)w->dice.stack[t].faces);
    }
    mpq_canonicalize(w->chance);
    return SWQ_OK;
}

/* Add count times the current probability to an expected count of the whole network. */
static void expect(net_walk *w, int what, int count)
{
    mpz_set_si(mpq_numref(w->part), count);
    mpz_set_ui(mpq_denref(w->part), 1);
    mpq_mul(w->part, w->part, w->chance);
    mpq_add(w->total[what], w->total[what], w->part);
}

/* The number of switches of the stage that each switch in the chain represents: a whole number. */
static int share(const swq_netplan *p, int stage)
{
    return p->per_stage / swq_netplan_present(p, stage);
}

static void expect_counts(net_walk *w, const swq_netevent *event, const int *count)
{
    const swq_netplan *p = &w->plan;
    const int stage = event->stage;

    if (event->kind == SWQ_NETEVENT_RECEPTION) {
        expect(w, ACCEPTED, count[SWQ_NETCOUNT_ACCEPTED] * share(p, 0));
        expect(w, REFUSED, count[SWQ_NETCOUNT_REFUSED] * share(p, 0));
        if (p->discards)
            expect(w, LOST, count[SWQ_NETCOUNT_REFUSED] * share(p, 0));
    } else if (stage == p->stages - 1) {
        expect(w, DELIVERED, count[SWQ_NETCOUNT_SENT] * share(p, stage));
    } else {
        expect(w, LOST, count[SWQ_NETCOUNT_LOST] * share(p, stage + 1));
    }
}

/* w->whole = value * w->factor. */
static void scale(net_walk *w, const mpq_t value)
{
    mpz_divexact(w->whole, w->factor, mpq_denref(value));
    mpz_mul(w->whole, w->whole, mpq_numref(value));
}

/* Append a gathered row and the totals, over one denominator, to a matrix and a list of sums. */
static swq_status append(net_walk *w, swq_gathering *row, swq_integer_rows *m, swq_integers *sum)
{
    swq_status status = SWQ_OK;

    mpz_set_ui(w->factor, 1);
    for (int64_t k = 0; k < row->count; k++)
        mpz_lcm(w->factor, w->factor, mpq_denref(row->value[k]));
    for (int n = 0; n < SUMS; n++)
        mpz_lcm(w->factor, w->factor, mpq_denref(w->total[n]));
    for (int64_t k = 0; k < row->count && !status; k++) {
        scale(w, row->value[k]);
        status = swq_integer_rows_entry(w->ctx, m, row->col[k], w->whole);
    }
    for (int n = 0; n < SUMS && !status; n++) {
        scale(w, w->total[n]);
        status = swq_integers_append(w->ctx, sum, w->whole);
    }
    swq_gathering_empty(row);
    return status ? status : swq_integer_rows_finish(w->ctx, m, w->factor);
}

static swq_status number_of(net_walk *w, int level, int32_t *number)
{
    swq_netrenamings_canonical(&w->renamings, w->work, w->work + w->plan.words);
    const int64_t found = swq_intern_number(w->ctx, &w->level[level].node, w->work);
    *number = (int32_t)found;
    return found < 0 ? swq_memory_status(w->ctx) : SWQ_OK;
}

static void forget_totals(net_walk *w)
{
    for (int n = 0; n < SUMS; n++)
        mpq_set_ui(w->total[n], 0, 1);
}

static swq_status expand(net_walk *w, int k, int64_t node)
{
    rational_level *level = &w->level[k];
    const size_t bytes = sizeof *w->work * (size_t)w->plan.words;
    swq_status status = SWQ_OK;
    int32_t number;

    forget_totals(w);
    swq_dice_begin_enumeration(&w->dice);
    do {
        int count[SWQ_NETCOUNTS] = {0};
        memcpy(w->work, swq_intern_state(&level->node, node), bytes);
        swq_netstep(&w->plan, &w->plan.event[k], w->work, &w->dice, count);
        status = weigh(w);
        expect_counts(w, &w->plan.event[k], count);
        if (!status)
            status = number_of(w, (k + 1) % w->plan.events, &number);
        if (!status)
            status = swq_gathering_add(w->ctx, &w->row[0], number, w->chance);
    } while (!status && swq_dice_next(&w->dice));
    return status ? status : append(w, &w->row[0], &level->rows, &level->sum);
}

static swq_status check_states(net_walk *w)
{
    if (swq_context_cancelled(w->ctx))
        return swq_fail(w->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                        (long long)w->level[0].node.count);
    swq_progress(w->ctx, "generating states", (double)w->level[0].node.count, 0);
    if (w->level[0].node.count <= SWQ_RATIONAL_STATES)
        return SWQ_OK;
    return swq_fail(w->ctx, SWQ_ELIMIT,
                    "exact rationals are for chains of at most %d states; that of this network has "
                    "more: fewer slots, ports or stages are needed",
                    SWQ_RATIONAL_STATES);
}

static swq_status explore(net_walk *w)
{
    bool more = true;
    int32_t number;
    swq_status status = number_of(w, 0, &number); /* the empty network is all zero */

    while (more && !status) {
        more = false;
        for (int k = 0; k < w->plan.events && !status; k++) {
            while (w->level[k].rows.rows < w->level[k].node.count && !status) {
                more = true;
                status = expand(w, k, w->level[k].rows.rows);
                if (!status)
                    status = check_states(w);
            }
        }
    }
    return status;
}

/* ---- the rows of the whole cycle ---- */

/* Multiply row[from] by the rows of one level. */
static swq_status go_on(net_walk *w, const rational_level *level, int from)
{
    swq_gathering *now = &w->row[from], *next = &w->row[1 - from];
    swq_status status = SWQ_OK;

    for (int64_t k = 0; k < now->count && !status; k++) {
        const int64_t node = now->col[k];
        const mpz_t *below = &level->rows.denominator.at[node];
        for (int n = 0; n < SUMS; n++) {
            mpz_mul(mpq_numref(w->part), mpq_numref(now->value[k]), level->sum.at[node * SUMS + n]);
            mpz_mul(mpq_denref(w->part), mpq_denref(now->value[k]), *below);
            mpq_canonicalize(w->part);
            mpq_add(w->total[n], w->total[n], w->part);
        }
        for (int64_t e = level->rows.start[node]; e < level->rows.start[node + 1] && !status; e++) {
            mpz_mul(mpq_numref(w->part), mpq_numref(now->value[k]), level->rows.value.at[e]);
            mpz_mul(mpq_denref(w->part), mpq_denref(now->value[k]), *below);
            mpq_canonicalize(w->part);
            status = swq_gathering_add(w->ctx, next, level->rows.col[e], w->part);
        }
    }
    swq_gathering_empty(now);
    return status;
}

static swq_status multiply(net_walk *w)
{
    const int events = w->plan.events;
    swq_status status = SWQ_OK;

    for (int64_t s = 0; s < w->level[0].node.count && !status; s++) {
        forget_totals(w);
        mpq_set_ui(w->chance, 1, 1);
        status = swq_gathering_add(w->ctx, &w->row[0], (int32_t)s, w->chance);
        for (int k = 0; k < events && !status; k++)
            status = go_on(w, &w->level[k], k % 2);
        if (!status)
            status = append(w, &w->row[events % 2], &w->p, &w->sum);
        if (!status && swq_context_cancelled(w->ctx))
            status = swq_fail(w->ctx, SWQ_ECANCELLED, "cancelled while multiplying factors");
    }
    return status;
}

/* ---- the answers ---- */

/* Keep only the rows of the closed class of states. number[s]: the new number of state s; -1: state
 * s is transient. */
static swq_status keep_class(net_walk *w, int32_t *number, swq_integer_rows *kept, int64_t *states)
{
    int64_t classes = 0;
    swq_status status = swq_closed_classes(w->ctx, &w->p, number, states, &classes);

    if (!status && classes > 1)
        status = swq_fail(w->ctx, SWQ_EREDUCIBLE,
                          "the chain is reducible: %lld closed classes of states, so its long run "
                          "depends on chance and there is no single stationary distribution",
                          (long long)classes);
    for (int64_t s = 0; s < w->p.rows && !status; s++) {
        if (number[s] < 0)
            continue;
        for (int64_t e = w->p.start[s]; e < w->p.start[s + 1] && !status; e++)
            status = swq_integer_rows_entry(w->ctx, kept, number[w->p.col[e]], w->p.value.at[e]);
        if (!status)
            status = swq_integer_rows_finish(w->ctx, kept, w->p.denominator.at[s]);
    }
    return status;
}

/* Sums over the stationary vector, multiplied by the number that makes the vector's entries
 * whole. */
typedef struct {
    mpz_t all, held, packets, sum[SUMS], stage[SWQ_MAX_STAGES], scratch, other;
} net_sums;

static void sums_begin(net_sums *s)
{
    mpz_inits(s->all, s->held, s->packets, s->scratch, s->other, NULL);
    for (int n = 0; n < SUMS; n++)
        mpz_init(s->sum[n]);
    for (int k = 0; k < SWQ_MAX_STAGES; k++)
        mpz_init(s->stage[k]);
}

static void sums_end(net_sums *s)
{
    mpz_clears(s->all, s->held, s->packets, s->scratch, s->other, NULL);
    for (int n = 0; n < SUMS; n++)
        mpz_clear(s->sum[n]);
    for (int k = 0; k < SWQ_MAX_STAGES; k++)
        mpz_clear(s->stage[k]);
}

static void add_up(const net_walk *w, const int32_t *number, const swq_integers *y, net_sums *s,
                   int64_t *bits)
{
    const swq_netplan *p = &w->plan;

    for (int64_t k = 0; k < w->p.rows; k++) {
        if (number[k] < 0)
            continue;
        const swq_word *state = swq_intern_state(&w->level[0].node, k);
        mpz_mul(s->scratch, y->at[number[k]], w->p.denominator.at[k]);
        mpz_add(s->all, s->all, s->scratch);
        for (int stage = 0; stage < p->stages; stage++) {
            const int packets = swq_netplan_packets(p, stage, state);
            mpz_addmul_ui(s->stage[stage], s->scratch, (unsigned long)packets);
            mpz_addmul_ui(s->packets, s->scratch,
                          (unsigned long)packets * (unsigned long)share(p, stage));
        }
        for (int n = 0; n < SUMS; n++)
            mpz_addmul(s->sum[n], y->at[number[k]], w->sum.at[k * SUMS + n]);
        if ((int64_t)mpz_sizeinbase(s->scratch, 2) > *bits)
            *bits = (int64_t)mpz_sizeinbase(s->scratch, 2);
    }
}

/* part / (whole * times); zero if `whole` is zero. */
static swq_status divide(swq_context *ctx, net_sums *s, const mpz_t part, const mpz_t whole,
                         unsigned long times, swq_fraction *out)
{
    mpz_mul_ui(s->other, whole, times);
    if (mpz_sgn(s->other) > 0)
        return swq_fraction_write(ctx, part, s->other, out);
    mpz_set_ui(s->other, 1);
    mpz_t zero;
    mpz_init(zero);
    swq_status status = swq_fraction_write(ctx, zero, s->other, out);
    mpz_clear(zero);
    return status;
}

static swq_status answer(net_walk *w, net_sums *s, swq_netchain_fractions *a)
{
    const swq_netplan *p = &w->plan;
    swq_context *ctx = w->ctx;
    swq_status status;

    mpz_set(s->held, s->sum[REFUSED]); /* refused packets are held until the next cycle */
    mpz_add(s->scratch, s->sum[ACCEPTED], s->sum[REFUSED]);
    status = divide(ctx, s, s->sum[REFUSED], s->scratch, 1, &a->refusal);
    if (!status && p->discards)
        status = divide(ctx, s, s->sum[LOST], s->scratch, 1, &a->discard);
    if (!status)
        status = divide(ctx, s, s->sum[DELIVERED], s->all, p->nodes, &a->throughput);
    if (!status)
        status = divide(ctx, s, s->packets, s->all, 1, &a->mean_packets);
    if (!status && !p->discards)
        status = divide(ctx, s, s->held, s->all, 1, &a->mean_held);
    for (int k = 0; k < p->stages && !status; k++)
        status = divide(ctx, s, s->stage[k], s->all, (unsigned long)swq_netplan_present(p, k),
                        &a->packets[k]);
    if (mpz_sgn(s->sum[ACCEPTED]) == 0)
        return status;
    mpz_add(s->scratch, s->packets, s->sum[ACCEPTED]);
    if (!status)
        status = divide(ctx, s, s->scratch, s->sum[ACCEPTED], 1, &a->mean_delay);
    if (!status && !p->discards)
        status = divide(ctx, s, s->held, s->sum[ACCEPTED], 1, &a->mean_source_wait);
    return status;
}

static swq_status solve_walk(net_walk *w, swq_netchain_fractions *a)
{
    swq_integer_rows kept = {0};
    swq_integers y = {0};
    net_sums s;
    int64_t states = 0;
    swq_status status = explore(w);

    if (!status)
        status = multiply(w);
    int32_t *number = status ? NULL : swq_calloc(w->ctx, (size_t)w->p.rows, sizeof *number);
    if (!status)
        status = number ? keep_class(w, number, &kept, &states) : swq_memory_status(w->ctx);
    if (!status)
        status = swq_dixon_null_vector(w->ctx, &kept, SWQ_DIXON_PRIME, &y);
    sums_begin(&s);
    if (!status) {
        add_up(w, number, &y, &s, &a->bits);
        status = answer(w, &s, a);
        a->states = w->p.rows;
        a->transient = w->p.rows - states;
        a->stages = w->plan.stages;
    }
    sums_end(&s);
    swq_integers_clear(w->ctx, &y);
    swq_integer_rows_clear(w->ctx, &kept);
    swq_free(w->ctx, number);
    return status;
}

/* ---- beginning and end ---- */

static void walk_begin(net_walk *w, const mpq_t load)
{
    mpq_inits(w->load, w->idle, w->chance, w->part, NULL);
    mpz_inits(w->factor, w->whole, NULL);
    for (int n = 0; n < SUMS; n++)
        mpq_init(w->total[n]);
    mpq_set(w->load, load);
    mpq_set_ui(w->idle, 1, 1);
    mpq_sub(w->idle, w->idle, load);
}

static void walk_end(net_walk *w)
{
    mpq_clears(w->load, w->idle, w->chance, w->part, NULL);
    mpz_clears(w->factor, w->whole, NULL);
    for (int n = 0; n < SUMS; n++)
        mpq_clear(w->total[n]);
    for (int k = 0; k < SWQ_MOST_FACTORS; k++) {
        swq_intern_clear(w->ctx, &w->level[k].node);
        swq_integer_rows_clear(w->ctx, &w->level[k].rows);
        swq_integers_clear(w->ctx, &w->level[k].sum);
    }
    swq_integer_rows_clear(w->ctx, &w->p);
    swq_integers_clear(w->ctx, &w->sum);
    swq_gathering_clear(w->ctx, &w->row[0]);
    swq_gathering_clear(w->ctx, &w->row[1]);
    swq_netrenamings_clear(w->ctx, &w->renamings);
    swq_netplan_clear(w->ctx, &w->plan);
    swq_free(w->ctx, w->work);
    swq_free(w->ctx, w);
}

static swq_status solve_one(swq_context *ctx, const swq_network *network, const mpq_t load,
                            bool reduce, swq_netchain_fractions *a)
{
    swq_network marked = *network;
    net_walk *w = swq_calloc(ctx, 1, sizeof *w); /* the dice are too large for the stack */
    if (!w)
        return swq_memory_status(ctx);
    w->ctx = ctx;
    walk_begin(w, load);
    /* the double only distinguishes zero, one and values between */
    marked.traffic.load = mpq_sgn(load) == 0 ? 0 : mpq_cmp_ui(load, 1, 1) == 0 ? 1 : 0.5;
    swq_status status = swq_netplan_make(ctx, &marked, reduce, &w->plan);
    if (!status)
        status = swq_netrenamings_find(ctx, &w->plan, reduce, &w->renamings);
    if (!status && w->plan.events > SWQ_MOST_FACTORS)
        status = swq_fail(ctx, SWQ_ELIMIT,
                          "the cycle of a network's chain may have %d steps; this one has %d",
                          SWQ_MOST_FACTORS, w->plan.events);
    for (int k = 0; k < w->plan.events && !status; k++)
        swq_intern_init(&w->level[k].node, w->plan.words);
    if (!status) {
        w->work = swq_calloc(ctx, (size_t)w->plan.words, 2 * sizeof *w->work);
        status = w->work ? solve_walk(w, a) : swq_memory_status(ctx);
    }
    walk_end(w);
    return status;
}

static swq_status saturate(swq_context *ctx, const swq_network *network, mpq_t load, bool reduce,
                           swq_netchain_fractions *a)
{
    swq_netchain_fractions full = {0};

    mpq_set_ui(load, mpq_sgn(load) > 0, 1);
    swq_status status = solve_one(ctx, network, load, reduce, &full);
    if (!status) {
        a->saturation = full.throughput;
        full.throughput = (swq_fraction){0};
    }
    swq_netchain_fractions_clear(ctx, &full);
    return status == SWQ_EREDUCIBLE ? SWQ_OK : status;
}

static swq_status check(swq_context *ctx, const swq_network *network, const char *text, mpq_t load)
{
    swq_network usual = *network;
    swq_netchain_size size;

    usual.traffic.load = 0.5;
    if (network->traffic.node_load)
        return swq_fail(ctx, SWQ_EINVAL, "exact rationals are for one load of all nodes");
    if (network->traffic.hot_spots)
        return swq_fail(ctx, SWQ_EINVAL,
                        "exact rationals of a network are for uniform traffic without hot spots");
    if (!text || !swq_fraction_read(text, load) || mpq_sgn(load) < 0 || mpq_cmp_ui(load, 1, 1) > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "load must be a number from 0 to 1 such as 0.9 or a fraction such as 9/10, "
                        "not '%.60s'",
                        text ? text : "");
    swq_status status = swq_netchain_foresee(ctx, &usual, true, &size);
    if (status || size.states <= 40.0 * SWQ_RATIONAL_STATES)
        return status;
    return swq_fail(ctx, SWQ_ELIMIT,
                    "exact rationals are for chains of at most %d states; that of this network may "
                    "have %.3g: fewer slots, ports or stages are needed",
                    SWQ_RATIONAL_STATES, size.states);
}

swq_status swq_netchain_rational(swq_context *ctx, const swq_network *network, const char *text,
                                 bool reduce, swq_netchain_fractions *answers)
{
    const clock_t began = clock();
    swq_netchain_fractions out = {0};
    mpq_t load;

    swq_numbers_begin(ctx);
    mpq_init(load);
    swq_status status = check(ctx, network, text, load);
    if (!status)
        status = swq_fraction_write(ctx, mpq_numref(load), mpq_denref(load), &out.load);
    if (!status)
        status = solve_one(ctx, network, load, reduce, &out);
    if (!status && network->sw.flow == SWQ_BLOCK)
        status = saturate(ctx, network, load, reduce, &out);
    mpq_clear(load);
    swq_numbers_end();
    if (status) {
        swq_netchain_fractions_clear(ctx, &out);
        return status;
    }
    out.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    *answers = out;
    return SWQ_OK;
}

static void fraction_clear(swq_context *ctx, swq_fraction *f)
{
    swq_free(ctx, f->numerator);
    swq_free(ctx, f->denominator);
}

void swq_netchain_fractions_clear(swq_context *ctx, swq_netchain_fractions *a)
{
    swq_fraction *one[] = {&a->load,       &a->discard,   &a->throughput,
                           &a->saturation, &a->refusal,   &a->mean_packets,
                           &a->mean_delay, &a->mean_held, &a->mean_source_wait};

    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        fraction_clear(ctx, one[k]);
    for (int k = 0; k < SWQ_MAX_STAGES; k++)
        fraction_clear(ctx, &a->packets[k]);
    *a = (swq_netchain_fractions){0};
}
