/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failed links and switches of a graph: the network is that of a file without them, drawn ones
 * depend on the seed alone, and what is cut off or unknown is refused by name.
 */
#include "switchq/fabric.h"
#include "switchq/graph.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static swq_context *ctx;
static char network[] = "/tmp/switchq-network-XXXXXX", failed[] = "/tmp/switchq-failed-XXXXXX";

static void setup(void)
{
    ctx = swq_context_new();
    const int a = mkstemp(network), b = mkstemp(failed);
    cr_assert(a >= 0 && b >= 0);
    close(a);
    close(b);
}

static void teardown(void)
{
    remove(network);
    remove(failed);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(graph_failures, .init = setup, .fini = teardown, .timeout = 60);

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A ring of six, with ports, and a spare switch m between a and d. */
#define RING                                                                                       \
    "host 0 a:0\nhost 1 b:0\nhost 2 c:0\nhost 3 d:0\nhost 4 e:0\nhost 5 f:0\n"                     \
    "link b:2 c:1\nlink c:2 d:1\nlink d:2 e:1\nlink e:2 f:1\nlink f:2 a:1\n"
#define FIRST "link a:2 b:1\n"
#define SPARE "link a:3 m:0\nlink m:1 d:3\n"

static swq_status read_failed(const char *text, const char *lines, swq_graph *g)
{
    const swq_graph_failures which = {.path = failed};

    write_text(network, text);
    write_text(failed, lines);
    return swq_graph_read(ctx, network, &which, g);
}

static void expect_same(const swq_graph *a, const swq_graph *b)
{
    cr_assert_eq(a->switches, b->switches);
    cr_assert_eq(a->ports, b->ports);
    cr_assert_eq(a->links, b->links);
    cr_assert_eq(a->columns, b->columns);
    cr_assert_eq(a->longest, b->longest);
    cr_expect_arr_eq(a->link, b->link, a->switches * (size_t)a->ports * sizeof *a->link);
    cr_expect_arr_eq(a->next, b->next, a->switches * (size_t)a->columns);
}

Test(graph_failures, a_failed_link_is_a_link_that_the_file_does_not_have)
{
    swq_graph with, without;

    cr_assert_eq(read_failed(RING FIRST, "# one\nlink b a\n", &with), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect_eq(with.failed, 1);
    cr_expect_eq(with.longest, 6); /* the long way round */
    write_text(network, RING);
    cr_assert_eq(swq_graph_read(ctx, network, NULL, &without), SWQ_OK);
    expect_same(&with, &without);
    swq_graph_clear(ctx, &with);
    swq_graph_clear(ctx, &without);
}

Test(graph_failures, a_failed_switch_takes_its_links_along)
{
    swq_graph with, without;

    cr_assert_eq(read_failed(RING FIRST SPARE, "switch m\n", &with), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_expect_eq(with.failed, 2);
    write_text(network, RING FIRST "switch m\n");
    cr_assert_eq(swq_graph_read(ctx, network, NULL, &without), SWQ_OK);
    cr_expect_eq(with.longest, without.longest);
    cr_expect_eq(with.links, without.links);
    swq_graph_clear(ctx, &with);
    swq_graph_clear(ctx, &without);
}

/* Routes of a file may lead over what has failed, so that none is kept. */
Test(graph_failures, routes_of_the_file_give_way)
{
    swq_graph g;

    cr_assert_eq(read_failed(RING FIRST "route a 1 1\n", "link a b\n", &g), SWQ_OK);
    cr_expect_eq(g.columns, g.switches);
    swq_graph_clear(ctx, &g);
    cr_assert_eq(read_failed(RING FIRST "route a 1 2\n", "# none\n", &g), SWQ_OK);
    cr_expect_eq(g.columns, g.nodes);
    cr_expect_eq(g.failed, 0);
    swq_graph_clear(ctx, &g);
}

static uint32_t missing_end(const swq_graph *g)
{
    uint32_t ends = 0;

    for (uint32_t port = 0; port < g->switches * (uint32_t)g->ports; port++)
        ends = g->link[port] == SWQ_NO_WHERE ? ends * 31 + port + 1 : ends;
    return ends;
}

/* Each link of the ring is drawn by some seed, and the same seed draws the same link. */
Test(graph_failures, drawn_links_depend_on_the_seed)
{
    uint32_t seen[6];
    int kinds = 0;

    write_text(network, RING FIRST);
    for (uint64_t seed = 0; seed < 60; seed++) {
        const swq_graph_failures which = {.links = 1, .seed = seed};
        swq_graph g, again;
        cr_assert_eq(swq_graph_read(ctx, network, &which, &g), SWQ_OK);
        cr_assert_eq(swq_graph_read(ctx, network, &which, &again), SWQ_OK);
        expect_same(&g, &again);
        cr_expect_eq(g.failed, 1);
        const uint32_t end = missing_end(&g);
        int k = 0;
        while (k < kinds && seen[k] != end)
            k++;
        if (k == kinds) {
            cr_assert_lt(kinds, 6);
            seen[kinds++] = end;
        }
        swq_graph_clear(ctx, &g);
        swq_graph_clear(ctx, &again);
    }
    cr_expect_eq(kinds, 6);
}

Test(graph_failures, what_is_refused)
{
    static const char *const cases[][2] = {
        {"link a q\n", "line 1: the network has no switch q"},
        {"link a c\n", "line 1: no link is left between these switches"},
        {"link a b\nlink a b\n", "line 2: no link is left"},
        {"link a b\nlink d e\n", "no way leads from the hosts"},
        {"switch a\n", "line 1: a host is at this switch"},
        {"host 0\n", "line 1: a line begins with link or switch"},
        {"link a\n", "line 1: the name of a switch is missing"},
        {"link a b c\n", "line 1"},
    };
    const swq_graph_failures many = {.links = 7};
    swq_graph g;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cr_expect_eq(read_failed(RING FIRST, cases[k][0], &g), SWQ_EINVAL, "%s", cases[k][0]);
        cr_expect(strstr(swq_context_message(ctx), cases[k][1]), "%s: %s", cases[k][0],
                  swq_context_message(ctx));
    }
    cr_expect_eq(swq_graph_read(ctx, network, &many, &g), SWQ_EINVAL);
    cr_expect(strstr(swq_context_message(ctx), "7 links"), "%s", swq_context_message(ctx));
}
