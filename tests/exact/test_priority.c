/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets of high priority in the chain: against a reference that lists every packet with its
 * class, at the limits where there is one class only, and against the chain without symmetry and
 * the one by whole switches. Not pinned: numbers of states, since the reference draws everything at
 * once.
 */
#include "models/priority.h"
#include "tests/ref/ref_priority.h"
#include "tests/support/support.h"

TestSuite(priority, .timeout = 120);

typedef struct {
    const char *buffer;
    int ports, slots;
    swq_support support;
    int high_slots;
    bool fans;
} tiny;

static const char *const support_names[] = {"none", "arbiter", "queue", "queues", "buffer"};

static swq_switch switch_of(swq_context *ctx, const tiny *t, double load, double high)
{
    swq_switch sw = test_switch(ctx, t->buffer, t->ports, t->slots, load, "random");

    sw.priority = (swq_priority){.fraction = high,
                                 .support = t->support,
                                 .slots = t->high_slots,
                                 .queues = t->fans ? SWQ_QUEUE_PER_OUTPUT : SWQ_ONE_QUEUE};
    return sw;
}

static swq_answers solved(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    options.reduce = reduce;
    cr_assert_eq(swq_exact_solve(ctx, sw, &options, &a), SWQ_OK, "%s", swq_context_message(ctx));
    return a;
}

static ref_priority to_reference_of(const tiny *t, const swq_switch *sw)
{
    ref_priority r = {.ports = sw->ports,
                      .pool = sw->buffer.scope == SWQ_POOL,
                      .one_queue = sw->buffer.queues == SWQ_ONE_QUEUE,
                      .partitioned = swq_buffer_partitioned(&sw->buffer),
                      .read_all = sw->buffer.read == SWQ_READ_EACH_QUEUE,
                      .slots = t->slots,
                      .block = sw->flow == SWQ_BLOCK,
                      .credit_next = sw->credit == SWQ_CREDIT_NEXT,
                      .longest = strcmp(sw->arbiter->name, "longest") == 0,
                      .support = support_names[t->support],
                      .high_slots = t->high_slots,
                      .high_fans = t->fans,
                      .high = sw->priority.fraction};

    for (int i = 0; i < sw->ports; i++) {
        r.load[i] = sw->load[i];
        for (int j = 0; j < sw->ports; j++)
            r.dest[i][j] = sw->dest[i][j];
    }
    return r;
}

static void compare(swq_context *ctx, const tiny *t, const swq_switch *sw, int *compared)
{
    ref_priority r = to_reference_of(t, sw);
    ref_priority_answer e;
    char what[160];

    if (ref_priority_solve(&r, &e) != 0)
        return;
    snprintf(what, sizeof what, "%s-%d %s (%d slots, fans %d), %s, flow %d credit %d", t->buffer,
             t->slots, support_names[t->support], t->high_slots, t->fans, sw->arbiter->name,
             sw->flow, sw->credit);
    for (int reduce = 0; reduce < 2; reduce++) {
        swq_answers a = solved(ctx, sw, reduce);
        cr_assert(a.classes);
        for (int c = 0; c < SWQ_CLASSES; c++) {
            const swq_class_answers *of = &a.by_class[c];
            assert_relative(of->refusal, e.refused[c] / e.offers[c], 1e-12, "%s: refusal %d", what,
                            c);
            assert_relative(of->throughput * sw->ports, e.sent[c], 1e-12, "%s: throughput %d", what,
                            c);
            assert_relative(of->mean_packets, e.packets[c], 1e-11, "%s: packets %d: %.17g %.17g",
                            what, c, of->mean_packets, e.packets[c]);
            assert_relative(of->mean_held, e.held[c], 1e-11, "%s: held %d", what, c);
            assert_relative(of->mean_delay, 1 + e.packets[c] / e.sent[c], 1e-11, "%s: delay %d",
                            what, c);
        }
        swq_answers_clear(ctx, &a);
    }
    ++*compared;
}

static const tiny cases[] = {
    {"damq", 2, 2, SWQ_SUPPORT_ARBITER, 0, false}, {"fifo", 2, 2, SWQ_SUPPORT_ARBITER, 0, false},
    {"samq", 2, 2, SWQ_SUPPORT_ARBITER, 0, false}, {"safc", 2, 2, SWQ_SUPPORT_ARBITER, 0, false},
    {"dafc", 2, 2, SWQ_SUPPORT_ARBITER, 0, false}, {"cbda", 2, 1, SWQ_SUPPORT_ARBITER, 0, false},
    {"damq", 2, 2, SWQ_SUPPORT_QUEUE, 0, false},   {"samq", 2, 2, SWQ_SUPPORT_QUEUE, 1, false},
    {"safc", 2, 2, SWQ_SUPPORT_QUEUE, 1, false},   {"dafc", 2, 2, SWQ_SUPPORT_QUEUE, 0, false},
    {"cbda", 2, 1, SWQ_SUPPORT_QUEUE, 0, false},   {"damq", 2, 2, SWQ_SUPPORT_QUEUES, 0, false},
    {"safc", 2, 2, SWQ_SUPPORT_QUEUES, 2, false},  {"dafc", 2, 2, SWQ_SUPPORT_QUEUES, 0, false},
    {"fifo", 2, 1, SWQ_SUPPORT_BUFFER, 1, false},  {"fifo", 2, 1, SWQ_SUPPORT_BUFFER, 1, true},
    {"damq", 2, 1, SWQ_SUPPORT_BUFFER, 2, false},  {"damq", 2, 1, SWQ_SUPPORT_BUFFER, 1, true},
    {"damq", 3, 1, SWQ_SUPPORT_QUEUE, 0, false},   {"fifo", 3, 1, SWQ_SUPPORT_ARBITER, 0, false},
    {"fifo", 2, 2, SWQ_SUPPORT_QUEUE, 0, false},   {"fifo", 2, 2, SWQ_SUPPORT_QUEUES, 0, false},
};

enum { CASES = sizeof cases / sizeof *cases };

Test(priority, reference_that_lists_every_packet)
{
    swq_context *ctx = swq_context_new();
    int compared = 0;

    for (int k = 0; k < CASES; k++) {
        swq_switch sw = switch_of(ctx, &cases[k], 0.8, 0.3);
        if (sw.buffer.scope == SWQ_PER_INPUT)
            cr_assert_eq(swq_arbiter_find(ctx, k % 2 ? "longest" : "random", &sw.arbiter), SWQ_OK);
        sw.flow = k % 3 ? SWQ_DISCARD : SWQ_BLOCK;
        sw.credit = k / 3 % 2 ? SWQ_CREDIT_NEXT : SWQ_CREDIT_SAME;
        compare(ctx, &cases[k], &sw, &compared);
        sw.flow = k % 3 ? SWQ_BLOCK : SWQ_DISCARD;
        sw.load[0] = 0.6; /* and without any symmetry */
        sw.dest[0][0] = 0.75;
        sw.dest[0][1] = 0.25;
        for (int j = 2; j < sw.ports; j++)
            sw.dest[0][j] = 0;
        compare(ctx, &cases[k], &sw, &compared);
    }
    cr_assert_geq(compared, CASES, "only %d compared", compared);
    swq_context_free(ctx);
}

/* All packets of one class: the switch without priorities. */
Test(priority, one_class_is_the_chain_without)
{
    static const tiny all_high[] = {
        {"fifo", 2, 3, SWQ_SUPPORT_ARBITER, 0, false},
        {"damq", 2, 3, SWQ_SUPPORT_ARBITER, 0, false},
        {"safc", 3, 3, SWQ_SUPPORT_ARBITER, 0, false},
        {"cbda", 2, 2, SWQ_SUPPORT_ARBITER, 0, false},
        {"damq", 3, 3, SWQ_SUPPORT_QUEUES, 0, false},
        {"cbda", 2, 2, SWQ_SUPPORT_QUEUE, 0, false},
    };
    swq_context *ctx = swq_context_new();

    for (size_t k = 0; k < sizeof all_high / sizeof *all_high; k++) {
        for (int flow = SWQ_DISCARD; flow <= SWQ_BLOCK; flow++) {
            for (int high = 0; high < SWQ_CLASSES; high++) {
                swq_switch sw = switch_of(ctx, &all_high[k], 0.7, high);
                sw.flow = (swq_flow)flow;
                sw.credit = (swq_credit)flow;
                swq_answers a = solved(ctx, &sw, true);
                sw.priority = (swq_priority){.fraction = 0};
                swq_answers b = solved(ctx, &sw, true);
                cr_assert(!b.classes);
                cr_assert_eq(a.states, b.states, "%s: %lld states", all_high[k].buffer,
                             (long long)a.states);
                assert_relative(a.by_class[high].refusal, b.refusal, 1e-12, "refusal");
                assert_relative(a.by_class[high].throughput, b.throughput.value, 1e-12, "sent");
                assert_relative(a.by_class[high].mean_delay, b.mean_delay, 1e-12, "delay");
                assert_relative(a.refusal, b.refusal, 1e-12, "refusal");
                cr_assert_eq(a.by_class[1 - high].throughput, 0);
                swq_answers_clear(ctx, &a);
                swq_answers_clear(ctx, &b);
            }
        }
    }
    swq_context_free(ctx);
}

/* The classes add up to the whole, and high priority never does worse. */
Test(priority, classes_add_up)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        const double high = 0.2;
        swq_switch sw = switch_of(ctx, &cases[k], 0.9, high);
        swq_answers a = solved(ctx, &sw, true);
        const swq_class_answers *low = &a.by_class[0], *of = &a.by_class[1];
        assert_relative(low->discard * (1 - high) + of->discard * high, a.discard.value, 1e-12,
                        "loss");
        assert_relative(low->throughput + of->throughput, a.throughput.value, 1e-12, "throughput");
        assert_relative(low->mean_packets + of->mean_packets, a.mean_packets, 1e-11, "packets");
        cr_assert(of->mean_delay <= low->mean_delay, "%s %s", cases[k].buffer,
                  support_names[cases[k].support]);
        swq_answers_clear(ctx, &a);
    }
    swq_context_free(ctx);
}

/* By rows and whole, a switch is the same chain. */
Test(priority, rows_are_whole_switches)
{
    swq_context *ctx = swq_context_new();

    for (int k = 0; k < CASES; k++) {
        swq_chain *rows = NULL, *whole = NULL;
        swq_switch sw = switch_of(ctx, &cases[k], 0.9, 0.3);
        sw.flow = k % 2 ? SWQ_BLOCK : SWQ_DISCARD;
        cr_assert_eq(swq_chain_generate(ctx, &sw, true, &rows), SWQ_OK);
        cr_assert_eq(swq_chain_generate_whole(ctx, &sw, true, &whole), SWQ_OK);
        cr_assert_eq(swq_chain_states(rows), swq_chain_states(whole), "%s %s: %lld, whole %lld",
                     cases[k].buffer, support_names[cases[k].support],
                     (long long)swq_chain_states(rows), (long long)swq_chain_states(whole));
        swq_chain_size size;
        cr_assert_eq(swq_chain_foresee(ctx, &sw, true, &size), SWQ_OK);
        cr_assert(size.states >= (double)swq_chain_states(rows), "%s %s: foreseen %g",
                  cases[k].buffer, support_names[cases[k].support], size.states);
        swq_chain_free(ctx, rows);
        swq_chain_free(ctx, whole);
    }
    swq_context_free(ctx);
}

/* Methods that do not support high priority say so. */
Test(priority, refusals_name_it)
{
    swq_context *ctx = swq_context_new();
    const tiny t = {"cbda", 2, 2, SWQ_SUPPORT_BUFFER, 1, false};
    swq_switch sw = switch_of(ctx, &t, 0.5, 0.1);
    swq_chain *chain = NULL;

    cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "priority buffer needs"), "%s",
              swq_context_message(ctx));
    sw.priority.support = SWQ_SUPPORT_ARBITER;
    sw.priority.fraction = 1.5;
    cr_assert_eq(swq_chain_generate(ctx, &sw, true, &chain), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "1.5"), "%s", swq_context_message(ctx));
    swq_context_free(ctx);
}
