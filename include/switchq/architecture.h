/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switch architectures in stage cycles: where a switch has memory, and the steps of its cycle. The
 * rules are in docs/switches.md. (Architectures of switches that see packets in part are those of
 * switchq/async.h; a name that both have means the same.)
 */
#ifndef SWITCHQ_ARCHITECTURE_H
#define SWITCHQ_ARCHITECTURE_H

#include "switchq/needs.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The steps that may follow the reception in a cycle. */
typedef enum swq_step {
    SWQ_STEP_SEND,     /* arbitration; matched packets leave the switch */
    SWQ_STEP_TRANSFER, /* arbitration; matched packets move to the queues of their outputs. Done
                          `speedup` times */
    SWQ_STEP_FILL,     /* each input moves packets to its crosspoints */
    SWQ_STEP_SERVE,    /* each output sends a packet from its column of crosspoints */
    SWQ_STEP_DEPART    /* each output queue sends its head */
} swq_step;

/* One row of the table of architectures. */
typedef struct swq_stage_architecture {
    const char *name;
    const char *summary;
    const char *source;
    swq_needs needs;
    bool input_buffers; /* buffers at the inputs, of any organisation; else the switch's buffer is
                           made of the sizes below */
    bool output_queues; /* queues of swq_switch.output_slots before the outputs */
    bool crosspoints;   /* swq_switch.crosspoint_slots for each input and output */
    bool speedup;       /* swq_switch.speedup */
    bool pools;         /* its buffer may be a pool */
    bool arbitrates;    /* it has an arbiter */
    bool columns;   /* the arbiter chooses one packet of several, independently for each output (and
                       input), and matches no inputs to outputs */
    bool apart;     /* with flow discard each output has its own chain */
    bool two_steps; /* packets are moved, and then depart; departures may come first */
    swq_step move, depart; /* depart: with two_steps */
} swq_stage_architecture;

/* All architectures, ended by NULL; the first one, input-queued, is the default. */
extern const swq_stage_architecture *const swq_stage_architectures[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_stage_architecture_find(swq_context *ctx, const char *name,
                                       const swq_stage_architecture **architecture);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
