/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input queues at saturation: the chain of the partitions of n.
 *
 * The heads wait in groups, one group per output wanted; only the groups' sizes matter. A cycle
 * takes one head from each group, and each input that sent puts a new head to a random output.
 * Source: Karol, Hluchyj and Morgan, IEEE Trans. Commun. 35(12), 1987; the same chain as memory
 * interference: Bhandarkar, IEEE Trans. Comput. C-24, 1975.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/formulas/formulas.h"

#include <math.h>
#include <string.h>

enum { MOST_PORTS = 40 };

/* The partitions of n, in reverse lexicographic order, as counts: m[c] groups of size c. */
typedef struct {
    int ports, count;
    unsigned char *size; /* [count * ports] sizes, descending, 0 behind the last */
} partitions;

/* The next partition after `size`; false after the last, all ones. */
static bool next_partition(int n, unsigned char *size)
{
    int k = n - 1, rest = 0;

    while (k >= 0 && size[k] <= 1)
        rest += size[k--];
    if (k < 0)
        return false;
    int part = --size[k];
    for (rest++; rest > 0; rest -= size[k])
        size[++k] = (unsigned char)(rest < part ? rest : part);
    memset(size + k + 1, 0, (size_t)(n - k - 1));
    return true;
}

static swq_status list_partitions(swq_context *ctx, int n, partitions *p)
{
    unsigned char size[MOST_PORTS] = {(unsigned char)n};

    *p = (partitions){.ports = n, .count = 1};
    while (next_partition(n, size))
        p->count++;
    p->size = swq_calloc(ctx, (size_t)p->count, (size_t)n);
    if (!p->size)
        return swq_memory_status(ctx);
    memset(size, 0, sizeof size);
    size[0] = (unsigned char)n;
    for (int k = 0; k < p->count; k++) {
        memcpy(p->size + (size_t)k * (size_t)n, size, (size_t)n);
        next_partition(n, size);
    }
    return SWQ_OK;
}

