/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets in pieces: the options that allow them, their memory, and a check that no byte is lost.
 */
#include "sim/frame/pieces.h"

#include "base/context.h"
#include "sim/frame/net.h"

swq_status swq_pieces_check(swq_context *ctx, const swq_async *n, const swq_fabric *f)
{
    if (n->packet.piece == 0)
        return SWQ_OK;
    if (n->packet.piece < 1 || n->packet.piece > n->packet.max)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece must be 1 to %d, bytes of the longest packet, not %d", n->packet.max,
                        n->packet.piece);
    if (n->packet.piece < n->packet.max && n->packet.piece % n->packet.block != 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece must be a multiple of block, %d bytes, or the longest packet, %d, "
                        "not %d",
                        n->packet.block, n->packet.max, n->packet.piece);
    if (!swq_pieces_asked(n))
        return SWQ_OK;
    if (swq_async_managed(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece is not for management %s, whose queues are of whole packets",
                        n->management.row->name);
    if (swq_acks_ask(n))
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece is not for flow %s, whose stores take or refuse whole packets: "
                        "--flow block, maximum-usage, credits",
                        n->flow.row->name);
    if (n->flow.row->counters)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece is not for flow %s, whose counters are of whole packets: --flow "
                        "block, maximum-usage, credits",
                        n->flow.row->name);
    if (n->flow.row->stop_go)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece is not for flow %s, whose thresholds are for whole packets: --flow "
                        "block, maximum-usage, credits",
                        n->flow.row->name);
    if (n->architecture.row->async.output_stores && n->architecture.output.store_and_forward)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece is for cut-through: architecture %s sends a packet on only when all "
                        "of it has arrived",
                        n->architecture.row->name);
    if (f->escapes > 0)
        return swq_fail(ctx, SWQ_EINVAL,
                        "piece is not for escape queues, which share their read port with packets "
                        "that pause (routing %s in topology %s)",
                        n->shape.routing->name, n->shape.kind->name);
    return SWQ_OK;
}

void swq_pieces_list(swq_async_net *net, swq_arrays *list, double parcels)
{
    swq_pieces *p = &net->pieces;

    SWQ_ARRAY(list, p->piece, parcels);
    SWQ_ARRAY(list, p->hold, net->elements);
    p->words = net->ports > SWQ_MAX_FABRIC_PORTS ? SWQ_PORT_SET_WIDE : 1;
    SWQ_ARRAY(list, p->going, (double)net->elements * p->words);
    SWQ_ARRAY(list, p->sending, net->fabric->nodes);
}

bool swq_pieces_conserved(const swq_async_net *net)
{
    uint64_t bytes = 0;

    if (!net->pieces.piece)
        return true;
    for (uint32_t port = 0; port < net->elements; port++) {
        for (swq_walk w = swq_walk_begin(net, port); w.now; swq_walk_on(&w)) {
            const swq_parcel *store = swq_parcels_of(net, port);
            uint16_t slot = swq_queues_of(net, port)[swq_walk_queue(&w)].head;
            for (; slot != SWQ_NO_SLOT; slot = store[slot].next)
                bytes += store[slot].bytes;
        }
    }
    return net->pieces.bytes_sent == net->pieces.bytes_arrived + bytes;
}
