/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared libraries that are loaded when they are first needed. Most runs need none of the
 * numerical libraries, and loading these takes four fifths of the total time of a small chain. The
 * caller keeps a pointer for each function, of the type that its header declares:
 *
 *     static struct { __typeof__(umfpack_dl_solve) *solve; } lib;
 *     const swq_symbol symbols[] = {SWQ_SYMBOL(lib.solve, umfpack_dl_solve)};
 *
 * A library stays loaded until the process ends.
 */
#ifndef SWQ_BASE_LIBRARY_H
#define SWQ_BASE_LIBRARY_H

#include "switchq/context.h"

typedef struct swq_symbol {
    const char *name;
    void *pointer; /* to the pointer to the function */
} swq_symbol;

#define SWQ_SYMBOL(pointer, function)                                                              \
    {                                                                                              \
#function, &(pointer)                                                                      \
    }

/* Load the library `file` (such as "libumfpack.so.5") unless it is loaded, and fill in the
 * pointers. Safe from several threads. Errors: SWQ_ELIMIT if the library cannot be loaded, because
 * address space or the file is missing, or if it lacks a function; all pointers are then NULL.
 * Takes some milliseconds the first time. */
swq_status swq_library_load(swq_context *ctx, const char *file, const swq_symbol *symbols,
                            int count);

#endif
