/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures that are no set of runs at x values: what happens inside one run, or over time. Each
 * function runs, draws and judges one figure; papers/ has its title and its axes.
 */
#ifndef SWQ_VALIDATE_FIGURES_MAKERS_H
#define SWQ_VALIDATE_FIGURES_MAKERS_H

#include "validate/figures/figures.h"

swq_status figure_make_6_2(figure_work *f);
swq_status figure_make_6_10(figure_work *f);
swq_status figure_make_6_11(figure_work *f);
swq_status figure_make_6_12(figure_work *f);
swq_status figure_make_000_1(figure_work *f);
swq_status figure_make_002_5(figure_work *f);
swq_status figure_make_002_6(figure_work *f);

#endif
