/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --status: how far a study is.
 * Room: cli.
 */
#include "base/context.h"
#include "cli/sweep_views.h"
#include "study/tally.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 8 }; /* reasons and the like in text; JSON has all */

typedef struct {
    const char *key, *what; /* of the list in JSON; what a line of it says */
} tally_names;

static const tally_names tally[SWQ_TALLIES] = {
    [SWQ_TALLY_REASONS] = {"reasons", "message"},
    [SWQ_TALLY_OWNERS] = {"at_work", "process"},
    [SWQ_TALLY_VERSIONS] = {"versions", "version"},
};

typedef struct {
    swq_store_counts count;
    swq_pace pace;
    cJSON *list[SWQ_TALLIES]; /* of {what, points} */
} standing;

typedef struct {
    swq_context *ctx;
    cJSON *list;
    const char *what;
} lister;

static swq_status add_line(void *arg, const char *what, int64_t points)
{
    lister *l = arg;
    cJSON *line = cJSON_CreateObject();

    cJSON_AddStringToObject(line, l->what, what);
    cJSON_AddNumberToObject(line, "points", (double)points);
    if (line && cJSON_AddItemToArray(l->list, line))
        return SWQ_OK;
    cJSON_Delete(line);
    return swq_fail(l->ctx, SWQ_ENOMEM, "no memory for the status");
}

static swq_status find_standing(swq_context *ctx, swq_store *store, standing *s)
{
    swq_status status = swq_store_count(ctx, store, &s->count);

    if (!status)
        status = swq_store_pace(ctx, store, &s->pace);
    for (int k = 0; k < SWQ_TALLIES && !status; k++) {
        s->list[k] = cJSON_CreateArray();
        status = swq_store_tally(ctx, store, (swq_tally)k, add_line,
                                 &(lister){ctx, s->list[k], tally[k].what});
    }
    return status;
}

/* Is anybody at work who is not known to have ended? */
static bool at_work(const standing *s)
{
    static const char gone[] = " (gone)"; /* study/tally.h */

    for (const cJSON *line = s->list[SWQ_TALLY_OWNERS]->child; line; line = line->next) {
        const char *who =
            cJSON_GetObjectItemCaseSensitive(line, tally[SWQ_TALLY_OWNERS].what)->valuestring;
        const size_t length = strlen(who);
        if (length < sizeof gone || strcmp(who + length + 1 - sizeof gone, gone) != 0)
            return true;
    }
    return false;
}

/* Seconds until all is done at the pace of the last minutes; NAN when nobody is at work or nothing
 * was finished yet. */
static double time_left(const standing *s)
{
    if (!at_work(s) || s->pace.recent == 0)
        return NAN;
    return (double)(s->count.open + s->count.running) * s->pace.seconds / (double)s->pace.recent;
}

/* CPU time that the open points take if they are like those that are done; NAN: not known. */
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

static void print_list(const cJSON *list, const char *what)
{
    int shown = 0;

    for (const cJSON *line = list->child; line; line = line->next) {
        const double points = cJSON_GetObjectItemCaseSensitive(line, "points")->valuedouble;
        const char *text = cJSON_GetObjectItemCaseSensitive(line, what)->valuestring;
        if (++shown > SHOWN)
            continue;
        printf("    %-8.0f %s\n", points, *text ? text : "(no message)");
    }
    if (shown > SHOWN)
        printf("    and %d others; --json lists them\n", shown - SHOWN);
}

static void print_status(const swq_store *store, const standing *s)
{
    const swq_store_counts *c = &s->count;
    const int64_t left = c->open + c->running;
    char text[40];

    printf("%s: %lld points\n\n", swq_store_path(store), (long long)c->wanted);
    printf("  done        %lld", (long long)c->done);
    if (c->wanted)
        printf("  (%.0f%%)", floor(100 * (double)c->done / (double)c->wanted));
    printf("\n  failed      %lld\n", (long long)c->failed);
    print_list(s->list[SWQ_TALLY_REASONS], tally[SWQ_TALLY_REASONS].what);
    printf("  under way   %lld\n", (long long)c->running);
    print_list(s->list[SWQ_TALLY_OWNERS], tally[SWQ_TALLY_OWNERS].what);
    printf("  open        %lld\n", (long long)c->open);
    if (left && isfinite(time_left(s)))
        printf("\n  about %s left at the pace of the last minutes (%.3g points a second)\n",
               duration(time_left(s), text, sizeof text), (double)s->pace.recent / s->pace.seconds);
    else if (left && isfinite(work_left(s)))
        printf("\n  about %s of CPU time left%s\n", duration(work_left(s), text, sizeof text),
               at_work(s) ? "" : "; nobody is at work");
    if (cJSON_GetArraySize(s->list[SWQ_TALLY_VERSIONS]) > 1) {
        puts("\n  answered by versions");
        print_list(s->list[SWQ_TALLY_VERSIONS], tally[SWQ_TALLY_VERSIONS].what);
    } else if (s->list[SWQ_TALLY_VERSIONS]->child) {
        printf("\n  answered by switchq %s\n",
               cJSON_GetObjectItemCaseSensitive(s->list[SWQ_TALLY_VERSIONS]->child, "version")
                   ->valuestring);
    }
}

/* ---- JSON ---- */

static cJSON *json_status(const swq_store *store, standing *s)
{
    cJSON *tree = cJSON_CreateObject();

    cJSON_AddStringToObject(tree, "schema", "switchq/sweep-status/1");
    cJSON_AddStringToObject(tree, "database", swq_store_path(store));
    cJSON_AddNumberToObject(tree, "points", (double)s->count.wanted);
    cJSON_AddNumberToObject(tree, "done", (double)s->count.done);
    cJSON_AddNumberToObject(tree, "failed", (double)s->count.failed);
    cJSON_AddNumberToObject(tree, "running", (double)s->count.running);
    cJSON_AddNumberToObject(tree, "open", (double)s->count.open);
    cJSON_AddNumberToObject(tree, "done_by_other_versions", (double)s->count.other_version);
    cJSON_AddNumberToObject(tree, "recent_points", (double)s->pace.recent);
    cli_json_number(tree, "recent_seconds", s->pace.seconds);
    cli_json_number(tree, "seconds_left", time_left(s));
    cli_json_number(tree, "cpu_seconds_left", work_left(s));
    for (int k = 0; k < SWQ_TALLIES; k++) {
        cJSON_AddItemToObject(tree, tally[k].key, s->list[k]);
        s->list[k] = NULL;
    }
    return tree;
}

swq_status cli_sweep_status(swq_context *ctx, swq_store *store, bool json)
{
    standing s = {0};
    swq_status status = find_standing(ctx, store, &s);

    if (!status && json) {
        status = cli_json_print(ctx, json_status(store, &s));
    } else if (!status) {
        print_status(store, &s);
        status = cli_flush(ctx);
    }
    for (int k = 0; k < SWQ_TALLIES; k++)
        cJSON_Delete(s.list[k]);
    return status;
}
