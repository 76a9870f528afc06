/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claims of document 003's text about its figures, as rows: which lines' saturation loads, received
 * loads or latencies are compared, by which criterion, and the known cause where they disagree. The
 * criteria were written down before any run was judged by them.
 * Room: validate.
 */
#include "validate/figures/bmin.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum {
    AT_MOST,  /* saturation of a: at most `value` */
    AT_LEAST, /* ... at least `value` */
    NEAR,     /* ... `value`, up to `by` */
    RANGE,    /* ... from `value` to `by` */
    ALIKE,    /* saturations of a and b differ by at most `value` */
    BELOW,    /* saturation of a is below saturation of b by `value` or more */
    DROPS,    /* the drop from a to b is larger than that from c to d */
    HALF,     /* the rise from a to b is less than half of that from c to d */
    CURVES,   /* received loads of a and b differ by at most `value` at every applied load */
    MORE,     /* a receives more than b at an applied load of 1 */
    SLOWER    /* latency of a is above latency of b at an applied load of `value` */
} claim_kind;

static const char *const criterion[] = {
    [AT_MOST] = "the bracket of the saturation load lies at or below it",
    [AT_LEAST] = "the bracket of the saturation load lies at or above it",
    [NEAR] = "saturation load within 3% of it (\"around\": within 0.03)",
    [RANGE] = "saturation load in the range, ends included",
    [ALIKE] = "saturation loads apart by no more than the number stated",
    [BELOW] = "saturation load lower by the number stated or more",
    [DROPS] = "the brackets of the two drops lie apart",
    [HALF] = "the rise of the saturation load is less than half of that of 256 flits",
    [CURVES] = "received loads apart by no more than 0.02 at each applied load",
    [MORE] = "received load at an applied load of 1: the 95% intervals do not overlap",
    [SLOWER] = "latency at an applied load of 0.4: the 95% intervals do not overlap",
};

typedef struct {
    const char *figure, *text; /* text NULL: another comparison of the claim before */
    claim_kind kind;
    bmin_line a, b, c, d;
    double value, by;
    const char *known;
} said_row;

#define H(levels_, buffer_, message_)                                                              \
    {                                                                                              \
        .memory = BMIN_HIPIQS, .levels = (levels_), .buffer = (buffer_), .message = (message_)     \
    }
#define C(levels_, buffer_, message_)                                                              \
    {                                                                                              \
        .memory = BMIN_CENTRAL, .levels = (levels_), .buffer = (buffer_), .message = (message_)    \
    }
#define F(buffer_, message_)                                                                       \
    {                                                                                              \
        .memory = BMIN_FIFO, .levels = 2, .buffer = (buffer_), .message = (message_)               \
    }
#define CUT(buffer_, message_)                                                                     \
    {                                                                                              \
        .memory = BMIN_HIPIQS, .levels = 2, .buffer = (buffer_), .message = (message_),            \
        .packet = 64                                                                               \
    }
#define HP(levels_, message_, pattern_)                                                            \
    {                                                                                              \
        .memory = BMIN_HIPIQS, .levels = (levels_), .buffer = 640, .message = (message_),          \
        .pattern = (pattern_)                                                                      \
    }
#define CP(levels_, message_, pattern_)                                                            \
    {                                                                                              \
        .memory = BMIN_CENTRAL, .levels = (levels_), .buffer = 640, .message = (message_),         \
        .pattern = (pattern_)                                                                      \
    }
/* Lines are lists in braces, which parentheses cannot enclose. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define ONE(figure_, text_, kind_, a_, value_, by_, known_)                                        \
    {                                                                                              \
        .figure = (figure_), .text = (text_), .kind = (kind_), .a = a_, .value = (value_),         \
        .by = (by_), .known = (known_)                                                             \
    }
#define TWO(figure_, text_, kind_, a_, b_, value_, known_)                                         \
    {                                                                                              \
        .figure = (figure_), .text = (text_), .kind = (kind_), .a = a_, .b = b_,                   \
        .value = (value_), .known = (known_)                                                       \
    }
#define FOUR(figure_, text_, kind_, a_, b_, c_, d_, known_)                                        \
    {                                                                                              \
        .figure = (figure_), .text = (text_), .kind = (kind_), .a = a_, .b = b_, .c = c_, .d = d_, \
        .known = (known_)                                                                          \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Known reasons where the print is not met. */
static const char fifo_way[] =
    "open: 640 flits have 0.69, 0.67 and 0.63 with messages of 64, 128 and 256 flits, and 0.69, "
    "0.68 and 0.64 if the way up is fixed by the destination; an independent prototype found 0.49 "
    "to 0.68 with a way chosen on arrival";
static const char at_a_fifth[] = "borderline: an independent prototype found 0.89 to 0.91";
static const char above_range[] =
    "with 64 flits it is more: an independent prototype found 0.934 and 0.863; buffers of 480 "
    "flits have 0.89 and 0.79 (the way up with the most room)";
static const char cut_alike[] = "an independent prototype found no gain with 128 flits either "
                                "(0.908 whole, 0.900 cut), and much from 256 on";
static const char permuted[] =
    "smaller buffers are the likely reading: 320 flits, and the way up with the most room, have "
    "0.86 and 0.79 for bit reversal, 0.88 and 0.81 for the transpose";
static const char central_permuted[] =
    "the text does not fully say which way up a packet takes, and the central "
    "queue depends on it most";

static const char counted_all[] =
    "with --equal all the FIFOs at crosspoints take 128 flits of a buffer of any size";

#define BIT "bit-reversal"
#define TRA "transpose"

/* clang-format off */
static const said_row rows[] = {
    ONE("003.7", "5.2.1: FIFO saturates well before an applied load of 0.60", AT_MOST, F(320, 64), 0.60, 0, fifo_way),
    ONE(NULL, NULL, AT_MOST, F(320, 128), 0.60, 0, NULL), ONE(NULL, NULL, AT_MOST, F(320, 256), 0.60, 0, NULL),
    ONE(NULL, NULL, AT_MOST, F(640, 64), 0.60, 0, NULL), ONE(NULL, NULL, AT_MOST, F(640, 128), 0.60, 0, NULL),
    ONE(NULL, NULL, AT_MOST, F(640, 256), 0.60, 0, NULL), ONE(NULL, NULL, AT_MOST, F(1280, 64), 0.60, 0, NULL),
    ONE(NULL, NULL, AT_MOST, F(1280, 128), 0.60, 0, NULL), ONE(NULL, NULL, AT_MOST, F(1280, 256), 0.60, 0, NULL),
    ONE("003.7", "5.2.1: HIPIQS saturates over 0.90 with messages of a fifth of the buffer", AT_LEAST, H(2, 320, 64), 0.90, 0, at_a_fifth),
    ONE(NULL, NULL, AT_LEAST, H(2, 640, 128), 0.90, 0, NULL), ONE(NULL, NULL, AT_LEAST, H(2, 1280, 256), 0.90, 0, NULL),
    TWO("003.7", "5.2.1: HIPIQS does almost as well as the central queue below a fifth of the buffer (0.03)", ALIKE, H(2, 640, 64), C(2, 640, 64), 0.03, NULL),
    TWO(NULL, NULL, ALIKE, H(2, 1280, 64), C(2, 1280, 64), 0.03, NULL), TWO(NULL, NULL, ALIKE, H(2, 1280, 128), C(2, 1280, 128), 0.03, NULL),
    TWO("003.7", "5.2.1: HIPIQS does considerably worse than the central queue above it (0.03)", BELOW, H(2, 320, 128), C(2, 320, 128), 0.03, NULL),
    TWO(NULL, NULL, BELOW, H(2, 320, 256), C(2, 320, 256), 0.03, NULL), TWO(NULL, NULL, BELOW, H(2, 640, 256), C(2, 640, 256), 0.03, NULL),

    FOUR("003.8", "5.2.2: beyond 640 flits messages of 128 gain little, and those of 256 more", HALF, H(2, 640, 128), H(2, 1280, 128), H(2, 640, 256), H(2, 1280, 256), NULL),

    TWO("003.9", "5.2.3: a fifth of the buffer: equal saturation loads (0.02)", ALIKE, H(2, 320, 64), H(2, 640, 128), 0.02, NULL),
    TWO(NULL, NULL, ALIKE, H(2, 640, 128), H(2, 1280, 256), 0.02, NULL), TWO(NULL, NULL, ALIKE, H(2, 320, 64), H(2, 1280, 256), 0.02, NULL),
    TWO("003.9", "5.2.3: two fifths: equal saturation loads (0.02)", ALIKE, H(2, 320, 128), H(2, 640, 256), 0.02, NULL),
    TWO(NULL, NULL, ALIKE, H(2, 640, 256), H(2, 1280, 512), 0.02, NULL), TWO(NULL, NULL, ALIKE, H(2, 320, 128), H(2, 1280, 512), 0.02, NULL),
    TWO("003.9", "5.2.3: equal received loads, a fifth and two fifths", CURVES, H(2, 320, 64), H(2, 640, 128), 0.02, NULL),
    TWO(NULL, NULL, CURVES, H(2, 320, 64), H(2, 1280, 256), 0.02, NULL), TWO(NULL, NULL, CURVES, H(2, 320, 128), H(2, 640, 256), 0.02, NULL),
    TWO(NULL, NULL, CURVES, H(2, 320, 128), H(2, 1280, 512), 0.02, NULL),

    FOUR("003.10", "5.3: from 16 to 64 nodes HIPIQS loses more than the central queue", DROPS, H(2, 640, 64), H(3, 640, 64), C(2, 640, 64), C(3, 640, 64), NULL),
    FOUR(NULL, NULL, DROPS, H(2, 640, 128), H(3, 640, 128), C(2, 640, 128), C(3, 640, 128), NULL),
    ONE("003.10", "5.6: 64 nodes achieve throughputs of 0.8 to 0.9", RANGE, H(3, 640, 64), 0.80, 0.90, above_range),
    ONE(NULL, NULL, RANGE, H(3, 640, 128), 0.80, 0.90, NULL),

    TWO("003.11", "5.4: packets raise the saturation load (0)", BELOW, H(2, 640, 128), CUT(640, 128), 0, cut_alike),
    TWO(NULL, NULL, BELOW, H(2, 640, 256), CUT(640, 256), 0, NULL), TWO(NULL, NULL, BELOW, H(2, 640, 512), CUT(640, 512), 0, NULL),
    TWO(NULL, NULL, BELOW, H(2, 1280, 128), CUT(1280, 128), 0, NULL), TWO(NULL, NULL, BELOW, H(2, 1280, 256), CUT(1280, 256), 0, NULL),
    TWO(NULL, NULL, BELOW, H(2, 1280, 512), CUT(1280, 512), 0, NULL),
    TWO("003.11", "5.4: packets raise the latency of messages", SLOWER, CUT(640, 128), H(2, 640, 128), 0.4, NULL),
    TWO(NULL, NULL, SLOWER, CUT(640, 256), H(2, 640, 256), 0.4, NULL), TWO(NULL, NULL, SLOWER, CUT(640, 512), H(2, 640, 512), 0.4, NULL),
    TWO(NULL, NULL, SLOWER, CUT(1280, 128), H(2, 1280, 128), 0.4, NULL), TWO(NULL, NULL, SLOWER, CUT(1280, 256), H(2, 1280, 256), 0.4, NULL),
    TWO(NULL, NULL, SLOWER, CUT(1280, 512), H(2, 1280, 512), 0.4, NULL),

    ONE("003.12", "5.5: 16 nodes, bit reversal: no saturation up to 0.98", AT_LEAST, HP(2, 64, BIT), 0.98, 0, NULL),
    ONE(NULL, NULL, AT_LEAST, HP(2, 128, BIT), 0.98, 0, NULL),
    ONE("003.12", "5.5: 64 nodes, bit reversal, 64 flits: 0.83", NEAR, HP(3, 64, BIT), 0.83, 0, permuted),
    ONE("003.12", "5.5: 64 nodes, bit reversal, 128 flits: 0.75", NEAR, HP(3, 128, BIT), 0.75, 0, permuted),
    ONE("003.12", "5.5: 64 nodes, bit reversal, central queue: around 0.85 and 0.88", NEAR, CP(3, 64, BIT), 0.85, 0.03, central_permuted),
    ONE(NULL, NULL, NEAR, CP(3, 128, BIT), 0.88, 0.03, NULL),
    ONE("003.12", "5.5: 16 nodes, transpose: no saturation up to 0.98", AT_LEAST, HP(2, 64, TRA), 0.98, 0, NULL),
    ONE(NULL, NULL, AT_LEAST, HP(2, 128, TRA), 0.98, 0, NULL),
    ONE("003.12", "5.5: 64 nodes, transpose, 64 flits: around 0.87", NEAR, HP(3, 64, TRA), 0.87, 0.03, permuted),
    ONE("003.12", "5.5: 64 nodes, transpose, 128 flits: around 0.80", NEAR, HP(3, 128, TRA), 0.80, 0.03, permuted),
    ONE("003.12", "5.5: 64 nodes, transpose, central queue: around 0.90", NEAR, CP(3, 64, TRA), 0.90, 0.03, central_permuted),
    ONE(NULL, NULL, NEAR, CP(3, 128, TRA), 0.90, 0.03, NULL),
    TWO("003.12", "5.5: 64 nodes, 128 flits: beyond saturation HIPIQS receives more than the central queue", MORE, HP(3, 128, BIT), CP(3, 128, BIT), 0, NULL),
    TWO(NULL, NULL, MORE, HP(3, 128, TRA), CP(3, 128, TRA), 0, NULL),
    ONE("003.12", "5.6: 64 nodes saturate at 0.75 to 0.87", RANGE, HP(3, 64, BIT), 0.75, 0.87, permuted),
    ONE(NULL, NULL, RANGE, HP(3, 128, BIT), 0.75, 0.87, NULL), ONE(NULL, NULL, RANGE, HP(3, 64, TRA), 0.75, 0.87, NULL),
    ONE(NULL, NULL, RANGE, HP(3, 128, TRA), 0.75, 0.87, NULL),
};
/* clang-format on */

/* ---- one comparison ---- */

static const swq_estimate nothing = {NAN, NAN};

static swq_estimate saturation(const bmin *b, const bmin_line *line)
{
    const bmin_result *r = bmin_result_of(b, line);

    return r ? r->saturation : nothing;
}

static swq_estimate cell_of(const bmin *b, const bmin_line *line, double load, bool latency)
{
    const bmin_result *r = bmin_result_of(b, line);

    for (int k = 0; r && k < BMIN_LOADS; k++) {
        if (bmin_loads[k] == load && r->cell[k].there)
            return latency ? r->cell[k].latency : r->cell[k].received;
    }
    return nothing;
}

static figure_place place_of(const bmin_line *line)
{
    static const char *const memory[] = {"FIFO", "HIPIQS", "central"};
    figure_place place;

    snprintf(place.text, sizeof place.text, "%s %d of %d%s", memory[line->memory], line->message,
             line->buffer, line->packet ? " cut" : "");
    return place;
}

static void compare_curves(const bmin *b, const said_row *row, figure_tally *t, char *shown,
                           size_t size)
{
    double most = 0;

    for (int k = 0; k < BMIN_LOADS; k++) {
        const swq_estimate x = cell_of(b, &row->a, bmin_loads[k], false),
                           y = cell_of(b, &row->b, bmin_loads[k], false);
        most = fmax(most, fabs(x.mean - y.mean)); /* fmax ignores NAN */
        figure_same(t, x, y, 0, row->value, figure_where("load", bmin_loads[k]));
    }
    snprintf(shown, size, "%.3f", most);
}

/* Compares the rises, or drops, of two pairs. */
static void compare_changes(const bmin *b, const said_row *row, figure_tally *t, char *shown,
                            size_t size)
{
    const swq_estimate own = figure_difference(saturation(b, &row->b), saturation(b, &row->a)),
                       other = figure_difference(saturation(b, &row->d), saturation(b, &row->c));
    const figure_place place = place_of(&row->a);

    if (row->kind == DROPS)
        figure_less(t, own, other, place); /* both are negative */
    else
        figure_less(t, own, (swq_estimate){other.mean / 2, other.half_width / 2}, place);
    snprintf(shown, size, "%+.3f against %+.3f", own.mean, other.mean);
}

static void compare_saturations(const bmin *b, const said_row *row, figure_tally *t, char *shown,
                                size_t size)
{
    const swq_estimate own = saturation(b, &row->a), other = saturation(b, &row->b);
    const figure_place place = place_of(&row->a);

    if (row->kind == ALIKE)
        figure_same(t, own, other, 0, row->value, place);
    else
        figure_less(t, (swq_estimate){own.mean + row->value, own.half_width}, other, place);
    snprintf(shown, size, "%.3f against %.3f (%+.3f)", own.mean, other.mean, own.mean - other.mean);
}

static void compare_bound(const bmin *b, const said_row *row, figure_tally *t, char *shown,
                          size_t size)
{
    const swq_estimate own = saturation(b, &row->a);
    const figure_place place = place_of(&row->a);
    const double by = row->kind == NEAR ? row->by : 0;

    switch (row->kind) {
    case AT_MOST:
        figure_at_most(t, own, row->value, place);
        break;
    case AT_LEAST:
        figure_at_least(t, own, row->value, place);
        break;
    case NEAR:
        figure_same(t, own, (swq_estimate){row->value, 0}, by > 0 ? 0 : 0.03, by, place);
        break;
    default:
        figure_same(t, own, (swq_estimate){(row->value + row->by) / 2, 0}, 0,
                    (row->by - row->value) / 2, place);
    }
    snprintf(shown, size, "%.3f", own.mean);
}

static void compare_cells(const bmin *b, const said_row *row, figure_tally *t, char *shown,
                          size_t size)
{
    const bool latency = row->kind == SLOWER;
    const double load = latency ? row->value : 1;
    const swq_estimate own = cell_of(b, &row->a, load, latency),
                       other = cell_of(b, &row->b, load, latency);

    figure_less(t, other, own, place_of(&row->a));
    snprintf(shown, size, latency ? "%.0f against %.0f" : "%.3f against %.3f", own.mean,
             other.mean);
}

static void compare(const bmin *b, const said_row *row, figure_tally *t, char *shown, size_t size)
{
    switch (row->kind) {
    case CURVES:
        compare_curves(b, row, t, shown, size);
        break;
    case DROPS:
    case HALF:
        compare_changes(b, row, t, shown, size);
        break;
    case ALIKE:
    case BELOW:
        compare_saturations(b, row, t, shown, size);
        break;
    case MORE:
    case SLOWER:
        compare_cells(b, row, t, shown, size);
        break;
    default:
        compare_bound(b, row, t, shown, size);
    }
}

/* ---- claims ---- */

int bmin_claim(const bmin *b)
{
    const int count = (int)(sizeof rows / sizeof *rows);
    int claims = 0;

    for (int k = 0; k < count; k++) {
        char all[400] = "";
        size_t used = 0;
        figure_tally t = {0};
        if (!rows[k].text || strcmp(rows[k].figure, b->row->figure) != 0)
            continue;
        for (int r = k; r < count && (r == k || !rows[r].text); r++) {
            char shown[60];
            compare(b, &rows[r], &t, shown, sizeof shown);
            if (used < sizeof all)
                used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", r > k ? ", " : "",
                                         shown);
        }
        figure_claim(b->f, &t, rows[k].text, criterion[rows[k].kind],
                     rows[k].known || !b->f->out->options.equal_all ? rows[k].known : counted_all,
                     "%s", all);
        claims++;
    }
    return claims;
}
