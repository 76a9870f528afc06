/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays and sparse rows of GMP's integers.
 */
#include "exact/integers.h"

#include "base/context.h"

swq_status swq_integers_append(swq_context *ctx, swq_integers *list, const mpz_t value)
{
    if (swq_context_keep_limit(ctx))
        return SWQ_ELIMIT;
    if (list->count == list->room) {
        int64_t room = 2 * list->room + 64;
        mpz_t *grown = swq_resize(ctx, list->at, (size_t)room, sizeof *grown);
        if (!grown)
            return swq_memory_status(ctx);
        list->at = grown;
        list->room = room;
    }
    if (value)
        mpz_init_set(list->at[list->count++], value);
    else
        mpz_init(list->at[list->count++]);
    return SWQ_OK;
}

swq_status swq_integers_zeros(swq_context *ctx, swq_integers *list, int64_t count)
{
    swq_status status = SWQ_OK;

    while (!status && count-- > 0)
        status = swq_integers_append(ctx, list, NULL);
    return status;
}

void swq_integers_clear(swq_context *ctx, swq_integers *list)
{
    for (int64_t k = 0; k < list->count; k++)
        mpz_clear(list->at[k]);
    swq_free(ctx, list->at);
    *list = (swq_integers){0};
}

swq_status swq_integer_rows_entry(swq_context *ctx, swq_integer_rows *m, int32_t col,
                                  const mpz_t value)
{
    if (m->value.count == m->entries_room) {
        int64_t room = 2 * m->entries_room + 64;
        int32_t *grown = swq_resize(ctx, m->col, (size_t)room, sizeof *grown);
        if (!grown)
            return swq_memory_status(ctx);
        m->col = grown;
        m->entries_room = room;
    }
    m->col[m->value.count] = col;
    return swq_integers_append(ctx, &m->value, value);
}

swq_status swq_integer_rows_finish(swq_context *ctx, swq_integer_rows *m, const mpz_t denominator)
{
    if (m->rows + 2 > m->rows_room) {
        int64_t room = 2 * m->rows_room + 64;
        int64_t *grown = swq_resize(ctx, m->start, (size_t)room, sizeof *grown);
        if (!grown)
            return swq_memory_status(ctx);
        m->start = grown;
        m->rows_room = room;
    }
    m->start[++m->rows] = m->value.count;
    return swq_integers_append(ctx, &m->denominator, denominator);
}

void swq_integer_rows_clear(swq_context *ctx, swq_integer_rows *m)
{
    swq_free(ctx, m->start);
    swq_free(ctx, m->col);
    swq_integers_clear(ctx, &m->value);
    swq_integers_clear(ctx, &m->denominator);
    *m = (swq_integer_rows){0};
}
