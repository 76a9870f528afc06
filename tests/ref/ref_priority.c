/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_priority.h"

#include <stdlib.h>
#include <string.h>

typedef long double real_t;

enum { N = REF_PRIORITY_PORTS, LINES = 2 * N, ROOM = 24, STATES = REF_PRIORITY_STATES };

/* A packet is 1 + destination + N * class; 0 is none. A buffer's packets are stored line by line -
 * first the lines of normal queues, then those of high ones - and in order of arrival within
 * one. */
typedef struct {
    unsigned char count[N], packet[N][ROOM], held[N], ghost[N][LINES];
} held_packets;

typedef struct {
    const ref_priority *s;
    held_packets *state;
    real_t *p; /* [STATES * STATES] */
    int states, now, full;
    ref_priority_answer *of_state; /* expected rewards of the cycle from each state */
} solver;

static int class_of(int packet)
{
    return (packet - 1) / N;
}

static int to_of(int packet)
{
    return (packet - 1) % N;
}

static int has_own_lines(const ref_priority *s)
{
    return strcmp(s->support, "arbiter") != 0;
}

/* Does high priority have slots of its own? */
static int has_own_slots(const ref_priority *s)
{
    return strcmp(s->support, "buffer") == 0 || (has_own_lines(s) && s->partitioned);
}

static int line_of(const ref_priority *s, int packet)
{
    if (class_of(packet) == 0 || !has_own_lines(s))
        return s->one_queue ? 0 : to_of(packet);
    if (strcmp(s->support, "queues") == 0 || (strcmp(s->support, "queue") == 0 && s->pool))
        return N + to_of(packet);
    if (strcmp(s->support, "buffer") == 0 && s->high_fans)
        return N + to_of(packet);
    return N;
}

static int seen_in_line(const ref_priority *s, const held_packets *x, int b, int line)
{
    int packets = x->ghost[b][line];

    for (int k = 0; k < x->count[b]; k++)
        packets += line_of(s, x->packet[b][k]) == line;
    return packets;
}

static int admits(const ref_priority *s, const held_packets *x, int b, int packet)
{
    const int line = line_of(s, packet), mine = seen_in_line(s, x, b, line);
    int normal = 0, high = 0;

    for (int k = 0; k < LINES; k++)
        *(k < N ? &normal : &high) += seen_in_line(s, x, b, k);
    if (line >= N && has_own_slots(s)) {
        if (strcmp(s->support, "queues") == 0)
            return mine < s->high_slots / s->ports;
        return high < s->high_slots;
    }
    if (s->partitioned)
        return mine < s->slots / s->ports;
    if (!has_own_slots(s))
        normal += high;
    return normal < s->slots * (s->pool ? s->ports : 1);
}

static void insert(const ref_priority *s, held_packets *x, int b, int packet)
{
    int k = x->count[b]++;

    for (; k > 0 && line_of(s, x->packet[b][k - 1]) > line_of(s, packet); k--)
        x->packet[b][k] = x->packet[b][k - 1];
    x->packet[b][k] = (unsigned char)packet;
}

/* Index of the head of a line, or -1. */
static int head_of(const ref_priority *s, const held_packets *x, int b, int line)
{
    for (int k = 0; k < x->count[b]; k++) {
        if (line_of(s, x->packet[b][k]) == line)
            return k;
    }
    return -1;
}

static void send(solver *z, held_packets *x, int b, int line, real_t chance)
{
    const int k = head_of(z->s, x, b, line);

    z->of_state[z->now].sent[class_of(x->packet[b][k])] += (double)chance;
    x->count[b]--;
    for (int at = k; at < x->count[b]; at++)
        x->packet[b][at] = x->packet[b][at + 1];
    x->packet[b][x->count[b]] = 0;
    if (z->s->credit_next)
        x->ghost[b][line]++;
}

/* ---- the end of a cycle ---- */

static void arrive_at(solver *z, const held_packets *x, real_t chance)
{
    int k = 0;

    while (k < z->states && memcmp(&z->state[k], x, sizeof *x) != 0)
        k++;
    if (k == STATES) {
        z->full = 1;
        return;
    }
    if (k == z->states)
        z->state[z->states++] = *x;
    z->p[z->now * STATES + k] += chance;
}

/* ---- transmission ---- */

typedef struct {
    int line[2]
            [N]; /* by class: the line of input's granted head, by output; only where from >= 0 */
    int from[2][N]; /* the input that sends a head of the class to the output, or -1 */
} grants;

/* The line and its length by which input b asks for output j with a head of the class; 0: none. */
static int asks(const ref_priority *s, const held_packets *x, int b, int class, int j, int *line)
{
    for (int l = 0; l < LINES; l++) {
        const int k = head_of(s, x, b, l);
        if (k < 0 || class_of(x->packet[b][k]) != class || to_of(x->packet[b][k]) != j)
            continue;
        *line = l;
        int packets = 0;
        for (int m = 0; m < x->count[b]; m++)
            packets += line_of(s, x->packet[b][m]) == l;
        return packets;
    }
    return 0;
}

static void finish(solver *z, const held_packets *x, const grants *g, real_t chance)
{
    held_packets y = *x;

    for (int class = 0; class < 2; class ++) {
        for (int j = 0; j < z->s->ports; j++) {
            if (g->from[class][j] >= 0)
                send(z, &y, g->from[class][j], g->line[class][j], chance);
        }
    }
    arrive_at(z, &y, chance);
}

static void visit(solver *z, const held_packets *x, int class, int left, grants g, real_t chance);

static int output_taken(const grants *g, int j)
{
    return g->from[0][j] >= 0 || g->from[1][j] >= 0;
}

static int has_sent(const ref_priority *s, const grants *g, int i)
{
    for (int j = 0; j < s->ports; j++) {
        if (g->from[0][j] == i || g->from[1][j] == i)
            return 1;
    }
    return 0;
}

/* Read ports for each queue: outputs from j on that are free take a packet from any input. */
static void fill(solver *z, const held_packets *x, int class, int j, grants g, real_t chance)
{
    const ref_priority *s = z->s;
    int candidate[N], line[N], count = 0, most = 0;

    if (j == s->ports || !s->read_all) {
        if (class == 1)
            visit(z, x, 0, (1 << s->ports) - 1, g, chance);
        else
            finish(z, x, &g, chance);
        return;
    }
    for (int i = 0; i < s->ports && !output_taken(&g, j); i++) {
        int l = 0;
        const int packets = asks(s, x, i, class, j, &l);
        if (packets == 0 || (s->longest && packets < most))
            continue;
        if (s->longest && packets > most)
            count = 0;
        most = packets;
        line[count] = l;
        candidate[count++] = i;
    }
    if (count == 0)
        fill(z, x, class, j + 1, g, chance);
    for (int k = 0; k < count; k++) {
        grants h = g;
        h.from[class][j] = candidate[k];
        h.line[class][j] = line[k];
        fill(z, x, class, j + 1, h, chance / count);
    }
}

/* Inputs of the mask are still to be visited, in random order. */
static void visit(solver *z, const held_packets *x, int class, int left, grants g, real_t chance)
{
    const ref_priority *s = z->s;
    int waiting = 0;

    for (int i = 0; i < s->ports; i++)
        waiting += left >> i & 1;
    if (waiting == 0) {
        fill(z, x, class, 0, g, chance);
        return;
    }
    for (int i = 0; i < s->ports; i++) {
        int output[N], line[N], count = 0, most = 0;
        if (!(left >> i & 1))
            continue;
        const int may = s->read_all || !has_sent(s, &g, i);
        for (int j = 0; j < s->ports && may; j++) {
            int l = 0;
            const int packets = output_taken(&g, j) ? 0 : asks(s, x, i, class, j, &l);
            if (packets == 0 || (s->longest && packets < most))
                continue;
            if (s->longest && packets > most)
                count = 0;
            most = packets;
            line[count] = l;
            output[count++] = j;
        }
        if (count == 0)
            visit(z, x, class, left & ~(1 << i), g, chance / waiting);
        for (int k = 0; k < count; k++) {
            grants h = g;
            h.from[class][output[k]] = i;
            h.line[class][output[k]] = line[k];
            visit(z, x, class, left & ~(1 << i), h, chance / waiting / count);
        }
    }
}

static void transmit(solver *z, const held_packets *x, real_t chance)
{
    const ref_priority *s = z->s;
    held_packets y = *x;
    grants g;

    memset(y.ghost, 0, sizeof y.ghost);
    if (s->pool) {
        for (int j = 0; j < s->ports; j++) {
            if (head_of(s, &y, 0, N + j) >= 0)
                send(z, &y, 0, N + j, chance);
            else if (head_of(s, &y, 0, j) >= 0)
                send(z, &y, 0, j, chance);
        }
        arrive_at(z, &y, chance);
        return;
    }
    memset(&g, 0, sizeof g);
    memset(g.from, -1, sizeof g.from);
    visit(z, &y, 1, (1 << s->ports) - 1, g, chance);
}

/* ---- reception ---- */

static void judge(solver *z, held_packets *x, int i, int packet, real_t chance)
{
    const int b = z->s->pool ? 0 : i;
    ref_priority_answer *e = &z->of_state[z->now];

    e->offers[class_of(packet)] += (double)chance;
    x->held[i] = 0;
    if (admits(z->s, x, b, packet)) {
        insert(z->s, x, b, packet);
        return;
    }
    e->refused[class_of(packet)] += (double)chance;
    if (z->s->block)
        x->held[i] = (unsigned char)packet;
}

/* The offers that have not been decided, high priority first, otherwise in random order. */
static void take_in(solver *z, const held_packets *x, const int *offer, real_t chance)
{
    int left[2] = {0};

    for (int i = 0; i < z->s->ports; i++)
        left[0] += offer[i] != 0, left[1] += offer[i] != 0 && class_of(offer[i]) == 1;
    if (left[0] == 0)
        transmit(z, x, chance);
    for (int i = 0; i < z->s->ports; i++) {
        const int ties = z->s->pool ? (left[1] ? left[1] : left[0]) : 1;
        if (offer[i] == 0 || (z->s->pool && left[1] && class_of(offer[i]) == 0))
            continue;
        held_packets y = *x;
        int rest[N];
        memcpy(rest, offer, sizeof rest);
        rest[i] = 0;
        judge(z, &y, i, offer[i], chance / ties);
        take_in(z, &y, rest, chance / ties);
        if (!z->s->pool)
            break; /* inputs do not compete */
    }
}

static void create(solver *z, const held_packets *x, int i, int *offer, real_t chance)
{
    const ref_priority *s = z->s;

    if (chance == 0)
        return;
    if (i == s->ports) {
        take_in(z, x, offer, chance);
        return;
    }
    if (x->held[i]) {
        offer[i] = x->held[i];
        create(z, x, i + 1, offer, chance);
        return;
    }
    offer[i] = 0;
    create(z, x, i + 1, offer, chance * (1 - (real_t)s->load[i]));
    for (int class = 0; class < 2; class ++) {
        for (int j = 0; j < s->ports; j++) {
            const real_t of = class ? (real_t)s->high : 1 - (real_t)s->high;
            offer[i] = 1 + j + N * class;
            create(z, x, i + 1, offer, chance * (real_t)s->load[i] * of * (real_t)s->dest[i][j]);
        }
    }
}

/* ---- solving ---- */

/* Elimination by Grassmann, Taksar and Heyman, over all states: the one closed class contains the
 * empty switch. */
static void eliminate(const solver *z, real_t *pi)
{
    const int n = z->states;
    real_t sum = 1;

    for (int k = n - 1; k > 0; k--) {
        real_t out = 0;
        for (int j = 0; j < k; j++)
            out += z->p[k * STATES + j];
        for (int i = 0; i < k; i++) {
            const real_t into = z->p[i * STATES + k] / out;
            z->p[i * STATES + k] = into;
            for (int j = 0; j < k && into > 0; j++)
                z->p[i * STATES + j] += into * z->p[k * STATES + j];
        }
    }
    pi[0] = 1;
    for (int k = 1; k < n; k++) {
        pi[k] = 0;
        for (int i = 0; i < k; i++)
            pi[k] += pi[i] * z->p[i * STATES + k];
        sum += pi[k];
    }
    for (int k = 0; k < n; k++)
        pi[k] /= sum;
}

int ref_priority_solve(const ref_priority *s, ref_priority_answer *a)
{
    solver z = {.s = s, .states = 1};
    real_t *pi = calloc(STATES, sizeof *pi);

    z.state = calloc(STATES, sizeof *z.state);
    z.p = calloc((size_t)STATES * STATES, sizeof *z.p);
    z.of_state = calloc(STATES, sizeof *z.of_state);
    z.full = !pi || !z.state || !z.p || !z.of_state;
    for (; z.now < z.states && !z.full; z.now++) {
        const held_packets x = z.state[z.now];
        ref_priority_answer *e = &z.of_state[z.now];
        int offer[N] = {0};
        for (int b = 0; b < s->ports; b++) {
            for (int k = 0; k < x.count[b]; k++)
                e->packets[class_of(x.packet[b][k])]++;
            if (x.held[b])
                e->held[class_of(x.held[b])]++;
        }
        create(&z, &x, 0, offer, 1);
    }
    if (!z.full) {
        eliminate(&z, pi);
        *a = (ref_priority_answer){.states = z.states};
        for (int k = 0; k < z.states; k++) {
            for (int c = 0; c < 2; c++) {
                a->offers[c] += (double)(pi[k] * z.of_state[k].offers[c]);
                a->refused[c] += (double)(pi[k] * z.of_state[k].refused[c]);
                a->sent[c] += (double)(pi[k] * z.of_state[k].sent[c]);
                a->packets[c] += (double)(pi[k] * z.of_state[k].packets[c]);
                a->held[c] += (double)(pi[k] * z.of_state[k].held[c]);
            }
        }
    }
    free(pi);
    free(z.state);
    free(z.p);
    free(z.of_state);
    return z.full ? -1 : 0;
}
