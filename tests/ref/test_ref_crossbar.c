/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_crossbar.c by itself: cycles worked out by hand from docs/asynchronous.md, in a
 * switch of two inputs and two outputs, with packets of at most 32 bytes in blocks of 8.
 */
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"
#include "tests/ref/ref_crossbar.h"
#include "tests/support/support.h"

TestSuite(ref_crossbar, .timeout = 120);

enum { BY_SENDERS, BY_INPUTS, BY_OUTPUTS };

/* A speedup of 2, a crossbar delay of 1, a hop delay of 5, a link rest of 2; FIFOs of four packets,
 * and output stores of as many. */
static ref_crossbar a_switch(const ref_plan *plan)
{
    return (ref_crossbar){.network = {.wiring = plan->wiring,
                                      .one_queue = 1,
                                      .bytes = 128,
                                      .block = 8,
                                      .max_packet = 32,
                                      .threshold = REF_NO_THRESHOLD,
                                      .hop_delay = 5,
                                      .link_rest = 2,
                                      .cycles = -1},
                          .output_blocks = 16,
                          .bytes = 2,
                          .cycles = 1,
                          .delay = 1};
}

/* The cycles in which packets begin to leave senders, inputs or output stores, ended by -1. */
static void expect_starts(ref_crossbar m, const ref_message *message, int messages, int who,
                          const long *cycle)
{
    ref_crossbar_outcome o;
    long k = 0;

    m.network.message = message;
    m.network.messages = messages;
    ref_crossbar_run(&m, &o);
    cr_expect_not(o.deadlock);
    for (long i = 0; i < o.starts; i++) {
        const ref_crossing *x = &o.start[i];
        const int from = x->output_store                  ? BY_OUTPUTS
                         : x->start.switch_ == REF_SENDER ? BY_SENDERS
                                                          : BY_INPUTS;
        if (from != who)
            continue;
        cr_expect_eq(x->start.cycle, cycle[k], "number %ld: in cycle %ld, not %ld", k,
                     x->start.cycle, cycle[k]);
        cr_assert_geq(cycle[k], 0);
        k++;
    }
    cr_expect_eq(cycle[k], -1, "only %ld", k);
    ref_crossbar_outcome_clear(&o);
}

#define STARTS(m, message, who, ...)                                                               \
    expect_starts(m, message, (int)(sizeof(message) / sizeof *(message)), who,                     \
                  (const long[]){__VA_ARGS__, -1})

static const ref_message alone[] = {{0, 0, 1, 32}};
static const ref_message two_inputs[] = {{0, 0, 1, 32}, {0, 1, 1, 32}};
static const ref_message three[] = {{0, 0, 1, 32}, {0, 0, 1, 32}, {0, 1, 1, 32}};
static const ref_message two_behind[] = {{0, 0, 1, 32}, {0, 0, 1, 32}};

/* H, then D: its tail, which is at the input from 36 on, delays the transfer only until 37. */
Test(ref_crossbar, a_packet_alone)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_crossbar m = a_switch(plan);

    STARTS(m, alone, BY_INPUTS, 5);
    STARTS(m, alone, BY_OUTPUTS, 6);
    m.delay = 7;
    STARTS(m, alone, BY_OUTPUTS, 12);
    m.whole = 1; /* 36, 16 cycles, and from the last of them on the delay */
    STARTS(m, alone, BY_INPUTS, 36);
    STARTS(m, alone, BY_OUTPUTS, 58);
    ref_plan_free(plan);
}

/* The channel belongs to the first one until 37, its tail having arrived in 36; the second one is
 * complete. The link carries 32 bytes and rests. */
Test(ref_crossbar, two_to_an_output)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_crossbar m = a_switch(plan);

    STARTS(m, two_inputs, BY_INPUTS, 5, 37);
    STARTS(m, two_inputs, BY_OUTPUTS, 6, 40);
    m.bytes = 3; /* the second one takes 22 cycles */
    m.cycles = 2;
    STARTS(m, three, BY_INPUTS, 5, 37, 59);
    STARTS(m, three, BY_OUTPUTS, 6, 40, 74);
    ref_plan_free(plan);
}

/* Both have arrived in 36, and cross by 68. */
Test(ref_crossbar, output_queues)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_crossbar m = a_switch(plan);

    m.whole = 1;
    STARTS(m, two_inputs, BY_INPUTS, 36, 52);
    STARTS(m, two_inputs, BY_OUTPUTS, 52, 86);
    ref_plan_free(plan);
}

/* The tail is at the input from 51 on, the transfer from 20 ends in 52 and counts from 36: blocks
 * are free in 40, 44, 48 and 52. */
Test(ref_crossbar, input_memory)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_crossbar m = a_switch(plan);

    m.network.hop_delay = 20;
    m.network.link_rest = 0;
    m.network.bytes = 32;
    STARTS(m, two_behind, BY_SENDERS, 0, 52);
    m.network.bytes = 40;
    STARTS(m, two_behind, BY_SENDERS, 0, 48);
    m.network.release = REF_RELEASE_END;
    STARTS(m, two_behind, BY_SENDERS, 0, 52);
    m.network.release = REF_RELEASE_HOP; /* 36 + 20 is later than the end */
    STARTS(m, two_behind, BY_SENDERS, 0, 52);
    m.network.release = REF_RELEASE_START;
    STARTS(m, two_behind, BY_SENDERS, 0, 37);
    m.network.release = REF_RELEASE_HOP;
    m.network.hop_delay = 10; /* ends in 42, counts from 26 */
    STARTS(m, two_behind, BY_SENDERS, 0, 36);
    ref_plan_free(plan);
}

/* The store has room for a packet: it is free again when the link has carried the first one. */
Test(ref_crossbar, output_memory)
{
    ref_plan *plan = ref_omega(2, 1);
    ref_crossbar m = a_switch(plan);

    m.output_blocks = 4;
    STARTS(m, two_inputs, BY_INPUTS, 5, 38);
    m.output_blocks = 5; /* the third block in 30, but the channel in 37 */
    STARTS(m, two_inputs, BY_INPUTS, 5, 37);
    m.output_blocks = 4;
    m.network.release = REF_RELEASE_START;
    STARTS(m, two_inputs, BY_INPUTS, 5, 37);
    ref_plan_free(plan);
}
