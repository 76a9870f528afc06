/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids that several families use.
 */
#ifndef SWQ_VALIDATE_CHECKS_GRIDS_H
#define SWQ_VALIDATE_CHECKS_GRIDS_H

#include "validate/checks/cases.h"

/* A switch that is both solved and simulated. Quick: every buffer with every arbiter, in all modes
 * of flow and credit, with two, three and four ports. Full: all combinations that are small. */
extern const swq_case_block swq_one_switch[];

/* A grid for the other architectures in stage cycles. */
extern const swq_case_block swq_other_architectures[];

#endif
