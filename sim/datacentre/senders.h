/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of senders: how many packets of a flow may be on their way.
 */
#ifndef SWQ_SIM_DATACENTRE_SENDERS_H
#define SWQ_SIM_DATACENTRE_SENDERS_H

#include "sim/datacentre/net.h"

/* What an acknowledgement says. */
typedef struct dc_news {
    uint32_t packets; /* that are acknowledged for the first time, at least 1 */
    bool limited;     /* the window was used up, so that it may grow (RFC 7661) */
    bool marked;      /* the packet that caused it was marked */
    double round;     /* ps: the round trip of that packet */
} dc_news;

typedef struct dc_sender_rule {
    swq_dc_sender row;
    bool open; /* packets are sent once, whatever becomes of them, and nothing is acknowledged */
    void (*begins)(dc_net *net, dc_flow *f);
    void (*acked)(dc_net *net, dc_flow *f, const dc_news *news);
    /* Packets were lost: told by repeated acknowledgements, or by a timeout. Sets the threshold;
     * NULL: the window stays. */
    void (*lost)(dc_net *net, dc_flow *f, bool timeout);
} dc_sender_rule;

/* ---- host_send.c ---- */

/* The flow joins those that take turns on its host's line. */
void dc_enter_ring(dc_net *net, dc_flow *flow);
bool dc_may_send(const dc_net *net, const dc_flow *flow);
/* The slot of a flow that is over, once nothing refers to it. */
void dc_give_slot(dc_net *net, dc_flow *flow);
/* A packet of a flow for a host; DC_NONE: no memory. */
uint32_t dc_host_packet(dc_net *net, const dc_flow *flow, uint32_t to, uint32_t bytes);
void dc_set_deadline(dc_net *net, dc_flow *flow);

static inline const dc_sender_rule *dc_sender_of(const dc_net *net)
{
    return (const dc_sender_rule *)net->spec->network.sender;
}

#endif
