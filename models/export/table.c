/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of export formats, and writing all parts of one.
 */
#include "base/context.h"
#include "base/names.h"
#include "base/outfile.h"
#include "models/export/formats.h"
#include "models/gate.h"

#include <string.h>

enum { MOST_PARTS = 8 };

const swq_export_format *const swq_export_formats[] = {
    &swq_export_prism, &swq_export_drn,          &swq_export_mtx,
    &swq_export_dot,   &swq_export_prism_source, NULL,
};

swq_status swq_export_find(swq_context *ctx, const char *name, const swq_export_format **format)
{
    const void *row = swq_name_lookup(ctx, "format", name, (const void *const *)swq_export_formats);
    if (!row)
        return SWQ_EINVAL;
    *format = row;
    return SWQ_OK;
}

double swq_export_refused(const swq_export_data *data, int64_t state)
{
    int ports = swq_chain_switch(data->chain)->ports;
    double sum = 0;

    for (int i = 0; i < ports; i++)
        sum += swq_chain_refused(data->chain)[state * ports + i];
    return sum;
}

bool swq_export_full(const swq_export_data *data, int64_t state)
{
    for (int b = 0; b < swq_chain_buffers(data->chain); b++) {
        if (swq_chain_occupancy(data->chain, state, b) == swq_chain_capacity(data->chain))
            return true;
    }
    return false;
}

/* path + suffix, unless path is standard output, or there is a single part and path already has the
 * suffix */
static char *part_path(swq_context *ctx, const char *path, const char *suffix, bool single)
{
    size_t length = strlen(path), extra = strlen(suffix);
    char *full = swq_calloc(ctx, length + extra + 1, 1);

    if (!full)
        return NULL;
    bool has = single && length > extra && strcmp(path + length - extra, suffix) == 0;
    bool add = !has && strcmp(path, "-") != 0;
    snprintf(full, length + extra + 1, "%s%s", path, add ? suffix : "");
    return full;
}

/* All parts of a format, whole or not at all. */
static swq_status write_parts(swq_context *ctx, const swq_export_data *data,
                              const swq_export_format *format, const char *path)
{
    swq_outfile file[MOST_PARTS] = {{0}};
    swq_status status = SWQ_OK;
    int parts = 0;

    while (format->part[parts].suffix)
        parts++;
    for (int k = 0; k < parts && !status; k++) {
        char *full = part_path(ctx, path, format->part[k].suffix, parts == 1);
        status = full ? swq_outfile_open(ctx, full, &file[k]) : swq_memory_status(ctx);
        if (!status)
            format->part[k].write(file[k].stream, data);
        swq_free(ctx, full);
    }
    for (int k = 0; k < parts && !status; k++)
        status = swq_outfile_commit(ctx, &file[k]);
    for (int k = 0; k < parts; k++)
        swq_outfile_abort(ctx, &file[k]);
    return status;
}

static swq_status check(swq_context *ctx, const swq_switch *sw, const swq_export_format *format,
                        const char *path)
{
    int parts = 0;

    while (format->part[parts].suffix)
        parts++;
    if (parts > 1 && strcmp(path, "-") == 0)
        return swq_fail(ctx, SWQ_EINVAL, "format %s has %d files: give a path for them with -o",
                        format->name, parts);
    return format->check ? format->check(ctx, sw) : SWQ_OK;
}

/* May the format write the rules of this switch? */
static swq_status check_source(swq_context *ctx, const swq_switch *sw,
                               const swq_export_format *format)
{
    const swq_takes takes = {.who = format->name,
                             .needs =
                                 SWQ_NEEDS(SWQ_NEED_OPEN_PORTS) | SWQ_NEEDS(SWQ_NEED_PUSH_OUT) |
                                 SWQ_NEEDS(SWQ_NEED_ALL_LENGTHS) | SWQ_NEEDS(SWQ_NEED_KEPT_WORDS) |
                                 SWQ_NEEDS(SWQ_NEED_EXPULSION)};
    swq_status status = swq_chain_check(ctx, sw);

    if (!status)
        status = swq_gate_switch(ctx, &takes, sw);
    if (!status && !format->source)
        status =
            swq_fail(ctx, SWQ_EINVAL, "format %s is that of a chain, not of a spec", format->name);
    return status || !format->check ? status : format->check(ctx, sw);
}

swq_status swq_export_source_text(swq_context *ctx, const swq_switch *sw,
                                  const swq_export_format *format, int part, char **text)
{
    char *written = NULL, *kept;
    size_t size;
    swq_status status = check_source(ctx, sw, format);
    FILE *to = status ? NULL : open_memstream(&written, &size);

    if (status)
        return status;
    if (to)
        format->part[part].write(to, &(swq_export_data){.sw = sw});
    const bool whole = to && fclose(to) == 0;
    kept = whole ? swq_calloc(ctx, size + 1, 1) : NULL;
    if (kept)
        memcpy(kept, written, size);
    free(written);
    if (!kept)
        return whole ? swq_memory_status(ctx) : swq_fail(ctx, SWQ_ENOMEM, "no memory for a text");
    *text = kept;
    return SWQ_OK;
}

swq_status swq_export_write_source(swq_context *ctx, const swq_switch *sw,
                                   const swq_export_format *format, const char *path)
{
    swq_status status = check_source(ctx, sw, format);

    if (!status)
        status = check(ctx, sw, format, path);
    return status ? status : write_parts(ctx, &(swq_export_data){.sw = sw}, format, path);
}

swq_status swq_export_write(swq_context *ctx, const swq_chain *chain,
                            const swq_export_format *format, const char *path)
{
    const swq_switch *sw = swq_chain_switch(chain);
    swq_csr p = {0};

    if (format->source)
        return swq_export_write_source(ctx, sw, format, path);
    swq_status status = check(ctx, sw, format, path);
    if (status)
        return status;
    if (format->most_states && swq_chain_states(chain) > format->most_states)
        return swq_fail(ctx, SWQ_ELIMIT,
                        "format %s is for at most %lld states; this chain has %lld", format->name,
                        (long long)format->most_states, (long long)swq_chain_states(chain));
    status = swq_chain_matrix(ctx, chain, &p, NULL);
    if (!status)
        status = write_parts(ctx, &(swq_export_data){sw, chain, &p}, format, path);
    swq_csr_clear(ctx, &p);
    return status;
}
