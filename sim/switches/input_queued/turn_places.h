/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a unit, an input and a queue are in the arrays. Part of the text of a kernel (turn.h).
 */
#include "base/fetch.h"
#include "sim/flows/virtual_clock.h"
#include "sim/frame/acks.h"
#include "sim/frame/shares.h"
#include "sim/frame/timings.h"
#include "sim/frame/turn_packets.h"

#include <string.h>

#include "sim/frame/turn_sets.h"

/* The first element of a unit, and how many it has. */
static inline uint32_t base_of(const swq_async_net *net, uint32_t unit)
{
    if (SWQ_OUTPUT_STORES && unit >= net->crossbars)
        return net->inputs + (unit - net->crossbars);
    return unit * (uint32_t)net->ports;
}

/* The unit whose first element is `base`. */
static inline uint32_t unit_at(const swq_async_net *net, uint32_t base)
{
    if (behind(net, base))
        return net->crossbars + (base - net->inputs);
    return base / (uint32_t)net->ports;
}

/* The first element of an element's unit. */
static inline uint32_t base_at(const swq_async_net *net, uint32_t port)
{
    return port - net->port[port].place;
}

/* Does the store `port` belong to another share? */
static inline bool abroad(const swq_async_net *net, uint32_t port)
{
    return SWQ_SHARED && !behind(net, port) && swq_is_abroad(&net->share, port);
}

/* A store as its feeder knows it. */
static inline swq_port *port_at(const swq_async_net *net, uint32_t port)
{
    return abroad(net, port) ? swq_border_port(net->share.border, port) : &net->port[port];
}

static inline swq_queue *queues_at(const swq_async_net *net, uint32_t port)
{
    if (abroad(net, port))
        return swq_border_queues(net->share.border, port);
    if (behind(net, port))
        return net->queue + (size_t)net->inputs * (uint32_t)net->queues +
               (size_t)(port - net->inputs) * (SWQ_GENERAL ? (uint32_t)net->output_queues : 1);
    return net->queue + (size_t)port * (uint32_t)net->queues;
}

static inline swq_parcel *parcels_of(const swq_async_net *net, uint32_t port)
{
    if (behind(net, port))
        return net->parcel + (size_t)net->inputs * (uint32_t)net->slots +
               (size_t)(port - net->inputs) * (uint32_t)net->output_slots;
    return net->parcel + (size_t)port * (uint32_t)net->slots;
}

/* The queue of a class; with a management `class` is a queue already. */
static inline int queue_number(const swq_async_net *net, uint32_t port, int class)
{
    if (SWQ_GENERAL && net->managed.hooks)
        return class;
    return behind(net, port) ? 0
           : SWQ_GENERAL     ? swq_queue_of(net, class)
                             : swq_queue_for(net, class);
}

static inline const swq_admission *admission_of(const swq_async_net *net, uint32_t port)
{
    if (SWQ_GENERAL && net->port[port].in_level == net->last_level)
        return &net->admission[2];
    return &net->admission[behind(net, port)];
}

/* The channel of an element: a link, or an output of a crossbar before output stores. */
static inline const swq_timing *channel_of(const swq_async_net *net, uint32_t out)
{
    if (SWQ_UNLIKE && (!net->output_stores || behind(net, out)))
        return &net->link_timing[behind(net, out) ? out - net->inputs : out];
    return &net->timing[behind(net, out)];
}

/* Is the channel a link with a timing of its own? */
static inline bool is_link(const swq_async_net *net, const swq_timing *channel)
{
    return channel != &net->timing[0] && channel != &net->timing[1];
}

static inline bool reads_each_queue(const swq_async_net *net, uint32_t port)
{
    return SWQ_READ_PORTS && net->each_queue && !behind(net, port);
}

/* Bytes of the packet that the reader of queue q has read last, if its blocks are freed evenly;
 * else 0. */
static inline uint32_t left_evenly(const swq_async_net *net, uint32_t port, int q)
{
    return SWQ_UNLIKE ? *swq_left_bytes(net, port, q) : 0;
}

/* Blocks that a departing packet, read from queue q, still holds. With output stores, a packet
 * whose tail was late counts as if it had begun later. */
static inline uint32_t left_of(const swq_async_net *net, uint32_t port, int q, const swq_leaving *l)
{
    if (SWQ_OUTPUT_STORES && (int32_t)(net->cycle - l->cycle) < 0)
        return l->blocks;
    if (left_evenly(net, port, q))
        return swq_left_evenly(l, net->cycle, left_evenly(net, port, q), net->block);
    return swq_left(l, net->cycle, net->step[behind(net, port)]);
}

#include "sim/switches/input_queued/turn_queues.h"
