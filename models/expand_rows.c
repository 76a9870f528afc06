/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator by rows. One cycle is a sequence of factors: each input's reception in turn (always
 * that of the fullest waiting row, which the canonical form can tell), the arbitration with what is
 * sent, and for single queues the destinations of the new heads, again one row at a time. Each step
 * has few outcomes and each result is brought to canonical form, so that the orbits' symmetry is
 * used between the steps as well, and the arrivals of many inputs are never multiplied out.
 */
#include "base/context.h"
#include "models/canon.h"
#include "models/chain_parts.h"
#include "models/decide.h"
#include "models/frontier.h"

#include <math.h>
#include <string.h>

/* The kind of step that the factor of a level makes. */
typedef struct {
    bool settles; /* one waiting row settles; else the level is a step in which rows send: */
    swq_step step;
    bool last; /* the last step that takes packets out of the buffers */
} rows_level;

typedef struct {
    swq_context *ctx;
    swq_chain *chain;
    swq_rows *rows;
    swq_matchings matchings;
    swq_growing growing[SWQ_CHAIN_LEVELS];
    rows_level level[SWQ_CHAIN_LEVELS];
    int n, levels;                  /* rows of a switch */
    bool depart_first, depart_last; /* output queues send at the start, or at the last step */
    bool slopes; /* record creations in place of refusals, and idle sources in place of pairs */
    swq_frontier *frontier;
    int now; /* the level being expanded */
} rows_expansion;

static void settle_rows(rows_expansion *x, int ports)
{
    for (int k = 0; k < ports; k++)
        x->level[x->levels++] = (rows_level){.settles = true};
}

/* Receptions come first, directly followed by the filling of crosspoints; departures from output
 * queues are certain, and are part of an adjacent step. */
static int list_levels(const swq_switch *sw, const swq_layout *l, rows_expansion *x)
{
    x->levels = 0;
    settle_rows(x, sw->ports);
    for (int k = 0; k < l->steps; k++) {
        if (l->step[k] == SWQ_STEP_FILL && k > 0) {
            settle_rows(x, sw->ports);
        } else if (l->step[k] == SWQ_STEP_DEPART) {
            x->depart_first = k == 0;
            x->depart_last = k > 0;
        } else if (l->step[k] != SWQ_STEP_FILL) {
            x->level[x->levels++] = (rows_level){false, l->step[k], k == l->freeing};
            if (l->heads > 0 && l->step[k] != SWQ_STEP_SERVE)
                settle_rows(x, sw->ports);
        }
    }
    return x->levels;
}

int swq_rows_levels(const swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    swq_layout l;
    swq_layout_init(&l, sw);
    const int draws = l.heads > 0 ? sw->ports : 0;

    if (a->stage.move == SWQ_STEP_FILL)
        return sw->ports + 1 + (sw->departures_first ? sw->ports : 0);
    return sw->ports + (a->stage.speedup ? sw->speedup : 1) * (1 + draws);
}

bool swq_by_rows(const swq_switch *sw, const swq_symmetry *symmetry)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    const int most = SWQ_ROW_PORTS - (a->stage.output_queues && a->stage.input_buffers);

    /* an outcome of a row has one fate of one packet, and cannot tell that another packet was
     * lost */
    if (swq_admission_loses_stored(swq_buffer_admission(&sw->buffer)))
        return false;
    return sw->buffer.scope == SWQ_PER_INPUT && sw->ports <= most && symmetry->product &&
           swq_switch_memory(sw) == 0 && swq_rows_levels(sw) <= SWQ_CHAIN_LEVELS;
}

/* Add an outcome. (New rows and decisions are tabulated only if there is a context.) */
static swq_status add_node(const rows_expansion *x, swq_outcomes *o, swq_word *row,
                           long double chance, long double refused, long double pairs)
{
    swq_status status = swq_canonical(o->ctx, x->rows, row);
    return status ? status : swq_outcomes_add(o, row, chance, refused, pairs);
}

/* The probabilities that a row's source, if it is free, creates no packet, and one packet. */
static const double *creating(const swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row);
    return rows->lone_layout[class].create[rows->representative[class]];
}

/* The logarithmic derivative, with respect to the load, of the probability that the row's source
 * creates a packet. */
static double steepness(const swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row);
    return rows->lone_layout[class].steeper[rows->representative[class]];
}

/* Let the waiting row that comes first settle. */
static swq_status settle_one(const rows_expansion *x, const swq_word *node, swq_outcomes *o)
{
    const swq_rows *rows = x->rows;
    int chosen = -1;

    for (int k = 0; k < x->n; k++) {
        if (rows->pending[node[k]] > (chosen < 0 ? 0 : rows->pending[node[chosen]]))
            chosen = k;
    }
    swq_word row[SWQ_ROW_PORTS];
    if (chosen < 0) {
        memcpy(row, node, sizeof *row * (size_t)x->n);
        return add_node(x, o, row, 1, 0, 0);
    }
    int32_t from = node[chosen], first = rows->first[from], outcomes = rows->outcomes[from];
    const double *create = creating(rows, from), steeper = steepness(rows, from);
    for (int32_t k = first; k < first + outcomes; k++) {
        swq_row_outcome way = rows->outcome[k];
        memcpy(row, node, sizeof *row * (size_t)x->n);
        row[chosen] = (swq_word)way.row;
        swq_status status =
            x->slopes ? add_node(x, o, row, way.chance, way.created * steeper,
                                 create[0] > 0 ? way.idle * create[1] / create[0] * steeper : 0)
                      : add_node(x, o, row, way.chance, way.refused, 0);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* A node whose arbitration is being enumerated. */
typedef struct {
    const rows_expansion *x;
    const swq_word *node;
    swq_outcomes *outcomes;
} rows_sending;

static swq_row_sending sending_of(const rows_level *level)
{
    return level->step == SWQ_STEP_SERVE ? SWQ_SERVES : level->last ? SWQ_SENDS : SWQ_SENDS_MORE;
}

static swq_status send_all(void *arg, const uint32_t *sent, long double chance)
{
    const rows_sending *s = arg;
    const rows_expansion *x = s->x;
    swq_context *ctx = s->outcomes->ctx;
    const swq_row_sending how = sending_of(&x->level[x->now]);
    swq_word row[SWQ_ROW_PORTS];
    uint32_t gained = 0;
    int queues = -1;

    for (int k = 0; k < x->n; k++) {
        int32_t left = s->node[k];
        swq_status status = SWQ_OK;
        if (swq_row_class(x->rows, s->node[k]) == x->rows->outputs) {
            queues = k;
        } else {
            status = swq_rows_send(ctx, x->rows, s->node[k], sent[k], how, &left);
            gained |= sent[k];
        }
        if (status)
            return status;
        row[k] = (swq_word)left;
    }
    if (queues >= 0) {
        const bool depart = x->depart_last && x->level[x->now].last;
        int32_t after;
        swq_status status = swq_rows_outputs(ctx, x->rows, s->node[queues], gained, depart, &after);
        if (status)
            return status;
        row[queues] = (swq_word)after;
    }
    return add_node(x, s->outcomes, row, chance, 0, 0);
}

static swq_status arbitrate(rows_expansion *x, const swq_word *node, swq_outcomes *o)
{
    rows_sending s = {x, node, o};

    if (swq_switch_architecture(&x->chain->sw)->stage.columns)
        return swq_decide_columns(x->rows, node, send_all, &s);
    if (x->chain->layout.classes > 1)
        return swq_decide_classes(o->ctx, x->rows, &x->matchings, node, send_all, &s);
    return swq_decide(o->ctx, x->rows, &x->matchings, node, send_all, &s);
}

void swq_rows_reception(const swq_chain *c, const swq_word *node, double *accepted, double *refused)
{
    for (int k = 0; k < c->rows.tuple; k++) {
        int32_t row = c->rows.arriving[node[k]];
        if (swq_row_class(&c->rows, row) == c->rows.outputs)
            continue;
        int class = c->rows.representative[swq_row_class(&c->rows, row)];
        accepted[class] += c->rows.accepted[row];
        refused[class] += c->rows.refused[row];
    }
    /* inputs of a class have the same expectations */
    swq_chain_share(c, accepted);
    swq_chain_share(c, refused);
}

/* Note the expectations of each input's reception. */
static swq_status note_rewards(rows_expansion *x, int64_t state)
{
    swq_chain *c = x->chain;
    const swq_word *node = swq_intern_state(&c->node[0], state);
    swq_status status = swq_chain_reward_room(x->ctx, c, state + 1);
    if (status)
        return status;
    if (!c->lean)
        swq_rows_reception(c, node, c->accepted + state * c->sw.ports,
                           c->refused + state * c->sw.ports);
    for (int k = 0; k < x->n && c->of_class; k++) {
        const int32_t row = x->rows->arriving[node[k]];
        swq_class_rewards *of = &c->of_class[state];
        for (int h = 0; h < SWQ_CLASSES; h++) {
            of->accepted[h] += x->rows->accepted_of[row * SWQ_CLASSES + h];
            of->refused[h] += x->rows->refused_of[row * SWQ_CLASSES + h];
        }
    }
    return SWQ_OK;
}

static swq_status expand(void *arg, int64_t number, swq_outcomes *o)
{
    rows_expansion *x = arg;
    swq_word node[SWQ_ROW_PORTS];
    swq_status status = SWQ_OK;

    memcpy(node, swq_intern_state(&x->chain->node[x->now], number), sizeof *node * (size_t)x->n);
    if (x->now == 0) {
        for (int k = 0; k < x->n && !status; k++) {
            int32_t row = x->rows->arriving[node[k]];
            if (x->depart_first && swq_row_class(x->rows, row) == x->rows->outputs)
                status = swq_rows_outputs(o->ctx, x->rows, row, 0, true, &row);
            node[k] = (swq_word)row;
        }
        /* the canonical form of the state need not be canonical for the waiting rows, but which of
         * several equally full rows is chosen must depend only on the orbit */
        if (!status)
            status = swq_canonical(o->ctx, x->rows, node);
    }
    if (status)
        return status;
    return x->level[x->now].settles ? settle_one(x, node, o) : arbitrate(x, node, o);
}

/* Expand the nodes of a level that are not yet expanded. */
static swq_status expand_level(rows_expansion *x, int level)
{
    swq_chain *c = x->chain;
    swq_growing *g = &x->growing[level];
    swq_status status = SWQ_OK;

    x->now = level;
    while (g->rows < c->node[level].count && !status) {
        const int64_t block = swq_frontier_block(c->node[level].count - g->rows);
        const bool notes = level == 0 && !x->slopes && !(c->lean && c->layout.classes == 1);
        for (int64_t k = 0; k < block && notes && !status; k++)
            status = note_rewards(x, g->rows + k);
        if (!status)
            status = swq_frontier_expand(x->ctx, x->frontier, expand, x, block,
                                         &c->node[(level + 1) % c->levels], g);
        swq_progress(x->ctx, "generating states", (double)c->node[0].count, 0);
        if (!status && swq_context_cancelled(x->ctx))
            return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                            (long long)c->node[0].count);
    }
    return status;
}

/* The empty switch. */
static swq_status empty_switch(rows_expansion *x, swq_word *node)
{
    swq_word empty[SWQ_ROW_WORDS] = {0};
    int place = 0;

    for (int c = 0; c < x->rows->classes; c++) {
        int32_t row;
        swq_status status = swq_rows_number(x->ctx, x->rows, c, empty, &row);
        if (status)
            return status;
        for (int k = 0; k < x->rows->members[c]; k++)
            node[place++] = (swq_word)row;
    }
    if (x->rows->outputs >= 0) {
        int32_t row;
        swq_status status = swq_rows_number(x->ctx, x->rows, x->rows->outputs, empty, &row);
        if (status)
            return status;
        node[place] = (swq_word)row;
    }
    return swq_canonical(x->ctx, x->rows, node);
}

static swq_status begin(rows_expansion *x)
{
    swq_word node[SWQ_ROW_PORTS];
    swq_status status = empty_switch(x, node);

    if (!status && swq_intern_number(x->ctx, &x->chain->node[0], node) < 0)
        status = swq_memory_status(x->ctx);
    return status;
}

/* Level by level around the cycle, until no level has nodes that are not yet expanded. */
static swq_status explore(rows_expansion *x)
{
    const swq_chain *c = x->chain;
    swq_status status = begin(x);

    while (x->growing[0].rows < c->node[0].count && !status) {
        for (int level = 0; level < c->levels && !status; level++)
            status = expand_level(x, level);
    }
    return status;
}

/* Set up the levels; there are no nodes and no rows yet. */
static swq_status prepare(rows_expansion *x)
{
    swq_chain *c = x->chain;

    c->by_rows = true;
    c->receptions = c->sw.ports;
    c->levels = list_levels(&c->sw, &c->layout, x);
    swq_matchings_init(&c->sw, &x->matchings);
    swq_status status = swq_rows_init(x->ctx, &c->sw, &c->symmetry, &c->rows);
    x->n = c->rows.tuple;
    for (int k = 0; k < c->levels; k++) {
        swq_intern_init(&c->node[k], x->n);
        x->growing[k].packs = true;
        x->growing[k].bare = c->lean;
    }
    return status;
}

/* Bound on the relative error of the entries of a level's factor. */
static double level_roundings(const rows_expansion *x, int level, const swq_growing *g)
{
    const swq_chain *c = x->chain;
    /* an arbitration has no loaded throws, but may have many fair ones */
    const bool arbitrates = !x->level[level].settles;
    const double summed =
        swq_growing_roundings(g, arbitrates ? SWQ_ROW_PORTS * SWQ_ROW_PORTS : c->rows.throws);

    return summed + (arbitrates ? 0 : c->layout.loaded_roundings * (double)c->rows.loaded);
}

swq_status swq_expand_rows(swq_context *ctx, swq_chain *c)
{
    rows_expansion x = {.ctx = ctx, .chain = c, .rows = &c->rows};
    swq_status status = prepare(&x);

    if (!status)
        status = swq_frontier_new(ctx, x.n, &x.frontier);
    if (!status)
        status = explore(&x);
    swq_frontier_free(ctx, x.frontier);
    for (int k = 0; k < c->levels && !status; k++) {
        c->roundings += level_roundings(&x, k, &x.growing[k]);
        status = swq_intern_trim(ctx, &c->node[k], k > 0 || c->lean);
        if (!status)
            status = swq_growing_end(ctx, &x.growing[k], c->node[(k + 1) % c->levels].count,
                                     &c->factor[k], &c->refusals[k], &c->pairs[k]);
    }
    for (int k = 0; k < c->levels; k++)
        swq_growing_clear(ctx, &x.growing[k]);
    swq_matchings_clear(ctx, &x.matchings);
    return status;
}

/* Inputs are accepted or refused independently: only the packets that a free source creates grow
 * with the load, in proportion to it (with bursts, to the probability that one begins). */
static void note_slopes(const swq_chain *c, int64_t state, swq_slopes *slopes)
{
    const swq_word *node = swq_intern_state(&c->node[0], state);

    for (int k = 0; k < c->rows.tuple; k++) {
        int32_t row = c->rows.arriving[node[k]];
        if (swq_row_class(&c->rows, row) == c->rows.outputs || swq_row_held(&c->rows, row))
            continue;
        double steeper = steepness(&c->rows, row);
        slopes->accepted[state] += c->rows.accepted[row] * steeper;
        slopes->refused[state] += c->rows.refused[row] * steeper;
    }
}

swq_status swq_slopes_by_rows(swq_context *ctx, swq_chain *c, swq_slopes *slopes)
{
    rows_expansion x = {
        .ctx = ctx, .chain = c, .rows = &c->rows, .n = c->rows.tuple, .slopes = true};
    swq_status status = SWQ_OK;

    list_levels(&c->sw, &c->layout, &x);
    status = swq_frontier_new(ctx, x.n, &x.frontier);
    for (int level = 0; level < c->receptions && !status; level++) {
        swq_growing *g = &x.growing[level];
        swq_csr again = {0};
        status = expand_level(&x, level);
        if (!status)
            status = swq_growing_end(ctx, g, c->factor[level].cols, &again, &slopes->created[level],
                                     &slopes->idle[level]);
        swq_csr_clear(ctx, &again);
        swq_growing_clear(ctx, g);
    }
    swq_frontier_free(ctx, x.frontier);
    for (int64_t s = 0; s < c->node[0].count && !status; s++)
        note_slopes(c, s, slopes);
    return status;
}

/* ---- walks ---- */

struct swq_rows_walk {
    rows_expansion x;
    swq_outcomes outcomes; /* of one node */
    int64_t known;         /* number of rows in the complete table */
};

/* All ways in which an input's row can send in a cycle: no packet, one to an output for which it
 * has packets, or one to each of any set of such outputs if each queue has a read port. */
static swq_status send_in_all_ways(rows_expansion *x, int32_t row)
{
    const bool each = x->chain->sw.buffer.read == SWQ_READ_EACH_QUEUE;
    uint32_t wanted = 0;
    int32_t left;

    for (int j = 0; j < x->chain->sw.ports; j++)
        wanted |= (uint32_t)(swq_row_request(x->rows, row, j) > 0) << j;
    swq_status status = swq_rows_send(x->ctx, x->rows, row, 0, SWQ_SENDS, &left);
    for (uint32_t mask = wanted; mask != 0 && !status; mask = (mask - 1) & wanted) {
        if (each || (mask & (mask - 1)) == 0)
            status = swq_rows_send(x->ctx, x->rows, row, mask, SWQ_SENDS, &left);
    }
    return status;
}

/* Tabulate every row that can occur, in an order that depends only on the switch. */
static swq_status complete_rows(rows_expansion *x)
{
    swq_word node[SWQ_ROW_PORTS];
    swq_status status = empty_switch(x, node);

    for (int32_t row = 0; row < x->rows->set.count && !status; row++) {
        if (x->rows->pending[row] == 0) /* settled */
            status = send_in_all_ways(x, row);
    }
    return status;
}

swq_status swq_rows_walk_new(swq_context *ctx, swq_chain *chain, swq_rows_walk **walk)
{
    swq_rows_walk *w = swq_calloc(ctx, 1, sizeof *w);

    if (!w)
        return swq_memory_status(ctx);
    w->x = (rows_expansion){.ctx = ctx, .chain = chain, .rows = &chain->rows};
    swq_status status = prepare(&w->x);
    if (!status)
        status = complete_rows(&w->x);
    if (status) {
        swq_rows_walk_free(ctx, w);
        return status;
    }
    w->outcomes = (swq_outcomes){.ctx = ctx, .words = w->x.n};
    w->known = chain->rows.set.count;
    *walk = w;
    return SWQ_OK;
}

void swq_rows_walk_free(swq_context *ctx, swq_rows_walk *w)
{
    if (w) {
        swq_matchings_clear(ctx, &w->x.matchings);
        swq_outcomes_clear(ctx, &w->outcomes);
    }
    swq_free(ctx, w);
}

swq_status swq_rows_walk_first(swq_rows_walk *w, swq_word *node)
{
    return empty_switch(&w->x, node);
}

swq_status swq_rows_walk_expand(swq_rows_walk *w, int level, int64_t number, swq_way_fn *each,
                                void *arg)
{
    const swq_outcomes *o = &w->outcomes;
    swq_status status = level == 0 ? note_rewards(&w->x, number) : SWQ_OK;

    w->x.now = level;
    w->outcomes.count = 0;
    if (!status)
        status = expand(&w->x, number, &w->outcomes);
    if (!status && w->x.rows->set.count != w->known)
        status = swq_fail(w->x.ctx, SWQ_EINTERNAL,
                          "an input's content turned up that the table of contents lacks");
    for (int64_t e = 0; e < o->count && !status; e++)
        status = each(arg, o->key + e * o->words, o->entry[e].value);
    return status;
}

double swq_rows_walk_roundings(const swq_rows_walk *w, int level, int64_t most_met, bool inexact)
{
    const swq_growing g = {.most_met = most_met, .inexact = inexact};

    return level_roundings(&w->x, level, &g);
}
