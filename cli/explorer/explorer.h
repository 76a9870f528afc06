/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The explorer: the contents of every store of a network over time, on a page. report/explorer.js
 * shows the tree that is made here. The report shows several networks side by side, and sim
 * --watch shows one.
 * Room: cli.
 */
#ifndef SWQ_CLI_EXPLORER_H
#define SWQ_CLI_EXPLORER_H

#include "cli/explorer/layout.h"

/* What the stores of a layout hold in each frame, as text: a number for each cell, in base 64, of
 * `digits` digits. It is what is held; or, where `marked` is not NULL, the pair (held, of these
 * marked), numbered (0,0), (1,0), (1,1), (2,0) and so on. held, marked: [frames * stores]; most:
 * the largest number in `held`. NULL: no memory. */
typedef struct cli_cells_of {
    const uint16_t *held, *marked;
    size_t frames, stores;
    const uint32_t *store; /* [shown] which of them are in the text, in this order */
    size_t shown;
    uint32_t most;
} cli_cells_of;
cJSON *cli_explorer_cells(const cli_cells_of *of, int *digits);

/* Part of the tree: a stretch of time, in cycles, with words for it; shown: in the pictures, too.
 */
void cli_explorer_band(cJSON *bands, double from, double until, const char *words, bool shown);

/* Part of the tree: the units of what is held and delivered; bytes: of asynchronous networks. */
void cli_explorer_units(cJSON *tree, bool bytes);

/* The whole of a page with one explorer. command: the line that made it. */
swq_status cli_explorer_page(swq_context *ctx, FILE *to, const char *title, const char *lead,
                             const char *command, const cJSON *data);

#endif
