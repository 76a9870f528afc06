/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ as a management of asynchronous networks: what it refuses, what it is without set-aside
 * queues, a hot spot that drains, and memory that fails.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"
#include "switchq/detail.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(recn_iq_runs, .init = setup, .fini = teardown, .timeout = 60);

static swq_async network_of(int levels, swq_sender_group *group, double load)
{
    swq_async n = swq_async_defaults();

    n.shape = (swq_shape){.kind = &swq_fabric_tree, .levels = levels, .arity = {4, 4, 4, 4, 4, 2}};
    n.management.row = &swq_management_recn_iq;
    n.packet.block = n.packet.max = 64;
    n.memory.bytes = 4096;
    n.link.rest = 0;
    n.management.saqs = 4;
    n.management.detect = 5;
    n.management.xoff = 10;
    n.management.xon = 5;
    *group = swq_sender_group_uniform(&n, SWQ_SOURCE_OPEN, load, (swq_spread){SWQ_CONSTANT, 64, 0});
    n.traffic.group = group;
    n.traffic.groups = 1;
    return n;
}

static swq_async_result run(const swq_async *n, uint64_t cycles)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r;

    options.cycles = cycles;
    options.warmup = cycles / 2;
    cr_assert_eq(swq_async_run(ctx, n, &options, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    cr_expect(r.sim.conserved && r.sim.little_exact);
    cr_expect_eq(r.saqs.out_of_order, 0);
    cr_expect_eq(r.saqs.lost_notices, 0);
    return r;
}

static void refused(const swq_async *n, const char *words)
{
    uint32_t nodes;

    cr_expect_eq(swq_async_check(ctx, n, &nodes), SWQ_EINVAL, "%s", words);
    cr_expect(strstr(swq_context_message(ctx), words), "'%s' is not in '%s'", words,
              swq_context_message(ctx));
}

#define REFUSED(change, words)                                                                     \
    do {                                                                                           \
        swq_async n = fine;                                                                        \
        change;                                                                                    \
        refused(&n, words);                                                                        \
    } while (0)

/* The counters of all links add up to the totals. */
Test(recn_iq_runs, saqs_of_links)
{
    swq_sender_group group;
    const swq_async n = network_of(2, &group, 0.95);
    swq_sim_options options = swq_sim_defaults();
    swq_detail d;
    swq_async_result r;
    double sum = 0;
    uint32_t links = 0, most = 0;

    cr_assert_eq(swq_detail_new(ctx, 16, (size_t)8 * 8, SWQ_DETAIL_LINKS, &d), SWQ_OK);
    options.cycles = 10000;
    options.warmup = 1000;
    options.detail = &d;
    cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    for (size_t k = 0; k < d.links; k++) {
        if (isnan(d.link[k].saqs))
            continue;
        sum += d.link[k].saqs;
        most = d.link[k].saqs_most > most ? d.link[k].saqs_most : most;
        links++;
    }
    cr_expect_eq(links, r.saqs.ports, "%u links", links);
    cr_expect(r.saqs.in_use > 0 && fabs(sum / links - r.saqs.in_use) < 1e-9, "%g, not %g",
              sum / links, r.saqs.in_use);
    cr_expect_eq(most, r.saqs.most);
    swq_detail_clear(ctx, &d);
}

Test(recn_iq_runs, what_is_not_modelled_is_refused_by_name)
{
    swq_sender_group group;
    const swq_async fine = network_of(2, &group, 0.5);
    uint32_t nodes;

    cr_assert_eq(swq_async_check(ctx, &fine, &nodes), SWQ_OK, "%s", swq_context_message(ctx));
    REFUSED(n.shape.routing = &swq_routing_adaptive, "routing must be deterministic");
    REFUSED(n.architecture.row = &swq_cioq, "architecture input-queued");
    REFUSED(n.flow.row = &swq_flow_credits, "flow credits");
    REFUSED(n.arbiter.row = &swq_arbiter_random_outputs, "arbiter random-outputs");
    REFUSED(n.memory.release = SWQ_RELEASE_END, "release must be blocks");
    REFUSED(n.packet.piece = 32, "piece must not be given");
    REFUSED(n.packet.max = 32, "max-packet must be the longest message");
    REFUSED(n.management.saqs = 32, "saqs must be 0 to 31");
    REFUSED(n.management.detect = 0, "detect must be 1 to 64");
    REFUSED(n.management.xoff = 65, "xoff must be 1 to 64");
    REFUSED(n.management.xon = 11, "xon must be 1 to 10");
    REFUSED(n.memory.bytes = 63, "bytes must be 64");
    REFUSED(n.interface.packets = 0, "interface-packets must be 1");
    REFUSED(n.management.inspection = 0, "inspection-cycles must be 1");
    REFUSED(n.interface.cold = n.interface.packets + 1, "interface-cold must be 1 to");
    REFUSED(n.flow.credit_delay = 0, "credit-delay must be 1");
    REFUSED(n.management.queues = 2, "queues must not be given");
    REFUSED(n.shape.levels = 6, "turnpool-bits must be at least 33");
    REFUSED(n.management.turnpool_bits = 8, "turnpool-bits must be at least 9");
}

/* When alone, packets take the same time as in switches with a FIFO per input; and at full load
 * those carry as much if their outputs choose in turns, too, as one iteration of iSLIP does for
 * inputs that request one output. */
Test(recn_iq_runs, without_saqs_it_is_a_fifo_an_input)
{
    swq_async_message message[60];
    swq_sender_group group;
    swq_async n = network_of(2, &group, 1), fifo;
    const swq_buffer_kind *kind;
    swq_sim_options options = swq_sim_defaults();
    swq_async_result r[2];

    for (uint64_t k = 0; k < 60; k++)
        message[k] = (swq_async_message){100 * k, (uint32_t)k % 16, (uint32_t)(k * 7 + 1) % 16, 64};
    n.management.saqs = 0;
    fifo = n;
    fifo.management.row = &swq_management_none;
    fifo.management.xoff = fifo.management.xon = 0;
    fifo.arbiter.row = &swq_arbiter_islip;
    fifo.arbiter.iterations = 1;
    fifo.memory.release = SWQ_RELEASE_END;
    cr_assert_eq(swq_buffer_kind_find(ctx, "fifo", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &fifo, kind, 4096), SWQ_OK);
    const swq_async *const both[] = {&n, &fifo};
    for (int k = 0; k < 2; k++)
        r[k] = run(both[k], 60000);
    const swq_estimate *t[] = {&r[0].sim.all.throughput, &r[1].sim.all.throughput};
    cr_expect_lt(fabs(t[0]->mean - t[1]->mean), t[0]->half_width + t[1]->half_width, "%g and %g",
                 t[0]->mean, t[1]->mean);
    cr_expect_eq(r[0].saqs.allocated, 0);
    options.cycles = 20000;
    options.warmup = 0;
    for (int k = 0; k < 2; k++) {
        swq_async alone = *both[k];
        alone.traffic.groups = 0;
        alone.traffic.trace = message;
        alone.traffic.trace_messages = 60;
        cr_assert_eq(swq_async_run(ctx, &alone, &options, NULL, &r[k]), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect_eq(r[k].sim.all.delivered, 60);
    }
    cr_expect_eq(r[0].sim.all.latency.mean, r[1].sim.all.latency.mean, "%g and %g",
                 r[0].sim.all.latency.mean, r[1].sim.all.latency.mean);
}

Test(recn_iq_runs, more_saqs_carry_more)
{
    swq_sender_group group;
    double before = 0.6;

    for (int saqs = 0; saqs <= 4; saqs += 2) {
        swq_async n = network_of(3, &group, 1);
        n.management.saqs = saqs;
        const double carried = run(&n, 20000).sim.all.throughput.mean;
        cr_expect_gt(carried, before + (saqs == 4 ? 0.005 : 0.02), "%d: %g", saqs, carried);
        before = carried;
    }
}

/* Every node sends to node 5 at once, and then to others: everything arrives, with the least
 * possible memory, and nothing is left in the end (otherwise the run would not be sound). */
Test(recn_iq_runs, a_hot_spot_drains)
{
    enum { EACH = 60, NODES = 16 };
    static swq_async_message message[2 * EACH * NODES];
    const int slots[] = {2, 4, 10, 64};
    swq_sender_group group;
    uint64_t lines = 0;

    for (uint64_t k = 0; k < 2 * EACH; k++)
        for (uint32_t i = 0; i < NODES; i++) {
            const uint32_t to = k % 2 ? 5 : (i + 1 + (uint32_t)k) % NODES;
            message[k * NODES + i] =
                (swq_async_message){40 * k, i, to == i ? (i + 1) % NODES : to, 64};
        }
    for (int k = 0; k < 4; k++) {
        swq_async n = network_of(2, &group, 1);
        swq_sim_options options = swq_sim_defaults();
        swq_async_result r;
        n.memory.bytes = 64 * slots[k];
        n.management.detect = n.management.xoff = n.management.xon = slots[k] < 5 ? 1 : 2;
        n.interface.queued = true;
        n.traffic.groups = 0;
        n.traffic.trace = message;
        n.traffic.trace_messages = 2 * EACH * NODES;
        options.cycles = 1000000;
        options.warmup = 0;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_expect(r.sim.conserved);
        cr_expect_eq(r.sim.all.delivered, n.traffic.trace_messages, "%d slots: %llu", slots[k],
                     (unsigned long long)r.sim.all.delivered);
        cr_expect_eq(r.saqs.out_of_order, 0);
        cr_expect_eq(r.saqs.xoffs, r.saqs.xons, "each stop has its go");
        cr_expect_leq(r.saqs.most_slots, slots[k]);
        lines += r.saqs.xoffs;
    }
    cr_expect_gt(lines, 100);
}

Test(recn_iq_runs, failing_allocations)
{
    swq_sender_group group;
    const swq_async n = network_of(2, &group, 0.5);
    swq_sim_options options = swq_sim_defaults();
    swq_status status = SWQ_ENOMEM;

    options.cycles = 100;
    options.warmup = 0;
    for (size_t k = 0; status; k++) {
        swq_context *failing = swq_context_new();
        swq_async_result r;
        swq_context_fail_allocations(failing, k, false);
        status = swq_async_run(failing, &n, &options, NULL, &r);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%d at %zu", status, k);
        cr_assert_eq(swq_context_live_blocks(failing), 0);
        swq_context_free(failing);
    }
}
