/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a picture shows, as a table in CSV: a row for each point, square or mark.
 */
#ifndef SWQ_BASE_PLOT_CSV_H
#define SWQ_BASE_PLOT_CSV_H

#include "base/plot.h"

#include <stdio.h>

/* plot: [plots]. Points outside of the axes are left out, except hollow points above an axis that
 * solid points set. */
void swq_csv_plots(FILE *to, const swq_plot *plot, size_t plots);

void swq_csv_map(FILE *to, const swq_colour_map *map);
void swq_csv_heat(FILE *to, const swq_heat_map *map);

#endif
