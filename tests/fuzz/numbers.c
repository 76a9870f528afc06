/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers, ranges, sizes and words of options: what is taken is in range. The first byte says
 * which reader.
 */
#include "cli/options/parse.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void read_range(swq_context *ctx, const char *text, bool whole)
{
    double *value;
    int points;

    if (cli_range(ctx, "range", text, -50, 5000, whole, &value, &points) == SWQ_OK) {
        assert(points >= 1 && points <= CLI_MOST_POINTS);
        for (int k = 0; k < points; k++)
            assert(value[k] >= -50 && value[k] <= 5000 && (k == 0 || value[k] > value[k - 1]));
    }
    free(value);
}

static void read_one(swq_context *ctx, int how, const char *text)
{
    static const char *const words[] = {"one", "other", "another", NULL};
    double number;
    int whole;
    uint64_t big;
    size_t bytes;

    switch (how) {
    case 0:
        if (cli_integer(ctx, "integer", text, -3, 100, &whole) == SWQ_OK)
            assert(whole >= -3 && whole <= 100);
        break;
    case 1:
        if (cli_number(ctx, "number", text, -0.5, 1e9, &number) == SWQ_OK)
            assert(number >= -0.5 && number <= 1e9);
        break;
    case 2:
        if (cli_number_or_whole(ctx, "whole", text, 0, 1e6, true, &number) == SWQ_OK)
            assert(number >= 0 && number <= 1e6 && number == floor(number));
        break;
    case 3:
        if (cli_big(ctx, "big", text, 1, 0x1p53, &big) == SWQ_OK)
            assert(big >= 1 && big <= UINT64_C(1) << 53);
        break;
    case 4:
        if (cli_bytes(ctx, "bytes", text, &bytes) == SWQ_OK)
            assert(bytes >= 1 && (double)bytes <= 1e18);
        break;
    case 5:
        if (cli_word(ctx, "word", text, words, &whole) == SWQ_OK)
            assert(whole >= 0 && whole < 3);
        break;
    default:
        read_range(ctx, text, how == 6);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int lines;

    if (size < 1)
        return 0;
    char **line = fuzz_lines(data + 1, size - 1, &lines);
    swq_context *ctx = swq_context_new();
    assert(ctx && line);
    read_one(ctx, data[0] % 8, line[0]);
    swq_context_free(ctx);
    free(line);
    return 0;
}
