/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes and loads that meet a target, by approximation: the answer meets the target, the next
 * smaller size (the next higher load) does not, and what cannot be met is refused.
 */
#include "approx/methods.h"
#include "models/buffers/buffers.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

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

TestSuite(approx_target, .init = setup, .fini = teardown, .timeout = 120);

static swq_network network_of(const swq_buffer_kind *kind, const char *topology, int stages,
                              int ports, int slots, double load)
{
    swq_network n = {.shape.stages = stages, .traffic = swq_traffic_defaults()};

    n.sw = test_switch(ctx, kind->name, 4, 4, load, "rotating");
    n.sw.ports = ports;
    n.sw.flow = SWQ_DISCARD;
    n.sw.credit = SWQ_CREDIT_SAME;
    n.traffic.load = load;
    cr_assert_eq(swq_fabric_find(ctx, topology, &n.shape), SWQ_OK);
    cr_assert_eq(swq_buffer_preset(ctx, kind, ports, slots, &n.sw.buffer), SWQ_OK);
    return n;
}

static double loss_of(const swq_network *n)
{
    swq_approx_result r;

    cr_assert_eq(swq_approx_run(ctx, n, NULL, &r), SWQ_OK, "%s", swq_context_message(ctx));
    return r.discard_fraction;
}

static const struct {
    const swq_buffer_kind *kind;
    const char *topology;
    int stages, ports, step;
    double load, target;
} sizes[] = {
    {&swq_buffer_damq, "omega", 3, 4, 1, 0.5, 1e-3},
    {&swq_buffer_samq, "omega", 2, 4, 4, 0.6, 1e-2},
    {&swq_buffer_fifo, "omega", 3, 4, 1, 0.3, 1e-4},
    {&swq_buffer_cbda, "switch", 1, 64, 1, 0.8, 1e-9},
    {&swq_buffer_cbda, "switch", 1, 32, 1, 0.6, 1e-6},
};

Test(approx_target, the_next_smaller_buffer_misses)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        swq_network n = network_of(sizes[k].kind, sizes[k].topology, sizes[k].stages,
                                   sizes[k].ports, sizes[k].step, sizes[k].load);
        swq_approx_size found;
        cr_assert_eq(
            swq_approx_slots_for_target(ctx, &n, sizes[k].kind, sizes[k].target, 200, NULL, &found),
            SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(found.slots % sizes[k].step, 0);
        cr_assert_float_eq(found.result.discard_fraction, loss_of(&n), 0);
        cr_assert_leq(found.result.discard_fraction, sizes[k].target);
        n = network_of(sizes[k].kind, sizes[k].topology, sizes[k].stages, sizes[k].ports,
                       found.slots - sizes[k].step, sizes[k].load);
        cr_assert_gt(loss_of(&n), sizes[k].target);
        cr_assert_float_eq(found.loss_before, loss_of(&n), 0);
    }
}

Test(approx_target, a_pool_is_also_sized_in_single_slots)
{
    swq_network n = network_of(&swq_buffer_cbda, "switch", 1, 64, 1, 0.8);
    swq_buffer *b = &n.sw.buffer;
    swq_approx_size found;

    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_cbda, 1e-9, 200, NULL, &found),
                 SWQ_OK);
    cr_assert_leq(found.memory, 64 * found.slots);
    cr_assert_gt(found.memory, 64 * (found.slots - 1));
    b->capacity = b->queue_max = found.memory;
    cr_assert_leq(loss_of(&n), 1e-9);
    b->capacity = b->queue_max = found.memory - 1;
    cr_assert_gt(loss_of(&n), 1e-9);
    n = network_of(&swq_buffer_damq, "omega", 3, 4, 4, 0.5);
    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_damq, 1e-3, 200, NULL, &found),
                 SWQ_OK);
    cr_assert_eq(found.memory, 0);
}

Test(approx_target, the_largest_load_just_meets_it)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        swq_network n = network_of(sizes[k].kind, sizes[k].topology, sizes[k].stages,
                                   sizes[k].ports, 4, sizes[k].load);
        const double target = fmax(sizes[k].target, 1e-6);
        swq_approx_result r;
        cr_assert_eq(swq_approx_load_for_target(ctx, &n, target, NULL, &r), SWQ_OK, "%s",
                     swq_context_message(ctx));
        cr_assert_leq(r.discard_fraction, target);
        n.traffic.load *= 1 + 1e-6;
        cr_assert_gt(loss_of(&n), target);
    }
}

Test(approx_target, what_cannot_be_met_is_refused)
{
    swq_network n = network_of(&swq_buffer_fifo, "omega", 3, 4, 4, 0.9);
    swq_approx_size found;
    swq_approx_result r;

    /* FIFO inputs saturate below this load: more slots do not help */
    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_fifo, 1e-3, 4096, NULL, &found),
                 SWQ_ERANGE);
    n = network_of(&swq_buffer_damq, "omega", 3, 4, 4, 0.8);
    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_damq, 1e-6, 8, NULL, &found),
                 SWQ_ERANGE);
    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_damq, 1e-12, 8, NULL, &found),
                 SWQ_EINVAL);
    cr_assert_eq(swq_approx_load_for_target(ctx, &n, 1, NULL, &r), SWQ_EINVAL);
    n.sw.flow = SWQ_BLOCK;
    n.sw.credit = SWQ_CREDIT_NEXT;
    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_damq, 1e-3, 8, NULL, &found),
                 SWQ_EINVAL);
    /* every size is refused: the refusal is the answer */
    n = network_of(&swq_buffer_cbda, "switch", 1, 64, 4, 0.8);
    n.traffic.hot_spots = 1;
    n.traffic.hot[0] = (swq_hot_spot){0, 0.1};
    cr_assert_eq(swq_approx_slots_for_target(ctx, &n, &swq_buffer_cbda, 1e-3, 64, NULL, &found),
                 SWQ_EINVAL);
    cr_assert(strstr(swq_context_message(ctx), "shared-memory"), "%s", swq_context_message(ctx));
}
