/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_steps.h"

#include <stdlib.h>
#include <string.h>

typedef long double steps_real;

enum { P = STEPS_PORTS, NOBODY = -1, DRAWS = 64, TABLE = 8192, SETS = 256 };

/* ---- packets and states ---- */

enum { AT_INPUT, BEHIND };

/* All of ints, so that states can be compared byte by byte. */
typedef struct steps_packet {
    int input, output;
    int place; /* at its input, or behind the crossbar (in memories there, if there is no
                          crossbar) */
    int young; /* came in this cycle */
    int marked;
} steps_packet;

/* Packets are in the order in which they came, so that the first of a queue is its head. */
typedef struct steps_state {
    int count;
    steps_packet packet[STEPS_PACKETS];
    int held[P];        /* destination of the packet that a source holds, or NOBODY */
    int freed[P][P];    /* credit: slots of this queue freed in the last cycle */
    int pointer[2 * P]; /* of arbiters that have pointers */
} steps_state;

/* What is counted in a cycle. */
typedef struct steps_counts {
    int offered[P][P], refused[P][P], left[P];
} steps_counts;

/* ---- draws: a walk through all outcomes of a procedure ---- */

typedef struct steps_walk {
    const ref_steps *s;
    int choice[DRAWS], next[DRAWS]; /* what was drawn; what comes after it, or -1 */
    int depth, at;
    steps_real chance;
} steps_walk;

/* 0 .. n-1, with probabilities p. */
static int draw(steps_walk *w, int n, const steps_real *p)
{
    if (w->at == w->depth) {
        if (w->depth == DRAWS)
            abort();
        int first = 0;
        while (p[first] <= 0)
            first++;
        w->choice[w->depth++] = first;
    }
    const int chosen = w->choice[w->at];
    int after = chosen + 1;
    while (after < n && p[after] <= 0)
        after++;
    w->next[w->at++] = after < n ? after : -1;
    w->chance *= p[chosen];
    return chosen;
}

/* 0 .. n-1, equally likely. */
static int pick(steps_walk *w, int n)
{
    steps_real p[SETS];

    if (n == 1)
        return 0;
    for (int k = 0; k < n; k++)
        p[k] = 1 / (steps_real)n;
    return draw(w, n, p);
}

static void begin(steps_walk *w)
{
    w->at = 0;
    w->chance = 1;
}

/* To the next outcome, if there is one. */
static int again(steps_walk *w)
{
    while (w->depth > 0 && w->next[w->depth - 1] < 0)
        w->depth--;
    if (w->depth == 0)
        return 0;
    w->choice[w->depth - 1] = w->next[w->depth - 1];
    return 1;
}

/* ---- queues ---- */

static int at_inputs(const ref_steps *s)
{
    return s->kind != STEPS_OUTPUT_QUEUED && s->kind != STEPS_CROSSPOINT;
}

static int has_crosspoints(const ref_steps *s)
{
    return s->kind == STEPS_CROSSPOINT || s->kind == STEPS_INPUT_CROSSPOINT;
}

/* Is p in the queue of input i for output j at that place? j NOBODY: any; so is i. */
static int is_in(const steps_packet *p, int place, int i, int j)
{
    return p->place == place && (i == NOBODY || p->input == i) && (j == NOBODY || p->output == j);
}

static int length(const steps_state *x, int place, int i, int j)
{
    int n = 0;
    for (int k = 0; k < x->count; k++)
        n += is_in(&x->packet[k], place, i, j);
    return n;
}

static int head(const steps_state *x, int place, int i, int j)
{
    int k = 0;
    while (!is_in(&x->packet[k], place, i, j))
        k++;
    return k;
}

static steps_packet take(steps_state *x, int k)
{
    const steps_packet p = x->packet[k];
    x->count--;
    for (; k < x->count; k++)
        x->packet[k] = x->packet[k + 1];
    memset(&x->packet[x->count], 0, sizeof x->packet[0]);
    return p;
}

static void append(steps_state *x, steps_packet p)
{
    if (x->count == STEPS_PACKETS)
        abort();
    x->packet[x->count++] = p;
}

/* The request of input i for output j: its queue's length, if a packet for that output is at a
 * head. */
static int request(const ref_steps *s, const steps_state *x, int i, int j)
{
    if (s->queue_per_output)
        return length(x, AT_INPUT, i, j);
    const int all = length(x, AT_INPUT, i, NOBODY);
    return all > 0 && x->packet[head(x, AT_INPUT, i, NOBODY)].output == j ? all : 0;
}

/* ---- reception ---- */

static int input_admits(const ref_steps *s, const steps_state *x, int i, int d)
{
    const int queues = s->queue_per_output ? s->ports : 1, m = s->queue_min;
    const int most = s->queue_max > 0 ? s->queue_max : s->capacity;
    const int shared = s->capacity - queues * m;
    int used = 0, mine = 0;

    for (int q = 0; q < queues; q++) {
        const int l = length(x, AT_INPUT, i, s->queue_per_output ? q : NOBODY) + x->freed[i][q];
        used += l > m ? l - m : 0;
        if (q == d || !s->queue_per_output)
            mine = l;
    }
    if (mine >= most)
        return 0;
    if (mine < m)
        return 1;
    return used < shared && (s->alpha <= 0 || mine - m < s->alpha * (shared - used));
}

static int admits(const ref_steps *s, const steps_state *x, int i, int d)
{
    if (at_inputs(s))
        return input_admits(s, x, i, d);
    if (s->kind == STEPS_CROSSPOINT)
        return length(x, BEHIND, i, d) + x->freed[i][d] < s->crosspoint_slots;
    return length(x, BEHIND, NOBODY, d) + x->freed[0][d] < s->output_slots;
}

static void receive(steps_walk *w, steps_state *x, steps_counts *n)
{
    const ref_steps *s = w->s;
    int offer[P], left = 0;

    for (int i = 0; i < s->ports; i++) {
        offer[i] = x->held[i];
        if (offer[i] == NOBODY) {
            steps_real p[P + 1] = {0};
            for (int j = 0; j < s->ports; j++)
                p[j] = (steps_real)s->load[i] * s->dest[i][j];
            p[s->ports] = 1 - (steps_real)s->load[i];
            const int drawn = draw(w, s->ports + 1, p);
            offer[i] = drawn < s->ports ? drawn : NOBODY;
        }
        left += offer[i] != NOBODY;
    }
    while (left > 0) { /* in random order, which matters only where several want the same memory */
        int who[P] = {0};
        left = 0;
        for (int k = 0; k < s->ports; k++)
            if (offer[k] != NOBODY)
                who[left++] = k;
        const int i = who[s->kind == STEPS_OUTPUT_QUEUED ? pick(w, left) : 0];
        const int d = offer[i];
        offer[i] = NOBODY;
        left--;
        n->offered[i][d]++;
        x->held[i] = NOBODY;
        if (admits(s, x, i, d)) {
            append(x, (steps_packet){.input = i,
                                     .output = d,
                                     .place = at_inputs(s) ? AT_INPUT : BEHIND,
                                     .young = 1});
        } else {
            n->refused[i][d]++;
            if (s->block)
                x->held[i] = d;
        }
    }
}

/* ---- arbiters of a crossbar ---- */

typedef struct steps_match {
    steps_walk *w;
    int n, read_all;
    int weight[P][P]; /* of input i's request for output j; 0: none */
    int waits[P];     /* does the input hold packets? */
    int from[P];      /* the input that sends to output j, or NOBODY */
} steps_match;

static int is(const ref_steps *s, const char *name)
{
    return strcmp(s->arbiter, name) == 0;
}

static int sends(const steps_match *m, int i)
{
    for (int j = 0; j < m->n; j++)
        if (m->from[j] == i)
            return 1;
    return 0;
}

/* One of k candidates, by their weights. */
static int prefer(steps_match *m, int k, const int *candidate, const int *weight)
{
    int best[P], kept = 0, most = 0;

    if (is(m->w->s, "fixed"))
        return candidate[0];
    for (int c = 0; c < k; c++)
        most = weight[c] > most ? weight[c] : most;
    for (int c = 0; c < k; c++)
        if (!is(m->w->s, "longest") || weight[c] == most)
            best[kept++] = candidate[c];
    return best[pick(m->w, kept)];
}

/* Where inputs may send several packets: each output still free takes from any input that has a
 * packet for it. */
static void fill(steps_match *m)
{
    for (int j = 0; j < m->n; j++) {
        int candidate[P], weight[P], k = 0;
        for (int i = 0; i < m->n && m->from[j] == NOBODY; i++) {
            if (m->weight[i][j] > 0) {
                candidate[k] = i;
                weight[k++] = m->weight[i][j];
            }
        }
        if (k > 0)
            m->from[j] = prefer(m, k, candidate, weight);
    }
}

/* random, longest, fixed */
static void inputs_in_turn(steps_match *m)
{
    int left = m->n, who[P];

    for (int i = 0; i < m->n; i++)
        who[i] = i;
    while (left > 0) {
        const int k = is(m->w->s, "fixed") ? 0 : pick(m->w, left), i = who[k];
        int candidate[P], weight[P], c = 0;
        left--;
        for (int r = k; r < left; r++)
            who[r] = who[r + 1];
        for (int j = 0; j < m->n; j++) {
            if (m->from[j] == NOBODY && m->weight[i][j] > 0) {
                candidate[c] = j;
                weight[c++] = m->weight[i][j];
            }
        }
        if (c > 0)
            m->from[prefer(m, c, candidate, weight)] = i;
    }
}

static void outputs_in_turn(steps_match *m)
{
    int left = m->n, who[P];

    for (int j = 0; j < m->n; j++)
        who[j] = j;
    while (left > 0) {
        const int k = pick(m->w, left), j = who[k];
        int candidate[P], c = 0;
        who[k] = who[--left];
        for (int i = 0; i < m->n; i++)
            if (m->weight[i][j] > 0 && !sends(m, i))
                candidate[c++] = i;
        if (c > 0)
            m->from[j] = candidate[pick(m->w, c)];
    }
}

/* maximum, maximum-longest, max-weight: one of the best sets of all. */
static void best_set(steps_match *m)
{
    int best[SETS][P], sets = 0, most = -1;
    int all = 1;

    for (int j = 0; j < m->n; j++)
        all *= m->n + 1;
    for (int code = 0; code < all; code++) {
        int from[P], rest = code, size = 0, weight = 0, possible = 1;
        for (int j = 0; j < m->n; j++, rest /= m->n + 1) {
            from[j] = rest % (m->n + 1) - 1;
            if (from[j] == NOBODY)
                continue;
            size++;
            weight += m->weight[from[j]][j];
            possible = possible && m->weight[from[j]][j] > 0;
            for (int k = 0; k < j && !m->read_all; k++)
                possible = possible && from[k] != from[j];
        }
        int value = is(m->w->s, "maximum") ? size : weight;
        if (is(m->w->s, "maximum-longest"))
            value = 1000 * size + weight;
        if (!possible || value < most)
            continue;
        sets = value > most ? 0 : sets;
        most = value;
        memcpy(best[sets++], from, sizeof from);
    }
    memcpy(m->from, best[pick(m->w, sets)], sizeof m->from);
}

/* rotating, advancing (docs/simulation.md): inputs from a pointer on, each its longest queue; of
 * equal ones the first from the pointer on. */
static void rotate(steps_match *m, int *pointer)
{
    const int first = *pointer;
    int any = 0;

    for (int turn = 0; turn < m->n; turn++) {
        const int i = (first + turn) % m->n;
        int chosen = NOBODY;
        for (int k = 0; k < m->n; k++) {
            const int j = (first + k) % m->n;
            if (m->from[j] != NOBODY || m->weight[i][j] == 0)
                continue;
            if (m->read_all)
                m->from[j] = i;
            else if (chosen == NOBODY || m->weight[i][j] > m->weight[i][chosen])
                chosen = j;
        }
        if (chosen != NOBODY)
            m->from[chosen] = i;
        any = any || sends(m, i);
    }
    if (is(m->w->s, "advancing") ? any : sends(m, first) || !m->waits[first])
        *pointer = ((first + 1) % m->n);
}

/* McKeown 1999: outputs grant from their pointers on, inputs accept from theirs on; pointers move
 * past what was accepted in the first round. An input that reads each queue accepts all grants. */
static void islip(steps_match *m, int *give, int *accept)
{
    for (int round = 0; round < m->w->s->iterations; round++) {
        int granted[P];
        for (int j = 0; j < m->n; j++) {
            granted[j] = NOBODY;
            for (int k = 0; k < m->n && m->from[j] == NOBODY && granted[j] == NOBODY; k++) {
                const int i = (give[j] + k) % m->n;
                if (m->weight[i][j] > 0 && (m->read_all || !sends(m, i)))
                    granted[j] = i;
            }
        }
        for (int i = 0; i < m->n; i++) {
            const int start = accept[i];
            int accepted = 0;
            for (int k = 0; k < m->n; k++) {
                const int j = (start + k) % m->n;
                if (granted[j] != i || (accepted && !m->read_all))
                    continue;
                m->from[j] = i;
                accepted = 1;
                if (round == 0) {
                    give[j] = ((i + 1) % m->n);
                    accept[i] = ((j + 1) % m->n);
                }
            }
        }
    }
}

/* Anderson et al. 1993. */
static void pim(steps_match *m)
{
    for (int round = 0; round < m->w->s->iterations; round++) {
        int granted[P];
        for (int j = 0; j < m->n; j++) {
            int candidate[P], c = 0;
            for (int i = 0; i < m->n && m->from[j] == NOBODY; i++)
                if (m->weight[i][j] > 0 && (m->read_all || !sends(m, i)))
                    candidate[c++] = i;
            granted[j] = c > 0 ? candidate[pick(m->w, c)] : NOBODY;
        }
        for (int i = 0; i < m->n; i++) {
            int candidate[P], c = 0;
            for (int j = 0; j < m->n; j++)
                if (granted[j] == i)
                    candidate[c++] = j;
            const int chosen = c > 0 && !m->read_all ? candidate[pick(m->w, c)] : NOBODY;
            for (int j = 0; j < m->n; j++)
                if (granted[j] == i && (m->read_all || j == chosen))
                    m->from[j] = i;
        }
    }
}

static void match(steps_match *m, steps_state *x)
{
    const ref_steps *s = m->w->s;

    for (int j = 0; j < P; j++)
        m->from[j] = NOBODY;
    if (is(s, "islip")) {
        islip(m, x->pointer, x->pointer + P);
    } else if (is(s, "pim")) {
        pim(m);
    } else if (is(s, "rotating") || is(s, "advancing")) {
        rotate(m, x->pointer);
    } else if (is(s, "maximum") || is(s, "maximum-longest") || is(s, "max-weight")) {
        best_set(m);
    } else if (is(s, "random-outputs")) {
        outputs_in_turn(m);
        if (m->read_all)
            fill(m);
    } else {
        inputs_in_turn(m);
        if (m->read_all)
            fill(m);
    }
}

/* ---- steps behind reception ---- */

/* Moves the packet that input i sends to output j to the memory behind the crossbar. */
static void cross(const ref_steps *s, steps_state *x, int i, int j)
{
    steps_packet p = take(x, head(x, AT_INPUT, i, s->queue_per_output ? j : NOBODY));
    p.place = BEHIND;
    append(x, p);
    if (s->credit_next)
        x->freed[i][s->queue_per_output ? j : 0]++;
}

/* One phase of a crossbar, whose outputs have room for that many packets. */
static void phase(steps_walk *w, steps_state *x, int room)
{
    const ref_steps *s = w->s;
    steps_match m = {.w = w, .n = s->ports, .read_all = s->read_all};

    for (int i = 0; i < s->ports; i++) {
        m.waits[i] = length(x, AT_INPUT, i, NOBODY) > 0;
        for (int j = 0; j < s->ports; j++)
            if (length(x, BEHIND, NOBODY, j) < room)
                m.weight[i][j] = request(s, x, i, j);
    }
    match(&m, x);
    for (int j = 0; j < s->ports; j++)
        if (m.from[j] != NOBODY)
            cross(s, x, m.from[j], j);
}

/* One of those with a weight, as an output of a crosspoint switch chooses; NOBODY if there is none.
 */
static int choose(steps_walk *w, const int *weight, int *pointer)
{
    const ref_steps *s = w->s;
    int candidate[P] = {0}, c = 0, most = 0;

    for (int k = 0; k < s->ports; k++)
        most = weight[k] > most ? weight[k] : most;
    if (most == 0)
        return NOBODY;
    if (is(s, "islip")) {
        int k = *pointer;
        while (weight[k] == 0)
            k = (k + 1) % s->ports;
        *pointer = ((k + 1) % s->ports);
        return k;
    }
    for (int k = 0; k < s->ports; k++)
        if (weight[k] > 0 && (!is(s, "longest") || weight[k] == most))
            candidate[c++] = k;
    return candidate[is(s, "fixed") ? 0 : pick(w, c)];
}

/* Each input moves a packet to a crosspoint that has room; or one from each of its queues. */
static void to_crosspoints(steps_walk *w, steps_state *x)
{
    const ref_steps *s = w->s;

    for (int i = 0; i < s->ports; i++) {
        int weight[P] = {0};
        for (int j = 0; j < s->ports; j++)
            if (length(x, BEHIND, i, j) < s->crosspoint_slots)
                weight[j] = request(s, x, i, j);
        if (s->read_all) {
            for (int j = 0; j < s->ports; j++)
                if (weight[j] > 0)
                    cross(s, x, i, j);
            continue;
        }
        const int j = choose(w, weight, &x->pointer[P + i]);
        if (j != NOBODY)
            cross(s, x, i, j);
    }
}

static void depart(steps_walk *w, steps_state *x, steps_counts *n, int *young_left,
                   int *marked_left)
{
    const ref_steps *s = w->s;

    for (int j = 0; j < s->ports; j++) {
        int i = NOBODY;
        if (has_crosspoints(s)) {
            int weight[P] = {0};
            for (int k = 0; k < s->ports; k++)
                weight[k] = length(x, BEHIND, k, j);
            i = choose(w, weight, &x->pointer[j]);
            if (i == NOBODY)
                continue;
        }
        if (length(x, BEHIND, i, j) == 0)
            continue;
        const steps_packet p = take(x, head(x, BEHIND, i, j));
        n->left[j]++;
        *young_left += p.young;
        *marked_left += p.marked;
        if (s->credit_next && !at_inputs(s))
            x->freed[has_crosspoints(s) ? i : 0][j]++;
    }
}

static void transfer(steps_walk *w, steps_state *x)
{
    const ref_steps *s = w->s;

    if (s->kind == STEPS_INPUT_QUEUED)
        phase(w, x, 1);
    for (int k = 0; k < s->speedup && s->kind == STEPS_CIOQ; k++)
        phase(w, x, s->output_slots);
    if (s->kind == STEPS_INPUT_CROSSPOINT)
        to_crosspoints(w, x);
}

/* A cycle; also the number of packets that left in the cycle of their arrival, and are marked. */
static void cycle(steps_walk *w, steps_state *x, steps_counts *n, int *young_left, int *marked_left)
{
    memset(n, 0, sizeof *n);
    *young_left = *marked_left = 0;
    receive(w, x, n);
    memset(x->freed, 0, sizeof x->freed);
    if (w->s->departures_first)
        depart(w, x, n, young_left, marked_left);
    transfer(w, x);
    if (!w->s->departures_first)
        depart(w, x, n, young_left, marked_left);
}

/* ---- chains ---- */

typedef struct steps_list {
    steps_state *state;
    int states;
    int table[TABLE]; /* indices + 1 */
} steps_list;

typedef struct steps_chain {
    const ref_steps *s;
    steps_list plain, marked; /* states without and with a marked packet */
} steps_chain;

/* The queue that a packet is in. */
static int queue_number(const ref_steps *s, const steps_packet *p)
{
    if (p->place == AT_INPUT)
        return s->queue_per_output ? P * p->input + p->output : P * p->input;
    return P * P + (has_crosspoints(s) ? P * p->input + p->output : p->output);
}

/* The order between queues has no meaning, nor has the input of a packet in an output's queue. */
static void put_in_order(const ref_steps *s, steps_state *x)
{
    for (int k = 0; k < x->count; k++) {
        steps_packet p = x->packet[k];
        int at = k;
        if (p.place == BEHIND && !has_crosspoints(s))
            p.input = 0;
        for (; at > 0 && queue_number(s, &x->packet[at - 1]) > queue_number(s, &p); at--)
            x->packet[at] = x->packet[at - 1];
        x->packet[at] = p;
    }
}

static int find(steps_list *l, const steps_state *x)
{
    const unsigned char *byte = (const unsigned char *)x;
    unsigned h = 2166136261U;

    for (size_t k = 0; k < sizeof *x; k++)
        h = (h ^ byte[k]) * 16777619U;
    h ^= h >> 15;
    for (h %= TABLE; l->table[h]; h = (h + 1) % TABLE)
        if (memcmp(&l->state[l->table[h] - 1], x, sizeof *x) == 0)
            return l->table[h] - 1;
    if (l->states == STEPS_STATES)
        return -1;
    l->state[l->states] = *x;
    l->table[h] = ++l->states;
    return l->states - 1;
}

/* The expected counts of the cycle that leaves a state. */
typedef struct steps_reward {
    steps_real offered[P][P], refused[P][P], left[P];
} steps_reward;

typedef struct steps_edge {
    int from, to;
    steps_real chance;
} steps_edge;

typedef struct steps_edges {
    steps_edge *edge;
    size_t edges, room;
} steps_edges;

static int add_edge(steps_edges *e, int from, int to, steps_real chance)
{
    if (e->edges == e->room) {
        const size_t room = e->room ? 2 * e->room : 4096;
        steps_edge *more = realloc(e->edge, room * sizeof *more);
        if (!more)
            return -1;
        e->edge = more;
        e->room = room;
    }
    e->edge[e->edges++] = (steps_edge){from, to, chance};
    return 0;
}

static void grow_old(steps_state *x)
{
    for (int k = 0; k < x->count; k++)
        x->packet[k].young = 0;
}

static int expand(steps_chain *c, int from, steps_edges *edges, steps_reward *reward)
{
    const ref_steps *s = c->s;
    steps_walk w = {.s = s};

    do {
        steps_state x = c->plain.state[from];
        steps_counts n;
        int young, marked;
        begin(&w);
        cycle(&w, &x, &n, &young, &marked);
        grow_old(&x);
        put_in_order(s, &x);
        const int to = find(&c->plain, &x);
        if (to < 0 || add_edge(edges, from, to, w.chance))
            return -1;
        for (int i = 0; i < s->ports; i++) {
            for (int j = 0; j < s->ports; j++) {
                reward->offered[i][j] += w.chance * n.offered[i][j];
                reward->refused[i][j] += w.chance * n.refused[i][j];
            }
            reward->left[i] += w.chance * n.left[i];
        }
    } while (again(&w));
    return 0;
}

/* The states reachable from one that all can reach: the one closed class, if there is one. Returns
 * its size; 0 if there are several. */
static int closed_class(const steps_edges *e, int states, int *index)
{
    char *to = calloc((size_t)states, 1), *back = calloc((size_t)states, 1);
    int size = 0, start = 0, moved = 1;

    while (to && back && moved) {
        memset(to, 0, (size_t)states);
        memset(back, 0, (size_t)states);
        to[start] = back[start] = 1;
        for (int more = 1; more;) {
            more = 0;
            for (size_t k = 0; k < e->edges; k++) {
                const steps_edge *d = &e->edge[k];
                if (to[d->from] && !to[d->to]) {
                    to[d->to] = 1;
                    more = 1;
                }
                if (back[d->to] && !back[d->from]) {
                    back[d->from] = 1;
                    more = 1;
                }
            }
        }
        moved = 0;
        for (int v = 0; v < states && !moved; v++) {
            if (to[v] && !back[v]) { /* a way without return */
                start = v;
                moved = 1;
            }
        }
    }
    for (int v = 0; to && back && v < states; v++) {
        if (!back[v])
            size = -states;
        else if (to[v])
            index[size++] = v;
        if (size < 0)
            break;
    }
    free(to);
    free(back);
    return size > 0 ? size : 0;
}

/* Grassmann, Taksar and Heyman: without subtraction. p: [n][n], overwritten. */
static void stationary(steps_real *p, int n, steps_real *pi)
{
    for (int k = n - 1; k > 0; k--) {
        const steps_real *out = p + (size_t)k * (size_t)n;
        steps_real leave = 0;
        for (int j = 0; j < k; j++)
            leave += out[j];
        for (int i = 0; i < k; i++) {
            steps_real *row = p + (size_t)i * (size_t)n;
            if (row[k] <= 0)
                continue;
            row[k] /= leave;
            for (int j = 0; j < k; j++)
                row[j] += row[k] * out[j];
        }
    }
    steps_real sum = pi[0] = 1;
    for (int k = 1; k < n; k++) {
        pi[k] = 0;
        for (int i = 0; i < k; i++)
            pi[k] += pi[i] * p[(size_t)i * (size_t)n + (size_t)k];
        sum += pi[k];
    }
    for (int k = 0; k < n; k++)
        pi[k] /= sum;
}

static int solve_chain(const steps_edges *e, int states, steps_real *pi)
{
    int *index = calloc((size_t)states, sizeof *index),
        *place = calloc((size_t)states, sizeof *place);
    const int n = index && place ? closed_class(e, states, index) : 0;
    steps_real *p = n > 0 ? calloc((size_t)n * (size_t)n, sizeof *p) : NULL;
    steps_real *dense = n > 0 ? calloc((size_t)n, sizeof *dense) : NULL;
    const int ok = p && dense;

    for (int v = 0; ok && v < states; v++)
        place[v] = -1;
    for (int k = 0; ok && k < n; k++)
        place[index[k]] = k;
    for (size_t k = 0; ok && k < e->edges; k++)
        if (place[e->edge[k].from] >= 0)
            p[(size_t)place[e->edge[k].from] * (size_t)n + (size_t)place[e->edge[k].to]] +=
                e->edge[k].chance;
    if (ok)
        stationary(p, n, dense);
    for (int v = 0; ok && v < states; v++)
        pi[v] = place[v] >= 0 ? dense[place[v]] : 0;
    free(index);
    free(place);
    free(p);
    free(dense);
    return ok ? 0 : -1;
}

/* ---- delays ---- */

/* Marks each packet that arrived in a cycle from `from` in turn: gives its position after the
 * cycle. */
static int mark_young(steps_chain *c, int from, steps_real weight, steps_real *start,
                      steps_real *left_at_once)
{
    steps_walk w = {.s = c->s};

    do {
        steps_state x = c->plain.state[from];
        steps_counts n;
        int young, marked;
        begin(&w);
        cycle(&w, &x, &n, &young, &marked);
        *left_at_once += weight * w.chance * young;
        for (int k = 0; k < x.count; k++) {
            if (!x.packet[k].young)
                continue;
            steps_state y = x;
            y.packet[k].marked = 1;
            grow_old(&y);
            put_in_order(c->s, &y);
            const int to = find(&c->marked, &y);
            if (to < 0)
                return -1;
            start[to] += weight * w.chance;
        }
    } while (again(&w));
    return 0;
}

static int expand_marked(steps_chain *c, int from, steps_edges *edges)
{
    steps_walk w = {.s = c->s};

    do {
        steps_state x = c->marked.state[from];
        steps_counts n;
        int young, gone;
        begin(&w);
        cycle(&w, &x, &n, &young, &gone);
        grow_old(&x);
        put_in_order(c->s, &x);
        const int to = gone ? -1 : find(&c->marked, &x);
        if ((!gone && to < 0) || add_edge(edges, from, to, w.chance))
            return -1;
    } while (again(&w));
    return 0;
}

/* Follows marked packets, cycle by cycle, until almost none is left. */
static int follow(steps_chain *c, const steps_real *pi, ref_steps_answer *a)
{
    steps_real *now = calloc(STEPS_STATES, sizeof *now), *then = calloc(STEPS_STATES, sizeof *then);
    steps_edges e = {0};
    steps_real gone = 0, all = 0, sum = 0, early = 0;
    int rc = now && then ? 0 : -1;

    for (int v = 0; v < c->plain.states && !rc; v++)
        if (pi[v] > 0)
            rc = mark_young(c, v, pi[v], now, &gone);
    for (int v = 0; v < c->marked.states && !rc; v++)
        rc = expand_marked(c, v, &e);
    for (int v = 0; v < c->marked.states && !rc; v++)
        all += now[v];
    all += gone;
    for (int d = 1; !rc && d < 100000; d++) {
        steps_real left = 0;
        sum += gone * d;
        if (d <= STEPS_DELAYS) {
            a->delay[d] = (double)(gone / all);
            early += gone / all;
        }
        gone = 0;
        memset(then, 0, STEPS_STATES * sizeof *then);
        for (size_t k = 0; k < e.edges; k++) {
            const steps_real moved = now[e.edge[k].from] * e.edge[k].chance;
            if (e.edge[k].to < 0)
                gone += moved;
            else
                then[e.edge[k].to] += moved;
            left += moved;
        }
        memcpy(now, then, STEPS_STATES * sizeof *then);
        if (left < 1e-16L * all && d >= STEPS_DELAYS)
            break;
    }
    a->delay[0] = (double)(1 - early);
    a->marked_delay = (double)(sum / all);
    free(now);
    free(then);
    free(e.edge);
    return rc;
}

/* ---- answers ---- */

static double ratio(steps_real a, steps_real b)
{
    return b > 0 ? (double)(a / b) : 0;
}

static void answer(const steps_chain *c, const steps_reward *reward, const steps_real *pi,
                   ref_steps_answer *a)
{
    const int n = c->s->ports;
    steps_reward mean = {0};
    steps_real offered = 0, refused = 0, left = 0;

    a->states = c->plain.states;
    for (int v = 0; v < c->plain.states; v++) {
        const steps_state *x = &c->plain.state[v];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                mean.offered[i][j] += pi[v] * reward[v].offered[i][j];
                mean.refused[i][j] += pi[v] * reward[v].refused[i][j];
            }
            mean.left[i] += pi[v] * reward[v].left[i];
            a->mean_held += (double)(x->held[i] != NOBODY ? pi[v] : 0);
            a->waiting_output[i] +=
                (double)pi[v] * (length(x, AT_INPUT, NOBODY, i) + length(x, BEHIND, NOBODY, i));
        }
        a->mean_packets += (double)pi[v] * x->count;
        a->mean_behind += (double)pi[v] * length(x, BEHIND, NOBODY, NOBODY);
    }
    for (int i = 0; i < n; i++) {
        steps_real row = 0, row_refused = 0, column = 0, column_refused = 0;
        for (int j = 0; j < n; j++) {
            row += mean.offered[i][j];
            row_refused += mean.refused[i][j];
            column += mean.offered[j][i];
            column_refused += mean.refused[j][i];
        }
        a->refusal_input[i] = ratio(row_refused, row);
        a->refusal_output[i] = ratio(column_refused, column);
        a->throughput_output[i] = (double)mean.left[i];
        offered += row;
        refused += row_refused;
        left += mean.left[i];
    }
    a->refusal = ratio(refused, offered);
    a->refusals = (double)refused;
    a->throughput = (double)left / n;
    a->mean_delay = left > 0 ? 1 + a->mean_packets / (double)left : 0;
}

int ref_steps_solve(const ref_steps *s, int follow_packets, ref_steps_answer *a)
{
    steps_chain *c = calloc(1, sizeof *c);
    steps_reward *reward = calloc(STEPS_STATES, sizeof *reward);
    steps_real *pi = calloc(STEPS_STATES, sizeof *pi);
    steps_edges edges = {0};
    steps_state empty;
    int rc = -1;

    memset(a, 0, sizeof *a);
    if (!c || !reward || !pi)
        goto done;
    c->s = s;
    c->plain.state = calloc(STEPS_STATES, sizeof *c->plain.state);
    c->marked.state = calloc(STEPS_STATES, sizeof *c->marked.state);
    if (!c->plain.state || !c->marked.state)
        goto done;
    memset(&empty, 0, sizeof empty);
    memset(empty.held, NOBODY, sizeof empty.held);
    find(&c->plain, &empty);
    rc = 0;
    for (int v = 0; v < c->plain.states && !rc; v++)
        rc = expand(c, v, &edges, &reward[v]);
    if (!rc)
        rc = solve_chain(&edges, c->plain.states, pi);
    if (!rc)
        answer(c, reward, pi, a);
    if (!rc && follow_packets)
        rc = follow(c, pi, a);

done:
    if (c) {
        free(c->plain.state);
        free(c->marked.state);
    }
    free(c);
    free(reward);
    free(pi);
    free(edges.edge);
    return rc;
}
