/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of several packets: their latencies by hand, and against what the transmissions tell.
 */
#include "switchq/async.h"
#include "tests/sim/inspector.h"

#include <math.h>
#include <stdlib.h>

TestSuite(messages, .timeout = 240);

/* 100 bytes are packets of 32, 32, 32 and 4, each sent 34 cycles after the one before; the header
 * crosses the switch 5 cycles after it was sent, and the last byte of the 4 arrives 4 cycles
 * later. */
Test(messages, one_alone_by_hand)
{
    const swq_async_message trace[] = {{.cycle = 10, .source = 0, .destination = 1, .bytes = 100},
                                       {.cycle = 500, .source = 1, .destination = 0, .bytes = 20}};
    swq_async n = async_network(shape_in_stages("switch", 2, 1), "damq", 256);
    swq_async_result r;

    n.traffic.trace = trace;
    n.traffic.trace_messages = 2;
    start_log log = run_logged(&n, 1000, &r);
    free(log.at);
    cr_expect_eq(r.sim.all.messages, 2);
    cr_expect_float_eq(r.sim.all.message_head.mean, 5, 1e-12, "%g", r.sim.all.message_head.mean);
    cr_expect_float_eq(r.sim.all.message_tail.mean, ((3 * 34 + 5 + 4) + (5 + 20)) / 2.0, 1e-12,
                       "%g", r.sim.all.message_tail.mean);
}

/* ---- against the transmissions ---- */

enum { NODES = 8, PACKETS = 3 }; /* of each message */

/* Records of a message, whose packets are identified by the order in which their sender sends
 * them. */
typedef struct {
    uint32_t birth, head, arrived;
} followed;

typedef struct {
    const swq_fabric *fabric;
    bool output_stores; /* they feed the links */
    uint32_t sent[NODES];
    uint32_t sent_birth[NODES][20000]; /* of each packet */
    followed message[NODES][20000 / PACKETS + 1];
    double messages, heads, tails;
} message_books;

static void note(void *arg, const swq_start *start)
{
    message_books *b = arg;
    const uint32_t from = start->from;

    if (start->switch_ == SWQ_NO_WHERE) {
        const uint32_t k = b->sent[from]++;
        cr_assert_lt(k, 20000);
        b->sent_birth[from][k] = start->birth;
        if (k % PACKETS == 0)
            b->message[from][k / PACKETS].birth = start->birth;
        return;
    }
    const swq_fabric *f = b->fabric;
    const uint32_t link = f->link[start->switch_ * (uint32_t)f->ports + start->output];
    if (!(link & SWQ_TO_NODE) || start->output_store != b->output_stores)
        return;
    uint32_t k = b->sent[from] - 1; /* packets of one sender are created in different cycles */
    while (b->sent_birth[from][k] != start->birth)
        k--;
    followed *m = &b->message[from][k / PACKETS];
    if (m->arrived++ == 0)
        m->head = start->cycle - m->birth;
    if (m->arrived < PACKETS)
        return;
    b->messages++;
    b->heads += m->head;
    b->tails += start->cycle + start->bytes - m->birth;
}

Test(messages, latencies_are_what_the_transmissions_tell)
{
    static const char *const buffers[] = {"fifo", "damq", "safc"};
    message_books *b = malloc(sizeof *b);

    for (int k = 0; k < 6; k++) {
        swq_async n = async_network(shape_in_stages("omega", 2, 3), buffers[k / 2], 256);
        const swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.7, constantly(2 * 32 + 8));
        const swq_sim_options options = run_of(1, 1, 0, 20000);
        swq_async_watch watch = {.started = note, .arg = b};
        swq_fabric f;
        swq_context *ctx = swq_context_new();

        n.traffic.group = &group;
        n.traffic.groups = 1;
        if (k % 2) {
            n.architecture.row = &swq_cioq;
            n.architecture.output.blocks = 16;
            n.architecture.output.speedup_bytes = 2;
        }
        cr_assert_eq(swq_fabric_make(ctx, &n.shape, &f), SWQ_OK);
        *b = (message_books){.fabric = &f, .output_stores = k % 2};
        const swq_async_result r = run_async(&n, &options, &watch);
        swq_fabric_clear(ctx, &f);
        swq_context_free(ctx);
        cr_assert_gt(b->messages, 500);
        cr_expect_eq(r.sim.all.messages, b->messages, "case %d", k);
        cr_expect_float_eq(r.sim.all.message_head.mean, b->heads / b->messages, 1e-9, "case %d", k);
        cr_expect_float_eq(r.sim.all.message_tail.mean, b->tails / b->messages, 1e-9, "case %d", k);
        cr_expect_gt(r.sim.all.message_tail.mean, r.sim.all.message_head.mean + 72);
    }
    free(b);
}

/* Nothing is followed if a message is one packet. */
Test(messages, of_one_packet_are_packets)
{
    swq_async n = async_network(shape_in_stages("omega", 2, 3), "damq", 256);
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, constantly(32));
    const swq_sim_options options = run_of(1, 1, 0, 2000);

    n.traffic.group = &group;
    n.traffic.groups = 1;
    const swq_async_result r = run_async(&n, &options, NULL);
    cr_expect(isnan(r.sim.all.messages) && isnan(r.sim.all.message_tail.mean));
}
