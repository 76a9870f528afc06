/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that SuiteSparse's libraries allocate, counted by a context like its own blocks:
 * against its limit, and in its peak. The libraries allocate through four functions of a table that
 * belongs to the process. These functions are replaced, once, by functions that allocate in the
 * context of the thread's call, if there is one, and else call the original functions.
 *
 *     swq_status status = swq_suitesparse_begin(ctx, "libumfpack.so.5");
 *     ... calls of UMFPACK, which return "out of memory" where the context has none ...
 *     swq_suitesparse_end();
 *
 * A block must be freed between such calls with the context that it was allocated with. METIS, to
 * which CHOLMOD turns for nested dissection, allocates by itself.
 */
#ifndef SWQ_SOLVERS_SUITESPARSE_H
#define SWQ_SOLVERS_SUITESPARSE_H

#include "switchq/context.h"

/* `library`: the name of a library of SuiteSparse, which is loaded if necessary. Errors: SWQ_ELIMIT
 * if it cannot be loaded; swq_suitesparse_end must then not be called. */
swq_status swq_suitesparse_begin(swq_context *ctx, const char *library);
void swq_suitesparse_end(void);

#endif
