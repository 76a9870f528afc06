/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/arbiters/islip.c: McKeown (1999), sections III and V. Sequences of grants and pointers
 * worked out by hand, the desynchronisation that the paper proves, and random requests against a
 * second formulation: of all that compete, the one at the least distance behind the pointer.
 */
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

static swq_context *ctx;
static const swq_arbiter *islip;

static void setup(void)
{
    ctx = swq_context_new();
    cr_assert_eq(swq_arbiter_find(ctx, "islip", &islip), SWQ_OK);
}

static void teardown(void)
{
    swq_context_free(ctx);
}

TestSuite(islip, .init = setup, .fini = teardown, .timeout = 120);

enum { o = SWQ_NO_INPUT };

static void run_cycle(swq_requests *r, int *grant)
{
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    islip->arbitrate(r, &dice, grant);
    cr_assert_not(swq_dice_next(&dice), "dice were thrown");
    if (islip->settle)
        islip->settle(r, grant);
}

static swq_requests full_demand(int length[][SWQ_MAX_PORTS], int ports, int iterations,
                                uint16_t *memory)
{
    swq_requests r = {.length = length, .ports = ports, .iterations = iterations, .memory = memory};

    for (int i = 0; i < ports; i++) {
        r.waiting[i] = ports;
        for (int j = 0; j < ports; j++)
            r.length[i][j] = 1;
    }
    return r;
}

/* All pointers start at 0, and full demand spreads them: in cycle t the first t + 1 outputs have
 * pointers t, t - 1, ..., 0 and the others still offer input 0, which takes output t. So t + 1
 * packets are sent, and from cycle n - 1 on as many as there are ports, output j taking from input
 * t - j modulo n. */
Test(islip, full_demand_is_served_in_full_after_n_cycles)
{
    static const int sizes[] = {1, 2, 3, 4, 7, 8, 16, 32, 63, 64, 65, 100};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static int length[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
        int n = sizes[s];
        uint16_t memory[MEMORY_WORDS] = {0};
        swq_requests r = full_demand(length, n, 1, memory);
        for (int t = 0; t < 3 * n; t++) {
            int grant[SWQ_MAX_PORTS];
            run_cycle(&r, grant);
            for (int j = 0; j < n; j++) {
                int expected = t < n && j > t ? o : (t - j + n * 3) % n;
                cr_assert_eq(grant[j], expected, "%d ports, cycle %d, output %d: %d, not %d", n, t,
                             j, grant[j], expected);
            }
        }
    }
}

/* A cycle, and the pointers after it: the outputs' and the inputs'. */
typedef struct {
    int length[3][3], iterations;
    int grant[3], offer[3], accept[3];
} islip_cycle;

static void expect_cycles(const islip_cycle *cycles, int count, bool read_each_queue)
{
    uint16_t memory[6] = {0};

    for (int c = 0; c < count; c++) {
        swq_requests r = {.length = LENGTHS,
                          .ports = 3,
                          .read_each_queue = read_each_queue,
                          .iterations = cycles[c].iterations,
                          .memory = memory};
        int grant[3] = {77, 77, 77};
        memcpy(r.length[0], cycles[c].length[0], sizeof cycles[c].length[0]);
        memcpy(r.length[1], cycles[c].length[1], sizeof cycles[c].length[1]);
        memcpy(r.length[2], cycles[c].length[2], sizeof cycles[c].length[2]);
        run_cycle(&r, grant);
        for (int k = 0; k < 3; k++) {
            cr_expect_eq(grant[k], cycles[c].grant[k], "cycle %d: output %d takes from %d, not %d",
                         c, k, grant[k], cycles[c].grant[k]);
            cr_expect_eq(memory[k], cycles[c].offer[k], "cycle %d: output %d's pointer is %d", c, k,
                         memory[k]);
            cr_expect_eq(memory[3 + k], cycles[c].accept[k], "cycle %d: input %d's pointer is %d",
                         c, k, memory[3 + k]);
        }
    }
}

#define EXPECT(cycles, each) expect_cycles(cycles, sizeof(cycles) / sizeof *(cycles), each)

#define ASK_0_01_AND_1_1                                                                           \
    {                                                                                              \
        {1, 1, 0},                                                                                 \
        {                                                                                          \
            0, 1, 0                                                                                \
        }                                                                                          \
    }

/* Outputs 0 and 1 offer input 0, which takes 0; output 1's pointer stays, though in the second
 * round it serves input 1. Then output 1 offers input 0 once more, and is taken, its turn having
 * come; input 1 has nothing else. Then both have their own. */
Test(islip, pointers_move_past_what_the_first_round_accepted)
{
    static const islip_cycle twice[] = {
        {ASK_0_01_AND_1_1, 2, {0, 1, o}, {1, 0, 0}, {1, 0, 0}},
        {ASK_0_01_AND_1_1, 2, {o, 0, o}, {1, 1, 0}, {2, 0, 0}},
        {ASK_0_01_AND_1_1, 2, {0, 1, o}, {1, 2, 0}, {1, 2, 0}},
    };
    static const islip_cycle once[] = {
        {ASK_0_01_AND_1_1, 1, {0, o, o}, {1, 0, 0}, {1, 0, 0}},
        {ASK_0_01_AND_1_1, 1, {o, 0, o}, {1, 1, 0}, {2, 0, 0}},
        {ASK_0_01_AND_1_1, 1, {0, 1, o}, {1, 2, 0}, {1, 2, 0}},
    };

    EXPECT(twice, false);
    EXPECT(once, false);
}

#define ALL_ASK                                                                                    \
    {                                                                                              \
        {1, 1, 1}, {1, 1, 1},                                                                      \
        {                                                                                          \
            1, 1, 1                                                                                \
        }                                                                                          \
    }

/* From the start, each iteration adds a packet: two iterations send two, three all. The pointers
 * are those after one iteration. */
Test(islip, rounds_fill)
{
    static const islip_cycle one[] = {{ALL_ASK, 1, {0, o, o}, {1, 0, 0}, {1, 0, 0}}};
    static const islip_cycle two[] = {{ALL_ASK, 2, {0, 1, o}, {1, 0, 0}, {1, 0, 0}},
                                      {ALL_ASK, 2, {1, 0, 2}, {2, 1, 0}, {2, 1, 0}}};
    static const islip_cycle three[] = {{ALL_ASK, 3, {0, 1, 2}, {1, 0, 0}, {1, 0, 0}}};

    EXPECT(one, false);
    EXPECT(two, false);
    EXPECT(three, false);
}

/* Two ports: with two iterations nothing is ever left over, from the first cycle on. */
Test(islip, two_ports_two_rounds)
{
    uint16_t memory[4] = {0};
    swq_requests r = full_demand(LENGTHS, 2, 2, memory);
    int grant[2];

    for (int t = 0; t < 6; t++) {
        run_cycle(&r, grant);
        cr_assert_eq(grant[0], t % 2, "cycle %d", t);
        cr_assert_eq(grant[1], 1 - t % 2, "cycle %d", t);
    }
}

/* With a read port for each queue an input takes all offers, and its pointer is past the last one
 * that it took. */
Test(islip, read_each_queue)
{
    static const islip_cycle cycles[] = {
        {ALL_ASK, 1, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}},
        {{{1, 1, 1}, {1, 0, 1}, {1, 1, 1}}, 1, {1, 2, 1}, {2, 0, 2}, {0, 0, 2}},
        {ALL_ASK, 2, {2, 0, 2}, {0, 1, 0}, {2, 0, 1}},
    };

    EXPECT(cycles, true);
}

/* Waiting packets that may not be sent change nothing. */
Test(islip, looks_at_requests_only)
{
    uint16_t memory[2][6] = {{0}, {0}};

    for (int t = 0; t < 20; t++) {
        int grant[2][3];
        for (int k = 0; k < 2; k++) {
            swq_requests r = full_demand(LENGTHS, 3, 1, memory[k]);
            for (int i = 0; i < 3; i++) {
                r.length[i][(t + i) % 3] = 0;
                r.length[i][t % 3] *= 1 + 4 * k;
                r.waiting[i] = 5 * k;
            }
            run_cycle(&r, grant[k]);
        }
        cr_assert_eq(memcmp(grant[0], grant[1], sizeof grant[0]), 0);
        cr_assert_eq(memcmp(memory[0], memory[1], sizeof memory[0]), 0);
    }
}

/* The second formulation, on wide arrays: the nearest after each pointer. */
static void reference(const swq_requests *r, int *pointer, int *grant)
{
    int n = r->ports;
    bool busy[SWQ_MAX_PORTS] = {false};

    for (int j = 0; j < n; j++)
        grant[j] = o;
    for (int round = 1; round <= r->iterations; round++) {
        int offer[SWQ_MAX_PORTS];
        for (int j = 0; j < n; j++) {
            int best = n;
            offer[j] = o;
            for (int i = 0; i < n; i++) {
                int distance = (i - pointer[j] + n) % n;
                if (grant[j] == o && !busy[i] && r->length[i][j] > 0 && distance < best) {
                    best = distance;
                    offer[j] = i;
                }
            }
        }
        for (int i = 0; i < n; i++) {
            int best = n, chosen = o;
            for (int j = 0; j < n; j++) {
                int distance = (j - pointer[n + i] + n) % n;
                if (offer[j] == i && distance < best) {
                    best = distance;
                    chosen = j;
                }
            }
            if (chosen == o)
                continue;
            grant[chosen] = i;
            busy[i] = true;
            if (round == 1) {
                pointer[chosen] = (i + 1) % n;
                pointer[n + i] = (chosen + 1) % n;
            }
        }
    }
}

Test(islip, random_requests_as_by_the_second_formulation)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 1999);
    static const int sizes[] = {1,  2,  3,  4,  5,   6,   19,  31,  32,  33,
                                63, 64, 65, 66, 127, 128, 129, 192, 193, SWQ_MAX_PORTS};
    static int length[SWQ_MAX_PORTS][SWQ_MAX_PORTS];

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = sizes[s], cycles = n > 64 ? 40 : 300;
        uint16_t memory[MEMORY_WORDS] = {0};
        int pointer[MEMORY_WORDS] = {0}, packets = 0;
        for (int t = 0; t < cycles; t++) {
            swq_requests r = {.length = length,
                              .ports = n,
                              .iterations = 1 + (int)gsl_rng_uniform_int(rng, 3),
                              .memory = memory};
            int grant[SWQ_MAX_PORTS], expected[SWQ_MAX_PORTS];
            for (int q = 0; q < n * n; q++)
                r.length[q / n][q % n] = (int)gsl_rng_uniform_int(rng, 3);
            run_cycle(&r, grant);
            reference(&r, pointer, expected);
            for (int j = 0; j < n; j++) {
                cr_assert_eq(grant[j], expected[j], "%d ports, cycle %d, output %d", n, t, j);
                packets += grant[j] != o;
            }
            for (int w = 0; w < 2 * n; w++)
                cr_assert_eq(memory[w], pointer[w], "%d ports, cycle %d, pointer %d", n, t, w);
        }
        cr_assert_gt(packets, n > 64 ? n : 100 * n);
    }
    gsl_rng_free(rng);
}

Test(islip, remembers_two_pointers_a_port)
{
    for (int n = 1; n <= SWQ_MAX_PORTS; n++)
        cr_assert_eq(swq_arbiter_memory(islip, n), 2 * n);
    cr_assert_neq(islip->alike, SWQ_ALIKE_ALL);
}
