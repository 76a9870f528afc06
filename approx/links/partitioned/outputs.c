/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building and stepping the chain of one output. States are multisets: only how many of the k
 * queues have a length (and a link that has just carried a packet) matters.
 */
#include "approx/links/partitioned/outputs.h"

#include "approx/links/partitioned/multisets.h"
#include "base/context.h"

#include <string.h>

size_t outputs_states(int ports, int room, int memory)
{
    int classes = (room + 1) * memory;
    return classes > MULTISET_CLASSES || ports > MULTISET_SIZE ? SIZE_MAX
                                                               : multiset_count(ports, classes);
}

void outputs_clear(swq_context *ctx, outputs_chain *c)
{
    for (int size = 0; c->without && size < c->ports; size++) {
        swq_free(ctx, c->without[size]);
        swq_free(ctx, c->drawn[size]);
    }
    swq_free(ctx, c->without);
    swq_free(ctx, c->drawn);
    swq_free(ctx, c->count);
    swq_free(ctx, c->packets);
    swq_free(ctx, c->grows);
    swq_free(ctx, c->served);
    swq_free(ctx, c->rest);
    swq_free(ctx, c->row);
    swq_free(ctx, c->column);
    swq_free(ctx, c->value);
    *c = (outputs_chain){0};
}

/* For multisets of up to k - 1 lengths: their counts, and the multiset that is left when one
 * element is drawn. */
static swq_status draw_lengths(swq_context *ctx, outputs_chain *c)
{
    c->without = swq_calloc(ctx, (size_t)c->ports, sizeof *c->without);
    c->drawn = swq_calloc(ctx, (size_t)c->ports, sizeof *c->drawn);
    if (!c->without || !c->drawn) {
        swq_free(ctx, c->without);
        c->without = NULL;
        return swq_memory_status(ctx);
    }
    for (int size = 0; size < c->ports; size++) {
        size_t n = multiset_count(size, c->lengths), lengths = (size_t)c->lengths;
        int count[MULTISET_CLASSES];
        c->without[size] = swq_calloc(ctx, n * lengths, sizeof **c->without);
        c->drawn[size] = swq_calloc(ctx, n * lengths, sizeof **c->drawn);
        if (!c->without[size] || !c->drawn[size])
            return swq_memory_status(ctx);
        multiset_first(count, c->lengths, size);
        for (size_t s = 0; s < n; s++, multiset_next(count, c->lengths))
            for (int a = 0; a < c->lengths; a++) {
                c->drawn[size][s * lengths + (size_t)a] = (int16_t)count[a];
                if (!count[a])
                    continue;
                count[a]--;
                c->without[size][s * lengths + (size_t)a] =
                    (int32_t)multiset_rank(count, c->lengths);
                count[a]++;
            }
    }
    return SWQ_OK;
}

static void rest_of(const outputs_chain *c, const int *count, int32_t *rest)
{
    int lengths[MULTISET_CLASSES] = {0};

    for (int a = 0; a < c->classes; a++)
        lengths[a / c->memory] += count[a];
    for (int n = 0; n < c->lengths; n++) {
        rest[n] = -1;
        if (lengths[n]-- > 0)
            rest[n] = (int32_t)multiset_rank(lengths, c->lengths);
        lengths[n]++;
    }
}

static void list_states(outputs_chain *c)
{
    int count[MULTISET_CLASSES];

    multiset_first(count, c->classes, c->ports);
    for (size_t s = 0; s < c->states; s++, multiset_next(count, c->classes)) {
        size_t at = s * (size_t)c->classes;
        for (int a = 0; a < c->classes; a++) {
            c->count[at + (size_t)a] = (int16_t)count[a];
            c->packets[s] = (int16_t)(c->packets[s] + count[a] * (a / c->memory));
            c->served[at + (size_t)a] = -1;
            if (a < c->memory || !count[a])
                continue;
            /* a packet fewer, the state of the link unchanged */
            count[a]--, count[a - c->memory]++;
            c->served[at + (size_t)a] = (int32_t)multiset_rank(count, c->classes);
            count[a]++, count[a - c->memory]--;
        }
        rest_of(c, count, c->rest + s * (size_t)c->lengths);
    }
}

/* A class that a queue may have after the cycle, and the probability of it. */
typedef struct class_outcome {
    int class;
    double p;
} class_outcome;

static int queue_outcomes(const outputs_chain *c, outputs_link link, int a, class_outcome *o)
{
    int n = a / c->memory, y = a % c->memory, count = 0;
    double carries = link.rate;

    if (c->memory > 1) /* stationary: rate = rate again + (1 - rate) P(1 | 0) */
        carries = y ? link.again : link.rate * (1 - link.again) / (1 - link.rate);
    double mine = carries / c->ports;
    int longer = n < c->room ? n + 1 : n, last = c->memory - 1;
    o[count++] = (class_outcome){longer * c->memory + last, mine};
    o[count++] = (class_outcome){n * c->memory + last, carries - mine};
    o[count++] = (class_outcome){n * c->memory, 1 - carries};
    return count;
}

/* Distribution over multisets after arrivals at the queues of `state`, one queue after another. */
static void spread(const outputs_chain *c, outputs_link link, const int16_t *state, double *from,
                   double *to)
{
    int size = 0, count[MULTISET_CLASSES];

    from[0] = 1;
    for (int a = 0; a < c->classes; a++) {
        class_outcome o[3];
        int outcomes = queue_outcomes(c, link, a, o);
        for (int i = 0; i < state[a]; i++, size++) {
            size_t n = multiset_count(size, c->classes);
            memset(to, 0, multiset_count(size + 1, c->classes) * sizeof *to);
            multiset_first(count, c->classes, size);
            for (size_t s = 0; s < n; s++, multiset_next(count, c->classes))
                for (int z = 0; from[s] > 0 && z < outcomes; z++) {
                    count[o[z].class]++;
                    to[multiset_rank(count, c->classes)] += from[s] * o[z].p;
                    count[o[z].class]--;
                }
            memcpy(from, to, multiset_count(size + 1, c->classes) * sizeof *to);
        }
    }
}

static swq_status list_arrivals(swq_context *ctx, outputs_chain *c, outputs_link link)
{
    double *from = swq_calloc(ctx, c->states, sizeof *from);
    double *to = swq_calloc(ctx, c->states, sizeof *to);
    size_t used = 0, room = 0;
    bool ok = from && to;

    for (size_t s = 0; ok && s < c->states; s++) {
        spread(c, link, c->count + s * (size_t)c->classes, from, to);
        if (used + c->states > room) {
            size_t more = 2 * room + c->states;
            int32_t *column = swq_resize(ctx, c->column, more, sizeof *column);
            c->column = column ? column : c->column;
            double *value = column ? swq_resize(ctx, c->value, more, sizeof *value) : NULL;
            c->value = value ? value : c->value;
            ok = column && value;
            room = more;
        }
        for (size_t t = 0; ok && t < c->states; t++)
            if (from[t] > 0) {
                c->column[used] = (int32_t)t;
                c->value[used++] = from[t];
                c->grows[s * ((size_t)c->ports + 1) + (size_t)(c->packets[t] - c->packets[s])] +=
                    from[t];
            }
        c->row[s + 1] = used;
    }
    swq_free(ctx, from);
    swq_free(ctx, to);
    return ok ? SWQ_OK : swq_memory_status(ctx);
}

swq_status outputs_init(swq_context *ctx, int ports, int room, outputs_link link, outputs_chain *c)
{
    swq_status status = SWQ_OK;

    *c = (outputs_chain){.ports = ports, .room = room, .lengths = room + 1};
    c->memory = link.again == link.rate ? 1 : 2;
    c->classes = c->lengths * c->memory;
    c->states = multiset_count(ports, c->classes);
    c->others = multiset_count(ports - 1, c->lengths);
    c->count = swq_calloc(ctx, c->states * (size_t)c->classes, sizeof *c->count);
    c->packets = swq_calloc(ctx, c->states, sizeof *c->packets);
    c->grows = swq_calloc(ctx, c->states * ((size_t)ports + 1), sizeof *c->grows);
    c->served = swq_calloc(ctx, c->states * (size_t)c->classes, sizeof *c->served);
    c->rest = swq_calloc(ctx, c->states * (size_t)c->lengths, sizeof *c->rest);
    c->row = swq_calloc(ctx, c->states + 1, sizeof *c->row);
    if (!c->count || !c->packets || !c->grows || !c->served || !c->rest || !c->row)
        status = swq_memory_status(ctx);
    if (!status)
        status = draw_lengths(ctx, c);
    if (!status) {
        list_states(c);
        status = list_arrivals(ctx, c, link);
    }
    if (status)
        outputs_clear(ctx, c);
    return status;
}

/* refused[o][q]: P(the first q that are visited of the others, lengths o, all give nothing).
 * Drawing one after the other: R(o, q) at place s = sum_a o_a/|o| (1 - gives_s(a)) R(o - a, q - 1)
 * at place s + 1. All sizes of o in turn, the smallest first. */
static void refuse(const outputs_chain *c, const double *gives, double *refused, double *smaller)
{
    size_t k = (size_t)c->ports, lengths = (size_t)c->lengths;

    for (int size = 0; size < c->ports; size++) {
        int place = c->ports - 1 - size;
        size_t n = multiset_count(size, c->lengths);
        for (size_t o = 0; o < n; o++)
            for (int q = 0; q <= size; q++) {
                double all = q == 0;
                for (size_t a = 0; q > 0 && a < lengths; a++) {
                    int there = c->drawn[size][o * lengths + a];
                    double give = gives ? gives[(size_t)place * lengths + a] : a > 0;
                    if (there)
                        all += there * (1 - give) / size *
                               smaller[(size_t)c->without[size][o * lengths + a] * k +
                                       (size_t)(q - 1)];
                }
                refused[o * k + (size_t)q] = all;
            }
        memcpy(smaller, refused, n * k * sizeof *smaller);
    }
}

size_t outputs_scratch(const outputs_chain *c)
{
    return 2 * c->others * (size_t)c->ports + 3 * c->states;
}

/* P(a queue of length n sends, given the other queues): the queue is equally likely to be visited
 * at each place. */
static double sends(const outputs_chain *c, const double *refused, const double *gives, int n)
{
    double sum = 0;

    for (int q = 0; q < c->ports; q++)
        sum += refused[q] * (gives ? gives[q * c->lengths + n] : n > 0);
    return sum / c->ports;
}

static void arrive(const outputs_chain *c, const double *p, double *next)
{
    memset(next, 0, c->states * sizeof *next);
    for (size_t s = 0; s < c->states; s++)
        for (size_t e = c->row[s]; p[s] > 0 && e < c->row[s + 1]; e++)
            next[c->column[e]] += p[s] * c->value[e];
}

static double mean_packets(const outputs_chain *c, const double *p)
{
    double sum = 0;

    for (size_t s = 0; s < c->states; s++)
        sum += p[s] * c->packets[s];
    return sum;
}

/* after: the distribution after departures, before arrivals. */
static void balance(const outputs_chain *c, const double *after, totals_flow *totals, double *next)
{
    const size_t growths = (size_t)c->ports + 1;

    for (size_t s = 0; s < c->states; s++) {
        for (size_t j = 0; j < growths; j++)
            totals->grew[(size_t)c->packets[s] * growths + j] +=
                after[s] * c->grows[s * growths + j];
    }
    const double *factor = totals_solve(totals);
    for (size_t s = 0; s < c->states; s++)
        next[s] *= factor[c->packets[s]];
}

void outputs_step(const outputs_chain *c, const double *p, const double *gives, double *next,
                  double *open, double *scratch, totals_flow *totals, outputs_reading *reading)
{
    size_t k = (size_t)c->ports;
    double *refused = scratch, *busy = refused + 2 * c->others * k, *after = busy + c->states,
           *twice = after + c->states, of_length[MULTISET_CLASSES] = {0}, idle = 0, kept = 0;

    *reading = (outputs_reading){.packets = mean_packets(c, p)};
    refuse(c, gives, refused, refused + c->others * k);
    totals_start(totals);
    memset(after, 0, 2 * c->states * sizeof *after);
    if (open)
        memset(open, 0, k * (size_t)c->lengths * sizeof *open);
    for (size_t s = 0; s < c->states; s++) {
        size_t at = s * (size_t)c->classes;
        busy[s] = 0;
        for (int a = 0; a < c->classes; a++) {
            int n = a / c->memory, there = c->count[at + (size_t)a];
            if (!there)
                continue;
            const double *r = refused + (size_t)c->rest[s * (size_t)c->lengths + (size_t)n] * k;
            double sent = n ? there * sends(c, r, gives, n) : 0;
            busy[s] += sent;
            if (n)
                twice[c->served[at + (size_t)a]] += p[s] * sent;
            idle += n ? 0 : p[s] * there;
            kept += n ? p[s] * (there - sent) : 0;
            of_length[n] += p[s] * there;
            for (int q = 0; open && q < c->ports; q++)
                open[q * c->lengths + n] += p[s] * there * r[q];
        }
        after[s] += p[s] * (1 - busy[s]);
        reading->sent += p[s] * busy[s];
        totals->stays[c->packets[s]] += p[s] * (1 - busy[s]);
        totals->sends[c->packets[s]] += p[s] * busy[s];
    }
    reading->idle_queue = idle / c->ports;
    reading->kept_queue = kept / c->ports;
    for (int q = 0; open && q < c->ports; q++)
        for (int n = 0; n < c->lengths; n++)
            open[q * c->lengths + n] =
                of_length[n] > 0 ? open[q * c->lengths + n] / of_length[n] : 1;
    arrive(c, twice, next);
    for (size_t s = 0; s < c->states; s++) {
        reading->sent_twice += next[s] * busy[s];
        after[s] += twice[s];
    }
    arrive(c, after, next);
    reading->accepted = mean_packets(c, next) - reading->packets + reading->sent;
    balance(c, after, totals, next);
}
