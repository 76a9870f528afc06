/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_memory_trace.h"

#include <assert.h>
#include <stdlib.h>

typedef unsigned long long seed;

/* splitmix64: the next of a stream of numbers, 0 <= number < 1. */
static double uniform(seed *s)
{
    seed z = *s += 0x9e3779b97f4a7c15ULL;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static int one_of(seed *s, int count)
{
    return (int)(uniform(s) * count);
}

/* 1, 2, ... with a mean. */
static int geometric(seed *s, int mean)
{
    int n = 1;

    while (mean > 1 && uniform(s) >= 1.0 / mean)
        n++;
    return n;
}

static long draw_bytes(const ref_memory_traffic *t, seed *s)
{
    const int most = (int)(t->most / t->unit);

    return t->unit * (uniform(s) < 0.5 ? 1 : 1 + one_of(s, most));
}

/* A packet, and its place in the list before it is sorted. */
typedef struct {
    ref_memory_arrival arrival;
    long place;
} placed;

static int compare(const void *a, const void *b)
{
    const placed *x = a, *y = b;

    if (x->arrival.time != y->arrival.time)
        return x->arrival.time < y->arrival.time ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void sort_by_time(placed *list, ref_memory_arrival *arrival, long count)
{
    qsort(list, (size_t)count, sizeof *list, compare);
    for (long p = 0; p < count; p++)
        arrival[p] = list[p].arrival;
    free(list);
}

static placed *a_list(long count)
{
    placed *list = calloc((size_t)count, sizeof *list);

    assert(list);
    for (long p = 0; p < count; p++)
        list[p].place = p;
    return list;
}

/* The packets of one input in a burst, from `at` on, as the line of the input brings them. Returns
 * how many of `left` there are. */
static long draw_burst(const ref_memory_traffic *t, seed *s, ref_memory_arrival like, placed *list,
                       long left)
{
    const int packets = geometric(s, t->burst);
    long n = 0;

    for (; n < packets && n < left; n++) {
        like.bytes = draw_bytes(t, s);
        like.time += ref_memory_time(like.bytes, t->rate);
        list[n].arrival = like;
    }
    return n;
}

void ref_memory_draw(const ref_memory_traffic *t, ref_memory_arrival *arrival, long count)
{
    seed s = t->seed;
    placed *list = a_list(count);
    const long units_at_most = t->most / t->unit;
    const double units = 0.5 + 0.5 * (1 + (double)units_at_most) / 2;
    const double all = units * (double)t->unit * (double)count * 8e12; /* bits, of a second in ps */
    const double horizon = all / ((double)t->rate * t->ports * t->load);

    for (long p = 0; p < count;) {
        const int incast = uniform(&s) < t->incasts;
        const int from = one_of(&s, t->ports);
        ref_memory_arrival like = {.time = (long long)(uniform(&s) * horizon)};

        like.output = uniform(&s) < t->hot ? 0 : one_of(&s, t->ports);
        like.class = one_of(&s, t->classes);
        like.first_round_trip = uniform(&s) < t->first_round_trip;
        for (int i = 0; i < (incast ? t->ports : 1) && p < count; i++) {
            like.input = (from + i) % t->ports;
            p += draw_burst(t, &s, like, &list[p], count - p);
        }
    }
    for (long p = 0; p < count; p++)
        list[p].arrival.time = list[p].arrival.time / t->step * t->step;
    sort_by_time(list, arrival, count);
}

void ref_memory_draw_slots(unsigned long long first, int ports, double load, double hot, long bytes,
                           long long slot, ref_memory_arrival *arrival, long count)
{
    seed s = first;

    for (long p = 0, now = 0; p < count; now++) {
        for (int i = 0; i < ports && p < count; i++) {
            if (uniform(&s) >= load)
                continue;
            arrival[p] = (ref_memory_arrival){.time = now * slot, .input = i, .bytes = bytes};
            arrival[p++].output = uniform(&s) < hot ? 0 : one_of(&s, ports);
        }
    }
}
