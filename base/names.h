/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Look up names in tables of rows, and say which known name an unknown one resembles.
 */
#ifndef SWQ_BASE_NAMES_H
#define SWQ_BASE_NAMES_H

#include "switchq/context.h"

/* Edit distance with transpositions of neighbours (optimal string alignment), case ignored. A name
 * of more than 63 characters is taken to be far from every other one. */
int swq_name_distance(const char *a, const char *b);

/* Is a name in a list, which NULL ends? */
bool swq_name_is_among(const char *name, const char *const *list);

/* `table` is an array of pointers to rows, ended by NULL, whose first member is the name; the rows
 * that plug-ins of the context add to the table are looked through as well. Returns the row, or
 * NULL after recording SWQ_EINVAL's message: `what 'name' is unknown; ...`. */
const void *swq_name_lookup(swq_context *ctx, const char *what, const char *name,
                            const void *const *table);

#endif
