/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method `shared-memory`: within a factor of 2 of exact chains and simulations, as errors.csv
 * has them; falling with memory and rising with load; and what it refuses.
 */
#include "approx/memory/brim.h"
#include "approx/memory/errors.h"
#include "approx/memory/off.h"
#include "approx/memory/path.h"
#include "approx/methods.h"
#include "models/buffers/buffers.h"
#include "switchq/exact.h"
#include "tests/support/support.h"

#include <math.h>

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

TestSuite(approx_memory, .init = setup, .fini = teardown, .timeout = 120);

/* slots: of the whole memory */
static swq_network one_switch(int ports, int slots, double load)
{
    swq_network n = {.shape.stages = 1, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, "cbda", 8, 1, load, "rotating");
    n.sw.ports = ports;
    n.sw.flow = SWQ_DISCARD;
    n.sw.credit = SWQ_CREDIT_SAME;
    n.traffic.load = load;
    cr_assert_eq(swq_fabric_find(ctx, "switch", &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, &swq_buffer_cbda, ports, slots / ports, &n.sw.buffer),
                 SWQ_OK);
    cr_assert_eq(n.sw.buffer.capacity, slots);
    return n;
}

static double loss_of(int ports, int slots, double load)
{
    const swq_network n = one_switch(ports, slots, load);
    swq_approx_result r;

    cr_assert_eq(swq_approx_run(ctx, &n, &approx_shared_memory, &r), SWQ_OK, "%s",
                 swq_context_message(ctx));
    return r.discard_fraction;
}

/* The bound is the criterion that was set before anything was measured. */
Test(approx_memory, losses_are_within_a_factor_of_two)
{
    for (int k = 0; k < memory_measured_count; k++) {
        const memory_error *e = &memory_measured[k];
        const double loss = loss_of(e->ports, e->slots, e->load);
        cr_expect(loss < 2 * e->loss && loss > e->loss / 2,
                  "%d ports, load %g, %d slots: %g for %g", e->ports, e->load, e->slots, loss,
                  e->loss);
        cr_expect_float_eq(loss, e->approximated, 2e-3 * loss, "errors.csv is old: %d, %g, %d",
                           e->ports, e->load, e->slots);
    }
}

Test(approx_memory, the_table_has_the_losses_of_exact_chains)
{
    swq_exact_options how = swq_exact_options_defaults();
    int seen = 0;

    for (int k = 0; k < memory_measured_count; k++) {
        const memory_error *e = &memory_measured[k];
        if (e->ports != 8 || e->slots > 16)
            continue;
        const swq_switch sw = test_switch(ctx, "cbda", 8, e->slots / 8, e->load, "longest");
        swq_answers a;
        cr_assert_eq(swq_exact_solve(ctx, &sw, &how, &a), SWQ_OK);
        cr_expect_float_eq(a.discard.value, e->loss, 1e-3 * e->loss);
        swq_answers_clear(ctx, &a);
        seen++;
    }
    cr_assert_gt(seen, 1);
}

Test(approx_memory, more_memory_loses_less_and_more_load_more)
{
    double last = 1;

    for (int slots = 96; slots <= 192; slots += 32) {
        const double loss = loss_of(32, slots, 0.8);
        cr_expect_lt(loss, last);
        last = loss;
    }
    last = 0;
    for (double load = 0.4; load < 0.85; load += 0.1) {
        const double loss = loss_of(16, 64, load);
        cr_expect_gt(loss, last, "load %g", load);
        last = loss;
    }
}

/* Above the mean there is somewhat less than half of the probability, as the law is skewed. */
Test(approx_memory, the_path_is_a_law)
{
    double sum = 0;
    memory_path path;

    for (int n = (int)memory_mean(16, 0.7) + 1; n < 70; n++) {
        cr_assert_eq(memory_path_find(ctx, 16, 0.7, n, &path), SWQ_OK);
        sum += exp(path.log_probability);
    }
    cr_expect(sum > 0.42 && sum < 0.55, "%g", sum);
}

/* The step of a walk with one input and one queue is +1, 0 or -1, so that the law below the brim is
 * that of an unlimited memory: the loss is the chance to arrive and not to be sent, there. */
Test(approx_memory, a_walk_of_single_steps_has_its_closed_form)
{
    const double load = 0.3, busy = 0.6, up = load * (1 - busy), down = busy * (1 - load);
    double lost;

    cr_assert_eq(memory_brim(ctx, 1, load, busy, log(down / up), &lost), SWQ_OK);
    cr_expect_float_eq(lost, up, 1e-9);
}

Test(approx_memory, chosen_where_links_was_not_measured)
{
    swq_approx_result r;
    swq_network n = one_switch(16, 64, 0.7);

    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_OK);
    cr_expect_str_eq(r.method, "shared-memory");
    n = one_switch(8, 32, 0.7);
    cr_assert_eq(swq_approx_run(ctx, &n, NULL, &r), SWQ_OK);
    cr_expect_str_eq(r.method, "links");
}

static void refused(const swq_network *n, const char *word)
{
    swq_approx_result r;

    cr_expect_eq(swq_approx_run(ctx, n, &approx_shared_memory, &r), SWQ_EINVAL, "%s", word);
    cr_expect(strstr(swq_context_message(ctx), word), "'%s' lacks '%s'", swq_context_message(ctx),
              word);
}

Test(approx_memory, refuses_by_name)
{
    swq_network n = one_switch(16, 64, 0.7);

    n.sw.buffer.alpha = 1;
    refused(&n, "alpha");
    n = one_switch(16, 64, 0.7);
    n.sw.buffer.queue_max = 8;
    refused(&n, "queue-max");
    n = one_switch(16, 64, 0.7);
    n.traffic.burst = 2;
    refused(&n, "bursts");
    n = one_switch(16, 64, 0.7);
    n.sw.priority.fraction = 0.1;
    refused(&n, "high priority");
    n = one_switch(16, 64, 0.7);
    n.sw.flow = SWQ_BLOCK;
    n.sw.credit = SWQ_CREDIT_NEXT;
    refused(&n, "discard");
    n = one_switch(16, 16, 0.8);
    refused(&n, "too small");
    n = one_switch(16, 64, 1);
    refused(&n, "below 1");
    n = one_switch(4, 16, 0.5);
    refused(&n, "8 ports");
    n = one_switch(16, 64, 0.7);
    n.shape.stages = 2;
    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    refused(&n, "one switch");
}

Test(approx_memory, states_what_was_measured)
{
    char text[SWQ_APPROX_OFF];
    swq_network n = one_switch(64, 256, 0.7);
    const char *said = swq_approx_off(&approx_shared_memory, &n, text, sizeof text);

    cr_expect(strstr(said, "with 64 ports"), "%s", said);
    n = one_switch(48, 192, 0.7);
    said = swq_approx_off(&approx_shared_memory, &n, text, sizeof text);
    cr_expect(strstr(said, "with 32 and 64 ports") && strstr(said, "simulations"), "%s", said);
    const memory_span at = memory_span_of(64), around = memory_span_of(48);
    cr_expect(around.least <= at.least && around.most >= at.most);
}
