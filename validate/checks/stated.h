/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families whose checks are rows of a list: what is stated, and a function that finds whether it is
 * so. And the networks that such statements are about.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_STATED_H
#define SWQ_VALIDATE_STATED_H

#include "switchq/sim.h"
#include "switchq/validate.h"

typedef struct swq_stated swq_stated;
typedef swq_status swq_stated_fn(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                 uint64_t seed, swq_finding *finding);

/* What a row says besides its name is its function's business: fields that it does not look at are
 * left out. */
struct swq_stated {
    const char *name; /* behind the family's: "hol-saturation/ports=2" */
    const char *claim;
    swq_level level;
    swq_stated_fn *find;
    bool full;         /* left to the full run */
    double weight;     /* CPU seconds, quick; a full run's is `longer` times that */
    const char *known; /* if it fails: what is known of the cause */
    const char *buffer, *other, *arbiter, *method;
    int ports, stages, slots, other_slots;
    double load;
    double least, most; /* what is stated: from .. to */
    const void *more;   /* anything else that its function wants to know */
};

/* The functions of a family over a list that ends with a row without a name. */
int swq_stated_count(const swq_stated *rows, swq_effort effort);
void swq_stated_describe(const swq_stated *rows, const char *family, double longer,
                         swq_effort effort, int k, swq_check *check);
swq_status swq_stated_run(swq_context *ctx, const swq_stated *rows, swq_effort effort, int k,
                          uint64_t seed, swq_finding *finding);

#define SWQ_STATED_FUNCTIONS(rows, family, longer)                                                 \
    static int count(swq_effort effort)                                                            \
    {                                                                                              \
        return swq_stated_count(rows, effort);                                                     \
    }                                                                                              \
    static void describe(swq_effort effort, int k, swq_check *check)                               \
    {                                                                                              \
        swq_stated_describe(rows, family, longer, effort, k, check);                               \
    }                                                                                              \
    static swq_status run(swq_context *ctx, swq_effort effort, int k, uint64_t seed,               \
                          swq_finding *finding)                                                    \
    {                                                                                              \
        return swq_stated_run(ctx, rows, effort, k, seed, finding);                                \
    }

/* The network of a row: an omega of `stages` stages (one: a switch) of `ports` x `ports` switches
 * with `slots` per input port, uniform traffic, sources that hold one packet. Errors: those of a
 * bad row. */
swq_status swq_stated_network(swq_context *ctx, const swq_stated *row, swq_flow flow,
                              swq_credit credit, swq_network *network);

/* Of all intervals here: there are a hundred comparisons in a run, and some of what is stated is at
 * its edge. */
#define SWQ_STATED_CONFIDENCE 0.999

/* Simulate it. */
swq_status swq_stated_simulate(swq_context *ctx, const swq_network *network, uint64_t cycles,
                               uint64_t seed, swq_sim_result *result);

/* ---- what functions find ---- */

/* |left - right| <= allowed. */
void swq_stated_near(swq_finding *finding, double left, double right, double allowed);

/* The two-sided p-value of a measurement against an exact value, as a normal deviate that has its
 * interval. */
void swq_stated_p(swq_finding *finding, double exact, swq_estimate measured);

/* How far `value` is off what was measured, as a fraction of that, lies within row's least .. most,
 * give or take the measurement's interval and half a unit of the third decimal that errors are
 * stated to. */
void swq_stated_off(swq_finding *finding, const swq_stated *row, double value,
                    swq_estimate measured);

/* low < high by more than both intervals. A comparison that fails keeps the finding failed. */
void swq_stated_less(swq_finding *finding, swq_estimate low, swq_estimate high);

#endif
