/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A record as text: a line for each field, with its label, its value in the digits that are known,
 * and its unit; a table for each list.
 */
#include "cli/print/words.h"
#include "cli/record/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 22 };

static void print_interval(const cli_record *f, const char *unit)
{
    char mean[40];

    if (isfinite(f->high) && f->value == 0 && f->title) {
        printf("none of %llu %s: below %.1e, if %s", (unsigned long long)f->count, f->title,
               f->high, f->condition);
    } else if (isfinite(f->high)) {
        printf("%.2g, too rare for an interval: below %.2g%s", f->value, f->high, unit);
    } else if (isnan(f->low)) {
        printf("%.6g%s", f->value, unit);
    } else if (isinf(f->low)) {
        printf("%.6g%s (too little to tell how exactly)", f->value, unit);
    } else {
        cli_record_rounded(mean, sizeof mean, f->value, f->low);
        printf("%s +- %.2g%s", mean, f->low, unit);
    }
}

/* The number of digits that are known with the relative error `relative`, at most 15. */
static int digits_of(double relative)
{
    return (int)fmin(15, fmax(2, floor(-log10(relative))));
}

static void print_proven(const cli_record *f, const char *unit)
{
    const double half = fmax(f->high - f->value, f->value - f->low);

    if (f->value == 0 && f->high == 0)
        printf("0 exactly%s", unit);
    else if (half > 0 && half < 0.1 * f->value)
        printf("%.*g%s   (proven to within %.1g of itself)", digits_of(half / f->value), f->value,
               unit, half / f->value);
    else
        printf("%.*g%s   (proven to lie in %.4g .. %.4g)", half > 0 ? 2 : 6, f->value, unit, f->low,
               f->high);
}

static void print_error(const cli_record *f, const char *unit)
{
    const double relative = f->low / fabs(f->value);

    if (isinf(f->low))
        printf("%.2g%s   (nothing could be proven of it)", f->value, unit);
    else if (f->low < 0.1 * fabs(f->value))
        printf("%.*g%s   (to within %.1g of itself)", digits_of(relative), f->value, unit,
               relative);
    else
        printf("%.6g%s   (to within %.1g)", f->value, unit, f->low);
}

static void print_number(const cli_record *f, const char *unit)
{
    if (f->text) {
        printf("%s%s", f->text, unit);
        return;
    }
    switch (f->known) {
    case CLI_INTERVAL:
        print_interval(f, unit);
        break;
    case CLI_PROVEN:
        print_proven(f, unit);
        break;
    case CLI_ERROR:
        print_error(f, unit);
        break;
    default:
        printf(f->in_full ? "%.12g%s" : "%.6g%s", f->value, unit);
    }
}

static void print_value(const cli_record *f)
{
    char unit[120];

    cli_record_unit(f, unit, sizeof unit);
    switch (f->kind) {
    case CLI_NUMBER:
        print_number(f, unit);
        break;
    case CLI_COUNT:
        printf("%llu%s", (unsigned long long)f->count, unit);
        break;
    case CLI_TRUTH:
        fputs(f->count ? "yes" : "no", stdout);
        break;
    case CLI_NUMBERS:
        for (uint64_t k = 0; k < f->count; k++)
            printf("%s%.6g", k ? " " : "", f->numbers[k]);
        fputs(unit, stdout);
        break;
    case CLI_WORDS:
        for (uint64_t k = 0; k < f->count; k++)
            printf("%s%s", k ? ", " : "", f->words[k]);
        break;
    default:
        fputs(f->text, stdout);
    }
}

/* A line for each column of the rows. */
static void print_rows(const cli_record *f)
{
    const int columns = f->rows ? (int)f->count / f->rows : 0;
    char name[40];

    printf("\n  %s", f->title);
    for (int r = 0; r < f->rows; r++) {
        if (f->rows > 1)
            snprintf(name, sizeof name, "%s %d", f->label, r);
        else
            snprintf(name, sizeof name, "%s", f->label);
        printf("  %12s", name);
    }
    for (int k = 0; k < columns; k++) {
        printf("\n  %*d", (int)strlen(f->title), k);
        for (int r = 0; r < f->rows; r++)
            printf("  %12.6g", f->numbers[r * columns + k]);
    }
    putchar('\n');
}

/* ---- groups ---- */

static void print_group(const cli_record *group);

/* Prints the items that have a title of their own. */
static void print_items(const cli_record *list)
{
    for (const cli_record *item = list->child; item; item = item->next) {
        if (item->heading) {
            if (*item->heading)
                printf("\n%s\n", item->heading);
            print_group(item);
        }
    }
}

static void print_group(const cli_record *group)
{
    char text[80];

    for (const cli_record *f = group->child; f; f = f->next) {
        if (!cli_record_shown(f))
            continue;
        if (f->kind == CLI_SENTENCE && f->wrapped) {
            cli_print_wrapped(f->text, f->indent);
        } else if (f->kind == CLI_SENTENCE) {
            puts(f->text);
        } else if (f->kind == CLI_LIST) {
            if (f->columns && f->child)
                cli_record_print_grid(f);
            else if (!f->title || !f->child)
                print_items(f);
            else if (!cli_record_print_spread(f))
                cli_record_print_list(f);
        } else if (f->kind == CLI_ROWS) {
            print_rows(f);
        } else if (f->kind == CLI_GROUP) {
            if (f->title)
                printf("\n%s\n", f->title);
            print_group(f);
        } else if (!group->in_words) {
            printf("  %-*s ", LABEL, cli_record_label(f, text, sizeof text));
            print_value(f);
            puts(f->heading ? f->heading : "");
            print_group(f);
        }
    }
}

void cli_record_text(const cli_record *root)
{
    print_group(root);
}
