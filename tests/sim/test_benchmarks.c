/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Congestion benchmarks: who is in which group of networks of several sizes, by walking from every
 * sender to every node; the messages that are drawn; the hot link; and what is refused.
 */
#include "base/context.h"
#include "switchq/benchmark.h"
#include "switchq/detail.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(benchmarks, .timeout = 240);

static swq_context *ctx;
static swq_async network;
static swq_fabric fabric;
static swq_benchmark_groups groups;

static swq_status make(const char *name, const char *wiring, int ports, int stages, double load)
{
    const swq_benchmark *row;
    const swq_buffer_kind *damq;

    ctx = swq_context_new();
    network = swq_async_defaults();
    network.shape = (swq_shape){.ports = ports, .stages = stages};
    cr_assert_eq(swq_fabric_find(ctx, wiring, &network.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_kind_find(ctx, "damq", &damq), SWQ_OK);
    cr_assert_eq(swq_async_buffer(ctx, &network, damq, 128), SWQ_OK);
    network.memory.release = SWQ_RELEASE_START;
    cr_assert_eq(swq_benchmark_find(ctx, name, &row), SWQ_OK);
    const swq_status status = swq_benchmark_make(ctx, row, &network, load, &groups);
    network.traffic.group = groups.group;
    network.traffic.groups = groups.groups;
    if (!status)
        cr_assert_eq(swq_fabric_make(ctx, &network.shape, &fabric), SWQ_OK);
    return status;
}

static void done(void)
{
    swq_fabric_clear(ctx, &fabric);
    swq_context_free(ctx);
}

/* The output by which a packet leaves a stage, numbered throughout the stage. */
static uint32_t output(uint32_t from, uint32_t to, int stage)
{
    const uint32_t ports = (uint32_t)fabric.ports;
    uint32_t port = fabric.entry[from];

    for (int s = 0; s < stage; s++)
        port = fabric.link[port / ports * ports +
                           (uint32_t)fabric.shape.kind->route(&fabric, port, from, to)];
    return port / ports * ports + (uint32_t)fabric.shape.kind->route(&fabric, port, from, to);
}

static int group_of(uint32_t node)
{
    uint32_t next;
    return swq_sender_group_at(&network, node, 0, &next);
}

/* The first stage in which the route of `a` shares a switch with that of `b`. */
static int first_meeting(uint32_t a, uint32_t b)
{
    const uint32_t ports = (uint32_t)fabric.ports;

    for (int s = 0; s < fabric.levels; s++) {
        bool there[4096] = {false};
        for (uint32_t to = 0; to < fabric.nodes; to++)
            there[output(a, to, s) / ports] = true;
        for (uint32_t to = 0; to < fabric.nodes; to++) {
            if (there[output(b, to, s) / ports])
                return s;
        }
    }
    return fabric.levels;
}

static const struct {
    int ports, stages;
    uint32_t members[5];
} sizes[] = {{4, 4, {4, 12, 48, 192, 0}},
             {4, 3, {4, 12, 48, 0, 0}},
             {2, 5, {2, 2, 4, 8, 16}},
             {8, 3, {8, 56, 448, 0, 0}}};

/* Table 8.4 has 4, 12, 48 and 192; the stage where they meet is the one that its text gives. */
Test(benchmarks, groups_are_those_that_meet_at_each_stage)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int b = 0; b < 2; b++) {
            cr_assert_eq(make(b ? "IV" : "I", "omega", sizes[k].ports, sizes[k].stages, 0.5),
                         SWQ_OK, "%s", swq_context_message(ctx));
            cr_assert_eq(groups.groups, sizes[k].stages);
            cr_assert(groups.nut);
            for (int g = 0; g < groups.groups; g++)
                cr_assert_eq(groups.members[g], sizes[k].members[g]);
            for (uint32_t i = 0; i < fabric.nodes && fabric.nodes <= 64; i++) {
                int first = fabric.levels;
                for (uint32_t nut = 0; nut < fabric.nodes; nut++) {
                    const int met = group_of(nut) == 0 && nut != i ? first_meeting(i, nut) : first;
                    first = met < first ? met : first;
                }
                if (group_of(i))
                    cr_assert_eq(first, group_of(i) - 1, "sender %u", i);
                else
                    cr_assert_eq(first, fabric.levels - 1, "sender %u", i);
            }
            done();
        }
    }
}

Test(benchmarks, the_printed_senders)
{
    static const uint32_t inside[] = {207, 223, 239, 255};

    cr_assert_eq(make("I", "omega", 4, 4, 0.5), SWQ_OK);
    for (uint32_t i = 0; i < 256; i++) {
        const int expected = (i & 0xfc) == 0xfc   ? 0
                             : (i & 0x3c) == 0x3c ? 1
                             : (i & 0x0c) == 0x0c ? 2
                                                  : 3;
        cr_assert_eq(group_of(i), expected, "sender %u", i);
    }
    done();
    cr_assert_eq(make("III", "omega", 4, 4, 0.5), SWQ_OK);
    for (uint32_t i = 0, k = 0; i < 256; i++) {
        const bool nut = k < 4 && inside[k] == i;
        k += nut;
        cr_assert_eq(group_of(i) == 0, nut, "sender %u", i);
    }
    /* port 0 of switch 60 of the second stage */
    cr_assert_eq(groups.hot_link, 256 + 256 + 60 * 4);
    for (uint32_t i = 0; i < 256; i++) {
        bool comes = false;
        for (uint32_t to = 0; to < 256; to++)
            comes = comes || output(i, to, 1) == groups.hot_link - 256;
        cr_assert_eq(comes, group_of(i) < 2, "sender %u", i);
    }
    cr_assert_eq(groups.members[1], 12);
    done();
    for (int b = 0; b < 2; b++) {
        cr_assert_eq(make(b ? "V" : "II", "omega", 4, 4, 0.5), SWQ_OK);
        for (uint32_t i = 0; i < 256; i++)
            cr_assert_eq(group_of(i), i < 128 ? 0 : 1);
        done();
    }
    cr_assert_eq(make("VI", "omega", 4, 4, 0.5), SWQ_OK);
    cr_assert_eq(groups.groups, 1);
    cr_assert_not(groups.nut);
    cr_assert_eq(groups.hot_link, SWQ_NO_WHERE);
    done();
}

/* Lengths and destinations of what G_NUT and the others send, from the starts at the senders. */
typedef struct {
    uint64_t sent, to_0, to_few, nut_sent;
} tally;

static void started(void *arg, const swq_start *start)
{
    tally *t = arg;

    if (start->switch_ != SWQ_NO_WHERE)
        return;
    t->sent++;
    if (group_of(start->from))
        return;
    t->nut_sent++;
    t->to_0 += start->to == 0;
    t->to_few += start->to < 4;
}

static swq_async_result run(tally *t, swq_detail *detail, uint64_t cycles)
{
    swq_sim_options options = swq_sim_defaults();
    swq_async_watch watch = {.started = started, .arg = t};
    swq_async_result result;

    *t = (tally){0};
    options.cycles = cycles;
    options.warmup = 2000;
    options.detail = detail;
    cr_assert_eq(swq_async_run(ctx, &network, &options, &watch, &result), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return result;
}

Test(benchmarks, what_is_sent)
{
    static const struct {
        const char *name;
        double to_0, to_few, packets; /* of a message of G_NUT */
    } rows[] = {{"I", 1, 1, 1},
                {"II", 0.03 + 0.97 / 64, 0.03 + 0.97 / 16, 1},
                {"III", 1.0 / 4, 1, 1},
                {"IV", 1.0 / 64, 1.0 / 16, 32},
                {"V", 1.0 / 64, 1.0 / 16, 8}};

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tally t;
        cr_assert_eq(make(rows[k].name, "omega", 4, 3, 0), SWQ_OK);
        const swq_async_result r = run(&t, NULL, 100000);
        const double n = (double)t.nut_sent / rows[k].packets;
        cr_assert_eq(t.sent, t.nut_sent, "at load 0 the others are silent");
        cr_assert(n > 150);
        cr_assert(fabs((double)t.to_0 / (double)t.nut_sent - rows[k].to_0) <=
                      5 * sqrt(rows[k].to_0 * (1 - rows[k].to_0) / n) + 1e-12,
                  "%s: %g to node 0", rows[k].name, (double)t.to_0 / (double)t.nut_sent);
        cr_assert(fabs((double)t.to_few / (double)t.nut_sent - rows[k].to_few) <=
                      5 * sqrt(rows[k].to_few * (1 - rows[k].to_few) / n) + 1e-12,
                  "%s: %g to nodes 0 to 3", rows[k].name, (double)t.to_few / (double)t.nut_sent);
        if (rows[k].packets > 1)
            cr_assert_float_eq((double)r.sim.by_group[0].delivered / r.sim.by_group[0].messages,
                               rows[k].packets, 0.2);
        done();
    }
}

/* The bounds of section 8.5: the link rests 2 of 34 cycles, and four senders share it. */
Test(benchmarks, the_hot_link_is_full)
{
    static const char *const names[] = {"I", "II", "III"};

    for (int b = 0; b < 3; b++) {
        tally t;
        swq_detail detail;
        cr_assert_eq(make(names[b], "omega", 4, 3, 0), SWQ_OK);
        cr_assert_eq(swq_detail_new(ctx, fabric.nodes, (size_t)fabric.switches * 4,
                                    SWQ_DETAIL_LINKS, &detail),
                     SWQ_OK);
        const swq_async_result r = run(&t, &detail, 20000);
        for (uint32_t k = 0; k < detail.links; k++)
            cr_assert(detail.link[k].packets <= detail.link[groups.hot_link].packets + 2,
                      "%s: link %u", names[b], k);
        if (b != 1)
            cr_assert_float_eq(detail.link[groups.hot_link].utilisation.mean, 32.0 / 34, 0.005);
        if (b == 0)
            cr_assert_float_eq(r.sim.by_group[0].throughput.mean, 8.0 / 34, 0.002);
        swq_detail_clear(ctx, &detail);
        done();
    }
}

Test(benchmarks, where_they_have_no_meaning)
{
    static const struct {
        const char *name, *wiring, *says;
        int ports, stages;
    } cases[] = {
        {"I", "omega", "at least 3 stages", 4, 2},
        {"VI", "switch", "at least 3 stages", 4, 1},
        {"I", "omega", "not of 3", 3, 3},
        {"I", "butterfly", "meet before the last stage", 4, 3},
        {"II", "butterfly", "do not mix", 4, 3},
        {"III", "butterfly", "sender", 4, 3},
        {"V", "baseline", "do not mix", 2, 4},
        {"I", "omega", "at most 16 stages", 2, 17},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cr_assert_eq(make(cases[k].name, cases[k].wiring, cases[k].ports, cases[k].stages, 0.5),
                     SWQ_EINVAL, "case %zu", k);
        cr_assert(strstr(swq_context_message(ctx), cases[k].says), "%s", swq_context_message(ctx));
        swq_context_free(ctx);
    }
}
