/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec of one switch and its traffic: the question, typed and checked. Chains, simulators and
 * approximations take the same spec.
 */
#ifndef SWITCHQ_SWITCH_H
#define SWITCHQ_SWITCH_H

#include "switchq/arbiter.h"
#include "switchq/architecture.h"
#include "switchq/buffer.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What happens to a refused packet: it is lost, or its source holds it, offers it again in every
 * cycle and creates no other one meanwhile. */
typedef enum swq_flow { SWQ_DISCARD, SWQ_BLOCK } swq_flow;

/* When a slot freed by a transmission can be taken again: in the same cycle, or only in the next.
 */
typedef enum swq_credit { SWQ_CREDIT_SAME, SWQ_CREDIT_NEXT } swq_credit;

#define SWQ_MOST_BURST 1e6

enum { SWQ_CLASSES = 2 /* normal and high priority */ };

/* How a switch supports packets of high priority (Frazier 1995, chapter 5). */
typedef enum swq_support {
    SWQ_SUPPORT_NONE,    /* no support: classes are only measured separately */
    SWQ_SUPPORT_ARBITER, /* heads of high priority are served first (5.1) */
    SWQ_SUPPORT_QUEUE,   /* as above, and each buffer has one queue for packets of high priority, a
                            pool   one per output (5.2) */
    SWQ_SUPPORT_QUEUES, /* as SWQ_SUPPORT_ARBITER, with one queue per output for these packets (5.3)
                         */
    SWQ_SUPPORT_BUFFER  /* as SWQ_SUPPORT_ARBITER, with a buffer for these packets beside the normal
                           one (5.4) */
} swq_support;

/* Packets of high priority, and how the switch supports them; all zero: no such packets. */
typedef struct swq_priority {
    double fraction; /* fraction of packets, drawn at random, that are of high priority, 0 .. 1 */
    swq_support support;
    int slots; /* dedicated slots: those of the high queues of a partitioned buffer, or of the
                  dedicated buffer (SWQ_SUPPORT_BUFFER) */
    swq_queues queues; /* SWQ_SUPPORT_BUFFER: one FIFO queue, or one queue per output */
} swq_priority;

/* An n x n switch that works in stage cycles: reception (each source creates a packet with its
 * load, draws a destination and offers it), then arbitration and transmission, or the steps of
 * another architecture. */
typedef struct swq_switch {
    int ports;         /* n inputs and n outputs: of a chain 1 .. SWQ_CHAIN_PORTS, in a
                          network, whose nodes have the loads and destinations, 2 .. SWQ_MAX_PORTS */
    swq_buffer buffer; /* of the inputs; see swq_switch_own_memory */
    const swq_architecture *architecture; /* NULL: input-queued */
    int speedup;          /* phases of the crossbar in a cycle, 1 .. ports; 0 where there is none */
    int output_slots;     /* packets that an output queue holds; 0 where there is none */
    int crosspoint_slots; /* packets that a crosspoint holds; 0 where there is none */
    bool departures_first; /* packets depart before, not after, others are moved to the outputs */
    const swq_arbiter *arbiter; /* not used by a pool, whose queues all send */
    int iterations; /* rounds of an iterative arbiter, 0 .. SWQ_MAX_PORTS; 0 counts as 1 */
    swq_flow flow;
    swq_credit credit;
    double load[SWQ_CHAIN_PORTS]; /* packets created per cycle and input: 0, or 1e-30 .. 1 */
    double load_roundings; /* bound on the relative error of the loads and of 1 - load, in units of
                              2^-53: 0, unless the loads were computed */
    double dest[SWQ_CHAIN_PORTS][SWQ_CHAIN_PORTS]; /* dest[i][j]: probability that a packet of input
                                                  i goes to output j; rows sum to 1 within 1e-12 */
    double
        burst; /* mean packets of a burst, which follow one another without gaps to one destination
                  (docs/model.md, "Bursts"), 1 .. SWQ_MOST_BURST; 0 or 1: packets are independent */
    swq_priority priority; /* for partitioned buffers with SWQ_SUPPORT_QUEUE or SWQ_SUPPORT_QUEUES,
                              buffer.capacity counts only the normal queues */
} swq_switch;

/* The row of the switch's architecture, input-queued if none is given. */
const swq_architecture *swq_switch_architecture(const swq_switch *sw);

/* If the architecture has no buffers at the inputs, sw->buffer stands for its memory: output queues
 * are a pool that is permanently divided among the outputs, and crosspoints are buffers whose
 * queues all have slots and a read port of their own. Sets sw->buffer from ports and sizes; does
 * nothing for other architectures. */
void swq_switch_own_memory(swq_switch *sw);

/* Check only the fields of the architecture; part of swq_switch_check. Errors: SWQ_EINVAL. */
swq_status swq_switch_check_architecture(swq_context *ctx, const swq_switch *sw);

/* Check every part of the spec. Errors: SWQ_EINVAL naming the parameter, its value and what is
 * allowed. */
swq_status swq_switch_check(swq_context *ctx, const swq_switch *sw);

/* Traffic patterns: each sets sw->dest for sw->ports, and nothing else. */

/* Every output is equally likely. Does nothing if sw->ports is out of range. */
void swq_traffic_uniform(swq_switch *sw);

/* With probability `fraction` to output `hot`, otherwise uniform over all outputs including `hot`
 * (Pfister and Norton, 1985). Errors: SWQ_EINVAL for a fraction outside 0 .. 1, if there is no such
 * output, or if sw->ports is out of range. */
swq_status swq_traffic_hotspot(swq_context *ctx, swq_switch *sw, double fraction, int hot);

/* The given ports x ports matrix, row i for input i. Rows must sum to one within 1e-9, and are
 * scaled to sum to one up to rounding. Errors: SWQ_EINVAL naming the row or the entry, or if
 * sw->ports is out of range. */
swq_status swq_traffic_matrix(swq_context *ctx, swq_switch *sw, const double *matrix);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
