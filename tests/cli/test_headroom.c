/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq headroom: its numbers in text, JSON and CSV, ranges, and refusals of options.
 */
#include "tests/cli/program.h"
#include "tests/support/support.h"

TestSuite(cli_headroom, .init = program_begin, .fini = program_end, .timeout = 120);

/* 8 cells for the packet that decides, 559 for the shortest ones, 8 for the last one. */
Test(cli_headroom, numbers)
{
    const char *line = "headroom --rate 100G --cable 5";
    cJSON *tree = program_json("%s --json", line);
    program_run text = program_succeeds("%s", line), csv = program_succeeds("%s --csv", line);

    cr_expect_eq(json_number(tree, "result.least_headroom_bytes"), 144 * (8 + 559 + 8));
    cr_expect_eq(json_number(tree, "result.sonic_headroom_bytes"), 81920);
    cr_expect_eq(json_number(tree, "result.sonic_slack_bytes"), 81920 - 82800);
    cr_expect_eq(json_number(tree, "passing.busy_bytes"), 9100);
    cr_expect_eq(json_number(tree, "model.pause_quanta"), 394);
    cr_expect_float_eq(json_number(tree, "passing.flight_bytes"), 2 * 5 / 198e6 * 1e11 / 8, 1e-9);
    cr_expect_str_eq(json_string(tree, "passing.window_exactly"), "17736104/495");
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(tree, "worst_packets")), 3);
    cr_expect(strstr(text.out, "least that is enough   82800 bytes, proven"), "%s", text.out);
    cr_expect(strstr(text.out, "SONiC's slack          -880 bytes: it can lose packets"), "%s",
              text.out);
    expect_cell(csv.out, 1, "least_headroom_bytes", tree, "result.least_headroom_bytes");
    cJSON_Delete(tree);
    program_free(&text);
    program_free(&csv);
}

/* With the gaps of Ethernet fewer packets come, and the same headroom is enough. */
Test(cli_headroom, a_headroom_is_judged)
{
    cJSON *tree = program_json("headroom --headroom 81920 --json");

    cr_expect_eq(json_number(tree, "result.first_packet_lost"), 561);
    cr_expect(
        cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "result"), "headroom_enough")));
    cJSON_Delete(tree);
    tree = program_json("headroom --headroom 81920 --gap 20 --json");
    cr_expect(
        cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(tree, "result"), "headroom_enough")));
    cJSON_Delete(tree);
    program_run text = program_succeeds("headroom --headroom 1152");
    cr_expect(
        strstr(text.out, "1152 bytes are too few: packet 2 of these 561 is the first one lost"),
        "%s", text.out);
    program_free(&text);
}

/* The paused class has one length: what passes in whole packets, with the ends of a range. */
Test(cli_headroom, a_range_is_a_table)
{
    cJSON *tree = program_json("headroom --rate 25,100 --cable 0:300:300 --json");
    const cJSON *points = cJSON_GetObjectItem(tree, "points");

    cr_expect_eq(cJSON_GetArraySize(points), 4);
    cr_expect_eq(json_number(cJSON_GetArrayItem(points, 0), "model.link_rate_gbps"), 25);
    cr_expect_eq(json_number(cJSON_GetArrayItem(points, 3), "model.cable_metres"), 300);
    cJSON_Delete(tree);
    program_run text = program_succeeds("headroom --rate 25,100 --cable 0:300:300");
    cr_expect(strstr(text.out, "least that is enough"), "%s", text.out);
    program_free(&text);
}

/* What a simulated switch loses, in packets, and the most that was in a headroom of its inputs. */
static double simulated(const char *link, double headroom, double *most)
{
    cJSON *tree = program_json(
        "sim --architecture shared-memory --ports 8 --memory 4MB --pfc --sender open --load 0.9 "
        "--sizes websearch --incast 1000,7,1460000 --warmup 500us --duration 1ms %s --headroom "
        "%.0f --json",
        link, headroom);
    const double lost = json_number(tree, "result.discarded");

    *most = json_number(tree, "result.headroom_most_bytes");
    cJSON_Delete(tree);
    return lost;
}

/* Packets of one length: the simulated headroom is filled to the byte, and loses with one less. */
Test(cli_headroom, the_simulation_needs_exactly_as_much)
{
    static const struct {
        const char *asked, *simulated;
    } links[] = {
        {"--rate 100G --cable 4.95 --lossless-mtu 1500 --port-mtu 1500 --least-packet 1500 "
         "--cell 144",
         "--rate 100G --delay 25ns --pause-response 2017.28ns --packet-bytes 1500 --cell 144"},
        {"--rate 25G --cable 198 --lossless-mtu 1500 --port-mtu 1500 --least-packet 1500 "
         "--cell 144",
         "--rate 25G --delay 1us --pause-response 1638.4ns --packet-bytes 1500 --cell 144"},
    };

    for (int k = 0; k < 2; k++) {
        cJSON *tree = program_json("headroom --mac-phy 0 %s --json", links[k].asked);
        const double least = json_number(tree, "result.least_headroom_bytes");
        double most;
        cr_expect_eq(simulated(links[k].simulated, least, &most), 0);
        cr_expect_eq(most, least, "%s: %.0f, not %.0f", links[k].asked, most, least);
        cr_expect(simulated(links[k].simulated, least - 1, &most) > 0, "%s", links[k].asked);
        cJSON_Delete(tree);
    }
}

static void expect_refused(const char *options, const char *words)
{
    program_run run = program("headroom %s", options);

    cr_expect_eq(run.status, 2, "%s", options);
    cr_expect(strstr(run.err, words), "%s: %s", options, run.err);
    program_free(&run);
}

Test(cli_headroom, bad_input_is_named)
{
    expect_refused("--rate 60", "--quanta is required with --rate 60");
    expect_refused("--rate 100T", "--rate must be from 1 Mb/s to 1.6 Tb/s, not '100T'");
    expect_refused("--rate 100.00001", "--rate must have at most three decimals");
    expect_refused("--cable 0.0001", "--cable must have at most three decimals");
    expect_refused("--lossless-mtu 9000 --port-mtu 1500",
                   "--lossless-mtu must be at most --port-mtu, 1500, not 9000");
    expect_refused("--least-packet 1025",
                   "--least-packet must be at most --lossless-mtu, 1024, not 1025");
    expect_refused("--trigger x", "--trigger 'x' is unknown; known: headroom, threshold");
}
