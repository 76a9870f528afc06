/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marked chains by rows: the mark is part of one row's content, and all other rules are as in
 * expand_rows.c, except that the marked row has its reception first. Independent receptions may be
 * taken in any order.
 */
#include "base/context.h"
#include "models/canon.h"
#include "models/decide.h"
#include "models/marked.h"

#include <string.h>

typedef struct {
    swq_context *ctx;
    const swq_chain *chain;
    swq_mark mark;
    swq_marked *m;
    swq_rows rows;
    swq_matchings matchings;
    swq_intern node[SWQ_CHAIN_LEVELS];
    swq_growing growing[SWQ_CHAIN_LEVELS], enter, lose, leave;
    int n, arbitration;
} rows_marking;

/* Events at the marked input. */
typedef enum { ANYTHING, NOTHING, ACCEPTED, LOST } event;

static swq_status add_node(rows_marking *x, swq_growing *g, int level, swq_word *row,
                           long double chance)
{
    swq_status status = swq_canonical(x->ctx, &x->rows, row);
    if (status)
        return status;
    int64_t number = swq_intern_number(x->ctx, &x->node[level % x->m->levels], row);
    if (number < 0)
        return swq_memory_status(x->ctx);
    return swq_growing_add(x->ctx, g, number, chance, 0, 0);
}

static int packets_of(const swq_rows *rows, int32_t row)
{
    int packets = 0;

    for (int q = 0; q < rows->layout.queues; q++)
        packets += swq_row_content(rows, row)[q];
    return packets;
}

/* The part of an outcome of row `from` in which the event happens. NOTHING and LOST are only for
 * flow discard. */
static long double part_of(const rows_marking *x, int32_t from, const swq_row_outcome *o,
                           event what)
{
    bool grew = packets_of(&x->rows, o->row) > packets_of(&x->rows, from);

    switch (what) {
    case NOTHING:
        return o->idle;
    case ACCEPTED:
        return grew ? o->chance : 0;
    case LOST:
        return o->refused;
    default:
        return o->chance;
    }
}

/* Mark the packet by which row `from` has grown into row *row. */
static swq_status mark_packet(rows_marking *x, int32_t from, int32_t *row)
{
    swq_word content[2 * SWQ_CHAIN_PORTS + 2 + SWQ_MARK_WORDS];
    const swq_word *before = swq_row_content(&x->rows, from);
    swq_word *tag = content + x->rows.words - SWQ_MARK_WORDS;
    int queue = 0;

    memcpy(content, swq_row_content(&x->rows, *row), sizeof *content * (size_t)x->rows.words);
    while (content[queue] == before[queue])
        queue++;
    tag[0] = (swq_word)(1 + queue);
    tag[1] = before[queue];
    return swq_rows_number(x->ctx, &x->rows, swq_row_class(&x->rows, from), content, row);
}

/* Reception at one row of a node; `begin`: mark the packet that is accepted. */
static swq_status settle(rows_marking *x, swq_growing *g, int level, const swq_word *node,
                         int chosen, event what, bool begin)
{
    int32_t from = node[chosen], first = x->rows.first[from], outcomes = x->rows.outcomes[from];
    swq_word row[SWQ_ROW_PORTS];

    for (int32_t k = first; k < first + outcomes; k++) {
        swq_row_outcome o = x->rows.outcome[k]; /* a copy, since the array may move */
        long double chance = part_of(x, from, &o, what);
        swq_status status = SWQ_OK;
        if (chance <= 0)
            continue;
        if (begin)
            status = mark_packet(x, from, &o.row);
        memcpy(row, node, sizeof *row * (size_t)x->n);
        row[chosen] = (swq_word)o.row;
        if (!status)
            status = add_node(x, g, level, row, chance);
        if (status)
            return status;
    }
    return SWQ_OK;
}

static int marked_place(const rows_marking *x, const swq_word *node)
{
    int k = 0;

    while (swq_row_mark(&x->rows, node[k])[0] == 0)
        k++;
    return k;
}

/* Marks that begin in the reception from a state of the chain, at each of its rows in turn. */
static swq_status enter_from(rows_marking *x, int64_t state)
{
    swq_word content[2 * SWQ_CHAIN_PORTS + 2 + SWQ_MARK_WORDS] = {0}, node[SWQ_ROW_PORTS];
    size_t plain = (size_t)(x->rows.words - SWQ_MARK_WORDS);
    bool packet = x->mark == SWQ_MARK_PACKET;
    swq_status status = SWQ_OK;

    for (int k = 0; k < x->n && !status; k++) {
        for (int i = 0; i < x->n && !status; i++) {
            int32_t row = swq_intern_state(&x->chain->node[0], state)[i], number;
            memcpy(content, swq_row_content(&x->chain->rows, row), sizeof *content * plain);
            content[plain] = (swq_word)(i == k && !packet ? x->n + 1 : 0);
            status = swq_rows_number(x->ctx, &x->rows, swq_row_class(&x->chain->rows, row), content,
                                     &number);
            if (!status)
                node[i] = (swq_word)x->rows.arriving[number];
        }
        if (!status)
            status = settle(x, &x->enter, 1, node, k, packet ? ACCEPTED : LOST, packet);
    }
    return status ? status : swq_growing_finish(x->ctx, &x->enter);
}

/* Let the waiting row that comes first settle. */
static swq_status settle_one(rows_marking *x, int level, const swq_word *node)
{
    int chosen = -1;

    for (int k = 0; k < x->n; k++) {
        if (x->rows.pending[node[k]] > (chosen < 0 ? 0 : x->rows.pending[node[chosen]]))
            chosen = k;
    }
    if (chosen >= 0)
        return settle(x, &x->growing[level], level + 1, node, chosen, ANYTHING, false);
    swq_word row[SWQ_ROW_PORTS];
    memcpy(row, node, sizeof *row * (size_t)x->n);
    return add_node(x, &x->growing[level], level + 1, row, 1);
}

/* Reception at the marked input. */
static swq_status receive(rows_marking *x, const swq_word *state)
{
    swq_word node[SWQ_ROW_PORTS] = {0};

    for (int k = 0; k < x->n; k++)
        node[k] = (swq_word)x->rows.arriving[state[k]];
    int at = marked_place(x, node);
    if (x->mark == SWQ_MARK_PACKET)
        return settle(x, &x->growing[0], 1, node, at, ANYTHING, false);
    swq_status status = settle(x, &x->growing[0], 1, node, at, NOTHING, false);
    if (!status)
        status = settle(x, &x->lose, 1, node, at, LOST, false);
    int class = swq_row_class(&x->rows, node[at]);
    double accepted = x->rows.accepted[node[at]];
    if (!status && accepted > 0)
        status = swq_growing_add(x->ctx, &x->leave, x->rows.representative[class] * x->n, accepted,
                                 0, 0);
    if (!status)
        status = swq_growing_finish(x->ctx, &x->lose);
    return status ? status : swq_growing_finish(x->ctx, &x->leave);
}

typedef struct {
    rows_marking *x;
    int level;
    const swq_word *node;
} marked_sending;

static swq_status send_all(void *arg, const uint32_t *sent, long double chance)
{
    const marked_sending *s = arg;
    rows_marking *x = s->x;
    int at = marked_place(x, s->node);
    const swq_word *tag = swq_row_mark(&x->rows, s->node[at]);
    swq_word row[SWQ_ROW_PORTS];
    int32_t left;

    if (x->mark == SWQ_MARK_PACKET && tag[1] == 0) {
        bool single = x->rows.layout.deferred;
        int class = swq_row_class(&x->rows, s->node[at]);
        int output = single ? swq_row_content(&x->rows, s->node[at])[1] - 1 : tag[0] - 1;
        if (sent[at] >> output & 1)
            return swq_growing_add(x->ctx, &x->leave,
                                   x->rows.representative[class] * x->n +
                                       x->chain->symmetry.output_class[output],
                                   chance, 0, 0);
    }
    for (int k = 0; k < x->n; k++) {
        swq_status status = swq_rows_send(x->ctx, &x->rows, s->node[k], sent[k], SWQ_SENDS, &left);
        if (status)
            return status;
        row[k] = (swq_word)left;
    }
    return add_node(x, &x->growing[s->level], s->level + 1, row, chance);
}

static swq_status expand(rows_marking *x, int level, int64_t number)
{
    swq_word node[SWQ_ROW_PORTS] = {0};
    marked_sending s = {x, level, node};
    swq_status status;

    memcpy(node, swq_intern_state(&x->node[level], number), sizeof *node * (size_t)x->n);
    if (level == 0) {
        status = receive(x, node);
    } else if (level == x->arbitration) {
        status = swq_switch_architecture(&x->chain->sw)->stage.columns
                     ? swq_decide_columns(&x->rows, node, send_all, &s)
                     : swq_decide(x->ctx, &x->rows, &x->matchings, node, send_all, &s);
        if (!status && x->m->leaving == level)
            status = swq_growing_finish(x->ctx, &x->leave);
    } else {
        status = settle_one(x, level, node);
    }
    return status ? status : swq_growing_finish(x->ctx, &x->growing[level]);
}

static swq_status explore(rows_marking *x)
{
    swq_status status = SWQ_OK;
    bool more = true;

    for (int64_t s = 0; s < x->chain->node[0].count && !status; s++)
        status = enter_from(x, s);
    while (more && !status) {
        more = false;
        for (int turn = 1; turn <= x->m->levels && !status; turn++) {
            int level = turn % x->m->levels;
            while (x->growing[level].rows < x->node[level].count && !status) {
                if (x->growing[level].rows % 1024 == 0) {
                    swq_progress(x->ctx, "following marks", (double)x->node[level].count, 0);
                    if (swq_context_cancelled(x->ctx))
                        return swq_fail(x->ctx, SWQ_ECANCELLED, "cancelled after %lld marks",
                                        (long long)x->node[level].count);
                }
                status = expand(x, level, x->growing[level].rows);
                more = true;
            }
        }
    }
    return status;
}

static swq_status list_inputs(rows_marking *x)
{
    x->m->input = swq_calloc(x->ctx, (size_t)x->node[0].count + 1, sizeof *x->m->input);
    if (!x->m->input)
        return swq_memory_status(x->ctx);
    for (int64_t k = 0; k < x->node[0].count; k++) {
        const swq_word *node = swq_intern_state(&x->node[0], k);
        int class = swq_row_class(&x->rows, node[marked_place(x, node)]);
        x->m->input[k] = (uint8_t)x->rows.representative[class];
    }
    return SWQ_OK;
}

/* Hand over the factors. */
static swq_status finish(rows_marking *x)
{
    swq_marked *m = x->m;
    double loaded = x->rows.layout.loaded_roundings * (double)x->rows.loaded;
    double fair = SWQ_ROW_PORTS * SWQ_ROW_PORTS; /* upper bound of the throws in an arbitration */
    swq_status status = list_inputs(x);

    for (int k = 0; k < m->levels && !status; k++) {
        bool arbitrates = k == x->arbitration;
        m->nodes[k] = x->node[k].count;
        m->roundings +=
            swq_growing_roundings(&x->growing[k], arbitrates ? (int64_t)fair : x->rows.throws) +
            (arbitrates ? 0 : loaded);
        status = swq_growing_end_alone(x->ctx, &x->growing[k], x->node[(k + 1) % m->levels].count,
                                       &m->factor[k]);
    }
    /* entering, losing and leaving each have the roundings of a reception or a transmission */
    m->roundings += swq_growing_roundings(&x->enter, x->rows.throws) +
                    swq_growing_roundings(&x->lose, x->rows.throws) +
                    swq_growing_roundings(&x->leave, (int64_t)fair) + loaded;
    if (!status)
        status = swq_growing_end_alone(x->ctx, &x->enter, x->node[1].count, &m->enter);
    if (!status && x->mark == SWQ_MARK_INPUT)
        status = swq_growing_end_alone(x->ctx, &x->lose, x->node[1].count, &m->lose);
    if (!status)
        status = swq_growing_end_alone(x->ctx, &x->leave, x->n * x->n, &m->leave);
    return status;
}

swq_status swq_mark_rows(swq_context *ctx, const swq_chain *c, swq_mark mark, swq_marked *m)
{
    rows_marking x = {.ctx = ctx, .chain = c, .mark = mark, .m = m, .n = c->sw.ports};

    x.arbitration = x.n;
    m->levels = c->levels;
    m->leaving = mark == SWQ_MARK_PACKET ? x.arbitration : 0;
    for (int k = 0; k < m->levels; k++)
        swq_intern_init(&x.node[k], x.n);
    swq_matchings_init(&c->sw, &x.matchings);
    swq_status status = swq_rows_init(ctx, &c->sw, &c->symmetry, &x.rows);
    if (!status) {
        swq_rows_mark(&x.rows);
        status = explore(&x);
    }
    if (!status)
        status = finish(&x);
    for (int k = 0; k < m->levels; k++) {
        swq_growing_clear(ctx, &x.growing[k]);
        swq_intern_clear(ctx, &x.node[k]);
    }
    swq_growing_clear(ctx, &x.enter);
    swq_growing_clear(ctx, &x.lose);
    swq_growing_clear(ctx, &x.leave);
    swq_matchings_clear(ctx, &x.matchings);
    swq_rows_clear(ctx, &x.rows);
    return status;
}
