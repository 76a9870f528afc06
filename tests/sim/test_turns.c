/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns of switches in the lean kernels, which remember what waits and what is shut, against those
 * of the general kernel, which remembers heads alone: the same numbers for switches of all sizes.
 */
#include "models/arbiters/arbiters.h"
#include "switchq/async.h"
#include "tests/sim/inspector.h"

#include <string.h>

TestSuite(turns, .timeout = 240);

static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

enum { BUFFERS = sizeof buffers / sizeof *buffers, PACKET = 32 };

/* Runs both kernels, and asserts that they move packets, and in the same way. */
static void expect_same_turns(swq_async n, double load, const char *what)
{
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, load, (swq_spread){SWQ_UNIFORM, 8, PACKET});
    const swq_sim_options options = run_of(7, 1, 100, 1500);

    n.traffic.group = &group;
    n.traffic.groups = 1;
    const swq_async_result lean = run_async(&n, &options, NULL);
    n.general = true;
    const swq_async_result general = run_async(&n, &options, NULL);
    cr_assert_gt(lean.bytes_delivered, 0, "%s", what);
    cr_assert_eq(lean.bytes_delivered, general.bytes_delivered, "%s", what);
    cr_assert_eq(memcmp(&lean.sim.all, &general.sim.all, sizeof lean.sim.all), 0, "%s", what);
    cr_assert_eq(memcmp(&lean.sim.stage, &general.sim.stage, sizeof lean.sim.stage), 0, "%s", what);
}

/* Networks of two stages, so that there are closed stores, of every buffer. */
static void expect_same_of_buffers(int ports, const swq_arbiter *arbiter)
{
    for (int b = 0; b < BUFFERS; b++) {
        for (int rest = 0; rest < 2; rest++) {
            swq_async n = async_network(shape_in_stages("omega", ports, 2), buffers[b],
                                        PACKET * (ports > 3 ? ports : 3));
            char what[80];
            n.arbiter.row = arbiter;
            n.link.rest = 3 * rest;
            n.link.hop_delay = 1 + 19 * rest;
            snprintf(what, sizeof what, "%s, %d ports, arbiter %s, rest %d", buffers[b], ports,
                     arbiter->name, n.link.rest);
            expect_same_turns(n, ports > 8 ? 0.9 : 1, what);
        }
    }
}

/* ---- sizes of switches ---- */

Test(turns, of_few_ports)
{
    for (int ports = 2; ports <= 5; ports++) {
        expect_same_of_buffers(ports, &swq_arbiter_rotating);
        expect_same_of_buffers(ports, &swq_arbiter_advancing);
    }
}

Test(turns, of_as_many_ports_as_a_word_has_rows)
{
    expect_same_of_buffers(7, &swq_arbiter_rotating);
    expect_same_of_buffers(8, &swq_arbiter_rotating);
}

Test(turns, of_more_ports_than_a_word_has_rows)
{
    expect_same_of_buffers(9, &swq_arbiter_rotating);
    expect_same_of_buffers(13, &swq_arbiter_rotating);
}

/* With the most ports and long pauses of the links, all outputs of a switch are often shut at once.
 */
Test(turns, of_the_most_ports)
{
    swq_async n =
        async_network(shape_in_stages("switch", SWQ_MAX_FABRIC_PORTS, 1), "damq", 32 * PACKET);

    for (int rest = 0; rest <= 200; rest += 100) {
        n.link.rest = rest;
        expect_same_turns(n, 1, "32 ports");
    }
}

/* ---- other turns ---- */

Test(turns, of_arbiters_that_see_all_requests)
{
    for (int ports = 2; ports <= 4; ports++) {
        expect_same_of_buffers(ports, &swq_arbiter_random);
        expect_same_of_buffers(ports, &swq_arbiter_longest);
    }
}

Test(turns, with_a_threshold_of_every_queue)
{
    static const int extents[] = {3, 4, 5};

    for (int k = 0; k < 3; k++) {
        swq_async n = async_network(shape_of_grid("torus", 2, extents[k]), "damq", 256);
        n.flow.row = &swq_flow_maximum_usage;
        n.flow.threshold = 26;
        n.link.rest = k;
        for (int load = 2; load <= 10; load += 4)
            expect_same_turns(n, load / 10.0, "torus");
    }
}

Test(turns, before_output_stores)
{
    for (int ports = 2; ports <= 4; ports++) {
        for (int b = 0; b < BUFFERS; b++) {
            swq_async n = async_network(shape_in_stages("omega", ports, 2), buffers[b], 256);
            n.architecture.row = &swq_cioq;
            n.architecture.output.blocks = 16;
            n.architecture.output.speedup_bytes = 2;
            n.architecture.output.speedup_cycles = 1;
            expect_same_turns(n, 1, buffers[b]);
        }
    }
}
