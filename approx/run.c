/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of methods, what no method can do, and running one on a checked spec.
 * Room: approx. Includes base, sim for the check of the spec.
 */
#include "approx/methods.h"

#include "base/context.h"
#include "base/names.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Our own first: the first one without objection is what is used when none is named. */
const swq_approx_method *const swq_approx_methods[] = {
    &approx_links,       &approx_hot_tree,   &approx_exact_chains,
    &approx_small_cycle, &approx_yoon,       &approx_jenq,
    &approx_waits,       &approx_unbuffered, NULL,
};

swq_status swq_approx_find(swq_context *ctx, const char *name, const swq_approx_method **method)
{
    *method = swq_name_lookup(ctx, "method", name, (const void *const *)swq_approx_methods);
    return *method ? SWQ_OK : SWQ_EINVAL;
}

/* What every method takes for granted; NULL: the spec is like that. */
static const char *beyond_all(const swq_network *n)
{
    const swq_traffic *t = &n->traffic;

    if (t->pattern != &swq_pattern_uniform)
        return "traffic must be uniform, or a hot spot on top of it";
    if (t->node_load)
        return "all sources must have the same load";
    if (t->kind != SWQ_SOURCE_HOLD)
        return "sources must hold one packet (sources hold)";
    if (t->burst > 1)
        return "sources must not send bursts";
    if (t->high_fraction > 0 || n->support)
        return "priorities are in none of the methods";
    if (n->resend)
        return "discarded packets must be lost, not sent again";
    if (n->stale)
        return "a stale count is in none of the methods";
    return NULL;
}

/* In our models the arbiter visits inputs in turn, or at random, and each sends from its longest
 * queue. Where a buffer has one queue, or a read port for each, only who comes first is left to
 * choose. */
static const char *serves_longest(const swq_switch *sw, char *text, size_t size)
{
    static const char *const fitting[] = {"rotating", "longest"};
    static const char *const fair[] = {"random", "random-outputs", "maximum", "islip", "pim"};
    const swq_buffer *b = &sw->buffer;
    const char *name = sw->arbiter->name;
    bool choice = b->queues == SWQ_QUEUE_PER_OUTPUT && b->read == SWQ_READ_ONE;

    if (b->scope == SWQ_POOL)
        return NULL;
    for (size_t k = 0; k < sizeof fitting / sizeof *fitting; k++) {
        if (strcmp(name, fitting[k]) == 0)
            return NULL;
    }
    for (size_t k = 0; k < sizeof fair / sizeof *fair && !choice; k++) {
        if (strcmp(name, fair[k]) == 0)
            return NULL;
    }
    snprintf(text, size, "the arbiter must be rotating or longest%s, not %s",
             choice ? "" : " (or random, random-outputs, maximum, islip, pim)", name);
    return text;
}

static const char *objection_to(const swq_approx_method *m, const swq_network *n, char *text,
                                size_t size)
{
    const char *common = m->ours ? serves_longest(&n->sw, text, size) : NULL;

    return common ? common : m->objection(n, text, size);
}

/* The first of ours without objection; an objection is told when there is none. */
static swq_status choose(swq_context *ctx, const swq_network *network,
                         const swq_approx_method **method)
{
    char text[200], first[200] = "";

    for (int k = 0; swq_approx_methods[k]; k++) {
        if (!swq_approx_methods[k]->ours)
            continue;
        const char *objection = objection_to(swq_approx_methods[k], network, text, sizeof text);
        if (!objection) {
            *method = swq_approx_methods[k];
            return SWQ_OK;
        }
        /* of a network with hot spots, what the method for them says */
        if (!*first || network->traffic.hot_spots)
            snprintf(first, sizeof first, "%s", objection);
    }
    return swq_fail(ctx, SWQ_EINVAL, "there is no approximation of this network of ours: %s",
                    first);
}

swq_status swq_approx_run(swq_context *ctx, const swq_network *network,
                          const swq_approx_method *method, swq_approx_result *result)
{
    char text[200];
    uint32_t nodes;
    clock_t start = clock();
    swq_status status = swq_network_check(ctx, network, &nodes);
    const char *beyond = status ? NULL : beyond_all(network);

    *result = (swq_approx_result){0};
    if (beyond)
        status = swq_fail(ctx, SWQ_EINVAL, "there is no approximation of this network: %s", beyond);
    if (!status && !method)
        status = choose(ctx, network, &method);
    assert(status || method);
    const char *objection = status ? NULL : objection_to(method, network, text, sizeof text);
    if (objection)
        status = swq_fail(ctx, SWQ_EINVAL, "method %s is not for this network: %s", method->name,
                          objection);
    if (status)
        return status;
    *result = (swq_approx_result){.method = method->name,
                                  .nodes = nodes,
                                  .stages = network->stages,
                                  .load = network->traffic.load,
                                  .latency = NAN,
                                  .converged = true};
    for (int s = 0; s < network->stages; s++)
        result->stage[s] = network->traffic.load > 0 ? (swq_approx_stage){NAN, NAN, NAN, NAN}
                                                     : (swq_approx_stage){0, 0, NAN, NAN};
    if (network->traffic.load > 0)
        status = method->run(ctx, network, result);
    result->bytes = swq_context_peak_bytes(ctx);
    result->cpu_seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return status;
}
