/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of small switches that do not come from this program.
 */
#ifndef SWQ_VALIDATE_ANCHORS_H
#define SWQ_VALIDATE_ANCHORS_H

#include "validate/checks/cases.h"

enum { SWQ_ANCHOR_FIRST, SWQ_ANCHOR_LAST, SWQ_ANCHOR_OUTPUT, SWQ_ANCHOR_PACKETS, SWQ_ANCHORS };

/* Refusal probability of the first and the last input, throughput of output 1, packets in the
 * switch. */
typedef struct swq_anchor {
    swq_case what;
    double value[SWQ_ANCHORS];
} swq_anchor;

/* Computed by the rules of docs/model.md as implemented once more in tests/ref/anchors.py. */
extern const swq_anchor swq_anchors[];
extern const int swq_anchor_count;

#endif
