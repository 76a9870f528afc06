/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq export: where each format goes, what it begins with, that no half set of files is left,
 * and that another tool would find the same discard probability in the files.
 */
#include "tests/cli/program.h"

#include <stdio.h>

TestSuite(cli_export, .init = program_begin, .fini = program_end, .timeout = 120);

#define DAMQ "--buffer damq --slots 2 --load 0.9"

static const struct {
    const char *name, *suffix, *begins;
} single[] = {
    {"drn", ".drn", "@type: DTMC\n"},
    {"mtx", ".mtx", "%%MatrixMarket matrix coordinate real general\n"},
    {"dot", ".dot", "digraph chain {\n"},
};

Test(cli_export, formats_of_one_file_go_to_stdout_or_a_file)
{
    for (int f = 0; f < 3; f++) {
        program_run plain = program_succeeds("export --format %s " DAMQ, single[f].name);
        program_run dash = program_succeeds("export --format %s -o - " DAMQ, single[f].name);
        cr_assert(strncmp(plain.out, single[f].begins, strlen(single[f].begins)) == 0, "%s",
                  plain.out);
        cr_assert_str_eq(plain.out, dash.out);
        /* the suffix is added only once; for the long and the short option */
        for (int has = 0; has < 2; has++) {
            program_run run = program("export --format %s %s x%s " DAMQ, single[f].name,
                                      has ? "--output" : "-o", has ? single[f].suffix : "");
            char name[16];
            snprintf(name, sizeof name, "x%s", single[f].suffix);
            char *text = file_text(name), *names = folder_names();
            cr_assert_eq(run.status, 0);
            cr_assert_str_empty(run.out);
            cr_assert_str_eq(run.err, "21 states written\n");
            cr_assert_str_eq(text, plain.out);
            cr_assert(strlen(names) == strlen(name) + 1, "only %s, not %s", name, names);
            remove(name);
            free(names);
            free(text);
            program_free(&run);
        }
        program_free(&plain);
        program_free(&dash);
    }
}

Test(cli_export, prism_takes_four_files)
{
    program_run run = program("export --format prism -o p " DAMQ);
    char *names = folder_names();

    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_assert_str_empty(run.out);
    cr_assert_str_eq(names, "p.lab p.srew p.sta p.tra ");
    free(names);
    program_free(&run);
}

/* Rules do not need a chain: a switch whose chain would be far too large is written at once. */
Test(cli_export, prism_source_is_rules_and_questions)
{
    program_run run = program("export --format prism-source -o m --buffer damq --ports 4 --slots "
                              "500 --load 0.9 --mem 1M");
    char *names = folder_names(), *model = file_text("m.pm"), *questions = file_text("m.props");

    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_assert_str_empty(run.out);
    cr_assert_str_eq(names, "m.pm m.props ");
    cr_assert(strstr(model, "\ndtmc\n") && strstr(model, "module input3"), "%s", model);
    cr_assert(strstr(questions, "R{\"refused\"}=? [ S ]"), "%s", questions);
    free(names);
    free(model);
    free(questions);
    program_free(&run);

    static const struct {
        const char *options, *name, *value;
    } cases[] = {
        {DAMQ, "prism-source has 2 files", "-o"},
        {"-o x --reduce auto " DAMQ, "--reduce auto", "prism-source"},
        {"-o x --arbiter islip " DAMQ, "random-outputs", "islip"},
        {"-o x --buffer damq --slots 2 --load 2", "--load", "2"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        run = program("export --format prism-source %s", cases[c].options);
        expect_refusal(&run, 2, cases[c].name, cases[c].value);
        program_free(&run);
    }
    names = folder_names();
    cr_assert_str_eq(names, "m.pm m.props ");
    free(names);
}

/* Reads transitions and rewards back, iterates, and compares the loss relative to what is
 * created. */
Test(cli_export, the_files_say_what_solve_says)
{
    enum { MOST = 200 };
    static double p[MOST][MOST], pi[MOST], next[MOST], reward[MOST];
    program_run run = program("export --format prism -o p " DAMQ);
    FILE *transitions = fopen("p.tra", "r"), *rewards = fopen("p.srew", "r");
    int n, entries, from, to, states, count;
    double value, lost = 0;
    char line[80];

    cr_assert(run.status == 0 && transitions && rewards);
    cr_assert_eq(fscanf(transitions, "%d %d", &n, &entries), 2);
    cr_assert(n <= MOST);
    for (int e = 0; e < entries; e++) {
        cr_assert_eq(fscanf(transitions, "%d %d %lf", &from, &to, &value), 3);
        p[from][to] = value;
    }
    cr_assert(fgets(line, sizeof line, rewards) && fgets(line, sizeof line, rewards));
    cr_assert_eq(fscanf(rewards, "%d %d", &states, &count), 2);
    cr_assert_eq(states, n);
    while (count-- > 0) {
        cr_assert_eq(fscanf(rewards, "%d %lf", &from, &value), 2);
        reward[from] = value;
    }
    fclose(transitions);
    fclose(rewards);
    pi[0] = 1;
    for (int step = 0; step < 2000; step++) {
        memset(next, 0, sizeof next);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                next[j] += pi[i] * p[i][j];
        }
        memcpy(pi, next, sizeof pi);
    }
    for (int i = 0; i < n; i++)
        lost += pi[i] * reward[i];
    cJSON *tree = program_json("solve --reduce none --json " DAMQ);
    assert_relative(lost / 1.8, json_number(tree, "result.discard_probability"), 1e-10, "%.17g",
                    lost / 1.8);
    cr_assert_eq(json_number(tree, "chain.states"), n);
    cr_assert_eq(json_number(tree, "chain.transitions"), entries);
    cJSON_Delete(tree);
    program_free(&run);
}

/* All states by default; reduced, as many as solve has. */
Test(cli_export, the_chain_may_be_reduced)
{
    static const char *const words[] = {"none", "auto"};

    for (int k = 0; k < 2; k++) {
        program_run run = program("export --format mtx -o x --reduce %s " DAMQ, words[k]);
        cJSON *tree = program_json("solve --reduce %s --json " DAMQ, words[k]);
        char expected[40];
        snprintf(expected, sizeof expected, "%g states written\n",
                 json_number(tree, "chain.states"));
        cr_assert_str_eq(run.err, expected);
        cJSON_Delete(tree);
        program_free(&run);
    }
}

Test(cli_export, missing_folders_are_made)
{
    program_run run = program("export --format mtx -o made/here/x " DAMQ);

    cr_assert_eq(run.status, 0, "%s", run.err);
    program_free(&run);
    run = program_shell("test -s made/here/x.mtx");
    cr_assert_eq(run.status, 0);
    program_free(&run);
}

/* Either all files appear or none, and no temporary file is left. */
Test(cli_export, a_failure_leaves_no_file)
{
    static const struct {
        const char *line, *value;
    } cases[] = {
        {"\"$SWITCHQ\" export --format dot -o /dev/null/x " DAMQ, "/dev/null/x.dot"},
        {"mkdir x.mtx; \"$SWITCHQ\" export --format mtx -o x " DAMQ
         "; s=$?; rmdir x.mtx; (exit $s)",
         "x.mtx"},
        /* the third of four cannot be renamed */
        {"mkdir x.lab; \"$SWITCHQ\" export --format prism -o x " DAMQ
         "; s=$?; rmdir x.lab; (exit $s)",
         "x.lab"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        program_run run = program_shell("%s", cases[c].line);
        expect_refusal(&run, 2, "cannot write", cases[c].value);
        program_free(&run);
        char *names = folder_names();
        cr_expect_str_empty(names, "%s: left %s", cases[c].line, names);
        free(names);
        program_free(&run);
        run = program_shell("rm -rf ./*");
        program_free(&run);
    }
}

Test(cli_export, a_failure_keeps_the_file_that_was_there)
{
    program_run run = program_shell("echo old >x.dot; \"$SWITCHQ\" export --format dot -o x "
                                    "--buffer damq --slots 6 --load 0.9");
    char *text = file_text("x.dot");

    expect_refusal(&run, 3, "200 states", "525");
    cr_assert_str_eq(text, "old\n");
    free(text);
    program_free(&run);
}

/* Every state of the full chain is in the map, with an orbit of the reduced one; the probabilities
 * of orbits are sums; without a reduction there is no map. */
Test(cli_export, the_map_of_a_reduction)
{
    program_run run = program("export --format mtx -o r --reduce auto --map m.csv " DAMQ);
    char *map = file_text("m.csv"), *line = map;
    int seen[7] = {0}, states = 0, state, orbit;

    cr_assert_str_eq(run.err, "7 states written\n");
    cr_assert(strncmp(map, "state,orbit,len0_0,len0_1,len1_0,len1_1\n", 40) == 0, "%s", map);
    while ((line = strchr(line, '\n')) && sscanf(line + 1, "%d,%d,", &state, &orbit) == 2) {
        cr_assert_eq(state, states++);
        cr_assert(orbit >= 0 && orbit < 7);
        seen[orbit]++;
        line++;
    }
    cr_assert_eq(states, 21);
    cr_assert_eq(seen[0], 1, "the empty switch is alone");
    for (int k = 0; k < 7; k++)
        cr_assert(seen[k] > 0 && 8 % seen[k] == 0, "orbit %d has %d states", k, seen[k]);
    free(map);
    program_free(&run);
    run = program("export --format mtx --map m.csv " DAMQ);
    cr_assert(run.status == 2 && strstr(run.err, "--reduce auto"), "%s", run.err);
    program_free(&run);
    run = program("export --format mtx -o q --reduce auto --map /dev/null/m.csv " DAMQ);
    char *names = folder_names();
    cr_assert(run.status != 0 && !strstr(names, "q.mtx"), "%d %s", run.status, names);
    free(names);
    program_free(&run);
}

/* A packet that decides between two ways sees the same queues in a network and in its file. */
Test(cli_export, decisions_of_packets_are_alike_in_a_graph)
{
    static const char wormhole[] = "--architecture wormhole --lanes 4 --lane-choice any --length 2 "
                                   "--load 0.6 --cycles 2000 --json";

    for (int k = 0; k < 2; k++) {
        const char *routing = k ? "ugal --ugal-threshold 4" : "ugal";
        program_run run = program_succeeds("export --format graph --topology mesh --dims 3x4 "
                                           "-o graph.txt");
        cJSON *a =
            program_json("sim --topology mesh --dims 3x4 --routing %s %s", routing, wormhole);
        cJSON *b =
            program_json("sim --topology graph:graph.txt --routing %s %s", routing, wormhole);
        cJSON *straight = program_json("sim --topology mesh --dims 3x4 %s", wormhole);
        const double hops = json_number(a, "result.switch_hops.mean");
        cr_expect_eq(hops, json_number(b, "result.switch_hops.mean"));
        cr_expect_eq(json_number(a, "result.latency_cycles.mean"),
                     json_number(b, "result.latency_cycles.mean"));
        cr_expect_gt(hops, json_number(straight, "result.switch_hops.mean"));
        cJSON_Delete(a);
        cJSON_Delete(b);
        cJSON_Delete(straight);
        program_free(&run);
    }
}

/* A built-in network, written and simulated from its file, gives the same numbers. */
Test(cli_export, a_network_as_a_graph_is_simulated_alike)
{
    static const char *const networks[] = {
        "mesh --dims 3x4",    "hypercube --dims 3",  "tree --arity 2 --levels 3",
        "torus --dims 3x3",   "dragonfly --hosts 1", "slim-fly --order 3 --hosts 1",
        "polarfly --order 2", "megafly --hosts 1"};
    static const char *const switches[] = {
        "--architecture wormhole --lanes 2 --lane-choice any --deadlock allow --length 4",
        "--buffer damq --slots 4"};
    static const char *const numbers[] = {"throughput", "latency_cycles", "created", "delivered",
                                          "switch_hops"};

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        program_run run =
            program_succeeds("export --format graph --topology %s -o graph.txt", networks[k]);
        program_free(&run);
        for (size_t s = 0; s < 2; s++) {
            cJSON *a = program_json("sim --topology %s %s --load 0.2 --cycles 2000 --json",
                                    networks[k], switches[s]);
            cJSON *b = program_json("sim --topology graph:graph.txt %s --load 0.2 --cycles 2000 "
                                    "--json",
                                    switches[s]);
            for (size_t q = 0; q < sizeof numbers / sizeof *numbers; q++) {
                const cJSON *x = json_at(json_at(a, "result"), numbers[q]);
                const cJSON *y = json_at(json_at(b, "result"), numbers[q]);
                cr_expect(cJSON_Compare(x, y, true), "%s %s: %s", networks[k], switches[s],
                          numbers[q]);
            }
            cr_expect_str_eq(json_string(json_at(b, "model"), "topology"), "graph:graph.txt");
            cJSON_Delete(a);
            cJSON_Delete(b);
        }
    }
}

Test(cli_export, what_no_graph_can_say_is_refused)
{
    static const bad_input cases[] = {
        {"export --format graph", "--topology", "dragonfly"},
        {"export --format graph --topology omega", "omega", NULL},
        {"export --format graph --topology mesh --dims 3x3 --load 0.5", "--load", "graph"},
        {"export --format graph --topology mesh --dims 3x3 --routing adaptive", "routing",
         "adaptive"},
        {"export --format graph --topology torus --dims 4x4x4 --chained -o g.txt", "chained", NULL},
        {"sim --topology graph --buffer damq --load 0.1", "graph:FILE", NULL},
        {"sim --topology graph:missing.txt --buffer damq --load 0.1", "missing.txt", NULL},
        {"solve --topology graph:g.txt --buffer damq --slots 2 --load 0.1", "topology", NULL},
        {"approx --topology graph:g.txt --buffer damq --load 0.1", "g.txt", NULL},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("%s", cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}

/* The help of --format graph has the options of shapes, and none of chains. */
Test(cli_export, graphs_have_help_of_their_own)
{
    program_run run = program_succeeds("export --format graph --help");

    cr_expect(strstr(run.out, "--topology NAME"), "%s", run.out);
    cr_expect(strstr(run.out, "--format routes --topology dragonfly --hosts 2"), "%s", run.out);
    cr_expect_null(strstr(run.out, "--slots"), "%s", run.out);
    program_free(&run);
}
