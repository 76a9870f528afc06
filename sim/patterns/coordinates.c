/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes that are numbered by coordinates.
 */
#include "sim/patterns/patterns.h"

uint32_t swq_pattern_by_coordinate(const swq_places *places, uint32_t source,
                                   uint32_t (*to)(uint32_t coordinate, uint32_t extent))
{
    uint32_t image = 0, unit = 1;

    if (places->dims == 0)
        return to(source, places->nodes);
    for (int k = places->dims - 1; k >= 0; k--) {
        const uint32_t extent = (uint32_t)places->extent[k];
        image += to(source / unit % extent, extent) * unit;
        unit *= extent;
    }
    return image;
}
