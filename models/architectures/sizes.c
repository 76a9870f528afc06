/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which sizes an architecture has in stage cycles, and the memory that follows from them.
 */
#include "base/context.h"
#include "base/plugins.h"
#include "models/buffers/buffers.h"
#include "switchq/switch.h"

const swq_architecture *swq_switch_architecture(const swq_switch *sw)
{
    return sw->architecture ? sw->architecture : &swq_input_queued;
}

void swq_switch_own_memory(swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    const int each = a->stage.crosspoints ? sw->crosspoint_slots : sw->output_slots;

    if (a->stage.input_buffers)
        return;
    sw->buffer = (swq_buffer){
        .scope = a->stage.pools ? SWQ_POOL : SWQ_PER_INPUT,
        .queues = SWQ_QUEUE_PER_OUTPUT,
        .read = SWQ_READ_EACH_QUEUE,
        .capacity = sw->ports * each,
        .queue_min = each,
        .queue_max = each,
    };
}

/* Check a size, which must be 0 if the architecture does not have it. */
static swq_status check_size(swq_context *ctx, const swq_architecture *a, const char *name,
                             bool has, int size, int most)
{
    if (!has && size != 0)
        return swq_fail(ctx, SWQ_EINVAL, "architecture %s has no %s", a->name, name);
    if (has && (size < 1 || size > most))
        return swq_fail(ctx, SWQ_EINVAL, "%s of architecture %s must be 1 to %d, not %d", name,
                        a->name, most, size);
    return SWQ_OK;
}

/* Is the buffer the one that swq_switch_own_memory makes? */
static bool has_own_memory(const swq_switch *sw)
{
    swq_switch made = *sw;

    swq_switch_own_memory(&made);
    const swq_buffer *a = &made.buffer, *b = &sw->buffer;
    return a->scope == b->scope && a->queues == b->queues && a->read == b->read &&
           a->capacity == b->capacity && a->queue_min == b->queue_min &&
           a->queue_max == b->queue_max && b->alpha == 0 &&
           swq_buffer_pool_rule(b) == &swq_pool_room && !swq_buffer_admission(b)->fate;
}

/* Check that the arbiter can serve columns. */
static swq_status check_columns(swq_context *ctx, const swq_switch *sw)
{
    const void *const *rows = swq_rows(ctx, (const void *const *)swq_arbiters);
    char names[200];
    size_t used = 0;

    if (sw->arbiter->serves != SWQ_SERVES_NONE) {
        if (sw->iterations > 1)
            return swq_fail(ctx, SWQ_EINVAL,
                            "iterations are rounds of a matching, which "
                            "architecture %s has none of",
                            sw->architecture->name);
        return SWQ_OK;
    }
    *names = '\0';
    for (int k = 0; rows[k]; k++) {
        const swq_arbiter *row = rows[k];
        if (row->serves != SWQ_SERVES_NONE && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     row->name);
    }
    return swq_fail(ctx, SWQ_EINVAL,
                    "arbiter %s matches inputs with outputs, which choose by themselves in "
                    "architecture %s; use %s",
                    sw->arbiter->name, sw->architecture->name, names);
}

swq_status swq_switch_check_architecture(swq_context *ctx, const swq_switch *sw)
{
    const swq_architecture *a = swq_switch_architecture(sw);
    swq_status status = check_size(ctx, a, "speedup", a->stage.speedup, sw->speedup, sw->ports);

    if (!status)
        status = check_size(ctx, a, "output-slots", a->stage.output_queues, sw->output_slots,
                            SWQ_MAX_SLOTS);
    if (!status)
        status = check_size(ctx, a, "crosspoint-slots", a->stage.crosspoints, sw->crosspoint_slots,
                            SWQ_MAX_SLOTS);
    if (!status && sw->departures_first && !a->stage.two_steps)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "departures first is for architectures that move packets before they "
                          "depart; in %s the steps alternate in either order",
                          a->name);
    if (!status && !a->stage.input_buffers && !has_own_memory(sw))
        status = swq_fail(ctx, SWQ_EINVAL, "architecture %s brings its own memory, not a buffer",
                          a->name);
    if (!status && sw->buffer.scope == SWQ_POOL && !a->stage.pools)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "architecture %s needs buffers at the inputs: there is no crossbar "
                          "behind a pool",
                          a->name);
    if (!status && a->stage.columns)
        status = check_columns(ctx, sw);
    return status;
}
