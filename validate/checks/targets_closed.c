/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers and claims that formulas or the exact chain of a 2x2 switch decide.
 */
#include "base/context.h"
#include "switchq/formula.h"
#include "validate/checks/losses.h"
#include "validate/checks/printed_find.h"
#include "validate/table_sim.h"

#include <math.h>
#include <stdio.h>

#define UNUSED (void)effort, (void)seed

static const double loads[] = {0.25, 0.50, 0.75, 0.80, 0.85, 0.90, 0.95, 0.99};
enum { LOADS = sizeof loads / sizeof *loads };

/* ---- head-of-line blocking ---- */

swq_status printed_hol_below_60(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)ctx, UNUSED;
    printed_less(f, swq_hol_saturation_limit(1), 0.60);
    return SWQ_OK;
}

swq_status printed_hol_58(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)ctx, UNUSED;
    swq_finding_near(f, 100 * swq_hol_saturation_limit(1), 58, 1);
    return SWQ_OK;
}

swq_status printed_hol_58_6(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)ctx, UNUSED;
    swq_finding_near(f, 100 * swq_hol_saturation_limit(1), 58.6, 0.05);
    return SWQ_OK;
}

swq_status printed_hol_around_60(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    (void)ctx, UNUSED;
    swq_finding_near(f, 100 * swq_hol_saturation_limit(1), 60, 5);
    return SWQ_OK;
}

/* The formula, and the chain with two slots at full load, where the size does not matter. */
swq_status printed_hol_2(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double formula;
    swq_mean loss = {0};

    UNUSED;
    swq_status status = swq_hol_saturation(ctx, 2, 1, &formula);
    if (!status)
        status = swq_claimed_loss(ctx, "fifo", 2, 1, &loss);
    if (!status)
        swq_finding_near(
            f, fabs(formula - 0.75) > fabs(1 - loss.value - 0.75) ? formula : 1 - loss.value, 0.75,
            1e-9);
    return status;
}

swq_status printed_hol_4(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double formula = NAN;

    UNUSED;
    swq_status status = swq_hol_saturation(ctx, 4, 1, &formula);
    if (!status)
        swq_finding_near(f, formula, 0.65524, 0.000005);
    return status;
}

/* ---- other closed forms ---- */

swq_status printed_hot_spot_bound(swq_context *ctx, swq_effort effort, uint64_t seed,
                                  swq_finding *f)
{
    (void)ctx, UNUSED;
    swq_finding_near(f, swq_hotspot_bound(64, 0.05, 1), 1 / (1 + 0.05 * 63), 1e-12);
    return SWQ_OK;
}

swq_status printed_torus_hops(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const int extent[] = {11, 21};
    int wrong = 0;

    UNUSED;
    for (int k = 0; k < 2; k++) {
        swq_grid grid = {.torus = true, .dims = 2, .extent = {extent[k], extent[k]}};
        swq_grid_figures figures;
        swq_status status = swq_grid_solve(ctx, &grid, &figures);
        if (status)
            return status;
        wrong += fabs(figures.mean_hops - extent[k] / 2.0) > 1e-9;
    }
    printed_none(f, wrong, 2);
    return SWQ_OK;
}

static void recn(double *both, double *input)
{
    swq_recn_slots(16, 4, 2, 2, both, input);
}

swq_status printed_recn_formula(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    int wrong = 0;

    (void)ctx, UNUSED;
    for (int n = 2; n <= 64; n *= 2) {
        double both, input;
        swq_recn_slots(n, 4, 2, 2, &both, &input);
        wrong += both != n * (2 * n + 8) + n * (2 + 8);
    }
    printed_none(f, wrong, 6);
    return SWQ_OK;
}

swq_status printed_recn_800(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double both, input;

    (void)ctx, UNUSED;
    recn(&both, &input);
    swq_finding_near(f, both, 800, 0);
    return SWQ_OK;
}

swq_status printed_recn_160(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double both, input;

    (void)ctx, UNUSED;
    recn(&both, &input);
    swq_finding_near(f, input, 160, 0);
    return SWQ_OK;
}

swq_status printed_recn_factor(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double both, input;

    (void)ctx, UNUSED;
    recn(&both, &input);
    swq_finding_near(f, both / input, 5, 0);
    return SWQ_OK;
}

/* ---- shared memory (2.2, after Irland) ---- */

static const int memories[] = {10, 20, 30};
enum { MEMORIES = sizeof memories / sizeof *memories, QUEUES = 3 };

typedef enum { COMPLETE, SQUARE_ROOT, OWN, RULES } sharing_rule;

static swq_status share(swq_context *ctx, int slots, const double *load, sharing_rule rule,
                        swq_sharing_flow *all)
{
    const int limit = rule == SQUARE_ROOT ? (int)lround(slots / sqrt(QUEUES)) : slots / QUEUES;
    const int most[QUEUES] = {limit, limit, limit};
    swq_sharing sharing = {
        .queues = QUEUES, .slots = slots, .load = load, .most = rule == COMPLETE ? NULL : most};

    return swq_sharing_solve(ctx, &sharing, NULL, all);
}

static swq_status share_all(swq_context *ctx, int slots, const double *load,
                            swq_sharing_flow all[RULES])
{
    swq_status status = SWQ_OK;

    for (int rule = 0; rule < RULES && !status; rule++)
        status = share(ctx, slots, load, (sharing_rule)rule, &all[rule]);
    return status;
}

/* The rule is optimal for two queues of load 1. */
swq_status printed_square_root(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    int wrong = 0;

    UNUSED;
    for (int k = 0; k < MEMORIES; k++) {
        int best;
        double loss;
        swq_status status = swq_sharing_best(ctx, 2, memories[k], 1, &best, &loss);
        if (status)
            return status;
        wrong += best != lround(memories[k] / sqrt(2));
    }
    printed_none(f, wrong, MEMORIES);
    return SWQ_OK;
}

/* The smallest rate of queue 1 at which complete sharing loses more than both others. */
static swq_status turning_point(swq_context *ctx, int slots, double *rate)
{
    *rate = NAN;
    for (int k = 1; k <= 60; k++) {
        const double load[QUEUES] = {0.05 * k, 0.5, 0.7};
        swq_sharing_flow all[RULES];
        swq_status status = share_all(ctx, slots, load, all);
        if (status)
            return status;
        if (all[COMPLETE].loss <= fmax(all[SQUARE_ROOT].loss, all[OWN].loss))
            *rate = NAN;
        else if (isnan(*rate))
            *rate = load[0];
    }
    return SWQ_OK;
}

/* "A higher mean delay and a lower throughput than either of the other two" once "the sum of the
 * rates" is about 1: the two rates that are held fixed sum to 1.2, so the claim is about every rate
 * of queue 1. */
swq_status printed_unbalanced(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    double rate[2];
    int wrong = 0, of = 0;

    UNUSED;
    for (int m = 0; m < MEMORIES; m++) {
        for (int k = 1; k <= 12; k++) {
            const double load[QUEUES] = {0.25 * k, 0.5, 0.7};
            swq_sharing_flow all[RULES];
            swq_status status = share_all(ctx, memories[m], load, all);
            if (status)
                return status;
            wrong += all[COMPLETE].loss <= fmax(all[SQUARE_ROOT].loss, all[OWN].loss);
            wrong += all[COMPLETE].delay <= fmax(all[SQUARE_ROOT].delay, all[OWN].delay);
            of += 2;
        }
    }
    for (int k = 0; k < 2; k++) {
        swq_status status = turning_point(ctx, memories[k], &rate[k]);
        if (status)
            return status;
    }
    snprintf(f->text, sizeof f->text,
             "complete sharing loses the most from lambda1 = %.2f on with 10 slots, %.2f with 20: "
             "sums of %.2f and %.2f",
             rate[0], rate[1], rate[0] + 1.2, rate[1] + 1.2);
    printed_none(f, wrong, of);
    return SWQ_OK;
}

swq_status printed_balanced(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const double loads_tried[] = {0.5, 0.8, 1.0};
    int wrong = 0, of = 0;

    UNUSED;
    for (int m = 0; m < MEMORIES; m++) {
        for (int l = 0; l < 3; l++) {
            const double load[QUEUES] = {loads_tried[l], loads_tried[l], loads_tried[l]};
            swq_sharing_flow all[RULES];
            swq_status status = share_all(ctx, memories[m], load, all);
            if (status)
                return status;
            wrong += all[COMPLETE].loss > fmin(all[SQUARE_ROOT].loss, all[OWN].loss);
            of++;
        }
    }
    printed_none(f, wrong, of);
    return SWQ_OK;
}

swq_status printed_no_sharing(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const double loads_tried[] = {0.5, 0.8, 1.0, 1.5};
    int wrong = 0, of = 0;

    UNUSED;
    for (int m = 0; m < MEMORIES; m++) {
        for (int l = 0; l < 4; l++) {
            const double load[QUEUES] = {loads_tried[l], loads_tried[l], loads_tried[l]};
            swq_sharing_flow all[RULES];
            swq_status status = share_all(ctx, memories[m], load, all);
            if (status)
                return status;
            bool loses_more = all[SQUARE_ROOT].loss >= all[OWN].loss;
            bool waits_more = all[OWN].delay >= fmin(all[SQUARE_ROOT].delay, all[COMPLETE].delay);
            if (loses_more || waits_more)
                snprintf(f->text, sizeof f->text,
                         "%d slots, load %g: loss %.5g (square root), %.5g (none shared); delay "
                         "%.4g, %.4g (complete: %.4g)",
                         memories[m], load[0], all[SQUARE_ROOT].loss, all[OWN].loss,
                         all[SQUARE_ROOT].delay, all[OWN].delay, all[COMPLETE].delay);
            wrong += loses_more + waits_more;
            of += 2;
        }
    }
    printed_none(f, wrong, of);
    return SWQ_OK;
}

/* ---- the 2x2 discarding switch ---- */

/* Checks that buffer `a` loses less than buffer `b`, by proven bounds, at loads from .. to: adds
 * the number of these loads to *of, and of loads where it does not to *wrong. */
static swq_status count_less(swq_context *ctx, const char *a, int a_slots, const char *b,
                             int b_slots, double from, double to, int *wrong, int *of, char *where,
                             size_t size)
{
    for (int l = 0; l < LOADS; l++) {
        swq_mean loss[2];
        if (loads[l] < from || loads[l] > to)
            continue;
        swq_status status = swq_claimed_loss(ctx, a, a_slots, loads[l], &loss[0]);
        if (!status)
            status = swq_claimed_loss(ctx, b, b_slots, loads[l], &loss[1]);
        if (status)
            return status;
        (*of)++;
        if (loss[0].upper < loss[1].lower)
            continue;
        (*wrong)++;
        snprintf(where, size, "%s-%d %.3g%% against %s-%d %.3g%% at load %g", a, a_slots,
                 100 * loss[0].value, b, b_slots, 100 * loss[1].value, loads[l]);
    }
    return SWQ_OK;
}

typedef struct {
    const char *a;
    int a_slots;
    const char *b;
    int b_slots;
    double from, to;
} buffer_pair;

static swq_status each_less(swq_context *ctx, const buffer_pair *pairs, int count, swq_finding *f)
{
    int wrong = 0, of = 0;

    for (int k = 0; k < count; k++) {
        const buffer_pair *p = &pairs[k];
        swq_status status = count_less(ctx, p->a, p->a_slots, p->b, p->b_slots, p->from, p->to,
                                       &wrong, &of, f->text, sizeof f->text);
        if (status)
            return status;
    }
    printed_none(f, wrong, of);
    return SWQ_OK;
}

#define PAIRS(list) (list), (int)(sizeof(list) / sizeof *(list))

/* "Every other practical buffer", with equal memory; the single exception that the text names is
 * left out. */
swq_status printed_damq_best(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const buffer_pair pairs[] = {
        {"damq", 2, "fifo", 2, 0, 1},    {"damq", 3, "fifo", 3, 0, 1}, {"damq", 4, "fifo", 4, 0, 1},
        {"damq", 5, "fifo", 5, 0, 1},    {"damq", 6, "fifo", 6, 0, 1}, {"damq", 2, "samq", 2, 0, 1},
        {"damq", 4, "samq", 4, 0, 1},    {"damq", 6, "samq", 6, 0, 1}, {"damq", 2, "safc", 2, 0, 1},
        {"damq", 6, "safc", 6, 0, 0.97}, {"damq", 4, "safc", 4, 0, 1},
    };

    UNUSED;
    return each_less(ctx, PAIRS(pairs), f);
}

swq_status printed_damq_3_fifo_6(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const buffer_pair pairs[] = {{"damq", 3, "fifo", 6, 0, 1}};

    UNUSED;
    return each_less(ctx, PAIRS(pairs), f);
}

swq_status printed_fifo_2_light(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const buffer_pair pairs[] = {{"fifo", 2, "samq", 2, 0, 0.75},
                                        {"fifo", 2, "safc", 2, 0, 0.75}};

    UNUSED;
    return each_less(ctx, PAIRS(pairs), f);
}

swq_status printed_fifo_heavy(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const buffer_pair pairs[] = {
        {"samq", 2, "fifo", 2, 0.82, 1}, {"safc", 2, "fifo", 2, 0.82, 1},
        {"damq", 2, "fifo", 2, 0.82, 1}, {"damq", 3, "fifo", 3, 0.82, 1},
        {"samq", 4, "fifo", 4, 0.82, 1}, {"safc", 4, "fifo", 4, 0.82, 1},
        {"damq", 4, "fifo", 4, 0.82, 1}, {"damq", 5, "fifo", 5, 0.82, 1},
        {"samq", 6, "fifo", 6, 0.82, 1}, {"safc", 6, "fifo", 6, 0.82, 1},
        {"damq", 6, "fifo", 6, 0.82, 1},
    };

    UNUSED;
    return each_less(ctx, PAIRS(pairs), f);
}

swq_status printed_fifo_3_to_6(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_mean three = {0}, six = {0};

    UNUSED;
    swq_status status = swq_claimed_loss(ctx, "fifo", 3, 0.9, &three);
    if (!status)
        status = swq_claimed_loss(ctx, "fifo", 6, 0.9, &six);
    if (!status)
        printed_none(f,
                     (swq_printed_percent_agrees("17.0", three.value) == SWQ_DIFFERS) +
                         (swq_printed_percent_agrees("16.6", six.value) == SWQ_DIFFERS),
                     2);
    return status;
}

swq_status printed_fifo_limit(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const double tried[] = {0.90, 0.95, 0.99};
    double worst = 0;

    UNUSED;
    for (int l = 0; l < 3; l++) {
        swq_mean loss;
        swq_status status = swq_claimed_loss(ctx, "fifo", 40, tried[l], &loss);
        if (status)
            return status;
        worst = fmax(worst, fabs(loss.value - (1 - 0.75 / tried[l])));
    }
    swq_finding_near(f, worst, 0, 1e-9);
    return SWQ_OK;
}

/* P(both full) + 0.5 P(one full), which by symmetry is P(the buffer of an input is full). */
static swq_status formula_off(swq_context *ctx, const char *buffer, int slots, double load,
                              double *off)
{
    const swq_table_4_1_options options = swq_table_4_1_defaults();
    swq_answers answers;
    const swq_status status = swq_table_4_1_solve(ctx, &options, buffer, slots, load, &answers);

    if (status && status != SWQ_ECONVERGE)
        return status;
    *off = fabs(0.5 * (answers.full[0] + answers.full[1]) / answers.discard.value - 1);
    swq_answers_clear(ctx, &answers);
    return status;
}

swq_status printed_discard_formula(swq_context *ctx, swq_effort effort, uint64_t seed,
                                   swq_finding *f)
{
    static const char *const buffers[] = {"fifo", "damq"};
    double worst = 0;

    UNUSED;
    for (int b = 0; b < 2; b++) {
        for (int l = 0; l < LOADS; l++) {
            double off = NAN;
            swq_status status = formula_off(ctx, buffers[b], 4, loads[l], &off);
            if (status)
                return status;
            worst = fmax(worst, off);
        }
    }
    swq_finding_near(f, worst, 0, 1e-9);
    return SWQ_OK;
}
