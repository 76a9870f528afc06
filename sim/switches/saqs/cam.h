/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CAM lines: paths of which some are valid, a set. What else a scheme knows of a line (stopped,
 * sent, ..) it keeps as sets beside this one. A free line is taken lowest number first.
 */
#ifndef SWQ_SIM_SWITCHES_SAQS_CAM_H
#define SWQ_SIM_SWITCHES_SAQS_CAM_H

#include "sim/switches/saqs/path.h"

enum { SWQ_MAX_SAQS = 31, SWQ_NO_LINE = -1 };

/* The valid line whose path is exactly `path`, or SWQ_NO_LINE. */
static inline int swq_cam_find(const swq_path *line, uint32_t valid, const swq_path *path)
{
    for (; valid; valid &= valid - 1) {
        const int k = __builtin_ctz(valid);
        if (swq_path_same(&line[k], path))
            return k;
    }
    return SWQ_NO_LINE;
}

/* Takes a free line, of `lines`, for a path; SWQ_NO_LINE: none is free. */
static inline int swq_cam_take(swq_path *line, uint32_t *valid, int lines, const swq_path *path)
{
    const uint32_t free = ~*valid & ((UINT32_C(1) << lines) - 1);

    if (!free)
        return SWQ_NO_LINE;
    const int k = __builtin_ctz(free);
    line[k] = *path;
    *valid |= UINT32_C(1) << k;
    return k;
}

/* The set of the lines that match a route. */
static inline uint32_t swq_cam_matches(const swq_path *line, uint32_t valid, uint64_t route)
{
    uint32_t found = 0;

    for (; valid; valid &= valid - 1) {
        const int k = __builtin_ctz(valid);
        if (swq_path_matches(&line[k], route))
            found |= UINT32_C(1) << k;
    }
    return found;
}

/* Of the lines that match a route and are longer than `mask`, the shortest one, or SWQ_NO_LINE. Two
 * lines of equal length cannot both match. */
static inline int swq_cam_shortest(const swq_path *line, uint32_t valid, uint64_t route,
                                   uint64_t mask)
{
    int found = SWQ_NO_LINE;

    for (; valid; valid &= valid - 1) {
        const int k = __builtin_ctz(valid);
        if (line[k].mask > mask && swq_path_matches(&line[k], route) &&
            (found == SWQ_NO_LINE || line[k].mask < line[found].mask))
            found = k;
    }
    return found;
}

/* Of the lines that match a route, the longest one, or SWQ_NO_LINE. */
static inline int swq_cam_longest(const swq_path *line, uint32_t valid, uint64_t route)
{
    int found = SWQ_NO_LINE;

    for (; valid; valid &= valid - 1) {
        const int k = __builtin_ctz(valid);
        if (swq_path_matches(&line[k], route) &&
            (found == SWQ_NO_LINE || line[k].mask > line[found].mask))
            found = k;
    }
    return found;
}

#endif
