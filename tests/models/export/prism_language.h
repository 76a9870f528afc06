/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small interpreter of the PRISM language, as much of it as switchq writes: it reads the text of
 * a .pm and a .props, explores the chain by PRISM's rules, and answers the questions. It shares no
 * code with the library. Stricter than PRISM: two enabled choices in one state, a value out of its
 * range, probabilities that do not sum to one and unknown names fail the test.
 * Source: PRISM manual, "The PRISM Language".
 */
#ifndef SWQ_TESTS_PRISM_LANGUAGE_H
#define SWQ_TESTS_PRISM_LANGUAGE_H

#include <stddef.h>

/* A property and its value. */
typedef struct prism_answer {
    char name[32];
    double value;
} prism_answer;

/* Evaluates the properties of `props` (at most `most`) for the model `pm`, both given as text, by
 * Gauss-Seidel sweeps until nothing changes by more than a relative 1e-13; *states receives the
 * size of the chain. Returns the number of properties. */
int prism_check(const char *pm, const char *props, prism_answer *answer, int most, int *states);

#endif
