/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sweep --export: a line for each point. The first pass over the points finds the columns,
 * the second writes; only one point is ever held.
 */
#include "base/context.h"
#include "base/outfile.h"
#include "base/text.h"
#include "cli/options/parse.h"
#include "cli/print/text.h"
#include "cli/sweep/flat.h"
#include "cli/sweep/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns of every point, before options and results. */
enum { FIXED = 5 };
static const char *const fixed_name[FIXED] = {"repeat", "seed", "version", "state", "message"};

typedef struct {
    swq_context *ctx;
    cli_names options, results;
    const cJSON **option, **result; /* [of each] the values of the current point; NULL: none */
    FILE *stream;
    bool json;
    int64_t lines;
} export_table;

static swq_status find_columns(void *arg, const swq_row *row)
{
    export_table *t = arg;
    cJSON *options = NULL, *answer = NULL;

    swq_status status = cli_sweep_parse(t->ctx, row, row->options, &options);
    if (!status)
        status = cli_sweep_parse(t->ctx, row, row->answer, &answer);
    if (!status)
        status = cli_sweep_option_names(t->ctx, options, &t->options);
    if (!status)
        status = cli_sweep_result_names(t->ctx, answer, false, &t->results);
    cJSON_Delete(options);
    cJSON_Delete(answer);
    return status;
}

/* ---- CSV as RFC 4180 has it ---- */

static void csv_header(const export_table *t)
{
    fputs("command", t->stream);
    for (int k = 0; k < t->options.count; k++) {
        putc(',', t->stream);
        swq_csv_text(t->stream, t->options.name[k]);
    }
    for (int k = 0; k < FIXED; k++)
        fprintf(t->stream, ",%s", fixed_name[k]);
    for (int k = 0; k < t->results.count; k++) {
        putc(',', t->stream);
        swq_csv_text(t->stream, t->results.name[k]);
    }
    fputs("\r\n", t->stream);
}

static void csv_value(FILE *stream, const cJSON *value)
{
    char number[40];

    putc(',', stream);
    if (cJSON_IsString(value))
        swq_csv_text(stream, value->valuestring);
    else if (value)
        fputs(cli_flat_text(value, number), stream);
}

static void csv_line(const export_table *t, const swq_row *row, const char *const fixed[FIXED])
{
    swq_csv_text(t->stream, row->command);
    for (int k = 0; k < t->options.count; k++)
        csv_value(t->stream, t->option[k]);
    for (int k = 0; k < FIXED; k++) {
        putc(',', t->stream);
        swq_csv_text(t->stream, fixed[k] ? fixed[k] : "");
    }
    for (int k = 0; k < t->results.count; k++)
        csv_value(t->stream, t->result[k]);
    fputs("\r\n", t->stream);
}

/* ---- JSON: an array with one object per line, which omits columns that a point lacks ---- */

static swq_status json_text(const export_table *t, const char *text)
{
    cJSON *item = cJSON_CreateStringReference(text);
    char *quoted = cli_json_text(item, false);

    cJSON_Delete(item);
    if (!quoted)
        return swq_fail(t->ctx, SWQ_ENOMEM, "no memory for the export");
    fputs(quoted, t->stream);
    free(quoted);
    return SWQ_OK;
}

static swq_status json_member(const export_table *t, const char *name, const cJSON *value)
{
    char number[40];

    if (!value)
        return SWQ_OK;
    putc(',', t->stream);
    swq_status status = json_text(t, name);
    putc(':', t->stream);
    if (cJSON_IsString(value))
        return status ? status : json_text(t, value->valuestring);
    fputs(cli_flat_text(value, number), t->stream);
    return status;
}

static swq_status json_line(const export_table *t, const swq_row *row,
                            const char *const fixed[FIXED])
{
    fputs(t->lines ? ",\n{\"command\":" : "\n{\"command\":", t->stream);
    swq_status status = json_text(t, row->command);
    for (int k = 0; k < t->options.count && !status; k++)
        status = json_member(t, t->options.name[k], t->option[k]);
    for (int k = 0; k < FIXED && !status; k++) {
        if (!fixed[k])
            continue;
        fprintf(t->stream, ",\"%s\":", fixed_name[k]);
        if (k < 2) /* repeat and seed are numbers */
            fputs(fixed[k], t->stream);
        else
            status = json_text(t, fixed[k]);
    }
    for (int k = 0; k < t->results.count && !status; k++)
        status = json_member(t, t->results.name[k], t->result[k]);
    putc('}', t->stream);
    return status;
}

/* ---- the second pass ---- */

static swq_status take_result(void *arg, const char *key, const cJSON *value)
{
    export_table *t = arg;
    const int at = cli_names_find(&t->results, key);

    if (at >= 0) /* a result that appeared after the first pass has no column */
        t->result[at] = value;
    return SWQ_OK;
}

static swq_status write_row(void *arg, const swq_row *row)
{
    export_table *t = arg;
    cJSON *options = NULL, *answer = NULL;
    char repeat[16], seed[24];

    snprintf(repeat, sizeof repeat, "%d", row->repeat);
    snprintf(seed, sizeof seed, "%" PRIu64, row->seed);
    const char *const fixed[FIXED] = {repeat, row->seeded ? seed : NULL, row->version, row->state,
                                      row->message && *row->message ? row->message : NULL};
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    memset(t->option, 0, (size_t)t->options.count * sizeof *t->option);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    memset(t->result, 0, (size_t)t->results.count * sizeof *t->result);
    swq_status status = cli_sweep_parse(t->ctx, row, row->options, &options);
    if (!status)
        status = cli_sweep_parse(t->ctx, row, row->answer, &answer);
    for (const cJSON *o = options ? options->child : NULL; o && !status; o = o->next) {
        const int at = cli_names_find(&t->options, o->string);
        if (at >= 0)
            t->option[at] = o;
    }
    if (!status)
        status = cli_flat_walk(answer, take_result, t);
    if (!status && t->json)
        status = json_line(t, row, fixed);
    else if (!status)
        csv_line(t, row, fixed);
    cJSON_Delete(options);
    cJSON_Delete(answer);
    if (!status && swq_context_cancelled(t->ctx))
        status = swq_fail(t->ctx, SWQ_ECANCELLED, "cancelled");
    t->lines++;
    return status;
}

static swq_status write_table(export_table *t, swq_store *store)
{
    if (t->json)
        putc('[', t->stream);
    else
        csv_header(t);
    swq_status status = swq_store_rows(t->ctx, store, NULL, write_row, t);
    if (t->json)
        fputs("\n]\n", t->stream);
    return status;
}

swq_status cli_sweep_export(swq_context *ctx, swq_store *store, const char *format,
                            const char *path)
{
    static const char *const formats[] = {"csv", "json", NULL};
    export_table t = {.ctx = ctx};
    swq_outfile file = {0};
    int as;

    swq_status status = cli_word(ctx, "export", format, formats, &as);
    t.json = as == 1;
    if (!status)
        status = swq_store_rows(ctx, store, NULL, find_columns, &t);
    if (!status) {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
        t.option = swq_calloc(ctx, (size_t)t.options.count + 1, sizeof *t.option);
        // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
        t.result = swq_calloc(ctx, (size_t)t.results.count + 1, sizeof *t.result);
        if (!t.option || !t.result)
            status = swq_memory_status(ctx);
    }
    if (!status)
        status = swq_outfile_open(ctx, path ? path : "-", &file);
    if (!status) {
        t.stream = file.stream;
        status = write_table(&t, store);
    }
    if (!status)
        status = swq_outfile_commit(ctx, &file);
    swq_outfile_abort(ctx, &file);
    swq_free(ctx, t.option);
    swq_free(ctx, t.result);
    cli_names_clear(ctx, &t.options);
    cli_names_clear(ctx, &t.results);
    return status;
}
