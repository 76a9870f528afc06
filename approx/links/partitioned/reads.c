/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The effect of a single read port on a head's probability of being sent.
 */
#include "approx/links/partitioned/reads.h"
#include "approx/links/partitioned/weights.h"

#include "approx/links/link.h"

#include <math.h>
#include <string.h>

static size_t places(const column_chain *row)
{
    return (size_t)row->ports * (size_t)row->shape.classes;
}

size_t reads_numbers(const column_chain *row)
{
    return column_states(row) * (size_t)row->shape.classes + 3 * places(row);
}

void reads_place(reads *r, const column_chain *row, double *numbers)
{
    *r = (reads){.row = row, .send = numbers};
    r->gives = r->send + column_states(row) * (size_t)row->shape.classes;
    r->free = r->gives + places(row);
    r->open = r->free + places(row);
}

static int class_of(const column_chain *row, const chain_shape *s, int n, int head)
{
    if (n == 0)
        return 0;
    bool blocked = s->ahead > 1 && head % s->ahead == 0;
    return 1 + row->shape.heads * (n - 1) + blocked;
}

/* P(none of `places` buffers takes the output | of `size` in random order, `open` have an open
 * head), each giving it with its place's chance. */
static double all_refuse(const double *give, int size, int open, int places)
{
    double w[HEADS_WIDTH] = {1}, sum = 0; /* by open heads visited */

    for (int t = 0; t < places; t++)
        for (int j = open < t + 1 ? open : t + 1; j >= 0; j--) {
            double here = j <= t ? w[j] * (1 - (double)(open - j) / (size - t)) : 0;
            if (j > 0)
                here += w[j - 1] * (open - j + 1) / (size - t) * (1 - give[t]);
            w[j] = here;
        }
    for (int j = 0; j <= open; j++)
        sum += w[j];
    return sum;
}

/* The numbers of open heads, and of heads of one class, in a state. */
static int open_heads(const heads_chain *h, const int *count)
{
    int open = 0;

    for (int c = h->levels; c < h->classes; c++)
        if (h->levels == 1 || c % h->levels > 0)
            open += c / h->levels * count[c];
    return open;
}

void reads_serve(reads *r, const double *row, const double *taken, const chain_shape *s,
                 const double *queue, const heads_chain *heads, const double *heads_p,
                 heads_moves *moves, double *shares)
{
    int k = s->ports, classes = r->row->shape.classes;
    double held[LATTICE_CLASSES] = {0}, give[HEADS_WIDTH] = {0}, all = 0, free[HEADS_WIDTH] = {0};
    size_t width = chain_states(s) / (size_t)(s->before + 1);

    row_serve(r->row, row, taken, r->send, r->gives, r->free);
    for (size_t i = 0; i < chain_states(s); i++) {
        size_t in = i % width;
        int heads_n = s->ports * s->ahead, n = in ? (int)((in - 1) / (size_t)heads_n) + 1 : 0;
        held[class_of(r->row, s, n, in ? (int)((in - 1) % (size_t)heads_n) : 0)] += queue[i];
    }
    for (int a = 1; a < classes; a++) {
        if (!queue_open(&r->row->shape, a))
            continue;
        all += held[a];
        for (int q = 0; q < k; q++)
            give[q] += held[a] * r->gives[q * classes + a];
    }
    for (int q = 0; q < k; q++)
        give[q] = all > 1e-300 ? give[q] / all : 1;
    for (int o = 0; o <= k; o++) {
        moves->sends[o] = 1 - all_refuse(give, k, o, k);
        for (int q = 0; o < k && q < k; q++)
            r->before[q][o] = all_refuse(give, k - 1, o, q);
    }
    for (int i = 0; i < heads->states; i++) {
        int o = open_heads(heads, heads->count + (ptrdiff_t)i * heads->classes);
        for (int q = 0; o > 0 && q < k; q++)
            free[q] += heads_p[i] * o * r->before[q][o - 1];
    }
    memset(shares, 0, (size_t)(s->room + 1) * sizeof *shares);
    for (int a = 1; a < classes; a++)
        for (int q = 0; queue_open(&r->row->shape, a) && q < k; q++)
            shares[queue_length(&r->row->shape, a)] += free[q] * r->gives[q * classes + a];
    for (int n = 1; n <= s->room; n++)
        shares[n] = all > 1e-12 ? shares[n] : 1;
    moves->mean_share = 0;
    for (int a = 1; a < classes; a++)
        if (queue_open(&r->row->shape, a))
            moves->mean_share += held[a] * shares[queue_length(&r->row->shape, a)];
    moves->mean_share = all > 1e-12 ? moves->mean_share / all : 1;
}

/* P(the output is free at each place), by class of the queue, from the heads that its own head
 * meets. */
static void read_open(reads *r, const chain_shape *s, const double *queue, const heads_chain *heads,
                      const double *heads_p)
{
    int k = s->ports, classes = r->row->shape.classes, heads_n = k * s->ahead;
    double seen[HEADS_MOST_CLASSES] = {0}, free[HEADS_MOST_CLASSES][HEADS_WIDTH] = {{0}};
    double held[LATTICE_CLASSES] = {0};
    size_t width = chain_states(s) / (size_t)(s->before + 1);

    for (int i = 0; i < heads->states; i++) {
        const int *count = heads->count + (ptrdiff_t)i * heads->classes;
        int open = open_heads(heads, count), empty = k;
        for (int c = heads->levels; c < heads->classes; c++)
            empty -= c / heads->levels * count[c];
        for (int c = 0; c < heads->classes; c++) {
            int u = c / heads->levels;
            bool mine = u > 0 && (heads->levels == 1 || c % heads->levels > 0);
            double w = heads_p[i] * (u ? u * count[c] : c ? 0 : empty);
            seen[c] += w;
            for (int q = 0; w > 0 && q < k; q++)
                free[c][q] += w * r->before[q][open - mine];
        }
    }
    memset(r->open, 0, places(r->row) * sizeof *r->open);
    for (size_t i = 0; i < chain_states(s); i++) {
        size_t in = i % width;
        int n = in ? (int)((in - 1) / (size_t)heads_n) + 1 : 0,
            head = in ? (int)((in - 1) % (size_t)heads_n) : 0;
        int a = class_of(r->row, s, n, head), c = n ? head + s->ahead : 0;
        if (seen[c] <= 1e-300)
            continue;
        held[a] += queue[i];
        for (int q = 0; q < k; q++)
            r->open[q * classes + a] += queue[i] * free[c][q] / seen[c];
    }
    for (int a = 0; a < classes; a++)
        for (int q = 0; q < k; q++) {
            double *o = &r->open[q * classes + a];
            *o = held[a] > 1e-14 ? *o / held[a] : 1;
        }
}

void reads_step(reads *r, const double *row, const double *taken, const chain_shape *s,
                const double *queue, const heads_chain *heads, const double *heads_p,
                const queue_rates *rates, double *next_row, double *next_taken, double *scratch)
{
    row_step(r->row, row, r->send, rates, next_row, scratch);
    link_normalise(next_row, column_states(r->row));
    read_open(r, s, queue, heads, heads_p);
    weights_step(r->row->ports, r->row->shape.classes, r->open, r->free, taken, next_taken);
}
