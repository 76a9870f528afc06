/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The simulated switch of a data centre against closed forms: waits for lines, and shares of queues
 * that are always full.
 */
#include "tests/cli/program.h"
#include "tests/support/support.h"

#include <math.h>

TestSuite(cli_lines, .init = program_begin, .fini = program_end, .timeout = 240);

#define SWITCH                                                                                     \
    "sim --architecture shared-memory --ports 4 --rate 10G --memory 100MB --duration 10ms "
#define MIX   "--packet-bytes 64:0.5,576:0.2,1500:0.3 "
#define SIZES "--size 64,576,1500 --share 0.5,0.2,0.3 --json"

/* Nanoseconds of a byte at 10 Gb/s. */
static const double byte_time = 0.8;

/* A result of the one point of a formula. */
static double result_of(const cJSON *formula, const char *name)
{
    const cJSON *point = cJSON_GetArrayItem(json_at(formula, "points"), 0);

    return json_number(cJSON_GetObjectItem(point, "results"), name);
}

/* The mean is within two half-widths of 95%, which happens by chance in one case of a thousand. */
static void expect_within(const cJSON *tree, const char *place, double expected)
{
    char mean[80], half_width[80];

    snprintf(mean, sizeof mean, "%s.mean", place);
    snprintf(half_width, sizeof half_width, "%s.half_width", place);
    const double off = json_number(tree, mean) - expected, half = json_number(tree, half_width);
    cr_expect(fabs(off) < 2 * half, "%s: %g +- %g, not %g", place, expected + off, half, expected);
    cr_expect(half < 0.06 * expected, "%s: +- %g is wide", place, half);
}

Test(cli_lines, waits)
{
    cJSON *tree = program_json(SWITCH "--load 0.6 --packet-bytes 1500 --json");
    cJSON *formula = program_json("formula m-d-1 --load 0.6 --json");

    expect_within(tree, "result.delay_ns", result_of(formula, "sojourn") * 1500 * byte_time);
    expect_within(tree, "result.queue_bytes", result_of(formula, "inside") * 1500);
    cJSON_Delete(tree);
    cJSON_Delete(formula);
    tree = program_json(SWITCH MIX "--load 0.6 --json");
    formula = program_json("formula m-g-1 --load 0.6 " SIZES);
    expect_within(tree, "result.delay_ns", result_of(formula, "sojourn") * byte_time);
    expect_within(tree, "result.queue_bytes", result_of(formula, "inside_bytes"));
    cJSON_Delete(tree);
    cJSON_Delete(formula);
}

Test(cli_lines, waits_of_classes)
{
    cJSON *tree = program_json(SWITCH MIX "--load 0.7 --classes 2 --class-shares 0.4,0.6 "
                                          "--schedule priority --json");
    cJSON *formula = program_json("formula m-g-1-priority --load 0.28,0.42 " SIZES);

    for (int k = 0; k < 2; k++) {
        const cJSON *of_class = cJSON_GetArrayItem(json_at(tree, "result.by_class"), k);
        expect_within(of_class, "delay_ns",
                      byte_time * result_of(formula, k ? "delay_2" : "delay_1"));
    }
    cJSON_Delete(tree);
    cJSON_Delete(formula);
}

/* The classes of queues that are always full have their shares, up to a packet and what alpha makes
 * of one. Occamy's first experiment: 2 MB; a queue of alpha 8 beside 7 of alpha 1, or a queue of
 * alpha 1 alone, have 1 MB. */
Test(cli_lines, shares_of_thresholds)
{
#define FULL                                                                                       \
    "sim --architecture shared-memory --ports 2 --rate 40G --memory 2MB --admission threshold "    \
    "--packet-bytes 1000 --warmup 5ms --duration 2ms "
    cJSON *eight =
        program_json(FULL "--classes 8 --class-alpha 8,1,1,1,1,1,1,1 --load 16,0 --schedule "
                          "round-robin --class-shares .125,.125,.125,.125,.125,.125,.125,.125 "
                          "--json");
    cJSON *alone = program_json(FULL "--alpha 1 --load 2,0 --json");
    cJSON *formula = program_json(
        "formula dynamic-threshold-classes --slots 2000000 --alpha 8,1 --overloaded 1,7 --json");
    const cJSON *classes = json_at(eight, "result.by_class");

    /* a queue of a class at each of two ports, of which one is empty */
    for (int k = 0; k < 8; k++) {
        const double mean = 2 * json_number(cJSON_GetArrayItem(classes, k), "queue_bytes.mean");
        const double share = result_of(formula, k ? "threshold_2" : "threshold_1");
        cr_expect(fabs(mean - share) < (k ? 2000 : 9000), "class %d: %g, not %g", k, mean, share);
    }
    cr_expect(fabs(2 * json_number(alone, "result.queue_bytes.mean") - 1e6) < 2000);
    cJSON_Delete(eight);
    cJSON_Delete(alone);
    cJSON_Delete(formula);
}
