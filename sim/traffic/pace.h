/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How slowly senders change: what a warm-up and a run have to be compared with.
 */
#ifndef SWQ_SIM_TRAFFIC_PACE_H
#define SWQ_SIM_TRAFFIC_PACE_H

#include "switchq/async.h"

/* Mean cycles of the slowest process of the senders, over all groups: the time from the beginning
 * of a burst to the beginning of the next; an interval with a memory, which all intervals have
 * except geometric ones; or a message of several packets. 0: there is no such process, as with a
 * trace. */
double swq_senders_pace(const swq_async *network, uint32_t nodes);

#endif
