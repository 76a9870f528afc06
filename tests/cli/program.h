/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the program under test, named by the environment variable SWITCHQ, as a user would: in a
 * shell, in an empty folder of its own.
 */
#ifndef SWQ_TESTS_PROGRAM_H
#define SWQ_TESTS_PROGRAM_H

#include "tests/support/support.h"

#include <cjson/cJSON.h>

/* Enter an empty folder below /tmp, and leave and remove it: .init and .fini of a suite. */
void program_begin(void);
void program_end(void);

/* What a run left. */
typedef struct program_run {
    char arguments[512]; /* for messages */
    int status;          /* exit status; 128 + the signal's number if it was killed */
    char *out, *err;
} program_run;

/* Run it with the given arguments, in the syntax of the shell; a redirection in them beats the
 * capture. Free with program_free. */
program_run program(const char *arguments, ...) __attribute__((format(printf, 1, 2)));
void program_free(program_run *run);

/* Run any line of shell, in which $SWITCHQ is the program. */
program_run program_shell(const char *line, ...) __attribute__((format(printf, 1, 2)));

/* Assert success and that stderr is empty, but for the line that a run past saturation has. */
program_run program_succeeds(const char *arguments, ...) __attribute__((format(printf, 1, 2)));

/* Assert success, that stderr is as empty and that stdout is one JSON value and nothing else. The
 * caller deletes it. */
cJSON *program_json(const char *arguments, ...) __attribute__((format(printf, 1, 2)));

/* The item at a path such as "result.discard_probability" or "points.0.load"; asserts that it
 * exists. */
const cJSON *json_at(const cJSON *tree, const char *path);
double json_number(const cJSON *tree, const char *path);
const char *json_string(const cJSON *tree, const char *path);

/* The cell of a CSV text in row `row` (1 is the first below the header) and the column of that
 * name, without quotes; asserts that both are there. To be freed. */
char *csv_cell(const char *text, int row, const char *column);

/* Expect that a cell is the number of a JSON tree, to the last bit (null: an empty cell). */
void expect_cell(const char *text, int row, const char *column, const cJSON *tree,
                 const char *path);

/* Expect that the rows of a CSV text are the objects of an array: a column for each key, numbers to
 * the last bit. */
void expect_rows(const char *text, const cJSON *rows);

/* The row whose cell in a column is this text; asserts that there is one. */
int csv_row(const char *text, const char *column, const char *cell);

/* Is there such a column? */
bool csv_has(const char *text, const char *column);

/* Expect a refusal: this exit status, nothing on stdout, and on stderr one line that begins with
 * "switchq: " and contains `name` and `value` (NULL: anything). */
void expect_refusal(const program_run *run, int status, const char *name, const char *value);

/* What a command must refuse: its arguments, and what the message names. */
typedef struct bad_input {
    const char *arguments, *name, *value;
} bad_input;

/* Names in the folder, hidden ones included, each followed by a blank; to be freed. */
char *folder_names(void);

/* A whole file of the folder; to be freed. Asserts that it is there. */
char *file_text(const char *name);

#endif
