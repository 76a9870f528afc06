/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The size of a chain, counted before anything is generated: all contents, and by Burnside's lemma
 * their orbits under the spec's symmetry, the mean number of contents that a permutation leaves
 * alone (contents.c).
 */
#include "switchq/chain.h"

#include "base/context.h"
#include "models/chain_parts.h"
#include "models/contents.h"

#include <math.h>

enum {
    WITH_HELD = 50,      /* states reached per content, when packets are held and slots freed */
    PACKED_FROM = 16384, /* entries of a factor that is packed (growing.c) */
    FIRST_BYTES = 150000 /* of a level of any size: arrays start with room for some dozens */
};

/* The number of values of an arbiter's memory that a renaming fixes. A renaming permutes words and
 * renames what they point to: going around a cycle of words must bring a pointer back to itself.
 * Both maps are found by renaming a memory with one word that is not 0. */
static double fixed_memory(const swq_symmetry *s, const swq_layout *l, const swq_permutation *p)
{
    int words = l->memory_words, n = l->ports;
    uint16_t zero[2 * SWQ_CHAIN_PORTS] = {0}, base[2 * SWQ_CHAIN_PORTS], probe[2 * SWQ_CHAIN_PORTS];
    int goes[2 * SWQ_CHAIN_PORTS];
    uint16_t becomes[2 * SWQ_CHAIN_PORTS][SWQ_CHAIN_PORTS];
    bool seen[2 * SWQ_CHAIN_PORTS] = {false};
    double fixed = 1;

    if (words == 0 || !s->rename || n < 2)
        return pow(n, words);
    s->rename(n, p->input, p->output, zero, base);
    for (int w = 0; w < words; w++) {
        for (int v = n - 1; v >= 0; v--) {
            zero[w] = (uint16_t)v;
            s->rename(n, p->input, p->output, zero, probe);
            for (int k = 0; k < words && v > 0; k++)
                goes[w] = probe[k] != base[k] ? k : goes[w];
            becomes[w][v] = probe[goes[w]];
        }
    }
    for (int w = 0; w < words; w++) {
        int unmoved = 0;
        for (int v = 0; v < n && !seen[w]; v++) {
            int at = w;
            uint16_t value = (uint16_t)v;
            do {
                value = becomes[at][value];
                at = goes[at];
            } while (at != w);
            unmoved += value == v;
        }
        fixed *= seen[w] ? 1 : unmoved;
        for (int at = w; !seen[at]; at = goes[at])
            seen[at] = true;
    }
    return fixed;
}

/* The number of states that one permutation fixes. */
static double fixed_states(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                           const swq_permutation *p, double *work, swq_contents_cache *cache)
{
    swq_cycles inputs = swq_cycles_of_power(p->input, l->ports, 1);
    swq_cycles outputs = swq_cycles_of_power(p->output, l->ports, 1);
    double fixed = fixed_memory(s, l, p) * swq_fixed_outputs(sw, l, &outputs);

    for (int k = 0; k < (l->buffers > 1 ? inputs.count : 1); k++) {
        /* going once around a cycle of inputs moves the outputs by the permutation to the power of
         * the cycle's length */
        swq_cycles c =
            swq_cycles_of_power(p->output, l->ports, l->buffers > 1 ? inputs.length[k] : 1);
        fixed *= swq_fixed_contents(sw, l, &c, work, cache);
    }
    for (int k = 0; l->held >= 0 && k < inputs.count; k++) {
        swq_cycles c = swq_cycles_of_power(p->output, l->ports, inputs.length[k]);
        fixed *= swq_fixed_held(l, &c);
    }
    return fixed;
}

/* The sizes of the classes, in any order; returns the number of classes. */
static int class_sizes(const uint8_t *class, int n, int *size)
{
    int members[SWQ_CHAIN_PORTS] = {0}, classes = 0;

    for (int i = 0; i < n; i++)
        members[class[i]]++;
    for (int i = 0; i < n; i++) {
        if (members[i] > 0)
            size[classes++] = members[i];
    }
    return classes;
}

/* The mean, over all permutations of m inputs, of the product over their cycles of weight[length]:
 * the coefficient of x^m in exp(sum weight[l] x^l / l). */
static double mean_over_inputs(int m, const double *weight)
{
    double c[SWQ_CHAIN_PORTS + 1] = {1};

    for (int k = 1; k <= m; k++) {
        for (int l = 1; l <= k; l++)
            c[k] += weight[l] * c[k - l];
        c[k] /= k;
    }
    return c[m];
}

/* A walk over the cycle types of the permutations of outputs within their classes. */
typedef struct {
    const swq_switch *sw;
    const swq_layout *l;
    int input_classes, input_size[SWQ_CHAIN_PORTS];
    int output_classes, output_size[SWQ_CHAIN_PORTS];
    swq_cycles type; /* under construction */
    double *work;
    double sum; /* over types: mean number of fixed states times the type's share */
} type_walk;

static int common_divisor(int a, int b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

static swq_cycles power_of_type(const swq_cycles *type, int power)
{
    swq_cycles c = {0};

    for (int k = 0; k < type->count; k++) {
        int pieces = common_divisor(type->length[k], power);
        for (int p = 0; p < pieces; p++) {
            c.length[c.count++] = type->length[k] / pieces;
            c.fixed += type->length[k] == pieces;
        }
    }
    return c;
}

/* The number of states fixed by this type of output permutation, averaged over the permutations of
 * inputs. */
static double mean_for_type(const type_walk *t)
{
    const swq_layout *l = t->l;
    swq_contents_cache cache = {0};
    double weight[SWQ_CHAIN_PORTS + 1] = {0}, mean = 1;
    const double outputs = swq_fixed_outputs(t->sw, l, &t->type);

    for (int power = 1; power <= l->ports; power++) {
        swq_cycles c = power_of_type(&t->type, power);
        weight[power] = swq_fixed_held(l, &c);
        cache.types = 0;
        if (l->buffers > 1 || l->ports == 1)
            weight[power] *= swq_fixed_contents(t->sw, l, &c, t->work, &cache);
        else if (power == 1)
            mean = swq_fixed_contents(t->sw, l, &c, t->work, &cache);
    }
    for (int k = 0; k < t->input_classes; k++)
        mean *= mean_over_inputs(t->input_size[k], weight);
    return mean * outputs;
}

/* Divide the `left` outputs of a class into cycles of at most `longest`; share: the fraction of
 * permutations with the cycles chosen so far. */
static void walk_types(type_walk *t, int class, int left, int longest, double share)
{
    if (left == 0) {
        if (class + 1 == t->output_classes)
            t->sum += share * mean_for_type(t);
        else
            walk_types(t, class + 1, t->output_size[class + 1], t->output_size[class + 1], share);
        return;
    }
    for (int length = longest < left ? longest : left; length >= 1; length--) {
        double part = share;
        int count = t->type.count;
        for (int times = 1; times * length <= left; times++) {
            part /= (double)length * times;
            t->type.length[t->type.count++] = length;
            /* later cycles are shorter, and there are none if this one has length 1 */
            if (left == times * length || length > 1)
                walk_types(t, class, left - times * length, length - 1, part);
        }
        t->type.count = count;
    }
}

static double count_product(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                            double *work)
{
    type_walk t = {.sw = sw, .l = l, .work = work};

    t.input_classes = class_sizes(s->input_class, l->ports, t.input_size);
    t.output_classes = class_sizes(s->output_class, l->ports, t.output_size);
    walk_types(&t, 0, t.output_size[0], t.output_size[0], 1);
    return t.sum * pow(l->ports, l->memory_words);
}

static double count_listed(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                           double *work)
{
    swq_contents_cache cache = {0};
    double sum = 0;

    for (int k = 0; k < s->listed; k++)
        sum += fixed_states(sw, l, s, &s->element[k], work, &cache);
    return sum / s->order;
}

/* Do all packets go to one output, in an architecture whose outputs share nothing? The memory of
 * all other outputs is then always empty. */
static bool one_output(const swq_switch *sw)
{
    bool alone =
        swq_switch_architecture(sw)->stage.apart && sw->flow == SWQ_DISCARD && sw->burst <= 1;

    for (int i = 0; i < sw->ports && alone; i++)
        alone = sw->dest[i][0] == 1;
    return alone;
}

/* Bytes for the turns of a reception, per state: in a pool, the states between turns differ by the
 * inputs still to come, as far as the symmetry distinguishes them; with a buffer per input, there
 * is a turn for each. */
static double bytes_in_turns(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                             double choices)
{
    int members[SWQ_CHAIN_PORTS], classes = class_sizes(s->input_class, l->ports, members);
    double kinds = sw->buffer.scope == SWQ_POOL ? 1 : l->ports, picks = 1;

    for (int k = 0; k < classes && sw->buffer.scope == SWQ_POOL; k++) {
        kinds *= members[k] + 1;
        picks = classes;
    }
    const double nodes = kinds + l->steps;
    const double rewards = classes + class_sizes(s->output_class, l->ports, members);
    return 0.8 * nodes * ((double)sizeof(swq_word) * (l->words + l->ports + 1) + 30) +
           16 * kinds * choices * picks + 3 * (double)sizeof(long double) * kinds * rewards +
           48.0 * l->ports;
}

/* Bytes needed for generation, fitted to chains that were generated: nodes of all levels with their
 * slots in hash tables, and the entries of the factors, in arrays that may have just grown. */
static double bytes_for(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                        double states)
{
    const double choices =
        one_output(sw) ? 2 : (l->deferred ? 2 + l->ports : 1 + l->ports) * (l->bursts ? 2 : 1);
    double n = l->ports, levels = 1 + l->steps, entries, words = l->words;

    if (swq_by_rows(sw, s)) {
        levels = swq_rows_levels(sw);
        entries = 0.7 * n * (n + 1) + 4 * n * (sw->speedup > 1 ? sw->speedup : 1);
        words = n;
    } else if (swq_by_steps(sw)) {
        return FIRST_BYTES * (levels + n - 1) + states * bytes_in_turns(sw, l, s, choices);
    } else {
        entries = fmin(pow(choices, n), states) + n * n;
    }
    double each = 16 * entries * states; /* bytes of the entries, in rows or, if large, packed */
    if (swq_by_rows(sw, s))
        each = fmin(each, 16 * PACKED_FROM * levels + 5 * entries * states);
    bool by_output =
        (!l->deferred || l->bursts) && !swq_by_rows(sw, s); /* also expectations by output */
    return FIRST_BYTES * levels +
           states * (0.8 * levels * (sizeof(swq_word) * words + 30) + (by_output ? 32 : 16) * n) +
           each;
}

/* The number of contents of the buffers, without packets held by sources and slots not yet
 * credited: few of all combinations with these are reached. */
static double count_contents(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                             double *work)
{
    swq_layout bare = *l;

    bare.freed = -1;
    bare.held = l->bursts ? l->held : -1; /* bursts can begin and continue at any time */
    if (s->product && sw->ports > SWQ_ROW_PORTS && sw->buffer.scope == SWQ_PER_INPUT)
        return INFINITY;
    return s->product ? count_product(sw, &bare, s, work) : count_listed(sw, &bare, s, work);
}

static double written_out(const swq_switch *sw, const swq_layout *l, double all, double *work)
{
    double held = l->held >= 0 ? pow(l->ports + 1, l->ports) : 1;
    double freed = l->freed >= 0 ? pow(l->queues + 1, l->buffers) : 1;

    double behind =
        pow(l->cross < 0 ? 1 : sw->crosspoint_slots + 1, l->ports * l->ports) *
        pow(l->out < 0 ? 1 : sw->output_slots + (sw->departures_first ? 1 : 0), l->ports);

    if (l->classes > 1) {
        swq_cycles each = {.count = l->ports, .fixed = l->ports};
        for (int j = 0; j < l->ports; j++)
            each.length[j] = 1;
        held = l->held >= 0 ? pow(SWQ_CLASSES * l->ports + 1, l->ports) : 1;
        return pow(swq_class_contents(l, &each, true, work), l->buffers) * held * freed *
               pow(l->ports, l->memory_words);
    }
    return l->deferred
               ? behind *
                     pow(swq_count_lists(l->ports, swq_longest_queue(&sw->buffer)), l->buffers) *
                     held * freed * pow(l->ports, l->memory_words)
               : all;
}

/* Outcomes of the dice if n inputs may have a packet for a queue with room for `room`: which inputs
 * have one, and the order in which the fewer of those accepted and those refused are drawn. */
static double falls_of_a_queue(int n, int room)
{
    double falls = 0, who = 1;

    for (int k = 0; k <= n; k++) {
        const int taken = k < room ? k : room, drawn = taken < k - taken ? taken : k - taken;
        double orders = 1;
        for (int i = 0; i < drawn; i++)
            orders *= k - i;
        falls += who * orders;
        who *= (double)(n - k) / (k + 1);
    }
    return falls;
}

/* The states of one output's memory up to the symmetry of the inputs: the length of its queue, or,
 * for each class of inputs, how many of its crosspoints have each length. An output that serves in
 * turns also has a pointer; for such an output the number does not use the symmetry, and is an
 * upper bound. */
static void count_one_output(const swq_switch *sw, const swq_layout *l, const swq_symmetry *s,
                             swq_chain_size *size)
{
    const bool queue = swq_switch_architecture(sw)->stage.output_queues;
    const int n = sw->ports, c = sw->crosspoint_slots;
    int members[SWQ_CHAIN_PORTS], classes = class_sizes(s->input_class, n, members);
    const bool turns = swq_switch_memory(sw) > 0;

    size->unreduced = queue ? sw->output_slots : pow(c + 1, n) * (turns ? n : 1);
    size->states = queue ? sw->output_slots : turns ? size->unreduced : 1;
    for (int k = 0; !queue && !turns && k < classes; k++) {
        for (int i = 1; i <= c; i++) /* choose c of members + c */
            size->states *= (double)(members[k] + i) / i;
    }
    size->states = size->states < 0x1p52 ? round(size->states) : size->states;
    size->outcomes = 0;
    for (int room = 1; queue && room <= sw->output_slots; room++)
        size->outcomes += falls_of_a_queue(n, room);
    size->bytes = bytes_for(sw, l, s, size->states);
}

swq_status swq_chain_foresee_symmetry(swq_context *ctx, const swq_switch *sw, bool reduce,
                                      swq_chain_size *size, swq_symmetry *handed)
{
    swq_layout l;
    swq_symmetry symmetry = {0};
    swq_status status = swq_chain_check(ctx, sw);
    if (status)
        return status;
    swq_layout_init(&l, sw);
    /* the limit applies to the chain, not to counting its states */
    size_t limit = swq_context_memory_limit(ctx);
    swq_context_limit_memory(ctx, 0);
    const int slots = l.split.slots;
    double *ways = swq_calloc(ctx, (size_t)slots + 1, 2 * sizeof *ways);
    status = ways ? swq_symmetry_find(ctx, sw, reduce, &symmetry) : swq_memory_status(ctx);
    /* whole switches with many ports are not brought to canonical form */
    if (!status && symmetry.listed == 0 && sw->buffer.scope == SWQ_PER_INPUT &&
        sw->ports <= SWQ_ROW_PORTS && !swq_by_rows(sw, &symmetry))
        status = swq_symmetry_find(ctx, sw, false, &symmetry);
    swq_context_limit_memory(ctx, limit);
    if (status) {
        swq_free(ctx, ways);
        return status;
    }
    swq_permutation identity = {{0}, {0}};
    swq_contents_cache cache = {0};
    for (int i = 0; i < l.ports; i++)
        identity.input[i] = identity.output[i] = (uint8_t)i;
    double all = fixed_states(sw, &l, &(swq_symmetry){0}, &identity, ways, &cache);
    if (symmetry.product && sw->ports > SWQ_ROW_PORTS && sw->buffer.scope == SWQ_PER_INPUT)
        size->states = all / symmetry.order; /* a lower bound, but far too many in any case */
    else
        size->states = symmetry.product ? count_product(sw, &l, &symmetry, ways)
                                        : count_listed(sw, &l, &symmetry, ways);
    /* remove the rounding errors of the shares of cycle types */
    if (size->states < 0x1p52)
        size->states = round(size->states);
    size->unreduced = written_out(sw, &l, all, ways);
    int sources = 0;
    for (int i = 0; i < sw->ports; i++)
        sources += sw->load[i] > 0;
    /* with idle sources few states are reached, and only one reception is certain */
    double receptions = sources == sw->ports ? size->states : 1;
    size->outcomes = swq_by_rows(sw, &symmetry)
                         ? 0
                         : receptions * pow(1 + l.ports * (l.bursts ? 2 : l.classes), sources);
    size->in_turns = !swq_by_rows(sw, &symmetry) && swq_by_steps(sw);
    double contents = count_contents(sw, &l, &symmetry, ways);
    size->bytes = bytes_for(sw, &l, &symmetry, fmin(size->states, WITH_HELD * contents));
    if (one_output(sw))
        count_one_output(sw, &l, &symmetry, size);
    swq_free(ctx, ways);
    *handed = symmetry;
    return SWQ_OK;
}

swq_status swq_chain_foresee(swq_context *ctx, const swq_switch *sw, bool reduce,
                             swq_chain_size *size)
{
    swq_symmetry symmetry;
    swq_status status = swq_chain_foresee_symmetry(ctx, sw, reduce, size, &symmetry);

    if (!status)
        swq_symmetry_clear(ctx, &symmetry);
    return status;
}
