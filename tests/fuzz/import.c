/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of other tools. The first byte says which format ('0' to '4'; 'p' to 't': its numbers are
 * rates); a line "%%" begins the next of the files beside the chain: rewards, states, labels.
 */
#define _GNU_SOURCE /* memmem */
#include "switchq/import.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT_BITS = 7, RATES_BIT = 64, FILES = 4, MEGABYTES = 64, MOST_ARRAY = 4096 };

static const char *const beside[FILES] = {NULL, ".srew", ".sta", ".lab"};

/* What was read is a chain: indices are in range and rows sum to one. */
static void look_at(const swq_imported *chain)
{
    for (int64_t row = 0; row < chain->p.rows; row++) {
        double sum = 0;
        for (int64_t k = chain->p.start[row]; k < chain->p.start[row + 1]; k++) {
            assert(chain->p.col[k] >= 0 && chain->p.col[k] < chain->p.cols);
            assert(chain->p.value[k] > 0);
            sum += chain->p.value[k];
        }
        assert(fabs(sum - 1) < 1e-9);
        assert(!chain->hold || (chain->hold[row] > 0 && isfinite(chain->hold[row])));
        assert(!chain->reward || (chain->reward[row] >= 0 && isfinite(chain->reward[row])));
    }
    for (int label = 0; label < chain->labels; label++) {
        for (int64_t k = 0; k < chain->label[label].states; k++)
            assert(chain->label[label].state[k] >= 0 &&
                   chain->label[label].state[k] < chain->p.rows);
    }
}

/* What NumPy writes before the header of an array, whose length is that of the first line: seeds
 * are text, without its zero bytes. */
static void write_array(const char *name, const uint8_t *data, size_t size)
{
    static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const uint8_t *end = memchr(data, '\n', size);
    const size_t header = end ? (size_t)(end - data) + 1 : size;
    uint8_t all[sizeof magic + 2 + MOST_ARRAY];

    size = size < MOST_ARRAY ? size : MOST_ARRAY;
    memcpy(all, magic, sizeof magic);
    all[sizeof magic] = header & 255;
    all[sizeof magic + 1] = header >> 8 & 255;
    memcpy(all + sizeof magic + 2, data, size);
    fuzz_file(name, all, sizeof magic + 2 + size);
}

static void write_files(const uint8_t *data, size_t size, const char *suffix)
{
    for (int file = 0; file < FILES; file++) {
        const uint8_t *end = memmem(data, size, "%%\n", 3);
        const size_t length = end ? (size_t)(end - data) : size;
        char name[40];

        snprintf(name, sizeof name, "chain%s", file ? beside[file] : suffix);
        if (file && size == 0)
            remove(name);
        else
            fuzz_file(name, data, length);
        if (!file && strcmp(suffix, ".npy") == 0)
            write_array(name, data, length);
        data += end ? length + 3 : size;
        size -= end ? length + 3 : size;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int formats = 0;
    char path[40];
    swq_imported chain = {0};

    if (size < 1)
        return 0;
    while (swq_import_formats[formats])
        formats++;
    const swq_import_format *format = swq_import_formats[(data[0] & FORMAT_BITS) % formats];
    const swq_import_options options = {.rates = (data[0] & RATES_BIT) != 0};
    swq_context *ctx = swq_context_new();
    assert(ctx);
    swq_context_limit_memory(ctx, (size_t)MEGABYTES << 20);
    write_files(data + 1, size - 1, format->suffix);
    snprintf(path, sizeof path, "chain%s", format->suffix);
    if (swq_import_chain(ctx, path, &options, &chain) == SWQ_OK) {
        look_at(&chain);
        swq_imported_clear(ctx, &chain);
    }
    assert(swq_context_live_blocks(ctx) == 0);
    swq_context_free(ctx);
    return 0;
}
