/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both engines measure, as fields of a record: streams of packets, and the run itself.
 */
#include "cli/print/words.h"
#include "cli/sim/sim.h"

#include <math.h>

static const char *const stop_words[] = {"cycles",   "precision",   "packets", "trace end",
                                         "deadlock", "interrupted", "time",    "livelock"};

/* ---- a stream of packets ---- */

static const char *const percentile_keys[SWQ_PERCENTILES] = {"p50", "p90", "p99", "p999"};

/* From this latency on, a bin of the histogram holds several latencies, up to 1.6% of them. */
enum { EXACT_BELOW = 8192 };

/* "~" before values that are not exact. */
static const char *about(double cycles)
{
    return cycles >= EXACT_BELOW ? "~" : "";
}

static void say_percentiles(cli_record *to, const swq_flow_result *f, bool worms)
{
    char variance[40] = "";
    const double *p = f->percentile;

    if (!isnan(f->variance))
        snprintf(variance, sizeof variance, "variance %.4g; ", f->variance);
    cli_say(to, "  %-22s %s50%% %s%g, 90%% %s%g, 99%% %s%g, 99.9%% %s%g, max %s%g%s",
            worms ? "latency, head" : "latency", variance, about(p[0]), p[0], about(p[1]), p[1],
            about(p[2]), p[2], about(p[3]), p[3], about(f->max), f->max,
            f->max >= EXACT_BELOW ? " (~: to within 1.6%)" : "");
}

/* The mean latency, in wormhole networks after that of the tail; within its field, the latency's
 * variance, percentiles and maximum as far as they are known. */
static void put_latency(cli_record *to, const swq_flow_result *f, bool worms)
{
    if (worms)
        cli_put_estimate(to, "latency_tail_cycles", f->tail_latency);
    cli_record *latency = cli_put_estimate(to, "latency_cycles", f->latency);

    if (worms)
        cli_labelled(latency, "mean latency, head");
    cli_quietly(cli_put_number(latency, "variance", f->variance));
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        cli_quietly(cli_put_number(latency, percentile_keys[p], f->percentile[p]));
    cli_quietly(cli_put_number(latency, "max", f->max));
    if (isfinite(f->max))
        say_percentiles(to, f, worms);
    if (!isfinite(f->node_max.mean))
        return;
    cli_record *node = cli_quietly(cli_put_group(latency, "mean_of_nodes", NULL));
    for (int p = 0; p < SWQ_PERCENTILES; p++)
        cli_put_estimate(node, percentile_keys[p], f->node_percentile[p]);
    cli_put_estimate(node, "max", f->node_max);
    cli_say(to, "  %-22s 50%% %.2f, 90%% %.2f, 99%% %.2f, 99.9%% %.2f, max %.2f", "mean of nodes",
            f->node_percentile[0].mean, f->node_percentile[1].mean, f->node_percentile[2].mean,
            f->node_percentile[3].mean, f->node_max.mean);
}

void cli_put_losses(cli_record *to, const swq_flow_result *f, bool discards,
                    const cli_trials *offered)
{
    cli_record *loss = cli_put_fraction(to, "discard_fraction", f->discard_fraction,
                                        discards ? f->discard_below : NAN, offered);
    if (!discards)
        cli_quietly(loss);
    cli_quietly(cli_put_count(to, "created", f->created));
    cli_quietly(cli_put_count(to, "delivered", f->delivered));
    cli_quietly(cli_put_count(to, "discarded", f->discarded));
}

void cli_put_flow(cli_record *to, const swq_flow_result *f, const char *unit, bool discards,
                  bool worms)
{
    cli_in_unit(cli_put_estimate(to, "throughput", f->throughput), unit);
    put_latency(to, f, worms);
    cli_put_losses(to, f, discards,
                   &(cli_trials){f->created, "packets", "discards are independent"});
}

/* ---- the senders ---- */

static void say_fairness(cli_record *to, const swq_fairness *f)
{
    char chance[80] = "";

    if (!isnan(f->chance_least))
        snprintf(chance, sizeof chance, " (equal ones, by chance: %.4g, %.4g)", f->chance_least,
                 f->chance_greatest);
    cli_say(to, "  %-22s least %.4g, greatest %.4g%s; Jain's index %.4f", "senders alike",
            f->least.mean, f->greatest.mean, chance, f->jain);
}

/* Where senders' shares differ by more than a factor of two, says which inputs the arbiter favours
 * by its rule. */
static void say_arbiter(cli_record *to, const swq_fairness *f, const swq_arbiter *arbiter)
{
    if (arbiter && arbiter->favours && 2 * f->least.mean < f->greatest.mean)
        cli_say(to, "  %-22s by its rule, arbiter %s favours %s", "", arbiter->name,
                arbiter->favours);
}

void cli_put_fairness(cli_record *result, const swq_fairness *f, const char *unit,
                      const swq_arbiter *arbiter)
{
    cli_record *to = cli_put_group(result, "fairness", NULL);

    cli_quietly(cli_in_unit(cli_put_estimate(to, "least_throughput", f->least), unit));
    cli_quietly(cli_in_unit(cli_put_estimate(to, "greatest_throughput", f->greatest), unit));
    cli_quietly(cli_in_unit(cli_put_number(to, "least_by_chance", f->chance_least), unit));
    cli_quietly(cli_in_unit(cli_put_number(to, "greatest_by_chance", f->chance_greatest), unit));
    cli_quietly(cli_put_number(to, "jain_index", f->jain));
    cli_quietly(cli_put_count(to, "senders_alike", f->senders));
    cli_quietly(cli_put_count(to, "senders_with_load", f->offering));
    cli_quietly(cli_put_count(to, "senders_without_throughput", f->starved));
    if (f->senders > 0 && !isnan(f->jain))
        say_fairness(to, f);
    if (f->senders > 0)
        say_arbiter(to, f, arbiter);
    if (f->starved > 0)
        cli_say(to, "  %u of %u senders that offer load got nothing through", f->starved,
                f->offering);
}

/* ---- the run ---- */

static const char *warmup_word(const swq_sim_options *o, const char *automatic)
{
    if (o->ignore > 0)
        return "packets";
    return o->warmup == SWQ_WARMUP_AUTO ? automatic : "given";
}

/* How many times the run lasts the slowest process of its sources; NAN: they have none. */
static double source_times(const swq_sim_result *r)
{
    return r->source_cycles > 0 ? (double)r->cycles / r->source_cycles : NAN;
}

static bool short_for_sources(const swq_sim_result *r)
{
    return r->cycles > 0 && source_times(r) < SWQ_SOURCE_TIMES;
}

static const char *const unknown_words[] = {[SWQ_UNKNOWN_NOTHING] = NULL,
                                            [SWQ_UNKNOWN_WAITS] = "waits",
                                            [SWQ_UNKNOWN_ALL] = "all",
                                            [SWQ_UNKNOWN_VARIANCE] = "all: no variance"};

/* To two digits. */
static double round_up(double cycles)
{
    const double unit = pow(10, floor(log10(cycles)) - 1);

    return ceil(cycles / unit) * unit;
}

/* Why a run gives no intervals, or none of some quantities; NULL: it gives all. */
static const char *unknown_text(const swq_sim_result *r, char *text, size_t size)
{
    const double runs = r->replications > 0 ? r->replications : 1;
    const char *which = r->unknown == SWQ_UNKNOWN_ALL ? "none" : "none of latencies and waits";

    if (r->unknown == SWQ_UNKNOWN_VARIANCE)
        return "none: lengths of messages, or intervals, have an infinite variance (Pareto's shape "
               "is 2 or less), so the scatter of batches does not bound the error of a mean";
    if (r->unknown == SWQ_UNKNOWN_NOTHING)
        return NULL;
    if (!isfinite(r->memory_cycles))
        snprintf(text, size, "%s: too little was measured", which);
    else
        snprintf(text, size,
                 "%s: the run is %.2g times as long as the network's memory of about %.0f cycles; "
                 "an interval needs over %d times: try --cycles %.0f",
                 which, runs * (double)r->cycles / r->memory_cycles, r->memory_cycles,
                 SWQ_MEMORY_TIMES, round_up(2 * SWQ_MEMORY_TIMES * r->memory_cycles / runs));
    return text;
}

/* Latencies that hardly vary have no interval. */
static bool hardly_waits(const swq_sim_result *r)
{
    return r->unknown == SWQ_UNKNOWN_NOTHING && r->all.delivered > 0 &&
           isnan(r->all.latency.half_width) && r->all.unlike < SWQ_RARE_EVENTS;
}

void cli_put_run(cli_record *root, const swq_sim_result *r, const swq_sim_options *o)
{
    cli_record *run = cli_quietly(cli_put_group(root, "run", NULL));

    cli_put_count(run, "seed", r->seed);
    cli_put_count(run, "cycles", r->cycles);
    cli_put_count(run, "warmup_cycles", r->warmup);
    cli_put_word(run, "warmup_method", warmup_word(o, "MSER-5 on packets in the system"));
    cli_put_truth(run, "stationary", r->stationary);
    cli_put_number(run, "source_cycles", r->source_cycles);
    cli_put_number(run, "source_cycles_seen", source_times(r));
    cli_put_count(run, "replications",
                  (uint64_t)(r->cycles > 0 ? r->replications : o->replications));
    cli_put_count(run, "packets", r->all.delivered);
    cli_put_count(run, "packet_hops", r->packet_hops);
    cli_put_number(run, "cpu_seconds", r->cpu_seconds);
    cli_put_number(run, "wall_seconds", r->wall_seconds);
    cli_not_in_csv(cli_put_count(run, "memory_bytes", r->bytes));
    cli_put_word(run, "stopped_by", stop_words[r->stopped_by]);
    if (o->precision > 0)
        cli_put_truth(run, "precision_reached", !r->precision_missed);
    else
        cli_put_word(run, "precision_reached", NULL);
    cli_put_word(run, "engine", r->engine);
    cli_put_number(run, "confidence", o->confidence);
    cli_put_count(run, "batches", r->batches);
    cli_put_number(run, "batch_correlation", r->correlation);
    cli_put_truth(run, "batches_correlated", r->correlated);
    cli_not_in_csv(cli_put_word(run, "without_interval", unknown_words[r->unknown]));
    cli_not_in_csv(cli_put_number(run, "memory_cycles", r->memory_cycles));
}

void cli_put_trace_left(cli_record *root, uint64_t left, const char *what)
{
    cli_quietly(cli_put_count(root, "trace_left", left));
    if (left > 0)
        cli_say(root, "  %llu of the trace's %ss %s not created by the last cycle",
                (unsigned long long)left, what, left == 1 ? "was" : "were");
}

cli_record *cli_put_invariants(cli_record *root, const swq_sim_result *r)
{
    cli_record *check = cli_not_in_csv(cli_quietly(cli_put_group(root, "invariants", NULL)));

    cli_put_count(check, "all_created", r->total_created);
    cli_put_count(check, "all_delivered", r->total_delivered);
    cli_put_count(check, "all_discarded", r->total_discarded);
    cli_put_count(check, "in_flight", r->total_in_flight);
    cli_put_truth(check, "conserved", r->conserved);
    cli_put_truth(check, "little_exact", r->little_exact);
    cli_put_number(check, "little_relative_difference", r->little);
    return check;
}

void cli_say_run(cli_record *to, const swq_sim_result *r, const swq_sim_options *o)
{
    char text[240];
    const char *unknown = unknown_text(r, text, sizeof text);

    cli_say(to,
            "\n  %llu cycle%s after %llu of warm-up (%s), %d replication%s, seed %llu, engine %s",
            (unsigned long long)r->cycles, cli_plural(r->cycles), (unsigned long long)r->warmup,
            warmup_word(o, "MSER-5"), r->replications, cli_plural((uint64_t)r->replications),
            (unsigned long long)r->seed, r->engine);
    cli_say(to, "  stopped by: %s; %.4g packet-hops in %.3f s of CPU, %.3g million a second",
            stop_words[r->stopped_by], (double)r->packet_hops, r->cpu_seconds,
            (double)r->packet_hops / r->cpu_seconds / 1e6);
    if (unknown)
        cli_say(to, "  intervals: %s", unknown);
    else if (isnan(r->all.throughput.half_width))
        cli_say(to, "  intervals: none of one run whose traffic changes with time");
    else
        cli_say(to, "  intervals: %g%%, from %zu batch%s%s", 100 * o->confidence, r->batches,
                r->batches == 1 ? "" : "es",
                r->correlated ? "; THE BATCHES ARE CORRELATED, so the intervals may be too narrow"
                              : "");
    if (!unknown && hardly_waits(r))
        cli_say(to,
                "  no interval of the latency: %llu of %llu packets had another one than most; an "
                "interval needs %d",
                (unsigned long long)r->all.unlike, (unsigned long long)r->all.delivered,
                SWQ_RARE_EVENTS);
    if (!r->stationary)
        cli_say(to, "  NOT STATIONARY: no end of the warm-up was found; is the load beyond "
                    "saturation?");
    if (short_for_sources(r))
        cli_say(to,
                "  SHORT FOR ITS SOURCES: their slowest process takes %.4g cycles, and the run is "
                "only %.2g times as long, not %d times",
                r->source_cycles, source_times(r), SWQ_SOURCE_TIMES);
    cli_say(to,
            "  created %llu = delivered %llu + discarded %llu + in flight %llu: %s; Little's law "
            "exact: %s",
            (unsigned long long)r->total_created, (unsigned long long)r->total_delivered,
            (unsigned long long)r->total_discarded, (unsigned long long)r->total_in_flight,
            r->conserved ? "yes" : "NO", r->little_exact ? "yes" : "NO");
}

bool cli_warns(cli_format format, const char *where)
{
    return format == CLI_CSV || (format == CLI_TEXT && *where);
}

void cli_warn_run(const swq_sim_result *r, const char *where)
{
    if (r->cycles > 0 && !r->stationary)
        cli_note("%snot stationary: no end of the warm-up was found", where);
    if (short_for_sources(r))
        cli_note("%sthe slowest process of the sources takes %.4g cycles, and the run is only %.2g "
                 "times as long, not %d times",
                 where, r->source_cycles, source_times(r), SWQ_SOURCE_TIMES);
    char text[240];
    const char *unknown = unknown_text(r, text, sizeof text);
    if (r->cycles > 0 && unknown)
        cli_note("%sintervals: %s", where, unknown);
    else if (r->cycles > 0 && r->correlated)
        cli_note("%sthe batches are correlated, so the intervals may be too narrow", where);
    if (r->cycles > 0 && r->fairness.starved > 0)
        cli_note("%s%u of %u senders that offer load got nothing through", where,
                 r->fairness.starved, r->fairness.offering);
}

/* Why a run ended before its time. */
static void note_end(const swq_sim_result *r, const char *where)
{
    static const char *const words[] = {[SWQ_STOP_DEADLOCK] = "deadlock",
                                        [SWQ_STOP_LIVELOCK] = "livelock",
                                        [SWQ_STOP_INTERRUPTED] = "interrupted"};
    const unsigned long long cycles = r->cycles;
    const char *word = r->stopped_by < sizeof words / sizeof *words ? words[r->stopped_by] : NULL;

    if (!word)
        return;
    if (cycles == 0 && r->stopped_by == SWQ_STOP_DEADLOCK)
        cli_note("%sdeadlock, %llu cycle%s into the warm-up: nothing was measured", where,
                 (unsigned long long)r->warmup, cli_plural(r->warmup));
    else
        cli_note("%s%s: only %llu cycle%s measured", where, word, cycles,
                 cycles == 1 ? " was" : "s were");
}

static void note_precision(const swq_sim_result *r, double precision, const char *where)
{
    const swq_estimate *latency = &r->all.latency, *throughput = &r->all.throughput;

    if (r->unknown != SWQ_UNKNOWN_NOTHING)
        cli_note("%sthe precision of %g was not reached: there are no intervals", where, precision);
    else if (!(latency->mean > 0 && isfinite(latency->half_width)))
        cli_note("%sthe precision of %g was not reached: too little was delivered", where,
                 precision);
    else if (short_for_sources(r))
        cli_note("%sthe precision of %g was not reached: the run is %.2g times as long as the "
                 "slowest process of its sources, and a precision needs %d times",
                 where, precision, source_times(r), SWQ_SOURCE_TIMES);
    else
        cli_note(
            "%sthe precision of %g was not reached: mean latency is known to %.2g of itself and "
            "throughput to %.2g%s",
            where, precision, latency->half_width / latency->mean,
            throughput->half_width / throughput->mean,
            r->correlated ? ", if that, as the batches are correlated" : "");
}

void cli_note_run(const swq_sim_result *r, const swq_sim_options *o, bool sought, const char *where)
{
    static const char *const beyond[] = {
        [SWQ_BEYOND_HELD] = "past saturation: sources hold packets back for so long that "
                            "throughput falls behind the load",
        [SWQ_BEYOND_GROWING] = "past saturation: more packets come than leave, so what waits, and "
                               "with it the latency, grows with the length of the run; throughput "
                               "may fall, too, in longer ones",
    };

    if (!sought)
        note_end(r, where);
    if (!r->conserved)
        cli_note("%sa fault of this program: packets or bytes were lost or made", where);
    else if (!r->little_exact)
        cli_note("%sa fault of this program: Little's law does not hold exactly", where);
    if (r->precision_missed)
        note_precision(r, o->precision, where);
    if (r->beyond != SWQ_BEYOND_NOT && !sought)
        cli_note("%s%s", where, beyond[r->beyond]);
}

int cli_sim_status(const swq_sim_result *r)
{
    bool fine = r->conserved && r->little_exact && r->stopped_by != SWQ_STOP_DEADLOCK &&
                r->stopped_by != SWQ_STOP_LIVELOCK && r->stopped_by != SWQ_STOP_INTERRUPTED &&
                !r->precision_missed;
    return fine ? CLI_OK : CLI_FAILED;
}
