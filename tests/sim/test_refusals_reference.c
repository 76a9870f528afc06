/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Destination-based and path-based flow control: swq_async_run against tests/ref/ref_refusals.c,
 * which shares no code with it and was written from the dissertation without sight of it. Every
 * beginning of a transmission must be the same, and every refusal.
 */
#include "switchq/async.h"
#include "tests/ref/ref_refusals.h"
#include "tests/sim/async_cases.h"
#include "tests/support/support.h"

TestSuite(refusals_reference, .timeout = 240);

typedef struct {
    ref_start *at;
    long count, room;
} starts_seen;

typedef struct {
    starts_seen started, refused;
} refusals_seen;

static void keep(starts_seen *s, const swq_start *x)
{
    const bool sender = x->switch_ == SWQ_NO_WHERE;

    if (s->count == s->room) {
        s->room = 2 * s->room + 1024;
        s->at = realloc(s->at, (size_t)s->room * sizeof *s->at);
        cr_assert(s->at);
    }
    s->at[s->count++] = (ref_start){.cycle = x->cycle,
                                    .birth = x->birth,
                                    .switch_ = sender ? REF_SENDER : (int)x->switch_,
                                    .input = (int)x->input,
                                    .output = (int)x->output,
                                    .class_ = x->packet_class,
                                    .from = (int)x->from,
                                    .to = (int)x->to,
                                    .bytes = (int)x->bytes};
}

static void started(void *arg, const swq_start *x)
{
    refusals_seen *s = arg;
    keep(&s->started, x);
}

static void refused(void *arg, const swq_start *x)
{
    refusals_seen *s = arg;
    keep(&s->refused, x);
}

static int in_order(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;
    const long key[][2] = {
        {x->cycle, y->cycle}, {x->switch_, y->switch_}, {x->output, y->output}, {x->from, y->from}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    }
    return 0;
}

static void sort(ref_start *at, long count)
{
    if (count)
        qsort(at, (size_t)count, sizeof *at, in_order);
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

static bool compare_list(const starts_seen *found, const ref_start *at, long count,
                         const char *which, const char *what)
{
    char mine[128] = "nothing", theirs[128] = "nothing";
    long i = 0;

    while (i < found->count && i < count && same_start(&found->at[i], &at[i]))
        i++;
    if (i < found->count)
        print_start(mine, sizeof mine, &found->at[i]);
    if (i < count)
        print_start(theirs, sizeof theirs, &at[i]);
    cr_expect(i == found->count && i == count, "%s: %s %ld of %ld\n  is        %s\n  should be %s",
              what, which, i, count, mine, theirs);
    return i == found->count && i == count;
}

typedef struct {
    int cases, stuck;
    long starts, refusals;
} refusals_tally;

static void compare(swq_context *ctx, async_case *c, ref_refusals *model, refusals_tally *tally)
{
    swq_sim_options options = swq_sim_defaults();
    refusals_seen found = {0};
    swq_async_watch watch = {.started = started, .refused = refused, .arg = &found};
    static swq_async_result result;
    ref_refusals_outcome o;

    model->network = c->reference;
    model->network.cycles = c->cycles;
    ref_refusals_run(model, &o);
    options.warmup = 0;
    options.cycles = (uint64_t)c->cycles;
    cr_assert_eq(swq_async_run(ctx, &c->network, &options, &watch, &result), SWQ_OK, "%s: %s",
                 c->what, swq_context_message(ctx));
    sort(found.started.at, found.started.count);
    sort(found.refused.at, found.refused.count);
    sort(o.start, o.starts);
    sort(o.refusal, o.refusals);
    if (compare_list(&found.started, o.start, o.starts, "start", c->what) &&
        compare_list(&found.refused, o.refusal, o.refusals, "refusal", c->what)) {
        cr_expect(result.sim.conserved, "%s: not conserved", c->what);
        cr_expect(result.sim.little_exact, "%s: Little's law", c->what);
        cr_expect_eq(result.sim.total_delivered, (uint64_t)o.delivered, "%s", c->what);
        cr_expect_eq(result.refusals, (uint64_t)o.refusals, "%s: refusals", c->what);
    }
    tally->cases++;
    tally->stuck += o.stuck;
    tally->starts += o.starts;
    tally->refusals += o.refusals;
    free(found.started.at);
    free(found.refused.at);
    ref_refusals_outcome_clear(&o);
}

static int stage_of(const void *self, unsigned port)
{
    const swq_fabric *f = self;
    return f->in_level[port];
}

static void choose_flow(uint32_t *state, async_case *c, ref_refusals *m)
{
    swq_async *n = &c->network;
    ref_async *r = &c->reference;
    const int stages = n->shape.stages;
    const bool by_path = case_draw(state, 3) == 0;
    const bool usage = n->flow.row == &swq_flow_maximum_usage;

    r->least = r->most = 0;
    r->alpha = 0;
    n->memory.buffer.queue_min = 0;
    n->memory.buffer.alpha = 0;
    if (!r->partitioned)
        n->memory.buffer.queue_max = n->memory.buffer.capacity;
    if (by_path) {
        n->flow.row = usage ? &swq_flow_path_usage : &swq_flow_path;
        n->flow.answers.path_hops = m->path_hops = case_between(state, 1, stages);
    } else
        n->flow.row = usage ? &swq_flow_destination_usage : &swq_flow_destination;
    m->stages = stages;
    if (case_draw(state, 4) == 0)
        n->flow.answers.stages = m->stages = case_between(state, 1, stages);
    m->last_stage = stages - 1;
    m->no_abort = case_draw(state, 3) == 0;
    /* in a FIFO the order in which marked packets circulate is not determined: 10 of 360 cases
     * differ */
    m->no_restrict = case_draw(state, 3) == 0 || r->one_queue;
    m->no_preroute = case_draw(state, 3) == 0;
    m->no_requeue =
        !m->no_preroute && (usage || r->partitioned) && !r->one_queue && case_draw(state, 3) == 0;
    n->flow.answers.no_abort = m->no_abort;
    n->flow.answers.no_restrict = m->no_restrict;
    n->flow.answers.no_requeue = m->no_requeue;
    n->flow.answers.no_preroute = m->no_preroute;
    m->stage_of = stage_of;
    m->self = &c->fabric;
}

/* Multistage networks in turn; or switches of more than 32 ports. */
static refusals_tally compare_cases(int cases, uint32_t seed, bool wide)
{
    static const char *const buffer[] = {"damq", "fifo", "samq", "safc", "dafc"};
    static const char *const wide_buffer[] = {"damq", "fifo", "dafc"};
    static const int kinds[] = {0, 1, 9};
    static const uint32_t permille[] = {5, 20, 60, 200, 1000};
    static async_case c;
    swq_context *ctx = swq_context_new();
    uint32_t state = seed;
    refusals_tally tally = {0};

    for (int k = 0; k < cases; k++) {
        const char *kind = wide ? wide_buffer[k % 3] : buffer[k / 3 % 5];
        const int fabric = wide ? CASE_FABRICS : kinds[k % 3];
        ref_refusals m = {0};
        memset(&c, 0, sizeof c);
        c.network = swq_async_defaults();
        case_fabric(ctx, &state, fabric, &c);
        case_switch(ctx, &state, kind, &c);
        choose_flow(&state, &c, &m);
        const int packet =
            (c.network.packet.max + c.network.packet.block - 1) / c.network.packet.block;
        if (c.reference.threshold != REF_NO_THRESHOLD && c.network.flow.threshold < packet)
            c.network.flow.threshold = c.reference.threshold = packet;
        if (c.reference.bytes / c.network.packet.block < 2 * packet ||
            c.reference.partitioned) { /* a partition is for two packets, or a refused one keeps its
                                          slot */
            c.reference.bytes *= 2;
            give_buffer(&c.network, kind, c.reference.bytes);
        }
        m.unretained = case_draw(&state, 2) == 0;
        c.reference.fixed = 0;
        cr_assert_eq(
            swq_arbiter_find(ctx, m.unretained ? "advancing" : "rotating", &c.network.arbiter.row),
            SWQ_OK);
        m.relinks = strcmp(kind, "damq") == 0 || strcmp(kind, "dafc") == 0;
        const uint32_t load = permille[case_draw(&state, 5)];
        const int longest = (case_draw(&state, 3) ? 1 : 3) * c.reference.max_packet;
        case_messages(&state, load, longest, &c);
        c.cycles = 2000;
        const ref_async *r = &c.reference;
        snprintf(c.what, sizeof c.what,
                 "case %d, %s, %d nodes, %s of %d bytes in blocks of %d, packets to %d, messages "
                 "to %d, threshold %d, hop %d, rest %d, load %u, release %d, hops %d, stages %d "
                 "of %d%s%s%s%s",
                 k, case_fabric_names[fabric], r->wiring.nodes, kind, r->bytes, r->block,
                 r->max_packet, longest, r->threshold, r->hop_delay, r->link_rest, load, r->release,
                 m.path_hops, m.stages, c.network.shape.stages, m.no_abort ? ", no abort" : "",
                 m.no_restrict ? ", no restrict" : "",
                 m.no_requeue    ? ", no requeue"
                 : m.no_preroute ? ", no preroute"
                                 : "",
                 m.unretained ? ", advancing" : "");
        compare(ctx, &c, &m, &tally);
        case_clear(ctx, &c);
    }
    swq_context_free(ctx);
    return tally;
}

Test(refusals_reference, starts_and_refusals)
{
    const refusals_tally t = compare_cases(300, 1, false);

    cr_log_info("%d cases, %d stuck, %ld starts, %ld refusals", t.cases, t.stuck, t.starts,
                t.refusals);
    cr_expect_gt(t.refusals, 1000);
}

Test(refusals_reference, wide_switches)
{
    cr_expect_gt(compare_cases(10, 2, true).refusals, 100);
}
