/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of pool rules, and the choice of open input ports.
 */
#include "models/buffers/buffers.h"
#include "models/buffers/large.h"

const swq_pool_rule swq_pool_room = {
    .name = "room",
    .summary = "packets are accepted while there is room, in random order",
};

const swq_pool_rule swq_pool_ports = {
    .name = "ports",
    .summary = "as many input ports are open as slots are free, chosen at random",
    .source = "Frazier (1995), section 4.2: \"0.5 sum_J P(j)\" taken literally",
    .needs = SWQ_NEEDS(SWQ_NEED_OPEN_PORTS),
    .opens_ports = true,
};

const swq_pool_rule swq_pool_oldest = {
    .name = "oldest",
    .summary = "packets are accepted while there is room, the oldest first",
    .source = "Frazier (1995), chapter 5",
    .needs = SWQ_NEEDS(SWQ_NEED_AGES),
    .oldest_first = true,
    .in_chains = &swq_pool_room,
};

/* For traces whose packets of a cycle come one after another, as those of an adversary do. */
const swq_pool_rule swq_pool_in_order = {
    .name = "in-order",
    .summary = "packets are accepted while there is room, in the order of the input ports",
    .source = "the order of arrivals in competitive analysis",
    .needs = SWQ_NEEDS(SWQ_NEED_ORDER),
    .in_order = true,
};

const swq_pool_rule *const swq_pool_rules[] = {&swq_pool_room, &swq_pool_ports, &swq_pool_oldest,
                                               &swq_pool_in_order, NULL};

void swq_pool_draw_ports(int free_slots, int ports, swq_dice *dice, swq_port_set *open)
{
    swq_port_set_clear(open, SWQ_PORT_SET_WIDE);
    for (int left = ports; free_slots > 0; free_slots--, left--) {
        int which = swq_dice_fair(dice, left);
        uint32_t i = 0;
        while (swq_port_set_has(open, i, SWQ_PORT_SET_WIDE) || which-- > 0)
            i++;
        swq_port_set_put(open, i, true, SWQ_PORT_SET_WIDE);
    }
}
