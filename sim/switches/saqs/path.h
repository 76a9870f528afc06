/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes as words of turns, and paths to points of congestion: the first turns of routes. The next
 * turn is lowest. A path of k turns has a mask of its bits, so that a longer path has a greater
 * mask, and the empty path, mask 0, is the beginning of every route.
 *
 * Source: turnpools and bit masks of Mora et al., RECN-IQ, 2 and 3.4. See docs/congestion.md.
 */
#ifndef SWQ_SIM_SWITCHES_SAQS_PATH_H
#define SWQ_SIM_SWITCHES_SAQS_PATH_H

#include <stdbool.h>
#include <stdint.h>

enum { SWQ_MOST_TURNPOOL_BITS = 63 };

typedef struct swq_path {
    uint64_t turns, mask; /* turns: 0 outside of the mask */
} swq_path;

static inline bool swq_path_matches(const swq_path *path, uint64_t route)
{
    return ((route ^ path->turns) & path->mask) == 0;
}

static inline bool swq_path_same(const swq_path *a, const swq_path *b)
{
    return a->turns == b->turns && a->mask == b->mask;
}

/* Is `path` a beginning of `longer`, or the same as `longer`? */
static inline bool swq_path_begins(const swq_path *path, const swq_path *longer)
{
    return path->mask <= longer->mask && swq_path_matches(path, longer->turns);
}

/* The next turn of a route; and the route after it. A turn has `bits` bits, fewer than 64. */
static inline uint32_t swq_route_turn(uint64_t route, int bits)
{
    return (uint32_t)(route & ((UINT64_C(1) << bits) - 1));
}

static inline uint64_t swq_route_on(uint64_t route, int bits)
{
    return route >> bits;
}

/* The path of a single turn; and a path with a turn put in front, as an input of the switch with
 * that output sees it. Its bits must not exceed SWQ_MOST_TURNPOOL_BITS. */
static inline swq_path swq_path_of_turn(uint32_t turn, int bits)
{
    return (swq_path){turn, (UINT64_C(1) << bits) - 1};
}

static inline swq_path swq_path_behind(const swq_path *path, uint32_t turn, int bits)
{
    return (swq_path){path->turns << bits | turn, path->mask << bits | ((UINT64_C(1) << bits) - 1)};
}

/* The number of turns of a path. */
static inline int swq_path_turns(const swq_path *path, int bits)
{
    return bits ? (int)__builtin_popcountll(path->mask) / bits : 0;
}

#endif
