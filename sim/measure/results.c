/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Means are ratios of sums over batches, of all replications together; their intervals come from
 * the batches' scatter.
 * Room: sim. Includes base.
 */
#include "sim/measure/results.h"

#include "base/context.h"
#include "base/statistics.h"

#include <math.h>
#include <string.h>

const double swq_percentile_levels[SWQ_PERCENTILES] = {0.5, 0.9, 0.99, 0.999};

/* A sum of counters, times a factor: what stands above or below in a ratio. */
typedef struct {
    int first, step, count; /* counters first, first + step, ... */
    double factor;
    bool cycles; /* instead of counters: the batch's cycles */
} sum_of;

typedef struct {
    const swq_replication *replication;
    const swq_sim_options *options;
    size_t merge;   /* so many batches in a row are taken as one */
    size_t batches; /* of all replications, so taken */
    double *above, *below;
} collector;

static double sum_in_batch(const swq_replication *r, size_t b, const sum_of *what)
{
    double sum = 0;

    if (what->cycles)
        return (double)r->length[b] * what->factor;
    for (int k = 0; k < what->count; k++)
        sum += (double)r->batch[b * (size_t)r->counters + (size_t)(what->first + k * what->step)];
    return sum * what->factor;
}

/* Batches of a replication when taken together; those left over join the last. */
static size_t taken_together(const collector *c, const swq_replication *r)
{
    return r->batches < c->merge ? r->batches > 0 : r->batches / c->merge;
}

static void fill(const collector *c, const sum_of *what, double *array)
{
    size_t at = 0;

    for (int k = 0; k < c->options->replications; k++) {
        const swq_replication *r = &c->replication[k];
        size_t groups = taken_together(c, r);
        for (size_t g = 0; g < groups; g++, at++) {
            size_t end = g + 1 == groups ? r->batches : (g + 1) * c->merge;
            array[at] = 0;
            for (size_t b = g * c->merge; b < end; b++)
                array[at] += sum_in_batch(r, b, what);
        }
    }
}

static swq_estimate ratio(const collector *c, sum_of above, sum_of below)
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

static uint64_t total(const collector *c, sum_of what)
{
    uint64_t sum = 0;

    for (int k = 0; k < c->options->replications; k++) {
        for (int n = 0; n < what.count; n++)
            sum += c->replication[k].system->tally[what.first + n * what.step];
    }
    return sum;
}

/* Variance, percentiles and maximum from the histograms of those cells. */
static void from_histogram(const collector *c, int first, int step, int count, uint64_t *sum,
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

/* The stream of packets in cells first, first + step, ...; nodes: of the group. */
static void collect_flow(const collector *c, int first, int step, int count, double nodes,
                         uint64_t *work, swq_flow_result *f)
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
    f->hops = (swq_estimate){NAN, NAN};
    if (system->amount == SWQ_CELL_BYTES) {
        f->bytes = (double)total(c, in_cells(system, SWQ_CELL_BYTES, first, step, count));
        f->hops = ratio(c, in_cells(system, SWQ_CELL_HOPS, first, step, count), delivered);
    }
    f->discard_fraction =
        ratio(c, discarded, in_cells(system, SWQ_CELL_OFFERED, first, step, count));
    f->discard_below = f->discarded == 0 && f->created > 0
                           ? -expm1(log1p(-c->options->confidence) / (double)f->created)
                           : NAN;
    from_histogram(c, first, step, count, work, f);
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        f->node_percentile[p] = (swq_estimate){NAN, NAN};
    f->node_max = (swq_estimate){NAN, NAN};
}

static void collect_stages(const collector *c, swq_sim_result *result)
{
    const swq_system *system = c->replication->system;

    for (int s = 0; s < system->levels; s++) {
        int at = swq_tally_stage(s);
        swq_stage_result *stage = &result->stage[s];
        stage->occupancy =
            ratio(c, counter(at + SWQ_STAGE_OCCUPANCY), per_cycle(system->level_switches[s]));
        stage->sent = ratio(c, counter(at + SWQ_STAGE_SENT), per_cycle(system->level_outputs[s]));
        stage->blocked = ratio(c, counter(at + SWQ_STAGE_BLOCKED), counter(at + SWQ_STAGE_BUSY));
        stage->discarded =
            ratio(c, counter(at + SWQ_STAGE_DROPPED), counter(at + SWQ_STAGE_ARRIVED));
    }
    result->source_queue = ratio(c, counter(SWQ_NET_WAITING), per_cycle(system->nodes));
    result->refusal = ratio(c, counter(SWQ_NET_REFUSED), counter(SWQ_NET_OFFERS));
}

/* Means over nodes of those classes; the nodes are taken to be independent for the intervals. */
static swq_status collect_nodes(swq_context *ctx, const collector *c, int first_class, int classes,
                                uint64_t *work, swq_flow_result *f)
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

static void collect_invariants(const collector *c, swq_sim_result *result)
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

static double correlation_of(const collector *c, bool *significant)
{
    const swq_system *system = c->replication->system;
    sum_of latency = in_cells(system, SWQ_CELL_LATENCY, 0, 1, system->cells);
    sum_of delivered = in_cells(system, SWQ_CELL_DELIVERED, 0, 1, system->cells);

    fill(c, &latency, c->above);
    fill(c, &delivered, c->below);
    return swq_batch_correlation(c->above, c->below, c->batches, significant);
}

/* Take batches together until their correlation is no longer significant. */
static void merge_while_correlated(collector *c, double *correlation, bool *correlated)
{
    size_t least = (size_t)c->options->replications * SWQ_BATCHES / 4;

    for (c->merge = 1;; c->merge *= 2) {
        c->batches = 0;
        for (int k = 0; k < c->options->replications; k++)
            c->batches += taken_together(c, &c->replication[k]);
        *correlation = correlation_of(c, correlated);
        if (!*correlated || c->batches / 2 < least)
            return;
    }
}

static collector collector_of(const swq_replication *replication, const swq_sim_options *options,
                              double *space)
{
    return (collector){.replication = replication,
                       .options = options,
                       .above = space,
                       .below = space + (size_t)options->replications * SWQ_MOST_BATCHES};
}

static double nodes_in_group(const swq_system *system, int group)
{
    double nodes = 0;

    for (uint32_t i = 0; i < system->nodes; i++)
        nodes += system->group[i] == group;
    return nodes;
}

swq_status swq_results_collect(swq_context *ctx, const swq_replication *replication,
                               const swq_sim_options *options, double *space,
                               swq_sim_result *result)
{
    const swq_system *system = replication->system;
    collector c = collector_of(replication, options, space);
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
    collect_stages(&c, result);
    collect_invariants(&c, result);
    if (options->per_node)
        status = collect_nodes(ctx, &c, 0, system->classes, work, &result->all);
    for (int k = 0; k < system->classes && system->classes > 1 && options->per_node && !status; k++)
        status = collect_nodes(ctx, &c, k, 1, work, &result->by_class[k]);
    if (system->classes == 1)
        result->by_class[0] = result->all;
    swq_free(ctx, work);
    return status;
}

bool swq_results_precise(const swq_replication *replication, const swq_sim_options *options,
                         double *space)
{
    const swq_system *system = replication->system;
    collector c = collector_of(replication, options, space);
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
