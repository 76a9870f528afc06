/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * swq_async_run against tests/ref/ref_async.c, which shares no code with it, was written without
 * sight of it and moves every byte in every cycle. Traffic is a trace, so nothing is left to
 * chance, and every beginning of a transmission must be the same: cycle, place, packet. So must the
 * sums be, and where it ends in a deadlock.
 *
 * Multistage, torus and mesh networks are wired by the reference itself as well (networks.c);
 * the wiring of the other fabrics is taken from swq_fabric.
 */
#include "switchq/async.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

TestSuite(async_reference, .timeout = 240);

/* ---- wirings ---- */

/* The same links, and the same classes and outputs on all routes. */
static void compare_wirings(swq_context *ctx, const swq_shape *shape, ref_plan *plan,
                            const char *what)
{
    const ref_wiring *w = &plan->wiring;
    swq_fabric f = {0};

    cr_assert_eq(swq_fabric_make(ctx, shape, &f), SWQ_OK, "%s: %s", what, swq_context_message(ctx));
    cr_assert_eq(f.nodes, (uint32_t)w->nodes, "%s", what);
    cr_assert_eq(f.switches, (uint32_t)w->switches, "%s", what);
    cr_assert_eq(f.ports, w->ports, "%s", what);
    cr_assert_eq(f.classes, w->classes, "%s", what);
    for (int i = 0; i < w->switches * w->ports; i++)
        cr_assert_eq(f.link[i], w->link[i], "%s: output %d leads to %x, not %x", what, i, f.link[i],
                     w->link[i]);
    for (int from = 0; from < w->nodes; from++) {
        cr_assert_eq(f.entry[from], w->entry[from], "%s: entry of %d", what, from);
        for (int to = 0; to < w->nodes; to++) {
            unsigned port = w->entry[from];
            int hops = 0;
            while (!(port & REF_NODE) && !(shape->kind->point_to_point && from == to)) {
                int c = w->class_of(w->self, port, from, to);
                int output = w->output_of(w->self, port, c);
                cr_assert_eq(case_class(&f, port, from, to), c, "%s: %d to %d at port %u: %d, %d",
                             what, from, to, port, case_class(&f, port, from, to), c);
                cr_assert_eq(case_output(&f, port, c), output, "%s: %d to %d at port %u", what,
                             from, to, port);
                port = w->link[port / (unsigned)w->ports * (unsigned)w->ports + (unsigned)output];
                cr_assert_leq(++hops, w->switches, "%s: %d to %d", what, from, to);
            }
            if (port & REF_NODE)
                cr_assert_eq(port & ~REF_NODE, (unsigned)to, "%s: %d to %d", what, from, to);
        }
    }
    swq_fabric_clear(ctx, &f);
    ref_plan_free(plan);
}

Test(async_reference, wirings)
{
    swq_context *ctx = swq_context_new();
    char what[64];
    swq_shape shape;

    for (int k = 2; k <= 4; k++) {
        for (int stages = 1; stages <= 3; stages++) {
            snprintf(what, sizeof what, "omega %d %d", k, stages);
            shape = case_omega(ctx, k, stages);
            compare_wirings(ctx, &shape, ref_omega(k, stages), what);
        }
    }
    for (int a = 2; a <= 7; a++) {
        for (int b = 1; b <= 6; b++) { /* 1: one dimension */
            int extent[] = {a, b}, dims = b == 1 ? 1 : 2;
            snprintf(what, sizeof what, "%d x %d", a, b);
            shape = case_grid(&swq_fabric_torus, dims, extent, false);
            compare_wirings(ctx, &shape, ref_torus(dims, extent, 0), what);
            shape.one_way = true;
            compare_wirings(ctx, &shape, ref_torus(dims, extent, 1), what);
            shape = case_grid(&swq_fabric_mesh, dims, extent, false);
            compare_wirings(ctx, &shape, ref_mesh(dims, extent), what);
        }
    }
    swq_context_free(ctx);
}

/* ---- watching ---- */

typedef struct {
    ref_start *start;
    long starts, room;
} seen;

static void started(void *arg, const swq_start *x)
{
    seen *s = arg;
    bool sender = x->switch_ == SWQ_NO_WHERE;

    if (s->starts == s->room) {
        s->room = 2 * s->room + 1024;
        s->start = realloc(s->start, (size_t)s->room * sizeof *s->start);
        cr_assert(s->start);
    }
    s->start[s->starts++] = (ref_start){.cycle = x->cycle,
                                        .birth = x->birth,
                                        .switch_ = sender ? REF_SENDER : (int)x->switch_,
                                        .input = (int)x->input,
                                        .output = (int)x->output,
                                        .class_ = x->packet_class,
                                        .from = (int)x->from,
                                        .to = (int)x->to,
                                        .bytes = (int)x->bytes};
}

static int in_order(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->switch_ != y->switch_)
        return x->switch_ < y->switch_ ? -1 : 1;
    if (x->switch_ == REF_SENDER)
        return x->from < y->from ? -1 : x->from > y->from;
    return x->output < y->output ? -1 : x->output > y->output;
}

static void print_start(char *text, size_t size, const ref_start *s)
{
    snprintf(text, size,
             "cycle %ld, switch %d, input %d to output %d, class %d: %d to %d, of %ld, %d bytes",
             s->cycle, s->switch_, s->input, s->output, s->class_, s->from, s->to, s->birth,
             s->bytes);
}

static bool same_start(const ref_start *x, const ref_start *y)
{
    return x->cycle == y->cycle && x->switch_ == y->switch_ && x->input == y->input &&
           x->output == y->output && x->class_ == y->class_ && x->from == y->from &&
           x->to == y->to && x->birth == y->birth && x->bytes == y->bytes;
}

/* The first `expected` starts of the reference. */
static bool compare_starts(const seen *found, const ref_start *start, long expected,
                           const char *what)
{
    char mine[128] = "nothing", theirs[128] = "nothing";
    long i = 0;

    while (i < found->starts && i < expected && same_start(&found->start[i], &start[i]))
        i++;
    if (i < found->starts)
        print_start(mine, sizeof mine, &found->start[i]);
    if (i < expected)
        print_start(theirs, sizeof theirs, &start[i]);
    cr_expect(i == found->starts && i == expected,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, expected, mine,
              theirs);
    return i == found->starts && i == expected;
}

/* ---- the results of a run ---- */

static bool stuck_there(const ref_outcome *o, uint32_t port, int class_)
{
    for (long i = 0; i < o->lefts; i++) {
        if (o->left[i].port == port && o->left[i].class_ == class_ && o->left[i].place == 0)
            return true;
    }
    return false;
}

/* The cycle of buffers: each waits for the next, with heads that the reference keeps there to the
 * end. */
static void check_waiting(const async_case *c, const swq_async_result *r, const ref_outcome *o)
{
    int n = r->waiting_count;

    cr_assert(n > 0 && n <= SWQ_MAX_WAITING, "%s: %d waiting", c->what, n);
    for (int i = 0; i < n; i++) {
        const swq_waiting *x = &r->waiting[i], *next = &r->waiting[(i + 1) % n];
        uint32_t ports = (uint32_t)c->fabric.ports;
        int output = case_output(&c->fabric, x->port, x->packet_class);
        cr_expect(c->reference.destinations || stuck_there(o, x->port, x->packet_class),
                  "%s: port %u, class %d", c->what, x->port, x->packet_class);
        cr_expect_eq(c->fabric.link[x->port / ports * ports + (uint32_t)output], x->next_port,
                     "%s: next of port %u", c->what, x->port);
        cr_expect_eq(next->port, x->next_port, "%s: after port %u", c->what, x->port);
    }
}

static void expect_number(double found, double expected, const char *name, const char *what)
{
    if (!(isnan(found) && isnan(expected)))
        cr_expect(fabs(found - expected) <= 1e-9 * (1 + fabs(expected)), "%s: %s %.12g, not %.12g",
                  what, name, found, expected);
}

/* Until the last bytes have come, where messages are packets. */
static void expect_tails(const async_case *c, const swq_async_result *r, const ref_outcome *o)
{
    expect_number(r->sim.all.tail_latency.mean * (double)o->delivered, (double)o->tail_sum, "tails",
                  c->what);
}

/* The sums over the same cycles. */
static void compare_sums(const async_case *c, const swq_async_result *r, const ref_outcome *o)
{
    const swq_flow_result *all = &r->sim.all;
    double cycles = (double)r->sim.cycles, level[SWQ_MAX_LEVELS] = {0};
    const swq_fabric *f = &c->fabric;

    cr_expect(r->sim.conserved, "%s: not conserved", c->what);
    cr_expect(r->sim.little_exact, "%s: Little's law", c->what);
    cr_expect_eq(r->sim.total_created, (uint64_t)o->created, "%s: created %lu, not %ld", c->what,
                 (unsigned long)r->sim.total_created, o->created);
    cr_expect_eq(r->sim.total_delivered, (uint64_t)o->delivered, "%s: delivered", c->what);
    cr_expect_eq(all->created, (uint64_t)o->created, "%s: created, measured", c->what);
    cr_expect_eq(all->delivered, (uint64_t)o->delivered, "%s: delivered, measured", c->what);
    cr_expect_eq(r->bytes_created, (uint64_t)o->bytes_created, "%s: bytes created", c->what);
    cr_expect_eq(r->bytes_delivered, (uint64_t)o->bytes_delivered, "%s: bytes delivered", c->what);
    cr_expect_eq(r->bytes_in_flight,
                 (uint64_t)(o->bytes_created - o->bytes_delivered - o->bytes_lost),
                 "%s: bytes in flight", c->what);
    cr_expect_eq(r->sim.total_discarded, (uint64_t)o->lost, "%s: lost", c->what);
    cr_expect_eq(r->bytes_lost, (uint64_t)o->bytes_lost, "%s: bytes lost", c->what);
    if (o->delivered == 0)
        return;
    expect_number(all->latency.mean * (double)o->delivered, (double)o->latency_sum, "latencies",
                  c->what);
    if (o->bytes_delivered + o->bytes_lost == o->bytes_created)
        expect_tails(c, r, o);
    /* in a histogram whose cells are wider from 8192 on */
    cr_expect(fabs(all->max - (double)o->latency_max) <=
                  (o->latency_max < 8192 ? 0 : (double)o->latency_max / 64),
              "%s: greatest latency %g, not %ld", c->what, all->max, o->latency_max);
    expect_number(all->throughput.mean * cycles * case_nodes_carry(c), (double)o->bytes_delivered,
                  "throughput", c->what);
    cr_expect_eq(r->sim.packet_hops, (uint64_t)o->entered, "%s: packet hops %lu, not %ld", c->what,
                 (unsigned long)r->sim.packet_hops, o->entered);
    for (long i = 0; i < o->starts; i++) {
        const ref_start *s = &o->start[i];
        if (s->switch_ != REF_SENDER)
            level[f->out_level[s->switch_ * f->ports + s->output]] += s->bytes;
    }
    for (int l = 0; l < f->levels; l++)
        expect_number(r->sim.stage[l].sent.mean * cycles * case_level_carries(c, l), level[l],
                      "sent", c->what);
}

/* Returns whether it was a deadlock. */
static bool compare(swq_context *ctx, async_case *c)
{
    swq_sim_options options = swq_sim_defaults();
    seen found = {0};
    swq_async_watch watch = {.started = started, .arg = &found};
    swq_async_result result;
    ref_outcome o;

    c->reference.cycles = c->cycles;
    ref_async_run(&c->reference, &o);
    options.warmup = 0;
    options.cycles = c->cycles >= 0 ? (uint64_t)c->cycles : (uint64_t)(o.cycles + 5000);
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    if (found.starts)
        qsort(found.start, (size_t)found.starts, sizeof *found.start, in_order);
    if (result.sim.stopped_by == SWQ_STOP_DEADLOCK) {
        /* it may be found before all other packets have stopped */
        long n = 0;
        while (n < o.starts && o.start[n].cycle < (long)result.sim.cycles)
            n++;
        compare_starts(&found, o.start, n, c->what);
        cr_expect(o.deadlock || c->cycles >= 0, "%s: no deadlock", c->what);
        if (o.deadlock)
            check_waiting(c, &result, &o);
    } else {
        if (compare_starts(&found, o.start, o.starts, c->what))
            compare_sums(c, &result, &o);
        cr_expect_not(o.deadlock, "%s: a deadlock was not found", c->what);
        long bytes = 0;
        for (int i = 0; i < c->reference.messages; i++)
            bytes += c->message[i].bytes;
        cr_expect_eq(result.sim.stopped_by,
                     bytes == o.bytes_delivered + o.bytes_lost ? SWQ_STOP_TRACE_END
                                                               : SWQ_STOP_CYCLES,
                     "%s: stopped by %d", c->what, (int)result.sim.stopped_by);
    }
    bool deadlock = o.deadlock;
    free(found.start);
    ref_outcome_clear(&o);
    return deadlock;
}

/* ---- the cases ---- */

/* Every fabric with every buffer in turn, with that flow control (REF_...); returns the number of
 * deadlocks. */
/* Queues by destination over the memory of a damq, replacing its own. */
static void manage(swq_context *ctx, uint32_t *state, bool interfaces, async_case *c)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;

    r->least = r->most = 0;
    r->alpha = 0;
    cr_assert_eq(swq_async_memory(ctx, n, r->bytes), SWQ_OK);
    switch (case_draw(state, 4)) {
    case 0:
        n->management.row = &swq_management_4q;
        r->destinations = 4;
        break;
    case 1: { /* each queue has its partition, as if that were a threshold */
        const int packet = (r->max_packet + r->block - 1) / r->block;
        n->management.row = &swq_management_voqnet;
        r->destinations = (int)c->fabric.nodes;
        r->bytes = (2 + (int)case_draw(state, 2)) * packet * r->destinations * r->block;
        cr_assert_eq(swq_async_memory(ctx, n, r->bytes), SWQ_OK);
        const int limit = r->bytes / r->block / r->destinations - packet;
        if (r->threshold == REF_NO_THRESHOLD || r->threshold > limit)
            r->threshold = limit;
        break;
    }
    default:
        n->management.row = &swq_management_dbbm;
        r->destinations = n->management.queues = case_between(state, 1, 90);
    }
    if (!interfaces)
        return;
    n->interface.present = true;
    n->interface.packets = r->interface = case_between(state, 1, 12);
    r->loses = (int)case_draw(state, 2);
    n->interface.queued = !r->loses;
}

/* Queues of stores, or of interfaces before them, too; switches of more than 32 ports, which go
 * with each of these; and links with delays and speeds of their
 * own. */
enum { BUFFERS, MANAGED, INTERFACES, WIDE, UNLIKE = 2 * WIDE };

static int compare_some(int cases, uint32_t seed, bool cut, int flow, int part)
{
    static const char *const buffer[] = {"fifo", "samq", "safc", "damq", "dafc"};
    static const char *const wide[] = {"fifo", "damq", "dafc"};
    static const uint32_t percent[] = {5, 20, 60, 200, 1000}; /* out of ten */
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    const int first = part / WIDE == 1 ? CASE_FABRICS : 0, kinds = first ? CASE_WIDE : CASE_FABRICS;
    const bool interfaces = part % WIDE == INTERFACES, managed = part % WIDE != BUFFERS;
    int deadlocks = 0, told = 0;

    for (int k = 0; k < cases; k++) {
        const char *kind = managed ? "damq" : first ? wide[k / kinds % 3] : buffer[k / kinds % 5];
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        if (part == UNLIKE)
            case_graph(ctx, &state, &c);
        else
            case_fabric(ctx, &state, first + k % kinds, &c);
        case_switch(ctx, &state, kind, &c);
        if (part == UNLIKE)
            case_lines(&c);
        if (managed)
            manage(ctx, &state, interfaces, &c);
        const bool told_late = flow == REF_CREDITS || flow == REF_STOP_GO;
        if (told_late)
            case_told(&state, flow == REF_STOP_GO, &c);
        if (flow == REF_TWO_COUNTER)
            case_counters(&state, &c);
        uint32_t load = percent[case_draw(&state, 5)];
        const int most = c.reference.max_packet;
        const int longest = case_draw(&state, 3) || interfaces ? most : 3 * most;
        case_messages(&state, load, longest, &c);
        if (told_late && !case_thresholds(&state, &c)) {
            case_clear(ctx, &c);
            continue;
        }
        told++;
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(
            c.what, sizeof c.what,
            "case %d, %s, %d nodes, %s of %d bytes in blocks of %d, packets to %d, messages to "
            "%d, threshold %d, %d to %d blocks a queue, alpha %g, hop %d, rest %d, load %u, %s "
            "arbiter, release %d, flow %d, unit %d, told after %d, stop %d, go %d, "
            "every %d cycles above %d below %d, closed from %d of %d, interface %d, loses %d",
            k, part == UNLIKE ? "graph" : case_fabric_names[first + k % kinds], r->wiring.nodes,
            kind, r->bytes, r->block, r->max_packet, longest, r->threshold, r->least, r->most,
            r->alpha, r->hop_delay, r->link_rest, load, case_arbiter(r), r->release, r->flow,
            r->unit, r->told_after, r->stop, r->go, r->every, r->above, r->below, r->closes,
            r->most_count, r->interface, r->loses);
        deadlocks += compare(ctx, &c);
        case_clear(ctx, &c);
    }
    cr_expect_gt(told, cases / 2);
    swq_context_free(ctx);
    return deadlocks;
}

static int compare_cases(int cases, uint32_t seed, bool cut, int flow)
{
    return compare_some(cases, seed, cut, flow, BUFFERS);
}

/* Small cases, which tests/ref/test_ref_async.c computes by hand. */
static const struct {
    const char *name, *buffer;
    int ports, stages; /* 0: a one-way ring of four */
    int bytes, block, max_packet, link_rest;
    ref_message message[5];
} by_hand_row[] = {
    {"read ports", "damq", 2, 1, 128, 8, 32, 2, {{0, 1, 0, 32}, {1, 0, 0, 32}, {2, 0, 1, 32}}},
    {"a sender in the same cycle",
     "damq",
     3,
     1,
     96,
     8,
     32,
     0,
     {{0, 0, 0, 32}, {0, 1, 1, 32}, {0, 2, 0, 8}, {8, 2, 1, 8}, {37, 2, 1, 8}}},
    {"a switch in the same cycle",
     "damq",
     2,
     2,
     96,
     8,
     32,
     0,
     {{0, 0, 0, 32}, {0, 1, 0, 8}, {0, 1, 1, 32}, {0, 1, 1, 5}, {0, 1, 1, 5}}},
    {"the later packet frees first",
     "dafc",
     2,
     1,
     32,
     16,
     16,
     0,
     {{0, 0, 1, 13}, {0, 1, 1, 1}, {0, 1, 0, 16}, {0, 1, 0, 2}}},
    {"four packets in a deadlock",
     "fifo",
     0,
     0,
     32,
     8,
     32,
     2,
     {{0, 0, 3, 32}, {0, 1, 0, 32}, {0, 2, 1, 32}, {0, 3, 2, 32}}},
};

Test(async_reference, by_hand)
{
    static async_case c;
    swq_context *ctx = swq_context_new();

    for (size_t i = 0; i < sizeof by_hand_row / sizeof *by_hand_row; i++) {
        int messages = 0, extent[] = {4};
        memset(&c, 0, sizeof c);
        snprintf(c.what, sizeof c.what, "%s", by_hand_row[i].name);
        c.network = swq_async_defaults();
        c.network.shape = by_hand_row[i].ports
                              ? case_omega(ctx, by_hand_row[i].ports, by_hand_row[i].stages)
                              : case_grid(&swq_fabric_torus, 1, extent, true);
        c.plan = by_hand_row[i].ports ? ref_omega(by_hand_row[i].ports, by_hand_row[i].stages)
                                      : ref_torus(1, extent, 1);
        cr_assert_eq(swq_fabric_make(ctx, &c.network.shape, &c.fabric), SWQ_OK);
        cr_assert_eq(swq_arbiter_find(ctx, "rotating", &c.network.arbiter.row), SWQ_OK);
        for (; messages < 5 && by_hand_row[i].message[messages].bytes; messages++) {
            const ref_message *m = &by_hand_row[i].message[messages];
            c.message[messages] = *m;
            c.trace[messages] = (swq_async_message){(uint64_t)m->cycle, (uint32_t)m->from,
                                                    (uint32_t)m->to, (uint32_t)m->bytes};
        }
        c.network.traffic.trace = c.trace;
        c.network.traffic.trace_messages = (uint64_t)messages;
        c.network.packet.block = by_hand_row[i].block;
        c.network.packet.max = by_hand_row[i].max_packet;
        give_buffer(&c.network, by_hand_row[i].buffer, by_hand_row[i].bytes);
        c.network.link.rest = by_hand_row[i].link_rest;
        c.reference = (ref_async){.wiring = c.plan->wiring,
                                  .one_queue = strcmp(by_hand_row[i].buffer, "fifo") == 0,
                                  .read_each = strcmp(by_hand_row[i].buffer, "dafc") == 0,
                                  .bytes = by_hand_row[i].bytes,
                                  .block = by_hand_row[i].block,
                                  .max_packet = by_hand_row[i].max_packet,
                                  .threshold = REF_NO_THRESHOLD,
                                  .hop_delay = 5,
                                  .link_rest = by_hand_row[i].link_rest,
                                  .message = c.message,
                                  .messages = messages};
        c.cycles = -1;
        cr_expect_eq(compare(ctx, &c), by_hand_row[i].ports == 0);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
}

Test(async_reference, to_the_end)
{
    cr_expect_gt(compare_cases(500, 1, false, REF_BLOCKING), 0);
}

/* Ended while packets are on their way. */
Test(async_reference, cut_short)
{
    compare_cases(150, 2, true, REF_BLOCKING);
}

/* Switches of more than 32 ports, whose sets of ports are several words. */
Test(async_reference, wide_switches)
{
    compare_some(6, 21, false, REF_BLOCKING, WIDE);
    compare_some(60, 22, true, REF_BLOCKING, WIDE);
}

/* ... and the queues of managements, and flow controls that keep accounts of queues. */
Test(async_reference, wide_managements)
{
    compare_some(8, 24, true, REF_BLOCKING, WIDE + MANAGED);
    compare_some(4, 25, true, REF_BLOCKING, WIDE + INTERFACES);
}

Test(async_reference, wide_flows)
{
    compare_some(2, 26, false, REF_CREDITS, WIDE);
    compare_some(24, 27, true, REF_CREDITS, WIDE);
    compare_some(12, 28, true, REF_STOP_GO, WIDE);
    compare_some(8, 29, true, REF_TWO_COUNTER, WIDE);
}

/* Links with delays and speeds of their own, in graphs. */
Test(async_reference, unlike_links)
{
    cr_expect_gt(compare_some(160, 31, false, REF_BLOCKING, UNLIKE), 0);
    compare_some(60, 32, true, REF_BLOCKING, UNLIKE);
}

Test(async_reference, unlike_links_and_flow_control)
{
    cr_expect_gt(compare_some(110, 33, false, REF_CREDITS, UNLIKE), 0);
}

/* Queues by destination, as dbbm, 4q and voqnet have them. */
Test(async_reference, queues_by_destination)
{
    cr_expect_gt(compare_some(330, 7, false, REF_BLOCKING, MANAGED), 0);
    compare_some(110, 8, true, REF_BLOCKING, MANAGED);
}

/* ... and interfaces of nodes in front of them, which lose packets for which they have no room, or
 * do not. */
Test(async_reference, interfaces)
{
    cr_expect_gt(compare_some(165, 11, false, REF_BLOCKING, INTERFACES), 0);
    compare_some(55, 12, true, REF_BLOCKING, INTERFACES);
}

/* Senders are told of freed room, in every unit and with every delay. */
Test(async_reference, credits)
{
    cr_expect_gt(compare_cases(110, 3, false, REF_CREDITS), 0);
    compare_cases(55, 4, true, REF_CREDITS);
}

Test(async_reference, stop_go)
{
    cr_expect_gt(compare_cases(110, 5, false, REF_STOP_GO), 0);
    compare_cases(55, 6, true, REF_STOP_GO);
}

/* A queue's second counter, with random parameters. */
Test(async_reference, two_counter)
{
    cr_expect_gt(compare_cases(110, 9, false, REF_TWO_COUNTER), 0);
    compare_cases(55, 10, true, REF_TWO_COUNTER);
}
