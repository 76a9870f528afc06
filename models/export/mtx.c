/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix Market coordinates: the transition matrix P, row i holding the transitions out of state i.
 */
#include "models/export/formats.h"

static void write_mtx(FILE *stream, const swq_export_data *d)
{
    char text[512];

    fputs("%%MatrixMarket matrix coordinate real general\n", stream);
    fputs("% transition matrix of a switch; state 1 is the empty switch\n", stream);
    for (int64_t s = 0; s < d->p->rows; s++)
        fprintf(stream, "%% state %lld %s\n", (long long)s + 1,
                swq_chain_state_text(d->chain, s, text, sizeof text));
    fprintf(stream, "%lld %lld %lld\n", (long long)d->p->rows, (long long)d->p->cols,
            (long long)swq_csr_nnz(d->p));
    for (int64_t s = 0; s < d->p->rows; s++) {
        for (int64_t e = d->p->start[s]; e < d->p->start[s + 1]; e++)
            fprintf(stream, "%lld %d %.17g\n", (long long)s + 1, d->p->col[e] + 1, d->p->value[e]);
    }
}

static const swq_export_part parts[] = {{".mtx", write_mtx}, {NULL, NULL}};

const swq_export_format swq_export_mtx = {
    .name = "mtx",
    .summary = "Matrix Market coordinates of the transition matrix",
    .part = parts,
};
