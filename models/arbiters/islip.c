/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iSLIP: outputs grant and inputs accept by round robin, in several rounds; a pointer moves only
 * past a grant that was accepted in the first round. Memory: the outputs' grant pointers, then the
 * inputs' accept pointers. Source: McKeown, IEEE/ACM ToN 7(2), 1999.
 */
#include "models/arbiters/arbiters.h"
#include "models/arbiters/four.h"

#include "base/inline.h"
#include "base/port_set.h"

/* As the next function, for up to 32 ports: words of 32 bits are made in half the time. */
SWQ_INLINE void list_few(const swq_requests *r, int ports, swq_port_set *asking,
                         swq_port_set *offered)
{
    const int *length = r->length[0];
    uint32_t set[32] = {0};

    for (int i = 0; i < ports; i++, length += SWQ_MAX_PORTS) {
        for (int j = 0; j < ports; j++)
            set[j] |= (uint32_t)(length[j] != 0) << i;
    }
    for (int j = 0; j < ports; j++) {
        asking[j] = set[j];
        offered[j] = 0;
    }
}

/* The inputs that have a packet for each output; and no offers. */
SWQ_INLINE void list_asking(const swq_requests *r, int ports, int words, swq_port_set *asking,
                            swq_port_set *offered)
{
    for (int j = 0; j < ports; j++) {
        swq_port_set_clear(&asking[j * words], words);
        swq_port_set_clear(&offered[j * words], words);
    }
    for (int i = 0; i < ports; i++) {
        const int *length = r->length[i];
        for (int j = 0; j < ports; j++)
            swq_port_set_put(&asking[j * words], (uint32_t)i, length[j] != 0, words);
    }
}

/* Each unmatched output offers itself to the first unmatched input, from its pointer on, with a
 * packet for this output. */
SWQ_INLINE void offer(const swq_requests *r, int words, const swq_port_set *asking,
                      const swq_port_set *sending, const int *grant, swq_port_set *offered)
{
    for (int j = 0; j < r->ports; j++) {
        swq_port_set inputs[SWQ_PORT_SET_WIDE];
        for (int at = 0; at < words; at++)
            inputs[at] = asking[j * words + at] & ~sending[at];
        if (grant[j] == SWQ_NO_INPUT && swq_port_set_any(inputs, words)) {
            const int i = (int)swq_port_set_next(inputs, r->memory[j], words);
            swq_port_set_put(&offered[i * words], (uint32_t)j, true, words);
        }
    }
}

/* Sets have `words` words, which the compiler knows. */
SWQ_INLINE void match(const swq_requests *r, int words, swq_port_set *asking, swq_port_set *offered,
                      int *grant)
{
    swq_port_set sending[SWQ_PORT_SET_WIDE];
    uint16_t *accept = r->memory + r->ports;

    swq_port_set_clear(sending, words);
    swq_grant_none(r, grant);
    if (words == 1 && r->ports == 4) /* a copy of the code for the most common number of ports */
        list_few(r, 4, asking, offered);
    else if (words == 1 && r->ports <= 32)
        list_few(r, r->ports, asking, offered);
    else
        list_asking(r, r->ports, words, asking, offered);
    for (int round = 0; round < r->iterations; round++) {
        offer(r, words, asking, sending, grant, offered);
        for (int i = 0; i < r->ports; i++) {
            const uint32_t first = accept[i];
            swq_port_set left[SWQ_PORT_SET_WIDE];
            for (int at = 0; at < words; at++) {
                left[at] = offered[i * words + at];
                offered[i * words + at] = 0;
            }
            while (swq_port_set_any(left, words)) {
                const int j = (int)swq_port_set_next(left, first, words);
                swq_port_set_take(left, (uint32_t)j, words);
                grant[j] = i;
                if (round == 0) {
                    r->memory[j] = (uint16_t)swq_around(i, 1, r->ports);
                    accept[i] = (uint16_t)swq_around(j, 1, r->ports);
                }
                if (!r->read_each_queue) {
                    swq_port_set_put(sending, (uint32_t)i, true, words);
                    break;
                }
            }
        }
    }
}

static void match_wide(const swq_requests *r, int *grant)
{
    swq_port_set asking[SWQ_MAX_PORTS * SWQ_PORT_SET_WIDE],
        offered[SWQ_MAX_PORTS * SWQ_PORT_SET_WIDE];

    match(r, SWQ_PORT_SET_WIDE, asking, offered, grant);
}

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    swq_port_set asking[64], offered[64];

    (void)dice;
    if (r->ports > 64)
        match_wide(r, grant);
    else
        match(r, 1, asking, offered, grant);
}

/* ---- four ports ---- */

/* The first of some of four ports, counted from port `from` on; any if there are none. */
SWQ_INLINE int first_of_four(uint32_t ports, int from)
{
    return (from + __builtin_ctz((ports | ports << 4 | 1u << 8) >> from)) & 3;
}

/* As `offer`; bit 4 i + j: output j offers itself to input i. */
SWQ_INLINE uint32_t offer_four(const swq_four_requests *r, uint32_t asked, uint32_t sending,
                               uint32_t taken)
{
    uint32_t offered = 0;

    for (int j = 0; j < 4; j++) {
        const uint32_t inputs = swq_four_column(asked, j) & ~sending;
        const uint32_t offers = (inputs != 0) & ~(taken >> j);
        offered |= offers << (4 * first_of_four(inputs, r->memory[j]) + j);
    }
    return offered;
}

void swq_islip_four(const swq_four_requests *r, swq_dice *dice, int *grant)
{
    const uint32_t asked = swq_four_asked(r);
    uint16_t *accept = r->memory + 4;
    uint32_t sending = 0, taken = 0;

    (void)dice;
    for (int j = 0; j < 4; j++)
        grant[j] = SWQ_NO_INPUT;
    for (int round = 0; round < r->iterations; round++) {
        const uint32_t offered = offer_four(r, asked, sending, taken);
        if (!offered)
            return;
        for (int i = 0; i < 4; i++) {
            const int first = accept[i];
            for (uint32_t left = offered >> 4 * i & 15; left;) {
                const int j = first_of_four(left, first);
                left &= ~(1u << j);
                taken |= 1u << j;
                grant[j] = i;
                if (round == 0) {
                    r->memory[j] = (uint16_t)((i + 1) & 3);
                    accept[i] = (uint16_t)((j + 1) & 3);
                }
                if (!r->read_each_queue) {
                    sending |= 1u << i;
                    break;
                }
            }
        }
    }
}

static void rename_ports(int ports, const uint8_t *input, const uint8_t *output,
                         const uint16_t *memory, uint16_t *renamed)
{
    for (int j = 0; j < ports; j++)
        renamed[output[j]] = input[memory[j]];
    for (int i = 0; i < ports; i++)
        renamed[ports + input[i]] = output[memory[ports + i]];
}

static int two_pointers_a_port(int ports)
{
    return 2 * ports;
}

const swq_arbiter swq_arbiter_islip = {
    .name = "islip",
    .summary = "iSLIP: grants and accepts by pointers that move past accepted grants; --iterations",
    .source = "McKeown (1999)",
    .arbitrate = arbitrate,
    .serves = SWQ_SERVES_IN_TURNS,
    .iterative = true,
    .memory = two_pointers_a_port,
    .alike = SWQ_ALIKE_SHIFTED_APART,
    .compares = SWQ_COMPARES_NONE,
    .rename = rename_ports,
};
