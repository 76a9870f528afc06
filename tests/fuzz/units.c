/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities with units: what is read is in range, and reads back from what is printed. The first
 * byte says which quantity.
 */
#include "base/units.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void read_quantity(swq_context *ctx, swq_unit_kind kind, const char *text)
{
    char printed[SWQ_UNITS_TEXT];
    uint64_t value = 0, again = 0;

    if (swq_units_read(ctx, "quantity", kind, text, 3, UINT64_MAX, &value) != SWQ_OK)
        return;
    assert(value >= 3);
    swq_units_text(kind, value, printed);
    assert(strlen(printed) + 1 < sizeof printed);
    assert(swq_units_read(ctx, "quantity", kind, printed, 3, UINT64_MAX, &again) == SWQ_OK);
    assert(value == again);
}

static void read_memory(swq_context *ctx, const char *text)
{
    swq_memory_amount amount;
    uint64_t bytes = 0;

    if (swq_units_memory_read(ctx, "memory", text, &amount) == SWQ_OK &&
        swq_units_memory_bytes(ctx, "memory", &amount, 64, UINT64_C(6400000000000), 1, UINT64_MAX,
                               &bytes) == SWQ_OK)
        assert(bytes >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int lines;

    if (size < 1)
        return 0;
    char **line = fuzz_lines(data + 1, size - 1, &lines);
    swq_context *ctx = swq_context_new();
    assert(ctx && line);
    if (data[0] % 4 < 3)
        read_quantity(ctx, (swq_unit_kind)(data[0] % 4), line[0]);
    else
        read_memory(ctx, line[0]);
    swq_context_free(ctx);
    free(line);
    return 0;
}
