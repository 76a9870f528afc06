/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of studies share: a context and a folder, a language of two commands, and a
 * study's points as one text.
 */
#ifndef SWQ_TESTS_STUDIES_H
#define SWQ_TESTS_STUDIES_H

#include "study/study.h"
#include "tests/support/support.h"

/* A test's context, and its own folder; both are released after a check that nothing is still
 * allocated. */
extern char study_folder[];
swq_context *study_begin(void);
void study_end(swq_context *ctx);

/* solve and sim with the options buffer, slots, load, seed, precision, name and the flag slope;
 * json is barred; a formula named "known" with the option load. */
extern const swq_study_language test_language;

/* Parses a study called "s.yaml"; asserts success. */
swq_study *test_study(swq_context *ctx, const char *text);

/* The words of its points, one per line; the caller's to free(). */
char *test_points(const char *text);

/* Expects a refusal whose message contains all of these. */
void expect_bad_study(const char *text, const char *line, const char *key, const char *allowed);

#endif
