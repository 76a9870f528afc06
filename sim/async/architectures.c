/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Switch architectures: where a switch has memory, and how fast its crossbar is. build (net.c)
 * turns a row into stores, channels and units; a row with stores of its own has hooks for that.
 * Room: sim. Includes base.
 */
#include "base/context.h"
#include "base/names.h"
#include "sim/frame/stores.h"
#include "switchq/switch.h"

#include <string.h>

const swq_architecture swq_input_queued = {
    .name = "input-queued",
    .summary = "a buffer at each input before a crossbar as fast as a link: --buffer",
    .source = "Frazier (1995), chapters 6 to 8",
    .place = "input queues, one buffer an input: a single FIFO (--buffer fifo) or several queues",
    .crosspoints_cost = "k^2 f",
    .arbitration = "--arbiter matches inputs with outputs",
    .input_buffers = true,
};

const swq_architecture swq_cioq = {
    .name = "cioq",
    .summary = "combined input and output queues: a crossbar of --speedup into a store before each "
               "link",
    .source = "Chuang, Goel, McKeown and Prabhakar (1999); Garcia et al. (RECN)",
    .place = "input and output queues",
    .crosspoints_cost = "k^2 f, as fast as --speedup",
    .arbitration = "--arbiter matches inputs with stores",
    .output_stores = true,
    .input_buffers = true,
};

const swq_architecture swq_output_queued = {
    .name = "output-queued",
    .summary = "whole packets go at once to a store before their link: a speedup of the ports",
    .source = "Karol, Hluchyj and Morgan (1987)",
    .place = "output queues, a buffer an output",
    .crosspoints_cost = "k^2 f, k times as fast",
    .arbitration = "none inside",
    .output_stores = true,
    .at_once = true,
};

const swq_architecture swq_hipiqs = {
    .name = "hipiqs",
    .summary = "an input buffer in chunks with a queue for each output, all read at once, and a "
               "small FIFO at each crosspoint",
    .source = "Sivaram, Stunkel and Panda (1997), 3",
    .place = "input queues, one buffer an input: several queues, read at once",
    .crosspoints_cost = "(k+2) k^2 f",
    .arbitration = "an arbiter an output, in turns from behind the last one on",
    .stores = &swq_stores_hipiqs,
    .chunks = true,
    .crosspoints = true,
};

const swq_architecture swq_crosspoint_queued = {
    .name = "crosspoint",
    .summary = "a buffer for each pair of an input and an output",
    .source = "Sivaram, Stunkel and Panda (1997), 2.1; SAFC of Frazier (1995)",
    .place = "input queues, several buffers an input: one for each output",
    .crosspoints_cost = "k^2 f",
    .arbitration = "an arbiter an output, in turns from behind the last one on",
    .stores = &swq_stores_crosspoint,
};

const swq_architecture swq_multi_buffer = {
    .name = "multi-buffer",
    .summary = "several FIFOs per input, all read at once; a packet joins the FIFO with the fewest "
               "packets",
    .source = "PaRC, Arctic (Boughton 1994), PRC (Mu et al. 1996)",
    .place = "input queues, several buffers an input: for any output",
    .crosspoints_cost = "k^3 f",
    .arbitration = "an arbiter an output, over all buffers, in turns",
    .stores = &swq_stores_several,
    .several = true,
};

const swq_architecture swq_central_queue = {
    .name = "central",
    .summary = "all ports share a memory in chunks with a queue for each output; packets wait for "
               "it in small FIFOs",
    .source = "Stunkel et al. (1995), SP2; Sivaram, Stunkel and Panda (1997), 2.2",
    .place = "output queues, a shared buffer: one module, as a wide memory or in banks",
    .crosspoints_cost = "3 k^2 f",
    .arbitration = "turns at the memory, a chunk at a time",
    .stores = &swq_stores_central,
    .chunks = true,
    .input_fifos = true,
};

const swq_architecture swq_prizma = {
    .name = "prizma",
    .summary = "as central, but in modules that each hold one packet, whatever its length",
    .source = "Denzel, Engbersen and Iliadis (1995); Sivaram, Stunkel and Panda (1997), 2.2",
    .place = "output queues, a shared buffer: modules",
    .crosspoints_cost = "2 k f times the modules",
    .arbitration = "none for the memory: modules are read and written at once",
    .stores = &swq_stores_central,
    .input_fifos = true,
    .modules = true,
};

const swq_architecture swq_wormhole_lanes = {
    .name = "wormhole",
    .summary = "wormhole routing over lanes (virtual channels) with a buffer each; packets move "
               "flit by flit and may lie in several switches",
    .source = "Dally (1992)",
    .place = "input queues, several buffers an input: one for each lane of the link",
    .crosspoints_cost = "k^2 f",
    .arbitration = "lanes in turns; the crossbar by one iteration of iSLIP",
    .stores = &swq_stores_lanes,
    .lanes = true,
};

const swq_architecture swq_atlas_cells = {
    .name = "atlas",
    .summary =
        "ATLAS-I: cells in a shared buffer with queues at the outputs; each cell needs a credit of "
        "its flow group and one of the link's pool; up to three priorities, and multicast",
    .source = "Katevenis, Serpanos and Spyridakis (1998), ATLAS I: 16x16, 256 cells",
    .place = "output queues, a shared buffer: one module, a part for each link",
    .crosspoints_cost = "2 k^2 f",
    .arbitration = "none inside: first in, first out among cells with a credit of their flow group",
    .stores = &swq_stores_atlas,
    .flow_groups = true,
    .copies = true,
};

const swq_architecture *const swq_architectures[] = {&swq_input_queued,
                                                     &swq_cioq,
                                                     &swq_output_queued,
                                                     &swq_hipiqs,
                                                     &swq_crosspoint_queued,
                                                     &swq_multi_buffer,
                                                     &swq_central_queue,
                                                     &swq_prizma,
                                                     &swq_wormhole_lanes,
                                                     &swq_atlas_cells,
                                                     NULL};

/* Does `name` name an architecture that exists only in stage cycles? */
static bool in_stage_cycles(const char *name)
{
    for (int k = 0; swq_stage_architectures[k]; k++) {
        if (strcmp(swq_stage_architectures[k]->name, name) == 0)
            return true;
    }
    return false;
}

swq_status swq_architecture_find(swq_context *ctx, const char *name, const swq_architecture **row)
{
    const void *found =
        swq_name_lookup(ctx, "architecture", name, (const void *const *)swq_architectures);
    if (!found && in_stage_cycles(name))
        return swq_fail(ctx, SWQ_EINVAL,
                        "architecture '%.60s' is modelled in stage cycles (--engine sync), not in "
                        "asynchronous networks",
                        name);
    if (!found)
        return SWQ_EINVAL;
    *row = found;
    return SWQ_OK;
}
