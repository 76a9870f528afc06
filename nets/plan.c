/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the plan: follow the wires, compute the probabilities of digits, and assign words.
 */
#include "nets/plan.h"

#include "base/context.h"

#include <assert.h>
#include <math.h>

static swq_netswitch *switch_of(const swq_netplan *p, int stage, uint32_t line)
{
    return &p->at[stage * p->per_stage + (int)(line / (uint32_t)p->ports)];
}

static int output_for(const swq_netplan *p, int stage, uint32_t node)
{
    int digit = p->network->shape.wiring->digit(p->stages, stage);

    while (digit-- > 0)
        node /= (uint32_t)p->ports;
    return (int)(node % (uint32_t)p->ports);
}

/* ---- wires ---- */

static void connect(swq_netplan *p)
{
    const swq_topology *t = p->network->shape.wiring;
    const uint32_t k = (uint32_t)p->ports;

    for (uint32_t node = 0; node < p->nodes; node++) {
        uint32_t line = t->wire(p->ports, p->stages, 0, node);
        swq_netswitch *s = switch_of(p, 0, line);
        s->source[line % k] = node;
        s->before[line % k] = -1;
    }
    for (int stage = 0; stage < p->stages; stage++) {
        for (uint32_t line = 0; line < p->nodes; line++) {
            swq_netswitch *from = switch_of(p, stage, line);
            uint32_t end = t->wire(p->ports, p->stages, stage + 1, line);
            from->behind[line % k] = -1;
            from->sink[line % k] = end;
            if (stage == p->stages - 1)
                continue;
            swq_netswitch *to = switch_of(p, stage + 1, end);
            from->behind[line % k] = (int)(to - p->at);
            from->behind_input[line % k] = (int)(end % k);
            to->before[end % k] = (int)(from - p->at);
            to->before_output[end % k] = (int)(line % k);
        }
    }
}

/* Find which packets pass through each switch, by following the route of every pair of nodes. */
static void follow_ways(swq_netplan *p)
{
    const swq_topology *t = p->network->shape.wiring;

    for (uint32_t from = 0; from < p->nodes; from++) {
        for (uint32_t to = 0; to < p->nodes; to++) {
            uint32_t line = t->wire(p->ports, p->stages, 0, from);
            for (int stage = 0; stage < p->stages; stage++) {
                swq_netswitch *s = switch_of(p, stage, line);
                const int output = output_for(p, stage, to);
                s->sources |= (uint64_t)1 << from;
                s->origin[line % (uint32_t)p->ports] |= (uint64_t)1 << from;
                s->sinks |= (uint64_t)1 << to;
                s->reach[output] |= (uint64_t)1 << to;
                line += (uint32_t)output - line % (uint32_t)p->ports;
                line = t->wire(p->ports, p->stages, stage + 1, line);
            }
            assert(line == to);
        }
    }
}

/* ---- traffic ---- */

static void find_destinations(swq_netplan *p)
{
    const swq_traffic *t = &p->network->traffic;
    double rest = 1;

    for (int h = 0; h < t->hot_spots; h++)
        rest -= t->hot[h].fraction;
    for (uint32_t n = 0; n < p->nodes; n++) {
        p->node_probability[n] = (rest > 0 ? rest : 0) / p->nodes;
        p->node_load[n] = t->node_load ? t->node_load[n] : t->load;
    }
    for (int h = 0; h < t->hot_spots; h++)
        p->node_probability[t->hot[h].node] += t->hot[h].fraction;
}

static bool all_alike(const swq_netplan *p)
{
    for (uint32_t n = 1; n < p->nodes; n++) {
        if (p->node_probability[n] != p->node_probability[0] || p->node_load[n] != p->node_load[0])
            return false;
    }
    return true;
}

/* All packets that pass a switch have the same earlier digits, whatever their source: the
 * probabilities of the digit that the switch looks at follow from the probabilities of the nodes
 * that can still be reached. */
static void set_digits(const swq_netplan *p, swq_netswitch *s)
{
    double weight[SWQ_CHAIN_PORTS] = {0}, all = 0;

    for (uint32_t n = 0; n < p->nodes; n++) {
        if (s->sinks >> n & 1) {
            weight[output_for(p, s->stage, n)] += p->node_probability[n];
            all += p->node_probability[n];
        }
    }
    const bool even = all_alike(p) || all == 0;
    for (int i = 0; i < p->ports; i++) {
        for (int j = 0; j < p->ports; j++)
            s->sw.dest[i][j] = even ? 1.0 / p->ports : weight[j] / all;
        s->sw.load[i] = s->stage == 0 ? p->node_load[s->source[i]] : 0;
    }
}

/* ---- the switches in the chain ---- */

/* In a network that discards, no stage affects an earlier one: if all nodes are alike, one switch
 * of the last stage and all switches that lead to it determine all answers. */
static void choose_present(swq_netplan *p, bool reduce)
{
    p->cone = reduce && p->discards && p->stages > 1 && all_alike(p);
    const uint64_t wanted = p->cone ? p->at[(p->stages - 1) * p->per_stage].sinks : UINT64_MAX;
    for (int k = 0; k < p->switches; k++)
        p->at[k].present = (p->at[k].sinks & wanted) != 0;
    for (int k = 0; k < p->switches; k++) {
        for (int j = 0; j < p->ports; j++) {
            int *behind = &p->at[k].behind[j];
            if (*behind >= 0 && !p->at[*behind].present)
                *behind = -1; /* packets that go there leave the chain */
        }
    }
}

static void give_words(swq_netplan *p)
{
    for (int k = 0; k < p->switches; k++) {
        swq_netswitch *s = &p->at[k];
        if (!s->present)
            continue;
        s->at = p->words;
        p->words += s->layout.words;
        s->ahead = -1;
        if (p->by_queue && !p->discards && s->stage < p->stages - 1) {
            s->ahead = p->words;
            p->words += s->layout.buffers * s->layout.queues;
        }
        s->done = p->words++;
    }
}

static void add_events(swq_netplan *p, swq_netevent_kind kind, int stage)
{
    const int turns = kind == SWQ_NETEVENT_POOLS ? 1 : swq_netplan_present(p, stage);

    for (int k = 0; k < turns; k++, p->events++) {
        if (p->events < SWQ_MOST_FACTORS)
            p->event[p->events] = (swq_netevent){kind, stage, k == turns - 1};
    }
}

static bool admits_by_queue(const swq_buffer *b)
{
    return b->queues == SWQ_QUEUE_PER_OUTPUT &&
           (b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0);
}

static void lay_out(swq_netplan *p)
{
    for (int k = 0; k < p->switches; k++) {
        swq_netswitch *s = &p->at[k];
        s->stage = k / p->per_stage;
        s->number = k % p->per_stage;
        s->sw = p->network->sw;
        if (s->stage > 0)
            s->sw.flow = SWQ_DISCARD; /* only sources hold packets */
        set_digits(p, s);
        swq_layout_init(&s->layout, &s->sw);
        /* roundings of sums over nodes and of a quotient; if all nodes are alike, the layout's
         * bound is tighter */
        const double roundings = all_alike(p) ? s->layout.loaded_roundings : 2.0 * p->nodes + 8;
        p->weight_roundings = fmax(p->weight_roundings, roundings);
    }
}

swq_status swq_netplan_make(swq_context *ctx, const swq_network *network, bool reduce,
                            swq_netplan *plan)
{
    swq_netplan p = {
        .network = network, .ports = network->sw.ports, .stages = network->shape.stages};
    swq_status status = swq_topology_nodes(ctx, network->shape.wiring, p.ports, p.stages, &p.nodes);

    if (status)
        return status;
    if (p.nodes > SWQ_NETCHAIN_NODES)
        return swq_fail(ctx, SWQ_ELIMIT, "a network's chain is for at most %d nodes, not %u",
                        SWQ_NETCHAIN_NODES, p.nodes);
    p.per_stage = (int)p.nodes / p.ports;
    p.switches = p.stages * p.per_stage;
    p.discards = network->sw.flow == SWQ_DISCARD;
    p.pools = network->sw.buffer.scope == SWQ_POOL;
    p.by_queue = admits_by_queue(&network->sw.buffer);
    p.at = swq_calloc(ctx, (size_t)p.switches, sizeof *p.at);
    if (!p.at)
        return swq_memory_status(ctx);
    connect(&p);
    find_destinations(&p);
    for (int k = 0; k < p.switches; k++)
        p.at[k].stage = k / p.per_stage;
    follow_ways(&p);
    lay_out(&p);
    choose_present(&p, reduce);
    give_words(&p);
    add_events(&p, SWQ_NETEVENT_RECEPTION, 0);
    for (int stage = p.stages - 1; stage >= 0; stage--)
        add_events(&p, p.pools ? SWQ_NETEVENT_POOLS : SWQ_NETEVENT_SWITCH, stage);
    *plan = p;
    return SWQ_OK;
}

void swq_netplan_clear(swq_context *ctx, swq_netplan *plan)
{
    swq_free(ctx, plan->at);
    *plan = (swq_netplan){0};
}

int swq_netplan_present(const swq_netplan *p, int stage)
{
    int present = 0;

    for (int k = 0; k < p->per_stage; k++)
        present += p->at[stage * p->per_stage + k].present;
    return present;
}

swq_netswitch *swq_netplan_next(const swq_netplan *p, int stage, const swq_word *words)
{
    swq_netswitch *s = &p->at[stage * p->per_stage];

    while (!s->present || words[s->done])
        s++;
    return s;
}

int swq_netplan_packets(const swq_netplan *p, int stage, const swq_word *words)
{
    int packets = 0;

    for (int k = 0; k < p->per_stage; k++) {
        const swq_netswitch *s = &p->at[stage * p->per_stage + k];
        for (int b = 0; b < s->layout.buffers && s->present; b++)
            packets += swq_occupancy(&s->layout, words + s->at, b);
    }
    return packets;
}
