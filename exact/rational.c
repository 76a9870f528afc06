/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a spec in rational numbers to answers in rational numbers: read, generate, solve, weight.
 */
#include "switchq/rational.h"

#include "base/context.h"
#include "exact/dixon.h"
#include "exact/numbers.h"
#include "exact/rational_chain.h"
#include "models/gate.h"
#include "models/priority.h"
#include "switchq/chain.h"

#include <stdio.h>
#include <time.h>

static swq_status read_probability(swq_context *ctx, const char *text, mpq_t value,
                                   const char *what, int i, int j)
{
    char where[80];

    if (text && swq_fraction_read(text, value) && mpq_cmp_ui(value, 1, 1) <= 0)
        return SWQ_OK;
    snprintf(where, sizeof where, j < 0 ? "%s of input %d" : "%s of input %d, output %d", what, i,
             j);
    return swq_fail(ctx, SWQ_EINVAL,
                    "%s must be a number from 0 to 1 such as 0.9 or a fraction such as 9/10, not "
                    "'%.60s'",
                    where, text ? text : "");
}

static swq_status read_hotspot(swq_context *ctx, const swq_rational_traffic *t,
                               swq_rational_spec *spec)
{
    int n = spec->sw.ports;
    mpq_t fraction, rest;

    if (t->hot < 0 || t->hot >= n)
        return swq_fail(ctx, SWQ_EINVAL, "hot-spot output must be 0 to %d, not %d", n - 1, t->hot);
    mpq_inits(fraction, rest, NULL);
    bool fine =
        t->fraction && swq_fraction_read(t->fraction, fraction) && mpq_cmp_ui(fraction, 1, 1) <= 0;
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, fraction);
    mpz_mul_ui(mpq_denref(rest), mpq_denref(rest), (unsigned long)n);
    mpq_canonicalize(rest);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            mpq_set(spec->dest[i][j], rest);
        mpq_add(spec->dest[i][t->hot], rest, fraction);
    }
    mpq_clears(fraction, rest, NULL);
    if (fine)
        return SWQ_OK;
    return swq_fail(ctx, SWQ_EINVAL,
                    "hot-spot fraction must be a number from 0 to 1 or a fraction, not '%.60s'",
                    t->fraction ? t->fraction : "");
}

static swq_status read_matrix(swq_context *ctx, const swq_rational_traffic *t,
                              swq_rational_spec *spec)
{
    int n = spec->sw.ports;
    swq_status status = SWQ_OK;
    swq_fraction total = {0};
    mpq_t sum;

    mpq_init(sum);
    for (int i = 0; !status && i < n; i++) {
        mpq_set_ui(sum, 0, 1);
        for (int j = 0; !status && j < n; j++) {
            status = read_probability(ctx, t->matrix[i * n + j], spec->dest[i][j],
                                      "destination probability", i, j);
            mpq_add(sum, sum, spec->dest[i][j]);
        }
        if (status || mpq_cmp_ui(sum, 1, 1) == 0)
            continue;
        status = swq_fraction_write(ctx, mpq_numref(sum), mpq_denref(sum), &total);
        if (!status)
            status = swq_fail(ctx, SWQ_EINVAL,
                              "destination probabilities of input %d must sum to exactly 1, not "
                              "%.60s/%.60s; fractions such as 1/3 may be given",
                              i, total.numerator, total.denominator);
        swq_free(ctx, total.numerator);
        swq_free(ctx, total.denominator);
    }
    mpq_clear(sum);
    return status;
}

static swq_status read_traffic(swq_context *ctx, const swq_rational_traffic *t,
                               swq_rational_spec *spec)
{
    swq_status status = SWQ_OK;

    for (int i = 0; !status && i < spec->sw.ports; i++)
        status = read_probability(ctx, t->load[i], spec->load[i], "load", i, -1);
    if (!status && t->burst &&
        (!swq_fraction_read(t->burst, spec->burst) || mpq_cmp_ui(spec->burst, 1, 1) < 0))
        status =
            swq_fail(ctx, SWQ_EINVAL,
                     "burst must be a number of packets of at least 1 such as 2.5 or a fraction "
                     "such as 5/2, not '%.60s'",
                     t->burst);
    if (!status && t->pattern == SWQ_RATIONAL_HOTSPOT)
        status = read_hotspot(ctx, t, spec);
    else if (!status && t->pattern == SWQ_RATIONAL_MATRIX)
        status = read_matrix(ctx, t, spec);
    else if (!status)
        for (int i = 0; i < spec->sw.ports; i++) {
            for (int j = 0; j < spec->sw.ports; j++)
                mpq_set_ui(spec->dest[i][j], 1, (unsigned long)spec->sw.ports);
        }
    return status;
}

/* Sums over the stationary vector, whose quotients are the answers. */
typedef struct {
    mpz_t all; /* sum of the vector itself */
    mpz_t packets, held, accepted, refused;
    mpz_t in[SWQ_CHAIN_PORTS], out[SWQ_CHAIN_PORTS]; /* by class of inputs */
    int ports;
} rational_sums;

static void sums_begin(rational_sums *s, int ports)
{
    s->ports = ports;
    mpz_inits(s->all, s->packets, s->held, s->accepted, s->refused, NULL);
    for (int i = 0; i < ports; i++)
        mpz_inits(s->in[i], s->out[i], NULL);
}

static void sums_end(rational_sums *s)
{
    mpz_clears(s->all, s->packets, s->held, s->accepted, s->refused, NULL);
    for (int i = 0; i < s->ports; i++)
        mpz_clears(s->in[i], s->out[i], NULL);
}

static void add_up(const swq_switch *sw, const swq_rational_chain *chain, const swq_integers *y,
                   rational_sums *s, int64_t *bits)
{
    const bool bursts = sw->burst > 1, block = sw->flow == SWQ_BLOCK;
    mpz_t pi;

    mpz_init(pi);
    for (int64_t k = 0; k < chain->p.rows; k++) {
        mpz_mul(pi, y->at[k], chain->p.denominator.at[k]);
        mpz_add(s->all, s->all, pi);
        mpz_addmul_ui(s->packets, pi, (unsigned long)chain->packets[k]);
        mpz_addmul_ui(s->held, pi, (unsigned long)chain->held[k]);
        for (int i = 0; i < s->ports; i++) {
            mpz_addmul(s->in[i], y->at[k], chain->accepted.at[k * s->ports + i]);
            mpz_addmul(s->out[i], y->at[k], chain->refused.at[k * s->ports + i]);
        }
        if ((int64_t)mpz_sizeinbase(pi, 2) > *bits)
            *bits = (int64_t)mpz_sizeinbase(pi, 2);
    }
    for (int i = 0; i < s->ports; i++) {
        mpz_add(s->accepted, s->accepted, s->in[i]);
        mpz_add(s->refused, s->refused, s->out[i]);
    }
    mpz_clear(pi);
    if (bursts && block) /* a packet that a reception refuses is held by its source afterwards */
        mpz_set(s->held, s->refused);
}

/* The probability part / whole; 0 if `whole` is 0, as in swq_answers. */
static swq_status share(swq_context *ctx, const mpz_t part, const mpz_t whole, swq_fraction *out)
{
    mpz_t one;

    if (mpz_sgn(part) < 0 || (mpz_sgn(whole) > 0 && mpz_cmp(part, whole) > 0))
        return swq_fail(ctx, SWQ_EINTERNAL,
                        "internal error: a probability came out below 0 or above 1; this is a "
                        "fault of switchq, please report it");
    if (mpz_sgn(whole) > 0)
        return swq_fraction_write(ctx, part, whole, out);
    mpz_init_set_ui(one, 1);
    swq_status status = swq_fraction_write(ctx, whole, one, out);
    mpz_clear(one);
    return status;
}

static swq_status answer(swq_context *ctx, const swq_switch *sw, const swq_rational_chain *chain,
                         const rational_sums *s, swq_rational_answers *a)
{
    const bool block = sw->flow == SWQ_BLOCK;
    mpz_t offers, zero, scaled;
    swq_status status;

    mpz_inits(offers, zero, scaled, NULL);
    mpz_add(offers, s->accepted, s->refused);
    status = share(ctx, s->refused, offers, &a->refusal);
    if (!status)
        status = share(ctx, block ? zero : s->refused, offers, &a->discard);
    mpz_mul_ui(scaled, s->all, (unsigned long)sw->ports);
    if (!status)
        status = share(ctx, s->accepted, scaled, &a->throughput);
    if (!status)
        status = swq_fraction_write(ctx, s->packets, s->all, &a->mean_packets);
    if (!status)
        status = swq_fraction_write(ctx, s->held, s->all, &a->mean_held);
    mpz_add(scaled, s->packets, s->accepted);
    if (!status && mpz_sgn(s->accepted) > 0)
        status = swq_fraction_write(ctx, scaled, s->accepted, &a->mean_delay);
    if (!status && mpz_sgn(s->accepted) > 0)
        status = swq_fraction_write(ctx, s->held, s->accepted, &a->mean_source_wait);
    for (int i = 0; !status && i < sw->ports; i++) {
        int c = chain->input_class[i];
        mpz_add(offers, s->in[c], s->out[c]);
        status = share(ctx, s->out[c], offers, &a->refusal_input[i]);
    }
    mpz_clears(offers, zero, scaled, NULL);
    return status;
}

/* Generate, solve and weight; on failure *a may hold some answers. */
static swq_status solve_one(swq_context *ctx, const swq_rational_spec *spec, bool reduce,
                            swq_rational_answers *a)
{
    swq_rational_chain chain = {0};
    swq_integers y = {0};
    rational_sums s;

    sums_begin(&s, spec->sw.ports);
    swq_status status = swq_rational_chain_walk(ctx, spec, reduce, &chain);
    if (!status)
        status = swq_dixon_null_vector(ctx, &chain.p, SWQ_DIXON_PRIME, &y);
    if (!status) {
        add_up(&spec->sw, &chain, &y, &s, &a->bits);
        a->states = chain.p.rows + chain.transient;
        a->transient = chain.transient;
        status = answer(ctx, &spec->sw, &chain, &s, a);
    }
    sums_end(&s);
    swq_integers_clear(ctx, &y);
    swq_rational_chain_clear(ctx, &chain);
    return status;
}

/* The throughput if every source with a load always has a packet. Changes the spec. */
static swq_status saturate(swq_context *ctx, swq_rational_spec *spec, bool reduce,
                           swq_rational_answers *a)
{
    swq_rational_answers full = {.ports = a->ports};

    for (int i = 0; i < spec->sw.ports; i++)
        mpq_set_ui(spec->load[i], mpq_sgn(spec->load[i]) > 0, 1);
    swq_rational_spec_mark(spec);
    swq_status status = solve_one(ctx, spec, reduce, &full);
    if (!status) {
        a->saturation = full.throughput;
        full.throughput = (swq_fraction){0};
    }
    swq_rational_answers_clear(ctx, &full);
    return status == SWQ_EREDUCIBLE ? SWQ_OK : status;
}

static const swq_takes takes = {
    .who = "an exact answer in fractions",
    .needs = SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) | SWQ_NEEDS(SWQ_NEED_OUTPUTS) |
             SWQ_NEEDS(SWQ_NEED_STAGES) | SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS),
};

/* Check everything except the probabilities. */
static swq_status check_switch(swq_context *ctx, const swq_switch *sw)
{
    swq_switch usual = *sw;

    for (int i = 0; i < SWQ_CHAIN_PORTS; i++)
        usual.load[i] = 0.5;
    swq_traffic_uniform(&usual);
    const swq_status status = swq_chain_check(ctx, &usual);
    return status ? status : swq_gate_switch(ctx, &takes, &usual);
}

swq_status swq_rational_solve(swq_context *ctx, const swq_switch *sw,
                              const swq_rational_traffic *traffic, bool reduce,
                              swq_rational_answers *answers)
{
    clock_t began = clock();
    swq_rational_answers out = {.ports = sw->ports};
    swq_status status = check_switch(ctx, sw);
    if (!status)
        status = swq_priority_refuse(ctx, &sw->priority, "the chain in exact fractions");
    if (status)
        return status;
    swq_rational_spec *spec = swq_calloc(ctx, 1, sizeof *spec);
    if (!spec)
        return swq_memory_status(ctx);
    swq_numbers_begin(ctx);
    swq_rational_spec_init(spec, sw);
    status = read_traffic(ctx, traffic, spec);
    for (int i = 0; !status && i < sw->ports; i++)
        status = swq_fraction_write(ctx, mpq_numref(spec->load[i]), mpq_denref(spec->load[i]),
                                    &out.load[i]);
    if (!status) {
        swq_rational_spec_mark(spec);
        status = solve_one(ctx, spec, reduce, &out);
    }
    if (!status && sw->flow == SWQ_BLOCK)
        status = saturate(ctx, spec, reduce, &out);
    swq_rational_spec_clear(spec);
    swq_numbers_end();
    swq_free(ctx, spec);
    if (status) {
        swq_rational_answers_clear(ctx, &out);
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

void swq_rational_answers_clear(swq_context *ctx, swq_rational_answers *a)
{
    swq_fraction *one[8] = {&a->discard,      &a->throughput, &a->saturation, &a->refusal,
                            &a->mean_packets, &a->mean_delay, &a->mean_held,  &a->mean_source_wait};

    for (int k = 0; k < 8; k++)
        fraction_clear(ctx, one[k]);
    for (int i = 0; i < a->ports; i++) {
        fraction_clear(ctx, &a->refusal_input[i]);
        fraction_clear(ctx, &a->load[i]);
    }
    *a = (swq_rational_answers){0};
}
