/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual clocks: every start of small networks whose buffers never close, worked out here once
 * more, switch by switch and cycle by cycle, from what the senders sent and the rules of
 * docs/asynchronous.md; what rates do to two senders of one node; and what is refused.
 */
#include "switchq/async.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

TestSuite(virtual_clock, .timeout = 240);

enum { NODES = 4, SWITCHES = 4, MOST = 40000, LAST = 12000, WAITING = 400 };

typedef struct {
    uint32_t cycle, from, to, birth, bytes, sw, output;
} clock_start;

typedef struct {
    clock_start list[MOST];
    int count;
} clock_starts;

static void watch_starts(void *arg, const swq_start *x)
{
    clock_starts *s = arg;

    if (x->cycle < LAST && s->count < MOST)
        s->list[s->count++] = (clock_start){x->cycle,
                                            x->from,
                                            x->to,
                                            x->birth,
                                            x->bytes,
                                            x->switch_,
                                            x->switch_ == SWQ_NO_WHERE ? 0 : x->output};
}

/* Two stages of two 2 x 2 switches. */
static swq_async network(swq_context *ctx, const char *buffer)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape.ports = n.shape.stages = 2;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, buffer, &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 32 * WAITING), SWQ_OK);
    cr_assert_eq(swq_hop_flow_find(ctx, "virtual-clock", &n.flow.row), SWQ_OK);
    cr_assert_eq(swq_arbiter_find(ctx, "advancing", &n.arbiter.row), SWQ_OK);
    return n;
}

static swq_async_result run(swq_context *ctx, swq_async *n, double load, clock_starts *s)
{
    swq_sender_group group =
        swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, load, (swq_spread){SWQ_UNIFORM, 1, 32});
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = watch_starts, .arg = s};
    swq_async_result r;

    s->count = 0;
    n->traffic.group = &group;
    n->traffic.groups = 1;
    options.warmup = 2000;
    options.cycles = 10000;
    options.replications = options.threads = 1;
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r.sim.conserved && r.sim.little_exact);
    n->traffic.group = NULL;
    n->traffic.groups = 0;
    return r;
}

/* ---- the rules, written once more ---- */

typedef struct {
    clock_start was;
    double stamp;
    uint32_t ready;
} clock_packet;

typedef struct {
    const swq_async *n;
    swq_fabric f;
    double rate[NODES][NODES];
    double clock[SWITCHES][NODES][NODES];
    clock_packet queue[SWITCHES * 2][2][WAITING]; /* of an input, first in, first out */
    int length[SWITCHES * 2][2];
    uint32_t read_free[SWITCHES * 2][2], link_free[SWITCHES * 2];
    int pointer[SWITCHES];
    int queues, readers; /* of an input */
    clock_starts starts;
} clock_model;

static uint32_t output_of(uint32_t sw, uint32_t to)
{
    return sw < 2 ? to >> 1 : to & 1; /* the stages use the digits from the first on */
}

static void comes(clock_model *m, uint32_t port, clock_start was)
{
    const uint32_t sw = port / 2, arrives = was.cycle + (uint32_t)m->n->link.hop_delay;
    double *clock = &m->clock[sw][was.from][was.to];
    const double before = *clock > arrives ? *clock : arrives;
    const int q = m->queues == 1 ? 0 : (int)output_of(sw, was.to);
    clock_packet p = {was, before + was.bytes / m->rate[was.from][was.to], arrives};

    *clock = p.stamp;
    if (m->n->flow.clocks.holds)
        while (before - p.ready > m->n->flow.clocks.ahead)
            p.ready++;
    cr_assert_lt(m->length[port][q], WAITING);
    m->queue[port][q][m->length[port][q]++] = p;
}

static void goes(clock_model *m, uint32_t port, int q, uint32_t cycle)
{
    const uint32_t sw = port / 2;
    clock_start x = m->queue[port][q][0].was;

    x.cycle = cycle;
    x.sw = sw;
    x.output = output_of(sw, x.to);
    m->starts.list[m->starts.count++] = x;
    m->length[port][q]--;
    memmove(m->queue[port][q], m->queue[port][q] + 1,
            sizeof *m->queue[port][q] * (size_t)m->length[port][q]);
    m->read_free[port][m->readers == 1 ? 0 : q] = cycle + x.bytes;
    m->link_free[2 * sw + x.output] = cycle + x.bytes + (uint32_t)m->n->link.rest;
    const uint32_t next = m->f.link[2 * sw + x.output];
    if (!(next & SWQ_TO_NODE))
        comes(m, next, x);
}

static void turn(clock_model *m, uint32_t sw, uint32_t cycle)
{
    bool sent = false;

    for (;;) {
        int best_port = -1, best_queue = 0;
        double least = INFINITY;
        for (int k = 0; k < 2; k++) {
            const uint32_t port = 2 * sw + (uint32_t)((m->pointer[sw] + k) % 2);
            for (int q = 0; q < m->queues; q++) {
                const clock_packet *p = &m->queue[port][q][0];
                if (m->length[port][q] && p->ready <= cycle && p->stamp < least &&
                    m->read_free[port][m->readers == 1 ? 0 : q] <= cycle &&
                    m->link_free[2 * sw + output_of(sw, p->was.to)] <= cycle) {
                    least = p->stamp;
                    best_port = (int)port;
                    best_queue = q;
                }
            }
        }
        if (best_port < 0)
            break;
        goes(m, (uint32_t)best_port, best_queue, cycle);
        sent = true;
    }
    m->pointer[sw] = (m->pointer[sw] + sent) % 2;
}

/* Does the engine's list contain that start, at a switch? There is at most one per cycle and
 * output. */
static bool has(const clock_starts *s, int *from, const clock_start *x)
{
    while (*from < s->count && s->list[*from].cycle < x->cycle)
        ++*from;
    for (int k = *from; k < s->count && s->list[k].cycle == x->cycle; k++) {
        if (memcmp(&s->list[k], x, sizeof *x) == 0)
            return true;
    }
    return false;
}

static int from_switches(const clock_starts *s)
{
    int count = 0;

    for (int k = 0; k < s->count; k++)
        count += s->list[k].sw != SWQ_NO_WHERE;
    return count;
}

/* All starts at switches that follow from those of senders. */
static void agree(swq_context *ctx, clock_model *m, const clock_starts *found)
{
    int next = 0, from = 0;

    cr_assert_eq(swq_fabric_make(ctx, &m->n->shape, &m->f), SWQ_OK);
    for (uint32_t cycle = 0; cycle < LAST; cycle++) {
        for (; next < found->count && found->list[next].cycle <= cycle; next++) {
            if (found->list[next].sw == SWQ_NO_WHERE)
                comes(m, m->f.entry[found->list[next].from], found->list[next]);
        }
        for (uint32_t sw = 0; sw < SWITCHES; sw++)
            turn(m, sw, cycle);
    }
    for (int k = 0; k < m->starts.count; k++) {
        const clock_start *x = &m->starts.list[k];
        cr_assert(has(found, &from, x), "%d: switch %u, %u to %u in %u", k, x->sw, x->from, x->to,
                  x->cycle);
    }
    cr_expect_eq(m->starts.count, from_switches(found), "%d and %d", m->starts.count,
                 from_switches(found));
    cr_expect_gt(m->starts.count, 500);
    swq_fabric_clear(ctx, &m->f);
}

/* Rates of pairs for tests: some are twice, or half, those of the others. */
static int some_circuits(double rate, swq_circuit list[NODES * NODES])
{
    int count = 0;

    for (uint32_t pair = 0; pair < NODES * NODES; pair++) {
        if (pair % 3)
            list[count++] =
                (swq_circuit){pair / NODES, pair % NODES, pair % 3 == 1 ? 2 * rate : rate / 2};
    }
    return count;
}

Test(virtual_clock, every_start)
{
    static const char *const buffers[] = {"damq", "fifo", "dafc", "damq", "fifo", "damq"};
    static clock_starts found;
    static clock_model m;
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 12; k++) {
        swq_async n = network(ctx, buffers[k % 6]);
        swq_circuit list[NODES * NODES];
        const bool given = k >= 6, holds = k % 6 >= 3;
        const double load = holds ? 0.2 : 0.45;
        const double rate = given ? 0.3 : load / NODES;
        n.link.hop_delay = 2 + 3 * (k % 3);
        n.flow.clocks.holds = holds;
        n.flow.clocks.ahead = holds ? 400 * (k % 3) : 0;
        n.flow.clocks.circuit = list;
        n.flow.clocks.circuits = (uint64_t)(given ? some_circuits(rate, list) : 0);
        memset(&m, 0, sizeof m);
        m.n = &n;
        m.queues = strcmp(buffers[k % 6], "fifo") == 0 ? 1 : 2;
        m.readers = strcmp(buffers[k % 6], "dafc") == 0 ? 2 : 1;
        for (uint32_t from = 0; from < NODES; from++) {
            for (uint32_t to = 0; to < NODES; to++)
                m.rate[from][to] = load / NODES;
        }
        for (uint64_t c = 0; c < n.flow.clocks.circuits; c++)
            m.rate[list[c].from][list[c].to] = list[c].rate;
        run(ctx, &n, load, &found);
        agree(ctx, &m, &found);
    }
    swq_context_free(ctx);
}

/* Two senders that send only to one node share its link in the ratio of their rates, 3 to 1; so in
 * the last switch, which both reach by inputs of their own. */
Test(virtual_clock, rates_share_a_link)
{
    static clock_starts found;
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq");
    swq_circuit list[] = {{0, 0, 0.72}, {1, 0, 0.24}};
    swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = watch_starts, .arg = &found};
    swq_async_result r;
    int sent[NODES] = {0};

    group.mask = 2;
    group.type[0].aim = SWQ_AIM_NODE;
    group.type[0].value = 0;
    n.traffic.group = &group;
    n.traffic.groups = 1;
    n.flow.clocks.circuit = list;
    n.flow.clocks.circuits = 2;
    options.warmup = 2000;
    options.cycles = 10000;
    options.replications = options.threads = 1;
    found.count = 0;
    cr_assert_eq(swq_async_run(ctx, &n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (int k = 0; k < found.count; k++)
        sent[found.list[k].from] += found.list[k].sw != SWQ_NO_WHERE && found.list[k].sw >= 2;
    cr_expect_float_eq((double)sent[0] / (sent[0] + sent[1]), 0.75, 0.01, "%d and %d", sent[0],
                       sent[1]);
    cr_expect_gt(sent[0] + sent[1], 340); /* of 12000 / 34 */
    swq_context_free(ctx);
}

/* A clock and a rate for each of nodes x ports circuits, 8 bytes each, and 4 for each packet. */
Test(virtual_clock, state)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "damq");
    swq_fabric f;

    cr_assert_eq(swq_fabric_count(ctx, &n.shape, &f), SWQ_OK);
    cr_expect_eq(swq_circuit_state_bytes(&n, &f), 2 * NODES * 8 + 2 * WAITING * 4);
    n.flow.row = &swq_flow_blocking;
    cr_expect_eq(swq_circuit_state_bytes(&n, &f), 0);
    swq_context_free(ctx);
}
