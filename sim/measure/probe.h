/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The probe: what kernels report of packets, and the only place where reports become counts.
 * Reports are inline functions, so that a count costs what it costs where it is written. `detailed`
 * is a constant of the kernel: a lean kernel, which never runs where details are asked for, says
 * false, and nothing of them is compiled into it.
 */
#ifndef SWQ_SIM_MEASURE_PROBE_H
#define SWQ_SIM_MEASURE_PROBE_H

#include "base/statistics.h"
#include "sim/measure/measures.h"

static inline uint64_t *swq_probe_cell(const swq_system *s, int cell)
{
    return s->tally + swq_tally_cell(s->levels, cell);
}

static inline uint64_t *swq_probe_level(const swq_system *s, int level)
{
    return s->tally + swq_tally_stage(level);
}

/* ---- at sources ---- */

/* A source has created packets, which wait there. */
static inline void swq_probe_created(swq_system *s, int cell, uint64_t packets, uint64_t bytes)
{
    swq_probe_cell(s, cell)[SWQ_CELL_CREATED] += packets;
    s->created += packets;
    s->waiting += packets;
    s->bytes_created += bytes;
}

/* The same for details of nodes. */
static inline void swq_probe_created_at(swq_system *s, uint32_t node, uint64_t packets,
                                        uint64_t bytes)
{
    if (!s->node_tally)
        return;
    swq_node_counters(s, node)[SWQ_NODE_CREATED] += packets;
    swq_node_counters(s, node)[SWQ_NODE_BYTES_CREATED] += bytes;
}

/* Packets are offered to the network, or to the interface of their node. */
static inline void swq_probe_offered(swq_system *s, int cell, uint64_t packets)
{
    swq_probe_cell(s, cell)[SWQ_CELL_OFFERED] += packets;
}

/* Packets wait at sources, in addition to those that did; and: they no longer do. */
static inline void swq_probe_waits(swq_system *s, uint64_t packets)
{
    s->waiting += packets;
}

static inline void swq_probe_departs(swq_system *s, uint64_t packets)
{
    s->waiting -= packets;
}

/* Of the packets that wait, further copies of multicast packets, which leave together with their
 * packet; and: they have left. */
static inline void swq_probe_rides(swq_system *s, uint64_t packets)
{
    s->riding += packets;
}

static inline void swq_probe_rides_on(swq_system *s, uint64_t packets)
{
    s->riding -= packets;
}

/* Sources have tried to send packets in this cycle, and the network has refused some of them. */
static inline void swq_probe_tried(swq_system *s, uint64_t offers, uint64_t refused)
{
    s->tally[SWQ_NET_OFFERS] += offers;
    s->tally[SWQ_NET_REFUSED] += refused;
}

/* ---- in the network ---- */

/* Packets are in the stores of a level, in addition to those that were; and: they have left. */
static inline void swq_probe_inside(swq_system *s, int level, uint64_t packets)
{
    s->inside[level] += packets;
}

static inline void swq_probe_outside(swq_system *s, int level, uint64_t packets)
{
    s->inside[level] -= packets;
}

/* For measures: a packet, its number, comes to a store; and: begins to leave it. */
static inline void swq_probe_comes(swq_system *s, size_t packet, uint32_t store, int level,
                                   uint32_t cycle)
{
    if (!s->measured)
        return;
    s->came[packet] = (swq_came){cycle, store};
    swq_measures_take(s, SWQ_REPORT_ENTER, &(swq_reported){cycle, cycle, store, level, 0});
}

static inline void swq_probe_begins(swq_system *s, size_t packet, int level, uint32_t cycle)
{
    if (s->measured)
        swq_measures_take(
            s, SWQ_REPORT_START,
            &(swq_reported){cycle, s->came[packet].cycle, s->came[packet].store, level, 0});
}

/* The same of packets without numbers, which know the cycle in which they came. */
static inline void swq_probe_comes_in(swq_system *s, size_t store, int level, uint32_t cycle)
{
    if (s->measured)
        swq_measures_take(s, SWQ_REPORT_ENTER,
                          &(swq_reported){cycle, cycle, (uint32_t)store, level, 0});
}

static inline void swq_probe_begins_after(swq_system *s, size_t store, int level, uint32_t came,
                                          uint32_t cycle)
{
    if (s->measured)
        swq_measures_take(s, SWQ_REPORT_START,
                          &(swq_reported){cycle, came, (uint32_t)store, level, 0});
}

/* Packets have entered switches. */
static inline void swq_probe_hops(swq_system *s, uint64_t packets)
{
    s->hops += packets;
}

/* Details of links: a packet comes to a store, or begins to leave it. */
static inline void swq_probe_stays(swq_system *s, uint32_t store, uint32_t cycle)
{
    if (!s->stayed)
        return;
    s->stayed[store] -= cycle;
    s->staying[store]++;
}

static inline void swq_probe_goes(swq_system *s, uint32_t store, uint32_t cycle)
{
    if (!s->stayed)
        return;
    s->stayed[store] += cycle;
    s->staying[store]--;
}

/* For details of links and for measures: a packet, its number, comes to a store; and: begins to
 * leave it. Functions that are called, so that kernels pay one look at `followed`. */
void swq_follow_in(swq_system *s, size_t packet, uint32_t store, int level, uint32_t cycle);
void swq_follow_out(swq_system *s, size_t packet, uint32_t store, int level, uint32_t cycle);

/* A packet, its number, enters a store, which may be that of an input. */
static inline void swq_probe_enter(swq_system *s, bool detailed, size_t packet, uint32_t store,
                                   int level, bool input, uint32_t cycle)
{
    if (detailed && s->followed)
        swq_follow_in(s, packet, store, level, cycle);
    swq_probe_inside(s, level, 1);
    swq_probe_hops(s, input);
}

/* A packet begins to leave a store. */
static inline void swq_probe_start(swq_system *s, bool detailed, size_t packet, uint32_t store,
                                   int level, uint32_t cycle)
{
    if (detailed && s->followed)
        swq_follow_out(s, packet, store, level, cycle);
    swq_probe_outside(s, level, 1);
}

/* An amount, in packets or bytes, is sent by the outputs of a level. */
static inline void swq_probe_sent(swq_system *s, int level, uint64_t amount)
{
    swq_probe_level(s, level)[SWQ_STAGE_SENT] += amount;
}

/* Details of links: a packet is sent over one. */
static inline void swq_probe_link(swq_system *s, size_t link, uint64_t bytes)
{
    if (!s->link_tally)
        return;
    swq_link_counters(s, link)[SWQ_LINK_PACKETS]++;
    swq_link_counters(s, link)[SWQ_LINK_BYTES] += bytes;
}

/* Details of links: the packet-cycles of the buffer at the end of a link since measuring began. */
static inline void swq_probe_link_held(swq_system *s, size_t link, uint64_t packet_cycles)
{
    swq_link_counters(s, link)[SWQ_LINK_OCCUPANCY] = packet_cycles;
}

/* Packets have come to a stage that has room for them or not. */
static inline void swq_probe_arrived(swq_system *s, int stage, uint64_t packets)
{
    swq_probe_level(s, stage)[SWQ_STAGE_ARRIVED] += packets;
}

/* The turn of a stage of a synchronous network. */
typedef struct swq_stage_counts {
    uint64_t busy, sending; /* buffers that hold packets, and those of them that send some */
    uint64_t sent, lost;    /* packets that leave, and those of them that the next stage refuses */
} swq_stage_counts;

static inline void swq_probe_buffers(swq_system *s, int stage, uint64_t busy, uint64_t sending)
{
    swq_probe_level(s, stage)[SWQ_STAGE_BUSY] += busy;
    swq_probe_level(s, stage)[SWQ_STAGE_BLOCKED] += busy - sending;
}

static inline void swq_probe_stage(swq_system *s, int stage, const swq_stage_counts *c)
{
    swq_probe_buffers(s, stage, c->busy, c->sending);
    swq_probe_sent(s, stage, c->sent);
    swq_probe_outside(s, stage, c->sent);
    if (stage + 1 < s->levels) {
        swq_probe_arrived(s, stage + 1, c->sent);
        swq_probe_inside(s, stage + 1, c->sent - c->lost);
        swq_probe_hops(s, c->sent - c->lost);
    }
}

/* Packets that have left their sources in part pause for so many cycles, summed over packets. */
static inline void swq_probe_paused(swq_system *s, uint64_t cycles)
{
    s->tally[SWQ_NET_STALLED] += cycles;
}

/* The last transmission of a packet has taken so many cycles more than it has bytes, paused or on a
 * long link. */
static inline void swq_probe_held_up(swq_system *s, int cell, uint64_t cycles)
{
    swq_probe_cell(s, cell)[SWQ_CELL_HELD_UP] += cycles;
    if (s->measured)
        swq_measures_take(s, SWQ_REPORT_PAUSE, &(swq_reported){.amount = cycles});
}

/* Set-aside queues are in use in this cycle. */
static inline void swq_probe_set_aside(swq_system *s, uint64_t queues)
{
    s->tally[SWQ_NET_SAQS] += queues;
}

/* A cycle of an asynchronous network is over. Returns the packets in the system. */
static inline uint64_t swq_probe_cycle(swq_system *s)
{
    uint64_t population = s->waiting;

    for (int k = 0; k < s->levels; k++) {
        population += s->inside[k];
        swq_probe_level(s, k)[SWQ_STAGE_OCCUPANCY] += s->inside[k];
    }
    s->tally[SWQ_NET_WAITING] += s->waiting - s->riding;
    s->tally[SWQ_NET_POPULATION] += population;
    s->area += population;
    return population;
}

/* A cycle of a synchronous network, after the turn of the sources; and after those of all stages.
 */
static inline void swq_probe_population(swq_system *s)
{
    uint64_t population = s->waiting;

    for (int k = 0; k < s->levels; k++)
        population += s->inside[k];
    s->tally[SWQ_NET_WAITING] += s->waiting;
    s->tally[SWQ_NET_POPULATION] += population;
    s->area += population;
}

static inline void swq_probe_occupancy(swq_system *s)
{
    for (int k = 0; k < s->levels; k++)
        swq_probe_level(s, k)[SWQ_STAGE_OCCUPANCY] += s->inside[k];
}

/* ---- ends ---- */

/* A packet of a class, 0 .. classes-1, has been delivered to a node: for the node's histogram, for
 * details of nodes, and for measures. */
static inline void swq_probe_delivered_at(swq_system *s, bool detailed, int class, uint32_t node,
                                          uint32_t latency, uint64_t bytes)
{
    if (s->node_count)
        s->node_count[swq_node_count_at(s, class, node) +
                      (latency < SWQ_NODE_BINS ? latency : SWQ_NODE_BINS - 1)]++;
    if (detailed && s->node_tally) {
        uint64_t *count = swq_node_counters(s, node);
        count[SWQ_NODE_DELIVERED]++;
        count[SWQ_NODE_BYTES] += bytes;
        count[SWQ_NODE_LATENCY] += latency;
    }
    if (detailed && s->measured)
        swq_measures_take(s, SWQ_REPORT_DELIVER, &(swq_reported){.amount = latency});
}

/* A latency of the histogram of a cell. */
static inline void swq_probe_latency(uint64_t *histogram, uint32_t latency)
{
    histogram[swq_histogram_bin(latency)]++;
}

static inline uint64_t *swq_probe_histogram(const swq_system *s, int cell)
{
    return s->histogram + (size_t)cell * SWQ_HISTOGRAM_BINS;
}

/* Packets of a cell are delivered whose latencies the histogram has. */
static inline void swq_probe_delivered(swq_system *s, int cell, uint64_t packets, uint64_t latency)
{
    swq_probe_cell(s, cell)[SWQ_CELL_DELIVERED] += packets;
    swq_probe_cell(s, cell)[SWQ_CELL_LATENCY] += latency;
    s->delivered += packets;
    s->sojourn += latency;
}

/* What an asynchronous network counts of a delivered packet in addition. */
static inline void swq_probe_carried(swq_system *s, int cell, uint64_t bytes, int hops,
                                     bool out_of_order)
{
    uint64_t *count = swq_probe_cell(s, cell);

    count[SWQ_CELL_BYTES] += bytes;
    count[SWQ_CELL_HOPS] += (uint64_t)hops;
    count[SWQ_CELL_OUT_OF_ORDER] += out_of_order;
    s->bytes_delivered += bytes;
}

/* The last packet of a message has been delivered: the latencies of its first packet and of its
 * last byte. */
static inline void swq_probe_message(swq_system *s, int cell, uint64_t head, uint64_t tail)
{
    uint64_t *count = swq_probe_cell(s, cell);

    count[SWQ_CELL_MESSAGES]++;
    count[SWQ_CELL_MESSAGE_HEADS] += head;
    count[SWQ_CELL_MESSAGE_TAILS] += tail;
    if (s->measured)
        swq_measures_take(s, SWQ_REPORT_MESSAGE, &(swq_reported){.amount = tail});
}

/* A message of one packet, which is not followed, has been delivered. */
static inline void swq_probe_lone_message(swq_system *s, uint64_t tail)
{
    if (s->measured)
        swq_measures_take(s, SWQ_REPORT_MESSAGE, &(swq_reported){.amount = tail});
}

/* A packet for a node finds no room. It is gone, unless it goes back to its source. */
static inline void swq_probe_refused(swq_system *s, int cell, uint32_t node)
{
    swq_probe_cell(s, cell)[SWQ_CELL_DISCARDED]++;
    if (s->node_tally)
        swq_node_counters(s, node)[SWQ_NODE_DISCARDED]++;
}

static inline void swq_probe_dropped(swq_system *s, int stage)
{
    swq_probe_level(s, stage)[SWQ_STAGE_DROPPED]++;
}

/* The packets dropped by a stage since the last call. */
static inline uint64_t swq_probe_take_dropped(swq_system *s, int stage)
{
    uint64_t *count = &swq_probe_level(s, stage)[SWQ_STAGE_DROPPED], dropped = *count;

    *count = 0;
    return dropped;
}

/* A packet is gone after so many cycles in the system. */
static inline void swq_probe_lost(swq_system *s, uint64_t age, uint64_t bytes)
{
    s->discarded++;
    s->sojourn += age;
    s->bytes_lost += bytes;
    if (s->measured)
        swq_measures_take(s, SWQ_REPORT_LOSE, &(swq_reported){.amount = age});
}

#endif
