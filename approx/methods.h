/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the table of methods.
 * Room: approx.
 */
#ifndef SWQ_APPROX_METHODS_H
#define SWQ_APPROX_METHODS_H

#include "switchq/approx.h"

extern const swq_approx_method approx_links;

#endif
