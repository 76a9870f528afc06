/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keeper of local workers: a small process forked before anything is open, which forks workers
 * on demand, hands their sockets over, and says how they ended. The keeper waits in a read of its
 * own socket; when the socket closes, the keeper's parent has gone, and the keeper and all workers
 * end.
 */
#include "base/context.h"
#include "study/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct swq_keeper {
    pid_t pid;
    int fd;
};

/* An order to the keeper: end and reap a worker (0: none), and start another one if wanted. */
typedef struct {
    pid_t reap;
    bool start;
} order;

/* The keeper's report, which comes with the new worker's socket if there is a new worker. */
typedef struct {
    int ended;    /* the status from waitpid */
    pid_t worker; /* 0: the fork failed */
} keeper_report;

/* ---- in the keeper's process ---- */

/* Ctrl-C and scancel signal the whole process group, but workers end only when their parent says
 * so. */
static void become_quiet(void)
{
    static const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

    for (size_t k = 0; k < sizeof deaf / sizeof *deaf; k++)
        signal(deaf[k], SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static bool hand_over(int to, const keeper_report *said, int fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    keeper_report copy = *said;
    struct iovec piece = {&copy, sizeof copy};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};

    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof copy;
}

static pid_t start_worker(int own, swq_answer_fn *answer, void *arg, int *fd)
{
    int pair[2];

    *fd = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return 0;
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(own);
        close(pair[0]);
        swq_worker_serve(&(swq_worker){pair[1], answer, arg});
        _exit(0);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return 0;
    }
    *fd = pair[0];
    return pid;
}

static void keep(int own, swq_answer_fn *answer, void *arg)
{
    order what;
    ssize_t got;

    become_quiet();
    while ((got = recv(own, &what, sizeof what, MSG_WAITALL)) == (ssize_t)sizeof what ||
           (got < 0 && errno == EINTR)) {
        keeper_report said = {0};
        int fd = -1;
        if (got < 0)
            continue;
        if (what.reap) {
            kill(what.reap, SIGKILL); /* it may be dead already */
            while (waitpid(what.reap, &said.ended, 0) < 0 && errno == EINTR)
                ;
        }
        if (what.start)
            said.worker = start_worker(own, answer, arg, &fd);
        const bool sent = hand_over(own, &said, fd);
        if (fd >= 0)
            close(fd);
        if (!sent)
            break;
    }
}

/* ---- in its parent's ---- */

swq_status swq_keeper_start(swq_context *ctx, swq_answer_fn *answer, void *arg, swq_keeper **keeper)
{
    swq_keeper *made = swq_calloc(ctx, 1, sizeof *made);
    int pair[2];

    if (!made)
        return swq_memory_status(ctx);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
        swq_free(ctx, made);
        return swq_fail(ctx, SWQ_EIO, "cannot start workers: %s", strerror(errno));
    }
    fflush(NULL); /* otherwise the child would write buffered output a second time */
    made->pid = fork();
    if (made->pid == 0) {
        close(pair[0]);
        keep(pair[1], answer, arg);
        _exit(0);
    }
    close(pair[1]);
    made->fd = pair[0];
    if (made->pid < 0) {
        close(pair[0]);
        swq_free(ctx, made);
        return swq_fail(ctx, SWQ_EIO, "cannot start workers: %s", strerror(errno));
    }
    *keeper = made;
    return SWQ_OK;
}

void swq_keeper_end(swq_context *ctx, swq_keeper *keeper)
{
    if (!keeper)
        return;
    close(keeper->fd);
    while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    swq_free(ctx, keeper);
}

/* Sends an order and receives its report, and the new worker's socket (-1: none). */
static bool ask(const swq_keeper *keeper, order what, keeper_report *said, int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec piece = {said, sizeof *said};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got;

    *fd = -1;
    if (!swq_socket_write(keeper->fd, (const char *)&what, sizeof what))
        return false;
    do
        got = recvmsg(keeper->fd, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof *said)
        return false;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
    return true;
}

/* ---- a link to a worker ---- */

typedef struct {
    swq_link link; /* the first member, so that a pointer to the link is a pointer to this struct */
    const swq_keeper *keeper;
    pid_t worker;
    swq_bytes in;
    size_t taken; /* bytes of `in` that belong to the last frame handed out */
} local;

static swq_status local_send(swq_link *link, swq_context *ctx, const void *bytes, size_t size)
{
    (void)ctx;
    swq_socket_write(link->fd, bytes, size); /* if the worker has ended, receive() reports it */
    return SWQ_OK;
}

static void how_it_ended(int ended, char *text, size_t room)
{
    if (WIFSIGNALED(ended))
        snprintf(text, room, "ended by signal %d (%s)", WTERMSIG(ended),
                 WTERMSIG(ended) == SIGKILL   ? "killed: perhaps for want of memory"
                 : WTERMSIG(ended) == SIGSEGV ? "segmentation fault"
                 : WTERMSIG(ended) == SIGABRT ? "aborted"
                 : WTERMSIG(ended) == SIGXCPU ? "CPU time limit"
                                              : "a crash");
    else
        snprintf(text, room, "its process ended with status %d", WEXITSTATUS(ended));
}

static swq_link_event renew(local *own, char *text, size_t room)
{
    keeper_report said = {0};
    int fd, old = own->link.fd;

    own->in.size = own->taken = 0;
    if (!ask(own->keeper, (order){own->worker, true}, &said, &fd) || fd < 0) {
        snprintf(text, room, "workers can no longer be started: %.60s", strerror(errno));
        own->worker = 0;
        return SWQ_LINK_GONE;
    }
    close(old);
    own->link.fd = fd;
    own->worker = said.worker;
    how_it_ended(said.ended, text, room);
    return SWQ_LINK_ENDED;
}

static swq_link_event local_receive(swq_link *link, swq_context *ctx, swq_frame *frame, char *text,
                                    size_t room)
{
    local *own = (local *)link;
    swq_bytes *in = &own->in;

    for (;;) {
        const size_t length = swq_frame_length(in->bytes + own->taken, in->size - own->taken);
        if (length && in->size - own->taken >= length) {
            *frame = (swq_frame){in->bytes + own->taken, length};
            own->taken += length;
            return SWQ_LINK_FRAME;
        }
        in->size -= own->taken;
        if (own->taken && in->size)
            memmove(in->bytes, in->bytes + own->taken, in->size);
        own->taken = 0;
        const ssize_t got = swq_socket_read(ctx, link->fd, in, false);
        if (got == 0)
            return SWQ_LINK_NOTHING;
        if (got < 0)
            return renew(own, text, room);
    }
}

static void local_end(swq_link *link, swq_context *ctx)
{
    local *own = (local *)link;
    keeper_report said;
    int fd;

    if (own->worker)
        ask(own->keeper, (order){own->worker, false}, &said, &fd);
    close(link->fd);
    swq_free(ctx, own->in.bytes);
    swq_free(ctx, own);
}

swq_status swq_link_local(swq_context *ctx, swq_keeper *keeper, swq_link **link)
{
    local *own = swq_calloc(ctx, 1, sizeof *own);
    keeper_report said = {0};
    int fd;

    if (!own)
        return swq_memory_status(ctx);
    if (!ask(keeper, (order){0, true}, &said, &fd) || fd < 0) {
        swq_free(ctx, own);
        return swq_fail(ctx, SWQ_EIO, "cannot start a worker: no more processes or files");
    }
    own->link = (swq_link){fd, local_send, local_receive, local_end};
    own->keeper = keeper;
    own->worker = said.worker;
    *link = &own->link;
    return SWQ_OK;
}
