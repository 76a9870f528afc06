/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences of the text, checked: comparisons that count only where intervals lie apart, added up
 * over a curve, and numbers that are quoted.
 */
#include "validate/figures/figures.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* the rule for the printed tables of simulations, from which most of these numbers come */
const char swq_figure_printed_rule[] =
    "a printed number agrees when it differs from the simulated one by at most the "
    "half-width of the 95% interval, 0.01 for its last digit, and 3% or 0.05 cycle "
    "(means) or 0.3 cycle (99th percentiles); from 90% of the saturation "
    "throughput on, 10%; a maximum, which grows with the length of a run, is not "
    "judged, and neither is a 99th percentile of fewer than 100 packets a node";

/* ---- reading off ---- */

static const swq_estimate nothing = {NAN, NAN};

static const figure_cell *cell_at(const figure_work *f, int line, int column)
{
    return &f->cell[line * figure_columns(f->plan) + column];
}

swq_estimate figure_at(const figure_work *f, int line, figure_quantity quantity, double x)
{
    for (int k = 0; k < f->plan->xs; k++) {
        const figure_cell *c = cell_at(f, line, k);
        if (fabs(f->plan->x[k] - x) < 1e-9)
            return c->there ? c->value[quantity] : nothing;
    }
    return nothing;
}

swq_estimate figure_at_full_load(const figure_work *f, int line, figure_quantity quantity)
{
    const figure_cell *c = cell_at(f, line, figure_columns(f->plan) - 1);
    return c->there ? c->value[quantity] : nothing;
}

swq_estimate figure_saturation(const figure_work *f, int line)
{
    const figure_cell *c = cell_at(f, line, figure_columns(f->plan) - 1);

    if (f->saturation)
        return f->saturation[line];
    return c->there ? c->throughput : nothing;
}

swq_estimate figure_most(const figure_work *f, int line, figure_quantity quantity)
{
    swq_estimate most = nothing;

    for (int k = 0; k < figure_columns(f->plan); k++) {
        const figure_cell *c = cell_at(f, line, k);
        const double here = c->value[quantity].mean;
        if (c->there && !isnan(here) && !(here <= most.mean))
            most = c->value[quantity];
    }
    return most;
}

swq_estimate figure_ratio(swq_estimate a, swq_estimate b)
{
    double ratio = a.mean / b.mean;
    return (swq_estimate){ratio, ratio * (a.half_width / a.mean + b.half_width / b.mean)};
}

swq_estimate figure_difference(swq_estimate a, swq_estimate b)
{
    return (swq_estimate){a.mean - b.mean, a.half_width + b.half_width};
}

swq_estimate figure_crossing(const figure_work *f, int line, figure_quantity quantity, double level)
{
    swq_estimate crossing = nothing, before = nothing;
    double x_before = NAN;

    for (int k = 0; k < f->plan->xs; k++) {
        swq_estimate now = figure_at(f, line, quantity, f->plan->x[k]);
        if (isnan(now.mean))
            continue;
        if (now.mean <= level) {
            crossing = nothing;
        } else if (before.mean <= level) {
            double slope = (now.mean - before.mean) / (f->plan->x[k] - x_before);
            crossing = (swq_estimate){x_before + (level - before.mean) / slope,
                                      fmax(now.half_width, before.half_width) / slope};
        }
        before = now;
        x_before = f->plan->x[k];
    }
    return crossing;
}

/* ---- adding up ---- */

figure_place figure_where(const char *label, double x)
{
    figure_place place;

    snprintf(place.text, sizeof place.text, "%.30s%s%.4g", label, *label ? " at " : "", x);
    return place;
}

static void list(char *where, size_t room, const char *text)
{
    size_t length = strlen(where);

    if (length + strlen(text) + 8 < room)
        snprintf(where + length, room - length, "%s%s", length ? ", " : "", text);
    else if (length && strcmp(where + length - 3, "...") != 0)
        snprintf(where + length, room - length, ", ...");
}

static void count(figure_tally *t, bool comparable, bool holds, bool fails, figure_place where)
{
    if (!comparable)
        return;
    if (holds) {
        t->holds++;
    } else if (fails) {
        t->fails++;
        list(t->where_fails, sizeof t->where_fails, where.text);
    } else {
        t->open++;
        list(t->where_open, sizeof t->where_open, where.text);
    }
}

static double low(swq_estimate e)
{
    return e.mean - e.half_width;
}

static double high(swq_estimate e)
{
    return e.mean + e.half_width;
}

void figure_less(figure_tally *t, swq_estimate a, swq_estimate b, figure_place where)
{
    count(t, !isnan(a.mean) && !isnan(b.mean), high(a) < low(b), low(a) > high(b), where);
}

void figure_same(figure_tally *t, swq_estimate a, swq_estimate b, double relative, double absolute,
                 figure_place where)
{
    double apart = fabs(a.mean - b.mean), allowed = fmax(relative * b.mean, absolute);

    count(t, !isnan(apart), apart <= allowed && isfinite(a.half_width + b.half_width),
          apart - a.half_width - b.half_width > allowed, where);
}

/* One unit of a quoted number's last digit: fractions are quoted with two digits or three. */
static double unit_of(double quoted)
{
    double unit = fabs(quoted) < 1 ? 0.01 : 1;

    while (unit > 1e-4 && fabs(quoted / unit - round(quoted / unit)) > 1e-6)
        unit /= 10;
    return unit;
}

void figure_near(figure_tally *t, swq_estimate a, double quoted, double relative,
                 figure_place where)
{
    figure_same(t, a, (swq_estimate){quoted, 0}, relative, unit_of(quoted) / 2, where);
}

void figure_at_least(figure_tally *t, swq_estimate a, double bound, figure_place where)
{
    count(t, !isnan(a.mean), low(a) >= bound, high(a) < bound, where);
}

void figure_at_most(figure_tally *t, swq_estimate a, double bound, figure_place where)
{
    count(t, !isnan(a.mean), high(a) <= bound, low(a) > bound, where);
}

swq_claim_verdict figure_verdict(const figure_tally *t)
{
    if (t->holds > 0)
        return t->fails || t->open ? SWQ_CLAIM_IN_PART : SWQ_CLAIM_HOLDS;
    return t->fails ? SWQ_CLAIM_FAILS : SWQ_CLAIM_OPEN;
}

/* ---- judging together ---- */

static void count_number(figure_work *f, const char *part, double printed, double unit,
                         swq_estimate found)
{
    if (f->numbers < FIGURE_NUMBERS)
        f->number[f->numbers++] = (swq_joint_number){
            .part = part,
            .printed = printed,
            .unit = unit,
            .found = found.mean,
            /* how long the print was simulated is not known: as long as here */
            .error = swq_joint_error(found.half_width, 1, 1),
        };
}

void figure_count_quoted(figure_work *f, double quoted, swq_estimate found)
{
    count_number(f, "numbers of the text", quoted, unit_of(quoted), found);
}

/* ---- stating ---- */

static void append(char *text, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t room, const char *format, ...)
{
    size_t length = strlen(text);
    va_list args;

    va_start(args, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above
    vsnprintf(text + length, room - length, format, args);
    va_end(args);
}

/* Replaces every nan in a text, together with its interval, by a dash, which stands for points that
 * were not run, as in a figure's tables. */
static void dash_nan(char *text)
{
    static const char *const forms[] = {"-nan +- nan", "nan +- nan", "-nan +- -nan",
                                        "nan +- -nan", "-nan",       "nan"};
    char *to = text;

    for (const char *from = text; *from;) {
        size_t taken = 0;
        bool begins = from == text || !isalpha((unsigned char)from[-1]);
        for (size_t k = 0; k < sizeof forms / sizeof *forms && begins; k++) {
            size_t length = strlen(forms[k]);
            if (length > taken && strncmp(from, forms[k], length) == 0 &&
                !isalpha((unsigned char)from[length]))
                taken = length;
        }
        *to++ = taken ? '-' : *from;
        from += taken ? taken : 1;
    }
    *to = '\0';
}

void figure_claim(figure_work *f, const figure_tally *t, const char *text, const char *criterion,
                  const char *known, const char *format, ...)
{
    swq_claim *claim = &f->out->claim[f->out->claims];
    const size_t room = sizeof claim->measured;
    int all = t->holds + t->fails + t->open;
    va_list args;

    if (f->out->claims == FIGURE_CLAIMS)
        return;
    f->out->claims++;
    *claim = (swq_claim){.criterion = criterion,
                         .verdict = figure_verdict(t),
                         .holds = t->holds,
                         .fails = t->fails,
                         .open = t->open,
                         .known = known};
    snprintf(claim->text, sizeof claim->text, "%s", text);
    if (f->out->cut_short) { /* half of a curve may suggest the opposite of the whole */
        claim->verdict = SWQ_CLAIM_OPEN;
        claim->known = NULL;
        snprintf(claim->measured, room, "not run: interrupted");
        return;
    }
    va_start(args, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above
    vsnprintf(claim->measured, room, format, args);
    va_end(args);
    dash_nan(claim->measured);
    if (all == 0)
        append(claim->measured, room, "%snothing to compare", *claim->measured ? "; " : "");
    if (all <= 1)
        return;
    append(claim->measured, room, "%sholds at %d of %d", *claim->measured ? "; " : "", t->holds,
           all);
    if (t->fails)
        append(claim->measured, room, "; not: %s", t->where_fails);
    if (t->open)
        append(claim->measured, room, "; cannot be told: %s", t->where_open);
}

/* ---- printed numbers ---- */

static bool agrees(figure_quantity quantity, double printed, double unit, swq_estimate found,
                   bool at_bend)
{
    double tolerance = at_bend                  ? 0.1 * printed
                       : quantity == THROUGHPUT ? 0.03 * printed
                       : quantity <= MEAN_HIGH  ? fmax(0.03 * printed, 0.05)
                                                : 0.3;

    return fabs(printed - found.mean) <= found.half_width + unit + tolerance + 1e-9;
}

/* The setting of the run with which a printed number is compared. */
static const swq_figure_setting *setting_of(const figure_work *f, int line,
                                            const figure_printed_row *row)
{
    const int columns = figure_columns(f->plan);
    int column = columns - 1;

    for (int k = 0; k < f->plan->xs && !row->at_full_load; k++)
        column = f->plan->x[k] == row->x ? k : column;
    return &f->out->setting[line * columns + column];
}

void figure_judge_printed(figure_work *f)
{
    figure_tally t = {0};

    for (int k = 0; k < f->plan->printeds; k++) {
        const figure_printed_row *row = &f->plan->printed[k];
        const figure_curve_row *curve = &f->plan->curve[row->curve];
        swq_printed_point *p = &f->out->printed[k];
        swq_estimate end = figure_saturation(f, curve->line);
        figure_quantity quantity = curve->quantity;
        *p = (swq_printed_point){.curve = row->curve,
                                 .at_full_load = row->at_full_load,
                                 .x = row->x,
                                 .y = row->y,
                                 .found = row->at_full_load
                                              ? figure_at_full_load(f, curve->line, quantity)
                                              : figure_at(f, curve->line, quantity, row->x)};
        const bool unsure = quantity == MAX_ALL || !isfinite(p->found.half_width);
        if (!isnan(p->found.mean))
            p->setting = setting_of(f, curve->line, row);
        bool bend = row->at_full_load || row->x >= 0.9 * end.mean;
        bool fine = agrees(quantity, row->y, row->unit, p->found, bend);
        p->verdict = isnan(p->found.mean) ? SWQ_PRINTED_NOT_RUN
                     : unsure             ? SWQ_PRINTED_NOT_JUDGED
                     : fine               ? SWQ_PRINTED_AGREES
                                          : SWQ_PRINTED_DIFFERS;
        if (!isfinite(p->found.half_width))
            p->found.half_width = NAN;
        if (p->verdict <= SWQ_PRINTED_DIFFERS)
            count_number(f,
                         quantity == THROUGHPUT  ? "throughputs"
                         : quantity <= MEAN_HIGH ? "means"
                                                 : "99th percentiles",
                         row->y, row->unit, p->found);
        if (p->verdict <= SWQ_PRINTED_DIFFERS)
            count(&t, true, fine, !fine, figure_where(curve->name, row->x));
    }
    f->out->printeds = f->plan->printeds;
    if (f->plan->printeds)
        figure_claim(f, &t, "the printed numbers lie on the curves", swq_figure_printed_rule,
                     f->plan->jointly, "%s", "");
}
