/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes on in a worker's process, and how its socket is read and written at either end.
 * Room: study.
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

/* Answer what comes until the socket is closed at the far end. */
void swq_worker_serve(const swq_worker *worker);

/* All of it; false: the far end has closed it, or worse. */
bool swq_socket_write(int fd, const char *bytes, size_t size);

/* Add what has come, waiting for something if so told. Returns how many bytes; 0: nothing now; -1:
 * closed, or no memory. */
ssize_t swq_socket_read(swq_context *ctx, int fd, swq_bytes *to, bool wait);

#endif
