/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Managements of congestion: the hooks of a management, and the notices that elements send one
 * another. A management lays out its own queues in every store and may hold them back; only the
 * general kernel calls its hooks. See docs/asynchronous.md, "Managements".
 */
#ifndef SWQ_SIM_FRAME_MANAGEMENT_H
#define SWQ_SIM_FRAME_MANAGEMENT_H

#include "base/arrays.h"
#include "base/port_set.h"
#include "switchq/async.h"

struct swq_async_net;
struct swq_parcel;

/* A small message to another element. */
typedef struct swq_notice {
    uint32_t element; /* the recipient; the queue that the notice is about */
    uint16_t queue;
    uint16_t kind;
    uint32_t word; /* defined by the kind */
    uint32_t next; /* the next notice of the same list */
} swq_notice;

/* Kinds of notices. Rows define their own from SWQ_NOTICE_OWN on. */
enum { SWQ_NOTICE_XOFF, SWQ_NOTICE_XON, SWQ_NOTICE_OWN };

/* Notices on their way: a list for each of the next cycles, in the order of sending. */
typedef struct swq_notices {
    swq_notice *store;                  /* [room] */
    uint32_t *first, *last;             /* [slots] the list of each cycle */
    uint32_t room, slots, free, flying; /* slots: a power of two, more than the longest delay */
} swq_notices;

/* The hooks of a row. All hooks except `queues` and `joins` may be NULL. Within a cycle a hook may
 * change the state of its own store, with effect at once; it reaches other stores by notices only,
 * so that the order in which units are looked at does not matter. */
typedef struct swq_management_hooks {
    /* The number of queues of an input store, or of an output store, 1 .. SWQ_MAX_STORE_QUEUES; if
     * it is more, the check refuses the network. */
    int (*queues)(const swq_async *spec, const swq_fabric *fabric, bool output);
    /* The queue that a packet of class `class` from node `from` to node `to` joins in a store. The
     * kernel calls the hook when a packet becomes a head, for the next store, and again when the
     * packet comes to that store. */
    int (*joins)(const struct swq_async_net *net, uint32_t store, int class, uint32_t from,
                 uint32_t to);
    /* A packet has become the head of a queue. */
    void (*head)(struct swq_async_net *net, uint32_t store, int queue);
    /* A packet begins to leave a queue. */
    void (*passed)(struct swq_async_net *net, uint32_t store, int queue,
                   const struct swq_parcel *parcel);
    /* In the cycle that has just ended, packets came to a queue or left it. */
    void (*changed)(struct swq_async_net *net, uint32_t store, int queue);
    /* A notice of one of the management's kinds is due, at the beginning of a cycle. */
    void (*notice)(struct swq_async_net *net, const swq_notice *notice);
    /* The most notices of the management that are under way at a time, and their longest delay. */
    void (*notices)(const struct swq_async_net *net, uint32_t *most, uint32_t *delay);
    /* The store, possibly the same one, whose packets have to move before a queue that is held can
     * be released; SWQ_NO_WHERE: it will be released anyway. NULL: every queue will be. */
    uint32_t (*held_by)(const struct swq_async_net *net, uint32_t store, int queue);
} swq_management_hooks;

/* LECN: the packets that a store before a link sets aside, by outputs of the next switch. */
typedef struct swq_apart {
    /* sets of outputs: of those that the element knows to be congested, and of those with packets
     * that may still be in the queue aside */
    swq_port_set congested[SWQ_PORT_SET_WIDE], set[SWQ_PORT_SET_WIDE];
    uint32_t before; /* packets of the plain queue that go before the queue aside */
    bool told;       /* the element has sent notices that it is congested */
} swq_apart;

/* The additional state of a network with a management. */
typedef struct swq_managed {
    const swq_management_hooks *hooks; /* NULL: there is no management */
    uint32_t words;                    /* of a set of a store's queues; 0: there are no sets */
    uint64_t *full;                    /* [elements * words] sets of the queues: with packets */
    uint64_t *held;                    /* ... that send nothing */
    uint64_t *stopped;                 /* ... queues to which nothing is sent, as the feeder
                                          knows */
    uint64_t *told;                    /* ... which the store has told the feeder to stop */
    uint64_t *marked;                  /* ... that have changed in this cycle */
    uint32_t *changed;                 /* [2 * elements][2] these, as store and queue */
    uint32_t changes;
    uint16_t *next_queue; /* [queues of all stores] the queue that the head will join */
    uint16_t *entered;    /* [elements] the queue that the last packet joined */
    int xoff, xon;        /* blocks */
    int detect, below;    /* thresholds in blocks of a management that notifies stores upstream:
                             congested above, relieved below */
    swq_apart *apart;     /* [stores before links], for such a row */
    uint32_t gap;         /* the fewest cycles that a packet takes a channel */
    swq_notices notices;
    uint64_t sent; /* notices sent */
} swq_managed;

/* Interfaces of nodes, for a management without stores of its own: a sender's packets wait in one
 * shared memory, in the same queues as in a store before a link. */
typedef struct swq_interface {
    uint32_t link_free; /* the cycle from which the node's link is free */
    uint32_t slot_free; /* ... from which the slot of the last packet sent is */
    uint16_t free_slot; /* the list of free slots */
    uint16_t packets;   /* packets waiting */
    uint16_t before;    /* in the circle of queues, the first one to be tried comes after these */
} swq_interface;

typedef struct swq_interface_queue {
    uint16_t head, tail, packets;
} swq_interface_queue;

typedef struct swq_interfaces {
    int queues, slots;          /* of each interface; 0: there are none */
    uint32_t words;             /* of a set of queues */
    swq_interface *each;        /* [nodes] */
    swq_interface_queue *queue; /* [nodes * queues] */
    uint64_t *full;             /* [nodes * words] sets of the queues with packets */
    /* [nodes * slots]; `ready` is the cycle in which the packet was taken */
    struct swq_parcel *parcel;
} swq_interfaces;

/* Lays out the arrays of managements in a network whose other arrays are laid out. shortest: bytes
 * of the shortest packet. */
void swq_managed_lay_out(struct swq_async_net *net, uint32_t shortest);
void swq_managed_list(struct swq_async_net *net, swq_arrays *list);
void swq_notices_begin(struct swq_async_net *net); /* once their memory has been taken */

/* Delivers the notices that are due in this cycle, before all other events of the cycle. The next
 * function handles changed queues, after all other events. */
void swq_managed_notices(struct swq_async_net *net);
void swq_managed_settle(struct swq_async_net *net);

/* Sends a notice that is due `delay` cycles from now, at least 1. */
void swq_notice_send(struct swq_async_net *net, uint32_t delay, swq_notice notice);
/* Takes the next notice that is due in this cycle; false: there is none. */
bool swq_notice_take(struct swq_async_net *net, swq_notice *notice);

/* Holds a queue, which then sends nothing until it is released. The release has the queue's store
 * looked at in the cycle `wake`, which is not over yet. */
void swq_queue_hold(struct swq_async_net *net, uint32_t store, int queue);
void swq_queue_release(struct swq_async_net *net, uint32_t store, int queue, uint32_t wake);

/* Stop and go for each queue (managements/stop.c): xoff and xon. */
void swq_stop_changed(struct swq_async_net *net, uint32_t store, int queue);
void swq_stop_notice(struct swq_async_net *net, const swq_notice *notice);
void swq_stop_notices(const struct swq_async_net *net, uint32_t *most, uint32_t *delay);

/* Is a queue in a set of a store's queues, one of the arrays above? */
static inline bool swq_in_set(const swq_managed *m, const uint64_t *sets, uint32_t store, int queue)
{
    const uint64_t word = sets[(size_t)store * m->words + (uint32_t)queue / 64];
    return word >> (queue & 63) & 1;
}

static inline void swq_put_in_set(const swq_managed *m, uint64_t *sets, uint32_t store, int queue)
{
    sets[(size_t)store * m->words + (uint32_t)queue / 64] |= UINT64_C(1) << (queue & 63);
}

static inline void swq_take_from_set(const swq_managed *m, uint64_t *sets, uint32_t store,
                                     int queue)
{
    sets[(size_t)store * m->words + (uint32_t)queue / 64] &= ~(UINT64_C(1) << (queue & 63));
}

#endif
