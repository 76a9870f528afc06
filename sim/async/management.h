/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Managements of congestion: what a row of their table does, and the notices that elements send
 * one another. A row has queues of its own in every store and may hold them; the general kernel
 * alone asks it. See docs/asynchronous.md, "Managements".
 * Room: sim. Includes base.
 */
#ifndef SWQ_SIM_ASYNC_MANAGEMENT_H
#define SWQ_SIM_ASYNC_MANAGEMENT_H

#include "base/arrays.h"
#include "switchq/async.h"

struct swq_async_net;
struct swq_parcel;

/* A small message to an element. */
typedef struct swq_notice {
    uint32_t element; /* that it is about */
    uint16_t queue;
    uint16_t kind;
    uint32_t word; /* whatever the kind says */
    uint32_t next; /* in its list */
} swq_notice;

/* Kinds. Those from SWQ_NOTICE_OWN on are a row's own. */
enum { SWQ_NOTICE_XOFF, SWQ_NOTICE_XON, SWQ_NOTICE_OWN };

/* Notices on their way: a list for each of the next cycles, in the order in which they were sent.
 */
typedef struct swq_notices {
    swq_notice *store;                  /* [room] */
    uint32_t *first, *last;             /* [slots] of each cycle's list */
    uint32_t room, slots, free, flying; /* slots: a power of two, more than the longest delay */
} swq_notices;

/* What a row does. All but `queues` and `joins` may be NULL. In a cycle a hook may change what its
 * own store does, which is looked at once; whatever concerns another one goes by a notice, so that
 * the order in which units are looked at does not matter. */
typedef struct swq_management_hooks {
    /* Queues of an input store, or of an output store, 1 .. SWQ_MAX_STORE_QUEUES of a network that
     * can be; more: the check refuses it. */
    int (*queues)(const swq_async *spec, const swq_fabric *fabric, bool output);
    /* The queue that a packet of that class, from a node to a node, joins at a store. Asked for the
     * store that the packet comes to, and before that, of a head, for the next one. */
    int (*joins)(const struct swq_async_net *net, uint32_t store, int class, uint32_t from,
                 uint32_t to);
    /* A packet has become the head of a queue. */
    void (*head)(struct swq_async_net *net, uint32_t store, int queue);
    /* A packet begins to leave a queue. */
    void (*passed)(struct swq_async_net *net, uint32_t store, int queue,
                   const struct swq_parcel *parcel);
    /* In this cycle, which is over, packets came to a queue or left it. */
    void (*changed)(struct swq_async_net *net, uint32_t store, int queue);
    /* A notice of its own is due: as a cycle begins. */
    void (*notice)(struct swq_async_net *net, const swq_notice *notice);
    /* The most notices of its own under way at a time, and the longest delay of one. */
    void (*notices)(const struct swq_async_net *net, uint32_t *most, uint32_t *delay);
    /* The store whose packets have to move before a queue that is held can be released (which may
     * be its own); SWQ_NO_WHERE: it will be without that. NULL: so is every queue. */
    uint32_t (*held_by)(const struct swq_async_net *net, uint32_t store, int queue);
} swq_management_hooks;

/* LECN: what a store before a link keeps apart, by outputs of the next switch. */
typedef struct swq_apart {
    uint32_t congested; /* set of those that it has been told of */
    uint32_t set;       /* ... and of those of which packets may still be in the queue apart */
    uint32_t before;    /* packets of the other queue that go before it */
    bool told;          /* it has told others that it is congested itself */
} swq_apart;

/* What a network with a management has beside what it has without. */
typedef struct swq_managed {
    const swq_management_hooks *hooks; /* NULL: there is none */
    uint32_t words;                    /* that a set of a store's queues takes; 0: none */
    uint64_t *full;                    /* [elements * words] sets of the queues with packets */
    uint64_t *held;                    /* ... that send nothing */
    uint64_t *stopped;                 /* ... that are sent nothing: what the feeder knows */
    uint64_t *told;                    /* ... of which it has been told so */
    uint64_t *marked;                  /* ... that have changed in this cycle, ... */
    uint32_t *changed;                 /* [2 * elements][2] and which: store and queue */
    uint32_t changes;
    uint16_t *next_queue; /* [queues of all stores] that the head will join */
    uint16_t *entered;    /* [elements] the queue that the last packet joined */
    int xoff, xon;        /* blocks */
    int detect, below; /* likewise, of a row that tells upstream: congested above, relieved below */
    swq_apart *apart;  /* [stores before links], of such a row */
    uint32_t gap;      /* cycles that a packet takes a channel, at least */
    swq_notices notices;
    uint64_t sent; /* notices */
} swq_managed;

/* Interfaces of nodes, for a management that does not bring stores of its own: what a sender has
 * created waits in queues as a store before a link has them, over one memory. */
typedef struct swq_interface {
    uint32_t link_free; /* the node's link, from this cycle on */
    uint32_t slot_free; /* the slot of the packet that was sent last, likewise */
    uint16_t free_slot; /* a list */
    uint16_t packets;   /* that wait */
    uint16_t before;    /* queues that are passed over at first: the circle goes on behind them */
} swq_interface;

typedef struct swq_interface_queue {
    uint16_t head, tail, packets;
} swq_interface_queue;

typedef struct swq_interfaces {
    int queues, slots;          /* of each; 0: there are none */
    uint32_t words;             /* of a set of queues */
    swq_interface *each;        /* [nodes] */
    swq_interface_queue *queue; /* [nodes * queues] */
    uint64_t *full;             /* [nodes * words] sets of the queues with packets */
    struct swq_parcel *parcel;  /* [nodes * slots]; `ready`: the cycle in which it was taken */
} swq_interfaces;

/* The network has been laid out but for this; of packets of at least so many bytes. */
void swq_managed_lay_out(struct swq_async_net *net, uint32_t shortest);
void swq_managed_list(struct swq_async_net *net, swq_arrays *list);
void swq_notices_begin(struct swq_async_net *net); /* their memory has been taken */

/* Hand out what is due in this cycle, before anything else happens in it; and see to what has
 * changed, after all else. */
void swq_managed_notices(struct swq_async_net *net);
void swq_managed_settle(struct swq_async_net *net);

/* Send a notice that is due `delay` cycles from now, 1 or more. */
void swq_notice_send(struct swq_async_net *net, uint32_t delay, swq_notice notice);
/* Take the next one that is due in this cycle; false: there is none. */
bool swq_notice_take(struct swq_async_net *net, swq_notice *notice);

/* Hold a queue: it sends nothing until it is released. */
void swq_queue_hold(struct swq_async_net *net, uint32_t store, int queue);
void swq_queue_release(struct swq_async_net *net, uint32_t store, int queue);

/* Stop and go for each queue (managements/stop.c): xoff and xon. */
void swq_stop_changed(struct swq_async_net *net, uint32_t store, int queue);
void swq_stop_notice(struct swq_async_net *net, const swq_notice *notice);
void swq_stop_notices(const struct swq_async_net *net, uint32_t *most, uint32_t *delay);

/* A set of a store's queues, in one of the arrays above. */
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
