/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a record, for the files that write it.
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

/* How precisely a number is known. */
typedef enum cli_knowledge {
    CLI_AS_IS,    /* nothing is known about its precision */
    CLI_INTERVAL, /* +- low, the half-width; or below `high` if that is finite: none of `count` was
                     seen */
    CLI_PROVEN,   /* low .. high encloses it */
    CLI_ERROR,    /* off by at most low */
    CLI_ALONE     /* a mean without an interval, in JSON where an interval would be */
} cli_knowledge;

struct cli_record {
    cli_record_kind kind;
    cli_knowledge known;
    bool quiet, no_csv, prefixed, result, named, abridged, points, fraction, intervals;
    bool no_json, in_words, in_columns, bare, in_full, in_percent, wrapped;
    const char *key, *title;  /* title: of groups and lists; of a fraction: what is counted */
    const char *stem;         /* for the keys of bounds; of a list: the name of its items in CSV */
    const char *condition;    /* of a bound on a fraction of events none of which was seen */
    const char *label, *unit; /* instead of the table's; NULL: the table's */
    double value, low, high;
    /* the value; or the number of events, of numbers or of words; or a truth value */
    uint64_t count;
    char *text;    /* a word, a sentence, an item's name; or words instead of a number */
    char *heading; /* an item's title; or a remark on a field's value */
    double *numbers;
    int rows;    /* of CLI_ROWS, where `count` is the number of all numbers */
    int columns; /* number of columns of a list that is a grid; 0: the list is not a grid */
    int indent;  /* of the second and later lines of a wrapped sentence */
    char **words;
    cli_record *child, *last, *next, *root;
    bool failed;                     /* of a root: memory has run out */
    struct cli_record_block *blocks; /* of a root: the memory of the whole record */
};

/* The meaning of a key. */
typedef struct cli_quantity {
    const char *key;
    const char *label; /* in text; NULL: the key, with blanks for underscores */
    const char *unit;  /* NULL: a pure number */
    const char *about; /* for the reference of keys */
} cli_quantity;

/* The row of a key, or NULL. */
const cli_quantity *cli_quantity_of(const char *key);

/* Is the field `key` about the run rather than the question, so that it differs between two runs of
 * one question? */
bool cli_incidental(const char *key);

/* Has a field a second name? Then *same is the field under the second name. discard_fraction of a
 * simulation is the estimate of discard_probability, and has both names. */
bool cli_also_named(const cli_record *field, cli_record *same);

/* The key of an answer's model that shows an option, with underscores: buffer_bytes for bytes; and
 * the option that a key of the model shows. */
void cli_key_of_option(const char *option, char *key, size_t size);
void cli_option_of_key(const char *key, char *option, size_t size);

/* The meaning of an option's numbers, for an axis: "packet slots per input port"; "": unknown. Some
 * meanings say in parentheses how the option is counted in asynchronous networks; `async` chooses
 * between the two. */
void cli_option_meaning(const char *option, bool async, char *text, size_t size);

/* For people: the label of a field; its unit after a blank, or ""; its value as in a table, with
 * its interval. All return text. */
const char *cli_record_label(const cli_record *field, char *text, size_t size);
const char *cli_record_unit(const cli_record *field, char *text, size_t size);
const char *cli_record_cell(const cli_record *field, char *text, size_t size);

/* The value of a field as one gives it to an option, into `text`; false for lists and groups, and
 * for a number that is missing. */
enum { CLI_RECORD_VALUE = 200 };
bool cli_record_value(const cli_record *field, char text[CLI_RECORD_VALUE]);

/* Does text show the field? */
bool cli_record_shown(const cli_record *field);

/* A mean rounded to the second digit of its half-width. */
void cli_record_rounded(char *text, size_t size, double mean, double half_width);

/* Prints a list that has items as a table: a line for each item, or the rows of its grid. */
void cli_record_print_list(const cli_record *list);

/* If the list has more rows than text shows, prints its summary; returns whether it did. */
bool cli_record_print_spread(const cli_record *list);
void cli_record_print_grid(const cli_record *list);

/* All rows, sorted by key; NULL behind the last. */
const cli_quantity *cli_quantity_at(int place);

#endif
