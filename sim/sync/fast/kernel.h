/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine: the rotating arbiter over buffers at the inputs, without priorities. What
 * swq_transmit_plain and the arbiter's row do in general is done here with the number of ports
 * known to the compiler and no branch that depends on a queue's content: a queue's weight, its
 * tie-break and its number are packed into one word, so that the choice of the longest is a
 * maximum; grants are appended to a list whether there is one or not, and its end moves only if
 * there is. The numbers are those of the plain engine, to the bit; tests hold the two together.
 * Room: sim.
 */
#ifndef SWQ_SIM_SYNC_FAST_KERNEL_H
#define SWQ_SIM_SYNC_FAST_KERNEL_H

#include "sim/sync/net.h"
#include "sim/sync/sources.h"

#include "base/statistics.h"

#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = 64 /* switches that are arbitrated before their packets move */ };

/* What the compiler is told about a network. */
typedef struct {
    int ports, queues; /* queues of a buffer: ports, or 1 */
    int bits;          /* that the number of an output takes, see `leaving` */
    int word;          /* bits of a queue's word of slot numbers, see net.h; 0: queues are lists */
    bool pieces;       /* a queue has slots of its own: room is a matter of the queue */
    bool each;         /* a read port per queue */
    bool blocks, last; /* can the next stage refuse; is there none */
} shape;

/* The network's arrays. A copy of its own in a local variable, so that the compiler need not fear
 * that a store into one of them moves another. */
typedef struct {
    uint16_t *length, *room, *tail, *link, *short_order;
    uint64_t *order;
    swq_packet *packet;
    const uint16_t *seen_length, *seen_room;
    size_t slots, places, links;
    uint32_t queue_max;
} view;

INLINE view view_of(const swq_net *net)
{
    return (view){
        .length = net->length,
        .room = net->room,
        .tail = net->tail,
        .link = net->link,
        .short_order = net->short_order,
        .order = net->order,
        .packet = net->packet,
        .seen_length = net->seen_length ? net->seen_length : net->length,
        .seen_room = net->seen_room ? net->seen_room : net->room,
        .slots = (size_t)net->slots,
        .places = (size_t)net->places,
        .links = (size_t)net->links,
        .queue_max = (uint32_t)net->part[0].rule.queue_max,
    };
}

INLINE size_t places_of(view v, shape s)
{
    return s.word == 16 ? SWQ_SHORT_SLOTS : v.places;
}

/* The arrays from a buffer on, so that a stage's buffers count from 0. */
INLINE view view_from(view v, shape s, size_t buffer)
{
    const size_t queue = buffer * (size_t)s.queues;

    v.length += queue;
    v.seen_length += queue;
    v.room += buffer;
    v.seen_room += buffer;
    v.packet += buffer * places_of(v, s);
    if (s.word == 16) {
        v.short_order += queue;
    } else if (s.word) {
        v.order += queue;
    } else {
        v.tail += queue;
        v.link += buffer * v.links;
    }
    return v;
}

/* What is constant while a stage has its turn. */
typedef struct {
    size_t here, next;    /* the first buffer of this stage and of the next, in a view */
    const uint32_t *wire; /* from this stage's outputs */
    uint32_t divisor[2];  /* digits of this stage and of the next */
    int shift[2];
} place;

/* A packet about to leave a stage: its buffer, and the output that it takes. With four queues to a
 * buffer and two bits this is the number of its queue. */
typedef uint32_t leaving;

INLINE leaving leave(shape s, uint32_t buffer, uint32_t output)
{
    return buffer << s.bits | output;
}

INLINE uint32_t buffer_of(shape s, leaving l)
{
    return l >> s.bits;
}

INLINE uint32_t taken_by(shape s, leaving l)
{
    return l & ((1u << s.bits) - 1);
}

INLINE uint32_t queue_of(shape s, leaving l)
{
    return s.queues > 1 ? taken_by(s, l) : 0;
}

/* The line of its stage that it leaves by. */
INLINE uint32_t left_by(shape s, leaving l)
{
    const uint32_t buffer = buffer_of(s, l);

    return buffer - buffer % (uint32_t)s.ports + taken_by(s, l);
}

/* The line of the next stage, or the sink, that it goes to. */
INLINE uint32_t line_of(shape s, const place *at, leaving l)
{
    return at->wire[left_by(s, l)];
}

INLINE uint32_t output_of(shape s, const place *at, int ahead, uint32_t to)
{
    if (!(s.ports & (s.ports - 1)))
        return to >> at->shift[ahead] & ((uint32_t)s.ports - 1);
    return to / at->divisor[ahead] % (uint32_t)s.ports;
}

/* Where a slot of a buffer is among all. */
INLINE size_t place_in(view v, shape s, size_t buffer, size_t slot)
{
    return buffer * places_of(v, s) + slot;
}

/* The slot of the head of queue number q of all, whose queues are words. */
INLINE size_t first_slot(view v, shape s, size_t q)
{
    return s.word == 16 ? v.short_order[q] & 15 : v.order[q] & 15;
}

/* The output that a queue's head takes in this stage, or in the next one (ahead = 1); anything for
 * an empty queue. */
INLINE uint32_t head_output(view v, shape s, const place *at, int ahead, size_t buffer,
                            uint32_t queue)
{
    size_t slot = s.word ? first_slot(v, s, buffer * (size_t)s.queues + queue)
                         : v.link[buffer * v.links + v.slots + queue];

    if (!s.word) /* an empty list's head is not a slot */
        slot = slot < v.slots ? slot : 0;
    return output_of(s, at, ahead, v.packet[place_in(v, s, buffer, slot)].to);
}

/* Has a buffer, as the stage before sees it, room in a queue? */
INLINE uint32_t has_room(view v, shape s, size_t buffer, uint32_t queue)
{
    if (s.pieces)
        return v.seen_length[buffer * (size_t)s.queues + queue] < v.queue_max;
    return v.seen_room[buffer] != 0;
}

/* Is the way open for the head of a queue of `buffer` that leaves by `line`? */
INLINE uint32_t way_is_open(view v, shape s, const place *at, uint32_t line, size_t buffer,
                            uint32_t queue)
{
    if (!s.blocks || s.last)
        return 1;
    return has_room(v, s, at->next + line, s.pieces ? head_output(v, s, at, 1, buffer, queue) : 0);
}

/* What arbitrating a switch comes to. */
typedef struct {
    int grants;
    uint32_t busy, sent;  /* inputs that hold packets, and that send */
    uint32_t first_stays; /* 1: the input that came first holds packets and sends none */
} outcome;

/* One queue an input. */
INLINE outcome arbitrate_heads(view v, shape s, const place *at, uint32_t base, uint32_t first,
                               leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const size_t buffers = at->here + base;
    uint32_t taken = 0;
    outcome o = {0};

    for (uint32_t k = 0; k < (uint32_t)s.ports; k++) {
        uint32_t i = first + k;
        i -= i >= (uint32_t)s.ports ? (uint32_t)s.ports : 0;
        uint32_t busy = v.length[buffers + i] != 0;
        uint32_t j = head_output(v, s, at, 0, buffers + i, 0);
        uint32_t go = busy & ~(taken >> j) & way_is_open(v, s, at, wire[j], buffers + i, 0);
        out[o.grants] = leave(s, base + i, j);
        o.grants += (int)go;
        taken |= go << j;
        o.busy += busy;
        o.sent += go;
        o.first_stays = k == 0 ? busy & ~go : o.first_stays;
    }
    return o;
}

/* A queue an output; four ports, room alike for all queues of a buffer: an input's four lengths are
 * one word of four lanes. A lane's key is its length, who comes first of equally long queues (two
 * bits, by the pointer), and the queue's number (two bits); the best queue has the largest key. */
static const uint64_t lane_keys[4] = {
    UINT64_C(0x000300060009000c),
    UINT64_C(0x0007000a000d0000),
    UINT64_C(0x000b000e00010004),
    UINT64_C(0x000f000200050008),
};

INLINE outcome arbitrate_four(view v, shape s, const place *at, uint32_t base, uint32_t first,
                              leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const size_t buffers = at->here + base;
    uint64_t open = 0;
    outcome o = {0};

    for (uint32_t j = 0; j < 4; j++)
        open |= (UINT64_C(0xffff) & -(uint64_t)way_is_open(v, s, at, wire[j], 0, 0)) << 16 * j;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t i = (first + k) & 3;
        uint64_t lengths;
        memcpy(&lengths, v.length + (buffers + i) * 4, sizeof lengths);
        const uint64_t key = (lengths & open) << 4 | lane_keys[first];
        const uint32_t a = key & 0xffff, b = key >> 16 & 0xffff, c = key >> 32 & 0xffff,
                       d = (uint32_t)(key >> 48);
        const uint32_t ab = a > b ? a : b, cd = c > d ? c : d, best = ab > cd ? ab : cd;
        const uint32_t j = best & 3, go = best > 15;
        out[o.grants] = leave(s, base + i, j);
        o.grants += (int)go;
        open &= ~((uint64_t)(0xffff & -go) << 16 * j);
        const uint32_t busy = lengths != 0;
        o.busy += busy;
        o.sent += go;
        o.first_stays = k == 0 ? busy & ~go : o.first_stays;
    }
    return o;
}

#ifdef __AVX2__ /* without it this is slower than one switch after the other */

/* Four switches of four ports side by side, sixteen lanes. */
typedef int16_t lanes __attribute__((vector_size(32)));
typedef int64_t words __attribute__((vector_size(32)));
typedef uint16_t pointers __attribute__((vector_size(8)));

INLINE lanes larger(lanes a, lanes b)
{
    lanes mask = a > b;
    return (a & mask) | (b & ~mask);
}

/* In every lane, the largest of its word's four. */
INLINE lanes largest_of_word(lanes a)
{
    /* by bytes: each half of a word changes places with the other */
    const __m256i by_one = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2,
                                            3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);

    a = larger(a, (lanes)_mm256_shuffle_epi32((__m256i)a, _MM_SHUFFLE(2, 3, 0, 1)));
    return larger(a, (lanes)_mm256_shuffle_epi8((__m256i)a, by_one));
}

/* The lengths of switch sw's inputs, a word each, from the pointer's on. */
INLINE __m256i turned(view v, size_t buffer, uint32_t first)
{
    static const int32_t by_pointer[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                             {2, 3, 4, 5, 6, 7, 0, 1},
                                             {4, 5, 6, 7, 0, 1, 2, 3},
                                             {6, 7, 0, 1, 2, 3, 4, 5}};
    const __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)(v.length + buffer * 4));
    const __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)by_pointer[first]);

    return _mm256_permutevar8x32_epi32(w, order);
}

/* Of each of four switches, its inputs' lengths: input[k] is the one that comes k-th. */
INLINE void take_turns(view v, size_t buffer, const uint16_t *pointer, words *input)
{
    const __m256i t0 = turned(v, buffer, pointer[0]), t1 = turned(v, buffer + 4, pointer[1]);
    const __m256i t2 = turned(v, buffer + 8, pointer[2]), t3 = turned(v, buffer + 12, pointer[3]);
    const __m256i a = _mm256_unpacklo_epi64(t0, t1), b = _mm256_unpackhi_epi64(t0, t1);
    const __m256i c = _mm256_unpacklo_epi64(t2, t3), d = _mm256_unpackhi_epi64(t2, t3);

    /* the lower halves of two side by side, then the upper halves */
    input[0] = (words)_mm256_permute2x128_si256(a, c, 0x20);
    input[1] = (words)_mm256_permute2x128_si256(b, d, 0x20);
    input[2] = (words)_mm256_permute2x128_si256(a, c, 0x31);
    input[3] = (words)_mm256_permute2x128_si256(b, d, 0x31);
}

/* Append those of four leavings whose lane of `go` is set; writes four, returns how many count. */
INLINE int append(words what, words go, leaving *out)
{
    /* by the mask of four: the low halves of the words that stay, in front */
    static const int32_t in_front[16][8] = {
        {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0},
        {0, 2, 0, 0, 0, 0, 0, 0}, {4, 0, 0, 0, 0, 0, 0, 0}, {0, 4, 0, 0, 0, 0, 0, 0},
        {2, 4, 0, 0, 0, 0, 0, 0}, {0, 2, 4, 0, 0, 0, 0, 0}, {6, 0, 0, 0, 0, 0, 0, 0},
        {0, 6, 0, 0, 0, 0, 0, 0}, {2, 6, 0, 0, 0, 0, 0, 0}, {0, 2, 6, 0, 0, 0, 0, 0},
        {4, 6, 0, 0, 0, 0, 0, 0}, {0, 4, 6, 0, 0, 0, 0, 0}, {2, 4, 6, 0, 0, 0, 0, 0},
        {0, 2, 4, 6, 0, 0, 0, 0}};
    const int mask = _mm256_movemask_pd((__m256d)go);
    const __m256i order = _mm256_loadu_si256((const __m256i *)(const void *)in_front[mask]);
    const __m256i packed = _mm256_permutevar8x32_epi32((__m256i)what, order);

    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(packed));
    return __builtin_popcount((unsigned)mask);
}

/* What arbitrate_four does, four times, with the switches' pointers; returns the grants. *busy: a
 * count for each of the four. */
INLINE int arbitrate_four_by_four(view v, shape s, const place *at, uint32_t base,
                                  uint16_t *pointer, words *busy, leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const words none = {0};
    words first = {pointer[0], pointer[1], pointer[2], pointer[3]}, input[4], stays = none;
    const lanes keys =
        (lanes)(words){(int64_t)lane_keys[pointer[0]], (int64_t)lane_keys[pointer[1]],
                       (int64_t)lane_keys[pointer[2]], (int64_t)lane_keys[pointer[3]]};
    const words bases = (words){base, base + 4, base + 8, base + 12} << s.bits;
    lanes open;
    int grants = 0;

    take_turns(v, at->here + base, pointer, input);
    if (s.last || !s.blocks) {
        open = (lanes)~none;
    } else {
        int16_t room[16];
        for (int k = 0; k < 16; k++)
            room[k] = (int16_t)v.seen_room[at->next + wire[k]];
        memcpy(&open, room, sizeof open);
        open = open != 0;
    }
    for (int k = 0; k < 4; k++) {
        const lanes key = ((lanes)input[k] & open) << 4 | keys, best = largest_of_word(key);
        const lanes go = best > 15;
        const words holds = input[k] != none;
        const words what = bases + (((first + k) & 3) << s.bits) + ((words)best & 3);
        open &= ~((key == best) & go);
        grants += append(what, (words)go, out + grants);
        *busy -= holds;
        stays = k == 0 ? holds & ~(words)go : stays;
    }
    first = (first + 1 + stays) & 3;
    const pointers after = __builtin_convertvector(first, pointers);
    memcpy(pointer, &after, sizeof after);
    return grants;
}

#endif

/* A queue an output, in general. */
INLINE outcome arbitrate_queues(view v, shape s, const place *at, uint32_t base, uint32_t first,
                                leaving *out)
{
    const uint32_t *wire = at->wire + base;
    const size_t buffers = at->here + base;
    const uint32_t ports = (uint32_t)s.ports;
    uint32_t closed = 0, taken = 0;
    outcome o = {0};

    for (uint32_t j = 0; j < ports && !s.pieces; j++)
        closed |= (way_is_open(v, s, at, wire[j], 0, 0) ^ 1) << j;
    for (uint32_t k = 0; k < ports; k++) {
        uint32_t i = first + k, any = 0, best = 0, sent = 0;
        i -= i >= ports ? ports : 0;
        const uint16_t *length = v.length + (buffers + i) * ports;
        for (uint32_t j = 0; j < ports; j++) {
            uint32_t waiting = length[j], go = (waiting != 0) & ~((taken | closed) >> j);
            any |= waiting;
            if (s.pieces)
                go &= way_is_open(v, s, at, wire[j], buffers + i, j);
            if (s.each) {
                out[o.grants] = leave(s, base + i, j);
                o.grants += (int)go;
                taken |= go << j;
                sent |= go;
            } else {
                /* the longest; of these the first from the pointer on */
                uint32_t turn = first - j + (first <= j ? ports : 0);
                uint32_t key = (waiting << 12 | turn << 6 | j) & -go;
                best = key > best ? key : best;
            }
        }
        if (!s.each) {
            const uint32_t j = best & 63;
            sent = best != 0;
            out[o.grants] = leave(s, base + i, j);
            o.grants += (int)sent;
            taken |= sent << j;
        }
        const uint32_t busy = any != 0;
        o.busy += busy;
        o.sent += sent;
        o.first_stays = k == 0 ? busy & ~sent : o.first_stays;
    }
    return o;
}

/* Do words of four lanes serve? Room must be a matter of the buffer, and lane 0 lie lowest. */
INLINE bool lane_wise(shape s)
{
    return s.ports == 4 && s.queues == 4 && !s.pieces && !s.each &&
           __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* Arbitrate one switch, whose pointer is given. */
INLINE outcome arbitrate(view v, shape s, const place *at, uint32_t base, uint16_t *pointer,
                         leaving *out)
{
    const uint32_t first = *pointer;
    outcome o;

    if (s.queues == 1)
        o = arbitrate_heads(v, s, at, base, first, out);
    else if (lane_wise(s))
        o = arbitrate_four(v, s, at, base, first, out);
    else
        o = arbitrate_queues(v, s, at, base, first, out);
    const uint32_t after = first + 1 - o.first_stays;
    *pointer = (uint16_t)(after == (uint32_t)s.ports ? 0 : after);
    return o;
}

/* Take the packet that is about to leave; returned is where it lies until a packet comes to its
 * slot, which none does before the next stage's turn. */
INLINE const swq_packet *take(view v, shape s, leaving l)
{
    const size_t buffer = buffer_of(s, l);
    const size_t q = s.queues == 1 << s.bits ? l : buffer * (size_t)s.queues + queue_of(s, l);
    size_t slot;

    v.length[q]--;
    if (s.word) {
        slot = first_slot(v, s, q);
        if (s.word == 16)
            v.short_order[q] >>= 4;
        else
            v.order[q] >>= 4;
        v.room[buffer] |= (uint16_t)(1u << slot);
    } else {
        uint16_t *link = v.link + buffer * v.links;
        const size_t head = v.slots + queue_of(s, l), spare = v.slots + (size_t)s.queues;
        slot = link[head];
        link[head] = link[slot];
        link[slot] = link[spare];
        link[spare] = (uint16_t)slot;
        v.tail[q] = v.length[q] ? v.tail[q] : (uint16_t)head;
        v.room[buffer]++;
    }
    return v.packet + place_in(v, s, buffer, slot);
}

INLINE void put(view v, shape s, size_t buffer, uint32_t queue, const swq_packet *packet)
{
    const size_t q = buffer * (size_t)s.queues + queue;
    size_t slot;

    if (s.word) {
        slot = (size_t)__builtin_ctz(v.room[buffer]);
        v.room[buffer] &= (uint16_t)(v.room[buffer] - 1);
        if (s.word == 16)
            v.short_order[q] |= (uint16_t)(slot << 4 * v.length[q]);
        else
            v.order[q] |= (uint64_t)slot << 4 * v.length[q];
    } else {
        uint16_t *link = v.link + buffer * v.links;
        const size_t spare = v.slots + (size_t)s.queues;
        slot = link[spare];
        link[spare] = link[slot];
        link[v.tail[q]] = (uint16_t)slot;
        v.tail[q] = (uint16_t)slot;
        v.room[buffer]--;
    }
    /* as the one word that it is */
    memcpy(&v.packet[place_in(v, s, buffer, slot)], packet, sizeof *packet);
    v.length[q]++;
}

/* Details of links: by the outputs that they leave. */
INLINE void note_links(swq_net *net, shape s, int stage, const leaving *list, int n)
{
    for (int k = 0; k < n; k++)
        swq_note_sent(net, stage, left_by(s, list[k]));
}

/* What is counted of each sink. */
INLINE void note_node(swq_net *net, uint32_t sink, uint32_t latency)
{
    swq_note_delivered(net, sink, latency);
    if (net->system.node_count)
        net->system.node_count[(size_t)sink * SWQ_NODE_BINS +
                               (latency < SWQ_NODE_BINS ? latency : SWQ_NODE_BINS - 1)]++;
}

/* To the sinks, each packet counted in the cell of its group. */
INLINE void deliver_by_group(swq_net *net, view v, shape s, const place *at, const leaving *list,
                             int n)
{
    for (int k = 0; k < n; k++) {
        swq_deliver(net, *take(v, s, list[k]), (swq_trail){0}, line_of(s, at, list[k]));
    }
}

/* To the sinks. */
INLINE void deliver_all(swq_net *net, view v, shape s, const place *at, const leaving *list, int n)
{
    uint64_t *cell = net->system.tally + swq_tally_cell(net->system.levels, 0),
             *histogram = net->system.histogram;
    const bool by_node = net->system.node_count || net->system.node_tally;
    const uint32_t now = net->cycle + 1;
    uint64_t sum = 0;

    for (int k = 0; k < n; k++) {
        uint32_t latency = now - take(v, s, list[k])->birth;
        histogram[swq_histogram_bin(latency)]++;
        sum += latency;
        if (by_node)
            note_node(net, line_of(s, at, list[k]), latency);
    }
    cell[SWQ_CELL_DELIVERED] += (uint64_t)n;
    cell[SWQ_CELL_LATENCY] += sum;
    net->system.delivered += (uint64_t)n;
    net->system.sojourn += sum;
}

/* To the next stage; returns how many are lost. */
INLINE int move_all(swq_net *net, view v, shape s, int stage, const place *at, const leaving *list,
                    int n)
{
    int lost = 0;

    for (int k = 0; k < n; k++) {
        const swq_packet *p = take(v, s, list[k]);
        uint32_t join = s.queues > 1 ? output_of(s, at, 1, p->to) : 0;
        size_t to = at->next + line_of(s, at, list[k]);
        if (!s.blocks && !has_room(v, s, to, join)) {
            swq_discard(net, stage + 1, *p, (swq_trail){0}, net->cycle - p->birth + 1);
            lost++;
            continue;
        }
        put(v, s, to, join, p);
    }
    return lost;
}

/* Where the digits, wires and buffers of a stage are; stage -1: the sources. */
INLINE place place_of(const swq_net *net, int stage)
{
    place at = {.wire = net->wire + (size_t)(stage + 1) * net->system.nodes,
                .next = swq_buffer_at(net, stage + 1, 0)};

    for (int ahead = stage < 0; ahead < 2 && stage + ahead < net->system.levels; ahead++) {
        at.divisor[ahead] = net->digit[stage + ahead].divisor;
        at.shift[ahead] = net->digit[stage + ahead].shift;
    }
    at.here = stage < 0 ? 0 : swq_buffer_at(net, stage, 0);
    return at;
}

/* The turn of a stage, whatever it is constant in. */
INLINE void transmit_shape(swq_net *net, int stage, shape s)
{
    leaving list[BLOCK * SWQ_MAX_PORTS + 4]; /* writers may go beyond what counts */
    place at = place_of(net, stage);
    const view v = view_from(view_of(net), s, at.here);
    const uint32_t last = net->mine.end;
    uint16_t *pointer = net->memory + (size_t)stage * (net->system.nodes / (uint32_t)s.ports);
    uint64_t *count = net->system.tally + swq_tally_stage(stage);
    uint64_t sent = 0, lost = 0, busy = 0, sending = 0;

    at.next -= at.here;
    at.here = 0;
    for (uint32_t sw = net->mine.first; sw < last; sw += BLOCK) {
        const uint32_t end = last - sw < BLOCK ? last : sw + BLOCK;
        int n = 0;
        uint32_t k = sw;
#ifdef __AVX2__
        words busy_four = {0};
        for (; lane_wise(s) && end - k >= 4; k += 4) {
            const int more =
                arbitrate_four_by_four(v, s, &at, 4 * k, &pointer[k], &busy_four, list + n);
            n += more;
            sending += (uint64_t)more;
        }
        busy += (uint64_t)(busy_four[0] + busy_four[1] + busy_four[2] + busy_four[3]);
#endif
        for (; k < end; k++) {
            outcome o = arbitrate(v, s, &at, k * (uint32_t)s.ports, &pointer[k], list + n);
            n += o.grants;
            busy += o.busy;
            sending += o.sent;
        }
        sent += (uint64_t)n;
        if (net->system.link_tally)
            note_links(net, s, stage, list, n);
        if (s.last && net->system.cells > 1)
            deliver_by_group(net, v, s, &at, list, n);
        else if (s.last)
            deliver_all(net, v, s, &at, list, n);
        else
            lost += (uint64_t)move_all(net, v, s, stage, &at, list, n);
    }
    count[SWQ_STAGE_BUSY] += busy;
    count[SWQ_STAGE_BLOCKED] += busy - sending;
    count[SWQ_STAGE_SENT] += sent;
    net->stage_packets[stage] -= sent;
    if (!s.last) {
        count[SWQ_STAGE_COUNTERS + SWQ_STAGE_ARRIVED] += sent;
        net->stage_packets[stage + 1] += sent - lost;
        net->system.hops += sent - lost;
    }
}

INLINE void transmit(swq_net *net, int stage, shape s)
{
    s.last = stage == net->system.levels - 1;
    s.blocks = net->blocks;
    if (s.last)
        transmit_shape(net, stage, (s.last = true, s));
    else if (s.blocks)
        transmit_shape(net, stage, (s.last = false, s.blocks = true, s));
    else
        transmit_shape(net, stage, (s.last = s.blocks = false, s));
}

/* ---- sources that hold one packet ---- */

enum { SOURCES = 256 /* that are looked at before their packets move */ };

/* Draw the packets after those that have just been sent: as swq_source_next does for a network
 * whose destinations are all alike. The words for all of them first, in a loop for vectors. */
INLINE void next_packets(swq_net *net, const uint32_t *source, uint32_t count)
{
    const uint32_t tomorrow = net->cycle + 1, nodes = net->system.nodes;
    const swq_streams streams = net->streams;
    swq_sources *from = &net->sources;
    uint64_t first[SOURCES], second[SOURCES];

    for (uint32_t k = 0; k < count; k++) {
        first[k] = source[k];
        second[k] = ++from->number[source[k]];
    }
    for (uint32_t k = 0; k < count; k++)
        swq_stream_pair(&streams, SWQ_STREAM_PACKET, (uint32_t)first[k], second[k], &first[k],
                        &second[k]);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = source[k], gap = swq_gap(net, i, first[k]);
        from->birth[i] = gap >= SWQ_NEVER - 1 - tomorrow ? SWQ_NEVER : tomorrow + gap;
        from->to[i] = swq_word_below((uint32_t)(second[k] >> 32), nodes);
    }
}

INLINE void refuse(swq_net *net, uint32_t i)
{
    swq_packet p = {net->sources.birth[i], net->sources.to[i]};

    if (net->blocks)
        return;
    swq_discard(net, 0, p, (swq_trail){0}, net->cycle - p.birth);
    swq_source_next(net, i);
}

/* Details of nodes and links: packets that are created, and those that leave their sources, lost or
 * not. Not in line: they are rarely asked for. */
static __attribute__((noinline)) void note_sources(swq_net *net, uint32_t start, uint32_t end)
{
    for (uint32_t i = start; i < end; i++) {
        if (net->sources.birth[i] == net->cycle)
            swq_note_created(net, i);
    }
}

static __attribute__((noinline)) void note_entries(swq_net *net, const uint32_t *sent, uint32_t n,
                                                   const uint32_t *lost, uint32_t away)
{
    for (uint32_t k = 0; k < n; k++)
        swq_note_sent(net, -1, sent[k]);
    for (uint32_t k = 0; k < away; k++)
        swq_note_sent(net, -1, lost[k]);
}

/* A block of sources at a time: who offers, who has room, who sends; lists again, not branches. */
INLINE void create(swq_net *net, shape s, bool alike)
{
    const uint32_t *birth = net->sources.birth, *to = net->sources.to, now = net->cycle;
    const view v = view_of(net);
    const place at = place_of(net, -1);
    const bool detail = net->system.node_tally || net->system.link_tally;
    const uint32_t last = net->mine.end * (uint32_t)net->ports;
    uint64_t offers = 0, entered = 0;

    for (uint32_t start = net->mine.first * (uint32_t)net->ports; start < last; start += SOURCES) {
        uint32_t end = last - start < SOURCES ? last : start + SOURCES;
        uint32_t offer[SOURCES + 1], send[SOURCES + 1], turned_away[SOURCES + 1];
        uint32_t n = 0, sending = 0, away = 0;
        if (detail)
            note_sources(net, start, end);
        for (uint32_t i = start; i < end; i++) {
            offer[n] = i;
            n += birth[i] <= now;
        }
        for (uint32_t k = 0; k < n; k++) {
            /* cppcheck-suppress uninitvar ; n are set */
            uint32_t i = offer[k];
            uint32_t join = s.queues > 1 ? output_of(s, &at, 1, to[i]) : 0;
            uint32_t room = has_room(v, s, at.wire[i], join);
            send[sending] = turned_away[away] = i;
            sending += room;
            away += room ^ 1;
        }
        if (detail)
            note_entries(net, send, sending, turned_away, net->blocks ? 0 : away);
        for (uint32_t k = 0; k < sending; k++) {
            // cppcheck-suppress uninitvar
            uint32_t i = send[k];
            swq_packet p = {birth[i], to[i]};
            put(v, s, at.wire[i], s.queues > 1 ? output_of(s, &at, 1, p.to) : 0, &p);
            if (!alike)
                swq_source_next(net, i);
        }
        if (alike)
            next_packets(net, send, sending);
        for (uint32_t k = 0; k < away; k++)
            refuse(net, turned_away[k]);
        offers += n;
        entered += sending;
    }
    uint64_t refused = offers - entered, lost = net->blocks ? 0 : refused;
    uint64_t created =
        offers - net->system.waiting; /* what waits was created earlier and offers again */
    uint64_t *cell = net->system.tally + swq_tally_cell(net->system.levels, 0);
    net->system.tally[SWQ_NET_OFFERS] += offers;
    net->system.tally[SWQ_NET_REFUSED] += refused;
    net->system.tally[swq_tally_stage(0) + SWQ_STAGE_ARRIVED] += entered + lost;
    cell[SWQ_CELL_CREATED] += created;
    cell[SWQ_CELL_OFFERED] += entered + lost;
    net->system.created += created;
    net->system.waiting += created - entered - lost;
    net->stage_packets[0] += entered;
    net->system.hops += entered;
}

#endif
