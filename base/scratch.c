/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of a file without a name. Their room on the disk is taken before they are written to, so
 * that a full disk is an error when a block is taken and not a signal later on.
 */
#define _GNU_SOURCE /* O_TMPFILE, fallocate, madvise */
#include "base/scratch.h"

#include "base/context.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    LEAST_PIECE = 1 << 18, /* bytes; a whole number of pages of any machine */
    MOST_PIECE = 1 << 26,
    LINE = 64 /* bytes */
};

static swq_status cannot(swq_context *ctx, const char *directory, int error)
{
    return swq_fail(ctx, SWQ_EIO, "cannot keep a file in the directory '%.200s': %s", directory,
                    strerror(error));
}

/* A file that no other process can find, and that vanishes when it is closed, however the process
 * ends. */
static int open_unnamed(const char *directory)
{
#ifdef O_TMPFILE
    const int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
#endif
    const size_t size = strlen(directory) + sizeof "/switchq-XXXXXX";
    char *path = malloc(size);
    if (!path)
        return -1;
    snprintf(path, size, "%s/switchq-XXXXXX", directory);
    const int named = mkstemp(path);
    if (named >= 0) {
        unlink(path);
        (void)fcntl(named, F_SETFD, FD_CLOEXEC);
    }
    free(path);
    return named;
}

swq_status swq_context_use_scratch(swq_context *ctx, const char *directory)
{
    swq_scratch *s = swq_context_scratch(ctx);
    struct stat there;

    if (s->directory)
        return SWQ_OK;
    if (stat(directory, &there) != 0)
        return cannot(ctx, directory, errno);
    if (!S_ISDIR(there.st_mode))
        return cannot(ctx, directory, ENOTDIR);
    char *copy = malloc(strlen(directory) + 1);
    if (!copy)
        return swq_fail(ctx, SWQ_ENOMEM, "no memory for the name of a directory");
    memcpy(copy, directory, strlen(directory) + 1);
    const int file = open_unnamed(directory);
    if (file < 0) {
        const int error = errno;
        free(copy);
        return cannot(ctx, directory, error);
    }
    *s = (swq_scratch){.directory = copy, .file = file};
    return SWQ_OK;
}

double swq_scratch_room(swq_context *ctx)
{
    const swq_scratch *s = swq_context_scratch(ctx);
    struct statvfs disk;

    if (!s->directory || fstatvfs(s->file, &disk) != 0)
        return INFINITY;
    return (double)disk.f_bavail * (double)disk.f_frsize;
}

/* Add a piece of at least `bytes` bytes. */
static swq_status add_piece(swq_context *ctx, swq_shelf *a, int64_t bytes)
{
    swq_scratch *s = swq_context_scratch(ctx);
    const int64_t last = a->count > 0 ? a->piece[a->count - 1].bytes : 0;
    int64_t size = 2 * last > MOST_PIECE ? MOST_PIECE : 2 * last;

    size = size > bytes ? size : bytes;
    size = (size + LEAST_PIECE - 1) / LEAST_PIECE * LEAST_PIECE;
    if (a->count == a->room) {
        const int room = 2 * a->room + 8;
        struct swq_shelf_piece *piece = swq_resize(ctx, a->piece, (size_t)room, sizeof *piece);
        if (!piece)
            return swq_memory_status(ctx);
        a->piece = piece;
        a->room = room;
    }
    if (swq_context_lose_allocation(ctx, (size_t)size))
        return swq_scratch_status(ctx);
    const int error = posix_fallocate(s->file, (off_t)s->end, (off_t)size);
    if (error != 0)
        return cannot(ctx, s->directory, error);
    char *at = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, s->file, (off_t)s->end);
    if (at == MAP_FAILED)
        return cannot(ctx, s->directory, errno);
    a->piece[a->count++] = (struct swq_shelf_piece){at, size, s->end};
    a->used = 0;
    s->end += size;
    return SWQ_OK;
}

void *swq_shelf_take(swq_context *ctx, swq_shelf *a, size_t bytes)
{
    swq_scratch *s = swq_context_scratch(ctx);
    const int64_t size = ((int64_t)bytes + LINE - 1) / LINE * LINE;

    if (a->count == 0 || a->piece[a->count - 1].bytes - a->used < size) {
        swq_status status = add_piece(ctx, a, size);
        if (status) {
            swq_context_note_failure(ctx, status);
            return NULL;
        }
    }
    char *block = a->piece[a->count - 1].at + a->used;
    a->used += size;
    a->blocks += (double)size;
    s->taken += (double)size;
    s->most = fmax(s->most, s->taken);
    return block;
}

void swq_shelf_clear(swq_context *ctx, swq_shelf *a)
{
    swq_scratch *s = swq_context_scratch(ctx);

    for (int k = 0; k < a->count; k++) {
        munmap(a->piece[k].at, (size_t)a->piece[k].bytes);
#if defined __linux__ && defined FALLOC_FL_PUNCH_HOLE /* elsewhere fallocate is only declared */
        (void)!fallocate(s->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                         (off_t)a->piece[k].offset, (off_t)a->piece[k].bytes);
#endif
    }
    s->taken -= a->blocks;
    swq_free(ctx, a->piece);
    *a = (swq_shelf){0};
}

void swq_shelf_let_go(const swq_shelf *a)
{
#ifdef MADV_DONTNEED
    for (int k = 0; k < a->count; k++)
        (void)madvise(a->piece[k].at, (size_t)a->piece[k].bytes, MADV_DONTNEED);
#else
    (void)a;
#endif
}
