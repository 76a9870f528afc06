/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared memory in continuous time: rationals, every state of small memories written out and
 * weighed, the chain itself iterated until it stands, limits between the policies, Little's law and
 * the square-root rule.
 */
#include "tests/models/formulas/rows.h"

enum { QUEUES = 3, MOST = 12 };

static bool allowed(const swq_sharing *s, const int *n)
{
    int shared = s->slots;

    for (int i = 0; i < s->queues; i++)
        shared -= s->reserved ? s->reserved[i] : 0;
    for (int i = 0; i < s->queues; i++) {
        int own = s->reserved ? s->reserved[i] : 0;
        if (n[i] > (s->most ? s->most[i] : s->slots))
            return false;
        shared -= n[i] > own ? n[i] - own : 0;
    }
    return shared >= 0;
}

static double rho(const swq_sharing *s, int i)
{
    return s->load[i] / (s->service ? s->service[i] : 1);
}

/* Sums over all states of QUEUES queues. */
static void written_out(const swq_sharing *s, swq_sharing_flow *each)
{
    double total = 0, lost[QUEUES] = {0}, mean[QUEUES] = {0};
    int n[QUEUES];

    for (n[0] = 0; n[0] <= s->slots; n[0]++)
        for (n[1] = 0; n[1] <= s->slots; n[1]++)
            for (n[2] = 0; n[2] <= s->slots; n[2]++) {
                if (!allowed(s, n))
                    continue;
                double weight = 1;
                for (int i = 0; i < QUEUES; i++)
                    weight *= pow(rho(s, i), n[i]);
                total += weight;
                for (int i = 0; i < QUEUES; i++) {
                    mean[i] += n[i] * weight;
                    n[i]++;
                    lost[i] += allowed(s, n) ? 0 : weight;
                    n[i]--;
                }
            }
    for (int i = 0; i < QUEUES; i++) {
        each[i].loss = lost[i] / total;
        each[i].mean = mean[i] / total;
        each[i].throughput = s->load[i] * (1 - each[i].loss);
        each[i].delay = each[i].mean / each[i].throughput;
    }
}

Test(sharing, every_state)
{
    const double loads[][QUEUES] = {{1, 0.5, 0.7}, {0.2, 3, 1}, {8, 5, 0.01}};
    const double services[QUEUES] = {1, 2, 0.5};
    const int most[][QUEUES] = {{6, 6, 6}, {3, 9, 1}, {12, 2, 5}};
    const int reserved[][QUEUES] = {{2, 1, 1}, {0, 3, 1}, {4, 2, 0}};
    swq_context *ctx = swq_context_new();

    for (int c = 0; c < 3 * 3 * 4 * 2; c++) {
        int limits = c / 3 % 3, policy = c / 9 % 4;
        swq_sharing s = {.queues = QUEUES,
                         .slots = 8,
                         .load = loads[c % 3],
                         .service = c >= 36 ? services : NULL,
                         .most = policy & 1 ? most[limits] : NULL,
                         .reserved = policy & 2 ? reserved[limits] : NULL};
        swq_sharing_flow each[QUEUES], expected[QUEUES], all;
        double mean = 0, sent = 0;
        cr_assert_eq(swq_sharing_solve(ctx, &s, each, &all), SWQ_OK, "%s",
                     swq_context_message(ctx));
        written_out(&s, expected);
        for (int i = 0; i < QUEUES; i++) {
            assert_relative(each[i].loss, expected[i].loss, 1e-13, "case %d, queue %d", c, i);
            assert_relative(each[i].mean, expected[i].mean, 1e-13, "case %d, queue %d", c, i);
            assert_relative(each[i].throughput, expected[i].throughput, 1e-12, "case %d", c);
            assert_relative(each[i].delay, expected[i].delay, 1e-12, "case %d", c);
            mean += each[i].mean;
            sent += each[i].throughput;
        }
        assert_relative(all.delay, mean / sent, 1e-13, "case %d", c);
    }
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

/* The product form itself: the chain of two queues, stepped until it converges. */
Test(sharing, the_chain)
{
    const double load[] = {1.5, 0.6}, service[] = {1, 0.8};
    const int most[] = {5, 4}, reserved[] = {2, 1};
    const swq_sharing s = {2, 6, load, service, most, reserved};
    swq_context *ctx = swq_context_new();
    swq_sharing_flow each[2];
    static double p[MOST][MOST], next[MOST][MOST];
    const double step = 0.2; /* all rates together below 5 */

    p[0][0] = 1;
    for (int t = 0; t < 4000; t++) {
        memset(next, 0, sizeof next);
        for (int a = 0; a <= 6; a++) {
            for (int b = 0; b <= 6; b++) {
                double stay = p[a][b];
                const int more[] = {a + 1, b}, other[] = {a, b + 1};
                const double rate[] = {allowed(&s, more) ? load[0] : 0,
                                       allowed(&s, other) ? load[1] : 0, a ? service[0] : 0,
                                       b ? service[1] : 0};
                next[a + 1][b] += step * rate[0] * p[a][b];
                next[a][b + 1] += step * rate[1] * p[a][b];
                if (a)
                    next[a - 1][b] += step * rate[2] * p[a][b];
                if (b)
                    next[a][b - 1] += step * rate[3] * p[a][b];
                for (int k = 0; k < 4; k++)
                    stay -= step * rate[k] * p[a][b];
                next[a][b] += stay;
            }
        }
        memcpy(p, next, sizeof p);
    }
    cr_assert_eq(swq_sharing_solve(ctx, &s, each, NULL), SWQ_OK);
    for (int i = 0; i < 2; i++) {
        double lost = 0, mean = 0;
        for (int a = 0; a <= 6; a++) {
            for (int b = 0; b <= 6; b++) {
                const int n[] = {a + (i == 0), b + (i == 1)};
                lost += allowed(&s, n) ? 0 : p[a][b];
                mean += (i == 0 ? a : b) * p[a][b];
            }
        }
        assert_relative(each[i].loss, lost, 1e-11, "queue %d: %.14g, not %.14g", i, each[i].loss,
                        lost);
        assert_relative(each[i].mean, mean, 1e-11, "queue %d", i);
    }
    swq_context_free(ctx);
}

Test(sharing, rationals)
{
    const struct {
        const char *name, *arguments;
        double loss;
    } cases[] = {
        {"complete-sharing", "1 - 2 10", 1.0 / 6},
        {"complete-partitioning", "1 - 2 10", 1.0 / 6},
        {"complete-partitioning", "1 - 2 10 5", 1.0 / 6},
        {"sharing-maximum", "1 - 2 10 7", 4.0 / 27},
        {"sharing-maximum", "1 - 2 20 14", 5.0 / 63},
        {"complete-sharing", "1 - 3 10", 3.0 / 13},
        {"complete-sharing", "1 - 2 20", 1.0 / 11},
        {"complete-sharing", "2 2 7 33", 7.0 / 40}, /* N / (B + N) */
        {"sharing-maximum", "1 - 2 10 5", 1.0 / 6},
        {"sharing-minimum", "1 - 2 10 0", 1.0 / 6},
        {"sharing-minimum-maximum", "1 - 2 10 5 5", 1.0 / 6},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_relative(row_value(cases[c].name, cases[c].arguments, "loss"), cases[c].loss, 1e-13,
                        "%s %s", cases[c].name, cases[c].arguments);
    cr_assert_float_eq(row_value("sharing-maximum", "1 - 3 10 5", "loss"), 0.198895, 6e-7);
    cr_assert_float_eq(row_value("sharing-maximum", "1 - 3 10 6", "loss"), 0.203540, 6e-7);
}

/* Irland's three unequal queues. */
Test(sharing, unbalanced)
{
    const struct {
        const char *name, *arguments;
        double throughput, delay;
    } cases[] = {
        {"complete-sharing", "1,0.5,0.7 - - 10", 1.92574, 3.1701},
        {"sharing-maximum", "1,0.5,0.7 - - 10 6", 1.97798, 2.6613},
        {"sharing-maximum", "1,0.5,0.7 - - 10 3", 1.82188, 1.8129},
        {"complete-sharing", "2,0.5,0.7 - 3 10", 1.59754, NAN},
        {"sharing-maximum", "2,0.5,0.7 - - 10 6,6,6", 2.06557, NAN},
        {"sharing-maximum", "2,0.5,0.7 1 - 10 3", 2.00521, NAN},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double throughput = row_value(cases[c].name, cases[c].arguments, "throughput");
        double delay = row_value(cases[c].name, cases[c].arguments, "delay");
        cr_assert_float_eq(throughput, cases[c].throughput, 6e-6, "%zu: %g", c, throughput);
        if (!isnan(cases[c].delay))
            cr_assert_float_eq(delay, cases[c].delay, 6e-5, "%zu: %g", c, delay);
    }
}

/* M/M/1/b; and with no limit in sight, M/M/1. */
Test(sharing, single_queues)
{
    for (double r = 0.25; r < 4; r *= 1.25) {
        char text[60];
        snprintf(text, sizeof text, "%.17g - 1 9", r);
        assert_relative(row_value("complete-sharing", text, "loss"),
                        r == 1 ? 0.1 : pow(r, 9) * (1 - r) / (1 - pow(r, 10)), 1e-12, "%g", r);
    }
    assert_relative(row_value("sharing-minimum", "0.5,0.25 1 - 400 10", "delay_1"), 2, 1e-12,
                    "M/M/1");
    /* without scaling the weights, far too much load for doubles */
    assert_relative(row_value("complete-sharing", "1000 - 2 2000", "throughput_1"),
                    row_value("complete-sharing", "1000 - 2 1000", "throughput_2"), 1e-3, "scaled");
    assert_relative(row_value("sharing-minimum", "1000 - 2 2000 900", "throughput"), 2, 1e-9,
                    "scaled");
    cr_assert(isnan(row_value("complete-sharing", "0,1 - - 4", "delay_1")));
    cr_assert_eq(row_value("complete-sharing", "0 - 2 4", "loss"), 0);
}

/* The policies are limits of one another. */
Test(sharing, limits)
{
    const double own[] = {0.5, 1.5, 0.9, 0.2};
    swq_context *ctx = swq_context_new();
    const int all[] = {9, 9, 9, 9}, none[4] = {0}, two[] = {2, 2, 2, 2};
    swq_sharing_flow a[4], b[4];

    swq_sharing cs = {4, 9, own, NULL, NULL, NULL}, same = {4, 9, own, NULL, all, none};
    cr_assert_eq(swq_sharing_solve(ctx, &cs, a, NULL), SWQ_OK);
    cr_assert_eq(swq_sharing_solve(ctx, &same, b, NULL), SWQ_OK);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(a[i].loss, b[i].loss);
    /* if own slots leave nothing to share, queues are partitions, whatever the maxima */
    swq_sharing part = {4, 8, own, NULL, two, two}, left = {4, 8, own, NULL, all, two};
    cr_assert_eq(swq_sharing_solve(ctx, &part, a, NULL), SWQ_OK);
    cr_assert_eq(swq_sharing_solve(ctx, &left, b, NULL), SWQ_OK);
    for (int i = 0; i < 4; i++) {
        double r = own[i];
        assert_relative(a[i].loss, b[i].loss, 1e-14, "queue %d", i);
        assert_relative(a[i].loss, r * r / (1 + r + r * r), 1e-14, "queue %d", i);
    }
    swq_context_free(ctx);
}

Test(sharing, square_root_rule)
{
    const int best[][3] = {{7, 14, 21}, {5, 10, 14}, {4, 8, 11}};

    for (int n = 2; n <= 4; n++) {
        for (int k = 0; k < 3; k++) {
            char text[40];
            snprintf(text, sizeof text, "%d %d", n, 10 * (k + 1));
            cr_assert_eq(row_value("square-root-rule", text, "best"), best[n - 2][k], "%s", text);
            assert_relative(row_value("square-root-rule", text, "rule"), 10 * (k + 1) / sqrt(n),
                            1e-14, "%s", text);
            double over = row_value("square-root-rule", text, "loss_rule") /
                          row_value("square-root-rule", text, "loss_best");
            if (n == 2)
                cr_assert_float_eq(over, 1, 1e-14);
            else
                cr_assert(over > 1.015 && over < 1.075, "%s: %g", text, over);
            cr_assert(row_value("square-root-rule", text, "loss_sharing") >
                      1.1 * row_value("square-root-rule", text, "loss_best"));
        }
    }
    /* at light load nearly everything can be shared */
    cr_assert(row_value("square-root-rule", "3 10 0.5", "best") >= 9);
}

Test(sharing, bad_input)
{
    swq_context *ctx = swq_context_new();
    const double load[] = {1, 1};
    const int zero[] = {0, 3}, two[] = {2, 2}, three[] = {3, 3};
    swq_sharing s = {2, 5, load, NULL, zero, NULL};

    cr_assert_eq(swq_sharing_solve(ctx, &s, NULL, NULL), SWQ_EINVAL);
    s.most = two;
    s.reserved = three;
    cr_assert_eq(swq_sharing_solve(ctx, &s, NULL, NULL), SWQ_EINVAL);
    s.most = NULL;
    cr_assert_eq(swq_sharing_solve(ctx, &s, NULL, NULL), SWQ_EINVAL);
    cr_assert_str_eq(swq_context_message(ctx), "queues have 6 slots to themselves, more than 5");
    swq_context_free(ctx);
    row_fails("complete-sharing", "1,2 1,1,1 - 10", SWQ_EINVAL, "load has 2 numbers for 3 queues");
    row_fails("complete-sharing", "1,2 - 3 10", SWQ_EINVAL, "load has 2 numbers for 3 queues");
    row_fails("complete-partitioning", "1,2,3 - - 10", SWQ_EINVAL, "evenly");
    row_fails("complete-partitioning", "1,2 - - 10 6,6", SWQ_EINVAL, "12 slots to themselves");
    row_fails("sharing-maximum", "1,2 - - 10 3,4,5", SWQ_EINVAL, "queue-max has 3");
    row_fails("complete-sharing", "1 - - 2001", SWQ_EINVAL, "slots");
    cr_assert_eq(row_without_memory("sharing-minimum-maximum", "1,2 - - 10 1 8"), 1);
    cr_assert(row_without_memory("square-root-rule", "2 4 1") > 2);
}
