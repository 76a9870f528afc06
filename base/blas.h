/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BLAS from several threads. OpenBLAS built for one thread, which is what the project asks Debian
 * for, hands out its work space unguarded: products computed at the same time by two threads are
 * wrong now and then, by anything from the last digits to the first. Whatever ends up in BLAS
 * (CBLAS, LAPACK, UMFPACK, ARPACK, gsl_linalg) is therefore called between these two. They do not
 * nest.
 * Room: base.
 */
#ifndef SWQ_BASE_BLAS_H
#define SWQ_BASE_BLAS_H

void swq_blas_lock(void);
void swq_blas_unlock(void);

#endif
