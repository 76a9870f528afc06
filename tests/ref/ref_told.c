/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_told.h"

#include <stdlib.h>

struct ref_told {
    ref_telling how;
    long now;
    int *held;   /* [queues] as this cycle began, and what has been sent in it */
    int *owed;   /* [queues] blocks that the sender has had credits for and has not back */
    int *back;   /* [(delay + 1) * queues] credits that come back in a cycle, by it mod delay + 1 */
    int *says;   /* [(delay + 1) * queues] 1: stop; what was said in a cycle, likewise */
    int *saying; /* [queues] what is said now */
};

static void *get(int count)
{
    void *memory = calloc((size_t)(count > 0 ? count : 1), sizeof(int));
    if (!memory)
        abort();
    return memory;
}

static void must(int so)
{
    if (!so)
        abort();
}

ref_told *ref_told_new(const ref_telling *telling)
{
    ref_told *t = calloc(1, sizeof *t);
    const int q = telling->queues, wire = (telling->delay + 1) * q;

    must(t != NULL);
    t->how = *telling;
    t->now = -1;
    t->held = get(q);
    t->owed = get(q);
    t->back = get(wire);
    t->says = get(wire);
    t->saying = get(q);
    return t;
}

void ref_told_free(ref_told *t)
{
    if (!t)
        return;
    free(t->held);
    free(t->owed);
    free(t->back);
    free(t->says);
    free(t->saying);
    free(t);
}

static int *of_cycle(const ref_told *t, int *wire, long cycle)
{
    return wire + cycle % (t->how.delay + 1) * t->how.queues;
}

static int all(const ref_told *t, const int *of)
{
    int n = 0;

    for (int q = 0; q < t->how.queues; q++)
        n += of[q];
    return n;
}

void ref_told_cycle(ref_told *t, const int *held)
{
    t->now++;
    /* a block that is free as from this cycle sends its credit */
    for (int q = 0; q < t->how.queues; q++) {
        must(held[q] <= t->held[q]);
        of_cycle(t, t->back, t->now + t->how.delay)[q] = t->held[q] - held[q];
        t->held[q] = held[q];
    }
    /* and those that are due arrive */
    for (int q = 0; q < t->how.queues; q++) {
        t->owed[q] -= of_cycle(t, t->back, t->now)[q];
        must(t->owed[q] >= held[q]);
    }
    for (int q = 0; q < t->how.queues; q++) {
        const int full = t->how.partitioned ? held[q] : all(t, held);
        if (full >= t->how.stop)
            t->saying[q] = 1;
        if (full <= t->how.go)
            t->saying[q] = 0;
        of_cycle(t, t->says, t->now)[q] = t->saying[q];
    }
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* What is left of the shared blocks, if one queue owed so many more. */
static int shared_left(const ref_told *t, int queue, int more)
{
    int n = t->how.blocks;

    for (int q = 0; q < t->how.queues; q++)
        n -= larger(t->owed[q] + (q == queue ? more : 0), t->how.least);
    return n;
}

static int credits(const ref_told *t, int queue)
{
    const ref_telling *h = &t->how;
    const int then = t->owed[queue] + h->packet, part = h->blocks / h->queues;
    const int above = larger(t->owed[queue] - h->least, 0);

    if (h->unit == REF_BY_CHANNEL)
        return all(t, t->owed) + h->packet <= h->blocks;
    if (h->most && then > h->most)
        return 0;
    if (h->unit == REF_BY_QUEUE || h->partitioned)
        return then <= part;
    if (then <= h->least)
        return 1;
    return shared_left(t, queue, h->packet) >= 0 &&
           (h->alpha == 0 || above < h->alpha * shared_left(t, queue, 0));
}

int ref_told_open(const ref_told *t, int queue)
{
    if (t->how.flow == REF_CREDITS)
        return credits(t, queue);
    return t->now < t->how.delay || !of_cycle(t, t->says, t->now - t->how.delay)[queue];
}

void ref_told_send(ref_told *t, int queue, int blocks)
{
    t->owed[queue] += blocks;
    t->held[queue] += blocks;
    if (t->how.partitioned)
        must(t->held[queue] <= t->how.blocks / t->how.queues);
    must(all(t, t->held) <= t->how.blocks);
}

int ref_told_still(const ref_told *t)
{
    for (int q = 0; q < t->how.queues; q++) {
        if (t->owed[q] != t->held[q])
            return 0;
        for (long c = larger((int)t->now - t->how.delay, 0); c < t->now; c++) {
            if (of_cycle(t, t->says, c)[q] != t->saying[q])
                return 0;
        }
    }
    return 1;
}
