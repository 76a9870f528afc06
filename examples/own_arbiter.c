/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A new arbiter is one function and one row: here, input 0 always comes first and takes a random
 * queue, then input 1. Written against the dice, it can be enumerated and simulated alike; the
 * chain shows what such unfairness costs.
 */
#include <switchq/switchq.h>

#include <stdio.h>

static void favour_input_0(const swq_requests *requests, swq_dice *dice, int *grant)
{
    for (int j = 0; j < requests->ports; j++)
        grant[j] = SWQ_NO_INPUT;
    for (int i = 0; i < requests->ports; i++) {
        int open[SWQ_MAX_PORTS], count = 0;
        for (int j = 0; j < requests->ports; j++) {
            if (requests->length[i][j] && grant[j] == SWQ_NO_INPUT)
                open[count++] = j;
        }
        if (count)
            grant[open[swq_dice_fair(dice, count)]] = i;
    }
}

int main(void)
{
    static const swq_arbiter mine = {.name = "favour-0",
                                     .summary = "input 0 first",
                                     .source = "example",
                                     .arbitrate = favour_input_0};
    swq_context *ctx = swq_context_new();
    swq_switch sw = {.ports = 2, .arbiter = &mine, .load = {0.9, 0.9}};
    swq_exact_options options = swq_exact_options_defaults();
    const swq_buffer_kind *damq;
    swq_answers answers;

    swq_traffic_uniform(&sw);
    swq_status status = swq_buffer_kind_find(ctx, "damq", &damq);
    if (!status)
        status = swq_buffer_preset(ctx, damq, sw.ports, 4, &sw.buffer);
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &answers);
    if (status) {
        fprintf(stderr, "%s\n", swq_context_message(ctx));
        swq_context_free(ctx);
        return 1;
    }
    printf("input 0 loses %.4f %%, input 1 loses %.4f %%\n", 100 * answers.discard_input[0],
           100 * answers.discard_input[1]);
    bool unfair = answers.discard_input[0] < answers.discard_input[1];
    swq_answers_clear(ctx, &answers);
    swq_context_free(ctx);
    return unfair ? 0 : 1;
}
