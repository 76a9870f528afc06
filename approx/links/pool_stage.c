/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One cycle of a pool's chain: departures, arrivals, and then the senders' next packets. What fits
 * depends on the free slots at its start, so that states with fewer of them than input ports are
 * taken apart ("room"), and the others in one go.
 * Room: approx. Includes base.
 */
#include "approx/links/pool_stage.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

/* Added to what is divided by: where less than this happens, the guess is as good. */
#define TINY 1e-13

#define TAKE(array, count)                                                                         \
    ((array) = swq_calloc(ctx, (size_t)(count), sizeof *(array)), (array) != NULL)

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

static void fill_tables(pool_work *w)
{
    int k = w->ports;
    const double *choose = w->queues.choose;

    for (int q = 0, at = 0; q <= w->capacity; q++) {
        w->row[q] = at;
        at += w->capacity - q + 1;
    }
    for (int n = 0; n <= k; n++)
        for (int j = 0; j <= n; j++)
            w->binomial[n * (k + 1) + j] =
                choose[n * (k + 1) + j] * pow(1.0 / k, j) * pow(1 - 1.0 / k, n - j);
}

swq_status pool_work_init(swq_context *ctx, int ports, int capacity, int classes, bool discard,
                          pool_work *w)
{
    size_t side = (size_t)ports + 1, totals = (size_t)capacity + 1;

    *w = (pool_work){.ports = ports, .capacity = capacity, .discard = discard};
    w->cells = (int)(totals * (totals + 1) / 2);
    swq_status status = pool_senders_init(ctx, ports, 2, &w->sources);
    status = status ? status : pool_senders_init(ctx, ports, classes, &w->queues);
    status = status ? status : pool_rest_init(ctx, ports, capacity, &w->rest);
    size_t counts = (size_t)w->queues.counts, states = (size_t)w->cells * counts;
    bool ok = !status && TAKE(w->row, totals) && TAKE(w->binomial, side * side) &&
              TAKE(w->open, totals) && TAKE(w->total, totals) && TAKE(w->length, totals) &&
              TAKE(w->kernel, counts * counts) && TAKE(w->free, counts * side);
    for (int i = 0; ok && i < POOL_TURNS; i++)
        ok = TAKE(w->turn[i], states);
    for (int i = 0; ok && i < POOL_LEVELS; i++)
        ok = TAKE(w->after[i], states);
    if (!ok) {
        status = status ? status : swq_memory_status(ctx);
        pool_work_clear(ctx, w);
        return status;
    }
    fill_tables(w);
    return SWQ_OK;
}

void pool_work_clear(swq_context *ctx, pool_work *w)
{
    pool_senders_clear(ctx, &w->sources);
    pool_senders_clear(ctx, &w->queues);
    pool_rest_clear(ctx, &w->rest);
    swq_free(ctx, w->row);
    swq_free(ctx, w->binomial);
    swq_free(ctx, w->open);
    swq_free(ctx, w->total);
    swq_free(ctx, w->length);
    swq_free(ctx, w->kernel);
    swq_free(ctx, w->free);
    for (int i = 0; i < POOL_TURNS; i++)
        swq_free(ctx, w->turn[i]);
    for (int i = 0; i < POOL_LEVELS; i++)
        swq_free(ctx, w->after[i]);
    *w = (pool_work){0};
}

/* ---- what happens in a cycle ---- */

/* A step's own sums. */
typedef struct cycle {
    pool_work *work;
    const pool_place *place;
    const pool_state *now;
    pool_state *next;
    pool_flow *flow;
    int counts;
    /* by what the queue did, its length afterwards (2: or more), and the packets that come in */
    double moved[POOL_TURNS][3][SWQ_MAX_PORTS + 1];
    pool_tally tally;
} cycle;

static int class_of(const cycle *c, int length)
{
    return length == 0 ? 0 : length == 1 || c->place->classes == 2 ? 1 : 2;
}

static int level_of(int turn)
{
    return turn == POOL_SENT_SHORT || turn == POOL_HELD ? POOL_SHORT : POOL_FREE;
}

/* What has happened to a queue of so many packets after its turn. */
static int fate_of(const cycle *c, int turn, int left)
{
    if (turn == POOL_EMPTY)
        return POOL_IDLE;
    if (turn == POOL_HELD)
        return class_of(c, left) == 1 ? POOL_LEFT_ONE : POOL_LEFT_MORE;
    return class_of(c, left + 1) == 1 ? POOL_TOOK_ONE : POOL_TOOK_MORE;
}

static double taken(const cycle *c, int level, int length)
{
    return level == POOL_FREE ? 1 : c->place->ahead->taken[class_of(c, length)];
}

/* The other queues meet what the followed one meets in a pool that is as full. */
static void find_open(const cycle *c)
{
    pool_work *w = c->work;
    double *sent = w->length, *tried = w->total, all_sent = TINY, all_tried = TINY;

    memset(sent, 0, ((size_t)w->capacity + 1) * sizeof *sent);
    memset(tried, 0, ((size_t)w->capacity + 1) * sizeof *tried);
    for (int level = 0; level < (c->place->ahead ? POOL_LEVELS : 1); level++)
        for (int q = 1; q <= w->capacity; q++)
            for (int r = 0; r <= w->capacity - q; r++) {
                const double *p =
                    c->now->level[level] + (size_t)(w->row[q] + r) * (size_t)c->counts;
                double mass = 0;
                for (int v = 0; v < c->counts; v++)
                    mass += p[v];
                tried[q + r] += mass;
                sent[q + r] += mass * taken(c, level, q);
            }
    for (int n = 0; n <= w->capacity; n++)
        all_sent += sent[n], all_tried += tried[n];
    for (int n = 0; n <= w->capacity; n++)
        w->open[n] = (sent[n] + TINY * all_sent / all_tried) / (tried[n] + TINY);
}

/* law[d]: so many of the other queues send. */
static void rest_departs(const cycle *c, int rest, double open, double *law)
{
    int k = c->work->ports;
    const double *nonempty = c->work->rest.nonempty + (size_t)rest * (size_t)k;

    memset(law, 0, (size_t)k * sizeof *law);
    for (int m = 0; m < k && m <= rest; m++) {
        const double *choose = c->work->queues.choose + (size_t)m * (size_t)(k + 1);
        double p = nonempty[m] * pow(1 - open, m), ratio = open / (1 - open);
        if (open >= 1) {
            law[m] += nonempty[m];
            continue;
        }
        for (int d = 0; d <= m; d++, p *= ratio)
            law[d] += choose[d] * p;
    }
}

static void add(double *to, const double *from, double factor, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += factor * from[i];
}

static double *at(const pool_work *w, double *array, int q, int r, int counts)
{
    return array + (size_t)(w->row[q] + r) * (size_t)counts;
}

/* The states with low <= q + r <= high: what is sent. */
static void depart(const cycle *c, int low, int high)
{
    pool_work *w = c->work;
    int k = w->ports, n = c->counts;
    double law[SWQ_MAX_PORTS];

    for (int q = 0; q <= high; q++)
        for (int r = max(0, low - q); r <= high - q; r++) {
            const double *is_free = at(w, c->now->level[POOL_FREE], q, r, n);
            const double *is_short = at(w, c->now->level[POOL_SHORT], q, r, n);
            double chance = q > 0 && c->place->ahead ? taken(c, POOL_SHORT, q) : 0;
            rest_departs(c, r, w->open[q + r], law);
            for (int d = 0; d < k && d <= r; d++) {
                if (law[d] == 0)
                    continue;
                if (q == 0) {
                    add(at(w, w->turn[POOL_EMPTY], 0, r - d, n), is_free, law[d], n);
                    continue;
                }
                add(at(w, w->turn[POOL_SENT_FREE], q - 1, r - d, n), is_free, law[d], n);
                if (!c->place->ahead)
                    continue;
                add(at(w, w->turn[POOL_SENT_SHORT], q - 1, r - d, n), is_short, law[d] * chance, n);
                add(at(w, w->turn[POOL_HELD], q, r - d, n), is_short, law[d] * (1 - chance), n);
            }
        }
}

/* n packets come in, whose destinations are independent; those senders' counts, from v on. */
static void arrive_some(cycle *c, int turn, int q, int r, int n, int v, int counts)
{
    pool_work *w = c->work;
    const double *from = at(w, w->turn[turn], q, r, c->counts) + v;
    int fate = fate_of(c, turn, q), level = level_of(turn);
    double sum = 0;

    for (int i = 0; i < counts; i++)
        sum += from[i];
    if (sum == 0)
        return;
    c->moved[turn][min(q, 2)][n] += sum;
    c->flow->accepted += n * sum;
    for (int j = 0; j <= n; j++) {
        double p = w->binomial[n * (w->ports + 1) + j], crowded = 0;
        if (c->place->ahead && q + j > 0)
            crowded = c->place->ahead->short_next[level][fate][class_of(c, q + j)];
        add(at(w, w->after[POOL_FREE], q + j, r + n - j, c->counts) + v, from, p * (1 - crowded),
            counts);
        if (crowded > 0)
            add(at(w, w->after[POOL_SHORT], q + j, r + n - j, c->counts) + v, from, p * crowded,
                counts);
    }
}

/* Blocking, what is taken was decided by the state before departures: room for so many. Discarding,
 * by that after them. */
static void arrive(cycle *c, int room, int low, int high)
{
    pool_work *w = c->work;
    const pool_senders *s = c->place->senders;

    for (int turn = 0; turn < POOL_TURNS; turn++) {
        if (!c->place->ahead && level_of(turn) == POOL_SHORT)
            continue;
        for (int q = 0; q <= (turn == POOL_EMPTY ? 0 : high); q++)
            for (int r = max(0, low - q); r <= high - q; r++)
                for (int u = 0; u <= w->ports; u++) {
                    int first = pool_senders_first(s, u);
                    arrive_some(c, turn, q, r, min(min(u, room), w->capacity - q - r), first,
                                pool_senders_first(s, u + 1) - first);
                }
    }
}

/* Senders' next packets. */
static void renew(cycle *c, int room, int low, int high)
{
    pool_work *w = c->work;
    const pool_senders *s = c->place->senders;
    int n = c->counts, side = w->ports + 1;

    pool_senders_kernel(s, room, w->kernel);
    memset(w->free, 0, (size_t)(n * side) * sizeof *w->free);
    for (int level = 0; level < (c->place->ahead ? POOL_LEVELS : 1); level++)
        for (int q = 0; q <= high; q++)
            for (int r = max(0, low - q); r <= high - q; r++) {
                const double *from = at(w, w->after[level], q, r, n);
                double *to = at(w, c->next->level[level], q, r, n);
                int slots = min(w->capacity - q - r, w->ports);
                for (int v = 0; v < n; v++) {
                    if (from[v] == 0)
                        continue;
                    w->free[v * side + slots] += from[v];
                    add(to, w->kernel + (size_t)v * (size_t)n, from[v], n);
                }
            }
    if (!w->discard)
        pool_senders_look(s, c->place->before, room, w->free, &c->tally);
}

static void clear_band(const cycle *c, double *array, int low, int high)
{
    const pool_work *w = c->work;

    for (int q = 0; q <= high; q++) {
        int r = max(0, low - q);
        memset(at(w, array, q, r, c->counts), 0,
               (size_t)(high - q - r + 1) * (size_t)c->counts * sizeof *array);
    }
}

/* All states with low <= q + r <= high, which have room for so many packets. */
static void take_turns(cycle *c, int room, int low, int high)
{
    pool_work *w = c->work;
    int least = max(0, low - w->ports), most = min(w->capacity, high + w->ports);

    for (int i = 0; i < POOL_TURNS; i++)
        clear_band(c, w->turn[i], least, high);
    for (int i = 0; i < POOL_LEVELS; i++)
        clear_band(c, w->after[i], least, most);
    depart(c, low, high);
    arrive(c, room, least, high);
    renew(c, room, least, most);
}

/* ---- what is measured ---- */

static void measure_state(cycle *c)
{
    pool_work *w = c->work;
    const int *one = c->place->senders->one, *more = c->place->senders->more;

    for (int level = 0; level < (c->place->ahead ? POOL_LEVELS : 1); level++)
        for (int q = 0; q <= w->capacity; q++)
            for (int r = 0; r <= w->capacity - q; r++) {
                const double *p = at(w, c->now->level[level], q, r, c->counts);
                double mass = 0;
                for (int v = 0; v < c->counts; v++) {
                    mass += p[v];
                    c->flow->offered += p[v] * (one[v] + more[v]);
                }
                c->flow->packets += mass * (q + r);
                if (q > 0) {
                    c->flow->nonempty += mass;
                    c->flow->sent += mass * taken(c, level, q);
                }
            }
}

/* How queues of this stage change class. */
static void measure_classes(const cycle *c)
{
    const pool_work *w = c->work;
    double times[POOL_LEVELS][POOL_FATES] = {{0}};
    pool_measured *m = c->next->measured;

    for (int turn = 0; turn < POOL_TURNS; turn++)
        for (int q = turn == POOL_HELD; q <= 2; q++)
            for (int n = 0; n <= w->ports; n++) {
                double mass = c->moved[turn][q][n];
                int level = level_of(turn), fate = fate_of(c, turn, q);
                times[level][fate] += mass;
                for (int j = 0; j <= n; j++)
                    m->class_after[level][fate][class_of(c, q + j)] +=
                        mass * w->binomial[n * (w->ports + 1) + j];
            }
    for (int fate = 0; fate < POOL_FATES; fate++)
        for (int level = 0; level < POOL_LEVELS; level++) {
            int of = fate == POOL_IDLE ? POOL_FREE : level;
            int as_is =
                fate == POOL_IDLE ? 0 : 1 + (fate == POOL_LEFT_MORE || fate == POOL_TOOK_MORE);
            for (int to = 0; to < POOL_CLASSES; to++) {
                double *p = &m->class_after[level][fate][to];
                *p = level == of ? (*p + TINY * (to == as_is)) / (times[of][fate] + TINY)
                                 : m->class_after[of][fate][to];
            }
        }
}

/* What senders to this stage meet. */
static void measure_links(const cycle *c)
{
    pool_measured *m = c->next->measured;
    const pool_tally *t = &c->tally;

    for (int class = 0; class < POOL_CLASSES; class ++)
        m->taken[class] = (t->taken[class] + TINY / 2) / (t->offered[class] + TINY);
    for (int level = 0; level < POOL_LEVELS; level++)
        for (int fate = 0; fate < POOL_FATES; fate++)
            for (int to = 0; to < POOL_CLASSES; to++)
                m->short_next[level][fate][to] =
                    t->shorts[level][fate][to] / (t->times[level][fate][to] + TINY);
}

/* Mixed iterates may have lost, or gained: a distribution again. */
static void normalise(const cycle *c)
{
    size_t states = (size_t)c->work->cells * (size_t)c->counts;
    double sum = 0;

    for (int level = 0; level < POOL_LEVELS; level++)
        for (size_t i = 0; i < states; i++)
            sum += c->next->level[level][i];
    for (int level = 0; level < POOL_LEVELS; level++)
        for (size_t i = 0; i < states; i++)
            c->next->level[level][i] /= sum;
}

static void measure_weights(const cycle *c)
{
    pool_work *w = c->work;
    size_t size = ((size_t)w->capacity + 1) * sizeof(double);

    memset(w->total, 0, size);
    memset(w->length, 0, size);
    for (int level = 0; level < (c->place->ahead ? POOL_LEVELS : 1); level++)
        for (int q = 0; q <= w->capacity; q++)
            for (int r = 0; r <= w->capacity - q; r++) {
                const double *p = at(w, c->next->level[level], q, r, c->counts);
                double mass = 0;
                for (int v = 0; v < c->counts; v++)
                    mass += p[v];
                w->total[q + r] += mass;
                w->length[q] += mass;
            }
    pool_rest_fit(&w->rest, w->total, w->length, c->next->weight);
}

pool_measured pool_measured_guess(double load)
{
    pool_measured m = {0};

    for (int level = 0; level < POOL_LEVELS; level++)
        for (int fate = 0; fate < POOL_FATES; fate++) {
            bool left = fate == POOL_LEFT_ONE || fate == POOL_LEFT_MORE;
            m.class_after[level][fate][left && fate == POOL_LEFT_MORE ? 2 : 1] = left ? 1 : load;
            m.class_after[level][fate][0] = left ? 0 : 1 - load;
        }
    for (int class = 0; class < POOL_CLASSES; class ++)
        m.taken[class] = 0.5;
    return m;
}

void pool_stage_step(pool_work *w, const pool_place *place, const pool_state *now, pool_state *next,
                     pool_flow *flow)
{
    cycle c = {.work = w, .place = place, .now = now, .next = next, .flow = flow};

    c.counts = place->senders->counts;
    *flow = (pool_flow){0};
    *next->measured = (pool_measured){0};
    for (int level = 0; level < POOL_LEVELS; level++)
        memset(next->level[level], 0, (size_t)w->cells * (size_t)c.counts * sizeof(double));
    pool_senders_learn(place->senders, place->before);
    pool_rest_find(&w->rest, now->weight);
    find_open(&c);
    measure_state(&c);
    if (w->discard) {
        take_turns(&c, w->ports, 0, w->capacity);
    } else {
        take_turns(&c, w->ports, 0, w->capacity - w->ports);
        for (int room = 0; room < w->ports; room++)
            take_turns(&c, room, w->capacity - room, w->capacity - room);
    }
    normalise(&c);
    measure_classes(&c);
    measure_links(&c);
    measure_weights(&c);
}
