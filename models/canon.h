/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Canonical forms of switches made of rows: one of all the tuples that permutations of inputs and
 * of outputs within their classes turn a tuple into. Sorting settles the inputs, as a row's number
 * tells its class. For up to SWQ_ROW_IMAGES permutations of outputs all images are looked up and
 * sorted side by side; beyond that the outputs are told apart by refining colours, and only ties
 * are tried. Sources: K. Batcher, AFIPS 32, 1968 (sorting networks); B. McKay and A. Piperno,
 * J. Symbolic Comput. 60, 2014 (refinement and individualisation). Room: models.
 */
#ifndef SWQ_MODELS_CANON_H
#define SWQ_MODELS_CANON_H

#include "models/row.h"

/* Replace row[ports] by the canonical tuple of its orbit. With many permutations this may number
 * new rows. Errors: SWQ_ENOMEM, SWQ_ELIMIT. Cost: images * ports^2 / 16 instructions or so, or a
 * microsecond. */
swq_status swq_canonical(swq_context *ctx, swq_rows *rows, swq_word *row);

#endif
