/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of a network's cycle, one event at a time. The rules inside a switch are in
 * models/cycle.h; this file moves packets from one switch to the next.
 */
#ifndef SWQ_NETS_STEP_H
#define SWQ_NETS_STEP_H

#include "nets/plan.h"
#include "switchq/dice.h"

/* Counts of an event: the first two for a reception, the others for a transmission. */
typedef enum swq_netcount {
    SWQ_NETCOUNT_ACCEPTED, /* packets that the first stage accepts */
    SWQ_NETCOUNT_REFUSED,  /* packets that the first stage refuses */
    SWQ_NETCOUNT_SENT = 0, /* packets that leave the stage */
    SWQ_NETCOUNT_LOST,     /* of these, packets for which the next stage has no room */
    SWQ_NETCOUNT_BUSY,     /* buffers (a pool's queues) that hold packets */
    SWQ_NETCOUNT_STUCK,    /* of these, buffers that send no packet */
    SWQ_NETCOUNTS
} swq_netcount;

/* Let an event happen to a node; adds to count[SWQ_NETCOUNTS]. */
void swq_netstep(const swq_netplan *plan, const swq_netevent *event, swq_word *words,
                 swq_dice *dice, int *count);

#endif
