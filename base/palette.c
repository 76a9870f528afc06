/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Styles of kinds. The numbers of colours and of dashes have no common factor, so that the pair of
 * both repeats after 28 places only.
 */
#include "base/palette.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const swq_palette_colour swq_palette_colours[] = {
    {"#d55e00", "#d55e00"}, /* vermillion */
    {"#009e73", "#009e73"}, /* bluish green */
    {"#cc79a7", "#cc79a7"}, /* reddish purple */
    {"#0072b2", "#0072b2"}, /* blue */
    {"#e69f00", "#e69f00"}, /* orange */
    {"#56b4e9", "#56b4e9"}, /* sky blue */
    {"#000000", "#f0efeb"}, /* black */
};

const char *const swq_palette_dashes[] = {"", "7 3", "2 3", "8 3 2 3"};

const char *const swq_palette_marks[] = {"circle",  "square",        "triangle",
                                         "diamond", "triangle-down", "pentagon"};

/* A new kind is added at the end of its list, so that those before it keep their styles. */
#define KINDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
const swq_palette_list swq_palette_lists[] = {
    {"buffers", KINDS("fifo", "samq", "safc", "damq", "cbda", "dafc")},
    {"architectures",
     KINDS("input-queued", "output-queued", "crosspoint", "input-crosspoint", "cioq", "hipiqs",
           "multi-buffer", "central", "prizma", "wormhole", "atlas")},
    {"admission", KINDS("room", "sharing", "partitioning", "maximum", "minimum", "minimum-maximum",
                        "square-root", "threshold", "lqd", "harmonic", "abm", "occamy", "followlqd",
                        "credence", "edt", "tdt", "fab", "ib")},
    {"arbiters", KINDS("random", "random-outputs", "longest", "maximum", "maximum-longest",
                       "max-weight", "fixed", "rotating", "advancing", "islip", "pim")},
    {"managements", KINDS("none", "1q", "4q", "voqsw", "dbbm", "voqnet", "4q-least", "lecn",
                          "recn-iq", "recn", "recn-enhanced", "fbicm")},
    {"topologies", KINDS("omega", "butterfly", "baseline", "flip", "cube", "switch", "torus",
                         "mesh", "hypercube", "tree", "fat-tree", "dragonfly")},
    {"routing", KINDS("deterministic", "adaptive", "unguarded", "valiant", "ugal")},
    {"flow", KINDS("discard", "block", "maximum-usage", "credits", "stop-go", "two-counter",
                   "destination")},
    {"pool-rules", KINDS("ports", "oldest", "in-order")},
    {"policies",
     KINDS("optimal", "optimal-arbitration", "optimal-admission", "optimal-push-out", "push-out")},
    {"traffic", KINDS("uniform", "hotspot", "bit-reversal", "bit-complement", "transpose",
                      "shuffle", "tornado", "neighbour", "random-permutation")},
    {"choices", KINDS("queue", "first", "turn")},
    {"lane-choices", KINDS("any", "dateline", "crossing", "phase")},
    {NULL, NULL},
};

swq_palette_style swq_palette_at(size_t place)
{
    /* the fourth buffer, damq, which most plots have, is drawn without gaps */
    return (swq_palette_style){.colour = (int)(place % SWQ_PALETTE_COLOURS),
                               .dash = (int)((place + 1) % SWQ_PALETTE_DASHES),
                               .mark = (int)(place % SWQ_PALETTE_MARKS)};
}

void swq_palette_mix(const swq_palette_style *style, char text[8])
{
    const char *name = swq_palette_colours[(size_t)style->colour % SWQ_PALETTE_COLOURS].light;
    unsigned part[3];

    sscanf(name, "#%2x%2x%2x", &part[0], &part[1], &part[2]);
    for (int k = 0; k < 3; k++) {
        const double end = style->shade > 0 ? 255 : 0;
        part[k] = (unsigned)lround(part[k] + (end - part[k]) * fabs(style->shade));
    }
    snprintf(text, 8, "#%02x%02x%02x", part[0] & 255, part[1] & 255, part[2] & 255);
}

static int find_in(const swq_palette_list *list, const char *kind, size_t length)
{
    for (int k = 0; list->kind[k]; k++) {
        if (strlen(list->kind[k]) == length && strncasecmp(list->kind[k], kind, length) == 0)
            return k;
    }
    return -1;
}

int swq_palette_find(const char *kind, size_t length)
{
    int place = -1;

    for (const swq_palette_list *list = swq_palette_lists; list->what && place < 0; list++)
        place = find_in(list, kind, length);
    return place;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '-';
}

int swq_palette_kind_of(const char *name)
{
    for (const swq_palette_list *list = swq_palette_lists; list->what; list++) {
        for (const char *at = name; *at;) {
            size_t length = 0;
            while (in_word(at[length]))
                length++;
            const int place = find_in(list, at, length);
            if (place >= 0)
                return place;
            at += length + (length == 0);
        }
    }
    return -1;
}

swq_palette_style swq_palette_variant(size_t place, size_t which, size_t count, bool alone)
{
    const double darkest = -0.6, palest = 0.45;
    swq_palette_style style = swq_palette_at(place);

    style.mark = (int)((place + which) % SWQ_PALETTE_MARKS);
    if (alone && count > 1)
        style.shade = darkest + (palest - darkest) * (double)which / (double)(count - 1);
    return style;
}
