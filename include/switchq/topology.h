/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multistage networks of k x k switches: how the stages are wired, and which digit of a packet's
 * destination each stage looks at. Nodes, and the lines between two stages, are numbered 0 .. N-1,
 * N = k^stages; line l belongs to port l mod k of switch l / k.
 */
#ifndef SWITCHQ_TOPOLOGY_H
#define SWITCHQ_TOPOLOGY_H

#include "switchq/needs.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    SWQ_MAX_STAGES = 24,
    SWQ_MAX_NODES = 1 << 24 /* a network of a million nodes takes some GB */
};

/* One row of the table of topologies. */
typedef struct swq_topology {
    const char *name;
    const char *summary;
    const char *source;
    int stages; /* the only possible number of stages; 0: any */
    bool lone;  /* not a network but a single switch, as in swq_chain_generate */
    /* The line at which the wire that begins at `line` ends. boundary 0: from source `line` to the
     * first stage's inputs; boundary s: from the outputs of stage s-1 to the inputs of stage s;
     * boundary `stages`: from the last stage's outputs to the sinks. A permutation of 0 .. k^stages
     * - 1. */
    uint32_t (*wire)(int radix, int stages, int boundary, uint32_t line);
    /* Which digit of the destination (in base k, 0 is the least significant) is the output port in
     * `stage` (0 .. stages-1). */
    int (*digit)(int stages, int stage);
    swq_needs needs;
} swq_topology;

/* All topologies, ended by NULL; the first one is the default. */
extern const swq_topology *const swq_topologies[];

/* The row of that name. Errors: SWQ_EINVAL for an unknown name (suggesting the nearest). */
swq_status swq_topology_find(swq_context *ctx, const char *name, const swq_topology **topology);

/* N = radix^stages. Errors: SWQ_EINVAL if the topology has another number of stages, stages is not
 * 1 .. SWQ_MAX_STAGES, or N would exceed SWQ_MAX_NODES. */
swq_status swq_topology_nodes(swq_context *ctx, const swq_topology *topology, int radix, int stages,
                              uint32_t *nodes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
