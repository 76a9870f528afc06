/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links of different delays: what they add to the latency of a packet that meets no other, delays
 * of levels beside one delay for all and beside the same delays in a file, and what is refused.
 */
#include "tests/cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(link_delays, .init = program_begin, .fini = program_end, .timeout = 120);

#define WORMHOLE " --architecture wormhole --length 1 --cycles 2000 --json "
#define DRAGONFLY                                                                                  \
    " --topology dragonfly --hosts 1 --routers 2 --globals 1 --lanes 6 --lane-flits 64 --load "    \
    "0.2 "                                                                                         \
    "--lane-choice any --deadlock allow"

/* The JSON of a run, without the lines in which the question and the time of the run stand. */
static char *result_of(const char *command)
{
    program_run run =
        program_shell("%s | grep -v -e seconds -e '\"command\"' -e '_delay\"'", command);
    char *result = strdup(run.out);

    cr_assert(strstr(result, "\"result\""), "%s: %s%s", command, result, run.err);
    program_free(&run);
    return result;
}

static double latency_of(const char *delays)
{
    char command[600];
    double latency;

    snprintf(
        command, sizeof command,
        "printf 'host h a%s\\nhost i b%s\\nlink a b%s\\n' > g; $SWITCHQ sim --topology graph:g "
        "--lanes 1 --lane-flits 64 --load 0.01" WORMHOLE,
        delays[0] == '1' ? " delay=3" : "", delays[1] == '1' ? " delay=5" : "",
        delays[2] == '1' ? " delay=40" : "");
    char *result = result_of(command);
    const char *at = strstr(result, "\"latency_tail_cycles\"");
    cr_assert(at && sscanf(at, "\"latency_tail_cycles\": { \"mean\": %lf", &latency) == 1, "%s",
              result);
    free(result);
    return latency;
}

/* Two nodes, and hardly ever a packet behind another: each link of the way adds its own delay. */
Test(link_delays, each_link_adds_its_own)
{
    const double none = latency_of("000");

    cr_expect_float_eq(latency_of("100"), none + 2, 0.1);
    cr_expect_float_eq(latency_of("010"), none + 4, 0.1);
    cr_expect_float_eq(latency_of("001"), none + 39, 0.1);
    cr_expect_float_eq(latency_of("111"), none + 45, 0.1);
}

static void expect_alike(const char *one, const char *other, bool alike)
{
    char *a = result_of(one), *b = result_of(other);

    cr_expect_eq(strcmp(a, b) == 0, alike, "%s\n%s\n%s\n%s", one, a, other, b);
    free(a);
    free(b);
}

Test(link_delays, levels_of_one_delay_are_links_of_this_delay)
{
    expect_alike("$SWITCHQ sim" DRAGONFLY WORMHOLE "--level-delay 7,7,7",
                 "$SWITCHQ sim" DRAGONFLY WORMHOLE "--link-delay 7", true);
    expect_alike("$SWITCHQ sim" DRAGONFLY WORMHOLE "--level-delay 7,7,7",
                 "$SWITCHQ sim" DRAGONFLY WORMHOLE "--level-delay 7,8,7", false);
}

/* Switch w of this dragonfly is in group w / 2. Levels of links are not told apart in a file: the
 * lines of latency and throughput are compared. */
Test(link_delays, levels_are_links_of_a_file)
{
    static const char compare[] =
        "$SWITCHQ export --format graph --topology dragonfly --hosts 1 --routers 2 --globals 1 -o "
        "d.txt && "
        "awk '$1 == \"host\" { print $0, \"delay=2\"; next } $1 == \"link\" { a = $2; b = $3; "
        "sub(/:.*/, \"\", a); sub(/:.*/, \"\", b); gsub(/[^0-9]/, \"\", a); "
        "gsub(/[^0-9]/, \"\", b); print $0, int(a / 2) == int(b / 2) ? \"delay=4\" : "
        "\"delay=19\"; next } { print }' d.txt > delays.txt && "
        "$SWITCHQ sim" DRAGONFLY WORMHOLE "--level-delay 4,19,2 > a; "
        "$SWITCHQ sim --topology graph:delays.txt --lanes 6 --lane-flits 64 --load 0.2 "
        "--lane-choice any --deadlock allow" WORMHOLE "> b; grep -c delay=19 delays.txt; "
        "for f in a b; do grep -E '\"(latency|hops|throughput|offered)' $f | head -12 > $f.lines; "
        "done; wc -l < a.lines; diff a.lines b.lines && echo alike";
    program_run run = program_shell(compare);

    cr_expect(strstr(run.out, "alike"), "%s%s", run.out, run.err);
    cr_expect(run.out[0] == '3', "3 groups have 3 global links: %s", run.out);
    program_free(&run);
}

Test(link_delays, what_is_refused)
{
    static const bad_input cases[] = {
        {DRAGONFLY " --level-delay 10,100", "for local links, global links, hosts", NULL},
        {DRAGONFLY " --level-delay 10,100,1,1", "for local links, global links, hosts", NULL},
        {DRAGONFLY " --level-delay 10,0,1", "--level-delay", "1 to 1024"},
        {DRAGONFLY " --level-delay 10,1025,1", "--level-delay", "1 to 1024"},
        {DRAGONFLY " --level-delay 10:100:1", "--level-delay", "10:100:1"},
        {DRAGONFLY " --level-delay 1,1,1 --link-delay 2", "--link-delay", "--level-delay"},
        {" --engine async --topology omega --ports 2 --stages 3 --load 0.1 --level-delay 1,1,1",
         "--level-delay", "receive from other switches"},
        {" --topology graph:g --lanes 2 --load 0.1 --level-delay 1,1", "--level-delay",
         "delays of their own"},
        {" --topology graph:g --lanes 2 --load 0.1 --link-delay 1", "--link-delay",
         "delays of their own"},
    };
    program_run made = program_shell("printf 'host h a\\nhost i b\\nlink a b delay=2\\n' > g");

    program_free(&made);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("sim%s" WORMHOLE, cases[k].arguments);
        expect_refusal(&run, 2, cases[k].name, cases[k].value);
        program_free(&run);
    }
}
