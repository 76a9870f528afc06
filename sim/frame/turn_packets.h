/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of a packet that are the same in all kernels: packets are shown to observers, checked for
 * order, and delivered. A part of the text of all kernels, with the words that turn.h explains.
 */
#include "sim/frame/net.h"
#include "sim/frame/schemes.h"

/* Is the element an output store with its link? Else it is an input store with a crossbar's output
 * or, without output stores, with a link. */
static inline bool behind(const swq_async_net *net, uint32_t port)
{
    return SWQ_OUTPUT_STORES && port >= net->inputs;
}

/* The number of the link of an output, as swq_detail numbers links. */
static inline size_t link_of(const swq_async_net *net, uint32_t out)
{
    return net->fabric->nodes + (size_t)(behind(net, out) ? out - net->inputs : out);
}

/* ---- pieces ---- */

static inline const swq_piece *piece_of(const swq_async_net *net, const swq_parcel *p)
{
    return &net->pieces.piece[p - net->parcel];
}

/* Is the parcel a whole packet, or the first piece of a packet? */
static inline bool begins_packet(const swq_async_net *net, const swq_parcel *p)
{
    if (!SWQ_GENERAL || !net->pieces.piece)
        return true;
    return piece_of(net, p)->behind + p->bytes == piece_of(net, p)->whole;
}

static inline bool ends_packet(const swq_async_net *net, const swq_parcel *p)
{
    return !SWQ_GENERAL || !net->pieces.piece || piece_of(net, p)->behind == 0;
}

static inline uint32_t packet_bytes(const swq_async_net *net, const swq_parcel *p)
{
    return SWQ_GENERAL && net->pieces.piece ? piece_of(net, p)->whole : p->bytes;
}

/* ---- order ---- */

/* Each packet carries the cycle in which its sender began to send it, or gave it to the node's
 * interface. Copies this cycle to the packet's new place, from the old place or from the sender. */
static inline void note_sending(swq_async_net *net, uint32_t port, const swq_parcel *now)
{
    const bool from_sender = !behind(net, port) && now->entered == 1;
    net->sent[now - net->parcel] =
        from_sender && !net->interfaces.queues ? net->cycle : net->moving;
}

/* Has a later packet of its flow been delivered? */
static inline bool overtaken(swq_async_net *net, const swq_parcel *p)
{
    uint32_t *latest = &net->latest[(size_t)p->to * net->fabric->nodes + p->from];
    const uint32_t sent = net->sent[p - net->parcel];

    if (sent < *latest)
        return true;
    *latest = sent;
    return false;
}

/* ---- reported, and delivered ---- */

/* Is a watch told of the ends of messages? */
static inline bool tells_messages(const swq_async_net *net)
{
    return SWQ_GENERAL && net->watch && net->watch->message;
}

static __attribute__((noinline, cold)) void tell_message(const swq_async_net *net,
                                                         const swq_parcel *p, swq_message_end end)
{
    end.from = p->from;
    end.to = p->to;
    end.group = p->group;
    net->watch->message(net->watch->arg, &end);
}

/* Packet p of the message with record `way` begins its last transmission, or has begun it; the
 * transmission ends in `end`, and the last byte is at the node in `there`. */
static inline void message_arrives(swq_async_net *net, uint32_t way, uint32_t begun, uint32_t end,
                                   uint32_t there, const swq_parcel *p)
{
    const swq_message *m = &net->messages.each[way];

    if (!swq_message_arrived(&net->messages, way, begun, end, &net->system, p->group))
        return;
    if (tells_messages(net))
        tell_message(
            net, p,
            (swq_message_end){
                .birth = m->birth, .head = m->head, .tail = end - m->birth, .bytes = m->bytes});
    if (net->after.start)
        swq_after_arrived(net, m->message, there);
}

/* Packet p is delivered in this cycle, and its last byte is at the node `cycles` cycles later. */
static void deliver_in(swq_async_net *net, const swq_parcel *p, uint32_t cycles)
{
    swq_system *s = &net->system;
    const uint32_t latency = net->cycle - p->birth, bytes = packet_bytes(net, p);
    const int cell = p->group;

    if (SWQ_GENERAL && net->scheme)
        swq_scheme_delivered(net, p, bytes);
    swq_probe_delivered(s, cell, 1, latency);
    swq_probe_carried(s, cell, bytes, p->entered, SWQ_GENERAL && net->sent && overtaken(net, p));
    swq_probe_latency(swq_probe_histogram(s, cell), latency);
    if (SWQ_GENERAL && net->link_timing)
        swq_probe_held_up(s, cell, cycles - bytes);
    if (SWQ_GENERAL && net->messages.each && !net->pieces.piece &&
        !(net->stores && net->stores->by_flit))
        message_arrives(net, net->messages.tag[p - net->parcel], net->cycle, net->cycle + cycles,
                        net->cycle + cycles, p);
    else if (SWQ_GENERAL && !net->messages.each) {
        swq_probe_lone_message(s, latency + cycles);
        if (tells_messages(net))
            tell_message(
                net, p,
                (swq_message_end){
                    .birth = p->birth, .head = latency, .tail = latency + cycles, .bytes = bytes});
    }
    swq_probe_delivered_at(s, SWQ_GENERAL, 0, p->to, latency, bytes);
}

/* The same over a link that takes a byte a cycle. */
static inline void deliver(swq_async_net *net, const swq_parcel *p)
{
    deliver_in(net, p, p->bytes);
}

/* Reports that packet p begins, or ends, its way from an input to an output of a switch. Few runs
 * have such an observer, so this function is not inlined into the code of each hop. */
static __attribute__((noinline, cold)) void tell(const swq_async_net *net, swq_started_fn *told,
                                                 uint32_t cycle, uint32_t sw, int input, int output,
                                                 const swq_parcel *p)
{
    swq_start start = {.cycle = cycle,
                       .from = p->from,
                       .to = p->to,
                       .birth = p->birth,
                       .bytes = packet_bytes(net, p),
                       .switch_ = sw,
                       .input = (uint32_t)input,
                       .output = (uint32_t)output,
                       .packet_class = p->packet_class};
    if (SWQ_OUTPUT_STORES && sw >= net->crossbars) {
        start.switch_ = (sw - net->crossbars) / (uint32_t)net->ports;
        start.output = (sw - net->crossbars) % (uint32_t)net->ports;
        start.output_store = true;
    }
    told(net->watch->arg, &start);
}

static inline void show_start(const swq_async_net *net, uint32_t sw, int input, int output,
                              const swq_parcel *p)
{
    tell(net, net->watch->started, net->cycle, sw, input, output, p);
}
