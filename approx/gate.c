/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate of all methods: compares a spec's rows and choices with the lists of a method's row
 * (swq_approx_takes).
 */
#include "approx/methods.h"

#include "models/arbiters/arbiters.h"
#include "models/buffers/buffers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const swq_fabric_kind *const approx_multistage[] = {&swq_fabric_multistage, NULL};
const swq_buffer_kind *const approx_all_buffers[] = {
    &swq_buffer_fifo,
    &swq_buffer_samq,
    &swq_buffer_safc,
    &swq_buffer_damq,
    &swq_buffer_dafc,
    &swq_buffer_cbda,
    NULL,
};
const swq_buffer_kind *const approx_fifo_buffers[] = {&swq_buffer_fifo, NULL};
const swq_pattern *const approx_uniform[] = {&swq_pattern_uniform, NULL};
const swq_arbiter *const approx_longest[] = {&swq_arbiter_rotating, &swq_arbiter_longest, NULL};
const swq_arbiter *const approx_fair[] = {
    &swq_arbiter_random,  &swq_arbiter_random_outputs,
    &swq_arbiter_maximum, &swq_arbiter_islip,
    &swq_arbiter_pim,     NULL,
};

/* ---- lists ---- */

/* Lists of rows are arrays of pointers to structs whose first member is the name. */
typedef const void *const *gate_rows;

static bool among(gate_rows list, const void *row)
{
    for (; list && *list; list++) {
        if (*list == row)
            return true;
    }
    return false;
}

static void append(char *text, size_t size, const char *words)
{
    assert(text);
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s", words);
}

/* "a, b or c" */
static void append_names(char *text, size_t size, gate_rows list)
{
    for (int k = 0; list && list[k]; k++) {
        append(text, size, k == 0 ? "" : list[k + 1] ? ", " : " or ");
        append(text, size, *(const char *const *)list[k]);
    }
}

/* "the topology must be torus or mesh, not tree"; `is` NULL: the choice has no name. */
static const char *must_be(char *text, size_t size, const char *what, gate_rows list,
                           const char *is)
{
    snprintf(text, size, "the %s must be ", what);
    append_names(text, size, list);
    if (is) {
        append(text, size, ", not ");
        append(text, size, is);
    }
    return text;
}

/* ---- buffers ---- */

/* Is the buffer made by this preset, apart from limits of its queues? A single queue has one
 * reader, whatever buffer->read is, and may take the whole buffer. */
static bool is_of(const swq_buffer *b, const swq_buffer_kind *kind)
{
    if (b->scope != kind->scope || b->queues != kind->queues)
        return false;
    return b->queues == SWQ_ONE_QUEUE ||
           (b->read == kind->read && swq_buffer_partitioned(b) == kind->partitioned);
}

static bool is_among(const swq_buffer *b, const swq_buffer_kind *const *kinds)
{
    for (int k = 0; kinds && kinds[k]; k++) {
        if (is_of(b, kinds[k]))
            return true;
    }
    return !kinds;
}

static bool has_limits(const swq_buffer *b)
{
    return b->alpha > 0 ||
           (!swq_buffer_partitioned(b) && (b->queue_min > 0 || b->queue_max < b->capacity));
}

/* ---- the choices of synchronous networks ---- */

static const char *buffer_objection(const swq_approx_takes *takes, const swq_switch *sw, char *text,
                                    size_t size)
{
    const swq_buffer *b = &sw->buffer;

    if (!is_among(b, takes->buffers))
        return must_be(text, size, "buffer", (gate_rows)takes->buffers, NULL);
    const swq_pool_rule *rule = swq_buffer_pool_rule(b);
    const swq_admission_rule *admission = swq_buffer_admission(b);
    if (b->scope == SWQ_POOL && rule->needs & ~takes->needs) {
        snprintf(text, size, "the pool rule must be another one than %s", rule->name);
        return text;
    }
    if (admission->needs & ~takes->needs) {
        snprintf(text, size, "the admission must be another one than %s", admission->name);
        return text;
    }
    if (has_limits(b) && !(takes->limits & (b->scope == SWQ_POOL ? SWQ_TAKES_LIMITS_OF_POOLS
                                                                 : SWQ_TAKES_LIMITS_AT_INPUTS))) {
        snprintf(text, size, "the queues of a %s must have no limits of their own (%s%s)",
                 b->scope == SWQ_POOL ? "pool" : "buffer",
                 admission->set ? "admission " : "queue-min, queue-max, alpha",
                 admission->set ? admission->name : "");
        return text;
    }
    return NULL;
}

static const char *flow_objection(unsigned takes, const swq_switch *sw, char *text, size_t size)
{
    static const char *const words[] = {"discard with credit same", "discard with credit next",
                                        "block with credit same", "block with credit next"};
    const int is = 2 * (sw->flow == SWQ_BLOCK) + (sw->credit == SWQ_CREDIT_NEXT);

    if (takes >> is & 1)
        return NULL;
    snprintf(text, size, "the flow must be ");
    for (int k = 0, before = 0; k < 4; k++) {
        if (!(takes >> k & 1))
            continue;
        append(text, size, before++ ? " or " : "");
        append(text, size, words[k]);
    }
    append(text, size, ", not ");
    append(text, size, words[is]);
    return text;
}

/* Why the approximation does not take the switch's arbiter, as text; NULL: it does. A pool's
 * arbiter does not matter, since all queues of a pool send. */
static const char *arbiter_objection(const swq_approx_takes *takes, const swq_switch *sw,
                                     char *text, size_t size)
{
    const swq_buffer *b = &sw->buffer;
    const bool choice = b->queues == SWQ_QUEUE_PER_OUTPUT && b->read == SWQ_READ_ONE;

    if (!takes->arbiters || b->scope == SWQ_POOL || among((gate_rows)takes->arbiters, sw->arbiter))
        return NULL;
    if (!choice && among((gate_rows)takes->at_single_queues, sw->arbiter))
        return NULL;
    must_be(text, size, "arbiter", (gate_rows)takes->arbiters, NULL);
    if (!choice && takes->at_single_queues) {
        append(text, size, ", or ");
        append_names(text, size, (gate_rows)takes->at_single_queues);
    }
    append(text, size, ", not ");
    append(text, size, sw->arbiter->name);
    return text;
}

static const char *hot_spot_objection(const swq_approx_takes *takes, const swq_traffic *t)
{
    int hot = 0;

    for (int k = 0; k < t->hot_spots; k++)
        hot += t->hot[k].fraction > 0;
    if (hot > takes->most_hot_spots)
        return takes->most_hot_spots ? "traffic must have one hot spot, not several"
                                     : "traffic must be uniform, without hot spots";
    return t->hot_spots < takes->least_hot_spots ? "traffic must have a hot spot" : NULL;
}

/* All methods are for switches of one architecture. */
static const void *const approx_architectures[] = {&swq_input_queued, NULL};

const char *approx_objection(const swq_approx_method *method, const swq_network *network,
                             char *text, size_t size)
{
    const swq_approx_takes *takes = method->takes;
    const swq_traffic *t = &network->traffic;
    const char *objection = NULL;

    if (!among((gate_rows)takes->fabrics, network->shape.kind))
        return must_be(text, size, "topology", (gate_rows)takes->fabrics,
                       swq_shape_name(&network->shape));
    if (!among((gate_rows)takes->patterns, t->pattern))
        return must_be(text, size, "traffic", (gate_rows)takes->patterns, t->pattern->name);
    if (swq_switch_architecture(&network->sw) != swq_architectures[0])
        return must_be(text, size, "architecture", approx_architectures,
                       network->sw.architecture->name);
    objection = hot_spot_objection(takes, t);
    const int most_ports = takes->most_ports ? takes->most_ports : SWQ_CHAIN_PORTS;
    if (!objection && network->sw.ports > most_ports) {
        snprintf(text, size, "switches must have at most %d ports", most_ports);
        objection = text;
    }
    if (!objection && !takes->priorities &&
        (network->sw.priority.fraction > 0 || network->sw.priority.support))
        objection = "packets of high priority (high, priority) are in methods classes and "
                    "exact-chains alone";
    if (!objection)
        objection = arbiter_objection(takes, &network->sw, text, size);
    if (!objection)
        objection = buffer_objection(takes, &network->sw, text, size);
    if (!objection)
        objection = flow_objection(takes->flows, &network->sw, text, size);
    if (!objection && method->objection)
        objection = method->objection(network, text, size);
    return objection;
}

/* ---- the rows of asynchronous networks ---- */

static const char *pattern_objection(const swq_approx_takes *takes, const swq_sender_group *g,
                                     char *text, size_t size)
{
    for (int t = 0; t < g->types && !g->silent; t++) {
        const swq_message_type *type = &g->type[t];
        if (type->probability > 0 &&
            (type->aim != SWQ_AIM_PATTERN || !among((gate_rows)takes->patterns, type->pattern)))
            return must_be(text, size, "traffic", (gate_rows)takes->patterns,
                           type->aim == SWQ_AIM_PATTERN ? type->pattern->name
                                                        : "to hot spots or chosen nodes");
    }
    return NULL;
}

const char *approx_objection_async(const swq_approx_method *method, const swq_async *network,
                                   char *text, size_t size)
{
    const swq_approx_takes *takes = method->takes;
    const char *objection = NULL;

    if (!among((gate_rows)takes->fabrics, network->shape.kind))
        return must_be(text, size, "topology", (gate_rows)takes->fabrics,
                       network->shape.kind->name);
    if (!method->run_async)
        return "it is for synchronous networks";
    if (!is_among(&network->memory.buffer, takes->buffers))
        return must_be(text, size, "buffer", (gate_rows)takes->buffers, NULL);
    if (takes->arbiters && !among((gate_rows)takes->arbiters, network->arbiter.row))
        return must_be(text, size, "arbiter", (gate_rows)takes->arbiters,
                       network->arbiter.row->name);
    /* no method supports other architectures yet */
    if (network->architecture.row != swq_architectures[0])
        return must_be(text, size, "architecture",
                       (gate_rows)(const swq_architecture *const[]){swq_architectures[0], NULL},
                       network->architecture.row->name);
    /* no method supports managements */
    if (network->management.row && network->management.row != swq_managements[0])
        return must_be(text, size, "management",
                       (gate_rows)(const swq_management *const[]){swq_managements[0], NULL},
                       network->management.row->name);
    if (network->memory.last_blocks > 0)
        return "all buffers must be alike: no method has larger ones in the last stage "
               "(last-bytes)";
    if (network->packet.piece > 0 && network->packet.piece < network->packet.max)
        return "packets must go whole: no method has pieces";
    if (swq_shape_adaptive(&network->shape)) /* no method supports adaptive routing */
        return must_be(text, size, "routing",
                       (gate_rows)(const swq_routing *const[]){swq_routings[0], NULL},
                       network->shape.routing->name);
    if (network->sender.row) {
        snprintf(text, size, "senders must not be held back, as by sender %s",
                 network->sender.row->name);
        return text;
    }
    if (!among((gate_rows)takes->hop_flows, network->flow.row))
        return must_be(text, size, "flow", (gate_rows)takes->hop_flows, network->flow.row->name);
    for (int g = 0; g < network->traffic.groups && !objection; g++)
        objection = pattern_objection(takes, &network->traffic.group[g], text, size);
    return objection;
}
