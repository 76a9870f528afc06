/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that the chains of all families share.
 */
#include "approx/links/link.h"

double link_binomial(int n, int k, double p)
{
    double b = 1;

    if (k < 0 || k > n)
        return 0;
    for (int i = 0; i < k; i++)
        b *= p * (n - i) / (i + 1);
    for (int i = k; i < n; i++)
        b *= 1 - p;
    return b;
}

void link_normalise(double *p, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += p[i];
    for (size_t i = 0; i < n && sum > 0; i++)
        p[i] /= sum;
}
