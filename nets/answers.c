/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a network's chain to its answers.
 */
#include "base/context.h"
#include "base/probability.h"
#include "nets/chain.h"
#include "solvers/width.h"

#include <float.h>
#include <math.h>
#include <time.h>

/* Rounding per state of a sum over states in long double, in units of a double's rounding. */
#define SUMMING (LDBL_MANT_DIG >= 64 ? 0x1p-11 : 1)

/* A solved chain. */
typedef struct {
    swq_context *ctx;
    const swq_netchain *chain;
    const swq_solution *solution;
    double *work; /* [states] */
    swq_netchain_answers *a;
} weighing;

/* The mean of a count per cycle in the whole network: the switches in the chain represent all
 * switches of their stage. */
static swq_status mean_count(weighing *w, bool reception, int stage, swq_netcount count,
                             double *mean)
{
    const swq_netplan *p = &w->chain->plan;
    const double share = (double)p->per_stage / swq_netplan_present(p, stage);
    long double sum = 0;
    swq_status status = swq_netchain_expect(w->ctx, w->chain, reception, stage, count, w->work);

    for (int64_t k = 0; k < w->solution->states && !status; k++)
        sum += (long double)w->solution->pi[k] * w->work[k];
    *mean = (double)sum * share;
    if (sum > 0 && *mean < SWQ_LEAST)
        w->a->relative_error = INFINITY;
    return status;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static swq_status weigh_stage(weighing *w, int stage, double arrived, double lost, double *sent,
                              double *next_lost)
{
    const swq_netplan *p = &w->chain->plan;
    const swq_intern *states = &w->chain->level[0].node;
    swq_netchain_stage *of = &w->a->stage[stage];
    double busy, stuck;
    long double packets = 0;
    swq_status status = mean_count(w, false, stage, SWQ_NETCOUNT_SENT, sent);

    if (!status)
        status = mean_count(w, false, stage, SWQ_NETCOUNT_LOST, next_lost);
    if (!status)
        status = mean_count(w, false, stage, SWQ_NETCOUNT_BUSY, &busy);
    if (!status)
        status = mean_count(w, false, stage, SWQ_NETCOUNT_STUCK, &stuck);
    if (status)
        return status;
    for (int64_t k = 0; k < states->count; k++)
        packets += (long double)w->solution->pi[k] *
                   swq_netplan_packets(p, stage, swq_intern_state(states, k));
    of->packets = (double)packets / swq_netplan_present(p, stage);
    of->sent = *sent / p->nodes;
    of->blocked = ratio(stuck, busy);
    of->discarded = p->discards ? ratio(lost, arrived) : 0;
    w->a->mean_packets += of->packets * p->per_stage;
    return SWQ_OK;
}

static swq_status weigh(weighing *w)
{
    const swq_netplan *p = &w->chain->plan;
    swq_netchain_answers *a = w->a;
    double accepted = 0, refused = 0, arrived, lost;
    swq_status status = mean_count(w, true, 0, SWQ_NETCOUNT_ACCEPTED, &accepted);

    if (!status)
        status = mean_count(w, true, 0, SWQ_NETCOUNT_REFUSED, &refused);
    arrived = accepted + refused;
    lost = refused;
    for (int stage = 0; stage < p->stages && !status; stage++) {
        double sent = 0, next_lost = 0;
        status = weigh_stage(w, stage, arrived, lost, &sent, &next_lost);
        arrived = sent;
        lost = next_lost;
        if (stage + 1 <
            p->stages) /* losses are counted at the next stage's switches in the chain */
            lost *= (double)swq_netplan_present(p, stage) / swq_netplan_present(p, stage + 1);
    }
    if (status)
        return status;
    a->refusal = ratio(refused, accepted + refused);
    a->mean_held = p->discards ? 0 : refused; /* refused packets are held until the next cycle */
    a->mean_delay = accepted > 0 ? 1 + a->mean_packets / accepted : NAN;
    a->mean_source_wait = accepted > 0 ? a->mean_held / accepted : NAN;
    return SWQ_OK;
}

/* ---- the two figures with bounds of their own ---- */

/* reward[0]: packets delivered per node and cycle; reward[1]: packets lost per packet created. */
static swq_status make_rewards(swq_context *ctx, const swq_netchain *c, double created,
                               double *reward[2], double *work)
{
    const swq_netplan *p = &c->plan;
    const int64_t states = c->level[0].node.count;
    const int last = p->stages - 1;
    swq_status status = swq_netchain_expect(ctx, c, false, last, SWQ_NETCOUNT_SENT, reward[0]);

    for (int64_t k = 0; k < states && !status; k++)
        reward[0][k] /= (double)swq_netplan_present(p, last) * p->ports;
    for (int stage = 0; stage < p->stages && p->discards && !status; stage++) {
        const swq_netcount count = stage == 0 ? SWQ_NETCOUNT_REFUSED : SWQ_NETCOUNT_LOST;
        status = swq_netchain_expect(ctx, c, stage == 0, stage == 0 ? 0 : stage - 1, count, work);
        for (int64_t k = 0; k < states && created > 0 && !status; k++)
            reward[1][k] += work[k] * p->per_stage / swq_netplan_present(p, stage) / created;
    }
    return status;
}

static swq_mean widened(const swq_mean *m, double slack)
{
    return (swq_mean){m->value, m->lower * (1 - slack), m->upper * (1 + slack)};
}

static swq_status check_width(swq_context *ctx, const swq_exact_options *options,
                              const swq_mean *headline, swq_netchain_answers *a)
{
    const swq_status status =
        swq_width_check(ctx, a->solver, &options->solving, swq_mean_width(headline));

    a->converged = a->converged && !status;
    return status;
}

static void take_headlines(const swq_netchain *c, const swq_solution *s, double created,
                           swq_netchain_answers *a)
{
    const double slack =
        (2.0 * c->plan.nodes + 16) * 0x1p-52; /* roundings of sums of loads and of quotients */

    a->throughput = widened(&s->mean[0], slack);
    a->throughput.upper = fmin(a->throughput.upper, 1);
    if (c->plan.discards && created > 0) {
        a->discard = widened(&s->mean[1], slack);
        a->discard.upper = fmin(a->discard.upper, 1);
        if (s->mean[1].upper > 0)
            swq_mean_widen(4, &a->discard);
    }
}

static void describe(const swq_netchain *c, const swq_solution *s, swq_netchain_answers *a)
{
    *a = (swq_netchain_answers){
        .nodes = c->plan.nodes,
        .stages = c->plan.stages,
        .saturation = {NAN, NAN, NAN},
        .states = s->states,
        .transient = s->transient,
        .period = s->period,
        .transitions = s->transitions,
        .entries = c->entries,
        .intermediates = c->intermediates,
        .factors = c->plan.events,
        .solver = s->solver,
        .why = s->why,
        .iterations = s->iterations,
        .residual = s->residual,
        .converged = s->converged,
        .relative_error =
            2 * s->pi_error +
            2 * (c->roundings + c->count_roundings + 40 + SUMMING * (double)s->states) * 0x1p-53,
    };
    swq_netplan_size(&c->plan, &c->renamings, &a->foreseen);
}

/* Solve a chain that has been generated; the caller frees the arrays in `memory`. */
static swq_status solve_chain(swq_context *ctx, const swq_netchain *c,
                              const swq_exact_options *options, double *memory,
                              swq_netchain_answers *a)
{
    const int64_t states = c->level[0].node.count;
    double *reward[2] = {memory, memory + states}, created = 0;
    swq_solution solution = {0};
    const swq_product product = {c->plan.events, c->factor, c->count_roundings, false};

    for (uint32_t n = 0; n < c->plan.nodes; n++)
        created += c->plan.node_load[n];
    swq_status status = make_rewards(ctx, c, created, reward, memory + 2 * states);
    if (!status)
        status =
            swq_solve_product(ctx, &product, NULL, options->solver, &options->solving,
                              (const double *const *)reward, c->plan.discards ? 2 : 1, &solution);
    if (!solution.pi || !solution.mean)
        return status;
    describe(c, &solution, a);
    weighing w = {ctx, c, &solution, memory + 2 * states, a};
    swq_status weighed = weigh(&w);
    take_headlines(c, &solution, created, a);
    if (weighed)
        status = weighed;
    else if (!status)
        status = check_width(ctx, options, c->plan.discards ? &a->discard : &a->throughput, a);
    swq_solution_clear(ctx, &solution);
    return status;
}

static swq_status solve_one(swq_context *ctx, const swq_network *network,
                            const swq_exact_options *options, swq_netchain_answers *a)
{
    swq_netchain *chain = NULL;
    swq_status status = swq_netchain_generate(ctx, network, options->reduce, &chain);
    double *memory =
        status ? NULL : swq_calloc(ctx, (size_t)chain->level[0].node.count, 3 * sizeof *memory);

    if (!status)
        status = memory ? solve_chain(ctx, chain, options, memory, a) : swq_memory_status(ctx);
    swq_free(ctx, memory);
    swq_netchain_free(ctx, chain);
    return status;
}

/* The throughput if every source with a load always has a packet. */
static swq_status saturate(swq_context *ctx, const swq_network *network,
                           const swq_exact_options *options, swq_netchain_answers *a)
{
    swq_network full = *network;
    swq_netchain_answers saturated = {0};
    double load[SWQ_NETCHAIN_NODES];

    if (!network->traffic.node_load && (network->traffic.load == 0 || network->traffic.load == 1)) {
        a->saturation = a->throughput; /* sources already have always, or never, a packet */
        return SWQ_OK;
    }
    full.traffic.load = 1;
    if (network->traffic.node_load) {
        for (uint32_t n = 0; n < a->nodes; n++)
            load[n] = network->traffic.node_load[n] > 0;
        full.traffic.node_load = load;
    }
    swq_status status = solve_one(ctx, &full, options, &saturated);
    if (status == SWQ_EREDUCIBLE || status == SWQ_EPERIODIC)
        return SWQ_OK;
    if (!status || status == SWQ_ECONVERGE) {
        a->saturation = saturated.throughput;
        a->converged = a->converged && saturated.converged;
    }
    return status;
}

static swq_status check_answers(swq_context *ctx, const swq_netchain_answers *a)
{
    const struct {
        const char *what;
        double value;
    } headlines[] = {{"discard probability", a->discard.value},
                     {"throughput of a node", a->throughput.value},
                     {"saturation throughput of a node", a->saturation.value},
                     {"refusal probability", a->refusal}};
    swq_status status = SWQ_OK;

    for (size_t k = 0; k < sizeof headlines / sizeof *headlines && !status; k++)
        status = swq_probability_check(ctx, headlines[k].what, headlines[k].value, 0);
    return status;
}

swq_status swq_netchain_solve(swq_context *ctx, const swq_network *network,
                              const swq_exact_options *options, swq_netchain_answers *answers)
{
    const clock_t began = clock();
    swq_netchain_answers out = {0};
    swq_status status = solve_one(ctx, network, options, &out);

    if (network->sw.flow == SWQ_BLOCK && (!status || status == SWQ_ECONVERGE)) {
        swq_status again = saturate(ctx, network, options, &out);
        status = again ? again : status;
    }
    if (!status)
        status = check_answers(ctx, &out);
    if (status && status != SWQ_ECONVERGE)
        return status;
    out.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    *answers = out;
    return status;
}
