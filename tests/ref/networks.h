/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The networks of all references, in one file: omega networks (of one stage: a single switch), tori
 * and meshes in up to three dimensions with one switch a node, and k-ary n-trees. Written from
 * include/switchq/fabric.h and docs/asynchronous.md without sight of sim/ and nets/, with which
 * the file shares no code. The other fabrics of the program have no network here: their references
 * are wired by the tests (tests/sim/async_cases.h).
 */
#ifndef REF_NETWORKS_H
#define REF_NETWORKS_H

/* A set of outputs of a switch, which has at most 128: output k is bit k. */
__extension__ typedef unsigned __int128 ref_outputs;

/* Where an output leads: the number of an input port (switch * ports + port), a node n as
 * REF_NODE | n, or nowhere. */
#define REF_NODE    0x80000000u
#define REF_NOWHERE 0xffffffffu

/* A network's wiring. The two functions are asked with `self`. */
typedef struct ref_wiring {
    int nodes, switches, ports, classes;
    const unsigned *link;  /* [switches * ports] */
    const unsigned *entry; /* [nodes] the input port that a node's sender feeds */
    int (*class_of)(const void *self, unsigned port, int from, int to);
    int (*output_of)(const void *self, unsigned port, int class_); /* 0 .. ports-1 */
    const void *self;
} ref_wiring;

enum { REF_WIRINGS_DIMS = 3 };

/* What a wiring was made of; ref_wiring.self points here. */
typedef struct ref_plan {
    ref_wiring wiring;
    int radix, stages;                  /* omega; of a tree: ports down, and levels */
    int dims, extent[REF_WIRINGS_DIMS]; /* in the order of traversal */
    int mesh, one_way;
    unsigned *link, *entry;
} ref_plan;

/* Free with ref_plan_free. They abort for lack of memory. */
ref_plan *ref_omega(int radix, int stages);
ref_plan *ref_torus(int dims, const int *extent, int one_way);
ref_plan *ref_mesh(int dims, const int *extent);
/* Switches of `down` ports down and, below the highest level, as many up, level by level. A node
 * has `levels` digits to the base `down`. Routing is ref_tree_ways: there are no classes. */
ref_plan *ref_tree(int down, int levels);
void ref_plan_free(ref_plan *plan);

/* The ports by which a packet may leave switch `place` of a tree, into x [down]: the port down, if
 * its destination is below, else all ports up. Returns how many. straight: the way up of level l is
 * digit l of the destination alone. */
int ref_tree_ways(const ref_plan *tree, int place, int to, int straight, int *x);

/* The perfect shuffle of `lines` lines, a power of the radix: a number's most significant digit
 * becomes the least. And digit `place` of a number, 0: the least significant. */
int ref_shuffled(int line, int radix, int lines);
int ref_digit(int number, int radix, int place);

/* Routing with a choice in a torus or mesh, for ref_stores.h: self is its plan. */
ref_outputs ref_grid_outputs(const void *self, unsigned port, int from, int to);
int ref_grid_first(const void *self, unsigned port, int from, int to);
int ref_grid_escape(const void *self, unsigned port, int from, int to); /* 1: wrapped */

#endif
