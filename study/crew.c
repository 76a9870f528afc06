/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points from the database to workers, and answers back: one loop that claims some points, keeps
 * each worker supplied, waits, and records the answers that have come in one transaction. Quick
 * points are sent a few ahead, so that a worker need not wait for its next point; slow points are
 * not sent ahead, so that no point waits behind another while a worker is idle.
 */
#include "study/crew.h"
#include "base/clock.h"
#include "base/context.h"
#include "study/message.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

enum {
    AHEAD = 8,       /* most points with a worker at a time */
    STOCK = 64,      /* most points claimed ahead, for no worker yet */
    RECORDS = 256,   /* most answers recorded at a time */
    IDLE_DEATHS = 5, /* of a worker that had nothing to do, in a row */
    TICK_MS = 200,   /* the longest time until a Ctrl-C is noticed */
    BOX = 4 << 20    /* bytes of answers that are recorded together, roughly */
};
static const double quick = 0.002, longest_pause = 2;

typedef struct {
    swq_link *link;          /* NULL: gone */
    swq_claimed with[AHEAD]; /* sent and not yet answered, oldest first */
    int count, idle_deaths;
    double wall; /* seconds that the worker's recent points took; 0: unknown */
} post;

typedef struct {
    swq_context *ctx;
    swq_store *store;
    const swq_crew_options *options;
    swq_crew_result *result;
    post *post;
    struct pollfd *poll;
    int posts;
    swq_claimed stock[STOCK];
    int first, stocked; /* claims from stock[first] on */
    double next_look;   /* when to look for open points again, after there were none */
    double pause;       /* the time between looks, which grows from look to look */
    bool others;        /* other processes still work on some points */
    swq_bytes box;      /* replies as they came, waiting to be recorded together */
    int replies;
    swq_store_entry record[RECORDS];
    double counted, cost; /* when all points were counted last, and how long that took */
    swq_store_counts counts;
    int64_t since; /* points answered by this crew since then */
} crew;

static int with_workers(const crew *c)
{
    int count = 0;

    for (int p = 0; p < c->posts; p++)
        count += c->post[p].count;
    return count;
}

/* ---- supply ---- */

/* How many points a worker should have at a time. */
static int supply(const post *p)
{
    if (!p->link)
        return 0;
    if (p->wall <= 0 || p->wall > quick)
        return 1;
    const double fit = 4 * quick / p->wall;
    return fit < AHEAD ? (int)fit : AHEAD;
}

static swq_status refill(crew *c)
{
    int wanting = 0;
    bool slow = false;

    for (int p = 0; p < c->posts; p++) {
        const int more = supply(&c->post[p]) - c->post[p].count;
        wanting += more > 0 ? more : 0;
        slow = slow || c->post[p].wall <= 0 || c->post[p].wall > quick;
    }
    if (c->stocked > 0 || wanting == 0 || swq_seconds(CLOCK_MONOTONIC) < c->next_look)
        return SWQ_OK;
    /* the rest is left to other processes */
    const int most = slow && wanting < STOCK ? wanting : STOCK;
    c->first = 0;
    swq_status status = swq_store_claim(c->ctx, c->store, most, c->stock, &c->stocked);
    if (!status && c->stocked == 0) {
        c->pause = c->pause > 0 ? c->pause * 2 : 0.01;
        c->pause = c->pause < longest_pause ? c->pause : longest_pause;
        c->next_look = swq_seconds(CLOCK_MONOTONIC) + c->pause;
    } else {
        c->pause = 0;
    }
    return status;
}

static swq_status send_point(crew *c, post *p, const char *words, int64_t id)
{
    swq_bytes frame = {0};
    swq_status status = swq_frame_request(c->ctx, &frame, id, words);

    if (!status)
        status = p->link->send(p->link, c->ctx, frame.bytes, frame.size);
    swq_free(c->ctx, frame.bytes);
    return status;
}

static swq_status send_out(crew *c)
{
    swq_status status = refill(c);

    for (int round = 0; round < AHEAD && !status && c->stocked > 0; round++) {
        for (int k = 0; k < c->posts && !status && c->stocked > 0; k++) {
            post *p = &c->post[k];
            if (p->count > round || p->count >= supply(p))
                continue;
            p->with[p->count] = c->stock[c->first];
            status = send_point(c, p, p->with[p->count].words, p->with[p->count].id);
            if (status) /* the claim stays in the stock, to be given back */
                break;
            p->count++;
            c->first++;
            c->stocked--;
        }
    }
    return status;
}

/* ---- answers ---- */

static void note_failure(crew *c, const char *words, const char *message, int status)
{
    swq_crew_result *r = c->result;
    const int64_t k = r->failed++;
    const int room = sizeof r->failure / sizeof *r->failure;

    if (k >= room)
        return;
    snprintf(r->failure[k].point, sizeof r->failure[k].point, "%s", words);
    if (message && *message)
        snprintf(r->failure[k].message, sizeof r->failure[k].message, "%s", message);
    else
        snprintf(r->failure[k].message, sizeof r->failure[k].message, "exit status %d", status);
}

/* The oldest of a worker's points has been answered, and leaves its queue. */
static void shift(crew *c, post *p)
{
    swq_free(c->ctx, p->with[0].words);
    p->count--;
    memmove(p->with, p->with + 1, (size_t)p->count * sizeof *p->with);
}

/* Puts a reply into the box. */
static swq_status take_in(crew *c, post *p, const swq_frame *frame)
{
    swq_reply reply;
    swq_status status = swq_frame_read_reply(c->ctx, frame->bytes, frame->size, &reply);

    if (!status && (p->count == 0 || reply.id != p->with[0].id))
        status = swq_fail(c->ctx, SWQ_EIO, "a worker answered what it was not asked");
    if (!status)
        status = swq_bytes_add(c->ctx, &c->box, frame->bytes, frame->size);
    if (status)
        return status;
    c->replies++;
    c->result->cpu_seconds += reply.cpu_seconds;
    if (reply.status)
        note_failure(c, p->with[0].words, reply.message, reply.status);
    else
        c->result->done++;
    p->wall = p->wall > 0 ? 0.8 * p->wall + 0.2 * reply.wall_seconds : reply.wall_seconds;
    p->idle_deaths = 0;
    shift(c, p);
    return SWQ_OK;
}

/* A worker ended during the oldest of its points: this point has failed, and the worker's other
 * points are sent again. */
static swq_status after_end(crew *c, post *p, bool gone, const char *text)
{
    swq_status status = SWQ_OK;
    const swq_reply reply = {.status = -1, .message = text};

    if (p->count > 0) {
        swq_reply dead = reply;
        dead.id = p->with[0].id;
        status = swq_frame_reply(c->ctx, &c->box, &dead);
        if (status)
            return status;
        c->replies++;
        note_failure(c, p->with[0].words, text, -1);
        shift(c, p);
    } else if (++p->idle_deaths == IDLE_DEATHS) {
        gone = true;
    }
    if (!gone) {
        for (int k = 0; k < p->count && !status; k++)
            status = send_point(c, p, p->with[k].words, p->with[k].id);
        return status;
    }
    p->link = NULL;
    for (; p->count > 0 && !status; shift(c, p))
        status = swq_store_release(c->ctx, c->store, p->with[0].id);
    c->next_look = 0;
    int left = 0;
    for (int k = 0; k < c->posts; k++)
        left += c->post[k].link != NULL;
    if (!status && left == 0)
        status = swq_fail(c->ctx, SWQ_EIO, "no worker is left: %.150s", text);
    return status;
}

static swq_status collect_from(crew *c, post *p)
{
    char text[160];
    swq_frame frame;

    while (p->link && c->replies < RECORDS - 1 && c->box.size < BOX) {
        swq_status status = SWQ_OK;
        switch (p->link->receive(p->link, c->ctx, &frame, text, sizeof text)) {
        case SWQ_LINK_NOTHING:
            return SWQ_OK;
        case SWQ_LINK_FRAME:
            status = take_in(c, p, &frame);
            break;
        case SWQ_LINK_ENDED:
            status = after_end(c, p, false, text);
            break;
        case SWQ_LINK_GONE:
            status = after_end(c, p, true, text);
            break;
        }
        if (status)
            return status;
    }
    return SWQ_OK;
}

static swq_status record_all(crew *c)
{
    size_t at = 0;
    swq_status status = SWQ_OK;

    for (int k = 0; k < c->replies && !status; k++) {
        swq_reply reply = {0};
        const size_t size = swq_frame_length(c->box.bytes + at, c->box.size - at);
        status = swq_frame_read_reply(c->ctx, c->box.bytes + at, size, &reply);
        at += size;
        c->record[k] = (swq_store_entry){
            .id = reply.id,
            .status = reply.status,
            .message = reply.message,
            .answer = reply.answer,
            .cpu_seconds = reply.cpu_seconds,
            .wall_seconds = reply.wall_seconds,
            .host = reply.host,
        };
    }
    if (!status && c->replies)
        status = swq_store_record(c->ctx, c->store, c->record, c->replies);
    if (status)
        c->result->lost += c->replies;
    else
        c->since += c->replies;
    c->replies = 0;
    c->box.size = 0;
    return status;
}

static swq_status collect(crew *c)
{
    swq_status status = SWQ_OK;

    for (int k = 0; k < c->posts && !status; k++)
        status = collect_from(c, &c->post[k]);
    /* answers are kept, whatever else went wrong */
    const swq_status recorded = record_all(c);
    return status ? status : recorded;
}

/* ---- waiting ---- */

static void wait_for_some(crew *c)
{
    int count = 0, ms = TICK_MS;

    for (int k = 0; k < c->posts; k++) {
        const swq_link *link = c->post[k].link;
        if (link && link->fd >= 0)
            c->poll[count++] = (struct pollfd){.fd = link->fd, .events = POLLIN};
        else if (link)
            ms = 1; /* the link has no descriptor that could wake us */
    }
    /* a time in the past means that the look is over, or that no worker wants more points */
    const double left = 1000 * (c->next_look - swq_seconds(CLOCK_MONOTONIC));
    if (left > 0 && left < ms)
        ms = (int)left + 1;
    poll(c->poll, (nfds_t)count, ms);
}

/* Counts all points again if enough time has passed, since counting reads the whole table. */
static swq_status look_around(crew *c, bool now)
{
    const double begin = swq_seconds(CLOCK_MONOTONIC);

    if (!now && begin - c->counted < 3 + 50 * c->cost)
        return SWQ_OK;
    swq_status status = swq_store_count(c->ctx, c->store, &c->counts);
    c->counted = swq_seconds(CLOCK_MONOTONIC);
    c->cost = c->counted - begin;
    c->since = 0;
    return status;
}

static void tell(const crew *c)
{
    const double done = (double)(c->counts.done + c->counts.failed + c->since);

    swq_progress(c->ctx, "points", done, (double)c->counts.wanted);
}

/* No worker has a point and none was open: is everything done, or are others at work? */
static swq_status is_over(crew *c, bool *over)
{
    swq_status status = look_around(c, true);

    *over = c->options->no_wait || (c->counts.running == 0 && c->counts.open == 0);
    return status;
}

static swq_status loop(crew *c)
{
    bool over = false;
    swq_status status = look_around(c, true);

    while (!status && !over) {
        if (swq_context_cancelled(c->ctx))
            return swq_fail(c->ctx, SWQ_ECANCELLED, "interrupted");
        status = send_out(c);
        if (!status && with_workers(c) == 0 && c->stocked == 0)
            status = is_over(c, &over);
        if (!status && !over)
            wait_for_some(c);
        if (!status && !over)
            status = collect(c);
        if (!status)
            status = swq_store_beat(c->ctx, c->store);
        if (!status)
            status = look_around(c, false);
        tell(c);
    }
    return status;
}

/* Records the answers that have come in the meantime and gives back the other claimed points;
 * errors here are ignored. */
static void leave(crew *c, swq_status status)
{
    char message[320];

    snprintf(message, sizeof message, "%s", swq_context_message(c->ctx));
    if (status == SWQ_ECANCELLED)
        collect(c);
    const bool begun = status && !swq_store_begin(c->ctx, c->store);
    for (int k = 0; k < c->stocked; k++) {
        if (begun)
            swq_store_release(c->ctx, c->store, c->stock[c->first + k].id);
        swq_free(c->ctx, c->stock[c->first + k].words);
    }
    for (int k = 0; k < c->posts; k++) {
        while (c->post[k].count > 0) {
            if (begun)
                swq_store_release(c->ctx, c->store, c->post[k].with[0].id);
            shift(c, &c->post[k]);
        }
    }
    if (begun)
        swq_store_commit(c->ctx, c->store);
    if (status)
        swq_fail(c->ctx, status, "%s", message);
}

swq_status swq_crew_run(swq_context *ctx, swq_store *store, swq_link *const *link, int links,
                        const swq_crew_options *options, swq_crew_result *result)
{
    const double begin = swq_seconds(CLOCK_MONOTONIC);
    crew *c = swq_calloc(ctx, 1, sizeof *c);

    *result = (swq_crew_result){.workers = links};
    if (!c)
        return swq_memory_status(ctx);
    *c = (crew){.ctx = ctx, .store = store, .options = options, .result = result, .posts = links};
    c->post = swq_calloc(ctx, (size_t)links, sizeof *c->post);
    c->poll = swq_calloc(ctx, (size_t)links, sizeof *c->poll);
    swq_status status = c->post && c->poll ? SWQ_OK : swq_memory_status(ctx);
    for (int k = 0; k < links && !status; k++)
        c->post[k].link = link[k];
    if (!status) {
        status = loop(c);
        leave(c, status);
    }
    result->wall_seconds = swq_seconds(CLOCK_MONOTONIC) - begin;
    swq_free(ctx, c->box.bytes);
    swq_free(ctx, c->post);
    swq_free(ctx, c->poll);
    swq_free(ctx, c);
    return status;
}
