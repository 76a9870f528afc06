/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --preset: the question that each becomes, what the command line replaces, and what is refused.
 */
#include "cli/spec/presets.h"
#include "tests/cli/program.h"

TestSuite(cli_presets, .init = program_begin, .fini = program_end, .timeout = 120);

#define QUICK "--load 0.5 --duration 100us --warmup 10us --replications 2"

static void write_flows(void)
{
    FILE *to = fopen("flows.csv", "w");

    cr_assert(to);
    fputs("start_ps,source,destination,bytes\n0,0,1,15000\n5000000,2,1,15000\n", to);
    fclose(to);
}

/* A run that succeeds, and says the preset on the standard error. */
static program_run presets(const char *options)
{
    program_run run = program("sim --preset %s", options);

    cr_assert_eq(run.status, 0, "%s", run.err);
    return run;
}

/* All five run, say all their settings, and ask what `list presets` lists. */
Test(cli_presets, all_run_and_say_their_settings)
{
    cJSON *list = program_json("list presets --json");
    int k = 0;

    for (; cli_presets[k]; k++) {
        const cli_preset *preset = cli_presets[k];
        char options[120], text[300];
        snprintf(options, sizeof options, "%s " QUICK, preset->name);
        program_run run = presets(options);
        const char *listed =
            json_string(cJSON_GetArrayItem(json_at(list, "presets"), k), "summary");
        const char *asks = strstr(run.err, "the preset asks: switchq sim ");
        cr_assert(asks, "%s", run.err);
        for (const cli_preset_setting *s = preset->setting; s->value; s++) {
            cr_assert(*s->from);
            if (s->only_with)
                continue;
            snprintf(text, sizeof text, "%s%s %s [%s]",
                     s->option ? "  --" : "  not set:", s->option ? s->option : "", s->value,
                     s->from);
            if (!s->option)
                snprintf(text, sizeof text, "  not set: %s [%s]", s->value, s->from);
            cr_assert((s->option && strcmp(s->option, "load") == 0) || strstr(run.err, text),
                      "%s: %s is not in %s", preset->name, text, run.err);
            cr_assert(strstr(listed, text + 2), "%s: %s is not in %s", preset->name, text, listed);
            snprintf(text, sizeof text, " --%s=%s ", s->option ? s->option : "", s->value);
            cr_assert(!s->option || strcmp(s->option, "load") == 0 || strstr(asks, text), "%s: %s",
                      text, asks);
        }
        program_free(&run);
    }
    cr_assert_eq(k, 5);
    cJSON_Delete(list);
}

/* Bytes by hand: 9.6 x 1024 x 40 x 10, 5.14 x 1024 x 20 x 10, 5.12 x 1000 x 20 x 25, 4 MiB, 4 MB.
 */
Test(cli_presets, memories)
{
    static const struct {
        const char *name;
        double bytes;
    } cases[] = {{"abm", 3932160},
                 {"credence", 1052672},
                 {"reverie", 2560000},
                 {"occamy", 4194304},
                 {"dctcp", 4000000}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char options[120];
        snprintf(options, sizeof options, "%s " QUICK " --json", cases[c].name);
        program_run run = presets(options);
        cJSON *tree = cJSON_Parse(run.out);
        cr_assert_eq(json_number(tree, "model.shared_memory_bytes"), cases[c].bytes, "%s: %g",
                     cases[c].name, json_number(tree, "model.shared_memory_bytes"));
        if (c < 2)
            cr_assert_eq(json_number(tree, "model.spine_memory_bytes"), cases[c].bytes);
        cJSON_Delete(tree);
        program_free(&run);
    }
}

Test(cli_presets, the_command_line_replaces)
{
    program_run run = presets("abm --admission lqd --hosts 40 --memory 1MB " QUICK);
    const char *asks = strstr(run.err, "the preset asks: switchq sim ");

    cr_assert(asks);
    cr_assert(strstr(asks, " --admission lqd ") && strstr(asks, " --hosts 40 "), "%s", asks);
    cr_assert_null(strstr(asks, "--admission=abm"));
    cr_assert_null(strstr(asks, "--memory=3840"));
    /* parameters of the rule that is replaced go with it */
    cr_assert_null(strstr(asks, "--congested"));
    cr_assert_null(strstr(asks, "--class-alpha"));
    cr_assert(strstr(asks, "--ecn=step:91000"));
    cr_assert(strstr(run.err, "  --congested 28000 is replaced"));
    program_free(&run);
    run = presets("occamy --class-alpha 4,8 " QUICK);
    cr_assert_null(strstr(strstr(run.err, "asks: "), "--alpha=8"));
    program_free(&run);
}

/* One leaf, with packets from outside: no hosts, no leaves, and the ports of a leaf. */
Test(cli_presets, arrivals_take_the_place_of_hosts)
{
    program_run run = presets("credence --arrivals poisson " QUICK " --json");
    const char *asks = strstr(run.err, "the preset asks: switchq sim ");
    cJSON *tree = cJSON_Parse(run.out);

    cr_assert(strstr(asks, " --ports=20 "), "%s", asks);
    cr_assert_null(strstr(asks, "--sender"));
    cr_assert_null(strstr(asks, "--leaves"));
    cr_assert_null(strstr(asks, "--sizes"));
    cr_assert_eq(json_number(tree, "model.shared_memory_bytes"), 1052672);
    cJSON_Delete(tree);
    program_free(&run);
    write_flows();
    run = presets("abm --topology switch --flow-list flows.csv --duration 100us --warmup 10us");
    asks = strstr(run.err, "the preset asks: switchq sim ");
    cr_assert(strstr(asks, " --ports=40 ") && strstr(asks, " --sender=dctcp "), "%s", asks);
    cr_assert_null(strstr(asks, "--load"));
    cr_assert_null(strstr(asks, "--incast"));
    program_free(&run);
}

/* The same answer as the question that is printed. */
Test(cli_presets, its_own_words_replace_nothing)
{
    program_run plain = presets("abm " QUICK " --json"),
                again = presets("abm --topology leaf-spine --spines 2 " QUICK " --json");
    cJSON *a = cJSON_Parse(plain.out), *b = cJSON_Parse(again.out);

    cr_assert(!strstr(again.err, "is replaced [run-main.sh]"), "%s", again.err);
    cr_assert(a && b && cJSON_Compare(json_at(a, "model"), json_at(b, "model"), true), "%s",
              again.err);
    cr_assert(cJSON_Compare(json_at(a, "result"), json_at(b, "result"), true));
    cJSON_Delete(a);
    cJSON_Delete(b);
    program_free(&plain);
    program_free(&again);
}

Test(cli_presets, answers_what_it_asks)
{
    program_run run = presets("abm " QUICK " --csv");
    const char *asks = strstr(run.err, "asks: switchq ") + strlen("asks: switchq ");
    char line[1200];

    snprintf(line, sizeof line, "%.*s", (int)strcspn(asks, "\n"), asks);
    program_run direct = program_succeeds("%s", line);
    cr_assert_str_eq(run.out, direct.out);
    program_free(&run);
    program_free(&direct);
}

Test(cli_presets, refuses)
{
    program_run run = program("sim --preset amb " QUICK);

    cr_assert_eq(run.status, 2);
    cr_assert(strstr(run.err, "--preset 'amb' is unknown; did you mean 'abm'?"), "%s", run.err);
    program_free(&run);
    run = program("sim --preset abm --booksim net.cfg");
    cr_assert_eq(run.status, 2);
    cr_assert(strstr(run.err, "--booksim and --preset cannot both be given"), "%s", run.err);
    program_free(&run);
    run = program("sim --preset abm --buffer damq " QUICK);
    cr_assert_eq(run.status, 2);
    cr_assert(strstr(run.err, "--buffer"), "%s", run.err);
    program_free(&run);
}
