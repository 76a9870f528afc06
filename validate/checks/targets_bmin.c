/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of document 003 (Sivaram, Stunkel and Panda 1997, HIPIQS) that are in none of its
 * figures: its parameters.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <math.h>

#define UNUSED (void)effort, (void)seed

enum { PORTS = 8 /* of a switch: four up, four down */ };

/* 5 KB in a switch with 8 ports and flits of 2 bytes are 320 flits per port, the smallest buffer in
 * the figures. */
swq_status printed_bmin_buffer(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    swq_figure_kind *kind;
    double least = INFINITY;

    UNUSED;
    swq_status status = swq_figure_open(ctx, "003.7", false, &kind);
    if (status)
        return status;
    for (int k = 0; k < kind->plan->lines * (kind->plan->xs + 1); k++)
        least = fmin(least, kind->plan->there[k] ? kind->plan->setting[k].memory : INFINITY);
    swq_figure_close(ctx, kind);
    swq_finding_near(f, least, 5 * 1024.0 / PORTS / 2, 0);
    return SWQ_OK;
}

/* The figures run a million cycles by default, measured after 350,000. */
swq_status printed_bmin_cycles(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    const double cycles = (double)swq_figure_defaults(false).cycles;
    swq_figure_kind *kind;

    UNUSED;
    swq_status status = swq_figure_open(ctx, "003.7", false, &kind);
    if (status)
        return status;
    const figure_lengths run = kind->plan->run;
    swq_figure_close(ctx, kind);
    swq_finding_near(f, cycles * (run.measured + run.warmup), 1e6,
                     cycles * run.warmup >= 350000 ? 0 : -1);
    return SWQ_OK;
}
