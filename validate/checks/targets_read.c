/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printed numbers that are read off a figure's curves rather than claims of it.
 */
#include "validate/checks/printed_find.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const swq_figure_curve *curve_of(const swq_figure *figure, int panel, const char *name)
{
    for (int k = 0; k < figure->curves; k++) {
        if (figure->curve[k].panel == panel && strcmp(figure->curve[k].name, name) == 0)
            return &figure->curve[k];
    }
    return NULL;
}

static const swq_figure_point *point_of(const swq_figure_curve *curve, swq_figure_origin origin,
                                        double asked)
{
    for (int k = 0; curve && k < curve->points; k++) {
        if (curve->point[k].origin == origin &&
            (origin == SWQ_AT_FULL_LOAD || fabs(curve->point[k].asked - asked) < 1e-9))
            return &curve->point[k];
    }
    return NULL;
}

/* Agrees within 3% and the interval, as for claims of figures. */
static void quoted(swq_finding *f, const swq_figure_point *point, double found, double half_width,
                   double printed)
{
    if (!point) {
        f->outcome = SWQ_OUTCOME_FAIL;
        snprintf(f->text, sizeof f->text, "the figure has no such point");
        return;
    }
    swq_finding_near(f, found, printed, 0.03 * printed + half_width);
}

/* 8.5.2: FIFO in 256 nodes saturates at 0.49. */
void printed_fifo_256(const swq_figure *figure, swq_finding *f)
{
    const swq_figure_point *p = point_of(curve_of(figure, 2, "FIFO"), SWQ_AT_FULL_LOAD, 1);

    quoted(f, p, p ? p->throughput.mean : NAN, p ? p->throughput.half_width : NAN, 0.49);
}

/* 8.5.9: about 35 cycles at 0.20, FIFO and DAMQ; "about": within 10%. */
void printed_latency_256(const swq_figure *figure, swq_finding *f)
{
    static const char *const name[] = {"FIFO", "DAMQ"};
    double worst = 35;

    for (int k = 0; k < 2; k++) {
        const swq_figure_point *p = point_of(curve_of(figure, 2, name[k]), SWQ_AT_LOAD, 0.2);
        if (!p)
            p = point_of(curve_of(figure, 2, name[k]), SWQ_AT_THROUGHPUT, 0.2);
        if (!p || !(fabs(p->y - 35) <= fabs(worst - 35)))
            worst = p ? p->y : NAN;
    }
    swq_finding_near(f, worst, 35, 3.5);
}

/* 9: about 100% more than the 0.36 of a wormhole torus; "about": within 10%. */
void printed_twice_wormhole(const swq_figure *figure, swq_finding *f)
{
    const swq_figure_curve *curve = curve_of(figure, 1, "DAMQ 256, MU-26");
    double most = NAN;

    for (int k = 0; curve && k < curve->points; k++)
        most = fmax(most, curve->point[k].x);
    swq_finding_near(f, most / 0.36, 2, 0.2);
}
