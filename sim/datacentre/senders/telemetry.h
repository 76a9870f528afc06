/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What senders with windows in bytes share that compare what packets of a flow have met at
 * switches, or their round trips: the window of a line in the longest round trip, and its pace.
 */
#ifndef SWQ_SIM_DATACENTRE_SENDERS_TELEMETRY_H
#define SWQ_SIM_DATACENTRE_SENDERS_TELEMETRY_H

#include "sim/datacentre/senders.h"

/* Bytes of the line of a flow's host in `round` ps. */
static inline double dc_line_window(const dc_net *net, const dc_flow *f, double round)
{
    return dc_host_rate(net, f) / 8e12 * round;
}

static inline void dc_set_window(const dc_net *net, dc_flow *f, double bytes)
{
    f->window = bytes / net->spec->size_bytes[0];
}

/* The window in one round trip. */
static inline double dc_window_gap(const dc_net *net, const dc_flow *f, uint32_t bytes,
                                   double round)
{
    return round * bytes / (f->window * net->spec->size_bytes[0]);
}

/* Bytes a ps that a port has sent between two packets; 0: not in this order. */
static inline double dc_sent_rate(const dc_hop *before, const dc_hop *now)
{
    return now->time > before->time
               ? (double)(now->sent - before->sent) / (double)(now->time - before->time)
               : 0;
}

/* A mean over `round` ps, in which a value has been seen for `time`. */
static inline double dc_smooth(double mean, double value, double time, double round)
{
    const double share = time < round ? time / round : 1;

    return mean * (1 - share) + value * share;
}

#endif
