/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --rare: discards too rare to be seen, by importance splitting.
 * Room: cli.
 */
#include "switchq/rare.h"
#include "base/context.h"
#include "cli/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int rare;
static char *importance_text, *levels_text, *pilot_text;

struct poptOption cli_rare_options[] = {
    {"rare", '\0', POPT_ARG_NONE, &rare, 0,
     "discards too rare to be seen, by importance splitting (RESTART): until they are known to "
     "within 10%, or to a precision, or for so many cycles of each main path; 32 replications by "
     "default; of all priorities together",
     NULL},
    {"importance", '\0', POPT_ARG_STRING, &importance_text, 0,
     "what says how near a discard is: 'switchq list importances' (default: the best in a pilot "
     "run)",
     "NAME"},
    {"levels", '\0', POPT_ARG_STRING, &levels_text, 0,
     "thresholds of that importance and how many times more copies there are from each on, or none "
     "(default: found by a pilot run)",
     "T:R[,T:R]|none"},
    {"pilot-steps", '\0', POPT_ARG_STRING, &pilot_text, 0,
     "cycles of each round of the pilot run (default 50000)", "N"},
    POPT_TABLEEND,
};

/* What of the run's and the output's options goes with --rare. */
static const char *const shared[] = {"cycles",  "warmup", "precision", "replications",
                                     "threads", "seed",   "engine",    "confidence",
                                     "json",    "csv",    NULL};

/* ---- options ---- */

static swq_status read_levels(swq_context *ctx, swq_rare_level *level, swq_rare_options *o)
{
    const char *at = levels_text;

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
                            SWQ_RARE_LEVELS, levels_text);
        level[o->levels++] = (swq_rare_level){(uint32_t)threshold, (int)factor};
        if (!*end)
            return SWQ_OK;
        at = end + 1;
    }
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
    if (!status && pilot_text)
        status = cli_big(ctx, "pilot-steps", pilot_text, 1000, 1e9, &o->pilot_steps);
    if (!status && levels_text && !importance_text)
        status = swq_fail(ctx, SWQ_EINVAL, "--levels needs --importance");
    if (!status && levels_text && pilot_text)
        status = swq_fail(ctx, SWQ_EINVAL, "--pilot-steps does not go with --levels");
    if (!status && levels_text)
        status = read_levels(ctx, level, o);
    return status;
}

/* ---- JSON ---- */

static const char *const stop_words[] = {[SWQ_STOP_CYCLES] = "cycles",
                                         [SWQ_STOP_PRECISION] = "precision",
                                         [SWQ_STOP_INTERRUPTED] = "interrupted"};

static void json_levels(cJSON *to, const swq_rare_result *r)
{
    cJSON *levels = cJSON_AddArrayToObject(to, "levels");

    for (int i = 0; i < r->levels; i++) {
        cJSON *level = cJSON_CreateObject();
        cJSON_AddItemToArray(levels, level);
        cJSON_AddNumberToObject(level, "threshold", r->level[i].level.threshold);
        cJSON_AddNumberToObject(level, "factor", r->level[i].level.factor);
        cli_json_estimate(level, "probability", r->level[i].probability);
    }
}

static cJSON *json_of(const cli_network *n, const swq_rare_options *o, const swq_rare_result *r)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/rare/1");
    cJSON_AddItemToObject(tree, "model", cli_json_network(n));
    cJSON *run = cJSON_AddObjectToObject(tree, "run");
    if (r->seed < UINT64_C(1) << 53) {
        cJSON_AddNumberToObject(run, "seed", (double)r->seed);
    } else {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)r->seed);
        cJSON_AddStringToObject(run, "seed", text);
    }
    cJSON_AddNumberToObject(run, "replications", r->replications);
    cJSON_AddNumberToObject(run, "warmup_cycles", (double)r->warmup);
    cJSON_AddNumberToObject(run, "pilot_steps", (double)r->pilot_steps);
    cJSON_AddNumberToObject(run, "cycles", (double)r->cycles);
    cJSON_AddNumberToObject(run, "steps", (double)r->steps);
    cli_json_number(run, "cpu_seconds", r->cpu_seconds);
    cli_json_number(run, "wall_seconds", r->wall_seconds);
    cJSON_AddNumberToObject(run, "bytes", (double)r->bytes);
    cJSON_AddStringToObject(run, "stopped_by", stop_words[r->stopped_by]);
    cJSON_AddStringToObject(run, "engine", r->engine);
    cli_json_number(run, "confidence", o->confidence);
    cJSON *splitting = cJSON_AddObjectToObject(tree, "splitting");
    cJSON_AddStringToObject(splitting, "importance", r->importance->name);
    cJSON_AddNumberToObject(splitting, "importance_most", r->importance_most);
    cli_json_number(splitting, "copies", r->copies);
    json_levels(splitting, r);
    cJSON_AddNumberToObject(splitting, "crossings", (double)r->crossings);
    cJSON_AddNumberToObject(splitting, "contributing", (double)r->contributing);
    cli_json_number(splitting, "families", r->families);
    cJSON_AddNumberToObject(splitting, "discards_seen", (double)r->discards);
    cJSON *result = cJSON_AddObjectToObject(tree, "result");
    cJSON *loss = cli_json_estimate(result, "discard_probability", r->discard_fraction);
    cli_json_number(loss, "relative", r->enough ? r->relative : NAN);
    cJSON_AddBoolToObject(result, "enough", r->enough);
    cJSON *stages = cJSON_AddArrayToObject(result, "stages");
    for (int s = 0; s < n->network.stages; s++) {
        cJSON *stage = cJSON_CreateObject();
        cJSON_AddItemToArray(stages, stage);
        cli_json_estimate(stage, "discard_probability", r->stage[s]);
    }
    cli_json_number(result, "crude_cycles", r->enough ? r->crude_cycles : NAN);
    cli_json_number(result, "gain", r->enough ? r->gain : NAN);
    return tree;
}

/* ---- CSV ---- */

static void print_csv(const cli_network *n, const swq_rare_result *r)
{
    puts("what,threshold,factor,mean,half_width,relative,families,contributing,steps,gain");
    printf("discard,,,%.9g", r->discard_fraction.mean);
    cli_csv_number(r->discard_fraction.half_width);
    cli_csv_number(r->enough ? r->relative : NAN);
    printf(",%.6g,%llu,%llu", r->families, (unsigned long long)r->contributing,
           (unsigned long long)r->steps);
    cli_csv_number(r->enough ? r->gain : NAN);
    putchar('\n');
    for (int s = 0; s < n->network.stages; s++) {
        printf("discard in stage %d,,,%.9g", s + 1, r->stage[s].mean);
        cli_csv_number(r->stage[s].half_width);
        puts(",,,,,");
    }
    for (int i = 0; i < r->levels; i++) {
        const swq_rare_level_result *l = &r->level[i];
        printf("level %d,%u,%d,%.9g", i + 1, l->level.threshold, l->level.factor,
               l->probability.mean);
        cli_csv_number(l->probability.half_width);
        puts(",,,,,");
    }
}

/* ---- text ---- */

/* Why there is no interval. A run stopped in its first moments may have families enough, but all of
 * one replication. */
static const char *lacking(const swq_rare_result *r)
{
    return r->replications < 2 ? "only 1 replication had begun: no interval"
                               : "TOO FEW families for an interval";
}

static void print_loss(const swq_rare_result *r)
{
    const swq_estimate *d = &r->discard_fraction;

    if (r->enough)
        printf("  discard probability    %.4g +- %.2g (%.2g%%)\n", d->mean, d->half_width,
               100 * r->relative);
    else if (d->mean > 0)
        printf("  discard probability    about %.1g: %s\n", d->mean, lacking(r));
    else
        puts("  discard probability    no packet was lost: nothing can be told");
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

static void print_text(const cli_network *n, const swq_rare_options *o, const swq_rare_result *r)
{
    char text[40];

    cli_network_print(n, true);
    print_loss(r);
    for (int s = 0; s < n->network.stages && n->network.stages > 1 && r->enough; s++)
        printf("    on arrival at stage %d  %s\n", s + 1,
               estimate_text(r->stage[s], text, sizeof text));
    printf("\n  importance %s, 0 to %u; %d level%s, %.3g copies at the top\n", r->importance->name,
           r->importance_most, r->levels, r->levels == 1 ? "" : "s", r->copies);
    if (r->levels > 0)
        puts("    threshold  factor  probability of being there");
    for (int i = 0; i < r->levels; i++)
        printf("    %9u  %6d  %s\n", r->level[i].level.threshold, r->level[i].level.factor,
               estimate_text(r->level[i].probability, text, sizeof text));
    if (r->levels > 0)
        printf("  %llu families, crossings of the first threshold by a main path; %llu lost "
               "packets\n",
               (unsigned long long)r->crossings, (unsigned long long)r->contributing);
    printf("  effective number of families: %.3g%s\n", r->families,
           r->families >= SWQ_RARE_FAMILIES ? "" : " (50 are needed for an interval)");
    printf("\n  %llu cycles of main paths in %d replication%s, after %llu of warm-up each; %.4g "
           "steps,\n  %.3g of pilot runs; %.3f s of CPU, seed %llu, engine %s\n",
           (unsigned long long)r->cycles, r->replications, r->replications == 1 ? "" : "s",
           (unsigned long long)r->warmup, (double)r->steps, (double)r->pilot_steps, r->cpu_seconds,
           (unsigned long long)r->seed, r->engine);
    printf("  stopped by: %s; intervals: %g%%, from the replications\n", stop_words[r->stopped_by],
           100 * o->confidence);
    if (r->enough)
        printf("  crude simulation would need %.2g cycles or more for this: %.2g times as many\n",
               r->crude_cycles, r->gain);
}

static int report(swq_context *ctx, const cli_network *n, const cli_run *run,
                  const swq_rare_options *o, const swq_rare_result *r)
{
    swq_status status;

    cli_clear_progress();
    if (run->json) {
        status = cli_json_print(ctx, json_of(n, o, r));
    } else {
        if (run->csv)
            print_csv(n, r);
        else
            print_text(n, o, r);
        status = cli_flush(ctx);
    }
    if (status)
        return cli_fail(ctx, status);
    if (run->csv && !r->enough)
        fprintf(stderr, "switchq: %s\n", lacking(r));
    return r->enough && r->stopped_by != SWQ_STOP_INTERRUPTED ? CLI_OK : CLI_FAILED;
}

/* Where pilot runs do not get through, one switch has another way. */
static void point_to_chain(swq_context *ctx)
{
    char message[400];

    snprintf(message, sizeof message, "%s", swq_context_message(ctx));
    (void)swq_fail(
        ctx, SWQ_ECONVERGE,
        "%s; for a single switch 'switchq solve' has it exactly, unless its chain is too large",
        message);
}

int cli_sim_rare(swq_context *ctx)
{
    static swq_rare_result result;
    swq_rare_level level[SWQ_RARE_LEVELS];
    swq_rare_options options;
    cli_run run = {0};
    cli_network n;
    const char *other = cli_given_but(cli_run_options, shared);
    if (!other)
        other = cli_given_but(cli_sim_output_options, shared);
    if (other)
        return cli_fail(ctx, swq_fail(ctx, SWQ_EINVAL, "--%s does not go with --rare", other));
    swq_status status = cli_network_read(ctx, &n, CLI_LOAD_GIVEN);
    if (status)
        return cli_fail(ctx, status);
    const cli_run_of what = {n.nodes, false, 20000};
    status = cli_run_read(ctx, &what, &run);
    if (!status)
        status = read_options(ctx, &run, level, &options);
    if (!status)
        status = swq_rare_run(ctx, &n.network, &options, &result);
    if (status == SWQ_ECONVERGE && n.network.stages == 1 && n.network.traffic.high_fraction == 0)
        point_to_chain(ctx);
    int end = status ? cli_fail(ctx, status) : report(ctx, &n, &run, &options, &result);
    cli_network_clear(&n);
    return end;
}
