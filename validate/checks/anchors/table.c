/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The anchors, as tests/ref/anchors.py writes them.
 */
#include "validate/checks/anchors/anchors.h"

const swq_anchor swq_anchors[] = {
#include "validate/checks/anchors/table.inc"
};
const int swq_anchor_count = sizeof swq_anchors / sizeof *swq_anchors;
