/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ref_atlas.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 256 /* of a switch, at most */ };

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
    int *group;           /* [groups] credits */
    atlas_credit *credit; /* [credits] in the order in which they were given back */
    int credits, room;
    atlas_numbers queue;  /* cells that have a credit of their group; to a node: all */
    atlas_numbers *list;  /* [groups] cells that wait for one */
    atlas_numbers lining; /* groups that wait for a lane */
} atlas_part;

typedef struct {
    unsigned end; /* the input port, REF_NODE and the node, or REF_NOWHERE */
    long idle;    /* from this cycle on */
    atlas_part part[ATLAS_PRIORITIES];
} atlas_link;

/* A slot in the buffer of a switch. */
typedef struct {
    int link;    /* behind which it is */
    int message; /* of the cell that is in it */
    int copies;  /* of the cell that have not left yet; 0: the slot is empty */
    int lined;   /* the cell is in the multicast queue */
} atlas_slot;

/* The multicast queue of a switch and a priority. */
typedef struct {
    atlas_numbers cells; /* the first one among them */
    int copied;          /* it has been copied */
} atlas_multicast;

/* A cell, or a copy of one. */
typedef struct {
    int message;        /* its number among all messages */
    ref_node_set nodes; /* that it is for, if it is for several */
    atlas_slot *slot;
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
    atlas_flying *cell;                    /* [flying] those of all messages, then copies */
    int flying;
    atlas_slot *slot; /* [slots] */
    int slots;
    atlas_multicast *line;  /* [switches * priorities] */
    int *missing;           /* [cells] nodes that have not got their copy */
    atlas_numbers *waiting; /* [nodes] cells at a node that it does not keep yet */
    int *kept;              /* [nodes] cells that it keeps */
    long *took;             /* [nodes] the cycle in which it took the last one */
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

static int groups_of(const ref_atlas *n)
{
    return n->wiring.nodes + n->sets;
}

static int group_of(const atlas_world *w, int c)
{
    return w->n->cell[w->cell[c].message].to;
}

static int is_multicast(const atlas_world *w, int c)
{
    return group_of(w, c) >= w->n->wiring.nodes;
}

/* The node that a cell is for, or the first one of them. */
static int first_node(const atlas_world *w, int c)
{
    int node = 0;

    if (!is_multicast(w, c))
        return group_of(w, c);
    while (!(w->cell[c].nodes >> node & 1))
        node++;
    return node;
}

static int priorities_of(const ref_atlas *n)
{
    return n->priorities ? n->priorities : 1;
}

static int priority_of(const ref_atlas *n, int message)
{
    return n->priority ? n->priority[n->cell[message].from] : 0;
}

/* The part of a link that belongs to a cell's priority. */
static atlas_part *part_for(const atlas_world *w, atlas_link *l, int c)
{
    return &l->part[priority_of(w->n, w->cell[c].message)];
}

/* ---- credits ---- */

static int lanes_in_use(const atlas_world *w, const atlas_part *l)
{
    int used = 0;

    for (int d = 0; d < groups_of(w->n); d++)
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
    const ref_message *m = &w->n->cell[w->cell[c].message];

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
                                        .to = first_node(w, c),
                                        .bytes = m->bytes};
    w->moved = w->now;
}

/* ---- slots and multicast queues ---- */

static atlas_multicast *line_at(const atlas_world *w, int switch_, int message)
{
    return &w->line[switch_ * priorities_of(w->n) + priority_of(w->n, message)];
}

static atlas_slot *fill_slot(atlas_world *w, int link, int message)
{
    int k = 0;

    while (k < w->slots && w->slot[k].copies > 0)
        k++;
    if (k == w->slots)
        abort();
    w->slot[k] = (atlas_slot){.link = link, .message = message, .copies = 1};
    return &w->slot[k];
}

/* A cell or a copy leaves a switch. Behind the last one both credits of the link before are
 * returned, and the multicast queue gets another first cell. */
static void leave(atlas_world *w, atlas_flying *x)
{
    atlas_slot *slot = x->slot;
    const int message = slot->message;

    if (--slot->copies > 0)
        return;
    give_back(w, &w->link[slot->link].part[priority_of(w->n, message)], w->n->cell[message].to);
    if (slot->lined) {
        atlas_multicast *line = line_at(w, x->switch_, message);
        (void)take_first(&line->cells);
        line->copied = 0;
    }
}

/* A cell is at the node of its copy. */
static void arrive(atlas_world *w, int c, int node)
{
    const int message = w->cell[c].message;

    w->o->broken += first_node(w, c) != node;
    w->o->broken += is_multicast(w, c) && w->cell[c].nodes != ref_node_set_of(node);
    if (--w->missing[message] > 0)
        return;
    w->o->delivered[message] = w->now;
    w->o->done++;
}

/* A transmission begins. */
static void begin(atlas_world *w, int number, int c)
{
    atlas_link *l = &w->link[number];
    atlas_flying *x = &w->cell[c];
    const int ports = w->n->wiring.ports;

    l->idle = w->now + w->n->bytes + w->n->rest;
    if (x->in >= 0) {
        started(w, c, x->switch_, x->input, number % ports);
        leave(w, x);
    } else if (w->n->node == 0) {
        started(w, c, REF_SENDER, 0, 0);
    }
    w->moved = w->now;
    x->in = number;
    if (to_node(l)) {
        arrive(w, c, (int)(l->end & ~REF_NODE));
        x->switch_ = -1;
        return;
    }
    w->o->broken += part_for(w, l, c)->pool-- <= 0;
    x->slot = fill_slot(w, number, x->message);
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

/* The output by which a cell reaches a node. */
static int output_to(const atlas_world *w, int c, int node)
{
    const ref_wiring *wiring = &w->n->wiring;
    const atlas_flying *x = &w->cell[c];
    const unsigned port = (unsigned)(x->switch_ * wiring->ports + x->input);
    const int from = w->n->cell[x->message].from;

    return wiring->output_of(wiring->self, port, wiring->class_of(wiring->self, port, from, node));
}

static void come_to(atlas_world *w, int c, int output)
{
    atlas_link *l = &w->link[w->cell[c].switch_ * w->n->wiring.ports + output];

    if (to_node(l))
        append(&part_for(w, l, c)->queue, c);
    else
        join(w, part_for(w, l, c), c);
}

/* Of the nodes of a cell, those behind an output. */
static ref_node_set behind(const atlas_world *w, int c, int output)
{
    ref_node_set nodes = 0;

    for (int d = 0; d < w->n->wiring.nodes; d++)
        if (w->cell[c].nodes >> d & 1 && output_to(w, c, d) == output)
            nodes |= ref_node_set_of(d);
    return nodes;
}

static int outputs_needed(const atlas_world *w, int c)
{
    int needed = 0;

    for (int k = 0; k < w->n->wiring.ports; k++)
        needed += behind(w, c, k) != 0;
    return needed;
}

/* The first output gets the cell itself, and each other one a copy. */
static void copy(atlas_world *w, int c)
{
    const atlas_flying whole = w->cell[c];
    ref_node_set nodes[PORTS];
    int first = 1;

    whole.slot->copies = outputs_needed(w, c);
    for (int k = 0; k < w->n->wiring.ports; k++)
        nodes[k] = behind(w, c, k);
    for (int k = 0; k < w->n->wiring.ports; k++) {
        const int number = first ? c : w->flying;

        if (nodes[k] == 0)
            continue;
        w->flying += !first;
        first = 0;
        w->cell[number] = whole;
        w->cell[number].nodes = nodes[k];
        come_to(w, number, k);
    }
}

/* A cell that is ready comes to its output, is copied to several, or joins a multicast queue. */
static void come(atlas_world *w, int c)
{
    atlas_flying *x = &w->cell[c];

    x->queued = 1;
    if (!is_multicast(w, c) || outputs_needed(w, c) == 1) {
        come_to(w, c, output_to(w, c, first_node(w, c)));
    } else if (w->n->copy_at_once) {
        copy(w, c);
    } else {
        atlas_multicast *line = line_at(w, x->switch_, x->message);
        x->slot->lined = 1;
        append(&line->cells, c);
        if (line->cells.count == 1) {
            line->copied = 1;
            copy(w, c);
        }
    }
}

static void copy_first_cells(atlas_world *w)
{
    for (int k = 0; k < w->n->wiring.switches * priorities_of(w->n); k++) {
        atlas_multicast *line = &w->line[k];
        if (line->cells.count > 0 && !line->copied) {
            line->copied = 1;
            copy(w, line->cells.at[0]);
        }
    }
}

/* Those of a switch's list that were taken go to its end, the last of them first. */
static void move_back(int *list, int ports, const int *was_taken)
{
    int moved[PORTS], kept = 0, gone = 0;

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

    copy_first_cells(w);
    for (int s = 0; s < wiring->switches; s++) {
        int *list = w->inputs_in_turn + s * wiring->ports, was_taken[PORTS] = {0};

        for (int k = 0; k < wiring->ports; k++)
            for (int c = 0, flying = w->flying; c < flying; c++) {
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

    for (int d = 0; d < groups_of(w->n); d++)
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
        int *list = w->outputs_in_turn + s * wiring->ports, was_taken[PORTS] = {0};

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

/* Is a cell of that priority, which came by link i, in a slot? */
static int holds(const atlas_world *w, int slot, int i, int p)
{
    const atlas_slot *s = &w->slot[slot];

    return s->copies > 0 && s->link == i && priority_of(w->n, s->message) == p;
}

/* Every credit of a priority is at the sending end of link i, with a cell, or on its way back. */
static void check_part(atlas_world *w, int i, int p)
{
    const ref_atlas *n = w->n;
    const atlas_part *l = &w->link[i].part[p];
    int away = 0;

    for (int d = 0; d < groups_of(n); d++) {
        int known = l->group[d];

        for (int k = 0; k < l->credits; k++)
            known += l->credit[k].group == d;
        for (int k = 0; k < w->slots; k++)
            known += holds(w, k, i, p) && n->cell[w->slot[k].message].to == d;
        for (int k = 0; k < l->queue.count; k++)
            known += group_of(w, l->queue.at[k]) == d;
        w->o->broken += known != n->group || l->group[d] < 0;
    }
    for (int k = 0; k < w->slots; k++)
        away += holds(w, k, i, p);
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

static void make_cells(atlas_world *w)
{
    const ref_atlas *n = w->n;
    const size_t most = (size_t)n->cells * (n->sets ? (size_t)n->wiring.nodes : 1);

    w->cell = need(most, sizeof *w->cell);
    w->missing = need((size_t)n->cells, sizeof *w->missing);
    w->o->delivered = need((size_t)n->cells, sizeof *w->o->delivered);
    w->flying = n->cells;
    for (int c = 0; c < n->cells; c++) {
        atlas_flying *x = &w->cell[c];
        x->message = c;
        x->in = -1;
        w->o->delivered[c] = -1;
        w->missing[c] = 1;
        if (is_multicast(w, c)) {
            x->nodes = n->set[n->cell[c].to - n->wiring.nodes];
            w->missing[c] = ref_node_set_count(x->nodes);
        }
    }
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
    w->slots = w->outputs * n->pool * priorities_of(n);
    w->slot = need((size_t)w->slots, sizeof *w->slot);
    w->line = need((size_t)(n->wiring.switches * priorities_of(n)), sizeof *w->line);
    make_cells(w);
    for (int i = 0; i < w->links; i++) {
        atlas_link *l = &w->link[i];

        l->end = i < w->outputs ? n->wiring.link[i] : n->wiring.entry[i - w->outputs];
        for (int p = 0; p < priorities_of(n); p++) {
            l->part[p].pool = n->pool;
            l->part[p].group = need((size_t)groups_of(n), sizeof(int));
            l->part[p].list = need((size_t)groups_of(n), sizeof(atlas_numbers));
            for (int d = 0; d < groups_of(n); d++)
                l->part[p].group[d] = n->group;
        }
    }
}

static void free_part(const ref_atlas *n, atlas_part *l)
{
    for (int d = 0; d < groups_of(n); d++)
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
    for (int k = 0; k < w->n->wiring.switches * priorities_of(w->n); k++)
        free(w->line[k].cells.at);
    free(w->line);
    free(w->slot);
    free(w->missing);
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
