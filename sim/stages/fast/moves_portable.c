/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fast engine's moves for any machine.
 */
#define TABLE swq_moves_portable
#include "sim/stages/fast/moves_instances.h"
