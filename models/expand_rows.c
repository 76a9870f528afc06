/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The generator by rows. One cycle is a sequence of factors: each input's reception in turn (always
 * that of the fullest waiting row, which the canonical form can tell), the arbitration with what is
 * sent, and for single queues the destinations of the new heads, again one row at a time. Each step
 * has few outcomes and each result is brought to canonical form, so that the orbits' symmetry is
 * used between the steps as well, and the arrivals of many inputs are never multiplied out.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/canon.h"
#include "models/chain_parts.h"
#include "models/decide.h"

#include <math.h>
#include <string.h>

typedef struct {
    swq_context *ctx;
    swq_chain *chain;
    swq_rows *rows;
    swq_matchings matchings;
    swq_growing growing[SWQ_CHAIN_LEVELS];
    int n, arbitration; /* the level whose factor is the arbitration */
    bool slopes; /* note creations in place of refusals, and idle sources in place of pairs */
} rows_expansion;

bool swq_by_rows(const swq_switch *sw, const swq_symmetry *symmetry)
{
    return sw->buffer.scope == SWQ_PER_INPUT && sw->ports <= SWQ_ROW_PORTS && symmetry->product &&
           swq_switch_memory(sw) == 0 && swq_switch_architecture(sw)->move == SWQ_STEP_SEND &&
           !swq_switch_architecture(sw)->columns;
}

static swq_status add_node(rows_expansion *x, int level, swq_word *row, long double chance,
                           long double refused, long double pairs)
{
    int into = level + 1 == x->chain->levels ? 0 : level + 1;
    swq_status status = swq_canonical(x->ctx, x->rows, row);
    if (status)
        return status;
    int64_t number = swq_intern_number(x->ctx, &x->chain->node[into], row);
    if (number < 0)
        return swq_memory_status(x->ctx);
    return swq_growing_add(x->ctx, &x->growing[level], number, chance, refused, pairs);
}

/* The chances that a row's source, if it is free, creates no packet, and one. */
static const double *creating(const swq_rows *rows, int32_t row)
{
    int class = swq_row_class(rows, row);
    return rows->lone_layout[class].create[rows->representative[class]];
}

/* Let the waiting row that comes first settle. */
static swq_status settle_one(rows_expansion *x, int level, const swq_word *node)
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
        return add_node(x, level, row, 1, 0, 0);
    }
    int32_t from = node[chosen], first = rows->first[from], outcomes = rows->outcomes[from];
    const double *create = creating(rows, from);
    for (int32_t k = first; k < first + outcomes; k++) {
        swq_row_outcome o = rows->outcome[k];
        memcpy(row, node, sizeof *row * (size_t)x->n);
        row[chosen] = (swq_word)o.row;
        swq_status status = x->slopes ? add_node(x, level, row, o.chance, o.created,
                                                 create[0] > 0 ? o.idle * create[1] / create[0] : 0)
                                      : add_node(x, level, row, o.chance, o.refused, 0);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* The node whose arbitration is under way. */
typedef struct {
    rows_expansion *x;
    int level;
    const swq_word *node;
} rows_sending;

static swq_status send_all(void *arg, const uint32_t *sent, long double chance)
{
    const rows_sending *s = arg;
    rows_expansion *x = s->x;
    swq_word row[SWQ_ROW_PORTS];

    for (int k = 0; k < x->n; k++) {
        int32_t left;
        swq_status status = swq_rows_send(x->ctx, x->rows, s->node[k], sent[k], &left);
        if (status)
            return status;
        row[k] = (swq_word)left;
    }
    return add_node(x, s->level, row, chance, 0, 0);
}

static swq_status arbitrate(rows_expansion *x, int level, const swq_word *node)
{
    rows_sending s = {x, level, node};
    return swq_decide(x->ctx, x->rows, &x->matchings, node, send_all, &s);
}

/* What the rows of each input may expect of a reception. */
static swq_status note_rewards(rows_expansion *x, int64_t state, const swq_word *node)
{
    swq_chain *c = x->chain;
    swq_status status = swq_chain_reward_room(x->ctx, c, state + 1);
    if (status)
        return status;
    double *accepted = c->accepted + state * x->n, *refused = c->refused + state * x->n;
    for (int k = 0; k < x->n; k++) {
        int32_t row = x->rows->arriving[node[k]];
        int class = x->rows->representative[swq_row_class(x->rows, row)];
        accepted[class] += x->rows->accepted[row];
        refused[class] += x->rows->refused[row];
    }
    /* what is the class's is shared out evenly */
    swq_chain_share(c, accepted);
    swq_chain_share(c, refused);
    return SWQ_OK;
}

static swq_status expand(rows_expansion *x, int level, int64_t number)
{
    swq_word node[SWQ_ROW_PORTS];
    swq_status status = SWQ_OK;

    memcpy(node, swq_intern_state(&x->chain->node[level], number), sizeof *node * (size_t)x->n);
    if (level == 0) {
        status = x->slopes ? SWQ_OK : note_rewards(x, number, node);
        for (int k = 0; k < x->n; k++)
            node[k] = (swq_word)x->rows->arriving[node[k]];
        /* the canonical form of the state need not be that of the waiting rows, but the choice of
         * one of equally full rows must depend on the orbit only */
        if (!status)
            status = swq_canonical(x->ctx, x->rows, node);
    }
    if (!status)
        status = level == x->arbitration ? arbitrate(x, level, node) : settle_one(x, level, node);
    return status ? status : swq_growing_finish(x->ctx, &x->growing[level]);
}

static swq_status begin(rows_expansion *x)
{
    swq_word empty[2 * SWQ_MAX_PORTS + 2] = {0}, node[SWQ_ROW_PORTS];
    int place = 0;

    for (int c = 0; c < x->rows->classes; c++) {
        int32_t row;
        swq_status status = swq_rows_number(x->ctx, x->rows, c, empty, &row);
        if (status)
            return status;
        for (int k = 0; k < x->rows->members[c]; k++)
            node[place++] = (swq_word)row;
    }
    swq_status status = swq_canonical(x->ctx, x->rows, node);
    if (!status && swq_intern_number(x->ctx, &x->chain->node[0], node) < 0)
        status = swq_memory_status(x->ctx);
    return status;
}

/* Level by level around the cycle, until no level has nodes that are not yet expanded. */
static swq_status explore(rows_expansion *x)
{
    const swq_chain *c = x->chain;
    swq_status status = begin(x);
    bool more = true;

    while (more && !status) {
        more = false;
        for (int level = 0; level < c->levels && !status; level++) {
            while (x->growing[level].rows < c->node[level].count && !status) {
                if (x->growing[level].rows % 1024 == 0) {
                    swq_progress(x->ctx, "generating states", (double)c->node[0].count, 0);
                    if (swq_context_cancelled(x->ctx))
                        return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld states",
                                        (long long)c->node[0].count);
                }
                status = expand(x, level, x->growing[level].rows);
                more = true;
            }
        }
    }
    return status;
}

swq_status swq_expand_rows(swq_context *ctx, swq_chain *c)
{
    rows_expansion x = {.ctx = ctx, .chain = c, .rows = &c->rows, .n = c->sw.ports};

    c->by_rows = true;
    c->receptions = x.arbitration = x.n;
    c->levels = x.n + 1 + (c->layout.deferred ? x.n : 0);
    for (int k = 0; k < c->levels; k++)
        swq_intern_init(&c->node[k], x.n);
    swq_matchings_init(&c->sw, &x.matchings);
    swq_status status = swq_rows_init(ctx, &c->sw, &c->symmetry, &c->rows);
    if (!status)
        status = explore(&x);
    for (int k = 0; k < c->levels && !status; k++) {
        /* nothing loaded is thrown in an arbitration, but there may be many fair throws */
        bool arbitrates = k == x.arbitration;
        c->roundings += swq_growing_roundings(
            &x.growing[k], arbitrates ? SWQ_ROW_PORTS * SWQ_ROW_PORTS : c->rows.throws);
        c->roundings += arbitrates ? 0 : c->layout.loaded_roundings * (double)c->rows.loaded;
        status = swq_growing_end(ctx, &x.growing[k], c->node[(k + 1) % c->levels].count,
                                 &c->factor[k], &c->refusals[k], &c->pairs[k]);
    }
    for (int k = 0; k < c->levels; k++)
        swq_growing_clear(ctx, &x.growing[k]);
    swq_matchings_clear(ctx, &x.matchings);
    return status;
}

/* Each input is refused, or accepted, by itself: only what a free source creates grows with the
 * load, and in proportion to it. */
static void note_slopes(const swq_chain *c, int64_t state, swq_slopes *slopes)
{
    const swq_word *node = swq_intern_state(&c->node[0], state);

    for (int k = 0; k < c->sw.ports; k++) {
        int32_t row = c->rows.arriving[node[k]];
        if (swq_row_held(&c->rows, row))
            continue;
        slopes->accepted[state] += c->rows.accepted[row];
        slopes->refused[state] += c->rows.refused[row];
    }
}

swq_status swq_slopes_by_rows(swq_context *ctx, swq_chain *c, swq_slopes *slopes)
{
    rows_expansion x = {.ctx = ctx, .chain = c, .rows = &c->rows, .n = c->sw.ports, .slopes = true};
    swq_status status = SWQ_OK;

    x.arbitration = c->receptions;
    for (int level = 0; level < c->receptions && !status; level++) {
        swq_growing *g = &x.growing[level];
        swq_csr again = {0};
        while (g->rows < c->node[level].count && !status)
            status = expand(&x, level, g->rows);
        if (!status)
            status = swq_growing_end(ctx, g, c->factor[level].cols, &again, &slopes->created[level],
                                     &slopes->idle[level]);
        swq_csr_clear(ctx, &again);
        swq_growing_clear(ctx, g);
    }
    for (int64_t s = 0; s < c->node[0].count && !status; s++)
        note_slopes(c, s, slopes);
    return status;
}
