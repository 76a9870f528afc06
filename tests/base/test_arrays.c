/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/arrays.c: arrays of several types are taken, counted and freed from one list, and whichever
 * allocation fails, nothing is left over.
 */
#include "base/arrays.h"
#include "base/context.h"
#include "tests/support/support.h"

TestSuite(arrays, .timeout = 120);

typedef struct {
    double *wide;
    uint8_t *narrow, *absent;
    uint64_t *last;
} things;

static swq_arrays list_of(things *t)
{
    swq_arrays list = {0};

    SWQ_ARRAY(&list, t->wide, 5);
    SWQ_ARRAY(&list, t->narrow, 3);
    SWQ_ARRAY(&list, t->absent, 0);
    SWQ_ARRAY(&list, t->last, 2);
    return list;
}

Test(arrays, taken_counted_and_freed)
{
    swq_context *ctx = swq_context_new();
    things t = {0};
    swq_arrays list = list_of(&t);

    cr_assert_eq(swq_arrays_bytes(&list), 5 * 8 + 3 + 2 * 8);
    cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_OK);
    cr_assert(t.wide && t.narrow && t.last && !t.absent);
    for (int k = 0; k < 5; k++)
        cr_assert_eq(t.wide[k], 0);
    cr_assert_eq(swq_arrays_block(&list, 1), t.narrow);
    cr_assert_null(swq_arrays_block(&list, 2));
    swq_arrays_free(ctx, &list);
    cr_assert(!t.wide && !t.narrow && !t.last);
    cr_assert_eq(swq_context_live_bytes(ctx), 0);
    swq_context_free(ctx);
}

/* An array that the list does not allocate is freed with the others. */
Test(arrays, somebody_elses)
{
    swq_context *ctx = swq_context_new();
    things t = {0};
    swq_arrays list = list_of(&t);

    t.absent = swq_calloc(ctx, 7, 1);
    swq_arrays_free(ctx, &list);
    cr_assert_null(t.absent);
    cr_assert_eq(swq_context_live_bytes(ctx), 0);
    swq_context_free(ctx);
}

Test(arrays, every_allocation_failing)
{
    for (size_t k = 0; k < 3; k++) {
        swq_context *ctx = swq_context_new();
        things t = {0};
        swq_arrays list = list_of(&t);
        swq_context_fail_allocations(ctx, k, true);
        cr_assert_eq(swq_arrays_take(ctx, &list), SWQ_ENOMEM);
        swq_arrays_free(ctx, &list);
        cr_assert_eq(swq_context_live_bytes(ctx), 0, "%zu", k);
        swq_context_free(ctx);
    }
}
