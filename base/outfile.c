/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole files or none.
 * Room: base.
 */
#include "base/outfile.h"

#include "base/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static swq_status io_failure(swq_context *ctx, const char *path)
{
    return swq_fail(ctx, SWQ_EIO, "cannot write '%.200s': %s", path, strerror(errno));
}

swq_status swq_outfile_open(swq_context *ctx, const char *path, swq_outfile *file)
{
    *file = (swq_outfile){0};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return SWQ_OK;
    }
    size_t length = strlen(path);
    file->path = swq_calloc(ctx, length + 1, 1);
    file->temporary = swq_calloc(ctx, length + sizeof ".XXXXXX", 1);
    if (!file->path || !file->temporary) {
        swq_outfile_abort(ctx, file);
        return swq_memory_status(ctx);
    }
    memcpy(file->path, path, length + 1);
    memcpy(file->temporary, path, length);
    memcpy(file->temporary + length, ".XXXXXX", sizeof ".XXXXXX");

    struct stat there;
    int descriptor = -1;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        errno = EISDIR;
    else if (exists && !S_ISREG(there.st_mode)) /* a pipe or a device is written to, not replaced */
        file->stream = fopen(path, "w");
    else
        descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        swq_free(ctx, file->temporary); /* there is no file to remove */
        file->temporary = NULL;
    } else {
        mode_t mask = umask(0); /* mkstemp is private; the result should be as any new file */
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
        file->stream = fdopen(descriptor, "w");
        if (!file->stream)
            close(descriptor);
    }
    if (!file->stream) {
        swq_status status = io_failure(ctx, path);
        swq_outfile_abort(ctx, file);
        return status;
    }
    return SWQ_OK;
}

swq_status swq_outfile_commit(swq_context *ctx, swq_outfile *file)
{
    swq_status status = SWQ_OK;
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);

    if (!file->path) {
        file->stream = NULL;
        return failed ? io_failure(ctx, "standard output") : SWQ_OK;
    }
    failed = fclose(file->stream) != 0 || failed;
    file->stream = NULL;
    if (failed || (file->temporary && rename(file->temporary, file->path) != 0)) {
        status = io_failure(ctx, file->path);
    } else {
        swq_free(ctx, file->temporary); /* it is in place: nothing to remove */
        file->temporary = NULL;
    }
    swq_outfile_abort(ctx, file);
    return status;
}

void swq_outfile_abort(swq_context *ctx, swq_outfile *file)
{
    if (file->stream && file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    swq_free(ctx, file->temporary);
    swq_free(ctx, file->path);
    *file = (swq_outfile){0};
}
