/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/ref_memory.c by itself: cases worked out by hand, thresholds of saturated queues in
 * closed form, what holds for every rule, and, for packets of one cell in slots, the rules of
 * models/buffers/.
 */
#include "models/buffers/buffers.h"
#include "tests/ref/ref_memory.h"
#include "tests/ref/ref_memory_trace.h"
#include "tests/support/support.h"

#include <stdio.h>

TestSuite(ref_memory, .timeout = 120);

enum { MOST = 20000 };

/* 10 Gb/s */
#define EIGHT                                                                                      \
    10000000000ULL, 10000000000ULL, 10000000000ULL, 10000000000ULL, 10000000000ULL,                \
        10000000000ULL, 10000000000ULL, 10000000000ULL
static const unsigned long long ten_gigabits[] = {EIGHT, EIGHT};
static const double ones[REF_MEMORY_CLASSES] = {1, 1, 1, 1, 1, 1, 1, 1};
static const long quanta[REF_MEMORY_CLASSES] = {1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500};

/* At 10 Gb/s a packet of 100 bytes takes so many ps. */
enum { T = 80000 };

static ref_memory a_switch(int ports, int classes, long memory, ref_memory_rule rule)
{
    return (ref_memory){.ports = ports,
                        .classes = classes,
                        .rate = ten_gigabits,
                        .memory = memory,
                        .cell = 1,
                        .quantum = quanta,
                        .rule = rule,
                        .alpha = ones,
                        .queue_max = memory,
                        .congested = 28000,
                        .interval = 80000000,
                        .token_every = 160000,
                        .token_bucket = 1500,
                        .mark_above = -1};
}

/* Fates as a letter and a time for each packet, in units of T, and * if it is marked. */
static void expect(const ref_memory *m, const ref_memory_arrival *arrival, long count,
                   const char *fates)
{
    ref_memory_fate fate[32];
    char line[512] = "";
    size_t used = 0;

    cr_assert_eq(ref_memory_run(m, arrival, count, fate), 0);
    for (long p = 0; p < count; p++)
        used += (size_t)snprintf(&line[used], sizeof line - used, "%s%c%g%s", p > 0 ? " " : "",
                                 "srpx"[fate[p].end], (double)fate[p].time / T,
                                 fate[p].marked ? "*" : "");
    cr_expect_str_eq(line, fates, "%s instead of %s", line, fates);
}

#define EXPECT(m, arrival, fates)                                                                  \
    expect(m, arrival, (long)(sizeof(arrival) / sizeof *(arrival)), fates)

Test(ref_memory, a_time_is_rounded_to_the_nearest)
{
    cr_expect_eq(ref_memory_time(100, 10000000000ULL), T);
    cr_expect_eq(ref_memory_time(1, 3000000000000ULL), 3);  /* 2.67 */
    cr_expect_eq(ref_memory_time(1, 16000000000000ULL), 1); /* 0.5 */
    cr_expect_eq(ref_memory_time(500000, 1), 4000000000000000000LL);
}

/* ---- the order of events ---- */

/* The memory holds two packets. What ends at T makes room for what comes at T, and the packet that
 * is sent counts until then. */
Test(ref_memory, an_end_comes_before_an_arrival)
{
    const ref_memory m = a_switch(2, 1, 200, REF_TAKE_ALL);
    const ref_memory_arrival arrival[] = {{0, 0, 0, 0, 100, 0},
                                          {0, 1, 0, 0, 100, 0},
                                          {T - 1, 0, 0, 0, 100, 0},
                                          {T, 0, 0, 0, 100, 0},
                                          {T, 1, 0, 0, 100, 0}};

    EXPECT(&m, arrival, "s1 s2 r0.999988 s3 r1");
}

/* Packets that come at the same time are all decided about before one of them is sent: the second
 * pushes the first out, which an idle line would else have begun to send. */
Test(ref_memory, arrivals_come_before_starts)
{
    ref_memory m = a_switch(2, 1, 100, REF_TAKE_LQD);
    const ref_memory_arrival arrival[] = {{0, 0, 0, 0, 100, 0}, {0, 1, 1, 0, 100, 0}};

    EXPECT(&m, arrival, "p0 s1");
    m.ties = REF_LOSES_HIGH;
    EXPECT(&m, arrival, "s1 r0");
    m.ties = REF_LOSES_OWN;
    EXPECT(&m, arrival, "s1 r0");
    m.ties = REF_LOSES_OTHER;
    EXPECT(&m, arrival, "p0 s1");
}

Test(ref_memory, a_packet_takes_whole_cells)
{
    ref_memory m = a_switch(1, 1, 520, REF_TAKE_ALL); /* three cells of 144 */
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 145, 0}, {0, 0, 0, 0, 1, 0}};

    EXPECT(&m, arrival, "s1 s2.45 s2.46");
    m.cell = 144;
    EXPECT(&m, arrival, "s1 s2.45 r0");
}

/* A memory that is freed as soon as a packet begins to be sent holds it no more. */
Test(ref_memory, a_start_can_free_memory)
{
    ref_memory m = a_switch(1, 1, 100, REF_TAKE_ALL);
    const ref_memory_arrival arrival[] = {{0, 0, 0, 0, 100, 0}, {1, 0, 0, 0, 100, 0}};

    EXPECT(&m, arrival, "s1 r1.25e-05");
    m.frees_at_start = 1;
    EXPECT(&m, arrival, "s1 s2");
}

/* ---- rules ---- */

/* Before the packet, or with it, a queue must be below the free part. */
Test(ref_memory, a_threshold_counts_the_packet_or_not)
{
    ref_memory m = a_switch(1, 1, 500, REF_TAKE_THRESHOLD);
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}};

    EXPECT(&m, arrival, "s1 s2 s3 r0"); /* 0 < 500, 100 < 400, 200 < 300, 300 < 200 */
    m.counts_itself = 1;
    EXPECT(&m, arrival, "s1 s2 r0 r0"); /* 100 < 500, 200 < 400, not 300 < 300 */
}

/* 150 bytes are reserved for each of two queues. Of the second packet half is in the reserve, and
 * half fills the shared part; the reserve of the other queue is left for it. */
Test(ref_memory, a_reserve_is_kept_free)
{
    ref_memory m = a_switch(2, 1, 350, REF_TAKE_MINIMUM);
    const ref_memory_arrival arrival[] = {{0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0},
                                          {0, 0, 0, 0, 1, 0},   {0, 0, 1, 0, 100, 0},
                                          {0, 0, 1, 0, 51, 0},  {0, 0, 1, 0, 50, 0}};

    m.queue_min = 150;
    EXPECT(&m, arrival, "s1 s2 r0 s1 r0 s1.5");
    m.rule = REF_TAKE_MINIMUM_MAXIMUM;
    m.queue_max = 100;
    EXPECT(&m, arrival, "s1 r0 r0 s1 r0 r0");
}

/* Of 600 bytes, in two queues: 600 / sqrt(2) = 424. */
Test(ref_memory, limits_of_a_queue)
{
    ref_memory m = a_switch(2, 1, 600, REF_TAKE_SQUARE_ROOT);
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 300, 0}, {0, 0, 0, 0, 125, 0}, {0, 0, 0, 0, 124, 0}};

    EXPECT(&m, arrival, "s3 r0 s4.24");
    m.rule = REF_TAKE_PARTITION;
    EXPECT(&m, arrival, "s3 r0 r0");
    m.rule = REF_TAKE_MAXIMUM;
    m.queue_max = 425;
    EXPECT(&m, arrival, "s3 s4.25 r0");
}

/* 600 (1, 3/2) / (3/2): the longest of two queues at most 400, both together 600. */
Test(ref_memory, harmonic)
{
    const ref_memory m = a_switch(2, 1, 600, REF_TAKE_HARMONIC);
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 400, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 1, 0, 200, 0}, {0, 0, 1, 0, 1, 0}};

    EXPECT(&m, arrival, "s4 r0 s2 r0");
}

/* The packet that is being sent cannot be pushed out; the queue is the longest with it. */
Test(ref_memory, longest_queue_drop_takes_what_waits)
{
    ref_memory m = a_switch(2, 1, 400, REF_TAKE_LQD);
    const ref_memory_arrival alone[] = {{0, 0, 0, 0, 400, 0}, {1, 0, 1, 0, 100, 0}};
    const ref_memory_arrival arrival[] = {{0, 0, 0, 0, 100, 0},
                                          {0, 0, 0, 0, 100, 0},
                                          {0, 0, 0, 0, 100, 0},
                                          {0, 0, 0, 0, 100, 0},
                                          {T / 2, 0, 1, 0, 150, 0}};
    const ref_memory_arrival own[] = {
        {0, 0, 0, 0, 200, 0}, {0, 0, 0, 0, 200, 0}, {T / 2, 0, 0, 0, 100, 0}};

    EXPECT(&m, alone, "s4 r1.25e-05");
    EXPECT(&m, arrival, "s1 s2 p0.5 p0.5 s2");
    EXPECT(&m, own, "s2 s4 r0.5");
    m.uncounted = 1;
    EXPECT(&m, own, "s2 p0.5 s3"); /* what waits, not what comes, is the last of its queue */
    m.uncounted = 0;
    m.drops_head = 1;
    EXPECT(&m, alone, "s4 r1.25e-05");
    EXPECT(&m, arrival, "s1 p0.5 p0.5 s2 s2");
    EXPECT(&m, own, "s2 p0.5 s3");
}

/* 300 in queue 0, 50 in queue 1, 50 free, and a packet of 200 comes: 250 with it, so that queue 0
 * loses 100; then it has 200, less than queue 1, and the packet itself is lost. What has been
 * pushed out stays lost. Uncounted, queue 0 loses twice. */
Test(ref_memory, what_is_pushed_out_stays_lost)
{
    ref_memory m = a_switch(2, 1, 400, REF_TAKE_LQD);
    const ref_memory_arrival arrival[] = {{0, 0, 0, 0, 100, 0},
                                          {0, 0, 0, 0, 100, 0},
                                          {0, 0, 0, 0, 100, 0},
                                          {0, 0, 1, 0, 50, 0},
                                          {1, 0, 1, 0, 200, 0}};

    EXPECT(&m, arrival, "s1 s2 p1.25e-05 s0.5 r1.25e-05");
    m.uncounted = 1;
    EXPECT(&m, arrival, "s1 p1.25e-05 p1.25e-05 s0.5 s2.5");
}

/* In the first interval n = 1. Then both queues are congested, n = 2, and each sends a packet in
 * half an interval, which with two classes is a share of 1/2, no less than 1/Q. */
Test(ref_memory, abm)
{
    ref_memory m = a_switch(2, 2, 2000, REF_TAKE_ABM);
    ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 100, 0},         {0, 0, 1, 0, 100, 0},       {0, 0, 0, 0, 100, 0},
        {0, 0, 1, 0, 100, 0},         {2 * T, 0, 0, 0, 1000, 0},  {2 * T, 0, 0, 0, 1, 0},
        {2 * T + 1, 0, 1, 0, 300, 0}, {2 * T + 1, 0, 1, 0, 1, 0}, {2 * T + 1, 0, 1, 0, 1, 1}};

    m.congested = 100;
    m.interval = 2 * T;
    /* 0 < 2000 and 1000 < 1000; at 2 T + 1 n = 2 (each had 100 before the second packet) and mu =
     * 1: 0 < 500, 300 < 700 / 2 and 301 < 699 / 2 are true */
    EXPECT(&m, arrival, "s1 s1 s2 s2 s12 r2 s5.00001 s5.01001 s5.02001");
    arrival[6].bytes = 334; /* 334 < 666 / 2 is not; a first round trip does not mind */
    EXPECT(&m, arrival, "s1 s1 s2 s2 s12 r2 s5.34001 r2.00001 s5.35001");
    /* In three of four intervals' time the packets of a line of half the rate: mu = 1/2. */
    arrival[6].bytes = 250;
    m.interval = 4 * T;
    for (int p = 4; p < 9; p++)
        arrival[p].time += 2 * T;
    arrival[4].bytes = 1000; /* 0 < 2000; n = 2 and mu = 1/2: 250 < 750 / 4 is not */
    EXPECT(&m, arrival, "s1 s1 s2 s2 s14 r4 s6.50001 r4.00001 s6.51001");
}

/* alpha 1, a token each T / 4. Packets for queue 1 come, which make queue 0 longer than its
 * threshold: a token expels its first waiting packet, and the debt of 100 cells lasts. */
Test(ref_memory, occamy)
{
    ref_memory m = a_switch(2, 1, 1000, REF_TAKE_OCCAMY);
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0},
        {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 1, 0, 100, 0},
        {1, 0, 1, 0, 100, 0}, {1, 0, 1, 0, 100, 0}, {T / 2, 0, 1, 0, 1, 0}};

    m.token_every = T / 4;
    /* 500 and 300, 200 free: queue 0 loses 100; the last packet finds 300 and 300 free */
    EXPECT(&m, arrival, "s1 x0.25 s2 s3 s4 s1 s2 s3 r0.5");
    /* With a token of 100 bytes the second one finds 400 and 300, 300 free; 300 is not above 300,
     * though it is its turn; the last packet finds 300 and 400 free, and makes 400 and 300 of them,
     * which the third token changes. */
    m.cell = 100;
    EXPECT(&m, arrival, "s1 x0.25 x0.5 s2 s3 s1 x0.75 s2 s2.01");

    /* 400 and 500, 100 free; 300 and 500, 200 free, and the turn of queue 1 */
    const ref_memory_arrival both[] = {{0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0},
                                       {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0},
                                       {0, 0, 1, 0, 100, 0}, {0, 0, 1, 0, 400, 0}};
    EXPECT(&m, both, "s1 x0.25 s2 s3 s1 x0.5");
}

/* The virtual queues of three packets each: in the second a packet of the first is lost. */
Test(ref_memory, follow_lqd)
{
    ref_memory m = a_switch(2, 1, 400, REF_TAKE_FOLLOW_LQD);
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 1, 0, 100, 0},
        {0, 0, 1, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {T, 0, 1, 0, 100, 0}, {T, 0, 0, 0, 100, 0}};
    const unsigned char lost[8] = {1, 1, 1, 0, 0, 0, 0, 1};

    /* T = (300, 100), (200, 200), (200, 200), then (100, 100): packets 6 and 7 make (100, 200) and
     * (200, 200); the memory holds (200, 0) and (200, 100) */
    EXPECT(&m, arrival, "s1 s2 s3 s1 r0 r0 s2 r1");
    m.rule = REF_TAKE_CREDENCE;
    EXPECT(&m, arrival, "s1 s2 s3 s1 r0 r0 s2 s4");
    m.oracle = lost; /* at T the longest queue has its share, 200 */
    EXPECT(&m, arrival, "s1 s2 s3 s1 r0 r0 s2 s4");
}

/* 150 bytes of a flow are new. Of 500 bytes 400 are held: the second packet of input 0 is the first
 * that is not new, and is refused, 300 < 200 being false; that of input 1 is new, and so is the one
 * of input 0 after a pause. */
Test(ref_memory, fab)
{
    ref_memory m = a_switch(2, 1, 500, REF_TAKE_FAB);
    const ref_memory_arrival arrival[] = {{0, 0, 1, 0, 300, 0},    {1, 0, 1, 0, 100, 0},
                                          {1, 1, 1, 0, 100, 0},    {1, 1, 1, 0, 49, 0},
                                          {1, 1, 1, 0, 1, 0},      {T, 0, 1, 0, 1, 0},
                                          {2 * T, 0, 1, 0, 20, 0}, {2 * T + 1, 1, 1, 0, 1, 0}};

    m.flow_bytes = 150;
    m.flow_pause = T - 1;
    /* 0: not new, 0 < 500; 1: not new, not 300 < 200; 2 and 3: new, 100 and 149 bytes; 4: 150
     * bytes, not 449 < 51; 5: no pause yet, not 449 < 51; 6: after a pause; 7: after a pause */
    EXPECT(&m, arrival, "s3 r1.25e-05 s4 s4.49 r1.25e-05 r1 s4.69 s4.7");
}

/* ---- schedules ---- */

static const ref_memory_arrival classes[] = {{0, 0, 0, 1, 100, 0},     {0, 0, 0, 0, 300, 0},
                                             {0, 0, 0, 1, 100, 0},     {0, 0, 0, 0, 100, 0},
                                             {T / 2, 0, 0, 0, 100, 0}, {T / 2, 0, 0, 1, 100, 0}};

Test(ref_memory, schedules)
{
    const long quantum[2] = {200, 100};
    ref_memory m = a_switch(1, 2, 2000, REF_TAKE_ALL);

    EXPECT(&m, classes, "s1 s4 s5 s6 s7 s8");
    m.schedule = REF_SERVE_PRIORITY;
    EXPECT(&m, classes, "s6 s3 s7 s4 s5 s8");
    m.schedule = REF_SERVE_ROUND_ROBIN;
    EXPECT(&m, classes, "s4 s3 s6 s5 s7 s8");
    m.schedule = REF_SERVE_DRR;
    m.quantum = quantum;
    /* 200 < 300; 100; 400: 300 and 100; 100; 200: 100; 100 */
    EXPECT(&m, classes, "s1 s4 s6 s5 s7 s8");
}

Test(ref_memory, marks)
{
    ref_memory m = a_switch(1, 1, 2000, REF_TAKE_ALL);
    const ref_memory_arrival arrival[] = {
        {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}, {0, 0, 0, 0, 100, 0}};

    m.mark_above = 199;
    EXPECT(&m, arrival, "s1 s2 s3* s4*");
    m.mark_above = 200;
    EXPECT(&m, arrival, "s1 s2 s3 s4*");
    m.marks_at_start = 1;
    EXPECT(&m, arrival, "s1* s2 s3 s4");
}

/* ---- closed forms ---- */

static ref_memory_arrival packet[MOST];
static ref_memory_fate fate[MOST];

/* In each slot, two packets of a byte for each of `queues` queues of as many ports (or classes of
 * port 0), until the memory is as full as it gets. Returns what is held of queue `which` and,
 * *held, of all, after the last packet that is taken for it. */
static long saturate(const ref_memory *m, int queues, long packets, int which, long *held)
{
    long count = 0, own = 0;

    for (long slot = 0; count + 2L * queues <= packets; slot++) {
        for (int i = 0; i < 2 * queues; i++) {
            const int port = m->ports > 1 ? i % queues : 0, class = m->ports > 1 ? 0 : i % queues;
            packet[count++] = (ref_memory_arrival){slot * 800, 0, port, class, 1, 0};
        }
    }
    cr_assert_eq(ref_memory_run(m, packet, count, fate), 0);
    for (long p = 0; p < count; p++) {
        if (fate[p].end == REF_REFUSED)
            continue;
        if ((m->ports > 1 ? packet[p].output : packet[p].class) == which)
            own = fate[p].own;
        *held = fate[p].held;
    }
    return own;
}

/* Choudhury and Hahne (1998): n saturated queues hold alpha B / (1 + n alpha) each. */
Test(ref_memory, queues_of_a_dynamic_threshold)
{
    const double alphas[] = {0.25, 0.5, 1, 2, 4};
    int cases = 0;

    for (int n = 1; n <= 8; n *= 2) {
        for (size_t k = 0; k < sizeof alphas / sizeof *alphas; k++) {
            const double each = 20 * alphas[k];
            ref_memory m = a_switch(8, 1, (long)(20 * (1 + n * alphas[k])), REF_TAKE_THRESHOLD);
            long held = 0;

            m.alpha = &alphas[k];
            cr_expect_eq((double)saturate(&m, n, 8000, n - 1, &held), each, "n %d alpha %g: not %g",
                         n, alphas[k], each);
            cr_expect_eq(m.memory - held, 20, "n %d alpha %g: %ld free", n, alphas[k],
                         m.memory - held);
            cases++;
        }
    }
    cr_expect_eq(cases, 20);
}

/* A queue with alpha 8 beside 7 with 1, all of one port: as much as one with alpha 1 alone, half of
 * the memory. A free byte more or less is 8 bytes of the first queue. */
Test(ref_memory, a_large_alpha_among_many)
{
    const double alphas[] = {8, 1, 1, 1, 1, 1, 1, 1};
    ref_memory m = a_switch(1, 8, 320, REF_TAKE_THRESHOLD);
    long held = 0;

    m.schedule = REF_SERVE_ROUND_ROBIN;
    m.alpha = alphas;
    const long high = saturate(&m, 8, 8000, 0, &held), low = saturate(&m, 8, 8000, 3, &held);
    cr_expect(high >= 160 - 8 && high <= 160 + 8, "%ld, not 160", high);
    cr_expect(low >= 19 && low <= 21, "%ld, not 20", low);
    m.alpha = ones;
    cr_expect_eq(saturate(&m, 1, 8000, 0, &held), 160);
}

/* A worst sequence of longest-queue drop with two queues and three slots, 0 0 (1 1 send 0 0 send)*:
 * of 1602 packets 1601 can be sent. If the longest queue with the lower number loses, they are;
 * with the higher one, in each round the queue that has just been served loses one. */
Test(ref_memory, the_worst_sequence_of_longest_queue_drop)
{
    const int sent[] = {[REF_LOSES_LOW] = 1601,
                        [REF_LOSES_HIGH] = 1202,
                        [REF_LOSES_OWN] = 1202,
                        [REF_LOSES_OTHER] = 1601};
    ref_memory m = a_switch(2, 1, 300, REF_TAKE_LQD);
    long count = 0;

    for (int i = 0; i < 2; i++)
        packet[count++] = (ref_memory_arrival){0, i, 0, 0, 100, 0};
    for (long slot = 0; slot < 800; slot++) {
        for (int i = 0; i < 2; i++)
            packet[count++] = (ref_memory_arrival){slot * T, i, slot % 2 == 0, 0, 100, 0};
    }
    for (ref_memory_ties ties = REF_LOSES_LOW; ties <= REF_LOSES_OTHER; ties++) {
        int all = 0;
        m.ties = ties;
        cr_assert_eq(ref_memory_run(&m, packet, count, fate), 0);
        for (long p = 0; p < count; p++)
            all += fate[p].end == REF_SENT;
        cr_expect_eq(all, sent[ties], "ties %d: %d, not %d", (int)ties, all, sent[ties]);
    }
}

/* ---- all rules ---- */

static const ref_memory_traffic bursts = {.ports = 4,
                                          .classes = 2,
                                          .rate = 10000000000ULL,
                                          .load = 0.9,
                                          .incasts = 0.2,
                                          .burst = 8,
                                          .unit = 100,
                                          .most = 1500,
                                          .step = T / 2,
                                          .hot = 0.3};

/* Each packet has one fate; memory and lines hold what they can; of a queue, packets leave in their
 * order. */
static void check(const ref_memory *m, long count)
{
    long ends[4] = {0};
    long long free_from[REF_MEMORY_PORTS] = {0};

    for (long p = 0; p < count; p++) {
        const int q = packet[p].output * m->classes + packet[p].class;
        ends[fate[p].end]++;
        cr_assert_leq(fate[p].held, m->memory);
        cr_assert_leq(fate[p].own, fate[p].held);
        cr_assert_geq(fate[p].time, packet[p].time);
        if (fate[p].end == REF_REFUSED)
            cr_assert_eq(fate[p].time, packet[p].time);
        if (fate[p].end != REF_SENT)
            continue;
        for (long o = p + 1; o < count && packet[o].time < fate[p].time; o++) {
            const int other = packet[o].output * m->classes + packet[o].class;
            cr_assert(other != q || fate[o].end != REF_SENT || fate[o].time > fate[p].time,
                      "%ld before %ld", o, p);
        }
        if (m->classes == 1) {
            cr_assert_geq(fate[p].time - ref_memory_time(packet[p].bytes, m->rate[0]),
                          free_from[packet[p].output]);
            free_from[packet[p].output] = fate[p].time;
        }
    }
    cr_expect_eq(ends[0] + ends[1] + ends[2] + ends[3], count);
    cr_expect(ends[REF_REFUSED] + ends[REF_PUSHED_OUT] > 0, "rule %d loses nothing", m->rule);
    cr_expect_eq(ends[REF_PUSHED_OUT] > 0, m->rule == REF_TAKE_LQD);
    cr_expect_eq(ends[REF_EXPELLED] > 0, m->rule == REF_TAKE_OCCAMY);
}

Test(ref_memory, what_holds_for_all_rules)
{
    enum { COUNT = 3000 };

    for (int rule = REF_TAKE_ALL; rule <= REF_TAKE_FAB; rule++) {
        for (int schedule = REF_SERVE_FIFO; schedule <= REF_SERVE_DRR; schedule++) {
            ref_memory_traffic t = bursts;
            ref_memory m = a_switch(4, 2, 20000, (ref_memory_rule)rule);

            t.seed = (unsigned)(10 * rule + schedule);
            t.classes = m.classes = schedule == REF_SERVE_FIFO ? 1 : 2;
            m.schedule = (ref_memory_schedule)schedule;
            m.queue_min = rule == REF_TAKE_MINIMUM_MAXIMUM ? 500 : 2000;
            m.queue_max = 5000;
            m.cell = 64;
            m.token_every = 51200;
            m.token_bucket = 24;
            ref_memory_draw(&t, packet, COUNT);
            cr_assert_geq(ref_memory_run(&m, packet, COUNT, fate), 0);
            check(&m, COUNT);
        }
    }
}

/* ---- the rules of models/buffers/ ---- */

/* A rule, for packets of one cell in slots: a slot ends with a packet sent of each queue. Where a
 * rule of models/buffers/ pushes out, the last packet of a queue, or the first, goes. */
typedef struct {
    ref_memory_rule rule;
    const swq_admission_rule *row;
    double alpha;
    int queue_min, queue_max;
    ref_memory_ties ties;
    swq_ties row_ties;
    int drops_head;
} same_rule;

static const same_rule same[] = {
    {REF_TAKE_ALL, &swq_admission_sharing, 0, 0, 0, 0, 0, 0},
    {REF_TAKE_PARTITION, &swq_admission_partitioning, 0, 0, 0, 0, 0, 0},
    {REF_TAKE_MAXIMUM, &swq_admission_maximum, 0, 0, 9, 0, 0, 0},
    {REF_TAKE_MINIMUM, &swq_admission_minimum, 0, 3, 0, 0, 0, 0},
    {REF_TAKE_MINIMUM_MAXIMUM, &swq_admission_minimum_maximum, 0, 2, 7, 0, 0, 0},
    {REF_TAKE_SQUARE_ROOT, &swq_admission_square_root, 0, 0, 0, 0, 0, 0},
    {REF_TAKE_THRESHOLD, &swq_admission_threshold, 0.5, 0, 0, 0, 0, 0},
    {REF_TAKE_THRESHOLD, &swq_admission_threshold, 2, 0, 0, 0, 0, 0},
    {REF_TAKE_HARMONIC, &swq_admission_harmonic, 0, 0, 0, 0, 0, 0},
    {REF_TAKE_LQD, &swq_admission_longest_queue_drop, 0, 0, 0, REF_LOSES_LOW, SWQ_TIES_LOW, 0},
    {REF_TAKE_LQD, &swq_admission_longest_queue_drop, 0, 0, 0, REF_LOSES_HIGH, SWQ_TIES_HIGH, 0},
    {REF_TAKE_LQD, &swq_admission_longest_queue_drop, 0, 0, 0, REF_LOSES_LOW, SWQ_TIES_LOW, 1},
    {REF_TAKE_LQD, &swq_admission_longest_queue_drop, 0, 0, 0, REF_LOSES_HIGH, SWQ_TIES_HIGH, 1},
};

/* Queues of packets, by number, in `slots` slots each. */
typedef struct {
    long at[REF_MEMORY_PORTS][64];
    uint16_t length[REF_MEMORY_PORTS];
} lists;

static long take_out(lists *l, int queue, bool first)
{
    const long p = first ? l->at[queue][0] : l->at[queue][l->length[queue] - 1];

    for (int i = 1; i < l->length[queue] && first; i++)
        l->at[queue][i - 1] = l->at[queue][i];
    l->length[queue]--;
    return p;
}

static void follow_rule(const swq_buffer *b, int ports, long count, ref_memory_end *end)
{
    lists l = {.length = {0}};
    swq_dice dice;
    const long long slot = ref_memory_time(packet[0].bytes, ten_gigabits[0]);

    swq_dice_begin_enumeration(&dice);
    for (long now = 0, p = 0; p < count; now++) {
        for (; p < count && packet[p].time == now * slot; p++) {
            const int to = packet[p].output;
            const swq_fate says = swq_buffer_fate(b, ports, l.length, NULL, to, &dice);
            end[p] = says == SWQ_REFUSE ? REF_REFUSED : REF_SENT;
            if (says >= 0)
                end[take_out(&l, says, b->drop_head)] = REF_PUSHED_OUT;
            if (says != SWQ_REFUSE)
                l.at[to][l.length[to]++] = p;
        }
        for (int q = 0; q < ports; q++) {
            if (l.length[q] > 0)
                (void)take_out(&l, q, true);
        }
    }
}

static void compare_with_row(swq_context *ctx, const same_rule *rule, int ports, int slots,
                             unsigned seed)
{
    enum { COUNT = 2000 };
    const double alphas[REF_MEMORY_CLASSES] = {rule->alpha};
    static ref_memory_end end[COUNT];
    ref_memory m = a_switch(ports, 1, 64L * slots, rule->rule);
    swq_buffer b;
    long lost = 0;

    cr_assert_eq(swq_buffer_preset(ctx, &swq_buffer_cbda, ports, slots / ports, &b), SWQ_OK);
    b.ties = rule->row_ties;
    b.drop_head = rule->drops_head;
    b.alpha = rule->alpha;
    b.queue_min = rule->queue_min;
    /* A queue that has the whole memory is at no limit of its own, at which longest-queue drop
     * would refuse. */
    b.queue_max = rule->queue_max ? rule->queue_max : slots + 1;
    b.admission = rule->row;
    if (rule->row->set)
        rule->row->set(rule->row->takes, ports, &b);
    m.cell = 64;
    m.alpha = alphas;
    m.ties = rule->ties;
    m.drops_head = rule->drops_head;
    m.queue_min = 64L * rule->queue_min;
    m.queue_max = 64L * rule->queue_max;

    ref_memory_draw_slots(seed, ports, 0.9, 0.3, 64, 51200, packet, COUNT);
    cr_assert_eq(ref_memory_run(&m, packet, COUNT, fate), 0);
    follow_rule(&b, ports, COUNT, end);
    for (long p = 0; p < COUNT; p++) {
        cr_assert_eq(fate[p].end, end[p], "%s, seed %u, %d ports, packet %ld: %d, not %d",
                     rule->row->name, seed, ports, p, fate[p].end, end[p]);
        lost += end[p] != REF_SENT;
    }
    cr_expect_gt(lost, 10, "%s loses %ld", rule->row->name, lost);
}

Test(ref_memory, packets_of_one_cell_have_the_fates_of_chains)
{
    swq_context *ctx = swq_context_new();

    cr_assert(ctx);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        for (unsigned seed = 1; seed <= 6; seed++) {
            compare_with_row(ctx, &same[k], 4, 24, seed);
            compare_with_row(ctx, &same[k], 9, 45, seed);
        }
    }
    swq_context_free(ctx);
}
