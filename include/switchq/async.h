/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Simulation of asynchronous networks (Frazier 1995, chapter 6): virtual cut-through, packets of
 * any length over byte-wide links, every switch arbitrating when it has something to arbitrate.
 * Time goes in clock cycles; a link carries a byte a cycle. docs/asynchronous.md says precisely
 * what happens when.
 */
#ifndef SWITCHQ_ASYNC_H
#define SWITCHQ_ASYNC_H

#include "switchq/fabric.h"
#include "switchq/sim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_SENDER_GROUPS = SWQ_MAX_GROUPS,
    SWQ_MAX_MESSAGE_TYPES = 8,
    SWQ_MAX_NODE_SETS = 4096, /* of one type of messages */
    SWQ_MAX_SET_MEMBERS = 1 << 20,
    SWQ_MAX_PACKET = 16384,       /* bytes */
    SWQ_MAX_BUFFER_BLOCKS = 4096, /* of one input port */
    SWQ_MAX_MESSAGE = 1 << 24     /* bytes */
};

#define SWQ_MAX_BURST 1e6 /* messages, on average */
#define SWQ_MAX_SHAPE 20  /* of a Pareto distribution: lighter tails are geometric */

/* A distribution of whole numbers. */
typedef enum swq_spread_kind {
    SWQ_CONSTANT,
    SWQ_UNIFORM,
    SWQ_GEOMETRIC,
    SWQ_PARETO /* heavy tails: P(number > k) = (1 + k / s)^-shape, with the s that gives the mean;
                  what would be above SWQ_MAX_MESSAGE is that */
} swq_spread_kind;
typedef struct swq_spread {
    swq_spread_kind kind;
    double first, second; /* constant: the number. uniform: least and most, both possible.
                             geometric: the mean, and the least number (0 or 1). Pareto: the mean,
                             1 .. SWQ_MAX_MESSAGE / 2, and the shape, > 1 .. SWQ_MAX_SHAPE */
} swq_spread;

/* Where messages go. Those of the last two are multicast: each message is for several nodes. */
typedef enum swq_aim {
    SWQ_AIM_PATTERN,
    SWQ_AIM_NODE,
    SWQ_AIM_SUBSET, /* to one node of a subset */
    SWQ_AIM_ALL,    /* to all nodes of a subset */
    SWQ_AIM_SETS    /* to all nodes of a set, one of several that were drawn for the run */
} swq_aim;

/* One type of traffic of a group of senders. */
typedef struct swq_message_type {
    double probability; /* of a message being of this type; a group's sum to one */
    swq_aim aim;
    const swq_pattern *pattern; /* SWQ_AIM_PATTERN: uniform (in point-to-point fabrics to all other
                                   nodes), or a permutation; not matrix */
    uint32_t mask, value; /* SWQ_AIM_SUBSET: uniform over the nodes d with (d & mask) == value;
                             SWQ_AIM_ALL: to each of these; SWQ_AIM_NODE: all to node `value` */
    int members, sets;    /* SWQ_AIM_SETS: nodes of a set, 1 .. all, and sets, 1 ..
                             SWQ_MAX_NODE_SETS; members x sets at most SWQ_MAX_SET_MEMBERS */
    swq_spread length;    /* of a message, bytes, >= 1; longer ones than max_packet are split
                             into packets, the last one taking the rest */
} swq_message_type;

/* A group of senders: those with (sender & mask) == value, while the group is active. In each cycle
 * a sender belongs to the first such group; a sender that changes its group begins anew. */
typedef struct swq_sender_group {
    uint32_t mask, value;
    uint32_t from, until; /* it lasts in cycles from .. until - 1, counted from the run's first:
                             messages are created in these alone; until 0: it has no end */
    swq_source_kind
        kind;            /* hold: the interval to the next message begins when the last packet of
                            the one before has been sent and the link has rested. open: it begins
                            with the creation of the message before; messages wait at the source. */
    bool from_start;     /* hold: it begins when the last packet's transmission begins */
    bool silent;         /* sends nothing */
    int priority;        /* 0 .. SWQ_CELL_PRIORITIES - 1, 0 the first, in an architecture with flow
                            groups; else 0 */
    swq_spread interval; /* cycles; >= 0 (hold), >= 1 (open) */
    double burst;        /* mean messages of a burst, geometric; 0 or 1: no bursts. Those of a burst
                            are of one type and go to one destination, each begun when the link can
                            take it (hold) or created the link time of the one before after it
                            (open); the interval is the one before a burst */
    swq_message_type type[SWQ_MAX_MESSAGE_TYPES];
    int types;
} swq_sender_group;

/* One line of a trace. */
typedef struct swq_async_message {
    uint64_t cycle; /* of its creation; may not decrease from line to line */
    uint32_t source, destination, bytes;
} swq_async_message;

enum { SWQ_MAX_DEPENDENCY_DELAY = 100000000 };

/* A message of a trace that waits for another one: it is created `delay` cycles after the last byte
 * of that one has arrived at its node, or later, if its own cycle or another dependency says so.
 * Numbers are those in the trace, from 0 on. */
typedef struct swq_async_dependency {
    uint64_t message, on;
    uint32_t delay; /* 1 .. SWQ_MAX_DEPENDENCY_DELAY */
} swq_async_dependency;

/* One row of the table of hop-level flow controls: when a buffer lets a queue be sent to. All of
 * them block while less than a packet of the greatest length fits the buffer, as far as the sender
 * knows.
 */
typedef struct swq_hop_flow {
    const char *name;
    const char *summary;
    const char *source;
    bool threshold; /* has one: swq_async.threshold */
    bool credits;   /* a sender has credits: swq_async.credit_unit, credit_delay */
    bool stop_go; /* buffers tell senders to stop and to go on: swq_async.stop, go, credit_delay */
    bool by_destination; /* a buffer refuses a packet while it holds another for the same node */
    bool by_path;        /* ... or one with the same next swq_async.path_hops hops */
    bool counters;       /* a queue has a second counter: swq_async.counters */
    bool clocks;         /* packets are stamped by circuits' clocks: swq_async.circuit, clock_ahead
                          */
    unsigned engines; /* that have a flow control of this name: SWQ_ENGINE_SYNC, SWQ_ENGINE_ASYNC */
    const struct swq_flow_hooks *hooks; /* what it does beyond room and threshold:
                                           sim/async/flow.h; NULL: nothing */
    swq_needs needs;
} swq_hop_flow;

/* A circuit of virtual clocks: what a sender has for a node. */
typedef struct swq_circuit {
    uint32_t from, to;
    double rate; /* bytes a cycle, above 0, at most 1 */
} swq_circuit;

/* Two-counter flow control (Frazier 1995, Table 8.1): every `sigma` cycles a queue's counter rises
 * by one if it holds more than x_inc blocks, up to y_max, and falls by one if it holds fewer than
 * x_dec, down to 0; while the counter is y or more, the queue is sent nothing. 1 <= sigma <= 4096,
 * 1 <= x_dec <= x_inc + 1, 1 <= y <= y_max <= 65535. */
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
    const char *const *word; /* not NULL: it is one of these words, ended by NULL, and its value is
                                the word's index */
    bool optional;           /* it may be left out, as may all behind it, and is `preset` then */
    double preset;
} swq_sender_parameter;

/* One row of the table of schemes that hold senders back, on top of the flow control. */
typedef struct swq_sender_scheme {
    const char *name;
    const char *summary;
    const char *state; /* what it keeps, and where */
    const char *source;
    swq_sender_parameter parameter[SWQ_MAX_SENDER_PARAMETERS]; /* the first without a name ends
                                                                  them */
    bool starves; /* a sender may have to wait for ever: swq_async_result.starved */
    const struct swq_sender_hooks *hooks; /* what it does: sim/async/senders/scheme.h */
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

/* One row of the table of choices: which output a packet takes of several that are free and lead
 * into open stores. Of those that a row leaves, one is drawn. */
typedef struct swq_selection {
    const char *name;
    const char *summary;
    const char *source;
    bool by_room;  /* those before the stores with the fewest blocks taken */
    bool by_queue; /* those before the queues, that the packet would join, with the fewest */
    bool by_first; /* the one of the deterministic way, or the next one in the order of outputs */
    bool by_turn;  /* with lanes: the next free lane of all, after the one that was taken last */
    swq_needs needs;
} swq_selection;

extern const swq_selection *const swq_selections[]; /* ended by NULL; the first is the default */
swq_status swq_selection_find(swq_context *ctx, const char *name, const swq_selection **row);
/* What a sender has credits for. */
typedef enum swq_credit_unit {
    SWQ_CREDIT_CHANNEL, /* the blocks of the buffer at the end of the link, whichever queue */
    SWQ_CREDIT_QUEUE,   /* an equal part of the blocks for each queue there */
    SWQ_CREDIT_POOL     /* those reserved for each queue, and a pool that all share: the buffer's
                           own rule, applied to what has not come back */
} swq_credit_unit;

/* Where a switch has memory, and what is between. Either there are input stores, a crossbar and
 * perhaps output stores, or the architecture has stores of its own, which `stores` says all of;
 * their memory is swq_async.memory, and of what it has the spec says more. */
typedef struct swq_architecture {
    const char *name;
    const char *summary;
    const char *source;
    const char *place;            /* in the taxonomy of Sivaram, Stunkel and Panda (1997), Fig. 1 */
    const char *crosspoints_cost; /* of k ports and links of f bits, as formula crossbar-cost */
    const char *arbitration;      /* who decides what is sent */
    bool input_buffers;           /* its input stores are swq_async.buffer, of any kind */
    bool output_stores; /* a store before each link, fed by a crossbar with a speed of its own */
    bool at_once;       /* the crossbar is so fast that all inputs' packets reach one store; they
                           cross when they have arrived whole */
    const struct swq_store_hooks *stores; /* what its own stores do: sim/async/stores.h; or NULL.
                                             With them: */
    bool chunks;                          /* memory is given away in chunks: swq_async.block */
    bool crosspoints; /* a FIFO at each crosspoint: crosspoint, crosspoint_chunks, count_all; and
                         chunks may be reserved: queue_min */
    bool several;     /* several FIFOs an input: fifos */
    bool input_fifos; /* a small FIFO an input before a shared memory: fifo */
    bool modules;     /* the shared memory is of modules, of one packet each: module */
    bool lanes;       /* links have lanes, through which packets go flit by flit: lanes and what is
                         with it */
    bool flow_groups; /* packets are cells of max_packet, with credits for each destination and for
                         a pool: pool_cells, lane_cells, group_lanes */
    bool copies;      /* a packet may be for several nodes: it is copied in the switches in which
                         their routes part */
    swq_needs needs;
} swq_architecture;

/* Which lanes of a link a packet may take, in wormhole switching with one way for each pair. */
typedef enum swq_lanes_for {
    SWQ_LANES_ANY,
    SWQ_LANES_DATELINE,    /* in rings the upper half is for packets that have come over the end of
                              theirs, the lower half for the others */
    SWQ_LANES_CROSSING,    /* the upper half is for packets whose way leads over the end, all along
                              that ring */
    SWQ_LANES_DESTINATION, /* the one of its destination's number, modulo the lanes */
    SWQ_LANES_PHASE        /* those for the phase of its way: swq_fabric_kind.phase */
} swq_lanes_for;

/* One row of the table of them. */
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

/* ATLAS I's flow groups on a link, and places that a link may have in a switch. */
enum { SWQ_MAX_FLOW_GROUPS = 4096, SWQ_MAX_POOL_CELLS = 4096 };

enum {
    SWQ_MAX_LANES = 32,
    SWQ_MAX_LANE_FLITS = 255,
    SWQ_MAX_LANE_POOL = SWQ_MAX_LANES * SWQ_MAX_LANE_FLITS,
    SWQ_MAX_ROUTER_DELAY = 64
};

/* How a FIFO at a crosspoint is built (Sivaram et al. 1997, Fig. 3b): a packet behind another takes
 * at least 3 and 6 cycles through registers, or 4 and 7 through a RAM. */
typedef enum swq_crosspoint { SWQ_CROSSPOINT_REGISTERS, SWQ_CROSSPOINT_RAM } swq_crosspoint;

extern const swq_architecture *const swq_architectures[]; /* ended by NULL; the first is
                                                             input-queued */
extern const swq_architecture swq_input_queued, swq_cioq, swq_output_queued, swq_hipiqs,
    swq_crosspoint_queued, swq_multi_buffer, swq_central_queue, swq_prizma, swq_wormhole_lanes,
    swq_atlas_cells;
swq_status swq_architecture_find(swq_context *ctx, const char *name, const swq_architecture **row);

/* One row of the table of congestion managements: queues of its own, over the one memory that an
 * input store is then, and over that of an output store. */
typedef struct swq_management {
    const char *name;
    const char *summary;
    const char *source;
    int default_queues; /* of a store, where swq_async.queues says how many; 0: the row does */
    bool by_class; /* an input store has a queue for each class of the fabric, as buffers have */
    bool apart;    /* each queue has its part of a store's memory, SWQ_LEAST_PART packets of the
                      greatest length or more; else all share it freely */
    const struct swq_management_hooks
        *hooks; /* what it does: sim/async/management.h; NULL: nothing, buffers are as they are */
    const struct swq_store_hooks
        *stores; /* in place of hooks: it brings stores and a kernel of its own, of set-aside queues
                    (SAQs), in place of the architecture's: sim/async/stores.h. Then: */
    bool to_shortest;         /* a packet joins the queue that is shortest as it comes */
    bool tells_upstream;      /* of --detect and --xon, with hooks: a store before a link tells the
                                 switches before its own; needs_output_stores */
    bool needs_output_stores; /* its architecture is cioq; else input-queued */
    int default_saqs, default_detect, default_xoff, default_xon; /* packets */
    int default_bytes, default_packet;                           /* of an input; of a slot */
    bool by_flow;          /* lines have destinations, and packets no ways: no turnpool_bits */
    bool detection_queues; /* ... beside its SAQs an input has a queue for each output, in which
                              congestion is seen; else one queue */
    bool refuses_some;     /* SAQs may be refused although one is free: swq_async.refused */
    swq_needs needs;
} swq_management;

extern const swq_management *const swq_managements[]; /* ended by NULL; the first is none */
extern const swq_management swq_management_none, swq_management_1q, swq_management_4q,
    swq_management_4q_least, swq_management_voqsw, swq_management_dbbm, swq_management_voqnet,
    swq_management_lecn, swq_management_recn_iq, swq_management_recn, swq_management_recn_enhanced,
    swq_management_fbicm;
swq_status swq_management_find(swq_context *ctx, const char *name, const swq_management **row);

enum {
    SWQ_CELL_PRIORITIES = 3,     /* of ATLAS-I */
    SWQ_LEAST_PART = 2,          /* packets in a part of a store, of a management that is `apart` */
    SWQ_MAX_STORE_QUEUES = 2048, /* that a management gives a store */
    SWQ_MAX_SAQS_OF_PORT = 31,   /* set-aside queues */
    SWQ_MAX_INTERFACE = 65534    /* packets */
};

/* What happens when an input has refused the notice of an output's set-aside queue. */
typedef enum swq_refused {
    SWQ_REFUSED_FILL,  /* its packets fill the output's memory until the queue is short again */
    SWQ_REFUSED_HOLD,  /* ... or stay at the input while the queue is long */
    SWQ_REFUSED_REPEAT /* ... or fill the memory, and each that joins the queue while it is long
                          sends the notice again */
} swq_refused;

/* When the memory of a departing packet is free again. */
typedef enum swq_release {
    SWQ_RELEASE_BLOCKS, /* block by block, as they are sent: the DAMQ chip (chapter 7) */
    SWQ_RELEASE_START,  /* all of it in the cycle after its transmission began */
    SWQ_RELEASE_HOP,    /* ... a hop delay later: the packet counts where its header is */
    SWQ_RELEASE_END,    /* ... when it has been sent */
    SWQ_RELEASE_AFTER   /* ... release_cycles after its transmission began, or when it has been sent
                           if that is sooner */
} swq_release;

extern const swq_hop_flow *const swq_hop_flows[]; /* ended by NULL; the first is blocking */
extern const swq_hop_flow swq_flow_blocking, swq_flow_maximum_usage, swq_flow_credits,
    swq_flow_stop_go, swq_flow_destination, swq_flow_path, swq_flow_destination_usage,
    swq_flow_path_usage, swq_flow_two_counter, swq_flow_virtual_clock;
swq_status swq_hop_flow_find(swq_context *ctx, const char *name, const swq_hop_flow **flow);

typedef struct swq_async {
    swq_shape shape;
    int block;      /* bytes of a block; a packet takes whole ones */
    int max_packet; /* bytes */
    int piece; /* bytes that a channel carries at once, of a packet of more: a store may then be
                  smaller than a packet. A multiple of block, or max_packet: as 0, packets go whole
                */
    swq_buffer buffer; /* of an input port, in blocks: swq_async_buffer. Its scope is one input; its
                          queues are one, or one for each class of the fabric. It is open to a queue
                          when that has room for a packet of max_packet, or for a piece. */
    int last_blocks;   /* capacity of the buffers in the last stage of a multistage network, with a
                          buffer whose queues share all of it and flow blocking; 0: as the others */
    const swq_hop_flow *flow;
    int threshold; /* maximum usage: a queue of more blocks than these is not sent to */
    swq_credit_unit credit_unit;
    int credit_delay; /* cycles from a block's being free until its credit is back, or from a change
                         of occupancy until the sender has heard of it; 0 .. 4096 */
    int stop, go; /* stop and go, in blocks: a buffer (a queue, if the buffer is partitioned) tells
                     its sender to stop when it has at least `stop`, and to go on when it has at
                     most `go` < stop */
    /* flow controls whose buffers take or refuse a packet: */
    int path_hops;     /* by_path: 1 .. the stages */
    int answer_stages; /* number of stages whose buffers refuse packets, those of later stages
                          block; 0: all refuse */
    bool no_abort;     /* the transmission of a refused packet is not broken off */
    bool no_restrict;  /* a refused packet may be sent again before the packet that caused the
                          refusal has left */
    bool no_requeue;   /* a packet whose next queue is closed holds up those behind it */
    bool no_preroute;  /* a packet is sent whether or not the next buffer is open to it, and refused
                          there if it is not */
    swq_two_counter counters; /* of two-counter flow control */
    /* virtual clocks: */
    const swq_circuit *circuit; /* [circuits] those with a rate of their own; the others' is what
                                   their sender would send if nothing held it back (a byte a cycle,
                                   with a trace), divided by the nodes */
    uint64_t circuits;
    bool clock_holds; /* a packet waits at a switch while its circuit's clock there, as it was when
                         the packet came, is more than clock_ahead cycles ahead of real time: */
    int clock_ahead;
    const swq_sender_scheme *sender;                /* what holds senders back, or NULL; then: */
    double sender_value[SWQ_MAX_SENDER_PARAMETERS]; /* of the scheme's parameters, in the order of
                                                       its row */
    swq_release release;
    int release_cycles; /* SWQ_RELEASE_AFTER: 1 .. 4096 */
    const swq_arbiter *arbiter;
    const swq_architecture *architecture;
    const swq_selection *choice; /* adaptive routing and the rotating arbiter; NULL: the first row,
                                  with lanes that by room. Other arbiters match queues to outputs
                                  themselves. */
    const swq_management *management; /* NULL is none. With another one the buffer is the memory
                                         that its queues share: swq_async_memory */
    int queues;                       /* of a store, of a management that has default_queues */
    int xoff, xon; /* of a management: after a notice, a queue with xoff packets of the greatest
                      length, or as many blocks, is sent nothing until xon or fewer are left; 0, 0:
                      never. 0 <= xon < xoff */
    /* of a management with set-aside queues; xoff and xon are packets of a SAQ, 1 <= xon <= xoff;
     * max_packet is the bytes of a slot, and `memory` those of an input: */
    int saqs;           /* of a port, 0 .. SWQ_MAX_SAQS_OF_PORT; 0: queues as they are without */
    int detect;         /* packets in a queue from which on it is congested, >= 1 */
    int inspection;     /* RECN-IQ: cycles that the post-processing takes to inspect a head, >= 1 */
    int turnpool_bits;  /* that a packet's header has for its way, 1 .. 63 */
    int interface;      /* packets that the interface of a node has room for */
    int interface_cold; /* packets in its cold queue from which on it takes none, even if it has
                           room    (RECN-IQ), 1 .. interface; 0: no such limit */
    swq_refused refused;   /* of a management that refuses_some */
    bool interface_queued; /* open sources: what finds no room there waits; else it is lost */
    bool has_interfaces;   /* of a management without set-aside queues: its nodes have interfaces,
                              too, with queues as its stores before links; else they send their
                              packets in the order of creation */
    bool general; /* the kernel that decides everything at run time, where a leaner one would do:
                     the same numbers, slower; for tests */
    /* with output stores: */
    int output_blocks;                 /* of each */
    int speedup_bytes, speedup_cycles; /* a channel of the crossbar carries so many bytes in so
                                          many cycles, at least as many, at most ports times; of an
                                          architecture that is `at_once`: ports and 1 */
    int crossbar_delay; /* cycles from the beginning of a transfer until the packet can take part in
                           an arbitration at the output, >= 1 */
    bool store_and_forward; /* a packet goes on when it has arrived whole: always, if `at_once` */
    /* with stores of its own, whose byte is what a link carries in a cycle, a flit: */
    int memory; /* bytes of packet memory of a switch divided by its ports, 1 .. */
    swq_crosspoint crosspoint;
    int crosspoint_chunks; /* that the FIFO at a crosspoint holds, >= 2 */
    bool count_all;        /* these FIFOs and the registers are part of `memory`, too, and the input
                              buffer is that much smaller; as Sivaram et al. count, they are not */
    bool bank_turns; /* one output an input and cycle begins to read a chunk; else there are no
                        conflicts at the banks */
    int queue_min;   /* bytes of an input buffer that are reserved for each of its queues, in whole
                        chunks */
    int fifos;       /* FIFOs of an input, 1 .. 32; 0: as many as the ports of a switch */
    int fifo;        /* bytes of the small FIFO of an input before a shared memory */
    int module;      /* bytes of a module; 0: max_packet */
    /* with lanes, whose byte is a flit, too: */
    int lanes;      /* of each link, 1 .. SWQ_MAX_LANES */
    int node_lanes; /* packets that a node sends at once, each in a lane of its own, 1 .. lanes; if
                       some are escape lanes, 1 .. those over which nodes send */
    int lane_flits; /* of the buffer of a lane, 1 .. SWQ_MAX_LANE_FLITS */
    int lane_pool;  /* flits that all lanes of a link share, each of them lane_flits of it at most;
                       0: each lane has its own buffer */
    int lane_reserve;    /* flits of the pool that are reserved for each lane, >= 1, ... */
    bool reserve_in_use; /* ... while a packet has it or flits are in it, and some lane that each
                            packet may take always; else always */
    const swq_lane_choice *lane_choice; /* with deterministic routing */
    bool escapes_alike;  /* escape lanes are taken as any others, and from nodes, too; else when no
                            other is free */
    bool escapes_kept;   /* from an escape lane a packet goes on in escape lanes to its end; else
                            in any lane that is free */
    bool lanes_empty;    /* a lane is given away only when its buffer is empty; else when the last
                            flit of the packet before has been sent */
    int router_delay[4]; /* cycles: a header is routed, >= 0, and given a lane, >= 0; a flit is
                            given the crossbar, 1, and crosses it, >= 0 */
    int link_delay;      /* of a flit or a credit on a link, >= 1. credit_delay: from a credit's
                            coming back until it counts. hop_delay is not asked, link_rest is 0 */
    /* with flow_groups, whose packets are all of max_packet: */
    int pool_cells;  /* that a link has room for in the next switch, 1 .. SWQ_MAX_POOL_CELLS */
    int lane_cells;  /* ... of these of one destination, 1 .. pool_cells */
    int group_lanes; /* destinations of which a link has cells there, 1 .. SWQ_MAX_FLOW_GROUPS. A
                        credit counts credit_delay, 1 or more, cycles after its cell has left */
    int node_cells;  /* that a node keeps, with a list for each destination, 0 ..
                        SWQ_MAX_POOL_CELLS; 0: it sends one after the other */
    bool group_credit_at_departure; /* a cell takes the credit of its destination as it leaves,
                                       not as it joins the queue of its output */
    bool multicast_at_outputs;      /* the copies of a cell come to their outputs as the cell comes;
                                       else when it is first in the multicast queue of the switch */
    int iterations;                 /* of an iterative arbiter; 0 counts as 1 */
    int hop_delay; /* cycles from the beginning of a transmission until the packet can take part in
                      an arbitration in the next switch, >= 1 */
    int link_rest; /* cycles that a link is idle after a packet, >= 0 */
    const swq_sender_group *group; /* [groups]; measured apart if there are several. A sender in
                                      none is silent; with a trace it is measured in `all` alone. */
    int groups;
    const swq_async_message *trace; /* not NULL: these messages, and no others; groups is 0 or only
                                       measures */
    uint64_t trace_messages;
    const swq_async_dependency *dependency; /* [dependencies] of the trace's messages. None may wait
                                               for itself, by way of others or not. */
    uint64_t dependencies;
} swq_async;

/* The dissertation's: blocks of 8 bytes, packets of at most 32, blocking, rotating arbiter, hop
 * delay 5, link rest 2; no output stores, but a speedup of 1 and a delay of 1 if there were. shape,
 * buffer and groups are left to be set. */
swq_async swq_async_defaults(void);

/* Give each input port a buffer of that kind with `bytes` of memory. shape, block and
 * max_packet, in which the slots that the row reserves or allows are counted, have been set.
 * Errors: those of swq_fabric_count; SWQ_EINVAL for bytes or block out of range. */
swq_status swq_async_buffer(swq_context *ctx, swq_async *network, const swq_buffer_kind *kind,
                            int bytes);

/* Queues that a management which is not none gives an input store, or an output store, of a counted
 * fabric. The spec has been checked. */
int swq_management_queues(const swq_async *network, const swq_fabric *fabric, bool output);

/* Blocks that such a store needs at least: of one that is `apart`; else 0. */
int swq_management_least(const swq_async *network, const swq_fabric *fabric, bool output);

/* Give each input port `bytes` of memory for the queues of a management. As above. */
swq_status swq_async_memory(swq_context *ctx, swq_async *network, int bytes);

/* A group of all nodes that sends `load` bytes per node and cycle of messages of that length,
 * uniformly: geometric intervals. hold: so that a source that never waits for the network delivers
 * exactly `load`; a load that the link cannot carry, and 1 in particular, leaves no intervals. */
swq_sender_group swq_sender_group_uniform(const swq_async *network, swq_source_kind kind,
                                          double load, swq_spread length);

/* Make a group, whose kind and types are set, send `load` bytes per node and cycle on average, by
 * geometric intervals, as swq_sender_group_uniform does; 0: it is silent. Bursts leave the load as
 * it is: what they save in intervals is before them. Not for from_start. */
void swq_sender_group_load(const swq_async *network, swq_sender_group *group, double load);

/* The group of a sender in a cycle, or network->groups if it is in none. *next: the first later
 * cycle in which that may be another one; UINT32_MAX: it stays. O(groups). */
int swq_sender_group_at(const swq_async *network, uint32_t sender, uint32_t cycle, uint32_t *next);

/* Is a sender in that group in any cycle? O(groups^2). */
bool swq_sender_group_has(const swq_async *network, int group, uint32_t sender);

/* Do groups begin or end? */
bool swq_async_timed(const swq_async *network);

/* Bytes of state that the sender scheme needs at each node of a network of `nodes`; 0: none. */
double swq_sender_state_bytes(const swq_async *network, uint32_t nodes);

/* ... and at each switch that nodes are linked to, of a counted fabric; 0: none. */
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

/* What became of a set-aside queue, of a CAM line, of a notice. */
typedef enum swq_saq_event_kind {
    SWQ_SAQ_DETECTED, /* a SAQ was allocated by what is seen there */
    SWQ_SAQ_TOLD,     /* ... by an output of its switch, or a notice */
    SWQ_SAQ_FREED,
    SWQ_SAQ_XOFF, /* sent upstream by an input */
    SWQ_SAQ_XON,
    SWQ_SAQ_LINE_TAKEN, /* at an output, by an Xoff */
    SWQ_SAQ_LINE_FREED,
    SWQ_SAQ_STOPPED, /* a SAQ that there is, by an output of its switch */
    SWQ_SAQ_RELEASED,
    SWQ_SAQ_NONE_FREE, /* a SAQ was wanted there */
    SWQ_SAQ_NO_LINE,   /* a notice found no free line */
    SWQ_SAQ_REFUSED,   /* ... is more specific than a SAQ that is there: RECN */
} swq_saq_event_kind;

typedef struct swq_saq_event {
    uint32_t cycle;
    swq_saq_event_kind kind;
    uint32_t port;    /* an input, or for lines an output; that of node n's interface is switches *
                         ports + n */
    bool at_output;   /* the SAQ is of that output: RECN, enhanced RECN, FBICM */
    int number;       /* of the SAQ, from 1 on, or of the line, from 0 on; 0: there is none */
    uint64_t turns;   /* the path as seen from there, `bits` a turn, the first lowest */
    int length, bits; /* length: turns; FBICM: 1 at inputs, whose lines have an output, else 0 */
} swq_saq_event;

typedef void swq_saq_event_fn(void *arg, const swq_saq_event *event);

/* Looking on. The first replication alone is watched. */
typedef struct swq_async_watch {
    swq_started_fn *started; /* or NULL */
    swq_started_fn *refused; /* or NULL: that transmission is refused, hop_delay cycles after its
                                start */
    swq_started_fn *ended;   /* or NULL; with pieces alone: told, in place of the cycle in which a
                                packet's transmission began, of the first after its last byte, as its
                                last piece begins */
    swq_saq_event_fn *saq;   /* or NULL; of a management with set-aside queues */
    void *arg;
    /* the mean blocks in each class's queue of each node's host input port, in frames of
     * frame_cycles each from the end of the warm-up on; NULL, 0, 0: none. The last frame, [frames],
     * is the whole run. */
    double *queue_blocks; /* [(frames + 1) * nodes * classes] */
    uint32_t frame_cycles;
    int frames;
    int frames_seen; /* out */
} swq_async_watch;

/* A buffer that waits for another in a deadlock. */
typedef struct swq_waiting {
    uint32_t port;      /* input port number */
    int packet_class;   /* of the head packet that waits */
    uint32_t next_port; /* the input port that lets nothing in */
    int next_class;     /* for packets of this class */
} swq_waiting;

enum { SWQ_MAX_WAITING = 256 };

/* The packet that was refused most often in succession by one buffer. */
typedef struct swq_livelock {
    uint32_t times;     /* 65535: so often or oftener */
    uint32_t from, to;  /* its sender and receiver */
    uint32_t next_port; /* the input port that refused it */
} swq_livelock;

enum { SWQ_LIVELOCK = 10000 }; /* times that are taken for ever */

/* How chunks of stores were used, in samples of the measured cycles, over all replications; all NAN
 * for architectures without chunks. Of one input buffer, or of a switch's shared memory: */
typedef struct swq_chunk_use {
    double taken;       /* chunks in use, mean */
    double partly;      /* of these, chunks that are not filled to their end, mean ... */
    double most_partly; /* ... and most */
    double unfilled;    /* bytes of those chunks that nothing was written to, mean */
    double lost;        /* bandwidth lost to such chunks: the fraction of the turns' cycles in which
                           nothing was written or read; NAN where turns are not taken */
    /* with bank_turns, sums: */
    double turns,
        waited;         /* chunks that outputs began to read, and cycles that they waited for it */
    double flits, gaps; /* flits that left, and cycles in which the banks would have held up a
                           packet that was leaving */
} swq_chunk_use;

/* Set-aside queues, in the measured cycles, and what was counted in the whole run, over all
 * replications; of a management that has them. */
typedef struct swq_saq_use {
    uint32_t ports;           /* inputs of switches that the next three are of */
    double in_use;            /* mean over the cycles and replications, of an input */
    uint32_t most;            /* at one input at a time */
    double mean_most;         /* mean over the inputs of the most at each */
    uint32_t most_in_network; /* at a time, those of interfaces among them */
    double interface_in_use;  /* mean, of an interface */
    int replications;
    uint64_t allocated, detections, false_detections;
    uint64_t xoffs, xons, tokens;
    uint64_t stops;
    uint64_t lost_notices;             /* messages that found no line, and were not answered */
    uint64_t unserved_detections;      /* that found no SAQ */
    uint64_t unserved_stops;           /* ... to be stopped */
    uint64_t inspections, moves, hops; /* of heads; and the switches that packets entered */
    uint64_t out_of_order;             /* packets delivered after a later one of their pair */
    uint64_t dropped;                  /* packets that found no room at an interface */
    int most_slots;                    /* taken at one input of a switch at a time */
    /* of switches with memory at outputs: */
    bool at_outputs;
    double output_in_use;    /* mean, of an output */
    uint32_t most_at_output; /* at one output at a time */
    int most_output_slots;   /* taken at one output at a time */
    uint64_t notices;        /* of congestion; xoffs are those and others that stop a SAQ */
    uint64_t refused_specific, refused_full; /* of these; the second for want of a SAQ */
} swq_saq_use;

/* What an asynchronous run tells beside what every run tells. In swq_sim_result throughputs are
 * bytes per cycle and node, stages are the fabric's levels, `sent` is bytes per link and cycle and
 * packet_hops counts the switches that packets entered. */
typedef struct swq_async_result {
    swq_sim_result sim;
    double
        bisection; /* mean bytes per cycle of the links between switches that are not chain links:
                      for a symmetric network the fraction of the bisection's bandwidth (6.3.2) */
    swq_waiting
        waiting[SWQ_MAX_WAITING]; /* stopped by SWQ_STOP_DEADLOCK: the cycle, or its begin */
    int waiting_count;            /* its length, which may exceed SWQ_MAX_WAITING */
    uint64_t bytes_created, bytes_delivered, bytes_in_flight; /* whole run, all replications */
    uint64_t messages_left; /* of a trace: not created by the end of the run */
    uint64_t bytes_lost;    /* of packets that found no room at an interface; likewise */
    uint64_t notices;       /* that a management sent; likewise */
    uint64_t refusals;      /* of transmissions; likewise */
    swq_chunk_use chunks;
    swq_saq_use saqs;
    swq_livelock most_refused; /* stopped by SWQ_STOP_LIVELOCK: with SWQ_LIVELOCK times or more */
    uint32_t starved, first_starved; /* senders that have a packet as a replication ends, and will
                                        never have a token for it: the most of any one, and the
                                        lowest number. Where tokens stay, not with a trace. */
} swq_async_result;

/* May it deadlock? Only if packets may wait in a circle of the graph of dependencies, which is made
 * from the fabric's links and routes, the queues or lanes of the architecture, and how many queues
 * it takes to close a buffer (docs/asynchronous.md). False means no; true means that nothing rules
 * it out. The spec has been checked. Cost: the ways of all pairs of a small network with the same
 * circles, or of the network itself, up to 2^24 steps; beyond that the answer is true. */
bool swq_async_may_deadlock(const swq_async *network);

/* The largest threshold, in blocks, with which it cannot deadlock under maximum usage flow control,
 * since no queue can then close a buffer to the others; the buffer's capacity if it needs none; -1
 * if there is none: the buffer has one queue, or less room than for two packets, or a queue need
 * not close a buffer alone. In rings (swq_fabric_kind) it is what no queue can close a buffer with,
 * also where the rings are too short for circles. The spec has been checked; its flow and threshold
 * do not count. Cost: that of swq_async_may_deadlock, and as many evaluations of the room rule as a
 * buffer has blocks, times a logarithm. */
int swq_async_safe_threshold(const swq_async *network);

/* The highest value of `stop` with which no buffer can overflow under stop-and-go flow control,
 * given credit_delay, the buffer and the senders: what comes until the sender has heard of it still
 * fits. Less than 1: there is none. The flow, stop and go do not count. Cost: O(credit_delay x
 * blocks of a packet). */
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

/* One of many. */
typedef struct swq_async_point {
    swq_async network;
    swq_sim_options options; /* its threads are not used */
    swq_status status;       /* out, as all below */
    swq_async_result result;
} swq_async_point;

/* Run all, `threads` at a time; as swq_sim_points. */
swq_status swq_async_points(swq_context *ctx, swq_async_point *point, int points, int threads);

/* The highest throughput over the load. Where networks are reactive, as tori with one queue a
 * buffer are, it is not that at full load. */
typedef struct swq_async_peak {
    swq_estimate throughput; /* bytes per cycle and node: the highest found; NAN: none. The interval
                                is wider than a run's: those of all loads hold together, so that
                                this one is right for the load that was chosen */
    double highest_load;     /* that all senders had then */
    double load;             /* the least load tried whose throughput is not less by more than its
                                and the highest's half-widths; NAN: none */
    swq_estimate at_load;    /* the throughput there */
    double below, above;     /* the nearest loads tried below it, which is shown to deliver less,
                                and above it, of which nothing is known; NAN: none */
    double deadlock_load; /* the lowest load of a run that ended in a deadlock; NAN: none did. Only
                             lower loads count for all of the above. */
    int runs;             /* that were finished, the one at full load first */
    swq_async_result at_full_load;
} swq_async_peak;

/* Run at load 1, then at eighths of it, then around the highest in steps halved until they are at
 * most `resolution`, and then by bisection for the least load that does as well; the loads of all
 * groups are changed together. Beyond full load's, runs are as long as that one was, unless that
 * ended in a deadlock, options->threads at a time. The highest is the best of several noisy runs,
 * so a little high where throughput is flat, for which its interval allows: intervals are those of
 * Bonferroni for all runs. A cancelled context ends
 * it with at_full_load.sim.stopped_by SWQ_STOP_INTERRUPTED and what was found; runs is 0 then if
 * at_full_load itself was cut short. Errors: those of swq_async_run, SWQ_EINVAL for a trace or
 * intervals from the start, or resolution not in 0 .. 0.5. Cost: about 8 + 3 log2(1 / (8
 * resolution)) runs, at most 256. */
swq_status swq_async_saturation(swq_context *ctx, const swq_async *network,
                                const swq_sim_options *options, double resolution,
                                swq_async_peak *peak);

/* Between which loads the network saturates, as swq_sim_bracket: all groups' sources are made open,
 * and their loads are changed together. Errors: those of swq_async_saturation. */
swq_status swq_async_bracket(swq_context *ctx, const swq_async *network,
                             const swq_sim_options *options, double resolution,
                             swq_bracket *bracket);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
