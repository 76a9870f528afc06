/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every row of swq_buffer_kinds means something of its own to every engine: at a load where buffers
 * fill up, no two rows give the same numbers, in the chain, in the synchronous engine and its plain
 * form, or in the asynchronous engine, which refuses pools. The same holds with rows that are in no
 * table: slots reserved for each queue, a greatest share of a queue, a dynamic threshold. So a row
 * that is added is a buffer of its own everywhere, or is refused.
 */
#include "tests/sim/samples.h"

#include "switchq/approx.h"

TestSuite(buffer_rows, .timeout = 480);

enum { PORTS = 2, SLOTS = 6, MOST_ROWS = 64 };

static const swq_buffer_kind
    reserved = {.name = "reserved", .queues = SWQ_QUEUE_PER_OUTPUT, .queue_min = 1},
    limited = {.name = "limited", .queues = SWQ_QUEUE_PER_OUTPUT, .queue_max = 4},
    threshold = {.name = "threshold", .queues = SWQ_QUEUE_PER_OUTPUT, .alpha = 0.5},
    pool = {.name = "pool",
            .scope = SWQ_POOL,
            .queues = SWQ_QUEUE_PER_OUTPUT,
            .read = SWQ_READ_EACH_QUEUE,
            .queue_min = 1,
            .alpha = 0.5};
static const swq_buffer_kind *const added[] = {&reserved, &limited, &threshold, &pool};

/* The table's rows and those that tests add. */
static size_t all_rows(const swq_buffer_kind *row[MOST_ROWS])
{
    size_t rows = 0;

    for (; swq_buffer_kinds[rows]; rows++)
        row[rows] = swq_buffer_kinds[rows];
    for (size_t k = 0; k < sizeof added / sizeof *added; k++)
        row[rows++] = added[k];
    cr_assert(rows < MOST_ROWS);
    return rows;
}

/* What an engine computes for a row; NAN: it refuses the row. */
typedef struct {
    double throughput, second;
} numbers;

typedef numbers ask_fn(swq_context *ctx, const swq_buffer_kind *row);

static swq_switch switch_of(swq_context *ctx, const swq_buffer_kind *row)
{
    swq_switch sw = test_switch(ctx, "fifo", PORTS, SLOTS, 0.95, "rotating");

    cr_assert_eq(swq_buffer_preset(ctx, row, PORTS, SLOTS, &sw.buffer), SWQ_OK, "%s: %s", row->name,
                 swq_context_message(ctx));
    return sw;
}

static numbers chain(swq_context *ctx, const swq_buffer_kind *row)
{
    swq_switch sw = switch_of(ctx, row);
    swq_exact_options options = swq_exact_options_defaults();
    swq_answers a;

    cr_assert_eq(swq_exact_solve(ctx, &sw, &options, &a), SWQ_OK, "%s: %s", row->name,
                 swq_context_message(ctx));
    const numbers n = {a.throughput.value, a.discard.value};
    swq_answers_clear(ctx, &a);
    return n;
}

static numbers synchronous(swq_context *ctx, const swq_buffer_kind *row, bool plain)
{
    swq_switch sw = switch_of(ctx, row);
    swq_network n = network_in_stages(ctx, "omega", 3, &sw);
    swq_sim_options options = run_of(1, 1, 100, 20000);

    options.plain = plain;
    const swq_sim_result r = simulate(ctx, &n, &options);
    return (numbers){r.all.throughput.mean, r.all.latency.mean};
}

static numbers fast(swq_context *ctx, const swq_buffer_kind *row)
{
    return synchronous(ctx, row, false);
}

static numbers plain(swq_context *ctx, const swq_buffer_kind *row)
{
    return synchronous(ctx, row, true);
}

static numbers asynchronous(swq_context *ctx, const swq_buffer_kind *row)
{
    swq_async n = swq_async_defaults();
    swq_sim_options options = run_of(1, 1, 100, 40000);
    swq_async_result r;

    cr_assert_eq(swq_fabric_find(ctx, "omega", &n.shape), SWQ_OK);
    n.shape.ports = PORTS;
    n.shape.stages = 3;
    swq_sender_group g =
        swq_sender_group_uniform(&n, SWQ_SOURCE_HOLD, 1, (swq_spread){SWQ_CONSTANT, 32, 0});
    n.traffic.group = &g;
    n.traffic.groups = 1;
    cr_assert_eq(swq_async_buffer(ctx, &n, row, SLOTS * n.packet.max), SWQ_OK, "%s", row->name);
    swq_status status = swq_async_run(ctx, &n, &options, NULL, &r);
    if (row->scope == SWQ_POOL) {
        cr_assert_eq(status, SWQ_EINVAL, "%s", row->name);
        cr_assert(strstr(swq_context_message(ctx), "no pools"), "%s", swq_context_message(ctx));
        return (numbers){NAN, NAN};
    }
    cr_assert_eq(status, SWQ_OK, "%s: %s", row->name, swq_context_message(ctx));
    return (numbers){r.sim.all.throughput.mean, r.sim.all.latency.mean};
}

static void check_all_differ(ask_fn *ask, const char *engine)
{
    swq_context *ctx = swq_context_new();
    const swq_buffer_kind *row[MOST_ROWS];
    const size_t rows = all_rows(row);
    numbers is[MOST_ROWS];

    for (size_t k = 0; k < rows; k++) {
        is[k] = ask(ctx, row[k]);
        for (size_t before = 0; before < k; before++)
            cr_expect_not(is[before].throughput == is[k].throughput &&
                              is[before].second == is[k].second,
                          "%s: %s and %s are both %.9g, %.9g", engine, row[before]->name,
                          row[k]->name, is[k].throughput, is[k].second);
    }
    swq_context_free(ctx);
}

Test(buffer_rows, are_told_apart_by_the_chain)
{
    check_all_differ(chain, "chain");
}

Test(buffer_rows, are_told_apart_by_the_synchronous_engine)
{
    check_all_differ(fast, "sync");
}

Test(buffer_rows, are_told_apart_by_the_plain_engine)
{
    check_all_differ(plain, "plain");
}

Test(buffer_rows, are_told_apart_by_the_asynchronous_engine)
{
    check_all_differ(asynchronous, "async");
}

/* The inverse question and every method of ours take such a row or say why not; none mistakes it
 * for the plain one. */
Test(buffer_rows, other_legs_take_them_or_refuse_them)
{
    swq_context *ctx = swq_context_new();
    const swq_exact_options options = swq_exact_options_defaults();

    for (size_t k = 0; k < sizeof added / sizeof *added; k++) {
        swq_switch sw = switch_of(ctx, added[k]);
        swq_network n = network_in_stages(ctx, "omega", 3, &sw);
        const swq_buffer_kind *shared;
        cr_assert_eq(
            swq_buffer_kind_find(ctx, added[k]->scope == SWQ_POOL ? "cbda" : "damq", &shared),
            SWQ_OK);
        swq_switch other_sw = switch_of(ctx, shared);
        swq_network other = network_in_stages(ctx, "omega", 3, &other_sw);
        for (int m = 0; swq_approx_methods[m]; m++) {
            static swq_approx_result r, plain_row;
            if (!swq_approx_methods[m]
                     ->ours) /* other authors' formulas, for buffers of no or any size */
                continue;
            if (swq_approx_run(ctx, &n, swq_approx_methods[m], &r)) {
                cr_expect_neq(swq_context_message(ctx)[0], '\0');
                continue;
            }
            cr_assert_eq(swq_approx_run(ctx, &other, swq_approx_methods[m], &plain_row), SWQ_OK);
            cr_expect_neq(r.throughput, plain_row.throughput, "%s takes %s for %s",
                          swq_approx_methods[m]->name, added[k]->name, shared->name);
        }
        for (int p = 0; p < PORTS; p++)
            sw.load[p] = 0.5;
        int slots = 0;
        swq_answers a;
        const swq_status status =
            swq_exact_slots_for_target(ctx, &sw, added[k], 1e-2, 20, &options, &slots, &a);
        /* an additional slot that a dynamic threshold gives to no queue */
        if (status == SWQ_ERANGE) {
            cr_expect_eq(added[k], &threshold, "%s", swq_context_message(ctx));
            continue;
        }
        cr_assert_eq(status, SWQ_OK, "%s: %s", added[k]->name, swq_context_message(ctx));
        cr_expect_geq(slots, swq_buffer_least(added[k], NULL, PORTS));
        cr_expect_leq(a.discard.value, 1e-2);
        swq_answers_clear(ctx, &a);
    }
    swq_context_free(ctx);
}

/* What a row reserves, limits and thresholds applies to a buffer, in slots, and in the asynchronous
 * engine in blocks. */
Test(buffer_rows, say_what_is_reserved_allowed_and_thresholded)
{
    swq_context *ctx = swq_context_new();
    swq_async n = swq_async_defaults();
    swq_buffer b;

    cr_assert_eq(swq_buffer_preset(ctx, &reserved, 4, 9, &b), SWQ_OK);
    cr_expect(b.queue_min == 1 && b.queue_max == 9 && b.alpha == 0);
    cr_assert_eq(swq_buffer_preset(ctx, &limited, 4, 9, &b), SWQ_OK);
    cr_expect(b.queue_min == 0 && b.queue_max == 4 && b.alpha == 0);
    cr_assert_eq(swq_buffer_preset(ctx, &limited, 4, 3, &b), SWQ_OK);
    cr_expect_eq(b.queue_max, 3, "no more than there are");
    cr_assert_eq(swq_buffer_preset(ctx, &pool, 4, 1, &b), SWQ_OK);
    cr_expect(b.queue_min == 1 && b.queue_max == 4 && b.alpha == 0.5);
    cr_assert_eq(swq_buffer_preset(ctx, &reserved, 4, 3, &b), SWQ_EINVAL);
    cr_expect_str_eq(
        swq_context_message(ctx),
        "slots must be at least 4 for reserved, which reserves 1 for each of 4 queues, "
        "not 3");
    n.shape = (swq_shape){.kind = &swq_fabric_torus, .dims = 2, .extent = {4, 4}};
    cr_assert_eq(swq_async_buffer(ctx, &n, &reserved, 250), SWQ_OK);
    cr_expect(n.memory.buffer.capacity == 31 && n.memory.buffer.queue_min == 4 &&
              n.memory.buffer.queue_max == 31);
    cr_assert_eq(swq_async_buffer(ctx, &n, &limited, 250), SWQ_OK);
    cr_expect(n.memory.buffer.queue_min == 0 && n.memory.buffer.queue_max == 16);
    cr_assert_eq(swq_async_buffer(ctx, &n, &threshold, 250), SWQ_OK);
    cr_expect(n.memory.buffer.alpha == 0.5 && n.memory.buffer.queue_max == 31);
    swq_context_free(ctx);
}
