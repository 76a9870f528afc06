/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim --per-link of networks whose buffers do not become empty: what lies behind the links adds up
 * to what lies in the network, whatever its switches are.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_link_details, .init = program_begin, .fini = program_end, .timeout = 60);

/* All nodes send to one. */
#define CONGESTED                                                                                  \
    "sim --engine async --load 1 --traffic node:3 --cycles 3000 --warmup 100 --seed 2 --per-link " \
    "--json "

static double total(const cJSON *links, const char *key)
{
    const cJSON *link;
    double sum = 0;

    cJSON_ArrayForEach(link, links)
    {
        const cJSON *of = cJSON_GetObjectItem(link, key);
        if (cJSON_IsObject(of)) /* with an interval; links to nodes have none */
            of = cJSON_GetObjectItem(of, "mean");
        sum += cJSON_IsNumber(of) ? of->valuedouble : 0;
    }
    return sum;
}

/* At the inputs of the two stages, whose levels come first. */
static double in_stages(const cJSON *tree)
{
    double sum = 0;

    for (int k = 0; k < 2; k++)
        sum += json_number(cJSON_GetArrayItem(json_at(tree, "result.levels"), k),
                           "packets_per_port.mean");
    return 16 * sum;
}

Test(cli_link_details, packets_behind_links)
{
    static const char *const lines[] = {
        "--buffer damq --bytes 128",      "--architecture atlas --pool-cells 4",
        "--architecture wormhole",        "--architecture central",
        "--architecture hipiqs",          "--architecture prizma",
        "--management recn --saqs 2",     "--management recn-enhanced --saqs 2",
        "--management fbicm --detect 4",  "--management recn-iq --saqs 2",
        "--management voqnet --block 32",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        cJSON *tree = program_json(CONGESTED "--stages 2 --ports 4 %s", lines[k]);
        const double sum = total(json_at(tree, "result.links"), "packets_per_port");
        const double whole = in_stages(tree);
        /* a worm counts in the last stage until a cycle after it has begun to leave */
        const double most = strstr(lines[k], "wormhole") ? 0.01 : 1e-9;
        cr_expect(fabs(sum - whole) < most * whole, "%s: %g, not %g", lines[k], sum, whole);
        cJSON_Delete(tree);
    }
}

/* Links of outputs alone determine the mean over outputs, and the maximum. */
Test(cli_link_details, set_aside_queues_of_outputs)
{
    static const char *const rows[] = {"recn", "recn-enhanced", "fbicm"};

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        cJSON *tree = program_json(CONGESTED "--stages 2 --ports 4 --management %s", rows[k]);
        const cJSON *links = json_at(tree, "result.links"), *link;
        double most = 0;
        cJSON_ArrayForEach(link, links)
        {
            const cJSON *one = json_at(link, "saqs_most_at_output");
            if (cJSON_IsNumber(one))
                most = fmax(most, one->valuedouble);
        }
        const double mean = total(links, "saqs_per_output") / 32;
        const double whole = json_number(tree, "result.saqs_per_output");
        cr_expect(whole > 0 && fabs(mean - whole) < 1e-9 * whole, "%s: %g, not %g", rows[k], mean,
                  whole);
        cr_expect_eq(most, json_number(tree, "result.saqs_most_at_output"), "%s: %g", rows[k],
                     most);
        cJSON_Delete(tree);
    }
}

/* RECN-IQ's outputs have lines, and no queues. */
Test(cli_link_details, no_queues_no_columns)
{
    cJSON *tree = program_json(CONGESTED "--stages 2 --ports 4 --management recn-iq");
    const cJSON *link = cJSON_GetArrayItem(json_at(tree, "result.links"), 20);

    cr_expect(cJSON_HasObjectItem(link, "saqs_per_input"));
    cr_expect_not(cJSON_HasObjectItem(link, "saqs_per_output"));
    cJSON_Delete(tree);
}
