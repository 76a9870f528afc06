/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A unit's turn: which inputs may send which packets, and which do; turn_moving.h moves these
 * packets. This is the text of a kernel, included with SWQ_OUTPUT_STORES 0 by plain.c, for input
 * queues before a crossbar as fast as a link, and with SWQ_READ_PORTS, too, by read_ports.c, where
 * each input queue has a read port of its own; with SWQ_OUTPUT_STORES 1 by crossbar.c, for a
 * crossbar of any speed before output stores; and with SWQ_GENERAL by general.c for all other
 * options, details among them, and with SWQ_WIDE, too, by general_wide.c, for
 * switches of more than 32 ports, and with SWQ_UNLIKE by unlike.c and unlike_wide.c, for links with
 * timings of their own. The kernels other than general.c have forms with SWQ_SHARED, for the shares
 * of a network that is spread over threads. A form contains only the code that it needs.
 */
#include "sim/switches/input_queued/turn_moving.h"

/* Does this queue of an input have a head that is ready and can be read, ... */
static inline bool readable(swq_async_net *net, swq_port *e, uint32_t port, int q)
{
    return queues_at(net, port)[q].ready <= net->cycle &&
           reader_of(net, e, port, q)->free <= net->cycle &&
           !(SWQ_GENERAL && managed_holds(net, port, q));
}

/* ... whose head is for one of `outputs`, ... */
static inline bool goes_to(const swq_async_net *net, const swq_queue *queue, port_set outputs)
{
    if (SWQ_GENERAL && net->fork)
        return any_port(both(*fork_outputs(net, queue), outputs));
    return has_port(outputs, queue->output);
}

/* ... and that can be sent? */
static inline bool sendable(swq_async_net *net, uint32_t base, swq_queue *queue, uint32_t port,
                            int q)
{
    if (SWQ_GENERAL && net->fork)
        return choose(net, port, queue, q);
#if SWQ_GENERAL
    if (swq_ack_rule(net, port))
        return may_launch(net, port, queue);
#endif
    return net->port[base + queue->output].out_free <= net->cycle &&
           (queue->next_port == SWQ_SINK ||
            open_to(net, queue->next_port, next_queue_of(net, queue)));
}

/* Blocks that waited in a queue when the cycle began: it must not matter whether another switch was
 * looked at before this one. */
static inline int waiting_blocks(const swq_async_net *net, const swq_port *e,
                                 const swq_queue *queue, int q)
{
    /* without a branch, which nobody could predict */
    const bool came = (e->entered == net->cycle) & (last_entered(net, e) == q);
    return queue->blocks - (e->entered_blocks & -(int)came);
}

/* When the head of a queue came. (It may have to wait for its tail: weigh_head.) */
static inline uint32_t head_came(const swq_async_net *net, const swq_port *e,
                                 const swq_queue *queue)
{
    return SWQ_UNLIKE ? parcels_of(net, (uint32_t)(e - net->port))[queue->head].ready
                      : queue->ready;
}

/* Is queue q longer than queue p, or as long with a head that came first? */
static inline bool precedes(const swq_async_net *net, const swq_port *e, const swq_queue *queues,
                            int q, int p)
{
    const int blocks = waiting_blocks(net, e, &queues[q], q);
    const int others = waiting_blocks(net, e, &queues[p], p);

    return blocks > others ||
           (blocks == others && head_came(net, e, &queues[q]) <= head_came(net, e, &queues[p]));
}

/* Could this input have sent something, given its contents? */
static bool could_send(swq_async_net *net, uint32_t port)
{
    swq_port *e = &net->port[port];

    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        if (readable(net, e, port, walk_queue(w)))
            return true;
    }
    return false;
}

#if SWQ_GENERAL
/* The longest of an input's queues whose head can be sent to one of `outputs`; among equally
 * long queues the one whose head came first, which favours no output (two heads never come in
 * the same cycle). -1: none. */
static inline int longest(swq_async_net *net, uint32_t base, uint32_t port, port_set outputs)
{
    swq_port *e = &net->port[port];
    swq_queue *queues = queues_at(net, port);
    int best = -1;

    for (walk w = walk_for(net, e, port, outputs); walk_goes(w); w = walk_on(w)) {
        int q = walk_queue(w);
        swq_queue *queue = &queues[q];
        if (!goes_to(net, queue, outputs) || !readable(net, e, port, q))
            continue;
        if ((best < 0 || precedes(net, e, queues, q, best)) && sendable(net, base, queue, port, q))
            best = q;
    }
    return best;
}

/* The turn of an input, which sends what it can to the outputs `outputs`. Returns whether the
 * input has sent anything. */
static inline bool input_turn(swq_async_net *net, uint32_t base, uint32_t input, port_set outputs)
{
    const uint32_t port = base + input;
    int q = longest(net, base, port, outputs);

    if (q < 0)
        return false;
    do {
        swq_queue *queue = &queues_at(net, port)[q];
        start_from(net, NULL, base, (int)input, q, queue);
    } while (reads_each_queue(net, port) && (q = longest(net, base, port, outputs)) >= 0);
    return true;
}

/* Serves the inputs of a switch in turn. Every head that could be sent before this cycle has
 * been sent, or its input or output was busy. So only what has changed matters: all heads of the
 * inputs given, and the heads for the outputs given. Returns the inputs that have sent
 * something. */
static port_set send_in_turn(swq_async_net *net, const due_unit *unit, uint32_t first)
{
    const uint32_t base = base_of(net, unit->unit);
    const port_set inputs = unit->inputs, outputs = unit->outputs;
    port_set due = inputs, sent = no_ports();

    for (port_set set = outputs; any_port(set); drop_first(&set))
        due = either(due, *wanted_at(net, base + first_port(set)));
    while (any_port(due)) {
        const uint32_t input = next_port(due, first);
        const port_set wants = *wants_at(net, base + input);
        const port_set to = has_port(inputs, input) ? wants : both(wants, outputs);
        take_port(&due, input);
        if (!any_port(to) ||
            (!reads_each_queue(net, base) && net->port[base + input].reader.free > net->cycle))
            continue;
        put_port(&sent, input, input_turn(net, base, input, to));
    }
    return sent;
}

#include "sim/switches/input_queued/turn_clock.h"
#else
#include "sim/switches/input_queued/turn_sending.h"
#endif

/* The arbiters that are built in: inputs in turn, each from its longest queue. */
static void rotating_turn(swq_async_net *net, const due_unit *due)
{
    const uint32_t sw = due->unit, base = base_of(net, sw), first = net->memory[sw];
    const port_set sent = send_in_turn(net, due, first);

    if (!any_port(sent))
        return;
    /* a single condition, without short circuits: all its parts are at hand, and no processor can
     * predict which part holds */
    const swq_port *e = &net->port[base + first];
    const bool idle =
        (e->full == 0) | (!reads_each_queue(net, base) & (e->reader.free > net->cycle));
    const bool passed = net->advances | has_port(sent, first) | idle;
    if (passed || !could_send(net, base + first))
        net->memory[sw] = (uint16_t)((first + 1) * (first + 1 != (uint32_t)net->ports));
}

/* Has the output of a head looked at when the output is free. The general kernel knows which inputs
 * want an output, and looks at the output by itself. */
static inline void wake_when_free(swq_async_net *net, uint32_t base, const swq_queue *queue)
{
    if (SWQ_GENERAL)
        return;
    const uint32_t out = base + queue->output;
    if (net->port[out].out_free > net->cycle)
        swq_wake_output(net, net->port[out].out_free, out);
}

/* The view of an arbiter of the table: for an input and an output, the longest queue that can be
 * sent from. */
static bool gather(swq_async_net *net, uint32_t sw, int chosen[][SWQ_MAX_PORTS])
{
    swq_requests *r = &net->requests;
    bool any = false;

    r->length = SWQ_WIDE ? net->asked_wide : net->asked;
    for (int i = 0; i < net->ports; i++) {
        const uint32_t port = sw * (uint32_t)net->ports + (uint32_t)i;
        swq_port *e = &net->port[port];
        swq_queue *queues = queues_at(net, port);
        int *length = SWQ_WIDE ? net->asked_wide[i] : net->asked[i];
        memset(length, 0, sizeof *length * (size_t)net->ports);
        r->waiting[i] = 0;
        for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
            int q = walk_queue(w);
            swq_queue *queue = &queues[q];
            if (!readable(net, e, port, q))
                continue;
            int blocks = waiting_blocks(net, e, queue, q);
            r->waiting[i] += blocks;
            if (SWQ_GENERAL && net->fork) {
                any |= gather_forks(net, port, q, blocks, length, chosen[i]);
                continue;
            }
            wake_when_free(net, base_of(net, sw), queue);
            if (blocks <= length[queue->output] || !sendable(net, base_of(net, sw), queue, port, q))
                continue;
            length[queue->output] = blocks;
            chosen[i][queue->output] = q;
            any = true;
        }
    }
    return any;
}

static void table_turn(swq_async_net *net, uint32_t sw)
{
    const swq_arbiter *arbiter = net->spec->arbiter.row;
    swq_requests *r = &net->requests;
    int chosen[SWQ_WIDE ? SWQ_MAX_PORTS : SWQ_MAX_FABRIC_PORTS][SWQ_MAX_PORTS],
        grant[SWQ_MAX_PORTS];

    if (!gather(net, sw, chosen))
        return;
    if (net->memory_words)
        r->memory = net->memory + (size_t)sw * (size_t)net->memory_words;
    swq_switch_stream_begin(&net->switch_stream, sw, net->cycle);
    arbiter->arbitrate(r, &net->dice, grant);
    if (arbiter->settle)
        arbiter->settle(r, grant);
    for (int j = 0; j < net->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT &&
            (!SWQ_GENERAL || direct_to(net, sw, grant[j], chosen[grant[j]][j], (uint32_t)j)))
            start(net, sw, grant[j], chosen[grant[j]][j]);
    }
    /* an arbiter that stops short of a maximal matching goes on in the next cycle */
    if (gather(net, sw, chosen))
        swq_wake_input(net, net->cycle + 1, sw * (uint32_t)net->ports);
}

/* Continues those packets in pieces that use one of `outputs` or come from one of `inputs`, and
 * whose next piece can go. Such a packet holds everything that it needs except room, so that no
 * arbiter is asked. */
static void go_on_with_pieces(swq_async_net *net, uint32_t unit, port_set inputs, port_set outputs)
{
    const uint32_t base = base_of(net, unit);
    port_set due = outputs;

    for (port_set set = inputs; any_port(set); drop_first(&set)) {
        const uint32_t port = base + first_port(set);
        uint32_t q;
        SWQ_EACH_PORT (q, going_at(net, port), SET_WORDS)
            put_port(&due, queues_at(net, port)[q].output, true);
    }
    for (; any_port(due); drop_first(&due)) {
        const swq_hold *h = &net->pieces.hold[base + first_port(due)];
        if (!h->on || h->free > net->cycle)
            continue;
        swq_port *e = &net->port[h->store];
        const int q = h->queue;
        const swq_queue *queue = &queues_at(net, h->store)[q];
        if (holds_packets(net, e, h->store, q) && queue->ready <= net->cycle &&
            (queue->next_port == SWQ_SINK ||
             open_to(net, queue->next_port, next_queue_of(net, queue))))
            start(net, unit, (int)(h->store - base), q);
    }
}

/* An output store has one link, and one queue unless a management gives it more. */
static void link_turn(swq_async_net *net, uint32_t sw)
{
    const uint32_t port = base_of(net, sw);
    swq_port *e = &net->port[port];

    if (SWQ_GENERAL && net->pieces.piece)
        go_on_with_pieces(net, sw, one_port(0), one_port(0));
#if SWQ_GENERAL
    if (net->output_queues > 1) {
        input_turn(net, port, 0, one_port(0));
        return;
    }
#endif
    if (e->full && readable(net, e, port, 0) && sendable(net, port, queues_at(net, port), port, 0))
        start(net, sw, 0, 0);
}

/* Looks at a crossbar because something has changed at its inputs and outputs that are due, and
 * begins the transmissions that its arbiter allows. */
static inline void turn(swq_async_net *net, const due_unit *due)
{
    if (SWQ_GENERAL && net->pieces.piece)
        go_on_with_pieces(net, due->unit, due->inputs, due->outputs);
#if SWQ_GENERAL
    if (net->clocks) {
        clock_turn(net, due->unit, due->inputs, due->outputs);
        return;
    }
#endif
    if (net->unrolled)
        rotating_turn(net, due);
    else
        table_turn(net, due->unit);
}

/* The turns of a batch, which is empty then. */
static void turn_batch(swq_async_net *net, batch *b)
{
#if !SWQ_GENERAL
    if (net->far && b->units >= WORTH_FETCHING)
        fetch_batch(net, b);
#endif
    for (const due_unit *due = b->due; due < b->due + b->units; due++) {
        if (SWQ_OUTPUT_STORES && due->unit >= net->crossbars)
            link_turn(net, due->unit);
        else
            turn(net, due);
    }
    b->units = 0;
}

static inline void add_to_batch(swq_async_net *net, batch *b, uint32_t unit, port_set inputs,
                                port_set outputs)
{
    due_unit *due = &b->due[b->units++];

    due->unit = unit;
    due->inputs = due->looked_at = inputs;
    due->outputs = outputs;
#if !SWQ_GENERAL
    if (!(SWQ_OUTPUT_STORES && unit >= net->crossbars)) {
        const uint32_t base = base_of(net, unit);
        due->looked_at |= waiting_for(net, &net->unit[unit], base, outputs);
        fetch_first(net, base, due->looked_at);
    }
#endif
    if (b->units == BATCH)
        turn_batch(net, b);
}

/* The bits of the wheel that say which inputs and outputs of a crossbar are due. */
typedef struct unit_bits {
    uint32_t shift, half;  /* 2^shift bits, half of them for inputs */
    uint64_t inputs, both; /* masks */
} unit_bits;

static inline unit_bits bits_of_units(const swq_async_net *net)
{
    const uint64_t inputs = SWQ_WIDE ? 0 : (UINT64_C(1) << net->half) - 1;

    return (unit_bits){(uint32_t)net->unit_shift, net->half, inputs,
                       SWQ_WIDE ? 0 : inputs | inputs << net->half};
}

#if SWQ_WIDE
/* A crossbar has words to itself, of its inputs and then of its outputs, which come one after
 * another: the batch keeps room for a link behind its last crossbar. */
static inline void look_at_crossbars(swq_async_net *net, unit_bits bits, uint32_t word,
                                     uint64_t set, batch *b)
{
    const uint32_t words = bits.half / 64, unit = word / (2 * words), at = word % (2 * words);

    if (b->units == 0 || b->due[b->units - 1].unit != unit) {
        if (b->units == BATCH - 1)
            turn_batch(net, b);
        b->due[b->units++] = (due_unit){.unit = unit};
    }
    due_unit *due = &b->due[b->units - 1];
    (at < words ? &due->inputs : &due->outputs)->word[at % words] = set;
}
#else
/* The crossbars that are due, with numbers from 64 * word on. */
static inline void look_at_crossbars(swq_async_net *net, unit_bits bits, uint32_t word,
                                     uint64_t set, batch *b)
{
    const uint32_t first = (SWQ_SHARED ? net->share.first_switch : 0) + (word * 64 >> bits.shift);

    while (set) {
        const uint32_t unit = (uint32_t)__builtin_ctzll(set) >> bits.shift, at = unit << bits.shift;
        const uint64_t due = set >> at;
        add_to_batch(net, b, first + unit, (uint32_t)(due & bits.inputs),
                     (uint32_t)(due >> bits.half & bits.inputs));
        set &= ~(bits.both << at);
    }
}
#endif

/* Adds the links that are due to the batch, as look_at_crossbars does with crossbars. */
static inline void look_at_links(swq_async_net *net, uint32_t word, uint64_t set, batch *b)
{
    while (set) {
        const uint32_t first = (uint32_t)__builtin_ctzll(set) & ~1u;
        const uint32_t link = (word * 64 + first - net->links_due) / 2;
        add_to_batch(net, b, net->crossbars + (SWQ_SHARED ? net->share.first + link : link),
                     one_port(0), one_port(0));
        set &= ~(UINT64_C(3) << first);
    }
}

/* Looks at the units that are due in this cycle, in order. Events that follow from their turns are
 * due in later cycles. */
static void look_at_units(swq_async_net *net)
{
    swq_wheel_due due = swq_wheel_begin(&net->wheel, net->cycle);
    const unit_bits bits = bits_of_units(net);
    batch b;

    b.units = 0;
    for (uint64_t set; (set = swq_wheel_take(&due)) != 0;) {
        if (SWQ_OUTPUT_STORES && due.word * 64 >= net->links_due)
            look_at_links(net, due.word, set, &b);
        else
            look_at_crossbars(net, bits, due.word, set, &b);
    }
    turn_batch(net, &b);
}
