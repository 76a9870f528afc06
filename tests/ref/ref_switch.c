/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_switch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double switch_real;

enum { NP = REF_MAX_PORTS, ROOM = REF_MAX_SLOTS * REF_MAX_PORTS, NONE = -1, HASH = 16384 };

/*
 * A state lists every packet by its destination. Buffer b's list starts at pkt[b * REF_MAX_SLOTS]
 * (a pool is buffer 0 and may use all of pkt). With one FIFO queue the list is in arrival order;
 * with a queue per output it is sorted by destination, since order between queues has no meaning.
 * Unused entries stay 0 and all fields are int, so states can be compared byte by byte.
 */
typedef struct {
    int count[NP];     /* packets in each buffer */
    int held[NP];      /* destination of the packet held at each source, or NONE */
    int ghost[NP][NP]; /* credit_next: packets each queue sent in the last transmission */
    int pkt[ROOM];
} switch_state;

/* A growing list of states with a probability each; equal states are merged. */
typedef struct {
    switch_state *st;
    switch_real *pr;
    int n, room;
} state_list;

/* One set of transmissions: from[j] is the input that sends to output j, or NONE. */
typedef struct {
    int from[NP];
} ref_sending;

/* The sets that arbitration may choose; at most 5^4: per output one of 4 inputs or none. */
typedef struct {
    ref_sending set[625];
    switch_real pr[625];
    int n;
} sending_list;

typedef struct {
    const ref_switch *s;
    switch_real dest[NP][NP]; /* rows normalised, so that three times 1/3 is 1 in long double too */
    int oom;

    /* All states found so far, in order of discovery, and a hash table of their indices + 1. */
    switch_state *st;
    int states;
    int table[HASH];

    switch_real **row; /* row[u][v]: transition probability */
    switch_real
        *offers; /* offers[u * NP + i]: expected offers of input i in the cycle that leaves u */
    switch_real *refused; /* refused[u * NP + i]: the same for refused offers */
    switch_real *offers_to, *refused_to, *sent_to; /* by destination j, [u * NP + j] */
    switch_real *sent; /* sent[u]: expected packets transmitted in the cycle that leaves u */
    int now;           /* the state whose cycle is being enumerated */
    state_list mid;    /* what it may become by reception */
} switch_solver;

/* ---- buffers ---- */

static int buffers(const ref_switch *s)
{
    return s->pool ? 1 : s->ports;
}

static int queues(const ref_switch *s)
{
    return s->queue_per_output ? s->ports : 1;
}

static int queue_of(const ref_switch *s, int d)
{
    return s->queue_per_output ? d : 0;
}

static int queue_length(const ref_switch *s, const switch_state *x, int b, int q)
{
    const int *list = x->pkt + b * REF_MAX_SLOTS;
    int len = 0;
    for (int k = 0; k < x->count[b]; k++)
        if (queue_of(s, list[k]) == q)
            len++;
    return len;
}

static void put(const ref_switch *s, switch_state *x, int b, int d)
{
    int *list = x->pkt + b * REF_MAX_SLOTS;
    int k = x->count[b]++;
    if (s->queue_per_output)
        for (; k > 0 && list[k - 1] > d; k--)
            list[k] = list[k - 1];
    list[k] = d;
}

/* Removes the first packet for d; with a FIFO queue the caller has checked that it is the head. */
static void take(switch_state *x, int b, int d)
{
    int *list = x->pkt + b * REF_MAX_SLOTS;
    int k = 0;
    while (list[k] != d)
        k++;
    x->count[b]--;
    for (; k < x->count[b]; k++)
        list[k] = list[k + 1];
    list[x->count[b]] = 0;
}

/* The admission rule. Ghosts count: their slots are not available yet. */
static int admits(const ref_switch *s, const switch_state *x, int b, int d)
{
    int j = queue_of(s, d), nq = queues(s), m = s->queue_min;
    int shared = s->capacity - nq * m, used = 0, len_j = 0;
    for (int k = 0; k < nq; k++) {
        int len = queue_length(s, x, b, k) + x->ghost[b][k];
        if (len > m)
            used += len - m;
        if (k == j)
            len_j = len;
    }
    if (len_j >= s->queue_max)
        return 0;
    if (len_j < m)
        return 1;
    if (used >= shared)
        return 0;
    return s->alpha <= 0 || (double)(len_j - m) < s->alpha * (double)(shared - used);
}

/* ---- reception ---- */

static void list_add(switch_solver *z, state_list *l, const switch_state *x, switch_real pr)
{
    for (int k = 0; k < l->n; k++) {
        if (memcmp(&l->st[k], x, sizeof *x) == 0) {
            l->pr[k] += pr;
            return;
        }
    }
    if (l->n == l->room) {
        int room = l->room ? 2 * l->room : 64;
        switch_state *st = realloc(l->st, (size_t)room * sizeof *st);
        if (st)
            l->st = st;
        switch_real *p = realloc(l->pr, (size_t)room * sizeof *p);
        if (p)
            l->pr = p;
        if (!st || !p) {
            z->oom = 1;
            return;
        }
        l->room = room;
    }
    l->st[l->n] = *x;
    l->pr[l->n++] = pr;
}

/* Input i's offer of a packet for d is judged on x, which is changed accordingly. */
static void judge(switch_solver *z, switch_state *x, int i, int d, int open, switch_real pr)
{
    const ref_switch *s = z->s;
    int b = s->pool ? 0 : i;
    if (open && admits(s, x, b, d)) {
        put(s, x, b, d);
        x->held[i] = NONE;
    } else {
        z->refused[z->now * NP + i] += pr;
        z->refused_to[z->now * NP + d] += pr;
        x->held[i] = s->block ? d : NONE;
    }
}

/* Pool: takes the offers not yet judged (offer[i] != NONE) in uniformly random order. */
static void pool_order(switch_solver *z, const switch_state *x, const int offer[NP], unsigned open,
                       switch_real pr)
{
    int n = z->s->ports, left = 0;
    for (int i = 0; i < n; i++)
        left += offer[i] != NONE;
    if (left == 0) {
        list_add(z, &z->mid, x, pr);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (offer[i] == NONE)
            continue;
        switch_state y = *x;
        int rest[NP];
        memcpy(rest, offer, sizeof rest);
        rest[i] = NONE;
        /* refusals are counted with the probability of the path up to and including this offer */
        judge(z, &y, i, offer[i], (open >> i & 1U) != 0, pr / left);
        pool_order(z, &y, rest, open, pr / left);
    }
}

static int bits(unsigned v)
{
    int k = 0;
    for (; v; v >>= 1)
        k += (int)(v & 1U);
    return k;
}

static void pool_reception(switch_solver *z, const switch_state *x, const int offer[NP],
                           switch_real pr)
{
    const ref_switch *s = z->s;
    int n = s->ports, open_ports = n;
    if (s->pool_ports_rule) {
        int f = s->capacity - x->count[0];
        for (int q = 0; q < n; q++)
            f -= x->ghost[0][q];
        if (f < n)
            open_ports = f;
    }
    int subsets = 0;
    for (unsigned m = 0; m < 1U << n; m++)
        subsets += bits(m) == open_ports;
    for (unsigned m = 0; m < 1U << n; m++)
        if (bits(m) == open_ports)
            pool_order(z, x, offer, m, pr / subsets);
}

static void reception(switch_solver *z, const switch_state *x, const int offer[NP], switch_real pr)
{
    for (int i = 0; i < z->s->ports; i++) {
        if (offer[i] != NONE) {
            z->offers[z->now * NP + i] += pr;
            z->offers_to[z->now * NP + offer[i]] += pr;
        }
    }
    if (z->s->pool) {
        pool_reception(z, x, offer, pr);
        return;
    }
    switch_state y = *x;
    for (int i = 0; i < z->s->ports; i++)
        if (offer[i] != NONE)
            judge(z, &y, i, offer[i], 1, pr);
    list_add(z, &z->mid, &y, pr);
}

/* Every combination of what the sources i, i + 1, ... offer. */
static void sources(switch_solver *z, const switch_state *x, int i, int offer[NP], switch_real pr)
{
    const ref_switch *s = z->s;
    if (pr <= 0)
        return; /* impossible: must not become a transition */
    if (i == s->ports) {
        reception(z, x, offer, pr);
        return;
    }
    if (x->held[i] != NONE) {
        offer[i] = x->held[i];
        sources(z, x, i + 1, offer, pr);
        return;
    }
    offer[i] = NONE;
    sources(z, x, i + 1, offer, pr * (1 - (switch_real)s->load[i]));
    for (int d = 0; d < s->ports; d++) {
        offer[i] = d;
        sources(z, x, i + 1, offer, pr * (switch_real)s->load[i] * z->dest[i][d]);
    }
}

/* ---- arbitration ---- */

typedef struct {
    int n, read_all;
    const char *arbiter;
    int w[NP][NP]; /* w[i][j]: length of input i's queue for output j */
    sending_list *out;
} arbitration;

static int is(const arbitration *r, const char *name)
{
    return strcmp(r->arbiter, name) == 0;
}

static void choose(const arbitration *r, const ref_sending *t, switch_real pr)
{
    sending_list *o = r->out;
    for (int k = 0; k < o->n; k++) {
        if (memcmp(&o->set[k], t, sizeof *t) == 0) {
            o->pr[k] += pr;
            return;
        }
    }
    o->set[o->n] = *t;
    o->pr[o->n++] = pr;
}

/* Of k candidates with weights wt, keeps those the arbiter picks from; returns how many. */
static int narrow(const arbitration *r, int k, int cand[NP], const int wt[NP])
{
    if (is(r, "fixed"))
        return k > 1 ? 1 : k; /* candidates come in ascending order */
    if (!is(r, "longest"))
        return k;
    int best = 0, kept = 0;
    for (int c = 0; c < k; c++)
        if (wt[c] > best)
            best = wt[c];
    for (int c = 0; c < k; c++)
        if (wt[c] == best)
            cand[kept++] = cand[c];
    return kept;
}

/* read_all: outputs j, j + 1, ... that are still free take a packet from some input. */
static void fill(const arbitration *r, int j, ref_sending t, switch_real pr)
{
    if (j == r->n || !r->read_all) {
        choose(r, &t, pr);
        return;
    }
    int cand[NP], wt[NP], k = 0;
    if (t.from[j] == NONE) {
        for (int i = 0; i < r->n; i++) {
            if (r->w[i][j] > 0) {
                wt[k] = r->w[i][j];
                cand[k++] = i;
            }
        }
        k = narrow(r, k, cand, wt);
    }
    if (k == 0) {
        fill(r, j + 1, t, pr);
        return;
    }
    for (int c = 0; c < k; c++) {
        ref_sending u = t;
        u.from[j] = cand[c];
        fill(r, j + 1, u, pr / k);
    }
}

/* "random", "longest", "fixed": each input in turn takes one of its queues. */
static void visit_inputs(const arbitration *r, unsigned done, ref_sending t, switch_real pr)
{
    int left = r->n - bits(done);
    if (left == 0) {
        fill(r, 0, t, pr);
        return;
    }
    /* the next input: any not yet visited, or the lowest of them */
    switch_real p = is(r, "fixed") ? pr : pr / left;
    for (int i = 0; i < r->n; i++) {
        if (done >> i & 1U)
            continue;
        int cand[NP], wt[NP], k = 0;
        for (int j = 0; j < r->n; j++) {
            if (t.from[j] == NONE && r->w[i][j] > 0) {
                wt[k] = r->w[i][j];
                cand[k++] = j;
            }
        }
        k = narrow(r, k, cand, wt);
        if (k == 0)
            visit_inputs(r, done | 1U << i, t, p);
        for (int c = 0; c < k; c++) {
            ref_sending u = t;
            u.from[cand[c]] = i;
            visit_inputs(r, done | 1U << i, u, p / k);
        }
        if (is(r, "fixed"))
            break;
    }
}

/* "random-outputs": each output in turn picks an input that has not yet sent. */
static void visit_outputs(const arbitration *r, unsigned done, unsigned used, ref_sending t,
                          switch_real pr)
{
    int left = r->n - bits(done);
    if (left == 0) {
        fill(r, 0, t, pr);
        return;
    }
    for (int j = 0; j < r->n; j++) {
        if (done >> j & 1U)
            continue;
        int cand[NP], k = 0;
        for (int i = 0; i < r->n; i++)
            if (!(used >> i & 1U) && r->w[i][j] > 0)
                cand[k++] = i;
        if (k == 0)
            visit_outputs(r, done | 1U << j, used, t, pr / left);
        for (int c = 0; c < k; c++) {
            ref_sending u = t;
            u.from[j] = cand[c];
            visit_outputs(r, done | 1U << j, used | 1U << cand[c], u, pr / left / k);
        }
    }
}

/* What a rule over whole sets maximises: first major, then minor. */
typedef struct {
    int major, minor;
} score;

static score score_of(const arbitration *r, const ref_sending *t)
{
    int size = 0, weight = 0;
    for (int j = 0; j < r->n; j++) {
        if (t->from[j] != NONE) {
            size++;
            weight += r->w[t->from[j]][j];
        }
    }
    if (is(r, "maximum"))
        return (score){size, 0};
    if (is(r, "maximum-longest"))
        return (score){size, weight};
    return (score){weight, 0}; /* max-weight */
}

/* Enumerates every permitted set of transmissions once; keeps those with the best score. */
static void all_sets(const arbitration *r, int j, unsigned used, ref_sending t, score *best)
{
    if (j == r->n) {
        score v = score_of(r, &t);
        if (v.major > best->major || (v.major == best->major && v.minor > best->minor)) {
            *best = v;
            r->out->n = 0;
        }
        if (v.major == best->major && v.minor == best->minor)
            r->out->set[r->out->n++] = t;
        return;
    }
    t.from[j] = NONE;
    all_sets(r, j + 1, used, t, best);
    for (int i = 0; i < r->n; i++) {
        if (r->w[i][j] == 0 || (!r->read_all && (used >> i & 1U)))
            continue;
        t.from[j] = i;
        all_sets(r, j + 1, used | 1U << i, t, best);
    }
}

static void arbitrate(const ref_switch *s, const switch_state *x, sending_list *out)
{
    arbitration r = {.n = s->ports, .read_all = s->read_all, .arbiter = s->arbiter, .out = out};
    ref_sending none;
    for (int j = 0; j < NP; j++)
        none.from[j] = NONE;
    out->n = 0;

    if (s->pool) { /* no conflict: every non-empty queue sends */
        for (int j = 0; j < s->ports; j++)
            if (queue_length(s, x, 0, j) > 0)
                none.from[j] = 0;
        out->set[0] = none;
        out->pr[0] = 1;
        out->n = 1;
        return;
    }
    for (int i = 0; i < r.n; i++) {
        if (s->queue_per_output) {
            for (int j = 0; j < r.n; j++)
                r.w[i][j] = queue_length(s, x, i, j);
        } else if (x->count[i] > 0) {
            r.w[i][x->pkt[i * REF_MAX_SLOTS]] = x->count[i];
        }
    }
    if (is(&r, "random") || is(&r, "longest") || is(&r, "fixed")) {
        visit_inputs(&r, 0, none, 1);
    } else if (is(&r, "random-outputs")) {
        visit_outputs(&r, 0, 0, none, 1);
    } else {
        score best = {0, 0};
        all_sets(&r, 0, 0, none, &best);
        for (int k = 0; k < out->n; k++)
            out->pr[k] = 1 / (switch_real)out->n;
    }
}

/* Sends set t; returns how many packets left. */
static int transmit(const ref_switch *s, switch_state *x, const ref_sending *t)
{
    int sent = 0;
    memset(x->ghost, 0, sizeof x->ghost); /* the slots freed a cycle ago are available now */
    for (int j = 0; j < s->ports; j++) {
        int b = t->from[j];
        if (b == NONE)
            continue;
        take(x, b, j);
        sent++;
        if (s->credit_next)
            x->ghost[b][queue_of(s, j)]++;
    }
    return sent;
}

/* ---- the chain ---- */

/* Index of state x, added if new; -1 when there are too many. */
static int find(switch_solver *z, const switch_state *x)
{
    const int *v = (const int *)(const void *)x;
    unsigned h = 2166136261U;
    for (size_t k = 0; k < sizeof *x / sizeof *v; k++)
        h = (h ^ (unsigned)v[k]) * 16777619U;
    h ^= h >> 15;
    for (h %= HASH; z->table[h]; h = (h + 1) % HASH)
        if (memcmp(&z->st[z->table[h] - 1], x, sizeof *x) == 0)
            return z->table[h] - 1;
    if (z->states == REF_MAX_STATES)
        return -1;
    z->st[z->states] = *x;
    z->table[h] = ++z->states;
    return z->states - 1;
}

/* Enumerates one cycle from state z->now. */
static int expand(switch_solver *z)
{
    const ref_switch *s = z->s;
    switch_state x = z->st[z->now];
    int offer[NP];
    sending_list *t = malloc(sizeof *t);
    switch_real *row = calloc(REF_MAX_STATES, sizeof *row);
    z->row[z->now] = row;
    if (!t || !row) {
        free(t);
        return -1;
    }
    z->mid.n = 0;
    sources(z, &x, 0, offer, 1);
    for (int m = 0; m < z->mid.n; m++) {
        arbitrate(s, &z->mid.st[m], t);
        for (int k = 0; k < t->n; k++) {
            switch_state y = z->mid.st[m];
            switch_real pr = z->mid.pr[m] * t->pr[k];
            z->sent[z->now] += pr * transmit(s, &y, &t->set[k]);
            for (int j = 0; j < s->ports; j++)
                z->sent_to[z->now * NP + j] += t->set[k].from[j] != NONE ? pr : 0;
            int v = find(z, &y);
            if (v < 0) {
                free(t);
                return -1;
            }
            row[v] += pr;
        }
    }
    free(t);
    return z->oom ? -1 : 0;
}

/* mark[v] = 1 for all v that u can reach (or, if back, that can reach u); returns how many. */
static int reach(const switch_solver *z, int u, int back, char *mark, int *stack)
{
    int top = 0, n = 0;
    memset(mark, 0, (size_t)z->states);
    mark[u] = 1;
    stack[top++] = u;
    while (top > 0) {
        int a = stack[--top];
        n++;
        for (int v = 0; v < z->states; v++) {
            if (!mark[v] && (back ? z->row[v][a] : z->row[a][v]) > 0) {
                mark[v] = 1;
                stack[top++] = v;
            }
        }
    }
    return n;
}

/* Fills idx with the states of the only closed class; returns its size, -1 if there are more. */
static int closed_class(const switch_solver *z, int *idx)
{
    if (z->states < 1)
        return -1;
    char *to = malloc((size_t)z->states), *from = malloc((size_t)z->states);
    int *stack = malloc((size_t)z->states * sizeof *stack);
    int m = -1;
    if (to && from && stack) {
        int u = 0, next = 0, back = 0;
        /* while u reaches some v that does not reach u, u is transient: go on from v */
        do {
            u = next;
            reach(z, u, 0, to, stack);
            back = reach(z, u, 1, from, stack);
            for (int v = 0; v < z->states; v++)
                if (to[v] && !from[v])
                    next = v;
        } while (next != u);
        if (back == z->states) { /* all lead to u's class: there is no other */
            m = 0;
            for (int v = 0; v < z->states; v++)
                if (to[v])
                    idx[m++] = v;
        }
    }
    free(to);
    free(from);
    free(stack);
    return m;
}

/*
 * State reduction after Grassmann, Taksar and Heyman: only sums, products and quotients of
 * non-negative numbers, so that each probability, however tiny, has a small relative error.
 * Overwrites the rows. The diagonal is never used.
 */
static void stationary(switch_solver *z, const int *idx, int m, switch_real *pi)
{
    for (int k = m - 1; k > 0; k--) {
        const switch_real *out = z->row[idx[k]];
        switch_real leave = 0;
        for (int j = 0; j < k; j++)
            leave += out[idx[j]];
        for (int i = 0; i < k; i++) {
            switch_real *ri = z->row[idx[i]];
            if (ri[idx[k]] <= 0)
                continue;
            switch_real f = ri[idx[k]] /= leave;
            for (int j = 0; j < k; j++)
                ri[idx[j]] += f * out[idx[j]];
        }
    }
    switch_real sum = 1;
    pi[idx[0]] = 1;
    for (int k = 1; k < m; k++) {
        switch_real v = 0;
        for (int i = 0; i < k; i++)
            v += pi[idx[i]] * z->row[idx[i]][idx[k]];
        pi[idx[k]] = v;
        sum += v;
    }
    for (int k = 0; k < m; k++)
        pi[idx[k]] /= sum;
}

static double ratio(switch_real a, switch_real b)
{
    return b > 0 ? (double)(a / b) : 0;
}

static void answer_outputs(const switch_solver *z, const switch_real *pi, ref_answer *a)
{
    const ref_switch *s = z->s;
    for (int j = 0; j < s->ports; j++) {
        switch_real offers = 0, refused = 0, sent = 0, waiting = 0;
        for (int u = 0; u < z->states; u++) {
            offers += pi[u] * z->offers_to[u * NP + j];
            refused += pi[u] * z->refused_to[u * NP + j];
            sent += pi[u] * z->sent_to[u * NP + j];
            for (int b = 0; b < buffers(s); b++)
                for (int k = 0; k < z->st[u].count[b]; k++)
                    waiting += z->st[u].pkt[b * REF_MAX_SLOTS + k] == j ? pi[u] : 0;
        }
        a->refusal_output[j] = ratio(refused, offers);
        a->throughput_output[j] = (double)sent;
        a->waiting_output[j] = (double)waiting;
    }
}

static void answer(const switch_solver *z, const switch_real *pi, ref_answer *a)
{
    const ref_switch *s = z->s;
    switch_real offers = 0, refused = 0, sent = 0, packets = 0, held = 0;
    switch_real occ[NP][ROOM + 1];
    memset(a, 0, sizeof *a);
    memset(occ, 0, sizeof occ);
    a->states = z->states;
    for (int i = 0; i < s->ports; i++) {
        switch_real oi = 0, ri = 0;
        for (int u = 0; u < z->states; u++) {
            oi += pi[u] * z->offers[u * NP + i];
            ri += pi[u] * z->refused[u * NP + i];
            if (z->st[u].held[i] != NONE)
                held += pi[u];
        }
        if (!s->block) /* every created packet is offered just once */
            a->discard_input[i] = ratio(ri, oi);
        offers += oi;
        refused += ri;
    }
    for (int u = 0; u < z->states; u++) {
        sent += pi[u] * z->sent[u];
        for (int b = 0; b < buffers(s); b++) {
            packets += pi[u] * z->st[u].count[b];
            occ[b][z->st[u].count[b]] += pi[u];
        }
    }
    answer_outputs(z, pi, a);
    a->refusal_probability = ratio(refused, offers);
    a->discard_probability = s->block ? 0 : a->refusal_probability;
    a->throughput = (double)(sent / s->ports);
    a->mean_packets = (double)packets;
    a->mean_held = (double)held;
    for (int b = 0; b < buffers(s); b++) {
        for (int k = 0; k <= ROOM; k++)
            a->occupancy[b][k] = (double)occ[b][k];
        a->full_probability[b] = a->occupancy[b][s->capacity];
    }
}

/* Checks the parameters and normalises dest. */
static int prepare(switch_solver *z)
{
    static const char *const names[] = {"random",          "random-outputs", "maximum", "longest",
                                        "maximum-longest", "max-weight",     "fixed"};
    const ref_switch *s = z->s;
    if (s->ports < 1 || s->ports > NP || (s->pool && !s->queue_per_output))
        return -1;
    if (s->capacity < 1 || s->capacity > (s->pool ? ROOM : REF_MAX_SLOTS))
        return -1;
    if (s->queue_min < 0 || queues(s) * s->queue_min > s->capacity || s->queue_max < s->queue_min)
        return -1;
    int known = s->pool;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (s->arbiter && strcmp(s->arbiter, names[k]) == 0)
            known = 1;
    if (!known)
        return -1;
    for (int i = 0; i < s->ports; i++) {
        switch_real sum = 0;
        if (!(s->load[i] >= 0 && s->load[i] <= 1))
            return -1;
        for (int j = 0; j < s->ports; j++) {
            if (!(s->dest[i][j] >= 0))
                return -1;
            sum += (switch_real)s->dest[i][j];
        }
        if (s->load[i] > 0 && !(fabsl(sum - 1) < 1e-9L))
            return -1;
        for (int j = 0; j < s->ports; j++)
            z->dest[i][j] = sum > 0 ? (switch_real)s->dest[i][j] / sum : 0;
    }
    return 0;
}

int ref_solve(const ref_switch *s, ref_answer *a)
{
    int rc = -1;
    switch_solver *z = calloc(1, sizeof *z);
    int *idx = calloc(REF_MAX_STATES, sizeof *idx);
    switch_real *pi = calloc(REF_MAX_STATES, sizeof *pi);
    if (!z || !idx || !pi)
        goto done;
    z->s = s;
    z->st = calloc(REF_MAX_STATES, sizeof *z->st);
    z->row = calloc(REF_MAX_STATES, sizeof *z->row);
    z->offers = calloc((size_t)REF_MAX_STATES * NP, sizeof *z->offers);
    z->refused = calloc((size_t)REF_MAX_STATES * NP, sizeof *z->refused);
    z->offers_to = calloc((size_t)REF_MAX_STATES * NP, sizeof *z->offers_to);
    z->refused_to = calloc((size_t)REF_MAX_STATES * NP, sizeof *z->refused_to);
    z->sent_to = calloc((size_t)REF_MAX_STATES * NP, sizeof *z->sent_to);
    z->sent = calloc(REF_MAX_STATES, sizeof *z->sent);
    if (!z->st || !z->row || !z->offers || !z->refused || !z->offers_to || !z->refused_to ||
        !z->sent_to || !z->sent || prepare(z) != 0)
        goto done;

    switch_state empty;
    memset(&empty, 0, sizeof empty);
    for (int i = 0; i < NP; i++)
        empty.held[i] = NONE;
    find(z, &empty);
    for (z->now = 0; z->now < z->states; z->now++)
        if (expand(z) != 0)
            goto done;

    int m = closed_class(z, idx);
    if (m < 0)
        goto done;
    stationary(z, idx, m, pi);
    answer(z, pi, a);
    rc = 0;

done:
    if (z) {
        for (int u = 0; z->row && u < REF_MAX_STATES; u++)
            free(z->row[u]);
        free(z->row);
        free(z->st);
        free(z->offers);
        free(z->refused);
        free(z->offers_to);
        free(z->refused_to);
        free(z->sent_to);
        free(z->sent);
        free(z->mid.st);
        free(z->mid.pr);
    }
    free(z);
    free(idx);
    free(pi);
    return rc;
}
