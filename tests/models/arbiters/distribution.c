/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See distribution.h.
 */
#include "tests/models/arbiters/distribution.h"

#include "tests/support/support.h"

int grant_number(const int *grant, int ports)
{
    int number = 0;

    for (int j = ports - 1; j >= 0; j--) {
        cr_assert(grant[j] >= SWQ_NO_INPUT && grant[j] < ports, "output %d: input %d", j, grant[j]);
        number = number * 4 + grant[j] + 1;
    }
    return number;
}

int granted_input(int number, int output)
{
    return (number >> 2 * output & 3) - 1;
}

swq_requests with_memory(const swq_arbiter *arbiter, const swq_requests *requests, uint16_t *memory)
{
    swq_requests r = *requests;
    int words = swq_arbiter_memory(arbiter, r.ports);

    cr_assert_leq(words, MEMORY_WORDS, "%s", arbiter->name);
    for (int w = 0; w < words; w++)
        memory[w] = requests->memory ? requests->memory[w] : 0;
    r.memory = words ? memory : NULL;
    r.iterations = r.iterations > 0 ? r.iterations : 1;
    return r;
}

distribution grants_of(const swq_arbiter *arbiter, const swq_requests *requests)
{
    distribution d = {0};
    uint16_t memory[MEMORY_WORDS];
    double sum = 0;
    swq_dice dice;

    swq_dice_begin_enumeration(&dice);
    do {
        int grant[SWQ_CHAIN_PORTS] = {91, 92, 93}; /* not valid inputs, and must be overwritten */
        swq_requests r = with_memory(arbiter, requests, memory);
        arbiter->arbitrate(&r, &dice, grant);
        d.chance[grant_number(grant, requests->ports)] += dice.probability;
        d.outcomes++;
        if (arbiter->settle)
            arbiter->settle(&r, grant);
        for (int w = 0; w < swq_arbiter_memory(arbiter, r.ports); w++)
            cr_assert_lt(memory[w], r.ports, "%s: word %d", case_text(arbiter, requests), w);
        sum += dice.probability;
    } while (swq_dice_next(&dice));
    cr_assert(fabs(sum - 1) < 1e-14, "%s: chances sum to %.17g", case_text(arbiter, requests), sum);
    return d;
}

swq_requests requests_of(int length[][SWQ_MAX_PORTS], int ports, bool read_each_queue, int number)
{
    swq_requests r = {
        .ports = ports, .read_each_queue = read_each_queue, .length = length, .iterations = 1};

    for (int k = 0; k < ports * ports; k++, number /= 3) {
        r.length[k / ports][k % ports] = number % 3;
        r.waiting[k / ports] += number % 3;
    }
    return r;
}

const char *case_text(const swq_arbiter *arbiter, const swq_requests *r)
{
    static char text[200];
    size_t used = (size_t)snprintf(text, sizeof text, "%s {", arbiter->name);

    for (int k = 0; k < r->ports * r->ports; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d",
                                 k == 0              ? ""
                                 : k % r->ports == 0 ? " / "
                                                     : " ",
                                 r->length[k / r->ports][k % r->ports]);
    snprintf(text + used, sizeof text - used, "%s}", r->read_each_queue ? " each" : "");
    return text;
}
