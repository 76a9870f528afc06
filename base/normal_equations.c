/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal equations, scaled to a unit diagonal.
 * Room: base. Includes GSL.
 */
#include "base/normal_equations.h"

#include "base/blas.h"

#include <assert.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

/* Added to the unit diagonal, for columns that depend on one another. */
#define TOUCH 1e-10

bool swq_normal_equations(size_t n, const double *gram, size_t stride, const double *right,
                          double *x)
{
    double scaled[SWQ_NORMAL_MOST * SWQ_NORMAL_MOST], length[SWQ_NORMAL_MOST];
    size_t swap[SWQ_NORMAL_MOST];

    assert(n <= SWQ_NORMAL_MOST);
    for (size_t a = 0; a < n; a++) {
        const double square = gram[a * stride + a];
        if (!(square > 0) || !isfinite(square))
            return false;
        length[a] = sqrt(square);
        x[a] = right[a] / length[a];
        for (size_t b = 0; b < a; b++)
            scaled[a * n + b] = scaled[b * n + a] = gram[a * stride + b] / length[a] / length[b];
        scaled[a * n + a] = 1 + TOUCH;
    }
    gsl_matrix_view m = gsl_matrix_view_array(scaled, n, n);
    gsl_vector_view v = gsl_vector_view_array(x, n);
    gsl_permutation p = {n, swap};
    int sign;
    gsl_permutation_init(&p);
    swq_blas_lock();
    bool regular = gsl_linalg_LU_decomp(&m.matrix, &p, &sign) == 0;
    for (size_t a = 0; a < n; a++)
        regular = regular && scaled[a * n + a] != 0;
    if (regular)
        gsl_linalg_LU_svx(&m.matrix, &p, &v.vector);
    swq_blas_unlock();
    for (size_t a = 0; a < n; a++)
        x[a] /= length[a];
    return regular;
}
