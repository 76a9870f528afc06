/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse matrices by rows, in which the models pass chains to the solvers.
 */
#ifndef SWITCHQ_CSR_H
#define SWITCHQ_CSR_H

#include "switchq/context.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A matrix at four or five bytes an entry, for the large factors of a chain. */
typedef struct swq_packed swq_packed;

/* A rows x cols matrix. Row i holds its entries at start[i] <= e < start[i+1]: value[e] in column
 * col[e], columns ascending and distinct within a row. Of a packed matrix the three arrays are
 * NULL. Blocks belong to the context that made them; swq_csr_clear gives them back. */
typedef struct swq_csr {
    int64_t rows, cols;
    int64_t *start;     /* [rows + 1] */
    int32_t *col;       /* [start[rows]] */
    double *value;      /* [start[rows]] */
    swq_packed *packed; /* NULL: in rows */
} swq_csr;

/* Number of stored entries of a packed matrix. */
int64_t swq_packed_nnz(const swq_packed *packed);

/* Number of stored entries. */
static inline int64_t swq_csr_nnz(const swq_csr *m)
{
    if (m->packed)
        return swq_packed_nnz(m->packed);
    return m->start ? m->start[m->rows] : 0;
}

/* Free the blocks of m and zero it; safe on a zeroed struct. */
void swq_csr_clear(swq_context *ctx, swq_csr *m);

/* product = a b. An entry is stored wherever a term occurs, even if it is zero. With non-negative
 * factors every entry is a sum of products without a subtraction, so it keeps their relative
 * accuracy: an entry of k terms adds at most k + 1 roundings, and *terms (if not NULL) receives the
 * largest k. Errors: SWQ_EINVAL when a->cols != b->rows, SWQ_ENOMEM, SWQ_ELIMIT (the size is
 * counted before memory is taken). Cost: one multiplication per matching pair of entries, in two
 * passes. Source: F. Gustavson, ACM TOMS 4(3), 1978. */
swq_status swq_csr_multiply(swq_context *ctx, const swq_csr *a, const swq_csr *b, swq_csr *product,
                            int64_t *terms);

/* A matrix given as factors, factor[0] factor[1] ..., each as wide as the next is high. `roundings`
 * bounds the relative error of the entries of the product that is *not* due to multiplying out, in
 * units of 2^-53 (a fraction if more digits than those of double were available). The product does
 * not own its factors, which may be packed. */
typedef struct swq_product {
    int factors;
    const swq_csr *factor; /* [factors] */
    double roundings;
    bool from_first; /* every node is known to be reached from row 0 of the first factor */
} swq_product;

/* Nodes of a product are the rows of its factors, a level for each; the columns of the last factor
 * are level 0 again. A grouping puts the nodes of every level into groups (depth 0), these groups
 * into larger groups (depth 1), and so on: of[d * levels + l][k] is the group, at depth d, of node
 * k of level l (d = 0) or of the group k of depth d - 1 at level l; groups[d * levels + l] is the
 * number of groups. */
typedef struct swq_grouping {
    int depth, levels;
    int32_t **of;    /* [depth * levels] */
    int64_t *groups; /* [depth * levels] */
} swq_grouping;

enum { SWQ_MOST_FACTORS = 100 };

/* Free the blocks of a grouping and zero it; safe on a zeroed struct. */
void swq_grouping_clear(swq_context *ctx, swq_grouping *g);

/* All factors multiplied out, from the right. *roundings (may be NULL) receives the error bound of
 * the entries of *m. The caller clears *m. Errors as swq_csr_multiply. */
swq_status swq_product_multiply(swq_context *ctx, const swq_product *p, swq_csr *m,
                                int64_t *roundings);

/* out = the transpose of m; O(nnz + rows + cols). Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_csr_transpose(swq_context *ctx, const swq_csr *m, swq_csr *out);

/* y = m x (m in rows), or y = x m (x a row vector of m->rows; m may be packed). y must not overlap
 * x. O(nnz). */
void swq_csr_times_vector(const swq_csr *m, const double *x, double *y);
void swq_csr_vector_times(const double *x, const swq_csr *m, double *y);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
