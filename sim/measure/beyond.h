/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When sources that hold a packet are held back so much that their network is past saturation.
 */
#ifndef SWQ_SIM_MEASURE_BEYOND_H
#define SWQ_SIM_MEASURE_BEYOND_H

#include <stdbool.h>

/* The largest fraction of the time for which packets may wait below saturation, where it is 0.04 to
 * 0.17: more, the fewer slots a queue has to itself. */
#define SWQ_HELD_MOST 0.2

/* Exact fractions of the time in which a source holds a packet back and in which it sends one: is
 * the former more than SWQ_HELD_MOST, or more than the pauses, so that an open source would never
 * catch up? */
static inline bool swq_held_back(double waits, double sends)
{
    return waits > SWQ_HELD_MOST || 2 * waits + sends > 1;
}

#endif
