/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * iSLIP: outputs grant and inputs accept by round robin, in several rounds; a pointer moves only
 * past a grant that was accepted in the first round. Memory: the outputs' grant pointers, then the
 * inputs' accept pointers. Source: McKeown, IEEE/ACM ToN 7(2), 1999.
 * Room: models.
 */
#include "models/arbiters/arbiters.h"

/* The grant of each unmatched output: to the first unmatched input with a packet for it, from the
 * pointer on. */
static void offer(const swq_requests *r, unsigned sending, const int *grant, int *offered)
{
    for (int j = 0; j < r->ports; j++) {
        offered[j] = SWQ_NO_INPUT;
        for (int k = 0; k < r->ports && grant[j] == SWQ_NO_INPUT; k++) {
            int i = (r->memory[j] + k) % r->ports;
            if (r->length[i][j] && !(sending >> i & 1)) {
                offered[j] = i;
                break;
            }
        }
    }
}

static void arbitrate(const swq_requests *r, swq_dice *dice, int *grant)
{
    uint16_t *accept = r->memory + r->ports;
    int offered[SWQ_MAX_PORTS];
    unsigned sending = 0;

    (void)dice;
    swq_grant_none(r, grant);
    for (int round = 0; round < r->iterations; round++) {
        offer(r, sending, grant, offered);
        for (int i = 0; i < r->ports; i++) {
            int first = accept[i];
            for (int k = 0; k < r->ports; k++) {
                int j = (first + k) % r->ports;
                if (offered[j] != i)
                    continue;
                grant[j] = i;
                if (round == 0) {
                    r->memory[j] = (uint16_t)((i + 1) % r->ports);
                    accept[i] = (uint16_t)((j + 1) % r->ports);
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
    .rename = rename_ports,
};
