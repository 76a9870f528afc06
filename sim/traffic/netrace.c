/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Netrace files. All numbers are little-endian and packed. A header of 72 bytes:
 *
 *   magic 4, version 4 (a float), benchmark 30, nodes 1, nothing 1, cycles 8, packets 8,
 *   length of the notes 4, regions 4, nothing 8
 *
 * then the notes, 24 bytes for each region, and a record for each packet:
 *
 *   cycle 8, id 4, address 4, type 1, source 1, destination 1, types of these nodes 1,
 *   dependencies 1, and 4 for each: the id of a packet that waits for this one
 *
 * A packet's type determines its size.
 */
#include "sim/traffic/netrace.h"
#include "base/context.h"

#include <bzlib.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 72,
    RECORD = 21,
    REGION = 24,
    MAGIC = 0x484a5455,
    VERSION_1 = 0x3f800000, /* 1.0 */
    MOST_NOTES = 8192,
    MOST_REGIONS = 100,
    TYPES = 31
};

static const uint64_t most_cycle = 4000000000;

/* Bytes of a packet of each type, as in Netrace: an address and a command, or these and a cache
 * line of 64 bytes. 0: there is no such type. */
static const uint8_t bytes_of_type[TYPES] = {
    [1] = 8,   /* read request */
    [2] = 72,  /* read response */
    [3] = 72,  /* ... with invalidation */
    [4] = 72,  /* write request */
    [5] = 8,   /* write response */
    [6] = 72,  /* write back */
    [13] = 8,  /* upgrade request */
    [14] = 8,  /* upgrade response */
    [15] = 8,  /* exclusive read request */
    [16] = 72, /* exclusive read response */
    [25] = 8,  /* bad address */
    [27] = 8,  /* invalidation request */
    [28] = 8,  /* invalidation response */
    [29] = 8,  /* downgrade request */
    [30] = 72, /* downgrade response */
};

/* A packet's id, and the number of the packet's record. */
typedef struct netrace_id {
    uint32_t id, number;
} netrace_id;

typedef struct netrace_file {
    swq_context *ctx;
    const char *path;
    FILE *stream;
    BZFILE *packed; /* NULL: the file is not compressed, or has ended */
    bool plain;
    char unused[BZ_MAX_UNUSED]; /* bytes read ahead, which belong to the next stream */
    const swq_fabric *fabric;
    swq_trace_messages *trace;
    uint64_t room, dependency_room, packets; /* packets: the number in the header */
    netrace_id *id;                          /* [room] */
} netrace_file;

/* ---- bytes ---- */

static uint64_t number_at(const uint8_t *at, int bytes)
{
    uint64_t value = 0;

    for (int k = bytes; k-- > 0;)
        value = value << 8 | at[k];
    return value;
}

static swq_status open_packed(netrace_file *f, int unused)
{
    int error;

    f->packed = BZ2_bzReadOpen(&error, f->stream, 0, 0, unused > 0 ? f->unused : NULL, unused);
    if (error == BZ_OK)
        return SWQ_OK;
    f->packed = NULL;
    return swq_fail(f->ctx, SWQ_ENOMEM, "no memory to unpack '%.200s'", f->path);
}

static swq_status open_file(netrace_file *f)
{
    char begin[3] = "";

    f->stream = fopen(f->path, "rb");
    if (!f->stream)
        return swq_fail(f->ctx, SWQ_EIO, "cannot read '%.200s': %s", f->path, strerror(errno));
    const size_t got = fread(begin, 1, 3, f->stream);
    if (ferror(f->stream) || fseek(f->stream, 0, SEEK_SET))
        return swq_fail(f->ctx, SWQ_EIO, "cannot read '%.200s': %s", f->path, strerror(errno));
    f->plain = got < 3 || memcmp(begin, "BZh", 3) != 0;
    return f->plain ? SWQ_OK : open_packed(f, 0);
}

static void close_file(netrace_file *f)
{
    int error;

    if (f->packed)
        BZ2_bzReadClose(&error, f->packed);
    if (f->stream)
        fclose(f->stream);
}

/* One compressed stream of the file has ended; another one may follow. */
static swq_status next_stream(netrace_file *f)
{
    void *left;
    int error, count;

    BZ2_bzReadGetUnused(&error, f->packed, &left, &count);
    if (error != BZ_OK)
        count = 0;
    if (count > 0)
        memcpy(f->unused, left, (size_t)count);
    BZ2_bzReadClose(&error, f->packed);
    f->packed = NULL;
    if (count == 0) {
        const int c = getc(f->stream);
        if (c == EOF)
            return SWQ_OK;
        ungetc(c, f->stream);
    }
    return open_packed(f, count);
}

/* Reads up to `bytes` bytes; fewer only at the end of the file. */
static swq_status read_bytes(netrace_file *f, uint8_t *to, size_t bytes, size_t *got)
{
    *got = 0;
    if (f->plain) {
        *got = fread(to, 1, bytes, f->stream);
        return ferror(f->stream)
                   ? swq_fail(f->ctx, SWQ_EIO, "cannot read '%.200s': %s", f->path, strerror(errno))
                   : SWQ_OK;
    }
    while (*got < bytes && f->packed) {
        int error;
        const int count = BZ2_bzRead(&error, f->packed, to + *got, (int)(bytes - *got));

        if (error != BZ_OK && error != BZ_STREAM_END)
            return swq_fail(f->ctx, SWQ_EINVAL,
                            "'%.200s' cannot be unpacked: it is damaged, or cut off", f->path);
        *got += (size_t)count;
        const swq_status status = error == BZ_STREAM_END ? next_stream(f) : SWQ_OK;
        if (status)
            return status;
    }
    return SWQ_OK;
}

static swq_status read_whole(netrace_file *f, uint8_t *to, size_t bytes, const char *what)
{
    size_t got;
    const swq_status status = read_bytes(f, to, bytes, &got);

    if (status || got == bytes)
        return status;
    return swq_fail(f->ctx, SWQ_EINVAL, "'%.200s' ends within %s", f->path, what);
}

/* ---- the header ---- */

static swq_status read_header(netrace_file *f)
{
    uint8_t h[HEADER] = {0},
            skipped[REGION * MOST_REGIONS > MOST_NOTES ? REGION * MOST_REGIONS : MOST_NOTES];
    swq_status status = read_whole(f, h, HEADER, "its header");

    if (status)
        return status;
    if (number_at(h, 4) != MAGIC)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s' is no Netrace file: it begins with %08llx, not %08x", f->path,
                        (unsigned long long)number_at(h, 4), (unsigned)MAGIC);
    if (number_at(h + 4, 4) != VERSION_1)
        return swq_fail(f->ctx, SWQ_EINVAL, "'%.200s' is of another version of Netrace than 1.0",
                        f->path);
    const uint64_t nodes = h[38], notes = number_at(h + 56, 4), regions = number_at(h + 60, 4);
    f->packets = number_at(h + 48, 8);
    if (nodes < 1 || nodes > f->fabric->nodes)
        return swq_fail(
            f->ctx, SWQ_EINVAL,
            "'%.200s' is a trace of %d nodes; the network has %u, and must have as many "
            "at least",
            f->path, (int)nodes, f->fabric->nodes);
    if (notes >= MOST_NOTES || regions > MOST_REGIONS)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s': a header has at most %d bytes of notes and %d regions, not %llu "
                        "and %llu",
                        f->path, MOST_NOTES - 1, MOST_REGIONS, (unsigned long long)notes,
                        (unsigned long long)regions);
    status = read_whole(f, skipped, (size_t)notes, "its notes");
    return status ? status : read_whole(f, skipped, (size_t)regions * REGION, "its regions");
}

/* ---- records ---- */

static swq_status grow(netrace_file *f, void **array, uint64_t *room, uint64_t count, size_t size)
{
    if (count < *room)
        return SWQ_OK;
    const uint64_t wanted = 2 * count + 1024;
    void *grown = realloc(*array, (size_t)wanted * size);
    if (!grown)
        return swq_fail(f->ctx, SWQ_ENOMEM, "no memory for the trace '%.200s'", f->path);
    *array = grown;
    *room = wanted;
    return SWQ_OK;
}

static swq_status check_record(netrace_file *f, const uint8_t *r)
{
    const swq_trace_messages *t = f->trace;
    const unsigned long long record = t->messages + 1, cycle = number_at(r, 8);
    const uint32_t nodes = f->fabric->nodes;

    if (cycle > most_cycle)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s', record %llu: cycle must be 0 to 4000000000, not %llu", f->path,
                        record, cycle);
    if (t->messages > 0 && cycle < t->message[t->messages - 1].cycle)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s', record %llu: cycle %llu is earlier than the record before's",
                        f->path, record, cycle);
    if (r[16] >= TYPES || bytes_of_type[r[16]] == 0)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s', record %llu: type must be 1 to 6, 13 to 16, 25 or 27 to 30, "
                        "not %d",
                        f->path, record, r[16]);
    if (r[17] >= nodes || r[18] >= nodes)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s', record %llu: source and destination must be 0 to %u, not %d and "
                        "%d",
                        f->path, record, nodes - 1, r[17], r[18]);
    if (r[17] == r[18] && f->fabric->shape.kind->point_to_point)
        return swq_fail(f->ctx, SWQ_EINVAL,
                        "'%.200s', record %llu: node %d cannot send to itself in a %s", f->path,
                        record, r[17], f->fabric->shape.kind->name);
    return SWQ_OK;
}

/* Until all records have been read, a dependency holds the id of the message that waits, in place
 * of its number. */
static swq_status read_dependencies(netrace_file *f, int count)
{
    swq_trace_messages *t = f->trace;
    uint8_t ids[4 * UINT8_MAX] = {0};
    swq_status status = read_whole(f, ids, 4 * (size_t)count, "the dependencies of a record");

    for (int k = 0; k < count && !status; k++) {
        void *array = t->dependency;
        status = grow(f, &array, &f->dependency_room, t->dependencies, sizeof *t->dependency);
        t->dependency = array;
        if (!status)
            t->dependency[t->dependencies++] =
                (swq_async_dependency){number_at(ids + (size_t)4 * (size_t)k, 4), t->messages, 1};
    }
    return status;
}

static swq_status read_record(netrace_file *f, const uint8_t *r)
{
    swq_trace_messages *t = f->trace;
    uint64_t room = f->room;
    void *messages = t->message, *ids = f->id;
    swq_status status = check_record(f, r);

    if (!status)
        status = grow(f, &messages, &room, t->messages, sizeof *t->message);
    t->message = messages;
    if (!status)
        status = grow(f, &ids, &f->room, t->messages, sizeof *f->id);
    f->id = ids;
    if (!status)
        status = read_dependencies(f, r[20]);
    if (status)
        return status;
    t->message[t->messages] =
        (swq_async_message){number_at(r, 8), r[17], r[18], bytes_of_type[r[16]]};
    f->id[t->messages] = (netrace_id){(uint32_t)number_at(r + 8, 4), (uint32_t)t->messages};
    t->messages++;
    return SWQ_OK;
}

static swq_status read_records(netrace_file *f)
{
    uint8_t r[RECORD] = {0};
    size_t got = RECORD;
    swq_status status = SWQ_OK;

    while (!status && !(status = read_bytes(f, r, RECORD, &got)) && got == RECORD) {
        status = read_record(f, r);
        if (!status && f->trace->messages % 65536 == 0 && swq_context_cancelled(f->ctx))
            status =
                swq_fail(f->ctx, SWQ_ECANCELLED, "interrupted while reading '%.200s'", f->path);
    }
    if (!status && got > 0)
        status = swq_fail(f->ctx, SWQ_EINVAL, "'%.200s' ends within record %llu", f->path,
                          (unsigned long long)f->trace->messages + 1);
    if (!status && (f->trace->messages == 0 || f->trace->messages != f->packets))
        status = swq_fail(f->ctx, SWQ_EINVAL,
                          "'%.200s' has %llu packets; its header says %llu, and there must be one "
                          "at least",
                          f->path, (unsigned long long)f->trace->messages,
                          (unsigned long long)f->packets);
    return status;
}

/* ---- who waits for whom ---- */

static int by_id(const void *a, const void *b)
{
    const netrace_id *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static const netrace_id *find_id(const netrace_file *f, uint64_t id)
{
    uint64_t low = 0, high = f->trace->messages;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (f->id[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->trace->messages && f->id[low].id == id ? &f->id[low] : NULL;
}

static swq_status resolve(netrace_file *f)
{
    swq_trace_messages *t = f->trace;

    if (!f->id) /* no record at all, which the caller refuses */
        return SWQ_OK;
    qsort(f->id, (size_t)t->messages, sizeof *f->id, by_id);
    for (uint64_t k = 1; k < t->messages; k++) {
        if (f->id[k].id == f->id[k - 1].id)
            return swq_fail(f->ctx, SWQ_EINVAL, "'%.200s': records %u and %u have both the id %u",
                            f->path, f->id[k - 1].number + 1, f->id[k].number + 1, f->id[k].id);
    }
    for (uint64_t k = 0; k < t->dependencies; k++) {
        const netrace_id *found = find_id(f, t->dependency[k].message);
        if (!found)
            return swq_fail(f->ctx, SWQ_EINVAL,
                            "'%.200s', record %llu: packet %llu waits for it, and there is no such "
                            "packet",
                            f->path, (unsigned long long)t->dependency[k].on + 1,
                            (unsigned long long)t->dependency[k].message);
        t->dependency[k].message = found->number;
    }
    return SWQ_OK;
}

swq_status swq_netrace_read(swq_context *ctx, const char *path, const swq_fabric *fabric,
                            swq_trace_messages *trace)
{
    netrace_file f = {.ctx = ctx, .path = path, .fabric = fabric, .trace = trace};
    swq_status status = open_file(&f);

    if (!status)
        status = read_header(&f);
    if (!status)
        status = read_records(&f);
    if (!status)
        status = resolve(&f);
    close_file(&f);
    free(f.id);
    return status;
}
