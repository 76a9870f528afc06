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

/* Assert success and that stderr is empty. */
program_run program_succeeds(const char *arguments, ...) __attribute__((format(printf, 1, 2)));

/* Assert success, that stderr is empty and that stdout is one JSON value and nothing else. The
 * caller deletes it. */
cJSON *program_json(const char *arguments, ...) __attribute__((format(printf, 1, 2)));

/* The member behind a path such as "result.discard_probability"; asserts that it is there. */
const cJSON *json_at(const cJSON *tree, const char *path);
double json_number(const cJSON *tree, const char *path);
const char *json_string(const cJSON *tree, const char *path);

/* Expect a refusal: this exit status, nothing on stdout, and on stderr one line that begins with
 * "switchq: " and contains `name` and `value` (NULL: anything). */
void expect_refusal(const program_run *run, int status, const char *name, const char *value);

/* Names in the folder, hidden ones included, each followed by a blank; to be freed. */
char *folder_names(void);

/* A whole file of the folder; to be freed. Asserts that it is there. */
char *file_text(const char *name);

#endif
