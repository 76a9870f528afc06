/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iSLIP: outputs grant and inputs accept by round robin, in several rounds; a pointer moves only
 * past a grant that was accepted in the first round. Memory: the outputs' grant pointers, then the
 * inputs' accept pointers. Source: McKeown, IEEE/ACM ToN 7(2), 1999.
 */
#include "models/arbiters/arbiters.h"
#include "models/arbiters/four.h"

#include "base/inline.h"

/* The first of one or more ports, counted from port `from` on. */
static int first_from(uint32_t ports, int from)
{
    const uint32_t behind = ports >> from << from;

    return __builtin_ctz(behind ? behind : ports);
}

/* The inputs that have a packet for each output, a bit each. */
SWQ_INLINE void list_asking(const swq_requests *r, int ports, uint32_t *asking)
{
    for (int j = 0; j < ports; j++)
        asking[j] = 0;
    for (int i = 0; i < ports; i++) {
        for (int j = 0; j < ports; j++)
            asking[j] |= (uint32_t)(r->length[i][j] != 0) << i;
    }
}

/* Each unmatched output offers itself to the first unmatched input, from its pointer on, with a
 * packet for this output. */
static void offer(const swq_requests *r, const uint32_t *asking, uint32_t sending, const int *grant,
                  uint32_t *offered)
{
    for (int i = 0; i < r->ports; i++)
        offered[i] = 0;
    for (int j = 0; j < r->ports; j++) {
        const uint32_t inputs = asking[j] & ~sending;
        if (grant[j] == SWQ_NO_INPUT && inputs)
            offered[first_from(inputs, r->memory[j])] |= 1u << j;
    }
}

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    uint32_t asking[SWQ_MAX_PORTS], offered[SWQ_MAX_PORTS], sending = 0;
    uint16_t *accept = r->memory + r->ports;

    (void)dice;
    swq_grant_none(r, grant);
    if (r->ports == 4) /* a copy of the code for the most common number of ports */
        list_asking(r, 4, asking);
    else
        list_asking(r, r->ports, asking);
    for (int round = 0; round < r->iterations; round++) {
        offer(r, asking, sending, grant, offered);
        for (int i = 0; i < r->ports; i++) {
            const int first = accept[i];
            for (uint32_t left = offered[i]; left;) {
                const int j = first_from(left, first);
                left &= ~(1u << j);
                grant[j] = i;
                if (round == 0) {
                    r->memory[j] = (uint16_t)swq_around(i, 1, r->ports);
                    accept[i] = (uint16_t)swq_around(j, 1, r->ports);
                }
                if (!r->read_each_queue) {
                    sending |= 1u << i;
                    break;
                }
            }
        }
    }
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
