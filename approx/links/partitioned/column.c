/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stepping k queues at once.
 */
#include "approx/links/partitioned/column.h"

#include "base/context.h"

#include <string.h>

void column_clear(swq_context *ctx, column_chain *c)
{
    lattice_clear(ctx, &c->all);
}

swq_status column_init(swq_context *ctx, int ports, queue_shape shape, column_chain *c)
{
    *c = (column_chain){.ports = ports, .shape = shape};
    return lattice_init(ctx, ports, shape.classes, &c->all);
}

size_t column_states(const column_chain *c)
{
    return c->all.level[c->ports].n;
}

size_t column_scratch(const column_chain *c)
{
    size_t rest = c->all.level[c->ports - 1].n, k = (size_t)c->ports;
    size_t rows = 4 * rest * rest, refused = 2 * rest * k;
    return (rows > refused ? rows : refused) + 2 * rest * (size_t)c->shape.classes;
}

/* refused[o][q]: P(the first q visited queues among the other queues o give no packet); see
 * outputs_step. */
static void refuse(const column_chain *c, const double *gives, double *refused, double *smaller)
{
    size_t k = (size_t)c->ports, classes = (size_t)c->shape.classes;

    for (int size = 0; size < c->ports; size++) {
        int place = c->ports - 1 - size;
        const lattice_level *v = &c->all.level[size];
        for (size_t o = 0; o < v->n; o++)
            for (int q = 0; q <= size; q++) {
                double all = q == 0;
                for (size_t a = 0; q > 0 && a < classes; a++) {
                    int there = v->count[o * classes + a];
                    double give =
                        gives ? gives[(size_t)place * classes + a] : queue_open(&c->shape, (int)a);
                    if (there)
                        all += there * (1 - give) / size *
                               smaller[(size_t)v->less[o * classes + a] * k + (size_t)(q - 1)];
                }
                refused[o * k + (size_t)q] = all;
            }
        memcpy(smaller, refused, v->n * k * sizeof *smaller);
    }
}

void column_serve(const column_chain *c, const double *p, const double *gives, double *send,
                  double *open, double *scratch)
{
    size_t k = (size_t)c->ports, classes = (size_t)c->shape.classes;
    const lattice_level *v = &c->all.level[c->ports];
    double *refused = scratch, held[LATTICE_CLASSES] = {0};

    refuse(c, gives, refused, refused + c->all.level[c->ports - 1].n * k);
    if (open)
        memset(open, 0, k * classes * sizeof *open);
    for (size_t s = 0; s < v->n; s++)
        for (size_t a = 0; a < classes; a++) {
            int there = v->count[s * classes + a];
            double sum = 0;
            send[s * classes + a] = 0;
            if (!there)
                continue;
            const double *r = refused + (size_t)v->less[s * classes + a] * k;
            for (size_t q = 0; q < k; q++) {
                double give = gives ? gives[q * classes + a] : queue_open(&c->shape, (int)a);
                sum += r[q] * (queue_open(&c->shape, (int)a) ? give : 0);
                if (open)
                    open[q * classes + a] += p[s] * there * r[q];
            }
            held[a] += p[s] * there;
            send[s * classes + a] = there * sum / c->ports;
        }
    for (size_t i = 0; open && i < k * classes; i++)
        open[i] = held[i % classes] > 1e-14 ? open[i] / held[i % classes] : 1;
}

void column_read(const column_chain *c, const double *p, const double *send,
                 const queue_rates *rates, column_reading *reading)
{
    size_t classes = (size_t)c->shape.classes;
    const lattice_level *v = &c->all.level[c->ports];
    double held[QUEUE_CLASSES] = {0}, went[LATTICE_SIZE + 1] = {0}, had[LATTICE_SIZE + 1] = {0},
           sum = 0;

    *reading = (column_reading){0};
    for (size_t s = 0; s < v->n; s++) {
        int open = 0, blocked = 0;
        double sent = 0;
        for (size_t a = 0; a < classes; a++) {
            int there = v->count[s * classes + a], n = queue_length(&c->shape, (int)a);
            double goes = send[s * classes + a];
            if (!there)
                continue;
            held[a] += p[s] * there;
            reading->packets += p[s] * there * n;
            reading->serves[a] += p[s] * goes;
            sent += goes;
            reading->returns += p[s] * goes * (n > 1 ? 1 : queue_comes(&c->shape, rates, (int)a));
            if (n)
                *(queue_open(&c->shape, (int)a) ? &open : &blocked) += there;
        }
        reading->sent += p[s] * sent;
        reading->heads[open][blocked] += p[s];
        went[open] += p[s] * sent;
        had[open] += p[s];
        reading->bystanders += p[s] * sent * (open - 1);
        reading->stayers += p[s] * (open - sent);
        reading->occupied += p[s] * (open + blocked);
        reading->blocked += p[s] * blocked;
        sum += p[s];
    }
    reading->returns = reading->sent > 0 ? reading->returns / reading->sent : 0;
    for (size_t a = 0; a < classes; a++)
        reading->serves[a] =
            held[a] > 1e-14 ? reading->serves[a] / held[a] : queue_open(&c->shape, (int)a);
    for (int n = 0; n <= c->ports; n++)
        reading->busy[n] = had[n] > 1e-14 ? went[n] / had[n] : n > 0;
    reading->sent /= sum, reading->packets /= sum;
    reading->occupied /= sum * c->ports, reading->blocked /= sum * c->ports;
}

/* rows[o * n + t]: transitions of the others from o to t, without arrivals (`none`) and with
 * exactly one (unless each queue has its own link: then only `none`, with all arrivals). They are
 * conditional on no arrival, or include the probability that exactly this one arrives. Built up one
 * queue at a time. */
static void move_others(const column_chain *c, const queue_rates *rates, bool one, double *none,
                        double *single, double *small_none, double *small_single)
{
    size_t classes = (size_t)c->shape.classes, before = 1;

    small_none[0] = 1, small_single[0] = 0;
    none[0] = 1, single[0] = 0;
    for (int size = 1; size < c->ports; size++) {
        const lattice_level *v = &c->all.level[size], *w = &c->all.level[size - 1];
        memset(none, 0, v->n * v->n * sizeof *none);
        memset(single, 0, v->n * v->n * sizeof *single);
        for (size_t o = 0; o < v->n; o++) {
            int a = 0;
            while (!v->count[o * classes + (size_t)a])
                a++;
            size_t from = (size_t)v->less[o * classes + (size_t)a] * before;
            double comes = queue_comes(&c->shape, rates, a);
            for (int arrives = 0; arrives < (comes > 0 ? 2 : 1); arrives++) {
                queue_outcome x = queue_next(&c->shape, rates, a, false, arrives);
                double weight = one ? (arrives ? comes : 1) : arrives ? comes : 1 - comes;
                for (int z = 0; z < x.count; z++)
                    for (size_t t = 0; t < before; t++) {
                        size_t to = o * v->n + (size_t)w->more[t * classes + (size_t)x.class[z]];
                        double f = weight * x.p[z];
                        if (!one || !arrives)
                            none[to] += f * small_none[from + t];
                        else
                            single[to] += f * small_none[from + t];
                        if (one && !arrives)
                            single[to] += f * small_single[from + t];
                    }
            }
        }
        before = v->n;
        memcpy(small_none, none, v->n * v->n * sizeof *none);
        memcpy(small_single, single, v->n * v->n * sizeof *single);
    }
}

/* Distribute the weight w of one queue of class a over its outcomes. */
static void put(const column_chain *c, const queue_rates *rates, int a, bool sends, bool arrives,
                double w, double *out)
{
    if (w <= 0)
        return;
    queue_outcome x = queue_next(&c->shape, rates, a, sends, arrives);
    for (int z = 0; z < x.count; z++)
        out[x.class[z]] += w * x.p[z];
}

/* Add one way in which the queues behind can change to `next`. `sent`, `silent`: its probability if
 * the output sends, or does not. */
static void step_way(const column_chain *c, const double *p, const double *send,
                     const queue_rates *rates, bool one, double sent, double silent, double *next,
                     double *scratch)
{
    size_t classes = (size_t)c->shape.classes;
    const lattice_level *v = &c->all.level[c->ports], *w = &c->all.level[c->ports - 1];
    double *none = scratch, *single = none + w->n * w->n, *lone = single + 3 * w->n * w->n,
           *quiet = lone + w->n * classes;

    move_others(c, rates, one, none, single, single + w->n * w->n, single + 2 * w->n * w->n);
    /* lone[o][a']: the queue besides o ends in class a', while o moves as in `none`; quiet: while o
     * moves as in `single`, and no packet comes to the queue */
    memset(lone, 0, 2 * w->n * classes * sizeof *lone);
    for (size_t s = 0; s < v->n; s++) {
        double left = 1, comes_to_all = 0;
        int first = -1;
        for (size_t a = 0; a < classes; a++) {
            left -= send[s * classes + a];
            comes_to_all += v->count[s * classes + a] * queue_comes(&c->shape, rates, (int)a);
            if (first < 0 && v->count[s * classes + a])
                first = (int)a;
        }
        double nothing = one ? (comes_to_all < 1 ? 1 - comes_to_all : 0) : 0;
        double squeeze = one && comes_to_all > 1 ? 1 / comes_to_all : 1;
        for (size_t a = 0; a <= classes; a++) {
            bool sends = a < classes;
            int class = sends ? (int)a : first;
            double weight = p[s] * (sends ? send[s * classes + a] * sent : left * silent);
            if (weight == 0)
                continue;
            size_t o = (size_t)v->less[s * classes + (size_t) class] * classes;
            double comes = queue_comes(&c->shape, rates, class);
            if (weight < 0)
                weight = 0;
            put(c, rates, class, sends, true, weight * comes * squeeze, lone + o);
            put(c, rates, class, sends, false, weight * (one ? nothing : 1 - comes), lone + o);
            if (one)
                put(c, rates, class, sends, false, weight * squeeze, quiet + o);
        }
    }
    for (size_t o = 0; o < w->n; o++)
        for (size_t t = 0; t < w->n; t++) {
            double n = none[o * w->n + t], m = one ? single[o * w->n + t] : 0;
            if (n + m <= 0)
                continue;
            for (size_t a = 0; a < classes; a++)
                next[w->more[t * classes + a]] +=
                    n * lone[o * classes + a] + m * quiet[o * classes + a];
        }
}

void row_step(const column_chain *c, const double *p, const double *send, const queue_rates *rates,
              double *next, double *scratch)
{
    memset(next, 0, column_states(c) * sizeof *next);
    step_way(c, p, send, rates, true, 1, 1, next, scratch);
}

void column_step(const column_chain *c, const double *p, const double *send,
                 const queue_rates *rates, const column_reading *reading, double *next,
                 double *scratch)
{
    double k = c->ports;

    memset(next, 0, column_states(c) * sizeof *next);
    if (c->shape.heads == 1) {
        step_way(c, p, send, rates, false, 1, 1, next, scratch);
        return;
    }
    /* Heads that wait for the same queue become open together, and become blocked together when a
     * head goes to this queue. With a single read port, an output may stay silent although heads
     * are open; then they become blocked one by one, so that this happens to queues of all lengths
     * at the same rate. */
    bool always = reading->stayers <= reading->bystanders * (1 + 1e-9);
    double closes = rates->closes, others = closes;
    if (always && rates->fills > rates->closes) {
        closes = rates->closes / rates->fills;
        others = 0;
    }
    double together = 1 / (1 + (k - 1) * rates->full);
    if (together < rates->opens)
        together = rates->opens;
    double lets_go = together > 0 ? rates->opens / together : 0;
    for (int shut = 0; shut < 2; shut++)
        for (int freed = 0; freed < 2; freed++) {
            queue_rates way = *rates;
            way.closes = shut ? closes : others;
            way.opens = freed ? together : 0;
            way.after_win = (shut + (k - 1) * rates->after_other) / k;
            double f = freed ? lets_go : 1 - lets_go;
            double sent = f * (shut ? rates->fills : 1 - rates->fills), silent = shut ? 0 : f;
            if (sent > 0 || silent > 0)
                step_way(c, p, send, &way, false, sent, silent, next, scratch);
        }
}

/* e[t] becomes the sum over sets of t of products of weights, with `there` more elements of weight
 * w. */
static void add_weights(double *e, int most, int there, double w)
{
    for (int i = 0; i < there; i++)
        for (int t = most; t > 0; t--)
            e[t] += w * e[t - 1];
}

/* One state at one place: the packets given and the outputs free, summed over the number of outputs
 * taken, and P(any packet is given) by this number. */
typedef struct row_turn {
    double gives[LATTICE_CLASSES], free[LATTICE_CLASSES], sends[LATTICE_SIZE + 1];
} row_turn;

/* The classes that occur in a state. */
typedef struct row_list {
    int n, class[LATTICE_SIZE], count[LATTICE_SIZE];
} row_list;

static row_list list_of(const int16_t *count, int classes)
{
    row_list l = {0};

    for (int a = 0; a < classes; a++)
        if (count[a]) {
            l.class[l.n] = a;
            l.count[l.n++] = count[a];
        }
    return l;
}

static bool open_from(const column_chain *c, int class, int n)
{
    return queue_open(&c->shape, class) && queue_length(&c->shape, class) >= n;
}

/* P(a queue of length >= n sends) is 1 - P(the outputs of all open queues of at least this length
 * are taken). */
static void give(const column_chain *c, const row_list *l, const double *weight, int most,
                 const double *number, const double *all, row_turn *r)
{
    double before[LATTICE_SIZE + 1];

    for (int t = 0; t <= most; t++)
        before[t] = 1;
    for (int i = 0; i < l->n; i++)
        r->gives[i] = 0;
    for (int n = c->shape.room; n > 0; n--) {
        /* sets that contain all open queues of this length or longer */
        double rest[LATTICE_SIZE + 1] = {1}, product = 1;
        int taken = 0, here = 0;
        for (int i = 0; i < l->n; i++) {
            if (!open_from(c, l->class[i], n)) {
                add_weights(rest, most, l->count[i], weight[l->class[i]]);
                continue;
            }
            taken += l->count[i];
            here += queue_length(&c->shape, l->class[i]) == n ? l->count[i] : 0;
            for (int j = 0; j < l->count[i]; j++)
                product *= weight[l->class[i]];
        }
        double goes = 0;
        for (int t = 0; here && t <= most; t++) {
            double now = taken <= t && all[t] > 0 ? product * rest[t - taken] / all[t] : 0;
            goes += all[t] > 0 ? number[t] * (before[t] - now) : 0;
            before[t] = now;
        }
        for (int i = 0; here && i < l->n; i++)
            if (open_from(c, l->class[i], n) && queue_length(&c->shape, l->class[i]) == n)
                r->gives[i] = goes * l->count[i] / here;
    }
    for (int t = 0; t <= most; t++)
        r->sends[t] = all[t] > 0 ? 1 - before[t] : 0;
}

static void turn(const column_chain *c, const row_list *l, const double *weight, int most,
                 const double *number, row_turn *r)
{
    double all[LATTICE_SIZE + 1] = {1};

    for (int i = 0; i < l->n; i++)
        add_weights(all, most, l->count[i], weight[l->class[i]]);
    give(c, l, weight, most, number, all, r);
    for (int i = 0; i < l->n; i++) {
        double rest[LATTICE_SIZE + 1] = {1}, sum = 0;
        for (int j = 0; j < l->n; j++)
            add_weights(rest, most, l->count[j] - (i == j), weight[l->class[j]]);
        for (int t = 0; t <= most; t++)
            sum += all[t] > 0 ? number[t] * rest[t] / all[t] : 0;
        r->free[i] = l->count[i] * sum;
    }
}

void row_serve(const column_chain *c, const double *p, const double *taken, double *send,
               double *gives, double *free)
{
    size_t classes = (size_t)c->shape.classes;
    const lattice_level *v = &c->all.level[c->ports];
    double number[LATTICE_SIZE + 1] = {1}, sum = 0;

    memset(send, 0, v->n * classes * sizeof *send);
    for (size_t s = 0; s < v->n; s++)
        sum += p[s];
    for (int q = 0; q < c->ports; q++) {
        double went[LATTICE_SIZE + 1] = {0}, given[LATTICE_CLASSES] = {0},
                                   spare[LATTICE_CLASSES] = {0}, held[LATTICE_CLASSES] = {0};
        for (size_t s = 0; s < v->n; s++) {
            row_list l = list_of(v->count + s * classes, c->shape.classes);
            row_turn r;
            turn(c, &l, taken + (size_t)q * classes, q, number, &r);
            for (int i = 0; i < l.n; i++) {
                int a = l.class[i];
                send[s * classes + (size_t)a] += r.gives[i] / c->ports;
                given[a] += p[s] * r.gives[i];
                spare[a] += p[s] * r.free[i];
                held[a] += p[s] * l.count[i];
            }
            for (int t = 0; t <= q; t++)
                went[t] += p[s] / sum * number[t] * r.sends[t];
        }
        for (size_t a = 0; a < classes; a++) {
            double *g = &gives[(size_t)q * classes + a];
            *g = spare[a] > 1e-14 ? given[a] / spare[a] : queue_open(&c->shape, (int)a);
            *g = *g > 1 ? 1 : *g;
            free[(size_t)q * classes + a] = held[a] > 1e-14 ? spare[a] / held[a] : 1;
        }
        for (int t = q; t >= 0; t--) {
            number[t + 1] += went[t];
            number[t] -= went[t];
        }
    }
}
