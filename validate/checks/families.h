/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The families of checks, one a file; table.c lists them.
 */
#ifndef SWQ_VALIDATE_CHECKS_FAMILIES_H
#define SWQ_VALIDATE_CHECKS_FAMILIES_H

#include "switchq/validate.h"

/* one switch, exactly */
extern const swq_family swq_family_reduced, swq_family_factors, swq_family_solvers,
    swq_family_fractions, swq_family_anchors, swq_family_known_values;

/* one switch, simulated */
extern const swq_family swq_family_chain_simulator, swq_family_architectures, swq_family_shape,
    swq_family_admission, swq_family_admission_prism, swq_family_worst, swq_family_coverage,
    swq_family_coverage_async, swq_family_brackets, swq_family_priority, swq_family_classes,
    swq_family_delays, swq_family_source_queues, swq_family_oldest;

/* networks, simulated */
extern const swq_family swq_family_small_network, swq_family_whole_network, swq_family_wirings,
    swq_family_engines, swq_family_slowed, swq_family_shared_memory, swq_family_stores,
    swq_family_invariants, swq_family_invariants_async;

/* the print and its claims */
extern const swq_family swq_family_targets, swq_family_formulas, swq_family_approximations,
    swq_family_direct, swq_family_orderings;

#endif
