/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tori over the load: what Figs. 6.8 and 6.9 of Frazier (1995) share.
 * Room: validate.
 */
#include "validate/figures/torus.h"

#include <stdio.h>
#include <string.h>

/* closely spaced where throughput may collapse, at one load in one run and at another in the
 * next */
const double figure_torus_x[FIGURE_TORUS_XS] = {
    0.10, 0.20, 0.30, 0.40, 0.45, 0.50, 0.54, 0.56, 0.58, 0.60, 0.62, 0.64, 0.66,
    0.68, 0.70, 0.72, 0.74, 0.76, 0.78, 0.80, 0.82, 0.84, 0.88, 0.92, 1.00, 1.20};

void figure_claim_torus_most(figure_work *f, const char *text, double quoted, const figure_torus *a,
                             const figure_torus *b)
{
    swq_estimate most[2] = {figure_most(f, a->network, BISECTION),
                            figure_most(f, b->network, BISECTION)};
    swq_estimate blocks[2] = {figure_most(f, a->blocks, BISECTION),
                              figure_most(f, b->blocks, BISECTION)};
    figure_tally t = {0};
    const int best = most[1].mean > most[0].mean;

    figure_same(&t, most[best], (swq_estimate){quoted, 0}, 0.03, 0, figure_where("", quoted));
    figure_claim(f, &t, text,
                 "the higher of the maxima of both thresholds is within 3% of the number in the "
                 "text",
                 NULL,
                 "%s %.4f +- %.2g, %s %.4f +- %.2g (freed block by block: %.4f, %.4f); text: %g",
                 a->name, most[0].mean, most[0].half_width, b->name, most[1].mean,
                 most[1].half_width, blocks[0].mean, blocks[1].mean, quoted);
}

void figure_claim_torus_loss(figure_work *f, const figure_torus *torus, int count)
{
    figure_tally t = {0};
    char shown[240] = "";

    for (int k = 0; k < count; k++) {
        swq_estimate most = figure_most(f, torus[k].network, BISECTION);
        swq_estimate full = figure_at_full_load(f, torus[k].network, BISECTION);
        swq_estimate kept = figure_ratio(full, most);
        size_t length = strlen(shown);
        figure_at_least(&t, kept, 0.5, figure_where(torus[k].name, 1 - kept.mean));
        figure_at_most(&t, kept, 0.8, figure_where(torus[k].name, 1 - kept.mean));
        snprintf(shown + length, sizeof shown - length, "%s%s %.1f%%", k ? ", " : "", torus[k].name,
                 100 * (1 - kept.mean));
    }
    figure_claim(
        f, &t,
        "6.3.2: tori are reactive: beyond saturation networks can lose 20% to 50% of "
        "their throughput",
        "full load against the maximum over the load: the interval lies within 20% to 50%",
        "a 21x21 torus with threshold 26 loses 55%, and 50 to 52% with memory free at once "
        "and the rotating pointer",
        "%s", shown);
}

void figure_torus_less(const figure_work *f, figure_tally *t, const figure_torus *low,
                       const figure_torus *high)
{
    swq_estimate a = figure_most(f, low->network, BISECTION);

    figure_less(t, a, figure_most(f, high->network, BISECTION), figure_where(low->name, a.mean));
}
