/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What GMP allocates for its numbers, counted by a context: in its peak, and against its limit. GMP
 * cannot be refused memory, so the limit is looked at where numbers are kept and loops turn
 * (swq_context_keep_limit), and is exceeded by little until then.
 *
 *     swq_numbers_begin(ctx);
 *     ... numbers of this thread are initialised, used and cleared ...
 *     swq_numbers_end();
 */
#ifndef SWQ_EXACT_NUMBERS_H
#define SWQ_EXACT_NUMBERS_H

#include "switchq/context.h"

void swq_numbers_begin(swq_context *ctx);
void swq_numbers_end(void);

#endif
