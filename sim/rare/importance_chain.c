/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The importance that a small chain (chain.h) makes: the logarithm of how likely a buffer is to
 * refuse a packet soon, of the buffer of the network that is most likely to. What a packet at the
 * stage before will want next is told by its destination.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "sim/rare/chain.h"
#include "sim/rare/importance.h"

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
    /* The largest value of any state with that many packets in a switch or on their way to it; the
     * last element is for all larger numbers. [1]: for the first stage. */
    uint8_t bound[2][BOUNDS];
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

static void set_bounds(importance_table *t)
{
    const swq_contest_most *e = &t->most;

    for (int mine = 0; mine <= e->capacity; mine++)
        for (int others = 0; mine + others <= e->capacity; others++)
            for (int rivals = 0; rivals <= e->rivals; rivals++)
                for (int same = 0; same <= e->coming; same++)
                    for (int apart = 0; same + apart <= e->coming; apart++) {
                        const swq_contest h = {mine, others, rivals, same, apart};
                        const int all = mine + others + rivals + same + apart;
                        const size_t at = swq_contest_place(e, &h);
                        for (int first = 0; first < 2; first++) {
                            uint8_t *b = &t->bound[first][all < BOUNDS ? all : BOUNDS - 1];
                            const uint8_t v = t->value[at + (size_t)first * t->states];
                            *b = v > *b ? v : *b;
                        }
                    }
    for (int first = 0; first < 2; first++) {
        uint8_t *b = t->bound[first];
        for (int all = 1; all < BOUNDS; all++)
            b[all] = b[all] > b[all - 1] ? b[all] : b[all - 1];
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

typedef struct {
    const importance_table *t;
    const uint8_t *value;
    const uint16_t *length; /* [ports][ports]: inputs and queues of a switch */
    const uint8_t *coming;  /* [ports][ports]: packets on their way to them */
    int ports;
    int column[SWQ_MAX_QUEUES]; /* packets for each output, at all inputs or on their way */
} contest_view;

static uint32_t value_at(const contest_view *v, const swq_contest *h)
{
    return v->value[swq_contest_place(&v->t->most, h)];
}

/* The largest value of an input's buffer over all outputs. All outputs for which the buffer has
 * rivals are also taken together as one, with as many rivals as its packets have on average. */
static uint32_t input(const contest_view *v, const uint16_t *length, const uint8_t *coming)
{
    int here = 0, come = 0, contested = 0;
    swq_contest all = {0};
    uint32_t most = 0;

    for (int q = 0; q < v->ports; q++) {
        here += length[q];
        come += coming[q];
    }
    for (int q = 0; q < v->ports; q++) {
        const int own = length[q] + coming[q], rivals = v->column[q] - own;
        const swq_contest h = {length[q], here - length[q], rivals, coming[q], come - coming[q]};
        if (own == 0)
            continue;
        const uint32_t value = value_at(v, &h);
        most = value > most ? value : most;
        contested += rivals > 0;
        all.mine += rivals > 0 ? h.mine : 0;
        all.same += rivals > 0 ? h.same : 0;
        all.rivals += own * rivals;
    }
    if (contested < 2)
        return most;
    all.rivals /= all.mine + all.same;
    all.others = here - all.mine;
    all.apart = come - all.same;
    const uint32_t value = value_at(v, &all);
    return value > most ? value : most;
}

static uint32_t one_switch(const swq_net *net, const importance_table *t, const uint8_t *coming,
                           size_t sw)
{
    const size_t ports = (size_t)net->ports, all = ports * ports;
    uint16_t copy[SWQ_PACKED_QUEUES * SWQ_PACKED_QUEUES];
    contest_view v = {.t = t,
                      .value = t->value + (sw < switches_of_stage(net) ? t->states : 0),
                      .length = swq_lengths(net, sw * ports, ports, copy),
                      .coming = coming + sw * all,
                      .ports = net->ports};
    uint32_t most = 0;

    for (int q = 0; q < v.ports; q++) {
        v.column[q] = 0;
        for (size_t k = (size_t)q; k < all; k += (size_t)v.ports)
            v.column[q] += v.length[k] + v.coming[k];
    }
    for (size_t i = 0; i < all; i += (size_t)v.ports) {
        const uint32_t value = input(&v, v.length + i, v.coming + i);
        most = value > most ? value : most;
    }
    return most;
}

/* Counts a switch's packets by the input and output that they will want at the next stage:
 * coming[nodes][ports] there. */
static void look_ahead(const swq_net *net, int stage, uint32_t sw, uint8_t *coming)
{
    const uint32_t ports = (uint32_t)net->ports;
    const size_t first = (size_t)stage * net->system.nodes + sw * ports;
    const uint32_t *wire = net->wire + (size_t)(stage + 1) * net->system.nodes + sw * ports;

    for (size_t at = first; at < first + ports; at++) {
        uint16_t copy[SWQ_PACKED_QUEUES];
        const uint16_t *length = swq_lengths(net, at, 1, copy);
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

/* Counts the packets that each switch has or will have soon, and those on their way to each
 * queue. */
static void count(const swq_net *net, uint8_t *packets, uint8_t *coming)
{
    const size_t a_stage = switches_of_stage(net), switches = switches_of(net);
    const size_t ports = (size_t)net->ports, all = ports * ports;

    memset(coming, 0, switches * all);
    for (size_t sw = 0; sw < switches; sw++) {
        uint16_t copy[SWQ_PACKED_QUEUES * SWQ_PACKED_QUEUES];
        const uint16_t *length = swq_lengths(net, sw * ports, ports, copy);
        uint32_t sum = 0, soon = 0;
        for (size_t k = 0; k < all; k++) {
            sum += length[k];
            soon += coming[sw * all + k];
        }
        if (sum > 0 && sw + a_stage < switches)
            look_ahead(net, (int)(sw / a_stage), (uint32_t)(sw % a_stage),
                       coming + (sw / a_stage + 1) * a_stage * all);
        packets[sw] = (uint8_t)(sum + soon < BOUNDS ? sum + soon : BOUNDS - 1);
    }
}

static uint32_t value(const swq_net *net, const swq_importance_aid *aid)
{
    const size_t a_stage = switches_of_stage(net), switches = switches_of(net);
    const importance_table *t = aid->table;
    notes *n = aid->scratch;
    uint8_t *coming = n->counts + switches;

    count(net, n->counts, coming);
    const size_t likely = n->likely;
    uint32_t most = one_switch(net, t, coming, likely);
    for (size_t sw = 0; sw < switches; sw++) {
        if (t->bound[sw < a_stage][n->counts[sw]] <= most || sw == likely)
            continue;
        const uint32_t here = one_switch(net, t, coming, sw);
        if (here > most) {
            most = here;
            n->likely = sw;
        }
    }
    return most;
}

struct swq_importance_of swq_importance_chain = {fits,        value,   most_of,
                                                 table_bytes, prepare, scratch_bytes};
