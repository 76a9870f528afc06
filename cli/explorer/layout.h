/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the parts of a network are drawn: every store as a rectangle, with a name; the links; and
 * of networks of stages the links that lead to one node. In columns (stages, levels of a tree), or
 * as the grid that the nodes form.
 */
#ifndef SWQ_CLI_LAYOUT_H
#define SWQ_CLI_LAYOUT_H

#include "switchq/fabric.h"

#include "cli/print/output.h"
#include <stdio.h>

typedef struct cli_layout_of {
    const swq_fabric *fabric; /* laid out */
    bool pools;               /* multistage networks: a switch has one store for all its inputs */
    bool output_stores;       /* a switch has stores at its outputs, too */
    uint32_t marked;          /* a node: draw the links that lead to it, with the packets that wait
                                 for it; or SWQ_NO_WHERE */
    bool narrow;              /* the network is one of several side by side: draw only the links to
                                 `marked` */
} cli_layout_of;

typedef struct cli_layout {
    cJSON *json;     /* the input of report/explorer.js */
    uint32_t *store; /* [stores] the stores that are drawn, numbered as in switchq/frames.h */
    size_t stores;
} cli_layout;

/* Lays out the drawing of a network: positions of switches, nodes and links. Free the layout with
 * cli_layout_clear; a caller that keeps layout->json sets the member to NULL. Errors: SWQ_ENOMEM.
 * O(stores), and with a marked node O(switches * stages). */
swq_status cli_layout_make(swq_context *ctx, const cli_layout_of *of, cli_layout *layout);
void cli_layout_clear(cli_layout *layout);

#endif
