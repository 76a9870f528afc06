/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_trees.h"

#include <stdlib.h>
#include <string.h>

const char *const ref_tree_kinds[REF_TREE_KINDS] = {"detected",
                                                    "told",
                                                    "freed",
                                                    "xoff",
                                                    "xon",
                                                    "line taken",
                                                    "line freed",
                                                    "no SAQ",
                                                    "no SAQ for a notice",
                                                    "no line",
                                                    "unanswered",
                                                    "stopped",
                                                    "released",
                                                    "notice",
                                                    "stop",
                                                    "go",
                                                    "token",
                                                    "refused",
                                                    "more specific",
                                                    "add",
                                                    "blocked",
                                                    "unblocked"};

/* ---- ways ---- */

ref_way ref_way_of(const ref_wiring *w, int from, int to)
{
    ref_way way = {0};
    unsigned port = w->entry[from];

    for (;;) {
        const int output = w->output_of(w->self, port, w->class_of(w->self, port, from, to));
        const unsigned next = w->link[(int)port / w->ports * w->ports + output];

        if (way.turns == REF_TURNS)
            abort();
        way.turn[way.turns++] = output;
        if (next & REF_NODE)
            return way;
        port = next;
    }
}

int ref_way_begins(const ref_way *way, int at, const ref_way *path)
{
    if (way->turns - at < path->turns)
        return 0;
    for (int i = 0; i < path->turns; i++)
        if (way->turn[at + i] != path->turn[i])
            return 0;
    return 1;
}

int ref_way_same(const ref_way *a, const ref_way *b)
{
    return a->turns == b->turns && ref_way_begins(a, 0, b);
}

int ref_way_proper(const ref_way *prefix, const ref_way *path)
{
    return prefix->turns < path->turns && ref_way_begins(path, 0, prefix);
}

ref_way ref_way_behind(int turn, const ref_way *path)
{
    ref_way longer = {.turns = path->turns + 1, .turn = {turn}};

    if (longer.turns > REF_TURNS)
        abort();
    for (int i = 0; i < path->turns; i++)
        longer.turn[i + 1] = path->turn[i];
    return longer;
}

/* ---- what happened ---- */

void *ref_grow(void *array, long count, size_t bytes)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (size_t)(count ? 2 * count : 1) * bytes);
    if (!array)
        abort();
    return array;
}

void ref_trees_tell(ref_trees_outcome *o, long cycle, ref_tree_kind kind, int place, int port,
                    const ref_way *path)
{
    o->event = ref_grow(o->event, o->events, sizeof *o->event);
    o->event[o->events++] = (ref_tree_event){cycle, kind, place, port, *path};
    o->count[kind]++;
}

void ref_trees_start(ref_trees_outcome *o, const ref_start *start)
{
    o->start = ref_grow(o->start, o->starts, sizeof *o->start);
    o->start[o->starts++] = *start;
}

void ref_trees_order(const ref_trees *n, ref_trees_outcome *o)
{
    const int nodes = n->wiring.nodes;
    long *latest = calloc((size_t)nodes * (size_t)nodes, sizeof *latest);

    if (!latest)
        abort();
    for (int m = 0; m < n->messages; m++) {
        long *of = &latest[n->message[m].from * nodes + n->message[m].to];

        if (o->delivered[m] == -2)
            continue;
        o->out_of_order += o->delivered[m] >= 0 && o->delivered[m] < *of;
        if (o->delivered[m] < 0 || o->delivered[m] > *of)
            *of = o->delivered[m] < 0 ? n->cycles + 1 : o->delivered[m];
    }
    free(latest);
}

void ref_trees_outcome_clear(ref_trees_outcome *o)
{
    free(o->start);
    free(o->event);
    free(o->delivered);
    memset(o, 0, sizeof *o);
}

/* ---- links ---- */

void ref_post_send(ref_post *p, const ref_parcel *parcel)
{
    p->parcel = ref_grow(p->parcel, p->parcels, sizeof *p->parcel);
    p->parcel[p->parcels++] = *parcel;
}

int ref_post_due(ref_post *p, long now, ref_parcel *parcel)
{
    for (long i = 0; i < p->parcels; i++)
        if (p->parcel[i].due <= now) {
            *parcel = p->parcel[i];
            p->parcels--;
            memmove(p->parcel + i, p->parcel + i + 1, (size_t)(p->parcels - i) * sizeof *p->parcel);
            return 1;
        }
    return 0;
}
