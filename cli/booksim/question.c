/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of settings, notes on them, and options made of them.
 */
#include "cli/booksim/question.h"
#include "cli/options/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *booksim_text(const booksim_question *q, const char *name)
{
    return q->values->value[booksim_place(name)].text;
}

bool booksim_is(const booksim_question *q, const char *name, const char *text)
{
    return strcmp(booksim_text(q, name), text) == 0;
}

/* Has the command line an option in place of the setting? */
static bool replaced(const booksim_question *q, int place)
{
    const char *option = booksim_rows[place].option;

    return option && cli_given(q->table, option);
}

/* A note on a setting: where it stands, its value, and the text. */
static void note(const booksim_question *q, const char *name, const char *format, va_list list)
{
    const int place = booksim_place(name), line = q->values->value[place].line;
    char text[600];

    vsnprintf(text, sizeof text, format, list);
    if (line)
        cli_note("%.200s, line %d, %s = %.60s: %s", q->path, line, name,
                 q->values->value[place].text, text);
    else
        cli_note("%.200s, BookSim's default %s = %s: %s", q->path, name,
                 q->values->value[place].text, text);
}

void booksim_refuse(booksim_question *q, const char *name, const char *format, ...)
{
    const int place = booksim_place(name);
    va_list list;

    if (q->is_refused[place] || replaced(q, place))
        return;
    va_start(list, format);
    note(q, name, format, list);
    va_end(list);
    q->is_refused[place] = true;
    q->refused++;
}

void booksim_remark(const booksim_question *q, const char *name, const char *format, ...)
{
    va_list list;

    if (replaced(q, booksim_place(name)))
        return;
    va_start(list, format);
    note(q, name, format, list);
    va_end(list);
}

double booksim_number(booksim_question *q, const char *name)
{
    const char *text = booksim_text(q, name);
    char *end;
    const double value = strtod(text, &end);

    if (end > text && !*end && isfinite(value))
        return value;
    booksim_refuse(q, name,
                   *text == '{' ? "several values are not translated: one number is"
                                : "it must be a number");
    return 0;
}

int booksim_whole(booksim_question *q, const char *name, int least, int most)
{
    const double value = booksim_number(q, name);

    if (q->is_refused[booksim_place(name)])
        return least;
    if (value >= least && value <= most && value == floor(value))
        return (int)value;
    booksim_refuse(q, name, "it must be a whole number from %d to %d", least, most);
    return least;
}

void booksim_add(booksim_question *q, const char *option, const char *format, ...)
{
    char text[600];
    va_list list;

    if (q->status || cli_given(q->table, option))
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    q->status = cli_arguments_option(q->ctx, q->to, option, "");
    if (!q->status)
        q->status = cli_arguments_own(q->ctx, q->to, text);
}
