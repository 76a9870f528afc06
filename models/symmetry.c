/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a spec's permutations, and canonical states.
 * Room: models. Includes base.
 */
#include "models/symmetry.h"

#include "base/context.h"

#include <string.h>

/* The permutation of 0 .. n-1 with the given number, 0 .. n!-1. */
static void unrank(int number, int n, uint8_t *permutation)
{
    uint8_t left[SWQ_MAX_PORTS];

    for (int i = 0; i < n; i++)
        left[i] = (uint8_t)i;
    for (int i = 0; i < n; i++) {
        int take = number % (n - i);
        number /= n - i;
        permutation[i] = left[take];
        memmove(left + take, left + take + 1, (size_t)(n - i - take - 1));
    }
}

static bool preserves(const swq_switch *sw, const swq_permutation *p)
{
    for (int i = 0; i < sw->ports; i++) {
        if (sw->load[p->input[i]] != sw->load[i])
            return false;
        for (int j = 0; j < sw->ports; j++) {
            if (sw->dest[p->input[i]][p->output[j]] != sw->dest[i][j])
                return false;
        }
    }
    return true;
}

/* Is the group all permutations of inputs within their classes, times some of outputs? Then its
 * images need not all be tried: for each permutation of outputs, sorting the inputs gives the
 * smallest. Those that move outputs alone are put first. */
static void find_product(swq_symmetry *s, int n)
{
    static const int factorial[SWQ_SYMMETRY_PORTS + 1] = {1, 1, 2, 6, 24, 120};
    int members[SWQ_MAX_PORTS] = {0}, inputs = 1, outputs = 0;

    for (int i = 0; i < n; i++)
        members[s->input_class[i]]++;
    for (int i = 0; i < n; i++)
        inputs *= members[i] <= SWQ_SYMMETRY_PORTS ? factorial[members[i]] : 1;
    for (int k = 0; k < s->order; k++) {
        bool still = true;
        for (int i = 0; i < n; i++)
            still = still && s->element[k].input[i] == i;
        if (still) {
            swq_permutation mine = s->element[k];
            s->element[k] = s->element[outputs];
            s->element[outputs++] = mine;
        }
    }
    s->sorted = inputs * outputs == s->order;
    s->tried = s->sorted ? outputs : s->order;
}

swq_status swq_symmetry_find(swq_context *ctx, const swq_switch *sw, bool wanted, swq_symmetry *s)
{
    bool alike = sw->buffer.scope == SWQ_POOL || sw->arbiter->treats_ports_alike;
    int n = sw->ports, permutations = 1;

    wanted = wanted && alike && n <= SWQ_SYMMETRY_PORTS;
    for (int i = 2; wanted && i <= n; i++)
        permutations *= i;
    *s = (swq_symmetry){.order = 0};
    s->element = swq_calloc(ctx, (size_t)permutations, (size_t)permutations * sizeof *s->element);
    if (!s->element)
        return swq_memory_status(ctx);
    for (int i = 0; i < n; i++)
        s->input_class[i] = (uint8_t)i;
    /* number 0 is the identity: without symmetry it is the only one tried */
    for (int k = 0; k < permutations * permutations; k++) {
        swq_permutation *p = &s->element[s->order];
        unrank(k % permutations, n, p->input);
        unrank(k / permutations, n, p->output);
        if (k > 0 && !preserves(sw, p))
            continue;
        s->order++;
        for (int i = 0; i < n; i++) {
            if (p->input[i] < s->input_class[i])
                s->input_class[i] = p->input[i];
        }
    }
    find_product(s, n);
    return SWQ_OK;
}

void swq_symmetry_clear(swq_context *ctx, swq_symmetry *s)
{
    swq_free(ctx, s->element);
    *s = (swq_symmetry){0};
}

/* Where a destination, stored plus one, goes; 0 is none. A deferred held packet stays 1. */
static swq_word moved(const swq_permutation *p, swq_word destination, bool deferred)
{
    return destination == 0 || deferred ? destination : (swq_word)(1 + p->output[destination - 1]);
}

static void apply(const swq_permutation *p, const swq_layout *l, const swq_word *from, swq_word *to)
{
    for (int b = 0; b < l->buffers; b++) {
        int into = l->buffers == 1 ? 0 : p->input[b];
        for (int q = 0; q < l->queues; q++) {
            int at = b * l->queues + q,
                goes = into * l->queues + (l->queues == 1 ? 0 : p->output[q]);
            to[goes] = from[at];
            if (l->freed >= 0)
                to[l->freed + goes] = from[l->freed + at];
        }
        if (l->head >= 0)
            to[l->head + into] = moved(p, from[l->head + b], false);
    }
    for (int i = 0; l->held >= 0 && i < l->ports; i++)
        to[l->held + p->input[i]] = moved(p, from[l->held + i], l->deferred);
}

/* Words of one input, in the parts of the state in turn: lengths, head, freed, held. */
static swq_word *part_of_input(const swq_layout *l, swq_word *state, int part, int i, int *words)
{
    const int start[] = {l->buffers > 1 ? 0 : -1, l->head, l->buffers > 1 ? l->freed : -1, l->held};
    int each = part % 2 == 0 ? l->queues : 1;

    *words = start[part] < 0 ? 0 : each;
    return start[part] < 0 ? state : state + start[part] + i * each;
}

/* Order two inputs of one class: exchange what they hold if the second is smaller. */
static void sort_pair(const swq_layout *l, swq_word *state, int i, int j)
{
    int order = 0, words;

    for (int part = 0; part < 4 && order == 0; part++) {
        swq_word *a = part_of_input(l, state, part, i, &words);
        swq_word *b = part_of_input(l, state, part, j, &words);
        for (int w = 0; w < words && order == 0; w++)
            order = (a[w] > b[w]) - (a[w] < b[w]);
    }
    for (int part = 0; part < 4 && order > 0; part++) {
        swq_word *a = part_of_input(l, state, part, i, &words);
        swq_word *b = part_of_input(l, state, part, j, &words);
        for (int w = 0; w < words; w++) {
            swq_word kept = a[w];
            a[w] = b[w];
            b[w] = kept;
        }
    }
}

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

/* mark[SWQ_MAX_PORTS]: marks of the outputs that no renaming changes: each adds up, over the
 * inputs, what the input holds for the output and in all. Outputs with different marks are told
 * apart without trying. */
static void mark_outputs(const swq_layout *l, const swq_word *state, uint64_t *mark)
{
    memset(mark, 0, sizeof *mark * SWQ_MAX_PORTS);
    for (int b = 0; b < l->buffers; b++) {
        uint64_t all = (uint64_t)swq_occupancy(l, state, b) << 40;
        for (int q = 0; q < l->queues && !l->deferred; q++) {
            int at = b * l->queues + q;
            uint64_t freed = l->freed >= 0 ? state[l->freed + at] : 0;
            mark[q] += mix(all | freed << 20 | state[at]);
        }
        if (l->head >= 0 && state[l->head + b])
            mark[state[l->head + b] - 1] += mix(all | 1 << 19);
    }
    for (int i = 0; l->held >= 0 && !l->deferred && i < l->ports; i++) {
        if (state[l->held + i]) {
            int buffer = l->buffers > 1 ? i : 0;
            uint64_t all = (uint64_t)swq_occupancy(l, state, buffer) << 40;
            mark[state[l->held + i] - 1] += mix(all | 1 << 18);
        }
    }
}

/* Compare the marks in the order of two renamings of the outputs. */
static int compare_marks(int ports, const uint64_t *mark, const swq_permutation *a,
                         const swq_permutation *b)
{
    uint64_t as[SWQ_MAX_PORTS], bs[SWQ_MAX_PORTS];

    for (int j = 0; j < ports; j++) {
        as[a->output[j]] = mark[j];
        bs[b->output[j]] = mark[j];
    }
    for (int j = 0; j < ports; j++) {
        if (as[j] != bs[j])
            return as[j] < bs[j] ? -1 : 1;
    }
    return 0;
}

void swq_symmetry_canonical(const swq_symmetry *s, const swq_layout *l, swq_word *state,
                            swq_word *work)
{
    size_t bytes = sizeof *state * (size_t)l->words;
    swq_word *image = work, *given = work + l->words;
    uint64_t mark[SWQ_MAX_PORTS];
    int best = 0;
    bool first = true;

    if (s->order <= 1)
        return;
    memcpy(given, state, bytes);
    mark_outputs(l, given, mark);
    for (int k = 1; k < s->tried; k++) {
        if (compare_marks(l->ports, mark, &s->element[k], &s->element[best]) < 0)
            best = k;
    }
    for (int k = best; k < s->tried; k++) {
        if (compare_marks(l->ports, mark, &s->element[k], &s->element[best]) != 0)
            continue;
        apply(&s->element[k], l, given, image);
        for (int i = 0; s->sorted && i < l->ports; i++) {
            for (int j = i + 1; j < l->ports; j++) {
                if (s->input_class[i] == s->input_class[j])
                    sort_pair(l, image, i, j);
            }
        }
        if (first || memcmp(image, state, bytes) < 0)
            memcpy(state, image, bytes);
        first = false;
    }
}
