/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The methods, a row and a file each.
 * Room: solvers.
 */
#ifndef SWQ_SOLVERS_H
#define SWQ_SOLVERS_H

#include "switchq/solver.h"

extern const swq_solver swq_solver_auto, swq_solver_gth, swq_solver_sparse_gth, swq_solver_lu,
    swq_solver_umfpack, swq_solver_gauss_seidel, swq_solver_power;

/* Half a unit in the last place of 1. */
#define SWQ_ROUNDING 0x1p-53

#endif
