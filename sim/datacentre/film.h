/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What queues hold, moment by moment: for pages that show a run.
 */
#ifndef SWQ_SIM_DATACENTRE_FILM_H
#define SWQ_SIM_DATACENTRE_FILM_H

#include "sim/datacentre/net.h"

/* Takes the arrays of a film, of a network whose measured time begins. Errors: SWQ_ENOMEM,
 * SWQ_ELIMIT. */
swq_status dc_film_begin(swq_context *ctx, swq_dc_film *film, const dc_net *net);

/* Runs a network up to a time in its measured time, and records the frames that end by then. */
swq_status dc_film_run(swq_dc_film *film, dc_net *net, uint64_t duration, uint64_t end);

#endif
