/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `sim` says about fairness: counts by sender against those of the senders' links, which are
 * counted one by one; least, greatest and index against the rows of nodes; the senders that are
 * alike; and what chance makes of the least of many.
 */
#include "tests/cli/program.h"

TestSuite(cli_fairness_answer, .init = program_begin, .fini = program_end, .timeout = 120);

static double number_of(const cJSON *item, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(item, key);

    cr_assert(value, "%s", key);
    if (cJSON_IsObject(value))
        value = cJSON_GetObjectItemCaseSensitive(value, "mean");
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static double fairness(const cJSON *answer, const char *key)
{
    return number_of(json_at(answer, "result.fairness"), key);
}

static void expect_near(double a, double b, const char *what, const char *line)
{
    cr_expect(fabs(a - b) <= 1e-12 + 1e-9 * fabs(b), "%s: %s is %.12g, not %.12g", line, what, a,
              b);
}

/* ---- counts ---- */

/* What leaves a sender goes over its link, which the engines count packet by packet. */
Test(cli_fairness_answer, what_leaves_a_sender_went_over_its_link)
{
    static const char *const lines[] = {
        "--stages 2 --ports 4 --buffer damq --slots 4 --flow block --load 0.9",
        "--stages 2 --ports 4 --buffer damq --slots 4 --flow block --load 0.9 --engine plain",
        "--stages 2 --ports 2 --buffer fifo --slots 2 --flow block --load 0.5 --sources open",
        "--stages 2 --ports 2 --buffer fifo --slots 2 --flow block --load 0.9 --sources open "
        "--queue-limit 3",
        "--stages 2 --ports 4 --buffer cbda --slots 4 --flow block --load 0.9 --burst 4",
        "--engine async --topology torus --dims 4x4 --buffer damq --load 0.4",
        "--engine async --topology torus --dims 4x4 --buffer damq --load 0.2 --sources open",
        "--engine async --stages 2 --ports 4 --architecture wormhole --load 0.4 --length 64",
        "--engine async --stages 2 --ports 4 --architecture central --bytes 256 --load 0.9",
        "--engine async --topology tree --arity 4,4 --management recn-iq --bytes 4096 --load 0.5",
        "--engine async --topology tree --arity 4,4 --management voqsw --bytes 1024 --load 0.5 "
        "--sources open --interface-packets 4",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        cJSON *answer = program_json("sim %s --warmup 500 --cycles 3000 --per-node --per-link "
                                     "--json",
                                     lines[k]);
        const cJSON *links = json_at(answer, "result.links"), *node;
        int i = 0;
        cJSON_ArrayForEach(node, json_at(answer, "result.nodes"))
        {
            const cJSON *link = cJSON_GetArrayItem(links, i++);
            expect_near(number_of(node, "sender_throughput"), number_of(link, "utilisation"),
                        "a sender's throughput", lines[k]);
        }
        cJSON_Delete(answer);
    }
}

/* Packets that come back to be sent again are taken off: in the long run what leaves is what is
 * delivered. */
Test(cli_fairness_answer, packets_that_come_back_have_not_left)
{
    cJSON *answer = program_json("sim --stages 2 --ports 2 --buffer fifo --slots 2 --load 0.5 "
                                 "--flow discard --resend --cycles 20000 --per-node --json");
    const cJSON *node;
    double sent = 0, received = 0;

    cJSON_ArrayForEach(node, json_at(answer, "result.nodes"))
    {
        sent += number_of(node, "sender_throughput");
        received += number_of(node, "throughput");
    }
    cr_expect(fabs(sent - received) * 20000 <= 32, "%g sent, %g received", sent, received);
    cr_expect_gt(json_number(answer, "result.discard_fraction.mean"), 0.01);
    cJSON_Delete(answer);
}

/* ---- the group ---- */

Test(cli_fairness_answer, numbers_are_those_of_the_nodes)
{
    static const char *const lines[] = {
        "--engine async --topology mesh --dims 6 --buffer damq --traffic node:5 --load 1",
        "--stages 2 --ports 4 --buffer damq --slots 4 --flow block --load 0.9 --traffic "
        "hotspot:0.3",
        "--engine async --topology omega --stages 2 --ports 4 --buffer damq --traffic node:0 "
        "--load 1 --arbiter fixed",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        cJSON *answer =
            program_json("sim %s --warmup 2000 --cycles 20000 --per-node --json", lines[k]);
        double least = INFINITY, greatest = 0, sum = 0, squares = 0, nothing = 0;
        const cJSON *node;
        int n = 0;
        cJSON_ArrayForEach(node, json_at(answer, "result.nodes"))
        {
            const double x = number_of(node, "sender_throughput");
            if (strstr(lines[k], "mesh") && n == 5) /* it has nothing to send */
                continue;
            least = fmin(least, x);
            greatest = fmax(greatest, x);
            sum += x;
            squares += x * x;
            nothing += x == 0;
            n++;
        }
        expect_near(fairness(answer, "least_throughput"), least, "the least", lines[k]);
        expect_near(fairness(answer, "greatest_throughput"), greatest, "the greatest", lines[k]);
        expect_near(fairness(answer, "jain_index"), sum * sum / (n * squares), "index", lines[k]);
        expect_near(fairness(answer, "senders_alike"), n, "senders alike", lines[k]);
        expect_near(fairness(answer, "senders_with_load"), n, "senders with load", lines[k]);
        expect_near(fairness(answer, "senders_without_throughput"), nothing, "those without",
                    lines[k]);
        cJSON_Delete(answer);
    }
}

Test(cli_fairness_answer, text_says_who_gets_nothing)
{
    program_run run = program("sim --engine async --topology omega --stages 2 --ports 4 --buffer "
                              "damq --traffic node:0 --load 1 --arbiter fixed --warmup 2000");

    cr_expect(strstr(run.out, "15 of 16 senders that offer load got nothing through"), "%s",
              run.out);
    cr_expect(strstr(run.out, "by its rule, arbiter fixed favours the first inputs"), "%s",
              run.out);
    program_free(&run);
}

/* Of a run in which nobody is held up, nobody starves, however little there is to send. */
Test(cli_fairness_answer, who_has_little_to_send_does_not_starve)
{
    cJSON *answer =
        program_json("sim --engine async --topology mesh --dims 8x8 --buffer damq "
                     "--load 0.0005 --sources open --warmup 20000 --cycles 2000 --json");

    expect_near(fairness(answer, "senders_without_throughput"), 0, "those without", "little");
    cJSON_Delete(answer);
}

/* ---- senders that are alike ---- */

Test(cli_fairness_answer, only_senders_of_the_same_load_are_compared)
{
    FILE *file = fopen("loads", "w");
    for (int i = 0; i < 16; i++)
        fprintf(file, "%g\n", i < 10 ? 0.1 : 0.4);
    fclose(file);
    const char *line = "sim --stages 2 --ports 4 --buffer damq --slots 8 --flow block --sources "
                       "open --load file:loads --cycles 20000 --json";
    cJSON *answer = program_json("%s", line);

    cr_expect_gt(fairness(answer, "jain_index"), 0.99);
    cr_expect(fairness(answer, "senders_alike") == 10 || fairness(answer, "senders_alike") == 6);
    expect_near(fairness(answer, "senders_with_load"), 16, "senders with load", line);
    cJSON_Delete(answer);
}

Test(cli_fairness_answer, groups_are_compared_within)
{
    cJSON *answer = program_json(
        "sim --engine async --stages 2 --ports 4 --buffer damq --group mask=8,value=0,load=0.1 "
        "--group mask=8,value=8,load=0.5 --sources open --cycles 40000 --json");

    cr_expect_gt(fairness(answer, "jain_index"), 0.98);
    expect_near(fairness(answer, "senders_alike"), 8, "senders alike", "groups");
    cJSON_Delete(answer);
}

Test(cli_fairness_answer, nothing_is_said_where_nothing_is_known)
{
    cJSON *answer = program_json("sim --stages 2 --ports 2 --buffer damq --slots 4 --load 0.9 "
                                 "--flow discard --json");

    cr_expect(isnan(fairness(answer, "least_throughput")));
    cr_expect(isnan(fairness(answer, "jain_index")));
    expect_near(fairness(answer, "senders_alike"), 0, "senders alike", "discard");
    cJSON_Delete(answer);
}

/* ---- chance ---- */

/* The least of 64 equal senders is, on average, as low as chance makes it: 20 seeds, each of which
 * scatters by some 0.45 of the deviation of a sender, of which the expected least is 2.4 below the
 * mean; so the mean of the 20 is within 0.3 of the deviations. */
Test(cli_fairness_answer, the_least_of_many_is_as_low_as_chance_makes_it)
{
    enum { SEEDS = 20 };
    double least = 0, by_chance = 0;

    for (int seed = 1; seed <= SEEDS; seed++) {
        cJSON *answer =
            program_json("sim --stages 3 --ports 4 --buffer damq --slots 4 --flow block "
                         "--load 0.5 --sources open --cycles 3000 --seed %d --json",
                         seed);
        least += (0.5 - fairness(answer, "least_throughput")) / SEEDS;
        by_chance += (0.5 - fairness(answer, "least_by_chance")) / SEEDS;
        cJSON_Delete(answer);
    }
    cr_expect(fabs(least / by_chance - 1) <= 0.3 / 2.4, "%g below, %g by chance", least, by_chance);
}
