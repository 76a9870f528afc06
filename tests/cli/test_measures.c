/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --measure: what packets wait adds up to their latencies in every architecture of both
 * engines, and an output queue's waits have the distribution that follows from its arrivals.
 */
#include "tests/cli/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TestSuite(cli_measures, .init = program_begin, .fini = program_end, .timeout = 480);

/* ---- sums ---- */

/* Four nodes send a packet each every `gap` cycles, so that no packet waits at its source, and some
 * meet on the way. */
static void write_trace(const char *path, int gap, const char *bytes)
{
    FILE *f = fopen(path, "w");
    unsigned state = 5;

    cr_assert_not_null(f);
    for (int k = 0; k < 40; k++) {
        for (int from = 0; from < 4; from++) {
            state = state * 1103515245 + 12345;
            fprintf(f, "%d %d %u%s\n", k * gap, from, state >> 16 & 3, bytes);
        }
    }
    fclose(f);
}

/* The latency of a packet is the sum of its waits and `rest` cycles. */
static void check_sum(const char *line, double rest)
{
    cJSON *tree = program_json("sim %s --measure hop-wait --json", line);
    const double packets = json_number(tree, "result.delivered"),
                 latency = packets * json_number(tree, "result.latency_cycles.mean"),
                 waits = json_number(tree, "result.measures.0.reports") *
                         json_number(tree, "result.measures.0.measure_value.mean");

    cr_assert_eq(packets, 160, "%s", line);
    assert_relative(waits, latency - rest * packets, 1e-9, "%s", line);
    cJSON_Delete(tree);
}

Test(cli_measures, waits_add_up_in_every_asynchronous_architecture)
{
    static const struct {
        const char *line;
        double rest; /* until a store has answered that it takes a packet of its source */
    } row[] = {
        {"--buffer damq --bytes 256", 0},
        {"--buffer safc --bytes 256", 0},
        {"--buffer damq --bytes 256 --piece 8", 0},
        {"--buffer damq --bytes 256 --flow credits", 0},
        {"--buffer damq --bytes 256 --flow virtual-clock", 0},
        {"--buffer damq --bytes 256 --flow path", 5},
        {"--buffer damq --bytes 256 --flow destination", 5},
        {"--architecture cioq --buffer fifo --bytes 256", 0},
        {"--architecture output-queued --output-bytes 256", 0},
        {"--architecture central --bytes 256", 0},
        {"--architecture prizma --bytes 256", 0},
        {"--architecture hipiqs --bytes 256", 0},
        {"--architecture crosspoint --bytes 256", 0},
        {"--architecture multi-buffer --bytes 256", 0},
        {"--architecture wormhole", 0},
        {"--architecture atlas --max-packet 8", 0},
        {"--management dbbm --bytes 640", 0},
        {"--management recn-iq --bytes 640", 0},
        {"--management recn --architecture cioq --bytes 1024 --output-bytes 1024", 0},
        {"--management fbicm --architecture cioq --bytes 1024 --output-bytes 1024", 0},
    };
    char line[300];

    write_trace("trace.txt", 100, " 8");
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(line, sizeof line,
                 "--engine async --stages 2 --ports 2 --traffic trace:trace.txt %s", row[k].line);
        check_sum(line, row[k].rest);
    }
}

/* In the stage cycle in which a packet leaves the last switch, it reaches its sink. */
Test(cli_measures, waits_add_up_in_stages)
{
    static const char *const row[] = {
        "--stages 2 --ports 2 --buffer fifo --slots 8",
        "--stages 2 --ports 2 --buffer damq --slots 8",
        "--stages 2 --ports 2 --buffer samq --slots 8",
        "--stages 2 --ports 2 --buffer cbda --slots 16",
        "--topology switch --ports 4 --architecture cioq --buffer damq --slots 8 --speedup 2 "
        "--output-slots 8",
        "--topology switch --ports 4 --architecture crosspoint --crosspoint-slots 8",
        "--topology switch --ports 4 --architecture input-crosspoint --buffer damq --slots 8 "
        "--crosspoint-slots 8",
    };
    char line[300];

    write_trace("trace.txt", 20, "");
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(line, sizeof line, "--flow block --traffic trace:trace.txt %s", row[k]);
        check_sum(line, 1);
    }
}

/* ---- a distribution ---- */

enum { QUEUE = 400 };

/* The queue of an output of a 2x2 switch at the end of a cycle, to which each of two inputs sends a
 * packet in a cycle with probability load / 2. */
static void solve_queue(double load, double *chance)
{
    const double p = load / 2, come[3] = {(1 - p) * (1 - p), 2 * p * (1 - p), p * p};

    for (int q = 0; q < QUEUE; q++)
        chance[q] = q == 0;
    for (int k = 0; k < 4000; k++) {
        double next[QUEUE + 2] = {0};
        for (int q = 0; q < QUEUE; q++) {
            for (int a = 0; a < 3; a++)
                next[q + a > 0 ? q + a - 1 : 0] += chance[q] * come[a];
        }
        for (int q = 0; q < QUEUE; q++)
            chance[q] = next[q];
    }
}

/* The largest wait that at least the fraction 1 - level of the packets reaches: a packet waits for
 * the packets before it, of which one may have come in the same cycle. */
static double exact_percentile(double load, double level, const double *chance)
{
    const double p = load / 2, alone = 1 - p, second = p / 2;
    double beyond = 1;

    for (int w = 0; w < QUEUE; w++) {
        const double here = chance[w] * (alone + second) + (w > 0 ? chance[w - 1] * second : 0);
        if (beyond - here < 1 - level)
            return w;
        beyond -= here;
    }
    return NAN;
}

/* Karol, Hluchyj and Morgan (1987): the mean wait is (N - 1) / N load / (2 (1 - load)). */
Test(cli_measures, waits_of_output_queues_have_their_distribution)
{
    static const double level[] = {50, 90, 99};
    double chance[QUEUE];
    cJSON *tree =
        program_json("sim --topology switch --ports 2 --buffer cbda --slots 400 --load 0.8 "
                     "--cycles 300000 --measure hop-wait --percentiles 50,90,99 --json");
    const double mean = json_number(tree, "result.measures.0.measure_value.mean"),
                 half = json_number(tree, "result.measures.0.measure_value.half_width");

    cr_assert(half > 0 && half < 0.05 && fabs(mean - 0.5 * 0.8 / (2 * 0.2)) < 2 * half,
              "%.4f +- %.4f", mean, half);
    solve_queue(0.8, chance);
    for (int k = 0; k < 3; k++) {
        char path[60];
        snprintf(path, sizeof path, "result.measure_percentiles.%d", k);
        const cJSON *at = json_at(tree, path);
        const double exact = exact_percentile(0.8, level[k] / 100, chance);
        cr_assert_eq(json_number(at, "percent"), level[k]);
        cr_assert(json_number(at, "measure_lower") <= exact &&
                      exact <= json_number(at, "measure_upper"),
                  "%g%%: %g, not %g", level[k], json_number(at, "measure_percentile"), exact);
    }
    cJSON_Delete(tree);
}

/* ---- words ---- */

Test(cli_measures, names)
{
    program_run run = program("sim --buffer damq --slots 4 --load 0.5 --measure wait --cycles 100");

    cr_assert_eq(run.status, 2);
    cr_assert_not_null(strstr(run.err, "measure 'wait' is unknown"), "%s", run.err);
    program_free(&run);
    run = program("sim --buffer damq --slots 4 --load 0.5 --measure message-latency --cycles 100");
    cr_assert_eq(run.status, 2);
    cr_assert_not_null(strstr(run.err, "message-latency is for asynchronous"), "%s", run.err);
    program_free(&run);
    run =
        program("sim --buffer damq --slots 4 --load 0.5 --measure hop-wait,hop-wait --cycles 100");
    cr_assert_eq(run.status, 2);
    cr_assert_not_null(strstr(run.err, "hop-wait is given twice"), "%s", run.err);
    program_free(&run);
}

/* Packets are lost that do not wait to be sent again, and their ages are counted. */
Test(cli_measures, ages_of_lost_packets)
{
    cJSON *tree =
        program_json("sim --ports 2 --stages 3 --buffer damq --slots 2 --load 0.9 --cycles "
                     "5000 --flow discard --measure loss-age,pause --json");

    cr_assert_eq(json_number(tree, "result.measures.0.reports"),
                 json_number(tree, "result.discarded"));
    cr_assert_eq(json_number(tree, "result.measures.1.reports"), 0);
    cr_assert(cJSON_IsNull(json_at(tree, "result.measures.1.measure_value.mean")));
    cJSON_Delete(tree);
}
