/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Marked chains: choosing the generator.
 */
#include "models/marked.h"

#include "base/context.h"
#include "models/gate.h"
#include "models/priority.h"

static const swq_takes takes = {
    .who = "following single packets (delay, losses)",
    .needs =
        SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) | SWQ_NEEDS(SWQ_NEED_OUTPUTS) | SWQ_NEEDS(SWQ_NEED_STAGES),
};

/* Marks in rows work, but not for memory behind the buffers. In a pool, a mark has no input, or an
 * input of which only the class matters, as long as inputs have no state of their own. All other
 * chains must not be reduced. */
bool swq_can_mark(const swq_chain *c, swq_mark mark)
{
    if (c->by_rows)
        return c->layout.cross < 0 && c->layout.out < 0;
    return c->symmetry.order == 1 || (c->sw.buffer.scope == SWQ_POOL && c->symmetry.product &&
                                      (mark == SWQ_MARK_PACKET || !c->layout.bursts));
}

swq_status swq_mark_chain(swq_context *ctx, const swq_chain *c, swq_mark mark, swq_marked *marked)
{
    swq_marked m = {0};
    swq_status status = swq_gate_switch(ctx, &takes, &c->sw);

    if (!status)
        status = swq_priority_refuse(ctx, &c->sw.priority, takes.who);
    if (status)
        return status;
    if (!c->by_rows && c->foreseen.outcomes > SWQ_MOST_OUTCOMES)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "following single packets (delay, losses) goes through %.2g outcomes of "
                        "receptions, which would take hours or more",
                        c->foreseen.outcomes);
    status = c->by_rows ? swq_mark_rows(ctx, c, mark, &m) : swq_mark_whole(ctx, c, mark, &m);
    if (status) {
        swq_marked_clear(ctx, &m);
        return status;
    }
    *marked = m;
    return SWQ_OK;
}

void swq_marked_clear(swq_context *ctx, swq_marked *m)
{
    for (int k = 0; k < SWQ_CHAIN_LEVELS; k++)
        swq_csr_clear(ctx, &m->factor[k]);
    swq_csr_clear(ctx, &m->enter);
    swq_csr_clear(ctx, &m->lose);
    swq_csr_clear(ctx, &m->leave);
    swq_free(ctx, m->input);
    *m = (swq_marked){0};
}
