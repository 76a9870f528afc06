/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim as a user meets it: the three forms of output, the same numbers for the same seed
 * whatever the engine and the threads, files as input, interruption, and every bad input. What the
 * numbers should be is asked in tests/sim; here only where they follow by hand.
 */
#include "tests/cli/program.h"

TestSuite(cli_sim, .init = program_begin, .fini = program_end, .timeout = 240);

/* Four nodes, two stages of 2x2 switches; and one switch. */
#define SMALL "sim --ports 2 --stages 2 --buffer damq --slots 4"
#define ONE   "sim --topology switch --slots 2"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* ---- output ---- */

static const char *const flow_keys[] = {
    "throughput.mean",       "throughput.half_width",       "latency_cycles.mean",
    "latency_cycles.p50",    "latency_cycles.half_width",   "latency_cycles.p90",
    "latency_cycles.p99",    "latency_cycles.p999",         "latency_cycles.max",
    "discard_fraction.mean", "discard_fraction.half_width",
};

Test(cli_sim, json_has_every_key_of_the_design)
{
    cJSON *tree = program_json(SMALL " --load 0.5 --cycles 3000 --warmup 100 --seed 7 "
                                     "--replications 2 --flow block --json");
    const cJSON *result = json_at(tree, "result");

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/sim/1");
    cr_assert_str_eq(json_string(tree, "model.topology"), "omega");
    cr_assert_eq(json_number(tree, "model.stages"), 2);
    cr_assert_eq(json_number(tree, "model.nodes"), 4);
    cr_assert_eq(json_number(tree, "model.ports"), 2);
    cr_assert_eq(json_number(tree, "model.slots"), 4);
    cr_assert_eq(json_number(tree, "model.load"), 0.5);
    cr_assert_str_eq(json_string(tree, "model.buffer"), "damq");
    cr_assert_str_eq(json_string(tree, "model.flow"), "block");
    cr_assert_str_eq(json_string(tree, "model.credit"), "next");
    cr_assert_str_eq(json_string(tree, "model.arbiter"), "rotating");
    cr_assert_str_eq(json_string(tree, "model.traffic"), "uniform");
    cr_assert_str_eq(json_string(tree, "model.sources"), "hold");
    cr_assert_eq(json_number(tree, "run.seed"), 7);
    cr_assert_eq(json_number(tree, "run.cycles"), 3000);
    cr_assert_eq(json_number(tree, "run.warmup_cycles"), 100);
    cr_assert_eq(json_number(tree, "run.replications"), 2);
    cr_assert(json_number(tree, "run.cpu_seconds") >= 0);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "cycles");
    for (size_t k = 0; k < sizeof flow_keys / sizeof *flow_keys; k++)
        cr_assert(json_number(result, flow_keys[k]) >= 0, "%s", flow_keys[k]);

    /* they are consistent: 2 x 3000 cycles of 4 nodes, two hops per packet */
    double packets = json_number(tree, "run.packets");
    assert_relative(json_number(result, "throughput.mean"), packets / (2 * 3000 * 4), 1e-12, "%g",
                    packets);
    cr_assert_lt(fabs(json_number(tree, "run.packet_hops") - 2 * packets), 2 * 2 * 4 * 4 * 2);
    cr_assert(json_number(result, "latency_cycles.p50") <=
              json_number(result, "latency_cycles.p90"));
    cr_assert(json_number(result, "latency_cycles.p999") <=
              json_number(result, "latency_cycles.max"));
    cr_assert(json_number(result, "latency_cycles.mean") >= 2);
    cr_assert_eq(json_number(result, "discard_fraction.mean"), 0);
    cr_assert(cJSON_IsTrue(json_at(tree, "invariants.conserved")));
    cr_assert(cJSON_IsTrue(json_at(tree, "invariants.little_exact")));
    cr_assert_eq(cJSON_GetArraySize(json_at(result, "stages")), 2);
    cJSON_Delete(tree);
}

/* A run's JSON without what it took, as text; to be freed. */
static char *numbers(const char *arguments, const char *more, char *engine)
{
    cJSON *tree = program_json("%s %s --json", arguments, more);
    cJSON *run = cJSON_GetObjectItemCaseSensitive(tree, "run");

    if (engine)
        snprintf(engine, 20, "%s", json_string(tree, "run.engine"));
    cJSON_DeleteItemFromObjectCaseSensitive(run, "cpu_seconds");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "wall_seconds");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "bytes");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "memory_bytes");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "engine");
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    return text;
}

static void expect_same(const char *arguments, const char *one, const char *other)
{
    char *a = numbers(arguments, one, NULL), *b = numbers(arguments, other, NULL);

    cr_expect_str_eq(a, b, "%s: '%s' and '%s' differ", arguments, one, other);
    free(a);
    free(b);
}

Test(cli_sim, the_same_seed_gives_the_same_numbers)
{
    const char *line = SMALL " --load 0.7 --cycles 2000 --high 0.1";
    char *one = numbers(line, "--seed 1", NULL), *other = numbers(line, "--seed 2", NULL);

    expect_same(line, "--seed 5", "--seed 5");
    expect_same(line, "", "--seed 1");
    cr_expect_str_neq(one, other);
    free(one);
    free(other);
    /* all digits of a seed count, and are printed */
    one = numbers(line, "--seed 9007199254740992", NULL);
    other = numbers(line, "--seed 9007199254740993", NULL);
    cr_expect(strstr(one, "\"9007199254740992\"") && strstr(other, "\"9007199254740993\""));
    char *from = strstr(one, "\"result\""), *to = strstr(other, "\"result\"");
    cr_expect_str_neq(from, to);
    free(one);
    free(other);
}

Test(cli_sim, threads_do_not_matter)
{
    expect_same(SMALL " --load 0.7 --cycles 1500 --replications 5", "--threads 1", "--threads 3");
    expect_same(SMALL " --load 0.7 --precision 0.05 --replications 4", "--threads 1",
                "--threads 4");
    expect_same(SMALL " --flow block --find-saturation --cycles 1000 --resolution 0.1 "
                      "--replications 3",
                "--threads 1", "--threads 2");
}

/* ---- engines ---- */

enum { WORKLOADS = 7 };

static void write_loads(int nodes)
{
    char name[32];

    snprintf(name, sizeof name, "loads%d", nodes);
    FILE *file = fopen(name, "w");
    cr_assert(file);
    for (int node = 0; node < nodes; node++)
        fprintf(file, "%g\n", node % 5 / 4.0);
    fclose(file);
}

static const char *workload(int number, int nodes)
{
    static char loads[80];

    switch (number) {
    case 0:
        return "--load 0.95";
    case 1:
        snprintf(loads, sizeof loads, "--load file:loads%d", nodes);
        return loads;
    case 2:
        return "--load 0.6 --traffic hotspot:0.2:3";
    case 3:
        return "--load 0.9 --traffic tornado";
    case 4:
        return "--load 0.7 --traffic random-permutation --hot-spots 0.1:0,0.1:5";
    case 5:
        return "--load 0.6 --burst 4 --sources open --queue-limit 20";
    default:
        return "--load 0.8 --per-node --node-groups 0-3,5 --replications 2";
    }
}

/* All numbers of both engines, for a buffer with each flow and credit, 2 to 8 ports, and slots on
 * both sides of what fits into a machine word. */
static void compare_engines(const char *buffer, int more)
{
    static const int ports[] = {2, 3, 4, 8}, slots[] = {1, 4, 16, 20};
    bool split = strcmp(buffer, "samq") == 0 || strcmp(buffer, "safc") == 0;
    int cases = 0, fast = 0;

    for (int p = 0; p < 4; p++) {
        int stages = ports[p] == 2 ? 3 : 2, nodes = (int)(pow(ports[p], stages) + 0.5);
        write_loads(nodes);
        for (int s = 0; s < 4; s++) {
            for (int rules = 0; rules < 4; rules++) {
                char line[400], engine[20];
                int each = split ? (slots[s] + ports[p] - 1) / ports[p] * ports[p] : slots[s];
                snprintf(line, sizeof line,
                         "sim --buffer %s --ports %d --stages %d --slots %d --flow %s --credit %s "
                         "--cycles 150 --warmup 30 %s",
                         buffer, ports[p], stages, each, rules % 2 ? "block" : "discard",
                         rules / 2 ? "next" : "same", workload((cases + more) % WORKLOADS, nodes));
                char *sync = numbers(line, "--engine sync", engine);
                fast += strcmp(engine, "plain") != 0;
                char *plain = numbers(line, "--engine plain", engine);
                cr_expect_str_eq(engine, "plain");
                cr_expect_str_eq(sync, plain, "%s", line);
                free(sync);
                free(plain);
                cases++;
            }
        }
    }
    /* otherwise an engine would have been compared with itself */
    cr_expect(strcmp(buffer, "cbda") == 0 || fast > cases / 4, "%s: %d of %d", buffer, fast, cases);
}

Test(cli_sim, engines_agree_on_fifo)
{
    compare_engines("fifo", 0);
}

Test(cli_sim, engines_agree_on_samq)
{
    compare_engines("samq", 1);
}

Test(cli_sim, engines_agree_on_safc)
{
    compare_engines("safc", 2);
}

Test(cli_sim, engines_agree_on_damq)
{
    compare_engines("damq", 3);
}

Test(cli_sim, engines_agree_on_dafc)
{
    compare_engines("dafc", 4);
}

Test(cli_sim, engines_agree_on_cbda)
{
    compare_engines("cbda", 5);
}

/* What the fast engine does not have, it leaves to the plain one, or does equally. */
Test(cli_sim, engines_agree_on_the_rest)
{
    static const char *const options[] = {
        "--arbiter islip --iterations 2",
        "--arbiter pim",
        "--arbiter random --flow block",
        "--stale 3 --flow block",
        "--resend",
        "--high 0.2 --priority arbiter",
        "--high 0.2 --priority queue --flow block",
        "--high 0.2 --priority queues",
        "--high 0.2 --priority buffer --flow block",
        "--queue-max 2 --flow block",
        "--queue-min 1",
        "--alpha 0.5 --flow block",
        "--topology butterfly --flow block",
        "--topology flip",
        "--read queue --queue-max 3",
    };

    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        char line[300];
        snprintf(line, sizeof line, SMALL " --load 0.9 --cycles 400 --warmup 50 %s", options[k]);
        expect_same(line, "", "--engine plain");
    }
}

/* Machines that handle four switches of four ports side by side treat a single one differently. */
Test(cli_sim, engines_agree_on_one_switch)
{
    static const char *const buffers[] = {"fifo", "samq", "safc", "damq", "dafc"};

    for (int k = 0; k < 5; k++) {
        for (int rules = 0; rules < 8; rules++) {
            char line[300];
            snprintf(line, sizeof line,
                     "sim --topology switch --ports 4 --buffer %s --slots %d --flow %s --credit %s "
                     "--load 0.95 --cycles 400 --warmup 20",
                     buffers[k], rules < 4 ? 8 : 20, rules % 2 ? "block" : "discard",
                     rules / 2 % 2 ? "next" : "same");
            expect_same(line, "", "--engine plain");
        }
    }
}

/* ---- CSV and text ---- */

/* The row of a part agrees with the JSON. */
static void expect_row(const char *csv, const char *part, const cJSON *flow)
{
    static const char *const same[][2] = {
        {"created", "created"},
        {"delivered", "delivered"},
        {"discarded", "discarded"},
        {"throughput", "throughput.mean"},
        {"throughput_half_width", "throughput.half_width"},
        {"latency_cycles", "latency_cycles.mean"},
        {"latency_cycles_half_width", "latency_cycles.half_width"},
        {"latency_cycles_variance", "latency_cycles.variance"},
        {"latency_cycles_p50", "latency_cycles.p50"},
        {"latency_cycles_p90", "latency_cycles.p90"},
        {"latency_cycles_p99", "latency_cycles.p99"},
        {"latency_cycles_p999", "latency_cycles.p999"},
        {"latency_cycles_max", "latency_cycles.max"},
        {"discard_fraction", "discard_fraction.mean"},
        {"discard_fraction_half_width", "discard_fraction.half_width"},
    };
    const int row = csv_row(csv, "part", part);

    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        expect_cell(csv, row, same[k][0], flow, same[k][1]);
}

Test(cli_sim, csv_is_the_same_as_json)
{
    const char *line = SMALL " --load 0.95 --cycles 2000 --high 0.25 --node-groups 0,2-3";
    program_run run = program_succeeds("%s --csv", line);
    cJSON *tree = program_json("%s --json", line);
    const cJSON *result = json_at(tree, "result"), *groups = json_at(result, "groups");
    static const char *const model[] = {"load", "ports", "slots", "stages", "high_fraction"};

    expect_row(run.out, "all", result);
    expect_row(run.out, "classes normal", json_at(result, "classes.normal"));
    expect_row(run.out, "classes high", json_at(result, "classes.high"));
    cr_assert_eq(cJSON_GetArraySize(groups), 3, "two and the rest");
    for (int g = 0; g < 3; g++) {
        char name[20];
        snprintf(name, sizeof name, "groups %d", g);
        expect_row(run.out, name, cJSON_GetArrayItem(groups, g));
    }
    expect_cell(run.out, csv_row(run.out, "part", "stages 2"), "mean_packets",
                cJSON_GetArrayItem(json_at(result, "stages"), 1), "mean_packets.mean");
    /* every row has the whole configuration */
    for (int row = 1; row <= 8; row++) {
        for (size_t k = 0; k < sizeof model / sizeof *model; k++)
            expect_cell(run.out, row, model[k], json_at(tree, "model"), model[k]);
        expect_cell(run.out, row, "seed", tree, "run.seed");
    }
    cr_assert(json_number(result, "discarded") > 0, "or the case says too little");
    program_free(&run);
    cJSON_Delete(tree);
}

Test(cli_sim, text_says_what_was_done_and_found)
{
    program_run run =
        program_succeeds(SMALL " --load 0.5 --cycles 2000 --high 0.1 --node-groups 0-1");
    static const char *const parts[] = {
        "omega, 2 stages, 4 nodes, damq, 2 x 2, 4 slots per input port, flow discard",
        "credit same, arbiter",
        "uniform traffic, load 0.5, hold sources",
        "0.1 high priority",
        "throughput ",
        "mean latency ",
        "discarded ",
        "packets of high priority:",
        "group 1 (the rest):",
        "2000 cycles after ",
        "(MSER-5), 1 replication, seed 1",
        "stopped by: cycles",
        "in flight",
        ": yes; Little's law exact: yes",
    };

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        cr_expect(strstr(run.out, parts[k]), "no '%s' in:\n%s", parts[k], run.out);
    program_free(&run);
}

/* ---- how long ---- */

static double relative_width(const cJSON *tree, const char *what)
{
    char path[60];

    snprintf(path, sizeof path, "result.%s.half_width", what);
    double width = json_number(tree, path);
    snprintf(path, sizeof path, "result.%s.mean", what);
    return width / json_number(tree, path);
}

/* "0 +- 0" would say that there is nothing to lose. */
Test(cli_sim, no_discard_seen_is_not_none)
{
    const char *network = "sim --topology omega --ports 4 --stages 3 --buffer damq --slots 4 "
                          "--cycles 5000 --confidence 0.9";
    cJSON *tree = program_json("%s --load 0.1 --json", network);
    const double packets = json_number(tree, "result.created");
    const double below = json_number(tree, "result.discard_fraction.below");
    cr_assert_eq(json_number(tree, "result.discarded"), 0);
    cr_assert(fabs(pow(1 - below, packets) - 0.1) < 1e-9, "%g of %g", below, packets);
    cJSON_Delete(tree);

    program_run run = program("%s --load 0.1", network);
    cr_assert(strstr(run.out, "none of 31950 packets: below 7.2e-05"), "%s", run.out);
    program_free(&run);

    run = program_succeeds("%s --load 0.1 --csv", network);
    char *seen = csv_cell(run.out, 1, "discard_fraction"),
         *bound = csv_cell(run.out, 1, "discard_fraction_below");
    cr_assert_eq(atof(seen), 0);
    cr_assert_eq(atof(bound), below, "%s", bound);
    free(seen);
    free(bound);
    program_free(&run);
    run = program_succeeds("%s --load 0.1 --flow block --csv", network);
    seen = csv_cell(run.out, 1, "discard_fraction_below");
    cr_assert_str_empty(seen);
    free(seen);
    program_free(&run);
    run = program_succeeds("%s --load 0.9 --csv", network);
    seen = csv_cell(run.out, 1, "discard_fraction_below");
    cr_assert_str_empty(seen);
    free(seen);
    program_free(&run);

    tree = program_json("%s --load 0.1 --flow block --json", network);
    cr_assert_not(cJSON_HasObjectItem(json_at(tree, "result.discard_fraction"), "below"));
    cJSON_Delete(tree);
    tree = program_json("%s --load 0.9 --json", network);
    cr_assert(json_number(tree, "result.discarded") > 0);
    cr_assert_not(cJSON_HasObjectItem(json_at(tree, "result.discard_fraction"), "below"));
    cJSON_Delete(tree);
}

Test(cli_sim, a_precision_is_kept)
{
    double cycles[2];

    for (int k = 0; k < 2; k++) {
        double precision = k ? 0.01 : 0.04;
        cJSON *tree = program_json(SMALL " --load 0.6 --precision %g --json", precision);
        cr_assert_str_eq(json_string(tree, "run.stopped_by"), "precision");
        cr_assert_leq(relative_width(tree, "latency_cycles"), precision);
        cr_assert_leq(relative_width(tree, "throughput"), precision);
        cycles[k] = json_number(tree, "run.cycles");
        cJSON_Delete(tree);
    }
    cr_assert(cycles[1] > 4 * cycles[0], "%g and %g cycles", cycles[0], cycles[1]);
    /* within the limit of cycles */
    program_run run = program(SMALL " --load 0.6 --precision 0.001 --cycles 2000 --json");
    cJSON *tree = cJSON_Parse(run.out);
    cr_assert_eq(run.status, 1);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "cycles");
    cr_assert_eq(json_number(tree, "run.cycles"), 2000);
    cr_assert_gt(relative_width(tree, "latency_cycles"), 0.001);
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_sim, confidence_widens_the_intervals)
{
    double width[3];

    for (int k = 0; k < 3; k++) {
        static const char *const level[] = {"0.8", "0.95", "0.999"};
        cJSON *tree =
            program_json(SMALL " --load 0.6 --cycles 4000 --confidence %s --json", level[k]);
        width[k] = relative_width(tree, "latency_cycles");
        cJSON_Delete(tree);
    }
    cr_assert(1.3 * width[0] < width[1] && 1.5 * width[1] < width[2], "%g %g %g", width[0],
              width[1], width[2]);
}

/* Heads that are always backlogged, two ports: 3/4 (Karol, Hluchyj and Morgan, 1987). */
Test(cli_sim, saturation_is_found)
{
    cJSON *tree = program_json("sim --topology switch --buffer fifo --slots 4 --flow block "
                               "--credit same --arbiter random --find-saturation --cycles 20000 "
                               "--resolution 0.02 --json");
    double mean = json_number(tree, "saturation.throughput.mean");
    double width = json_number(tree, "saturation.throughput.half_width");
    double least = json_number(tree, "saturation.load_least");
    double most = json_number(tree, "saturation.load_most");

    cr_assert(width > 0 && width < 0.02, "%g", width);
    cr_assert_lt(fabs(mean - 0.75), 2.5 * width, "%g +- %g", mean, width);
    cr_assert(most > least && most - least <= 0.03, "%g to %g", least, most);
    cr_assert(least <= 0.75 && most >= 0.75, "%g to %g", least, most);
    cr_assert_eq(json_number(tree, "saturation.bracket_least"), least);
    cr_assert(json_number(tree, "saturation.worst_sender_least") <= least);
    cr_assert(json_number(tree, "saturation.worst_sender") < 2);
    cr_assert_geq(json_number(tree, "saturation.runs"), 3);
    cr_assert_eq(json_number(tree, "model.load"), 1);
    cr_assert_eq(json_number(tree, "result.throughput.mean"), mean);
    cJSON_Delete(tree);
    program_run run = program_succeeds(SMALL " --flow block --find-saturation --cycles 500");
    cr_assert(strstr(run.out, "saturation throughput "), "%s", run.out);
    cr_assert(strstr(run.out, "a bracket of 0.005 would need runs about "), "%s", run.out);
    program_free(&run);
}

/* ---- traces ---- */

static void expect_latencies(const char *buffer, const char *options, double mean, double max,
                             double cycles)
{
    cJSON *tree = program_json("sim --topology switch --buffer %s --traffic trace:t %s --json",
                               buffer, options);

    assert_relative(json_number(tree, "result.latency_cycles.mean"), mean, 1e-12, "%s %s: mean %g",
                    buffer, options, json_number(tree, "result.latency_cycles.mean"));
    cr_expect_eq(json_number(tree, "result.latency_cycles.max"), max, "%s %s: max", buffer,
                 options);
    cr_expect_eq(json_number(tree, "run.cycles"), cycles, "%s %s: %g cycles", buffer, options,
                 json_number(tree, "run.cycles"));
    cr_expect_str_eq(json_string(tree, "run.stopped_by"), "trace end");
    cr_expect_eq(json_number(tree, "run.warmup_cycles"), 0);
    cr_expect_eq(json_number(tree, "result.delivered"), json_number(tree, "model.trace_packets"));
    cJSON_Delete(tree);
}

/* Cycle 0: inputs 0 and 1 each receive a packet for output 0; input 0 comes first, and sends. Cycle
 * 1: the pointer is at input 1, which now holds a packet for each output. FIFO: it sends the first
 * one to output 0, and the other in cycle 2: latencies 1, 2, 2. DAMQ: of its two queues with one
 * packet each, the one for output 1 comes first, counting outputs from the pointer; the first
 * packet follows in cycle 2: 1, 3, 1. DAFC: both at once: 1, 2, 1. */
Test(cli_sim, a_trace_by_hand)
{
    write_file("t", "# cycle source destination\n0 0 0\n0,1,0 0\n\n1\t1 1  # the last one\n");
    expect_latencies("fifo --slots 2", "", 5 / 3.0, 2, 3);
    expect_latencies("damq --slots 2", "", 5 / 3.0, 3, 3);
    expect_latencies("dafc --slots 2", "", 4 / 3.0, 2, 2);
    /* full at the start of cycle 1, so input 1 holds its second packet back for a cycle */
    expect_latencies("fifo --slots 1", "--flow block --credit next", 2, 3, 4);
}

/* 2x2 switches, two stages: sources 0 and 2 share the first switch, so one of two packets for node
 * 0 waits there: 2 and 3 cycles. Sources 0 and 1 for nodes 0 and 3 never meet. */
Test(cli_sim, a_trace_through_a_network)
{
    write_file("meet", "10 0 0\n10 2 0\n");
    write_file("pass", "10 0 0 1\n10 1 3\n");
    cJSON *meet = program_json(SMALL " --traffic trace:meet --json");
    cJSON *pass = program_json(SMALL " --traffic trace:pass --json");

    cr_expect_eq(json_number(meet, "result.latency_cycles.mean"), 2.5);
    cr_expect_eq(json_number(meet, "result.latency_cycles.max"), 3);
    cr_expect_eq(json_number(meet, "run.cycles"), 13, "cycles 0 to 12");
    cr_expect_eq(json_number(pass, "result.latency_cycles.mean"), 2);
    cr_expect_eq(json_number(pass, "result.latency_cycles.max"), 2);
    cr_expect_eq(json_number(pass, "result.classes.high.created"), 1);
    cr_expect_eq(json_number(pass, "result.classes.normal.delivered"), 1);
    cJSON_Delete(meet);
    cJSON_Delete(pass);
}

Test(cli_sim, a_bad_line_of_a_trace_is_named)
{
    static const struct {
        const char *text, *line, *says;
    } cases[] = {
        {"0 0 0\n1 0\n", "line 2", "has 2 numbers"},
        {"# none\n\n0 0 0\n7\n", "line 4", "has 1 number"},
        {"0 0 0 0 0\n", "line 1", "'0' is wrong"},
        {"0 0 0\n0 x 0\n", "line 2", "'x' is wrong"},
        {"0 0 1.5\n", "line 1", "'1.5' is wrong"},
        {"0 -1 0\n", "line 1", "'-1' is wrong"},
        {"0 99999999999999999999999 0\n", "line 1", "is wrong"},
        {"0 0 0\n0 0 0\n0 4 0\n", "line 3", "source must be 0 to 3, not 4"},
        {"0 0 4\n", "line 1", "destination must be 0 to 3, not 4"},
        {"0 0 0 2\n", "line 1", "priority must be 0 or 1, not 2"},
        {"4000000001 0 0\n", "line 1", "cycle must be 0 to 4000000000"},
        {"5 0 0\n4 0 0\n", "line 2", "cycle 4 is earlier"},
        {"", "'bad'", "no packets"},
        {"# nothing but this\n", "'bad'", "no packets"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_file("bad", cases[c].text);
        program_run run = program(SMALL " --traffic trace:bad");
        expect_refusal(&run, 2, cases[c].line, cases[c].says);
        program_free(&run);
    }
}

/* ---- files of destinations and loads ---- */

/* Every node to itself, which the omega network can route without conflict (Lawrie, 1975): always
 * two cycles. The throughput of a group is its load, exactly where nothing is random. */
Test(cli_sim, matrix_and_load_files)
{
    write_file("self", "1 0 0 0\n0 1 0 0 # the second\n0,0,1,0\n0 0 0 1\n");
    write_file("loads", "0 0.25\n0.5, 1\n");
    const char *line =
        SMALL " --traffic file:self --load file:loads --node-groups 0,1,2 --cycles 8000 "
              "--per-node";
    cJSON *tree = program_json("%s --json", line);
    const cJSON *groups = json_at(tree, "result.groups");

    cr_assert_eq(cJSON_GetArraySize(groups), 4);
    cr_assert_eq(json_number(tree, "result.latency_cycles.mean"), 2);
    cr_assert_eq(json_number(tree, "result.latency_cycles.max"), 2);
    cr_assert_eq(json_number(tree, "result.latency_cycles.variance"), 0);
    cr_assert_eq(json_number(tree, "result.latency_cycles.mean_of_nodes.p99.mean"), 2);
    cr_assert_eq(json_number(tree, "result.latency_cycles.mean_of_nodes.max.mean"), 2);
    for (int g = 0; g < 4; g++) {
        static const double load[] = {0, 0.25, 0.5, 1};
        double got = json_number(cJSON_GetArrayItem(groups, g), "throughput.mean");
        double error = sqrt(load[g] * (1 - load[g]) / 8000);
        cr_assert(fabs(got - load[g]) <= 5 * error, "node %d: %g, not %g", g, got, load[g]);
    }
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "model.load")), 4);
    cJSON_Delete(tree);
    /* here a packet's source and destination are the same */
    expect_same(line, "", "--group-by destination");
    expect_same(line, "--group-by destination", "--group-by source");
}

/* All packets go to node 0, where those from 1, 2, 3 arrive. */
Test(cli_sim, groups_by_source_and_by_destination)
{
    const char *line = SMALL " --traffic hotspot:1 --load 0.1 --node-groups 0 --cycles 3000 --json";
    cJSON *to = program_json("%s", line), *from = program_json("%s --group-by source", line);
    const cJSON *arrive = json_at(to, "result.groups"), *leave = json_at(from, "result.groups");
    double all = json_number(to, "result.delivered");

    cr_assert_eq(json_number(cJSON_GetArrayItem(arrive, 0), "delivered"), all);
    cr_assert_eq(json_number(cJSON_GetArrayItem(arrive, 1), "created"), 0);
    cr_assert(cJSON_IsNull(json_at(cJSON_GetArrayItem(arrive, 1), "latency_cycles.mean")));
    double first = json_number(cJSON_GetArrayItem(leave, 0), "delivered");
    double rest = json_number(cJSON_GetArrayItem(leave, 1), "delivered");
    cr_assert_eq(first + rest, all);
    cr_assert(fabs(rest / 3 - first) < 5 * sqrt(first), "%g and %g", first, rest);
    cJSON_Delete(to);
    cJSON_Delete(from);
}

/* ---- refusals ---- */

static void refuse_all(const bad_input *cases, size_t count, const char *with)
{
    for (size_t c = 0; c < count; c++) {
        program_run run = program("%s %s", with, cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

#define REFUSE(cases, with) refuse_all(cases, sizeof cases / sizeof *cases, with)

/* An option of one architecture in stage cycles is refused by another. */
Test(cli_sim, an_architecture_that_cannot_be)
{
#define CIOQ   "--architecture cioq --buffer damq --slots 4 --output-slots 2 --speedup "
#define POINTS "--architecture crosspoint --crosspoint-slots 2 "
    static const bad_input cases[] = {
        {"--architecture hipiqs", "--architecture hipiqs", "--engine async"},
        {"--architecture ciqo", "architecture 'ciqo'", "'cioq'"},
        {CIOQ "3", "--speedup", "from 1 to 2"},
        {CIOQ "1.5", "--speedup", "'1.5'"},
        {CIOQ "2 --crosspoint-slots 1", "--crosspoint-slots", "not for cioq"},
        {CIOQ "2 --engine async", "--output-slots", "synchronous"},
        {CIOQ "2 --stale 3 --arbiter longest", "stale", "cioq"},
        {CIOQ "2 --high 0.1 --priority arbiter", "priority", "cioq"},
        {CIOQ "2 --rare", "rare", "cioq"},
        {CIOQ "2 --departures before", "--departures", "last, first"},
        {"--architecture cioq --buffer cbda --slots 4 --speedup 2 --output-slots 2", "cbda",
         "cioq"},
        {"--architecture cioq --buffer damq --slots 4 --speedup 2", "--output-slots", "required"},
        {"--architecture output-queued", "--output-slots", "required"},
        {"--buffer damq --slots 4 --output-slots 2", "--output-slots", "not for input-queued"},
        {POINTS "--buffer damq", "--buffer", "crosspoint"},
        {POINTS "--departures first", "--departures", "crosspoint"},
        {POINTS "--arbiter maximum", "arbiter maximum", "random, longest"},
        {POINTS "--credit next", "--credit next", "crosspoint"},
    };

    REFUSE(cases, "sim --topology switch --load 0.5 --cycles 100");
    REFUSE(((const bad_input[]){{"", "architecture", "not cioq"}}),
           "approx --load 0.5 --ports 2 " CIOQ "2");
}

Test(cli_sim, a_network_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--topology omgea", "topology 'omgea'", "'omega'"},
        {"--engine sync --topology torus", "--topology torus", "asynchronous"},
        {"--engine sync --traffic multicast:2", "--traffic multicast:2", "asynchronous"},
        {"--topology ''", "topology ''", "omega, butterfly, "},
        {"--topology switch --stages 2", "stages must be 1", "not 2"},
        {"--stages 0", "--stages", "'0'"},
        {"--stages 25", "--stages", "1 to 24"},
        {"--stages three", "--stages", "'three'"},
        {"--ports 4 --stages 13", "at most 16777216", "13 stages"},
        {"--ports 32 --stages 5", "at most 16777216", "5 stages"},
        {"--ports 257", "--ports", "'257'"},
        {"--ports 0", "--ports", "'0'"},
        {"--ports 9 --arbiter maximum", "arbiter maximum", "ports is 9"},
        {"--arbiter rotatign", "arbiter 'rotatign'", "'rotating'"},
        {"--iterations 0", "--iterations", "'0'"},
        {"--iterations 2", "--iterations", "islip or pim"},
        {"--slots 2048", "--slots is given twice", "'4' and as '2048'"},
        {"--resend --resend", "--resend is given twice", NULL},
        {"--pool-rule oldest", "pool-rule", "for a pool"},
        {"--resend --flow block", "resend", "flow discard only"},
        {"--stale -1", "--stale", "'-1'"},
        {"--stale x", "--stale", "'x'"},
        {"--stale 3 --arbiter random", "stale must be 0, not 3", "does not compare lengths"},
        {"--stale 3 --arbiter islip", "stale must be 0, not 3", "does not compare lengths"},
        {"surplus", "argument", "'surplus'"},
        {"--stagse 3", "option --stagse", "--stages"},
    };
    static const bad_input missing[] = {
        {"--slots 4 --load 0.5", "--buffer", "required"},
        {"--buffer damq --load 0.5", "--slots", "required"},
        {"--buffer damq --load 0.5 --slots 2048", "--slots", "1 to 2047"},
        {"--buffer samq --load 0.5 --slots 6", "multiple of the 4 ports", "6 is not"},
        {"--buffer cbda --load 0.5 --slots 6 --arbiter longest", "--arbiter", "cbda"},
        {"--buffer cbda --load 0.5 --slots 6 --iterations 2", "--iterations", "cbda"},
        {"--buffer damq --slots 4", "--load", "required"},
        {"--buffer dafc --slots 4 --load 0.5 --stale 3", "stale must be 0, not 3",
         "sends from all of them"},
        /* 32 blocks, of which five queues of 6 leave 2 that no queue takes */
        {"--topology mesh --dims 4x4 --buffer safc --bytes 256 --load 0.5 --alpha 0.5", "--alpha",
         "reserved for it (--queue-min 6, --queue-max 6)"},
    };

    REFUSE(cases, "sim --buffer damq --slots 4 --load 0.5");
    REFUSE(missing, "sim");
}

Test(cli_sim, traffic_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--load 1.5", "--load", "'1.5'"},
        {"--load -0.1", "--load", "'-0.1'"},
        {"--load nan", "--load", "'nan'"},
        {"--load 0.5x", "--load", "'0.5x'"},
        {"--load file:nowhere", "'nowhere'", "No such file"},
        {"--load file:.", "'.'", "directory"},
        {"--load file:three", "--load: 'three'", "64 numbers, not 3"},
        {"--load file:many", "--load: 'many'", "more than 64"},
        {"--load file:big", "--load", "'1.25'"},
        {"--load file:words", "--load", "'a'"},
        {"--load 0.5 --traffic toranado", "--traffic 'toranado'", "'tornado'"},
        {"--load 0.5 --traffic ''", "--traffic ''", "known: uniform, "},
        {"--load 0.5 --traffic foo", "--traffic 'foo'",
         "random-permutation, hotspot, file, trace\n"},
        {"--load 0.5 --traffic uniform:1", "--traffic uniform", "takes no value"},
        {"--load 0.5 --traffic matrix", "matrix", "file:PATH"},
        {"--load 0.5 --traffic hotspot", "--traffic hotspot", "needs a value"},
        {"--load 0.5 --traffic hotspot:1.5", "--traffic hotspot", "'1.5'"},
        {"--load 0.5 --traffic hotspot:0.5:64", "--traffic hotspot", "'64'"},
        {"--load 0.5 --hot-spots 0.6:0,0.5:1", "sum to at most 1", "1.1"},
        {"--load 0.5 --traffic hotspot:0.6 --hot-spots 0.5:1", "sum to at most 1", "1.1"},
        {"--load 0.5 --traffic transpose --hot-spots 0.5:0,0.5:1", "--traffic has no effect",
         "--hot-spots"},
        {"--load 0.5 --hot-spots 0.1:0,x:1", "--hot-spots", "'x'"},
        {"--load 0.5 --hot-spots ''", "--hot-spots must be F:J", "''"},
        {"--load 0.5 --hot-spots 0.5", "--hot-spots must be F:J", "'0.5'"},
        {"--load 0.5 --hot-spots 0.2:0,,0.1:1", "--hot-spots must be F:J", "'0.2:0,,0.1:1'"},
        {"--load 0.5 --hot-spots 0.2:0,", "--hot-spots must be F:J", "'0.2:0,'"},
        {"--load 0.5 --hot-spots :1", "--hot-spots must be a number", "''"},
        {"--load 0.5 --traffic hotspot:0.2:0,", "--traffic hotspot", "''"},
        {"--load 0.5 --ports 2 --traffic transpose", "transpose does not fit 8", "even power"},
        {"--load 0.5 --ports 3 --traffic shuffle", "shuffle does not fit 27", "power of two"},
        {"--load 0.5 --traffic file:three", "--traffic: 'three'", "4096 numbers, not 3"},
        {"--load 0.5 --stages 1 --traffic file:sums", "node 1", "0.9"},
        {"--load 0.5 --stages 7 --traffic file:three", "8192", "16384"},
        {"--load 0.5 --traffic file:nowhere", "'nowhere'", "No such file"},
        {"--traffic trace:nowhere", "'nowhere'", "No such file"},
        {"--traffic trace", "--traffic trace", "needs a value"},
        {"--traffic trace:t --load 0.5", "--load", "trace"},
        {"--traffic trace:t --sources open", "--sources", "trace"},
        {"--traffic trace:t --burst 2", "--burst", "trace"},
        {"--traffic trace:t --high 0.5", "--high", "trace"},
        {"--traffic trace:t --hot-spots 0.5:1", "--hot-spots", "trace"},
        {"--traffic trace:t --find-saturation", "saturation", "one number"},
        {"--load file:loads --find-saturation", "saturation", "load"},
        {"--load 0.5 --sources opne", "--sources 'opne'", "'open'"},
        {"--load 0.5 --queue-limit 5", "--queue-limit", "--sources open"},
        {"--load 0.5 --sources open --queue-limit 0", "--queue-limit", "'0'"},
        {"--load 0.5 --burst 0.5", "--burst", "'0.5'"},
        {"--load 0.5 --burst 0", "--burst", "'0'"},
        {"--load 0.5 --high 1.5", "--high", "'1.5'"},
        {"--load 0.5 --priority queus", "--priority 'queus'", "'queue'"},
        {"--load 0.5 --priority arbiter", "--priority", "--high"},
        {"--load 0.5 --priority-slots 2", "--priority-slots", "--priority buffer"},
        {"--load 0.5 --priority buffer --priority-slots 0", "--priority-slots", "'0'"},
        {"--load 0.5 --priority queue --priority-queues one", "--priority-queues",
         "--priority buffer"},
        {"--load 0.5 --priority buffer --priority-queues tow", "--priority-queues 'tow'", "one"},
    };

    write_file("three", "0.5 0.5 0.5");
    write_file("big", "0.5 1.25 0.5");
    write_file("words", "a b c d");
    write_file("t", "0 0 0\n");
    write_file("sums", "1 0 0 0  0.5 0.4 0 0  0 0 1 0  0 0 0 1");
    program_run made = program_shell("yes 0.5 | head -65 >many; yes 0.5 | head -64 >loads");
    cr_assert_eq(made.status, 0);
    program_free(&made);
    REFUSE(cases, "sim --buffer damq --slots 4");
}

Test(cli_sim, a_run_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--cycles 0", "--cycles", "'0'"},
        {"--cycles 1.5", "--cycles", "'1.5'"},
        {"--cycles 5000000000", "--cycles", "4000000000"},
        {"--cycles 99999999999999999999", "--cycles", "4000000000"},
        {"--warmup -1", "--warmup", "'-1'"},
        {"--warmup atuo", "--warmup", "'atuo'"},
        {"--precision 0", "--precision", "'0'"},
        {"--precision 1", "--precision", "'1'"},
        {"--precision x", "--precision", "'x'"},
        {"--replications 0", "--replications", "'0'"},
        {"--replications 4097", "--replications", "'4097'"},
        {"--threads 0", "--threads", "'0'"},
        {"--threads 257", "--threads", "'257'"},
        {"--seed -1", "--seed", "'-1'"},
        {"--seed x", "--seed", "'x'"},
        {"--confidence 1", "--confidence", "'1'"},
        {"--confidence 0.4", "--confidence", "'0.4'"},
        {"--engine plian", "--engine 'plian'", "'plain'"},
        {"--resolution 0.1", "--resolution", "--find-saturation"},
        {"--find-saturation", "--load", "--find-saturation"},
        {"--node-groups 0-64", "--node-groups", "'0-64'"},
        {"--node-groups 3-1", "--node-groups", "'3-1'"},
        {"--node-groups 0-3,2", "--node-groups", "'0-3,2'"},
        {"--node-groups 0,", "--node-groups", "'0,'"},
        {"--node-groups x", "--node-groups", "'x'"},
        {"--node-groups ''", "--node-groups", "''"},
        {"--node-groups '0;1'", "--node-groups", "'0;1'"},
        {"--node-groups 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "--node-groups", "15 groups"},
        {"--group-by source", "--group-by", "--node-groups"},
        {"--node-groups 0 --group-by sorce", "--group-by 'sorce'", "'source'"},
        {"--json --csv", "--json", "--csv"},
        {"--mem lots", "--mem", "'lots'"},
    };

    REFUSE(cases, "sim --buffer damq --slots 4 --load 0.5");
}

/* The memory is foreseen, and a larger limit suffices. */
Test(cli_sim, too_little_memory_is_exit_3)
{
    program_run run = program("sim --buffer damq --slots 4 --load 0.5 --stages 8 --mem 1M");
    expect_refusal(&run, 3, "would take", "limit is 1 MB");
    program_free(&run);
    run = program("sim --buffer damq --slots 4 --load 0.5 --stages 12 --mem 100M --threads 4 "
                  "--replications 4");
    expect_refusal(&run, 3, "4 networks would take", "limit is 100 MB");
    program_free(&run);
    run = program_succeeds("sim --buffer damq --slots 4 --load 0.5 --cycles 100 --mem 10M");
    program_free(&run);
}

/* ---- Ctrl-C ---- */

/* --foreground: otherwise timeout also signals the whole group, and a second signal ends the
 * program at once */
#define INTERRUPT                                                                                  \
    "timeout --foreground --preserve-status -k 9 -s INT 1 \"$SWITCHQ\" " SMALL " --load 0.5 "

/* Partial results are shown and marked, however few they are. */
Test(cli_sim, ctrl_c_shows_what_there_is_as_json)
{
    program_run run = program_shell(INTERRUPT "--cycles 4000000000 --json");
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);

    cr_assert_eq(run.status, 1, "status %d: %s", run.status, run.err);
    cr_assert(tree, "%s", run.out);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "interrupted");
    cr_assert(json_number(tree, "run.cycles") > 1000 && json_number(tree, "run.cycles") < 4e9);
    cr_assert(cJSON_IsTrue(json_at(tree, "invariants.conserved")));
    cr_assert_lt(fabs(json_number(tree, "result.throughput.mean") - 0.5), 0.02);
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_sim, ctrl_c_shows_what_there_is_as_text)
{
    program_run run = program_shell(INTERRUPT "--precision 0.000001 --replications 3 --threads 2");

    cr_assert_eq(run.status, 1, "status %d: %s", run.status, run.err);
    cr_assert(strstr(run.out, "stopped by: interrupted"), "%s", run.out);
    program_free(&run);
}

/* If there are none, the program says so. */
Test(cli_sim, ctrl_c_before_anything_was_measured)
{
    program_run run = program_shell(INTERRUPT "--warmup 200000000 --json");

    expect_refusal(&run, 1, "cancelled before anything was measured", NULL);
    program_free(&run);
}

/* Two packets want output 1 of the first switch; the second one leaves a cycle later. */
Test(cli_sim, starts_by_hand)
{
    write_file("t", "0 0 3\n0 2 3 1\n");
    program_run run =
        program_succeeds("sim --topology omega --ports 2 --stages 2 --buffer damq --slots 2 "
                         "--flow block --traffic trace:t --starts s.csv");
    char *starts = file_text("s.csv");

    cr_assert_str_eq(starts, "cycle,switch,input,output,from,to,birth,priority\n"
                             "0,,,,0,3,0,0\n0,,,,2,3,0,1\n0,0,0,1,0,3,0,0\n"
                             "1,3,0,1,0,3,0,0\n1,0,1,1,2,3,0,1\n2,3,0,1,2,3,0,1\n");
    free(starts);
    program_free(&run);
}
