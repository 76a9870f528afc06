/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One unit in help, model and answer, whatever a link carries in a cycle: a network with links of
 * four bytes and all lengths four times as long is the network with links of a byte.
 */
#include "tests/cli/program.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(cli_sim_flit, .init = program_begin, .fini = program_end, .timeout = 60);

#define OMEGA "sim --engine async --stages 2 --ports 2 --cycles 2000 --json "
#define SIZES(bytes, block, packet)                                                                \
    " --bytes " #bytes " --block " #block " --max-packet " #packet " --length " #packet

static bool among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* The fields that are numbers of bytes, and so four times as large. The state of clocks is in
 * bytes, but not of packets. */
static bool in_bytes(const char *name)
{
    static const char *const lengths[] = {"block", "flit", "max_packet", "piece", NULL};

    return among(name, lengths) ||
           (strstr(name, "bytes") && strcmp(name, "circuit_state_bytes") != 0);
}

/* Fields that are not about the network, or that are texts with a length in them. */
static bool apart(const char *name)
{
    static const char *const names[] = {
        "cpu_seconds", "wall_seconds", "memory_bytes", "traffic", "asked", "circuits", NULL};

    return among(name, names);
}

static void compare(const cJSON *one, const cJSON *four)
{
    const cJSON *item, *other = four->child;

    cr_assert_eq(cJSON_GetArraySize(one), cJSON_GetArraySize(four), "%s",
                 one->string ? one->string : "an item");
    cJSON_ArrayForEach(item, one)
    {
        const char *name = item->string ? item->string : "";
        const double times = in_bytes(name) ? 4 : 1;
        if (cJSON_IsNumber(item) && !apart(name))
            cr_expect_float_eq(other->valuedouble, times * item->valuedouble,
                               1e-12 * times * fabs(item->valuedouble), "%s: %.10g and %.10g", name,
                               item->valuedouble, other->valuedouble);
        else if (item->child && !apart(name))
            compare(item, other);
        other = other->next;
    }
}

Test(cli_sim_flit, lengths_and_links_of_four_bytes_are_the_same_network)
{
    static const char *const same[][2] = {
        {"--buffer damq --load 0.5 --per-node --per-link" SIZES(128, 8, 32),
         "--buffer damq --load 0.5 --per-node --per-link" SIZES(512, 32, 128)},
        {"--buffer damq --group mask=1,load=0.3 --group interval=90,sources=open" SIZES(128, 8, 32),
         "--buffer damq --group mask=1,load=0.3 --group interval=90,sources=open" SIZES(512, 32,
                                                                                        128)},
        {"--architecture wormhole --load 0.3 --max-packet 32 --length 32",
         "--architecture wormhole --load 0.3 --max-packet 128 --length 128"},
        {"--architecture hipiqs --load 0.3 --bytes 160 --max-packet 32 --length 32",
         "--architecture hipiqs --load 0.3 --bytes 640 --max-packet 128 --length 128"},
        {"--buffer damq --load 0.6 --flow virtual-clock --circuits one.txt" SIZES(128, 8, 32),
         "--buffer damq --load 0.6 --flow virtual-clock --circuits four.txt" SIZES(512, 32, 128)},
    };

    program_run files = program_shell("printf '0 0 0.2\n1 0 0.6\n2 0 0.9\n' >one.txt; "
                                      "printf '0 0 0.8\n1 0 2.4\n2 0 3.6\n' >four.txt");
    program_free(&files);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        cJSON *one = program_json(OMEGA "%s", same[k][0]);
        cJSON *four = program_json(OMEGA "--flit 4 %s", same[k][1]);
        compare(one, four);
        cr_expect_gt(json_number(one, "result.throughput.mean"), 0.1);
        cJSON_Delete(one);
        cJSON_Delete(four);
    }
}

/* --load is a fraction of what a link carries, and the throughput, too. */
Test(cli_sim_flit, a_load_is_a_fraction)
{
    cJSON *tree = program_json("sim --engine async --stages 2 --ports 2 --buffer damq --flit 4 "
                               "--load 0.3 --cycles 40000 --json");
    const double throughput = json_number(tree, "result.throughput.mean");

    cr_expect_float_eq(throughput, 0.3, 0.02, "%g", throughput);
    cr_expect_float_eq(json_number(tree, "result.delivered_bytes") / (4 * 40000), 4 * throughput,
                       1e-9);
    cr_expect_eq(json_number(tree, "model.load"), 0.3);
    cJSON_Delete(tree);
}

Test(cli_sim_flit, rates_of_circuits_are_at_most_what_a_link_carries)
{
    static const bad_input cases[] = {
        {"--circuits 1.2.txt", "rate must be above 0 and at most 1 byte a cycle", "1.2"},
        {"--circuits 4.1.txt --flit 4", "rate must be above 0 and at most 4 bytes a cycle", "4.1"},
    };
    program_run files =
        program_shell("printf '0 0 1.2\n' >1.2.txt; printf '0 0 4.1\n' >4.1.txt; \"$SWITCHQ\" sim "
                      "--engine async --stages 2 --ports 2 --buffer damq --load 0.5 --cycles 500 "
                      "--flow virtual-clock --flit 4 --circuits 1.2.txt");

    cr_expect_eq(files.status, 0, "%s", files.err);
    program_free(&files);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("sim --engine async --stages 2 --ports 2 --buffer damq --load "
                                  "0.5 --flow virtual-clock %s",
                                  cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}

/* Defaults of options that an architecture does not have, and lengths that no message takes, need
 * not be multiples of a flit; those that count must. */
Test(cli_sim_flit, only_lengths_that_count_are_multiples_of_a_flit)
{
    static const char *const lines[] = {
        "--architecture wormhole --max-packet 30 --length 30",
        "--architecture atlas --max-packet 30 --length 30",
        "--architecture output-queued --max-packet 30 --length 30 --block 6 --output-bytes 120",
        "--architecture wormhole --max-packet 30 --traffic uniform@30",
        "--architecture wormhole --max-packet 30 --group load=0.2,traffic=node:1@30",
    };
    static const bad_input cases[] = {
        {"--architecture wormhole --length 30", "--max-packet", "not 32"},
        {"--architecture wormhole --max-packet 30", "--length", "not 32"},
        {"--architecture crosspoint --max-packet 30 --length 30", "--bytes", "not 128"},
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run =
            program_succeeds("sim --engine async --stages 2 --ports 2 --flit 3 --cycles 500 %s %s",
                             lines[k], strstr(lines[k], "load=") ? "" : "--load 0.2");
        program_free(&run);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("sim --engine async --stages 2 --ports 2 --flit 3 --load 0.2 %s",
                                  cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}
