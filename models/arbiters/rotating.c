/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rotating priority, longest queue: the arbiters of Frazier's network simulator. One keeps the
 * input that could not send first, the other moves on whenever something was sent. Memory: the
 * input that comes first.
 * Room: models.
 */
#include "models/arbiters/arbiters.h"

/* Port `from` + k, modulo the number of ports: a division would take as long as everything else in
 * the loop. */
static int around(int from, int k, int ports)
{
    const int port = from + k;

    return port < ports ? port : port - ports;
}

/* The longest queue of `input` whose output is free; of equally long ones the first, counting
 * outputs from `first` on. */
static int longest_open(const swq_requests *r, int input, int first, const int *grant)
{
    int best = SWQ_NO_INPUT, longest = 0;

    for (int k = 0; k < r->ports; k++) {
        int j = around(first, k, r->ports);
        if (grant[j] == SWQ_NO_INPUT && r->length[input][j] > longest) {
            longest = r->length[input][j];
            best = j;
        }
    }
    return best;
}

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    int first = r->memory[0];

    (void)dice;
    swq_grant_none(r, grant);
    for (int k = 0; k < r->ports; k++) {
        int input = around(first, k, r->ports), output;
        while ((output = longest_open(r, input, first, grant)) != SWQ_NO_INPUT) {
            grant[output] = input;
            if (!r->read_each_queue)
                break;
        }
    }
}

/* "If a non-empty buffer has the top priority but is unable to transmit, the buffer retains its top
 * priority for the next round." */
static void settle(const swq_requests *r, const int *grant)
{
    int first = r->memory[0];
    bool sent = false;

    for (int j = 0; j < r->ports; j++)
        sent = sent || grant[j] == first;
    if (sent || r->waiting[first] == 0)
        r->memory[0] = (uint16_t)((first + 1) % r->ports);
}

/* After each round in which something was sent the next input comes first, whoever it was. A round
 * in which nothing was sent changes nothing, so that it does not matter how often the arbiter is
 * called. */
static void advance(const swq_requests *r, const int *grant)
{
    for (int j = 0; j < r->ports; j++) {
        if (grant[j] != SWQ_NO_INPUT) {
            r->memory[0] = (uint16_t)((r->memory[0] + 1) % r->ports);
            return;
        }
    }
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

const swq_arbiter swq_arbiter_rotating = {
    .name = "rotating",
    .summary = "inputs in turn, starting at a pointer that stays while its input cannot send; each "
               "sends from its longest queue whose output is free",
    .source = "Frazier (1995), 4.3; reproduces most of Tables 4.2 to 5.1",
    .arbitrate = arbitrate,
    .memory = one_word,
    .alike = SWQ_ALIKE_SHIFTED_TOGETHER,
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
    .arbitrate = arbitrate,
    .memory = one_word,
    .alike = SWQ_ALIKE_SHIFTED_TOGETHER,
    .rename = rename_ports,
    .settle = advance,
    .unrolled = true,
    .advances = true,
    .without_memory = &swq_arbiter_longest,
};
