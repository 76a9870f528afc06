/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The errors that the method `links` states: those of the network itself if it was measured, of
 * all its neighbours if it lies between some, of the nearest one beyond, and none for others.
 */
#include "approx/links/errors.h"
#include "approx/methods.h"
#include "models/arbiters/arbiters.h"
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

TestSuite(approx_off, .init = setup, .fini = teardown, .timeout = 60);

static swq_network network(const char *buffer, int ports, int stages, int slots, bool discard)
{
    swq_network n = {.shape.stages = stages, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, buffer, ports, slots, 0.5, "rotating");
    n.sw.flow = discard ? SWQ_DISCARD : SWQ_BLOCK;
    n.sw.credit = discard ? SWQ_CREDIT_SAME : SWQ_CREDIT_NEXT;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    return n;
}

/* The statement on that network has all these parts. */
static void states(const swq_network *n, const char *const *part, int parts)
{
    char text[SWQ_APPROX_OFF];
    const char *said = swq_approx_off(&approx_links, n, text, sizeof text);

    cr_assert(said && strlen(said) + 1 < sizeof text);
    for (int k = 0; k < parts; k++)
        cr_expect(strstr(said, part[k]), "no '%s' in: %s", part[k], said);
}

static const char *spanned(double least, double most, char *text, size_t size)
{
    if (least < most)
        snprintf(text, size, "%+.1f to %+.1f%%", least, most);
    else
        snprintf(text, size, "%+.1f%%", least);
    return text;
}

Test(approx_off, a_measured_network_has_its_own_errors)
{
    char throughput[40], latency[40];

    cr_assert(links_measured_count > 300);
    for (int k = 0; k < links_measured_count; k++) {
        const links_errors *e = &links_measured[k];
        const swq_network n = network(e->buffer, e->ports, e->stages, e->slots, e->discard);
        const char *const parts[] = {
            "against a simulation of this network",
            spanned(e->throughput[0], e->throughput[1], throughput, sizeof throughput),
            spanned(e->latency[0], e->latency[1], latency, sizeof latency),
        };
        states(&n, parts, 3);
    }
}

static const links_errors *measured(const char *buffer, int ports, int stages, int slots,
                                    bool discard)
{
    for (int k = 0; k < links_measured_count; k++) {
        const links_errors *e = &links_measured[k];
        if (strcmp(e->buffer, buffer) == 0 && e->ports == ports && e->stages == stages &&
            e->slots == slots && e->discard == discard)
            return e;
    }
    cr_assert_fail("%s-%d in %d stages of %d ports was not measured", buffer, slots, stages, ports);
    return NULL;
}

Test(approx_off, between_measured_networks_it_is_the_span_of_all)
{
    const swq_network n = network("damq", 2, 5, 3, false);
    double least = INFINITY, most = -INFINITY;
    char text[40];

    for (int k = 0; k < 4; k++) {
        const links_errors *e = measured("damq", 2, k & 1 ? 4 : 6, k & 2 ? 2 : 4, false);
        least = fmin(least, e->throughput[0]);
        most = fmax(most, e->throughput[1]);
    }
    const char *const parts[] = {"next to this one (4 and 6 stages, 2 and 4 slots)",
                                 spanned(least, most, text, sizeof text)};
    states(&n, parts, 2);
}

Test(approx_off, beyond_the_largest_network_it_is_that_of_the_largest)
{
    const links_errors *e = measured("fifo", 4, 5, 4, false);
    const swq_network n = network("fifo", 4, 10, 4, false);
    char text[40];
    const char *const parts[] = {"outside of what was measured", "5 stages, 4 slots",
                                 spanned(e->throughput[0], e->throughput[1], text, sizeof text)};

    states(&n, parts, 3);
}

Test(approx_off, of_other_kinds_nothing_is_said_to_be_known)
{
    static const char *const parts[] = {"outside of what was measured: fifo, samq"};
    swq_network n = network("damq", 3, 2, 4, true);

    states(&n, parts, 1);
    n = network("damq", 2, 2, 4, true);
    n.sw.buffer.queue_max = 2;
    states(&n, parts, 1);
    n = network("fifo", 2, 2, 4, true);
    n.sw.arbiter = &swq_arbiter_random;
    states(&n, parts, 1);
    n = network("cbda", 2, 2, 4, true);
    n.sw.buffer.pool_rule = &swq_pool_oldest;
    states(&n, parts, 1);
}

Test(approx_off, others_say_where_they_were_measured)
{
    char text[SWQ_APPROX_OFF];
    swq_network n = network("fifo", 4, 3, 2, true);

    cr_assert(strncmp(swq_approx_off(&approx_exact_chains, &n, text, sizeof text), "throughput was",
                      14) == 0);
    n.shape.stages = 2;
    cr_assert(strncmp(swq_approx_off(&approx_exact_chains, &n, text, sizeof text),
                      "it was not measured", 19) == 0);
    cr_assert_null(swq_approx_off(&approx_grid_waits, &n, text, sizeof text));
}
