/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stationary vector of an irreducible chain in integers.
 */
#ifndef SWQ_EXACT_DIXON_H
#define SWQ_EXACT_DIXON_H

#include "exact/integers.h"

enum {
    /* Most rows: with primes of at most 58 bits, this number of products of two residues fits into
       128 bits. */
    SWQ_DIXON_MOST = 4096
};
#define SWQ_DIXON_PRIME ((uint64_t)1 << 57) /* the search for primes begins here */

/* Positive integers y[rows] with sum_i y_i N_ij = D_j y_j for all j, where P_ij = N_ij / D_i is
 * irreducible: pi_i is proportional to y_i D_i. The equations are checked in integers before the
 * vector is handed over in *y, which must be empty. The next prime above `from` is used, and
 * further primes if the matrix is singular modulo this prime; `from` is SWQ_DIXON_PRIME except in
 * tests.
 *
 * Errors: SWQ_ELIMIT for more than SWQ_DIXON_MOST rows or at the memory limit; SWQ_ENOMEM;
 * SWQ_ECANCELLED. Cost: rows^3 / 3 multiplications modulo the prime, then rows^2 + entries for
 * every 57 bits, of twice the bits of the largest y. Source: Dixon (1982); the denominator is found
 * from one combination of all unknowns by rational reconstruction (Wang 1981).  */
swq_status swq_dixon_null_vector(swq_context *ctx, const swq_integer_rows *m, uint64_t from,
                                 swq_integers *y);

#endif
