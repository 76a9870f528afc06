/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How busy traffic keeps links, by the one way of each packet, or by all of them that may be drawn.
 */
#ifndef SWQ_SIM_CEILING_WAYS_H
#define SWQ_SIM_CEILING_WAYS_H

#include "sim/ceiling/demand.h"

/* load: [switches * ports], receives the cycles for which each output is busy, per byte that each
 * node sends; by_another: packets go by way of a place that is drawn for each. Errors: SWQ_EINVAL
 * if the links lead packets astray; SWQ_ENOMEM, SWQ_ELIMIT, SWQ_ECANCELLED. */
swq_status swq_ways_load(swq_context *ctx, const swq_demand *demand, bool by_another, double *load);

/* Steps that this takes, roughly. */
double swq_ways_steps(const swq_fabric *fabric, bool by_another);

#endif
