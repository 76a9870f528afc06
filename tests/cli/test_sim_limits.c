/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `switchq sim --engine async`: limits of queues on the command line and in what is printed, and
 * the threshold that a torus has by default.
 */
#include "tests/cli/program.h"

TestSuite(cli_sim_limits, .init = program_begin, .fini = program_end, .timeout = 240);

static bool says(const program_run *run, const char *part)
{
    return strstr(run->out, part) != NULL;
}

/* By default, the largest threshold that is safe, which the run prints; a given one is kept. */
Test(cli_sim_limits, a_torus_does_not_deadlock_by_default)
{
    static const struct {
        const char *arguments;
        int threshold; /* -1: none */
        bool by_default, may;
    } cases[] = {
        {"--topology torus --dims 5x5 --buffer damq", 11, true, false},
        {"--topology torus --dims 5x5 --buffer damq --length 6-32", 8, true, false},
        {"--topology torus --dims 5x5 --buffer dafc --bytes 256", 27, true, false},
        {"--topology torus --dims 5x5 --buffer damq --flow maximum-usage", 11, true, false},
        {"--topology torus --dims 5x5 --buffer damq --threshold 12", 12, false, true},
        {"--topology torus --dims 5x5 --buffer damq --threshold 3", 3, false, false},
        {"--topology torus --dims 5x5 --buffer damq --threshold none", -1, false, true},
        {"--topology torus --dims 5x5 --buffer damq --flow block", -1, false, true},
        {"--topology torus --dims 5x5 --buffer damq --bytes 56", -1, false, true},
        {"--topology torus --dims 5x5 --buffer fifo", -1, false, true},
        {"--topology torus --dims 5x5 --buffer samq --bytes 160", -1, false, false},
        {"--topology torus --dims 5x5 --buffer damq --bytes 256 --queue-min 4", -1, false, false},
        /* rings of four have no circle, and the threshold of all tori */
        {"--topology torus --dims 4x4 --buffer damq", 11, true, false},
        {"--topology torus --dims 4x4 --buffer damq --threshold none", -1, false, false},
        {"--topology torus --dims 4x4 --buffer fifo", -1, false, false},
        {"--topology dragonfly --hosts 1 --buffer damq --threshold none", -1, false, true},
        {"--topology mesh --dims 4x4 --buffer damq", -1, false, false},
        {"--topology hypercube --dims 4 --buffer damq", -1, false, false},
        {"--engine async --buffer damq", -1, false, false},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cJSON *tree = program_json("sim --load 0.05 --cycles 200 %s --json", cases[c].arguments);
        const cJSON *model = cJSON_GetObjectItem(tree, "model");
        const cJSON *threshold = cJSON_GetObjectItem(model, "threshold");
        cr_expect_eq(cJSON_IsNull(threshold) ? -1 : threshold->valueint, cases[c].threshold, "%s",
                     cases[c].arguments);
        cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(model, "threshold_by_default")),
                     cases[c].by_default, "%s", cases[c].arguments);
        cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(model, "may_deadlock")), cases[c].may, "%s",
                     cases[c].arguments);
        cJSON_Delete(tree);
        program_run text = program_succeeds("sim --load 0.05 --cycles 200 %s", cases[c].arguments);
        cr_expect_eq(
            says(&text, strstr(cases[c].arguments, "4x4")
                            ? "by default, as in every torus"
                            : "by default: the largest that keeps this torus from deadlock"),
            cases[c].by_default, "%s", cases[c].arguments);
        cr_expect_eq(says(&text, " may deadlock"), cases[c].may, "%s", cases[c].arguments);
        program_free(&text);
    }
}

/* It used to deadlock, and does if a limit is removed. */
Test(cli_sim_limits, a_torus_under_tornado)
{
    program_run run = program_succeeds("sim --topology torus --dims 8x8 --buffer damq --load 0.3 "
                                       "--traffic tornado --cycles 50000");

    cr_expect(says(&run, "stopped by: cycles"), "%s", run.out);
    program_free(&run);
    run = program("sim --topology torus --dims 8x8 --buffer damq --load 1 --threshold none");
    cr_expect_eq(run.status, 1);
    cr_expect(says(&run, "DEADLOCK"), "%s", run.out);
    program_free(&run);
}

Test(cli_sim_limits, pools_are_refused)
{
    program_run run = program("sim --engine async --buffer cbda --load 0.5");

    expect_refusal(&run, 2, "--buffer cbda", "no pools");
    program_free(&run);
}

/* Splitting knows how near a rule is to a refusal from the lengths of queues alone. */
Test(cli_sim_limits, rules_that_keep_more_than_lengths_have_no_rare_losses)
{
    static const char *const rules[] = {"edt", "tdt"};

    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        program_run run = program("sim --rare --topology switch --buffer cbda --ports 2 --slots 3 "
                                  "--load 0.7 --admission %s",
                                  rules[k]);
        expect_refusal(&run, 2, rules[k], "also keeps other values");
        program_free(&run);
    }
}

/* Limits of queues are shown in text and JSON, in blocks, and affect the simulation. */
Test(cli_sim_limits, limits_of_queues)
{
    static const struct {
        const char *arguments, *says;
        int least, most;
        double alpha;
    } cases[] = {
        {"", "32 bytes, flow block", 0, 16, 0},
        {"--queue-min 4", "queue min 4, ", 4, 16, 0},
        {"--queue-max 8", "queue max 8, ", 0, 8, 0},
        {"--alpha 0.5", "alpha 0.5, ", 0, 16, 0.5},
    };
    double throughput[4];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cJSON *tree = program_json("sim --engine async --buffer damq --load 0.9 --cycles 5000 %s "
                                   "--json",
                                   cases[c].arguments);
        cr_expect_eq(json_number(tree, "model.queue_min"), cases[c].least);
        cr_expect_eq(json_number(tree, "model.queue_max"), cases[c].most);
        cr_expect_eq(json_number(tree, "model.alpha"), cases[c].alpha);
        cr_expect_eq(json_number(tree, "model.capacity"), 16);
        throughput[c] = json_number(tree, "result.throughput.mean");
        for (size_t before = 0; before < c; before++)
            cr_expect_neq(throughput[before], throughput[c], "%s", cases[c].arguments);
        cJSON_Delete(tree);
        program_run text = program_succeeds("sim --engine async --buffer damq --load 0.1 "
                                            "--cycles 100 %s",
                                            cases[c].arguments);
        cr_expect(says(&text, cases[c].says), "%s", text.out);
        program_free(&text);
    }
    cJSON *one = program_json("sim --engine async --buffer damq --queues one --load 0.9 --cycles "
                              "5000 --json"),
          *fifo = program_json("sim --engine async --buffer fifo --load 0.9 --cycles 5000 --json");
    cr_expect_eq(json_number(one, "result.throughput.mean"),
                 json_number(fifo, "result.throughput.mean"));
    cJSON_Delete(one);
    cJSON_Delete(fifo);
    one = program_json("sim --engine async --buffer samq --read queue --load 0.9 --cycles 5000 "
                       "--json");
    fifo = program_json("sim --engine async --buffer safc --load 0.9 --cycles 5000 --json");
    cr_expect_eq(json_number(one, "result.throughput.mean"),
                 json_number(fifo, "result.throughput.mean"));
    cJSON_Delete(one);
    cJSON_Delete(fifo);
}

Test(cli_sim_limits, what_a_benchmark_says_itself)
{
    static const bad_input cases[] = {
        {"--benchmark VII --load 0.5", "--benchmark 'VII' is unknown", "known: I, II, III"},
        {"--benchmark I", "--benchmark needs --load", "G_NUT"},
        {"--benchmark I --load 2", "--load", "2"},
        {"--benchmark I --load 0.5 --length 8", "--length does not go with --benchmark", "sends"},
        {"--benchmark I --load 0.5 --group mask=1", "--group does not go with", "--benchmark"},
        {"--benchmark I --load 0.5 --traffic uniform", "--traffic does not go", "--benchmark"},
        {"--benchmark I --load 0.5 --hot-spots 0.1:1", "--hot-spots does not go", "--benchmark"},
        {"--benchmark I --load 0.5 --sources hold", "--sources does not go", "--benchmark"},
        {"--benchmark I --find-saturation", "--find-saturation", "--benchmark"},
        {"--benchmark I --load 0.5 --stages 2", "--benchmark I is for", "at least 3 stages"},
        {"--benchmark I --load 0.5 --topology cube", "--benchmark I has no meaning", "cube"},
        {"--benchmark I --load 0.5 --engine sync", "--benchmark is for", "--engine sync"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("sim --buffer damq %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

Test(cli_sim_limits, limits_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--queue-min 5", "--queue-min must be 0 to 4", "not 5"},
        {"--queue-min -1", "--queue-min", "-1"},
        {"--queue-max 3", "--queue-max must be at least 4", "not 3"},
        {"--queue-max 17", "--queue-max", "17"},
        {"--queue-min 4 --queue-max 3", "--queue-max", "3"},
        {"--alpha -1", "--alpha", "-1"},
        {"--alpha x", "--alpha", "'x'"},
        {"--queues two", "--queues", "two"},
        {"--read two", "--read", "two"},
        {"--scope two", "--scope", "two"},
        {"--threshold none --flow maximum-usage", "--flow maximum-usage needs --threshold",
         "--flow block"},
        {"--threshold 3 --flow block", "--threshold", "block"},
        {"--flow maximum-usage", "--flow maximum-usage needs --threshold", "in blocks"},
        /* senders that receive signals */
        {"--credit-delay 4", "--credit-delay is for --flow credits and stop-go", "block"},
        {"--credit-delay 4", "recn-iq, recn, recn-enhanced and fbicm", NULL},
        {"--flow credits --stop 4", "--stop is for --flow stop-go", "credits"},
        {"--flow stop-go --credit-unit pool", "--credit-unit is for --flow credits", "stop-go"},
        {"--flow credits --threshold 4", "--threshold is for --flow maximum-usage", "credits"},
        {"--flow credits --credit-delay -1", "--credit-delay", "-1"},
        {"--flow credits --credit-delay 4097", "--credit-delay", "4097"},
        {"--flow credits --credit-unit all", "--credit-unit", "'all'"},
        {"--flow credits --credit-unit queue --bytes 120", "--credit-unit queue", "below a packet"},
        {"--flow credits --credit-unit channel --queue-min 2", "--queue-min", "2"},
        {"--flow credits --architecture output-queued", "--buffer", "output-queued"},
        {"--flow stop-go --stop 14", "--stop must be 1 to 13 of 16 blocks", "14"},
        {"--flow stop-go --stop 100%", "--stop must be 1 to 13 of 16 blocks", "16"},
        {"--flow stop-go --stop 101%", "--stop", "101"},
        {"--flow stop-go --stop much", "--stop", "'much'"},
        {"--flow stop-go --stop 9 --go 9", "--go must be 0 to 8", "9"},
        {"--no-abort", "--no-abort is for --flow destination", "block"},
        {"--path-hops 2 --flow destination", "--path-hops is for --flow path", "destination"},
        {"--flow path --path-hops 4", "--path-hops must be 1 to 3", "4"},
        {"--flow path --path-hops 0", "--path-hops", "0"},
        {"--flow destination --destination-stages 4", "--destination-stages must be 1 to 3", "4"},
        {"--flow destination --bytes 56", "--flow destination needs queues of at least two", "7"},
        {"--flow destination --no-requeue", "--no-requeue is for buffers whose queues", "one"},
        {"--flow destination --threshold 4",
         "--threshold is for --flow maximum-usage, destination+maximum-usage, "
         "path+maximum-usage, not",
         "destination"},
        {"--flow destination+maximum-usage", "--flow destination+maximum-usage needs --threshold",
         "blocks"},
        {"--flow destination --architecture cioq", "--flow destination is for", "cioq"},
        {"--flow destination --management voqsw", "--buffer", "voqsw"},
        {"--flow stop-go --credit-delay 300", "--credit-delay 300", "overflow"},
        /* senders that are held back */
        {"--sender window", "--sender must be window:W", "'window'"},
        {"--sender windows:3", "--sender must be window:W", "'windows:3'"},
        {"--sender window:3,4", "--sender must be window:W", "'window:3,4'"},
        {"--sender window:0", "--sender window's W must be", "0"},
        {"--sender bucket:0.5", "--sender must be window:W", "'bucket:0.5'"},
        {"--sender bucket:0.5,31", "--sender bucket's BURST must be 32", "31"},
        {"--sender bucket:0,64", "--sender bucket's RATE must be above 0", "0"},
        {"--sender tokens:8,here", "--sender", "'here'"},
        {"--sender feedback:8,4", "--sender must be window:W", "'feedback:8,4'"},
        {"--sender feedback:8,4,5,6", "--sender must be window:W", "'feedback:8,4,5,6'"},
        {"--sender feedback:8,9,5", "--sender feedback's COLD must be 1 to HOT", "9"},
        {"--sender feedback:8,0,5", "--sender", "0"},
        {"--sender feedback:99999,1,5", "--sender feedback's HOT must be 1 to", "99999"},
        {"--sender feedback:8,4,70000", "--sender", "70000"},
        {"--sender dctcp:16", "--sender dctcp's K must be 0 to 15 blocks", "16"},
        {"--sender dctcp:8,0", "--sender dctcp's G must be above 0", "0"},
        {"--sender dctcp:8,0.1,0", "--sender dctcp's START must be", "0"},
        {"--sender dctcp:8 --flow path", "--sender dctcp is not for flow", "path"},
        {"--sender tokens:8 --flow destination", "--sender tokens is not for flow", "destination"},
        /* virtual clocks */
        {"--clock-ahead 5", "--clock-ahead is for --flow virtual-clock", "block"},
        {"--circuits nowhere.txt", "--circuits is for --flow virtual-clock", "block"},
        {"--flow virtual-clock --circuits nowhere.txt", "nowhere.txt", "nowhere.txt"},
        {"--flow virtual-clock --clock-ahead -1", "--clock-ahead", "-1"},
        {"--flow virtual-clock --clock-ahead soon", "--clock-ahead", "soon"},
        {"--flow virtual-clock --arbiter random", "--arbiter must be rotating or advancing",
         "random"},
        {"--flow virtual-clock --architecture cioq", "--flow virtual-clock is for", "cioq"},
        {"--flow virtual-clock --piece 8", "--flow virtual-clock is not for", "pieces"},
        /* second counters */
        {"--two-counter H", "--two-counter is for --flow two-counter", "block"},
        {"--flow two-counter --two-counter h", "--two-counter must be H, T, tH, A, aH", "'h'"},
        {"--flow two-counter --two-counter 1,2,3,1", "five whole numbers", "'1,2,3,1'"},
        {"--flow two-counter --two-counter 1,2,3,1,1,1", "five whole numbers", "'1,2,3,1,1,1'"},
        {"--flow two-counter --two-counter 1,4,6,1,1", "--two-counter XDEC must be at most XINC",
         "6"},
        {"--flow two-counter --two-counter 1,4,0,1,1", "--two-counter XDEC must be at least 1",
         "0"},
        {"--flow two-counter --two-counter 1,4,5,3,2", "--two-counter Y must be at most YMAX = 2",
         "3"},
        {"--flow two-counter --two-counter 1,4,5,0,2", "--two-counter Y must be 1 to 2", "0"},
        {"--flow two-counter --two-counter 0,4,5,1,1", "--two-counter SIGMA must be 1 to 4096",
         "0"},
        {"--flow two-counter --threshold 4", "--threshold is for --flow maximum-usage",
         "two-counter"},
        {"--flow two-counter --stop 4", "--stop is for --flow stop-go", "two-counter"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run =
            program("sim --engine async --buffer damq --load 0.5 %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

Test(cli_sim_limits, larger_buffers_in_the_last_stage_that_cannot_be)
{
    static const bad_input cases[] = {
        {"--buffer damq --topology torus --dims 4x4",
         "--last-bytes 256 is for multistage networks alone", ""},
        {"--buffer damq --flow maximum-usage --threshold 4",
         "--last-bytes 256 is for flow block alone", ""},
        {"--buffer samq", "--last-bytes 256 is for buffers whose queues share all memory", ""},
        {"--buffer damq --queue-min 4",
         "--last-bytes 256 is for buffers whose queues share all memory", ""},
        {"--management voqsw", "--last-bytes 256 is for management none alone", ""},
        {"--buffer damq --architecture cioq",
         "--last-bytes is for --architecture input-queued, not for", ""},
        {"--architecture hipiqs", "--last-bytes is for --architecture input-queued, not for", ""},
        {"--buffer damq --piece 8", "--last-bytes 256 is for packets that go whole alone", ""},
        {"--buffer damq --max-packet 264 --bytes 528", "--last-bytes must be 264 to", "256"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run =
            program("sim --engine async --load 0.5 --last-bytes 256 %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

Test(cli_sim_limits, stores_of_an_architecture_that_cannot_be)
{
#define HIPIQS "--architecture hipiqs "
    static const bad_input cases[] = {
        {HIPIQS "--flit 0", "--flit", "'0'"},
        {HIPIQS "--flit 3", "--max-packet must be a multiple of --flit 3", "32"},
        {HIPIQS "--flit 2 --length 33", "--length must be a multiple of --flit 2", "33"},
        {HIPIQS "--flit 2 --traffic uniform@31", "--traffic's length must be a multiple", "31"},
        {"--buffer damq --flit 2 --bytes 127", "--bytes must be a multiple of --flit 2", "127"},
        {"--buffer damq --flit 2 --block 7", "--block must be a multiple of --flit 2", "7"},
        {"--buffer damq --flit 2 --sender window:2", "--sender is for links of a byte", "2"},
        {"--buffer damq --chunk 4", "--chunk is for --architecture hipiqs", "input-queued"},
        {HIPIQS "--bytes 130", "--bytes must be whole chunks of 4 flits", "130"},
        {HIPIQS "--bytes 16", "--bytes must be at least 32 flits", "16"},
        {HIPIQS "--bytes 64 --equal all", "--bytes must be at least 76 flits", "64"},
        {HIPIQS "--chunk 0", "--chunk", "'0'"},
        {HIPIQS "--chunk 2", "--chunk must be 4 to 1024 flits", "not 2"},
        {HIPIQS "--crosspoint-chunks 1", "--crosspoint-chunks", "'1'"},
        {HIPIQS "--crosspoint wires", "--crosspoint 'wires' is unknown", "registers, ram"},
        {HIPIQS "--queue-min 5", "--queue-min must be whole chunks of 4", "5"},
        {HIPIQS "--fifos 2", "--fifos is for --architecture multi-buffer", "hipiqs"},
        {HIPIQS "--block 8", "--block is for --architecture input-queued", "not for hipiqs"},
        {HIPIQS "--buffer damq", "--buffer is for --architecture input-queued and cioq", "hipiqs"},
        {HIPIQS "--threshold 4", "--threshold is for", "hipiqs"},
        {HIPIQS "--hop-delay 2", "--hop-delay must be 3 to 4096", "2"},
        {HIPIQS "--flow credits", "--flow credits is for", "hipiqs"},
        {HIPIQS "--management voqsw", "--management voqsw is for", "hipiqs"},
        {HIPIQS "--arbiter longest", "--arbiter longest is not for architecture hipiqs",
         "random-outputs"},
        {HIPIQS "--piece 8", "--piece must not be given with", "hipiqs"},
        {HIPIQS "--release hop", "--release must be blocks", "hipiqs"},
        {HIPIQS "--topology torus --dims 4x4", "--topology torus is not for architecture hipiqs",
         "ring"},
        {HIPIQS "--topology mesh --dims 4x4 --routing adaptive",
         "--routing adaptive is not for architecture hipiqs", "escape"},
        {HIPIQS "--sender feedback:4,2,20", "sender feedback is not for architecture hipiqs",
         "tell"},
        {"--architecture multi-buffer --fifos 0", "--fifos", "'0'"},
        {"--architecture multi-buffer --fifos 3", "--bytes must be a multiple of the 3", "128"},
        {"--architecture crosspoint --bytes 64", "--bytes must be at least 128 flits", "64"},
        {"--architecture crosspoint --equal all", "--equal is for --architecture hipiqs",
         "crosspoint"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("sim --engine async --load 0.5 %s", cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
}

/* A queue for each node holds two packets in whole blocks, of which a memory has 4096. */
Test(cli_sim_limits, queues_for_a_thousand_nodes)
{
    static const bad_input cases[] = {
        {"--levels 5", "--block 8 is too short for --management voqnet",
         "long enough is --block 32"},
        {"--levels 5 --max-packet 64", "--block 8 is too short", "long enough is --block 64"},
        {"--levels 6", "--block 8 is too short", "not even enough is --block 32"},
        {"--levels 6 --block 64", "--management voqnet has 4096 queues", "4096 are possible"},
        {"--levels 2 --management recn-enhanced --refused hold",
         "--refused is for --management recn", "not for recn-enhanced"},
        {"--levels 2 --management recn --flit 2", "--flit is for --management none",
         "not for recn"},
        {"--levels 2 --management recn --max-packet 32 --length 64",
         "--max-packet must be the longest message with management recn", "not 32"},
        {"--levels 2 --management recn --cut-through off",
         "--cut-through must be on with management recn", "not off"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program("sim --engine async --topology tree --arity 4 --load 0.5 %s%s",
                                  strstr(cases[c].arguments, "recn") ? "" : "--management voqnet ",
                                  cases[c].arguments);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
    program_run run = program_succeeds("sim --engine async --topology tree --arity 4 --levels 5 "
                                       "--management voqnet --load 0.1 --block 32 --cycles 50");
    program_free(&run);
}
