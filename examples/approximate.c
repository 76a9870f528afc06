/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How large must buffers be for 0.7 packets per node and cycle? Approximated (within 5% here), for
 * three organisations of blocking 4 x 4 switches in three stages.
 */
#include <switchq/switchq.h>

#include <stdio.h>

int main(void)
{
    static const char *const kinds[] = {"samq", "safc", "damq"};
    swq_context *ctx = swq_context_new();
    swq_network network = {.shape.stages = 3, .traffic = swq_traffic_defaults()};
    const swq_buffer_kind *kind;
    swq_approx_result result;

    network.sw = (swq_switch){.ports = 4, .flow = SWQ_BLOCK, .credit = SWQ_CREDIT_NEXT};
    if (swq_fabric_find(ctx, "omega", &network.shape) ||
        swq_arbiter_find(ctx, "rotating", &network.sw.arbiter))
        goto failed;
    for (int k = 0; k < 3; k++) {
        int slots = 0;
        do {
            slots += 4;
            if (swq_buffer_kind_find(ctx, kinds[k], &kind) ||
                swq_buffer_preset(ctx, kind, 4, slots, &network.sw.buffer) ||
                swq_approx_run(ctx, &network, NULL, &result))
                goto failed;
        } while (result.throughput < 0.7);
        printf("%s: %2d slots an input carry %.3f, latency %.1f cycles\n", kinds[k], slots,
               result.throughput, result.latency);
    }
    swq_context_free(ctx);
    return 0;
failed:
    fprintf(stderr, "%s\n", swq_context_message(ctx));
    swq_context_free(ctx);
    return 1;
}
