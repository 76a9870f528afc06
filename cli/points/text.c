/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points of ranges as a table for people: a line each.
 * Room: cli.
 */
#include "cli/options/words.h"
#include "cli/points/points.h"
#include "cli/print/words.h"
#include "cli/record/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64, MOST_COLUMNS = 24 };

/* The figures of an answer that text shows, without lists. */
static const cli_record *result_of(const cli_record *root)
{
    for (const cli_record *f = root->child; f; f = f->next) {
        if (f->result)
            return f;
    }
    return root;
}

static const cli_record *field_of(const cli_record *root, const char *key)
{
    return cli_record_child(result_of(root), key);
}

/* Does any of the answers show that figure? */
static bool shown(const cli_record *column, cli_record *const *record, int count)
{
    if (column->kind != CLI_NUMBER)
        return false;
    for (int k = 0; k < count; k++) {
        const cli_record *f = field_of(record[k], column->key);
        if (f && !f->quiet && (!isnan(f->value) || isfinite(f->high)))
            return true;
    }
    return false;
}

static int width_of(const cli_record *column, cli_record *const *record, int count, int width)
{
    char text[CELL];

    for (int k = 0; k < count; k++) {
        const cli_record *f = field_of(record[k], column->key);
        int length = f ? (int)strlen(cli_record_cell(f, text, sizeof text)) : 1;
        width = length > width ? length : width;
    }
    return width;
}

static int axis_width(const cli_axis *axis)
{
    int width = (int)strlen(axis->option);

    for (int k = 0; k < axis->count; k++) {
        int length = (int)strlen(axis->value[k]);
        width = length > width ? length : width;
    }
    return width;
}

const char *cli_points_words(const cli_axes *axes, cli_record *const *record, int count, char *text,
                             size_t size)
{
    cli_question_words *words = malloc(2 * sizeof *words);

    *text = '\0';
    if (!words)
        return text;
    cli_question_phrases(record[0], &words[0]);
    for (int k = 1; k < count; k++) {
        cli_question_phrases(record[k], &words[1]);
        cli_question_keep(&words[0], &words[1]);
    }
    for (int a = 0; a < axes->axes; a++)
        cli_question_drop(&words[0], axes->axis[a].option);
    cli_question_text(&words[0], text, size);
    free(words);
    return text;
}

void cli_points_text(const cli_axes *axes, cli_record *const *record, const int *point, int count)
{
    const cli_record *column[MOST_COLUMNS];
    int width[MOST_COLUMNS], columns = 0;
    char text[CELL], unit[120], words[CLI_QUESTION_WORDS];

    cli_print_wrapped(cli_points_words(axes, record, count, words, sizeof words), 2);
    putchar('\n');
    for (const cli_record *f = result_of(record[0])->child; f && columns < MOST_COLUMNS;
         f = f->next) {
        if (!shown(f, record, count))
            continue;
        column[columns] = f;
        width[columns] =
            width_of(f, record, count, (int)strlen(cli_record_label(f, text, sizeof text)));
        columns++;
    }
    for (int a = 0; a < axes->axes; a++)
        printf("  %*s", axis_width(&axes->axis[a]), axes->axis[a].option);
    for (int c = 0; c < columns; c++)
        printf("  %*s", width[c], cli_record_label(column[c], text, sizeof text));
    putchar('\n');
    for (int k = 0; k < count; k++) {
        for (int a = 0; a < axes->axes; a++)
            printf("  %*s", axis_width(&axes->axis[a]),
                   axes->axis[a].value[cli_axes_place(axes, point[k], a)]);
        for (int c = 0; c < columns; c++) {
            const cli_record *f = field_of(record[k], column[c]->key);
            printf("  %*s", width[c], f ? cli_record_cell(f, text, sizeof text) : "-");
        }
        putchar('\n');
    }
    putchar('\n');
    for (int c = 0; c < columns; c++) {
        if (*cli_record_unit(column[c], unit, sizeof unit))
            printf("  %s:%s\n", cli_record_label(column[c], text, sizeof text), unit);
    }
}
