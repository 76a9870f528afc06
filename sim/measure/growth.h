/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does the backlog of the senders grow, and if it may, how fast at most? Two answers from the
 * backlogs of a run that began with an empty network: for all senders together, and for the sender
 * that is served worst.
 */
#ifndef SWQ_SIM_MEASURE_GROWTH_H
#define SWQ_SIM_MEASURE_GROWTH_H

#include <stdbool.h>
#include <stdint.h>

enum { SWQ_GROWTH_BATCHES = 32 };

/* Backlogs at the beginning of the run, which are 0, and after each of its batches. */
typedef struct swq_backlogs {
    uint32_t senders;
    const uint64_t *waiting; /* [(SWQ_GROWTH_BATCHES + 1) * senders], a row for each moment */
    const uint64_t *created; /* [senders] in the whole run; a sender with 0 is left out */
    const uint64_t *inside;  /* [SWQ_GROWTH_BATCHES + 1] packets in the network */
    uint64_t sent;           /* packets that entered the network in the whole run */
} swq_backlogs;

typedef struct swq_growth_verdict {
    bool grows;   /* shown to grow; the level bounds the probability of an error */
    double lacks; /* at most that fraction of the load is not served, at the same level */
} swq_growth_verdict;

typedef struct swq_growth {
    swq_growth_verdict mean, worst;
    uint32_t sender; /* the worst: whose backlog is the most standard deviations above 0 */
} swq_growth;

/* Judges backlogs at a level (0 < level < 1/2): the probability of each error of each verdict.
 *
 * The null hypothesis of `grows` is that senders are just served. At the saturation load itself a
 * backlog is a random walk reflected at 0, |B(t)|; below, it is smaller. So a sender's backlog is
 * compared with the standard deviation S of the sum of its batches' increments: its ratio is that
 * of the two-sided t test. This allows for a backlog that rises for a long time, as the square root
 * of the time, until it is as large as it will be. A sender is shown to fall behind if its ratio is
 * significant after Holm's correction for the number of senders. All senders together are shown to
 * fall behind if the sum of their backlogs is above the sum of as many reflected walks, E|t| S
 * each, by the same ratio with the standard deviation of the sum, so that senders may depend on
 * each other or not; if the mean backlog grows, the worst sender's grows, too.
 *
 * `lacks` is the upper bound of a one-sided t interval of the growth over the load, for backlogs
 * and the contents of the network together: before packets wait at senders, memory has to fill up,
 * which may take as long as the run. For the worst sender `lacks` is the largest bound of a
 * backlog, by Bonferroni, plus the bound of the network's contents, of which each sender has its
 * share. O(senders). */
swq_growth swq_growth_of(const swq_backlogs *backlogs, double level);

#endif
