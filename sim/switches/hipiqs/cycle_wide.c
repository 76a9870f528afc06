/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cycle of inputs that all outputs can read at once, in switches of more than 32 ports.
 */
#define SWQ_WIDE 1
#include "sim/switches/hipiqs/turn.h"

const swq_kernel swq_kernel_choosing_wide = {
    .look_at_units = look_at_units, .open = open, .enter = enter};
