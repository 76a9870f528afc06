/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the model of asynchronous tori and meshes is made of: what lengths do to waits, what flows
 * between the ports of every kind of node, and how long packets wait in a switch.
 * Room: approx.
 */
#ifndef SWQ_APPROX_TORUS_H
#define SWQ_APPROX_TORUS_H

#include "switchq/approx_torus.h"

/* Ports of a switch: two a dimension (up, down) and, last, the host's. */
enum { TORUS_PORTS = 2 * SWQ_MAX_DIMS + 1 };

/* ---- lengths ---- */

/* S: the cycles that a link is taken by a packet, its rest included. A packet that finds another
 * one on the link waits for the rest of it, w, which is distributed as the residual of S. */
typedef struct torus_lengths {
    double bytes;    /* of a packet, mean */
    double blocks;   /* that it takes */
    double time;     /* E S */
    double residual; /* E w = E S^2 / 2 E S */
    double late;     /* E w^2 / 2 E w */
    double overlap;  /* E min(w, S) / E w: of a delay w, what keeps the packet behind it waiting,
                        which passes it if it can be sent in the meantime */
    double gap;      /* E[integral of min(z, S), z to w] / E w, cycles: the same for a packet that
                        follows at a distance, per packet and cycle of the distances' density */
    double both;     /* E min(w, w') / E w: of a wait, what another one covers */
    /* of messages, which are split into packets */
    double trains;        /* E M^2 / 2 E M, M the cycles that a message takes a link */
    double packets;       /* of one */
    double message_bytes; /* of one */
    double message_time, message_square; /* mean cycles on the link, and of their square */
} torus_lengths;

/* Errors: SWQ_ENOMEM; SWQ_ELIMIT for means of geometric lengths beyond 2^16. */
swq_status torus_lengths_of(swq_context *ctx, const swq_async *network, torus_lengths *lengths);

/* ---- flows ---- */

/* Nodes that differ only in the coordinate in a dimension are of as many kinds: even and odd in an
 * even ring (of which halfway packets go up and down), by place in a mesh, both halves of an even
 * row being alike. There are equally many of each. */
typedef struct torus_dim {
    int extent, kinds;
    double *through[2]; /* [kinds] pairs of coordinates whose way goes on at it, up and down */
    double *arrive[2];  /* [kinds] whose way ends there */
    double *leave[2];   /* [kinds] whose way begins there */
} torus_dim;

typedef struct torus_net {
    int dims, ports;
    bool torus, one_way;
    double nodes;
    uint64_t kinds; /* of nodes, over all dimensions */
    torus_dim dim[SWQ_MAX_DIMS];
    double *store;
} torus_net;

/* A node's kind: in every dimension, and the nodes of it. */
typedef struct torus_kind {
    int kind[SWQ_MAX_DIMS];
    double weight;
} torus_kind;

/* Packets from input to output port per packet that a node sends. */
typedef struct torus_flows {
    double flow[TORUS_PORTS][TORUS_PORTS];
    double in[TORUS_PORTS], out[TORUS_PORTS];
} torus_flows;

/* Free with torus_net_clear. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status torus_net_make(swq_context *ctx, const swq_shape *shape, torus_net *net);
void torus_net_clear(swq_context *ctx, torus_net *net);

torus_kind torus_kind_of(const torus_net *net, uint64_t number);

/* Of a node of that kind, under uniform traffic. */
void torus_flows_of(const torus_net *net, const torus_kind *kind, torus_flows *flows);

/* Kind number and port at the far end of the link from output `port` of a node of that kind; the
 * port is the same up to the mirror that maps a mesh's far half to its near one. */
uint64_t torus_next(const torus_net *net, const torus_kind *kind, int port, int *next_port);

/* ---- waits ---- */

/* How an input port is read. */
typedef enum torus_reading {
    TORUS_EACH_QUEUE, /* SAFC, DAFC: what goes to different outputs does not meet */
    TORUS_ONE_QUEUE,  /* FIFO: the head keeps all behind it waiting */
    TORUS_ONE_READER  /* SAMQ, DAMQ: one at a time, whichever can be sent */
} torus_reading;

/* What the switches of a kind of node are asked. */
typedef struct torus_demand {
    const torus_lengths *lengths;
    const torus_flows *flows;
    int ports;
    double rate;              /* packets per cycle and node */
    bool steady;              /* hold: a sender's packets are never back to back */
    double even[TORUS_PORTS]; /* of an input: by how much it is more even than an open sender's
                                 packets, which come at random */
    torus_reading reading;
    double closed[TORUS_PORTS]; /* fraction of the time that an output's next buffer is closed */
} torus_demand;

/* wait: [in][out] mean cycles from the header's being ready to the begin of the transmission;
 * INFINITY where the demand cannot be met. */
void torus_waits_of(const torus_demand *demand, double wait[TORUS_PORTS][TORUS_PORTS]);

/* How even the packets of an output are, from its inputs', on the same scale. */
double torus_evenness(const torus_flows *flows, int ports, const double *even, int out);

#endif
