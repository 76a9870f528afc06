/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a packet that comes is taken, and what rules keep for that. */
#include "tests/ref/ref_memory_part.h"

#include <math.h>

__extension__ typedef __int128 wide;

static long beyond(long length, long reserve)
{
    return length > reserve ? length - reserve : 0;
}

/* Does what the packet takes beyond the reserve of its queue fit into the shared part? */
static int fits_shared(const ref_memory *m, const long *length, int queue, long size)
{
    long left = ref_memory_bytes(m) - ref_memory_queues(m) * m->queue_min;

    for (int q = 0; q < ref_memory_queues(m); q++)
        left -= beyond(length[q], m->queue_min);
    return beyond(length[queue] + size, m->queue_min) - beyond(length[queue], m->queue_min) <= left;
}

/* The least number that 1 .. n divide. */
static wide common_multiple(int n)
{
    wide all = 1;

    for (int i = 2; i <= n; i++) {
        wide a = all, b = i;
        while (b > 0) {
            const wide rest = a % b;
            a = b;
            b = rest;
        }
        all = all / a * i;
    }
    return all;
}

/* For each m, the m longest, which are found one after another. */
static int is_harmonic(const ref_memory *m, const long *length, int queue, long size)
{
    const int queues = ref_memory_queues(m);
    const wide unit = common_multiple(queues);
    int counted[REF_MEMORY_QUEUES] = {0};
    wide all = 0, part = 0, together = 0;

    for (int i = 1; i <= queues; i++)
        all += unit / i;
    for (int i = 1; i <= queues; i++) {
        int longest = -1;
        long most = -1;
        for (int q = 0; q < queues; q++) {
            const long with = length[q] + (q == queue ? size : 0);
            if (!counted[q] && with > most) {
                longest = q;
                most = with;
            }
        }
        counted[longest] = 1;
        together += most;
        part += unit / i;
        if (together * all > ref_memory_bytes(m) * part)
            return 0;
    }
    return 1;
}

/* ---- ABM ---- */

static int is_below_active_threshold(ref_memory_state *s, const ref_memory_arrival *a,
                                     const long *length, long left, long asked)
{
    const int queue = ref_memory_queue(s->m, a);
    const double alpha = a->first_round_trip ? 1024 : s->m->alpha[a->class];
    const double limit = alpha * (double)left * s->drain[queue] / s->congested[a->class];

    s->congestion[queue] = fmin(1, (double)length[queue] / (double)s->m->congested);
    /* equal but for the rounding of quotients that are no whole numbers */
    const int is_rounded =
        s->drain[queue] != 1 || s->congested[a->class] != floor(s->congested[a->class]);
    if (is_rounded && limit > 0 && fabs((double)asked - limit) < 1e-9 * (limit + 1))
        s->guesses++;
    return (double)asked < limit;
}

void ref_memory_end_interval(ref_memory_state *s)
{
    const ref_memory *m = s->m;

    for (int k = 0; k < m->classes; k++) {
        double sum = 0;
        for (int i = 0; i < m->ports; i++)
            sum += s->congestion[i * m->classes + k];
        s->congested[k] = fmax(1, sum);
    }
    for (int q = 0; q < ref_memory_queues(m); q++) {
        const int port = q / m->classes;
        const double could = (double)m->rate[port] / 8 * (double)m->interval / 1e12; /* bytes */
        s->drain[q] = (double)s->sent_in_interval[q] / could;
        if (s->drain[q] < 1.0 / m->classes || s->drain[q] > 1)
            s->drain[q] = 1;
        s->sent_in_interval[q] = 0;
    }
}

/* ---- Occamy ---- */

/* The first queue from expels_next on, all round, that is above its threshold and can lose a
 * packet; -1: none. */
static int next_above(const ref_memory_state *s)
{
    const int queues = ref_memory_queues(s->m);
    long length[REF_MEMORY_QUEUES];
    const long left = ref_memory_lengths(s, length);

    for (int step = 0; step < queues; step++) {
        const int q = (s->expels_next + step) % queues;
        if ((double)length[q] > s->m->alpha[q % s->m->classes] * (double)left &&
            ref_memory_first(s, q) >= 0)
            return q;
    }
    return -1;
}

void ref_memory_token(ref_memory_state *s)
{
    if (s->tokens < s->m->token_bucket)
        s->tokens++;
    while (s->tokens > 0 && next_above(s) >= 0) {
        const int q = next_above(s);
        const long p = ref_memory_first(s, q);
        s->tokens -= ref_memory_cells(s->m, &s->arrival[p]);
        ref_memory_leaves(s, p, REF_EXPELLED);
        s->expels_next = (q + 1) % ref_memory_queues(s->m);
    }
}

/* ---- FollowLQD, Credence ---- */

static void count_virtual(ref_memory_state *s, int queue, long size)
{
    const int queues = ref_memory_queues(s->m);
    long all = size;

    for (int q = 0; q < queues; q++)
        all += s->virtual[q];
    s->virtual[queue] += size;
    while (all > ref_memory_bytes(s->m)) {
        int longest = 0;
        for (int q = 1; q < queues; q++) {
            if (s->virtual[q] > s -> virtual[longest])
                longest = q;
        }
        const long loses = s->virtual[longest] < size ? s->virtual[longest] : size;
        s->virtual[longest] -= loses;
        all -= loses;
    }
}

static int oracle_agrees(const ref_memory_state *s, const ref_memory_arrival *a)
{
    return !s->m->oracle || !s->m->oracle[a - s->arrival];
}

static int longest_has_its_share(const ref_memory *m, const long *length)
{
    for (int q = 0; q < ref_memory_queues(m); q++) {
        if (length[q] * ref_memory_queues(m) > ref_memory_bytes(m))
            return 0;
    }
    return 1;
}

/* ---- EDT, TDT ---- */

static long limit_of(long cells, int parts)
{
    return cells / parts > 1 ? cells / parts : 1;
}

/* The first length, in bytes, at which a queue is too long for one more; -1: none. */
static double absorbing_threshold(const ref_memory_state *s, int queue, long left)
{
    const double all = (double)ref_memory_bytes(s->m);
    const double usual = s->m->alpha[queue % s->m->classes] * (double)left;
    int absorb = 0;

    for (int q = 0; q < ref_memory_queues(s->m); q++)
        absorb += s->absorber[q].state == REF_ABSORBS;
    switch (s->absorber[queue].state) {
    case REF_ABSORBS:
        return all / absorb;
    case REF_EVACUATES:
        return fmin(usual, all / ref_memory_queues(s->m));
    default:
        return usual;
    }
}

static int absorbs(ref_memory_state *s, const ref_memory_arrival *a, const long *length, long left)
{
    const int queue = ref_memory_queue(s->m, a);
    const long cells = ref_memory_cells(s->m, a), all = ref_memory_bytes(s->m) / s->m->cell;
    const int has_room = ref_memory_size(s->m, a) <= left;
    const double limit = absorbing_threshold(s, queue, left);
    ref_memory_absorber *of = &s->absorber[queue];

    if (limit != floor(limit) && fabs(limit - (double)length[queue]) < 1e-9 * (limit + 1))
        s->guesses++;
    of->row = 0;
    if (has_room && (double)length[queue] < limit) {
        of->growth += cells;
        if (of->growth >= limit_of(all, ref_memory_queues(s->m)))
            of->state = REF_ABSORBS;
        if (of->state == REF_ABSORBS)
            of->growth = of->window = 0;
        return 1;
    }
    of->growth = 0;
    if (!has_room) {
        of->state = REF_NORMAL;
        of->burst = 0;
    }
    of->lost += cells;
    if (s->m->rule == REF_TAKE_TDT && of->lost >= limit_of(all, 2)) {
        of->state = REF_EVACUATES;
        of->lost = 0;
    }
    return 0;
}

static void has_sent_cells(ref_memory_state *s, int queue, long cells)
{
    ref_memory_absorber *of = &s->absorber[queue];
    const long all = ref_memory_bytes(s->m) / s->m->cell;

    of->row++;
    if (of->row == 3)
        *of = (ref_memory_absorber){.window = of->window};
    of->growth = beyond(of->growth, cells);
    if (of->state == REF_ABSORBS) {
        of->burst += cells;
        if (of->burst >= 2 * all) {
            of->state = REF_NORMAL;
            of->burst = 0;
        }
    } else if (of->state == REF_NORMAL) {
        of->window += cells;
        if (of->window >= limit_of(all, ref_memory_queues(s->m)))
            of->window = of->growth = of->row = 0;
    }
    if (of->state == REF_ABSORBS)
        of->growth = of->window = 0;
}

static void look_at_evacuations(ref_memory_state *s)
{
    long length[REF_MEMORY_QUEUES];
    const long left = ref_memory_lengths(s, length);

    for (int q = 0; q < ref_memory_queues(s->m); q++) {
        if (s->absorber[q].state == REF_EVACUATES &&
            2 * (double)length[q] < absorbing_threshold(s, q, left)) {
            s->absorber[q].state = REF_NORMAL;
            s->absorber[q].lost = 0;
        }
    }
}

void ref_memory_has_sent(ref_memory_state *s, const ref_memory_arrival *a)
{
    const int queue = ref_memory_queue(s->m, a);
    long length[REF_MEMORY_QUEUES];

    s->sent_in_interval[queue] += a->bytes;
    s->virtual[queue] = beyond(s->virtual[queue], ref_memory_size(s->m, a));
    ref_memory_lengths(s, length);
    if (length[queue] == 0)
        s->virtual[queue] = 0;
    ref_memory_averages(s, queue, length[queue]);
    has_sent_cells(s, queue, ref_memory_cells(s->m, a));
    if (s->m->rule == REF_TAKE_TDT)
        look_at_evacuations(s);
}

/* ---- FAB ---- */

static int is_same_flow(const ref_memory_arrival *a, const ref_memory_arrival *b)
{
    return a->input == b->input && a->output == b->output && a->class == b->class;
}

/* Bytes of the flow of a packet since its last pause, the packet included; lost ones count. */
static long bytes_of_flow(const ref_memory_state *s, const ref_memory_arrival *a)
{
    long bytes = a->bytes;
    long long later = a->time;

    for (const ref_memory_arrival *b = a; b-- > s->arrival;) {
        if (!is_same_flow(a, b))
            continue;
        if (later - b->time > s->m->flow_pause)
            break;
        bytes += b->bytes;
        later = b->time;
    }
    return bytes;
}

static double alpha_of_flow(const ref_memory_state *s, const ref_memory_arrival *a)
{
    return bytes_of_flow(s, a) < s->m->flow_bytes ? 1024 : s->m->alpha[a->class];
}

int ref_memory_takes(ref_memory_state *s, const ref_memory_arrival *a)
{
    const ref_memory *m = s->m;
    const int queue = ref_memory_queue(m, a), queues = ref_memory_queues(m);
    const long size = ref_memory_size(m, a);
    long length[REF_MEMORY_QUEUES];
    const long left = ref_memory_lengths(s, length);
    const int has_room = size <= left;
    const long with = length[queue] + size;
    const long asked = m->counts_itself ? with : length[queue];

    switch (m->rule) {
    case REF_TAKE_ALL:
        return has_room;
    case REF_TAKE_PARTITION:
        return has_room && with * queues <= ref_memory_bytes(m);
    case REF_TAKE_MAXIMUM:
        return has_room && with <= m->queue_max;
    case REF_TAKE_SQUARE_ROOT:
        return has_room &&
               (wide)with * with * queues <= (wide)ref_memory_bytes(m) * ref_memory_bytes(m);
    case REF_TAKE_MINIMUM:
        return has_room && fits_shared(m, length, queue, size);
    case REF_TAKE_MINIMUM_MAXIMUM:
        return has_room && fits_shared(m, length, queue, size) && with <= m->queue_max;
    case REF_TAKE_THRESHOLD:
    case REF_TAKE_OCCAMY:
        return has_room && (double)asked < m->alpha[a->class] * (double)left;
    case REF_TAKE_LQD:
        return ref_memory_makes_room(s, a);
    case REF_TAKE_HARMONIC:
        return has_room && is_harmonic(m, length, queue, size);
    case REF_TAKE_ABM:
        return is_below_active_threshold(s, a, length, left, asked) && has_room;
    case REF_TAKE_FOLLOW_LQD:
        count_virtual(s, queue, size);
        return has_room && with <= s->virtual[queue];
    case REF_TAKE_FAB:
        return has_room && (double)asked < alpha_of_flow(s, a) * (double)left;
    case REF_TAKE_EDT:
    case REF_TAKE_TDT:
        return absorbs(s, a, length, left);
    case REF_TAKE_IB:
        ref_memory_counts(s, a, length);
        return has_room && (double)asked < m->alpha[a->class] * (double)left &&
               ref_memory_is_fair(s, a, length);
    case REF_TAKE_REVERIE:
        return ref_memory_is_below_average(s, a, left) && has_room;
    case REF_TAKE_CREDENCE:
        count_virtual(s, queue, size);
        return has_room && (longest_has_its_share(m, length) ||
                            (with <= s->virtual[queue] && oracle_agrees(s, a)));
    }
    return 0;
}
