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

void swq_symmetry_canonical(const swq_symmetry *s, const swq_layout *l, swq_word *state,
                            swq_word *work)
{
    size_t bytes = sizeof *state * (size_t)l->words;
    swq_word *image = work, *given = work + l->words;

    if (s->order <= 1)
        return;
    memcpy(given, state, bytes);
    for (int k = 0; k < s->order; k++) {
        apply(&s->element[k], l, given, image);
        if (memcmp(image, state, bytes) < 0)
            memcpy(state, image, bytes);
    }
}
