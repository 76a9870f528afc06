/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What switchq sim --architecture shared-memory does with recorded packets, against
 * tests/ref/ref_memory.c: the same fate at the same time for each packet, under every rule of
 * admission and every schedule, with bursts, incasts, many sizes and events that fall together.
 */
#include "sim/stream.h"
#include "tests/ref/ref_memory.h"
#include "tests/ref/ref_memory_trace.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <unistd.h>

TestSuite(shared_memory_fates, .timeout = 300);

enum { PACKETS = 3000 };

static const double alphas[] = {1, 1, 1, 1, 1, 1, 1, 1};
static const double halves[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
static const double eights[] = {8, 8, 8, 8, 8, 8, 8, 8};
static const double falling[] = {8, 1, 0.5};
static const long quanta[] = {1500, 700, 2000};

/* A switch in the words of the program, and for the reference what these words change. */
typedef struct {
    const char *options;
    ref_memory_rule rule;
    const double *alpha;
    ref_memory like;
    int larger; /* times, packets and memory are so many times as large; 0: once */
} a_case;

/* ---- the program ---- */

static const char *const words[] = {"sent", "refused", "pushed-out", "expelled"};

static void write_arrivals(const char *path, const ref_memory_arrival *arrival, long count)
{
    FILE *f = fopen(path, "w");

    cr_assert(f);
    for (long p = 0; p < count; p++)
        fprintf(f, "%lld,%d,%d,%d,%ld,%d\n", arrival[p].time, arrival[p].input, arrival[p].output,
                arrival[p].class, arrival[p].bytes, arrival[p].first_round_trip);
    fclose(f);
}

static void read_fates(const char *path, const char *command, ref_memory_fate *fate, long count)
{
    FILE *f = fopen(path, "r");
    char line[200], word[20];
    long number, read = 0;

    cr_assert(f, "%s", command);
    while (fgets(line, sizeof line, f)) {
        ref_memory_fate *to = &fate[read];
        if (sscanf(line, "%ld,%19[a-z-],%lld,%d", &number, word, &to->time, &to->marked) != 4)
            continue; /* a comment or a heading */
        cr_assert_lt(read, count);
        cr_assert_eq(number, read, "%s: %ld, not %ld", command, number, read);
        to->end = REF_SENT;
        while (to->end < REF_EXPELLED && strcmp(words[to->end], word) != 0)
            to->end++;
        cr_assert_str_eq(words[to->end], word);
        read++;
    }
    fclose(f);
    cr_assert_eq(read, count, "%s: %ld of %ld packets", command, read, count);
}

/* " --NAME A,B,...", a value for each class */
static void list_of_classes(const char *name, int classes, const double *value, char list[100])
{
    size_t used = (size_t)snprintf(list, 100, " --%s ", name);

    for (int k = 0; k < classes; k++)
        used += (size_t)snprintf(&list[used], 100 - used, "%s%g", k > 0 ? "," : "", value[k]);
}

static void run_switchq(const ref_memory *m, const char *options, const ref_memory_arrival *arrival,
                        long count, ref_memory_fate *fate, char command[1200])
{
    static const char *const schedules[] = {"fifo", "priority", "round-robin", "drr"};
    const double quantum[] = {(double)quanta[0], (double)quanta[1], (double)quanta[2]};
    char in[64], out[64], classes[200] = "";

    snprintf(in, sizeof in, "/tmp/switchq-arrivals-%ld.csv", (long)getpid());
    snprintf(out, sizeof out, "/tmp/switchq-fates-%ld.csv", (long)getpid());
    write_arrivals(in, arrival, count);
    if (m->schedule == REF_SERVE_DRR)
        list_of_classes("quantum", m->classes, quantum, classes);
    if (m->alpha == falling)
        list_of_classes("class-alpha", m->classes, falling, &classes[strlen(classes)]);
    snprintf(
        command, 1200,
        "%s sim --architecture shared-memory --ports %d --rate %lluG --memory %ldB --cell %ldB "
        "--classes %d --schedule %s %s%s --arrivals %s --fates-out %s > /dev/null",
        getenv("SWITCHQ"), m->ports, m->rate[0] / 1000000000ULL, m->memory, m->cell, m->classes,
        schedules[m->schedule], options, classes, in, out);
    cr_assert_eq(system(command), 0, "%s", command);
    read_fates(out, command, fate, count);
    remove(in);
    remove(out);
}

/* Random numbers of a switch: its stream in the first replication of seed 1. */
static double chance(long number)
{
    const swq_streams s = swq_streams_of(1, 0);
    uint64_t first, second;

    swq_stream_pair(&s, SWQ_STREAM_SWITCH, 0, (uint64_t)number, &first, &second);
    return swq_word_uniform(first);
}

/* ---- the comparison ---- */

static ref_memory_traffic traffic(int ports, int classes, unsigned seed)
{
    return (ref_memory_traffic){.seed = seed,
                                .ports = ports,
                                .classes = classes,
                                .rate = (seed % 4 == 3 ? 7 : 10) * 1000000000ULL,
                                .load = 0.9,
                                .incasts = 0.15,
                                .burst = 8,
                                .unit = seed % 3 == 0 ? 1 : 64,
                                .most = 1500,
                                .step = seed % 2 == 0 ? 51200 : 1,
                                .hot = 0.25,
                                .first_round_trip = 0.3};
}

/* Returns the packets that are not sent. */
static long compare(const a_case *c, int ports, int classes, ref_memory_schedule schedule,
                    long cell, unsigned seed)
{
    static ref_memory_arrival arrival[PACKETS];
    static ref_memory_fate expected[PACKETS], got[PACKETS];
    static unsigned long long rate[REF_MEMORY_PORTS];
    const ref_memory_traffic t = traffic(ports, classes, seed);
    ref_memory m = c->like;
    char command[1200];
    long lost = 0;

    for (int i = 0; i < ports; i++)
        rate[i] = t.rate;
    m.ports = ports;
    m.classes = classes;
    m.rate = rate;
    const int larger = c->larger > 0 ? c->larger : 1;
    m.memory = larger * (seed % 5 == 0 ? 30011 : 30720);
    m.cell = cell;
    m.schedule = schedule;
    m.quantum = quanta;
    m.rule = c->rule;
    m.alpha = c->alpha ? c->alpha : alphas;
    m.mark_above = m.mark_above > 0 ? m.mark_above : -1;
    ref_memory_draw(&t, arrival, PACKETS);
    for (long p = 0; p < PACKETS; p++) {
        arrival[p].time *= larger;
        arrival[p].bytes *= larger;
    }
    cr_assert_eq(ref_memory_run(&m, arrival, PACKETS, expected), 0, "%s, seed %u", c->options,
                 seed);
    run_switchq(&m, c->options, arrival, PACKETS, got, command);
    for (long p = 0; p < PACKETS; p++) {
        cr_assert(got[p].end == expected[p].end && got[p].time == expected[p].time &&
                      got[p].marked == expected[p].marked,
                  "%s, seed %u: packet %ld: %s at %lld, marked %d, not %s at %lld, marked %d",
                  command, seed, p, words[got[p].end], got[p].time, got[p].marked,
                  words[expected[p].end], expected[p].time, expected[p].marked);
        lost += got[p].end != REF_SENT;
    }
    return lost;
}

/* Few ports and many, one class and several, cells and bytes, each schedule. */
static void compare_all(const a_case *c)
{
    unsigned seed = 1;

    for (ref_memory_schedule s = REF_SERVE_FIFO; s <= REF_SERVE_DRR; s++) {
        for (int k = 0; k < 4; k++) {
            const int classes = s == REF_SERVE_FIFO && k < 2 ? 1 : 2 + k % 2;
            const long lost = compare(c, 2 + 3 * (k % 3), classes, s, k % 2 ? 208 : 1, seed++);
            cr_expect_gt(lost, 50, "%s loses %ld", c->options, lost);
        }
    }
}

#define CASE(name, ...)                                                                            \
    Test(shared_memory_fates, name)                                                                \
    {                                                                                              \
        const a_case c = __VA_ARGS__;                                                              \
        compare_all(&c);                                                                           \
    }

CASE(sharing, {.options = "--admission sharing", REF_TAKE_ALL})
CASE(partitioning, {.options = "--admission partitioning", REF_TAKE_PARTITION})
CASE(maximum,
     {.options = "--admission maximum --queue-max 9000B", REF_TAKE_MAXIMUM, 0, {.queue_max = 9000}})
CASE(square_root, {.options = "--admission square-root", REF_TAKE_SQUARE_ROOT})
CASE(minimum,
     {.options = "--admission minimum --queue-min 1000B", REF_TAKE_MINIMUM, 0, {.queue_min = 1000}})
CASE(minimum_maximum, {.options = "--admission minimum-maximum --queue-min 500B --queue-max 7001B",
                       REF_TAKE_MINIMUM_MAXIMUM,
                       0,
                       {.queue_min = 500, .queue_max = 7001}})
CASE(threshold, {.options = "--admission threshold", REF_TAKE_THRESHOLD})
CASE(threshold_of_a_half,
     {.options = "--admission threshold --alpha 0.5", REF_TAKE_THRESHOLD, halves})
CASE(threshold_after,
     {.options = "--admission threshold --test after", REF_TAKE_THRESHOLD, 0, {.counts_itself = 1}})
CASE(thresholds_of_classes, {.options = "--admission threshold", REF_TAKE_THRESHOLD, falling})
CASE(harmonic, {.options = "--admission harmonic", REF_TAKE_HARMONIC})
CASE(lqd_low, {.options = "--admission lqd --ties low", REF_TAKE_LQD})
CASE(lqd_high,
     {.options = "--admission lqd --ties high", REF_TAKE_LQD, 0, {.ties = REF_LOSES_HIGH}})
CASE(lqd_head,
     {.options = "--admission lqd --ties low --drop head", REF_TAKE_LQD, 0, {.drops_head = 1}})
CASE(lqd_head_high, {.options = "--admission lqd --ties high --drop head",
                     REF_TAKE_LQD,
                     0,
                     {.ties = REF_LOSES_HIGH, .drops_head = 1}})
CASE(lqd_uncounted, {.options = "--admission lqd --ties low --arriving uncounted",
                     REF_TAKE_LQD,
                     0,
                     {.uncounted = 1}})
CASE(lqd_uncounted_head, {.options = "--admission lqd --ties high --drop head --arriving uncounted",
                          REF_TAKE_LQD,
                          0,
                          {.ties = REF_LOSES_HIGH, .drops_head = 1, .uncounted = 1}})
CASE(abm, {.options = "--admission abm --congested 5000B --drain-interval 20us",
           REF_TAKE_ABM,
           halves,
           {.congested = 5000, .interval = 20000000}})
CASE(abm_after,
     {.options = "--admission abm --alpha 1 --congested 3000B --drain-interval 13us --test after",
      REF_TAKE_ABM,
      alphas,
      {.congested = 3000, .interval = 13000000, .counts_itself = 1}})
CASE(occamy, {.options = "--admission occamy --expel-every 51200ps --expel-bucket 1500",
              REF_TAKE_OCCAMY,
              eights,
              {.token_every = 51200, .token_bucket = 1500}})
CASE(occamy_of_one, {.options = "--admission occamy --alpha 1 --expel-every 10ns --expel-bucket 8",
                     REF_TAKE_OCCAMY,
                     alphas,
                     {.token_every = 10000, .token_bucket = 8}})
CASE(follow_lqd, {.options = "--admission followlqd", REF_TAKE_FOLLOW_LQD})
CASE(credence, {.options = "--admission credence", REF_TAKE_CREDENCE})
CASE(fab, {.options = "--admission fab --new-flow 4000B --flow-pause 20us",
           REF_TAKE_FAB,
           0,
           {.flow_bytes = 4000, .flow_pause = 20000000}})
CASE(fab_of_a_half, {.options = "--admission fab --alpha 0.5 --test after --new-flow 2000B "
                                "--flow-pause 100us",
                     REF_TAKE_FAB,
                     halves,
                     {.flow_bytes = 2000, .flow_pause = 100000000, .counts_itself = 1}})
CASE(edt, {.options = "--admission edt", REF_TAKE_EDT})
CASE(edt_of_a_half, {.options = "--admission edt --alpha 0.5", REF_TAKE_EDT, halves})
CASE(tdt, {.options = "--admission tdt", REF_TAKE_TDT})
CASE(tdt_of_a_half, {.options = "--admission tdt --alpha 0.5", REF_TAKE_TDT, halves})
/* Fair rates begin with 4 MB, and need long queues to fall. */
CASE(ib, {.options = "--admission ib --alpha 8 --afd-interval 50us --afd-length 1000B --afd-above "
                     "20000B",
          REF_TAKE_IB,
          eights,
          {.window = 50000000, .steered = 1000, .random_above = 20000, .chance = chance},
          .larger = 40})
CASE(ib_after, {.options = "--admission ib --test after --afd-interval 20us --afd-length 40000B "
                           "--afd-above 60000B",
                REF_TAKE_IB,
                0,
                {.window = 20000000,
                 .steered = 40000,
                 .random_above = 60000,
                 .chance = chance,
                 .counts_itself = 1},
                .larger = 40})
CASE(reverie, {.options = "--admission reverie --congested 5000B",
               REF_TAKE_REVERIE,
               0,
               {.congested = 5000, .gamma = 0.999}})
CASE(reverie_of_a_half,
     {.options = "--admission reverie --alpha 0.5 --gamma 0.6 --congested 3000B --test after",
      REF_TAKE_REVERIE,
      halves,
      {.congested = 3000, .gamma = 0.6, .counts_itself = 1}})
CASE(reverie_without_a_past, {.options = "--admission reverie --gamma 0 --congested 10000B",
                              REF_TAKE_REVERIE,
                              0,
                              {.congested = 10000}})
CASE(marks, {.options = "--admission threshold --ecn step:3000B",
             REF_TAKE_THRESHOLD,
             0,
             {.mark_above = 3000}})
CASE(marks_at_dequeue, {.options = "--admission threshold --ecn step:3000B --mark-at dequeue",
                        REF_TAKE_THRESHOLD,
                        0,
                        {.mark_above = 3000, .marks_at_start = 1}})

/* An oracle that says of every third packet, and some others, that it will be lost. */
Test(shared_memory_fates, credence_asks)
{
    static unsigned char said[PACKETS];
    char path[64], options[128];
    const a_case c = {.options = options, REF_TAKE_CREDENCE, .like = {.oracle = said}};

    snprintf(path, sizeof path, "/tmp/switchq-oracle-%ld", (long)getpid());
    snprintf(options, sizeof options, "--admission credence --oracle file:%s", path);
    FILE *f = fopen(path, "w");
    cr_assert(f);
    for (int p = 0; p < PACKETS; p++) {
        said[p] = p % 3 == 0 || p % 7 == 1;
        fprintf(f, "%d\n", said[p]);
    }
    fclose(f);
    compare_all(&c);
    remove(path);
}

/* With two queues no tie is left to chance. */
Test(shared_memory_fates, ties_of_two_queues)
{
    const a_case own = {
        .options = "--admission lqd --ties own", REF_TAKE_LQD, 0, {.ties = REF_LOSES_OWN}};
    const a_case other = {
        .options = "--admission lqd --ties other", REF_TAKE_LQD, 0, {.ties = REF_LOSES_OTHER}};

    for (unsigned seed = 1; seed <= 6; seed++) {
        cr_expect_gt(compare(&own, 2, 1, REF_SERVE_FIFO, 64, seed), 50);
        cr_expect_gt(compare(&other, 2, 1, REF_SERVE_FIFO, 64, seed), 50);
    }
}
