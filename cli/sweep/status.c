/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --status: the progress of a study.
 */
#include "base/context.h"
#include "cli/record/record.h"
#include "cli/sweep/views.h"
#include "study/tally.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 8 }; /* entries of a list in text; JSON has all of them */

typedef struct {
    const char *key, *what; /* key of the list in JSON; the noun for an entry of the list in text */
} tally_names;

static const tally_names tally[SWQ_TALLIES] = {
    [SWQ_TALLY_REASONS] = {"reasons", "message"},
    [SWQ_TALLY_OWNERS] = {"at_work", "process"},
    [SWQ_TALLY_VERSIONS] = {"versions", "version"},
};

typedef struct {
    swq_store_counts count;
    swq_pace pace;
    bool at_work; /* is anyone at work who is not known to have ended? */
} standing;

/* A list of the record for tallies, and their lines of text. */
typedef struct {
    cli_record *list, *text;
    swq_tally tally;
    standing *s;
    int lines;
} lister;

static swq_status add_line(void *arg, const char *what, int64_t points)
{
    static const char gone[] = " (gone)"; /* see study/tally.h */
    lister *l = arg;
    cli_record *line = cli_put_item(l->list, NULL);
    const size_t length = strlen(what);

    cli_put_word(line, tally[l->tally].what, what);
    cli_put_count(line, "point_count", (uint64_t)points);
    if (l->tally == SWQ_TALLY_OWNERS &&
        (length < sizeof gone || strcmp(what + length + 1 - sizeof gone, gone) != 0))
        l->s->at_work = true;
    if (l->lines++ < SHOWN)
        cli_say(l->text, "    %-8lld %s", (long long)points, *what ? what : "(no message)");
    return SWQ_OK;
}

/* Puts a list into the record and under a line of text of its own. */
static swq_status put_tally(swq_context *ctx, swq_store *store, swq_tally which, cli_record *root,
                            standing *s)
{
    lister l = {cli_put_list(root, tally[which].key, NULL), root, which, s, 0};
    swq_status status = swq_store_tally(ctx, store, which, add_line, &l);

    if (l.lines > SHOWN)
        cli_say(root, "    and %d others; --json lists them", l.lines - SHOWN);
    return status;
}

/* Seconds until everything is done at the pace of the last minutes; NAN if nobody is at work or
 * nothing has been finished yet. */
static double time_left(const standing *s)
{
    if (!s->at_work || s->pace.recent == 0)
        return NAN;
    return (double)(s->count.open + s->count.running) * s->pace.seconds / (double)s->pace.recent;
}

/* CPU time of the open points if they take as long as the points done; NAN: unknown. */
static double work_left(const standing *s)
{
    return (double)(s->count.open + s->count.running) * s->pace.cpu_seconds;
}

/* ---- text ---- */

static const char *duration(double seconds, char *text, size_t size)
{
    if (seconds < 120)
        snprintf(text, size, "%.*f s", seconds < 10 ? 1 : 0, seconds);
    else if (seconds < 2 * 3600)
        snprintf(text, size, "%.0f min", seconds / 60);
    else if (seconds < 2 * 86400)
        snprintf(text, size, "%.1f h", seconds / 3600);
    else
        snprintf(text, size, "%.1f days", seconds / 86400);
    return text;
}

static void put_counts(cli_record *root, const swq_store *store, const standing *s)
{
    cli_put_word(root, "database", swq_store_path(store));
    cli_put_count(root, "point_count", (uint64_t)s->count.wanted);
    cli_put_count(root, "done", (uint64_t)s->count.done);
    cli_put_count(root, "failed", (uint64_t)s->count.failed);
    cli_put_count(root, "running", (uint64_t)s->count.running);
    cli_put_count(root, "open", (uint64_t)s->count.open);
    cli_put_count(root, "done_by_other_versions", (uint64_t)s->count.other_version);
    cli_put_count(root, "recent_points", (uint64_t)s->pace.recent);
    cli_put_number(root, "recent_seconds", s->pace.seconds);
}

static void say_left(cli_record *root, const standing *s)
{
    const int64_t left = s->count.open + s->count.running;
    char text[40];

    if (left && isfinite(time_left(s)))
        cli_say(root, "\n  about %s left at the pace of the last minutes (%.3g points a second)",
                duration(time_left(s), text, sizeof text),
                (double)s->pace.recent / s->pace.seconds);
    else if (left && isfinite(work_left(s)))
        cli_say(root, "\n  about %s of CPU time left%s", duration(work_left(s), text, sizeof text),
                s->at_work ? "" : "; nobody is at work");
}

/* Counts and their lists; text has another order than JSON. */
static swq_status put_standing(swq_context *ctx, swq_store *store, cli_record *root, standing *s)
{
    const swq_store_counts *c = &s->count;
    char share[24] = "";

    put_counts(root, store, s);
    if (c->wanted)
        snprintf(share, sizeof share, "  (%.0f%%)",
                 floor(100 * (double)c->done / (double)c->wanted));
    cli_say(root, "%s: %lld points\n\n  done        %lld%s\n  failed      %lld",
            swq_store_path(store), (long long)c->wanted, (long long)c->done, share,
            (long long)c->failed);
    swq_status status = put_tally(ctx, store, SWQ_TALLY_REASONS, root, s);
    cli_say(root, "  under way   %lld", (long long)c->running);
    if (!status)
        status = put_tally(ctx, store, SWQ_TALLY_OWNERS, root, s);
    cli_say(root, "  open        %lld", (long long)c->open);
    cli_put_number(root, "seconds_left", time_left(s));
    cli_put_number(root, "cpu_seconds_left", work_left(s));
    say_left(root, s);
    if (c->done + c->failed > 0)
        cli_say(root, "\n  answered by switchq");
    return status ? status : put_tally(ctx, store, SWQ_TALLY_VERSIONS, root, s);
}

swq_status cli_sweep_status(swq_context *ctx, swq_store *store, bool json)
{
    cli_record *root = cli_in_words(cli_record_new("switchq/sweep-status/1"));
    standing s = {0};
    swq_status status = swq_store_count(ctx, store, &s.count);

    if (!status)
        status = swq_store_pace(ctx, store, &s.pace);
    if (!status)
        status = put_standing(ctx, store, root, &s);
    if (!status)
        return cli_record_print(ctx, root, json ? CLI_JSON : CLI_TEXT);
    cli_record_free(root);
    return status;
}
