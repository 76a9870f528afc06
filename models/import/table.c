/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats that are read; rows made to sum to one; the files beside a chain.
 * Room: models. Includes base.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <math.h>
#include <string.h>

/* The sum of a row may differ from one by the rounding of decimals with ten digits. */
#define SUM_TOLERANCE 1e-9

const swq_import_format *const swq_import_formats[] = {&swq_import_tra, &swq_import_mtx, NULL};

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
        snprintf(known + used, sizeof known - used, "%s%s", used ? " or " : "", row->suffix);
    }
    return swq_fail(ctx, SWQ_EINVAL, "a file with a chain must end in %s, not '%.120s'", known,
                    path);
}

static swq_status scale_rows(swq_context *ctx, const char *path, swq_imported *chain)
{
    swq_csr *p = &chain->p;
    int64_t longest = 0;

    for (int64_t i = 0; i < p->rows; i++) {
        int64_t entries = p->start[i + 1] - p->start[i];
        double sum = 0;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            sum += p->value[e];
        if (!(fabs(sum - 1) <= SUM_TOLERANCE))
            return swq_fail(ctx, SWQ_EINVAL,
                            "'%.120s': the probabilities out of state %lld sum to %.12g, not to 1 "
                            "within %g",
                            path, (long long)i + chain->first, sum, SUM_TOLERANCE);
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            p->value[e] /= sum;
        chain->worst_sum = fmax(chain->worst_sum, fabs(sum - 1));
        longest = entries > longest ? entries : longest;
    }
    /* roundings of the numerator, of the denominator with its additions, and of the quotient */
    chain->roundings = 2 * chain->roundings + longest;
    return SWQ_OK;
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

swq_status swq_import_chain(swq_context *ctx, const char *path, const char *rewards,
                            swq_imported *chain)
{
    const swq_import_format *format = swq_import_formats[0];
    swq_imported out = {0};
    swq_status status = swq_import_find(ctx, path, &format);

    if (!status)
        status = format->read(ctx, path, &out);
    if (!status) {
        out.first = format->first;
        status = scale_rows(ctx, path, &out);
    }
    if (!status && rewards)
        status = import_rewards(ctx, rewards, false, &out);
    if (!status && format->companions)
        status = read_companions(ctx, path, format->suffix, !rewards, &out);
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
