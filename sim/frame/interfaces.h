/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interfaces of nodes: packets that open sources create while an interface is full are lost, or
 * wait. Managements with set-aside queues have interfaces in stores of their own. The interfaces of
 * all other managements are here, with the same queues as the management's stores before links
 * (swq_node_interfaces.present).
 */
#ifndef SWQ_SIM_FRAME_INTERFACES_H
#define SWQ_SIM_FRAME_INTERFACES_H

#include "sim/frame/net.h"
#include "sim/frame/schemes.h"

/* Does a sender create packets whether or not its interface takes the earlier packets? */
static inline bool swq_interface_open_loop(const swq_async_net *net, uint32_t sender)
{
    return net->spec->traffic.trace ||
           net->spec->traffic.group[net->sender[sender].group].kind == SWQ_SOURCE_OPEN;
}

/* Does the interface of a sender lose packets that find no room? */
static inline bool swq_interface_loses(const swq_async_net *net, uint32_t sender)
{
    return swq_interface_open_loop(net, sender) && !net->spec->interface.queued;
}

/* Discards a packet for which there was no room. */
static inline void swq_interface_drop(swq_async_net *net, const swq_parcel *p)
{
    swq_probe_refused(&net->system, p->group, p->to);
    swq_probe_departs(&net->system, 1);
    swq_probe_lost(&net->system, net->cycle - p->birth, p->bytes);
}

/* A packet is in an interface of a management's own stores: for a scheme that holds senders back,
 * it has been sent. */
static inline void swq_interface_took(swq_async_net *net, uint32_t sender, const swq_parcel *p)
{
    if (net->scheme)
        swq_scheme_sent(net, sender, p->to, p->bytes);
}

/* A packet has been taken or lost: its sender can hand over the next one. */
static inline void swq_interface_handed(swq_async_net *net, uint32_t sender, uint32_t bytes)
{
    const bool open = swq_interface_open_loop(net, sender);

    swq_sender_handed(net, sender, net->cycle + (open ? 1 : bytes + net->link_rest));
}

/* The packet that a node sends over its link, as reported to watchers. */
static inline swq_start swq_interface_start(const swq_async_net *net, const swq_parcel *p)
{
    return (swq_start){.cycle = net->cycle,
                       .from = p->from,
                       .to = p->to,
                       .birth = p->birth,
                       .bytes = p->bytes,
                       .switch_ = SWQ_NO_WHERE,
                       .packet_class = p->packet_class};
}

/* Errors: SWQ_EINVAL for options that nodes with interfaces do not support. */
swq_status swq_interfaces_check(swq_context *ctx, const swq_async *n);

void swq_interfaces_lay_out(swq_async_net *net);
void swq_interfaces_list(swq_async_net *net, swq_arrays *list);
void swq_interfaces_empty(swq_async_net *net);

/* Does a node's interface have room for a packet? And: it takes one, for which there is room. */
bool swq_interface_has_room(const swq_async_net *net, uint32_t node);
void swq_interface_take(swq_async_net *net, uint32_t node, const swq_parcel *parcel);

/* The turn of an interface, which sends the packets that its link and the switch can take. */
void swq_interface_turn(swq_async_net *net, uint32_t node);

/* Adds the packets that wait in interfaces, and their ages and bytes, to the sums. */
void swq_interfaces_audit(const swq_async_net *net, uint64_t *packets, uint64_t *age,
                          uint64_t *bytes);

#endif
