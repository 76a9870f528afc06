/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may wait for what in a fabric: the graph of dependencies between the queues of input ports
 * (or between lanes), made from the fabric's links and routes, and whether packets may wait in a
 * circle (Dally and Seitz, 1987). How a switch keeps packets, its architecture says: which queues a
 * packet may join, whether there is a store before each link, and how many queues it takes to close
 * a buffer that they share.
 */
#ifndef SWQ_SIM_DEPENDENCIES_WAITS_H
#define SWQ_SIM_DEPENDENCIES_WAITS_H

#include "switchq/fabric.h"

enum {
    SWQ_MOST_WAIT_QUEUES = 32,
    SWQ_NEVER_CLOSED = SWQ_MOST_WAIT_QUEUES + 1, /* each queue has room of its own */
    SWQ_MOST_WAIT_STEPS = 1 << 24 /* of ways, up to which a network is walked: half a second */
};

enum { SWQ_MOST_NAMED_WAITS = 6 };

/* Queues of input ports (lanes) that wait for one another in a circle: so many in all, of which the
 * first are named. 0: none, or none that can be named, as buffers before links are in it. */
typedef struct swq_waits_circle {
    uint32_t length, port[SWQ_MOST_NAMED_WAITS];
    uint8_t queue[SWQ_MOST_NAMED_WAITS];
} swq_waits_circle;

typedef struct swq_waits_plan {
    const swq_fabric *fabric; /* laid out */
    int queues;               /* of an input port, 1 .. SWQ_MOST_WAIT_QUEUES */
    int closing;              /* so many queues with packets can close a buffer to its other queues:
                                 1 .. queues, or SWQ_NEVER_CLOSED */
    bool output_stores;       /* packets pass a store of one queue before each link */
    bool by_escapes;          /* a packet always may wait for the escape queue of its deterministic
                                 output: only the waits of these count */
    bool by_another;          /* packets go by way of another node */
    bool kept;                /* packets in escape queues stay in them */
    /* The set of the queues, one of which a packet joins at an input port to which its next link
     * leads; and what is handed to it. */
    uint32_t (*joins)(const void *arg, uint32_t port, const swq_packet_state *packet);
    const void *arg;
    swq_waits_circle *named; /* where a circle is named, if there is one; or NULL */
} swq_waits_plan;

/* May packets wait in a circle? All ways of all pairs are walked: O(nodes^2 * hops) time,
 * O(ports * queues * outputs) memory, and for escape queues O(ports^2) bits. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status swq_waits_in_a_circle(swq_context *ctx, const swq_waits_plan *plan, bool *circle);

/* May packets in escape queues wait in a circle? In this graph an edge leads from an escape queue
 * to each escape queue that a packet in the former may wait for later, also after hops through
 * other queues, unless it is kept in escape queues (Duato, 1993). Time, memory and errors as for
 * swq_waits_in_a_circle. */
swq_status swq_escapes_in_a_circle(swq_context *ctx, const swq_waits_plan *plan, bool *circle);

/* The number of steps that walking all routes of a network takes. by_another: packets may go by way
 * of another place, so that the ways through all such places are walked. */
double swq_waits_steps(const swq_fabric *counted, bool by_another);

/* Lays out the network that is walked for a shape: a smaller one of its kind with the same circles,
 * or, for rows without one, and if `whole`, the network itself. *fabric is left alone, and false
 * returned, if walking it would take too long, or memory is missing: then nothing rules out a
 * circle. Free it with swq_fabric_clear. */
bool swq_waits_stand_in(swq_context *ctx, const swq_shape *shape, bool whole, swq_fabric *fabric);

/* May packets wait in a circle where each input port has one queue, or queues that can close each
 * other's memory? Without such a circle no buffer ever deadlocks. True if that is unknown. */
bool swq_shape_has_circle(const swq_shape *shape);

/* What architectures without a remedy refuse: a shape with such a circle, and every torus, so that
 * the answer does not depend on the length of its rings. */
static inline bool swq_shape_has_rings(const swq_shape *shape)
{
    return shape->kind->rings || swq_shape_has_circle(shape);
}

#endif
