/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic from each group to another one, adv+I, and the worst case of a Slim Fly: where it goes,
 * and what minimal routing carries of it, against closed forms.
 */
#include "tests/cli/program.h"

#include <math.h>

TestSuite(cli_adversarial, .init = program_begin, .fini = program_end, .timeout = 240);

#define FLITS                                                                                      \
    "--architecture wormhole --lanes 12 --lane-flits 32 --length 1 --max-packet 1 --sources open "

/* ---- where it goes ---- */

/* Sums up, for each sender, the receivers of a run, as far as they are in the group that is `step`
 * further in a ring of `ring` groups of `size` nodes; asserts that they are. Pearson's statistic of
 * all receivers, for senders that have each node of their group alike. */
static void expect_groups(const char *line, int nodes, int size, int ring, int step)
{
    double *count = calloc((size_t)nodes * (size_t)nodes, sizeof *count), statistic = 0;
    program_run run = program_succeeds("sim %s --starts starts.csv", line);
    char *text = file_text("starts.csv");

    cr_assert(count);
    for (char *at = strchr(text, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        unsigned long long cycle;
        int from, to;
        if (sscanf(at + 1, "%llu,,,,%d,%d", &cycle, &from, &to) != 3)
            continue;
        const int group = from / size, place = group % ring;
        cr_assert_eq(to / size, group - place + (place + step) % ring, "%s: %d to %d", line, from,
                     to);
        count[from * nodes + to]++;
    }
    int freedom = 0;
    for (int i = 0; i < nodes; i++) {
        double sent = 0;
        for (int j = 0; j < nodes; j++)
            sent += count[i * nodes + j];
        const int group = i / size, first = (group - group % ring + (group + step) % ring) * size;
        cr_assert_gt(sent, 5 * size, "%s: node %d", line, i);
        for (int j = 0; j < size; j++)
            statistic += pow(count[i * nodes + first + j] - sent / size, 2) / (sent / size);
        freedom += size - 1;
    }
    cr_expect_lt(fabs(statistic - freedom), 5 * sqrt(2 * freedom), "%s: %g", line, statistic);
    free(count);
    free(text);
    program_free(&run);
}

Test(cli_adversarial, goes_to_the_group_ahead)
{
    expect_groups("--topology dragonfly --hosts 2 --load 0.05 --cycles 3000 --traffic adv+1 "
                  "--replications 1 " FLITS,
                  72, 8, 9, 1);
    expect_groups(
        "--topology dragonfly --hosts 1 --routers 4 --globals 1 --load 0.1 --cycles 3000 --traffic "
        "adv+3 --replications 1 " FLITS,
        20, 4, 5, 3);
    expect_groups("--topology megafly --hosts 2 --load 0.05 --cycles 6000 --traffic adv+4 "
                  "--replications 1 " FLITS,
                  20, 4, 5, 4);
    expect_groups("--topology hyperx --dims 3x2 --hosts 3 --load 0.1 --cycles 3000 --traffic "
                  "adv+1 --replications 1 " FLITS,
                  18, 3, 2, 1);
}

/* The same words are drawn as for a subset of nodes, group by group. */
Test(cli_adversarial, is_the_same_as_groups_of_senders)
{
    static const char line[] = "sim --topology dragonfly --hosts 2 --cycles 2000 --replications "
                               "1 --json " FLITS;
    char groups[900] = "";

    for (int g = 0; g < 9; g++)
        snprintf(groups + strlen(groups), sizeof groups - strlen(groups),
                 "--group mask=120,value=%d,load=0.2,traffic=subset:120:%d ", 8 * g,
                 8 * ((g + 2) % 9));
    cJSON *a = program_json("%s --load 0.2 --traffic adv+2", line);
    cJSON *b = program_json("%s %s", line, groups);
    static const char *const keys[] = {"result.throughput.mean", "result.latency_cycles.mean",
                                       "result.created", "result.delivered"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        cr_expect_eq(json_number(a, keys[k]), json_number(b, keys[k]), "%s", keys[k]);
    cr_expect_str_eq(json_string(json_at(a, "model.groups.0"), "traffic"), "adv+2@1");
    cJSON_Delete(a);
    cJSON_Delete(b);
}

/* ---- what is carried ---- */

/* One global link for the a p nodes of a group, straight: at most 1 / (a p), and within 3 percent
 * of it. In a hyperx one link for the t nodes of a router. */
Test(cli_adversarial, minimal_routing_carries_what_one_link_does)
{
    static const struct {
        const char *shape;
        double bound;
    } networks[] = {
        {"--topology dragonfly --hosts 2 --traffic adv+1", 1.0 / 8},
        {"--topology dragonfly --hosts 1 --routers 4 --globals 1 --traffic adv+2", 1.0 / 4},
        {"--topology hyperx --dims 2x3 --hosts 4 --traffic adv+1", 1.0 / 4},
    };

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        cJSON *tree = program_json("sim %s --load 1 --cycles 8000 --warmup 3000 --replications 1 "
                                   "--json " FLITS,
                                   networks[k].shape);
        const double carried = json_number(tree, "result.throughput.mean");
        cr_expect(carried <= networks[k].bound * 1.002 && carried >= 0.97 * networks[k].bound,
                  "%s: %g, not %g", networks[k].shape, carried, networks[k].bound);
        cJSON_Delete(tree);
    }
}

Test(cli_adversarial, ceiling_of_the_links)
{
    static const struct {
        const char *shape;
        double bound;
    } networks[] = {
        {"--topology dragonfly --hosts 2 --traffic adv+1", 1.0 / 8},
        {"--topology megafly --hosts 2 --traffic adv+2", 1.0 / 4},
        {"--topology hyperx --dims 3 --hosts 4 --width 2 --traffic adv+2", 2.0 / 4},
        {"--topology slim-fly --order 3 --hosts 2 --traffic worst-case", 1.0 / 4},
    };

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        cJSON *tree =
            program_json("sim %s --find-saturation --cycles 500 --json " FLITS, networks[k].shape);
        cr_expect_float_eq(json_number(tree, "saturation.ceiling_load"), networks[k].bound, 1e-12);
        cJSON_Delete(tree);
    }
}

/* ---- the worst case of a Slim Fly ---- */

#define SLIMFLY                                                                                    \
    "--topology slim-fly --order 5 --hosts 4 --cycles 4000 --warmup 2000 --replications 1 "

/* The shares of the worst case of q = 5, in integers modulo 5, for 4 nodes a router. */
static void write_worst_case(void)
{
    FILE *file = fopen("worst.txt", "w");

    cr_assert(file);
    for (int r = 0; r < 50; r++) {
        const int side = r / 25, x = r / 5 % 5, y = r % 5,
                  to = side * 25 + (x + 1) % 5 * 5 + (side ? y + 9 - x : y + x) % 5;
        for (int pair = 0; pair < 16; pair++)
            fprintf(file, "%d %d 0.25\n", 4 * r + pair / 4, 4 * to + pair % 4);
    }
    fclose(file);
}

/* The ceiling and the run itself are those of a file of shares. */
Test(cli_adversarial, worst_case_is_that_of_a_file)
{
    static const char *const traffic[] = {"worst-case", "file:worst.txt"};
    double latency[2], ceiling[2];

    write_worst_case();
    for (int k = 0; k < 2; k++) {
        cJSON *run =
            program_json("sim " SLIMFLY "--load 0.1 --json --traffic %s " FLITS, traffic[k]);
        cJSON *bound = program_json(
            "bound --topology slim-fly --order 5 --hosts 4 --json --traffic %s", traffic[k]);
        latency[k] = json_number(run, "result.latency_cycles.mean");
        ceiling[k] = json_number(bound, "result.ceiling_load");
        cJSON_Delete(run);
        cJSON_Delete(bound);
    }
    cr_expect_eq(latency[0], latency[1], "%g, %g", latency[0], latency[1]);
    cr_expect_float_eq(ceiling[0], 1.0 / 8, 1e-12, "%g", ceiling[0]);
    cr_expect_float_eq(ceiling[1], 1.0 / 8, 1e-12, "%g", ceiling[1]);
}

static double worst_case_carried(const char *routing)
{
    cJSON *tree = program_json(
        "sim " SLIMFLY "--load 1 --json --traffic worst-case --routing %s " FLITS, routing);
    const double carried = json_number(tree, "result.throughput.mean");

    cJSON_Delete(tree);
    return carried;
}

/* Straight ways carry what a link does for 8 nodes, within a tenth; ways by another router more,
 * below their ceiling, and UGAL's below the bound for any routing. */
Test(cli_adversarial, detours_carry_more_of_the_worst_case)
{
    const double straight = worst_case_carried("deterministic"),
                 valiant = worst_case_carried("valiant"), ugal = worst_case_carried("ugal");

    cr_expect(straight <= 0.125 * 1.002 && straight >= 0.9 * 0.125, "%g", straight);
    cr_expect(valiant > 2 * straight && valiant < 6.0 / 13, "%g", valiant);
    cr_expect(ugal > 2 * straight && ugal < 0.625, "%g", ugal);
}

/* ---- on the command line ---- */

Test(cli_adversarial, worst_case_is_a_part_of_mixtures)
{
    program_run run = program_succeeds("sim --topology slim-fly --order 3 --buffer damq --load 0.1 "
                                       "--traffic 0.5*worst-case+0.5*uniform@16 --cycles 500");

    cr_expect(strstr(run.out, "0.5*worst-case@32+0.5*uniform@16"), "%s", run.out);
    program_free(&run);
}

Test(cli_adversarial, is_a_part_of_mixtures)
{
    program_run run = program_succeeds("sim --topology dragonfly --hosts 1 --buffer damq --load "
                                       "0.1 --traffic 0.5*adv+1+0.5*adv+2@16 --cycles 500");

    cr_expect(strstr(run.out, "0.5*adv+1@32+0.5*adv+2@16"), "%s", run.out);
    program_free(&run);
}

Test(cli_adversarial, refusals)
{
    static const bad_input bad[] = {
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv+3", "groups further",
         "1 to 2, not '3'"},
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv+0", "groups further", "'0'"},
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv+", "groups further", "''"},
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv", "'adv'", "adv+I"},
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv+I", "groups further", "'I'"},
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv+I:2", "adv+I takes no value",
         "'2'"},
        {"--topology torus --dims 4 --buffer damq --traffic adv+I:tornado", "adv+I takes no value",
         "'tornado'"},
        {"--topology dragonfly --hosts 1 --buffer damq --traffic adv+1+0.5*uniform", "mixture",
         "'adv+1'"},
        {"--topology torus --dims 4 --buffer damq --traffic adv+1", "--traffic adv+1",
         "dragonfly, megafly and hyperx, not for torus"},
        {"--engine async --buffer damq --traffic adv+1", "--traffic adv+1", "not for omega"},
        {"--buffer damq --slots 2 --traffic adv+1", "--traffic adv+1", "asynchronous"},
        {"--topology polarfly --order 3 --buffer damq --traffic worst-case", "--traffic worst-case",
         "topology slim-fly, not for polarfly"},
        {"--engine async --buffer damq --traffic worst-case", "--traffic worst-case",
         "not for omega"},
        {"--buffer damq --slots 2 --traffic worst-case", "--traffic worst-case", "asynchronous"},
        {"--topology slim-fly --order 3 --buffer damq --traffic worst-case:2",
         "worst-case takes no value", "'2'"},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        program_run run = program("sim --load 0.1 %s", bad[k].arguments);
        expect_refusal(&run, 2, bad[k].name, bad[k].value);
        program_free(&run);
    }
}
