/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_bursts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NP = REF_BURSTS_PORTS, ROOM = REF_BURSTS_SLOTS, SLOTS = 1 << 17, NONE = -1 };

/* What a source is doing between cycles. */
enum { GAP, SENT, HOLDING };

typedef struct {
    int count[NP];        /* packets of each buffer */
    int packet[NP][ROOM]; /* destinations: in order of arrival in a FIFO queue, else sorted */
    /* credit next: slots that each queue has freed and that are not credited yet */
    int freed[NP][NP];
    int doing[NP]; /* of each source */
    int about[NP]; /* destination of the packet that it sent or holds; 0 in a gap */
} burst_state;

typedef struct {
    int to;
    double chance;
} burst_move;

typedef struct {
    const ref_bursts *s;
    burst_state *state;
    int states, room, failed;
    int *table; /* [SLOTS]: number + 1 */
    int *first; /* [states + 1] of its moves */
    burst_move *move;
    int moves, move_room;
    double (*refused)[NP], (*accepted)[NP], (*refused_to)[NP], (*sent_to)[NP]; /* by state */
    int now;
} burst_walk;

/* ---- the set of states ---- */

static unsigned burst_hash(const burst_state *x)
{
    const unsigned char *byte = (const unsigned char *)x;
    unsigned h = 2166136261u;

    for (size_t k = 0; k < sizeof *x; k++)
        h = (h ^ byte[k]) * 16777619u;
    return h ^ h >> 15;
}

static void *burst_more(void *old, int count, size_t each)
{
    return realloc(old, (size_t)count * each);
}

static int burst_grow(burst_walk *w)
{
    int room = w->room ? 2 * w->room : 256;
    void *part[5] = {burst_more(w->state, room, sizeof *w->state), NULL, NULL, NULL, NULL};

    if (part[0])
        w->state = part[0];
    part[1] = burst_more(w->refused, room, sizeof *w->refused);
    if (part[1])
        w->refused = part[1];
    part[2] = burst_more(w->accepted, room, sizeof *w->accepted);
    if (part[2])
        w->accepted = part[2];
    part[3] = burst_more(w->refused_to, room, sizeof *w->refused_to);
    if (part[3])
        w->refused_to = part[3];
    part[4] = burst_more(w->sent_to, room, sizeof *w->sent_to);
    if (part[4])
        w->sent_to = part[4];
    w->room = room;
    return part[0] && part[1] && part[2] && part[3] && part[4];
}

static int burst_number(burst_walk *w, const burst_state *x)
{
    unsigned at = burst_hash(x) % SLOTS;

    while (w->table[at] && memcmp(&w->state[w->table[at] - 1], x, sizeof *x) != 0)
        at = (at + 1) % SLOTS;
    if (w->table[at])
        return w->table[at] - 1;
    if (w->states == REF_BURSTS_STATES || (w->states == w->room && !burst_grow(w))) {
        w->failed = 1;
        return 0;
    }
    w->state[w->states] = *x;
    memset(w->refused[w->states], 0, sizeof *w->refused);
    memset(w->accepted[w->states], 0, sizeof *w->accepted);
    memset(w->refused_to[w->states], 0, sizeof *w->refused_to);
    memset(w->sent_to[w->states], 0, sizeof *w->sent_to);
    w->table[at] = ++w->states;
    return w->states - 1;
}

static void burst_arrive(burst_walk *w, const burst_state *x, double chance)
{
    int to = burst_number(w, x);

    for (int k = w->first[w->now]; k < w->moves; k++) {
        if (w->move[k].to == to) {
            w->move[k].chance += chance;
            return;
        }
    }
    if (w->moves == w->move_room) {
        int room = 2 * w->move_room + 1024;
        burst_move *move = burst_more(w->move, room, sizeof *move);
        if (!move) {
            w->failed = 1;
            return;
        }
        w->move = move;
        w->move_room = room;
    }
    w->move[w->moves++] = (burst_move){to, chance};
}

/* ---- transmission ---- */

static int buffer_of(const burst_walk *w, int i)
{
    return w->s->pool ? 0 : i;
}

/* Packets that buffer b could send to output j now: of a FIFO queue the whole queue counts. */
static int burst_queue(const burst_walk *w, const burst_state *x, int b, int j)
{
    int length = 0;

    if (!w->s->queue_per_output)
        return x->count[b] > 0 && x->packet[b][0] == j ? x->count[b] : 0;
    for (int k = 0; k < x->count[b]; k++)
        length += x->packet[b][k] == j;
    return length;
}

/* The first packet for j leaves. */
static void burst_send(const burst_walk *w, burst_state *x, int b, int j)
{
    int k = 0;

    while (x->packet[b][k] != j)
        k++;
    x->count[b]--;
    for (; k < x->count[b]; k++)
        x->packet[b][k] = x->packet[b][k + 1];
    x->packet[b][x->count[b]] = 0;
    if (w->s->credit_next)
        x->freed[b][w->s->queue_per_output ? j : 0]++;
}

/* All decisions are made: from[j] is the buffer that sends to j. */
static void burst_transmit(burst_walk *w, const burst_state *x, const int from[NP], double chance)
{
    burst_state y = *x;

    for (int j = 0; j < w->s->ports; j++) {
        if (from[j] == NONE)
            continue;
        burst_send(w, &y, from[j], j);
        w->sent_to[w->now][j] += chance;
    }
    burst_arrive(w, &y, chance);
}

/* Keeps the longest of the candidates, if that is the rule. */
static int burst_narrow(const burst_walk *w, int count, int *candidate, const int *length)
{
    int most = 0, kept = 0;

    for (int k = 0; k < count; k++)
        most = length[k] > most ? length[k] : most;
    for (int k = 0; k < count; k++) {
        if (!w->s->longest || length[k] == most)
            candidate[kept++] = candidate[k];
    }
    return kept;
}

/* Buffers that are read queue by queue: free outputs j, j + 1, ... take what is left. */
static void burst_fill(burst_walk *w, const burst_state *x, const int from[NP], int j,
                       double chance)
{
    int candidate[NP], length[NP], count = 0, chosen[NP];

    if (j == w->s->ports || !w->s->read_all) {
        burst_transmit(w, x, from, chance);
        return;
    }
    for (int b = 0; b < w->s->ports && from[j] == NONE; b++) {
        if (burst_queue(w, x, b, j) > 0) {
            length[count] = burst_queue(w, x, b, j);
            candidate[count++] = b;
        }
    }
    count = burst_narrow(w, count, candidate, length);
    memcpy(chosen, from, sizeof chosen);
    if (count == 0)
        burst_fill(w, x, chosen, j + 1, chance);
    for (int k = 0; k < count; k++) {
        chosen[j] = candidate[k];
        burst_fill(w, x, chosen, j + 1, chance / count);
    }
}

/* Inputs in random order: each of those in `left` is equally likely to be the next. */
static void burst_visit(burst_walk *w, const burst_state *x, unsigned left, const int from[NP],
                        double chance)
{
    int inputs = __builtin_popcount(left);

    if (!left) {
        burst_fill(w, x, from, 0, chance);
        return;
    }
    for (int i = 0; i < w->s->ports; i++) {
        int candidate[NP], length[NP], count = 0, chosen[NP];
        if (!(left >> i & 1))
            continue;
        for (int j = 0; j < w->s->ports; j++) {
            if (from[j] == NONE && burst_queue(w, x, i, j) > 0) {
                length[count] = burst_queue(w, x, i, j);
                candidate[count++] = j;
            }
        }
        count = burst_narrow(w, count, candidate, length);
        memcpy(chosen, from, sizeof chosen);
        if (count == 0)
            burst_visit(w, x, left & ~(1u << i), chosen, chance / inputs);
        for (int k = 0; k < count; k++) {
            memcpy(chosen, from, sizeof chosen);
            chosen[candidate[k]] = i;
            burst_visit(w, x, left & ~(1u << i), chosen, chance / inputs / count);
        }
    }
}

static void burst_arbitrate(burst_walk *w, burst_state *x, double chance)
{
    int from[NP];

    memset(x->freed, 0, sizeof x->freed);
    for (int j = 0; j < NP; j++)
        from[j] = NONE;
    if (!w->s->pool) {
        burst_visit(w, x, (1u << w->s->ports) - 1, from, chance);
        return;
    }
    for (int j = 0; j < w->s->ports; j++)
        from[j] = burst_queue(w, x, 0, j) > 0 ? 0 : NONE;
    burst_transmit(w, x, from, chance);
}

/* ---- reception ---- */

/* Input i offers a packet for d: the buffer accepts it if a slot is free. */
static void burst_offer(burst_walk *w, burst_state *x, int i, int d, double chance)
{
    int b = buffer_of(w, i), taken = x->count[b], k;

    for (int q = 0; q < w->s->ports; q++)
        taken += x->freed[b][q];
    x->about[i] = d;
    x->doing[i] = SENT;
    if (taken >= w->s->capacity) {
        w->refused[w->now][i] += chance;
        w->refused_to[w->now][d] += chance;
        x->doing[i] = w->s->block ? HOLDING : SENT;
        return;
    }
    w->accepted[w->now][i] += chance;
    k = x->count[b]++;
    for (; w->s->queue_per_output && k > 0 && x->packet[b][k - 1] > d; k--)
        x->packet[b][k] = x->packet[b][k - 1];
    x->packet[b][k] = d;
}

/* The offers are accepted one by one, in random order (which matters only to a pool). */
static void burst_receive(burst_walk *w, const burst_state *x, const int offer[NP], double chance)
{
    int left = 0, next[NP];
    burst_state y = *x;

    for (int i = 0; i < w->s->ports; i++)
        left += offer[i] != NONE;
    if (left == 0) {
        burst_arbitrate(w, &y, chance);
        return;
    }
    for (int i = 0; i < w->s->ports; i++) {
        if (offer[i] == NONE)
            continue;
        y = *x;
        memcpy(next, offer, sizeof next);
        next[i] = NONE;
        double share = w->s->pool ? chance / left : chance;
        burst_offer(w, &y, i, offer[i], share);
        burst_receive(w, &y, next, share);
        if (!w->s->pool)
            return; /* inputs do not affect each other: any order will do */
    }
}

/* What sources i, i + 1, ... offer. */
static void burst_create(burst_walk *w, const burst_state *x, int i, int offer[NP], double chance)
{
    const ref_bursts *s = w->s;
    burst_state y = *x;

    if (chance <= 0)
        return;
    if (i == s->ports) {
        burst_receive(w, x, offer, chance);
        return;
    }
    offer[i] = x->about[i];
    if (x->doing[i] == HOLDING) {
        burst_create(w, x, i + 1, offer, chance);
        return;
    }
    double ends = 1, begins = 1 / (1 + s->burst * (1 - s->load[i]) / s->load[i]);
    if (s->load[i] <= 0)
        begins = 0;
    if (x->doing[i] == SENT) {
        ends = 1 / s->burst;
        burst_create(w, x, i + 1, offer, chance * (1 - ends));
    }
    for (int d = 0; d < s->ports; d++) {
        offer[i] = d;
        burst_create(w, x, i + 1, offer, chance * ends * begins * s->dest[i][d]);
    }
    offer[i] = NONE;
    y.doing[i] = GAP;
    y.about[i] = 0;
    burst_create(w, &y, i + 1, offer, chance * ends * (1 - begins));
}

/* ---- the long run ---- */

static int burst_converge(const burst_walk *w, double *pi, double *next)
{
    pi[0] = 1;
    for (int turn = 0; turn < 100000; turn++) {
        double change = 0;
        memset(next, 0, sizeof *next * (size_t)w->states);
        for (int u = 0; u < w->states; u++) {
            for (int k = w->first[u]; k < w->first[u + 1]; k++)
                next[w->move[k].to] += pi[u] * w->move[k].chance;
        }
        for (int u = 0; u < w->states; u++) {
            double now = (pi[u] + next[u]) / 2; /* whatever the period */
            change += fabs(now - pi[u]);
            pi[u] = now;
        }
        if (change < 1e-15)
            return 1;
    }
    return 0;
}

static void burst_weigh(const burst_walk *w, const double *pi, ref_bursts_answer *a)
{
    const int buffers = w->s->pool ? 1 : w->s->ports;

    memset(a, 0, sizeof *a);
    a->states = w->states;
    for (int u = 0; u < w->states; u++) {
        const burst_state *x = &w->state[u];
        for (int i = 0; i < w->s->ports; i++) {
            a->refused[i] += pi[u] * w->refused[u][i];
            a->accepted[i] += pi[u] * w->accepted[u][i];
            a->refused_to[i] += pi[u] * w->refused_to[u][i];
            a->sent_to[i] += pi[u] * w->sent_to[u][i];
            a->held += x->doing[i] == HOLDING ? pi[u] : 0;
        }
        for (int b = 0; b < buffers; b++) {
            a->full[b] += x->count[b] == w->s->capacity ? pi[u] : 0;
            for (int k = 0; k < x->count[b]; k++)
                a->waiting_for[x->packet[b][k]] += pi[u];
        }
    }
}

int ref_bursts_solve(const ref_bursts *s, ref_bursts_answer *a)
{
    burst_walk w = {.s = s};
    burst_state empty;
    int offer[NP], fine = 0;
    double *pi = NULL, *next = NULL;

    memset(&empty, 0, sizeof empty);
    w.table = calloc(SLOTS, sizeof *w.table);
    w.first = calloc(REF_BURSTS_STATES + 1, sizeof *w.first);
    if (!w.table || !w.first)
        goto done;
    burst_number(&w, &empty);
    for (w.now = 0; w.now < w.states && !w.failed; w.now++) {
        burst_state x = w.state[w.now];
        w.first[w.now] = w.moves;
        burst_create(&w, &x, 0, offer, 1);
        w.first[w.now + 1] = w.moves;
    }
    pi = calloc((size_t)w.states + 1, sizeof *pi);
    next = calloc((size_t)w.states + 1, sizeof *next);
    fine = !w.failed && pi && next && burst_converge(&w, pi, next);
    if (fine)
        burst_weigh(&w, pi, a);
done:
    free(pi);
    free(next);
    free(w.state);
    free(w.refused);
    free(w.accepted);
    free(w.refused_to);
    free(w.sent_to);
    free(w.table);
    free(w.first);
    free(w.move);
    return fine ? 0 : -1;
}
