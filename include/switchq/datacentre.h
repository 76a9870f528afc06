/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches of data centres: one memory for all ports, packets of any size, rates in bits a second
 * and times in picoseconds; packets may be lost, marked and pushed out. One switch alone, or
 * networks of them with hosts whose senders react. docs/datacentre.md has the rules, event by
 * event.
 */
#ifndef SWITCHQ_DATACENTRE_H
#define SWITCHQ_DATACENTRE_H

#include "switchq/buffer.h"
#include "switchq/sim.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_DC_CLASSES = 8, /* classes of packets, at most */
    SWQ_DC_PORTS = 256, /* ports of a switch, at most */
    SWQ_DC_SIZES = 32   /* sizes of packets in a list, at most */
};

#define SWQ_DC_MOST_MEMORY UINT64_C(4000000000) /* bytes of a memory, at most */
#define SWQ_DC_NEVER       UINT64_MAX
#define SWQ_DC_MOST_TIME                                                                           \
    UINT64_C(1000000000000000000) /* ps of a run, or of an interval, at most                       \
                                   */
/* ps of timers that the run looks at each time: of a shorter one it would do little else, and
 * clocks of hosts and switches count microseconds */
#define SWQ_DC_LEAST_TIMER UINT64_C(1000000)
#define SWQ_DC_LEAST_RATE  UINT64_C(1000000) /* bit/s */
#define SWQ_DC_MOST_RATE   UINT64_C(10000000000000)

/* ---- the memory of a switch ---- */

typedef enum swq_dc_test { SWQ_DC_BEFORE, SWQ_DC_AFTER } swq_dc_test;
extern const char *const swq_dc_test_words[]; /* by value, ended by NULL */

/* The memory, and who may take it. Lengths are bytes in whole cells. */
typedef struct swq_dc_memory_spec {
    uint64_t bytes;                      /* 1 .. SWQ_DC_MOST_MEMORY */
    uint32_t parts;                      /* memories of a switch, each with as many of its bytes
                                            and outputs, in order, 1 .. SWQ_DC_PORTS */
    uint32_t cell;                       /* bytes of a cell, 1 .. 65536 */
    const swq_admission_rule *admission; /* a row that swq_dc_admits knows; NULL: sharing */
    double alpha[SWQ_DC_CLASSES];        /* of dynamic thresholds, above 0 */
    uint64_t queue_max, queue_min;       /* bytes; 0: the rule's own maximum, none reserved */
    swq_ties ties;                       /* of the longest queues */
    bool drop_head;                      /* pushing out loses the first waiting packet */
    bool uncounted;                      /* the packet that comes is not counted with its queue */
    swq_dc_test test;                    /* thresholds are compared with the length before, or with
                                            the packet */
    uint64_t congested;                  /* abm, reverie: bytes from which a queue counts as one */
    uint64_t interval;                   /* abm: ps between looks at drain rates, at least
                                            SWQ_DC_LEAST_TIMER */
    double first_alpha;                  /* abm, reverie: of packets of a flow's first round trip;
                                            fab: of flows that are new */
    uint64_t new_flow;     /* fab: a flow that has sent fewer bytes since its last pause
                              is new */
    uint64_t flow_pause;   /* fab: ps; a flow that is silent for longer pauses */
    double gamma;          /* reverie: weight of the past in averages of lengths, 0 to 1 */
    uint64_t afd_interval; /* ib: ps of a window, in which arrivals are counted */
    uint64_t afd_length;   /* ib: bytes that the fair rate steers a queue to */
    uint64_t afd_above;    /* ib: bytes of a queue above which packets are lost at random */
    uint64_t expel_every;  /* occamy: ps between tokens of a cell */
    uint32_t expel_bucket; /* occamy: tokens at most */
    const uint8_t *oracle; /* credence: [packets] of a trace: 1 if longest-queue drop
                              is said to lose the packet, else 0; NULL: none is */
} swq_dc_memory_spec;

/* Does the engine know a rule of admission? The names of those that it knows, with commas; and what
 * a rule takes here: bits of swq_admission_parameter, and these. */
bool swq_dc_admits(const swq_admission_rule *rule);
const char *swq_dc_admission_names(void);
enum {
    SWQ_DC_TAKES_TEST = 0x1000,
    SWQ_DC_TAKES_COUNTED = 0x2000,
    SWQ_DC_TAKES_INTERVAL = 0x4000,
    SWQ_DC_TAKES_FIRST = 0x8000,  /* first_alpha */
    SWQ_DC_TAKES_FLOWS = 0x10000, /* new_flow, flow_pause */
    SWQ_DC_TAKES_GAMMA = 0x20000,
    SWQ_DC_TAKES_AFD = 0x40000 /* afd_interval, afd_length, afd_above */
};
unsigned swq_dc_takes(const swq_admission_rule *rule);

/* What a switch keeps for a rule besides the cells that are free. */
typedef struct swq_dc_kept {
    int lengths;    /* of each queue: numbers of cells, its length among them */
    int bits;       /* of each queue: its state */
    int sums;       /* of the memory: numbers of cells ... */
    int class_sums; /* ... and of each class */
    int intervals;  /* of each queue: bytes that its line carries in an interval */
    int windows;    /* of each queue: bytes that all lines bring in an afd_interval */
    int inputs;     /* of each input and lossless class: numbers of cells */
    bool flows;     /* a table of flows */
} swq_dc_kept;
swq_dc_kept swq_dc_keeps(const swq_admission_rule *rule);

struct swq_dc;
/* The largest memory of a switch, in bytes; of several in a switch, one of them. */
uint64_t swq_dc_largest_memory(const struct swq_dc *dc);

/* ---- a port ---- */

typedef enum swq_dc_schedule {
    SWQ_DC_FIFO,     /* in the order of arrival */
    SWQ_DC_PRIORITY, /* class 0 first */
    SWQ_DC_ROUND_ROBIN,
    SWQ_DC_DRR /* deficit round robin */
} swq_dc_schedule;
extern const char *const swq_dc_schedule_words[]; /* by value, ended by NULL */

/* Marks for explicit congestion notification. */
typedef struct swq_dc_marking {
    bool on;
    bool at_dequeue;    /* the queue is looked at when the packet begins to be sent */
    uint64_t low, high; /* bytes: none up to `low`, all above `high`, linear between */
    double most;        /* the chance of a mark just below `high`, 0 to 1 */
} swq_dc_marking;

/* ---- packets that come to one switch alone ---- */

typedef enum swq_dc_arrivals {
    SWQ_DC_POISSON, /* at random times, whatever the lines of inputs carry */
    SWQ_DC_SLOTS,   /* each input begins a packet of the first size in a slot, or does not */
    SWQ_DC_TRACE    /* of a file */
} swq_dc_arrivals;
extern const char *const swq_dc_arrivals_words[]; /* by value, ended by NULL */

/* A packet of a trace. */
typedef struct swq_dc_arrival {
    uint64_t time; /* ps, of its last bit */
    uint32_t bytes;
    uint16_t input, output;
    uint8_t traffic_class, flags; /* SWQ_DC_FIRST_ROUND_TRIP */
} swq_dc_arrival;
enum { SWQ_DC_FIRST_ROUND_TRIP = 1 };

/* What became of a packet of a trace. */
typedef enum swq_dc_end {
    SWQ_DC_INSIDE, /* the run ended before */
    SWQ_DC_SENT,
    SWQ_DC_REFUSED,
    SWQ_DC_PUSHED_OUT,
    SWQ_DC_EXPELLED,
    SWQ_DC_IN_STORM /* dropped by the watchdog of pauses */
} swq_dc_end;
extern const char *const swq_dc_end_words[]; /* by value, ended by NULL */

typedef struct swq_dc_fate {
    uint64_t time; /* ps: of the end of its transmission, or of its loss */
    swq_dc_end end;
    bool marked;
} swq_dc_fate;

/* Reads a trace: lines time_ps,input,output,class,bytes[,flags] by time; # starts a comment. The
 * caller frees it with swq_dc_trace_free. Errors: SWQ_EIO; SWQ_EINVAL naming file and line;
 * SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_dc_trace_read(swq_context *ctx, const char *path, swq_dc_arrival **arrivals,
                             uint64_t *packets);
void swq_dc_trace_free(swq_context *ctx, swq_dc_arrival *arrivals);

/* Writes a line number,fate,time_ps,marked for each packet of a trace. Errors: SWQ_EIO. */
swq_status swq_dc_fates_write(swq_context *ctx, const char *path, const swq_dc_fate *fate,
                              uint64_t packets);

/* ---- priority flow control ---- */

enum { SWQ_DC_PAUSE_BYTES = 64 }; /* of a pause frame */

typedef struct swq_dc_pfc {
    unsigned classes;  /* set of the classes that are lossless; 0: none */
    double alpha;      /* what an input may hold of the shared part: a dynamic threshold */
    uint64_t headroom; /* bytes of each input and lossless class, beyond the shared part */
    uint64_t response; /* ps from the last bit of a frame until it is obeyed */
    /* bytes: sending goes on when the headroom is empty and less than the first is held, or the
     * second more would still be below the threshold */
    uint64_t resume_below, resume_offset;
    /* ps, of the watchdog: after this time in pause the packets of an output and class are dropped,
     * until it has not been paused for the second; 0: there is none */
    uint64_t detection, restoration;
} swq_dc_pfc;

/* ---- hosts, links, and what hosts send ---- */

typedef struct swq_dc swq_dc;

/* Numbers that built-in topologies are made of; each takes some of them. */
typedef enum swq_dc_number {
    SWQ_DC_LEAVES,
    SWQ_DC_SPINES,
    SWQ_DC_SWITCH_PORTS,
    SWQ_DC_HOSTS,
    SWQ_DC_SPINE_LINKS,
    SWQ_DC_SPINE_RATE,
    SWQ_DC_NUMBERS
} swq_dc_number;
extern const char *const swq_dc_number_words[]; /* by value, as options have them; ended by NULL */

/* Which switches are joined: one row. */
typedef struct swq_dc_topology {
    const char *name, *summary;
    const char
        *number[SWQ_DC_NUMBERS]; /* what each number is; NULL: the topology does not take it */
    bool single; /* one switch, which may be without hosts; with a sender there is one at each port
                  */
    bool file;   /* of swq_dc_network.graph */
    bool alike;  /* the network looks alike from all hosts */
} swq_dc_topology;
const swq_dc_topology *const *swq_dc_topologies(void);          /* ended by NULL */
const swq_dc_topology *swq_dc_topology_named(const char *name); /* NULL: there is none */
const swq_dc_topology *swq_dc_topology_of(const swq_dc *dc);    /* the row of a question */

/* Gives numbers their defaults where the topology has others than swq_dc_defaults. */
void swq_dc_topology_preset(swq_dc *dc);

/* The switches of a level, which are numbered one after another, have the same ports, those to
 * hosts first, and are called by their name and number, such as leaf 0. */
typedef struct swq_dc_level {
    const char *name;
    uint32_t switches, ports, hosts; /* ports and hosts of each switch */
} swq_dc_level;
enum { SWQ_DC_LEVELS = 3 };

/* The levels of a built-in network, that with hosts first; their number, 0 for a file. And the sum
 * of the rates of all lines of a switch of a level, bit/s. */
int swq_dc_levels(const swq_dc *dc, swq_dc_level level[SWQ_DC_LEVELS]);
uint64_t swq_dc_level_rates(const swq_dc *dc, const swq_dc_level *level);

/* A number as a network has it; of the rate, that of --rate if there is none. */
uint64_t swq_dc_number_of(const swq_dc *dc, swq_dc_number number);

enum { SWQ_DC_TOPOLOGY_TEXT = 240, SWQ_DC_SWITCH_NAME = 80 };
/* What a network consists of, in words; "leaf 0", or the name in a file. */
const char *swq_dc_topology_says(const swq_dc *dc, char text[SWQ_DC_TOPOLOGY_TEXT]);
const char *swq_dc_switch_name(const swq_dc *dc, uint32_t number, char text[SWQ_DC_SWITCH_NAME]);

/* A network that a file describes. */
typedef struct swq_dc_graph swq_dc_graph;

/* Reads a network in the format of docs/graphs.md, in which speed=X is in Gb/s and delay=D in ns;
 * lines without them have `rate` bit/s and `delay` ps. Free with swq_dc_graph_free. Errors:
 * SWQ_EIO; SWQ_EINVAL naming file and line: what is not of the format, arcs, routes, more than
 * SWQ_DC_PORTS ports; SWQ_EINVAL naming two hosts without a way between them; SWQ_ENOMEM,
 * SWQ_ELIMIT. Time and memory O(switches with hosts * ports of all switches). */
swq_status swq_dc_graph_read(swq_context *ctx, const char *path, uint64_t rate, uint64_t delay,
                             swq_dc_graph **graph);
void swq_dc_graph_free(swq_context *ctx, swq_dc_graph *graph);

/* The numbers of switches and hosts; the ports of a switch, up to the highest that is used, and the
 * sum of the rates of its lines; and a memory of its own for a switch, in bytes. */
uint32_t swq_dc_graph_switches(const swq_dc_graph *graph);
uint32_t swq_dc_graph_hosts(const swq_dc_graph *graph);
uint32_t swq_dc_graph_ports(const swq_dc_graph *graph, uint32_t number, uint64_t *rates);
void swq_dc_graph_give_memory(swq_dc_graph *graph, uint32_t number, uint64_t bytes);

/* The name of a switch, or of a host, in the file. */
const char *swq_dc_graph_name(const swq_dc_graph *graph, bool host, uint32_t number);

/* The link that a packet takes where several lead on. */
typedef enum swq_dc_spread {
    SWQ_DC_ECMP,     /* by a hash of its flow */
    SWQ_DC_SPRAY,    /* any, drawn for each packet */
    SWQ_DC_ADAPTIVE, /* the one whose queues hold least; the first of them by the flow's hash */
    SWQ_DC_FLOWLET   /* any, drawn for packets of a flow with pauses of up to flowlet_gap */
} swq_dc_spread;
extern const char *const swq_dc_spread_words[]; /* by value, ended by NULL */

/* A parameter of a sender: a number, or a time in ps, a size in bytes, a rate in bit/s. */
typedef enum swq_dc_kind {
    SWQ_DC_NUMBER,
    SWQ_DC_COUNT,
    SWQ_DC_TIME,
    SWQ_DC_BYTES,
    SWQ_DC_RATE
} swq_dc_kind;

typedef struct swq_dc_sender_parameter {
    const char *name, *help;
    swq_dc_kind kind;
    double least, most;
    double preset; /* NAN: the longest round trip alone */
} swq_dc_sender_parameter;

enum { SWQ_DC_SENDER_PARAMETERS = 11 };

/* How a host sends the packets of a flow: one row. docs/datacentre.md has each rule. */
typedef struct swq_dc_sender swq_dc_sender;
struct swq_dc_sender {
    const char *name, *summary, *source;
    bool windowed; /* its first window, or its only one, is swq_dc_network.window */
    bool marked;   /* slows down for marks, of which there are none without a marking */
    bool one_path; /* compares what packets meet, so that all must take one path */
    swq_dc_sender_parameter parameter[SWQ_DC_SENDER_PARAMETERS]; /* ended by one without a name */
};
const swq_dc_sender *const *swq_dc_senders(void);           /* ended by NULL */
const swq_dc_sender *swq_dc_sender_named(const char *name); /* NULL: there is none */
int swq_dc_sender_parameters(const swq_dc_sender *sender);

/* How the flows of a class are sent. */
typedef struct swq_dc_sending {
    const swq_dc_sender *sender; /* NULL: of class 0: there are no hosts; packets come from outside;
                                    of another class: as those of class 0 */
    unsigned given;              /* set of the sender's parameters that are in `value`; ... */
    double value[SWQ_DC_SENDER_PARAMETERS]; /* ... the others have their presets */
} swq_dc_sending;

typedef struct swq_dc_network {
    const swq_dc_topology *topology; /* a row; NULL: one switch */
    const swq_dc_graph *graph;       /* of a file; else NULL */
    int leaves, spines;
    int hosts;                           /* of each switch of the first level */
    int spine_links;                     /* links between two switches that are joined */
    uint64_t spine_rate;                 /* bit/s of each link between switches; 0: as the hosts' */
    uint64_t level_bytes[SWQ_DC_LEVELS]; /* memory of a switch of each level; 0: that of the spec */
    uint64_t delay;                      /* ps of each link */
    swq_dc_spread spread;
    uint64_t flowlet_gap; /* ps */
    swq_dc_sending sending[SWQ_DC_CLASSES];
    uint32_t header, ack;   /* bytes of a packet that are no payload; of an acknowledgement */
    uint32_t window;        /* packets: of sender `window`, and the first one of all others */
    uint64_t least_timeout; /* ps */
    uint64_t target;        /* ps: of sender `delay`, beyond the round trip alone */
} swq_dc_network;

/* How the flows of a class are sent. */
const swq_dc_sending *swq_dc_sending_of(const swq_dc_network *network, int traffic_class);

/* What all hosts do together, once, when measuring begins. */
typedef enum swq_dc_collective {
    SWQ_DC_NO_COLLECTIVE,
    SWQ_DC_PERMUTATION, /* each sends to another host, which is drawn, and receives from one */
    SWQ_DC_ALL_TO_ALL,  /* each sends an equal part to each other host, one after another: each
                           part waits for the one that its sender receives before */
    SWQ_DC_AT_ONCE,     /* the same, all at once */
    SWQ_DC_RING         /* ring all-reduce: a part of one n-th to the next host 2 (n - 1) times */
} swq_dc_collective;
extern const char *const swq_dc_collective_words[]; /* by value, ended by NULL */

/* Flows. sizes: as sim/datacentre/sizes.h reads them: a NAME, file:PATH, or bytes. */
typedef struct swq_dc_flows {
    const char *sizes; /* NULL: no flows at random times */
    double load;       /* of the hosts' links, in payload */
    uint64_t off;      /* ps, instead of a load: each host sends one flow at a time, and is
                          silent for this time on average between two; 0: not so */
    swq_dc_collective collective;
    uint64_t collective_bytes; /* that each host sends, or, with a ring, that are reduced */
    double query_rate;         /* queries a second of each host; 0: none */
    uint32_t fan_in;           /* hosts that answer a query */
    uint64_t query_bytes;      /* of all answers together */
    uint8_t query_class;
    const char *list; /* a file of flows; NULL: none */
} swq_dc_flows;

/* ---- the question ---- */

struct swq_dc {
    swq_dc_network network;
    swq_dc_flows flows;
    swq_dc_pfc pfc;
    int ports;     /* of the switch, or of those of a topology that takes them; 1 .. SWQ_DC_PORTS */
    int classes;   /* 1 .. SWQ_DC_CLASSES */
    uint64_t rate; /* bit/s of each line */
    swq_dc_memory_spec memory;
    swq_dc_schedule schedule;
    uint32_t quantum[SWQ_DC_CLASSES]; /* bytes, of deficit round robin */
    bool cut_through;                 /* packets may leave before all of them is there, ... */
    uint32_t cut_after;               /* ... from these bytes on, 1 .. 1000000; shorter ones come
                                         whole */
    swq_dc_marking marking;

    swq_dc_arrivals arrivals;
    int sizes; /* of packets: bytes, and the share of packets that have them */
    uint32_t size_bytes[SWQ_DC_SIZES];
    double size_share[SWQ_DC_SIZES];
    double load[SWQ_DC_PORTS];          /* of each output, as a fraction of its rate; SLOTS: of each
                                           input, to all outputs alike */
    double class_share[SWQ_DC_CLASSES]; /* of packets; with hosts, of flows at random times and
                                           after silences; sum 1 */
    const swq_dc_arrival *trace;        /* [packets], sorted by time */
    uint64_t packets;
    const char *trace_file; /* for messages */
};

/* A line for each flow that is complete, as below; or the flows as a list that another simulator
 * reads: HPCC's flow.txt, htsim's connection matrix. */
typedef enum swq_dc_flows_as {
    SWQ_DC_AS_COMPLETE,
    SWQ_DC_AS_HPCC,
    SWQ_DC_AS_HTSIM
} swq_dc_flows_as;

/* What queues hold during the measured time of the first replication. Queues are numbered port *
 * classes + class, ports over all switches, one switch after another. Frame f of `frames` shows the
 * end of the f-th of `most` equal parts of the time, and counts what happened in this part. */
typedef struct swq_dc_film {
    uint32_t most; /* frames to be recorded, 1 or more; fewer if the run is cut short */
    /* results */
    uint32_t frames, switches, memories;
    int classes;
    uint32_t *first; /* [switches + 1] the first port of each switch */
    uint32_t *to;    /* [ports] the switch at the other end of the line; UINT32_MAX: none */
    uint16_t *held;  /* [frames * queues] thousandths of the memory, rounded up */
    uint8_t *paused; /* [frames * queues] 1: the output's class is paused; with lossless classes */
    uint64_t *sent;  /* [frames] packets, by switches; ... */
    uint64_t *lost;  /* ... lost by them; ... */
    double *line_bytes; /* ... bytes on their lines; ... */
    double *delay;      /* ... the sum of the delays of the packets sent, ps */
    int circle;         /* outputs in the circle of pauses in which the replication ends; 0: none */
    /* private to the run */
    uint64_t begun;
    struct {
        uint64_t sent, lost;
        double line_bytes, delay;
    } before;
} swq_dc_film;
/* Safe if no run has filled it; to be called even after a run that failed. ctx: the run's. */
void swq_dc_film_clear(swq_context *ctx, swq_dc_film *film);

typedef struct swq_dc_options {
    uint64_t warmup, duration; /* ps; a trace runs to its end */
    int replications, threads;
    uint64_t seed;
    double confidence;
    /* A line for each flow of the first replication that is counted and complete: number, start,
     * source, destination, bytes, class, end and slowdown. NULL: not wanted. */
    FILE *flows;
    bool per_link;            /* also results of each line and class */
    uint64_t series;          /* ps: also results of each part of that length; 0: not wanted */
    swq_dc_flows_as flows_as; /* a list has all flows that are counted */
    swq_dc_film *film;        /* not of a trace; NULL: not wanted */
    swq_dc_fate *fate;        /* [packets] of a trace, filled in by the first replication; NULL: not
                                 wanted */
} swq_dc_options;

/* warmup 1 ms, duration 10 ms, 8 replications, one thread, seed 1, confidence .95. */
swq_dc_options swq_dc_options_defaults(void);

/* A switch of 8 ports of 10 Gbit/s with one class, 1 MB, complete sharing, packets of 1500 bytes.
 */
swq_dc swq_dc_defaults(void);

/* ---- the answer ---- */

/* Percentiles are those of all replications together, with intervals from the scatter of the
 * replications' own; these are infinite if fewer than SWQ_RARE_EVENTS events lie beyond. */

enum { SWQ_DC_PERCENTILES = 4 }; /* .5 .95 .99 .999 */
extern const double swq_dc_percentiles[SWQ_DC_PERCENTILES];

/* Of a class, or of all. */
typedef struct swq_dc_flow {
    uint64_t offered, lost, lost_bytes, offered_bytes, marked, sent; /* in all replications */
    uint64_t refused, pushed_out, expelled, in_storm;
    uint64_t storms; /* of pauses, in which the watchdog drops packets: those that began */
    swq_estimate loss, byte_loss; /* fractions of packets, and of bytes, that were offered */
    double loss_below;            /* an upper bound, if none was lost; else NAN */
    swq_estimate throughput;      /* of all lines, as a fraction */
    swq_estimate marks;           /* fraction of sent packets */
    swq_estimate cut;   /* the same of packets that left before their last bits were there */
    swq_estimate delay; /* ps from the last bit's arrival to the last bit's departure */
    swq_estimate delay_at[SWQ_DC_PERCENTILES];
    swq_estimate queue; /* mean bytes of a queue, over time */
} swq_dc_flow;

/* Flows by their size, and queries. Slowdown: the time of a flow divided by that of the flow alone,
 * at the rate of its links. */
enum { SWQ_DC_SIZE_CLASSES = 4 }; /* up to 100 KB, up to 1 MB, more; all */
extern const uint64_t swq_dc_size_limits[SWQ_DC_SIZE_CLASSES];

typedef struct swq_dc_completion {
    uint64_t begun, completed; /* in the measured time; of these, by the end of the run */
    swq_estimate time;         /* ps, mean */
    swq_estimate time_at[SWQ_DC_PERCENTILES];
    swq_estimate slowdown, slowdown_at[SWQ_DC_PERCENTILES]; /* NAN for queries */
    swq_estimate jain; /* Jain's index of the flows' sizes divided by their times */
} swq_dc_completion;

/* Packets of a class on a line in one direction: from a switch's port or a host, to one, or out of
 * the network. */
typedef struct swq_dc_link {
    uint32_t from, to; /* numbers of switches, or of hosts */
    uint32_t from_port, to_port;
    bool from_host, to_host, to_outside;
    int traffic_class;
    uint64_t rate;                     /* bit/s */
    swq_estimate use;                  /* bytes sent, as a fraction of what the line can */
    swq_estimate paused;               /* fraction of the time */
    uint64_t packets, bytes;           /* sent, in all replications, as all below */
    uint64_t marked, lost, lost_bytes; /* by the port that it begins at */
    uint64_t pauses;
    uint64_t storms, in_storm; /* of the watchdog; packets lost in them, a part of `lost` */
} swq_dc_link;

/* An output of a switch whose class is paused. */
typedef struct swq_dc_paused {
    uint32_t at, port;    /* the number of the switch, and the port there */
    uint32_t to, to_port; /* the switch at the other end of its line, and the port there */
    int traffic_class;
} swq_dc_paused;

/* A deadlock of pauses: each output is paused by the switch of the next one, which waits until that
 * sends; the last one waits for the first. */
enum { SWQ_DC_CIRCLE = 24 };
typedef struct swq_dc_circle {
    int outputs; /* in the circle, of which the first SWQ_DC_CIRCLE are here */
    swq_dc_paused output[SWQ_DC_CIRCLE];
} swq_dc_circle;

/* A memory, where each switch has several. */
typedef struct swq_dc_memory {
    uint32_t at, first_port, ports; /* the number of the switch, and its outputs */
    uint64_t bytes;                 /* in whole cells */
    uint64_t offered, sent, lost;   /* packets, in all replications */
    uint64_t lost_bytes, most;      /* most: bytes in use */
    swq_estimate used, loss; /* mean share in use, over time; fraction of the packets offered */
    double loss_below;       /* an upper bound, if none was lost; else NAN */
} swq_dc_memory;

/* A part of the measured time. */
typedef struct swq_dc_window {
    uint64_t begin, length;       /* ps, from the beginning of the measured time */
    swq_estimate use, used, loss; /* of lines; of a memory; fraction of packets */
    double loss_below;            /* an upper bound, if none was lost; else NAN */
    swq_estimate goodput;         /* with hosts: of their links */
} swq_dc_window;
enum { SWQ_DC_MOST_WINDOWS = 100000 };

typedef struct swq_dc_result {
    swq_dc_completion by_size[SWQ_DC_SIZE_CLASSES], queries; /* with hosts */
    swq_dc_completion by_class_and_size[SWQ_DC_CLASSES]
                                       [SWQ_DC_SIZE_CLASSES]; /* with several classes */
    uint64_t collectives;    /* that were complete, of one in each replication */
    swq_estimate collective; /* ps, of those */
    uint64_t
        listed_before; /* flows of the list that began in the warm-up of the first replication */
    bool listed_late;  /* some had not begun when its measured time was over */
    swq_estimate jain; /* Jain's index of the payload that came from each host */
    double line_rates, host_rates;    /* bit/s of all lines of switches, and of hosts */
    swq_estimate goodput;             /* payload that came to hosts, as a fraction of their links */
    uint64_t timeouts, retransmitted; /* packets; both in the measured time */
    /* with priority flow control: pauses in the measured time, the most that was in a headroom, and
     * the share of time in which a line's class is paused */
    uint64_t pauses, headroom_most;
    swq_estimate paused;
    int deadlocks; /* replications that ended in a deadlock, with a watchdog in one that it had not
                      broken by then; the circle of the first of them */
    swq_dc_circle circle;
    /* all parameters of the senders, by class */
    double sender_value[SWQ_DC_CLASSES][SWQ_DC_SENDER_PARAMETERS];
    double mean_flow_bytes; /* of the distribution; 0: none */
    swq_dc_flow all, by_class[SWQ_DC_CLASSES];
    swq_estimate occupancy; /* mean share of a memory in use, over time */
    swq_estimate occupancy_at[SWQ_DC_PERCENTILES];
    uint64_t occupancy_most;
    uint64_t inside; /* packets in the switch at the end, of all replications */
    int replications;
    uint64_t packets, packet_hops, events;
    uint64_t measured; /* ps, of all replications together */
    uint64_t ended;    /* ps, the end of a trace's run */
    double cpu_seconds, wall_seconds, bytes;
    bool conserved;    /* offered = sent + lost + inside, in each replication, packets and bytes */
    bool interrupted;  /* replications are missing, or cut short */
    bool time_up;      /* by the context's limit of time, not by a signal */
    int partial;       /* of `replications`: those that were cut short */
    swq_dc_link *link; /* [links] with per_link; swq_dc_result_clear frees it */
    swq_dc_window *window; /* [windows] with a series; as `link` */
    swq_dc_memory *memory; /* [memories] where switches have several; as `link` */
    uint32_t links, windows, memories;
} swq_dc_result;

void swq_dc_result_clear(swq_context *ctx, swq_dc_result *result);

/* Check a question. Errors: SWQ_EINVAL naming the parameter. */
swq_status swq_dc_check(swq_context *ctx, const swq_dc *dc, const swq_dc_options *options);

/* Runs all replications. Cost: about 0.2 microseconds a packet, and for rules that look at all
 * queues their number. Errors: those of swq_dc_check, SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. */
swq_status swq_dc_run(swq_context *ctx, const swq_dc *dc, const swq_dc_options *options,
                      swq_dc_result *result);

__extension__ typedef unsigned __int128 swq_dc_wide;

/* The time that a packet takes on a line, in ps, rounded to the nearest. */
static inline uint64_t swq_dc_time(uint64_t bytes, uint64_t rate)
{
    const uint64_t bits = 8 * bytes;

    /* 8e12 * bytes overflows from 2.3 MB on */
    return bits / rate * UINT64_C(1000000000000) +
           (uint64_t)(((swq_dc_wide)(bits % rate) * UINT64_C(1000000000000) + rate / 2) / rate);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
