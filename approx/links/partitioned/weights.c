/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One round of fitting the weights of taken outputs.
 */
#include "approx/links/partitioned/weights.h"

#include <math.h>

/* The weights of classes that hardly ever occur must not grow without limit. */
#define MOST_WEIGHT 1e3

static double odds(double p)
{
    return p > 1e-12 ? (1 - p) / p : 1e12;
}

void weights_step(int ports, int classes, const double *open, const double *free,
                  const double *taken, double *next)
{
    for (int i = 0; i < ports * classes; i++) {
        double there = odds(open[i]), here = odds(free[i]);
        double factor = here > 1e-12 ? there / here : 1;
        next[i] = taken[i] * fmin(fmax(factor, 0.5), 2);
    }
    for (int q = 0; q < ports; q++) {
        double *of = &next[q * classes];
        for (int a = classes - 1; a >= 0; a--) {
            of[a] /= of[0] > 0 ? of[0] : 1;
            of[a] = fmin(fmax(of[a], 1 / MOST_WEIGHT), MOST_WEIGHT);
        }
    }
}
