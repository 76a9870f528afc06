/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building and stepping the chain of one buffer with a single read port.
 *
 * The q buffers visited before have taken t different outputs. Which ones is not known; sets of t
 * are taken to be likely in proportion to the product of weights, one for the length of the queue
 * that this buffer holds for the output (conditional Poisson sampling): who has a packet waiting
 * for an output is more likely to find it wanted by others. Room: approx. Includes base.
 */
#include "approx/links/partitioned/buffers.h"

#include "approx/links/partitioned/multisets.h"
#include "base/context.h"

#include <assert.h>
#include <string.h>

void buffers_clear(swq_context *ctx, buffers_chain *c)
{
    swq_free(ctx, c->count);
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
    c->moved = swq_calloc(ctx, c->lists * (size_t)c->lengths, sizeof *c->moved);
    c->served = swq_calloc(ctx, c->lists * (size_t)c->lengths, sizeof *c->served);
    if (!c->count || !c->moved || !c->served) {
        buffers_clear(ctx, c);
        return swq_memory_status(ctx);
    }
    multiset_first(count, c->lengths, ports);
    for (size_t s = 0; s < c->lists; s++, multiset_next(count, c->lengths))
        for (int n = 0; n < c->lengths; n++) {
            size_t at = s * (size_t)c->lengths + (size_t)n;
            c->count[at] = (int16_t)count[n];
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

/* For one list of lengths, at one place. all_taken[n]: P(t outputs are taken, and all of queues
 * longer than n are among them); free[n]: mean number of those of length n that are free. */
static void take(const buffers_chain *c, const int16_t *count, const double *weight, int most,
                 const double *number, double *all_taken, double *free, double *sends)
{
    double all[MULTISET_SIZE + 1] = {1}, below[MULTISET_CLASSES][MULTISET_SIZE + 1];

    /* below[n]: sums over sets of queues no longer than n */
    memset(below, 0, (size_t)c->lengths * sizeof *below);
    for (int n = 0; n < c->lengths; n++) {
        add_weights(all, most, count[n], weight[n]);
        memcpy(below[n], all, sizeof all);
    }
    memset(all_taken, 0, (size_t)c->lengths * sizeof *all_taken);
    for (int n = 0; n < c->lengths; n++)
        free[n] = 0;
    for (int t = 0; t <= most; t++) {
        if (number[t] <= 0 || all[t] <= 0)
            continue;
        double product = 1;
        int longer = 0;
        double none_left = 0;
        for (int n = c->lengths - 1; n >= 0; n--) {
            double h = longer <= t ? product * below[n][t - longer] / all[t] : 0;
            all_taken[n] += number[t] * h;
            for (int i = 0; i < count[n]; i++)
                product *= weight[n];
            longer += count[n];
            if (n == 1)
                none_left = longer <= t ? product * below[0][t - longer] / all[t] : 0;
            if (count[n] > 0 && weight[n] > 0) { /* sets without one of length n: divide it out */
                double rest[MULTISET_SIZE + 1] = {1};
                for (int m = 0; m < c->lengths; m++)
                    add_weights(rest, t, count[m] - (m == n), weight[m]);
                free[n] += number[t] * count[n] * rest[t] / all[t];
            } else {
                free[n] += number[t] * count[n];
            }
        }
        sends[t] = 1 - none_left;
    }
}

static void arrive(const buffers_chain *c, const double *after, double *next,
                   buffers_reading *reading)
{
    size_t memory = (size_t)c->memory, lengths = (size_t)c->lengths;

    memset(next, 0, c->states * sizeof *next);
    for (size_t s = 0; s < c->states; s++) {
        size_t list = s / memory;
        double comes = after[s] * c->carries[s % memory];
        next[list * memory] += after[s] - comes;
        for (size_t n = 0; n < lengths; n++) {
            int32_t to = c->moved[list * lengths + n];
            double here = comes * c->count[list * lengths + n] / c->ports;
            next[(to < 0 ? list : (size_t)to) * memory + memory - 1] += here;
            reading->accepted += to < 0 ? 0 : here;
        }
    }
}

void buffers_step(const buffers_chain *c, const double *p, const double *taken, double *next,
                  double *gives, double *free, double *after, buffers_reading *reading)
{
    int L = c->lengths, k = c->ports;
    double number[MULTISET_SIZE + 1] = {1}; /* P(t taken before place q) */
    double holds = 0, sum = 0;

    assert(L >= 1 && L <= MULTISET_CLASSES);
    *reading = (buffers_reading){0};
    memset(after, 0, c->states * sizeof *after);
    for (size_t s = 0; s < c->states; s++) {
        const int16_t *count = c->count + s / (size_t)c->memory * (size_t)L;
        for (int n = 0; n < L; n++)
            reading->packets += p[s] * count[n] * n;
        holds += count[0] < k ? p[s] : 0;
        sum += p[s];
    }
    for (int q = 0; q < k; q++) {
        double went[MULTISET_SIZE + 1] = {0}, given[MULTISET_CLASSES] = {0},
                                    spare[MULTISET_CLASSES] = {0}, held[MULTISET_CLASSES] = {0};
        for (size_t s = 0; s < c->states; s++) {
            size_t list = s / (size_t)c->memory, y = s % (size_t)c->memory;
            const int16_t *count = c->count + list * (size_t)L;
            double longer[MULTISET_CLASSES], open[MULTISET_CLASSES], sends[MULTISET_SIZE + 1] = {0};
            if (p[s] <= 0)
                continue;
            take(c, count, taken + q * L, q, number, longer, open, sends);
            double left = 1;
            for (int n = L - 1; n >= 0; n--) {
                /* all longer ones taken, and not all of this length */
                double g = n > 0 ? longer[n] - longer[n - 1] : 0;
                held[n] += p[s] * count[n];
                spare[n] += p[s] * open[n];
                given[n] += p[s] * g;
                if (g > 0 && count[n]) {
                    after[(size_t)c->served[list * (size_t)L + (size_t)n] * (size_t)c->memory +
                          y] += p[s] * g / k;
                    left -= g;
                    reading->sent += p[s] * g / k;
                }
            }
            after[s] += p[s] * left / k;
            for (int t = 0; t <= q; t++)
                went[t] += p[s] * number[t] * sends[t];
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
    arrive(c, after, next, reading);
    reading->blocked = holds > 0 ? 1 - reading->sent / holds : 0;
}
