/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of a trace that wait for others: a ping-pong takes the cycles that it must, in every
 * architecture; what is created when, worked out once more from what the run tells, and the same
 * run with these cycles written down; circles are refused by name.
 */
#include "tests/sim/inspector.h"

#include <stdlib.h>
#include <string.h>

TestSuite(after, .timeout = 120);

enum { KINDS = 13, BYTES = 24 };

static swq_async kind_of(int kind, const char **name)
{
    static const char *const names[KINDS] = {
        "fifo",  "damq",   "in pieces", "cioq",     "output-queued", "hipiqs",     "crosspoint",
        "multi", "prizma", "central",   "wormhole", "atlas",         "destination"};
    static const swq_architecture *const row[KINDS] = {
        &swq_input_queued,  &swq_input_queued,  &swq_input_queued,      &swq_cioq,
        &swq_output_queued, &swq_hipiqs,        &swq_crosspoint_queued, &swq_multi_buffer,
        &swq_prizma,        &swq_central_queue, &swq_wormhole_lanes,    &swq_atlas_cells,
        &swq_input_queued};
    swq_async n = async_network(shape_in_stages("omega", 2, 3),
                                kind == 0 || kind == 3 ? "fifo" : "damq", 256);

    *name = names[kind];
    n.architecture.row = row[kind];
    n.architecture.output.blocks = 64;
    n.packet.max = 48;
    if (kind == 2) {
        n.packet.piece = 8;
    } else if (kind == 4) {
        n.architecture.output.speedup_bytes = 2;
        n.architecture.output.store_and_forward = true;
    } else if (n.architecture.row->async.stores) {
        n.link.rest = 0;
        n.memory.bytes = 400;
        n.packet.block = n.architecture.row->async.chunks ? 4 : 1;
    }
    if (kind == 11)
        n.packet.max = BYTES;
    if (kind == 12)
        n.flow.row = &swq_flow_destination;
    return n;
}

/* There and back, each time `delay` cycles after the last byte, for a message of one packet or of
 * two. */
Test(after, a_ping_pong)
{
    enum { TIMES = 9, DELAY = 7 };

    for (int k = 0; k < 2 * KINDS; k++) {
        const char *name;
        swq_async n = kind_of(k / 2, &name);
        const uint32_t bytes = k % 2 ? BYTES * (k / 2 == 11 ? 2 : 4) : BYTES;
        swq_async_message m[TIMES];
        swq_async_dependency d[TIMES - 1];
        swq_async_result alone, r;

        for (int i = 0; i < TIMES; i++)
            m[i] = (swq_async_message){3, i % 2 ? 6 : 1, i % 2 ? 1 : 6, bytes};
        for (int i = 0; i < TIMES - 1; i++)
            d[i] = (swq_async_dependency){(uint64_t)i + 1, (uint64_t)i, DELAY};
        n.traffic.trace = m;
        n.traffic.trace_messages = 1;
        n.traffic.groups = 0;
        start_log log = run_logged(&n, 5000, &alone);
        free(log.at);
        n.traffic.trace_messages = TIMES;
        n.traffic.dependency = d;
        n.traffic.dependencies = TIMES - 1;
        log = run_logged(&n, 50000, &r);
        cr_expect_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END, "%s", name);
        const uint32_t whole =
            (uint32_t)(k % 2 ? alone.sim.all.message_tail.mean : alone.sim.all.tail_latency.mean);
        int seen = 0;
        for (size_t i = 0; i < log.count; i++) {
            if (log.at[i].switch_ != SWQ_NO_WHERE)
                continue;
            const bool first = log.at[i].birth == 3u + (uint32_t)seen * (whole + DELAY);
            seen += first;
            cr_expect(first || k % 2, "%s: message %d in %u, after trips of %u", name, seen,
                      log.at[i].birth, whole);
        }
        cr_expect_eq(seen, TIMES, "%s: %d messages came as they should", name, seen);
        free(log.at);
    }
}

/* ---- many that wait for one another ---- */

enum { MESSAGES = 150, NODES = 8 };

typedef struct {
    swq_async_message m[MESSAGES];
    swq_async_dependency d[3 * MESSAGES];
    uint64_t dependencies;
    uint32_t birth[MESSAGES];
} web;

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Each message waits for up to three others, in an order different from that of the lines. No two
 * messages of a pair have the same length, unless all messages do. */
static void draw_web(uint32_t *state, web *w, bool cells)
{
    uint32_t rank[MESSAGES], cycle = 0, lengths[NODES][NODES] = {{0}};

    memset(w, 0, sizeof *w);
    for (int k = 0; k < MESSAGES; k++) {
        const uint32_t from = draw(state, NODES), to = draw(state, NODES);

        cycle += draw(state, 4);
        w->m[k] = (swq_async_message){cycle, from, to, cells ? BYTES : ++lengths[from][to]};
        rank[k] = draw(state, 1000000);
    }
    for (uint32_t k = 0; k < MESSAGES; k++)
        for (uint32_t i = draw(state, 4); i > 0; i--) {
            const uint32_t other = draw(state, MESSAGES);

            if (rank[other] < rank[k])
                w->d[w->dependencies++] = (swq_async_dependency){k, other, 1 + draw(state, 40)};
        }
}

/* The births by the rule, from the arrivals of messages. */
static void expect_births(const web *w, const uint32_t *arrival, const char *name)
{
    for (uint64_t k = 0; k < MESSAGES; k++) {
        uint64_t birth = w->m[k].cycle;

        for (uint64_t i = 0; i < w->dependencies; i++) {
            const swq_async_dependency *d = &w->d[i];
            if (d->message == k && arrival[d->on] + d->delay > birth)
                birth = arrival[d->on] + d->delay;
        }
        cr_expect_eq(w->birth[k], birth, "%s: message %d in %u, not in %d", name, (int)k,
                     w->birth[k], (int)birth);
    }
}

static const web *sorted_web;

static int by_birth(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t s = sorted_web->birth[x], t = sorted_web->birth[y];

    return s != t ? (s < t ? -1 : 1) : (x > y) - (x < y);
}

/* The same messages with only their births. */
static void write_down(const web *w, swq_async_message *plain)
{
    uint32_t order[MESSAGES];

    for (uint32_t k = 0; k < MESSAGES; k++)
        order[k] = k;
    sorted_web = w;
    qsort(order, MESSAGES, sizeof *order, by_birth);
    for (int k = 0; k < MESSAGES; k++) {
        plain[k] = w->m[order[k]];
        plain[k].cycle = w->birth[order[k]];
    }
}

static void expect_same(const start_log *a, const start_log *b, const char *name)
{
    cr_assert_eq(a->count, b->count, "%s: %zu and %zu starts", name, a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const swq_start *x = &a->at[i], *y = &b->at[i];
        cr_assert(x->cycle == y->cycle && x->birth == y->birth && x->from == y->from &&
                      x->to == y->to && x->bytes == y->bytes && x->switch_ == y->switch_ &&
                      x->output == y->output,
                  "%s: start %zu in cycle %u, not %u", name, i, x->cycle, y->cycle);
    }
}

Test(after, a_web_is_created_as_its_rule_says)
{
    uint32_t state = 5;

    for (int k = 0; k < 2 * KINDS; k++) {
        const char *name;
        swq_async n = kind_of(k % KINDS, &name);
        const bool cells = k % KINDS == 11;
        static web w;
        swq_async_message plain[MESSAGES];
        uint32_t arrival[MESSAGES];
        swq_async_result r;

        draw_web(&state, &w, cells);
        n.traffic.trace = w.m;
        n.traffic.trace_messages = MESSAGES;
        n.traffic.groups = 0;
        n.traffic.dependency = w.d;
        n.traffic.dependencies = w.dependencies;
        start_log log = run_logged(&n, 200000, &r);
        cr_assert_eq(r.sim.stopped_by, SWQ_STOP_TRACE_END, "%s", name);
        cr_assert_eq(r.sim.total_delivered, MESSAGES);
        if (cells) { /* they are all equal */
            free(log.at);
            continue;
        }
        for (size_t i = 0; i < log.count; i++) {
            const swq_start *s = &log.at[i];
            int m = 0;
            while (w.m[m].source != s->from || w.m[m].destination != s->to ||
                   w.m[m].bytes != s->bytes)
                m++;
            w.birth[m] = s->birth;
            arrival[m] = s->cycle + s->bytes; /* the last is that to its node */
        }
        if (k % KINDS < 2)
            expect_births(&w, arrival, name);
        write_down(&w, plain);
        n.traffic.trace = plain;
        n.traffic.dependencies = 0;
        start_log again = run_logged(&n, 200000, &r);
        expect_same(&log, &again, name);
        free(log.at);
        free(again.at);
    }
}

/* ---- what is refused ---- */

static void expect_refused(const swq_async_dependency *d, uint64_t count, const char *why)
{
    static const swq_async_message m[8] = {{0, 0, 1, 8}, {0, 1, 2, 8}, {1, 2, 3, 8}, {2, 3, 4, 8},
                                           {5, 4, 5, 8}, {6, 5, 6, 8}, {6, 6, 7, 8}, {7, 7, 0, 8}};
    const char *name;
    swq_async n = kind_of(1, &name);
    swq_context *ctx = swq_context_new();
    uint32_t nodes;

    n.traffic.trace = m;
    n.traffic.trace_messages = 8;
    n.traffic.groups = 0;
    n.traffic.dependency = d;
    n.traffic.dependencies = count;
    cr_expect_eq(swq_async_check(ctx, &n, &nodes), SWQ_EINVAL);
    cr_expect_str_eq(swq_context_message(ctx), why, "%s", swq_context_message(ctx));
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

Test(after, what_can_never_be_created_is_named)
{
    const swq_async_dependency itself[] = {{1, 0, 1}, {4, 4, 1}};
    const swq_async_dependency circle[] = {{0, 7, 3}, {1, 0, 1}, {5, 2, 9},
                                           {2, 4, 1}, {4, 5, 1}, {7, 5, 1}};
    const swq_async_dependency beyond[] = {{1, 8, 1}}, late[] = {{1, 0, 1}, {2, 1, 0}};
    swq_async_dependency all[8];

    expect_refused(itself, 2, "message 5 of the trace waits for itself: it can never be created");
    expect_refused(circle, 6,
                   "3 messages of the trace wait for one another in a circle, and can never be "
                   "created: 6, 3, 5 (each waits for the next)");
    for (uint64_t k = 0; k < 8; k++)
        all[k] = (swq_async_dependency){k, (k + 1) % 8, 1};
    expect_refused(all, 8,
                   "8 messages of the trace wait for one another in a circle, and can never be "
                   "created: 1, 2, 3, 4, 5, 6, ... (each waits for the next)");
    expect_refused(beyond, 1,
                   "dependency 1: message 2 waits for message 9, and there are 8 messages");
    expect_refused(late, 2, "delay of dependency 2 must be 1 to 100000000, not 0");
}
