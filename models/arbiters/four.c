/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which arbiters have a form for switches with four ports.
 */
#include "models/arbiters/four.h"

#include "models/arbiters/arbiters.h"

swq_arbitrate_four_fn *swq_arbiter_four(const swq_arbiter *arbiter)
{
    static const struct {
        const swq_arbiter *arbiter;
        swq_arbitrate_four_fn *four;
    } forms[] = {
        {&swq_arbiter_rotating, swq_rotating_four}, {&swq_arbiter_advancing, swq_advancing_four},
        {&swq_arbiter_islip, swq_islip_four},       {&swq_arbiter_longest, swq_longest_four},
        {&swq_arbiter_random, swq_random_four},
    };

    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return NULL;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (forms[k].arbiter == arbiter)
            return forms[k].four;
    }
    return NULL;
}
