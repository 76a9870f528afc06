/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The queues for one output. Given how many packets a tagged queue's rivals hold together, the
 * rivals' lengths are taken to be independent with weights w(l), except for this sum. The weights w
 * are those with which the tagged queue's length, given the whole column's packets, has the same
 * distribution as in the chain of the buffer.
 */
#include "approx/links/shared/stage.h"

#include <math.h>
#include <string.h>

#define NEGLIGIBLE 1e-18

/* Odds of being taken are kept off 0 and infinity. */
#define EDGE 1e-12

/* p(x) times the sum of factor[l] x^l; p has terms up to x^degree. */
static void spread_on(double *p, int degree, const double *factor, int slots, double *work)
{
    memset(work, 0, sizeof *work * (size_t)(degree + slots + 1));
    for (int i = 0; i <= degree; i++) {
        for (int l = 0; p[i] != 0 && l <= slots; l++)
            work[i + l] += p[i] * factor[l];
    }
    memcpy(p, work, sizeof *work * (size_t)(degree + slots + 1));
}

/* Weight of the rivals of a queue at `place`, by their packets, if no rival at a place before
 * `until` takes the output. */
static void unsent_until(const shared_shape *shape, const shared_part *now, const shared_rates *r,
                         int place, int until, double *result)
{
    double factor[512];
    int degree = 0;

    memset(result, 0, sizeof *result * (size_t)(shape->rest + shape->slots + 1));
    result[0] = 1;
    for (int q = 0; q < shape->ports; q++) {
        if (q == place)
            continue;
        for (int l = 0; l <= shape->slots; l++)
            factor[l] = now->weight[l] * (q < until ? 1 - r->pick[q * (shape->slots + 1) + l] : 1);
        spread_on(result, degree, factor, shape->slots, r->work);
        degree += shape->slots;
    }
}

/* P(closed, or taken before that place), by the length of the queue. */
static void measure_taken(const shared_shape *shape, const shared_part *now, shared_rates *r)
{
    int lengths = shape->slots + 1, rests = shape->rest + 1, levels = shape->levels;
    int stride = shape->rest + shape->slots + 1;

    for (int place = 0; place < shape->ports; place++) {
        for (int l = 0; l < lengths; l++) {
            double free = 0, sum = 0;
            for (int R = 0; R < rests; R++) {
                const double *p = now->column + (size_t)(l * rests + R) * (size_t)levels;
                for (int c = 0; c < levels; c++) {
                    sum += p[c];
                    free += c > 0 || levels == 1 ? p[c] * r->free[place * stride + R] : 0;
                }
            }
            double *taken = r->taken + place * lengths + l;
            *taken = sum > NEGLIGIBLE ? 1 - free / sum : l > 0 ? taken[-1] : 0;
            *taken = fmin(fmax(*taken, EDGE), 1 - EDGE);
        }
    }
}

void shared_rivals(const shared_shape *shape, const shared_part *now, shared_rates *r)
{
    int stride = shape->rest + shape->slots + 1, lengths = shape->slots + 1;

    for (int i = 0; i < shape->ports * lengths; i++)
        r->pick[i] = i % lengths == 0            ? 0
                     : now->free[i] > NEGLIGIBLE ? fmin(now->chosen[i] / now->free[i], 1)
                                                 : r->pick[i - 1];
    unsent_until(shape, now, r, 0, 0, r->spread);
    for (int place = 0; place < shape->ports; place++) {
        double *free = r->free + place * stride, *unsent = r->unsent + place * stride;
        unsent_until(shape, now, r, place, place, free);
        unsent_until(shape, now, r, place, shape->ports, unsent);
        for (int R = 0; R <= shape->rest; R++) {
            free[R] = r->spread[R] > 0 ? free[R] / r->spread[R] : 0;
            unsent[R] = r->spread[R] > 0 ? unsent[R] / r->spread[R] : 0;
        }
    }
    measure_taken(shape, now, r);
}

/* The number of rivals that a packet joins, by the packets that rivals hold before: [packets][ports
 * + 1]. */
static void count_arrivals(const shared_shape *shape, const shared_part *now, shared_rates *r)
{
    int slots = shape->slots, stride = shape->rest + slots + 1, row = shape->ports + 1;
    double *a = r->arrivals, *b = r->work2;

    memset(a, 0, sizeof *a * (size_t)(stride * row));
    a[0] = 1;
    for (int q = 0; q < shape->ports - 1; q++) {
        memset(b, 0, sizeof *b * (size_t)(stride * row));
        for (int l = 0; l <= slots; l++) {
            double joins = fmin(r->joins_other[l] * now->scale[0], 1);
            double stays = now->weight[l] * (1 - joins), grows = now->weight[l] * joins;
            for (int R = 0; R <= q * slots; R++) {
                const double *from = a + R * row;
                double *to = b + (R + l) * row;
                for (int j = 0; j <= q; j++) {
                    to[j] += from[j] * stays;
                    to[j + 1] += from[j] * grows;
                }
            }
        }
        memcpy(a, b, sizeof *a * (size_t)(stride * row));
    }
}

/* The number of rivals that a packet joins if a rival has sent, which is joined more often. */
static void count_after_rival(const shared_shape *shape, const shared_part *now, shared_rates *r)
{
    double extra = fmin(r->extra * now->scale[0], 1);
    int row = shape->ports + 1;

    for (int R = 0; R <= shape->rest; R++) {
        for (int j = 0; j < row; j++)
            r->work2[R * row + j] = r->arrivals[R * row + j] * (1 - extra) +
                                    (j > 0 ? r->arrivals[R * row + j - 1] * extra : 0);
    }
}

/* The queue of a column that sends: the tagged queue, a rival, or none. */
enum { TAGGED, RIVAL, NONE, OUTCOMES };

static void who_sends(const shared_shape *shape, const shared_rates *r, int l, int R,
                      double *chance)
{
    int ports = shape->ports, stride = shape->rest + shape->slots + 1;

    chance[TAGGED] = chance[RIVAL] = 0;
    for (int place = 0; place < ports; place++) {
        double pick = r->pick[place * (shape->slots + 1) + l];
        double free = r->free[place * stride + R], unsent = r->unsent[place * stride + R];
        chance[TAGGED] += free * pick / ports;
        chance[RIVAL] += (1 - free + (1 - pick) * (free - unsent)) / ports;
    }
    chance[NONE] = fmax(1 - chance[TAGGED] - chance[RIVAL], 0);
}

typedef struct column_cycle {
    const shared_shape *shape;
    const shared_part *now;
    shared_rates *rates;
    double *next;
    const double *after_rival; /* as rates->arrivals, for rivals one of which has sent */
    double joined;             /* packets that join the column */
} column_cycle;

/* Add the arrivals of a cycle to the next distribution, once the departure `outcome` (of the tagged
 * queue, of a rival, of none) has left l packets in the tagged queue and R in its rivals.
 * before[c]: probability of this case with level of room c before the cycle; then[c]: with level c
 * after it. */
static void join(column_cycle *y, int outcome, int l, int R, int mark, const double *before,
                 const double *then)
{
    const shared_shape *shape = y->shape;
    shared_rates *r = y->rates;
    int ports = shape->ports, levels = shape->levels;
    double(*link)[SHARED_MARKS][SHARED_MARKS] = outcome == NONE ? r->link.idle : r->link.sends;
    const double *arrivals = outcome == RIVAL ? y->after_rival : r->arrivals;
    double joins =
        fmin((outcome == TAGGED ? r->joins_own[l] : r->joins_other[l]) * y->now->scale[0], 1);
    double share = 1 / r->spread[R], total = 0, moved = 0;

    for (int c = 0; c < levels; c++)
        total += before[c];
    arrivals += R * (ports + 1);
    for (int j = 0; j <= ports; j++) {
        double a = arrivals[j] * share;
        int rest = R + j < shape->rest ? R + j : shape->rest;
        for (int t = 0; a > 0 && t < 2; t++) {
            double p = a * (t ? joins : 1 - joins);
            int length = l + t < shape->slots ? l + t : shape->slots;
            int to = shape->mark_of[length + rest];
            double *row = y->next + (size_t)(length * (shape->rest + 1) + rest) * (size_t)levels;
            moved += p * (rest - R + length - l);
            for (int c = 0; c < levels; c++) {
                row[c] += then[c] * p;
                link[c][mark][to] += before[c] * p;
            }
        }
    }
    y->joined += moved * total;
}

static void cycle_from(column_cycle *y, int l, int R, const shared_room *room)
{
    int levels = y->shape->levels, mark = y->shape->mark_of[l + R];
    const double *p = y->now->column + (size_t)(l * (y->shape->rest + 1) + R) * (size_t)levels;
    double chance[OUTCOMES], total = 0;

    for (int c = 0; c < levels; c++)
        total += p[c];
    if (total < NEGLIGIBLE)
        return;
    who_sends(y->shape, y->rates, l, R, chance);
    for (int o = 0; o < OUTCOMES; o++) {
        int l2 = l - (o == TAGGED), R2 = R - (o == RIVAL);
        double before[SHARED_LEVELS], then[SHARED_LEVELS] = {0};
        if (l2 < 0 || R2 < 0 || !(y->rates->spread[R2] > 0))
            continue;
        for (int c = 0; c < levels; c++) {
            bool closed = levels > 1 && c == 0;
            before[c] = p[c] * (closed ? o == NONE : chance[o]);
            for (int d = 0; d < levels; d++)
                then[d] += before[c] * (room ? (*room)[o != NONE][mark][c][d] : d == c);
        }
        join(y, o, l2, R2, mark, before, then);
    }
}

static void normalise_link(shared_link *link, int levels)
{
    for (int u = 0; u < link->marks; u++) {
        link->first[u] = link->last[u] = u;
        for (int c = 0; c < levels; c++) {
            for (int v = 0; v < link->marks; v++) {
                bool follows = link->idle[c][u][v] + link->sends[c][u][v] > 0;
                link->first[u] = follows && v < link->first[u] ? v : link->first[u];
                link->last[u] = follows && v > link->last[u] ? v : link->last[u];
            }
        }
    }
    for (int c = 0; c < levels; c++) {
        for (int u = 0; u < link->marks; u++) {
            double sum = 0;
            for (int v = 0; v < link->marks; v++)
                sum += link->idle[c][u][v] + link->sends[c][u][v];
            for (int v = 0; v < link->marks; v++) {
                link->idle[c][u][v] = sum > NEGLIGIBLE ? link->idle[c][u][v] / sum : u == v;
                link->sends[c][u][v] = sum > NEGLIGIBLE ? link->sends[c][u][v] / sum : 0;
            }
        }
    }
}

/* Half a round of proportional fitting (whole ones can overshoot for ever). A factor a^l in the
 * weights changes nothing; the factor a is chosen so that the weights resemble the distribution of
 * lengths. */
static void fit_weights(const shared_shape *shape, const shared_part *now, shared_rates *r,
                        const shared_part *next)
{
    int slots = shape->slots, rests = shape->rest + 1, all = shape->rest + slots;
    double *packets = r->work2, *sums = r->work2 + all + 1, target, model;

    memset(packets, 0, sizeof *packets * (size_t)(all + 1));
    for (int l = 0; l <= slots; l++) {
        for (int R = 0; R < rests; R++) {
            for (int c = 0; c < shape->levels; c++)
                packets[l + R] +=
                    now->column[(size_t)(l * rests + R) * (size_t)shape->levels + (size_t)c];
        }
    }
    memset(sums, 0, sizeof *sums * (size_t)(all + 1));
    memcpy(sums, r->spread, sizeof *sums * (size_t)rests);
    spread_on(sums, shape->rest, now->weight, slots, r->work);
    /* A column split in a way that never occurs drives weights to 0, ever further from step to
     * step: weights are bounded so that the product of the weights of a whole column is still a
     * number. */
    const double least = pow(10, -250.0 / shape->rest);
    for (int l = 0; l <= slots; l++) {
        model = 0;
        target = r->length[l];
        for (int n = l; n <= all && n - l < rests; n++)
            model += sums[n] > 0 ? packets[n] * now->weight[l] * r->spread[n - l] / sums[n] : 0;
        bool known = target > 1e-13 && model > 1e-13;
        double *w = next->weight + l;
        if (known)
            *w = now->weight[l] * sqrt(target / model);
        else if (l < 2)
            *w = now->weight[l];
        else /* too rare to tell, or not allowed */
            *w = target > 0 && w[-2] > 0 ? w[-1] * w[-1] / w[-2] : 0;
        if (l > 0 && target > 0)
            *w = fmax(*w, w[-1] * least);
    }
    double sum = 0, power = 1, tilt = 1;
    if (r->length[0] > 1e-13 && r->length[1] > 1e-13)
        tilt = next->weight[0] * r->length[1] / (next->weight[1] * r->length[0]);
    for (int l = 0; l <= slots; l++, power *= tilt)
        sum += next->weight[l] *= power;
    for (int l = 0; l <= slots; l++)
        next->weight[l] /= sum;
}

void shared_column(const shared_shape *shape, const shared_part *now, const shared_room *room,
                   shared_rates *r, const shared_part *next)
{
    size_t size = (size_t)(shape->slots + 1) * (size_t)(shape->rest + 1) * (size_t)shape->levels;
    column_cycle y = {
        .shape = shape, .now = now, .rates = r, .next = next->column, .after_rival = r->work2};
    double sum = 0, accepted = r->offered - r->refused;

    count_arrivals(shape, now, r);
    count_after_rival(shape, now, r);
    memset(next->column, 0, sizeof *next->column * size);
    memset(r->link.idle, 0, sizeof r->link.idle);
    memset(r->link.sends, 0, sizeof r->link.sends);
    r->link.marks = shape->mark_of[shape->rest + shape->slots] + 1;
    for (int l = 0; l <= shape->slots; l++) {
        for (int R = 0; R <= shape->rest; R++)
            cycle_from(&y, l, R, room);
    }
    normalise_link(&r->link, shape->levels);
    for (size_t i = 0; i < size; i++)
        sum += next->column[i];
    for (size_t i = 0; i < size; i++)
        next->column[i] /= sum;
    next->scale[0] = y.joined > 0 && accepted > 0
                         ? fmin(fmax(now->scale[0] * accepted * sum / y.joined, 0.1), 10)
                         : 1;
    fit_weights(shape, now, r, next);
}
