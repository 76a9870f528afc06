/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packets in pieces, as a turn sees them: a part of turn.h; turn_packets.h says how a packet is cut
 * into pieces. Empty without SWQ_GENERAL.
 */

/* The words of a set of an input's queues, which are not more than a switch's ports; and the set of
 * the queues whose packet has begun to leave and has pieces to come. */
enum { SET_WORDS = SWQ_WIDE ? SWQ_PORT_SET_WIDE : 1 };

static inline swq_port_set *going_at(const swq_async_net *net, uint32_t port)
{
    return net->pieces.going + (size_t)port * SET_WORDS;
}

/* Schedules a piece that is the new head of a queue for the earliest cycle in which it can go,
 * as far as that is known. The next piece of a packet on its way waits for its header and its
 * channel; the first piece of a packet also waits for a read port and an output. */
static void wake_for_piece(swq_async_net *net, uint32_t port, const swq_queue *queue, int q)
{
    const uint32_t out = base_at(net, port) + queue->output;

    if (swq_port_set_has(going_at(net, port), (uint32_t)q, SET_WORDS)) {
        const uint32_t free = net->pieces.hold[out].free;
        swq_wake_output(net, queue->ready > free ? queue->ready : free, out);
        return;
    }
    /* a read port or channel that is held will be given back, which wakes the piece */
    const uint32_t read = reader_of(net, &net->port[port], port, q)->free;
    const uint32_t channel = net->port[out].out_free;
    uint32_t when = queue->ready > net->cycle ? queue->ready : net->cycle + 1;
    if (read != SWQ_NEVER && read > when)
        when = read;
    if (!net->fork && channel != SWQ_NEVER && channel > when)
        when = channel;
    swq_wake_input(net, when, port);
}

/* The last piece of a packet begins its last transmission, which ends in `end`. */
static void arrive_whole(swq_async_net *net, const swq_parcel *p, const swq_hold *h, uint32_t end)
{
    const uint32_t whole = packet_bytes(net, p);

    swq_probe_held_up(&net->system, p->group, end - h->begun - whole);
    if (net->messages.each)
        message_arrives(net, net->messages.tag[p - net->parcel], h->begun, end, end, p);
    net->pieces.unfinished--;
}

/* A piece begins to leave queue q of an input, over a channel that can send again in cycle `end`.
 * Updates the ports held for the piece's packet. */
static void piece_goes(swq_async_net *net, uint32_t sw, int input, int q, const swq_parcel *p,
                       uint32_t end)
{
    const uint32_t base = base_of(net, sw), port = base + (uint32_t)input;
    const swq_queue *queue = &queues_at(net, port)[q];
    const bool last = ends_packet(net, p);
    swq_hold *h = &net->pieces.hold[base + queue->output];

    if (begins_packet(net, p))
        h->begun = net->cycle;
    h->store = port;
    h->queue = (uint8_t)q;
    h->free = end;
    h->on = !last;
    if (last)
        swq_port_set_take(going_at(net, port), (uint32_t)q, SET_WORDS);
    else
        swq_port_set_put(going_at(net, port), (uint32_t)q, true, SET_WORDS);
    if (queue->next_port == SWQ_SINK)
        net->pieces.bytes_arrived += p->bytes;
    if (queue->next_port == SWQ_SINK && last)
        arrive_whole(net, p, h, end);
    if (last && net->watch && net->watch->ended)
        tell(net, net->watch->ended, end, sw, input, queue->output, p);
}
