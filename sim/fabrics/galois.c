/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finite fields: polynomials over the integers modulo p, modulo one of degree k for which the
 * powers of x are all polynomials of a lower degree but 0. It is found by trying all.
 */
#include "sim/fabrics/galois.h"

#include <stdio.h>

static int smallest_divisor(int n)
{
    int d = 2;

    while (n % d != 0)
        d++;
    return d;
}

bool galois_exists(int order)
{
    if (order < 2)
        return false;
    const int p = smallest_divisor(order);
    while (order % p == 0)
        order /= p;
    return order == 1;
}

/* a + c b, digit by digit. */
static int add_times(int p, int a, int b, int c)
{
    int sum = 0;

    for (int unit = 1; a > 0 || b > 0; unit *= p) {
        sum += unit * ((a % p + c * (b % p)) % p);
        a /= p;
        b /= p;
    }
    return sum;
}

/* Fills power and log with the powers of x, of which power k, the degree, is `highest`. Are these
 * all elements but 0? For k = 1, x is the number `highest` itself. */
static bool is_primitive(galois_field *f, int highest)
{
    const int p = f->characteristic, q = f->order;
    int e = 1;

    for (int k = 0; k < q - 1; k++) {
        if (e == 0 || (k > 0 && e == 1))
            return false;
        f->power[k] = (uint8_t)e;
        f->log[e] = (uint8_t)k;
        e = add_times(p, e % (q / p) * p, highest, e / (q / p));
    }
    return e == 1;
}

galois_field galois_make_sums(int order)
{
    return (galois_field){.order = order, .characteristic = smallest_divisor(order)};
}

galois_field galois_make(int order)
{
    galois_field f = galois_make_sums(order);
    int highest = 1;

    while (highest < order && !is_primitive(&f, highest))
        highest++;
    return f;
}

int galois_add(const galois_field *f, int a, int b)
{
    return add_times(f->characteristic, a, b, 1);
}

int galois_subtract(const galois_field *f, int a, int b)
{
    return add_times(f->characteristic, a, b, f->characteristic - 1);
}

int galois_multiply(const galois_field *f, int a, int b)
{
    return a && b ? f->power[(f->log[a] + f->log[b]) % (f->order - 1)] : 0;
}

void galois_nearest(int order, int least, int most, char *text, size_t size)
{
    int below = order < most ? order : most, above = order > least ? order : least;

    while (below >= least && !galois_exists(below))
        below--;
    while (above <= most && !galois_exists(above))
        above++;
    if (below >= least && above <= most && below != above)
        snprintf(text, size, "%d and %d", below, above);
    else
        snprintf(text, size, "%d", below >= least ? below : above);
}
