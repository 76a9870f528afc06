/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of families, in the order in which they are shown.
 */
#include "validate/checks/families.h"

/* clang-format off */
const swq_family *const swq_families[] = {
    /* one switch, exactly */
    &swq_family_reduced,
    &swq_family_factors,
    &swq_family_solvers,
    &swq_family_fractions,
    &swq_family_anchors,
    &swq_family_known_values,
    /* one switch, simulated */
    &swq_family_chain_simulator,
    &swq_family_architectures,
    &swq_family_admission,
    &swq_family_admission_prism,
    &swq_family_worst,
    &swq_family_shape,
    &swq_family_coverage,
    &swq_family_coverage_async,
    &swq_family_brackets,
    &swq_family_delays,
    &swq_family_priority,
    &swq_family_classes,
    &swq_family_source_queues,
    &swq_family_oldest,
    /* networks, simulated */
    &swq_family_small_network,
    &swq_family_whole_network,
    &swq_family_wirings,
    &swq_family_engines,
    &swq_family_slowed,
    &swq_family_shared_memory,
    &swq_family_invariants,
    &swq_family_invariants_async,
    &swq_family_stores,
    /* the print */
    &swq_family_targets,
    /* formulas and approximations */
    &swq_family_formulas,
    &swq_family_approximations,
    &swq_family_direct,
    /* claims */
    &swq_family_orderings,
    NULL,
};
/* clang-format on */
