/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random losses of queues that get more than their fair rate: the approximate fair dropping of ib.
 * Source: intelligent buffer management (Cisco, 2017) as in the simulation program of Addanki et
 * al. (2022), with the arguments of its random loss in the order that the function has them;
 * docs/datacentre.md has the rule.
 */
#include "sim/datacentre/net.h"

#define FIRST_FAIR 4e6 /* bytes of a window */
#define NOW_WEIGHT 1.8 /* of the queue at the end of a window ... */
#define OLD_WEIGHT 1.7 /* ... and of the window before */
enum { WINDOWS = 15 }; /* a queue may get its fair rate in so many windows at once */

typedef struct {
    double fair;    /* bytes */
    uint64_t old;   /* length at the end of the last window */
    uint64_t came;  /* bytes in this window ... */
    uint64_t rated; /* ... and in the last one */
} fair_rate;

struct dc_fair_rates {
    fair_rate *of;   /* [queues] */
    uint64_t *begun; /* [ports] ps: when the window of a port began */
};

swq_status dc_fair_rates_make(swq_context *ctx, dc_net *net)
{
    net->fair = swq_calloc(ctx, 1, sizeof *net->fair);
    if (!net->fair)
        return swq_memory_status(ctx);
    net->fair->of = swq_calloc(ctx, net->queues, sizeof *net->fair->of);
    net->fair->begun = swq_calloc(ctx, net->ports, sizeof *net->fair->begun);
    if (!net->fair->of || !net->fair->begun)
        return swq_memory_status(ctx);
    for (uint32_t k = 0; k < net->queues; k++)
        net->fair->of[k].fair = FIRST_FAIR;
    return SWQ_OK;
}

void dc_fair_rates_free(swq_context *ctx, dc_net *net)
{
    if (net->fair) {
        swq_free(ctx, net->fair->of);
        swq_free(ctx, net->fair->begun);
    }
    swq_free(ctx, net->fair);
}

/* The window of a port is over: the fair rate of each of its queues follows the length. */
static void end_window(dc_net *net, uint32_t port)
{
    const double wanted = (double)net->spec->memory.afd_length;

    for (int k = 0; k < net->classes; k++) {
        const uint32_t queue = port * (uint32_t)net->classes + (uint32_t)k;
        fair_rate *r = &net->fair->of[queue];
        const uint64_t now = net->queue[queue].held;
        const double fair =
            r->fair - NOW_WEIGHT * ((double)now - wanted) + OLD_WEIGHT * ((double)r->old - wanted);
        *r = (fair_rate){.fair = fair > 0 ? fair : 0, .old = now, .rated = r->came};
    }
    net->fair->begun[port] = net->now;
}

void dc_fair_rates_note(dc_net *net, uint32_t memory, uint32_t join, const dc_packet *p)
{
    const uint32_t queue = net->memory[memory].first_queue + join;
    const uint32_t port = queue / (uint32_t)net->classes;

    if (net->now > net->fair->begun[port] + net->spec->memory.afd_interval)
        end_window(net, port);
    net->fair->of[queue].came += p->bytes;
}

bool dc_fair_rates_drop(dc_net *net, uint32_t memory, uint32_t join)
{
    const uint32_t queue = net->memory[memory].first_queue + join;
    const fair_rate *r = &net->fair->of[queue];
    const double most = WINDOWS * (1 + (double)r->rated);

    if (net->queue[queue].held <= net->spec->memory.afd_above || r->fair >= most)
        return false;
    return dc_uniform(net) <= 1 - r->fair / most;
}
