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
    uint32_t place;   /* of that packet in its flow */
} dc_news;

typedef struct dc_sender_rule {
    swq_dc_sender row;
    bool open; /* packets are sent once, whatever becomes of them, and nothing is acknowledged */
    bool told; /* packets carry what they meet at switches: net->own.heard; of rules with a gap */
    bool keeps_window; /* after a timeout the window is what `lost` made of it, not 1 */
    int order[2]
             [2]; /* pairs of parameters of which the first is at most the second; {0, 0}: none */
    size_t state; /* bytes that the rule keeps of a flow: dc_state; 0 at first */
    void (*begins)(dc_net *net, dc_flow *f);
    void (*acked)(dc_net *net, dc_flow *f, const dc_news *news);
    /* Packets were lost: told by repeated acknowledgements, or by a timeout. Sets the threshold;
     * NULL: the window stays. */
    void (*lost)(dc_net *net, dc_flow *f, bool timeout);
    /* The hooks below may be NULL. An acknowledgement has come, whatever it says. */
    void (*heard)(dc_net *net, dc_flow *f, const dc_news *news);
    /* A marked packet has come to the receiver: does its acknowledgement say so? NULL: it does. */
    bool (*echoes)(dc_net *net, dc_flow *f);
    /* A packet begins to be sent; of rules with a gap. */
    void (*sends)(dc_net *net, dc_flow *f, uint32_t bytes);
    /* ps from the beginning of the last packet, of so many bytes, until the next one may begin,
     * as the rule has it now. NULL: it may at once. */
    double (*gap)(const dc_net *net, const dc_flow *f, uint32_t bytes);
} dc_sender_rule;

/* In senders/, a file for each: */
extern const dc_sender_rule dc_open, dc_window, dc_reno, dc_cubic, dc_dctcp,
    dc_delay; /* windows.c */
extern const dc_sender_rule dc_swift, dc_timely, dc_dcqcn, dc_hpcc, dc_powertcp, dc_theta_powertcp;

/* ---- host_send.c ---- */

/* The flow joins those that take turns on its host's line. */
void dc_enter_ring(dc_net *net, dc_flow *flow);
bool dc_may_send(const dc_net *net, const dc_flow *flow);
/* The slot of a flow that is over, once nothing refers to it. */
void dc_give_slot(dc_net *net, dc_flow *flow);
/* A packet of a flow for a host; DC_NONE: no memory. */
uint32_t dc_host_packet(dc_net *net, const dc_flow *flow, uint32_t to, uint32_t bytes);
void dc_set_deadline(dc_net *net, dc_flow *flow);

/* ---- sender_values.c ---- */

/* The rule of each class, all its parameters, and what these rules keep between them: into
 * net->own. Errors: SWQ_EINVAL: a way is too long. */
swq_status dc_senders_make(swq_context *ctx, dc_net *net);

/* ---- pace.c ---- */

/* A packet of a flow begins to be sent; the gap after it may have changed. Only of senders that
 * have gaps. */
void dc_pace_sent(dc_net *net, dc_flow *flow, uint32_t packet);
void dc_pace_look(dc_net *net, dc_flow *flow);
/* An event is due. Returns whether the gap is to be looked at now. */
bool dc_pace_over(dc_net *net, dc_flow *flow);

/* What the rule keeps of a flow, and the value of a parameter. */
static inline void *dc_state(const dc_net *net, const dc_flow *f)
{
    return net->own.state + net->own.state_bytes * (size_t)(f - net->own.flow);
}

static inline double dc_value(const dc_net *net, const dc_flow *f, int parameter)
{
    return net->own.value[f->class][parameter];
}

/* Of the line of a flow's host, bit/s. */
static inline double dc_host_rate(const dc_net *net, const dc_flow *f)
{
    return (double)net->line[net->host_ports + f->from].rate;
}

static inline const dc_sender_rule *dc_sender_of(const dc_net *net, const dc_flow *f)
{
    return net->own.sender[f->class];
}

#endif
