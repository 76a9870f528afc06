/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbering of multisets, in lexicographic order of their counts.
 */
#include "approx/links/partitioned/multisets.h"

#include <stdint.h>

size_t multiset_count(int size, int classes)
{
    size_t ways = 1; /* C(size + classes - 1, classes - 1) */

    if (size < 0)
        return 0;
    for (int i = 1; i < classes; i++) {
        if (ways > SIZE_MAX / (size_t)(size + i))
            return SIZE_MAX;
        ways = ways * (size_t)(size + i) / (size_t)i;
    }
    return ways;
}

size_t multiset_rank(const int *count, int classes)
{
    size_t rank = 0;
    int left = 0;

    for (int a = 0; a < classes; a++)
        left += count[a];
    /* multisets with fewer in class a come before: a telescoping sum of counts */
    for (int a = 0; a < classes - 1; a++) {
        rank += multiset_count(left, classes - a) - multiset_count(left - count[a], classes - a);
        left -= count[a];
    }
    return rank;
}

void multiset_first(int *count, int classes, int size)
{
    for (int a = 0; a < classes; a++)
        count[a] = 0;
    count[classes - 1] = size;
}

bool multiset_next(int *count, int classes)
{
    int a = classes - 1, tail = count[a];

    /* the last class with elements behind it takes one of them, and the others move to the end */
    while (--a >= 0) {
        if (tail > 0) {
            count[a]++;
            for (int i = a + 1; i < classes; i++)
                count[i] = 0;
            count[classes - 1] = tail - 1;
            return true;
        }
        tail += count[a];
    }
    return false;
}
