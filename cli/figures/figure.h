/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a figure is printed, written and drawn.
 * Room: cli.
 */
#ifndef SWQ_CLI_FIGURE_H
#define SWQ_CLI_FIGURE_H

#include "cli/record/record.h"
#include "switchq/figures.h"

enum { CLI_FIGURE_PATH = 4200 };

/* The axis x in JSON, over a table, at the plot; and the format of its values in a table. */
typedef struct cli_figure_axis {
    const char *json, *text, *label, *format;
} cli_figure_axis;
extern const cli_figure_axis cli_figure_axes[];

/* "folder/figure-NAMEmore.suffix"; folder NULL: this one; more: of the name, such as "-time". */
void cli_figure_path(const char *folder, const char *name, const char *more, const char *suffix,
                     char *path, size_t room);

/* "holds" and so on; "not run" for all when some of the runs are missing. */
const char *cli_figure_verdict(const swq_figure *figure, const swq_claim *claim);

/* The map of all the measured cycles: [rows * columns]. */
const double *cli_figure_map(const swq_figure_map *map);
/* A row of it as letters: columns + 1 characters. */
enum { CLI_FIGURE_ROW = 256 };
void cli_figure_map_row(const swq_figure_map *map, int row, char *text);

/* The figure as a record, and the words of it that people read. */
cli_record *cli_figure_record(const swq_figure *figure);
void cli_figure_say(cli_record *root, const swq_figure *figure);

/* figure-NAME.svg and .png, and .gif where there is a map. Errors: SWQ_EIO, SWQ_ENOMEM. */
swq_status cli_figure_draw(swq_context *ctx, const swq_figure *figure, const char *folder);

#endif
