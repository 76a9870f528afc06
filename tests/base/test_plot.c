/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/plot.c: the files are what their suffix says, and there is none when gnuplot is missing or
 * fails. Not pinned: what the plot looks like.
 */
#include "base/plot.h"
#include "tests/base/folder.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdint.h>
#include <sys/stat.h>

static swq_context *ctx;

static void setup(void)
{
    folder_make();
    ctx = swq_context_new();
}

static void teardown(void)
{
    swq_context_free(ctx);
    folder_remove();
}

TestSuite(plot, .init = setup, .fini = teardown, .timeout = 240);

static const double loads[] = {0.25, 0.5, 0.75}, shares[] = {1e-6, 1e-3, 0.25};
static const swq_curve curves[] = {
    {.name = "DAMQ_4 it's", .x = loads, .y = shares, .points = 3, .style = {.dash = 1}},
    /* more than the existing colours, dashes and marks */
    {.name = "FIFO-4", .x = loads, .y = shares, .points = 2, .style = {60, 70, 80, 0}},
    {.name = "as printed", .x = loads, .y = shares, .points = 1, .printed = true},
};
static const swq_plot plot = {
    .title = "Packets that weren't kept",
    .x_label = "load's share",
    .y_label = "packets 'discarded'",
    .log_y = true,
    .y_least = 1e-7,
    .y_most = 1,
    .curve = curves,
    .curves = 3,
};

static void need_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        cr_skip_test("no gnuplot here");
}

static void write_to(const char *name)
{
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path(name)), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(folder_entries(), 1, "something else was left");
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(plot, svg)
{
    size_t size;

    need_gnuplot();
    write_to("a plot's.svg");
    char *text = folder_read("a plot's.svg", &size);
    cr_assert_not_null(text);
    cr_assert_eq(strncmp(text, "<?xml", 5), 0, "%.20s", text);
    cr_assert_not_null(strstr(text, "<svg"));
    cr_assert_not_null(strstr(text, "</svg>"));
    cr_assert_not_null(strstr(text, "DAMQ_4"));
    cr_assert_not_null(strstr(text, "FIFO-4"));
    cr_assert_not_null(strstr(text, "as printed"));
    free(text);
}

Test(plot, png)
{
    static const char signature[] = "\x89PNG\r\n\x1a\n";
    size_t size;

    need_gnuplot();
    write_to("plot.png");
    char *bytes = folder_read("plot.png", &size);
    cr_assert_gt(size, 100);
    cr_assert_eq(memcmp(bytes, signature, 8), 0);
    cr_assert_eq(memcmp(bytes + size - 8, "IEND", 4), 0, "it is cut off");
    free(bytes);
}

/* Half-widths become error bars; both axes may then be logarithmic. */
Test(plot, error_bars)
{
    static const double half[] = {1e-7, 0, 0.05};
    size_t plain, barred;
    swq_curve curve = curves[0];
    swq_plot both = {.title = "t",
                     .x_label = "x",
                     .y_label = "y",
                     .log_x = true,
                     .log_y = true,
                     .curve = &curve,
                     .curves = 1};

    need_gnuplot();
    cr_assert_eq(swq_plot_write(ctx, &both, folder_path("a.svg")), SWQ_OK);
    curve.half = half;
    cr_assert_eq(swq_plot_write(ctx, &both, folder_path("b.svg")), SWQ_OK);
    free(folder_read("a.svg", &plain));
    free(folder_read("b.svg", &barred));
    cr_assert_gt(barred, plain + 100);
}

/* Several plots in one picture, each with its own curves and range. */
Test(plot, panels)
{
    size_t size, single;
    swq_plot two[2] = {plot, plot};

    need_gnuplot();
    two[0].title = "one above\nthe other";
    two[1].title = "second panel";
    two[1].log_y = false;
    two[1].x_most = 2;
    two[1].y_most = 1;
    two[1].curves = 1;
    write_to("one.svg");
    free(folder_read("one.svg", &single));
    cr_assert_eq(swq_plot_write_panels(ctx, two, 2, folder_path("two.svg")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    cr_assert_eq(folder_entries(), 2);
    char *text = folder_read("two.svg", &size);
    const char *first = strstr(text, "DAMQ_4"),
               *second = first ? strstr(first + 1, "DAMQ_4") : NULL;
    cr_assert(first && second, "a legend for each");
    cr_assert(strstr(text, "one above") && strstr(text, "the other"), "two lines of title");
    cr_assert_not_null(strstr(text, "second panel"));
    cr_assert_gt(size, single);
    free(text);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

/* ---- maps ---- */

static const double squares[] = {0, 1, -1, 2, -2, 9, /* and a second frame */ 1, 1, 1, 1, 1, -9};
static const swq_colour_map grid = {
    .title = "A map's title",
    .x_label = "x",
    .y_label = "y",
    .value_label = "blocks",
    .rows = 2,
    .columns = 3,
    .frames = 1,
    .value = squares,
    .letter = "=pnPN=",
    .most = 2,
};

Test(plot, a_map)
{
    size_t size;

    need_gnuplot();
    cr_assert_eq(swq_plot_write_map(ctx, &grid, folder_path("map.svg")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    char *text = folder_read("map.svg", &size);
    cr_assert(strstr(text, "</svg>") && strstr(text, "title") && strstr(text, "blocks"));
    free(text);
    cr_assert_eq(swq_plot_write_map(ctx, &grid, folder_path("map.png")), SWQ_OK);
    cr_assert_eq(folder_entries(), 2);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

/* Frames of a GIF: each has a graphic control extension, 21 F9 04. */
Test(plot, a_moving_map)
{
    swq_colour_map two = grid;
    size_t size;
    int frames = 0;

    need_gnuplot();
    two.frames = 2;
    two.letter = NULL;
    two.frame_time = 100;
    cr_assert_eq(swq_plot_write_map(ctx, &two, folder_path("map.gif")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    char *bytes = folder_read("map.gif", &size);
    cr_assert(memcmp(bytes, "GIF89a", 6) == 0 && bytes[size - 1] == ';');
    for (size_t k = 0; k + 2 < size; k++)
        frames += memcmp(bytes + k, "\x21\xf9\x04", 3) == 0;
    cr_assert_eq(frames, 2, "%d", frames);
    free(bytes);
    cr_assert_eq(swq_plot_write_map(ctx, &two, folder_path("map.png")), SWQ_EINVAL);
    cr_assert_str_eq(strstr(swq_context_message(ctx), "a map"), swq_context_message(ctx));
    cr_assert_eq(swq_plot_write_map(ctx, &grid, folder_path("map.eps")), SWQ_EINVAL);
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("plot.gif")), SWQ_EINVAL,
                 "lines stand still");
    cr_assert_eq(folder_entries(), 1);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

/* gnuplot does not understand '''text', which is what doubling a leading quote makes. */
Test(plot, a_text_that_begins_with_a_quote)
{
    swq_plot quoted = plot;

    need_gnuplot();
    quoted.y_label = "'discarded'";
    cr_assert_eq(swq_plot_write(ctx, &quoted, folder_path("plot.svg")), SWQ_OK, "%s",
                 swq_context_message(ctx));
}

/* A line end or a quote before a digit stays apart from the digit. */
Test(plot, digits_after_what_is_escaped)
{
    char title[200];
    swq_plot numbered = plot;
    size_t size;

    need_gnuplot();
    snprintf(title, sizeof title, "length\n4 %0*d 1 flit", 98, 0);
    numbered.title = title;
    numbered.x_label = "load '7' \\6";
    numbered.y_label = "`3 packets`";
    cr_assert_eq(swq_plot_write(ctx, &numbered, folder_path("plot.svg")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    char *text = folder_read("plot.svg", &size);
    cr_expect(strstr(text, "<text>length</text>") && strstr(text, "<text>4 000"), "%s", title);
    cr_expect_not_null(strstr(text, "<text>1 flit</text>"), "a long title breaks before a number");
    cr_expect(strstr(text, "load '7' \\6") && strstr(text, "`3 packets`"), "labels");
    free(text);
}

Test(plot, other_suffixes)
{
    static const char *const names[] = {"plot", "plot.eps", "plot.svgz", "svg", "plot.svg.txt", ""};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        cr_assert_eq(swq_plot_check(ctx, names[k]), SWQ_EINVAL, "%s", names[k]);
        cr_assert_eq(swq_plot_write(ctx, &plot, folder_path(names[k])), SWQ_EINVAL, "%s", names[k]);
        cr_assert_not_null(strstr(swq_context_message(ctx), ".svg, .png, .pdf or .csv"), "%s",
                           swq_context_message(ctx));
        cr_assert_not_null(strstr(swq_context_message(ctx), names[k]), "%s",
                           swq_context_message(ctx));
    }
    cr_assert_eq(swq_plot_check(ctx, "folder.png/plot.svg"), SWQ_OK);
    cr_assert_eq(folder_entries(), 0);
}

/* ---- tables ---- */

static void expect_table(const char *name, const char *text)
{
    size_t size;
    char *table = folder_read(name, &size);

    cr_assert_not_null(table);
    cr_expect_str_eq(table, text);
    free(table);
    cr_expect_eq(swq_context_live_blocks(ctx), 0);
}

/* Points outside of the axes, or without a place on them, are left out. */
Test(plot, a_table_of_curves)
{
    static const double half[] = {0, 0.25, 0.5}, y[] = {1, 2, 30};
    static const bool hollow[] = {false, true, false};
    const swq_curve two[] = {
        {.name = "a, b", .x = loads, .y = y, .half = half, .hollow = hollow, .points = 3},
        {.name = "=c", .x = y, .y = loads, .points = 1, .beside = "\"c\""},
    };
    swq_plot limited = {.title = "one\ntwo", .x_label = "x", .y_label = "y", .curve = two};
    const swq_plot both[] = {limited, {.title = "second", .x_label = "u", .y_label = "v"}};

    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0); /* no gnuplot */
    limited.curves = 2;
    cr_assert_eq(swq_plot_write(ctx, &limited, folder_path("all.csv")), SWQ_OK);
    expect_table("all.csv", "series,label,x,y,low,high,past_saturation,x_label,y_label,title\n"
                            "\"a, b\",,0.25,1,,,false,x,y,one; two\n"
                            "\"a, b\",,0.5,2,1.75,2.25,true,x,y,one; two\n"
                            "\"a, b\",,0.75,30,29.5,30.5,false,x,y,one; two\n"
                            "'=c,\"\"\"c\"\"\",1,0.25,,,false,x,y,one; two\n");
    limited.y_least = 1.5;
    limited.y_most = 30;
    limited.x_most = 0.7;
    cr_assert_eq(swq_plot_write(ctx, &limited, folder_path("some.csv")), SWQ_OK);
    expect_table("some.csv", "series,label,x,y,low,high,past_saturation,x_label,y_label,title\n"
                             "\"a, b\",,0.5,2,1.75,2.25,true,x,y,one; two\n");
    cr_assert_eq(swq_plot_write_panels(ctx, both, 2, folder_path("none.csv")), SWQ_OK);
    expect_table("none.csv", "series,label,x,y,low,high,past_saturation,x_label,y_label,title\n");
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("missing/a.csv")), SWQ_EIO);
    cr_assert_eq(folder_entries(), 3);
}

Test(plot, a_table_of_a_map)
{
    swq_colour_map two = grid;

    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0);
    two.rows = 1;
    two.columns = 2;
    two.frames = 2;
    two.frame_time = 100;
    cr_assert_eq(swq_plot_write_map(ctx, &two, folder_path("map.csv")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    expect_table("map.csv", "letter,cycles,x,y,value,x_label,y_label,value_label,title\n"
                            "'=,100,0,0,0,x,y,blocks,A map's title\n"
                            "p,100,1,0,1,x,y,blocks,A map's title\n"
                            "n,200,0,0,-1,x,y,blocks,A map's title\n"
                            "P,200,1,0,2,x,y,blocks,A map's title\n");
}

Test(plot, a_table_of_boxes_and_arrows)
{
    static const swq_heat_mark marks[] = {
        {-0.5, 0, 0.5, 1, 0.25, false}, {0.6, 0, 1.4, 1, NAN, false}, {2, 0, 3, 1, 0.5, true}};
    static const char *const names[] = {"first", "second"};
    const swq_heat_map map = {.title = "t",
                              .x_label = "x",
                              .y_label = "y",
                              .value_label = "v",
                              .mark = marks,
                              .marks = 3,
                              .most = 1,
                              .x_name = names,
                              .x_names = 2};

    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0);
    cr_assert_eq(swq_plot_write_heat(ctx, &map, folder_path("map.csv")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    expect_table("map.csv", "mark,x0,y0,x1,y1,value,x_name,x_label,y_label,value_label,title\n"
                            "box,-0.5,0,0.5,1,0.25,first,x,y,v,t\n"
                            "box,0.6,0,1.4,1,,second,x,y,v,t\n"
                            "arrow,2,0,3,1,0.5,,x,y,v,t\n");
}

Test(plot, no_gnuplot)
{
    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0);
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("plot.svg")), SWQ_EIO);
    cr_assert_not_null(strstr(swq_context_message(ctx), "gnuplot"), "%s", swq_context_message(ctx));
    cr_assert_eq(folder_entries(), 0);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

Test(plot, a_failing_gnuplot)
{
    folder_write("plot.svg", "old");
    folder_write("gnuplot", "#!/bin/sh\nexit 3\n");
    cr_assert_eq(chmod(folder_path("gnuplot"), 0755), 0);
    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0);
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("plot.svg")), SWQ_EIO);
    cr_assert_not_null(strstr(swq_context_message(ctx), "gnuplot failed"), "%s",
                       swq_context_message(ctx));
    cr_assert(folder_holds("plot.svg", "old"));
    cr_assert_eq(folder_entries(), 2);

    folder_write("gnuplot", "#!/bin/sh\nkill -9 $$\n");
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("plot.svg")), SWQ_EIO);
    cr_assert(folder_holds("plot.svg", "old"));
    cr_assert_eq(folder_entries(), 2);
    cr_assert_eq(swq_context_live_blocks(ctx), 0);
}

/* gnuplot gets one argument: a script that no longer exists afterwards. */
Test(plot, no_script_is_left)
{
    char command[700];
    size_t size;

    snprintf(command, sizeof command, "#!/bin/sh\nprintf %%s \"$1\" > '%s'\n", folder_path("seen"));
    folder_write("gnuplot", command);
    cr_assert_eq(chmod(folder_path("gnuplot"), 0755), 0);
    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0);
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("plot.svg")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    char *script = folder_read("seen", &size);
    cr_assert_not_null(script);
    cr_assert_gt(size, 0);
    FILE *left = fopen(script, "r");
    cr_assert_null(left, "%s is still there", script);
    free(script);
}

/* gnuplot would warn of an empty range. */
Test(plot, points_that_are_all_at_one_x)
{
    static const double x[] = {0.5, 0.5}, y[] = {0, 0};
    const swq_curve one = {.name = "one", .x = x, .y = y, .points = 2};
    const swq_plot narrow = {
        .title = "t", .x_label = "x", .y_label = "y", .curve = &one, .curves = 1};
    char command[700];
    size_t size;

    /* with nothing else in PATH */
    snprintf(command, sizeof command,
             "#!/bin/sh\nwhile read -r line; do printf '%%s\\n' \"$line\"; done < \"$1\" > '%s'\n",
             folder_path("seen"));
    folder_write("gnuplot", command);
    cr_assert_eq(chmod(folder_path("gnuplot"), 0755), 0);
    cr_assert_eq(setenv("PATH", folder_path(NULL), 1), 0);
    cr_assert_eq(swq_plot_write(ctx, &narrow, folder_path("plot.svg")), SWQ_OK, "%s",
                 swq_context_message(ctx));
    char *script = folder_read("seen", &size);
    cr_assert_not_null(strstr(script, "set xrange [0.25:1]\nset yrange [-1:1]\n"), "%s", script);
    free(script);
}

Test(plot, nowhere_to_write)
{
    cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("missing/plot.svg")), SWQ_EIO);
    cr_assert_not_null(strstr(swq_context_message(ctx), "missing/plot.svg"), "%s",
                       swq_context_message(ctx));
    for (size_t after = 0; after < 2; after++) {
        swq_context_fail_allocations(ctx, after, true);
        cr_assert_eq(swq_plot_write(ctx, &plot, folder_path("plot.svg")), SWQ_ENOMEM);
        cr_assert_eq(swq_context_live_blocks(ctx), 0);
    }
    cr_assert_eq(folder_entries(), 0);
}
