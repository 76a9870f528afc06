/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * switchq sim --watch: the page of every kind of network is whole and needs nothing else, what is
 * drawn lies beside one another, the numbers in it are those of the run, and what cannot be shown
 * is refused. What the page does in a browser is tests/browser's.
 */
#include "tests/cli/program.h"

#include <stdio.h>
#include <string.h>

TestSuite(cli_watch, .init = program_begin, .fini = program_end, .timeout = 240);

/* The data of the page f.html. */
static cJSON *page_data(void)
{
    static const char begin[] = "class=\"explorer-data\">";
    char *page = file_text("f.html");
    const char *at = strstr(page, begin);

    cr_assert(at, "no data");
    cJSON *tree = cJSON_Parse(at + strlen(begin));
    cr_assert(tree, "no JSON");
    free(page);
    return tree;
}

static double sum_of(const cJSON *array)
{
    const cJSON *one;
    double sum = 0;

    cJSON_ArrayForEach(one, array) sum += one->valuedouble;
    return sum;
}

/* All cells are within the drawing, and no two of them overlap. */
static void check_cells(const cJSON *layout, const char *what)
{
    const int cells = cJSON_GetArraySize(json_at(layout, "names"));
    double(*at)[4] = calloc((size_t)cells, sizeof *at);
    const cJSON *one = json_at(layout, "cells")->child;

    cr_assert(at);
    for (int k = 0; k < 4 * cells; k++, one = one->next) {
        cr_assert(one, "%s", what);
        at[k / 4][k % 4] = one->valuedouble;
    }
    cr_assert_null(one, "%s", what);
    for (int a = 0; a < cells; a++) {
        cr_assert(at[a][0] >= 0 && at[a][1] >= 0 && at[a][2] > 1 && at[a][3] > 1, "%s", what);
        cr_assert(at[a][0] + at[a][2] <= json_number(layout, "width") &&
                      at[a][1] + at[a][3] <= json_number(layout, "height"),
                  "%s: cell %d is outside", what, a);
        for (int b = 0; b < a; b++)
            cr_assert(at[a][0] + at[a][2] <= at[b][0] + 0.11 ||
                          at[b][0] + at[b][2] <= at[a][0] + 0.11 ||
                          at[a][1] + at[a][3] <= at[b][1] + 0.11 ||
                          at[b][1] + at[b][3] <= at[a][1] + 0.11,
                      "%s: cells %d and %d lie on one another", what, a, b);
    }
    free(at);
}

Test(cli_watch, every_kind_of_network_is_drawn)
{
    static const struct {
        const char *network;
        int cells;
        const char *last; /* the last one's name */
    } rows[] = {
        {"--buffer damq --slots 4 --flow block", 192, "stage 3, switch 15, port 3"},
        {"--buffer cbda --slots 4 --ports 2 --stages 3", 12, "stage 3, switch 3"},
        {"--topology switch --buffer fifo --slots 2 --ports 8", 8, "stage 1, switch 0, port 7"},
        {"--engine async --ports 2 --stages 2 --buffer damq --architecture cioq --speedup 2", 16,
         "stage 2, switch 1, output store 1"},
        {"--topology mesh --dims 3x4 --buffer damq", 46, "(2,3), from node 11"},
        {"--topology torus --dims 5 --one-way --buffer fifo", 10, "(4), from node 4"},
        {"--topology torus --dims 3x2x2x3 --buffer damq", 324, NULL},
        {"--topology mesh --dims 2x2x3 --chained --buffer damq", 64, NULL},
        {"--topology hypercube --dims 4 --buffer damq", 80, NULL},
        {"--topology hypercube --dims 5 --architecture cioq --buffer damq", 384, NULL},
        {"--topology tree --arity 4,3 --up-ports 2 --buffer damq", 24, NULL},
        {"--topology fat-tree --radix 4 --levels 3 --architecture cioq --buffer damq", 160, NULL},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *what = rows[k].network;
        program_run run = program_succeeds("sim %s --load 0.3 --cycles 300 --watch f.html", what);
        cJSON *data = page_data();
        const cJSON *one = json_at(data, "runs")->child;
        const cJSON *names = json_at(one, "layout.names");
        const int cells = cJSON_GetArraySize(names);
        const int frames = cJSON_GetArraySize(json_at(one, "delivered"));
        cr_assert_eq(cells, rows[k].cells, "%s: %d", what, cells);
        if (rows[k].last)
            cr_assert_str_eq(cJSON_GetArrayItem(names, cells - 1)->valuestring, rows[k].last);
        check_cells(json_at(one, "layout"), what);
        cr_assert_eq(strlen(json_string(one, "cells")),
                     (size_t)(frames * cells * (int)json_number(one, "digits")), "%s", what);
        cr_assert_eq(frames * json_number(data, "every"), json_number(data, "cycles"));
        cr_assert(frames >= 290 && frames < 600, "%s: %d frames", what, frames);
        cJSON_Delete(data);
        program_free(&run);
    }
}

/* The same run as without --watch, and the packets in the page are the run's. */
Test(cli_watch, shows_the_run)
{
    static const char line[] = "sim --buffer damq --slots 4 --flow block --load 0.5 --traffic "
                               "hotspot:0.1:5 --warmup 0 --cycles 512 --seed 4";
    program_run plain = program("%s --csv", line); /* so short a run is warned of */
    program_run run = program("%s --csv --watch f.html", line);
    cJSON *answer = program_json("%s --json", line), *data = page_data();
    const cJSON *one = json_at(data, "runs")->child;
    char *page = file_text("f.html");

    cr_assert_str_eq(run.out, plain.out);
    cr_assert_eq(json_number(data, "every"), 1);
    cr_assert_eq(sum_of(json_at(one, "delivered")), json_number(answer, "result.delivered"));
    cr_assert_eq(json_number(data, "hot"), 5);
    cr_assert_eq(cJSON_GetArraySize(json_at(one, "layout.ways")), 21);
    cr_assert_eq(cJSON_GetArraySize(json_at(data, "bands")), 1, "there is no warm-up");
    cr_assert(strstr(page, "Every cycle is shown: 512 moments."));
    cr_assert(strstr(page, "<title>omega, 64 nodes</title>"));
    cr_assert(strstr(page, ">switchq sim --buffer damq"), "the line that made it");
    for (const char *at = page; (at = strstr(at, "://")); at++)
        cr_assert(strncmp(at - 4, "http://www.w3.org/", 18) == 0, "it refers to %.60s", at - 8);
    cr_assert_null(strstr(page, "src=\""));
    free(page);
    cJSON_Delete(answer);
    cJSON_Delete(data);
    program_free(&plain);
    program_free(&run);
}

/* Each value of a range is a run, equal to a run of that value alone. */
Test(cli_watch, runs_of_a_range_are_side_by_side)
{
    static const char line[] = "sim --slots 4 --flow block --load 0.5 --warmup 0 --cycles 256";
    program_run run = program("%s --buffer fifo,damq --threads 2 --watch f.html", line);
    cJSON *both = page_data();
    const cJSON *fifo = json_at(both, "runs")->child;

    cr_assert_eq(cJSON_GetArraySize(json_at(both, "runs")), 2);
    cr_assert_str_eq(json_at(fifo, "buffer")->valuestring, "fifo");
    cr_assert_str_eq(json_at(fifo->next, "buffer")->valuestring, "damq");
    program_free(&run);
    run = program_succeeds("%s --buffer damq --watch f.html", line);
    cJSON *one = page_data();
    cr_assert_str_eq(json_at(json_at(one, "runs")->child, "cells")->valuestring,
                     json_at(fifo->next, "cells")->valuestring);
    cr_assert_str_neq(json_at(fifo, "cells")->valuestring,
                      json_at(fifo->next, "cells")->valuestring);
    check_cells(json_at(fifo->next, "layout"), "damq");
    cJSON_Delete(both);
    cJSON_Delete(one);
    program_free(&run);
}

/* Set-aside queues are in use while there is congestion, and packets to the hot node are
 * distinguished. */
Test(cli_watch, set_aside_queues_are_shown)
{
    static const char *const lines[] = {"recn-iq", "recn", "recn-enhanced", "fbicm"};

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        program_run run = program_succeeds(
            "sim --topology tree --arity 4,4 --management %s --cycles 20000 --watch f.html "
            "--group mask=3,value=0,from=5000,until=7000,traffic=node:5,load=1 "
            "--group mask=0,load=0.2,until=15000",
            lines[k]);
        cJSON *data = page_data();
        const cJSON *one = json_at(data, "runs")->child;
        const char *aside = json_at(one, "aside")->valuestring,
                   *cells = json_at(one, "cells")->valuestring;
        const size_t frames = (size_t)cJSON_GetArraySize(json_at(one, "delivered"));
        const size_t stores = strlen(aside) / frames, digits = (size_t)json_number(one, "digits");
        size_t last = frames, most = 0, used = 0;

        cr_assert_eq(strlen(aside), frames * stores);
        cr_assert_eq(strlen(cells), frames * stores * digits);
        for (size_t f = 0; f < frames; f++) {
            size_t here = stores;
            for (size_t i = 0; i < stores; i++)
                here -= aside[f * stores + i] == 'A';
            most = here > most ? here : most;
            last = here > 0 ? f : last;
            used += f * (size_t)json_number(data, "every") < 5000 ? here : 0;
        }
        cr_expect_gt(most, 3, "%s: %zu", lines[k], most);
        cr_expect_eq(used, 0, "%s: %zu before the congestion", lines[k], used);
        cr_expect_lt(last, frames - 1, "%s: none is left over", lines[k]);
        cJSON_Delete(data);
        program_free(&run);
    }
}

/* However long the run, the page is small, and says what it leaves out. */
Test(cli_watch, a_long_run_is_thinned_out)
{
    program_run run = program_succeeds("sim --ports 2 --stages 2 --buffer damq --slots 4 "
                                       "--load 0.5 --cycles 100000 --warmup 1000 "
                                       "--replications 2 --watch f.html");
    cJSON *data = page_data();
    char *page = file_text("f.html");

    cr_assert_eq(json_number(data, "every"), 256);
    cr_assert(strlen(page) < 300000, "%zu", strlen(page));
    cr_assert(strstr(page, "first 100864 cycles of the first replication"));
    cr_assert(strstr(page, "One cycle in 256 is shown, so that the page stays small: 394 moments"));
    cr_assert_eq(cJSON_GetArraySize(json_at(data, "bands")), 2);
    cr_assert_eq(json_at(data, "bands")->child->child->next->valuedouble, 1000);
    free(page);
    cJSON_Delete(data);
    program_free(&run);
}

Test(cli_watch, what_cannot_be_shown_is_refused)
{
    static const bad_input bad[] = {
        {"--load 0.1:0.5:0.1 --watch f", "--watch", "4 runs"},
        {"--find-saturation --watch f", "--watch", "--find-saturation"},
        {"--load 0.5 --rare --watch f", "--watch", "--rare"},
        {"--load 0.5 --watch -", "--watch", "'-'"},
        {"--load 0.5 --stages 8 --watch f", "--watch", "32768"},
        {"--load 0.5 --watch /dev/null/f", "/dev/null/f", NULL},
        {"--load 0.5 --engine async --find-saturation --watch f", "--load", NULL},
        {"--load 0.5 --cycles 10 --watch f --starts /dev/null/f", "/dev/null/f", NULL},
    };

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const bool async = strstr(bad[k].arguments, "async");
        program_run run =
            program("sim --buffer damq %s %s", async ? "" : "--slots 2", bad[k].arguments);
        expect_refusal(&run, 2, bad[k].name, bad[k].value);
        program_free(&run);
    }
    char *names = folder_names();
    cr_assert_str_empty(names, "left behind: %s", names);
    free(names);
}

/* The page says which question its film is of, without the options in which its runs differ. */
Test(cli_watch, the_words_of_the_question_stand_above_the_film)
{
    program_run run = program("sim --buffer fifo,damq --slots 4 --load 0.4 --cycles 200 --warmup 0 "
                              "--alpha 2 --watch film.html");
    char *page = run.status ? NULL : file_text("film.html");

    cr_assert_eq(run.status, 0, "%s", run.err);
    cr_expect(strstr(page, "4 slots per input port, ") && strstr(page, ", load 0.4, "));
    cr_expect_not_null(strstr(page, ", alpha 2. What every buffer held"), "%.2000s", page);
    cr_expect_null(strstr(page, ", damq, "));
    free(page);
    program_free(&run);
}

/* ---- data centres ---- */

/* The page of a network of data-centre switches, with the switches, packets, losses, memories and
 * pauses of the run. */
Test(cli_watch, data_centres_are_drawn)
{
    static const char line[] =
        "sim --architecture shared-memory --topology leaf-spine --leaves 3 --hosts 4 --spines 2 "
        "--sender open --sizes 20K --load 0.9 --classes 2 --pfc --headroom 3K --memory 100K "
        "--duration 1ms --replications 1";
    program_run plain = program_succeeds("%s --csv", line);
    program_run run = program_succeeds("%s --csv --watch f.html", line);
    cJSON *answer = program_json("%s --per-link --json", line), *data = page_data();
    const cJSON *one = json_at(data, "runs")->child, *link;
    const int frames = cJSON_GetArraySize(json_at(one, "delivered"));
    const int cells = cJSON_GetArraySize(json_at(one, "layout.names"));
    const char *held = json_string(one, "cells"), *paused = json_string(one, "aside");
    double taken = 0, pauses = 0, of_lines = 0;

    cr_expect_str_eq(run.out, plain.out);
    cr_assert_eq(frames, 600);
    cr_assert_eq(cells, (3 * 6 + 2 * 3) * 2);
    check_cells(json_at(one, "layout"), "leaf-spine");
    cr_expect_str_eq(cJSON_GetArrayItem(json_at(one, "layout.names"), cells - 1)->valuestring,
                     "output spine 1:2, class 1");
    cr_expect_eq(sum_of(json_at(one, "discarded")), json_number(answer, "result.discarded"));
    cr_expect_gt(json_number(answer, "result.discarded"), 0);
    cr_expect_float_eq(sum_of(json_at(one, "amount")) / 1e6 / json_number(data, "nodes"),
                       json_number(answer, "result.line_use_fraction.mean"), 1e-9);
    cr_expect_float_eq(sum_of(json_at(one, "latency")) / sum_of(json_at(one, "delivered")),
                       json_number(answer, "result.delay_ns.mean"), 1e-3);
    /* a number of two digits for each cell; 600 moments instead of all time */
    cr_assert_eq(json_number(one, "digits"), 2);
    for (int k = 0; k < frames * cells; k++) {
        static const char digit[] =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        taken += 64 * (double)(strchr(digit, held[2 * k]) - digit) +
                 (double)(strchr(digit, held[2 * k + 1]) - digit);
        pauses += paused[k] == 'B';
    }
    cr_expect_float_eq(taken / frames / json_number(one, "all"),
                       json_number(answer, "result.memory_used_fraction.mean"), .01);
    cJSON_ArrayForEach(link, json_at(answer, "result.links"))
    {
        if (strncmp(json_string(link, "from"), "host", 4) != 0)
            of_lines += json_number(link, "paused_fraction.mean");
    }
    cr_expect_gt(pauses, 0);
    cr_expect_float_eq(pauses / frames, of_lines, .2 * of_lines, "%g, not %g", pauses / frames,
                       of_lines);
    cJSON_Delete(answer);
    cJSON_Delete(data);
    program_free(&plain);
    program_free(&run);
}

Test(cli_watch, what_data_centres_do_not_show)
{
    static const char *const cases[][2] = {
        {"--load 0.5 --memory 1MB,2MB --watch f.html", "not of a range"},
        {"--load 0.5 --watch -", "the name of a file"},
        {"--arrivals trace.csv --watch f.html", "measured time"},
        {"--load 0.5 --topology fat-tree --ports 64 --sender open --sizes 9K --watch f.html",
         "at most 32768 outputs"},
    };

    FILE *trace = fopen("trace.csv", "w");
    cr_assert_not_null(trace);
    fputs("1000,0,1,0,100\n", trace);
    fclose(trace);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_run run = program("sim --architecture shared-memory %s", cases[k][0]);
        expect_refusal(&run, 2, "--watch", cases[k][1]);
        program_free(&run);
    }
}
