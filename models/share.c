/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A share of a chain, whose nodes the caller chooses.
 */
#include "models/share.h"

#include "base/context.h"

struct swq_share {
    swq_chain *chain;
    swq_rows_walk *walk;
};

/* Refuse switches whose chains cannot be divided into shares. */
static swq_status check_share(swq_context *ctx, const swq_switch *sw, const swq_symmetry *symmetry)
{
    const swq_architecture *a = swq_switch_architecture(sw);

    if (sw->buffer.scope == SWQ_POOL)
        return swq_fail(ctx, SWQ_EINVAL,
                        "the buffer is a pool for all inputs: its chain cannot be "
                        "shared out among processes");
    if (sw->priority.support != SWQ_SUPPORT_NONE || sw->priority.fraction > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "packets of high priority (--high): their chain cannot be "
                        "shared out among processes");
    if (a != swq_architectures[0])
        return swq_fail(ctx, SWQ_EINVAL,
                        "the architecture is %s: only the chain of an %s switch can be shared out "
                        "among processes",
                        a->name, swq_architectures[0]->name);
    if (!swq_by_rows(sw, symmetry))
        return swq_fail(ctx, SWQ_EINVAL, "the chain cannot be shared out among processes: %s",
                        swq_switch_memory(sw) > 0 ? "the arbiter keeps pointers"
                                                  : "the symmetry of loads and destinations is no "
                                                    "product of that of inputs and outputs, or "
                                                    "there are more than 16 ports");
    return SWQ_OK;
}

swq_status swq_share_new(swq_context *ctx, const swq_switch *sw, bool reduce, swq_share **share)
{
    swq_share *s = swq_calloc(ctx, 1, sizeof *s);
    swq_chain *c = swq_calloc(ctx, 1, sizeof *c);

    if (!s || !c) {
        swq_free(ctx, s);
        swq_free(ctx, c);
        return swq_memory_status(ctx);
    }
    s->chain = c;
    c->sw = *sw;
    c->lean = true;
    swq_status status = swq_chain_foresee_symmetry(ctx, sw, reduce, &c->foreseen, &c->symmetry);
    if (!status) {
        swq_layout_init(&c->layout, sw);
        status = check_share(ctx, sw, &c->symmetry);
    }
    if (!status)
        status = swq_rows_walk_new(ctx, c, &s->walk);
    if (status) {
        swq_share_free(ctx, s);
        return status;
    }
    *share = s;
    return SWQ_OK;
}

void swq_share_free(swq_context *ctx, swq_share *s)
{
    if (!s)
        return;
    swq_rows_walk_free(ctx, s->walk);
    swq_chain_free(ctx, s->chain);
    swq_free(ctx, s);
}

swq_chain *swq_share_chain(swq_share *s)
{
    return s->chain;
}

swq_status swq_share_first(swq_share *s, swq_word *node)
{
    return swq_rows_walk_first(s->walk, node);
}

swq_status swq_share_expand(swq_share *s, int level, int64_t number, swq_way_fn *each, void *arg)
{
    return swq_rows_walk_expand(s->walk, level, number, each, arg);
}

double swq_share_roundings(const swq_share *s, int level, int64_t most_met, bool inexact)
{
    return swq_rows_walk_roundings(s->walk, level, most_met, inexact);
}
