/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulation of asynchronous networks (Frazier 1995, chapter 6): virtual cut-through, packets of
 * any length over byte-wide links, every switch arbitrating when it has something to arbitrate.
 * Time goes in clock cycles; a link carries a byte a cycle. docs/asynchronous.md says precisely
 * what happens when.
 */
#ifndef SWITCHQ_ASYNC_H
#define SWITCHQ_ASYNC_H

#include "switchq/async_result.h"
#include "switchq/fabric.h"
#include "switchq/senders.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_PACKET = 16384,      /* bytes */
    SWQ_MAX_BUFFER_BLOCKS = 4096 /* of one input port */
};

/* One row of the table of hop-level flow controls: when packets may be sent to a queue of a buffer.
 * Every flow control stops its sender while, as far as the sender knows, the buffer has no room for
 * a packet of the greatest length.
 */
typedef struct swq_hop_flow {
    const char *name;
    const char *summary;
    const char *source;
    bool threshold;      /* has a threshold of usage: swq_flow_control.threshold */
    bool credits;        /* a sender has credits: swq_flow_control.credit_unit, credit_delay */
    bool stop_go;        /* buffers tell senders to stop and to go on: swq_flow_control.stop, go,
                            credit_delay */
    bool by_destination; /* a buffer refuses a packet while it holds another packet for the same
                            node */
    bool by_path;        /* a buffer refuses a packet while it holds another packet whose next
                            swq_flow_answers.path_hops hops are the same */
    bool counters;       /* a queue has a second counter: swq_flow_control.counters */
    bool clocks;         /* packets are stamped by circuits' clocks: swq_flow_clocks */
    unsigned engines;    /* engines that have a flow control of this name: SWQ_ENGINE_SYNC,
                            SWQ_ENGINE_ASYNC */
    /* rules beyond room and threshold: sim/frame/flow.h; NULL: none */
    const struct swq_flow_hooks *hooks;
    swq_needs needs;
} swq_hop_flow;

/* A circuit of virtual clocks, from one sender to one node. */
typedef struct swq_circuit {
    uint32_t from, to;
    double rate; /* bytes a cycle, above 0, at most 1 */
} swq_circuit;

/* Two-counter flow control (Frazier 1995, Table 8.1): every `sigma` cycles a queue's counter rises
 * by one, up to y_max, if the queue holds more than x_inc blocks, and falls by one, down to 0, if
 * the queue holds fewer than x_dec; while the counter is y or more, no packet is sent to the queue.
 * 1 <= sigma <= 4096, 1 <= x_dec <= x_inc + 1, 1 <= y <= y_max <= 65535. */
typedef struct swq_two_counter {
    const char *name; /* of a row of Table 8.2, or NULL */
    const char *summary;
    int sigma, x_inc, x_dec, y, y_max;
} swq_two_counter;

extern const swq_two_counter *const swq_two_counters[]; /* Table 8.2, ended by NULL */

/* Copy the row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_two_counter_find(swq_context *ctx, const char *name, swq_two_counter *counters);

enum { SWQ_MAX_SENDER_PARAMETERS = 4 };

/* A parameter of a scheme that holds senders back. */
typedef struct swq_sender_parameter {
    const char *name; /* in capitals, as in the scheme's syntax */
    const char *unit;
    const char *help;
    double least, most;      /* of a number */
    bool above;              /* a number must be above `least`, and may not equal it */
    bool real;               /* a number need not be whole */
    const char *const *word; /* not NULL: the parameter is one of these words, ended by NULL, and
                                its value is the word's index */
    bool optional; /* the parameter and all parameters after it may be left out; it then has the
                      value `preset` */
    double preset;
} swq_sender_parameter;

/* One row of the table of schemes that hold senders back, on top of the flow control. */
typedef struct swq_sender_scheme {
    const char *name;
    const char *summary;
    const char *state; /* the state that the scheme keeps, and where */
    const char *source;
    /* ended by a parameter without a name */
    swq_sender_parameter parameter[SWQ_MAX_SENDER_PARAMETERS];
    bool starves; /* a sender may have to wait for ever: swq_async_result.starved */
    const struct swq_sender_hooks *hooks; /* the rules of the scheme: sim/frame/scheme.h */
    swq_needs needs;
} swq_sender_scheme;

extern const swq_sender_scheme *const swq_sender_schemes[]; /* ended by NULL */
extern const swq_sender_scheme swq_sender_window, swq_sender_bucket, swq_sender_feedback,
    swq_sender_tokens, swq_sender_dctcp;
swq_status swq_sender_scheme_find(swq_context *ctx, const char *name,
                                  const swq_sender_scheme **row);

/* Number of parameters of a scheme. */
int swq_sender_parameters(const swq_sender_scheme *row);

/* The scheme with its parameters as --sender takes it, such as tokens:N[,source|stay]. Cuts off
 * what does not fit. Returns `text`. */
const char *swq_sender_syntax(const swq_sender_scheme *row, char *text, size_t size);

/* One row of the table of choices: which output a packet takes if several are free and lead into
 * open stores. If a row prefers several outputs equally, one of them is drawn at random. */
typedef struct swq_selection {
    const char *name;
    const char *summary;
    const char *source;
    bool by_room; /* outputs to the stores with the fewest blocks taken */
    /* outputs for which the queue that the packet would join has the fewest blocks */
    bool by_queue;
    bool by_first; /* the output of the deterministic route, or the next output in the order of
                      outputs */
    bool by_turn; /* with lanes: the next free lane of all lanes, after the lane that was taken last
                   */
    swq_needs needs;
} swq_selection;

extern const swq_selection *const swq_selections[]; /* ended by NULL; the first is the default */
swq_status swq_selection_find(swq_context *ctx, const char *name, const swq_selection **row);
/* The memory that the credits of a sender count. */
typedef enum swq_credit_unit {
    SWQ_CREDIT_CHANNEL, /* the blocks of the buffer at the end of the link, for all queues together
                         */
    SWQ_CREDIT_QUEUE,   /* an equal part of the buffer's blocks for each of its queues */
    SWQ_CREDIT_POOL     /* the blocks reserved for each queue, and a pool that all queues share: the
                           buffer's own rule, applied to the blocks whose credits have not come back */
} swq_credit_unit;

/* Which lanes of a link a packet may take, in wormhole switching with one way for each pair. */
typedef enum swq_lanes_for {
    SWQ_LANES_ANY,
    SWQ_LANES_DATELINE, /* in rings the upper half of the lanes is for packets that have crossed the
                           end of their ring, the lower half for all others */
    SWQ_LANES_CROSSING, /* the upper half of the lanes is for packets whose route crosses the end of
                           the ring, all along this ring */
    SWQ_LANES_DESTINATION, /* the lane whose number is that of the packet's destination, modulo the
                              number of lanes */
    SWQ_LANES_PHASE, /* the lanes for the phase of the packet's route: swq_fabric_kind.phase */
    SWQ_LANES_HOP    /* the lane of the number of links between switches that the packet has taken,
                        at most the last */
} swq_lanes_for;

/* One row of the table of choices of lanes. */
typedef struct swq_lane_choice {
    const char *name;
    const char *summary;
    const char *source;
    swq_lanes_for lanes;
    swq_needs needs;
} swq_lane_choice;

extern const swq_lane_choice *const swq_lane_choices[]; /* ended by NULL; the first is any */
extern const swq_lane_choice swq_lane_choice_any, swq_lane_choice_dateline, swq_lane_choice_phase;
swq_status swq_lane_choice_find(swq_context *ctx, const char *name, const swq_lane_choice **row);

/* ATLAS I: most flow groups on a link, and most cells for which a link may have room in a
 * switch. */
enum { SWQ_MAX_FLOW_GROUPS = 4096, SWQ_MAX_POOL_CELLS = 4096 };

enum {
    SWQ_MAX_LANES = 32,
    SWQ_MAX_LANE_FLITS = 255,
    SWQ_MAX_LANE_POOL = SWQ_MAX_LANES * SWQ_MAX_LANE_FLITS,
    SWQ_MAX_ROUTER_DELAY = 64,
    SWQ_MAX_LINK_DELAY = 1024,
    SWQ_CIRCLE_WORDS = 1024
};

/* How a FIFO at a crosspoint is built (Sivaram et al. 1997, Fig. 3b): a packet behind another takes
 * at least 3 and 6 cycles through registers, or 4 and 7 through a RAM. */
typedef enum swq_crosspoint { SWQ_CROSSPOINT_REGISTERS, SWQ_CROSSPOINT_RAM } swq_crosspoint;

/* One row of the table of congestion managements. A management has queues of its own, which share
 * the memory of an input store, and of an output store. */
typedef struct swq_management {
    const char *name;
    const char *summary;
    const char *source;
    int default_queues; /* default of swq_congestion.queues, the queues of a store; 0: the row fixes
                           their number */
    bool by_class; /* an input store has a queue for each class of the fabric, as buffers have */
    bool apart;    /* each queue has its own part of a store's memory, SWQ_LEAST_PART packets of the
                      greatest length or more; else all queues share the memory freely */
    const struct swq_management_hooks *hooks; /* rules of the management: sim/frame/management.h;
                                                 NULL: none, buffers have their own queues */
    const struct swq_store_hooks
        *stores;      /* in place of hooks: the management has its own stores with set-aside queues
                         (SAQs), and its own kernel, in place of the architecture's: sim/frame/stores.h.
                         Then: */
    bool to_shortest; /* a packet joins the queue that is shortest when the packet arrives */
    bool tells_upstream; /* for --detect and --xon, with hooks: a store before a link sends notices
                            to the switches upstream of its own switch; needs_output_stores */
    bool needs_output_stores; /* the architecture must be cioq; else input-queued */
    int default_saqs, default_detect, default_xoff, default_xon; /* packets */
    int default_bytes, default_packet; /* bytes of an input's memory; bytes of a slot */
    bool by_flow;          /* CAM lines hold destinations, and packets do not carry their route: no
                              turnpool_bits */
    bool detection_queues; /* beside its SAQs an input has a queue for each output, in which
                              congestion is detected; else one queue */
    bool refuses_some;     /* SAQs may be refused although one is free: swq_congestion.refused */
    swq_needs needs;
} swq_management;

extern const swq_management *const swq_managements[]; /* ended by NULL; the first is none */
extern const swq_management swq_management_none, swq_management_1q, swq_management_4q,
    swq_management_4q_least, swq_management_voqsw, swq_management_dbbm, swq_management_voqnet,
    swq_management_lecn, swq_management_recn_iq, swq_management_recn, swq_management_recn_enhanced,
    swq_management_fbicm;
swq_status swq_management_find(swq_context *ctx, const char *name, const swq_management **row);

enum {
    SWQ_CELL_PRIORITIES = 3, /* of ATLAS-I */
    /* least packets of a queue's part of a store, in a management that is `apart` */
    SWQ_LEAST_PART = 2,
    SWQ_MAX_STORE_QUEUES = 2048, /* queues that a management may give a store */
    SWQ_MAX_SAQS_OF_PORT = 31,   /* set-aside queues */
    SWQ_MAX_INTERFACE = 65534    /* packets */
};

/* What happens when an input has refused the notice of an output's set-aside queue. */
typedef enum swq_refused {
    SWQ_REFUSED_FILL, /* packets for the set-aside queue fill the output's memory until the queue is
                         short again */
    SWQ_REFUSED_HOLD, /* packets for the set-aside queue stay at the input while the queue is
                         long */
    SWQ_REFUSED_REPEAT /* as SWQ_REFUSED_FILL, and each packet that joins the queue while it is long
                          sends the notice again */
} swq_refused;

/* When the memory of a departing packet is free again. */
typedef enum swq_release {
    SWQ_RELEASE_BLOCKS, /* block by block, as they are sent: the DAMQ chip (chapter 7) */
    SWQ_RELEASE_START,  /* all of it in the cycle after its transmission began */
    SWQ_RELEASE_HOP,  /* all of it a hop delay after SWQ_RELEASE_START: the packet counts where its
                         header is */
    SWQ_RELEASE_END,  /* all of it when the packet has been sent */
    SWQ_RELEASE_AFTER /* all of it release_cycles after the transmission began, or, if that is
                         sooner, when the packet has been sent */
} swq_release;

extern const swq_hop_flow *const swq_hop_flows[]; /* ended by NULL; the first is blocking */
extern const swq_hop_flow swq_flow_blocking, swq_flow_maximum_usage, swq_flow_credits,
    swq_flow_stop_go, swq_flow_destination, swq_flow_path, swq_flow_destination_usage,
    swq_flow_path_usage, swq_flow_two_counter, swq_flow_virtual_clock;
swq_status swq_hop_flow_find(swq_context *ctx, const char *name, const swq_hop_flow **flow);

/* How messages become packets, and how packets lie in memory. */
typedef struct swq_packet_sizes {
    int block; /* bytes of a block; a packet takes whole blocks */
    int max;   /* bytes of the longest packet */
    int piece; /* bytes that a channel carries at once: a longer packet goes in pieces, so that a
                  store may be smaller than a packet. A multiple of `block`, or `max`; 0 means
                  `max`: packets go whole */
} swq_packet_sizes;

/* The memory of an input port. */
typedef struct swq_input_memory {
    /* in blocks: swq_async_buffer. Its scope is one input; its queues are one, or one for each
     * class of the fabric. A packet may be sent to a queue of the buffer when the queue has room
     * for a packet of the greatest length, or for a piece. With any management except `none`, the
     * buffer is the memory that the management's queues share: swq_async_memory */
    swq_buffer buffer;
    int last_blocks; /* capacity of the buffers in the last stage of a multistage network, with a
                        buffer whose queues share all its blocks, and flow blocking; 0: as in the
                        other stages */
    /* For architectures and managements with stores of their own, where a byte is what a link
     * carries in a cycle, a flit: bytes of packet memory of a switch divided by its ports, 1 .. */
    int bytes;
    swq_release release;
    int release_cycles; /* SWQ_RELEASE_AFTER: 1 .. 4096 */
} swq_input_memory;

/* Flow controls whose buffers take or refuse a packet. */
typedef struct swq_flow_answers {
    int path_hops; /* by_path: 1 .. the stages */
    int stages;    /* number of stages whose buffers refuse packets; buffers of later stages block;
                      0: all refuse */
    bool no_abort; /* the transmission of a refused packet is not broken off */
    bool no_restrict; /* a refused packet may be sent again before the packet that caused the
                         refusal has left */
    bool no_requeue;  /* a packet whose next queue is closed holds up the packets behind it */
    bool no_preroute; /* a packet is sent whether or not the next buffer is open to it, and a closed
                         buffer refuses it */
} swq_flow_answers;

/* Virtual clocks. */
typedef struct swq_flow_clocks {
    /* [circuits] circuits with a rate of their own; the rate of all others is what their sender
     * would send if nothing held it back (with a trace, a byte per cycle), divided by the number of
     * nodes */
    const swq_circuit *circuit;
    uint64_t circuits;
    bool holds; /* a packet waits at a switch while its circuit's clock there, as read when the
                   packet arrived, is more than `ahead` cycles ahead of real time: */
    int ahead;
} swq_flow_clocks;

/* The flow control between switches, and its parameters. */
typedef struct swq_flow_control {
    const swq_hop_flow *row;
    int threshold; /* maximum usage: no packet is sent to a queue that has more blocks than
                      `threshold` */
    swq_credit_unit credit_unit;
    int credit_delay; /* cycles from when a block is free until its credit is back at the sender, or
                         from a change of occupancy until the sender knows of it; 0 .. 4096 */
    int stop, go; /* stop and go, in blocks: a buffer (a queue, if the buffer is partitioned) tells
                     its sender to stop when it has at least `stop`, and to go on when it has at
                     most `go` < stop */
    swq_flow_answers answers;
    swq_two_counter counters; /* of two-counter flow control */
    swq_flow_clocks clocks;
} swq_flow_control;

/* The scheme that holds senders back, and its parameters. */
typedef struct swq_sender_control {
    const swq_sender_scheme *row;            /* NULL: none; else: */
    double value[SWQ_MAX_SENDER_PARAMETERS]; /* of the scheme's parameters, in the order of its
                                                row */
} swq_sender_control;

/* What a switch sends next. */
typedef struct swq_arbitration {
    const swq_arbiter *row;
    int iterations;              /* of an iterative arbiter; 0 counts as 1 */
    const swq_selection *choice; /* the choice of outputs, for adaptive routing with the rotating
                                    arbiter; NULL: the first row, or, with lanes, the choice by
                                    room. Other arbiters match queues to outputs themselves. */
} swq_arbitration;

/* Architectures with output_stores: the stores, and the crossbar that feeds them. */
typedef struct swq_output_stores {
    int blocks;                        /* of each output store */
    int speedup_bytes, speedup_cycles; /* a channel of the crossbar carries speedup_bytes bytes in
                                          speedup_cycles cycles; the ratio is 1 .. ports; for an
                                          architecture that is `at_once`: ports and 1 */
    int crossbar_delay; /* cycles from the beginning of a transfer until the packet can take part in
                           an arbitration at the output, >= 1 */
    bool store_and_forward; /* a packet goes on when it has arrived whole: always, if `at_once` */
} swq_output_stores;

/* Architectures with stores of their own, where a byte is a flit; their memory is that of
 * swq_input_memory. */
typedef struct swq_own_stores {
    swq_crosspoint crosspoint;
    int crosspoint_chunks; /* chunks that the FIFO at a crosspoint holds, >= 2 */
    bool count_all;  /* the FIFOs at crosspoints and the registers are part of the memory, and the
                        input buffer is smaller by their size; Sivaram et al. do not count them */
    bool bank_turns; /* in each cycle only one output begins to read a chunk of an input; else there
                        are no conflicts at the banks */
    int queue_min;   /* bytes of an input buffer that are reserved for each of its queues, in whole
                        chunks */
    int fifos;       /* FIFOs of an input, 1 .. 32; 0: as many as the ports of a switch */
    int fifo;        /* bytes of the small FIFO of an input before a shared memory */
    int module;      /* bytes of a module; 0: those of the longest packet */
} swq_own_stores;

/* Architectures with lanes, where a byte is again a flit. */
typedef struct swq_link_lanes {
    int count;   /* lanes of each link, 1 .. SWQ_MAX_LANES */
    int of_node; /* packets that a node sends at once, each in a lane of its own, 1 .. lanes; if
                    there are escape lanes, 1 .. the number of lanes over which nodes send */
    int flits;   /* of the buffer of a lane, 1 .. SWQ_MAX_LANE_FLITS */
    int pool;    /* size, in flits, of a buffer that all lanes of a link share, of which each lane
                    may take `flits` at most; 0: each lane has its own buffer */
    int reserve; /* flits of the pool that are reserved for each lane, >= 1 */
    bool reserve_in_use; /* flits are reserved only while a packet has the lane or flits are in it,
                            and always for some lane that each packet may take; else for all lanes
                            always */
    const swq_lane_choice *choice; /* with deterministic routing */
    bool escapes_alike; /* escape lanes are taken like all other lanes, and also by nodes; else only
                           when no other lane is free */
    bool escapes_kept; /* from an escape lane a packet continues in escape lanes to its destination;
                          else in any lane that is free */
    bool given_empty;  /* a lane is given to a new packet only when the lane's buffer is empty; else
                          when the last flit of the previous packet has been sent */
    int router_delay[4]; /* cycles in which a header is routed, >= 0, and is given a lane, >= 0; a
                            flit is given the crossbar, 1, and crosses the crossbar, >= 0 */
    int link_delay;      /* cycles of a flit or a credit on a link, 1 .. SWQ_MAX_LINK_DELAY.
                            flow.credit_delay: cycles from
                            a credit's return until it counts. link.hop_delay is not used, link.rest is
                            0 */
    int level_delay[SWQ_MAX_LEVELS]; /* in place of link_delay, on the links of each level of the
                                        fabric, 1 .. SWQ_MAX_LINK_DELAY; all 0: link_delay. Not for
                                        graphs whose file has delays */
} swq_link_lanes;

/* Architectures with flow_groups, whose packets are all of the greatest length, cells. */
typedef struct swq_cell_credits {
    int pool;   /* cells that a link has room for in the next switch, 1 .. SWQ_MAX_POOL_CELLS */
    int lane;   /* of these, cells for one destination, 1 .. pool */
    int groups; /* destinations for which a link may have cells in the next switch, 1 ..
                   SWQ_MAX_FLOW_GROUPS. A credit counts flow.credit_delay cycles, 1 or more, after
                   its cell has left */
    int node;   /* cells that a node keeps, with a list for each destination, 0 ..
                   SWQ_MAX_POOL_CELLS; 0: a node sends one cell after the other */
    bool credit_at_departure; /* a cell takes the credit of its destination when the cell leaves,
                                 not when it joins the queue of its output */
    bool copied_at_arrival;   /* the copies of a cell join their outputs' queues when the cell
                                 arrives; else when the cell is first in the multicast queue of the
                                 switch */
} swq_cell_credits;

/* The architecture of a switch, and its parameters: the parts that the row's flags name. */
typedef struct swq_switch_design {
    const swq_architecture *row;
    swq_output_stores output;
    swq_own_stores stores;
    swq_link_lanes lanes;
    swq_cell_credits cells;
} swq_switch_design;

/* The management of congestion, and its parameters. */
typedef struct swq_congestion {
    const swq_management *row; /* NULL is `none` */
    int queues;                /* of a store, for a management that has default_queues */
    int xoff, xon; /* after a notice, no packet is sent to a queue with xoff packets of the greatest
                      length, or as many blocks, until xon or fewer are left; 0, 0: never. 0 <= xon
                      < xoff */
    /* of a management with set-aside queues; xoff and xon are packets of a SAQ, 1 <= xon <= xoff;
     * packet.max is the bytes of a slot, and memory.bytes those of an input: */
    int saqs;       /* of a port, 0 .. SWQ_MAX_SAQS_OF_PORT; 0: queues as without the management */
    int detect;     /* packets in a queue from which on it is congested, >= 1 */
    int inspection; /* RECN-IQ: cycles that the post-processing takes to inspect a head, >= 1 */
    int turnpool_bits;   /* bits of a packet's header for its route, 1 .. 63 */
    swq_refused refused; /* of a management that refuses_some */
} swq_congestion;

/* Interfaces between nodes and the network, of managements. */
typedef struct swq_node_interfaces {
    bool present; /* of a management without set-aside queues: nodes also have interfaces, with the
                     queues of a store before a link; else nodes send their packets in the order of
                     creation */
    int packets;  /* that the interface of a node has room for */
    int cold;     /* packets in the cold queue of an interface from which on the interface takes no
                     packet, even if it has room (RECN-IQ), 1 .. packets; 0: no such limit */
    bool queued;  /* open sources: a packet that finds no room at its interface waits; else it is
                     lost */
} swq_node_interfaces;

/* The links between switches. */
typedef struct swq_link_times {
    int hop_delay; /* cycles from the beginning of a transmission until the packet can take part in
                      an arbitration in the next switch, >= 1. Over a link of a graph's file with a
                      delay of D cycles: hop_delay + D - 1 */
    int rest;      /* cycles that a link is idle after a packet, >= 0 */
} swq_link_times;

/* Who sends what. */
typedef struct swq_sent {
    /* [groups]; measured separately if there are several. A sender in no group is silent; with a
     * trace it is measured only in `all`. */
    const swq_sender_group *group;
    int groups;
    const swq_async_message *trace; /* not NULL: only these messages are sent; groups is 0, or
                                       groups serve only to measure */
    uint64_t trace_messages;
    /* [dependencies] of the trace's messages. No message may wait for itself, directly or through
     * other messages. */
    const swq_async_dependency *dependency;
    uint64_t dependencies;
    /* [trace_messages] the phase of each message, below `phases`; NULL and 0: no phases. */
    const uint32_t *phase;
    uint32_t phases;
    bool told; /* the ends of messages are told to a watch (swq_async_watch.message), for which each
                  message is followed; numbers are the same */
} swq_sent;

/* A network: a fabric, its switches, the links with their flow control, and the senders. Each part
 * is a row of a table with the parameters of this table's rows. */
typedef struct swq_async {
    swq_shape shape;
    swq_packet_sizes packet;
    swq_input_memory memory;
    swq_switch_design architecture;
    swq_arbitration arbiter;
    swq_link_times link;
    swq_flow_control flow;
    swq_congestion management;
    swq_node_interfaces interface;
    swq_sender_control sender;
    swq_sent traffic;
    bool general; /* use the general kernel, which decides everything at run time, even where a
                     specialised kernel exists: the same numbers, slower; for tests */
} swq_async;

/* The values of the dissertation: blocks of 8 bytes, packets of at most 32, blocking, rotating
 * arbiter, hop delay 5, link rest 2; no output stores (for architectures that have them: a speedup
 * of 1 and a delay of 1). The caller sets shape, buffer and groups. */
swq_async swq_async_defaults(void);

/* Give each input port a buffer of that kind with `bytes` of memory. shape, block and max_packet
 * must have been set; the slots that the row reserves or allows count as packets of max_packet.
 * Errors: those of swq_fabric_count; SWQ_EINVAL for bytes or block out of range. */
swq_status swq_async_buffer(swq_context *ctx, swq_async *network, const swq_buffer_kind *kind,
                            int bytes);

/* The number of queues that a management (not `none`) gives an input store, or an output store, of
 * a counted fabric. The spec has been checked. */
int swq_management_queues(const swq_async *network, const swq_fabric *fabric, bool output);

/* The fewest blocks that a store needs with a management that is `apart`; else 0. */
int swq_management_least(const swq_async *network, const swq_fabric *fabric, bool output);

/* Give each input port `bytes` of memory for the queues of a management. As above. */
swq_status swq_async_memory(swq_context *ctx, swq_async *network, int bytes);

/* A group of all nodes that sends `load` bytes per node and cycle, in messages of the given length
 * to uniform destinations, with geometric intervals. hold: a source that never waits for the
 * network delivers exactly `load`; with a load that the link cannot carry, such as 1, there are no
 * intervals. */
swq_sender_group swq_sender_group_uniform(const swq_async *network, swq_source_kind kind,
                                          double load, swq_spread length);

/* Make a group, whose kind and types are set, send `load` bytes per node and cycle on average, by
 * geometric intervals, as swq_sender_group_uniform does; 0: it is silent. Bursts leave the load as
 * it is: messages of a burst have no intervals between them, and the interval before the burst is
 * longer instead. Not for from_start. */
void swq_sender_group_load(const swq_async *network, swq_sender_group *group, double load);

/* The intervals of one sender of a group: those of its own load, or those of the group; those of a
 * load are longer by as much as the sender's link is slower than the fastest. O(types). */
swq_spread swq_sender_interval(const swq_async *network, const swq_sender_group *group,
                               uint32_t sender);

/* Does a sender of the group send nothing because its load is 0? */
bool swq_sender_silent(const swq_sender_group *group, uint32_t sender);

/* The group of a sender in a cycle, or network->groups if the sender is in no group. *next: the
 * first later cycle in which the sender may be in another group; UINT32_MAX: it never is.
 * O(groups). */
int swq_sender_group_at(const swq_async *network, uint32_t sender, uint32_t cycle, uint32_t *next);

/* Is a sender in the group in any cycle? O(groups^2). */
bool swq_sender_group_has(const swq_async *network, int group, uint32_t sender);

/* Do groups begin or end? */
bool swq_async_timed(const swq_async *network);

/* Bytes of state that the sender scheme needs at each node of a network of `nodes`; 0: none. */
double swq_sender_state_bytes(const swq_async *network, uint32_t nodes);

/* Bytes of state that the sender scheme needs at each switch of a counted fabric that nodes are
 * linked to; 0: none. */
double swq_sender_switch_bytes(const swq_async *network, const swq_fabric *fabric);

/* Bytes of state that virtual clocks need at each switch of a counted fabric: a clock and a rate of
 * 32 bits for each circuit, and a stamp of 32 for each packet that its buffers may hold; 0: there
 * are none. */
double swq_circuit_state_bytes(const swq_async *network, const swq_fabric *fabric);

/* Mean of a distribution. */
double swq_spread_mean(const swq_spread *spread);

/* Check the whole spec; *nodes receives the number of nodes. Errors: SWQ_EINVAL naming the
 * parameter, its value and what is allowed. */
swq_status swq_async_check(swq_context *ctx, const swq_async *network, uint32_t *nodes);

/* May the network deadlock? Only if packets may wait in a circle of the graph of dependencies,
 * which is made from the fabric's links and routes, the queues or lanes of the architecture, and
 * how many queues it takes to close a buffer (docs/asynchronous.md). False means no; true means
 * that no rule excludes a deadlock. The spec has been checked. Cost: the routes of all pairs of a
 * small network with the same circles, or of the network itself, up to 2^24 steps; beyond that the
 * answer is true. */
bool swq_async_may_deadlock(const swq_async *network);

/* Has a circle of lanes been found in which packets of a network with lanes may wait for one
 * another? Then its lanes in words, "lane 0 of dimension 1 up of node 3 (0,3), ...", of which the
 * first 6 are named, in text[size], size >= SWQ_CIRCLE_WORDS: lanes of a smaller network of the
 * same kind, where that has the same circles. False also where swq_async_may_deadlock is true
 * because no rule excludes a deadlock. The spec has been checked. Cost: that of
 * swq_async_may_deadlock. */
bool swq_async_circle(const swq_async *network, char *text, size_t size);

/* The largest threshold, in blocks, with which the network cannot deadlock under maximum usage flow
 * control, since no queue can then close a buffer to the others; the buffer's capacity if the
 * network needs no threshold; -1 if no threshold suffices: the buffer has one queue, or less room
 * than for two packets, or a queue need not close a buffer alone. In rings (swq_fabric_kind) the
 * result is the largest threshold with which no queue can close a buffer, also where the rings are
 * too short for circles. The spec has been checked; its flow control and threshold are ignored.
 * Cost: that of swq_async_may_deadlock, and as many evaluations of the room rule as a buffer has
 * blocks, times a logarithm. */
int swq_async_safe_threshold(const swq_async *network);

/* The highest value of `stop` with which no buffer can overflow under stop-and-go flow control,
 * given credit_delay, the buffer and the senders: the packets that arrive until the sender knows of
 * the stop still fit. Less than 1: no such value. The flow control, `stop` and `go` in the spec are
 * ignored. Cost: O(credit_delay x blocks of a packet). */
int swq_async_highest_stop(const swq_async *network);

/* Simulate. Memory is taken before the first cycle. A deadlock is looked for at the ends of
 * batches, though not more often than every 8192 cycles (as many as there are queues, if fewer). It
 * ends the run with SWQ_STOP_DEADLOCK and SWQ_OK, and is reported with the cycle of buffers; a
 * packet that one buffer has refused SWQ_LIVELOCK times in succession ends it with
 * SWQ_STOP_LIVELOCK. watch may be NULL. Errors: SWQ_EINVAL; SWQ_ELIMIT, SWQ_ENOMEM; SWQ_ECANCELLED
 * before the first batch.
 */
swq_status swq_async_run(swq_context *ctx, const swq_async *network, const swq_sim_options *options,
                         swq_async_watch *watch, swq_async_result *result);

/* One of many runs. */
typedef struct swq_async_point {
    swq_async network;
    swq_sim_options options; /* its threads are not used */
    swq_status status;       /* out, as all below */
    swq_async_result result;
} swq_async_point;

/* Run all, `threads` at a time; as swq_sim_points. */
swq_status swq_async_points(swq_context *ctx, swq_async_point *point, int points, int threads);

/* Run at load 1, then at eighths of it, then around the load with the highest throughput in steps
 * that are halved until they are at most search->resolution, and then by bisection for the least
 * load with a throughput as high; then find the bracket. The loads of all groups are changed
 * together. All other runs for the peak are as long as the run at full load, unless that run ended
 * in a deadlock; options->threads run at a time. The highest throughput is the best of several
 * noisy runs, so a little high where throughput is flat; its interval allows for this: intervals
 * are Bonferroni's for all runs. Interrupted as swq_sim_saturation. Errors: those of swq_async_run,
 * SWQ_EINVAL for a trace or intervals from the start, or a resolution out of range. Cost: about 8 +
 * 3 log2(1 / (8 resolution)) runs, at most 256, and those of the bracket. */
swq_status swq_async_saturation(swq_context *ctx, const swq_async *network,
                                const swq_sim_options *options, const swq_search *search,
                                swq_async_result *at_full_load, swq_saturation *saturation);

/* The loads between which the network saturates, as swq_sim_bracket finds them: the sources of all
 * groups are made open, and their loads are changed together. Errors: those of
 * swq_async_saturation. */
swq_status swq_async_bracket(swq_context *ctx, const swq_async *network,
                             const swq_sim_options *options, double resolution,
                             swq_bracket *bracket);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
