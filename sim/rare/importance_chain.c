/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The importance that a small chain (chain.h) makes: the logarithm of the probability that a buffer
 * refuses a packet soon, for the network's buffer where this probability is greatest. A packet's
 * destination tells which buffer and output it will want next.
 */
#include "base/context.h"
#include "sim/rare/chain.h"
#include "sim/rare/importance.h"
#include "sim/stages/buffers.h"

#include <math.h>
#include <string.h>

enum {
    PARTS = 8, /* units of importance per slot of a buffer */
    MOST_SLOTS = 16,
    MOST_RIVALS = 63,
    MOST_COMING = 6,
    MOST_STATES = 20000,
    BOUNDS = 64
};

typedef struct {
    swq_contest_most most;
    size_t states;
    /* The largest value of any state by the number of packets in a switch or on their way to it;
     * the last element is for all larger numbers. [1]: for the first stage. */
    uint8_t bound[2][BOUNDS];
    /* The largest value of any state by the packets in an input's buffer, the packets on their way
     * to the buffer and, at most, the packets of the other inputs. [1]: for the first stage. */
    uint8_t input_bound[2][MOST_SLOTS + 1][MOST_COMING + 1][MOST_RIVALS + 1];
    /* [2 * states] before transmission, then after it: at the first stage a packet that arrives can
     * be sent in the same cycle */
    uint8_t value[];
} importance_table;

static bool fits(const swq_net *net)
{
    const swq_buffer *b = &net->part[0].rule;

    return net->spec->sw.buffer.scope == SWQ_PER_INPUT && net->parts == 1 && b->queue_min == 0 &&
           b->queue_max == b->capacity && b->alpha == 0 && net->queues == net->ports &&
           net->ports > 1 && net->slots <= MOST_SLOTS;
}

static double mean_load(const swq_net *net)
{
    const swq_traffic *t = &net->spec->traffic;
    double sum = 0;

    if (!t->node_load)
        return t->load;
    for (uint32_t i = 0; i < net->system.nodes; i++)
        sum += t->node_load[i];
    return sum / net->system.nodes;
}

static swq_contest_model model_of(const swq_net *net)
{
    const int rivals = (net->ports - 1) * net->slots;
    swq_contest_model m = {
        .most = {.capacity = net->slots, .rivals = rivals < MOST_RIVALS ? rivals : MOST_RIVALS},
        .ports = net->ports,
        .each = net->spec->sw.buffer.read == SWQ_READ_EACH_QUEUE,
        .load = mean_load(net),
    };

    m.most.coming = net->system.levels > 1 ? MOST_COMING : 0;
    while (m.most.coming > 0 && swq_contest_states(&m.most) > MOST_STATES)
        m.most.coming--;
    return m;
}

static uint32_t most_of(const swq_net *net)
{
    return (uint32_t)(net->slots * PARTS);
}

static size_t table_bytes(const swq_net *net)
{
    const swq_contest_model m = model_of(net);

    return sizeof(importance_table) + 2 * swq_contest_states(&m.most);
}

/* Scales logarithms to whole numbers; 0 for states that are no more likely to lead to a loss than
 * an empty switch. */
static void set_values(importance_table *t, const double *chance, double most)
{
    double high = 0;

    for (size_t k = 0; k < 2 * t->states; k++)
        high = chance[k] > high ? chance[k] : high;
    const double low = chance[t->states];
    const double scale = high > low && low > 0 ? most / log(high / low) : 0;
    for (size_t k = 0; k < 2 * t->states; k++) {
        if (chance[k] > low)
            t->value[k] = (uint8_t)floor(scale * log(chance[k] / low) + 0.5);
    }
}

static void raise(uint8_t *bound, uint8_t to)
{
    *bound = to > *bound ? to : *bound;
}

/* Raises the bounds for the numbers of packets in state `h` to the value of `h`. */
static void note_state(importance_table *t, const swq_contest *h)
{
    const int all = h->mine + h->others + h->rivals + h->same + h->apart;
    const size_t at = swq_contest_place(&t->most, h);

    for (int first = 0; first < 2; first++) {
        const uint8_t v = t->value[at + (size_t)first * t->states];
        raise(&t->bound[first][all < BOUNDS ? all : BOUNDS - 1], v);
        raise(&t->input_bound[first][h->mine + h->others][h->same + h->apart][h->rivals], v);
    }
}

/* Makes each bound one for smaller numbers, too. */
static void accumulate(uint8_t *bound, int count)
{
    for (int k = 1; k < count; k++)
        raise(&bound[k], bound[k - 1]);
}

static void set_bounds(importance_table *t)
{
    const swq_contest_most *e = &t->most;

    for (int mine = 0; mine <= e->capacity; mine++)
        for (int others = 0; mine + others <= e->capacity; others++)
            for (int rivals = 0; rivals <= e->rivals; rivals++)
                for (int same = 0; same <= e->coming; same++)
                    for (int apart = 0; same + apart <= e->coming; apart++)
                        note_state(t, &(swq_contest){mine, others, rivals, same, apart});
    for (int first = 0; first < 2; first++) {
        accumulate(t->bound[first], BOUNDS);
        for (int here = 0; here <= e->capacity; here++)
            for (int coming = 0; coming <= e->coming; coming++)
                accumulate(t->input_bound[first][here][coming], MOST_RIVALS + 1);
    }
}

static swq_status prepare(swq_context *ctx, const swq_net *net, void *to)
{
    const swq_contest_model m = model_of(net);
    importance_table *t = to;

    t->most = m.most;
    t->states = swq_contest_states(&m.most);
    double *chance = swq_calloc(ctx, 2 * t->states, sizeof *chance);
    if (!chance)
        return swq_memory_status(ctx);
    swq_contest_solve(&m, chance, chance + t->states);
    set_values(t, chance, most_of(net));
    set_bounds(t);
    swq_free(ctx, chance);
    return SWQ_OK;
}

/* ---- the value of a state ---- */

typedef struct {
    size_t likely; /* the switch with the highest value last time, which is tried first */
    /* [stages][switches]: packets in a switch and on their way to it, at most BOUNDS - 1; then
     * [stages][nodes][ports]: packets at the stage before, by line and next output */
    uint8_t counts[];
} notes;

static size_t switches_of_stage(const swq_net *net)
{
    return net->system.nodes / (uint32_t)net->ports;
}

static size_t switches_of(const swq_net *net)
{
    return (size_t)net->system.levels * switches_of_stage(net);
}

static size_t scratch_bytes(const swq_net *net)
{
    const size_t all = (size_t)net->ports * (size_t)net->ports;

    return sizeof(notes) + switches_of(net) * (1 + all);
}

/* A buffer, its queues, and the packets on their way to it. */
typedef struct {
    const importance_table *t;
    int late;       /* 1: a packet that arrives can be sent in the same cycle; as in the table */
    int here, come; /* packets in all queues, and on their way to them */
    /* the largest value; and all outputs for which there are rivals, together: their number, their
     * packets, and as many rivals for each of these */
    uint32_t most;
    int contested;
    swq_contest all;
} buffer_view;

static void look_at(buffer_view *b, const swq_contest *h)
{
    const size_t at = swq_contest_place(&b->t->most, h);
    const uint32_t value = b->t->value[(b->late ? b->t->states : 0) + at];

    b->most = value > b->most ? value : b->most;
}

/* A bound of the values of a buffer of a switch that has that many packets, counted up to
 * BOUNDS - 1. */
static uint32_t bound_of(const buffer_view *b, int packets)
{
    const int coming = b->come < b->t->most.coming ? b->come : b->t->most.coming;
    const int elsewhere = packets < BOUNDS - 1 ? packets - b->here - b->come : MOST_RIVALS;

    return b->t->input_bound[b->late][b->here][coming][elsewhere];
}

/* An output for which the buffer has `mine` packets and `same` on their way, not both none, and
 * other inputs have `rivals`. */
static void look_at_output(buffer_view *b, int mine, int same, int rivals)
{
    const swq_contest h = {mine, b->here - mine, rivals, same, b->come - same};

    look_at(b, &h);
    if (rivals == 0)
        return;
    b->contested++;
    b->all.mine += mine;
    b->all.same += same;
    b->all.rivals += (mine + same) * rivals;
}

/* All outputs for which the buffer has rivals are also taken together as one, with as many rivals
 * as its packets have on average. */
static void look_at_all(buffer_view *b)
{
    if (b->contested < 2)
        return;
    b->all.rivals /= b->all.mine + b->all.same;
    b->all.others = b->here - b->all.mine;
    b->all.apart = b->come - b->all.same;
    look_at(b, &b->all);
}

/* The largest value of a switch's buffers, or `most` if that is larger. length, coming:
 * [ports][ports]; packets: all of them, at most BOUNDS - 1. */
static uint32_t value_of_switch(buffer_view b, const uint16_t *length, const uint8_t *coming,
                                int ports, int packets)
{
    const int all = ports * ports;
    int column[2 * SWQ_MAX_PORTS];

    for (int q = 0; q < ports; q++) {
        column[q] = 0;
        for (int k = q; k < all; k += ports)
            column[q] += length[k] + coming[k];
    }
    for (int i = 0; i < all; i += ports) {
        b.here = b.come = b.contested = 0;
        b.all = (swq_contest){0};
        for (int q = i; q < i + ports; q++) {
            b.here += length[q];
            b.come += coming[q];
        }
        if (bound_of(&b, packets) <= b.most)
            continue;
        for (int q = 0; q < ports; q++) {
            const int own = length[i + q] + coming[i + q];
            if (own > 0)
                look_at_output(&b, length[i + q], coming[i + q], column[q] - own);
        }
        look_at_all(&b);
    }
    return b.most;
}

/* Four bytes as lanes of 16 bits. */
static uint64_t lanes_of(const uint8_t *bytes)
{
    const uint64_t all =
        (uint64_t)bytes[3] << 24 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[1] << 8 | bytes[0];
    const uint64_t pairs = (all | all << 16) & UINT64_C(0x0000ffff0000ffff);

    return (pairs | pairs << 8) & UINT64_C(0x00ff00ff00ff00ff);
}

static int sum_of_lanes(uint64_t lanes)
{
    return (int)(lanes * UINT64_C(0x0001000100010001) >> 48);
}

/* As value_of_switch, for packed buffers: the lanes of a word are a buffer's queues. */
static uint32_t value_of_packed_switch(buffer_view b, const uint16_t *queue, const uint8_t *coming,
                                       int packets)
{
    enum { PORTS = SWQ_PACKED_QUEUES };
    uint64_t mine[PORTS], same[PORTS], column = 0;

    for (int i = 0; i < PORTS; i++) {
        mine[i] = swq_packed_counts(swq_packed_buffer(queue + PORTS * i));
        same[i] = lanes_of(coming + PORTS * i);
        column += mine[i] + same[i];
    }
    for (int i = 0; i < PORTS; i++) {
        b.here = sum_of_lanes(mine[i]);
        b.come = sum_of_lanes(same[i]);
        if (bound_of(&b, packets) <= b.most)
            continue;
        const uint64_t rivals = column - mine[i] - same[i];
        uint64_t own = mine[i] + same[i];
        b.contested = 0;
        b.all = (swq_contest){0};
        while (own) {
            const int lane = __builtin_ctzll(own) & ~15;
            own &= ~(UINT64_C(0xffff) << lane);
            look_at_output(&b, mine[i] >> lane & 0xffff, same[i] >> lane & 0xffff,
                           rivals >> lane & 0xffff);
        }
        look_at_all(&b);
    }
    return b.most;
}

static uint32_t one_switch(const swq_net *net, const importance_table *t, const notes *n, size_t sw,
                           uint32_t most)
{
    const size_t ports = (size_t)net->ports, all = ports * ports;
    const uint8_t *coming = n->counts + switches_of(net) + sw * all;
    const buffer_view b = {.t = t, .late = sw < switches_of_stage(net), .most = most};

    if (net->packs)
        return value_of_packed_switch(b, net->short_order + sw * all, coming, n->counts[sw]);
    return value_of_switch(b, net->length + sw * all, coming, net->ports, n->counts[sw]);
}

/* ---- packets on their way ---- */

/* Counts a switch's packets by the input and output that they will want at the next stage:
 * coming[nodes][ports] there. */
static void look_ahead(const swq_net *net, int stage, uint32_t sw, uint8_t *coming)
{
    const uint32_t ports = (uint32_t)net->ports;
    const size_t first = (size_t)stage * net->system.nodes + sw * ports;
    const uint32_t *wire = net->wire + (size_t)(stage + 1) * net->system.nodes + sw * ports;

    for (size_t at = first; at < first + ports; at++) {
        const uint16_t *length = net->length + at * ports;
        for (uint32_t q = 0; q < ports; q++) {
            for (int k = 0; k < length[q]; k++) {
                const size_t slot = (size_t)swq_slot_of(net, at, (int)q, k);
                const swq_packet *p = &net->packet[swq_place_of(net, at, slot)];
                uint8_t *c =
                    &coming[wire[q] * ports + (uint32_t)swq_output_port(net, stage + 1, p->to)];
                *c += *c < UINT8_MAX;
            }
        }
    }
}

/* As look_ahead, for a switch with packed buffers, in which a queue is reached by 16 packets at
 * most. */
static void look_ahead_packed(const swq_net *net, int stage, uint32_t sw, uint8_t *coming)
{
    const int shift = net->digit[stage + 1].shift;
    const size_t first = (size_t)stage * net->system.nodes + sw * SWQ_PACKED_QUEUES;
    const uint32_t *wire =
        net->wire + (size_t)(stage + 1) * net->system.nodes + sw * SWQ_PACKED_QUEUES;

    for (size_t at = first; at < first + SWQ_PACKED_QUEUES; at++) {
        const uint64_t queues = swq_packed_buffer(net->short_order + at * SWQ_PACKED_QUEUES);
        for (uint64_t left = queues & SWQ_PACKED_ALL; left; left &= left - 1) {
            const int bit = __builtin_ctzll(left);
            const swq_packet *p = &net->packet[swq_place_of(net, at, queues >> (bit + 1) & 3)];
            const uint32_t output = (p->to & ~SWQ_HIGH) >> shift & (SWQ_PACKED_QUEUES - 1);
            coming[wire[bit >> 4] * SWQ_PACKED_QUEUES + output]++;
        }
    }
}

static uint32_t packets_of(const swq_net *net, size_t sw)
{
    const size_t all = (size_t)net->ports * (size_t)net->ports;
    uint32_t sum = 0;

    if (net->packs)
        return swq_packed_total(net->short_order + sw * all);
    for (size_t k = 0; k < all; k++)
        sum += net->length[sw * all + k];
    return sum;
}

/* The sum of 16 bytes. */
static uint32_t sum_of_bytes(const uint8_t *bytes)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t two[2];

    memcpy(two, bytes, sizeof two);
    return (uint32_t)sum_of_lanes((two[0] & even) + (two[0] >> 8 & even) + (two[1] & even) +
                                  (two[1] >> 8 & even));
}

/* The number of packets on their way to a switch. */
static uint32_t soon_in(const swq_net *net, const uint8_t *coming)
{
    const size_t all = (size_t)net->ports * (size_t)net->ports;
    uint32_t sum = 0;

    if (net->packs)
        return sum_of_bytes(coming);
    for (size_t k = 0; k < all; k++)
        sum += coming[k];
    return sum;
}

/* Counts the packets that each switch has or will have soon, and the packets on their way to each
 * queue. */
static void count(const swq_net *net, uint8_t *packets, uint8_t *coming)
{
    const size_t a_stage = switches_of_stage(net), switches = switches_of(net);
    const size_t all = (size_t)net->ports * (size_t)net->ports;
    const int last = net->system.levels - 1;
    size_t sw = 0;

    memset(coming, 0, switches * all);
    for (int stage = 0; stage <= last; stage++) {
        uint8_t *next = coming + (size_t)(stage + 1) * a_stage * all;
        for (uint32_t k = 0; k < a_stage; k++, sw++) {
            const uint32_t here = packets_of(net, sw);
            const uint32_t sum = here + soon_in(net, coming + sw * all);
            packets[sw] = (uint8_t)(sum < BOUNDS ? sum : BOUNDS - 1);
            if (here == 0 || stage == last)
                continue;
            if (net->packs)
                look_ahead_packed(net, stage, k, next);
            else
                look_ahead(net, stage, k, next);
        }
    }
}

static uint32_t value(const swq_net *net, const swq_importance_aid *aid)
{
    const size_t a_stage = switches_of_stage(net), switches = switches_of(net);
    const importance_table *t = aid->table;
    notes *n = aid->scratch;

    count(net, n->counts, n->counts + switches);
    const size_t likely = n->likely;
    uint32_t most = one_switch(net, t, n, likely, 0);
    for (size_t sw = 0; sw < switches; sw++) {
        if (t->bound[sw < a_stage][n->counts[sw]] <= most || sw == likely)
            continue;
        const uint32_t here = one_switch(net, t, n, sw, most);
        if (here > most) {
            most = here;
            n->likely = sw;
        }
    }
    return most;
}

const struct swq_importance_of swq_importance_chain = {fits,        value,   most_of,
                                                       table_bytes, prepare, scratch_bytes};
