/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a figure is printed, written and drawn.
 */
#ifndef SWQ_CLI_FIGURE_H
#define SWQ_CLI_FIGURE_H

#include "cli/record/record.h"
#include "switchq/figures.h"

enum { CLI_FIGURE_PATH = 4200 };

/* The x axis: its name in JSON, above a table, and in the plot; and the format of its values in a
 * table. */
typedef struct cli_figure_axis {
    const char *json, *text, *label, *format;
} cli_figure_axis;
extern const cli_figure_axis cli_figure_axes[];

/* "folder/figure-NAMEmore.suffix"; folder NULL: the current one; more: an addition to the name,
 * such as "-time". */
void cli_figure_path(const char *folder, const char *name, const char *more, const char *suffix,
                     char *path, size_t room);

/* "holds" and so on; "not run" if some of the runs are missing. */
const char *cli_figure_verdict(const swq_figure *figure, const swq_claim *claim);

/* The map over all measured cycles: [rows * columns]. */
const double *cli_figure_map(const swq_figure_map *map);
/* A row of the map as letters: columns + 1 characters. */
enum { CLI_FIGURE_ROW = 256 };
void cli_figure_map_row(const swq_figure_map *map, int row, char *text);

/* The figure as a record, with its text for people. */
cli_record *cli_figure_record(const swq_figure *figure);
void cli_figure_say(cli_record *root, const swq_figure *figure);
/* ... and of a figure whose points are answers. */
void cli_figure_say_answers(cli_record *root, const swq_figure *figure);
/* Prints the claims with their verdicts. */
void cli_figure_say_claims(cli_record *root, const swq_figure *figure);

/* Writes figure-NAME.svg and .png, and .gif if there is a map. Errors: SWQ_EIO, SWQ_ENOMEM. */
swq_status cli_figure_draw(swq_context *ctx, const swq_figure *figure, const char *folder);

#endif
