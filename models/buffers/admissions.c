/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of rules of admission.
 * Room: models.
 */
#include "models/buffers/buffers.h"

const swq_admission_rule swq_admission_room = {
    .name = "room",
    .summary = "a packet is taken if there is room for it by the buffer's own numbers",
};

const swq_admission_rule *const swq_admission_rules[] = {&swq_admission_room,
                                                         &swq_admission_longest_queue_drop, NULL};
