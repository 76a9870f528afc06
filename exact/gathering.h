/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse vector that is filled, emptied and filled again; its numbers stay initialised.
 */
#ifndef SWQ_EXACT_GATHERING_H
#define SWQ_EXACT_GATHERING_H

#include "exact/integers.h"

typedef struct swq_gathering {
    int32_t *col;
    mpq_t *value; /* [made] */
    int64_t count, made, room;
    int32_t *place; /* place[col] - 1 is the place of column col in `value`; 0: the column has no
                       entry */
    int64_t places;
} swq_gathering;

/* Add to the entry of a column. Errors: SWQ_ENOMEM, SWQ_ELIMIT. */
swq_status swq_gathering_add(swq_context *ctx, swq_gathering *g, int32_t col, const mpq_t value);
void swq_gathering_empty(swq_gathering *g);
void swq_gathering_clear(swq_context *ctx, swq_gathering *g);

#endif
