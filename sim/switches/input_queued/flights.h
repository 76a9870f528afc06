/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transmissions that the next store takes or refuses, a part of the text of the general kernel. A
 * packet stays at the head of its queue until it has been compared, when its header is in the next
 * store. Its memory, and the data by which packets are compared with it, stay until the answer is
 * back, a cycle later. Then the packet has gone, or is at the tail of its queue. Docs:
 * asynchronous.md, "Buffers that refuse".
 */

/* ---- queues that are not served in order ---- */

/* Makes the packet `pick` the head of its queue; the packets before it go to the queue's tail. */
static void bring_forward(swq_async_net *net, uint32_t port, swq_queue *queue, uint16_t pick)
{
    swq_parcel *store = parcels_of(net, port);
    const int output = queue->output;
    uint16_t before = queue->head;

    if (queue->head == pick)
        return;
    while (store[before].next != pick)
        before = store[before].next;
    store[queue->tail].next = queue->head;
    store[before].next = SWQ_NO_SLOT;
    queue->tail = before;
    queue->head = pick;
    const uint32_t base = base_at(net, port);
    new_head(net, base, port, queue, &parcels_of(net, port)[queue->head]);
    if (queue->output != output) {
        want_no_more(net, &net->port[port], base, port, output);
        want(net, base, port, queue->output);
    }
}

/* Schedules once more those heads of an input that are for one of the outputs `outputs`. */
static void put_down(swq_async_net *net, uint32_t port, port_set outputs)
{
    const swq_port *e = &net->port[port];

    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        const int q = walk_queue(w);
        const swq_queue *queue = &queues_at(net, port)[q];
        const uint32_t free = reader_of(net, &net->port[port], port, q)->free;
        const uint32_t when = earliest(net, base_at(net, port), queue, free);
        if (has_port(outputs, queue->output) && when > net->cycle)
            swq_wake_input(net, when, port);
    }
}

/* Makes the first packet without a mark the head of a FIFO, if there is one. */
static void settle_head(swq_async_net *net, uint32_t port)
{
    const swq_acks *a = net->acks;
    const swq_parcel *store = parcels_of(net, port);
    swq_queue *queue = queues_at(net, port);

    if (net->queues > 1 || !net->port[port].full)
        return;
    for (uint16_t slot = queue->head; slot != SWQ_NO_SLOT; slot = store[slot].next) {
        if (!swq_ack_marked(net, swq_ack_next(net, port, &store[slot]),
                            a->mark[swq_ack_at(net, port, slot)])) {
            if (slot != queue->head) {
                bring_forward(net, port, queue, slot);
                put_down(net, port, all_ports());
            }
            return;
        }
    }
}

/* Can a queue be sent from, its output being free? If so, picks the first packet that may be sent:
 * with several queues, all packets of a queue go to the same store. */
static bool pick_packet(swq_async_net *net, uint32_t port, const swq_queue *queue)
{
    const swq_fabric *f = net->fabric;
    const swq_acks *a = net->acks;
    const swq_parcel *store = parcels_of(net, port);
    uint16_t slot = queue->head;

    for (; slot != SWQ_NO_SLOT; slot = net->queues > 1 ? store[slot].next : SWQ_NO_SLOT) {
        const swq_parcel *p = &store[slot];
        if (swq_ack_marked(net, queue->next_port, a->mark[swq_ack_at(net, port, slot)]))
            continue;
        const int class = slot == queue->head
                              ? queue->next_class
                              : f->shape.kind->route(f, queue->next_port, p->from, p->to);
        if ((a->blind && a->rule[queue->next_port]) || open_to(net, queue->next_port, class)) {
            a->pick[queue - net->queue] = slot;
            return true;
        }
        if (!a->requeue)
            return false;
    }
    return false;
}

static bool may_launch(swq_async_net *net, uint32_t port, const swq_queue *queue)
{
    if (net->port[base_at(net, port) + queue->output].out_free > net->cycle)
        return false;
    if (queue->next_port != SWQ_SINK)
        return pick_packet(net, port, queue);
    net->acks->pick[queue - net->queue] = queue->head;
    return true;
}

/* ---- sending ---- */

/* The k-th transmission that waits for its answer. */
static inline swq_flight *flight_at(const swq_acks *a, uint32_t k)
{
    const uint32_t at = a->first + k;

    return &a->flight[at < a->flights ? at : at - a->flights];
}

/* The packet of a transmission is on its way to the next store, in which the packet takes blocks
 * from now on. */
static void reserve(swq_async_net *net, const swq_flight *f)
{
    swq_port *e = &net->port[f->next_port];
    swq_queue *queue = &queues_at(net, f->next_port)[f->next_queue];

    e->blocks = (uint16_t)(e->blocks + f->parcel.blocks);
    queue->blocks = (uint16_t)(queue->blocks + f->parcel.blocks);
    e->entered = net->cycle;
    e->entered_blocks = f->parcel.blocks;
    e->entered_queue = f->next_queue;
}

static void fly(swq_async_net *net, const swq_flight *f)
{
    swq_acks *a = net->acks;

    *flight_at(a, a->count++) = *f;
    if (f->taken)
        return;
    a->underway[f->next_port]++;
    if (!a->blind)
        reserve(net, f);
}

/* A sender tries to send a packet. */
static void offer(swq_async_net *net, uint32_t sender, const swq_parcel *parcel)
{
    const uint32_t port = net->fabric->entry[sender];
    const uint32_t least = net->acks->answer;
    const uint32_t busy = (parcel->bytes > least ? parcel->bytes : least) + net->link_rest;

    net->sender[sender].link_free = net->port[port].link_free = net->cycle + busy;
    fly(net, &(swq_flight){.parcel = *parcel,
                           .start = net->cycle,
                           .from = SWQ_TO_NODE | sender,
                           .next_port = port,
                           .next_queue = (uint8_t)queue_number(net, port, parcel->packet_class),
                           .next_class = parcel->packet_class});
}

/* Counts a packet that has left a store. */
static void count_gone(swq_async_net *net, const swq_flight *f)
{
    const uint32_t out = base_at(net, f->from) + queues_at(net, f->from)[f->queue].output;
    swq_port *e = &net->port[f->from];

    swq_probe_start(&net->system, true, swq_ack_at(net, f->from, f->slot), f->from, e->in_level,
                    net->cycle);
    swq_probe_link(&net->system, link_of(net, out), f->parcel.bytes);
    swq_probe_sent(&net->system, net->port[out].out_level, f->parcel.bytes);
    if (net->messages.each)
        net->passing = net->messages.tag[swq_ack_at(net, f->from, f->slot)];
}

/* The packet of a transmission leaves its place at the head of the queue to the next packet, but
 * keeps its memory. */
static void step_aside(swq_async_net *net, const swq_flight *f)
{
    swq_queue *queue = &queues_at(net, f->from)[f->queue];
    const uint32_t base = base_at(net, f->from);

    next_in_line(net, NULL, base, f->from, f->queue, queue, base + queue->output, f->parcel.next);
    settle_head(net, f->from);
}

/* Begins to send the packet picked from queue q of an input. A store that cannot refuse takes it at
 * once; the answer still comes. */
static void launch(swq_async_net *net, uint32_t sw, int input, int q)
{
    const uint32_t base = base_of(net, sw), port = base + (uint32_t)input;
    swq_acks *a = net->acks;
    swq_queue *queue = &queues_at(net, port)[q];

    bring_forward(net, port, queue, a->pick[queue - net->queue]);
    const swq_parcel *p = &parcels_of(net, port)[queue->head];
    const uint32_t out = base + queue->output, answered = net->cycle + a->answer;
    const swq_timing *t = &net->timing[0];
    const uint32_t end = net->cycle + p->bytes, read_free = end > answered ? end : answered;
    swq_flight f = {.parcel = *p,
                    .start = net->cycle,
                    .from = port,
                    .next_port = queue->next_port,
                    .slot = queue->head,
                    .queue = (uint8_t)q,
                    .next_class = queue->next_class};

    if (net->watch && net->watch->started)
        show_start(net, sw, input, queue->output, p);
    reader_of(net, &net->port[port], port, q)->free = read_free;
    net->port[out].out_free = read_free + t->rest;
    a->underway[port]++;
    f.taken = f.next_port == SWQ_SINK || !swq_ack_rule(net, f.next_port);
    if (!f.taken) {
        f.next_queue = (uint8_t)queue_number(net, f.next_port, f.next_class);
        net->port[f.next_port].link_free = read_free + t->rest;
        fly(net, &f);
        return;
    }
    fly(net, &f);
    count_gone(net, &f);
    if (f.next_port == SWQ_SINK)
        deliver(net, p);
    else {
        /* tails are not kept, and not waited for */
        go_on(net, t, p, f.next_port, f.next_class, end);
        net->port[f.next_port].link_free = net->port[out].out_free;
    }
    step_aside(net, &f);
}

/* ---- comparing ---- */

/* The slot of the packet in a store that goes the same way, or SWQ_NO_SLOT. */
static uint16_t same_way(const swq_async_net *net, uint32_t port, uint32_t key)
{
    const uint32_t *keys = net->acks->key + swq_ack_at(net, port, 0);

    for (int slot = 0; slot < net->slots; slot++) {
        if (keys[slot] == key)
            return (uint16_t)slot;
    }
    return SWQ_NO_SLOT;
}

static void show_refused(const swq_async_net *net, const swq_flight *f)
{
    const swq_parcel *p = &f->parcel;
    swq_start start = {.cycle = f->start,
                       .from = p->from,
                       .to = p->to,
                       .birth = p->birth,
                       .bytes = p->bytes,
                       .switch_ = SWQ_NO_WHERE,
                       .packet_class = p->packet_class};

    if (!(f->from & SWQ_TO_NODE)) {
        start.switch_ = f->from / (uint32_t)net->ports;
        start.input = f->from % (uint32_t)net->ports;
        start.output = queues_at(net, f->from)[f->queue].output;
    }
    net->watch->refused(net->watch->arg, &start);
}

static void refuse(swq_async_net *net, swq_flight *f, uint16_t blocker)
{
    swq_acks *a = net->acks;

    f->refused = true;
    f->blocker = blocker;
    a->refusals++;
    if (blocker != SWQ_NO_SLOT)
        a->blocker[swq_ack_at(net, f->next_port, blocker)] = a->restricted;
    if (net->watch && net->watch->refused)
        show_refused(net, f);
}

/* A packet has joined a queue whose other packets may all be held off by marks: it may be the first
 * that can go. */
static void look_behind(swq_async_net *net, uint32_t port, int q)
{
    const swq_queue *queue = &queues_at(net, port)[q];
    const uint32_t read_free = reader_of(net, &net->port[port], port, q)->free;

    settle_head(net, port);
    const uint32_t when = earliest(net, base_at(net, port), queue, read_free);
    swq_wake_input(net, when > net->cycle ? when : net->cycle, port);
}

/* The next store takes the packet. */
static void take(swq_async_net *net, swq_flight *f, uint32_t key)
{
    const bool from_node = f->from & SWQ_TO_NODE;
    const uint8_t entered = f->parcel.entered;
    const uint32_t tail = f->start + f->parcel.bytes - 1 + net->hop_delay;
    swq_acks *a = net->acks;

    f->taken = true;
    if (from_node)
        swq_sender_taken(net, f->from & ~SWQ_TO_NODE);
    else
        count_gone(net, f);
    enter(net, f->next_port, &f->parcel, net->cycle, f->next_class,
          from_node || entered == UINT8_MAX ? entered : (uint8_t)(entered + 1), tail);
    net->port[f->next_port].entered = f->start;
    const uint16_t slot = queues_at(net, f->next_port)[f->next_queue].tail;
    const size_t at = swq_ack_at(net, f->next_port, slot);
    a->key[at] = key;
    a->mark[at] = 0;
    a->refused[at] = 0;
    if (queues_at(net, f->next_port)[f->next_queue].head != slot)
        look_behind(net, f->next_port, f->next_queue);
    if (!from_node) {
        /* packets may have come behind it in the meantime */
        f->parcel.next = parcels_of(net, f->from)[f->slot].next;
        step_aside(net, f);
    }
}

static void compare(swq_async_net *net, swq_flight *f)
{
    swq_port *e = &net->port[f->next_port];
    swq_queue *queue = &queues_at(net, f->next_port)[f->next_queue];
    const uint32_t key = swq_ack_key(net, f->next_port, f->parcel.from, f->parcel.to);
    const uint16_t blocker = same_way(net, f->next_port, key);

    net->acks->underway[f->next_port]--;
    if (!net->acks->blind) { /* the blocks were reserved, and `enter` takes them */
        e->blocks = (uint16_t)(e->blocks - f->parcel.blocks);
        queue->blocks = (uint16_t)(queue->blocks - f->parcel.blocks);
    }
    if (blocker != SWQ_NO_SLOT || (net->acks->blind && !open_to(net, f->next_port, f->next_class)))
        refuse(net, f, blocker);
    else
        take(net, f, key);
}

/* ---- answers ---- */

/* A BLOCKER has left a store, which voids the marks that the store has caused. */
static void clear_marks(swq_async_net *net, uint32_t port)
{
    net->acks->cleared[port]++;
    swq_wake_feeder(net, net->cycle, net->port[port].feeder);
}

/* All marks of this cycle have been cleared: the FIFOs that feed the store look for their heads. */
static void settle_feeders(swq_async_net *net, uint32_t port)
{
    const uint32_t feeder = net->port[port].feeder;

    if (net->queues > 1 || feeder & SWQ_TO_NODE)
        return;
    const uint32_t base = base_at(net, feeder);
    for (uint32_t k = base; k < base + (uint32_t)net->ports; k++) {
        settle_head(net, k);
        swq_wake_input(net, net->cycle, k);
    }
}

/* A packet has been taken: its memory is freed, from the same cycle as without an answer. */
static void leave(swq_async_net *net, const swq_flight *f)
{
    swq_acks *a = net->acks;

    if (f->from & SWQ_TO_NODE) {
        a->sender_mark[f->from & ~SWQ_TO_NODE] = 0;
        a->sender_refused[f->from & ~SWQ_TO_NODE] = 0;
        return;
    }
    const uint32_t port = f->from;
    const size_t at = swq_ack_at(net, port, f->slot);
    swq_port *e = &net->port[port];
    swq_queue *queue = &queues_at(net, port)[f->queue];
    swq_reader *r = reader_of(net, e, port, f->queue);

    a->underway[port]--;
    a->key[at] = SWQ_NO_KEY;
    e->blocks = (uint16_t)(e->blocks - f->parcel.blocks);
    queue->blocks = (uint16_t)(queue->blocks - f->parcel.blocks);
    r->leaving =
        (swq_leaving){f->start, held_for(net, &net->timing[0], f->parcel.bytes), f->parcel.blocks};
    r->queue = f->queue;
    parcels_of(net, port)[f->slot].next = e->free_slot;
    e->free_slot = f->slot;
    swq_wake_feeder(net, net->cycle, e->feeder);
    wake_when_open(net, e, port, f->queue);
    if (a->blocker[at])
        clear_marks(net, port);
    a->blocker[at] = false;
}

static void count_refusal(swq_async_net *net, const swq_flight *f, uint16_t *times)
{
    swq_livelock *most = &net->acks->most;

    *times = *times < UINT16_MAX ? (uint16_t)(*times + 1) : *times;
    if (*times > most->times)
        *most = (swq_livelock){*times, f->parcel.from, f->parcel.to, f->next_port};
}

/* The mark of a refused packet; 0 if there was no BLOCKER, or it has left in the meantime. */
static uint32_t mark_of(const swq_async_net *net, const swq_flight *f)
{
    const swq_acks *a = net->acks;

    if (f->blocker == SWQ_NO_SLOT)
        return 0;
    const size_t at = swq_ack_at(net, f->next_port, f->blocker);

    return a->blocker[at] && a->key[at] != SWQ_NO_KEY ? a->cleared[f->next_port] : 0;
}

static void return_to_sender(swq_async_net *net, const swq_flight *f)
{
    const uint32_t sender = f->from & ~SWQ_TO_NODE;
    swq_acks *a = net->acks;

    a->sender_mark[sender] = mark_of(net, f);
    count_refusal(net, f, &a->sender_refused[sender]);
    if (!a->abort)
        return;
    net->sender[sender].link_free = net->port[f->next_port].link_free = net->cycle + net->link_rest;
    swq_wheel_set(&net->senders, net->cycle + net->link_rest, sender);
}

/* An output and the read port of a queue are free earlier than planned. Heads that wait for
 * either have been scheduled for the planned cycle. They are scheduled once more, as a head that
 * wants one of the two may find the other busy in between. */
static void look_again(swq_async_net *net, uint32_t port, uint32_t out)
{
    const uint32_t base = base_at(net, out);

    put_down(net, port, all_ports());
    for (port_set set = *wanted_at(net, out); any_port(set); drop_first(&set))
        put_down(net, base + first_port(set), one_port(out - base));
}

/* A packet has been refused: it goes to the tail of its queue. */
static void relink(swq_async_net *net, const swq_flight *f)
{
    const uint32_t port = f->from;
    swq_acks *a = net->acks;
    swq_port *e = &net->port[port];
    swq_queue *queue = &queues_at(net, port)[f->queue];
    swq_reader *r = reader_of(net, e, port, f->queue);
    const uint32_t out = base_at(net, port) + queue->output;
    const size_t at = swq_ack_at(net, port, f->slot);
    const uint16_t next = parcels_of(net, port)[f->slot].next;

    a->underway[port]--;
    a->mark[at] = mark_of(net, f);
    count_refusal(net, f, &a->refused[at]);
    if (a->abort) {
        r->free = net->cycle + (a->relinks ? 2u * f->parcel.blocks : 0);
        net->port[out].out_free = net->cycle + net->link_rest;
        net->port[f->next_port].link_free = net->port[out].out_free;
    }
    if (next != SWQ_NO_SLOT)
        bring_forward(net, port, queue, next);
    settle_head(net, port);
    if (a->abort)
        look_again(net, port, out);
    swq_wake_output(net, net->port[out].out_free, out);
    swq_wake_input(net, earliest(net, base_at(net, port), queue, r->free), port);
    swq_wake_input(net, r->free, port);
}

/* Answers come at the beginning of a cycle. Packets that have been taken go first, so that no
 * packet is marked because of a packet that leaves in the same cycle, and the order of the
 * answers does not matter. */
static void answer(swq_async_net *net)
{
    swq_acks *a = net->acks;
    uint32_t due = 0;

    while (due < a->compared && flight_at(a, due)->start + a->answer == net->cycle)
        due++;
    for (uint32_t k = 0; k < due; k++) {
        if (flight_at(a, k)->taken)
            leave(net, flight_at(a, k));
    }
    for (uint32_t k = 0; k < due; k++) {
        const swq_flight *f = flight_at(a, k);
        if (f->taken && !(f->from & SWQ_TO_NODE))
            settle_feeders(net, f->from);
    }
    for (uint32_t k = 0; k < due; k++) {
        const swq_flight *f = flight_at(a, k);
        if (f->refused && f->from & SWQ_TO_NODE)
            return_to_sender(net, f);
        else if (f->refused)
            relink(net, f);
    }
    a->first = a->first + due < a->flights ? a->first + due : a->first + due - a->flights;
    a->count -= due;
    a->compared -= due;
    for (; a->compared < a->count; a->compared++) {
        swq_flight *f = flight_at(a, a->compared);
        if (f->start + net->hop_delay != net->cycle)
            break;
        if (!f->taken)
            compare(net, f);
    }
}
