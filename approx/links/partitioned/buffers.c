/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building and stepping the chain of one buffer with a single read port.
 *
 * The q buffers visited before have taken t different outputs. Which outputs these are is not
 * known; a set of t outputs is taken to have a probability in proportion to the product of weights,
 * one for the length of the queue that this buffer holds for each output (conditional Poisson
 * sampling): a buffer with packets waiting for an output is more likely to find the output wanted
 * by others.
 */
#include "approx/links/partitioned/buffers.h"

#include "approx/links/partitioned/multisets.h"
#include "base/context.h"

#include <assert.h>
#include <string.h>

void buffers_clear(swq_context *ctx, buffers_chain *c)
{
    swq_free(ctx, c->count);
    swq_free(ctx, c->packets);
    swq_free(ctx, c->moved);
    swq_free(ctx, c->served);
    *c = (buffers_chain){0};
}

swq_status buffers_init(swq_context *ctx, int ports, int room, outputs_link link, buffers_chain *c)
{
    int count[MULTISET_CLASSES];

    *c = (buffers_chain){.ports = ports, .room = room, .lengths = room + 1};
    c->memory = link.again == link.rate ? 1 : 2;
    c->carries[0] = c->memory == 1 ? link.rate : link.rate * (1 - link.again) / (1 - link.rate);
    c->carries[1] = link.again;
    c->lists = multiset_count(ports, c->lengths);
    c->states = c->lists * (size_t)c->memory;
    c->count = swq_calloc(ctx, c->lists * (size_t)c->lengths, sizeof *c->count);
    c->packets = swq_calloc(ctx, c->lists, sizeof *c->packets);
    c->moved = swq_calloc(ctx, c->lists * (size_t)c->lengths, sizeof *c->moved);
    c->served = swq_calloc(ctx, c->lists * (size_t)c->lengths, sizeof *c->served);
    if (!c->count || !c->packets || !c->moved || !c->served) {
        buffers_clear(ctx, c);
        return swq_memory_status(ctx);
    }
    multiset_first(count, c->lengths, ports);
    for (size_t s = 0; s < c->lists; s++, multiset_next(count, c->lengths))
        for (int n = 0; n < c->lengths; n++) {
            size_t at = s * (size_t)c->lengths + (size_t)n;
            c->count[at] = (int16_t)count[n];
            c->packets[s] = (int16_t)(c->packets[s] + count[n] * n);
            c->moved[at] = c->served[at] = -1;
            if (!count[n])
                continue;
            count[n]--;
            if (n < room) {
                count[n + 1]++;
                c->moved[at] = (int32_t)multiset_rank(count, c->lengths);
                count[n + 1]--;
            }
            if (n > 0) {
                count[n - 1]++;
                c->served[at] = (int32_t)multiset_rank(count, c->lengths);
                count[n - 1]--;
            }
            count[n]++;
        }
    return SWQ_OK;
}

/* e[t] becomes the sum over sets of t of the products of weights, with `there` more of weight w. */
static void add_weights(double *e, int most, int there, double w)
{
    for (int i = 0; i < there; i++)
        for (int t = most; t > 0; t--)
            e[t] += w * e[t - 1];
}

/* The lengths that occur in a list, longest first: for each length, its number of queues and the
 * weight of their outputs. */
typedef struct present_lengths {
    int classes, holding; /* classes of queues that hold packets come first */
    int length[MULTISET_SIZE], queues[MULTISET_SIZE];
    double weight[MULTISET_SIZE];
} present_lengths;

static void list_lengths(const buffers_chain *c, const int16_t *count, const double *weight,
                         present_lengths *l)
{
    int left = c->ports;

    l->classes = 0;
    for (int n = c->lengths - 1; left > 0; n--) {
        if (!count[n])
            continue;
        l->length[l->classes] = n;
        l->queues[l->classes] = count[n];
        l->weight[l->classes++] = weight[n];
        left -= count[n];
    }
    l->holding = l->classes - (count[0] > 0);
}

/* The outcome of a visit to a buffer with one list of lengths at one place, by class. */
typedef struct visit_outcome {
    /* P(outputs of all queues longer than this class are taken) */
    double all_taken[MULTISET_SIZE + 1];
    double free[MULTISET_SIZE];      /* mean number of queues whose output is free */
    double sends[MULTISET_SIZE + 1]; /* P(the buffer sends), by the number of outputs taken */
} visit_outcome;

/* The mean number of queues of class i whose output is free; sets of t outputs of all queues except
 * one of class i have the weight rest[t]. */
static double free_of(const present_lengths *l, int i, int most, const double *number,
                      const double *all)
{
    double rest[MULTISET_SIZE + 1], free = 0;

    rest[0] = 1;
    for (int t = 1; t <= most; t++)
        rest[t] = 0;
    for (int m = l->classes - 1; m >= 0; m--)
        add_weights(rest, most, l->queues[m] - (m == i), l->weight[m]);
    for (int t = 0; t <= most; t++) {
        if (number[t] > 0 && all[t] > 0)
            free += number[t] * l->queues[i] * (l->weight[i] > 0 ? rest[t] / all[t] : 1);
    }
    return free;
}

/* number[t]: P(t outputs are taken), t <= most. */
static void take(const present_lengths *l, int most, const double *number, visit_outcome *v)
{
    /* below[i]: sums over sets of the queues of class i and shorter ones; as far as `most` */
    double below[MULTISET_SIZE + 1][MULTISET_SIZE + 1];
    const double *all = below[0];

    for (int t = 0; t <= most; t++)
        below[l->classes][t] = t == 0;
    for (int i = l->classes - 1; i >= 0; i--) {
        for (int t = 0; t <= most; t++)
            below[i][t] = below[i + 1][t];
        add_weights(below[i], most, l->queues[i], l->weight[i]);
    }
    for (int i = 0; i <= l->classes; i++)
        v->all_taken[i] = 0;
    for (int t = 0; t <= most; t++) {
        double product = 1, none_left = 0;
        int longer = 0;
        v->sends[t] = 0;
        if (number[t] <= 0 || all[t] <= 0)
            continue;
        for (int i = 0; i <= l->classes && longer <= t; i++) {
            const double h = product * below[i][t - longer] / all[t];
            v->all_taken[i] += number[t] * h;
            none_left = i == l->holding ? h : none_left;
            for (int n = 0; i < l->classes && n < l->queues[i]; n++)
                product *= l->weight[i];
            longer += i < l->classes ? l->queues[i] : 0;
        }
        v->sends[t] = 1 - none_left;
    }
    for (int i = 0; i < l->classes; i++)
        v->free[i] = free_of(l, i, most, number, all);
}

static void arrive(const buffers_chain *c, const double *after, double *next, totals_flow *totals,
                   buffers_reading *reading)
{
    size_t memory = (size_t)c->memory, lengths = (size_t)c->lengths;

    memset(next, 0, c->states * sizeof *next);
    for (size_t s = 0; s < c->states; s++) {
        size_t list = s / memory;
        double comes = after[s] * c->carries[s % memory], joins = 0;
        next[list * memory] += after[s] - comes;
        for (size_t n = 0; n < lengths; n++) {
            int32_t to = c->moved[list * lengths + n];
            double here = comes * c->count[list * lengths + n] / c->ports;
            next[(to < 0 ? list : (size_t)to) * memory + memory - 1] += here;
            joins += to < 0 ? 0 : here;
        }
        reading->accepted += joins;
        totals->grew[2 * c->packets[list]] += after[s] - joins;
        totals->grew[2 * c->packets[list] + 1] += joins;
    }
}

static void balance(const buffers_chain *c, totals_flow *totals, double *next)
{
    const double *factor = totals_solve(totals);

    for (size_t s = 0; s < c->states; s++)
        next[s] *= factor[c->packets[s / (size_t)c->memory]];
}

void buffers_step(const buffers_chain *c, const double *p, const double *taken, double *next,
                  double *gives, double *free, double *after, totals_flow *totals,
                  buffers_reading *reading)
{
    int L = c->lengths, k = c->ports;
    double number[MULTISET_SIZE + 1] = {1}; /* P(t taken before place q) */
    present_lengths lengths;
    visit_outcome v;
    double holds = 0, sum = 0;

    assert(L >= 1 && L <= MULTISET_CLASSES);
    *reading = (buffers_reading){0};
    memset(after, 0, c->states * sizeof *after);
    totals_start(totals);
    for (size_t s = 0; s < c->states; s++) {
        const size_t list = s / (size_t)c->memory;
        reading->packets += p[s] * c->packets[list];
        holds += c->count[list * (size_t)L] < k ? p[s] : 0;
        sum += p[s];
    }
    for (int q = 0; q < k; q++) {
        double went[MULTISET_SIZE + 1] = {0}, given[MULTISET_CLASSES] = {0},
                                    spare[MULTISET_CLASSES] = {0}, held[MULTISET_CLASSES] = {0};
        for (size_t s = 0; s < c->states; s++) {
            size_t list = s / (size_t)c->memory, y = s % (size_t)c->memory;
            if (p[s] <= 0)
                continue;
            list_lengths(c, c->count + list * (size_t)L, taken + q * L, &lengths);
            take(&lengths, q, number, &v);
            double left = 1, gone = 0;
            for (int i = 0; i < lengths.classes; i++) {
                /* the outputs of all longer queues are taken, and not all of this length */
                const int n = lengths.length[i];
                double g = n > 0 ? v.all_taken[i] - v.all_taken[i + 1] : 0;
                held[n] += p[s] * lengths.queues[i];
                spare[n] += p[s] * v.free[i];
                given[n] += p[s] * g;
                if (g > 0) {
                    after[(size_t)c->served[list * (size_t)L + (size_t)n] * (size_t)c->memory +
                          y] += p[s] * g / k;
                    left -= g;
                    gone += g;
                    reading->sent += p[s] * g / k;
                }
            }
            after[s] += p[s] * left / k;
            totals->stays[c->packets[list]] += left > 0 ? p[s] * left / k : 0;
            totals->sends[c->packets[list]] += p[s] * gone / k;
            for (int t = 0; t <= q; t++)
                went[t] += p[s] * number[t] * v.sends[t];
        }
        for (int n = 0; n < L; n++) {
            gives[q * L + n] = n && spare[n] > 0 ? given[n] / spare[n] : n > 0;
            free[q * L + n] = held[n] > 0 ? spare[n] / held[n] : 1;
            if (gives[q * L + n] > 1)
                gives[q * L + n] = 1;
        }
        for (int t = q; t >= 0; t--) {
            double w = went[t] / sum;
            number[t + 1] += w;
            number[t] -= w;
        }
    }
    arrive(c, after, next, totals, reading);
    balance(c, totals, next);
    reading->blocked = holds > 0 ? 1 - reading->sent / holds : 0;
}
