/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States up to renaming of ports: see orbits.h.
 */
#include "exact/orbits.h"

#include "base/context.h"

#include <string.h>

/* Permutation number k of 0 .. n-1. */
static void permutation(int k, int n, uint8_t *p)
{
    for (int i = 0; i < n; i++) {
        /* p[i] is the (k mod (n - i))-th value not used yet */
        int skip = k % (n - i), face = 0;
        k /= n - i;
        for (;; face++) {
            bool used = false;
            for (int before = 0; before < i; before++)
                used = used || p[before] == face;
            if (!used && skip-- == 0)
                break;
        }
        p[i] = (uint8_t)face;
    }
}

static bool preserves(const swq_rational_spec *spec, const swq_renaming *r)
{
    for (int i = 0; i < spec->sw.ports; i++) {
        if (!mpq_equal(spec->load[r->input[i]], spec->load[i]))
            return false;
        for (int j = 0; j < spec->sw.ports; j++) {
            if (!mpq_equal(spec->dest[r->input[i]][r->output[j]], spec->dest[i][j]))
                return false;
        }
    }
    return true;
}

swq_status swq_renamings_find(swq_context *ctx, const swq_rational_spec *spec,
                              const swq_layout *layout, bool reduce, swq_renamings *renamings,
                              int *input_class)
{
    const swq_switch *sw = &spec->sw;
    bool alike = sw->buffer.scope == SWQ_POOL || sw->arbiter->alike == SWQ_ALIKE_ALL;
    int factorial = 1;

    *renamings = (swq_renamings){0};
    for (int i = 0; i < sw->ports; i++)
        input_class[i] = i;
    if (!reduce || !alike || layout->memory >= 0 || sw->ports > SWQ_ORBITS_PORTS)
        return SWQ_OK;
    for (int i = 2; i <= sw->ports; i++)
        factorial *= i;
    renamings->one = swq_calloc(ctx, (size_t)factorial * (size_t)factorial, sizeof *renamings->one);
    if (!renamings->one)
        return swq_memory_status(ctx);
    for (int k = 0; k < factorial * factorial; k++) {
        swq_renaming *r = &renamings->one[renamings->count];
        permutation(k % factorial, sw->ports, r->input);
        permutation(k / factorial, sw->ports, r->output);
        if (!preserves(spec, r))
            continue;
        renamings->count++;
        for (int i = 0; i < sw->ports; i++)
            input_class[r->input[i]] = i < input_class[r->input[i]] ? i : input_class[r->input[i]];
    }
    return SWQ_OK;
}

static void rename_ports(const swq_renaming *r, const swq_layout *l, const swq_word *from,
                         swq_word *to)
{
    for (int b = 0; b < l->buffers; b++) {
        int into = l->buffers > 1 ? r->input[b] : 0;
        for (int q = 0; q < l->queues; q++) {
            int at = b * l->queues + q;
            int goes = into * l->queues + (l->queues > 1 ? r->output[q] : 0);
            to[goes] = from[at];
            if (l->freed >= 0)
                to[l->freed + goes] = from[l->freed + at];
            for (int k = 0; k < l->kept_words; k += l->buffers * l->queues)
                to[l->kept + k + goes] = from[l->kept + k + at];
        }
        if (l->head >= 0) {
            swq_word head = from[l->head + b];
            to[l->head + into] = head ? (swq_word)(1 + r->output[head - 1]) : 0;
            if (l->same >= 0)
                to[l->same + into] = from[l->same + b];
        }
    }
    for (int i = 0; l->held >= 0 && i < l->ports; i++) {
        swq_word held = from[l->held + i];
        /* a packet held before a single queue has no destination yet */
        to[l->held + r->input[i]] =
            swq_names_output(l, held) ? (swq_word)(1 + r->output[held - 1]) : held;
    }
    for (int k = 0; l->cross >= 0 && k < l->ports * l->ports; k++)
        to[l->cross + r->input[k / l->ports] * l->ports + r->output[k % l->ports]] =
            from[l->cross + k];
    for (int j = 0; l->out >= 0 && j < l->ports; j++)
        to[l->out + r->output[j]] = from[l->out + j];
}

static uint64_t hash(const swq_word *state, int words)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (int w = 0; w < words; w++) {
        h = (h ^ state[w]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

/* The slot where the state is, or where it belongs. */
static int64_t find(const swq_state_set *set, const swq_word *state)
{
    int64_t at = (int64_t)(hash(state, set->words) & (uint64_t)(set->slots - 1));

    while (set->slot[at] && memcmp(set->state + (int64_t)(set->slot[at] - 1) * set->words, state,
                                   sizeof *state * (size_t)set->words) != 0)
        at = (at + 1) & (set->slots - 1);
    return at;
}

static swq_status grow(swq_context *ctx, swq_state_set *set)
{
    int64_t room = set->room ? 2 * set->room : 64;
    if (room >= INT32_MAX)
        return swq_fail(ctx, SWQ_ELIMIT, "too many states for exact rationals");
    swq_word *state = swq_resize(ctx, set->state, (size_t)room, sizeof *state * (size_t)set->words);
    if (!state)
        return swq_memory_status(ctx);
    set->state = state;
    int32_t *orbit = swq_resize(ctx, set->orbit, (size_t)room, sizeof *orbit);
    if (!orbit)
        return swq_memory_status(ctx);
    set->orbit = orbit;
    int32_t *slot = swq_calloc(ctx, (size_t)room * 4, sizeof *slot);
    if (!slot)
        return swq_memory_status(ctx);
    swq_free(ctx, set->slot);
    set->slot = slot;
    set->slots = room * 4;
    set->room = room;
    for (int64_t k = 0; k < set->count; k++)
        set->slot[find(set, set->state + k * set->words)] = (int32_t)k + 1;
    return SWQ_OK;
}

/* The state's number; *added: it is new. */
static swq_status number_in(swq_context *ctx, swq_state_set *set, const swq_word *state,
                            int32_t *number, bool *added)
{
    swq_status status = set->count == set->room ? grow(ctx, set) : SWQ_OK;
    if (status)
        return status;
    int64_t at = find(set, state);
    *added = set->slot[at] == 0;
    if (*added) {
        memcpy(set->state + set->count * set->words, state, sizeof *state * (size_t)set->words);
        set->slot[at] = (int32_t)++set->count;
    }
    *number = set->slot[at] - 1;
    return SWQ_OK;
}

swq_status swq_orbits_init(swq_context *ctx, swq_orbits *o, const swq_layout *layout,
                           const swq_renamings *renamings)
{
    *o = (swq_orbits){.renamings = renamings, .layout = layout};
    o->met.words = o->kept.words = layout->words;
    o->work = swq_calloc(ctx, (size_t)layout->words, 2 * sizeof *o->work);
    return o->work ? SWQ_OK : swq_memory_status(ctx);
}

static void clear_set(swq_context *ctx, swq_state_set *set)
{
    swq_free(ctx, set->state);
    swq_free(ctx, set->orbit);
    swq_free(ctx, set->slot);
}

void swq_orbits_clear(swq_context *ctx, swq_orbits *o)
{
    clear_set(ctx, &o->met);
    clear_set(ctx, &o->kept);
    swq_free(ctx, o->work);
    *o = (swq_orbits){0};
}

swq_status swq_orbits_number(swq_context *ctx, swq_orbits *o, const swq_word *state,
                             int32_t *number)
{
    const swq_layout *l = o->layout;
    size_t bytes = sizeof *state * (size_t)l->words;
    swq_word *least = o->work, *image = o->work + l->words;
    int32_t mine, orbit;
    bool added;

    if (o->renamings->count <= 1)
        return number_in(ctx, &o->kept, state, number, &added);
    swq_status status = number_in(ctx, &o->met, state, &mine, &added);
    if (!status && added) {
        memcpy(least, state, bytes);
        for (int k = 0; k < o->renamings->count; k++) {
            rename_ports(&o->renamings->one[k], l, state, image);
            if (memcmp(image, least, bytes) < 0)
                memcpy(least, image, bytes);
        }
        status = number_in(ctx, &o->kept, least, &orbit, &added);
        if (!status)
            o->met.orbit[mine] = orbit;
    }
    if (!status)
        *number = o->met.orbit[mine];
    return status;
}
