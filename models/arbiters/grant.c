/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps that sequential arbiters share: prefer a queue, visit the inputs, fill the free
 * outputs. Copies with the number of ports known to the compiler, which most have, take half the
 * time.
 */
#include "models/arbiters/arbiters.h"
#include "models/arbiters/four.h"

#include "base/inline.h"

/* Lengths are as good as random, so that a branch on them is slow: each candidate is noted, and
   only counted if it is preferred.
 */
SWQ_INLINE int prefer(const int *length, int candidates, swq_preference preference, swq_dice *dice)
{
    int best[SWQ_MAX_PORTS + 1], ties = 0, least = 1;

    for (int c = 0; c < candidates && preference == SWQ_PREFER_LONGEST; c++)
        least = length[c] > least ? length[c] : least;
    for (int c = 0; c < candidates; c++) {
        best[ties] = c;
        ties += length[c] >= least;
    }
    if (ties == 0)
        return SWQ_NO_INPUT;
    return best[preference == SWQ_PREFER_FIRST || ties == 1 ? 0 : swq_dice_fair(dice, ties)];
}

int swq_prefer(const int *length, int candidates, swq_preference preference, swq_dice *dice)
{
    return candidates == 4 ? prefer(length, 4, preference, dice)
                           : prefer(length, candidates, preference, dice);
}

int swq_choose(swq_serves serves, const int *length, int candidates, uint16_t *pointer,
               swq_dice *dice)
{
    if (serves == SWQ_SERVES_ANY)
        return swq_prefer(length, candidates, SWQ_PREFER_ANY, dice);
    if (serves == SWQ_SERVES_LONGEST)
        return swq_prefer(length, candidates, SWQ_PREFER_LONGEST, dice);
    for (int k = 0; k < candidates; k++) {
        int c = ((serves == SWQ_SERVES_IN_TURNS && pointer ? *pointer : 0) + k) % candidates;
        if (length[c] <= 0)
            continue;
        if (serves == SWQ_SERVES_IN_TURNS && pointer)
            *pointer = (uint16_t)((c + 1) % candidates);
        return c;
    }
    return SWQ_NO_INPUT;
}

/* Output j takes a packet from a preferred input among those with a packet for output j. */
SWQ_INLINE void fill_output(const swq_requests *requests, int j, swq_preference preference,
                            swq_dice *dice, int *grant)
{
    int column[SWQ_MAX_PORTS];

    swq_column_of(requests, j, column);
    grant[j] = swq_prefer(column, requests->ports, preference, dice);
}

void swq_grant_free_outputs(const swq_requests *requests, swq_preference preference, swq_dice *dice,
                            int *grant)
{
    for (int j = 0; j < requests->ports; j++) {
        if (grant[j] == SWQ_NO_INPUT)
            fill_output(requests, j, preference, dice, grant);
    }
}

/* length: of an input's queues. */
SWQ_INLINE bool asks(const int *length, int ports)
{
    int any = 0;

    for (int j = 0; j < ports; j++)
        any |= length[j];
    return any != 0;
}

SWQ_INLINE void send_one(const int *length, int ports, int input, swq_preference preference,
                         swq_dice *dice, int *grant)
{
    int open[SWQ_MAX_PORTS];

    for (int j = 0; j < ports; j++)
        open[j] = grant[j] == SWQ_NO_INPUT ? length[j] : 0;
    int output = prefer(open, ports, preference, dice);
    if (output != SWQ_NO_INPUT)
        grant[output] = input;
}

bool swq_step_inputs_first(const swq_requests *requests, bool in_order, swq_preference preference,
                           uint64_t *done, swq_dice *dice, int *grant)
{
    int waiting[SWQ_CHAIN_PORTS], left = 0;

    /* skipping inputs without a request does not change the order of the others */
    for (int i = 0; i < requests->ports; i++) {
        if (!(*done >> i & 1) && asks(requests->length[i], requests->ports))
            waiting[left++] = i;
    }
    if (left > 0) {
        int input = waiting[in_order ? 0 : swq_dice_fair(dice, left)];
        *done |= (uint64_t)1 << input;
        send_one(requests->length[input], requests->ports, input, preference, dice, grant);
        return true;
    }
    for (int j = 0; j < requests->ports && requests->read_each_queue; j++) {
        uint64_t seen = (uint64_t)1 << (SWQ_CHAIN_PORTS + j);
        if (grant[j] == SWQ_NO_INPUT && !(*done & seen)) {
            *done |= seen;
            fill_output(requests, j, preference, dice, grant);
            return true;
        }
    }
    return false;
}

SWQ_INLINE void inputs_first(const swq_requests *requests, int ports, bool in_order,
                             swq_preference preference, swq_dice *dice, int *grant)
{
    const int *length = requests->length[0], *row = length;
    int waiting[SWQ_MAX_PORTS + 1], left = 0;

    for (int i = 0; i < ports; i++, row += SWQ_MAX_PORTS) {
        waiting[left] = i;
        left += asks(row, ports);
    }
    while (left > 0) {
        const int turn = in_order || left == 1 ? 0 : swq_dice_fair(dice, left);
        const int input = waiting[turn];
        left--;
        for (int k = turn; k < left; k++)
            waiting[k] = waiting[k + 1];
        send_one(length + input * SWQ_MAX_PORTS, ports, input, preference, dice, grant);
    }
}

/* All steps of swq_step_inputs_first, with the same throws of the dice. */
void swq_grant_inputs_first(const swq_requests *requests, bool in_order, swq_preference preference,
                            swq_dice *dice, int *grant)
{
    swq_grant_none(requests, grant);
    if (requests->ports == 4 && preference == SWQ_PREFER_LONGEST)
        inputs_first(requests, 4, in_order, SWQ_PREFER_LONGEST, dice, grant);
    else if (requests->ports == 4)
        inputs_first(requests, 4, in_order, preference, dice, grant);
    else
        inputs_first(requests, requests->ports, in_order, preference, dice, grant);
    if (requests->read_each_queue)
        swq_grant_free_outputs(requests, preference, dice, grant);
}

/* ---- four ports ---- */

/* The lanes of a row, a bit each, from which `preference` chooses. */
SWQ_INLINE uint32_t preferred(uint64_t row, swq_preference preference)
{
    if (preference != SWQ_PREFER_LONGEST)
        return swq_lanes_in_use(row);
    const swq_lanes length = swq_lanes_of(row);
    const swq_lanes longest =
        swq_larger_lanes(swq_largest_lane(length), swq_all_lanes(1)); /* 0 is no candidate */
    const swq_lanes ties = length == longest;
    return swq_lanes_in_use(swq_row_of(ties) & UINT64_C(0x0001000100010001));
}

/* The place of one of the bits that are set, drawn at random. */
SWQ_INLINE int throw_bit(uint32_t bits, swq_dice *dice)
{
    const int count = swq_four_count(bits);

    return swq_four_bit(bits, count == 1 ? 0 : swq_dice_fair(dice, count));
}

SWQ_INLINE void fill_outputs_four(const swq_four_requests *r, swq_preference preference,
                                  swq_dice *dice, int *grant)
{
    for (int j = 0; j < 4; j++) {
        uint64_t column = 0;
        for (int i = 0; i < 4; i++)
            column |= (r->row[i] >> 16 * j & 0xffff) << 16 * i;
        if (grant[j] == SWQ_NO_INPUT && column)
            grant[j] = throw_bit(preferred(column, preference), dice);
    }
}

SWQ_INLINE void inputs_first_four(const swq_four_requests *r, swq_preference preference,
                                  swq_dice *dice, int *grant)
{
    uint64_t free = UINT64_MAX;
    uint32_t waiting = 0;

    for (int k = 0; k < 4; k++) {
        grant[k] = SWQ_NO_INPUT;
        waiting |= (uint32_t)(r->row[k] != 0) << k;
    }
    while (waiting) {
        const int input = throw_bit(waiting, dice);
        const uint64_t open = r->row[input] & free;
        waiting &= ~(1u << input);
        if (!open)
            continue;
        const int j = throw_bit(preferred(open, preference), dice);
        grant[j] = input;
        free &= ~(UINT64_C(0xffff) << 16 * j);
    }
    if (r->read_each_queue)
        fill_outputs_four(r, preference, dice, grant);
}

void swq_longest_four(const swq_four_requests *r, swq_dice *dice, int *grant)
{
    inputs_first_four(r, SWQ_PREFER_LONGEST, dice, grant);
}

void swq_random_four(const swq_four_requests *r, swq_dice *dice, int *grant)
{
    inputs_first_four(r, SWQ_PREFER_ANY, dice, grant);
}
