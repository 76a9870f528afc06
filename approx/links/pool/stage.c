/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One cycle of a pool's chain: departures, arrivals, and then the senders' next packets. What fits
 * depends on the free slots at its start, so states with fewer of them than input ports are treated
 * separately by their room, and the others together.
 */
#include "approx/links/pool/stage.h"

#include <math.h>
#include <string.h>

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

/* ---- the cycle ---- */

/* One step of a stage, and the sums taken during the step: how often each event happened to the
 * followed queue, for the measurements that neighbouring stages use. */
typedef struct pool_cycle {
    pool_work *work;
    const pool_place *place;
    const pool_state *now;
    pool_state *next;
    pool_flow *flow;
    int counts;
    /* by the queue's turn, its length afterwards (2: or more), and the packets that arrive */
    double moved[POOL_TURNS][3][SWQ_CHAIN_PORTS + 1];
    pool_tally tally;
    /* probability that the queue meets a crowd (room for fewer packets than are offered) in the
     * next cycle, by its turn, its length after the turn, and its length after arrivals (2: or
     * more) */
    double crowded[POOL_TURNS][3][3];
} pool_cycle;

static int class_of(const pool_cycle *c, int length)
{
    return length == 0 ? 0 : length == 1 || c->place->classes == 2 ? 1 : 2;
}

static int level_of(int turn)
{
    return turn == POOL_SENT_SHORT || turn == POOL_HELD ? POOL_SHORT : POOL_FREE;
}

/* The fate of a queue that had its turn and has `left` packets left. */
static int fate_of(const pool_cycle *c, int turn, int left)
{
    if (turn == POOL_EMPTY)
        return POOL_IDLE;
    if (turn == POOL_HELD)
        return class_of(c, left) == 1 ? POOL_LEFT_ONE : POOL_LEFT_MORE;
    return class_of(c, left + 1) == 1 ? POOL_TOOK_ONE : POOL_TOOK_MORE;
}

static double taken(const pool_cycle *c, int level, int length)
{
    return level == POOL_FREE ? 1 : c->place->ahead->taken[class_of(c, length)];
}

/* Rows of an array of states, by total. */
static size_t row_at(int total, int counts)
{
    return (size_t)total * (size_t)(total + 1) / 2 * (size_t)counts;
}

static double *row(double *array, int total, int counts, int v)
{
    return array + row_at(total, counts) + (size_t)v * (size_t)(total + 1);
}

static int levels(const pool_cycle *c)
{
    return c->place->ahead ? POOL_LEVELS : 1;
}

static void add(double *to, const double *from, double factor, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += factor * from[i];
}

/* The sum in four parts, since additions in order would wait for one another. */
static double sum_of(const double *p, int n)
{
    double a = 0, b = 0, d = 0, e = 0;
    int i = 0;

    for (; i + 4 <= n; i += 4)
        a += p[i], b += p[i + 1], d += p[i + 2], e += p[i + 3];
    for (; i < n; i++)
        a += p[i];
    return a + b + (d + e);
}

/* mass[q] = the probability of cell q, summed over all counts of senders. */
static void queues_of(const pool_cycle *c, double *states, int total, double *mass)
{
    memset(mass, 0, (size_t)(total + 1) * sizeof *mass);
    for (int v = 0; v < c->counts; v++)
        add(mass, row(states, total, c->counts, v), 1, total + 1);
}

/* The other queues meet what the followed queue meets in an equally full pool. */
static void find_open(const pool_cycle *c)
{
    pool_work *w = c->work;
    double *sent = w->length, *tried = w->total, all_sent = w->rare, all_tried = w->rare;

    for (int n = 0; n <= w->capacity; n++) {
        sent[n] = tried[n] = 0;
        for (int level = 0; level < levels(c); level++) {
            queues_of(c, c->now->level[level], n, w->line[0]);
            for (int q = 1; q <= n; q++) {
                tried[n] += w->line[0][q];
                sent[n] += w->line[0][q] * taken(c, level, q);
            }
        }
        all_sent += sent[n], all_tried += tried[n];
    }
    for (int n = 0; n <= w->capacity; n++)
        w->open[n] = (sent[n] + w->rare * all_sent / all_tried) / (tried[n] + w->rare);
}

/* departs[d * (capacity + 1) + total - queue]: probability that d of the other queues send. */
static void rest_departs(const pool_cycle *c, int total)
{
    const pool_work *w = c->work;
    int k = w->ports;
    double power[SWQ_CHAIN_PORTS + 1][SWQ_CHAIN_PORTS + 1], open = fmin(w->open[total], 1);

    for (int m = 0; m < k; m++) /* of m that can, d send */
        for (int d = 0; d <= m; d++)
            power[m][d] = w->queues.choose[m * (k + 1) + d] * pow(open, d) * pow(1 - open, m - d);
    for (int d = 0; d < k; d++)
        for (int q = 0; q <= total; q++) {
            int rest = total - q;
            const double *nonempty = w->rest.nonempty + (size_t)rest * (size_t)k;
            double p = 0;
            for (int m = d; m < k && m <= rest; m++)
                p += nonempty[m] * power[m][d];
            w->departs[(size_t)d * (size_t)w->cells + row_at(total, 1) + (size_t)q] = p;
        }
}

static const double *departs(const pool_work *w, int others, int total)
{
    return w->departs + (size_t)others * (size_t)w->cells + row_at(total, 1);
}

/* Split the probability of the states in which the followed queue meets a crowd: the part in which
 * the queue sends, and the part in which it is held back. */
static void part(const pool_cycle *c, const double *is_short, int total, double *sent, double *held)
{
    for (int q = 1; q <= total; q++) {
        double chance = taken(c, POOL_SHORT, q);
        sent[q] = is_short[q] * chance;
        held[q] = is_short[q] * (1 - chance);
    }
}

static void multiply_add(double *to, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += a[i] * b[i];
}

/* Departures from the states with low <= total <= high. */
static void depart(const pool_cycle *c, int low, int high)
{
    pool_work *w = c->work;
    int n = c->counts;

    for (int total = low; total <= high; total++)
        for (int v = 0; v < n; v++) {
            const double *is_free = row(w->now[POOL_FREE], total, n, v);
            if (c->place->ahead)
                part(c, row(w->now[POOL_SHORT], total, n, v), total, w->line[0], w->line[1]);
            for (int d = 0; d < w->ports && d <= total; d++) {
                const double *law = departs(w, d, total);
                int left = total - d;
                row(w->turn[POOL_EMPTY], left, n, v)[0] += is_free[0] * law[0];
                if (left > 0)
                    multiply_add(row(w->turn[POOL_SENT_FREE], left - 1, n, v), is_free + 1, law + 1,
                                 left);
                if (!c->place->ahead || left == 0)
                    continue;
                multiply_add(row(w->turn[POOL_SENT_SHORT], left - 1, n, v), w->line[0] + 1, law + 1,
                             left);
                multiply_add(row(w->turn[POOL_HELD], left, n, v) + 1, w->line[1] + 1, law + 1,
                             left);
            }
        }
}

static void find_crowded(pool_cycle *c)
{
    for (int turn = 0; turn < POOL_TURNS && c->place->ahead; turn++)
        for (int before = turn == POOL_HELD; before <= (turn == POOL_EMPTY ? 0 : 2); before++)
            for (int length = 1; length <= 2; length++)
                c->crowded[turn][before][length] =
                    c->place->ahead
                        ->short_next[level_of(turn)][fate_of(c, turn, before)][class_of(c, length)];
}

/* Arrivals at queues of fewer than two packets, whose class may change: one by one. */
static void arrive_short(pool_cycle *c, int turn, int total, int n, int v, int q)
{
    pool_work *w = c->work;
    double mass = row(w->turn[turn], total, c->counts, v)[q];

    if (mass == 0)
        return;
    c->moved[turn][q][n] += mass;
    for (int j = 0; j <= n; j++) {
        double p = w->binomial[n * (w->ports + 1) + j] * mass,
               part = c->crowded[turn][q][min(q + j, 2)];
        row(w->after[POOL_FREE], total + n, c->counts, v)[q + j] += p * (1 - part);
        if (part > 0)
            row(w->after[POOL_SHORT], total + n, c->counts, v)[q + j] += p * part;
    }
}

/* Arrivals at all longer queues; the room that such queues meet depends only on their turn. */
static void arrive_long(pool_cycle *c, int total, int n, int v)
{
    pool_work *w = c->work;
    int length = total - 1;
    double *is_free = w->line[0], *is_short = w->line[1];

    if (length < 1)
        return;
    memset(is_free, 0, (size_t)length * sizeof *is_free);
    memset(is_short, 0, (size_t)length * sizeof *is_short);
    for (int turn = 0; turn < POOL_EMPTY; turn++) {
        if (!c->place->ahead && level_of(turn) == POOL_SHORT)
            continue;
        const double *from = row(w->turn[turn], total, c->counts, v) + 2;
        double part = c->crowded[turn][2][2];
        c->moved[turn][2][n] += sum_of(from, length);
        add(is_free, from, 1 - part, length);
        if (part > 0)
            add(is_short, from, part, length);
    }
    for (int j = 0; j <= n; j++) {
        double p = w->binomial[n * (w->ports + 1) + j];
        add(row(w->after[POOL_FREE], total + n, c->counts, v) + 2 + j, is_free, p, length);
        if (c->place->ahead)
            add(row(w->after[POOL_SHORT], total + n, c->counts, v) + 2 + j, is_short, p, length);
    }
}

/* For blocking, `room` before the departures decides how many packets are accepted; for discarding,
 * the room after the departures does. */
static void arrive(pool_cycle *c, int room, int low, int high)
{
    const pool_senders *s = c->place->senders;

    for (int total = low; total <= high; total++)
        for (int v = 0; v < c->counts; v++) {
            int offering = s->one[v] + s->more[v],
                n = min(min(offering, room), c->work->capacity - total);
            for (int turn = 0; offering > n && turn < POOL_TURNS; turn++)
                c->flow->refused +=
                    (offering - n) *
                    sum_of(row(c->work->turn[turn], total, c->counts, v), total + 1);
            for (int turn = 0; turn < POOL_TURNS; turn++)
                for (int q = turn == POOL_HELD; q <= (turn == POOL_EMPTY ? 0 : min(1, total)); q++)
                    if (c->place->ahead || level_of(turn) == POOL_FREE)
                        arrive_short(c, turn, total, n, v, q);
            arrive_long(c, total, n, v);
        }
}

/* to[w][q] += sum over v of kernel[v][w] from[v][q], four v at a time. */
static void multiply(const double *kernel, const double *from, double *to, int n, int length)
{
    for (int to_v = 0; to_v < n; to_v++, to += length) {
        const double *p = from, *chance = kernel + to_v;
        int v = 0;
        for (; v + 4 <= n; v += 4, p += 4 * length, chance += 4 * n) {
            double a = chance[0], b = chance[n], d = chance[2 * n], e = chance[3 * n];
            for (int q = 0; q < length; q++)
                to[q] +=
                    a * p[q] + b * p[length + q] + d * p[2 * length + q] + e * p[3 * length + q];
        }
        for (; v < n; v++, p += length, chance += n)
            add(to, p, chance[0], length);
    }
}

/* The senders' next packets. */
static void renew(pool_cycle *c, int room, int low, int high)
{
    pool_work *w = c->work;
    const pool_senders *s = c->place->senders;
    int n = c->counts, side = w->ports + 1;

    pool_senders_kernel(s, room, w->kernel);
    memset(w->free, 0, (size_t)(n * side) * sizeof *w->free);
    for (int level = 0; level < levels(c); level++)
        for (int total = low; total <= high; total++) {
            int slots = min(w->capacity - total, w->ports);
            for (int v = 0; v < n; v++)
                w->free[v * side + slots] += sum_of(row(w->after[level], total, n, v), total + 1);
            multiply(w->kernel, row(w->after[level], total, n, 0),
                     row(c->next->level[level], total, n, 0), n, total + 1);
        }
    if (!w->discard)
        pool_senders_look(s, c->place->before, room, w->free, &c->tally);
}

static void clear_band(const pool_cycle *c, double *array, int low, int high)
{
    size_t first = row_at(low, c->counts);

    memset(array + first, 0, (row_at(high + 1, c->counts) - first) * sizeof *array);
}

/* All steps of the cycle for the states with low <= total <= high, which have room for `room`
 * packets. */
static void take_turns(pool_cycle *c, int room, int low, int high)
{
    pool_work *w = c->work;
    int least = max(0, low - w->ports), most = min(w->capacity, high + room);

    for (int i = 0; i < POOL_TURNS; i++)
        clear_band(c, w->turn[i], least, high);
    for (int i = 0; i < POOL_LEVELS; i++)
        clear_band(c, w->after[i], least, most);
    depart(c, low, high);
    arrive(c, room, least, high);
    renew(c, room, least, most);
}

/* ---- the chain of lumps ---- */

/* group[sent][offering][q] of the states with `total` packets. */
static void find_groups(const pool_cycle *c, int total)
{
    pool_work *w = c->work;
    const pool_senders *s = c->place->senders;
    int side = w->ports + 1, n = c->counts;
    size_t length = (size_t)total + 1;

    memset(w->group, 0, 2 * (size_t)side * length * sizeof *w->group);
    for (int v = 0; v < n; v++) {
        double *stays = w->group + (size_t)(s->one[v] + s->more[v]) * length,
               *sends = stays + (size_t)side * length;
        const double *is_free = row(c->now->level[POOL_FREE], total, n, v);
        stays[0] += is_free[0];
        add(sends + 1, is_free + 1, 1, total);
        if (!c->place->ahead)
            continue;
        part(c, row(c->now->level[POOL_SHORT], total, n, v), total, w->line[0], w->line[1]);
        add(sends + 1, w->line[0] + 1, 1, total);
        add(stays + 1, w->line[1] + 1, 1, total);
    }
}

/* Flow out of a cell: first by arrivals and departures of the followed queue, then also by
 * departures of the other queues. */
static void find_flows(const pool_cycle *c, int total, int q)
{
    pool_work *w = c->work;
    int k = w->ports, rest = total - q, from = pool_coarse_lump(&w->coarse, q, rest),
        room = min(k, w->capacity - total);
    double arrived[SWQ_CHAIN_PORTS + 2][SWQ_CHAIN_PORTS + 1] = {{0}};

    for (int sent = 0; sent <= min(q, 1); sent++)
        for (int u = 0; u <= k; u++) {
            double mass = w->group[(size_t)((sent * (k + 1) + u) * (total + 1) + q)];
            int n = min(u, room);
            for (int j = 0; mass > 0 && j <= n; j++)
                arrived[j - sent + 1][n - j] += mass * w->binomial[n * (k + 1) + j];
        }
    for (int own = q > 0 ? -1 : 0; own <= room; own++)
        for (int change = -min(k - 1, rest); change <= min(room, room - own); change++) {
            double mass = 0;
            for (int d = max(0, -change); d < k && d <= rest && d + change <= room; d++)
                mass += arrived[own + 1][d + change] * departs(w, d, total)[q];
            if (mass > 0)
                pool_coarse_add(&w->coarse, from,
                                pool_coarse_lump(&w->coarse, q + own, rest + change), mass);
        }
}

/* The flow out of a cell of a discarding pool in which the room for arrivals depends on the
 * departures. */
static void find_full_flows(const pool_cycle *c, int total, int q)
{
    pool_work *w = c->work;
    int k = w->ports, from = pool_coarse_lump(&w->coarse, q, total - q);

    for (int sent = 0; sent <= min(q, 1); sent++)
        for (int u = 0; u <= k; u++) {
            double mass = w->group[(size_t)((sent * (k + 1) + u) * (total + 1) + q)];
            for (int d = 0; mass > 0 && d < k && d <= total - q; d++) {
                double p = mass * departs(w, d, total)[q];
                int n = min(u, w->capacity - total + sent + d);
                for (int j = 0; j <= n; j++)
                    pool_coarse_add(
                        &w->coarse, from,
                        pool_coarse_lump(&w->coarse, q - sent + j, total - q - d + n - j),
                        p * w->binomial[n * (k + 1) + j]);
            }
        }
}

/* Begin a cycle: restore a distribution, which mixing may not have preserved, and balance the
 * lumps. */
static void balance(const pool_cycle *c)
{
    pool_work *w = c->work;
    double sum = 0;

    pool_coarse_start(&w->coarse);
    for (int total = 0; total <= w->capacity; total++) {
        rest_departs(c, total);
        find_groups(c, total);
        bool full = w->discard && total > w->capacity - w->ports;
        for (int q = 0; q <= total; q++)
            (full ? find_full_flows : find_flows)(c, total, q);
    }
    pool_coarse_solve(&w->coarse);
    for (int total = 0; total <= w->capacity; total++) {
        for (int q = 0; q <= total; q++)
            w->line[0][q] = w->coarse.factor[pool_coarse_lump(&w->coarse, q, total - q)];
        for (int level = 0; level < levels(c); level++)
            for (int v = 0; v < c->counts; v++) {
                double *to = row(w->now[level], total, c->counts, v);
                memset(to, 0, (size_t)(total + 1) * sizeof *to);
                multiply_add(to, row(c->now->level[level], total, c->counts, v), w->line[0],
                             total + 1);
                sum += sum_of(to, total + 1);
            }
    }
    for (int level = 0; level < levels(c); level++)
        for (size_t i = 0; i < row_at(w->capacity + 1, c->counts); i++)
            w->now[level][i] /= sum;
}

/* ---- what is measured ---- */

static void measure_state(pool_cycle *c)
{
    pool_work *w = c->work;
    const int *one = c->place->senders->one, *more = c->place->senders->more;

    for (int level = 0; level < levels(c); level++)
        for (int total = 0; total <= w->capacity; total++) {
            double *mass = w->line[0];
            queues_of(c, w->now[level], total, mass);
            c->flow->packets += total * sum_of(mass, total + 1);
            for (int q = 1; q <= total; q++) {
                c->flow->sent += mass[q] * taken(c, level, q);
                c->flow->held += mass[q] * (1 - taken(c, level, q));
            }
            for (int v = 0; v < c->counts; v++)
                c->flow->offered +=
                    (one[v] + more[v]) * sum_of(row(w->now[level], total, c->counts, v), total + 1);
        }
}

/* Measure how queues of this stage change class. */
static void measure_classes(pool_cycle *c)
{
    const pool_work *w = c->work;
    double times[POOL_LEVELS][POOL_FATES] = {{0}};
    pool_measured *m = c->next->measured;

    for (int turn = 0; turn < POOL_TURNS; turn++)
        for (int q = turn == POOL_HELD; q <= 2; q++)
            for (int n = 0; n <= w->ports; n++) {
                double mass = c->moved[turn][q][n];
                c->flow->accepted += n * mass;
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
                *p = level == of ? (*p + w->rare * (to == as_is)) / (times[of][fate] + w->rare)
                                 : m->class_after[of][fate][to];
            }
        }
}

/* Turn the sums of the step into the chances of acceptance that the senders of the stage before
 * meet, by their class. */
static void measure_links(const pool_cycle *c)
{
    pool_measured *m = c->next->measured;
    const pool_tally *t = &c->tally;
    double rare = c->work->rare;

    for (int class = 0; class < POOL_CLASSES; class ++)
        m->taken[class] = (t->taken[class] + rare / 2) / (t->offered[class] + rare);
    for (int level = 0; level < POOL_LEVELS; level++)
        for (int fate = 0; fate < POOL_FATES; fate++)
            for (int to = 0; to < POOL_CLASSES; to++)
                m->short_next[level][fate][to] =
                    t->shorts[level][fate][to] / (t->times[level][fate][to] + rare);
}

/* Scale to a distribution, since mixing may have changed the sum. */
static void normalise(const pool_cycle *c)
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

static void measure_weights(const pool_cycle *c)
{
    pool_work *w = c->work;
    size_t size = ((size_t)w->capacity + 1) * sizeof(double);

    memset(w->total, 0, size);
    memset(w->length, 0, size);
    for (int level = 0; level < levels(c); level++)
        for (int total = 0; total <= w->capacity; total++) {
            queues_of(c, c->next->level[level], total, w->line[0]);
            w->total[total] += sum_of(w->line[0], total + 1);
            add(w->length, w->line[0], 1, total + 1);
        }
    pool_rest_fit(&w->rest, w->total, w->length, w->rare, c->next->weight);
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
    pool_cycle c = {.work = w, .place = place, .now = now, .next = next, .flow = flow};

    c.counts = place->senders->counts;
    *flow = (pool_flow){0};
    *next->measured = (pool_measured){0};
    for (int level = 0; level < POOL_LEVELS; level++)
        memset(next->level[level], 0, (size_t)w->cells * (size_t)c.counts * sizeof(double));
    pool_senders_learn(place->senders, place->before);
    pool_rest_find(&w->rest, now->weight);
    find_open(&c);
    find_crowded(&c);
    balance(&c);
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
