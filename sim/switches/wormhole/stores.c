/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The architecture of multi-lane wormhole switching: worms.h between the senders and the counts
 * of an asynchronous network. A packet counts where its header is, from the cycle in which that
 * begins to leave the place before, as in every other architecture.
 */
#define SWQ_GENERAL       1
#define SWQ_OUTPUT_STORES 0
#define SWQ_READ_PORTS    0

#include "base/context.h"
#include "base/fetch.h"
#include "base/inline.h"
#include "sim/frame/numbered.h"
#include "sim/frame/turn_packets.h"
#include "sim/switches/wormhole/spec.h"
#include "sim/switches/wormhole/worms.h"

#include <string.h>

/* The engine's number of a packet is its index among the network's packets. */
typedef struct {
    swq_worms worms;
    swq_worm_team team; /* of the whole network */
    uint8_t *level;     /* [worms] of a packet inside its level when it came, or that of its last
                           switch; else SWQ_NO_LEVEL */
    uint32_t *last;     /* [worms] cycle in which the worm's header began on its last link */
} wormhole_state;

static wormhole_state *own(const swq_async_net *net)
{
    return swq_own_state(net);
}

/* ---- events of a packet ---- */

/* A packet enters the buffer of an input, which is of a level; and: begins to leave it. Detailed:
 * it may be followed. */
static inline void comes_to(swq_async_net *net, uint32_t worm, uint32_t port, int level,
                            bool detailed)
{
    swq_probe_inside(&net->system, level, 1);
    swq_probe_hops(&net->system, 1);
    if (detailed && net->system.followed) {
        swq_probe_comes(&net->system, worm, port, level, net->cycle);
        swq_probe_stays(&net->system, port, net->cycle);
    }
}

static inline void goes_from(swq_async_net *net, uint32_t worm, int level, bool detailed)
{
    swq_probe_outside(&net->system, level, 1);
    if (detailed)
        swq_probe_begins(&net->system, worm, level, net->cycle);
}

/* The node via which a packet travels, + 1; 0: none. */
static uint32_t goes_over(const swq_packet_state *p)
{
    return p->then != SWQ_NO_WHERE ? p->to + 1 : p->goes_on ? p->from + 1 : 0;
}

static void begun(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[worm];

    net->drawn = goes_over(&own(net)->worms.worm[worm].state);
    swq_sender_begins(net, p->from);
    if (net->sent)
        net->sent[worm] = net->cycle;
    if (net->messages.each)
        net->messages.tag[worm] = net->passing;
    net->pieces.unfinished++;
    const uint32_t port = net->fabric->entry[p->from];
    const uint8_t level = net->fabric->in_level[port];
    own(net)->level[worm] = level;
    comes_to(net, worm, port, level, true);
}

static void show_header(const swq_async_net *net, uint32_t worm, uint32_t port, uint32_t out)
{
    const swq_parcel *p = &net->parcel[worm];
    const uint32_t ports = (uint32_t)net->ports;
    const swq_start start = {.cycle = net->cycle,
                             .from = p->from,
                             .to = p->to,
                             .birth = p->birth,
                             .bytes = p->bytes,
                             .switch_ = port / ports,
                             .input = port % ports,
                             .output = out % ports,
                             .packet_class = p->packet_class,
                             .over = goes_over(&own(net)->worms.worm[worm].state)};

    net->watch->started(net->watch->arg, &start);
}

SWQ_INLINE void pass(swq_async_net *net, uint32_t worm, uint32_t port, uint32_t out, uint32_t flits,
                     bool detailed)
{
    const swq_fabric *f = net->fabric;
    const uint32_t to = f->link[out];
    const uint8_t level = f->in_level[port];

    if (detailed && net->watch && net->watch->started)
        show_header(net, worm, port, out);
    swq_probe_sent(&net->system, f->out_level[out], flits);
    if (detailed && net->system.followed)
        swq_probe_goes(&net->system, port, net->cycle);
    swq_probe_link(&net->system, link_of(net, out), flits);
    if (to & SWQ_TO_NODE) { /* there until the packet is on its last link */
        own(net)->level[worm] = level;
        return;
    }
    goes_from(net, worm, level, detailed);
    comes_to(net, worm, to, f->in_level[to], detailed);
}

static __attribute__((noinline)) void pass_in_detail(swq_async_net *net, uint32_t worm,
                                                     uint32_t port, uint32_t out, uint32_t flits)
{
    pass(net, worm, port, out, flits, true);
}

/* A packet that nobody looks at only changes counts, and calls nothing: nothing is saved for that.
 */
static void passed(void *arg, uint32_t worm, uint32_t port, uint32_t out, uint32_t flits)
{
    swq_async_net *net = arg;

    if (net->watch || net->system.followed)
        pass_in_detail(net, worm, port, out, flits);
    else
        pass(net, worm, port, out, flits, false);
}

static void last(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    swq_parcel *p = &net->parcel[worm];
    uint8_t *level = &own(net)->level[worm];

    goes_from(net, worm, *level, true);
    *level = SWQ_NO_LEVEL;
    own(net)->last[worm] = net->cycle;
    p->entered = own(net)->worms.worm[worm].state.hops;
    deliver(net, p);
}

static void arrived(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    const swq_parcel *p = &net->parcel[worm];
    const uint32_t begin = own(net)->last[worm], end = net->cycle;

    swq_probe_held_up(&net->system, p->group, end - begin - p->bytes);
    if (net->messages.each)
        message_arrives(net, net->messages.tag[worm], begin, end, end, p);
    net->pieces.unfinished--;
}

static void done(void *arg, uint32_t worm)
{
    swq_async_net *net = arg;
    const swq_worms *w = &own(net)->worms;
    const swq_parcel *p = &net->parcel[worm];

    swq_sender_goes_on(net, p->from, swq_worms_link_free(w, p->from),
                       p->birth + swq_worms_link_time(w, p->from, p->bytes));
}

static void fetch(void *arg, uint32_t worm)
{
    const swq_async_net *net = arg;

    swq_fetch(&net->parcel[worm]);
    swq_fetch(&own(net)->worms.worm[worm]);
    swq_fetch(&own(net)->last[worm]);
}

static swq_worm_told told_of(swq_async_net *net)
{
    return (swq_worm_told){net, begun, passed, last, arrived, done, fetch, &net->streams};
}

/* ---- the kernel ---- */

static void look_at_units(swq_async_net *net)
{
    swq_worms *w = &own(net)->worms;
    const uint64_t before = w->stalled;

    swq_worms_cycle(w);
    swq_probe_paused(&net->system, w->stalled - before);
}

static bool is_open(swq_async_net *net, uint32_t port, int class)
{
    const swq_worms *w = &own(net)->worms;

    (void)class;
    return swq_worms_idle(w, w->input[port].sender & ~SWQ_TO_NODE);
}

/* A place by way of which a packet may go, as one of its nodes; SWQ_NO_WHERE: there is none. */
static uint32_t drawn_place(const swq_async_net *net, uint32_t sender, uint32_t to)
{
    const swq_fabric *f = net->fabric;
    const swq_words word = swq_stream_words(&net->streams, SWQ_STREAM_CHOICE, sender, net->cycle);

    if (!f->shape.kind->places)
        return swq_word_below(word.v[0], f->nodes);
    const uint32_t places = f->shape.kind->places(f, sender, to);
    return places ? f->shape.kind->place(f, sender, to, swq_word_below(word.v[0], places))
                  : SWQ_NO_WHERE;
}

/* A sender has a packet for its link, where it is sent once there is a lane. */
static void offer(swq_async_net *net, uint32_t sender, const swq_parcel *parcel)
{
    swq_worms *w = &own(net)->worms;
    uint32_t worm;

    const uint32_t by = w->plan.by_another ? drawn_place(net, sender, parcel->to) : SWQ_NO_WHERE;
    if (by != SWQ_NO_WHERE)
        worm = swq_worms_send_by(w, sender, by, parcel->to, parcel->bytes);
    else
        worm = swq_worms_send(w, sender, parcel->to, parcel->bytes);
    if (net->fabric->shape.drawn_ways)
        w->worm[worm].state.draw =
            swq_stream_words(&net->streams, SWQ_STREAM_TURN, sender, net->cycle).v[1];
    net->parcel[worm] = *parcel;
    net->sender[sender].link_free = SWQ_NEVER; /* until the node may be given another one */
}

/* ---- the row ---- */

static void lay_out(swq_async_net *net)
{
    wormhole_state *h = own(net);
    swq_worm_plan plan = swq_worm_plan_of(net->spec, net->fabric);

    plan.spare = net->system.options->threads > 1
                     ? (uint32_t)net->system.options->threads * SWQ_WORM_SPARE
                     : 0;
    swq_worms_lay_out(&h->worms, &plan);
    net->queues = 1;
    net->slots = (int)((h->worms.worms + net->inputs - 1) / net->inputs);
    net->system.store_room[0] = plan.pool ? plan.pool : plan.lanes * plan.lane_flits;
}

static void list(swq_async_net *net, swq_arrays *arrays)
{
    wormhole_state *h = own(net);

    swq_worms_list(&h->worms, arrays);
    SWQ_ARRAY(arrays, h->level, h->worms.worms);
    SWQ_ARRAY(arrays, h->last, h->worms.worms);
}

static void empty(swq_async_net *net)
{
    wormhole_state *h = own(net);
    const swq_worm_told told = told_of(net);

    swq_worms_empty(&h->worms, &told);
    memset(h->level, SWQ_NO_LEVEL, h->worms.worms);
}

static void audit(const swq_async_net *net, uint64_t *packets, uint64_t *age, uint64_t *bytes)
{
    const wormhole_state *h = own(net);

    for (uint32_t k = 0; k < h->worms.worms; k++) {
        if (h->level[k] != SWQ_NO_LEVEL)
            swq_packet_audit(net, k, packets, age, bytes);
    }
}

static bool conserved(const swq_async_net *net)
{
    bool sound;

    (void)swq_worms_audit(&own(net)->worms, &sound);
    return sound;
}

static void keep(swq_async_net *net, swq_state *state)
{
    swq_worms *w = &own(net)->worms;
    swq_worm_notes *n = &w->notes;

    swq_state_add(state, &w->cycle, sizeof w->cycle);
    swq_state_add(state, &w->free_worm, sizeof w->free_worm);
    swq_state_add(state, &w->inside, sizeof w->inside);
    swq_state_add(state, &w->stalled, sizeof w->stalled);
    swq_state_add(state, &w->front_count, sizeof w->front_count);
    swq_state_add(state, &n->requests, sizeof n->requests);
    swq_state_add(state, n->wanted, sizeof n->wanted);
    swq_state_add(state, n->rivals, sizeof n->rivals);
    swq_state_add(state, &n->given_count, sizeof n->given_count);
}

static uint32_t lanes_of(const swq_async_net *net)
{
    return own(net)->worms.lanes;
}

static uint32_t held_in(const swq_async_net *net, uint32_t store, uint32_t lane)
{
    return swq_worms_held_in(&own(net)->worms, store, lane);
}

static uint32_t held(const swq_async_net *net, uint32_t store)
{
    return swq_worms_held(&own(net)->worms, store);
}

/* The class of the packet in front of a lane. */
static int class_of(const swq_async_net *net, uint32_t lane)
{
    const swq_worms *w = &own(net)->worms;
    const swq_packet_state *p = &w->worm[w->lane[lane].worm].state;

    if (net->fabric->shape.drawn_ways ||
        swq_shape_chooses(&net->fabric->shape)) /* whose classes are outputs */
        return w->lane[lane].out - w->input[lane >> w->shift].first;
    return net->fabric->shape.kind->route(net->fabric, lane >> w->shift, p->from, p->to);
}

static bool deadlocked(swq_async_net *net)
{
    swq_worms *w = &own(net)->worms;
    swq_worm_wait wait[SWQ_MAX_WAITING];

    if (!swq_worms_stuck(w, wait, SWQ_MAX_WAITING, &net->waiting_count))
        return false;
    for (int k = 0; k < net->waiting_count && k < SWQ_MAX_WAITING; k++)
        net->waiting[k] = (swq_waiting){wait[k].lane >> w->shift, class_of(net, wait[k].lane),
                                        wait[k].next >> w->shift, class_of(net, wait[k].next)};
    return true;
}

static const swq_kernel kernel = {.look_at_units = look_at_units,
                                  .open = is_open,
                                  .offer = offer,
                                  .shared = &kernel,
                                  .deadlocked = deadlocked};

/* ---- several threads ---- */

/* Is there nothing to observe or to count that only one thread could, and does no packet look at
 * switches of other shares? */
static bool divisible(const swq_async_net *net)
{
    const swq_async *n = net->spec;
    const swq_detail *detail = net->system.options->detail;

    return !n->general && !n->sender.row && !swq_messages_are_followed(n) &&
           !swq_shape_adaptive(&n->shape) && !own(net)->worms.looks_round &&
           !net->spec->shape.late_credits &&
           !(detail && (detail->node || detail->link || detail->measures));
}

static double share_bytes(const swq_async_net *net)
{
    return swq_worms_share_bytes(&own(net)->worms);
}

static swq_status make_share(swq_context *ctx, swq_async_net *whole, swq_async_net *share)
{
    const swq_worm_told told = told_of(share);
    const uint32_t switches = share->share.inputs / (uint32_t)share->ports;
    wormhole_state *h = own(share);

    h->level = own(whole)->level;
    h->last = own(whole)->last;
    return swq_worms_share(ctx, &own(whole)->worms, &own(whole)->team, share->share.first_switch,
                           switches, &told, &h->worms);
}

static void free_share(swq_context *ctx, swq_async_net *share)
{
    swq_worms_unshare(ctx, &own(share)->worms);
}

static const swq_store_hooks lanes = {
    .kernel = &kernel,
    .state = sizeof(wormhole_state),
    .check = swq_worms_check,
    .lay_out = lay_out,
    .list = list,
    .empty = empty,
    .keep = keep,
    .lanes = lanes_of,
    .held_in = held_in,
    .audit = audit,
    .conserved = conserved,
    .held = held,
    .may_deadlock = swq_worms_may_deadlock,
    .circle = swq_worms_circle,
    .divisible = divisible,
    .least_switches = 64,
    .share_bytes = share_bytes,
    .share = make_share,
    .unshare = free_share,
    .by_flit = true,
};

const swq_architecture swq_wormhole_lanes = {
    .name = "wormhole",
    .summary = "wormhole routing over lanes (virtual channels) with a buffer each; packets move "
               "flit by flit and may lie in several switches",
    .source = "Dally (1992)",
    .engines = SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_BYTES),
    .async = {.place = "input queues, several buffers an input: one for each lane of the link",
              .crosspoints_cost = "k^2 f",
              .arbitration = "lanes in turns; the crossbar by one iteration of iSLIP",
              .stores = &lanes,
              .lanes = true},
};
