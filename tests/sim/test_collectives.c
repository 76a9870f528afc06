/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collective operations: what each node has in the end, by nothing but what messages wait for; the
 * closed forms of their bounds, against the longest chain of messages; and runs, which take exactly
 * the bound where nothing is in the way, and never less.
 */
#include "sim/traffic/collectives.h"
#include "tests/sim/inspector.h"

#include <stdlib.h>
#include <string.h>

static swq_context *ctx;

static void start(void)
{
    ctx = swq_context_new();
}

static void stop(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(collectives, .init = start, .fini = stop, .timeout = 120);

enum { MOST_NODES = 33 };

typedef struct {
    const swq_collective *row;
    uint32_t nodes, *phase;
    uint64_t bytes;
    swq_trace_messages t;
} collective_case;

static collective_case case_of(const swq_collective *row, uint32_t nodes, uint64_t bytes)
{
    collective_case o = {.row = row, .nodes = nodes, .bytes = bytes};

    cr_assert_eq(swq_collective_make(ctx, row, nodes, bytes, &o.t, &o.phase), SWQ_OK, "%s: %s",
                 row->name, swq_context_message(ctx));
    return o;
}

static void case_over(collective_case *o)
{
    swq_trace_messages_clear(&o->t);
    free(o->phase);
}

/* Dependencies are listed in the order of their messages, and lead to earlier messages. */
static uint64_t dependencies_of(const collective_case *o, uint64_t m, uint64_t *at)
{
    uint64_t count = 0;

    while (*at < o->t.dependencies && o->t.dependency[*at].message < m)
        (*at)++;
    while (*at + count < o->t.dependencies && o->t.dependency[*at + count].message == m) {
        const swq_async_dependency *d = &o->t.dependency[*at + count++];
        cr_assert(d->on < m && d->delay == 1);
        cr_assert_lt(o->phase[d->on], o->phase[m]);
        cr_assert_eq(o->t.message[d->on].destination, o->t.message[m].source,
                     "%s, %u nodes: message %d waits for what comes to another node", o->row->name,
                     o->nodes, (int)m);
    }
    return count;
}

/* The summands that are in each message, as a set of nodes: the sender's own, and those of all
 * messages that it waits for. */
static uint64_t *summands(const collective_case *o)
{
    uint64_t *sum = calloc(o->t.messages, sizeof *sum), at = 0;

    for (uint64_t m = 0; m < o->t.messages; m++) {
        const uint64_t count = dependencies_of(o, m, &at);
        sum[m] = UINT64_C(1) << o->t.message[m].source;
        for (uint64_t k = 0; k < count; k++)
            sum[m] |= sum[o->t.dependency[at + k].on];
    }
    return sum;
}

/* ---- the lists ---- */

/* In the last N - 1 phases each node receives all chunks but its own, whole, and it has had its own
 * whole when it sent it on in the first of these. */
Test(collectives, a_ring_adds_up_every_chunk)
{
    for (uint32_t n = 2; n <= MOST_NODES; n++) {
        collective_case o = case_of(&swq_ring_all_reduce, n, 5 * n + 1);
        uint64_t *sum = summands(&o), total[MOST_NODES] = {0};

        cr_assert_eq(o.t.messages, 2 * (uint64_t)n * (n - 1));
        for (uint64_t m = 0; m < o.t.messages; m++) {
            const swq_async_message *each = &o.t.message[m];
            cr_assert_eq(each->destination, (each->source + 1) % n);
            cr_assert(each->bytes == 5 || each->bytes == 6);
            total[each->source] += each->bytes;
            if (o.phase[m] + 1 >= n)
                cr_assert_eq(sum[m], (UINT64_C(1) << n) - 1, "%u nodes, message %d", n, (int)m);
        }
        for (uint32_t i = 0; i < n; i++) /* all chunks twice, but for two */
            cr_assert(2 * o.bytes - total[i] >= 10 && 2 * o.bytes - total[i] <= 12);
        free(sum);
        case_over(&o);
    }
}

Test(collectives, a_tree_adds_up_all_and_tells_all)
{
    for (uint32_t n = 2; n <= MOST_NODES; n++) {
        collective_case o = case_of(&swq_tree_all_reduce, n, 7);
        uint64_t *sum = summands(&o), root = 1;
        int told[MOST_NODES] = {0};

        cr_assert_eq(o.t.messages, 2 * (uint64_t)(n - 1));
        for (uint64_t m = 0; m < o.t.messages; m++) {
            const swq_async_message *each = &o.t.message[m];
            cr_assert_eq(each->bytes, 7);
            if (m < n - 1) {
                root |= each->destination == 0 ? sum[m] : 0;
                continue;
            }
            cr_assert_eq(sum[m] | 1, (UINT64_C(1) << n) - 1, "%u nodes, message %d", n, (int)m);
            told[each->destination]++;
        }
        cr_assert_eq(root, (UINT64_C(1) << n) - 1, "%u nodes", n);
        for (uint32_t i = 0; i < n; i++)
            cr_assert_eq(told[i], i > 0, "%u nodes: node %u", n, i);
        free(sum);
        case_over(&o);
    }
}

Test(collectives, all_to_all_reaches_each_once_in_each_phase)
{
    for (uint32_t n = 2; n <= MOST_NODES; n++) {
        collective_case o = case_of(&swq_all_to_all, n, 4 * n);
        int pair[MOST_NODES][MOST_NODES] = {{0}}, received[MOST_NODES][MOST_NODES] = {{0}};
        uint64_t total[MOST_NODES] = {0}, at = 0;

        for (uint64_t m = 0; m < o.t.messages; m++) {
            const swq_async_message *each = &o.t.message[m];
            pair[each->source][each->destination]++;
            received[o.phase[m]][each->destination]++;
            total[each->source] += each->bytes;
            cr_assert_eq(dependencies_of(&o, m, &at), o.phase[m] > 0);
        }
        for (uint32_t i = 0; i < n; i++) {
            cr_assert_eq(total[i], o.bytes);
            for (uint32_t j = 0; j < n; j++)
                cr_assert(pair[i][j] == (i != j) && received[i][j] == (i + 1 < n));
        }
        case_over(&o);
    }
}

/* The longest chain of messages that wait for one another, if each takes its bytes and `more`
 * cycles. */
static uint64_t longest_chain(const collective_case *o, uint64_t more)
{
    uint64_t *end = calloc(o->t.messages, sizeof *end), at = 0, last = 0;

    for (uint64_t m = 0; m < o->t.messages; m++) {
        const uint64_t count = dependencies_of(o, m, &at);
        for (uint64_t k = 0; k < count; k++) {
            const uint64_t other = end[o->t.dependency[at + k].on] + 1;
            end[m] = other > end[m] ? other : end[m];
        }
        end[m] += o->t.message[m].bytes + more;
        last = end[m] > last ? end[m] : last;
    }
    free(end);
    return last;
}

Test(collectives, bounds_are_the_longest_chains)
{
    for (uint32_t n = 2; n <= MOST_NODES; n++)
        for (uint64_t more = 0; more < 9; more += 4)
            for (int k = 0; swq_collectives[k]; k++) {
                collective_case o = case_of(swq_collectives[k], n, 3 * n + 2);
                const uint64_t bound = o.row->bound(n, o.bytes, more);
                const uint64_t chain = longest_chain(&o, more);

                if (k < 2 || (n & (n - 1)) == 0)
                    cr_expect_eq(bound, chain, "%s, %u nodes: %d, not %d", o.row->name, n,
                                 (int)bound, (int)chain);
                case_over(&o);
            }
}

/* ---- runs ---- */

static void ask(swq_async *n, const collective_case *o)
{
    n->traffic.groups = 0;
    n->traffic.trace = o->t.message;
    n->traffic.trace_messages = o->t.messages;
    n->traffic.dependency = o->t.dependency;
    n->traffic.dependencies = o->t.dependencies;
    n->traffic.phase = o->phase;
    n->traffic.phases = o->row->phases(o->nodes);
}

/* Runs an operation to its end, and returns the cycle of its last arrival. */
static uint64_t completion(swq_async *n, const collective_case *o)
{
    swq_sim_options options = swq_sim_defaults();
    uint32_t *end = calloc(o->row->phases(o->nodes), sizeof *end);
    swq_async_watch watch = {.phase_end = end};
    uint64_t last = 0;

    options.warmup = 0;
    options.cycles = 1000000;
    ask(n, o);
    const swq_async_result r = run_async(n, &options, &watch);
    cr_assert_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END);
    cr_assert_eq(r.sim.total_delivered, r.sim.total_created);
    for (uint32_t k = 0; k < n->traffic.phases; k++) {
        cr_assert(end[k] < UINT32_MAX && end[k] > 0, "phase %u", k);
        last = end[k] > last ? end[k] : last;
    }
    free(end);
    return last;
}

/* The cycles that a message of two bytes takes beyond its bytes, from node 0 to node 1. */
static uint64_t cycles_beyond(swq_async n)
{
    swq_async_message m = {0, 0, 1, 2};
    collective_case o = {.row = &swq_all_to_all, .nodes = 2, .phase = (uint32_t[]){0}, .bytes = 2};

    o.t = (swq_trace_messages){.message = &m, .messages = 1};
    return completion(&n, &o) - 2;
}

/* One switch, which has a link for each node: nothing is in the way of messages. */
static swq_async one_switch(int ports, bool worms)
{
    swq_async n = async_network(shape_in_stages("omega", ports, 1), "damq", 512);

    n.packet.max = 64;
    n.packet.block = 1;
    n.link.rest = 0;
    if (worms) {
        n.architecture.row = &swq_wormhole_lanes;
        n.architecture.lanes.count = 4;
        n.architecture.lanes.flits = 16;
    }
    return n;
}

Test(collectives, one_switch_takes_the_bound)
{
    for (int ports = 2; ports <= 16; ports *= 2)
        for (int worms = 0; worms < 2; worms++)
            for (int k = 0; swq_collectives[k]; k++) {
                swq_async n = one_switch(ports, worms);
                const uint64_t more = cycles_beyond(n);
                collective_case o = case_of(swq_collectives[k], (uint32_t)ports, 45);
                const uint64_t cycles = completion(&n, &o);

                cr_expect_eq(cycles, o.row->bound(o.nodes, 45, more),
                             "%s, %d nodes, worms %d: %d cycles, not %d", o.row->name, ports, worms,
                             (int)cycles, (int)o.row->bound(o.nodes, 45, more));
                case_over(&o);
            }
}

Test(collectives, no_network_is_faster_than_its_bound)
{
    static const int ports[] = {3, 5, 6, 7, 9, 12};

    for (size_t p = 0; p < sizeof ports / sizeof *ports; p++)
        for (int k = 0; swq_collectives[k]; k++) {
            swq_async n = one_switch(ports[p], true);
            collective_case o = case_of(swq_collectives[k], (uint32_t)ports[p], 40);
            cr_expect_geq(completion(&n, &o), o.row->bound(o.nodes, 40, cycles_beyond(n)), "%s, %d",
                          o.row->name, ports[p]);
            case_over(&o);
        }
    for (int k = 0; swq_collectives[k]; k++) {
        swq_async n = one_switch(4, true);
        collective_case o = case_of(swq_collectives[k], 16, 60);
        n.shape = shape_of_grid("torus", 2, 4);
        const uint64_t cycles = completion(&n, &o), bound = o.row->bound(16, 60, 0);
        cr_expect_gt(cycles, bound, "%s", o.row->name);
        case_over(&o);
    }
}

/* ---- what is refused ---- */

Test(collectives, what_does_not_fit_is_refused_by_name)
{
    collective_case o = {0};

    cr_expect_eq(swq_collective_make(ctx, &swq_ring_all_reduce, 8, 7, &o.t, &o.phase), SWQ_EINVAL);
    cr_expect(
        strstr(swq_context_message(ctx), "ring-all-reduce of 8 nodes needs at least 8 bytes"));
    cr_expect_eq(swq_collective_make(ctx, &swq_all_to_all, 20000, 40000, &o.t, &o.phase),
                 SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "399980000 messages"));
    cr_expect_eq(swq_collective_make(ctx, &swq_tree_all_reduce, 4, 1 << 25, &o.t, &o.phase),
                 SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "a message may have 16777216 bytes at most"));
    case_over(&o);
    o = case_of(&swq_ring_all_reduce, 8, 8);
    swq_async n = one_switch(8, true);
    uint32_t nodes;
    ask(&n, &o);
    n.traffic.phases = 13;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "must be 0 to 12, not 13"));
    case_over(&o);
}
