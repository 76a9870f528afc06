/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links over MPI. A message is about one worker of one rank: the tag gives the kind of the message,
 * its first four bytes the worker, and the rest is a frame or words, unchanged.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "study/ranks.h"

#include "base/context.h"

#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TAG_HELLO, /* to rank 0: the number of workers instead of a worker's number; the version */
    TAG_FRAME, /* a request to a worker, or its reply */
    TAG_ENDED, /* to rank 0: a worker ended, and a new worker has replaced it; the text says how the
                  old worker ended */
    TAG_GONE,  /* to rank 0: a worker ended, and there is no other; why */
    TAG_END,   /* from rank 0: end this worker */
    TAG_LEAVE, /* from rank 0: leave */
    TAG_BYE    /* to rank 0: the last message */
};

enum { MOST_WORKERS = 4096 };

/* ---- how many ---- */

/* Ranks on this machine, according to the launcher. */
static int neighbours(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                        "SLURM_NTASKS_PER_NODE"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *text = getenv(names[k]);
        const long ranks = text ? strtol(text, NULL, 10) : 0;
        if (ranks >= 1 && ranks < MOST_WORKERS)
            return (int)ranks;
    }
    return 1;
}

int swq_ranks_workers(void)
{
    const long all = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t mine;
    int workers = (int)all;

    if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) < all)
        workers = CPU_COUNT(&mine); /* the launcher has divided them among the ranks */
    else
        workers /= neighbours();
    return workers < 1 ? 1 : workers > MOST_WORKERS ? MOST_WORKERS : workers;
}

/* ---- messages ---- */

static void put_number(char *bytes, uint32_t number)
{
    for (int k = 0; k < 4; k++)
        bytes[k] = (char)(number >> (8 * k) & 0xff);
}

static uint32_t get_number(const char *bytes)
{
    uint32_t number = 0;

    for (int k = 0; k < 4; k++)
        number |= (uint32_t)(unsigned char)bytes[k] << (8 * k);
    return number;
}

static swq_status tell(swq_context *ctx, swq_mpi *mpi, int to, int tag, uint32_t worker,
                       const void *bytes, size_t size)
{
    char *whole = swq_calloc(ctx, size + 4, 1);

    if (!whole)
        return swq_memory_status(ctx);
    put_number(whole, worker);
    if (size)
        memcpy(whole + 4, bytes, size);
    swq_status status = swq_mpi_send(mpi, to, tag, whole, size + 4);
    swq_free(ctx, whole);
    return status;
}

static void doze(int milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL);
}

/* ---- rank 0 ---- */

/* A message for a link that has not been received yet. */
typedef struct letter letter;
struct letter {
    letter *next;
    int tag;
    size_t size;
    char *bytes; /* [size], after the letter itself */
};

typedef struct {
    swq_link link; /* the first member, so that a pointer to the link is a pointer to this struct */
    swq_ranks *ranks;
    int rank;
    uint32_t worker;
    bool over; /* end() was called */
    letter *first, *last, *shown;
} remote;

struct swq_ranks {
    swq_context *ctx;
    swq_mpi *mpi;
    swq_link **link; /* [links], each the first member of a remote */
    int links;
    int *first; /* [ranks + 1] the first link of each rank */
};

static remote *remote_of(const swq_ranks *ranks, int rank, uint32_t worker)
{
    const int first = ranks->first[rank], end = ranks->first[rank + 1];

    return worker < (uint32_t)(end - first) ? (remote *)(void *)ranks->link[first + (int)worker]
                                            : NULL;
}

/* Distributes the messages that have come to their links. */
static swq_status sort_mail(swq_ranks *ranks)
{
    for (;;) {
        swq_mpi_message m;
        swq_status status = swq_mpi_receive(ranks->mpi, &m);
        if (status || m.from < 0)
            return status;
        remote *for_it = m.size >= 4 ? remote_of(ranks, m.from, get_number(m.bytes)) : NULL;
        if (!for_it || for_it->over)
            continue;
        letter *new = swq_calloc(ranks->ctx, sizeof *new + m.size - 4 + 1, 1);
        if (!new)
            return swq_memory_status(ranks->ctx);
        *new = (letter){.tag = m.tag, .size = m.size - 4, .bytes = (char *)(new + 1)};
        memcpy(new->bytes, m.bytes + 4, new->size);
        if (for_it->last)
            for_it->last->next = new;
        else
            for_it->first = new;
        for_it->last = new;
    }
}

static swq_status remote_send(swq_link *link, swq_context *ctx, const void *bytes, size_t size)
{
    remote *r = (remote *)(void *)link;

    return tell(ctx, r->ranks->mpi, r->rank, TAG_FRAME, r->worker, bytes, size);
}

static swq_link_event remote_receive(swq_link *link, swq_context *ctx, swq_frame *frame, char *text,
                                     size_t room)
{
    remote *r = (remote *)(void *)link;

    swq_free(ctx, r->shown);
    r->shown = NULL;
    if (!r->first && sort_mail(r->ranks)) {
        strncpy(text, swq_context_message(ctx), room - 1);
        text[room - 1] = '\0';
        return SWQ_LINK_GONE;
    }
    letter *came = r->first;
    if (!came)
        return SWQ_LINK_NOTHING;
    r->first = came->next;
    if (!r->first)
        r->last = NULL;
    r->shown = came;
    *frame = (swq_frame){came->bytes, came->size};
    if (came->tag == TAG_FRAME)
        return SWQ_LINK_FRAME;
    strncpy(text, came->bytes, room - 1);
    text[room - 1] = '\0';
    return came->tag == TAG_ENDED ? SWQ_LINK_ENDED : SWQ_LINK_GONE;
}

/* Ends a link. Its memory is kept until all links are freed, as messages for the link may still
 * come. */
static void remote_end(swq_link *link, swq_context *ctx)
{
    remote *r = (remote *)(void *)link;

    if (r->over)
        return;
    tell(ctx, r->ranks->mpi, r->rank, TAG_END, r->worker, NULL, 0);
    r->over = true;
}

static void free_ranks(swq_context *ctx, swq_ranks *ranks)
{
    for (int k = 0; ranks && k < ranks->links; k++) {
        remote *r = (remote *)(void *)ranks->link[k];
        for (letter *l = r ? r->first : NULL, *next; l; l = next) {
            next = l->next;
            swq_free(ctx, l);
        }
        if (r)
            swq_free(ctx, r->shown);
        swq_free(ctx, r);
    }
    if (ranks) {
        swq_free(ctx, ranks->link);
        swq_free(ctx, ranks->first);
    }
    swq_free(ctx, ranks);
}

/* workers: [ranks of the job], filled in; rank 0's stays 0. */
static swq_status hear_all(swq_context *ctx, swq_mpi *mpi, const char *version, int *workers)
{
    const int ranks = swq_mpi_ranks(mpi);

    for (int heard = 1; heard < ranks;) {
        swq_mpi_message m;
        swq_status status = swq_mpi_receive(mpi, &m);
        if (status)
            return status;
        if (swq_context_cancelled(ctx))
            return swq_fail(ctx, SWQ_ECANCELLED, "cancelled");
        if (m.from < 0) {
            doze(1);
            continue;
        }
        if (m.tag != TAG_HELLO || m.size < 4 || strcmp(m.bytes + 4, version) != 0)
            return swq_fail(ctx, SWQ_EINVAL, "rank %d runs switchq %.40s, rank 0 %s", m.from,
                            m.size < 4 ? "?" : m.bytes + 4, version);
        const uint32_t count = get_number(m.bytes);
        workers[m.from] = count < MOST_WORKERS ? (int)count : MOST_WORKERS;
        heard++;
    }
    return SWQ_OK;
}

static swq_status make_links(swq_context *ctx, swq_ranks *ranks, const int *workers, int job)
{
    for (int rank = 0; rank < job; rank++)
        ranks->first[rank + 1] = ranks->first[rank] + workers[rank];
    ranks->links = ranks->first[job];
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    ranks->link = swq_calloc(ctx, (size_t)ranks->links + 1, sizeof *ranks->link);
    if (!ranks->link)
        return swq_memory_status(ctx);
    for (int rank = 0; rank < job; rank++) {
        for (int k = 0; k < workers[rank]; k++) {
            remote *r = swq_calloc(ctx, 1, sizeof *r);
            if (!r)
                return swq_memory_status(ctx);
            r->link = (swq_link){-1, remote_send, remote_receive, remote_end};
            r->ranks = ranks;
            r->rank = rank;
            r->worker = (uint32_t)k;
            ranks->link[ranks->first[rank] + k] = &r->link;
        }
    }
    return SWQ_OK;
}

swq_status swq_ranks_meet(swq_context *ctx, swq_mpi *mpi, const char *version, swq_ranks **ranks)
{
    const int job = swq_mpi_ranks(mpi);
    int *workers = swq_calloc(ctx, (size_t)job, sizeof *workers);
    swq_ranks *new = swq_calloc(ctx, 1, sizeof *new);
    swq_status status = SWQ_OK;

    if (new)
        new->first = swq_calloc(ctx, (size_t)job + 1, sizeof *new->first);
    if (!workers || !new || !new->first)
        status = swq_memory_status(ctx);
    if (!status) {
        new->ctx = ctx;
        new->mpi = mpi;
        status = hear_all(ctx, mpi, version, workers);
    }
    if (!status)
        status = make_links(ctx, new, workers, job);
    swq_free(ctx, workers);
    if (status)
        free_ranks(ctx, new);
    else
        *ranks = new;
    return status;
}

swq_link *const *swq_ranks_links(const swq_ranks *ranks, int *links)
{
    *links = ranks->links;
    return ranks->link;
}

/* Receives messages that are still on their way, so that no sender waits for ever. */
void swq_ranks_dismiss(swq_context *ctx, swq_mpi *mpi, swq_ranks *ranks)
{
    int left = 0;

    for (int rank = 1; rank < swq_mpi_ranks(mpi); rank++)
        left += tell(ctx, mpi, rank, TAG_LEAVE, 0, NULL, 0) == SWQ_OK;
    while (left > 0) {
        swq_mpi_message m;
        if (swq_mpi_receive(mpi, &m))
            break;
        left -= m.from >= 0 && m.tag == TAG_BYE;
        if (m.from < 0)
            doze(1);
    }
    free_ranks(ctx, ranks);
}

/* ---- the others ---- */

typedef struct {
    swq_mpi *mpi;
    swq_link **link;   /* [workers]; NULL: ended */
    struct pollfd *fd; /* [workers] */
    int workers;
    bool leave;
} lender;

static void end_worker(swq_context *ctx, lender *l, uint32_t worker)
{
    if (worker < (uint32_t)l->workers && l->link[worker]) {
        l->link[worker]->end(l->link[worker], ctx);
        l->link[worker] = NULL;
        l->fd[worker].fd = -1;
    }
}

/* Passes messages from rank 0 to the workers; *busy: there was one. */
static swq_status pass_down(swq_context *ctx, lender *l, bool *busy)
{
    while (!l->leave) {
        swq_mpi_message m;
        swq_status status = swq_mpi_receive(l->mpi, &m);
        if (status || m.from < 0)
            return status;
        *busy = true;
        const uint32_t worker = m.size >= 4 ? get_number(m.bytes) : UINT32_MAX;
        if (m.tag == TAG_LEAVE)
            l->leave = true;
        else if (m.tag == TAG_END)
            end_worker(ctx, l, worker);
        else if (m.tag == TAG_FRAME && worker < (uint32_t)l->workers && l->link[worker])
            status = l->link[worker]->send(l->link[worker], ctx, m.bytes + 4, m.size - 4);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* Passes messages from a worker to rank 0. */
static swq_status pass_up(swq_context *ctx, lender *l, int worker, bool *busy)
{
    while (l->link[worker]) {
        swq_frame frame;
        char text[400];
        const swq_link_event event =
            l->link[worker]->receive(l->link[worker], ctx, &frame, text, sizeof text);
        swq_status status;
        if (event == SWQ_LINK_NOTHING)
            return SWQ_OK;
        *busy = true;
        if (event == SWQ_LINK_FRAME)
            status = tell(ctx, l->mpi, 0, TAG_FRAME, (uint32_t)worker, frame.bytes, frame.size);
        else
            status = tell(ctx, l->mpi, 0, event == SWQ_LINK_ENDED ? TAG_ENDED : TAG_GONE,
                          (uint32_t)worker, text, strlen(text) + 1);
        if (event == SWQ_LINK_GONE)
            end_worker(ctx, l, (uint32_t)worker);
        if (status)
            return status;
    }
    return SWQ_OK;
}

/* Passes messages between MPI and the workers of this process until told to leave. A process cannot
 * wait for MPI and for workers at the same time, and MPI's own waiting keeps a processor busy. So
 * MPI is polled every millisecond while there is work, and less often after some time without work.
 */
static swq_status pass_on(swq_context *ctx, lender *l)
{
    swq_status status = SWQ_OK;
    int idle = 0;

    while (!l->leave && !status) {
        bool busy = false;
        status = pass_down(ctx, l, &busy);
        for (int k = 0; k < l->workers && !status && !l->leave; k++) {
            if (l->link[k]) { /* a new worker may have replaced a worker that ended */
                status = pass_up(ctx, l, k, &busy);
                l->fd[k] =
                    (struct pollfd){.fd = l->link[k] ? l->link[k]->fd : -1, .events = POLLIN};
            }
        }
        idle = busy ? 0 : idle + 1;
        if (!busy && !l->leave && !status)
            poll(l->fd, (nfds_t)l->workers, idle < 200 ? 1 : 10);
    }
    return status;
}

swq_status swq_ranks_lend(swq_context *ctx, swq_mpi *mpi, const char *version, swq_keeper *keeper,
                          int workers)
{
    lender l = {.mpi = mpi, .workers = workers};
    swq_status status = SWQ_OK;

    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    l.link = swq_calloc(ctx, (size_t)workers + 1, sizeof *l.link);
    l.fd = swq_calloc(ctx, (size_t)workers + 1, sizeof *l.fd);
    if (!l.link || !l.fd)
        status = swq_memory_status(ctx);
    for (int k = 0; k < workers && !status; k++)
        status = swq_link_local(ctx, keeper, &l.link[k]);
    if (!status)
        status = tell(ctx, mpi, 0, TAG_HELLO, (uint32_t)workers, version, strlen(version) + 1);
    if (!status)
        status = pass_on(ctx, &l);
    if (!status)
        status = tell(ctx, mpi, 0, TAG_BYE, 0, NULL, 0);
    for (int k = 0; k < workers && l.link; k++) {
        if (l.link[k])
            l.link[k]->end(l.link[k], ctx);
    }
    swq_free(ctx, l.link);
    swq_free(ctx, l.fd);
    return status;
}
