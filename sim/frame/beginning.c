/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a sender begins. The messages of an open sender are a renewal process: the time between two
 * is either the interval before a burst or the time that a message of the burst takes on the link.
 * A cycle chosen at random lies in the one or the other as often as their means say, and the sender
 * begins there.
 */
#include "sim/frame/beginning.h"

#include "sim/frame/drawing.h"
#include "sim/traffic/residual.h"

/* The residual of a message's time on its link. Each packet counts as a pause of `rest` cycles and
 * its bytes, so that the time lasts beyond a cycle if the message has more bytes than are sent
 * before that cycle. A cycle in which a byte is sent has the probability that the residual of the
 * length gives it; each cycle of a pause has the probability of the packet's first byte. */
static uint32_t draw_on_link(const swq_async_net *net, const swq_drawn *length,
                             swq_endless_words *d)
{
    const uint32_t most = (uint32_t)net->spec->packet.max, rest = (uint32_t)net->link_rest;

    for (;;) {
        const uint32_t byte = swq_residual_draw(length, d), packets = byte / most;
        const uint32_t pause = swq_word_below((uint32_t)(swq_words_next(d) >> 32), rest + 1);
        if (pause == rest)
            return byte + (packets + 1) * rest;
        if (byte % most == 0)
            return byte + packets * rest + pause;
    }
}

/* Chooses the type of the burst whose message is on the link, with probabilities in proportion to
 * the types' time on the link; SWQ_ANY_TYPE: the cycle lies in an interval. */
static int draw_burst(const swq_async_net *net, const swq_sender_group *g, uint32_t sender,
                      swq_endless_words *d)
{
    const swq_spread interval = swq_sender_interval(net->spec, g, sender);
    const double further =
        g->burst > 1 ? g->burst - 1 : 0; /* messages of a burst after the first */
    double time[SWQ_MAX_MESSAGE_TYPES], sum = swq_spread_mean(&interval);

    for (int t = 0; t < g->types; t++) {
        time[t] =
            further * g->type[t].probability *
            swq_spread_link_time(&g->type[t].length, net->spec->packet.max, net->spec->link.rest);
        sum += time[t];
    }
    double u = swq_word_uniform(swq_words_next(d)) * sum;
    for (int t = 0; t < g->types; t++) {
        u -= time[t];
        if (u <= 0 && time[t] > 0)
            return t;
    }
    return SWQ_ANY_TYPE;
}

swq_beginning swq_sender_beginning(const swq_async_net *net, uint32_t sender, int group,
                                   uint64_t number, uint64_t word)
{
    const swq_sender_group *g = &net->spec->traffic.group[group];
    const swq_drawing *drawing = &net->group[group];
    swq_endless_words d = swq_words_from(&net->streams, sender, number, word);

    if (g->kind == SWQ_SOURCE_OPEN && g->burst > 1) {
        const int type = draw_burst(net, g, sender, &d);
        if (type != SWQ_ANY_TYPE)
            return (swq_beginning){draw_on_link(net, &drawing->type[type].length, &d), type};
    }
    return (swq_beginning){swq_residual_draw(swq_drawn_interval(drawing, sender), &d),
                           SWQ_ANY_TYPE};
}
