/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a sweep, as text and as JSON.
 */
#include "cli/record/record.h"
#include "cli/sweep/sweep.h"

#include <math.h>

static int64_t finished(const cli_sweep_outcome *o)
{
    return o->crew.done + o->crew.failed;
}

/* The counts of points by outcome, and the file that has them. */
static void put_counts(cli_record *root, const cli_sweep_outcome *o)
{
    cli_put_word(root, "study", o->study);
    cli_put_word(root, "database", o->database);
    cli_put_count(root, "point_count", (uint64_t)o->after.wanted);
    cli_put_count(root, "done", (uint64_t)o->after.done);
    cli_put_count(root, "failed", (uint64_t)o->after.failed);
    cli_put_count(root, "open", (uint64_t)o->after.open);
    cli_put_count(root, "running", (uint64_t)o->after.running);
    cli_put_count(root, "other_version", (uint64_t)o->after.other_version);
    cli_put_truth(root, "interrupted", o->interrupted);
    if (o->dry_run)
        cli_put_count(root, "to_compute", (uint64_t)o->to_compute);
    cli_record *run = cli_quietly(cli_put_group(root, "run", NULL));
    cli_put_count(run, "points_computed", (uint64_t)finished(o));
    cli_put_count(run, "failed", (uint64_t)o->crew.failed);
    cli_put_count(run, "already_there", (uint64_t)(o->before.done + o->before.failed));
    cli_put_count(run, "workers", (uint64_t)o->crew.workers);
    cli_put_number(run, "cpu_seconds", o->crew.cpu_seconds);
    cli_put_number(run, "wall_seconds", o->crew.wall_seconds);
    cli_put_number(run, "overhead_seconds", o->overhead_seconds);
}

/* The time that the sweep took. */
static void say_pace(cli_record *root, const cli_sweep_outcome *o)
{
    const double computed = (double)finished(o);
    char beside[60] = "";

    if (isfinite(o->overhead_seconds))
        snprintf(beside, sizeof beside, ", %.2g ms a point beside it",
                 1e3 * o->overhead_seconds / computed);
    cli_say(root, "  %.3g s of CPU by %d worker%s in %.3g s%s", o->crew.cpu_seconds,
            o->crew.workers, o->crew.workers == 1 ? "" : "s", o->crew.wall_seconds, beside);
}

static void say_counts(cli_record *root, const cli_sweep_outcome *o)
{
    const int64_t open = o->after.open + o->after.running;
    const long long wanted = (long long)o->after.wanted;
    char text[60] = "";

    if (open > 0)
        snprintf(text, sizeof text, ", %lld open", (long long)open);
    cli_say(root, "%s: %lld point%s, %lld done, %lld failed%s (in %s)", o->study, wanted,
            wanted == 1 ? "" : "s", (long long)o->after.done, (long long)o->after.failed, text,
            o->database);
    if (o->dry_run)
        cli_say(root, "  to be computed: %lld", (long long)o->to_compute);
    else
        cli_say(root, "  computed now %lld, there already %lld", (long long)finished(o),
                (long long)o->before.done + o->before.failed);
    if (finished(o) > 0)
        say_pace(root, o);
}

static void put_failures(cli_record *root, const cli_sweep_outcome *o)
{
    cli_record *failures = cli_put_list(root, "first_failures", NULL);

    for (int k = 0; k < 3 && k < o->crew.failed; k++) {
        cli_record *failure = cli_put_item(failures, NULL);
        cli_put_word(failure, "point", o->crew.failure[k].point);
        cli_put_word(failure, "message", o->crew.failure[k].message);
        cli_say(root, "  failed: switchq %s\n          %s", o->crew.failure[k].point,
                o->crew.failure[k].message);
    }
    if (o->crew.failed > 3)
        cli_say(root, "  and %lld more that failed", (long long)o->crew.failed - 3);
    if (o->before.failed > 0)
        cli_say(root, "  failed before: %lld; --retry tries them again",
                (long long)o->before.failed);
}

swq_status cli_sweep_print(swq_context *ctx, const cli_sweep_outcome *o, bool json)
{
    cli_record *root = cli_in_words(cli_record_new("switchq/sweep/1"));

    put_counts(root, o);
    say_counts(root, o);
    put_failures(root, o);
    if (o->after.other_version > 0)
        cli_say(root, "  answered by another version of switchq: %lld; --again computes them again",
                (long long)o->after.other_version);
    if (o->interrupted && o->after.wanted == 0)
        cli_say(root, "  interrupted before any point was begun; nothing was written");
    else if (o->interrupted)
        cli_say(root,
                "  interrupted; what was done is kept, and the same command goes on with the rest");
    return cli_record_print(ctx, root, json ? CLI_JSON : CLI_TEXT);
}
