/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of defaults: `switchq help defaults` tells what happens, every option whose help speaks
 * of a default is in it, and docs/defaults.md has the same rows. And the defaults of one switch
 * are the same for all that simulate or solve it.
 */
#include "tests/cli/program.h"

#include <ctype.h>

TestSuite(cli_defaults, .init = program_begin, .fini = program_end, .timeout = 480);

enum { MOST_ROWS = 300 };

typedef struct {
    char heading[100]; /* "sim, approx" */
    char option[24];   /* with its dashes */
    char value[24];    /* in parentheses: cannot be given explicitly */
    char why[240];
} row;

typedef struct {
    row row[MOST_ROWS];
    int count;
} table;

static bool is_row(const char *line)
{
    return strncmp(line, "  --", 4) == 0;
}

/* A word, or words in parentheses; returns the rest of the text. */
static const char *take(const char *at, char *word, size_t size)
{
    size_t length = *at == '(' ? strcspn(at, ")") + 1 : strcspn(at, " \n");

    snprintf(word, size, "%.*s", (int)length, at);
    return at + length + strspn(at + length, " ");
}

/* The part of a heading in a line, or "" if the line is none. */
static void take_heading(const char *line, char *heading, size_t size)
{
    size_t length = strcspn(line, "\n");

    if (length > 1 && islower((unsigned char)line[0]) && line[length - 1] == ':')
        snprintf(heading, size, "%.*s", (int)length - 1, line);
}

static void read_table(table *t)
{
    program_run run = program_succeeds("help defaults");
    char heading[100] = "";
    bool in_row = false;

    *t = (table){0};
    for (const char *line = run.out; *line; line = strchr(line, '\n') + 1) {
        row *last = t->count ? &t->row[t->count - 1] : NULL;
        if (is_row(line)) {
            cr_assert(heading[0] && t->count < MOST_ROWS, "%.80s", line);
            row *r = &t->row[t->count++];
            memcpy(r->heading, heading, sizeof heading);
            const char *at = take(line + 2, r->option, sizeof r->option);
            at = take(at, r->value, sizeof r->value);
            snprintf(r->why, sizeof r->why, "%.*s", (int)strcspn(at, "\n"), at);
            in_row = true;
        } else if (in_row && line[0] == ' ') {
            const char *at = line + strspn(line, " ");
            size_t used = strlen(last->why);
            snprintf(last->why + used, sizeof last->why - used, " %.*s", (int)strcspn(at, "\n"),
                     at);
        } else {
            in_row = false;
            take_heading(line, heading, sizeof heading);
        }
    }
    program_free(&run);
    cr_assert_gt(t->count, 90, "%d", t->count);
}

/* The command line for part of a heading such as "sim --topology switch", made short and quick, to
 * which an option is added. */
static void complete(const char *part, const char *option, char *line, size_t size)
{
    const bool pool = strcmp(option, "--pool-rule") == 0, rare = strstr(part, "--rare");
    const bool async = strstr(part, "async") || strstr(part, "torus") || strstr(part, "slim-fly") ||
                       strstr(part, "dragonfly") || strstr(part, "hyperx") ||
                       strstr(part, "megafly");
    const bool sim = strncmp(part, "sim", 3) == 0;
    const bool load = !strstr(part, "--find-saturation");
    const bool timed = strstr(part, "--architecture shared-memory");
    const char *lone = strstr(part, "--topology") ? "" : " --topology switch";
    char own[200] = "";

    if (strncmp(part, "table", 5) != 0)
        snprintf(own, sizeof own, "%s%s%s%s",
                 strstr(part, "--buffer ") || strstr(part, "--management ") ||
                         strstr(part, "--architecture hipiqs") ||
                         strstr(part, "--architecture wormhole") ||
                         strstr(part, "--architecture atlas")
                     ? ""
                 : pool ? " --buffer cbda"
                        : " --buffer damq",
                 async || strstr(part, "--slots") ? "" : " --slots 2", load ? " --load 0.9" : "",
                 rare                                     ? lone
                 : sim && strcmp(option, "--cycles") != 0 ? " --cycles 400"
                                                          : "");
    if (timed)
        snprintf(own, sizeof own, " --load %s",
                 strstr(part, "leaf-spine") ? "0.5 --duration 2ms"
                 : strstr(part, "--sender") ? "0.8 --ports 3"
                                            : "1.2 --ports 3");
    if (strncmp(part, "worst", 5) == 0)
        snprintf(own, sizeof own, " --slots 4");
    const bool quick = strcmp(part, "table 4.4") == 0;
    snprintf(line, size, "%s%s%s", part, own,
             strncmp(part, "export", 6) == 0 ? " --format dot"
             : quick                         ? " --quick --json"
                                             : " --json");
}

/* Removes what varies from run to run, and what says which options were given. */
static void strip(cJSON *tree)
{
    static const char *const keys[] = {"cpu_seconds", "wall_seconds", "seconds", "bytes",
                                       "peak_bytes",  "defaults",     "why",     "asked"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, keys[k]);
    for (cJSON *child = tree->child; child; child = child->next)
        strip(child);
}

static char *numbers(const char *line)
{
    program_run run = program("%s", line);
    cJSON *tree = cJSON_Parse(run.out);

    cr_assert(run.status == 0 || strstr(line, "--find-saturation"), "%s: %s", line, run.err);
    if (tree)
        strip(tree);
    char *text = tree ? cJSON_PrintUnformatted(tree) : strdup(run.out);
    cJSON_Delete(tree);
    program_free(&run);
    return text;
}

static void expect_the_same(const char *line, const char *option, const char *value)
{
    char with[400];

    snprintf(with, sizeof with, "%s %s %s", line, option, value);
    char *a = numbers(line), *b = numbers(with);
    cr_expect_str_eq(a, b, "'%s' is not the default of '%s'", with + strlen(line) + 1, line);
    free(a);
    free(b);
}

static bool can_be_run(const char *part)
{
    return strcmp(part, "table 4.2") != 0 && strcmp(part, "table 4.3") != 0 &&
           strcmp(part, "table 5.1") != 0; /* 4.4 is of the same kind, and takes seconds */
}

/* The rows whose heading begins with that command. */
static void run_rows(const char *command)
{
    static table t;
    int ran = 0;

    read_table(&t);
    for (int k = 0; k < t.count; k++) {
        const row *r = &t.row[k];
        char heading[100], *rest = NULL;
        memcpy(heading, r->heading, sizeof heading);
        for (char *part = strtok_r(heading, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
            char line[300];
            part += strspn(part, " ");
            if (r->value[0] == '(' || strncmp(part, command, strlen(command)) != 0 ||
                !can_be_run(part))
                continue;
            complete(part, r->option, line, sizeof line);
            expect_the_same(line, r->option, r->value);
            ran++;
        }
    }
    cr_expect_geq(ran, 4, "%s: %d", command, ran);
}

Test(cli_defaults, written_out_they_change_nothing_in_solve)
{
    run_rows("solve");
}

Test(cli_defaults, written_out_they_change_nothing_in_worst)
{
    run_rows("worst");
}

Test(cli_defaults, written_out_they_change_nothing_in_export)
{
    run_rows("export");
}

Test(cli_defaults, written_out_they_change_nothing_in_sim)
{
    run_rows("sim");
}

Test(cli_defaults, written_out_they_change_nothing_in_approx)
{
    run_rows("approx");
}

Test(cli_defaults, written_out_they_change_nothing_in_table)
{
    run_rows("table");
}

/* ---- completeness ---- */

static bool has(const table *t, const char *command, const char *option)
{
    size_t length = strlen(command);

    for (int k = 0; k < t->count; k++) {
        if (strcmp(t->row[k].option + 2, option) != 0)
            continue;
        for (const char *at = t->row[k].heading; (at = strstr(at, command)); at++) {
            if ((at == t->row[k].heading || at[-1] == ' ') && strchr(" ,", at[length]))
                return true;
        }
    }
    return false;
}

Test(cli_defaults, every_option_that_speaks_of_a_default_is_there)
{
    static const char *const commands[] = {"solve",  "export", "sim",      "approx", "table",
                                           "figure", "sweep",  "validate", "report", "worst"};
    static table t;
    int seen = 0;

    read_table(&t);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        cJSON *help = program_json("help %s --json", commands[c]);
        const cJSON *option;
        cJSON_ArrayForEach(option, json_at(help, "options"))
        {
            const char *name = json_string(option, "name");
            if (!strstr(json_string(option, "text"), "default") || strcmp(name, "rare") == 0)
                continue;
            bool there = has(&t, commands[c], name) ||
                         (strcmp(commands[c], "approx") == 0 && has(&t, "sim", name)) ||
                         (strcmp(commands[c], "export") == 0 && has(&t, "solve", name));
            cr_expect(there, "no row of '%s --%s'", commands[c], name);
            seen++;
        }
        cJSON_Delete(help);
    }
    cr_expect_gt(seen, 80, "%d", seen);
}

/* | `solve`, `export` | `--ports` | `2` | why | */
Test(cli_defaults, the_document_has_the_same_rows)
{
    static table t;
    static char text[100000];
    char path[400];
    int lines = 0;

    snprintf(path, sizeof path, "%s/docs/defaults.md", getenv("SWITCHQ_SOURCE"));
    FILE *file = fopen(path, "r");
    cr_assert(file, "set SWITCHQ_SOURCE to the source: %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    read_table(&t);
    for (int k = 0; k < t.count; k++) {
        const row *r = &t.row[k];
        char want[600], heading[200] = "", copy[100], *rest = NULL;
        memcpy(copy, r->heading, sizeof copy);
        for (char *part = strtok_r(copy, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
            size_t used = strlen(heading);
            snprintf(heading + used, sizeof heading - used, "%s`%s`", used ? ", " : "",
                     part + strspn(part, " "));
        }
        snprintf(want, sizeof want, "\n| %s | `%s` | `%s` | %s |\n", heading, r->option, r->value,
                 r->why);
        cr_expect(strstr(text, want), "docs/defaults.md lacks%s", want);
    }
    for (const char *at = text; (at = strstr(at, "\n| `")); at++)
        lines++;
    cr_expect_eq(lines, t.count, "docs/defaults.md has %d rows, help %d", lines, t.count);
}

/* ---- one switch ---- */

/* The switch of `solve`, and that of `sim --topology switch`, rare or not, have the same
 * defaults. */
Test(cli_defaults, one_switch_simulated_has_those_of_its_chain)
{
    static const char *const cases[] = {
        "--buffer damq --slots 4 --load 0.9", "--buffer fifo --slots 4 --load 0.9 --flow block",
        "--buffer cbda --slots 2 --load 0.9", "--buffer safc --slots 4 --load 0.8 --ports 4"};
    static const char *const rare[] = {"", "--rare --precision 0.5"};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cJSON *chain = program_json("solve %s --json", cases[c]);
        for (int k = 0; k < (strstr(cases[c], "block") ? 1 : 2); k++) {
            cJSON *run =
                program_json("sim --topology switch %s %s --json 2>/dev/null", cases[c], rare[k]);
            const cJSON *said = json_at(chain, "model"), *model = json_at(run, "model"), *item;
            int same = 0;
            cJSON_ArrayForEach(item, said)
            {
                const cJSON *other = cJSON_GetObjectItemCaseSensitive(model, item->string);
                if (!other || strcmp(item->string, "load") == 0)
                    continue;
                cr_expect(cJSON_Compare(item, other, true), "%s %s: %s", cases[c], rare[k],
                          item->string);
                same++;
            }
            cr_expect_geq(same, 8, "%d", same);
            cJSON_Delete(run);
        }
        cJSON_Delete(chain);
    }
}

Test(cli_defaults, one_switch_simulated_tells_the_chains_numbers)
{
    cJSON *chain = program_json("solve --buffer damq --slots 4 --load 0.9 --json");
    cJSON *run = program_json("sim --topology switch --buffer damq --slots 4 --load 0.9 "
                              "--cycles 200000 --json");
    double exact = json_number(chain, "result.throughput");

    cr_expect_lt(fabs(json_number(run, "result.throughput.mean") - exact),
                 2 * json_number(run, "result.throughput.half_width"));
    cr_expect_lt(json_number(run, "result.throughput.half_width"), 0.002,
                 "too wide to tell 0.8752");
    cJSON_Delete(chain);
    cJSON_Delete(run);
}

/* ---- the default flow control ---- */

static bool names(const cJSON *tree, const char *option)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, json_at(tree, "model.defaults"))
    {
        if (strcmp(item->valuestring, option) == 0)
            return true;
    }
    return false;
}

Test(cli_defaults, a_control_of_flow_that_was_not_given_is_told)
{
    static const struct {
        const char *arguments, *line; /* NULL: none */
    } cases[] = {
        {"--slots 4", "\nflow discard: the default of synchronous networks"},
        {"--slots 4 --flow discard", NULL},
        {"--slots 4 --flow block", NULL},
        {"--engine async --slots 4", "\nflow block: the default of asynchronous networks"},
        {"--engine async --slots 4 --flow block", NULL},
        {"--topology mesh --dims 3", "\nflow block: the default of asynchronous networks"},
    };

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *line = cases[c].line;
        program_run run =
            program_succeeds("sim --buffer damq --load 0.2 --cycles 300 %s", cases[c].arguments);
        cJSON *tree =
            program_json("sim --buffer damq --load 0.2 --cycles 300 %s --json", cases[c].arguments);
        cr_expect(!line || strstr(run.out, line), "%s: %s", cases[c].arguments, run.out);
        cr_expect_eq(strstr(run.out, "\nflow ") != NULL, line != NULL, "%s", run.out);
        cr_expect_eq(names(tree, "flow"), line != NULL, "%s", cases[c].arguments);
        cr_expect(names(tree, "arbiter"));
        program_free(&run);
        cJSON_Delete(tree);
    }
}
