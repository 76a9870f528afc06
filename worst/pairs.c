/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers for pairs of contents.
 */
#include "worst/pairs.h"

#include "base/context.h"

#include <string.h>

double swq_worst_contents(int queues, int slots, int classes)
{
    double sum = 0, count = 1; /* of contents of exactly b packets */

    for (int b = 0; b <= slots; b++) {
        sum += count;
        count = count * classes * (queues + b) / (b + 1);
    }
    return sum;
}

/* ---- the optimum's contents ---- */

/* Ways to hold at most `slots` packets in the last `queues` queues. */
static uint64_t *below(const swq_worst_pairs *p, int queues, int slots)
{
    return &p->below[queues * (p->slots + 1) + slots];
}

static void count_below(swq_worst_pairs *p)
{
    for (int b = 0; b <= p->slots; b++)
        *below(p, 0, b) = 1;
    for (int n = 1; n <= p->queues; n++) {
        *below(p, n, 0) = 1;
        for (int b = 1; b <= p->slots; b++)
            *below(p, n, b) = (uint64_t)p->classes * *below(p, n, b - 1) + *below(p, n - 1, b);
    }
}

static int length_of(const swq_worst_pairs *p, uint16_t queue)
{
    return swq_queue_length(p->classes > 1, queue);
}

/* The contents are in lexical order: before this one come, for each queue, those with a shorter
 * queue behind the same queues, and those with an equally long queue that comes first by the
 * classes of its packets. */
uint32_t swq_worst_content(const swq_worst_pairs *p, const uint16_t *held)
{
    uint64_t rank = 0;
    int left = p->slots;

    for (int q = 0; q < p->queues; q++) {
        const int length = length_of(p, held[q]), others = p->queues - q;
        const uint64_t same_length = p->classes > 1 ? 1u << length : 1;
        rank += *below(p, others, left);
        left -= length;
        rank -= same_length * *below(p, others, left);
        if (p->classes > 1)
            rank += (held[q] + 1 - same_length) * *below(p, others - 1, left);
    }
    return (uint32_t)rank;
}

int swq_worst_free_slots(const swq_worst_pairs *p, const uint16_t *held)
{
    int left = p->slots;

    for (int q = 0; q < p->queues; q++)
        left -= length_of(p, held[q]);
    return left;
}

/* The next content in lexical order, which exists. */
static void next_content(const swq_worst_pairs *p, uint16_t *held)
{
    int left = swq_worst_free_slots(p, held), q = p->queues - 1;

    /* no room for what comes next in the last queue: empty it */
    while (left + length_of(p, held[q]) < length_of(p, (uint16_t)(held[q] + 1))) {
        left += length_of(p, held[q]);
        held[q--] = 0;
    }
    held[q]++;
}

static void list_contents(swq_worst_pairs *p)
{
    const bool valued = p->classes > 1;
    uint16_t held[SWQ_WORST_QUEUES] = {0};

    for (uint32_t f = 0; f < p->contents; f++) {
        uint16_t after[SWQ_WORST_QUEUES];
        int packets = 0, high = 0;
        if (f > 0)
            next_content(p, held);
        memcpy(&p->held[f * (uint32_t)p->queues], held, sizeof *held * (size_t)p->queues);
        for (int q = 0; q < p->queues; q++) {
            packets += held[q] > 0;
            high += swq_queue_high(valued, held[q], held[q] > 0);
            after[q] = held[q] > 0 ? swq_queue_without(valued, held[q], 0) : held[q];
        }
        p->sent[f] = (uint8_t)swq_shipment(valued, packets, high);
        p->send[f] = swq_worst_content(p, after);
        const bool room = swq_worst_free_slots(p, held) > 0;
        for (int a = 0; a < p->queues * p->classes; a++) {
            const int q = a % p->queues;
            memcpy(after, held, sizeof after);
            after[q] = room ? swq_queue_append(valued, held[q], a / p->queues) : held[q];
            p->taken[(uint32_t)a * p->contents + f] =
                room ? swq_worst_content(p, after) : SWQ_WORST_NONE;
        }
    }
}

/* ---- kinds ---- */

/* Sorts the queues that may be exchanged, longest first. */
static void sort_alike(uint32_t alike, int queues, uint16_t *length)
{
    for (int q = 1; q < queues; q++) {
        for (int at = q; alike >> at & 1 && length[at - 1] < length[at]; at--) {
            const uint16_t kept = length[at];
            length[at] = length[at - 1];
            length[at - 1] = kept;
        }
    }
}

static swq_status make_kind(swq_context *ctx, const swq_worst_pairs *p, uint32_t alike,
                            swq_worst_kind *kind)
{
    const size_t size = sizeof(uint16_t) * (size_t)p->queues;

    *kind = (swq_worst_kind){.alike = alike};
    kind->place = swq_calloc(ctx, p->contents, sizeof *kind->place);
    kind->member = swq_calloc(ctx, p->contents, sizeof *kind->member);
    kind->renamed = swq_calloc(ctx, p->rule->renamings, sizeof *kind->renamed);
    if (!kind->place || !kind->member || !kind->renamed)
        return swq_memory_status(ctx);
    for (int pass = 0; pass < 2; pass++) { /* the sorted ones; the others */
        for (uint32_t f = 0; f < p->contents; f++) {
            const uint16_t *held = &p->held[f * (uint32_t)p->queues];
            uint16_t sorted[SWQ_WORST_QUEUES];
            memcpy(sorted, held, size);
            sort_alike(alike, p->queues, sorted);
            const bool is_sorted = memcmp(sorted, held, size) == 0;
            if (pass == 0 && is_sorted) {
                kind->place[f] = kind->members;
                kind->member[kind->members++] = f;
            } else if (pass == 1 && !is_sorted) {
                kind->place[f] = kind->place[swq_worst_content(p, sorted)];
            }
        }
    }
    return SWQ_OK;
}

/* The places of contents after a renaming, for a state of this kind. */
static swq_status make_renamed(swq_context *ctx, const swq_worst_pairs *p, uint32_t renaming,
                               swq_worst_kind *kind)
{
    const uint8_t *order = p->rule->renaming[renaming];

    if (kind->renamed[renaming])
        return SWQ_OK;
    uint32_t *place = swq_calloc(ctx, p->contents, sizeof *place);
    if (!place)
        return swq_memory_status(ctx);
    for (uint32_t f = 0; f < p->contents; f++) {
        uint16_t length[SWQ_WORST_QUEUES];
        for (int q = 0; q < p->queues; q++)
            length[q] = p->held[f * (uint32_t)p->queues + order[q]];
        place[f] = kind->place[swq_worst_content(p, length)];
    }
    kind->renamed[renaming] = place;
    return SWQ_OK;
}

/* The kinds of all states, and the tables that moves need. */
static swq_status make_kinds(swq_context *ctx, swq_worst_pairs *p)
{
    const swq_worst_rule *rule = p->rule;
    swq_status status = SWQ_OK;

    for (uint32_t s = 0; s < rule->states; s++) {
        uint32_t k = 0;
        while (k < p->kinds && p->kind[k].alike != rule->alike[s])
            k++;
        p->kind_of[s] = k;
        if (k < p->kinds)
            continue;
        if (!swq_resize_array(ctx, &p->kind, k + 1, sizeof *p->kind))
            return swq_memory_status(ctx);
        p->kinds++;
        status = make_kind(ctx, p, rule->alike[s], &p->kind[k]);
        if (status)
            return status;
    }
    const uint32_t moves = rule->first[rule->states * (uint32_t)rule->kinds];
    for (uint32_t m = 0; m < moves + rule->states && !status; m++) {
        const swq_worst_move *move = m < moves ? &rule->move[m] : &rule->send[m - moves];
        status = make_renamed(ctx, p, move->renaming, &p->kind[p->kind_of[move->to]]);
    }
    return status;
}

/* ---- pairs ---- */

swq_status swq_worst_pairs_make(swq_context *ctx, const swq_worst_rule *rule,
                                const swq_worst_spec *spec, swq_worst_pairs *p)
{
    const int slots = spec->buffer->capacity, classes = swq_worst_classes(spec);
    const double contents = swq_worst_contents(rule->queues, slots, classes);
    const size_t queues = (size_t)rule->queues;

    *p =
        (swq_worst_pairs){.rule = rule, .queues = rule->queues, .slots = slots, .classes = classes};
    if (contents * rule->kinds >= SWQ_WORST_NONE)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "slots %d in %d queues can be filled in %.3g ways, more than are "
                        "distinguished",
                        slots, rule->queues, contents);
    p->contents = (uint32_t)(contents + 0.5);
    p->held = swq_calloc(ctx, p->contents * queues, sizeof *p->held);
    p->taken = swq_calloc(ctx, p->contents * (size_t)rule->kinds, sizeof *p->taken);
    p->send = swq_calloc(ctx, p->contents, sizeof *p->send);
    p->sent = swq_calloc(ctx, p->contents, sizeof *p->sent);
    p->below = swq_calloc(ctx, (queues + 1) * (size_t)(slots + 1), sizeof *p->below);
    p->kind_of = swq_calloc(ctx, rule->states, sizeof *p->kind_of);
    p->offset = swq_calloc(ctx, (size_t)rule->states + 1, sizeof *p->offset);
    if (!p->held || !p->taken || !p->send || !p->sent || !p->below || !p->kind_of || !p->offset)
        return swq_memory_status(ctx);
    count_below(p);
    list_contents(p);
    swq_status status = make_kinds(ctx, p);
    for (uint32_t s = 0; s < rule->states && !status; s++)
        p->offset[s + 1] = p->offset[s] + p->kind[p->kind_of[s]].members;
    return status;
}

void swq_worst_pairs_clear(swq_context *ctx, swq_worst_pairs *p)
{
    for (uint32_t k = 0; k < p->kinds; k++) {
        for (uint32_t r = 0; r < p->rule->renamings && p->kind[k].renamed; r++)
            swq_free(ctx, p->kind[k].renamed[r]);
        swq_free(ctx, p->kind[k].member);
        swq_free(ctx, p->kind[k].place);
        swq_free(ctx, p->kind[k].renamed);
    }
    swq_free(ctx, p->held);
    swq_free(ctx, p->taken);
    swq_free(ctx, p->send);
    swq_free(ctx, p->sent);
    swq_free(ctx, p->below);
    swq_free(ctx, p->kind);
    swq_free(ctx, p->kind_of);
    swq_free(ctx, p->offset);
    *p = (swq_worst_pairs){.rule = NULL};
}

int64_t swq_worst_node(const swq_worst_pairs *p, const uint16_t *rule, const uint16_t *optimum)
{
    uint8_t order[SWQ_WORST_QUEUES] = {0};
    uint16_t held[SWQ_WORST_WORDS], other[SWQ_WORST_QUEUES];

    swq_worst_sort(p->rule->renamed, rule, p->queues, p->rule->words, order);
    for (int q = 0; q < p->queues; q++)
        other[q] = optimum[order[q]];
    for (int k = 0; k < p->rule->words; k++)
        held[k] = rule[k - k % p->queues + order[k % p->queues]];
    const int64_t s = swq_intern_find(&p->rule->set, held);
    if (s < 0)
        return -1;
    return (int64_t)(p->offset[s] + p->kind[p->kind_of[s]].place[swq_worst_content(p, other)]);
}

uint32_t swq_worst_state(const swq_worst_pairs *p, uint64_t node)
{
    uint32_t low = 0, high = p->rule->states;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->offset[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}
