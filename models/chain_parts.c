/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all generators of chains do with expectations: make room for them, and divide them evenly.
 */
#include "models/chain_parts.h"

#include "base/context.h"

swq_status swq_chain_reward_room(swq_context *ctx, swq_chain *c, int64_t states)
{
    if (states <= c->rewards_room)
        return SWQ_OK;
    int64_t room = states + states / 2 + 64;
    size_t each = sizeof(double) * (size_t)c->sw.ports;
    if (!c->lean || !c->by_rows) {
        double *accepted = swq_resize(ctx, c->accepted, (size_t)room, each);
        if (!accepted)
            return swq_memory_status(ctx);
        c->accepted = accepted;
        double *refused = swq_resize(ctx, c->refused, (size_t)room, each);
        if (!refused)
            return swq_memory_status(ctx);
        c->refused = refused;
    }
    if (!c->by_rows && (!c->layout.deferred || c->layout.bursts)) {
        double *accepted_to = swq_resize(ctx, c->accepted_to, (size_t)room, each);
        if (!accepted_to)
            return swq_memory_status(ctx);
        c->accepted_to = accepted_to;
        double *refused_to = swq_resize(ctx, c->refused_to, (size_t)room, each);
        if (!refused_to)
            return swq_memory_status(ctx);
        c->refused_to = refused_to;
    }
    if (c->layout.classes > 1) {
        swq_class_rewards *of_class = swq_resize(ctx, c->of_class, (size_t)room, sizeof *of_class);
        if (!of_class)
            return swq_memory_status(ctx);
        c->of_class = of_class;
    }
    c->rewards_room = room;
    return SWQ_OK;
}

void swq_chain_share(const swq_chain *c, double *by_input)
{
    double sum[SWQ_CHAIN_PORTS] = {0};
    int members[SWQ_CHAIN_PORTS] = {0};

    for (int i = 0; i < c->sw.ports; i++) {
        sum[c->symmetry.input_class[i]] += by_input[i];
        members[c->symmetry.input_class[i]]++;
    }
    for (int i = 0; i < c->sw.ports; i++)
        by_input[i] = sum[c->symmetry.input_class[i]] / members[c->symmetry.input_class[i]];
}
