/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NumPy's .npy: a square array of float64, in the order of C or of Fortran. Source: NumPy's
 * documentation, "numpy.lib.format", versions 1.0 to 3.0.
 */
#include "base/context.h"
#include "models/import/formats.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HEADER = 4096, BLOCK = 4096 };

typedef struct {
    swq_context *ctx;
    const char *path;
    FILE *stream;
    bool fortran;
    int64_t states;
} npy_reader;

static swq_status fail(const npy_reader *r, const char *what)
{
    return swq_fail(r->ctx, SWQ_EINVAL, "'%.120s': %s", r->path, what);
}

static swq_status read_bytes(const npy_reader *r, void *to, size_t bytes)
{
    if (fread(to, 1, bytes, r->stream) == bytes)
        return SWQ_OK;
    if (ferror(r->stream))
        return swq_fail(r->ctx, SWQ_EIO, "cannot read '%.200s': %s", r->path, strerror(errno));
    return fail(r, "the file ends before the array does");
}

/* What follows the key in the header, a Python dictionary; "" if the key is missing. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);

    at = at ? strchr(at + strlen(key), ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : "";
}

static swq_status read_shape(npy_reader *r, const char *shape)
{
    long long rows = 0, columns = 0;
    int used = 0;

    if (sscanf(shape, "(%18lld, %18lld%n", &rows, &columns, &used) != 2 || shape[used] != ')')
        return fail(r, "the array must have two dimensions");
    if (rows != columns || rows < 1)
        return swq_fail(r->ctx, SWQ_EINVAL,
                        "'%.120s': a transition matrix must be square, not %lld x %lld", r->path,
                        rows, columns);
    if (rows > INT32_MAX)
        return fail(r, "there are more states than can be numbered");
    r->states = rows;
    return SWQ_OK;
}

static swq_status read_header(npy_reader *r)
{
    char header[MOST_HEADER + 1] = "";
    unsigned char first[12] = {0};
    size_t length;
    swq_status status = read_bytes(r, first, 10);

    if (status || memcmp(first, "\x93NUMPY", 6) != 0)
        return status == SWQ_EIO ? status : fail(r, "the file is not an array of NumPy");
    length = first[8] | (size_t)first[9] << 8;
    if (first[6] > 1) {
        status = read_bytes(r, first + 10, 2);
        length |= (size_t)first[10] << 16 | (size_t)first[11] << 24;
    }
    if (!status && (length > MOST_HEADER || first[6] < 1 || first[6] > 3))
        status = fail(r, "the header of the array is of an unknown version, or too long");
    if (!status)
        status = read_bytes(r, header, length);
    if (status)
        return status;
    if (strncmp(value_of(header, "'descr'"), "'<f8'", 5) != 0)
        return fail(r, "the numbers must be float64 in little-endian order ('<f8')");
    r->fortran = strncmp(value_of(header, "'fortran_order'"), "True", 4) == 0;
    return read_shape(r, value_of(header, "'shape'"));
}

static double decode(const unsigned char *byte)
{
    uint64_t bits = 0;
    double value;

    for (int k = 7; k >= 0; k--)
        bits = bits << 8 | byte[k];
    memcpy(&value, &bits, sizeof value);
    return value;
}

static swq_status add(const npy_reader *r, int64_t row, int64_t column, double value,
                      transitions *t)
{
    char text[160] = "a number must be 0 or between 1e-290 and 1e290 in size";

    if ((value == 0 || (fabs(value) >= 1e-290 && fabs(value) <= 1e290)) &&
        !transitions_refuse(t, row == column, value, text))
        return transitions_add(r->ctx, t, row, column, value);
    return swq_fail(r->ctx, SWQ_EINVAL, "'%.120s', row %lld, column %lld (counted from 0): %s",
                    r->path, (long long)row, (long long)column, text);
}

static swq_status read_numbers(const npy_reader *r, transitions *t)
{
    unsigned char block[8 * BLOCK];
    const int64_t all = r->states * r->states;
    swq_status status = SWQ_OK;

    for (int64_t at = 0; at < all && !status; at += BLOCK) {
        const int64_t count = all - at < BLOCK ? all - at : BLOCK;
        if (swq_context_cancelled(r->ctx))
            return swq_fail(r->ctx, SWQ_ECANCELLED, "interrupted while reading '%.200s'", r->path);
        status = read_bytes(r, block, 8 * (size_t)count);
        for (int64_t k = 0; k < count && !status; k++) {
            const int64_t slow = (at + k) / r->states, fast = (at + k) % r->states;
            status = add(r, r->fortran ? fast : slow, r->fortran ? slow : fast,
                         decode(block + 8 * k), t);
        }
    }
    if (!status && getc(r->stream) != EOF)
        status = fail(r, "there is more than the array in the file");
    return status;
}

static swq_status read_npy(swq_context *ctx, const char *path, const swq_import_options *options,
                           swq_imported *chain)
{
    npy_reader r = {.ctx = ctx, .path = path, .stream = fopen(path, "rb")};
    transitions t = transitions_begin(options);

    if (!r.stream)
        return swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", path, strerror(errno));
    swq_status status = read_header(&r);
    if (!status)
        status = read_numbers(&r, &t);
    fclose(r.stream);
    if (!status)
        status = transitions_sort(ctx, &t, r.states, chain);
    transitions_clear(ctx, &t);
    return status;
}

const swq_import_format swq_import_npy = {
    .name = "npy",
    .summary = "a square array of float64 that NumPy saved",
    .suffix = ".npy",
    .read = read_npy,
};
