/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of sizes of flows: what is read is a distribution, and its draws are monotone.
 */
#include "sim/datacentre/sizes.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    swq_context *ctx = swq_context_new();
    swq_flow_sizes sizes = {0};

    assert(ctx);
    fuzz_file("sizes.txt", data, size);
    if (swq_flow_sizes_read(ctx, "sizes", "file:sizes.txt", &sizes) == SWQ_OK) {
        const double mean = swq_flow_sizes_mean(&sizes), most = (double)swq_flow_sizes_most(&sizes);
        uint64_t before = swq_flow_sizes_least(&sizes);
        assert(mean >= 0 && mean <= most + 0.5);
        for (uint64_t word = 0; word < 64; word++) {
            const uint64_t bytes = swq_flow_sizes_draw(&sizes, word << 58);
            assert(bytes >= before && bytes >= 1 && (double)bytes <= most);
            before = bytes;
        }
        assert(swq_flow_sizes_share(&sizes, most + 1) == 1);
    }
    swq_flow_sizes_clear(ctx, &sizes);
    swq_context_free(ctx);
    return 0;
}
