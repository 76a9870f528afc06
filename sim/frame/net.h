/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication of an asynchronous network: everything that changes, in flat arrays made before
 * the first cycle. See docs/asynchronous.md for the rules.
 */
#ifndef SWQ_SIM_FRAME_NET_H
#define SWQ_SIM_FRAME_NET_H

#include "base/arrays.h"
#include "base/port_set.h"
#include "sim/frame/after.h"
#include "sim/frame/flow.h"
#include "sim/frame/management.h"
#include "sim/frame/messages.h"
#include "sim/frame/pieces.h"
#include "sim/frame/rule.h"
#include "sim/frame/stores.h"
#include "sim/frame/wheel.h"
#include "sim/measure/probe.h"
#include "sim/measure/state.h"
#include "sim/stream.h"
#include "sim/traffic/multicast.h"
#include "sim/traffic/spread.h"
#include "sim/traffic/trace.h"
#include "switchq/async.h"

#define SWQ_SINK    UINT32_MAX /* instead of an input port: the destination itself */
#define SWQ_NO_SLOT UINT16_MAX

/* A packet in a buffer. */
typedef struct swq_parcel {
    uint32_t birth; /* cycle of its creation */
    uint32_t ready; /* the cycle from which its header can take part in arbitration */
    uint32_t from : 24, group : 8; /* the packet's sender; its group, which is also the cell of
                                      the counts */
    uint32_t to;
    uint16_t bytes, blocks;
    uint16_t next; /* slot of the next packet of its queue; free slots are linked in the same way */
    uint8_t packet_class; /* at this port */
    uint8_t entered;      /* switches entered, including this one; at most 255 */
} swq_parcel;

/* Blocks that a departing packet still holds: a block is freed every `step` cycles, and none is
 * held after cycle `held`. */
typedef struct swq_leaving {
    uint32_t cycle; /* in which its transmission began */
    uint16_t held, blocks;
} swq_leaving;

/* A queue of an input port. The route of its head is kept here, so that arbitration need not look
 * at the packet. */
typedef struct swq_queue {
    uint32_t ready;     /* of the head */
    uint32_t next_port; /* the input port that the head goes to, or SWQ_SINK */
    uint16_t head, tail;
    uint16_t blocks;    /* of the packets that wait */
    uint8_t output;     /* of the head, 0 .. ports-1 */
    uint8_t next_class; /* of the head, at next_port */
} swq_queue;

enum { SWQ_FORK_CLASSES = SWQ_MAX_CHOICE_DIMS, SWQ_NO_OUTPUT = 255 };

/* Adaptive routing: where the head of a queue may go. */
typedef struct swq_fork {
    uint32_t outputs;                     /* a set */
    uint8_t next_class[SWQ_FORK_CLASSES]; /* behind the first, second, ... of them, the last for all
                                             others; without escape queues */
    uint8_t first;                        /* the deterministic output, if the choice needs it */
    uint8_t escape_output; /* the output behind which an escape queue may be entered, or
                              SWQ_NO_OUTPUT */
    uint8_t escape_class;
} swq_fork;

/* A read port of a buffer: one for all its queues, or one for each. */
typedef struct swq_reader {
    uint32_t free;       /* the cycle from which the read port is free */
    swq_leaving leaving; /* the packet read last ... */
    uint32_t queue;      /* ... and its queue */
} swq_reader;

/* A port, as an input and as an output: one cache line. */
typedef struct swq_port {
    /* As an input. */
    swq_reader reader;  /* if there is only one */
    uint32_t feeder;    /* the output whose link ends here, or SWQ_TO_NODE | sender */
    uint32_t link_free; /* the cycle from which that link is free */
    uint32_t full; /* set of the queues that hold packets; with a management, or more than 32 ports,
                      of the nonempty words of its set of queues */
    uint32_t wants;  /* set of the outputs for which the queues' heads are, if the kernel keeps this
                        set */
    uint16_t blocks; /* of the waiting packets of all queues */
    uint16_t free_slot; /* the list of free slots */
    uint32_t due;       /* its number in the wheel, as an input */
    uint32_t entered;   /* the cycle in which the last packet entered, ... */
    uint16_t entered_blocks;
    uint8_t entered_queue;
    uint8_t in_level;
    /* As an output. */
    uint8_t out_level;
    uint8_t place;     /* as an input and as an output: its number within its unit */
    uint32_t out_free; /* the cycle from which its link is free */
    uint32_t wanted;   /* set of the inputs with a head for this output; or, if the switch has
                          more ports than rows of waits, of the inputs that wait for this output:
                          turn_waits.h */
    uint32_t link;     /* where its link leads, as swq_fabric.link */
} swq_port;

/* Sets of the ports of a switch that has more than 32; and those of a port, in place of swq_port's:
 * the outputs that its heads are for, and the inputs with a head for this output. */
typedef struct swq_wide_set {
    swq_port_set word[SWQ_PORT_SET_WIDE];
} swq_wide_set;

typedef struct swq_wide_port {
    swq_wide_set wants, wanted;
} swq_wide_port;

/* State of a switch's ports that lasts from turn to turn, for a built-in arbiter in a lean
 * kernel: turn_waits.h, turn_sending.h. */
typedef struct swq_unit {
    uint64_t waits; /* a row for each of at most eight outputs: the inputs that wait for this
                       output */
    uint32_t shut;  /* outputs by which nothing can be sent before they are due */
} swq_unit;

/* A sender. The packets of a message are created one after another, each when the link has paused
 * after the one before. */
typedef struct swq_sender {
    uint32_t birth; /* of the next packet, or SWQ_NEVER */
    uint32_t link_free;
    uint32_t to, left;      /* left: bytes of the message still to be sent, including this packet */
    uint32_t message_birth; /* of the message's first packet */
    uint32_t later_birth;   /* open loop, trace: of the next message to be created ... */
    uint32_t later_to;      /* ... and where it goes; `to` and it may be sets of nodes */
    uint32_t later_left;    /* its bytes */
    uint16_t bytes;         /* of the next packet */
    uint16_t later_bytes;   /* of the first packet of the next message to be created */
    uint8_t packet_class;   /* at the entry port */
    uint8_t group;          /* of the next message to be sent ... */
    /* ... and the group of the message to be created next; groups are also the cells of the
     * counts */
    uint8_t later_group;
    bool counted;    /* the next packet has been counted as created */
    bool unfinished; /* the last packet stalls in the middle, and the next is created after it */
    uint64_t number, later; /* of the next message to be sent, and to be created */
} swq_sender;

/* A type of message of a group, ready to be drawn. */
typedef struct swq_drawing_type {
    double up_to; /* cumulative probability */
    const uint32_t *image;
    uint32_t *image_store;
    uint32_t *member; /* [members] the nodes of a subset */
    uint32_t members;
    double *row_sum;    /* a matrix: of each of its entries, the sum of the row up to it */
    uint32_t first_set; /* the number of the first of its sets of nodes */
    swq_drawn length;
} swq_drawing_type;

typedef struct swq_drawing {
    swq_drawn interval;
    swq_drawn *own_interval; /* [nodes] where each sender has a load of its own, or NULL */
    swq_drawing_type type[SWQ_MAX_MESSAGE_TYPES];
} swq_drawing;

/* The room rule of a store, worked out for the plain cases: a store is open while its blocks are at
 * most `room`, and a queue while its blocks are at most `limit`. With reserved blocks or a dynamic
 * threshold both conditions are only necessary, and the rule itself is asked as well. */
typedef struct swq_admission {
    int room, limit;
    bool pooled, limited; /* which of the two can matter; by_rule: ask the rule */
    bool by_rule;
} swq_admission;

/* A channel: it sends `bytes` bytes in `per` cycles; a header is in the next store after `delay`;
 * the channel pauses for `rest` after a packet. */
typedef struct swq_timing {
    uint32_t bytes, per, delay, rest;
} swq_timing;

typedef struct swq_async_net swq_async_net;
typedef struct swq_credits swq_credits; /* sim/flows/credits.c */
typedef struct swq_acks swq_acks;       /* sim/frame/acks.h */
typedef struct swq_scheme swq_scheme;   /* sim/frame/scheme.h */
typedef struct swq_clocks swq_clocks;   /* sim/flows/virtual_clock.h */
typedef struct swq_counter swq_counter; /* sim/flows/two_counter.c */
typedef struct swq_parting swq_parting; /* sim/frame/shares.h */

/* The work of a unit, in one form for each kind of switch: sim/switches/input_queued/turn.h. */
typedef struct swq_kernel {
    /* Looks at the units at which something is due in this cycle. */
    void (*look_at_units)(swq_async_net *net);
    /* Can a packet be sent now into class `class` of store `port` or, with a management, into queue
     * `class`? If not, and the cycle in which it can be sent is known, the feeder is woken in that
     * cycle. */
    bool (*open)(swq_async_net *net, uint32_t port, int class);
    /* A packet begins its way into a store; its last byte can go on from cycle `tail` on. */
    void (*enter)(swq_async_net *net, uint32_t port, const swq_parcel *parcel, uint32_t tail);
    /* Where stores take or refuse packets: a sender tries to send a packet; the next hook makes the
     * comparisons and answers at the beginning of a cycle. NULL in the lean kernels. */
    void (*offer)(swq_async_net *net, uint32_t sender, const swq_parcel *parcel);
    void (*answer)(swq_async_net *net);
    /* For a network on one thread: the kernel of the same form for a network on several threads, or
     * NULL; */
    const struct swq_kernel *shared;
    /* and in that kernel: a packet has begun to leave a store fed by this share. */
    void (*parted)(swq_async_net *net, const swq_parting *news);
    /* Looks for packets that can never move again, and fills net->waiting. NULL: there are none. */
    bool (*deadlocked)(swq_async_net *net);
    bool tails; /* keeps for each packet the cycle from which its last byte can go on */
    bool waits; /* remembers from turn to turn which inputs wait: net->unit */
} swq_kernel;

/* The share of a network that a thread works on: consecutive switches, the output stores behind
 * them, and the senders before them. */
typedef struct swq_async_share {
    uint32_t first_switch;
    /* the first input store and the number of input stores; outputs likewise */
    uint32_t first, inputs;
    struct swq_border *border; /* NULL: the network is whole */
    int number;
} swq_async_share;

/* Elements are numbered consecutively. Element k < inputs is input store k, numbered as the
 * fabric's ports, together with the channel that leads on from output k of its switch's crossbar:
 * the link or, where there are output stores, the crossbar's channel to store inputs + k. Output
 * store inputs + k is an element with link k behind it, and a unit of its own: unit crossbars +
 * k. */
struct swq_async_net {
    swq_system system;
    const swq_async *spec;
    const swq_fabric *fabric; /* shared by all replications */
    swq_streams streams;
    uint32_t cycle;

    int ports, classes, queues; /* of an input port */
    uint32_t any_queue; /* 0: queue q of an input has heads for output q alone; else UINT32_MAX */
    bool each_queue;    /* one read port for each queue */
    const swq_kernel *kernel;
    uint32_t inputs, elements; /* input stores; and all stores */
    uint32_t crossbars, units;
    bool far; /* too large for the near caches, so that lines are fetched ahead: turn_fetch.h */
    bool output_stores, cut_through;
    /* Of input stores and the channels behind them; of output stores and links. */
    swq_admission admission[3]; /* of input stores, of output stores, and of the input stores in the
                                   last stage: swq_admission_of */
    int last_level;             /* the last level, if its stores are of another size; else -1 */
    swq_timing timing[2];
    swq_timing *link_timing; /* [switches * ports] of the link of an output, and of the link back
                                from a node; NULL: all are alike */
    uint16_t *left_bytes; /* [as queue] with link_timing: bytes of the packet that a queue's reader
                             has read last, whose blocks are freed evenly, as its bytes go over
                             the link; 0: one every `step` cycles */
    uint32_t step[2];     /* cycles after which a departing packet frees another block */
    int packet;           /* blocks of the longest packet */
    int slots, output_slots; /* packets that a store may hold */
    uint32_t block, hop_delay, link_rest;
    uint16_t most_held; /* cycles after which a departing packet has freed all its memory, even if
                           it has not left entirely */
    const swq_flow_hooks *flow; /* of the flow control, or NULL */
    /* the senders' knowledge of free room, where they learn of it with a delay; or NULL */
    swq_credits *credits;
    swq_acks *acks;       /* where stores take or refuse packets, or NULL */
    swq_scheme *scheme;   /* the scheme that holds senders back, or NULL */
    swq_counter *counter; /* [inputs * queues] for two-counter flow control, or NULL */

    swq_clocks *clocks; /* virtual clocks, or NULL */

    swq_port *port;      /* [switches * ports] */
    swq_wide_port *wide; /* [elements] if a switch has more than 32 ports, else NULL */
    swq_queue *queue;    /* [switches * ports * queues] */
    swq_reader *reader;  /* [switches * ports * queues] with a read port per queue, else NULL */
    swq_parcel *parcel;  /* [switches * ports * slots] */
    uint32_t *tail;      /* the same: the cycle from which a packet's last byte can go on; NULL: its
                            header determines it */
    swq_unit *unit;      /* [switches], or empty in kernels that do not use it */
    uint16_t *memory;    /* [switches * memory_words] memory of the arbiter */
    int memory_words;
    swq_wheel wheel;    /* elements to be looked at: see swq_due_input */
    int unit_shift;     /* each crossbar has 2^unit_shift bits of the wheel, ... */
    uint32_t half;      /* ... half of them for inputs */
    uint32_t links_due; /* the first number, at the beginning of a word, of the units behind the
                           crossbars */

    swq_messages messages; /* messages of several packets; or nothing */
    uint32_t passing;      /* the tag of the packet that is about to enter a store */
    uint32_t drawn; /* of the packet that is about to leave its sender: 1 + the node drawn for its
                       way; 0: none */

    swq_sender *sender;                  /* [nodes] */
    swq_sender_count *sender_count;      /* [nodes] bytes since cycle 0 */
    swq_wheel senders;                   /* senders to be looked at */
    swq_drawing *group;                  /* [groups] */
    swq_node_sets sets;                  /* of nodes, that multicast messages are for */
    bool timed;                          /* groups begin or end during the run */
    uint8_t *group_of;                   /* [nodes] */
    uint64_t *trace_start, *trace_order; /* [nodes + 1], [trace_messages], as in the trace */
    swq_after after;                     /* messages of the trace that wait for others */

    /* For any arbiter other than the one built into turn.h. */
    swq_dice dice;
    swq_switch_stream switch_stream;
    gsl_rng rng;
    swq_requests requests; /* with the lengths at the end */
    bool unrolled, advances;

    uint64_t messages_sent; /* messages sent completely */
    uint32_t looked;        /* when a deadlock was last searched for */
    bool *movable;          /* [switches * ports * queues] */
    swq_waiting waiting[SWQ_MAX_WAITING];
    int waiting_count;

    swq_async_watch *watch; /* the watcher of the first replication, or NULL */
    uint64_t *frame;      /* [nodes * queues] block-cycles of the current frame; NULL: not wanted */
    uint64_t *frames_all; /* ... of all frames since the warm-up */
    uint64_t frame_cycles, watched_cycles;

    int output_queues; /* queues of an output store */
    swq_managed managed;
    swq_interfaces interfaces;
    bool keeps_at_nodes; /* a packet is offered to something at the node that keeps it */
    /* For adaptive routing, else NULL: */
    swq_fork *fork;          /* as `queue` */
    swq_wide_set *wide_fork; /* as `queue`, where there are wide sets: in place of fork's outputs */
    uint32_t *sent;   /* as `parcel`: the cycle in which the sender began to send the packet */
    uint32_t *latest; /* [nodes * nodes] to, from: the latest such cycle of the packets delivered */
    uint32_t moving;  /* that cycle of the packet that is about to enter a store */
    int escapes;      /* escape queues of an input store */
    const swq_selection *choice;
    bool asks_first; /* the deterministic output is needed */

    swq_pieces pieces; /* packets that travel in several pieces; or nothing */

    const swq_store_hooks *stores; /* hooks of an architecture with stores of its own, or NULL */

    struct swq_async_shares *shares; /* threads with copies of this struct; NULL: one thread */
    swq_async_share share;           /* the share that this struct works on */

    int asked[SWQ_MAX_FABRIC_PORTS][SWQ_MAX_PORTS]; /* the lengths of `requests`, ... */
    int (*asked_wide)[SWQ_MAX_PORTS]; /* ... and those of switches of more ports: [ports] rows */
};

/* The state of an architecture with stores of its own, stores->state bytes, which lies behind the
 * network's struct. */
static inline void *swq_own_state(const swq_async_net *net)
{
    return (void *)(uintptr_t)(net + 1); // NOLINT(performance-no-int-to-ptr): the state is no const
}

/* Bytes of a network without its fabric. Errors: SWQ_ENOMEM. */
swq_status swq_async_net_bytes(swq_context *ctx, const swq_async *spec,
                               const swq_sim_options *options, const swq_fabric *fabric,
                               double *bytes);

/* The bytes that all replications of a run will take at a time, with their fabric; 0: the network
 * cannot be, or not be foreseen. */
double swq_async_run_bytes(swq_context *ctx, const swq_async *spec, const swq_sim_options *options);

/* Makes the network of one replication, empty, at cycle 0. The caller frees the network by its
 * system's `release`. */
swq_status swq_async_net_new(swq_context *ctx, const swq_async *spec,
                             const swq_sim_options *options, const swq_fabric *fabric,
                             uint32_t replication, swq_async_net **net);

/* Runs the network, or a share of it, for `cycles` cycles, or until the system is drained. Returns
 * the number of cycles done. */
uint64_t swq_async_net_cycles(swq_async_net *net, uint64_t cycles);

/* Everything on which the network's future depends, without counters and constants; valid as long
 * as the network is. Its spec must be one of which the next function returns NULL. */
void swq_async_net_state_of(swq_async_net *net, swq_state *state);

/* The part of a network whose state is not kept, such as "flow credits"; NULL: all of it is. The
 * spec has been checked. */
const char *swq_async_without_state(const swq_async *spec, char *text, size_t size);

/* The senders. */
swq_status swq_senders_new(swq_context *ctx, swq_async_net *net);
void swq_senders_free(swq_context *ctx, swq_async_net *net);
/* Lists the senders' arrays that have one element for each of something: those that change in a
 * run, and those that do not. */
void swq_senders_changing(swq_async_net *net, swq_arrays *list);
void swq_senders_constant(swq_async_net *net, swq_arrays *list);

/* Bytes of the senders' other memory. */
double swq_senders_bytes(const swq_async *spec, const swq_fabric *fabric);
void swq_sender_turn(swq_async_net *net, uint32_t sender);
/* Has a sender looked at for the first time when the first cycle begins. */
void swq_sender_awaits(swq_async_net *net, uint32_t sender);
/* The packet that a sender has begun to send has been taken in this cycle. */
void swq_sender_taken(swq_async_net *net, uint32_t sender);
/* The link of a sender whose packet has stalled will be free from cycle `free` on, which is later
 * than the present one. */
void swq_sender_ends(swq_async_net *net, uint32_t sender, uint32_t free);
/* Where packets are sent by flit: the first flit of a packet is sent in this cycle. */
void swq_sender_begins(swq_async_net *net, uint32_t sender);
/* As swq_sender_ends, where several packets may be under way: another packet can be sent from cycle
 * `free` on. If the next packet is created after the end of the latest one, it is created in cycle
 * `end`, when the link could have sent the latest packet since that packet's creation, or later. */
void swq_sender_goes_on(swq_async_net *net, uint32_t sender, uint32_t free, uint32_t end);
/* Where nodes have interfaces: the interface has taken the packet or has lost it. The sender can
 * hand over its next packet from cycle `free` on, which is later than the present one. */
void swq_sender_handed(swq_async_net *net, uint32_t sender, uint32_t free);

void swq_sender_interface_turn(swq_async_net *net, uint32_t sender);

/* The turn of a sender where packets travel in pieces. */
void swq_sender_piece_turn(swq_async_net *net, uint32_t sender);
void swq_senders_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes);
/* Adds the packets that wait at one sender. */
void swq_sender_audit(const swq_async_net *net, uint32_t sender, uint64_t *packets, uint64_t *age,
                      uint64_t *bytes);

/* Between two cycles: has a sender created no message that it has yet to send whole? And: such a
 * sender, which is in a group, creates a message of `bytes` bytes for node `to` in the next cycle,
 * in place of its own next message. Its group's sources hold one message, or are silent. */
bool swq_sender_is_idle(const swq_async_net *net, uint32_t sender);
void swq_sender_give(swq_async_net *net, uint32_t sender, uint32_t to, uint32_t bytes);

/* Between two cycles: takes the intervals of the spec's groups, which have no loads of single
 * nodes, for all messages drawn from now on. With `wake`, senders that were silent draw their next
 * message.
 */
void swq_senders_set_load(swq_async_net *net, bool wake);

/* The group of each node: [nodes], or swq_sent.groups for a node in none. Where groups begin or
 * end, the first group that the node is ever in. */
void swq_sender_groups(const swq_async *spec, uint32_t nodes, uint8_t *group);

/* Watching a network. */
swq_status swq_watch_new(swq_context *ctx, swq_async_net *net, swq_async_watch *watch);
void swq_watch_cycle(swq_async_net *net);
void swq_watch_begin(swq_async_net *net);
void swq_watch_finish(swq_async_net *net);

/* The system's `hold`: blocks taken in each store, including those of departing packets. */
void swq_watch_hold(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked);

/* Rows of a switch in the next function's answer: its inputs, and, with output stores, its outputs;
 * and columns, which are queues or lanes of a store. */
uint32_t swq_watch_rows(const swq_async_net *net);
uint32_t swq_watch_columns(const swq_async_net *net);

/* Blocks (flits, in stores of an architecture) in each queue or lane of each store, including those
 * of departing packets: [switches][rows][columns]. */
void swq_watch_hold_by_queue(const swq_async_net *net, uint32_t *held);

/* The system's `aside`. */
void swq_watch_aside(const swq_system *system, uint8_t *saqs);

/* Brings details of links up to date, as a system's `settle`; and begins to measure them. */
void swq_links_settle(swq_system *system);
bool swq_link_ends_at_node(const swq_system *system, size_t link);
void swq_links_begin(swq_async_net *net);

/* A packet leaves its sender, or the interface of its sender. */
static inline void swq_count_sent(swq_async_net *net, uint32_t sender, uint32_t bytes)
{
    net->sender_count[sender].sent += bytes;
    swq_probe_link(&net->system, sender, bytes);
}

/* Sums over the packets in the buffers. */
void swq_async_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes);

/* The queue of a class at an input store. The escape queues come first; if there is only one other
 * queue, it serves all other classes. */
static inline int swq_queue_of(const swq_async_net *net, int class)
{
    return class < net->queues ? class : net->queues - 1;
}

static inline int swq_queue_for(const swq_async_net *net, int class)
{
    return net->queues == 1 ? 0 : class;
}

/* The queues of a store, and its packets. */
static inline swq_queue *swq_queues_of(const swq_async_net *net, uint32_t port)
{
    if (port < net->inputs)
        return net->queue + (size_t)port * (uint32_t)net->queues;
    return net->queue + (size_t)net->inputs * (uint32_t)net->queues +
           (size_t)(port - net->inputs) * (uint32_t)net->output_queues;
}

/* A walk over the queues of a store that hold packets, in order, as long as `now` is not 0. */
typedef struct swq_walk {
    uint64_t now;         /* the queues to come, of 64 */
    const uint64_t *word; /* the whole set; NULL: `now` contains everything */
    uint32_t later;       /* words to come */
    uint32_t base;        /* the number of the first of the 64 */
} swq_walk;

static inline void swq_walk_settle(swq_walk *w)
{
    if (w->now == 0 && w->later) {
        const uint32_t k = (uint32_t)__builtin_ctz(w->later);
        w->later &= w->later - 1;
        w->base = 64 * k;
        w->now = w->word[k];
    }
}

static inline swq_walk swq_walk_begin(const swq_async_net *net, uint32_t port)
{
    const uint32_t full = net->port[port].full, words = net->managed.words;

    if (words == 0)
        return (swq_walk){.now = full};
    swq_walk w = {.word = net->managed.full + (size_t)port * words, .later = full};
    swq_walk_settle(&w);
    return w;
}

static inline int swq_walk_queue(const swq_walk *w)
{
    return (int)w->base + __builtin_ctzll(w->now);
}

static inline void swq_walk_on(swq_walk *w)
{
    w->now &= w->now - 1;
    swq_walk_settle(w);
}

static inline swq_parcel *swq_parcels_of(const swq_async_net *net, uint32_t port)
{
    if (port < net->inputs)
        return net->parcel + (size_t)port * (uint32_t)net->slots;
    return net->parcel + (size_t)net->inputs * (uint32_t)net->slots +
           (size_t)(port - net->inputs) * (uint32_t)net->output_slots;
}

/* If the slot contains a whole packet or the first piece of one, the packet's bytes; else 0. */
static inline uint32_t swq_packet_begins(const swq_async_net *net, const swq_parcel *p)
{
    const swq_piece *piece = net->pieces.piece ? &net->pieces.piece[p - net->parcel] : NULL;

    if (!piece)
        return p->bytes;
    return piece->behind + p->bytes == piece->whole ? piece->whole : 0;
}

/* Has the packet at the head of that queue begun to leave, with pieces to come? */
static inline bool swq_is_going(const swq_async_net *net, uint32_t port, int q)
{
    const swq_pieces *p = &net->pieces;

    return p->piece &&
           p->going[(size_t)port * p->words + (uint32_t)q / 64] >> ((uint32_t)q & 63) & 1;
}

/* Blocks that a packet, if it is leaving, holds in this cycle. */
static inline uint32_t swq_left(const swq_leaving *l, uint32_t cycle, uint32_t step)
{
    uint32_t gone = cycle - l->cycle;
    return gone >= l->held ? 0 : l->blocks - gone / step;
}

/* The same of a packet of `bytes` bytes that leaves over a link of its own timing, whose bytes are
 * spread evenly over the cycles of the transmission, with blocks of `block` bytes. */
static inline uint32_t swq_left_evenly(const swq_leaving *l, uint32_t cycle, uint32_t bytes,
                                       uint32_t block)
{
    const uint64_t gone = cycle - l->cycle;

    if (gone >= l->held)
        return 0;
    return l->blocks - (uint32_t)(gone * bytes / ((uint64_t)l->held * block));
}

/* The first cycle in which it holds `blocks` blocks fewer, or none. */
static inline uint32_t swq_freed_evenly(const swq_leaving *l, uint32_t blocks, uint32_t bytes,
                                        uint32_t block)
{
    const uint64_t sent = (uint64_t)blocks * block, spread = sent * l->held;

    return l->cycle + (sent < bytes ? (uint32_t)((spread + bytes - 1) / bytes) : l->held);
}

/* Where the bytes of the packet are that the reader of queue q has read last. */
static inline uint16_t *swq_left_bytes(const swq_async_net *net, uint32_t port, int q)
{
    const bool each = net->each_queue && port < net->inputs;

    return &net->left_bytes[swq_queues_of(net, port) - net->queue + (each ? q : 0)];
}

/* The bits of a unit in the wheel are consecutive, its inputs before its outputs: 2^unit_shift for
 * a crossbar, of which at most half are used for each, and 2 for a link. */
static inline uint32_t swq_due_input(const swq_async_net *net, uint32_t port)
{
    const uint32_t ports = (uint32_t)net->ports;

    if (port >= net->inputs)
        return net->links_due + 2 * (port - net->inputs);
    return (port / ports << net->unit_shift) + port % ports;
}

static inline uint32_t swq_due_output(const swq_async_net *net, uint32_t port)
{
    return net->port[port].due + (port < net->inputs ? net->half : 1);
}

/* Has a port (below: an output, a sender) looked at in cycle `cycle`, which is not the present
 * one. */
static inline void swq_wake_input(swq_async_net *net, uint32_t cycle, uint32_t port)
{
    swq_wheel_set(&net->wheel, cycle, net->port[port].due);
}

static inline void swq_wake_output(swq_async_net *net, uint32_t cycle, uint32_t port)
{
    swq_wheel_set(&net->wheel, cycle, swq_due_output(net, port));
}

/* Has a sender looked at when something is due, or as late as the wheel allows. */
static inline void swq_sender_look(swq_async_net *net, uint32_t sender, uint32_t due)
{
    const uint32_t most = net->cycle + net->senders.slots - 1;

    if (due != SWQ_NEVER)
        swq_wheel_set(&net->senders, due < most ? due : most, sender);
}

static inline void swq_wake_feeder(swq_async_net *net, uint32_t cycle, uint32_t feeder)
{
    if (feeder & SWQ_TO_NODE)
        swq_wheel_set(&net->senders, cycle, feeder & ~SWQ_TO_NODE);
    else
        swq_wake_output(net, cycle, feeder);
}

#endif
