/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every option of every command matters or is refused. The options are those that the program says
 * it has, so none can be forgotten. To each of several command lines (tests/cli/every_option_*.c)
 * each value of an option is added: the answers that come must all differ, and a refusal must name
 * the option. Questions are asked in this process, through libswitchq-ask.so.
 */
#include "tests/cli/every_option.h"
#include "tests/cli/program.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <unistd.h>

static char *(*ask)(int count, const char *const *words);
static void (*free_answer)(char *answer);

static void begin(void)
{
    char path[PATH_MAX];

    program_begin();
    snprintf(path, sizeof path, "%s", getenv("SWITCHQ"));
    char *folder = dirname(path);
    strncat(folder, "/libswitchq-ask.so", sizeof path - strlen(folder) - 1);
    void *library = dlopen(folder, RTLD_NOW | RTLD_LOCAL);
    cr_assert(library, "%s", dlerror());
    *(void **)&ask = dlsym(library, "swq_ask");
    *(void **)&free_answer = dlsym(library, "swq_ask_free");
    cr_assert(ask && free_answer);
    every_option_files();
}

TestSuite(cli_every_option, .init = begin, .fini = program_end, .timeout = 480);

/* ---- words ---- */

enum { WORDS = 160, VALUES = 40, LINE = 1600 };

typedef struct words {
    char text[LINE];
    const char *word[WORDS];
    int count;
} words;

static void add_words(words *w, const char *line)
{
    char *rest = NULL, *at = w->text;

    cr_assert_lt(strlen(line), sizeof w->text);
    strcpy(at, line);
    for (char *word = strtok_r(at, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        cr_assert_lt(w->count, WORDS);
        w->word[w->count++] = word;
    }
}

/* Is `word` this option, with or without a value? */
static bool is_option(const char *word, const char *option)
{
    size_t length = strlen(option);

    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, option, length) == 0 &&
           (word[2 + length] == '=' || !word[2 + length]);
}

static bool has_option(const every_base *base, const char *option)
{
    words w = {.count = 0};

    add_words(&w, base->line);
    for (int k = 0; k < w.count; k++) {
        if (is_option(w.word[k], option))
            return true;
    }
    return false;
}

/* ---- answers ---- */

/* Keys that echo the question, or are measured by a clock. */
static const char *const no_answer[] = {"model",
                                        "run",
                                        "method",
                                        "parameters",
                                        "seconds",
                                        "cpu_seconds",
                                        "wall_seconds",
                                        "solver",
                                        "seed",
                                        "relative_error",
                                        "asymptotic_variance_error",
                                        "cycles",
                                        "peak_bytes",
                                        "arbiter",
                                        "pool_rule",
                                        "stale",
                                        "schema",
                                        "chain",
                                        "target",
                                        "threshold",
                                        "most_states",
                                        "effort",
                                        "alpha",
                                        "table",
                                        "criterion",
                                        "version",
                                        "rule",
                                        NULL};

static void strip(cJSON *tree)
{
    for (int k = 0; no_answer[k]; k++)
        cJSON_DeleteItemFromObjectCaseSensitive(tree, no_answer[k]);
    for (cJSON *item = tree ? tree->child : NULL; item; item = item->next)
        strip(item);
}

typedef struct reply {
    int status;
    char message[512];
    cJSON *answer; /* stripped; NULL: none */
} reply;

/* Numbers that differ only by rounding are the same. */
static bool same_number(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b)) + 1e-3 * tolerance;
}

static bool same_tree(const cJSON *a, const cJSON *b, double tolerance)
{
    if (!a || !b)
        return a == b;
    if ((a->type & 0xff) != (b->type & 0xff))
        return false;
    if (cJSON_IsNumber(a))
        return same_number(a->valuedouble, b->valuedouble, tolerance);
    if (cJSON_IsString(a))
        return strcmp(a->valuestring, b->valuestring) == 0;
    const cJSON *x = a->child, *y = b->child;
    for (; x && y; x = x->next, y = y->next) {
        if ((x->string && strcmp(x->string, y->string) != 0) || !same_tree(x, y, tolerance))
            return false;
    }
    return x == y;
}

static bool same(const reply *a, const reply *b, double tolerance)
{
    return a->status == b->status && same_tree(a->answer, b->answer, tolerance);
}

/* Commands without --json print their answer. */
static reply run_words(const words *w)
{
    char line[2 * LINE] = "";
    reply r = {.status = -1};

    for (int k = 0; k < w->count; k++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " '%s'", w->word[k]);
    /* an export of several files does not write to standard output */
    program_run run = strcmp(w->word[0], "export") == 0
                          ? program_shell("rm -f out*; \"$SWITCHQ\" %s -o out && cat out*", line)
                          : program("%s", line);
    r.status = run.status;
    snprintf(r.message, sizeof r.message, "%s", run.err);
    r.answer = cJSON_CreateString(run.out);
    program_free(&run);
    return r;
}

static reply ask_words(const words *w)
{
    reply r = {.status = -1};
    char *text = ask(w->count, w->word);
    cJSON *tree = cJSON_Parse(text);

    cr_assert(tree);
    r.status = (int)json_number(tree, "status");
    snprintf(r.message, sizeof r.message, "%s", json_string(tree, "message"));
    r.answer = cJSON_DetachItemFromObjectCaseSensitive(tree, "answer");
    strip(r.answer);
    cJSON_Delete(tree);
    free_answer(text);
    return r;
}

static bool prints(const char *command)
{
    return strcmp(command, "export") == 0 || strcmp(command, "sweep") == 0;
}

/* The answer for the base with the option at this value (NULL: a flag), replacing any that the base
 * has. */
static reply reply_with(const every_base *base, const char *option, const char *value, bool text)
{
    words w = {.count = 0}, line = {.count = 0};
    char more[LINE];

    add_words(&line, base->line);
    w.word[w.count++] = base->command;
    for (int k = 0; k < line.count; k++) {
        if (!option || !is_option(line.word[k], option))
            w.word[w.count++] = line.word[k];
    }
    if (option) {
        snprintf(more, sizeof more, value ? "--%s=%s" : "--%s", option, value);
        w.word[w.count++] = more;
    }
    return text ? run_words(&w) : ask_words(&w);
}

static reply ask_with(const every_base *base, const char *option, const char *value)
{
    return reply_with(base, option, value, prints(base->command));
}

/* ---- options and their values ---- */

typedef struct option {
    char name[40];
    char value[VALUES][120];
    int values;
    bool flag, taken; /* taken: by some command line */
    bool matters;     /* has an effect on some command line */
    bool question;    /* a part of the question, which the text of the answer names */
    bool named;       /* some text has been seen to name it */
} option;

static bool fits(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}

static const every_sample *sample_of(const every_base *base, const char *name)
{
    for (const every_sample *s = every_samples; s->option; s++) {
        if (strcmp(s->option, name) == 0 && fits(s->command, base->command) &&
            fits(s->bases, base->name))
            return s;
    }
    return NULL;
}

static bool in_list(const char *list, const char *word)
{
    words w = {.count = 0};

    add_words(&w, list);
    for (int k = 0; k < w.count; k++) {
        if (strcmp(w.word[k], word) == 0)
            return true;
    }
    return false;
}

static const every_print *print_of(const char *command, const char *name)
{
    for (const every_print *p = every_prints; p->option; p++) {
        const size_t length = strcspn(p->option, "=");
        if (strlen(name) == length && strncmp(p->option, name, length) == 0 &&
            strcmp(p->command, command) == 0)
            return p;
    }
    return NULL;
}

/* These are tried with every line in test_config.c, plug-ins in test_plugin.c, --booksim in
 * test_booksim.c, and --preset in test_presets.c. */
static bool is_of_files(const char *name)
{
    return strcmp(name, "config") == 0 || strcmp(name, "save-config") == 0 ||
           strcmp(name, "plugin") == 0 || strcmp(name, "booksim") == 0 ||
           strcmp(name, "preset") == 0;
}

static void add_value(option *o, const char *text)
{
    cr_assert_lt(o->values, VALUES, "--%s has too many values", o->name);
    snprintf(o->value[o->values++], sizeof o->value[0], "%s", text);
}

/* The values in a row of samples, or the words of the option's own list, or the least numbers of
 * its range. Every such word has to be tried. */
static void find_values(const cJSON *row, const every_base *base, option *o)
{
    const cJSON *listed = cJSON_GetObjectItemCaseSensitive(row, "words");
    const cJSON *least = cJSON_GetObjectItemCaseSensitive(row, "least");
    const every_sample *sample = sample_of(base, o->name);
    char number[40];
    const cJSON *word;
    words w = {.count = 0};

    o->flag = !cJSON_GetObjectItemCaseSensitive(row, "argument");
    o->values = 0;
    if (o->flag) {
        add_value(o, "");
        return;
    }
    if (sample) {
        add_words(&w, sample->values);
        for (int k = 0; k < w.count; k++)
            add_value(o, w.word[k]);
    } else if (listed) {
        cJSON_ArrayForEach(word, listed) add_value(o, word->valuestring);
    } else if (least) { /* of a parameter: the first numbers of its range */
        for (int k = 0; k < 2; k++) {
            snprintf(number, sizeof number, "%g", least->valuedouble + k);
            add_value(o, number);
        }
    }
    cr_expect(o->values > 0, "%s --%s: no value to try; add one to every_samples", base->command,
              o->name);
}

/* ---- the question ---- */

/* Tolerances for rounding, and for two ways to the same answer. */
#define ROUNDING 1e-9
#define TWO_WAYS 1e-5

static bool used[1000]; /* whether the excuse of that number has been used */

/* The index of the row that has both values, which may be equal; -1: there is none. */
static int find_excuse(const every_base *base, const char *name, const char *a, const char *b)
{
    for (int k = 0; every_excuses[k].option; k++) {
        const every_excuse *e = &every_excuses[k];
        const bool all = strcmp(e->values, "*") == 0 || *a == '\0';
        if (in_list(e->option, name) && fits(e->command, base->command) &&
            fits(e->bases, base->name) && (all || (in_list(e->values, a) && in_list(e->values, b))))
            return k;
    }
    return -1;
}

static bool is_excused(const every_base *base, const char *name, const char *a, const char *b)
{
    int k = find_excuse(base, name, a, b);

    if (k >= 0)
        used[k] = true;
    return k >= 0;
}

/* Values that must agree are excused by a row that says so. */
static bool must_agree(const every_base *base, const char *name, const char *a, const char *b)
{
    int k = find_excuse(base, name, a, b);

    return k >= 0 && every_excuses[k].always;
}

/* Does the message contain the first letters of this name, possibly as words? */
static bool says(const char *message, const char *name)
{
    char start[8];

    snprintf(start, sizeof start, "%.5s", name);
    if (strstr(message, start))
        return true;
    for (char *at = strchr(start, '-'); at; at = strchr(at, '-'))
        *at = ' ';
    return strstr(message, start) != NULL;
}

/* By its own name or value, or by that of an option of the base with which it is incompatible, or
 * by one that it needs. */
static bool names_it(const every_base *base, const char *name, const char *value,
                     const char *message)
{
    words w = {.count = 0};
    char other[LINE];

    if (says(message, name) || (strlen(value) > 2 && strstr(message, value)) ||
        strstr(message, " is required"))
        return true;
    for (const char *part = strchr(name, '-'); part; part = strchr(part, '-')) {
        if (strlen(++part) > 3 && says(message, part))
            return true;
    }
    add_words(&w, base->line);
    for (int k = 0; k < w.count; k++) {
        const char *file = strchr(w.word[k], ':');
        snprintf(other, sizeof other, "%.*s", (int)strcspn(w.word[k] + 2, "="), w.word[k] + 2);
        if (strstr(message, other) || (file && strstr(message, file + 1)))
            return true;
    }
    return false;
}

static void expect_refused(const every_base *base, const option *o, const char *value,
                           const reply *r)
{
    cr_expect(names_it(base, o->name, value, r->message),
              "%s [%s]: --%s=%s is refused, but not by its name: %s", base->command, base->name,
              o->name, value, r->message);
}

/* The answers for two values differ, unless a row says that they may or must agree. */
static void expect_pair(const every_base *base, const option *o, int i, int k, const reply *r)
{
    const char *a = o->value[i], *b = o->value[k];

    if (same(&r[i], &r[k], ROUNDING))
        cr_expect(is_excused(base, o->name, a, b), "%s [%s]: --%s %s gives the same answer as %s",
                  base->command, base->name, o->name, b, a);
    else if (must_agree(base, o->name, a, b))
        cr_expect(is_excused(base, o->name, a, b) && same(&r[i], &r[k], TWO_WAYS),
                  "%s [%s]: --%s %s must give the same answer as %s", base->command, base->name,
                  o->name, b, a);
}

/* The words of the question: the first paragraph of the text. */
static void find_header(const every_base *base, const char *name, const char *value, char *header)
{
    reply r = reply_with(base, name, value, true);
    const char *text = cJSON_GetStringValue(r.answer);
    const char *end = strstr(text, "\n\n");

    snprintf(header, LINE, "%.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
    cJSON_Delete(r.answer);
}

/* Two questions that differ in an option have different headers. */
static void expect_named(const every_base *base, option *o, const char *a, const char *b)
{
    char header[2][LINE];

    find_header(base, o->flag ? NULL : o->name, a, header[0]);
    find_header(base, o->name, o->flag ? NULL : b, header[1]);
    cr_expect(strcmp(header[0], header[1]) != 0, "%s [%s]: --%s %s and %s have one header: %s",
              base->command, base->name, o->name, a, b, header[1]);
    o->named = true;
}

/* Tries all values of an option on a command line. */
static void try_option(const every_base *base, const reply *without, option *o)
{
    const bool named = o->question && !prints(base->command) && strcmp(base->command, "table") != 0;
    reply r[VALUES];
    int taken = 0, last = 0, before = 0;

    for (int k = 0; k < o->values; k++) {
        r[k] = ask_with(base, o->name, o->flag ? NULL : o->value[k]);
        if (r[k].status == 2) {
            expect_refused(base, o, o->value[k], &r[k]);
            continue;
        }
        taken++;
        before = last;
        last = k;
        for (int i = 0; i < k; i++) {
            if (r[i].status == 2)
                continue;
            expect_pair(base, o, i, k, r);
            o->matters = o->matters || !same(&r[i], &r[k], ROUNDING);
        }
    }
    /* if only the default can be given explicitly, there is nothing to see; a number or a flag
     * should have an effect */
    const bool silent = taken == 1 && same(&r[last], without, ROUNDING);
    if (silent && o->values == 1 && !is_excused(base, o->name, o->value[last], o->value[last]))
        cr_expect(false, "%s [%s]: --%s %s changes no answer", base->command, base->name, o->name,
                  o->value[last]);
    o->matters = o->matters || (taken && !silent);
    o->taken = o->taken || taken > 0;
    if (named && !o->named && (taken > 1 || (taken && o->flag)))
        expect_named(base, o, o->value[before], o->value[last]);
    for (int k = 0; k < o->values; k++)
        cJSON_Delete(r[k].answer);
}

static void expect_excuses_used(const char *command)
{
    for (int k = 0; every_excuses[k].option; k++) {
        if (fits(every_excuses[k].command, command) &&
            strchr(every_excuses[k].command, '*') == NULL)
            cr_expect(used[k], "%s --%s %s [%s]: the excuse is needed no more", command,
                      every_excuses[k].option, every_excuses[k].values, every_excuses[k].bases);
    }
}

/* Tries an option on a command line. */
static void try_row(const every_base *base, const reply *without, const cJSON *row, option *o)
{
    snprintf(o->name, sizeof o->name, "%s", json_string(row, "name"));
    if (is_of_files(o->name) || print_of(base->command, o->name))
        return;
    find_values(row, base, o);
    o->question = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(row, "question"));
    if (!o->flag || !has_option(base, o->name))
        try_option(base, without, o);
}

/* Approximations need not have what sim has: all lines refuse it by name. */
static bool is_refused(const char *command, const option *o)
{
    return strcmp(command, "approx") == 0 && !o->taken;
}

static void try_command(const char *command)
{
    const char *line[] = {"help", command};
    char *text = ask(2, line);
    cJSON *tree = cJSON_Parse(text);
    const cJSON *row, *rows = json_at(tree, "answer.options");
    option *options = calloc((size_t)cJSON_GetArraySize(rows), sizeof *options);

    for (const every_base *base = every_bases; base->command; base++) {
        option *o = options;
        if (strcmp(base->command, command) != 0)
            continue;
        reply without = ask_with(base, NULL, NULL);
        cr_expect(without.status < 2, "%s [%s]: %s", command, base->name, without.message);
        cJSON_ArrayForEach(row, rows) try_row(base, &without, row, o++);
        cJSON_Delete(without.answer);
    }
    for (int k = 0; k < cJSON_GetArraySize(rows); k++)
        cr_expect(
            options[k].matters || is_of_files(options[k].name) ||
                is_refused(command, &options[k]) || print_of(command, options[k].name) ||
                is_excused(&(every_base){command, "everywhere", ""}, options[k].name, "*", "*"),
            "%s --%s changes no answer anywhere", command, options[k].name);
    expect_excuses_used(command);
    free(options);
    cJSON_Delete(tree);
    free_answer(text);
}

Test(cli_every_option, of_solve)
{
    try_command("solve");
}

Test(cli_every_option, of_sim)
{
    try_command("sim");
}

Test(cli_every_option, of_approx)
{
    try_command("approx");
}

Test(cli_every_option, of_table)
{
    try_command("table");
}

Test(cli_every_option, of_figure)
{
    try_command("figure");
}

Test(cli_every_option, of_cost)
{
    try_command("cost");
}

Test(cli_every_option, of_bound)
{
    try_command("bound");
}

Test(cli_every_option, of_headroom)
{
    try_command("headroom");
}

Test(cli_every_option, of_worst)
{
    try_command("worst");
}

Test(cli_every_option, of_export)
{
    try_command("export");
}

/* The text of a test in a file; asserts that it exists; to be freed. */
static char *test_text(const every_elsewhere *e)
{
    char path[PATH_MAX], start[200];

    snprintf(path, sizeof path, "%s/%s", getenv("SWITCHQ_SOURCE"), e->file);
    char *text = file_text(path);
    snprintf(start, sizeof start, ", %s)\n", e->test);
    char *from = strstr(text, start);
    cr_assert(from, "%s --%s: %s has no test %s", e->command, e->option, e->file, e->test);
    char *end = strstr(from, "\nTest(");
    char *body = strndup(from, end ? (size_t)(end - from) : strlen(from));
    free(text);
    return body;
}

static bool is_tested(const every_elsewhere *e)
{
    char written[60], at_once[60];
    const bool output = strcmp(e->option, "output") == 0;

    snprintf(written, sizeof written, output ? "-o " : "--%s", e->option);
    snprintf(at_once, sizeof at_once, "--%s", e->option);
    char *body = test_text(e);
    const bool found = strstr(body, written) || strstr(body, at_once);
    free(body);
    return found;
}

/* For each option of the commands that are not tried here, and for no other, a test is named whose
 * text contains the option. */
Test(cli_every_option, of_the_others_has_a_test)
{
    static const char *const others[] = {"sweep", "compare", "report",    "validate",
                                         "list",  "help",    "completion"};
    int rows_met = 0, rows = 0;

    for (; every_elsewhere_tests[rows].command; rows++)
        ;
    for (size_t c = 0; c < sizeof others / sizeof *others; c++) {
        const char *line[] = {"help", others[c]};
        char *text = ask(2, line);
        cJSON *tree = cJSON_Parse(text);
        const cJSON *row;
        cJSON_ArrayForEach(row, json_at(tree, "answer.options"))
        {
            const char *name = json_string(row, "name");
            const every_elsewhere *found = NULL;
            for (const every_elsewhere *e = every_elsewhere_tests; e->command; e++) {
                if (strcmp(e->command, others[c]) == 0 && strcmp(e->option, name) == 0)
                    found = e;
            }
            if (strncmp(name, "help", 4) == 0 || is_of_files(name))
                continue;
            rows_met += found != NULL;
            cr_expect(found && is_tested(found), "%s --%s has no test", others[c], name);
        }
        cJSON_Delete(tree);
        free_answer(text);
    }
    cr_expect_eq(rows_met, rows, "a row is of an option that is no more");
}

/* Options that do not affect the answer affect its form, or a file. */
Test(cli_every_option, that_is_seen_elsewhere)
{
    for (const every_print *p = every_prints; p->option; p++) {
        program_run without = program("%s %s", p->command, p->line);
        program_run with = program("%s %s --%s", p->command, p->line, p->option);
        cr_expect_eq(with.status, 0, "%s --%s: status %d: %s", p->command, p->option, with.status,
                     with.err);
        if (p->file)
            cr_expect_eq(access(p->file, R_OK), 0, "%s --%s: no %s", p->command, p->option,
                         p->file);
        else
            cr_expect_str_neq(with.out, without.out, "%s --%s changes nothing", p->command,
                              p->option);
        program_free(&without);
        program_free(&with);
    }
}

/* Commands whose options are all covered by tests of their own; a new command belongs into the
 * lists above. */
Test(cli_every_option, no_command_is_forgotten)
{
    static const char above[] =
        "solve sim approx table figure export chip cost bound worst headroom",
                      elsewhere[] = "formula sweep compare validate report list help completion";
    cJSON *tree = program_json("help --json");
    const cJSON *row;

    cJSON_ArrayForEach(row, json_at(tree, "commands")) cr_expect(
        in_list(above, row->string) != in_list(elsewhere, row->string), "%s", row->string);
    cJSON_Delete(tree);
}
