/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of more rows than anybody reads, as text: the extremes and quantiles of each column.
 */
#include "cli/record/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 40, NAMES = 20 };

typedef struct {
    double value;
    const cli_record *item;
} spread_row;

static int by_value(const void *a, const void *b)
{
    const spread_row *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

/* The number in an item's field; NAN: there is none. */
static double number_of(const cli_record *item, const char *key)
{
    const cli_record *f = cli_record_child(item, key);

    if (f && f->kind == CLI_COUNT)
        return (double)f->count;
    return f && f->kind == CLI_NUMBER ? f->value : NAN;
}

/* The numbers of a column, sorted; returns how many. */
static size_t sorted(const cli_record *list, const cli_record *column, spread_row *row)
{
    size_t rows = 0;

    if (column->quiet || !column->key)
        return 0;
    for (const cli_record *item = list->child; item; item = item->next) {
        const double value = number_of(item, column->key);
        if (isfinite(value))
            row[rows++] = (spread_row){value, item};
    }
    qsort(row, rows, sizeof *row, by_value);
    return rows;
}

static void print_columns(const cli_record *list, spread_row *row)
{
    static const double quantile[] = {0, 0.1, 0.5, 0.9, 1};
    char text[80];

    snprintf(text, sizeof text, "%llu %ss", (unsigned long long)list->count, list->title);
    printf("\n  %-*s  %9s  %9s  %9s  %9s  %9s\n", NAMES, text, "least", "10%", "median", "90%",
           "most");
    for (const cli_record *c = list->child->child; c; c = c->next) {
        const size_t rows = sorted(list, c, row);
        if (!rows)
            continue;
        printf("  %-*s", NAMES, cli_record_label(c, text, sizeof text));
        for (int k = 0; k < 5; k++)
            printf("  %9.4g", row[(size_t)lround(quantile[k] * (double)(rows - 1))].value);
        const cli_record *most = row[rows - 1].item;
        printf("  %s\n", most->text ? most->text : "");
    }
    puts("  (at the end of a line, where the most is; --json or --csv tells all)");
}

bool cli_record_print_spread(const cli_record *list)
{
    spread_row *row =
        list->abridged && list->count > MOST_ROWS ? calloc(list->count, sizeof *row) : NULL;

    if (row)
        print_columns(list, row);
    free(row);
    return row != NULL;
}
