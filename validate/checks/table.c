/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of families, in the order in which they are shown.
 * Room: validate.
 */
#include "validate/checks/families.h"

const swq_family *const swq_families[] = {
    &swq_family_reduced, &swq_family_factors, &swq_family_solvers, &swq_family_fractions, NULL,
};
