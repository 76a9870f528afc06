/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Short ways to evaluate rows of the table of formulas.
 */
#ifndef SWQ_TESTS_MODELS_FORMULAS_ROWS_H
#define SWQ_TESTS_MODELS_FORMULAS_ROWS_H

#include "tests/support/support.h"

/* Evaluates a row with numbers given as text, one word per parameter: "4,4 - 0.5" is a list, a
 * parameter not given, and a number. result: [SWQ_FORMULA_RESULTS]. */
swq_status row_evaluate(swq_context *ctx, const char *name, const char *arguments, double *result);

/* One of its results by name; asserts success. */
double row_value(const char *name, const char *arguments, const char *result);

/* Asserts that it fails with that status and a message with these words. */
void row_fails(const char *name, const char *arguments, swq_status status, const char *words);

/* Makes every allocation of it fail, once and for good: SWQ_ENOMEM, nothing is leaked, and nothing
 * is returned. Returns the number of allocations. */
size_t row_without_memory(const char *name, const char *arguments);

#endif
