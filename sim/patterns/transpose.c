/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transpose: d_i = s_((i + b/2) mod b). With nodes in a square, row by row, rows become columns;
 * a square torus or mesh may have any number of rows.
 */
#include "sim/patterns/patterns.h"

static bool is_square(const swq_places *places)
{
    return places->dims == 2 && places->extent[0] == places->extent[1];
}

static uint32_t image(const swq_places *places, uint32_t source)
{
    if (is_square(places)) {
        uint32_t side = (uint32_t)places->extent[0];
        return source % side * side + source / side;
    }
    int half = swq_pattern_bits(places->nodes) / 2;

    return source >> half | (source << half & (places->nodes - 1));
}

static const char *objection(const swq_places *places)
{
    return is_square(places) || swq_pattern_even_power_of_two(places)
               ? NULL
               : "an even power of two is needed, or a square torus or mesh";
}

const swq_pattern swq_pattern_transpose = {
    .name = "transpose",
    .summary = "(x, y) to (y, x) in a square torus or mesh; in other networks the upper and the "
               "lower half of the node's bits change places",
    .source = "Dally and Towles (2004), table 3.1",
    .image = image,
    .objection = objection,
};
