/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers that answer points, each in a process of its own, and the links to them. The process that
 * owns the database never answers a point itself; a worker never sees the database.
 *
 * A link is an interface: a local worker is reached by a socket (study/worker.c); one on another
 * machine by whatever carries frames. Frames are opaque to who carries them: a length-prefixed
 * request or reply (study/message.h). What a worker elsewhere must do:
 *   - have its process forked by swq_keeper_start before anything is open or initialised there
 *     (MPI_Init, threads, the database), since option tables are a process's own and a point may
 *     crash or be killed for memory;
 *   - pass every frame it is sent on to a local link (swq_link_local), unchanged and in order, and
 *     every frame that this link has received back, unchanged and in order;
 *   - when the local link says SWQ_LINK_ENDED, tell the far end, whose receive() then says the same
 *     with the same text. Requests that were sent before and not answered are lost then; the crew
 *     fails the first of them (the one that was being answered) and sends the others again.
 * Room: study.
 */
#ifndef SWQ_STUDY_CREW_H
#define SWQ_STUDY_CREW_H

#include "study/store.h"

/* ---- what a worker does ---- */

typedef struct swq_reply {
    int64_t id;
    int status; /* exit status; -1: ended by a signal */
    double cpu_seconds, wall_seconds;
    const char *message, *answer, *host; /* as in swq_store_entry */
} swq_reply;

/* Answer one point, in a worker's process; texts in the reply live until the next call. */
typedef void swq_answer_fn(void *arg, const char *words, swq_reply *reply);

/* ---- local workers ---- */

/* A process forked early, which forks workers when asked and tells how they ended: so no worker
 * inherits a database, a large heap or a library that does not like to be forked. Everything of it
 * ends when its parent does. */
typedef struct swq_keeper swq_keeper;
swq_status swq_keeper_start(swq_context *ctx, swq_answer_fn *answer, void *arg,
                            swq_keeper **keeper);
void swq_keeper_end(swq_context *ctx, swq_keeper *keeper);

/* ---- links ---- */

typedef enum swq_link_event {
    SWQ_LINK_NOTHING, /* for now */
    SWQ_LINK_FRAME,   /* one whole reply is in `frame` */
    SWQ_LINK_ENDED,   /* the worker ended, `text` says how; another one stands in its place */
    SWQ_LINK_GONE     /* and there is none in its place; `text` says why */
} swq_link_event;

typedef struct swq_frame {
    const char *bytes; /* with its length prefix; valid until the next receive() */
    size_t size;
} swq_frame;

typedef struct swq_link swq_link;
struct swq_link {
    int fd; /* readable when something came; -1: receive() must be asked every now and then */
    /* Send a frame; may block only as long as it takes to hand over a few kilobytes. Errors:
     * SWQ_EIO; a worker that has ended is no error here: receive() tells. */
    swq_status (*send)(swq_link *link, swq_context *ctx, const void *bytes, size_t size);
    /* What came; never blocks. */
    swq_link_event (*receive)(swq_link *link, swq_context *ctx, swq_frame *frame, char *text,
                              size_t room);
    /* End the worker, at once, whatever it does, and free the link. */
    void (*end)(swq_link *link, swq_context *ctx);
};

/* A link to a new worker of the keeper. */
swq_status swq_link_local(swq_context *ctx, swq_keeper *keeper, swq_link **link);

/* ---- many workers on one study ---- */

typedef struct swq_crew_result {
    int64_t done, failed; /* by this crew */
    int64_t lost;         /* answered, but could not be recorded */
    double cpu_seconds;   /* of the points */
    double wall_seconds;
    int workers;
    struct {
        char point[200], message[200];
    } failure[3]; /* the first ones */
} swq_crew_result;

typedef struct swq_crew_options {
    bool no_wait; /* end when nothing is open, though others are still at some points; otherwise
                   * wait for them, and take over what they leave */
} swq_crew_options;

/* Have the workers behind the links answer all wanted points of the store that are open, and record
 * the answers as they come. SWQ_OK also when points failed. Errors: SWQ_ECANCELLED after recording
 * what had been answered (claims are given back); SWQ_EIO when the store fails or no worker is
 * left. `result` is filled in any case. Progress is told to the context's watch. */
swq_status swq_crew_run(swq_context *ctx, swq_store *store, swq_link *const *link, int links,
                        const swq_crew_options *options, swq_crew_result *result);

#endif
