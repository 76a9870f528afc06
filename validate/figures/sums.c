/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of numbers and readings in claims, read and evaluated in one pass over their text:
 *
 *     SUM = numbers, x, quantities such as latency(LINE, WHERE), answers of commands such as
 *           {formula hol-saturation --ports 4 : points.0.results.throughput}, with + - * / and ( )
 */
#include "base/context.h"
#include "validate/figures/judge.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 8 /* of a function */ };

static const swq_estimate nothing = {NAN, NAN};

swq_estimate figure_judge_wrong(figure_judge *j, const char *what)
{
    if (!j->f->status)
        j->f->status = swq_fail(j->f->ctx, SWQ_EINVAL, "figure %s, claim '%.60s': %s at '%.60s'",
                                j->f->kind->name, j->row->text, what, j->at);
    return nothing;
}

void figure_judge_skip(figure_judge *j)
{
    j->at += strspn(j->at, " \n");
}

bool figure_judge_takes(figure_judge *j, const char *word)
{
    const size_t length = strlen(word);

    figure_judge_skip(j);
    if (strncmp(j->at, word, length) != 0 ||
        (isalpha((unsigned char)word[length - 1]) && isalnum((unsigned char)j->at[length])))
        return false;
    j->at += length;
    return true;
}

static int line_of(figure_judge *j, const char *id)
{
    const swq_figure_plan *plan = j->f->plan;

    for (int k = 0; k < plan->lines; k++) {
        if (strcmp(plan->line[k].id, id) == 0)
            return k;
    }
    figure_judge_wrong(j, "there is no such line");
    return -1;
}

/* ---- arithmetic ---- */

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
static int arguments(figure_judge *j, char argument[ARGUMENTS][JUDGE_WORD])
{
    int count = 0;

    for (int deep = 0; count < ARGUMENTS;) {
        size_t length = 0;
        figure_judge_skip(j);
        while (j->at[length] && (deep > 0 || !strchr(",)", j->at[length]))) {
            deep += (strchr("({", j->at[length]) != NULL) - (strchr(")}", j->at[length]) != NULL);
            length++;
        }
        const char *end = j->at + length;
        while (length > 0 && j->at[length - 1] == ' ')
            length--;
        snprintf(argument[count++], JUDGE_WORD, "%.*s", (int)length, j->at);
        j->at = *end ? end + 1 : end;
        if (*end != ',')
            break;
    }
    return count;
}

static swq_estimate value_of(figure_judge *j, const char *text)
{
    const char *after = j->at;

    j->at = text;
    const swq_estimate value = figure_judge_sum(j);
    j->at = after;
    return value;
}

/* A quantity of a column; of the columns in order of load, of which full load is the last. */
static const figure_cell *column_of(const figure_judge *j, int line, int k)
{
    const int columns = figure_columns(j->f->plan), xs = j->f->plan->xs;

    return &j->f->cell[line * columns + (k < xs ? k : columns - 1)];
}

/* Interpolates linearly between the first two neighbouring columns between which another quantity
 * passes a level. */
static swq_estimate between(const figure_judge *j, int line, figure_quantity q,
                            figure_quantity other, double level)
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
static swq_estimate read_off(figure_judge *j, int line, figure_quantity q, const char *where)
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
            return figure_judge_wrong(j, "there is no such quantity");
        return between(j, line, q, other, value_of(j, blank ? blank + 1 : word).mean);
    }
    return figure_at(j->f, line, q, value_of(j, where).mean);
}

static swq_estimate noted(figure_judge *j, int line, const char *group, swq_estimate value)
{
    const figure_line *row = line < 0 ? NULL : &j->f->plan->line[line];

    if (row && j->reads < JUDGE_READINGS)
        j->read[j->reads++] = (judge_reading){row->name ? row->name : row->id, group, value};
    return value;
}

/* The x, interpolated linearly, from which line a is above line b for good; and `other`'s value
 * there, or at the last x if there is no such x. */
static swq_estimate passes(const figure_judge *j, figure_quantity q, int a, int b, int other)
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

static swq_estimate best_of(figure_judge *j, figure_quantity q, char line[][JUDGE_WORD], int lines)
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
static swq_estimate of_quantity(figure_judge *j, const char *name,
                                char argument[ARGUMENTS][JUDGE_WORD], int count)
{
    const figure_quantity q = figure_quantity_of(argument[0], strlen(argument[0]));
    int line[ARGUMENTS] = {-1, -1, -1, -1};

    if (q == FIGURE_QUANTITIES)
        return figure_judge_wrong(j, "there is no such quantity");
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
        return figure_judge_wrong(j, "there is no such function");
    return line[0] < 0 || line[1] < 0 ? nothing : passes(j, q, line[0], line[1], line[2]);
}

static swq_estimate alone(figure_judge *j, int line)
{
    swq_estimate latency = nothing;

    if (line >= 0 && !j->f->status && !j->f->out->cut_short)
        j->f->status =
            figure_alone(j->f->ctx, &j->f->plan->setting[line * (j->f->plan->xs + 1)], &latency);
    return latency;
}

static int store_of(figure_judge *j, int line, const char *id)
{
    const figure_line *of = &j->f->plan->line[line];

    for (int k = 0; k < of->stores; k++) {
        if (strcmp(of->store[k].id, id) == 0)
            return k;
    }
    figure_judge_wrong(j, "there is no such store");
    return 0;
}

/* Readings of stores over time: since(LINE, STORE, PACKETS), then(LINE, STORE, PACKETS, OTHER),
 * fullest(LINE, STORE), root(LINE, CYCLE, PACKETS). */
static bool of_stores(figure_judge *j, const char *word, char argument[ARGUMENTS][JUDGE_WORD],
                      int count, swq_estimate *value)
{
    static const struct {
        const char *word;
        int arguments;
    } words[] = {{"since", 3}, {"then", 4}, {"fullest", 2}, {"root", 3}};
    int which = 0;

    while (which < 4 && strcmp(words[which].word, word) != 0)
        which++;
    if (which == 4 || !j->f->series || count != words[which].arguments)
        return false;
    const int line = line_of(j, argument[0]);
    *value = nothing;
    if (line < 0)
        return true;
    const int store = which < 3 ? store_of(j, line, argument[1]) : 0;
    const double level = which == 2 ? 0 : value_of(j, argument[2]).mean;
    *value = (swq_estimate){0, 0};
    value->mean =
        which == 0   ? figure_since(j->f, j->run, line, store, level)
        : which == 1 ? figure_then(j->f, j->run, line, store, level, store_of(j, line, argument[3]))
        : which == 2 ? figure_most_packets(j->f, j->run, line, store)
                     : figure_root(j->f, j->run, line, value_of(j, argument[1]).mean, level);
    return true;
}

/* answer(PANEL, CURVE, X), of a figure whose points are answers. */
static swq_estimate answer(figure_judge *j, char argument[ARGUMENTS][JUDGE_WORD], int count)
{
    const swq_figure *f = j->f->out;
    const double x = count == 3 ? value_of(j, argument[2]).mean : NAN;
    bool named = false;

    for (int c = 0; c < f->curves; c++) {
        const swq_figure_curve *curve = &f->curve[c];
        if (strcmp(f->kind->panel[curve->panel].letter, argument[0]) != 0 ||
            strcmp(curve->name, argument[1]) != 0)
            continue;
        named = true;
        for (int k = 0; k < curve->points; k++) {
            const swq_figure_answer *a = curve->point[k].answer;
            if (curve->point[k].x == x) {
                const double half = (a->upper - a->lower) / 2;
                /* a measurement whose interval is not known tells nothing */
                return (swq_estimate){a->value, !isnan(half)                      ? half
                                                : curve->point[k].question->width ? INFINITY
                                                                                  : 0};
            }
        }
    }
    if (!named)
        figure_judge_wrong(j, "there is no such curve");
    return nothing;
}

/* made(NAME), of a figure that is made by a function. */
static swq_estimate made(figure_judge *j, const char *name)
{
    for (int k = 0; k < j->f->notes; k++) {
        if (strcmp(j->f->note[k].name, name) == 0)
            return j->f->note[k].value;
    }
    return figure_judge_wrong(j, "the figure has not made this");
}

static swq_estimate call(figure_judge *j, const char *name, size_t length)
{
    char argument[ARGUMENTS][JUDGE_WORD], word[JUDGE_WORD];
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
    swq_estimate packets;
    if (of_stores(j, word, argument, count, &packets))
        return packets;
    if (strcmp(word, "answer") == 0 && j->f->plan->questions)
        return answer(j, argument, count);
    if (strcmp(word, "made") == 0)
        return made(j, argument[0]);
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
    if (strcmp(word, "larger") == 0 || strcmp(word, "smaller") == 0) {
        const double a = value_of(j, argument[0]).mean, b = value_of(j, argument[1]).mean;
        return (swq_estimate){*word == 'l' ? fmax(a, b) : fmin(a, b), 0};
    }
    if (strcmp(word, "higher") == 0) {
        const swq_estimate a = value_of(j, argument[0]), b = value_of(j, argument[1]);
        return b.mean > a.mean ? b : a;
    }
    return of_quantity(j, word, argument, count);
}

/* "N cycles of OPTIONS" or "N cycles at THROUGHPUT of OPTIONS", a network that is run. */
static swq_status measured(figure_judge *j, const char *words, const char *quantity,
                           swq_estimate *value)
{
    swq_sim_options options = swq_sim_defaults();
    double throughput = 0;
    char *end;

    options.cycles = strtoull(words, &end, 10);
    options.seed = j->f->out->options.seed;
    if (j->confidence > 0)
        options.confidence = j->confidence;
    if (strncmp(end, " cycles at ", 11) == 0)
        throughput = strtod(end + 11, &end);
    else if (strncmp(end, " cycles ", 8) == 0)
        end += 7;
    return strncmp(end, " of ", 4) == 0
               ? figure_measure(j->f->ctx, end + 4, throughput, &options, quantity, value)
               : swq_fail(j->f->ctx, SWQ_EINVAL, "N cycles of OPTIONS, not '%.60s'", words);
}

/* A reading of an answer, in its parts. */
typedef struct {
    size_t words, length; /* characters of the command, and of all before "}" */
    char key[80], lower[96], upper[96];
} asked_reading;

static bool parts_of(const char *text, asked_reading *r)
{
    char keys[200];
    const char *colon = strstr(text, " : ");

    r->length = strcspn(text, "}");
    if (!colon || colon > text + r->length || !text[r->length])
        return false;
    r->words = (size_t)(colon - text);
    snprintf(keys, sizeof keys, "%.*s", (int)(r->length - r->words - 3), colon + 3);
    const char *to = strstr(keys, " .. ");
    snprintf(r->key, sizeof r->key, "%.*s", to ? (int)(to - keys) : 79, keys);
    snprintf(r->lower, sizeof r->lower, to ? "%s" : "%s.mean", r->key);
    snprintf(r->upper, sizeof r->upper, to ? "%s" : "%s.half_width", to ? to + 4 : r->key);
    return true;
}

/* A number of an answer; the middle of proven bounds, and half of their width; or a measurement. */
static swq_estimate number_of(const asked_reading *r, const swq_figure_answer *a)
{
    if (strcmp(r->lower, r->key) == 0) /* bounds */
        return (swq_estimate){0.5 * (a->lower + a->upper), 0.5 * (a->upper - a->lower)};
    return isnan(a->value) ? (swq_estimate){a->lower, a->upper} : (swq_estimate){a->value, 0};
}

static judge_answer *kept_answer(figure_judge *j, const char *text, size_t length)
{
    for (int k = 0; k < JUDGE_ANSWERS; k++) {
        judge_answer *kept = &j->answer[k];
        if (strncmp(kept->question, text, length) == 0 && !kept->question[length])
            return kept;
    }
    return NULL;
}

static void keep_answer(figure_judge *j, const char *text, size_t length, swq_estimate value)
{
    judge_answer *kept = &j->answer[j->answers++ % JUDGE_ANSWERS];

    snprintf(kept->question, sizeof kept->question, "%.*s", (int)length, text);
    kept->value = value;
}

/* What follows the next "{"; or NULL. */
static const char *next_reading(const char *from)
{
    const char *brace = from ? strchr(from, '{') : NULL;

    return brace ? brace + 1 : NULL;
}

/* Asks a command once for all its numbers in the comparison, and keeps them. */
static void ask(figure_judge *j, const char *words)
{
    enum { TOGETHER = JUDGE_ANSWERS / 2 };
    const swq_figure_source *source = swq_context_lent(j->f->ctx);
    const size_t length = strlen(words);
    const char *text[TOGETHER];
    asked_reading reading[TOGETHER];
    swq_figure_question question[TOGETHER];
    swq_figure_answer answer[TOGETHER];
    int count = 0;

    for (const char *at = j->at, *more = next_reading(j->text); at && count < TOGETHER;
         at = more, more = next_reading(more)) {
        asked_reading *r = &reading[count];
        bool new = parts_of(at, r) && r->words == length &&strncmp(at, words, length) == 0 &&
                   !kept_answer(j, at, r->length);
        for (int k = 0; k < count && new; k++)
            new = strncmp(at, text[k], r->length + 1) != 0;
        if (!new)
            continue;
        question[count] = (swq_figure_question){
            .words = words, .value = r->key, .lower = r->lower, .upper = r->upper};
        answer[count] = (swq_figure_answer){.value = NAN};
        text[count++] = at;
    }
    const swq_status status = source->answer(j->f->ctx, question, count, 1, answer);
    if (status && !j->f->status)
        j->f->status = status;
    for (int k = 0; k < count; k++) {
        if (answer[k].limited && !j->f->status)
            j->f->status = swq_fail(j->f->ctx, SWQ_ENOMEM, "%s", answer[k].why);
        if (isnan(answer[k].value) && isnan(answer[k].lower))
            figure_judge_wrong(j, answer[k].why);
        keep_answer(j, text[k], reading[k].length, number_of(&reading[k], &answer[k]));
    }
}

/* "{N cycles of OPTIONS : QUANTITY}": a network is run. "{WORDS : KEY}": a number in the answer of
 * a command, or a measurement with its interval; "{WORDS : LOWER .. UPPER}": a number with proven
 * bounds. */
static swq_estimate answered(figure_judge *j)
{
    const swq_figure_source *source = swq_context_lent(j->f->ctx);
    const char *text = j->at;
    asked_reading r;

    if (!parts_of(text, &r))
        return figure_judge_wrong(j, "{COMMAND : KEY}");
    if (!source || !source->answer)
        return figure_judge_wrong(j, "nobody answers");
    if (!kept_answer(j, text, r.length)) {
        char words[JUDGE_TEXT];
        snprintf(words, sizeof words, "%.*s", (int)r.words, text);
        if (isdigit((unsigned char)*words)) {
            swq_estimate value = nothing;
            const swq_status status = measured(j, words, r.key, &value);
            if (status && !j->f->status)
                j->f->status = status;
            keep_answer(j, text, r.length, value);
        } else {
            ask(j, words);
        }
    }
    j->at = text + r.length + 1;
    return j->f->status ? nothing : kept_answer(j, text, r.length)->value;
}

swq_estimate figure_judge_primary(figure_judge *j)
{
    figure_judge_skip(j);
    const char *begin = j->at;

    if (figure_judge_takes(j, "{"))
        return answered(j);
    if (figure_judge_takes(j, "(")) {
        const swq_estimate inside = figure_judge_sum(j);
        return figure_judge_takes(j, ")") ? inside : figure_judge_wrong(j, "')' is missing");
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
    return figure_judge_wrong(j, "a number or a quantity is missing");
}

/* The operator that comes next, between blanks; 0: none of `known`. */
static char operator_of(figure_judge *j, const char *known)
{
    const size_t blanks = strspn(j->at, " \n");
    const char *at = j->at + blanks;

    if (blanks == 0 || !*at || !strchr(known, *at) || (at[1] != ' ' && at[1] != '\n'))
        return 0;
    j->at = at + 1;
    return *at;
}

static swq_estimate product(figure_judge *j)
{
    swq_estimate value = figure_judge_primary(j);

    for (char o; (o = operator_of(j, "*/")) && !j->f->status;)
        value = apply(o, value, figure_judge_primary(j));
    return value;
}

swq_estimate figure_judge_sum(figure_judge *j)
{
    swq_estimate value = product(j);

    for (char o; (o = operator_of(j, "+-")) && !j->f->status;)
        value = apply(o, value, product(j));
    return value;
}
