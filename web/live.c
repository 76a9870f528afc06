/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A network in the browser: it is made from a few choices, runs some cycles at a time, and may be
 * looked at in between; load and hot spot may change while it runs. Also the exact answers for one
 * switch. `make wasm` exports these functions to JavaScript (web/live.js); their numbers are the
 * same as the numbers of `switchq sim` and `switchq solve` with the same choices.
 */
#include "web/live.h"

#include "sim/stages/net.h"
#include "switchq/exact.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 4, STAGES = 3, HOT = 0, SMALL = 2 };

struct live {
    swq_network network;
    swq_sim_options options;
    swq_net *net;
    uint8_t *group;
    uint16_t *held, *marked;
};

static swq_context *context;
static char message[300];

/* The common context, made when it is first needed. */
static swq_context *ready(void)
{
    if (!context)
        context = swq_context_new();
    return context;
}

static void keep_message(void)
{
    const char *text = context ? swq_context_message(context) : "no memory";

    strncpy(message, text, sizeof message - 1);
}

const char *live_message(void)
{
    return message;
}

static swq_status switch_of(swq_context *ctx, const char *buffer, int ports, int slots, bool blocks,
                            swq_switch *sw)
{
    const swq_buffer_kind *kind;

    *sw = (swq_switch){.ports = ports,
                       .flow = blocks ? SWQ_BLOCK : SWQ_DISCARD,
                       .credit = blocks ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME};
    swq_status status = swq_arbiter_find(ctx, ports == SMALL ? "random" : "rotating", &sw->arbiter);
    if (!status)
        status = swq_buffer_kind_find(ctx, buffer, &kind);
    return status ? status : swq_buffer_preset(ctx, kind, ports, slots, &sw->buffer);
}

/* ---- a network ---- */

static swq_status network_of(swq_context *ctx, const char *buffer, int slots, bool blocks,
                             double load, double fraction, swq_network *n)
{
    uint32_t nodes;

    *n = (swq_network){.shape = {.kind = &swq_fabric_multistage, .stages = STAGES},
                       .traffic = swq_traffic_defaults()};
    n->traffic.load = load;
    /* even if no node is hot now, one may be later */
    n->traffic.hot_spots = 1;
    n->traffic.hot[0] = (swq_hot_spot){.node = HOT, .fraction = fraction};
    swq_status status = swq_topology_find(ctx, "omega", &n->shape.wiring);
    if (!status)
        status = switch_of(ctx, buffer, PORTS, slots, blocks, &n->sw);
    return status ? status : swq_network_check(ctx, n, &nodes);
}

static swq_status make(swq_context *ctx, live *l, uint32_t seed)
{
    const uint32_t nodes = PORTS * PORTS * PORTS;

    l->group = calloc(nodes, 1);
    if (!l->group)
        return SWQ_ENOMEM;
    l->group[HOT] = 1;
    l->options = swq_sim_defaults();
    l->options.seed = seed;
    l->options.group = l->group;
    l->options.groups = 2;
    const swq_status status = swq_net_new(ctx, &l->network, &l->options, 0, &l->net);
    if (status)
        return status;
    l->held = calloc(l->net->system.stores, sizeof *l->held);
    l->marked = calloc(l->net->system.stores, sizeof *l->marked);
    return l->held && l->marked ? SWQ_OK : SWQ_ENOMEM;
}

live *live_new(const char *buffer, int slots, int blocks, double load, double fraction,
               uint32_t seed)
{
    live *l = calloc(1, sizeof *l);

    if (!l || !ready()) {
        free(l);
        keep_message();
        return NULL;
    }
    if (network_of(context, buffer, slots, blocks != 0, load, fraction, &l->network) ||
        make(context, l, seed)) {
        keep_message();
        live_free(l);
        return NULL;
    }
    return l;
}

void live_free(live *l)
{
    if (!l)
        return;
    swq_net_free(context, l->net);
    free(l->group);
    free(l->held);
    free(l->marked);
    free(l);
}

void live_traffic(live *l, double load, double fraction)
{
    swq_traffic *t = &l->network.traffic;

    t->load = load;
    t->hot[0].fraction = fraction;
    swq_sources_set_load(l->net);
}

void live_run(live *l, int cycles)
{
    for (int k = 0; k < cycles; k++)
        l->net->system.advance(&l->net->system, 1);
}

double live_count(const live *l, int what)
{
    const swq_system *s = &l->net->system;
    const int cell_of[] = {SWQ_CELL_CREATED, SWQ_CELL_DELIVERED, SWQ_CELL_DISCARDED,
                           SWQ_CELL_LATENCY};
    uint64_t sum = 0;

    if (what == LIVE_CYCLE)
        return l->net->cycle;
    if (what == LIVE_WAITING)
        return (double)s->waiting;
    if (what == LIVE_NODES)
        return s->nodes;
    if (what == LIVE_HOT_DELIVERED)
        return (double)s->tally[swq_tally_cell(s->levels, 1) + SWQ_CELL_DELIVERED];
    for (int c = 0; c < s->cells; c++)
        sum += s->tally[swq_tally_cell(s->levels, c) + (size_t)cell_of[what]];
    return (double)sum;
}

int live_look(live *l)
{
    swq_net_hold(&l->net->system, HOT, l->held, l->marked);
    return (int)l->net->system.stores;
}

const uint16_t *live_held(const live *l)
{
    return l->held;
}

const uint16_t *live_marked(const live *l)
{
    return l->marked;
}

int live_slots(const live *l)
{
    return l->net->slots;
}

/* ---- a whole run ---- */

int live_sim(const char *buffer, int slots, int blocks, double load, double fraction, uint32_t seed,
             double *answer)
{
    swq_sim_options options = swq_sim_defaults();
    swq_sim_result result;
    swq_network network;

    if (!ready())
        return SWQ_ENOMEM;
    options.seed = seed;
    swq_status status = network_of(context, buffer, slots, blocks != 0, load, fraction, &network);
    if (!status)
        status = swq_sim_run(context, &network, &options, &result);
    if (status) {
        keep_message();
        return (int)status;
    }
    swq_result_refuse(&result, NULL);
    const swq_estimate *told[] = {&result.all.throughput, &result.all.latency,
                                  &result.all.discard_fraction};
    for (int k = 0; k < 3; k++) {
        answer[2 * k] = told[k]->mean;
        answer[2 * k + 1] = told[k]->half_width;
    }
    return SWQ_OK;
}

/* ---- one switch ---- */

int live_solve(const char *buffer, int slots, int blocks, double load, double fraction,
               double *answer)
{
    const swq_exact_options options = swq_exact_options_defaults();
    swq_answers answers = {0};
    swq_switch sw;

    if (!ready())
        return SWQ_ENOMEM;
    swq_status status = switch_of(context, buffer, SMALL, slots, blocks != 0, &sw);
    for (int i = 0; i < SMALL; i++)
        sw.load[i] = load;
    if (!status)
        status = swq_traffic_hotspot(context, &sw, fraction, HOT);
    if (!status)
        status = swq_exact_solve(context, &sw, &options, &answers);
    if (status) {
        keep_message();
    } else {
        answer[0] = answers.discard.value;
        answer[1] = answers.throughput.value;
        answer[2] = answers.mean_delay;
        answer[3] = (double)answers.states;
    }
    swq_answers_clear(context, &answers);
    return (int)status;
}
