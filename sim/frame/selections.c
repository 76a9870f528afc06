/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices of an output, for adaptive routing. What a row means is in choice.h.
 */
#include "base/names.h"
#include "switchq/async.h"

static const swq_selection random_choice = {
    .name = "random",
    .summary = "a random one",
    .source = "Petrini and Vanneschi (1997)",
};

static const swq_selection most_room = {
    .name = "room",
    .summary = "the one with the most room in the next buffer",
    .source = "Duato, Yalamanchili and Ni (2003), 4.3",
    .by_room = true,
};

static const swq_selection least_queue = {
    .name = "queue",
    .summary = "the one where the packet would join the shortest queue",
    .source = "Sivaram, Stunkel and Panda (HIPIQS, 2002), 5",
    .by_queue = true,
};

static const swq_selection first_in_order = {
    .name = "first",
    .summary = "the one that deterministic routing takes, or the next one in order",
    .source = "Duato, Yalamanchili and Ni (2003), 4.3",
    .by_first = true,
};

static const swq_selection in_turn = {
    .name = "turn",
    .summary = "wormhole: the next free lane, in a circle from the lane taken last",
    .source = "BookSim 2 (Jiang et al., 2013): iSLIP over the lanes of all outputs",
    .by_turn = true,
};

const swq_selection *const swq_selections[] = {&random_choice,  &most_room, &least_queue,
                                               &first_in_order, &in_turn,   NULL};

swq_status swq_selection_find(swq_context *ctx, const char *name, const swq_selection **row)
{
    const void *found = swq_name_lookup(ctx, "choice", name, (const void *const *)swq_selections);

    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
