/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting the contents that a permutation of the outputs leaves alone.
 */
#include "models/contents.h"

#include <assert.h>
#include <math.h>

swq_cycles swq_cycles_of_power(const uint8_t *permutation, int n, int power)
{
    bool seen[SWQ_CHAIN_PORTS] = {false};
    swq_cycles c = {0};

    for (int i = 0; i < n; i++) {
        int size = 0;
        for (int at = i; !seen[at]; size++) {
            seen[at] = true;
            for (int k = 0; k < power; k++)
                at = permutation[at];
        }
        if (size)
            c.length[c.count++] = size;
        c.fixed += size == 1;
    }
    return c;
}

/* The number of contents of one buffer with a queue per output that a permutation of the outputs
 * fixes: queue lengths are equal along its cycles. Convolve the cycles over the shared slots in
 * use: a cycle of m queues uses no shared slot if each queue has 0 .. min packets, and m e shared
 * slots if each has min + e. O(cycles * slots). ways, below: [capacity + 1] each. */
static double even_contents(const swq_buffer *b, int queues, const swq_cycles *c, double *ways,
                            double *below)
{
    int shared = b->capacity - queues * b->queue_min, most = b->queue_max - b->queue_min;
    double count = 0;

    for (int used = 0; used <= shared; used++)
        ways[used] = used == 0;
    for (int k = 0; k < c->count; k++) {
        int m = c->length[k];
        for (int used = 0; used <= shared; used++) /* running sums with stride m */
            below[used] = ways[used] + (used >= m ? below[used - m] : 0);
        for (int used = 0; used <= shared; used++) {
            double above = used >= m ? below[used - m] : 0;
            int past = used - m * (most + 1);
            ways[used] = ways[used] * (b->queue_min + 1) + above - (past >= 0 ? below[past] : 0);
        }
    }
    for (int used = 0; used <= shared; used++)
        count += ways[used];
    return count;
}

/* One part of a buffer for two classes: queues along a cycle of the outputs have equal length, and
 * a single queue has a length of its own. A queue that is not empty has `heads` possible heads that
 * are fixed; or, if states are written out in full, `symbols` possibilities for each of its
 * packets. Convolved as above, but length by length. O(queues * slots^2). */
typedef struct {
    int queues;   /* number of queues that have the same length */
    double heads; /* possible heads of all these queues together, if the length is not 0 */
    double symbols;
} queue_group;

static double part_contents(const swq_buffer_part *part, const queue_group *group, int groups,
                            bool written, double *ways, double *before)
{
    const swq_buffer *b = &part->rule;
    const int shared = b->capacity - part->queues * b->queue_min;
    double count = 0;

    for (int used = 0; used <= shared; used++)
        ways[used] = used == 0;
    for (int g = 0; g < groups; g++) {
        for (int used = 0; used <= shared; used++) {
            before[used] = ways[used];
            ways[used] = 0;
        }
        double all = 1;
        for (int length = 0; length <= b->queue_max; length++) {
            const int above = length > b->queue_min ? length - b->queue_min : 0;
            const int takes = above * group[g].queues;
            if (takes > shared)
                break;
            const double weight = length == 0 ? 1 : written ? all : group[g].heads;
            for (int used = takes; used <= shared; used++)
                ways[used] += weight * before[used - takes];
            all *= group[g].symbols;
        }
    }
    for (int used = 0; used <= shared; used++)
        count += ways[used];
    return count;
}

double swq_class_contents(const swq_layout *l, const swq_cycles *c, bool written, double *work)
{
    const swq_class_queues *s = &l->split;
    double count = 1;

    for (int p = 0; p < s->parts; p++) {
        queue_group group[2 * SWQ_CHAIN_PORTS];
        int groups = 0;
        for (int high = 0; high < SWQ_CLASSES; high++) {
            const bool there = high ? s->base[1] > 0 : true;
            const bool here = s->parts == 1 || p == high;
            const int of = high == 0 && l->mixed ? SWQ_CLASSES : 1;
            const int classes = s->base[1] == 0 ? SWQ_CLASSES : 1;
            if (!there || !here)
                continue;
            for (int k = 0; s->fans[high] && k < c->count; k++)
                group[groups++] = (queue_group){c->length[k], of, classes};
            if (!s->fans[high])
                group[groups++] =
                    (queue_group){1, (double)of * c->fixed, (double)classes * l->ports};
        }
        count *= part_contents(&s->part[p], group, groups, written, work, work + s->slots + 1);
    }
    return count;
}

static double cached_contents(const swq_buffer *b, const swq_layout *l, const swq_cycles *c,
                              double *work, swq_contents_cache *cache)
{
    uint64_t type = 0;
    int k = 0;

    for (int i = 0; i < c->count; i++)
        type += ((uint64_t)c->length[i] + 77) * 0x9e3779b97f4a7c15u >>
                7; /* independent of the order of cycles */
    while (k < cache->types && cache->type[k] != type)
        k++;
    if (k == cache->types) {
        assert(cache->types < 16);
        cache->type[k] = type;
        cache->count[k] = l->classes > 1
                              ? swq_class_contents(l, c, false, work)
                              : even_contents(b, l->queues, c, work, work + b->capacity + 1);
        cache->types++;
    }
    return cache->count[k];
}

double swq_count_lists(int n, int longest)
{
    double count = 0;

    for (int l = 0; l <= longest; l++)
        count += pow(n, l);
    return count;
}

int swq_longest_queue(const swq_buffer *b)
{
    return b->queue_max < b->capacity ? b->queue_max : b->capacity;
}

/* Contents of a FIFO queue of at most `longest` packets with a head and a bit for each packet
 * behind it, together with its source, which is in a burst or not. */
static double fixed_bursts(int longest, const swq_cycles *c)
{
    return 2 + c->fixed + 3 * (exp2(longest) - 1) * c->fixed;
}

double swq_fixed_contents(const swq_switch *sw, const swq_layout *l, const swq_cycles *c,
                          double *work, swq_contents_cache *cache)
{
    double fixed = l->same >= 0  ? fixed_bursts(swq_longest_queue(&sw->buffer), c)
                   : l->deferred ? 1 + (double)swq_longest_queue(&sw->buffer) * c->fixed
                                 : cached_contents(&sw->buffer, l, c, work, cache);
    if (l->freed >= 0 && l->classes > 1)
        fixed *= 1 + (l->split.fans[0] ? c->fixed : 1) +
                 (l->split.base[1] == 0 ? 0
                  : l->split.fans[1]    ? c->fixed
                                        : 1);
    else if (l->freed >= 0)
        fixed *= 1 + (l->deferred ? 1 : c->fixed);
    const swq_admission_rule *rule = swq_buffer_admission(&sw->buffer);
    if (l->kept >= 0 && rule->kept_values) /* at most */
        fixed *= pow(rule->kept_values(&sw->buffer, l->queues), c->count);
    else if (l->kept >= 0) /* at most as many as lengths, and less together */
        fixed *= cached_contents(&sw->buffer, l, c, work, cache);
    if (l->cross >= 0)
        fixed *= pow(sw->crosspoint_slots + 1, c->count);
    return fixed;
}

double swq_fixed_outputs(const swq_switch *sw, const swq_layout *l, const swq_cycles *c)
{
    return l->out < 0 ? 1 : pow(sw->output_slots + (sw->departures_first ? 1 : 0), c->count);
}

double swq_fixed_held(const swq_layout *l, const swq_cycles *c)
{
    if (l->held < 0 || l->same >= 0)
        return 1;
    if (l->classes > 1)
        return 1 + (l->split.fans[0] ? c->fixed : 1) +
               (l->mixed           ? 0
                : l->split.fans[1] ? c->fixed
                                   : 1);
    return 1 + (l->deferred ? 1 : c->fixed);
}
