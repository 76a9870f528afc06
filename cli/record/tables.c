/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists of a record as text: tables of a line for each item, and grids of cells.
 */
#include "cli/print/append.h"
#include "cli/record/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_COLUMN = 7, MOST_COLUMNS = 64, CELL = 120, LINE = 1000 };

/* ---- a line for each item ---- */

/* A field of the items of a list, or of a group in the items. */
typedef struct {
    const cli_record *group, *field; /* of the first item; group NULL: a field of the item itself */
    int width;
} list_column;

/* The text of a cell, with as many digits as the column is wide; a dash if there is no number. */
static const char *list_cell(const cli_record *list, const cli_record *f, char text[CELL])
{
    char mean[40];

    if (!f || (f->kind == CLI_NUMBER && isnan(f->value)) || (f->kind == CLI_WORD && !f->text))
        return memcpy(text, "-", 2);
    if (f->text) {
        snprintf(text, CELL, "%s", f->text);
    } else if (f->kind == CLI_NUMBER && list->intervals) {
        cli_record_cell(f, text, CELL);
    } else if (f->kind == CLI_NUMBER && f->known == CLI_INTERVAL && isfinite(f->low) &&
               f->low > 0) {
        cli_record_rounded(mean, sizeof mean, f->value, f->low);
        snprintf(text, CELL, f->in_full ? "%s +- %-7.2g" : "%s", mean, f->low);
    } else if (f->kind == CLI_NUMBER && isinf(f->value)) {
        snprintf(text, CELL, f->value > 0 ? "infinite" : "-infinite");
    } else if (f->kind == CLI_NUMBER && f->in_percent) {
        snprintf(text, CELL, "%+.2f%%", 100 * f->value);
    } else if (f->kind == CLI_NUMBER) {
        snprintf(text, CELL, f->in_full ? "%.12g" : "%.5g", f->value);
    } else if (f->kind == CLI_COUNT) {
        snprintf(text, CELL, "%llu", (unsigned long long)f->count);
    } else if (f->kind == CLI_TRUTH) {
        snprintf(text, CELL, "%s", f->count ? "yes" : "no");
    } else {
        text[0] = '\0';
    }
    return text;
}

static const cli_record *field_of(const cli_record *item, const list_column *c)
{
    return cli_record_child(c->group ? cli_record_child(item, c->group->key) : item, c->field->key);
}

/* Is the column shown: has any item of the list a value in it? Sets the width of the column. */
static bool column_shown(const cli_record *list, list_column *c)
{
    const cli_record_kind kind = c->field->kind;
    char text[CELL];
    bool shown = false;

    if (c->field->quiet || kind == CLI_GROUP || kind == CLI_LIST || kind == CLI_SENTENCE ||
        kind == CLI_NUMBERS || kind == CLI_ROWS)
        return false;
    c->width = (int)strlen(cli_record_label(c->field, text, sizeof text));
    c->width = c->width < LEAST_COLUMN ? LEAST_COLUMN : c->width;
    for (const cli_record *item = list->child; item; item = item->next) {
        const cli_record *f = item->quiet ? NULL : field_of(item, c);
        const int width = (int)strlen(list_cell(list, f, text));
        shown = shown || (f && cli_record_shown(f));
        c->width = width > c->width ? width : c->width;
    }
    return shown;
}

/* The first item determines the columns. */
static int find_columns(const cli_record *list, list_column column[MOST_COLUMNS])
{
    int count = 0;

    for (const cli_record *f = list->child->child; f && count < MOST_COLUMNS; f = f->next) {
        column[count] = (list_column){NULL, f, 0};
        count += column_shown(list, &column[count]);
        for (const cli_record *g = f->in_columns ? f->child : NULL; g && count < MOST_COLUMNS;
             g = g->next) {
            column[count] = (list_column){f, g, 0};
            count += column_shown(list, &column[count]);
        }
    }
    return count;
}

void cli_record_print_list(const cli_record *list)
{
    list_column column[MOST_COLUMNS];
    const int columns = find_columns(list, column);
    int names = (int)strlen(list->title);
    char text[CELL];

    for (const cli_record *item = list->child; item; item = item->next) {
        int length = item->text ? (int)strlen(item->text) : 1;
        names = length > names ? length : names;
    }
    if (!list->points)
        putchar('\n');
    printf("  %-*s", names, list->title);
    for (int c = 0; c < columns; c++)
        printf("  %*s", column[c].width, cli_record_label(column[c].field, text, sizeof text));
    putchar('\n');
    for (const cli_record *item = list->child; item; item = item->next) {
        if (item->quiet)
            continue;
        if (item->text)
            printf("  %-*s", names, item->text);
        else
            printf("  %*llu", names, (unsigned long long)item->count);
        for (int c = 0; c < columns; c++)
            printf("  %*s", column[c].width, list_cell(list, field_of(item, &column[c]), text));
        puts(item->heading ? item->heading : "");
    }
}

/* ---- grids ---- */

/* The text of column k of a row on a line; "": empty. */
static const char *grid_cell(const cli_record *row, int k, const char *line)
{
    for (; k > 0 && row; k--)
        row = row->next;
    for (const cli_record *f = row ? row->child : NULL; f; f = f->next) {
        if (f->kind == CLI_SENTENCE && f->key && strcmp(f->key, line) == 0)
            return f->text;
    }
    return "";
}

/* The length of the next line of a row's title. */
static int title_length(const char *title)
{
    return (int)strcspn(title, "\n");
}

/* Widths of the names of rows, of the names of lines, and of each column. */
static void grid_widths(const cli_record *grid, int *names, int *lines, int width[])
{
    int k = 0;

    *names = (int)strlen(grid->title);
    *lines = 0;
    for (const cli_record *item = grid->child; item; item = item->next, k++) {
        int *const its = &width[k % grid->columns];
        const char *title = item->heading ? item->heading : "";
        for (int length; *title; title += length + (title[length] != '\0')) {
            length = title_length(title);
            *names = length > *names ? length : *names;
        }
        if (item->text && (int)strlen(item->text) > *its)
            *its = (int)strlen(item->text);
        for (const cli_record *f = item->child; f; f = f->next) {
            if (f->kind != CLI_SENTENCE || !f->key)
                continue;
            *its = (int)strlen(f->text) > *its ? (int)strlen(f->text) : *its;
            *lines = (int)strlen(f->key) > *lines ? (int)strlen(f->key) : *lines;
        }
    }
}

/* Prints a line without the blanks at its end. */
static void put_line(char line[LINE])
{
    size_t length = strlen(line);

    while (length > 0 && line[length - 1] == ' ')
        length--;
    printf("%.*s\n", (int)length, line);
}

static void add_text(char line[LINE], int width, const char *text)
{
    cli_append(line, LINE, "%*s", width, text);
}

/* Prints a line of a row, if any of its cells shows something on it. */
static bool print_grid_line(const cli_record *grid, const cli_record *row, const char *name,
                            const char *title, const int *widths)
{
    const int names = widths[0], lines = widths[1], *width = widths + 2;
    char line[LINE];
    bool any = false;

    snprintf(line, sizeof line, "%-*.*s %*s", names, title_length(title), title, lines, name);
    for (int k = 0; k < grid->columns; k++) {
        const char *text = grid_cell(row, k, name);
        any = any || *text;
        add_text(line, width[k] + 1, text);
    }
    if (any)
        put_line(line);
    return any;
}

static void print_grid_row(const cli_record *grid, const cli_record *row, const int *widths)
{
    const char *title = row->heading ? row->heading : "";

    for (const cli_record *f = row->child; f; f = f->next) {
        if (f->kind == CLI_SENTENCE && f->key &&
            print_grid_line(grid, row, f->key, title, widths)) {
            title += title_length(title);
            title += *title == '\n';
        }
    }
    if (*title)
        puts(title);
}

void cli_record_print_grid(const cli_record *grid)
{
    int widths[MOST_COLUMNS + 2] = {0}, k = 0;
    char line[LINE];

    grid_widths(grid, &widths[0], &widths[1], widths + 2);
    snprintf(line, sizeof line, "%-*s", widths[0] + 1 + widths[1], grid->title);
    for (const cli_record *item = grid->child; item && k < grid->columns; item = item->next, k++)
        add_text(line, widths[k + 2] + 1, item->text ? item->text : "");
    put_line(line);
    k = 0;
    for (const cli_record *item = grid->child; item; item = item->next, k++) {
        if (k % grid->columns == 0)
            print_grid_row(grid, item, widths);
    }
}
