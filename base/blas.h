/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BLAS from several threads, and where address space is scarce. OpenBLAS built for one thread,
 * which is what the project asks Debian for, hands out its work space unguarded: products computed
 * at the same time by two threads are sometimes wrong, by anything from the last digits to the
 * first. And if it cannot map that work space, it retries forever. All functions that call BLAS
 * (CBLAS, LAPACK, UMFPACK, ARPACK) are therefore called only after swq_blas_ready has returned
 * true, and between lock and unlock. Locks do not nest. BLAS is loaded when it is first needed, and
 * swq_blas has the functions of CBLAS that are used.
 */
#ifndef SWQ_BASE_BLAS_H
#define SWQ_BASE_BLAS_H

#include <cblas.h>
#include <stdbool.h>

/* Size of the work space that OpenBLAS maps when it is first called: BUFFER_SIZE in its
 * common_x86_64.h. */
enum { SWQ_BLAS_MEGABYTES = 128 };

/* Functions of BLAS, filled in once swq_blas_ready has returned true. */
typedef struct swq_cblas {
    __typeof__(cblas_dtrsm) *dtrsm;
    __typeof__(cblas_dgemm) *dgemm;
    __typeof__(cblas_dgemv) *dgemv;
} swq_cblas;
extern swq_cblas swq_blas;

/* Does BLAS have its work space? The first call allocates it, for the rest of the process; false:
 * the limit on the address space (ulimit -v) or on data does not allow it, or the library is
 * missing. */
bool swq_blas_ready(void);

void swq_blas_lock(void);
void swq_blas_unlock(void);

#endif
