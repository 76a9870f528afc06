/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the table of methods.
 * Room: approx.
 */
#ifndef SWQ_APPROX_METHODS_H
#define SWQ_APPROX_METHODS_H

#include "switchq/approx.h"

/* links/links.c */
extern const swq_approx_method approx_links;
/* hotspot/tree.c */
extern const swq_approx_method approx_hot_tree;
/* exact_chains.c */
extern const swq_approx_method approx_exact_chains;
/* classical.c */
extern const swq_approx_method approx_small_cycle, approx_yoon, approx_jenq, approx_waits,
    approx_unbuffered;

#endif
