/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of parameters are whole, and what is made from a row is right: the refusal of a value
 * outside its range, the words of completion, the field of answers.
 */
#include "tests/cli/program.h"

TestSuite(cli_parameters, .init = program_begin, .fini = program_end, .timeout = 240);

static const char *const commands[] = {"solve", "sim", "approx", "export", "cost"};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const cJSON *own(const cJSON *row, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(row, key);
}

/* A row that is a parameter has these. */
static bool is_parameter(const cJSON *row)
{
    return own(row, "defaults") != NULL;
}

Test(cli_parameters, rows_are_whole)
{
    int rows = 0, numbers = 0, keys = 0, defaults = 0;

    for (int c = 0; c < COMMANDS; c++) {
        cJSON *help = program_json("help %s --json", commands[c]);
        const cJSON *row, *d;
        cJSON_ArrayForEach(row, json_at(help, "options"))
        {
            const char *name = json_string(row, "name");
            if (!is_parameter(row))
                continue;
            rows++;
            keys += own(row, "key") != NULL;
            cr_expect_gt(strlen(json_string(row, "text")), 8, "--%s has no help", name);
            cr_expect(own(row, "flag") || own(row, "argument"), "--%s does not say its value",
                      name);
            if (own(row, "least")) {
                numbers++;
                cr_expect(!own(row, "most") ||
                              own(row, "least")->valuedouble <= own(row, "most")->valuedouble,
                          "--%s has an empty range", name);
            }
            cJSON_ArrayForEach(d, own(row, "defaults"))
            {
                defaults++;
                cr_expect(own(d, "value") && *json_string(d, "why"), "--%s: a default without why",
                          name);
            }
        }
        cJSON_Delete(help);
    }
    cr_expect_gt(rows, 250, "%d", rows);
    cr_expect_gt(numbers, 90, "%d", numbers);
    cr_expect_gt(keys, 200, "%d", keys);
    cr_expect_gt(defaults, 250, "%d", defaults);
}

/* A command line that takes an option of sim --engine async whose help begins so. The last two rows
 * say more than the architectures: --output-slots of the synchronous engine begins like them. */
static const struct {
    const char *begin, *line;
} takers[] = {
    {"wormhole: with --lane-pool", "--architecture wormhole --lane-pool 16"},
    {"wormhole: ", "--architecture wormhole"},
    {"hipiqs: ", "--architecture hipiqs"},
    {"hipiqs, central: ", "--architecture hipiqs"},
    {"multi-buffer: ", "--architecture multi-buffer"},
    {"central, prizma: ", "--architecture central"},
    {"prizma: ", "--architecture prizma"},
    {"atlas: ", "--architecture atlas"},
    {"--flow path", "--buffer damq --flow path"},
    {"--flow destination", "--buffer damq --flow destination"},
    {"--management recn-iq: ", "--topology tree --arity 2 --levels 2 --management recn-iq"},
    {"--management recn-iq, recn", "--topology tree --arity 2 --levels 2 --management recn"},
    {"cioq, output-queued: memory", "--architecture cioq --buffer damq"},
    {"cioq, output-queued: cycles", "--architecture cioq --buffer damq"},
};

static const char *line_of(const char *text)
{
    for (size_t k = 0; k < sizeof takers / sizeof *takers; k++) {
        if (strncmp(text, takers[k].begin, strlen(takers[k].begin)) == 0)
            return takers[k].line;
    }
    return NULL;
}

/* A number below its range is refused with the option, the number and the range; and a line that
 * does not take the option is told who does. */
Test(cli_parameters, are_refused_by_their_rows)
{
    cJSON *help = program_json("help sim --json");
    const cJSON *row;
    int below = 0, elsewhere = 0;

    cJSON_ArrayForEach(row, json_at(help, "options"))
    {
        const char *name = json_string(row, "name"), *text = json_string(row, "text");
        const char *line = line_of(text);
        char option[40], want[80];
        if (!is_parameter(row) || !line)
            continue;
        snprintf(option, sizeof option, "--%s", name);
        if (own(row, "least") && !own(row, "key"))
            continue;
        if (own(row, "least")) {
            const int least = own(row, "least")->valueint;
            snprintf(want, sizeof want, "from %d to ", least);
            program_run run =
                program("sim --engine async --load 0.1 %s %s=%d", line, option, least - 1);
            cr_expect(run.status == 2 && strstr(run.err, option) && strstr(run.err, want), "%s: %s",
                      option, run.err);
            program_free(&run);
            below++;
        }
        program_run run = program("sim --engine async --load 0.1 --buffer damq %s%s", option,
                                  own(row, "flag")    ? ""
                                  : own(row, "least") ? "=2"
                                                      : "=none");
        cr_expect(run.status == 2 && strstr(run.err, " is for ") && strstr(run.err, ", not for "),
                  "%s: %s", option, run.err);
        program_free(&run);
        elsewhere++;
    }
    cJSON_Delete(help);
    cr_expect_gt(below, 20, "%d", below);
    cr_expect_gt(elsewhere, 35, "%d", elsewhere);
}

/* Every key of a row is a quantity with the row's unit. */
Test(cli_parameters, keys_are_quantities)
{
    cJSON *help = program_json("help sim --json");
    cJSON *list = program_json("list quantities --json");
    const cJSON *row, *quantity;
    int seen = 0;

    cJSON_ArrayForEach(row, json_at(help, "options"))
    {
        bool found = false;
        if (!is_parameter(row) || !own(row, "key"))
            continue;
        cJSON_ArrayForEach(quantity, json_at(list, "quantities"))
        {
            if (strcmp(json_string(quantity, "name"), json_string(row, "key")) != 0)
                continue;
            found = true;
            if (own(row, "unit") && own(quantity, "more"))
                cr_expect_str_eq(json_string(row, "unit"), json_string(quantity, "more"), "%s",
                                 json_string(row, "key"));
        }
        cr_expect(found, "%s is no quantity", json_string(row, "key"));
        seen++;
    }
    cr_expect_gt(seen, 90, "%d", seen);
    cJSON_Delete(help);
    cJSON_Delete(list);
}
