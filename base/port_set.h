/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of the ports of a switch, in words of 64 bits: port k is bit k % 64 of word k / 64. Code
 * that is compiled once for up to 64 ports and once for more gets the number of words as a
 * constant, so that a set of one word is a word, and no loop is left.
 */
#ifndef SWQ_BASE_PORT_SET_H
#define SWQ_BASE_PORT_SET_H

#include "base/inline.h"

#include <stdbool.h>
#include <stdint.h>

/* A word of a set. */
typedef uint64_t swq_port_set;

enum { SWQ_PORT_SET_WIDE = 4 /* words of a set of any ports of a switch, up to SWQ_MAX_PORTS */ };

/* Words of a set of the ports of a switch. */
SWQ_INLINE int swq_port_set_words(int ports)
{
    return ports > 64 ? SWQ_PORT_SET_WIDE : 1;
}

/* The first port of a word that is not 0. */
SWQ_INLINE uint32_t swq_port_set_first(swq_port_set word)
{
    return (uint32_t)__builtin_ctzll(word);
}

SWQ_INLINE swq_port_set swq_port_set_bit(uint32_t port, int words)
{
    return UINT64_C(1) << (words == 1 ? port : port % 64);
}

SWQ_INLINE swq_port_set *swq_port_set_word(swq_port_set *set, uint32_t port, int words)
{
    return words == 1 ? set : set + port / 64;
}

SWQ_INLINE bool swq_port_set_has(const swq_port_set *set, uint32_t port, int words)
{
    return (words == 1 ? set[0] >> port : set[port / 64] >> port % 64) & 1;
}

/* Puts a port into a set, if `when`. */
SWQ_INLINE void swq_port_set_put(swq_port_set *set, uint32_t port, bool when, int words)
{
    *swq_port_set_word(set, port, words) |= (swq_port_set)when << (words == 1 ? port : port % 64);
}

SWQ_INLINE void swq_port_set_take(swq_port_set *set, uint32_t port, int words)
{
    *swq_port_set_word(set, port, words) &= ~swq_port_set_bit(port, words);
}

SWQ_INLINE void swq_port_set_clear(swq_port_set *set, int words)
{
    for (int at = 0; at < words; at++)
        set[at] = 0;
}

SWQ_INLINE bool swq_port_set_any(const swq_port_set *set, int words)
{
    swq_port_set all = 0;

    for (int at = 0; at < words; at++)
        all |= set[at];
    return all != 0;
}

/* Runs a statement for each port of a set of `words` words, in order. */
#define SWQ_EACH_PORT(port, set, words)                                                            \
    for (int at_ = 0; at_ < (words); at_++)                                                        \
        for (swq_port_set left_ = (set)[at_];                                                      \
             left_ && ((port) = 64 * (uint32_t)at_ + swq_port_set_first(left_), true);             \
             left_ &= left_ - 1)

SWQ_INLINE int swq_port_set_count(const swq_port_set *set, int words)
{
    int count = 0;

    for (int at = 0; at < words; at++)
        count += __builtin_popcountll(set[at]);
    return count;
}

/* Port number 0, 1, ... of a set that has more ports than that, in order. */
SWQ_INLINE uint32_t swq_port_set_member(const swq_port_set *set, uint32_t number, int words)
{
    int at = 0;

    for (uint32_t here; at < words - 1; at++, number -= here) {
        here = (uint32_t)__builtin_popcountll(set[at]);
        if (number < here)
            break;
    }
    swq_port_set left = set[at];
    for (; number > 0; number--)
        left &= left - 1;
    return 64 * (uint32_t)at + swq_port_set_first(left);
}

/* The first port of a set that is not empty, counted cyclically from port `from` on. */
SWQ_INLINE uint32_t swq_port_set_next(const swq_port_set *set, uint32_t from, int words)
{
    if (words == 1) {
        const swq_port_set ahead = set[0] >> from << from;
        return swq_port_set_first(ahead ? ahead : set[0]);
    }
    const swq_port_set ahead = set[from / 64] >> from % 64 << from % 64;
    if (ahead)
        return from / 64 * 64 + swq_port_set_first(ahead);
    for (uint32_t k = 1; k <= (uint32_t)words; k++) {
        const uint32_t at = (from / 64 + k) % (uint32_t)words;
        if (set[at])
            return 64 * at + swq_port_set_first(set[at]);
    }
    return 0; /* never reached */
}

#endif
