/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A visit to a buffer. Before it, m of all outputs are closed or taken. The buffer's own queues say
 * something about which outputs these are: an output is taken with odds that depend on the length
 * of the buffer's queue for it (long queues have many rivals). So the set of taken outputs is
 * distributed as a set of independent events with these odds, given that m of them happen;
 * elementary symmetric polynomials of the odds say how likely the longest queues are in it. m goes
 * from place to place with the buffers' own distribution.
 */
#include "approx/links/shared/stage.h"

#include <math.h>
#include <string.h>

/* Chances below this are left out. */
#define NEGLIGIBLE 1e-14

typedef struct polynomial {
    double of[SHARED_PORTS + 1];
} polynomial;

/* A visit to one buffer: its content, and its place in the order of visits. */
typedef struct visit {
    const shared_shape *shape;
    shared_rates *rates;
    const shared_content *content;
    int index, place, marks;
    const double *chance; /* [marks]: probability of this content at this place, by mark */
    double total;
    double odds[1 + SHARED_PORTS]; /* by class */
    /* polynomials of the queues from each class on, longest first */
    polynomial suffix[1 + SHARED_PORTS];
    const double *taken_before;     /* [ports + 1] distribution of m */
    double share[SHARED_PORTS + 1]; /* the same, over the coefficients of suffix[0] */
    double *taken_after;
    double moves; /* P(the first place passes to the next input, so that all buffers move up a
                     place) */
    double *chosen, *free; /* [slots + 1], of the place */
} visit;

/* *product = *p (1 + odds x), p of that degree. */
static void multiply(const polynomial *p, int degree, double odds, polynomial *product)
{
    product->of[degree + 1] = odds * p->of[degree];
    for (int m = degree; m > 0; m--)
        product->of[m] = p->of[m] + odds * p->of[m - 1];
    product->of[0] = p->of[0];
}

/* *quotient = *p / (1 + odds x), from the end where errors shrink; *p has degree ports. */
static void divide(const polynomial *p, int ports, double odds, polynomial *quotient)
{
    if (odds > 1) {
        double inverse = 1 / odds;
        quotient->of[ports - 1] = p->of[ports] * inverse;
        for (int m = ports - 1; m > 0; m--)
            quotient->of[m - 1] = (p->of[m] - quotient->of[m]) * inverse;
        return;
    }
    quotient->of[0] = p->of[0];
    for (int m = 1; m < ports; m++)
        quotient->of[m] = p->of[m] - odds * quotient->of[m - 1];
}

static int class_of(const shared_content *c, int length)
{
    int i = 0;

    while (c->class[i].length != length)
        i++;
    return i;
}

/* The buffer goes to `after`, having sent from the classes in `sent`. */
static void leave(const visit *v, int after, const int *sent, double chance, bool stuck)
{
    const shared_shape *shape = v->shape;
    shared_rates *r = v->rates;
    const shared_content *to = &shape->contents.content[after];
    int ports = shape->ports, slots = shape->slots, marks = v->marks, top = shape->levels - 1;
    int room = slots - v->content->packets, level = room < top ? room : top;
    double *rows =
        r->after + (size_t)(level * shape->contents.count + after) * (size_t)ports * (size_t)marks;
    double moves = v->place > 0 ? v->moves : stuck ? 0 : 1;

    double *moved = rows + ((v->place + ports - 1) % ports) * marks,
           *stayed = rows + v->place * marks;

    for (int u = 0; u < marks; u++) {
        moved[u] += chance * moves * v->chance[u];
        stayed[u] += chance * (1 - moves) * v->chance[u];
    }
    for (int s = 0; s < v->content->classes; s++) {
        if (sent[s] == 0)
            continue;
        int length = v->content->class[s].length - 1;
        int at = class_of(to, length);
        bool room_for_one = to->class[at].joined >= 0 && (shape->discard || level > 0);
        double *own_room = r->own_room + (size_t)(length * shape->levels + level) * SHARED_MARKS;
        r->own[length] += chance * sent[s] * v->total;
        for (int u = 0; room_for_one && u < marks; u++)
            own_room[u] += chance * sent[s] * v->chance[u];
    }
    for (int s = 0; s < v->content->classes; s++)
        r->throughput += chance * v->total * sent[s];
    r->busy += v->content->packets > 0 ? chance * v->total : 0;
    r->stuck += stuck ? chance * v->total : 0;
}

/* The probability that m outputs are taken, and that among the non-empty queues exactly the queues
 * of `sent` (by class) have free outputs, for buffers that read all queues; rest: the polynomial of
 * the empty queues. */
static double exactly(const visit *v, const int *sent, const polynomial *rest, int m)
{
    double chance = v->share[m];
    int among = m;

    for (int c = 0; c < v->content->classes && v->content->class[c].length > 0; c++) {
        int queues = v->content->class[c].queues, blocked = queues - sent[c];
        among -= blocked;
        chance *= pow(v->odds[c], blocked);
        for (int i = 0; i < blocked; i++)
            chance *= (double)(queues - i) / (i + 1);
    }
    return among < 0 ? 0 : chance * rest->of[among];
}

/* Each queue whose output is free sends. */
static void send_from_each(const visit *v)
{
    const shared_content *c = v->content;
    int ports = v->shape->ports,
        busy = c->class[c->classes - 1].length > 0 ? c->classes : c->classes - 1;
    int sent[1 + SHARED_PORTS] = {0};
    polynomial rest = {{0}};
    int empty = busy < c->classes ? c->class[busy].queues : 0;

    memcpy(rest.of, v->suffix[ports - empty].of, sizeof rest.of[0] * (size_t)(empty + 1));
    for (bool more = true; more;) {
        double chance = 0;
        int after = v->index, number = 0;
        for (int s = busy - 1; s >= 0; s--) {
            for (int i = 0; i < sent[s]; i++)
                after = shared_contents_sent(&v->shape->contents, after, c->class[s].length);
            number += sent[s];
        }
        for (int m = 0; m + number <= ports; m++) {
            double p = v->taken_before[m] > 0 ? exactly(v, sent, &rest, m) : 0;
            chance += p;
            v->taken_after[m + number] += p * v->total;
        }
        if (chance > NEGLIGIBLE)
            leave(v, after, sent, chance, number == 0 && c->packets > 0);
        for (int s = 0; s < busy; s++)
            v->chosen[c->class[s].length] += sent[s] * chance * v->total;
        more = false;
        for (int s = 0; s < busy && !more; s++) {
            more = sent[s] < c->class[s].queues;
            sent[s] = more ? sent[s] + 1 : 0;
        }
    }
}

/* The longest queue whose output is free sends: the outputs of all longer queues must be taken. */
static void send_from_longest(const visit *v)
{
    const shared_content *c = v->content;
    int ports = v->shape->ports, before = 0;
    int none[1 + SHARED_PORTS] = {0};
    double product = 1, idle[SHARED_PORTS + 1], left = 1;

    for (int m = 0; m <= ports; m++)
        idle[m] = v->taken_before[m];
    for (int s = 0; s < c->classes && c->class[s].length > 0; s++) {
        double chance = 0;
        int sent[1 + SHARED_PORTS] = {0};
        for (int i = 0; i < c->class[s].queues; i++, before++) {
            for (int m = before; m < ports; m++) { /* the rest has ports - before - 1 queues */
                if (!(v->taken_before[m] > 0))
                    continue;
                double p = v->share[m] * product * v->suffix[before + 1].of[m - before];
                chance += p;
                idle[m] -= p;
                v->taken_after[m + 1] += p * v->total;
            }
            product *= v->odds[s];
        }
        sent[s] = 1;
        left -= chance;
        v->chosen[c->class[s].length] += chance * v->total;
        if (chance > NEGLIGIBLE)
            leave(v, c->class[s].sent, sent, chance, false);
    }
    for (int m = 0; m <= ports; m++)
        v->taken_after[m] += fmax(idle[m], 0) * v->total;
    if (left > NEGLIGIBLE)
        leave(v, v->index, none, left, c->packets > 0);
}

static void visit_content(visit *v)
{
    const shared_content *c = v->content;
    const shared_shape *shape = v->shape;
    int ports = shape->ports;

    v->suffix[ports].of[0] = 1;
    for (int s = c->classes - 1, i = ports; s >= 0; s--) {
        double taken = v->rates->taken[v->place * (shape->slots + 1) + c->class[s].length];
        v->odds[s] = taken / (1 - taken);
        for (int n = 0; n < c->class[s].queues; n++, i--)
            multiply(&v->suffix[i], ports - i, v->odds[s], &v->suffix[i - 1]);
    }
    for (int m = 0; m <= ports; m++)
        v->share[m] = v->taken_before[m] / v->suffix[0].of[m];
    for (int s = 0; s < c->classes && c->class[s].length > 0; s++) {
        double spare = 0;
        polynomial others;
        divide(&v->suffix[0], ports, v->odds[s], &others);
        for (int m = 0; m < ports; m++)
            spare += v->share[m] * others.of[m];
        v->free[c->class[s].length] += spare * c->class[s].queues * v->total;
    }
    for (int s = 0; s < c->classes; s++)
        v->rates->length[c->class[s].length] += v->total * c->class[s].queues / ports;
    if (shape->each)
        send_from_each(v);
    else
        send_from_longest(v);
}

/* Closed outputs are independent of one another: another switch is behind each. */
static void closed_outputs(const shared_shape *shape, const shared_part *now, double *taken)
{
    double closed = 0;

    memset(taken, 0, sizeof *taken * (SHARED_PORTS + 1));
    for (int i = 0; shape->levels > 1 && i < (shape->slots + 1) * (shape->rest + 1); i++)
        closed += now->column[i * shape->levels];
    taken[0] = 1;
    for (int i = 0; i < shape->ports; i++) {
        for (int m = shape->ports; m >= 0; m--)
            taken[m] = taken[m] * (1 - closed) + (m > 0 ? taken[m - 1] * closed : 0);
    }
}

static void normalise_room(shared_rates *r, int levels)
{
    for (int t = 0; t < 2; t++) {
        for (int u = 0; u < r->marks; u++) {
            for (int c = 0; c < levels; c++) {
                double *row = r->room[t][u][c], sum = 0;
                for (int d = 0; d < levels; d++)
                    sum += row[d];
                for (int d = 0; d < levels; d++)
                    row[d] = sum > NEGLIGIBLE ? row[d] / sum : d == (t && c > 0 ? c - 1 : c);
            }
        }
    }
}

bool shared_follows(const shared_shape *shape, int level, int packets)
{
    int top = shape->levels - 1, most = shape->slots - level;

    return packets <= most && (level == top || packets >= most - (shape->each ? shape->ports : 1));
}

/* Measure all queues after transmission, and the room in the buffer. */
static void measure_after(const shared_shape *shape, shared_rates *r)
{
    int marks = r->marks, ports = shape->ports, top = shape->levels - 1;
    const double *rows = r->after;

    for (int level = 0; level < shape->levels; level++) {
        for (int i = 0; i < shape->contents.count; i++, rows += ports * marks) {
            const shared_content *c = &shape->contents.content[i];
            int then = shape->slots - c->packets, less = then > 0 ? then - 1 : 0;
            double chance[SHARED_MARKS] = {0}, total = 0;
            if (!shared_follows(shape, level, c->packets))
                continue;
            for (int place = 0; place < ports; place++) {
                for (int u = 0; u < marks; u++)
                    chance[u] += rows[place * marks + u];
            }
            for (int u = 0; u < marks; u++) {
                total += chance[u];
                r->room[0][u][level][then < top ? then : top] += chance[u];
                r->room[1][u][level][less < top ? less : top] += chance[u];
            }
            if (total == 0)
                continue;
            r->packets += total * c->packets;
            for (int s = 0; s < c->classes; s++) {
                double *room = r->all_room +
                               (size_t)(c->class[s].length * shape->levels + level) * SHARED_MARKS;
                bool joined = c->class[s].joined >= 0 && (shape->discard || level > 0);
                r->all[c->class[s].length] += total * c->class[s].queues;
                for (int u = 0; joined && u < marks; u++)
                    room[u] += chance[u] * c->class[s].queues;
            }
        }
    }
}

static void clear_measures(const shared_shape *shape, shared_rates *r)
{
    size_t lengths = (size_t)shape->slots + 1;
    size_t marked = lengths * (size_t)shape->levels * SHARED_MARKS;

    memset(r->after, 0,
           sizeof *r->after * (size_t)(shape->levels * shape->contents.count * shape->ports) *
               (size_t)r->marks);
    memset(r->length, 0, sizeof *r->length * lengths);
    memset(r->own, 0, sizeof *r->own * lengths);
    memset(r->all, 0, sizeof *r->all * lengths);
    memset(r->own_room, 0, sizeof *r->own_room * marked);
    memset(r->all_room, 0, sizeof *r->all_room * marked);
    memset(r->room, 0, sizeof r->room);
    r->throughput = r->packets = r->busy = r->stuck = 0;
}

void shared_visits(const shared_shape *shape, const shared_part *now, shared_rates *r,
                   const shared_part *next)
{
    double taken[2][SHARED_PORTS + 1], moves = 1;
    int lengths = shape->slots + 1;

    clear_measures(shape, r);
    memset(next->free, 0, sizeof *next->free * (size_t)(lengths * shape->ports));
    memset(next->chosen, 0, sizeof *next->chosen * (size_t)(lengths * shape->ports));
    closed_outputs(shape, now, taken[0]);
    for (int place = 0; place < shape->ports; place++) {
        double *before = taken[place % 2], *after = taken[(place + 1) % 2], sum = 0,
               stuck = r->stuck;
        visit v = {.shape = shape,
                   .rates = r,
                   .place = place,
                   .marks = r->marks,
                   .taken_before = before,
                   .taken_after = after,
                   .moves = moves,
                   .chosen = next->chosen + place * lengths,
                   .free = next->free + place * lengths};
        memset(after, 0, sizeof taken[0]);
        for (int i = 0; i < shape->contents.count; i++) {
            const double *chance =
                now->buffer + (size_t)(i * shape->ports + place) * (size_t)r->marks;
            v.content = &shape->contents.content[i];
            v.index = i;
            v.chance = chance;
            v.total = 0;
            for (int u = 0; u < r->marks; u++)
                v.total += chance[u];
            sum += v.total;
            if (v.total > NEGLIGIBLE)
                visit_content(&v);
        }
        for (int m = 0; m <= shape->ports; m++)
            after[m] /= sum > 0 ? sum : 1;
        if (place == 0)
            moves = sum > 0 ? 1 - (r->stuck - stuck) / sum : 1;
    }
    measure_after(shape, r);
    normalise_room(r, shape->levels);
}
