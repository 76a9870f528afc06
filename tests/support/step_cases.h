/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small switches of every architecture in stage cycles, for tests that hold two programs against
 * one another: inputs have different loads, and each its own destinations, so that nothing that is
 * done to one port averages out.
 */
#ifndef SWQ_TESTS_STEP_CASES_H
#define SWQ_TESTS_STEP_CASES_H

#include "switchq/switch.h"
#include "tests/ref/ref_steps.h"

#include <stddef.h>

/* The number of cases; and case k, with a text that describes it: in each mode (discard and block,
 * credit same and next), and with departures last and first where that is possible. */
int step_cases(void);
swq_switch step_case(swq_context *ctx, int k, char *what, size_t size);

/* The same switch for the reference, which does not use the library's terms. */
ref_steps to_steps(const swq_switch *sw);

#endif
