/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames: four bytes with the length of the rest, a kind, then fields. Numbers are little-endian; a
 * text has its length before it and a zero behind it, or the length ~0 for none.
 */
#include "study/message.h"
#include "base/context.h"

#include <string.h>

enum { REQUEST = 'q', REPLY = 'r' };
static const uint32_t no_text = UINT32_MAX;

swq_status swq_bytes_add(swq_context *ctx, swq_bytes *to, const void *bytes, size_t size)
{
    if (size > to->room - to->size) {
        size_t room = to->room ? to->room : 1024;
        while (room - to->size < size)
            room *= 2;
        char *grown = swq_resize(ctx, to->bytes, room, 1);
        if (!grown)
            return swq_memory_status(ctx);
        to->bytes = grown;
        to->room = room;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    return SWQ_OK;
}

/* ---- writing ---- */

/* A frame being written; after a failure the rest is not written. */
typedef struct {
    swq_context *ctx;
    swq_bytes *to;
    size_t start;
    swq_status status;
} pen;

static void put(pen *p, const void *bytes, size_t size)
{
    if (!p->status)
        p->status = swq_bytes_add(p->ctx, p->to, bytes, size);
}

static void put_number(pen *p, uint64_t value, int bytes)
{
    unsigned char byte[8];

    for (int k = 0; k < bytes; k++)
        byte[k] = (unsigned char)(value >> 8 * k);
    put(p, byte, (size_t)bytes);
}

static void put_real(pen *p, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_number(p, bits, 8);
}

static void put_text(pen *p, const char *text)
{
    put_number(p, text ? strlen(text) : no_text, 4);
    if (text)
        put(p, text, strlen(text) + 1);
}

static pen begin(swq_context *ctx, swq_bytes *to, char kind)
{
    pen p = {.ctx = ctx, .to = to, .start = to->size};

    put_number(&p, 0, SWQ_FRAME_PREFIX);
    put(&p, &kind, 1);
    return p;
}

/* Fills in the length or, after a failure, removes the unfinished frame. */
static swq_status end(pen *p)
{
    const size_t length = p->to->size - p->start;

    if (!p->status && length > SWQ_FRAME_MOST)
        p->status = swq_fail(p->ctx, SWQ_ELIMIT, "an answer of %zu bytes is too long", length);
    for (int k = 0; k < SWQ_FRAME_PREFIX && !p->status; k++)
        p->to->bytes[p->start + (size_t)k] = (char)((length - SWQ_FRAME_PREFIX) >> 8 * k);
    if (p->status)
        p->to->size = p->start;
    return p->status;
}

swq_status swq_frame_request(swq_context *ctx, swq_bytes *to, int64_t id, const char *words)
{
    pen p = begin(ctx, to, REQUEST);

    put_number(&p, (uint64_t)id, 8);
    put_text(&p, words);
    return end(&p);
}

swq_status swq_frame_reply(swq_context *ctx, swq_bytes *to, const swq_reply *reply)
{
    pen p = begin(ctx, to, REPLY);

    put_number(&p, (uint64_t)reply->id, 8);
    put_number(&p, (uint32_t)reply->status, 4);
    put_real(&p, reply->cpu_seconds);
    put_real(&p, reply->wall_seconds);
    put_text(&p, reply->message);
    put_text(&p, reply->answer);
    put_text(&p, reply->host);
    return end(&p);
}

/* ---- reading ---- */

typedef struct {
    const char *at;
    size_t left;
    bool bad;
} eye;

static uint64_t get_number(eye *e, int bytes)
{
    uint64_t value = 0;

    if (e->bad || e->left < (size_t)bytes) {
        e->bad = true;
        return 0;
    }
    for (int k = 0; k < bytes; k++)
        value |= (uint64_t)(unsigned char)e->at[k] << 8 * k;
    e->at += bytes;
    e->left -= (size_t)bytes;
    return value;
}

static double get_real(eye *e)
{
    const uint64_t bits = get_number(e, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static const char *get_text(eye *e)
{
    const uint32_t length = (uint32_t)get_number(e, 4);
    const char *text = e->at;

    if (e->bad || length == no_text)
        return NULL;
    if (e->left <= length || text[length] != '\0') {
        e->bad = true;
        return NULL;
    }
    e->at += (size_t)length + 1;
    e->left -= (size_t)length + 1;
    return text;
}

size_t swq_frame_length(const char *bytes, size_t size)
{
    eye e = {bytes, size, false};
    const uint64_t length = get_number(&e, SWQ_FRAME_PREFIX);

    return e.bad ? 0 : (size_t)length + SWQ_FRAME_PREFIX;
}

/* The contents of a frame after its kind. */
static eye open_frame(const char *bytes, size_t size, char kind)
{
    eye e = {bytes, size, size != swq_frame_length(bytes, size)};

    get_number(&e, SWQ_FRAME_PREFIX);
    e.bad = get_number(&e, 1) != (unsigned char)kind || e.bad;
    return e;
}

static swq_status checked(swq_context *ctx, const eye *e)
{
    return e->bad || e->left ? swq_fail(ctx, SWQ_EIO, "a message to or from a worker is damaged")
                             : SWQ_OK;
}

swq_status swq_frame_read_request(swq_context *ctx, const char *bytes, size_t size, int64_t *id,
                                  const char **words)
{
    eye e = open_frame(bytes, size, REQUEST);

    *id = (int64_t)get_number(&e, 8);
    *words = get_text(&e);
    e.bad = e.bad || !*words;
    return checked(ctx, &e);
}

swq_status swq_frame_read_reply(swq_context *ctx, const char *bytes, size_t size, swq_reply *reply)
{
    eye e = open_frame(bytes, size, REPLY);

    reply->id = (int64_t)get_number(&e, 8);
    reply->status = (int)(uint32_t)get_number(&e, 4);
    reply->cpu_seconds = get_real(&e);
    reply->wall_seconds = get_real(&e);
    reply->message = get_text(&e);
    reply->answer = get_text(&e);
    reply->host = get_text(&e);
    return checked(ctx, &e);
}
