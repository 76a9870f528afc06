/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers that answer points, each in a process of its own, and the links to them. The process that
 * owns the database never answers a point itself; a worker never sees the database.
 *
 * A link is an interface: a local worker is reached by a socket (study/worker.c); a worker on
 * another machine by any means that carries frames. Frames are opaque to their carrier: a
 * length-prefixed request or reply (study/message.h). A carrier to workers on another machine must:
 *   - have its process forked by swq_keeper_start before anything is open or initialised there
 *     (MPI_Init, threads, the database), since option tables are a process's own and a point may
 *     crash or be killed for memory;
 *   - pass every frame it is sent on to a local link (swq_link_local), unchanged and in order, and
 *     every frame that this link has received back, unchanged and in order;
 *   - when the local link says SWQ_LINK_ENDED, tell the far end, whose receive() then says the same
 *     with the same text. Requests that were sent before and not answered are lost then; the crew
 *     fails the first of them (the one that was being answered) and sends the others again.
 */
#ifndef SWQ_STUDY_CREW_H
#define SWQ_STUDY_CREW_H

#include "study/store.h"

/* ---- workers ---- */

typedef struct swq_reply {
    int64_t id;
    int status; /* exit status; -1: the process was ended by a signal */
    double cpu_seconds, wall_seconds;
    const char *message, *answer, *host; /* as in swq_store_entry */
} swq_reply;

/* Answers one point, in a worker's process; texts in the reply are valid until the next call. */
typedef void swq_answer_fn(void *arg, const char *words, swq_reply *reply);

/* ---- local workers ---- */

/* A process forked early, which forks workers on request and reports how they ended. So no worker
 * inherits a database, a large heap, or a library that is not safe to fork. The keeper ends with
 * all its workers when its parent ends. */
typedef struct swq_keeper swq_keeper;
swq_status swq_keeper_start(swq_context *ctx, swq_answer_fn *answer, void *arg,
                            swq_keeper **keeper);
void swq_keeper_end(swq_context *ctx, swq_keeper *keeper);

/* ---- links ---- */

typedef enum swq_link_event {
    SWQ_LINK_NOTHING, /* for the moment */
    SWQ_LINK_FRAME,   /* a whole reply is in `frame` */
    SWQ_LINK_ENDED,   /* the worker ended, for the reason in `text`; another one replaces it */
    SWQ_LINK_GONE     /* the worker ended, and no new worker has taken its place; `text` says why */
} swq_link_event;

typedef struct swq_frame {
    const char *bytes; /* with its length prefix; valid until the next receive() */
    size_t size;
} swq_frame;

typedef struct swq_link swq_link;
struct swq_link {
    int fd; /* readable when something has come; -1: receive() must be called from time to time */
    /* Sends a frame; may block only for the time that it takes to hand over a few kilobytes.
     * Errors: SWQ_EIO. The end of the worker is no error here; receive() reports it. */
    swq_status (*send)(swq_link *link, swq_context *ctx, const void *bytes, size_t size);
    /* Returns the frame or event that has come; never blocks. */
    swq_link_event (*receive)(swq_link *link, swq_context *ctx, swq_frame *frame, char *text,
                              size_t room);
    /* Ends the worker at once, whatever it is doing, and frees the link. */
    void (*end)(swq_link *link, swq_context *ctx);
};

/* Makes a link to a new worker of the keeper. */
swq_status swq_link_local(swq_context *ctx, swq_keeper *keeper, swq_link **link);

/* ---- many workers on one study ---- */

typedef struct swq_crew_result {
    int64_t done, failed; /* by this crew */
    int64_t lost;         /* answered, but not recorded because of an error */
    double cpu_seconds;   /* of the points */
    double wall_seconds;
    int workers;
    struct {
        char point[200], message[200];
    } failure[3]; /* the first failures */
} swq_crew_result;

typedef struct swq_crew_options {
    bool no_wait; /* end when no point is open, even if other processes still work on some; else
                     wait for these processes, and take over the points that they leave */
} swq_crew_options;

/* Has the workers behind the links answer all open points that the store wants, and records the
 * answers as they come. Returns SWQ_OK even if points failed. Errors: SWQ_ECANCELLED, after
 * recording all answers that have come and giving back all claims; SWQ_EIO if the store fails or no
 * worker is left. `result` is filled in any case. Progress is reported to the context's
 * callback. */
swq_status swq_crew_run(swq_context *ctx, swq_store *store, swq_link *const *link, int links,
                        const swq_crew_options *options, swq_crew_result *result);

#endif
