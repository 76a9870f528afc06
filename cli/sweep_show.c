/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a sweep, as text and as JSON.
 * Room: cli.
 */
#include "cli/sweep.h"

#include <math.h>

static int64_t finished(const cli_sweep_outcome *o)
{
    return o->crew.done + o->crew.failed;
}

static cJSON *json_of(const cli_sweep_outcome *o)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/sweep/1");
    cJSON_AddStringToObject(tree, "study", o->study);
    cJSON_AddStringToObject(tree, "database", o->database);
    cli_json_number(tree, "points", (double)o->after.wanted);
    cli_json_number(tree, "done", (double)o->after.done);
    cli_json_number(tree, "failed", (double)o->after.failed);
    cli_json_number(tree, "open", (double)o->after.open);
    cli_json_number(tree, "running", (double)o->after.running);
    cli_json_number(tree, "other_version", (double)o->after.other_version);
    cJSON_AddBoolToObject(tree, "interrupted", o->interrupted);
    if (o->dry_run)
        cli_json_number(tree, "to_compute", (double)o->to_compute);
    cJSON *run = cJSON_AddObjectToObject(tree, "run");
    cli_json_number(run, "computed", (double)finished(o));
    cli_json_number(run, "failed", (double)o->crew.failed);
    cli_json_number(run, "already_there", (double)(o->before.done + o->before.failed));
    cli_json_number(run, "workers", o->crew.workers);
    cli_json_number(run, "cpu_seconds", o->crew.cpu_seconds);
    cli_json_number(run, "wall_seconds", o->crew.wall_seconds);
    cli_json_number(run, "overhead_seconds", o->overhead_seconds);
    cJSON *failures = cJSON_AddArrayToObject(tree, "first_failures");
    for (int k = 0; k < 3 && k < o->crew.failed; k++) {
        cJSON *failure = cJSON_CreateObject();
        cJSON_AddStringToObject(failure, "point", o->crew.failure[k].point);
        cJSON_AddStringToObject(failure, "message", o->crew.failure[k].message);
        cJSON_AddItemToArray(failures, failure);
    }
    return tree;
}

static void print_text(const cli_sweep_outcome *o)
{
    const int64_t computed = finished(o), there = o->before.done + o->before.failed;
    const long long wanted = (long long)o->after.wanted;

    printf("%s: %lld point%s, %lld done, %lld failed", o->study, wanted, wanted == 1 ? "" : "s",
           (long long)o->after.done, (long long)o->after.failed);
    if (o->after.open + o->after.running > 0)
        printf(", %lld open", (long long)o->after.open + (long long)o->after.running);
    printf(" (in %s)\n", o->database);
    if (o->dry_run)
        printf("  to be computed: %lld\n", (long long)o->to_compute);
    else
        printf("  computed now %lld, there already %lld\n", (long long)computed, (long long)there);
    if (computed > 0)
        printf("  %.3g s of CPU by %d worker%s in %.3g s", o->crew.cpu_seconds, o->crew.workers,
               o->crew.workers == 1 ? "" : "s", o->crew.wall_seconds);
    if (computed > 0 && isfinite(o->overhead_seconds))
        printf(", %.2g ms a point beside it", 1e3 * o->overhead_seconds / (double)computed);
    if (computed > 0)
        putchar('\n');
    for (int k = 0; k < 3 && k < o->crew.failed; k++)
        printf("  failed: switchq %s\n          %s\n", o->crew.failure[k].point,
               o->crew.failure[k].message);
    if (o->crew.failed > 3)
        printf("  and %lld more that failed\n", (long long)o->crew.failed - 3);
    if (o->before.failed > 0)
        printf("  failed before: %lld; --retry tries them again\n", (long long)o->before.failed);
    if (o->after.other_version > 0)
        printf("  answered by another version of switchq: %lld; --again computes them again\n",
               (long long)o->after.other_version);
    if (o->interrupted && wanted == 0)
        printf("  interrupted before any point was begun; nothing was written\n");
    else if (o->interrupted)
        printf(
            "  interrupted; what was done is kept, and the same command goes on with the rest\n");
}

swq_status cli_sweep_print(swq_context *ctx, const cli_sweep_outcome *outcome, bool json)
{
    if (json)
        return cli_json_print(ctx, json_of(outcome));
    print_text(outcome);
    return cli_flush(ctx);
}
