/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing one formula with its counterpart, by swq_stated's `find`.
 */
#ifndef SWQ_VALIDATE_FORMULAS_H
#define SWQ_VALIDATE_FORMULAS_H

#include "validate/checks/stated.h"

typedef swq_status stated_find_fn(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                  uint64_t seed, swq_finding *finding);

/* exact formulas */
stated_find_fn formula_hol, formula_pim, formula_window, formula_output_queue_loss,
    formula_output_queue_wait, formula_shared_output, formula_complete_sharing, formula_threshold,
    formula_fewest_slots, formula_mean_wait;

/* approximations */
stated_find_fn formula_jenq, formula_later_stage, formula_yoon_lee_liu, formula_small_cycle,
    formula_hot_spot, formula_random_heads, formula_hui_arthurs, formula_kruskal_snir,
    formula_shared_independent, formula_threshold_fluid, formula_square_root;

/* Cycles of a simulated network. */
uint64_t formula_cycles(swq_effort effort);

/* Waits in the first stage of a network whose buffers never fill. */
swq_status formula_simulate_waits(swq_context *ctx, const swq_stated *row, swq_effort effort,
                                  uint64_t seed, swq_sim_result *result);

#endif
