/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finite fields of few elements, by the powers of a primitive element (Lidl and Niederreiter, 1997,
 * chapter 2). Element e, 0 .. order-1, is the polynomial whose coefficients are the digits of e to
 * base p, the field's characteristic, lowest first; 0 and 1 are the field's zero and one.
 */
#ifndef SWQ_SIM_FABRICS_GALOIS_H
#define SWQ_SIM_FABRICS_GALOIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GALOIS_MOST = 128 }; /* elements */

typedef struct galois_field {
    int order;                  /* elements, a power of */
    int characteristic;         /* a prime */
    uint8_t power[GALOIS_MOST]; /* [order - 1] of a primitive element, from the power 0 on */
    uint8_t log[GALOIS_MOST];   /* [order] the power that an element other than 0 is */
} galois_field;

/* Is there a field of so many elements: is it a power of a prime? */
bool galois_exists(int order);

/* The field of `order` elements, a power of a prime of at most GALOIS_MOST. O(order^2). */
galois_field galois_make(int order);

/* The field without the powers, for sums and differences alone. */
galois_field galois_make_sums(int order);

int galois_add(const galois_field *field, int a, int b);
int galois_subtract(const galois_field *field, int a, int b);
int galois_multiply(const galois_field *field, int a, int b);

/* Writes the orders of fields nearest to one that is none, within two limits: "19", "7 and 9". */
void galois_nearest(int order, int least, int most, char *text, size_t size);

#endif
