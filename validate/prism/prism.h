/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small interpreter of the PRISM language, as much of it as `export --format prism-source`
 * writes: it reads the text of a .pm and a .props, explores the chain by PRISM's rules, and answers
 * the questions. It shares no code with models/. Stricter than PRISM: two enabled choices in one
 * state, a value out of its range, probabilities that do not sum to one and unknown names are
 * errors. Source: PRISM manual, "The PRISM Language".
 */
#ifndef SWQ_VALIDATE_PRISM_H
#define SWQ_VALIDATE_PRISM_H

#include "switchq/context.h"

enum { SWQ_PRISM_NAME = 32 };

/* A property and its value. */
typedef struct swq_prism_answer {
    char name[SWQ_PRISM_NAME];
    double value;
} swq_prism_answer;

/* Evaluate the properties of `props` for the model `pm`, both given as text, by Gauss-Seidel sweeps
 * until no probability changes by more than a relative 1e-13. answer[most] receives *answers
 * properties in their order, and *states the size of the chain. Errors: SWQ_EINVAL, with the place,
 * if the text is not understood or has an error listed above, or more than `most` properties;
 * SWQ_ECONVERGE after 20,000 sweeps; SWQ_ENOMEM. O(sweeps x transitions). */
swq_status swq_prism_check(swq_context *ctx, const char *pm, const char *props, int most,
                           swq_prism_answer *answer, int *answers, int *states);

#endif
