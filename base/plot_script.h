/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The content of a script for gnuplot, after the lines that name the output file.
 */
#ifndef SWQ_BASE_PLOT_SCRIPT_H
#define SWQ_BASE_PLOT_SCRIPT_H

#include "base/plot.h"

#include <stdio.h>

/* A string as gnuplot reads it between double quotes. Quotes, backslashes, backquotes (which would
 * run a command) and line ends become octal escapes. */
void swq_script_text(FILE *script, const char *text);

/* The command that sets a title, which is broken into lines where it is long. */
void swq_script_title(FILE *script, const char *title);

/* plot: [plots], one below the other */
void swq_script_plots(FILE *script, const swq_plot *plot, size_t plots);

void swq_script_map(FILE *script, const swq_colour_map *map);
void swq_script_heat(FILE *script, const swq_heat_map *map);

#endif
