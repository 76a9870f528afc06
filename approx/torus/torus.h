/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the model of asynchronous tori and meshes: the effect of lengths on waits, the flows
 * between the ports of every kind of node, and the waits in a switch.
 */
#ifndef SWQ_APPROX_TORUS_H
#define SWQ_APPROX_TORUS_H

#include "switchq/approx_torus.h"

/* Ports of a switch: two per dimension (up, down) and, last, the host's. */
enum { TORUS_PORTS = 2 * SWQ_MAX_DIMS + 1 };

/* ---- lengths ---- */

/* S: the cycles for which a packet occupies a link, including the link's rest. A packet that finds
 * another one on the link waits for w, which is distributed as the residual of S. */
typedef struct torus_lengths {
    double bytes;    /* mean bytes of a packet */
    double blocks;   /* mean blocks of a packet */
    double time;     /* E S */
    double residual; /* E w = E S^2 / 2 E S */
    double late;     /* E w^2 / 2 E w */
    double overlap;  /* E min(w, S) / E w: the part of a delay w that keeps the packet behind
                        waiting; the packet behind passes if it can be sent in the meantime */
    double gap;  /* E[integral of min(z, S), z to w] / E w, in cycles: the same for a packet that
                    follows at a distance, per unit of the density of distances */
    double both; /* E min(w, w') / E w: the part of a wait w that another wait w' covers */
    /* of messages, which are split into packets */
    double trains;  /* E M^2 / 2 E M, where M are the cycles for which a message occupies a link */
    double packets; /* mean packets of a message */
    double message_bytes;                /* mean bytes of a message */
    double message_time, message_square; /* mean cycles on the link, and mean of their square */
} torus_lengths;

/* Errors: SWQ_ENOMEM; SWQ_ELIMIT for means of geometric lengths beyond 2^16. */
swq_status torus_lengths_of(swq_context *ctx, const swq_async *network, torus_lengths *lengths);

/* ---- flows ---- */

/* Kinds of nodes by their coordinate in a dimension: even and odd in an even ring (whose packets to
 * the opposite node go up and down), by place in a mesh, where both halves of an even row are
 * alike. All kinds have the same number of nodes. */
typedef struct torus_dim {
    int extent, kinds;
    double *through[2]; /* [kinds] pairs of coordinates whose route passes through, up and down */
    double *arrive[2];  /* [kinds] pairs whose route ends there */
    double *leave[2];   /* [kinds] pairs whose route begins there */
} torus_dim;

typedef struct torus_net {
    int dims, ports;
    bool torus, one_way;
    double nodes;
    uint64_t kinds; /* of nodes: the product over all dimensions */
    torus_dim dim[SWQ_MAX_DIMS];
    double *store;
} torus_net;

/* A node's kind in every dimension, and the number of its nodes. */
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

/* The flows of a node of this kind under uniform traffic. */
void torus_flows_of(const torus_net *net, const torus_kind *kind, torus_flows *flows);

/* Kind number and port at the far end of the link from output `port` of a node of this kind; the
 * port is the same except where the far half of a mesh is mirrored to the near half. */
uint64_t torus_next(const torus_net *net, const torus_kind *kind, int port, int *next_port);

/* ---- waits ---- */

/* How an input port is read. */
typedef enum torus_reading {
    TORUS_EACH_QUEUE, /* SAFC, DAFC: packets for different outputs do not meet */
    TORUS_ONE_QUEUE,  /* FIFO: the head keeps all packets behind it waiting */
    TORUS_ONE_READER  /* SAMQ, DAMQ: one packet at a time, any that can be sent */
} torus_reading;

/* The demand on the switches of a kind of node. */
typedef struct torus_demand {
    const torus_lengths *lengths;
    const torus_flows *flows;
    int ports;
    double rate;              /* packets per cycle and node */
    bool steady;              /* sources hold: a sender's packets never follow without a gap */
    double even[TORUS_PORTS]; /* by input: how much more evenly its packets come than those of an
                                 open sender, which come at random */
    torus_reading reading;
    double closed[TORUS_PORTS]; /* fraction of the time that an output's next buffer is closed */
} torus_demand;

/* wait: [in][out] mean cycles from when the header is ready to the beginning of the transmission;
 * INFINITY if the demand cannot be met. */
void torus_waits_of(const torus_demand *demand, double wait[TORUS_PORTS][TORUS_PORTS]);

/* The evenness of an output's packets, from that of its inputs, on the same scale. */
double torus_evenness(const torus_flows *flows, int ports, const double *even, int out);

#endif
