/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One replication of a data-centre network: everything that changes.
 */
#ifndef SWQ_SIM_DATACENTRE_NET_H
#define SWQ_SIM_DATACENTRE_NET_H

#include "sim/datacentre/events.h"
#include "sim/datacentre/flows.h"
#include "sim/datacentre/graph.h"
#include "sim/datacentre/packets.h"
#include "sim/datacentre/tally.h"
#include "sim/stream.h"
#include "switchq/datacentre.h"

/* A queue: the packets of a class for an output port. */
typedef struct dc_queue {
    dc_list waiting;
    uint32_t packets; /* that wait */
    uint64_t held;    /* bytes of its packets, the one being sent included */
    int64_t deficit;  /* deficit round robin */
} dc_queue;

typedef struct dc_port {
    uint32_t sending; /* a packet, or DC_NONE: idle */
    uint32_t queue;   /* the queue that it was in */
    uint64_t ends;    /* ps: the end of its transmission */
    uint8_t filled;   /* set of the classes with packets that wait */
    uint8_t paused;   /* set of the classes that may not be sent */
    uint8_t turn;     /* round robin: the class that is looked at first */
    bool visited;     /* deficit round robin: the quantum of this visit has been given */
    bool looked;      /* an event is due that looks at the port */
} dc_port;

/* The line that begins at an output port of a switch or host. */
typedef struct dc_line {
    uint64_t rate;        /* bit/s */
    uint64_t ps_per_byte; /* 0: not a whole number */
    uint64_t delay;       /* ps */
    uint32_t to;          /* the port at its other end; DC_NONE: packets leave the network */
    dc_list flying;       /* packets on the line, whose `time` is that of their arrival */
} dc_line;

typedef struct dc_net dc_net;
typedef struct dc_ingress dc_ingress;       /* pfc.c */
typedef struct dc_watch dc_watch;           /* watchdog.c */
typedef struct dc_absorber dc_absorber;     /* absorb.c */
typedef struct dc_new_flows dc_new_flows;   /* new_flows.c */
typedef struct dc_fair_rates dc_fair_rates; /* fair_rates.c */
typedef struct dc_averages dc_averages;     /* averages.c */

/* A rule of admission in bytes. The packet that comes is not yet in its queue. */
typedef struct dc_rule {
    const swq_admission_rule *row;
    /* SWQ_TAKE, SWQ_REFUSE, or the queue of the switch that loses a packet, after which the rule is
     * asked again; SWQ_TAKE is answered only if the packet fits. */
    swq_fate (*fate)(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);
    /* A packet comes, before `fate`; a packet of a queue has been sent, and its memory is free;
     * an interval ends. NULL: nothing to do. */
    void (*comes)(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);
    void (*sent)(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet);
    void (*interval)(dc_net *net, uint32_t memory);
    bool expels;
    unsigned takes; /* parameters: bits of swq_admission_parameter, and SWQ_DC_TAKES_... */
    swq_dc_kept kept;
} dc_rule;

extern const dc_rule *const dc_rules[];                   /* ended by NULL */
const dc_rule *dc_rule_of(const swq_admission_rule *row); /* NULL: not known */

/* A memory, of the outputs of a switch or of a part of them. */
typedef struct dc_memory {
    uint64_t capacity, free; /* bytes, in whole cells */
    uint64_t beyond;         /* the sum of what queues hold beyond their reserved bytes */
    uint32_t first_port, ports, first_queue, queues;
    /* rules */
    uint64_t virtual_sum; /* followlqd: of `kept` */
    uint32_t expel_next;  /* occamy: the queue to be looked at next, of the switch */
    uint64_t tokens_at;   /* occamy: the time up to which tokens have been counted */
    int64_t tokens;
    bool token_due;
} dc_memory;

/* An entry of a switch's table of flowlets. */
enum { DC_FLOWLETS = 4096 };
typedef struct dc_flowlet {
    uint64_t last;   /* ps: its last packet; 0: none yet */
    uint32_t choice; /* of the ways */
} dc_flowlet;

struct dc_net {
    const swq_dc *spec;
    const swq_dc_graph *graph;
    swq_context *ctx;
    const dc_rule *rule;
    dc_events *events;
    dc_packets packets;
    uint64_t now;
    int classes;
    uint32_t memories, ports, queues; /* in all */
    dc_memory *memory;
    uint32_t *memory_of; /* [ports] of an output; DC_NONE: a host's */
    dc_port *port;       /* those of switches, one switch after another, then one of each host */
    dc_line *line;       /* [ports] */
    uint32_t host_ports; /* the first port that is a host's */
    uint32_t hosts;
    dc_ingress *ingress; /* [ports * classes], or NULL without priority flow control */
    dc_watch *watch;     /* [queues], or NULL without a watchdog of pauses */
    uint64_t headroom_most;
    bool marks_at_enqueue;
    bool writes;       /* packets that begin to be sent are marked, or told what they meet */
    uint64_t *carried; /* [ports] bytes that ports have sent, with senders that are told; or NULL */
    dc_hosts own;      /* what hosts have */
    dc_flowlet *flowlet; /* [switches * DC_FLOWLETS], or NULL */
    dc_queue *queue;     /* [queues] port * classes + class */

    uint64_t *kept;          /* [queues] followlqd: the virtual queues, bytes */
    dc_absorber *absorber;   /* [queues] edt, tdt */
    dc_new_flows *new_flows; /* fab */
    dc_fair_rates *fair;     /* ib */
    dc_averages *averages;   /* reverie */
    double *congested;       /* [queues] abm: how far the queue counts as congested, 0 to 1 */
    uint64_t *drained;       /* [queues] abm: bytes sent in this interval */
    double *drain;           /* [queues] abm: the share of the line's rate */
    double *count;           /* [classes] abm: congested queues */
    uint64_t *sorted;        /* [queues of a switch] for rules that sort */
    double *harmonic;        /* [queues of a switch + 1] sums of 1 + 1/2 + ... + 1/m */

    swq_streams streams;
    uint64_t draws; /* of packets that have come from outside */
    uint64_t drawn; /* random words of rules and marks */
    uint64_t come;  /* packets that have come from outside */
    bool coming;    /* others come at the same time: no port begins to send yet */
    double
        cumulated[SWQ_DC_PORTS * SWQ_DC_CLASSES]; /* shares of packets for the queues, summed up */
    double size_cumulated[SWQ_DC_SIZES];
    double gap;     /* Poisson: mean ps between packets */
    double come_at; /* Poisson: the time of the next, with fractions of a ps */
    uint64_t slot;  /* ps */

    dc_tally tally;
    swq_dc_fate *fate; /* of a trace, or NULL */
    FILE *flows;       /* a line for each flow that is complete, or NULL */
};

/* ---- make.c ---- */

/* The graph, with its ways, must outlive the network. */
swq_status dc_net_make(swq_context *ctx, const swq_dc *spec, const swq_dc_graph *graph,
                       uint64_t seed, int replication, dc_net *net);
void dc_net_free(swq_context *ctx, dc_net *net);

/* ---- kernel.c ---- */

/* Runs until the time `end`, of which no event is done, or until nothing is left to do. */
swq_status dc_net_run(dc_net *net, uint64_t end);

/* ---- arrive.c ---- */

/* A packet comes for an output of a switch, its last bit or its header now. */
void dc_arrive(dc_net *net, uint32_t port, uint32_t packet);

/* ---- cut_through.c ---- */

/* The header of a packet is at the end of a port's line. */
void dc_cut_head(dc_net *net, uint32_t port);
/* Of a packet that comes from outside now: ps until its last bit is there. */
uint64_t dc_cut_rest(const dc_net *net, uint32_t bytes);

/* ---- ports.c ---- */

/* An idle port with packets begins to send once all that comes at this time is there. */
void dc_look_at_idle_port(dc_net *net, uint32_t port);
static inline void dc_look_at_port(dc_net *net, uint32_t port)
{
    if (net->port[port].sending == DC_NONE)
        dc_look_at_idle_port(net, port);
}
/* An idle port begins to send, if it has a packet. */
void dc_start(dc_net *net, uint32_t port);
/* Bytes that a port has sent by now of the packet that it is sending. */
double dc_part_sent(const dc_net *net, uint32_t port);

/* ---- memory.c ---- */

/* A packet of a queue is stored, or is no longer. */
void dc_hold(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet);
void dc_give_back(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet);
/* What became of a packet of a trace at the switch; a packet is lost at one. */
static inline void dc_note_fate(dc_net *net, const dc_packet *packet, swq_dc_end end)
{
    if (net->fate)
        net->fate[packet->number] = (swq_dc_fate){net->now, end, packet->marked};
}
void dc_note_loss(dc_net *net, uint32_t packet, swq_dc_end end);
/* A waiting packet of a queue is lost: the first one, or the last. */
void dc_lose_stored(dc_net *net, uint32_t queue, bool head, swq_dc_end end);

/* ---- absorb.c ---- */

swq_status dc_absorbers_make(swq_context *ctx, dc_net *net);
swq_fate dc_edt_fate(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);
void dc_edt_sent(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet);
swq_fate dc_tdt_fate(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);
void dc_tdt_sent(dc_net *net, uint32_t memory, uint32_t queue, const dc_packet *packet);

/* ---- new_flows.c ---- */

swq_status dc_new_flows_make(swq_context *ctx, dc_net *net);
void dc_new_flows_free(swq_context *ctx, dc_net *net);
/* A packet comes; has its flow sent little since its last pause, this packet with it? */
void dc_note_flow(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);
bool dc_flow_is_new(const dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);

/* ---- memories.c ---- */

/* Counters of each memory begin, where a switch has several; ends: into the outcome's. */
swq_status dc_memories_make(swq_context *ctx, dc_net *net);
void dc_memories_begin(dc_net *net);
void dc_memories_end(const dc_net *net, dc_memory_counts *of);

/* ---- fair_rates.c ---- */

swq_status dc_fair_rates_make(swq_context *ctx, dc_net *net);
void dc_fair_rates_free(swq_context *ctx, dc_net *net);
void dc_fair_rates_note(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *packet);
/* Is a packet lost at random, since its queue is long and gets more than its fair rate? */
bool dc_fair_rates_drop(dc_net *net, uint32_t memory, uint32_t join);

/* ---- averages.c ---- */

typedef enum { DC_OUTPUTS, DC_INPUTS } dc_side; /* whose lengths: both by port and class */
swq_status dc_averages_make(swq_context *ctx, dc_net *net);
void dc_averages_free(swq_context *ctx, dc_net *net);
/* A packet has left a queue, or what an input holds, which now has a length in bytes. */
void dc_average_falls(dc_net *net, dc_side side, uint32_t queue, uint64_t length);
double dc_average(const dc_net *net, dc_side side, uint32_t queue);
/* The number of congested queues of the class of a queue, whose own degree is renewed; 1 or more.
 */
double dc_congested(dc_net *net, uint32_t memory, dc_side side, uint32_t queue);

/* ---- pfc.c ---- */

bool dc_lossless(const dc_net *net, int class);
/* Has a class of an input (a queue number) asked its sender to pause, and not yet to go on? */
bool dc_ingress_asked(const dc_net *net, uint32_t input);
swq_status dc_ingress_make(swq_context *ctx, dc_net *net);
/* What becomes of a packet of a lossless class; it may be marked as one for the headroom. */
swq_fate dc_lossless_fate(dc_net *net, uint32_t memory, dc_packet *packet);
uint64_t dc_ingress_take(dc_net *net, const dc_packet *packet);
uint64_t dc_ingress_give(dc_net *net, const dc_packet *packet);
void dc_ingress_look(dc_net *net, uint32_t memory, uint32_t port, int class);
void dc_frame(dc_net *net, uint32_t queue);
/* Of a class on the line that begins at a port: pauses, and ps in pause, in the measured time. */
void dc_ingress_pauses(const dc_net *net, uint32_t port, int class, uint64_t *pauses,
                       uint64_t *paused);

/* ---- watchdog.c ---- */

swq_status dc_watch_make(swq_context *ctx, dc_net *net);
/* A frame for a queue, of a switch or a host, has been obeyed; the event of a queue is there. */
void dc_watch_pause(dc_net *net, uint32_t queue);
void dc_watch_turn(dc_net *net, uint32_t queue);
/* Is a packet that comes for a queue dropped? A storm may begin with it. */
bool dc_watch_drops(dc_net *net, uint32_t queue);

/* Bytes of the headrooms of a switch. */
uint64_t dc_headrooms(const swq_dc *spec, uint32_t ports);

/* ---- route.c ---- */

/* The output port of a switch, a number of the graph, by which a packet goes on. */
uint32_t dc_route(dc_net *net, uint32_t number, const dc_packet *packet);
/* The time of a flow of that many packets alone on the first of its shortest ways, the last one of
 * `last` bytes on the line. */
uint64_t dc_time_alone(const dc_net *net, uint32_t from, uint32_t to, uint64_t packets,
                       uint32_t last);

/* Switches on the way between two hosts. */
uint32_t dc_hops(const swq_dc_graph *graph, uint32_t from, uint32_t to);

/* ---- stuck.c ---- */

/* A circle of outputs whose pauses wait for one another; outputs 0: none. Errors: SWQ_ENOMEM.
 * O(packets) for each step by which a pause can still end. */
swq_status dc_find_stuck(swq_context *ctx, const dc_net *net, swq_dc_circle *circle);

/* ---- hosts.c ---- */

/* The next packet of a host, or DC_NONE. */
uint32_t dc_host_next(dc_net *net, uint32_t host);
bool dc_host_waits(const dc_net *net, uint32_t host);
void dc_host_receive(dc_net *net, uint32_t host, uint32_t packet);
void dc_host_lost(dc_net *net, const dc_packet *packet);
void dc_timer(dc_net *net, uint32_t flow);
void dc_pace_event(dc_net *net, uint32_t flow);
void dc_flow_start(dc_net *net, dc_flow *flow);

/* ---- begin_flows.c ---- */

swq_status dc_flows_make(swq_context *ctx, dc_net *net);
void dc_flows_free(swq_context *ctx, dc_net *net);
void dc_flow_begins(dc_net *net, uint32_t process);
/* A flow begins now. number: that by which others wait for it; 0: none do. */
void dc_flow_begin(dc_net *net, const swq_listed_flow *listed, uint64_t number);

/* ---- collective.c ---- */

swq_status dc_collective_begins(dc_net *net);

/* ---- silence.c ---- */

/* A host begins its next flow after a pause. */
void dc_falls_silent(dc_net *net, uint32_t host);

/* ---- waiting_flows.c ---- */

/* A flow is complete: those of the list that wait for it begin. */
void dc_flow_is_complete(dc_net *net, const dc_flow *flow);

/* ---- schedule.c ---- */

/* The class that a port sends next, or -1. Rotates turns. */
int dc_schedule(dc_net *net, uint32_t port);

/* ---- expel.c ---- */

/* Packets may have come above their thresholds. */
void dc_expel_look(dc_net *net, uint32_t memory);
void dc_expel_turn(dc_net *net, uint32_t memory);

/* ---- outside.c ---- */

void dc_outside_begin(dc_net *net);
void dc_outside(dc_net *net); /* a packet, or a slot, from outside */

/* A number in (0, 1], from the stream of rules and marks. */
static inline double dc_uniform(dc_net *net)
{
    uint64_t first, second;

    swq_stream_pair(&net->streams, SWQ_STREAM_SWITCH, 0, net->drawn++, &first, &second);
    return swq_word_uniform(first);
}

#endif
