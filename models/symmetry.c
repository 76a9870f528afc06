/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a spec's permutations, and canonical states.
 */
#include "models/symmetry.h"

#include "base/context.h"
#include "models/classes.h"

#include <string.h>

/* The permutation of 0 .. n-1 with the given number, 0 .. n!-1. */
static void unrank(int number, int n, uint8_t *permutation)
{
    uint8_t left[SWQ_CHAIN_PORTS];

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

/* The order of the product group: the product of the factorials of the class sizes. */
static double class_orders(const uint8_t *class, int n)
{
    int members[SWQ_CHAIN_PORTS] = {0};
    double order = 1;

    for (int i = 0; i < n; i++)
        order *= ++members[class[i]];
    return order;
}

double swq_symmetry_outputs(const swq_symmetry *s, int n)
{
    return class_orders(s->output_class, n);
}

void swq_symmetry_output_permutation(const swq_symmetry *s, int n, int number, uint8_t *to)
{
    for (int c = 0; c < n; c++) {
        uint8_t member[SWQ_CHAIN_PORTS], shuffled[SWQ_CHAIN_PORTS];
        int members = 0, orders = 1;
        for (int j = 0; j < n; j++) {
            if (s->output_class[j] == c) {
                member[members++] = (uint8_t)j;
                orders *= members;
            }
        }
        if (members == 0)
            continue;
        unrank(number % orders, members, shuffled);
        number /= orders;
        for (int k = 0; k < members; k++)
            to[member[k]] = member[shuffled[k]];
    }
}

static bool same_input(const swq_switch *sw, int a, int b)
{
    bool same = sw->load[a] == sw->load[b];

    for (int j = 0; j < sw->ports && same; j++)
        same = sw->dest[a][j] == sw->dest[b][j];
    return same;
}

static bool same_output(const swq_switch *sw, int a, int b)
{
    bool same = true;

    for (int i = 0; i < sw->ports && same; i++)
        same = sw->dest[i][a] == sw->dest[i][b];
    return same;
}

/* Ports that can be exchanged without moving any other. */
static void find_classes(const swq_switch *sw, swq_symmetry *s)
{
    for (int i = 0; i < sw->ports; i++) {
        s->input_class[i] = s->output_class[i] = (uint8_t)i;
        for (int k = i - 1; k >= 0; k--) {
            s->input_class[i] = same_input(sw, k, i) ? (uint8_t)k : s->input_class[i];
            s->output_class[i] = same_output(sw, k, i) ? (uint8_t)k : s->output_class[i];
        }
    }
    s->order = class_orders(s->input_class, sw->ports) * class_orders(s->output_class, sw->ports);
    s->product = true;
}

/* Of element[0 .. tried), keep those that preserve the spec, and derive the classes from them. */
static int keep_preserving(const swq_switch *sw, swq_symmetry *s, int tried)
{
    int kept = 0;

    for (int k = 0; k < tried; k++) {
        swq_permutation p = s->element[k];
        if (k > 0 && !preserves(sw, &p))
            continue;
        s->element[kept++] = p;
        for (int i = 0; i < sw->ports; i++) {
            if (i < s->input_class[p.input[i]])
                s->input_class[p.input[i]] = (uint8_t)i;
            if (i < s->output_class[p.output[i]])
                s->output_class[p.output[i]] = (uint8_t)i;
        }
    }
    return kept;
}

/* Try all pairs of permutations: is the group more than the product of the classes? */
static swq_status list_all(swq_context *ctx, const swq_switch *sw, swq_symmetry *s)
{
    int n = sw->ports, permutations = 1, identity = 0;

    for (int i = 2; i <= n; i++)
        permutations *= i;
    s->element = swq_calloc(ctx, (size_t)permutations, (size_t)permutations * sizeof *s->element);
    if (!s->element)
        return swq_memory_status(ctx);
    for (int k = 0; k < permutations * permutations;
         k++) { /* permutations that move only outputs come first */
        unrank(k % permutations, n, s->element[k].output);
        unrank(k / permutations, n, s->element[k].input);
    }
    s->listed = keep_preserving(sw, s, permutations * permutations);
    if (s->listed > s->order) {
        s->product = false;
        s->order = s->listed;
        return SWQ_OK;
    }
    while (identity < s->listed &&
           memcmp(s->element[identity].input, s->element[0].input, (size_t)n) == 0)
        identity++;
    s->listed = identity;
    return SWQ_OK;
}

/* Rename the pointers of outputs that choose independently; the pointers of inputs are in the
 * arbiter's memory. */
static void rename_columns(int ports, const uint8_t *input, const uint8_t *output,
                           const uint16_t *memory, uint16_t *renamed)
{
    for (int j = 0; j < ports; j++)
        renamed[output[j]] = input[memory[j]];
}

/* Cyclic shifts of inputs and outputs, by the same number or (`apart`) by any two numbers. */
static swq_status list_shifts(swq_context *ctx, const swq_switch *sw, bool apart, swq_symmetry *s)
{
    int n = sw->ports, shifts = apart ? n * n : n;

    s->element = swq_calloc(ctx, (size_t)shifts, sizeof *s->element);
    if (!s->element)
        return swq_memory_status(ctx);
    for (int k = 0; k < shifts; k++) {
        for (int i = 0; i < n; i++) {
            s->element[k].input[i] = (uint8_t)((i + k) % n);
            s->element[k].output[i] = (uint8_t)((i + (apart ? k / n : k)) % n);
        }
    }
    s->listed = keep_preserving(sw, s, shifts);
    s->order = s->listed;
    s->rename = sw->arbiter->rename;
    if (swq_switch_architecture(sw)->stage.columns && swq_switch_memory(sw) == n)
        s->rename = rename_columns;
    return SWQ_OK;
}

/* Does the rule of admission treat queues differently that traffic does not distinguish? Of tied
 * queues of one class either may lose the packet, with states that are images of each other,
 * but not if only some of all queues are of one class, or if the rule keeps words. */
static bool breaks_ties_by_number(const swq_switch *sw)
{
    bool alike = !swq_buffer_admission(&sw->buffer)->keeps;

    for (int j = 1; j < sw->ports; j++)
        alike = alike && same_output(sw, 0, j);
    return swq_buffer_numbers_queues(&sw->buffer) && !alike;
}

swq_status swq_symmetry_find(swq_context *ctx, const swq_switch *sw, bool wanted, swq_symmetry *s)
{
    bool pool = sw->buffer.scope == SWQ_POOL;
    swq_alike alike = pool ? SWQ_ALIKE_ALL : sw->arbiter->alike;

    *s = (swq_symmetry){.order = 1, .product = true, .listed = 1};
    wanted = wanted && !breaks_ties_by_number(sw);
    for (int i = 0; i < sw->ports; i++)
        s->input_class[i] = s->output_class[i] = (uint8_t)i;
    if (wanted && (alike == SWQ_ALIKE_SHIFTED_TOGETHER || alike == SWQ_ALIKE_SHIFTED_APART)) {
        s->product = false;
        return list_shifts(ctx, sw, alike == SWQ_ALIKE_SHIFTED_APART, s);
    }
    if (wanted && alike == SWQ_ALIKE_ALL) {
        find_classes(sw, s);
        s->listed = 0;
        if (sw->ports <= SWQ_SYMMETRY_PORTS)
            return list_all(ctx, sw, s);
        if (s->order > 1)
            return SWQ_OK;
        s->listed = 1;
    }
    s->element = swq_calloc(ctx, 1, sizeof *s->element);
    if (!s->element)
        return swq_memory_status(ctx);
    unrank(0, sw->ports, s->element->input);
    unrank(0, sw->ports, s->element->output);
    return SWQ_OK;
}

void swq_symmetry_clear(swq_context *ctx, swq_symmetry *s)
{
    swq_free(ctx, s->element);
    *s = (swq_symmetry){0};
}

/* The image of a destination that is stored plus one; 0 is none. */
static swq_word moved(const swq_permutation *p, swq_word destination)
{
    return destination == 0 ? 0 : (swq_word)(1 + p->output[destination - 1]);
}

static void apply_classes(const swq_permutation *p, const swq_layout *l, const swq_word *from,
                          swq_word *to)
{
    for (int b = 0; b < l->buffers; b++) {
        const int into = l->buffers == 1 ? 0 : p->input[b], at = b * l->queues;
        swq_rename_queues(l, p->output, from + at, to + into * l->queues);
        if (l->freed >= 0)
            swq_rename_queues(l, p->output, from + l->freed + at, to + l->freed + into * l->queues);
        if (l->head >= 0)
            swq_rename_heads(l, p->output, from + l->head + b * l->heads,
                             to + l->head + into * l->heads);
    }
    for (int i = 0; l->held >= 0 && i < l->ports; i++)
        to[l->held + p->input[i]] = swq_rename_packet(l, p->output, from[l->held + i]);
}

static void apply(const swq_permutation *p, const swq_layout *l, const swq_word *from, swq_word *to)
{
    if (l->classes > 1) {
        apply_classes(p, l, from, to);
        return;
    }
    for (int b = 0; b < l->buffers; b++) {
        int into = l->buffers == 1 ? 0 : p->input[b];
        for (int q = 0; q < l->queues; q++) {
            int at = b * l->queues + q,
                goes = into * l->queues + (l->queues == 1 ? 0 : p->output[q]);
            to[goes] = from[at];
            if (l->freed >= 0)
                to[l->freed + goes] = from[l->freed + at];
            for (int k = 0; k < l->kept_words; k += l->buffers * l->queues)
                to[l->kept + k + goes] = from[l->kept + k + at];
        }
        if (l->head >= 0)
            to[l->head + into] = moved(p, from[l->head + b]);
        if (l->same >= 0)
            to[l->same + into] = from[l->same + b];
    }
    for (int i = 0; l->held >= 0 && i < l->ports; i++)
        to[l->held + p->input[i]] = swq_names_output(l, from[l->held + i])
                                        ? moved(p, from[l->held + i])
                                        : from[l->held + i];
    for (int i = 0; l->cross >= 0 && i < l->ports; i++) {
        for (int j = 0; j < l->ports; j++)
            to[l->cross + p->input[i] * l->ports + p->output[j]] =
                from[l->cross + i * l->ports + j];
    }
    for (int j = 0; l->out >= 0 && j < l->ports; j++)
        to[l->out + p->output[j]] = from[l->out + j];
    for (int i = 0; l->turn >= 0 && i < l->ports; i++)
        to[l->turn + p->input[i]] = from[l->turn + i];
    if (l->opens >= 0)
        to[l->opens] = from[l->opens];
}

enum { INPUT_PARTS = 7 };

/* The words of one input in a part of the state, in this order: lengths, head, freed, held,
 * crosspoints, same, turn. */
static swq_word *part_of_input(const swq_layout *l, swq_word *state, int part, int i, int *words)
{
    const int start[INPUT_PARTS] = {l->buffers > 1 ? 0 : -1,
                                    l->head,
                                    l->buffers > 1 ? l->freed : -1,
                                    l->held,
                                    l->cross,
                                    l->same,
                                    l->turn};
    int each = part == 4 ? l->ports : part == 0 || part == 2 ? l->queues : part == 1 ? l->heads : 1;

    *words = start[part] < 0 ? 0 : each;
    return start[part] < 0 ? state : state + start[part] + i * each;
}

/* Order two inputs of one class: exchange their words if the second input's are smaller. */
static void sort_pair(const swq_layout *l, swq_word *state, int i, int j)
{
    int order = 0, words;

    for (int part = 0; part < INPUT_PARTS && order == 0; part++) {
        swq_word *a = part_of_input(l, state, part, i, &words);
        swq_word *b = part_of_input(l, state, part, j, &words);
        for (int w = 0; w < words && order == 0; w++)
            order = (a[w] > b[w]) - (a[w] < b[w]);
    }
    for (int part = 0; part < INPUT_PARTS && order > 0; part++) {
        swq_word *a = part_of_input(l, state, part, i, &words);
        swq_word *b = part_of_input(l, state, part, j, &words);
        for (int w = 0; w < words; w++) {
            swq_word kept = a[w];
            a[w] = b[w];
            b[w] = kept;
        }
    }
}

/* Sort the inputs of each class. Inputs of a pool whose sources hold nothing differ only by their
 * turn: inputs that have had their turn come first. */
static void sort_inputs(const swq_symmetry *s, const swq_layout *l, swq_word *state)
{
    const uint8_t *class = s->input_class;
    const bool turns_alone = l->buffers == 1 && l->held < 0;
    int to_come[SWQ_CHAIN_PORTS] = {0};

    for (int i = 0; i < l->ports && !turns_alone; i++) {
        for (int k = i + 1; k < l->ports; k++) {
            if (class[i] == class[k])
                sort_pair(l, state, i, k);
        }
    }
    if (!turns_alone || l->turn < 0)
        return;
    for (int i = 0; i < l->ports; i++)
        to_come[class[i]] += state[l->turn + i];
    for (int i = l->ports - 1; i >= 0; i--) {
        state[l->turn + i] = to_come[class[i]] > 0;
        to_come[class[i]] -= to_come[class[i]] > 0;
    }
}

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Marks from queues per output only. */
static void mark_outputs_of_classes(const swq_layout *l, const swq_word *state, uint64_t *mark)
{
    const int normal = swq_normal_queues(l);

    for (int b = 0; b < l->buffers; b++) {
        const uint64_t all = (uint64_t)swq_occupancy(l, state, b) << 40;
        for (int q = 0; q < l->queues; q++) {
            const bool high = q >= normal;
            if (l->split.fans[high])
                mark[q - (high ? normal : 0)] +=
                    mix(all | (uint64_t)high << 20 | state[b * l->queues + q]);
        }
    }
}

/* mark[SWQ_CHAIN_PORTS]: a mark for each output that does not depend on names: the mark sums, over
 * the inputs, a hash of the packets that the input holds for the output and in total. Outputs with
 * different marks need not be tried in each other's place. */
static void mark_outputs(const swq_layout *l, const swq_word *state, uint64_t *mark)
{
    memset(mark, 0, sizeof *mark * SWQ_CHAIN_PORTS);
    if (l->classes > 1) {
        mark_outputs_of_classes(l, state, mark);
        return;
    }
    for (int b = 0; b < l->buffers; b++) {
        uint64_t all = (uint64_t)swq_occupancy(l, state, b) << 40;
        for (int q = 0; q < l->queues && !l->deferred; q++) {
            int at = b * l->queues + q;
            uint64_t freed = l->freed >= 0 ? state[l->freed + at] : 0;
            mark[q] += mix(all | freed << 20 | state[at]);
            for (int k = 0; k < l->kept_words; k += l->buffers * l->queues)
                mark[q] += mix((uint64_t)3 << 60 | (uint64_t)k << 32 | state[l->kept + k + at]);
        }
        if (l->head >= 0 && state[l->head + b])
            mark[state[l->head + b] - 1] += mix(all | 1 << 19);
    }
    for (int i = 0; l->held >= 0 && i < l->ports; i++) {
        if (swq_names_output(l, state[l->held + i])) {
            int buffer = l->buffers > 1 ? i : 0;
            uint64_t all = (uint64_t)swq_occupancy(l, state, buffer) << 40;
            mark[state[l->held + i] - 1] += mix(all | 1 << 18);
        }
    }
    for (int j = 0; (l->out >= 0 || l->cross >= 0) && j < l->ports; j++) {
        for (int i = 0; l->cross >= 0 && i < l->ports; i++)
            mark[j] += mix(((uint64_t)swq_occupancy(l, state, i) << 40) | ((uint64_t)1 << 60) |
                           state[l->cross + i * l->ports + j]);
        mark[j] += l->out >= 0 ? mix(((uint64_t)1 << 61) | state[l->out + j]) : 0;
    }
}

/* Compare the marks in the order of two renamings of the outputs. */
static int compare_marks(int ports, const uint64_t *mark, const swq_permutation *a,
                         const swq_permutation *b)
{
    uint64_t as[SWQ_CHAIN_PORTS], bs[SWQ_CHAIN_PORTS];

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

/* Compare two outputs by what a pool holds for them, and by the number of sources of each class
 * that hold a packet for them. */
static int compare_outputs(const swq_symmetry *s, const swq_layout *l, const swq_word *state, int a,
                           int b)
{
    int order = (state[a] > state[b]) - (state[a] < state[b]);

    for (int high = l->ports; order == 0 && high < l->queues; high += l->ports)
        order = (state[high + a] > state[high + b]) - (state[high + a] < state[high + b]);
    for (int high = l->ports; l->freed >= 0 && order == 0 && high < l->queues; high += l->ports)
        order = (state[l->freed + high + a] > state[l->freed + high + b]) -
                (state[l->freed + high + a] < state[l->freed + high + b]);
    if (order == 0 && l->freed >= 0)
        order = (state[l->freed + a] > state[l->freed + b]) -
                (state[l->freed + a] < state[l->freed + b]);
    for (int k = 0; order == 0 && k < l->kept_words; k += l->buffers * l->queues)
        order = (state[l->kept + k + a] > state[l->kept + k + b]) -
                (state[l->kept + k + a] < state[l->kept + k + b]);
    for (int c = 0; l->held >= 0 && c < l->ports && order == 0; c++) {
        int turns = 0;
        for (int i = c; i < l->ports; i++) {
            if (s->input_class[i] == c)
                order += (state[l->held + i] == a + 1) - (state[l->held + i] == b + 1);
        }
        for (int i = c, sum = 0; l->classes > 1 && order == 0 && i <= l->ports; i++) {
            if (i == l->ports)
                order = sum;
            else if (s->input_class[i] == c)
                sum += (state[l->held + i] == l->ports + a + 1) -
                       (state[l->held + i] == l->ports + b + 1);
        }
        for (int i = c; l->turn >= 0 && order == 0 && i < l->ports; i++) {
            if (s->input_class[i] == c && state[l->turn + i])
                turns += (state[l->held + i] == a + 1) - (state[l->held + i] == b + 1);
        }
        order = order ? order : turns;
    }
    return order;
}

/* A pool with many ports: sort the outputs of a class by everything that is known of them, then the
 * sources. */
static void sort_pool(const swq_symmetry *s, const swq_layout *l, swq_word *state, swq_word *given)
{
    int order[SWQ_CHAIN_PORTS], n = l->ports;
    swq_permutation p = {{0}, {0}};

    memcpy(given, state, sizeof *state * (size_t)l->words);
    for (int j = 0; j < n; j++) {
        int at = j;
        for (; at > 0 && (s->output_class[order[at - 1]] > s->output_class[j] ||
                          (s->output_class[order[at - 1]] == s->output_class[j] &&
                           compare_outputs(s, l, given, order[at - 1], j) > 0));
             at--)
            order[at] = order[at - 1];
        order[at] = j;
    }
    unrank(0, n, p.input);
    /* the members of a class fill the places that the class has */
    for (int j = 0, at = 0; j < n; j++) {
        for (int k = 0; k < n && s->output_class[j] == j; k++) {
            if (s->output_class[k] == j)
                p.output[order[at++]] = (uint8_t)k;
        }
    }
    apply(&p, l, given, state);
    sort_inputs(s, l, state);
}

static void rename_memory(const swq_symmetry *s, const swq_permutation *p, const swq_layout *l,
                          const swq_word *from, swq_word *to)
{
    if (l->memory < 0)
        return;
    if (s->rename)
        s->rename(l->ports, p->input, p->output, from + l->memory, to + l->memory);
    else
        memcpy(to + l->memory, from + l->memory, sizeof *to * (size_t)l->memory_words);
}

void swq_symmetry_canonical(const swq_symmetry *s, const swq_layout *l, swq_word *state,
                            swq_word *work)
{
    size_t bytes = sizeof *state * (size_t)l->words;
    swq_word *image = work, *given = work + l->words;
    uint64_t mark[SWQ_CHAIN_PORTS];
    int best = 0;
    bool first = true;

    if (s->order <= 1)
        return;
    if (s->listed == 0) {
        sort_pool(s, l, state, given);
        return;
    }
    memcpy(given, state, bytes);
    mark_outputs(l, given, mark);
    for (int k = 1; k < s->listed; k++) {
        if (compare_marks(l->ports, mark, &s->element[k], &s->element[best]) < 0)
            best = k;
    }
    for (int k = best; k < s->listed; k++) {
        if (compare_marks(l->ports, mark, &s->element[k], &s->element[best]) != 0)
            continue;
        apply(&s->element[k], l, given, image);
        rename_memory(s, &s->element[k], l, given, image);
        if (s->product)
            sort_inputs(s, l, image);
        if (first || memcmp(image, state, bytes) < 0)
            memcpy(state, image, bytes);
        first = false;
    }
}
