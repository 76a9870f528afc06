/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listing multisets of every size, and their neighbours.
 */
#include "approx/links/partitioned/lattice.h"

#include "approx/links/partitioned/multisets.h"
#include "base/context.h"

void lattice_clear(swq_context *ctx, lattice *l)
{
    for (int q = 0; l->level && q <= l->size; q++) {
        swq_free(ctx, l->level[q].count);
        swq_free(ctx, l->level[q].less);
        swq_free(ctx, l->level[q].more);
    }
    swq_free(ctx, l->level);
    *l = (lattice){0};
}

static void list(const lattice *l, int size)
{
    lattice_level *v = &l->level[size];
    int count[LATTICE_CLASSES];

    multiset_first(count, l->classes, size);
    for (size_t s = 0; s < v->n; s++, multiset_next(count, l->classes))
        for (int a = 0; a < l->classes; a++) {
            size_t at = s * (size_t)l->classes + (size_t)a;
            v->count[at] = (int16_t)count[a];
            v->less[at] = v->more[at] = -1;
            if (count[a]) {
                count[a]--;
                v->less[at] = (int32_t)multiset_rank(count, l->classes);
                count[a]++;
            }
            if (size < l->size) {
                count[a]++;
                v->more[at] = (int32_t)multiset_rank(count, l->classes);
                count[a]--;
            }
        }
}

swq_status lattice_init(swq_context *ctx, int size, int classes, lattice *l)
{
    *l = (lattice){.size = size, .classes = classes};
    l->level = swq_calloc(ctx, (size_t)size + 1, sizeof *l->level);
    if (!l->level)
        return swq_memory_status(ctx);
    for (int q = 0; q <= size; q++) {
        lattice_level *v = &l->level[q];
        v->n = multiset_count(q, classes);
        v->count = swq_calloc(ctx, v->n * (size_t)classes, sizeof *v->count);
        v->less = swq_calloc(ctx, v->n * (size_t)classes, sizeof *v->less);
        v->more = swq_calloc(ctx, v->n * (size_t)classes, sizeof *v->more);
        if (!v->count || !v->less || !v->more) {
            swq_status status = swq_memory_status(ctx);
            lattice_clear(ctx, l);
            return status;
        }
        list(l, q);
    }
    return SWQ_OK;
}
