/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --plot of a range: points past saturation, ranges of axes, logarithmic axes, one panel, PDF, and
 * one colour for each kind. What gnuplot is told is looked at, through a gnuplot that keeps its
 * script.
 */
#include "tests/cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(plot_view, .init = program_begin, .fini = program_end, .timeout = 240);

#define KEEP                                                                                       \
    "mkdir -p bin && printf '#!/bin/sh\\ncp \"$1\" seen\\n' >bin/gnuplot && chmod +x bin/gnuplot " \
    "&& "                                                                                          \
    "PATH=$PWD/bin:$PATH "
#define NETWORK "sim --stages 2 --slots 4 --flow block --cycles 2000 "

/* The script for the plot of a command line. */
static char *script_of(const char *line)
{
    program_run run = program_shell(KEEP "\"$SWITCHQ\" %s --plot p.svg", line);

    cr_assert_eq(run.status, 0, "%s: %s", line, run.err);
    program_free(&run);
    return file_text("seen");
}

static void expect_told(const char *line, const char *told)
{
    char *script = script_of(line);

    cr_expect(strstr(script, told), "%s: no '%s' in %s", line, told, script);
    free(script);
}

/* The number at the end of the first range of y, "set yrange [*:10.6]". */
static double end_of_y(const char *script)
{
    const char *at = strstr(script, "set yrange [*:");

    cr_assert_not_null(at, "%s", script);
    return atof(at + strlen("set yrange [*:"));
}

/* A network of fifos saturates below 0.6. */
Test(plot_view, points_past_saturation_are_hollow_and_do_not_set_the_axis)
{
    char *with = script_of(NETWORK "--buffer fifo --load 0.2:0.9:0.1");
    char *more = script_of(NETWORK "--buffer fifo --load 0.2:1:0.1");
    char *without = script_of(NETWORK "--buffer fifo --load 0.2:0.4:0.1");

    cr_expect(strstr(with, "with points pt 6 "), "hollow circles: %s", with);
    cr_expect_null(strstr(without, "with points pt 6 "), "%s", without);
    cr_expect_eq(end_of_y(with), end_of_y(more), "a point further past saturation");
    free(with);
    free(more);
    free(without);
}

/* An approximation has no run that could grow, but the rule of simulations for sources. */
Test(plot_view, approximations_past_saturation_are_hollow)
{
    cJSON *answer =
        program_json("approx --buffer fifo --slots 4 --flow block --load 0.3:0.9:0.6 --json");
    char *with = script_of("approx --buffer fifo --slots 4 --flow block --load 0.2:0.9:0.1");

    cr_expect(cJSON_IsFalse(
        json_at(cJSON_GetArrayItem(json_at(answer, "points"), 0), "result.saturated")));
    cr_expect(cJSON_IsTrue(
        json_at(cJSON_GetArrayItem(json_at(answer, "points"), 1), "result.saturated")));
    cr_expect(strstr(with, "with points pt 6 "), "hollow circles: %s", with);
    end_of_y(with);
    free(with);
    cJSON_Delete(answer);
}

/* The same in a study, of latencies; throughput does not grow. */
Test(plot_view, points_of_studies_past_saturation_do_not_set_the_axis)
{
    static const char *const y[] = {"latency_cycles", "throughput"};

    for (int k = 0; k < 2; k++) {
        program_run run = program_shell(
            KEEP
            "sh -c 'echo \"{command: sim, set: {slots: 4, stages: 2, flow: block, sources: open, "
            "cycles: 3000, buffer: fifo}, over: {load: [0.2, 0.4, 0.9]}}\" >study.yaml && "
            "\"$SWITCHQ\" sweep study.yaml && "
            "\"$SWITCHQ\" sweep study.yaml --plot x=load y=%s -o p.svg'",
            y[k]);
        cr_assert_eq(run.status, 0, "%s", run.err);
        char *script = file_text("seen");
        cr_expect(strstr(script, "with points pt 6 "), "%s", script);
        cr_expect_eq(strstr(script, "set yrange [*:") != NULL, k == 0, "%s", script);
        program_free(&run);
        free(script);
    }
}

Test(plot_view, axes_are_as_asked)
{
    expect_told(NETWORK "--buffer damq --load 0.1:0.5:0.1 --x-range 0:0.6",
                "set xrange [0:0.59999");
    expect_told(NETWORK "--buffer damq --load 0.1:0.5:0.1 --y-range 2:20", "set yrange [2:20]");
    expect_told(NETWORK "--buffer damq --load 0.1:0.5:0.1 --log-axes y", "set logscale y");
    expect_told(NETWORK "--buffer damq --load 0.1:0.5:0.1 --log-axes xy", "set logscale x");
    expect_told("worst --admission lqd --queues 2 --slots 2:6:1 --log-axes x", "set logscale x");
    expect_told("approx --buffer damq --slots 4 --load 0.1:0.5:0.1 --y-range 2:9",
                "set yrange [2:9]");
}

Test(plot_view, one_panel_is_chosen)
{
    char *script = script_of(NETWORK "--buffer damq --load 0.1:0.5:0.1 --panel latency_cycles");

    cr_expect(strstr(script, "set title \"Mean latency over load"), "%s", script);
    cr_expect_null(strstr(script, "multiplot"), "%s", script);
    free(script);
    script = script_of("solve --buffer damq --slots 2:4:1 --load 0.1:0.5:0.1 --panel "
                       "mean_delay_cycles/throughput");
    cr_expect(strstr(script, "over throughput"), "%s", script);
    free(script);
}

Test(plot_view, a_kind_has_one_colour_everywhere)
{
    static const char *const lines[] = {
        NETWORK "--buffer damq --load 0.1:0.3:0.1",
        NETWORK "--buffer fifo,damq --load 0.1:0.3:0.1",
        NETWORK "--buffer damq,samq --load 0.1:0.3:0.1",
        "solve --buffer cbda,damq --slots 2 --load 0.1:0.3:0.1",
        "table 4.1",
    };

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        expect_told(lines[k], "lc rgb '#0072b2' pt 13 dt solid title \"");
}

/* The y of wormhole networks is the latency of the tail; that of others, the head's. */
Test(plot_view, worms_are_drawn_by_their_tails)
{
    expect_told("sim --topology mesh --dims 4x4 --architecture wormhole --length 4 --cycles 1000 "
                "--load 0.1:0.3:0.1",
                "set ylabel \"mean latency, tail (cycles)\"");
    expect_told("sim --topology mesh --dims 4x4 --buffer damq --cycles 1000 --load 0.1:0.3:0.1",
                "set ylabel \"mean latency (cycles)\"");
}

Test(plot_view, a_pdf)
{
    program_run run =
        program_shell("\"$SWITCHQ\" " NETWORK "--buffer damq --load 0.1:0.3:0.1 --plot p.pdf");
    char *bytes = run.status ? NULL : file_text("p.pdf");

    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_expect_eq(strncmp(bytes, "%PDF-", 5), 0);
    free(bytes);
    program_free(&run);
}

Test(plot_view, bad_input_is_refused)
{
    static const char *const wrong[][2] = {
        {"--load 0.1 --x-range 0:1", "--x-range"},
        {"--load 0.1:0.3:0.1 --y-range 0:1", "--plot"},
        {"--load 0.1:0.3:0.1 --plot p.svg --y-range 1:0", "1:0"},
        {"--load 0.1:0.3:0.1 --plot p.svg --y-range 1", "'1'"},
        {"--load 0.1:0.3:0.1 --plot p.svg --y-range 1:", "'1:'"},
        {"--load 0.1:0.3:0.1 --plot p.svg --y-range 0:nan", "nan"},
        {"--load 0.1:0.3:0.1 --plot p.svg --log-axes z", "'z'"},
        {"--load 0.1:0.3:0.1 --plot p.svg --log-axes y --y-range 0:9", "logarithmic"},
        {"--load 0.1:0.3:0.1 --plot p.svg --panel latency", "'latency'"},
        {"--load 0.1:0.3:0.1 --plot p.svg --panel latency_cycles/", "KEY/KEY"},
        {"--load 0.1:0.3:0.1 --plot p.svg --panel regret_packets", "regret_packets"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        program_run run = program(NETWORK "--buffer damq %s", wrong[k][0]);
        cr_expect_eq(run.status, 2, "%s: %d", wrong[k][0], run.status);
        cr_expect(strstr(run.err, wrong[k][1]), "%s: %s", wrong[k][0], run.err);
        program_free(&run);
    }
}
