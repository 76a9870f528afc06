/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets are given to nodes, and a cycle goes by, in the form that the plan needs.
 */
#include "sim/switches/wormhole/turns.h"

#include "sim/switches/wormhole/sets.h"

uint32_t swq_worms_send(swq_worms *w, uint32_t node, uint32_t to, uint32_t flits)
{
    if (w->free_worm == SWQ_NO_WORM) /* of a share */
        swq_worms_take_numbers(w);
    const uint32_t number = w->free_worm;
    w->free_worm = w->worm[number].next;
    w->idle--;
    if (w->far && w->free_worm != SWQ_NO_WORM) /* the next one */
        w->told.fetch(w->told.arg, w->free_worm);
    w->worm[number] =
        (swq_worm){.state = {.from = node, .to = to, .then = SWQ_NO_WHERE}, .flits = flits};
    w->inside++;
    w->node[node].worm = number;
    put(w->sending, node);
    return number;
}

uint32_t swq_worms_send_by(swq_worms *w, uint32_t node, uint32_t by, uint32_t to, uint32_t flits)
{
    const uint32_t number = swq_worms_send(w, node, by, flits);

    w->worm[number].state.then = to;
    return number;
}

void swq_worms_cycle(swq_worms *w)
{
    static void (*const turn[2][2][2])(swq_worms *) = {
        {{swq_worms_turn_general, swq_worms_turn_lean},
         {swq_worms_turn_general_wide, swq_worms_turn_lean_wide}},
        {{swq_worms_turn_paced, swq_worms_turn_lean_paced},
         {swq_worms_turn_paced_wide, swq_worms_turn_lean_paced_wide}}};

    turn[w->pace != NULL][w->words > 1][swq_worms_are_lean(w)](w);
    swq_worms_route_fronts(w);
    w->cycle++;
}
