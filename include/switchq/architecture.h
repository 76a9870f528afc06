/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switch architectures: where a switch has memory, and how packets cross it. A row says what the
 * architecture is in stage cycles (docs/switches.md has the rules), in asynchronous networks
 * (docs/asynchronous.md), or in both.
 */
#ifndef SWITCHQ_ARCHITECTURE_H
#define SWITCHQ_ARCHITECTURE_H

#include "switchq/needs.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct swq_async;
struct swq_sim_options;

/* The steps that may follow the reception in a cycle. */
typedef enum swq_step {
    SWQ_STEP_SEND,     /* arbitration; matched packets leave the switch */
    SWQ_STEP_TRANSFER, /* arbitration; matched packets move to the queues of their outputs. Done
                          `speedup` times */
    SWQ_STEP_FILL,     /* each input moves packets to its crosspoints */
    SWQ_STEP_SERVE,    /* each output sends a packet from its column of crosspoints */
    SWQ_STEP_DEPART    /* each output queue sends its head */
} swq_step;

/* An architecture in stage cycles: its memory, and the steps of its cycle. */
typedef struct swq_stage_design {
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
} swq_stage_design;

/* An architecture in asynchronous networks. Either there are input stores, a crossbar and perhaps
 * output stores, or the architecture has stores of its own, which `stores` describes
 * completely; their memory is swq_input_memory.bytes. The flags say which parts of a
 * swq_switch_design an architecture has. */
typedef struct swq_async_design {
    const char *place;            /* in the taxonomy of Sivaram, Stunkel and Panda (1997), Fig. 1 */
    const char *crosspoints_cost; /* of k ports and links of f bits, as formula crossbar-cost */
    const char *arbitration;      /* which unit decides what is sent */
    bool input_buffers;           /* its input stores are swq_input_memory.buffer, of any kind */
    bool output_stores; /* a store before each link, fed by a crossbar with a speed of its own */
    bool at_once; /* the crossbar is so fast that the packets of all inputs can reach one store at
                     once; a packet crosses when it has arrived whole */
    /* without stores of its own: the form of its kernel that a network needs, whose switches have
     * `ports` ports, sim/frame/net.h */
    const struct swq_kernel *(*kernel)(const struct swq_async *spec,
                                       const struct swq_sim_options *options, int ports);
    /* the rules of its own stores: sim/frame/stores.h; or NULL. With such stores: */
    const struct swq_store_hooks *stores;
    bool chunks;      /* memory is given away in chunks: swq_packet_sizes.block */
    bool crosspoints; /* a FIFO at each crosspoint, and chunks may be reserved: the first fields of
                         swq_own_stores, up to queue_min */
    bool several;     /* several FIFOs at each input: fifos */
    bool input_fifos; /* a small FIFO at each input, before a shared memory: fifo */
    bool modules;     /* the shared memory is of modules, of one packet each: module */
    bool lanes;       /* links have lanes, through which packets go flit by flit: swq_link_lanes */
    bool flow_groups; /* packets are all of the greatest length, with credits for each destination
                         and for a pool: swq_cell_credits */
    bool copies;      /* a packet may be for several nodes: it is copied in the switches in which
                         their routes part */
} swq_async_design;

/* One row of the table of architectures, which all engines share. */
typedef struct swq_architecture {
    const char *name;
    const char *summary;
    const char *source;
    unsigned engines; /* engines that have the architecture: SWQ_ENGINE_SYNC, SWQ_ENGINE_ASYNC */
    swq_needs needs;  /* SWQ_NEED_STAGES or SWQ_NEED_BYTES if only one engine has it */
    swq_stage_design stage; /* with SWQ_ENGINE_SYNC */
    swq_async_design async; /* with SWQ_ENGINE_ASYNC */
} swq_architecture;

/* All architectures, ended by NULL; the first one, input-queued, is the default. */
extern const swq_architecture *const swq_architectures[];
extern const swq_architecture swq_input_queued, swq_output_queued, swq_crosspoint_queued,
    swq_input_crosspoint, swq_cioq, swq_hipiqs, swq_multi_buffer, swq_central_queue, swq_prizma,
    swq_wormhole_lanes, swq_atlas_cells;

/* The row of that name, if the engine (SWQ_ENGINE_SYNC or SWQ_ENGINE_ASYNC) has it. Errors:
 * SWQ_EINVAL for an unknown name (suggesting the nearest), or an architecture that only the other
 * engine has. */
swq_status swq_architecture_find(swq_context *ctx, const char *name, unsigned engine,
                                 const swq_architecture **architecture);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
