/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What finds single numbers and claims, with printed_row's `find`: from formulas and exact chains
 * (targets_closed.c), from simulated networks (targets_nets.c, targets_trees.c,
 * targets_dynamics.c), read off figures
 * (targets_read.c).
 */
#ifndef SWQ_VALIDATE_PRINTED_FIND_H
#define SWQ_VALIDATE_PRINTED_FIND_H

#include "validate/checks/printed.h"

typedef swq_status printed_find_fn(swq_context *ctx, swq_effort effort, uint64_t seed,
                                   swq_finding *finding);
typedef void printed_read_fn(const swq_figure *figure, swq_finding *finding);

/* formulas, compared with the print */
printed_find_fn printed_hol_below_60, printed_hol_58, printed_hol_58_6, printed_hol_around_60;
printed_find_fn printed_hol_2, printed_hol_4, printed_hot_spot_bound, printed_torus_hops;
printed_find_fn printed_recn_formula, printed_recn_800, printed_recn_160, printed_recn_factor;
printed_find_fn printed_square_root, printed_unbalanced, printed_balanced, printed_no_sharing;

/* the 2x2 discarding switch, exactly */
printed_find_fn printed_discard_formula, printed_damq_best, printed_damq_3_fifo_6;
printed_find_fn printed_fifo_2_light, printed_fifo_heavy, printed_fifo_3_to_6, printed_fifo_limit;

/* the network of 64 nodes, simulated */
printed_find_fn printed_least_latency, printed_identity, printed_cbda_spread;

/* cited in chapter 6 */
printed_find_fn printed_dally;

/* chapter 8 */
printed_find_fn printed_groups, printed_groups_inside, printed_wires, printed_combined_best;
printed_find_fn printed_usage_of_counters;

/* chapter 7 */
printed_find_fn printed_chip_latency, printed_chip_move;

/* described in the text of documents 003 and 004 */
printed_find_fn printed_pipelines, printed_chained_tori, printed_large_last_stage;
printed_find_fn printed_turns_in_time, printed_small_packets, printed_better_than_damq;
printed_find_fn printed_better_than_crosspoints;

/* document 003 */
printed_find_fn printed_bmin_sizes, printed_bmin_buffer, printed_bmin_cycles, printed_hipiqs_least;
printed_find_fn printed_crosspoint_fifo, printed_partly_filled, printed_crosspoints;

/* documents 000 and 002 */
printed_find_fn printed_tree_of_64, printed_tree_of_256, printed_larger_effect;
printed_find_fn printed_overlap, printed_merging;

/* document 001 */
printed_find_fn printed_atlas_ports;
printed_find_fn printed_atlas_one_cell, printed_atlas_condition, printed_atlas_multicast;

/* read off figures 6.1 and 6.8 */
printed_read_fn printed_fifo_256, printed_latency_256, printed_twice_wormhole;

#endif
