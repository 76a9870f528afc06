/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of what a network has, as they are in a browser: switches with buffers at their inputs
 * in stages of stage cycles, and nothing of asynchronous networks. The rows of the program, in
 * sim/switches/input_queued/rows.c and sim/fabrics/multistage.c, name functions of the asynchronous
 * engine; web/test.js sees that the rows here give the program's numbers.
 */
#include "switchq/async.h"

const swq_architecture swq_input_queued = {
    .name = "input-queued",
    .engines = SWQ_ENGINE_SYNC,
    .stage = {.input_buffers = true, .pools = true, .arbitrates = true, .move = SWQ_STEP_SEND},
};
const swq_architecture *const swq_architectures[] = {&swq_input_queued, NULL};

const swq_fabric_kind swq_fabric_multistage = {
    .name = "multistage",
    .engines = SWQ_ENGINE_SYNC,
    .parameters = SWQ_HAS_PORTS | SWQ_HAS_STAGES,
};
const swq_fabric_kind *const swq_fabric_kinds[] = {&swq_fabric_multistage, NULL};

/* Stages have one route, and no rule of asynchronous networks: a row of these tables is never set.
 */
const swq_routing *const swq_routings[] = {NULL};
const swq_hop_flow *const swq_hop_flows[] = {NULL};
const swq_sender_scheme *const swq_sender_schemes[] = {NULL};
const swq_selection *const swq_selections[] = {NULL};
const swq_lane_choice *const swq_lane_choices[] = {NULL};
const swq_management *const swq_managements[] = {NULL};
