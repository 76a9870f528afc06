/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which networks the fast engine can run, and with which of its functions.
 * Room: sim.
 */
#include "sim/sync/fast/fast.h"

static const swq_fast_table *table(void)
{
#ifdef SWQ_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return &swq_fast_avx2;
#endif
    return &swq_fast_portable;
}

static int form_of(const swq_net *net)
{
    return net->slots <= SWQ_SHORT_SLOTS ? SWQ_SHORT_FORM
           : swq_queues_are_words(net)   ? SWQ_WORD_FORM
                                         : SWQ_LIST_FORM;
}

swq_stage_fn *swq_transmit_fast(const swq_net *net)
{
    const swq_network *spec = net->spec;
    const swq_buffer *b = &spec->sw.buffer;
    const bool whole = b->queue_min == 0 && b->queue_max == b->capacity && b->alpha == 0;
    const bool pieces = swq_buffer_partitioned(b) && b->alpha == 0;
    const bool one = b->queues == SWQ_ONE_QUEUE, each = b->read == SWQ_READ_EACH_QUEUE;

    if (b->scope != SWQ_PER_INPUT || !spec->sw.arbiter->unrolled || spec->sw.arbiter->advances ||
        spec->stale > 0 || spec->support != SWQ_SUPPORT_NONE || spec->resend ||
        net->system.classes > 1 || (net->system.group && net->system.options->group_by_source) ||
        !(whole || pieces) || (one && each))
        return NULL;
    const int ports = net->ports == 2 ? 0 : net->ports == 4 ? 1 : net->ports == 8 ? 2 : 3;
    return table()->transmit[form_of(net)][ports][one ? 0 : (pieces ? 3 : 1) + each];
}

swq_sources_fn *swq_create_fast(const swq_net *net)
{
    const swq_traffic *t = &net->spec->traffic;

    if (t->kind != SWQ_SOURCE_HOLD || net->system.cells > 1)
        return NULL;
    const swq_buffer *b = &net->spec->sw.buffer;
    const bool alike = !net->image && !net->choice && !t->hot_spots && t->burst <= 1;
    const int room = b->queues == SWQ_ONE_QUEUE ? 0 : b->queue_min > 0 ? 2 : 1;

    return table()->create[form_of(net)][net->ports == 4][room][alike];
}
