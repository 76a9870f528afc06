/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_memory_part.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int ref_memory_queues(const ref_memory *m)
{
    return m->ports * m->classes;
}

int ref_memory_queue(const ref_memory *m, const ref_memory_arrival *a)
{
    return a->output * m->classes + a->class;
}

long ref_memory_bytes(const ref_memory *m)
{
    return m->memory / m->cell * m->cell;
}

long ref_memory_cells(const ref_memory *m, const ref_memory_arrival *a)
{
    return (a->bytes + m->cell - 1) / m->cell;
}

long ref_memory_size(const ref_memory *m, const ref_memory_arrival *a)
{
    return ref_memory_cells(m, a) * m->cell;
}

long long ref_memory_time(long bytes, unsigned long long rate)
{
    const unsigned long long bits = 8 * (unsigned long long)bytes, second = 1000000000000;

    return (long long)((2 * bits * second + rate) / (2 * rate));
}

long ref_memory_lengths(const ref_memory_state *s, long length[REF_MEMORY_QUEUES])
{
    long left = ref_memory_bytes(s->m);

    for (int q = 0; q < ref_memory_queues(s->m); q++)
        length[q] = 0;
    for (long p = s->oldest; p < s->came; p++) {
        const long size = ref_memory_size(s->m, &s->arrival[p]);
        if (s->place[p] == REF_OUTSIDE || (s->place[p] == REF_IS_SENT && s->m->frees_at_start))
            continue;
        length[ref_memory_queue(s->m, &s->arrival[p])] += size;
        left -= size;
    }
    return left;
}

long ref_memory_first(const ref_memory_state *s, int queue)
{
    for (long p = s->oldest; p < s->came; p++) {
        if (s->place[p] == REF_WAITS && ref_memory_queue(s->m, &s->arrival[p]) == queue)
            return p;
    }
    return -1;
}

long ref_memory_last(const ref_memory_state *s, int queue)
{
    for (long p = s->came - 1; p >= s->oldest; p--) {
        if (s->place[p] == REF_WAITS && ref_memory_queue(s->m, &s->arrival[p]) == queue)
            return p;
    }
    return -1;
}

void ref_memory_leaves(ref_memory_state *s, long packet, ref_memory_end end)
{
    const int queue = ref_memory_queue(s->m, &s->arrival[packet]);
    const int waited = s->place[packet] == REF_WAITS;

    s->place[packet] = REF_OUTSIDE;
    if (waited && ref_memory_first(s, queue) < 0)
        s->deficit[queue] = 0;
    s->fate[packet].end = end;
    s->fate[packet].time = s->now;
}

static int is_marked(const ref_memory *m, long before)
{
    return m->mark_above >= 0 && before > m->mark_above;
}

static void end_transmission(ref_memory_state *s, int port)
{
    const long p = s->sending[port];

    ref_memory_leaves(s, p, REF_SENT);
    s->sending[port] = -1;
    if (!s->m->frees_at_start)
        ref_memory_has_sent(s, &s->arrival[p]);
}

static void packet_comes(ref_memory_state *s)
{
    const long p = s->came;
    const ref_memory_arrival *a = &s->arrival[p];
    const int queue = ref_memory_queue(s->m, a);
    long length[REF_MEMORY_QUEUES], left;

    s->fate[p].marked = 0;
    if (ref_memory_takes(s, a)) {
        /* longest-queue drop may have shortened the queue */
        ref_memory_lengths(s, length);
        s->fate[p].marked = !s->m->marks_at_start && is_marked(s->m, length[queue]);
        s->place[p] = REF_WAITS;
    } else {
        ref_memory_leaves(s, p, REF_REFUSED);
    }
    s->came++;
    left = ref_memory_lengths(s, length);
    s->fate[p].own = length[queue];
    s->fate[p].held = ref_memory_bytes(s->m) - left;
}

/* Bytes that wait behind a packet that begins to be sent. */
static long length_behind(const ref_memory_state *s, long packet)
{
    const ref_memory_arrival *a = &s->arrival[packet];
    long length[REF_MEMORY_QUEUES];

    ref_memory_lengths(s, length);
    return length[ref_memory_queue(s->m, a)] -
           (s->m->frees_at_start ? 0 : ref_memory_size(s->m, a));
}

static void port_begins(ref_memory_state *s, int port)
{
    const long p = s->sending[port] < 0 ? ref_memory_next(s, port) : -1;

    if (p < 0)
        return;
    s->place[p] = REF_IS_SENT;
    s->sending[port] = p;
    s->until[port] = s->now + ref_memory_time(s->arrival[p].bytes, s->m->rate[port]);
    if (s->m->frees_at_start)
        ref_memory_has_sent(s, &s->arrival[p]);
    if (s->m->marks_at_start)
        s->fate[p].marked = is_marked(s->m, length_behind(s, p));
}

static int is_empty(ref_memory_state *s)
{
    while (s->oldest < s->came && s->place[s->oldest] == REF_OUTSIDE)
        s->oldest++;
    return s->oldest == s->came;
}

static long long earlier(long long a, long long b)
{
    return a < b ? a : b;
}

static int is_in_range(const ref_memory *m, const ref_memory_arrival *arrival, long count)
{
    if (m->ports < 1 || m->ports > REF_MEMORY_PORTS || m->classes < 1 ||
        m->classes > REF_MEMORY_CLASSES || ref_memory_queues(m) > REF_MEMORY_QUEUES || m->cell < 1)
        return 0;
    for (long p = 0; p < count; p++) {
        if (arrival[p].output < 0 || arrival[p].output >= m->ports || arrival[p].class < 0 ||
            arrival[p].class >= m->classes || arrival[p].bytes < 1 || arrival[p].bytes > 500000 ||
            arrival[p].time < (p > 0 ? arrival[p - 1].time : 0))
            return 0;
    }
    return 1;
}

static void begin(ref_memory_state *s)
{
    for (int i = 0; i < s->m->ports; i++) {
        s->sending[i] = -1;
        s->last_class[i] = s->m->schedule == REF_SERVE_DRR ? 0 : s->m->classes - 1;
    }
    for (int q = 0; q < ref_memory_queues(s->m); q++)
        s->drain[q] = 1;
    for (int k = 0; k < s->m->classes; k++)
        s->congested[k] = 1;
    ref_memory_begin_windows(s);
}

long ref_memory_run(const ref_memory *m, const ref_memory_arrival *arrival, long count,
                    ref_memory_fate *fate)
{
    ref_memory_state s = {.m = m, .arrival = arrival, .fate = fate};
    long long token = m->rule == REF_TAKE_OCCAMY ? m->token_every : -1;
    long long timer = m->rule == REF_TAKE_ABM ? m->interval : -1;

    if (!is_in_range(m, arrival, count))
        return -1;
    s.place = calloc((size_t)count + 1, sizeof *s.place);
    assert(s.place);
    begin(&s);
    while (!is_empty(&s) || s.came < count) {
        s.now = s.came < count ? arrival[s.came].time : LLONG_MAX;
        for (int i = 0; i < m->ports; i++) {
            if (s.sending[i] >= 0)
                s.now = earlier(s.now, s.until[i]);
        }
        s.now = token >= 0 ? earlier(s.now, token) : s.now;
        s.now = timer >= 0 ? earlier(s.now, timer) : s.now;

        for (int i = 0; i < m->ports; i++) {
            if (s.sending[i] >= 0 && s.until[i] == s.now)
                end_transmission(&s, i);
        }
        if (token == s.now) {
            ref_memory_token(&s);
            token += m->token_every;
        }
        while (s.came < count && arrival[s.came].time == s.now)
            packet_comes(&s);
        for (int i = 0; i < m->ports; i++)
            port_begins(&s, i);
        if (timer == s.now) {
            ref_memory_end_interval(&s);
            timer += m->interval;
        }
    }
    free(s.place);
    return s.guesses;
}
