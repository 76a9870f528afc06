/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small random asynchronous networks, described to swq_async_run and to the references of
 * tests/ref alike: a fabric, what its switches are, and a trace of messages.
 */
#ifndef ASYNC_CASES_H
#define ASYNC_CASES_H

#include "switchq/async.h"
#include "switchq/graph.h"
#include "tests/ref/networks.h"
#include "tests/ref/ref_async.h"

enum {
    MOST_MESSAGES = 260,
    LAST_CYCLE = 3000,
    CASE_FABRICS = 11,
    CASE_WIDE = 2,   /* fabrics after these, with switches of more than 32 ports */
    CASE_PORTS = 128 /* of all switches of a graph */
};

extern const char *const case_fabric_names[CASE_FABRICS + CASE_WIDE];

typedef struct {
    char what[400];
    swq_async network;
    ref_async reference;
    ref_plan *plan; /* or NULL */
    swq_graph graph;
    ref_line line[CASE_PORTS]; /* of a graph */
    swq_fabric fabric;         /* as the library wires it */
    swq_async_message trace[MOST_MESSAGES];
    ref_message message[MOST_MESSAGES];
    long cycles;    /* to simulate; < 0: to the end */
    bool in_pieces; /* packets go in pieces of random length, and stores may be as small */
} async_case;

uint32_t case_draw(uint32_t *state, uint32_t below);
int case_between(uint32_t *state, int least, int most);

/* The class and the output of a packet at a port of a swq_fabric; and the whole wiring. */
int case_class(const void *fabric, unsigned port, int from, int to);
int case_output(const void *fabric, unsigned port, int class_);
ref_wiring case_wiring(const swq_fabric *fabric);

swq_shape case_omega(swq_context *ctx, int ports, int stages);
swq_shape case_grid(const swq_fabric_kind *kind, int dims, const int *extent, bool one_way);

/* Draw a case, in this order: a small fabric of the kind with that number, wired by the reference
 * if possible; switches with input buffers of that kind; messages of up to `longest` bytes, which
 * each node creates with probability `permille` / 1000 in a cycle. */
void case_fabric(swq_context *ctx, uint32_t *state, int kind, async_case *c);
void case_switch(swq_context *ctx, uint32_t *state, const char *buffer, async_case *c);
/* In place of case_fabric: a graph of links with delays and, for two of three, speeds of
 * their own. And, when the switches have
 * been drawn: tells the reference. */
void case_graph(swq_context *ctx, uint32_t *state, async_case *c);
void case_lines(async_case *c);
/* Bytes that the links of all nodes carry in a cycle, and the outputs of a level. */
double case_nodes_carry(const async_case *c);
double case_level_carries(const async_case *c, int level);
/* The name of the arbiter of a case. */
const char *case_arbiter(const ref_async *r);
/* Two-counter parameters, drawn at random. */
void case_counters(uint32_t *state, async_case *c);
/* Flow control by feedback, for a case that has switches: credits (in units that its buffer can
 * have), or stop and go, whose thresholds are drawn when it has messages. The thresholds are in the
 * plan then; returns false, and leaves the case blocking, if the buffer cannot have any. */
void case_told(uint32_t *state, bool stop_go, async_case *c);
bool case_thresholds(uint32_t *state, async_case *c);
void case_messages(uint32_t *state, uint32_t permille, int longest, async_case *c);
void case_clear(swq_context *ctx, async_case *c);

#endif
