/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Over the border between two shares: a part of turn.h. A store of another share is seen as its
 * feeder knows it. The feeder's copy lacks only the packets that begin to leave the store in this
 * cycle, and these make no room before the next cycle.
 */

/* Does the feeder of a store belong to another share? */
static inline bool fed_from_abroad(const swq_async_net *net, const swq_port *e)
{
    if (!SWQ_SHARED || e->feeder & SWQ_TO_NODE)
        return false;
    return swq_is_abroad(&net->share, behind(net, e->feeder) ? e->feeder - net->inputs : e->feeder);
}

/* A packet is sent to a store of another share, which the packet enters after the cycle. */
static inline void send_abroad(swq_async_net *net, uint32_t port, const swq_parcel *was,
                               uint32_t ready, uint8_t packet_class, uint8_t entered, uint32_t tail)
{
    swq_port *e = port_at(net, port);
    swq_queue *queue = &queues_at(net, port)[queue_number(net, port, packet_class)];
    swq_coming *news = swq_border_coming(net, port);

    *news = (swq_coming){port, e->link_free, tail, *was};
    news->parcel.ready = ready;
    news->parcel.packet_class = packet_class;
    news->parcel.entered = entered;
    e->blocks = (uint16_t)(e->blocks + was->blocks);
    queue->blocks = (uint16_t)(queue->blocks + was->blocks);
}

/* Tells the share that feeds a store that the packet at `reader` has begun to leave the store. */
static inline void tell_feeder(swq_async_net *net, uint32_t port, const swq_reader *reader)
{
    *swq_border_parting(net, port) = (swq_parting){port, *reader};
}

#if SWQ_SHARED
/* Handles the news that a packet has begun to leave the store of another share which this share
 * feeds. */
static void port_parted(swq_async_net *net, const swq_parting *news)
{
    const uint32_t port = news->port;
    const int q = (int)news->reader.queue;
    const uint16_t blocks = news->reader.leaving.blocks;
    swq_port *e = port_at(net, port);
    swq_queue *queue = &queues_at(net, port)[q];
    const uint32_t left = reads_each_queue(net, port) ? left_in_port(net, e, port) : 0;
    const bool tight = is_tight(admission_of(net, port), e, queue, left);

    e->blocks = (uint16_t)(e->blocks - blocks);
    queue->blocks = (uint16_t)(queue->blocks - blocks);
    *reader_of(net, e, port, q) = news->reader;
    if (tight && e->link_free < news->reader.free)
        wake_when_open(net, e, port, q);
}
#endif
