/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/arbiters/rotating.c: grants and pointer of several cycles, worked out by hand from the
 * rule: inputs in turn from the pointer on, each sends from its longest queue whose output is free,
 * ties counting outputs from the pointer on; the pointer stays while its input holds packets and
 * sends none. Or, the arbiter advancing, it moves on whenever something is sent.
 */
#include "models/arbiters/arbiters.h"
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

TestSuite(rotating, .timeout = 120);

enum { o = SWQ_NO_INPUT };

/* A cycle with three ports: what may be sent, what else waits, who sends, and the pointer
 * afterwards. */
typedef struct {
    int length[3][3], blocked[3];
    int grant[3], pointer;
} rotating_cycle;

static void expect_cycles(const char *name, const rotating_cycle *cycles, int count,
                          bool read_each_queue, int pointer)
{
    swq_context *ctx = swq_context_new();
    uint16_t memory[1] = {(uint16_t)pointer};
    const swq_arbiter *rotating;
    swq_dice dice;

    cr_assert_eq(swq_arbiter_find(ctx, name, &rotating), SWQ_OK);
    for (int c = 0; c < count; c++) {
        swq_requests r = {.length = LENGTHS,
                          .ports = 3,
                          .read_each_queue = read_each_queue,
                          .iterations = 1,
                          .memory = memory};
        int grant[3] = {77, 77, 77};
        for (int i = 0; i < 3; i++) {
            r.waiting[i] = cycles[c].blocked[i];
            for (int j = 0; j < 3; j++) {
                r.length[i][j] = cycles[c].length[i][j];
                r.waiting[i] += r.length[i][j];
            }
        }
        swq_dice_begin_enumeration(&dice);
        rotating->arbitrate(&r, &dice, grant);
        cr_assert_not(swq_dice_next(&dice), "cycle %d: dice were thrown", c);
        for (int j = 0; j < 3; j++)
            cr_expect_eq(grant[j], cycles[c].grant[j], "cycle %d: output %d takes from %d, not %d",
                         c, j, grant[j], cycles[c].grant[j]);
        rotating->settle(&r, grant);
        cr_expect_eq(memory[0], cycles[c].pointer, "cycle %d: the pointer is at %d, not %d", c,
                     memory[0], cycles[c].pointer);
    }
    swq_context_free(ctx);
}

#define EXPECT(cycles, each, pointer)                                                              \
    expect_cycles("rotating", cycles, sizeof(cycles) / sizeof *(cycles), each, pointer)

#define ALL_ASK                                                                                    \
    {                                                                                              \
        {1, 1, 1}, {1, 1, 1},                                                                      \
        {                                                                                          \
            1, 1, 1                                                                                \
        }                                                                                          \
    }

/* Each input takes the first free output from the pointer on: always its own. */
Test(rotating, full_demand)
{
    static const rotating_cycle cycles[] = {
        {ALL_ASK, {0}, {0, 1, 2}, 1},
        {ALL_ASK, {0}, {0, 1, 2}, 2},
        {ALL_ASK, {0}, {0, 1, 2}, 0},
        {ALL_ASK, {0}, {0, 1, 2}, 1},
    };

    EXPECT(cycles, false, 0);
}

/* Three inputs for one output: one after the other. */
Test(rotating, takes_turns)
{
    static const rotating_cycle cycles[] = {
        {{{4, 0, 0}, {5, 0, 0}, {6, 0, 0}}, {0}, {0, o, o}, 1},
        {{{3, 0, 0}, {5, 0, 0}, {6, 0, 0}}, {0}, {1, o, o}, 2},
        {{{3, 0, 0}, {4, 0, 0}, {6, 0, 0}}, {0}, {2, o, o}, 0},
        {{{3, 0, 0}, {4, 0, 0}, {5, 0, 0}}, {0}, {0, o, o}, 1},
    };

    EXPECT(cycles, false, 0);
}

/* Input 0 holds packets for which the next switch has no room: it stays first, and input 1 after it
 * wins every time, until input 0 may send; then the pointer moves on. It skips an empty buffer. */
Test(rotating, stays_while_blocked)
{
    static const rotating_cycle cycles[] = {
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {2, 0, 0}, {1, o, o}, 0},
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {2, 0, 0}, {1, o, o}, 0},
        {{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, {2, 1, 0}, {2, o, o}, 0},
        {{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {1, 0, 0}, {0, o, o}, 1}, /* still a blocked queue */
        {{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {0, 0, 0}, {1, o, o}, 2},
        {{{1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {0, o, o}, 0}, /* 2 is empty, 0 comes next */
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {o, o, o}, 1},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 1, 0}, {o, o, o}, 1},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {1, 0, 1}, {o, o, o}, 2}, /* only its own counts */
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {1, 0, 1}, {o, o, o}, 2},
    };

    EXPECT(cycles, false, 0);
}

/* The same requests with each pointer, by hand. From 0: input 0 has a tie between outputs 1 and 2
 * and takes 1; input 1 takes 0; nothing is left for input 2. From 1: input 1 takes 1, input 2 can
 * no longer have 1 and takes 0, input 0 takes 2. From 2: input 2 counts 2, 0, 1 and takes 0; input
 * 0 counts 2 first and takes it; 1 is left for input 1. */
Test(rotating, ties_count_from_the_pointer)
{
    static const rotating_cycle cycles[] = {
        {{{0, 4, 4}, {1, 1, 1}, {2, 2, 0}}, {0}, {1, 0, o}, 1},
        {{{0, 4, 4}, {1, 1, 1}, {2, 2, 0}}, {0}, {2, 1, 0}, 2},
        {{{0, 4, 4}, {1, 1, 1}, {2, 2, 0}}, {0}, {2, 1, 0}, 0},
    };

    EXPECT(cycles, false, 0);
}

/* The longest queue goes first, if its output is free. */
Test(rotating, longest_queue_that_is_open)
{
    static const rotating_cycle cycles[] = {
        {{{2, 5, 0}, {1, 3, 0}, {0, 9, 1}}, {0}, {1, 0, 2}, 1},
        {{{2, 5, 0}, {1, 3, 0}, {0, 9, 1}}, {0}, {0, 1, 2}, 2},
        {{{2, 5, 0}, {1, 3, 0}, {0, 9, 1}}, {0}, {0, 2, o}, 0},
    };

    EXPECT(cycles, false, 0);
}

/* With a read port for each queue, an input takes everything that is free when its turn comes. */
Test(rotating, read_each_queue)
{
    static const rotating_cycle cycles[] = {
        {{{1, 1, 1}, {1, 0, 2}, {1, 1, 1}}, {0}, {1, 2, 1}, 2},
        {ALL_ASK, {0}, {2, 2, 2}, 0},
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}}, {3, 0, 0}, {1, o, 2}, 0},
        {{{0, 1, 0}, {1, 1, 0}, {1, 1, 1}}, {3, 0, 0}, {1, 0, 2}, 1},
    };

    EXPECT(cycles, true, 1);
}

Test(rotating, remembers_one_port)
{
    swq_context *ctx = swq_context_new();
    const swq_arbiter *rotating;

    cr_assert_eq(swq_arbiter_find(ctx, "rotating", &rotating), SWQ_OK);
    for (int n = 1; n <= SWQ_CHAIN_PORTS; n++)
        cr_assert_eq(swq_arbiter_memory(rotating, n), 1);
    cr_assert_not(rotating->alike == SWQ_ALIKE_ALL);
    swq_context_free(ctx);
}

/* The same requests and grants as in stays_while_blocked, as long as the pointers agree: the
 * blocked input 0 is skipped like any other. A cycle in which nothing is sent changes nothing. */
Test(rotating, advancing_passes_the_blocked)
{
    static const rotating_cycle cycles[] = {
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {2, 0, 0}, {1, o, o}, 1},
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {2, 0, 0}, {1, o, o}, 2},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {2, 1, 0}, {o, o, o}, 2},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {o, o, o}, 2},
        {{{1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {0, 0, 2}, {0, o, o}, 0},
        {{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {0, 0, 0}, {0, o, o}, 1},
        {{{0, 4, 4}, {1, 1, 1}, {2, 2, 0}}, {0}, {2, 1, 0}, 2},
        {{{0, 4, 4}, {1, 1, 1}, {2, 2, 0}}, {0}, {2, 1, 0}, 0},
        {{{0, 4, 4}, {1, 1, 1}, {2, 2, 0}}, {0}, {1, 0, o}, 1},
    };

    expect_cycles("advancing", cycles, sizeof cycles / sizeof *cycles, false, 0);
}

/* It advances by one, however many packets are sent. */
Test(rotating, advancing_reads_each_queue)
{
    static const rotating_cycle cycles[] = {
        {{{1, 1, 1}, {1, 0, 2}, {1, 1, 1}}, {0}, {1, 2, 1}, 2},
        {ALL_ASK, {0}, {2, 2, 2}, 0},
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}}, {3, 0, 0}, {1, o, 2}, 1},
        {{{0, 1, 0}, {1, 1, 0}, {1, 1, 1}}, {3, 0, 0}, {1, 1, 2}, 2},
    };

    expect_cycles("advancing", cycles, sizeof cycles / sizeof *cycles, true, 1);
}

/* The rule said once more, as a list of comparisons: the longest queue of `input` whose output is
 * free, of equally long ones the first from `first` on. */
static int longest_open(const swq_requests *r, int input, int first, const int *grant)
{
    int best = SWQ_NO_INPUT, longest = 0;

    for (int k = 0; k < r->ports; k++) {
        const int j = (first + k) % r->ports;
        if (grant[j] == SWQ_NO_INPUT && r->length[input][j] > longest) {
            longest = r->length[input][j];
            best = j;
        }
    }
    return best;
}

/* All numbers of ports, each pointer, lengths with many ties, short or as long as stale ones are.
 */
Test(rotating, all_ports_and_lengths)
{
    static int length[SWQ_MAX_PORTS][SWQ_MAX_PORTS];
    uint64_t z = 1;

    for (int turn = 0; turn < 4400; turn++) {
        /* all numbers up to 32, then some up to 256 */
        const int ports = turn < 4000 ? 1 + turn % 32 : 33 + turn % 224,
                  most = turn / 64 % 2 ? 2 : 20300;
        swq_requests r = {.length = length, .ports = ports, .read_each_queue = turn / 32 % 2};
        uint16_t first = (uint16_t)(turn / 128 % ports);
        int grant[SWQ_MAX_PORTS], expected[SWQ_MAX_PORTS];
        r.memory = &first;
        for (int i = 0; i < ports; i++) {
            for (int j = 0; j < ports; j++) {
                z = z * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                r.length[i][j] = z >> 63 ? (int)((z >> 33 & 0x3fffffff) % (uint64_t)(most + 1)) : 0;
            }
        }
        for (int j = 0; j < ports; j++)
            expected[j] = SWQ_NO_INPUT;
        for (int k = 0; k < ports; k++) {
            const int input = (first + k) % ports;
            int output;
            while ((output = longest_open(&r, input, first, expected)) != SWQ_NO_INPUT) {
                expected[output] = input;
                if (!r.read_each_queue)
                    break;
            }
        }
        swq_arbiter_rotating.arbitrate(&r, NULL, grant);
        for (int j = 0; j < ports; j++)
            cr_assert_eq(grant[j], expected[j],
                         "%d ports, pointer %d: output %d takes from %d, "
                         "not %d",
                         ports, first, j, grant[j], expected[j]);
    }
}
