/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Netrace files that the tests build themselves, packed and not: what is read, that it is simulated
 * like a plain trace that says the same, and what is refused.
 */
#include "sim/traffic/netrace.h"
#include "tests/sim/inspector.h"
#include "tests/support/support.h"

#include <bzlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(netrace, .timeout = 60);

typedef struct {
    uint8_t at[4096];
    size_t bytes;
} image;

static char path[] = "/tmp/swq-netrace-XXXXXX";

static void put(image *i, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++)
        i->at[i->bytes++] = (uint8_t)(value >> 8 * k);
}

static void header(image *i, int nodes, uint64_t packets)
{
    i->bytes = 0;
    put(i, 0x484a5455, 4);
    put(i, 0x3f800000, 4);
    for (int k = 0; k < 30; k++)
        put(i, k < 4 ? 't' : 0, 1);
    put(i, (uint64_t)nodes, 1);
    put(i, 0, 1);
    put(i, 1000, 8);
    put(i, packets, 8);
    put(i, 6, 4); /* notes */
    put(i, 2, 4); /* regions */
    put(i, 0, 8);
    put(i, 'n', 6);
    for (int k = 0; k < 6; k++)
        put(i, 7, 8);
}

/* Up to two packets that wait for it; 0: none. */
static void record(image *i, uint64_t cycle, uint32_t id, int type, int from, int to,
                   uint32_t waits, uint32_t also)
{
    put(i, cycle, 8);
    put(i, id, 4);
    put(i, 0xdeadbeef, 4);
    put(i, (uint64_t)type, 1);
    put(i, (uint64_t)from, 1);
    put(i, (uint64_t)to, 1);
    put(i, 0x20, 1);
    put(i, (uint64_t)((waits > 0) + (also > 0)), 1);
    if (waits)
        put(i, waits, 4);
    if (also)
        put(i, also, 4);
}

/* A request, its answer, for which 900 and 7 wait, and a packet for which none waits. */
static void small(image *i)
{
    header(i, 4, 5);
    record(i, 10, 100, 1, 0, 3, 500, 0);
    record(i, 10, 500, 2, 3, 0, 900, 7);
    record(i, 12, 900, 6, 0, 1, 0, 0);
    record(i, 12, 7, 5, 0, 2, 0, 0);
    record(i, 400, 8, 30, 2, 1, 0, 0);
}

static void setup(void)
{
    const int file = mkstemp(path);

    cr_assert_geq(file, 0);
    close(file);
}

static void teardown(void)
{
    unlink(path);
}

static void write_bytes(const void *at, size_t bytes)
{
    FILE *stream = fopen(path, "wb");

    cr_assert(stream && fwrite(at, 1, bytes, stream) == bytes);
    fclose(stream);
}

static size_t pack(const uint8_t *at, size_t bytes, char *to, size_t room)
{
    uint8_t copy[4096];
    unsigned got = (unsigned)room;

    memcpy(copy, at, bytes);
    cr_assert_eq(BZ2_bzBuffToBuffCompress(to, &got, (char *)copy, (unsigned)bytes, 1, 0, 0), BZ_OK);
    return got;
}

static swq_status read_file(swq_context *ctx, swq_trace_messages *trace)
{
    const swq_shape shape = shape_in_stages("omega", 2, 2);
    swq_fabric fabric = {0};

    cr_assert_eq(swq_fabric_count(ctx, &shape, &fabric), SWQ_OK);
    return swq_netrace_read(ctx, path, &fabric, trace);
}

static void expect_small(void)
{
    static const swq_async_message message[] = {
        {10, 0, 3, 8}, {10, 3, 0, 72}, {12, 0, 1, 72}, {12, 0, 2, 8}, {400, 2, 1, 72}};
    static const swq_async_dependency dependency[] = {{1, 0, 1}, {2, 1, 1}, {3, 1, 1}};
    swq_context *ctx = swq_context_new();
    swq_trace_messages t = {0};

    cr_assert_eq(read_file(ctx, &t), SWQ_OK, "%s", swq_context_message(ctx));
    cr_assert_eq(t.messages, 5);
    cr_assert_eq(t.dependencies, 3);
    for (int k = 0; k < 5; k++) {
        cr_expect_eq(t.message[k].cycle, message[k].cycle);
        cr_expect_eq(t.message[k].source, message[k].source);
        cr_expect_eq(t.message[k].destination, message[k].destination);
        cr_expect_eq(t.message[k].bytes, message[k].bytes);
    }
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(t.dependency[k].message, dependency[k].message);
        cr_expect_eq(t.dependency[k].on, dependency[k].on);
        cr_expect_eq(t.dependency[k].delay, 1);
    }
    swq_trace_messages_clear(&t);
    swq_context_free(ctx);
}

/* Plain, compressed in one stream, and in two with their boundary within a record. */
Test(netrace, packets_and_who_waits_for_them, .init = setup, .fini = teardown)
{
    static char packed[8192];
    image i;

    small(&i);
    write_bytes(i.at, i.bytes);
    expect_small();
    size_t first = pack(i.at, i.bytes, packed, sizeof packed);
    write_bytes(packed, first);
    expect_small();
    first = pack(i.at, 133, packed, 4096);
    const size_t second = pack(i.at + 133, i.bytes - 133, packed + first, 4096);
    write_bytes(packed, first + second);
    expect_small();
}

/* In two stages with a hop delay of 5 and links that rest for 2: the request arrives in 10 + 10 +
 * 8, the answer, in packets of up to 72, in 29 + 10 + 72, and the packet that waits for it is
 * created in 112. */
Test(netrace, a_run, .init = setup, .fini = teardown)
{
    static const uint32_t birth[] = {10, 29, 112, 112, 400};
    swq_async n = async_network(shape_in_stages("omega", 2, 2), "damq", 512);
    swq_context *ctx = swq_context_new();
    swq_trace_messages t = {0};
    swq_async_result r;
    image i;
    int seen = 0;

    small(&i);
    write_bytes(i.at, i.bytes);
    cr_assert_eq(read_file(ctx, &t), SWQ_OK);
    n.packet.max = 72;
    n.traffic.groups = 0;
    n.traffic.trace = t.message;
    n.traffic.trace_messages = t.messages;
    n.traffic.dependency = t.dependency;
    n.traffic.dependencies = t.dependencies;
    start_log log = run_logged(&n, 10000, &r);
    for (size_t k = 0; k < log.count; k++) {
        if (log.at[k].switch_ != SWQ_NO_WHERE)
            continue;
        cr_assert_lt(seen, 5);
        cr_expect_eq(log.at[k].birth, birth[seen], "%d: %u", seen, log.at[k].birth);
        seen++;
    }
    cr_expect_eq(seen, 5);
    free(log.at);
    swq_trace_messages_clear(&t);
    swq_context_free(ctx);
}

static void expect_refused(const void *at, size_t bytes, const char *says)
{
    swq_context *ctx = swq_context_new();
    swq_trace_messages t = {0};

    write_bytes(at, bytes);
    cr_expect_eq(read_file(ctx, &t), SWQ_EINVAL, "%s", says);
    cr_expect(strstr(swq_context_message(ctx), says) && strstr(swq_context_message(ctx), path),
              "no '%s' in '%s'", says, swq_context_message(ctx));
    swq_trace_messages_clear(&t);
    swq_context_free(ctx);
}

Test(netrace, what_is_wrong_is_named, .init = setup, .fini = teardown)
{
    static char packed[8192];
    image i;

    small(&i);
    expect_refused(i.at, 0, "ends within its header");
    expect_refused(i.at, 71, "ends within its header");
    expect_refused(i.at, 75, "ends within its notes");
    expect_refused(i.at, 100, "ends within its regions");
    expect_refused(i.at, 130, "ends within record 1");
    expect_refused(i.at, i.bytes - 1, "ends within record 5");
    expect_refused(i.at, i.bytes - 21, "has 4 packets; its header says 5");
    const size_t bytes = pack(i.at, i.bytes, packed, sizeof packed);
    expect_refused(packed, bytes - 1, "cannot be unpacked");
    packed[40] = (char)~packed[40];
    expect_refused(packed, bytes, "cannot be unpacked");
    i.at[0] = 0;
    expect_refused(i.at, i.bytes, "is no Netrace file");
    small(&i);
    i.at[4] = 1;
    expect_refused(i.at, i.bytes, "another version");
    header(&i, 5, 0);
    expect_refused(i.at, i.bytes, "a trace of 5 nodes; the network has 4");
    header(&i, 4, 0);
    expect_refused(i.at, i.bytes, "has 0 packets");
    i.at[57] = 0x20;
    expect_refused(i.at, i.bytes, "8191 bytes of notes");

    static const struct {
        uint64_t cycle;
        uint32_t id;
        int type, from, to;
        uint32_t waits;
        const char *says;
    } second[] = {{9, 2, 1, 0, 1, 0, "record 2: cycle 9 is earlier"},
                  {4000000001, 2, 1, 0, 1, 0, "record 2: cycle must be 0 to 4000000000"},
                  {10, 2, 0, 0, 1, 0, "record 2: type must be"},
                  {10, 2, 31, 0, 1, 0, "record 2: type must be"},
                  {10, 2, 1, 4, 1, 0, "record 2: source and destination must be 0 to 3"},
                  {10, 2, 1, 0, 4, 0, "record 2: source and destination must be 0 to 3"},
                  {10, 1, 1, 0, 1, 0, "records 1 and 2 have both the id 1"},
                  {10, 2, 1, 0, 1, 3, "record 2: packet 3 waits for it"}};
    for (size_t k = 0; k < sizeof second / sizeof *second; k++) {
        header(&i, 4, 2);
        record(&i, 10, 1, 1, 0, 1, 0, 0);
        record(&i, second[k].cycle, second[k].id, second[k].type, second[k].from, second[k].to,
               second[k].waits, 0);
        expect_refused(i.at, i.bytes, second[k].says);
    }
}
