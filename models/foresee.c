/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large a chain can get, counted before anything is generated: all contents, and by Burnside's
 * lemma their orbits under the spec's symmetry, the mean number of contents that a permutation
 * leaves alone. Room: models. Includes base.
 */
#include "switchq/chain.h"

#include "base/context.h"
#include "models/state.h"
#include "models/symmetry.h"

#include <assert.h>
#include <math.h>

/* Cycles of a permutation of outputs. */
typedef struct {
    int count, length[SWQ_MAX_PORTS], fixed; /* fixed: cycles of length one */
} cycles;

static cycles cycles_of_power(const uint8_t *permutation, int n, int power)
{
    bool seen[SWQ_MAX_PORTS] = {false};
    cycles c = {0};

    for (int i = 0; i < n; i++) {
        int size = 0;
        for (int at = i; !seen[at]; size++) {
            seen[at] = true;
            for (int k = 0; k < power; k++)
                at = permutation[at];
        }
        if (size)
            c.length[c.count++] = size;
        c.fixed += size == 1;
    }
    return c;
}

/* Contents of one buffer with a queue per output that a permutation of the outputs leaves alone:
 * queue lengths are equal along its cycles. Convolve the cycles over the shared slots in use: a
 * cycle of m queues uses none with 0 .. min packets each, and m e with exactly min + e. O(cycles *
 * slots). ways, below: [capacity + 1] each. */
static double even_contents(const swq_buffer *b, int queues, const cycles *c, double *ways,
                            double *below)
{
    int shared = b->capacity - queues * b->queue_min, most = b->queue_max - b->queue_min;
    double count = 0;

    for (int used = 0; used <= shared; used++)
        ways[used] = used == 0;
    for (int k = 0; k < c->count; k++) {
        int m = c->length[k];
        for (int used = 0; used <= shared; used++) /* sums with stride m */
            below[used] = ways[used] + (used >= m ? below[used - m] : 0);
        for (int used = 0; used <= shared; used++) {
            double above = used >= m ? below[used - m] : 0;
            int past = used - m * (most + 1);
            ways[used] = ways[used] * (b->queue_min + 1) + above - (past >= 0 ? below[past] : 0);
        }
    }
    for (int used = 0; used <= shared; used++)
        count += ways[used];
    return count;
}

/* Counts of contents by cycle type: a group has thousands of permutations and few types. */
typedef struct {
    int types;
    uint64_t type[16]; /* number of cycles of each length, ten bits each */
    double count[16];
} contents_cache;

static double cached_contents(const swq_buffer *b, int queues, const cycles *c, double *work,
                              contents_cache *cache)
{
    uint64_t type = 0;
    int k = 0;

    for (int i = 0; i < c->count; i++)
        type += (uint64_t)1 << 10 * (c->length[i] - 1);
    while (k < cache->types && cache->type[k] != type)
        k++;
    if (k == cache->types) {
        assert(cache->types < 16);
        cache->type[k] = type;
        cache->count[k] = even_contents(b, queues, c, work, work + b->capacity + 1);
        cache->types++;
    }
    return cache->count[k];
}

/* Lists of at most `longest` packets with n destinations each. */
static double count_lists(int n, int longest)
{
    double count = 0;

    for (int l = 0; l <= longest; l++)
        count += pow(n, l);
    return count;
}

/* Packets that a single queue can hold. */
static int longest_queue(const swq_buffer *b)
{
    return b->queue_max < b->capacity ? b->queue_max : b->capacity;
}

/* States that one permutation leaves alone; `identity` counts them all. Slots not yet credited are
 * counted as none or one queue's, in each buffer. */
static double fixed_states(const swq_switch *sw, const swq_layout *l, const swq_permutation *p,
                           double *work, contents_cache *cache)
{
    cycles inputs = cycles_of_power(p->input, l->ports, 1);
    double fixed = 1;

    for (int k = 0; k < (l->buffers > 1 ? inputs.count : 1); k++) {
        /* going once around a cycle of inputs moves the outputs by the power of its length */
        cycles c = cycles_of_power(p->output, l->ports, l->buffers > 1 ? inputs.length[k] : 1);
        fixed *= l->deferred ? 1 + (double)longest_queue(&sw->buffer) * c.fixed
                             : cached_contents(&sw->buffer, l->queues, &c, work, cache);
        if (l->freed >= 0)
            fixed *= 1 + (l->deferred ? 1 : c.fixed);
    }
    for (int k = 0; l->held >= 0 && k < inputs.count; k++) {
        cycles c = cycles_of_power(p->output, l->ports, inputs.length[k]);
        fixed *= 1 + (l->deferred ? 1 : c.fixed);
    }
    return fixed * pow(l->ports, l->memory_words); /* only the identity meets an arbiter's memory */
}

static double written_out(const swq_switch *sw, const swq_layout *l, double all)
{
    double held = l->held >= 0 ? pow(l->ports + 1, l->ports) : 1;
    double freed = l->freed >= 0 ? pow(l->queues + 1, l->buffers) : 1;

    return l->deferred ? pow(count_lists(l->ports, longest_queue(&sw->buffer)), l->buffers) * held *
                             freed * pow(l->ports, l->memory_words)
                       : all;
}

swq_status swq_chain_foresee(swq_context *ctx, const swq_switch *sw, bool reduce,
                             swq_chain_size *size)
{
    swq_layout l;
    swq_symmetry symmetry = {0};
    swq_status status = swq_switch_check(ctx, sw);
    if (status)
        return status;
    swq_layout_init(&l, sw);
    /* what is counted is held against the limit, not the counting */
    size_t limit = swq_context_memory_limit(ctx);
    swq_context_limit_memory(ctx, 0);
    double *ways = swq_calloc(ctx, (size_t)sw->buffer.capacity + 1, 2 * sizeof *ways);
    status = ways ? swq_symmetry_find(ctx, sw, reduce, &symmetry) : swq_memory_status(ctx);
    swq_context_limit_memory(ctx, limit);
    if (status) {
        swq_free(ctx, ways);
        return status;
    }
    contents_cache cache = {0};
    double all = 0, sum = 0;
    for (int k = 0; k < symmetry.order; k++) {
        double fixed = fixed_states(sw, &l, &symmetry.element[k], ways, &cache);
        all = k == 0 ? fixed : all; /* the identity comes first */
        sum += fixed;
    }
    size->states = sum / symmetry.order;
    size->unreduced = written_out(sw, &l, all);
    /* a state: its words, its slots in the hash table (8 numbers at worst), a row start and
     * rewards; an intermediate state likewise; their entries, in arrays that may have just doubled
     */
    double arrivals = pow(l.deferred ? 2 + l.ports : 1 + l.ports, l.ports);
    double state_bytes = 2 * sizeof(swq_word) * (double)l.words + 80 + 32.0 * l.ports;
    size->bytes = size->states * (2 * state_bytes + 24 * (arrivals + l.ports * l.ports));
    swq_symmetry_clear(ctx, &symmetry);
    swq_free(ctx, ways);
    return SWQ_OK;
}
