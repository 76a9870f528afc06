/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times and slowdowns of flows that are complete, as histograms, so that a flow that is over takes
 * no memory.
 */
#ifndef SWQ_SIM_DATACENTRE_COMPLETIONS_H
#define SWQ_SIM_DATACENTRE_COMPLETIONS_H

#include "sim/datacentre/tally.h"
#include "switchq/datacentre.h"

typedef struct dc_completions {
    uint64_t begun, completed;
    double time, slowdown;      /* sums */
    double rates, rate_squares; /* sums, bytes a ps */
    uint64_t *times;            /* [DC_DELAY_BINS] ps */
    uint64_t *slowdowns;        /* [DC_DELAY_BINS] in units of 1 / DC_SLOWDOWN_UNIT */
} dc_completions;

/* Sets of completions: flows of a class and a size, and of all classes, and queries. Of one class
 * those of all classes are those of the class. */
enum {
    DC_QUERIES = (SWQ_DC_CLASSES + 1) * SWQ_DC_SIZE_CLASSES,
    DC_COMPLETIONS = DC_QUERIES + 1,
    DC_ALL_SIZES = SWQ_DC_SIZE_CLASSES - 1
};

static inline int dc_flows_of(int class, int size)
{
    return class * SWQ_DC_SIZE_CLASSES + size;
}

static inline int dc_all_classes(int classes)
{
    return classes > 1 ? classes : 0;
}

static inline bool dc_is_used(int set, int classes)
{
    return set == DC_QUERIES || set < dc_flows_of(dc_all_classes(classes) + 1, 0);
}

/* A slowdown of 1 is far above the first bins, whose widths are coarse. */
#define DC_SLOWDOWN_UNIT 1048576.0

static inline void dc_note_complete(dc_completions *c, uint64_t time, double slowdown,
                                    uint64_t bytes)
{
    const double rate = (double)bytes / (double)time;

    c->rates += rate;
    c->rate_squares += rate * rate;
    c->completed++;
    c->time += (double)time;
    c->slowdown += slowdown;
    c->times[dc_delay_bin(time)]++;
    c->slowdowns[dc_delay_bin((uint64_t)(slowdown * DC_SLOWDOWN_UNIT))]++;
}

#endif
