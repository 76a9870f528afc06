/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that appear whole or not at all: written beside their place, renamed into it when done. A
 * symbolic link stays, and the file that it leads to is replaced. A replaced file keeps its mode,
 * and its owner and group where that is allowed.
 */
#ifndef SWQ_BASE_OUTFILE_H
#define SWQ_BASE_OUTFILE_H

#include "switchq/context.h"

#include <stdio.h>

typedef struct swq_outfile {
    FILE *stream; /* the stream to write to */
    char *path;   /* as it was named; NULL for standard output */
    char
        *target; /* its final place: the end of the chain of symbolic links that begins at `path` */
    char
        *temporary; /* its place until then; NULL for a pipe or device, which is written directly */
} swq_outfile;

/* Start a file; path "-" is standard output. Errors: SWQ_EIO naming the path (for example, of a
 * directory), SWQ_ENOMEM. */
swq_status swq_outfile_open(swq_context *ctx, const char *path, swq_outfile *file);

/* Finish: flush, check for write errors, rename. On error the temporary is removed. */
swq_status swq_outfile_commit(swq_context *ctx, swq_outfile *file);

/* Give up; nothing is left behind. Safe on a zeroed or committed file. */
void swq_outfile_abort(swq_context *ctx, swq_outfile *file);

#endif
