/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/palette.c: colours can be told apart by the colour-blind, and kinds by their colour or dash.
 * Not pinned: which kind has which colour.
 */
#include "base/palette.h"
#include "switchq/buffer.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(palette, .timeout = 60);

/* ---- how colours are seen ---- */

enum { SIGHTS = 4 };

/* Usual sight, and protanopia, deuteranopia and tritanopia: Machado, Oliveira and Fernandes, "A
 * physiologically-based model for simulation of color vision deficiency" (2009), severity 1, on
 * linear RGB. */
static const double seen[SIGHTS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static void linear_of(const char *colour, double rgb[3])
{
    unsigned part[3];

    cr_assert_eq(sscanf(colour, "#%2x%2x%2x", &part[0], &part[1], &part[2]), 3, "%s", colour);
    for (int k = 0; k < 3; k++) {
        const double c = part[k] / 255.0;
        rgb[k] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
}

static double cube_root(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116.0;
}

/* CIE L*a*b* of a colour as it is seen. */
static void lab_of(const char *colour, int sight, double lab[3])
{
    static const double xyz[3][3] = {{0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505},
                                     {0.2126, 0.7152, 0.0722},
                                     {0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089}};
    double rgb[3], sees[3] = {0}, f[3];

    linear_of(colour, rgb);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            sees[i] += seen[sight][i][j] * rgb[j];
    }
    for (int i = 0; i < 3; i++)
        f[i] = cube_root(fmax(0, xyz[i][0] * sees[0] + xyz[i][1] * sees[1] + xyz[i][2] * sees[2]));
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

/* 2.3 is a just noticeable difference; 10 is one at a glance. */
Test(palette, every_sight_tells_colours_apart)
{
    enum { AT_A_GLANCE = 10 };

    for (int sight = 0; sight < SIGHTS; sight++) {
        for (int a = 0; a < SWQ_PALETTE_COLOURS; a++) {
            for (int b = 0; b < a; b++) {
                double one[3], other[3];
                lab_of(swq_palette_colours[a].light, sight, one);
                lab_of(swq_palette_colours[b].light, sight, other);
                cr_expect_gt(hypot(hypot(one[0] - other[0], one[1] - other[1]), one[2] - other[2]),
                             AT_A_GLANCE, "sight %d, colours %d and %d", sight, a, b);
                lab_of(swq_palette_colours[a].dark, sight, one);
                lab_of(swq_palette_colours[b].dark, sight, other);
                cr_expect_gt(hypot(hypot(one[0] - other[0], one[1] - other[1]), one[2] - other[2]),
                             AT_A_GLANCE, "sight %d, colours %d and %d, dark", sight, a, b);
            }
        }
    }
}

/* The ratio of WCAG 2 between a line and its ground. */
static double contrast(const char *colour, const char *ground)
{
    double light[2], rgb[3];

    for (int k = 0; k < 2; k++) {
        linear_of(k ? ground : colour, rgb);
        light[k] = 0.05 + 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }
    return fmax(light[0], light[1]) / fmin(light[0], light[1]);
}

Test(palette, colours_are_seen_on_both_grounds)
{
    for (int k = 0; k < SWQ_PALETTE_COLOURS; k++) {
        cr_expect_gt(contrast(swq_palette_colours[k].light, "#ffffff"), 2.2, "colour %d", k);
        cr_expect_gt(contrast(swq_palette_colours[k].dark, "#121417"), 3, "colour %d", k);
    }
}

/* ---- kinds ---- */

Test(palette, kinds_of_a_list_differ_in_colour_or_dash)
{
    for (const swq_palette_list *list = swq_palette_lists; list->what; list++) {
        for (size_t a = 0; list->kind[a]; a++) {
            const swq_palette_style one = swq_palette_at(a);
            /* where a name is in two lists, its place is the same in both */
            cr_expect_eq(swq_palette_find(list->kind[a], strlen(list->kind[a])), (int)a, "%s: %s",
                         list->what, list->kind[a]);
            for (size_t b = 0; b < a; b++) {
                const swq_palette_style other = swq_palette_at(b);
                cr_expect(one.colour != other.colour || one.dash != other.dash, "%s: %s and %s",
                          list->what, list->kind[a], list->kind[b]);
            }
        }
    }
}

Test(palette, every_buffer_has_a_place)
{
    for (int k = 0; swq_buffer_kinds[k]; k++)
        cr_expect_geq(
            swq_palette_find(swq_buffer_kinds[k]->name, strlen(swq_buffer_kinds[k]->name)), 0,
            "%s: add it at the end of its list in base/palette.c", swq_buffer_kinds[k]->name);
}

Test(palette, names_of_curves_are_searched_by_words)
{
    const int damq = swq_palette_find("damq", 4), lqd = swq_palette_find("lqd", 3);

    cr_assert(damq >= 0 && lqd >= 0);
    cr_expect_eq(swq_palette_kind_of("DAMQ 4, lossless"), damq);
    cr_expect_eq(swq_palette_kind_of("lqd, damq"), damq, "buffers come first");
    cr_expect_eq(swq_palette_kind_of("wide lqd"), lqd);
    cr_expect_eq(swq_palette_kind_of("damqx"), -1);
    cr_expect_eq(swq_palette_kind_of("slots 4"), -1);
    cr_expect_eq(swq_palette_kind_of(""), -1);
}

Test(palette, curves_of_one_kind_differ_in_marks_and_shades)
{
    for (size_t k = 1; k < SWQ_PALETTE_MARKS; k++) {
        const swq_palette_style one = swq_palette_variant(3, k - 1, SWQ_PALETTE_MARKS, true);
        const swq_palette_style next = swq_palette_variant(3, k, SWQ_PALETTE_MARKS, true);
        cr_expect(one.colour == next.colour && one.dash == next.dash && one.mark != next.mark);
        cr_expect_lt(one.shade, next.shade);
        cr_expect_eq(swq_palette_variant(3, k, SWQ_PALETTE_MARKS, false).shade, 0);
    }
}
