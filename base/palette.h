/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One colour, dash and mark for each kind, in every plot, figure and page: buffers, architectures,
 * rules of admission, arbiters and so on.
 *
 * The colours are those of Okabe and Ito, "Color Universal Design" (2008), without their yellow,
 * which is too pale for a line on white. Marks and dashes say the same without colours, in grey
 * print.
 */
#ifndef SWQ_BASE_PALETTE_H
#define SWQ_BASE_PALETTE_H

#include <stdbool.h>
#include <stddef.h>

enum { SWQ_PALETTE_COLOURS = 7, SWQ_PALETTE_DASHES = 4, SWQ_PALETTE_MARKS = 6 };

/* "#rrggbb", on a light and on a dark ground: they differ for black alone. */
typedef struct swq_palette_colour {
    const char *light, *dark;
} swq_palette_colour;
extern const swq_palette_colour swq_palette_colours[SWQ_PALETTE_COLOURS];

/* Lengths of strokes and gaps in units of an SVG, "" for a line without gaps. */
extern const char *const swq_palette_dashes[SWQ_PALETTE_DASHES];

/* "circle", "square", ...: what marks look like. */
extern const char *const swq_palette_marks[SWQ_PALETTE_MARKS];

/* Kinds that are compared with one another; the place of a name decides about its style. */
typedef struct swq_palette_list {
    const char *what;        /* the heading of `switchq list` */
    const char *const *kind; /* ended by NULL */
} swq_palette_list;

/* All lists, ended by one without a heading. */
extern const swq_palette_list swq_palette_lists[];

/* How a curve is drawn. */
typedef struct swq_palette_style {
    int colour, dash, mark;
    double shade; /* -1: black, 0: the colour, 1: the ground */
} swq_palette_style;

/* The style of the kind at a place in its list, and of curves of no kind by their number. Places
 * below 28 differ in colour or dash. */
swq_palette_style swq_palette_at(size_t place);

/* The colour of a style on a light ground, mixed with white or black by its shade: "#rrggbb". */
void swq_palette_mix(const swq_palette_style *style, char text[8]);

/* The place of a kind in its list; -1: the palette does not have it. Capitals do not matter, and
 * what stands after the first `length` characters is not read. */
int swq_palette_find(const char *kind, size_t length);

/* The place of the first kind that a curve's name has among its words: "DAMQ 4, lossless", "wide,
 * damq". Earlier lists count more; -1: none. */
int swq_palette_kind_of(const char *name);

/* One of the styles of `count` curves of the same kind, of which this is number `which`: they
 * differ in their marks, and, where the plot has no other kind, also in their shades. */
swq_palette_style swq_palette_variant(size_t place, size_t which, size_t count, bool alone);

#endif
