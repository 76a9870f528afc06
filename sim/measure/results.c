/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Means are ratios of sums over batches, of all replications together; their intervals come from
 * the batches' scatter.
 * Room: sim. Includes base.
 */
#include "sim/measure/results.h"
#include "switchq/detail.h"

#include "base/context.h"
#include "base/probability.h"
#include "base/statistics.h"
#include "sim/measure/collector.h"

#include <math.h>
#include <string.h>

const double swq_percentile_levels[SWQ_PERCENTILES] = {0.5, 0.9, 0.99, 0.999};

/* A sum of counters, times a factor: what stands above or below in a ratio. */
typedef struct {
    int first, step, count; /* counters first, first + step, ... */
    int beside, also;       /* > 0: and with each the counter so many behind it */
    double factor;
    bool cycles; /* instead of counters: the batch's cycles */
} sum_of;

static double sum_in_batch(const swq_replication *r, size_t b, const sum_of *what)
{
    double sum = 0;

    if (what->cycles)
        return (double)r->length[b] * what->factor;
    for (int k = 0; k < what->count; k++) {
        const uint64_t *counter =
            &r->batch[b * r->counters + (size_t)(what->first + k * what->step)];
        sum += (double)(counter[0] + (what->beside ? counter[what->beside] : 0) +
                        (what->also ? counter[what->also] : 0));
    }
    return sum * what->factor;
}

static void fill(const swq_collector *c, const sum_of *what, double *array)
{
    size_t at = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        size_t groups = swq_taken_together(c, r);
        for (size_t g = 0; g < groups; g++, at++) {
            size_t end = swq_taken_end(c, r, g, groups);
            array[at] = 0;
            for (size_t b = g * c->merge; b < end; b++)
                array[at] += sum_in_batch(r, b, what);
        }
    }
}

static swq_estimate ratio(const swq_collector *c, sum_of above, sum_of below)
{
    swq_estimate e;

    fill(c, &above, c->above);
    fill(c, &below, c->below);
    swq_ratio_interval(c->above, c->below, c->batches, c->options->confidence, &e.mean,
                       &e.half_width);
    return e;
}

static sum_of per_cycle(double units)
{
    return (sum_of){.cycles = true, .factor = units};
}

static sum_of counter(int which)
{
    return (sum_of){.first = which, .step = 1, .count = 1, .factor = 1};
}

/* A counter of cells first, first + step, ... */
static sum_of in_cells(const swq_system *system, int which, int first, int step, int count)
{
    return (sum_of){.first = swq_tally_cell(system->levels, first) + which,
                    .step = step * SWQ_CELL_COUNTERS,
                    .count = count,
                    .factor = 1};
}

static uint64_t total(const swq_collector *c, sum_of what)
{
    uint64_t sum = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        const uint64_t *tally = c->windows ? r->batch : r->system->tally;
        for (int n = 0; n < what.count && (!c->windows || r->batches > 0); n++)
            sum += tally[what.first + n * what.step];
    }
    return sum;
}

/* Fractions of events: what they are out of, and how many of them may come together when none was
 * seen that would tell. A packet that is refused is offered again, and a buffer that is blocked is
 * so in the next cycle, too. */
typedef struct {
    sum_of events, trials, counted; /* trials by which none was seen, if these are others */
    int together;
} events_of;

/* A fraction, and its bound if the events were rare. */
static swq_estimate fraction(const swq_collector *c, const events_of *what, double *below)
{
    const double confidence = c->options->confidence;
    const double count = (double)total(c, what->events), all = (double)total(c, what->counted);
    const swq_estimate e = ratio(c, what->events, what->trials);
    const double known =
        swq_independent_events(e.mean, e.half_width, c->batches, confidence, count);

    if (isnan(e.mean) || all == 0 || known >= SWQ_RARE_EVENTS)
        *below = NAN;
    else if (count == 0)
        *below = fmin(1, -expm1(log1p(-confidence) / all) * what->together);
    else
        *below = fmin(1, e.mean / known * swq_poisson_above(known, (1 + confidence) / 2));
    return e;
}

/* Variance, percentiles and maximum from the histograms of those cells. */
static void from_histogram(const swq_collector *c, int first, int step, int count, uint64_t *sum,
                           swq_flow_result *f)
{
    double n = 0, mean = 0, spread = 0;

    memset(sum, 0, sizeof *sum * SWQ_HISTOGRAM_BINS);
    for (int k = 0; k < c->options->replications; k++) {
        for (int cell = 0; cell < count; cell++) {
            const uint64_t *h = c->replication[k].system->histogram +
                                (size_t)(first + cell * step) * SWQ_HISTOGRAM_BINS;
            for (size_t b = 0; b < SWQ_HISTOGRAM_BINS; b++)
                sum[b] += h[b];
        }
    }
    f->max = NAN;
    for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++) {
        if (!sum[b])
            continue;
        double value = swq_histogram_value(b), weight = (double)sum[b], off = value - mean;
        n += weight;
        mean += off * weight / n;
        spread += off * (value - mean) * weight;
        f->max = value;
    }
    f->variance = n > 1 ? spread / (n - 1) : NAN;
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->percentile[p] =
            swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, swq_percentile_levels[p]);
}

/* Of messages of several packets. */
static void collect_messages(const swq_collector *c, int first, int step, int count,
                             swq_flow_result *f)
{
    const swq_system *system = c->replication->system;
    const sum_of messages = in_cells(system, SWQ_CELL_MESSAGES, first, step, count);

    if (!system->follows)
        return;
    f->messages = (double)total(c, messages);
    f->message_head =
        ratio(c, in_cells(system, SWQ_CELL_MESSAGE_HEADS, first, step, count), messages);
    f->message_tail =
        ratio(c, in_cells(system, SWQ_CELL_MESSAGE_TAILS, first, step, count), messages);
}

/* The stream of packets in cells first, first + step, ...; nodes: of the group. Everything but what
 * histograms tell. */
static void collect_rates(const swq_collector *c, int first, int step, int count, double nodes,
                          swq_flow_result *f)
{
    const swq_system *system = c->replication->system;
    sum_of delivered = in_cells(system, SWQ_CELL_DELIVERED, first, step, count);
    sum_of discarded = in_cells(system, SWQ_CELL_DISCARDED, first, step, count);

    f->created = total(c, in_cells(system, SWQ_CELL_CREATED, first, step, count));
    f->delivered = total(c, delivered);
    f->discarded = total(c, discarded);
    f->throughput =
        ratio(c, in_cells(system, system->amount, first, step, count), per_cycle(nodes));
    f->latency = ratio(c, in_cells(system, SWQ_CELL_LATENCY, first, step, count), delivered);
    f->bytes = NAN;
    f->out_of_order = 0;
    f->hops = f->tail_latency = f->out_of_order_fraction = (swq_estimate){NAN, NAN};
    f->messages = NAN;
    f->message_head = f->message_tail = (swq_estimate){NAN, NAN};
    if (system->amount == SWQ_CELL_BYTES) {
        /* a link carries a byte a cycle, so the last of them comes so many cycles later, and as
         * many more as the packet paused */
        sum_of tail = in_cells(system, SWQ_CELL_LATENCY, first, step, count);
        tail.beside = SWQ_CELL_BYTES - SWQ_CELL_LATENCY;
        tail.also = SWQ_CELL_HELD_UP - SWQ_CELL_LATENCY;
        f->tail_latency = ratio(c, tail, delivered);
        f->bytes = (double)total(c, in_cells(system, SWQ_CELL_BYTES, first, step, count));
        f->hops = ratio(c, in_cells(system, SWQ_CELL_HOPS, first, step, count), delivered);
        collect_messages(c, first, step, count, f);
    }
    if (system->ordered) {
        const sum_of late = in_cells(system, SWQ_CELL_OUT_OF_ORDER, first, step, count);
        f->out_of_order = total(c, late);
        f->out_of_order_fraction = ratio(c, late, delivered);
    }
    f->discard_fraction =
        fraction(c,
                 &(events_of){discarded, in_cells(system, SWQ_CELL_OFFERED, first, step, count),
                              in_cells(system, SWQ_CELL_CREATED, first, step, count), 1},
                 &f->discard_below);
    f->variance = f->max = NAN;
    f->in_flight = (swq_estimate){NAN, NAN};
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->percentile[p] = NAN;
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->node_percentile[p] = (swq_estimate){NAN, NAN};
    f->node_max = (swq_estimate){NAN, NAN};
}

static void collect_flow(const swq_collector *c, int first, int step, int count, double nodes,
                         uint64_t *work, swq_flow_result *f)
{
    collect_rates(c, first, step, count, nodes, f);
    from_histogram(c, first, step, count, work, f);
}

static void collect_stages(const swq_collector *c, swq_stage_result *result)
{
    const swq_system *system = c->replication->system;

    for (int s = 0; s < system->levels; s++) {
        int at = swq_tally_stage(s);
        swq_stage_result *stage = &result[s];
        stage->occupancy =
            ratio(c, counter(at + SWQ_STAGE_OCCUPANCY), per_cycle(system->level_switches[s]));
        stage->sent = ratio(c, counter(at + SWQ_STAGE_SENT), per_cycle(system->level_outputs[s]));
        const sum_of busy = counter(at + SWQ_STAGE_BUSY), came = counter(at + SWQ_STAGE_ARRIVED);
        stage->blocked = fraction(c, &(events_of){counter(at + SWQ_STAGE_BLOCKED), busy, busy, 2},
                                  &stage->blocked_below);
        stage->discarded = fraction(c, &(events_of){counter(at + SWQ_STAGE_DROPPED), came, came, 1},
                                    &stage->discarded_below);
    }
}

static swq_estimate source_queue(const swq_collector *c)
{
    return ratio(c, counter(SWQ_NET_WAITING), per_cycle(c->replication->system->nodes));
}

static swq_estimate saqs_in_use(const swq_collector *c)
{
    if (!c->replication->system->set_aside)
        return (swq_estimate){NAN, NAN};
    return ratio(c, counter(SWQ_NET_SAQS), per_cycle(1));
}

static void collect_sources(const swq_collector *c, swq_sim_result *result)
{
    result->source_queue = source_queue(c);
    result->saqs = saqs_in_use(c);
    const sum_of offers = counter(SWQ_NET_OFFERS);
    result->refusal = fraction(c, &(events_of){counter(SWQ_NET_REFUSED), offers, offers, 2},
                               &result->refusal_below);
    result->offers = total(c, offers);
}

/* Means over nodes of those classes; the nodes are taken to be independent for the intervals. */
static swq_status collect_nodes(swq_context *ctx, const swq_collector *c, int first_class,
                                int classes, uint64_t *work, swq_flow_result *f)
{
    uint32_t nodes = c->replication->system->nodes, seen = 0;
    double *value = swq_calloc(ctx, nodes, (SWQ_PERCENTILES + 1) * sizeof *value);
    if (!value)
        return swq_memory_status(ctx);
    for (uint32_t i = 0; i < nodes; i++) {
        double *v = value + seen, any = 0;
        memset(work, 0, sizeof *work * SWQ_NODE_BINS);
        for (int k = 0; k < c->options->replications * classes; k++) {
            const swq_system *system = c->replication[k / classes].system;
            const uint32_t *h =
                system->node_count + swq_node_count_at(system, first_class + k % classes, i);
            for (int b = 0; b < SWQ_NODE_BINS; b++) {
                work[b] += h[b];
                any = h[b] ? fmax(any, b) : any;
            }
        }
        if (any == 0)
            continue;
        for (int p = 0; p < SWQ_PERCENTILES; p++)
            v[(size_t)p * nodes] =
                swq_histogram_percentile(work, SWQ_NODE_BINS, swq_percentile_levels[p]);
        v[(size_t)SWQ_PERCENTILES * nodes] = any;
        seen++;
    }
    for (int p = 0; p <= SWQ_PERCENTILES; p++) {
        swq_estimate *e = p < SWQ_PERCENTILES ? &f->node_percentile[p] : &f->node_max;
        swq_ratio_interval(value + (size_t)p * nodes, NULL, seen, c->options->confidence, &e->mean,
                           &e->half_width);
    }
    swq_free(ctx, value);
    return SWQ_OK;
}

static void collect_invariants(const swq_collector *c, swq_sim_result *result)
{
    result->conserved = result->little_exact = true;
    for (int k = 0; k < c->options->replications; k++) {
        const swq_system *system = c->replication[k].system;
        uint64_t packets, age;
        system->audit(system, &packets, &age);
        result->total_created += system->created;
        result->total_delivered += system->delivered;
        result->total_discarded += system->discarded;
        result->total_in_flight += packets;
        result->conserved =
            result->conserved && system->created == system->delivered + system->discarded + packets;
        result->little_exact = result->little_exact && system->area == system->sojourn + age;
        result->packet_hops += system->hops - c->replication[k].hops_before;
        result->cycles =
            c->replication[k].cycles > result->cycles ? c->replication[k].cycles : result->cycles;
        result->warmup =
            c->replication[k].warmup > result->warmup ? c->replication[k].warmup : result->warmup;
        result->stationary = result->stationary && c->replication[k].stationary;
    }
    uint64_t population = total(c, counter(SWQ_NET_POPULATION));
    uint64_t latency = total(
        c, in_cells(c->replication->system, SWQ_CELL_LATENCY, 0, 1, c->replication->system->cells));
    result->little = population ? (double)latency / (double)population - 1 : NAN;
}

/* ---- is it plausible? ---- */

/* What was in the network when measuring began may be discarded afterwards, so that a short run may
 * discard more than it is offered. */
static swq_status check_flow(swq_context *ctx, const swq_sim_result *r, const swq_flow_result *f)
{
    const double before = (double)(r->total_created - r->all.created);
    const double offered = (double)f->discarded / f->discard_fraction.mean;

    return f->discarded ? swq_probability_check(ctx, "fraction of packets discarded",
                                                f->discard_fraction.mean, before / offered)
                        : SWQ_OK;
}

/* Bytes are counted when a packet has arrived, or begins to be sent; packets take a cycle. */
static swq_status check_packets(swq_context *ctx, const swq_system *system, const swq_sim_result *r)
{
    if (system->amount != SWQ_CELL_DELIVERED)
        return SWQ_OK;
    swq_status status =
        swq_probability_check(ctx, "throughput of a node", r->all.throughput.mean, 0);
    for (int s = 0; s < r->stages && !status; s++)
        status = swq_probability_check(ctx, "load of a stage's outputs", r->stage[s].sent.mean, 0);
    return status;
}

static swq_status check_results(swq_context *ctx, const swq_system *system, const swq_sim_result *r)
{
    swq_status status = check_packets(ctx, system, r);

    if (!status)
        status = check_flow(ctx, r, &r->all);
    for (int k = 0; k < SWQ_CLASSES && system->classes > 1 && !status; k++)
        status = check_flow(ctx, r, &r->by_class[k]);
    for (int g = 0; g < r->groups && system->group && !status; g++)
        status = check_flow(ctx, r, &r->by_group[g]);
    if (!status)
        status = swq_probability_check(ctx, "fraction of offers refused", r->refusal.mean, 0);
    for (int s = 0; s < r->stages && !status; s++) {
        status =
            swq_probability_check(ctx, "fraction blocked at a stage", r->stage[s].blocked.mean, 0);
        if (!status)
            status = swq_probability_check(ctx, "fraction discarded at a stage",
                                           r->stage[s].discarded.mean, 0);
    }
    return status;
}

/* ---- past saturation ---- */

/* One-sided, so that one run in a thousand is taken to be past saturation where none is. */
static const double beyond_confidence = 0.998;

/* Below saturation it is 0.04 to 0.17, more the fewer slots a queue has to itself. */
#define HELD_MOST 0.2

static sum_of times(double factor, sum_of what)
{
    what.factor *= factor;
    return what;
}

/* c->above, the sum of all parts batch by batch: is it above zero? */
static bool exceeds(const swq_collector *c, const sum_of *part, size_t parts)
{
    double mean, half;

    memset(c->above, 0, c->batches * sizeof *c->above);
    for (size_t k = 0; k < parts; k++) {
        fill(c, &part[k], c->below);
        for (size_t b = 0; b < c->batches; b++)
            c->above[b] += c->below[b];
    }
    swq_ratio_interval(c->above, NULL, c->batches, beyond_confidence, &mean, &half);
    return mean > half;
}

/* Do sources hold packets back for more than a fifth of the time, which is the fraction by which
 * throughput falls behind the load; or for longer than they pause, which is what neither sending
 * nor waiting leaves of the time, so that an open source would never catch up? */
static bool held(const swq_collector *c)
{
    const swq_system *s = c->replication->system;
    const sum_of fifth[] = {
        counter(SWQ_NET_WAITING),
        per_cycle(-HELD_MOST * s->sources),
    };
    const sum_of pause[] = {
        times(2, counter(SWQ_NET_WAITING)),
        in_cells(s, s->amount, 0, 1, s->cells),
        times(s->rest, in_cells(s, SWQ_CELL_DELIVERED, 0, 1, s->cells)),
        per_cycle(-s->sources),
    };

    return exceeds(c, fifth, sizeof fifth / sizeof *fifth) ||
           exceeds(c, pause, sizeof pause / sizeof *pause);
}

/* Do more packets come than leave? While the network is settled the differences of batches cancel,
 * but scatter all the same: then the interval is far too wide, and there are no false alarms. */
static bool grows(const swq_collector *c)
{
    const swq_system *s = c->replication->system;
    sum_of back = {.first = swq_tally_stage(0) + SWQ_STAGE_DROPPED,
                   .step = SWQ_STAGE_COUNTERS,
                   .count = s->levels,
                   .factor = s->resends};
    const sum_of parts[] = {
        in_cells(s, SWQ_CELL_CREATED, 0, 1, s->cells),
        times(-1, in_cells(s, SWQ_CELL_DELIVERED, 0, 1, s->cells)),
        times(-1, in_cells(s, SWQ_CELL_DISCARDED, 0, 1, s->cells)),
        back,
    };

    return exceeds(c, parts, sizeof parts / sizeof *parts);
}

static swq_beyond beyond_saturation(const swq_collector *c)
{
    const swq_system *s = c->replication->system;

    if (s->sources == 0)
        return SWQ_BEYOND_NOT;
    return s->holds && held(c) ? SWQ_BEYOND_HELD : grows(c) ? SWQ_BEYOND_GROWING : SWQ_BEYOND_NOT;
}

/* ---- batches ---- */

static double correlation_of(const swq_collector *c, bool *significant)
{
    const swq_system *system = c->replication->system;
    sum_of latency = in_cells(system, SWQ_CELL_LATENCY, 0, 1, system->cells);
    sum_of delivered = in_cells(system, SWQ_CELL_DELIVERED, 0, 1, system->cells);

    fill(c, &latency, c->above);
    fill(c, &delivered, c->below);
    return swq_batch_correlation(c->above, c->below, c->batches, significant);
}

/* Where groups are told apart some are congested, and what the others get changes more slowly than
 * what it costs them. */
static bool throughput_correlated(const swq_collector *c)
{
    const swq_system *system = c->replication->system;
    sum_of amount = in_cells(system, system->amount, 0, 1, system->cells);
    sum_of cycles = per_cycle(1);
    bool significant;

    if (system->cells == 1 || system->classes > 1)
        return false;
    fill(c, &amount, c->above);
    fill(c, &cycles, c->below);
    swq_batch_correlation(c->above, c->below, c->batches, &significant);
    return significant;
}

/* Take batches together until their correlation is no longer significant. */
static void merge_while_correlated(swq_collector *c, double *correlation, bool *correlated)
{
    size_t least = (size_t)c->options->replications * SWQ_BATCHES / 4;

    if (c->replication->system->changing) { /* each replication is a sample, and no part of it */
        c->merge = SWQ_MOST_BATCHES + 1;
        c->batches = 0;
        for (int k = 0; k < c->options->replications; k++)
            c->batches += swq_taken_together(c, &c->replication[k]);
        *correlation = NAN;
        *correlated = false;
        return;
    }
    for (c->merge = 1;; c->merge *= 2) {
        c->batches = 0;
        for (int k = 0; k < c->options->replications; k++)
            c->batches += swq_taken_together(c, &c->replication[k]);
        *correlation = correlation_of(c, correlated);
        *correlated = throughput_correlated(c) || *correlated;
        if (!*correlated || c->batches / 2 < least)
            return;
    }
}

static swq_collector collector_of(const swq_replication *replication,
                                  const swq_sim_options *options, double *space)
{
    return (swq_collector){.replication = replication,
                           .options = options,
                           .above = space,
                           .below = space + (size_t)options->replications * SWQ_MOST_BATCHES};
}

static double nodes_in_group(const swq_system *system, int group)
{
    double nodes = system->group_nodes[group];

    for (uint32_t i = 0; i < system->nodes && !system->changing; i++)
        nodes += system->group[i] == group;
    return nodes;
}

static void drop_interval(swq_estimate *e)
{
    e->half_width = NAN;
}

static void drop_of_flow(swq_flow_result *f)
{
    swq_estimate *const all[] = {&f->throughput,       &f->latency,      &f->tail_latency,
                                 &f->message_head,     &f->message_tail, &f->hops,
                                 &f->discard_fraction, &f->in_flight,    &f->out_of_order_fraction};

    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        drop_interval(all[k]);
}

/* One replication tells nothing of how far another would be off. groups: NULL, or of as many. */
static void drop_intervals(const swq_system *system, swq_flow_result *all, swq_flow_result *classes,
                           swq_flow_result *groups, swq_stage_result *stage)
{
    drop_of_flow(all);
    for (int k = 0; k < SWQ_CLASSES; k++)
        drop_of_flow(&classes[k]);
    for (int g = 0; g < system->groups && system->group; g++)
        drop_of_flow(&groups[g]);
    for (int s = 0; s < system->levels; s++) {
        drop_interval(&stage[s].occupancy);
        drop_interval(&stage[s].sent);
        drop_interval(&stage[s].blocked);
        drop_interval(&stage[s].discarded);
    }
}

swq_status swq_results_collect(swq_context *ctx, const swq_replication *replication,
                               const swq_sim_options *options, double *space,
                               swq_sim_result *result)
{
    const swq_system *system = replication->system;
    swq_collector c = collector_of(replication, options, space);
    swq_status status = SWQ_OK;
    uint64_t *work = swq_calloc(ctx, SWQ_HISTOGRAM_BINS, sizeof *work);
    if (!work)
        return swq_memory_status(ctx);
    memset(result, 0, sizeof *result);
    result->nodes = system->nodes;
    result->stages = system->levels;
    result->seed = options->seed;
    for (int k = 0; k < options->replications; k++) /* a run cut short may not have begun all */
        result->replications += replication[k].batches > 0;
    result->groups = system->groups;
    result->engine = system->engine;
    result->stationary = true;
    merge_while_correlated(&c, &result->correlation, &result->correlated);
    result->batches = c.batches;
    collect_flow(&c, 0, 1, system->cells, system->nodes, work, &result->all);
    for (int k = 0; k < SWQ_CLASSES && system->classes > 1; k++)
        collect_flow(&c, k, system->classes, result->groups, system->nodes, work,
                     &result->by_class[k]);
    for (int g = 0; g < result->groups && system->group; g++)
        collect_flow(&c, g * system->classes, 1, system->classes, nodes_in_group(system, g), work,
                     &result->by_group[g]);
    collect_stages(&c, result->stage);
    collect_sources(&c, result);
    collect_invariants(&c, result);
    result->beyond = beyond_saturation(&c);
    if (options->per_node)
        status = collect_nodes(ctx, &c, 0, system->classes, work, &result->all);
    for (int k = 0; k < system->classes && system->classes > 1 && options->per_node && !status; k++)
        status = collect_nodes(ctx, &c, k, 1, work, &result->by_class[k]);
    if (system->changing && c.batches < 2) {
        drop_intervals(system, &result->all, result->by_class, result->by_group, result->stage);
        drop_interval(&result->source_queue);
        drop_interval(&result->saqs);
        drop_interval(&result->refusal);
    }
    if (system->classes == 1)
        result->by_class[0] = result->all;
    swq_free(ctx, work);
    if (!status)
        status = swq_collect_detail(ctx, &c);
    return status ? status : check_results(ctx, system, result);
}

bool swq_results_precise(const swq_replication *replication, const swq_sim_options *options,
                         double *space)
{
    const swq_system *system = replication->system;
    swq_collector c = collector_of(replication, options, space);
    sum_of delivered = in_cells(system, SWQ_CELL_DELIVERED, 0, 1, system->cells);
    double correlation;
    bool correlated;

    merge_while_correlated(&c, &correlation, &correlated);
    if (correlated)
        return false;
    swq_estimate throughput =
        ratio(&c, in_cells(system, system->amount, 0, 1, system->cells), per_cycle(system->nodes));
    swq_estimate latency =
        ratio(&c, in_cells(system, SWQ_CELL_LATENCY, 0, 1, system->cells), delivered);
    return latency.half_width <= options->precision * latency.mean &&
           throughput.half_width <= options->precision * throughput.mean;
}

/* ---- windows ---- */

/* Packets in flight at the windows' end, from counters of their vectors. */
static swq_estimate in_flight(const swq_collector *c, int first, int step, int count)
{
    const sum_of what = {.first = first, .step = step, .count = count, .factor = 1};
    swq_estimate e;

    fill(c, &what, c->above);
    swq_ratio_interval(c->above, NULL, c->batches, c->options->confidence, &e.mean, &e.half_width);
    return e;
}

/* The stream of packets in cells first, first + step, ...: as collect_flow. */
static void collect_in_window(const swq_collector *c, int first, int step, int count, double nodes,
                              swq_flow_result *f)
{
    const swq_windows *w = &c->replication->windows;
    bool known = true; /* of a cell's losses, which were sent again is not */

    collect_rates(c, first, step, count, nodes, f);
    for (int k = 0; k < c->options->replications; k++)
        known =
            known && !(c->replication[k].system->resends && c->replication[k].system->discarded);
    if (known)
        f->in_flight = in_flight(c, w->counters + 1 + first, step, count);
}

/* Window `at`: each replication that has it seen as one of a single batch. */
static void collect_window(swq_collector *c, swq_replication *view, size_t at, swq_window *w)
{
    const swq_system *system = view->system;

    c->batches = 0;
    for (int k = 0; k < c->options->replications; k++) {
        swq_replication *r = &view[k];
        const swq_windows *windows = &r->windows;
        r->batches = at < windows->count;
        r->batch = windows->vector + at * (size_t)windows->stride;
        r->length = windows->length + at;
        c->batches += r->batches;
        if (r->batches && *r->length > w->cycles)
            w->cycles = *r->length;
    }
    w->replications = (int)c->batches;
    collect_rates(c, 0, 1, system->cells, system->nodes, &w->all);
    w->all.in_flight = in_flight(c, view->windows.counters, 1, 1);
    for (int k = 0; k < SWQ_CLASSES && system->classes > 1; k++)
        collect_in_window(c, k, system->classes, system->groups, system->nodes, &w->by_class[k]);
    for (int g = 0; g < system->groups && system->group; g++)
        collect_in_window(c, g * system->classes, 1, system->classes, nodes_in_group(system, g),
                          &w->by_group[g]);
    collect_stages(c, w->stage);
    w->source_queue = source_queue(c);
    w->saqs = saqs_in_use(c);
    if (c->batches == 1) {
        drop_interval(&w->saqs);
        drop_intervals(system, &w->all, w->by_class, w->by_group, w->stage);
        drop_interval(&w->source_queue);
    }
}

void swq_series_free(swq_context *ctx, swq_series *series)
{
    if (!series)
        return;
    swq_free(ctx, series->window);
    swq_free(ctx, series->groups);
    swq_free(ctx, series->stages);
    swq_free(ctx, series);
}

static swq_status new_series(swq_context *ctx, const swq_system *system, size_t windows,
                             swq_series **made)
{
    swq_series *s = swq_calloc(ctx, 1, sizeof *s);
    const size_t least = windows ? windows : 1;

    if (s) {
        s->windows = windows;
        s->window = swq_calloc(ctx, least, sizeof *s->window);
        s->groups = swq_calloc(ctx, least * (size_t)system->groups, sizeof *s->groups);
        s->stages = swq_calloc(ctx, least * (size_t)system->levels, sizeof *s->stages);
    }
    if (!s || !s->window || !s->groups || !s->stages) {
        swq_series_free(ctx, s);
        return swq_memory_status(ctx);
    }
    for (size_t k = 0; k < windows; k++) {
        s->window[k].by_group = s->groups + k * (size_t)system->groups;
        s->window[k].stage = s->stages + k * (size_t)system->levels;
    }
    *made = s;
    return SWQ_OK;
}

swq_status swq_results_series(swq_context *ctx, const swq_replication *replication,
                              const swq_sim_options *options, double *space, swq_series **made)
{
    const size_t replications = (size_t)options->replications;
    swq_collector c;
    size_t windows = 0;
    swq_replication *view = swq_calloc(ctx, replications, sizeof *view);
    if (!view)
        return swq_memory_status(ctx);
    for (size_t k = 0; k < replications; k++) {
        const swq_windows *w = &replication[k].windows;
        view[k] = (swq_replication){
            .system = replication[k].system, .windows = *w, .counters = w->stride};
        windows = w->count > windows ? w->count : windows;
    }
    c = collector_of(view, options, space);
    c.merge = 1;
    c.windows = true;
    swq_status status = new_series(ctx, view->system, windows, made);
    for (size_t k = 0; k < windows && !status; k++) {
        swq_window *w = &(*made)->window[k];
        w->first = replication->warmup + k * options->series;
        collect_window(&c, view, k, w);
    }
    swq_free(ctx, view);
    return status;
}

static void drop_detail(swq_detail *d)
{
    for (uint32_t i = 0; d->node && i < d->nodes; i++)
        d->node[i].offered.half_width = d->node[i].throughput.half_width =
            d->node[i].latency.half_width = NAN;
    for (size_t k = 0; d->link && k < d->links; k++)
        d->link[k].utilisation.half_width = d->link[k].packet_rate.half_width =
            d->link[k].occupancy.half_width = NAN;
    for (int p = 0; p < d->percentiles; p++)
        d->percentile[p].lower = d->percentile[p].upper = NAN;
}

void swq_result_drop_intervals(swq_sim_result *r, swq_detail *d)
{
    swq_flow_result *flow[1 + SWQ_MAX_GROUPS] = {&r->all};

    for (int g = 0; g < SWQ_MAX_GROUPS; g++)
        flow[1 + g] = &r->by_group[g];
    for (int k = 0; k <= SWQ_MAX_GROUPS; k++) {
        flow[k]->throughput.half_width = flow[k]->latency.half_width = NAN;
        flow[k]->tail_latency.half_width = NAN;
        flow[k]->message_head.half_width = flow[k]->message_tail.half_width = NAN;
        flow[k]->hops.half_width = flow[k]->discard_fraction.half_width = NAN;
    }
    for (int k = 0; k < SWQ_MAX_STAGES; k++)
        r->stage[k].occupancy.half_width = r->stage[k].sent.half_width = NAN;
    r->source_queue.half_width = r->saqs.half_width = NAN;
    r->correlated = false;
    if (d)
        drop_detail(d);
}
