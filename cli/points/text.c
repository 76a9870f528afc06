/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points of ranges as a table for people: a line each.
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

/* A column: a figure of the result, or of a group of the result. */
typedef struct {
    const cli_record *group, *figure; /* of the first answer; group NULL: the result */
    int width;
} column;

static const cli_record *field_of(const cli_record *root, const column *c)
{
    const cli_record *in = result_of(root);

    in = c->group ? cli_record_child(in, c->group->key) : in;
    return in ? cli_record_child(in, c->figure->key) : NULL;
}

/* Does any of the answers show that figure? */
static bool shown(const column *c, cli_record *const *record, int count)
{
    if (c->figure->kind != CLI_NUMBER)
        return false;
    for (int k = 0; k < count; k++) {
        const cli_record *f = field_of(record[k], c);
        if (f && !f->quiet && (!isnan(f->value) || isfinite(f->high)))
            return true;
    }
    return false;
}

static int width_of(const column *c, cli_record *const *record, int count)
{
    char text[CELL];
    int width = (int)strlen(cli_record_label(c->figure, text, sizeof text));

    for (int k = 0; k < count; k++) {
        const cli_record *f = field_of(record[k], c);
        int length = f ? (int)strlen(cli_record_cell(f, text, sizeof text)) : 1;
        width = length > width ? length : width;
    }
    return width;
}

/* Adds the figures of a group that any answer shows; NULL: of the result. */
static int find_columns(const cli_record *group, cli_record *const *record, int count,
                        column *columns, int found)
{
    const cli_record *in = group ? group : result_of(record[0]);

    for (const cli_record *f = in->child; f && found < MOST_COLUMNS; f = f->next) {
        column *c = &columns[found];
        *c = (column){.group = group, .figure = f};
        if (!group && f->in_columns) {
            found = find_columns(f, record, count, columns, found);
        } else if (shown(c, record, count)) {
            c->width = width_of(c, record, count);
            found++;
        }
    }
    return found;
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

/* Is this a sentence that all answers end with? */
static bool is_shared(const cli_record *sentence, cli_record *const *record, int count)
{
    for (int k = 1; k < count; k++) {
        const cli_record *f = record[k]->child;
        while (f && !(f->kind == CLI_SENTENCE && f->text && strcmp(f->text, sentence->text) == 0))
            f = f->next;
        if (!f)
            return false;
    }
    return true;
}

/* The sentences behind the result that all answers share, such as the accuracy of a method. */
static void print_shared(cli_record *const *record, int count)
{
    const cli_record *f = result_of(record[0])->next;

    for (; f && result_of(record[0]) != record[0]; f = f->next) {
        if (f->kind != CLI_SENTENCE || !f->text || !is_shared(f, record, count))
            continue;
        if (f->wrapped)
            cli_print_wrapped(f->text, f->indent);
        else
            puts(f->text);
    }
}

void cli_points_text(const cli_axes *axes, cli_record *const *record, const int *point, int count)
{
    column columns[MOST_COLUMNS];
    char text[CELL], unit[120], words[CLI_QUESTION_WORDS];
    const int found = find_columns(NULL, record, count, columns, 0);

    cli_print_wrapped(cli_points_words(axes, record, count, words, sizeof words), 2);
    putchar('\n');
    for (int a = 0; a < axes->axes; a++)
        printf("  %*s", axis_width(&axes->axis[a]), axes->axis[a].option);
    for (int c = 0; c < found; c++)
        printf("  %*s", columns[c].width, cli_record_label(columns[c].figure, text, sizeof text));
    putchar('\n');
    for (int k = 0; k < count; k++) {
        const cli_record *result = result_of(record[k]);
        for (int a = 0; a < axes->axes; a++)
            printf("  %*s", axis_width(&axes->axis[a]),
                   axes->axis[a].value[cli_axes_place(axes, point[k], a)]);
        for (int c = 0; c < found; c++) {
            const cli_record *f = field_of(record[k], &columns[c]);
            printf("  %*s", columns[c].width, f ? cli_record_cell(f, text, sizeof text) : "-");
        }
        puts(result->heading ? result->heading : "");
    }
    putchar('\n');
    for (int c = 0; c < found; c++) {
        if (!columns[c].group && *cli_record_unit(columns[c].figure, unit, sizeof unit))
            printf("  %s:%s\n", cli_record_label(columns[c].figure, text, sizeof text), unit);
    }
    print_shared(record, count);
}
