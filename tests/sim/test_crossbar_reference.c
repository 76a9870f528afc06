/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous switches with output stores: swq_async_run against tests/ref/ref_crossbar.c, which
 * shares no code with it and was written without sight of it. Traffic is a trace, and every
 * beginning of a transfer over a crossbar and of a transmission over a link must be the same:
 * cycle, place, packet. So must the sums be, and whether it ends in a deadlock.
 */
#include "switchq/async.h"
#include "tests/ref/ref_crossbar.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

TestSuite(crossbar_reference, .timeout = 240);

/* ---- looking on ---- */

typedef struct {
    ref_crossing *start;
    long starts, room;
} crossings_seen;

/* What the engine tells, as the reference writes it. */
static ref_crossing translated(const swq_start *x)
{
    ref_crossing y = {.output_store = x->output_store,
                      .start = {.cycle = x->cycle,
                                .birth = x->birth,
                                .switch_ = (int)x->switch_,
                                .input = (int)x->input,
                                .output = (int)x->output,
                                .class_ = x->packet_class,
                                .from = (int)x->from,
                                .to = (int)x->to,
                                .bytes = (int)x->bytes}};

    if (x->switch_ == SWQ_NO_WHERE)
        y.start.switch_ = REF_SENDER;
    if (x->output_store) /* whose packets have no class there */
        y.start.class_ = 0;
    return y;
}

static void started(void *arg, const swq_start *x)
{
    crossings_seen *s = arg;

    if (s->starts == s->room) {
        s->room = 2 * s->room + 1024;
        s->start = realloc(s->start, (size_t)s->room * sizeof *s->start);
        cr_assert(s->start);
    }
    s->start[s->starts++] = translated(x);
}

static int in_order(const void *a, const void *b)
{
    const ref_crossing *x = a, *y = b;
    const long key[][2] = {{x->start.cycle, y->start.cycle},
                           {x->output_store, y->output_store},
                           {x->start.switch_, y->start.switch_},
                           {x->start.output, y->start.output},
                           {x->start.from, y->start.from}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    }
    return 0;
}

static bool same_crossing(const ref_crossing *a, const ref_crossing *b)
{
    const ref_start *x = &a->start, *y = &b->start;

    return x->cycle == y->cycle && a->output_store == b->output_store && x->switch_ == y->switch_ &&
           x->input == y->input && x->output == y->output && x->class_ == y->class_ &&
           x->from == y->from && x->to == y->to && x->birth == y->birth && x->bytes == y->bytes;
}

static void print_crossing(char *text, size_t size, const ref_crossing *x)
{
    const ref_start *s = &x->start;

    snprintf(text, size,
             "cycle %ld, switch %d, %s %d to output %d, class %d: %d to %d, of %ld, %d bytes",
             s->cycle, s->switch_, x->output_store ? "output store" : "input",
             x->output_store ? s->output : s->input, s->output, s->class_, s->from, s->to, s->birth,
             s->bytes);
}

/* The first `expected` starts of the reference. */
static bool compare_starts(const crossings_seen *found, const ref_crossing *start, long expected,
                           const char *what)
{
    char mine[160] = "nothing", theirs[160] = "nothing";
    long i = 0;

    while (i < found->starts && i < expected && same_crossing(&found->start[i], &start[i]))
        i++;
    if (i < found->starts)
        print_crossing(mine, sizeof mine, &found->start[i]);
    if (i < expected)
        print_crossing(theirs, sizeof theirs, &start[i]);
    cr_expect(i == found->starts && i == expected,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", what, i, expected, mine,
              theirs);
    return i == found->starts && i == expected;
}

static void expect_number(double found, double expected, const char *name, const char *what)
{
    cr_expect(fabs(found - expected) <= 1e-9 * (1 + fabs(expected)), "%s: %s %.12g, not %.12g",
              what, name, found, expected);
}

/* The sums over the same cycles. */
static void compare_sums(const async_case *c, const swq_async_result *r,
                         const ref_crossbar_outcome *o)
{
    const swq_fabric *f = &c->fabric;
    const swq_flow_result *all = &r->sim.all;
    double level[SWQ_MAX_LEVELS] = {0};

    cr_expect(r->sim.conserved, "%s: not conserved", c->what);
    cr_expect(r->sim.little_exact, "%s: Little's law", c->what);
    cr_expect_eq(r->sim.total_created, (uint64_t)o->created, "%s: created", c->what);
    cr_expect_eq(r->sim.total_delivered, (uint64_t)o->delivered, "%s: delivered", c->what);
    cr_expect_eq(r->bytes_created, (uint64_t)o->bytes_created, "%s: bytes created", c->what);
    cr_expect_eq(r->bytes_delivered, (uint64_t)o->bytes_delivered, "%s: bytes delivered", c->what);
    if (o->delivered == 0)
        return;
    expect_number(all->latency.mean * (double)o->delivered, (double)o->latency_sum, "latencies",
                  c->what);
    /* kept in a histogram whose cells are wider from 8192 on */
    cr_expect(fabs(all->max - (double)o->latency_max) <=
                  (o->latency_max < 8192 ? 0 : (double)o->latency_max / 64),
              "%s: greatest latency %g, not %ld", c->what, all->max, o->latency_max);
    cr_expect_eq(r->sim.packet_hops, (uint64_t)o->entered, "%s: packet hops %lu, not %ld", c->what,
                 (unsigned long)r->sim.packet_hops, o->entered);
    for (long i = 0; i < o->starts; i++) {
        const ref_start *s = &o->start[i].start;
        if (o->start[i].output_store)
            level[f->out_level[s->switch_ * f->ports + s->output]] += s->bytes;
    }
    for (int l = 0; l < f->levels; l++)
        expect_number(r->sim.stage[l].sent.mean * (double)r->sim.cycles * case_level_carries(c, l),
                      level[l], "sent", c->what);
}

/* The cycle of input buffers: each waits, through an output store, for the next. */
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

/* Returns whether it was a deadlock. */
static bool compare(swq_context *ctx, async_case *c, ref_crossbar *model)
{
    swq_sim_options options = swq_sim_defaults();
    crossings_seen found = {0};
    swq_async_watch watch = {.started = started, .arg = &found};
    static swq_async_result result;
    ref_crossbar_outcome o;

    model->network = c->reference;
    model->network.cycles = c->cycles;
    ref_crossbar_run(model, &o);
    if (o.starts)
        qsort(o.start, (size_t)o.starts, sizeof *o.start, in_order);
    options.warmup = 0;
    options.cycles = c->cycles >= 0 ? (uint64_t)c->cycles : (uint64_t)(o.cycles + 5000);
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    if (found.starts)
        qsort(found.start, (size_t)found.starts, sizeof *found.start, in_order);
    if (result.sim.stopped_by == SWQ_STOP_DEADLOCK) {
        /* it may be found before all others have stopped */
        long n = 0;
        while (n < o.starts && o.start[n].start.cycle < (long)result.sim.cycles)
            n++;
        compare_starts(&found, o.start, n, c->what);
        cr_expect(o.deadlock || c->cycles >= 0, "%s: no deadlock", c->what);
        check_waiting(c, &result);
        cr_expect(swq_async_may_deadlock(&c->network), "%s: it may not", c->what);
    } else {
        if (compare_starts(&found, o.start, o.starts, c->what))
            compare_sums(c, &result, &o);
        cr_expect_not(o.deadlock, "%s: a deadlock was not found", c->what);
    }
    const bool deadlock = o.deadlock;
    free(found.start);
    ref_crossbar_outcome_clear(&o);
    return deadlock;
}

/* Output stores and the crossbar before them: combined queues, or output queues. */
static void choose_crossbar(swq_context *ctx, uint32_t *state, bool at_once, async_case *c,
                            ref_crossbar *model)
{
    swq_async *n = &c->network;
    const int packet = (n->packet.max + n->packet.block - 1) / n->packet.block;

    n->architecture.row = at_once ? &swq_output_queued : &swq_cioq;
    c->reference.fixed = 0;
    cr_assert_eq(swq_arbiter_find(ctx, case_arbiter(&c->reference), &n->arbiter.row), SWQ_OK);
    n->architecture.output.blocks = model->output_blocks = case_between(state, packet, 4 * packet);
    n->architecture.output.crossbar_delay = model->delay = case_between(state, 1, 8);
    model->cycles = at_once ? 1 : case_between(state, 1, 4);
    model->bytes = at_once ? c->fabric.ports
                           : case_between(state, model->cycles, model->cycles * c->fabric.ports);
    n->architecture.output.speedup_bytes = model->bytes;
    n->architecture.output.speedup_cycles = model->cycles;
    n->architecture.output.store_and_forward = at_once || case_draw(state, 3) == 0;
    model->whole = n->architecture.output.store_and_forward;
}

/* Every fabric with every buffer and output queues in turn, with that flow control (REF_...); the
 * number of deadlocks. */
static int compare_some(int cases, uint32_t seed, bool cut, int flow, bool wide, bool unlike)
{
    static const char *const buffer[] = {"fifo", "samq", "safc", "damq", "dafc", "output queues"};
    static const char *const of_wide[] = {"fifo", "damq", "dafc", "damq", "dafc", "output queues"};
    static const uint32_t permille[] = {5, 20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    const int first = wide ? CASE_FABRICS : 0, kinds = wide ? CASE_WIDE : CASE_FABRICS;
    int deadlocks = 0;

    for (int k = 0; k < cases; k++) {
        const int which = k / kinds % 6;
        const bool at_once = which == 5;
        ref_crossbar m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        if (unlike)
            case_graph(ctx, &state, &c);
        else
            case_fabric(ctx, &state, first + k % kinds, &c);
        case_switch(ctx, &state, at_once ? "fifo" : wide ? of_wide[which] : buffer[which], &c);
        choose_crossbar(ctx, &state, at_once, &c, &m);
        if (unlike)
            case_lines(&c);
        if (flow != REF_BLOCKING && !at_once)
            case_told(&state, flow == REF_STOP_GO, &c);
        uint32_t load = permille[case_draw(&state, 5)];
        int longest = case_draw(&state, 3) ? c.reference.max_packet : 3 * c.reference.max_packet;
        case_messages(&state, load, longest, &c);
        if (flow != REF_BLOCKING && !case_thresholds(&state, &c)) {
            case_clear(ctx, &c);
            continue;
        }
        c.cycles = cut ? 64 + (long)case_draw(&state, 1000) : -1;
        const ref_async *r = &c.reference;
        snprintf(c.what, sizeof c.what,
                 "case %d, %s, %d nodes, %s of %d bytes in blocks of %d, %d blocks at the outputs, "
                 "speedup %d/%d, delay %d, packets to %d, messages to %d, threshold %d, %d to %d "
                 "blocks a queue, alpha %g, hop %d, rest %d, load %u, release %d%s, flow %d, unit "
                 "%d, told after %d, stop %d, go %d",
                 k, unlike ? "graph" : case_fabric_names[first + k % kinds], r->wiring.nodes,
                 (wide ? of_wide : buffer)[which], r->bytes, r->block, m.output_blocks, m.bytes,
                 m.cycles, m.delay, r->max_packet, longest, r->threshold, r->least, r->most,
                 r->alpha, r->hop_delay, r->link_rest, load, r->release,
                 m.whole ? ", store and forward" : "", r->flow, r->unit, r->told_after, r->stop,
                 r->go);
        deadlocks += compare(ctx, &c, &m);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return deadlocks;
}

static int compare_cases(int cases, uint32_t seed, bool cut, int flow, bool wide)
{
    return compare_some(cases, seed, cut, flow, wide, false);
}

Test(crossbar_reference, to_the_end)
{
    cr_expect_gt(compare_cases(660, 1, false, REF_BLOCKING, false), 0);
}

/* Ended while packets are on their way. */
Test(crossbar_reference, cut_short)
{
    compare_cases(198, 2, true, REF_BLOCKING, false);
}

/* Switches of more than 32 ports, whose sets of ports are several words. */
Test(crossbar_reference, wide_switches)
{
    compare_cases(12, 21, false, REF_BLOCKING, true);
    compare_cases(48, 22, true, REF_BLOCKING, true);
    compare_cases(10, 23, true, REF_CREDITS, true);
    compare_cases(10, 24, true, REF_STOP_GO, true);
}

/* Links with delays and speeds of their own, in graphs. */
Test(crossbar_reference, unlike_links)
{
    cr_expect_gt(compare_some(264, 31, false, REF_BLOCKING, false, true), 0);
    compare_some(66, 32, true, REF_BLOCKING, false, true);
    compare_some(66, 33, false, REF_CREDITS, false, true);
}

/* Senders and output stores know of an input store what has come back. */
Test(crossbar_reference, credits)
{
    cr_expect_gt(compare_cases(132, 3, false, REF_CREDITS, false), 0);
    compare_cases(33, 4, true, REF_CREDITS, false);
}

Test(crossbar_reference, stop_go)
{
    cr_expect_gt(compare_cases(132, 5, false, REF_STOP_GO, false), 0);
    compare_cases(33, 6, true, REF_STOP_GO, false);
}
