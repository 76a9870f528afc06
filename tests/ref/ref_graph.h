/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent reference for wormhole networks that a file describes (topology graph): it reads the
 * file, finds the routes, and moves every flit in every cycle, with routes by way of another node,
 * UGAL, PAR, and lanes for each link of a way. Slow, meant to be obviously correct. Written from
 * docs/graphs.md, docs/wormhole.md and docs/asynchronous.md without sight of the kernel of sim/,
 * with which it shares no code; nor does it share any with ref_lanes.h. Only links of several
 * speeds were added with the kernel in sight, by a formula of its own: it counts flits of busy
 * spells where the kernel keeps clocks.
 */
#ifndef REF_GRAPH_H
#define REF_GRAPH_H

enum {
    REF_GRAPH_PORTS = 16,
    REF_GRAPH_SWITCHES = 40,
    REF_GRAPH_HOSTS = 80,
    REF_GRAPH_LANES = 24,
    REF_GRAPH_QUIET = 1000 /* cycles without any movement, also of credits that are held back,
                              after which there will be none */
};

/* A one-way link from an output port of a switch; or from a host. */
typedef struct ref_graph_link {
    int used, delay;
    long speed;   /* in millionths of that of a link of speed 1 */
    int to, port; /* the switch and input port at its end; or */
    int host;     /* the host there, or -1 */
} ref_graph_link;

typedef struct ref_graph_host {
    int at, port, delay;
    long speed;
    char name[64];
} ref_graph_host;

typedef struct ref_graph {
    int switches, hosts;
    long fastest; /* speed of a link, or of a host's */
    int longest;  /* most links between switches on a route from host to host */
    char name[REF_GRAPH_SWITCHES][64];
    ref_graph_host host[REF_GRAPH_HOSTS];
    ref_graph_link link[REF_GRAPH_SWITCHES][REF_GRAPH_PORTS];
    int route[REF_GRAPH_SWITCHES][REF_GRAPH_HOSTS];  /* output, or -1: there is no way */
    int nearer[REF_GRAPH_SWITCHES][REF_GRAPH_HOSTS]; /* set of all outputs with a shortest way over
                                                        links */
    int group[REF_GRAPH_SWITCHES]; /* of a switch, where there are groups; else 0 */
} ref_graph;

/* Read a file in the format of docs/graphs.md, with ports of routes, speeds, and delays, which are
 * whole numbers. Returns NULL, or what is wrong: a way is missing, or leads in a circle. */
const char *ref_graph_read(const char *path, ref_graph *g);

/* Fill in the shortest ways over links. */
void ref_graph_route(ref_graph *g);

/* Walk the ways of all pairs of hosts, and fill in the longest. Returns NULL, or what is wrong. */
const char *ref_graph_walk(ref_graph *g);

/* What UGAL and PAR compare: docs/lowdiameter.md, "The queue that UGAL compares". */
enum { REF_QUEUE_LOCAL, REF_QUEUE_LANE, REF_QUEUE_HYBRID, REF_QUEUE_GLOBAL, REF_QUEUE_PATH };

/* Which of several shortest ways a packet takes in each switch: docs/wormhole.md, "Which lanes a
 * packet may take". */
enum { REF_PICK_NONE, REF_PICK_ROOM, REF_PICK_FIRST, REF_PICK_TURN, REF_PICK_RANDOM };

typedef struct ref_graph_packet {
    long cycle; /* of its creation; does not decrease from packet to packet */
    int from, to, flits;
    int drawn; /* the node by way of which it may go; -1: none, it goes straight */
} ref_graph_packet;

typedef struct ref_graph_run {
    const ref_graph *graph;
    int lanes, room;     /* of a link; flits of the buffer of each */
    int at_once;         /* packets that a node may have under way */
    int by_phase;        /* lanes for each link of a way; any if no member by_... says more */
    int by_hop;          /* one lane for each link of a way, the last for the rest */
    int by_part;         /* lanes for the way to the drawn node, and for that on from it or
                            straight */
    int by_globals;      /* lanes for the phases of a dragonfly */
    int phases;          /* links, parts or phases that have lanes; 0: links of the longest route */
    int empty;           /* a lane is given away when all its credits are back */
    int by_another;      /* packets may go by way of the drawn node */
    int ugal, threshold; /* ... if UGAL says so; else all do */
    int queue;           /* that it compares */
    int par; /* a packet that goes straight is asked again in further switches of its group */
    /* par: the node that is drawn anew for a packet at an input of a switch, in the cycle in which
     * its header comes there, or, if this waited behind another packet, in which that one's last
     * flit leaves */
    int (*drawn_anew)(const void *arg, int packet, int at, int input, int lane, long cycle);
    int factor, other_factor; /* of the two queues in place of links; 0: links */
    int dims, extent[4];      /* dal: the switches are those of a hyperx, numbered by coordinates of
                                 which the first is the most significant; 0 dims: no dal */
    int q_of_lanes;           /* dal: a queue is that of the lanes for the packet; else of all */
    int pick;                 /* packets may take any shortest way; REF_PICK_NONE: the route */
    int escape, alike, kept;  /* ... lane 0 is for the route alone; it is like any other lane;
                                 packets  in lane 0 stay there */
    /* dal, pick random: which output a packet takes in a switch, told by whoever drew it of those
     * that it might take */
    int (*taken)(const void *arg, int packet, int at);
    const void *arg;
    int routed, given, granted, crossed; /* the stages of a switch, cycles */
    int credit;                          /* cycles until a credit that has come back counts */
    int by_group;   /* a packet has come to the drawn node when it is in its group; else when it is
                       in its switch */
    int late;       /* credits for links within groups are held back by their round trip */
    long most_held; /* ... for this many cycles at most; 0: for as many as the rule says */
    const ref_graph_packet *packet;
    int packets;
    long cycles; /* stop before this cycle, or when all is delivered, or nothing moves any more */
} ref_graph_run;

/* A header is granted the crossbar of a switch, or (at -1) leaves its host. */
typedef struct ref_graph_start {
    long cycle;
    int packet, at, input, output, lane;
    int over; /* the node drawn for it, or, from a switch, by way of which it goes; or -1 */
} ref_graph_start;

typedef struct ref_graph_outcome {
    ref_graph_start *start; /* [starts] in order of cycles */
    long starts;
    long *last;            /* [packets] the cycle in which its last flit is at its host, or -1 */
    int *over;             /* [packets] 1: it goes by way of a drawn node; -1: not decided */
    long asked, turned;    /* par: decisions behind the first switch, and those against straight */
    long delivered, flits; /* packets; flits over links of switches */
    long held;             /* most cycles for which a credit was held back */
    int unfinished;        /* packets were still on their way when the cycles were over */
    int broken;            /* times that an invariant was violated: 0 */
} ref_graph_outcome;

/* Simulates. Clear the outcome afterwards. */
void ref_graph_simulate(const ref_graph_run *run, ref_graph_outcome *o);
void ref_graph_clear(ref_graph_outcome *o);

#endif
