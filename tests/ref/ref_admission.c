/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A state is a number with a digit for each queue's length and, if need be, each virtual queue's.
 */
#include "tests/ref/ref_admission.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = REF_ADMISSION_QUEUES, MOST = 400000 };

typedef struct {
    int q[N], v[N];
} memory;

typedef struct {
    ref_admission_rule rule;
    double parameter, load;
    const double *dest;
    int n, b, words;
    double *now, *next; /* probabilities of all numbers */
    double lost;
} chain;

static int number(const chain *c, const memory *m)
{
    int k = 0;
    for (int i = 0; i < c->n; i++)
        k = k * (c->b + 1) + m->q[i];
    for (int i = 0; i < c->n && c->words == 2; i++)
        k = k * (c->b + 1) + m->v[i];
    return k;
}

static memory content(const chain *c, int k)
{
    memory m = {{0}, {0}};
    for (int i = c->n - 1; i >= 0 && c->words == 2; i--, k /= c->b + 1)
        m.v[i] = k % (c->b + 1);
    for (int i = c->n - 1; i >= 0; i--, k /= c->b + 1)
        m.q[i] = k % (c->b + 1);
    return m;
}

static int total(const chain *c, const int *q)
{
    int sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += q[i];
    return sum;
}

static int has_harmonic_room(const chain *c, const int *q)
{
    double all = 0;
    for (int m = 1; m <= c->n; m++)
        all += 1.0 / m;
    for (unsigned set = 1; set < 1u << c->n; set++) {
        double held = 0, share = 0;
        for (int i = 0, m = 0; i < c->n; i++) {
            if (set >> i & 1) {
                held += q[i];
                share += 1.0 / ++m;
            }
        }
        if (held > c->b / all * share + 1e-9)
            return 0;
    }
    return 1;
}

static int takes(const chain *c, const int *q, int to)
{
    int left = c->b - total(c, q), busy = 0, with[N];

    for (int i = 0; i < c->n; i++) {
        with[i] = q[i] + (i == to);
        busy += q[i] > 0;
    }
    if (left < 1)
        return 0;
    switch (c->rule) {
    case REF_MAXIMUM:
        return with[to] <= c->parameter;
    case REF_THRESHOLD:
    case REF_OCCAMY:
        return q[to] < c->parameter * left;
    case REF_ABM:
        return q[to] < c->parameter * left / (busy > 1 ? busy : 1);
    case REF_HARMONIC:
        return has_harmonic_room(c, with);
    default:
        return 1;
    }
}

/* All ways in which a queue of the overfull memory q loses a packet; `to` is that of the packet
 * that came. Returns their number. */
static int losers(ref_admission_rule rule, const chain *c, const int *q, int to, int *which)
{
    int most = 0, count = 0;

    for (int i = 0; i < c->n; i++)
        most = q[i] > most ? q[i] : most;
    for (int i = 0; i < c->n; i++) {
        if (q[i] == most)
            which[count++] = i;
    }
    if (count == 1 || rule == REF_LQD_RANDOM)
        return count;
    if (rule == REF_LQD_LOW)
        return 1;
    if (rule == REF_LQD_HIGH) {
        which[0] = which[count - 1];
        return 1;
    }
    for (int k = 0; k < count && q[to] == most; k++) {
        if (which[k] != to)
            continue;
        if (rule == REF_LQD_OTHER) {
            which[k] = which[count - 1];
            return count - 1;
        }
        which[0] = to;
        return 1;
    }
    return count;
}

static void end(chain *c, memory m, double p)
{
    for (int i = 0; i < c->n; i++) {
        m.q[i] -= m.q[i] > 0;
        m.v[i] -= m.v[i] > 0;
    }
    c->next[number(c, &m)] += p;
}

/* One packet of to[count] after another comes, each of those left equally likely. */
static void admit(chain *c, memory m, const int *to, int count, double p)
{
    if (count == 0)
        end(c, m, p);
    for (int k = 0; k < count; k++) {
        int rest[N], which[N], ways = 1;
        memory after = m;
        const int j = to[k];
        const double each = p / count;
        memcpy(rest, to, sizeof rest);
        rest[k] = to[count - 1];
        if (c->rule == REF_FOLLOW_LQD) {
            after.v[j]++;
            if (total(c, after.v) > c->b)
                ways = losers(REF_LQD, c, after.v, j, which);
            for (int w = 0; w < ways; w++) {
                memory one = after;
                if (total(c, after.v) > c->b)
                    one.v[which[w]]--;
                if (m.q[j] < one.v[j] && total(c, m.q) < c->b)
                    one.q[j]++;
                else
                    c->lost += each / ways;
                admit(c, one, rest, count - 1, each / ways);
            }
            continue;
        }
        if (takes(c, m.q, j)) {
            after.q[j]++;
            admit(c, after, rest, count - 1, each);
            continue;
        }
        c->lost += each;
        if (c->rule < REF_LQD || c->rule > REF_LQD_RANDOM) {
            admit(c, m, rest, count - 1, each);
            continue;
        }
        after.q[j]++;
        ways = losers(c->rule, c, after.q, j, which);
        for (int w = 0; w < ways; w++) {
            memory one = after;
            one.q[which[w]]--;
            admit(c, one, rest, count - 1, each / ways);
        }
    }
}

static void arrive(chain *c, memory m, int *to, int count, int input, double p)
{
    if (input == c->n) {
        admit(c, m, to, count, p);
        return;
    }
    arrive(c, m, to, count, input + 1, p * (1 - c->load));
    for (int j = 0; j < c->n; j++) {
        to[count] = j;
        if (c->dest[j] > 0)
            arrive(c, m, to, count + 1, input + 1, p * c->load * c->dest[j]);
    }
}

/* Occamy: a queue above its threshold, if there is one, loses a packet before others come. */
static void begin(chain *c, memory m, double p)
{
    int to[N] = {0}, above = 0;
    const double limit = c->parameter * (c->b - total(c, m.q));

    for (int i = 0; i < c->n; i++)
        above += m.q[i] > limit;
    if (c->rule != REF_OCCAMY || above == 0) {
        arrive(c, m, to, 0, 0, p);
        return;
    }
    c->lost += p;
    for (int i = 0; i < c->n; i++) {
        memory one = m;
        one.q[i]--;
        if (m.q[i] > limit)
            arrive(c, one, to, 0, 0, p / above);
    }
}

double ref_admission(ref_admission_rule rule, double parameter, int queues, int slots, double load,
                     const double *dest)
{
    chain c = {.rule = rule,
               .parameter = parameter,
               .load = load,
               .dest = dest,
               .n = queues,
               .b = slots,
               .words = rule == REF_FOLLOW_LQD ? 2 : 1};
    const double states = pow(slots + 1, queues * c.words);
    double change = 1;

    if (states > MOST || queues > N)
        return -1;
    c.now = calloc((size_t)states, sizeof *c.now);
    c.next = calloc((size_t)states, sizeof *c.next);
    c.now[0] = 1;
    for (int step = 0; step < 100000 && change > 1e-14; step++) {
        change = c.lost = 0;
        memset(c.next, 0, (size_t)states * sizeof *c.next);
        for (int k = 0; k < states; k++) {
            if (c.now[k] > 0)
                begin(&c, content(&c, k), c.now[k]);
        }
        for (int k = 0; k < states; k++)
            change += fabs(c.next[k] - c.now[k]);
        double *old = c.now;
        c.now = c.next;
        c.next = old;
    }
    free(c.now);
    free(c.next);
    return c.lost / (queues * load);
}
