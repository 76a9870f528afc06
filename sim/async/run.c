/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asynchronous networks on the engine-independent way of running and measuring, and many of them.
 */
#include "sim/measure/run.h"
#include "base/context.h"
#include "sim/frame/acks.h"
#include "sim/frame/schemes.h"
#include "sim/measure/measures.h"
#include "sim/measure/pile.h"
#include "sim/switches/saqs/counts.h"
#include "switchq/detail.h"

#include <math.h>
#include <string.h>

typedef struct {
    const swq_async *spec;
    const swq_fabric *fabric;
    swq_async_watch *watch;
    swq_async_result *result;
    bool lost;           /* bytes of pieces, or flits in stores of an architecture, do not add up */
    uint64_t samples;    /* of the use of chunks */
    uint64_t lost_bytes; /* of packets that found no room at an interface */
} async_job;

static swq_status make(swq_context *ctx, void *arg, const swq_sim_options *options,
                       uint32_t replication, swq_system **system)
{
    async_job *j = arg;
    swq_async_net *net;

    swq_status status = swq_async_net_new(ctx, j->spec, options, j->fabric, replication, &net);
    if (status)
        return status;
    status = replication == 0 ? swq_watch_new(ctx, net, j->watch) : SWQ_OK;
    if (status) {
        net->system.release(ctx, &net->system);
        return status;
    }
    *system = &net->system;
    return SWQ_OK;
}

static void read_deadlock(const swq_async_net *net, swq_async_result *result)
{
    if (!net->system.stuck || result->waiting_count)
        return;
    result->waiting_count = net->waiting_count;
    memcpy(result->waiting, net->waiting, sizeof result->waiting);
}

static void read_refusals(const swq_async_net *net, swq_async_result *result)
{
    if (!net->acks)
        return;
    result->refusals += net->acks->refusals;
    if (net->acks->most.times > result->most_refused.times)
        result->most_refused = net->acks->most;
}

static void read_starved(const swq_async_net *net, swq_async_result *result)
{
    uint32_t first;
    const uint32_t starved = swq_scheme_starved(net, &first);

    if (starved <= result->starved)
        return;
    result->starved = starved;
    result->first_starved = first;
}

/* Adds a replication's counts at a port; the sums become means over `replications`. */
static void add_saqs(const swq_async_net *net, const swq_saq_port *p, int replications,
                     double *mean, uint32_t *most)
{
    const double cycles = (double)(net->cycle - net->stores->saq_counts(net)->begun);
    const double now = (double)p->in_use * (double)(net->cycle - p->since);

    *mean = (isnan(*mean) ? 0 : *mean) + ((double)p->area + now) / cycles / replications;
    *most = p->most > *most ? p->most : *most;
}

/* Set-aside queues at both ends of each link, if details of links are asked for. */
static void read_link_saqs(const swq_async_net *net, int replications)
{
    const swq_detail *d = net->system.options->detail;
    const swq_fabric *f = net->fabric;

    if (!d || !d->link || !net->stores || !net->stores->saq_counts)
        return;
    const swq_saq_counts *c = net->stores->saq_counts(net);
    for (size_t k = 0; k < d->links && net->cycle > c->begun; k++) {
        const uint32_t port = k < f->nodes ? f->entry[k] : f->link[k - f->nodes];
        swq_link_detail *link = &d->link[k];
        if (!(port & SWQ_TO_NODE)) /* SWQ_NO_WHERE has this bit set, too */
            add_saqs(net, &c->port[port], replications, &link->saqs, &link->saqs_most);
        if (k >= f->nodes && port != SWQ_NO_WHERE && net->output_stores)
            add_saqs(net, &c->port[net->inputs + (uint32_t)(k - f->nodes)], replications,
                     &link->saqs_before, &link->saqs_before_most);
    }
}

/* Messages of a trace that were not created by the end of the first replication, which all others
 * repeat. */
static uint64_t messages_left(const swq_replication *replication)
{
    const swq_async_net *net = (const swq_async_net *)replication->system;
    uint64_t left = net->spec->traffic.trace_messages;

    for (uint32_t i = 0; i < net->fabric->nodes; i++)
        left -= net->sender[i].later;
    return left;
}

static swq_status read(swq_context *ctx, void *arg, const swq_replication *replication,
                       int replications, const swq_sim_result *sim)
{
    async_job *j = arg;

    (void)ctx;
    (void)sim;
    j->result->messages_left = j->spec->traffic.trace ? messages_left(replication) : 0;
    for (int k = 0; k < replications; k++) {
        swq_async_net *net = (swq_async_net *)replication[k].system;
        uint64_t packets, age, bytes;
        swq_async_audit(net, &packets, &age, &bytes);
        j->result->bytes_created += net->system.bytes_created;
        j->result->bytes_delivered += net->system.bytes_delivered;
        j->result->bytes_in_flight += bytes;
        j->result->notices += net->managed.sent;
        j->lost = j->lost || !swq_pieces_conserved(net) ||
                  (net->stores && net->stores->conserved && !net->stores->conserved(net));
        j->lost_bytes += net->system.bytes_lost;
        if (net->stores && net->stores->tell_saqs)
            net->stores->tell_saqs(net, &j->result->saqs);
        if (net->stores && net->stores->tell)
            net->stores->tell(net, &j->result->chunks, &j->samples);
        read_link_saqs(net, replications);
        read_refusals(net, j->result);
        read_starved(net, j->result);
        read_deadlock(net, j->result);
        if (net->watch)
            swq_watch_finish(net);
    }
    return SWQ_OK;
}

/* Turns sums over samples into means, if there are any. */
static void average(swq_chunk_use *use, uint64_t samples)
{
    const double n = (double)samples;

    if (samples == 0) {
        *use = (swq_chunk_use){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        return;
    }
    use->taken /= n;
    use->partly /= n;
    use->unfilled /= n;
}

/* The mean over the links between switches, which carry the traffic of the dimensions; the last
 * stage of a multistage network leads to nodes. */
static double bisection(const swq_fabric *f, const swq_sim_result *r)
{
    double bytes = 0, links = 0;

    for (int k = 0; k < f->levels - 1; k++) {
        bytes += r->stage[k].sent.mean * f->level_outputs[k];
        links += f->level_outputs[k];
    }
    return links > 0 ? bytes / links : NAN;
}

/* A single group is not counted separately, so it gets the totals. */
static void the_only_group(swq_sim_result *r)
{
    r->by_group[0] = r->all;
    for (size_t k = 0; r->series && k < r->series->windows; k++)
        r->series->window[k].by_group[0] = r->series->window[k].all;
}

/* Measures of messages need that these are followed, if they do not consist of several packets and
 * are followed anyway. */
static swq_async followed(const swq_async *network, const swq_sim_options *options)
{
    swq_async spec = *network;

    spec.traffic.told = spec.traffic.told || (swq_measures_messages(options->detail) &&
                                              !swq_messages_are_several(network));
    return spec;
}

swq_status swq_async_run(swq_context *ctx, const swq_async *asked, const swq_sim_options *options,
                         swq_async_watch *watch, swq_async_result *result)
{
    uint32_t nodes;
    swq_fabric fabric;
    swq_status status = swq_async_check(ctx, asked, &nodes);
    if (status)
        return status;
    const swq_async spec = followed(asked, options), *network = &spec;
    status = swq_run_check(ctx, options, nodes);
    if (!status && options->group)
        status = swq_fail(ctx, SWQ_EINVAL, "groups of an asynchronous network are its senders'");
    if (!status && options->started)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "starts of an asynchronous network are told to its swq_async_watch");
    if (!status && options->ended)
        status = swq_fail(ctx, SWQ_EINVAL,
                          "ends of packets are told by synchronous networks, not by asynchronous "
                          "ones");
    if (!status && watch && watch->ended && !swq_pieces_asked(network))
        status = swq_fail(ctx, SWQ_EINVAL, "ends are reported only for packets in pieces");
    if (!status && watch && watch->message && !network->traffic.told)
        status = swq_fail(ctx, SWQ_EINVAL, "ends of messages are told if traffic.told is set");
    if (!status)
        status = swq_fabric_make(ctx, &network->shape, &fabric);
    if (status)
        return status;

    swq_async_result all;
    memset(&all, 0, sizeof all);
    async_job j = {network, &fabric, watch, &all, false, 0, 0};
    swq_sim_options own = *options;
    if (watch && own.threads > own.replications) /* one thread reports everything in order */
        own.threads = own.replications;
    swq_engine engine = {.arg = &j, .make = make, .read = read};
    status = swq_async_net_bytes(ctx, network, &own, &fabric, &engine.bytes);
    engine.bytes += swq_fabric_bytes(&fabric) / options->replications;
    if (!status)
        status = swq_run(ctx, &engine, &own, &all.sim);
    if (!status) {
        all.sim.conserved =
            all.sim.conserved &&
            all.bytes_created == all.bytes_delivered + all.bytes_in_flight + j.lost_bytes &&
            !j.lost;
        all.bytes_lost = j.lost_bytes;
        all.saqs.out_of_order = all.sim.all.out_of_order;
        all.bisection = bisection(&fabric, &all.sim);
        average(&all.chunks, j.samples);
        if (network->traffic.groups == 1 && network->traffic.group[0].mask == 0)
            the_only_group(&all.sim);
        if (all.sim.stopped_by == SWQ_STOP_DEADLOCK && all.waiting_count == 0 &&
            all.most_refused.times >= SWQ_LIVELOCK)
            all.sim.stopped_by = SWQ_STOP_LIVELOCK;
        *result = all;
    }
    swq_fabric_clear(ctx, &fabric);
    return status;
}

double swq_async_run_bytes(swq_context *ctx, const swq_async *spec, const swq_sim_options *options)
{
    swq_fabric fabric;
    uint32_t nodes;
    double bytes = 0;

    if (swq_async_check(ctx, spec, &nodes) || swq_fabric_make(ctx, &spec->shape, &fabric))
        return 0;
    if (!swq_async_net_bytes(ctx, spec, options, &fabric, &bytes))
        bytes = options->replications * bytes + swq_fabric_bytes(&fabric);
    swq_fabric_clear(ctx, &fabric);
    return bytes;
}

/* ---- many ---- */

static swq_status run_point(swq_context *ctx, void *arg, int task)
{
    swq_async_point *p = (swq_async_point *)arg + task;

    p->options.threads = 1;
    return swq_async_run(ctx, &p->network, &p->options, NULL, &p->result);
}

static swq_status *status_of(void *arg, int task)
{
    return &((swq_async_point *)arg)[task].status;
}

static double bytes_of(swq_context *ctx, void *arg, int task)
{
    const swq_async_point *p = (swq_async_point *)arg + task;

    return swq_async_run_bytes(ctx, &p->network, &p->options);
}

swq_status swq_async_points(swq_context *ctx, swq_async_point *point, int points, int threads)
{
    const swq_pile pile = {
        .arg = point, .tasks = points, .run = run_point, .status = status_of, .bytes = bytes_of};

    return swq_pile_run(ctx, &pile, threads);
}
