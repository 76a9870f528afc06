/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large a chain can get, counted before anything is generated.
 * Room: models. Includes base.
 */
#include "switchq/chain.h"

#include "base/context.h"
#include "models/state.h"

#include <math.h>

/* Contents of one buffer, by queue lengths: convolve the queues over the shared slots in use. A
 * queue uses none with 0 .. min packets, and e > 0 with exactly min + e. O(queues * slots). */
static swq_status count_lengths(swq_context *ctx, const swq_buffer *b, int queues, double *count)
{
    int shared = b->capacity - queues * b->queue_min;
    int most = b->queue_max - b->queue_min;
    double *ways = swq_calloc(ctx, (size_t)shared + 1, sizeof *ways);
    double *below = swq_calloc(ctx, (size_t)shared + 2, sizeof *below); /* sums of ways */
    swq_status status = ways && below ? SWQ_OK : swq_memory_status(ctx);

    *count = 0;
    if (!status)
        ways[0] = 1;
    for (int q = 0; !status && q < queues; q++) {
        for (int used = 0; used <= shared; used++)
            below[used + 1] = below[used] + ways[used];
        for (int used = 0; used <= shared; used++)
            ways[used] = ways[used] * (b->queue_min + 1) + below[used] -
                         below[used > most ? used - most : 0];
    }
    for (int used = 0; !status && used <= shared; used++)
        *count += ways[used];
    swq_free(ctx, below);
    swq_free(ctx, ways);
    return status;
}

/* Lists of at most `longest` packets with n destinations each. */
static double count_lists(int n, int longest)
{
    double count = 0;

    for (int l = 0; l <= longest; l++)
        count += pow(n, l);
    return count;
}

swq_status swq_chain_foresee(swq_context *ctx, const swq_switch *sw, swq_chain_size *size)
{
    swq_layout l;
    double contents = 0, written_out;
    swq_status status = swq_switch_check(ctx, sw);
    if (status)
        return status;
    swq_layout_init(&l, sw);
    if (l.deferred) {
        contents = 1 + (double)l.ports * sw->buffer.capacity;
        written_out = count_lists(l.ports, sw->buffer.capacity);
    } else {
        status = count_lengths(ctx, &sw->buffer, l.queues, &contents);
        if (status)
            return status;
        written_out = contents;
    }

    double held = l.held >= 0 ? pow(l.deferred ? 2 : l.ports + 1, l.ports) : 1;
    double freed = l.freed >= 0 ? pow(l.queues + 1, l.buffers) : 1;
    double arrivals = pow(l.deferred ? 2 + l.ports : 1 + l.ports, l.ports);
    double words = sizeof(swq_word) * (double)l.words;
    size->unreduced =
        pow(written_out, l.buffers) * (l.held >= 0 ? pow(l.ports + 1, l.ports) : 1) * freed;
    size->states = pow(contents, l.buffers) * held * freed;
    /* a state: its words, its slots in the hash table (8 numbers at worst), a row start and
     * rewards; an intermediate state likewise; their entries, in arrays that may have just doubled
     */
    double state_bytes = 2 * words + 64 + 16 + 32.0 * l.ports;
    double entries = arrivals + l.ports * l.ports;
    size->bytes = size->states * (2 * state_bytes + 2 * 12 * entries);
    return SWQ_OK;
}
