/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/matching.c: what is decided step by step, and part by part, has the chances that the
 * arbiter's own fall of the dice has, run on the whole switch.
 */
#include "models/matching.h"
#include "tests/models/arbiters/distribution.h"
#include "tests/support/support.h"

#include <gsl/gsl_rng.h>

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

TestSuite(matching, .init = setup, .fini = teardown, .timeout = 240);

enum { PORTS = 4, SETS = 5 * 5 * 5 * 5, PATTERNS_4 = 317 };

typedef int lengths[SWQ_ROW_PORTS][SWQ_ROW_PORTS];

/* Indexed by the number of a set of grants: digit j in base 5 is the input that sends to output j,
 * plus 1. */
typedef struct {
    long double chance[SETS];
} matching_distribution;

static int number_of(const int *grant, int ports)
{
    int number = 0;

    for (int j = ports - 1; j >= 0; j--)
        number = number * 5 + grant[j] + 1;
    return number;
}

static const char *text_of(const swq_switch *sw, lengths length)
{
    static char text[300];
    size_t used = (size_t)snprintf(text, sizeof text, "%s, %d rounds, read %d:", sw->arbiter->name,
                                   sw->iterations, (int)sw->buffer.read);

    for (int q = 0; q < sw->ports * sw->ports; q++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d",
                                 q % sw->ports ? " " : " / ", length[q / sw->ports][q % sw->ports]);
    return text;
}

/* The distribution of the arbiter on the whole switch. */
static matching_distribution by_dice(const swq_switch *sw, lengths length)
{
    swq_requests r = {.length = LENGTHS,
                      .ports = sw->ports,
                      .read_each_queue = sw->buffer.read == SWQ_READ_EACH_QUEUE,
                      .iterations = sw->iterations > 0 ? sw->iterations : 1};
    matching_distribution d = {{0}};
    int grant[SWQ_CHAIN_PORTS];
    swq_dice dice;

    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports; j++) {
            r.length[i][j] = length[i][j];
            r.waiting[i] += length[i][j];
        }
    }
    swq_dice_begin_enumeration(&dice);
    do {
        sw->arbiter->arbitrate(&r, &dice, grant);
        d.chance[number_of(grant, sw->ports)] += dice.probability;
    } while (swq_dice_next(&dice));
    return d;
}

/* Multiplies the decisions of part p and those of the parts after it. */
static void combine(const swq_matchings *m, const swq_switch_part *part, const int32_t *first,
                    const int32_t *count, int parts, int p, int *grant, long double chance,
                    matching_distribution *d)
{
    if (p == parts) {
        d->chance[number_of(grant, m->sw->ports)] += chance;
        return;
    }
    for (int32_t k = first[p]; k < first[p] + count[p]; k++) {
        for (int b = 0; b < part[p].outputs; b++) {
            int input = m->list[k].grant[b];
            grant[part[p].output[b]] = input == SWQ_NO_INPUT ? SWQ_NO_INPUT : part[p].input[input];
        }
        combine(m, part, first, count, parts, p + 1, grant, chance * m->list[k].chance, d);
    }
}

/* Parts share no port, and together contain every request. */
static void expect_parts(const swq_switch *sw, lengths length, const swq_switch_part *part,
                         int parts)
{
    unsigned inputs = 0, outputs = 0;

    for (int p = 0; p < parts; p++) {
        for (int a = 0; a < part[p].inputs; a++) {
            int i = part[p].input[a];
            cr_assert_not(inputs >> i & 1, "%s: input %d twice", text_of(sw, length), i);
            inputs |= 1u << i;
            for (int b = 0; b < part[p].outputs; b++) {
                int packets = length[i][part[p].output[b]];
                cr_assert_eq(part[p].length[a][b],
                             swq_arbiter_blind(sw->arbiter) ? packets > 0 : packets);
            }
        }
        for (int b = 0; b < part[p].outputs; b++) {
            cr_assert_not(outputs >> part[p].output[b] & 1, "%s", text_of(sw, length));
            outputs |= 1u << part[p].output[b];
        }
    }
    for (int p = 0; p < parts; p++) { /* nothing is asked for outside an input's part */
        unsigned own = 0;
        for (int b = 0; b < part[p].outputs; b++)
            own |= 1u << part[p].output[b];
        for (int a = 0; a < part[p].inputs; a++) {
            for (int j = 0; j < sw->ports; j++)
                cr_assert(!length[part[p].input[a]][j] || own >> j & 1, "%s", text_of(sw, length));
        }
    }
    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports; j++)
            cr_assert(!length[i][j] || (inputs >> i & 1), "%s: input %d left out",
                      text_of(sw, length), i);
    }
}

static void expect_decisions(swq_matchings *m, lengths length)
{
    const swq_switch *sw = m->sw;
    swq_switch_part part[SWQ_ROW_PORTS];
    int32_t first[SWQ_ROW_PORTS], count[SWQ_ROW_PORTS];
    int grant[SWQ_CHAIN_PORTS];
    matching_distribution whole = by_dice(sw, length), parted = {{0}};
    int parts = swq_matchings_parts(m, length, part);

    expect_parts(sw, length, part, parts);
    for (int p = 0; p < parts; p++) {
        long double sum = 0;
        cr_assert_eq(swq_matchings_of(ctx, m, &part[p], &first[p], &count[p]), SWQ_OK);
        for (int32_t k = first[p]; k < first[p] + count[p]; k++) {
            cr_assert_gt(m->list[k].chance, 0);
            for (int32_t e = first[p]; e < k; e++)
                cr_assert_neq(memcmp(m->list[e].grant, m->list[k].grant, sizeof m->list[k].grant),
                              0, "%s: a decision twice", text_of(sw, length));
            sum += m->list[k].chance;
        }
        cr_assert(fabsl(sum - 1) < 1e-17L * 64, "%s: chances sum to %.20Lg", text_of(sw, length),
                  sum);
    }
    for (int j = 0; j < SWQ_CHAIN_PORTS; j++)
        grant[j] = SWQ_NO_INPUT;
    combine(m, part, first, count, parts, 0, grant, 1, &parted);
    for (int s = 0; s < SETS; s++)
        assert_relative((double)parted.chance[s], (double)whole.chance[s], 1e-15,
                        "%s: set %d %.20Lg not %.20Lg", text_of(sw, length), s, parted.chance[s],
                        whole.chance[s]);
    /* the same requests are looked up, not computed again */
    int64_t listed = m->listed;
    for (int p = 0; p < parts; p++) {
        int32_t again, number;
        cr_assert_eq(swq_matchings_of(ctx, m, &part[p], &again, &number), SWQ_OK);
        cr_assert(again == first[p] && number == count[p]);
    }
    cr_assert_eq(m->listed, listed);
}

static void of_number(int ports, int number, int base, lengths length)
{
    for (int q = 0; q < ports * ports; q++, number /= base)
        length[q / ports][q % ports] = number % base;
}

/* Is this 4x4 pattern the smallest of its images under permutations of rows and columns? */
static bool is_least(int pattern)
{
    static const char *const orders = "012301320213023103120321102310321203123013021320201320312103"
                                      "2130230123103012302131023120320"
                                      "13210";

    for (int in = 0; in < 24; in++) {
        for (int out = 0; out < 24; out++) {
            int image = 0;
            for (int q = 0; q < 16; q++) {
                int to = 4 * (orders[4 * in + q / 4] - '0') + orders[4 * out + q % 4] - '0';
                image |= (pattern >> q & 1) << to;
            }
            if (image < pattern)
                return false;
        }
    }
    return true;
}

static int least_patterns(int *pattern)
{
    int patterns = 0;

    for (int p = 0; p < 65536; p++) {
        /* the smallest has its rows in order, which saves most of the work */
        bool ascending = true;
        for (int i = 1; i < 4; i++)
            ascending = ascending && (p >> 4 * i & 15) <= (p >> 4 * (i - 1) & 15);
        if (ascending && is_least(p)) {
            cr_assert_lt(patterns, PATTERNS_4);
            pattern[patterns++] = p;
        }
    }
    return patterns;
}

/* Every pattern of two and three ports, and those of four up to renaming: with one read port and
 * with one for each queue, in one iteration and in more. */
Test(matching, by_parts_and_steps_as_by_dice)
{
    int pattern[PATTERNS_4], patterns = least_patterns(pattern);

    cr_assert_eq(patterns, PATTERNS_4, "%d", patterns);
    for (int k = 0; swq_arbiters[k]; k++) {
        bool rounds = strcmp(swq_arbiters[k]->name, "pim") == 0;
        if (swq_arbiters[k]->memory)
            continue;
        for (int n = 2; n <= PORTS; n++) {
            for (int variant = 0; variant < (rounds ? 4 : 2); variant++) {
                swq_switch sw = test_switch(ctx, variant % 2 ? "dafc" : "damq", n, 2, 0.5,
                                            swq_arbiters[k]->name);
                swq_matchings m;
                int all = n == 2 ? 81 : n == 3 ? 512 : patterns;
                sw.iterations = 1 + variant / 2;
                swq_matchings_init(&sw, &m);
                for (int p = 0; p < all; p++) {
                    lengths length = {{0}};
                    if (n == 4 && rounds && variant && p % 4)
                        continue; /* too many outcomes of the dice */
                    of_number(n, n == 4 ? pattern[p] : p, n == 2 ? 3 : 2, length);
                    expect_decisions(&m, length);
                }
                swq_matchings_clear(ctx, &m);
            }
        }
    }
}

/* Where lengths matter: random lengths, including ties. */
Test(matching, lengths_at_random)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, 21);
    for (int k = 0; swq_arbiters[k]; k++) {
        if (swq_arbiters[k]->memory)
            continue;
        for (int n = 3; n <= PORTS; n++) {
            swq_switch sw = test_switch(ctx, "damq", n, 2, 0.5, swq_arbiters[k]->name);
            swq_matchings m;
            sw.iterations = 2;
            swq_matchings_init(&sw, &m);
            for (int round = 0; round < (n == 3 ? 200 : 40); round++) {
                lengths length = {{0}};
                for (int q = 0; q < n * n; q++)
                    length[q / n][q % n] =
                        gsl_rng_uniform(rng) < 0.5 ? (int)gsl_rng_uniform_int(rng, 4) : 0;
                expect_decisions(&m, length);
            }
            swq_matchings_clear(ctx, &m);
        }
    }
    gsl_rng_free(rng);
}

/* Full 6x6 requests: half a million outcomes of the dice, few steps. By symmetry all full matchings
 * of the random arbiter are equally likely. */
Test(matching, steps_keep_wide_switches_short)
{
    swq_switch sw = test_switch(ctx, "damq", 6, 2, 0.5, "random");
    lengths length = {{0}};
    swq_switch_part part[SWQ_ROW_PORTS];
    swq_matchings m;
    int32_t first, count;

    for (int q = 0; q < 36; q++)
        length[q / 6][q % 6] = 1;
    swq_matchings_init(&sw, &m);
    cr_assert_eq(swq_matchings_parts(&m, length, part), 1);
    cr_assert_eq(swq_matchings_of(ctx, &m, part, &first, &count), SWQ_OK);
    cr_assert_eq(count, 720);
    for (int32_t k = first; k < first + count; k++)
        assert_relative((double)m.list[k].chance, 1.0 / 720, 1e-15, "%.20Lg", m.list[k].chance);
    swq_matchings_clear(ctx, &m);
}

/* A failed allocation is reported, and everything is cleared. */
Test(matching, every_allocation_failing)
{
    static const char *const names[] = {"random", "pim"};

    for (int k = 0; k < 2; k++) {
        swq_switch sw = test_switch(ctx, "damq", 3, 2, 0.5, names[k]);
        for (size_t after = 0;; after++) {
            lengths length = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
            swq_switch_part part[SWQ_ROW_PORTS];
            swq_matchings m;
            int32_t first = -7, count = -7;
            cr_assert_lt(after, 100);
            swq_matchings_init(&sw, &m);
            swq_context_fail_allocations(ctx, after, true);
            swq_matchings_parts(&m, length, part);
            swq_status status = swq_matchings_of(ctx, &m, part, &first, &count);
            swq_context_fail_allocations(ctx, SIZE_MAX, false);
            swq_matchings_clear(ctx, &m);
            cr_assert_eq(swq_context_live_blocks(ctx), 0);
            if (!status)
                break;
            cr_assert_eq(status, SWQ_ENOMEM);
            cr_assert(first == -7 && count == -7);
        }
    }
}
