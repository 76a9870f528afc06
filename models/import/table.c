/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats that are read, and the files beside a chain.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <stdio.h>
#include <string.h>

const swq_import_format *const swq_import_formats[] = {
    &swq_import_tra, &swq_import_mtx, &swq_import_drn, &swq_import_csv, &swq_import_npy, NULL};

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);

    return length > end && strcmp(path + length - end, suffix) == 0;
}

swq_status swq_import_find(swq_context *ctx, const char *path, const swq_import_format **format)
{
    char known[80] = "";

    for (int k = 0; swq_import_formats[k]; k++) {
        const swq_import_format *row = swq_import_formats[k];
        if (ends_with(path, row->suffix)) {
            *format = row;
            return SWQ_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s",
                 !used                       ? ""
                 : swq_import_formats[k + 1] ? ", "
                                             : " or ",
                 row->suffix);
    }
    return swq_fail(ctx, SWQ_EINVAL, "a file with a chain must end in %s, not '%.120s'", known,
                    path);
}

/* path with `suffix` replaced by `other` */
static char *beside(swq_context *ctx, const char *path, const char *suffix, const char *other)
{
    size_t stem = strlen(path) - strlen(suffix), extra = strlen(other);
    char *name = swq_calloc(ctx, stem + extra + 1, 1);

    if (name)
        snprintf(name, stem + extra + 1, "%.*s%s", (int)stem, path, other);
    return name;
}

static swq_status read_companions(swq_context *ctx, const char *path, const char *suffix,
                                  bool rewards, swq_imported *chain)
{
    char *srew = beside(ctx, path, suffix, ".srew"), *sta = beside(ctx, path, suffix, ".sta"),
         *lab = beside(ctx, path, suffix, ".lab");
    swq_status status = srew && sta && lab ? SWQ_OK : swq_memory_status(ctx);

    if (!status && rewards)
        status = import_rewards(ctx, srew, true, chain);
    if (!status)
        status = import_names(ctx, sta, chain);
    if (!status)
        status = import_labels(ctx, lab, chain);
    swq_free(ctx, srew);
    swq_free(ctx, sta);
    swq_free(ctx, lab);
    return status;
}

swq_status swq_import_chain(swq_context *ctx, const char *path, const swq_import_options *options,
                            swq_imported *chain)
{
    const swq_import_options plain = {0}, *how = options ? options : &plain;
    const swq_import_format *format = swq_import_formats[0];
    swq_imported out = {0};
    swq_status status = swq_import_find(ctx, path, &format);

    if (!status && !(how->normalise >= 0 && how->normalise <= 1))
        status = swq_fail(ctx, SWQ_EINVAL, "rows may sum to one within 0 to 1, not within %g",
                          how->normalise);
    if (!status)
        status = format->read(ctx, path, how, &out);
    if (!status)
        status = import_scale(ctx, path, how, &out);
    if (!status && how->rewards) {
        swq_free(ctx, out.reward);
        swq_free(ctx, out.reward_name);
        out.reward = NULL;
        out.reward_name = NULL;
        status = import_rewards(ctx, how->rewards, false, &out);
    }
    if (!status && format->companions)
        status = read_companions(ctx, path, format->suffix, !how->rewards, &out);
    if (status) {
        swq_imported_clear(ctx, &out);
        return status;
    }
    *chain = out;
    return SWQ_OK;
}

void swq_imported_clear(swq_context *ctx, swq_imported *chain)
{
    swq_csr_clear(ctx, &chain->p);
    swq_free(ctx, chain->hold);
    swq_free(ctx, chain->stays);
    swq_free(ctx, chain->reward);
    swq_free(ctx, chain->reward_name);
    swq_free(ctx, chain->named);
    swq_free(ctx, chain->names);
    for (int k = 0; k < chain->labels; k++) {
        swq_free(ctx, chain->label[k].name);
        swq_free(ctx, chain->label[k].state);
    }
    swq_free(ctx, chain->label);
    *chain = (swq_imported){0};
}
