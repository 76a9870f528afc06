/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random arbitration for any machine.
 */
#define TABLE swq_drawn_portable
#include "sim/stages/fast/drawn_instances.h"
