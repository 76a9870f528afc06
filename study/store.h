/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The database of points and answers, an SQLite file that several processes may use at once. A
 * point is open, running (claimed by a process), done or failed. Recorded answers are safe whatever
 * happens to the process: each batch of answers is one transaction, in a write-ahead log where the
 * file system supports one. docs/sweep.md describes the tables for users who query them.
 *
 * Every function returns SWQ_EIO with the file's name and the reason when the database fails (disk
 * full, read-only, locked for longer than the patience, damaged, another program's).
 * SQLite is seen through study/sqlite.h alone.
 */
#ifndef SWQ_STUDY_STORE_H
#define SWQ_STUDY_STORE_H

#include "study/study.h"

#define SWQ_STORE_APPLICATION 0x73775153 /* "swQS": PRAGMA application_id */
enum { SWQ_STORE_SCHEMA = 1 };           /* PRAGMA user_version */

typedef struct swq_store swq_store;

typedef struct swq_store_options {
    bool create;         /* create the file if it does not exist */
    bool read_only;      /* only for reading: nothing can be claimed or recorded */
    int patience_ms;     /* how long to wait for other processes' locks; 0: 60 s */
    int silence_seconds; /* a process of another machine counts as dead after that many seconds
                            without a sign of life; 0: 120 s */
} swq_store_options;

/* Opens a database. Errors: SWQ_EIO; SWQ_EINVAL if the file is no database of this program, or has
 * a later version of the schema. */
swq_status swq_store_open(swq_context *ctx, const char *path, const swq_store_options *options,
                          swq_store **store);

/* Closes the database, and gives back remaining claims; NULL is allowed. Never fails. */
void swq_store_close(swq_context *ctx, swq_store *store);

const char *swq_store_path(const swq_store *store);

/* ---- which points this process wants ---- */

/* swq_store_want marks a point as wanted, and adds it to the database if it is not there. Many such
 * calls form one transaction, from swq_store_begin to swq_store_commit. A point wanted twice counts
 * once. */
swq_status swq_store_begin(swq_context *ctx, swq_store *store);
swq_status swq_store_want(swq_context *ctx, swq_store *store, const swq_point *point);
swq_status swq_store_commit(swq_context *ctx, swq_store *store);

/* Wants all points that exist, in order to look at a database without its study. */
swq_status swq_store_want_all(swq_context *ctx, swq_store *store);

/* Reopens wanted points: failed ones (retry), and finished ones of another version of the program
 * (again). */
swq_status swq_store_reopen(swq_context *ctx, swq_store *store, bool retry, bool again);

/* Numbers of wanted points. */
typedef struct swq_store_counts {
    int64_t wanted, open, running, done, failed;
    int64_t added;         /* points that this process was the first to add */
    int64_t other_version; /* done or failed by another version of the program */
} swq_store_counts;
swq_status swq_store_count(swq_context *ctx, swq_store *store, swq_store_counts *counts);

/* ---- claims ---- */

typedef struct swq_claimed {
    int64_t id;  /* points.id */
    char *words; /* the caller's to swq_free */
} swq_claimed;

/* Claims up to `most` wanted points that are open, in order, starting over once at the end. First
 * reopens claims of dead processes: at once for this machine's, after the silence for others.
 * *count 0: none is open now. */
swq_status swq_store_claim(swq_context *ctx, swq_store *store, int most, swq_claimed *claim,
                           int *count);

/* Gives back a claim: the point is open again. */
swq_status swq_store_release(swq_context *ctx, swq_store *store, int64_t id);

/* Gives a sign of life if one is due. To be called at least every few seconds. */
swq_status swq_store_beat(swq_context *ctx, swq_store *store);

/* ---- answers ---- */

typedef struct swq_store_entry {
    int64_t id;
    int status; /* exit status of the command; 0: done, otherwise failed; -1: none (ended by a
                   signal) */
    const char *message; /* why the point failed; "" or NULL: the point has not failed */
    const char *answer;  /* compact JSON; NULL: none */
    double cpu_seconds, wall_seconds;
    const char *host; /* NULL: this machine */
} swq_store_entry;

/* Records answers to points that this process has claimed, in one transaction: if the function
 * returns SWQ_OK, all answers are stored safely, and otherwise none is. An answer to a point that
 * another process has taken over and finished in the meantime is dropped. */
swq_status swq_store_record(swq_context *ctx, swq_store *store, const swq_store_entry *record,
                            int count);

/* ---- reading ---- */

typedef struct swq_row {
    int64_t id;
    const char *point, *command, *options; /* as in swq_point */
    int repeat;
    bool seeded;
    uint64_t seed;
    const char *state; /* "open", "running", "done", "failed" */
    int status;        /* -1: none */
    const char *message, *answer, *version, *host, *finished; /* NULL: none */
    double cpu_seconds, wall_seconds;                         /* NAN: none */
} swq_row;

/* Shows every wanted point, in the order in which points were wanted; texts are valid during the
 * visit. `state`: shows only points in this state; NULL: all points. */
typedef swq_status swq_row_visit(void *arg, const swq_row *row);
swq_status swq_store_rows(swq_context *ctx, swq_store *store, const char *state,
                          swq_row_visit *visit, void *arg);

#endif
