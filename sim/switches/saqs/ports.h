/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of the inputs or outputs of a switch, in WORDS words of base/port_set.h: 1 where a text is
 * compiled for up to 64 ports, in which a set is a word and no loop is left, and SWQ_PORT_SET_WIDE
 * where it is compiled for more. A part of these texts, with their WORDS.
 */
#include "base/port_set.h"

/* Runs a statement for each port k of a set whose word `at` is `word`, which is read once. */
#define EACH_PORT(k, word)                                                                         \
    for (uint32_t at = 0, k; at < WORDS; at++)                                                     \
        for (swq_port_set left = (word); left && ((k) = 64 * at + swq_port_set_first(left), true); \
             left &= left - 1)

static inline bool has_port(const swq_port_set *set, uint32_t port)
{
    return swq_port_set_has(set, port, WORDS);
}

/* Puts a port into a set; and takes it out; or one of both, according to `in`. */
static inline void put_port(swq_port_set *set, uint32_t port)
{
    *swq_port_set_word(set, port, WORDS) |= swq_port_set_bit(port, WORDS);
}

static inline void take_port(swq_port_set *set, uint32_t port)
{
    swq_port_set_take(set, port, WORDS);
}

static inline void note_port(swq_port_set *set, uint32_t port, bool in)
{
    swq_port_set *word = swq_port_set_word(set, port, WORDS);
    const swq_port_set bit = swq_port_set_bit(port, WORDS);

    *word = in ? *word | bit : *word & ~bit;
}

static inline bool any_port(const swq_port_set *set)
{
    return swq_port_set_any(set, WORDS);
}

/* The first port of a set that is not empty, counted cyclically from port `from` on. */
static inline uint32_t next_port(const swq_port_set *set, uint32_t from)
{
    return swq_port_set_next(set, from, WORDS);
}
