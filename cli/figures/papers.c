/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures that the program contains: papers/ as scripts/embed-papers.sh writes it.
 */
#include "cli/figures/paper.h"

#include "cli/figures/papers.inc"
