/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listing multisets of groups, and finding one.
 */
#include "approx/links/groups.h"

#include <stddef.h>
#include <string.h>

enum { MOST_CLASSES = 256 };

typedef struct {
    int classes, levels, most;
    int count[MOST_CLASSES];
    int *all;
} group_list;

static int enumerate(group_list *l, int class, int heads, int groups, int found)
{
    if (found > l->most)
        return found;
    if (class == 0) {
        l->count[0] = groups;
        if (l->all)
            memcpy(l->all + (ptrdiff_t)found * l->classes, l->count,
                   sizeof *l->count * (size_t)l->classes);
        return found + 1;
    }
    int size = class / l->levels;
    for (int c = 0; c <= groups && c * size <= heads; c++) {
        l->count[class] = c;
        found = enumerate(l, class - 1, heads - c * size, groups - c, found);
    }
    l->count[class] = 0;
    return found;
}

int groups_list(int classes, int levels, int heads, int groups, int most, int *all)
{
    group_list l = {.classes = classes, .levels = levels, .most = most, .all = all};

    if (classes > MOST_CLASSES)
        return most < 1 ? 1 : most + 1;
    return enumerate(&l, classes - 1, heads, groups, 0);
}

/* Compare from the largest groups down. */
static int compare(const int *a, const int *b, int classes)
{
    for (int i = classes - 1; i > 0; i--) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

int groups_find(const int *all, int ways, int classes, const int *count)
{
    int low = 0, high = ways - 1;

    while (low < high) {
        int middle = (low + high) / 2;
        if (compare(all + (ptrdiff_t)middle * classes, count, classes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
