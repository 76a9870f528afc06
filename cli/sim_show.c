/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both engines measure, as JSON, CSV and text: streams of packets, and the run itself.
 * Room: cli.
 */
#include "cli/sim.h"

#include <math.h>

static const char *const stop_words[] = {"cycles",    "precision", "packets",
                                         "trace end", "deadlock",  "interrupted"};

static const char *warmup_word(const swq_sim_options *o, const char *automatic)
{
    if (o->ignore > 0)
        return "packets";
    return o->warmup == SWQ_WARMUP_AUTO ? automatic : "given";
}

/* ---- JSON ---- */

cJSON *cli_json_estimate(cJSON *to, const char *key, swq_estimate e)
{
    cJSON *object = cJSON_AddObjectToObject(to, key);

    cli_json_number(object, "mean", e.mean);
    cli_json_number(object, "half_width", e.half_width);
    return object;
}

static const char *const percentile_keys[SWQ_PERCENTILES] = {"p50", "p90", "p99", "p999"};

void cli_json_flow(cJSON *to, const swq_flow_result *f, bool discards)
{
    cli_json_estimate(to, "throughput", f->throughput);
    cJSON *latency = cli_json_estimate(to, "latency_cycles", f->latency);
    cli_json_number(latency, "variance", f->variance);
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        cli_json_number(latency, percentile_keys[p], f->percentile[p]);
    cli_json_number(latency, "max", f->max);
    if (isfinite(f->node_max.mean)) {
        cJSON *node = cJSON_AddObjectToObject(latency, "mean_of_nodes");
        for (int p = 0; p < SWQ_PERCENTILES; p++)
            cli_json_estimate(node, percentile_keys[p], f->node_percentile[p]);
        cli_json_estimate(node, "max", f->node_max);
    }
    cJSON *loss = cli_json_estimate(to, "discard_fraction", f->discard_fraction);
    if (discards && isfinite(f->discard_below))
        cli_json_number(loss, "below", f->discard_below);
    cJSON_AddNumberToObject(to, "created", (double)f->created);
    cJSON_AddNumberToObject(to, "delivered", (double)f->delivered);
    cJSON_AddNumberToObject(to, "discarded", (double)f->discarded);
}

void cli_json_run(cJSON *tree, const swq_sim_result *r, const swq_sim_options *o)
{
    cJSON *run = cJSON_AddObjectToObject(tree, "run");

    /* a seed may have more digits than a JSON number keeps */
    if (r->seed < UINT64_C(1) << 53)
        cJSON_AddNumberToObject(run, "seed", (double)r->seed);
    else {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)r->seed);
        cJSON_AddStringToObject(run, "seed", text);
    }
    cJSON_AddNumberToObject(run, "cycles", (double)r->cycles);
    cJSON_AddNumberToObject(run, "warmup_cycles", (double)r->warmup);
    cJSON_AddStringToObject(run, "warmup_method",
                            warmup_word(o, "MSER-5 on packets in the system"));
    cJSON_AddBoolToObject(run, "stationary", r->stationary);
    cJSON_AddNumberToObject(run, "replications", r->cycles > 0 ? r->replications : o->replications);
    cJSON_AddNumberToObject(run, "packets", (double)r->all.delivered);
    cJSON_AddNumberToObject(run, "packet_hops", (double)r->packet_hops);
    cli_json_number(run, "cpu_seconds", r->cpu_seconds);
    cli_json_number(run, "wall_seconds", r->wall_seconds);
    cJSON_AddNumberToObject(run, "bytes", (double)r->bytes);
    cJSON_AddStringToObject(run, "stopped_by", stop_words[r->stopped_by]);
    cJSON_AddStringToObject(run, "engine", r->engine);
    cli_json_number(run, "confidence", o->confidence);
    cJSON_AddNumberToObject(run, "batches", (double)r->batches);
    cli_json_number(run, "batch_correlation", r->correlation);
    cJSON_AddBoolToObject(run, "batches_correlated", r->correlated);
    cJSON *check = cJSON_AddObjectToObject(tree, "invariants");
    cJSON_AddNumberToObject(check, "created", (double)r->total_created);
    cJSON_AddNumberToObject(check, "delivered", (double)r->total_delivered);
    cJSON_AddNumberToObject(check, "discarded", (double)r->total_discarded);
    cJSON_AddNumberToObject(check, "in_flight", (double)r->total_in_flight);
    cJSON_AddBoolToObject(check, "conserved", r->conserved);
    cJSON_AddBoolToObject(check, "little_exact", r->little_exact);
    cli_json_number(check, "little_relative_difference", r->little);
}

/* ---- CSV ---- */

const char cli_csv_columns[] =
    "packets,created,delivered,discarded,throughput,throughput_half_width,latency,"
    "latency_half_width,latency_variance,p50,p90,p99,p999,max,discard_fraction,discard_half_width";

void cli_csv_flow(const char *what, const swq_flow_result *f)
{
    printf("%s,%llu,%llu,%llu,%.9g,%.3g,%.9g,%.3g,%.9g,%g,%g,%g,%g,%g,%.9g,%.3g", what,
           (unsigned long long)f->created, (unsigned long long)f->delivered,
           (unsigned long long)f->discarded, f->throughput.mean, f->throughput.half_width,
           f->latency.mean, f->latency.half_width, f->variance, f->percentile[0], f->percentile[1],
           f->percentile[2], f->percentile[3], f->max, f->discard_fraction.mean,
           f->discard_fraction.half_width);
}

/* ---- text ---- */

void cli_print_estimate(const char *name, swq_estimate e, const char *unit)
{
    if (isnan(e.mean))
        return;
    if (isnan(e.half_width))
        printf("  %-22s %.6g%s\n", name, e.mean, unit);
    else if (isfinite(e.half_width))
        printf("  %-22s %.6g +- %.2g%s\n", name, e.mean, e.half_width, unit);
    else
        printf("  %-22s %.6g (too little to tell how exactly)%s\n", name, e.mean, unit);
}

/* The histogram's bins hold several latencies from here on, up to 1.6% of them. */
enum { EXACT_BELOW = 8192 };

/* A percentile, or the maximum. */
static void print_latency(const char *name, double cycles)
{
    printf("%s %s%g", name, cycles >= EXACT_BELOW ? "~" : "", cycles);
}

void cli_print_flow(const swq_flow_result *f, const char *unit, bool discards)
{
    static const char *const names[] = {"50%", ", 90%", ", 99%", ", 99.9%"};

    cli_print_estimate("throughput", f->throughput, unit);
    cli_print_estimate("mean latency", f->latency, " cycles");
    if (isfinite(f->max)) {
        if (isnan(f->variance))
            printf("  %-22s ", "latency");
        else
            printf("  %-22s variance %.4g; ", "latency", f->variance);
        for (int p = 0; p < SWQ_PERCENTILES; p++)
            print_latency(names[p], f->percentile[p]);
        print_latency(", max", f->max);
        puts(f->max >= EXACT_BELOW ? " (~: to within 1.6%)" : "");
    }
    if (isfinite(f->node_max.mean))
        printf("  %-22s 50%% %.2f, 90%% %.2f, 99%% %.2f, 99.9%% %.2f, max %.2f\n", "mean of nodes",
               f->node_percentile[0].mean, f->node_percentile[1].mean, f->node_percentile[2].mean,
               f->node_percentile[3].mean, f->node_max.mean);
    if (discards && isfinite(f->discard_below))
        printf("  %-22s none of %llu packets: below %.1e, if discards are independent\n",
               "discarded", (unsigned long long)f->created, f->discard_below);
    else if (discards)
        cli_print_estimate("discarded", f->discard_fraction, " of the packets offered");
}

void cli_print_run(const swq_sim_result *r, const swq_sim_options *o)
{
    printf("\n  %llu cycles after %llu of warm-up (%s), %d replication%s, seed %llu, engine %s\n",
           (unsigned long long)r->cycles, (unsigned long long)r->warmup, warmup_word(o, "MSER-5"),
           r->replications, r->replications > 1 ? "s" : "", (unsigned long long)r->seed, r->engine);
    printf("  stopped by: %s; %.4g packet-hops in %.3f s of CPU, %.3g million a second\n",
           stop_words[r->stopped_by], (double)r->packet_hops, r->cpu_seconds,
           (double)r->packet_hops / r->cpu_seconds / 1e6);
    if (isnan(r->all.throughput.half_width))
        puts("  intervals: none, as a trace is one run");
    else
        printf("  intervals: %g%%, from %zu batches%s\n", 100 * o->confidence, r->batches,
               r->correlated ? "; THE BATCHES ARE CORRELATED, so the intervals are too narrow"
                             : "");
    if (!r->stationary)
        puts("  NOT STATIONARY: no end of the warm-up was found; is the load beyond saturation?");
    printf("  created %llu = delivered %llu + discarded %llu + in flight %llu: %s; Little's law "
           "exact: %s\n",
           (unsigned long long)r->total_created, (unsigned long long)r->total_delivered,
           (unsigned long long)r->total_discarded, (unsigned long long)r->total_in_flight,
           r->conserved ? "yes" : "NO", r->little_exact ? "yes" : "NO");
}

void cli_warn_run(const swq_sim_result *r)
{
    const unsigned long long cycles = r->cycles;

    if (r->stopped_by == SWQ_STOP_DEADLOCK && cycles == 0)
        fprintf(stderr, "switchq: deadlock, %llu cycles into the warm-up: nothing was measured\n",
                (unsigned long long)r->warmup);
    else if (r->stopped_by == SWQ_STOP_DEADLOCK)
        fprintf(stderr, "switchq: deadlock: only %llu cycles were measured\n", cycles);
    else if (r->stopped_by == SWQ_STOP_INTERRUPTED)
        fprintf(stderr, "switchq: interrupted: only %llu cycles were measured\n", cycles);
    if (cycles > 0 && !r->stationary)
        fputs("switchq: not stationary: no end of the warm-up was found\n", stderr);
    if (cycles > 0 && r->correlated)
        fputs("switchq: the batches are correlated, so the intervals are too narrow\n", stderr);
}

int cli_sim_status(const swq_sim_result *r)
{
    bool fine = r->conserved && r->little_exact && r->stopped_by != SWQ_STOP_DEADLOCK &&
                r->stopped_by != SWQ_STOP_INTERRUPTED;
    return fine ? CLI_OK : CLI_FAILED;
}
