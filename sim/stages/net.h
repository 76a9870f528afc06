/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication's network: everything that changes from cycle to cycle, in flat arrays made
 * before the first cycle. A buffer's packets sit in slots. With up to 16 slots, a queue is a word
 * of slot numbers, four bits each, its head lowest, and the free slots are a bit mask; with up to 4
 * the word is one of 16 bits, since large networks wait for memory, else of 64; the fast engine
 * packs more into words of 16 bits if it can (packed.h). With more slots,
 * queues and free slots are lists linked by slot numbers, as in the DAMQ buffer's hardware (Frazier
 * 1995, chapter 3).
 */
#ifndef SWQ_SIM_STAGES_NET_H
#define SWQ_SIM_STAGES_NET_H

#include "base/arrays.h"
#include "base/barrier.h"
#include "models/arbiters/four.h"
#include "models/buffers/large.h"
#include "models/priority.h"
#include "sim/measure/state.h"
#include "sim/measure/system.h"
#include "sim/stages/packed.h"
#include "sim/stream.h"
#include "sim/traffic/trace.h"
#include "switchq/sim.h"

typedef struct swq_packet {
    uint32_t birth; /* cycle of its creation */
    uint32_t to;    /* destination, and SWQ_HIGH */
} swq_packet;

#define SWQ_HIGH 0x80000000u /* in `to`: the packet is of high priority */

/* Attributes of a packet that only some networks need. */
typedef struct swq_trail {
    uint32_t from;    /* its source */
    uint32_t entered; /* the cycle in which the packet came to its present place */
} swq_trail;

enum { SWQ_MAX_QUEUES = 2 * SWQ_MAX_PORTS };

/* Sources, with an array for each attribute. */
typedef struct swq_sources {
    /* the packet to be sent next, and its number */
    uint32_t *birth, *to;
    uint64_t *number;
    /* open and trace sources: the packet to be created next */
    uint32_t *later_birth, *later_to;
    uint64_t *later;
    double *per_log;  /* [nodes], or [1] if all are alike: for gaps, see swq_gap */
    swq_packet *ring; /* bounded queues: [nodes * limit] */
    uint32_t *ring_start, *ring_length;
    uint64_t *ring_left;   /* packets that have left the queue for the network */
    uint64_t *trace_start; /* [nodes + 1] into trace_order */
    uint64_t *trace_order; /* numbers of the trace's lines, sorted by source */
    /* resending: lists of discarded packets, in common memory */
    uint32_t *returned_head, *returned_tail; /* [nodes] */
    uint32_t *returned_next;                 /* [returned_room] */
    swq_packet *returned;
    uint32_t returned_free, returned_room;
} swq_sources;

/* What an oracle keeps (oracle.h): longest-queue drop, run ahead of the network; all NULL: none. */
typedef struct swq_ahead {
    uint32_t *cycle; /* the first cycle that it has not run */
    /* [ports] the next packet of each input's source, and its number */
    uint32_t *birth, *to;
    uint64_t *number;
    uint16_t *length, *first; /* [ports] of its queues, which are rings in `held` */
    uint32_t *held;           /* [ports * slots] where in `lost` the fate of a packet is */
    uint8_t *lost;            /* [(slots + 1) * ports] is the packet lost (or said to be)? */
} swq_ahead;

typedef struct swq_net swq_net;

/* A stage's turn: arbitrates all its switches and moves packets to the next stage, or to the
 * sinks. */
typedef void swq_stage_fn(swq_net *net, int stage);

/* Values that are constant during the turn of a stage, or of the sources. */
typedef struct swq_stage_wiring {
    int stage;            /* -1: the sources */
    size_t here;          /* this stage's first buffer */
    size_t next;          /* how far the next stage's first buffer is from it */
    const uint32_t *wire; /* from this stage's outputs to lines of the next stage, or to sinks */
    uint32_t divisor[2];  /* digits of this stage and of the next, as in `digit` below */
    int shift[2];
} swq_stage_wiring;

/* The fast engine's arbiter: arbitrates switches `first` to `end` - 1 of a stage, a block of no
 * more than SWQ_BLOCK_SWITCHES. Returns the number of packets that leave, which are in `list`,
 * [SWQ_BLOCK_SWITCHES * ports + SWQ_SLACK] of swq_leaving, see sim/stages/fast/fast.h. */
typedef struct swq_input_count swq_input_count;
typedef int swq_block_fn(swq_net *net, const swq_stage_wiring *at, uint32_t first, uint32_t end,
                         swq_input_count *count, uint32_t *list);

/* The sources' turn. */
typedef void swq_sources_fn(swq_net *net);

struct swq_net {
    swq_system system; /* its levels are the stages */
    const swq_network *spec;
    swq_streams streams;
    int ports;
    uint32_t switches; /* of a stage */
    uint32_t cycle;

    /* a buffer: per input port, or per switch if it is a pool */
    uint32_t buffers; /* of a stage */
    int queues, slots, parts;
    int places; /* elements of memory for packets: slots, or SWQ_SHORT_SLOTS if there are fewer, so
                   that the fast engine need not multiply */
    swq_buffer_part part[2];
    int queue_base[SWQ_CLASSES];  /* a class's first queue ... */
    bool queue_fans[SWQ_CLASSES]; /* ... and whether a class has one queue per output */
    int links;                    /* per buffer: slots, then list heads: queues, free by part */
    bool whole; /* room depends on the free slots of a part alone, whatever its queues hold */
    bool credit_next, discards, blocks;

    /* [stages * buffers * each] */
    uint16_t *kept;   /* [buffers * words * queues of one] what a rule of admission keeps; NULL:
                         nothing */
    uint8_t *sent;    /* [queues], with `kept`: has the queue sent in this cycle? */
    uint16_t *length; /* each: queues; NULL if buffers are packed */
    uint16_t *room;   /* each: parts; mask of free slots, or their number; 0: full; likewise */
    uint16_t *short_order; /* each: queues; up to SWQ_SHORT_SLOTS slots, else NULL */
    uint64_t
        *order;     /* likewise, of more slots, up to SWQ_WORD_SLOTS; with more, instead of both: */
    uint16_t *tail; /* each: queues; an empty queue's is its own list head */
    uint16_t *link; /* each: links */
    swq_packet *packet; /* each: places */
    swq_trail *trail;   /* each: places; or NULL */
    uint32_t *since;    /* each: queues; first cycle in which the head could be sent; or NULL */
    uint16_t *memory;   /* [stages * switches * memory_words] */
    int memory_words;
    /* Memory behind the buffers (sim/stages/behind.h), in architectures that have some. */
    struct {
        int queues, slots;        /* of a switch; of a queue. 0: there is none */
        uint16_t *length, *first; /* [stages * switches * queues] */
        swq_packet *packet;       /* [... * slots] */
        swq_trail *trail;         /* [... * slots]; or NULL */
    } behind;
    /* length and room as the stage before sees them: the arrays themselves or, for arrays that are
     * looked at during a turn, copies from before this cycle's transmission. Of packed buffers,
     * seen_room is the entry of the next packet, or 0 */
    uint16_t *seen_length, *seen_room;

    uint32_t *wire; /* [(stages + 1) * nodes] */
    uint32_t *back; /* the inverse; pools only, else NULL */
    struct {
        uint32_t divisor; /* digit d of a destination is to / k^d mod k ... */
        int shift;        /* ... or a shift and a mask if k is a power of two, else -1 */
    } digit[SWQ_MAX_STAGES];
    swq_stage_wiring wiring[SWQ_MAX_STAGES + 1]; /* of the sources, and of each stage */

    swq_sources sources;
    swq_ahead ahead;
    uint32_t *image; /* [nodes] the destinations of a permutation; NULL: drawn for each packet */
    double *choice;  /* a matrix: cumulative rows; or NULL */

    swq_sources_fn *create;
    swq_sources_fn *redraw; /* draws the packets to be created from this cycle on again */
    swq_stage_fn *transmit;
    swq_stage_fn *show; /* shows a stage before the room of this one; NULL: that takes no more than
                           copies */
    bool fast;          /* the fast engine runs it, by these parts (sim/stages/fast/fast.h) */
    swq_block_fn *arbitrate;
    const struct swq_mover *mover;
    bool packs; /* ... with packed buffers */
    /* The network is one of several shares (shares.h); owner is NULL if it has no other shares. */
    struct {
        /* [levels + 1][blocks] the share that has a block of SWQ_SHARE_GRAIN sources, then of
         * switches of each stage; and the number of this share */
        const uint8_t *owner;
        uint8_t me;
        uint32_t blocks;
        const bool *meets; /* [levels] whether all shares meet after a stage's turn, ... */
        swq_barrier *meet; /* ... here */
    } mine;
    struct swq_shares *shares;
    /* [levels * buffers] packet-cycles of each buffer; NULL: details are not asked for */
    uint64_t *area;

    swq_dice dice;
    swq_switch_stream switch_stream;
    gsl_rng rng;
    swq_requests requests[SWQ_CLASSES];
    int (*asked)[SWQ_MAX_PORTS]; /* [SWQ_CLASSES * ports] the lengths of `requests` */
    swq_arbitrate_four_fn *four; /* the arbiter's form for four ports; NULL: it has none */
    swq_started_fn *started; /* called for each start of a transmission; NULL: not wanted, or only
                                in another replication */
    swq_ended_fn *ended;     /* the same for the end of each packet */
};

/* The most ports of switches that the fast engine takes: its sets of ports are words of 32 bits. */
enum { SWQ_FAST_PORTS = 32 };

/* Slots whose numbers fit into a word of 64 bits, and into one of 16. */
enum { SWQ_WORD_SLOTS = 16, SWQ_SHORT_SLOTS = 4 };

/* Are a buffer's queues words rather than lists? */
static inline bool swq_queues_are_words(const swq_net *net)
{
    return net->slots <= SWQ_WORD_SLOTS;
}

/* The bytes of a network. */
double swq_net_bytes(const swq_network *spec, const swq_sim_options *options, uint32_t nodes);

/* Makes the network of one replication: empty, at cycle 0, ready to be run as a system. */
swq_status swq_net_new(swq_context *ctx, const swq_network *spec, const swq_sim_options *options,
                       uint32_t replication, swq_net **net);
void swq_net_free(swq_context *ctx, swq_net *net);

/* Runs one stage cycle of the network, or of a share of it. */
void swq_net_cycle(swq_net *net);

/* Everything on which the network's future depends, without counters and constants; valid as long
 * as the network is. */
void swq_net_state_of(swq_net *net, swq_state *state);

/* Continues from here with other random numbers, between two cycles. Sources that have drawn the
 * packet to be created next draw it again, which does not change its distribution, since a
 * geometric gap has no memory. For sources without bursts whose packets do not wait. */
void swq_net_branch(swq_net *net, swq_streams streams);

/* The system's `hold`: packets in each buffer. */
void swq_net_hold(const swq_system *system, uint32_t marked, uint16_t *held, uint16_t *of_marked);

/* Rows of a switch in the next function's answer: its inputs, or 1 if it is a pool; and one more
 * for queues before the outputs, which do not say from which input a packet has come. */
uint32_t swq_net_rows(const swq_net *net);

/* The packets in each switch by the input at which they came and the output by which they will
 * leave: [levels][switches][swq_net_rows][ports]. */
void swq_net_hold_by_output(const swq_net *net, uint32_t *packets);

/* The most packets that the buffers of the network hold, together with those behind them. */
size_t swq_net_places(const swq_net *net);

/* Errors: SWQ_ELIMIT if discarded packets no longer find a place among those that are to be sent
 * again. */
swq_status swq_net_check_returned(swq_context *ctx, const swq_net *net);

/* Lists the arrays of a network that is laid out, as far as they change from cycle to cycle. */
void swq_net_changing(swq_net *net, swq_arrays *list);

/* Lists the arrays of sources that change in a run; the next function lists the arrays that never
 * change. */
void swq_sources_changing(swq_net *net, swq_arrays *list);
void swq_sources_constant(swq_net *net, swq_arrays *list);

/* The most discarded packets that may be on their way back to the sources. */
uint32_t swq_sources_returned_room(const swq_net *net);

/* Initializes the sources' arrays, which have been taken. And: sums over the packets that wait at
 * sources. */
void swq_sources_begin(swq_net *net);
void swq_sources_audit(const swq_net *net, uint64_t *packets, uint64_t *age);
/* Adds the packets that wait at one source. */
void swq_source_audit(const swq_net *net, uint32_t source, uint64_t *packets, uint64_t *age);
/* Fills in the numbers of packets that each source has created and sent: [nodes]. */
void swq_sources_count(const swq_net *net, swq_sender_count *count);

/* Takes the loads of the spec, which may have changed, for all packets drawn from now on. */
void swq_sources_set_load(swq_net *net);

/* The forms of a stage's turn, and of the sources'. */
swq_stage_fn swq_transmit_plain, swq_transmit_pool, swq_transmit_steps, swq_transmit_fast;

/* Can the fast engine run this network? Then sets the network's `transmit`, and the fields that
 * `transmit` needs. The fast engine can be combined with any sources. */
bool swq_choose_fast(swq_net *net);
/* The fast forms of the sources' turn and of drawing again; NULL: there is none. */
swq_sources_fn *swq_create_fast(const swq_net *net);
swq_sources_fn *swq_redraw_fast(const swq_net *net);

/* Does the fast engine, which runs this network, pack its buffers? The next function then sets
 * seen_room of a stage. */
bool swq_packs(const swq_net *net);
swq_stage_fn *swq_show_packed(void);

/* Pools: admits packets offered at the input ports of a switch by its pool's rule.
 * packet[port].birth == SWQ_NEVER: none is offered; entered[port]: cycles for the OLDEST rule. Sets
 * taken[port]; admitted packets are put into their queues. */
void swq_pool_admit(swq_net *net, int stage, uint32_t sw, const swq_packet *packet,
                    const swq_trail *trail, bool *taken);

/* Reports the end of a packet to the observer, which must exist. */
void swq_show_end(const swq_net *net, const swq_packet *p, uint32_t source, bool lost);

/* Reports a transmission to the observer, which must exist; swq_tell_start, below, looks whether
 * one does, and explains the arguments. */
void swq_show_start(const swq_net *net, int stage, uint32_t line, int input, const swq_packet *p,
                    uint32_t source);

/* ---- shared steps ---- */

static inline int swq_output_port(const swq_net *net, int stage, uint32_t to)
{
    uint32_t node = to & ~SWQ_HIGH;
    if (net->digit[stage].shift >= 0)
        return (int)(node >> net->digit[stage].shift & ((uint32_t)net->ports - 1));
    return (int)(node / net->digit[stage].divisor % (uint32_t)net->ports);
}

static inline int swq_class_of(const swq_packet *p)
{
    return (int)(p->to >> 31);
}

/* The queue that a packet joins in `stage`. */
static inline int swq_queue_of(const swq_net *net, int stage, const swq_packet *p)
{
    int class = swq_class_of(p);
    return net->queue_base[class] +
           (net->queue_fans[class] ? swq_output_port(net, stage, p->to) : 0);
}

static inline int swq_part_of(const swq_net *net, int queue)
{
    return net->parts > 1 && queue >= net->part[1].first_queue;
}

/* The lengths of the queues of some buffers, [buffers * queues]; `copy` has room for them if the
 * buffers are packed. */
static inline const uint16_t *swq_lengths(const swq_net *net, size_t at, size_t buffers,
                                          uint16_t *copy)
{
    if (!net->packs)
        return net->length + at * (size_t)net->queues;
    for (size_t b = 0; b < buffers; b++)
        swq_packed_lengths(net->short_order + (at + b) * SWQ_PACKED_QUEUES,
                           copy + b * SWQ_PACKED_QUEUES);
    return copy;
}

/* Does the buffer accept a packet into the queue `queue`? lengths: [queues]. */
static inline bool swq_net_admits(const swq_net *net, const uint16_t *lengths, int queue)
{
    const swq_buffer_part *part = &net->part[swq_part_of(net, queue)];
    return swq_buffer_room(&part->rule, part->queues, lengths + part->first_queue,
                           queue - part->first_queue, 1);
}

static inline size_t swq_buffer_at(const swq_net *net, int stage, uint32_t buffer)
{
    return (size_t)stage * net->buffers + buffer;
}

/* The words that the rule of admission keeps for the queues of a buffer; NULL: none. */
static inline uint16_t *swq_kept_of(const swq_net *net, size_t at)
{
    const int words = swq_buffer_admission(&net->part[0].rule)->keeps * net->queues;

    return net->kept ? net->kept + at * (size_t)words : NULL;
}

/* The queue lengths of a buffer in the view of the stage before. */
static inline const uint16_t *swq_seen(const swq_net *net, size_t at)
{
    return (net->seen_length ? net->seen_length : net->length) + at * (size_t)net->queues;
}

/* Does a buffer, in the view of the stage before, accept a packet into that queue? */
static inline bool swq_seen_admits(const swq_net *net, size_t at, int queue)
{
    if (net->whole)
        return (net->seen_room
                    ? net->seen_room
                    : net->room)[at * (size_t)net->parts + (size_t)swq_part_of(net, queue)] != 0;
    return swq_net_admits(net, swq_seen(net, at), queue);
}

/* Reports a transmission of a packet from that source by that output line, if anybody watches.
 * `input`: of the switch; packets of a pool have none. */
static inline void swq_tell_start(const swq_net *net, int stage, uint32_t line, int input,
                                  const swq_packet *p, uint32_t source)
{
    if (net->started)
        swq_show_start(net, stage, line, input, p, source);
}

/* The same for the end of a packet. */
static inline void swq_tell_end(const swq_net *net, const swq_packet *p, uint32_t source, bool lost)
{
    if (net->ended)
        swq_show_end(net, p, source, lost);
}

/* A packet reaches its sink. */
void swq_deliver(swq_net *net, swq_packet packet, swq_trail trail, uint32_t sink);

/* A packet finds no room at stage `stage`; age: the cycles for which it has been counted. */
void swq_discard(swq_net *net, int stage, swq_packet packet, swq_trail trail, uint32_t age);

#endif
