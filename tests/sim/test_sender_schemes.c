/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds senders back: throughput of a pair alone in closed form; rates, bursts, windows and
 * tokens are never exceeded; nothing is sent to a node that is known to be hot.
 */
#include "switchq/async.h"
#include "tests/support/support.h"

#include <math.h>

TestSuite(sender_schemes, .timeout = 240);

enum { NODES = 4, MOST_STARTS = 40000 };

/* Parameters of the schemes. */
enum { STAY = 1, RATE = 0, BURST = 1, HOT = 0, COLD = 1, DELAY = 2, K = 0, GAIN = 1, START = 2 };

typedef struct {
    uint32_t cycle, from, to, bytes;
    bool arrives; /* at its node, or being sent */
} sender_event;

typedef struct {
    sender_event list[MOST_STARTS];
    int count;
} sender_starts;

static void watch_starts(void *arg, const swq_start *x)
{
    sender_starts *s = arg;
    /* with two stages of two switches each, those of the second are at nodes */
    const bool sent = x->switch_ == SWQ_NO_WHERE;

    if ((!sent && x->switch_ < 2) || s->count == MOST_STARTS)
        return;
    s->list[s->count++] = (sender_event){x->cycle, x->from, x->to, x->bytes, !sent};
}

static swq_async network(swq_context *ctx, const char *scheme)
{
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape.ports = n.shape.stages = 2;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 256), SWQ_OK);
    cr_assert_eq(swq_sender_scheme_find(ctx, scheme, &n.sender.row), SWQ_OK);
    return n;
}

/* ... whose nodes have interfaces with a queue for each destination. */
static void give_interfaces(swq_context *ctx, swq_async *n)
{
    n->management.row = &swq_management_voqnet;
    cr_assert_eq(swq_async_memory(ctx, n, 256), SWQ_OK);
    n->interface.present = true;
    n->interface.packets = 16;
}

static swq_async_result last_result;

/* One pair alone, or all to all. */
static double run(swq_context *ctx, swq_async *n, bool alone, sender_starts *s)
{
    swq_sender_group group = swq_sender_group_uniform(n, SWQ_SOURCE_HOLD, 1,
                                                      alone ? (swq_spread){SWQ_CONSTANT, 32, 0}
                                                            : (swq_spread){SWQ_UNIFORM, 1, 32});
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = watch_starts, .arg = s};
    swq_async_result r;

    s->count = 0;
    if (alone) {
        group.mask = NODES - 1;
        group.value = 1;
        group.type[0].aim = SWQ_AIM_NODE;
        group.type[0].value = 2;
    }
    n->traffic.group = &group;
    n->traffic.groups = 1;
    options.warmup = 2000;
    options.cycles = 20000;
    options.replications = 1;
    options.threads = 1;
    cr_assert_eq(swq_async_run(ctx, n, &options, &watch, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert(r.sim.conserved && r.sim.little_exact);
    n->traffic.group = NULL;
    n->traffic.groups = 0;
    last_result = r;
    return r.sim.all.throughput.mean * NODES;
}

/* min(L / (L + R), W L / ((S + 2) H + L)) */
Test(sender_schemes, window_of_a_pair_alone)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 24; k++) {
        swq_async n = network(ctx, k % 2 ? "tokens" : "window");
        n.link.hop_delay = 1 + 7 * (k / 4);
        const int window = 1 + k / 2 % 4;
        n.sender.value[0] = k % 2 ? NODES * window : window; /* as many tokens at each node */
        const double trip = 4 * n.link.hop_delay + 32, link = 32.0 / (32 + n.link.rest);
        const double expected = fmin(link, window * 32 / trip);
        cr_expect_float_eq(run(ctx, &n, true, &s), expected, 32.0 / 20000 * 2,
                           "%s %d, hop delay %d", n.sender.row->name, window, n.link.hop_delay);
    }
    swq_context_free(ctx);
}

/* A packet, and then its token or acknowledgement, are under way until the latter has returned. */
static int most_in_flight(const swq_async *n, const sender_starts *s, int from, int to)
{
    int most = 0, now = 0;

    for (int i = 0; i < s->count; i++) {
        const sender_event *e = &s->list[i];
        if (e->arrives || (from >= 0 && ((int)e->from != from || (int)e->to != to)))
            continue;
        now = 1;
        for (int k = 0; k < i; k++) { /* those before it, minus those that have returned by then */
            const sender_event *b = &s->list[k];
            const uint32_t back =
                b->cycle + b->bytes +
                (uint32_t)n->link.hop_delay *
                    (n->sender.row == &swq_sender_tokens && n->sender.value[STAY] > 0 ? 1 : 2);
            if (from >= 0 && ((int)b->from != from || (int)b->to != to))
                continue;
            now += b->arrives ? -(back <= e->cycle) : 1;
        }
        most = now > most ? now : most;
    }
    return most;
}

Test(sender_schemes, windows_and_tokens_are_never_exceeded)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 6; k++) {
        const int w = k / 2 + 1;
        const bool interfaces = k % 2;
        swq_async n = network(ctx, "window");
        n.sender.value[0] = w;
        if (interfaces)
            give_interfaces(ctx, &n);
        run(ctx, &n, false, &s);
        s.count = s.count < 1500 ? s.count : 1500;
        int full = 0;
        for (int pair = 0; pair < NODES * NODES; pair++) {
            const int most = most_in_flight(&n, &s, pair / NODES, pair % NODES);
            cr_expect_leq(most, w);
            full += most == w;
        }
        cr_expect_geq(full, w == 3 ? 1 : NODES);
        for (int stay = 0; stay < 2; stay++) {
            n = network(ctx, "tokens");
            n.sender.value[0] = 3 * w;
            n.sender.value[STAY] = stay;
            if (interfaces)
                give_interfaces(ctx, &n);
            run(ctx, &n, false, &s);
            s.count = s.count < 1500 ? s.count : 1500;
            cr_expect_eq(most_in_flight(&n, &s, -1, -1), 3 * w, "%d", stay);
        }
    }
    swq_context_free(ctx);
}

/* From any start of a pair to any later one: no more bytes than the burst and the rate allow; and
 * some reach that limit to within a packet. */
Test(sender_schemes, buckets_are_never_exceeded)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 6; k++) {
        swq_async n = network(ctx, "bucket");
        double closest = INFINITY;
        n.sender.value[RATE] = k % 2 ? 0.03 : 0.11;
        n.sender.value[BURST] = 32 + 40 * (k / 2);
        run(ctx, &n, false, &s);
        s.count = s.count < 3000 ? s.count : 3000;
        for (int pair = 0; pair < NODES * NODES; pair++) {
            for (int i = 0; i < s.count; i++) {
                const sender_event *a = &s.list[i];
                double bytes = 0;
                if (a->arrives || a->from * NODES + a->to != (uint32_t)pair)
                    continue;
                for (int j = i; j < s.count; j++) {
                    const sender_event *b = &s.list[j];
                    if (b->arrives || b->from != a->from || b->to != a->to)
                        continue;
                    bytes += b->bytes;
                    const double left = n.sender.value[BURST] +
                                        n.sender.value[RATE] * (b->cycle - a->cycle) - bytes;
                    cr_assert_gt(left, -1e-6, "pair %d, %u to %u", pair, a->cycle, b->cycle);
                    closest = fmin(closest, left);
                }
            }
        }
        cr_expect_leq(closest, 1);
    }
    swq_context_free(ctx);
}

/* Tokens that stay run out if nothing returns: a lone pair sends as many packets as it has
 * tokens. */
Test(sender_schemes, tokens_that_stay_run_out)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "tokens");

    n.sender.value[0] = 30; /* 8, 8, 7 and 7 */
    n.sender.value[STAY] = true;
    run(ctx, &n, true, &s);
    int sent = 0;
    for (int i = 0; i < s.count; i++)
        sent += !s.list[i].arrives;
    cr_expect_eq(sent, 8);
    cr_expect_eq(last_result.starved, 1);
    cr_expect_eq(last_result.first_starved, 1);
    swq_context_free(ctx);
}

/* With fewer tokens than nodes the last nodes never have any if tokens go back; if they stay, with
 * all sending to all, every node may get one. */
Test(sender_schemes, senders_that_starve_are_counted)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();

    for (int tokens = 1; tokens <= 5; tokens++) {
        for (int stay = 0; stay < 2; stay++) {
            swq_async n = network(ctx, "tokens");
            n.sender.value[0] = tokens;
            n.sender.value[STAY] = stay;
            if (tokens % 2)
                give_interfaces(ctx, &n);
            run(ctx, &n, false, &s);
            const uint32_t starved = stay || tokens > NODES ? 0 : (uint32_t)(NODES - tokens);
            cr_expect_eq(last_result.starved, starved, "%d, %d: %u", tokens, stay,
                         last_result.starved);
            if (starved)
                cr_expect_eq(last_result.first_starved, (uint32_t)tokens);
        }
    }
    swq_context_free(ctx);
}

Test(sender_schemes, state)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "window");

    n.sender.value[0] = 3;
    cr_expect_eq(swq_sender_state_bytes(&n, 256), 64);
    n = network(ctx, "tokens");
    n.sender.value[0] = 1024;
    cr_expect_eq(swq_sender_state_bytes(&n, 256), 2);
    n = network(ctx, "bucket");
    n.sender.value[BURST] = 127;
    cr_expect_eq(swq_sender_state_bytes(&n, 256), 256 * 39 / 8.0);
    swq_context_free(ctx);
}

/* Hot periods of a lone pair whose packets begin P apart: each makes its node hot for H cycles; one
 * that would begin while another one is known waits until that ends. */
static double alone_with_feedback(const swq_async *n)
{
    const int apart = 32 + n->link.rest, hot = n->link.hop_delay + 1 + (int)n->sender.value[DELAY];
    const int cold = hot + n->link.hop_delay, m = (hot + apart - 1) / apart;

    return m * apart < cold ? m * 32.0 / cold : 32.0 / apart;
}

Test(sender_schemes, feedback_of_a_pair_alone)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();
    int held = 0;

    for (int k = 0; k < 60; k++) {
        swq_async n = network(ctx, "feedback");
        n.sender.value[HOT] = n.sender.value[COLD] = 1;
        n.sender.value[DELAY] = k * 2;
        n.link.hop_delay = k % 3 ? 5 : 11;
        const double expected = alone_with_feedback(&n);
        held += expected < 32.0 / 34;
        cr_expect_float_eq(run(ctx, &n, true, &s), expected, 32.0 / 20000 * 2, "delay %d, hop %d",
                           2 * k, n.link.hop_delay);
    }
    cr_expect_gt(held, 5);
    cr_expect_lt(held, 50);
    swq_context_free(ctx);
}

/* All starts, of senders and in both stages. */
static void watch_all(void *arg, const swq_start *x)
{
    sender_starts *s = arg;

    if (s->count < MOST_STARTS)
        s->list[s->count++] = (sender_event){x->cycle, x->switch_ == SWQ_NO_WHERE, x->to,
                                             x->switch_ < 2, x->switch_ >= 2 && x->switch_ < 4};
}

/* Counts recomputed cycle by cycle from all starts: a sender sends nothing to a node that was hot
 * `delay` cycles before; and nodes do become hot, so that the test is not void. */
static void check_feedback(const swq_async *n, const sender_starts *s)
{
    enum { LAST = 12000 };
    static bool hot[NODES][LAST];
    int count[NODES] = {0}, next = 0, changes = 0;
    bool now[NODES] = {false};

    for (uint32_t cycle = 0; cycle < LAST && next < s->count; cycle++) {
        for (int node = 0; node < NODES; node++) {
            const bool was = now[node];
            now[node] = count[node] >= n->sender.value[was ? COLD : HOT];
            changes += now[node] != was;
            hot[node][cycle] = now[node];
        }
        for (; next < s->count && s->list[next].cycle == cycle; next++) {
            const sender_event *e = &s->list[next];
            const int64_t seen = (int64_t)cycle - (int64_t)n->sender.value[DELAY];
            if (e->from && seen >= 0)
                cr_assert(!hot[e->to][seen], "to %u in %u", e->to, cycle);
            count[e->to] += e->bytes ? 1 : e->arrives ? -1 : 0;
            cr_assert_geq(count[e->to], 0);
        }
    }
    cr_expect_gt(changes, 50, "%d", changes);
}

Test(sender_schemes, nothing_is_sent_to_a_hot_node)
{
    static sender_starts s;
    static const char *const buffers[] = {"fifo", "damq", "samq", "dafc"};
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 16; k++) {
        swq_async n = network(ctx, "feedback");
        const swq_buffer_kind *kind;
        cr_assert_eq(swq_buffer_kind_find(ctx, buffers[k % 4], &kind), SWQ_OK);
        cr_assert_eq(swq_async_buffer(ctx, &n, kind, 128), SWQ_OK);
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_UNIFORM, 1, 32});
        swq_sim_options options = swq_sim_defaults();
        swq_async_watch watch = {.started = watch_all, .arg = &s};
        swq_async_result r;
        n.sender.value[HOT] = 2 + k / 4 % 2;
        n.sender.value[COLD] = 1 + k % 2;
        n.sender.value[DELAY] = k % 8 < 4 ? 7 * (k % 8) : 60;
        if (k >= 8)
            give_interfaces(ctx, &n);
        n.traffic.group = &group;
        n.traffic.groups = 1;
        options.warmup = 2000;
        options.cycles = 10000;
        options.replications = options.threads = 1;
        s.count = 0;
        cr_assert_eq(swq_async_run(ctx, &n, &options, &watch, &r), SWQ_OK);
        cr_assert(r.sim.conserved && r.sim.little_exact);
        check_feedback(&n, &s);
    }
    swq_context_free(ctx);
}

Test(sender_schemes, state_of_feedback)
{
    swq_context *ctx = swq_context_new();
    swq_async n = network(ctx, "feedback");
    swq_fabric f;

    cr_assert_eq(swq_fabric_count(ctx, &n.shape, &f), SWQ_OK);
    cr_expect_eq(swq_sender_state_bytes(&n, 256), 32);
    /* 256 bytes at each of 2 inputs hold 16 packets for a node: 5 bits, plus one, for each of
     * two */
    cr_expect_eq(swq_sender_switch_bytes(&n, &f), 2);
    swq_context_free(ctx);
}

/* ---- windows that follow marks ---- */

/* Without marks the window is one packet larger in each round trip, so that the starts of a pair
 * alone come in rounds of 1, 2, 3 ... packets, a trip of (S + 2) H + L cycles apart, until the link
 * is the limit. */
Test(sender_schemes, an_unmarked_window_grows_by_a_packet_a_round)
{
    enum { ROUNDS = 10 };
    static sender_starts s;
    swq_context *ctx = swq_context_new();

    for (int start = 1; start <= 3; start++) {
        swq_async n = network(ctx, "dctcp");
        int count[ROUNDS] = {0};
        n.link.hop_delay = 100;
        n.sender.value[K] = 31; /* of 32 blocks */
        n.sender.value[GAIN] = 0.0625;
        n.sender.value[START] = start;
        run(ctx, &n, true, &s);
        const uint32_t first = s.list[0].cycle;
        for (int i = 0; i < s.count; i++) {
            const uint32_t round = (s.list[i].cycle - first) / (4 * 100 + 32);
            if (!s.list[i].arrives && round < ROUNDS)
                count[round]++;
        }
        for (int round = 0; round < ROUNDS; round++)
            cr_expect_eq(count[round], start + round, "round %d: %d", round, count[round]);
    }
    swq_context_free(ctx);
}

/* Two senders share a first switch, and send to node 0, which is behind that switch or the next. */
enum { SENDERS = 2 };

typedef struct {
    double window, alpha;
    int sent, back, begun, end, marked;
    bool filled;
    int waiting; /* packets in its FIFO */
    bool mark[MOST_STARTS];
    uint32_t returns[MOST_STARTS]; /* when the acknowledgement of a packet is there */
    int delivered;
} dctcp_sender;

/* The rules of docs/asynchronous.md: what the acknowledgements that have come make of a window. */
static void take_acknowledgements(const swq_async *n, dctcp_sender *x, uint32_t now)
{
    while (x->back < x->delivered && x->returns[x->back] <= now) {
        x->marked += x->mark[x->back++];
        if (x->back < x->end)
            continue;
        x->alpha = (1 - n->sender.value[GAIN]) * x->alpha +
                   n->sender.value[GAIN] * x->marked / (x->back - x->begun);
        if (x->marked > 0)
            x->window = fmax(1, x->window - x->window * x->alpha / 2);
        else if (x->filled)
            x->window++;
        x->begun = x->back;
        x->end = x->sent + 1;
        x->marked = 0;
        x->filled = false;
    }
}

static void watch_switches(void *arg, const swq_start *x)
{
    sender_starts *s = arg;

    if (s->count < MOST_STARTS)
        s->list[s->count++] = (sender_event){x->cycle, x->from, x->switch_, x->bytes, false};
}

/* Every start of each sender is one that its window, recomputed from the starts before, allows;
 * many are of the last packet that it allows; packets are marked, and others are not. */
static void follow(const swq_async *n, const sender_starts *s)
{
    static dctcp_sender sender[SENDERS];
    const uint32_t last_switches = n->shape.stages == 1 ? 0 : 2;
    int full = 0, marked = 0, sent = 0;

    for (int k = 0; k < SENDERS; k++)
        sender[k] = (dctcp_sender){.window = n->sender.value[START], .alpha = 1, .end = 1};
    for (int i = 0; i < s->count; i++) {
        const sender_event *e = &s->list[i];
        dctcp_sender *x = &sender[e->from / (uint32_t)n->shape.stages];
        if (e->to != SWQ_NO_WHERE) { /* a switch */
            x->waiting -= e->to < 2;
            if (e->to >= last_switches)
                x->returns[x->delivered++] = e->cycle + 32 + 2 * (uint32_t)n->link.hop_delay;
            continue;
        }
        take_acknowledgements(n, x, e->cycle);
        cr_assert_lt(x->sent - x->back, floor(x->window), "sender %u in %u", e->from, e->cycle);
        x->mark[x->sent] = 4 * x->waiting++ > n->sender.value[K];
        marked += x->mark[x->sent];
        x->sent++;
        sent++;
        const bool last = x->sent - x->back >= floor(x->window);
        x->filled = x->filled || last;
        full += last;
    }
    cr_expect_gt(sent, 150);
    cr_expect_gt(full, 50, "%d of %d", full, sent);
    cr_expect_gt(marked, sent / 50, "%d of %d", marked, sent);
    cr_expect_lt(marked, sent, "%d of %d", marked, sent);
}

Test(sender_schemes, windows_follow_the_marks_of_their_round)
{
    static sender_starts s;
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < 16; k++) {
        swq_async n = network(ctx, "dctcp");
        swq_sim_options options = swq_sim_defaults();
        swq_async_watch watch = {.started = watch_switches, .arg = &s};
        swq_async_result r;
        n.shape.stages = 1 + k % 2;
        n.link.hop_delay = 1 + 5 * k;
        n.sender.value[K] = 4 * (k % 3);
        n.sender.value[GAIN] = k % 4 < 2 ? 0.0625 : 0.5;
        n.sender.value[START] = 1 + k % 4;
        swq_sender_group group =
            swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
        group.type[0].aim = SWQ_AIM_NODE;
        group.type[0].value = 0;
        group.mask = k % 2; /* nodes 0 and 2 share a switch of the first of two stages */
        n.traffic.group = &group;
        n.traffic.groups = 1;
        options.warmup = 2000;
        options.cycles = 20000;
        options.replications = options.threads = 1;
        s.count = 0;
        cr_assert_eq(swq_async_run(ctx, &n, &options, &watch, &r), SWQ_OK);
        follow(&n, &s);
    }
    swq_context_free(ctx);
}

/* Senders that share a link, with lengths that are drawn: they use all of it, in equal shares, and
 * the queue before it is within a packet of each sender of the threshold. */
Test(sender_schemes, windows_that_follow_marks_share_a_link)
{
    const double mean_bytes = 24, mean_blocks = (2 + 8 * 3 + 8 * 4) / 17.0, threshold = 64;
    swq_context *ctx = swq_context_new();

    for (int senders = 2; senders <= 4; senders++) {
        swq_async n = network(ctx, "dctcp");
        swq_sim_options options = swq_sim_defaults();
        swq_async_result r;
        n.shape.ports = 8;
        n.shape.stages = 1;
        n.architecture.row = &swq_output_queued;
        n.architecture.output.speedup_bytes = 8;
        n.architecture.output.blocks = 256;
        n.architecture.output.store_and_forward = true;
        n.link.hop_delay = 50;
        n.sender.value[K] = threshold;
        n.sender.value[GAIN] = 0.0625;
        n.sender.value[START] = 1;
        swq_sender_group group[4];
        for (int g = 0; g < senders; g++) {
            group[g] =
                swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_UNIFORM, 16, 32});
            group[g].mask = 7;
            group[g].value = (uint32_t)g + 1;
            group[g].type[0].aim = SWQ_AIM_NODE;
            group[g].type[0].value = 0;
        }
        n.traffic.group = group;
        n.traffic.groups = senders;
        options.warmup = 100000;
        options.cycles = 3000000;
        options.replications = options.threads = 1;
        cr_assert_eq(swq_async_run(ctx, &n, &options, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        const double link = mean_bytes / (mean_bytes + n.link.rest);
        cr_expect_gt(8 * r.sim.all.throughput.mean, 0.995 * link);
        for (int g = 0; g < senders; g++)
            cr_expect_float_eq(r.sim.by_group[g].throughput.mean * senders, link, 0.05 * link,
                               "sender %d of %d: %g", g, senders,
                               r.sim.by_group[g].throughput.mean * senders / link);
        const double queue = 8 * r.sim.stage[1].occupancy.mean * mean_blocks;
        cr_expect_float_eq(queue, threshold, 4 * senders, "%g blocks", queue);
    }
    swq_context_free(ctx);
}

/* Every allocation of each scheme fails once: an error, and nothing is left. */
Test(sender_schemes, every_allocation_fails)
{
    static const double value[] = {4, 4, 4}, rate[] = {0.5, 64, 0};

    for (int k = 0; swq_sender_schemes[k]; k++) {
        swq_status status = SWQ_ENOMEM;
        for (size_t after = 0; status == SWQ_ENOMEM; after++) {
            swq_context *ctx = swq_context_new();
            swq_async n = network(ctx, swq_sender_schemes[k]->name);
            swq_sim_options options = swq_sim_defaults();
            swq_async_result r;
            memcpy(n.sender.value, n.sender.row == &swq_sender_bucket ? rate : value, sizeof value);
            n.sender.value[GAIN] = n.sender.row == &swq_sender_dctcp    ? 0.1
                                   : n.sender.row == &swq_sender_tokens ? 1
                                                                        : n.sender.value[GAIN];
            swq_sender_group group =
                swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_UNIFORM, 1, 32});
            n.traffic.group = &group;
            n.traffic.groups = 1;
            options.cycles = 64;
            options.warmup = 10;
            options.replications = options.threads = 1;
            swq_context_fail_allocations(ctx, after, false);
            status = swq_async_run(ctx, &n, &options, NULL, &r);
            cr_assert(status == SWQ_ENOMEM || status == SWQ_OK, "%s", swq_context_message(ctx));
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%s, %zu", n.sender.row->name, after);
            swq_context_free(ctx);
        }
    }
}
