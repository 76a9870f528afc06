/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --rare: discards too rare for a plain simulation, by importance splitting.
 */
#include "switchq/rare.h"
#include "base/context.h"
#include "cli/options/parse.h"
#include "cli/options/shared.h"
#include "cli/sim/sim.h"
#include "cli/spec/async.h"
#include "cli/spec/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int rare;
static char *importance_text, *pilot_text;

/* --levels, which trees have, too. */
static const char *levels_given(void)
{
    return cli_text(cli_async_options, "levels");
}

static cli_parameter parameters[] = {
    {CLI_FLAG_IN("rare", SWQ_ENGINE_SYNC, &rare), CLI_OF_THE_RUN,
     .about =
         "measure discards too rare for a plain simulation, by importance splitting (RESTART): "
         "until they are known to within 10%, or to --precision, or for --cycles of each main "
         "path; 32 replications by default; of all priorities together"},
    {CLI_OPTION_IN("importance", "NAME", SWQ_ENGINE_SYNC, &importance_text), CLI_OF_THE_RUN,
     .about = "the measure of how near a discard is: 'switchq list importances' (default: the best "
              "in a pilot run)"},
    {CLI_OPTION_IN("pilot-steps", "N", SWQ_ENGINE_SYNC, &pilot_text),
     CLI_AT(CLI_BIG, swq_rare_options, pilot_steps), CLI_FROM(1000, 1e9), CLI_OF_THE_RUN,
     .about = "cycles of each round of the pilot run (default 50000)"},
    CLI_PARAMETERS_END,
};

struct poptOption cli_rare_options[] = {
    CLI_PARAMETERS(parameters),
    POPT_TABLEEND,
};

/* Options of the run and of the output that go with --rare. */
static const char *const shared[] = {"cycles",       "time",    "warmup", "precision",
                                     "replications", "threads", "seed",   "engine",
                                     "confidence",   "json",    "csv",    NULL};

/* ---- options ---- */

static swq_status read_levels(swq_context *ctx, swq_rare_level *level, swq_rare_options *o)
{
    const char *at = levels_given();

    o->level = level;
    o->levels = 0;
    if (strcmp(at, "none") == 0)
        return SWQ_OK;
    for (;;) {
        char *end;
        unsigned long threshold = strtoul(at, &end, 10);
        bool fine = *at >= '0' && *at <= '9' && *end == ':' && end[1] >= '0' && end[1] <= '9';
        unsigned long factor = fine ? strtoul(end + 1, &end, 10) : 0;
        if (!fine || (*end && *end != ',') || threshold < 1 || threshold > 1000000000 ||
            factor < 1 || factor > 1000000 || o->levels == SWQ_RARE_LEVELS)
            return swq_fail(ctx, SWQ_EINVAL,
                            "--levels must be none, or up to %d pairs of a threshold from 1 on and "
                            "a factor 1 to 1000000 such as 2:10,3:12, not '%.60s'",
                            SWQ_RARE_LEVELS, levels_given());
        level[o->levels++] = (swq_rare_level){(uint32_t)threshold, (int)factor};
        if (!*end)
            return SWQ_OK;
        at = end + 1;
    }
}

/* Told as soon as the pilot run is over, while there is still a choice. */
static void note_outlook(void *arg, const swq_rare_outlook *outlook)
{
    (void)arg;
    if (outlook->levels == 0 || outlook->gain < 1)
        cli_note("at a loss of about %.1g, which the pilot run found, crude simulation is cheaper "
                 "than splitting ('switchq sim' without --rare)",
                 outlook->loss);
}

static swq_status read_options(swq_context *ctx, const cli_run *run, swq_rare_level *level,
                               swq_rare_options *o)
{
    const swq_sim_options *s = &run->options;
    const char *cycles = cli_text(cli_run_options, "cycles");
    const char *precision = cli_text(cli_run_options, "precision");
    const char *replications = cli_text(cli_run_options, "replications");
    swq_status status = SWQ_OK;

    *o = swq_rare_defaults();
    o->piloted = note_outlook;
    o->seed = s->seed;
    o->threads = s->threads;
    o->warmup = s->warmup;
    o->confidence = s->confidence;
    o->plain = s->plain;
    if (replications)
        o->replications = s->replications;
    if (cycles)
        o->cycles = s->cycles;
    if (cycles || precision)
        o->precision = s->precision;
    if (importance_text)
        status = swq_importance_find(ctx, importance_text, &o->importance);
    if (!status)
        status = cli_parameters_read(ctx, parameters, o);
    if (!status && levels_given() && !importance_text)
        status = swq_fail(ctx, SWQ_EINVAL, "--levels needs --importance");
    if (!status && levels_given() && pilot_text)
        status = swq_fail(ctx, SWQ_EINVAL, "--pilot-steps does not go with --levels");
    if (!status && levels_given())
        status = read_levels(ctx, level, o);
    return status;
}

static const char *const stop_words[] = {[SWQ_STOP_CYCLES] = "cycles",
                                         [SWQ_STOP_PRECISION] = "precision",
                                         [SWQ_STOP_TIME] = "time",
                                         [SWQ_STOP_INTERRUPTED] = "interrupted"};

/* ---- the record ---- */

static void put_levels(cli_record *to, const swq_rare_result *r)
{
    cli_record *levels = cli_put_list(to, "levels", NULL);

    for (int i = 0; i < r->levels; i++) {
        cli_record *level = cli_put_item(levels, NULL);
        cli_put_count(level, "importance_threshold", r->level[i].level.threshold);
        cli_put_count(level, "factor", (uint64_t)r->level[i].level.factor);
        cli_put_estimate(level, "probability", r->level[i].probability);
    }
}

static void put_run(cli_record *root, const swq_rare_options *o, const swq_rare_result *r)
{
    cli_record *run = cli_quietly(cli_put_group(root, "run", NULL));

    cli_put_count(run, "seed", r->seed);
    cli_put_count(run, "replications", (uint64_t)r->replications);
    cli_put_count(run, "warmup_cycles", r->warmup);
    cli_put_count(run, "pilot_steps", r->pilot_steps);
    cli_put_count(run, "cycles", r->cycles);
    cli_put_count(run, "steps", r->steps);
    cli_put_number(run, "cpu_seconds", r->cpu_seconds);
    cli_put_number(run, "wall_seconds", r->wall_seconds);
    cli_not_in_csv(cli_put_count(run, "memory_bytes", r->bytes));
    cli_put_word(run, "stopped_by", stop_words[r->stopped_by]);
    cli_put_truth(run, "pilot_only", r->pilot_only);
    if (o->precision > 0)
        cli_put_truth(run, "precision_reached", !r->precision_missed);
    else
        cli_put_word(run, "precision_reached", NULL);
    cli_put_word(run, "engine", r->engine);
    cli_put_number(run, "confidence", o->confidence);
}

static void put_splitting(cli_record *root, const swq_rare_result *r)
{
    cli_record *splitting = cli_quietly(cli_put_group(root, "splitting", NULL));

    cli_put_word(splitting, "importance", r->importance->name);
    cli_put_count(splitting, "importance_most", r->importance_most);
    cli_put_number(splitting, "copies", r->copies);
    cli_put_number(splitting, "pilot_gain", r->pilot_gain);
    if (r->pilot_only) {
        cli_put_count(splitting, "importance_reached", r->reached);
        cli_put_number(splitting, "reached_probability", r->reached_probability);
    }
    put_levels(splitting, r);
    cli_put_count(splitting, "crossings", r->crossings);
    cli_put_count(splitting, "contributing", r->contributing);
    cli_put_number(splitting, "effective_families", r->families);
    cli_put_count(splitting, "discards_seen", r->discards);
}

static void put_result(cli_record *root, const cli_network *n, const swq_rare_result *r)
{
    cli_record *result = cli_quietly(cli_the_result(cli_put_group(root, "result", NULL)));
    cli_record *loss = cli_put_estimate(result, "discard_probability", r->discard_fraction);

    cli_put_number(loss, "relative", r->enough ? r->relative : NAN);
    cli_put_truth(result, "enough", r->enough);
    cli_record *stages = cli_put_list(result, "stages", NULL);
    for (int s = 0; s < n->network.shape.stages; s++)
        cli_put_estimate(cli_put_item(stages, NULL), "discard_probability", r->stage[s]);
    cli_put_number(result, "crude_cycles", r->enough ? r->crude_cycles : NAN);
    cli_put_number(result, "gain", r->enough ? r->gain : NAN);
}

/* ---- in sentences ---- */

/* Why there is no interval. A run stopped in its first moments may have enough families, but all in
 * one replication. */
static const char *lacking(const swq_rare_result *r)
{
    return r->pilot_only         ? "only the pilot run was begun: no interval"
           : r->replications < 2 ? "only 1 replication had begun: no interval"
                                 : "TOO FEW families for an interval";
}

static void say_loss(cli_record *to, const swq_rare_result *r)
{
    const swq_estimate *d = &r->discard_fraction;

    if (r->enough)
        cli_say(to, "  discard probability    %.4g +- %.2g (%.2g%%)", d->mean, d->half_width,
                100 * r->relative);
    else if (d->mean > 0)
        cli_say(to, "  discard probability    about %.1g: %s", d->mean, lacking(r));
    else
        cli_say(to, "  discard probability    no packet was lost: nothing can be told");
}

static const char *estimate_text(swq_estimate e, char *text, size_t size)
{
    if (isfinite(e.half_width))
        snprintf(text, size, "%.3g +- %.2g", e.mean, e.half_width);
    else if (e.mean > 0)
        snprintf(text, size, "about %.1g", e.mean);
    else
        snprintf(text, size, "none seen");
    return text;
}

static void say_levels(cli_record *to, const swq_rare_result *r)
{
    char text[40];

    if (r->levels > 0)
        cli_say(to, "    threshold  factor  probability of being there");
    for (int i = 0; i < r->levels; i++)
        cli_say(to, "    %9u  %6d  %s", r->level[i].level.threshold, r->level[i].level.factor,
                estimate_text(r->level[i].probability, text, sizeof text));
}

/* The estimates of a pilot run that was stopped. */
static void say_pilot(cli_record *to, const swq_rare_result *r)
{
    if (r->discard_fraction.mean > 0)
        cli_say(to, "  discard probability    about %.1g, by the pilot run alone: no interval",
                r->discard_fraction.mean);
    else
        cli_say(
            to,
            "  discard probability    no packet was lost in the pilot run: nothing can be told");
    cli_say(to, "\n  importance %s, 0 to %u; got to %u, where the network is for %.2g of the time",
            r->importance->name, r->importance_most, r->reached, r->reached_probability);
    say_levels(to, r);
    cli_say(to,
            "\n  %.3g cycles of pilot runs, seed %llu, engine %s; %.3f s of CPU\n"
            "  stopped by: %s, in the pilot run",
            (double)r->pilot_steps, (unsigned long long)r->seed, r->engine, r->cpu_seconds,
            stop_words[r->stopped_by]);
}

static void say_splitting(cli_record *to, const swq_rare_result *r)
{
    cli_say(to, "\n  importance %s, 0 to %u; %d level%s, %.3g copies at the top",
            r->importance->name, r->importance_most, r->levels, r->levels == 1 ? "" : "s",
            r->copies);
    say_levels(to, r);
    if (r->levels > 0)
        cli_say(to,
                "  %llu families, crossings of the first threshold by a main path; %llu lost "
                "packets",
                (unsigned long long)r->crossings, (unsigned long long)r->contributing);
    cli_say(to, "  effective number of families: %.3g%s", r->families,
            r->families >= SWQ_RARE_FAMILIES ? "" : " (50 are needed for an interval)");
}

static void say_run(cli_record *to, const swq_rare_options *o, const swq_rare_result *r)
{
    cli_say(to,
            "\n  %llu cycles of main paths in %d replication%s, after %llu of warm-up each; %.4g "
            "steps,\n  %.3g of pilot runs; %.3f s of CPU, seed %llu, engine %s",
            (unsigned long long)r->cycles, r->replications, r->replications == 1 ? "" : "s",
            (unsigned long long)r->warmup, (double)r->steps, (double)r->pilot_steps, r->cpu_seconds,
            (unsigned long long)r->seed, r->engine);
    cli_say(to, "  stopped by: %s; intervals: %g%%, from the replications",
            stop_words[r->stopped_by], 100 * o->confidence);
    if (r->enough)
        cli_say(to,
                "  crude simulation would need %.2g cycles or more for this: %.2g times as many",
                r->crude_cycles, r->gain);
}

static cli_record *record_of(const cli_network *n, const swq_rare_options *o,
                             const swq_rare_result *r)
{
    cli_record *root = cli_record_new("switchq/rare/1");
    char text[40];

    cli_put_network(root, n);
    put_run(root, o, r);
    put_splitting(root, r);
    put_result(root, n, r);
    if (r->pilot_only) {
        say_pilot(root, r);
        return root;
    }
    say_loss(root, r);
    for (int s = 0; s < n->network.shape.stages && n->network.shape.stages > 1 && r->enough; s++)
        cli_say(root, "    on arrival at stage %d  %s", s + 1,
                estimate_text(r->stage[s], text, sizeof text));
    say_splitting(root, r);
    say_run(root, o, r);
    return root;
}

/* ---- the question ---- */

typedef struct {
    cli_network n;
    cli_run run;
    swq_rare_options options;
    swq_rare_level level[SWQ_RARE_LEVELS];
    swq_rare_result result;
} rare_question;

static void clear_rare(swq_context *ctx, void *at)
{
    (void)ctx;
    cli_network_clear(&((rare_question *)at)->n);
}

static swq_status read_rare(swq_context *ctx, void *at, bool many)
{
    rare_question *q = at;
    const char *other = cli_given_but(cli_run_options, shared);

    if (!other)
        other = cli_given_but(cli_sim_output_options, shared);
    if (other)
        return swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --rare", other);
    swq_status status = cli_network_read(ctx, &q->n, CLI_LOAD_GIVEN);
    if (status)
        return status;
    const cli_run_of what = {.nodes = q->n.nodes, .cycles = 20000};
    status = cli_run_read(ctx, &what, &q->run);
    if (!status && cli_given(cli_network_options, "high") &&
        !cli_given(cli_network_options, "priority"))
        status = swq_fail(ctx, SWQ_EINVAL,
                          "--high without --priority changes nothing in --rare, which counts "
                          "packets of all priorities together");
    if (!status)
        status = read_options(ctx, &q->run, q->level, &q->options);
    if (many)
        q->options.threads = 1;
    if (status)
        clear_rare(ctx, q);
    return status;
}

/* If pilot runs do not get through, there is another way for a single switch. */
static void point_to_chain(swq_context *ctx)
{
    char message[400];

    snprintf(message, sizeof message, "%s", swq_context_message(ctx));
    (void)swq_fail(
        ctx, SWQ_ECONVERGE,
        "%s; for a single switch 'switchq solve' has it exactly, unless its chain is too large",
        message);
}

static swq_status answer_rare(swq_context *ctx, void *at)
{
    rare_question *q = at;
    const swq_status status = swq_rare_run(ctx, &q->n.network, &q->options, &q->result);

    if (status == SWQ_ECONVERGE && q->n.network.shape.stages == 1 &&
        q->n.network.sw.priority.fraction == 0)
        point_to_chain(ctx);
    return status;
}

static cli_record *record_rare(swq_context *ctx, const void *at)
{
    const rare_question *q = at;

    (void)ctx;
    return record_of(&q->n, &q->options, &q->result);
}

static int end_rare(swq_context *ctx, const void *at, const char *where)
{
    const rare_question *q = at;
    const swq_rare_options *o = &q->options;
    const swq_rare_result *r = &q->result;

    (void)ctx;
    if (r->stopped_by == SWQ_STOP_INTERRUPTED && r->enough)
        cli_note("%sinterrupted: %d of %d replications had begun", where, r->replications,
                 o->replications);
    if (!r->enough)
        cli_note("%s%s", where, lacking(r));
    if (r->precision_missed && r->enough && r->relative <= o->precision)
        cli_note("%sthe run ended before it was looked whether the precision of %g is reached: the "
                 "loss is known to %.2g of itself",
                 where, o->precision, r->relative);
    else if (r->precision_missed && r->enough)
        cli_note("%sthe precision of %g was not reached: the loss is known to %.2g of itself",
                 where, o->precision, r->relative);
    else if (r->precision_missed)
        cli_note("%sthe precision of %g was not reached: there is no interval", where,
                 o->precision);
    const bool fine = r->enough && !r->precision_missed && r->stopped_by != SWQ_STOP_INTERRUPTED;
    return fine ? CLI_OK : CLI_FAILED;
}

const cli_question_kind cli_sim_rare = {
    .stage = "networks",
    .size = sizeof(rare_question),
    .read = read_rare,
    .answer = answer_rare,
    .record = record_rare,
    .end = end_rare,
    .clear = clear_rare,
};
