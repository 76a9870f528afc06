/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tornado: just under half way around in every dimension, the worst case of minimal routing on a
 * torus. Where nodes are in a row, the row is one ring.
 */
#include "sim/patterns/patterns.h"

static uint32_t half_way(uint32_t coordinate, uint32_t extent)
{
    return (coordinate + (extent - 1) / 2) % extent; /* ceil(extent / 2) - 1 further */
}

static uint32_t image(const swq_places *places, uint32_t source)
{
    return swq_pattern_by_coordinate(places, source, half_way);
}

const swq_pattern swq_pattern_tornado = {
    .name = "tornado",
    .summary = "the node ceil(k/2) - 1 further, modulo k, in every dimension of k nodes of a torus "
               "or mesh, of k routers of a hyperx and of the nodes of a router, and of groups and "
               "their nodes in a dragonfly; in other networks k is the number of nodes",
    .source = "Dally and Towles (2004), table 3.1",
    .image = image,
};
