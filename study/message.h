/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests to workers and their replies as frames of bytes: a length, then fields. Both ends are
 * the same program; integers are little-endian, so that the two may run on different kinds of
 * machines.
 */
#ifndef SWQ_STUDY_MESSAGE_H
#define SWQ_STUDY_MESSAGE_H

#include "study/crew.h"

/* A growing piece of memory. Begin with zeros; free bytes with swq_free. */
typedef struct swq_bytes {
    char *bytes;
    size_t size, room;
} swq_bytes;

swq_status swq_bytes_add(swq_context *ctx, swq_bytes *to, const void *bytes, size_t size);

enum { SWQ_FRAME_PREFIX = 4, SWQ_FRAME_MOST = 1 << 28 };

/* The length of the whole frame that begins at `bytes`; 0: its length prefix is incomplete. */
size_t swq_frame_length(const char *bytes, size_t size);

/* Appends a request: answer `words`, the point `id`. */
swq_status swq_frame_request(swq_context *ctx, swq_bytes *to, int64_t id, const char *words);

/* Appends a reply. */
swq_status swq_frame_reply(swq_context *ctx, swq_bytes *to, const swq_reply *reply);

/* Reads them; texts point into the frame. Errors: SWQ_EIO if it is not such a frame. */
swq_status swq_frame_read_request(swq_context *ctx, const char *bytes, size_t size, int64_t *id,
                                  const char **words);
swq_status swq_frame_read_reply(swq_context *ctx, const char *bytes, size_t size, swq_reply *reply);

#endif
