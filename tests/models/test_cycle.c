/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models/cycle.c: single steps derived by hand, and what holds in every step of every reachable
 * state. States are written as models/state.h lays them out: lengths, heads, freed, held.
 */
#include "models/cycle.h"
#include "models/intern.h"
#include "models/reception.h"
#include "tests/support/support.h"

static swq_context *ctx;

static void setup(void)
{
    ctx = swq_context_new();
}

static void teardown(void)
{
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
    swq_context_free(ctx);
}

TestSuite(cycle, .init = setup, .fini = teardown, .timeout = 240);

enum { MOST_WORDS = 32, MOST_OUTCOMES = 512 };

typedef struct {
    swq_word state[MOST_WORDS];
    swq_reception what;
    int sent;
    double chance;
} cycle_outcome;

typedef struct {
    int count;
    cycle_outcome all[MOST_OUTCOMES];
} outcomes;

/* Equal, apart from where a refused packet wanted to go. */
static bool alike(const cycle_outcome *a, const cycle_outcome *b)
{
    const size_t bytes = sizeof a->what.accepted;
    return a->sent == b->sent && memcmp(a->what.accepted, b->what.accepted, bytes) == 0 &&
           memcmp(a->what.refused, b->what.refused, bytes) == 0 &&
           memcmp(a->state, b->state, sizeof a->state) == 0;
}

static void add(outcomes *to, const cycle_outcome *one)
{
    int k = 0;

    while (k < to->count && !alike(&to->all[k], one))
        k++;
    if (k < to->count) {
        to->all[k].chance += one->chance;
        return;
    }
    cr_assert_lt(k, MOST_OUTCOMES);
    to->all[to->count++] = *one;
}

/* Half a cycle from `state`, over all outcomes of the dice. */
static const outcomes *step(const swq_switch *sw, const swq_word *state, bool reception)
{
    static outcomes result[2];
    outcomes *to = &result[reception];
    double sum = 0;
    swq_layout l;
    swq_dice dice;

    swq_layout_init(&l, sw);
    cr_assert_leq(l.words, MOST_WORDS);
    to->count = 0;
    swq_dice_begin_enumeration(&dice);
    do {
        cycle_outcome one;
        memset(&one, 0, sizeof one);
        memcpy(one.state, state, sizeof *state * (size_t)l.words);
        if (reception)
            swq_receive(sw, &l, one.state, &dice, &one.what);
        else
            one.sent = swq_transmit(sw, &l, one.state, &dice);
        one.chance = dice.probability;
        sum += dice.probability;
        add(to, &one);
    } while (swq_dice_next(&dice));
    cr_assert(fabs(sum - 1) < 1e-14, "chances sum to %.17g", sum);
    return to;
}

static const outcomes *receive(const swq_switch *sw, const swq_word *state)
{
    return step(sw, state, true);
}

static const outcomes *transmit(const swq_switch *sw, const swq_word *state)
{
    return step(sw, state, false);
}

static const cycle_outcome *find(const swq_switch *sw, const outcomes *from, const swq_word *state)
{
    swq_layout l;

    swq_layout_init(&l, sw);
    for (int k = 0; k < from->count; k++) {
        if (memcmp(from->all[k].state, state, sizeof *state * (size_t)l.words) == 0)
            return &from->all[k];
    }
    return NULL;
}

static void expect_count(const outcomes *from, int count)
{
    cr_assert_eq(from->count, count, "%d outcomes", from->count);
}

static void expect(const swq_switch *sw, const outcomes *from, double chance, const swq_word *state)
{
    const cycle_outcome *met = find(sw, from, state);
    char text[128];
    swq_layout l;

    swq_layout_init(&l, sw);
    swq_state_print(&l, state, text, sizeof text);
    cr_assert_not_null(met, "no outcome %s", text);
    assert_relative(met->chance, chance, 1e-14, "%s: chance %g instead of %g", text, met->chance,
                    chance);
}

#define STATE(...) ((const swq_word[MOST_WORDS]){__VA_ARGS__})

/* 2x2; input 0 sends a quarter of its packets to output 0, input 1 half. */
static swq_switch spec(const char *buffer, int slots, double load0, double load1)
{
    swq_switch sw = test_switch(ctx, buffer, 2, slots, load0, "random");

    sw.load[1] = load1;
    sw.dest[0][0] = 0.25;
    sw.dest[0][1] = 0.75;
    return sw;
}

/* Every packet of input i goes to output to[i]. */
static void direct(swq_switch *sw, const int *to)
{
    for (int i = 0; i < sw->ports; i++) {
        for (int j = 0; j < sw->ports; j++)
            sw->dest[i][j] = j == to[i];
    }
}

Test(cycle, no_load_no_packet)
{
    static const char *const buffers[] = {"fifo", "damq", "cbda"};

    for (int b = 0; b < 3; b++) {
        swq_switch sw = spec(buffers[b], 2, 0, 0);
        const outcomes *got = receive(&sw, STATE(0));
        expect_count(got, 1);
        expect(&sw, got, 1, STATE(0));
        cr_assert(!got->all[0].what.accepted[0] && !got->all[0].what.refused[0]);
        got = transmit(&sw, STATE(0));
        expect_count(got, 1);
        cr_assert_eq(got->all[0].sent, 0);
    }
}

Test(cycle, a_packet_joins_the_queue_of_its_output)
{
    swq_switch sw = spec("damq", 2, 0.5, 0);
    const outcomes *got = receive(&sw, STATE(0, 1, 0, 0));

    expect_count(got, 3);
    expect(&sw, got, 0.5, STATE(0, 1, 0, 0));
    expect(&sw, got, 0.125, STATE(1, 1, 0, 0));
    expect(&sw, got, 0.375, STATE(0, 2, 0, 0));
}

Test(cycle, a_full_buffer_refuses)
{
    swq_switch damq = spec("damq", 2, 1, 0), samq = spec("samq", 2, 1, 0);

    const outcomes *got = receive(&damq, STATE(1, 1, 0, 0));
    expect_count(got, 1);
    expect(&damq, got, 1, STATE(1, 1, 0, 0));
    cr_assert(got->all[0].what.refused[0] && !got->all[0].what.accepted[0]);
    cr_assert(!got->all[0].what.refused[1] && !got->all[0].what.accepted[1]);

    /* one slot for each queue: a quarter of the packets finds its queue full */
    got = receive(&samq, STATE(1, 0, 0, 0));
    expect_count(got, 2);
    expect(&samq, got, 0.25, STATE(1, 0, 0, 0));
    expect(&samq, got, 0.75, STATE(1, 1, 0, 0));
    cr_assert(find(&samq, got, STATE(1, 0, 0, 0))->what.refused[0]);
    cr_assert(find(&samq, got, STATE(1, 1, 0, 0))->what.accepted[0]);
}

/* A packet that comes to an empty FIFO queue is its head, and only then draws its destination. */
Test(cycle, fifo_heads)
{
    swq_switch sw = spec("fifo", 2, 1, 0);

    const outcomes *got = receive(&sw, STATE(0, 0, /* heads */ 0, 0));
    expect_count(got, 2);
    expect(&sw, got, 0.25, STATE(1, 0, 1, 0));
    expect(&sw, got, 0.75, STATE(1, 0, 2, 0));
    got = receive(&sw, STATE(1, 0, 2, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(2, 0, 2, 0));
    got = receive(&sw, STATE(2, 0, 2, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(2, 0, 2, 0));
    cr_assert(got->all[0].what.refused[0]);
}

/* When the head leaves, the next one's destination is drawn; the last one leaves nothing. */
Test(cycle, fifo_deferred_heads)
{
    swq_switch sw = spec("fifo", 3, 1, 1);

    const outcomes *got = transmit(&sw, STATE(3, 0, 2, 0));
    expect_count(got, 2);
    expect(&sw, got, 0.25, STATE(2, 0, 1, 0));
    expect(&sw, got, 0.75, STATE(2, 0, 2, 0));
    cr_assert_eq(got->all[0].sent, 1);
    got = transmit(&sw, STATE(1, 0, 2, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(0, 0, 0, 0));
}

/* Both heads want output 1: one of them is served, whatever waits behind the other. */
Test(cycle, fifo_head_of_line_blocking)
{
    swq_switch sw = spec("fifo", 3, 1, 1);
    const outcomes *got = transmit(&sw, STATE(2, 1, 2, 2));

    expect_count(got, 3);
    expect(&sw, got, 0.5 * 0.25, STATE(1, 1, 1, 2));
    expect(&sw, got, 0.5 * 0.75, STATE(1, 1, 2, 2));
    expect(&sw, got, 0.5, STATE(2, 0, 2, 0));
    for (int k = 0; k < 3; k++)
        cr_assert_eq(got->all[k].sent, 1);

    got = transmit(&sw, STATE(1, 1, 2, 1)); /* different outputs: both are sent */
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(0, 0, 0, 0));
    cr_assert_eq(got->all[0].sent, 2);
}

/* "longest" sees the length of the whole FIFO queue, not only its head. */
Test(cycle, fifo_length_is_seen_by_the_arbiter)
{
    swq_switch sw = spec("fifo", 3, 1, 1);

    cr_assert_eq(swq_arbiter_find(ctx, "max-weight", &sw.arbiter), SWQ_OK);
    const outcomes *got = transmit(&sw, STATE(1, 3, 2, 2));
    expect_count(got, 2);
    expect(&sw, got, 0.5, STATE(1, 2, 2, 1));
    expect(&sw, got, 0.5, STATE(1, 2, 2, 2));
}

Test(cycle, one_read_port_or_one_for_each_queue)
{
    swq_switch damq = spec("damq", 2, 1, 1), dafc = spec("dafc", 2, 1, 1);

    const outcomes *got = transmit(&damq, STATE(1, 1, 0, 0));
    expect_count(got, 2);
    expect(&damq, got, 0.5, STATE(0, 1, 0, 0));
    expect(&damq, got, 0.5, STATE(1, 0, 0, 0));
    got = transmit(&dafc, STATE(1, 1, 0, 0));
    expect_count(got, 1);
    expect(&dafc, got, 1, STATE(0, 0, 0, 0));
    cr_assert_eq(got->all[0].sent, 2);
}

Test(cycle, a_pool_sends_from_every_queue)
{
    swq_switch sw = spec("cbda", 2, 1, 1);

    const outcomes *got = transmit(&sw, STATE(3, 1));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(2, 0));
    cr_assert_eq(got->all[0].sent, 2);
    got = transmit(&sw, STATE(0, 4));
    expect(&sw, got, 1, STATE(0, 3));
    cr_assert_eq(got->all[0].sent, 1);
}

/* Two slots, both full, one packet leaves. With credit in the next cycle: the slot is free but a
 * packet that comes now is refused; after that the credit is there. */
Test(cycle, a_freed_slot_is_remembered)
{
    swq_switch sw = spec("damq", 2, 1, 0);

    sw.credit = SWQ_CREDIT_NEXT;
    const outcomes *got = transmit(&sw, STATE(2, 0, 0, 0, /* freed */ 0, 0, 0, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(1, 0, 0, 0, 1, 0, 0, 0));
    got = receive(&sw, STATE(1, 0, 0, 0, 1, 0, 0, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(1, 0, 0, 0, 0, 0, 0, 0));
    cr_assert(got->all[0].what.refused[0]);
    got = receive(&sw, STATE(1, 0, 0, 0, 0, 0, 0, 0));
    expect_count(got, 2);
    expect(&sw, got, 0.25, STATE(2, 0, 0, 0, 0, 0, 0, 0));
    expect(&sw, got, 0.75, STATE(1, 1, 0, 0, 0, 0, 0, 0));

    sw.credit = SWQ_CREDIT_SAME; /* no such words, and the slot can be taken at once */
    got = transmit(&sw, STATE(2, 0, 0, 0));
    expect(&sw, got, 1, STATE(1, 0, 0, 0));
}

/* A credit that no packet could miss is forgotten, so that states with the same behaviour are one
 * state. */
Test(cycle, an_idle_credit_is_forgotten)
{
    swq_switch sw = spec("damq", 3, 1, 1);

    sw.credit = SWQ_CREDIT_NEXT;
    const outcomes *got = transmit(&sw, STATE(2, 0, 0, 3, /* freed */ 0, 0, 0, 0));
    expect_count(got, 1); /* buffer 0 had a slot to spare, buffer 1 had none */
    expect(&sw, got, 1, STATE(1, 0, 0, 2, 0, 0, 0, 1));
}

/* SAMQ: a credit belongs to one queue; packets for the other queue are not affected. */
Test(cycle, a_credit_belongs_to_its_queue)
{
    swq_switch sw = spec("samq", 2, 1, 0);

    sw.credit = SWQ_CREDIT_NEXT;
    const outcomes *got = transmit(&sw, STATE(1, 0, 0, 0, /* freed */ 0, 0, 0, 0));
    expect(&sw, got, 1, STATE(0, 0, 0, 0, 1, 0, 0, 0));
    got = receive(&sw, STATE(0, 0, 0, 0, 1, 0, 0, 0));
    expect_count(got, 2);
    expect(&sw, got, 0.25, STATE(0));
    expect(&sw, got, 0.75, STATE(0, 1, 0, 0, 0, 0, 0, 0));
    cr_assert(find(&sw, got, STATE(0))->what.refused[0]);
}

/* A pool with room for a packet from each input forgets credits; with less room it remembers
 * them. */
Test(cycle, credits_of_a_pool)
{
    swq_switch sw = spec("cbda", 2, 1, 1);

    sw.credit = SWQ_CREDIT_NEXT;
    const outcomes *got = transmit(&sw, STATE(1, 1, /* freed */ 0, 0));
    expect(&sw, got, 1, STATE(0, 0, 0, 0));
    got = transmit(&sw, STATE(2, 1, 0, 0));
    expect(&sw, got, 1, STATE(1, 0, 1, 1));
    /* 4 slots, 1 taken, 2 not yet credited: one of the two packets finds room. Input 0 sends to
     * output 0 with 1/4, input 1 with 1/2. */
    got = receive(&sw, STATE(1, 0, 1, 1));
    expect_count(got, 4); /* who was accepted, and for which output */
    double to_output_0 = 0;
    for (int k = 0; k < got->count; k++) {
        const cycle_outcome *one = &got->all[k];
        cr_assert_eq(one->what.accepted[0] + one->what.accepted[1], 1);
        cr_assert_eq(one->what.refused[0] + one->what.refused[1], 1);
        cr_assert(one->state[2] == 0 && one->state[3] == 0);
        to_output_0 += one->state[0] == 2 ? one->chance : 0;
    }
    assert_relative(to_output_0, 0.5 * 0.25 + 0.5 * 0.5, 1e-14, "%g", to_output_0);
}

/* Room in the pool is not enough if a queue has a limit of its own: 8 slots, queues of at most 3;
 * or with a threshold, 2 < (8 - 2) / 2 but 3 < (8 - 3) / 2 is false. Both inputs offer a packet for
 * output 0. */
Test(cycle, credits_of_a_pool_with_limits)
{
    swq_switch sw = spec("cbda", 4, 1, 1);

    direct(&sw, (const int[]){0, 0});
    sw.credit = SWQ_CREDIT_NEXT;
    sw.buffer.queue_max = 3;
    const outcomes *got = transmit(&sw, STATE(1, 0, /* freed */ 0, 0));
    expect(&sw, got, 1, STATE(0, 0, 0, 0)); /* 1 + 2 fit */
    got = transmit(&sw, STATE(2, 0, 0, 0));
    expect(&sw, got, 1, STATE(1, 0, 1, 0)); /* 2 + 2 do not */
    got = receive(&sw, STATE(1, 0, 1, 0));
    expect_count(got, 2);
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(got->all[k].state[0], 2);
        cr_assert_eq(got->all[k].chance, 0.5);
    }

    sw.buffer.queue_max = 8;
    sw.buffer.alpha = 0.5;
    got = transmit(&sw, STATE(3, 0, 0, 0));
    expect(&sw, got, 1, STATE(2, 0, 1, 0));
    got = receive(&sw, STATE(2, 0, 1, 0)); /* seen as 3: neither is admitted */
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(2, 0, 0, 0));
    got = receive(&sw, STATE(2, 0, 0, 0)); /* credited: one is admitted, and then 3 are too many */
    expect_count(got, 2);
    cr_assert_eq(got->all[0].state[0], 3);
}

/* A refused packet stays at its source and is offered again, and no other packet is created. */
Test(cycle, block_holds_a_packet)
{
    swq_switch sw = spec("damq", 1, 1, 0);

    sw.flow = SWQ_BLOCK;
    const outcomes *got = receive(&sw, STATE(1, 0, 0, 0, /* held */ 0, 0));
    expect_count(got, 2);
    expect(&sw, got, 0.25, STATE(1, 0, 0, 0, 1, 0));
    expect(&sw, got, 0.75, STATE(1, 0, 0, 0, 2, 0));
    got = receive(&sw, STATE(1, 0, 0, 0, 2, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(1, 0, 0, 0, 2, 0));
    cr_assert(got->all[0].what.refused[0]);
    got = transmit(&sw, STATE(1, 0, 0, 0, 2, 0));
    expect(&sw, got, 1, STATE(0, 0, 0, 0, 2, 0));
    sw.load[0] = 0; /* a held packet is offered whatever the load */
    got = receive(&sw, STATE(0, 0, 0, 0, 2, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(0, 1, 0, 0, 0, 0));
    cr_assert(got->all[0].what.accepted[0]);
}

/* Before a FIFO queue the held packet has no destination yet; it draws one as a head. */
Test(cycle, block_before_a_fifo_queue)
{
    swq_switch sw = spec("fifo", 1, 1, 0);

    sw.flow = SWQ_BLOCK;
    const outcomes *got = receive(&sw, STATE(1, 0, /* heads */ 2, 0, /* held */ 0, 0));
    expect_count(got, 1);
    expect(&sw, got, 1, STATE(1, 0, 2, 0, 1, 0));
    got = transmit(&sw, STATE(1, 0, 2, 0, 1, 0));
    expect(&sw, got, 1, STATE(0, 0, 0, 0, 1, 0));
    got = receive(&sw, STATE(0, 0, 0, 0, 1, 0));
    expect_count(got, 2);
    expect(&sw, got, 0.25, STATE(1, 0, 1, 0, 0, 0));
    expect(&sw, got, 0.75, STATE(1, 0, 2, 0, 0, 0));
}

/* Two slots, one of them free. Both inputs offer: one of them is admitted under either rule. Only
 * input 0 offers: by room it is admitted, by ports the only open port is its own with 1/2. */
Test(cycle, pool_rules)
{
    swq_switch sw = spec("cbda", 1, 1, 1);

    direct(&sw, (const int[]){0, 1});
    for (int rule = 0; rule <= 1; rule++) { /* room, ports */
        sw.buffer.pool_rule = swq_pool_rules[rule];
        sw.load[1] = 1;
        const outcomes *got = receive(&sw, STATE(1, 0));
        expect_count(got, 2);
        expect(&sw, got, 0.5, STATE(2, 0));
        expect(&sw, got, 0.5, STATE(1, 1));
        cr_assert(find(&sw, got, STATE(1, 1))->what.refused[0]);
        got = receive(&sw, STATE(0, 0)); /* as many slots as ports: all are open */
        expect_count(got, 1);
        expect(&sw, got, 1, STATE(1, 1));
        got = receive(&sw, STATE(0, 2)); /* none */
        expect_count(got, 1);
        expect(&sw, got, 1, STATE(0, 2));
        cr_assert(got->all[0].what.refused[0] && got->all[0].what.refused[1]);

        sw.load[1] = 0;
        got = receive(&sw, STATE(1, 0));
        if (swq_pool_rules[rule] == &swq_pool_room) {
            expect_count(got, 1);
            expect(&sw, got, 1, STATE(2, 0));
        } else {
            expect_count(got, 2);
            expect(&sw, got, 0.5, STATE(2, 0));
            expect(&sw, got, 0.5, STATE(1, 0));
            cr_assert(find(&sw, got, STATE(1, 0))->what.refused[0]);
        }
    }
}

/* Three ports, two free slots: each pair of ports is open with 1/3. Input 0 never asks for output
 * 2, so the state shows what was accepted. */
Test(cycle, pool_rule_ports_opens_each_pair_alike)
{
    swq_switch sw = test_switch(ctx, "cbda", 3, 1, 1, "random");

    direct(&sw, (const int[]){0, 1, 2});
    sw.buffer.pool_rule = &swq_pool_ports;
    const outcomes *got = receive(&sw, STATE(1, 0, 0));
    expect_count(got, 3);
    expect(&sw, got, 1 / 3., STATE(2, 1, 0));
    expect(&sw, got, 1 / 3., STATE(2, 0, 1));
    expect(&sw, got, 1 / 3., STATE(1, 1, 1));
    sw.load[1] = sw.load[2] = 0;
    got = receive(&sw, STATE(1, 0, 0));
    expect_count(got, 2);
    expect(&sw, got, 2 / 3., STATE(2, 0, 0));
    expect(&sw, got, 1 / 3., STATE(1, 0, 0));
    got = receive(&sw, STATE(1, 1, 0)); /* one free slot: each port with 1/3 */
    expect(&sw, got, 1 / 3., STATE(2, 1, 0));
}

/* A queue of the pool at its limit admits whichever packet comes first, in random order. */
Test(cycle, pool_arrivals_come_in_random_order)
{
    swq_switch sw = test_switch(ctx, "cbda", 3, 2, 1, "random");

    direct(&sw, (const int[]){0, 0, 0});
    sw.buffer.queue_max = 2;
    const outcomes *got = receive(&sw, STATE(1, 0, 0));
    expect_count(got, 3);
    for (int k = 0; k < 3; k++) {
        assert_relative(got->all[k].chance, 1 / 3., 1e-14, "%g", got->all[k].chance);
        cr_assert_eq(got->all[k].state[0], 2);
    }
}

/* What must hold in every step. */

static int content(const swq_layout *l, const swq_word *state)
{
    int packets = 0;

    for (int b = 0; b < l->buffers; b++)
        packets += swq_occupancy(l, state, b);
    return packets;
}

static void expect_possible(const swq_switch *sw, const swq_layout *l, const swq_word *state,
                            const char *text)
{
    for (int b = 0; b < l->buffers; b++) {
        cr_assert_leq(swq_occupancy(l, state, b), sw->buffer.capacity, "%s", text);
        for (int q = 0; q < l->queues; q++)
            cr_assert_leq(state[b * l->queues + q], sw->buffer.queue_max, "%s", text);
        if (l->deferred)
            cr_assert(state[l->head + b] <= l->ports &&
                          (state[l->head + b] == 0) == (state[b] == 0),
                      "%s", text);
    }
}

static void expect_reception(const swq_switch *sw, const swq_layout *l, const swq_word *from,
                             const cycle_outcome *to, const char *text)
{
    int accepted = 0;

    for (int i = 0; i < l->ports; i++) {
        bool in = to->what.accepted[i], out = to->what.refused[i];
        accepted += in;
        cr_assert(!(in && out), "%s: input %d", text, i);
        cr_assert(in || out || sw->load[i] < 1, "%s: input %d", text, i);
        if (l->held < 0)
            continue;
        swq_word before = from[l->held + i], after = to->state[l->held + i];
        cr_assert(!before || in || out, "%s: input %d keeps its packet back", text, i);
        cr_assert_eq(after != 0, out, "%s: input %d holds what was not refused", text, i);
        cr_assert(!before || !out || after == before, "%s: input %d holds another", text, i);
    }
    cr_assert_eq(content(l, to->state), content(l, from) + accepted, "%s: reception", text);
    for (int q = 0; l->freed >= 0 && q < l->buffers * l->queues; q++)
        cr_assert_eq(to->state[l->freed + q], 0, "%s: a credit outlived its reception", text);
    expect_possible(sw, l, to->state, text);
}

static void expect_transmission(const swq_switch *sw, const swq_layout *l, const swq_word *from,
                                const cycle_outcome *to, const char *text)
{
    int waiting = content(l, from);

    cr_assert_eq(content(l, to->state), waiting - to->sent, "%s: transmission", text);
    cr_assert(to->sent <= l->ports && (to->sent > 0 || waiting == 0), "%s: %d sent", text,
              to->sent);
    for (int i = 0; l->held >= 0 && i < l->ports; i++)
        cr_assert_eq(to->state[l->held + i], from[l->held + i], "%s: a source was touched", text);
    for (int q = 0; l->freed >= 0 && q < l->buffers * l->queues; q++) {
        int left = from[q] - to->state[q], freed = to->state[l->freed + q];
        cr_assert(freed == left || freed == 0, "%s: %d left, %d freed", text, left, freed);
    }
    expect_possible(sw, l, to->state, text);
}

/* Explores all states from the empty one; returns their number, which the generator must
 * reproduce. */
static int64_t walk(const swq_switch *sw, const char *text)
{
    swq_intern seen;
    swq_layout l;
    swq_chain *chain;
    swq_word state[MOST_WORDS] = {0};

    swq_layout_init(&l, sw);
    swq_intern_init(&seen, l.words);
    cr_assert_eq(swq_intern_number(ctx, &seen, state), 0);
    for (int64_t s = 0; s < seen.count; s++) {
        memcpy(state, swq_intern_state(&seen, s), sizeof *state * (size_t)l.words);
        const outcomes *in = receive(sw, state);
        for (int k = 0; k < in->count; k++) {
            expect_reception(sw, &l, state, &in->all[k], text);
            const outcomes *out = transmit(sw, in->all[k].state);
            for (int m = 0; m < out->count; m++) {
                expect_transmission(sw, &l, in->all[k].state, &out->all[m], text);
                cr_assert_geq(swq_intern_number(ctx, &seen, out->all[m].state), 0);
            }
        }
    }
    int64_t states = seen.count;
    swq_intern_clear(ctx, &seen);
    cr_assert_eq(swq_chain_generate(ctx, sw, false, &chain), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(swq_chain_states(chain), states, "%s: %lld states instead of %lld", text,
                 (long long)swq_chain_states(chain), (long long)states);
    swq_chain_free(ctx, chain);
    return states;
}

static void walk_flows(swq_switch sw, const char *name)
{
    char text[100];

    for (int flow = SWQ_DISCARD; flow <= SWQ_BLOCK; flow++) {
        for (int credit = SWQ_CREDIT_SAME; credit <= SWQ_CREDIT_NEXT; credit++) {
            sw.flow = (swq_flow)flow;
            sw.credit = (swq_credit)credit;
            snprintf(text, sizeof text, "%s capacity %d flow %d credit %d", name,
                     sw.buffer.capacity, flow, credit);
            cr_assert_gt(walk(&sw, text), 1);
        }
    }
}

Test(cycle, packets_are_conserved)
{
    for (int k = 0; swq_buffer_kinds[k]; k++) {
        const char *name = swq_buffer_kinds[k]->name;
        walk_flows(spec(name, 2, 0.7, 1), name);
    }
    walk_flows(spec("fifo", 3, 0.7, 0.2), "fifo");
}

Test(cycle, packets_are_conserved_with_parameters)
{
    swq_switch pool = spec("cbda", 2, 0.7, 0.4), damq = spec("damq", 3, 0.7, 0.4);

    pool.buffer.pool_rule = &swq_pool_ports;
    walk_flows(pool, "cbda ports");
    pool.buffer.queue_min = 1;
    pool.buffer.queue_max = 2;
    walk_flows(pool, "cbda ports min max");
    damq.buffer.queue_min = 1;
    damq.buffer.queue_max = 2;
    walk_flows(damq, "damq min max");
    damq.buffer.alpha = 0.75;
    walk_flows(damq, "damq alpha");
    walk_flows(test_switch(ctx, "damq", 3, 1, 0.5, "maximum-longest"), "damq 3x3");
}

/* A credit only counts while it is there: the same packets, refused for another reason; so a chain
 * with credits in the next cycle is never smaller. */
Test(cycle, credits_add_states)
{
    swq_switch sw = spec("damq", 2, 0.7, 0.7);
    int64_t same = walk(&sw, "credit same");

    sw.credit = SWQ_CREDIT_NEXT;
    cr_assert_gt(walk(&sw, "credit next"), same);
}
