/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests share: short ways to make a spec, and relative comparison.
 */
#ifndef SWQ_TESTS_SUPPORT_H
#define SWQ_TESTS_SUPPORT_H

#include "base/context.h"
#include "switchq/switchq.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A spec with uniform traffic, equal loads, discarding, and an arbiter by name. */
swq_switch test_switch(swq_context *ctx, const char *buffer, int ports, int slots, double load,
                       const char *arbiter);

/* Gives an asynchronous network, whose shape, blocks and packets are set, a buffer by its row's
 * name. */
void give_buffer(swq_async *network, const char *buffer, int bytes);

/* Solves a spec with a solver by name; asserts success. Clear with swq_answers_clear. */
swq_answers test_solve(swq_context *ctx, const swq_switch *sw, const char *solver);

/* The discard probability, by auto. */
double test_discard(const swq_switch *sw);

/* |a - b| relative to the larger one; 0 if they are equal. */
double relative_difference(double a, double b);

/* A context that has the figures of papers/. */
swq_context *test_papers(void);

/* Opens a figure and runs it; test_figure_clear also closes it. */
swq_status test_figure(swq_context *ctx, const char *name, const swq_figure_options *options,
                       swq_figure *figure);
void test_figure_clear(swq_context *ctx, swq_figure *figure);

#define assert_relative(a, b, tolerance, ...)                                                      \
    cr_assert(relative_difference(a, b) <= (tolerance), __VA_ARGS__)

#endif
