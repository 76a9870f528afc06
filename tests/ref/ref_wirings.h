/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wirings for ref_async.h, built by themselves: omega networks (one stage: a single switch), and
 * tori and meshes in up to three dimensions, with one switch a node, whose packets may have a
 * choice of outputs. Written from include/switchq/fabric.h and docs/asynchronous.md without sight
 * of sim/.
 */
#ifndef REF_WIRINGS_H
#define REF_WIRINGS_H

#include "ref_async.h"

enum { REF_WIRINGS_DIMS = 3 };

/* What a wiring was made of; ref_wiring.self points here. */
typedef struct ref_plan {
    ref_wiring wiring;
    int radix, stages;                  /* omega */
    int dims, extent[REF_WIRINGS_DIMS]; /* in the order of traversal */
    int mesh, one_way;
    unsigned *link, *entry;
} ref_plan;

/* Free with ref_plan_free. They abort for lack of memory. */
ref_plan *ref_omega(int radix, int stages);
ref_plan *ref_torus(int dims, const int *extent, int one_way);
ref_plan *ref_mesh(int dims, const int *extent);
void ref_plan_free(ref_plan *plan);

/* Routing with a choice in a torus or mesh, for ref_stores.h: self is its plan. */
unsigned ref_grid_outputs(const void *self, unsigned port, int from, int to);
int ref_grid_first(const void *self, unsigned port, int from, int to);
int ref_grid_escape(const void *self, unsigned port, int from, int to); /* 1: wrapped */

#endif
