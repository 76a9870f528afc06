/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many tests, judged together so that few fail by chance.
 */
#include "validate/checks/run.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double swq_holm(double *p, size_t count, double alpha)
{
    size_t rejected = 0;

    qsort(p, count, sizeof *p, by_value);
    while (rejected < count && p[rejected] <= alpha / (double)(count - rejected))
        rejected++;
    /* limits increase, so everything rejected is below the last limit tried */
    return rejected < count ? alpha / (double)(count - rejected) : alpha;
}
