/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets in pieces, in stores that may be smaller than a packet: swq_async_run against
 * tests/ref/ref_pieces.c, which shares no code with it. Traffic is a trace, and every beginning and
 * every end of a packet's transfer over a crossbar and of its transmission over a link must be the
 * same: cycle, place, packet. So must the sums be, and whether it ends in a deadlock. Then closed
 * forms, and that pieces as long as packets change nothing.
 */
#include "switchq/async.h"
#include "tests/ref/ref_pieces.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

TestSuite(pieces, .timeout = 240);

/* ---- watching ---- */

typedef struct {
    ref_moment *moment;
    long moments, room;
} moments_seen;

static void note(moments_seen *s, const swq_start *x, bool end)
{
    if (s->moments == s->room) {
        s->room = 2 * s->room + 1024;
        s->moment = realloc(s->moment, (size_t)s->room * sizeof *s->moment);
        cr_assert(s->moment);
    }
    s->moment[s->moments++] =
        (ref_moment){.at = {.cycle = x->cycle,
                            .birth = x->birth,
                            .switch_ = x->switch_ == SWQ_NO_WHERE ? REF_SENDER : (int)x->switch_,
                            .input = (int)x->input,
                            .output = (int)x->output,
                            .class_ = x->output_store ? 0 : x->packet_class,
                            .from = (int)x->from,
                            .to = (int)x->to,
                            .bytes = (int)x->bytes},
                     .output_store = x->output_store,
                     .end = end};
}

static moments_seen seen;

static void started(void *arg, const swq_start *x)
{
    note(arg, x, false);
}

static void ended(void *arg, const swq_start *x)
{
    note(arg, x, true);
}

static int in_order(const void *a, const void *b)
{
    const ref_moment *x = a, *y = b;
    const long key[][2] = {{x->at.cycle, y->at.cycle},         {x->end, y->end},
                           {x->output_store, y->output_store}, {x->at.switch_, y->at.switch_},
                           {x->at.output, y->at.output},       {x->at.from, y->at.from}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    }
    return 0;
}

static bool same_moment(const ref_moment *a, const ref_moment *b)
{
    const ref_start *x = &a->at, *y = &b->at;

    return x->cycle == y->cycle && a->end == b->end && a->output_store == b->output_store &&
           x->switch_ == y->switch_ && x->input == y->input && x->output == y->output &&
           x->class_ == y->class_ && x->from == y->from && x->to == y->to && x->birth == y->birth &&
           x->bytes == y->bytes;
}

static void print_moment(char *text, size_t size, const ref_moment *x)
{
    const ref_start *s = &x->at;

    snprintf(text, size,
             "%s in cycle %ld, switch %d, %s %d to output %d, class %d: %d to %d, of %ld, %d bytes",
             x->end ? "end" : "start", s->cycle, s->switch_,
             x->output_store ? "output store" : "input", x->output_store ? s->output : s->input,
             s->output, s->class_, s->from, s->to, s->birth, s->bytes);
}

/* The first `expected` moments of the reference, except ends in cycles that are not simulated,
 * which the engine reports in advance. */
static bool compare_moments(const ref_moment *moment, long expected, long cycles, const char *what)
{
    char mine[160] = "nothing", theirs[160] = "nothing";
    long i = 0, found = seen.moments;

    while (found > 0 && seen.moment[found - 1].at.cycle >= cycles)
        found--;
    while (expected > 0 && moment[expected - 1].at.cycle >= cycles)
        expected--;
    while (i < found && i < expected && same_moment(&seen.moment[i], &moment[i]))
        i++;
    if (i < found)
        print_moment(mine, sizeof mine, &seen.moment[i]);
    if (i < expected)
        print_moment(theirs, sizeof theirs, &moment[i]);
    cr_expect(i == found && i == expected, "%s: moment %ld of %ld\n  is        %s\n  should be %s",
              what, i, expected, mine, theirs);
    return i == found && i == expected;
}

static void compare_sums(const async_case *c, const swq_async_result *r,
                         const ref_pieces_outcome *o)
{
    const swq_flow_result *all = &r->sim.all;

    cr_expect(r->sim.conserved, "%s: not conserved", c->what);
    cr_expect(r->sim.little_exact, "%s: Little's law", c->what);
    cr_expect_eq(r->sim.total_created, (uint64_t)o->created, "%s: created", c->what);
    cr_expect_eq(r->sim.total_delivered, (uint64_t)o->delivered, "%s: delivered", c->what);
    cr_expect_eq(r->bytes_created, (uint64_t)o->bytes_created, "%s: bytes created", c->what);
    cr_expect_eq(r->bytes_delivered, (uint64_t)o->bytes_delivered, "%s: bytes delivered", c->what);
    if (o->delivered == 0)
        return;
    const double heads = all->latency.mean * (double)o->delivered;
    cr_expect(fabs(heads - (double)o->latency_sum) <= 1e-9 * (1 + heads), "%s: latencies", c->what);
    const double tails = all->tail_latency.mean * (double)o->delivered;
    if (o->arrived == o->delivered && c->cycles < 0)
        cr_expect(fabs(tails - (double)o->tail_sum) <= 1e-9 * (1 + tails), "%s: tails %g, not %ld",
                  c->what, tails, o->tail_sum);
}

/* The stores between which packets wait for room. */
static void check_waiting(const async_case *c, const swq_async_result *r)
{
    const uint32_t ports = (uint32_t)c->fabric.ports;
    const int n = r->waiting_count;

    cr_assert(n > 0 && n <= SWQ_MAX_WAITING, "%s: %d waiting", c->what, n);
    for (int i = 0; i < n; i++) {
        const swq_waiting *x = &r->waiting[i], *next = &r->waiting[(i + 1) % n];
        const int output = case_output(&c->fabric, x->port, x->packet_class);
        cr_expect_eq(c->fabric.link[x->port / ports * ports + (uint32_t)output], x->next_port,
                     "%s: next of port %u", c->what, x->port);
        cr_expect_eq(next->port, x->next_port, "%s: after port %u", c->what, x->port);
    }
}

/* ---- a case ---- */

typedef struct {
    int deadlocks, cases;
    long pauses, spread;
} cases_done;

static void compare(swq_context *ctx, async_case *c, ref_pieces *model, cases_done *done)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = started, .ended = ended, .arg = &seen};
    static swq_async_result result;
    ref_pieces_outcome o;

    model->network = c->reference;
    model->network.cycles = c->cycles;
    model->piece = c->network.packet.piece;
    ref_pieces_run(model, &o);
    if (o.moments)
        qsort(o.moment, (size_t)o.moments, sizeof *o.moment, in_order);
    options.warmup = 0;
    options.cycles = c->cycles >= 0 ? (uint64_t)c->cycles : (uint64_t)(o.cycles + 5000);
    c->network.general = true; /* pieces as long as packets, too */
    seen.moments = 0;
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    if (seen.moments)
        qsort(seen.moment, (size_t)seen.moments, sizeof *seen.moment, in_order);
    const long cycles = (long)result.sim.cycles;
    if (result.sim.stopped_by == SWQ_STOP_DEADLOCK) {
        /* it may be found before all other packets have stopped */
        compare_moments(o.moment, o.moments, cycles, c->what);
        cr_expect(o.deadlock || c->cycles >= 0, "%s: no deadlock", c->what);
        check_waiting(c, &result);
        cr_expect(swq_async_may_deadlock(&c->network), "%s: it may not", c->what);
    } else {
        const long until = c->cycles >= 0 ? cycles : cycles + 100000;
        if (compare_moments(o.moment, o.moments, until, c->what))
            compare_sums(c, &result, &o);
        cr_expect_not(o.deadlock, "%s: a deadlock was not found", c->what);
    }
    done->cases++;
    done->deadlocks += o.deadlock;
    done->pauses += o.pauses;
    done->spread = o.spread > done->spread ? o.spread : done->spread;
    ref_pieces_outcome_clear(&o);
}

/* Output stores, of one piece or more. */
static void choose_crossbar(uint32_t *state, async_case *c, ref_pieces *m)
{
    swq_async *n = &c->network;
    const int piece = (n->packet.piece + n->packet.block - 1) / n->packet.block;

    n->architecture.row = &swq_cioq;
    n->architecture.output.blocks = m->output_blocks = case_between(state, piece, 4 * piece);
    n->architecture.output.crossbar_delay = m->delay = case_between(state, 1, 8);
    m->cycles = case_between(state, 1, 4);
    m->bytes = case_between(state, m->cycles, m->cycles * c->fabric.ports);
    n->architecture.output.speedup_bytes = m->bytes;
    n->architecture.output.speedup_cycles = m->cycles;
}

enum { ALL, RINGS, WIDE };

/* Every fabric with every buffer in turn, with and without output stores; or those that deadlock;
 * or those whose switches have more than 32 ports. */
static cases_done compare_cases(int cases, uint32_t seed, bool cut, bool credits, int which)
{
    static const char *const buffer[] = {"fifo", "damq", "samq", "safc", "dafc"};
    static const uint32_t permille[] = {5, 20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    cases_done done = {0};

    for (int k = 0; k < cases; k++) {
        const char *kind = which == RINGS
                               ? "damq"
                               : buffer[which == WIDE ? k / CASE_WIDE % 5 : k / CASE_FABRICS % 5];
        const int fabric = which == RINGS  ? 2 + k % 4
                           : which == WIDE ? CASE_FABRICS + k % CASE_WIDE
                                           : k % CASE_FABRICS;
        ref_pieces m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        c.in_pieces = true;
        case_fabric(ctx, &state, fabric, &c);
        case_switch(ctx, &state, kind, &c);
        cr_assert_eq(swq_arbiter_find(ctx, "rotating", &c.network.arbiter.row), SWQ_OK);
        c.reference.fixed = c.reference.advancing = 0;
        if (case_draw(&state, 2))
            c.network.link.hop_delay = c.reference.hop_delay = case_between(&state, 5, 40);
        if (case_draw(&state, 2))
            choose_crossbar(&state, &c, &m);
        if (credits)
            case_told(&state, false, &c);
        const uint32_t load = permille[case_draw(&state, 5)];
        const int longest =
            case_draw(&state, 3) ? c.reference.max_packet : 3 * c.reference.max_packet;
        case_messages(&state, load, longest, &c);
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(
            c.what, sizeof c.what,
            "case %d, %s, %d nodes, %s of %d bytes in blocks of %d, %d blocks at the outputs, "
            "speedup %d/%d, delay %d, packets to %d in pieces of %d, messages to %d, threshold "
            "%d, %d to %d blocks a queue, alpha %g, hop %d, rest %d, load %u, release %d, "
            "flow %d, unit %d, told after %d",
            k, case_fabric_names[fabric], r->wiring.nodes, kind, r->bytes, r->block,
            m.output_blocks, m.bytes, m.cycles, m.delay, r->max_packet, c.network.packet.piece,
            longest, r->threshold, r->least, r->most, r->alpha, r->hop_delay, r->link_rest, load,
            r->release, r->flow, r->unit, r->told_after);
        compare(ctx, &c, &m, &done);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return done;
}

Test(pieces, to_the_end)
{
    const cases_done done = compare_cases(165, 1, false, false, ALL);

    cr_expect_gt(done.deadlocks, 0);
    cr_expect_gt(done.pauses, 1000);
    cr_expect_gt(done.spread, 4);
}

Test(pieces, cut_short)
{
    compare_cases(55, 2, true, false, ALL);
}

Test(pieces, wide_switches)
{
    cr_expect_gt(compare_cases(10, 5, true, false, WIDE).pauses, 100);
    compare_cases(6, 6, true, true, WIDE);
}

/* One read port for several queues, in rings. */
Test(pieces, rings)
{
    const cases_done done = compare_cases(120, 4, false, false, RINGS);

    cr_expect_gt(done.deadlocks, 20);
}

Test(pieces, credits)
{
    const cases_done done = compare_cases(110, 3, false, true, ALL);

    cr_expect_gt(done.pauses, 1000);
}

/* ---- pieces as long as packets ---- */

static swq_async_result run_with(const swq_async *n, const swq_sim_options *options,
                                 swq_detail *detail)
{
    static swq_async_result result;
    swq_context *ctx = swq_context_new();
    swq_sim_options o = *options;

    o.detail = detail;
    cr_assert_eq(swq_async_run(ctx, n, &o, NULL, &result), SWQ_OK, "%s", swq_context_message(ctx));
    swq_context_free(ctx);
    return result;
}

/* Random cases of every kind run in whole packets, by the kernel that they would get, and in pieces
 * of the greatest length: the same numbers to the bit. */
Test(pieces, as_long_as_packets_change_nothing)
{
    static const char *const buffer[] = {"fifo", "damq", "samq", "safc", "dafc"};
    static async_case c;
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    uint32_t state = 7;

    options.warmup = 0;
    options.cycles = 4000;
    for (int k = 0; k < 10 * CASE_FABRICS; k++) {
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        case_fabric(ctx, &state, k % CASE_FABRICS, &c);
        case_switch(ctx, &state, buffer[k / CASE_FABRICS % 5], &c);
        swq_async *n = &c.network;
        if (case_draw(&state, 2)) {
            n->architecture.row = &swq_cioq;
            n->architecture.output.blocks =
                2 * ((n->packet.max + n->packet.block - 1) / n->packet.block);
            n->architecture.output.speedup_bytes = case_between(&state, 2, 4);
            n->architecture.output.speedup_cycles = 2;
        }
        if (case_draw(&state, 2))
            case_told(&state, false, &c);
        case_messages(&state, 100, 2 * n->packet.max, &c);
        const swq_async_result whole = run_with(n, &options, NULL);
        n->packet.piece = n->packet.max;
        n->general = true;
        const swq_async_result pieces = run_with(n, &options, NULL);
        cr_assert_eq(memcmp(&whole.sim.all, &pieces.sim.all, sizeof whole.sim.all), 0, "case %d",
                     k);
        cr_assert_eq(memcmp(&whole.sim.stage, &pieces.sim.stage, sizeof whole.sim.stage), 0,
                     "case %d", k);
        cr_assert_eq(whole.sim.stopped_by, pieces.sim.stopped_by, "case %d", k);
        cr_assert_eq(whole.bytes_delivered, pieces.bytes_delivered, "case %d", k);
        cr_assert(pieces.sim.conserved && pieces.sim.little_exact, "case %d", k);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
}

/* ---- closed forms ---- */

/* A multistage network of 2 x 2 switches in which all send to one node; effectively a chain. */
static swq_async chain(swq_context *ctx, int stages, int bytes, int piece, int packet)
{
    swq_async n = swq_async_defaults();

    n.shape = case_omega(ctx, 2, stages);
    n.packet.max = packet;
    n.packet.piece = piece;
    n.link.rest = 0;
    const swq_buffer_kind *fifo;
    cr_assert_eq(swq_buffer_kind_find(ctx, "fifo", &fifo), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, fifo, bytes), SWQ_OK);
    return n;
}

/* One long message from node 0: a store with k pieces receives k of them per round trip, which is
 * the hop delay, a piece and the credits' delay; a chain is as slow as its slowest link. */
Test(pieces, a_round_trip_is_what_a_long_packet_moves_by)
{
    enum { PACKET = 8192 };
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    const swq_async_message message = {0, 0, 0, PACKET};
    int slow = 0;

    options.warmup = 0;
    options.cycles = 200000;
    for (int k = 1; k <= 6; k++) {
        for (int hop = 1; hop <= 61; hop += 12) {
            for (int delay = -1; delay <= 40; delay += 20) { /* -1: it has been seen */
                for (int stages = 1; stages <= 3; stages++) {
                    swq_async n = chain(ctx, stages, 16 * k, 16, PACKET);
                    n.link.hop_delay = hop;
                    if (delay >= 0) {
                        n.flow.row = &swq_flow_credits;
                        n.flow.credit_delay = delay;
                    }
                    n.traffic.trace = &message;
                    n.traffic.trace_messages = 1;
                    const int trip = hop + 16 + (delay > 0 ? delay : 0);
                    /* pieces leave the sender in cycles j * 16, except for k per round trip */
                    const int pieces = PACKET / 16, turns = (pieces - 1) / k,
                              rest = (pieces - 1) % k;
                    const int last = trip > 16 * k ? turns * trip + 16 * rest : 16 * (pieces - 1);
                    const swq_async_result r = run_with(&n, &options, NULL);
                    cr_expect_eq(r.sim.all.latency.mean, stages * hop);
                    cr_expect_eq(r.sim.all.tail_latency.mean, last + stages * hop + 16,
                                 "k %d, hop %d, delay %d, stages %d: %g, not %d", k, hop, delay,
                                 stages, r.sim.all.tail_latency.mean, last + stages * hop + 16);
                    cr_expect(r.sim.conserved);
                    slow += trip > 16 * k;
                }
            }
        }
    }
    cr_expect_gt(slow, 50);
    swq_context_free(ctx);
}

/* ---- a deadlock by hand ---- */

/* Four nodes of a one-way ring, each sending at once a packet to the node opposite, which takes up
 * two stores and their links: each holds the link for which the one behind it waits. */
Test(pieces, a_ring_of_packets_is_a_deadlock)
{
    swq_context *ctx = swq_context_new();
    swq_sim_options options = swq_sim_defaults();
    const int extent[] = {4};
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;
    swq_async_message message[4];

    n.shape = case_grid(&swq_fabric_torus, 1, extent, true);
    n.packet.max = 256;
    n.packet.piece = 8;
    cr_assert_eq(swq_buffer_kind_find(ctx, "samq", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 48), SWQ_OK);
    for (uint32_t i = 0; i < 4; i++)
        message[i] = (swq_async_message){0, i, (i + 2) % 4, 256};
    n.traffic.trace = message;
    n.traffic.trace_messages = 4;
    options.warmup = 0;
    options.cycles = 20000;
    swq_async_result r = run_with(&n, &options, NULL);
    cr_expect_eq(r.sim.stopped_by, SWQ_STOP_DEADLOCK);
    cr_expect_eq(r.waiting_count, 4);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(r.waiting[(i + 1) % 4].port, r.waiting[i].next_port);
    cr_expect(swq_async_may_deadlock(&n));
    cr_expect_eq(swq_async_safe_threshold(&n), -1);
    cr_expect(r.sim.conserved && r.sim.little_exact);

    n.packet.piece = 0; /* whole packets do not: those that have wrapped have queues of their own */
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 3 * 256), SWQ_OK);
    cr_expect_not(swq_async_may_deadlock(&n));
    r = run_with(&n, &options, NULL);
    cr_expect_eq(r.sim.total_delivered, 4);
    swq_context_free(ctx);
}

/* ---- what is refused ---- */

static void refused(const swq_async *n, const char *message)
{
    swq_context *ctx = swq_context_new();
    uint32_t nodes;

    cr_expect_eq(swq_async_check(ctx, n, &nodes), SWQ_EINVAL, "not refused: %s", message);
    cr_expect(strstr(swq_context_message(ctx), message), "'%s' is not in '%s'", message,
              swq_context_message(ctx));
    swq_context_free(ctx);
}

Test(pieces, what_does_not_go_with_them_is_refused_by_name)
{
    swq_context *ctx = swq_context_new();
    swq_async n = chain(ctx, 2, 64, 16, 64), m;
    const swq_sender_group group =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 0.5, (swq_spread){SWQ_CONSTANT, 64, 0});
    uint32_t nodes;

    n.traffic.group = &group;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_check(ctx, &n, &nodes), SWQ_OK);
    m = n;
    m.packet.piece = 12;
    refused(&m, "piece must be a multiple of block, 8 bytes");
    m = n;
    m.packet.piece = 65;
    refused(&m, "piece must be 1 to 64");
    m = n;
    m.packet.piece = -8;
    refused(&m, "piece must be 1 to 64");
    m = n;
    m.flow.row = &swq_flow_stop_go;
    refused(&m, "piece is not for flow stop-go");
    m = n;
    m.flow.row = &swq_flow_destination;
    refused(&m, "flow destination");
    m = n;
    m.flow.row = &swq_flow_two_counter;
    refused(&m, "flow two-counter");
    m = n;
    m.management.row = &swq_management_1q;
    refused(&m, "piece is not for management 1q");
    m = n;
    m.architecture.row = &swq_cioq;
    m.architecture.output.blocks = 1;
    m.architecture.output.speedup_bytes = 2;
    refused(&m, "of which a piece takes up to 2; not 1 blocks");
    m.architecture.output.blocks = 8;
    m.architecture.output.store_and_forward = true;
    refused(&m, "piece is for cut-through");
    cr_assert_eq(swq_async_buffer(ctx, &n, swq_buffer_kinds[0], 8), SWQ_OK);
    refused(&n, "takes a piece of 16 bytes");
    n.packet.piece = 0;
    refused(&n, "piece lets packets lie in several smaller ones");
    swq_context_free(ctx);
}

Test(pieces, escape_queues_are_not_for_packets_that_pause)
{
    swq_context *ctx = swq_context_new();
    const int extent[] = {4, 4};
    swq_async n = swq_async_defaults();
    const swq_buffer_kind *kind;

    n.shape = case_grid(&swq_fabric_mesh, 2, extent, false);
    n.shape.routing = swq_routings[1];
    n.packet.piece = 8;
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &kind), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &n, kind, 256), SWQ_OK);
    refused(&n, "piece is not for escape queues");
    swq_context_free(ctx);
}
