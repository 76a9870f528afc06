// SPDX-License-Identifier: GPL-3.0-or-later
//
// A C++ program with all public headers on the shared library: a 2x2 switch with one packet slot
// per input, at load 9/10, loses 81/382 of its packets.
#include <switchq/switchq.h>
#include <switchq/validate.h>

#include <cmath>
#include <cstdio>

int main()
{
    swq_context *ctx = swq_context_new();
    swq_switch sw{};
    swq_exact_options options = swq_exact_options_defaults();
    const swq_buffer_kind *fifo = nullptr;
    swq_answers answers{};

    sw.ports = 2;
    sw.arbiter = swq_arbiters[0];
    sw.load[0] = sw.load[1] = 0.9;
    swq_traffic_uniform(&sw);
    swq_status status = swq_buffer_kind_find(ctx, "fifo", &fifo);
    if (!status)
        status = swq_buffer_preset(ctx, fifo, sw.ports, 1, &sw.buffer);
    if (!status)
        status = swq_exact_solve(ctx, &sw, &options, &answers);
    if (status)
        std::fprintf(stderr, "%s\n", swq_context_message(ctx));
    else
        std::printf("%.12f\n", answers.discard.value);
    const bool right = !status && std::fabs(answers.discard.value - 81.0 / 382) < 1e-15;
    swq_answers_clear(ctx, &answers);
    swq_context_free(ctx);
    return right ? 0 : 1;
}
