/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of lanes, of the ports of a switch, and of all nodes.
 */
#ifndef SWQ_SIM_SWITCHES_WORMHOLE_SETS_H
#define SWQ_SIM_SWITCHES_WORMHOLE_SETS_H

#include "sim/switches/wormhole/worms.h"

/* The first member of a set of lanes that is not empty; and cyclically from `from` on, found by
 * turning the set, without a branch, which would be mispredicted. */
static inline uint32_t first_of(uint32_t set)
{
    return (uint32_t)__builtin_ctz(set);
}

static inline uint32_t next_of(uint32_t set, uint32_t from)
{
    return (first_of(set >> from | set << (-from & 31)) + from) & 31;
}

/* The same of a word of a set of ports. */
static inline uint32_t first_port(swq_worm_ports set)
{
    return (uint32_t)__builtin_ctzll(set);
}

static inline uint32_t next_in_word(swq_worm_ports set, uint32_t from)
{
    return (first_port(set >> from | set << (-from & 63)) + from) & 63;
}

static inline swq_worm_ports port_bit(uint32_t k)
{
    return UINT64_C(1) << k;
}

static inline void put(uint64_t *set, uint32_t k)
{
    set[k / 64] |= UINT64_C(1) << k % 64;
}

static inline void take_out(uint64_t *set, uint32_t k)
{
    set[k / 64] &= ~(UINT64_C(1) << k % 64);
}

#endif
