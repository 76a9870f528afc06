/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes on in a worker's process, and how its socket is read and written at either end.
 */
#ifndef SWQ_STUDY_WORKER_H
#define SWQ_STUDY_WORKER_H

#include "study/message.h"

#include <sys/types.h>

typedef struct swq_worker {
    int fd;
    swq_answer_fn *answer;
    void *arg;
} swq_worker;

/* Answers requests until the socket is closed at the other end. */
void swq_worker_serve(const swq_worker *worker);

/* Writes all `size` bytes; false: the other end has closed the socket, or there was an error. */
bool swq_socket_write(int fd, const char *bytes, size_t size);

/* Appends the bytes that have come; with `wait`, waits until some have come. Returns the number of
 * bytes; 0: nothing now; -1: closed, or no memory. */
ssize_t swq_socket_read(swq_context *ctx, int fd, swq_bytes *to, bool wait);

#endif
