/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The judge of claims: comparisons in a small language (docs/papers.md), read and evaluated in one
 * pass over their text.
 *
 *     comparison  = ["for" NAME "in" WORD... {"," NAME "in" WORD...} ":"] ["each x" ["from" SUM]
 *                   ["to" SUM] ":"] SUM OPERATOR SUM ["by" NUMBER] ["within" TOLERANCE] ["[" LABEL
 * "]"] SUM         = numbers, x, quantities such as latency(LINE, WHERE), with + - * / and ( )
 *     TOLERANCE   = NUMBER "%" ["or" NUMBER], or NUMBER
 *
 * Room: validate. Includes base.
 */
#include "base/context.h"
#include "validate/figures/figures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = 80,     /* characters of a word */
    TEXT = 600,    /* of a comparison with its variables replaced, and of what was measured */
    ARGUMENTS = 8, /* of a function */
    READINGS = 16, /* of a comparison */
    PAIRS = 600,   /* of a claim */
    VARIABLES = 4,
    MOST_WORDS = 24 /* of a variable */
};

static const swq_estimate nothing = {NAN, NAN};

/* A quantity of a line that a comparison has read off. */
typedef struct {
    const char *name;  /* the line's */
    const char *group; /* "G_0", or "" */
    swq_estimate value;
} judge_reading;

typedef struct {
    int comparison;
    swq_estimate a, b;
} pair;

typedef struct {
    figure_work *f;
    const figure_claim_row *row;
    const char *at;    /* in the text */
    double x;          /* NAN: there is none */
    swq_estimate a, b; /* of the pair that a template is about */
    judge_reading read[READINGS];
    int reads;
    pair pair[PAIRS];
    int pairs, comparison;
    figure_tally tally;
    bool quotes; /* the first comparison is with `quoted`, a number of the text */
    double quoted;
    char list[330], each[TEXT]; /* what was read off, and what `shown` makes of it */
} judge;

/* ---- words ---- */

static swq_estimate wrong(judge *j, const char *what)
{
    if (!j->f->status)
        j->f->status = swq_fail(j->f->ctx, SWQ_EINVAL, "figure %s, claim '%.60s': %s at '%.60s'",
                                j->f->kind->name, j->row->text, what, j->at);
    return nothing;
}

static void skip_blanks(judge *j)
{
    j->at += strspn(j->at, " \n");
}

/* Takes a word if the text goes on with it. */
static bool takes(judge *j, const char *word)
{
    const size_t length = strlen(word);

    skip_blanks(j);
    if (strncmp(j->at, word, length) != 0 ||
        (isalpha((unsigned char)word[length - 1]) && isalnum((unsigned char)j->at[length])))
        return false;
    j->at += length;
    return true;
}

static int line_of(judge *j, const char *id)
{
    const swq_figure_plan *plan = j->f->plan;

    for (int k = 0; k < plan->lines; k++) {
        if (strcmp(plan->line[k].id, id) == 0)
            return k;
    }
    wrong(j, "there is no such line");
    return -1;
}

/* ---- arithmetic ---- */

static swq_estimate sum(judge *j);

static swq_estimate apply(char operator, swq_estimate a, swq_estimate b)
{
    switch (operator) {
    case '+':
        return (swq_estimate){a.mean + b.mean, a.half_width + b.half_width};
    case '-':
        return figure_difference(a, b);
    case '/':
        return figure_ratio(a, b);
    default:
        return (swq_estimate){a.mean * b.mean,
                              fabs(a.mean) * b.half_width + fabs(b.mean) * a.half_width};
    }
}

/* The arguments of a function, without blanks around them; `at` is behind "(" and ends behind
 * ")". */
static int arguments(judge *j, char argument[ARGUMENTS][WORD])
{
    int count = 0;

    for (int deep = 0; count < ARGUMENTS;) {
        size_t length = 0;
        skip_blanks(j);
        while (j->at[length] && (deep > 0 || !strchr(",)", j->at[length]))) {
            deep += (j->at[length] == '(') - (j->at[length] == ')');
            length++;
        }
        const char *end = j->at + length;
        while (length > 0 && j->at[length - 1] == ' ')
            length--;
        snprintf(argument[count++], WORD, "%.*s", (int)length, j->at);
        j->at = *end ? end + 1 : end;
        if (*end != ',')
            break;
    }
    return count;
}

static swq_estimate value_of(judge *j, const char *text)
{
    const char *after = j->at;

    j->at = text;
    const swq_estimate value = sum(j);
    j->at = after;
    return value;
}

/* A quantity of a column; of the columns in order of load, of which full load is the last. */
static const figure_cell *column_of(const judge *j, int line, int k)
{
    const int columns = figure_columns(j->f->plan), xs = j->f->plan->xs;

    return &j->f->cell[line * columns + (k < xs ? k : columns - 1)];
}

/* Interpolates linearly between the first two neighbouring columns between which another quantity
 * passes a level. */
static swq_estimate between(const judge *j, int line, figure_quantity q, figure_quantity other,
                            double level)
{
    for (int k = 1; k <= j->f->plan->xs; k++) {
        const figure_cell *a = column_of(j, line, k - 1), *b = column_of(j, line, k);
        const double x = a->value[other].mean, y = b->value[other].mean;
        const swq_estimate from = a->value[q], to = b->value[q];
        if (!a->there || !b->there || !(x <= level && level < y) || isnan(from.mean))
            continue;
        const double share = (level - x) / (y - x);
        return (swq_estimate){from.mean + share * (to.mean - from.mean),
                              fmax(from.half_width, to.half_width)};
    }
    return nothing;
}

/* where: "full", "peak", "over [QUANTITY] LEVEL", a number, or NULL for the x of "each x". */
static swq_estimate read_off(judge *j, int line, figure_quantity q, const char *where)
{
    if (line < 0)
        return nothing;
    if (!where)
        return figure_at(j->f, line, q, j->x);
    if (strcmp(where, "full") == 0)
        return figure_at_full_load(j->f, line, q);
    if (strcmp(where, "peak") == 0)
        return figure_most(j->f, line, q);
    if (strncmp(where, "over ", 5) == 0) {
        const char *word = where + 5, *blank = strchr(word, ' ');
        const figure_quantity other =
            blank ? figure_quantity_of(word, (size_t)(blank - word)) : THROUGHPUT;
        if (other == FIGURE_QUANTITIES)
            return wrong(j, "there is no such quantity");
        return between(j, line, q, other, value_of(j, blank ? blank + 1 : word).mean);
    }
    return figure_at(j->f, line, q, value_of(j, where).mean);
}

static swq_estimate noted(judge *j, int line, const char *group, swq_estimate value)
{
    const figure_line *row = line < 0 ? NULL : &j->f->plan->line[line];

    if (row && j->reads < READINGS)
        j->read[j->reads++] = (judge_reading){row->name ? row->name : row->id, group, value};
    return value;
}

/* The x, interpolated linearly, from which line a is above line b for good; and `other`'s value
 * there, or at the last x if there is no such x. */
static swq_estimate passes(const judge *j, figure_quantity q, int a, int b, int other)
{
    const swq_figure_plan *plan = j->f->plan;
    double crossing = NAN, there = NAN, before = NAN, x_before = NAN, other_before = NAN;

    for (int k = 0; k < plan->xs; k++) {
        const double x = plan->x[k],
                     lead = figure_at(j->f, a, q, x).mean - figure_at(j->f, b, q, x).mean;
        const double now = other < 0 ? NAN : figure_at(j->f, other, q, x).mean;
        if (isnan(lead))
            continue;
        if (lead <= 0) {
            crossing = there = NAN;
        } else if (isnan(crossing)) {
            double share = before <= 0 ? before / (before - lead) : 1;
            crossing = isnan(before) ? x : x_before + share * (x - x_before);
            there = isnan(before) ? now : other_before + share * (now - other_before);
        }
        before = lead;
        x_before = x;
        other_before = now;
    }
    if (other < 0)
        return (swq_estimate){crossing, 0};
    if (isnan(crossing))
        there = figure_at(j->f, other, q, plan->x[plan->xs - 1]).mean;
    return (swq_estimate){there, 0};
}

static swq_estimate best_of(judge *j, figure_quantity q, char line[][WORD], int lines)
{
    swq_estimate best = nothing;

    for (int k = 0; k < lines; k++) {
        const swq_estimate y = read_off(j, line_of(j, line[k]), q, NULL);
        if (!isnan(y.mean) && !(y.mean <= best.mean))
            best = y;
    }
    return best;
}

/* Functions of a quantity and lines. */
static swq_estimate of_quantity(judge *j, const char *name, char argument[ARGUMENTS][WORD],
                                int count)
{
    const figure_quantity q = figure_quantity_of(argument[0], strlen(argument[0]));
    int line[ARGUMENTS] = {-1, -1, -1, -1};

    if (q == FIGURE_QUANTITIES)
        return wrong(j, "there is no such quantity");
    if (strcmp(name, "best") == 0)
        return best_of(j, q, argument + 1, count - 1);
    if (strcmp(name, "crossing") == 0 && count == 3) {
        line[0] = line_of(j, argument[1]);
        return line[0] < 0 ? nothing
                           : figure_crossing(j->f, line[0], q, value_of(j, argument[2]).mean);
    }
    for (int k = 1; k < count; k++)
        line[k - 1] = line_of(j, argument[k]);
    if (strcmp(name, "passes") != 0 || count < 3)
        return wrong(j, "there is no such function");
    return line[0] < 0 || line[1] < 0 ? nothing : passes(j, q, line[0], line[1], line[2]);
}

static swq_estimate alone(judge *j, int line)
{
    swq_estimate latency = nothing;

    if (line >= 0 && !j->f->status && !j->f->out->cut_short)
        j->f->status =
            figure_alone(j->f->ctx, &j->f->plan->setting[line * (j->f->plan->xs + 1)], &latency);
    return latency;
}

static swq_estimate call(judge *j, const char *name, size_t length)
{
    char argument[ARGUMENTS][WORD], word[WORD];
    const int count = arguments(j, argument);
    const figure_quantity q = figure_quantity_of(name, length);

    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (q < FIGURE_QUANTITIES) {
        const int line = line_of(j, argument[0]);
        const char *group = strstr(word, ".G_") ? strstr(figure_quantities[q].name, "G_") : "";
        return noted(j, line, group, read_off(j, line, q, count > 1 ? argument[1] : NULL));
    }
    if (strcmp(word, "saturation") == 0) {
        const int line = line_of(j, argument[0]);
        return line < 0 ? nothing : noted(j, line, "", figure_saturation(j->f, line));
    }
    if (j->f->series && figure_series_word(word)) {
        const double level = count > 1 ? value_of(j, argument[1]).mean : NAN;
        const int line = line_of(j, argument[0]);
        return line < 0 ? nothing : noted(j, line, "", figure_read_series(j->f, word, line, level));
    }
    if (strcmp(word, "alone") == 0)
        return alone(j, line_of(j, argument[0]));
    if (strcmp(word, "mean") == 0)
        return (swq_estimate){value_of(j, argument[0]).mean, 0};
    if (strcmp(word, "finite") == 0) {
        const swq_estimate e = value_of(j, argument[0]);
        return isfinite(e.mean) ? e : nothing;
    }
    if (strcmp(word, "abs") == 0)
        return (swq_estimate){fabs(value_of(j, argument[0]).mean), 0};
    if (strcmp(word, "larger") == 0)
        return (swq_estimate){fmax(value_of(j, argument[0]).mean, value_of(j, argument[1]).mean),
                              0};
    if (strcmp(word, "higher") == 0) {
        const swq_estimate a = value_of(j, argument[0]), b = value_of(j, argument[1]);
        return b.mean > a.mean ? b : a;
    }
    return of_quantity(j, word, argument, count);
}

static swq_estimate primary(judge *j)
{
    skip_blanks(j);
    const char *begin = j->at;

    if (takes(j, "(")) {
        const swq_estimate inside = sum(j);
        return takes(j, ")") ? inside : wrong(j, "')' is missing");
    }
    if (isdigit((unsigned char)*begin) || (*begin == '-' && isdigit((unsigned char)begin[1]))) {
        char *end;
        const double number = strtod(begin, &end);
        j->at = end;
        return (swq_estimate){number, 0};
    }
    size_t length = 0;
    while (isalnum((unsigned char)begin[length]) || (begin[length] && strchr("._-", begin[length])))
        length++;
    j->at = begin + length;
    if (length > 0 && *j->at == '(') {
        j->at++;
        return call(j, begin, length);
    }
    if (length == 1 && *begin == 'x')
        return (swq_estimate){j->x, 0};
    if (length == 1 && (*begin == 'a' || *begin == 'b'))
        return *begin == 'a' ? j->a : j->b;
    j->at = begin;
    return wrong(j, "a number or a quantity is missing");
}

/* The operator that comes next, between blanks; 0: none of `known`. */
static char operator_of(judge *j, const char *known)
{
    const size_t blanks = strspn(j->at, " \n");
    const char *at = j->at + blanks;

    if (blanks == 0 || !*at || !strchr(known, *at) || (at[1] != ' ' && at[1] != '\n'))
        return 0;
    j->at = at + 1;
    return *at;
}

static swq_estimate product(judge *j)
{
    swq_estimate value = primary(j);

    for (char o; (o = operator_of(j, "*/")) && !j->f->status;)
        value = apply(o, value, primary(j));
    return value;
}

static swq_estimate sum(judge *j)
{
    swq_estimate value = product(j);

    for (char o; (o = operator_of(j, "+-")) && !j->f->status;)
        value = apply(o, value, product(j));
    return value;
}

/* ---- templates ---- */

/* A number by a printf format: %, perhaps +, a precision, and one of d, e, f, g. */
static void show(char *text, size_t size, const char *format, double value)
{
    const bool plus = format[1] == '+';
    const char *dot = strchr(format, '.');
    const int precision = dot ? (int)strtol(dot + 1, NULL, 10) : 6;

    switch (format[strlen(format) - 1]) {
    case 'f':
        snprintf(text, size, plus ? "%+.*f" : "%.*f", precision, value);
        break;
    case 'g':
        snprintf(text, size, plus ? "%+.*g" : "%.*g", precision, value);
        break;
    default:
        snprintf(text, size, "%.0f", value);
    }
}

/* "most SUM", "least SUM" or "endless SUM": over the claim's pairs, or those of one comparison. */
static double over_pairs(judge *j, const char *word, int comparison)
{
    const char *text = j->at;
    const bool most = *word == 'm', least = *word == 'l';
    double all = least ? INFINITY : 0;

    for (int k = 0; k < j->pairs; k++) {
        if (comparison >= 0 && j->pair[k].comparison != comparison)
            continue;
        j->at = text;
        j->a = j->pair[k].a;
        j->b = j->pair[k].b;
        const double value = sum(j).mean;
        if (!most && !least)
            all += isinf(value);
        else if (isfinite(value))
            all = most ? fmax(all, value) : fmin(all, value);
    }
    return all;
}

/* A field of a template: ["+-" | "most" | "least" | "endless" | "distance"] SUM FORMAT ["|"
 * ALTERNATIVE]. */
static void field(judge *j, char *inside, int comparison, char *text, size_t size)
{
    char *instead = strchr(inside, '|'), *format;
    double value;

    if (instead)
        *instead++ = '\0';
    format = strrchr(inside, '%');
    if (!format) {
        wrong(j, "a format is missing in a template");
        return;
    }
    char kept[16];
    snprintf(kept, sizeof kept, "%s", format);
    *format = '\0';
    j->at = inside;
    if (takes(j, "+-"))
        value = sum(j).half_width;
    else if (takes(j, "most"))
        value = over_pairs(j, "most", comparison);
    else if (takes(j, "least"))
        value = over_pairs(j, "least", comparison);
    else if (takes(j, "endless"))
        value = over_pairs(j, "endless", comparison);
    else
        value = sum(j).mean;
    if (instead && isnan(value))
        snprintf(text, size, "%s", instead);
    else
        show(text, size, kept, value);
}

/* Fills a template in; comparison < 0: for the whole claim. */
static void fill(judge *j, const char *from, int comparison, char *text, size_t size)
{
    char inside[TEXT];
    size_t used = strlen(text);
    const double x = j->x;

    j->x = NAN;
    while (*from && used + 1 < size) {
        const char *end = *from == '{' ? strchr(from, '}') : NULL;
        if (!end) {
            text[used++] = *from++;
            text[used] = '\0';
            continue;
        }
        snprintf(inside, sizeof inside, "%.*s", (int)(end - from - 1), from + 1);
        field(j, inside, comparison, text + used, size - used);
        used += strlen(text + used);
        from = end + 1;
    }
    j->x = x;
}

/* ---- one comparison ---- */

static void add_reading(judge *j, const judge_reading *r)
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

/* "within 3% or 0.05", "within 0.1" */
static void tolerance(judge *j, double *relative, double *absolute)
{
    *relative = *absolute = 0;
    if (!takes(j, "within"))
        return;
    const double number = primary(j).mean;
    if (*j->at != '%') {
        *absolute = number;
        return;
    }
    j->at++;
    *relative = number / 100;
    if (takes(j, "or"))
        *absolute = primary(j).mean;
}

/* "[LABEL]", "[LABEL @ SUM]": a label alone is followed by x, if there is one. */
static figure_place place(judge *j, const judge_reading *first)
{
    char label[WORD];
    figure_place bare;

    if (!takes(j, "["))
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
        value = sum(j).mean;
    }
    j->at = *end ? end + 1 : end;
    if (of || !isnan(value))
        return figure_where(label, value);
    snprintf(bare.text, sizeof bare.text, "%.*s", (int)sizeof bare.text - 1, label);
    return bare;
}

typedef enum { LESS, MORE, AT_MOST, AT_LEAST, SAME, IS, IN, NOT_BELOW, OPERATORS } operation;

static operation operation_of(judge *j)
{
    static const char *const words[] = {
        [AT_MOST] = "<=", [AT_LEAST] = ">=",         [SAME] = "=", [IS] = "is",
        [IN] = "in",      [NOT_BELOW] = "not below", [LESS] = "<", [MORE] = ">"};
    static const operation order[] = {AT_MOST, AT_LEAST, LESS, MORE, SAME, IS, IN, NOT_BELOW};

    for (int k = 0; k < OPERATORS; k++) {
        if (takes(j, words[order[k]]))
            return order[k];
    }
    wrong(j, "a comparison is missing");
    return OPERATORS;
}

/* Compares once, at the x that is set. */
static void compare(judge *j, const char *text)
{
    double relative, absolute, to = NAN, by = 0;
    figure_tally *t = &j->tally;

    j->at = text;
    j->reads = 0;
    const swq_estimate a = sum(j);
    const operation how = operation_of(j);
    skip_blanks(j);
    const bool number = isdigit((unsigned char)*j->at);
    const swq_estimate b = sum(j);
    if (how == IN && takes(j, ".."))
        to = primary(j).mean;
    if (takes(j, "by"))
        by = primary(j).mean;
    tolerance(j, &relative, &absolute);
    const figure_place where = place(j, j->reads ? &j->read[0] : NULL);
    skip_blanks(j);
    if (*j->at)
        wrong(j, "something is left");
    if (j->f->status)
        return;
    switch (how) {
    case LESS:
        figure_less(t, (swq_estimate){a.mean + by, a.half_width}, b, where);
        break;
    case MORE:
        figure_less(t, (swq_estimate){b.mean + by, b.half_width}, a, where);
        break;
    case AT_MOST:
        figure_at_most(t, a, b.mean, where);
        break;
    case AT_LEAST:
        figure_at_least(t, a, b.mean, where);
        break;
    case SAME:
        figure_same(t, a, b, relative, absolute, where);
        break;
    case IN:
        figure_same(t, a, (swq_estimate){(b.mean + to) / 2, 0}, 0, (to - b.mean) / 2, where);
        break;
    case NOT_BELOW:
        if (!isnan(a.mean) && !isnan(b.mean))
            figure_at_least(t, figure_difference(a, b),
                            -relative * b.mean - a.half_width - b.half_width, where);
        break;
    case IS:
        figure_near(t, a, b.mean, relative, where);
        if (relative < 0.05)
            figure_count_quoted(j->f, b.mean, a);
        break;
    default:
        break;
    }
    if (j->pairs == 0) {
        j->quotes = number && (how == IS || how == SAME);
        j->quoted = b.mean;
    }
    if (j->pairs < PAIRS)
        j->pair[j->pairs++] = (pair){j->comparison, a, b};
    for (int k = 0; k < j->reads; k++)
        add_reading(j, &j->read[k]);
}

/* "each x from A to B: ..." */
static void at_each(judge *j, const char *text)
{
    const swq_figure_plan *plan = j->f->plan;
    double from = -INFINITY, to = INFINITY;

    j->at = text;
    j->x = NAN;
    if (!takes(j, "each x")) {
        compare(j, text);
        return;
    }
    if (takes(j, "from"))
        from = sum(j).mean;
    if (takes(j, "to"))
        to = sum(j).mean;
    if (!takes(j, ":"))
        wrong(j, "':' is missing");
    const char *rest = j->at;
    for (int k = 0; k < plan->xs && !j->f->status; k++) {
        if (!(plan->x[k] >= from && plan->x[k] <= to))
            continue;
        j->x = plan->x[k];
        compare(j, rest);
    }
    j->x = NAN;
}

/* Replaces $NAME by a word. */
static void replace(const char *from, const char *name, const char *word, char *to)
{
    const size_t length = strlen(name);
    size_t used = 0;

    while (*from && used + 1 < TEXT) {
        if (*from == '$' && strncmp(from + 1, name, length) == 0) {
            used += (size_t)snprintf(to + used, TEXT - used, "%s", word);
            from += length + 1;
        } else {
            to[used++] = *from++;
        }
    }
    to[used < TEXT ? used : TEXT - 1] = '\0';
}

/* A word of a list; in quotes if there are blanks or commas in it. */
static bool list_word(judge *j, char *word)
{
    skip_blanks(j);
    const bool quoted = *j->at == '\'';
    const size_t length = strcspn(j->at + quoted, quoted ? "'" : " ,:\n");

    if (length == 0 && !quoted)
        return false;
    snprintf(word, WORD, "%.*s", (int)length, j->at + quoted);
    j->at += length + 2 * (size_t)quoted;
    return true;
}

static void over_words(judge *j, const char *text)
{
    char name[WORD], word[MOST_WORDS][WORD];
    int words = 0;

    j->at = text;
    if (!takes(j, "for")) {
        const int own = j->comparison;
        at_each(j, text);
        if (j->row->shown && !j->f->status) {
            if (*j->each)
                snprintf(j->each + strlen(j->each), sizeof j->each - strlen(j->each), ", ");
            j->a = j->pairs ? j->pair[j->pairs - 1].a : nothing;
            j->b = j->pairs ? j->pair[j->pairs - 1].b : nothing;
            fill(j, j->row->shown, own, j->each, sizeof j->each);
        }
        j->comparison++;
        return;
    }
    if (!list_word(j, name) || !takes(j, "in")) {
        wrong(j, "for NAME in WORDS");
        return;
    }
    while (words < MOST_WORDS && list_word(j, word[words]))
        words++;
    const bool more = takes(j, ",");
    if (!more && !takes(j, ":"))
        wrong(j, "':' is missing");
    const char *rest = j->at;
    for (int k = 0; k < words && !j->f->status; k++) {
        char next[TEXT + 4] = "for ";
        replace(rest, name, word[k], next + 4);
        over_words(j, more ? next : next + 4);
    }
}

/* ---- claims ---- */

/* A number of the text, and what was found: measured "number". */
static void show_number(const judge *j, char *text, size_t size)
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

static void judge_claim(judge *j)
{
    const figure_claim_row *row = j->row;
    char text[TEXT] = "";

    for (int k = 0; k < row->comparisons && !j->f->status; k++)
        over_words(j, row->comparison[k]);
    if (j->f->status)
        return;
    if (row->measured && strcmp(row->measured, "number") == 0)
        show_number(j, text, sizeof text);
    else if (row->measured)
        fill(j, row->measured, -1, text, sizeof text);
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
    judge *j = swq_calloc(f->ctx, 1, sizeof *j);

    if (!j)
        f->status = swq_memory_status(f->ctx);
    for (int k = 0; k < f->plan->claims && !f->status; k++) {
        *j = (judge){.f = f, .row = &f->plan->claim[k], .x = NAN, .a = nothing, .b = nothing};
        judge_claim(j);
    }
    swq_free(f->ctx, j);
}
