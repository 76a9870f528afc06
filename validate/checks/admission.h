/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules of admission as cases: what the families that compare them share.
 */
#ifndef SWQ_VALIDATE_CHECKS_ADMISSION_H
#define SWQ_VALIDATE_CHECKS_ADMISSION_H

#include "switchq/switch.h"

/* Rule k of those that chains have; NULL: there are no more. */
const swq_admission_rule *swq_admission_case(int k);

int swq_admission_cases(void);

/* Give the rule to a switch with a pool. What the rule demands is 1 reserved slot, and a maximum of
 * half the memory. Errors: those of swq_buffer_set_admission. */
swq_status swq_admission_case_set(swq_context *ctx, const swq_admission_rule *rule, swq_switch *sw);

#endif
