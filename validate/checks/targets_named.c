/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pipelines of HIPIQS behind blocked packets, which the document describes outside its figures
 * (003, 3.4): a run follows single packets.
 */
#include "base/context.h"
#include "validate/checks/printed_find.h"
#include "validate/figures/figures.h"

#include <stdio.h>

#define UNUSED (void)effort, (void)seed

static void note_last(void *arg, const swq_start *x)
{
    if (x->switch_ != SWQ_NO_WHERE && x->from == 1 && x->bytes == 1)
        *(uint32_t *)arg = x->cycle;
}

/* Cycles that a packet of one flit takes from the input register to its output, if it is sent in
 * cycle `sent` to a switch of `ports` ports, where packets of eight flits block it. */
static swq_status pipeline(swq_context *ctx, int ports, int chunk, uint32_t sent,
                           const char *crosspoint, double *cycles)
{
    const uint32_t to = (uint32_t)ports - 1;
    const swq_async_message message[] = {{0, 0, to, 8}, {0, 1, to, 8}, {sent, 1, to, 1}};
    swq_sim_options options = swq_sim_defaults();
    swq_async_result result;
    swq_figure_setting s;
    uint32_t left = 0;
    swq_async_watch watch = {.started = note_last, .arg = &left};
    swq_status status =
        figure_network(ctx, &s,
                       "--engine async --stages 1 --ports %d --architecture hipiqs --bytes 64 "
                       "--chunk %d --max-packet 8 --hop-delay 3 --link-rest 0 "
                       "--load 1 --crosspoint %s",
                       ports, chunk, crosspoint);

    s.async.traffic.trace = message;
    s.async.traffic.trace_messages = 3;
    options.cycles = 100;
    options.warmup = 0;
    if (!status)
        status = swq_async_run(ctx, &s.async, &options, &watch, &result);
    *cycles = (double)left - (sent + 1);
    return status;
}

/* "3 or 4 stage pipeline" through the FIFO at a crosspoint, "6 or 7 stages" through the memory: a
 * FIFO of registers or a RAM. */
swq_status printed_pipelines(swq_context *ctx, swq_effort effort, uint64_t seed, swq_finding *f)
{
    static const struct {
        int ports, chunk;
        uint32_t sent;
        const char *crosspoint;
        double printed;
    } way[] = {{4, 8, 15, "registers", 3},
               {4, 8, 15, "ram", 4},
               {2, 2, 12, "registers", 6},
               {2, 2, 12, "ram", 7}};
    double cycles[4];
    int wrong = 0;

    UNUSED;
    for (int k = 0; k < 4; k++) {
        swq_status status =
            pipeline(ctx, way[k].ports, way[k].chunk, way[k].sent, way[k].crosspoint, &cycles[k]);
        if (status)
            return status;
        wrong += cycles[k] != way[k].printed;
    }
    printed_none(f, wrong, 4);
    snprintf(f->text, sizeof f->text, "%g, %g, %g and %g cycles", cycles[0], cycles[1], cycles[2],
             cycles[3]);
    return SWQ_OK;
}
