/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes of the game against all rules, and where its moves lead.
 */
#include "worst/game.h"

#include "base/context.h"

#include <string.h>

double swq_game_contents(int queues, int slots)
{
    double contents = 1;

    for (int q = 1; q <= queues; q++)
        contents = contents * (slots + q) / q;
    return contents;
}

/* ---- tables ---- */

static int total(const swq_game *g, const uint8_t *held)
{
    int packets = 0;

    for (int q = 0; q < g->queues; q++)
        packets += held[q];
    return packets;
}

static int number_of(const swq_game *g, const uint8_t *held)
{
    int x = 0;

    while (x < g->contents && memcmp(g->held[x], held, SWQ_WORST_QUEUES) != 0)
        x++;
    return x < g->contents ? x : -1;
}

/* Content 0 is the empty memory; each content is met with a packet less before. */
static void list_contents(swq_game *g)
{
    uint8_t held[SWQ_WORST_QUEUES];

    g->contents = 1;
    for (int x = 0; x < g->contents; x++)
        for (int q = 0; q < g->queues; q++) {
            memcpy(held, g->held[x], sizeof held);
            held[q]++;
            if (total(g, held) > g->spec->buffer->capacity)
                g->taken[x][q] = -1;
            else if ((g->taken[x][q] = (int16_t)number_of(g, held)) < 0) {
                g->taken[x][q] = (int16_t)g->contents;
                memcpy(g->held[g->contents++], held, sizeof held);
            }
        }
    for (int x = 0; x < g->contents; x++) {
        for (int q = 0; q < SWQ_WORST_QUEUES; q++)
            held[q] = (uint8_t)(g->held[x][q] - (g->held[x][q] > 0));
        g->after[x] = (uint8_t)number_of(g, held);
    }
}

/* All orders of queues: each order of the first q queues, with queue q at each place. */
static void list_orders(swq_game *g)
{
    g->orders = 1;
    for (int q = 1; q < g->queues; q++) {
        const int shorter = g->orders;
        for (int k = 0; k < shorter; k++) {
            g->order[k][q] = (uint8_t)q;
            for (int place = 0; place < q; place++) {
                uint8_t *order = g->order[g->orders++];
                memcpy(order, g->order[k], SWQ_WORST_QUEUES);
                order[q] = order[place];
                order[place] = (uint8_t)q;
            }
        }
    }
    for (int k = 0; k < g->orders; k++)
        for (int x = 0; x < g->contents; x++) {
            uint8_t held[SWQ_WORST_QUEUES] = {0};
            for (int q = 0; q < g->queues; q++)
                held[q] = g->held[x][g->order[k][q]];
            g->renamed[k * g->contents + x] = (uint8_t)number_of(g, held);
        }
}

static swq_status make_tables(swq_game *g)
{
    const size_t most = SWQ_GAME_CONTENTS;
    size_t orders = 1;

    for (int q = 2; q <= g->queues; q++)
        orders *= (size_t)q;
    g->held = swq_calloc(g->ctx, most, sizeof *g->held);
    g->taken = swq_calloc(g->ctx, most, sizeof *g->taken);
    g->after = swq_calloc(g->ctx, most, sizeof *g->after);
    g->order = swq_calloc(g->ctx, orders, sizeof *g->order);
    g->renamed = swq_calloc(g->ctx, orders * most, sizeof *g->renamed);
    if (!g->held || !g->taken || !g->after || !g->order || !g->renamed)
        return swq_memory_status(g->ctx);
    list_contents(g);
    list_orders(g);
    return SWQ_OK;
}

/* ---- moves ---- */

static bool is_best(const swq_game *g, const swq_word *node, int content)
{
    return node[g->queues + content / 16] >> content % 16 & 1;
}

static void set_best(const swq_game *g, swq_word *node, int content)
{
    swq_word *word = &node[g->queues + content / 16];

    *word = (swq_word)(*word | 1u << content % 16);
}

/* The form of a node with the smallest words, of all renamings. */
static void rename_node(const swq_game *g, swq_word *node)
{
    swq_word old[SWQ_GAME_WORDS], other[SWQ_GAME_WORDS];
    const size_t size = sizeof *node * (size_t)g->set.words;

    memcpy(old, node, size);
    for (int k = 1; k < g->orders; k++) {
        memset(other, 0, size);
        for (int q = 0; q < g->queues; q++)
            other[q] = old[g->order[k][q]];
        if (memcmp(other, node, sizeof *node * (size_t)g->queues) > 0)
            continue;
        for (int x = 0; x < g->contents; x++)
            if (is_best(g, old, x))
                set_best(g, other, g->renamed[k * g->contents + x]);
        if (memcmp(other, node, size) < 0)
            memcpy(node, other, size);
    }
}

/* The end of the phase: of the best contents, those remain best that send the most. */
static void end_phase(const swq_game *g, const swq_word *node, swq_word *next, int *rule_sent,
                      int *optimum_sent)
{
    memset(next, 0, sizeof *next * (size_t)g->set.words);
    *rule_sent = *optimum_sent = 0;
    for (int q = 0; q < g->queues; q++) {
        next[q] = (swq_word)(node[q] - (node[q] > 0));
        *rule_sent += node[q] > 0;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int x = 0; x < g->contents; x++) {
            const int sent = total(g, g->held[x]) - total(g, g->held[g->after[x]]);
            if (!is_best(g, node, x))
                continue;
            if (pass == 0 && sent > *optimum_sent)
                *optimum_sent = sent;
            if (pass == 1 && sent == *optimum_sent)
                set_best(g, next, g->after[x]);
        }
}

int swq_game_answers(const swq_game *g, const swq_word *node, int move,
                     swq_word answer[][SWQ_GAME_WORDS], int *rule_sent, int *optimum_sent)
{
    const size_t size = sizeof *node * (size_t)g->set.words;
    int answers = 0, packets = 0;

    *rule_sent = *optimum_sent = 0;
    if (move == g->queues) {
        end_phase(g, node, answer[0], rule_sent, optimum_sent);
        rename_node(g, answer[0]);
        return 1;
    }
    memcpy(answer[answers++], node, size); /* the rule refuses the packet */
    for (int x = 0; x < g->contents; x++)
        if (is_best(g, node, x) && g->taken[x][move] >= 0)
            set_best(g, answer[0], g->taken[x][move]);
    for (int q = 0; q < g->queues; q++)
        packets += node[q];
    if (packets < g->spec->buffer->capacity) {
        memcpy(answer[answers], answer[0], size);
        answer[answers++][move]++;
    }
    for (int q = 0; q < g->queues && g->spec->rule == SWQ_WORST_BEST; q++)
        if (q != move && node[q] > 0) {
            memcpy(answer[answers], answer[0], size);
            answer[answers][q]--;
            answer[answers++][move]++;
        }
    for (int k = 0; k < answers; k++)
        rename_node(g, answer[k]);
    return answers;
}

/* ---- the nodes ---- */

static swq_status add_moves(swq_game *g, int64_t node)
{
    swq_word from[SWQ_GAME_WORDS], answer[SWQ_GAME_ANSWERS][SWQ_GAME_WORDS];
    int rule_sent = 0, optimum_sent = 0;

    memcpy(from, swq_intern_state(&g->set, node), sizeof *from * (size_t)g->set.words);
    for (int move = 0; move < g->moves; move++) {
        const int answers = swq_game_answers(g, from, move, answer, &rule_sent, &optimum_sent);
        g->first[node * g->moves + move] = g->answers;
        for (int k = 0; k < answers; k++) {
            const int64_t to = swq_intern_number(g->ctx, &g->set, answer[k]);
            if (to < 0)
                return swq_memory_status(g->ctx);
            g->to[g->answers++] = (int32_t)to;
        }
    }
    g->first[(node + 1) * g->moves] = g->answers;
    g->rule_sent[node] = (uint8_t)rule_sent;
    g->optimum_sent[node] = (uint8_t)optimum_sent;
    return SWQ_OK;
}

/* Room for the moves of `nodes` nodes. */
static bool grow(swq_game *g, int64_t nodes)
{
    swq_context *ctx = g->ctx;

    return swq_resize_array(ctx, &g->first, nodes * g->moves + 1, sizeof *g->first) &&
           swq_resize_array(ctx, &g->to, nodes * (g->queues * g->moves + 1), sizeof *g->to) &&
           swq_resize_array(ctx, &g->rule_sent, nodes, sizeof *g->rule_sent) &&
           swq_resize_array(ctx, &g->optimum_sent, nodes, sizeof *g->optimum_sent);
}

swq_status swq_game_make(swq_context *ctx, const swq_worst_spec *spec, swq_game *g)
{
    swq_word start[SWQ_GAME_WORDS] = {0};
    swq_status status;
    int64_t room = 0;

    *g = (swq_game){.ctx = ctx, .spec = spec, .queues = spec->queues, .moves = spec->queues + 1};
    g->denominator = 1;
    status = make_tables(g);
    if (status)
        return status;
    swq_intern_init(&g->set, g->queues + (g->contents + 15) / 16);
    set_best(g, start, 0);
    if (swq_intern_number(ctx, &g->set, start) < 0)
        return swq_memory_status(ctx);
    for (int64_t node = 0; node < g->set.count && !status; node++) {
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        if (node == room && !grow(g, room = 2 * room + 64))
            return swq_memory_status(ctx);
        status = add_moves(g, node);
    }
    if (status)
        return status;
    const size_t nodes = (size_t)(g->nodes = g->set.count);
    g->value = swq_calloc(ctx, nodes, sizeof *g->value);
    g->move = swq_calloc(ctx, nodes, sizeof *g->move);
    g->forced = swq_calloc(ctx, nodes, sizeof *g->forced);
    g->rank = swq_calloc(ctx, nodes, sizeof *g->rank);
    g->forcing = swq_calloc(ctx, nodes, sizeof *g->forcing);
    g->next = swq_calloc(ctx, nodes, sizeof *g->next);
    return g->value && g->move && g->forced && g->rank && g->forcing && g->next
               ? SWQ_OK
               : swq_memory_status(ctx);
}

void swq_game_clear(swq_game *g)
{
    swq_context *ctx = g->ctx;

    swq_intern_clear(ctx, &g->set);
    swq_free(ctx, g->held);
    swq_free(ctx, g->taken);
    swq_free(ctx, g->after);
    swq_free(ctx, g->order);
    swq_free(ctx, g->renamed);
    swq_free(ctx, g->first);
    swq_free(ctx, g->to);
    swq_free(ctx, g->rule_sent);
    swq_free(ctx, g->optimum_sent);
    swq_free(ctx, g->value);
    swq_free(ctx, g->move);
    swq_free(ctx, g->forced);
    swq_free(ctx, g->rank);
    swq_free(ctx, g->forcing);
    swq_free(ctx, g->next);
}
