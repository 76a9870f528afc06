/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the table of methods.
 */
#ifndef SWQ_APPROX_METHODS_H
#define SWQ_APPROX_METHODS_H

#include "switchq/approx.h"

/* links/links.c */
extern const swq_approx_method approx_links;
/* memory/memory.c */
extern const swq_approx_method approx_shared_memory;
/* hotspot/tree.c */
extern const swq_approx_method approx_hot_tree;
/* classes.c */
extern const swq_approx_method approx_classes;
/* exact_chains.c */
extern const swq_approx_method approx_exact_chains;
/* classical.c */
extern const swq_approx_method approx_small_cycle, approx_yoon, approx_jenq, approx_waits,
    approx_unbuffered;
/* torus/torus.c */
extern const swq_approx_method approx_grid_waits;

/* gate.c: why a method refuses a spec, by the `takes` of its row and by its own objection; NULL:
 * the method takes the spec. Writes into text. */
const char *approx_objection(const swq_approx_method *method, const swq_network *network,
                             char *text, size_t size);
const char *approx_objection_async(const swq_approx_method *method, const swq_async *network,
                                   char *text, size_t size);

/* off.c: the error of a method in networks of one kind, which `where` names ("3 stages of 4 x 4
 * switches"), and whether the network in question is of this kind (`there`). Writes into text,
 * which it returns. */
const char *approx_off_where(bool there, const char *where, const char *off, char *text,
                             size_t size);

/* run.c: check that all probabilities in a result are possible ones. Errors: SWQ_EINTERNAL. */
swq_status approx_check(swq_context *ctx, const swq_approx_result *result);

/* gate.c: lists of rows that several methods take. */
extern const swq_fabric_kind *const approx_multistage[];
extern const swq_buffer_kind *const approx_all_buffers[], *const approx_fifo_buffers[];
extern const swq_pattern *const approx_uniform[];
/* Arbiters that serve an input's longest queue, and arbiters that treat inputs and outputs
 * alike. */
extern const swq_arbiter *const approx_longest[], *const approx_fair[];

#endif
