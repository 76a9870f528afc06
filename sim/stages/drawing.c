/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When packets of a source are created, and where they go. Packet n of source i is a function of
 * (i, n).
 */
#include "base/inline.h"
#include "sim/stages/sources.h"

/* The words of a second stream for packet `number` of a source, for random numbers that only few
 * networks draw. */
static swq_words more_words(const swq_net *net, uint32_t source, uint64_t number)
{
    return swq_stream_words(&net->streams, SWQ_STREAM_MORE, source, number);
}

enum { DIGITS_OF_HOT_SPOT, DIGITS_OF_NODE, DIGITS_OF_CLASS };

/* Finds a packet's hot spot from hot spot h on: while u, a number from 0 to 1, is not below the
 * spot's fraction, subtracts this fraction from u and goes on to the next spot. */
SWQ_INLINE int find_hot_spot(const swq_traffic *t, int h, double *u)
{
    while (h < t->hot_spots && *u >= t->hot[h].fraction)
        *u -= t->hot[h++].fraction;
    return h;
}

static int find_hot_spot_closer(const swq_net *net, uint32_t source, uint64_t number, int h,
                                double u)
{
    u = swq_all_digits(&net->streams, source, number, DIGITS_OF_HOT_SPOT, u);
    return find_hot_spot(&net->spec->traffic, h, &u);
}

/* The hot spot that a packet goes to, or the number of hot spots: none. */
SWQ_INLINE int draw_hot_spot(const swq_net *net, uint32_t source, uint64_t number, uint32_t word)
{
    const swq_traffic *t = &net->spec->traffic;
    double u = swq_first_digits(word);
    const int h = find_hot_spot(t, 0, &u);

    return h < t->hot_spots && swq_digits_leave_open(u, t->hot[h].fraction)
               ? find_hot_spot_closer(net, source, number, h, u)
               : h;
}

/* The first node, from `low` on, whose entry in a row of sums is above u. */
static uint32_t find_node(const swq_net *net, const double *row, uint32_t low, double u)
{
    uint32_t high = net->system.nodes - 1;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (u < row[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t draw_node(const swq_net *net, uint32_t source, uint64_t number, uint32_t word)
{
    const double *row = net->choice + (size_t)source * net->system.nodes;
    const double u = swq_first_digits(word);
    const uint32_t node = find_node(net, row, 0, u);

    if (!swq_digits_leave_open(u, row[node]))
        return node;
    return find_node(net, row, node,
                     swq_all_digits(&net->streams, source, number, DIGITS_OF_NODE, u));
}

/* word: the random word that was drawn for the packet. */
static uint32_t draw_destination(const swq_net *net, uint32_t source, uint64_t number,
                                 uint64_t word)
{
    const swq_traffic *t = &net->spec->traffic;
    const uint32_t where = (uint32_t)(word >> 32);
    const int h = draw_hot_spot(net, source, number, (uint32_t)word);

    if (h < t->hot_spots)
        return t->hot[h].node;
    if (net->image)
        return net->image[source];
    return net->choice ? draw_node(net, source, number, where)
                       : swq_word_below(where, net->system.nodes);
}

static uint32_t draw_class(const swq_net *net, uint32_t source, uint64_t number, uint32_t word)
{
    const double high = net->spec->sw.priority.fraction;
    double u = swq_first_digits(word);

    if (u < high && swq_digits_leave_open(u, high))
        u = swq_all_digits(&net->streams, source, number, DIGITS_OF_CLASS, u);
    return u < high ? SWQ_HIGH : 0;
}

/* A source with bursts begins as if it had always sent: in the first cycle it is in the midst of a
 * burst, and creates a packet, with the probability that is its load; or else it is in the gap
 * before a burst; then this cycle is idle, and the rest of the gap has no memory. */
static uint32_t begin_bursts(const swq_net *net, uint32_t source, uint64_t first, uint32_t word)
{
    const swq_traffic *t = &net->spec->traffic;
    const double load = t->node_load ? t->node_load[source] : t->load;

    return swq_word_uniform((uint64_t)word << 32) <= load
               ? 0
               : swq_later(1, swq_gap(net, source, first));
}

/* Packet `number` of a source, with the words drawn for it: its destination, and the number of idle
 * cycles before it. */
static inline uint32_t draw_packet(const swq_net *net, uint32_t source, uint64_t number,
                                   uint64_t first, uint64_t second, uint32_t *to)
{
    const swq_traffic *t = &net->spec->traffic;
    bool fresh = true; /* begins a burst */
    uint32_t class = 0;
    swq_words more = {{0}};

    if (t->burst > 1 || net->spec->sw.priority.fraction > 0) {
        more = more_words(net, source, number);
        fresh = number == 0 || swq_word_uniform((uint64_t)more.v[0] << 32) <= 1 / t->burst;
        class = draw_class(net, source, number, more.v[1]);
    }
    uint32_t node = fresh ? draw_destination(net, source, number, second) : *to & ~SWQ_HIGH;
    *to = node | class;
    if (number == 0 && t->burst > 1)
        return begin_bursts(net, source, first, more.v[0]);
    return fresh ? swq_gap(net, source, first) : 0;
}

/* Line `number` of a source's part of the trace. */
static void read_trace(const swq_net *net, uint32_t source, uint64_t number, uint32_t *birth,
                       uint32_t *to)
{
    const swq_sources *s = &net->sources;
    uint64_t at = s->trace_start[source] + number;

    *birth = SWQ_NEVER;
    if (at >= s->trace_start[source + 1])
        return;
    const swq_trace_packet *line = &net->spec->traffic.trace[s->trace_order[at]];
    *birth = (uint32_t)line->cycle;
    *to = line->destination | (line->high ? SWQ_HIGH : 0);
}

void swq_source_place(const swq_net *net, uint32_t source, uint64_t number, uint32_t from,
                      uint32_t *birth, uint32_t *to)
{
    uint64_t first, second;

    if (net->spec->traffic.kind == SWQ_SOURCE_TRACE) {
        read_trace(net, source, number, birth, to);
        return;
    }
    swq_stream_pair(&net->streams, SWQ_STREAM_PACKET, source, number, &first, &second);
    *birth = from == SWQ_NEVER
                 ? SWQ_NEVER
                 : swq_later(from, draw_packet(net, source, number, first, second, to));
}

/* The random words are drawn in a loop of their own, in which no word waits for the one before. */
void swq_sources_place_next(const swq_net *net, const uint32_t *source, uint32_t count,
                            uint64_t *number, uint32_t *birth, uint32_t *to)
{
    const swq_traffic *t = &net->spec->traffic;
    const bool hold = t->kind == SWQ_SOURCE_HOLD;
    const bool uniform = !net->image && !net->choice && !t->hot_spots && t->burst <= 1 &&
                         net->spec->sw.priority.fraction <= 0;
    const uint32_t tomorrow = net->cycle + 1, nodes = net->system.nodes;
    const swq_streams streams = net->streams;
    uint64_t first[SWQ_SOURCES_TOGETHER], second[SWQ_SOURCES_TOGETHER];

    if (t->kind == SWQ_SOURCE_TRACE) {
        for (uint32_t k = 0; k < count; k++)
            read_trace(net, source[k], ++number[source[k]], &birth[source[k]], &to[source[k]]);
        return;
    }
    for (uint32_t k = 0; k < count; k++)
        swq_stream_pair(&streams, SWQ_STREAM_PACKET, source[k], ++number[source[k]], &first[k],
                        &second[k]);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = source[k];
        if (!hold && birth[i] == SWQ_NEVER)
            continue;
        const uint32_t from = hold ? tomorrow : birth[i] + 1;
        if (uniform) {
            to[i] = swq_word_below((uint32_t)(second[k] >> 32), nodes);
            birth[i] = swq_later(from, swq_gap(net, i, first[k]));
        } else {
            birth[i] = swq_later(from, draw_packet(net, i, number[i], first[k], second[k], &to[i]));
        }
    }
}

void swq_source_next(swq_net *net, uint32_t source)
{
    swq_sources *s = &net->sources;

    swq_sources_place_next(net, &source, 1, s->number, s->birth, s->to);
}

void swq_source_count_waiting(const swq_net *net, uint32_t i, uint64_t *packets, uint64_t *age)
{
    const swq_sources *s = &net->sources;
    uint32_t birth = s->birth[i], to = s->to[i];

    for (uint64_t number = s->number[i]; birth < net->cycle;) {
        ++*packets;
        *age += net->cycle - birth;
        if (!s->later_birth)
            break;
        swq_source_place(net, i, ++number, birth + 1, &birth, &to);
    }
}
