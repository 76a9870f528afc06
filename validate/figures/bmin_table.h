/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The switches of document 003 with all packet memory counted and equal, under messages of many
 * lengths and hot spots: one number each.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_BMIN_TABLE_H
#define SWQ_VALIDATE_FIGURES_BMIN_TABLE_H

#include "validate/figures/bmin.h"

enum { BMIN_KINDS = 7, BMIN_MIXES = 12, BMIN_MEMORY = 640 /* flits per port */ };

/* An architecture and, if it has a choice of buffers, the kind of buffer. */
typedef struct bmin_kind {
    const char *name, *architecture, *buffer; /* buffer NULL: the architecture's own stores */
} bmin_kind;
extern const bmin_kind bmin_kinds[BMIN_KINDS]; /* HIPIQS first, then the central queue */

/* A row of traffic: lengths from least to most with equal probability; `of_256`: the fraction of
 * messages that have 256 flits instead; `hot`: the fraction for node 0. */
typedef struct bmin_mix {
    const char *name;
    int least, most;
    double of_256, hot;
} bmin_mix;
extern const bmin_mix bmin_mixes[BMIN_MIXES];

typedef struct bmin_scores {
    swq_estimate received[BMIN_MIXES][BMIN_KINDS]; /* at an applied load of 1; NAN: no number */
    bool best[BMIN_MIXES][BMIN_KINDS]; /* better than the others by more than the intervals */
    int loses_from; /* the smallest length, with messages of one length, from which HIPIQS receives
                       less than the central queue by more than the intervals; 0: none */
    int leads_to;   /* the largest length up to which HIPIQS receives more; 0: none */
    int runs;
    double cpu_seconds;
} bmin_scores;

/* The network of a cell, with open sources at that load. groups: the caller's. */
swq_status bmin_cell_make(swq_context *ctx, const bmin_kind *kind, const bmin_mix *mix, double load,
                          swq_sender_group *group, swq_async *network);

/* Runs all networks and lengths of the table, `threads` at a time. options: of each run. Errors:
 * SWQ_ECANCELLED; those of swq_async_points. */
swq_status bmin_scores_run(swq_context *ctx, const swq_sim_options *options, int threads,
                           bmin_scores *scores);

/* Marks the best, and finds the length from which HIPIQS loses. */
void bmin_scores_judge(bmin_scores *scores);

#endif
