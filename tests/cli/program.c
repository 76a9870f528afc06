/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See program.h.
 */
#include "tests/cli/program.h"
#include "cli/print/json_path.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 4096 };

static char capture[] = "/tmp/switchq-cli-XXXXXX"; /* stdout and stderr of the last run */
static char folder[64];

void program_begin(void)
{
    char here[PATH_MAX], whole[2 * PATH_MAX];
    const char *name = getenv("SWITCHQ");

    cr_assert(name && access(name, X_OK) == 0, "set SWITCHQ to the program under test");
    if (*name != '/') { /* the tests change to another folder */
        cr_assert(getcwd(here, sizeof here));
        snprintf(whole, sizeof whole, "%s/%s", here, name);
        setenv("SWITCHQ", whole, 1);
    }
    cr_assert(mkdtemp(capture));
    snprintf(folder, sizeof folder, "%s/folder", capture);
    cr_assert_eq(mkdir(folder, 0755), 0);
    cr_assert_eq(chdir(folder), 0);
}

void program_end(void)
{
    char line[128];

    snprintf(line, sizeof line, "rm -rf '%s'", capture);
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(system(line), 0);
}

char *file_text(const char *name)
{
    FILE *file = fopen(name, "r");
    size_t room = 1 << 16, size = 0, got = 1;
    char *text = malloc(room);

    cr_assert(file && text, "no file %s", name);
    while (got > 0) {
        if (size + 1 == room)
            text = realloc(text, room *= 2);
        cr_assert(text);
        got = fread(text + size, 1, room - size - 1, file);
        size += got;
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

static program_run run_line(const char *line)
{
    program_run run = {.status = -1};
    char whole[2 * LINE], path[80];

    snprintf(run.arguments, sizeof run.arguments, "%s", line);
    snprintf(whole, sizeof whole, "{ %s\n} >%s/out 2>%s/err </dev/null", line, capture, capture);
    int state = system(whole);
    cr_assert(state != -1);
    run.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    snprintf(path, sizeof path, "%s/out", capture);
    run.out = file_text(path);
    snprintf(path, sizeof path, "%s/err", capture);
    run.err = file_text(path);
    return run;
}

static program_run run_arguments(const char *format, va_list arguments)
{
    char text[LINE], line[LINE + 32];

    vsnprintf(text, sizeof text, format, arguments);
    snprintf(line, sizeof line, "\"$SWITCHQ\" %s", text);
    return run_line(line);
}

program_run program(const char *arguments, ...)
{
    va_list list;

    va_start(list, arguments);
    program_run run = run_arguments(arguments, list);
    va_end(list);
    return run;
}

program_run program_shell(const char *line, ...)
{
    char text[LINE];
    va_list list;

    va_start(list, line);
    vsnprintf(text, sizeof text, line, list);
    va_end(list);
    return run_line(text);
}

/* Does the text begin with one of the notes that a short run may get? */
static bool is_note(const char *text)
{
    static const char *const notes[] = {"switchq: past saturation: ", "switchq: intervals: none",
                                        "switchq: no packet is of a class beyond 0"};

    for (size_t k = 0; k < sizeof notes / sizeof *notes; k++) {
        if (strncmp(text, notes[k], strlen(notes[k])) == 0)
            return true;
    }
    return false;
}

/* Is stderr empty, except for such notes, a line each? */
static bool is_quiet(const char *err)
{
    while (is_note(err) && strchr(err, '\n'))
        err = strchr(err, '\n') + 1;
    return !*err;
}

static void assert_success(const program_run *run)
{
    cr_assert_eq(run->status, 0, "%s: status %d: %s", run->arguments, run->status, run->err);
    cr_assert(is_quiet(run->err), "%s: stderr: %s", run->arguments, run->err);
}

program_run program_succeeds(const char *arguments, ...)
{
    va_list list;

    va_start(list, arguments);
    program_run run = run_arguments(arguments, list);
    va_end(list);
    assert_success(&run);
    return run;
}

/* Keeps the answer in a file of the folder SWITCHQ_ANSWERS, if set: check-stable holds the answers
 * of all tests against docs/schemas. */
static void keep_answer(const char *text)
{
    const char *answers = getenv("SWITCHQ_ANSWERS");
    char path[600];

    if (!answers || strncmp(text + strcspn(text, "\""), "\"schema\"", 8) != 0)
        return;
    snprintf(path, sizeof path, "%s/XXXXXX", answers);
    const int fd = mkstemp(path);
    if (fd < 0)
        return;
    const size_t length = strlen(text);
    if (write(fd, text, length) != (ssize_t)length)
        unlink(path);
    close(fd);
}

cJSON *program_json(const char *arguments, ...)
{
    va_list list;

    va_start(list, arguments);
    program_run run = run_arguments(arguments, list);
    va_end(list);
    assert_success(&run);
    cJSON *tree = cJSON_ParseWithOpts(run.out, NULL, true);
    cr_assert(tree, "%s: not JSON, or not only: %.300s", run.arguments, run.out);
    keep_answer(run.out);
    /* tests compare answers without it; test_asked.c checks it */
    cJSON_DeleteItemFromObject(tree, "asked");
    program_free(&run);
    return tree;
}

void program_free(program_run *run)
{
    free(run->out);
    free(run->err);
    *run = (program_run){0};
}

const cJSON *json_at(const cJSON *tree, const char *path)
{
    const cJSON *at = cli_json_at(tree, path);

    cr_assert(at, "no %s in the JSON", path);
    return at;
}

double json_number(const cJSON *tree, const char *path)
{
    const cJSON *item = json_at(tree, path);

    cr_assert(cJSON_IsNumber(item), "%s is no number", path);
    return item->valuedouble;
}

const char *json_string(const cJSON *tree, const char *path)
{
    const cJSON *item = json_at(tree, path);

    cr_assert(cJSON_IsString(item), "%s is no string", path);
    return item->valuestring;
}

/* The cell that begins at `text`, unquoted, to be freed; *next receives the beginning of the next
 * cell, or NULL at the end of the line. */
static char *cell_at(const char *text, const char **next)
{
    const bool quoted = *text == '"';
    char *cell = calloc(strlen(text) + 1, 1);
    size_t used = 0;

    for (text += quoted; *text; text++) {
        if (quoted && *text == '"' && *++text != '"')
            break;
        if (!quoted && strchr(",\r\n", *text))
            break;
        cell[used++] = *text;
    }
    *next = *text == ',' ? text + 1 : NULL;
    return cell;
}

static const char *line_at(const char *text, int line)
{
    for (bool quoted = false; line > 0; text++) {
        cr_assert(*text, "there are fewer lines");
        quoted ^= *text == '"';
        line -= *text == '\n' && !quoted;
    }
    return text;
}

static int column_of(const char *text, const char *name)
{
    int column = 0;

    for (const char *at = text; at; column++) {
        char *cell = cell_at(at, &at);
        bool found = strcmp(cell, name) == 0;
        free(cell);
        if (found)
            return column;
    }
    return -1;
}

bool csv_has(const char *text, const char *column)
{
    return column_of(text, column) >= 0;
}

char *csv_cell(const char *text, int row, const char *column)
{
    const char *at = line_at(text, row);
    int number = column_of(text, column);

    cr_assert_geq(number, 0, "no column %s in %.300s", column, text);
    for (; number > 0; number--) {
        cr_assert_not_null(at, "row %d is short", row);
        free(cell_at(at, &at));
    }
    cr_assert_not_null(at, "row %d is short", row);
    return cell_at(at, &at);
}

void expect_cell(const char *text, int row, const char *column, const cJSON *tree, const char *path)
{
    const cJSON *item = json_at(tree, path);
    char *cell = csv_cell(text, row, column);

    if (cJSON_IsNull(item))
        cr_expect_str_empty(cell, "%s: %s", column, cell);
    else
        cr_expect(*cell && strtod(cell, NULL) == item->valuedouble, "row %d, %s: %s, not %.17g",
                  row, column, cell, item->valuedouble);
    free(cell);
}

/* Compares the fields of an object, and those of its setting, which are beside them. */
static void expect_row(const char *text, int row, const cJSON *object)
{
    const cJSON *value;

    cJSON_ArrayForEach(value, object)
    {
        if (cJSON_IsObject(value) && strcmp(value->string, "model") == 0) {
            expect_row(text, row, value);
            continue;
        }
        if (cJSON_IsArray(value) && !csv_has(text, value->string))
            continue; /* a list, which has rows of its own */
        char *cell = csv_cell(text, row, value->string);
        if (cJSON_IsString(value))
            cr_expect_str_eq(cell, value->valuestring, "row %d, %s", row, value->string);
        else if (cJSON_IsBool(value))
            cr_expect_str_eq(cell, cJSON_IsTrue(value) ? "true" : "false", "%d, %s", row,
                             value->string);
        else if (!cJSON_IsArray(value) && !cJSON_IsObject(value))
            expect_cell(text, row, value->string, object, value->string);
        free(cell);
    }
}

void expect_rows(const char *text, const cJSON *rows)
{
    const cJSON *object;
    int row = 0, lines = 0;

    cJSON_ArrayForEach(object, rows) expect_row(text, ++row, object);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(lines, row + 1, "a header, and %d rows", row);
}

int csv_row(const char *text, const char *column, const char *wanted)
{
    int rows = -1;

    for (const char *at = text; *at; at++)
        rows += *at == '\n';
    for (int row = 1; row <= rows; row++) {
        char *cell = csv_cell(text, row, column);
        bool found = strcmp(cell, wanted) == 0;
        free(cell);
        if (found)
            return row;
    }
    cr_assert_fail("no row %s in %.400s", wanted, text);
    return 0;
}

void expect_refusal(const program_run *run, int status, const char *name, const char *value)
{
    const char *end = strchr(run->err, '\n');

    cr_expect_eq(run->status, status, "%s: status %d, not %d: %.200s", run->arguments, run->status,
                 status, run->err);
    cr_expect_str_empty(run->out, "%s: on stdout: %.200s", run->arguments, run->out);
    cr_expect(strncmp(run->err, "switchq: ", 9) == 0, "%s: stderr: %s", run->arguments, run->err);
    cr_expect(end && end[1] == '\0', "%s: stderr is not one line: %s", run->arguments, run->err);
    cr_expect(!name || strstr(run->err, name), "%s: no '%s' in: %s", run->arguments, name,
              run->err);
    cr_expect(!value || strstr(run->err, value), "%s: no '%s' in: %s", run->arguments, value,
              run->err);
}

char *folder_names(void)
{
    program_run run = run_line("ls -A | tr '\\n' ' '");
    char *names = run.out;

    run.out = NULL;
    program_free(&run);
    return names;
}
