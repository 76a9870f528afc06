/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What test_every_option.c asks: command lines to begin with, values for every option, and the few
 * cases in which an option rightly changes no answer.
 */
#ifndef SWQ_TESTS_EVERY_OPTION_H
#define SWQ_TESTS_EVERY_OPTION_H

#include <stdbool.h>
#include <stddef.h>

/* A command line that an option is added to. Options are written --name=value. */
typedef struct every_base {
    const char *command, *name, *line;
} every_base;

/* Values to try, apart by blanks; of the rows that fit, the first one counts. Options that take
 * nothing, and those whose words the program lists, need no row; but a listed word that needs more
 * behind it, such as hotspot:, does. */
typedef struct every_sample {
    const char *command, *bases; /* patterns of fnmatch */
    const char *option, *values;
} every_sample;

/* Values that give the same answer on these command lines and are right to. The test fails when
 * that has changed. */
typedef struct every_excuse {
    const char *command, *bases, *option;
    const char *values; /* those that agree, apart by blanks, or * for all; "" for a flag */
    bool always;        /* they must agree: the numbers do not depend on the option */
    const char *why;
} every_excuse;

/* An option, with its value, whose effect is none on --json's answer but on what is printed or
 * written. */
typedef struct every_print {
    const char *command, *option, *line;
    const char *file; /* the file that comes to be; NULL: what is printed is not the same */
} every_print;

/* An option of a command whose answers depend on files or take long, and the test that would miss
 * it: one in that file whose text has the option. */
typedef struct every_elsewhere {
    const char *command, *option, *file, *test;
} every_elsewhere;

/* Each ends with a row of NULLs. */
extern const every_base every_bases[];
extern const every_sample every_samples[];
extern const every_excuse every_excuses[];
extern const every_print every_prints[];
extern const every_elsewhere every_elsewhere_tests[];

/* Write the files that the tables name into this folder. */
void every_option_files(void);

#endif
