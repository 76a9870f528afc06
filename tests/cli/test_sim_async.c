/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim with the asynchronous engine as a user meets it: the three forms of output, what
 * every option does, traces and starts, groups, deadlocks, and every bad input. What the numbers
 * should be is asked in tests/sim; here only where they follow by hand.
 */
#include "tests/cli/program.h"

TestSuite(cli_sim_async, .init = program_begin, .fini = program_end, .timeout = 240);

/* Four nodes, two stages of 2x2 switches; and a ring of eight. */
#define SMALL "sim --engine async --ports 2 --stages 2 --buffer damq"
#define RING  "sim --topology torus --dims 8 --buffer damq --bytes 256"

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static bool says(const program_run *run, const char *part)
{
    return strstr(run->out, part) != NULL;
}

/* A run's JSON without what it took, as text; to be freed. */
static char *numbers(const char *arguments, const char *more, bool with_model)
{
    cJSON *tree = program_json("%s %s --json", arguments, more);
    cJSON *run = cJSON_GetObjectItemCaseSensitive(tree, "run");

    cJSON_DeleteItemFromObjectCaseSensitive(run, "cpu_seconds");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "wall_seconds");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "memory_bytes");
    cJSON_DeleteItemFromObjectCaseSensitive(run, "memory_bytes");
    if (!with_model)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, "model");
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(tree, "model"),
                                            "defaults"); /* what was given, not what it is */
    char *text = cJSON_PrintUnformatted(tree);
    cJSON_Delete(tree);
    return text;
}

/* ---- output ---- */

static const char *const keys[] = {
    "model.topology",
    "model.dims",
    "model.one_way",
    "model.chained",
    "model.nodes",
    "model.switches",
    "model.ports",
    "model.buffer",
    "model.buffer_bytes",
    "model.block",
    "model.max_packet",
    "model.flow",
    "model.threshold",
    "model.release",
    "model.arbiter",
    "model.hop_delay",
    "model.link_rest",
    "model.load",
    "model.groups",
    "run.seed",
    "run.cycles",
    "run.warmup_cycles",
    "run.packets",
    "run.packet_hops",
    "run.stopped_by",
    "invariants.all_created",
    "invariants.all_delivered",
    "invariants.in_flight",
    "invariants.all_bytes_created",
    "invariants.all_bytes_delivered",
    "invariants.bytes_in_flight",
    "result.throughput.mean",
    "result.throughput.half_width",
    "result.latency_cycles.mean",
    "result.latency_cycles.p50",
    "result.latency_cycles.p999",
    "result.latency_cycles.max",
    "result.latency_tail_cycles.mean",
    "result.latency_tail_cycles.half_width",
    "result.discard_fraction",
    "result.created",
    "result.delivered",
    "result.delivered_bytes",
    "result.switch_hops.mean",
    "result.link_use",
    "result.source_queue.mean",
    "result.levels",
    "result.deadlock",
};

Test(cli_sim_async, json_has_every_key_of_the_design)
{
    cJSON *tree = program_json("sim --topology torus --dims 4x3 --buffer damq --bytes 256 "
                               "--threshold 20 --load 0.3 --cycles 4000 --warmup 500 --seed 7 "
                               "--replications 2 --json");

    cr_assert_str_eq(json_string(tree, "schema"), "switchq/sim/1");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        json_at(tree, keys[k]);
    cr_assert_str_eq(json_string(tree, "model.topology"), "torus");
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "model.dims")), 2);
    cr_assert_eq(cJSON_GetArrayItem(json_at(tree, "model.dims"), 1)->valueint, 3);
    cr_assert_eq(json_number(tree, "model.nodes"), 12);
    cr_assert_eq(json_number(tree, "model.ports"), 5);
    cr_assert_str_eq(json_string(tree, "model.flow"), "maximum-usage");
    cr_assert_eq(json_number(tree, "model.threshold"), 20);
    cr_assert(cJSON_IsNull(json_at(tree, "result.deadlock")));
    cr_assert(cJSON_IsTrue(json_at(tree, "invariants.conserved")));
    cr_assert(cJSON_IsTrue(json_at(tree, "invariants.little_exact")));
    cr_assert_eq(json_number(tree, "invariants.all_bytes_created"),
                 json_number(tree, "invariants.all_bytes_delivered") +
                     json_number(tree, "invariants.bytes_in_flight"));
    cr_assert_null(cJSON_GetObjectItemCaseSensitive(json_at(tree, "result"), "groups"),
                   "one group is all");

    /* they are consistent: 2 x 4000 cycles of 12 nodes */
    double bytes = json_number(tree, "result.delivered_bytes");
    assert_relative(json_number(tree, "result.throughput.mean"), bytes / (2 * 4000 * 12), 1e-12,
                    "%g bytes", bytes);
    cr_assert_eq(bytes, 32 * json_number(tree, "result.delivered"));
    const cJSON *levels = json_at(tree, "result.levels");
    cr_assert_eq(cJSON_GetArraySize(levels), 3);
    static const char *const names[] = {"dimension 1", "dimension 2", "hosts"};
    double sent[3];
    for (int k = 0; k < 3; k++) {
        cr_assert_str_eq(json_string(cJSON_GetArrayItem(levels, k), "name"), names[k]);
        sent[k] = json_number(cJSON_GetArrayItem(levels, k), "sent.mean");
    }
    assert_relative(json_number(tree, "result.link_use"), (sent[0] + sent[1]) / 2, 1e-12,
                    "as many links in either dimension");
    assert_relative(sent[2], json_number(tree, "result.throughput.mean"), 1e-12,
                    "what leaves the network is what is delivered");
    cJSON_Delete(tree);
}

/* Bisection exists only for networks in which all links between switches are alike. */
Test(cli_sim_async, a_multistage_network_has_stages_and_no_bisection)
{
    cJSON *tree = program_json(SMALL " --load 0.3 --cycles 2000 --json");
    program_run run = program_succeeds(SMALL " --load 0.3 --cycles 2000");

    cr_assert_eq(json_number(tree, "model.stages"), 2);
    cr_assert(cJSON_IsNull(json_at(tree, "result.link_use")));
    cr_assert(cJSON_IsNull(json_at(tree, "model.threshold")));
    cr_assert_str_eq(json_string(cJSON_GetArrayItem(json_at(tree, "result.levels"), 0), "name"),
                     "stage 1");
    cr_assert(says(&run, "omega, 2 stages, 4 nodes, 2 x 2, damq, 128 bytes per input port, "), "%s",
              run.out);
    cr_assert(!says(&run, "bisection"));
    program_free(&run);
    cJSON_Delete(tree);
}

static double field(const char *line, int which)
{
    for (int k = 0; k < which; k++)
        line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

static const char *next_line(const char *text)
{
    return strchr(text, '\n') + 1;
}

/* The number after a name at the beginning of a line, from `text` on. */
static double number_behind(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    cr_assert(at, "no '%s' in %s", name, text);
    return strtod(at + strlen(name), NULL);
}

/* Text rounds a mean to two digits of its half-width. */
static void expect_flow(const char *csv, const char *part, const char *text, const cJSON *flow)
{
    static const struct {
        const char *column, *key, *name, *half_width;
    } parts[] = {
        {"created", "created", NULL, NULL},
        {"delivered", "delivered", NULL, NULL},
        {"throughput", "throughput.mean", "  throughput ", "throughput.half_width"},
        {"latency_cycles", "latency_cycles.mean", "  mean latency ", "latency_cycles.half_width"},
        {"latency_cycles_variance", "latency_cycles.variance", NULL, NULL},
        {"latency_cycles_p50", "latency_cycles.p50", "50% ", NULL},
        {"latency_cycles_p90", "latency_cycles.p90", "90% ", NULL},
        {"latency_cycles_p99", "latency_cycles.p99", "99% ", NULL},
        {"latency_cycles_p999", "latency_cycles.p999", "99.9% ", NULL},
        {"latency_cycles_max", "latency_cycles.max", "max ", NULL},
        {"delivered_bytes", "delivered_bytes", NULL, NULL},
        {"switch_hops", "switch_hops.mean", "  mean hops ", "switch_hops.half_width"},
    };
    const int row = csv_row(csv, "part", part);

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        expect_cell(csv, row, parts[k].column, flow, parts[k].key);
        if (!parts[k].name)
            continue;
        double off = fabs(number_behind(text, parts[k].name) - json_number(flow, parts[k].key));
        double allowed = parts[k].half_width ? 0.05 * json_number(flow, parts[k].half_width) : 0;
        cr_expect(off <= allowed, "%s: off by %g in text", parts[k].key, off);
    }
}

Test(cli_sim_async, text_csv_and_json_agree)
{
    const char *line = RING " --load 0.4 --length 6-40 --cycles 50000 --group "
                            "'mask=1,value=1,load=0.1' --group sources=open";
    program_run csv = program_succeeds("%s --csv", line), text = program_succeeds("%s", line);
    cJSON *tree = program_json("%s --json", line);
    const cJSON *groups = json_at(tree, "result.groups");
    const char *words = text.out;

    expect_flow(csv.out, "all", words, json_at(tree, "result"));
    cr_assert_eq(cJSON_GetArraySize(groups), 2);
    for (int g = 0; g < 2; g++) {
        char name[20];
        snprintf(name, sizeof name, "group %d", g);
        words = strstr(words, name);
        cr_assert(words);
        snprintf(name, sizeof name, "groups %d", g);
        expect_flow(csv.out, name, words, cJSON_GetArrayItem(groups, g));
    }
    assert_relative(number_behind(text.out, "bisection "), json_number(tree, "result.link_use"),
                    1e-5, "bisection");
    cr_assert_eq(number_behind(text.out, "bytes created "),
                 json_number(tree, "invariants.all_bytes_created"));
    cr_assert(
        says(&text, "group 0 (nodes & 0x1 = 0x1; 4 nodes): load 0.1, traffic uniform@6-40, hold"));
    cr_assert(
        says(&text, "group 1 (all other nodes; 4 nodes): load 0.4, traffic uniform@6-40, open"));
    program_free(&csv);
    program_free(&text);
    cJSON_Delete(tree);
}

Test(cli_sim_async, text_says_what_the_network_is)
{
    static const struct {
        const char *arguments, *parts[3];
    } cases[] = {
        {"--topology torus --dims 11x11 --bytes 256 --threshold 26",
         {"torus, dims 11x11, 121 nodes, 5 x 5, damq, 256 bytes per input port, blocks of 8 "
          "bytes, ",
          "flow maximum-usage, threshold 26 blocks, arbiter rotating, ",
          " of the bandwidth of the links between switches"}},
        {"--topology torus --one-way --dims 5", {"torus, dims 5, one way, 5 nodes, 2 x 2, "}},
        {"--topology mesh --chained --dims 3x3x3",
         {"mesh, dims 3x3x3, chained, 27 nodes, 5 x 5, ", "  dimension 3 ", "  hosts "}},
        {"--topology hypercube --dims 3", {"hypercube, dims 3, 8 nodes, 4 x 4, "}},
        {"--engine async --bytes 64 --release end --hop-delay 7",
         {"omega, 3 stages, 64 nodes, 4 x 4, damq, 64 bytes per input port, ",
          "release end, arbiter rotating, hop delay 7 cycles", "  stage 3 "}},
        {"--engine async --topology switch --bytes 64", {"switch, 1 stage, 2 nodes, 2 x 2, "}},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run =
            program_succeeds("sim --buffer damq --load 0.2 --cycles 1000 %s", cases[c].arguments);
        for (int k = 0; k < 3 && cases[c].parts[k]; k++)
            cr_expect(says(&run, cases[c].parts[k]), "no '%s' in:\n%s", cases[c].parts[k], run.out);
        cr_expect(says(&run, ": yes; Little's law exact: yes\n"), "%s", run.out);
        program_free(&run);
    }
}

/* ---- the same numbers ---- */

static void expect_same(const char *arguments, const char *one, const char *other)
{
    char *a = numbers(arguments, one, true), *b = numbers(arguments, other, true);

    cr_expect_str_eq(a, b, "%s: '%s' and '%s' differ", arguments, one, other);
    free(a);
    free(b);
}

Test(cli_sim_async, threads_do_not_matter)
{
    expect_same(RING " --load 0.5 --cycles 3000 --replications 5", "--threads 1", "--threads 3");
    expect_same(RING " --load 0.5 --precision 0.05 --replications 3", "--threads 1", "--threads 2");
    expect_same(RING " --find-saturation --cycles 1000 --resolution 0.1", "--threads 1",
                "--threads 3");
    expect_same(RING " --load 0.5 --cycles 1000", "--seed 1", "");
}

/* Different ways to say the same. */
Test(cli_sim_async, other_words_for_the_same)
{
    static const struct {
        const char *with, *one, *other;
    } cases[] = {
        {SMALL " --load 0.4", "", "--bytes 128 --block 8 --max-packet 32 --flow block"},
        {SMALL " --load 0.4", "", "--release blocks --hop-delay 5 --link-rest 2 --length 32"},
        {SMALL " --load 0.4", "", "--traffic uniform --sources hold --interval-from rest"},
        {SMALL " --load 0.4", "--bytes 96", "--slots 3"},
        {SMALL " --load 0.4 --max-packet 16", "--bytes 48", "--slots 3"},
        {SMALL " --load 0.4", "--length 16", "--length constant:16"},
        {SMALL " --load 0.4", "--length 6-16", "--length uniform:6-16"},
        {SMALL " --load 0.4", "--threshold 5", "--threshold 5 --flow maximum-usage"},
        {SMALL " --load 0.4", "--traffic hotspot:0.25", "--traffic 0.25*node:0+0.75*uniform@32"},
        {SMALL " --load 0.4", "--traffic hotspot:0.25:3", "--traffic hotspot:0.25:3@32"},
        {SMALL " --load 0.4", "--traffic 0.5*hotspot:0.5:3+0.5*node:1",
         "--traffic 0.25*node:3+0.25*uniform+0.5*node:1"},
        {SMALL " --load 0.4", "--traffic subset:3:2", "--traffic subset:0x3:0x2"},
        {"sim --engine async --ports 2 --stages 2 --architecture atlas --load 0.1",
         "--traffic multicast:3", "--traffic multicast:3:4 --multicast-queue switch"},
        {SMALL " --load 0.4", "--iterations 2 --arbiter pim", "--arbiter pim --iterations 2"},
        {SMALL, "--load 0.3 --group mask=1,value=1 --group length=9",
         "--group load=0.3,mask=1,value=1,length=32 --group load=0.3,length=9"},
        {SMALL, "--group interval=70", "--interval 70 --group length=32"},
        {SMALL, "--load 0.3 --group mask=1,value=1,interval=70 --group length=32",
         "--group mask=1,value=1,interval=70 --group load=0.3"},
        /* 32 bytes and two cycles of pause, and as much again */
        {SMALL, "--interval 34-34 --length 32", "--interval uniform:34-34"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char with[200];
        snprintf(with, sizeof with, "%s --cycles 2000", cases[c].with);
        expect_same(with, cases[c].one, cases[c].other);
    }
}

/* No option is read and then ignored. */
Test(cli_sim_async, every_option_has_an_effect)
{
    static const struct {
        const char *with, *option;
    } cases[] = {
        {SMALL, "--bytes 64"},
        {SMALL, "--slots 2"},
        {SMALL, "--block 64"},
        {SMALL, "--max-packet 20"},
        {SMALL, "--threshold 3"},
        {SMALL, "--release start"},
        {SMALL " --length 6-32", "--release hop"},
        {SMALL " --length 6-32", "--release end"},
        {SMALL, "--release 10"},
        {SMALL, "--hop-delay 6"},
        {SMALL, "--link-rest 0"},
        {SMALL, "--arbiter random"},
        {SMALL " --arbiter pim", "--iterations 2"},
        {SMALL, "--length 31"},
        {SMALL, "--length 6-32"},
        {SMALL, "--length geometric:20"},
        {SMALL, "--traffic bit-complement"},
        {SMALL, "--traffic hotspot:0.2"},
        {SMALL, "--traffic hotspot:0.2:3"},
        {SMALL, "--traffic node:1"},
        {SMALL, "--traffic subset:1:1"},
        {SMALL, "--traffic 0.5*uniform@8+0.5*uniform"},
        {SMALL, "--sources open"},
        {"sim --engine async --ports 2 --stages 3 --buffer damq", "--topology butterfly"},
        {SMALL, "--group mask=1,value=1"},
        {SMALL, "--seed 2"},
        {SMALL, "--warmup 7"},
        {SMALL, "--replications 2"},
        {SMALL, "--confidence 0.9"},
        {SMALL, "--per-node"},
        {"sim --topology torus --buffer damq --dims 4x4 --bytes 256 --threshold 24", "--one-way"},
        {"sim --topology torus --buffer damq --dims 4x4x4", "--chained"},
    };
    char with[200], option[80];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        snprintf(with, sizeof with, "%s --load 0.8 --cycles 2000", cases[c].with);
        snprintf(option, sizeof option, "'%s'", cases[c].option);
        char *plain = numbers(with, "", false), *more = numbers(with, cases[c].option, false);
        cr_expect_str_neq(plain, more, "%s: no effect of %s", with, cases[c].option);
        free(plain);
        free(more);
    }
    /* intervals replace a load */
    static const char *const interval[] = {"20", "10-30", "geometric:20",
                                           "20 --interval-from start", "20 --sources open"};
    char *seen[5];
    for (int k = 0; k < 5; k++) {
        snprintf(option, sizeof option, "--interval %s", interval[k]);
        seen[k] = numbers(SMALL " --cycles 2000", option, false);
        for (int before = 0; before < k; before++)
            cr_expect_str_neq(seen[before], seen[k], "%s and %s", interval[before], interval[k]);
    }
    for (int k = 0; k < 5; k++)
        free(seen[k]);
}

/* 32 bytes and a pause of 2: hold, one every 34 + 20 cycles; with overlap, 34 of which 20 count
 * from the start; open, every 54. The network never delays a single sender. */
Test(cli_sim_async, intervals_by_hand)
{
    static const struct {
        const char *words;
        double apart;
    } cases[] = {{"20", 54},
                 {"0", 34},
                 {"50 --interval-from start", 50},
                 {"20 --interval-from start", 34},
                 {"54 --sources open", 54},
                 {"20 --link-rest 0", 52},
                 {"20 --length 64", 88},
                 {"20 --length 64 --max-packet 64 --bytes 256", 86}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cJSON *tree = program_json(SMALL " --cycles 100000 --warmup 1000 --interval %s --traffic "
                                         "node:0 --group mask=3,value=1 --group load=0 --json",
                                   cases[c].words);
        const cJSON *group = cJSON_GetArrayItem(json_at(tree, "result.groups"), 0);
        double messages =
            json_number(group, "delivered_bytes") / (strstr(cases[c].words, "64") ? 64 : 32);
        cr_expect(fabs(messages - 100000 / cases[c].apart) <= 2, "%s: %g messages, not %g",
                  cases[c].words, messages, 100000 / cases[c].apart);
        cr_expect_eq(json_number(cJSON_GetArrayItem(json_at(tree, "result.groups"), 1), "created"),
                     0);
        cJSON_Delete(tree);
    }
}

/* ---- traces and starts ---- */

/* A lone packet takes five cycles per switch; the second packet of a message is created when the
 * link has paused after the first. */
Test(cli_sim_async, a_trace_by_hand)
{
    write_file("t", "# cycle source destination bytes\n10 0 3 7\n\n200, 0 3 64  # in two\n");
    cJSON *tree = program_json(RING " --traffic trace:t --starts s.csv --json");

    cr_assert_eq(json_number(tree, "result.delivered"), 3);
    cr_assert_eq(json_number(tree, "result.delivered_bytes"), 71);
    cr_assert_eq(json_number(tree, "result.latency_cycles.mean"), 20);
    cr_assert_eq(json_number(tree, "result.latency_cycles.max"), 20);
    cr_assert_eq(json_number(tree, "result.switch_hops.mean"), 4);
    cr_assert_eq(json_number(tree, "model.trace_messages"), 2);
    cr_assert_eq(json_number(tree, "run.warmup_cycles"), 0);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "trace end");
    char *starts = file_text("s.csv");
    cr_assert_str_eq(starts, "cycle,switch,input,output,from,to,birth,bytes\n"
                             "10,,,,0,3,10,7\n15,0,2,0,0,3,10,7\n20,1,0,0,0,3,10,7\n"
                             "25,2,0,0,0,3,10,7\n30,3,0,2,0,3,10,7\n"
                             "200,,,,0,3,200,32\n205,0,2,0,0,3,200,32\n210,1,0,0,0,3,200,32\n"
                             "215,2,0,0,0,3,200,32\n220,3,0,2,0,3,200,32\n"
                             "234,,,,0,3,234,32\n239,0,2,0,0,3,234,32\n244,1,0,0,0,3,234,32\n"
                             "249,2,0,0,0,3,234,32\n254,3,0,2,0,3,234,32\n");
    free(starts);
    cJSON_Delete(tree);
    tree = program_json(RING " --traffic trace:t --hop-delay 7 --link-rest 0 --json");
    cr_assert_eq(json_number(tree, "result.latency_cycles.mean"), 28);
    cJSON_Delete(tree);
    /* groups only measure nodes separately */
    tree = program_json(RING " --traffic trace:t --group mask=7,value=1 --group value=0 --json");
    const cJSON *groups = json_at(tree, "result.groups");
    cr_assert_eq(json_number(cJSON_GetArrayItem(groups, 0), "created"), 0);
    cr_assert_eq(json_number(cJSON_GetArrayItem(groups, 1), "created"), 3);
    cJSON_Delete(tree);
}

/* The answer leaves one cycle after the last byte has arrived, which is 7 cycles after the
 * beginning of the last transmission; the same in flits. */
Test(cli_sim_async, messages_of_a_trace_wait_for_others)
{
    write_file("w", "10 0 3 7\n10, 3 0 5  1 1, # the answer\n\n300 0 1 4 2 9,1 400\n");
    cJSON *tree = program_json(RING " --traffic trace:w --starts s.csv --json");

    cr_assert_eq(json_number(tree, "model.trace_dependencies"), 3);
    cr_assert_eq(json_number(tree, "result.delivered"), 3);
    cJSON_Delete(tree);
    char *starts = file_text("s.csv");
    cr_assert_str_eq(starts, "cycle,switch,input,output,from,to,birth,bytes\n"
                             "10,,,,0,3,10,7\n15,0,2,0,0,3,10,7\n20,1,0,0,0,3,10,7\n"
                             "25,2,0,0,0,3,10,7\n30,3,0,2,0,3,10,7\n"
                             "38,,,,3,0,38,5\n43,3,2,1,3,0,38,5\n48,2,1,1,3,0,38,5\n"
                             "53,1,1,1,3,0,38,5\n58,0,1,2,3,0,38,5\n"
                             "437,,,,0,1,437,4\n442,0,2,0,0,1,437,4\n447,1,0,2,0,1,437,4\n");
    free(starts);
}

/* Fewest cycles are those of links that carry a flit each cycle, and not told of slower ones. */
Test(cli_sim_async, a_collective_operation_over_slow_links_has_no_bound)
{
    cJSON *tree = program_json("sim --topology graph:%s/examples/leaf-spine-25g-100g.txt "
                               "--architecture wormhole --lanes 8 --traffic all-to-all:64 --json",
                               getenv("SWITCHQ_SOURCE"));

    cr_expect(json_at(tree, "result.completion_cycles"));
    cr_expect(!cJSON_GetObjectItem(json_at(tree, "result"), "completion_bound_cycles"));
    cJSON_Delete(tree);
}

/* A ring of 8 nodes, all of which send to the next one: each message has a link of its own, and
 * takes 5 cycles for each of 2 switches beyond its bytes. */
Test(cli_sim_async, a_collective_operation)
{
    cJSON *tree =
        program_json("sim --topology torus --dims 8 --buffer damq --bytes 256 --link-rest 0 "
                     "--traffic ring-all-reduce:64 --json");
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(tree, "result");
    const cJSON *ends = cJSON_GetObjectItemCaseSensitive(result, "phase_ends");

    cr_assert_eq(json_number(tree, "result.completion_cycles"), 14 * (8 + 10 + 1) - 1);
    cr_assert_eq(json_number(tree, "result.completion_bound_cycles"), 14 * (8 + 1) - 1);
    cr_assert_eq(cJSON_GetArraySize(ends), 14);
    for (int k = 0; k < 14; k++)
        cr_assert_eq(json_number(cJSON_GetArrayItem(ends, k), "end_cycle"), (k + 1) * 19 - 1);
    cr_assert_str_eq(json_string(tree, "model.collective"), "ring-all-reduce");
    cr_assert_eq(json_number(tree, "model.collective_bytes"), 64);
    cJSON_Delete(tree);
    tree = program_json("sim --topology torus --dims 8 --buffer damq --bytes 256 --link-rest 0 "
                        "--traffic ring-all-reduce:64 --cycles 100 --json");
    result = cJSON_GetObjectItemCaseSensitive(tree, "result");
    cr_assert(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(result, "completion_cycles")));
    cJSON_Delete(tree);
}

Test(cli_sim_async, a_collective_operation_is_refused_by_name)
{
    static const char *const cases[][3] = {
        {"sim --traffic ring-all-reduce:64 --buffer damq --slots 4", "ring-all-reduce:64",
         "asynchronous"},
        {RING " --traffic ring-all-reduce", "ring-all-reduce:BYTES", "needs bytes"},
        {RING " --traffic ring-all-reduce:3", "ring-all-reduce of 8 nodes", "at least 8 bytes"},
        {RING " --traffic all-to-all:9 --load 0.5", "--load", "trace"},
        {RING " --traffic tree-all-reduce:9 --find-saturation", "--find-saturation", "trace"},
        {RING " --group traffic=tree-all-reduce:9", "--group 1", "--traffic"},
        {"bound --topology mesh --dims 4 --traffic all-to-all:9", "--traffic", "all-to-all:9"},
        {"sim --engine async --ports 2 --stages 2 --management recn-iq --traffic all-to-all:96",
         "dependencies of messages", "interfaces"},
        {"sim --engine async --ports 2 --stages 2 --buffer damq --bytes 256 --flit 4 --traffic "
         "tree-all-reduce:6",
         "--flit 4", "not 6"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s", cases[k][0]);
        expect_refusal(&run, 2, cases[k][1], cases[k][2]);
        program_free(&run);
    }
}

/* Interfaces do not know messages, so a message that waits for another would wait for ever. */
Test(cli_sim_async, messages_that_wait_and_interfaces)
{
    static const char *const rows[] = {"recn-iq", "recn", "fbicm", "voqnet --interface-packets 4"};

    write_file("w", "0 0 1 32\n0 1 0 32 1 4\n");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        program_run run = program("sim --engine async --ports 2 --stages 2 --traffic trace:w "
                                  "--cycles 1000 --management %s",
                                  rows[k]);
        expect_refusal(&run, 2, "dependencies of messages", "interfaces");
        program_free(&run);
    }
}

/* An input of enhanced RECN, and of FBICM, has a detection queue for each output; the others have
 * one queue beside those set aside. */
Test(cli_sim_async, slots_of_an_input_as_document_000_counts_them)
{
    static const struct {
        const char *options;
        double slots;
    } cases[] = {
        {"recn-iq", 5 + 4 * 10},
        {"recn-iq --detect 2 --saqs 4 --xoff 2 --xon 1", 2 + 4 * 2},
        {"recn", 16 + 8 * 10},
        {"recn-enhanced", 8 * 16 + 8 * 10},
        {"recn-enhanced --detect 2 --saqs 4 --xoff 2 --xon 1", 8 * 2 + 4 * 2},
        {"fbicm", 8 * 16 + 8 * 10},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *tree = program_json("sim --engine async --topology tree --arity 4 --levels 2 "
                                   "--load 0.5 --cycles 500 --management %s --json",
                                   cases[k].options);
        cr_expect_eq(json_number(tree, "result.slots_by_formula"), cases[k].slots, "%s",
                     cases[k].options);
        cJSON_Delete(tree);
    }
}

Test(cli_sim_async, a_bad_line_of_a_trace_is_named)
{
    static const struct {
        const char *text, *line, *says;
    } cases[] = {
        {"0 0 1 32\n1 0\n", "'bad', line 2", "destination"},
        {"# none\n\n0 0 1 32\n7\n", "line 4", "source"},
        {"0 0 1\n", "line 1", "bytes"},
        {"0 0 1 32 0\n", "line 1", "message that it waits for"},
        {"0 0 1 32\n0 1 0 32 1\n", "line 2", "delay"},
        {"0 0 1 32\n0 1 0 32 1 0\n", "line 2", "delay"},
        {"0 0 1 32 3 1\n\n0 1 0 32 1 1\n", "line 1", "message 3, and there are 2"},
        {"0 0 1 32 2 1\n0 1 0 32 1 1\n", "2 messages of the trace", "1, 2"},
        {"0 0 1 32 1 1\n", "message 1", "waits for itself"},
        {"0 0 1 32\n0 x 1 32\n", "line 2", "x"},
        {"0 0 1.5 32\n", "line 1", "1.5"},
        {"0 -1 1 32\n", "line 1", "-1"},
        {"0 8 1 32\n", "line 1", "source"},
        {"0 0 8 32\n", "line 1", "destination"},
        {"0 0 1 0\n", "line 1", "bytes"},
        {"0 0 1 16777217\n", "line 1", "bytes"},
        {"4000000001 0 1 32\n", "line 1", "cycle"},
        {"5 0 1 32\n4 0 1 32\n", "line 2", "cycle 4 is earlier"},
        {"0 3 3 32\n", "line 1", "node 3 cannot send to itself"},
        {"", "'bad'", "no messages"},
        {"# nothing but this\n", "'bad'", "no messages"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_file("bad", cases[c].text);
        program_run run = program(RING " --traffic trace:bad");
        expect_refusal(&run, 2, cases[c].line, cases[c].says);
        program_free(&run);
    }
}

/* Every start except the senders' is from a switch; starts are in order of cycles and from the
 * first replication only; destinations are as requested. */
Test(cli_sim_async, starts_show_where_messages_go)
{
    static const struct {
        const char *traffic;
        unsigned mask, value;
    } cases[] = {{"node:2", 3, 2}, {"subset:1:1", 1, 1}, {"0.5*node:3+0.5*subset:3:1", 1, 1}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run =
            program_succeeds(SMALL " --load 0.5 --cycles 300 --warmup 0 --replications %d "
                                   "--traffic '%s' --starts s",
                             (int)c + 1, cases[c].traffic);
        char *text = file_text("s");
        double cycle = 0;
        int lines = 0;
        for (const char *at = next_line(text); *at; at = next_line(at), lines++) {
            cr_assert_geq(field(at, 0), cycle);
            cycle = field(at, 0);
            cr_assert_eq((unsigned)field(at, 5) & cases[c].mask, cases[c].value, "%s",
                         cases[c].traffic);
            cr_assert(field(at, 6) <= cycle && field(at, 7) == 32);
        }
        cr_assert(lines > 20 && cycle < 300, "%d lines to %g", lines, cycle);
        free(text);
        program_free(&run);
    }
    char *names = folder_names();
    cr_assert_str_eq(names, "s ", "and nothing else: %s", names);
    free(names);
}

Test(cli_sim_async, a_file_of_starts_is_whole_or_not_there)
{
    program_run run = program(SMALL " --load 0.5 --cycles 100 --starts s --mem 1K");

    expect_refusal(&run, 3, "limit", NULL);
    program_free(&run);
    run = program(SMALL " --load 0.5 --cycles 100 --starts /dev/null/s");
    expect_refusal(&run, 2, "/dev/null/s", "Not a directory");
    program_free(&run);
    char *names = folder_names();
    cr_assert_str_empty(names);
    free(names);
}

/* ---- events of set-aside queues ---- */

static int lines_with(const char *text, const char *event)
{
    int lines = 0;

    for (const char *at = text; (at = strstr(at, event)) != NULL; at++)
        lines++;
    return lines;
}

/* The file has as many events as the result counts, in the order of their cycles. */
Test(cli_sim_async, a_log_of_set_aside_queues)
{
    cJSON *tree =
        program_json("sim --topology tree --arity 4 --levels 2 --management recn-iq --load 0.95 "
                     "--sources open --cycles 4000 --warmup 0 --saq-log q.csv --json");
    char *text = file_text("q.csv");
    double cycle = 0;

    cr_assert(strncmp(text, "cycle,event,switch,port,number,path\n", 36) == 0, "%.60s", text);
    for (const char *at = next_line(text); *at; at = next_line(at)) {
        cr_assert_geq(field(at, 0), cycle);
        cycle = field(at, 0);
    }
    cr_expect_gt(json_number(tree, "result.congestion_detections"), 10);
    cr_expect_eq(lines_with(text, ",detected,"), json_number(tree, "result.congestion_detections"));
    cr_expect_eq(lines_with(text, ",xoff,"), json_number(tree, "result.xoffs"));
    free(text);
    cJSON_Delete(tree);
    program_run run = program(SMALL " --load 0.5 --cycles 100 --saq-log q");
    expect_refusal(&run, 2, "--saq-log", "not for none");
    program_free(&run);
    run = program("sim --topology tree --arity 4 --levels 2 --management recn --load 0.5 --saq-log "
                  "q --starts s");
    expect_refusal(&run, 2, "--saq-log", "--starts");
    program_free(&run);
}

/* ---- groups ---- */

/* Node 3 sends everything to node 0, as fast as it can, 32 bytes every 34 cycles; no other node
 * sends to that half of the network, so nothing is in its way. */
Test(cli_sim_async, groups_send_what_they_are_told)
{
    cJSON *tree = program_json(
        SMALL
        " --bytes 512 --cycles 40000 --length 32 --group mask=3,value=3,load=1,traffic=node:0 "
        "--group 'mask=1,value=1,load=0.1,traffic=0.25*node:2@8+0.75*node:3@16' "
        "--group load=0.05,traffic=node:3,length=6-8,sources=open --json");
    const cJSON *groups = json_at(tree, "result.groups"), *model = json_at(tree, "model.groups");
    double through[3];

    cr_assert_eq(cJSON_GetArraySize(groups), 3);
    cr_assert_eq(cJSON_GetArraySize(model), 3);
    for (int g = 0; g < 3; g++)
        through[g] = json_number(cJSON_GetArrayItem(groups, g), "throughput.mean");
    cr_assert(fabs(through[0] - 32.0 / 34) < 1e-3, "%g", through[0]);
    cr_assert(fabs(through[1] - 0.1) < 0.005, "%g", through[1]);
    cr_assert(fabs(through[2] - 0.05) < 0.005, "%g", through[2]);
    const cJSON *mixed = cJSON_GetArrayItem(groups, 1);
    double length = json_number(mixed, "delivered_bytes") / json_number(mixed, "delivered");
    cr_assert(fabs(length - 14) < 0.5, "%g bytes a packet", length);
    cr_assert_str_eq(json_string(cJSON_GetArrayItem(model, 1), "traffic"),
                     "0.25*node:2@8+0.75*node:3@16");
    cr_assert_str_eq(json_string(cJSON_GetArrayItem(model, 2), "sources"), "open");
    cr_assert_eq(json_number(cJSON_GetArrayItem(model, 0), "mask"), 3);
    cr_assert_eq(json_number(cJSON_GetArrayItem(model, 0), "load"), 1);
    cJSON_Delete(tree);
}

/* ---- deadlocks ---- */

#define STUCK "sim --topology torus --dims 8 --one-way --buffer fifo --bytes 64 --load 1"

Test(cli_sim_async, a_deadlock_is_exit_1_and_told)
{
    program_run run = program(STUCK " --json"), text = program(STUCK);
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);

    cr_assert_eq(run.status, 1);
    cr_assert(strstr(run.err, "switchq: deadlock: only "), "%s", run.err);
    cr_assert(strstr(text.err, "switchq: deadlock: only "), "%s", text.err);
    cr_assert(tree, "%s", run.out);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "deadlock");
    const cJSON *list = json_at(tree, "result.deadlock");
    int count = cJSON_GetArraySize(list);
    cr_assert_eq(count, 8, "the ring, once");
    for (int k = 0; k < count; k++) { /* each waits for the next, and the last one for the first */
        const cJSON *at = cJSON_GetArrayItem(list, k), *next;
        next = cJSON_GetArrayItem(list, (k + 1) % count);
        cr_assert_eq(json_number(at, "next_switch"), json_number(next, "switch"));
        cr_assert_eq(json_number(at, "next_input"), json_number(next, "input"));
        cr_assert_str_eq(json_string(at, "from"), "dimension 1");
    }
    cJSON_Delete(tree);
    cr_assert_eq(text.status, 1);
    cr_assert(says(&text, "  deadlocked after "), "%s", text.out);
    cr_assert(says(&text, "DEADLOCK: packets that can never move, because 8 buffers wait"));
    cr_assert(says(&text, "node 7 (7), input dimension 1: a packet for dimension 1"), "%s",
              text.out);
    program_free(&run);
    program_free(&text);
    /* a long cycle is shortened in the middle; with a threshold there is none */
    text = program("sim --topology torus --dims 40 --one-way --buffer fifo --bytes 64 --load 1");
    cr_assert_eq(text.status, 1);
    cr_assert(says(&text, "because 40 buffers") && says(&text, "... 32 more\n"), "%s", text.out);
    int shown = 0;
    for (const char *at = text.out; (at = strstr(at, " waits for ")); at++)
        shown++;
    cr_assert_eq(shown, 8, "%s", text.out);
    program_free(&text);
    text = program_succeeds("sim --topology torus --dims 8 --one-way --buffer damq --bytes 256 "
                            "--threshold 24 --load 1 --cycles 20000");
    program_free(&text);
}

/* ---- saturation ---- */

Test(cli_sim_async, saturation_is_found)
{
    const char *line = "sim --topology torus --dims 8 --buffer damq --bytes 256 --threshold 24 "
                       "--cycles 20000 --find-saturation --resolution 0.05";
    cJSON *tree = program_json("%s --json", line);
    program_run csv = program_succeeds("%s --csv", line), text = program_succeeds("%s", line);
    double load = json_number(tree, "saturation.load"), step;

    cr_assert(json_number(tree, "saturation.throughput.mean") >=
              json_number(tree, "saturation.at_full_load.mean"));
    cr_assert_eq(json_number(tree, "saturation.at_full_load.mean"),
                 json_number(tree, "result.throughput.mean"));
    step = load - json_number(tree, "saturation.tried_below");
    cr_assert(step > 0 && step <= 0.05, "%g", step);
    cr_assert(json_number(tree, "saturation.tried_above") <= 1);
    cr_assert(cJSON_IsNull(json_at(tree, "saturation.deadlock_load")));
    cr_assert_geq(json_number(tree, "saturation.runs"), 10);
    cr_assert_eq(json_number(tree, "model.load"), 1);
    const double least = json_number(tree, "saturation.bracket_least"),
                 most = json_number(tree, "saturation.bracket_most");
    cr_assert(least > 0.1 && least < most, "%g to %g", least, most);
    cr_assert(json_number(tree, "saturation.worst_sender_least") <= least &&
              json_number(tree, "saturation.worst_sender_most") <= most);
    cr_assert_eq(json_number(tree, "saturation.bracket_confidence"), 0.95);
    /* the links: 8 / 8 of a ring's packets, of which a node keeps none, and 2 cycles behind each 32
     * bytes */
    const double ceiling = json_number(tree, "saturation.ceiling");
    cr_assert_float_eq(ceiling, 7.0 / 8 * 32 / 34, 1e-9);
    cr_assert_eq(json_number(tree, "saturation.ceiling_load"), ceiling);
    cr_assert(json_number(tree, "saturation.throughput.mean") <= ceiling && least <= ceiling);
    cr_assert_str_eq(json_string(tree, "saturation.ceiling_from"), "(0)");
    cr_assert(cJSON_IsNull(json_at(tree, "saturation.no_ceiling")));
    assert_relative(number_behind(text.out, "ceiling of the links "), ceiling, 1e-4, "%s",
                    text.out);
    expect_cell(csv.out, 1, "saturation_ceiling", tree, "saturation.ceiling");
    cr_assert(says(&text, "  worst sender           served in full up to a load "), "%s", text.out);
    cr_assert(says(&text, "a bracket of 0.05 would need runs about ") == (most - least > 0.05),
              "%s", text.out);
    expect_cell(csv.out, 1, "saturation_throughput", tree, "saturation.throughput.mean");
    expect_cell(csv.out, 1, "saturation_load", tree, "saturation.load");
    assert_relative(number_behind(text.out, "highest throughput "),
                    json_number(tree, "saturation.throughput.mean"), 1e-4, "%s", text.out);
    cJSON_Delete(tree);
    program_free(&csv);
    program_free(&text);
    /* where high loads end in deadlocks, that is also an answer, and a failure */
    program_run stuck = program("sim --topology torus --dims 8 --one-way --buffer fifo --bytes 64 "
                                "--find-saturation --cycles 3000 --resolution 0.2");
    cr_assert_eq(stuck.status, 1);
    cr_assert(strstr(stuck.err, "switchq: deadlock at a load of "), "%s", stuck.err);
    cr_assert(says(&stuck, "DEADLOCKS at a load of "), "%s", stuck.out);
    program_free(&stuck);
}

/* There is time only for the run at full load; then not even for that. */
Test(cli_sim_async, an_interrupted_search_says_so)
{
    static const char *const stop = "timeout --foreground --preserve-status -k 9 -s INT";
    char line[300];

    for (int k = 0; k < 3; k++) {
        static const char *const form[] = {"", "--csv", "--json"};
        snprintf(line, sizeof line,
                 "%s 1 \"$SWITCHQ\" " SMALL " --find-saturation --cycles 400000000 %s", stop,
                 form[k]);
        program_run run = program_shell("%s", line);
        cr_assert_eq(run.status, 1, "status %d: %s", run.status, run.err);
        if (k == 0) {
            cr_assert(says(&run, "INTERRUPTED: the search") && says(&run, "nothing was found"),
                      "%s", run.out);
            cr_assert(!says(&run, "  highest throughput  ") && !says(&run, "no less"), "%s",
                      run.out);
        } else if (k == 1) {
            char *why = csv_cell(run.out, 1, "saturation_stopped_by"),
                 *load = csv_cell(run.out, 1, "saturation_load");
            cr_assert_str_eq(why, "interrupted");
            cr_assert_str_empty(load);
            free(why);
            free(load);
            cr_assert(strstr(run.err, "interrupted: the search"), "%s", run.err);
        } else {
            cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
            cr_assert(tree, "%s", run.out);
            cr_assert_str_eq(json_string(tree, "saturation.stopped_by"), "interrupted");
            cr_assert_str_eq(json_string(tree, "run.stopped_by"), "interrupted");
            cr_assert_eq(json_number(tree, "saturation.runs"), 0);
            cr_assert(cJSON_IsNull(json_at(tree, "saturation.load")));
            cJSON_Delete(tree);
        }
        program_free(&run);
    }
    /* the search, which takes many runs, has found something by then */
    program_run run = program_shell("%s 2 \"$SWITCHQ\" sim --engine async --buffer damq "
                                    "--find-saturation --cycles 200000 --resolution 1e-4",
                                    stop);
    cr_assert_eq(run.status, 1, "status %d: %s", run.status, run.err);
    cr_assert(says(&run, "INTERRUPTED: the search"), "%s", run.out);
    cr_assert(says(&run, "  highest found so far ") || says(&run, "nothing was found"), "%s",
              run.out);
    program_free(&run);
}

/* All nodes send to one: 1/64 of what its link carries; beyond some load more load changes
 * nothing. */
Test(cli_sim_async, where_throughput_is_flat_the_least_load_is_told)
{
    cJSON *tree = program_json("sim --engine async --buffer damq --traffic node:0 --cycles 100000 "
                               "--find-saturation --json");
    double load = json_number(tree, "saturation.load");

    assert_relative(json_number(tree, "saturation.throughput.mean"), 32.0 / 34 / 64, 0.01, "%s",
                    "one link");
    cr_assert(load >= 32.0 / 34 / 64 && load < 0.03, "%g", load);
    cr_assert(json_number(tree, "saturation.tried_below") < 32.0 / 34 / 64);
    cr_assert_str_eq(json_string(tree, "saturation.stopped_by"), "resolution");
    cJSON_Delete(tree);
    /* where nothing is in the way the network carries almost full load, and nothing is above 1 */
    program_run run = program_succeeds("sim --topology torus --dims 2 --buffer damq --bytes 256 "
                                       "--find-saturation --cycles 3000 --warmup 500");
    cr_assert(!says(&run, " and 1;") || !says(&run, "at a load of 1 "), "%s", run.out);
    program_free(&run);
}

/* ---- what was not measured ---- */

Test(cli_sim_async, a_deadlock_in_the_warm_up)
{
    const char *line = STUCK " --warmup 100000 --replications 3";
    program_run text = program("%s", line), csv = program("%s --csv", line),
                json = program("%s --json", line);
    cJSON *tree = cJSON_ParseWithOpts(json.out, NULL, true);

    cr_assert(text.status == 1 && csv.status == 1 && json.status == 1);
    cr_assert(says(&text, "deadlocked after ") && says(&text, "because 8 buffers"), "%s", text.out);
    cr_assert(!says(&text, "nan") && !says(&text, "throughput"), "%s", text.out);
    cr_assert(strstr(csv.err, "deadlock, ") && strstr(csv.err, "into the warm-up"), "%s", csv.err);
    cr_assert_str_eq(json.err, csv.err);
    cr_assert_str_eq(text.err, csv.err);
    cr_assert(tree, "%s", json.out);
    cr_assert_eq(json_number(tree, "run.replications"), 3);
    cr_assert(cJSON_IsNull(json_at(tree, "result.throughput.mean")));
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "result.deadlock")), 8);
    cJSON_Delete(tree);
    program_free(&text);
    program_free(&csv);
    program_free(&json);
}

Test(cli_sim_async, csv_warns_on_stderr)
{
    program_run run = program(SMALL " --load 0.97 --cycles 40 --csv");

    cr_assert(strstr(run.err, "correlated") || strstr(run.err, "not stationary"), "%s", run.err);
    program_free(&run);
}

/* ---- what text says ---- */

Test(cli_sim_async, words_of_a_result)
{
    static const struct {
        const char *arguments, *says[3], *not ;
    } cases[] = {
        {"--topology mesh --dims 4x4 --load 0.1", {"  use of links           0."}, "bisection"},
        {"--topology hypercube --dims 3 --load 0.1", {"  use of links           0."}, "bisection"},
        {"--topology torus --dims 4x4 --load 0.1", {"  bisection  "}, "mean use"},
        {"--engine async --load 0.94", {"load 0.94,"}, "more than"},
        {"--engine async --load 0.95",
         {"\nload 0.95 is more than a link carries: senders send as fast as they can\n"},
         "pile up"},
        {"--engine async --load 0.95 --sources open --bytes 256",
         {"\nload 0.95 is more than a link carries: messages pile up at the senders\n"},
         "as fast"},
        {"--engine async --load 1 --link-rest 0", {"load 1,"}, "more than"},
        {"--topology torus --dims 4x4 --load 0.1 --group mask=1,traffic=node:0 --group mask=3,"
         "value=1",
         {"group 0 (nodes & 0x1 = 0x0; 8 nodes, of which 1 sends nothing, as all would be to "
          "themselves)",
          "group 1 (nodes & 0x3 = 0x1; 4 nodes): ", "  4 nodes are in no group, and silent\n"},
         "throughputs"},
        {"--topology hypercube --dims 4 --load 0.1 --group traffic=bit-reversal",
         {"16 nodes, of which 4 send nothing,"},
         "in no group"},
        {"--engine async --load 0.1 --group mask=1,traffic=node:0",
         {"0x0; 32 nodes): "},
         "themselves"},
        {"--engine async --load 0.1", {"max "}, "~"},
        {"--engine async --load 1 --traffic node:0", {"max ~", "to within 1.6%"}, "50% -"},
        {"--topology torus --dims 4 --traffic trace:t",
         {"  throughput             0.", "intervals: none of one run whose traffic changes"},
         "+-"},
    };

    write_file("t", "0 0 1 9\n5 1 2 8\n");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run =
            program_succeeds("sim --buffer damq --cycles 30000 %s", cases[c].arguments);
        for (int k = 0; k < 3 && cases[c].says[k]; k++)
            cr_expect(says(&run, cases[c].says[k]), "no '%s' in:\n%s", cases[c].says[k], run.out);
        cr_expect(!says(&run, cases[c].not ), "'%s' in:\n%s", cases[c].not, run.out);
        program_free(&run);
    }
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

Test(cli_sim_async, a_network_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--topology toruss", "topology 'toruss'", "'torus'"},
        {"--topology torus", "--dims", "required"},
        {"--topology hypercube", "--dims", "--dims 6"},
        {"--topology torus --dims ''", "--dims", "''"},
        {"--topology torus --dims 4x", "--dims", "'4x'"},
        {"--topology torus --dims x4", "--dims", "'x4'"},
        {"--topology torus --dims 4x-4", "--dims", "'4x-4'"},
        {"--topology torus --dims 4*4", "--dims", "'4*4'"},
        {"--topology torus --dims 4x1", "--dims: extent 2", "not 1"},
        {"--topology torus --dims 9999999", "--dims", "'9999999'"},
        {"--topology torus --dims 5000x5000", "--dims: nodes", "at most 16777216"},
        {"--topology torus --dims 2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "--dims", "1 to 15"},
        {"--topology hypercube --dims 2x2", "--dims", "'2x2'"},
        {"--topology hypercube --dims 16", "--dims", "'16'"},
        {"--topology torus --dims 4 --stages 3", "--stages", "torus"},
        {"--topology mesh --dims 4 --ports 3", "--ports", "mesh"},
        {"--dims 4x4", "--dims", "omega"},
        {"--topology mesh --dims 4 --one-way", "--one-way", "mesh"},
        {"--one-way", "--one-way", "omega"},
        {"--topology hypercube --dims 4 --chained", "--chained", "hypercube"},
        {"--topology torus --dims 4 --chained --one-way", "--one-way", "--chained"},
        {"--stages 14 --ports 4", "--stages: nodes", "at most 16777216"},
        {"--topology switch --stages 2", "--stages must be 1", "not 2"},
        {"--stages 0", "--stages", "'0'"},
        {"--ports 1", "--ports", "'1'"},
        {"--buffer cbda", "--buffer", "cbda"},
        {"--bytes 0", "--bytes", "'0'"},
        {"--bytes 16", "--bytes must be at least 32", "not 2 blocks"},
        {"--bytes 128x", "--bytes", "'128x'"},
        {"--bytes 128 --slots 4", "--bytes", "--slots"},
        {"--slots 0", "--slots", "'0'"},
        {"--block 0", "--block", "'0'"},
        {"--max-packet 0", "--max-packet", "'0'"},
        {"--max-packet 16385", "--max-packet", "'16385'"},
        {"--flow maximum-usag --threshold 4", "--flow 'maximum-usag'", "maximum-usage"},
        {"--flow maximum-usage", "--threshold", "blocks"},
        {"--flow block --threshold 4", "--threshold", "block"},
        {"--threshold -1", "--threshold", "'-1'"},
        {"--threshold x", "--threshold", "'x'"},
        {"--release edn", "--release 'edn'", "'end'"},
        {"--release 0", "--release", "'0'"},
        {"--arbiter rotatign", "--arbiter 'rotatign'", "'rotating'"},
        {"--ports 9 --stages 1 --arbiter maximum --bytes 512", "--arbiter maximum", "not 9"},
        {"--iterations 2", "--iterations", "rotating"},
        {"--arbiter islip --iterations 0", "--iterations", "'0'"},
        {"--hop-delay 0", "--hop-delay", "'0'"},
        {"--link-rest -1", "--link-rest", "'-1'"},
        {"--link-rest 5000", "--link-rest", "'5000'"},
    };
    static const bad_input missing[] = {
        {"--load 0.5", "--buffer", "required"},
        {"--load 0.5 --buffer dmaq", "--buffer 'dmaq'", "'damq'"},
        {"--load 0.5 --buffer samq --bytes 100", "--bytes must be at least 128", "not 12 blocks"},
        {"--buffer damq --load 0.5 --starts -", "--starts", "'-'"},
        {"--buffer damq", "--load", "required"},
        {"--architecture wormhole --topology hyperx --dims 256 --hosts 1 --routing adaptive "
         "--load 0.5",
         "routing adaptive", "at most 255 ports"},
        {"--ports 64 --stages 1 --architecture cioq --buffer damq --load 0.5 --speedup 65",
         "speedup must be 1 to 64, the ports of a switch", "not 65 bytes"},
        {"--ports 64 --stages 1 --architecture cioq --buffer damq --load 0.5 --speedup 257",
         "--speedup", "'257'"},
    };

    REFUSE(cases, "sim --engine async --buffer damq --load 0.5");
    REFUSE(missing, "sim --engine async");
}

/* Hot spots are part of a mixture, also for a group; and a single group may have bursts. */
Test(cli_sim_async, hot_spots_are_a_mixture)
{
    static const char *const same[][2] = {
        {"--load 0.3 --hot-spots 0.1:3,0.05:1",
         "--load 0.3 --traffic 0.85*uniform+0.1*node:3+0.05*node:1"},
        {"--load 0.3 --traffic bit-complement --hot-spots 0.25:2",
         "--load 0.3 --traffic 0.75*bit-complement+0.25*node:2"},
        {"--group load=0.3,traffic=node:1 --hot-spots 0.5:2",
         "--group load=0.3,traffic=0.5*node:1+0.5*node:2"},
        {"--load 0.3 --burst 3", "--group load=0.3,burst=3"},
    };

    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        cJSON *a = program_json("%s --cycles 3000 %s --json", SMALL, same[k][0]);
        cJSON *b = program_json("%s --cycles 3000 %s --json", SMALL, same[k][1]);
        cr_expect(cJSON_Compare(json_at(a, "result.latency_cycles"),
                                json_at(b, "result.latency_cycles"), true),
                  "%s", same[k][0]);
        cJSON_Delete(a);
        cJSON_Delete(b);
    }
}

Test(cli_sim_async, traffic_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--load 1.5", "--load", "'1.5'"},
        {"--load x", "--load", "'x'"},
        {"--load 0.5 --interval 5", "--load", "interval"},
        {"--interval x", "--interval", "'x'"},
        {"--interval 9-5", "--interval", "from 9 to 5"},
        {"--interval geometric:x", "--interval", "'x'"},
        {"--interval constant:3-5", "--interval", "'constant:3-5'"},
        {"--interval 0 --sources open", "--interval", "not 0"},
        {"--interval 5 --interval-from strat", "--interval-from 'strat'", "'start'"},
        {"--load 0.5 --interval-from start", "--interval-from", "--interval"},
        {"--interval 5 --sources open --interval-from start", "--interval-from", "--sources hold"},
        {"--load 0.5 --sources opne", "--sources 'opne'", "'open'"},
        {"--load 0.5 --length 0", "--length", "not 0"},
        {"--load 0.5 --length 8-6", "--length must be from one number to another that is no less",
         "from 8 to 6"},
        {"--load 0.5 --length -6", "--length", "'-6'"},
        {"--load 0.5 --length 6-", "--length", "'6-'"},
        {"--load 0.5 --length uniform:6", "--length", "'uniform:6'"},
        {"--load 0.5 --length geometric:0.5", "--length must be geometric",
         "1 to 16777216, not 0.5"},
        {"--load 0.5 --length geometric:x", "--length: the mean", "'x'"},
        {"--load 0.5 --length geometric:", "--length: the mean", "''"},
        {"--load 0.5 --length geometric:20000000", "--length", "1 to 16777216, not 20000000"},
        {"--load 0.5 --length 33554432", "--length", "to 16777216, not 33554432"},
        {"--load 0.5 --length 6-33554432", "--length", "not from 6 to 33554432"},
        {"--load 1e-12", "--load 1e-12: the interval", "to 4000000000, not 31999999999966"},
        {"--load 0.5 --burst 0.5", "--burst", "'0.5'"},
        {"--group load=0.5,burst=x", "--group 1: burst", "'x'"},
        {"--load 0.5 --hot-spots 0.5:4", "--hot-spots' node", "'4'"},
        {"--load 0.5 --hot-spots 0.6:1,0.5:2", "--hot-spots", "1.1"},
        {"--load 0.5 --hot-spots 0.1:0,0.1:1,0.1:2,0.1:3,0.1:0,0.1:1,0.1:2,0.1:3", "--traffic",
         "8 types"},
        {"--traffic trace:t --hot-spots 0.5:1", "--hot-spots", "trace"},
        {"--traffic trace:t --burst 3", "--burst", "trace"},
        {"--load 0.5 --length poisson:5", "--length", "'poisson:5'"},
        {"--load 0.5 --length 16777217", "--length", "16777216"},
        {"--load 0.5 --traffic tornad", "--traffic 'tornad'", "'tornado'"},
        {"--load 0.5 --traffic ''", "--traffic ''", "node:J"},
        {"--load 0.5 --traffic uniform:1", "--traffic: uniform", "takes no value"},
        {"--load 0.5 --traffic hotspot", "--traffic: hotspot", "needs a value"},
        {"--load 0.5 --traffic hotspot:1.5", "--traffic's fraction", "'1.5'"},
        {"--load 0.5 --traffic hotspot:0.5:4", "--traffic's node", "'4'"},
        {"--load 0.5 --traffic node", "--traffic: node", "needs a value"},
        {"--load 0.5 --traffic node:4", "--traffic's node", "'4'"},
        {"--load 0.5 --traffic subset:1", "--traffic: subset", "'1'"},
        {"--load 0.5 --traffic subset:x:1", "--traffic's mask", "'x'"},
        {"--load 0.5 --traffic subset:1:0x", "--traffic's value", "'0x'"},
        {"--load 0.5 --traffic subset:1:2", "--traffic", "& 0x1 that is 0x2"},
        {"--load 0.5 --traffic subset:8:8", "--traffic", "& 0x8 that is 0x8"},
        {"--load 0.5 --traffic multicast:2", "--traffic multicast", "not for input-queued"},
        {"--load 0.5 --traffic all:0:0 --architecture cioq", "--traffic multicast", "not for cioq"},
        {"--load 0.5 --traffic multicast", "--traffic: multicast", "needs a value"},
        {"--load 0.5 --traffic multicast:5", "--traffic's nodes of a set", "'5'"},
        {"--load 0.5 --traffic multicast:2:4097", "--traffic's sets", "'4097'"},
        {"--load 0.5 --traffic all:1", "--traffic: all", "'1'"},
        {"--load 0.5 --traffic all:1:2", "--traffic", "& 0x1 that is 0x2"},
        {"--load 0.5 --multicast-queue output", "--multicast-queue", "not for input-queued"},
        {"--load 0.5 --traffic uniform@", "--traffic's length", "''"},
        {"--load 0.5 --traffic uniform@0", "--traffic's length", "not 0"},
        {"--load 0.5 --traffic uniform+node:1", "--traffic", "'uniform'"},
        {"--load 0.5 --traffic 0.5*uniform+0.4*node:1", "--traffic", "not 0.9"},
        {"--load 0.5 --traffic '0.5*uniform+'", "--traffic", "''"},
        {"--load 0.5 --traffic '2*uniform'", "--traffic's probability", "'2'"},
        {"--load 0.5 --traffic '0.5*uniform'", "--traffic", "not 0.5"},
        {"--load 0.5 --traffic "
         "0.1*node:1+0.1*node:1+0.1*node:1+0.1*node:1+0.1*node:1+0.1*node:1+0.1*node:1+0.1*node:1+"
         "0.2*node:1",
         "--traffic", "8 types"},
        {"--traffic trace", "--traffic trace", "needs a value"},
        {"--traffic trace:nowhere", "'nowhere'", "No such file"},
        {"--traffic trace:t --load 0.5", "--load", "trace"},
        {"--traffic trace:t --interval 5", "--interval", "trace"},
        {"--traffic trace:t --length 5", "--length", "trace"},
        {"--traffic trace:t --sources open", "--sources", "trace"},
        {"--traffic trace:t --replications 2", "--replications", "trace"},
        {"--traffic trace:t --group load=1", "--group 1: load", "trace"},
        {"--traffic trace:t --find-saturation", "--find-saturation", "trace"},
        {"--interval 5 --find-saturation", "--find-saturation", "--interval"},
        {"--group load=1 --find-saturation", "--find-saturation", "--group"},
        {"--load 0.5 --find-saturation", "--find-saturation", "--load"},
        {"--find-saturation --starts s", "--starts", "--find-saturation"},
        {"--find-saturation --resolution 0", "--resolution", "'0'"},
        {"--load 0.5 --resolution 0.1", "--resolution", "--find-saturation"},
    };

    static const bad_input shuffle[] = {
        {"--traffic shuffle", "--traffic: shuffle", "power of two"}};

    write_file("t", "0 0 1 8\n");
    REFUSE(cases, SMALL);
    REFUSE(shuffle, "sim --engine async --buffer damq --load 0.5 --ports 3 --bytes 256");
}

Test(cli_sim_async, groups_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--group ''", "--group 1", "''"},
        {"--group load", "--group 1", "'load'"},
        {"--group load=1,", "--group 1", "''"},
        {"--group lode=1", "--group 1: key 'lode'", "load"},
        {"--group load=1,load=1", "--group 1: load", "twice"},
        {"--group load=x", "--group 1: load", "'x'"},
        {"--group load=1,interval=5", "--group 1: load", "interval"},
        {"--group mask=1", "--group 1", "load or interval"},
        {"--group load=1,mask=x", "--group 1: mask", "'x'"},
        {"--group load=1,mask=0x100000000", "--group 1: mask", "'0x100000000'"},
        {"--group load=1,mask=1,value=-1", "--group 1: value", "'-1'"},
        {"--group load=1,mask=1,value=3", "--group 1: value", "0x1"},
        {"--group load=1,mask=0xfc,value=0xfc", "--group 1", "0xfc"},
        {"--group load=1 --group load=1", "--group 2", "groups before"},
        {"--group load=1,mask=1 --group load=2", "--group 2: load", "'2'"},
        {"--group load=1,length=0", "--group 1: length", "not 0"},
        {"--group load=1,sources=x", "--group 1: sources 'x'", "hold"},
        {"--group interval=5,interval-from=x", "--group 1: interval-from 'x'", "rest"},
        {"--group priority=3", "--group 1: priority", "from 0 to 2, not '3'"},
        {"--group load=0.1,priority=1", "priority 1 of a group is for architecture atlas",
         "input-queued"},
        {"--group load=1,interval-from=start", "--group 1: interval-from", "interval"},
        {"--group interval=x", "--group 1: interval", "'x'"},
        {"--group load=1,traffic=node:9", "--group 1: traffic's node", "'9'"},
        {"--group load=1,traffic=tornad", "--group 1: traffic 'tornad'", "'tornado'"},
        {"--group load=1,traffic=trace:t", "--group 1", "trace"},
        /* a wrong option is blamed on itself */
        {"--group mask=1 --load 7", "--load", "'7'"},
    };

    REFUSE(cases, SMALL);
}

/* An option that every group overrides, or that no message takes, is refused: it could say
 * anything. One that a single group takes is read. */
Test(cli_sim_async, options_that_every_group_overrides)
{
    static const bad_input cases[] = {
        {"--load xyz --group load=0.9", "--load has no effect", "group 1 by load"},
        {"--load 0.1:0.9:0.2 --group mask=1,value=1,load=0.9", "--load has no effect",
         "group 1 by load"},
        {"--load 0.3 --group interval=70", "--load has no effect", "group 1 by interval"},
        {"--load 0.3 --group mask=1,interval=70 --group load=0.2", "--load has no effect",
         "group 1 by interval, group 2 by load"},
        {"--interval x --group load=0.9", "--interval has no effect", "group 1 by load"},
        {"--interval x --group interval=9", "--interval has no effect", "group 1 by interval"},
        {"--interval-from x --group load=0.9", "--interval-from has no effect", "group 1 by load"},
        {"--interval-from x --group interval=9,interval-from=rest", "--interval-from has no effect",
         "group 1 by interval-from"},
        {"--sources x --group load=0.9,sources=open", "--sources has no effect",
         "group 1 by sources"},
        {"--length x --group load=0.9,length=8", "--length has no effect", "group 1 by length"},
        {"--length 8 --group load=0.9,traffic=node:1@8", "--length has no effect",
         "group 1 by traffic"},
        {"--length 8 --traffic uniform@16 --group load=0.9", "--length has no effect",
         "group 1 by traffic"},
        {"--burst x --group load=0.9,burst=2", "--burst has no effect", "group 1 by burst"},
        {"--traffic x --group load=0.9,traffic=node:1", "--traffic has no effect",
         "group 1 by traffic"},
        {"--load 0.3 --length 8 --traffic 0.5*uniform@16+0.5*node:1@32", "--length has no effect",
         "each part"},
        {"--group load=0.3,length=8,traffic=uniform@16", "--group 1: length has no effect",
         "each part"},
        {"--load 0.3 --traffic transpose --hot-spots 0.5:0,0.5:1", "--traffic has no effect",
         "--hot-spots"},
        {"--hot-spots 1:0 --group load=0.3,traffic=node:1", "--group 1: traffic has no effect",
         "--hot-spots"},
        /* a group takes it */
        {"--load xyz --group mask=1,load=0.9 --group length=8", "--load", "'xyz'"},
        {"--length x --group mask=1,load=0.3,length=8 --group load=0.3", "--length", "'x'"},
        {"--load 0.3 --length 8 --traffic uniform@16 --hot-spots 0.5:2 --threshold x",
         "--threshold", "'x'"},
    };

    REFUSE(cases, SMALL);
}

/* ---- stopping ---- */

Test(cli_sim_async, ctrl_c_shows_what_there_is)
{
    program_run run = program_shell("timeout --foreground --preserve-status -k 9 -s INT 1 "
                                    "\"$SWITCHQ\" " SMALL " --load 0.5 --cycles 4000000000 --json");
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);

    cr_assert_eq(run.status, 1, "status %d: %s", run.status, run.err);
    cr_assert(tree, "%s", run.out);
    cr_assert_str_eq(json_string(tree, "run.stopped_by"), "interrupted");
    cr_assert(cJSON_IsTrue(json_at(tree, "invariants.conserved")));
    cJSON_Delete(tree);
    program_free(&run);
}

Test(cli_sim_async, too_little_memory_is_exit_3)
{
    program_run run = program("sim --topology torus --dims 100x100 --buffer damq --bytes 256 "
                              "--load 0.5 --mem 1M");
    expect_refusal(&run, 3, "would take", "limit is 1 MB");
    program_free(&run);
}

/* A benchmark equals its groups, to the bit. */
Test(cli_sim_async, a_benchmark_is_its_groups)
{
    static const char like[] =
        "sim --engine async --stages 3 --ports 4 --buffer damq --cycles 3000 "
        "--json";
    static const struct {
        const char *name, *groups;
    } cases[] = {
        {"I", "--group mask=0x3c,value=0x3c,load=1,traffic=node:0 --group mask=0xc,value=0xc "
              "--group value=0 --load 0.6"},
        {"II", "--group mask=0x20,value=0,load=1,traffic=0.03*node:0+0.97*uniform --group "
               "load=0.6"},
        {"III", "--group mask=0x33,value=0x33,load=1,traffic=subset:0x3c:0 --group "
                "mask=3,value=3 --group value=0 --load 0.6"},
        {"IV", "--group mask=0x3c,value=0x3c,load=1,length=1024 --group mask=0xc,value=0xc "
               "--group value=0 --load 0.6"},
        {"V", "--group mask=0x20,value=0,load=1,length=256 --group load=0.6"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *named = program_json("%s --benchmark %s --load 0.6", like, cases[k].name),
              *said = program_json("%s %s", like, cases[k].groups);
        cr_assert_eq(json_number(named, "result.throughput.mean"),
                     json_number(said, "result.throughput.mean"), "%s", cases[k].name);
        cr_assert_eq(json_number(named, "result.latency_cycles.mean"),
                     json_number(said, "result.latency_cycles.mean"), "%s", cases[k].name);
        const cJSON *groups = json_at(named, "result.groups");
        cr_assert_eq(cJSON_GetArraySize(groups),
                     cJSON_GetArraySize(json_at(said, "result.groups")));
        cr_assert_str_eq(json_string(cJSON_GetArrayItem(groups, 0), "name"), "G_NUT");
        cr_assert_str_eq(json_string(named, "model.benchmark"), cases[k].name);
        cr_assert_eq(json_number(named, "model.load"), 0.6);
        cr_assert_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(named, "result"), "hot_link_use") !=
                         NULL,
                     k < 3, "%s", cases[k].name);
        cJSON_Delete(named);
        cJSON_Delete(said);
    }
}

/* Packets are lost at interfaces alone, and not from sources that hold them: no bound is put on
 * what cannot be. */
Test(cli_sim_async, what_cannot_be_lost_has_no_bound)
{
#define RECN "sim --topology tree --arity 4 --levels 2 --load 0.9 --cycles 2000 --management recn "
    static const struct {
        const char *options;
        bool bounded;
    } tried[] = {{"", false},
                 {"--sources open", true},
                 {"--sources open --interface-packets unbounded", false}};

    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        program_run run = program(RECN "%s", tried[k].options);
        cr_expect_eq(strstr(run.out, "  discarded  ") != NULL, tried[k].bounded, "%s: %s",
                     tried[k].options, run.out);
        program_free(&run);
    }
}
