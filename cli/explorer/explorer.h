/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The explorer: the contents of every store of a network over time, on a page. report/explorer.js
 * shows the tree that is made here. The report shows several networks side by side, and sim
 * --watch shows one.
 */
#ifndef SWQ_CLI_EXPLORER_H
#define SWQ_CLI_EXPLORER_H

#include "cli/explorer/layout.h"

/* The contents of a layout's stores in each frame, as text: for each cell a number in base 64 with
 * `digits` digits. This is the number held or, if `marked` is not NULL, the pair (held, marked
 * among these), numbered (0,0), (1,0), (1,1), (2,0) and so on. held, marked: [frames * stores];
 * most: the largest number in `held`. NULL: no memory. */
typedef struct cli_cells_of {
    const uint16_t *held, *marked;
    size_t frames, stores;
    const uint32_t *store; /* [shown] the stores in the text, in this order */
    size_t shown;
    uint32_t most;
} cli_cells_of;
cJSON *cli_explorer_cells(const cli_cells_of *of, int *digits);

/* Adds to the tree a stretch of time, in cycles, with words for it; shown: in the pictures, too. */
void cli_explorer_band(cJSON *bands, double from, double until, const char *words, bool shown);

/* Adds to the tree the units of what is held and delivered; bytes: of asynchronous networks. */
void cli_explorer_units(cJSON *tree, bool bytes);

/* Writes a page with one explorer. command: the command line that made it. */
swq_status cli_explorer_page(swq_context *ctx, FILE *to, const char *title, const char *lead,
                             const char *command, const cJSON *data);

#endif
