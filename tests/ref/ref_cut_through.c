/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/ref/ref_cut_through.h"

#include <stdlib.h>

typedef unsigned long long number;

static number time_of(number bytes, number rate)
{
    return (8000000000000 * bytes + rate / 2) / rate;
}

/* Line number k of the way of a packet, of all lines: up from hosts, up from leaves, down to
 * leaves, down to hosts. */
static int line_of(const ref_cut_network *n, const ref_cut_packet *p, int k)
{
    const int hosts = n->leaves * n->hosts;

    if (k == 0)
        return p->from;
    if (k == p->lines - 1)
        return hosts + 2 * n->leaves + p->to;
    return k == 1 ? hosts + p->from / n->hosts : hosts + n->leaves + p->to / n->hosts;
}

static number rate_of(const ref_cut_network *n, int line)
{
    const int hosts = n->leaves * n->hosts;

    return line < hosts || line >= hosts + 2 * n->leaves ? n->rate : n->spine;
}

typedef struct {
    number at;
    int whole; /* its last bit is there */
    int packet, place;
} coming;

static int by_time(const void *a, const void *b)
{
    const coming *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return y->whole - x->whole;
}

/* When a packet comes for line number k of its way. */
static coming come(const ref_cut_network *n, const ref_cut_packet *p, int packet, int k)
{
    if (k == 0)
        return (coming){p->start, 1, packet, k};
    const number before = rate_of(n, line_of(n, p, k - 1)), rate = rate_of(n, line_of(n, p, k));
    if (n->header > 0 && p->bytes > n->header && rate <= before)
        return (coming){p->begin[k - 1] + time_of(n->header, before) + n->delay, 0, packet, k};
    return (coming){p->complete[k - 1], 1, packet, k};
}

static int serve(const ref_cut_network *n, ref_cut_packet *packet, int line, coming *c, int count)
{
    number idle = 0;
    int alike = 0;

    qsort(c, (size_t)count, sizeof *c, by_time);
    for (int i = 0; i < count; i++) {
        ref_cut_packet *p = &packet[c[i].packet];
        const number begin = c[i].at > idle ? c[i].at : idle;
        alike |= i > 0 && by_time(&c[i - 1], &c[i]) == 0;
        p->begin[c[i].place] = begin;
        idle = begin + time_of(p->bytes, rate_of(n, line));
        p->complete[c[i].place] = idle + n->delay;
        if (c[i].place > 0)
            p->cut += begin < p->complete[c[i].place - 1];
    }
    return alike;
}

int ref_cut_through(const ref_cut_network *n, ref_cut_packet *packet, int count)
{
    coming *c = malloc((size_t)count * sizeof *c);
    const int lines = 2 * n->leaves * n->hosts + 2 * n->leaves;
    int alike = c == NULL;

    for (int i = 0; i < count; i++) {
        packet[i].lines = packet[i].from / n->hosts == packet[i].to / n->hosts ? 2 : 4;
        packet[i].cut = 0;
    }
    for (int line = 0; line < lines && !alike; line++) {
        int comes = 0;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < packet[i].lines; k++) {
                if (line_of(n, &packet[i], k) == line)
                    c[comes++] = come(n, &packet[i], i, k);
            }
        }
        alike = serve(n, packet, line, c, comes);
    }
    free(c);
    return alike;
}
