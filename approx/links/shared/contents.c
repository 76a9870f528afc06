/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Enumerates the partitions of up to `slots` packets into up to `ports` queues.
 */
#include "approx/links/shared/contents.h"

#include "base/context.h"
#include "models/buffers/buffers.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PORTS = 32 };

typedef struct contents_lengths {
    short of[MOST_PORTS]; /* descending */
} contents_lengths;

/* Partitions of n into parts of at most `ports`: as many as into at most `ports` parts. */
double shared_contents_count(int ports, int slots)
{
    double ways[2048] = {1}, sum = 0;

    for (int part = 1; part <= ports; part++) {
        for (int n = part; n <= slots; n++)
            ways[n] += ways[n - part];
    }
    for (int n = 0; n <= slots; n++)
        sum += ways[n];
    return sum;
}

/* The next list of lengths in lexicographic order, of at most `slots` packets; false after the
 * last. */
static bool next_lengths(contents_lengths *l, int ports, int slots)
{
    int packets = 0;

    for (int i = 0; i < ports; i++)
        packets += l->of[i];
    for (int i = ports - 1; i >= 0; i--) {
        if (packets < slots && (i == 0 || l->of[i] < l->of[i - 1])) {
            l->of[i]++;
            return true;
        }
        packets -= l->of[i];
        l->of[i] = 0;
    }
    return false;
}

static int compare(const void *a, const void *b)
{
    const contents_lengths *x = a, *y = b;

    for (int i = 0; i < MOST_PORTS; i++) {
        if (x->of[i] != y->of[i])
            return x->of[i] < y->of[i] ? -1 : 1;
    }
    return 0;
}

/* The number of the content if the length of queue i changes by `change`; queues of equal length
 * are neighbours, so that at most i has to change places within its class. */
static int find(const contents_lengths *all, int count, contents_lengths l, int i, int ports,
                int change)
{
    int length = l.of[i];

    while (change > 0 && i > 0 && l.of[i - 1] == length)
        i--;
    while (change < 0 && i + 1 < ports && l.of[i + 1] == length)
        i++;
    l.of[i] = (short)(length + change);
    const contents_lengths *found = bsearch(&l, all, (size_t)count, sizeof l, compare);
    return found ? (int)(found - all) : -1;
}

static void describe(const contents_lengths *all, int count, int ports, int which,
                     const swq_buffer *buffer, shared_content *c)
{
    const contents_lengths *l = &all[which];
    uint16_t length[MOST_PORTS];

    for (int i = 0; i < ports; i++)
        length[i] = (uint16_t)l->of[i];
    for (int i = 0; i < ports; i++) {
        c->packets += l->of[i];
        if (i > 0 && l->of[i] == l->of[i - 1]) {
            c->class[c->classes - 1].queues++;
            continue;
        }
        c->class[c->classes++] =
            (shared_class){.length = l->of[i],
                           .queues = 1,
                           .sent = l->of[i] > 0 ? find(all, count, *l, i, ports, -1) : -1,
                           .joined = swq_buffer_admits(buffer, ports, length, i)
                                         ? find(all, count, *l, i, ports, 1)
                                         : -1};
    }
}

swq_status shared_contents_init(swq_context *ctx, int ports, int slots, const swq_buffer *buffer,
                                shared_contents *all)
{
    int count = (int)shared_contents_count(ports, slots), n = 0;
    contents_lengths *list = swq_calloc(ctx, (size_t)count, sizeof *list), l = {{0}};

    *all = (shared_contents){.ports = ports, .slots = slots, .count = count};
    all->content = swq_calloc(ctx, (size_t)count, sizeof *all->content);
    if (!list || !all->content) {
        swq_free(ctx, list);
        shared_contents_clear(ctx, all);
        return swq_memory_status(ctx);
    }
    do
        list[n++] = l;
    while (n < count && next_lengths(&l, ports, slots));
    for (int i = 0; i < count; i++)
        describe(list, count, ports, i, buffer, &all->content[i]);
    swq_free(ctx, list);
    return SWQ_OK;
}

void shared_contents_clear(swq_context *ctx, shared_contents *all)
{
    swq_free(ctx, all->content);
    *all = (shared_contents){0};
}

int shared_contents_sent(const shared_contents *all, int content, int length)
{
    const shared_content *c = &all->content[content];

    for (int i = 0; i < c->classes; i++) {
        if (c->class[i].length == length)
            return c->class[i].sent;
    }
    return -1;
}
