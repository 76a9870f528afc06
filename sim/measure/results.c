/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of a run, from its batches and histograms.
 */
#include "sim/measure/results.h"
#include "switchq/detail.h"

#include "base/context.h"
#include "base/probability.h"
#include "base/statistics.h"
#include "sim/measure/collector.h"
#include "sim/measure/fairness.h"
#include "sim/measure/refuse.h"
#include "sim/measure/streams.h"
#include "sim/measure/sums.h"

#include <math.h>
#include <string.h>

enum { BATCH_MEMORIES = 3 }; /* a batch is that many times as long as the network's memory */

const double swq_percentile_levels[SWQ_PERCENTILES] = {0.5, 0.9, 0.99, 0.999};

/* Variance, percentiles and maximum, from the histograms of cells first, first + step, ... */
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
    f->unlike = 0;
    uint64_t commonest = 0;
    for (uint32_t b = 0; b < SWQ_HISTOGRAM_BINS; b++) {
        if (!sum[b])
            continue;
        double value = swq_histogram_value(b), weight = (double)sum[b], off = value - mean;
        n += weight;
        mean += off * weight / n;
        spread += off * (value - mean) * weight;
        f->max = value;
        f->unlike += sum[b];
        commonest = sum[b] > commonest ? sum[b] : commonest;
    }
    f->unlike -= commonest;
    f->variance = n > 1 ? spread / (n - 1) : NAN;
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->percentile[p] =
            swq_histogram_percentile(sum, SWQ_HISTOGRAM_BINS, swq_percentile_levels[p]);
}

static void collect_flow(const swq_collector *c, int first, int step, int count, double lines,
                         uint64_t *work, swq_flow_result *f)
{
    swq_collect_rates(c, first, step, count, lines, f);
    from_histogram(c, first, step, count, work, f);
}

static void collect_sources(const swq_collector *c, swq_sim_result *result)
{
    result->source_queue = swq_collect_source_queue(c, &result->source_queue_below);
    result->saqs = swq_collect_saqs(c);
    const swq_sum offers = swq_sum_counter(SWQ_NET_OFFERS);
    result->refusal = swq_events_fraction(
        c, &(swq_events){swq_sum_counter(SWQ_NET_REFUSED), offers, offers, 2, false},
        &result->refusal_below);
    result->offers = swq_sum_total(c, offers);
}

/* Means over the nodes, from the histograms of classes first_class, ...; intervals take nodes to be
 * independent. */
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
    uint64_t population = swq_sum_total(c, swq_sum_counter(SWQ_NET_POPULATION));
    uint64_t latency = swq_sum_total(c, swq_sum_cells(c->replication->system, SWQ_CELL_LATENCY, 0,
                                                      1, c->replication->system->cells));
    result->little = population ? (double)latency / (double)population - 1 : NAN;
}

/* ---- is it plausible? ---- */

/* Packets that were in the network when measuring began may be discarded afterwards, so that a
 * short run can discard more than it is offered. */
static swq_status check_flow(swq_context *ctx, const swq_sim_result *r, const swq_flow_result *f)
{
    const double before = (double)(r->total_created - r->all.created);
    const double offered = (double)f->discarded / f->discard_fraction.mean;

    return f->discarded ? swq_probability_check(ctx, "fraction of packets discarded",
                                                f->discard_fraction.mean, before / offered)
                        : SWQ_OK;
}

/* Bytes are counted when a packet has arrived, or when its transmission begins; a packet takes a
 * cycle. */
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

/* ---- batches ---- */

static double correlation_of(const swq_collector *c, bool *significant)
{
    const swq_system *system = c->replication->system;
    swq_sum latency = swq_sum_cells(system, SWQ_CELL_LATENCY, 0, 1, system->cells);
    swq_sum delivered = swq_sum_cells(system, SWQ_CELL_DELIVERED, 0, 1, system->cells);

    swq_sum_fill(c, &latency, c->above);
    swq_sum_fill(c, &delivered, c->below);
    return swq_batch_correlation(c->above, c->below, c->batches, significant);
}

/* Where results are kept by group, some groups are congested, and the throughput of the others
 * changes more slowly than their latency. */
static bool throughput_correlated(const swq_collector *c)
{
    const swq_system *system = c->replication->system;
    swq_sum amount = swq_sum_cells(system, system->amount, 0, 1, system->cells);
    swq_sum cycles = swq_sum_cycles(1);
    bool significant;

    if (system->cells == 1 || system->classes > 1)
        return false;
    swq_sum_fill(c, &amount, c->above);
    swq_sum_fill(c, &cycles, c->below);
    swq_batch_correlation(c->above, c->below, c->batches, &significant);
    return significant;
}

/* The memory of the results that a run of this length can know; 0: the run can know no result. */
static double memory_of_known(const swq_memory *m, const swq_counting *counts)
{
    return counts->waits > 0 ? m->waits : counts->most > 0 ? m->network : 0;
}

/* How many batches to merge so that each is a few times as long as the memory, if SWQ_BATCHES / 4
 * are left then. */
static size_t longer_than_memory(swq_collector *c, double memory)
{
    size_t merge = 1;

    while ((double)(c->replication->batch_cycles * merge) < BATCH_MEMORIES * memory &&
           c->batches / 2 >= SWQ_BATCHES / 4) {
        merge *= 2;
        swq_collector_merge(c, merge);
    }
    return merge;
}

/* Merge batches until they are longer than the memory, and their correlation is no longer
 * significant. */
static void merge_while_correlated(swq_collector *c, double memory, double *correlation,
                                   bool *correlated)
{
    size_t least = (size_t)c->options->replications * SWQ_BATCHES / 4;

    /* each replication is one sample; batches are not samples */
    if (c->replication->system->changing) {
        swq_collector_merge(c, SWQ_MOST_BATCHES + 1);
        *correlation = NAN;
        *correlated = false;
        return;
    }
    for (size_t merge = longer_than_memory(c, memory);; merge *= 2) {
        swq_collector_merge(c, merge);
        *correlation = correlation_of(c, correlated);
        *correlated = throughput_correlated(c) || *correlated;
        if (!*correlated || c->batches / 2 < least)
            return;
    }
}

swq_status swq_results_collect(swq_context *ctx, const swq_replication *replication,
                               const swq_sim_options *options, void *space, swq_sim_result *result)
{
    const swq_system *system = replication->system;
    const swq_memory memory = swq_memory_of(replication, options, space);
    swq_collector c = swq_collector_of(replication, options, space);
    swq_status status = SWQ_OK;
    uint64_t *work = swq_calloc(ctx, SWQ_HISTOGRAM_BINS, sizeof *work);
    if (!work)
        return swq_memory_status(ctx);
    memset(result, 0, sizeof *result);
    result->nodes = system->nodes;
    result->stages = system->levels;
    result->seed = options->seed;
    /* a run that was cut short may not have begun all replications */
    for (int k = 0; k < options->replications; k++)
        result->replications += replication[k].batches > 0;
    result->groups = system->groups;
    result->engine = system->engine;
    result->source_cycles = system->source_cycles;
    result->stationary = true;
    result->counts = swq_counting_of(&memory, system);
    result->unknown = swq_what_is_unknown(&result->counts, system);
    result->memory_cycles = result->unknown == SWQ_UNKNOWN_ALL ? memory.network : memory.waits;
    c.share = result->counts.waits > 0 ? result->counts.waits : 1;
    merge_while_correlated(&c, memory_of_known(&memory, &result->counts), &result->correlation,
                           &result->correlated);
    result->batches = c.batches;
    collect_flow(&c, 0, 1, system->cells, swq_lines(system), work, &result->all);
    for (int k = 0; k < SWQ_CLASSES && system->classes > 1; k++)
        collect_flow(&c, k, system->classes, result->groups, swq_lines(system), work,
                     &result->by_class[k]);
    for (int g = 0; g < result->groups && system->group; g++)
        collect_flow(&c, g * system->classes, 1, system->classes, swq_lines_in_group(system, g),
                     work, &result->by_group[g]);
    swq_collect_stages(&c, result->stage);
    collect_sources(&c, result);
    collect_invariants(&c, result);
    result->beyond = swq_beyond_saturation(&c);
    if (options->per_node)
        status = collect_nodes(ctx, &c, 0, system->classes, work, &result->all);
    for (int k = 0; k < system->classes && system->classes > 1 && options->per_node && !status; k++)
        status = collect_nodes(ctx, &c, k, 1, work, &result->by_class[k]);
    swq_free(ctx, work);
    if (!status)
        status = swq_collect_fairness(ctx, &c, &result->fairness);
    if (!status)
        status = swq_collect_detail(ctx, &c);
    if (system->changing && c.batches < 2)
        swq_result_drop_intervals(result, options->detail);
    if (system->classes == 1)
        result->by_class[0] = result->all;
    return status ? status : check_results(ctx, system, result);
}

static double relative(const swq_estimate *e)
{
    return e->mean > 0 ? e->half_width / e->mean : INFINITY;
}

swq_precision swq_results_precision(const swq_replication *replication,
                                    const swq_sim_options *options, void *space)
{
    const swq_system *system = replication->system;
    const swq_memory memory = swq_memory_of(replication, options, space);
    const swq_counting counts = swq_counting_of(&memory, system);
    swq_collector c = swq_collector_of(replication, options, space);
    swq_sum delivered = swq_sum_cells(system, SWQ_CELL_DELIVERED, 0, 1, system->cells);
    double correlation;
    bool correlated;

    merge_while_correlated(&c, memory_of_known(&memory, &counts), &correlation, &correlated);
    const swq_estimate throughput =
        swq_sum_ratio(&c, swq_sum_cells(system, system->amount, 0, 1, system->cells),
                      swq_sum_cycles(swq_lines(system)));
    const swq_estimate latency =
        swq_sum_ratio(&c, swq_sum_cells(system, SWQ_CELL_LATENCY, 0, 1, system->cells), delivered);
    return (swq_precision){
        .scatter = fmax(relative(&latency), relative(&throughput)),
        .known = fmax(relative(&latency) * swq_widening_of(counts.waits),
                      relative(&throughput) * swq_widening_of(counts.most)),
        .trusted = !correlated && counts.waits > 0 &&
                   (double)replication->cycles >= SWQ_SOURCE_TIMES * system->source_cycles,
    };
}
