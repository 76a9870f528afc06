/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the table of formulas.
 */
#ifndef SWQ_MODELS_FORMULAS_H
#define SWQ_MODELS_FORMULAS_H

#include "switchq/formula.h"

extern const swq_formula swq_formula_hol_saturation, swq_formula_window_saturation,
    swq_formula_window_saturation_many, swq_formula_input_queue_fifo_heads,
    swq_formula_input_queue_random_heads, swq_formula_input_queue_hui_arthurs;
extern const swq_formula swq_formula_output_queue, swq_formula_output_queue_finite,
    swq_formula_output_queue_slots, swq_formula_input_smoothing, swq_formula_input_smoothing_frame;
extern const swq_formula swq_formula_pim_saturation, swq_formula_islip_saturation;
extern const swq_formula swq_formula_patel, swq_formula_kruskal_snir;
extern const swq_formula swq_formula_kruskal_snir_weiss, swq_formula_jenq, swq_formula_yoon,
    swq_formula_small_cycle;
extern const swq_formula swq_formula_hotspot_bound, swq_formula_hotspot_groups;
extern const swq_formula swq_formula_shared_independent, swq_formula_shared_chain,
    swq_formula_complete_partitioning, swq_formula_complete_sharing, swq_formula_sharing_maximum,
    swq_formula_sharing_minimum, swq_formula_sharing_both, swq_formula_square_root,
    swq_formula_threshold_fluid, swq_formula_threshold_chain, swq_formula_recn_memory,
    swq_formula_credit_buffer, swq_formula_flow_control_cost, swq_formula_crossbar_cost;
extern const swq_formula swq_formula_pfc_headroom, swq_formula_threshold_classes,
    swq_formula_threshold_in_turn, swq_formula_threshold_marks, swq_formula_dctcp_mark;
extern const swq_formula swq_formula_m_d_1, swq_formula_m_g_1, swq_formula_m_g_1_priority,
    swq_formula_erlang_b;
extern const swq_formula swq_formula_torus, swq_formula_mesh, swq_formula_alone,
    swq_formula_agarwal, swq_formula_dally;

/* Expand a list that has a number for each queue, or one number for all. Errors: SWQ_EINVAL. */
swq_status swq_spread_argument(swq_context *ctx, const char *name, const swq_argument *a,
                               int queues, double *into);

#define SWQ_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The usual parameters. */
#define SWQ_PARAMETER_LOAD                                                                         \
    {                                                                                              \
        .name = "load", .summary = "packets per cycle and input", .least = 0, .most = 1,           \
        .usual = NAN                                                                               \
    }
#define SWQ_PARAMETER_PORTS                                                                        \
    {                                                                                              \
        .name = "ports", .summary = "inputs and outputs of a switch", .least = 2, .most = 1024,    \
        .usual = NAN, .whole = true                                                                \
    }
/* A million is as good as infinitely many. */
#define SWQ_PARAMETER_MANY_PORTS                                                                   \
    {                                                                                              \
        .name = "ports", .summary = "inputs and outputs of a switch", .least = 2, .most = 1000000, \
        .usual = NAN, .whole = true                                                                \
    }
#define SWQ_PARAMETER_TARGET                                                                       \
    {                                                                                              \
        .name = "target", .summary = "fraction of packets that may be lost", .least = 1e-300,      \
        .most = 1, .usual = NAN                                                                    \
    }
#define SWQ_PARAMETER_STAGES                                                                       \
    {                                                                                              \
        .name = "stages", .summary = "of the network", .least = 1, .most = 64, .usual = NAN,       \
        .whole = true                                                                              \
    }

/* Most stages of a formula, and the numbers of stages and classes for which a row has separate
 * results; NAN: the network has no such stage or class. */
enum { SWQ_FORMULA_MOST_STAGES = 64, SWQ_FORMULA_STAGES = 16, SWQ_FORMULA_CLASSES = 8 };
/* clang-format off */
#define SWQ_RESULTS_BY_CLASS(name, summary, unit)                                                  \
    {name "_1", summary, unit, NULL}, {name "_2", summary, unit, NULL},                            \
    {name "_3", summary, unit, NULL}, {name "_4", summary, unit, NULL},                            \
    {name "_5", summary, unit, NULL}, {name "_6", summary, unit, NULL},                            \
    {name "_7", summary, unit, NULL}, {name "_8", summary, unit, NULL}
#define SWQ_RESULTS_BY_STAGE(name, summary, unit)                                                  \
    SWQ_RESULTS_BY_CLASS(name, summary, unit),                                                     \
    {name "_9", summary, unit, NULL}, {name "_10", summary, unit, NULL},                           \
    {name "_11", summary, unit, NULL}, {name "_12", summary, unit, NULL},                          \
    {name "_13", summary, unit, NULL}, {name "_14", summary, unit, NULL},                          \
    {name "_15", summary, unit, NULL}, {name "_16", summary, unit, NULL}
/* clang-format on */

#endif
