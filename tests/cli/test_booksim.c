/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations of BookSim: the question that each becomes, what refuses it, and what the command
 * line replaces; and hints for those who come from other simulators.
 */
#include "tests/cli/program.h"

#include <stdlib.h>
#include <string.h>

TestSuite(cli_booksim, .init = program_begin, .fini = program_end, .timeout = 120);

static void write_file(const char *name, const char *text)
{
    FILE *to = fopen(name, "w");

    cr_assert(to && fputs(text, to) >= 0 && fclose(to) == 0);
}

/* A run of a configuration, with some more options. */
static program_run run_of(const char *text, const char *options)
{
    write_file("net.cfg", text);
    return program("sim --booksim net.cfg %s", options);
}

/* The question that is printed, without "switchq sim "; to be freed. */
static char *question_of(const program_run *run)
{
    const char *begin = strstr(run->err, "asks: switchq sim ");

    cr_assert(begin, "%s: %s", run->arguments, run->err);
    begin += strlen("asks: switchq sim ");
    return strndup(begin, strcspn(begin, "\n"));
}

#define QUICK "sample_period = 100; max_samples = 5;"
#define MESH  "topology = mesh; k = 4; routing_function = dor; " QUICK
#define FLAT  "topology = flatfly; k = 2; n = 2; c = 4; use_noc_latency = 0; " QUICK
#define TORUS "routing_function = dim_order; k = 4; num_vcs = 2; " QUICK

/* Whole questions, each with BookSim's presets where the file has nothing. */
Test(cli_booksim, presets_are_those_of_booksim)
{
    static const char *const cases[][2] = {
        {"// the torus of BookSim's examples\n"
         "topology = torus;\nk = 8;\nn = 2;\nrouting_function = dim_order;\nnum_vcs = 2;\n"
         "traffic = uniform;\ninjection_rate = 0.15;\n",
         "--topology torus --dims 8x8 --lane-choice crossing --level-delay 2,2,1 "
         "--architecture wormhole --lanes 2 --lane-flits 8 --lane-reuse sent "
         "--router-delay 1,1,1,1 --credit-delay 1 --traffic uniform --length 1 --max-packet 1 "
         "--load 0.14765625 --warmup 3000 --cycles 7000"},
        {"topology=mesh;k=4;routing_function=dim_order;traffic=bitcomp;",
         "--topology mesh --dims 4x4 --architecture wormhole --lanes 16 --lane-flits 8 "
         "--lane-reuse sent --router-delay 1,1,1,1 --credit-delay 1 --traffic bit-complement "
         "--length 1 --max-packet 1 --load 0.1 --warmup 3000 --cycles 7000"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], "");
        cr_assert_eq(run.status, 0, "%s", run.err);
        char *question = question_of(&run);
        cr_expect_str_eq(question, cases[k][1]);
        free(question);
        program_free(&run);
    }
}

/* Parts of questions. */
Test(cli_booksim, settings_become_options)
{
    static const char *const cases[][2] = {
        {MESH "injection_rate = 0.02; packet_size = 4; traffic = tornado;",
         "--length 4 --max-packet 4 --load 0.08 "},
        {MESH "injection_rate = 0.2; packet_size = 4; injection_rate_uses_flits = 1; "
              "traffic = transpose;",
         "--traffic transpose --length 4 --max-packet 4 --load 0.2 "},
        {MESH "wait_for_tail_credit = 1;", "--lane-reuse empty "},
        {MESH "credit_delay = 2; routing_delay = 0; st_prepare_delay = 1;",
         "--router-delay 0,1,1,2 --credit-delay 3 "},
        {MESH "traffic = neighbor; n = 3;", "--dims 4x4x4 "},
        {MESH "traffic = hotspot({{5}});", "--traffic node:5 "},
        {MESH "traffic = hotspot(5);", "--traffic node:5 "},
        {MESH "traffic = bitrev; seed = 7; sim_count = 2;", "--replications 2 --seed 7"},
        {MESH "traffic = shuffle; warmup_periods = 0;", "--load 0.1 --cycles 500"},
        {MESH "traffic = randperm; num_vcs = 4; num_vcs = 2;", "--lanes 2 "},
        {TORUS "", "--level-delay 2,2,1 "},
        {TORUS "use_noc_latency = 0;", "--lane-choice crossing --architecture"},
        {TORUS "internal_speedup = 1; alloc_iters=1; output_buffer_size = -1;",
         "--level-delay 2,2,1 "},
        {"topology = fly; k = 2; n = 3; routing_function = dest_tag; " QUICK,
         "--engine async --topology butterfly --ports 2 --stages 3 "},
        {"topology = fly; k = 2; n = 3; routing_function = dest_tag; " QUICK, "--load 0.1 "},
        {FLAT "routing_function = ran_min;",
         "--topology hyperx --dims 2x2 --hosts 4 --architecture"},
        {FLAT "routing_function = ran_min;", "--load 0.09375 "}, /* 15 of 16 nodes */
        {FLAT "routing_function = valiant;", "--hosts 4 --via any --routing valiant "},
        {FLAT "routing_function = ugal;",
         "--hosts 4 --via between --routing ugal --ugal-threshold 2 "},
        {"topology = fattree; k = 2; n = 3; routing_function = nca; " QUICK,
         "--topology tree --arity 2,2,2 --choice random --routing adaptive "},
        {"topology = mesh; k = 4; routing_function = min_adapt; " QUICK,
         "--choice turn --escape-use alike --escape-exit never --routing adaptive "},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], "");
        cr_assert_eq(run.status, 0, "%s: %s", cases[k][0], run.err);
        char *question = question_of(&run);
        cr_expect(strstr(question, cases[k][1]), "%s: %s", cases[k][0], question);
        free(question);
        program_free(&run);
    }
}

/* The printed question has the same answer, and JSON says which it was. */
Test(cli_booksim, the_printed_question_is_the_same)
{
    program_run run = run_of(TORUS "packet_size = 3; injection_rate = 0.05;", "--json");
    char *question = question_of(&run), line[600];
    cJSON *first = cJSON_Parse(run.out), *again = program_json("sim %s", question);

    cr_assert(first && run.status == 0, "%s", run.err);
    cr_expect(cJSON_Compare(json_at(first, "result"), json_at(again, "result"), true));
    cr_expect(cJSON_Compare(json_at(first, "model"), json_at(again, "model"), true));
    snprintf(line, sizeof line, "switchq sim %s", question);
    cr_expect_str_eq(json_string(first, "asked.command"), line);
    cJSON_Delete(first);
    cJSON_Delete(again);
    free(question);
    program_free(&run);
}

/* What the command line has is not taken from the file, nor what belongs to it. */
Test(cli_booksim, the_command_line_goes_first)
{
    static const char *const cases[][4] = {
        {MESH, "--lanes 3", "--lanes 3", "--lanes 16"},
        {MESH, "--load 0.3", "--load 0.3", "0.09375"},
        {MESH "packet_size = 2;", "--length 5", "--length 5", "--max-packet"},
        {MESH, "--interval 20", "--interval 20", "--load"},
        {MESH "seed = 4;", "--seed=9 --cyc 300", "--seed=9 --cycles 300", "--seed 4"},
        {"topology = fattree; k = 2; n = 3; routing_function = nca; " QUICK,
         "--routing deterministic", "--routing deterministic", "--choice"},
        {TORUS "topology = torus;", "--link-delay 3", "--link-delay 3", "--level-delay"},
        {MESH, "--load 0.1:0.2:0.1", "--load 0.1:0.2:0.1", "0.09375"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], cases[k][1]);
        cr_assert_eq(run.status, 0, "%s: %s", cases[k][1], run.err);
        char *question = question_of(&run);
        cr_expect(strstr(question, cases[k][2]), "%s: %s", cases[k][1], question);
        cr_expect_null(strstr(question, cases[k][3]), "%s: %s", cases[k][1], question);
        free(question);
        program_free(&run);
    }
}

/* A setting that the command line replaces is not refused. */
Test(cli_booksim, what_is_replaced_is_not_refused)
{
    static const char *const cases[][2] = {
        {MESH "traffic = taper64;", "--traffic uniform"},
        {MESH "injection_rate = 2;", "--load 0.1"},
        {MESH "injection_rate = 2;", "--interval 30"},
        {MESH "warmup_periods = 7;", "--cycles 300 --warmup 100"},
        {"topology = torus; k = 4; num_vcs = 3; routing_function = dim_order; " QUICK, "--lanes 4"},
        {"topology = mesh; k = 4; routing_function = romm; " QUICK, "--routing valiant"},
        {"topology = cmesh; routing_function = dor; " QUICK, "--topology mesh --dims 4x4"},
        {MESH "packet_size = {1,4};", "--length 1-4 --load 0.1"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], cases[k][1]);
        cr_expect_eq(run.status, 0, "%s: %s", cases[k][1], run.err);
        cr_expect(strstr(run.err, cases[k][1]), "%s: %s", cases[k][1], run.err);
        program_free(&run);
    }
}

/* A network file is looked for from the current folder, and then beside the configuration. */
Test(cli_booksim, anynet_is_a_graph)
{
    static const char net[] = "topology = anynet; routing_function = min; network_file = net.txt; "
                              "num_vcs = 2; " QUICK;

    program_run made = program_shell("mkdir there");
    program_free(&made);
    write_file("there/net.cfg", net);
    write_file("there/net.txt", "router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3\n");
    program_run run = program("sim --booksim there/net.cfg");
    cr_assert_eq(run.status, 0, "%s", run.err);
    char *question = question_of(&run);
    cr_expect(strstr(question, "--topology graph:there/net.txt --lane-choice any "), "%s",
              question);
    cr_expect(strstr(question, "--load 0.075 "), "%s", question); /* 3 of 4 nodes */
    cr_expect(strstr(run.err, "another one (docs/graphs.md)"), "%s", run.err);
    free(question);
    program_free(&run);
    /* delays of nodes choose no way, those between routers do */
    write_file("there/net.txt", "router 0 node 0 7 node 1 2 router 1 3 router 2\t3\n"
                                "router 1 node 2 node 3\nrouter 2 node 4\n");
    run = program("sim --booksim there/net.cfg");
    cr_expect_null(strstr(run.err, "least delay"), "%s", run.err);
    program_free(&run);
    write_file("there/net.txt", "router 0 node 0 node 1 router 1 3 router 2\n"
                                "router 1 node 2 node 3 router 2 3\nrouter 2 node 4\n");
    run = program("sim --booksim there/net.cfg");
    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "network_file = net.txt: its links have several delays"), "%s",
              run.err);
    program_free(&run);
    run = run_of(net, "");
    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "cannot read 'net.txt'"), "%s", run.err);
    program_free(&run);
}

/* Lines that change no number are named once, together; differences are told. */
Test(cli_booksim, notes)
{
    static const char *const cases[][2] = {
        {MESH "\nwatch_out = -;\nstats_out = out.m;", "line 2 watch_out, line 3 stats_out"},
        {MESH "\nread_reply_end_vc = 3;", "net.cfg: left out, as they change no mean here: line 2"},
        {MESH, "send 1 in 16 packets to themselves"},
        {MESH "traffic = transpose;", "from a node to itself"},
        {MESH "traffic = hotspot(3);", "from a node to itself"},
        {MESH "traffic = randperm;", "line 1, traffic = randperm: the permutation"},
        {MESH "routing_delay = 2;", "packets take turns in a stage"},
        {"topology = mesh; k = 4; routing_function = min_adapt; " QUICK, "by a fault"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], "");
        cr_expect_eq(run.status, 0, "%s: %s", cases[k][0], run.err);
        cr_expect(strstr(run.err, cases[k][1]), "%s: %s", cases[k][0], run.err);
        program_free(&run);
    }
}

/* Each setting that has no counterpart, with the reason. */
Test(cli_booksim, refusals)
{
    static const char *const cases[][2] = {
        {MESH "\ninput_speedup = 2;", "line 2, input_speedup = 2: not translated; here an input"},
        {MESH "\noutput_speedup = 2;", "an output takes one flit"},
        {MESH "internal_speedup = 1.5;", "(internal speedup)"},
        {MESH "vc_allocator = separable_input_first;", "one iteration of iSLIP"},
        {MESH "sw_allocator = select;", "one iteration of iSLIP"},
        {MESH "alloc_iters = 2;", "one iteration of iSLIP"},
        {MESH "sw_alloc_delay = 2;", "allocated in 1 cycle"},
        {MESH "speculative = 1;", "when its packet has a lane"},
        {MESH "hold_switch_for_packet = 1;", "requests the crossbar by itself"},
        {MESH "buffer_policy = shared;", "--lane-pool"},
        {MESH "buf_size = 64;", "vc_buf_size"},
        {MESH "output_buffer_size = 4;", "behind the crossbar"},
        {MESH "output_delay = 1;", "behind the crossbar"},
        {MESH "noq = 1;", "queues for the outputs"},
        {MESH "vc_busy_when_full = 1;", "without credits"},
        {MESH "vc_prioritize_empty = 1;", "empty lanes"},
        {MESH "vc_shuffle_requests = 1;", "in a circle"},
        {MESH "router = event;", "input-queued"},
        {MESH "subnets = 2;", "one network"},
        {MESH "channel_file = f;", "delays of their topology"},
        {MESH "link_failures = 1;", "graph:FILE"},
        {MESH "classes = 2;", "one class"},
        {MESH "measure_stats = 0;", "one class"},
        {MESH "use_read_write = 1;", "requests and replies"},
        {MESH "priority = age;", "no priorities"},
        {MESH "injection_process = on_off;", "same probability"},
        {MESH "include_queuing = 0;", "when a packet is created"},
        {MESH "sim_type = batch;", "no batches"},
        {MESH "warmup_periods = 5;", "nothing is measured after 5 periods"},
        {MESH "traffic = taper64;", "translated are uniform"},
        {MESH "traffic = hotspot({{1,2}});", "of one node"},
        {MESH "traffic = tornado; xr = 2;", "xr = 1"},
        {MESH "injection_rate = 0.5; packet_size = 4;", "2 flits a cycle"},
        {MESH "injection_rate = {0.1,0.2};", "several values"},
        {MESH "packet_size = {1,4};", "several values"},
        {MESH "packet_size = small;", "it must be a number"},
        {MESH "num_vcs = 2.5;", "whole number"},
        {MESH "num_vcs = 33;", "whole number from 1 to 32"},
        {MESH "vc_buf_size = 256;", "whole number from 1 to 255"},
        {MESH "vc_alloc_delay = 0;", "whole number from 1"},
        {"topology = mesh; routing_function = valiant;", "not translated for topology = mesh"},
        {"topology = torus; num_vcs = 2;", "BookSim's default routing_function = none"},
        {"topology = torus; num_vcs = 3; routing_function = dim_order;", "must be even"},
        {"topology = cmesh; routing_function = dor_no_express;", "several nodes at each router"},
        {"topology = flatfly; routing_function = ran_min;", "use_noc_latency = 0 gives"},
        {FLAT "routing_function = ugal_pni;", "not translated for topology = flatfly"},
        {FLAT "routing_function = valiant; num_vcs = 3;", "must be even"},
        {FLAT "routing_function = ran_min; traffic = transpose;", "other places here"},
        {FLAT "routing_function = ran_min; traffic = hotspot(3);", "other places here"},
        {"topology = dragonflynew; routing_function = min; n = 1; num_vcs = 2;",
         "drawn at random, of its node's link"},
        {"topology = qtree; routing_function = nca;", "no such tree"},
        {"topology = tree4; routing_function = nca;", "no such tree"},
        {"topology = ring;", "BookSim has no such topology"},
        {"topology = anynet; routing_function = min;", "in a file"},
        {"topology = fattree; k = 2; n = 3; routing_function = nca; traffic = tornado;",
         "for meshes"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], "");
        cr_expect_eq(run.status, 2, "%s: %s", cases[k][0], run.err);
        cr_expect_str_eq(run.out, "");
        cr_expect(strstr(run.err, cases[k][1]), "%s: %s", cases[k][0], run.err);
        cr_expect(strstr(run.err, "--booksim net.cfg: 1 setting cannot be translated"), "%s: %s",
                  cases[k][0], run.err);
        program_free(&run);
    }
}

/* All that is refused is told at once. */
Test(cli_booksim, refusals_come_together)
{
    program_run run = run_of(MESH "\ninput_speedup = 2;\nclasses = 2;\nnum_vcs = -1;", "");

    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "line 2, input_speedup") && strstr(run.err, "line 3, classes") &&
                  strstr(run.err, "line 4, num_vcs"),
              "%s", run.err);
    cr_expect(strstr(run.err, "3 settings cannot be translated"), "%s", run.err);
    program_free(&run);
}

Test(cli_booksim, text_that_is_no_configuration)
{
    static const char *const cases[][2] = {
        {"topology = mesh;\nk 8;\n", "net.cfg, line 2: a setting of BookSim is NAME = VALUE;"},
        {"topology = mesh;\nk = 8\n", "net.cfg, line 2: a setting of BookSim is NAME = VALUE;"},
        {"topology = mesh;\nk = 8 9;\n", "net.cfg, line 2:"},
        {"topology = ;\n", "net.cfg, line 1:"},
        {"= 3;\n", "net.cfg, line 1:"},
        {"k = 8;\nphysical_subnetworks = 1;\n",
         "net.cfg, line 2: BookSim 2 has no setting 'physical_subnetworks'"},
        {"// nothing\n", "net.cfg: there is no setting of BookSim in it"},
        {"", "net.cfg: there is no setting of BookSim in it"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = run_of(cases[k][0], "");
        expect_refusal(&run, 2, cases[k][1], NULL);
        program_free(&run);
    }
    program_run run = program("sim --booksim none.cfg");
    expect_refusal(&run, 2, "--booksim", "none.cfg");
    program_free(&run);
}

/* Values may stand on other lines than their names, behind comments, without blanks. */
Test(cli_booksim, words_and_comments)
{
    program_run run = run_of("topology=mesh;// k = 9;\nk\n=\n// comment\n4 ;routing_function=dor;"
                             "watch_out=-;" QUICK,
                             "");

    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_expect(strstr(run.err, "--dims 4x4 "), "%s", run.err);
    program_free(&run);
}

/* A configuration is no --config, which has the options of switchq; and a saved translation is. */
Test(cli_booksim, other_files_of_options)
{
    program_run run = run_of(MESH, "--save-config c.yaml");
    cr_assert_eq(run.status, 0, "%s", run.err);
    program_run again = program_succeeds("sim --config c.yaml --csv"),
                csv = program("sim --booksim net.cfg --csv");
    cr_expect_str_eq(again.out, csv.out);
    program_free(&run);
    program_free(&again);
    program_free(&csv);
    run = program("sim --config c.yaml --booksim net.cfg");
    expect_refusal(&run, 2, "--config and --booksim", "both");
    program_free(&run);
    write_file("d.yaml", "command: sim\nset: {booksim: net.cfg}\n");
    run = program("sim --config d.yaml");
    expect_refusal(&run, 2, "--booksim", "command line alone");
    program_free(&run);
    run = program("sweep d.yaml");
    expect_refusal(&run, 2, "booksim", "the study has the options itself");
    program_free(&run);
}

/* A configuration where another file is expected names --booksim. */
Test(cli_booksim, a_configuration_in_another_place)
{
    static const char *const lines[] = {
        "sweep net.cfg",        "compare net.cfg",
        "sim --config net.cfg", "sim --topology graph:net.cfg --architecture wormhole --load 0.1",
        "sim net.cfg",          "net.cfg",
    };

    write_file("net.cfg", MESH);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run = program("%s", lines[k]);
        expect_refusal(&run, 2, "'net.cfg' is a configuration of BookSim",
                       "'switchq sim --booksim net.cfg'");
        program_free(&run);
    }
    program_run other = program("sim d.yaml");
    expect_refusal(&other, 2, "unexpected argument 'd.yaml'", NULL);
    program_free(&other);
}

#define WORMS "--topology mesh --dims 4x4 --load 0.1 --architecture wormhole "

/* Words of BookSim and of other simulators. */
Test(cli_booksim, words_of_other_simulators)
{
    static const bad_input cases[] = {
        {"sim --topology cmesh", "'cmesh' is unknown; in the field it is", "'graph'"},
        {"sim --topology fattree", "'fattree' is unknown; in the field it is", "k for each of n"},
        {"sim --topology dragonflynew", "'dragonflynew'", "'dragonfly' of"},
        {"sim --topology flatfly", "'flatfly'", "'hyperx' of"},
        {"sim --topology fly", "'fly'", "'butterfly' of"},
        {"sim " WORMS "--routing dor", "'dor'", "'deterministic'"},
        {"sim " WORMS "--routing dim_order", "'dim_order'", "'deterministic'"},
        {"sim " WORMS "--routing xy", "'xy'", "'deterministic'"},
        {"sim " WORMS "--routing min_adapt", "'min_adapt'", "--escape-exit never"},
        {"sim --topology hyperx --dims 4x4 --load 0.1 --architecture wormhole --routing ran_min",
         "'ran_min'", "in spite of its name"},
        {"sim " WORMS "--traffic bitcomp", "'bitcomp'", "'bit-complement'"},
        {"sim " WORMS "--traffic randperm", "'randperm'", "'random-permutation'"},
        {"sim " WORMS "--traffic table:t.txt", "'table'", "Noxim"},
        {"sim " WORMS "--traffic traffic_table_based", "'traffic_table_based'", "Noxim"},
        {"sim --buffer damq --slots 4 --load 0.1 --traffic bitcomp", "'bitcomp'",
         "'bit-complement'"},
    };
    static const char *const helps[][2] = {
        {"booksim", "option --booksim of sim"},
        {"BookSim", "option --booksim of sim"},
        {"noxim", "use-a-table-of-noxim.md"},
        {"hpcc", "of 'switchq list host-senders'"},
        {"htsim", "option --flow-list of sim"},
        {"min_adapt", "'adaptive' of 'switchq list routing'"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s", cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
    program_run list = program_succeeds("list table"); /* of switchq, not a table of Noxim */
    cr_expect(strncmp(list.out, "tables:", 7) == 0, "%s", list.out);
    program_free(&list);
    for (size_t k = 0; k < sizeof helps / sizeof *helps; k++) {
        program_run run = program_succeeds("help %s", helps[k][0]);
        cr_expect(strstr(run.out, helps[k][1]), "%s: %s", helps[k][0], run.out);
        program_free(&run);
    }
}
