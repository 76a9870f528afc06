/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Longest-queue drop. */
#include "tests/ref/ref_memory_part.h"

/* Of the longest queues among those that can lose a packet, the one that does; -1: none can. */
static int loser(ref_memory_state *s, int own, long size)
{
    int longest[REF_MEMORY_QUEUES], count = 0;
    long length[REF_MEMORY_QUEUES], most = -1;

    ref_memory_lengths(s, length);
    if (!s->m->uncounted)
        length[own] += size;
    for (int q = 0; q < ref_memory_queues(s->m); q++) {
        if (ref_memory_first(s, q) < 0 && (q != own || s->m->uncounted))
            continue;
        if (length[q] > most)
            count = 0;
        if (length[q] >= most) {
            most = length[q];
            longest[count++] = q;
        }
    }
    if (count <= 1)
        return count == 1 ? longest[0] : -1;
    if (s->m->ties == REF_LOSES_LOW)
        return longest[0];
    if (s->m->ties == REF_LOSES_HIGH)
        return longest[count - 1];
    for (int i = 0; i < count; i++) {
        if (longest[i] == own && s->m->ties == REF_LOSES_OWN)
            return own;
        if (longest[i] == own)
            longest[i] = longest[--count];
    }
    s->guesses += count > 1;
    return longest[0];
}

int ref_memory_makes_room(ref_memory_state *s, const ref_memory_arrival *a)
{
    const int own = ref_memory_queue(s->m, a);
    const long size = ref_memory_size(s->m, a);
    long length[REF_MEMORY_QUEUES];

    if (size > ref_memory_bytes(s->m))
        return 0;
    while (size > ref_memory_lengths(s, length)) {
        const int from = loser(s, own, size);
        if (from < 0 || (from == own && !s->m->drops_head && !s->m->uncounted))
            return 0;
        const long p = s->m->drops_head ? ref_memory_first(s, from) : ref_memory_last(s, from);
        if (p < 0)
            return 0;
        ref_memory_leaves(s, p, REF_PUSHED_OUT);
    }
    return 1;
}
