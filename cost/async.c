/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of a switch of an asynchronous network: its stores, by the architecture, the management
 * or the buffer; the additions of the flow control; and the schemes that hold senders back.
 */
#include "base/context.h"
#include "cost/parts.h"
#include "sim/tables/gate.h"

#include <math.h>

static void add_buffers(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    const swq_management *m = n->management.row;

    if (n->architecture.row->async.stores)
        return;
    if (m && (m->hooks || m->stores))
        cost_add_management(s, n, f);
    else if (n->architecture.row->async.input_buffers)
        cost_add_buffers(s, "input buffers", &n->memory.buffer,
                         swq_buffer_queues(&n->memory.buffer, f->classes), n->packet.block);
}

void cost_add_sender(cost_sum *s, const swq_async *n, const swq_fabric *f)
{
    cost_add(s, SWQ_COST_NODE, "sender", 8 * swq_sender_state_bytes(n, f->nodes),
             "what the scheme of --sender keeps", COST_OF_RULES);
    cost_add(s, SWQ_COST_POINTERS, "sender", 8 * swq_sender_switch_bytes(n, f),
             "what the scheme of --sender keeps in a switch that nodes are linked to",
             COST_OF_RULES);
    if (n->sender.row)
        cost_leave_out(s, "--sender", "what carries acknowledgements, tokens or news to the nodes");
    if (n->interface.packets > 0 &&
        (n->interface.present || (n->management.row && n->management.row->stores)))
        cost_add(s, SWQ_COST_NODE, "interface", s->byte_bits * n->interface.packets * n->packet.max,
                 "the packets of a node's interface", COST_OF_RULES);
}

swq_status swq_cost_async(swq_context *ctx, const swq_async *n, int flit,
                          const swq_cost_terms *terms, swq_cost *cost)
{
    swq_fabric f;
    swq_status status = swq_gate_async(ctx, &cost_takes, n);

    if (!status)
        status = swq_fabric_count(ctx, &n->shape, &f);

    if (!status && n->memory.last_blocks)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "last-bytes %d is for a stage: ask what its switch costs with bytes",
                          n->memory.last_blocks * n->packet.block);
    if (status)
        return status;
    cost_sum s = {.cost = cost,
                  .terms = terms,
                  .ports = f.ports,
                  .link_bits = terms->link_bits * flit,
                  .byte_bits = 8.0 * flit,
                  .nodes = f.nodes};
    *cost = (swq_cost){.ports = f.ports, .nodes = f.nodes};
    add_buffers(&s, n, &f);
    cost_add_architecture(&s, n, &f);
    cost_add_flow(&s, n, &f);
    cost_add_sender(&s, n, &f);
    if (swq_shape_adaptive(&n->shape))
        cost_leave_out(&s, "adaptive routing", "what compares the outputs a packet may take");
    cost_finish(&s);
    return SWQ_OK;
}
