/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The judge of claims: comparisons in a small language (docs/papers.md), read and evaluated in one
 * pass over their text.
 *
 *     comparison  = ["for" NAMES "in" WORD... {"," NAMES "in" WORD...} ":"]
 *                   ["each run" ":" | "each x" ["from" SUM] ["to" SUM] ":"] SUM OPERATOR SUM ["by"
 * NUMBER] ["within" TOLERANCE]
 *                   ["[" LABEL "]"]
 *     NAMES       = NAME, or NAME "/" NAME..., of which each WORD then has as many parts
 *     TOLERANCE   = NUMBER "%" ["or" NUMBER], or NUMBER
 */
#include "validate/figures/judge.h"
#include "base/context.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 24 /* of a variable */ };

static const swq_estimate nothing = {NAN, NAN};

/* ---- one comparison ---- */

static void add_reading(figure_judge *j, const judge_reading *r)
{
    const size_t used = strlen(j->list);
    char piece[100];

    if (isnan(r->value.mean))
        return;
    snprintf(piece, sizeof piece, "%s%s%s %.4g +- %.2g", r->name, *r->group ? " " : "", r->group,
             r->value.mean, r->value.half_width);
    if (!strstr(j->list, piece) && used + strlen(piece) + 3 < sizeof j->list)
        snprintf(j->list + used, sizeof j->list - used, "%s%s", used ? ", " : "", piece);
}

/* "within 3% or 0.05", "within 0.1"; false: neither. */
static bool tolerance(figure_judge *j, double *relative, double *absolute)
{
    *relative = *absolute = 0;
    if (!figure_judge_takes(j, "within"))
        return false;
    const double number = figure_judge_primary(j).mean;
    if (*j->at != '%') {
        *absolute = number;
        return true;
    }
    j->at++;
    *relative = number / 100;
    if (figure_judge_takes(j, "or"))
        *absolute = figure_judge_primary(j).mean;
    return true;
}

/* "[LABEL]", "[LABEL @ SUM]": a label alone is followed by x, if there is one. */
static figure_place place(figure_judge *j, const judge_reading *first)
{
    char label[JUDGE_WORD];
    figure_place bare;

    if (!figure_judge_takes(j, "["))
        return !isnan(j->x) ? figure_where("", j->x)
               : first      ? figure_where(first->name, first->value.mean)
                            : figure_where("", NAN);
    const size_t length = strcspn(j->at, "]");
    const char *end = j->at + length, *of = memchr(j->at, '@', length);
    size_t own = of ? (size_t)(of - j->at) : length;
    while (own > 0 && j->at[own - 1] == ' ')
        own--;
    snprintf(label, sizeof label, "%.*s", (int)own, j->at);
    double value = j->x;
    if (of) {
        j->at = of + 1;
        value = figure_judge_sum(j).mean;
    }
    j->at = *end ? end + 1 : end;
    if (of || !isnan(value))
        return figure_where(label, value);
    snprintf(bare.text, sizeof bare.text, "%.*s", (int)sizeof bare.text - 1, label);
    return bare;
}

static judge_operation operation_of(figure_judge *j)
{
    static const char *const words[] = {
        [JUDGE_AT_MOST] = "<=", [JUDGE_AT_LEAST] = ">=", [JUDGE_SAME] = "=",
        [JUDGE_IS] = "is",      [JUDGE_IN] = "in",       [JUDGE_NOT_BELOW] = "not below",
        [JUDGE_LESS] = "<",     [JUDGE_MORE] = ">"};
    static const judge_operation order[] = {JUDGE_AT_MOST, JUDGE_AT_LEAST, JUDGE_LESS,
                                            JUDGE_MORE,    JUDGE_SAME,     JUDGE_IS,
                                            JUDGE_IN,      JUDGE_NOT_BELOW};

    for (int k = 0; k < JUDGE_OPERATORS; k++) {
        if (figure_judge_takes(j, words[order[k]]))
            return order[k];
    }
    figure_judge_wrong(j, "a comparison is missing");
    return JUDGE_OPERATORS;
}

/* Compares once, at the x that is set. */
static void compare(figure_judge *j, const char *text)
{
    double relative, absolute, to = NAN, by = 0;
    figure_tally *t = &j->tally;

    j->at = j->text = text;
    j->reads = 0;
    const swq_estimate a = figure_judge_sum(j);
    const judge_operation how = operation_of(j);
    figure_judge_skip(j);
    const bool number = isdigit((unsigned char)*j->at);
    const swq_estimate b = figure_judge_sum(j);
    if (how == JUDGE_IN && figure_judge_takes(j, ".."))
        to = figure_judge_primary(j).mean;
    if (figure_judge_takes(j, "by"))
        by = figure_judge_primary(j).mean;
    const bool within = tolerance(j, &relative, &absolute);
    const figure_place where = place(j, j->reads ? &j->read[0] : NULL);
    figure_judge_skip(j);
    j->text = NULL;
    if (*j->at)
        figure_judge_wrong(j, "something is left");
    if (j->f->status)
        return;
    switch (how) {
    case JUDGE_LESS:
        figure_less(t, (swq_estimate){a.mean + by, a.half_width}, b, where);
        break;
    case JUDGE_MORE:
        figure_less(t, (swq_estimate){b.mean + by, b.half_width}, a, where);
        break;
    case JUDGE_AT_MOST:
        figure_at_most(t, a, b.mean, where);
        break;
    case JUDGE_AT_LEAST:
        figure_at_least(t, a, b.mean, where);
        break;
    case JUDGE_SAME:
        figure_same(t, a, b, relative, absolute, where);
        break;
    case JUDGE_IN:
        figure_same(t, a, (swq_estimate){(b.mean + to) / 2, 0}, 0, (to - b.mean) / 2, where);
        break;
    case JUDGE_NOT_BELOW:
        if (!isnan(a.mean) && !isnan(b.mean))
            figure_at_least(t, figure_difference(a, b),
                            -relative * b.mean - a.half_width - b.half_width, where);
        break;
    case JUDGE_IS:
        figure_near(t, a, b.mean, relative, where);
        if (relative < 0.05)
            figure_count_quoted(j->f, b.mean, a);
        break;
    default:
        break;
    }
    if (j->pairs == 0) {
        j->quotes = number && (how == JUDGE_IS || how == JUDGE_SAME);
        j->quoted = b.mean;
    }
    if (j->pairs < JUDGE_PAIRS)
        j->pair[j->pairs++] = (judge_pair){
            j->comparison, how, a, b, within ? fmax(relative * fabs(b.mean), absolute) : NAN,
            where};
    for (int k = 0; k < j->reads; k++)
        add_reading(j, &j->read[k]);
}

/* "each run: ...", of which x is the number. */
static void in_each_run(figure_judge *j)
{
    if (!figure_judge_takes(j, ":"))
        figure_judge_wrong(j, "':' is missing");
    const char *rest = j->at;
    for (j->run = 0; j->run < figure_runs(j->f) && !j->f->status; j->run++) {
        j->x = j->run + 1;
        compare(j, rest);
    }
    j->run = -1;
    j->x = NAN;
}

/* "each x from A to B: ..." */
static void at_each(figure_judge *j, const char *text)
{
    const swq_figure_plan *plan = j->f->plan;
    double from = -INFINITY, to = INFINITY;

    j->at = text;
    j->x = NAN;
    if (figure_judge_takes(j, "each run")) {
        in_each_run(j);
        return;
    }
    if (!figure_judge_takes(j, "each x")) {
        compare(j, text);
        return;
    }
    if (figure_judge_takes(j, "from"))
        from = figure_judge_sum(j).mean;
    if (figure_judge_takes(j, "to"))
        to = figure_judge_sum(j).mean;
    if (!figure_judge_takes(j, ":"))
        figure_judge_wrong(j, "':' is missing");
    const char *rest = j->at;
    for (int k = 0; k < plan->xs && !j->f->status; k++) {
        if (!(plan->x[k] >= from && plan->x[k] <= to))
            continue;
        j->x = plan->x[k];
        compare(j, rest);
    }
    j->x = NAN;
}

/* Replaces $NAME by a word, or $A by the first part and $B by the second of names A/B. */
static void replace(const char *from, const char *name, const char *word, char *to)
{
    const size_t length = strcspn(name, "/"), all = strlen(word);
    const size_t part = name[length] ? strcspn(word, "/") : all;
    size_t used = 0;

    while (*from && used + 1 < JUDGE_TEXT) {
        if (*from == '$' && strncmp(from + 1, name, length) == 0) {
            used += (size_t)snprintf(to + used, JUDGE_TEXT - used, "%.*s", (int)part, word);
            from += length + 1;
        } else {
            to[used++] = *from++;
        }
    }
    to[used < JUDGE_TEXT ? used : JUDGE_TEXT - 1] = '\0';
    if (name[length]) {
        char first[JUDGE_TEXT];
        memcpy(first, to, strlen(to) + 1);
        replace(first, name + length + 1, word + part + (part < all), to);
    }
}

/* A word of a list; in quotes if there are blanks or commas in it. */
static bool list_word(figure_judge *j, char *word)
{
    figure_judge_skip(j);
    const bool quoted = *j->at == '\'';
    const size_t length = strcspn(j->at + quoted, quoted ? "'" : " ,:\n");

    if (length == 0 && !quoted)
        return false;
    snprintf(word, JUDGE_WORD, "%.*s", (int)length, j->at + quoted);
    j->at += length + 2 * (size_t)quoted;
    return true;
}

void figure_judge_comparison(figure_judge *j, const char *text)
{
    char name[JUDGE_WORD], word[MOST_WORDS][JUDGE_WORD];
    int words = 0;

    j->at = text;
    if (!figure_judge_takes(j, "for")) {
        const int own = j->comparison;
        at_each(j, text);
        if (j->row->shown && !j->f->status) {
            if (*j->each)
                snprintf(j->each + strlen(j->each), sizeof j->each - strlen(j->each), ", ");
            j->a = j->pairs ? j->pair[j->pairs - 1].a : nothing;
            j->b = j->pairs ? j->pair[j->pairs - 1].b : nothing;
            figure_judge_fill(j, j->row->shown, own, j->each, sizeof j->each);
        }
        j->comparison++;
        return;
    }
    if (!list_word(j, name) || !figure_judge_takes(j, "in")) {
        figure_judge_wrong(j, "for NAME in WORDS");
        return;
    }
    while (words < MOST_WORDS && list_word(j, word[words]))
        words++;
    const bool more = figure_judge_takes(j, ",");
    if (!more && !figure_judge_takes(j, ":"))
        figure_judge_wrong(j, "':' is missing");
    const char *rest = j->at;
    for (int k = 0; k < words && !j->f->status; k++) {
        char next[JUDGE_TEXT + 4] = "for ";
        replace(rest, name, word[k], next + 4);
        figure_judge_comparison(j, more ? next : next + 4);
    }
}

/* ---- claims ---- */

/* A number of the text, and what was found: measured "number". */
static void show_number(const figure_judge *j, char *text, size_t size)
{
    const swq_estimate a = j->pairs ? j->pair[0].a : nothing;

    if (isnan(a.mean))
        snprintf(text, size, "text: %g", j->quoted);
    else if (!isfinite(a.half_width))
        snprintf(text, size, "%.4g, from fewer than %d packets a node; text: %g", a.mean,
                 SWQ_FIGURE_LEAST_FOR_P99, j->quoted);
    else
        snprintf(text, size, "%.4g +- %.2g; text: %g", a.mean, a.half_width, j->quoted);
}

static void judge_claim(figure_judge *j)
{
    const figure_claim_row *row = j->row;
    char text[JUDGE_TEXT] = "";

    for (int k = 0; k < row->comparisons && !j->f->status; k++)
        figure_judge_comparison(j, row->comparison[k]);
    if (j->f->status)
        return;
    if (row->measured && strcmp(row->measured, "number") == 0)
        show_number(j, text, sizeof text);
    else if (row->measured)
        figure_judge_fill(j, row->measured, -1, text, sizeof text);
    else if (row->shown)
        snprintf(text, sizeof text, "%s", j->each);
    else if (j->quotes)
        snprintf(text, sizeof text, "%s; text: %g", *j->list ? j->list : "not run", j->quoted);
    else
        snprintf(text, sizeof text, "%s", *j->list ? j->list : "not run");
    if (!j->f->status)
        figure_claim(j->f, &j->tally, row->text, row->criterion, row->known, "%s", text);
}

void figure_judge_claims(figure_work *f)
{
    figure_judge *j = swq_calloc(f->ctx, 1, sizeof *j);

    if (!j)
        f->status = swq_memory_status(f->ctx);
    for (int k = 0; k < f->plan->claims && !f->status; k++) {
        *j = (figure_judge){
            .f = f, .row = &f->plan->claim[k], .x = NAN, .run = -1, .a = nothing, .b = nothing};
        judge_claim(j);
    }
    swq_free(f->ctx, j);
}
