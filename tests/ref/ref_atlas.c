/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_atlas.h"

#include <stdlib.h>
#include <string.h>

/* Numbers in order. */
typedef struct {
    int *at, count, room;
} atlas_numbers;

/* A credit on its way back. */
typedef struct {
    long counts; /* from this cycle on */
    int group;
} atlas_credit;

/* What each priority has at a link, and what waits before it. */
typedef struct {
    int pool;             /* credits */
    int *group;           /* [nodes] credits */
    atlas_credit *credit; /* [credits] in the order in which they were given back */
    int credits, room;
    atlas_numbers queue;  /* cells that have a credit of their group; to a node: all */
    atlas_numbers *list;  /* [nodes] cells that wait for one */
    atlas_numbers lining; /* groups that wait for a lane */
} atlas_part;

typedef struct {
    unsigned end; /* the input port, REF_NODE and the node, or REF_NOWHERE */
    long idle;    /* from this cycle on */
    atlas_part part[ATLAS_PRIORITIES];
} atlas_link;

/* A cell. */
typedef struct {
    int in; /* the link by which it came; -1: it is at its node */
    int switch_, input;
    long ready; /* in that switch */
    int queued; /* it is at its output */
    long place; /* in the order in which cells joined lists */
} atlas_flying;

typedef struct {
    const ref_atlas *n;
    ref_atlas_outcome *o;
    long now, moved;
    atlas_link *link; /* [links] outputs of switches, then nodes */
    int outputs, links;
    int *inputs_in_turn, *outputs_in_turn; /* [outputs] the lists of all switches */
    atlas_flying *cell;                    /* [cells] */
    atlas_numbers *waiting;                /* [nodes] cells at a node that it does not keep yet */
    int *kept;                             /* [nodes] cells that it keeps */
    long *took;                            /* [nodes] the cycle in which it took the last one */
    int next_cell;
    long room_starts, joins;
} atlas_world;

static void *need(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);

    if (!p)
        abort();
    return p;
}

static void append(atlas_numbers *r, int value)
{
    if (r->count == r->room) {
        r->room = 2 * r->room + 8;
        r->at = realloc(r->at, (size_t)r->room * sizeof *r->at);
        if (!r->at)
            abort();
    }
    r->at[r->count++] = value;
}

static int take_first(atlas_numbers *r)
{
    const int first = r->at[0];

    r->count--;
    memmove(r->at, r->at + 1, (size_t)r->count * sizeof *r->at);
    return first;
}

static int contains(const atlas_numbers *r, int value)
{
    for (int i = 0; i < r->count; i++)
        if (r->at[i] == value)
            return 1;
    return 0;
}

static int to_node(const atlas_link *l)
{
    return (l->end & REF_NODE) != 0;
}

static int group_of(const atlas_world *w, int c)
{
    return w->n->cell[c].to;
}

static int priorities_of(const ref_atlas *n)
{
    return n->priorities ? n->priorities : 1;
}

static int priority_of(const ref_atlas *n, int c)
{
    return n->priority ? n->priority[n->cell[c].from] : 0;
}

/* The part of a link that belongs to a cell's priority. */
static atlas_part *part_for(const atlas_world *w, atlas_link *l, int c)
{
    return &l->part[priority_of(w->n, c)];
}

/* ---- credits ---- */

static int lanes_in_use(const atlas_world *w, const atlas_part *l)
{
    int used = 0;

    for (int d = 0; d < w->n->wiring.nodes; d++)
        used += l->group[d] < w->n->group;
    return used;
}

static int is_let_in(const atlas_world *w, const atlas_part *l, int d)
{
    return l->group[d] > 0 && (l->group[d] < w->n->group || lanes_in_use(w, l) < w->n->lanes);
}

/* Cells of a list join the queue while there are credits. */
static void let_in(atlas_part *l, int d, int most)
{
    while (most-- > 0 && l->list[d].count > 0 && l->group[d] > 0) {
        l->group[d]--;
        append(&l->queue, take_first(&l->list[d]));
    }
}

static void count_credit(atlas_world *w, atlas_part *l, int d)
{
    l->pool++;
    l->group[d]++;
    if (w->n->departure)
        return;
    if (l->list[d].count > 0)
        let_in(l, d, 1);
    else if (l->group[d] == w->n->group && l->lining.count > 0) {
        const int e = take_first(&l->lining);

        let_in(l, e, l->list[e].count);
    }
}

static void count_credits(atlas_world *w, atlas_part *l)
{
    int kept = 0;

    for (int i = 0; i < l->credits; i++) {
        if (l->credit[i].counts > w->now)
            l->credit[kept++] = l->credit[i];
        else
            count_credit(w, l, l->credit[i].group);
    }
    l->credits = kept;
}

static void give_back(atlas_world *w, atlas_part *l, int d)
{
    if (l->credits == l->room) {
        l->room = 2 * l->room + 8;
        l->credit = realloc(l->credit, (size_t)l->room * sizeof *l->credit);
        if (!l->credit)
            abort();
    }
    l->credit[l->credits++] = (atlas_credit){w->now + w->n->credit, d};
}

/* ---- cells ---- */

static void started(atlas_world *w, int c, int switch_, int input, int output)
{
    ref_atlas_outcome *o = w->o;
    const ref_message *m = &w->n->cell[c];

    if (o->starts == w->room_starts) {
        w->room_starts = 2 * w->room_starts + 1024;
        o->start = realloc(o->start, (size_t)w->room_starts * sizeof *o->start);
        if (!o->start)
            abort();
    }
    o->start[o->starts++] = (ref_start){.cycle = w->now,
                                        .birth = m->cycle,
                                        .switch_ = switch_,
                                        .input = input,
                                        .output = output,
                                        .from = m->from,
                                        .to = m->to,
                                        .bytes = m->bytes};
    w->moved = w->now;
}

/* A transmission begins; both credits of the link before are returned. */
static void begin(atlas_world *w, int number, int c)
{
    atlas_link *l = &w->link[number];
    atlas_flying *x = &w->cell[c];
    const int ports = w->n->wiring.ports;

    l->idle = w->now + w->n->bytes + w->n->rest;
    if (x->in >= 0) {
        started(w, c, x->switch_, x->input, number % ports);
        give_back(w, part_for(w, &w->link[x->in], c), group_of(w, c));
    } else if (w->n->node == 0) {
        started(w, c, REF_SENDER, 0, 0);
    }
    w->moved = w->now;
    x->in = number;
    if (to_node(l)) {
        w->o->broken += (int)(l->end & ~REF_NODE) != w->n->cell[c].to;
        w->o->delivered[c] = w->now;
        w->o->done++;
        x->switch_ = -1;
        return;
    }
    w->o->broken += part_for(w, l, c)->pool-- <= 0;
    x->switch_ = (int)l->end / ports;
    x->input = (int)l->end % ports;
    x->ready = w->now + w->n->hop;
    x->queued = 0;
}

/* The cell joins the queue before a link to a switch, or a list. */
static void join(atlas_world *w, atlas_part *l, int c)
{
    const int d = group_of(w, c);

    if (w->n->departure) {
        w->cell[c].place = w->joins++;
        append(&l->list[d], c);
        return;
    }
    if (l->list[d].count == 0 && is_let_in(w, l, d)) {
        l->group[d]--;
        append(&l->queue, c);
        return;
    }
    append(&l->list[d], c);
    if (l->group[d] == w->n->group && !contains(&l->lining, d))
        append(&l->lining, d);
}

/* A cell comes to its output. */
static void come(atlas_world *w, int c)
{
    const ref_wiring *wiring = &w->n->wiring;
    const ref_message *m = &w->n->cell[c];
    atlas_flying *x = &w->cell[c];
    const unsigned port = (unsigned)(x->switch_ * wiring->ports + x->input);
    const int class_ = wiring->class_of(wiring->self, port, m->from, m->to);
    atlas_link *l =
        &w->link[x->switch_ * wiring->ports + wiring->output_of(wiring->self, port, class_)];

    x->queued = 1;
    if (to_node(l))
        append(&part_for(w, l, c)->queue, c);
    else
        join(w, part_for(w, l, c), c);
}

/* Those of a switch's list that were taken go to its end, the last of them first. */
static void move_back(int *list, int ports, const int *was_taken)
{
    int moved[64], kept = 0, gone = 0;

    for (int k = 0; k < ports; k++) {
        if (was_taken[list[k]])
            moved[gone++] = list[k];
        else
            list[kept++] = list[k];
    }
    while (gone > 0)
        list[kept++] = moved[--gone];
}

static void come_to_outputs(atlas_world *w)
{
    const ref_wiring *wiring = &w->n->wiring;

    for (int s = 0; s < wiring->switches; s++) {
        int *list = w->inputs_in_turn + s * wiring->ports, was_taken[64] = {0};

        for (int k = 0; k < wiring->ports; k++)
            for (int c = 0; c < w->n->cells; c++) {
                const atlas_flying *x = &w->cell[c];

                if (x->in >= 0 && x->switch_ == s && x->input == list[k] && !x->queued &&
                    x->ready <= w->now) {
                    come(w, c);
                    was_taken[list[k]] = 1;
                }
            }
        move_back(list, wiring->ports, was_taken);
    }
}

/* At departure: of the first cells of the lists whose groups are let in, the one that joined first
 * takes a credit. -1: there is none. */
static int take_from_lists(const atlas_world *w, atlas_part *part)
{
    int best = -1;

    for (int d = 0; d < w->n->wiring.nodes; d++)
        if (part->list[d].count > 0 && is_let_in(w, part, d) &&
            (best < 0 ||
             w->cell[part->list[d].at[0]].place < w->cell[part->list[best].at[0]].place))
            best = d;
    if (best < 0)
        return -1;
    part->group[best]--;
    return take_first(&part->list[best]);
}

/* The first cell of the first priority that can send over a link, or -1. */
static int take_next(const atlas_world *w, atlas_link *l)
{
    for (int p = 0; p < priorities_of(w->n) && w->now >= l->idle; p++) {
        atlas_part *part = &l->part[p];

        if (w->n->departure && !to_node(l)) {
            const int c = part->pool > 0 ? take_from_lists(w, part) : -1;
            if (c >= 0)
                return c;
            continue;
        }
        if (part->queue.count > 0 && (to_node(l) || part->pool > 0))
            return take_first(&part->queue);
    }
    return -1;
}

static void send_from_outputs(atlas_world *w)
{
    const ref_wiring *wiring = &w->n->wiring;

    for (int s = 0; s < wiring->switches; s++) {
        int *list = w->outputs_in_turn + s * wiring->ports, was_taken[64] = {0};

        for (int k = 0; k < wiring->ports; k++) {
            const int number = s * wiring->ports + list[k];
            const int c = take_next(w, &w->link[number]);

            was_taken[list[k]] = c >= 0;
            if (c >= 0)
                begin(w, number, c);
        }
        move_back(list, wiring->ports, was_taken);
    }
}

/* A node that keeps cells takes one and sends one. */
static void keep(atlas_world *w, int node)
{
    atlas_link *l = &w->link[w->outputs + node];
    atlas_numbers *r = &w->waiting[node];

    if (r->count > 0 && w->kept[node] < w->n->node &&
        (w->took[node] < 0 || w->now >= w->took[node] + w->n->bytes + w->n->rest)) {
        started(w, r->at[0], REF_SENDER, 0, 0);
        join(w, part_for(w, l, r->at[0]), r->at[0]);
        (void)take_first(r);
        w->kept[node]++;
        w->took[node] = w->now;
    }
    const int c = take_next(w, l);
    if (c >= 0) {
        w->kept[node]--;
        begin(w, w->outputs + node, c);
    }
}

static void send_from_nodes(atlas_world *w)
{
    const ref_atlas *n = w->n;

    for (; w->next_cell < n->cells && n->cell[w->next_cell].cycle <= w->now; w->next_cell++)
        append(&w->waiting[n->cell[w->next_cell].from], w->next_cell);
    for (int node = 0; node < n->wiring.nodes; node++) {
        atlas_link *l = &w->link[w->outputs + node];
        atlas_numbers *r = &w->waiting[node];

        if (n->node > 0)
            keep(w, node);
        if (n->node > 0 || r->count == 0 || w->now < l->idle)
            continue;
        atlas_part *part = part_for(w, l, r->at[0]);
        if (part->pool <= 0 || !is_let_in(w, part, group_of(w, r->at[0])))
            continue;
        const int c = take_first(r);
        part->group[group_of(w, c)]--;
        begin(w, w->outputs + node, c);
    }
}

/* ---- a run ---- */

/* Every credit of a priority is at the sending end of link i, with a cell, or on its way back. */
static void check_part(atlas_world *w, int i, int p)
{
    const ref_atlas *n = w->n;
    const atlas_part *l = &w->link[i].part[p];
    int away = 0;

    for (int d = 0; d < n->wiring.nodes; d++) {
        int known = l->group[d];

        for (int k = 0; k < l->credits; k++)
            known += l->credit[k].group == d;
        for (int c = 0; c < n->cells; c++)
            known += w->cell[c].in == i && w->o->delivered[c] < 0 && n->cell[c].to == d &&
                     priority_of(n, c) == p;
        for (int k = 0; k < l->queue.count; k++)
            known += n->cell[l->queue.at[k]].to == d;
        w->o->broken += known != n->group || l->group[d] < 0;
    }
    for (int c = 0; c < n->cells; c++)
        away += w->cell[c].in == i && w->o->delivered[c] < 0 && priority_of(n, c) == p;
    w->o->broken += l->pool + l->credits + away != n->pool || l->pool < 0;
    w->o->broken += lanes_in_use(w, l) > n->lanes;
}

static void check(atlas_world *w)
{
    for (int i = 0; i < w->links; i++)
        for (int p = 0; p < priorities_of(w->n); p++)
            if (!to_node(&w->link[i]) && w->link[i].end != REF_NOWHERE)
                check_part(w, i, p);
}

static int in_order(const void *a, const void *b)
{
    const ref_start *x = a, *y = b;
    const long key[][2] = {
        {x->cycle, y->cycle}, {x->switch_, y->switch_}, {x->output, y->output}, {x->from, y->from}};

    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (key[i][0] != key[i][1])
            return key[i][0] < key[i][1] ? -1 : 1;
    return 0;
}

static void make(atlas_world *w)
{
    const ref_atlas *n = w->n;

    w->outputs = n->wiring.switches * n->wiring.ports;
    w->links = w->outputs + n->wiring.nodes;
    w->inputs_in_turn = need((size_t)w->outputs, sizeof(int));
    w->outputs_in_turn = need((size_t)w->outputs, sizeof(int));
    for (int k = 0; k < w->outputs; k++)
        w->inputs_in_turn[k] = w->outputs_in_turn[k] = k % n->wiring.ports;
    w->link = need((size_t)w->links, sizeof *w->link);
    w->waiting = need((size_t)n->wiring.nodes, sizeof *w->waiting);
    w->kept = need((size_t)n->wiring.nodes, sizeof *w->kept);
    w->took = need((size_t)n->wiring.nodes, sizeof *w->took);
    for (int i = 0; i < n->wiring.nodes; i++)
        w->took[i] = -1;
    w->cell = need((size_t)n->cells, sizeof *w->cell);
    w->o->delivered = need((size_t)n->cells, sizeof *w->o->delivered);
    for (int c = 0; c < n->cells; c++) {
        w->cell[c].in = -1;
        w->o->delivered[c] = -1;
    }
    for (int i = 0; i < w->links; i++) {
        atlas_link *l = &w->link[i];

        l->end = i < w->outputs ? n->wiring.link[i] : n->wiring.entry[i - w->outputs];
        for (int p = 0; p < priorities_of(n); p++) {
            l->part[p].pool = n->pool;
            l->part[p].group = need((size_t)n->wiring.nodes, sizeof(int));
            l->part[p].list = need((size_t)n->wiring.nodes, sizeof(atlas_numbers));
            for (int d = 0; d < n->wiring.nodes; d++)
                l->part[p].group[d] = n->group;
        }
    }
}

static void free_part(const ref_atlas *n, atlas_part *l)
{
    for (int d = 0; d < n->wiring.nodes; d++)
        free(l->list[d].at);
    free(l->list);
    free(l->group);
    free(l->credit);
    free(l->queue.at);
    free(l->lining.at);
}

static void unmake(atlas_world *w)
{
    for (int i = 0; i < w->links; i++)
        for (int p = 0; p < priorities_of(w->n); p++)
            free_part(w->n, &w->link[i].part[p]);
    for (int node = 0; node < w->n->wiring.nodes; node++)
        free(w->waiting[node].at);
    free(w->inputs_in_turn);
    free(w->outputs_in_turn);
    free(w->link);
    free(w->waiting);
    free(w->kept);
    free(w->took);
    free(w->cell);
}

void ref_atlas_run(const ref_atlas *n, ref_atlas_outcome *o)
{
    atlas_world w = {.n = n, .o = o};
    const long still = n->bytes + n->rest + n->hop + n->credit; /* longer than any delay */

    *o = (ref_atlas_outcome){0};
    make(&w);
    for (; w.now < n->cycles && o->done < n->cells; w.now++) {
        if (w.next_cell == n->cells && w.now > w.moved + still)
            break;
        for (int i = 0; i < w.links; i++)
            for (int p = 0; p < priorities_of(n); p++)
                count_credits(&w, &w.link[i].part[p]);
        come_to_outputs(&w);
        send_from_outputs(&w);
        send_from_nodes(&w);
        if (w.now % 16 == 0)
            check(&w);
    }
    o->cycles = w.now;
    if (o->starts)
        qsort(o->start, (size_t)o->starts, sizeof *o->start, in_order);
    unmake(&w);
}

void ref_atlas_clear(ref_atlas_outcome *o)
{
    free(o->start);
    free(o->delivered);
}
