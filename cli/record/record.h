/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers as records: named fields, each with a value and the accuracy of the value, in the order
 * in which people read them. A command builds one record; text, JSON and CSV are written from it,
 * so all formats say the same. One table (quantities.csv) has the meaning of each name, its label
 * and its unit.
 */
#ifndef SWQ_CLI_RECORD_H
#define SWQ_CLI_RECORD_H

#include "switchq/exact.h"
#include "switchq/sim.h"

#include "cli/print/output.h"

/* A field, or a group of fields: an object, or a list of objects. All belong to the record made by
 * cli_record_new. After memory has run out every function below accepts NULL and returns NULL, and
 * cli_record_print reports it. Names and units are kept as pointers, so they must outlive the
 * record. */
typedef struct cli_record cli_record;

/* An empty record; its schema is the first field. Free with cli_record_free, which accepts NULL. */
cli_record *cli_record_new(const char *schema);
void cli_record_free(cli_record *root);

/* ---- groups ---- */

/* A group of fields. `title` is the line above the group in text, printed unchanged after an empty
 * line; NULL: the group's fields follow the previous fields without a title. */
cli_record *cli_put_group(cli_record *in, const char *key, const char *title);

/* A list of groups with the same fields, such as stages: in text a table under `title` (NULL: not
 * shown), in CSV rows of their own. */
cli_record *cli_put_list(cli_record *in, const char *key, const char *title);

/* As cli_put_list, but the list is an object in JSON, with each item under its name. */
cli_record *cli_put_named(cli_record *in, const char *key, const char *title);

/* A list whose items are answers, such as the points of a range: in CSV these items are the rows,
 * instead of the whole record; fields behind the list in the record are about all items together,
 * and are in no row. Text shows it only as a grid. */
cli_record *cli_put_points(cli_record *in, const char *key);

/* In text, if the list has more rows than a page, it is summarized by the extremes and quantiles of
 * its columns. */
cli_record *cli_abridged(cli_record *list);

/* Shows these points in text after all: as a table under `title`; NULL: only items with titles. */
cli_record *cli_told(cli_record *points, const char *title);

/* The next group of a list; `name` is its name in CSV and in the table's first column (copied);
 * NULL: its number, from 1. */
cli_record *cli_put_item(cli_record *list, const char *name);

/* In text, this item of a list without a title becomes a group under this line (an empty line:
 * none); in a table, the text is shown after the item. */
cli_record *cli_titled(cli_record *item, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* In text, the items of this list are the cells of a grid with `columns` cells to a row. A column
 * has the name of its first item, a row the title of its first item (cli_titled), whose further
 * lines stand below it; `corner` is above these. */
cli_record *cli_as_grid(cli_record *list, const char *corner, int columns);

/* Sets the text that an item of a grid shows on the line `line`; a row of the grid omits lines on
 * which no item has a text. Cells are right-aligned. */
void cli_show(cli_record *item, const char *line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* In a list, the fields of this group of an item become columns, like those of the item itself. */
cli_record *cli_in_columns(cli_record *group);

/* The field or group of that name directly in `in`; NULL: there is none. */
cli_record *cli_record_child(const cli_record *in, const char *key);

/* Removes the field `key`, if there is one. */
void cli_record_drop(cli_record *in, const char *key);

/* ---- fields ---- */

cli_record *cli_put_number(cli_record *in, const char *key, double value); /* NAN: none */
cli_record *cli_put_count(cli_record *in, const char *key, uint64_t value);
cli_record *cli_put_word(cli_record *in, const char *key,
                         const char *word); /* copied; NULL: none */
/* A decimal with any number of digits, copied as it is. */
cli_record *cli_put_decimal(cli_record *in, const char *key, const char *digits);
cli_record *cli_put_truth(cli_record *in, const char *key, bool value);
cli_record *cli_put_numbers(cli_record *in, const char *key, const double *value, int count);
cli_record *cli_put_words(cli_record *in, const char *key, const char *const *word, int count);

/* rows x columns numbers: an array of arrays. In text, under `title`, there is a line for each
 * column, numbered from 0, with a number for each row; rows are labelled `name` and their number,
 * or only `name` if there is one. title NULL: not shown. */
cli_record *cli_put_rows(cli_record *in, const char *key, const char *title, const char *name,
                         const double *value, int rows, int columns);

/* A mean with its confidence interval. The field is also a group, for further knowledge of the
 * quantity, such as percentiles. */
cli_record *cli_put_estimate(cli_record *in, const char *key, swq_estimate e);

/* A mean that has no interval, such as an approximation's: JSON has it as it has one with an
 * interval, whose half-width is null. Also a group. */
cli_record *cli_put_mean(cli_record *in, const char *key, double mean);

/* A fraction of events. If the events are too rare for an interval, `below` is an upper bound of
 * the fraction (else NAN). Text then says that no event was seen, in how many trials, and on which
 * condition: {3990, "packets", "discards are independent"}; NULL: not in words of its own. */
typedef struct cli_trials {
    uint64_t number;
    const char *trials, *condition;
} cli_trials;
cli_record *cli_put_fraction(cli_record *in, const char *key, swq_estimate e, double below,
                             const cli_trials *trials);

/* A value with proven bounds, under the keys `stem`_lower and `stem`_upper. */
cli_record *cli_put_proven(cli_record *in, const char *key, const char *stem, const swq_mean *mean);

/* A value with a bound on its absolute error, under `key`_error. */
cli_record *cli_put_known(cli_record *in, const char *key, const swq_known *known);

/* ---- how a field is shown ---- */

/* A label, or a unit, that replaces the table's for this field. */
cli_record *cli_labelled(cli_record *field, const char *label);
cli_record *cli_in_unit(cli_record *field, const char *unit);

/* With 12 digits; in a list, a mean with its half-width. */
cli_record *cli_in_full(cli_record *field);

/* A deviation, which a list shows in percent, with its sign. */
cli_record *cli_in_percent(cli_record *field);

/* Text shows these words instead of the number. */
cli_record *cli_in_place(cli_record *field, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Words after the field's value. */
cli_record *cli_remark(cli_record *field, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text shows this group's sentences, tables and groups, but no lines of its fields. */
cli_record *cli_in_words(cli_record *group);

/* Not in text (of an item of a list: no line in the table), because a sentence says it, or it is of
 * no use to people. */
cli_record *cli_quietly(cli_record *field);

/* Marks a group as the answer, while the other groups describe the question: the answer's fields
 * come last in CSV, and rows of lists have the fields of their items in place of them. */
cli_record *cli_the_result(cli_record *group);

/* The cells of this list's table include their intervals. */
cli_record *cli_with_intervals(cli_record *list);

/* In CSV, the column `part` has this name for the items of the list, instead of the list's key. */
cli_record *cli_parts_called(cli_record *list, const char *word);

/* In CSV, the names of this group's fields begin with the name of the group. */
cli_record *cli_prefixed(cli_record *group);

/* In CSV, the names of the fields of this group of an item have no prefix; the rows of this list of
 * an item include the fields of the item. */
cli_record *cli_bare(cli_record *group);

/* Not in CSV; of an item: no row of its own. */
cli_record *cli_not_in_csv(cli_record *field);

/* Not in JSON: a list that is arranged for people, or for CSV. */
cli_record *cli_not_in_json(cli_record *list);

/* A sentence, or a line of a drawing, only for text; a paragraph, wrapped to the width of a
 * terminal, with the later lines indented. */
void cli_say(cli_record *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_tell(cli_record *in, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- writing ---- */

typedef enum cli_format { CLI_TEXT, CLI_JSON, CLI_CSV } cli_format;

/* Writes the record to standard output, or hands its tree to the question asked in this process;
 * flushes, and frees the record. Errors: SWQ_ENOMEM, SWQ_EIO. */
swq_status cli_record_print(swq_context *ctx, cli_record *root, cli_format format);

/* Writes several records of a command together: {"schema":"switchq/points/1","points":[...]}, or
 * one header and the rows of all. Frees them. */
swq_status cli_records_print(swq_context *ctx, cli_record **root, int count, cli_format format);

/* The JSON tree of a record; NULL: no memory. */
cJSON *cli_record_json(const cli_record *root);

void cli_record_text(const cli_record *root);
swq_status cli_records_csv(swq_context *ctx, cli_record *const *root, int count, FILE *to);

#endif
