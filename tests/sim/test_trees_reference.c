/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RECN-IQ, RECN and enhanced RECN in swq_async_run against tests/ref/ref_recn_iq.c and ref_recn.c,
 * which share no code with them and look at every queue in every cycle. Traffic is a trace: every
 * beginning of a transmission, every SAQ and CAM line that is taken or freed, and every notice must
 * be the same, cycle by cycle.
 */
#include "switchq/async.h"
#include "tests/ref/ref_recn.h"
#include "tests/ref/ref_recn_iq.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

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

TestSuite(trees_reference, .init = setup, .fini = teardown, .timeout = 240);

enum { MOST_PACKETS = 2000, KINDS_OF_NETWORK = 7 };

typedef struct tree_case {
    char what[300];
    swq_shape shape;
    swq_fabric fabric;
    ref_wiring wiring;
    ref_trees reference;
    swq_async network;
    ref_message message[MOST_PACKETS];
    swq_async_message trace[MOST_PACKETS];
} tree_case;

/* ---- observation ---- */

typedef struct trees_seen {
    const tree_case *c;
    ref_start *start;
    long starts;
    ref_tree_event *event;
    long events;
    uint64_t cycles;
} trees_seen;

static void started(void *arg, const swq_start *x)
{
    trees_seen *s = arg;
    const bool sender = x->switch_ == SWQ_NO_WHERE;

    s->start = ref_grow(s->start, s->starts, sizeof *s->start);
    s->start[s->starts++] = (ref_start){.cycle = x->cycle,
                                        .birth = x->birth,
                                        .switch_ = sender ? REF_SENDER : (int)x->switch_,
                                        .input = sender            ? 0
                                                 : x->output_store ? -1
                                                                   : (int)x->input,
                                        .output = sender ? 0 : (int)x->output,
                                        .from = (int)x->from,
                                        .to = (int)x->to,
                                        .bytes = (int)x->bytes};
}

static void happened(void *arg, const swq_saq_event *x)
{
    static const ref_tree_kind kind[] = {
        [SWQ_SAQ_DETECTED] = REF_SAQ_DETECTED, [SWQ_SAQ_TOLD] = REF_SAQ_TOLD,
        [SWQ_SAQ_FREED] = REF_SAQ_FREED,       [SWQ_SAQ_XOFF] = REF_NOTICE_XOFF,
        [SWQ_SAQ_XON] = REF_NOTICE_XON,        [SWQ_SAQ_LINE_TAKEN] = REF_LINE_TAKEN,
        [SWQ_SAQ_LINE_FREED] = REF_LINE_FREED, [SWQ_SAQ_STOPPED] = REF_STOPPED,
        [SWQ_SAQ_RELEASED] = REF_RELEASED,     [SWQ_SAQ_NONE_FREE] = REF_NO_SAQ,
        [SWQ_SAQ_NO_LINE] = REF_NO_LINE,       [SWQ_SAQ_REFUSED] = REF_MORE_SPECIFIC};
    trees_seen *s = arg;
    const int ports = s->c->fabric.ports, of_switches = (int)s->c->fabric.switches * ports;
    const int port = (int)x->port;
    ref_tree_event e = {.cycle = x->cycle,
                        .kind = kind[x->kind],
                        .place = port < of_switches
                                     ? port / ports
                                     : (int)s->c->fabric.switches + port - of_switches,
                        .port = port < of_switches ? port % ports : 0,
                        .path = {.turns = x->length}};

    for (int i = 0; i < x->length; i++)
        e.path.turn[i] = (int)(x->turns >> (i * x->bits) & ((1u << x->bits) - 1));
    s->event = ref_grow(s->event, s->events, sizeof *s->event);
    s->event[s->events++] = e;
}

/* ---- comparison ---- */

static int by_cycle_and_place(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->switch_ != y->switch_)
        return x->switch_ < y->switch_ ? -1 : 1;
    if (x->switch_ == REF_SENDER)
        return x->from - y->from;
    return x->output != y->output ? x->output - y->output : x->input - y->input;
}

static int by_cycle_and_kind(const void *a, const void *b)
{
    const ref_tree_event *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->place != y->place)
        return x->place - y->place;
    if (x->port != y->port)
        return x->port - y->port;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    if (x->path.turns != y->path.turns)
        return x->path.turns - y->path.turns;
    for (int i = 0; i < x->path.turns; i++)
        if (x->path.turn[i] != y->path.turn[i])
            return x->path.turn[i] - y->path.turn[i];
    return 0;
}

static void print_start(char *text, size_t size, const ref_start *s)
{
    snprintf(text, size, "cycle %ld, switch %d, input %d to output %d: %d to %d, of %ld, %d bytes",
             s->cycle, s->switch_, s->input, s->output, s->from, s->to, s->birth, s->bytes);
}

static void print_event(char *text, size_t size, const ref_tree_event *e)
{
    int n = snprintf(text, size, "cycle %ld, place %d, port %d: %s", e->cycle, e->place, e->port,
                     ref_tree_kinds[e->kind]);

    for (int i = 0; i < e->path.turns && n < (int)size; i++)
        n += snprintf(text + n, size - (size_t)n, " %d", e->path.turn[i]);
}

static bool same_starts(const tree_case *c, trees_seen *s, ref_trees_outcome *o)
{
    char is[160] = "nothing", should[160] = "nothing";
    long i = 0;

    if (s->starts)
        qsort(s->start, (size_t)s->starts, sizeof *s->start, by_cycle_and_place);
    if (o->starts)
        qsort(o->start, (size_t)o->starts, sizeof *o->start, by_cycle_and_place);
    while (i < s->starts && i < o->starts && by_cycle_and_place(&s->start[i], &o->start[i]) == 0 &&
           s->start[i].from == o->start[i].from && s->start[i].to == o->start[i].to &&
           s->start[i].birth == o->start[i].birth && s->start[i].bytes == o->start[i].bytes)
        i++;
    if (i < s->starts)
        print_start(is, sizeof is, &s->start[i]);
    if (i < o->starts)
        print_start(should, sizeof should, &o->start[i]);
    cr_expect(i == s->starts && i == o->starts,
              "%s: start %ld of %ld\n  is        %s\n  should be %s", c->what, i, o->starts, is,
              should);
    return i == s->starts && i == o->starts;
}

/* The engine's view: a SAQ that is allocated because of a notice counts as stopped, too; and vain
 * requests for a SAQ are not distinguished. */
static void as_told(ref_trees_outcome *o)
{
    long kept = 0;

    for (long i = 0; i < o->events; i++) {
        if (o->event[i].kind == REF_STOPPED && i && o->event[i - 1].kind == REF_SAQ_TOLD &&
            o->event[i - 1].cycle == o->event[i].cycle &&
            o->event[i - 1].place == o->event[i].place && o->event[i - 1].port == o->event[i].port)
            continue;
        o->event[kept] = o->event[i];
        if (o->event[kept].kind == REF_NO_SAQ_TOLD)
            o->event[kept].kind = REF_NO_SAQ;
        kept++;
    }
    o->events = kept;
}

static bool same_events(const tree_case *c, trees_seen *s, ref_trees_outcome *o)
{
    char is[200] = "nothing", should[200] = "nothing";
    long i = 0;

    as_told(o);
    while (o->events && o->event[o->events - 1].cycle >= (long)s->cycles)
        o->events--; /* a run ends when the last packet is delivered */
    if (s->events)
        qsort(s->event, (size_t)s->events, sizeof *s->event, by_cycle_and_kind);
    if (o->events)
        qsort(o->event, (size_t)o->events, sizeof *o->event, by_cycle_and_kind);
    while (i < s->events && i < o->events && by_cycle_and_kind(&s->event[i], &o->event[i]) == 0)
        i++;
    if (i < s->events)
        print_event(is, sizeof is, &s->event[i]);
    if (i < o->events)
        print_event(should, sizeof should, &o->event[i]);
    cr_expect(i == s->events && i == o->events,
              "%s: event %ld of %ld\n  is        %s\n  should be %s", c->what, i, o->events, is,
              should);
    return i == s->events && i == o->events;
}

/* ---- cases ---- */

/* A network of each kind: a switch, three trees, an omega, two meshes. */
static void lay_out(int kind, tree_case *c)
{
    swq_shape *shape = &c->shape;

    *shape = (swq_shape){0};
    if (kind == 1 || kind == 2 || kind == 6)
        *shape = (swq_shape){.kind = &swq_fabric_tree,
                             .levels = kind == 6 ? 3 : 2,
                             .arity = {kind == 2 ? 4 : 2, kind == 2 ? 4 : 2, 2}};
    else if (kind == 4 || kind == 5)
        *shape = case_grid(&swq_fabric_mesh, kind - 3, (const int[]){4, 3}, false);
    else
        *shape = case_omega(ctx, kind ? 2 : 4, kind ? 3 : 1);
    cr_assert_eq(swq_fabric_make(ctx, shape, &c->fabric), SWQ_OK, "%s", swq_context_message(ctx));
    c->wiring = case_wiring(&c->fabric);
}

/* Packets until that cycle, of which a part goes to one node until half that cycle. */
static void draw_packets(uint32_t *state, long until, int slot, tree_case *c)
{
    const int load = case_between(state, 3, 11), hot = case_between(state, 0, 70);
    const int nodes = c->wiring.nodes;
    int *packets = &c->reference.messages;

    for (long t = 0; t < until; t++)
        for (int node = 0; node < nodes; node++) {
            const int bytes = case_between(state, 1, slot);
            int to = (int)case_draw(state, (uint32_t)nodes);

            if ((int)case_draw(state, 10000) >= load * 1000 / bytes || *packets == MOST_PACKETS)
                continue;
            if (t < until / 2 && (int)case_draw(state, 100) < hot)
                to = nodes / 2;
            if (c->shape.kind->point_to_point && to == node)
                continue;
            c->message[*packets] = (ref_message){t, node, to, bytes};
            c->trace[*packets] =
                (swq_async_message){(uint64_t)t, (uint32_t)node, (uint32_t)to, (uint32_t)bytes};
            ++*packets;
        }
}

static void draw_case(uint32_t *state, int kind, const swq_management *management, tree_case *c)
{
    const int slot = case_between(state, 1, 4) * 8;
    ref_trees *r = &c->reference;
    swq_async *n = &c->network;

    memset(c, 0, sizeof *c);
    lay_out(kind, c);
    *r = (ref_trees){.wiring = c->wiring,
                     .message = c->message,
                     .slots = case_between(state, 2, 20),
                     .interface = case_between(state, 1, 12),
                     .open = 1,
                     .unbounded = (int)case_draw(state, 2),
                     .hold = management->refuses_some && case_draw(state, 2),
                     .enhanced = management->needs_output_stores && !management->refuses_some,
                     .flows = management->by_flow,
                     .saqs = (int)case_draw(state, 9),
                     .detect = case_between(state, 1, 8),
                     .xoff = case_between(state, 1, 8),
                     .output_slots = case_between(state, 2, 20),
                     .speed_over = case_between(state, 1, 3),
                     .crossbar_delay = case_between(state, 1, 3),
                     .hop_delay = case_between(state, 1, 6),
                     .link_rest = case_between(state, 0, 2),
                     .credit_delay = case_between(state, 1, 5),
                     .cycles = 1000000};
    r->inspection = case_draw(state, 2) ? 1 : case_between(state, 2, 5);
    if (!management->needs_output_stores && case_draw(state, 2))
        r->cold = case_between(state, 1, r->interface);
    r->repeat = management->refuses_some && !r->hold && case_draw(state, 2);
    r->xoff = r->xoff < r->slots ? r->xoff : r->slots;
    r->detect = r->detect < r->slots ? r->detect : r->slots;
    r->xon = case_between(state, 1, r->xoff);
    r->speed_under = case_between(state, 1, r->speed_over);
    if (r->speed_over > c->fabric.ports * r->speed_under)
        r->speed_under = r->speed_over;
    if (case_draw(state, 4) == 0) { /* so short that heads wait to be inspected */
        r->hop_delay = case_between(state, 1, 2);
        r->xoff = case_between(state, 1, r->xoff);
        r->xon = case_between(state, 1, r->xoff);
        draw_packets(state, 300, 2, c);
    } else {
        draw_packets(state, 500, slot, c);
    }
    *n = swq_async_defaults();
    n->shape = c->shape;
    n->management.row = management;
    n->packet.block = n->packet.max = slot;
    n->memory.bytes = r->slots * slot;
    n->management.saqs = r->saqs;
    n->management.detect = r->detect;
    n->management.xoff = r->xoff;
    n->management.xon = r->xon;
    n->management.turnpool_bits = 31;
    n->management.refused = r->hold     ? SWQ_REFUSED_HOLD
                            : r->repeat ? SWQ_REFUSED_REPEAT
                                        : SWQ_REFUSED_FILL;
    if (management->needs_output_stores) {
        cr_assert_eq(swq_architecture_find(ctx, "cioq", SWQ_ENGINE_ASYNC, &n->architecture.row),
                     SWQ_OK);
        n->architecture.output.blocks = r->output_slots;
        n->architecture.output.speedup_bytes = r->speed_over;
        n->architecture.output.speedup_cycles = r->speed_under;
        n->architecture.output.crossbar_delay = r->crossbar_delay;
    }
    n->interface.packets = r->interface;
    n->interface.cold = r->cold;
    n->management.inspection = r->inspection;
    n->interface.queued = r->unbounded;
    n->link.hop_delay = r->hop_delay;
    n->link.rest = r->link_rest;
    n->flow.credit_delay = r->credit_delay;
    n->traffic.trace = c->trace;
    n->traffic.trace_messages = (uint64_t)r->messages;
    snprintf(c->what, sizeof c->what,
             "network %d, %d slots of %d bytes, %d SAQs, %d, %d, %d, hop %d, rest %d, credit %d, "
             "interface %d%s",
             kind, r->slots, slot, r->saqs, r->detect, r->xoff, r->xon, r->hop_delay, r->link_rest,
             r->credit_delay, r->interface, r->unbounded ? " and more" : "");
}

/* A run ends when the last packet is delivered; the reference goes on. */
static uint64_t told_by(const ref_trees_outcome *o, ref_tree_kind kind, uint64_t cycles)
{
    uint64_t count = 0;

    for (long i = 0; i < o->events; i++)
        count += o->event[i].kind == kind && o->event[i].cycle < (long)cycles;
    return count;
}

static void compare(const tree_case *c, void (*reference)(const ref_trees *, ref_trees_outcome *))
{
    swq_sim_options options = swq_sim_defaults();
    trees_seen s = {.c = c};
    swq_async_watch watch = {.started = started, .saq = happened, .arg = &s};
    swq_async_result result;
    ref_trees_outcome o;

    reference(&c->reference, &o);
    cr_expect(!o.broken && !o.left && !o.out_of_order, "%s", c->what);
    options.warmup = 0;
    options.cycles = (uint64_t)o.cycles + 100;
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    s.cycles = result.sim.cycles;
    const bool crossbar =
        c->network.management.row->needs_output_stores; /* no events, but counters */

    if (same_starts(c, &s, &o) && (crossbar || same_events(c, &s, &o))) {
        cr_expect_eq(result.saqs.dropped, (uint64_t)o.lost, "%s: dropped", c->what);
        cr_expect_eq(result.saqs.false_detections, (uint64_t)o.false_detections,
                     "%s: %lu false detections, not %ld", c->what,
                     (unsigned long)result.saqs.false_detections, o.false_detections);
        if (crossbar) {
            cr_expect_eq(result.saqs.refused_full, told_by(&o, REF_NO_SAQ_TOLD, s.cycles), "%s",
                         c->what);
            cr_expect_eq(result.saqs.refused_specific, told_by(&o, REF_MORE_SPECIFIC, s.cycles),
                         "%s", c->what);
            cr_expect_eq(result.saqs.notices,
                         told_by(&o, REF_NOTICE, s.cycles) + told_by(&o, REF_ADD, s.cycles), "%s",
                         c->what);
            cr_expect_eq(result.saqs.unserved_detections, told_by(&o, REF_NO_SAQ, s.cycles), "%s",
                         c->what);
        } else {
            cr_expect_eq(result.saqs.unserved_stops, (uint64_t)o.count[REF_NO_SAQ_TOLD], "%s",
                         c->what);
            cr_expect_eq(result.saqs.unserved_detections, (uint64_t)o.count[REF_NO_SAQ], "%s",
                         c->what);
        }
        cr_expect_eq(result.saqs.most_slots, o.most_slots, "%s: slots %d, not %d", c->what,
                     result.saqs.most_slots, o.most_slots);
        cr_expect_eq(result.saqs.out_of_order, 0, "%s", c->what);
        cr_expect(result.sim.conserved, "%s", c->what);
    }
    free(s.start);
    free(s.event);
    ref_trees_outcome_clear(&o);
}

/* To run more: SWQ_CASES=2000 SWQ_SEED=7. */
static int by_hand(const char *name, int otherwise)
{
    const char *value = getenv(name);

    return value ? atoi(value) : otherwise;
}

static void compare_many(const swq_management *management,
                         void (*reference)(const ref_trees *, ref_trees_outcome *))
{
    tree_case *c = malloc(sizeof *c);
    uint32_t state = (uint32_t)by_hand("SWQ_SEED", 10);

    cr_assert(c);
    for (int k = 0; k < by_hand("SWQ_CASES", 42); k++) {
        draw_case(&state, k % KINDS_OF_NETWORK, management, c);
        compare(c, reference);
        swq_fabric_clear(ctx, &c->fabric);
    }
    free(c);
}

Test(trees_reference, recn_iq)
{
    compare_many(&swq_management_recn_iq, ref_recn_iq_run);
}

Test(trees_reference, recn)
{
    compare_many(&swq_management_recn, ref_recn_run);
}

Test(trees_reference, enhanced_recn)
{
    compare_many(&swq_management_recn_enhanced, ref_recn_run);
}

Test(trees_reference, fbicm)
{
    compare_many(&swq_management_fbicm, ref_recn_run);
}
