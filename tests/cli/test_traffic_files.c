/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices of traffic and loads of each node from files: where a file says what a pattern says, the
 * same random words are drawn, and the numbers are equal to the bit.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_traffic_files, .init = program_begin, .fini = program_end, .timeout = 240);

/* ---- files ---- */

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A matrix in full, or a list of shares; share(i, j) of node i's packets go to node j. */
static void write_matrix(const char *name, int nodes, bool listed, double (*share)(int, int, int))
{
    FILE *file = fopen(name, "w");

    cr_assert(file);
    if (listed)
        fprintf(file, "# a list\nsender,receiver,share\n");
    for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
            if (!listed)
                fprintf(file, "%.17g%c", share(nodes, i, j), j + 1 < nodes ? ' ' : '\n');
            else if (share(nodes, i, j) > 0)
                fprintf(file, "%d,%d,%.17g\n", i, j, share(nodes, i, j));
        }
    }
    cr_assert_eq(fclose(file), 0);
}

static double to_any(int nodes, int i, int j)
{
    (void)i, (void)j;
    return 1.0 / nodes;
}

static double to_any_other(int nodes, int i, int j)
{
    return i == j ? 0 : 1.0 / (nodes - 1);
}

static double to_complement(int nodes, int i, int j)
{
    return j == nodes - 1 - i; /* nodes is a power of two */
}

/* Three times, so that rows have to be divided by their sums. */
static double thrice_to_any(int nodes, int i, int j)
{
    return 3 * to_any(nodes, i, j);
}

static double thrice_to_any_other(int nodes, int i, int j)
{
    return 3 * to_any_other(nodes, i, j);
}

/* A sixth to the next node, a third to the one after it, and half to the third one. */
static double to_next_three(int nodes, int i, int j)
{
    const int ahead = (j - i + nodes) % nodes;

    return ahead >= 1 && ahead <= 3 ? ahead / 6.0 : 0;
}

/* ---- the same numbers ---- */

/* Without what depends on the machine. */
static void forget_times(cJSON *item)
{
    static const char *const of_machine[] = {"seconds", "memory", "speed", "per_second", "peak"};

    for (cJSON *child = item->child, *next; child; child = next) {
        bool gone = false;
        next = child->next;
        for (size_t k = 0; k < sizeof of_machine / sizeof *of_machine && child->string; k++)
            gone = gone || strstr(child->string, of_machine[k]);
        if (gone)
            cJSON_Delete(cJSON_DetachItemViaPointer(item, child));
        else
            forget_times(child);
    }
}

static char *result_of(const char *line, const char *traffic)
{
    cJSON *tree = program_json("sim %s --traffic %s --json", line, traffic);
    cJSON *result = cJSON_GetObjectItem(tree, "result");

    cr_assert(result);
    forget_times(result);
    char *text = cJSON_Print(result);
    cJSON_Delete(tree);
    return text;
}

static void expect_same(const char *line, const char *pattern, const char *file)
{
    char *a = result_of(line, pattern), *b = result_of(line, file);

    cr_expect(strstr(a, "throughput"), "%s", line);
    cr_expect_str_eq(a, b, "%s: %s and %s differ", line, pattern, file);
    free(a);
    free(b);
}

/* Networks of 16 nodes of both engines, and whether nodes send to themselves. */
static const struct {
    const char *line;
    bool selfs;
} networks[] = {
    {"--topology omega --stages 2 --buffer damq --slots 3 --load 0.6", true},
    {"--topology butterfly --stages 2 --buffer fifo --slots 3 --load 0.6 --flow block", true},
    {"--topology switch --ports 16 --buffer safc --slots 32 --load 0.6 --sources open", true},
    {"--engine async --topology omega --stages 2 --buffer damq --load 0.4", true},
    {"--engine async --topology baseline --stages 2 --buffer fifo --load 0.4 --burst 3", true},
    {"--engine async --topology switch --ports 16 --architecture output-queued --load 0.4", true},
    {"--topology torus --dims 4x4 --buffer damq --load 0.3", false},
    {"--topology mesh --dims 4x4 --buffer safc --bytes 200 --load 0.2 --sources open", false},
    {"--topology hypercube --dims 4 --buffer damq --load 0.3", false},
    {"--topology tree --arity 4 --levels 2 --buffer damq --load 0.3", false},
    {"--topology fat-tree --radix 4 --levels 3 --buffer damq --load 0.3", false},
    {"--topology hyperx --dims 4x2 --hosts 2 --buffer damq --load 0.3", false},
    {"--topology dragonfly --hosts 2 --routers 2 --globals 1 --architecture wormhole --routing "
     "ugal --load 0.2",
     false},
    {"--topology graph:ring --architecture wormhole --lanes 8 --load 0.1", false},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

static void write_ring(void)
{
    FILE *file = fopen("ring", "w");

    cr_assert(file);
    for (int i = 0; i < 16; i++)
        fprintf(file, "router %d node %d router %d\n", i, i, (i + 1) % 16);
    cr_assert_eq(fclose(file), 0);
}

static int nodes_of(const char *line)
{
    cJSON *tree = program_json("sim %s --cycles 100 --json", line);
    const int nodes = (int)json_number(tree, "model.nodes");

    cJSON_Delete(tree);
    return nodes;
}

Test(cli_traffic_files, a_matrix_is_its_pattern_in_every_topology)
{
    char line[256];

    write_ring();
    for (int k = 0; k < NETWORKS; k++) {
        const bool selfs = networks[k].selfs;
        const int nodes = nodes_of(networks[k].line);
        write_matrix("full", nodes, false, selfs ? to_any : to_any_other);
        write_matrix("list", nodes, true, selfs ? to_any : to_any_other);
        write_matrix("thrice", nodes, false, selfs ? thrice_to_any : thrice_to_any_other);
        write_matrix("selfs", nodes, true, to_any);
        snprintf(line, sizeof line, "%s --cycles 600 --seed 5", networks[k].line);
        expect_same(line, "uniform", "file:full");
        expect_same(line, "uniform", "file:list");
        expect_same(line, "uniform", "file:thrice --normalise");
        expect_same(line, "uniform", "file:selfs --normalise");
        if ((nodes & (nodes - 1)) != 0)
            continue;
        write_matrix("complement", nodes, true, to_complement);
        expect_same(line, "bit-complement", "file:complement");
    }
}

Test(cli_traffic_files, a_matrix_in_mixtures_and_groups)
{
    static const char line[] = "--topology torus --dims 4x4 --buffer damq --cycles 2000 --seed 2 "
                               "--length 16";

    write_matrix("complement", 16, true, to_complement);
    write_matrix("others", 16, false, to_any_other);
    expect_same(line, "0.3*bit-complement@8+0.7*uniform --load 0.3",
                "0.3*file:complement@8+0.7*file:others --load 0.3");
    expect_same(line,
                "uniform --group mask=1,value=0,load=0.2,traffic=bit-complement "
                "--group mask=0,load=0.1",
                "file:others --group mask=1,value=0,load=0.2,traffic=file:complement "
                "--group mask=0,load=0.1");
    expect_same(line, "bit-complement --load 0.3 --hot-spots 0.1:3",
                "file:complement --load 0.3 --hot-spots 0.1:3");
}

/* ---- shares and loads as asked for ---- */

/* Counts the packets that nodes send in a run by their sender and receiver. */
static void count_starts(const char *arguments, int nodes, double *count)
{
    program_run run = program_succeeds("%s --starts starts.csv", arguments);
    char *text = file_text("starts.csv");

    program_free(&run);
    for (char *at = strchr(text, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        unsigned long long cycle;
        int from, to;
        if (sscanf(at + 1, "%llu,,,,%d,%d", &cycle, &from, &to) == 3 && from < nodes && to < nodes)
            count[from * nodes + to]++;
    }
    free(text);
}

/* Pearson's statistic of the destinations of all senders, each with two degrees of freedom; its
 * standard deviation is the root of twice as many as it has. */
Test(cli_traffic_files, packets_go_where_the_matrix_says)
{
    static const char *const lines[] = {
        "sim --stages 2 --buffer damq --slots 4 --load 0.3",
        "sim --topology torus --dims 4x4 --buffer damq --load 0.2",
    };

    write_matrix("next", 16, true, to_next_three);
    for (int k = 0; k < 2; k++) {
        double count[256] = {0}, statistic = 0, all = 0;
        char line[256];
        snprintf(line, sizeof line, "%s --cycles 20000 --traffic file:next", lines[k]);
        count_starts(line, 16, count);
        for (int i = 0; i < 16; i++) {
            double sent = 0;
            for (int j = 0; j < 16; j++)
                sent += count[i * 16 + j];
            for (int j = 0; j < 16; j++) {
                const double expected = sent * to_next_three(16, i, j);
                all += count[i * 16 + j];
                cr_assert(expected > 0 || count[i * 16 + j] == 0, "%d to %d", i, j);
                if (expected > 0)
                    statistic += pow(count[i * 16 + j] - expected, 2) / expected;
            }
        }
        cr_expect_gt(all, 1000);
        cr_expect_lt(fabs(statistic - 32), 5 * sqrt(64), "%s: %g", lines[k], statistic);
    }
}

/* Senders whose loads are far from what holds them back: a message of 32 bytes is created with the
 * probability load / 32 in each cycle, independently of others. */
Test(cli_traffic_files, each_sender_offers_its_load)
{
    static const char *const lines[] = {
        "--topology torus --dims 4x2 --buffer damq",
        "--engine async --topology omega --ports 2 --buffer damq",
        ("--topology dragonfly --hosts 1 --routers 2 --globals 1 --architecture wormhole --length "
         "32"),
    };
    enum { CYCLES = 400000 };

    write_file("loads", "0 0.01 0.02 0.03, 0.04 0.05\n0.06 0.08");
    write_file("loads6", "0 0.01 0.02 0.04 0.06 0.08");
    for (int k = 0; k < 3; k++) {
        static const double load[][8] = {{0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08},
                                         {0, 0.01, 0.02, 0.04, 0.06, 0.08}};
        cJSON *tree = program_json("sim %s --sources open --load file:%s --cycles %d --warmup 1000 "
                                   "--per-node --json",
                                   lines[k], k == 2 ? "loads6" : "loads", CYCLES);
        const cJSON *nodes = json_at(tree, "result.nodes");
        cr_assert_eq(cJSON_GetArraySize(nodes), k == 2 ? 6 : 8);
        for (int i = 0; i < cJSON_GetArraySize(nodes); i++) {
            const double asked = load[k == 2][i];
            const double sent = json_number(cJSON_GetArrayItem(nodes, i), "bytes_created") / CYCLES;
            const double error = sqrt(asked * 32 / CYCLES);
            cr_expect(fabs(sent - asked) <= 5 * error, "%s: node %d sends %g, not %g", lines[k], i,
                      sent, asked);
        }
        cr_assert_eq(cJSON_GetArraySize(json_at(tree, "model.load")), k == 2 ? 6 : 8);
        cJSON_Delete(tree);
    }
}

/* One load for all is the same as that load from a file. */
Test(cli_traffic_files, equal_loads_are_one_load)
{
    static const char *const lines[] = {
        "--topology torus --dims 2x2 --buffer damq --cycles 3000",
        "--engine async --stages 1 --buffer damq --cycles 3000 --sources open --burst 3",
        "--engine async --stages 1 --buffer damq --cycles 3000 --sources hold --burst 2",
        "--engine async --stages 1 --buffer damq --cycles 3000 --flow virtual-clock",
    };

    write_file("loads", "0.4 0.4 0.4 0.4");
    for (int k = 0; k < 4; k++)
        expect_same(lines[k], "uniform --load 0.4", "uniform --load file:loads");
}

/* No approximation is for a matrix, yet. */
Test(cli_traffic_files, approximations_are_for_patterns)
{
    write_matrix("thrice", 4, true, thrice_to_any);
    program_run run = program("approx --stages 2 --ports 2 --buffer fifo --slots 3 --load 0.4 "
                              "--traffic file:thrice --normalise");
    expect_refusal(&run, 2, "traffic", "matrix");
    program_free(&run);
}

/* With --normalise, a node without shares sends nothing. */
Test(cli_traffic_files, a_row_of_zeros_is_silent)
{
    static const char *const lines[] = {
        "--stages 1 --buffer damq --slots 3",
        "--engine async --stages 1 --buffer damq",
        "--topology mesh --dims 2x2 --buffer safc --bytes 200",
    };

    write_file("some", "sender,receiver,share\n0,1,5\n0,2,5\n3,2,1\n");
    for (int k = 0; k < 3; k++) {
        cJSON *tree = program_json("sim %s --load 0.2 --traffic file:some --normalise --per-node "
                                   "--cycles 3000 --json",
                                   lines[k]);
        const cJSON *nodes = json_at(tree, "result.nodes");
        for (int i = 0; i < 4; i++) {
            const double sent = json_number(cJSON_GetArrayItem(nodes, i), "created");
            cr_expect_eq(sent > 0, i == 0 || i == 3, "%s: node %d", lines[k], i);
        }
        cJSON_Delete(tree);
    }
}

/* ---- refusals ---- */

Test(cli_traffic_files, refusals)
{
    static const struct {
        const char *arguments, *name, *value;
    } bad[] = {
        {"--traffic file:short", "node 1", "0.9: --normalise"},
        {"--traffic file:counts", "'counts'", "--normalise"},
        {"--traffic file:nothing", "'nothing'", "not 0, or lines of sender,receiver,share"},
        {"--traffic file:missing", "node 2", "not 0: with --normalise, a node without"},
        {"--traffic file:many", "'many' has more than 16 numbers", NULL},
        {"--traffic file:twice", "two shares", "sender 1 and receiver 2"},
        {"--traffic file:far", "receiver of entry 2", "0 to 3, not 4"},
        {"--traffic file:half", "sender of entry 1", "not 0.5"},
        {"--traffic file:two", "three numbers in each line", NULL},
        {"--traffic file:words", "number 3 of 'words'", "'x'"},
        {"--traffic file:minus", "number 3 of 'minus'", "'-1'"},
        {"--traffic file:minus --normalise", "number 3 of 'minus'", "from 0 to 1e300"},
        {"--traffic file", "--traffic", "file needs a value"},
        {"--traffic file:gone", "'gone'", "No such file"},
        {"--traffic uniform --normalise", "--normalise", "file:PATH"},
        {"--traffic file:good --find-saturation --load file:loads", "load", NULL},
        {"--load file:few", "--load", "4 numbers, not 3"},
        {"--load file:big", "--load", "'1.5'"},
    };
    static const char *const engines[] = {"--stages 1 --slots 4 --buffer damq",
                                          "--engine async --stages 1 --buffer damq"};

    write_file("good", "0 1 1\n1 2 1\n2 3 1\n3 0 1\n");
    write_file("short", "0 1 1\n1 2 0.9\n2 3 1\n3 0 1\n");
    write_file("counts", "0 3 2 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n");
    write_file("nothing", "# nothing\n");
    write_file("missing", "0 1 1\n1 2 1\n3 0 1\n");
    write_file("many", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n0 0\n");
    write_file("twice", "0 1 1\n1 2 0.5\n1 2 0.5\n2 3 1\n3 0 1\n");
    write_file("far", "0 1 1\n1 4 1\n");
    write_file("half", "sender,receiver,share\n0.5 1 1\n1 2 1\n");
    write_file("two", "sender,receiver,share\n0 1\n");
    write_file("words", "0 1 x\n");
    write_file("minus", "0 1 -1\n");
    write_file("loads", "0.1 0.1 0.1 0.1");
    write_file("few", "0.1 0.1 0.1");
    write_file("big", "0.1 1.5 0.1 0.1");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        for (int e = 0; e < 2; e++) {
            const bool loaded = strstr(bad[k].arguments, "--load") != NULL;
            program_run run =
                program("sim %s %s%s", engines[e], bad[k].arguments, loaded ? "" : " --load 0.5");
            expect_refusal(&run, 2, bad[k].name, bad[k].value);
            program_free(&run);
        }
    }
}

/* A node sends nothing to itself where there is no way; all of its packets, as in a permutation,
 * make it silent. */
Test(cli_traffic_files, packets_to_oneself)
{
    static const char line[] = "sim --topology torus --dims 2x2 --buffer damq --load 0.2 --cycles "
                               "2000 --traffic file:%s";

    write_file("some", "0 0 0.5\n0 1 0.5\n1 2 1\n2 3 1\n3 0 1\n");
    write_file("all", "0 0 1\n1 2 1\n2 3 1\n3 0 1\n");
    program_run run = program(line, "some");
    expect_refusal(&run, 2, "node 0 of 'some'", "topology torus has no way: --normalise");
    program_free(&run);
    run = program_succeeds(line, "some --normalise");
    program_free(&run);
    run = program_succeeds(line, "all --group mask=0");
    cr_assert(strstr(run.out, "of which 1 sends nothing"), "%s", run.out);
    program_free(&run);
    run = program("sim --topology torus --dims 2x2 --buffer damq --load 0.2 --benchmark I "
                  "--normalise");
    expect_refusal(&run, 2, "--normalise", NULL);
    program_free(&run);
}

/* Numbers behind the last of a matrix, also where its lines look like those of a list; and traffic
 * that no node sends. */
Test(cli_traffic_files, numbers_too_many_and_nothing_sent)
{
    static const char ring[] = "sim --topology graph:ring --architecture wormhole --load 0.2 "
                               "--cycles 500 --traffic file:%s";

    write_file("ring", "host a x\nhost b y\nhost c z\nlink x y\nlink y z\nlink z x\n");
    write_file("turn", "0 1 0\n0 0 1\n1 0 0\n");
    write_file("more", "0 1 0\n0 0 1\n1 0 0 0\n");
    write_file("selfish", "1 0 0\n0 1 0\n0 0 1\n");
    write_file("zero", "0 0 0\n0 0 0\n0 0 0\n");
    write_file("great", "0 1 0\n0 0 1e301\n1 0 0\n");
    program_run run = program_succeeds(ring, "turn");
    program_free(&run);
    run = program(ring, "more");
    expect_refusal(&run, 2, "--traffic", "9 numbers, not 10");
    program_free(&run);
    run = program(ring, "selfish");
    expect_refusal(&run, 2, "--traffic", "no node of 'selfish' sends anything to another one");
    program_free(&run);
    run = program(ring, "zero --normalise");
    expect_refusal(&run, 2, "--traffic", "no node of 'zero' sends anything");
    program_free(&run);
    run = program(ring, "great --normalise");
    expect_refusal(&run, 2, "--traffic", "from 0 to 1e300, not '1e301'");
    program_free(&run);
}

Test(cli_traffic_files, failures_are_a_number_and_a_seed_or_a_file)
{
    static const char *const wrong[] = {"1", "-1:1", "1:", "1:2:3", "9999999999:1"};

    write_file("ring", "host a x\nhost b y\nhost c z\nlink x y\nlink y z\nlink z x\n");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run run = program(
            "sim --topology graph:ring --architecture wormhole --load 0.2 --fail %s", wrong[k]);
        expect_refusal(&run, 2, "--fail must be N:SEED", wrong[k]);
        program_free(&run);
    }
}

/* Two links join neighbours of a row, and a packet takes that of its destination's parity. Where
 * nodes send to one parity alone, both are always busy; of random destinations neither is. */
Test(cli_traffic_files, two_links_of_a_hyperx)
{
    static const char line[] =
        "sim --topology hyperx --dims 3 --hosts 4 --width 2 --architecture wormhole --lanes 4 "
        "--lane-flits 32 --length 1 --load 1 --warmup 1000 --cycles 3000 --json --traffic %s";
    program_run made =
        program_shell("awk 'BEGIN { for (i = 0; i < 12; i++) { print i, (i + 4) %% 12, 0.5; "
                      "print i, (i + 4 + (i %% 4 < 2 ? 2 : -2)) %% 12, 0.5 } }' > parity");
    cJSON *alike = program_json(line, "file:parity"), *random = program_json(line, "adv+1");

    cr_expect_float_eq(json_number(alike, "result.throughput.mean"), 0.5, 1e-9);
    cr_expect_lt(json_number(random, "result.throughput.mean"), 0.47);
    cr_expect_gt(json_number(random, "result.throughput.mean"), 0.43);
    cJSON_Delete(alike);
    cJSON_Delete(random);
    program_free(&made);
}
