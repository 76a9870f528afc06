/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nearest neighbour: the next node in every dimension. Where nodes are in a row, the row is one
 * ring.
 */
#include "sim/patterns/patterns.h"

static uint32_t next(uint32_t coordinate, uint32_t extent)
{
    return coordinate + 1 < extent ? coordinate + 1 : 0;
}

static uint32_t image(const swq_places *places, uint32_t source)
{
    return swq_pattern_by_coordinate(places, source, next);
}

const swq_pattern swq_pattern_neighbour = {
    .name = "neighbour",
    .alias = "neighbor",
    .summary = "the next node, modulo k, in every dimension of k nodes of a torus or mesh, of k "
               "routers of a hyperx and of the nodes of a router, and of groups and their nodes in "
               "a dragonfly; in other networks k is the number of nodes",
    .source = "Dally and Towles (2004), table 3.1",
    .image = image,
};
