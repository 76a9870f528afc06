/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_netchain.h"
#include "networks.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 4, ROOM = 4, STEPS = 8, MOST_OUTCOMES = 4096 };

/* A buffer's packets in the order of their arrival: their destinations + 1. A pool's are in the
 * buffer of its switch's first line. */
typedef struct {
    uint8_t packet[ROOM];
} list;

typedef struct {
    list buffer[2][NODES];
    uint8_t gone[2][NODES][2]; /* slots freed but not yet credited, by queue */
    uint8_t held[NODES];       /* destination + 1 */
    uint8_t first[2][2];       /* pointers of rotating arbiters */
} ref_four;

typedef struct {
    ref_four n;
    double chance;
    double delivered, lost[2], refused, busy[2], stuck[2];
} fall;

typedef struct {
    ref_four *state;
    long *slot;
    long count, room, slots;
} set;

/* A step's transitions and rewards, by state. */
typedef struct {
    long *start, *to;
    double *chance;
    long rows, entries, rows_room, entries_room;
    double (*what)[8];
} step;

typedef struct {
    const ref_netchain *c;
    bool pool, one_queue, each, split;
    set states[STEPS];
    step steps[STEPS];
    fall out[MOST_OUTCOMES];
    int outs;
    bool failed;
} ref_solving;

/* ---- the network ---- */

static int shuffle(int line)
{
    return ref_shuffled(line, 2, NODES);
}

/* The output that a packet takes: the highest digit of its destination first. */
static int digit(int stage, int packet)
{
    return ref_digit(packet - 1, 2, 1 - stage);
}

static int length(const list *b)
{
    int n = 0;

    while (n < ROOM && b->packet[n])
        n++;
    return n;
}

static int queue_length(const list *b, int stage, int q)
{
    int n = 0;

    for (int k = 0; k < length(b); k++)
        n += digit(stage, b->packet[k]) == q;
    return n;
}

static list *buffer_at(const ref_solving *s, ref_four *n, int stage, int line)
{
    return &n->buffer[stage][s->pool ? line / 2 * 2 : line];
}

/* Does the buffer at a line, as seen by its sender, have room for a packet? */
static bool has_room(const ref_solving *s, ref_four *n, int stage, int line, int packet)
{
    const list *b = buffer_at(s, n, stage, line);
    const uint8_t *gone = n->gone[stage][s->pool ? line / 2 * 2 : line];
    const int q = digit(stage, packet);

    if (s->split)
        return queue_length(b, stage, q) + gone[q] < s->c->slots / 2;
    return length(b) + gone[0] + gone[1] < (s->pool ? 2 : 1) * s->c->slots;
}

static void append(list *b, int packet)
{
    b->packet[length(b)] = (uint8_t)packet;
}

/* The first packet of a queue leaves (q < 0: of the buffer); 0: there is none. */
static int look(const list *b, int stage, int q)
{
    for (int k = 0; k < length(b); k++) {
        if (q < 0 || digit(stage, b->packet[k]) == q)
            return b->packet[k];
    }
    return 0;
}

static void take(const ref_solving *s, ref_four *n, int stage, int line, int q)
{
    list *b = buffer_at(s, n, stage, line);
    int k = 0;

    while (q >= 0 && digit(stage, b->packet[k]) != q)
        k++;
    const int of = digit(stage, b->packet[k]);
    memmove(b->packet + k, b->packet + k + 1, (size_t)(ROOM - k - 1));
    b->packet[ROOM - 1] = 0;
    if (s->c->credit_next)
        n->gone[stage][s->pool ? line / 2 * 2 : line][of]++;
}

/* ---- outcomes ---- */

static void emit(ref_solving *s, const fall *o)
{
    if (s->outs == MOST_OUTCOMES) {
        s->failed = true;
        return;
    }
    s->out[s->outs++] = *o;
}

static double chance_of_node(const ref_solving *s, int node)
{
    return (1 - s->c->hot_fraction) / NODES + (node == s->c->hot ? s->c->hot_fraction : 0);
}

/* The sources of a switch: both inputs together, since a pool may have room for only one. */
static void offer(ref_solving *s, fall o, int line, const int *packet, bool first_turn_is_1)
{
    for (int turn = 0; turn < 2; turn++) {
        const int i = first_turn_is_1 ? 1 - turn : turn, at = 2 * line + i;
        const int source = shuffle(at); /* its own inverse */
        if (!packet[i])
            continue;
        const bool room = has_room(s, &o.n, 0, at, packet[i]);
        if (room)
            append(buffer_at(s, &o.n, 0, at), packet[i]);
        o.refused += !room;
        o.lost[0] += !room && !s->c->block;
        o.n.held[source] = (uint8_t)(!room && s->c->block ? packet[i] : 0);
    }
    memset(o.n.gone[0][2 * line], 0, 4);
    emit(s, &o);
}

static void create(ref_solving *s, const fall *from, int sw)
{
    for (int a = 0; a <= NODES; a++) {
        for (int b = 0; b <= NODES; b++) {
            const int made[2] = {a, b};
            int packet[2];
            fall o = *from;
            for (int i = 0; i < 2; i++) {
                const int source = shuffle(2 * sw + i);
                const int held = o.n.held[source];
                const double load = s->c->load[source];
                packet[i] = held ? held : made[i];
                if (held)
                    o.chance *= made[i] == 0;
                else
                    o.chance *= made[i] ? load * chance_of_node(s, made[i] - 1) : 1 - load;
            }
            if (o.chance == 0)
                continue;
            if (!s->pool) {
                offer(s, o, sw, packet, false);
                continue;
            }
            o.chance /= 2;
            offer(s, o, sw, packet, false);
            offer(s, o, sw, packet, true);
        }
    }
}

/* Moves the packet of a queue on. */
static void send(ref_solving *s, fall *o, int stage, int line, int q)
{
    const int packet = look(buffer_at(s, &o->n, stage, line), stage, q);
    const int out = line / 2 * 2 + digit(stage, packet), to = shuffle(out);

    take(s, &o->n, stage, line, q);
    if (stage == 1)
        o->delivered++;
    else if (has_room(s, &o->n, 1, to, packet))
        append(buffer_at(s, &o->n, 1, to), packet);
    else
        o->lost[1]++;
}

/* May the head of a queue be sent? */
static bool may_send(ref_solving *s, fall *o, int stage, int line, int q)
{
    const int packet = look(buffer_at(s, &o->n, stage, line), stage, q);

    return packet && (!s->c->block || stage == 1 ||
                      has_room(s, &o->n, 1, shuffle(line / 2 * 2 + digit(stage, packet)), packet));
}

/* asks[i][j]: the length of the queue with which input i asks for output j. */
static void ask(ref_solving *s, fall *o, int stage, int sw, int asks[2][2])
{
    for (int i = 0; i < 2; i++) {
        const list *b = buffer_at(s, &o->n, stage, 2 * sw + i);
        asks[i][0] = asks[i][1] = 0;
        if (s->one_queue && length(b) && may_send(s, o, stage, 2 * sw + i, -1))
            asks[i][digit(stage, b->packet[0])] = length(b);
        for (int j = 0; j < 2 && !s->one_queue; j++)
            asks[i][j] = may_send(s, o, stage, 2 * sw + i, j) ? queue_length(b, stage, j) : 0;
    }
}

/* All grants are made: send[j] is the input that sends to output j, or -1. */
static void carry_out(ref_solving *s, fall o, int stage, int sw, const int *sends)
{
    int waiting[2];
    bool sent[2] = {false, false};

    for (int i = 0; i < 2; i++)
        waiting[i] = length(buffer_at(s, &o.n, stage, 2 * sw + i));
    for (int j = 0; j < 2; j++) {
        if (sends[j] < 0)
            continue;
        sent[sends[j]] = true;
        send(s, &o, stage, 2 * sw + sends[j], s->one_queue ? -1 : j);
    }
    for (int i = 0; i < 2; i++) {
        o.busy[stage] += waiting[i] > 0;
        o.stuck[stage] += waiting[i] > 0 && !sent[i];
    }
    if (strcmp(s->c->arbiter, "rotating") == 0) {
        uint8_t *first = &o.n.first[stage][sw];
        if (waiting[*first] == 0 || sent[*first])
            *first = (uint8_t)(1 - *first);
    }
    emit(s, &o);
}

/* The outputs that input i might choose, with their probabilities; returns their number. */
static int choices(const ref_solving *s, int asks[2][2], int i, const int *sends, int *list_of,
                   int from)
{
    int count = 0, best = 0;
    const bool any = strcmp(s->c->arbiter, "random") == 0;

    for (int k = 0; k < 2; k++) {
        const int j = (from + k) % 2;
        if (sends[j] >= 0 || asks[i][j] == 0)
            continue;
        if (!any && asks[i][j] > best)
            count = 0;
        if (any || asks[i][j] >= best)
            list_of[count++] = j;
        best = asks[i][j] > best ? asks[i][j] : best;
    }
    /* in order, not at random */
    return strcmp(s->c->arbiter, "rotating") == 0 && count ? 1 : count;
}

/* For buffers whose queues are all read: outputs still free take from any input that has a packet
 * for them; random and longest. */
static void fill(ref_solving *s, fall o, int stage, int sw, int asks[2][2], const int *sends, int j)
{
    int now[2] = {sends[0], sends[1]}, who[2], count = 0, best = 0;

    if (j == 2) {
        carry_out(s, o, stage, sw, now);
        return;
    }
    for (int i = 0; i < 2 && now[j] < 0; i++) {
        if (asks[i][j] == 0)
            continue;
        if (strcmp(s->c->arbiter, "longest") == 0 && asks[i][j] > best)
            count = 0;
        if (strcmp(s->c->arbiter, "random") == 0 || asks[i][j] >= best)
            who[count++] = i;
        best = asks[i][j] > best ? asks[i][j] : best;
    }
    if (count == 0) {
        fill(s, o, stage, sw, asks, now, j + 1);
        return;
    }
    o.chance /= count;
    for (int k = 0; k < count; k++) {
        now[j] = who[k];
        fill(s, o, stage, sw, asks, now, j + 1);
    }
}

/* Input order[turn] chooses, and then the others. */
static void choose(ref_solving *s, fall o, int stage, int sw, int asks[2][2], const int *order,
                   int turn, const int *sends)
{
    int now[2] = {sends[0], sends[1]}, list_of[2];

    if (turn == 2) {
        if (s->each && strcmp(s->c->arbiter, "rotating") != 0)
            fill(s, o, stage, sw, asks, now, 0);
        else
            carry_out(s, o, stage, sw, now);
        return;
    }
    const int i = order[turn];
    const int count = choices(s, asks, i, now, list_of, order[0]);
    if (count == 0) {
        choose(s, o, stage, sw, asks, order, turn + 1, now);
        return;
    }
    o.chance /= count;
    for (int k = 0; k < count; k++) {
        now[0] = sends[0];
        now[1] = sends[1];
        now[list_of[k]] = i;
        if (s->each && strcmp(s->c->arbiter, "rotating") == 0 && now[1 - list_of[k]] < 0 &&
            asks[i][1 - list_of[k]])
            now[1 - list_of[k]] = i; /* it sends from its other queue, too */
        choose(s, o, stage, sw, asks, order, turn + 1, now);
    }
}

static void transmit(ref_solving *s, const fall *from, int stage, int sw)
{
    static const int orders[2][2] = {{0, 1}, {1, 0}}, none[2] = {-1, -1};
    fall o = *from;
    int asks[2][2];

    ask(s, &o, stage, sw, asks);
    if (strcmp(s->c->arbiter, "rotating") == 0) {
        choose(s, o, stage, sw, asks, orders[o.n.first[stage][sw]], 0, none);
        return;
    }
    o.chance /= 2;
    choose(s, o, stage, sw, asks, orders[0], 0, none);
    choose(s, o, stage, sw, asks, orders[1], 0, none);
}

/* ---- pools ---- */

/* The packets that the first-stage pools have for pool `to` of the second, in either order. */
static void meet(ref_solving *s, const fall *from, int to)
{
    for (int order = 0; order < 2; order++) {
        fall o = *from;
        int packet[2];
        o.chance /= 2;
        /* output `to` of pool p leads to line 2 to + p: shuffle(2 p + to) */
        for (int p = 0; p < 2; p++)
            packet[p] = look(&o.n.buffer[0][2 * p], 0, to);
        for (int turn = 0; turn < 2; turn++) {
            const int p = order ? 1 - turn : turn;
            if (!packet[p])
                continue;
            const bool room = has_room(s, &o.n, 1, 2 * to + p, packet[p]);
            o.busy[0]++;
            o.stuck[0] += !room && s->c->block;
            if (!room && s->c->block)
                continue;
            take(s, &o.n, 0, 2 * p, to);
            if (room)
                append(&o.n.buffer[1][2 * to], packet[p]);
            else
                o.lost[1]++;
        }
        emit(s, &o);
    }
}

static void drain(ref_solving *s, const fall *from, int sw)
{
    fall o = *from;

    for (int j = 0; j < 2; j++) {
        if (!look(&o.n.buffer[1][2 * sw], 1, j))
            continue;
        take(s, &o.n, 1, 2 * sw, j);
        o.delivered++;
        o.busy[1]++;
    }
    emit(s, &o);
}

/* ---- a step of all states ---- */

/* The sources of two switches, two last switches, two first ones, and the measurements at the
 * end. */
static void run_step(ref_solving *s, int k, const ref_four *n)
{
    fall o = {.n = *n, .chance = 1};

    s->outs = 0;
    if (k < 2)
        create(s, &o, k);
    else if (k < 4 && s->pool)
        drain(s, &o, k - 2);
    else if (k < 4)
        transmit(s, &o, 1, k - 2);
    else if (k < 6 && s->pool)
        meet(s, &o, k - 4);
    else if (k < 6)
        transmit(s, &o, 0, k - 4);
    else {
        memset(o.n.gone[1], 0, sizeof o.n.gone[1]);
        emit(s, &o);
    }
}

enum { USED = 7 };

static uint64_t hash(const ref_four *n)
{
    uint64_t h = 1469598103934665603u, word;
    const unsigned char *at = (const unsigned char *)n;

    for (size_t k = 0; k < sizeof *n; k += sizeof word) {
        word = 0;
        memcpy(&word, at + k, sizeof *n - k < sizeof word ? sizeof *n - k : sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 31;
    }
    return h;
}

static long number(ref_solving *s, set *x, const ref_four *n)
{
    if (2 * (x->count + 1) > x->slots) {
        free(x->slot);
        x->slots = x->slots ? 4 * x->slots : 1024;
        x->slot = calloc((size_t)x->slots, sizeof *x->slot);
        for (long k = 0; k < x->count && x->slot; k++) {
            long at = (long)(hash(&x->state[k]) & (uint64_t)(x->slots - 1));
            while (x->slot[at])
                at = (at + 1) & (x->slots - 1);
            x->slot[at] = k + 1;
        }
    }
    if (x->count == x->room) {
        x->room = x->room ? 2 * x->room : 512;
        ref_four *grown = realloc(x->state, (size_t)x->room * sizeof *grown);
        s->failed = s->failed || !grown;
        x->state = grown ? grown : x->state;
    }
    if (s->failed || !x->slot || x->count > 4000000) {
        s->failed = true;
        return 0;
    }
    long at = (long)(hash(n) & (uint64_t)(x->slots - 1));
    while (x->slot[at] && memcmp(&x->state[x->slot[at] - 1], n, sizeof *n) != 0)
        at = (at + 1) & (x->slots - 1);
    if (!x->slot[at]) {
        x->state[x->count] = *n;
        x->slot[at] = ++x->count;
    }
    return x->slot[at] - 1;
}

static void room_in(ref_solving *s, step *t)
{
    if (t->rows + 2 > t->rows_room) {
        t->rows_room = 2 * t->rows_room + 512;
        long *start = realloc(t->start, (size_t)t->rows_room * sizeof *start);
        t->start = start ? start : t->start;
        double(*what)[8] = realloc(t->what, (size_t)t->rows_room * sizeof *what);
        t->what = what ? what : t->what;
        s->failed = s->failed || !start || !what;
    }
    if (t->entries + s->outs > t->entries_room) {
        t->entries_room = 2 * t->entries_room + MOST_OUTCOMES;
        long *to = realloc(t->to, (size_t)t->entries_room * sizeof *to);
        t->to = to ? to : t->to;
        double *chance = realloc(t->chance, (size_t)t->entries_room * sizeof *chance);
        t->chance = chance ? chance : t->chance;
        s->failed = s->failed || !to || !chance;
    }
}

static void add_row(ref_solving *s, int k)
{
    step *t = &s->steps[k];
    const ref_four from = s->states[k].state[t->rows];

    run_step(s, k, &from);
    room_in(s, t);
    if (s->failed)
        return;
    double *what = t->what[t->rows];
    memset(what, 0, sizeof *t->what);
    t->start[t->rows] = t->entries;
    for (int o = 0; o < s->outs; o++) {
        const fall *x = &s->out[o];
        t->to[t->entries] = number(s, &s->states[(k + 1) % USED], &x->n);
        t->chance[t->entries++] = x->chance;
        const double brought[8] = {x->delivered, x->lost[0], x->lost[1],  x->refused,
                                   x->busy[0],   x->busy[1], x->stuck[0], x->stuck[1]};
        for (int b = 0; b < 8; b++)
            what[b] += x->chance * brought[b];
    }
    t->start[++t->rows] = t->entries;
}

static void explore(ref_solving *s)
{
    const ref_four empty = {0};
    bool more = true;

    number(s, &s->states[0], &empty);
    while (more && !s->failed) {
        more = false;
        for (int k = 0; k < USED; k++) {
            while (s->steps[k].rows < s->states[k].count && !s->failed) {
                add_row(s, k);
                more = true;
            }
        }
    }
}

/* ---- the long run ---- */

/* One cycle of a distribution; its rewards are added up. */
static void cycle(const ref_solving *s, double *const *level, double *brought)
{
    for (int k = 0; k < USED; k++) {
        const step *t = &s->steps[k];
        double *next = level[k + 1];
        memset(next, 0, (size_t)s->states[(k + 1) % USED].count * sizeof *next);
        for (long r = 0; r < t->rows; r++) {
            for (int b = 0; b < 8; b++)
                brought[b] += level[k][r] * t->what[r][b];
            for (long e = t->start[r]; e < t->start[r + 1]; e++)
                next[t->to[e]] += level[k][r] * t->chance[e];
        }
    }
}

static void settle(const ref_solving *s, double *const *level, double *brought)
{
    const long states = s->states[0].count;
    double change = 1;

    level[0][0] = 1;
    for (int k = 0; k < 200000 && change > 3e-17; k++) {
        double sum = 0;
        memset(brought, 0, 8 * sizeof *brought);
        cycle(s, level, brought);
        change = 0;
        for (long n = 0; n < states; n++) {
            change = fmax(change, fabs(level[USED][n] - level[0][n]));
            level[0][n] += 0.9 * (level[USED][n] - level[0][n]);
            sum += level[0][n];
        }
        for (long n = 0; n < states; n++)
            level[0][n] /= sum;
    }
}

static void weigh(const ref_solving *s, const double *pi, const double *brought,
                  ref_netchain_result *r)
{
    *r = (ref_netchain_result){.throughput = brought[0] / NODES,
                               .lost = {brought[1], brought[2]},
                               .refused = brought[3],
                               .stuck = {brought[4] > 0 ? brought[6] / brought[4] : 0,
                                         brought[5] > 0 ? brought[7] / brought[5] : 0},
                               .states = s->states[0].count};
    for (long n = 0; n < s->states[0].count; n++) {
        for (int stage = 0; stage < 2; stage++) {
            for (int line = 0; line < NODES; line++)
                r->packets[stage] += pi[n] * length(&s->states[0].state[n].buffer[stage][line]) / 2;
        }
    }
}

int ref_netchain_solve(const ref_netchain *c, ref_netchain_result *result)
{
    ref_solving *s = calloc(1, sizeof *s);
    double *level[USED + 1] = {NULL}, brought[8];

    if (!s)
        return -1;
    s->c = c;
    s->pool = strcmp(c->buffer, "cbda") == 0;
    s->one_queue = strcmp(c->buffer, "fifo") == 0;
    s->split = strcmp(c->buffer, "samq") == 0 || strcmp(c->buffer, "safc") == 0;
    s->each = strcmp(c->buffer, "safc") == 0;
    s->failed = c->slots < 1 || c->slots > 2;
    if (!s->failed)
        explore(s);
    for (int k = 0; k <= USED && !s->failed; k++) {
        level[k] = calloc((size_t)s->states[k % USED].count, sizeof *level[k]);
        s->failed = !level[k];
    }
    if (!s->failed) {
        settle(s, level, brought);
        weigh(s, level[0], brought, result);
    }
    const bool failed = s->failed;
    for (int k = 0; k < USED; k++) {
        free(s->states[k].state);
        free(s->states[k].slot);
        free(s->steps[k].start);
        free(s->steps[k].to);
        free(s->steps[k].chance);
        free(s->steps[k].what);
    }
    for (int k = 0; k <= USED; k++)
        free(level[k]);
    free(s);
    return failed ? -1 : 0;
}
