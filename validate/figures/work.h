/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files that run a figure's simulations know of each other.
 * Room: validate. Includes sim.
 */
#ifndef SWQ_VALIDATE_FIGURES_WORK_H
#define SWQ_VALIDATE_FIGURES_WORK_H

#include "validate/figures/figures.h"

enum {
    /* cycles; a shorter run is only a trial, not worth the thousand cycles needed to find its
       warm-up, so it gets its own length as the warm-up */
    FIGURE_LEAST_FOR_AUTO = 1000
};

/* Runs the asynchronous networks of a plan into the cells. */
swq_status figure_run_async(figure_work *f);

/* Length, warm-up, replications and seed of an asynchronous run. */
swq_sim_options figure_async_options(const figure_work *f);

#endif
