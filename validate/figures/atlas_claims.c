/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What document 001 says of its Figs. 9 and 10, as claims. The criteria were written down before
 * the figures were run.
 * Room: validate.
 */
#include "validate/figures/atlas.h"

#include <math.h>
#include <stdio.h>

static const swq_estimate nothing = {NAN, NAN};

static const char *const network_name[] = {"4x4", "8x8"};

static const atlas_cell *cell_at(const atlas_work *w, int line, double x)
{
    for (int k = 0; k < w->row->xs; k++) {
        if (w->row->x[k] == x)
            return &w->cell[line * w->row->xs + k];
    }
    return NULL;
}

static swq_estimate value(const atlas_work *w, int line, double x)
{
    const atlas_cell *cell = cell_at(w, line, x);

    return cell && cell->there ? cell->y : nothing;
}

/* A delay; infinite if not all messages arrive. */
static swq_estimate delay_of(const atlas_work *w, int line, double lanes)
{
    const atlas_cell *cell = cell_at(w, line, lanes);
    const swq_estimate endless = {1e9, 0};

    if (!cell || !cell->there)
        return nothing;
    return isnan(cell->y.mean) ? endless : cell->y;
}

/* ---- Fig. 9 ---- */

enum { NINE_LINES = 9, FIRST_WORMHOLE = 4 };

/* The best number of lanes. */
static swq_estimate best_wormhole(const atlas_work *w, int panel, double cells)
{
    swq_estimate best = nothing;

    for (int l = FIRST_WORMHOLE; l < NINE_LINES; l++) {
        const swq_estimate y = value(w, panel * NINE_LINES + l, cells);
        if (!(y.mean <= best.mean))
            best = isnan(y.mean) ? best : y;
    }
    return best;
}

static void claim_full_use(const atlas_work *w, atlas_kind kind, const char *text,
                           const char *known)
{
    figure_tally t = {0};

    for (int p = 0; p < 2; p++)
        figure_at_least(&t, value(w, p * NINE_LINES + (int)kind, 16), 0.95,
                        figure_where(network_name[p], 16));
    figure_claim(w->f, &t, text,
                 "ATLAS with 16 cells: throughput at full load 0.95 or more of the links'", known,
                 "4 cells %.3f, %.3f; 8 cells %.3f, %.3f; 16 cells %.3f, %.3f",
                 value(w, (int)kind, 4).mean, value(w, NINE_LINES + (int)kind, 4).mean,
                 value(w, (int)kind, 8).mean, value(w, NINE_LINES + (int)kind, 8).mean,
                 value(w, (int)kind, 16).mean, value(w, NINE_LINES + (int)kind, 16).mean);
}

static void claim_below(const atlas_work *w, atlas_kind kind, const char *text, const char *known)
{
    figure_tally t = {0};
    double least = INFINITY;

    for (int p = 0; p < 2; p++) {
        for (int k = 0; k < w->row->xs; k++) {
            const swq_estimate worms = best_wormhole(w, p, w->row->x[k]),
                               cells = value(w, p * NINE_LINES + kind, w->row->x[k]);
            figure_less(&t, worms, cells, figure_where(network_name[p], w->row->x[k]));
            least = fmin(least, cells.mean - worms.mean); /* fmin ignores NAN */
        }
    }
    figure_claim(w->f, &t, text,
                 "at each size: the 95% intervals do not overlap, the best of 1 to 16 lanes is "
                 "below",
                 known, "least lead %+.3f", least);
}

static void claim_nine(const atlas_work *w)
{
    static const char short_runs[] =
        "quick runs are too short: the lists at nodes are still filling";
    static const char late[] =
        "with the text's rule, and the cell that came first going first, 32 cells carry this much: "
        "the figure fits credits that are taken as a cell joins the queue";
    static const char at_nodes[] =
        "a node that sends one cell after the other holds up its own messages behind one whose "
        "flow group has no credit, where a worm in each lane leaves its node: the lists are part "
        "of it";

    claim_full_use(w, ATLAS_CHIP,
                   "4: around 8 to 16 cells per incoming link suffice for full utilisation",
                   short_runs);
    claim_full_use(w, ATLAS_LATE, "4: ... with both credits taken at departure, as the text has it",
                   late);
    claim_below(w, ATLAS_CHIP,
                "4: wormhole is behind ATLAS at every size of the buffer (times of the chip)",
                NULL);
    claim_below(w, ATLAS_SLOW, "4: ... with the round trip of flits, 3 cells", NULL);
    claim_below(w, ATLAS_FIFO, "beyond 4: ... with the times of the chip and FIFOs at nodes",
                at_nodes);
}

/* ---- Fig. 10 ---- */

enum { NO_HOT, TEN_LINES = 3, TEN_PANELS = 4 };

static figure_place place_of(int panel, int hot, double lanes)
{
    char text[40];

    snprintf(text, sizeof text, "%s, %d hot", network_name[panel / 2], hot);
    return figure_where(text, lanes);
}

typedef struct {
    figure_tally tally;
    double most; /* the largest ratio to the delay without hot spots */
    int endless; /* infinite delays */
} comparison;

/* Compares delays with hot spots to delays without any, at points with more lanes than hot spots,
 * or at most as many: are they the same, or higher? */
static comparison compare(const atlas_work *w, int first_panel, bool more, bool same)
{
    comparison c = {0};

    for (int p = first_panel; p < TEN_PANELS; p += 2) {
        for (int k = 0; k < 2 * w->row->xs; k++) {
            const int hot = 1 + k % 2;
            const double lanes = w->row->x[k / 2];
            const swq_estimate with = delay_of(w, p * TEN_LINES + hot, lanes),
                               none = value(w, p * TEN_LINES + NO_HOT, lanes);
            if ((lanes > hot) != more)
                continue;
            if (same)
                figure_same(&c.tally, with, none, 0.1, 0, place_of(p, hot, lanes));
            else
                figure_less(&c.tally, none, with, place_of(p, hot, lanes));
            if (with.mean < 1e8)
                c.most = fmax(c.most, with.mean / none.mean);
            else
                c.endless++;
        }
    }
    return c;
}

static void claim_ten(const atlas_work *w)
{
    const comparison unaffected = compare(w, 0, true, true), blocked = compare(w, 0, false, false),
                     hogged = compare(w, 1, true, false);

    figure_claim(
        w->f, &unaffected.tally,
        "4: ATLAS with more lanes than hot spots: the delay to other outputs is unaffected",
        "the delay is within 10% of the delay without hot spots", NULL,
        "at most %.2f times the delay without, without end at %d", unaffected.most,
        unaffected.endless);
    figure_claim(w->f, &blocked.tally,
                 "implied in 4: ATLAS with no more lanes than hot spots: it is affected",
                 "the 95% intervals do not overlap, more with hot spots", NULL,
                 "at most %.2f times the delay without, without end at %d", blocked.most,
                 blocked.endless);
    figure_claim(w->f, &hogged.tally,
                 "4: wormhole: packets for hot spots hog lanes, and affect the delay even where "
                 "lanes are more",
                 "the 95% intervals do not overlap, more with hot spots", NULL,
                 "at most %.2f times the delay without, without end at %d", hogged.most,
                 hogged.endless);
}

void atlas_claim(const atlas_work *w)
{
    if (w->row == &atlas_rows[0])
        claim_nine(w);
    else
        claim_ten(w);
}
