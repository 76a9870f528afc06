/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a record, for the files that write it.
 * Room: cli.
 */
#ifndef SWQ_CLI_RECORD_INSIDE_H
#define SWQ_CLI_RECORD_INSIDE_H

#include "cli/record/record.h"

typedef enum cli_record_kind {
    CLI_GROUP,
    CLI_LIST,
    CLI_NUMBER,
    CLI_COUNT,
    CLI_WORD,
    CLI_DECIMAL,
    CLI_TRUTH,
    CLI_NUMBERS,
    CLI_ROWS,
    CLI_WORDS,
    CLI_SENTENCE
} cli_record_kind;

/* How well a number is known. */
typedef enum cli_knowledge {
    CLI_AS_IS,    /* nothing is said of it */
    CLI_INTERVAL, /* +- low, the half-width; below `high` if that is finite: none of `count` */
    CLI_PROVEN,   /* low .. high encloses it */
    CLI_ERROR     /* off by at most low */
} cli_knowledge;

struct cli_record {
    cli_record_kind kind;
    cli_knowledge known;
    bool quiet, no_csv, prefixed, result, named, abridged, points, fraction, intervals;
    bool no_json, in_words, in_columns, bare, in_full, in_percent, wrapped;
    const char *key, *title;  /* title: of groups and lists; of a fraction: what is counted */
    const char *stem;         /* of the bounds' keys; of a list: what CSV calls its items */
    const char *condition;    /* of a bound on a fraction that was not seen */
    const char *label, *unit; /* other than the table's; NULL: the table's */
    double value, low, high;
    uint64_t count; /* the value; how many events; how many numbers or words; truth */
    char *text;     /* a word, a sentence, an item's name; words in place of a number */
    char *heading;  /* an item's title; what is said behind a field's value */
    double *numbers;
    int rows;    /* of CLI_ROWS; count is that of all numbers */
    int columns; /* of a list that is a grid; 0: it is none */
    int indent;  /* of the later lines of a sentence that is wrapped */
    char **words;
    cli_record *child, *last, *next, *root;
    bool failed;                     /* of a root: memory ran out */
    struct cli_record_block *blocks; /* of a root: the memory of all */
};

/* What a key means. */
typedef struct cli_quantity {
    const char *key;
    const char *label; /* in text; NULL: the key, its underlines blanks */
    const char *unit;  /* NULL: a pure number */
    const char *about; /* for the reference */
} cli_quantity;

/* The row of a key, or NULL. */
const cli_quantity *cli_quantity_of(const char *key);

/* Does it tell of the run rather than of the question, so that two runs differ in it? */
bool cli_incidental(const char *key);

/* An older name, with the key of the group or list that has it and a dot in front:
 * "stages.discarded"
 * (".judged": at the top; without a dot: anywhere); and the name in all commands. */
typedef struct cli_older_name {
    const char *older, *name;
} cli_older_name;

/* All, ended by one without a name. */
extern const cli_older_name cli_older_names[];

/* The common name of a field that has an older one in this group; NULL: its name is the common
 * one. Machines get the field under both. */
const char *cli_common_name(const cli_record *group, const cli_record *field);

/* What the numbers of an option are, for an axis: "packet slots per input port"; NULL: not known.
 */
const char *cli_option_means(const char *option);

/* The field under another name. */
cli_record cli_renamed(const cli_record *field, const char *name);

/* For people: a field's label; its unit with a blank before it, or ""; its value as it stands in a
 * table, with its interval. All return text. */
const char *cli_record_label(const cli_record *field, char *text, size_t size);
const char *cli_record_unit(const cli_record *field, char *text, size_t size);
const char *cli_record_cell(const cli_record *field, char *text, size_t size);

/* Is there anything to be said of it? */
bool cli_record_shown(const cli_record *field);

/* A mean rounded to the second digit of its half-width. */
void cli_record_rounded(char *text, size_t size, double mean, double half_width);

/* A list that has items, as a table: a line for each item, or the rows of its grid. */
void cli_record_print_list(const cli_record *list);

/* Does it have more rows than are shown, and are to be summed up? Then it is. */
bool cli_record_print_spread(const cli_record *list);
void cli_record_print_grid(const cli_record *list);

/* All rows, ended by one without a key. */
extern const cli_quantity cli_quantities[];

#endif
