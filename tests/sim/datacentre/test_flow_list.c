/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim/datacentre/flow_list.c, flow_htsim.c, flow_write.c: lists in three formats with their flows
 * written out by hand, what is refused and in which words, and that what is written reads back.
 */
#include "sim/datacentre/flow_list.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

#include <inttypes.h>

TestSuite(flow_lists, .init = folder_make, .fini = folder_remove, .timeout = 120);

static swq_status load(swq_context *ctx, const char *text, swq_listed_flow **flow, uint64_t *flows)
{
    folder_write("flows", text);
    return swq_flow_list_load(ctx, folder_path("flows"), SWQ_FLOWS_RECOGNISED, 16, 4, flow, flows);
}

static void assert_flows(const swq_listed_flow *flow, uint64_t flows,
                         const swq_listed_flow *expected, uint64_t count, const char *text)
{
    cr_assert_eq(flows, count, "%s", text);
    for (uint64_t k = 0; k < count; k++) {
        const swq_listed_flow *f = &flow[k], *e = &expected[k];
        cr_assert(f->start == e->start && f->bytes == e->bytes && f->after == e->after &&
                      f->source == e->source && f->destination == e->destination &&
                      f->traffic_class == e->traffic_class,
                  "%s: flow %" PRIu64 ": %" PRIu64 " ps %" PRIu32 " to %" PRIu32 ", %" PRIu64
                  " bytes, class %d, after %" PRIu64,
                  text, k, f->start, f->source, f->destination, f->bytes, f->traffic_class,
                  f->after);
    }
}

static void assert_reads(const char *text, const swq_listed_flow *expected, uint64_t count)
{
    swq_context *ctx = swq_context_new();
    swq_listed_flow *flow = NULL;
    uint64_t flows = 0;

    cr_assert_eq(load(ctx, text, &flow, &flows), SWQ_OK, "%s", swq_context_message(ctx));
    assert_flows(flow, flows, expected, count, text);
    swq_free(ctx, flow);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* fields: start, bytes, after, source, destination, class */
Test(flow_lists, csv)
{
    static const swq_listed_flow plain[] = {{0, 1500, 0, 0, 1, 0}, {2000, 70, 0, 15, 3, 0}};
    static const swq_listed_flow all[] = {
        {5, 10, 0, 0, 1, 3}, {7, 11, 1, 1, 2, 0}, {5, 12, 2, 2, 0, 1}, {6, 13, 0, 2, 0, 1}};

    assert_reads("start_ps,source,destination,bytes\n0,0,1,1500\n2000,15,3,70\n", plain, 2);
    assert_reads("# ours\n\nstart_ps,source,destination,bytes\r\n0, 0, 1, 1500\r\n# one\r\n"
                 "2000 15 3 70",
                 plain, 2);
    assert_reads("start_ps,source,destination,bytes,class,after\n5,0,1,10,3,0\n7,1,2,11,0,1\n"
                 "5,2,0,12,1,2\n6,2,0,13,1,0\n",
                 all, 4);
}

Test(flow_lists, hpcc)
{
    static const swq_listed_flow flows[] = {
        {UINT64_C(2000000000000), 200000000, 0, 2, 1, 3},
        {UINT64_C(2000000000001), 1, 0, 3, 1, 0},
        {UINT64_C(2012345678900), 70, 0, 4, 1, 2},
    };

    assert_reads(
        "3 \n2 1 3 100 200000000 2\n3 1 0 100 1 2.000000000001\n4 1 2 80 70 2.0123456789\n", flows,
        3);
    /* as in their sample, lines beyond the number */
    assert_reads("1\n2 1 3 100 200000000 2\n3 1 0 100 1 1\nanything\n", flows, 1);
}

Test(flow_lists, htsim_is_sorted_and_triggers_become_waiting)
{
    static const swq_listed_flow plain[] = {
        {0, 2000, 0, 0, 15, 0}, {0, 7, 0, 1, 2, 0}, {50, 2001, 0, 3, 15, 0}};
    /* 5->6 waits for 1->2, and 7->8 and 9->10 for 5->6 */
    static const swq_listed_flow waiting[] = {{10, 1, 0, 3, 4, 0},
                                              {20, 2, 0, 1, 2, 0},
                                              {0, 3, 2, 5, 6, 0},
                                              {0, 4, 3, 7, 8, 0},
                                              {0, 5, 3, 9, 10, 0}};

    assert_reads("Nodes 16\nConnections 3\n3->15 start 50 size 2001\n0->15 start 0 size 2000\n"
                 "1->2 id 9 start 0.000000 size 7",
                 plain, 3);
    assert_reads("# with triggers\nNodes 16\nConnections 5\nTriggers 2\n"
                 "7->8 id 4 trigger 2 size 4\n"
                 "1->2 id 1 start 20 size 2 recv_done_trigger 1\n"
                 "5->6 id 3 trigger 1 size 3 recv_done_trigger 2\n"
                 "9->10 id 5 trigger 2 size 5\n"
                 "3->4 id 2 start 10 size 1\n"
                 "trigger id 2 oneshot\ntrigger id 1 oneshot\n",
                 waiting, 5);
}

Test(flow_lists, refuses)
{
#define CSV   "start_ps,source,destination,bytes"
#define HTSIM "Nodes 16\nConnections 1\n"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "line 1: the list of flows is empty"},
        {"src dst\n", "line 1: a list of flows must begin with 'start_ps,source,destination,bytes' "
                      "(csv), the number of flows (HPCC), or 'Nodes N' (htsim), not 'src dst'"},
        {CSV ",klass\n", "line 1: the first line must be 'start_ps,source,destination,bytes' with "
                         "or without ',class' and ',after', not '"},
        {CSV ",after,class\n", "line 1: the first line must be"},
        {CSV "\n", "the list has no flow"},
        {CSV "\n0,1,16,5\n",
         "line 2: the destination must be a whole number from 0 to 15, not '16'"},
        {CSV "\n0,-1,16,5\n", "line 2: the source must be a whole number from 0 to 15, not '-1'"},
        {CSV "\n0,1,2,0\n", "line 2: the size in bytes must be a whole number from 1 to"},
        {CSV "\n0,1,,2\n", "line 2: the size in bytes must be a whole number from 1 to "
                           "1000000000000000, not ''"},
        {CSV "\n0,1,2,3,4\n", "line 2: nothing is expected where there is '4'"},
        {CSV "\n0.5,1,2,3\n",
         "line 2: the start must be a whole number of picoseconds from 0 to 1e18, not '0.5'"},
        {CSV "\n1e3,1,2,3\n", "line 2: the start must be a whole number of picoseconds"},
        {CSV "\n1000000000000000001,1,2,3\n", "line 2: the start must be a whole number"},
        {CSV "\n0,3,3,5\n", "line 2: a flow must go from a node to another one, not from 3 to "
                            "itself"},
        {CSV "\n9,1,2,5\n7,1,2,5\n", "line 3: flows must come in the order of their starts, and "
                                     "this one starts 2 ps before the one above"},
        {CSV ",class\n0,1,2,5,4\n", "line 2: the class must be a whole number from 0 to 3"},
        {CSV ",after\n0,1,2,5,1\n",
         "line 2: after, the number of an earlier flow, must be a whole number from 0 to 0"},
        {"2\n2 1 3 100 5 0\n", "the first line says 2 flows, and there are 1; traffic_gen.py"},
        {"1\n2 1 4 100 5 0\n",
         "line 2: the priority group, which is the class here (--classes), must be a "
         "whole number from 0 to 3, not '4'"},
        {"1\n2 1 3 65536 5 0\n", "line 2: the destination port must be"},
        {"1\n2 1 3 100 5 2e-05\n", "line 2: the start must be a time from 0 to 1000000 seconds "
                                   "with at most 12 decimals, not '2e-05'"},
        {"1\n2 1 3 100 5 0.0000000000001\n", "line 2: the start must be a time"},
        {"1\n2 1 3 100 5 1000001\n", "line 2: the start must be a time"},
        {"1\n2 1 3 100 5\n", "line 2: the start must be a time"},
        {"1 2\n", "line 1: a list of flows must begin"},
        {"Nodes 17\nConnections 0\n0->1 start 0 size 1\n",
         "the connections are among 17 nodes, and the network has 16"},
        {"Nodes 16\n0->1 start 0 size 1\n", "a connection matrix must begin with lines"},
        {"Nodes 16\nConnections 1\nFailures 1\n",
         "line 3: the number of failures, which are not read, must be a whole number from 0 to 0"},
        {HTSIM, "the header says 1 connections, and there are 0"},
        {HTSIM "0->16 start 0 size 1\n", "line 3: the destination must be a whole number from 0"},
        {HTSIM "0 -> 1 start 0 size 1\n", "line 3: a line must be 'SOURCE->DESTINATION ...'"},
        {HTSIM "0->1 start 0 size 0\n", "line 3: the size in bytes must be a whole number from 1"},
        {HTSIM "0->1 start 0\n", "line 3: the connection has no size"},
        {HTSIM "0->1 size 4\n", "line 3: a connection must have either a start or a trigger"},
        {HTSIM "0->1 size 4 start 0 prio 3\n", "line 3: 'prio' of a connection is not read; id, "
                                               "start, size, trigger and recv_done_trigger are"},
        {HTSIM "0->1 size 4 start 0 send_done_trigger 3\n", "line 3: 'send_done_trigger' of a"},
        {HTSIM "0->1 size 4 trigger 3\n", "trigger 3 is waited for, but no connection fires it"},
        {HTSIM "0->1 size 4 trigger 3 recv_done_trigger 3\n",
         "trigger 3 is waited for, but not declared"},
        {HTSIM "0->1 size 4 start 3\ntrigger id 3 oneshot\n",
         "the header says 0 triggers, and there are 1"},
        {"Nodes 16\nConnections 1\nTriggers 1\n0->1 size 4 start 3\ntrigger id 3 barrier\n",
         "line 5: a trigger must be oneshot, not 'barrier'"},
        {"Nodes 16\nConnections 1\nTriggers 1\n0->1 size 4 trigger 3 recv_done_trigger 3\n"
         "trigger id 3 oneshot\n",
         "connections wait for each other in a circle"},
        {"Nodes 16\nConnections 2\n0->1 size 4 start 3 recv_done_trigger 3\n"
         "1->2 size 4 start 3 recv_done_trigger 3\n",
         "more than one connection fires trigger 3"},
    };
    swq_context *ctx = swq_context_new();
    swq_listed_flow *flow = NULL;
    uint64_t flows = 7;

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cr_assert_eq(load(ctx, cases[c].text, &flow, &flows), SWQ_EINVAL, "%s", cases[c].text);
        cr_assert(strstr(swq_context_message(ctx), cases[c].message), "%s: %s", cases[c].text,
                  swq_context_message(ctx));
        cr_assert(strstr(swq_context_message(ctx), "/flows'"));
        cr_assert_null(flow);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    cr_assert_eq(swq_flow_list_load(ctx, folder_path("none"), SWQ_FLOWS_CSV, 0, 8, &flow, &flows),
                 SWQ_EIO);
    swq_context_free(ctx);
}

Test(flow_lists, the_format_can_be_named)
{
    swq_flow_format format;

    cr_assert_str_eq(swq_flow_format_of("hpcc:flow.txt", &format), "flow.txt");
    cr_assert_eq(format, SWQ_FLOWS_HPCC);
    cr_assert_str_eq(swq_flow_format_of("htsim:a:b", &format), "a:b");
    cr_assert_eq(format, SWQ_FLOWS_HTSIM);
    cr_assert_str_eq(swq_flow_format_of("csv:x", &format), "x");
    cr_assert_eq(format, SWQ_FLOWS_CSV);
    cr_assert_str_eq(swq_flow_format_of("c:/flow.txt", &format), "c:/flow.txt");
    cr_assert_eq(format, SWQ_FLOWS_RECOGNISED);
    folder_write("flows", "1\n2 1 3 100 5 0\n");
    swq_context *ctx = swq_context_new();
    swq_flow_list list = {0};
    cr_assert_eq(swq_flow_list_open(ctx, folder_path("flows"), SWQ_FLOWS_CSV, 0, 8,
                                    SWQ_MOST_FLOW_BYTES, &list),
                 SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "the first line must be 'start_ps"));
    swq_context_free(ctx);
}

/* Random flows, of which a share waits for an earlier one. */
static void draw(swq_listed_flow *flow, uint64_t flows, bool classes, bool after)
{
    uint64_t word = 88172645463325252u, start = 0;

    for (uint64_t k = 0; k < flows; k++) {
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        start += word % 3 * 12345;
        flow[k] = (swq_listed_flow){
            .start = start, .bytes = 1 + word % 2000000000, .source = (uint32_t)(word >> 40) % 16};
        flow[k].destination = (flow[k].source + 1 + (uint32_t)(word >> 50) % 15) % 16;
        flow[k].traffic_class = classes ? (uint8_t)(word % 4) : 0;
        if (after && k > 0 && word % 4 == 1) {
            flow[k].after = 1 + word % k;
            flow[k].start = 0;
        }
    }
}

static void assert_survives(swq_flow_format format, bool classes, bool after)
{
    enum { FLOWS = 400 };
    swq_context *ctx = swq_context_new();
    swq_listed_flow drawn[FLOWS], *flow = NULL;
    uint64_t flows = 0;

    draw(drawn, FLOWS, classes, after);
    FILE *to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, format, 16, drawn, FLOWS), SWQ_OK);
    fclose(to);
    cr_assert_eq(
        swq_flow_list_load(ctx, folder_path("flows"), SWQ_FLOWS_RECOGNISED, 16, 4, &flow, &flows),
        SWQ_OK, "%s", swq_context_message(ctx));
    assert_flows(flow, flows, drawn, FLOWS, "survives");
    swq_free(ctx, flow);
    swq_context_free(ctx);
}

Test(flow_lists, what_is_written_reads_back)
{
    assert_survives(SWQ_FLOWS_CSV, false, false);
    assert_survives(SWQ_FLOWS_CSV, true, false);
    assert_survives(SWQ_FLOWS_CSV, false, true);
    assert_survives(SWQ_FLOWS_CSV, true, true);
    assert_survives(SWQ_FLOWS_HPCC, true, false);
    assert_survives(SWQ_FLOWS_HTSIM, false, false);
}

/* htsim's order is another one: flows that wait come last. Written and read twice, it stays. */
Test(flow_lists, what_waits_survives_htsim)
{
    enum { FLOWS = 300 };
    swq_context *ctx = swq_context_new();
    swq_listed_flow drawn[FLOWS], *flow = NULL, *again = NULL;
    uint64_t flows = 0, waits = 0;

    draw(drawn, FLOWS, false, true);
    FILE *to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, SWQ_FLOWS_HTSIM, 16, drawn, FLOWS), SWQ_OK);
    fclose(to);
    cr_assert_eq(
        swq_flow_list_load(ctx, folder_path("flows"), SWQ_FLOWS_HTSIM, 16, 1, &flow, &flows),
        SWQ_OK, "%s", swq_context_message(ctx));
    for (uint64_t k = 0; k < FLOWS; k++) {
        cr_assert(flow[k].after <= k);
        waits += flow[k].after > 0;
        waits -= drawn[k].after > 0;
    }
    cr_assert_eq(waits, 0);
    to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, SWQ_FLOWS_HTSIM, 16, flow, FLOWS), SWQ_OK);
    fclose(to);
    cr_assert_eq(
        swq_flow_list_load(ctx, folder_path("flows"), SWQ_FLOWS_HTSIM, 16, 1, &again, &flows),
        SWQ_OK);
    assert_flows(again, flows, flow, FLOWS, "again");
    swq_free(ctx, flow);
    swq_free(ctx, again);
    swq_context_free(ctx);
}

Test(flow_lists, writes_what_others_read)
{
    static const swq_listed_flow flows[] = {{UINT64_C(2000000000000), 7, 0, 2, 1, 3},
                                            {UINT64_C(2000000000001), 8, 0, 3, 1, 0}};
    static const swq_listed_flow waits[] = {{20, 2, 0, 1, 2, 0}, {0, 3, 1, 5, 6, 0}};
    swq_context *ctx = swq_context_new();

    FILE *to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, SWQ_FLOWS_HPCC, 16, flows, 2), SWQ_OK);
    fclose(to);
    cr_assert(folder_holds("flows", "2\n2 1 3 100 7 2.000000000\n3 1 0 100 8 2.000000000001\n"));
    to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, SWQ_FLOWS_HTSIM, 16, waits, 2), SWQ_OK);
    fclose(to);
    cr_assert(folder_holds("flows", "Nodes 16\nConnections 2\nTriggers 1\n"
                                    "1->2 id 1 start 20 size 2 recv_done_trigger 1\n"
                                    "5->6 id 2 trigger 1 size 3\ntrigger id 1 oneshot\n"));
    swq_context_free(ctx);
}

Test(flow_lists, a_format_refuses_what_it_cannot_say)
{
    const struct {
        swq_flow_format format;
        swq_listed_flow flow;
        const char *message;
    } cases[] = {
        {SWQ_FLOWS_HPCC,
         {0, 5, 1, 1, 2, 0},
         "flow 2 cannot be written for HPCC's simulator: it waits for another one"},
        {SWQ_FLOWS_HTSIM,
         {0, UINT64_C(2147483648), 0, 1, 2, 0},
         "flow 2 cannot be written for htsim: it has more than 2147483647 bytes"},
        {SWQ_FLOWS_HTSIM,
         {0, 5, 0, 1, 2, 1},
         "flow 2 cannot be written for htsim: its class is not 0"},
        {SWQ_FLOWS_HTSIM,
         {9, 5, 1, 1, 2, 0},
         "flow 2 cannot be written for htsim: it starts some time after another one has ended"},
    };
    swq_context *ctx = swq_context_new();
    FILE *to = fopen(folder_path("flows"), "w");

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const swq_listed_flow flows[] = {{0, 1, 0, 1, 2, 0}, cases[c].flow};
        cr_assert_eq(swq_flow_list_write(ctx, to, cases[c].format, 16, flows, 2), SWQ_EINVAL);
        cr_assert_str_eq(swq_context_message(ctx), cases[c].message);
    }
    cr_assert_eq(ftell(to), 0);
    fclose(to);
    swq_context_free(ctx);
}

Test(flow_lists, a_long_list_takes_no_memory)
{
    enum { FLOWS = 200000 };
    swq_context *ctx = swq_context_new();
    swq_flow_list list = {0};
    swq_listed_flow flow;
    bool more = true;
    uint64_t flows = 0;

    FILE *to = fopen(folder_path("flows"), "w");
    fprintf(to, "%d\n", FLOWS);
    for (int k = 0; k < FLOWS; k++)
        fprintf(to, "1 2 3 100 1500 %d.5\n", k / 8);
    fclose(to);
    cr_assert_eq(swq_flow_list_open(ctx, folder_path("flows"), SWQ_FLOWS_RECOGNISED, 0, 8,
                                    SWQ_MOST_FLOW_BYTES, &list),
                 SWQ_OK);
    cr_assert_eq(list.format, SWQ_FLOWS_HPCC);
    while (swq_flow_list_next(&list, &flow, &more) == SWQ_OK && more)
        flows++;
    cr_assert_eq(flows, FLOWS);
    cr_assert_not(list.ignored);
    cr_assert_eq(flow.start, (FLOWS - 1) / 8 * UINT64_C(1000000000000) + UINT64_C(500000000000));
    cr_assert(swq_context_peak_bytes(ctx) < 10000);
    swq_flow_list_close(&list);
    swq_context_free(ctx);
}

Test(flow_lists, every_allocation_may_fail)
{
    swq_context *ctx = swq_context_new();
    swq_listed_flow *flow = NULL;
    uint64_t flows;
    swq_status status = SWQ_ENOMEM;

    for (size_t after = 0; status != SWQ_OK; after++) {
        cr_assert(after < 50);
        swq_context_fail_allocations(ctx, after, false);
        status = load(ctx,
                      "Nodes 16\nConnections 2\nTriggers 1\n"
                      "1->2 id 1 start 20 size 2 recv_done_trigger 1\n"
                      "5->6 id 2 trigger 1 size 3\ntrigger id 1 oneshot\n",
                      &flow, &flows);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM);
        cr_assert(status == SWQ_OK || swq_context_live_blocks(ctx) == 0);
    }
    swq_context_fail_allocations(ctx, 0, false);
    FILE *to = fopen(folder_path("flows"), "w");
    cr_assert_eq(swq_flow_list_write(ctx, to, SWQ_FLOWS_HTSIM, 16, flow, flows), SWQ_ENOMEM);
    fclose(to);
    swq_free(ctx, flow);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}
