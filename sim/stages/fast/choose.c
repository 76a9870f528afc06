/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which networks the fast engine can run, and with which of its functions.
 */
#include "sim/stages/fast/classes.h"
#include "sim/stages/fast/fast.h"

#include "models/arbiters/arbiters.h"

/* The table for this machine. */
#ifdef SWQ_HAVE_AVX2
#define BEST_OF(name)                                                                              \
    (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? &name##_avx2               \
                                                                      : &name##_portable)
#else
#define BEST_OF(name) (&name##_portable)
#endif

static const swq_fast_arbiter *arbiter_of(const swq_arbiter *arbiter)
{
    if (arbiter->unrolled && !arbiter->advances)
        return BEST_OF(swq_rotating);
    if (arbiter == &swq_arbiter_random)
        return BEST_OF(swq_drawn);
    return &swq_by_row;
}

static int form_of(const swq_net *net)
{
    return net->slots <= SWQ_SHORT_SLOTS ? SWQ_SHORT_FORM
           : swq_queues_are_words(net)   ? SWQ_WORD_FORM
                                         : SWQ_LIST_FORM;
}

/* Packets of high priority that no switch serves first: their mark must not enter a division. */
static bool classes_are_alike(const swq_net *net)
{
    return net->system.classes == 1 || !(net->ports & (net->ports - 1));
}

bool swq_choose_fast(swq_net *net)
{
    const swq_network *spec = net->spec;
    const swq_buffer *b = &spec->sw.buffer;
    const swq_arbiter *arbiter = spec->sw.arbiter;
    const bool whole = b->queue_min == 0 && b->queue_max == b->capacity && b->alpha == 0;
    const bool pieces = swq_buffer_partitioned(b) && b->alpha == 0;
    const bool one = b->queues == SWQ_ONE_QUEUE, each = b->read == SWQ_READ_EACH_QUEUE;

    if (b->scope != SWQ_PER_INPUT || net->ports > SWQ_FAST_PORTS || spec->stale > 0 ||
        spec->resend || (net->system.group && net->system.options->group_by_source))
        return false;
    if (spec->sw.priority.support != SWQ_SUPPORT_NONE) {
        net->transmit = swq_transmit_high_first;
        return net->whole && arbiter->unrolled && !arbiter->advances;
    }
    if (!classes_are_alike(net) || !(whole || pieces) || (one && each))
        return false;
    const int form = form_of(net);
    const int ports = net->ports == 2 ? 0 : net->ports == 4 ? 1 : net->ports == 8 ? 2 : 3;
    net->transmit = swq_transmit_fast;
    net->arbitrate = (*arbiter_of(arbiter))[form][ports][one ? 0 : (pieces ? 3 : 1) + each];
    net->mover = &BEST_OF(swq_moves)->mover[form][ports][one ? 0 : pieces ? 2 : 1];
    return true;
}

bool swq_packs(const swq_net *net)
{
    return net->spec->sw.priority.support == SWQ_SUPPORT_NONE && net->ports == SWQ_PACKED_QUEUES &&
           net->queues == SWQ_PACKED_QUEUES && net->slots <= SWQ_PACKED_SLOTS && net->whole;
}

swq_stage_fn *swq_show_packed(void)
{
    return BEST_OF(swq_moves)->show;
}

/* Do sources hold one packet, of one kind? */
static bool sources_are_simple(const swq_net *net)
{
    return net->spec->traffic.kind == SWQ_SOURCE_HOLD && net->system.cells == 1 &&
           net->spec->sw.priority.support == SWQ_SUPPORT_NONE;
}

/* Are all destinations alike, for all packets? */
static bool destinations_are_alike(const swq_net *net)
{
    const swq_traffic *t = &net->spec->traffic;

    return !net->image && !net->choice && !t->hot_spots && t->burst <= 1;
}

swq_sources_fn *swq_create_fast(const swq_net *net)
{
    const swq_buffer *b = &net->spec->sw.buffer;
    const int room = b->queues == SWQ_ONE_QUEUE ? 0 : b->queue_min > 0 ? 2 : 1;

    if (!sources_are_simple(net))
        return NULL;
    return BEST_OF(swq_moves)
        ->create[form_of(net)][net->ports == 4][room][destinations_are_alike(net)];
}

swq_sources_fn *swq_redraw_fast(const swq_net *net)
{
    if (!sources_are_simple(net) || !destinations_are_alike(net))
        return NULL;
    return BEST_OF(swq_moves)->redraw;
}
