/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of routing.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/spec/async.h"

static char *routing, *choice;

struct poptOption cli_routing_options[] = {
    {"routing", '\0', POPT_ARG_STRING, &routing, SWQ_ENGINE_ASYNC,
     "trees, tori and meshes: which path packets take, 'switchq list routing' (default "
     "deterministic)",
     "NAME"},
    {"choice", '\0', POPT_ARG_STRING, &choice, SWQ_ENGINE_ASYNC,
     "--routing adaptive: how to choose among several outputs, 'switchq list choices' (default "
     "random, wormhole: room)",
     "NAME"},
    POPT_TABLEEND,
};

swq_status cli_routing_read(swq_context *ctx, swq_shape *shape)
{
    return routing ? swq_routing_find(ctx, routing, &shape->routing) : SWQ_OK;
}

swq_status cli_choice_read(swq_context *ctx, swq_async *n)
{
    return choice ? swq_selection_find(ctx, choice, &n->choice) : SWQ_OK;
}

/* The row of --choice, or the default. */
static const swq_selection *choice_of(const swq_async *n)
{
    const swq_selection *const *row = swq_selections;

    if (n->choice || !n->architecture->lanes)
        return n->choice ? n->choice : *row;
    while (!(*row)->by_room)
        row++;
    return *row;
}

void cli_put_routing(cli_record *model, const swq_async *n)
{
    const swq_routing *row = n->shape.routing ? n->shape.routing : swq_routings[0];

    cli_put_word(model, "routing", row->name);
    if (!row->adaptive)
        return;
    const bool chosen = n->arbiter->unrolled || n->architecture->stores;
    cli_put_word(model, "choice", chosen ? choice_of(n)->name : NULL);
}

void cli_say_routing(cli_record *root, const cli_async *n)
{
    const swq_async *net = &n->network;
    const int escapes = n->fabric.escapes;

    if (net->shape.routing && net->shape.kind->places)
        cli_say(root, "routing %s: %s", net->shape.routing->name, net->shape.routing->summary);
    else if (net->shape.routing && net->shape.routing->by_another)
        cli_say(root,
                "routing %s: the lower half of the lanes to a node drawn for each packet, the "
                "upper half on from it",
                net->shape.routing->name);
    if (!swq_shape_adaptive(&net->shape))
        return;
    if (net->architecture->lanes) {
        cli_say(root, "routing %s; of several outputs: %s%s%s%s", net->shape.routing->name,
                choice_of(net)->name,
                escapes == 0   ? ""
                : escapes == 1 ? "; an escape lane for the deterministic way"
                               : "; 2 escape lanes for the deterministic way",
                net->escapes_alike ? ", taken as any other lane" : "",
                net->escapes_kept ? ", which packets do not leave" : "");
        return;
    }
    if (net->architecture->stores) {
        cli_say(root, "routing %s; of several outputs a packet is bound for one as it comes: %s",
                net->shape.routing->name, choice_of(net)->name);
        return;
    }
    cli_say(root, "routing %s; %s%s%s", net->shape.routing->name,
            net->arbiter->unrolled ? "of several outputs that are free and open: " : "",
            net->arbiter->unrolled ? choice_of(net)->name : "the arbiter matches queues to outputs",
            escapes == 0   ? ""
            : escapes == 1 ? "; an escape queue at each input"
                           : "; 2 escape queues at each input");
}
