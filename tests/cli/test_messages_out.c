/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim --messages-out FILE: in every kind of asynchronous network the lines have the means that the
 * run measures by itself, and the run has the same numbers with the file as without. And
 * --measure message-latency: means and percentiles are those of the lines, and where no lines can
 * be written, means those of the run.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(messages_out, .init = program_begin, .fini = program_end, .timeout = 120);

#define RUN "--warmup 0 --cycles 3000 --json "

enum { MOST = 20000 };

/* What the lines of m.csv have together, and the latencies of their messages. */
typedef struct {
    double messages, bytes, head, tail;
    uint32_t tails[MOST];
} sums;

static sums read_lines(const char *line)
{
    char *text = file_text("m.csv");
    const char *at = strchr(text, '\n');
    sums s = {0};
    unsigned created, from, to, bytes, head, tail, group;

    cr_assert(at && strncmp(text, "created,from,to,bytes,head_cycles,tail_cycles,group\n", 51) == 0,
              "%s", text);
    for (at++; *at; at = strchr(at, '\n') + 1) {
        cr_assert_eq(sscanf(at, "%u,%u,%u,%u,%u,%u,%u\n", &created, &from, &to, &bytes, &head,
                            &tail, &group),
                     7, "%s: %.60s", line, at);
        cr_expect(head <= tail && created + head <= 3000 && bytes > 0 && from < 16 && to < 16, "%s",
                  line);
        cr_assert_lt(s.messages, MOST);
        s.tails[(int)s.messages++] = tail;
        s.bytes += bytes;
        s.head += head;
        s.tail += tail;
    }
    free(text);
    return s;
}

static void expect_mean(const cJSON *tree, const char *key, double sum, double messages,
                        const char *line)
{
    cr_expect(fabs(json_number(tree, key) - sum / messages) < 1e-9 * sum, "%s: %s %.9g, not %.9g",
              line, key, sum / messages, json_number(tree, key));
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The measure of a run, against its lines: with Frazier's definition, the lowest latency of the
 * slowest share of the messages. */
static void expect_measure(const cJSON *tree, sums *s, const char *line)
{
    static const double level[] = {.5, .9, .99};
    const size_t count = (size_t)s->messages;

    qsort(s->tails, count, sizeof *s->tails, ascending);
    cr_expect_float_eq(json_number(tree, "result.measures.0.reports"), s->messages, 0, "%s", line);
    expect_mean(tree, "result.measures.0.measure_value.mean", s->tail, s->messages, line);
    for (int k = 0; k < 3; k++) {
        char path[80];
        const double slowest = ceil((1 - level[k]) * s->messages - 1e-9);
        const double due = s->tails[count - (size_t)slowest];
        snprintf(path, sizeof path, "result.measure_percentiles.%d.measure_percentile", k);
        cr_expect_float_eq(json_number(tree, path), due, 0, "%s: %g%% is %g, not %g", line,
                           100 * level[k], due, json_number(tree, path));
    }
}

Test(messages_out, lines_have_the_means_of_the_run)
{
    static const struct {
        const char *line;
        bool cut; /* messages of several packets, whose means have keys of their own */
    } networks[] = {
        {"--topology torus --dims 4x4 --buffer damq --load 0.3 ", false},
        {"--topology torus --dims 4x4 --buffer damq --load 0.3 --length 20-100 ", true},
        {"--topology torus --dims 4x4 --buffer damq --load 0.3 --length 20-100 --max-packet 64 "
         "--piece 8 ",
         true},
        {"--topology torus --dims 4x4 --architecture cioq --buffer damq --load 0.3 ", false},
        {"--topology mesh --dims 4x4 --architecture wormhole --load 0.2 --length 64 --flit 8 "
         "--max-packet 32 ",
         true},
        {"--topology mesh --dims 4x4 --architecture atlas --load 0.2 ", false},
        {"--topology omega --stages 2 --engine async --architecture central --load 0.3 ", false},
        {"--topology omega --stages 2 --engine async --architecture hipiqs --load 0.3 ", false},
        {"--topology omega --stages 2 --engine async --management recn-iq --load 0.3 ", false},
        {"--topology omega --stages 2 --engine async --management recn --load 0.3 ", false},
        {"--topology omega --stages 2 --engine async --management voqsw --interface-packets 8 "
         "--load 0.3 ",
         false},
    };

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        const char *line = networks[k].line;
        cJSON *without = program_json("sim " RUN "%s", line);
        cJSON *with = program_json("sim " RUN "%s --messages-out m.csv", line);
        cJSON *measured =
            program_json("sim " RUN "%s --measure message-latency --percentiles 50,90,99", line);
        sums s = read_lines(line);
        cr_expect(cJSON_Compare(json_at(with, "result"), json_at(without, "result"), true), "%s",
                  line);
        cr_expect_gt(s.messages, 100, "%s", line);
        if (networks[k].cut) {
            cr_expect_float_eq(s.messages, json_number(with, "result.messages"), 0, "%s", line);
            expect_mean(with, "result.message_head_cycles.mean", s.head, s.messages, line);
            expect_mean(with, "result.message_tail_cycles.mean", s.tail, s.messages, line);
        } else {
            cr_expect_float_eq(s.messages, json_number(with, "result.delivered"), 0, "%s", line);
            expect_mean(with, "result.latency_cycles.mean", s.head, s.messages, line);
            expect_mean(with, "result.latency_tail_cycles.mean", s.tail, s.messages, line);
        }
        expect_measure(measured, &s, line);
        cJSON_Delete(measured);
        cJSON_Delete(without);
        cJSON_Delete(with);
    }
}

/* Messages for several nodes, of which there are no lines, and of several packets with
 * managements. */
Test(messages_out, messages_of_several_are_measured)
{
    static const char *const networks[] = {
        "--topology omega --stages 2 --engine async --architecture atlas --load 0.2 "
        "--traffic multicast:2 ",
        "--topology omega --stages 2 --engine async --management voqnet --load 0.3 --length 100 "
        "--max-packet 32 ",
        "--topology omega --stages 2 --engine async --management dbbm --load 0.3 --length 100 "
        "--max-packet 32 ",
    };

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        cJSON *tree = program_json("sim " RUN "%s --measure message-latency", networks[k]);
        const double messages = json_number(tree, "result.messages");
        cr_expect_gt(messages, 100, "%s", networks[k]);
        cr_expect_float_eq(json_number(tree, "result.measures.0.reports"), messages, 0, "%s",
                           networks[k]);
        assert_relative(json_number(tree, "result.measures.0.measure_value.mean"),
                        json_number(tree, "result.message_tail_cycles.mean"), 1e-12, "%s",
                        networks[k]);
        cJSON_Delete(tree);
    }
}

/* A flit is 8 bytes. */
Test(messages_out, bytes_are_those_of_the_message)
{
    program_run run = program_succeeds(
        "sim --topology mesh --dims 4x4 --architecture wormhole --load 0.2 --length 64 --flit 8 "
        "--max-packet 32 --cycles 1000 --messages-out m.csv");
    const sums s = read_lines("flits");

    cr_expect_float_eq(s.bytes, 64 * s.messages, 0);
    program_free(&run);
}

Test(messages_out, what_does_not_go_together)
{
    static const char torus[] = "sim --topology torus --dims 4x4 --buffer damq ";
    static const char *const cases[][2] = {
        {"--load 0.3:0.4:0.1 --messages-out m.csv", "does not go with a range"},
        {"--load 0.3 --messages-out -", "the name of a file"},
        {"--load 0.3 --messages-out m.csv --starts s.csv", "--starts"},
        {"--find-saturation --messages-out m.csv", "--find-saturation"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s%s", torus, cases[k][0]);
        expect_refusal(&run, 2, "--messages-out", cases[k][1]);
        program_free(&run);
    }
    program_run run = program("sim --buffer damq --slots 4 --load 0.5 --messages-out m.csv");
    expect_refusal(&run, 2, "--messages-out", "--engine async");
    program_free(&run);
    run = program("sim --topology omega --engine async --architecture atlas --load 0.3 "
                  "--traffic multicast:2 --messages-out m.csv");
    expect_refusal(&run, 2, "messages-out", "multicast");
    program_free(&run);
}
