/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Perfect shuffle: d_i = s_((i - 1) mod b).
 */
#include "sim/patterns/patterns.h"

static uint32_t image(const swq_places *places, uint32_t source)
{
    const uint32_t nodes = places->nodes;

    return (source << 1 & (nodes - 1)) | (source & nodes >> 1 ? 1 : 0);
}

const swq_pattern swq_pattern_shuffle = {
    .name = "shuffle",
    .summary = "perfect shuffle: the bits of the node's number rotated left",
    .source = "Stone (1971); Dally and Towles (2004), table 3.1",
    .image = image,
    .objection = swq_pattern_power_of_two,
};
