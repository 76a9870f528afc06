/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer's results as names and values, for tables and plots of many answers: all single values
 * but those that describe the question and the computation, each under its path,
 * "result.latency_cycles.mean".
 */
#ifndef SWQ_CLI_FLAT_H
#define SWQ_CLI_FLAT_H

#include "cli/print/output.h"

enum { CLI_FLAT_KEY = 160 };

/* A value: a number, a word or a truth value; never an object, an array or null. */
typedef swq_status cli_flat_fn(void *arg, const char *key, const cJSON *value);

/* Is a key, or its last part, about the run rather than the question, such as time and memory? Two
 * runs of a question differ only in these. */
bool cli_flat_incidental(const char *name);

/* Is the value a number? In an answer that was not read from text, a number is kept as a string of
 * its decimals. */
bool cli_flat_is_number(const cJSON *value);

/* Calls `each` for all results except incidental ones, in the order of the answer, until `each`
 * fails; returns the status of `each`. The value found for a target is among the results, under its
 * path in the model ("model.slots"). Arrays are omitted, except `points` with one element, whose
 * values are "points.0.results.wait", and the labels of a chain,
 * "result.labels.NAME.probability". Keys of CLI_FLAT_KEY characters or more are cut off. */
swq_status cli_flat_walk(const cJSON *answer, cli_flat_fn *each, void *arg);

/* The name, within the model, of the parameter that a target has found, such as "slots"; "": there
 * is no target. */
const char *cli_flat_found(const cJSON *answer);

/* The number under a key; false if there is none. */
bool cli_flat_number(const cJSON *answer, const char *key, double *value);

/* The text of a value as in the answer: the shortest decimal of a number, true, false, or the word
 * itself. number: room for the text of a number. Returns text. */
const char *cli_flat_text(const cJSON *value, char number[40]);

#endif
