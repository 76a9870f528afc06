/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent wiring of networks of groups, with their straight ways: dragonflies and Megaflies.
 * Written from docs/asynchronous.md without sight of the wiring of sim/fabrics/.
 */
#ifndef REF_GROUPS_H
#define REF_GROUPS_H

#include "ref_graph.h"

/* Of the global links of a group. */
enum { REF_CONSECUTIVE, REF_PALMTREE, REF_RELATIVE, REF_CIRCULANT };

/* g groups of a routers with p nodes and h global ports each. All delays are 1. Returns NULL, or
 * what is wrong. */
const char *ref_groups_dragonfly(ref_graph *net, int p, int a, int h, int g, int arrangement);

/* g groups of l leaves, with p nodes each, and s spines, with h global ports each. */
const char *ref_groups_megafly(ref_graph *net, int p, int l, int s, int h, int g);

#endif
