/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of ref_flits.h share: the network, which carries flits from switch to switch and
 * says where packets may go, and the switch, of which there are three.
 */
#ifndef REF_FLITS_PART_H
#define REF_FLITS_PART_H

#include "networks.h"
#include "ref_flits.h"

#include <stddef.h>

typedef struct ref_flit {
    int packet; /* < 0: there is none */
    int index;  /* in the packet */
    int hop;    /* of the packet's trip */
} ref_flit;

#define REF_NO_FLIT ((ref_flit){-1, 0, 0})

typedef struct ref_net ref_net;

/* Inputs and outputs are numbered switch * ports + port; x is a port of a switch by which a packet
 * leaves it, or -1 if it is not known yet. */
typedef struct ref_machine {
    int by_flit;  /* `room` and `promise` are of a flit; else of a packet */
    size_t bytes; /* of a switch */
    void (*set_up)(ref_net *t, void *self);
    void (*clear)(ref_net *t, void *self);
    int (*room)(ref_net *t, int input, int packet, int x);
    void (*promise)(ref_net *t, int input, int packet, int x); /* it has been sent off */
    void (*decide)(ref_net *t, int place); /* decides what to send, from the state of this cycle */
    void (*move)(ref_net *t, int place);   /* everything else, into the state of the next cycle */
    void (*sample)(ref_net *t, int place, ref_flit_sample *sum); /* also checks */
} ref_machine;

struct ref_net {
    const ref_flits *n;
    const ref_machine *machine;
    ref_flit_trip *trip;
    ref_flits_outcome *o;
    long now;
    ref_plan *tree;
    int nodes, ports, switches;
    int look_ahead; /* the output of the next switch is chosen before a packet is sent there */
    char *self;     /* [switches] of machine->bytes each */
    int *next;      /* [outputs + nodes] the input that it feeds; a node: -1 - node; none: below */
    ref_flit *wire; /* [outputs + nodes] of 8: by the cycle that a flit is on it */
    ref_flit *ir;   /* [inputs] */
    int *whole, *present; /* [inputs * ports] flits for each output: enum REF_COUNT_... */
    unsigned long long random;
};

#define REF_DEAD_END (-1 - (1 << 20))

void *ref_net_switch(ref_net *t, int place);
int ref_net_flits(const ref_net *t, int packet);
ref_flit_hop *ref_net_hop(ref_net *t, ref_flit f);

/* The ports by which a packet may leave a switch; how many. */
int ref_net_ways(const ref_net *t, int place, int packet, int *x);

/* May the packet, or a flit of it, be sent to this output? */
int ref_net_may_begin(ref_net *t, int output, int packet);
/* It will be on the link in the next cycle. `hop` is that of the output. */
void ref_net_begin(ref_net *t, int output, int packet, int hop);
/* A packet's output at the switch of this input has been chosen. */
void ref_net_bind(ref_net *t, int input, int packet, int hop, int x);
/* A flit is on the link in the next cycle. */
void ref_net_send(ref_net *t, int output, ref_flit f);
void ref_net_expect(ref_net *t, int holds);

extern const ref_machine ref_machine_pipeline; /* hipiqs, crosspoint */
extern const ref_machine ref_machine_queues;   /* pairs, one FIFO, multi, prizma */
extern const ref_machine ref_machine_central;

#endif
