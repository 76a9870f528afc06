/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Family "formulas": formulas are compared with their counterparts. An exact formula is compared
 * with the chain of the same switch, with another exact formula for that switch, or with the
 * simulator by p-value; an approximate formula must have the error that its row states.
 */
#include "validate/checks/formulas.h"
#include "validate/checks/families.h"

#include <math.h>
#include <stdio.h>

enum { LONGER = 10 };

/* ---- rows ---- */

#define HOL(n, full_)                                                                              \
    {                                                                                              \
        .name = "hol-saturation/ports=" #n,                                                        \
        .claim = "hol-saturation is the chain's throughput with FIFO buffers at full load",        \
        .level = SWQ_LEVEL_EXACT, .find = formula_hol, .buffer = "fifo", .ports = (n), .slots = 2, \
        .load = 1, .full = (full_), .weight = 0.02                                                 \
    }
#define OUTPUT_LOSS(n, size, at)                                                                   \
    {                                                                                              \
        .name = "output-queue-finite/ports=" #n ",slots=" #size ",load=" #at,                      \
        .claim = "output-queue-finite loses as much as a pool with limited queues",                \
        .level = SWQ_LEVEL_EXACT, .find = formula_output_queue_loss, .buffer = "cbda",             \
        .ports = (n), .slots = (size), .load = (at), .weight = 0.02                                \
    }
#define OUTPUT_WAIT(n, size, at)                                                                   \
    {                                                                                              \
        .name = "output-queue/ports=" #n ",load=" #at,                                             \
        .claim = "output-queue waits as long as a pool that is never full",                        \
        .level = SWQ_LEVEL_EXACT, .find = formula_output_queue_wait, .buffer = "cbda",             \
        .ports = (n), .slots = (size), .load = (at), .weight = 0.05                                \
    }
#define SHARED(n, size, at)                                                                        \
    {                                                                                              \
        .name = "shared-output-chain/ports=" #n ",slots=" #size ",load=" #at,                      \
        .claim = "shared-output-chain loses and holds as much as the pool's chain",                \
        .level = SWQ_LEVEL_EXACT, .find = formula_shared_output, .buffer = "cbda", .ports = (n),   \
        .slots = (size), .load = (at), .weight = 0.05                                              \
    }
#define PIM(n)                                                                                     \
    {                                                                                              \
        .name = "pim-saturation/ports=" #n,                                                        \
        .claim = "one iteration of PIM matches as many as one stage of patel accepts",             \
        .level = SWQ_LEVEL_EXACT, .find = formula_pim, .ports = (n)                                \
    }
#define WINDOW(n)                                                                                  \
    {                                                                                              \
        .name = "window-saturation/ports=" #n, .claim = "a window of 1 is hol-saturation",         \
        .level = SWQ_LEVEL_EXACT, .find = formula_window, .ports = (n)                             \
    }
#define COMPLETE(n, size)                                                                          \
    {                                                                                              \
        .name = "complete-sharing/queues=" #n ",slots=" #size,                                     \
        .claim = "complete-sharing at load 1 loses N / (B + N)", .level = SWQ_LEVEL_EXACT,         \
        .find = formula_complete_sharing, .ports = (n), .slots = (size)                            \
    }
#define FEWEST(n, size)                                                                            \
    {                                                                                              \
        .name = "output-queue-slots/ports=" #n,                                                    \
        .claim = "slots that lose less than 1e-6 at load 0.8: " #size, .level = SWQ_LEVEL_EXACT,   \
        .find = formula_fewest_slots, .ports = (n), .slots = (size), .load = 0.8, .least = 1e-6    \
    }
#define MEAN_WAIT(n, at, full_)                                                                    \
    {                                                                                              \
        .name = "output-queue/simulated,ports=" #n ",load=" #at,                                   \
        .claim = "output-queue waits as long as a simulated pool of 64 slots a port",              \
        .level = SWQ_LEVEL_STAT, .find = formula_mean_wait, .buffer = "cbda", .ports = (n),        \
        .stages = 1, .slots = 64, .load = (at), .full = (full_), .weight = 0.05                    \
    }
#define LATER(n, stages_, stage, at, off, full_)                                                   \
    {                                                                                              \
        .name = "kruskal-snir-weiss/ports=" #n ",load=" #at ",stage=" #stage,                      \
        .claim = "waits in stage " #stage " are within " #off "% of kruskal-snir-weiss",           \
        .level = SWQ_LEVEL_APPROX, .find = formula_later_stage, .buffer = "cbda", .ports = (n),    \
        .stages = (stages_), .slots = 64, .other_slots = (stage), .load = (at),                    \
        .least = -(off) / 100.0, .most = (off) / 100.0, .full = (full_), .weight = 0.5             \
    }
/* stated in whole percent, so to half a percent; winners are drawn at random, as these recursions
 * assume */
#define HIGH(formula, function, n, stages_, size, percent, full_)                                  \
    {                                                                                              \
        .name = formula "/ports=" #n ",stages=" #stages_ ",slots=" #size,                          \
        .claim = formula ": saturation throughput is " #percent "% too high",                      \
        .level = SWQ_LEVEL_APPROX, .find = (function), .buffer = "fifo", .arbiter = "random",      \
        .ports = (n), .stages = (stages_), .slots = (size), .least = ((percent)-0.5) / 100,        \
        .most = ((percent) + 0.5) / 100, .full = (full_), .weight = 0.3                            \
    }
#define HOT(fraction_)                                                                             \
    {                                                                                              \
        .name = "hotspot-bound/fraction=" #fraction_,                                              \
        .claim = "64 nodes, DAMQ: simulated saturation is at hotspot-bound, to 0.5%",              \
        .level = SWQ_LEVEL_APPROX, .find = formula_hot_spot, .buffer = "damq", .slots = 4,         \
        .load = (fraction_), .least = -0.005, .most = 0.005, .weight = 0.3                         \
    }
#define RANDOM_HEADS(at, percent)                                                                  \
    {                                                                                              \
        .name = "input-queue-random-heads/ports=32,load=" #at,                                     \
        .claim = "32 ports wait " #percent "% less than input-queue-random-heads, at load " #at,   \
        .level = SWQ_LEVEL_APPROX, .find = formula_random_heads, .buffer = "fifo",                 \
        .arbiter = "random", .ports = 32, .stages = 1, .slots = 256, .load = (at),                 \
        .least = (-(percent)-0.5) / 100, .most = (-(percent) + 0.5) / 100, .weight = 0.4           \
    }
#define HUI_ARTHURS(at, percent, half)                                                             \
    {                                                                                              \
        .name = "input-queue-hui-arthurs/load=" #at,                                               \
        .claim = "input-queue-hui-arthurs is " #percent "% off the wait with random heads",        \
        .level = SWQ_LEVEL_APPROX, .find = formula_hui_arthurs, .load = (at),                      \
        .least = ((percent) - (half)) / 100, .most = ((percent) + (half)) / 100, .weight = 0.02    \
    }
#define ASYMPTOTE(n, stages_, percent)                                                             \
    {                                                                                              \
        .name = "kruskal-snir/ports=" #n ",stages=" #stages_,                                      \
        .claim = "kruskal-snir is " #percent "% above patel", .level = SWQ_LEVEL_APPROX,           \
        .find = formula_kruskal_snir, .ports = (n), .stages = (stages_),                           \
        .least = ((percent)-0.5) / 100, .most = ((percent) + 0.5) / 100                            \
    }
#define SHARED_SLOTS(n, size, exact)                                                               \
    {                                                                                              \
        .name = "shared-output-independent/ports=" #n,                                             \
        .claim = "shared-output-independent asks for " #size " slots where " #exact " are enough", \
        .level = SWQ_LEVEL_APPROX, .find = formula_shared_independent, .ports = (n),               \
        .slots = (size), .other_slots = (exact), .load = 0.8, .weight = 0.2                        \
    }
#define FLUID(alpha_)                                                                              \
    {                                                                                              \
        .name = "dynamic-threshold/alpha=" #alpha_,                                                \
        .claim = "the chain's queues are 0.1 to 0.2 packets longer than dynamic-threshold's",      \
        .level = SWQ_LEVEL_APPROX, .find = formula_threshold_fluid, .load = (alpha_),              \
        .weight = 0.1                                                                              \
    }
#define ROOT(n, size)                                                                              \
    {                                                                                              \
        .name = "square-root-rule/queues=" #n ",slots=" #size,                                     \
        .claim = "the square-root rule loses 2 to 7% more than the least",                         \
        .level = SWQ_LEVEL_APPROX, .find = formula_square_root, .ports = (n), .slots = (size),     \
        .least = 0.015, .most = 0.075                                                              \
    }

static const swq_stated rows[] = {
    HOL(2, false),
    HOL(3, false),
    HOL(4, false),
    HOL(5, true),
    OUTPUT_LOSS(2, 2, 0.5),
    OUTPUT_LOSS(2, 6, 0.8),
    OUTPUT_LOSS(2, 12, 0.3),
    OUTPUT_LOSS(3, 4, 0.9),
    OUTPUT_LOSS(4, 3, 0.9),
    OUTPUT_WAIT(2, 24, 0.5),
    OUTPUT_WAIT(3, 12, 0.3),
    SHARED(2, 2, 0.9),
    SHARED(2, 8, 0.8),
    SHARED(3, 3, 0.9),
    SHARED(4, 2, 0.99),
    PIM(2),
    PIM(4),
    PIM(16),
    WINDOW(2),
    WINDOW(4),
    COMPLETE(2, 10),
    COMPLETE(3, 30),
    {.name = "dynamic-threshold-chain/alpha=1e6",
     .claim = "dynamic-threshold-chain without a threshold is complete-sharing",
     .level = SWQ_LEVEL_EXACT,
     .find = formula_threshold,
     .slots = 12,
     .weight = 0.05},
    FEWEST(2, 16),
    FEWEST(16, 27),
    MEAN_WAIT(2, 0.5, false),
    MEAN_WAIT(4, 0.8, false),
    MEAN_WAIT(8, 0.6, false),
    MEAN_WAIT(16, 0.8, true),
    MEAN_WAIT(32, 0.5, true),
    LATER(2, 6, 2, 0.5, 1.2, false),
    LATER(2, 6, 5, 0.5, 1.2, true),
    LATER(2, 6, 2, 0.8, 2.7, true),
    LATER(2, 6, 5, 0.8, 2.7, true),
    LATER(4, 3, 3, 0.5, 1.2, true),
    LATER(4, 3, 3, 0.8, 2.7, false),
    LATER(8, 2, 2, 0.8, 2.7, true),
    HIGH("jenq", formula_jenq, 2, 2, 1, 5, false),
    HIGH("jenq", formula_jenq, 2, 3, 1, 10, true),
    HIGH("jenq", formula_jenq, 2, 6, 1, 26, true),
    HIGH("jenq", formula_jenq, 2, 8, 1, 35, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 2, 6, 1, 26, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 2, 6, 2, 26, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 2, 6, 4, 19, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 2, 6, 8, 11, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 4, 3, 1, 20, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 4, 3, 2, 24, true),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 4, 3, 4, 21, false),
    HIGH("yoon-lee-liu", formula_yoon_lee_liu, 4, 3, 8, 16, true),
    HIGH("small-cycle", formula_small_cycle, 4, 3, 1, 15, true),
    HIGH("small-cycle", formula_small_cycle, 4, 3, 2, 23, true),
    HIGH("small-cycle", formula_small_cycle, 4, 3, 4, 22, false),
    HIGH("small-cycle", formula_small_cycle, 4, 3, 8, 16, true),
    HOT(0.05),
    HOT(0.10),
    RANDOM_HEADS(0.3, 5),
    RANDOM_HEADS(0.5, 12),
    HUI_ARTHURS(0.1, -0.4, 0.05),
    HUI_ARTHURS(0.3, -4.5, 0.05),
    HUI_ARTHURS(0.5, -16, 0.5),
    HUI_ARTHURS(0.55, -21, 0.5),
    ASYMPTOTE(2, 3, 11),
    ASYMPTOTE(2, 8, 11),
    ASYMPTOTE(2, 32, 7),
    ASYMPTOTE(4, 3, 9),
    ASYMPTOTE(4, 8, 8),
    ASYMPTOTE(4, 32, 4),
    SHARED_SLOTS(2, 21, 17),
    SHARED_SLOTS(4, 36, 29),
    FLUID(0.5),
    FLUID(1.0),
    FLUID(2.0),
    ROOT(3, 10),
    ROOT(3, 20),
    ROOT(3, 30),
    ROOT(4, 10),
    ROOT(4, 20),
    ROOT(4, 30),
    {.name = NULL},
};

SWQ_STATED_FUNCTIONS(rows, "formulas", LONGER)

const swq_family swq_family_formulas = {
    .name = "formulas",
    .title = "Formulas against their counterparts",
    .legs = "formula; exact chain, other formula, synchronous simulator",
    .criterion = "exact ones: 1e-9 of the chain's or the other formula's value, or the "
                 "simulator by its p-value; approximations: the error that `switchq formula` "
                 "states, to the digits stated, within the half-width of the simulation's 99.9% "
                 "interval plus 0.05%",
    .count = count,
    .describe = describe,
    .run = run,
};
