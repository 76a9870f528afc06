/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shortest way from a spec to an answer: a 2x2 switch with one packet slot per input, at load
 * 9/10. The exact answer is 81/382.
 */
#include <switchq/switchq.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
    swq_context *ctx = swq_context_new();
    swq_switch sw = {.ports = 2, .arbiter = swq_arbiters[0], .load = {0.9, 0.9}};
    swq_exact_options options = swq_exact_options_defaults();
    const swq_buffer_kind *fifo;
    swq_answers answers;

    swq_traffic_uniform(&sw);
    swq_status status = swq_buffer_kind_find(ctx, "fifo", &fifo);
    if (!status)
        status = swq_buffer_preset(ctx, fifo, sw.ports, 1, &sw.buffer);
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &answers);
    if (status) {
        fprintf(stderr, "%s\n", swq_context_message(ctx));
        swq_context_free(ctx);
        return 1;
    }
    printf("discard probability %.15f, proven to lie in %.15f .. %.15f\n", answers.discard.value,
           answers.discard.lower, answers.discard.upper);
    double off = fabs(answers.discard.value - 81.0 / 382);
    swq_answers_clear(ctx, &answers);
    swq_context_free(ctx);
    return off < 1e-15 ? 0 : 1;
}
