/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts of transmissions in synchronous networks: as many as are counted, of packets that go from
 * wire to wire, one at an output and from a read port in a cycle, in the order of arrival; and the
 * run is the same whether or not anybody listens.
 */
#include "switchq/async.h"
#include "switchq/detail.h"
#include "switchq/fabric.h"
#include "tests/sim/samples.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(starts, .timeout = 240);

enum { PORTS = 2, STAGES = 3, NODES = 8, SWITCHES = 4, LINKS = NODES * (STAGES + 1), OTHERS = 400 };

typedef struct listener {
    const swq_network *network;
    const char *what;
    bool each_queue; /* a buffer may send several packets in a cycle */
    uint64_t link[LINKS];
    uint32_t cycle, link_cycle[LINKS], input_cycle[STAGES * NODES]; /* of the last one, plus 1 */
    uint32_t queue[STAGES * NODES][2][NODES]; /* when its last packet had come, plus 1 */
    swq_start last[NODES][OTHERS];            /* of each packet, by source and birth */
} listener;

static uint32_t link_of(const swq_start *s)
{
    if (s->switch_ == SWQ_NO_WHERE)
        return s->from;
    return NODES + s->switch_ * PORTS + s->output;
}

/* The input line to which a transmission leads, in the whole network; [STAGES * NODES + node]. */
static uint32_t end_of(const listener *l, const swq_start *s)
{
    const uint32_t link = link_of(s), stage = link / NODES;

    return stage * NODES + l->network->shape.wiring->wire(PORTS, STAGES, (int)stage, link % NODES);
}

/* Packets of a queue leave in the order in which they came; into a pool, several may come in a
 * cycle. */
static void check_order(listener *l, const swq_start *s, uint32_t store, uint32_t came)
{
    const bool fans = l->network->sw.buffer.queues == SWQ_QUEUE_PER_OUTPUT;
    uint32_t *last = &l->queue[store][s->packet_class][fans ? s->output : 0];

    cr_assert(s->output_store ? came >= *last : came > *last, "%s: cycle %u, switch %u", l->what,
              s->cycle, s->switch_);
    *last = came;
}

static void check_switch(listener *l, const swq_start *s, const swq_start *last)
{
    const bool pool = l->network->sw.buffer.scope == SWQ_POOL;
    const uint32_t came = end_of(l, last), store = s->switch_ * PORTS + s->input;

    cr_assert_eq(came / PORTS, s->switch_, "%s: it is in another switch", l->what);
    cr_assert_eq(s->output_store, pool, "%s", l->what);
    if (!pool)
        cr_assert_eq(came, store, "%s: it is in another buffer", l->what);
    cr_assert_eq(s->packet_class, last->packet_class, "%s", l->what);
    cr_assert(s->cycle + (s->switch_ < SWITCHES) > last->cycle, "%s: twice in a cycle", l->what);
    check_order(l, s, store, last->cycle + 1);
    if (!l->each_queue && !pool)
        cr_assert_neq(l->input_cycle[store], s->cycle + 1, "%s: two from an input", l->what);
    l->input_cycle[store] = s->cycle + 1;
}

static void hear(void *arg, const swq_start *s)
{
    listener *l = arg;
    const uint32_t link = link_of(s);
    swq_start *last = &l->last[s->from][s->birth % OTHERS];

    cr_assert(s->cycle >= l->cycle && s->cycle >= s->birth, "%s: back in time", l->what);
    cr_assert_neq(l->link_cycle[link], s->cycle + 1, "%s: two packets on a link", l->what);
    cr_assert_eq(s->bytes, 0);
    if (s->switch_ != SWQ_NO_WHERE)
        check_switch(l, s, last);
    l->cycle = s->cycle;
    l->link_cycle[link] = s->cycle + 1;
    l->link[link]++;
    *last = *s;
    if (link >= STAGES * NODES)
        cr_assert_eq(end_of(l, s) - STAGES * NODES, s->to, "%s: at another node", l->what);
}

static void check_network(swq_context *ctx, const swq_network *n, const char *what)
{
    listener *l = calloc(1, sizeof *l);
    swq_sim_options o = run_of(5, 2, 0, 300);
    const swq_sim_result without = simulate(ctx, n, &o);
    swq_detail d;

    cr_assert(l);
    l->network = n;
    l->what = what;
    l->each_queue = n->sw.buffer.read == SWQ_READ_EACH_QUEUE;
    o.started = hear;
    o.started_arg = l;
    const swq_sim_result r = simulate(ctx, n, &o);
    cr_assert_eq(memcmp(&r.all, &without.all, sizeof r.all), 0, "%s: other numbers", what);
    cr_assert_eq(memcmp(r.stage, without.stage, sizeof r.stage), 0, "%s: other numbers", what);
    cr_assert_str_eq(r.engine, "plain");

    /* of the first replication alone */
    o = run_of(5, 1, 0, 300);
    cr_assert_eq(swq_detail_new(ctx, NODES, STAGES * NODES, SWQ_DETAIL_LINKS, &d), SWQ_OK);
    o.detail = &d;
    const swq_sim_result first = simulate(ctx, n, &o);
    uint64_t delivered = 0;
    for (int k = 0; k < LINKS; k++) {
        cr_assert_eq(l->link[k], d.link[k].packets, "%s: link %d", what, k);
        delivered += k >= STAGES * NODES ? l->link[k] : 0;
    }
    cr_assert_eq(delivered, first.all.delivered, "%s", what);
    cr_assert(delivered > 100, "%s: hardly anything", what);
    for (int s = 0; s < STAGES; s++) {
        uint64_t sent = 0;
        for (int k = 0; k < NODES; k++)
            sent += l->link[(s + 1) * NODES + k];
        assert_relative((double)sent / NODES / (double)first.cycles, first.stage[s].sent.mean,
                        1e-12, "%s: stage %d", what, s + 1);
    }
    swq_detail_clear(ctx, &d);
    free(l);
}

static swq_network a_network(swq_context *ctx, const char *buffer, bool discard)
{
    swq_switch sw = {.ports = PORTS,
                     .flow = discard ? SWQ_DISCARD : SWQ_BLOCK,
                     .credit = discard ? SWQ_CREDIT_SAME : SWQ_CREDIT_NEXT};
    const swq_buffer_kind *kind;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &sw.arbiter), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, PORTS, 4, &sw.buffer), SWQ_OK);
    swq_network n = network_in_stages(ctx, "omega", STAGES, &sw);
    n.traffic.load = 0.7;
    return n;
}

Test(starts, are_those_that_are_counted)
{
    swq_context *ctx = swq_context_new();
    char what[80];

    for (int b = 0; swq_buffer_kinds[b]; b++) {
        for (int discard = 0; discard < 2; discard++) {
            swq_network n = a_network(ctx, swq_buffer_kinds[b]->name, discard);
            snprintf(what, sizeof what, "%s, %s", swq_buffer_kinds[b]->name,
                     discard ? "discard" : "block");
            check_network(ctx, &n, what);
            if (discard)
                continue;
            n.traffic.kind = SWQ_SOURCE_OPEN;
            n.traffic.load = 0.4;
            n.sw.priority.fraction = 0.3;
            if (n.sw.buffer.queues == SWQ_QUEUE_PER_OUTPUT) {
                n.sw.priority.support = SWQ_SUPPORT_QUEUES;
                n.sw.priority.slots = 2;
            }
            snprintf(what, sizeof what, "%s, open, priorities", swq_buffer_kinds[b]->name);
            check_network(ctx, &n, what);
        }
    }
    swq_context_free(ctx);
}

Test(starts, of_an_asynchronous_network_are_refused_here)
{
    swq_context *ctx = swq_context_new();
    swq_async n = swq_async_defaults();
    swq_sim_options o = run_of(1, 1, 0, 100);
    swq_async_result r;
    const swq_buffer_kind *kind;

    n.shape = (swq_shape){.kind = &swq_fabric_mesh, .dims = 1, .extent = {4}};
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 128), SWQ_OK);
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.2, (swq_spread){SWQ_CONSTANT, 8, 0});
    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_run(ctx, &n, &o, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    o.started = hear;
    cr_assert_eq(swq_async_run(ctx, &n, &o, NULL, &r), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "swq_async_watch"));
    swq_context_free(ctx);
}
