/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the machine of a rule: explores all contents, asks whether queues may be renamed, and
 * then joins the contents that differ only by names.
 */
#include "worst/rule.h"

#include "base/context.h"
#include "models/buffers/buffers.h"

#include <string.h>

enum { BETWEEN_LOOKS = 1 << 12 }; /* contents between two looks at a cancellation */

/* Which packet of a queue is pushed out. */
static int pushed_out(const swq_worst_spec *spec, int length)
{
    return spec->buffer->drop_head ? 0 : length - 1;
}

int swq_worst_outcomes(const swq_worst_spec *spec, const swq_word *held, int kind,
                       swq_worst_outcome *outcome)
{
    const bool valued = swq_worst_valued(spec);
    const int queues = spec->queues, words = swq_worst_words(spec);
    const int queue = kind % queues, class = kind / queues;
    const size_t size = sizeof *held * (size_t)words;
    swq_word length[SWQ_WORST_QUEUES];
    swq_dice dice;
    int count = 0;

    for (int q = 0; q < queues; q++)
        length[q] = (swq_word)swq_queue_length(valued, held[q]);
    swq_dice_begin_enumeration(&dice);
    do {
        swq_worst_outcome *next = &outcome[count];
        int k = 0;
        memcpy(next->held, held, size);
        next->fate = swq_buffer_fate(spec->buffer, queues, length,
                                     words > queues ? next->held + queues : NULL, queue, &dice);
        if (next->fate == queue && !valued) /* the packet takes the place of another such packet */
            next->fate = SWQ_REFUSE;
        if (next->fate >= 0)
            next->held[next->fate] =
                swq_queue_without(valued, held[next->fate], pushed_out(spec, length[next->fate]));
        if (next->fate != SWQ_REFUSE)
            next->held[queue] = swq_queue_append(valued, next->held[queue], class);
        while (memcmp(outcome[k].held, next->held, size) != 0)
            k++;
        count += k == count && count + 1 < SWQ_WORST_OUTCOMES;
    } while (swq_dice_next(&dice));
    return count;
}

/* Does queue a come before queue b among the queues of a state? */
static bool before(const swq_word *held, int queues, int words, int a, int b)
{
    for (int w = 0; w < words; w += queues) {
        if (held[w + a] != held[w + b])
            return held[w + a] > held[w + b];
    }
    return false;
}

void swq_worst_sort(bool renamed, const swq_word *held, int queues, int words, uint8_t *order)
{
    for (int k = 0; k < queues; k++) {
        int at = k;
        for (; renamed && at > 0 && before(held, queues, words, k, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)k;
    }
}

void swq_worst_send(const swq_worst_spec *spec, swq_word *held)
{
    const swq_admission_rule *rule = swq_buffer_admission(spec->buffer);
    const bool valued = swq_worst_valued(spec);
    swq_word length[SWQ_WORST_QUEUES];
    uint8_t sent[SWQ_WORST_QUEUES];

    for (int q = 0; q < spec->queues; q++) {
        sent[q] = held[q] > 0;
        for (int k = 0; k < spec->speedup && held[q] > 0; k++)
            held[q] = swq_queue_without(valued, held[q], 0);
        length[q] = (swq_word)swq_queue_length(valued, held[q]);
    }
    if (rule->keeps && rule->end_cycle)
        rule->end_cycle(spec->buffer, spec->queues, length, sent, held + spec->queues);
}

/* ---- all contents ---- */

/* All contents that the rule reaches, before queues are renamed. */
typedef struct {
    const swq_worst_spec *spec;
    int kinds;
    swq_intern set;
    int64_t *first; /* [states * kinds + 1] */
    uint32_t *to;   /* contents that an arrival leads to, in increasing order */
    int64_t moves, room;
} held_all;

static void contents_clear(swq_context *ctx, held_all *c)
{
    swq_intern_clear(ctx, &c->set);
    swq_free(ctx, c->first);
    swq_free(ctx, c->to);
}

/* Adds a content that an arrival leads to, to those from number `from` on. */
static swq_status add_content(swq_context *ctx, held_all *c, int64_t from, const swq_word *length)
{
    const int64_t to = swq_intern_number(ctx, &c->set, length);

    if (to < 0)
        return swq_memory_status(ctx);
    if (c->moves == c->room) {
        const int64_t room = 2 * c->room + 64;
        if (!swq_resize_array(ctx, &c->to, room, sizeof *c->to))
            return swq_memory_status(ctx);
        c->room = room;
    }
    int64_t k = c->moves++;
    for (; k > from && c->to[k - 1] > to; k--)
        c->to[k] = c->to[k - 1];
    c->to[k] = (uint32_t)to;
    return SWQ_OK;
}

/* What a packet of each kind, and the end of a phase, lead to from content s. */
static swq_status explore_one(swq_context *ctx, held_all *c, int64_t s)
{
    swq_word held[SWQ_WORST_WORDS];
    swq_worst_outcome outcome[SWQ_WORST_OUTCOMES];

    memcpy(held, swq_intern_state(&c->set, s), sizeof *held * (size_t)c->set.words);
    for (int a = 0; a < c->kinds; a++) {
        const int64_t from = c->moves;
        const int count = swq_worst_outcomes(c->spec, held, a, outcome);
        c->first[s * c->kinds + a] = from;
        for (int k = 0; k < count; k++) {
            swq_status status = add_content(ctx, c, from, outcome[k].held);
            if (status)
                return status;
        }
    }
    c->first[(s + 1) * c->kinds] = c->moves;
    swq_worst_send(c->spec, held);
    return swq_intern_number(ctx, &c->set, held) < 0 ? swq_memory_status(ctx) : SWQ_OK;
}

static swq_status explore(swq_context *ctx, held_all *c)
{
    const swq_word empty[SWQ_WORST_WORDS] = {0};
    int64_t room = 0;

    swq_intern_init(&c->set, swq_worst_words(c->spec));
    if (swq_intern_number(ctx, &c->set, empty) < 0)
        return swq_memory_status(ctx);
    for (int64_t s = 0; s < c->set.count; s++) {
        if (s % BETWEEN_LOOKS == 0)
            swq_progress(ctx, "contents", (double)s, 0);
        if (s == room) {
            room = 2 * room + 64;
            if (!swq_resize_array(ctx, &c->first, room * c->kinds + 1, sizeof *c->first))
                return swq_memory_status(ctx);
        }
        if (s % BETWEEN_LOOKS == 0 && swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled among the rule's contents, %lld so far",
                            (long long)s);
        swq_status status = explore_one(ctx, c, s);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* ---- may queues be renamed? ---- */

/* The number of content s after queues k and k + 1 are exchanged; -1: the rule never holds that. */
static int64_t exchanged(const held_all *c, int64_t s, int k)
{
    swq_word held[SWQ_WORST_WORDS];

    memcpy(held, swq_intern_state(&c->set, s), sizeof *held * (size_t)c->set.words);
    for (int at = k; at < c->set.words; at += c->spec->queues) {
        const swq_word first = held[at];
        held[at] = held[at + 1];
        held[at + 1] = first;
    }
    return swq_intern_find(&c->set, held);
}

/* Does a packet of kind a lead from content s to the same contents as a packet for the exchanged
 * queue from the exchanged content, after the exchange? */
static bool same_moves(const held_all *c, int64_t s, int64_t other, int a, int k)
{
    const int q = a % c->spec->queues, other_a = q == k ? a + 1 : q == k + 1 ? a - 1 : a;
    const int64_t from = c->first[s * c->kinds + a];
    const int64_t count = c->first[s * c->kinds + a + 1] - from;
    const int64_t other_from = c->first[other * c->kinds + other_a];

    if (c->first[other * c->kinds + other_a + 1] - other_from != count)
        return false;
    for (int64_t m = 0; m < count; m++) {
        const int64_t image = exchanged(c, c->to[from + m], k);
        bool found = false;
        for (int64_t b = 0; b < count; b++)
            found = found || c->to[other_from + b] == image;
        if (!found)
            return false;
    }
    return true;
}

/* Does the rule treat all queues alike? Exchanges of neighbours generate all renamings. */
static bool all_alike(swq_context *ctx, const held_all *c)
{
    const int queues = c->spec->queues;

    for (int64_t s = 0; s < c->set.count; s++) {
        if (s % BETWEEN_LOOKS == 0 && swq_context_cancelled(ctx))
            return false; /* and the caller looks, too */
        for (int k = 0; k + 1 < queues; k++) {
            const int64_t other = exchanged(c, s, k);
            if (other < 0)
                return false;
            for (int a = 0; a < c->kinds; a++) {
                if (!same_moves(c, s, other, a, k))
                    return false;
            }
        }
    }
    return true;
}

/* ---- states: contents up to a renaming ---- */

/* The number of a renaming, which is added if it is new; negative: no memory. */
static int64_t number_of_renaming(swq_context *ctx, swq_worst_rule *rule, const uint8_t *order)
{
    for (uint32_t k = 0; k < rule->renamings; k++) {
        if (memcmp(rule->renaming[k], order, (size_t)rule->queues) == 0)
            return k;
    }
    if (!swq_resize_array(ctx, &rule->renaming, rule->renamings + 1, sizeof *rule->renaming))
        return -1;
    memcpy(rule->renaming[rule->renamings], order, (size_t)rule->queues);
    return rule->renamings++;
}

/* The move to the state of a content; adds the state if it is new. */
static swq_status move_to(swq_context *ctx, swq_worst_rule *rule, const swq_word *held,
                          swq_worst_move *move)
{
    uint8_t order[SWQ_WORST_QUEUES] = {0};
    swq_word sorted[SWQ_WORST_WORDS];

    swq_worst_sort(rule->renamed, held, rule->queues, rule->words, order);
    for (int k = 0; k < rule->words; k++)
        sorted[k] = held[k - k % rule->queues + order[k % rule->queues]];
    const int64_t to = swq_intern_number(ctx, &rule->set, sorted);
    const int64_t renaming = number_of_renaming(ctx, rule, order);
    if (to < 0 || renaming < 0)
        return swq_memory_status(ctx);
    *move = (swq_worst_move){(uint32_t)to, (uint32_t)renaming};
    return SWQ_OK;
}

/* What the rule sends. */
static int shipment_of(const swq_worst_spec *spec, const swq_word *held)
{
    const bool valued = swq_worst_valued(spec);
    int packets = 0, high = 0;

    for (int q = 0; q < spec->queues; q++) {
        const int length = swq_queue_length(valued, held[q]);
        const int sent = length < spec->speedup ? length : spec->speedup;
        packets += sent;
        high += swq_queue_high(valued, held[q], sent);
    }
    return swq_shipment(valued, packets, high);
}

/* All moves of the state that is content x. */
static swq_status moves_of(swq_context *ctx, const held_all *c, int64_t x, uint32_t s,
                           swq_worst_rule *rule, uint32_t *moves)
{
    const int kinds = c->kinds;
    swq_word held[SWQ_WORST_WORDS];
    swq_status status = SWQ_OK;

    memcpy(held, swq_intern_state(&c->set, x), sizeof *held * (size_t)rule->words);
    rule->sent[s] = (uint16_t)shipment_of(c->spec, held);
    for (int q = 1; q < rule->queues && rule->renamed; q++) {
        if (!before(held, rule->queues, rule->words, q - 1, q))
            rule->alike[s] |= 1u << q;
    }
    for (int a = 0; a < kinds; a++) {
        rule->first[s * (uint32_t)kinds + (uint32_t)a] = *moves;
        for (int64_t k = c->first[x * kinds + a]; k < c->first[x * kinds + a + 1] && !status; k++)
            status =
                move_to(ctx, rule, swq_intern_state(&c->set, c->to[k]), &rule->move[(*moves)++]);
    }
    rule->first[(s + 1) * (uint32_t)kinds] = *moves;
    swq_worst_send(c->spec, held);
    return status ? status : move_to(ctx, rule, held, &rule->send[s]);
}

/* The states, in the order in which they are met from the empty memory. */
static swq_status join(swq_context *ctx, const held_all *c, swq_worst_rule *rule)
{
    const uint8_t same[SWQ_WORST_QUEUES] = {0, 1, 2, 3, 4, 5, 6, 7};
    const size_t most = (size_t)c->set.count;
    uint32_t moves = 0;
    swq_status status = SWQ_OK;

    swq_intern_init(&rule->set, rule->words);
    rule->alike = swq_calloc(ctx, most, sizeof *rule->alike);
    rule->sent = swq_calloc(ctx, most, sizeof *rule->sent);
    rule->send = swq_calloc(ctx, most, sizeof *rule->send);
    rule->first = swq_calloc(ctx, most * (size_t)c->kinds + 1, sizeof *rule->first);
    rule->move = swq_calloc(ctx, (size_t)c->moves, sizeof *rule->move);
    if (!rule->alike || !rule->sent || !rule->send || !rule->first || !rule->move ||
        number_of_renaming(ctx, rule, same) < 0 ||
        swq_intern_number(ctx, &rule->set, swq_intern_state(&c->set, 0)) < 0)
        return swq_memory_status(ctx);
    for (uint32_t s = 0; s < (uint32_t)rule->set.count && !status; s++) {
        const int64_t x = swq_intern_find(&c->set, swq_intern_state(&rule->set, s));
        status = moves_of(ctx, c, x, s, rule, &moves);
    }
    rule->states = (uint32_t)rule->set.count;
    return status;
}

swq_status swq_worst_rule_make(swq_context *ctx, const swq_worst_spec *spec, swq_worst_rule *rule)
{
    held_all all = {.spec = spec, .kinds = spec->queues * swq_worst_classes(spec)};

    *rule = (swq_worst_rule){
        .queues = spec->queues, .kinds = all.kinds, .words = swq_worst_words(spec)};
    swq_status status = explore(ctx, &all);
    if (!status) {
        rule->renamed = all_alike(ctx, &all);
        if (swq_context_cancelled(ctx))
            status = swq_fail(ctx, SWQ_ECANCELLED, "cancelled while queues were compared");
        else
            status = join(ctx, &all, rule);
    }
    contents_clear(ctx, &all);
    return status;
}

void swq_worst_rule_clear(swq_context *ctx, swq_worst_rule *rule)
{
    swq_intern_clear(ctx, &rule->set);
    swq_free(ctx, rule->alike);
    swq_free(ctx, rule->sent);
    swq_free(ctx, rule->send);
    swq_free(ctx, rule->first);
    swq_free(ctx, rule->move);
    swq_free(ctx, rule->renaming);
    *rule = (swq_worst_rule){.queues = 0};
}
