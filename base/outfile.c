/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole files or none.
 */
#include "base/outfile.h"

#include "base/context.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* in a chain, as the kernel allows */

static swq_status io_failure(swq_context *ctx, const char *path)
{
    return swq_fail(ctx, SWQ_EIO, "cannot write '%.200s': %s", path, strerror(errno));
}

static void forget(swq_context *ctx, swq_outfile *file)
{
    if (file->temporary)
        swq_temporary_forget(ctx, file->temporary);
    swq_free(ctx, file->temporary);
    swq_free(ctx, file->target);
    swq_free(ctx, file->path);
    *file = (swq_outfile){0};
}

/* A new string: the first `length` characters of `first`, then `second`. NULL: no memory. */
static char *joined(swq_context *ctx, const char *first, size_t length, const char *second)
{
    const size_t more = strlen(second) + 1;
    char *text = swq_calloc(ctx, length + more, 1);

    if (text) {
        memcpy(text, first, length);
        memcpy(text + length, second, more);
    }
    return text;
}

/* Where a symbolic link leads, in one step; NULL with errno: not a link, or unreadable. */
static char *followed(swq_context *ctx, const char *link)
{
    char to[PATH_MAX];
    const ssize_t got = readlink(link, to, sizeof to);

    if (got < 0)
        return NULL;
    if (got == (ssize_t)sizeof to) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    to[got] = '\0';
    const char *slash = to[0] == '/' ? NULL : strrchr(link, '/');
    char *next = joined(ctx, link, slash ? (size_t)(slash + 1 - link) : 0, to);
    if (!next)
        errno = ENOMEM;
    return next;
}

/* The end of the chain of symbolic links that begins at `path`, whether the file exists or not. */
static swq_status find_target(swq_context *ctx, const char *path, char **target)
{
    char *at = joined(ctx, path, strlen(path), "");

    if (!at)
        return swq_memory_status(ctx);
    for (int links = 0;; links++) {
        errno = 0;
        char *next = links < MOST_LINKS ? followed(ctx, at) : NULL;
        if (!next)
            break;
        swq_free(ctx, at);
        at = next;
    }
    /* EINVAL: the path is not a link; other errors are reported when the file is opened */
    const int error = errno == 0 ? ELOOP : errno;
    if (error == EINVAL || error == ENOENT || error == ENOTDIR || error == EACCES) {
        *target = at;
        return SWQ_OK;
    }
    swq_free(ctx, at);
    if (error == ENOMEM)
        return swq_memory_status(ctx);
    errno = error;
    return io_failure(ctx, path);
}

/* mkstemp creates private files. A file that replaces another file gets the other's owner, group
 * and mode; if the group cannot be set, the rights of the group are dropped, since the wrong group
 * would have them. */
static void set_rights(int descriptor, const struct stat *there)
{
    mode_t mode = there->st_mode & 0777;

    if (fchown(descriptor, there->st_uid, there->st_gid) != 0 &&
        fchown(descriptor, (uid_t)-1, there->st_gid) != 0)
        mode &= (mode_t)~070;
    fchmod(descriptor, mode);
}

static void set_usual_rights(int descriptor)
{
    mode_t mask = umask(0);

    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
}

static void open_temporary(swq_context *ctx, swq_outfile *file, const struct stat *there)
{
    const int descriptor = mkstemp(file->temporary);

    if (descriptor < 0) {
        swq_free(ctx, file->temporary); /* there is no file to remove */
        file->temporary = NULL;
        return;
    }
    swq_temporary_note(ctx, file->temporary);
    if (there)
        set_rights(descriptor, there);
    else
        set_usual_rights(descriptor);
    file->stream = fdopen(descriptor, "w");
    if (!file->stream)
        close(descriptor);
}

swq_status swq_outfile_open(swq_context *ctx, const char *path, swq_outfile *file)
{
    *file = (swq_outfile){0};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return SWQ_OK;
    }
    swq_status status = find_target(ctx, path, &file->target);
    if (!status) {
        file->path = joined(ctx, path, strlen(path), "");
        file->temporary = joined(ctx, file->target, strlen(file->target), ".XXXXXX");
    }
    if (!status && (!file->path || !file->temporary))
        status = swq_memory_status(ctx);
    if (status) {
        forget(ctx, file);
        return status;
    }

    struct stat there;
    const bool exists = stat(file->target, &there) == 0;
    if (exists &&
        !S_ISREG(there.st_mode)) { /* a pipe or a device is written directly, not replaced */
        swq_free(ctx, file->temporary);
        file->temporary = NULL;
        file->stream = fopen(file->target, "w"); /* EISDIR for a directory */
    } else {
        open_temporary(ctx, file, exists ? &there : NULL);
    }
    if (!file->stream) {
        status = io_failure(ctx, path);
        swq_outfile_abort(ctx, file);
    }
    return status;
}

swq_status swq_outfile_commit(swq_context *ctx, swq_outfile *file)
{
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);

    if (!file->path) {
        file->stream = NULL;
        return failed ? io_failure(ctx, "standard output") : SWQ_OK;
    }
    failed = fclose(file->stream) != 0 || failed;
    file->stream = NULL;
    if (failed || (file->temporary && rename(file->temporary, file->target) != 0)) {
        swq_status status = io_failure(ctx, file->path);
        swq_outfile_abort(ctx, file);
        return status;
    }
    forget(ctx, file); /* the file is in its final place, and must not be removed as a temporary */
    return SWQ_OK;
}

void swq_outfile_abort(swq_context *ctx, swq_outfile *file)
{
    if (file->stream && file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    forget(ctx, file);
}
