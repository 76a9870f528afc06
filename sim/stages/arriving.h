/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which packets that come to a pool at once are dealt with: what the pool's rule and
 * the priorities say, and chance among the others.
 */
#ifndef SWQ_SIM_STAGES_ARRIVING_H
#define SWQ_SIM_STAGES_ARRIVING_H

#include "models/buffers/arrivals.h"
#include "sim/stages/net.h"

/* The packets that come to a pool, and their properties. */
typedef struct {
    const swq_packet *packet;
    const swq_trail *trail;
    bool by_class, by_age, by_port;
} swq_arriving;

/* High priority first if the switch supports it, then the oldest, or the one at the lowest port, if
 * the rule says so. */
static inline int swq_arriving_precedes(const void *packets, int i, int k)
{
    const swq_arriving *c = packets;
    const uint32_t mine = c->trail[i].entered, its = c->trail[k].entered;
    const int by_class =
        c->by_class ? swq_class_of(&c->packet[i]) - swq_class_of(&c->packet[k]) : 0;

    if (!by_class && c->by_port)
        return k - i;
    return by_class || !c->by_age ? by_class : (mine < its) - (mine > its);
}

/* What orders the packets that come. */
static inline swq_arriving swq_arriving_of(const swq_net *net, const swq_packet *packet,
                                           const swq_trail *trail)
{
    const swq_pool_rule *rule = swq_buffer_pool_rule(&net->part[0].rule);

    return (swq_arriving){packet, trail, net->spec->sw.priority.support != SWQ_SUPPORT_NONE,
                          rule->oldest_first, rule->in_order};
}

static inline swq_precedes_fn *swq_arriving_ranks(const swq_arriving *packets)
{
    return packets->by_class || packets->by_age || packets->by_port ? swq_arriving_precedes : NULL;
}

static inline void swq_arriving_begin(swq_net *net, const uint16_t *length,
                                      const swq_packet *packet, swq_arrivals *arrivals)
{
    swq_arrivals_begin(&net->part[0].rule, net->queues, length, net->ports, &net->dice, arrivals);
    for (int i = 0; i < net->ports; i++) {
        if (packet[i].birth != SWQ_NEVER)
            swq_arrivals_add(arrivals, i);
    }
}

/* Draws the order in which a pool, which holds length[queues], deals with packets that come, as
 * for swq_pool_admit: order[SWQ_MAX_PORTS] are their ports. Returns how many the pool's rule
 * admits to this order. */
int swq_pool_order(swq_net *net, const uint16_t *length, const swq_packet *packet,
                   const swq_trail *trail, int *order);

#endif
