/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which packet a port sends next. */
#include "tests/ref/ref_memory_part.h"

static long first_of(const ref_memory_state *s, int port, int class)
{
    return ref_memory_first(s, port * s->m->classes + class);
}

static long next_fifo(const ref_memory_state *s, int port)
{
    for (long p = s->oldest; p < s->came; p++) {
        if (s->place[p] == REF_WAITS && s->arrival[p].output == port)
            return p;
    }
    return -1;
}

static long next_priority(const ref_memory_state *s, int port)
{
    for (int k = 0; k < s->m->classes; k++) {
        if (first_of(s, port, k) >= 0)
            return first_of(s, port, k);
    }
    return -1;
}

static long next_round_robin(ref_memory_state *s, int port)
{
    for (int step = 1; step <= s->m->classes; step++) {
        const int k = (s->last_class[port] + step) % s->m->classes;
        if (first_of(s, port, k) >= 0) {
            s->last_class[port] = k;
            return first_of(s, port, k);
        }
    }
    return -1;
}

/* Is a packet the only one that waits in its queue? */
static int is_only(const ref_memory_state *s, long packet)
{
    const int queue = ref_memory_queue(s->m, &s->arrival[packet]);

    return ref_memory_first(s, queue) == packet && ref_memory_last(s, queue) == packet;
}

static void end_visit(ref_memory_state *s, int port)
{
    s->visited[port] = 0;
    s->last_class[port] = (s->last_class[port] + 1) % s->m->classes;
}

/* The visit of a class goes on while its deficit is enough for its first packet, and ends when its
 * last waiting packet begins to be sent (Shreedhar and Varghese, 1995). */
static long next_drr(ref_memory_state *s, int port)
{
    if (next_fifo(s, port) < 0)
        return -1;
    for (;;) {
        const int k = s->last_class[port];
        long *deficit = &s->deficit[port * s->m->classes + k];
        const long p = first_of(s, port, k);
        if (p >= 0 && !s->visited[port])
            *deficit += s->m->quantum[k];
        s->visited[port] = p >= 0;
        if (p < 0 || s->arrival[p].bytes > *deficit) {
            end_visit(s, port);
            continue;
        }
        *deficit -= s->arrival[p].bytes;
        if (is_only(s, p)) {
            *deficit = 0;
            end_visit(s, port);
        }
        return p;
    }
}

long ref_memory_next(ref_memory_state *s, int port)
{
    switch (s->m->schedule) {
    case REF_SERVE_FIFO:
        return next_fifo(s, port);
    case REF_SERVE_PRIORITY:
        return next_priority(s, port);
    case REF_SERVE_ROUND_ROBIN:
        return next_round_robin(s, port);
    case REF_SERVE_DRR:
        return next_drr(s, port);
    }
    return -1;
}
