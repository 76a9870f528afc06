/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switches with buffers at their inputs, before a crossbar that an arbiter sets, and those with
 * stores behind the crossbar: their rows, and which form of the kernel a network needs.
 */
#include "sim/frame/timings.h"
#include "sim/switches/input_queued/kernels.h"
#include "switchq/detail.h"

/* Does the spec or do the options ask for anything that the lean kernels leave out? */
static bool is_general(const swq_async *spec, const swq_sim_options *options)
{
    const swq_detail *detail = options->detail;

    return spec->general || spec->sender.row || spec->memory.last_blocks ||
           swq_pieces_asked(spec) || swq_async_managed(spec) || spec->flow.row->hooks ||
           swq_messages_are_followed(spec) || swq_shape_adaptive(&spec->shape) ||
           (spec->architecture.row->async.output_stores &&
            spec->memory.buffer.read == SWQ_READ_EACH_QUEUE) ||
           (detail && (detail->node || detail->link || detail->measures));
}

static const swq_kernel *kernel(const swq_async *spec, const swq_sim_options *options, int ports)
{
    if (swq_links_unlike(spec))
        return ports > SWQ_MAX_FABRIC_PORTS ? &swq_kernel_unlike_wide : &swq_kernel_unlike;
    if (ports > SWQ_MAX_FABRIC_PORTS)
        return &swq_kernel_general_wide;
    if (is_general(spec, options))
        return &swq_kernel_general;
    if (spec->architecture.row->async.output_stores)
        return &swq_kernel_crossbar;
    return spec->memory.buffer.read == SWQ_READ_EACH_QUEUE ? &swq_kernel_read_ports
                                                           : &swq_kernel_plain;
}

const swq_architecture swq_input_queued = {
    .name = "input-queued",
    .summary = "a buffer at each input (or one pool) before a crossbar as fast as a link: --buffer",
    .source = "Frazier (1995), 4.2 and chapters 6 to 8",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
    .stage = {.input_buffers = true, .pools = true, .arbitrates = true, .move = SWQ_STEP_SEND},
    .async =
        {.place =
             "input queues, one buffer an input: a single FIFO (--buffer fifo) or several queues",
         .crosspoints_cost = "k^2 f",
         .arbitration = "--arbiter matches inputs with outputs",
         .input_buffers = true,
         .kernel = kernel},
};

const swq_architecture swq_cioq = {
    .name = "cioq",
    .summary = "combined input and output queues: a crossbar with --speedup into a queue before "
               "each output",
    .source = "Chuang, Goel, McKeown and Prabhakar (1999); Garcia et al. (RECN)",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .stage = {.input_buffers = true,
              .output_queues = true,
              .speedup = true,
              .arbitrates = true,
              .two_steps = true,
              .move = SWQ_STEP_TRANSFER,
              .depart = SWQ_STEP_DEPART},
    .async = {.place = "input and output queues",
              .crosspoints_cost = "k^2 f, as fast as --speedup",
              .arbitration = "--arbiter matches inputs with stores",
              .output_stores = true,
              .input_buffers = true,
              .kernel = kernel},
};

const swq_architecture swq_output_queued = {
    .name = "output-queued",
    .summary = "packets go at once to the queue of their output; --output-slots",
    .source = "Karol, Hluchyj and Morgan (1987); Hluchyj and Karol (1988)",
    .engines = SWQ_ENGINE_SYNC | SWQ_ENGINE_ASYNC,
    .needs = SWQ_NEEDS(SWQ_NEED_OUTPUTS),
    .stage = {.output_queues = true, .pools = true, .apart = true, .move = SWQ_STEP_SEND},
    .async = {.place = "output queues, a buffer an output",
              .crosspoints_cost = "k^2 f, k times as fast",
              .arbitration = "none inside",
              .output_stores = true,
              .at_once = true,
              .kernel = kernel},
};
