/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of ranges and titles of plots name what all points share; test_every_option.c has headers.
 */
#include "tests/cli/program.h"

#include <ctype.h>

TestSuite(cli_question_words, .init = program_begin, .fini = program_end, .timeout = 480);

/* Text in one line: without markup, and with one blank for all that separates words. */
static void flatten(char *text)
{
    char *to = text;
    bool inside = false;

    for (const char *at = text; *at; at++) {
        const bool blank = isspace((unsigned char)*at) || *at == '<' || *at == '>';
        inside = *at == '<' || (inside && *at != '>');
        if (!inside && !blank)
            *to++ = *at;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
}

/* A question with a range, an option, and the phrase for the option. */
typedef struct {
    const char *line, *option, *phrase;
} question;

#define SOLVE "solve --buffer cbda --slots 4 --load 0.2:0.6:0.2"
#define SIM   "sim --buffer damq --stages 2 --slots 4 --cycles 400 --load 0.2:0.6:0.2"
#define LANES                                                                                      \
    "sim --architecture wormhole --topology mesh --dims 3x3 --cycles 400 --load 0.1:0.2:0.1"
#define UGAL                                                                                       \
    "sim --architecture wormhole --topology dragonfly --hosts 1 --routing ugal --cycles 400 "      \
    "--load 0.1:0.2:0.1"

static const question questions[] = {
    {SOLVE, "--alpha 1", "alpha 1"},
    {SOLVE, "--queue-max 3", "queue max 3"},
    {SOLVE, "--queue-min 1", "queue min 1"},
    {SOLVE, "--ports 4", "4 x 4"},
    {SOLVE, "--admission lqd --ties high", "admission lqd, ties high"},
    {SOLVE, "--traffic hotspot:0.1:1", "hotspot:0.1:1 traffic"},
    {SOLVE, "--pool-rule ports", "pool rule ports"},
    {SIM, "--flow block", "flow block"},
    {SIM, "--arbiter islip --iterations 2", "arbiter islip, 2 iterations"},
    {SIM, "--high 0.2 --priority arbiter", "0.2 high priority, priority arbiter"},
    {SIM, "--engine plain", "engine plain"},
    {LANES, "--traffic transpose", "transpose@32 traffic"},
    {LANES, "--routing adaptive", "routing adaptive"},
    {LANES, "--length 8", "length 8"},
    {LANES, "--lanes 2", "2 lanes"},
    {LANES, "--router-delay 1,1,1,1", "router delay 1,1,1,1"},
    {LANES, "--level-delay 2,2,3", "level delay 2,2,3"},
    {UGAL, "--ugal-threshold 3", "ugal threshold 3"},
    {UGAL, "--ugal-queue path", "ugal queue path"},
    {UGAL, "--ugal-credits round-trip", "ugal credits round-trip"},
    {UGAL, "--straight-factor 1", "straight factor 1"},
    {UGAL, "--detour-factor 2", "detour factor 2"},
};

static void expect_phrase(const char *kind, const question *q, const char *without,
                          const char *with)
{
    cr_expect(!strstr(without, q->phrase), "%s of '%s' has '%s'", kind, q->line, q->phrase);
    cr_expect(strstr(with, q->phrase), "%s of '%s %s' has no '%s': %.600s", kind, q->line,
              q->option, q->phrase, with);
}

Test(cli_question_words, stand_above_tables_of_ranges)
{
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        const question *q = &questions[k];
        program_run without = program("%s", q->line); /* which may note that runs are short */
        program_run with = program("%s %s", q->line, q->option);
        cr_assert(without.status == 0 && with.status == 0, "%s", with.err);
        flatten(without.out);
        flatten(with.out);
        expect_phrase("the table", q, without.out, with.out);
        program_free(&without);
        program_free(&with);
    }
}

static program_run drawing(const char *line, const char *option)
{
    program_run run = program("%s %s --plot drawn.svg", line, option);
    cr_assert_eq(run.status, 0, "%s %s: %s", line, option, run.err);
    program_free(&run);
    run = program_shell("cat drawn.svg; rm drawn.svg");
    flatten(run.out);
    return run;
}

Test(cli_question_words, are_titles_of_plots)
{
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k += 2) {
        const question *q = &questions[k];
        program_run without = drawing(q->line, ""), with = drawing(q->line, q->option);
        expect_phrase("the title", q, without.out, with.out);
        cr_expect(strstr(without.out, k < 7                   ? "2 x 2"
                                      : k < 11                ? "omega, 2 stages"
                                      : strcmp(q->line, UGAL) ? "mesh"
                                                              : "dragonfly"),
                  "%s", without.out);
        program_free(&without);
        program_free(&with);
    }
}

/* The gain of contestants over their cost: what all of them share. */
/* Of a word with numbers behind it, both are said: marks from 9K are not marks from 90K. */
Test(cli_question_words, have_the_numbers_behind_a_word)
{
    static const char *const given[] = {"ecn step:9K", "ecn red:1K,2K,0.3", "spread flowlet:50us"};

    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        program_run run = program_succeeds(
            "sim --architecture shared-memory --topology leaf-spine --sender open --sizes 9K "
            "--load 0.1 --duration 100us --replications 2 --%s",
            given[k]);
        cr_expect(strstr(run.out, strchr(given[k], ' ') + 1), "%s: %s", given[k], run.out);
        program_free(&run);
    }
}

Test(cli_question_words, are_in_the_title_of_a_comparison)
{
    FILE *file = fopen("c.yaml", "w");

    fputs("set: {ports: 2, stages: 2, cycles: 200, warmup: 50, flow: block}\n"
          "contestants:\n  one: {buffer: fifo, slots: 4}\n  two: {buffer: damq, slots: 4}\n"
          "scenarios:\n  s: {load: 0.3}\n  t: {load: 0.5}\nrepeats: 3\n",
          file);
    fclose(file);
    program_run run = drawing("compare c.yaml", "");
    cr_expect(strstr(run.out, "c.yaml: gain over cost") && strstr(run.out, "omega, 2 stages") &&
                  strstr(run.out, "4 slots per input port") && strstr(run.out, "flow block"),
              "%s", run.out);
    cr_expect(!strstr(run.out, "load 0.3") && !strstr(run.out, "seed"), "%s", run.out);
    program_free(&run);
}

/* What the points of a range differ in is in the columns alone. */
Test(cli_question_words, leave_out_the_axes)
{
    program_run run = program_succeeds("solve --buffer damq,fifo --slots 2,4 --load 0.5");
    char *end = strstr(run.out, "\n\n");

    cr_assert(end);
    *end = '\0';
    cr_expect(!strstr(run.out, "damq") && !strstr(run.out, "slots per") && strstr(run.out, "2 x 2"),
              "%s", run.out);
    program_free(&run);
}
