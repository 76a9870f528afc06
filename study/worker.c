/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A worker's process: requests come in on a socket, replies go out on it, until it closes.
 */
#include "study/worker.h"
#include "base/context.h"
#include "study/message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool swq_socket_write(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
        }
    }
    return true;
}

ssize_t swq_socket_read(swq_context *ctx, int fd, swq_bytes *to, bool wait)
{
    char piece[64 << 10];
    ssize_t got;

    do
        got = recv(fd, piece, sizeof piece, wait ? 0 : MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
    if (got == 0 || swq_bytes_add(ctx, to, piece, (size_t)got))
        return -1;
    return got;
}

/* Answers one request; false: the socket is closed, or there is no memory for the reply. */
static bool serve(swq_context *ctx, const swq_worker *worker, const char *frame, size_t size,
                  swq_bytes *out)
{
    swq_reply reply = {0};
    const char *words;
    int64_t id;

    if (swq_frame_read_request(ctx, frame, size, &id, &words))
        return false;
    worker->answer(worker->arg, words, &reply);
    reply.id = id;
    out->size = 0;
    if (swq_frame_reply(ctx, out, &reply)) {
        reply.answer = NULL;
        reply.status = 3;
        reply.message = swq_context_message(ctx);
        if (swq_frame_reply(ctx, out, &reply))
            return false;
    }
    return swq_socket_write(worker->fd, out->bytes, out->size);
}

void swq_worker_serve(const swq_worker *worker)
{
    swq_context *ctx = swq_context_new();
    swq_bytes in = {0}, out = {0};
    bool open = ctx != NULL;

    while (open) {
        const size_t length = swq_frame_length(in.bytes, in.size);
        if (length == 0 || in.size < length) {
            open = swq_socket_read(ctx, worker->fd, &in, true) > 0;
            continue;
        }
        open = serve(ctx, worker, in.bytes, length, &out);
        in.size -= length;
        memmove(in.bytes, in.bytes + length, in.size);
    }
    if (ctx) {
        swq_free(ctx, in.bytes);
        swq_free(ctx, out.bytes);
        swq_context_free(ctx);
    }
}
