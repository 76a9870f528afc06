/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods, the features that no method supports, and running a method on a checked
 * spec.
 */
#include "approx/methods.h"

#include "base/context.h"
#include "base/names.h"
#include "base/probability.h"
#include "sim/measure/beyond.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* All methods of approximation, switchq's own ones first: if no method is named, the first method
 * that accepts the network is used. */
const swq_approx_method *const swq_approx_methods[] = {
    &approx_shared_memory, &approx_links,       &approx_hot_tree,   &approx_classes,
    &approx_exact_chains,  &approx_small_cycle, &approx_yoon,       &approx_jenq,
    &approx_waits,         &approx_unbuffered,  &approx_grid_waits, NULL,
};

swq_status swq_approx_find(swq_context *ctx, const char *name, const swq_approx_method **method)
{
    *method = swq_name_lookup(ctx, "method", name, (const void *const *)swq_approx_methods);
    return *method ? SWQ_OK : SWQ_EINVAL;
}

/* A feature of the spec that no method supports; NULL: there is none. */
static const char *beyond_all(const swq_network *n)
{
    const swq_traffic *t = &n->traffic;

    if (t->node_load)
        return "all sources must have the same load";
    if (t->kind != SWQ_SOURCE_HOLD)
        return "sources must hold one packet (sources hold)";
    if (t->burst > 1)
        return "sources must not send bursts";
    if (n->resend)
        return "discarded packets must be lost, not sent again (resend)";
    if (n->stale)
        return "a stale count is in none of the methods";
    return NULL;
}

/* The first of our methods without objection. If there is none, the first objection is reported,
 * preferably the objection of a method for as many ports and the same number of hot spots. */
static swq_status choose(swq_context *ctx, const swq_network *network,
                         const swq_approx_method **method)
{
    const int hot_spots = network->traffic.hot_spots > 0;
    char text[300], told[360] = "";
    int told_fits = -1; /* how well the method of `told` fits; -1: none yet */
    /* packets of high priority need a method that takes them, which is not the first method without
     * them */
    const bool classes = network->sw.priority.fraction > 0 || network->sw.priority.support;

    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_approx_method *m = swq_approx_methods[k];
        const bool taken =
            (classes ? m->takes->priorities : m->ours) && network->sw.ports > m->chosen_above;
        const char *objection = taken ? approx_objection(m, network, text, sizeof text) : "";
        if (!objection) {
            *method = m;
            return SWQ_OK;
        }
        const bool large =
            network->sw.ports > SWQ_CHAIN_PORTS && network->sw.ports <= m->takes->most_ports;
        const int fits = 2 * large + (m->takes->least_hot_spots == hot_spots);
        if (taken && fits > told_fits) {
            told_fits = fits;
            snprintf(told, sizeof told, "%s%s%s%s",
                     large ? "for so many ports there is method " : "", large ? m->name : "",
                     large ? " alone: " : "", objection);
        }
    }
    return swq_fail(ctx, SWQ_EINVAL, "none of our approximations covers this network: %s", told);
}

static swq_status refuse(swq_context *ctx, const swq_approx_method *method, const char *objection)
{
    assert(method);
    return swq_fail(ctx, SWQ_EINVAL, "method %s is not for this network: %s", method->name,
                    objection);
}

swq_status approx_check(swq_context *ctx, const swq_approx_result *r)
{
    swq_status status = swq_probability_check(ctx, "throughput of a node", r->throughput, 0);

    if (!status)
        status =
            swq_probability_check(ctx, "fraction of packets discarded", r->discard_fraction, 0);
    if (!status)
        status = swq_probability_check(ctx, "fraction of offers refused", r->refusal, 0);
    for (int s = 0; s < r->stages && !status; s++) {
        const swq_approx_stage *stage = &r->stage[s];
        status = swq_probability_check(ctx, "load of a stage's outputs", stage->sent, 0);
        if (!status)
            status = swq_probability_check(ctx, "fraction blocked at a stage", stage->blocked, 0);
        if (!status)
            status =
                swq_probability_check(ctx, "fraction discarded at a stage", stage->discarded, 0);
    }
    return status;
}

/* Below this load nothing is iterated: packets meet so rarely that the consequences are
 * proportional to the load, and the rounding of probabilities near 1 would be larger. */
#define LIGHT 1e-6

/* Interpolate between the value at load 0 and the value at LIGHT. */
static double between(double none, double light, double part)
{
    return none + (light - none) * part;
}

static void thin_hot_spot(swq_approx_hot_spot *h, int stages, double part)
{
    h->hot_latency = between(stages, h->hot_latency, part);
    h->cold_latency = between(stages, h->cold_latency, part);
    for (int s = 0; s < stages; s++) {
        swq_approx_hot_stage *stage = &h->stage[s];
        stage->on_tree *= part;
        stage->off_tree *= part;
        stage->hot_sent *= part;
        stage->cold_sent *= part;
        stage->hot_delay = between(1, stage->hot_delay, part);
        stage->cold_delay = between(1, stage->cold_delay, part);
    }
}

/* Convert the answer at LIGHT to a lower load: each stage takes a cycle, and a packet that waits or
 * is lost has met one other packet, so that waits and losses are proportional to the load. */
static void thin(swq_approx_result *r, double load)
{
    const double part = load / LIGHT;

    for (int c = 0; c < SWQ_CLASSES && r->classes; c++) {
        r->by_class[c].throughput *= part;
        r->by_class[c].latency = between(r->stages, r->by_class[c].latency, part);
        r->by_class[c].discard_fraction *= part;
    }

    r->throughput = load * between(1, r->throughput / LIGHT, part);
    r->latency = between(r->stages, r->latency, part);
    r->discard_fraction *= part;
    r->refusal *= part;
    r->source_queue *= part * part;
    for (int s = 0; s < r->stages; s++) {
        r->stage[s].occupancy *= part;
        r->stage[s].sent *= part;
        r->stage[s].blocked *= part;
        r->stage[s].discarded *= part;
    }
    if (r->hot.bound > 0)
        thin_hot_spot(&r->hot, r->stages, part);
    r->load = load;
}

/* Raises losses, refusals and source queues that are below 0 to 0. They are differences between
 * packets that enter and leave, which rounding may make negative. */
static void no_less_than_none(swq_approx_result *r)
{
    r->discard_fraction = fmax(r->discard_fraction, 0);
    for (int c = 0; c < SWQ_CLASSES; c++)
        r->by_class[c].discard_fraction = fmax(r->by_class[c].discard_fraction, 0);
    r->refusal = fmax(r->refusal, 0);
    r->source_queue = fmax(r->source_queue, 0);
}

/* What is to be computed: the network, at the load LIGHT at least, and the method. */
static swq_status prepare(swq_context *ctx, const swq_network *network, swq_network *asked,
                          const swq_approx_method **method, uint32_t *nodes)
{
    char text[300];
    swq_status status = swq_network_check(ctx, network, nodes);
    const char *beyond = status ? NULL : beyond_all(network);

    *asked = *network;
    asked->traffic.load = fmax(network->traffic.load, LIGHT);
    if (beyond)
        status = swq_fail(ctx, SWQ_EINVAL, "there is no approximation of this network: %s", beyond);
    if (!status && !*method)
        status = choose(ctx, asked, method);
    assert(status || *method);
    const char *objection = status ? NULL : approx_objection(*method, asked, text, sizeof text);
    return objection ? refuse(ctx, *method, objection) : status;
}

swq_status swq_approx_foresee(swq_context *ctx, const swq_network *network,
                              const swq_approx_method *method, double *seconds)
{
    uint32_t nodes;
    swq_network asked;
    const swq_status status = prepare(ctx, network, &asked, &method, &nodes);

    *seconds = !status && method->seconds ? method->seconds(&asked) : 0;
    return status;
}

swq_status swq_approx_run(swq_context *ctx, const swq_network *network,
                          const swq_approx_method *method, swq_approx_result *result)
{
    uint32_t nodes;
    clock_t start = clock();
    swq_network asked;
    swq_status status = prepare(ctx, network, &asked, &method, &nodes);

    *result = (swq_approx_result){0};
    if (status)
        return status;
    *result = (swq_approx_result){.method = method->name,
                                  .nodes = nodes,
                                  .stages = network->shape.stages,
                                  .load = asked.traffic.load,
                                  .latency = NAN,
                                  .converged = true};
    for (int s = 0; s < network->shape.stages; s++)
        result->stage[s] = (swq_approx_stage){NAN, NAN, NAN, NAN};
    status = method->run(ctx, &asked, result);
    if (network->traffic.load < LIGHT)
        thin(result, network->traffic.load);
    if (!status)
        status = approx_check(ctx, result);
    no_less_than_none(result);
    result->saturated =
        network->sw.flow == SWQ_BLOCK && swq_held_back(result->source_queue, result->throughput);
    result->bytes = swq_context_peak_bytes(ctx);
    result->cpu_seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return status;
}

/* The first of our methods for asynchronous networks without objection; if there is none, the first
 * objection is reported. */
static swq_status choose_async(swq_context *ctx, const swq_async *network,
                               const swq_approx_method **method)
{
    char text[300], told[300] = "";

    for (int k = 0; swq_approx_methods[k]; k++) {
        const swq_approx_method *m = swq_approx_methods[k];
        if (!m->ours || !m->run_async)
            continue;
        const char *objection = approx_objection_async(m, network, text, sizeof text);
        if (!objection) {
            *method = m;
            return SWQ_OK;
        }
        if (!*told)
            snprintf(told, sizeof told, "%s", objection);
    }
    return swq_fail(ctx, SWQ_EINVAL, "none of our approximations covers this network: %s", told);
}

swq_status swq_approx_run_async(swq_context *ctx, const swq_async *network,
                                const swq_approx_method *method, swq_approx_torus_result *result)
{
    char text[300];
    uint32_t nodes;
    swq_status status = swq_async_check(ctx, network, &nodes);

    if (!status && !method)
        status = choose_async(ctx, network, &method);
    if (status)
        return status;
    assert(method);
    const char *objection = approx_objection_async(method, network, text, sizeof text);
    status = objection ? refuse(ctx, method, objection) : method->run_async(ctx, network, result);
    if (status)
        return status;
    result->method = method->name;
    status = swq_probability_check(ctx, "throughput of a node", result->throughput, 0);
    return status ? status
                  : swq_probability_check(ctx, "load of the busiest link", result->utilisation, 0);
}
