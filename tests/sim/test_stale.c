/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stale counts: for every arbiter, buffer and support of high priority, a stale count either
 * changes the numbers of a loaded network or is refused. That it could change none where it is
 * refused follows from the rows of the arbiters (tests/models/arbiters/test_table.c).
 */
#include "tests/sim/samples.h"

TestSuite(stale, .timeout = 120);

enum { CASES_AT_LEAST = 60 };

static swq_network stale_network(swq_context *ctx, const char *buffer, const char *arbiter,
                                 swq_support support)
{
    const swq_switch sw = test_switch(ctx, buffer, 4, 8, 0.9, arbiter);
    swq_network n = network_in_stages(ctx, "omega", 2, &sw);

    n.sw.flow = SWQ_BLOCK;
    n.traffic.load = 0.9;
    n.sw.priority.support = support;
    n.sw.priority.slots = 4;
    n.sw.priority.queues = SWQ_QUEUE_PER_OUTPUT;
    n.sw.priority.fraction = support == SWQ_SUPPORT_NONE ? 0 : 0.5;
    return n;
}

static bool changes(swq_context *ctx, swq_network *n, const swq_sim_options *run, const char *what)
{
    swq_sim_result without, with;

    n->stale = 0;
    cr_assert_eq(swq_sim_run(ctx, n, run, &without), SWQ_OK, "%s: %s", what,
                 swq_context_message(ctx));
    n->stale = 2;
    cr_assert_eq(swq_sim_run(ctx, n, run, &with), SWQ_OK, "%s: %s", what, swq_context_message(ctx));
    const bool other = without.all.latency.mean != with.all.latency.mean;
    return other;
}

Test(stale, changes_the_numbers_or_is_refused)
{
    static const char *const buffer[] = {"fifo", "samq", "safc", "damq", "dafc", "cbda"};
    swq_context *ctx = swq_context_new();
    const swq_sim_options run = run_of(1, 1, 100, 600);
    int taken = 0, refused = 0;

    for (int a = 0; swq_arbiters[a]; a++) {
        for (int k = 0; k < 6 * (SWQ_SUPPORT_BUFFER + 1); k++) {
            swq_network n =
                stale_network(ctx, buffer[k % 6], swq_arbiters[a]->name, (swq_support)(k / 6));
            char what[80];
            uint32_t nodes;
            snprintf(what, sizeof what, "%s %s, support %d", swq_arbiters[a]->name, buffer[k % 6],
                     n.sw.priority.support);
            if (swq_network_check(ctx, &n, &nodes))
                continue; /* that buffer has no such support */
            n.stale = 2;
            if (swq_stale_objection(&n)) {
                cr_expect_eq(swq_network_check(ctx, &n, &nodes), SWQ_EINVAL, "%s", what);
                cr_expect(strstr(swq_context_message(ctx), "stale must be 0, not 2"), "%s", what);
                refused++;
            } else {
                cr_expect(changes(ctx, &n, &run, what), "%s", what);
                taken++;
            }
        }
    }
    cr_assert_geq(taken, CASES_AT_LEAST);
    cr_assert_geq(refused, CASES_AT_LEAST);
    swq_context_free(ctx);
}
