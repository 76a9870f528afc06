/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/export/prism_source.c: the text that is written is read by an interpreter of the PRISM
 * language (validate/prism/), which explores the chain by itself; what it answers is what
 * swq_exact_solve says, to 1e-10. Not pinned: names and layout of the text.
 */
#include "switchq/export.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"
#include "validate/prism/prism.h"

static swq_context *ctx;

static void setup(void)
{
    folder_make();
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
    folder_remove();
}

TestSuite(prism_source, .init = setup, .fini = teardown, .timeout = 480);

static const swq_export_format *source(void)
{
    const swq_export_format *format = NULL;

    cr_assert_eq(swq_export_find(ctx, "prism-source", &format), SWQ_OK);
    return format;
}

/* Writes, reads, explores, solves: the three figures; returns the number of states. */
static int interpret(const swq_switch *sw, double *refusal, double *throughput, double *packets)
{
    swq_prism_answer answer[3];
    size_t size;
    int states, answers;

    cr_assert_eq(swq_export_write_source(ctx, sw, source(), folder_path("m")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    char *pm = folder_read("m.pm", &size), *props = folder_read("m.props", &size);
    cr_assert(pm && props);
    cr_assert_eq(swq_prism_check(ctx, pm, props, 3, answer, &answers, &states), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(answers, 3);
    cr_assert_str_eq(answer[0].name, "refusal");
    cr_assert_str_eq(answer[1].name, "throughput");
    cr_assert_str_eq(answer[2].name, "mean_packets");
    *refusal = answer[0].value;
    *throughput = answer[1].value;
    *packets = answer[2].value;
    free(pm);
    free(props);
    return states;
}

static void expect_agreement(const swq_switch *sw, const char *text)
{
    double refusal, throughput, packets;
    int states = interpret(sw, &refusal, &throughput, &packets);
    swq_answers exact = test_solve(ctx, sw, "auto");

    cr_assert_gt(states, 2, "%s", text);
    assert_relative(refusal, exact.refusal, 1e-10, "%s: refused %.15g, not %.15g", text, refusal,
                    exact.refusal);
    assert_relative(throughput, exact.throughput.value, 1e-10, "%s: %.15g sent, not %.15g", text,
                    throughput, exact.throughput.value);
    assert_relative(packets, exact.mean_packets, 1e-10, "%s: holds %.15g, not %.15g", text, packets,
                    exact.mean_packets);
    swq_answers_clear(ctx, &exact);
}

/* A row of a table of specs. */
typedef struct {
    const char *buffer;
    int ports, slots;
    const char *arbiter;
    double load[3];
    swq_flow flow;
    swq_credit credit;
    double hot; /* additional fraction to the last output */
} prism_row;

static void expect_rows(const prism_row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const prism_row *r = &rows[k];
        char text[80];
        swq_switch sw = test_switch(ctx, r->buffer, r->ports, r->slots, 0, r->arbiter);
        for (int i = 0; i < r->ports; i++)
            sw.load[i] = r->load[i] > 0 ? r->load[i] : r->load[0];
        sw.flow = r->flow;
        sw.credit = r->credit;
        if (r->hot > 0)
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, r->hot, r->ports - 1), SWQ_OK);
        snprintf(text, sizeof text, "%s, %d ports, %d slots, %s", r->buffer, r->ports, r->slots,
                 r->arbiter);
        expect_agreement(&sw, text);
    }
}
#define EXPECT_ROWS(rows) expect_rows(rows, sizeof rows / sizeof *rows)

Test(prism_source, buffers_of_two_ports)
{
    static const prism_row rows[] = {
        {"fifo", 2, 3, "random", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"samq", 2, 4, "random", {0.7, 0.5}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"safc", 2, 4, "random", {0.7, 0.5}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.2},
        {"damq", 2, 4, "random", {0.9}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"dafc", 2, 3, "random", {0.7, 0.9}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.3},
        {"cbda", 2, 2, "random", {0.9}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
    };
    EXPECT_ROWS(rows);
}

Test(prism_source, blocking_and_credit)
{
    static const prism_row rows[] = {
        {"fifo", 2, 2, "random", {0.6, 0.4}, SWQ_BLOCK, SWQ_CREDIT_SAME, 0.2},
        {"fifo", 2, 3, "random", {0.6}, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0},
        {"fifo", 2, 2, "maximum", {0.6, 0.3}, SWQ_DISCARD, SWQ_CREDIT_NEXT, 0},
        {"damq", 2, 3, "random", {0.6, 0.9}, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0.2},
        {"damq", 2, 3, "maximum", {0.6}, SWQ_BLOCK, SWQ_CREDIT_SAME, 0},
        {"damq", 2, 2, "random", {0.9, 0.6}, SWQ_DISCARD, SWQ_CREDIT_NEXT, 0},
        {"samq", 2, 2, "random", {0.6}, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0},
        {"safc", 2, 4, "random", {0.6}, SWQ_BLOCK, SWQ_CREDIT_SAME, 0.5},
        {"dafc", 2, 2, "random", {0.6, 0.4}, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0},
        {"cbda", 2, 1, "random", {0.9, 0.6}, SWQ_BLOCK, SWQ_CREDIT_SAME, 0.2},
        {"cbda", 2, 2, "random", {0.9}, SWQ_BLOCK, SWQ_CREDIT_NEXT, 0},
    };
    EXPECT_ROWS(rows);
}

/* A FIFO, queues that share a read port, and queues with one each; with different loads, so that
 * ports are distinguished. */
Test(prism_source, arbiters)
{
    static const char *const names[] = {"random",  "random-outputs",  "longest",   "fixed",
                                        "maximum", "maximum-longest", "max-weight"};
    static const char *const buffers[] = {"fifo", "damq", "dafc"};

    for (int a = 0; a < 7; a++) {
        for (int b = 0; b < 3; b++) {
            prism_row r = {buffers[b],      2,  3, names[a], {0.8, 0.6}, SWQ_DISCARD,
                           SWQ_CREDIT_SAME, 0.3};
            expect_rows(&r, 1);
        }
    }
    /* long enough that a single queue could outweigh two packets */
    prism_row r = {"damq", 2, 5, "maximum-longest", {0.9, 0.8}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.3};
    expect_rows(&r, 1);
}

/* From three ports on, inputs first and outputs first differ, and so do the sets. */
Test(prism_source, three_ports)
{
    static const prism_row rows[] = {
        {"fifo", 3, 1, "random", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"damq", 3, 2, "random", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"damq", 3, 2, "random-outputs", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"damq", 3, 2, "maximum", {0.7, 0.5, 0.9}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"damq", 3, 2, "maximum-longest", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.2},
        {"damq", 3, 2, "max-weight", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0.2},
        {"safc", 3, 3, "random", {0.7}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
        {"cbda", 3, 1, "random", {0.7, 0.5, 0.9}, SWQ_DISCARD, SWQ_CREDIT_SAME, 0},
    };
    EXPECT_ROWS(rows);
}

/* With credit next, since under credit same an input of a 2 x 2 switch with packets in both queues
 * always sends, and exercises few of these rules. */
Test(prism_source, admission_in_full)
{
    static const struct {
        int least, most;
        double alpha;
    } rules[] = {{1, 4, 0}, {1, 5, 0},   {0, 4, 0}, {2, 3, 0},
                 {1, 4, 1}, {0, 5, 0.7}, {0, 5, 1}, {0, 4, 2}};

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        char text[80];
        for (int credit = 0; credit < 2; credit++) {
            swq_switch sw = test_switch(ctx, "damq", 2, 5, 0.8, "random");
            sw.credit = (swq_credit)credit;
            sw.load[1] = 0.6;
            sw.buffer.queue_min = rules[k].least;
            sw.buffer.queue_max = rules[k].most;
            sw.buffer.alpha = rules[k].alpha;
            snprintf(text, sizeof text, "%d to %d, alpha %g, credit %d", rules[k].least,
                     rules[k].most, rules[k].alpha, credit);
            expect_agreement(&sw, text);
        }
    }
    swq_switch sw = test_switch(ctx, "cbda", 2, 2, 0.9, "random");
    sw.buffer.queue_min = 1;
    sw.buffer.queue_max = 2;
    expect_agreement(&sw, "a pool, reserved and limited");
    sw = test_switch(ctx, "fifo", 2, 4, 0.7, "random");
    sw.buffer.queue_max = 2;
    expect_agreement(&sw, "a FIFO that may not be filled");
}

/* Rules over the lengths of all queues, and ties of two and of three queues. */
Test(prism_source, rules_of_admission)
{
    static const struct {
        const swq_admission_rule *rule;
        swq_ties ties;
        double alpha;
        int least, most, congested;
        double expel;
    } rules[] = {{&swq_admission_longest_queue_drop, SWQ_TIES_OWN, 0, 0, 0, 1, 0},
                 {&swq_admission_longest_queue_drop, SWQ_TIES_OTHER, 0, 0, 0, 1, 0},
                 {&swq_admission_longest_queue_drop, SWQ_TIES_LOW, 0, 0, 0, 1, 0},
                 {&swq_admission_longest_queue_drop, SWQ_TIES_HIGH, 0, 0, 0, 1, 0},
                 {&swq_admission_longest_queue_drop, SWQ_TIES_RANDOM, 0, 0, 0, 1, 0},
                 {&swq_admission_longest_queue_drop, SWQ_TIES_OWN, 0, 1, 3, 1, 0},
                 {&swq_admission_harmonic, SWQ_TIES_OWN, 0, 0, 0, 1, 0},
                 {&swq_admission_abm, SWQ_TIES_OWN, 1.5, 0, 0, 1, 0},
                 {&swq_admission_abm, SWQ_TIES_OWN, 1.5, 0, 0, 2, 0},
                 {&swq_admission_occamy, SWQ_TIES_OWN, 2, 0, 0, 1, 1},
                 {&swq_admission_occamy, SWQ_TIES_OWN, 1, 0, 0, 1, 2},
                 {&swq_admission_occamy, SWQ_TIES_OWN, 2, 0, 0, 1, 0.3},
                 {&swq_admission_occamy, SWQ_TIES_OWN, 1, 0, 0, 1, 1.6},
                 {&swq_admission_follow_lqd, SWQ_TIES_OWN, 0, 0, 0, 1, 0},
                 {&swq_admission_follow_lqd, SWQ_TIES_OTHER, 0, 0, 0, 1, 0},
                 {&swq_admission_follow_lqd, SWQ_TIES_LOW, 0, 0, 0, 1, 0},
                 {&swq_admission_follow_lqd, SWQ_TIES_HIGH, 0, 0, 0, 1, 0},
                 {&swq_admission_follow_lqd, SWQ_TIES_RANDOM, 0, 0, 0, 1, 0}};

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        char text[80];
        for (int ports = 2; ports <= 3; ports++) {
            swq_switch sw = test_switch(ctx, "cbda", ports, ports == 2 ? 3 : 2, 0.8, "random");
            cr_assert_eq(swq_traffic_hotspot(ctx, &sw, 0.2, 0), SWQ_OK);
            sw.buffer.admission = rules[k].rule;
            sw.buffer.ties = rules[k].ties;
            sw.buffer.alpha = rules[k].alpha;
            sw.buffer.expel = rules[k].expel;
            sw.buffer.expel_chance[1] = rules[k].expel - floor(rules[k].expel);
            sw.buffer.expel_chance[0] = 1 - sw.buffer.expel_chance[1];
            sw.buffer.drop_head = rules[k].expel > 0;
            sw.buffer.congested = rules[k].congested;
            sw.buffer.queue_min = rules[k].least;
            sw.buffer.queue_max = rules[k].most ? rules[k].most : sw.buffer.capacity;
            snprintf(text, sizeof text, "%s, case %zu, %d ports", rules[k].rule->name, k, ports);
            expect_agreement(&sw, text);
        }
    }
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.8, "random");
    sw.buffer.admission = &swq_admission_harmonic;
    expect_agreement(&sw, "harmonic, a buffer for each input");
}

Test(prism_source, the_rule_ports_of_a_pool)
{
    for (int ports = 2; ports <= 3; ports++) {
        swq_switch sw = test_switch(ctx, "cbda", ports, 1, 0.8, "random");
        sw.buffer.pool_rule = &swq_pool_ports;
        expect_agreement(&sw, "ports");
        sw.flow = SWQ_BLOCK;
        sw.credit = SWQ_CREDIT_NEXT;
        expect_agreement(&sw, "ports, blocking");
    }
}

Test(prism_source, destinations_and_extreme_loads)
{
    const double matrix[] = {0.9, 0.1, 0.25, 0.75};
    swq_switch sw = test_switch(ctx, "damq", 2, 3, 0.8, "random");

    cr_assert_eq(swq_traffic_matrix(ctx, &sw, matrix), SWQ_OK);
    expect_agreement(&sw, "a matrix");
    sw.load[0] = 1;
    sw.load[1] = 0.05;
    expect_agreement(&sw, "loads 1 and 0.05");
    sw.load[1] = 0;
    expect_agreement(&sw, "loads 1 and 0");
    sw = test_switch(ctx, "fifo", 1, 2, 0.3, "random");
    expect_agreement(&sw, "one port");
}

/* The numbers are the spec's, to the last bit. */
Test(prism_source, numbers_are_exact)
{
    swq_switch sw = test_switch(ctx, "damq", 2, 1, 0.1 + 0.2, "random");
    size_t size;

    cr_assert_eq(swq_export_write_source(ctx, &sw, source(), folder_path("m")), SWQ_OK);
    char *text = folder_read("m.pm", &size);
    cr_assert(strstr(text, "load0 = 0.30000000000000004;"), "%s", text);
    free(text);
}

Test(prism_source, what_cannot_be_said_is_refused)
{
    static const struct {
        const char *buffer;
        int ports, slots;
        const char *arbiter;
        const swq_pool_rule *rule;
        const char *message;
    } cases[] = {
        {"damq", 2, 2, "islip", &swq_pool_room, "random, random-outputs, longest"},
        {"damq", 2, 2, "rotating", &swq_pool_room, "not rotating"},
        {"damq", 9, 2, "random", &swq_pool_room, "at most 8 ports, not 9"},
        {"damq", 5, 2, "maximum", &swq_pool_room, "at most 4 ports, not 5"},
        {"fifo", 2, 65, "random", &swq_pool_room, "at most 64 slots, not 65"},
        {"cbda", 2, 2, "random", &swq_pool_oldest, "room, ports"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        swq_switch sw = test_switch(ctx, cases[k].buffer, cases[k].ports, cases[k].slots, 0.5,
                                    cases[k].arbiter);
        sw.buffer.pool_rule = cases[k].rule;
        cr_assert_eq(swq_export_write_source(ctx, &sw, source(), folder_path("m")), SWQ_EINVAL);
        cr_assert(strstr(swq_context_message(ctx), cases[k].message), "%s",
                  swq_context_message(ctx));
        cr_assert_eq(folder_entries(), 0);
    }
    /* a chain's format cannot write rules, nor can one stream take two files */
    swq_switch sw = test_switch(ctx, "damq", 2, 2, 0.5, "random");
    const swq_export_format *mtx;
    cr_assert_eq(swq_export_find(ctx, "mtx", &mtx), SWQ_OK);
    cr_assert_eq(swq_export_write_source(ctx, &sw, mtx, folder_path("m")), SWQ_EINVAL);
    cr_assert_eq(swq_export_write_source(ctx, &sw, source(), "-"), SWQ_EINVAL);
    sw.load[0] = 2;
    cr_assert_eq(swq_export_write_source(ctx, &sw, source(), folder_path("m")), SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "load of input 0"));
}
