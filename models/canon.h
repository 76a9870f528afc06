/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Canonical forms of switches made of rows: one tuple for all images of a tuple under permutations
 * of inputs and of outputs within their classes. Sorting takes care of the inputs, since a row's
 * number determines its class. For up to SWQ_ROW_IMAGES permutations of outputs, all images are
 * looked up and sorted side by side; beyond that, outputs are distinguished by refining colours,
 * and only ties are tried. Sources: K. Batcher, AFIPS 32, 1968 (sorting networks); B. McKay and A.
 * Piperno, J. Symbolic Comput. 60, 2014 (refinement and individualisation).
 */
#ifndef SWQ_MODELS_CANON_H
#define SWQ_MODELS_CANON_H

#include "models/row.h"

/* Replace row[ports] by the canonical tuple of its orbit. With many permutations this may number
 * new rows. Errors: SWQ_ENOMEM, SWQ_ELIMIT. Cost: about images * ports^2 / 16 instructions, or a
 * microsecond with many permutations. */
swq_status swq_canonical(swq_context *ctx, swq_rows *rows, swq_word *row);

#endif
