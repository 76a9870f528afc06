/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worst cases of rules of admission: theorems and known values as fractions, brute force over all
 * sequences, the sequence played again, the same answer on any number of threads, refusals by name,
 * and every allocation failing.
 */
#include "models/buffers/buffers.h"
#include "switchq/worst.h"
#include "tests/ref/ref_worst.h"
#include "tests/support/support.h"

#include <math.h>

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_expect_eq(swq_context_live_blocks(ctx), 0, "a block is left");
    swq_context_free(ctx);
}

TestSuite(worst, .init = setup, .fini = teardown, .timeout = 120);

static swq_buffer memory(int slots, const swq_admission_rule *rule, double alpha)
{
    return (swq_buffer){.scope = SWQ_POOL,
                        .queues = SWQ_QUEUE_PER_OUTPUT,
                        .read = SWQ_READ_EACH_QUEUE,
                        .capacity = slots,
                        .queue_max = slots,
                        .alpha = alpha,
                        .admission = rule,
                        .ties = SWQ_TIES_RANDOM};
}

static swq_worst answer(const swq_buffer *buffer, int queues, swq_worst_spec how)
{
    swq_worst worst;

    how.buffer = buffer;
    how.queues = queues;
    cr_assert_eq(swq_worst_run(ctx, &how, &worst), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert(worst.proven);
    return worst;
}

/* Expects numerator / denominator, which need not be in lowest terms. */
static void expect(const swq_buffer *b, int queues, swq_worst_spec how, int numerator,
                   int denominator)
{
    swq_worst w = answer(b, queues, how);

    cr_expect_eq(w.numerator * denominator, w.denominator * numerator,
                 "%s, %d queues, %d slots: %lld/%lld, not %d/%d", swq_buffer_admission(b)->name,
                 queues, b->capacity, (long long)w.numerator, (long long)w.denominator, numerator,
                 denominator);
    swq_worst_clear(ctx, &w);
}

static void expect_lqd(int queues, int slots, int numerator, int denominator)
{
    const swq_buffer b = memory(slots, &swq_admission_longest_queue_drop, 0);

    expect(&b, queues, swq_worst_spec_defaults(), numerator, denominator);
}

/* Kobayashi, Miyazaki and Okabe (SPAA 2007), theorem for two queues. */
Test(worst, longest_queue_drop_of_two_queues_is_the_theorem)
{
    for (int m = 2; m <= 28; m += 2)
        expect_lqd(2, m, 4 * m - 4, 3 * m - 2);
}

Test(worst, longest_queue_drop_of_two_queues_with_an_odd_memory)
{
    for (int m = 3; m <= 25; m += 2)
        expect_lqd(2, m, 4, 3);
}

Test(worst, longest_queue_drop_of_three_queues)
{
    for (int m = 4; m <= 14; m += 2)
        expect_lqd(3, m, 4 * m - 6, 3 * m - 4);
}

Test(worst, longest_queue_drop_of_more_queues)
{
    expect_lqd(4, 10, 4, 3);
    expect_lqd(4, 12, 21, 16);
    expect_lqd(6, 8, 4, 3);
}

Test(worst, five_queues_have_the_known_number_of_pairs)
{
    const swq_buffer b = memory(10, &swq_admission_longest_queue_drop, 0);
    swq_worst w = answer(&b, 5, swq_worst_spec_defaults());

    cr_expect_eq(w.numerator, 4);
    cr_expect_eq(w.denominator, 3);
    cr_expect_eq(w.nodes, 91064);
    cr_expect(w.renamed);
    swq_worst_clear(ctx, &w);
}

Test(worst, complete_sharing_loses_a_queue_for_each_queue)
{
    for (int n = 1; n <= 5; n++) {
        for (int m = 1; m <= 8; m++) {
            const swq_buffer b = memory(m, NULL, 0);
            expect(&b, n, swq_worst_spec_defaults(), n < m ? n : m, 1);
        }
    }
}

Test(worst, dynamic_thresholds)
{
    static const struct {
        int queues, slots, numerator, denominator;
        double alpha;
    } known[] = {
        {2, 24, 3, 1, 0.5}, {2, 24, 2, 1, 1}, {2, 24, 46, 29, 2}, {5, 8, 2, 1, 1}, {5, 8, 9, 4, 2}};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const swq_buffer b = memory(known[k].slots, NULL, known[k].alpha);
        expect(&b, known[k].queues, swq_worst_spec_defaults(), known[k].numerator,
               known[k].denominator);
    }
}

/* The largest memories of a table of values that others have computed with a search of their own;
 * and a limit of 18 for each queue. */
Test(worst, values_of_another_search)
{
    swq_buffer limited = memory(24, NULL, 0);

    expect_lqd(2, 40, 4 * 40 - 4, 3 * 40 - 2);
    expect_lqd(2, 41, 4, 3);
    expect_lqd(3, 20, 4 * 20 - 6, 3 * 20 - 4);
    limited.queue_max = 18;
    expect(&limited, 2, swq_worst_spec_defaults(), 46, 29);
}

Test(worst, a_limit_on_arrivals_limits_the_adversary)
{
    static const int known[][3] = {{4, 7, 6}, {6, 11, 10}, {7, 13, 12}};
    swq_worst_spec two = swq_worst_spec_defaults();

    two.arrivals = 2;
    for (int k = 0; k < 3; k++) {
        const swq_buffer b = memory(known[k][0], &swq_admission_longest_queue_drop, 0);
        expect(&b, 2, two, known[k][1], known[k][2]);
    }
}

Test(worst, harmonic)
{
    const swq_buffer two = memory(24, &swq_admission_harmonic, 0);
    const swq_buffer five = memory(8, &swq_admission_harmonic, 0);

    expect(&two, 2, swq_worst_spec_defaults(), 3, 2);
    expect(&five, 5, swq_worst_spec_defaults(), 8, 3);
}

/* 1 packet is more than 2 / (1 + 1/2 + ... + 1/5) = 0.88. */
Test(worst, a_rule_that_takes_nothing_is_unbounded)
{
    const swq_buffer b = memory(2, &swq_admission_harmonic, 0);
    swq_worst w = answer(&b, 5, swq_worst_spec_defaults());

    cr_expect(w.unbounded);
    cr_assert_gt(w.period, 0);
    for (int64_t k = w.lead; k < w.lead + w.period; k++)
        cr_expect_eq(w.step[k].rule_sent, 0);
    swq_worst_clear(ctx, &w);
}

/* Which of several longest queues loses a packet is the adversary's choice, or a given one, which
 * cannot be worse; with names of queues, nodes cannot be renamed. */
Test(worst, ties)
{
    for (int m = 3; m <= 8; m++) {
        swq_buffer b = memory(m, &swq_admission_longest_queue_drop, 0);
        swq_worst any = answer(&b, 3, swq_worst_spec_defaults());
        for (swq_ties ties = SWQ_TIES_OWN; ties < SWQ_TIES_RANDOM; ties++) {
            b.ties = ties;
            swq_worst w = answer(&b, 3, swq_worst_spec_defaults());
            cr_expect_leq(w.numerator * any.denominator, any.numerator * w.denominator);
            cr_expect_eq(w.renamed, ties == SWQ_TIES_OWN || ties == SWQ_TIES_OTHER);
            swq_worst_clear(ctx, &w);
        }
        swq_worst_clear(ctx, &any);
    }
}

/* FollowLQD takes what longest-queue drop would take, if a slot is free, and pushes nothing out. */
Test(worst, a_rule_that_keeps_words)
{
    for (int m = 2; m <= 6; m++) {
        const swq_buffer follow = memory(m, &swq_admission_follow_lqd, 0);
        const swq_buffer lqd = memory(m, &swq_admission_longest_queue_drop, 0);
        const swq_buffer sharing = memory(m, NULL, 0);
        swq_worst f = answer(&follow, 2, swq_worst_spec_defaults());
        swq_worst l = answer(&lqd, 2, swq_worst_spec_defaults());
        swq_worst s = answer(&sharing, 2, swq_worst_spec_defaults());
        cr_expect_gt(f.nodes, l.nodes);
        cr_expect_geq(f.numerator * l.denominator, l.numerator * f.denominator, "%d", m);
        cr_expect_leq(f.numerator * s.denominator, s.numerator * f.denominator, "%d", m);
        swq_worst_clear(ctx, &f);
        swq_worst_clear(ctx, &l);
        swq_worst_clear(ctx, &s);
    }
}

/* ---- values ---- */

/* With packets worth low and high. */
static swq_worst_spec valued(int low, int high)
{
    swq_worst_spec spec = swq_worst_spec_defaults();

    spec.value[0] = low;
    spec.value[1] = high;
    return spec;
}

/* Is the answer `factor` times that without classes, a fraction? */
static void expect_times(const swq_buffer *b, int queues, swq_worst_spec spec, int high, int low)
{
    swq_worst_spec plain = spec;

    plain.value[0] = plain.value[1] = 0;
    swq_worst one = answer(b, queues, plain), two = answer(b, queues, spec);
    cr_expect_eq(two.unbounded, one.unbounded);
    cr_expect_eq(two.numerator * one.denominator * low, one.numerator * high * two.denominator,
                 "%s, %d queues, %d slots: %lld/%lld", swq_buffer_admission(b)->name, queues,
                 b->capacity, (long long)two.numerator, (long long)two.denominator);
    cr_expect_gt(two.nodes, one.nodes);
    swq_worst_clear(ctx, &one);
    swq_worst_clear(ctx, &two);
}

/* The rules of admission that worst takes and that need no numbers, as rows of the table. */
static bool next_rule(int *k, int queues, int slots, swq_buffer *b)
{
    swq_worst_spec spec = swq_worst_spec_defaults();

    for (; swq_admission_rules[*k]; (*k)++) {
        if (swq_admission_rules[*k]->keeps > 1) /* many pairs */
            continue;
        *b = memory(slots, NULL, 0);
        spec.buffer = b;
        spec.queues = queues;
        if (!swq_buffer_set_admission(ctx, swq_admission_rules[*k],
                                      SWQ_ADMISSION_TIES & swq_admission_rules[*k]->takes, queues,
                                      b) &&
            !swq_worst_check(ctx, &spec)) {
            (*k)++;
            return true;
        }
    }
    return false;
}

/* Two classes that are worth the same change no ratio, of any rule, and no excess. */
Test(worst, classes_of_the_same_worth_change_nothing)
{
    static const int sizes[][2] = {{1, 3}, {2, 2}, {2, 3}, {2, 4}, {3, 3}};
    int rules = 0;

    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        swq_buffer b;
        for (int k = 0; next_rule(&k, sizes[size][0], sizes[size][1], &b); rules++) {
            swq_worst_spec spec = valued(1, 1);
            expect_times(&b, sizes[size][0], spec, 1, 1);
            spec.objective = SWQ_WORST_EXCESS;
            expect_times(&b, sizes[size][0], spec, 1, 1);
        }
    }
    cr_expect_geq(rules, 5 * 6);
}

/* One queue that pushes nothing out fills with cheap packets, and the optimum takes dear ones. */
Test(worst, one_queue_without_push_out_has_the_ratio_of_the_values)
{
    for (int m = 1; m <= 6; m++) {
        const swq_buffer b = memory(m, NULL, 0);
        expect(&b, 1, valued(1, 3), 3, 1);
        expect(&b, 1, valued(2, 3), 3, 2);
    }
}

/* A rule that is blind to values is at most V times as bad as without them; here it is that bad. */
Test(worst, blind_rules_are_as_many_times_worse_as_packets_are_worth)
{
    static const int sizes[][2] = {{2, 2}, {2, 3}, {2, 4}, {3, 3}};

    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        swq_buffer b;
        for (int k = 0; next_rule(&k, sizes[size][0], sizes[size][1], &b);) {
            expect_times(&b, sizes[size][0], valued(2, 5), 5, 2);
            b.drop_head = true;
            expect_times(&b, sizes[size][0], valued(1, 3), 3, 1);
        }
    }
}

Test(worst, classes_are_checked)
{
    swq_buffer b = memory(4, NULL, 0);
    const swq_worst_spec bad[] = {valued(0, 2), valued(2, 1), valued(-1, 3), valued(1, 1001)};
    swq_worst w;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        swq_worst_spec spec = bad[k];
        spec.buffer = &b;
        spec.queues = 2;
        cr_expect_eq(swq_worst_run(ctx, &spec, &w), SWQ_EINVAL);
        cr_expect(strstr(swq_context_message(ctx), "classes"));
    }
    swq_worst_spec large = valued(1, 2);
    double bytes;
    b = memory(9, NULL, 0);
    large.buffer = &b;
    large.queues = 2;
    cr_assert_eq(swq_worst_foresee(ctx, &large, &bytes), SWQ_OK);
    cr_expect(bytes > 5e8 && bytes < 6e8, "%g", bytes);
    swq_context_limit_memory(ctx, 300u << 20);
    cr_expect_eq(swq_worst_run(ctx, &large, &w), SWQ_ELIMIT);
}

/* ---- brute force ---- */

/* The ratio is not exceeded, and one a tenth smaller is; that the ratio itself is reached, the
 * sequences show. */
Test(worst, brute_force_over_all_sequences)
{
    static const int sizes[][2] = {{2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {3, 3}};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int queues = sizes[k][0], slots = sizes[k][1];
        const swq_buffer b = memory(slots, &swq_admission_longest_queue_drop, 0);
        swq_worst w = answer(&b, queues, swq_worst_spec_defaults());
        const int p = (int)w.numerator, q = (int)w.denominator;
        cr_expect_not(ref_worst_exceeds(queues, slots, p, q), "%d, %d: more than %d/%d", queues,
                      slots, p, q);
        cr_expect(ref_worst_exceeds(queues, slots, 9 * p, 10 * q), "%d, %d: %d/%d", queues, slots,
                  p, q);
        swq_worst_clear(ctx, &w);
    }
}

/* ---- the sequence ---- */

/* Plays the sequence, and returns what both schedules send in the period, `repeat` times. */
static void play(const swq_buffer *b, int queues, const swq_worst *w, int64_t *rule_sent,
                 int64_t *optimum_sent)
{
    uint16_t rule[SWQ_WORST_QUEUES] = {0};
    int optimum[SWQ_WORST_QUEUES] = {0};

    *rule_sent = *optimum_sent = 0;
    for (int64_t k = 0; k < w->lead + w->period; k++) {
        const swq_worst_step *step = &w->step[k];
        int held = 0;
        if (k == w->lead)
            *rule_sent = *optimum_sent = 0;
        for (int q = 0; q < queues && step->queue < 0; q++) {
            *rule_sent += rule[q] > 0;
            *optimum_sent += optimum[q] > 0;
            rule[q] = (uint16_t)(rule[q] - (rule[q] > 0));
            optimum[q] -= optimum[q] > 0;
        }
        if (step->queue >= 0) {
            swq_dice dice;
            bool allowed = false;
            swq_dice_begin_enumeration(&dice);
            do
                allowed |= swq_buffer_fate(b, queues, rule, NULL, step->queue, &dice) == step->fate;
            while (swq_dice_next(&dice));
            cr_assert(allowed, "step %lld", (long long)k);
            rule[step->queue] = (uint16_t)(rule[step->queue] + (step->fate != SWQ_REFUSE));
            if (step->fate >= 0)
                rule[step->fate]--;
            optimum[step->queue] += step->taken;
        }
        for (int q = 0; q < queues; q++) {
            held += optimum[q];
            cr_assert_eq(rule[q], step->rule[q], "step %lld", (long long)k);
            cr_assert_eq(optimum[q], step->optimum[q], "step %lld", (long long)k);
        }
        cr_assert_leq(held, b->capacity);
    }
}

Test(worst, the_sequence_reaches_the_ratio)
{
    static const int sizes[][2] = {{2, 3}, {2, 8}, {3, 6}, {3, 7}, {4, 5}, {4, 6}, {5, 6}};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int lqd = 0; lqd < 2; lqd++) {
            const swq_buffer b =
                memory(sizes[k][1], lqd ? &swq_admission_longest_queue_drop : NULL, 0);
            int64_t rule, optimum;
            swq_worst w = answer(&b, sizes[k][0], swq_worst_spec_defaults());
            play(&b, sizes[k][0], &w, &rule, &optimum);
            cr_expect_gt(rule, 0);
            cr_expect_eq(optimum * w.denominator, rule * w.numerator);
            swq_worst_clear(ctx, &w);
        }
    }
}

Test(worst, threads_change_nothing)
{
    const swq_buffer b = memory(14, &swq_admission_longest_queue_drop, 0);
    swq_worst one = answer(&b, 3, swq_worst_spec_defaults());

    swq_context_use_threads(ctx, 3);
    swq_worst three = answer(&b, 3, swq_worst_spec_defaults());
    cr_expect_eq(one.improvements, three.improvements);
    cr_expect_eq(one.numerator, three.numerator);
    cr_assert_eq(one.lead, three.lead);
    cr_assert_eq(one.period, three.period);
    cr_expect_arr_eq(one.step, three.step, sizeof *one.step * (size_t)(one.lead + one.period));
    swq_worst_clear(ctx, &one);
    swq_worst_clear(ctx, &three);
}

/* ---- other objectives ---- */

/* The excess of longest-queue drop in two queues, by the sequence of the ratio or a better one: at
 * least (ratio - 1) times what the rule sends in that sequence's phases. */
Test(worst, the_excess_is_at_least_that_of_the_worst_ratio)
{
    swq_worst_spec excess = swq_worst_spec_defaults();

    excess.objective = SWQ_WORST_EXCESS;
    for (int m = 2; m <= 9; m++) {
        const swq_buffer b = memory(m, &swq_admission_longest_queue_drop, 0);
        swq_worst r = answer(&b, 2, swq_worst_spec_defaults()), e = answer(&b, 2, excess);
        int64_t rule, optimum, phases = 0;
        play(&b, 2, &r, &rule, &optimum);
        for (int64_t k = r.lead; k < r.lead + r.period; k++)
            phases += r.step[k].queue < 0;
        cr_expect_geq(e.numerator * phases, e.denominator * (optimum - rule), "%d slots", m);
        swq_worst_clear(ctx, &r);
        swq_worst_clear(ctx, &e);
    }
}

/* Complete sharing: two queues lose one packet a phase; with speed 2 the rule sends what it has
 * sooner, and is never worse than without. */
Test(worst, speed_helps_the_rule)
{
    swq_worst_spec fast = swq_worst_spec_defaults();

    fast.speedup = 2;
    for (int m = 2; m <= 8; m++) {
        const swq_buffer b = memory(m, &swq_admission_longest_queue_drop, 0);
        swq_worst slow = answer(&b, 3, swq_worst_spec_defaults()), quick = answer(&b, 3, fast);
        cr_expect_leq(quick.numerator * slow.denominator, slow.numerator * quick.denominator);
        cr_expect_geq(quick.numerator, quick.denominator);
        swq_worst_clear(ctx, &slow);
        swq_worst_clear(ctx, &quick);
    }
}

/* ---- the best rule ---- */

static swq_worst best(int queues, int slots, swq_worst_rule_of rule)
{
    const swq_buffer b = memory(slots, NULL, 0);
    swq_worst_spec how = swq_worst_spec_defaults();

    how.rule = rule;
    return answer(&b, queues, how);
}

static void expect_best(int queues, int slots, swq_worst_rule_of rule, int numerator,
                        int denominator)
{
    swq_worst w = best(queues, slots, rule);

    cr_expect(w.numerator == numerator && w.denominator == denominator, "%d slots: %lld/%lld",
              slots, (long long)w.numerator, (long long)w.denominator);
}

/* Values of a program that shares no code with this one, and keeps whole work functions. */
Test(worst, the_best_rule_of_two_queues)
{
    expect_best(2, 2, SWQ_WORST_BEST, 1, 1);
    expect_best(2, 3, SWQ_WORST_BEST, 4, 3);
    expect_best(2, 2, SWQ_WORST_BEST_NO_PUSH_OUT, 2, 1);
    expect_best(2, 3, SWQ_WORST_BEST_NO_PUSH_OUT, 3, 2);
    expect_best(1, 9, SWQ_WORST_BEST, 1, 1);
}

/* At these sizes the best rule is no better than longest-queue drop, whose ratio comes from a
 * graph of its own. */
Test(worst, longest_queue_drop_is_a_best_rule_of_small_memories)
{
    static const int most[] = {0, 0, 8, 6, 4};

    for (int n = 2; n <= 4; n++)
        for (int m = 2; m <= most[n]; m++) {
            swq_worst w = best(n, m, SWQ_WORST_BEST);
            expect_lqd(n, m, (int)w.numerator, (int)w.denominator);
        }
}

/* No row that takes and refuses is better than the best rule that does. */
Test(worst, no_threshold_is_better_than_the_best_rule_without_push_out)
{
    for (int n = 2; n <= 3; n++)
        for (int m = 2; m <= 6; m++) {
            swq_worst w = best(n, m, SWQ_WORST_BEST_NO_PUSH_OUT);
            for (double alpha = 0; alpha <= 4; alpha += 0.5) {
                const swq_buffer b = memory(m, NULL, alpha);
                swq_worst t = answer(&b, n, swq_worst_spec_defaults());
                cr_expect_leq(w.numerator * t.denominator, t.numerator * w.denominator,
                              "%d queues, %d slots, alpha %g", n, m, alpha);
                swq_worst_clear(ctx, &t);
            }
        }
}

Test(worst, every_allocation_of_the_best_rule_may_fail)
{
    const swq_buffer b = memory(4, NULL, 0);
    swq_worst_spec spec = swq_worst_spec_defaults();
    swq_status status = SWQ_ENOMEM;
    swq_worst w;

    spec.buffer = &b;
    spec.queues = 2;
    spec.rule = SWQ_WORST_BEST;
    for (size_t k = 0; status; k++) {
        swq_context_fail_allocations(ctx, k, k % 2);
        status = swq_worst_run(ctx, &spec, &w);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%zu: %s", k, swq_status_text(status));
        cr_assert_eq(swq_context_live_blocks(ctx), 0, "%zu", k);
    }
}

/* ---- refusals, memory ---- */

static void expect_refused(swq_buffer b, int queues, int speedup, int arrivals, const char *part)
{
    swq_worst_spec spec = swq_worst_spec_defaults();
    swq_worst w;

    spec.buffer = &b;
    spec.queues = queues;
    spec.speedup = speedup;
    spec.arrivals = arrivals;
    cr_assert_eq(swq_worst_run(ctx, &spec, &w), SWQ_EINVAL, "%s", part);
    cr_expect(strstr(swq_context_message(ctx), part), "'%s' lacks '%s'", swq_context_message(ctx),
              part);
}

Test(worst, refusals_name_what_is_wrong)
{
    static const swq_admission_rule aged = {.name = "aged", .needs = SWQ_NEEDS(SWQ_NEED_AGES)};
    swq_buffer per_input = memory(4, NULL, 0);

    per_input.scope = SWQ_PER_INPUT;
    expect_refused(memory(4, NULL, 0), 0, 1, 0, "queues must be 1 to 8, not 0");
    expect_refused(memory(0, NULL, 0), 2, 1, 0, "slots must be 1 to 1000, not 0");
    expect_refused(memory(4, NULL, 0), 2, 9, 0, "speedup must be 1 to 8, not 9");
    expect_refused(memory(4, NULL, 0), 2, 1, -1, "arrivals-per-phase");
    expect_refused(memory(4, &aged, 0), 2, 1, 0, "ages");
    expect_refused(per_input, 2, 1, 0, "pool");
}

Test(worst, memory_is_foreseen)
{
    const swq_buffer b = memory(40, &swq_admission_longest_queue_drop, 0);
    swq_worst_spec spec = swq_worst_spec_defaults();
    double bytes;
    swq_worst w;

    spec.buffer = &b;
    spec.queues = 3;
    cr_assert_eq(swq_worst_foresee(ctx, &spec, &bytes), SWQ_OK);
    cr_expect(bytes > 3.4e8 && bytes < 4e8, "%g", bytes);
    swq_context_limit_memory(ctx, 100u << 20);
    cr_expect_eq(swq_worst_run(ctx, &spec, &w), SWQ_ELIMIT);
    cr_expect(strstr(swq_context_message(ctx), "limit"));
}

Test(worst, every_allocation_may_fail)
{
    const swq_buffer b = memory(5, &swq_admission_longest_queue_drop, 0);
    swq_worst_spec spec = swq_worst_spec_defaults();
    swq_status status = SWQ_ENOMEM;
    swq_worst w;

    spec.buffer = &b;
    spec.queues = 3;
    for (size_t k = 0; status; k++) {
        swq_context_fail_allocations(ctx, k, k % 2);
        status = swq_worst_run(ctx, &spec, &w);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        cr_assert(status == SWQ_OK || status == SWQ_ENOMEM, "%zu: %s", k, swq_status_text(status));
        if (status)
            cr_assert_eq(swq_context_live_blocks(ctx), 0, "%zu", k);
    }
    swq_worst_clear(ctx, &w);
}

/* The rules that take every packet for which there is room have the number of queues as a bound;
 * dynamic thresholds may exceed it. */
Test(worst, a_cancellation_leaves_bounds)
{
    const struct {
        const swq_admission_rule *rule;
        double alpha;
        swq_worst_objective objective;
        double upper;
    } cases[] = {
        {&swq_admission_longest_queue_drop, 0, SWQ_WORST_THROUGHPUT, 2},
        {&swq_admission_room, 0, SWQ_WORST_THROUGHPUT, 2},
        {&swq_admission_threshold, 0.5, SWQ_WORST_THROUGHPUT, INFINITY},
        {&swq_admission_threshold, 0.5, SWQ_WORST_EXCESS, 2},
        {&swq_admission_harmonic, 0, SWQ_WORST_THROUGHPUT, INFINITY},
        {&swq_admission_edt, 1, SWQ_WORST_THROUGHPUT, INFINITY},
        {&swq_admission_tdt, 1, SWQ_WORST_EXCESS, 2},
    };

    swq_context_cancel(ctx);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const swq_buffer b = memory(30, cases[k].rule, cases[k].alpha);
        swq_worst_spec spec = swq_worst_spec_defaults();
        swq_worst w;
        spec.buffer = &b;
        spec.queues = 2;
        spec.objective = cases[k].objective;
        cr_assert_eq(swq_worst_run(ctx, &spec, &w), SWQ_ECANCELLED);
        cr_expect_not(w.proven);
        cr_expect_leq((double)w.numerator / (double)w.denominator, w.upper);
        cr_expect_eq(w.upper, cases[k].upper, "%zu: %g", k, w.upper);
        swq_worst_clear(ctx, &w);
    }
}

/* Rounds in both directions settle the values of a large memory in few rounds: with rounds in one
 * direction, each of which is evaluated, they took 42 and 185. */
Test(worst, rounds_are_few)
{
    const swq_buffer lqd = memory(40, &swq_admission_longest_queue_drop, 0);
    const swq_buffer threshold = memory(50, &swq_admission_threshold, 1);
    swq_worst w = answer(&lqd, 2, swq_worst_spec_defaults());

    cr_expect_lt(w.improvements, 35, "%lld", (long long)w.improvements);
    swq_worst_clear(ctx, &w);
    w = answer(&threshold, 2, swq_worst_spec_defaults());
    cr_expect_lt(w.improvements, 35, "%lld", (long long)w.improvements);
    swq_worst_clear(ctx, &w);
}
