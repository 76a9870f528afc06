/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --plugin: the examples, in every command that has the option; and plug-ins with faults, each of
 * which is refused in a line of its own.
 */
#include "tests/cli/program.h"

TestSuite(plugin, .init = program_begin, .fini = program_end, .timeout = 120);

/* The folder of the build, where plug-ins are. */
static const char *built(const char *path)
{
    static char text[4][600];
    static int next;
    const char *own = getenv("SWITCHQ"), *end = strrchr(own, '/');

    next = (next + 1) % 4;
    snprintf(text[next], sizeof text[0], "%.*s/%s", (int)(end - own), own, path);
    return text[next];
}

#define SWITCH "--buffer damq --ports 2 --slots 3 --load 0.8"

/* Three queues and two memories of the arbiter, one cycle after the other: the probability of a
 * loss must be that of the chain in simulation, too. */
Test(plugin, an_arbiter_in_chains_and_simulations)
{
    const char *so = built("examples/plugins/turns.so");
    cJSON *chain = program_json("solve --plugin %s --arbiter turns " SWITCH " --json", so);
    cJSON *run = program_json(
        "sim --plugin %s --arbiter turns --topology switch " SWITCH " --cycles 200000 --json", so);
    const double exact = json_number(chain, "result.discard_probability");
    const double mean = json_number(run, "result.discard_probability.mean");
    const double half = json_number(run, "result.discard_probability.half_width");

    cr_assert_str_eq(json_string(chain, "model.arbiter"), "turns");
    cr_assert(fabs(mean - exact) < 3 * half, "%g +- %g, exactly %g", mean, half, exact);
    cJSON_Delete(chain);
    cJSON_Delete(run);
}

/* The answer says which file it was, with the numbers that cksum prints. */
Test(plugin, an_answer_names_its_plug_ins)
{
    const char *so = built("examples/plugins/turns.so");
    cJSON *tree = program_json("solve --plugin %s --arbiter turns " SWITCH " --json", so);
    program_run run = program_shell("cksum %s", so);
    double checksum, bytes;

    cr_assert_eq(sscanf(run.out, "%lf %lf", &checksum, &bytes), 2, "%s", run.out);
    cr_assert_str_eq(json_string(tree, "plugins.0.file"), so);
    cr_assert_eq(json_number(tree, "plugins.0.checksum"), checksum);
    cr_assert_eq(json_number(tree, "plugins.0.file_bytes"), bytes);
    cJSON_Delete(tree);
    program_free(&run);
}

Test(plugin, several_with_a_range)
{
    cJSON *tree = program_json(
        "solve --plugin %s --plugin %s --arbiter turns,random --admission one-for-each " SWITCH
        " --json",
        built("examples/plugins/turns.so"), built("examples/plugins/shares.so"));

    cr_assert_str_eq(json_string(tree, "points.0.model.arbiter"), "turns");
    cr_assert_str_eq(json_string(tree, "points.1.model.arbiter"), "random");
    cr_assert_str_eq(json_string(tree, "points.0.model.admission"), "one-for-each");
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "plugins")), 2);
    cJSON_Delete(tree);
    tree = program_json("sim --plugin %s,%s --arbiter turns --traffic halves --stages 2 "
                        "--topology omega " SWITCH " --cycles 2000 --json",
                        built("examples/plugins/turns.so"), built("examples/plugins/halves.so"));
    cr_assert_eq(cJSON_GetArraySize(json_at(tree, "plugins")), 2);
    cJSON_Delete(tree);
}

/* In an omega network, source and destination half the nodes apart: the packets of the two sources
 * of a first switch want one output. At full load half of the packets pass the first stage. */
Test(plugin, a_pattern_in_both_engines)
{
    const char *so = built("examples/plugins/halves.so");
    cJSON *tree = program_json("sim --plugin %s --traffic halves --topology torus --dims 4x4 "
                               "--engine async --load 0.2 --buffer damq --bytes 128 --cycles 20000 "
                               "--json",
                               so);
    cr_assert(json_number(tree, "result.throughput.mean") > 0.19);
    cJSON_Delete(tree);
    program_run run =
        program("sim --plugin %s --traffic halves --topology switch --ports 3 --buffer "
                "damq --slots 3 --load 0.5",
                so);
    expect_refusal(&run, 2, "pattern", "halves");
    cr_assert(strstr(run.err, "an even number of nodes is needed"), "%s", run.err);
    program_free(&run);
}

/* A rule that keeps a slot for each queue that is empty: with two slots for two queues no queue
 * ever holds two packets while the other one is empty, as if the slots were split (samq). */
Test(plugin, a_rule_of_admission)
{
    const char *so = built("examples/plugins/shares.so");
    cJSON *ours = program_json("solve --plugin %s --admission one-for-each --buffer damq --ports 2 "
                               "--slots 2 --load 0.8 --json",
                               so);
    cJSON *split = program_json("solve --buffer samq --ports 2 --slots 2 --load 0.8 --json");

    cr_assert_float_eq(json_number(ours, "result.discard_probability"),
                       json_number(split, "result.discard_probability"), 1e-12);
    cJSON_Delete(ours);
    cJSON_Delete(split);
}

Test(plugin, lists_say_where_a_row_comes_from)
{
    const char *so = built("examples/plugins/turns.so");
    cJSON *tree = program_json("list arbiters --plugin %s --json", so);
    const cJSON *rows = json_at(tree, "arbiters"), *row;
    int ours = 0, theirs = 0;

    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *from = cJSON_GetObjectItemCaseSensitive(row, "plugin");
        const bool is_turns = strcmp(json_string(row, "name"), "turns") == 0;
        cr_assert_eq(from != NULL, is_turns);
        cr_assert(!from || strcmp(from->valuestring, so) == 0);
        ours += !from;
        theirs += from != NULL;
    }
    cr_assert(ours > 5 && theirs == 1);
    cJSON_Delete(tree);
    program_run run = program_succeeds("list arbiters --plugin %s", so);
    cr_assert(strstr(run.out, "(plug-in "), "%s", run.out);
    program_free(&run);
    run = program_succeeds("list traffic --plugin %s", built("examples/plugins/halves.so"));
    cr_assert(strstr(run.out, "halves") && strstr(run.out, "(plug-in "), "%s", run.out);
    program_free(&run);
    run = program_succeeds("list admission --plugin %s", built("examples/plugins/shares.so"));
    cr_assert(strstr(run.out, "one-for-each") && strstr(run.out, "(plug-in "), "%s", run.out);
    program_free(&run);
}

/* Points of a study are computed by other processes, which load the plug-in themselves; their
 * answers keep its checksum. A point without the plug-in does not know its names, though the same
 * worker has loaded it for other points. */
Test(plugin, a_study)
{
    const char *so = built("examples/plugins/turns.so");
    FILE *to = fopen("s.yaml", "w");

    fprintf(to,
            "command: solve\nset: {plugin: %s, buffer: damq, ports: 2, slots: 3}\n"
            "over: {load: [0.7, 0.8], arbiter: [turns, random]}\n---\n"
            "command: solve\nset: {buffer: damq, ports: 2, slots: 3, load: 0.7, arbiter: turns}\n",
            so);
    fclose(to);
    program_run run = program("sweep s.yaml --threads 1");
    cr_assert_eq(run.status, 1);
    cr_assert(strstr(run.out, "4 done, 1 failed"), "%s", run.out);
    cr_assert(strstr(run.out, "arbiter 'turns' is unknown"), "%s", run.out);
    program_free(&run);
    cJSON *tree = program_json("solve --plugin %s --arbiter turns " SWITCH " --json", so);
    char sum[40];
    snprintf(sum, sizeof sum, "\"checksum\":%.0f", json_number(tree, "plugins.0.checksum"));
    run = program_shell("grep -ac '%s' s.db", sum);
    cr_assert(atoi(run.out) > 0, "%s: %s", sum, run.out);
    program_free(&run);
    cJSON_Delete(tree);
}

/* A contestant of a comparison has a plug-in of its own, in its runs and in its cost. */
Test(plugin, a_comparison)
{
    FILE *to = fopen("c.yaml", "w");

    fprintf(to,
            "set: {topology: switch, ports: 2, slots: 4, buffer: damq, cycles: 2000}\n"
            "contestants:\n  random: {arbiter: random}\n  turns: {arbiter: turns, plugin: %s}\n"
            "scenarios:\n  full: {load: 0.9, measure: throughput}\nrepeats: 6\n",
            built("examples/plugins/turns.so"));
    fclose(to);
    cJSON *tree = program_json("compare c.yaml --threads 2 --json");
    const cJSON *row;
    int known = 0;

    cJSON_ArrayForEach(row, json_at(tree, "contestants")) known +=
        json_number(row, "area_cells") > 0;
    cr_assert_eq(known, 2);
    cJSON_Delete(tree);
}

/* --plugin of a comparison holds for all its runs and costs. */
Test(plugin, an_option_of_a_comparison)
{
    const char *so = built("examples/plugins/turns.so");
    FILE *to = fopen("c.yaml", "w");

    fputs("set: {topology: switch, ports: 2, slots: 4, buffer: damq, cycles: 2000}\n"
          "contestants:\n  random: {arbiter: random}\n  turns: {arbiter: turns}\n"
          "scenarios:\n  full: {load: 0.9, measure: throughput}\nrepeats: 6\n",
          to);
    fclose(to);
    cJSON *tree = program_json("compare c.yaml --plugin %s --threads 2 --json", so);
    const cJSON *row;
    int known = 0;

    cJSON_ArrayForEach(row, json_at(tree, "contestants")) known +=
        json_number(row, "area_cells") > 0;
    cr_assert_eq(known, 2);
    cr_assert_str_eq(json_string(tree, "plugins.0.file"), so);
    cJSON_Delete(tree);
    program_run run = program("compare c.yaml --database other.db");
    expect_refusal(&run, 2, "arbiter", "turns");
    program_free(&run);
}

/* A configuration keeps the option. */
Test(plugin, a_file_of_options)
{
    program_run run =
        program_succeeds("solve --plugin %s --arbiter turns " SWITCH " --save-config c.yaml",
                         built("examples/plugins/turns.so"));
    cJSON *tree = program_json("solve --config c.yaml --json");

    cr_assert_str_eq(json_string(tree, "model.arbiter"), "turns");
    program_free(&run);
    cJSON_Delete(tree);
}

/* Each fault, and words of the message. */
static const struct {
    const char *fault, *message;
} faults[] = {
    {"no_name", "arbiter 1 of the plug-in has no name"},
    {"no_summary", "arbiter 'hostile': it has no summary"},
    {"no_function", "arbiter 'hostile': it has no function arbitrate"},
    {"no_rows", "has no row"},
    {"a_name_with_a_blank", "arbiter 'two words': a name is"},
    {"a_name_of_ours", "arbiter 'random' is a name of switchq's own"},
    {"a_word_of_ours", "pattern 'hotspot' is a word of switchq's own"},
    {"a_buffer_word", "buffer 'voq' is a word of switchq's own"},
    {"one_name_twice", "arbiter 'hostile' is there twice"},
    {"a_need_of_the_future", "a need that this version does not know"},
    {"a_form_of_the_engines", "unrolled and advances"},
    {"a_random_pattern", "image must be a function"},
    {"a_buffer_that_cannot_be", "scope pool needs a queue per output"},
    {"grants_what_is_not_asked", "which does not ask for it"},
    {"grants_beyond_the_ports", "which does not exist"},
    {"sends_twice", "it lets input 0 send two packets"},
    {"throws_no_dice", "do not sum to 1"},
    {"throws_too_many_dice", "it throws too many dice"},
    {"keeps_too_much", "a word of memory that is not below the number of ports"},
    {"is_not_alike", "alike promises more than is so"},
    {"compares_lengths", "compares promises more than is so"},
    {"steps_differ", "step and arbitrate grant with different probabilities"},
    {"takes_without_a_slot", "it takes a packet that has no slot"},
    {"pushes_out_of_nowhere", "out of a queue that does not exist"},
    {"pushes_out_in_secret", "must declare SWQ_NEED_PUSH_OUT"},
    {"declares_nothing", "must declare SWQ_NEED_ALL_LENGTHS"},
    {"refuses_while_there_is_room", "takes_while_room is set"},
    {"calls_what_is_not_there", "undefined symbol: swq_no_such_function"},
    {"not_a_plugin", "it has no symbol switchq_plugin"},
    {"another_version", "of the interface, and this is version"},
    {"other_headers", "compiled with other headers"},
};

Test(plugin, faults_are_refused)
{
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        char path[100];
        snprintf(path, sizeof path, "tests/cli/hostile/%s.so", faults[k].fault);
        program_run run = program("list arbiters --plugin %s", built(path));
        expect_refusal(&run, 2, "plugin", faults[k].fault);
        cr_expect(strstr(run.err, faults[k].message), "%s: %s", faults[k].fault, run.err);
        program_free(&run);
    }
}

/* Faults that show when the row is used. */
Test(plugin, a_need_that_nobody_meets)
{
    const char *so = built("tests/cli/hostile/a_need_that_nobody_meets.so");
    program_run run = program("solve --plugin %s --arbiter hostile " SWITCH, so);

    expect_refusal(&run, 2, "arbiter", "hostile");
    cr_assert(strstr(run.err, "something that this version does not know"), "%s", run.err);
    program_free(&run);
    run = program("sim --plugin %s --arbiter hostile " SWITCH, so);
    expect_refusal(&run, 2, "arbiter", "hostile");
    program_free(&run);
}

Test(plugin, patterns_that_are_no_permutations)
{
    static const struct {
        const char *fault, *message;
    } cases[] = {
        {"sends_beyond_the_nodes", "to node 4, and there are 4 nodes"},
        {"is_no_permutation", "two of them send to node 0"},
    };

    for (size_t k = 0; k < 2; k++) {
        char path[100];
        snprintf(path, sizeof path, "tests/cli/hostile/%s.so", cases[k].fault);
        program_run run = program("sim --plugin %s --traffic bad-pattern --stages 2 --topology "
                                  "omega " SWITCH,
                                  built(path));
        expect_refusal(&run, 2, "pattern", "bad-pattern");
        cr_assert(strstr(run.err, cases[k].message), "%s", run.err);
        program_free(&run);
    }
}

/* Files that are no plug-ins at all. */
Test(plugin, files)
{
    const char *so = built("examples/plugins/turns.so");
    program_run run = program_shell("echo text > text.so; : > empty.so; mkdir folder.so; cp %s "
                                    "secret.so; head -c 2000 %s > half.so; mkfifo pipe.so",
                                    so, so);
    static const char *const files[] = {"text.so",   "empty.so", "folder.so",
                                        "absent.so", "half.so",  "pipe.so"};

    program_free(&run);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        run = program("solve " SWITCH " --plugin %s", files[k]);
        expect_refusal(&run, 2, "plugin", files[k]);
        program_free(&run);
    }
    run = program("solve " SWITCH " --plugin %s --plugin %s", so, so);
    expect_refusal(&run, 2, "plugin", "given twice");
    program_free(&run);
    run = program("solve " SWITCH " --plugin %s --plugin secret.so", so);
    expect_refusal(&run, 2, "plugin", "is one of plug-in");
    program_free(&run);
    run = program("solve " SWITCH " --plugin ''");
    expect_refusal(&run, 2, "plugin", "''");
    program_free(&run);
    run = program("formula saturation --plugin %s", so);
    cr_assert_eq(run.status, 2);
    program_free(&run);
}
