/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arrays of a struct, listed once: the list is walked to allocate, count and free them.
 */
#ifndef SWQ_BASE_ARRAYS_H
#define SWQ_BASE_ARRAYS_H

#include "switchq/context.h"

enum { SWQ_MOST_ARRAYS = 96 };

typedef struct swq_arrays {
    int count;
    struct {
        void *at;    /* the variable that points to the array */
        size_t size; /* bytes of an element */
        double elements;
    } array[SWQ_MOST_ARRAYS];
} swq_arrays;

/* Put an array on the list: the variable that points to the array, and its number of elements; with
 * 0 elements, nothing is allocated and the variable stays NULL. */
#define SWQ_ARRAY(list, variable, elements)                                                        \
    swq_arrays_add((list), &(variable), sizeof *(variable), (double)(elements))
void swq_arrays_add(swq_arrays *list, void *at, size_t size, double elements);

double swq_arrays_bytes(const swq_arrays *list);

/* Allocate zeroed memory for all arrays. Errors: SWQ_ENOMEM, SWQ_ELIMIT; swq_arrays_free then frees
 * what was allocated, and the other variables are unchanged. */
swq_status swq_arrays_take(swq_context *ctx, const swq_arrays *list);

/* Free all arrays, whatever their listed number of elements, and set the variables to NULL. */
void swq_arrays_free(swq_context *ctx, const swq_arrays *list);

/* Array number k; NULL if it is not allocated. */
void *swq_arrays_block(const swq_arrays *list, int k);

#endif
