/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rotating priority, longest queue: the arbiters of Frazier's network simulator. One keeps the
 * input that could not send first, the other moves on whenever something was sent. Memory: the
 * input that comes first.
 */
#include "models/arbiters/arbiters.h"
#include "models/arbiters/four.h"

#include <limits.h>

/* An input that is granted no output is granted the output NOBODY, which does not exist. */
enum { NOBODY = SWQ_MAX_PORTS, PORT_BITS = 9, PORT = (1 << PORT_BITS) - 1 };

/* Inputs from the pointer on, each sends from its longest queue whose output is free; of equally
 * long ones the first, counting outputs from the pointer on. A queue's length, its turn and its
 * output make one word, so that the choice is a maximum: the lengths of queues are as good as
 * random, and a branch that depends on them costs more than the rest. */
static inline __attribute__((always_inline)) void rotate(const swq_requests *r, int ports,
                                                         int *grant)
{
    const int first = r->memory[0];
    int to[SWQ_MAX_PORTS + 1];
    /* the length that a queue for each output must exceed; for a taken output no queue exceeds
     * it */
    int surpass[SWQ_MAX_PORTS + 1];
    uint32_t turn[SWQ_MAX_PORTS];

    for (int k = 0; k < ports; k++) {
        const int j = swq_around(first, k, ports);
        turn[j] = (uint32_t)(ports - k) << PORT_BITS | (uint32_t)j;
        to[k] = SWQ_NO_INPUT;
        surpass[k] = 0;
    }
    for (int k = 0; k < ports; k++) {
        const int input = swq_around(first, k, ports);
        const int *length = r->length[input];
        uint64_t best = NOBODY;
        for (int j = 0; j < ports && !r->read_each_queue; j++) {
            const uint64_t key = (uint64_t)(uint32_t)length[j] << 2 * PORT_BITS | turn[j];
            const uint64_t open = length[j] > surpass[j] ? key : 0;
            best = open > best ? open : best;
        }
        to[best & PORT] = input;
        surpass[best & PORT] = INT_MAX;
        for (int j = 0; j < ports && r->read_each_queue; j++) {
            if (length[j] <= surpass[j])
                continue;
            to[j] = input;
            surpass[j] = INT_MAX;
        }
    }
    for (int j = 0; j < ports; j++)
        grant[j] = to[j];
}

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    (void)dice;
    if (r->ports == 4)
        rotate(r, 4, grant);
    else
        rotate(r, r->ports, grant);
}

/* "If a non-empty buffer has the top priority but is unable to transmit, the buffer retains its top
 * priority for the next round." */
static void settle(const swq_requests *r, const int *grant)
{
    int first = r->memory[0];
    bool sent = false;

    for (int j = 0; j < r->ports; j++)
        sent |= grant[j] == first;
    if (sent || r->waiting[first] == 0)
        r->memory[0] = (uint16_t)swq_around(first, 1, r->ports);
}

/* After each round in which a packet was sent, the next input comes first, no matter which input
 * sent. A round without a packet changes nothing, so that it does not matter how often the arbiter
 * is called. */
static void advance(const swq_requests *r, const int *grant)
{
    for (int j = 0; j < r->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT) {
            r->memory[0] = (uint16_t)swq_around(r->memory[0], 1, r->ports);
            return;
        }
    }
}

/* ---- four ports ---- */

/* As `rotate`. A queue's word is its length and, in the two lowest bits, its turn. */
static inline void rotate_four(const swq_four_requests *r, int first, int *grant)
{
    static const swq_lanes turn[4] = {{3, 2, 1, 0}, {0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}};
    /* the change of `grant` from no input to each input */
    static const swq_lanes change[4] = {
        {~0, ~0, ~0, ~0}, {~1, ~1, ~1, ~1}, {~2, ~2, ~2, ~2}, {~3, ~3, ~3, ~3}};
    const swq_lanes one = swq_all_lanes(1 << 2); /* below that, a queue is empty */
    swq_lanes free = swq_all_lanes(-1), to = swq_all_lanes(SWQ_NO_INPUT);

    for (int k = 0; k < 4; k++) {
        const int input = (first + k) & 3;
        const swq_lanes word = (swq_lanes_of(r->row[input]) & free) << 2 | turn[first];
        const swq_lanes granted = r->read_each_queue
                                      ? word >= one
                                      : word == swq_larger_lanes(swq_largest_lane(word), one);
        free &= ~granted;
        to ^= granted & change[input];
    }
    for (int j = 0; j < 4; j++)
        grant[j] = to[j];
}

/* The input with the top priority sends if it has any request. */
void swq_rotating_four(const swq_four_requests *r, swq_dice *dice, int *grant)
{
    const int first = r->memory[0];
    const bool stays = r->held[first] != 0 && r->row[first] == 0;

    (void)dice;
    rotate_four(r, first, grant);
    r->memory[0] = (uint16_t)((first + !stays) & 3);
}

void swq_advancing_four(const swq_four_requests *r, swq_dice *dice, int *grant)
{
    const int first = r->memory[0];
    const bool sends = (r->row[0] | r->row[1] | r->row[2] | r->row[3]) != 0;

    (void)dice;
    rotate_four(r, first, grant);
    r->memory[0] = (uint16_t)((first + sends) & 3);
}

static void rename_ports(int ports, const uint8_t *input, const uint8_t *output,
                         const uint16_t *memory, uint16_t *renamed)
{
    (void)ports;
    (void)output;
    renamed[0] = input[memory[0]];
}

static int one_word(int ports)
{
    (void)ports;
    return 1;
}

/* The pointer also stops at idle inputs: if one of three inputs is idle, the input behind the idle
 * one comes first twice as often as the other. */
#define FAVOURS "the first input behind idle ones, whose turns it has as well"

const swq_arbiter swq_arbiter_rotating = {
    .name = "rotating",
    .summary = "inputs in turn, starting at a pointer that stays while its input cannot send; each "
               "sends from its longest queue whose output is free, of equal ones that of the first "
               "output from the pointer on",
    .source = "Frazier (1995), 4.3; reproduces most of Tables 4.2 to 5.1",
    .favours = FAVOURS,
    .arbitrate = arbitrate,
    .memory = one_word,
    .alike = SWQ_ALIKE_SHIFTED_TOGETHER,
    .compares = SWQ_COMPARES_INPUT,
    .rename = rename_ports,
    .settle = settle,
    .unrolled = true,
    .without_memory = &swq_arbiter_longest,
};

const swq_arbiter swq_arbiter_advancing = {
    .name = "advancing",
    .summary = "as rotating, but the pointer moves to the next input after each arbitration that "
               "sends something, even if the first input could not send",
    .source = "Frazier (1995), 8.5; what the numbers of chapter 8 need, found by experiment",
    .favours = FAVOURS,
    .arbitrate = arbitrate,
    .memory = one_word,
    .alike = SWQ_ALIKE_SHIFTED_TOGETHER,
    .compares = SWQ_COMPARES_INPUT,
    .rename = rename_ports,
    .settle = advance,
    .unrolled = true,
    .advances = true,
    .without_memory = &swq_arbiter_longest,
};
