/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method "links": the family to which a spec belongs, and the choices that no family supports.
 */
#include "approx/links/links.h"

#include "approx/methods.h"
#include "base/context.h"

#include <math.h>
#include <stdio.h>

/* Is every slot reserved for some queue, so that queues share nothing? */
static bool all_reserved(const swq_buffer *b, int ports)
{
    return b->queue_min > 0 && b->queue_min * ports == b->capacity;
}

/* Has the buffer one slot, or one queue, so that its input never chooses between queues? */
static bool single(const swq_buffer *b)
{
    return b->queues == SWQ_ONE_QUEUE || (b->capacity == 1 && b->scope == SWQ_PER_INPUT);
}

/* Combine the losses of the stages; in 1 - throughput / load, small losses would be lost to
 * rounding. */
static void combine_losses(const links_spec *spec, swq_approx_result *result)
{
    double kept = 0;

    for (int s = 0; s < spec->stages; s++) {
        result->stage[s].discarded = fmax(0, result->stage[s].discarded);
        kept += log1p(-result->stage[s].discarded);
    }
    result->discard_fraction = 0 - expm1(kept); /* not -0 */
    result->throughput = spec->load * exp(kept);
}

static links_spec spec_of(const swq_network *network)
{
    const swq_switch *sw = &network->sw;
    const swq_buffer *b = &sw->buffer;

    return (links_spec){.ports = sw->ports,
                        .stages = network->shape.stages,
                        .slots = b->scope == SWQ_POOL ? b->capacity / sw->ports : b->capacity,
                        .discard = sw->flow == SWQ_DISCARD,
                        .load = network->traffic.load,
                        .buffer = *b};
}

static double seconds(const swq_network *network)
{
    const links_spec spec = spec_of(network);

    return spec.buffer.scope == SWQ_POOL ? links_pool_seconds(&spec) : 0;
}

static swq_status run(swq_context *ctx, const swq_network *network, swq_approx_result *result)
{
    const swq_switch *sw = &network->sw;
    const swq_buffer *b = &sw->buffer;
    const links_spec spec = spec_of(network);

    swq_status status = b->scope == SWQ_POOL         ? links_pool(ctx, &spec, result)
                        : single(b)                  ? links_fifo(ctx, &spec, result)
                        : all_reserved(b, sw->ports) ? links_partitioned(ctx, &spec, result)
                                                     : links_shared(ctx, &spec, result);
    if (spec.discard && (!status || status == SWQ_ECONVERGE))
        combine_losses(&spec, result);
    if (b->read == SWQ_READ_EACH_QUEUE && all_reserved(b, sw->ports)) {
        /* a buffer is blocked when all its queues are, but the method follows single queues */
        for (int s = 0; s < spec.stages; s++)
            result->stage[s].blocked = NAN;
    }
    return status;
}

static const char *objection(const swq_network *network, char *text, size_t size)
{
    const swq_switch *sw = &network->sw;
    const swq_buffer *b = &sw->buffer;
    bool limited = b->queue_min > 0 || b->queue_max < b->capacity || b->alpha > 0;
    bool shared = b->scope == SWQ_PER_INPUT && !single(b) && !all_reserved(b, sw->ports);

    (void)text, (void)size;
    if (single(b) && limited)
        return "limits of one queue (queue-max, alpha): a buffer of one queue is taken as a whole";
    if (shared && limited && sw->flow == SWQ_BLOCK)
        return "limits of queues (queue-max, alpha) and flow block: a full queue would close its "
               "buffer's link for "
               "some packets only";
    return NULL;
}

/* Freed slots can be taken in the same cycle where packets are lost, and full buffers block by
 * their state at the start of the cycle. */
static const swq_approx_takes takes = {
    .fabrics = approx_multistage,
    .buffers = approx_all_buffers,
    .patterns = approx_uniform,
    .arbiters = approx_longest,
    .at_single_queues = approx_fair,
    .flows = SWQ_TAKES_DISCARD_SAME | SWQ_TAKES_BLOCK_NEXT,
    .limits = SWQ_TAKES_LIMITS_AT_INPUTS,
    .needs = SWQ_NEEDS(SWQ_NEED_AGES),
};

const swq_approx_method approx_links = {
    .name = "links",
    .ours = true,
    .summary = "one chain per stage, of a buffer, the link that feeds it and the links that its "
               "packets need",
    .assumptions =
        "uniform traffic; sources that hold a packet; the arbiter serves the longest queue; "
        "blocking by the state at the start of the cycle, discarding after the "
        "transmissions. What is further away than the next buffer is met at random",
    .source = "ours; docs/approximation.md",
    .error =
        "each answer states what was measured in its network or in those next to it, against the "
        "simulator: 2 x 2 in up to 10 stages, 4 x 4 in up to 5, 8 x 8 in up to 3. 4 x 4, 3 stages, "
        "up to 12 slots: discarding, throughput within 1% (DAFC up to 3.7% too high); small "
        "fractions of discards may be off by a factor: DAMQ's are too low, by 2.5 at 1e-3 and by 5 "
        "at 2e-8 (2 x 2, 4 slots) with the arbiter rotating, by 4 and 36 with longest, from which "
        "it is not told apart. Blocking, latency within 3.1% below 80% of saturation (DAFC 6%); "
        "throughput at full load too high, by 0.6 to 2.4% (FIFO), 3.6 to 4.5% (SAFC), 3.3, 4.7 and "
        "6.9% (SAMQ 4, 8, 12), 1.1 to 4.5% (DAMQ), 1.6 to 3.3% (CBDA), 4 to 6% (DAFC). The excess "
        "grows by 1 to 2 points a stage, to 7 to 23% in 10 stages of 2 x 2; in 1 or 2 stages of "
        "2 x 2 with one slot a queue throughput may be up to 7.4% too low",
    .off = links_off,
    .takes = &takes,
    .objection = objection,
    .seconds = seconds,
    .run = run,
};
