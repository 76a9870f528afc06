/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workers and the crew: every point once, whoever answers; workers that crash, links that break, a
 * Ctrl-C, a database that fails; messages that are damaged; failing allocations.
 */
#include "study/message.h"
#include "study/owner.h"
#include "tests/study/studies.h"

#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char path[64];
static const swq_store_options usual = {.create = true};

static swq_context *ctx;

static void begin(void)
{
    ctx = study_begin();
    snprintf(path, sizeof path, "%s/s.db", study_folder);
}

static void end(void)
{
    study_end(ctx);
}

TestSuite(crew, .init = begin, .fini = end, .timeout = 240);

/* The workers of these tests: the load says what they do. */
static void answer(void *arg, const char *words, swq_reply *reply)
{
    static char text[200];
    const char *load = strstr(words, "--load ");
    const int number = load ? atoi(load + 7) : 0;

    (void)arg;
    if (number == 666)
        abort();
    if (number == 999)
        raise(SIGKILL);
    if (number == 777)
        _exit(5);
    if (number >= 100000) /* takes its time */
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    snprintf(text, sizeof text, "{\"words\":\"%s\"}", words);
    *reply = (swq_reply){.status = number == 13 ? 1 : 0,
                         .message = number == 13 ? "thirteen" : "",
                         .answer = number == 14 ? NULL : text,
                         .cpu_seconds = 0.001,
                         .wall_seconds = number >= 100000 ? 0.02 : 0.0001};
}

static swq_status want(void *store, const swq_point *point)
{
    return swq_store_want(ctx, store, point);
}

static swq_store *open_study(const char *text)
{
    swq_store *s = NULL;
    swq_study *study = test_study(ctx, text);

    cr_assert_eq(swq_store_open(ctx, path, &usual, &s), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(swq_store_begin(ctx, s), SWQ_OK);
    cr_assert_eq(swq_study_points(ctx, study, want, s), SWQ_OK);
    cr_assert_eq(swq_store_commit(ctx, s), SWQ_OK);
    swq_study_free(ctx, study);
    return s;
}

static swq_link *working[8]; /* of the current run, for its watchers */

static swq_status run(swq_store *s, int workers, swq_crew_result *result)
{
    const swq_crew_options options = {0};
    swq_keeper *keeper = NULL;

    cr_assert_eq(swq_keeper_start(ctx, answer, NULL, &keeper), SWQ_OK);
    for (int k = 0; k < workers; k++)
        cr_assert_eq(swq_link_local(ctx, keeper, &working[k]), SWQ_OK);
    swq_status status = swq_crew_run(ctx, s, working, workers, &options, result);
    for (int k = 0; k < workers; k++)
        working[k]->end(working[k], ctx);
    swq_keeper_end(ctx, keeper);
    return status;
}

static int64_t sql(const char *text)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;

    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 2000);
    cr_assert_eq(sqlite3_prepare_v2(db, text, -1, &row, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    const int code = sqlite3_step(row);
    cr_assert(code == SQLITE_ROW || code == SQLITE_DONE, "%s", sqlite3_errmsg(db));
    const int64_t value = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}

static const char thousand[] = "{command: solve, over: {load: {from: 1001, to: 2000, step: 1}}}";

Test(crew, every_point_is_answered_by_its_own_words)
{
    static const int workers[] = {1, 4};

    for (int k = 0; k < 2; k++) {
        swq_store *s = open_study(thousand);
        swq_crew_result result;
        cr_assert_eq(run(s, workers[k], &result), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(result.done, 1000);
        cr_assert_eq(result.failed, 0);
        cr_assert_eq(result.lost, 0);
        cr_assert_float_eq(result.cpu_seconds, 1, 1e-9);
        swq_store_close(ctx, s);
        cr_assert_eq(sql("SELECT count(*) FROM results WHERE state = 'done' AND "
                         "answer ->> '$.words' = point AND status = 0 AND owner IS NULL"),
                     1000);
        unlink(path);
    }
}

Test(crew, what_is_there_is_not_answered_again)
{
    swq_store *s = open_study("{command: solve, over: {load: [1, 2, 3]}}");
    swq_crew_result result;

    cr_assert_eq(run(s, 2, &result), SWQ_OK);
    cr_assert_eq(result.done, 3);
    swq_store_close(ctx, s);
    s = open_study("{command: solve, over: {load: [2, 3, 4]}}");
    cr_assert_eq(run(s, 2, &result), SWQ_OK);
    cr_assert_eq(result.done, 1);
    swq_store_close(ctx, s);
}

Test(crew, failures_are_recorded_and_the_rest_goes_on)
{
    swq_store *s = open_study("{command: solve, over: {load: [12, 13, 14, 15]}}");
    swq_crew_result result;

    cr_assert_eq(run(s, 1, &result), SWQ_OK);
    cr_assert_eq(result.done, 3);
    cr_assert_eq(result.failed, 1);
    cr_assert_str_eq(result.failure[0].point, "solve --load 13");
    cr_assert_str_eq(result.failure[0].message, "thirteen");
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'failed' AND status = 1 AND "
                     "message = 'thirteen'"),
                 1);
    cr_assert_eq(sql("SELECT count(*) FROM answers"), 3); /* 13 has one, 14 has none */
}

/* Only the point that a worker was working on fails; those queued behind it are answered by another
 * one. */
Test(crew, a_crash_fails_one_point_alone)
{
    static const int workers[] = {1, 3};

    for (int k = 0; k < 2; k++) {
        swq_store *s = open_study("{command: solve, over: {load: [{from: 1, to: 12, step: 1}, 666, "
                                  "{from: 20, to: 60, step: 1}, 999, 777, {from: 101, to: 150, "
                                  "step: 1}]}}");
        swq_crew_result result;
        cr_assert_eq(run(s, workers[k], &result), SWQ_OK, "%s", swq_context_message(ctx));
        cr_assert_eq(result.done, 12 + 41 + 50);
        cr_assert_eq(result.failed, 3);
        swq_store_close(ctx, s);
        cr_assert_eq(
            sql("SELECT count(*) FROM points WHERE state = 'failed' AND status IS NULL AND "
                "message LIKE 'ended by signal 6%' AND point = 'solve --load 666'"),
            1);
        cr_assert_eq(
            sql("SELECT count(*) FROM points WHERE state = 'failed' AND status IS NULL AND "
                "message LIKE 'ended by signal 9%' AND point = 'solve --load 999'"),
            1);
        cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'failed' AND "
                         "message LIKE '%status 5' AND point = 'solve --load 777'"),
                     1);
        unlink(path);
    }
}

/* Cancels when so many points are done and an answer has come that the crew has not taken in. If
 * there is none, as both workers were heard at the same time and wait for points, the next call
 * tries again. */
typedef struct {
    double at, done;
} canceller;

static bool answer_waits(void)
{
    struct pollfd heard[2] = {{.fd = working[0]->fd, .events = POLLIN},
                              {.fd = working[1]->fd, .events = POLLIN}};

    return poll(heard, 2, 200) > 0;
}

static void cancel_at(void *arg, const char *stage, double done, double total)
{
    canceller *when = arg;

    (void)stage;
    (void)total;
    if (done < when->at || when->done > 0 || !answer_waits())
        return;
    when->done = done;
    swq_context_cancel(ctx);
}

Test(crew, an_interruption_keeps_what_was_answered)
{
    swq_store *s =
        open_study("{command: solve, over: {load: {from: 100001, to: 100200, step: 1}}}");
    swq_crew_result result;
    canceller when = {.at = 10};

    swq_context_watch(ctx, cancel_at, &when);
    cr_assert_eq(run(s, 2, &result), SWQ_ECANCELLED);
    cr_assert_geq(when.done, 10);
    cr_assert_geq(result.done, (int64_t)when.done + 1); /* what came in the meantime counts */
    cr_assert_leq(result.done, (int64_t)when.done + 2); /* at most one of each worker */
    swq_store_counts counts;
    cr_assert_eq(swq_store_count(ctx, s, &counts), SWQ_OK);
    cr_assert_eq(counts.running, 0);
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'done'"), result.done);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'running'"), 0);
    cr_assert_eq(sql("SELECT count(*) FROM owners"), 0);
}

/* ---- links of another kind ---- */

/* A link that cannot be waited for, and that breaks on demand. */
typedef struct {
    swq_link link;
    swq_link *inner;
    int frames_left; /* then it is gone */
    int duplicates;
} odd_link;

static swq_status odd_send(swq_link *link, swq_context *context, const void *bytes, size_t size)
{
    odd_link *odd = (odd_link *)link;
    return odd->inner->send(odd->inner, context, bytes, size);
}

static swq_link_event odd_receive(swq_link *link, swq_context *context, swq_frame *frame,
                                  char *text, size_t room)
{
    odd_link *odd = (odd_link *)link;

    if (odd->frames_left == 0) {
        snprintf(text, room, "the cable was pulled");
        return SWQ_LINK_GONE;
    }
    swq_link_event event = odd->inner->receive(odd->inner, context, frame, text, room);
    odd->frames_left -= event == SWQ_LINK_FRAME;
    return event;
}

static swq_status run_odd(swq_store *s, const int *frames, int links, swq_crew_result *result)
{
    const swq_crew_options options = {0};
    swq_keeper *keeper = NULL;
    odd_link odd[4];
    swq_link *link[4];

    cr_assert_eq(swq_keeper_start(ctx, answer, NULL, &keeper), SWQ_OK);
    for (int k = 0; k < links; k++) {
        odd[k] = (odd_link){.link = {.fd = -1, .send = odd_send, .receive = odd_receive},
                            .frames_left = frames[k]};
        cr_assert_eq(swq_link_local(ctx, keeper, &odd[k].inner), SWQ_OK);
        link[k] = &odd[k].link;
    }
    swq_status status = swq_crew_run(ctx, s, link, links, &options, result);
    for (int k = 0; k < links; k++)
        odd[k].inner->end(odd[k].inner, ctx);
    swq_keeper_end(ctx, keeper);
    return status;
}

Test(crew, a_link_that_is_gone_leaves_its_points_to_others)
{
    static const int frames[] = {40, 5000};
    swq_store *s = open_study(thousand);
    swq_crew_result result;

    cr_assert_eq(run_odd(s, frames, 2, &result), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(result.done, 999);
    cr_assert_eq(result.failed, 1); /* the one that it was working on */
    cr_assert_str_eq(result.failure[0].message, "the cable was pulled");
    swq_store_close(ctx, s);
}

Test(crew, without_any_link_it_ends)
{
    static const int frames[] = {40, 70};
    swq_store *s = open_study(thousand);
    swq_crew_result result;

    cr_assert_eq(run_odd(s, frames, 2, &result), SWQ_EIO);
    cr_assert(strstr(swq_context_message(ctx), "no worker is left"), "%s",
              swq_context_message(ctx));
    cr_assert_eq(result.done, 110);
    cr_assert_eq(result.failed, 2);
    swq_store_close(ctx, s);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'done'"), 110);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'open'"), 1000 - 112);
}

/* ---- several processes ---- */

Test(crew, two_processes_answer_each_point_once)
{
    swq_store *s = open_study(thousand);
    swq_crew_result result;
    int pipes[2];
    int64_t other = 0;

    swq_store_close(ctx, s);
    cr_assert_eq(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        s = open_study(thousand);
        run(s, 2, &result);
        swq_store_close(ctx, s);
        _exit(write(pipes[1], &result.done, sizeof result.done) != sizeof result.done);
    }
    s = open_study(thousand);
    cr_assert_eq(run(s, 2, &result), SWQ_OK, "%s", swq_context_message(ctx));
    swq_store_close(ctx, s);
    cr_assert_eq(read(pipes[0], &other, sizeof other), sizeof other);
    cr_assert_eq(result.done + other, 1000, "%lld + %lld", (long long)result.done,
                 (long long)other);
    cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'done'"), 1000);
    cr_assert_eq(waitpid(child, NULL, 0), child);
}

/* A process waits for the other one, and takes over when that dies. */
Test(crew, points_of_a_process_that_dies_are_waited_for)
{
    swq_store *s = open_study("{command: solve, over: {load: [1, 2, 3]}}");
    swq_crew_result result;
    int pipes[2];
    char byte;

    swq_store_close(ctx, s);
    cr_assert_eq(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        swq_claimed got[2];
        int count;
        s = open_study("{command: solve, over: {load: [1, 2, 3]}}");
        swq_store_claim(ctx, s, 2, got, &count);
        if (write(pipes[1], "x", 1) == 1)
            nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        _exit(0);
    }
    cr_assert_eq(read(pipes[0], &byte, 1), 1);
    s = open_study("{command: solve, over: {load: [1, 2, 3]}}");
    cr_assert_eq(run(s, 2, &result), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(result.done, 3); /* the other one is a zombie, which is not alive */
    swq_store_close(ctx, s);
    cr_assert_eq(waitpid(child, NULL, 0), child);
}

/* ---- a database that cannot take any more ---- */

Test(crew, answers_that_cannot_be_stored_are_counted)
{
    int64_t lost = 0;

    signal(SIGXFSZ, SIG_IGN); /* a full disk, as far as this process is concerned */
    for (rlim_t room = 150 << 10; room < 300 << 10; room += 25 << 10) {
        swq_store *s = open_study(thousand);
        swq_crew_result result;
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, RLIM_INFINITY});
        cr_assert_eq(run(s, 2, &result), SWQ_EIO);
        cr_assert(strstr(swq_context_message(ctx), path), "%s", swq_context_message(ctx));
        lost += result.lost;
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
        swq_store_close(ctx, s);
        cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'done'"),
                     result.done + result.failed - result.lost);
        unlink(path);
    }
    cr_assert_gt(lost, 0);
}

/* ---- messages ---- */

Test(crew, messages_arrive_as_they_were_sent)
{
    swq_bytes bytes = {0};
    const swq_reply sent = {.id = -5,
                            .status = -1,
                            .cpu_seconds = 0.1,
                            .wall_seconds = 1e-300,
                            .message = "",
                            .answer = NULL,
                            .host = "here"};
    swq_reply got;
    int64_t id;
    const char *words;

    cr_assert_eq(swq_frame_request(ctx, &bytes, INT64_MAX, "solve --load 1"), SWQ_OK);
    const size_t first = bytes.size;
    cr_assert_eq(swq_frame_reply(ctx, &bytes, &sent), SWQ_OK);
    cr_assert_eq(swq_frame_length(bytes.bytes, bytes.size), first);
    cr_assert_eq(swq_frame_length(bytes.bytes, 3), 0);
    cr_assert_eq(swq_frame_read_request(ctx, bytes.bytes, first, &id, &words), SWQ_OK);
    cr_assert_eq(id, INT64_MAX);
    cr_assert_str_eq(words, "solve --load 1");
    cr_assert_eq(swq_frame_read_reply(ctx, bytes.bytes + first, bytes.size - first, &got), SWQ_OK);
    cr_assert_eq(got.id, -5);
    cr_assert_eq(got.status, -1);
    cr_assert_eq(got.cpu_seconds, 0.1);
    cr_assert_eq(got.wall_seconds, 1e-300);
    cr_assert_str_eq(got.message, "");
    cr_assert_null(got.answer);
    cr_assert_str_eq(got.host, "here");
    /* one in place of the other, cut short, or with any byte of its frame changed: refused or read,
     * but never beyond its end (which the sanitizers check) */
    cr_assert_eq(swq_frame_read_reply(ctx, bytes.bytes, first, &got), SWQ_EIO);
    for (size_t cut = 0; cut < bytes.size - first; cut++) {
        char *copy = malloc(cut + 1);
        memcpy(copy, bytes.bytes + first, cut);
        cr_assert_eq(swq_frame_read_reply(ctx, copy, cut, &got), SWQ_EIO);
        free(copy);
    }
    for (size_t at = 0; at < bytes.size - first; at++) {
        char *copy = malloc(bytes.size - first);
        memcpy(copy, bytes.bytes + first, bytes.size - first);
        copy[at] = (char)~copy[at];
        swq_frame_read_reply(ctx, copy, bytes.size - first, &got);
        free(copy);
    }
    swq_free(ctx, bytes.bytes);
}

Test(crew, every_failing_allocation_is_reported)
{
    swq_keeper *keeper = NULL;

    cr_assert_eq(swq_keeper_start(ctx, answer, NULL, &keeper), SWQ_OK);
    swq_status status = SWQ_ENOMEM;
    int64_t lost = 0;
    for (size_t k = 0; status; k++) {
        const swq_crew_options options = {0};
        swq_crew_result result = {0};
        swq_link *link = NULL;
        cr_assert(k < 300);
        swq_store *s = open_study("{command: solve, over: {load: [1, 2, 3]}}");
        sql("UPDATE points SET state = 'open'");
        swq_context_fail_allocations(ctx, k, false);
        status = swq_link_local(ctx, keeper, &link);
        if (!status)
            status = swq_crew_run(ctx, s, &link, 1, &options, &result);
        swq_context_fail_allocations(ctx, SIZE_MAX, false);
        /* a failure while a reply is read looks like the end of a worker, so that point fails */
        cr_assert(!status || status == SWQ_ENOMEM, "%zu: %s", k, swq_context_message(ctx));
        lost += result.failed;
        if (link)
            link->end(link, ctx);
        swq_store_close(ctx, s);
        cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'running'"), 0);
        cr_assert_eq(sql("SELECT count(*) FROM points WHERE state = 'done'"), result.done,
                     "allocation %zu", k);
        status = status ? status : result.failed ? SWQ_ENOMEM : SWQ_OK;
    }
    cr_assert(lost < 10);
    swq_keeper_end(ctx, keeper);
}

/* ---- who is who ---- */

Test(crew, a_process_is_known_by_its_start)
{
    swq_owner self;

    swq_owner_self(&self);
    cr_assert_eq(self.pid, getpid());
    cr_assert_gt(self.started, 0);
    cr_assert(*self.host && *self.machine);
    cr_assert(swq_owner_lives(self.pid, self.started));
    cr_assert_not(swq_owner_lives(self.pid, self.started - 1));
    cr_assert_not(swq_owner_lives(999999999, 1));
    cr_assert_not(swq_owner_far_file(path));
}
