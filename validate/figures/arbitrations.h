/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logical arbitrations of a switch (Frazier 1995, 6.2.2): sets of arbitrations, each of which is in
 * the same cycle as another arbitration of the set, or apart from one by the link rest time.
 */
#ifndef SWQ_VALIDATE_FIGURES_ARBITRATIONS_H
#define SWQ_VALIDATE_FIGURES_ARBITRATIONS_H

#include <stdint.h>

enum {
    ARBITRATIONS_END = 3296, /* cycles, as in the print */
    ARBITRATIONS_MOST_REST = 2,
    ARBITRATIONS_SLOTS = ARBITRATIONS_MOST_REST + 1
};

typedef struct figure_arbitration {
    uint32_t first, last; /* cycle */
    int packets;
} figure_arbitration;

/* The course of a switch: zero it, set the other fields, then add the beginnings of all its
 * transmissions. */
typedef struct figure_course {
    int rest;                                      /* 0 .. ARBITRATIONS_MOST_REST */
    figure_arbitration list[ARBITRATIONS_END + 1]; /* [count], ordered by first cycle */
    int count;
    /* For recent cycles, modulo ARBITRATIONS_SLOTS: the arbitration to which a cycle belongs, and
     * the cycle plus one. */
    int at[ARBITRATIONS_SLOTS];
    uint32_t cycle[ARBITRATIONS_SLOTS];
} figure_course;

/* A packet's transmission begins; cycles may not decrease. Cycles after ARBITRATIONS_END are
 * ignored. */
void figure_course_add(figure_course *course, uint32_t cycle);

/* The cycle by which the switch is synchronized: the first logical arbitration that begins a
 * sequence of eleven, `packet` cycles apart or, with a rest, `packet` to 5 / 4 of it (the text's
 * bounds for one buffer of a switch in loose synchrony, 32 and 40). ARBITRATIONS_END if there is
 * none. */
double figure_course_synchronised(const figure_course *course, uint32_t packet);

#endif
