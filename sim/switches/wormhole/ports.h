/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of the ports of a bank, in SWQ_WORM_WORDS words: 1 in forms of a turn for up to 64 ports a
 * switch, in which a set is a word and no loop is left, and SWQ_WORM_WIDE in those for more. A part
 * of the text of turn.h, with its words.
 */
#include "sim/switches/wormhole/sets.h"

/* The sets of a bank, of which w->bank has the words. */
typedef struct swq_worm_sets {
    swq_worm_ports waiting[SWQ_WORM_WORDS], coming[SWQ_WORM_WORDS], asked[SWQ_WORM_WORDS];
} swq_worm_sets;

/* Runs a statement for each port k of a set whose word `at` is `word`, which is read once. */
#define EACH_PORT(k, word)                                                                         \
    for (uint32_t at = 0; at < SWQ_WORM_WORDS; at++)                                               \
        for (swq_worm_ports left = (word); left && ((k) = 64 * at + first_port(left), true);       \
             left &= left - 1)

/* The word of a set with port k. */
static inline uint32_t word_of(uint32_t k)
{
    return SWQ_WORM_WORDS == 1 ? 0 : k / 64;
}

static inline uint32_t bit_of(uint32_t k)
{
    return SWQ_WORM_WORDS == 1 ? k : k % 64;
}

/* Puts port k into a set, or takes it out, if `when`. */
static inline void put_port(swq_worm_ports *set, uint32_t k, bool when)
{
    set[word_of(k)] |= (swq_worm_ports)when << bit_of(k);
}

static inline void take_port(swq_worm_ports *set, uint32_t k, bool when)
{
    set[word_of(k)] &= ~((swq_worm_ports)when << bit_of(k));
}

static inline bool has_port(const swq_worm_ports *set, uint32_t k)
{
    return set[word_of(k)] >> bit_of(k) & 1;
}

static inline bool any_port(const swq_worm_ports *set)
{
    swq_worm_ports all = 0;

    for (uint32_t at = 0; at < SWQ_WORM_WORDS; at++)
        all |= set[at];
    return all != 0;
}

static inline void add_ports(swq_worm_ports *set, const swq_worm_ports *more)
{
    for (uint32_t at = 0; at < SWQ_WORM_WORDS; at++)
        set[at] |= more[at];
}

static inline void no_ports(swq_worm_ports *set)
{
    for (uint32_t at = 0; at < SWQ_WORM_WORDS; at++)
        set[at] = 0;
}

/* The number behind port k, in the circle of all numbers. Of a set that has ports of one switch
 * alone, those behind k in the switch's own circle come first in this one, too. */
static inline uint8_t port_behind(uint32_t k)
{
    return (uint8_t)((k + 1) % (64 * SWQ_WORM_WORDS));
}

/* The first member of a set that is not empty, cyclically from `from` on. */
static inline uint32_t next_port(const swq_worm_ports *set, uint32_t from)
{
    if (SWQ_WORM_WORDS == 1)
        return next_in_word(set[0], from);
    const swq_worm_ports ahead = set[from / 64] & ~UINT64_C(0) << from % 64;
    if (ahead)
        return from / 64 * 64 + first_port(ahead);
    for (uint32_t k = 1, at; k <= SWQ_WORM_WORDS; k++) {
        at = (from / 64 + k) % SWQ_WORM_WORDS;
        if (set[at])
            return 64 * at + first_port(set[at]);
    }
    return 0;
}
