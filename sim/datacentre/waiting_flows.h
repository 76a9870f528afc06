/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows of a list that wait until another one is complete.
 */
#ifndef SWQ_SIM_DATACENTRE_WAITING_FLOWS_H
#define SWQ_SIM_DATACENTRE_WAITING_FLOWS_H

#include "sim/datacentre/flow_list.h"

#include <stdbool.h>
#include <stdint.h>

/* A flow that waits, or whose event is due. */
typedef struct dc_waiting_flow {
    swq_listed_flow flow;
    uint64_t number; /* of it in the list, from 1 */
    uint32_t next;   /* of those that wait for the same flow, or free; DC_NO_FLOW: none */
} dc_waiting_flow;

/* Places of events of kind DC_FLOW from here on are slots of flows that have waited. */
enum { DC_WAITED = 3, DC_MOST_WAITING = 1 << 26 };

#define DC_NO_FLOW   UINT32_MAX
#define DC_FLOW_DONE (UINT32_MAX - 1)

/* Zeroed: none wait. */
typedef struct dc_waiting {
    dc_waiting_flow *slot;
    uint32_t room, free, slots; /* slots: used so far; `free` is valid up to there */
    bool some_free;
    uint32_t *first; /* [numbers] by the number of a flow of the list, from 0: the first slot that
                        waits for it, DC_NO_FLOW, or DC_FLOW_DONE */
    uint64_t numbers, numbers_room;
} dc_waiting;

/* Notes that flow `number`, the next one of the list, has been read. False: there is no memory. */
bool dc_waiting_number(swq_context *ctx, dc_waiting *w, uint64_t number);

/* Keeps a flow that waits for flow.after. *slot: its place. *due: the other one is complete
 * already. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status dc_waiting_add(swq_context *ctx, dc_waiting *w, const swq_listed_flow *flow,
                          uint64_t number, uint32_t *slot, bool *due);

/* Flow `number` is complete: returns the first slot that waited for it, linked by next, or
 * DC_NO_FLOW. */
uint32_t dc_waiting_done(dc_waiting *w, uint64_t number);

/* Gives the flow of a slot, which becomes free. */
dc_waiting_flow dc_waiting_take(dc_waiting *w, uint32_t slot);

void dc_waiting_free(swq_context *ctx, dc_waiting *w);

#endif
