/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_packets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double packets_real;

/* Destinations + 1 in order of arrival; held: what the source holds; mark: input * slots +
 * position + 1 of the marked packet, 0 for none. */
typedef struct {
    int packet[2][REF_PACKETS_SLOTS], held[2], mark;
} packets_state;

enum { CODES = 59049 * (2 * REF_PACKETS_SLOTS + 1) };
enum { NONE, LOST, ACCEPTED }; /* what happened at an input */

/* One way through a cycle. left: 0, or 1 + 2 * input + output of the marked packet that was sent.
 */
typedef struct {
    int from, to, event[2], left;
    packets_real chance;
} edge;

typedef struct {
    const ref_packets *p;
    int *index; /* by code: number + 1 */
    packets_state *list;
    int states, states_room;
    edge *e;
    long edges, edges_room;
    edge now; /* under construction */
    int oom;
} packets_solver;

static int code_of(const packets_state *s)
{
    int code = s->mark;

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < REF_PACKETS_SLOTS; k++)
            code = code * 3 + s->packet[i][k];
        code = code * 3 + s->held[i];
    }
    return code;
}

static int number_of(packets_solver *z, const packets_state *s)
{
    int code = code_of(s);

    if (z->index[code])
        return z->index[code] - 1;
    if (z->states == z->states_room) {
        int room = 2 * z->states_room + 64;
        packets_state *list = realloc(z->list, (size_t)room * sizeof *list);
        if (!list) {
            z->oom = 1;
            return 0;
        }
        z->list = list;
        z->states_room = room;
    }
    z->list[z->states] = *s;
    z->index[code] = ++z->states;
    return z->states - 1;
}

static void add_edge(packets_solver *z, const packets_state *to, int left, packets_real chance)
{
    if (z->edges == z->edges_room) {
        long room = 2 * z->edges_room + 64;
        edge *e = realloc(z->e, (size_t)room * sizeof *e);
        if (!e) {
            z->oom = 1;
            return;
        }
        z->e = e;
        z->edges_room = room;
    }
    z->now.to = number_of(z, to);
    z->now.left = left;
    z->now.chance = chance;
    z->e[z->edges++] = z->now;
}

static int packets(const packets_state *s, int i, int j)
{
    int n = 0;

    for (int k = 0; k < REF_PACKETS_SLOTS; k++)
        n += j < 0 ? s->packet[i][k] != 0 : s->packet[i][k] == j + 1;
    return n;
}

/* The place of the packet that input i may send to output j, or -1. */
static int sendable(const ref_packets *p, const packets_state *s, int i, int j)
{
    for (int k = 0; k < REF_PACKETS_SLOTS; k++) {
        if (s->packet[i][k] == j + 1)
            return k;
        if (p->one_queue)
            return -1;
    }
    return -1;
}

static int weight(const ref_packets *p, const packets_state *s, int i, int j)
{
    if (sendable(p, s, i, j) < 0)
        return 0;
    return p->one_queue ? packets(s, i, -1) : packets(s, i, j);
}

static void transmit(packets_solver *z, packets_state s, const int *from, packets_real chance)
{
    int left = 0;

    for (int j = 0; j < 2; j++) {
        int i = from[j];
        if (i < 0)
            continue;
        int k = sendable(z->p, &s, i, j), mark = s.mark - 1 - i * REF_PACKETS_SLOTS;
        if (s.mark && mark == k) {
            left = 1 + 2 * i + j;
            s.mark = 0;
        } else if (s.mark && mark > k && mark < REF_PACKETS_SLOTS) {
            s.mark--;
        }
        for (; k + 1 < REF_PACKETS_SLOTS; k++)
            s.packet[i][k] = s.packet[i][k + 1];
        s.packet[i][REF_PACKETS_SLOTS - 1] = 0;
    }
    add_edge(z, &s, left, chance);
}

/* Keeps, of two choices with weights a and b (0: not possible), those from which the arbiter
 * draws. */
static void prefer(const ref_packets *p, const int *w, packets_real *part)
{
    int a = w[0] > 0, b = w[1] > 0;

    if (a && b && strcmp(p->arbiter, "fixed") == 0)
        b = 0;
    if (a && b && strcmp(p->arbiter, "longest") == 0) {
        a = w[0] >= w[1];
        b = w[1] >= w[0];
    }
    part[0] = a ? 1 / (packets_real)(a + b) : 0;
    part[1] = b ? 1 / (packets_real)(a + b) : 0;
}

/* Buffers whose queues are all read: outputs still free take from any input. */
static void fill(packets_solver *z, const packets_state *s, int *from, int j, packets_real chance)
{
    if (j == 2 || !z->p->read_each) {
        transmit(z, *s, from, chance);
        return;
    }
    int w[2] = {weight(z->p, s, 0, j), weight(z->p, s, 1, j)};
    if (from[j] >= 0 || (w[0] == 0 && w[1] == 0)) {
        fill(z, s, from, j + 1, chance);
        return;
    }
    packets_real part[2];
    prefer(z->p, w, part);
    for (int i = 0; i < 2; i++) {
        if (part[i] > 0) {
            from[j] = i;
            fill(z, s, from, j + 1, chance * part[i]);
            from[j] = -1;
        }
    }
}

/* Ports take turns; by_outputs: outputs choose an input that has not sent, otherwise inputs choose
 * an output that is free. */
static void turn(packets_solver *z, const packets_state *s, int *from, int by_outputs, int first,
                 int done, packets_real chance)
{
    if (done == 2) {
        fill(z, s, from, 0, chance);
        return;
    }
    int port = done ? 1 - first : first, w[2];
    for (int other = 0; other < 2; other++) {
        int i = by_outputs ? other : port, j = by_outputs ? port : other;
        int taken = by_outputs ? from[1 - j] == i : from[j] >= 0;
        w[other] = taken ? 0 : weight(z->p, s, i, j);
    }
    if (w[0] == 0 && w[1] == 0) {
        turn(z, s, from, by_outputs, first, done + 1, chance);
        return;
    }
    packets_real part[2];
    prefer(z->p, w, part);
    for (int other = 0; other < 2; other++) {
        int j = by_outputs ? port : other;
        if (part[other] > 0) {
            from[j] = by_outputs ? other : port;
            turn(z, s, from, by_outputs, first, done + 1, chance * part[other]);
            from[j] = -1;
        }
    }
}

static void arbitrate(packets_solver *z, const packets_state *s, packets_real chance)
{
    int by_outputs = strcmp(z->p->arbiter, "random-outputs") == 0, from[2] = {-1, -1};

    if (strcmp(z->p->arbiter, "fixed") == 0) {
        turn(z, s, from, 0, 0, 0, chance);
        return;
    }
    turn(z, s, from, by_outputs, 0, 0, chance / 2);
    turn(z, s, from, by_outputs, 1, 0, chance / 2);
}

/* Inputs i, 1: create, offer. marking: the packet accepted at that input is marked. */
static void receive(packets_solver *z, packets_state s, int i, int marking, packets_real chance)
{
    const ref_packets *p = z->p;

    if (i == 2) {
        if (marking < 0 || s.mark)
            arbitrate(z, &s, chance);
        return;
    }
    int held = s.held[i];
    if (!held && p->load[i] < 1) {
        z->now.event[i] = NONE;
        receive(z, s, i + 1, marking, chance * (1 - (packets_real)p->load[i]));
    }
    for (int j = 0; j < 2; j++) {
        packets_real part =
            held ? held == j + 1 : (packets_real)p->load[i] * (packets_real)p->dest[i][j];
        packets_state t = s;
        int k = packets(&s, i, -1);
        if (part == 0)
            continue;
        if (k < p->capacity && (p->one_queue || packets(&s, i, j) < p->queue_max)) {
            z->now.event[i] = ACCEPTED;
            t.packet[i][k] = j + 1;
            t.held[i] = 0;
            if (marking == i)
                t.mark = 1 + i * REF_PACKETS_SLOTS + k;
        } else {
            z->now.event[i] = LOST;
            t.held[i] = p->block ? j + 1 : 0;
        }
        receive(z, t, i + 1, marking, chance * part);
    }
}

/* y = the edges that `take` allows, applied to x. */
typedef int take_fn(const edge *e, int i);

static packets_real apply(const packets_solver *z, long first, long last, const packets_real *x,
                          packets_real *y, take_fn *take, int i)
{
    packets_real total = 0;

    memset(y, 0, sizeof *y * (size_t)z->states);
    for (long k = first; k < last; k++) {
        const edge *e = &z->e[k];
        if (!take(e, i))
            continue;
        y[e->to] += x[e->from] * e->chance;
        total += x[e->from] * e->chance;
    }
    return total;
}

static int any(const edge *e, int i)
{
    (void)e;
    (void)i;
    return 1;
}

static int nothing(const edge *e, int i)
{
    return e->event[i] == NONE;
}

static int lost(const edge *e, int i)
{
    return e->event[i] == LOST;
}

static int accepted(const edge *e, int i)
{
    return e->event[i] == ACCEPTED;
}

static int stays(const edge *e, int i)
{
    (void)i;
    return e->left == 0;
}

/* The edges out of state `s`. */
static void expand(packets_solver *z, int s, int marking)
{
    z->now = (edge){.from = s};
    receive(z, z->list[s], 0, marking, 1);
}

/* Of what is in x after an event at input i: sum over the cycles in which its source is idle. */
static void wait_for_next(const packets_solver *z, long plain, int i, packets_real *x,
                          packets_real *sum, packets_real *work)
{
    packets_real left = 1, enough = 0;

    for (int s = 0; s < z->states; s++)
        enough += 1e-22L * x[s];
    memcpy(sum, x, sizeof *x * (size_t)z->states);
    while (left > 0) {
        left = apply(z, 0, plain, x, work, nothing, i);
        left = left <= enough ? 0 : left;
        memcpy(x, work, sizeof *x * (size_t)z->states);
        for (int s = 0; s < z->states; s++)
            sum[s] += x[s];
    }
}

static void follow_runs(const packets_solver *z, long plain, const packets_real *pi, int i,
                        packets_real *x, packets_real *sum, packets_real *work,
                        ref_packets_answer *a)
{
    packets_real all_lost = apply(z, 0, plain, pi, x, lost, i);
    packets_real starts, again;

    a->loss[i] = (double)(all_lost / ((packets_real)z->p->load[i]));
    wait_for_next(z, plain, i, x, sum, work);
    again = apply(z, 0, plain, sum, work, lost, i);
    a->repeat[i] = (double)(again / all_lost);
    /* a run: losses that follow an accepted packet */
    apply(z, 0, plain, pi, x, accepted, i);
    wait_for_next(z, plain, i, x, sum, work);
    starts = apply(z, 0, plain, sum, x, lost, i);
    for (int k = 1; k <= REF_PACKETS_MOST; k++) {
        wait_for_next(z, plain, i, x, sum, work);
        a->run[i][k] = (double)(apply(z, 0, plain, sum, work, accepted, i) / starts);
        apply(z, 0, plain, sum, x, lost, i);
    }
}

static void follow_delay(const packets_solver *z, long plain, long marking, const packets_real *pi,
                         packets_real *x, packets_real *work, ref_packets_answer *a)
{
    packets_real packets_in[2] = {0}, packets_out[2] = {0}, cycles_in[2] = {0}, cycles_out[2] = {0};
    packets_real total = 0;

    for (long k = plain; k < marking; k++)
        total += pi[z->e[k].from] * z->e[k].chance;
    memcpy(x, pi, sizeof *x * (size_t)z->states);
    for (int k = 1; k <= REF_PACKETS_MOST; k++) {
        /* the first arbitration belongs to the cycle in which the mark is made */
        long first = k == 1 ? plain : marking, last = k == 1 ? marking : z->edges;
        packets_real gone = 0;
        for (long n = first; n < last; n++) {
            const edge *e = &z->e[n];
            packets_real w = x[e->from] * e->chance / total;
            if (!e->left)
                continue;
            gone += w;
            packets_in[(e->left - 1) / 2] += w;
            packets_out[(e->left - 1) % 2] += w;
            cycles_in[(e->left - 1) / 2] += k * w;
            cycles_out[(e->left - 1) % 2] += k * w;
        }
        a->delay[k] = (double)gone;
        apply(z, first, last, x, work, stays, 0);
        memcpy(x, work, sizeof *x * (size_t)z->states);
    }
    for (int i = 0; i < 2; i++) {
        a->mean_input[i] = (double)(cycles_in[i] / packets_in[i]);
        a->mean_output[i] = (double)(cycles_out[i] / packets_out[i]);
    }
}

int ref_packets_solve(const ref_packets *spec, ref_packets_answer *a)
{
    packets_solver z = {.p = spec};
    long plain, marking;
    packets_state empty = {.mark = 0};

    memset(a, 0, sizeof *a);
    z.index = calloc(CODES, sizeof *z.index);
    if (!z.index)
        return -1;
    number_of(&z, &empty);
    int unmarked = 1;
    for (int s = 0; s < unmarked && !z.oom; s++) {
        expand(&z, s, -1);
        unmarked = z.states;
    }
    plain = z.edges;
    for (int s = 0; s < unmarked && !z.oom; s++) {
        for (int i = 0; i < 2; i++)
            expand(&z, s, i);
    }
    marking = z.edges;
    for (int s = 0; s < z.states && !z.oom; s++) {
        if (z.list[s].mark)
            expand(&z, s, -1);
    }
    packets_real *block = calloc(4 * (size_t)z.states, sizeof *block);
    if (block && !z.oom) {
        packets_real *pi = block, *x = pi + z.states, *sum = x + z.states, *work = sum + z.states;
        pi[0] = 1;
        for (packets_real change = 1; change > 2e-18L;) {
            apply(&z, 0, plain, pi, work, any, 0);
            change = 0;
            for (int s = 0; s < z.states; s++)
                change += fabsl(work[s] - pi[s]);
            memcpy(pi, work, sizeof *pi * (size_t)z.states);
        }
        for (int i = 0; i < 2 && !spec->block; i++)
            follow_runs(&z, plain, pi, i, x, sum, work, a);
        follow_delay(&z, plain, marking, pi, x, work, a);
    }
    int failed = !block || z.oom;
    free(block);
    free(z.index);
    free(z.list);
    free(z.e);
    return failed ? -1 : 0;
}
