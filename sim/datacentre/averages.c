/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Averages of lengths that rise slowly and fall at once, and how many queues of a class are
 * congested by them: what thresholds of reverie look at, for outputs where packets may be lost, and
 * for inputs where they must not be. Source: V. Addanki, W. Bai, S. Schmid and M. Apostolaki (NSDI
 * 2024), as in the authors' simulation program; docs/datacentre.md has the rule.
 */
#include "sim/datacentre/net.h"

typedef struct {
    double *average;  /* [queues] bytes */
    uint64_t *degree; /* [queues] whole bytes of the average, at most `congested` */
    uint64_t *sum;    /* [memories * classes] of degrees */
} averages;

struct dc_averages {
    averages side[2]; /* by dc_side */
};

swq_status dc_averages_make(swq_context *ctx, dc_net *net)
{
    net->averages = swq_calloc(ctx, 1, sizeof *net->averages);
    if (!net->averages)
        return swq_memory_status(ctx);
    for (int k = 0; k < 2; k++) {
        averages *a = &net->averages->side[k];
        a->average = swq_calloc(ctx, net->queues, sizeof *a->average);
        a->degree = swq_calloc(ctx, net->queues, sizeof *a->degree);
        a->sum = swq_calloc(ctx, net->memories * (size_t)net->classes, sizeof *a->sum);
        if (!a->average || !a->degree || !a->sum)
            return swq_memory_status(ctx);
    }
    return SWQ_OK;
}

void dc_averages_free(swq_context *ctx, dc_net *net)
{
    for (int k = 0; net->averages && k < 2; k++) {
        swq_free(ctx, net->averages->side[k].average);
        swq_free(ctx, net->averages->side[k].degree);
        swq_free(ctx, net->averages->side[k].sum);
    }
    swq_free(ctx, net->averages);
}

void dc_average_falls(dc_net *net, dc_side side, uint32_t queue, uint64_t length)
{
    const double gamma = net->spec->memory.gamma, now = (double)length;
    double *average = &net->averages->side[side].average[queue];

    *average = gamma * *average + (1 - gamma) * now;
    if (*average > now)
        *average = now;
}

double dc_average(const dc_net *net, dc_side side, uint32_t queue)
{
    return net->averages->side[side].average[queue];
}

double dc_congested(dc_net *net, uint32_t memory, dc_side side, uint32_t queue)
{
    averages *a = &net->averages->side[side];
    const uint64_t most = net->spec->memory.congested, average = (uint64_t)a->average[queue];
    const uint64_t degree = average < most ? average : most;
    uint64_t *sum = &a->sum[memory * (uint32_t)net->classes + queue % (uint32_t)net->classes];

    *sum += degree - a->degree[queue];
    a->degree[queue] = degree;
    return *sum > most ? (double)*sum / (double)most : 1;
}
