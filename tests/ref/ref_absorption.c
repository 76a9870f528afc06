/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_absorption.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3, TABLE = 1 << 21, MOST = 1 << 18, STEPS = 1 << 24 };

/* One port of the switch; a state is `queues` of these. `virtual` is FollowLQD's. */
typedef struct {
    unsigned char held, run, net, seen, burst, mode, drops, virtual;
} port;
typedef struct {
    port p[N];
} port_contents;

typedef struct {
    ref_absorption_rule rule;
    double alpha, load, lost;
    const double *dest;
    int n, b;
    int *bucket; /* [TABLE] 1 + a state */
    port_contents *state;
    int states;
    /* steps from state k are first[k] .. first[k + 1] - 1; `lost_of` packets are lost in it */
    int *to, *first;
    double *chance, *lost_of, *now, *next;
    int steps;
} port_chain;

static int at_least_1(int x)
{
    return x > 1 ? x : 1;
}

static int number(port_chain *c, const port_contents *m)
{
    const unsigned char *byte = (const unsigned char *)m;
    unsigned hash = 1;

    for (size_t k = 0; k < sizeof *m; k++)
        hash = hash * 1000003u ^ byte[k];
    hash ^= hash >> 15;
    for (unsigned at = hash % TABLE;; at = (at + 1) % TABLE) {
        if (c->bucket[at] == 0) {
            if (c->states == MOST)
                return -1;
            c->state[c->states] = *m;
            c->bucket[at] = ++c->states;
        }
        if (memcmp(&c->state[c->bucket[at] - 1], m, sizeof *m) == 0)
            return c->bucket[at] - 1;
    }
}

static int used(const port_chain *c, const port_contents *m)
{
    int sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += m->p[i].held;
    return sum;
}

static int bursts(const port_chain *c, const port_contents *m)
{
    int count = 0;
    for (int i = 0; i < c->n; i++)
        count += m->p[i].mode == 1;
    return count;
}

/* The most that port i may hold. */
static double threshold(const port_chain *c, const port_contents *m, int i)
{
    const double dynamic = c->alpha * (c->b - used(c, m)), share = (double)c->b / c->n;

    if (m->p[i].mode == 1)
        return (double)c->b / bursts(c, m);
    return m->p[i].mode == 2 && share < dynamic ? share : dynamic;
}

/* A packet comes to port i. Returns whether it is lost. */
static int packet_comes(const port_chain *c, port_contents *m, int i)
{
    port *p = &m->p[i];

    if (used(c, m) < c->b && p->held < threshold(c, m, i) - 1e-12) {
        p->held++;
        p->run = 0;
        p->net++;
        if (p->net == at_least_1(c->b / c->n))
            p->mode = 1;
        if (p->mode == 1)
            p->net = p->seen = 0;
        return 0;
    }
    if (used(c, m) == c->b) {
        p->mode = 0;
        p->burst = 0;
    }
    p->net = p->run = 0;
    if (c->rule == REF_TDT) {
        p->drops++;
        if (p->drops == at_least_1(c->b / 2)) {
            p->drops = 0;
            p->mode = 2;
        }
    }
    return 1;
}

static void packet_leaves(const port_chain *c, port *p)
{
    p->held--;
    p->run++;
    if (p->run == 3)
        p->run = p->net = p->mode = p->burst = p->drops = 0;
    if (p->net > 0)
        p->net--;
    if (p->mode == 0) {
        p->seen++;
        if (p->seen == at_least_1(c->b / c->n))
            p->seen = p->net = p->run = 0;
    } else if (p->mode == 1) {
        p->burst++;
        if (p->burst == 2 * c->b)
            p->burst = p->mode = 0;
    }
    if (p->mode == 1)
        p->net = p->seen = 0;
}

static void end(port_chain *c, port_contents m, double p)
{
    for (int i = 0; i < c->n; i++) {
        if (c->rule >= REF_FOLLOWS) {
            m.p[i].held = (unsigned char)(m.p[i].held - (m.p[i].held > 0));
            m.p[i].virtual = (unsigned char)(m.p[i].virtual - (m.p[i].virtual > 0));
        } else if (m.p[i].held > 0) {
            packet_leaves(c, &m.p[i]);
        }
    }
    for (int i = 0; i < c->n && c->rule == REF_TDT; i++) {
        if (m.p[i].mode == 2 && threshold(c, &m, i) - 1e-12 > 2 * m.p[i].held)
            m.p[i].mode = m.p[i].drops = 0;
    }
    const int k = number(c, &m);
    if (k < 0 || c->steps == STEPS)
        return;
    c->to[c->steps] = k;
    c->chance[c->steps++] = p;
}

static void admit(port_chain *c, const port_contents *m, const int *to, int count, double p);

/* The chance that FollowLQD, or Credence with a coin, takes a packet for port i. */
static double chance_of(const port_chain *c, const port_contents *m, const port_contents *after,
                        int i)
{
    int most = 0;

    for (int k = 0; k < c->n; k++)
        most = m->p[k].held > most ? m->p[k].held : most;
    if (used(c, m) == c->b)
        return 0;
    if (c->rule == REF_COINS && most <= (double)c->b / c->n)
        return 1;
    return (c->rule == REF_COINS ? 0.5 : 1) * (m->p[i].held < after->p[i].virtual);
}

/* FollowLQD: the virtual memory takes the packet, and if it holds too many, one of its longest
 * queues loses one, that of the packet if it is one of them. */
static void follow(port_chain *c, const port_contents *m, int i, const int *rest, int count,
                   double p)
{
    port_contents full = *m;
    int sum = 0, most = 0, ways = 0;

    full.p[i].virtual ++;
    for (int k = 0; k < c->n; k++) {
        sum += full.p[k].virtual;
        most = full.p[k].virtual > most ? full.p[k].virtual : most;
    }
    for (int k = 0; k < c->n; k++)
        ways += full.p[k].virtual == most;
    for (int k = 0; k < c->n; k++) {
        port_contents one = full;
        double chance = 1;
        if (sum > c->b) {
            if (full.p[k].virtual < most || (full.p[i].virtual == most && k != i))
                continue;
            chance = full.p[i].virtual == most ? 1 : 1.0 / ways;
            one.p[k].virtual --;
        }
        const double taken = chance_of(c, m, &one, i);
        c->lost += p * chance * (1 - taken);
        if (taken < 1)
            admit(c, &one, rest, count, p * chance * (1 - taken));
        one.p[i].held++;
        if (taken > 0)
            admit(c, &one, rest, count, p * chance * taken);
        if (sum <= c->b)
            return;
    }
}

/* One packet of to[count] after another comes, each of those left equally likely. */
static void admit(port_chain *c, const port_contents *m, const int *to, int count, double p)
{
    if (count == 0)
        end(c, *m, p);
    for (int k = 0; k < count; k++) {
        int rest[N];
        port_contents after = *m;
        memcpy(rest, to, sizeof rest);
        rest[k] = to[count - 1];
        if (c->rule >= REF_FOLLOWS) {
            follow(c, m, to[k], rest, count - 1, p / count);
            continue;
        }
        c->lost += packet_comes(c, &after, to[k]) * p / count;
        admit(c, &after, rest, count - 1, p / count);
    }
}

static void arrive(port_chain *c, const port_contents *m, int *to, int count, int input, double p)
{
    if (input == c->n) {
        admit(c, m, to, count, p);
        return;
    }
    arrive(c, m, to, count, input + 1, p * (1 - c->load));
    for (int j = 0; j < c->n; j++) {
        to[count] = j;
        arrive(c, m, to, count + 1, input + 1, p * c->load * c->dest[j]);
    }
}

/* Lists the steps of all states that are reached. */
static void explore(port_chain *c)
{
    port_contents empty;

    memset(&empty, 0, sizeof empty);
    number(c, &empty);
    for (int k = 0; k < c->states; k++) {
        const port_contents m = c->state[k];
        int to[N + 1] = {0};
        c->lost = 0;
        arrive(c, &m, to, 0, 0, 1);
        c->lost_of[k] = c->lost;
        c->first[k + 1] = c->steps;
    }
}

static double lost_in_the_long_run(port_chain *c)
{
    double change = 1, lost = 0;

    c->now[0] = 1;
    for (int step = 0; step < 100000 && change > 1e-14; step++) {
        change = lost = 0;
        memset(c->next, 0, (size_t)c->states * sizeof *c->next);
        for (int k = 0; k < c->states; k++) {
            lost += c->now[k] * c->lost_of[k];
            for (int e = c->first[k]; e < c->first[k + 1]; e++)
                c->next[c->to[e]] += c->now[k] * c->chance[e];
        }
        for (int k = 0; k < c->states; k++)
            change += fabs(c->next[k] - c->now[k]);
        double *old = c->now;
        c->now = c->next;
        c->next = old;
    }
    return lost;
}

double ref_absorption(ref_absorption_rule rule, double alpha, int queues, int slots, double load,
                      const double *dest)
{
    port_chain c = {
        .rule = rule, .alpha = alpha, .n = queues, .b = slots, .load = load, .dest = dest};

    c.bucket = calloc(TABLE, sizeof *c.bucket);
    c.state = calloc(MOST, sizeof *c.state);
    c.to = calloc(STEPS, sizeof *c.to);
    c.chance = calloc(STEPS, sizeof *c.chance);
    c.first = calloc(MOST + 1, sizeof *c.first);
    c.lost_of = calloc(MOST, sizeof *c.lost_of);
    c.now = calloc(MOST, sizeof *c.now);
    c.next = calloc(MOST, sizeof *c.next);
    explore(&c);
    const double loss =
        c.states < MOST && c.steps < STEPS ? lost_in_the_long_run(&c) / (queues * load) : -1;
    free(c.bucket);
    free(c.state);
    free(c.to);
    free(c.chance);
    free(c.first);
    free(c.lost_of);
    free(c.now);
    free(c.next);
    return loss;
}
