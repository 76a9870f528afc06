/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --architecture shared-memory: its answer, units, traces and fates, ranges, and a
 * message for each bad input. test_every_option.c tries that every option matters, and
 * tests/sim/datacentre/ whether the numbers are right.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_datacentre, .init = program_begin, .fini = program_end, .timeout = 240);

#define SIM   "sim --architecture shared-memory "
#define FEW   SIM "--replications 2 --duration 200us --warmup 10us "
#define HOSTS "--sender dctcp --load 0.5 --sizes 20000 "
#define RATED "--load 0.5 --sizes 20000 "
#define BUSY  FEW "--load 1.2 --memory 30KB "

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* ---- answers ---- */

Test(cli_datacentre, units_are_those_of_the_field)
{
    static const struct {
        const char *options;
        const char *key;
        double value;
    } cases[] = {
        {"--rate 100G", "rate_bps", 1e11},
        {"--rate 25Gbps", "rate_bps", 25e9},
        {"--memory 2MB", "shared_memory_bytes", 2e6},
        {"--memory 20K/port --ports 4", "shared_memory_bytes", 80e3},
        {"--memory 5.12K/port/Gbps --ports 20 --rate 25G", "shared_memory_bytes", 2.56e6},
        {"--admission abm --drain-interval 1.5us", "drain_interval_ns", 1500},
        {"--admission occamy --expel-every 12ns", "expel_every_ns", 12},
        {"--ecn step:30K", "ecn_from_bytes", 30e3},
        {"--admission maximum --queue-max 9KB", "queue_max_bytes", 9e3},
        {"--admission occamy --cell 200", "expel_bucket_cells", 8},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *tree = program_json(FEW "--load 0.5 %s --json", cases[k].options);
        const double value = json_number(json_at(tree, "model"), cases[k].key);
        cr_expect_float_eq(value, cases[k].value, 1e-9 * cases[k].value, "%s: %.12g",
                           cases[k].options, value);
        cJSON_Delete(tree);
    }
}

Test(cli_datacentre, text_and_json_say_the_same)
{
    const char *line = BUSY "--classes 2 --schedule priority";
    cJSON *tree = program_json("%s --json", line);
    program_run run = program_succeeds("%s", line);
    const cJSON *classes = json_at(tree, "result.by_class");

    cr_expect(strstr(run.out, "shared memory: 8 ports, lines of 10 Gb/s, 2 classes, 30 KB"), "%s",
              run.out);
    cr_expect(strstr(run.out, "by class:"), "%s", run.out);
    cr_expect(cJSON_IsTrue(json_at(tree, "invariants.packets_conserved")));
    cr_assert_eq(cJSON_GetArraySize(classes), 2);
    double offered = 0, lost = 0;
    for (int k = 0; k < 2; k++) {
        offered += json_number(cJSON_GetArrayItem(classes, k), "offered_packets");
        lost += json_number(cJSON_GetArrayItem(classes, k), "discarded");
    }
    cr_expect_eq(offered, json_number(tree, "result.offered_packets"));
    cr_expect_eq(lost, json_number(tree, "result.discarded"));
    cr_expect_float_eq(lost / offered, json_number(tree, "result.discard_fraction.mean"), 1e-12);
    program_free(&run);
    cJSON_Delete(tree);
}

Test(cli_datacentre, one_of_a_kind_is_no_plural)
{
    static const char *const cases[][2] = {
        {"--ports 1 --load 0.5", "memory: 1 port, lines"},
        {RATED "--sender open --topology leaf-spine --leaves 1 --spines 1 --hosts 2",
         "leaf-spine: 1 leaf with 2 hosts each, 1 spine, 1 link of"},
        {RATED "--sender open --topology fat-tree --ports 4 --hosts 1", "4 ports, 1 host at each"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program_succeeds(FEW "%s", cases[k][0]);
        cr_expect(strstr(run.out, cases[k][1]), "%s", run.out);
        program_free(&run);
    }
    program_run run = program_succeeds(FEW RATED "--sender open --topology leaf-spine --leaves 1 "
                                                 "--cell 1 --spines 1:2:1 --hosts 4");
    cr_expect(strstr(run.out, "1 leaf") && !strstr(run.out, "1 leaves"), "%s", run.out);
    program_free(&run);
}

Test(cli_datacentre, ranges_have_a_row_for_each_point)
{
    cJSON *tree = program_json(FEW "--load 0.5:0.9:0.2 --admission sharing,lqd --json");
    program_run csv = program_succeeds(FEW "--memory 20K,40K --load 1.1 --csv");
    int lines = 0;

    cr_expect_eq(cJSON_GetArraySize(json_at(tree, "points")), 6);
    for (const char *at = csv.out; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(lines, 3, "%s", csv.out);
    program_free(&csv);
    cJSON_Delete(tree);
}

Test(cli_datacentre, what_is_measured_when_the_time_is_up)
{
    program_run run = program(SIM "--load 0.8 --duration 100s --time 0.3 --json");
    cJSON *tree = cJSON_Parse(run.out);

    cr_expect_eq(run.status, 0, "%s", run.err);
    cr_expect(strstr(run.err, "the time was up: 1 of 8 replications were measured, 1 of them in"),
              "%s", run.err);
    cr_expect_str_eq(json_at(tree, "run.stopped_by")->valuestring, "time limit");
    cr_expect_float_eq(json_number(tree, "result.line_use_fraction.mean"), .8, .02);
    const double measured = json_number(tree, "run.measured_ns");
    cr_expect(measured > 1e6 && measured < 5e10, "%g", measured);
    cr_expect_float_eq(json_number(tree, "result.offered_packets"), measured * 8 * .8 / 1200,
                       .02 * measured * 8 * .8 / 1200);
    cJSON_Delete(tree);
    program_free(&run);
    run = program(SIM "--load 0.8 --duration 100s --time 0.3");
    cr_expect(strstr(run.out, "measured for 0.") && strstr(run.out, " s in all, not for 8 repl"),
              "%s", run.out);
    program_free(&run);
    run = program(SIM "--load 0.8 --warmup 1000s --time 0.3");
    cr_expect_neq(run.status, 0);
    cr_expect(strstr(run.err, "the time was up before anything was measured"), "%s", run.err);
    program_free(&run);
}

Test(cli_datacentre, how_long_was_measured_in_all)
{
    cJSON *tree = program_json(FEW "--load 0.5 --json");

    cr_expect_float_eq(json_number(tree, "run.measured_ns"), 400e3, 1e-9);
    cr_expect_float_eq(json_number(tree, "run.duration_ns"), 200e3, 1e-9);
    cJSON_Delete(tree);
}

Test(cli_datacentre, lines_have_the_names_of_their_ends)
{
    static const char *const ends[][2] = {
        {"edge 0:2", "aggregation 0:0"}, {"host 15", "edge 7:1"}, {"core 3:3", "aggregation 7:3"}};
    cJSON *tree = program_json(FEW "--topology fat-tree --ports 4 --sender open --load 0.5 "
                                   "--sizes 20000 --per-link --json");
    const cJSON *link;
    size_t found = 0;

    cJSON_ArrayForEach(link, json_at(tree, "result.links"))
    {
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            found += strcmp(json_at(link, "from")->valuestring, ends[k][0]) == 0 &&
                     strcmp(json_at(link, "to")->valuestring, ends[k][1]) == 0;
    }
    cr_expect_eq(found, sizeof ends / sizeof *ends);
    cJSON_Delete(tree);
    program_run run = program_succeeds(FEW "--ports 2 --load 0.5 --classes 2 --per-link");
    cr_expect(strstr(run.out, "switch 0:1 -> outside class 1"), "%s", run.out);
    program_free(&run);
}

/* A leaf-spine network as a file is the built-in one, to the last digit. */
Test(cli_datacentre, leaves_and_spines_as_a_file)
{
    enum { LEAVES = 3, EACH = 4, UP = 4 };
    static const char *const spreads[] = {"ecmp", "spray", "adaptive", "flowlet:10us"};
    const char *line = FEW "--sender dctcp --load 0.7 --sizes 30000 --ecn step:30K --memory "
                           "5K/port/Gbps --incast 3000,3,60K --delay 500ns --json ";
    FILE *file = fopen("leaves.txt", "w");

    cr_assert(file);
    for (int h = 0; h < LEAVES * EACH; h++)
        fprintf(file, "host h%d leaf%d:%d speed=10\n", h, h / EACH, h % EACH);
    fprintf(file, "switch spine0\nswitch spine1\n");
    for (int k = 0; k < LEAVES * UP; k++)
        fprintf(file, "link leaf%d:%d spine%d:%d speed=40 delay=500\n", k / UP, EACH + k % UP,
                k % UP / 2, k / UP * 2 + k % 2);
    fclose(file);
    for (size_t k = 0; k < sizeof spreads / sizeof *spreads; k++) {
        cJSON *built = program_json("%s --topology leaf-spine --leaves 3 --hosts 4 --spines 2 "
                                    "--spine-links 2 --spine-rate 40G --spread %s",
                                    line, spreads[k]);
        cJSON *read = program_json("%s --topology graph:leaves.txt --spread %s", line, spreads[k]);
        cr_expect(cJSON_Compare(json_at(built, "result"), json_at(read, "result"), true), "%s",
                  spreads[k]);
        cJSON_Delete(built);
        cJSON_Delete(read);
    }
}

/* A load is of the payload that each host sends, whatever the rates of the others. */
Test(cli_datacentre, loads_are_fractions_of_each_line)
{
    write_text("unlike.txt", "host a s speed=100\nhost b s speed=10\nhost c s speed=40\n");
    cJSON *tree = program_json(SIM "--topology graph:unlike.txt --sender open --load 0.5 --sizes "
                                   "1400 --duration 4ms --replications 4 --per-link --json");
    const cJSON *link;
    int hosts = 0;

    cJSON_ArrayForEach(link, json_at(tree, "result.links"))
    {
        const double use = json_number(link, "utilisation.mean");
        if (strlen(json_string(link, "from")) > 1)
            continue;
        hosts++;
        cr_expect_float_eq(use, .5 * 1440 / 1400, .03, "%s: %g", json_string(link, "from"), use);
    }
    cr_expect_eq(hosts, 3);
    cJSON_Delete(tree);
}

/* ---- traces ---- */

/* Three packets of 1,500 bytes for one output of 10 Gbit/s, in a memory of two. */
Test(cli_datacentre, fates_of_a_trace)
{
    write_text("trace.csv", "# time_ps,input,output,class,bytes\n"
                            "0,0,1,0,1500\n"
                            "0,1,1,0,1500\n"
                            "1000,2,0,0,1500\n"
                            "1200000,3,1,0,1500,1\n"
                            "1200000,3,0,0,64\n");
    cJSON *tree =
        program_json(SIM "--memory 3000 --arrivals trace.csv --fates-out fates.csv --json");
    char *fates = file_text("fates.csv");

    /* the third finds the memory full; the fourth the bytes that the first has just left; for the
     * fifth there are none */
    cr_expect_str_eq(fates, "number,fate,time_ps,marked\n"
                            "0,sent,1200000,0\n"
                            "1,sent,2400000,0\n"
                            "2,refused,1000,0\n"
                            "3,sent,3600000,0\n"
                            "4,refused,1200000,0\n");
    cr_expect_eq(json_number(tree, "result.discarded"), 2);
    cr_expect_float_eq(json_number(tree, "run.duration_ns"), 3600, 1e-9);
    free(fates);
    cJSON_Delete(tree);

    /* the longest queue, with the packet that comes, loses its last packet */
    tree = program_json(SIM "--memory 3000 --admission lqd --arrivals trace.csv --fates-out "
                            "fates.csv --json");
    fates = file_text("fates.csv");
    cr_expect(strstr(fates, "\n2,sent,"), "%s", fates);
    cr_expect(strstr(fates, "\n1,pushed-out,1000,0\n"), "%s", fates);
    free(fates);
    cJSON_Delete(tree);
}

/* ---- hosts ---- */

Test(cli_datacentre, flows_complete)
{
    static const char *const networks[] = {"--ports 4 ", "--topology leaf-spine --hosts 3 "};
    static const char *const senders[] = {"open",  "window",   "reno",          "dctcp",
                                          "delay", "swift",    "timely",        "dcqcn",
                                          "hpcc",  "powertcp", "theta-powertcp"};

    for (int n = 0; n < 2; n++) {
        for (size_t s = 0; s < sizeof senders / sizeof *senders; s++) {
            cJSON *tree =
                program_json(FEW "--load 0.5 --sizes 20000 --ecn step:30K --sender %s %s --json",
                             senders[s], networks[n]);
            const cJSON *sizes = json_at(tree, "result.by_size");
            const cJSON *all = cJSON_GetArrayItem(sizes, cJSON_GetArraySize(sizes) - 1);
            cr_expect(cJSON_IsTrue(json_at(tree, "invariants.packets_conserved")));
            cr_expect_eq(json_number(all, "begun"), json_number(all, "completed"), "%s %s",
                         senders[s], networks[n]);
            cr_expect_gt(json_number(all, "begun"), 20);
            cr_expect_geq(json_number(all, "slowdown.mean"), 1);
            cJSON_Delete(tree);
        }
    }
}

/* Flows that begin in the warm-up are not counted, and a note says how many there are. */
Test(cli_datacentre, flows_of_a_list_before_measuring_are_noted)
{
    static const struct {
        const char *warmup, *note;
        int counted;
    } cases[] = {{"--warmup 0ns", NULL, 3},
                 {"--warmup 1us",
                  "1 flow of the list began in the warm-up of 1 us, and is not in the times of "
                  "flows; with '--warmup 0ns' all would be",
                  2},
                 {"", "3 flows of the list began in the warm-up of 1 ms, and are not", 0}};

    write_text("three.csv", "start_ps,source,destination,bytes,after\n0,0,1,2000,0\n"
                            "1000000,1,2,2000,0\n2000000,2,3,2000,1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program(SIM "--sender open --flow-list three.csv --duration 100us "
                                      "--replications 2 --json %s",
                                  cases[k].warmup);
        cJSON *tree = cJSON_Parse(run.out);
        cr_expect_eq(run.status, 0);
        if (cases[k].note)
            cr_expect(strstr(run.err, cases[k].note), "%s", run.err);
        else
            cr_expect_str_empty(run.err);
        const cJSON *sizes = json_at(tree, "result.by_size");
        const cJSON *all = cJSON_GetArrayItem(sizes, cJSON_GetArraySize(sizes) - 1);
        cr_expect_eq(json_number(all, "begun"), 2 * cases[k].counted);
        cJSON_Delete(tree);
        program_free(&run);
    }
}

/* Where all packets are alike, times are also given in slots, and queues in packets: those of N
 * inputs with load r wait (N - 1)/N r/(2 (1 - r)) slots (Karol, Hluchyj and Morgan 1987), and by
 * Little's law r times the delay are in a queue, whatever cells they take. */
Test(cli_datacentre, slots_beside_ns)
{
    static const char *const cells[] = {"", "--cell 1000"};

    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        cJSON *tree = program_json(
            "sim --architecture shared-memory --ports 4 --arrivals slots --load 0.8 --memory 10MB "
            "--rate 25G --packet-bytes 1250 --duration 10ms --replications 16 --json %s",
            cells[k]);
        const cJSON *delay = json_at(tree, "result.delay_slots");
        const double mean = json_number(delay, "mean"), width = json_number(delay, "half_width");
        cr_expect_float_eq(json_at(tree, "model.slot_ns")->valuedouble, 400, 1e-9);
        cr_expect_lt(fabs(mean - (1 + .75 * .8 / .4)), 2 * width, "%g +- %g", mean, width);
        cr_expect_lt(width, .1);
        cr_expect_float_eq(mean * 400, json_at(tree, "result.delay_ns.mean")->valuedouble, 1e-6);
        cr_expect_float_eq(json_at(tree, "result.queue_packets.mean")->valuedouble,
                           mean * json_at(tree, "result.line_use_fraction.mean")->valuedouble,
                           .002 * mean);
        cJSON_Delete(tree);
    }
    cJSON *tree = program_json("sim --architecture shared-memory --load 0.5 --duration 100us "
                               "--packet-bytes 64:0.5,1500:0.5 --replications 2 --json");
    cr_expect_null(cJSON_GetObjectItem(json_at(tree, "result"), "delay_slots"));
    cJSON_Delete(tree);
}

/* Of flows that begin after the measured time a note is made, too, those that wait for others. */
Test(cli_datacentre, flows_of_a_list_after_measuring_are_noted)
{
    static const struct {
        const char *list, *duration;
        bool noted;
    } cases[] = {{"0,0,1,2000,0\n9000000,1,2,2000,0\n", "10us", false},
                 {"0,0,1,2000,0\n9000000,1,2,2000,0\n", "5us", true},
                 {"0,0,1,2000,0\n1000000,1,2,2000,1\n", "9us", false},
                 {"0,0,1,2000,0\n1000000,1,2,2000,1\n", "2us", true}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        snprintf(text, sizeof text, "start_ps,source,destination,bytes,after\n%s", cases[k].list);
        write_text("late.csv", text);
        program_run run = program(SIM "--sender open --flow-list late.csv --warmup 0ns "
                                      "--duration %s --replications 2 --json",
                                  cases[k].duration);
        cr_expect_eq(run.status, 0);
        const bool noted = strstr(run.err, "flows of the list that begin after the measured time");
        cr_expect_eq(noted, cases[k].noted, "%zu: %s", k, run.err);
        program_free(&run);
    }
}

/* A queue may be as long as the largest memory of a switch, whichever has it. */
Test(cli_datacentre, limits_of_queues_are_those_of_the_largest_memory)
{
    static const char *const rules[] = {"maximum --queue-max", "abm --congested"};
    static const struct {
        const char *leaves, *value;
        int status;
    } cases[] = {{"2 --hosts 1 --spines 4", "40KB", 0},
                 {"2 --hosts 1 --spines 4", "60KB", 2},
                 {"9 --hosts 1 --spines 2", "80KB", 0},
                 {"9 --hosts 1 --spines 2", "100KB", 2}};

    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            program_run run =
                program(SIM "--topology leaf-spine --leaves %s --memory 10KB/port --sender open "
                            "--sizes 9000 --load 0.1 --duration 10us --replications 2 "
                            "--admission %s %s --json",
                        cases[k].leaves, rules[r], cases[k].value);
            cr_expect_eq(run.status, cases[k].status, "%s, %s %s: %s", cases[k].leaves, rules[r],
                         cases[k].value, run.err);
            program_free(&run);
        }
    }
}

/* Text has a dash for times of flows, and queries, of which none is complete. */
Test(cli_datacentre, no_flow_is_complete)
{
    static const struct {
        const char *options, *line;
    } cases[] = {{"--ports 4 --sender window --traffic all-to-all:10TB --duration 100us",
                  "\n  all                    0 slowdown -; 32 not complete\n"},
                 {"--sender window --incast 50000,2,1GB --duration 100us --replications 2",
                  "\n  queries                0 time -; "}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program_succeeds(SIM "%s", cases[k].options);
        cr_expect(strstr(run.out, cases[k].line), "%s", run.out);
        cr_expect_not(strstr(run.out, "nan"), "%s", run.out);
        program_free(&run);
    }
}

/* A sender's parameters are printed in full, as --sender takes them, and are values of a range. */
Test(cli_datacentre, senders_have_parameters)
{
    static const char *const one = "hpcc:eta=0.9,stages=0,increase=90bytes,round=8us";
    static const char *const ranges[] = {"reno", "hpcc:eta=0.9,stages=0", "dcqcn:timer=50us",
                                         "powertcp"};
    char list[200] = "";

    cJSON *tree = program_json(FEW RATED "--sender %s --json", one);
    cr_expect_str_eq(json_string(json_at(tree, "model"), "sender"), one);
    cJSON_Delete(tree);
    for (int k = 0; k < 4; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k ? "," : "", ranges[k]);
    tree = program_json(FEW RATED "--ecn step:30K --sender %s --json", list);
    const cJSON *points = json_at(tree, "points");
    cr_assert_eq(cJSON_GetArraySize(points), 4);
    cJSON_Delete(tree);
}

/* A packet that finds the memory full, and a headroom with no room for it, is no reason for a pause
 * of an input that holds nothing: nothing could leave and end the pause. */
Test(cli_datacentre, no_pause_lasts_for_ever)
{
    cJSON *tree = program_json(FEW "--ports 4 --sender open --sizes 1460 --load 0.9 --memory 7000 "
                                   "--pfc --headroom 1000 --pfc-alpha 8 --json");
    const cJSON *r = cJSON_GetObjectItem(tree, "result");
    const cJSON *paused = cJSON_GetObjectItem(r, "paused_fraction");

    cr_expect_lt(cJSON_GetNumberValue(cJSON_GetObjectItem(paused, "mean")), 0.5);
    cr_expect_gt(cJSON_GetNumberValue(cJSON_GetObjectItem(r, "pauses")), 20);
    cJSON_Delete(tree);
}

/* Two answers with unlike classes of flows, or of queries, have unlike models. */
Test(cli_datacentre, models_say_classes_of_flows_and_queries)
{
    cJSON *tree = program_json(FEW "--classes 2 --sender open " RATED
                                   "--class-shares 0.25,0.75 --incast 1000,2,30K,1 --json");
    const cJSON *model = cJSON_GetObjectItem(tree, "model");

    cr_expect_eq(
        cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(model, "class_shares"), 1)),
        0.75);
    cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(model, "query_class")), 1);
    cJSON_Delete(tree);
}

Test(cli_datacentre, classes_that_no_flow_has)
{
    static const struct {
        const char *options;
        bool noted;
    } cases[] = {{RATED "--classes 2 --sender open", true},
                 {RATED "--sender open", false},
                 {RATED "--classes 2 --sender open --class-shares 0.5,0.5", false},
                 {"--classes 2 --sender open --incast 1000,2,30K,1", false},
                 {"--load 0.5 --classes 2", false},
                 {"--classes 2 --sender open --flow-list classes.csv", false}};

    write_text("classes.csv", "start_ps,source,destination,bytes,class\n20000000,0,1,9000,1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program(FEW "%s", cases[k].options);
        cr_expect_eq(run.status, 0, "%s", run.err);
        cr_expect_eq(strstr(run.err, "no packet is of a class beyond 0") != NULL, cases[k].noted,
                     "%s: %s", cases[k].options, run.err);
        program_free(&run);
    }
}

Test(cli_datacentre, senders_that_hear_no_marks)
{
    static const char *const senders[] = {"dctcp", "dcqcn", "reno"};

    for (int k = 0; k < 3; k++) {
        program_run none = program(FEW RATED "--sender %s", senders[k]);
        program_run marks = program(FEW RATED "--sender %s --ecn step:30K", senders[k]);
        cr_expect_eq(strstr(none.err, "slows down for marks, and there are none without --ecn") !=
                         NULL,
                     k < 2, "%s: %s", senders[k], none.err);
        cr_expect_str_empty(marks.err);
        program_free(&none);
        program_free(&marks);
    }
}

/* ---- bad input ---- */

Test(cli_datacentre, bad_input_is_refused)
{
    static const struct {
        const char *options, *message;
    } cases[] = {
        {"", "--load is required"},
        {"--load 0.5 --rate 0", "--rate"},
        {"--load 0.5 --rate fast", "--rate"},
        {"--load 0.5 --rate 100T", "--rate"},
        {"--load 0.5 --memory 0", "--memory"},
        {"--load 0.5 --memory 5G", "--memory"},
        {"--load 0.5 --memory 5K/queue", "--memory"},
        {"--load 0.5 --cell 0", "--cell"},
        {"--load 0.5 --cell 70000", "--cell"},
        {"--load 0.5 --memory 100 --cell 200", "cell"},
        {"--load 0.5 --memories 0", "--memories"},
        {"--load 0.5 --memories 3",
         "memories must be a divisor of the 8 ports of the switch, not 3"},
        {"--load 0.5 --memories 4 --memory 300 --cell 80",
         "must hold a cell of 80 bytes, but has 75"},
        {"--load 0.5 --memories 2 --admission maximum --queue-max 600K", "--queue-max"},
        {"--load 0.5 --memories 4 --admission minimum --queue-min 150K", "queue-min"},
        {"--load 0.5 --cut-through yes", "--cut-through"},
        {"--load 0.5 --cut-after 80", "--cut-after is for --cut-through on"},
        {"--load 0.5 --cut-through on --cut-after 0", "--cut-after"},
        {"--load 0.5 --ports 0", "--ports"},
        {"--load 0.5 --ports 257", "--ports"},
        {"--load 0.5 --classes 9", "--classes"},
        {"--load 0.5 --classes none", "--classes"},
        {"--load 0.5 --schedule fair", "--schedule"},
        {"--load 0.5 --quantum 1500", "--quantum is for --schedule drr"},
        {"--load 0.5 --schedule drr --quantum 0", "--quantum"},
        {"--load 0.5 --schedule drr --quantum 1.5", "--quantum"},
        {"--load 0.5 --schedule drr --classes 3 --quantum 1,2", "--quantum"},
        {"--load 0.5 --class-alpha 1", "--class-alpha is not for --admission sharing"},
        {"--load 0.5 --admission threshold --class-alpha 1,2", "--class-alpha"},
        {"--load 0.5 --admission threshold --classes 2 --class-alpha 1,0", "--class-alpha"},
        {"--load 0.5 --admission threshold --alpha 1 --class-alpha 1", "cannot both be given"},
        {"--load 0.5 --admission threshold --alpha 0", "--alpha"},
        {"--load 0.5 --admission lqd --alpha 1", "--alpha is not for --admission lqd"},
        {"--load 0.5 --admission threshold --test never", "--test"},
        {"--load 0.5 --admission harmonic --test after", "--test is for --admission threshold"},
        {"--load 0.5 --admission lqd --arriving perhaps", "--arriving"},
        {"--load 0.5 --admission sharing --arriving counted",
         "--arriving is for --admission lqd, not for sharing"},
        {"--load 0.5 --admission abm --drain-interval 0", "--drain-interval"},
        {"--load 0.5 --admission abm --drain-interval 5", "--drain-interval"},
        {"--load 0.5 --admission abm --drain-interval 1ps", "--drain-interval"},
        {"--load 0.5 --drain-interval 5us",
         "--drain-interval is for --admission abm, not for sharing"},
        {"--load 0.5 --admission abm --congested 0", "--congested"},
        {"--load 0.5 --admission occamy --expel-every 0", "--expel-every"},
        {"--load 0.5 --admission occamy --expel-bucket 0", "--expel-bucket"},
        {"--load 0.5 --expel-bucket 4",
         "--expel-bucket is for --admission occamy, not for sharing"},
        {"--load 0.5 --admission maximum", "--queue-max is required"},
        {"--load 0.5 --admission maximum --queue-max 2MB", "--queue-max"},
        {"--load 0.5 --admission minimum", "--queue-min is required"},
        {"--load 0.5 --admission minimum --queue-min 200K", "queue-min"},
        {RATED "--sender open --topology leaf-spine --admission minimum --queue-min 56K",
         "queue-min must be at most 55555 bytes, the memory of switch 0 divided by its 18 queues"},
        {RATED "--sender open --topology leaf-spine --leaves 6 --hosts 1 --admission minimum "
               "--queue-min 200K",
         "queue-min must be at most 166666 bytes, the memory of switch 6 divided by its 6 queues"},
        {RATED "--sender open --topology fat-tree --hosts 30 --ports 4 --admission minimum "
               "--queue-min 40K",
         "the memory of switch 0 divided by its 32 queues"},
        {RATED "--sender open --admission minimum --queue-min 75001 --classes 2 --lossless 0 --pfc "
               "--headroom 50K",
         "queue-min must be at most 37500 bytes, the memory of switch 0 without its headrooms "
         "divided by its 16 queues, not 75001"},
        {"--load 0.5 --admission room", "--admission room is not known"},
        {"--load 0.5 --admission ib --gamma 0.5", "--gamma is for --admission reverie, not for ib"},
        {"--load 0.5 --admission reverie --gamma 1", "gamma"},
        {"--load 0.5 --admission reverie --afd-above 1K",
         "--afd-above is for --admission ib, not for reverie"},
        {"--load 0.5 --admission ib --afd-interval 0ns", "afd-interval"},
        {"--load 0.5 --admission fab", "fab asks how much a flow has sent"},
        {"--load 0.5 --admission edt --test after", "--test is for --admission threshold, "},
        {"--load 0.5 --admission abm --new-flow 1K",
         "--new-flow is for --admission fab, not for abm"},
        {"--load 0.5 --admission abm --first-alpha 0", "first-alpha"},
        {"--load 0.5 --admission longst", "longst"},
        {"--load 0.5 --admission lqd --ties none", "--ties"},
        {"--load 0.5 --admission lqd --drop middle", "--drop"},
        {"--load 0.5 --ecn 30K", "--ecn must be step:K or red:KMIN,KMAX,PMAX"},
        {"--load 0.5 --ecn step:much", "--ecn step"},
        {"--load 0.5 --ecn red:30K,20K,1", "--ecn red"},
        {"--load 0.5 --ecn red:20K,30K,2", "--ecn red"},
        {"--load 0.5 --ecn red:20K,30K", "--ecn must be"},
        {"--load 0.5 --mark-at enqueue", "--mark-at needs --ecn"},
        {"--load 0.5 --ecn step:1K --mark-at exit", "--mark-at"},
        {"--load 0.5 --arrivals nowhere.csv", "does not go with packets of a file"},
        {"--arrivals nowhere.csv", "cannot read 'nowhere.csv'"},
        {"--load 0.5 --packet-bytes 0", "--packet-bytes"},
        {"--load 0.5 --packet-bytes 2000000", "--packet-bytes"},
        {"--load 0.5 --packet-bytes 64:0.5,1500", "--packet-bytes"},
        {"--load 0.5 --packet-bytes 64:0.5,1500:0.4", "sum to 1"},
        {"--load 0.5 --arrivals slots --packet-bytes 64:0.5,1500:0.5", "one size"},
        {"--load 0.5 --class-shares 0.5,0.5", "--class-shares"},
        {RATED "--sender dctcp+cubic", "each of the 1 class"},
        {RATED "--sender dctcp+cubic --classes 3", "each of the 3 classes"},
        {RATED "--sender dctcp+cubic+swift --classes 2", "each of the 2 classes"},
        {RATED "--sender dctcp+mail --classes 2", "'mail'"},
        {RATED "--sender dctcp+swift:ease=1us --classes 2", "'ease'"},
        {RATED "--sender dctcp+spray --classes 2", "'spray'"},
        {"--sender dctcp --classes 2 --incast 1000,2,30K,2", "CLASS"},
        {"--sender dctcp --classes 2 --incast 1000,2,30K,0,1", "RATE,FANIN,SIZE[,CLASS]"},
        {"--sender dctcp --classes 2 --incast 1000,2,30K --class-shares 0.5,0.5",
         "--class-shares needs --sizes"},
        {"--load 0.5 --classes 2 --class-shares 0.5,0.4", "sum to 1"},
        {"--load 0.5 --classes 2 --class-shares 1", "--class-shares"},
        {"--load -1", "--load"},
        {"--load 0.5,0.4", "--load"},
        {"--load 1.5 --arrivals slots", "--load"},
        {"--load 0.5 --duration 0", "--duration"},
        {"--load 0.5 --duration 10", "--duration"},
        {"--load 0.5 --warmup 10", "--warmup"},
        {"--load 0.5 --fates-out f.csv", "--fates-out needs --arrivals FILE"},
        {"--load 0.5 --replications 0", "--replications"},
        {"--load 0.5 --threads 0", "--threads"},
        {"--load 0.5 --seed -1", "--seed"},
        {"--load 0.5 --confidence 2", "--confidence"},
        {"--load 0.5 --topology mesh", "--topology must be switch"},
        {"--load 0.5 --engine sync", "--engine must be async"},
        {"--load 0.5 --buffer damq", "--buffer does not go with"},
        {"--load 0.5 --slots 4", "--slots does not go with"},
        {"--load 0.5 --cycles 400", "--cycles does not go with"},
        {"--load 0.5 --flow block", "--flow does not go with"},
        {"--load 0.5 --rare", "--rare does not go with"},
        {"--load 0.5 --traffic uniform", "--traffic needs --sender"},
        {"--load 0.5 --delay 1us", "--delay needs --sender"},
        {"--load 0.5 --window 4", "--window needs --sender"},
        {"--load 0.5 --leaves 2", "--leaves is for --topology leaf-spine"},
        {"--load 0.5 --topology leaf-spine", "--topology leaf-spine needs --sender"},
        {"--load 0.5 --pfc", "--pfc needs --sender"},
        {"--load 0.5 --headroom 1K", "--headroom needs --pfc"},
        {"--sender nobody --load 0.5", "nobody"},
        {"--sender dctcp", "--sender needs flows"},
        {"--sender dctcp --load 0.5", "--load of hosts needs --sizes"},
        {"--sender dctcp --sizes 20000", "--sizes needs --load or --off"},
        {"--sender open --sizes 9K --load 0.5 --off 5us", "--off and --load cannot both"},
        {"--sender open --off 5us --incast 100,2,9K", "--off needs --sizes"},
        {"--sender open --sizes 9K --off 0", "--off"},
        {"--sender open --traffic ring-all-reduce", "--traffic must be"},
        {"--sender open --traffic none:9K", "--traffic must be"},
        {"--ports 4 --sender window --traffic permutation:10TB --duration 1ms",
         "traffic: a flow may have at most 6270652249240 bytes in packets of 1500 bytes with "
         "headers of 40, not 10000000000000"},
        {"--ports 4 --sender open --traffic all-to-all:13GB --packet-bytes 41",
         "traffic: a flow may have at most 4294967294 bytes"},
        {"--ports 4 --sender open --traffic ring-all-reduce:18GB --packet-bytes 41",
         "bytes with headers of 40, not 4500000000"},
        {"--sender open --sizes 7TB --load 0.5", "sizes: a flow may have at most 6270652249240"},
        {"--sender open --incast 5,1,10000000% --memory 1MB --packet-bytes 41", "--incast"},
        {"--sender open --incast 5,1,100000% --memory 5MB --packet-bytes 41",
         "incast: a flow may have at most 4294967294 bytes"},
        {"--sender open --flow-list long.csv --duration 20us",
         "long.csv', line 3: the size in bytes must be"},
        {"--sender open --traffic ring-all-reduce:4", "a collective of 8 hosts"},
        {"--sender open --traffic ring-all-reduce:9K --flow-list x.csv",
         "does not go with a collective"},
        {"--load 0.5 --off 5us", "--off needs --sender"},
        {"--load 0.5 --series 100", "--series"},
        {"--load 0.5 --series 0", "--series"},
        {"--load 0.5 --duration 10ms --series 1ps", "a series may have up to 100000 windows"},
        {"--load 0.5 --series 1ms --plot x.svg", "--plot needs a range"},
        {"--load 0.5 --traffic ring-all-reduce:9K", "--traffic needs --sender"},
        {"--load 0.5 --plot x.svg", "--plot needs a range"},
        {"--sender open --sizes 9K --load 0.3 --pfc --headroom 9K --admission threshold",
         "--admission changes nothing"},
        {HOSTS "--sizes nowhere.txt", "nowhere.txt"},
        {HOSTS "--arrivals slots", "--arrivals does not go with --sender"},
        {HOSTS "--packet-bytes 64:0.5,1500:0.5", "--packet-bytes is one size"},
        {HOSTS "--incast 5", "--incast must be RATE,FANIN,SIZE"},
        {HOSTS "--incast 0,3,5K", "--incast RATE"},
        {HOSTS "--incast 5,0,5K", "--incast FANIN"},
        {HOSTS "--incast 5,3,1", "--incast SIZE"},
        {HOSTS "--incast 5,3,x%", "--incast SIZE"},
        {HOSTS "--flow-list nowhere.csv", "nowhere.csv"},
        {HOSTS "--window 0", "--window"},
        {HOSTS "--header 20000", "--header"},
        {HOSTS "--ack-bytes 0", "--ack-bytes"},
        {HOSTS "--least-timeout 0", "--least-timeout"},
        {HOSTS "--target-delay 5us", "--target-delay is for --sender delay"},
        {HOSTS "--delay soon", "--delay"},
        {RATED "--sender hpcc:eta=2", "sender hpcc:eta must be a number from 0.001 to 1, not '2'"},
        {RATED "--sender hpcc:stages=1.5", "sender hpcc:stages"},
        {RATED "--sender hpcc:theta=1", "has the parameters eta, stages, increase, round"},
        {RATED "--sender hpcc:eta", "has the parameters eta, stages, increase, round"},
        {RATED "--sender hpcc:eta=0.9,eta=0.8", "sender hpcc:eta is given twice"},
        {RATED "--sender reno:eta=0.9", "--sender reno has no parameters"},
        {RATED "--sender dcqcn:timer=5", "sender dcqcn:timer must be a time with its unit"},
        {RATED "--sender timely:low=500us,high=50us",
         "sender timely: low must be at most high, which is 50 us, not 500 us"},
        {RATED "--sender timely:low=600us", "sender timely: low must be at most high"},
        {RATED "--sender timely:start=1Mb/s",
         "sender timely: least must be at most start, which is 1 Mb/s, not 100 Mb/s"},
        {RATED "--sender dcqcn:start=1Mb/s", "sender dcqcn: least must be at most start"},
        {RATED "--sender dcqcn:timer=1ps", "--sender dcqcn:timer"},
        {RATED "--sender dcqcn:alpha-timer=999ns", "--sender dcqcn:alpha-timer"},
        {RATED "--sender timely:increase=5", "sender timely:increase must be a rate"},
        {RATED "--sender swift:large=1", "sender swift:large must be a number from 2"},
        {RATED "--sender hpcc --window 4", "--window is not for --sender hpcc"},
        {RATED "--sender open --window 4", "--window is not for --sender open"},
        {RATED "--sender powertcp --topology leaf-spine --spread spray",
         "spread must be ecmp, not spray"},
        {HOSTS "--pfc --headroom 10K --memories 2",
         "memories must be 1 with priority flow control"},
        {HOSTS "--topology leaf-spine --spines 3 --memories 2",
         "memories must be a divisor of the 19 ports"},
        {HOSTS "--pfc", "--pfc needs --headroom"},
        {HOSTS "--pfc --headroom 10K --lossless 1", "--lossless"},
        {HOSTS "--pfc --headroom 10K --classes 2 --lossless 0.5", "--lossless"},
        {HOSTS "--pfc --headroom 10K --pfc-alpha 0", "--pfc-alpha"},
        {HOSTS "--pfc --headroom 10K --pause-response -1ns", "--pause-response"},
        {HOSTS "--pause-watchdog 5us", "--pause-watchdog needs --pfc"},
        {HOSTS "--pfc --headroom 10K --pause-watchdog 5us", "--pause-watchdog is for --topology"},
        {HOSTS "--pfc --headroom 1K --topology leaf-spine --pause-watchdog 0us",
         "--pause-watchdog must be"},
        {HOSTS "--pfc --headroom 1K --topology leaf-spine --pause-watchdog 5us:",
         "--pause-watchdog RESTORATION must be"},
        {HOSTS "--topology leaf-spine --ports 4", "--ports is for --topology switch and fat-tree"},
        {HOSTS "--topology fat-tree --ports 5", "ports of a fat tree"},
        {HOSTS "--topology fat-tree --leaves 4", "--leaves is for --topology leaf-spine"},
        {HOSTS "--topology graph:nowhere.txt", "nowhere.txt"},
        {HOSTS "--topology graph:", "--topology must be switch, leaf-spine, fat-tree"},
        {HOSTS "--topology fat-tree --spread flowlet:", "--spread flowlet"},
        {HOSTS "--topology fat-tree --spread flowlet:5", "--spread flowlet"},
        {HOSTS "--topology fat-tree --spread flowlet", "--spread must be"},
        {HOSTS "--spread spray", "--spread is for --topology"},
        {HOSTS "--topology leaf-spine --leaves 0", "--leaves"},
        {HOSTS "--topology leaf-spine --spines 0", "--spines"},
        {HOSTS "--topology leaf-spine --hosts 0", "--hosts"},
        {HOSTS "--topology leaf-spine --spine-links 0", "--spine-links"},
        {HOSTS "--topology leaf-spine --spine-rate 5", "--spine-rate"},
        {HOSTS "--topology leaf-spine --spread wide", "--spread"},
    };

    write_text("long.csv", "start_ps,source,destination,bytes\n0,0,1,6270652249240\n"
                           "1,0,1,6270652249241\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program(SIM "%s", cases[k].options);
        cr_expect_eq(run.status, 2, "'%s': status %d", cases[k].options, run.status);
        cr_expect(strstr(run.err, cases[k].message), "'%s': %s", cases[k].options, run.err);
        cr_expect_str_empty(run.out, "'%s'", cases[k].options);
        program_free(&run);
    }
}

/* A leaf has two ports to hosts and two to spines, each of which may have a quarter. */
Test(cli_datacentre, reserves_of_small_switches_fit)
{
    program_run run = program_succeeds(
        FEW RATED "--sender open --topology leaf-spine --leaves 4 --hosts 2 --spines 2 --memory "
                  "100KB --admission minimum --queue-min 25000");
    program_free(&run);
}

Test(cli_datacentre, bad_traces_are_refused_by_line)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no packets"},
        {"# nothing\n", "no packets"},
        {"0,0,1,0\n", "line 1"},
        {"0,0,1,0,1500\n0,0,1,0,0\n", "line 2"},
        {"0,0,1,0,1500,2\n", "line 1"},
        {"0,0,1,0,1500,1,1\n", "line 1"},
        {"0,0,-1,0,1500\n", "line 1"},
        {"0,0,x,0,1500\n", "line 1"},
        {"0,0,256,0,1500\n", "line 1"},
        {"5,0,1,0,1500\n4,0,1,0,1500\n", "times must not go back, from 5 to 4"},
        {"0,0,8,0,1500\n", "packet 0"},
        {"0,0,1,1,1500\n", "packet 0"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_text("bad.csv", cases[k].text);
        program_run run = program(SIM "--arrivals bad.csv");
        cr_expect_eq(run.status, 2, "'%s': status %d", cases[k].text, run.status);
        cr_expect(strstr(run.err, "bad.csv") && strstr(run.err, cases[k].message), "'%s': %s",
                  cases[k].text, run.err);
        program_free(&run);
    }
}

/* Options of these switches mean nothing elsewhere. */
Test(cli_datacentre, other_networks_refuse_its_options)
{
    static const char *const options[] = {"--rate 10G",       "--memory 1MB",   "--cell 200",
                                          "--classes 2",      "--schedule drr", "--ecn step:1K",
                                          "--arrivals slots", "--duration 1ms"};

    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        program_run run = program("sim --buffer damq --slots 4 --load 0.5 %s", options[k]);
        cr_expect_eq(run.status, 2);
        cr_expect(strstr(run.err, "is for --architecture shared-memory"), "%s: %s", options[k],
                  run.err);
        program_free(&run);
    }
    program_run run = program("solve --architecture shared-memory --load 0.5");
    cr_expect_eq(run.status, 2);
    cr_expect(strstr(run.err, "sim --architecture shared-memory"), "%s", run.err);
    program_free(&run);
}

/* All flows go the same way round a ring: the circle of pauses is named, in text and in JSON. */
Test(cli_datacentre, a_deadlock_of_pauses_is_named)
{
    static const char question[] =
        SIM "--topology graph:five.txt --sender open --flow-list round.csv --pfc --headroom 20K "
            "--memory 200K --warmup 0 --duration 5ms --replications 1";
    FILE *graph = fopen("five.txt", "w"), *flows = fopen("round.csv", "w");

    fputs("start_ps,source,destination,bytes\n", flows);
    for (int k = 0; k < 5; k++) {
        fprintf(graph, "host h%d s%d\n", k, k);
        fprintf(flows, "0,%d,%d,3000000\n", k, (k + 2) % 5);
    }
    for (int k = 0; k < 5; k++)
        fprintf(graph, "link s%d s%d speed=10 delay=1000\n", k, (k + 1) % 5);
    fclose(graph);
    fclose(flows);
    cJSON *answer = program_json("%s --json", question);
    const cJSON *circle = json_at(answer, "result.deadlock");
    cr_expect(cJSON_IsTrue(json_at(answer, "result.deadlocked")));
    cr_expect_eq(cJSON_GetArraySize(circle), 5);
    for (int k = 0; k < 5; k++)
        cr_expect_eq(json_number(cJSON_GetArrayItem(circle, k), "next_switch"),
                     json_number(cJSON_GetArrayItem(circle, (k + 1) % 5), "switch"));
    /* outputs have the names of the file, as the lines of --per-link do */
    const cJSON *first = cJSON_GetArrayItem(circle, 0);
    const int at = (int)json_number(first, "switch");
    char from[40], line[100];
    snprintf(from, sizeof from, "s%d:%d", at, (int)json_number(first, "output"));
    cr_expect_str_eq(json_string(first, "from"), from);
    cr_expect(strncmp(json_string(first, "to"), "s", 1) == 0 &&
              atoi(json_string(first, "to") + 1) == (int)json_number(first, "next_switch"));
    snprintf(line, sizeof line, "    %s -> %s, class 0", from, json_string(first, "to"));
    program_run run = program_succeeds("%s", question);
    cr_expect(strstr(run.out, "DEADLOCK in 1 of 1 replications"), "%s", run.out);
    cr_expect(strstr(run.out, line), "%s: %s", line, run.out);
    program_free(&run);
    cJSON_Delete(answer);
}
