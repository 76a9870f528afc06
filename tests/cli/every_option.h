/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What test_every_option.c asks: command lines to begin with, values for every option, and the few
 * cases in which an option rightly changes no answer.
 */
#ifndef SWQ_TESTS_EVERY_OPTION_H
#define SWQ_TESTS_EVERY_OPTION_H

#include <stdbool.h>
#include <stddef.h>

/* A command line to which an option is added. Options are written --name=value. */
typedef struct every_base {
    const char *command, *name, *line;
} every_base;

/* Values to try, separated by blanks; of the rows that match, the first one counts. Flags, and
 * options whose words the program lists, need no row; but a listed word that needs more behind it,
 * such as hotspot:, does. */
typedef struct every_sample {
    const char *command, *bases; /* patterns for fnmatch */
    const char *option, *values;
} every_sample;

/* Values that rightly give the same answer on these command lines. The test fails when that is no
 * longer so. */
typedef struct every_excuse {
    const char *command, *bases, *option;
    /* the values that agree, separated by blanks, or * for all; "" for a flag */
    const char *values;
    bool always; /* they must agree, since the numbers do not depend on the option */
    const char *why;
} every_excuse;

/* An option with its value that does not affect --json's answer, but what is printed or written. */
typedef struct every_print {
    const char *command, *option, *line;
    const char *file; /* the file that appears; NULL: the printed text differs */
} every_print;

/* An option of a command whose answers depend on files or take long, and a test that depends on it:
 * one in that file, whose text contains the option. */
typedef struct every_elsewhere {
    const char *command, *option, *file, *test;
} every_elsewhere;

/* Each table ends with a row of NULLs. */
extern const every_base every_bases[];
extern const every_sample every_samples[];
extern const every_excuse every_excuses[];
extern const every_print every_prints[];
extern const every_elsewhere every_elsewhere_tests[];

/* Writes the files that the tables name into the current folder. */
void every_option_files(void);

#endif
