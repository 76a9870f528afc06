/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policy iteration over packet lists. A buffer is a string: with a queue per output the sorted
 * destinations of its packets, "0112"; a FIFO the destination of its head and '?' for each packet
 * behind it, "1??", which is drawn when it becomes the head. A state is the strings of all buffers.
 */
#include "tests/ref/ref_optimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 700, MOST_LENGTH = 24 };

typedef struct {
    char buffer[REF_MAX_PORTS][MOST_LENGTH];
} packet_lists;

typedef struct {
    const ref_switch *s;
    const ref_powers *p;
    int buffers, states;
    packet_lists *state;
    long double *h;   /* [states] values */
    long double *row; /* [states] to which outcomes are added, or NULL: values are computed */
    long double cost; /* added along with the row */
} problem;

static void sort(char *text)
{
    for (size_t i = 1; i < strlen(text); i++) {
        for (size_t k = i; k > 0 && text[k - 1] > text[k]; k--) {
            char moving = text[k];
            text[k] = text[k - 1];
            text[k - 1] = moving;
        }
    }
}

static int count(const char *text, char what)
{
    int found = 0;
    for (; *text; text++)
        found += *text == what;
    return found;
}

static void cut(char *text, size_t at)
{
    memmove(text + at, text + at + 1, strlen(text + at));
}

static void append(char *text, char what)
{
    size_t length = strlen(text);
    text[length] = what;
    text[length + 1] = '\0';
}

/* May a buffer have this content? */
static int fits(const problem *q, const char *text)
{
    if ((int)strlen(text) > q->s->capacity)
        return 0;
    for (char j = '0'; j < '0' + q->s->ports; j++) {
        if (q->s->queue_per_output && count(text, j) > q->s->queue_max)
            return 0;
    }
    return 1;
}

static int number(const problem *q, const packet_lists *c)
{
    for (int k = 0; k < q->states; k++) {
        int same = 1;
        for (int b = 0; b < q->buffers; b++)
            same = same && strcmp(q->state[k].buffer[b], c->buffer[b]) == 0;
        if (same)
            return k;
    }
    abort();
}

/* The next state is c, with this probability; FIFOs draw heads first. Adds its value, or one more
 * outcome. */
static long double arrive_at(problem *q, const packet_lists *c, long double chance)
{
    long double sum = 0, all = 0;

    for (int b = 0; b < q->buffers; b++) {
        if (c->buffer[b][0] != '?')
            continue;
        for (int j = 0; j < q->s->ports; j++)
            all += q->s->dest[b][j];
        for (int j = 0; j < q->s->ports; j++) {
            packet_lists drawn = *c;
            drawn.buffer[b][0] = (char)('0' + j);
            sum += arrive_at(q, &drawn, chance * q->s->dest[b][j] / all);
        }
        return sum;
    }
    int state = number(q, c);
    if (q->row)
        q->row[state] += chance;
    return chance * q->h[state];
}

/* All ways of sending from buffers b, b + 1, ...; `outputs` are taken. Returns the least value, and
 * in *best the content that remains. */
static long double try_sending(problem *q, const packet_lists *c, int b, unsigned outputs, int from,
                               packet_lists *best)
{
    packet_lists left, found;

    if (b == q->buffers) {
        *best = *c;
        return arrive_at(q, c, 1);
    }
    long double least = try_sending(q, c, b + 1, outputs, 0, best); /* no more from this one */
    for (int at = from; c->buffer[b][at]; at++) {
        unsigned output = 1u << (c->buffer[b][at] - '0');
        if (outputs & output || (at > 0 && (!q->s->queue_per_output)))
            continue;
        left = *c;
        cut(left.buffer[b], (size_t)at);
        long double value = q->s->read_all
                                ? try_sending(q, &left, b, outputs | output, at, &found)
                                : try_sending(q, &left, b + 1, outputs | output, 0, &found);
        if (value < least) {
            least = value;
            *best = found;
        }
    }
    return least;
}

static long double transmit(problem *q, const packet_lists *c, long double chance);

/* FIFOs whose head was lost or has just arrived draw it before any decision about sending. */
static long double draw_heads(problem *q, const packet_lists *c, long double chance)
{
    long double sum = 0, all = 0;

    for (int b = 0; b < q->buffers; b++) {
        if (c->buffer[b][0] != '?')
            continue;
        for (int j = 0; j < q->s->ports; j++)
            all += q->s->dest[b][j];
        for (int j = 0; j < q->s->ports; j++) {
            packet_lists drawn = *c;
            drawn.buffer[b][0] = (char)('0' + j);
            sum += draw_heads(q, &drawn, chance * q->s->dest[b][j] / all);
        }
        return sum;
    }
    return transmit(q, c, chance);
}

static long double transmit(problem *q, const packet_lists *c, long double chance)
{
    long double *row = q->row;
    packet_lists left = *c;

    if (q->s->pool) {
        for (char j = '0'; j < '0' + q->s->ports; j++) {
            char *packet = strchr(left.buffer[0], j);
            if (packet)
                cut(left.buffer[0], (size_t)(packet - left.buffer[0]));
        }
    } else {
        q->row = NULL;
        try_sending(q, c, 0, 0, 0, &left);
        q->row = row;
    }
    return arrive_at(q, &left, chance);
}

/* Decides about the packets of inputs i, i + 1, ..., packet[i] or 0: returns the least value of
 * losses and of what follows, and in *best the buffers' content then. */
static long double try_admitting(problem *q, const packet_lists *c, const char *packet, int i,
                                 int lost, packet_lists *best, int *best_lost)
{
    packet_lists next, found;
    int b, found_lost, room;
    long double least = INFINITY, value;

    while (i < q->s->ports && !packet[i])
        i++;
    if (i == q->s->ports) {
        *best = *c;
        *best_lost = lost;
        return lost + draw_heads(q, c, 1);
    }
    b = q->s->pool ? 0 : i;
    next = *c;
    append(next.buffer[b], packet[i]);
    if (q->s->queue_per_output)
        sort(next.buffer[b]);
    room = fits(q, next.buffer[b]);
    if (room)
        least = try_admitting(q, &next, packet, i + 1, lost, best, best_lost);
    if (!room || q->p->refuse) {
        value = try_admitting(q, c, packet, i + 1, lost + 1, &found, &found_lost);
        if (value < least) {
            least = value;
            *best = found;
            *best_lost = found_lost;
        }
    }
    for (int at = 0; !room && q->p->push_out && c->buffer[b][at]; at++) {
        packet_lists pushed = next;
        char gone = c->buffer[b][at];
        if (!q->s->queue_per_output && at > 0)
            break; /* packets behind the head are interchangeable */
        cut(pushed.buffer[b], (size_t)(strchr(pushed.buffer[b], gone) - pushed.buffer[b]));
        if (!fits(q, pushed.buffer[b]))
            continue;
        value = try_admitting(q, &pushed, packet, i + 1, lost + 1, &found, &found_lost);
        if (value < least) {
            least = value;
            *best = found;
            *best_lost = found_lost;
        }
    }
    return least;
}

/* One of the waiting packets comes first, and longest queues make room: all ways. */
static void push_in(problem *q, const packet_lists *c, const char *packet, long double chance)
{
    int waiting = 0, most = 0, longest = 0;

    for (int i = 0; i < q->s->ports; i++)
        waiting += packet[i] != 0;
    if (waiting == 0)
        draw_heads(q, c, chance);
    for (int i = 0; i < q->s->ports; i++) {
        char rest[REF_MAX_PORTS + 1];
        int b = q->s->pool ? 0 : i;
        packet_lists next = *c;
        if (!packet[i])
            continue;
        memcpy(rest, packet, sizeof rest);
        rest[i] = 0;
        append(next.buffer[b], packet[i]);
        sort(next.buffer[b]);
        if (fits(q, next.buffer[b])) {
            push_in(q, &next, rest, chance / waiting);
            continue;
        }
        q->cost += chance / waiting;
        most = longest = 0;
        for (char j = '0'; j < '0' + q->s->ports; j++)
            most = count(next.buffer[b], j) > most ? count(next.buffer[b], j) : most;
        for (char j = '0'; j < '0' + q->s->ports; j++)
            longest += count(next.buffer[b], j) == most;
        if (count(next.buffer[b], packet[i]) == most) { /* it is one of a longest queue itself */
            push_in(q, c, rest, chance / waiting);
            continue;
        }
        for (char j = '0'; j < '0' + q->s->ports; j++) {
            packet_lists pushed = next;
            if (count(next.buffer[b], j) != most)
                continue;
            cut(pushed.buffer[b], (size_t)(strchr(pushed.buffer[b], j) - pushed.buffer[b]));
            push_in(q, fits(q, pushed.buffer[b]) ? &pushed : c, rest, chance / waiting / longest);
        }
    }
}

/* Packets arrive at inputs i, i + 1, ... */
static void receive(problem *q, const packet_lists *c, char *packet, int i, long double chance)
{
    long double all = 0;
    packet_lists best;
    int lost;

    if (i == q->s->ports) {
        long double *row = q->row;
        if (q->p->longest) {
            push_in(q, c, packet, chance);
            return;
        }
        q->row = NULL;
        try_admitting(q, c, packet, 0, 0, &best, &lost);
        q->row = row;
        q->cost += chance * lost;
        draw_heads(q, &best, chance);
        return;
    }
    packet[i] = 0;
    receive(q, c, packet, i + 1, chance * (1 - (long double)q->s->load[i]));
    for (int j = 0; j < q->s->ports; j++)
        all += q->s->dest[i][j];
    for (int j = 0; j < q->s->ports; j++) {
        long double to = q->s->queue_per_output ? q->s->dest[i][j] / all : j == 0;
        packet[i] = (char)(q->s->queue_per_output ? '0' + j : '?');
        if (to > 0 && q->s->load[i] > 0)
            receive(q, c, packet, i + 1, chance * to * q->s->load[i]);
    }
}

/* Solves a x = b in place, a[n * n], by elimination with pivoting. */
static void eliminate(int n, long double *a, long double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabsl(a[i * n + k]) > fabsl(a[pivot * n + k]) ? i : pivot;
        for (int j = 0; j < n; j++) {
            long double moving = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = moving;
        }
        long double moving = b[k];
        b[k] = b[pivot];
        b[pivot] = moving;
        for (int i = k + 1; i < n; i++) {
            long double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n && factor != 0; j++)
                a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* One policy: the best for the present values. Returns its mean cost; values become those of the
 * policy. */
static long double improve(problem *q, long double *a, long double *b)
{
    int n = q->states;

    for (int s = 0; s < n; s++) {
        char packet[REF_MAX_PORTS + 1] = {0};
        q->row = a + s * n;
        memset(q->row, 0, sizeof *q->row * (size_t)n);
        q->cost = 0;
        receive(q, &q->state[s], packet, 0, 1);
        b[s] = q->cost;
        /* h + g - P h = cost, with g in the place of h of the empty switch, which is 0 */
        for (int k = 0; k < n; k++)
            q->row[k] = k == 0 ? 1 : (k == s) - q->row[k];
    }
    eliminate(n, a, b);
    long double g = b[0];
    memcpy(q->h, b, sizeof *b * (size_t)n);
    q->h[0] = 0;
    return g;
}

/* All contents that a buffer may have, combined with those of the other buffers. */
static int list_states(problem *q, packet_lists *c, int b)
{
    if (b == q->buffers) {
        if (q->states == MOST_STATES)
            return -1;
        q->state[q->states++] = *c;
        return 0;
    }
    if (list_states(q, c, b + 1))
        return -1;
    size_t length = strlen(c->buffer[b]);
    char last = length ? c->buffer[b][length - 1] : '0';
    if (length == MOST_LENGTH - 2)
        return 0;
    if (!q->s->queue_per_output && length > 0) {
        append(c->buffer[b], '?');
        if (fits(q, c->buffer[b]) && list_states(q, c, b))
            return -1;
    }
    for (char j = last; j < '0' + q->s->ports && (q->s->queue_per_output || length == 0); j++) {
        c->buffer[b][length] = j;
        c->buffer[b][length + 1] = '\0';
        if (fits(q, c->buffer[b]) && list_states(q, c, b))
            return -1;
    }
    c->buffer[b][length] = '\0';
    return 0;
}

int ref_optimal(const ref_switch *s, const ref_powers *powers, double *loss)
{
    problem q = {.s = s, .p = powers, .buffers = s->pool ? 1 : s->ports};
    packet_lists empty;
    long double created = 0, g = INFINITY, before;
    int status = -1;

    memset(&empty, 0, sizeof empty);
    q.state = calloc(MOST_STATES, sizeof *q.state);
    q.h = calloc(MOST_STATES, sizeof *q.h);
    if (q.state && q.h && list_states(&q, &empty, 0) == 0) {
        size_t n = (size_t)q.states;
        long double *a = calloc(n * n, sizeof *a), *b = calloc(n, sizeof *b);
        for (int k = 0; k < q.states; k++) { /* initially, the fewer packets the better */
            for (int i = 0; i < q.buffers; i++)
                q.h[k] += 0.1L * (long double)strlen(q.state[k].buffer[i]);
        }
        do {
            before = g;
            g = improve(&q, a, b);
        } while (g < before * (1 - 1e-15L));
        free(a);
        free(b);
        for (int i = 0; i < s->ports; i++)
            created += s->load[i];
        *loss = (double)(g / created);
        status = 0;
    }
    free(q.state);
    free(q.h);
    return status;
}
