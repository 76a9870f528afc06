/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frees the memory of answers. It is a file of its own, since files that compute answers from other
 * answers also need it.
 */
#include "base/context.h"

#include "switchq/exact.h"
#include "switchq/packets.h"

void swq_answers_clear(swq_context *ctx, swq_answers *answers)
{
    swq_free(ctx, answers->occupancy);
    *answers = (swq_answers){0};
}

void swq_delay_clear(swq_context *ctx, swq_delay *delay)
{
    swq_free(ctx, delay->probability);
    swq_free(ctx, delay->longer);
    *delay = (swq_delay){0};
}
