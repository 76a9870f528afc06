/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Connection matrices of htsim, read as a whole.
 */
#ifndef SWQ_SIM_DATACENTRE_FLOW_HTSIM_H
#define SWQ_SIM_DATACENTRE_FLOW_HTSIM_H

#include "sim/datacentre/flow_list.h"

/* Reads the rest of a file whose first line has been read. Fills in list->sorted and
 * list->expected; the caller frees the first, after errors too. */
swq_status swq_flow_htsim_read(swq_flow_list *list);

#endif
