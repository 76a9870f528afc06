/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/buffers/table.c: the presets as a table of expectations, each error by name, and the
 * admission rule against another way to say it.
 */
#include "models/buffers/buffers.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(buffers, .init = setup, .fini = teardown, .timeout = 120);

static const struct {
    const char *name;
    swq_scope scope;
    swq_queues queues;
    swq_read read;
    bool partitioned;
} presets[] = {
    {"fifo", SWQ_PER_INPUT, SWQ_ONE_QUEUE, SWQ_READ_ONE, false},
    {"samq", SWQ_PER_INPUT, SWQ_QUEUE_PER_OUTPUT, SWQ_READ_ONE, true},
    {"safc", SWQ_PER_INPUT, SWQ_QUEUE_PER_OUTPUT, SWQ_READ_EACH_QUEUE, true},
    {"damq", SWQ_PER_INPUT, SWQ_QUEUE_PER_OUTPUT, SWQ_READ_ONE, false},
    {"dafc", SWQ_PER_INPUT, SWQ_QUEUE_PER_OUTPUT, SWQ_READ_EACH_QUEUE, false},
    {"cbda", SWQ_POOL, SWQ_QUEUE_PER_OUTPUT, SWQ_READ_EACH_QUEUE, false},
};
enum { PRESETS = sizeof presets / sizeof *presets };

static const swq_buffer_kind *kind_of(const char *name)
{
    const swq_buffer_kind *kind = NULL;

    cr_assert_eq(swq_buffer_kind_find(ctx, name, &kind), SWQ_OK, "%s", swq_context_message(ctx));
    return kind;
}

static void expect_message(const char *part)
{
    cr_assert_not_null(strstr(swq_context_message(ctx), part), "'%s' lacks '%s'",
                       swq_context_message(ctx), part);
}

Test(buffers, presets)
{
    static const int slots[] = {1, 2, 3, 4, 6, 8, 12, 16, 64, SWQ_MAX_SLOTS};
    int rows = 0;

    while (swq_buffer_kinds[rows])
        rows++;
    cr_assert_eq(rows, PRESETS, "a preset without a line in this test");
    for (int p = 0; p < PRESETS; p++) {
        const swq_buffer_kind *kind = kind_of(presets[p].name);
        for (int ports = 1; ports <= 8; ports++) {
            for (size_t s = 0; s < sizeof slots / sizeof *slots; s++) {
                swq_buffer b = {.alpha = 7, .pool_rule = &swq_pool_ports};
                swq_status status = swq_buffer_preset(ctx, kind, ports, slots[s], &b);
                if (presets[p].partitioned && slots[s] % ports != 0) {
                    cr_assert_eq(status, SWQ_EINVAL, "%s", presets[p].name);
                    expect_message("slots must be a multiple");
                    expect_message(presets[p].name);
                    cr_assert_eq(b.alpha, 7, "the output was touched");
                    continue;
                }
                int capacity = presets[p].scope == SWQ_POOL ? ports * slots[s] : slots[s];
                int share = slots[s] / ports;
                cr_assert_eq(status, SWQ_OK, "%s", swq_context_message(ctx));
                cr_assert_eq(b.scope, presets[p].scope);
                cr_assert_eq(b.queues, presets[p].queues);
                cr_assert_eq(b.read, presets[p].read);
                cr_assert_eq(b.capacity, capacity);
                cr_assert_eq(b.queue_min, presets[p].partitioned ? share : 0);
                cr_assert_eq(b.queue_max, presets[p].partitioned ? share : capacity);
                cr_assert_eq(b.alpha, 0);
                cr_assert_eq(swq_buffer_pool_rule(&b), &swq_pool_room);
                cr_assert_eq(swq_buffer_queues(&b, ports),
                             presets[p].queues == SWQ_ONE_QUEUE ? 1 : ports);
                cr_assert_eq(swq_buffer_check(ctx, &b, ports), SWQ_OK, "%s %d x %d: %s",
                             presets[p].name, ports, slots[s], swq_context_message(ctx));
            }
        }
    }
}

Test(buffers, slots_out_of_range)
{
    static const int slots[] = {0, -1, -2147483647 - 1, SWQ_MAX_SLOTS + 1, 2147483647};

    for (int p = 0; p < PRESETS; p++) {
        for (size_t s = 0; s < sizeof slots / sizeof *slots; s++) {
            swq_buffer b = {.capacity = 77};
            cr_assert_eq(swq_buffer_preset(ctx, kind_of(presets[p].name), 1, slots[s], &b),
                         SWQ_EINVAL);
            expect_message("slots must be 1 to");
            cr_assert_eq(b.capacity, 77, "the output was touched");
        }
    }
}

/* No number of ports may crash the library: 4 slots cannot be divided among 0 ports. */
Test(buffers, ports_out_of_range)
{
    swq_buffer b;

    cr_assert_eq(swq_buffer_preset(ctx, kind_of("samq"), 0, 4, &b), SWQ_EINVAL);
}

/* Lengths are 16-bit words, so no capacity that passes the check may exceed them. */
Test(buffers, the_largest_pool_fits_a_state_word)
{
    swq_buffer b;

    if (swq_buffer_preset(ctx, kind_of("cbda"), SWQ_CHAIN_PORTS, SWQ_MAX_SLOTS, &b) == SWQ_OK &&
        swq_buffer_check(ctx, &b, SWQ_CHAIN_PORTS) == SWQ_OK)
        cr_assert_leq(b.capacity, UINT16_MAX);
}

static swq_buffer damq(int capacity)
{
    return (swq_buffer){.scope = SWQ_PER_INPUT,
                        .queues = SWQ_QUEUE_PER_OUTPUT,
                        .read = SWQ_READ_ONE,
                        .capacity = capacity,
                        .queue_max = capacity};
}

static void expect_error(swq_buffer b, const char *part)
{
    cr_assert_eq(swq_buffer_check(ctx, &b, 3), SWQ_EINVAL, "%s", part);
    expect_message(part);
}

static void expect_valid(swq_buffer b)
{
    cr_assert_eq(swq_buffer_check(ctx, &b, 3), SWQ_OK, "%s", swq_context_message(ctx));
}

Test(buffers, every_error_names_its_parameter)
{
    const swq_buffer good = damq(7);
    swq_buffer b = good;

    expect_valid(b);
    b.scope = SWQ_POOL;
    expect_error(b, "scope pool reads one packet from each queue");
    b.queues = SWQ_ONE_QUEUE;
    expect_error(b, "scope pool needs a queue per output");
    b.read = SWQ_READ_EACH_QUEUE;
    expect_error(b, "scope pool needs a queue per output");
    b.queues = SWQ_QUEUE_PER_OUTPUT;
    expect_valid(b);
    b.pool_rule = &swq_pool_ports;
    expect_valid(b);
    b.pool_rule = &swq_pool_oldest;
    expect_valid(b);
    b.scope = SWQ_PER_INPUT;
    expect_error(b, "pool-rule oldest is for a pool");
    b.pool_rule = &swq_pool_ports;
    expect_error(b, "pool-rule ports is for a pool");

    for (int capacity = -1; capacity <= 0; capacity++)
        expect_error(damq(capacity), "capacity must be 1 to");
    expect_error(damq(3 * SWQ_MAX_SLOTS + 1), "capacity must be 1 to 6141 slots, not 6142");
    expect_valid(damq(3 * SWQ_MAX_SLOTS));

    b = good;
    b.queue_min = -1;
    expect_error(b, "queue-min must be 0 to 2");
    b.queue_min = 3; /* 3 queues of 3 are more than 7 */
    expect_error(b, "queue-min must be 0 to 2 (7 slots for 3 queues), not 3");
    b.queue_min = 2;
    expect_valid(b);
    b.queue_max = 1;
    expect_error(b, "queue-max must be 2 to 7, not 1");
    b.queue_max = 2;
    expect_valid(b);

    b = good;
    b.queue_max = 0;
    expect_error(b, "queue-max must be 1 to 7, not 0");
    b.queue_max = 8;
    expect_error(b, "queue-max must be 1 to 7, not 8");

    b = good;
    static const double bad_alphas[] = {-1, -1e-300, NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 5; k++) {
        b.alpha = bad_alphas[k];
        expect_error(b, "alpha must be");
    }
    b.alpha = 1e-300;
    expect_valid(b);
    b.alpha = 1e300;
    expect_valid(b);
}

/* The rule formulated the other way round, by the state of the buffer with the packet in it: every
 * queue, however short, occupies its reserved slots; all of that together must fit; no queue is
 * above its maximum; and a packet that is not in a reserved slot must satisfy the threshold, as it
 * was before the packet came. alpha = quarters / 4, to stay with whole numbers; quarters 0: no
 * threshold. */
static bool may_join(int capacity, int least, int most, int quarters, int queues,
                     const uint16_t *length, int join)
{
    int before = 0, after = 0;

    for (int q = 0; q < queues; q++) {
        int then = length[q] + (q == join);
        before += length[q] > least ? length[q] : least;
        after += then > least ? then : least;
    }
    if (length[join] + 1 > most || after > capacity)
        return false;
    if (quarters == 0 || length[join] + 1 <= least)
        return true;
    return 4 * (length[join] - least) < quarters * (capacity - before);
}

static bool fits(int capacity, int least, int most, int queues, const uint16_t *length)
{
    int taken = 0;

    for (int q = 0; q < queues; q++) {
        if (length[q] > most)
            return false;
        taken += length[q] > least ? length[q] : least;
    }
    return taken <= capacity;
}

Test(buffers, admission)
{
    static const int quarters[] = {0, 1, 2, 3, 4, 5, 8, 40};
    int64_t cases = 0, admitted = 0;

    for (int queues = 1; queues <= 3; queues++) {
        for (int capacity = 1; capacity <= 6; capacity++) {
            for (int least = 0; least <= capacity / queues; least++) {
                for (int most = least > 1 ? least : 1; most <= capacity; most++) {
                    for (int k = 0; k < 8; k++) {
                        swq_buffer b = damq(capacity);
                        b.queue_min = least;
                        b.queue_max = most;
                        b.alpha = quarters[k] / 4.0;
                        uint16_t length[3] = {0};
                        for (int v = 0; v < 343; v++) {
                            int join = v % queues;
                            for (int q = 0, rest = v; q < 3; q++, rest /= 7)
                                length[q] = (uint16_t)(q < queues ? rest % 7 : 0);
                            if (!fits(capacity, least, most, queues, length))
                                continue;
                            for (join = 0; join < queues; join++) {
                                bool expected = may_join(capacity, least, most, quarters[k], queues,
                                                         length, join);
                                cr_assert_eq(swq_buffer_admits(&b, queues, length, join), expected,
                                             "capacity %d min %d max %d alpha %g: (%d %d %d) + %d",
                                             capacity, least, most, b.alpha, length[0], length[1],
                                             length[2], join);
                                cr_assert_eq(swq_buffer_rooms(&b, queues, length) >> join & 1,
                                             expected, "as bits");
                                cases++;
                                admitted += expected;
                            }
                        }
                    }
                }
            }
        }
    }
    cr_assert_gt(admitted, 10000);
    cr_assert_gt(cases - admitted, 10000);
}

/* By hand: 6 slots, 2 queues, 1 reserved each, 4 at most, alpha 1/2: 4 shared slots. */
Test(buffers, admission_by_hand)
{
    static const struct {
        uint16_t length[2];
        bool admitted; /* to queue 0 */
    } cases[] = {
        {{0, 4}, true},  /* its reserved slot, though the shared part has 1 free */
        {{1, 0}, true},  /* 0 of the shared part < 4/2 */
        {{2, 0}, true},  /* 1 < 3/2 */
        {{3, 0}, false}, /* 2 < 2/2 is false */
        {{1, 4}, true},  /* 0 < 1/2 */
        {{2, 3}, false}, /* 1 < 1/2 is false */
        {{4, 0}, false}, /* at its maximum */
    };
    swq_buffer b = damq(6);

    b.queue_min = 1;
    b.queue_max = 4;
    b.alpha = 0.5;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        cr_assert_eq(swq_buffer_admits(&b, 2, cases[c].length, 0), cases[c].admitted, "case %zu",
                     c);
}
