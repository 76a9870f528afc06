/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the program under test, named by the environment variable SWITCHQ, as a user would: in a
 * shell, in an empty folder of its own.
 */
#ifndef SWQ_TESTS_PROGRAM_H
#define SWQ_TESTS_PROGRAM_H

#include "tests/support/support.h"

#include <cjson/cJSON.h>

/* Enter an empty folder below /tmp; leave and remove it: .init and .fini of a suite. */
void program_begin(void);
void program_end(void);

/* The results of a run. */
typedef struct program_run {
    char arguments[512]; /* for messages */
    int status;          /* exit status; 128 + the signal's number if it was killed */
    char *out, *err;
} program_run;

/* Runs the program with the given arguments, in the syntax of the shell; redirections in them
 * override the capture. Free with program_free. */
program_run program(const char *arguments, ...) __attribute__((format(printf, 1, 2)));
void program_free(program_run *run);

/* Runs any shell command, in which $SWITCHQ is the program. */
program_run program_shell(const char *line, ...) __attribute__((format(printf, 1, 2)));

/* Asserts success, and that stderr is empty except for the line of a run past saturation. */
program_run program_succeeds(const char *arguments, ...) __attribute__((format(printf, 1, 2)));

/* Asserts success, that stderr is empty as above, and that stdout is exactly one JSON value. The
 * caller deletes it. */
cJSON *program_json(const char *arguments, ...) __attribute__((format(printf, 1, 2)));

/* The item at a path such as "result.discard_probability" or "points.0.load"; asserts that it
 * exists. */
const cJSON *json_at(const cJSON *tree, const char *path);
double json_number(const cJSON *tree, const char *path);
const char *json_string(const cJSON *tree, const char *path);

/* The cell of a CSV text in row `row` (1 is the first after the header) and the column of that
 * name, without quotes; asserts that both exist. To be freed. */
char *csv_cell(const char *text, int row, const char *column);

/* Expects that a cell is the number of a JSON tree, to the last bit (null: an empty cell). */
void expect_cell(const char *text, int row, const char *column, const cJSON *tree,
                 const char *path);

/* Expects that the rows of a CSV text are the objects of an array: a column for each key, numbers
 * to the last bit. */
void expect_rows(const char *text, const cJSON *rows);

/* The row that has this text in a column; asserts that there is one. */
int csv_row(const char *text, const char *column, const char *cell);

/* Does such a column exist? */
bool csv_has(const char *text, const char *column);

/* Expects a refusal: this exit status, nothing on stdout, and on stderr one line that begins with
 * "switchq: " and contains `name` and `value` (NULL: anything). */
void expect_refusal(const program_run *run, int status, const char *name, const char *value);

/* Arguments that a command must refuse, and what the message names. */
typedef struct bad_input {
    const char *arguments, *name, *value;
} bad_input;

/* The names in the folder, including hidden ones, each followed by a blank; to be freed. */
char *folder_names(void);

/* The whole text of a file in the folder; to be freed. Asserts that the file exists. */
char *file_text(const char *name);

#endif
