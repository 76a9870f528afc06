/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains: their size, choosing the generator, and their parts. chain_states.c has the questions
 * about a state.
 */
#include "models/chain_parts.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>

swq_switch swq_chain_resized(const swq_switch *sw, int slots)
{
    swq_switch other = *sw;
    swq_buffer *b = &other.buffer;
    int queues = swq_buffer_queues(b, sw->ports), whole = b->capacity;

    b->capacity = sw->buffer.scope == SWQ_POOL ? slots * sw->ports : slots;
    if (sw->buffer.queue_min > 0 && sw->buffer.queue_min * queues == whole)
        b->queue_min = b->queue_max =
            b->capacity / queues; /* permanently divided into equal parts */
    else if (sw->buffer.queue_max == whole || b->queue_max > b->capacity)
        b->queue_max = b->capacity;
    return other;
}

int swq_chain_most_slots(swq_context *ctx, const swq_switch *sw, bool reduce,
                         swq_chain_fits_fn *fits, const void *arg)
{
    const swq_buffer *b = &sw->buffer;
    const int queues = swq_buffer_queues(b, sw->ports), least = b->queue_min * queues;
    const int each = b->scope == SWQ_POOL ? sw->ports : 1;
    const bool split = b->queue_min > 0 && least == b->capacity;
    const int step = split ? queues : 1;
    /* there must be at least the reserved slots */
    const int below = split || least == 0 ? 0 : (least - 1) / each;
    int most = below, now = b->capacity / each / step;

    while (now - most > 1) {
        int middle = (most + now) / 2;
        swq_switch other = swq_chain_resized(sw, middle * step);
        swq_chain_size size;
        if (swq_chain_foresee(ctx, &other, reduce, &size) == SWQ_OK && fits(&size, arg))
            most = middle;
        else
            now = middle;
    }
    return most == below ? 0 : most * step;
}

/* limit: in bytes; 0: none. */
static bool can_be_made(const swq_chain_size *size, const void *limit)
{
    const double bytes = *(const double *)limit;

    return (bytes == 0 || size->bytes <= bytes) &&
           (size->in_turns || size->outcomes <= SWQ_MOST_OUTCOMES);
}

/* limit: in bytes; 0: none. */
static swq_status check_limit(swq_context *ctx, const swq_switch *sw, bool reduce,
                              const swq_chain_size *size, double limit)
{
    char needed[40], allowed[40], fits[80] = "no fewer slots would fit";

    if (can_be_made(size, &limit))
        return SWQ_OK;
    int slots = swq_chain_most_slots(ctx, sw, reduce, can_be_made, &limit);
    if (slots > 0)
        snprintf(fits, sizeof fits, "%d slot%s per input port would fit", slots,
                 slots == 1 ? "" : "s");
    if (limit == 0 || size->bytes <= limit)
        return swq_fail(
            ctx, SWQ_ELIMIT,
            "the chain may have up to %.3g states, and receptions %.2g outcomes in all, "
            "which would take hours or more to go through (%s)",
            size->states, size->outcomes, fits);
    swq_bytes_text(limit, allowed, sizeof allowed);
    if (!isfinite(size->bytes))
        return swq_fail(ctx, SWQ_ELIMIT,
                        "the chain may have more than 1e300 states; the memory limit is %s (%s)",
                        allowed, fits);
    return swq_fail(
        ctx, SWQ_ELIMIT,
        "the chain may have up to %.3g states and takes about %s to generate; the memory limit "
        "is %s (%s)",
        size->states, swq_bytes_text(size->bytes, needed, sizeof needed), allowed, fits);
}

swq_status swq_chain_check_room(swq_context *ctx, const swq_switch *sw, bool reduce)
{
    swq_chain_size size;
    swq_status status = swq_chain_foresee(ctx, sw, reduce, &size);

    return status ? status
                  : check_limit(ctx, sw, reduce, &size, (double)swq_context_memory_limit(ctx));
}

static swq_status generate(swq_context *ctx, const swq_switch *sw, bool reduce, bool whole,
                           bool lean, swq_chain **chain)
{
    swq_chain_size size;
    swq_symmetry symmetry;
    swq_status status = swq_chain_foresee_symmetry(ctx, sw, reduce, &size, &symmetry);
    if (status)
        return status;
    size.in_turns = size.in_turns && !whole;
    const double limit = lean ? 0 : (double)swq_context_memory_limit(ctx);
    status = check_limit(ctx, sw, reduce, &size, limit);
    swq_chain *c = status ? NULL : swq_calloc(ctx, 1, sizeof *c);
    if (!c) {
        swq_symmetry_clear(ctx, &symmetry);
        return status ? status : swq_memory_status(ctx);
    }
    c->sw = *sw;
    c->foreseen = size;
    c->symmetry = symmetry;
    c->lean = lean;
    swq_layout_init(&c->layout, sw);
    if (!whole && swq_by_rows(sw, &c->symmetry))
        status = swq_expand_rows(ctx, c);
    else
        status = !whole && swq_by_steps(sw) ? swq_expand_steps(ctx, c) : swq_expand_whole(ctx, c);
    if (status) {
        swq_chain_free(ctx, c);
        return status;
    }
    *chain = c;
    return SWQ_OK;
}

swq_status swq_chain_generate(swq_context *ctx, const swq_switch *sw, bool reduce,
                              swq_chain **chain)
{
    return generate(ctx, sw, reduce, false, false, chain);
}

swq_status swq_chain_generate_lean(swq_context *ctx, const swq_switch *sw, bool reduce,
                                   swq_chain **chain)
{
    return generate(ctx, sw, reduce, false, true, chain);
}

void swq_chain_forget_nodes(swq_context *ctx, swq_chain *c)
{
    for (int k = 1; k < c->levels; k++)
        swq_intern_forget(ctx, &c->node[k]);
}

swq_status swq_chain_generate_whole(swq_context *ctx, const swq_switch *sw, bool reduce,
                                    swq_chain **chain)
{
    return generate(ctx, sw, reduce, true, false, chain);
}

void swq_chain_free(swq_context *ctx, swq_chain *c)
{
    if (!c)
        return;
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++) {
        swq_intern_clear(ctx, &c->node[k]);
        swq_csr_clear(ctx, &c->factor[k]);
        swq_csr_clear(ctx, &c->refusals[k]);
        swq_csr_clear(ctx, &c->pairs[k]);
    }
    swq_rows_clear(ctx, &c->rows);
    swq_symmetry_clear(ctx, &c->symmetry);
    swq_free(ctx, c->accepted);
    swq_free(ctx, c->refused);
    swq_free(ctx, c->accepted_to);
    swq_free(ctx, c->refused_to);
    swq_free(ctx, c->of_class);
    swq_free(ctx, c);
}

const swq_switch *swq_chain_switch(const swq_chain *c)
{
    return &c->sw;
}

int64_t swq_chain_states(const swq_chain *c)
{
    return c->node[0].count;
}

double swq_chain_unreduced(const swq_chain *c)
{
    return c->foreseen.unreduced;
}

int64_t swq_chain_intermediates(const swq_chain *c)
{
    return c->node[c->receptions].count;
}

swq_product swq_chain_product(const swq_chain *c)
{
    return (swq_product){c->levels, c->factor, c->roundings, true};
}

int swq_chain_receptions(const swq_chain *c)
{
    return c->receptions;
}

const swq_csr *swq_chain_refusals(const swq_chain *c, int k)
{
    return &c->refusals[k];
}

const swq_csr *swq_chain_refusal_pairs(const swq_chain *c, int k)
{
    return &c->pairs[k];
}

swq_status swq_chain_slopes(swq_context *ctx, swq_chain *c, swq_slopes *slopes)
{
    swq_slopes out = {.receptions = c->receptions};
    size_t states = (size_t)c->node[0].count;

    for (int i = 0; i < c->sw.ports; i++) {
        if (c->sw.load[i] == 1)
            return swq_fail(ctx, SWQ_EINVAL,
                            "slope needs loads below 1: that of input %d cannot grow", i);
    }
    out.accepted = swq_calloc(ctx, states, sizeof *out.accepted);
    out.refused = swq_calloc(ctx, states, sizeof *out.refused);
    swq_status status = out.accepted && out.refused ? SWQ_OK : swq_memory_status(ctx);
    if (!status)
        status = c->by_rows    ? swq_slopes_by_rows(ctx, c, &out)
                 : c->by_steps ? swq_slopes_by_steps(ctx, c, &out)
                               : swq_slopes_whole(ctx, c, &out);
    if (status)
        swq_slopes_clear(ctx, &out);
    else
        *slopes = out;
    return status;
}

void swq_slopes_clear(swq_context *ctx, swq_slopes *slopes)
{
    for (int k = 0; k < SWQ_MOST_FACTORS; k++) {
        swq_csr_clear(ctx, &slopes->created[k]);
        swq_csr_clear(ctx, &slopes->idle[k]);
    }
    swq_free(ctx, slopes->accepted);
    swq_free(ctx, slopes->refused);
    *slopes = (swq_slopes){0};
}

int64_t swq_chain_entries(const swq_chain *c)
{
    int64_t entries = 0;

    for (int k = 0; k < c->levels; k++)
        entries += swq_csr_nnz(&c->factor[k]);
    return entries;
}

const double *swq_chain_accepted(const swq_chain *c)
{
    return c->accepted;
}

const double *swq_chain_refused(const swq_chain *c)
{
    return c->refused;
}

swq_status swq_chain_matrix(swq_context *ctx, const swq_chain *c, swq_csr *p, int64_t *roundings)
{
    swq_product product = swq_chain_product(c);
    return swq_product_multiply(ctx, &product, p, roundings);
}
