/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Part of turn.h: a switch's turn where packets bear stamps (virtual_clock.h). Of the heads that
 * can be sent, the head with the least stamp is sent first; then the same holds for the heads
 * that can still be sent.
 */

typedef struct clock_choice {
    int input, queue; /* input -1: none */
    double stamp;
} clock_choice;

/* Finds the least stamp among the heads of an input that are for one of the outputs `outputs`. */
static void least_stamp(swq_async_net *net, uint32_t sw, int input, port_set outputs,
                        clock_choice *best)
{
    const uint32_t port = base_of(net, sw) + (uint32_t)input;
    swq_port *e = &net->port[port];

    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        const int q = walk_queue(w);
        swq_queue *queue = &queues_at(net, port)[q];
        const double stamp = net->clocks->stamp[&parcels_of(net, port)[queue->head] - net->parcel];
        if ((best->input >= 0 && stamp >= best->stamp) || !goes_to(net, queue, outputs) ||
            !readable(net, e, port, q) || !sendable(net, base_of(net, sw), queue, port, q))
            continue;
        *best = (clock_choice){input, q, stamp};
    }
}

/* Heads that their circuits' clocks put off may lie further ahead than the wheel reaches. */
static void look_at_those_put_off(swq_async_net *net, uint32_t port)
{
    const swq_port *e = &net->port[port];

    for (walk w = walk_begin(net, e, port); walk_goes(w); w = walk_on(w)) {
        const uint32_t ready = queues_at(net, port)[walk_queue(w)].ready;
        if (ready > net->cycle)
            swq_wake_input(net, swq_clock_wake(net, ready), port);
    }
}

/* As rotating_turn, looks only at inputs and outputs that have changed. Among heads of equal stamps
 * the first from the pointer on wins. */
static void clock_turn(swq_async_net *net, uint32_t sw, port_set inputs, port_set outputs)
{
    const uint32_t base = base_of(net, sw);
    const uint32_t first = net->memory[sw];
    port_set due = inputs, sent = no_ports();
    clock_choice best;

    for (port_set set = outputs; any_port(set); drop_first(&set))
        due = either(due, *wanted_at(net, base + first_port(set)));
    for (port_set set = net->spec->flow.clocks.holds ? inputs : no_ports(); any_port(set);
         drop_first(&set))
        look_at_those_put_off(net, base + first_port(set));
    do {
        best.input = -1;
        for (port_set left = due; any_port(left);) {
            const uint32_t input = next_port(left, first);
            const port_set wants = *wants_at(net, base + input);
            take_port(&left, input);
            least_stamp(net, sw, (int)input, has_port(inputs, input) ? wants : both(wants, outputs),
                        &best);
        }
        if (best.input >= 0) {
            start(net, sw, best.input, best.queue);
            put_port(&sent, (uint32_t)best.input, true);
        }
    } while (best.input >= 0);
    if (any_port(sent) &&
        (net->advances || has_port(sent, first) || !could_send(net, base + first)))
        net->memory[sw] = (uint16_t)(first + 1 < (uint32_t)net->ports ? first + 1 : 0);
}
