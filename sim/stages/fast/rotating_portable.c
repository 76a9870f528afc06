/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rotating arbiter of the fast engine for any machine.
 */
#define TABLE swq_rotating_portable
#include "sim/stages/fast/rotating_instances.h"
